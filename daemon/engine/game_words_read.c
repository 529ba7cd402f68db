// Actions from JSON. A file of its own: jansson and core/json.h claim the same names.
#include "engine/game_words.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>

// A JSON value as the text that value_parse reads; NULL when its type is wrong for the row.
static const char *json_word(const struct game_arg_row *row, const json_t *value, char number[24]) {
    bool counted = row->type == GAME_ARG_INT || row->type == GAME_ARG_SLOT;
    if (row->type == GAME_ARG_BOOL)
        return json_is_boolean(value) ? json_is_true(value) ? "true" : "false" : NULL;
    if (counted && json_is_integer(value)) {
        snprintf(number, 24, "%lld", (long long)json_integer_value(value));
        return number;
    }
    return !counted && json_is_string(value) && strlen(json_string_value(value)) < GAME_WORD_MAX
               ? json_string_value(value)
               : NULL;
}

static enum error_code json_arg(const struct game_words *words, const struct game_arg_row *row,
                                const json_t *value, struct game_arg *arg, struct error *err) {
    char number[24];
    arg->given = true;
    size_t n = row->list ? json_array_size(value) : 1;
    if (row->list && !json_is_array(value))
        return error_set(err, ERROR_INVALID, row->name, "'%s' is a list", row->name);
    enum error_code code = ERROR_OK;
    for (size_t i = 0; i < n && code == ERROR_OK; i++) {
        const char *word = json_word(row, row->list ? json_array_get(value, i) : value, number);
        code = word ? game__add_value(words, row, word, arg, err)
                    : error_set(err, ERROR_INVALID, row->name, "'%s' must be %s", row->name,
                                game__type_words[row->type]);
    }
    return code;
}

enum error_code game_action_from_json(const struct game_words *words, const void *state, const void *json,
                                      int *ret_by, game_action *ret, struct error *err) {
    const json_t *root = json;
    const char *by = json_string_value(json_object_get(root, "by"));
    const char *verb_name = json_string_value(json_object_get(root, "do"));
    const json_t *args = json_object_get(root, "args");
    if (!by || !verb_name)
        return error_set(err, ERROR_INVALID, by ? "do" : "by",
                         "an action says who does what: {\"by\":\"s2\",\"do\":\"swap\",\"args\":{}}");
    if (args && !json_is_object(args))
        return error_set(err, ERROR_INVALID, "args", "args is an object of names and values");
    struct game_act act;
    enum error_code code = game__start_act(words, by, verb_name, ret_by, &act, err);
    const struct game_verb *verb = &words->game->verbs[act.verb];
    for (void *it = json_object_iter((json_t *)(uintptr_t)args); it && code == ERROR_OK;
         it = json_object_iter_next((json_t *)(uintptr_t)args, it)) {
        int i = game__arg_find(verb, json_object_iter_key(it));
        code = i < 0 ? game__no_arg(verb, json_object_iter_key(it), err)
                     : json_arg(words, &verb->args[i], json_object_iter_value(it), &act.arg[i], err);
    }
    return code == ERROR_OK ? game__finish_act(words, state, *ret_by, &act, ret, err) : code;
}
