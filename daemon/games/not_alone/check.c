// Is an action legal, and if not, which code says so first (5). `legal` offers candidates to this and `apply`
// asks it first, so the two cannot disagree.
#include "games/not_alone/not_alone.h"

// ---- the moment: phase, wait, actor (groups 1 and 2)

enum { BY_CREATURE = 1, BY_HUNTED = 2, BY_ALL = 3 };
enum { // besides the phase
    NEEDS_NO_WAIT,
    NEEDS_PLACE, // a place action is awaited
    NEEDS_WAIT,  // one of `waits`, by this Hunted
    NEEDS_CARD,  // by the card: play_hunt, play_survival, play_power
    NEEDS_READY,
};
#define PHASE(name) (1u << (name))
#define WAIT(name) (1u << (WAIT_##name))
static const struct {
    uint8_t phases, needs, actors;
    uint16_t waits, needed, allowed;
} rows[VERBS] = {
    [VERB_LAY] = {PHASE(EXPLORATION), NEEDS_NO_WAIT, BY_HUNTED, 0, HAS_SET, HAS_B | HAS_SEAT},
    [VERB_TAKE_UP] = {PHASE(EXPLORATION), NEEDS_NO_WAIT, BY_HUNTED, 0, 0, 0},
    [VERB_RESIST] = {PHASE(EXPLORATION), NEEDS_NO_WAIT, BY_HUNTED, 0, HAS_K | HAS_SET, 0},
    [VERB_GIVE_UP] = {PHASE(EXPLORATION), NEEDS_NO_WAIT, BY_HUNTED, 0, 0, 0},
    [VERB_PLAY_HUNT] = {0, NEEDS_CARD, BY_CREATURE, 0, HAS_CARD, 0},
    [VERB_PLAY_SURVIVAL] = {0, NEEDS_CARD, BY_HUNTED, 0, HAS_CARD, 0},
    [VERB_PLAY_POWER] = {0, NEEDS_CARD, BY_HUNTED, 0, HAS_CARD, 0},
    [VERB_PLACE_TOKEN] = {PHASE(HUNTING), NEEDS_NO_WAIT, BY_CREATURE, 0, HAS_SET, HAS_TOKEN | HAS_B},
    [VERB_CHOOSE_RIVER] = {PHASE(RECKONING), NEEDS_WAIT, BY_HUNTED, WAIT(RIVER), HAS_SET, 0},
    [VERB_USE_POWER] = {PHASE(RECKONING), NEEDS_PLACE, BY_HUNTED, 0, 0,
                        HAS_MODE | HAS_PLACE | HAS_SET | HAS_K | HAS_SEAT | HAS_SLOT},
    [VERB_TAKE_BACK] = {PHASE(RECKONING), NEEDS_PLACE, BY_HUNTED, 0, HAS_SET, HAS_SLOT},
    [VERB_PASS_PLACE] = {PHASE(RECKONING), NEEDS_PLACE, BY_HUNTED, 0, 0, HAS_SLOT},
    [VERB_DISCARD] = {PHASE(HUNTING) | PHASE(RECKONING), NEEDS_WAIT, BY_HUNTED,
                      WAIT(ASCENDANCY) | WAIT(FORBIDDEN_ZONE) | WAIT(ARTEMIA), HAS_SET, 0},
    [VERB_SHOW] = {PHASE(HUNTING), NEEDS_WAIT, BY_HUNTED, WAIT(PHOBIA), HAS_SET, 0},
    [VERB_SCREAM] = {PHASE(RECKONING), NEEDS_WAIT, BY_HUNTED, WAIT(SCREAM), 0, HAS_SET | HAS_K},
    [VERB_TOXIN_DISCARD] = {PHASE(RECKONING), NEEDS_WAIT, BY_HUNTED, WAIT(TOXIN), HAS_CARD, 0},
    [VERB_KEEP] = {PHASE(RECKONING), NEEDS_WAIT, BY_HUNTED, WAIT(SHELTER), HAS_CARD, 0},
    [VERB_READY] = {PHASE(EXPLORATION) | PHASE(HUNTING) | PHASE(RECKONING) | PHASE(END_OF_TURN), NEEDS_READY,
                    BY_ALL, 0, 0, 0},
};

