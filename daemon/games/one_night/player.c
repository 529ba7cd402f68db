// A computer player. By night it does at random what its card may do; by day it points at whom it has seen or
// felt to be of another team, never at its own, else where others point.
#include "engine/bot.h"
#include "games/one_night/one_night.h"
#include <string.h>

enum { STRANGER = 10, FRIEND = 0, FOE = 100 };

static int role_of(const char *id) {
    for (int role = 0; id && role < ROLES; role++)
        if (!strcmp(one_night__roles[role].id, id))
            return role;
    return -1;
}

static bool is_seat(const char *place, int seat) { // s1 .. s12
    char name[4] = {'s', (char)(seat < 9 ? '1' + seat : '1'), seat < 9 ? '\0' : (char)('0' + seat - 9), '\0'};
    return place && !strcmp(place, name);
}

// The card it believes to hold: the one dealt, what was copied, then the last one it saw at its own place.
static int own_role(const struct observation *view) {
    int role = -1;
    for (unsigned i = 0; i < view->n_facts; i++) {
        const struct observe_fact *fact = &view->fact[i];
        bool own = !strcmp(fact->key, "dealt") || !strcmp(fact->key, "copied") ||
                   (!strcmp(fact->key, "saw") && is_seat(fact->place, view->audience));
        if (own && fact->seat == view->audience && role_of(fact->kind) >= 0)
            role = role_of(fact->kind);
    }
    return role;
}

static bool is_monster(int role) {
    return role >= 0 && (one_night__roles[role].flags & (IS_WOLF | IS_FANG | IS_ALIEN));
}

static int worth_of_seen(int own, int seen) {
    unsigned mine = own >= 0 ? one_night__roles[own].team : TEAM_VILLAGE;
    if (one_night__roles[seen].team == mine)
        return FRIEND;
    return is_monster(seen) || mine != TEAM_VILLAGE ? FOE : STRANGER - 1;
}

// How gladly it points at each seat.
static void weigh(const struct observation *view, int ret[GAME_SEATS_MAX]) {
    int own = own_role(view);
    for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
        ret[seat] = STRANGER;
    for (unsigned i = 0; i < view->n_facts; i++) {
        const struct observe_fact *fact = &view->fact[i];
        if (!strcmp(fact->key, "sees") && fact->seat >= 0 && fact->seat < GAME_SEATS_MAX)
            ret[fact->seat] = FRIEND;
        for (int seat = 0; seat < view->seats && !strcmp(fact->key, "saw") && role_of(fact->kind) >= 0;
             seat++)
            if (is_seat(fact->place, seat))
                ret[seat] = worth_of_seen(own, role_of(fact->kind));
    }
    for (unsigned i = 0; i < view->n_items; i++) // what lies face up
        if (view->item[i].place < view->seats && role_of(view->item[i].kind) >= 0)
            ret[view->item[i].place] = worth_of_seen(own, role_of(view->item[i].kind));
    for (unsigned i = 0; i < view->n_counters; i++) { // one vote kills nobody: it joins others
        const struct observe_counter *counter = &view->counter[i];
        bool ballot = !strncmp(counter->name, "vote", 4) && strcmp(counter->name, "votes") != 0;
        if (ballot && counter->value > 0 && counter->value <= view->seats && ret[counter->value - 1] > FRIEND)
            ret[counter->value - 1]++;
    }
}

static bool vote(const struct bot_ask *ask, game_action *ret) {
    int worth[GAME_SEATS_MAX], best = -1;
    unsigned equal = 0;
    uint64_t dice = ask->dice;
    if (ask->view->seat[ask->view->audience].acted)
        return false;
    weigh(ask->view, worth);
    for (size_t i = 0; i < ask->n; i++) {
        int at = one_night__arg(ask->legal[i], 0);
        if (one_night__verb(ask->legal[i]) != VERB_VOTE || at < 0 || at >= GAME_SEATS_MAX || worth[at] < best)
            continue;
        equal = worth[at] > best ? 1 : equal + 1;
        best = worth[at];
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (equal == 1 || (dice >> 33) % equal == 0)
            *ret = ask->legal[i];
    }
    return equal > 0;
}

// By night a seat's list holds only what its card allows. It answers questions once.
static bool wake(const struct bot_ask *ask, game_action *ret) {
    if (ask->view->seat[ask->view->audience].acted)
        return false;
    *ret = ask->legal[(uint32_t)(ask->dice >> 32) * (uint64_t)ask->n >> 32];
    return true;
}

static bool choose(const struct bot_ask *ask, game_action *ret) {
    switch (one_night__verb(ask->legal[0])) {
    case VERB_VOTE:
    case VERB_UNVOTE:
    case VERB_VOTE_APP:
        return vote(ask, ret);
    case VERB_DONE: // the talk is people's
    case VERB_END_DAY:
        return false;
    default:
        return wake(ask, ret);
    }
}

const struct bot one_night_player = {.choose = choose};
