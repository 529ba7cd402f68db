// What lies where, and what hands show when they do something (elfenland.md 11).
#include "games/elfenland/elfenland.h"

// Values of board's CONTROL_MAP; games see of the daemon game.h alone.
enum { DONE_PIECE = 2, NO_PIECE = 4 };

// ---- the layout

static bool has_pieces(const struct elfenland *g, unsigned town) {
    return g->tagged && g->start_town != NONE && town != g->start_town && elfenland__in_play(g, town);
}

static void lay_towns(const struct elfenland *g, struct game_layout *ret) {
    for (unsigned town = 0; town < TOWNS; town++)
        for (unsigned seat = 0; seat < g->seats; seat++) {
            bool waits = g->phase == PHASE_MOVE && seat == g->turn && g->ahead != NONE;
            if ((waits ? g->ahead : g->boot[seat]) == town)
                game_layout_kind(ret, (game_place)(PLACE_TOWN + town), (game_kind)(KIND_BOOT + seat), 1,
                                 GAME_FACE_ANY);
            if (has_pieces(g, town) && !(g->collected[seat] >> town & 1))
                game_layout_kind(ret, (game_place)(PLACE_TOWN + town), (game_kind)(KIND_PIECE + seat), 1,
                                 GAME_FACE_ANY);
        }
}

// Between planning and planning people clear the roads when it suits them.
static void lay_roads(const struct elfenland *g, struct game_layout *ret) {
    bool settled = g->phase >= PHASE_PLAN && g->phase <= PHASE_FINISH_ROUND;
    for (unsigned road = 0; road < ROADS; road++) {
        game_place place = (game_place)(PLACE_ROAD + road);
        if (!settled) {
            game_layout_free(ret, place);
            continue;
        }
        if (g->on_road[road] != NONE)
            game_layout_slot(ret, place, (game_slot)(SLOT_COUNTER + g->on_road[road]), GAME_FACE_ANY);
        if (g->obstacle_on[road] != NONE)
            game_layout_kind(ret, place, KIND_OBSTACLE, 1, GAME_FACE_ANY);
    }
}

static void lay_market(const struct elfenland *g, struct game_layout *ret) {
    unsigned on[MARKET];
    for (unsigned i = 0; i < MARKET; i++)
        on[i] = NONE;
    for (unsigned c = 0; c < COUNTERS; c++)
        if (g->counter[c] >= COUNTER_MARKET && g->counter[c] < COUNTER_MARKET + MARKET)
            on[g->counter[c] - COUNTER_MARKET] = c;
    for (unsigned i = 0; i < MARKET; i++)
        if (on[i] != NONE)
            game_layout_slot(ret, (game_place)(PLACE_MARKET + i), (game_slot)(SLOT_COUNTER + on[i]),
                             GAME_FACE_ANY);
}

// Pieces of a list that are at `at`; face-down ones only matter while they are dealt.
static void lay_slots(struct game_layout *ret, game_place place, const uint8_t *where, unsigned n,
                      unsigned first, unsigned at, enum game_face face) {
    for (unsigned i = 0; i < n; i++)
        if (where[i] == at)
            game_layout_slot(ret, place, (game_slot)(first + i), face);
}

static void lay_seat(const struct elfenland *g, unsigned seat, struct game_layout *ret) {
    game_place at = elfenland__seat_place(seat, 0);
    if (g->phase == PHASE_DEAL && g->hands != HANDS_COUNTED)
        lay_slots(ret, at + AT_HAND, g->card, CARDS, SLOT_CARD, CARD_DEALT + seat, GAME_FACE_DOWN);
    else
        game_layout_free(ret, at + AT_HAND);
    if (g->phase != PHASE_SETUP)
        game_layout_free(ret, at + AT_HOME);
    else if (g->home[seat] != NONE)
        game_layout_slot(
            ret, at + AT_HOME,
            (game_slot)(elfenland__first_town_slot(g) + elfenland__card_of_town(g->west, g->home[seat])),
            GAME_FACE_DOWN);
    if (!g->laid || g->phase != PHASE_MOVE)
        game_layout_free(ret, at + AT_PAY);
    else if (seat == g->turn)
        lay_slots(ret, at + AT_PAY, g->card, CARDS, SLOT_CARD, CARD_OFFERED, GAME_FACE_ANY);
    lay_slots(ret, at + AT_OPEN, g->counter, COUNTERS, SLOT_COUNTER, COUNTER_UP + seat, GAME_FACE_ANY);
    if (g->phase == PHASE_SECRET_DRAW)
        lay_slots(ret, at + AT_SECRET, g->counter, COUNTERS, SLOT_COUNTER, COUNTER_SECRET + seat,
                  GAME_FACE_DOWN);
    else
        game_layout_free(ret, at + AT_SECRET);
    if (g->obstacle[seat])
        game_layout_kind(ret, at + AT_OBSTACLE, KIND_OBSTACLE, 1, GAME_FACE_ANY);
    if (!g->tagged)
        game_layout_free(ret, at + AT_TROPHIES);
    else if (g->collected[seat])
        game_layout_kind(ret, at + AT_TROPHIES, (game_kind)(KIND_PIECE + seat), elfenland__pieces(g, seat),
                         GAME_FACE_ANY);
    game_layout_free(ret, at + AT_START);
}

