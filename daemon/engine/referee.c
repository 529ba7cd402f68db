// The verdict on one board: which action explains it, and when none does, what is wrong (design 5.3).
#include "engine/referee_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum error_code referee_create(struct referee **ret, struct error *err) {
    struct referee *referee = calloc(1, sizeof *referee);
    *ret = NULL;
    if (!referee || !referee__index_create(&referee->legal) || !referee__index_create(&referee->mistakes) ||
        !referee__index_create(&referee->aside)) {
        referee_destroy(referee);
        return error_set(err, ERROR_INTERNAL, "referee", "out of memory");
    }
    *ret = referee;
    return ERROR_OK;
}

void referee_destroy(struct referee *referee) {
    if (!referee)
        return;
    referee__index_destroy(&referee->legal);
    referee__index_destroy(&referee->mistakes);
    referee__index_destroy(&referee->aside);
    free(referee);
}

void referee_state(struct referee *referee, const struct game *game, const struct game_setup *setup,
                   const struct game_places *places, const void *state) {
    referee->places = places;
    referee__position_set(&referee->now, game, setup, places, state);
    referee__index_clear(&referee->legal);
    referee__index_clear(&referee->mistakes);
    referee->judged = false;
}

// ---- the candidates that fit best

struct best {
    unsigned n;
    uint32_t proof[VERDICT_CANDIDATES_MAX]; // equally good ones, in the order of the index
    struct referee__fit fit;
};

// With nothing lasting to go by, of two things done the earlier one comes first; the same visit read in two
// ways is a question.
static int compare_done(const struct referee__fit *a, const struct referee__fit *b) {
    int order = referee__compare(a, b);
    if (order == 0 && memcmp(a->used, b->used, sizeof a->used))
        order = a->first_us < b->first_us ? -1 : a->first_us > b->first_us;
    return order;
}

static void keep_best(struct best *best, uint32_t proof, const struct referee__fit *fit, bool lasting) {
    int order = -1;
    if (best->n > 0)
        order = lasting ? referee__compare(fit, &best->fit) : compare_done(fit, &best->fit);
    if (order > 0)
        return;
    if (order < 0) {
        best->n = 0;
        best->fit = *fit;
    }
    if (best->n < VERDICT_CANDIDATES_MAX)
        best->proof[best->n++] = proof;
}

static void explain(const struct referee__index *index, const struct best *best, struct verdict *ret) {
    ret->type = best->n == 1 ? VERDICT_EXPLAINED : VERDICT_CHOICE;
    ret->n_actions = (uint8_t)best->n;
    for (unsigned i = 0; i < best->n; i++) {
        const struct referee__proof *proof = &index->proof[best->proof[i]];
        ret->action[i] = (struct verdict_action){proof->by, proof->action};
    }
}

static bool is_among(const struct best *best, uint32_t proof) {
    for (unsigned i = 0; i < best->n; i++)
        if (best->proof[i] == proof)
            return true;
    return false;
}

// The proofs that touch one of the places that differ: whatever explains the board is among them. The place
// with the fewest is taken.
static const uint32_t *candidates(const struct referee__index *index,
                                  const struct referee__difference *differ, uint32_t *ret_n) {
    game_place place = differ->place[0];
    for (unsigned d = 1; d < differ->n; d++) {
        game_place other = differ->place[d];
        if (index->first[other + 1] - index->first[other] < index->first[place + 1] - index->first[place])
            place = other;
    }
    *ret_n = index->first[place + 1] - index->first[place];
    return &index->by_place[index->first[place]];
}

// ---- something lies elsewhere

// The readers' deal: what agrees on all places it changes is taken, one by one in place order, whatever else
// has happened (design 5.2).
static bool judge_chance(struct referee *referee, struct verdict *ret) {
    const struct referee__index *index = &referee->legal;
    const struct referee__difference *differ = &referee->differ;
    for (unsigned d = 0; d < differ->n && index->n_physical > 0; d++) {
        game_place place = differ->place[d];
        for (uint32_t i = index->first[place]; i < index->first[place + 1]; i++) {
            const struct referee__proof *proof = &index->proof[index->by_place[i]];
            const struct referee__change *change = &index->change[proof->change];
            bool agrees = proof->physical && proof->n_needed == 0 && proof->n_changes > 0;
            for (unsigned c = 0; agrees && c < proof->n_changes; c++)
                agrees = change[c].place < referee->board.hands->n_places &&
                         (referee->board.hands->sense[change[c].place] == HANDS_UNSENSED ||
                          (referee->board.hands->sense[change[c].place] == HANDS_KNOWN &&
                           referee__agrees(&referee->now, &referee->board, change[c].place,
                                           referee__demand_changed(index, &change[c]))));
            if (!agrees)
                continue;
            ret->type = VERDICT_EXPLAINED;
            ret->n_actions = 1;
            ret->action[0] = (struct verdict_action){proof->by, proof->action};
            return true;
        }
    }
    return false;
}

