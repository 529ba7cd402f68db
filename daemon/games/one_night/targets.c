// Sets of places an act may take (3.1): cards, marks, players, as far as the acting seat may know.
#include "games/one_night/one_night.h"

typedef one_night_spots spots;

static spots bit(int spot) {
    return spot < 0 ? 0 : UINT64_C(1) << spot;
}

static int last_seen(const struct one_night *g, unsigned seat) {
    for (unsigned i = g->n_saw; i; i--)
        if (g->saw[i - 1].seat == seat)
            return one_night__spot(g, g->saw[i - 1].place);
    return -1;
}

// The place looked at last, and with it whatever else lies before the same player.
spots one_night__seen_last(const struct one_night *g, unsigned seat) {
    int spot = last_seen(g, seat);
    spots ret = bit(spot);
    if (spot >= MARK_SPOT)
        ret |= bit(spot - MARK_SPOT);
    else if (spot >= 0 && spot < g->seats)
        ret |= bit(spot + MARK_SPOT);
    return ret;
}

// Seats an alpha wolf may not turn: the werewolves it saw; a doppelganger, or a copycat who acts like one,
// knows of the alpha wolf alone at whom she looked (4.2).
static spots known_wolves(const struct one_night *g, unsigned seat) {
    unsigned card = g->dealt[seat];
    bool doppel = g->role[card] == ROLE_DOPPELGANGER || (g->doubles >> card & 1);
    return doppel ? bit(last_seen(g, seat)) : one_night__awake_as(g, IS_WOLF);
}

static spots centre_down(const struct one_night *g) {
    spots ret = 0;
    for (int p = g->seats; p < g->n_positions; p++)
        if (!g->face[g->at[p]])
            ret |= bit(p);
    return ret;
}

static spots bare(const struct one_night *g, spots seats) {
    for (unsigned s = 0; s < g->seats; s++)
        if (g->artifact[s] != ARTIFACT_NONE)
            seats &= ~bit((int)s);
    return seats;
}

// Marks lie under no shield (3.4).
static spots marks(const struct one_night *g, unsigned seat, unsigned set) {
    spots all = (bit(g->seats) - 1), self = bit((int)seat);
    switch (set) {
    case T_MARKS:
        break;
    case T_MY_MARK:
        all = self;
        break;
    case T_OTHER_MARKS:
        all &= ~self;
        break;
    case T_NEAR_MARKS:
        all = bit(one_night__left(g, (int)seat)) | bit(one_night__right(g, (int)seat));
        break;
    case T_NOT_FANGS_NEW:
        all &= ~(g->bitten < g->seats ? bit(g->bitten) : 0);
        all &= ~(spots)one_night__awake_as(g, IS_FANG);
        break;
    default:
        all &= ~(spots)one_night__awake_as(g, IS_FANG);
        break;
    }
    return all << MARK_SPOT;
}

static spots drawn(const struct one_night *g, unsigned seat, unsigned set, unsigned draw) {
    spots shielded = g->shielded;
    switch (set) {
    case T_ALIENS:
        return one_night__awake_as(g, IS_ALIEN) & ~shielded;
    case T_KEY:
        return draw < DRAWS ? one_night__key_set(g, seat, g->key[draw]) & ~shielded : 0;
    case T_FISTS:
        return draw < DRAWS ? one_night__key_set(g, seat, g->key[draw]) &
                                  ~(spots)one_night__awake_as(g, IS_ALIEN) & ~bit((int)seat)
                            : 0;
    case T_GROUP:
        return one_night__ripple_group(g) & ~shielded;
    case T_PLAYER:
        return bit((int)one_night__oracle_player(g, draw == DRAW_ORACLE ? 0 : 1)) & ~shielded;
    default: // T_WOLVES
        return one_night__of_kind(g, IS_WOLF) & ~bit((int)seat) & ~shielded;
    }
}

spots one_night__other_targets(const struct one_night *g, unsigned seat, unsigned set, unsigned draw) {
    spots seats = (bit(g->seats) - 1) & ~(spots)g->shielded, self = bit((int)seat);
    switch (set) {
    case T_C4:
        return g->n_centre > 3 ? bit(g->seats + 3) : 0;
    case T_NOT_WOLF:
        return seats & ~self & ~known_wolves(g, seat);
    case T_SEEN:
        return bit(last_seen(g, seat));
    case T_HIDDEN: {
        int seen = last_seen(g, seat);
        return seen < 0 || (size_t)seen >= sizeof g->at || g->face[g->at[seen]] ? 0 : bit(seen);
    }
    case T_DOWN:
        return centre_down(g);
    case T_UNDER:
        return (unsigned)__builtin_popcount(g->shielded) < one_night__shield_count(g->roles) ? seats & ~self
                                                                                             : 0;
    case T_BARE:
        return bare(g, seats);
    default:
        return set >= T_MARKS ? marks(g, seat, set) : drawn(g, seat, set, draw);
    }
}
