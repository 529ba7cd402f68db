// Actions in words and back. Equal pieces are told apart by `copy`: the n-th of its type where it lies.
#include "games/elfenland/elfenland.h"
#include <string.h>

// What the arguments of a verb mean.
enum shape { NOTHING, TOWN, LINK, SEATED, MARKET_SLOT, CARD_OF, COUNTER_OF, COUNTER_TO_LINK, AT_PIECE };
static const uint8_t shapes[VERBS] = {
    [VERB_START_TOWN] = TOWN,      [VERB_TOWN_CARD] = AT_PIECE,
    [VERB_REFILL] = AT_PIECE,      [VERB_DEAL] = AT_PIECE,
    [VERB_DRAW_SECRET] = AT_PIECE, [VERB_TURN_UP] = AT_PIECE,
    [VERB_TAKE] = AT_PIECE,        [VERB_FIRST] = SEATED,
    [VERB_DRAFT] = MARKET_SLOT,    [VERB_PLACE_COUNTER] = COUNTER_TO_LINK,
    [VERB_PLACE_OBSTACLE] = LINK,  [VERB_PAY] = CARD_OF,
    [VERB_TAKE_BACK] = CARD_OF,    [VERB_BOOT_AHEAD] = TOWN,
    [VERB_TRAVEL] = TOWN,          [VERB_DROP] = CARD_OF,
    [VERB_PICK_UP] = CARD_OF,      [VERB_GIVE_BACK] = COUNTER_OF,
    [VERB_RECLAIM] = COUNTER_OF,
};

// ---- which of equal ones

static unsigned card_place(const struct elfenland *g, int by, unsigned verb) {
    if (verb == VERB_TAKE_BACK)
        return CARD_OFFERED;
    if (verb == VERB_PICK_UP)
        return CARD_DROPPED;
    return g->hands == HANDS_COUNTED ? CARD_DECK : CARD_HAND + (by < 0 ? 0u : (unsigned)by);
}
static unsigned counter_place(int by, unsigned verb, unsigned source) {
    unsigned seat = by < 0 ? 0 : (unsigned)by;
    if (verb == VERB_RECLAIM)
        return source == SOURCE_SECRET ? COUNTER_GIVEN_SECRET : COUNTER_GIVEN_UP;
    return (source == SOURCE_SECRET ? COUNTER_SECRET : COUNTER_UP) + seat;
}
// Piece number `copy` of a type at a place, NONE. first..end are the pieces of the type.
static unsigned find(const uint8_t *where, unsigned first, unsigned end, unsigned at, int copy) {
    for (unsigned i = first; i < end; i++)
        if (where[i] == at && copy-- == 0)
            return i;
    return NONE;
}
static int copy_of(const uint8_t *where, unsigned first, unsigned piece) {
    int copy = 0;
    for (unsigned i = first; i < piece; i++)
        copy += where[i] == where[piece];
    return copy;
}
static unsigned first_card(unsigned type) {
    return type * 10;
}
static unsigned end_card(unsigned type) {
    return type == TYPE_RAFT ? CARDS : type * 10 + 10;
}

// ---- words to number

static int value(const struct game_act *act, unsigned i) {
    return act->arg[i].given ? act->arg[i].value[0] : 0;
}

static enum error_code encode_card(const struct elfenland *g, int by, const struct game_act *act,
                                   game_action *ret) {
    unsigned type = (unsigned)value(act, 0);
    unsigned card =
        find(g->card, first_card(type), end_card(type), card_place(g, by, act->verb), value(act, 1));
    *ret = elfenland__pack(act->verb, card, 0, card == NONE ? type : 0);
    return ERROR_OK;
}
static enum error_code encode_counter(const struct elfenland *g, int by, const struct game_act *act,
                                      game_action *ret) {
    bool road = act->verb == VERB_PLACE_COUNTER;
    unsigned type = (unsigned)value(act, 0), source = (unsigned)value(act, road ? 2 : 1),
             link = road ? (unsigned)value(act, 1) : 0;
    unsigned counter = find(g->counter, type * 8, type * 8 + 8, counter_place(by, act->verb, source),
                            value(act, road ? 3 : 2));
    *ret = elfenland__pack(act->verb, counter, link, counter == NONE ? type | source << 4 : 0);
    return ERROR_OK;
}

