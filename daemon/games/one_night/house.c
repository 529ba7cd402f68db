// The settlement of the house variant (7.7), step by step as the rules number it.
#include "games/one_night/one_night.h"

typedef uint16_t seats; // a bit each

static void win(struct one_night *g, struct one_night_ending *e, unsigned team, seats won) {
    g->teams = (uint16_t)(1u << team);
    e->won = won;
}

// The camps: werewolf and minion; the tanner alone; everybody else is good. A camp wins even without a seat.
static void camp(struct one_night *g, struct one_night_ending *e, unsigned team) {
    win(g, e, team, one_night__of_team(g, team));
}

void one_night__settle_house(struct one_night *g, struct one_night_ending *e) {
    seats hunters = e->is[ROLE_HUNTER], tanners = e->is[ROLE_TANNER], cards = e->is[ROLE_WEREWOLF];
    uint8_t votes[TABLE_SEATS];
    // 1, 2: only an executed hunter fires; who dies with him is not executed.
    one_night__count(g, 0, votes);
    seats executed = one_night__front(g, votes);
    e->dead = executed;
    for (unsigned s = 0; s < g->seats; s++)
        if (executed & hunters & (1u << s))
            e->dead |= one_night__shot(g, s);
    // 3: a minion stands in for the werewolves that lie in the centre.
    seats wolves = cards || !g->rules.minion_as_wolf ? cards : e->is[ROLE_MINION];
    // 4
    if ((executed & hunters) && (e->dead & (seats)~executed & wolves)) {
        win(g, e, TEAM_HUNTER, executed & hunters);
        return;
    }
    // 5, and the second half of 7
    bool alone = g->rules.tanner_alone;
    if (alone && (e->dead & tanners) && !(e->dead & wolves)) {
        win(g, e, TEAM_TANNER, e->dead & tanners);
        return;
    }
    if (!e->dead) { // 6
        seats counted = g->rules.no_death_minion ? wolves : cards;
        camp(g, e, counted ? TEAM_WEREWOLF : TEAM_VILLAGE);
    } else if (executed & wolves) { // 7
        camp(g, e, TEAM_VILLAGE);
    } else if (alone && (executed & tanners)) {
        win(g, e, TEAM_TANNER, executed & tanners);
    } else if (wolves || g->rules.innocent_werewolf) { // 8
        camp(g, e, TEAM_WEREWOLF);
    }
    if (!alone && (e->dead & tanners)) {
        e->won |= e->dead & tanners;
        g->teams |= (uint16_t)(1u << TEAM_TANNER);
    }
}
