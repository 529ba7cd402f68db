// The referee: compares what hands did with what each legal action would show (design 4, 5.3). It knows no
// game. After a state change the proofs of all legal actions are computed once, lazily, and kept as their
// differences from the layout; judging a board walks those. Pure beside its cache: no clock, no I/O.
#pragma once
#include "engine/game.h"
#include "engine/hands.h"
#include <stdbool.h>
#include <stdint.h>

enum verdict_type {
    VERDICT_SAME,      // seen = layout; no visit asks for anything
    VERDICT_EXPLAINED, // one action fits, or two in sequence
    VERDICT_PARTIAL,   // seen lies between the layout and some proof, or a piece is in the air
    VERDICT_CHOICE,    // several fit
    VERDICT_WRONG,     // nothing fits
    VERDICT_BLIND,     // a needed place is unknown
};

struct verdict_action {
    int by;
    game_action action;
};
// As many candidates as a choice has options: none that fits may be missing.
enum { VERDICT_CANDIDATES_MAX = OBSERVE_OPTIONS_MAX, VERDICT_REPAIRS_MAX = 8 };

struct verdict_repair {
    game_place take, put; // GAME_NONE = hand
    game_slot slot;       // what to move; GAME_NONE = not to be named more closely
};
struct verdict {
    enum verdict_type type;
    uint8_t n_actions; // explained: 1 or 2, in order; choice: the candidates
    struct verdict_action action[VERDICT_CANDIDATES_MAX];
    bool extends;      // explained, but another proof goes on from here: wait for stillness.
                       // partial: on the way to a legal action, not only a piece in the air
    bool closed;       // wrong: a gesture that closes an action said so; it is spent when that is told
    bool uninvited;    // same or explained, but somebody looked where nobody may: a reminder in open phases
    game_place looked; // then: where
    char rule[GAME_WORD_MAX]; // wrong: the rule a mistake breaks, or misplaced missing unknown_piece.
                              // same: the rule of a mistake that left nothing behind, "" = none
    char text[160];           // wrong, same: a sentence about it, "" = none
    uint8_t n_places;
    game_place places[VERDICT_REPAIRS_MAX]; // wrong, blind: where; partial: what lies wrong yet
    uint8_t n_repairs;
    struct verdict_repair repairs[VERDICT_REPAIRS_MAX]; // wrong, follow: fewest steps, ties by place order
};

struct referee;
enum error_code referee_create(struct referee **ret, struct error *err);
void referee_destroy(struct referee *referee); // NULL allowed
// The state changed (or another game began): forget the proofs. state is borrowed until the next call.
void referee_state(struct referee *referee, const struct game *game, const struct game_setup *setup,
                   const struct game_places *places, const void *state);
// Open and sealed phases. look_ms etc. have been applied when the visits were made.
void referee_judge(struct referee *referee, const struct hands *hands, struct verdict *ret);
// After a change by wire, undo or timer: only moves towards the layout are right. VERDICT_SAME when there;
// PARTIAL with repairs on the way; WRONG with repairs for a move away. `before` = the hands when following
// began.
void referee_follow(struct referee *referee, const struct hands *before, const struct hands *hands,
                    struct verdict *ret);
// A piece has been lifted from this place: does that begin a look that the rules refuse, while no legal
// action changes or visits the place (AH4)? Sets rule and text.
bool referee_forbids_look(struct referee *referee, game_place place, game_slot slot, struct verdict *ret);
// The shortest way from what lies there to the layout. Returns the number written (at most
// VERDICT_REPAIRS_MAX).
unsigned referee_repairs(struct referee *referee, const struct hands *hands,
                         struct verdict_repair ret[VERDICT_REPAIRS_MAX]);
// Dark phases: of the legal actions of these actors (seats of the phase's turn, or GAME_BY_TABLE alone) the
// one that explains most of the lasting change, then most needed visits, then the earliest, then the lowest
// (design 5.6). A seat's action must agree on every known place it changes, one by `table` only must not make
// more differ: so a ring of three is two slips (ON8). *ret_used marks the visits it takes (bit per index of
// hands->visit) and no seats; it may be `taken`. False: none explains anything.
struct referee_use {
    uint64_t visit[HANDS_VISITS_MAX / 64];
    uint16_t without; // as `taken`: seats that are not asked
};
bool referee_best(struct referee *referee, bool by_table, const struct hands *hands,
                  const struct referee_use *taken, struct verdict_action *ret, struct referee_use *ret_used);
// Number of places where seen differs from the layout, unknown and unsensed ones left out.
unsigned referee_distance(struct referee *referee, const struct hands *hands);
