// Actions packed, and in words (design 5.2). One number means one action: what an action does not need is 0.
#include "games/not_alone/not_alone.h"
#include <string.h>

game_action not_alone__pack(struct not_alone_move m) {
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): it misses the casts
    return (game_action)m.verb << 59 | (game_action)m.card << 54 | (game_action)m.mode << 51 |
           (game_action)m.copy << 47 | (game_action)m.place << 43 | (game_action)m.seat << 40 |
           (game_action)m.to << 36 | (game_action)m.slot << 32 | (game_action)m.b << 28 |
           (game_action)m.token << 26 | (game_action)m.k << 24 | m.set;
}
struct not_alone_move not_alone__unpack(game_action action) {
    return (struct not_alone_move){
        .verb = action >> 59 & 31,
        .card = action >> 54 & 31,
        .mode = action >> 51 & 7,
        .copy = action >> 47 & 15,
        .place = action >> 43 & 15,
        .seat = action >> 40 & 7,
        .to = action >> 36 & 15,
        .slot = action >> 32 & 15,
        .b = action >> 28 & 15,
        .token = action >> 26 & 3,
        .k = action >> 24 & 3,
        .set = action & ALL_PLACES,
    };
}
unsigned not_alone__given(struct not_alone_move m) {
    return (m.card ? HAS_CARD : 0u) | (m.mode ? HAS_MODE : 0u) | (m.copy ? HAS_COPY : 0u) |
           (m.place ? HAS_PLACE : 0u) | (m.seat ? HAS_SEAT : 0u) | (m.to ? HAS_TO : 0u) |
           (m.slot ? HAS_SLOT : 0u) | (m.b ? HAS_B : 0u) | (m.token ? HAS_TOKEN : 0u) | (m.k ? HAS_K : 0u) |
           (m.set ? HAS_SET : 0u);
}

// ---- words

// Where each argument of a verb goes. The packed field is found by the argument's name.
enum field {
    FIELD_CARD,
    FIELD_MODE,
    FIELD_COPY,
    FIELD_PLACE,
    FIELD_SEAT,
    FIELD_TO,
    FIELD_SLOT,
    FIELD_B,
    FIELD_TOKEN,
    FIELD_K,
    FIELD_SET,
    FIELD_WILL,
    FIELD_DRAWN,
    FIELD_AT
};
static const struct {
    const char *name;
    uint8_t field;
} fields[] = {
    {"mode", FIELD_MODE},   {"copy", FIELD_COPY},      {"place", FIELD_PLACE}, {"hunted", FIELD_SEAT},
    {"heal", FIELD_SEAT},   {"to", FIELD_TO},          {"slot", FIELD_SLOT},   {"give", FIELD_SLOT},
    {"b", FIELD_B},         {"rest", FIELD_B},         {"token", FIELD_TOKEN}, {"will", FIELD_K},
    {"piece", FIELD_K},     {"cards", FIELD_SET},      {"places", FIELD_SET},  {"take", FIELD_SET},
    {"discard", FIELD_SET}, {"lose_will", FIELD_WILL}, {"at", FIELD_AT},
};
static enum field field_of(unsigned verb, const struct game_arg_row *row) {
    if (!strcmp(row->name, "card"))
        return row->type == GAME_ARG_SLOT ? FIELD_DRAWN : row->type == GAME_ARG_INT ? FIELD_SET : FIELD_CARD;
    (void)verb;
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, row->name))
            return fields[i].field;
    return FIELD_AT;
}

// The cards that PLAY_POWER and KEEP name stand at other numbers in their lists of words.
static unsigned card_of_word(unsigned verb, int word) {
    return verb == VERB_PLAY_POWER ? (word ? SURVIVAL_GATE : SURVIVAL_DRONE) : (unsigned)word + 1;
}
static int word_of_card(unsigned verb, unsigned card) {
    return verb == VERB_PLAY_POWER ? card == SURVIVAL_GATE : (int)card - 1;
}

static bool read_set(const struct game_arg *arg, uint16_t *ret) {
    for (unsigned i = 0; i < arg->n; i++) {
        if (arg->value[i] < 1 || arg->value[i] > PLACE_CARDS || *ret >> arg->value[i] & 1)
            return false;
        *ret |= PLACE_BIT(arg->value[i]);
    }
    return true;
}

static bool read_number(const struct game_arg *arg, int most, uint8_t *ret) {
    if (arg->value[0] < 1 || arg->value[0] > most)
        return false;
    *ret = (uint8_t)arg->value[0];
    return true;
}

