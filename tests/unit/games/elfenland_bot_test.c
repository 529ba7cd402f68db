// The bot beats random players clearly, sees no more than its seat's view, and always has an answer.
#include "games/elfenland/bot.h"
#include "games/simulate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

extern const struct game elfenland_game;
#define GAME (&elfenland_game)

static _Alignas(16) unsigned char state[GAME_STATE_MAX];
static struct observation view;
static game_action legal[GAME_ACTIONS_MAX];

static game_action ask_bot(int seat) {
    game_action action;
    size_t n = GAME->legal(state, seat, legal, GAME_ACTIONS_MAX);
    memset(&view, 0, sizeof view);
    view.audience = seat;
    GAME->observe(state, &view);
    assert_true(elfenland_bot(&view, legal, n, &action));
    return action;
}

static void play(const struct game_setup *setup, uint64_t seed, unsigned bots) {
    struct rng rng;
    rng_seed(&rng, seed);
    GAME->init(state, setup);
    for (unsigned i = 0; i < 5000; i++) {
        struct game_phase phase;
        struct error err = {0};
        game_action action;
        int by = GAME_BY_CHANCE;
        GAME->phase(state, &phase);
        if (phase.over)
            return;
        if (!GAME->random(state, by, rng_next(&rng), &action)) {
            by = __builtin_ctz(phase.turn);
            if (bots >> by & 1)
                action = ask_bot(by);
            else
                assert_true(GAME->random(state, by, rng_next(&rng), &action));
        }
        if (GAME->apply(state, by, action, NULL, &err) != ERROR_OK)
            fail_msg("%s", err.text);
    }
    fail_msg("the game does not end");
}

static void prepare(struct game_setup *setup, unsigned seats, const char *option, const char *value) {
    struct game_issues issues = {0};
    struct error err = {0};
    game_setup_default(GAME, seats, setup);
    if (option)
        assert_int_equal(game_setup_option(GAME, setup, option, value, &err), ERROR_OK);
    assert_int_equal(GAME->prepare(setup, &issues, &err), ERROR_OK);
}

static void compete(unsigned seats, unsigned games, const char *option, const char *value) {
    struct game_setup setup;
    struct observe_result result;
    unsigned won = 0;
    int own = 0, others = 0;
    prepare(&setup, seats, option, value);
    for (unsigned i = 0; i < games; i++) {
        unsigned bot = i % seats;
        play(&setup, i + 1, 1u << bot);
        GAME->result(state, &result);
        won += result.winners == 1u << bot;
        for (unsigned seat = 0; seat < seats; seat++)
            *(seat == bot ? &own : &others) += result.score[seat];
    }
    print_message("%u seats, %s: bot won %u of %u, %.1f points to %.1f\n", seats, value ? value : "base", won,
                  games, (double)own / games, (double)others / games / (seats - 1));
    assert_true(won * 100 >= games * 95);
    assert_true(own > 2 * others / (int)(seats - 1));
}

static void it_beats_random_players(void **ignored) {
    (void)ignored;
    compete(2, 100, NULL, NULL);
    compete(4, 40, "hands", "seat");
    compete(3, 20, "hands", "counted");
}

static void it_plays_with_its_like(void **ignored) {
    (void)ignored;
    struct game_setup setup;
    struct observe_result result;
    prepare(&setup, 3, "hands", "seat");
    setup.options[game_option_find(GAME, "variant")] = 1;
    play(&setup, 7, 7);
    GAME->result(state, &result);
    for (unsigned seat = 0; seat < 3; seat++)
        assert_true(result.score[seat] > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_beats_random_players),
        cmocka_unit_test(it_plays_with_its_like),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
