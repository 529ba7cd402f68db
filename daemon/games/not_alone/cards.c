// Hunt and Survival cards (7, 8): what must hold, and what they do. The rest of a card is its row in the
// header.
#include "games/not_alone/not_alone.h"
#include <assert.h>

// ---- Hunt cards

static bool anybody_laid(const struct not_alone *s) {
    for (unsigned k = 0; k < s->n; k++)
        if (not_alone__laid(&s->h[k]))
            return true;
    return false;
}

// m.card: the card it acts as (Flashback).
enum not_alone_code not_alone__refuse_hunt(const struct not_alone *s, struct not_alone_move m) {
    const struct not_alone_hunted *h = m.seat ? &s->h[m.seat - 1] : NULL;
    uint16_t flag = not_alone__hunt[m.card].flag;
    if (flag && !not_alone__hunt[m.card].symbols && s->fx & flag)
        return E_NO_EFFECT;
    switch (m.card) {
    case HUNT_FORCE_FIELD:
        if (anybody_laid(s))
            return E_TOO_LATE;
        return not_alone__adjacent[not_alone__lowest(m.set)] & m.set ? OK : E_NOT_ADJACENT;
    case HUNT_ASCENDANCY:
        if (!not_alone__anybody_holds(s, 3))
            return E_NO_EFFECT;
        assert(h);
        return not_alone__count(h->hand) >= 3 ? OK : E_TARGET;
    case HUNT_PHOBIA:
        return !h || not_alone__count(h->hand) >= 3 ? OK : E_TARGET;
    case HUNT_FORBIDDEN_ZONE:
        return not_alone__anybody_holds(s, 1) ? OK : E_NO_EFFECT;
    case HUNT_DETOUR: {
        assert(h);
        unsigned pad = m.slot ? not_alone__pad_of(h, m.slot) : h->laid[0].card ? 0 : 1;
        if (pad == SLOTS_LAID)
            return E_NOT_IN_HAND;
        if (!h->laid[pad].card)
            return E_TARGET;
        return not_alone__adjacent[h->laid[pad].at] >> m.to & 1 ? OK : E_NOT_ADJACENT;
    }
    default:
        return OK;
    }
}

static void wait_for(struct not_alone *s, enum not_alone_wait wait, unsigned hunted) {
    s->wait = (uint8_t)wait;
    s->owes |= (uint8_t)(1u << hunted);
}

// All that was laid goes back and is laid again; `pending` survives.
static void take_all_up(struct not_alone *s) {
    for (unsigned k = 0; k < s->n; k++) {
        s->h[k].hand |= (uint16_t)not_alone__laid_set(&s->h[k]);
        s->h[k].laid[0] = s->h[k].laid[1] = (struct not_alone_slot){0};
    }
}

// A token that lies on one place is taken up when its footprint becomes two; a Force Field stays.
static void take_token_up(struct not_alone *s, unsigned token) {
    if (not_alone__count(s->token[token]) == 1)
        s->token[token] = s->token_rest[token] = 0;
}

void not_alone__do_hunt(struct not_alone *s, struct not_alone_move m, struct game_notes *notes) {
    unsigned card = not_alone__hunt_as(s, m.card);
    struct not_alone_hunted *h = m.seat ? &s->h[m.seat - 1] : NULL;
    s->hunt_hand &= ~(1u << m.card);
    s->hunt_played[s->n_played++] = m.card;
    s->hunt_left--;
    s->ready = 0;
    s->symbols |= not_alone__hunt[card].symbols;
    s->fx |= not_alone__hunt[card].flag;
    game_note(notes, GAME_NOTE_SAY, LINE_HUNT_CARD, KIND_HUNT + m.card - 1, 0, 0, 0);
    switch (card) {
    case HUNT_DESPAIR:
        take_all_up(s);
        break;
    case HUNT_FORCE_FIELD:
        s->token[TOKEN_TARGET] = m.set;
        s->token_rest[TOKEN_TARGET] = m.b ? m.b : (uint8_t)(31 - __builtin_clz(m.set));
        break;
    case HUNT_ANTICIPATION:
        s->anticipation = (uint8_t)(m.seat - 1);
        break;
    case HUNT_ASCENDANCY:
        assert(h);
        h->owed = (uint8_t)(not_alone__count(h->hand) - 2);
        wait_for(s, WAIT_ASCENDANCY, m.seat - 1u);
        break;
    case HUNT_PHOBIA:
        if (m.seat)
            wait_for(s, WAIT_PHOBIA, m.seat - 1u);
        break;
    case HUNT_FORBIDDEN_ZONE:
        for (unsigned k = 0; k < s->n; k++) {
            if (!s->h[k].hand)
                continue;
            s->h[k].owed = 1;
            wait_for(s, WAIT_FORBIDDEN_ZONE, k);
        }
        break;
    case HUNT_MIRAGE:
        take_token_up(s, TOKEN_TARGET);
        break;
    case HUNT_VIRUS:
        take_token_up(s, TOKEN_ARTEMIA);
        break;
    case HUNT_SCREAM:
    case HUNT_TOXIN:
        if (s->n_fx < 2)
            s->fx_order[s->n_fx++] = (uint8_t)card;
        break;
    case HUNT_CATACLYSM:
        s->cataclysm |= PLACE_BIT(m.place);
        break;
    case HUNT_DETOUR:
        assert(h);
        h->laid[m.slot ? not_alone__pad_of(h, m.slot) : h->laid[0].card ? 0 : 1].at = m.to;
        break;
    default:
        break;
    }
}

