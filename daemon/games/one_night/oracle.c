// Questions to the oracle, what may be answered, what follows (5.1).
#include "games/one_night/one_night.h"

static unsigned question(const struct one_night *g, unsigned oracle) {
    return g->variant[DRAW_ORACLE + oracle];
}
static uint8_t result(const struct one_night *g, unsigned oracle) {
    return g->number[NUMBER_ORACLE_RESULT + oracle];
}

bool one_night__answer_fits(const struct one_night *g, unsigned oracle, int answer) {
    switch (question(g, oracle)) {
    case VARIANT_Q_VIEWPLAYER:
        return answer >= ANSWER_1 && answer < ANSWER_1 + g->seats;
    case VARIANT_Q_GUESSNUMBER:
        return answer >= ANSWER_1 && answer < ANSWER_1 + 10;
    case VARIANT_Q_EVENODD:
        return answer == ANSWER_EVEN || answer == ANSWER_ODD;
    default:
        return answer == ANSWER_NO || answer == ANSWER_YES;
    }
}

uint16_t one_night__question_line(unsigned variant) {
    return variant < VARIANTS ? one_night__variants[variant].line : LINE_none;
}

// The player whose oracle it is: dealt the card, or a doppelganger who copied it; none if it lies elsewhere.
static int player(const struct one_night *g, unsigned oracle) {
    for (unsigned s = 0; s < g->seats; s++) {
        unsigned card = g->dealt[s], role = g->role[card];
        bool copied = g->copied[card] == ROLE_ORACLE && !(g->idle >> card & 1) &&
                      (role == ROLE_DOPPELGANGER || (g->doubles >> card & 1));
        if (oracle == 0 ? role == ROLE_ORACLE : copied)
            return (int)s;
    }
    return -1;
}

static uint8_t joined(unsigned question) {
    return question == VARIANT_Q_ALIENTEAM      ? ROLE_ALIEN
           : question == VARIANT_Q_WEREWOLFTEAM ? ROLE_WEREWOLF
           : question == VARIANT_Q_VAMPIRETEAM  ? ROLE_VAMPIRE
                                                : ROLE_NONE;
}

static bool guessed(const struct one_night *g, unsigned oracle) {
    return g->answer[oracle] == ANSWER_1 + result(g, oracle);
}

// What a yes does to the card travels with it, also out of the centre; what it does to her needs a player.
static unsigned her_card(const struct one_night *g, unsigned oracle, int seat) {
    if (seat >= 0)
        return g->dealt[seat];
    for (unsigned p = g->seats; p < g->n_positions && oracle == 0; p++)
        if (g->role[g->at[p]] == ROLE_ORACLE)
            return g->at[p];
    return CARD_NONE;
}

void one_night__answer_settle(struct one_night *g, unsigned oracle) {
    int seat = player(g, oracle);
    unsigned card = her_card(g, oracle, seat);
    if (g->answer[oracle] == NOT_DRAWN)
        g->answer[oracle] = g->number[NUMBER_ORACLE_ANSWER + oracle];
    g->settled |= (uint8_t)(1u << oracle);
    uint8_t role = joined(question(g, oracle));
    if (role != ROLE_NONE && card != CARD_NONE && g->answer[oracle] == ANSWER_YES && result(g, oracle) == 0)
        g->override[card] = role;
    if (seat < 0)
        return;
    if (role == ROLE_ALIEN && g->answer[oracle] == ANSWER_YES && result(g, oracle) == 1)
        g->flags[seat] |= FLAG_ALIEN_WIN;
    if (question(g, oracle) == VARIANT_Q_GUESSNUMBER && !guessed(g, oracle))
        g->flags[seat] |= FLAG_GUESS_WRONG;
}

bool one_night__granted(const struct one_night *g, unsigned oracle) {
    if (!(g->settled >> oracle & 1))
        return false;
    switch (question(g, oracle)) {
    case VARIANT_Q_VIEWPLAYER:
        return true;
    case VARIANT_Q_VIEWCENTER:
        return g->answer[oracle] == ANSWER_YES;
    case VARIANT_Q_CENTEREXCHANGE:
        return g->answer[oracle] == ANSWER_YES && result(g, oracle) == 0;
    default:
        return false;
    }
}

unsigned one_night__oracle_views(const struct one_night *g, unsigned oracle) {
    return result(g, oracle) + 1u;
}
// The player named, or another: drawn as a distance, so that it is another whoever is named.
unsigned one_night__oracle_player(const struct one_night *g, unsigned oracle) {
    unsigned named = g->answer[oracle] - (unsigned)ANSWER_1;
    return result(g, oracle) ? (named + 1u + g->number[NUMBER_ORACLE_PLAYER + oracle]) % g->seats : named;
}

uint16_t one_night__answer_line(const struct one_night *g, unsigned oracle, int *ret_arg) {
    unsigned q = question(g, oracle);
    bool yes = g->answer[oracle] == ANSWER_YES;
    switch (q) {
    case VARIANT_Q_VIEWPLAYER:
        *ret_arg = (int)one_night__oracle_player(g, oracle);
        return LINE_r_viewplayer;
    case VARIANT_Q_EVENODD:
        return g->answer[oracle] == ANSWER_EVEN ? LINE_r_even : LINE_r_odd;
    case VARIANT_Q_GUESSNUMBER:
        return guessed(g, oracle) ? LINE_r_right : LINE_r_wrong;
    default:
        break;
    }
    if (!yes)
        return LINE_r_no;
    switch (q) {
    case VARIANT_Q_ALIENEXCHANGE:
        return LINE_r_alienexchange;
    case VARIANT_Q_VIEWCENTER:
        *ret_arg = (int)one_night__oracle_views(g, oracle);
        return LINE_r_viewcenter;
    case VARIANT_Q_RIPPLE:
        return LINE_r_ripple;
    case VARIANT_Q_ALIENTEAM:
        return result(g, oracle) == 0   ? LINE_r_alien
               : result(g, oracle) == 1 ? LINE_r_helper
                                        : LINE_r_refused;
    case VARIANT_Q_CENTEREXCHANGE:
        return result(g, oracle) ? LINE_r_refused : LINE_r_centerexchange;
    case VARIANT_Q_WEREWOLFTEAM:
        return result(g, oracle) ? LINE_r_refused : LINE_r_werewolf;
    default:
        return result(g, oracle) ? LINE_r_refused : LINE_r_vampire;
    }
}
