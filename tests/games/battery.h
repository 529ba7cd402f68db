// The battery every game has to stand (design 8): random whole games, and at every position what the
// interface promises. Three files: the playout, the referee on every action's proof, and two games that
// differ in a secret.
#pragma once
#include "core/rng.h"
#include "engine/game.h"
#include "engine/referee.h"
#include <stdbool.h>
#include <stdint.h>

enum { BATTERY_STEPS_MAX = 20000 };

struct battery_step {
    int by;
    game_action action;
};
struct battery {
    const struct game *game;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct rng rng;
    struct referee *referee;
    uint64_t seed; // of the running game: named in every fault
    unsigned n_steps;
    struct battery_step step[BATTERY_STEPS_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    uint64_t games, actions, shown, chosen, declared, pairs, compared, asked, faults;
};

// Prints where and what; every fault counts, the first few are shown.
void battery_fault(struct battery *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
// battery_proofs.c: some legal actions of this position, shown to the referee as hands.
void battery_proofs(struct battery *b, int by, const game_action *legal, size_t n);
// battery_secret.c: the recorded game again with two hidden slots exchanged.
void battery_secret(struct battery *b);