static bool owes(const struct not_alone *s, int by) {
    return s->wait != WAIT_NONE && by > 0 && s->owes >> (by - 1) & 1;
}
static bool plays(unsigned verb) {
    return verb == VERB_PLAY_HUNT || verb == VERB_PLAY_SURVIVAL || verb == VERB_PLAY_POWER;
}

static enum not_alone_code check_card_phase(const struct not_alone *s, int by, struct not_alone_move m) {
    bool hunt = m.verb == VERB_PLAY_HUNT;
    unsigned card = hunt ? not_alone__hunt_as(s, m.card) : m.card;
    if (m.card == 0 || m.card >= (hunt ? (unsigned)HUNT_END : (unsigned)SURVIVAL_END))
        return E_ARG;
    bool nothing = hunt && card == HUNT_NONE; // Flashback on an empty pile: of no phase
    unsigned phase = hunt ? not_alone__hunt[card].phase : not_alone__survival[card].phase;
    if (!nothing && (phase == 0 || s->phase != phase - 1))
        return E_PHASE;
    if (s->wait == WAIT_DRAWN && owes(s, by))
        return OK;
    if (s->wait != WAIT_NONE)
        return E_PENDING;
    return phase == 3 && s->step != STEP_WINDOW && s->active == NOBODY ? E_PHASE : OK;
}

static enum not_alone_code check_moment(const struct not_alone *s, int by, struct not_alone_move m) {
    if (rows[m.verb].needs == NEEDS_CARD)
        return check_card_phase(s, by, m);
    if (!(rows[m.verb].phases >> s->phase & 1))
        return E_PHASE;
    switch (rows[m.verb].needs) {
    case NEEDS_NO_WAIT:
        return s->wait != WAIT_NONE ? E_PENDING : OK;
    case NEEDS_PLACE:
        return s->wait != WAIT_NONE ? E_PENDING : s->active == NOBODY ? E_PHASE : OK;
    case NEEDS_WAIT:
        return rows[m.verb].waits >> s->wait & 1 && owes(s, by) ? OK : E_PENDING;
    case NEEDS_READY:
        if (s->wait != WAIT_NONE)
            return s->wait == WAIT_DRAWN && owes(s, by) ? OK : E_PENDING;
        return s->phase == RECKONING && s->step != STEP_WINDOW ? E_PHASE : OK;
    }
    return E_PHASE;
}

static enum not_alone_code check_actor(const struct not_alone *s, int by, struct not_alone_move m) {
    if (by > 0 && (rows[m.verb].actors == BY_CREATURE || (m.verb == VERB_READY && s->phase == EXPLORATION)))
        return E_NOT_CREATURE;
    if (by == 0 && rows[m.verb].actors == BY_HUNTED)
        return E_NOT_ACTIVE;
    bool acts = rows[m.verb].needs == NEEDS_PLACE || m.verb == VERB_PLAY_POWER;
    return acts && by - 1 != s->active ? E_NOT_ACTIVE : OK;
}

// Arguments that the moment or an option asks for.
static bool lacks_args(const struct not_alone *s, struct not_alone_move m) {
    if (m.verb == VERB_PLAY_SURVIVAL && m.card == SURVIVAL_HOLOGRAM)
        return s->hologram_move != (m.to != 0);
    return m.verb == VERB_PLAY_HUNT && not_alone__hunt_as(s, m.card) == HUNT_PHOBIA && !m.seat &&
           not_alone__anybody_holds(s, 3);
}