static bool read_drawn(const struct not_alone *s, unsigned verb, int slot, uint8_t *ret) {
    bool hunt = verb != VERB_DRAW_SURVIVAL;
    int first = hunt ? not_alone__hunt_slot(s, 1) : not_alone__survival_slot(s, 1);
    if (slot < first || slot >= first + (hunt ? HUNTS : SURVIVALS))
        return false;
    *ret = (uint8_t)(slot - first + 1);
    return true;
}

static bool read_at(const struct not_alone *s, unsigned verb, int place, uint8_t *ret) {
    if (verb != VERB_DRAW_SURVIVAL)
        return place == (verb == VERB_STRIKE ? TABLE_HUNT_DECK : TABLE_C_HUNT);
    for (unsigned k = 0; k < s->n; k++)
        if (place == not_alone__spot(k, SPOT_SURVIVAL)) {
            *ret = (uint8_t)(k + 1);
            return true;
        }
    return false;
}

static bool read_field(const struct not_alone *s, unsigned verb, enum field field, const struct game_arg *arg,
                       struct not_alone_move *m) {
    switch (field) {
    case FIELD_CARD:
        m->card = (uint8_t)card_of_word(verb, arg->value[0]);
        return true;
    case FIELD_MODE:
        m->mode = (uint8_t)(arg->value[0] + 1);
        return true;
    case FIELD_TOKEN:
        m->token = (uint8_t)arg->value[0];
        return true;
    case FIELD_SEAT: // seat 0 is the Creature; nobody can mean it
        m->seat = (uint8_t)arg->value[0];
        return arg->value[0] > 0;
    case FIELD_COPY:
        return read_number(arg, PLACE_CARDS, &m->copy);
    case FIELD_PLACE:
        return read_number(arg, PLACE_CARDS, &m->place);
    case FIELD_TO:
        return read_number(arg, PLACE_CARDS, &m->to);
    case FIELD_SLOT:
        return read_number(arg, PLACE_CARDS, &m->slot);
    case FIELD_B:
        return read_number(arg, PLACE_CARDS, &m->b);
    case FIELD_K:
        return read_number(arg, COPIES_MAX, &m->k);
    case FIELD_SET:
        return read_set(arg, &m->set);
    case FIELD_WILL:
        m->k = arg->value[0] != 0;
        return true;
    case FIELD_DRAWN:
        return read_drawn(s, verb, arg->value[0], &m->card);
    case FIELD_AT:
        return read_at(s, verb, arg->value[0], &m->seat);
    }
    return false;
}

// What may be left out is written in one way only.
static void make_plain(const struct not_alone *s, int by, struct not_alone_move *m) {
    unsigned open = by > 0 && by - 1 == s->active ? not_alone__open_slots(s) : 0;
    bool place_act = m->verb == VERB_USE_POWER || m->verb == VERB_TAKE_BACK || m->verb == VERB_PASS_PLACE ||
                     m->verb == VERB_PLAY_POWER;
    if (place_act && m->slot && not_alone__count(open) == 1 &&
        s->h[s->active].laid[not_alone__lowest(open)].card == m->slot)
        m->slot = 0;
    if (m->b && (not_alone__count(m->set) != 2 || m->b != not_alone__lowest(m->set)))
        m->b = 0;
    bool rover = (m->verb == VERB_USE_POWER || m->verb == VERB_PLAY_POWER) && !m->k && by > 0 &&
                 not_alone__count(m->set) == 1 && m->set >> (BASIC_CARDS + 1);
    if (rover) { // from the reserve? then the lowest copy
        unsigned card = not_alone__lowest(m->set);
        if (!(not_alone__owned(&s->h[by - 1]) >> card & 1) && s->reserve[card - BASIC_CARDS])
            m->k = (uint8_t)not_alone__lowest(s->reserve[card - BASIC_CARDS]);
    }
    if (m->verb == VERB_PLAY_SURVIVAL && m->card == SURVIVAL_DOUBLE_BACK && m->set) {
        m->slot = (uint8_t)not_alone__lowest(m->set);
        m->set = 0;
        const struct not_alone_hunted *h = by > 0 ? &s->h[by - 1] : NULL;
        unsigned pad = h ? not_alone__pad_of(h, m->slot) : SLOTS_LAID;
        if (pad < SLOTS_LAID && !h->laid[pad].home && not_alone__out(h) == 1)
            m->slot = 0; // the only one that can be meant
    }
    if (m->verb == VERB_PLAY_SURVIVAL && m->card == SURVIVAL_VORTEX && by > 0 && m->slot &&
        not_alone__laid(&s->h[by - 1]) == 1 && not_alone__pad_of(&s->h[by - 1], m->slot) < SLOTS_LAID)
        m->slot = 0;
    if (m->verb == VERB_PLAY_HUNT && m->seat && m->slot && m->seat <= s->n &&
        not_alone__laid(&s->h[m->seat - 1]) == 1 &&
        not_alone__pad_of(&s->h[m->seat - 1], m->slot) < SLOTS_LAID)
        m->slot = 0;
}

