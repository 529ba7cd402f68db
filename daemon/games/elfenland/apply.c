// What an action does.
#include "games/elfenland/elfenland.h"

typedef void apply_fn(struct elfenland *g, struct elfenland_act act, struct game_notes *notes);

// ---- chance, and hands of nobody

static void apply_start_town(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->start_town = (uint8_t)act.a;
    for (unsigned seat = 0; seat < g->seats; seat++)
        g->boot[seat] = g->start_town;
    elfenland__after_setup(g, notes);
}
static void apply_town_card(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->home[act.a] = (uint8_t)elfenland__town_of_card(g->west, act.b);
    elfenland__after_setup(g, notes);
}
static void apply_refill(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->counter[act.b] = (uint8_t)(COUNTER_MARKET + act.a);
    if (g->phase == PHASE_SETUP)
        elfenland__after_setup(g, notes);
}
// Draw pile and discards are joined before the first card is dealt.
static void join_discards(struct elfenland *g) {
    for (unsigned card = 0; card < CARDS; card++)
        if (g->card[card] == CARD_DISCARD)
            g->card[card] = CARD_DECK;
}
static void apply_deal(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    join_discards(g);
    g->card[act.b] = (uint8_t)(CARD_DEALT + act.a);
    g->hand[act.a]++;
    g->dealt[act.a]++;
    elfenland__after_deal(g, notes);
}
static void apply_dealt(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)act;
    join_discards(g);
    for (unsigned seat = 0; seat < g->seats; seat++) {
        uint8_t n = (uint8_t)(elfenland__deal_target(g, seat) - g->dealt[seat]);
        g->hand[seat] = (uint8_t)(g->hand[seat] + n);
        g->dealt[seat] = (uint8_t)(g->dealt[seat] + n);
    }
    elfenland__after_deal(g, notes);
}
static void apply_draw_secret(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->counter[act.b] = (uint8_t)(COUNTER_SECRET + act.a);
    elfenland__after_secret(g, notes);
}
static void apply_turn_up(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->blind = 0;
    g->counter[act.a] = (uint8_t)(COUNTER_UP + g->turn);
    elfenland__after_draft(g, notes);
}
static void apply_first(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)notes;
    g->start = g->turn = (uint8_t)act.a;
}

// ---- seats

static void apply_draft(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    if (act.a == MARKET) {
        g->blind = 1;
        return;
    }
    for (unsigned c = 0; c < COUNTERS; c++)
        if (g->counter[c] == COUNTER_MARKET + act.a)
            g->counter[c] = (uint8_t)(COUNTER_UP + g->turn);
    elfenland__after_draft(g, notes);
}
static void apply_place(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->counter[act.a] = COUNTER_ROAD;
    g->on_road[act.b] = (uint8_t)act.a;
    elfenland__after_plan(g, true, notes);
}
static void apply_obstacle(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->obstacle[g->turn] = 0;
    g->obstacle_on[act.a] = g->turn;
    elfenland__after_plan(g, true, notes);
}
static void apply_pass(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)act;
    elfenland__after_plan(g, false, notes);
}

