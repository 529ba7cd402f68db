// The proofs of all actions of a state, kept as their differences from the layout and found by place.
#include "engine/referee_internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- layouts

static bool is_before(const struct game_item *a, const struct game_item *b) {
    if ((a->n > 0) != (b->n > 0))
        return b->n > 0;
    return a->what != b->what ? a->what < b->what : a->face < b->face;
}
static bool is_same_kind(const struct game_item *a, const struct game_item *b) {
    return a->place == b->place && a->n > 0 && b->n > 0 && a->what == b->what && a->face == b->face;
}

// Items of one place into one order, so that equal demands are equal bytes. Nearly always they are already.
static void put_in_order(struct game_layout *layout) {
    struct game_item *item = layout->item;
    unsigned kept = 1;
    while (kept < layout->n_items && item[kept - 1].place < item[kept].place)
        kept++;
    if (kept >= layout->n_items)
        return;
    for (unsigned i = kept; i < layout->n_items; i++) {
        struct game_item one = item[i];
        unsigned at = kept;
        while (at > 0 && item[at - 1].place == one.place && is_before(&one, &item[at - 1]))
            at--;
        if (at > 0 && is_same_kind(&item[at - 1], &one) && item[at - 1].n + one.n <= UINT8_MAX) {
            item[at - 1].n = (uint8_t)(item[at - 1].n + one.n);
            continue;
        }
        memmove(&item[at + 1], &item[at], (kept - at) * sizeof *item);
        item[at] = one;
        kept++;
    }
    layout->n_items = (uint16_t)kept;
}

void referee__position_set(struct referee__position *position, const struct game *game,
                           const struct game_setup *setup, const struct game_places *places,
                           const void *state) {
    position->game = game;
    position->setup = setup;
    position->places = places;
    position->state = state;
    game_layout_clear(&position->layout);
    game->layout(state, &position->layout);
    put_in_order(&position->layout);
    unsigned item = 0;
    for (unsigned place = 0; place <= GAME_PLACES_MAX; place++) {
        while (item < position->layout.n_items && position->layout.item[item].place < place)
            item++;
        position->first[place] = (uint16_t)item;
    }
}

struct referee__demand referee__demand_of(const struct referee__position *position, game_place place) {
    unsigned first = position->first[place];
    return (struct referee__demand){&position->layout.item[first], position->first[place + 1] - first,
                                    referee__bit(position->layout.free, place)};
}

struct referee__demand referee__demand_changed(const struct referee__index *index,
                                               const struct referee__change *change) {
    return (struct referee__demand){&index->item[change->item], change->n, change->free};
}

// ---- room

static bool grow(void **list, uint32_t *cap, uint32_t need, size_t size) {
    if (need <= *cap)
        return true;
    uint32_t want = *cap ? *cap : 64;
    while (want < need)
        want *= 2;
    void *bigger = realloc(*list, want * size);
    if (!bigger)
        return false;
    *list = bigger;
    *cap = want;
    return true;
}
#define GROW(list, cap, need) grow((void **)&(list), &(cap), (uint32_t)(need), sizeof *(list))

bool referee__index_create(struct referee__index *index) {
    return GROW(index->proof, index->cap_proofs, 1) && GROW(index->mask, index->cap_masks, 1) &&
           GROW(index->change, index->cap_changes, 1) && GROW(index->item, index->cap_items, 1) &&
           GROW(index->visit, index->cap_visits, 1) && GROW(index->by_place, index->cap_by_place, 1) &&
           GROW(index->needing, index->cap_needing, 1);
}

void referee__index_clear(struct referee__index *index) {
    index->n_proofs = index->n_changes = index->n_items = index->n_visits = 0;
    index->n_needing = index->n_physical = 0;
    index->built = false;
}

void referee__index_destroy(struct referee__index *index) {
    free(index->proof);
    free(index->mask);
    free(index->change);
    free(index->item);
    free(index->visit);
    free(index->by_place);
    free(index->needing);
    memset(index, 0, sizeof *index);
}

