// The reveal: identities in their order, what their action tokens do, and the points (section 8).
#include "games/alien_hunt/alien_hunt.h"

// The token that this owner laid first, second or third. After moves people still tell it by its history.
int alien_hunt__named(const struct alien_hunt *g, unsigned owner, unsigned order) {
    for (unsigned i = 0; i < TOKENS_EACH && order > 0; i++)
        if (g->order[owner * TOKENS_EACH + i] == order)
            return (int)(owner * TOKENS_EACH + i);
    return -1;
}

bool alien_hunt__needs_to(const struct alien_hunt *g, unsigned seat) {
    return alien_hunt__identities[alien_hunt__of(g, seat)].act == ACT_MOVE_FROM;
}

// to is NO_SEAT but for the one identity that chooses.
bool alien_hunt__may_pick(const struct alien_hunt *g, unsigned acting, unsigned pick, unsigned to) {
    unsigned self = alien_hunt__token_owner(acting), owner = alien_hunt__token_owner(pick);
    unsigned target = g->at[acting], at = g->at[pick];
    unsigned act = alien_hunt__identities[alien_hunt__of(g, self)].act;
    if (pick == acting || at >= SEATS_MOST || (to != NO_SEAT) != (act == ACT_MOVE_FROM))
        return false;
    switch (act) {
    case ACT_REMOVE:
        return owner == target;
    case ACT_MOVE_FROM:
        return at == target && to < g->seats && to != target && to != owner;
    case ACT_MOVE_TO:
        return at != target && owner != target;
    case ACT_TAKE:
        return at == target && owner != self;
    case ACT_SEND:
        return at == self && owner != target;
    default:
        return false;
    }
}

void alien_hunt__carry_out(struct alien_hunt *g, unsigned acting, unsigned pick, unsigned to) {
    unsigned self = alien_hunt__token_owner(acting), target = g->at[acting];
    switch (alien_hunt__identities[alien_hunt__of(g, self)].act) {
    case ACT_REMOVE:
        g->at[pick] = AT_REMOVED;
        break;
    case ACT_MOVE_FROM:
        g->at[pick] = (uint8_t)to;
        break;
    case ACT_MOVE_TO:
    case ACT_SEND:
        g->at[pick] = (uint8_t)target;
        break;
    case ACT_TAKE:
        g->at[pick] = (uint8_t)self;
        break;
    default:
        break;
    }
}

static bool has_pick(const struct alien_hunt *g, unsigned acting) {
    unsigned self = alien_hunt__token_owner(acting);
    bool chooses = alien_hunt__needs_to(g, self);
    for (unsigned pick = 0; pick < g->seats * TOKENS_EACH; pick++)
        for (unsigned to = 0; to < (chooses ? g->seats : 1u); to++)
            if (alien_hunt__may_pick(g, acting, pick, chooses ? to : NO_SEAT))
                return true;
    return false;
}

// Points by the true identity of T, told with the scores.
static void add_points(struct alien_hunt *g, unsigned acting) {
    unsigned self = alien_hunt__token_owner(acting), target = g->at[acting];
    const struct identity_row *row = &alien_hunt__identities[alien_hunt__of(g, self)];
    bool wins = alien_hunt__is_alien(alien_hunt__of(g, target)) == (row->wins_from_alien != 0);
    g->delta[self] = (int8_t)(g->delta[self] + (wins ? 1 : -1));
    g->touched |= (uint8_t)(1u << self);
    if (wins && row->costs_target) {
        g->delta[target]--;
        g->touched |= (uint8_t)(1u << target);
    }
}

// ---- points of the round

static int observation_points(const struct alien_hunt *g, unsigned seat) {
    unsigned token = seat * TOKENS_EACH;
    if (!alien_hunt__lies(g, token))
        return 0;
    unsigned on = alien_hunt__of(g, g->at[token]);
    const struct identity_row *row = &alien_hunt__identities[alien_hunt__of(g, seat)];
    return on == MAN_IN_BLACK ? row->on_black : alien_hunt__is_alien(on) ? row->on_alien : row->on_other;
}

