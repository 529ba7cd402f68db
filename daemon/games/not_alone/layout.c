// What lies where (12), and what hands show when they do something (12, 12.1). A proof holds the actor's own
// moves alone; what the state then demands of others, prompts ask for.
#include "games/not_alone/not_alone.h"

// ---- the layout

static void lay_hunt_cards(const struct not_alone *s, struct game_layout *ret) {
    for (unsigned i = 0; i < s->n_played; i++)
        game_layout_slot(ret, TABLE_C_HUNT, not_alone__hunt_slot(s, s->hunt_played[i]), GAME_FACE_ANY);
    for (unsigned left = s->hunt_deck; left; left &= left - 1)
        game_layout_slot(ret, TABLE_HUNT_DECK, not_alone__hunt_slot(s, not_alone__lowest(left)),
                         GAME_FACE_ANY);
    for (unsigned i = 0; i < s->n_under; i++)
        game_layout_slot(ret, TABLE_HUNT_DECK, not_alone__hunt_slot(s, s->under[i]), GAME_FACE_ANY);
    for (unsigned i = 0; i < s->n_discard; i++)
        game_layout_slot(ret, TABLE_HUNT_DISCARD, not_alone__hunt_slot(s, s->hunt_discard[i]), GAME_FACE_ANY);
}

static void lay_survival_cards(const struct not_alone *s, struct game_layout *ret) {
    unsigned out = 0; // played this turn: still on its owner's pad
    for (unsigned k = 0; k < s->n; k++)
        if (s->h[k].played)
            out |= PLACE_BIT(s->h[k].played);
    for (unsigned left = s->survival_deck; left; left &= left - 1)
        game_layout_slot(ret, TABLE_SURVIVAL_DECK, not_alone__survival_slot(s, not_alone__lowest(left)),
                         GAME_FACE_ANY);
    for (unsigned i = 0; i < s->n_survival_discard; i++)
        if (!(out >> s->survival_discard[i] & 1))
            game_layout_slot(ret, TABLE_SURVIVAL_DISCARD, not_alone__survival_slot(s, s->survival_discard[i]),
                             GAME_FACE_ANY);
    for (unsigned k = 0; k < s->n; k++)
        if (s->h[k].answer_card)
            game_layout_slot(ret, TABLE_SURVIVAL_DISCARD, not_alone__survival_slot(s, s->h[k].answer_card),
                             GAME_FACE_ANY);
}

static void lay_set(const struct not_alone *s, unsigned hunted, unsigned set, game_place place,
                    struct game_layout *ret) {
    for (unsigned left = set; left; left &= left - 1)
        game_layout_slot(ret, place, not_alone__card_slot(s, hunted, not_alone__lowest(left)), GAME_FACE_ANY);
}

static void lay_hunted(const struct not_alone *s, unsigned k, struct game_layout *ret) {
    const struct not_alone_hunted *h = &s->h[k];
    for (unsigned i = 0; i < SLOTS_LAID; i++) // face up counts too (NA8)
        if (h->laid[i].card && !h->laid[i].home)
            lay_set(s, k, PLACE_BIT(h->laid[i].card), not_alone__spot(k, i ? SPOT_PLAY_B : SPOT_PLAY_A), ret);
    lay_set(s, k, h->discard | h->answer, not_alone__spot(k, SPOT_DISCARD), ret);
    if (h->played)
        game_layout_slot(ret, not_alone__spot(k, SPOT_SURVIVAL), not_alone__survival_slot(s, h->played),
                         GAME_FACE_ANY);
    unsigned will = h->will - (h->answer_will && h->will);
    if (will)
        game_layout_kind(ret, not_alone__spot(k, SPOT_WILL), KIND_WILL, will, GAME_FACE_ANY);
    game_layout_free(ret, not_alone__spot(k, SPOT_READY));
}

static void lay_tokens(const struct not_alone *s, struct game_layout *ret) {
    for (unsigned t = 0; t < TOKENS; t++)
        game_layout_slot(ret, s->token[t] ? not_alone__planet(s->token_rest[t]) : TABLE_C_TOKENS,
                         not_alone__token_slot(s, t), GAME_FACE_ANY);
    if (s->marker)
        game_layout_slot(ret, not_alone__planet(AT_BEACH), not_alone__token_slot(s, KIND_MARKER - KIND_TOKEN),
                         GAME_FACE_ANY);
    game_layout_slot(ret, (game_place)(TABLE_RESCUE + s->rescue),
                     not_alone__token_slot(s, KIND_RESCUE - KIND_TOKEN), GAME_FACE_ANY);
    game_layout_slot(ret, (game_place)(TABLE_ASSIMILATION + s->assimilation),
                     not_alone__token_slot(s, KIND_ASSIMILATION - KIND_TOKEN), GAME_FACE_ANY);
}

