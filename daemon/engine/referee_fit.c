// How one proof lies on the hands: place by place, then visit by visit (design 5.3).
#include "engine/referee_internal.h"
#include <string.h>

void referee__board_set(struct referee__board *board, const struct hands *hands) {
    board->hands = hands;
    memset(board->where, 0xff, sizeof board->where); // GAME_NONE
    memset(board->air, 0, sizeof board->air);
    unsigned item = 0;
    for (unsigned place = 0; place <= GAME_PLACES_MAX; place++) {
        while (item < hands->n_items && hands->item[item].place < place) {
            board->where[hands->item[item].slot] = hands->item[item].place;
            item++;
        }
        board->first[place] = (uint16_t)item;
    }
    for (unsigned i = 0; i < hands->n_air; i++)
        referee__set(board->air, hands->air[i].slot);
}

// ---- places

static bool face_agrees(unsigned seen, unsigned wanted) {
    return seen == GAME_FACE_ANY || wanted == GAME_FACE_ANY || seen == wanted;
}

// Named slots are given out before kinds.
bool referee__covers(const struct referee__position *position, const struct hands_item *seen, unsigned n_seen,
                     struct referee__demand demand, bool faces) {
    uint16_t given[GAME_ITEMS_MAX];
    if (demand.n > GAME_ITEMS_MAX)
        return false;
    memset(given, 0, demand.n * sizeof *given);
    for (unsigned s = 0; s < n_seen; s++) {
        game_kind kind = position->setup->slot_kind[seen[s].slot];
        unsigned i = 0;
        for (; i < demand.n; i++) {
            const struct game_item *item = &demand.item[i];
            bool right = item->n ? item->what == kind && given[i] < item->n
                                 : item->what == seen[s].slot && given[i] == 0;
            if (right && (!faces || face_agrees(seen[s].face, item->face)))
                break;
        }
        if (i == demand.n)
            return false;
        given[i]++;
    }
    return true;
}

static unsigned demanded(struct referee__demand demand) {
    unsigned n = 0;
    for (unsigned i = 0; i < demand.n; i++)
        n += demand.item[i].n ? demand.item[i].n : 1;
    return n;
}

bool referee__agrees(const struct referee__position *position, const struct referee__board *board,
                     game_place place, struct referee__demand demand) {
    if (demand.free)
        return true;
    const struct hands_item *seen = &board->hands->item[board->first[place]];
    unsigned n_seen = board->first[place + 1] - board->first[place];
    if (n_seen == 1 && demand.n == 1 && demand.item->n == 0)
        return demand.item->what == seen->slot && face_agrees(seen->face, demand.item->face);
    if (n_seen == 0 && demand.n == 0)
        return true;
    unsigned wanted = demanded(demand), capacity = board->hands->capacity[place];
    // A stack that is higher than its pads can tell shows some of itself (design 5.3).
    bool enough = capacity > 0 && wanted > capacity ? n_seen > 0 : n_seen == wanted;
    return enough && referee__covers(position, seen, n_seen, demand, true);
}

static bool is_known(const struct referee__board *board, game_place place) {
    return place < board->hands->n_places && board->hands->sense[place] == HANDS_KNOWN;
}

void referee__differ(const struct referee__position *position, const struct referee__board *board,
                     struct referee__difference *ret) {
    uint64_t doubtful = 0;
    memset(ret->bit, 0, sizeof ret->bit);
    ret->n = 0;
    ret->mask = 0;
    for (game_place place = 0; place < board->hands->n_places; place++) {
        bool known = board->hands->sense[place] == HANDS_KNOWN;
        if (known && referee__agrees(position, board, place, referee__demand_of(position, place)))
            continue;
        doubtful |= UINT64_C(1) << place % 64;
        if (!known)
            continue;
        ret->place[ret->n++] = place;
        ret->mask |= UINT64_C(1) << place % 64;
        referee__set(ret->bit, place);
    }
    ret->agreed = ~doubtful;
}

void referee__take(const struct referee__board *board, struct referee__difference *differ,
                   const uint64_t *taken) {
    const struct hands *hands = board->hands;
    memset(differ->taken, 0, sizeof differ->taken);
    if (taken)
        memcpy(differ->taken, taken, sizeof differ->taken);
    differ->visited = 0;
    for (unsigned v = 0; v < hands->n_visits; v++)
        if (!referee__bit(differ->taken, v) && hands->visit[v].visit.place != GAME_NONE)
            differ->visited |= UINT64_C(1) << hands->visit[v].visit.place % 64;
}

// ---- visits

bool referee__is_visit(const struct game_visit *pattern, const struct game_visit *visit) {
    return (pattern->type & ~(unsigned)GAME_VISIT_MARKS) == visit->type &&
           (pattern->place == GAME_NONE || pattern->place == visit->place) &&
           (pattern->what == GAME_NONE || pattern->what == visit->what);
}

// A control piece on a place that belongs to a seat speaks for that seat alone; elsewhere for whoever may
// act.
static bool is_ones_own(const struct referee__position *position, const struct referee__proof *proof,
                        const struct game_visit *visit) {
    if (visit->type != GAME_CONTROL || proof->by < 0 || visit->place >= position->places->n)
        return true;
    int owner = position->places->row[visit->place].seat;
    return owner < 0 || owner == proof->by;
}

