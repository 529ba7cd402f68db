// P12, P13: random whole games of every game and starter set, on one core.   engines SECONDS
#include "games/bot.h"
#include "games/simulate.h"
#include "perf/measure.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 64 };
static bool failed;

// Who wins, in percent: the sides, or where there are none the identities. Apart from what is measured.
static void print_wins(const char *key, const struct simulate_total *total) {
    printf(",\"%s\":{", key);
    for (unsigned i = 0; i < total->n_teams; i++)
        printf("%s\"%s\":%.1f", i ? "," : "", total->team[i].name,
               100.0 * (double)total->team[i].wins / (double)total->games);
    for (unsigned i = 0; i < total->n_roles && !total->n_teams; i++)
        printf("%s\"%s\":%.1f", i ? "," : "", total->role[i].name,
               100.0 * (double)total->role[i].wins / (double)total->role[i].seats);
    printf("}");
}

static void sample(const struct game *game, const struct game_setup *setup, const struct simulate_bots *bots,
                   double seconds, struct simulate_total *ret) {
    struct error err;
    *ret = (struct simulate_total){.count_roles = true};
    for (int64_t end = measure_now_ns() + (int64_t)(seconds * 1e9); measure_now_ns() < end;)
        if (simulate_bot_games(game, setup, bots, 11, ret->games, 4, ret, &err)) {
            fprintf(stderr, "engines: %s: %s\n", game->id, err.text);
            failed |= !bots;
            return;
        }
}

static void run(const struct game *game, const struct game_setup *setup, const char *name, double seconds) {
    struct simulate_total total = {0};
    struct error err;
    char label[128];
    int64_t begin = measure_now_ns(), now = begin, end = begin + (int64_t)(seconds * 1e9);
    while (now < end) {
        if (simulate_games(game, setup, 7, total.games, BATCH, &total, &err)) {
            fprintf(stderr, "engines: %s/%s: %s\n", game->id, name, err.text);
            failed = true; // the others are worth measuring
            return;
        }
        now = measure_now_ns();
    }
    double spent = (double)(now - begin);
    snprintf(label, sizeof label, "%s/%s", game->id, name);
    printf(
        "{\"name\":\"%s\",\"seats\":%u,\"games_per_second\":%.1f,\"ns_per_action\":%.2f,"
        "\"actions_per_game\":%.2f",
        label, setup->seats, (double)total.games * 1e9 / spent, spent / (double)total.actions,
        (double)total.actions / (double)total.games);
    const struct simulate_bots bots = {bot_find(game->id), false, 1};
    sample(game, setup, NULL, seconds / 4, &total);
    print_wins("wins", &total);
    if (!bots.bot->open_information && bots.bot != &bot_any) { // one that looks ahead needs minutes
        sample(game, setup, &bots, seconds / 4, &total);
        print_wins("bot_wins", &total);
    }
    puts("}");
    fflush(stdout);
}

static void run_default(const struct game *game, unsigned seats, double seconds) {
    struct game_setup setup;
    struct game_issues issues = {0};
    struct error err;
    char name[32];
    game_setup_default(game, seats, &setup);
    if (game->prepare(&setup, &issues, &err))
        return; // this number of seats needs an option
    snprintf(name, sizeof name, "default_%u", seats);
    run(game, &setup, name, seconds);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return fprintf(stderr, "engines SECONDS\n"), 2;
    double seconds = atof(argv[1]);
    const struct game *game;
    for (size_t i = 0; (game = game_at(i)); i++) {
        for (const struct game_preset *p = game->presets; p && p->name; p++) {
            struct game_setup setup;
            struct game_issues issues = {0};
            struct error err;
            if (game_setup_preset(game, p->name, &setup, &err) || game->prepare(&setup, &issues, &err))
                return fprintf(stderr, "engines: %s/%s: %s\n", game->id, p->name, err.text), 1;
            run(game, &setup, p->name, seconds);
        }
        for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++)
            run_default(game, seats, seconds);
    }
    return failed ? 1 : 0;
}
