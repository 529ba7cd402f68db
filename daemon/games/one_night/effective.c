// Who is what when all cards are turned (7.1): role, powers and team of each seat.
#include "games/one_night/one_night.h"
#include <string.h>

typedef uint16_t seats; // a bit each

static const uint8_t artifact_roles[ARTIFACTS] = {
    [ARTIFACT_CLAW] = ROLE_WEREWOLF, [ARTIFACT_BRAND] = ROLE_VILLAGER, [ARTIFACT_CUDGEL] = ROLE_TANNER,
    [ARTIFACT_VOID] = ROLE_NONE,     [ARTIFACT_MASK] = ROLE_NONE,      [ARTIFACT_SHROUD] = ROLE_NONE,
    [ARTIFACT_BOW] = ROLE_HUNTER,    [ARTIFACT_CLOAK] = ROLE_PRINCE,   [ARTIFACT_SWORD] = ROLE_BODYGUARD,
    [ARTIFACT_MIST] = ROLE_VAMPIRE,  [ARTIFACT_ALIEN] = ROLE_ALIEN,    [ARTIFACT_DAGGER] = ROLE_NONE,
};

static uint8_t artifact_role(const struct one_night *g, unsigned seat) {
    return g->artifact[seat] < ARTIFACTS ? artifact_roles[g->artifact[seat]] : ROLE_NONE;
}

static bool helps_aliens(const struct one_night *g, unsigned seat) {
    return artifact_role(g, seat) == ROLE_NONE &&
           (g->convert[seat] == CONVERT_HELPER || (g->flags[seat] & FLAG_ALIEN_WIN));
}

// The five lines of 7.1 in their order; later ones override. Powers stay with the card until line 5.
static uint8_t five_lines(const struct one_night *g, unsigned seat, uint8_t *ret_power) {
    unsigned card = g->at[seat];
    uint8_t role = g->pi_role[card] != ROLE_NONE ? g->pi_role[card] : one_night__card_role(g, card);
    *ret_power = role;
    if (g->pi_seat[seat] != ROLE_NONE) // by the option it stays with the player
        role = g->pi_seat[seat];
    if (g->override[card] != ROLE_NONE)
        role = g->override[card];
    if (g->mark[seat] == MARK_VAMPIRE)
        role = ROLE_VAMPIRE;
    if (g->convert[seat] == CONVERT_ALIEN)
        role = ROLE_ALIEN;
    if (artifact_role(g, seat) != ROLE_NONE)
        *ret_power = role = artifact_role(g, seat);
    return role;
}

seats one_night__having(const struct one_night *g, uint64_t roles) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (roles >> g->effective[s] & 1)
            ret |= (seats)(1u << s);
    return ret;
}

seats one_night__of_team(const struct one_night *g, unsigned team) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->team[s] == team)
            ret |= (seats)(1u << s);
    return ret;
}

seats one_night__with_mark(const struct one_night *g, unsigned mark) {
    seats ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        if (g->mark[s] == mark)
            ret |= (seats)(1u << s);
    return ret;
}

// Teams that hang on who else is in play; the centre is never in play.
static uint8_t team_of(const struct one_night *g, const struct one_night_ending *e, unsigned seat) {
    uint8_t role = g->effective[seat];
    bool rivals = e->is[ROLE_GROOB] && e->is[ROLE_ZERB];
    if (e->helpers >> seat & 1)
        return TEAM_ALIEN;
    switch (role) {
    case ROLE_RENFIELD:
        return e->fangs ? TEAM_VAMPIRE : TEAM_VILLAGE;
    case ROLE_GROOB:
        return rivals ? TEAM_GROOB : TEAM_ALIEN;
    case ROLE_ZERB:
        return rivals ? TEAM_ZERB : TEAM_ALIEN;
    case ROLE_LEADER:
        return rivals ? TEAM_LEADER : TEAM_VILLAGE;
    case ROLE_ASSASSIN:
        return one_night__with_mark(g, MARK_ASSASSIN) ? TEAM_ASSASSIN : TEAM_VILLAGE;
    case ROLE_APPRENTICE_ASSASSIN:
        return e->is[ROLE_ASSASSIN] || one_night__with_mark(g, MARK_ASSASSIN) ? TEAM_APPRENTICE_ASSASSIN
                                                                              : TEAM_VILLAGE;
    default:
        return one_night__roles[role].team;
    }
}

static void is_now(struct one_night *g, struct one_night_ending *e, unsigned seat, uint8_t role) {
    seats own = (seats)(1u << seat);
    unsigned flags = one_night__roles[role].flags;
    g->effective[seat] = role;
    e->is[role] |= own;
    e->wolves |= flags & IS_WOLF ? own : 0;
    e->fangs |= flags & IS_FANG ? own : 0;
    e->aliens |= flags & IS_ALIEN ? own : 0;
    e->helpers |= helps_aliens(g, seat) ? own : 0; // whatever the card is: even a rival or a synthetic alien
}

// The cursed becomes what votes for him, a werewolf before a vampire (3.6).
static void curse(struct one_night *g, struct one_night_ending *e) {
    seats cursed = e->is[ROLE_CURSED], wolves = e->wolves, fangs = e->fangs;
    for (unsigned s = 0; s < g->seats && cursed; s++) {
        seats own = (seats)(1u << s),
              voters = cursed & own ? one_night__voters(g, own) & (seats)~one_night__no_voters(g, e) : 0;
        uint8_t role = voters & wolves ? ROLE_WEREWOLF : voters & fangs ? ROLE_VAMPIRE : ROLE_NONE;
        if (role == ROLE_NONE)
            continue;
        e->is[ROLE_CURSED] &= (seats)~own;
        is_now(g, e, s, role);
    }
}

void one_night__effective(struct one_night *g, struct one_night_ending *e) {
    memset(e, 0, sizeof *e);
    for (unsigned s = 0; s < g->seats; s++) {
        uint8_t power, role = five_lines(g, s, &power);
        is_now(g, e, s, role);
        e->has[power] |= (seats)(1u << s);
    }
    curse(g, e);
    e->pure_aliens = e->aliens & (seats)~e->is[ROLE_SYNTHETIC_ALIEN];
    for (unsigned s = 0; s < g->seats; s++)
        g->team[s] = team_of(g, e, s);
}
