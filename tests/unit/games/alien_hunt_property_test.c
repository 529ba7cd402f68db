// Whole games at random: what the rules conserve holds after every action; counts of positions; set-ups.
#include "alien_hunt_rig.h"
#include "core/rng.h"
#include "games/simulate.h"

// ---- what never changes (sections 1, 2, 8)

static void check_characters(const struct alien_hunt *g) {
    unsigned seen = g->pool | g->box, presidents = 0;
    assert_int_equal(g->pool & g->box, 0);
    for (unsigned seat = 0; seat < g->seats; seat++) {
        if (g->character[seat] == NONE)
            continue;
        assert_false(seen >> g->character[seat] & 1);
        seen |= 1u << g->character[seat];
        presidents += g->character[seat] == PRESIDENT;
    }
    if (g->drawing != NONE)
        seen |= 1u << g->given_up;
    if (g->phase > PHASE_SETUP) {
        assert_int_equal(seen, (1u << CHARACTER_KINDS) - 1);
        assert_int_equal(presidents, 1);
        assert_int_equal(g->character[g->president], PRESIDENT);
    }
}

static void check_identities(const struct alien_hunt *g) {
    unsigned seen = g->discarded, n = (unsigned)__builtin_popcount(g->discarded);
    for (unsigned i = 0; i < g->seats + (unsigned)CENTRE_CARDS; i++) {
        unsigned card = i < g->seats ? g->card[i] : g->centre[i - g->seats];
        if (card == NONE)
            continue;
        assert_true(card < g->n_identities && !(seen >> card & 1));
        seen |= 1u << card;
        n++;
    }
    if (g->phase > PHASE_DEAL) // the one left out with 4 or 5 players stays in the deck
        assert_int_equal(n, g->seats + CENTRE_CARDS);
}

// A token never lies on its owner; before the reveal no two of one owner on one seat, and no banned one.
static void check_tokens(const struct alien_hunt *g) {
    for (unsigned token = 0; token < g->seats * TOKENS_EACH; token++) {
        unsigned owner = alien_hunt__token_owner(token), at = g->at[token];
        assert_true(at == AT_RESERVE || at == AT_REMOVED || at < g->seats);
        assert_true(at != owner);
        assert_true((g->order[token] == 0) == (at == AT_RESERVE));
        if (g->phase >= PHASE_REVEAL)
            continue;
        assert_true(at != AT_REMOVED);
        for (unsigned other = owner * TOKENS_EACH; other < token && at < g->seats; other++)
            assert_true(g->at[other] != at && g->order[other] != g->order[token]);
        assert_true(at >= g->seats || !(g->ban[at] >> owner & 1));
    }
}

static void check_moment(const struct alien_hunt *g) {
    assert_true(g->round <= g->rounds);
    assert_true((g->pending != 0) <= (g->phase == PHASE_REVEAL));
    assert_true(g->forced == NONE || g->phase == PHASE_DISCUSSION || g->phase == PHASE_ALERT_ABILITIES);
    if (g->phase == PHASE_SCORED || g->phase == PHASE_GAME_OVER)
        assert_int_equal(g->revealed, (1u << g->seats) - 1);
    if (g->phase == PHASE_REVEAL && g->turn != NONE)
        assert_true(g->revealed >> g->turn & 1);
}

static void check(const struct alien_hunt *g) {
    check_characters(g);
    check_identities(g);
    check_tokens(g);
    check_moment(g);
}

// ---- random games

static bool play_one(struct rig *rig, struct rng *rng) {
    static game_action all[GAME_ACTIONS_MAX];
    struct game_phase phase;
    for (unsigned step = 0; step < 4000; step++) {
        int can[SEATS_MOST + 2], by;
        unsigned n_can = 0;
        alien_hunt_game.phase(&rig->state, &phase);
        if (phase.over)
            return true;
        for (by = GAME_BY_CHANCE; by < rig->setup.seats; by++)
            if (alien_hunt_game.legal(&rig->state, by, all, 1) > 0)
                can[n_can++] = by;
        assert_true(n_can > 0);
        by = can[rng_below(rng, n_can)];
        size_t n = alien_hunt_game.legal(&rig->state, by, all, GAME_ACTIONS_MAX);
        game_action action = all[rng_below(rng, (uint32_t)n)];
        assert_int_equal(alien_hunt_game.apply(&rig->state, by, action, NULL, &rig->err), ERROR_OK);
        check(&rig->state.g);
    }
    return false;
}

