// What chance draws before the night (5), one draw after the other: entries, then their keys, then numbers.
#include "games/one_night/one_night.h"

static bool has(const struct one_night *g, uint64_t roles) {
    return (g->roles & roles) == roles;
}

// A doppelganger has her own question or instruction wherever the role is in the set with her.
static bool variant_needed(const struct one_night *g, unsigned draw) {
    static const uint64_t needs[DRAWS] = {
        [DRAW_ORACLE] = ROLE_BIT(ORACLE),
        [DRAW_DOPPEL_ORACLE] = ROLE_BIT(ORACLE) | ROLE_BIT(DOPPELGANGER),
        [DRAW_PSYCHIC] = ROLE_BIT(PSYCHIC),
        [DRAW_DOPPEL_PSYCHIC] = ROLE_BIT(PSYCHIC) | ROLE_BIT(DOPPELGANGER),
        [DRAW_RASCAL] = ROLE_BIT(RASCAL),
        [DRAW_DOPPEL_RASCAL] = ROLE_BIT(RASCAL) | ROLE_BIT(DOPPELGANGER),
        [DRAW_EXPOSER] = ROLE_BIT(EXPOSER),
        [DRAW_DOPPEL_EXPOSER] = ROLE_BIT(EXPOSER) | ROLE_BIT(DOPPELGANGER),
        [DRAW_BLOB] = ROLE_BIT(BLOB),
        [DRAW_MORTICIAN] = ROLE_BIT(MORTICIAN),
        [DRAW_DOPPEL_MORTICIAN] = ROLE_BIT(MORTICIAN) | ROLE_BIT(DOPPELGANGER),
    };
    if (draw == DRAW_ALIENS || draw == DRAW_RIPPLE)
        return g->roles & (ROLE_BIT(ALIEN) | ROLE_BIT(SYNTHETIC_ALIEN) | ROLE_BIT(GROOB) | ROLE_BIT(ZERB));
    return has(g, needs[draw]);
}

static bool key_needed(const struct one_night *g, unsigned draw) {
    return g->variant[draw] != VARIANT_NONE && one_night__variants[g->variant[draw]].keys;
}

static bool number_needed(const struct one_night *g, unsigned number) {
    switch (number) {
    case NUMBER_RIPPLE:
        return variant_needed(g, DRAW_RIPPLE);
    case NUMBER_ACTIVE_1:
    case NUMBER_ACTIVE_2:
    case NUMBER_ACTIVE_3:
        return g->key[DRAW_ALIENS] == KEY_ACTIVE || g->key[DRAW_RIPPLE] == KEY_ACTIVE;
    case NUMBER_ARTIFACT_1:
        return g->n_artifacts > 0;
    case NUMBER_ARTIFACT_2:
        return g->n_artifacts > 0 && has(g, ROLE_BIT(DOPPELGANGER));
    case NUMBER_REPEATED_ROLE:
        return g->variant[DRAW_RIPPLE] == VARIANT_RIPPLE_REPEATROLE;
    default:
        return g->variant[DRAW_ORACLE + (number - NUMBER_ORACLE_ANSWER) % ORACLES] != VARIANT_NONE;
    }
}
_Static_assert(NUMBER_DOPPEL_ORACLE_PLAYER == NUMBER_ORACLE_ANSWER + 5, "pairs, the oracle's first");

static bool needed(const struct one_night *g, unsigned draw) {
    if (draw < DRAWS)
        return variant_needed(g, draw);
    return draw < 2 * DRAWS ? key_needed(g, draw - DRAWS) : number_needed(g, draw - 2 * DRAWS);
}

void one_night__draws_next(struct one_night *g) {
    while (!one_night__drawn(g) && !needed(g, g->draws))
        g->draws++;
}

static unsigned results(unsigned question) {
    switch (question) {
    case VARIANT_Q_ALIENTEAM:
    case VARIANT_Q_VIEWCENTER:
        return 3;
    case VARIANT_Q_GUESSNUMBER:
        return 10;
    default:
        return 2;
    }
}

static bool number_legal(const struct one_night *g, unsigned number, int value) {
    unsigned oracle = (number - NUMBER_ORACLE_ANSWER) % ORACLES;
    switch (number) {
    case NUMBER_ORACLE_ANSWER:
    case NUMBER_DOPPEL_ORACLE_ANSWER:
        return one_night__answer_fits(g, oracle, value);
    case NUMBER_ORACLE_RESULT:
    case NUMBER_DOPPEL_ORACLE_RESULT:
        return value < (int)results(g->variant[DRAW_ORACLE + oracle]);
    case NUMBER_ORACLE_PLAYER:
    case NUMBER_DOPPEL_ORACLE_PLAYER: // how far beyond the next one
        return value < g->seats - 1;
    case NUMBER_RIPPLE:
        return value < 2;
    case NUMBER_ARTIFACT_1:
    case NUMBER_ARTIFACT_2:
        return value < g->n_artifacts &&
               (number == NUMBER_ARTIFACT_1 || value != g->number[NUMBER_ARTIFACT_1]);
    case NUMBER_REPEATED_ROLE:
        return value < ROLES && one_night__repeats(g, (unsigned)value);
    default: // seats
        for (unsigned n = NUMBER_ACTIVE_1; n < number; n++)
            if (value == g->number[n])
                return false;
        return value < g->seats;
    }
}

static bool legal(const struct one_night *g, unsigned draw, int value) {
    if (draw < DRAWS)
        return value < VARIANTS && one_night__variant_legal(g, draw, (unsigned)value);
    if (draw < 2 * DRAWS)
        return value < KEYS && one_night__key_legal(g, draw - DRAWS, (unsigned)value);
    return number_legal(g, draw - 2 * DRAWS, value);
}

static game_action action(unsigned draw, int value) {
    unsigned verb = draw < DRAWS ? VERB_DRAW : draw < 2 * DRAWS ? VERB_DRAW_KEY : VERB_DRAW_NUMBER;
    int which = (int)(draw < 2 * DRAWS ? draw % DRAWS : draw - 2 * DRAWS);
    return one_night__pack(verb, which, value, -1);
}

enum { VALUES = VARIANTS }; // more than there are keys, or numbers

size_t one_night__draw_list(const struct one_night *g, game_action *ret, size_t cap) {
    size_t n = 0;
    for (int value = 0; value < VALUES && !one_night__drawn(g); value++)
        if (legal(g, g->draws, value)) {
            if (n < cap)
                ret[n] = action(g->draws, value);
            n++;
        }
    return n;
}

bool one_night__draw_random(const struct one_night *g, uint64_t dice, game_action *ret) {
    game_action all[VALUES];
    size_t n = one_night__draw_list(g, all, VALUES);
    if (n > 0)
        *ret = all[(uint32_t)dice * (uint64_t)n >> 32];
    return n > 0;
}

enum error_code one_night__draw_apply(struct one_night *g, game_action done, struct error *err) {
    int value = one_night__arg(done, 1);
    if (one_night__drawn(g) || value < 0 || done != action(g->draws, value) || !legal(g, g->draws, value))
        return one_night__not_now(err);
    unsigned draw = g->draws++;
    if (draw < DRAWS)
        g->variant[draw] = (uint8_t)value;
    else if (draw < 2 * DRAWS)
        g->key[draw - DRAWS] = (uint8_t)value;
    else
        g->number[draw - 2 * DRAWS] = (uint8_t)value;
    if (draw == DRAW_BLOB)
        one_night__blob(g, (unsigned)value);
    one_night__draws_next(g);
    return ERROR_OK;
}
