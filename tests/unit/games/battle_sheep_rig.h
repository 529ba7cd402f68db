// Positions of Battle Sheep by hand: cells and stacks as the rules file writes them.
#pragma once
#include "core/rng.h"
#include "games/battle_sheep/battle_sheep.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

extern const struct game battle_sheep_game;

#define MEADOW                                                                                               \
    "0,0 1,0 2,0 3,0 4,0 5,0 6,0 7,0 0,1 1,1 2,1 3,1 4,1 5,1 6,1 7,1 0,2 1,2 2,2 3,2 4,2 5,2 6,2 7,2 0,3 "   \
    "1,3 2,3 3,3 4,3 5,3 6,3 7,3"

struct meadow {
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct sheep s;
};

static void meadow_start(struct meadow *m, unsigned seats, const char *options) {
    struct game_issues issues = {0};
    struct error err = {0};
    char words[128], *rest = NULL;
    game_setup_default(&battle_sheep_game, seats, &m->setup);
    snprintf(words, sizeof words, "%s", options);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value = '\0';
        assert_int_equal(game_setup_option(&battle_sheep_game, &m->setup, word, value + 1, &err), ERROR_OK);
    }
    if (battle_sheep_game.prepare(&m->setup, &issues, &err) != ERROR_OK)
        fail_msg("%s: %s", err.rule, err.text);
    battle_sheep_game.places(&m->setup, &m->places);
    m->words = (struct game_words){&battle_sheep_game, &m->setup, &m->places};
    battle_sheep_game.init(&m->s, &m->setup);
}

static unsigned meadow_cell(const struct meadow *m, int q, int r) {
    unsigned cell = sheep__cell_at(&m->s, sheep__place_at(&m->s, q, r));
    assert_true(cell != SHEEP_NO_CELL);
    return cell;
}

// cells "0,0 1,0", stacks "0,0=R5 3,0=B4"; phase place or move.
static inline void meadow_load(struct meadow *m, unsigned phase, const char *cells, const char *stacks) {
    int q, r, used;
    char id;
    unsigned n;
    for (const char *at = cells; sscanf(at, " %d,%d%n", &q, &r, &used) == 2; at += used)
        sheep__add_cell(&m->s, sheep__place_at(&m->s, q, r));
    for (const char *at = stacks; sscanf(at, " %d,%d=%c%u%n", &q, &r, &id, &n, &used) == 4; at += used) {
        unsigned cell = meadow_cell(m, q, r), seat = 0;
        while (sheep__labels[seat] != id)
            seat++;
        m->s.own[seat] |= sheep__bit(cell);
        m->s.size[cell] = (uint8_t)n;
        m->s.big |= n > 1 ? sheep__bit(cell) : 0;
    }
    memset(m->s.tiles_left, 0, sizeof m->s.tiles_left);
    sheep__find_border(&m->s);
    m->s.phase = (uint8_t)phase;
    if (phase == SHEEP_MOVE)
        sheep__begin_move(&m->s, NULL);
}

// An action in the rules' notation; NULL = accepted, else the code it is refused with.
static inline void meadow_act(struct meadow *m, const char *text, const char *code) {
    struct error err = {0};
    struct sheep before = m->s;
    int by;
    game_action action;
    if (!sheep_read(&m->s, NULL, text, &by, &action))
        fail_msg("%s cannot be read", text);
    enum error_code got = game_act(&battle_sheep_game, &m->s, by, action, NULL, &err);
    if (got == ERROR_OK && code)
        fail_msg("%s: accepted, not %s", text, code);
    if (got == ERROR_OK)
        return;
    if (!code || strcmp(code, err.rule) != 0)
        fail_msg("%s: %s (%s), not %s", text, err.rule, err.text, code ? code : "accepted");
    assert_memory_equal(&before, &m->s, sizeof before);
}