static void five_hundred_games_conserve_what_the_rules_conserve(void **state) {
    static struct rig rig;
    struct rng rng;
    (void)state;
    rng_seed(&rng, 1);
    for (unsigned game = 0; game < 500; game++) {
        rig_begin(&rig, SEATS_LEAST + game % 5, "", game % 3 ? "rounds=1" : "rounds=2 three_step=1");
        assert_true(play_one(&rig, &rng));
    }
}

static void quick_random_actions_are_legal(void **state) {
    static struct rig rig;
    struct simulate_total total = {0};
    struct error err = {0};
    (void)state;
    for (unsigned seats = SEATS_LEAST; seats <= SEATS_MOST; seats++) {
        rig_begin(&rig, seats, "", "");
        assert_int_equal(simulate_games(&alien_hunt_game, &rig.setup, 7, 0, 40, &total, &err), ERROR_OK);
    }
    assert_int_equal(total.games, 200);
    assert_int_equal(total.stuck, 0);
}

// ---- points at random come near what the rules file measured (section 1)

static void mean_points_are_those_of_the_rules(void **state) {
    static struct rig rig;
    struct rng rng;
    double sum[IDENTITY_KINDS] = {0};
    unsigned n[IDENTITY_KINDS] = {0};
    (void)state;
    rng_seed(&rng, 3);
    for (unsigned game = 0; game < 1500; game++) {
        struct error err;
        uint64_t actions;
        rig_begin(&rig, 4 + game % 5, "", "rounds=1");
        assert_int_equal(simulate_game(&alien_hunt_game, &rig.setup, &rng, &rig.state, &actions, &err),
                         ERROR_OK);
        for (unsigned seat = 0; seat < rig.setup.seats; seat++) {
            unsigned identity = alien_hunt__of(&rig.state.g, seat);
            sum[identity] += rig.state.g.round_points[seat];
            n[identity]++;
        }
    }
    static const double low[] = {-0.3, -0.3, -0.3, 3.7, 0.4, 0.6, 0.9, -1.4},
                        high[] = {0.8, 0.8, 0.8, 4.8, 2.1, 2.0, 2.4, -0.1};
    for (unsigned kind = 0; kind < IDENTITY_KINDS; kind++) {
        double mean = sum[kind] / n[kind];
        if (mean < low[kind] || mean > high[kind])
            fail_msg("%s: %.2f points a round", alien_hunt__kinds[KIND_IDENTITY + kind].id, mean);
    }
}

// ---- counts of positions

static void positions_are_counted(void **state) {
    static const uint64_t few[] = {16, 144, 576}, many[] = {104, 8736, 576576};
    static struct rig rig;
    (void)state;
    for (unsigned depth = 1; depth <= 3; depth++) {
        rig_begin(&rig, 4, "president investigator journalist spy", "");
        assert_int_equal(simulate_perft(&alien_hunt_game, &rig.setup, depth), few[depth - 1]);
        rig_begin(&rig, 8, "", "");
        assert_int_equal(simulate_perft(&alien_hunt_game, &rig.setup, depth), many[depth - 1]);
    }
}

// From the open discussion on: six players, every action and every answer to it.
static uint64_t count(const struct rig *rig, unsigned depth) {
    static game_action all[3][GAME_ACTIONS_MAX];
    uint64_t total = 0;
    for (int by = GAME_BY_TABLE; by < rig->setup.seats; by++) {
        size_t n = alien_hunt_game.legal(&rig->state, by, all[depth - 1], GAME_ACTIONS_MAX);
        for (size_t i = 0; i < n && depth > 1; i++) {
            struct rig next = *rig;
            assert_int_equal(alien_hunt_game.apply(&next.state, by, all[depth - 1][i], NULL, NULL), ERROR_OK);
            total += count(&next, depth - 1);
        }
        total += depth == 1 ? n : 0;
    }
    return total;
}
static void positions_of_a_discussion_are_counted(void **state) {
    static struct rig rig;
    (void)state;
    rig_deal(&rig, 6, "president journalist con_artist bully policeman general", "",
             "man_in_black ufologist ufo_maniac mythomaniac alien_scientist alien_invader");
    assert_int_equal(count(&rig, 1), 331);
    assert_int_equal(count(&rig, 2), 75168);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_hundred_games_conserve_what_the_rules_conserve),
        cmocka_unit_test(quick_random_actions_are_legal),
        cmocka_unit_test(mean_points_are_those_of_the_rules),
        cmocka_unit_test(positions_are_counted),
        cmocka_unit_test(positions_of_a_discussion_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
