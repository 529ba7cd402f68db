// What lies where, and what hands show (design 5.3; section 11).
#include "games/alien_hunt/alien_hunt.h"

// Value of board's CONTROL_MAP; games see of the daemon game.h alone.
enum { DONE_PIECE = 2 };

// ---- layout

// What every place needs to know, gathered in one walk: a layout is made for every action that is legal.
struct scan {
    uint16_t lifted; // bits: identities that somebody may look at
    uint8_t n[SEATS_MOST], n_removed;
    uint8_t received[SEATS_MOST][TOKENS_MOST], removed[TOKENS_MOST];
    bool home; // pieces go home before the President's card is handed on
};

static void scan(const struct alien_hunt *g, struct scan *ret) {
    ret->lifted = 0;
    ret->n_removed = 0;
    ret->home = g->phase == PHASE_SCORED;
    for (unsigned seat = 0; seat < g->seats; seat++) {
        ret->lifted |= g->look[seat];
        ret->n[seat] = 0;
    }
    for (unsigned token = 0; token < g->seats * TOKENS_EACH && !ret->home; token++) {
        unsigned at = g->at[token];
        if (at < SEATS_MOST)
            ret->received[at][ret->n[at]++] = (uint8_t)token;
        else if (at == AT_REMOVED)
            ret->removed[ret->n_removed++] = (uint8_t)token;
    }
}

static void lay_tokens(const struct alien_hunt *g, const uint8_t *tokens, unsigned n, game_place place,
                       struct game_layout *ret) {
    for (unsigned i = 0; i < n; i++)
        game_layout_slot(ret, place, alien_hunt__token_slot(g, tokens[i]),
                         g->revealed >> alien_hunt__token_owner(tokens[i]) & 1 ? GAME_FACE_UP
                                                                               : GAME_FACE_DOWN);
}

// An identity that somebody may look at is in the hand for as long as it takes.
static void lay_seat(const struct alien_hunt *g, const struct scan *has, unsigned seat,
                     struct game_layout *ret) {
    unsigned own = seat * TOKENS_EACH;
    if (g->character[seat] != NONE)
        game_layout_slot(ret, alien_hunt__place(seat, PLACE_CHARACTER), g->character[seat], GAME_FACE_UP);
    if (has->lifted >> seat & 1)
        game_layout_free(ret, alien_hunt__place(seat, PLACE_IDENTITY));
    else if (g->card[seat] != NONE && !has->home)
        game_layout_slot(ret, alien_hunt__place(seat, PLACE_IDENTITY),
                         alien_hunt__identity_slot(g->card[seat]),
                         g->revealed >> seat & 1 ? GAME_FACE_UP : GAME_FACE_DOWN);
    for (unsigned token = own; token < own + TOKENS_EACH; token++)
        if (has->home || g->at[token] == AT_RESERVE)
            game_layout_slot(ret, alien_hunt__place(seat, PLACE_RESERVE), alien_hunt__token_slot(g, token),
                             GAME_FACE_DOWN);
    lay_tokens(g, has->received[seat], has->n[seat], alien_hunt__place(seat, PLACE_RECEIVED), ret);
    game_layout_free(ret, alien_hunt__place(seat, PLACE_ABILITY));
}

static uint16_t cards_used(const struct alien_hunt *g) {
    uint16_t used = g->discarded;
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->card[seat] != NONE)
            used |= (uint16_t)(1u << g->card[seat]);
    for (unsigned i = 0; i < CENTRE_CARDS; i++)
        if (g->centre[i] != NONE)
            used |= (uint16_t)(1u << g->centre[i]);
    return used;
}

// Between the rounds the deck is a stack in somebody's hand; in the round it holds the alien left out.
static void lay_deck(const struct alien_hunt *g, struct game_layout *ret) {
    if (g->phase <= PHASE_DEAL || g->phase == PHASE_SCORED) {
        game_layout_free(ret, alien_hunt__centre(g, CENTRE_DECK));
        return;
    }
    for (uint32_t left = ~(uint32_t)cards_used(g) & ((1u << g->n_identities) - 1); left; left &= left - 1)
        game_layout_slot(ret, alien_hunt__centre(g, CENTRE_DECK),
                         alien_hunt__identity_slot((unsigned)__builtin_ctz(left)), GAME_FACE_DOWN);
}