// ---- one proof

static inline bool is_equal_item(const struct game_item *a, const struct game_item *b) {
    return a->place == b->place && a->what == b->what && a->n == b->n && a->face == b->face;
}

// Adds a change; its items are those of the proof's layout.
static bool add_change(struct referee__index *index, game_place place, bool is_free,
                       const struct game_item *item, unsigned n) {
    if (is_free)
        n = 0;
    if (!GROW(index->change, index->cap_changes, index->n_changes + 1) ||
        !GROW(index->item, index->cap_items, index->n_items + n))
        return false;
    index->change[index->n_changes++] =
        (struct referee__change){.place = place, .n = (uint16_t)n, .item = index->n_items, .free = is_free};
    if (n > 0)
        memcpy(&index->item[index->n_items], item, n * sizeof *item);
    index->n_items += n;
    return true;
}

// How many items both lists have in common from here on, in whole places. Eight bytes at a time: most of two
// layouts is the same.
static unsigned common_run(const struct game_layout *before, unsigned b, const struct game_layout *after,
                           unsigned a) {
    const struct game_item *x = &before->item[b], *y = &after->item[a];
    unsigned left_x = before->n_items - b, left_y = after->n_items - a;
    unsigned n = left_x < left_y ? left_x : left_y;
    size_t bytes = n * sizeof *x, at = 0;
    for (; at + 8 <= bytes; at += 8) {
        uint64_t one, two;
        memcpy(&one, (const char *)x + at, 8);
        memcpy(&two, (const char *)y + at, 8);
        if (one != two)
            break;
    }
    unsigned run = (unsigned)(at / sizeof *x);
    while (run < n && is_equal_item(&x[run], &y[run]))
        run++;
    if (run == 0 || (run == left_x && run == left_y))
        return run;
    game_place place = x[run - 1].place; // it may go on, in one of them
    if ((run < left_x && x[run].place == place) || (run < left_y && y[run].place == place))
        while (run > 0 && x[run - 1].place == place)
            run--;
    return run;
}

static game_place next_place(const struct game_layout *layout, unsigned i) {
    return i < layout->n_items ? layout->item[i].place : (game_place)GAME_NONE;
}
static unsigned end_of_place(const struct game_layout *layout, unsigned i, game_place place) {
    while (i < layout->n_items && layout->item[i].place == place)
        i++;
    return i;
}

// Places before `end` on which nothing lies and that have become free, or are free no more.
static bool add_freed(struct referee__index *index, const struct game_layout *before,
                      const struct game_layout *after, unsigned from, unsigned end) {
    for (unsigned place = from; place < end; place++)
        if (referee__bit(before->free, place) != referee__bit(after->free, place) &&
            !add_change(index, (game_place)place, referee__bit(after->free, place), NULL, 0))
            return false;
    return true;
}

// Two sorted lists of items, walked side by side; only places that differ are kept.
static bool add_changes(struct referee__index *index, const struct game_layout *before,
                        const struct game_layout *after) {
    bool freed = memcmp(before->free, after->free, sizeof before->free) != 0;
    unsigned b = 0, a = 0, from = 0;
    for (;;) {
        if (!freed) {
            unsigned run = common_run(before, b, after, a);
            b += run;
            a += run;
        }
        game_place place = next_place(before, b), other = next_place(after, a);
        if (other < place)
            place = other;
        if (freed && !add_freed(index, before, after, from, place == GAME_NONE ? GAME_PLACES_MAX : place))
            return false;
        if (place == GAME_NONE)
            return true;
        from = place + 1u;
        unsigned b_end = end_of_place(before, b, place), a_end = end_of_place(after, a, place);
        bool same = b_end - b == a_end - a;
        for (unsigned i = 0; same && i < b_end - b; i++)
            same = is_equal_item(&before->item[b + i], &after->item[a + i]);
        bool was_free = referee__bit(before->free, place), is_free = referee__bit(after->free, place);
        if ((was_free != is_free || (!is_free && !same)) &&
            !add_change(index, place, is_free, &after->item[a], a_end - a))
            return false;
        b = b_end;
        a = a_end;
    }
}