void elfenland_layout(const void *state, struct game_layout *ret) {
    const struct elfenland *g = state;
    game_layout_clear(ret);
    if (g->phase == PHASE_GAME_OVER) { // people put things away: that means nothing
        for (unsigned p = 0; p < elfenland__seat_place(g->seats, 0); p++)
            game_layout_free(ret, (game_place)p);
        return;
    }
    lay_towns(g, ret);
    lay_roads(g, ret);
    // Stacks are not read through.
    game_layout_free(ret, PLACE_DECK);
    game_layout_free(ret, PLACE_DISCARD);
    game_layout_free(ret, PLACE_PILE);
    lay_market(g, ret);
    game_layout_free(ret, PLACE_ROUND);
    for (unsigned seat = 0; seat < g->seats; seat++)
        lay_seat(g, seat, ret);
}

// What leaves play for good goes on the discards or into the pile, not into a hand.
game_place elfenland_rest(const void *state, game_slot slot) {
    const struct elfenland *g = state;
    if (slot < CARDS)
        return g->card[slot] == CARD_DISCARD || g->card[slot] == CARD_DROPPED ? PLACE_DISCARD : GAME_NONE;
    if (slot < SLOT_OBSTACLE)
        return g->counter[slot - SLOT_COUNTER] == COUNTER_PILE ? PLACE_PILE : GAME_NONE;
    return GAME_NONE;
}

// ---- proofs: the same phase with the pieces moved, so that a place that becomes free later is still held to
// what the action lays there

static void need(struct game_proof *ret, uint8_t type, game_place place, uint16_t what) {
    ret->needed[ret->n_needed++] = (struct game_visit){type, place, what};
}
// The tile speaks for whoever's turn it is, on the spot of a seat for that seat alone; of a seat that is not
// to act only its own spot tells.
static void need_done(const struct elfenland *g, unsigned by, struct game_proof *ret) {
    game_place spot = elfenland__seat_place(by, AT_PAY);
    if (g->by_token)
        need(ret, GAME_TOUCH, spot, elfenland__number_slot(g, by));
    else
        need(ret, GAME_CONTROL, by == g->turn ? GAME_NONE : spot, DONE_PIECE);
}

// Tables without road pads: the piece is tapped on both ends of its road.
static void need_ends(const struct elfenland *g, unsigned road, uint16_t slot, struct game_proof *ret) {
    if (!g->tapped_roads || road >= LINKS)
        return;
    need(ret, GAME_TOUCH, (game_place)(PLACE_TOWN + elfenland__links[road].a), slot);
    need(ret, GAME_TOUCH, (game_place)(PLACE_TOWN + elfenland__links[road].b), slot);
}

static void proof_draft(struct elfenland *after, unsigned by, struct elfenland_act act) {
    for (unsigned c = 0; c < COUNTERS && act.a < MARKET; c++)
        if (after->counter[c] == COUNTER_MARKET + act.a)
            after->counter[c] = (uint8_t)(COUNTER_UP + by);
}

static void proof_pay(struct elfenland *after, unsigned by, struct elfenland_act act,
                      struct game_proof *ret) {
    if (!after->laid)
        need(ret, GAME_TOUCH, elfenland__seat_place(by, AT_PAY), (uint16_t)(SLOT_CARD + act.a));
    else if (act.a < CARDS)
        after->card[act.a] = act.verb == VERB_PAY ? CARD_OFFERED : (uint8_t)(CARD_HAND + by);
}