static void lay_all(const struct not_alone *s, struct game_layout *ret) {
    unsigned will = 0;
    for (unsigned card = BASIC_CARDS + 1; card <= PLACE_CARDS; card++)
        for (unsigned copy = 1; copy <= COPIES_MAX; copy++)
            if (s->reserve[card - BASIC_CARDS] >> copy & 1)
                game_layout_slot(ret, (game_place)(TABLE_RESERVE + card - BASIC_CARDS - 1),
                                 not_alone__copy_slot(s, card, copy), GAME_FACE_ANY);
    lay_hunt_cards(s, ret);
    lay_survival_cards(s, ret);
    for (unsigned k = 0; k < s->n; k++) {
        lay_hunted(s, k, ret);
        will += WILL_FULL - s->h[k].will + (s->h[k].answer_will && s->h[k].will);
    }
    if (will)
        game_layout_kind(ret, TABLE_BANK, KIND_WILL, will, GAME_FACE_ANY);
    lay_tokens(s, ret);
    game_layout_free(ret, TABLE_C_READY);
    if (s->view)
        game_layout_free(ret, TABLE_C_VIEW);
}

void not_alone_layout(const void *state, struct game_layout *ret) {
    const struct not_alone *s = not_alone__state(state);
    game_layout_clear(ret);
    if (s->phase != GAME_OVER) {
        lay_all(s, ret);
        return;
    }
    for (unsigned place = 0; place < TABLE_SEATS + (unsigned)s->n * SPOTS; place++)
        game_layout_free(ret, (game_place)place); // people collect their pieces: that means nothing
}

// ---- proofs

static void need(struct game_proof *ret, game_place place, uint16_t what) {
    ret->needed[ret->n_needed++] = (struct game_visit){GAME_TOUCH, place, what};
}
static void allow(struct game_proof *ret, unsigned type, game_place place, uint16_t what) {
    ret->allowed[ret->n_allowed++] = (struct game_visit){(uint8_t)type, place, what};
}
static void touch_ready(const struct not_alone *s, unsigned seat, struct game_proof *ret) {
    need(ret, not_alone__ready_spot(seat), not_alone__number_slot(s, seat));
}

// Two touches for a pair: the first place, then the one where the token rests.
static void need_pair(const struct not_alone *s, unsigned token, unsigned set, unsigned rest,
                      struct game_proof *ret) {
    unsigned first = set & ~PLACE_BIT(rest);
    if (first)
        need(ret, not_alone__planet(not_alone__lowest(first)), not_alone__token_slot(s, token));
}
static unsigned rest_of(struct not_alone_move m) {
    return m.b ? m.b : 31u - (unsigned)__builtin_clz(m.set);
}

// The card lies on its pad; what it brings about, others do when asked.
static void prove_hunt(const struct not_alone *s, struct not_alone_move m, struct not_alone *after,
                       struct game_proof *ret) {
    game_slot slot = not_alone__hunt_slot(s, m.card);
    unsigned as = not_alone__hunt_as(s, m.card);
    after->hunt_hand &= ~(1u << m.card);
    if (after->n_played < HUNTS)
        after->hunt_played[after->n_played++] = m.card;
    if (as == HUNT_FORCE_FIELD) {
        after->token[TOKEN_TARGET] = m.set;
        after->token_rest[TOKEN_TARGET] = (uint8_t)rest_of(m);
        need_pair(s, TOKEN_TARGET, m.set, rest_of(m), ret);
        return;
    }
    if (m.seat && m.slot)
        need(ret,
             not_alone__spot(m.seat - 1u,
                             not_alone__pad_of(&s->h[m.seat - 1], m.slot) ? SPOT_PLAY_B : SPOT_PLAY_A),
             slot);
    else if (m.seat)
        need(ret, not_alone__ready_spot(m.seat), slot);
    if (m.place)
        need(ret, not_alone__planet(m.place), slot);
    if (m.to)
        need(ret, not_alone__planet(m.to), slot);
}

