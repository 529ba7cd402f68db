// Random whole games without a table. Who is asked first: chance, then the seats a phase waits for, then the
// clock, then the hands of anybody. So nobody passes who could act, and slips of the dark stay out.
#include "games/simulate.h"
#include <string.h>

enum {
    ACTIONS_MAX = 100000, // a game that has not ended by then is stuck
    WAITS_MOST = 64       // times that bots may wait for each other; then they do anything
};

// One game that is being played, and the action found last.
struct playout {
    const struct game *game;
    const struct game_setup *setup;
    void *state;
    struct rng *rng;
    uint64_t dice; // for the next action, whoever takes it: who has none does not look at them
    int by;
    game_action action;
    // Computer players, if any.
    const struct bot *bot;
    unsigned budget_ms;
    uint32_t bots; // seats
    unsigned waits;
};

__attribute__((noinline)) static bool ask_bot(struct playout *p) {
    game_action all[GAME_ACTIONS_MAX];
    struct observation view;
    size_t n = p->game->legal(p->state, p->by, all, GAME_ACTIONS_MAX);
    if (!n)
        return false;
    bot_view(p->game, p->setup, p->state, p->by, &view);
    const struct bot_ask ask = {.game = p->game,
                                .setup = p->setup,
                                .view = &view,
                                .legal = all,
                                .n = n < GAME_ACTIONS_MAX ? n : GAME_ACTIONS_MAX,
                                .state = p->state,
                                .budget_ms = p->budget_ms,
                                .dice = rng_next(p->rng)};
    return bot_choose(p->bot, &ask, &p->action);
}

// Apart from ask(): a frame of 32 KiB would be probed page by page on every call, also where it is not used.
__attribute__((noinline)) static bool pick_listed(struct playout *p) {
    game_action all[GAME_ACTIONS_MAX];
    size_t n = p->game->legal(p->state, p->by, all, GAME_ACTIONS_MAX);
    if (n > GAME_ACTIONS_MAX)
        n = GAME_ACTIONS_MAX;
    if (n)
        p->action = all[rng_below(p->rng, (uint32_t)n)];
    return n > 0;
}

// A random legal action of one actor: the game's own quick way, or any of its list.
static inline bool ask(struct playout *p, int by) {
    p->by = by;
    if (by >= 0 && (p->bots >> by & 1) && p->waits < WAITS_MOST)
        return ask_bot(p);
    if (p->game->random)
        return p->game->random(p->state, by, p->dice, &p->action);
    return pick_listed(p);
}

// Seats in a random order.
static bool ask_seats(struct playout *p, uint32_t seats) {
    while (seats) {
        uint32_t left = seats;
        unsigned skip = seats & (seats - 1) ? rng_below(p->rng, (uint32_t)__builtin_popcount(seats)) : 0;
        while (skip--)
            left &= left - 1;
        if (ask(p, __builtin_ctz(left)))
            return true;
        seats &= ~(left & -left);
    }
    return false;
}

// The seats that are waited for before the others, who may only act where no clock runs.
static inline bool ask_all(struct playout *p, const struct game_phase *phase) {
    p->dice = rng_next(p->rng);
    return ask(p, GAME_BY_CHANCE) || ask_seats(p, phase->turn) || ask(p, GAME_BY_TIMER) ||
           ask(p, GAME_BY_TABLE) || ask_seats(p, ((1u << p->setup->seats) - 1) & ~(uint32_t)phase->turn);
}

static enum error_code play(struct playout *p, uint64_t *ret_actions, struct error *err) {
    for (uint64_t n = 0; (*ret_actions = n) < ACTIONS_MAX; n++) {
        struct game_phase phase;
        p->game->phase(p->state, &phase);
        if (phase.over)
            return ERROR_OK;
        if (!ask_all(p, &phase)) {
            if (!p->bots || ++p->waits > WAITS_MOST)
                break;
            continue;
        }
        p->waits = 0;
        enum error_code code = p->game->apply(p->state, p->by, p->action, NULL, err);
        if (code != ERROR_OK)
            return code;
    }
    return error_set(err, ERROR_INTERNAL, p->game->id, "the game is stuck after %llu actions",
                     (unsigned long long)*ret_actions);
}

enum error_code simulate_game(const struct game *game, const struct game_setup *setup, struct rng *rng,
                              void *state, uint64_t *ret_actions, struct error *err) {
    struct playout p = {.game = game, .setup = setup, .state = state, .rng = rng};
    game->init(state, setup);
    return play(&p, ret_actions, err);
}