static game_place place_of(const struct elfenland *g, unsigned verb, unsigned a) {
    switch (verb) {
    case VERB_REFILL:
        return (game_place)(PLACE_MARKET + a);
    case VERB_TOWN_CARD:
        return elfenland__seat_place(a, AT_HOME);
    case VERB_DEAL:
        return elfenland__seat_place(a, AT_HAND);
    case VERB_DRAW_SECRET:
        return elfenland__seat_place(a, AT_SECRET);
    default:
        return elfenland__seat_place(g->turn, AT_OPEN);
    }
}
static unsigned first_slot(const struct elfenland *g, unsigned verb) {
    return verb == VERB_DEAL        ? SLOT_CARD
           : verb == VERB_TOWN_CARD ? elfenland__first_town_slot(g)
                                    : SLOT_COUNTER;
}

static enum error_code encode_at(const struct elfenland *g, const struct game_act *act, game_action *ret,
                                 struct error *err) {
    bool own = act->verb == VERB_TURN_UP || act->verb == VERB_TAKE;
    unsigned first = first_slot(g, act->verb), piece = (unsigned)value(act, 1), n = own ? 1 : PLAYERS_MAX;
    if (piece < first || piece - first >= NONE)
        return error_set(err, ERROR_INVALID, "piece", "this piece does not go there");
    for (unsigned a = 0; a < n; a++)
        if (place_of(g, act->verb, a) == value(act, 0)) {
            *ret = own ? elfenland__pack(act->verb, piece - first, 0, 0)
                       : elfenland__pack(act->verb, a, piece - first, 0);
            return ERROR_OK;
        }
    return error_set(err, ERROR_INVALID, "at", "nothing is laid there like this");
}

enum error_code elfenland_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                 struct error *err) {
    const struct elfenland *g = state;
    switch (shapes[act->verb]) {
    case CARD_OF:
        return encode_card(g, by, act, ret);
    case COUNTER_OF:
    case COUNTER_TO_LINK:
        return encode_counter(g, by, act, ret);
    case AT_PIECE:
        return encode_at(g, act, ret, err);
    case NOTHING:
        *ret = elfenland__pack(act->verb, 0, 0, 0);
        return ERROR_OK;
    default:
        *ret = elfenland__pack(act->verb, (unsigned)value(act, 0), 0, 0);
        return ERROR_OK;
    }
}

// ---- number to words

static void give(struct game_act *ret, unsigned i, int one) {
    ret->arg[i] = (struct game_arg){.given = true, .n = 1, .value = {one}};
}
static void give_copy(struct game_act *ret, unsigned i, int copy) {
    if (copy > 0)
        give(ret, i, copy);
}

static void decode_card(const struct elfenland *g, struct elfenland_act act, struct game_act *ret) {
    bool held = act.a < CARDS;
    unsigned type = held ? elfenland__card_type(act.a) : act.c & 0xf;
    give(ret, 0, (int)(type < TYPES ? type : 0));
    if (held)
        give_copy(ret, 1, copy_of(g->card, first_card(type), act.a));
}
static void decode_counter(const struct elfenland *g, struct elfenland_act act, struct game_act *ret) {
    bool road = act.verb == VERB_PLACE_COUNTER, held = act.a < COUNTERS;
    unsigned type = held ? elfenland__counter_type(act.a) : act.c & 0xf, at = held ? g->counter[act.a] : 0;
    bool secret = held ? at >= COUNTER_SECRET || at == COUNTER_GIVEN_SECRET : act.c >> 4;
    give(ret, 0, (int)(type < COUNTER_TYPES ? type : 0));
    if (road)
        give(ret, 1, (int)(act.b < LINKS ? act.b : 0));
    give(ret, road ? 2 : 1, secret ? SOURCE_SECRET : SOURCE_UP);
    if (held)
        give_copy(ret, road ? 3 : 2, copy_of(g->counter, type * 8, act.a));
}

void elfenland_decode(const void *state, int by, game_action action, struct game_act *ret) {
    const struct elfenland *g = state;
    struct elfenland_act act = elfenland__unpack(action);
    (void)by;
    memset(ret, 0, sizeof *ret);
    if (act.verb >= VERBS)
        return;
    ret->verb = (uint8_t)act.verb;
    switch (shapes[act.verb]) {
    case NOTHING:
        break;
    case CARD_OF:
        decode_card(g, act, ret);
        break;
    case COUNTER_OF:
    case COUNTER_TO_LINK:
        decode_counter(g, act, ret);
        break;
    case AT_PIECE: {
        bool own = act.verb == VERB_TURN_UP || act.verb == VERB_TAKE;
        give(ret, 0, place_of(g, act.verb, act.a));
        give(ret, 1, (int)(first_slot(g, act.verb) + (own ? act.a : act.b)));
        break;
    }
    default:
        give(ret, 0, (int)act.a);
    }
}