// A piece that landed where the proof wants it has only done what the proof says.
static bool is_own_landing(const struct referee__position *position, const struct referee__index *index,
                           const struct referee__proof *proof, const struct game_visit *visit) {
    if (visit->type != GAME_TOUCH)
        return false;
    for (unsigned c = 0; c < proof->n_changes; c++) {
        const struct referee__change *change = &index->change[proof->change + c];
        if (change->place != visit->place)
            continue;
        struct referee__demand demand = referee__demand_changed(index, change);
        for (unsigned i = 0; i < demand.n; i++)
            if (demand.item[i].what ==
                (demand.item[i].n ? position->setup->slot_kind[visit->what] : visit->what))
                return true;
        return change->free;
    }
    return false;
}

// Since this visit, no piece has landed on a place that the proof changes, or rested there and gone on.
static bool is_last(const struct hands *hands, const struct referee__index *index,
                    const struct referee__proof *proof, const struct hands_visit *one) {
    for (unsigned v = 0; v < hands->n_visits; v++) {
        const struct hands_visit *other = &hands->visit[v];
        if (other->to_us <= one->to_us || (other->visit.type != GAME_TOUCH && other->visit.type != GAME_REST))
            continue;
        for (unsigned c = 0; c < proof->n_changes; c++)
            if (index->change[proof->change + c].place == other->visit.place)
                return false;
    }
    return true;
}

static void use(struct referee__fit *fit, const struct hands *hands, unsigned visit, bool earliest) {
    referee__set(fit->used, visit);
    if (earliest && hands->visit[visit].from_us < fit->first_us)
        fit->first_us = hands->visit[visit].from_us;
}

// From when on visits count for the proof; false: the visit that opens it is not there.
static bool is_opened(const struct referee__position *position, const struct hands *hands,
                      const struct referee__difference *differ, const struct referee__proof *proof,
                      const struct game_visit *pattern, int64_t *ret_us) {
    *ret_us = INT64_MIN;
    for (unsigned p = 0; p < proof->n_needed; p++) {
        if (!(pattern[p].type & GAME_FIRST))
            continue;
        unsigned v = 0;
        while (v < hands->n_visits &&
               (referee__bit(differ->taken, v) || !referee__is_visit(&pattern[p], &hands->visit[v].visit) ||
                !is_ones_own(position, proof, &hands->visit[v].visit)))
            v++;
        if (v == hands->n_visits)
            return false;
        *ret_us = hands->visit[v].from_us;
    }
    return true;
}

void referee__fit_visits(const struct referee__position *position, const struct referee__board *board,
                         const struct referee__difference *differ, const struct referee__index *index,
                         const struct referee__proof *proof, struct referee__fit *ret) {
    const struct hands *hands = board->hands;
    const struct game_visit *pattern = &index->visit[proof->visit];
    unsigned last = 0;
    ret->needed = ret->looks = ret->others = ret->disorder = 0;
    ret->first_us = INT64_MAX;
    memset(ret->used, 0, sizeof ret->used);
    int64_t opened_us;
    bool opened = is_opened(position, hands, differ, proof, pattern, &opened_us);
    for (unsigned p = 0; opened && p < proof->n_needed; p++) {
        for (unsigned v = 0; v < hands->n_visits; v++) {
            if (referee__bit(differ->taken, v) || referee__bit(ret->used, v) ||
                hands->visit[v].from_us < opened_us ||
                !referee__is_visit(&pattern[p], &hands->visit[v].visit) ||
                !is_ones_own(position, proof, &hands->visit[v].visit) ||
                (pattern[p].type & GAME_LAST && !is_last(hands, index, proof, &hands->visit[v])))
                continue;
            use(ret, hands, v, true);
            ret->needed++;
            ret->disorder += v < last;
            last = v;
            break;
        }
    }
    for (unsigned v = 0; v < hands->n_visits; v++) {
        if (referee__bit(differ->taken, v) || referee__bit(ret->used, v))
            continue;
        const struct game_visit *visit = &hands->visit[v].visit;
        bool invited = false; // a needed visit made twice is still that visit
        for (unsigned p = 0; p < proof->n_needed + proof->n_allowed && !invited; p++)
            invited = referee__is_visit(&pattern[p], visit) && is_ones_own(position, proof, visit);
        if (invited)
            use(ret, hands, v, false);
        else if (is_own_landing(position, index, proof, visit))
            use(ret, hands, v, true);
        else if (visit->type == GAME_LOOK)
            ret->looks++;
        else
            ret->others++;
    }
}

