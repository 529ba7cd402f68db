// Actions as numbers and as words (design 5.2).
#include "games/alien_hunt/alien_hunt.h"
#include <string.h>

// ---- numbers: the verb on top, so that sorting is by verbs, then fields in the order `legal` walks them

struct alien_hunt_action alien_hunt__action(unsigned verb) {
    return (struct alien_hunt_action){
        .verb = (uint8_t)verb,
        .target = NO_SEAT,
        .to = NO_SEAT,
        .copy = NO_COPY,
        .about = NO_SEAT,
        .move = {{NO_TOKEN, NO_SEAT}, {NO_TOKEN, NO_SEAT}, {NO_TOKEN, NO_SEAT}}};
}

static uint32_t pack_moves(const struct alien_hunt_action *act) {
    uint32_t ret = act->copy;
    for (unsigned i = 0; i < TOKENS_EACH; i++)
        ret = ret << 9 | (uint32_t)act->move[i].token << 4 | act->move[i].to;
    return ret;
}

static uint32_t fields(const struct alien_hunt_action *act) {
    switch (act->verb) {
    case VERB_CHARACTER:
        return (uint32_t)act->target << 8 | act->what;
    case VERB_DEAL:
        return (uint32_t)act->place << 8 | act->what;
    case VERB_DRAW:
        return act->what;
    case VERB_ASSIGN:
        return (uint32_t)act->token << 4 | act->to;
    case VERB_REASSIGN:
        return pack_moves(act);
    case VERB_ABILITY:
        return (uint32_t)act->copy << 12 | (uint32_t)act->target << 8 | (uint32_t)act->to << 4 | act->picks;
    case VERB_ASK:
        return (uint32_t)act->copy << 12 | (uint32_t)act->target << 8 | (uint32_t)act->question << 4 |
               act->about;
    case VERB_RESOLVE:
        return (uint32_t)act->token << 12 | (uint32_t)act->owner << 8 | (uint32_t)act->order << 4 | act->to;
    case VERB_LOOKED:
        return act->place;
    default:
        return 0;
    }
}

game_action alien_hunt__pack(const struct alien_hunt_action *act) {
    return (game_action)act->verb << 32 | fields(act);
}

bool alien_hunt__unpack(game_action action, struct alien_hunt_action *ret) {
    uint32_t bits = (uint32_t)action;
    *ret = alien_hunt__action((unsigned)(action >> 32 & 0xff));
    switch (ret->verb) {
    case VERB_CHARACTER:
        ret->target = bits >> 8 & 15;
        ret->what = bits & 0xff;
        break;
    case VERB_DEAL:
        ret->place = bits >> 8 & 0xff;
        ret->what = bits & 0xff;
        break;
    case VERB_DRAW:
        ret->what = bits & 0xff;
        break;
    case VERB_ASSIGN:
        ret->token = bits >> 4 & 31;
        ret->to = bits & 15;
        break;
    case VERB_REASSIGN:
        ret->copy = bits >> 27 & 15;
        for (unsigned i = 0; i < TOKENS_EACH; i++)
            ret->move[i] = (struct alien_hunt_move){bits >> (22 - 9 * i) & 31, bits >> (18 - 9 * i) & 15};
        break;
    case VERB_ABILITY:
        ret->copy = bits >> 12 & 15;
        ret->target = bits >> 8 & 15;
        ret->to = bits >> 4 & 15;
        ret->picks = bits & 15;
        break;
    case VERB_ASK:
        ret->copy = bits >> 12 & 15;
        ret->target = bits >> 8 & 15;
        ret->question = bits >> 4 & 3;
        ret->about = bits & 15;
        break;
    case VERB_RESOLVE:
        ret->token = bits >> 12 & 31;
        ret->owner = bits >> 8 & 15;
        ret->order = bits >> 4 & 15;
        ret->to = bits & 15;
        break;
    case VERB_LOOKED:
        ret->place = bits & 0xff;
        break;
    default:
        break;
    }
    return ret->verb < VERBS && alien_hunt__pack(ret) == action;
}

// ---- words to numbers

static int32_t given(const struct game_act *act, unsigned arg) {
    return act->arg[arg].given && act->arg[arg].n ? act->arg[arg].value[0] : -1;
}
static uint8_t seat_of(const struct alien_hunt *g, int32_t value) {
    return (uint8_t)(value < 0 ? NO_SEAT : value < g->seats ? value : NO_SUCH_SEAT);
}
static uint8_t token_of(int32_t value) {
    return (uint8_t)(value >= 0 && value < TOKENS_MOST ? value : NO_TOKEN);
}