struct search {
    struct best fits, unseen;
    bool is_between; // some proof lies beyond what is seen
};

static void search_places(struct referee *referee, const struct referee__index *index, struct search *ret) {
    struct referee__fit fit;
    uint32_t n;
    const uint32_t *list = candidates(index, &referee->differ, &n);
    for (uint32_t i = 0; i < n; i++) {
        fit.type = REFEREE__NO;
        if (referee__may_fit(&referee->differ, &index->mask[list[i]]))
            referee__fit(&referee->now, &referee->board, &referee->differ, index, &index->proof[list[i]],
                         &fit);
        if (fit.type == REFEREE__FITS)
            keep_best(&ret->fits, list[i], &fit, true);
        else if (fit.type == REFEREE__UNSEEN)
            keep_best(&ret->unseen, list[i], &fit, true);
        else if (!ret->is_between && referee__may_lead(&referee->differ, &index->mask[list[i]]))
            ret->is_between = fit.type == REFEREE__SHORT ||
                              referee__between(&referee->now, &referee->board, &referee->differ, index,
                                               &index->proof[list[i]]);
    }
}

static void say_unknown_places(const struct referee *referee, const struct best *unseen,
                               struct verdict *ret) {
    const struct referee__index *index = &referee->legal;
    const struct referee__proof *proof = &index->proof[unseen->proof[0]];
    ret->type = VERDICT_BLIND;
    for (unsigned c = 0; c < proof->n_changes; c++) {
        game_place place = index->change[proof->change + c].place;
        if (referee->board.hands->sense[place] == HANDS_UNKNOWN && ret->n_places < VERDICT_REPAIRS_MAX)
            ret->places[ret->n_places++] = place;
    }
}

// A piece that is in the air may put right what differs.
static bool is_in_the_air(const struct referee *referee) {
    const struct hands *hands = referee->board.hands;
    for (unsigned i = 0; i < hands->n_air; i++) {
        if (hands->air[i].from != GAME_NONE && referee__bit(referee->differ.bit, hands->air[i].from))
            return true;
        for (unsigned d = 0; d < referee->differ.n; d++) {
            struct referee__demand demand = referee__demand_of(&referee->now, referee->differ.place[d]);
            for (unsigned k = 0; k < demand.n; k++)
                if (demand.item[k].n == 0 && demand.item[k].what == hands->air[i].slot)
                    return true;
        }
    }
    return false;
}

// ---- what is wrong

// A piece of no slot matters where something is demanded (U10); elsewhere anything may lie.
static bool is_foreign(const struct referee *referee, game_place place) {
    return !referee__bit(referee->now.layout.free, place);
}

// Two of one class: a marker on its tile is no crowd.
static bool is_crowded(const struct referee *referee, game_place place) {
    const struct referee__board *board = &referee->board;
    uint32_t classes = 0;
    bool twice = false;
    for (unsigned i = board->first[place]; i < board->first[place + 1]; i++) {
        game_kind kind = referee->now.setup->slot_kind[board->hands->item[i].slot];
        uint32_t bit = UINT32_C(1) << referee->now.game->kinds[kind].class_bit;
        twice |= (classes & bit) != 0;
        classes |= bit;
    }
    return twice;
}

static const char *name_wrong(const struct referee *referee, struct verdict *ret) {
    const struct hands *hands = referee->board.hands;
    const struct referee__board *board = &referee->board;
    for (unsigned i = 0; i < hands->n_foreign; i++)
        if (is_foreign(referee, hands->foreign[i]))
            return "unknown_piece";
    bool any_extra = false, all_there = true; // all_there: but for faces
    for (unsigned d = 0; d < referee->differ.n; d++) {
        game_place place = referee->differ.place[d];
        struct referee__demand demand = referee__demand_of(&referee->now, place);
        const struct hands_item *seen = &hands->item[board->first[place]];
        unsigned n_seen = board->first[place + 1] - board->first[place], wanted = 0;
        for (unsigned i = 0; i < demand.n; i++)
            wanted += demand.item[i].n ? demand.item[i].n : 1;
        if (n_seen > wanted && !ret->text[0] && is_crowded(referee, place))
            snprintf(ret->text, sizeof ret->text, "Two pieces lie on one place.");
        any_extra |= !referee__covers(&referee->now, seen, n_seen, demand, true);
        all_there &= n_seen == wanted && referee__covers(&referee->now, seen, n_seen, demand, false);
    }
    if (all_there && any_extra)
        snprintf(ret->text, sizeof ret->text, "Please turn this piece over.");
    return any_extra ? "misplaced" : "missing";
}

