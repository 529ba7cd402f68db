// Actions in words and back (design 5.2).
#include "games/battle_sheep/battle_sheep.h"
#include <string.h>

// A split by direction is the split to the end of the slide; one that leads nowhere keeps its direction.
game_action sheep__split_direction(const struct sheep *s, unsigned from, unsigned d, unsigned n) {
    unsigned cell = sheep__cell_at(s, from);
    unsigned end = cell == SHEEP_NO_CELL ? cell : sheep__slide(s, cell, d);
    return sheep__pack(SHEEP_V_SPLIT, from, end == SHEEP_NO_CELL ? SHEEP_TO_DIRECTION | d : s->place[end], n);
}

enum error_code sheep__encode(const void *state, int by, const struct game_act *act, game_action *ret,
                              struct error *err) {
    const struct sheep *s = state;
    unsigned first = (unsigned)act->arg[0].value[0];
    (void)by;
    switch ((enum sheep_verb)act->verb) {
    case SHEEP_V_TILE:
    case SHEEP_V_PLACE:
        if (first >= sheep__lattice(s))
            return error_set(err, ERROR_INVALID, "at", "a place of the lattice is needed");
        *ret =
            sheep__pack(act->verb, first, 0, act->verb == SHEEP_V_TILE ? (unsigned)act->arg[1].value[0] : 0);
        return ERROR_OK;
    case SHEEP_V_SPLIT: {
        int32_t n = act->arg[3].value[0];
        unsigned to = (unsigned)act->arg[1].value[0], d = (unsigned)act->arg[2].value[0];
        if (act->arg[1].given == act->arg[2].given)
            return error_set(err, ERROR_INVALID, "to",
                             "say where the slide ends (to) or its direction (dir)");
        if (first >= sheep__lattice(s) || (act->arg[1].given && to >= sheep__lattice(s)))
            return error_set(err, ERROR_INVALID, "from", "places of the lattice are needed");
        unsigned count = n < 0 || n > SHEEP_COUNT_MAX ? SHEEP_COUNT_MAX : (unsigned)n;
        *ret = act->arg[1].given ? sheep__pack(SHEEP_V_SPLIT, first, to, count)
                                 : sheep__split_direction(s, first, d, count);
        return ERROR_OK;
    }
    case SHEEP_V_PASS:
        *ret = sheep__pack(SHEEP_V_PASS, 0, 0, 0);
        return ERROR_OK;
    case SHEEP_V_SHIFT:
        *ret = sheep__pack(SHEEP_V_SHIFT, 0, 0, first);
        return ERROR_OK;
    case SHEEP_VERBS:
        break;
    }
    return error_set(err, ERROR_INVALID, "do", "there is no such action");
}

static struct game_arg given(unsigned value) {
    return (struct game_arg){.given = true, .n = 1, .value = {(int32_t)value}};
}

void sheep__decode(const void *state, int by, game_action action, struct game_act *ret) {
    unsigned verb = sheep__verb(action), b = sheep__b(action);
    (void)state, (void)by;
    memset(ret, 0, sizeof *ret);
    ret->verb = (uint8_t)verb;
    if (verb == SHEEP_V_SHIFT)
        ret->arg[0] = given(sheep__n(action));
    if (verb <= SHEEP_V_SPLIT)
        ret->arg[0] = given(sheep__a(action));
    if (verb == SHEEP_V_TILE)
        ret->arg[1] = given(sheep__n(action));
    if (verb != SHEEP_V_SPLIT)
        return;
    if (b & SHEEP_TO_DIRECTION)
        ret->arg[2] = given(b & ~(unsigned)SHEEP_TO_DIRECTION);
    else
        ret->arg[1] = given(b);
    ret->arg[3] = given(sheep__n(action));
}