static void travel(struct elfenland *g, unsigned to, unsigned link, unsigned mode, struct game_notes *notes) {
    uint8_t cards[TYPES];
    unsigned n = 0;
    elfenland__offered(g, cards);
    for (unsigned card = 0; card < CARDS; card++) {
        if (g->card[card] != CARD_OFFERED)
            continue;
        g->card[card] = CARD_DISCARD;
        n++;
    }
    if (mode == MODE_CARAVAN) {
        unsigned type = elfenland__counter_type(g->on_road[link]), price = elfenland__normal_price(g, link);
        if (cards[type] == n && n > price)
            game_note(notes, GAME_NOTE_SAY, LINE_wasteful, g->turn, (int)price, 0, 0);
    }
    if (g->laid)
        game_note(notes, GAME_NOTE_SAY, LINE_lay_away, g->turn, 0, 0, 0);
    g->boot[g->turn] = (uint8_t)to;
    g->ahead = NONE;
    g->last_seat = g->turn;
    g->last_link = (uint8_t)link;
    g->last_mode = (uint8_t)mode;
    g->last_piece = NONE;
    if (to == g->start_town || g->collected[g->turn] >> to & 1)
        return;
    g->collected[g->turn] |= UINT32_C(1) << to;
    g->last_piece = (uint8_t)to;
    game_note(notes, GAME_NOTE_SAY, LINE_piece, g->turn, (int)elfenland__pieces(g, g->turn), 0, 0);
}
// Whichever comes last, boot or card, makes the step.
static void travel_if_paid(struct elfenland *g, unsigned to, struct game_notes *notes) {
    uint8_t cards[TYPES];
    unsigned mode;
    if (to == NONE)
        return;
    elfenland__offered(g, cards);
    unsigned link = elfenland__resolve(g, g->boot[g->turn], to, cards, &mode, NULL);
    if (link != NONE)
        travel(g, to, link, mode, notes);
}
static void apply_pay(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    g->card[act.a] = CARD_OFFERED;
    g->hand[g->turn]--;
    travel_if_paid(g, g->ahead, notes);
}
static void to_hand(struct elfenland *g, unsigned card) {
    g->card[card] = g->hands == HANDS_COUNTED ? CARD_DECK : (uint8_t)(CARD_HAND + g->turn);
    g->hand[g->turn]++;
}
static void apply_take_back(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    to_hand(g, act.a);
    travel_if_paid(g, g->ahead, notes);
}
static void apply_boot_ahead(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    bool home = act.a == g->boot[g->turn];
    g->ahead = home ? NONE : (uint8_t)act.a;
    if (!home)
        game_note(notes, GAME_NOTE_SAY, LINE_waits, g->turn, 0, 0, 0);
}
static void apply_travel(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    travel_if_paid(g, act.a, notes);
}
static void apply_withdraw(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)act, (void)notes;
    g->ahead = NONE;
    for (unsigned card = 0; card < CARDS; card++)
        if (g->card[card] == CARD_OFFERED)
            to_hand(g, card);
}
static void apply_end_turn(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)act;
    elfenland__after_move(g, notes);
}

static void apply_drop(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)notes;
    g->card[act.a] = CARD_DROPPED;
    g->hand[g->turn]--;
}
static void apply_pick_up(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)notes;
    to_hand(g, act.a);
}
static void apply_give_back(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)notes;
    bool up = g->counter[act.a] == COUNTER_UP + g->turn;
    g->counter[act.a] = up ? COUNTER_GIVEN_UP : COUNTER_GIVEN_SECRET;
}
static void apply_reclaim(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)notes;
    bool up = g->counter[act.a] == COUNTER_GIVEN_UP;
    g->counter[act.a] = (uint8_t)((up ? COUNTER_UP : COUNTER_SECRET) + g->turn);
}
static void apply_keep(struct elfenland *g, struct elfenland_act act, struct game_notes *notes) {
    (void)act;
    elfenland__after_keep(g, notes);
}

static apply_fn *const rows[VERBS] = {
    [VERB_START_TOWN] = apply_start_town,
    [VERB_TOWN_CARD] = apply_town_card,
    [VERB_REFILL] = apply_refill,
    [VERB_DEAL] = apply_deal,
    [VERB_DEALT] = apply_dealt,
    [VERB_DRAW_SECRET] = apply_draw_secret,
    [VERB_TURN_UP] = apply_turn_up,
    [VERB_FIRST] = apply_first,
    [VERB_TAKE] = apply_turn_up,
    [VERB_DRAFT] = apply_draft,
    [VERB_PLACE_COUNTER] = apply_place,
    [VERB_PLACE_OBSTACLE] = apply_obstacle,
    [VERB_PASS] = apply_pass,
    [VERB_PAY] = apply_pay,
    [VERB_TAKE_BACK] = apply_take_back,
    [VERB_BOOT_AHEAD] = apply_boot_ahead,
    [VERB_TRAVEL] = apply_travel,
    [VERB_WITHDRAW] = apply_withdraw,
    [VERB_END_TURN] = apply_end_turn,
    [VERB_DROP] = apply_drop,
    [VERB_PICK_UP] = apply_pick_up,
    [VERB_GIVE_BACK] = apply_give_back,
    [VERB_RECLAIM] = apply_reclaim,
    [VERB_KEEP] = apply_keep,
};

enum error_code elfenland_apply(void *state, int by, game_action action, struct game_notes *notes,
                                struct error *err) {
    enum error_code code = elfenland__check(state, by, action, err);
    if (code == ERROR_OK)
        rows[action >> 24](state, elfenland__unpack(action), notes);
    return code;
}
