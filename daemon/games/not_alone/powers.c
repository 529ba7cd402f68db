// The powers of the places (6): a row each for what may be named, why it is refused and what it does.
#include "games/not_alone/not_alone.h"

// ---- arguments

static const uint16_t allowed[PLACE_CARDS + 1] = {
    [AT_LAIR] = HAS_MODE | HAS_PLACE | HAS_SET | HAS_K | HAS_SEAT,
    [AT_JUNGLE] = HAS_SET,
    [AT_ROVER] = HAS_SET | HAS_K,
    [AT_SWAMP] = HAS_SET,
    [AT_SOURCE] = HAS_MODE | HAS_SEAT,
};
enum { POWER_ARGS = HAS_MODE | HAS_PLACE | HAS_SET | HAS_K | HAS_SEAT };

// Is all there that this power needs, and no more?
bool not_alone__power_args(unsigned place, bool persecuted, struct not_alone_move m) {
    unsigned given = not_alone__given(m) & POWER_ARGS;
    if (place < AT_LAIR || place > PLACE_CARDS || given & ~allowed[place])
        return false;
    if (place == AT_LAIR) {
        if (m.mode == MODE_RECOVER)
            return given == (persecuted ? HAS_MODE | HAS_SET : HAS_MODE);
        if (m.mode != MODE_COPY && m.mode != MODE_DRAW) // `draw` of a copied Source
            return false;
        unsigned copied = m.place;
        if (copied < AT_LAIR || copied > PLACE_CARDS)
            return false;
        m.mode = m.mode == MODE_DRAW ? MODE_DRAW : MODE_NONE;
        m.place = 0;
        return copied == AT_LAIR || copied == AT_ARTEFACT || not_alone__power_args(copied, persecuted, m);
    }
    if (place == AT_ROVER)
        return m.set != 0;
    if (place == AT_SOURCE)
        return m.mode ? m.mode == MODE_DRAW && !m.seat : m.seat != 0;
    return true;
}

// ---- legality

static enum not_alone_code refuse_take(const struct not_alone *s, const struct not_alone_hunted *h,
                                       unsigned most, unsigned set) {
    if (s->fx & FX_PERSECUTION && most > 1)
        most = 1;
    return not_alone__count(set) > most || set & ~h->discard ? E_TAKE_SET : OK;
}

static enum not_alone_code refuse_rover(const struct not_alone *s, const struct not_alone_hunted *h,
                                        struct not_alone_move m) {
    unsigned card = not_alone__lowest(m.set);
    if (not_alone__count(m.set) != 1)
        return E_NUM_CARDS;
    if (card <= BASIC_CARDS || not_alone__owned(h) >> card & 1)
        return E_OWNED;
    return m.k && s->reserve[card - BASIC_CARDS] >> m.k & 1 ? OK : E_RESERVE;
}

static enum not_alone_code refuse_lair(const struct not_alone *s, unsigned hunted, unsigned slot,
                                       struct not_alone_move m) {
    const struct not_alone_hunted *h = &s->h[hunted];
    if (m.mode == MODE_RECOVER) {
        if (!h->discard)
            return E_NO_EFFECT;
        return s->fx & FX_PERSECUTION && (not_alone__count(m.set) != 1 || m.set & ~h->discard) ? E_TAKE_SET
                                                                                               : OK;
    }
    unsigned copied = m.place;
    if (copied == AT_LAIR || copied == AT_ARTEFACT || !not_alone__creatures(s, copied))
        return E_COPY;
    m.mode = m.mode == MODE_DRAW ? MODE_DRAW : MODE_NONE;
    m.place = 0;
    return not_alone__refuse_power(s, hunted, slot, copied, m);
}

static enum not_alone_code refuse_draw(const struct not_alone *s) {
    return s->fx & FX_DESPAIR ? E_DESPAIR : not_alone__drawable(s) ? OK : E_NO_EFFECT;
}

