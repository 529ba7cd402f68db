// Computer players of Not Alone: each side beats chance, and against each other neither side wins nearly
// always.
#include "games/bot.h"
#include "games/simulate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 60, SEATS_LAST = 7 };

static const struct game *game;
static struct game_setup setup;

static void set_up(unsigned seats) {
    struct game_issues issues = {0};
    struct error err = {0};
    game_setup_default(game, seats, &setup);
    assert_int_equal(game->prepare(&setup, &issues, &err), ERROR_OK);
}
static uint64_t creature_wins(const struct simulate_bots *bots, uint64_t games,
                              struct simulate_total *total) {
    struct error err = {0};
    memset(total, 0, sizeof *total);
    if (simulate_bot_games(game, &setup, bots, 21, 0, games, total, &err))
        fail_msg("%s", err.text);
    assert_int_equal(total->stuck, 0);
    return total->seat_wins[0];
}

static void neither_side_wins_nearly_always(void **state) {
    (void)state;
    const struct simulate_bots bots = {bot_find(game->id), false, 1};
    for (unsigned seats = 2; seats <= SEATS_LAST; seats++) {
        struct simulate_total total;
        set_up(seats);
        uint64_t wins = creature_wins(&bots, GAMES, &total);
        print_message("%u players: the Creature wins %llu of %u\n", seats, (unsigned long long)wins, GAMES);
        assert_in_range(wins, GAMES / 5, GAMES * 4 / 5);
    }
}

static void bots_beat_chance(void **state) {
    (void)state;
    const struct simulate_bots one = {bot_find(game->id), true, 1};
    struct simulate_total chance, total;
    for (unsigned seats = 2; seats <= 5; seats++) {
        set_up(seats);
        double creature = (double)creature_wins(NULL, GAMES, &chance) / GAMES;
        creature_wins(&one, GAMES, &total); // the Creature in every seats-th game
        double won = (double)total.bot_wins / (double)total.bot_seats;
        double by_chance = (creature + (seats - 1) * (1 - creature)) / seats;
        print_message("%u players: a bot wins %.2f, chance in its place %.2f\n", seats, won, by_chance);
        assert_true(won > by_chance + 0.03);
    }
}

int main(void) {
    game = game_find("not_alone");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_side_wins_nearly_always),
        cmocka_unit_test(bots_beat_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
