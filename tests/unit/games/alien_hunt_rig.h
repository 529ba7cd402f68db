// An Alien Hunt game for tests: set up by words, dealt by names, moved by lines.
#pragma once
#include "games/alien_hunt/alien_hunt.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

extern const struct game alien_hunt_game;

struct rig {
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct game_issues issues;
    struct game_notes notes; // of the last action
    struct error err;        // of the last action or prepare
    union {
        struct alien_hunt g;
        uint64_t align[GAME_STATE_MAX / 8];
    } state;
};

// options: "rounds=2 three_step=1". Returns what prepare said.
static inline enum error_code rig_prepare(struct rig *rig, unsigned seats, const char *cards,
                                          const char *options) {
    char copy[256], *rest = NULL;
    memset(rig, 0, sizeof *rig);
    game_setup_default(&alien_hunt_game, seats, &rig->setup);
    snprintf(copy, sizeof copy, "%s", options);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = 0;
        assert_int_equal(game_setup_option(&alien_hunt_game, &rig->setup, word, value, &rig->err), ERROR_OK);
    }
    if (*cards)
        assert_int_equal(game_setup_cards(&alien_hunt_game, &rig->setup, cards, &rig->err), ERROR_OK);
    return alien_hunt_game.prepare(&rig->setup, &rig->issues, &rig->err);
}

static inline void rig_begin(struct rig *rig, unsigned seats, const char *cards, const char *options) {
    if (rig_prepare(rig, seats, cards, options) != ERROR_OK)
        fail_msg("%s: %s", rig->err.rule, rig->err.text);
    alien_hunt_game.places(&rig->setup, &rig->places);
    rig->words = (struct game_words){&alien_hunt_game, &rig->setup, &rig->places};
    alien_hunt_game.init(&rig->state, &rig->setup);
}

static inline enum error_code rig_try(struct rig *rig, const char *line) {
    game_action action;
    int by;
    rig->notes.n = 0;
    memset(&rig->err, 0, sizeof rig->err);
    enum error_code code = game_action_parse(&rig->words, &rig->state, line, &by, &action, &rig->err);
    return code != ERROR_OK ? code
                            : game_act(&alien_hunt_game, &rig->state, by, action, &rig->notes, &rig->err);
}
static inline void rig_act(struct rig *rig, const char *line) {
    if (rig_try(rig, line) != ERROR_OK)
        fail_msg("%s: %s %s", line, rig->err.rule, rig->err.text);
}
static inline void rig_refused(struct rig *rig, const char *line, const char *rule) {
    assert_int_equal(rig_try(rig, line), ERROR_ILLEGAL);
    assert_string_equal(rig->err.rule, rule);
}

// Characters as listed in the set-up, seat by seat.
static inline void rig_characters(struct rig *rig) {
    char line[64];
    for (unsigned seat = 0; seat < rig->setup.seats; seat++) {
        snprintf(line, sizeof line, "chance character seat=s%u card=%s", seat + 1,
                 alien_hunt__kinds[rig->setup.cards[seat]].id);
        rig_act(rig, line);
    }
}

// Identities by name for the seats and then the centre; missing ones are any that are left.
static inline void rig_identities(struct rig *rig, const char *names) {
    char copy[400], line[80], *rest = NULL;
    unsigned places = rig->setup.seats + (unsigned)CENTRE_CARDS;
    bool used[IDENTITY_CARDS] = {false};
    snprintf(copy, sizeof copy, "%s", names);
    char *name = strtok_r(copy, " ", &rest);
    for (unsigned i = 0; i < places; i++) {
        unsigned card = 0;
        while (
            card < rig->state.g.n_identities &&
            (used[card] ||
             (name && strcmp(alien_hunt__kinds[KIND_IDENTITY + rig->state.g.identity[card]].id, name) != 0)))
            card++;
        assert_true(card < rig->state.g.n_identities);
        used[card] = true;
        const char *place =
            i < rig->setup.seats
                ? alien_hunt__place_name(i, PLACE_IDENTITY)
                : alien_hunt__centre_name((enum centre_row)(CENTRE_UNDEALT + i - rig->setup.seats));
        snprintf(line, sizeof line, "chance deal to=%s card=%u", place, alien_hunt__identity_slot(card));
        rig_act(rig, line);
        name = name ? strtok_r(NULL, " ", &rest) : NULL;
    }
}

static inline void rig_deal(struct rig *rig, unsigned seats, const char *cards, const char *options,
                            const char *identities) {
    rig_begin(rig, seats, cards, options);
    rig_characters(rig);
    rig_identities(rig, identities);
}

static inline void rig_see(const struct rig *rig, int audience, struct observation *ret) {
    memset(ret, 0, sizeof *ret);
    ret->audience = audience;
    alien_hunt_game.observe(&rig->state, ret);
}
static inline const struct observe_fact *rig_fact(const struct observation *seen, const char *key, int seat) {
    for (unsigned i = 0; i < seen->n_facts; i++)
        if (!strcmp(seen->fact[i].key, key) && (seat == -2 || seen->fact[i].seat == seat))
            return &seen->fact[i];
    return NULL;
}
