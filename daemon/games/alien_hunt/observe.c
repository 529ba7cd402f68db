// What each audience may know. An allowlist: places for all, kinds for those who have seen them (section 6).
#include "games/alien_hunt/alien_hunt.h"
#include <stdio.h>
#include <string.h>

static const char *identity_id(unsigned identity) {
    return alien_hunt__kinds[KIND_IDENTITY + identity].id;
}
static const char *token_id(unsigned token) {
    unsigned kind = KIND_TOKEN + 2 * alien_hunt__token_owner(token) + !alien_hunt__is_observation(token);
    return alien_hunt__kinds[kind].id;
}

static bool is_open(const struct alien_hunt *g, unsigned seat) {
    return g->revealed >> seat & 1;
}
static bool knows_token(const struct alien_hunt *g, int me, unsigned token) {
    unsigned owner = alien_hunt__token_owner(token);
    if (is_open(g, owner))
        return true;
    if (me < 0 || me >= g->seats)
        return false;
    return (unsigned)me == owner || (g->character[me] == SPY && g->at[token] == me) ||
           g->peeked[me] >> token & 1;
}

// ---- items

static void add_item(struct observation *ret, game_place place, const char *kind, unsigned n, unsigned face) {
    if (n > 0)
        ret->item[ret->n_items++] =
            (struct observe_item){.place = place, .kind = kind, .n = (uint8_t)n, .face = (uint8_t)face};
}

// Those whose kind is known one by one, the others as a number.
static void add_tokens(const struct alien_hunt *g, unsigned where, game_place place, unsigned from,
                       unsigned end, struct observation *ret) {
    unsigned hidden = 0;
    for (unsigned token = from; token < end; token++) {
        if (g->at[token] != where)
            continue;
        if (knows_token(g, ret->audience, token))
            add_item(ret, place, token_id(token), 1,
                     is_open(g, alien_hunt__token_owner(token)) ? OBSERVE_FACE_UP : OBSERVE_FACE_DOWN);
        else
            hidden++;
    }
    add_item(ret, place, NULL, hidden, OBSERVE_FACE_DOWN);
}

static void add_seat(const struct alien_hunt *g, unsigned seat, struct observation *ret) {
    unsigned own = seat * TOKENS_EACH;
    if (g->character[seat] != NONE)
        add_item(ret, alien_hunt__place(seat, PLACE_CHARACTER), alien_hunt__kinds[g->character[seat]].id, 1,
                 OBSERVE_FACE_UP);
    if (g->card[seat] != NONE)
        add_item(ret, alien_hunt__place(seat, PLACE_IDENTITY),
                 is_open(g, seat) || ret->audience == (int)seat ? identity_id(alien_hunt__of(g, seat)) : NULL,
                 1, is_open(g, seat) ? OBSERVE_FACE_UP : OBSERVE_FACE_DOWN);
    add_tokens(g, AT_RESERVE, alien_hunt__place(seat, PLACE_RESERVE), own, own + TOKENS_EACH, ret);
    add_tokens(g, seat, alien_hunt__place(seat, PLACE_RECEIVED), 0, g->seats * TOKENS_EACH, ret);
}

static void add_centre(const struct alien_hunt *g, struct observation *ret) {
    unsigned in_deck = g->n_identities;
    for (unsigned seat = 0; seat < g->seats; seat++)
        in_deck -= g->card[seat] != NONE;
    for (unsigned i = 0; i < CENTRE_CARDS; i++) {
        add_item(ret, alien_hunt__centre(g, CENTRE_UNDEALT + i), NULL, g->centre[i] != NONE,
                 OBSERVE_FACE_DOWN);
        in_deck -= g->centre[i] != NONE;
    }
    for (unsigned card = 0; card < g->n_identities; card++) {
        bool discarded = g->discarded >> card & 1;
        add_item(ret, alien_hunt__centre(g, CENTRE_DISCARDED), identity_id(g->identity[card]), discarded,
                 OBSERVE_FACE_UP);
        in_deck -= discarded;
    }
    add_tokens(g, AT_REMOVED, alien_hunt__centre(g, CENTRE_REMOVED), 0, g->seats * TOKENS_EACH, ret);
    add_item(ret, alien_hunt__centre(g, CENTRE_POOL), NULL, (unsigned)__builtin_popcount(g->pool),
             OBSERVE_FACE_DOWN);
    add_item(ret, alien_hunt__centre(g, CENTRE_DECK), NULL, in_deck, OBSERVE_FACE_DOWN);
}

// ---- facts and counters

static void add_fact(struct observation *ret, const char *key, int seat, const char *place, const char *kind,
                     int value) {
    ret->fact[ret->n_facts++] =
        (struct observe_fact){.key = key, .seat = (int8_t)seat, .place = place, .kind = kind, .value = value};
}
static void add_counter(struct observation *ret, const char *name, int seat, int value) {
    ret->counter[ret->n_counters++] =
        (struct observe_counter){.name = name, .seat = (int8_t)seat, .value = value};
}

// Whose token lies where: everybody has seen it laid. In the order of laying, or the letters would show.
static void add_owners(const struct alien_hunt *g, struct observation *ret) {
    for (unsigned seat = 0; seat < g->seats; seat++)
        for (unsigned order = 1; order <= TOKENS_EACH; order++) {
            int token = alien_hunt__named(g, seat, order);
            if (token < 0)
                continue;
            const char *place = g->at[token] == AT_REMOVED
                                    ? alien_hunt__centre_name(CENTRE_REMOVED)
                                    : alien_hunt__place_name(g->at[token], PLACE_RECEIVED);
            bool known = knows_token(g, ret->audience, (unsigned)token);
            add_fact(ret, "token", (int)seat, place, known ? token_id((unsigned)token) : NULL, (int)order);
        }
}