// Why apply refuses what the hands did, asked beside the state.
static void say_mistake(struct referee *referee, const struct referee__proof *mistake, struct verdict *ret) {
    struct error err = {0};
    memcpy(referee->after, referee->now.state, referee->now.game->state_size);
    if (referee->now.game->apply(referee->after, mistake->by, mistake->action, NULL, &err) == ERROR_OK)
        return; // the game lists a legal action as a mistake; nothing can be said
    snprintf(ret->rule, sizeof ret->rule, "%s", err.rule);
    snprintf(ret->text, sizeof ret->text, "%.*s", (int)sizeof ret->text - 1, err.text);
}

// Where something lies wrong. Returns how many places hold a piece of no slot.
static unsigned list_places(const struct referee *referee, struct verdict *ret) {
    const struct hands *hands = referee->board.hands;
    const struct referee__difference *differ = &referee->differ;
    unsigned foreign = 0;
    for (unsigned d = 0; d < differ->n && ret->n_places < VERDICT_REPAIRS_MAX; d++)
        ret->places[ret->n_places++] = differ->place[d];
    for (unsigned i = 0; i < hands->n_foreign; i++) {
        if (!is_foreign(referee, hands->foreign[i]))
            continue;
        foreign++;
        if (ret->n_places < VERDICT_REPAIRS_MAX && !referee__bit(differ->bit, hands->foreign[i]))
            ret->places[ret->n_places++] = hands->foreign[i];
    }
    return foreign;
}

static void judge_wrong(struct referee *referee, struct verdict *ret) {
    const struct referee__difference *differ = &referee->differ;
    ret->type = VERDICT_WRONG;
    referee__index_build(referee, &referee->mistakes, true);
    if (differ->n > 0) {
        struct search search = {0};
        search_places(referee, &referee->mistakes, &search);
        if (search.fits.n > 0)
            say_mistake(referee, &referee->mistakes.proof[search.fits.proof[0]], ret);
    }
    if (!ret->rule[0])
        snprintf(ret->rule, sizeof ret->rule, "%s", name_wrong(referee, ret));
    list_places(referee, ret);
    ret->n_repairs =
        (uint8_t)referee__repairs(referee, &referee->board, ret->repairs, VERDICT_REPAIRS_MAX, NULL);
}

// Does a visit say that an action of this proof is complete? any: whatever piece it was done with (another
// number).
static bool closes(const struct referee *referee, const struct referee__index *index,
                   const struct referee__proof *proof, bool any) {
    const struct hands *hands = referee->board.hands;
    for (unsigned p = 0; p < proof->n_needed; p++) {
        struct game_visit pattern = index->visit[proof->visit + p];
        if (any && (pattern.type & ~(unsigned)GAME_VISIT_MARKS) == GAME_TOUCH)
            pattern.what = GAME_NONE;
        for (unsigned v = 0; pattern.type & GAME_LAST && v < hands->n_visits; v++)
            if (referee__is_visit(&pattern, &hands->visit[v].visit))
                return true;
    }
    return false;
}

// A touch where anything may lie, and no legal action asks for it.
static bool is_unasked(const struct referee *referee, const struct game_visit *visit) {
    const struct referee__index *legal = &referee->legal;
    if (visit->type != GAME_TOUCH || visit->place == GAME_NONE ||
        !referee__bit(referee->now.layout.free, visit->place))
        return false;
    for (uint32_t i = 0; i < legal->n_needing; i++) {
        const struct referee__proof *proof = &legal->proof[legal->needing[i]];
        for (unsigned p = 0; p < proof->n_needed; p++)
            if (referee__is_visit(&legal->visit[proof->visit + p], visit))
                return false;
    }
    return true;
}

