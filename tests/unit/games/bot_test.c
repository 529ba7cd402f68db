// Computer players: matches end, every move is legal, and what a seat does not see changes nothing.
#include "core/rng.h"
#include "games/bot.h"
#include "games/simulate.h"
#include "support/alike.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRAIL_MAX = 512, TWINS = 3 };

static _Alignas(16) unsigned char now[GAME_STATE_MAX], twin[GAME_STATE_MAX], tried[GAME_STATE_MAX];
static struct game_setup setup;

static void set_up(const struct game *game) {
    struct game_issues issues = {0};
    struct error err = {0};
    if (game->presets && game->presets->name)
        assert_int_equal(game_setup_preset(game, game->presets->name, &setup, &err), ERROR_OK);
    else
        game_setup_default(game, game->seats_min, &setup);
    if (game->prepare(&setup, &issues, &err))
        fail_msg("%s: %s", game->id, err.text);
}

static void matches_of_bots_end(void **state) {
    (void)state;
    const struct game *game;
    for (size_t i = 0; (game = game_at(i)); i++)
        for (unsigned one = 0; one < 2; one++) {
            struct simulate_total total = {0};
            struct error err = {0};
            set_up(game);
            const struct simulate_bots bots = {bot_find(game->id), one, 1};
            if (simulate_bot_games(game, &setup, &bots, 1, 0, 4, &total, &err))
                fail_msg("%s: %s", game->id, err.text);
            assert_int_equal(total.games, 4);
            assert_int_equal(total.bot_seats + total.random_seats, 4u * setup.seats);
        }
}

static void bots_play_on(const struct game *game, const char *what, int value, unsigned games) {
    struct simulate_total total = {0};
    struct error err = {0};
    const struct simulate_bots bots = {bot_find(game->id), false, 1};
    if (simulate_bot_games(game, &setup, &bots, 7, 0, games, &total, &err))
        fail_msg("%s %s %d, %d seats: %s", game->id, what, value, setup.seats, err.text);
}

// Bots alone come to an end in every preset, and with every option at its ends with as few and as many seats
// as there may be: none waits for another, none does and takes back for ever.
static void matches_of_bots_end_with_every_option(void **state) {
    (void)state;
    const struct game *game;
    struct error err = {0};
    const unsigned games = getenv("TESTS_LONG") && *getenv("TESTS_LONG") == '1' ? 20 : 1;
    for (size_t i = 0; (game = game_at(i)); i++) {
        for (const struct game_preset *preset = game->presets; preset && preset->name; preset++) {
            struct game_issues issues = {0};
            assert_int_equal(game_setup_preset(game, preset->name, &setup, &err), ERROR_OK);
            if (!game->prepare(&setup, &issues, &err))
                bots_play_on(game, preset->name, 0, games);
        }
        for (unsigned k = 0; game->options && game->options[k].name; k++)
            for (unsigned end = 0; end < 4; end++) {
                const struct game_option *option = &game->options[k];
                struct game_issues issues = {0};
                bool yes_no = option->type == GAME_OPTION_BOOL;
                game_setup_default(game, end & 2 ? game->seats_max : game->seats_min, &setup);
                setup.options[k] = end & 1 ? (yes_no ? 1 : option->max) : (yes_no ? 0 : option->min);
                if (!game->prepare(&setup, &issues, &err)) // some are not for so many
                    bots_play_on(game, option->name, setup.options[k], 1);
            }
    }
}

static void a_game_without_a_bot_gets_any_legal_action(void **state) {
    (void)state;
    assert_ptr_equal(bot_find("template"), &bot_any);
    const struct game *game = game_find("elfenland");
    struct simulate_total total = {0};
    struct error err = {0};
    set_up(game);
    const struct simulate_bots bots = {&bot_any, false, 1};
    assert_int_equal(simulate_bot_games(game, &setup, &bots, 1, 0, 1, &total, &err), ERROR_OK);
    assert_int_equal(total.games, 1);
}

static bool peeks(const struct bot_ask *ask, game_action *ret) {
    assert_null(ask->state);
    *ret = ~ask->legal[0];
    return true;
}

static void no_state_without_open_information_and_no_illegal_answer(void **state) {
    (void)state;
    const struct bot bot = {.choose = peeks};
    struct observation view = {0};
    game_action legal = 7, action;
    const struct bot_ask ask = {.view = &view, .legal = &legal, .n = 1, .state = now};
    assert_false(bot_choose(&bot, &ask, &action));
    const struct game *game;
    for (size_t i = 0; (game = game_at(i)); i++)
        assert_int_equal(bot_find(game->id)->open_information, !strcmp(game->id, "battle_sheep"));
}

// ---- twins: the same history for a seat's eyes, other chance behind them

struct trail {
    unsigned n;
    struct {
        int by;
        game_action action;
    } act[TRAIL_MAX];
};

static size_t seen_by(const struct game *game, const void *of, int seat, struct observation *view,
                      game_action legal[GAME_ACTIONS_MAX]) {
    bot_view(game, &setup, of, seat, view);
    size_t n = game->legal(of, seat, legal, GAME_ACTIONS_MAX);
    return n < GAME_ACTIONS_MAX ? n : GAME_ACTIONS_MAX;
}

