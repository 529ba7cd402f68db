// Legal actions: candidates for each verb, in ascending order, kept when `refuse` has nothing against them.
#include "games/not_alone/not_alone.h"
#include <stdlib.h>

struct offer {
    const struct not_alone *s;
    int by;
    bool mistakes;
    game_action *ret;
    size_t n, cap;
};

// What people do against the rules and a table can tell from other things.
static const uint8_t told[] = {
    E_NUM_CARDS,    E_FOOTPRINT,  E_NOT_IN_HAND,    E_TOKENS_MISSING, E_TOKEN_UNAVAILABLE, E_NOT_ADJACENT,
    E_NO_EFFECT,    E_CARD_LIMIT, E_SACRIFICE,      E_DESPAIR,        E_USED_THIS_TURN,    E_ALREADY_LAID,
    E_RESIST_LIMIT, E_TOO_LATE,   E_PENDING_EFFECT, E_OWNED,          E_NOT_ACTIVE,        E_TOKEN_PLACED};

static bool is_told(enum not_alone_code code) {
    for (unsigned i = 0; i < sizeof told; i++)
        if (told[i] == code)
            return true;
    return false;
}

static void offer(struct offer *o, struct not_alone_move m) {
    enum not_alone_code code = not_alone__refuse(o->s, o->by, m);
    if (o->mistakes ? !is_told(code) : code != OK)
        return;
    if (o->n++ < o->cap)
        o->ret[o->n - 1] = not_alone__pack(m);
}

// Calls for every subset of `from` with low..high members. Subsets ascend within a verb once all is sorted.
static void offer_sets(struct offer *o, struct not_alone_move m, unsigned from, unsigned low, unsigned high) {
    unsigned set = 0;
    do {
        unsigned n = not_alone__count(set);
        if (n >= low && n <= high) {
            m.set = (uint16_t)set;
            offer(o, m);
        }
        set = (set - from) & from;
    } while (set);
}

// ---- laying

static void offer_lay(struct offer *o) {
    const struct not_alone_hunted *h = &o->s->h[o->by - 1];
    struct not_alone_move m = {.verb = VERB_LAY};
    unsigned due = h->pending ? 2 : 1;
    if (o->s->phase != EXPLORATION)
        return;
    for (unsigned n = o->mistakes ? 1 : due; n <= (o->mistakes ? 2 : due); n++) {
        m.b = 0;
        offer_sets(o, m, h->hand, n, n);
        for (unsigned low = 1; n == 2 && low < PLACE_CARDS; low++) {
            m.b = (uint8_t)low;
            if (!(h->hand >> low & 1))
                continue;
            for (unsigned high = low + 1; high <= PLACE_CARDS; high++) {
                m.set = PLACE_BIT(low) | PLACE_BIT(high);
                if (h->hand >> high & 1)
                    offer(o, m);
            }
        }
    }
    // Another's card (NA1), or an own one that is barred: told alike, for which it is stays secret.
    m.b = 0;
    for (unsigned k = 0; o->mistakes && k < o->s->n; k++)
        for (unsigned card = 1; card <= PLACE_CARDS; card++) {
            bool own = k + 1 == (unsigned)o->by;
            bool barred = o->s->fx & FX_FORCE_FIELD && o->s->token[TOKEN_TARGET] >> card & 1;
            m.seat = (uint8_t)(k + 1);
            m.set = PLACE_BIT(card);
            if (not_alone__owned(&o->s->h[k]) >> card & 1 && (!own || barred))
                offer(o, m);
        }
}

static void offer_exploration(struct offer *o) {
    const struct not_alone_hunted *h = &o->s->h[o->by - 1];
    if (o->s->phase != EXPLORATION)
        return;
    offer(o, (struct not_alone_move){.verb = VERB_TAKE_UP});
    if (not_alone__laid(h) && !o->mistakes)
        return;
    for (uint8_t k = 1; k <= 2; k++)
        offer_sets(o, (struct not_alone_move){.verb = VERB_RESIST, .k = k}, h->discard, 1, 4);
    offer(o, (struct not_alone_move){.verb = VERB_GIVE_UP});
}

// ---- tokens

