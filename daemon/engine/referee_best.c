// The dark: nobody is asked and nothing is refused, so the action that explains most is the one that was
// meant (design 5.6). What it leaves over is somebody else's, or a slip.
#include "engine/referee_internal.h"
#include <string.h>

struct choice {
    bool found;
    uint32_t proof;
    unsigned removed; // places that differ no more
    struct referee__fit fit;
};

// A seat's action must agree on every place it changes: half of it explains nothing. An exchange by `table`
// need not: a ring of three is two exchanges, and the first of them leaves two places wrong (ON8).
static bool count_removed(const struct referee *referee, const struct referee__proof *proof, bool by_table,
                          unsigned *ret) {
    const struct referee__index *index = &referee->legal;
    *ret = 0;
    for (unsigned c = 0; c < proof->n_changes; c++) {
        const struct referee__change *change = &index->change[proof->change + c];
        if (change->place >= referee->board.hands->n_places ||
            referee->board.hands->sense[change->place] != HANDS_KNOWN)
            continue;
        bool wrong = referee__bit(referee->differ.bit, change->place);
        bool agrees = referee__agrees(&referee->now, &referee->board, change->place,
                                      referee__demand_changed(index, change));
        if (!agrees && (!by_table || !wrong))
            return false;
        *ret += wrong && agrees;
    }
    return true;
}

static int compare(const struct choice *a, const struct choice *b) {
    if (a->removed != b->removed)
        return a->removed > b->removed ? -1 : 1;
    if (a->fit.needed != b->fit.needed)
        return a->fit.needed > b->fit.needed ? -1 : 1;
    return a->fit.first_us < b->fit.first_us ? -1 : a->fit.first_us > b->fit.first_us;
}

static bool is_asked(int by, bool by_table, unsigned turn) {
    return by_table ? by == GAME_BY_TABLE : by >= 0 && turn >> by & 1;
}

// Visits that this action merely allows stay with another actor of the step who needs them.
static void leave_to_others(const struct referee *referee, const struct choice *choice, bool by_table,
                            unsigned turn, uint64_t used[]) {
    const struct referee__index *index = &referee->legal;
    const struct referee__proof *self = &index->proof[choice->proof];
    const struct hands *hands = referee->board.hands;
    for (uint32_t i = 0; i < index->n_needing; i++) {
        const struct referee__proof *proof = &index->proof[index->needing[i]];
        if (proof->by == self->by || !is_asked(proof->by, by_table, turn))
            continue;
        for (unsigned v = 0; v < hands->n_visits; v++) {
            bool needed_here = false, needed_there = false;
            for (unsigned k = 0; k < self->n_needed; k++)
                needed_here |= referee__is_visit(&index->visit[self->visit + k], &hands->visit[v].visit);
            for (unsigned k = 0; k < proof->n_needed; k++)
                needed_there |= referee__is_visit(&index->visit[proof->visit + k], &hands->visit[v].visit);
            if (needed_there && !needed_here)
                used[v / 64] &= ~(UINT64_C(1) << v % 64);
        }
    }
}

bool referee_best(struct referee *referee, bool by_table, const struct hands *hands,
                  const struct referee_use *taken, struct verdict_action *ret, struct referee_use *ret_used) {
    const struct referee__index *index = &referee->legal;
    struct game_phase phase;
    struct choice best = {0};
    referee->now.game->phase(referee->now.state, &phase);
    unsigned turn = taken ? phase.turn & ~(unsigned)taken->without : phase.turn;
    referee__index_build(referee, &referee->legal, false);
    referee__board_set(&referee->board, hands);
    referee__differ(&referee->now, &referee->board, &referee->differ);
    referee__take(&referee->board, &referee->differ, taken ? taken->visit : NULL);
    for (uint32_t i = 0; i < index->n_proofs; i++) {
        const struct referee__proof *proof = &index->proof[i];
        struct choice one = {.found = true, .proof = i};
        if (!is_asked(proof->by, by_table, turn) || !count_removed(referee, proof, by_table, &one.removed) ||
            (one.removed == 0 && proof->n_needed == 0))
            continue;
        referee__fit_visits(&referee->now, &referee->board, &referee->differ, index, proof, &one.fit);
        if (one.fit.needed == proof->n_needed && (!best.found || compare(&one, &best) < 0))
            best = one;
    }
    if (!best.found)
        return false;
    *ret = (struct verdict_action){index->proof[best.proof].by, index->proof[best.proof].action};
    if (ret_used) {
        *ret_used = (struct referee_use){0};
        memcpy(ret_used->visit, best.fit.used, sizeof ret_used->visit);
        leave_to_others(referee, &best, by_table, turn, ret_used->visit);
    }
    return true;
}