static void add_team(struct simulate_total *total, const char *name) {
    const unsigned cap = sizeof total->team / sizeof *total->team;
    unsigned i = 0;
    while (i < total->n_teams && strcmp(total->team[i].name, name) != 0)
        i++;
    if (i == cap)
        return;
    if (i == total->n_teams) {
        size_t len = strlen(name);
        memcpy(total->team[i].name, name, len < GAME_WORD_MAX ? len : GAME_WORD_MAX - 1);
        total->n_teams++;
    }
    total->team[i].wins++;
}

void simulate_add_role(struct simulate_total *total, const char *name, uint64_t seats, uint64_t wins) {
    const unsigned cap = sizeof total->role / sizeof *total->role;
    unsigned i = 0;
    while (i < total->n_roles && strcmp(total->role[i].name, name) != 0)
        i++;
    if (i == cap)
        return;
    if (i == total->n_roles) {
        size_t len = strlen(name);
        memcpy(total->role[i].name, name, len < GAME_WORD_MAX ? len : GAME_WORD_MAX - 1);
        total->n_roles++;
    }
    total->role[i].seats += seats;
    total->role[i].wins += wins;
}

static void add_result(const struct game *game, const void *state, unsigned seats,
                       struct simulate_total *total) {
    struct observe_result result;
    game->result(state, &result);
    for (unsigned s = 0; s < seats; s++)
        total->seat_wins[s] += result.winners >> s & 1;
    for (unsigned t = 0; t < result.n_teams; t++)
        if (result.teams[t].won)
            add_team(total, result.teams[t].name);
    for (unsigned s = 0; s < seats && total->count_roles; s++)
        if (*result.seats[s].role)
            simulate_add_role(total, result.seats[s].role, 1, result.winners >> s & 1);
}

static void count_bots(const struct game *game, const void *state, unsigned seats, uint32_t bots,
                       struct simulate_total *total) {
    struct observe_result result;
    game->result(state, &result);
    for (unsigned s = 0; s < seats; s++) {
        uint64_t won = result.winners >> s & 1;
        *(bots >> s & 1 ? &total->bot_seats : &total->random_seats) += 1;
        *(bots >> s & 1 ? &total->bot_wins : &total->random_wins) += won;
    }
}

enum error_code simulate_games(const struct game *game, const struct game_setup *setup, uint64_t seed,
                               uint64_t from, uint64_t n, struct simulate_total *total, struct error *err) {
    return simulate_bot_games(game, setup, NULL, seed, from, n, total, err);
}

enum error_code simulate_bot_games(const struct game *game, const struct game_setup *setup,
                                   const struct simulate_bots *bots, uint64_t seed, uint64_t from, uint64_t n,
                                   struct simulate_total *total, struct error *err) {
    _Alignas(16) unsigned char first[GAME_STATE_MAX], state[GAME_STATE_MAX];
    game->init(first, setup);
    for (uint64_t i = from; i < from + n; i++) {
        struct rng rng;
        uint64_t actions;
        rng_seed(&rng, seed ^ (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
        memcpy(state, first, game->state_size);
        struct playout p = {.game = game, .setup = setup, .state = state, .rng = &rng};
        if (bots) {
            p.bot = bots->bot;
            p.budget_ms = bots->budget_ms;
            p.bots = bots->one ? 1u << i % setup->seats : UINT32_MAX;
        }
        enum error_code code = play(&p, &actions, err);
        total->actions += actions;
        if (code == ERROR_INTERNAL)
            total->stuck++;
        if (code != ERROR_OK)
            return code;
        total->games++;
        add_result(game, state, setup->seats, total);
        if (bots)
            count_bots(game, state, setup->seats, p.bots, total);
    }
    return ERROR_OK;
}

// ---- counts of positions

static uint64_t count(const struct game *game, const unsigned char *state, unsigned seats, unsigned depth) {
    _Alignas(16) unsigned char next[GAME_STATE_MAX];
    game_action all[GAME_ACTIONS_MAX];
    uint64_t total = 0;
    if (depth == 0)
        return 1;
    for (int by = GAME_BY_TABLE; by < (int)seats; by++) {
        size_t n = game->legal(state, by, all, GAME_ACTIONS_MAX);
        for (size_t i = 0; i < n && i < GAME_ACTIONS_MAX; i++) {
            memcpy(next, state, game->state_size);
            if (game->apply(next, by, all[i], NULL, NULL) == ERROR_OK)
                total += count(game, next, seats, depth - 1);
        }
    }
    return total;
}

uint64_t simulate_perft(const struct game *game, const struct game_setup *setup, unsigned depth) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    game->init(state, setup);
    return count(game, state, setup->seats, depth);
}
