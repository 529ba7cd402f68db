// Actions in words to packed actions and back (design 5.2).
#include "games/one_night/one_night.h"
#include <string.h>

static const struct game_verb *row(unsigned verb) {
    return &one_night__verbs[verb];
}

// A view's places are one list; the other verbs have one value an argument.
static unsigned values(const struct game_act *act, int ret[3]) {
    unsigned n = 0;
    for (unsigned i = 0; i < GAME_ARGS_MAX && row(act->verb)->args[i].name; i++)
        for (unsigned k = 0; k < act->arg[i].n && act->arg[i].given; k++) {
            if (n < 3)
                ret[n] = act->arg[i].value[k];
            n++;
        }
    return n;
}

static unsigned wanted_least(unsigned verb) {
    unsigned n = 0;
    while (row(verb)->args[n].name)
        n++;
    return n;
}

enum error_code one_night_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                 struct error *err) {
    (void)state;
    (void)by;
    int value[3] = {-1, -1, -1};
    if (act->verb >= VERBS)
        return error_set(err, ERROR_INVALID, "do", "there is no such verb");
    unsigned n = values(act, value), least = wanted_least(act->verb);
    unsigned most = act->verb == VERB_VIEW ? 3 : least;
    if (n < least || n > most)
        return error_set(err, ERROR_INVALID, "args", "%s takes %u to %u values", row(act->verb)->name, least,
                         most);
    for (unsigned i = 0; i < n; i++)
        if (value[i] < 0 || value[i] > 0xfd)
            return error_set(err, ERROR_INVALID, "args", "a value of %s is out of range",
                             row(act->verb)->name);
    bool pair = n == 2 && row(act->verb)->args[0].type == GAME_ARG_PLACE &&
                row(act->verb)->args[1].type == GAME_ARG_PLACE && row(act->verb)->args[1].name;
    if (pair && value[0] > value[1]) {
        int swap = value[0];
        value[0] = value[1];
        value[1] = swap;
    }
    *ret = one_night__pack(act->verb, value[0], value[1], value[2]);
    return ERROR_OK;
}

void one_night_decode(const void *state, int by, game_action action, struct game_act *ret) {
    (void)state;
    (void)by;
    memset(ret, 0, sizeof *ret);
    ret->verb = (uint8_t)one_night__verb(action);
    if (ret->verb >= VERBS)
        return;
    for (unsigned i = 0; i < 3; i++) {
        int value = one_night__arg(action, i);
        if (value < 0)
            break;
        struct game_arg *arg = &ret->arg[ret->verb == VERB_VIEW ? 0 : i];
        arg->given = true;
        arg->value[arg->n++] = value;
    }
}
