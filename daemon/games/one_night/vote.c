// The vote (6.3, 6.4): ballots by number token, asked for once more, then fixed.
#include "games/one_night/one_night.h"

enum { // evenings 4
    COUNT_MS = 5000,
    ON_PAD_MS = 10000,
    TAPPED_MS = 30000,
    QUIET_MS = 2000,
    ASK_MS = 10000,
    ASK_EACH_MS = 3000, // where many are asked again
};

uint32_t one_night__vote_ms(const struct one_night *g) {
    if (!g->missing)
        return QUIET_MS;
    uint32_t each = ASK_EACH_MS * (uint32_t)__builtin_popcount(g->asked);
    if (g->vote_stage == VOTE_ASKED)
        return each > ASK_MS ? each : ASK_MS;
    return COUNT_MS + (g->rules.ballot == BALLOT_TAPPED ? TAPPED_MS : ON_PAD_MS);
}

void one_night__vote_begin(struct one_night *g, struct game_notes *notes) {
    g->phase = PHASE_VOTE;
    g->round = 1;
    g->clock++;
    g->vote_stage = VOTE_OPEN;
    g->missing = (uint16_t)((1u << g->seats) - 1) & (uint16_t)~g->absent;
    one_night__say(notes, GAME_NOTE_SAY, LINE_call_vote, 0, 0, 0);
}

// Seats that may lay a ballot or change it. Once the missing ones are asked for, the others are fixed. Who is
// away is not asked (U6).
uint16_t one_night__balloters(const struct one_night *g) {
    uint16_t open = g->vote_stage == VOTE_OPEN ? (uint16_t)((1u << g->seats) - 1) : g->asked;
    return (uint16_t)(open & ~g->absent);
}
static bool may_vote(const struct one_night *g, int by) {
    return by >= 0 && by < g->seats && (one_night__balloters(g) >> by & 1);
}
static bool may_take_back(const struct one_night *g, int by) {
    return may_vote(g, by) && g->rules.ballot != BALLOT_TAPPED && g->vote[by] != SEAT_NONE;
}

// Two ripples change the ballot (5.7): a group points with both hands; the device may be voted for.
static bool two_hands(const struct one_night *g, int by) {
    return one_night__variant(g, DRAW_RIPPLE) == VARIANT_RIPPLE_TWOVOTE &&
           (one_night__ripple_group(g) >> by & 1);
}
static bool may_name_device(const struct one_night *g) {
    return one_night__variant(g, DRAW_RIPPLE) == VARIANT_RIPPLE_VOTEAPP;
}

// A second hand below 0: one hand. Both may point at the same player.
static inline bool ballot_fits(const struct one_night *g, int by, int a, int b) {
    if (!may_vote(g, by) || a < 0 || a >= g->seats || a == by || b >= g->seats || b == by)
        return false;
    if (b < 0)
        return a != g->vote[by] || g->vote_2[by] != SEAT_NONE;
    return b >= a && two_hands(g, by) && (a != g->vote[by] || b != g->vote_2[by]);
}

size_t one_night__vote_legal(const struct one_night *g, int by, game_action *ret, size_t cap) {
    struct one_night_list list = {ret, 0, cap};
    if (by == GAME_BY_TIMER)
        one_night__add(&list, VERB_NEXT, -1, -1, -1);
    if (by == GAME_BY_TABLE) {
        list.n = one_night__absent_list(g, ret, cap);
        if (g->rules.ballot == BALLOT_ON_PAD)
            one_night__add(&list, VERB_TAP_BALLOTS, -1, -1, -1);
        return list.n;
    }
    if (!may_vote(g, by))
        return list.n;
    int hands = two_hands(g, by) ? g->seats : 0;
    for (int a = 0; a < g->seats; a++)
        for (int b = -1; b < hands; b++)
            if (ballot_fits(g, by, a, b))
                one_night__add(&list, VERB_VOTE, a, b, -1);
    if (may_take_back(g, by))
        one_night__add(&list, VERB_UNVOTE, -1, -1, -1);
    if (may_name_device(g) && g->vote[by] != VOTE_APP)
        one_night__add(&list, VERB_VOTE_APP, -1, -1, -1);
    return list.n;
}

