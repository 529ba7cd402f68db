// Whatever the rules refuse, and why a game is over, is said in every language: walked in random games with
// what hands may do wrong and with actions of other moments. A sentence with a word in it would stay English.
#include "core/phrase.h"
#include "core/rng.h"
#include "engine/game.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

enum { SEEN_MAX = 512, KEPT = 64, ACTIONS_MOST = 4000 };

static struct { char text[256]; } seen[SEEN_MAX];
static unsigned n_seen, n_untranslated;

// One with other numbers is the same sentence.
static bool is_new(const char *text) {
    char pattern[256], numbers[4][12];
    phrase_pattern(text, pattern, sizeof pattern, numbers);
    for (unsigned i = 0; i < n_seen; i++)
        if (!strcmp(seen[i].text, pattern))
            return false;
    assert_true(n_seen < SEEN_MAX);
    memcpy(seen[n_seen++].text, pattern, sizeof pattern);
    return true;
}

static void must_be_known(const struct game *game, const char *rule, const char *text) {
    static const char *const languages[] = {"es", "it", "zh"};
    char told[256];
    if (!*text || !is_new(text))
        return;
    for (unsigned i = 0; i < 3; i++) {
        phrase_text(languages[i], text, told, sizeof told);
        if (!strcmp(told, text)) {
            print_error("%s %s is English in %s: %s\n", game->id, rule, languages[i], text);
            n_untranslated++;
        }
    }
}

struct walk {
    const struct game *game;
    struct game_setup setup;
    struct rng rng;
    void *state, *copy;
    struct { // actions of other moments
        int by;
        game_action action;
    } kept[KEPT];
    unsigned n_kept;
};

static void try(struct walk *w, int by, game_action action) {
    struct error err = {0};
    memcpy(w->copy, w->state, w->game->state_size);
    if (w->game->apply(w->copy, by, action, NULL, &err) == ERROR_ILLEGAL)
        must_be_known(w->game, err.rule, err.text);
}

static size_t list(const struct walk *w, bool mistakes, int by, game_action all[GAME_ACTIONS_MAX]) {
    size_t n = 0;
    if (!mistakes)
        n = w->game->legal(w->state, by, all, GAME_ACTIONS_MAX);
    else if (w->game->mistakes)
        n = w->game->mistakes(w->state, by, all, GAME_ACTIONS_MAX);
    return n < GAME_ACTIONS_MAX ? n : GAME_ACTIONS_MAX;
}

static void try_all(struct walk *w) {
    static game_action all[GAME_ACTIONS_MAX];
    for (int by = GAME_BY_TABLE; by < w->setup.seats; by++) {
        size_t n = list(w, true, by, all);
        for (size_t i = 0; i < n; i++)
            try(w, by, all[i]);
    }
    for (unsigned i = 0; i < w->n_kept; i++) {
        try(w, w->kept[i].by, w->kept[i].action);
        try(w, (int)rng_below(&w->rng, w->setup.seats), w->kept[i].action);
    }
}

// The game's own quick way, which does not take back for ever what was done.
static bool pick(struct walk *w, int by, game_action *ret) {
    static game_action all[GAME_ACTIONS_MAX];
    if (w->game->random)
        return w->game->random(w->state, by, rng_next(&w->rng), ret);
    size_t n = list(w, false, by, all);
    if (n)
        *ret = all[rng_below(&w->rng, (uint32_t)n)];
    return n > 0;
}

static bool step(struct walk *w, int by) {
    game_action action;
    if (!pick(w, by, &action))
        return false;
    unsigned at = w->n_kept < KEPT ? w->n_kept++ : rng_below(&w->rng, KEPT);
    w->kept[at].by = by;
    w->kept[at].action = action;
    assert_int_equal(w->game->apply(w->state, by, action, NULL, NULL), ERROR_OK);
    return true;
}

// Chance first, then the seats a phase waits for, then the clock, then anybody: as a game is played.
static bool somebody(struct walk *w) {
    struct game_phase phase;
    w->game->phase(w->state, &phase);
    if (step(w, GAME_BY_CHANCE))
        return true;
    unsigned seats = w->setup.seats, first = rng_below(&w->rng, seats);
    for (unsigned i = 0; i < seats; i++)
        if ((phase.turn >> (first + i) % seats & 1) && step(w, (int)((first + i) % seats)))
            return true;
    if (step(w, GAME_BY_TIMER) || step(w, GAME_BY_TABLE))
        return true;
    for (unsigned i = 0; i < seats; i++)
        if (step(w, (int)((first + i) % seats)))
            return true;
    return false;
}

static void walk(const struct game *game, const struct game_setup *setup, uint64_t seed) {
    struct walk w = {.game = game, .setup = *setup};
    struct game_phase phase;
    struct observe_result result;
    w.state = calloc(1, game->state_size);
    w.copy = calloc(1, game->state_size);
    assert_true(w.state && w.copy);
    rng_seed(&w.rng, seed);
    game->init(w.state, &w.setup);
    for (unsigned i = 0; i < ACTIONS_MOST; i++) {
        game->phase(w.state, &phase);
        if (i % 8 == 0 || phase.over)
            try_all(&w);
        if (phase.over || !somebody(&w))
            break;
    }
    game->result(w.state, &result);
    must_be_known(game, "result", result.reason);
    free(w.state);
    free(w.copy);
}

static void every_refusal_has_its_translations(void **state) {
    (void)state;
    for (size_t g = 0; game_at(g); g++) {
        const struct game *game = game_at(g);
        n_seen = 0;
        for (unsigned i = 0; game->presets && game->presets[i].name; i++) {
            struct game_setup setup;
            struct game_issues issues = {0};
            struct error err = {0};
            assert_int_equal(game_setup_preset(game, game->presets[i].name, &setup, &err), ERROR_OK);
            assert_int_equal(game->prepare(&setup, &issues, &err), ERROR_OK);
            walk(game, &setup, i + 1);
        }
        assert_true(n_seen >= 5); // else this asks nothing
    }
    assert_int_equal(n_untranslated, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_refusal_has_its_translations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
