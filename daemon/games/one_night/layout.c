// What lies where (design 5.3) and what hands show when they do something.
#include "games/one_night/one_night.h"

// Values of board's CONTROL_MAP; games see of the daemon game.h alone.
enum { START_PIECE = 1, DONE_PIECE = 2 };

game_slot one_night__token_slot(const struct one_night *g, unsigned seat) {
    return (game_slot)(g->n_cards + seat);
}
game_slot one_night__ballot_slot(const struct one_night *g, unsigned voter, unsigned target) {
    unsigned skip = target > voter ? 1 : 0;
    return (game_slot)(g->n_cards + voter * (g->seats - 1u) + target - skip);
}

// The token that lies at a seat's vote place, GAME_NONE = none; at most one voter chose a place last, so the
// callers walk all voters.
static void lay_ballots(const struct one_night *g, struct game_layout *ret) {
    for (unsigned place = 0; place < g->seats; place++) {
        game_place at = one_night__vote_place(g, place);
        if (g->rules.ballot == BALLOT_TAPPED || g->phase == PHASE_REVEAL) {
            game_layout_free(ret, at);
            continue;
        }
        for (unsigned voter = 0; voter < g->seats; voter++) {
            if (g->vote[voter] == SEAT_NONE)
                continue;
            if (g->rules.ballot == BALLOT_ON_PAD && g->vote[voter] == place)
                game_layout_slot(ret, at, one_night__token_slot(g, voter), GAME_FACE_ANY);
            if (g->rules.ballot == BALLOT_OWN_PAD && voter == place)
                game_layout_slot(ret, at, one_night__ballot_slot(g, voter, g->vote[voter]), GAME_FACE_ANY);
        }
    }
}

static void lay_shields(const struct one_night *g, struct game_layout *ret) {
    unsigned laid = (unsigned)__builtin_popcount(g->shielded), all = one_night__shield_count(g->roles);
    bool over = g->phase == PHASE_REVEAL;
    for (unsigned s = 0; s < g->seats && all; s++) {
        game_place at = one_night__shield_place(g, s);
        if (over)
            game_layout_free(ret, at);
        else if (g->shielded >> s & 1)
            game_layout_kind(ret, at, KIND_SHIELD, 1, GAME_FACE_ANY);
    }
    if (all && over)
        game_layout_free(ret, one_night__shield_rest(g));
    else if (laid < all)
        game_layout_kind(ret, one_night__shield_rest(g), KIND_SHIELD, all - laid, GAME_FACE_ANY);
}

void one_night_layout(const void *state, struct game_layout *ret) {
    const struct one_night *g = one_night__state(state);
    // With numbered ballots the tiles are slid off their pads at the vote (design 5.6).
    bool slid = g->phase == PHASE_VOTE && g->rules.ballot == BALLOT_OWN_PAD;
    game_layout_clear(ret);
    for (unsigned p = 0; p < g->n_positions; p++) {
        if (g->phase == PHASE_REVEAL || (slid && p < g->seats))
            game_layout_free(ret, (game_place)p);
        else if (g->at[p] != CARD_NONE)
            game_layout_slot(ret, (game_place)p, g->at[p], g->face[g->at[p]] ? GAME_FACE_UP : GAME_FACE_DOWN);
    }
    lay_ballots(g, ret);
    lay_shields(g, ret);
}

static void need(struct game_proof *ret, uint8_t type, game_place place, uint16_t what) {
    ret->needed[ret->n_needed++] = (struct game_visit){type, place, what};
}
static void allow(struct game_proof *ret, uint8_t type, game_place place, uint16_t what) {
    ret->allowed[ret->n_allowed++] = (struct game_visit){type, place, what};
}

static void proof_view(const struct one_night *g, game_action action, struct game_proof *ret) {
    for (unsigned i = 0; i < 3; i++) {
        int place = one_night__arg(action, i);
        if (place >= 0)
            need(ret, GAME_LOOK, (game_place)place, g->at[place]);
    }
}