// Single places, or pairs (with all the mistakes both).
static void offer_places(struct offer *o, struct not_alone_move m, bool one) {
    for (unsigned a = 1; a <= PLACE_CARDS; a++) {
        m.b = 0;
        m.set = PLACE_BIT(a);
        if (one)
            offer(o, m);
        for (unsigned b = a + 1; b <= PLACE_CARDS && (!one || o->mistakes); b++) {
            if (!(not_alone__adjacent[a] >> b & 1))
                continue;
            m.set = PLACE_BIT(a) | PLACE_BIT(b);
            m.b = 0;
            offer(o, m);
            m.b = (uint8_t)a;
            offer(o, m);
        }
    }
}

// ---- Hunt cards

static void offer_hunt_card(struct offer *o, uint8_t card) {
    const struct not_alone *s = o->s;
    unsigned as = not_alone__hunt_as(s, card);
    struct not_alone_move m = {.verb = VERB_PLAY_HUNT, .card = card};
    bool now = as != HUNT_NONE && not_alone__hunt[as].phase == s->phase + 1;
    if (as != HUNT_NONE && (!now || (!o->mistakes && (!s->hunt_left || s->fx & FX_SACRIFICE))))
        return;
    if (as == HUNT_FORCE_FIELD) {
        offer_places(o, m, false);
        return;
    }
    if (as == HUNT_CATACLYSM) {
        for (m.place = 1; m.place <= PLACE_CARDS; m.place++)
            offer(o, m);
        return;
    }
    if (as != HUNT_ANTICIPATION && as != HUNT_ASCENDANCY && as != HUNT_PHOBIA && as != HUNT_DETOUR) {
        offer(o, m);
        return;
    }
    if (as == HUNT_PHOBIA)
        offer(o, m);
    for (m.seat = 1; m.seat <= s->n; m.seat++) {
        const struct not_alone_hunted *h = &s->h[m.seat - 1];
        if (as != HUNT_DETOUR) {
            offer(o, m);
            continue;
        }
        bool two = not_alone__laid(h) == 2;
        for (m.to = 1; m.to <= PLACE_CARDS; m.to++)
            for (unsigned i = 0; i < SLOTS_LAID; i++) {
                m.slot = two ? h->laid[i].card : 0;
                if (two ? h->laid[i].card != 0 : i == 0)
                    offer(o, m);
            }
    }
}

// A token that was placed is moved on.
static void offer_moved(struct offer *o, uint8_t token) {
    struct not_alone_move m = {.verb = VERB_PLACE_TOKEN, .token = token};
    for (unsigned place = 1; place <= PLACE_CARDS; place++) {
        m.set = PLACE_BIT(place);
        if (!(o->s->token[token] & m.set))
            offer(o, m);
    }
}

static void offer_creature(struct offer *o) {
    const struct not_alone *s = o->s;
    for (uint8_t card = 1; card < HUNT_END; card++)
        if (s->hunt_hand >> card & 1)
            offer_hunt_card(o, card);
    for (uint8_t t = 0; t < TOKENS && s->phase == HUNTING; t++)
        if (s->token[t] && o->mistakes)
            offer_moved(o, t);
        else if (!s->token[t] && (o->mistakes || not_alone__available(s, t)))
            offer_places(o, (struct not_alone_move){.verb = VERB_PLACE_TOKEN, .token = t},
                         o->mistakes || not_alone__footprint(s, t) == 1);
    offer(o, (struct not_alone_move){.verb = VERB_READY});
}

// ---- powers

