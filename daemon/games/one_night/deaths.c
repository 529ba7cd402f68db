// From ballots to the dead (6.5 to 6.8, 8.2).
#include "games/one_night/one_night.h"
#include <string.h>

typedef uint16_t seats; // a bit each
static seats bit(unsigned seat) {
    return (seats)(1u << seat);
}
static seats pointed(const struct one_night *g, unsigned seat) {
    seats ret = g->vote[seat] < g->seats ? bit(g->vote[seat]) : 0;
    return g->vote_2[seat] < g->seats ? ret | bit(g->vote_2[seat]) : ret;
}

seats one_night__voters(const struct one_night *g, seats targets) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (pointed(g, s) & targets)
            ret |= bit(s);
    return ret;
}

// Each hand is a vote. no_voters: whose pointing is no vote.
void one_night__count(const struct one_night *g, seats no_voters, uint8_t votes[TABLE_SEATS]) {
    memset(votes, 0, TABLE_SEATS);
    for (unsigned s = 0; s < g->seats; s++) {
        if (no_voters & bit(s))
            continue;
        if (g->vote[s] < g->seats)
            votes[g->vote[s]]++;
        if (g->vote_2[s] < g->seats)
            votes[g->vote_2[s]]++;
    }
}

static uint8_t highest(const struct one_night *g, const uint8_t votes[TABLE_SEATS], uint8_t below) {
    uint8_t ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (votes[s] > ret && votes[s] < below)
            ret = votes[s];
    return ret;
}

static seats with_count(const struct one_night *g, const uint8_t votes[TABLE_SEATS], uint8_t count) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats && count; s++)
        if (votes[s] == count)
            ret |= bit(s);
    return ret;
}

// All with most votes, two at least; by option a single vote is enough and a tie spares (6.7, 7.7).
seats one_night__front(const struct one_night *g, const uint8_t votes[TABLE_SEATS]) {
    uint8_t most = highest(g, votes, UINT8_MAX);
    if (most < (g->rules.single_victim ? 1 : 2))
        return 0;
    seats ret = with_count(g, votes, most);
    return g->rules.tie_spares && (ret & (ret - 1)) ? 0 : ret;
}

// 8.2: a sole front-runner takes the second place with him, whose one vote is enough.
static seats epic_front(const struct one_night *g, const uint8_t votes[TABLE_SEATS]) {
    uint8_t most = highest(g, votes, UINT8_MAX);
    seats first = with_count(g, votes, most);
    if (most <= 1)
        return g->rules.epic_circle_dies ? first : 0;
    if (first & (first - 1))
        return first;
    return first | with_count(g, votes, highest(g, votes, most));
}

static void protect(const struct one_night *g, struct one_night_ending *e) {
    seats no_voters = one_night__no_voters(g, e);
    for (unsigned s = 0; s < g->seats; s++) {
        if (e->has[ROLE_BODYGUARD] & bit(s))
            e->guarded |= pointed(g, s);
        if (e->fangs & (seats)~no_voters & bit(s))
            e->master |= pointed(g, s) & e->has[ROLE_THE_MASTER] & (seats)~bit(s);
    }
    e->protected = e->guarded | e->master | e->has[ROLE_PRINCE];
}

seats one_night__shot(const struct one_night *g, unsigned hunter) {
    return g->rules.voters_die ? one_night__voters(g, bit(hunter)) : pointed(g, hunter);
}

// 6.8: a dying hunter takes along whom he points at, love all who bear its mark, until nothing changes.
static void chains(const struct one_night *g, struct one_night_ending *e) {
    seats hunters = e->has[ROLE_HUNTER], lovers = one_night__with_mark(g, MARK_LOVE), before;
    unsigned hits = g->rules.hunter_hits;
    seats safe = (hits & SAFE_BODYGUARD ? 0 : e->guarded) | (hits & SAFE_MASTER ? 0 : e->master) |
                 (hits & SAFE_PRINCE ? 0 : e->has[ROLE_PRINCE]);
    do {
        before = e->dead;
        for (unsigned s = 0; s < g->seats; s++)
            if (hunters & e->dead & bit(s))
                e->dead |= one_night__shot(g, s) & (seats)~safe;
        if (lovers & e->dead)
            e->dead |= lovers;
    } while (e->dead != before);
}

// The device alone at the front, or level with it: nobody dies (5.7).
static bool device_leads(const struct one_night *g, seats no_voters, const uint8_t votes[TABLE_SEATS]) {
    uint8_t device = 0;
    if (!g->place_answer)
        return false;
    for (unsigned s = 0; s < g->seats; s++)
        device += g->vote[s] == VOTE_APP && !(no_voters & bit(s));
    return device && device >= highest(g, votes, UINT8_MAX);
}

// Votes that find victims: those of the protected are none (6.6).
static void counted(const struct one_night *g, struct one_night_ending *e, uint8_t votes[TABLE_SEATS]) {
    protect(g, e);
    one_night__count(g, one_night__no_voters(g, e), votes);
    for (unsigned s = 0; s < g->seats; s++)
        if (e->protected & bit(s))
            votes[s] = 0;
}

void one_night__deaths(const struct one_night *g, struct one_night_ending *e) {
    uint8_t votes[TABLE_SEATS];
    counted(g, e, votes);
    if (device_leads(g, one_night__no_voters(g, e), votes))
        return;
    e->dead = g->epic ? epic_front(g, votes) : one_night__front(g, votes);
    chains(g, e);
}

// Not who dies with others: a hunter or love may take somebody along who has less votes.
bool one_night__second_dies(const struct one_night *g) {
    struct one_night copy = *g;
    struct one_night_ending e;
    uint8_t votes[TABLE_SEATS];
    one_night__effective(&copy, &e);
    counted(&copy, &e, votes);
    uint8_t most = highest(g, votes, UINT8_MAX);
    seats first = with_count(g, votes, most);
    return g->epic && most > 1 && !(first & (first - 1)) && highest(g, votes, most) > 0 &&
           !device_leads(g, one_night__no_voters(g, &e), votes);
}