// ---- Survival cards

// The pad whose card Double Back takes: the one named, or the only one not yet home; SLOTS_LAID if none.
static unsigned back_pad(const struct not_alone_hunted *h, unsigned card) {
    bool out[SLOTS_LAID];
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        out[i] = h->laid[i].card && !h->laid[i].home;
    if (out[0] && out[1])
        return not_alone__pad_of(h, card);
    return out[0] ? 0 : out[1] ? 1 : SLOTS_LAID;
}

// A card named although one alone is out is not that one.
static enum not_alone_code refuse_back(const struct not_alone_hunted *h, struct not_alone_move m) {
    if (m.slot && not_alone__pad_of(h, m.slot) == SLOTS_LAID)
        return E_NOT_IN_HAND;
    return back_pad(h, m.slot) == SLOTS_LAID || (m.slot && not_alone__out(h) < 2) ? E_NO_EFFECT : OK;
}

static enum not_alone_code refuse_vortex(const struct not_alone *s, const struct not_alone_hunted *h,
                                         struct not_alone_move m) {
    if (!not_alone__laid(h))
        return E_NO_EFFECT;
    if (m.slot && not_alone__pad_of(h, m.slot) == SLOTS_LAID)
        return E_NOT_IN_HAND;
    if (m.set & ~h->discard)
        return E_TAKE_SET;
    return s->fx & FX_FORCE_FIELD && m.set & s->token[TOKEN_TARGET] ? E_FORCE_FIELD : OK;
}

static enum not_alone_code refuse_hologram(const struct not_alone *s, const struct not_alone_hunted *h,
                                           struct not_alone_move m) {
    if (s->artemia_begun)
        return E_TOO_LATE;
    if (!s->hologram_move)
        return not_alone__on(h, s->token[TOKEN_ARTEMIA]) ? OK : E_NO_EFFECT;
    if (!s->token[TOKEN_ARTEMIA])
        return E_NO_EFFECT;
    return not_alone__neighbours(s->token[TOKEN_ARTEMIA]) >> m.to & 1 ? OK : E_NOT_ADJACENT;
}

static enum not_alone_code refuse_wrong_track(const struct not_alone *s, struct not_alone_move m) {
    if (!s->token[m.token])
        return m.token == TOKEN_TARGET ? E_TARGET : E_NO_EFFECT;
    if (m.token == TOKEN_ARTEMIA || (m.token == TOKEN_TARGET && !(s->fx & FX_CLONE)))
        return E_TARGET;
    return not_alone__neighbours(s->token[m.token]) >> m.to & 1 ? OK : E_NOT_ADJACENT;
}

static bool is_under_creature(const struct not_alone *s, const struct not_alone_hunted *h) {
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        if (h->laid[i].card && not_alone__creatures(s, h->laid[i].at))
            return true;
    return false;
}

// All but Drone and Gate.
enum not_alone_code not_alone__refuse_survival(const struct not_alone *s, unsigned hunted,
                                               struct not_alone_move m) {
    const struct not_alone_hunted *h = &s->h[hunted];
    unsigned pile = not_alone__count(h->discard);
    switch (m.card) {
    case SURVIVAL_ADRENALINE:
        return h->will < WILL_FULL ? OK : E_NO_EFFECT;
    case SURVIVAL_INGENUITY:
        return s->marker ? E_NO_EFFECT : OK;
    case SURVIVAL_SACRIFICE:
        if (m.set & ~h->hand)
            return E_NOT_IN_HAND;
        return !s->hunt_left ? E_TOO_LATE : s->fx & FX_SACRIFICE ? E_NO_EFFECT : OK;
    case SURVIVAL_SIXTH_SENSE:
        return not_alone__count(m.set) == (pile < 2 ? pile : 2) && !(m.set & ~h->discard) ? OK : E_TAKE_SET;
    case SURVIVAL_STRIKE_BACK:
        return s->hunt_hand ? OK : E_NO_EFFECT;
    case SURVIVAL_VORTEX:
        return refuse_vortex(s, h, m);
    case SURVIVAL_DETECTOR:
        if (s->artemia_begun)
            return E_TOO_LATE;
        return not_alone__on(h, s->token[TOKEN_ARTEMIA]) ? OK : E_NO_EFFECT;
    case SURVIVAL_DODGE:
        return is_under_creature(s, h) ? OK : E_NO_EFFECT;
    case SURVIVAL_HOLOGRAM:
        return refuse_hologram(s, h, m);
    case SURVIVAL_WRONG_TRACK:
        return refuse_wrong_track(s, m);
    case SURVIVAL_AMPLIFIER:
        return s->marker && !(s->fx & FX_STASIS) ? OK : E_NO_EFFECT;
    case SURVIVAL_DOUBLE_BACK:
        return refuse_back(h, m);
    default:
        return OK; // Smokescreen
    }
}

