// Who wins (7.2 to 7.6, 8), and the result in words.
#include "games/one_night/one_night.h"
#include <string.h>

typedef uint16_t seats; // a bit each
static seats bit(unsigned seat) {
    return (seats)(1u << seat);
}
enum { MAIN_VILLAGE = 1 << TEAM_VILLAGE, MAIN_WEREWOLF = 1 << TEAM_WEREWOLF };
enum { MAIN_VAMPIRE = 1 << TEAM_VAMPIRE, MAIN_ALIEN = 1 << TEAM_ALIEN };

// 8.1: groups in front of players; 0 unless they are three at least.
static uint8_t epic(const struct one_night *g, const struct one_night_ending *e) {
    unsigned ret = (one_night__of_team(g, TEAM_VILLAGE) ? GROUP_VILLAGE : 0) |
                   (e->wolves ? GROUP_WEREWOLF : 0) | (e->fangs ? GROUP_VAMPIRE : 0) |
                   (e->pure_aliens ? GROUP_ALIEN : 0);
    return __builtin_popcount(ret) >= 3 ? (uint8_t)ret : 0;
}

// 7.2 step 4: which teams a dead tanner or synthetic alien blocks.
static uint32_t blocked(const struct one_night *g, const struct one_night_ending *e) {
    uint32_t ret = 0;
    if (e->dead & e->is[ROLE_TANNER])
        ret |= MAIN_WEREWOLF | (g->rules.tanner_blocks_wolves_only ? 0 : MAIN_VAMPIRE | MAIN_ALIEN);
    if (e->dead & e->is[ROLE_SYNTHETIC_ALIEN])
        ret |= MAIN_VILLAGE | MAIN_ALIEN | (g->rules.synthetic_blocks_all ? MAIN_WEREWOLF | MAIN_VAMPIRE : 0);
    return ret;
}

// 7.3, or 8.3 in an Epic Battle: there each hostile team needs another hostile death too.
static uint32_t main_teams(const struct one_night *g, const struct one_night_ending *e) {
    bool wolf = e->dead & e->wolves, fang = e->dead & e->fangs, alien = e->dead & e->aliens;
    seats hostile = e->wolves | e->fangs | e->aliens;
    bool village = hostile ? wolf || fang || alien : e->dead == 0;
    if (g->epic)
        village = wolf + fang + alien >= 2;
    uint32_t ret = village ? MAIN_VILLAGE : 0;
    if (e->wolves && !wolf && (!g->epic || fang || alien))
        ret |= MAIN_WEREWOLF;
    if (e->fangs && !fang && (!g->epic || wolf || alien))
        ret |= MAIN_VAMPIRE;
    if ((e->pure_aliens || e->helpers) && !(e->dead & e->pure_aliens) && (!g->epic || wolf || fang))
        ret |= MAIN_ALIEN;
    return ret & ~blocked(g, e);
}

// 7.5 clause L: all of the alien team point at one leader.
static bool clause_l(const struct one_night *g, const struct one_night_ending *e, seats team) {
    for (seats left = e->is[ROLE_LEADER]; left && team; left &= (seats)(left - 1))
        if (!(team & (seats)~one_night__voters(g, left & (seats)-left)))
            return true;
    return false;
}

// 7.4: without werewolves each minion needs another player's death.
static void lone_minions(const struct one_night *g, struct one_night_ending *e) {
    seats minions = (e->is[ROLE_MINION] | e->is[ROLE_SQUIRE]) & (seats)~e->helpers;
    if (e->wolves || !minions)
        return;
    for (seats left = minions; left; left &= (seats)(left - 1)) {
        seats own = left & (seats)-left;
        if ((e->dead & (seats)~own) && !(e->dead & e->is[ROLE_TANNER]))
            e->won |= own;
    }
    bool only = e->dead && !(e->dead & (seats)~minions) && !(e->dead & (e->dead - 1));
    if (g->rules.lone_minion_village && only && !(e->fangs | e->aliens)) // else somebody hostile has won
        e->teams |= MAIN_VILLAGE;
}

static seats blob_set(const struct one_night *g, unsigned seat) {
    seats ret = bit(seat);
    int left = (int)seat, right = (int)seat;
    for (unsigned n = 0; n < g->blob_left; n++)
        ret |= bit((unsigned)(left = one_night__left(g, left)));
    for (unsigned n = 0; n < g->blob_right; n++)
        ret |= bit((unsigned)(right = one_night__right(g, right)));
    return ret;
}