enum not_alone_code not_alone__refuse_power(const struct not_alone *s, unsigned hunted, unsigned slot,
                                            unsigned place, struct not_alone_move m) {
    const struct not_alone_hunted *h = &s->h[hunted];
    switch (place) {
    case AT_LAIR:
        return refuse_lair(s, hunted, slot, m);
    case AT_JUNGLE:
        return refuse_take(s, h, 1, m.set);
    case AT_SWAMP:
        return refuse_take(s, h, 2, m.set);
    case AT_ROVER:
        return refuse_rover(s, h, m);
    case AT_RIVER:
    case AT_ARTEFACT:
        return h->pending ? E_PENDING_EFFECT : OK;
    case AT_BEACH:
        return s->beach_used ? E_USED_THIS_TURN : OK;
    case AT_WRECK:
        return s->wreck_used ? E_USED_THIS_TURN : OK;
    case AT_SHELTER:
        return refuse_draw(s);
    default: // Source
        if (m.mode == MODE_DRAW)
            return refuse_draw(s);
        return s->h[m.seat - 1].will == 1 || s->h[m.seat - 1].will == 2 ? OK : E_TARGET;
    }
}

// ---- effects

static void take(struct not_alone_hunted *h, unsigned set) {
    h->hand |= (uint16_t)set;
    h->discard &= (uint16_t)~set;
}

// Jungle and Swamp: "this card" is the card laid; under Persecution it comes only instead of another.
static void take_with_own(struct not_alone *s, struct not_alone_hunted *h, unsigned slot, unsigned set) {
    take(h, set);
    if (s->fx & FX_PERSECUTION && set)
        return;
    h->laid[slot].home = 1;
    h->hand |= PLACE_BIT(h->laid[slot].card);
}

static void do_lair(struct not_alone *s, unsigned hunted, unsigned slot, struct not_alone_move m,
                    struct game_notes *notes) {
    struct not_alone_hunted *h = &s->h[hunted];
    if (m.mode == MODE_RECOVER) {
        take(h, m.set ? m.set : h->discard);
        return;
    }
    unsigned copied = m.place;
    m.mode = m.mode == MODE_DRAW ? MODE_DRAW : MODE_NONE;
    m.place = 0;
    not_alone__do_power(s, hunted, slot, copied, m, notes);
}

static void do_rover(struct not_alone *s, struct not_alone_hunted *h, struct not_alone_move m) {
    unsigned card = not_alone__lowest(m.set);
    s->reserve[card - BASIC_CARDS] &= (uint8_t) ~(1u << m.k);
    h->copy[card - BASIC_CARDS] = m.k;
    h->hand |= m.set;
}

void not_alone__do_power(struct not_alone *s, unsigned hunted, unsigned slot, unsigned place,
                         struct not_alone_move m, struct game_notes *notes) {
    struct not_alone_hunted *h = &s->h[hunted];
    unsigned drawable = not_alone__drawable(s);
    h->laid[slot].acted = 1;
    game_note(notes, GAME_NOTE_SAY, LINE_POWER, (int)hunted + 1, not_alone__planet(place), 0, 0);
    switch (place) {
    case AT_LAIR:
        do_lair(s, hunted, slot, m, notes);
        return;
    case AT_JUNGLE:
    case AT_SWAMP:
        take_with_own(s, h, slot, m.set);
        return;
    case AT_RIVER:
        h->pending = PENDING_RIVER;
        return;
    case AT_ARTEFACT:
        h->pending = PENDING_ARTEFACT;
        return;
    case AT_BEACH:
        s->beach_used = 1;
        s->marker ^= 1;
        if (!s->marker)
            not_alone__step_rescue(s, notes);
        return;
    case AT_ROVER:
        do_rover(s, h, m);
        return;
    case AT_SHELTER:
        h->draw = (uint8_t)(drawable < 2 ? drawable : 2);
        s->shelter_of = (uint8_t)hunted;
        return;
    case AT_WRECK:
        s->wreck_used = 1;
        not_alone__step_rescue(s, notes);
        return;
    default: // Source
        if (m.mode == MODE_DRAW) {
            h->draw = 1;
            s->source_of = (uint8_t)hunted;
        } else {
            s->h[m.seat - 1].will++;
        }
    }
}