// The card is read in the hand or after landing: allowed to the one who gets it, never asked for (ON14).
static void proof_swap(const struct one_night *g, int by, game_action action, struct game_proof *ret) {
    bool held;
    const struct one_night_act *act = one_night__act_of(g, (unsigned)by, action, &held);
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (act && (act->flags & ACT_SEES))
        allow(ret, GAME_LOOK, (game_place)by, g->at[a == by ? b : a]);
    int centre = a < g->seats ? b : a;
    if (act && (act->flags & ACT_READS))
        allow(ret, GAME_LOOK, (game_place)centre, g->at[centre]);
}

// Slips are told apart by what they left: an exchange put back shows two rests on the other's place.
static void proof_slip(const struct one_night *g, game_action action, struct game_proof *ret) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (one_night__verb(action) == VERB_SLIP_LOOK)
        need(ret, GAME_LOOK, (game_place)a, g->at[a]);
    if (one_night__verb(action) == VERB_SLIP_BACK) {
        need(ret, GAME_REST, (game_place)a, g->at[b]);
        need(ret, GAME_REST, (game_place)b, g->at[a]);
    }
}

// In the open a look or a wrong tap before the act does not spoil it: they were answered on their own.
static void allow_open(const struct one_night *g, struct game_proof *ret) {
    allow(ret, GAME_LOOK, GAME_NONE, GAME_NONE);
    if (g->phase == PHASE_VOTE && g->rules.ballot != BALLOT_OWN_PAD)
        for (unsigned s = 0; s < g->seats; s++)
            allow(ret, GAME_TOUCH, one_night__vote_place(g, s), one_night__token_slot(g, s));
}

static void proof_vote(const struct one_night *g, int by, game_action action, struct game_proof *ret) {
    allow_open(g, ret);
    struct one_night after = *g;
    int target = one_night__arg(action, 0);
    after.vote[by] = one_night__verb(action) == VERB_UNVOTE ? SEAT_NONE : (uint8_t)target;
    one_night_layout(&after, &ret->layout);
    if (g->rules.ballot == BALLOT_TAPPED)
        need(ret, GAME_TOUCH, one_night__vote_place(g, (unsigned)target),
             one_night__token_slot(g, (unsigned)by));
}

// Legal actions and the mistakes alike: nothing is applied here that the rules refuse.
void one_night_proof(const void *state, int by, game_action action, struct game_proof *ret) {
    const struct one_night *g = one_night__state(state);
    unsigned verb = one_night__verb(action);
    ret->n_needed = ret->n_allowed = 0;
    if (verb == VERB_VOTE || verb == VERB_UNVOTE) {
        proof_vote(g, by, action, ret);
        return;
    }
    struct one_night after = *g;
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (verb == VERB_DEAL) {
        after.at[a] = (uint8_t)b;
    } else if (verb == VERB_REDEAL) {
        after.at[a] = g->at[b];
        after.at[b] = g->at[a];
    } else if (g->phase == PHASE_NIGHT) {
        one_night__night_apply(&after, by, action, NULL, NULL);
    }
    one_night_layout(&after, &ret->layout);
    if (g->phase != PHASE_NIGHT)
        allow_open(g, ret);
    if (verb == VERB_BEGIN)
        need(ret, GAME_CONTROL, GAME_NONE, START_PIECE);
    else if (verb == VERB_END_DAY || verb == VERB_DONE)
        need(ret, GAME_CONTROL, GAME_NONE, DONE_PIECE);
    else if (verb == VERB_VIEW || verb == VERB_COPY || verb == VERB_FLIP || verb == VERB_FLIPBACK)
        proof_view(g, action, ret);
    else if (verb == VERB_SWAP)
        proof_swap(g, by, action, ret);
    else if (verb >= VERB_SLIP_SWAP && verb <= VERB_SLIP_LOOK)
        proof_slip(g, action, ret);
}
