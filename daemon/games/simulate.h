// Whole games without a table: playouts for statistics, counts of positions, benchmarks. Tools and tests
// only.
#pragma once
#include "core/rng.h"
#include "engine/bot.h"
#include "engine/game.h"
#include <stdint.h>

struct simulate_total {
    uint64_t games, actions, stuck; // stuck: nobody could act and the game was not over: always 0
    uint64_t seat_wins[GAME_SEATS_MAX];
    uint64_t bot_seats, bot_wins, random_seats, random_wins; // of games with bots
    unsigned n_teams;
    struct {
        char name[GAME_WORD_MAX];
        uint64_t wins;
    } team[32];
    bool count_roles; // by the roles or identities at the end, where a game has them
    unsigned n_roles;
    struct {
        char name[GAME_WORD_MAX];
        uint64_t seats, wins;
    } role[80];
};
void simulate_add_role(struct simulate_total *total, const char *name, uint64_t seats, uint64_t wins);
// Plays one random game from init to its end; state is scratch of game->state_size bytes.
enum error_code simulate_game(const struct game *game, const struct game_setup *setup, struct rng *rng,
                              void *state, uint64_t *ret_actions, struct error *err);
// Games from..from+n-1: game i is seeded by (seed, i) alone, so shares of the work add up whatever does them.
enum error_code simulate_games(const struct game *game, const struct game_setup *setup, uint64_t seed,
                               uint64_t from, uint64_t n, struct simulate_total *total, struct error *err);
// The same with computer players. `one`: one bot alone against random players, the next seat in each game;
// else every seat is one.
struct simulate_bots {
    const struct bot *bot;
    bool one;
    unsigned budget_ms;
};
enum error_code simulate_bot_games(const struct game *game, const struct game_setup *setup,
                                   const struct simulate_bots *bots, uint64_t seed, uint64_t from, uint64_t n,
                                   struct simulate_total *total, struct error *err);
// Positions after exactly `depth` actions of anybody from the start (chance included).
uint64_t simulate_perft(const struct game *game, const struct game_setup *setup, unsigned depth);