static enum error_code read_copy(int32_t value, struct alien_hunt_action *ret, struct error *err) {
    if (value >= CHARACTER_KINDS)
        return error_set(err, ERROR_INVALID, "copy", "copy names a character");
    ret->copy = (uint8_t)(value < 0 ? NO_COPY : value);
    return ERROR_OK;
}

static enum error_code read_question(const struct alien_hunt *g, const struct game_act *act,
                                     struct alien_hunt_action *ret, struct error *err) {
    int32_t identity = given(act, 3), seat = given(act, 4);
    ret->target = seat_of(g, given(act, 1));
    ret->question = (uint8_t)(given(act, 2) & 3);
    if ((ret->question == IS_IDENTITY) != (identity >= 0) || (ret->question == OBS_ON) != (seat >= 0))
        return error_set(err, ERROR_INVALID, "question", "is_identity needs identity, obs_on needs seat");
    if (identity >= 0 && (identity < KIND_IDENTITY || identity >= KIND_TOKEN))
        return error_set(err, ERROR_INVALID, "identity", "this is no identity");
    ret->about = (uint8_t)(identity >= 0 ? identity - KIND_IDENTITY : seat_of(g, seat));
    return read_copy(given(act, 0), ret, err);
}

static void read_picks(const struct game_arg *arg, struct alien_hunt_action *ret) {
    for (unsigned i = 0; arg->given && i < arg->n; i++) {
        bool known = arg->value[i] >= 1 && arg->value[i] <= CENTRE_CARDS;
        ret->picks |= (uint8_t)(known ? 1u << (arg->value[i] - 1) : PICKS_WRONG);
    }
}

static void drop_stays(const struct alien_hunt *g, int by, struct alien_hunt_action *act) {
    unsigned n = 0, kept = 0;
    struct alien_hunt_move move[TOKENS_EACH];
    for (; n < TOKENS_EACH && act->move[n].token != NO_TOKEN; n++) {
        move[kept] = act->move[n];
        unsigned token = act->move[n].token;
        kept += token >= TOKENS_MOST || (int)alien_hunt__token_owner(token) != by ||
                g->at[token] != act->move[n].to;
    }
    for (unsigned i = 0; i < n && kept > 0; i++)
        act->move[i] = i < kept ? move[i] : (struct alien_hunt_move){NO_TOKEN, NO_SEAT};
}

void alien_hunt__order_moves(const struct alien_hunt *g, int by, struct alien_hunt_action *act) {
    drop_stays(g, by, act);
    struct alien_hunt_action sorted = *act;
    for (unsigned i = 1; i < TOKENS_EACH; i++)
        for (unsigned k = i; k > 0 && sorted.move[k - 1].token > sorted.move[k].token; k--) {
            struct alien_hunt_move one = sorted.move[k];
            sorted.move[k] = sorted.move[k - 1];
            sorted.move[k - 1] = one;
        }
    if (alien_hunt__check(g, by, &sorted, NULL) == ERROR_OK)
        *act = sorted;
}

// Moves as named; a token that is named without a place, or twice, cannot be packed.
static enum error_code read_moves(const struct alien_hunt *g, const struct game_act *act,
                                  struct alien_hunt_action *ret, struct error *err) {
    unsigned n = 0;
    for (unsigned i = 0; i < TOKENS_EACH; i++) {
        int32_t token = given(act, 1 + 2 * i), to = given(act, 2 + 2 * i);
        if ((token >= 0) != (to >= 0))
            return error_set(err, ERROR_INVALID, "to", "each token needs a seat");
        if (token < 0)
            continue;
        struct alien_hunt_move move = {token_of(token), seat_of(g, to)};
        for (unsigned k = 0; k < n; k++)
            if (ret->move[k].token == move.token)
                return error_set(err, ERROR_INVALID, "token", "a token is named twice");
        ret->move[n++] = move;
    }
    return read_copy(given(act, 0), ret, err);
}