static void offer_power(struct offer *o, struct not_alone_move m, unsigned place) {
    const struct not_alone *s = o->s;
    const struct not_alone_hunted *h = &s->h[o->by - 1];
    switch (place) {
    case AT_LAIR:
        m.mode = MODE_RECOVER;
        m.set = 0;
        if (s->fx & FX_PERSECUTION)
            offer_sets(o, m, h->discard, 1, 1);
        else
            offer(o, m);
        for (unsigned at = AT_JUNGLE; at < AT_ARTEFACT; at++) {
            m.set = 0;
            m.place = (uint8_t)at;
            m.mode = MODE_COPY;
            if (not_alone__creatures(s, at))
                offer_power(o, m, at);
        }
        return;
    case AT_JUNGLE:
        offer_sets(o, m, h->discard, 0, 1);
        return;
    case AT_SWAMP:
        offer_sets(o, m, h->discard, 0, 2);
        return;
    case AT_ROVER:
        for (unsigned card = BASIC_CARDS + 1; card <= PLACE_CARDS; card++)
            for (m.k = 1; m.k <= COPIES_MAX; m.k++) {
                m.set = PLACE_BIT(card);
                if (s->reserve[card - BASIC_CARDS] >> m.k & 1)
                    offer(o, m);
            }
        return;
    case AT_SOURCE: {
        struct not_alone_move draw = m;
        for (m.seat = 1; m.seat <= s->n; m.seat++)
            offer(o, m);
        draw.mode = MODE_DRAW;
        offer(o, draw);
        return;
    }
    default:
        offer(o, m);
    }
}

static void offer_place_acts(struct offer *o) {
    const struct not_alone *s = o->s;
    if (s->active == NOBODY || o->by - 1 != s->active)
        return;
    const struct not_alone_hunted *h = &s->h[s->active];
    unsigned open = not_alone__open_slots(s);
    bool two = not_alone__count(open) == 2;
    for (; open; open &= open - 1) {
        const struct not_alone_slot *slot = &h->laid[not_alone__lowest(open)];
        struct not_alone_move m = {.verb = VERB_USE_POWER, .slot = two ? slot->card : 0};
        offer_power(o, m, slot->at);
        m.verb = VERB_TAKE_BACK;
        offer_sets(o, m, h->discard, 1, 1);
        m.verb = VERB_PASS_PLACE;
        offer(o, m);
        m.verb = VERB_PLAY_POWER;
        m.card = SURVIVAL_DRONE;
        if (h->survival >> m.card & 1)
            offer_power(o, m, AT_ROVER);
        m.card = SURVIVAL_GATE;
        if (!(h->survival >> m.card & 1))
            continue;
        for (unsigned left = not_alone__adjacent[slot->at]; left; left &= left - 1) {
            m.copy = (uint8_t)not_alone__lowest(left);
            offer_power(o, m, m.copy);
        }
    }
}

// ---- Survival cards

static void offer_survival_card(struct offer *o, uint8_t card) {
    const struct not_alone *s = o->s;
    const struct not_alone_hunted *h = &s->h[o->by - 1];
    struct not_alone_move m = {.verb = VERB_PLAY_SURVIVAL, .card = card};
    bool two = not_alone__laid(h) == 2;
    if (not_alone__survival[card].phase != s->phase + 1 ||
        (!o->mistakes && (!h->survival_left || s->fx & FX_DESPAIR)))
        return; // spares the closer look
    switch (card) {
    case SURVIVAL_SACRIFICE:
        offer_sets(o, m, h->hand, 1, 1);
        return;
    case SURVIVAL_SIXTH_SENSE:
        offer_sets(o, m, h->discard, 1, 2);
        return;
    case SURVIVAL_VORTEX:
        for (unsigned i = 0; i < (two ? 2u : 1u); i++) {
            m.slot = two ? h->laid[i].card : 0;
            offer_sets(o, m, h->discard, 1, 1);
        }
        return;
    case SURVIVAL_DOUBLE_BACK:
        two = two && !h->laid[0].home && !h->laid[1].home;
        for (unsigned i = 0; i < (two ? 2u : 1u); i++) {
            m.slot = two ? h->laid[i].card : 0;
            offer(o, m);
        }
        return;
    case SURVIVAL_HOLOGRAM:
    case SURVIVAL_WRONG_TRACK: {
        bool moves = card == SURVIVAL_WRONG_TRACK || s->hologram_move;
        for (m.token = 0; m.token <= (card == SURVIVAL_WRONG_TRACK ? TOKEN_TARGET : 0); m.token++)
            for (m.to = moves ? 1 : 0; m.to <= (moves ? PLACE_CARDS : 0); m.to++)
                offer(o, m);
        return;
    }
    case SURVIVAL_DRONE:
    case SURVIVAL_GATE:
        return; // with the place actions
    default:
        offer(o, m);
    }
}

