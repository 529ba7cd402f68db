// Whether an action may be done, and the rule that forbids it: checks in the order of elfenland.md 7. `legal`
// offers candidates to this and `apply` asks it first, so the two cannot disagree.
#include "games/elfenland/elfenland.h"

unsigned elfenland__n_secret(const struct elfenland *g, unsigned seat) {
    unsigned n = 0;
    for (unsigned i = 0; i < COUNTERS; i++)
        n += g->counter[i] == COUNTER_SECRET + seat;
    return n;
}
unsigned elfenland__n_counters(const struct elfenland *g, unsigned seat) {
    unsigned n = elfenland__n_secret(g, seat);
    for (unsigned i = 0; i < COUNTERS; i++)
        n += g->counter[i] == COUNTER_UP + seat;
    return n;
}
static bool holds_card(const struct elfenland *g, unsigned seat, unsigned card) {
    if (card >= CARDS)
        return false;
    if (g->hands == HANDS_COUNTED)
        return g->card[card] == CARD_DECK && g->hand[seat] > 0;
    return g->card[card] == CARD_HAND + seat;
}

typedef enum error_code check_fn(const struct elfenland *g, struct elfenland_act act, struct error *err);

static enum error_code wrong_phase(struct error *err) {
    return error_illegal(err, "wrong_phase", "this is not possible in this phase");
}

// ---- chance, and hands of nobody

static enum error_code check_start_town(const struct elfenland *g, struct elfenland_act act,
                                        struct error *err) {
    if (!g->west || g->start_town != NONE)
        return wrong_phase(err);
    if (elfenland__card_of_town(true, act.a) == NONE)
        return error_illegal(err, "no_such_town", "boots start on a western town that has a card");
    return ERROR_OK;
}

static enum error_code check_town_card(const struct elfenland *g, struct elfenland_act act,
                                       struct error *err) {
    unsigned town = elfenland__town_of_card(g->west, act.b);
    if (!g->hometown || g->start_town == NONE || act.a >= g->seats || g->home[act.a] != NONE)
        return wrong_phase(err);
    bool taken = town == NONE || town == g->start_town;
    for (unsigned seat = 0; seat < g->seats; seat++)
        taken |= g->home[seat] == town;
    return taken ? error_illegal(err, "not_there", "this town card cannot be dealt") : ERROR_OK;
}

static bool is_full(const struct elfenland *g, unsigned i) {
    for (unsigned c = 0; c < COUNTERS; c++)
        if (g->counter[c] == COUNTER_MARKET + i)
            return true;
    return false;
}
static enum error_code from_pile(const struct elfenland *g, unsigned counter, struct error *err) {
    if (counter < COUNTERS && g->counter[counter] == COUNTER_PILE)
        return ERROR_OK;
    return error_illegal(err, "not_there", "this counter is not in the pile");
}
static enum error_code check_refill(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    if (act.a >= MARKET || is_full(g, act.a))
        return error_illegal(err, "no_such_slot", "this place of the market needs no counter");
    return from_pile(g, act.b, err);
}

static enum error_code check_deal(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    if (g->hands == HANDS_COUNTED || act.a >= g->seats || g->dealt[act.a] >= elfenland__deal_target(g, act.a))
        return wrong_phase(err);
    bool there = act.b < CARDS && (g->card[act.b] == CARD_DECK || g->card[act.b] == CARD_DISCARD);
    return there ? ERROR_OK : error_illegal(err, "not_there", "this card is not in the deck");
}
static enum error_code check_dealt(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    (void)act;
    return g->hands == HANDS_COUNTED ? ERROR_OK : wrong_phase(err);
}
static enum error_code check_draw_secret(const struct elfenland *g, struct elfenland_act act,
                                         struct error *err) {
    if (act.a != g->turn)
        return error_illegal(err, "not_your_turn", "another player draws now");
    return from_pile(g, act.b, err);
}
static enum error_code check_turn_up(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    return g->blind ? from_pile(g, act.a, err) : wrong_phase(err);
}
static enum error_code check_take(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    return g->blind ? wrong_phase(err) : from_pile(g, act.a, err);
}
static enum error_code check_first(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    bool begun = g->round > 1;
    for (unsigned seat = 0; seat < g->seats; seat++)
        begun |= elfenland__n_secret(g, seat) > 0;
    if (begun || act.a >= g->seats || act.a == g->start)
        return wrong_phase(err);
    return ERROR_OK;
}

// ---- seats

static enum error_code check_draft(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    if (g->blind)
        return wrong_phase(err);
    if (act.a > MARKET || (act.a < MARKET && !is_full(g, act.a)))
        return error_illegal(err, "no_such_slot", "there is no counter to take");
    return ERROR_OK;
}

