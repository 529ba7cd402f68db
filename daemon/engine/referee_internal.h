// Inside of the referee; shared by the files of referee*.c alone.
#pragma once
#include "engine/referee.h"

enum {
    REFEREE__WORDS = GAME_PLACES_MAX / 64,
    REFEREE__VISIT_WORDS = HANDS_VISITS_MAX / 64,
    REFEREE__PROOFS_MAX = 65536, // of all actors
    REFEREE__EXPAND_MAX = 4096,  // proofs made behind first actions of a pair, per judgement
    REFEREE__FIRST_MAX = 48,     // first actions of a pair tried, per judgement
    REFEREE__MOVES_MAX = HANDS_ITEMS_MAX + GAME_ITEMS_MAX,
};

// A state and what must lie where, ready to compare: items of a place in one order, equal kinds joined.
struct referee__position {
    const struct game *game;
    const struct game_setup *setup;
    const struct game_places *places;
    const void *state;
    struct game_layout layout;
    uint16_t first[GAME_PLACES_MAX + 1]; // items of place p are first[p]..first[p + 1] - 1
};

// What one place demands.
struct referee__demand {
    const struct game_item *item;
    unsigned n;
    bool free;
};

// A proof as its differences from the layout.
struct referee__change {
    game_place place;
    uint16_t n;
    uint32_t item;
    bool free;
};
struct referee__proof {
    game_action action;
    uint32_t change, visit; // first of each; needed visits, then allowed ones
    uint16_t n_changes;
    uint8_t n_needed, n_allowed;
    int8_t by;
    bool physical; // chance from the readers
};
// Nothing that hands could show: such an action is declared. Kept, so that the index knows every legal
// action.
static inline bool referee__is_mute(const struct referee__proof *proof) {
    return proof->n_changes == 0 && proof->n_needed == 0;
}
// What a proof can explain at all, by place modulo 64: a few ANDs spare nearly every closer look.
struct referee__mask {
    uint64_t changed;   // places it changes
    uint64_t visited;   // places of its visits; all ones when one may be anywhere
    uint64_t needed;    // places of its needed visits, those that name one
    uint64_t exclusive; // changed places that cannot satisfy both the layout and the proof
};
struct referee__index {
    struct referee__proof *proof;
    struct referee__mask *mask; // one for each proof
    struct referee__change *change;
    struct game_item *item;
    struct game_visit *visit;
    uint32_t n_proofs, n_changes, n_items, n_visits;
    uint32_t cap_proofs, cap_masks, cap_changes, cap_items, cap_visits;
    // By place: proofs that change it or visit it. By need: proofs that need a visit.
    uint32_t first[GAME_PLACES_MAX + 1];
    uint32_t *by_place, *needing;
    uint32_t n_needing, n_physical, cap_by_place, cap_needing;
    bool built;
};

// The hands of one judgement, by place and by slot.
struct referee__board {
    const struct hands *hands;
    uint16_t first[GAME_PLACES_MAX + 1];
    game_place where[GAME_SLOTS_MAX];
    uint64_t air[GAME_SLOTS_MAX / 64];
};
// Known places whose pieces are not what a position demands, and visits that count no more.
struct referee__difference {
    uint16_t n;
    game_place place[GAME_PLACES_MAX]; // ascending
    uint64_t bit[REFEREE__WORDS];
    uint64_t taken[REFEREE__VISIT_WORDS];
    // By place modulo 64: places that differ; places that all are known and agree; places visited.
    uint64_t mask, agreed, visited;
};

enum referee__fit_type {
    REFEREE__NO,
    REFEREE__SHORT,  // the places agree, needed visits are missing
    REFEREE__UNSEEN, // all that is known agrees, a changed place is unknown
    REFEREE__FITS,
};
// How a proof lies on the hands.
struct referee__fit {
    enum referee__fit_type type;
    uint16_t needed;                     // needed visits that were made
    uint16_t looks, others;              // visits it does not ask for
    uint16_t disorder;                   // needed visits that came before one that the proof names earlier
    int64_t first_us;                    // earliest visit it takes, INT64_MAX
    uint64_t used[REFEREE__VISIT_WORDS]; // needed, allowed and its own landings
};

struct referee__move {
    game_place take, put;
    game_slot slot;
};

