// Every line of every night ends in its window, whatever the language (one-night.md 9; evenings 4): the
// scripts of many sets, with the lengths that the catalogues were measured with.
#include "core/rng.h"
#include "engine/game.h"
#include "room/lines.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
// cmocka needs the three above
#include <cmocka.h>

enum { ACTIONS = GAME_ACTIONS_MAX, GAP_MS = 120, HANDS_MS = 4000, SETS = 400 };

static struct rng dice;
static unsigned n_steps, n_lines, n_tight, n_late;

static bool random_action(const struct game *game, void *state, const struct game_setup *setup, int *by,
                          game_action *ret) {
    static game_action legal[ACTIONS];
    int seats = setup->seats, first = (int)rng_below(&dice, (uint32_t)seats);
    for (int k = -2; k < seats + 1; k++) { // chance, the table, seats, and the clock last
        int who = k == -2      ? GAME_BY_CHANCE
                  : k == -1    ? GAME_BY_TABLE
                  : k == seats ? GAME_BY_TIMER
                               : (first + k) % seats;
        size_t n = game->legal(state, who, legal, ACTIONS);
        if (!n)
            continue;
        *by = who;
        *ret = legal[rng_below(&dice, (uint32_t)(n < ACTIONS ? n : ACTIONS))];
        return true;
    }
    return false;
}

static void too_long(const struct game *game, const struct game_step *step, const char *id, uint32_t ms) {
    static char told[64][64];
    char one[64];
    snprintf(one, sizeof one, "%.12s %.32s", step->id, id);
    for (unsigned i = 0; i < n_late; i++)
        if (!strcmp(told[i], one))
            return;
    if (n_late < 64)
        snprintf(told[n_late], sizeof *told, "%s", one);
    n_late++;
    print_error("%s step %s: line %s ends %u ms after its window\n", game->id, step->id, id, ms);
}

static void check_step(const struct game *game, const struct game_step *step) {
    uint32_t free_ms = 0;
    for (unsigned i = 0; i < step->n_cues; i++) {
        const struct game_cue *cue = &step->cue[i];
        const char *id = game->lines[cue->line].id;
        const struct lines_row *row = lines_find(game->id, id);
        if (!row)
            fail_msg("%s: line %s has no length: po/catalogue.py update", game->id, id);
        bool closing = step->close_ms && cue->at_ms >= step->close_ms;
        uint32_t start = cue->at_ms > free_ms ? cue->at_ms : free_ms;
        uint32_t limit = closing || !step->close_ms ? step->length_ms : step->close_ms;
        free_ms = start + row->window_ms + GAP_MS;
        n_lines++;
        if (start + row->window_ms > limit)
            too_long(game, step, id, start + row->window_ms - limit);
        if (!closing && step->close_ms && limit - (start + row->window_ms) < HANDS_MS)
            n_tight++;
    }
    n_steps++;
}

static void check_night(const struct game *game, const void *state, const struct game_phase *phase) {
    static struct game_script script;
    memset(&script, 0, sizeof script);
    game->script(state, &script);
    for (unsigned i = phase->step; i < script.n; i++)
        check_step(game, &script.step[i]);
}

static void play_to_the_night(const struct game *game, const struct game_setup *setup) {
    static unsigned char state[GAME_STATE_MAX];
    game->init(state, setup);
    uint16_t last = UINT16_MAX;
    bool was_dark = false;
    for (unsigned moves = 0; moves < 3000; moves++) {
        struct game_phase phase = {0};
        game->phase(state, &phase);
        bool dark = game->phases[phase.id].veil == OBSERVE_DARK;
        if (phase.over ||
            (was_dark && !dark && game->phases[phase.id].veil == OBSERVE_OPEN && phase.limit_ms == 0))
            return;
        if (dark && (!was_dark || phase.clock != last))
            check_night(game, state, &phase);
        if (was_dark && !dark && !strcmp(game->phases[phase.id].id, "day"))
            return;
        was_dark = dark;
        last = phase.clock;
        int by;
        game_action action;
        if (dark && rng_below(&dice, 3)) { // let time pass
            static game_action legal[ACTIONS];
            if (game->legal(state, GAME_BY_TIMER, legal, ACTIONS) &&
                game->apply(state, GAME_BY_TIMER, legal[0], NULL, NULL) == ERROR_OK)
                continue;
        }
        if (!random_action(game, state, setup, &by, &action))
            return;
        if (game->apply(state, by, action, NULL, NULL) != ERROR_OK)
            return;
    }
}

// A walk away from the presets, one card after the other.
static void random_set(const struct game *game, struct game_setup *setup) {
    unsigned presets = 0;
    struct error err;
    while (game->presets && game->presets[presets].name)
        presets++;
    if (!presets || game_setup_preset(game, game->presets[rng_below(&dice, presets)].name, setup, &err))
        game_setup_default(game, game->seats_min, setup);
    for (unsigned i = 0; i < 6u * setup->n_cards; i++) {
        struct game_setup other = *setup;
        struct game_issues issues = {0};
        game_kind kind = (game_kind)rng_below(&dice, game->n_kinds);
        game_kind *card = &other.cards[rng_below(&dice, other.n_cards)];
        if (game->kinds[kind].class_bit != game->kinds[*card].class_bit)
            continue;
        *card = kind;
        if (game->prepare(&other, &issues, &err) == ERROR_OK)
            *setup = other;
    }
}

static void every_line_of_a_night_ends_in_its_window(void **state) {
    (void)state;
    rng_seed(&dice, 20260101);
    for (size_t i = 0; game_at(i); i++) {
        const struct game *game = game_at(i);
        for (unsigned k = 0; game->script && k < SETS; k++) {
            struct game_setup setup;
            struct game_issues issues = {0};
            struct error err;
            random_set(game, &setup);
            if (game->prepare(&setup, &issues, &err) == ERROR_OK)
                play_to_the_night(game, &setup);
        }
    }
    assert_int_equal(n_late, 0);
    assert_true(n_steps > 1000);
    print_message("%u steps, %u lines, %u calls leave hands less than %d ms\n", n_steps, n_lines, n_tight,
                  HANDS_MS);
}

static void every_line_of_a_game_has_a_length(void **state) {
    (void)state;
    for (size_t i = 0; game_at(i); i++)
        for (const struct game_line_row *l = game_at(i)->lines; l && l->id; l++) {
            const struct lines_row *row = *l->text ? lines_find(game_at(i)->id, l->id) : NULL;
            if (*l->text && (!row || strcmp(row->text, l->text) != 0 || strcmp(row->args, l->args) != 0))
                fail_msg("%s: line %s is another one than in lines.def: po/catalogue.py update",
                         game_at(i)->id, l->id);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_a_game_has_a_length),
        cmocka_unit_test(every_line_of_a_night_ends_in_its_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