static enum error_code check_place(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    if (!elfenland__is_road(g, act.b))
        return error_illegal(err, "not_a_road", "counters are laid on roads only");
    if (act.a >= COUNTERS ||
        (g->counter[act.a] != COUNTER_UP + g->turn && g->counter[act.a] != COUNTER_SECRET + g->turn))
        return error_illegal(err, "not_owned", "this counter is not yours to lay");
    if (g->on_road[act.b] != NONE)
        return error_illegal(err, "road_occupied", "there is a counter on this road already");
    if (!elfenland__cost[elfenland__counter_type(act.a)][elfenland__links[act.b].terrain])
        return error_illegal(err, "wrong_terrain", "this counter cannot be laid on such a road");
    return ERROR_OK;
}

static enum error_code check_obstacle(const struct elfenland *g, struct elfenland_act act,
                                      struct error *err) {
    if (!elfenland__is_road(g, act.a))
        return error_illegal(err, "not_a_road", "obstacles are laid on roads only");
    if (!g->obstacle[g->turn])
        return error_illegal(err, "obstacle_spent", "there is one obstacle for the whole game");
    if (g->on_road[act.a] == NONE)
        return error_illegal(err, "no_counter", "an obstacle is laid on a counter");
    if (g->obstacle_on[act.a] != NONE)
        return error_illegal(err, "obstacle_present", "there is an obstacle on this road already");
    return ERROR_OK;
}

static enum error_code check_nothing(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    (void)g, (void)act, (void)err;
    return ERROR_OK;
}

static enum error_code not_in_hand(struct error *err) {
    return error_illegal(err, "not_in_hand", "this card is not from your hand");
}
static enum error_code check_pay(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    if (!holds_card(g, g->turn, act.a))
        return not_in_hand(err);
    if (elfenland__n_offered(g) >= OFFERED_MAX)
        return error_illegal(err, "wrong_payment", "no step costs more than four cards");
    return ERROR_OK;
}
static enum error_code check_take_back(const struct elfenland *g, struct elfenland_act act,
                                       struct error *err) {
    return act.a < CARDS && g->card[act.a] == CARD_OFFERED ? ERROR_OK : not_in_hand(err);
}

static enum error_code check_connection(const struct elfenland *g, unsigned to, struct error *err) {
    unsigned from = g->boot[g->turn];
    if (elfenland__road(g, from, to) == NONE && elfenland__water(g, from, to) == NONE)
        return error_illegal(err, "no_connection", "go step by step: no way leads there from your town");
    return ERROR_OK;
}
static enum error_code check_travel(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    uint8_t cards[TYPES];
    unsigned mode;
    enum error_code code = check_connection(g, act.a, err);
    if (code != ERROR_OK)
        return code;
    elfenland__offered(g, cards);
    return elfenland__resolve(g, g->boot[g->turn], act.a, cards, &mode, err) != NONE ? ERROR_OK
                                                                                     : ERROR_ILLEGAL;
}
// The boot stands there already, or what is offered pays: then it is a step. Back on its town it waits no
// more.
static enum error_code check_boot_ahead(const struct elfenland *g, struct elfenland_act act,
                                        struct error *err) {
    unsigned home = g->boot[g->turn];
    if (act.a == home && g->ahead != NONE)
        return ERROR_OK;
    enum error_code code = check_connection(g, act.a, err);
    if (code != ERROR_OK)
        return code;
    if (!elfenland__payable(g, home, act.a))
        return error_illegal(err, "no_counter", "there is no counter on this road");
    struct error aside;
    if (act.a == g->ahead || check_travel(g, act, &aside) == ERROR_OK)
        return error_illegal(err, "not_ahead", "the step is paid, or the boot stands there already");
    return ERROR_OK;
}
static enum error_code check_withdraw(const struct elfenland *g, struct elfenland_act act,
                                      struct error *err) {
    (void)act;
    return g->ahead != NONE || elfenland__n_offered(g) > 0
               ? ERROR_OK
               : error_illegal(err, "nothing_offered", "there is nothing to take back");
}
static enum error_code check_end_turn(const struct elfenland *g, struct elfenland_act act,
                                      struct error *err) {
    (void)act;
    if (g->ahead != NONE && elfenland__n_offered(g) > 0) // something was paid: say what is wrong with it
        return check_travel(g, (struct elfenland_act){.a = g->ahead}, err);
    if (g->ahead != NONE)
        return error_illegal(err, "payment_open", "the boot still waits for its payment");
    if (elfenland__n_offered(g) > 0)
        return error_illegal(err, "payment_open", "there are still cards on the pay pad");
    return ERROR_OK;
}