struct referee {
    const struct game_places *places;
    struct referee__position now, next; // next: behind the first action of a pair
    struct referee__index legal, mistakes, aside;
    struct referee__board board;
    struct referee__difference differ;
    struct game_proof proof; // scratch of the index
    game_action action[GAME_ACTIONS_MAX];
    struct referee__move move[REFEREE__MOVES_MAX];
    _Alignas(16) unsigned char after[GAME_STATE_MAX];
    unsigned expanded;
    // The last judgement of this state: the same hands are asked about again when they have lain still.
    bool judged;
    struct hands hands;
    struct verdict verdict;
};

static inline bool referee__bit(const uint64_t *bits, unsigned i) {
    return bits[i / 64] >> i % 64 & 1;
}
static inline void referee__set(uint64_t *bits, unsigned i) {
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

// ---- referee_index.c
void referee__position_set(struct referee__position *position, const struct game *game,
                           const struct game_setup *setup, const struct game_places *places,
                           const void *state);
struct referee__demand referee__demand_of(const struct referee__position *position, game_place place);
struct referee__demand referee__demand_changed(const struct referee__index *index,
                                               const struct referee__change *change);
// Adds the proof of an action; false when memory is out.
bool referee__index_add(struct referee *referee, struct referee__index *index,
                        const struct referee__position *position, int by, game_action action);
bool referee__index_create(struct referee__index *index); // false: out of memory
void referee__index_clear(struct referee__index *index);
// All legal actions of all actors, or all their mistakes; once for each state.
void referee__index_build(struct referee *referee, struct referee__index *index, bool mistakes);
void referee__index_destroy(struct referee__index *index);
// The next actor after `by`; start with 0, ends with GAME_BY_TABLE - 1.
int referee__next_actor(const struct game_setup *setup, int by);
enum { REFEREE__NO_ACTOR = GAME_BY_TABLE - 1 };

// ---- referee_fit.c
void referee__board_set(struct referee__board *board, const struct hands *hands);
// Has every seen piece a demand of its own? faces: and shows the face that is asked for.
bool referee__covers(const struct referee__position *position, const struct hands_item *seen, unsigned n_seen,
                     struct referee__demand demand, bool faces);
// Does what lies there satisfy a demand, as far as the place's pads can tell?
bool referee__agrees(const struct referee__position *position, const struct referee__board *board,
                     game_place place, struct referee__demand demand);
void referee__differ(const struct referee__position *position, const struct referee__board *board,
                     struct referee__difference *ret);
// Sets the visits that count no more, and with them `visited`.
void referee__take(const struct referee__board *board, struct referee__difference *differ,
                   const uint64_t *taken);
// Cheap and safe: false when a closer look cannot find the proof fitting, or on its way.
static inline bool referee__may_fit(const struct referee__difference *differ,
                                    const struct referee__mask *mask) {
    return !(differ->mask & ~mask->changed) && !(differ->agreed & mask->exclusive) &&
           !(mask->needed & ~differ->visited);
}
static inline bool referee__may_lead(const struct referee__difference *differ,
                                     const struct referee__mask *mask) {
    return !(differ->mask & ~(mask->changed | mask->visited));
}
void referee__fit(const struct referee__position *position, const struct referee__board *board,
                  const struct referee__difference *differ, const struct referee__index *index,
                  const struct referee__proof *proof, struct referee__fit *ret);
bool referee__is_visit(const struct game_visit *pattern, const struct game_visit *visit);
// The visits of a proof alone.
void referee__fit_visits(const struct referee__position *position, const struct referee__board *board,
                         const struct referee__difference *differ, const struct referee__index *index,
                         const struct referee__proof *proof, struct referee__fit *ret);
// Every piece lies where the layout or this proof wants it, and nothing else differs.
bool referee__between(const struct referee__position *position, const struct referee__board *board,
                      const struct referee__difference *differ, const struct referee__index *index,
                      const struct referee__proof *proof);
// Orders fits: below 0 when a explains better than b.
int referee__compare(const struct referee__fit *a, const struct referee__fit *b);

// ---- referee_pair.c: two actions in one quiet moment, or one while another is on its way. False: none
// found.
bool referee__pair(struct referee *referee, struct verdict *ret);

// ---- referee_repair.c
unsigned referee__repairs(struct referee *referee, const struct referee__board *board,
                          struct verdict_repair *ret, unsigned cap, unsigned *ret_steps);
