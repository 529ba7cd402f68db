// A game for tests: set up by words, moved by lines. Before it a rig says which game, by RIG_GAME, and what
// its state is, by RIG_STATE.
#pragma once
#include "engine/game.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

extern const struct game RIG_GAME;

struct rig {
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct game_issues issues;
    struct game_notes notes; // of the last action
    struct error err;        // of the last action or prepare
    union {
        RIG_STATE g;
        uint64_t align[GAME_STATE_MAX / 8];
    } state;
};

// options: "rounds=2 ballot=tapped". Returns what prepare said.
static inline enum error_code rig_prepare(struct rig *rig, unsigned seats, const char *cards,
                                          const char *options) {
    char copy[256], *rest = NULL;
    memset(rig, 0, sizeof *rig);
    game_setup_default(&RIG_GAME, seats, &rig->setup);
    snprintf(copy, sizeof copy, "%s", options);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = 0;
        assert_int_equal(game_setup_option(&RIG_GAME, &rig->setup, word, value, &rig->err), ERROR_OK);
    }
    if (*cards)
        assert_int_equal(game_setup_cards(&RIG_GAME, &rig->setup, cards, &rig->err), ERROR_OK);
    return RIG_GAME.prepare(&rig->setup, &rig->issues, &rig->err);
}

static inline void rig_begin(struct rig *rig, unsigned seats, const char *cards, const char *options) {
    if (rig_prepare(rig, seats, cards, options) != ERROR_OK)
        fail_msg("%s: %s", rig->err.rule, rig->err.text);
    RIG_GAME.places(&rig->setup, &rig->places);
    rig->words = (struct game_words){&RIG_GAME, &rig->setup, &rig->places};
    RIG_GAME.init(&rig->state, &rig->setup);
}

static inline enum error_code rig_try(struct rig *rig, const char *line) {
    game_action action;
    int by;
    rig->notes.n = 0;
    memset(&rig->err, 0, sizeof rig->err);
    enum error_code code = game_action_parse(&rig->words, &rig->state, line, &by, &action, &rig->err);
    return code != ERROR_OK ? code : game_act(&RIG_GAME, &rig->state, by, action, &rig->notes, &rig->err);
}
static inline void rig_act(struct rig *rig, const char *line) {
    if (rig_try(rig, line) != ERROR_OK)
        fail_msg("%s: %s %s", line, rig->err.rule, rig->err.text);
}
static inline void rig_refused(struct rig *rig, const char *line, const char *rule) {
    assert_int_equal(rig_try(rig, line), ERROR_ILLEGAL);
    assert_string_equal(rig->err.rule, rule);
}