static enum error_code check_drop(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    return holds_card(g, g->turn, act.a) ? ERROR_OK : not_in_hand(err);
}
static enum error_code check_pick_up(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    return act.a < CARDS && g->card[act.a] == CARD_DROPPED ? ERROR_OK : not_in_hand(err);
}
static enum error_code check_give_back(const struct elfenland *g, struct elfenland_act act,
                                       struct error *err) {
    bool held = act.a < COUNTERS &&
                (g->counter[act.a] == COUNTER_UP + g->turn || g->counter[act.a] == COUNTER_SECRET + g->turn);
    return held ? ERROR_OK : error_illegal(err, "not_owned", "this counter is not yours");
}
static enum error_code check_reclaim(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    bool given = act.a < COUNTERS &&
                 (g->counter[act.a] == COUNTER_GIVEN_UP || g->counter[act.a] == COUNTER_GIVEN_SECRET);
    return given ? ERROR_OK : error_illegal(err, "not_owned", "this counter is not yours");
}
static enum error_code check_keep(const struct elfenland *g, struct elfenland_act act, struct error *err) {
    (void)act;
    if (g->hand[g->turn] > KEPT_MAX)
        return error_illegal(err, "too_many_cards", "at most four cards are kept");
    if (elfenland__n_counters(g, g->turn) > 1)
        return error_illegal(err, "too_many_counters", "at most one counter is kept");
    return ERROR_OK;
}

// ---- who may do what when

enum { SEAT = 0 };
static const struct {
    uint16_t phases; // bits
    int8_t by;       // SEAT: the seat whose turn it is
    uint8_t args;    // bytes that may be set: a 1, b 2, c 4
    check_fn *check;
} rows[VERBS] = {
#define IN(phase) 1u << PHASE_##phase
    [VERB_START_TOWN] = {IN(SETUP), GAME_BY_CHANCE, 1, check_start_town},
    [VERB_TOWN_CARD] = {IN(SETUP), GAME_BY_CHANCE, 3, check_town_card},
    [VERB_REFILL] = {IN(SETUP) | IN(DRAFT) | IN(PLAN) | IN(MOVE) | IN(FINISH_ROUND), GAME_BY_CHANCE, 3,
                     check_refill},
    [VERB_DEAL] = {IN(DEAL), GAME_BY_CHANCE, 3, check_deal},
    [VERB_DEALT] = {IN(DEAL), GAME_BY_CHANCE, 0, check_dealt},
    [VERB_DRAW_SECRET] = {IN(SECRET_DRAW), GAME_BY_CHANCE, 3, check_draw_secret},
    [VERB_TURN_UP] = {IN(DRAFT), GAME_BY_CHANCE, 1, check_turn_up},
    [VERB_FIRST] = {IN(SETUP) | IN(DEAL) | IN(SECRET_DRAW), GAME_BY_TABLE, 1, check_first},
    [VERB_TAKE] = {IN(DRAFT), GAME_BY_TABLE, 1, check_take},
    [VERB_DRAFT] = {IN(DRAFT), SEAT, 1, check_draft},
    [VERB_PLACE_COUNTER] = {IN(PLAN), SEAT, 3, check_place},
    [VERB_PLACE_OBSTACLE] = {IN(PLAN), SEAT, 1, check_obstacle},
    [VERB_PASS] = {IN(PLAN), SEAT, 0, check_nothing},
    [VERB_PAY] = {IN(MOVE), SEAT, 1, check_pay},
    [VERB_TAKE_BACK] = {IN(MOVE), SEAT, 1, check_take_back},
    [VERB_BOOT_AHEAD] = {IN(MOVE), SEAT, 1, check_boot_ahead},
    [VERB_TRAVEL] = {IN(MOVE), SEAT, 1, check_travel},
    [VERB_WITHDRAW] = {IN(MOVE), SEAT, 0, check_withdraw},
    [VERB_END_TURN] = {IN(MOVE), SEAT, 0, check_end_turn},
    [VERB_DROP] = {IN(FINISH_ROUND), SEAT, 1, check_drop},
    [VERB_PICK_UP] = {IN(FINISH_ROUND), SEAT, 1, check_pick_up},
    [VERB_GIVE_BACK] = {IN(FINISH_ROUND), SEAT, 1, check_give_back},
    [VERB_RECLAIM] = {IN(FINISH_ROUND), SEAT, 1, check_reclaim},
    [VERB_KEEP] = {IN(FINISH_ROUND), SEAT, 0, check_keep},
#undef IN
};

// Only what encode makes, or the kind of a piece that nobody holds, so that its rule can be named.
static bool is_well_formed(game_action action) {
    struct elfenland_act act = elfenland__unpack(action);
    if (action >> 32 || act.verb >= VERBS)
        return false;
    unsigned args = rows[act.verb].args;
    bool by_kind = act.a == NONE && (args & 1);
    return (args & 1 || !act.a) && (args & 2 || !act.b) && (by_kind || !act.c);
}

enum error_code elfenland__check(const struct elfenland *g, int by, game_action action, struct error *err) {
    struct elfenland_act act = elfenland__unpack(action);
    if (!is_well_formed(action))
        return error_illegal(err, "no_action", "there is no such action");
    if (!(rows[act.verb].phases >> g->phase & 1))
        return wrong_phase(err);
    if (rows[act.verb].by == SEAT ? by != g->turn : by != rows[act.verb].by)
        return error_illegal(err, "not_your_turn", "it is not your turn");
    return rows[act.verb].check(g, act, err);
}
