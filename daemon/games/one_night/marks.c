// Marks and artifacts as pieces (1.3): which there are, which lie before whom, which are left.
#include "games/one_night/one_night.h"

bool one_night__marked(uint64_t roles) {
    for (unsigned r = 0; r < ROLES; r++)
        if ((roles >> r & 1) && one_night__roles[r].set == SET_VAMPIRE)
            return true;
    return false;
}

// A Mark of Clarity for every seat and the priest's two; a doppelganger brings the second copies.
void one_night__mark_counts(unsigned seats, uint64_t roles, uint8_t ret[MARKS]) {
    static const struct {
        uint64_t roles;
        uint8_t mark, n, doubled;
    } rows[] = {
        {ROLE_BIT(VAMPIRE) | ROLE_BIT(THE_MASTER) | ROLE_BIT(THE_COUNT), MARK_VAMPIRE, 1, 0},
        {ROLE_BIT(THE_COUNT), MARK_FEAR, 1, 1},
        {ROLE_BIT(RENFIELD), MARK_BAT, 1, 1},
        {ROLE_BIT(DISEASED), MARK_DISEASE, 1, 1},
        {ROLE_BIT(CUPID), MARK_LOVE, 2, 2},
        {ROLE_BIT(INSTIGATOR), MARK_TRAITOR, 1, 1},
        {ROLE_BIT(ASSASSIN) | ROLE_BIT(APPRENTICE_ASSASSIN), MARK_ASSASSIN, 1, 1},
        {ROLE_BIT(PRIEST), MARK_CLARITY, 2, 2},
    };
    bool doppel = roles & ROLE_BIT(DOPPELGANGER), marked = one_night__marked(roles);
    for (unsigned m = 0; m < MARKS; m++)
        ret[m] = (uint8_t)(m == MARK_CLARITY && marked ? seats : 0);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (roles & rows[i].roles)
            ret[rows[i].mark] = (uint8_t)(ret[rows[i].mark] + rows[i].n + (doppel ? rows[i].doubled : 0));
}

unsigned one_night__mark_of_piece(const struct one_night *g, unsigned piece) {
    unsigned mark = 0;
    while (mark + 1 < MARKS && piece >= g->first_mark[mark + 1])
        mark++;
    return mark;
}

uint32_t one_night__tray(const struct one_night *g) {
    uint32_t ret = (uint32_t)((UINT64_C(1) << g->first_mark[MARKS]) - 1);
    for (unsigned s = 0; s < g->seats; s++)
        if (g->mark_piece[s] < MARK_PIECES_MAX)
            ret &= ~(UINT32_C(1) << g->mark_piece[s]);
    return ret;
}

void one_night__put_mark(struct one_night *g, unsigned seat, unsigned piece) {
    g->mark_piece[seat] = (uint8_t)piece;
    g->mark[seat] = (uint8_t)one_night__mark_of_piece(g, piece);
}

uint32_t one_night__supply(const struct one_night *g) {
    uint32_t ret = (1u << g->n_artifacts) - 1;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->artifact[s] < ARTIFACTS)
            ret &= ~(1u << g->artifact[s]);
    return ret;
}

// Where no pad tells which one was taken, it is the one drawn before the night.
unsigned one_night__next_artifact(const struct one_night *g) {
    uint32_t left = one_night__supply(g);
    for (unsigned n = NUMBER_ARTIFACT_1; n <= NUMBER_ARTIFACT_2; n++)
        if (g->number[n] < ARTIFACTS && (left >> g->number[n] & 1))
            return g->number[n];
    return left ? (unsigned)__builtin_ctz(left) : ARTIFACT_NONE;
}