// 7.5: what a seat on a team of its own needs.
static bool personal(const struct one_night *g, const struct one_night_ending *e, unsigned seat) {
    seats own = bit(seat);
    switch (g->team[seat]) {
    case TEAM_TANNER:
        if ((e->is[ROLE_APPRENTICE_TANNER] & own) && e->is[ROLE_TANNER]) // 3.6
            return e->dead & e->is[ROLE_TANNER];
        return e->dead & own;
    case TEAM_SYNTHETIC_ALIEN:
        return e->dead & own;
    case TEAM_GROOB:
        return !(e->dead & own) && (e->dead & e->is[ROLE_ZERB]);
    case TEAM_ZERB:
        return !(e->dead & own) && (e->dead & e->is[ROLE_GROOB]);
    case TEAM_LEADER:
        return !(e->dead & (e->is[ROLE_GROOB] | e->is[ROLE_ZERB]));
    case TEAM_BLOB:
        return !(e->dead & blob_set(g, seat));
    case TEAM_MORTICIAN:
        return e->dead &
               (bit((unsigned)one_night__left(g, (int)seat)) | bit((unsigned)one_night__right(g, (int)seat)));
    case TEAM_ASSASSIN:
        return e->dead & one_night__with_mark(g, MARK_ASSASSIN);
    case TEAM_APPRENTICE_ASSASSIN:
        return e->dead &
               (e->is[ROLE_ASSASSIN] ? e->is[ROLE_ASSASSIN] : one_night__with_mark(g, MARK_ASSASSIN));
    default:
        return false;
    }
}

// A traitor with team mates wins by the death of one of them instead (7.6).
static void traitors(const struct one_night *g, struct one_night_ending *e) {
    for (unsigned s = 0; s < g->seats; s++) {
        if (g->mark[s] != MARK_TRAITOR && g->artifact[s] != ARTIFACT_DAGGER)
            continue;
        seats mates = one_night__of_team(g, g->team[s]) & (seats)~bit(s);
        if (mates)
            e->won = e->dead & mates ? e->won | bit(s) : e->won & (seats)~bit(s);
    }
}

// Whoever voted for the diseased cannot win; a bodyguard's pointer is no vote (7.6).
static void diseases(const struct one_night *g, struct one_night_ending *e) {
    seats sick = e->has[ROLE_DISEASED] | one_night__with_mark(g, MARK_DISEASE);
    if (!sick)
        return;
    e->won &= (seats) ~(one_night__voters(g, sick) & (seats)~one_night__no_voters(g, e));
}

// 7.5: after a wrong guess only the oracle's life counts.
static void wrong_guess(const struct one_night *g, struct one_night_ending *e) {
    seats flagged = 0, all = (seats)((1u << g->seats) - 1);
    for (unsigned s = 0; s < g->seats; s++)
        flagged |= g->flags[s] & FLAG_GUESS_WRONG ? bit(s) : 0;
    if (flagged)
        e->won = (flagged & (seats)~e->dead) | (flagged & e->dead ? all & (seats)~flagged : 0);
}

static void official(struct one_night *g, struct one_night_ending *e) {
    g->epic = epic(g, e);
    one_night__deaths(g, e);
    e->teams = main_teams(g, e);
    seats alien_team = e->pure_aliens | e->helpers;
    if (clause_l(g, e, alien_team)) {
        e->teams = (e->teams & ~(uint32_t)MAIN_VILLAGE) | MAIN_ALIEN;
        e->won |= alien_team;
    }
    lone_minions(g, e);
    for (unsigned s = 0; s < g->seats; s++)
        if ((e->teams >> g->team[s] & 1) || personal(g, e, s))
            e->won |= bit(s);
    traitors(g, e);
    wrong_guess(g, e);
    diseases(g, e);
    for (unsigned s = 0; s < g->seats; s++)
        if (e->won >> s & 1)
            g->teams |= (uint16_t)(1u << g->team[s]);
}

void one_night__settle(struct one_night *g) {
    struct one_night_ending e;
    one_night__effective(g, &e);
    if (g->rules.house)
        one_night__settle_house(g, &e);
    else
        official(g, &e);
    g->dead = e.dead;
    g->won = e.won;
}

// ---- result