static enum not_alone_code check_args(const struct not_alone *s, struct not_alone_move m) {
    unsigned needed = rows[m.verb].needed, allowed = needed | rows[m.verb].allowed,
             given = not_alone__given(m);
    if (plays(m.verb)) {
        const struct not_alone_card_row *row = m.verb == VERB_PLAY_HUNT
                                                   ? &not_alone__hunt[not_alone__hunt_as(s, m.card)]
                                                   : &not_alone__survival[m.card];
        needed |= row->needed;
        allowed = HAS_CARD | row->allowed;
        if (m.verb == VERB_PLAY_HUNT && !not_alone__hunt_as(s, m.card))
            allowed = ~0u; // nobody can say what it would need
    }
    if (given & ~allowed || needed & ~given || m.seat > s->n || m.token >= TOKENS || m.to > PLACE_CARDS ||
        m.place > PLACE_CARDS || m.copy > PLACE_CARDS || m.slot > PLACE_CARDS)
        return E_ARG;
    if (m.b && (not_alone__count(m.set) != 2 || m.b != not_alone__lowest(m.set)))
        return E_ARG;
    if (lacks_args(s, m) || (m.verb == VERB_SCREAM && (m.set ? m.k != 0 : m.k != 1)))
        return E_ARG;
    bool power = m.verb == VERB_PLAY_POWER;
    if (m.verb != VERB_PLAY_HUNT && plays(m.verb) &&
        power != (m.card == SURVIVAL_DRONE || m.card == SURVIVAL_GATE))
        return E_ARG;
    return OK;
}

// ---- single actions (groups 3 to 6)

static enum not_alone_code check_lay(const struct not_alone *s, const struct not_alone_hunted *h,
                                     struct not_alone_move m) {
    if (not_alone__laid(h))
        return E_ALREADY_LAID;
    if (not_alone__count(m.set) != (h->pending ? 2u : 1u))
        return E_NUM_CARDS;
    if (m.set & ~h->hand || m.seat) // a seat: the card of that Hunted was laid (NA1)
        return E_NOT_IN_HAND;
    return s->fx & FX_FORCE_FIELD && m.set & s->token[TOKEN_TARGET] ? E_FORCE_FIELD : OK;
}

static enum not_alone_code check_resist(const struct not_alone_hunted *h, struct not_alone_move m) {
    unsigned pile = not_alone__count(h->discard), most = 2u * m.k;
    if (m.k > 2)
        return E_ARG;
    if (not_alone__laid(h))
        return E_ALREADY_LAID;
    if (h->resisted)
        return E_RESIST_LIMIT;
    if (h->will < m.k)
        return E_WILL;
    if (!pile)
        return E_NOTHING_TO_REGAIN;
    bool right = not_alone__count(m.set) == (pile < most ? pile : most) && !(m.set & ~h->discard) &&
                 (m.k == 1 || pile >= 3);
    return right ? OK : E_TAKE_SET;
}

static enum not_alone_code check_give_up(const struct not_alone_hunted *h) {
    if (not_alone__laid(h))
        return E_ALREADY_LAID;
    return h->will == WILL_FULL && !h->discard ? E_NOTHING_TO_REGAIN : OK;
}

static bool is_pair(unsigned set) {
    unsigned first = not_alone__lowest(set);
    return not_alone__adjacent[first] & set;
}

static enum not_alone_code check_token(const struct not_alone *s, struct not_alone_move m) {
    if (s->token[m.token])
        return E_TOKEN_PLACED;
    if (!not_alone__available(s, m.token))
        return E_TOKEN_UNAVAILABLE;
    unsigned n = not_alone__count(m.set);
    if (n != not_alone__footprint(s, m.token))
        return E_FOOTPRINT;
    return n == 2 && !is_pair(m.set) ? E_NOT_ADJACENT : OK;
}

static enum not_alone_code check_ready(const struct not_alone *s, int by) {
    if (s->wait == WAIT_DRAWN)
        return OK;
    if (by == 0 && s->phase == HUNTING && !not_alone__tokens_down(s))
        return E_TOKENS_MISSING;
    return not_alone__is_ready(s, (unsigned)by) ? E_NO_EFFECT : OK;
}

static enum not_alone_code check_discard(const struct not_alone_hunted *h, struct not_alone_move m) {
    if (not_alone__count(m.set) != h->owed)
        return E_NUM_CARDS;
    return m.set & ~h->hand ? E_NOT_IN_HAND : OK;
}

