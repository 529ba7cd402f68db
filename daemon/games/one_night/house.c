// The settlement of the house variant (7.7), step by step as the rules number it.
#include "games/one_night/one_night.h"

typedef uint16_t seats;

static void win(struct one_night *g, unsigned team, seats won) {
    g->teams = (uint16_t)(1u << team);
    g->won = won;
}

// The camps: werewolf and minion; the tanner alone; everybody else is good.
static void camp(struct one_night *g, unsigned team) {
    win(g, team, one_night__of_team(g, team));
}

void one_night__settle_house(struct one_night *g) {
    seats hunters = one_night__having(g, ROLE_BIT(HUNTER)), tanners = one_night__having(g, ROLE_BIT(TANNER));
    seats cards = one_night__having(g, ROLE_BIT(WEREWOLF)), minions = one_night__having(g, ROLE_BIT(MINION));
    // 1, 2: only an executed hunter fires; who dies with him is not executed.
    seats executed = one_night__front(g), dead = executed;
    for (unsigned s = 0; s < g->seats; s++)
        if (executed & hunters & (1u << s))
            dead |= one_night__shot(g, s);
    // 3: a minion stands in for the werewolves that lie in the centre.
    seats wolves = cards || !g->rules.minion_as_wolf ? cards : minions;
    g->dead = dead;
    // 4
    if ((executed & hunters) && (dead & (seats)~executed & wolves)) {
        win(g, TEAM_HUNTER, executed & hunters);
        return;
    }
    // 5, and the second half of 7
    bool alone = g->rules.tanner_alone;
    if (alone && (dead & tanners) && !(dead & wolves)) {
        win(g, TEAM_TANNER, dead & tanners);
        return;
    }
    if (!dead) { // 6
        seats counted = g->rules.no_death_minion ? wolves : cards;
        camp(g, counted ? TEAM_WEREWOLF : TEAM_VILLAGE);
    } else if (executed & wolves) { // 7
        camp(g, TEAM_VILLAGE);
    } else if (alone && (executed & tanners)) {
        win(g, TEAM_TANNER, executed & tanners);
    } else if (wolves || g->rules.innocent_werewolf) { // 8
        camp(g, TEAM_WEREWOLF);
    }
    if (!alone && (dead & tanners)) {
        g->won |= dead & tanners;
        g->teams |= (uint16_t)(1u << TEAM_TANNER);
    }
}
