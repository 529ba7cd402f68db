// Playouts: shares add up, counts of positions, every registered game ends.
#include "games/simulate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
// After the standard headers it needs.
#include <cmocka.h>

static void set_up(const struct game *game, unsigned seats, struct game_setup *ret) {
    struct game_issues issues = {0};
    struct error err = {0};
    game_setup_default(game, seats, ret);
    if (game->prepare(ret, &issues, &err) != ERROR_OK)
        fail_msg("%s with %u seats: %s", game->id, seats, err.text);
}

static void shares_add_up(void **state) {
    (void)state;
    const struct game *game = game_find("one_night");
    struct game_setup setup;
    struct simulate_total whole = {0}, parts = {0};
    struct error err = {0};
    set_up(game, 5, &setup);
    assert_int_equal(simulate_games(game, &setup, 7, 0, 300, &whole, &err), ERROR_OK);
    assert_int_equal(simulate_games(game, &setup, 7, 200, 100, &parts, &err), ERROR_OK);
    assert_int_equal(simulate_games(game, &setup, 7, 0, 200, &parts, &err), ERROR_OK);
    assert_int_equal(whole.games, 300);
    assert_int_equal(whole.stuck, 0);
    assert_int_equal(whole.games, parts.games);
    assert_int_equal(whole.actions, parts.actions);
    assert_memory_equal(whole.seat_wins, parts.seat_wins, sizeof whole.seat_wins);
    for (unsigned t = 0; t < whole.n_teams; t++) {
        unsigned p = 0;
        while (p < parts.n_teams && strcmp(whole.team[t].name, parts.team[p].name) != 0)
            p++;
        assert_true(p < parts.n_teams);
        assert_int_equal(whole.team[t].wins, parts.team[p].wins);
    }
    struct simulate_total other = {0};
    assert_int_equal(simulate_games(game, &setup, 8, 0, 300, &other, &err), ERROR_OK);
    assert_memory_not_equal(other.seat_wins, whole.seat_wins, sizeof whole.seat_wins);
}

// Six cards to six places in any order; with three of them dealt the rest may also change places.
static void counts_of_positions(void **state) {
    (void)state;
    const struct game *game = game_find("one_night");
    struct game_setup setup;
    set_up(game, 3, &setup);
    assert_int_equal(simulate_perft(game, &setup, 0), 1);
    assert_int_equal(simulate_perft(game, &setup, 1), 36);
    assert_int_equal(simulate_perft(game, &setup, 2), 36 * (25 + 5));
}

static void every_game_ends(void **state) {
    (void)state;
    const struct game *game;
    for (size_t i = 0; (game = game_at(i)); i++)
        for (unsigned seats = game->seats_min; seats <= game->seats_max && seats <= 10; seats++) {
            struct game_setup setup;
            struct simulate_total total = {0};
            struct error err = {0};
            set_up(game, seats, &setup);
            if (simulate_games(game, &setup, 1, 0, 20, &total, &err) != ERROR_OK)
                fail_msg("%s with %u seats: %s", game->id, seats, err.text);
            assert_int_equal(total.stuck, 0);
        }
}

// Told, never judged: the figure of this build.
static void speed(void **state) {
    (void)state;
    const struct game *game = game_find("one_night");
    struct game_setup setup;
    struct simulate_total total = {0};
    struct error err = {0};
    struct timespec from, to;
    set_up(game, 5, &setup);
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_int_equal(simulate_games(game, &setup, 1, 0, 5000, &total, &err), ERROR_OK);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double s = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    print_message("one_night, 5 seats: %.0f games/s\n", 5000 / s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(counts_of_positions),
        cmocka_unit_test(every_game_ends),
        cmocka_unit_test(speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
