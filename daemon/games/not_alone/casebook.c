// Worked cases (15): a state is set up as the case says, then the engine alone plays its actions.
#include "games/not_alone/casebook_run.h"
#include <stdio.h>
#include <string.h>

// ---- actions

// Cards come as the case fixes them, else the lowest.
static bool draw(struct not_alone_case *r) {
    game_action all[HUNTS];
    size_t n;
    while ((n = not_alone_game.legal(&r->state, GAME_BY_CHANCE, all, HUNTS)) > 0) {
        game_action best = all[0];
        unsigned rank = DECK_MAX + 1;
        for (size_t i = 0; i < n && i < HUNTS; i++) {
            struct not_alone_move m = not_alone__unpack(all[i]);
            const uint8_t *order = m.verb == VERB_STRIKE      ? r->strike
                                   : m.verb == VERB_DRAW_HUNT ? r->deck
                                                              : r->survival;
            for (unsigned at = 0; at < DECK_MAX && at < rank; at++)
                if (order[at] == m.card)
                    rank = at, best = all[i];
        }
        if (not_alone_game.apply(&r->state, GAME_BY_CHANCE, best, NULL, NULL) != ERROR_OK)
            return casebook_fail(r->report, "a draw", "refused");
    }
    return true;
}

// The arguments of a power, one level out; `draw` becomes the mode.
static void flatten(json_t *to, const json_t *args) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)args, key, value) {
        if (!strcmp(key, "args"))
            flatten(to, value);
        else if (!strcmp(key, "draw"))
            json_object_set_new(to, "mode", json_string("draw"));
        else
            json_object_set(to, key, value);
    }
}

static bool is_power_card(const char *card) {
    return card && (!strcmp(card, "drone") || !strcmp(card, "gate"));
}

// {"by", "do", arguments beside} -> {"by", "do", "args"}; lists where the verb wants lists.
static json_t *shape(const struct not_alone_case *r, const json_t *action) {
    json_t *line = json_object(), *args = json_object();
    const char *verb = json_string_value(json_object_get(action, "do")), *key;
    json_t *value;
    if (verb && !strcmp(verb, "play_survival") &&
        is_power_card(json_string_value(json_object_get(action, "card"))))
        verb = "play_power";
    flatten(args, action);
    static const char *const not_args[] = {"by", "do", "expect", "strike"};
    for (unsigned i = 0; i < COUNT(not_args); i++)
        json_object_del(args, not_args[i]);
    int row = verb ? game_verb_find(r->words.game, verb) : -1;
    for (unsigned i = 0; row >= 0 && i < GAME_ARGS_MAX && not_alone__verbs[row].args[i].name; i++) {
        const struct game_arg_row *arg = &not_alone__verbs[row].args[i];
        value = json_object_get(args, arg->name);
        if (value && arg->list && !json_is_array(value)) {
            json_t *list = json_array();
            json_array_append(list, value);
            json_object_set_new(args, arg->name, list);
        }
    }
    const char *at;
    void *next;
    json_object_foreach_safe(args, next, at, value) if (json_is_array(value) && !json_array_size(value))
        json_object_del(args, at);
    key = json_string_value(json_object_get(action, "by"));
    json_object_set_new(line, "by", json_string(key ? key : ""));
    json_object_set_new(line, "do", json_string(verb ? verb : ""));
    json_object_set_new(line, "args", args);
    return line;
}

static bool act(struct not_alone_case *r, size_t i, const json_t *action) {
    const char *expect = json_string_value(json_object_get(action, "expect"));
    struct error err = {0};
    const json_t *strike = json_object_get(action, "strike");
    game_action packed;
    uint8_t n;
    int by;
    if (strike && !not_alone__case_cards(r, "strike", strike, true, r->strike, &n))
        return false;
    json_t *line = shape(r, action);
    enum error_code code = game_action_from_json(&r->words, &r->state, line, &by, &packed, &err);
    json_decref(line);
    if (code == ERROR_INVALID)
        snprintf(err.rule, sizeof err.rule, "E_ARG");
    if (code == ERROR_OK)
        code = not_alone_game.apply(&r->state, by, packed, NULL, &err);
    if (code != ERROR_OK && (!expect || strcmp(expect, err.rule)))
        return casebook_fail(r->report, expect ? expect : "accepted", "action %zu: %s (%s)", i + 1, err.rule,
                             err.text);
    if (code == ERROR_OK && expect)
        return casebook_fail(r->report, expect, "action %zu: accepted", i + 1);
    return draw(r);
}

// ---- a case

static void play(struct not_alone_case *r, json_t *root) {
    static const char *const keys[] = {"id", "title", "source", "before", "actions", "after"};
    json_t *actions = json_object_get(root, "actions"), *after = json_object_get(root, "after"), *value;
    const char *key;
    size_t i;
    uint8_t known;
    json_object_foreach(root, key, value) {
        json_t *name = json_string(key);
        not_alone__case_word(r, key, name, keys, COUNT(keys), &known);
        json_decref(name);
    }
    if (r->report->failed || !not_alone__case_before(r, json_object_get(root, "before")))
        return;
    if (!json_is_array(actions) || !json_is_object(after)) {
        casebook_fail(r->report, "actions and after", "the case has none");
        return;
    }
    not_alone__advance(&r->state, NULL);
    if (!draw(r))
        return;
    json_array_foreach(actions, i, value) if (!act(r, i, value)) return;
    json_object_foreach(after, key, value) if (!not_alone__case_after(r, key, value)) return;
}

static void run(const struct casebook_case *one, struct casebook_report *ret) {
    struct not_alone_case r = {.report = ret};
    json_error_t error;
    json_t *root = json_loads(one->text, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root))
        casebook_fail(r.report, "an object", "%s", root ? "another value" : error.text);
    else
        play(&r, root);
    json_decref(root);
    ret->passed = !ret->failed;
}

extern const struct casebook not_alone_casebook;
const struct casebook not_alone_casebook = {.game = "not_alone", .run = run};