static bool add_visits(struct referee__index *index, const struct game_proof *proof) {
    unsigned n = proof->n_needed + proof->n_allowed;
    if (!GROW(index->visit, index->cap_visits, index->n_visits + n))
        return false;
    struct game_visit *to = &index->visit[index->n_visits];
    memcpy(to, proof->needed, proof->n_needed * sizeof *to);
    memcpy(to + proof->n_needed, proof->allowed, proof->n_allowed * sizeof *to);
    // Visits that name more come first: they must not lose their visit to one that takes any.
    for (unsigned i = 1; i < proof->n_needed; i++) {
        for (unsigned k = i; k > 0; k--) {
            unsigned vague = (to[k].place == GAME_NONE) + (to[k].what == GAME_NONE);
            unsigned before = (to[k - 1].place == GAME_NONE) + (to[k - 1].what == GAME_NONE);
            if (before <= vague)
                break;
            struct game_visit keep = to[k];
            to[k] = to[k - 1];
            to[k - 1] = keep;
        }
    }
    index->n_visits += n;
    return true;
}

// Whatever satisfies the layout there cannot satisfy the proof, however few tags the pads can tell.
static bool is_exclusive(const struct referee__position *position, struct referee__demand before,
                         struct referee__demand after) {
    if (before.free || after.free)
        return false;
    if (before.n == 0 || after.n == 0)
        return before.n != after.n;
    if (before.n != 1 || before.item->n > 0)
        return false;
    for (unsigned i = 0; i < after.n; i++)
        if (after.item[i].what ==
            (after.item[i].n ? position->setup->slot_kind[before.item->what] : before.item->what))
            return false;
    return true;
}

static void set_mask(const struct referee__index *index, const struct referee__position *position,
                     const struct referee__proof *proof, struct referee__mask *ret) {
    *ret = (struct referee__mask){0};
    for (unsigned c = 0; c < proof->n_changes; c++) {
        const struct referee__change *change = &index->change[proof->change + c];
        uint64_t bit = UINT64_C(1) << change->place % 64;
        ret->changed |= bit;
        if (is_exclusive(position, referee__demand_of(position, change->place),
                         referee__demand_changed(index, change)))
            ret->exclusive |= bit;
    }
    for (unsigned v = 0; v < proof->n_needed + proof->n_allowed; v++) {
        game_place place = index->visit[proof->visit + v].place;
        uint64_t bit = place == GAME_NONE ? ~UINT64_C(0) : UINT64_C(1) << place % 64;
        ret->visited |= bit;
        if (v < proof->n_needed && place != GAME_NONE)
            ret->needed |= bit;
    }
}

bool referee__index_add(struct referee *referee, struct referee__index *index,
                        const struct referee__position *position, int by, game_action action) {
    struct game_proof *proof = &referee->proof;
    uint32_t n_changes = index->n_changes, n_items = index->n_items, n_visits = index->n_visits;
    if (index->n_proofs >= REFEREE__PROOFS_MAX ||
        !GROW(index->proof, index->cap_proofs, index->n_proofs + 1) ||
        !GROW(index->mask, index->cap_masks, index->n_proofs + 1))
        return false;
    game_proof_of(position->game, position->state, by, action, proof);
    assert(proof->n_needed <= GAME_VISITS_MAX && proof->n_allowed <= GAME_VISITS_MAX);
    put_in_order(&proof->layout);
    if (!add_changes(index, &position->layout, &proof->layout) || !add_visits(index, proof)) {
        index->n_changes = n_changes;
        index->n_items = n_items;
        index->n_visits = n_visits;
        return false;
    }
    bool physical = false;
    if (by == GAME_BY_CHANCE) {
        struct game_act act = {0};
        position->game->decode(position->state, by, action, &act);
        physical = position->game->verbs[act.verb].flags & GAME_VERB_PHYSICAL;
    }
    struct referee__proof *added = &index->proof[index->n_proofs];
    *added = (struct referee__proof){.action = action,
                                     .change = n_changes,
                                     .visit = n_visits,
                                     .n_changes = (uint16_t)(index->n_changes - n_changes),
                                     .n_needed = proof->n_needed,
                                     .n_allowed = proof->n_allowed,
                                     .by = (int8_t)by,
                                     .physical = physical};
    index->n_physical += physical;
    set_mask(index, position, added, &index->mask[index->n_proofs++]);
    return true;
}