static void lay_centre(const struct alien_hunt *g, const struct scan *has, struct game_layout *ret) {
    for (unsigned i = 0; i < CENTRE_CARDS && !has->home; i++)
        if (g->centre[i] != NONE)
            game_layout_slot(ret, alien_hunt__centre(g, CENTRE_UNDEALT + i),
                             alien_hunt__identity_slot(g->centre[i]), GAME_FACE_DOWN);
    for (uint32_t left = has->home ? 0 : g->discarded; left; left &= left - 1)
        game_layout_slot(ret, alien_hunt__centre(g, CENTRE_DISCARDED),
                         alien_hunt__identity_slot((unsigned)__builtin_ctz(left)), GAME_FACE_UP);
    lay_tokens(g, has->removed, has->n_removed, alien_hunt__centre(g, CENTRE_REMOVED), ret);
    if (g->phase == PHASE_SETUP)
        game_layout_free(ret, alien_hunt__centre(g, CENTRE_POOL));
    for (uint32_t left = g->phase == PHASE_SETUP ? 0 : g->pool; left; left &= left - 1)
        game_layout_slot(ret, alien_hunt__centre(g, CENTRE_POOL), (game_slot)__builtin_ctz(left),
                         GAME_FACE_DOWN);
    game_layout_free(ret, alien_hunt__centre(g, CENTRE_ALERT));
    lay_deck(g, ret);
}

void alien_hunt_layout(const void *state, struct game_layout *ret) {
    const struct alien_hunt *g = alien_hunt__state(state);
    struct scan has;
    game_layout_clear(ret);
    if (g->phase == PHASE_GAME_OVER) {
        for (unsigned place = 0; place < g->seats * PLACES_EACH + (unsigned)CENTRE_PLACES; place++)
            game_layout_free(ret, (game_place)place);
        return;
    }
    scan(g, &has);
    for (unsigned seat = 0; seat < g->seats; seat++)
        lay_seat(g, &has, seat, ret);
    lay_centre(g, &has, ret);
}

// ---- proofs: the movement of hands alone; what the rules draw from it comes after

static void need(struct game_proof *ret, uint8_t type, game_place place, uint16_t what) {
    ret->needed[ret->n_needed++] = (struct game_visit){type, place, what};
}
static void allow(struct game_proof *ret, uint8_t type, game_place place, uint16_t what) {
    ret->allowed[ret->n_allowed++] = (struct game_visit){type, place, what};
}

static void need_tap(const struct alien_hunt *g, unsigned by, unsigned seat, struct game_proof *ret) {
    if (seat < g->seats)
        need(ret, GAME_TOUCH, alien_hunt__place(seat, PLACE_ABILITY), g->character[by]);
}

// The card is tapped at the own spot, then at the spot of each seat that the ability names: of the copied
// card first. Back on its place it is judged.
static void need_taps(const struct alien_hunt *g, unsigned by, const struct alien_hunt_action *act,
                      struct game_proof *ret) {
    need_tap(g, by, by, ret);
    for (unsigned seat = 0; seat < g->seats && act->copy != NO_COPY; seat++)
        if (g->character[seat] == act->copy)
            need_tap(g, by, seat, ret);
    need_tap(g, by, act->target, ret);
    need_tap(g, by, act->to, ret);
    allow(ret, GAME_LOOK, alien_hunt__place(by, PLACE_CHARACTER), g->character[by]);
}

static void prove_ability(struct alien_hunt *after, unsigned by, const struct alien_hunt_action *act,
                          struct game_proof *ret) {
    unsigned ability = act->copy == NO_COPY ? after->character[by] : act->copy;
    need_taps(after, by, act, ret);
    for (unsigned i = 0; i < CENTRE_CARDS && ability == POLICEMAN; i++) {
        unsigned at = act->picks >> i & 1 ? alien_hunt__picked_card(after, i) : CENTRE_CARDS;
        if (at < CENTRE_CARDS)
            need(ret, GAME_LOOK, alien_hunt__centre(after, CENTRE_UNDEALT + at),
                 alien_hunt__identity_slot(after->centre[at]));
    }
    if (ability == POLICEMAN)
        need(ret, GAME_CONTROL, alien_hunt__place(by, PLACE_ABILITY), DONE_PIECE);
    unsigned at = ability == ILLUSIONIST && act->picks
                      ? alien_hunt__picked_card(after, (unsigned)__builtin_ctz(act->picks))
                      : CENTRE_CARDS;
    if (at < CENTRE_CARDS) {
        after->discarded |= (uint16_t)(1u << after->card[by]);
        after->card[by] = after->centre[at];
        after->centre[at] = NONE;
    }
}