static bool looks_the_same(const struct game *game, const void *a, const void *b, int seat) {
    static struct observation view_a, view_b;
    static game_action legal_a[GAME_ACTIONS_MAX], legal_b[GAME_ACTIONS_MAX];
    size_t n = seen_by(game, a, seat, &view_a, legal_a), m = seen_by(game, b, seat, &view_b, legal_b);
    return n == m && !memcmp(legal_a, legal_b, n * sizeof *legal_a) && !alike_view(&view_a, &view_b);
}

static bool ask(const struct game *game, const void *of, int seat, uint64_t dice, game_action *ret) {
    static struct observation view;
    static game_action legal[GAME_ACTIONS_MAX];
    size_t n = seen_by(game, of, seat, &view, legal);
    const struct bot_ask one = {.game = game,
                                .setup = &setup,
                                .view = &view,
                                .legal = legal,
                                .n = n,
                                .state = of,
                                .budget_ms = 1,
                                .dice = dice};
    return bot_choose(bot_find(game->id), &one, ret);
}

// Chance is drawn anew wherever the seat sees no difference; the others do what they did.
static bool make_twin(const struct game *game, const struct trail *trail, int seat, struct rng *rng) {
    static _Alignas(16) unsigned char original[GAME_STATE_MAX];
    static game_action all[GAME_ACTIONS_MAX];
    game->init(twin, &setup);
    game->init(original, &setup);
    for (unsigned i = 0; i < trail->n; i++) {
        bool done = false;
        assert_int_equal(game->apply(original, trail->act[i].by, trail->act[i].action, NULL, NULL), ERROR_OK);
        for (unsigned tries = 0; trail->act[i].by == GAME_BY_CHANCE && tries < 6 && !done; tries++) {
            size_t n = game->legal(twin, GAME_BY_CHANCE, all, GAME_ACTIONS_MAX);
            memcpy(tried, twin, game->state_size);
            done = n && !game->apply(tried, GAME_BY_CHANCE, all[rng_below(rng, (uint32_t)n)], NULL, NULL) &&
                   looks_the_same(game, original, tried, seat);
        }
        if (done)
            memcpy(twin, tried, game->state_size);
        else if (game->apply(twin, trail->act[i].by, trail->act[i].action, NULL, NULL))
            return false;
    }
    return memcmp(twin, now, game->state_size) != 0 && looks_the_same(game, now, twin, seat);
}

static unsigned compare_twins(const struct game *game, const struct trail *trail, int seat, struct rng *rng) {
    unsigned found = 0;
    for (unsigned i = 0; i < TWINS; i++) {
        game_action a = 0, b = 0;
        uint64_t dice = rng_next(rng);
        if (!make_twin(game, trail, seat, rng))
            continue;
        bool acts = ask(game, now, seat, dice, &a);
        assert_int_equal(ask(game, twin, seat, dice, &b), acts);
        assert_true(!acts || a == b);
        found++;
    }
    return found;
}

// Plays on at random, chance first, and compares whenever a seat is waited for.
static unsigned play(const struct game *game, uint64_t seed, unsigned decisions) {
    static game_action all[GAME_ACTIONS_MAX];
    struct trail trail = {0};
    struct rng rng;
    unsigned found = 0;
    rng_seed(&rng, seed);
    game->init(now, &setup);
    while (trail.n < TRAIL_MAX && decisions) {
        struct game_phase phase;
        game->phase(now, &phase);
        int by = GAME_BY_CHANCE;
        size_t n = game->legal(now, by, all, GAME_ACTIONS_MAX);
        for (int seat = 0; !n && seat < setup.seats; seat++) {
            if (!(phase.turn >> seat & 1) || !(n = game->legal(now, seat, all, GAME_ACTIONS_MAX)))
                continue;
            by = seat;
            found += compare_twins(game, &trail, seat, &rng);
            decisions--;
        }
        for (; !n && by >= GAME_BY_TABLE; by--)
            if ((n = game->legal(now, by, all, GAME_ACTIONS_MAX)))
                break;
        if (phase.over || !n)
            break;
        game_action action = all[rng_below(&rng, (uint32_t)(n < GAME_ACTIONS_MAX ? n : GAME_ACTIONS_MAX))];
        assert_int_equal(game->apply(now, by, action, NULL, NULL), ERROR_OK);
        trail.act[trail.n].by = by;
        trail.act[trail.n++].action = action;
    }
    return found;
}

static void what_is_hidden_moves_no_bot(void **state) {
    (void)state;
    const struct game *game;
    for (size_t i = 0; (game = game_at(i)); i++) {
        unsigned found = 0;
        if (bot_find(game->id)->open_information)
            continue;
        set_up(game);
        for (uint64_t seed = 1; seed <= 12; seed++)
            found += play(game, seed, 3);
        print_message("%s: %u twins\n", game->id, found);
        assert_true(found > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_of_bots_end),
        cmocka_unit_test(matches_of_bots_end_with_every_option),
        cmocka_unit_test(a_game_without_a_bot_gets_any_legal_action),
        cmocka_unit_test(no_state_without_open_information_and_no_illegal_answer),
        cmocka_unit_test(what_is_hidden_moves_no_bot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