// Powers that move nothing, or no more than a take_back would: the card laid points at the place used.
static bool must_point(const struct not_alone *s, unsigned place, struct not_alone_move m) {
    if (place == AT_RIVER || place == AT_ARTEFACT || place == AT_SHELTER ||
        (place == AT_SOURCE && m.mode == MODE_DRAW))
        return true;
    return s->fx & FX_PERSECUTION && m.set && (place == AT_JUNGLE || place == AT_SWAMP);
}

static void prove_power(const struct not_alone *s, unsigned hunted, unsigned pad, unsigned place,
                        struct not_alone_move m, struct game_proof *ret) {
    const struct not_alone_hunted *h = &s->h[hunted];
    game_slot card = not_alone__card_slot(s, hunted, h->laid[pad].card);
    if (place == AT_LAIR) {
        bool one = m.mode == MODE_RECOVER && not_alone__count(m.set ? m.set : h->discard) == 1;
        if (one)
            need(ret, not_alone__planet(AT_LAIR), card);
        if (m.mode != MODE_RECOVER && m.place)
            need(ret, not_alone__planet(m.place), card);
    } else if (must_point(s, place, m)) {
        need(ret, not_alone__planet(place), card);
    }
}

static void prove_place_act(const struct not_alone *s, unsigned hunted, struct not_alone_move m,
                            struct game_proof *ret) {
    const struct not_alone_hunted *h = &s->h[hunted];
    unsigned open = not_alone__open_slots(s);
    unsigned pad = m.slot ? not_alone__pad_of(h, m.slot) : open ? not_alone__lowest(open) : 0;
    touch_ready(s, hunted + 1, ret);
    ret->needed[0].type |= GAME_LAST; // it closes the action
    if (pad == SLOTS_LAID)
        return;
    if (m.slot)
        need(ret, not_alone__ready_spot(hunted + 1), not_alone__card_slot(s, hunted, m.slot));
    if (m.verb == VERB_USE_POWER)
        prove_power(s, hunted, pad, h->laid[pad].at, m, ret);
    if (m.verb != VERB_PLAY_POWER || m.card != SURVIVAL_GATE)
        return;
    need(ret, not_alone__planet(m.copy), not_alone__survival_slot(s, m.card));
    prove_power(s, hunted, pad, m.copy, m, ret);
}

// A card beside those that are laid already (NA2).
static void prove_one_more(const struct not_alone *s, int by, struct not_alone_move m,
                           struct game_layout *ret) {
    not_alone_layout(s, ret);
    lay_set(s, (unsigned)by - 1, m.set,
            not_alone__spot((unsigned)by - 1, s->h[by - 1].laid[1].card ? SPOT_PLAY_A : SPOT_PLAY_B), ret);
}

// A mistake's card that another Hunted owns (NA1), or one that the Force Field bars.
static void prove_strange_card(const struct not_alone *s, int by, struct not_alone_move m,
                               struct game_layout *ret) {
    unsigned owner = m.seat - 1u, card = not_alone__lowest(m.set);
    not_alone_layout(s, ret);
    game_layout_slot(ret, not_alone__spot((unsigned)by - 1, SPOT_PLAY_A),
                     not_alone__card_slot(s, owner, card), GAME_FACE_ANY);
}

static void prove_show(const struct not_alone *s, int by, struct not_alone_move m, struct game_layout *ret) {
    not_alone_layout(s, ret);
    ret->free[TABLE_C_VIEW / 64] &= ~(UINT64_C(1) << TABLE_C_VIEW % 64);
    lay_set(s, (unsigned)by - 1, m.set, TABLE_C_VIEW, ret);
}

// A card that the rules refuse has no effect to show: it lies on its pad.
static void prove_survival(const struct not_alone *s, int by, struct not_alone_move m,
                           struct not_alone *after) {
    if (not_alone__refuse(s, by, m) == OK) {
        not_alone__do(after, by, m, NULL);
        return;
    }
    after->h[by - 1].survival &= (uint16_t)~PLACE_BIT(m.card);
    after->h[by - 1].played = m.card;
}

// Ready with a token in hand (NA5): the pad of the tokens may miss one.
static void prove_ready(const struct not_alone *s, int by, struct game_proof *ret) {
    touch_ready(s, (unsigned)by, ret);
    not_alone_layout(s, &ret->layout);
    if (by != 0 || s->phase != HUNTING || not_alone__tokens_down(s))
        return;
    game_layout_free(&ret->layout, TABLE_C_TOKENS);
    ret->needed[0].type |= GAME_LAST; // it is told at the touch
}