// Which action token did it follows from the pads. Two on one seat are equal and the lower one is spent; the
// other is named by tapping it at the own spot.
static void prove_resolve(struct alien_hunt *after, unsigned by, const struct alien_hunt_action *act,
                          struct game_proof *ret) {
    int pick = alien_hunt__named(after, act->owner, act->order);
    for (unsigned lower = by * TOKENS_EACH; lower < act->token; lower++)
        if (after->pending >> lower & 1 && after->at[lower] == after->at[act->token] && (int)lower != pick)
            need(ret, GAME_TOUCH, alien_hunt__place(by, PLACE_ABILITY),
                 alien_hunt__token_slot(after, act->token));
    if (pick >= 0)
        alien_hunt__carry_out(after, act->token, (unsigned)pick, act->to);
}

static void prove_hand_on(struct alien_hunt *after) {
    unsigned old = after->president, new = alien_hunt__clockwise(after, old, after->seats - 1u);
    after->character[old] = after->pool ? NONE : after->character[new];
    after->character[new] = PRESIDENT;
}

static void prove_deal(struct alien_hunt *after, const struct alien_hunt_action *act) {
    uint8_t card = (uint8_t)(act->what - CHARACTER_KINDS);
    unsigned seats = after->seats * (unsigned)PLACES_EACH;
    if (act->place < seats)
        after->card[act->place / PLACES_EACH] = card;
    else
        after->centre[act->place - seats - CENTRE_UNDEALT] = card;
}

static void prove_looked(const struct alien_hunt *g, const struct alien_hunt_action *act,
                         struct game_proof *ret) {
    unsigned seat = act->place / PLACES_EACH;
    bool card = act->place % PLACES_EACH == PLACE_IDENTITY && g->card[seat] != NONE;
    need(ret, GAME_LOOK, act->place, card ? alien_hunt__identity_slot(g->card[seat]) : (uint16_t)GAME_NONE);
}

static void prove(struct alien_hunt *after, unsigned by, const struct alien_hunt_action *act,
                  struct game_proof *ret) {
    switch (act->verb) {
    case VERB_CHARACTER:
        after->character[act->target] = (uint8_t)act->what;
        break;
    case VERB_DEAL:
        prove_deal(after, act);
        break;
    case VERB_DRAW:
        after->character[after->drawing] = (uint8_t)act->what;
        after->pool = (uint16_t)((after->pool & ~(1u << act->what)) | 1u << after->given_up);
        break;
    case VERB_ASSIGN:
        after->at[act->token] = act->to;
        break;
    case VERB_REASSIGN:
        if (act->copy != NO_COPY)
            need_taps(after, by, act, ret);
        for (unsigned i = 0; i < TOKENS_EACH && act->move[i].token != NO_TOKEN; i++)
            after->at[act->move[i].token] = act->move[i].to;
        break;
    case VERB_ABILITY:
        prove_ability(after, by, act, ret);
        break;
    case VERB_DECLARE_ALERT:
        need(ret, GAME_TOUCH, alien_hunt__centre(after, CENTRE_ALERT), PRESIDENT);
        allow(ret, GAME_LOOK, alien_hunt__place(by, PLACE_CHARACTER), PRESIDENT);
        break;
    case VERB_RESOLVE:
        prove_resolve(after, by, act, ret);
        break;
    case VERB_PASS_PRESIDENCY:
        prove_hand_on(after);
        break;
    case VERB_LOOKED:
        prove_looked(after, act, ret);
        break;
    case VERB_PASS_ABILITY:
    case VERB_PEEK:
    case VERB_DONE:
        need(ret, GAME_CONTROL, alien_hunt__place(by, PLACE_ABILITY), DONE_PIECE);
        break;
    default: // a structured question comes from the asker's own channel, a reminder from the clock
        break;
    }
}

void alien_hunt_proof(const void *state, int by, game_action action, struct game_proof *ret) {
    struct alien_hunt after = *alien_hunt__state(state);
    struct alien_hunt_action act;
    ret->n_needed = ret->n_allowed = 0;
    if (alien_hunt__unpack(action, &act))
        prove(&after, (unsigned)by, &act, ret);
    alien_hunt_layout(&after, &ret->layout);
}