// Hands have closed an action that the rules refuse: nothing more is to be waited for, though a piece is in
// the air. Mistakes are only made out where a legal action could be closed so, or none begins so.
static bool is_closed_mistake(struct referee *referee, struct verdict *ret) {
    const struct referee__index *legal = &referee->legal, *mistakes = &referee->mistakes;
    const struct hands *hands = referee->board.hands;
    bool any = false;
    for (uint32_t i = 0; hands->n_visits && i < legal->n_needing && !any; i++)
        any = closes(referee, legal, &legal->proof[legal->needing[i]], true);
    for (unsigned v = 0; v < hands->n_visits && !any; v++)
        any = is_unasked(referee, &hands->visit[v].visit);
    if (!any)
        return false;
    struct search search = {0};
    referee__index_build(referee, &referee->mistakes, true);
    search_places(referee, mistakes, &search);
    if (!search.fits.n || !closes(referee, mistakes, &mistakes->proof[search.fits.proof[0]], false))
        return false;
    judge_wrong(referee, ret);
    return ret->closed = true;
}

// A piece of no slot is on the way to nothing.
static void say_partial(const struct referee *referee, bool is_between, struct verdict *ret) {
    ret->type = VERDICT_PARTIAL;
    ret->extends = !list_places(referee, ret) && is_between;
}

static void judge_places(struct referee *referee, struct verdict *ret) {
    struct search search = {0};
    if (judge_chance(referee, ret))
        return;
    search_places(referee, &referee->legal, &search);
    struct verdict first = *ret;
    // What was tapped besides may be a second action; accepting the first alone would forget the tap.
    if (search.fits.n == 1 && search.fits.fit.others > 0 && referee__pair(referee, &first) &&
        first.n_actions == 2) {
        *ret = first;
        return;
    }
    if (search.fits.n > 0) {
        explain(&referee->legal, &search.fits, ret);
        ret->extends = search.is_between;
        return;
    }
    // A piece in the air that one action would explain is waited for.
    first = *ret;
    bool waits = search.is_between && referee->board.hands->n_air > 0;
    if (!waits && referee__pair(referee, &first)) {
        if (first.n_actions == 2 || !search.is_between) {
            *ret = first;
            ret->extends |= search.is_between;
            return;
        }
    }
    if (search.unseen.n > 0)
        say_unknown_places(referee, &search.unseen, ret);
    else if (is_closed_mistake(referee, ret))
        return;
    else if (search.is_between || is_in_the_air(referee))
        say_partial(referee, search.is_between, ret);
    else
        judge_wrong(referee, ret);
}

// ---- nothing lies elsewhere: looks, touches and controls may still mean something

struct done {
    struct best fits, unseen, begun;
};

// Some needed visit does not wait for the rest of its action.
static bool may_begin(const struct referee__index *index, const struct referee__proof *proof) {
    for (unsigned i = 0; i < proof->n_needed; i++)
        if (!(index->visit[proof->visit + i].type & GAME_LAST))
            return true;
    return false;
}

static void search_visits(struct referee *referee, const struct referee__index *index, struct done *ret) {
    struct referee__fit fit;
    for (uint32_t i = 0; i < index->n_needing; i++) {
        const struct referee__proof *proof = &index->proof[index->needing[i]];
        const struct referee__mask *mask = &index->mask[index->needing[i]];
        if (mask->needed && !(mask->needed & referee->differ.visited) && mask->visited != ~UINT64_C(0))
            continue;
        referee__fit_visits(&referee->now, &referee->board, &referee->differ, index, proof, &fit);
        if (fit.needed == 0)
            continue;
        if (fit.needed == proof->n_needed)
            referee__fit(&referee->now, &referee->board, &referee->differ, index, proof, &fit);
        else
            fit.type = REFEREE__SHORT;
        if (fit.type == REFEREE__FITS)
            keep_best(&ret->fits, index->needing[i], &fit, false);
        else if (fit.type == REFEREE__UNSEEN)
            keep_best(&ret->unseen, index->needing[i], &fit, false);
        else if (fit.looks == 0 && may_begin(index, proof))
            keep_best(&ret->begun, index->needing[i], &fit, false);
    }
}

// Some other proof needs all the visits that this one takes, and more.
static bool goes_on(struct referee *referee, const struct best *fits) {
    const struct referee__index *index = &referee->legal;
    struct referee__fit fit;
    for (uint32_t i = 0; i < index->n_needing; i++) {
        const struct referee__proof *proof = &index->proof[index->needing[i]];
        if (is_among(fits, index->needing[i]))
            continue;
        referee__fit_visits(&referee->now, &referee->board, &referee->differ, index, proof, &fit);
        bool all = fit.needed >= fits->fit.needed;
        for (unsigned w = 0; all && w < REFEREE__VISIT_WORDS; w++)
            all = !(fits->fit.used[w] & ~fit.used[w]);
        if (!all)
            continue;
        bool complete = fit.needed == proof->n_needed;
        if (complete)
            referee__fit(&referee->now, &referee->board, &referee->differ, index, proof, &fit);
        if (!complete || fit.type == REFEREE__NO)
            return true;
    }
    return false;
}