static void add_orders(const struct alien_hunt *g, struct observation *ret) {
    if (g->president != NONE)
        add_fact(ret, "president", g->president, NULL, NULL, 0);
    for (unsigned general = 0; general < g->seats; general++)
        for (unsigned seat = 0; seat < g->seats; seat++)
            if (g->ban[general] >> seat & 1)
                add_fact(ret, "ban", (int)seat, alien_hunt__place_name(general, PLACE_RECEIVED), NULL, 0);
    if (g->forced != NONE)
        add_fact(ret, "forced", g->forced, alien_hunt__place_name(g->forced_to, PLACE_RECEIVED), NULL, 0);
    if (g->drawing != NONE)
        add_fact(ret, "draws", g->drawing, alien_hunt__centre_name(CENTRE_POOL), NULL, 0);
    // Acting tokens are face up when they act.
    for (uint32_t left = g->pending; left; left &= left - 1) {
        unsigned token = (unsigned)__builtin_ctz(left);
        add_fact(ret, token % TOKENS_EACH == 1 ? "pending_b" : "pending_c", g->turn,
                 alien_hunt__place_name(g->at[token], PLACE_RECEIVED), token_id(token), g->order[token]);
    }
}

// What this seat alone has learnt.
static void add_private(const struct alien_hunt *g, unsigned me, struct observation *ret) {
    static const char *const answers[QUESTIONS] = {"answer_is_alien", "answer_is_identity", "answer_obs_on"};
    for (unsigned i = 0; i < SEATS_MOST + CENTRE_CARDS; i++)
        if (g->saw[me][i])
            add_fact(ret, "saw", i < SEATS_MOST ? (int)i : -1,
                     i < SEATS_MOST ? alien_hunt__place_name(i, PLACE_IDENTITY)
                                    : alien_hunt__centre_name((enum centre_row)(i - SEATS_MOST)),
                     identity_id(g->saw[me][i] - 1u), 0);
    for (unsigned seat = 0; seat < g->seats; seat++)
        if (g->shown[me] >> seat & 1)
            add_fact(ret, "shown_to", (int)seat, NULL, NULL, 0);
    const struct alien_hunt_asked *asked = &g->asked[me];
    if (asked->question == IS_IDENTITY + 1)
        add_fact(ret, answers[IS_IDENTITY], asked->target, NULL, identity_id(asked->about), asked->answer);
    else if (asked->question == OBS_ON + 1)
        add_fact(ret, answers[OBS_ON], asked->target, alien_hunt__place_name(asked->about, PLACE_RECEIVED),
                 NULL, asked->answer);
    else if (asked->question)
        add_fact(ret, answers[IS_ALIEN], asked->target, NULL, NULL, asked->answer);
}

static void add_counters(const struct alien_hunt *g, struct observation *ret) {
    bool scored = g->phase == PHASE_SCORED || g->phase == PHASE_GAME_OVER;
    add_counter(ret, "rounds", -1, g->rounds);
    if (g->three_step)
        add_counter(ret, "lap", -1, g->lap);
    for (unsigned seat = 0; seat < g->seats; seat++) {
        add_counter(ret, "points", (int)seat, g->points[seat]);
        add_counter(ret, "used", (int)seat, g->used >> seat & 1);
        if (g->shielded >> seat & 1)
            add_counter(ret, "shielded", (int)seat, 1);
        if (scored)
            add_counter(ret, "round_points", (int)seat, g->round_points[seat]);
        if (scored && g->touched >> seat & 1)
            add_counter(ret, "delta", (int)seat, g->delta[seat]);
    }
}

// ---- all of it

void alien_hunt_result(const void *state, struct observe_result *ret) {
    const struct alien_hunt *g = alien_hunt__state(state);
    memset(ret, 0, sizeof *ret);
    ret->over = g->phase == PHASE_GAME_OVER;
    if (!ret->over)
        return;
    int best = g->points[0];
    for (unsigned seat = 1; seat < g->seats; seat++)
        best = g->points[seat] > best ? g->points[seat] : best;
    for (unsigned seat = 0; seat < g->seats; seat++) {
        ret->score[seat] = g->points[seat];
        ret->winners |= (uint16_t)((g->points[seat] == best) << seat);
        snprintf(ret->seats[seat].role, sizeof ret->seats[seat].role, "%s",
                 identity_id(alien_hunt__of(g, seat)));
    }
    snprintf(ret->reason, sizeof ret->reason, "the highest total wins");
}

void alien_hunt_observe(const void *state, struct observation *ret) {
    const struct alien_hunt *g = alien_hunt__state(state);
    alien_hunt_result(state, &ret->result);
    for (unsigned seat = 0; seat < g->seats; seat++) {
        ret->seat[seat].alive = true;
        add_seat(g, seat, ret);
    }
    add_centre(g, ret);
    add_counters(g, ret);
    add_orders(g, ret);
    add_owners(g, ret);
    if (ret->audience >= 0 && ret->audience < g->seats)
        add_private(g, (unsigned)ret->audience, ret);
}
