// Somebody leaves the table (U6): not asked to speak or to vote, never guessed for.
#include "games/one_night/one_night.h"

static bool fits(const struct one_night *g, unsigned verb, int seat) {
    if (seat < 0 || seat >= g->seats)
        return false;
    return (g->absent >> seat & 1) == (verb == VERB_BACK);
}

size_t one_night__absent_list(const struct one_night *g, game_action *ret, size_t cap) {
    size_t n = 0;
    for (unsigned verb = VERB_ABSENT; verb <= VERB_BACK; verb++)
        for (int seat = 0; seat < g->seats; seat++)
            if (fits(g, verb, seat)) {
                if (n < cap)
                    ret[n] = one_night__pack(verb, seat, -1, -1);
                n++;
            }
    return n;
}

enum error_code one_night__absent_apply(struct one_night *g, game_action action, struct game_notes *notes,
                                        struct error *err) {
    unsigned verb = one_night__verb(action);
    int seat = one_night__arg(action, 0);
    if ((verb != VERB_ABSENT && verb != VERB_BACK) || !fits(g, verb, seat) ||
        action != one_night__pack(verb, seat, -1, -1))
        return one_night__not_now(err);
    uint16_t own = (uint16_t)(1u << seat);
    g->absent ^= own;
    bool away = g->absent & own;
    if (g->phase == PHASE_VOTE) { // the clock of whoever is left
        bool asked = g->vote[seat] == SEAT_NONE && (g->vote_stage == VOTE_OPEN || (g->asked & own));
        uint16_t before = g->missing;
        g->missing = away ? g->missing & (uint16_t)~own : asked ? g->missing | own : g->missing;
        g->clock += (before == 0) != (g->missing == 0);
    }
    one_night__say(notes, GAME_NOTE_SAY, away ? LINE_absent : LINE_back, seat, 0, 0);
    return ERROR_OK;
}