// Where anything may lie, anybody may look: a town card that was dealt, a hand.
static void say_uninvited(const struct referee *referee, const uint64_t *used, struct verdict *ret) {
    const struct hands *hands = referee->board.hands;
    for (unsigned v = 0; v < hands->n_visits && !ret->uninvited; v++) {
        if (hands->visit[v].visit.type != GAME_LOOK || hands->visit[v].told ||
            (used && referee__bit(used, v)) ||
            referee__bit(referee->now.layout.free, hands->visit[v].visit.place))
            continue;
        ret->uninvited = true;
        ret->looked = hands->visit[v].visit.place;
    }
}

// The rule that the visits break. Where a legal action has begun, only if the mistake explains more of them.
static bool is_mistake(struct referee *referee, const struct best *begun, struct verdict *ret) {
    struct done done = {0};
    if (begun->n > 0 && begun->fit.looks + begun->fit.others == 0)
        return false;
    referee__index_build(referee, &referee->mistakes, true);
    search_visits(referee, &referee->mistakes, &done);
    if (done.fits.n == 0 || (begun->n > 0 && referee__compare(&done.fits.fit, &begun->fit) >= 0))
        return false;
    say_mistake(referee, &referee->mistakes.proof[done.fits.proof[0]], ret);
    return true;
}

static void judge_visits(struct referee *referee, struct verdict *ret) {
    const struct hands *hands = referee->board.hands;
    struct done done = {0};
    if (hands->n_visits == 0)
        return;
    search_visits(referee, &referee->legal, &done);
    if (done.fits.n > 0) {
        if (done.fits.n == 1 && done.fits.fit.looks + done.fits.fit.others > 0 && referee__pair(referee, ret))
            return;
        explain(&referee->legal, &done.fits, ret);
        ret->extends = goes_on(referee, &done.fits);
        say_uninvited(referee, done.fits.fit.used, ret);
        return;
    }
    if (done.unseen.n > 0) {
        say_unknown_places(referee, &done.unseen, ret);
    } else if (is_mistake(referee, &done.begun, ret) || done.begun.n == 0) {
        say_uninvited(referee, NULL, ret);
    } else {
        say_partial(referee, true, ret);
    }
}

bool referee_forbids_look(struct referee *referee, game_place place, game_slot slot, struct verdict *ret) {
    const struct referee__index *legal = &referee->legal, *mistakes = &referee->mistakes;
    const struct game_visit look = {GAME_LOOK, place, slot};
    memset(ret, 0, sizeof *ret);
    referee__index_build(referee, &referee->legal, false);
    if (legal->first[place] < legal->first[place + 1] || referee__bit(referee->now.layout.free, place))
        return false;
    referee__index_build(referee, &referee->mistakes, true);
    for (uint32_t i = mistakes->first[place]; i < mistakes->first[place + 1]; i++) {
        const struct referee__proof *proof = &mistakes->proof[mistakes->by_place[i]];
        for (unsigned p = 0; p < proof->n_needed; p++)
            if (referee__is_visit(&mistakes->visit[proof->visit + p], &look)) {
                say_mistake(referee, proof, ret);
                return ret->rule[0];
            }
    }
    return false;
}

static void judge(struct referee *referee, const struct hands *hands, struct verdict *ret) {
    memset(ret, 0, sizeof *ret);
    ret->type = VERDICT_SAME;
    ret->looked = GAME_NONE;
    referee__index_build(referee, &referee->legal, false);
    referee__board_set(&referee->board, hands);
    referee__differ(&referee->now, &referee->board, &referee->differ);
    referee__take(&referee->board, &referee->differ, NULL);
    if (referee->differ.n > 0) {
        judge_places(referee, ret);
        return;
    }
    judge_visits(referee, ret);
    for (unsigned i = 0; ret->type == VERDICT_SAME && !*ret->rule && i < hands->n_foreign; i++)
        if (is_foreign(referee, hands->foreign[i]))
            judge_wrong(referee, ret);
}

void referee_judge(struct referee *referee, const struct hands *hands, struct verdict *ret) {
    if (!referee->judged || !hands_same(&referee->hands, hands)) {
        referee->hands = *hands;
        judge(referee, &referee->hands, &referee->verdict);
        referee->judged = true;
    }
    *ret = referee->verdict;
}

unsigned referee_distance(struct referee *referee, const struct hands *hands) {
    referee__board_set(&referee->board, hands);
    referee__differ(&referee->now, &referee->board, &referee->differ);
    return referee->differ.n;
}
