// The bot plays whole games from its own view, never refuses when it is waited for, and beats chance.
#include "alien_hunt_rig.h"
#include "core/rng.h"
#include "games/alien_hunt/bot.h"

enum { GAMES = 600 };

static struct rig rig;
static struct rng rng;
static uint64_t bot_points, random_points, n_bot, n_random, bot_wins, random_wins;
static game_action legal[GAME_ACTIONS_MAX];

static bool bot_acts(int seat) {
    static struct observation seen;
    game_action action;
    size_t n = alien_hunt_game.legal(&rig.state, seat, legal, GAME_ACTIONS_MAX);
    if (n == 0)
        return false;
    rig_see(&rig, seat, &seen);
    if (!alien_hunt_bot(&rig.setup, &seen, legal, n, rng_next(&rng), &action)) {
        assert_int_equal(rig.state.g.phase, PHASE_DISCUSSION); // else somebody waits for it
        assert_int_equal(rig.state.g.forced, NONE);
        return false;
    }
    assert_int_equal(game_act(&alien_hunt_game, &rig.state, seat, action, NULL, &rig.err), ERROR_OK);
    return true;
}

static bool chance_acts(int by) {
    game_action action;
    return alien_hunt_game.random(&rig.state, by, rng_next(&rng), &action) &&
           alien_hunt_game.apply(&rig.state, by, action, NULL, &rig.err) == ERROR_OK;
}

// bots: bit per seat. Seats act in a random order, the President of a silent table last of all.
static void play(unsigned seats, unsigned bots, const char *options) {
    struct game_phase phase;
    rig_begin(&rig, seats, "", options);
    for (unsigned step = 0, idle = 0;; step++) {
        assert_true(step < 20000);
        alien_hunt_game.phase(&rig.state, &phase);
        if (phase.over)
            return;
        if (chance_acts(GAME_BY_CHANCE))
            continue;
        int seat = (int)rng_below(&rng, seats);
        if (!(phase.turn >> seat & 1))
            continue;
        bool acted = bots >> seat & 1 ? bot_acts(seat) : chance_acts(seat);
        idle = acted ? 0 : idle + 1;
        assert_true(idle < 2000);
    }
}

static void count(unsigned bots) {
    struct observe_result result;
    alien_hunt_game.result(&rig.state, &result);
    for (unsigned seat = 0; seat < rig.setup.seats; seat++) {
        bool bot = bots >> seat & 1;
        *(bot ? &bot_points : &random_points) += (uint64_t)(result.score[seat] + 1000);
        *(bot ? &n_bot : &n_random) += 1;
        *(bot ? &bot_wins : &random_wins) += result.winners >> seat & 1;
    }
}

static void bots_beat_random_players(void **state) {
    (void)state;
    rng_seed(&rng, 11);
    for (unsigned game = 0; game < GAMES; game++) {
        unsigned seats = SEATS_LEAST + game % 5, bots = game % 2 ? 0x55 : 0xaa;
        play(seats, bots, "rounds=4");
        count(bots);
    }
    double bot = (double)bot_points / (double)n_bot - 1000,
           chance = (double)random_points / (double)n_random - 1000;
    print_message("points a game: bot %.2f random %.2f; games won: %.2f %.2f\n", bot, chance,
                  (double)bot_wins / (double)n_bot, (double)random_wins / (double)n_random);
    assert_true(bot > chance + 0.8); // of four rounds; luck stays large in this game
    assert_true((double)bot_wins / (double)n_bot > 1.2 * (double)random_wins / (double)n_random);
}

static void bots_fill_a_table(void **state) {
    (void)state;
    rng_seed(&rng, 12);
    for (unsigned game = 0; game < 40; game++)
        play(SEATS_LEAST + game % 5, 0xff, game % 3 ? "rounds=2" : "rounds=2 three_step=1");
}

static void a_bot_is_asked_for_its_own_view(void **state) {
    static struct observation seen;
    game_action action;
    (void)state;
    rig_deal(&rig, 4, "president investigator spy recluse", "", "");
    rig_see(&rig, OBSERVE_PUBLIC, &seen);
    size_t n = alien_hunt_game.legal(&rig.state, 0, legal, GAME_ACTIONS_MAX);
    assert_false(alien_hunt_bot(&rig.setup, &seen, legal, n, 1, &action));
    rig_see(&rig, 0, &seen);
    assert_false(alien_hunt_bot(&rig.setup, &seen, legal, 0, 1, &action));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_beat_random_players),
        cmocka_unit_test(bots_fill_a_table),
        cmocka_unit_test(a_bot_is_asked_for_its_own_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