static void proof_give(struct elfenland *after, unsigned by, struct elfenland_act act,
                       struct game_proof *ret) {
    uint8_t *counter = &after->counter[act.a];
    bool secret = *counter == COUNTER_SECRET + by || *counter == COUNTER_GIVEN_SECRET;
    if (act.verb == VERB_GIVE_BACK || secret)
        need(ret, GAME_TOUCH, PLACE_PILE, (uint16_t)(SLOT_COUNTER + act.a));
    if (act.verb == VERB_GIVE_BACK)
        *counter = secret ? COUNTER_GIVEN_SECRET : COUNTER_GIVEN_UP;
    else
        *counter = (uint8_t)((secret ? COUNTER_SECRET : COUNTER_UP) + by);
}

static void proof_withdraw(struct elfenland *after, unsigned by, struct game_proof *ret) {
    after->ahead = NONE;
    for (unsigned card = 0; card < CARDS; card++)
        if (after->card[card] == CARD_OFFERED)
            after->card[card] = (uint8_t)(CARD_HAND + by);
    need(ret, GAME_CONTROL, GAME_NONE, NO_PIECE);
}

// Chance and hands of nobody.
static void prove_table(struct elfenland *after, struct elfenland_act act, struct game_proof *ret) {
    switch (act.verb) {
    case VERB_START_TOWN:
        for (unsigned seat = 0; seat < after->seats; seat++)
            after->boot[seat] = (uint8_t)act.a;
        break;
    case VERB_TOWN_CARD:
        after->home[act.a] = (uint8_t)elfenland__town_of_card(after->west, act.b);
        break;
    case VERB_REFILL:
        after->counter[act.b] = (uint8_t)(COUNTER_MARKET + act.a);
        break;
    case VERB_DEAL:
        after->card[act.b] = (uint8_t)(CARD_DEALT + act.a);
        break;
    case VERB_DRAW_SECRET:
        after->counter[act.b] = (uint8_t)(COUNTER_SECRET + act.a);
        break;
    case VERB_TURN_UP:
    case VERB_TAKE:
        after->counter[act.a] = (uint8_t)(COUNTER_UP + after->turn);
        break;
    case VERB_FIRST:
        need(ret, GAME_TOUCH, elfenland__seat_place(act.a, AT_START), elfenland__start_slot(after));
        break;
    }
}

static void prove_seat(struct elfenland *after, unsigned by, struct elfenland_act act,
                       struct game_proof *ret) {
    switch (act.verb) {
    case VERB_DRAFT:
        proof_draft(after, by, act);
        break;
    case VERB_PLACE_COUNTER:
        after->counter[act.a] = COUNTER_ROAD;
        if (act.b < ROADS)
            after->on_road[act.b] = (uint8_t)act.a;
        need_ends(after, act.b, (uint16_t)(SLOT_COUNTER + act.a), ret);
        break;
    case VERB_PLACE_OBSTACLE:
        after->obstacle[by] = 0;
        if (act.a < ROADS)
            after->obstacle_on[act.a] = (uint8_t)by;
        need_ends(after, act.a, GAME_NONE, ret);
        break;
    case VERB_PASS:
    case VERB_END_TURN:
    case VERB_KEEP:
        need_done(after, by, ret);
        break;
    case VERB_PAY:
    case VERB_TAKE_BACK:
        proof_pay(after, by, act, ret);
        break;
    case VERB_BOOT_AHEAD:
    case VERB_TRAVEL: // of a step out of turn: that boot would lie there
        if (by == after->turn)
            after->ahead = act.a == after->boot[by] ? NONE : (uint8_t)act.a;
        else
            after->boot[by] = (uint8_t)act.a;
        break;
    case VERB_WITHDRAW:
        proof_withdraw(after, by, ret);
        break;
    case VERB_DROP:
    case VERB_PICK_UP: {
        bool from_pad = act.verb == VERB_PICK_UP && after->laid;
        need(ret, GAME_TOUCH, from_pad ? elfenland__seat_place(by, AT_PAY) : PLACE_DISCARD,
             (uint16_t)(SLOT_CARD + act.a));
        break;
    }
    case VERB_GIVE_BACK:
    case VERB_RECLAIM:
        proof_give(after, by, act, ret);
        break;
    }
}

void elfenland_proof(const void *state, int by, game_action action, struct game_proof *ret) {
    struct elfenland after = *elfenland__state(state);
    struct elfenland_act act = elfenland__unpack(action);
    ret->n_needed = ret->n_allowed = 0;
    if (by < 0)
        prove_table(&after, act, ret);
    else
        prove_seat(&after, (unsigned)by, act, ret);
    elfenland_layout(&after, &ret->layout);
}
