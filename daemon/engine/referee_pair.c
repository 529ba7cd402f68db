// Two actions in one quiet moment (B065): one action is taken, the rest is judged behind it. Candidates for
// the first are the actions whose places all differ; those that agree on all of them come first, in the order
// in which their pieces landed. The work is bounded; what lies beyond the bound is a question for people.
#include "engine/referee_internal.h"
#include <string.h>

struct first {
    uint32_t proof;
    bool agrees;
    struct referee__fit fit;
};
struct firsts {
    unsigned n;
    struct first list[REFEREE__FIRST_MAX];
};

static bool is_better(const struct first *a, const struct first *b) {
    if (a->agrees != b->agrees)
        return a->agrees;
    return a->fit.first_us < b->fit.first_us;
}

static void keep_first(struct firsts *firsts, const struct first *one) {
    for (unsigned i = 0; i < firsts->n; i++)
        if (firsts->list[i].proof == one->proof)
            return;
    unsigned at = firsts->n < REFEREE__FIRST_MAX ? firsts->n++ : REFEREE__FIRST_MAX;
    for (; at > 0 && is_better(one, &firsts->list[at - 1]); at--)
        if (at < REFEREE__FIRST_MAX)
            firsts->list[at] = firsts->list[at - 1];
    if (at < REFEREE__FIRST_MAX)
        firsts->list[at] = *one;
}

// What this proof changes where pads tell lies within what differs, and its visits were made.
static void consider(const struct referee *referee, uint32_t number, bool only_agreeing, struct firsts *ret) {
    const struct referee__index *index = &referee->legal;
    const struct referee__proof *proof = &index->proof[number];
    struct first one = {.proof = number, .agrees = true};
    for (unsigned c = 0; c < proof->n_changes; c++) {
        const struct referee__change *change = &index->change[proof->change + c];
        if (change->place >= referee->board.hands->n_places)
            continue;
        enum hands_sense sense = referee->board.hands->sense[change->place];
        if (sense == HANDS_UNKNOWN ||
            (sense == HANDS_KNOWN && !referee__bit(referee->differ.bit, change->place)))
            return;
        if (sense == HANDS_KNOWN)
            one.agrees &= referee__agrees(&referee->now, &referee->board, change->place,
                                          referee__demand_changed(index, change));
    }
    if (only_agreeing && !one.agrees)
        return;
    referee__fit_visits(&referee->now, &referee->board, &referee->differ, index, proof, &one.fit);
    if (one.fit.needed == proof->n_needed)
        keep_first(ret, &one);
}

static void find_firsts(const struct referee *referee, struct firsts *ret) {
    const struct referee__index *index = &referee->legal;
    bool flying = referee->board.hands->n_air > 0;
    for (unsigned d = 0; d < referee->differ.n; d++) {
        game_place place = referee->differ.place[d];
        for (uint32_t i = index->first[place]; i < index->first[place + 1]; i++)
            consider(referee, index->by_place[i], flying, ret);
    }
    for (uint32_t i = 0; referee->board.hands->n_visits > 0 && i < index->n_needing; i++)
        consider(referee, index->needing[i], flying, ret);
}

// ---- what is left behind the first action

enum rest_type { REST_NO, REST_ONE, REST_SEVERAL, REST_ON_ITS_WAY };
struct rest {
    const struct referee__proof *first;
    struct referee__difference differ; // of the state behind it
    unsigned n;                        // second actions that fit best
    struct referee__fit best;
    struct verdict_action action;
    bool is_between;
};

// Makes the proof of one second action, looks and forgets it.
static void try_second(struct referee *referee, struct rest *rest, int by, game_action action) {
    struct referee__index *index = &referee->aside;
    const struct referee__position *next = &referee->next;
    struct referee__fit fit;
    referee->expanded++;
    referee__index_clear(index);
    if (!referee__index_add(referee, index, next, by, action) || referee__is_mute(index->proof))
        return;
    referee__fit(next, &referee->board, &rest->differ, index, index->proof, &fit);
    bool begun = fit.type == REFEREE__SHORT && (rest->differ.n > 0 || fit.needed > 0);
    rest->is_between |= begun ||
                        (rest->differ.n > 0 && !rest->is_between && index->proof->n_changes > 0 &&
                         referee__between(next, &referee->board, &rest->differ, index, index->proof));
    if (fit.type != REFEREE__FITS)
        return;
    int order = rest->n ? referee__compare(&fit, &rest->best) : -1;
    if (order < 0) {
        rest->n = 0;
        rest->best = fit;
        rest->action = (struct verdict_action){by, action};
    }
    rest->n += order <= 0;
}

