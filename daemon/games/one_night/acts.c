// Actions in words to packed actions and back (design 5.2).
#include "games/one_night/one_night.h"
#include <string.h>

static const struct game_verb *row(unsigned verb) {
    return &one_night__verbs[verb];
}

static bool is_list(unsigned verb) {
    return row(verb)->args[0].list;
}

// A list's places are values of their own; the other verbs have one value an argument.
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

static unsigned wanted(unsigned verb, bool optional) {
    unsigned n = 0;
    for (unsigned i = 0; row(verb)->args[i].name; i++)
        n += optional || !row(verb)->args[i].optional;
    return n;
}

static enum error_code out_of_range(unsigned verb, struct error *err) {
    return error_set(err, ERROR_INVALID, "args", "a value of %s is out of range", row(verb)->name);
}

// A mark by its piece; by its name it is the first one in the tray. Whether one lies there is a secret of the
// night: `apply` says that nothing is left, in the same words as of everything else.
static enum error_code encode_mark(const struct one_night *g, const struct game_act *act, game_action *ret,
                                   struct error *err) {
    bool slip = act->verb == VERB_SLIP_MARK;
    const struct game_arg *place = &act->arg[slip ? 0 : 1], *slot = &act->arg[slip ? 1 : 2];
    int piece = slot->given ? slot->value[0] - g->first_mark_slot : -1;
    unsigned mark = !slot->given && act->arg[0].given ? (unsigned)act->arg[0].value[0] : MARKS;
    if (mark < MARKS && g->first_mark[mark] < g->first_mark[mark + 1]) {
        uint32_t left = one_night__tray(g) >> g->first_mark[mark];
        left &= (uint32_t)((UINT64_C(1) << (g->first_mark[mark + 1] - g->first_mark[mark])) - 1);
        piece = g->first_mark[mark] + (left ? __builtin_ctz(left) : 0);
    }
    if (!place->given || place->value[0] < 0 || place->value[0] > 0xfd || piece < 0 ||
        piece >= MARK_PIECES_MAX)
        return out_of_range(act->verb, err);
    *ret = one_night__pack(act->verb, place->value[0], piece, -1);
    return ERROR_OK;
}

static enum error_code encode_artifact(const struct one_night *g, const struct game_act *act,
                                       game_action *ret, struct error *err) {
    int place = act->arg[0].value[0];
    int artifact = act->arg[1].given ? act->arg[1].value[0] - g->first_artifact_slot
                                     : (int)one_night__next_artifact(g);
    if (place < 0 || place > 0xfd || artifact < 0 || artifact >= ARTIFACTS)
        return out_of_range(act->verb, err);
    *ret = one_night__pack(VERB_ARTIFACT, place, artifact, -1);
    return ERROR_OK;
}

enum error_code one_night_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                 struct error *err) {
    const struct one_night *g = one_night__state(state);
    (void)by;
    int value[3] = {-1, -1, -1};
    if (act->verb >= VERBS)
        return error_set(err, ERROR_INVALID, "do", "there is no such verb");
    if (act->verb == VERB_MARK || act->verb == VERB_SLIP_MARK)
        return encode_mark(g, act, ret, err);
    if (act->verb == VERB_ARTIFACT)
        return encode_artifact(g, act, ret, err);
    unsigned n = values(act, value), least = wanted(act->verb, false);
    unsigned most = is_list(act->verb) ? 3 : wanted(act->verb, true);
    if (n < least || n > most)
        return error_set(err, ERROR_INVALID, "args", "%s takes %u to %u values", row(act->verb)->name, least,
                         most);
    for (unsigned i = 0; i < n; i++)
        if (value[i] < 0 || value[i] > 0xfd)
            return out_of_range(act->verb, err);
    const struct game_arg_row *args = row(act->verb)->args;
    bool pair = n == 2 && args[1].name && args[0].type == args[1].type &&
                (args[0].type == GAME_ARG_PLACE || args[0].type == GAME_ARG_SEAT);
    if (pair && value[0] > value[1]) {
        int swap = value[0];
        value[0] = value[1];
        value[1] = swap;
    }
    *ret = one_night__pack(act->verb, value[0], value[1], value[2]);
    return ERROR_OK;
}

static void give(struct game_arg *arg, int value) {
    arg->given = true;
    arg->value[arg->n++] = value;
}

void one_night_decode(const void *state, int by, game_action action, struct game_act *ret) {
    const struct one_night *g = one_night__state(state);
    (void)by;
    memset(ret, 0, sizeof *ret);
    unsigned verb = one_night__verb(action);
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (verb >= VERBS)
        return;
    ret->verb = (uint8_t)verb;
    if (verb == VERB_MARK) {
        give(&ret->arg[0], (int)one_night__mark_of_piece(g, (unsigned)b));
        give(&ret->arg[1], a);
        give(&ret->arg[2], g->first_mark_slot + b);
        return;
    }
    if (verb == VERB_SLIP_MARK || verb == VERB_ARTIFACT) {
        give(&ret->arg[0], a);
        give(&ret->arg[1], b + (verb == VERB_ARTIFACT ? g->first_artifact_slot : g->first_mark_slot));
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        int value = one_night__arg(action, i);
        if (value < 0)
            break;
        give(&ret->arg[is_list(verb) ? 0 : i], value);
    }
}
