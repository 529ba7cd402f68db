// The vote (6.3, 6.4): ballots by number token, asked for once more, then fixed.
#include "games/one_night/one_night.h"

enum { // evenings 4
    COUNT_MS = 5000,
    ON_PAD_MS = 10000,
    TAPPED_MS = 30000,
    QUIET_MS = 2000,
    ASK_MS = 10000,
};

uint32_t one_night__vote_ms(const struct one_night *g) {
    if (!g->missing)
        return QUIET_MS;
    if (g->vote_stage == VOTE_ASKED)
        return ASK_MS;
    return COUNT_MS + (g->rules.ballot == BALLOT_TAPPED ? TAPPED_MS : ON_PAD_MS);
}

void one_night__vote_begin(struct one_night *g, struct game_notes *notes) {
    g->phase = PHASE_VOTE;
    g->round = 1;
    g->clock++;
    g->vote_stage = VOTE_OPEN;
    g->missing = (uint16_t)((1u << g->seats) - 1);
    one_night__say(notes, GAME_NOTE_SAY, LINE_call_vote, 0, 0, 0);
}

// Seats that may lay a ballot or change it. Once the missing ones are asked for, the others are fixed.
uint16_t one_night__balloters(const struct one_night *g) {
    return g->vote_stage == VOTE_OPEN ? (uint16_t)((1u << g->seats) - 1) : g->asked;
}
static bool may_vote(const struct one_night *g, int by) {
    return by >= 0 && by < g->seats && (one_night__balloters(g) >> by & 1);
}
static bool may_take_back(const struct one_night *g, int by) {
    return may_vote(g, by) && g->rules.ballot != BALLOT_TAPPED && g->vote[by] != SEAT_NONE;
}

size_t one_night__vote_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    size_t n = 0;
    if (by == GAME_BY_TIMER) {
        if (cap)
            ret[0] = one_night__pack(VERB_NEXT, -1, -1, -1);
        return 1;
    }
    if (!may_vote(g, by))
        return 0;
    for (int target = 0; target < g->seats; target++)
        if (target != by && target != g->vote[by]) {
            if (n < cap)
                ret[n] = one_night__pack(VERB_VOTE, target, -1, -1);
            n++;
        }
    if (may_take_back(g, by)) {
        if (n < cap)
            ret[n] = one_night__pack(VERB_UNVOTE, -1, -1, -1);
        n++;
    }
    return n;
}

// A playout lays each ballot once: who only changes his mind keeps nobody waiting.
bool one_night__vote_random(const struct one_night *g, unsigned seat, uint64_t dice, game_action *ret) {
    if (!may_vote(g, (int)seat) || g->vote[seat] != SEAT_NONE)
        return false;
    unsigned pick = (unsigned)((uint32_t)dice * (uint64_t)(g->seats - 1) >> 32);
    for (unsigned target = 0;; target++)
        if (target != seat && pick-- == 0) {
            *ret = one_night__pack(VERB_VOTE, (int)target, -1, -1);
            return true;
        }
}

static void announce(const struct one_night *g, struct game_notes *notes) {
    if (!notes)
        return;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->dead >> s & 1)
            one_night__say(notes, GAME_NOTE_SAY, LINE_dies, (int)s, 0, 0);
    if (!g->dead)
        one_night__say(notes, GAME_NOTE_SAY, LINE_nobody_dies, 0, 0, 0);
    for (unsigned team = 0; team < TEAMS; team++)
        if (g->teams >> team & 1)
            one_night__say(notes, GAME_NOTE_SAY, (uint16_t)(LINE_wins_alien + team), 0, 0, 0);
    if (!g->teams)
        one_night__say(notes, GAME_NOTE_SAY, LINE_nobody_wins, 0, 0, 0);
}
_Static_assert(LINE_wins_zerb - LINE_wins_alien == TEAM_ZERB, "a line for each team, in their order");

static enum error_code count_over(struct one_night *g, struct game_notes *notes) {
    g->clock++;
    if (g->missing && g->vote_stage == VOTE_OPEN) {
        g->vote_stage = VOTE_ASKED;
        g->asked = g->missing;
        for (unsigned s = 0; s < g->seats; s++)
            if (g->missing >> s & 1)
                one_night__say(notes, GAME_NOTE_SAY, LINE_ask, (int)s, 0, 0);
        return ERROR_OK;
    }
    g->phase = PHASE_REVEAL;
    g->round = 1;
    one_night__settle(g);
    announce(g, notes);
    return ERROR_OK;
}

enum error_code one_night__vote_apply(struct one_night *g, int by, game_action action,
                                      struct game_notes *notes, struct error *err) {
    unsigned verb = one_night__verb(action);
    int target = one_night__arg(action, 0);
    if (by == GAME_BY_TIMER && action == one_night__pack(VERB_NEXT, -1, -1, -1))
        return count_over(g, notes);
    if (!may_vote(g, by) || action != one_night__pack(verb, target, -1, -1))
        return one_night__not_now(err);
    if (verb == VERB_UNVOTE && target < 0 && may_take_back(g, by)) {
        g->clock += !g->missing;
        g->vote[by] = SEAT_NONE;
        g->missing |= (uint16_t)(1u << by);
        return ERROR_OK;
    }
    if (verb != VERB_VOTE || target < 0 || target >= g->seats || target == g->vote[by])
        return one_night__not_now(err);
    if (target == by)
        return error_illegal(err, "E_SELF_VOTE", "not yourself");
    g->vote[by] = (uint8_t)target;
    g->missing &= (uint16_t) ~(1u << by);
    g->clock += !g->missing;
    return ERROR_OK;
}
