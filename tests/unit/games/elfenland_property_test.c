// Whole random games: nothing is lost or made, the stated limits hold after every action, every game ends.
#include "games/elfenland/elfenland.h"
#include "games/simulate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

enum { GAMES = 150, ACTIONS_MAX = 20000 };
static struct elfenland state;

static bool is_long(void) {
    const char *word = getenv("TESTS_LONG");
    return word && *word == '1';
}

static void prepare(struct game_setup *setup) {
    struct game_issues issues = {0};
    struct error err = {0};
    assert_int_equal(elfenland_game.prepare(setup, &issues, &err), ERROR_OK);
}

static void random_setup(struct rng *rng, struct game_setup *setup) {
    game_setup_default(&elfenland_game, 2 + rng_below(rng, 5), setup);
    for (unsigned i = 0; elfenland__options[i].name; i++) {
        const struct game_option *option = &elfenland__options[i];
        uint32_t n = (uint32_t)(option->type == GAME_OPTION_BOOL ? 2 : option->max - option->min + 1);
        if (rng_below(rng, 3) == 0)
            setup->options[i] = (option->type == GAME_OPTION_BOOL ? 0 : option->min) + (int)rng_below(rng, n);
    }
    prepare(setup);
}

// elfenland.md 5. Each card and counter is one number with one place, so sums by type hold when places are
// legal.
static void check_cards(const struct elfenland *g) {
    unsigned in_hand[PLAYERS_MAX] = {0}, offered = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        assert_true(g->card[card] < CARD_DEALT + g->seats);
        offered += g->card[card] == CARD_OFFERED;
        for (unsigned seat = 0; seat < g->seats; seat++)
            in_hand[seat] += g->card[card] == CARD_HAND + seat || g->card[card] == CARD_DEALT + seat;
    }
    for (unsigned seat = 0; seat < g->seats; seat++) {
        assert_int_equal(in_hand[seat], g->hands == HANDS_COUNTED ? 0 : g->hand[seat]);
        assert_true(g->hand[seat] + (seat == g->turn ? offered : 0) <=
                    (g->deal_8 ? HAND_MAX + KEPT_MAX : HAND_MAX));
    }
    assert_true(offered == 0 || g->phase == PHASE_MOVE);
}

static void check_counters(const struct elfenland *g) {
    unsigned market = 0, laid = 0, on_road = 0, pile = 0;
    for (unsigned c = 0; c < COUNTERS; c++) {
        assert_true(g->counter[c] < COUNTER_SECRET + g->seats);
        market += g->counter[c] >= COUNTER_MARKET && g->counter[c] < COUNTER_UP;
        laid += g->counter[c] == COUNTER_ROAD;
        pile += g->counter[c] == COUNTER_PILE;
    }
    for (unsigned road = 0; road < ROADS; road++) {
        on_road += g->on_road[road] != NONE;
        assert_true(g->obstacle_on[road] == NONE || g->on_road[road] != NONE);
        if (g->on_road[road] != NONE) {
            assert_int_equal(g->counter[g->on_road[road]], COUNTER_ROAD);
            assert_true(elfenland__normal_price(g, road) > 0 && elfenland__is_road(g, road));
        }
    }
    assert_int_equal(laid, on_road);
    assert_true(market <= MARKET && pile >= COUNTERS - 5 * PLAYERS_MAX - MARKET);
    for (unsigned seat = 0; seat < g->seats; seat++)
        assert_true(elfenland__n_counters(g, seat) <= 5 && elfenland__n_secret(g, seat) <= 2);
}

static void check_board(const struct elfenland *g) {
    for (unsigned seat = 0; seat < g->seats && g->start_town != NONE; seat++) {
        assert_true(elfenland__in_play(g, g->boot[seat]));
        assert_false(g->collected[seat] >> g->start_town & 1);
        assert_true(elfenland__pieces(g, seat) <= elfenland__pieces_all(g));
        for (unsigned town = 0; town < TOWNS; town++)
            assert_true(!(g->collected[seat] >> town & 1) || elfenland__in_play(g, town));
    }
    assert_true(g->round >= 1 && g->round <= g->rounds && g->turn < g->seats && g->passes <= g->seats);
    assert_true(g->passes == 0 || g->phase == PHASE_PLAN);
    assert_true(g->ahead == NONE || g->phase == PHASE_MOVE);
}

static void nothing_is_lost(void **ignored) {
    (void)ignored;
    struct rng rng;
    rng_seed(&rng, 11);
    for (unsigned i = 0; i < (is_long() ? 10 : 1) * GAMES; i++) {
        struct game_setup setup;
        random_setup(&rng, &setup);
        elfenland_game.init(&state, &setup);
        unsigned n = 0;
        for (; state.phase != PHASE_GAME_OVER && n < ACTIONS_MAX; n++) {
            game_action action;
            struct error err = {0};
            int by = GAME_BY_CHANCE;
            if (!elfenland_random(&state, by, rng_next(&rng), &action)) {
                by = state.turn;
                assert_true(elfenland_random(&state, by, rng_next(&rng), &action));
            }
            if (game_act(&elfenland_game, &state, by, action, NULL, &err) != ERROR_OK)
                fail_msg("game %u, step %u: %s", i, n, err.text);
            check_cards(&state);
            check_counters(&state);
            check_board(&state);
        }
        assert_true(n < ACTIONS_MAX);
    }
}