static void prove_draw(const struct not_alone *s, struct not_alone_move m, struct not_alone *after,
                       struct game_proof *ret) {
    not_alone__do(after, GAME_BY_CHANCE, m, NULL);
    if (m.verb == VERB_DRAW_HUNT)
        need(ret, TABLE_C_HUNT, not_alone__hunt_slot(s, m.card));
    else if (m.verb == VERB_DRAW_SURVIVAL)
        need(ret, not_alone__spot(m.seat - 1u, SPOT_SURVIVAL), not_alone__survival_slot(s, m.card));
}

// Touches on the way count for nothing: a token drawn over three places lies where it rests (NA3), and a card
// or piece may be looked at and laid back.
static void allow_wandering(const struct not_alone *s, struct not_alone_move m, struct game_proof *ret) {
    allow(ret, GAME_LOOK, GAME_NONE, GAME_NONE);
    allow(ret, GAME_REST, GAME_NONE, GAME_NONE);
    if (m.verb == VERB_PLACE_TOKEN || m.verb == VERB_PLAY_HUNT)
        allow(ret, GAME_TOUCH, GAME_NONE,
              not_alone__token_slot(s, m.verb == VERB_PLACE_TOKEN ? m.token : TOKEN_TARGET));
}

// A card beside the one that is due: somebody else's, or one more. False: it is the one.
static bool prove_other_card(const struct not_alone *s, int by, struct not_alone_move m,
                             struct game_layout *ret) {
    if (m.seat)
        prove_strange_card(s, by, m, ret);
    else if (not_alone__laid(&s->h[by - 1]))
        prove_one_more(s, by, m, ret);
    else
        return false;
    return true;
}

// Also when it ends in a Give Up: that follows.
static void prove_resist(const struct not_alone *s, int by, struct not_alone_move m,
                         struct not_alone *after) {
    after->h[by - 1].will = (uint8_t)(s->h[by - 1].will > m.k ? s->h[by - 1].will - m.k : 0);
    after->h[by - 1].discard &= (uint16_t)~m.set;
}

void not_alone_proof(const void *state, int by, game_action action, struct game_proof *ret) {
    const struct not_alone *s = not_alone__state(state);
    struct not_alone_move m = not_alone__unpack(action);
    struct not_alone after = *s;
    ret->n_needed = ret->n_allowed = 0;
    allow_wandering(s, m, ret);
    switch (m.verb) {
    case VERB_DRAW_HUNT:
    case VERB_DRAW_SURVIVAL:
    case VERB_STRIKE:
        prove_draw(s, m, &after, ret);
        break;
    case VERB_LAY:
        if (prove_other_card(s, by, m, &ret->layout))
            return;
        not_alone__do(&after, by, m, NULL);
        break;
    case VERB_GIVE_UP: // touched, asked back, touched again; then all follows
        touch_ready(s, (unsigned)by, ret);
        touch_ready(s, (unsigned)by, ret);
        break;
    case VERB_RESIST:
        prove_resist(s, by, m, &after);
        break;
    case VERB_PLAY_HUNT:
        prove_hunt(s, m, &after, ret);
        break;
    case VERB_PLACE_TOKEN:
        need_pair(s, m.token, m.set, rest_of(m), ret);
        not_alone__do(&after, by, m, NULL);
        break;
    case VERB_PLAY_SURVIVAL:
        prove_survival(s, by, m, &after);
        break;
    case VERB_SHOW:
        prove_show(s, by, m, &ret->layout);
        return;
    case VERB_READY:
        prove_ready(s, by, ret);
        return;
    case VERB_PLAY_POWER:
    case VERB_USE_POWER:
    case VERB_TAKE_BACK:
    case VERB_PASS_PLACE:
        prove_place_act(s, (unsigned)by - 1, m, ret);
        if (m.verb == VERB_PLAY_POWER)
            prove_survival(s, by, m, &after);
        else
            not_alone__do(&after, by, m, NULL);
        break;
    default:
        not_alone__do(&after, by, m, NULL);
    }
    if (after.phase == GAME_OVER) // the counter still goes to the star
        after.phase = s->phase;
    not_alone_layout(&after, &ret->layout);
}