// Onto the pile; it stays on its owner's pad until the turn ends.
void not_alone__discard_survival(struct not_alone *s, unsigned card) {
    for (unsigned i = s->n_survival_discard; i > 0; i--)
        s->survival_discard[i] = s->survival_discard[i - 1];
    s->survival_discard[0] = (uint8_t)card;
    s->n_survival_discard++;
}

void not_alone__end_use(struct not_alone *s) {
    if (s->in_use)
        not_alone__discard_survival(s, s->in_use);
    s->in_use = SURVIVAL_NONE;
}

static void do_vortex(struct not_alone_hunted *h, struct not_alone_move m) {
    unsigned pad = m.slot ? not_alone__pad_of(h, m.slot) : h->laid[0].card ? 0 : 1;
    unsigned card = not_alone__lowest(m.set);
    h->discard = (uint16_t)((h->discard & ~m.set) | PLACE_BIT(h->laid[pad].card));
    h->laid[pad] = (struct not_alone_slot){.card = (uint8_t)card, .at = (uint8_t)card};
}

static void move_token(struct not_alone *s, unsigned token, unsigned to) {
    s->token[token] = PLACE_BIT(to);
    s->token_rest[token] = (uint8_t)to;
}

static void do_effect(struct not_alone *s, unsigned hunted, struct not_alone_move m,
                      struct game_notes *notes) {
    struct not_alone_hunted *h = &s->h[hunted];
    switch (m.card) {
    case SURVIVAL_ADRENALINE:
        h->will++;
        return;
    case SURVIVAL_INGENUITY:
        s->marker = 1;
        return;
    case SURVIVAL_SACRIFICE:
        h->hand &= (uint16_t)~m.set;
        h->discard |= m.set;
        s->fx |= FX_SACRIFICE;
        return;
    case SURVIVAL_SIXTH_SENSE:
        h->discard &= (uint16_t)~m.set;
        h->hand |= m.set;
        return;
    case SURVIVAL_SMOKESCREEN:
        s->fx |= FX_SMOKESCREEN;
        return;
    case SURVIVAL_STRIKE_BACK:
        s->strike = (uint8_t)(not_alone__count(s->hunt_hand) < 2 ? not_alone__count(s->hunt_hand) : 2);
        return;
    case SURVIVAL_VORTEX:
        do_vortex(h, m);
        return;
    case SURVIVAL_DETECTOR:
        s->detector |= (uint8_t)(1u << hunted);
        return;
    case SURVIVAL_DODGE:
        s->dodge |= (uint8_t)(1u << hunted);
        return;
    case SURVIVAL_HOLOGRAM:
        if (s->hologram_move)
            move_token(s, TOKEN_ARTEMIA, m.to);
        else
            s->detector |= (uint8_t)(1u << hunted);
        return;
    case SURVIVAL_WRONG_TRACK:
        move_token(s, m.token, m.to);
        return;
    case SURVIVAL_AMPLIFIER:
        s->marker = 0;
        not_alone__step_rescue(s, notes);
        return;
    default: { // Double Back
        unsigned pad = back_pad(h, m.slot);
        h->laid[pad].home = 1;
        h->hand |= PLACE_BIT(h->laid[pad].card);
    }
    }
}

void not_alone__do_survival(struct not_alone *s, unsigned hunted, struct not_alone_move m,
                            struct game_notes *notes) {
    struct not_alone_hunted *h = &s->h[hunted];
    h->survival &= (uint16_t)~PLACE_BIT(m.card);
    h->survival_left = 0;
    h->played = m.card;
    s->ready = 0;
    s->in_use = m.card;
    if (s->wait == WAIT_DRAWN) {
        s->wait = WAIT_NONE;
        s->owes = 0;
    }
    game_note(notes, GAME_NOTE_SAY, LINE_SURVIVAL_CARD, (int)hunted + 1, KIND_SURVIVAL + m.card - 1, 0, 0);
    if (m.card == SURVIVAL_DRONE || m.card == SURVIVAL_GATE) {
        unsigned open = not_alone__open_slots(s);
        unsigned slot = m.slot ? not_alone__pad_of(h, m.slot) : not_alone__lowest(open);
        not_alone__do_power(s, hunted, slot, m.card == SURVIVAL_DRONE ? AT_ROVER : m.copy, m, notes);
        return;
    }
    do_effect(s, hunted, m, notes);
}