// ---- all proofs

int referee__next_actor(const struct game_setup *setup, int by) {
    if (by >= 0)
        return by + 1 < setup->seats ? by + 1 : GAME_BY_CHANCE;
    return by - 1;
}

// Calls for every place a proof changes or visits, each once.
static unsigned touched_places(const struct referee__index *index, const struct referee__proof *proof,
                               game_place ret[]) {
    unsigned n = 0;
    for (unsigned i = 0; i < proof->n_changes; i++)
        ret[n++] = index->change[proof->change + i].place;
    for (unsigned i = 0; i < proof->n_needed + proof->n_allowed; i++) {
        game_place place = index->visit[proof->visit + i].place;
        unsigned k = 0;
        while (k < n && ret[k] != place)
            k++;
        if (place != GAME_NONE && k == n)
            ret[n++] = place;
    }
    return n;
}

static bool sort_by_place(struct referee__index *index) {
    game_place place[GAME_PLACES_MAX + 2 * GAME_VISITS_MAX];
    uint32_t count[GAME_PLACES_MAX] = {0}, total = 0;
    if (!GROW(index->needing, index->cap_needing, index->n_proofs))
        return false;
    for (uint32_t p = 0; p < index->n_proofs; p++) {
        unsigned n = touched_places(index, &index->proof[p], place);
        for (unsigned i = 0; i < n; i++)
            count[place[i]]++;
        total += n;
        if (index->proof[p].n_needed > 0)
            index->needing[index->n_needing++] = p;
    }
    if (!GROW(index->by_place, index->cap_by_place, total))
        return false;
    total = 0;
    for (unsigned i = 0; i < GAME_PLACES_MAX; i++) {
        index->first[i] = total;
        total += count[i];
        count[i] = index->first[i];
    }
    index->first[GAME_PLACES_MAX] = total;
    for (uint32_t p = 0; p < index->n_proofs; p++) {
        unsigned n = touched_places(index, &index->proof[p], place);
        for (unsigned i = 0; i < n; i++)
            index->by_place[count[place[i]]++] = p;
    }
    return true;
}

void referee__index_build(struct referee *referee, struct referee__index *index, bool mistakes) {
    if (index->built)
        return;
    const struct referee__position *now = &referee->now;
    referee__index_clear(index);
    size_t (*list)(const void *, int, game_action *, size_t) = mistakes ? now->game->mistakes
                                                                        : now->game->legal;
    for (int by = 0; list && by != REFEREE__NO_ACTOR; by = referee__next_actor(now->setup, by)) {
        size_t n = list(now->state, by, referee->action, GAME_ACTIONS_MAX);
        assert(n <= GAME_ACTIONS_MAX || mistakes);
        for (size_t i = 0; i < n && i < GAME_ACTIONS_MAX; i++)
            referee__index_add(referee, index, now, by, referee->action[i]);
    }
    if (!sort_by_place(index)) // out of memory: better no proof than a wrong one
        referee__index_clear(index), memset(index->first, 0, sizeof index->first);
    index->built = true;
}
