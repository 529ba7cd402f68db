// Who is what at the end, who dies, who wins (6.5 to 6.8, 7).
#include "games/one_night/one_night.h"
#include <string.h>

typedef uint16_t seats; // a bit each
static seats bit(unsigned seat) {
    return (seats)(1u << seat);
}

// ---- 7.1
// ---------------------------------------------------------------------------------------------------------

// The lines of 7.1 in their order; later ones override.
static void effective(const struct one_night *g, unsigned seat, uint8_t *ret_role, uint8_t *ret_team) {
    uint8_t role = one_night__card_role(g, g->at[seat]);
    *ret_role = role;
    *ret_team = one_night__roles[role].team;
}

seats one_night__having(const struct one_night *g, uint64_t roles) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (roles >> g->effective[s] & 1)
            ret |= bit(s);
    return ret;
}

static seats being(const struct one_night *g, unsigned flag) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (one_night__roles[g->effective[s]].flags & flag)
            ret |= bit(s);
    return ret;
}

seats one_night__of_team(const struct one_night *g, unsigned team) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->team[s] == team)
            ret |= bit(s);
    return ret;
}

// ---- victims
// -----------------------------------------------------------------------------------------------------

void one_night__count(const struct one_night *g, uint8_t votes[TABLE_SEATS]) {
    memset(votes, 0, TABLE_SEATS);
    for (unsigned s = 0; s < g->seats; s++)
        if (g->vote[s] != SEAT_NONE)
            votes[g->vote[s]]++;
}

// All with most votes, two at least (6.7); options: one alone, and what a tie does.
seats one_night__front(const struct one_night *g) {
    uint8_t votes[TABLE_SEATS], most = g->rules.single_victim ? 1 : 2;
    seats ret = 0;
    one_night__count(g, votes);
    for (unsigned s = 0; s < g->seats; s++) {
        if (votes[s] > most || (votes[s] == most && !ret))
            ret = 0;
        if (votes[s] < most)
            continue;
        most = votes[s];
        ret |= bit(s);
    }
    bool tie = ret & (ret - 1);
    return tie && g->rules.tie_spares ? 0 : ret;
}

seats one_night__shot(const struct one_night *g, unsigned hunter) {
    if (!g->rules.voters_die)
        return g->vote[hunter] == SEAT_NONE ? 0 : bit(g->vote[hunter]);
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->vote[s] == hunter)
            ret |= bit(s);
    return ret;
}

// 6.8: a dying hunter takes somebody along, until nothing changes.
static seats chains(const struct one_night *g, seats dead) {
    seats hunters = one_night__having(g, ROLE_BIT(HUNTER)), fired = 0, now;
    while ((now = hunters & dead & (seats)~fired)) {
        unsigned hunter = (unsigned)__builtin_ctz(now);
        fired |= bit(hunter);
        dead |= one_night__shot(g, hunter);
    }
    return dead;
}

// ---- 7.2
// ---------------------------------------------------------------------------------------------------------

struct ending {
    seats dead, wolves, fangs, aliens, tanners, won;
    uint32_t teams; // main teams that win
};

// 7.3
static void main_teams(struct ending *e) {
    seats hostile = e->wolves | e->fangs | e->aliens;
    bool blocked = e->dead & e->tanners;
    if (hostile ? (hostile & e->dead) != 0 : e->dead == 0)
        e->teams |= 1u << TEAM_VILLAGE;
    if (e->wolves && !(e->wolves & e->dead) && !blocked)
        e->teams |= 1u << TEAM_WEREWOLF;
    if (e->fangs && !(e->fangs & e->dead) && !blocked)
        e->teams |= 1u << TEAM_VAMPIRE;
    if (e->aliens && !(e->aliens & e->dead) && !blocked)
        e->teams |= 1u << TEAM_ALIEN;
}

// 7.4: without werewolves each minion needs another player's death.
static void lone_minions(const struct one_night *g, struct ending *e) {
    seats minions = one_night__having(g, ROLE_BIT(MINION) | ROLE_BIT(SQUIRE));
    if (e->wolves || !minions)
        return;
    for (seats left = minions; left; left &= (seats)(left - 1)) {
        seats own = left & (seats)-left;
        if ((e->dead & (seats)~own) && !(e->dead & e->tanners))
            e->won |= own;
    }
    bool only = e->dead && !(e->dead & (seats)~minions) && !(e->dead & (e->dead - 1));
    if (g->rules.lone_minion_village && only)
        e->teams |= 1u << TEAM_VILLAGE;
}

static void official(struct one_night *g) {
    struct ending e = {
        .dead = chains(g, one_night__front(g)),
        .wolves = being(g, IS_WOLF),
        .fangs = being(g, IS_FANG),
        .aliens = being(g, IS_ALIEN),
        .tanners = one_night__having(g, ROLE_BIT(TANNER)),
    };
    main_teams(&e);
    lone_minions(g, &e);
    for (unsigned team = 0; team < TEAMS; team++)
        if (e.teams >> team & 1)
            e.won |= one_night__of_team(g, team);
    e.won |= e.tanners & e.dead; // each for himself (7.5)
    g->dead = e.dead;
    g->won = e.won;
    for (unsigned s = 0; s < g->seats; s++)
        if (e.won >> s & 1)
            g->teams |= (uint16_t)(1u << g->team[s]);
}

void one_night__settle(struct one_night *g) {
    for (unsigned s = 0; s < g->seats; s++)
        effective(g, s, &g->effective[s], &g->team[s]);
    if (g->rules.house)
        one_night__settle_house(g);
    else
        official(g);
}

// ---- result
// ------------------------------------------------------------------------------------------------------

static const char *reason(const struct one_night *g) {
    seats wolves = being(g, IS_WOLF);
    if (!wolves && g->rules.house && g->rules.minion_as_wolf)
        wolves = one_night__having(g, ROLE_BIT(MINION));
    if (g->dead & one_night__having(g, ROLE_BIT(TANNER)))
        return "a tanner died";
    if (g->dead & wolves)
        return "a werewolf died";
    if (wolves)
        return "no werewolf died";
    return g->dead ? "a player died and no werewolf was in play" : "nobody died and no werewolf was in play";
}

static void copy_word(char *to, const char *from) {
    size_t n = strlen(from);
    memcpy(to, from, n + 1);
}

void one_night_result(const void *state, struct observe_result *ret) {
    const struct one_night *g = one_night__state(state);
    memset(ret, 0, sizeof *ret);
    if (g->phase != PHASE_REVEAL)
        return;
    ret->over = true;
    ret->winners = g->won;
    ret->dead = g->dead;
    uint32_t played = g->teams;
    for (unsigned s = 0; s < g->seats; s++) {
        played |= 1u << g->team[s];
        ret->score[s] = g->won >> s & 1;
        copy_word(ret->seats[s].role, one_night__roles[g->effective[s]].id);
        copy_word(ret->seats[s].team, one_night__team_names[g->team[s]]);
    }
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned team = 0; team < TEAMS; team++) {
            bool won = g->teams >> team & 1;
            if (!(played >> team & 1) || won == (pass == 1) || ret->n_teams == OBSERVE_TEAMS_MAX)
                continue;
            ret->teams[ret->n_teams].won = won;
            copy_word(ret->teams[ret->n_teams++].name, one_night__team_names[team]);
        }
    copy_word(ret->reason, reason(g));
}
