// A game on strings for tests of the referee: slots lie on places, and a table of rows says who may move
// what. Rows are legal while every slot they move lies where it comes from. It is set up anew by each test.
#pragma once
#include "engine/game.h"
#include "engine/hands.h"
#include "engine/referee.h"
#include <string.h>

enum { PUPPET_SLOTS = 64, PUPPET_PLACES = 16, PUPPET_MOVES = 4, HAND = GAME_NONE };
enum { RED, BLUE, PUPPET_KINDS };

struct puppet_row {
    int by;
    unsigned n;
    struct {
        game_slot slot;
        game_place from, to;
    } move[PUPPET_MOVES];
    unsigned n_needed, n_allowed;
    struct game_visit needed[4], allowed[4];
    const char *rule;    // refused for this reason: a mistake
    bool physical, once; // once: legal until it was done
    int after;           // row that must have been done before, + 1
};
struct puppet {
    struct puppet_row row[512];
    unsigned n_rows;
    uint64_t free;    // places where anything may lie
    uint64_t by_kind; // places that demand kinds, not slots
    unsigned turn;
    game_place start[PUPPET_SLOTS];
    struct game_setup setup;
    struct game_places places;
};
struct puppet_state {
    game_place at[PUPPET_SLOTS];
    uint8_t done[512];
};
static struct puppet puppet;

static inline bool puppet_can(const struct puppet_state *s, unsigned row) {
    const struct puppet_row *r = &puppet.row[row];
    for (unsigned i = 0; i < r->n; i++)
        if (s->at[r->move[i].slot] != r->move[i].from)
            return false;
    return !(r->once && s->done[row]) && !(r->after && !s->done[r->after - 1]);
}
static inline size_t puppet_list(const void *state, int by, bool mistakes, game_action *ret, size_t cap) {
    size_t n = 0;
    for (unsigned i = 0; i < puppet.n_rows; i++)
        if (puppet.row[i].by == by && (puppet.row[i].rule != NULL) == mistakes && puppet_can(state, i) &&
            n++ < cap)
            ret[n - 1] = i;
    return n;
}
static inline size_t puppet_legal(const void *state, int by, game_action *ret, size_t cap) {
    return puppet_list(state, by, false, ret, cap);
}
static inline size_t puppet_mistakes(const void *state, int by, game_action *ret, size_t cap) {
    return puppet_list(state, by, true, ret, cap);
}
static inline void puppet_do(struct puppet_state *s, game_action action) {
    for (unsigned i = 0; i < puppet.row[action].n; i++)
        s->at[puppet.row[action].move[i].slot] = puppet.row[action].move[i].to;
    s->done[action] = 1;
}
static inline enum error_code puppet_apply(void *state, int by, game_action action, struct game_notes *notes,
                                           struct error *err) {
    (void)notes;
    const struct puppet_row *row = &puppet.row[action];
    if (row->by != by || !puppet_can(state, (unsigned)action))
        return error_illegal(err, "E_NOT_NOW", "not now");
    if (row->rule)
        return error_illegal(err, row->rule, "the sentence of %s", row->rule);
    puppet_do(state, action);
    return ERROR_OK;
}
static inline void puppet_layout(const void *state, struct game_layout *ret) {
    const struct puppet_state *s = state;
    game_layout_clear(ret);
    for (game_place place = 0; place < puppet.places.n; place++) {
        if (puppet.free >> place & 1)
            game_layout_free(ret, place);
        for (game_slot slot = 0; slot < puppet.setup.n_slots; slot++) {
            if (s->at[slot] != place || puppet.free >> place & 1)
                continue;
            if (puppet.by_kind >> place & 1)
                game_layout_kind(ret, place, puppet.setup.slot_kind[slot], 1, GAME_FACE_ANY);
            else
                game_layout_slot(ret, place, slot, GAME_FACE_ANY);
        }
    }
}
static inline void puppet_proof(const void *state, int by, game_action action, struct game_proof *ret) {
    struct puppet_state after = *(const struct puppet_state *)state;
    const struct puppet_row *row = &puppet.row[action];
    (void)by;
    puppet_do(&after, action);
    puppet_layout(&after, &ret->layout);
    memcpy(ret->needed, row->needed, sizeof row->needed);
    memcpy(ret->allowed, row->allowed, sizeof row->allowed);
    ret->n_needed = (uint8_t)row->n_needed;
    ret->n_allowed = (uint8_t)row->n_allowed;
}
static inline void puppet_phase(const void *state, struct game_phase *ret) {
    (void)state;
    *ret = (struct game_phase){.turn = (uint16_t)puppet.turn};
}
static inline void puppet_decode(const void *state, int by, game_action action, struct game_act *ret) {
    (void)state, (void)by;
    memset(ret, 0, sizeof *ret);
    ret->verb = puppet.row[action].physical;
}
static const struct game_verb puppet_verbs[] = {
    {.name = "do"}, {.name = "deal", .flags = GAME_VERB_PHYSICAL}, {0}};