static int extra_points(const struct alien_hunt *g, unsigned seat) {
    unsigned all = 0, observations = 0;
    for (unsigned token = 0; token < g->seats * TOKENS_EACH; token++) {
        all += g->at[token] == seat;
        observations += g->at[token] == seat && alien_hunt__is_observation(token);
    }
    unsigned identity = alien_hunt__of(g, seat);
    return identity == MYTHOMANIAC ? (int)all : identity == ALIEN_INVADER && observations == 0 ? 3 : 0;
}

static void score(struct alien_hunt *g, struct game_notes *notes) {
    for (unsigned seat = 0; seat < g->seats; seat++) {
        g->round_points[seat] =
            (int8_t)(observation_points(g, seat) + extra_points(g, seat) + g->delta[seat]);
        g->points[seat] = (int16_t)(g->points[seat] + g->round_points[seat]);
    }
    g->turn = NONE;
    bool last = g->round >= g->rounds;
    g->phase = last ? PHASE_GAME_OVER : PHASE_SCORED;
    game_note(notes, GAME_NOTE_SAY, last ? LINE_OVER : LINE_SCORED, 0, 0, 0, 0);
}

// ---- one after the other

// The next identity in the order of the reveal, equal ones clockwise from the President.
static unsigned next_seat(const struct alien_hunt *g) {
    unsigned best = NONE;
    for (unsigned i = 0; i < g->seats; i++) {
        unsigned seat = alien_hunt__clockwise(g, g->president, i);
        if (!(g->revealed >> seat & 1) && (best == NONE || alien_hunt__of(g, seat) < alien_hunt__of(g, best)))
            best = seat;
    }
    return best;
}

static void turn_up(struct alien_hunt *g, unsigned seat, struct game_notes *notes) {
    unsigned identity = alien_hunt__of(g, seat);
    g->turn = (uint8_t)seat;
    g->revealed |= (uint8_t)(1u << seat);
    game_note(notes, GAME_NOTE_SAY, LINE_REVEAL, (int)seat, (int)(KIND_IDENTITY + identity), 0, 0);
    for (unsigned token = seat * TOKENS_EACH + 1; token < (seat + 1) * TOKENS_EACH; token++) {
        if (!alien_hunt__lies(g, token))
            continue;
        if (alien_hunt__identities[identity].act != ACT_POINTS)
            g->pending |= 1u << token;
        else if (identity != ALIEN_EXPLORER || g->explorer_acts)
            add_points(g, token);
    }
}

// True while one of the pending tokens has something to do; else they fizzle.
static bool waits(struct alien_hunt *g) {
    for (uint32_t left = g->pending; left; left &= left - 1)
        if (has_pick(g, (unsigned)__builtin_ctz(left)))
            return true;
    g->pending = 0;
    return false;
}

static void go_on(struct alien_hunt *g, struct game_notes *notes) {
    while (!waits(g)) {
        unsigned seat = next_seat(g);
        if (seat == NONE) {
            score(g, notes);
            return;
        }
        turn_up(g, seat, notes);
    }
    game_note(notes, GAME_NOTE_SAY, LINE_ACT, g->turn, 0, 0, 0);
}

void alien_hunt__reveal(struct alien_hunt *g, struct game_notes *notes) {
    g->phase = PHASE_REVEAL;
    g->turn = NONE;
    __builtin_memset(g->look, 0, sizeof g->look);
    go_on(g, notes);
}

// With both tokens on one seat they are equal. Hands that name none spend the lower one (see its proof).
void alien_hunt__resolve(struct alien_hunt *g, const struct alien_hunt_action *act,
                         struct game_notes *notes) {
    unsigned pick = (unsigned)alien_hunt__named(g, act->owner, act->order);
    alien_hunt__carry_out(g, act->token, pick, act->to);
    g->pending &= ~(1u << act->token);
    go_on(g, notes);
}