// An action that was legal before and touches none of the places left explains nothing of them now either.
static bool is_worth_it(const struct referee *referee, const struct rest *rest, uint32_t number) {
    const struct referee__mask *mask = &referee->legal.mask[number];
    if (rest->differ.n > 0)
        return referee__may_lead(&rest->differ, mask);
    return mask->needed ? (mask->needed & rest->differ.visited) != 0 : mask->visited != 0;
}

// The index ascends by actor and action as the game's lists do, so both are walked side by side.
static void try_seconds(struct referee *referee, struct rest *rest) {
    const struct referee__index *legal = &referee->legal;
    const struct referee__position *next = &referee->next;
    uint32_t at = 0;
    for (int by = 0; by != REFEREE__NO_ACTOR; by = referee__next_actor(next->setup, by)) {
        size_t n = next->game->legal(next->state, by, referee->action, GAME_ACTIONS_MAX);
        for (size_t i = 0; i < n && i < GAME_ACTIONS_MAX; i++) {
            game_action action = referee->action[i];
            while (at < legal->n_proofs && legal->proof[at].by == by && legal->proof[at].action < action)
                at++;
            bool was_legal = at < legal->n_proofs && legal->proof[at].by == by &&
                             legal->proof[at].action == action;
            if (was_legal && !is_worth_it(referee, rest, at))
                continue;
            if (referee->expanded >= REFEREE__EXPAND_MAX)
                return;
            try_second(referee, rest, by, action);
        }
        while (at < legal->n_proofs && legal->proof[at].by == by)
            at++;
    }
}

static enum rest_type try_first(struct referee *referee, const struct first *first,
                                struct verdict_action ret[2]) {
    const struct referee__position *now = &referee->now;
    struct rest rest = {.first = &referee->legal.proof[first->proof]};
    memcpy(referee->after, now->state, now->game->state_size);
    if (now->game->apply(referee->after, rest.first->by, rest.first->action, NULL, NULL) != ERROR_OK)
        return REST_NO;
    referee__position_set(&referee->next, now->game, now->setup, now->places, referee->after);
    referee__differ(&referee->next, &referee->board, &rest.differ);
    referee__take(&referee->board, &rest.differ, first->fit.used);
    ret[0] = (struct verdict_action){rest.first->by, rest.first->action};
    try_seconds(referee, &rest);
    ret[1] = rest.action;
    if (rest.n > 0)
        return rest.n == 1 ? REST_ONE : REST_SEVERAL;
    return rest.is_between ? REST_ON_ITS_WAY : REST_NO;
}

bool referee__pair(struct referee *referee, struct verdict *ret) {
    struct firsts firsts = {0};
    struct verdict_action pair[2];
    bool waits = false;
    referee->expanded = 0;
    find_firsts(referee, &firsts);
    for (unsigned i = 0; i < firsts.n && referee->expanded < REFEREE__EXPAND_MAX; i++) {
        enum rest_type rest = try_first(referee, &firsts.list[i], pair);
        if (rest == REST_ONE || (rest == REST_SEVERAL && firsts.list[i].agrees)) {
            ret->type = VERDICT_EXPLAINED;
            ret->n_actions = rest == REST_ONE ? 2 : 1;
            memcpy(ret->action, pair, sizeof pair);
            ret->extends = false;
            return true;
        }
        if (rest == REST_ON_ITS_WAY && firsts.list[i].agrees && !waits) {
            waits = true;
            ret->type = VERDICT_EXPLAINED;
            ret->n_actions = 1;
            ret->action[0] = pair[0];
            ret->extends = true;
        }
    }
    return waits;
}