// Which slot is meant; with two, one must be named, with one, none.
static enum not_alone_code find_slot(const struct not_alone *s, const struct not_alone_hunted *h,
                                     struct not_alone_move m, unsigned *ret) {
    unsigned open = not_alone__open_slots(s), pad = not_alone__pad_of(h, m.slot);
    *ret = open ? not_alone__lowest(open) : 0;
    if (not_alone__count(open) < 2)
        return m.slot ? E_SLOT : OK;
    if (pad == SLOTS_LAID)
        return E_SLOT;
    *ret = pad;
    return OK;
}

static enum not_alone_code check_place_act(const struct not_alone *s, const struct not_alone_hunted *h,
                                           struct not_alone_move m) {
    unsigned slot;
    enum not_alone_code code = find_slot(s, h, m, &slot);
    unsigned hunted = s->active, at = h->laid[slot].at;
    switch (m.verb) {
    case VERB_PASS_PLACE:
        return code;
    case VERB_TAKE_BACK:
        if (code != OK)
            return code;
        return not_alone__count(m.set) != 1 ? E_NUM_CARDS : m.set & ~h->discard ? E_TAKE_SET : OK;
    default:
        if (code == OK && !not_alone__power_args(at, s->fx & FX_PERSECUTION, m))
            return E_ARG;
        return code != OK ? code : not_alone__refuse_power(s, hunted, slot, at, m);
    }
}

static enum not_alone_code check_hunt(const struct not_alone *s, struct not_alone_move m) {
    unsigned card = not_alone__hunt_as(s, m.card);
    if (s->fx & FX_SACRIFICE)
        return E_SACRIFICE;
    if (!s->hunt_left)
        return E_CARD_LIMIT;
    if (card == HUNT_DETOUR) {
        const struct not_alone_hunted *h = &s->h[m.seat - 1];
        if (not_alone__laid(h) == 2 ? !m.slot : m.slot != 0)
            return E_SLOT;
    }
    if (card == HUNT_FORCE_FIELD && not_alone__count(m.set) != 2)
        return E_FOOTPRINT;
    if (!(s->hunt_hand >> m.card & 1))
        return E_NOT_IN_HAND;
    m.card = (uint8_t)card;
    return card == HUNT_NONE ? E_NO_EFFECT : not_alone__refuse_hunt(s, m);
}

static enum not_alone_code check_survival(const struct not_alone *s, int by, struct not_alone_move m) {
    const struct not_alone_hunted *h = &s->h[by - 1];
    unsigned slot = 0;
    enum not_alone_code code = OK;
    if (m.verb == VERB_PLAY_POWER) {
        code = find_slot(s, h, m, &slot);
        unsigned at = m.card == SURVIVAL_GATE ? m.copy : AT_ROVER;
        if (code == OK && !not_alone__power_args(at, s->fx & FX_PERSECUTION, m))
            return E_ARG;
    }
    if (m.card == SURVIVAL_SIXTH_SENSE && !h->discard)
        return E_NOTHING_TO_REGAIN;
    if (s->fx & FX_DESPAIR)
        return E_DESPAIR;
    if (!h->survival_left)
        return E_CARD_LIMIT;
    if (code != OK)
        return code;
    if (m.card == SURVIVAL_VORTEX && (not_alone__laid(h) == 2 ? !m.slot : m.slot != 0))
        return E_SLOT;
    if (m.card == SURVIVAL_DOUBLE_BACK && not_alone__out(h) == 2 && !m.slot)
        return E_SLOT;
    if ((m.card == SURVIVAL_SACRIFICE || m.card == SURVIVAL_VORTEX) && not_alone__count(m.set) != 1)
        return E_NUM_CARDS;
    if (!(h->survival >> m.card & 1))
        return E_NOT_IN_HAND;
    if (m.card == SURVIVAL_DRONE)
        return not_alone__refuse_power(s, (unsigned)by - 1, slot, AT_ROVER, m);
    if (m.card != SURVIVAL_GATE)
        return not_alone__refuse_survival(s, (unsigned)by - 1, m);
    if (!(not_alone__adjacent[h->laid[slot].at] >> m.copy & 1))
        return E_NOT_ADJACENT;
    if (m.copy == AT_ARTEFACT)
        return E_COPY;
    return not_alone__refuse_power(s, (unsigned)by - 1, slot, m.copy, m);
}