static const struct game_kind_row puppet_kinds[] = {{"red", 0, true}, {"blue", 1, false}};
static const struct game puppet_game = {
    .id = "puppet",
    .title = "Puppet",
    .seats_min = 1,
    .seats_max = 8,
    .verbs = puppet_verbs,
    .kinds = puppet_kinds,
    .n_kinds = PUPPET_KINDS,
    .state_size = sizeof(struct puppet_state),
    .legal = puppet_legal,
    .mistakes = puppet_mistakes,
    .apply = puppet_apply,
    .layout = puppet_layout,
    .proof = puppet_proof,
    .phase = puppet_phase,
    .decode = puppet_decode,
};

// ---- a rig: the puppet, hands that moved, a referee

struct rig {
    struct puppet_state state;
    struct hands_track track;
    struct referee *referee;
    struct verdict verdict;
    int64_t now_us;
};

// n tiles on places 0..n-1, one each; further slots are in the hand. The first `reds` slots are red.
static inline void rig_start(struct rig *rig, unsigned tiles, unsigned slots) {
    memset(&puppet, 0, sizeof puppet);
    memset(rig, 0, sizeof *rig);
    puppet.places.n = PUPPET_PLACES;
    puppet.setup.seats = 6;
    puppet.setup.n_slots = (uint16_t)slots;
    for (unsigned i = 0; i < slots; i++)
        puppet.setup.slot_kind[i] = i < tiles ? RED : BLUE;
    hands_init(&rig->track, PUPPET_PLACES, slots);
    for (game_place p = 0; p < PUPPET_PLACES; p++)
        hands_sense(&rig->track, p, HANDS_KNOWN);
    for (unsigned i = 0; i < PUPPET_SLOTS; i++)
        rig->state.at[i] = i < tiles ? (game_place)i : HAND;
    for (game_slot i = 0; i < tiles; i++)
        hands_placed(&rig->track, i, i, GAME_FACE_ANY, 0, 0);
    hands_accept(&rig->track);
    rig->now_us = 1000000;
    struct error err;
    if (referee_create(&rig->referee, &err) != ERROR_OK)
        __builtin_trap();
}
static inline void rig_end(struct rig *rig) {
    referee_destroy(rig->referee);
}
static inline void rig_state(struct rig *rig) {
    referee_state(rig->referee, &puppet_game, &puppet.setup, &puppet.places, &rig->state);
}
static inline void lift(struct rig *rig, game_place place, game_slot slot) {
    hands_removed(&rig->track, place, slot, rig->now_us, rig->now_us);
    rig->now_us += 100000;
}
static inline void drop(struct rig *rig, game_place place, game_slot slot) {
    hands_placed(&rig->track, place, slot, GAME_FACE_ANY, rig->now_us, rig->now_us);
    rig->now_us += 100000;
}
static inline void wait_ms(struct rig *rig, int64_t ms) {
    rig->now_us += ms * 1000;
    hands_age(&rig->track, rig->now_us);
}
static inline void look(struct rig *rig, game_place place, game_slot slot) {
    lift(rig, place, slot);
    wait_ms(rig, 1500);
    drop(rig, place, slot);
}
static inline const struct verdict *judge(struct rig *rig) {
    referee_judge(rig->referee, &rig->track.now, &rig->verdict);
    return &rig->verdict;
}
static inline unsigned add_row(struct puppet_row row) {
    puppet.row[puppet.n_rows] = row;
    return puppet.n_rows++;
}
// Seats exchange the tiles of two places.
static inline unsigned add_swap(int by, game_place a, game_place b) {
    return add_row((struct puppet_row){.by = by, .n = 2, .move = {{a, a, b}, {b, b, a}}});
}
// The token `slot` from the hand, or a place, to a place.
static inline unsigned add_move(int by, game_slot slot, game_place from, game_place to) {
    return add_row((struct puppet_row){.by = by, .n = 1, .move = {{slot, from, to}}});
}