// The two ticks of a group in an Epic Battle (8.3): another hostile group is hurt; the own one is not. The
// village asks for two groups, in both.
bool one_night__epic_tick(const struct one_night *g, unsigned group, unsigned condition) {
    struct one_night copy = *g;
    struct one_night_ending e;
    one_night__effective(&copy, &e);
    bool wolf = g->dead & e.wolves, fang = g->dead & e.fangs, alien = g->dead & e.aliens;
    switch (group) {
    case GROUP_WEREWOLF:
        return condition == 1 ? fang || alien : !wolf;
    case GROUP_VAMPIRE:
        return condition == 1 ? wolf || alien : !fang;
    case GROUP_ALIEN:
        return condition == 1 ? wolf || fang : !(g->dead & e.pure_aliens);
    default:
        return wolf + fang + alien >= 2;
    }
}

// Votes as they are shown at the end: a bodyguard's pointer is none (6.5).
void one_night__shown_votes(const struct one_night *g, uint8_t votes[TABLE_SEATS]) {
    struct one_night copy = *g;
    struct one_night_ending e;
    one_night__effective(&copy, &e);
    one_night__count(g, one_night__no_voters(g, &e), votes);
}

// It beats dead aliens, tanners and synthetic aliens (7.5): the reason, whoever died. The house does not know
// it.
static bool by_clause_l(const struct one_night *g) {
    struct one_night copy = *g;
    struct one_night_ending e;
    one_night__effective(&copy, &e);
    return !g->rules.house && clause_l(g, &e, e.pure_aliens | e.helpers);
}

// Why it ended so, for people; of several groups the first that was hurt.
static const char *reason(const struct one_night *g) {
    static const struct {
        unsigned flag;
        const char *hurt, *spared;
    } groups[] = {{IS_WOLF, "a werewolf died", "no werewolf died"},
                  {IS_FANG, "a vampire died", "no vampire died"},
                  {IS_ALIEN, "an alien died", "no alien died"}};
    const char *spared = NULL;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->flags[s] & FLAG_GUESS_WRONG)
            return g->dead >> s & 1 ? "the oracle died after a wrong guess"
                                    : "the oracle lived after a wrong guess";
    if (by_clause_l(g))
        return "the whole alien team pointed at the leader";
    if (g->dead & one_night__having(g, ROLE_BIT(SYNTHETIC_ALIEN)))
        return "a synthetic alien died";
    if (g->dead & one_night__having(g, ROLE_BIT(TANNER)))
        return "a tanner died";
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
        seats members = 0;
        for (unsigned s = 0; s < g->seats; s++)
            members |= one_night__roles[g->effective[s]].flags & groups[i].flag ? bit(s) : 0;
        if (!members && i == 0 && g->rules.house && g->rules.minion_as_wolf)
            members = one_night__having(g, ROLE_BIT(MINION));
        if (g->dead & members)
            return groups[i].hurt;
        spared = members && !spared ? groups[i].spared : spared;
    }
    if (spared)
        return spared;
    return g->dead ? "a player died and no werewolf was in play" : "nobody died and no werewolf was in play";
}

static void list_teams(uint32_t teams, bool won, struct observe_result *ret) {
    for (; teams; teams &= teams - 1) {
        struct observe_team *team = &ret->teams[ret->n_teams++];
        team->won = won;
        strcpy(team->name, one_night__team_names[__builtin_ctz(teams)]);
    }
}

_Static_assert((int)TEAMS <= (int)OBSERVE_TEAMS_MAX, "every team is in the result");
void one_night_result(const void *state, struct observe_result *ret) {
    const struct one_night *g = one_night__state(state);
    memset(ret, 0, sizeof *ret);
    if (g->phase != PHASE_REVEAL)
        return;
    ret->over = true;
    ret->winners = g->won;
    ret->dead = g->dead;
    uint32_t played = 0;
    for (unsigned s = 0; s < g->seats; s++) {
        played |= 1u << g->team[s];
        ret->score[s] = g->won >> s & 1;
        strcpy(ret->seats[s].role, one_night__roles[g->effective[s]].id);
        strcpy(ret->seats[s].team, one_night__team_names[g->team[s]]);
    }
    list_teams(g->teams, true, ret);
    list_teams(played & ~(uint32_t)g->teams, false, ret);
    strcpy(ret->reason, reason(g));
}