void referee__fit(const struct referee__position *position, const struct referee__board *board,
                  const struct referee__difference *differ, const struct referee__index *index,
                  const struct referee__proof *proof, struct referee__fit *ret) {
    ret->type = REFEREE__NO;
    if (proof->n_changes < differ->n)
        return;
    const struct referee__change *change = &index->change[proof->change];
    unsigned explained = 0, unseen = 0;
    for (unsigned i = 0; i < proof->n_changes; i++) {
        game_place place = change[i].place;
        if (!is_known(board, place)) {
            unseen += place < board->hands->n_places && board->hands->sense[place] == HANDS_UNKNOWN;
            continue;
        }
        if (!referee__agrees(position, board, place, referee__demand_changed(index, &change[i])))
            return;
        explained += referee__bit(differ->bit, place);
    }
    if (explained < differ->n)
        return;
    referee__fit_visits(position, board, differ, index, proof, ret);
    if (ret->needed < proof->n_needed)
        ret->type = REFEREE__SHORT;
    else if (differ->n > 0 || proof->n_needed > 0)
        ret->type = unseen > 0 ? REFEREE__UNSEEN : REFEREE__FITS;
}

int referee__compare(const struct referee__fit *a, const struct referee__fit *b) {
    if (a->looks != b->looks)
        return a->looks < b->looks ? -1 : 1;
    if (a->others != b->others)
        return a->others < b->others ? -1 : 1;
    if (a->needed != b->needed)
        return a->needed > b->needed ? -1 : 1;
    return a->disorder == b->disorder ? 0 : a->disorder < b->disorder ? -1 : 1;
}

// ---- on the way to a proof

static bool has_slot(struct referee__demand demand, game_slot slot) {
    for (unsigned i = 0; i < demand.n; i++)
        if (demand.item[i].n == 0 && demand.item[i].what == slot)
            return true;
    return false;
}
static unsigned has_kind(struct referee__demand demand, game_kind kind) {
    unsigned n = 0;
    for (unsigned i = 0; i < demand.n; i++)
        if (demand.item[i].n > 0 && demand.item[i].what == kind)
            n += demand.item[i].n;
    return n;
}

// The proof has this piece stop at this place on its way.
static bool is_stop(const struct referee__index *index, const struct referee__proof *proof, game_place place,
                    game_slot slot) {
    for (unsigned i = 0; i < proof->n_needed + proof->n_allowed; i++) {
        const struct game_visit *visit = &index->visit[proof->visit + i];
        if ((visit->type == GAME_TOUCH || visit->type == GAME_REST) && visit->place == place &&
            (visit->what == GAME_NONE || visit->what == slot))
            return true;
    }
    return false;
}

// Each piece on the place lies there by the layout, by the proof, or stops there.
static bool is_place_between(const struct referee__position *position, const struct referee__board *board,
                             const struct referee__index *index, const struct referee__proof *proof,
                             game_place place, struct referee__demand before, struct referee__demand after) {
    const struct hands_item *seen = &board->hands->item[board->first[place]];
    unsigned n_seen = board->first[place + 1] - board->first[place];
    if (before.free || after.free)
        return true;
    for (unsigned s = 0; s < n_seen; s++) {
        game_slot slot = seen[s].slot;
        if (has_slot(before, slot) || has_slot(after, slot) || is_stop(index, proof, place, slot))
            continue;
        game_kind kind = position->setup->slot_kind[slot];
        unsigned same = 0;
        for (unsigned k = 0; k < n_seen; k++)
            same += position->setup->slot_kind[seen[k].slot] == kind && !has_slot(before, seen[k].slot) &&
                    !has_slot(after, seen[k].slot);
        if (same > has_kind(before, kind) + has_kind(after, kind))
            return false;
    }
    return true;
}

// A piece that has left and is nowhere, in no hand that moves: is it on its way by this proof? Only if the
// proof puts it where no pad would tell. What the proof leaves where it was is on no way at all.
static bool is_lost(const struct referee__board *board, const struct referee__index *index,
                    const struct referee__proof *proof, game_place place, struct referee__demand before,
                    struct referee__demand after) {
    for (unsigned i = 0; i < before.n; i++) {
        game_slot slot = before.item[i].what;
        if (before.item[i].n > 0 || board->where[slot] != GAME_NONE || referee__bit(board->air, slot))
            continue;
        if (has_slot(after, slot))
            return true;
        for (unsigned c = 0; c < proof->n_changes; c++) {
            const struct referee__change *change = &index->change[proof->change + c];
            if (change->place != place && is_known(board, change->place) &&
                has_slot(referee__demand_changed(index, change), slot))
                return true;
        }
    }
    return false;
}

bool referee__between(const struct referee__position *position, const struct referee__board *board,
                      const struct referee__difference *differ, const struct referee__index *index,
                      const struct referee__proof *proof) {
    const struct referee__change *change = &index->change[proof->change];
    unsigned c = 0;
    for (unsigned d = 0; d < differ->n; d++) {
        game_place place = differ->place[d];
        struct referee__demand before = referee__demand_of(position, place), after = before;
        while (c < proof->n_changes && change[c].place < place)
            c++;
        if (c < proof->n_changes && change[c].place == place)
            after = referee__demand_changed(index, &change[c]);
        else if (board->first[place + 1] <= board->first[place] + before.n) // nothing extra stops here
            return false;
        if (!is_place_between(position, board, index, proof, place, before, after) ||
            is_lost(board, index, proof, place, before, after))
            return false;
    }
    return true;
}