enum error_code not_alone_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                 struct error *err) {
    const struct not_alone *s = not_alone__state(state);
    if (act->verb >= VERBS)
        return error_set(err, ERROR_INVALID, "do", "there is no such verb");
    struct not_alone_move m = {.verb = act->verb};
    const struct game_arg_row *row = not_alone__verbs[act->verb].args;
    for (unsigned i = 0; i < GAME_ARGS_MAX && row[i].name; i++) {
        if (!act->arg[i].given || act->arg[i].n == 0)
            continue;
        enum field field = field_of(act->verb, &row[i]);
        if (field == FIELD_SET && m.set)
            return error_set(err, ERROR_INVALID, row[i].name, "name one set of cards");
        if (!read_field(s, act->verb, field, &act->arg[i], &m))
            return error_set(err, ERROR_INVALID, row[i].name, "this is out of range");
    }
    make_plain(s, by, &m);
    *ret = not_alone__pack(m);
    return ERROR_OK;
}

// ---- back

static void put_set(struct game_arg *arg, unsigned set) {
    for (unsigned left = set; left; left &= left - 1)
        arg->value[arg->n++] = (int32_t)not_alone__lowest(left);
    arg->given = arg->n > 0;
}
static void put_number(struct game_arg *arg, unsigned number) {
    *arg = (struct game_arg){.given = number > 0, .n = number > 0, .value = {(int32_t)number}};
}
static void put_value(struct game_arg *arg, bool given, int value) {
    if (given)
        *arg = (struct game_arg){.given = true, .n = 1, .value = {value}};
}

static int drawn_at(unsigned verb, unsigned seat) {
    if (verb == VERB_DRAW_SURVIVAL)
        return seat >= 1 && seat <= HUNTED_MAX ? not_alone__spot(seat - 1, SPOT_SURVIVAL)
                                               : TABLE_SURVIVAL_DECK;
    return verb == VERB_STRIKE ? TABLE_HUNT_DECK : TABLE_C_HUNT;
}

static void put_field(const struct not_alone *s, const struct not_alone_move *m, enum field field,
                      const struct game_arg_row *row, struct game_arg *arg) {
    bool creature_named = m->verb == VERB_PLACE_TOKEN || m->token;
    bool plays = m->verb == VERB_PLAY_SURVIVAL;
    switch (field) {
    case FIELD_CARD:
        put_value(arg, m->card, word_of_card(m->verb, m->card));
        return;
    case FIELD_MODE:
        put_value(arg, m->mode, m->mode - 1);
        return;
    case FIELD_TOKEN:
        put_value(arg, creature_named, m->token);
        return;
    case FIELD_SEAT:
        put_value(arg, m->seat, m->seat);
        return;
    case FIELD_COPY:
        put_number(arg, m->copy);
        return;
    case FIELD_PLACE:
        put_number(arg, m->place);
        return;
    case FIELD_TO:
        put_number(arg, m->to);
        return;
    case FIELD_SLOT:
        put_number(arg, plays && m->card == SURVIVAL_DOUBLE_BACK ? 0 : m->slot);
        return;
    case FIELD_B:
        put_number(arg, m->b);
        return;
    case FIELD_K:
        put_number(arg, m->k);
        return;
    case FIELD_SET:
        if (plays && (m->card == SURVIVAL_SACRIFICE) != !strcmp(row->name, "discard"))
            return;
        put_set(arg, plays && m->card == SURVIVAL_DOUBLE_BACK && m->slot ? PLACE_BIT(m->slot) : m->set);
        return;
    case FIELD_WILL:
        put_value(arg, m->k, 1);
        return;
    case FIELD_DRAWN:
        put_value(arg, true,
                  m->verb == VERB_DRAW_SURVIVAL ? not_alone__survival_slot(s, m->card)
                                                : not_alone__hunt_slot(s, m->card));
        return;
    case FIELD_AT:
        put_value(arg, true, drawn_at(m->verb, m->seat));
        return;
    }
}

void not_alone_decode(const void *state, int by, game_action action, struct game_act *ret) {
    const struct not_alone *s = not_alone__state(state);
    struct not_alone_move m = not_alone__unpack(action);
    (void)by;
    memset(ret, 0, sizeof *ret);
    if (m.verb >= VERBS)
        return;
    ret->verb = m.verb;
    const struct game_arg_row *row = not_alone__verbs[m.verb].args;
    for (unsigned i = 0; i < GAME_ARGS_MAX && row[i].name; i++)
        put_field(s, &m, field_of(m.verb, &row[i]), &row[i], &ret->arg[i]);
}