enum error_code alien_hunt_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                  struct error *err) {
    const struct alien_hunt *g = alien_hunt__state(state);
    struct alien_hunt_action a = alien_hunt__action(act->verb);
    enum error_code code = ERROR_OK;
    int32_t first = given(act, 0), second = given(act, 1);
    switch (act->verb) {
    case VERB_CHARACTER:
        a.target = seat_of(g, first);
        a.what = (uint16_t)second;
        break;
    case VERB_DEAL:
        a.place = (uint16_t)first;
        a.what = (uint16_t)second;
        break;
    case VERB_DRAW:
        a.what = (uint16_t)first;
        break;
    case VERB_ASSIGN:
        a.token = token_of(first);
        a.to = seat_of(g, second);
        break;
    case VERB_REASSIGN:
        code = read_moves(g, act, &a, err);
        alien_hunt__order_moves(g, by, &a);
        break;
    case VERB_ABILITY:
        a.target = seat_of(g, second);
        a.to = seat_of(g, given(act, 2));
        read_picks(&act->arg[3], &a);
        code = read_copy(first, &a, err);
        break;
    case VERB_ASK:
        code = read_question(g, act, &a, err);
        break;
    case VERB_RESOLVE:
        a.token = token_of(first);
        a.owner = seat_of(g, second);
        a.order = (uint8_t)(given(act, 2) >= 0 && given(act, 2) <= TOKENS_EACH ? given(act, 2) : 0);
        a.to = seat_of(g, given(act, 3));
        break;
    case VERB_LOOKED:
        a.place = (uint16_t)first;
        break;
    default:
        break;
    }
    if (code == ERROR_OK && (a.what > 0xff || a.place > 0xff))
        code = error_set(err, ERROR_INVALID, "card", "there is no such card or place");
    if (code == ERROR_OK)
        *ret = alien_hunt__pack(&a);
    return code;
}

// ---- numbers to words

static void give(struct game_act *ret, unsigned arg, int32_t value) {
    ret->arg[arg].given = true;
    ret->arg[arg].value[ret->arg[arg].n++] = value;
}
static void give_seat(struct game_act *ret, unsigned arg, unsigned seat) {
    if (seat != NO_SEAT)
        give(ret, arg, (int32_t)seat);
}

static void give_ability(const struct alien_hunt_action *a, struct game_act *ret) {
    if (a->copy != NO_COPY)
        give(ret, 0, a->copy);
    if (a->verb == VERB_ABILITY) {
        give_seat(ret, 1, a->target);
        give_seat(ret, 2, a->to);
        for (unsigned i = 0; i <= CENTRE_CARDS; i++)
            if (a->picks >> i & 1)
                give(ret, 3, (int32_t)i + 1);
    } else if (a->verb == VERB_ASK) {
        give_seat(ret, 1, a->target);
        give(ret, 2, a->question);
        if (a->question == IS_IDENTITY)
            give(ret, 3, KIND_IDENTITY + a->about);
        if (a->question == OBS_ON)
            give_seat(ret, 4, a->about);
    } else {
        for (unsigned i = 0; i < TOKENS_EACH && a->move[i].token != NO_TOKEN; i++) {
            give(ret, 1 + 2 * i, a->move[i].token);
            give_seat(ret, 2 + 2 * i, a->move[i].to);
        }
    }
}

void alien_hunt_decode(const void *state, int by, game_action action, struct game_act *ret) {
    struct alien_hunt_action a;
    (void)state, (void)by;
    memset(ret, 0, sizeof *ret);
    alien_hunt__unpack(action, &a);
    ret->verb = a.verb < VERBS ? a.verb : VERB_DONE;
    switch (ret->verb) {
    case VERB_CHARACTER:
        give_seat(ret, 0, a.target);
        give(ret, 1, a.what);
        break;
    case VERB_DEAL:
        give(ret, 0, a.place);
        give(ret, 1, a.what);
        break;
    case VERB_DRAW:
        give(ret, 0, a.what);
        break;
    case VERB_ASSIGN:
        give(ret, 0, a.token);
        give_seat(ret, 1, a.to);
        break;
    case VERB_REASSIGN:
    case VERB_ABILITY:
    case VERB_ASK:
        give_ability(&a, ret);
        break;
    case VERB_RESOLVE:
        give(ret, 0, a.token);
        give_seat(ret, 1, a.owner);
        give(ret, 2, a.order);
        give_seat(ret, 3, a.to);
        break;
    case VERB_LOOKED:
        give(ret, 0, a.place);
        break;
    default:
        break;
    }
}
