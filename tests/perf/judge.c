// P16: judging one board where most can be done: the richest position that random games of every game and set
// meet.
//   judge GAMES
#include "core/rng.h"
#include "engine/referee.h"
#include "perf/measure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN = 2000, ACTIONS = 100000, BOARDS = 4 };

struct rich {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    size_t actions;
};

static game_action buffer[GAME_ACTIONS_MAX];

// All that hands may do now; one of it at random.
static size_t count(const struct game *game, const void *state, unsigned seats, struct rng *rng, int *ret_by,
                    game_action *ret) {
    size_t all = 0;
    for (int by = GAME_BY_TABLE; by < (int)seats; by++) {
        size_t n = game->legal(state, by, buffer, GAME_ACTIONS_MAX);
        for (size_t i = 0; i < n; i++)
            if (rng_below(rng, (uint32_t)++all) == 0) {
                *ret_by = by;
                *ret = buffer[i];
            }
    }
    return all;
}

static void explore(const struct game *game, const struct game_setup *setup, struct rng *rng,
                    struct rich *rich) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    game->init(state, setup);
    for (unsigned i = 0; i < ACTIONS; i++) {
        struct game_phase phase;
        struct error err;
        int by = 0;
        game_action action = 0;
        game->phase(state, &phase);
        size_t n = phase.over ? 0 : count(game, state, setup->seats, rng, &by, &action);
        if (n > rich->actions && game->phases[phase.id].veil != OBSERVE_DARK) {
            memcpy(rich->state, state, game->state_size);
            rich->actions = n;
        }
        if (!n || game->apply(state, by, action, NULL, &err))
            return;
    }
}

static void lay(struct hands_track *track, const struct game_setup *setup, const struct game_layout *layout,
                const struct game_places *places) {
    static bool used[GAME_SLOTS_MAX];
    memset(used, 0, sizeof used);
    hands_init(track, places->n, setup->n_slots);
    for (unsigned p = 0; p < places->n; p++) {
        hands_place(track, (game_place)p, 0);
        hands_sense(track, (game_place)p, HANDS_KNOWN);
    }
    for (unsigned i = 0; i < layout->n_items; i++)
        if (!layout->item[i].n)
            used[layout->item[i].what] = true;
    for (unsigned i = 0; i < layout->n_items; i++) {
        const struct game_item *item = &layout->item[i];
        if (!item->n)
            hands_placed(track, item->place, item->what, (enum game_face)item->face, 1000, 1000);
        for (unsigned slot = 0, n = item->n; n && slot < setup->n_slots; slot++)
            if (!used[slot] && setup->slot_kind[slot] == item->what) {
                used[slot] = true;
                hands_placed(track, item->place, (game_slot)slot, (enum game_face)item->face, 1000, 1000);
                n--;
            }
    }
    hands_accept(track);
}

// Boards that hands bring about: at rest, after the first thing that may be done, after the last, one piece
// lifted.
static void lay_boards(const struct game *game, const struct game_setup *setup,
                       const struct game_places *places, const void *state,
                       struct hands_track board[BOARDS]) {
    static struct game_layout layout;
    static struct game_proof proof;
    game->layout(state, &layout);
    lay(&board[0], setup, &layout, places);
    for (unsigned i = 1; i < BOARDS; i++)
        board[i] = board[0];
    for (int by = GAME_BY_TABLE; by < (int)setup->seats; by++) {
        size_t n = game->legal(state, by, buffer, GAME_ACTIONS_MAX);
        for (unsigned i = 1; i < 3 && n; i++) {
            game_proof_of(game, state, by, buffer[i == 1 ? 0 : n - 1], &proof);
            lay(&board[i], setup, &proof.layout, places);
        }
    }
    const struct hands_item *item = board[0].now.item;
    if (board[0].now.n_items > 0)
        hands_removed(&board[3], item->place, item->slot, 2000, 2000);
}

static void measure(const struct game *game, const struct game_setup *setup, const char *name,
                    unsigned games) {
    static struct rich rich;
    static struct game_places places;
    static struct hands_track board[BOARDS];
    struct rng rng;
    struct referee *referee;
    struct error err;
    struct verdict verdict;
    rich.actions = 0;
    rng_seed(&rng, 7);
    for (unsigned i = 0; i < games; i++)
        explore(game, setup, &rng, &rich);
    game->places(setup, &places);
    lay_boards(game, setup, &places, rich.state, board);
    if (referee_create(&referee, &err))
        exit((fprintf(stderr, "judge: %s\n", err.text), 1));
    int64_t first[5], again[AGAIN];
    for (unsigned i = 0; i < 5; i++) {
        referee_state(referee, game, setup, &places, rich.state);
        int64_t start = measure_now_ns();
        referee_judge(referee, &board[2].now, &verdict);
        first[i] = measure_now_ns() - start;
    }
    for (unsigned i = 0; i < AGAIN; i++) { // in turn: each is judged anew
        int64_t start = measure_now_ns();
        referee_judge(referee, &board[i % BOARDS].now, &verdict);
        again[i] = measure_now_ns() - start;
    }
    printf(
        "{\"name\":\"%s/"
        "%s\",\"legal\":%zu,\"places\":%u,\"first_us\":%.1f,\"again_us\":%.2f,\"again_p99_us\":%.2f}\n",
        game->id, name, rich.actions, places.n, (double)measure_percentile(first, 5, 0.5) / 1e3,
        (double)measure_percentile(again, AGAIN, 0.5) / 1e3,
        (double)measure_percentile(again, AGAIN, 0.99) / 1e3);
    fflush(stdout);
    referee_destroy(referee);
}

static void measure_default(const struct game *game, unsigned seats, unsigned games) {
    static struct game_setup setup;
    struct game_issues issues = {0};
    struct error err;
    char name[32];
    game_setup_default(game, seats, &setup);
    snprintf(name, sizeof name, "default_%u", seats);
    if (!game->prepare(&setup, &issues, &err))
        measure(game, &setup, name, games);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return fprintf(stderr, "judge GAMES\n"), 2;
    unsigned games = (unsigned)atoi(argv[1]);
    const struct game *game;
    for (size_t i = 0; (game = game_at(i)); i++) {
        for (const struct game_preset *p = game->presets; p && p->name; p++) {
            static struct game_setup setup;
            struct game_issues issues = {0};
            struct error err;
            if (!game_setup_preset(game, p->name, &setup, &err) && !game->prepare(&setup, &issues, &err))
                measure(game, &setup, p->name, games);
        }
        measure_default(game, game->seats_min, games);
        measure_default(game, game->seats_max, games);
    }
    return 0;
}
