// Actions as JSON: {"by":"s2","do":"swap","args":{"a":"s2","b":"s4"}} (design 5.2).
#include "core/json.h"
#include "engine/game_words.h"

static void write_value(struct json *j, const struct game_words *words, const struct game_arg_row *row,
                        int32_t value) {
    char word[GAME_WORD_MAX];
    if (row->type == GAME_ARG_INT || row->type == GAME_ARG_SLOT) {
        json_int(j, value);
    } else if (row->type == GAME_ARG_BOOL) {
        json_bool(j, value != 0);
    } else {
        game__value_text(words, row, value, word);
        json_text(j, word);
    }
}

size_t game_action_json(const struct game_words *words, const void *state, int by, game_action action,
                        char *ret, size_t cap) {
    struct game_act act = {0};
    words->game->decode(state, by, action, &act);
    const struct game_verb *verb = &words->game->verbs[act.verb];
    char word[GAME_WORD_MAX];
    struct json j;
    json_begin(&j, ret, cap);
    json_begin_object(&j);
    json_key(&j, "by");
    json_text(&j, game_by_text(by, word));
    json_key(&j, "do");
    json_text(&j, verb->name);
    json_key(&j, "args");
    json_begin_object(&j);
    for (int i = 0; i < GAME_ARGS_MAX && verb->args[i].name; i++) {
        if (!act.arg[i].given)
            continue;
        json_key(&j, verb->args[i].name);
        if (verb->args[i].list)
            json_begin_array(&j);
        for (unsigned k = 0; k < act.arg[i].n; k++)
            write_value(&j, words, &verb->args[i], act.arg[i].value[k]);
        if (verb->args[i].list)
            json_end_array(&j);
    }
    json_end_object(&j);
    json_end_object(&j);
    return json_end(&j) ? j.len : 0;
}
