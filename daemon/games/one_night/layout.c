// What lies where (design 5.3) and what hands show when they do something.
#include "games/one_night/one_night.h"

// Values of board's CONTROL_MAP; games see of the daemon game.h alone.
enum { START_PIECE = 1, DONE_PIECE = 2, YES_PIECE = 3, NO_PIECE = 4, PLUS_PIECE = 5, ABSENT_PIECE = 10 };

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
        bool taps = g->phase == PHASE_DAY && one_night__may_open(g);
        if (g->rules.ballot == BALLOT_TAPPED || g->phase == PHASE_REVEAL || taps) {
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
    // While cards are dealt it may come at any time; the night begins with it (proof of `begin`).
    bool over = g->phase == PHASE_REVEAL || g->phase == PHASE_DEAL;
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

// Each before its player, face down; what lies in tray and supply is nobody's business.
static void lay_marks(const struct one_night *g, struct game_layout *ret) {
    bool over = g->phase == PHASE_REVEAL;
    for (unsigned s = 0; s < g->seats; s++) {
        game_place at = one_night__mark_place(g, s);
        if (over)
            game_layout_free(ret, at);
        else if (g->mark_piece[s] != CARD_NONE)
            game_layout_slot(ret, at, (game_slot)(g->first_mark_slot + g->mark_piece[s]), GAME_FACE_DOWN);
    }
    game_layout_free(ret, one_night__mark_place(g, g->seats));
}

static void lay_artifacts(const struct one_night *g, struct game_layout *ret) {
    bool over = g->phase == PHASE_REVEAL;
    for (unsigned s = 0; s < g->seats; s++) {
        game_place at = one_night__artifact_place(g, s);
        if (over)
            game_layout_free(ret, at);
        else if (g->artifact[s] != ARTIFACT_NONE)
            game_layout_slot(ret, at, (game_slot)(g->first_artifact_slot + g->artifact[s]), GAME_FACE_DOWN);
    }
    game_layout_free(ret, one_night__artifact_place(g, g->seats));
}

// A number token that lies there names the device; before the vote anything may lie there.
static void lay_answer(const struct one_night *g, struct game_layout *ret) {
    bool device = g->phase == PHASE_VOTE && g->rules.ballot == BALLOT_ON_PAD &&
                  one_night__variant(g, DRAW_RIPPLE) == VARIANT_RIPPLE_VOTEAPP;
    if (!device)
        game_layout_free(ret, g->place_answer);
    for (unsigned s = 0; s < g->seats && device; s++)
        if (g->vote[s] == VOTE_APP)
            game_layout_slot(ret, g->place_answer, one_night__token_slot(g, s), GAME_FACE_ANY);
}

void one_night_layout(const void *state, struct game_layout *ret) {
    const struct one_night *g = one_night__state(state);
    // With numbered ballots the tiles are slid off their pads at the vote (design 5.6).
    bool slid = g->phase == PHASE_VOTE && g->rules.ballot == BALLOT_OWN_PAD;
    game_layout_clear(ret);
    bool open = g->phase == PHASE_REVEAL; // nothing is asked of hands
    for (unsigned p = 0; p < g->n_positions; p++) {
        if (open || (slid && p < g->seats))
            game_layout_free(ret, (game_place)p);
        else if (g->at[p] != CARD_NONE)
            game_layout_slot(ret, (game_place)p, g->at[p], g->face[g->at[p]] ? GAME_FACE_UP : GAME_FACE_DOWN);
    }
    lay_ballots(g, ret);
    lay_shields(g, ret);
    if (g->place_k)
        lay_marks(g, ret);
    if (g->place_a)
        lay_artifacts(g, ret);
    if (g->place_answer)
        lay_answer(g, ret);
    for (unsigned c = 0; g->place_t && c < g->n_centre; c++)
        game_layout_free(ret, (game_place)(g->place_t + c));
}

static void need(struct game_proof *ret, uint8_t type, game_place place, uint16_t what) {
    ret->needed[ret->n_needed++] = (struct game_visit){type, place, what};
}
static void allow(struct game_proof *ret, uint8_t type, game_place place, uint16_t what) {
    ret->allowed[ret->n_allowed++] = (struct game_visit){type, place, what};
}

// The piece that lies at a place of cards, marks or artifacts.
static uint16_t piece_at(const struct one_night *g, int place) {
    if (place < g->n_positions)
        return g->at[place];
    if (g->place_k && place >= g->place_k && place < g->place_k + g->seats)
        return (uint16_t)(g->first_mark_slot + g->mark_piece[place - g->place_k]);
    return (uint16_t)(g->first_artifact_slot + g->artifact[place - g->place_a]);
}

static void proof_view(const struct one_night *g, game_action action, struct game_proof *ret) {
    for (unsigned i = 0; i < 3; i++) {
        int place = one_night__arg(action, i);
        if (place >= 0)
            need(ret, GAME_LOOK, (game_place)place, piece_at(g, place));
    }
}

// The card is read in the hand or after landing: allowed to the one who gets it, never asked for (ON14).
static void proof_swap(const struct one_night *g, int by, game_action action, struct game_proof *ret) {
    bool held;
    const struct one_night_act *act = one_night__act_of(g, (unsigned)by, action, &held);
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    int own = a < g->n_positions ? by : one_night__mark_place(g, (unsigned)by);
    if (act && (act->flags & ACT_SEES))
        allow(ret, GAME_LOOK, (game_place)own, piece_at(g, a == own ? b : a));
    if (act && (act->flags & ACT_READS)) {
        int read = one_night__read_place(g, (unsigned)by, held ? g->step - 1u : g->step, act, action);
        allow(ret, GAME_LOOK, (game_place)read, piece_at(g, read));
    }
}

// By control pieces, or by number tokens that touch the answer pad: an even number is also a word (5.1).
static void proof_answer(const struct one_night *g, int answer, struct game_proof *ret) {
    if (answer <= ANSWER_YES)
        need(ret, GAME_CONTROL, GAME_NONE, answer == ANSWER_YES ? YES_PIECE : NO_PIECE);
    else if (answer == ANSWER_EVEN || answer == ANSWER_ODD)
        need(ret, GAME_TOUCH, g->place_answer, one_night__token_slot(g, answer == ANSWER_EVEN ? 1 : 0));
    else if (answer - ANSWER_1 < g->seats && g->rules.ballot != BALLOT_OWN_PAD)
        need(ret, GAME_TOUCH, g->place_answer, one_night__token_slot(g, (unsigned)(answer - ANSWER_1)));
}

// No pad feels a tapped fist: the number token of its player touches the answer pad (evenings N11).
static void proof_convert(const struct one_night *g, int seat, struct game_proof *ret) {
    if (g->rules.ballot != BALLOT_OWN_PAD)
        need(ret, GAME_TOUCH, g->place_answer, one_night__token_slot(g, (unsigned)seat));
}

static game_slot own_piece(const struct one_night *g, int seat) {
    if (g->rules.ballot != BALLOT_OWN_PAD)
        return one_night__token_slot(g, (unsigned)seat);
    return one_night__ballot_slot(g, (unsigned)seat, seat ? 0 : 1);
}

// Slips are told apart by what they left: an exchange put back shows two rests on the other's place.
static void proof_slip(const struct one_night *g, game_action action, struct game_proof *ret) {
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (one_night__verb(action) == VERB_SLIP_LOOK)
        need(ret, GAME_LOOK, (game_place)a, piece_at(g, a));
    if (one_night__verb(action) == VERB_SLIP_BACK) {
        need(ret, GAME_REST, (game_place)a, piece_at(g, b));
        need(ret, GAME_REST, (game_place)b, piece_at(g, a));
    }
}

// In the open a look or a wrong tap before the act does not spoil it: they were answered on their own.
static void allow_open(const struct one_night *g, struct game_proof *ret) {
    allow(ret, GAME_LOOK, GAME_NONE, GAME_NONE);
    if (g->phase == PHASE_VOTE && g->rules.ballot != BALLOT_OWN_PAD)
        for (unsigned s = 0; s < g->seats; s++)
            allow(ret, GAME_TOUCH, one_night__vote_place(g, s), one_night__token_slot(g, s));
}

// A token lies once: of a ballot with two hands the first lies, the second is touched with `plus`.
static void proof_second_hand(const struct one_night *g, int by, int b, struct game_proof *ret) {
    need(ret, GAME_CONTROL, GAME_NONE, PLUS_PIECE);
    if (g->rules.ballot == BALLOT_OWN_PAD && b != by)
        need(ret, GAME_TOUCH, GAME_NONE, one_night__ballot_slot(g, (unsigned)by, (unsigned)b));
    else if (g->rules.ballot != BALLOT_OWN_PAD)
        need(ret, GAME_TOUCH, one_night__vote_place(g, (unsigned)b), one_night__token_slot(g, (unsigned)by));
}

static void proof_vote(const struct one_night *g, int by, game_action action, struct game_proof *ret) {
    allow_open(g, ret);
    struct one_night after = *g;
    int target = one_night__arg(action, 0), second = one_night__arg(action, 1);
    bool device = one_night__verb(action) == VERB_VOTE_APP;
    after.vote[by] = device ? VOTE_APP : one_night__verb(action) == VERB_UNVOTE ? SEAT_NONE : (uint8_t)target;
    one_night_layout(&after, &ret->layout);
    if (second >= 0)
        proof_second_hand(g, by, second, ret);
    if (device && g->rules.ballot == BALLOT_TAPPED)
        need(ret, GAME_TOUCH, g->place_answer, one_night__token_slot(g, (unsigned)by));
    else if (g->rules.ballot == BALLOT_TAPPED)
        need(ret, GAME_TOUCH, one_night__vote_place(g, (unsigned)target),
             one_night__token_slot(g, (unsigned)by));
}

static void proof_visits(const struct one_night *g, int by, game_action action, struct game_proof *ret) {
    int a = one_night__arg(action, 0);
    switch (one_night__verb(action)) {
    case VERB_BEGIN:
        need(ret, GAME_CONTROL, GAME_NONE, START_PIECE);
        break;
    case VERB_END_DAY:
    case VERB_DONE:
    case VERB_TAP_BALLOTS:
        need(ret, GAME_CONTROL, GAME_NONE, DONE_PIECE);
        break;
    case VERB_VIEW:
    case VERB_COPY:
    case VERB_FLIP:
    case VERB_FLIPBACK:
        proof_view(g, action, ret);
        break;
    case VERB_SWAP:
        proof_swap(g, by, action, ret);
        break;
    case VERB_ANSWER:
        proof_answer(g, a, ret);
        break;
    case VERB_CONVERT:
        proof_convert(g, a, ret);
        break;
    case VERB_ABSENT:
    case VERB_BACK:
        need(ret, GAME_CONTROL | GAME_FIRST, GAME_NONE, ABSENT_PIECE);
        need(ret, GAME_TOUCH, GAME_NONE, own_piece(g, a));
        break;
    case VERB_OPEN: // by any token, at the place beside the card's
        need(ret, GAME_TOUCH,
             a < g->seats ? one_night__vote_place(g, (unsigned)a) : (game_place)(g->place_t + a - g->seats),
             GAME_NONE);
        break;
    case VERB_SLIP_SWAP:
    case VERB_SLIP_BACK:
    case VERB_SLIP_LOOK:
        proof_slip(g, action, ret);
        break;
    default:
        break;
    }
}

// Before the night: what a deal or an exchange leaves.
static void after_deal(const struct one_night *g, unsigned verb, int a, int b, struct one_night *after) {
    bool mark = a >= g->n_positions;
    uint8_t *lies = mark ? after->mark_piece : after->at;
    const uint8_t *lay = mark ? g->mark_piece : g->at;
    int first = mark ? g->place_k : 0;
    if (verb == VERB_DEAL) {
        lies[a - first] = (uint8_t)(mark ? b - g->first_mark_slot : b);
        return;
    }
    lies[a - first] = lay[b - first];
    lies[b - first] = lay[a - first];
}

// Legal actions and the mistakes alike: nothing is applied here that the rules refuse.
void one_night_proof(const void *state, int by, game_action action, struct game_proof *ret) {
    const struct one_night *g = one_night__state(state);
    unsigned verb = one_night__verb(action);
    ret->n_needed = ret->n_allowed = 0;
    if (verb == VERB_VOTE || verb == VERB_UNVOTE || verb == VERB_VOTE_APP) {
        proof_vote(g, by, action, ret);
        return;
    }
    struct one_night after = *g;
    if (verb == VERB_DEAL || verb == VERB_REDEAL)
        after_deal(g, verb, one_night__arg(action, 0), one_night__arg(action, 1), &after);
    else if (g->phase == PHASE_NIGHT)
        one_night__night_apply(&after, by, action, NULL, NULL);
    if (verb == VERB_BEGIN)
        after.phase = PHASE_NIGHT;
    one_night_layout(&after, &ret->layout);
    if (g->phase != PHASE_NIGHT)
        allow_open(g, ret);
    proof_visits(g, by, action, ret);
}