// ---- chance

static enum not_alone_code check_chance(const struct not_alone *s, struct not_alone_move m) {
    unsigned given = not_alone__given(m), next = 0;
    while (next < s->n && !s->h[next].draw)
        next++;
    switch (m.verb) {
    case VERB_STRIKE:
        return s->strike && given == HAS_CARD && s->hunt_hand >> m.card & 1 ? OK : E_PHASE;
    case VERB_DRAW_HUNT:
        if (s->strike || !s->refill || given != HAS_CARD)
            return E_PHASE;
        return (s->hunt_deck ? s->hunt_deck >> m.card & 1 : s->n_under && s->under[0] == m.card) ? OK
                                                                                                 : E_PHASE;
    case VERB_DRAW_SURVIVAL:
        if (s->strike || s->refill || given != (HAS_CARD | HAS_SEAT) || m.seat != next + 1 || next == s->n)
            return E_PHASE;
        return s->survival_deck >> m.card & 1 ? OK : E_PHASE;
    default:
        return E_PHASE;
    }
}

static enum not_alone_code check_verb(const struct not_alone *s, int by, struct not_alone_move m) {
    const struct not_alone_hunted *h = by > 0 ? &s->h[by - 1] : NULL;
    if (by == 0)
        return m.verb == VERB_PLAY_HUNT     ? check_hunt(s, m)
               : m.verb == VERB_PLACE_TOKEN ? check_token(s, m)
                                            : check_ready(s, by);
    switch (m.verb) {
    case VERB_LAY:
        return check_lay(s, h, m);
    case VERB_TAKE_UP:
        return not_alone__laid(h) ? OK : E_NO_EFFECT;
    case VERB_RESIST:
        return check_resist(h, m);
    case VERB_GIVE_UP:
        return check_give_up(h);
    case VERB_PLAY_SURVIVAL:
    case VERB_PLAY_POWER:
        return check_survival(s, by, m);
    case VERB_CHOOSE_RIVER:
        if (not_alone__count(m.set) != 1)
            return E_NUM_CARDS;
        return m.set & ~not_alone__laid_set(h) ? E_NOT_IN_HAND : OK;
    case VERB_DISCARD:
        return check_discard(h, m);
    case VERB_SHOW:
        if (not_alone__count(m.set) != not_alone__count(h->hand) - 2)
            return E_NUM_CARDS;
        return m.set & ~h->hand ? E_NOT_IN_HAND : OK;
    case VERB_SCREAM:
        if (m.set && not_alone__count(m.set) != 2)
            return E_NUM_CARDS;
        return m.set & ~h->hand ? E_NOT_IN_HAND : OK;
    case VERB_TOXIN_DISCARD:
        return h->survival >> m.card & 1 ? OK : E_NOT_IN_HAND;
    case VERB_KEEP:
        return s->shelter >> m.card & 1 ? OK : E_NOT_IN_HAND;
    case VERB_READY:
        return check_ready(s, by);
    default:
        return check_place_act(s, h, m);
    }
}

enum not_alone_code not_alone__refuse(const struct not_alone *s, int by, struct not_alone_move m) {
    enum not_alone_code code;
    if (s->phase == GAME_OVER)
        return E_GAME_OVER;
    if (m.verb >= VERBS || by < GAME_BY_CHANCE || by > s->n)
        return E_PHASE;
    bool is_chance = m.verb <= VERB_STRIKE;
    if (by == GAME_BY_CHANCE || is_chance)
        return by == GAME_BY_CHANCE && is_chance ? check_chance(s, m) : E_PHASE;
    if (not_alone__draws(s))
        return E_PENDING;
    if ((code = check_moment(s, by, m)) != OK || (code = check_actor(s, by, m)) != OK ||
        (code = check_args(s, m)) != OK)
        return code;
    return check_verb(s, by, m);
}
