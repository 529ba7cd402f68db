// What follows from a state without changing it.
#include "games/not_alone/not_alone.h"

unsigned not_alone__laid_set(const struct not_alone_hunted *h) {
    unsigned set = 0;
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        if (h->laid[i].card)
            set |= PLACE_BIT(h->laid[i].card);
    return set;
}
unsigned not_alone__owned(const struct not_alone_hunted *h) {
    unsigned out = 0; // laid and not yet home
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        if (h->laid[i].card && !h->laid[i].home)
            out |= PLACE_BIT(h->laid[i].card);
    return h->hand | h->discard | out;
}
unsigned not_alone__laid(const struct not_alone_hunted *h) {
    return (h->laid[0].card != 0) + (h->laid[1].card != 0);
}
unsigned not_alone__out(const struct not_alone_hunted *h) {
    unsigned n = 0;
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        n += h->laid[i].card && !h->laid[i].home;
    return n;
}
bool not_alone__anybody_holds(const struct not_alone *s, unsigned n) {
    for (unsigned k = 0; k < s->n; k++)
        if (not_alone__count(s->h[k].hand) >= n)
            return true;
    return false;
}
unsigned not_alone__pad_of(const struct not_alone_hunted *h, unsigned card) {
    unsigned pad = 0;
    while (pad < SLOTS_LAID && (h->laid[pad].card != card || !card))
        pad++;
    return pad;
}

// ---- tokens

// The Rescue counter stands on an Artemia symbol.
static bool on_symbol(const struct not_alone *s) {
    static const uint32_t symbols[] = {
        1u << 6 | 1u << 5 | 1u << 4 | 1u << 3 | 1u << 2 | 1u << 1,
        1u << 11 | 1u << 9 | 1u << 7 | 1u << 5 | 1u << 3 | 1u << 1,
    };
    return symbols[s->side - 1] >> s->rescue & 1;
}
bool not_alone__available(const struct not_alone *s, unsigned token) {
    if (s->token[token])
        return true;
    if (token == TOKEN_CREATURE)
        return true;
    if (token == TOKEN_TARGET)
        return s->symbols & SYMBOL_TARGET;
    return s->symbols & SYMBOL_ARTEMIA || on_symbol(s);
}
bool not_alone__tokens_down(const struct not_alone *s) {
    for (unsigned t = 0; t < TOKENS; t++)
        if (not_alone__available(s, t) && !s->token[t])
            return false;
    return true;
}
unsigned not_alone__footprint(const struct not_alone *s, unsigned token) {
    return (token == TOKEN_TARGET && s->fx & FX_MIRAGE) || (token == TOKEN_ARTEMIA && s->fx & FX_VIRUS) ? 2
                                                                                                        : 1;
}
unsigned not_alone__neighbours(unsigned footprint) {
    unsigned set = 0;
    for (unsigned left = footprint; left; left &= left - 1)
        set |= not_alone__adjacent[not_alone__lowest(left)];
    return set & ~footprint;
}
unsigned not_alone__creatures(const struct not_alone *s, unsigned place) {
    unsigned target = s->fx & FX_CLONE ? s->token[TOKEN_TARGET] : 0u;
    return (s->token[TOKEN_CREATURE] >> place & 1u) + (target >> place & 1u);
}
unsigned not_alone__ineffective(const struct not_alone *s) {
    unsigned set = s->cataclysm;
    if (s->fx & FX_INTERFERENCE)
        set |= PLACE_BIT(AT_BEACH) | PLACE_BIT(AT_WRECK);
    if (s->fx & (FX_MIRAGE | FX_TOXIN))
        set |= s->token[TOKEN_TARGET];
    return set;
}

// ---- who may act

bool not_alone__on(const struct not_alone_hunted *h, unsigned places) {
    for (unsigned i = 0; i < SLOTS_LAID; i++)
        if (h->laid[i].card && places >> h->laid[i].at & 1)
            return true;
    return false;
}

// The Target holds nobody up when Clone is its only effect (4.4).
static bool target_holds(const struct not_alone *s) {
    return !(s->fx & FX_CLONE) || s->fx & (FX_SCREAM | FX_TOXIN | FX_MIRAGE | FX_FORCE_FIELD);
}

unsigned not_alone__acting(const struct not_alone *s, unsigned hunted, unsigned when) {
    const struct not_alone_hunted *h = &s->h[hunted];
    unsigned set = 0;
    for (unsigned i = 0; i < SLOTS_LAID; i++) {
        unsigned at = h->laid[i].at;
        if (!h->laid[i].card || h->laid[i].acted)
            continue;
        if (!(s->dodge >> hunted & 1) && not_alone__creatures(s, at))
            continue;
        if (!(s->detector >> hunted & 1) && s->token[TOKEN_ARTEMIA] >> at & 1)
            continue;
        bool held = target_holds(s) && s->token[TOKEN_TARGET] >> at & 1;
        if (held == (when == ACTS_TARGET))
            set |= 1u << i;
    }
    return set;
}

unsigned not_alone__open_slots(const struct not_alone *s) {
    if (s->active == NOBODY)
        return 0;
    return not_alone__acting(s, s->active, s->step == STEP_TARGET_PLACES ? ACTS_TARGET : ACTS_FREE);
}

bool not_alone__is_ready(const struct not_alone *s, unsigned seat) {
    if (s->ready >> seat & 1)
        return true;
    if (seat == 0)
        return !s->hunt_hand || !s->hunt_left || s->fx & FX_SACRIFICE;
    const struct not_alone_hunted *h = &s->h[seat - 1];
    return !h->survival || !h->survival_left || s->fx & FX_DESPAIR;
}
// The time for a Force Field: nobody has laid, and the Creature may still play (12.1, pacing).
bool not_alone__creature_first(const struct not_alone *s) {
    for (unsigned k = 0; k < s->n; k++)
        if (not_alone__laid(&s->h[k]))
            return false;
    return s->phase == EXPLORATION && !not_alone__draws(s) && !not_alone__is_ready(s, 0);
}
bool not_alone__all_ready(const struct not_alone *s) {
    for (unsigned seat = 0; seat <= s->n; seat++)
        if (!not_alone__is_ready(s, seat))
            return false;
    return true;
}

// ---- cards

unsigned not_alone__hunt_as(const struct not_alone *s, unsigned card) {
    return card == HUNT_FLASHBACK ? (s->n_discard ? s->hunt_discard[0] : HUNT_NONE) : card;
}
unsigned not_alone__drawable(const struct not_alone *s) {
    return not_alone__count(s->survival_deck) + s->n_survival_discard;
}
bool not_alone__draws(const struct not_alone *s) {
    if (s->phase == GAME_OVER)
        return false;
    if (s->strike || s->refill)
        return true;
    for (unsigned k = 0; k < s->n; k++)
        if (s->h[k].draw)
            return true;
    return false;
}
