// Computer players against each other, without a daemon.
#include "games/bot.h"
#include "core/json.h"
#include "games/simulate.h"
#include "setup.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double share(uint64_t part, uint64_t of) {
    return of ? 100.0 * (double)part / (double)of : 0.0;
}

static void print_match(const struct simulate_total *total, unsigned seats, bool alone, double seconds) {
    printf("%" PRIu64 " games, %" PRIu64 " actions, %.1f games/s\n", total->games, total->actions,
           seconds > 0 ? (double)total->games / seconds : 0.0);
    if (alone)
        printf("  %-24s %" PRIu64 " of %" PRIu64 " (%.1f %%)\n  %-24s %" PRIu64 " of %" PRIu64 " (%.1f %%)\n",
               "bot", total->bot_wins, total->bot_seats, share(total->bot_wins, total->bot_seats), "random",
               total->random_wins, total->random_seats, share(total->random_wins, total->random_seats));
    for (unsigned i = 0; i < total->n_teams; i++)
        printf("  %-24s %" PRIu64 " (%.1f %%)\n", total->team[i].name, total->team[i].wins,
               share(total->team[i].wins, total->games));
    for (unsigned i = 0; i < seats; i++)
        printf("  s%-23u %" PRIu64 " (%.1f %%)\n", i + 1, total->seat_wins[i],
               share(total->seat_wins[i], total->games));
}

static void print_match_json(const struct simulate_total *total, const struct game *game, unsigned seats,
                             bool alone, uint64_t seed) {
    char buffer[4096];
    struct json j;
    json_begin(&j, buffer, sizeof buffer);
    json_begin_object(&j);
    json_key(&j, "game");
    json_text(&j, game->id);
    json_key(&j, "seats");
    json_uint(&j, seats);
    json_key(&j, "against");
    json_text(&j, alone ? "random" : "bot");
    json_key(&j, "seed");
    json_uint(&j, seed);
    json_key(&j, "games");
    json_uint(&j, total->games);
    json_key(&j, "actions");
    json_uint(&j, total->actions);
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"bot_seats", total->bot_seats},
                {"bot_wins", total->bot_wins},
                {"random_seats", total->random_seats},
                {"random_wins", total->random_wins}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_key(&j, rows[i].name);
        json_uint(&j, rows[i].value);
    }
    json_key(&j, "seat_wins");
    json_begin_array(&j);
    for (unsigned i = 0; i < seats; i++)
        json_uint(&j, total->seat_wins[i]);
    json_end_array(&j);
    json_end_object(&j);
    if (json_end(&j))
        puts(buffer);
}

int run_bot(const struct args *args) {
    const struct game *game;
    static struct game_setup setup;
    uint64_t games, seed, budget;
    const char *against = args_option(args, "against");
    struct error err = {0};
    if (!args_number(args, "games", 1, 1000000, 20, &games) ||
        !args_number(args, "seed", 0, UINT64_MAX, 1, &seed) ||
        !args_number(args, "budget", 1, 60000, 30, &budget))
        return EXIT_CODE_USAGE;
    if (against && strcmp(against, "random") != 0 && strcmp(against, "bot") != 0)
        return usage_error(args, "--against takes random or bot, not \"%s\"", against);
    int code = setup_read(args, &game, &setup);
    if (code)
        return code;
    bool alone = !against || !strcmp(against, "random");
    const struct simulate_bots bots = {bot_find(game->id), alone, (unsigned)budget};
    struct simulate_total total = {0};
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (simulate_bot_games(game, &setup, &bots, seed, 0, games, &total, &err))
        return failed(&err, EXIT_CODE_FAILED);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    if (args->json)
        print_match_json(&total, game, setup.seats, alone, seed);
    else
        print_match(&total, setup.seats, alone, seconds);
    return EXIT_CODE_OK;
}