// A playout lays each ballot once: who only changes his mind keeps nobody waiting.
bool one_night__vote_random(const struct one_night *g, int by, uint64_t dice, game_action *ret) {
    if (by == GAME_BY_TIMER) {
        *ret = one_night__pack(VERB_NEXT, -1, -1, -1);
        return true;
    }
    if (by < 0 || !(g->missing >> by & 1) || !may_vote(g, by))
        return false;
    int target = (int)((uint32_t)dice * (uint64_t)(g->seats - 1) >> 32);
    *ret = one_night__pack(VERB_VOTE, target + (target >= by), -1, -1);
    return true;
}

static void announce(const struct one_night *g, struct game_notes *notes) {
    if (!notes)
        return;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->dead >> s & 1)
            one_night__say(notes, GAME_NOTE_SAY, LINE_dies, (int)s, 0, 0);
    if (one_night__second_dies(g))
        one_night__say(notes, GAME_NOTE_SAY, LINE_epic_second, 0, 0, 0);
    if (!g->dead)
        one_night__say(notes, GAME_NOTE_SAY, LINE_nobody_dies, 0, 0, 0);
    for (unsigned team = 0; team < TEAMS; team++)
        if (g->teams >> team & 1)
            one_night__say(notes, GAME_NOTE_SAY, (uint16_t)(LINE_wins_alien + team), 0, 0, 0);
    if (!g->teams)
        one_night__say(notes, GAME_NOTE_SAY, LINE_nobody_wins, 0, 0, 0);
}
_Static_assert(LINE_wins_zerb - LINE_wins_alien == TEAM_ZERB, "a line for each team, in their order");
_Static_assert((int)TABLE_SEATS + 1 + (int)TEAMS <= (int)OBSERVE_LINES_MAX,
               "whoever dies and wins is told of");

static enum error_code count_over(struct one_night *g, struct game_notes *notes) {
    g->clock++;
    if (g->missing && g->vote_stage == VOTE_OPEN) {
        g->vote_stage = VOTE_ASKED;
        g->asked = g->missing;
        if (g->rules.ballot == BALLOT_ON_PAD) // the others lie as they may; where many lie no pad tells
            g->rules.ballot = BALLOT_TAPPED;
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

// Once all ballots are in, a change starts the quiet time anew.
static void lay(struct one_night *g, unsigned by, int a, int b) {
    g->vote[by] = (uint8_t)a;
    g->vote_2[by] = b < 0 ? SEAT_NONE : (uint8_t)b;
    g->missing &= (uint16_t) ~(1u << by);
    g->clock += !g->missing;
}

enum error_code one_night__vote_apply(struct one_night *g, int by, game_action action,
                                      struct game_notes *notes, struct error *err) {
    unsigned verb = one_night__verb(action);
    int a = one_night__arg(action, 0), b = one_night__arg(action, 1);
    if (by == GAME_BY_TIMER && action == one_night__pack(VERB_NEXT, -1, -1, -1))
        return count_over(g, notes);
    if (by == GAME_BY_TABLE && g->rules.ballot == BALLOT_ON_PAD &&
        action == one_night__pack(VERB_TAP_BALLOTS, -1, -1, -1)) {
        g->rules.ballot = BALLOT_TAPPED; // what lies there already counts
        g->clock++;
        one_night__say(notes, GAME_NOTE_SAY, LINE_tap_ballots, 0, 0, 0);
        return ERROR_OK;
    }
    if (by == GAME_BY_TABLE)
        return one_night__absent_apply(g, action, notes, err);
    if (!may_vote(g, by) || action != one_night__pack(verb, a, b, -1))
        return one_night__not_now(err);
    if (verb == VERB_UNVOTE && a < 0 && b < 0 && may_take_back(g, by)) {
        g->clock += !g->missing;
        g->vote[by] = g->vote_2[by] = SEAT_NONE;
        g->missing |= (uint16_t)(1u << by);
        return ERROR_OK;
    }
    if (verb == VERB_VOTE_APP && a < 0 && b < 0 && may_name_device(g) && g->vote[by] != VOTE_APP) {
        lay(g, (unsigned)by, VOTE_APP, -1);
        return ERROR_OK;
    }
    if (verb == VERB_VOTE && a == by && b < 0)
        return error_illegal(err, "E_SELF_VOTE", "not yourself");
    if (verb != VERB_VOTE || !ballot_fits(g, by, a, b))
        return one_night__not_now(err);
    lay(g, (unsigned)by, a, b);
    return ERROR_OK;
}