static void offer_answers(struct offer *o) {
    const struct not_alone *s = o->s;
    const struct not_alone_hunted *h = &s->h[o->by - 1];
    if (s->wait == WAIT_NONE || !(s->owes >> (o->by - 1) & 1))
        return;
    unsigned hand = not_alone__count(h->hand);
    offer_sets(o, (struct not_alone_move){.verb = VERB_CHOOSE_RIVER}, not_alone__laid_set(h), 1, 1);
    offer_sets(o, (struct not_alone_move){.verb = VERB_DISCARD}, h->hand, o->mistakes ? 1 : h->owed,
               o->mistakes ? 2 : h->owed);
    if (s->wait == WAIT_PHOBIA && hand > 2)
        offer_sets(o, (struct not_alone_move){.verb = VERB_SHOW}, h->hand, hand - 2, hand - 2);
    if (s->wait == WAIT_SCREAM) {
        offer(o, (struct not_alone_move){.verb = VERB_SCREAM, .k = 1});
        offer_sets(o, (struct not_alone_move){.verb = VERB_SCREAM}, h->hand, o->mistakes ? 1 : 2, 2);
    }
    for (uint8_t card = 1; card < SURVIVAL_END; card++) {
        if (s->wait == WAIT_TOXIN && h->survival >> card & 1)
            offer(o, (struct not_alone_move){.verb = VERB_TOXIN_DISCARD, .card = card});
        if (s->wait == WAIT_SHELTER && s->shelter >> card & 1)
            offer(o, (struct not_alone_move){.verb = VERB_KEEP, .card = card});
    }
}

static void offer_hunted(struct offer *o) {
    const struct not_alone *s = o->s;
    offer_lay(o);
    offer_exploration(o);
    for (uint8_t card = 1; card < SURVIVAL_END; card++)
        if (s->h[o->by - 1].survival >> card & 1)
            offer_survival_card(o, card);
    offer_place_acts(o);
    offer_answers(o);
    offer(o, (struct not_alone_move){.verb = VERB_READY});
}

static void offer_chance(struct offer *o) {
    const struct not_alone *s = o->s;
    for (uint8_t card = 1; card < HUNT_END; card++) {
        offer(o, (struct not_alone_move){.verb = VERB_STRIKE, .card = card});
        offer(o, (struct not_alone_move){.verb = VERB_DRAW_HUNT, .card = card});
        for (uint8_t seat = 1; seat <= s->n && card < SURVIVAL_END; seat++)
            offer(o, (struct not_alone_move){.verb = VERB_DRAW_SURVIVAL, .card = card, .seat = seat});
    }
}

static int compare(const void *a, const void *b) {
    game_action x = *(const game_action *)a, y = *(const game_action *)b;
    return x < y ? -1 : x > y;
}

static size_t list(const void *state, int by, bool mistakes, game_action *ret, size_t cap) {
    struct offer o = {not_alone__state(state), by, mistakes, ret, 0, cap};
    if (o.s->phase == GAME_OVER || by < GAME_BY_CHANCE || by > o.s->n)
        return 0;
    if (by == GAME_BY_CHANCE && !mistakes && not_alone__draws(o.s))
        offer_chance(&o);
    if (by < 0 || not_alone__draws(o.s))
        return o.n;
    if (by == 0)
        offer_creature(&o);
    else
        offer_hunted(&o);
    size_t kept = o.n < cap ? o.n : cap, unique = 0;
    bool sorted = true;
    for (size_t i = 1; i < kept && sorted; i++)
        sorted = ret[i - 1] < ret[i];
    if (sorted)
        return o.n;
    qsort(ret, kept, sizeof *ret, compare);
    for (size_t i = 0; i < kept; i++)
        if (i == 0 || ret[i] != ret[unique - 1])
            ret[unique++] = ret[i];
    return o.n <= cap ? unique : o.n;
}

size_t not_alone_legal(const void *state, int by, game_action *ret, size_t cap) {
    return list(state, by, false, ret, cap);
}
size_t not_alone_mistakes(const void *state, int by, game_action *ret, size_t cap) {
    return list(state, by, true, ret, cap);
}