static void scores_and_places(void **ignored) {
    (void)ignored;
    struct game_setup setup;
    struct rng rng;
    rng_seed(&rng, 5);
    game_setup_default(&elfenland_game, 4, &setup);
    setup.options[OPTION_VARIANT] = 1;
    prepare(&setup);
    for (unsigned i = 0; i < 50; i++) {
        struct observe_result result;
        uint64_t actions;
        struct error err = {0};
        assert_int_equal(simulate_game(&elfenland_game, &setup, &rng, &state, &actions, &err), ERROR_OK);
        elfenland_game.result(&state, &result);
        assert_true(result.over && result.winners);
        for (unsigned a = 0; a < 4; a++) {
            int far = elfenland__distance[0][state.boot[a]][state.home[a]];
            assert_int_equal(result.score[a], (int)elfenland__pieces(&state, a) - far);
            for (unsigned b = 0; b < 4; b++) {
                assert_true(state.home[a] != state.home[b] || a == b);
                if (result.score[a] > result.score[b])
                    assert_true(elfenland__rank(&state, a) < elfenland__rank(&state, b));
            }
        }
    }
}

static void positions_are_counted(void **ignored) {
    (void)ignored;
    struct game_setup setup;
    game_setup_default(&elfenland_game, 4, &setup);
    prepare(&setup);
    assert_int_equal(simulate_perft(&elfenland_game, &setup, 1), 243);
    assert_int_equal(simulate_perft(&elfenland_game, &setup, 2), 46569);
    if (is_long()) // sanitizers take long for it
        assert_int_equal(simulate_perft(&elfenland_game, &setup, 3), 6639147);
    game_setup_default(&elfenland_game, 2, &setup);
    setup.options[OPTION_WEST_ONLY] = setup.options[OPTION_VARIANT] = 1;
    setup.options[OPTION_DEAL_MODE] = 1;
    prepare(&setup);
    assert_int_equal(simulate_perft(&elfenland_game, &setup, 1), 248);
    assert_int_equal(simulate_perft(&elfenland_game, &setup, 2), 49059);
}

static void set_ups(void **ignored) {
    (void)ignored;
    struct game_setup setup;
    struct game_issues issues = {0};
    struct error err = {0};
    for (const struct game_preset *preset = elfenland__presets; preset->name; preset++) {
        assert_int_equal(game_setup_preset(&elfenland_game, preset->name, &setup, &err), ERROR_OK);
        prepare(&setup);
    }
    for (unsigned seats = 1; seats <= 7; seats += 6) {
        game_setup_default(&elfenland_game, seats, &setup);
        assert_int_equal(elfenland_game.prepare(&setup, &issues, &err), ERROR_ILLEGAL);
        assert_string_equal(err.rule, "E_SEATS");
    }
    game_setup_default(&elfenland_game, 3, &setup);
    setup.n_cards = 1;
    assert_int_equal(elfenland_game.prepare(&setup, &issues, &err), ERROR_ILLEGAL);
    assert_string_equal(err.rule, "E_CARDS");
    assert_true(sizeof(struct elfenland) < 512);
}

// A hand is told to nobody, or with hands=seat to its owner alone.
static void hands_are_shown_when_the_game_is_over_alone(void **ignored) {
    (void)ignored;
    static struct observation view;
    struct game_setup setup;
    struct rng rng;
    for (int hands = HANDS_TRACKED; hands <= HANDS_COUNTED; hands++) {
        game_setup_default(&elfenland_game, 3, &setup);
        setup.options[OPTION_HANDS] = hands;
        prepare(&setup);
        rng_seed(&rng, 3);
        elfenland_game.init(&state, &setup);
        while (state.phase != PHASE_GAME_OVER) {
            game_action action;
            int by = GAME_BY_CHANCE;
            if (!elfenland_random(&state, by, rng_next(&rng), &action))
                elfenland_random(&state, by = state.turn, rng_next(&rng), &action);
            assert_int_equal(elfenland_game.apply(&state, by, action, NULL, NULL), ERROR_OK);
            for (int audience = OBSERVE_PUBLIC; audience < 3; audience++) {
                memset(&view, 0, sizeof view);
                view.audience = audience;
                elfenland_game.observe(&state, &view);
                for (unsigned i = 0; i < view.n_facts; i++)
                    if (!strcmp(view.fact[i].key, "card"))
                        assert_true(hands == HANDS_SEAT && view.fact[i].seat == audience);
                for (unsigned i = 0; i < view.n_items; i++) {
                    unsigned place = view.item[i].place, at = (place - PLACE_SEAT) % SEAT_PLACES;
                    if (place < PLACE_SEAT || !view.item[i].kind)
                        continue;
                    assert_true(at != AT_HAND || (hands != HANDS_COUNTED && state.phase == PHASE_GAME_OVER));
                    if (at == AT_SECRET)
                        assert_int_equal((place - PLACE_SEAT) / SEAT_PLACES, audience);
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(scores_and_places),
        cmocka_unit_test(positions_are_counted),
        cmocka_unit_test(set_ups),
        cmocka_unit_test(hands_are_shown_when_the_game_is_over_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
