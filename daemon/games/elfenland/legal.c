// Legal actions in ascending order, what people try besides, and a quick random one.
#include "games/elfenland/elfenland.h"

struct list {
    const struct elfenland *g;
    int by;
    bool mistakes; // well-formed ones that a rule refuses
    game_action *ret;
    size_t n, cap;
};

static void offer(struct list *l, unsigned verb, unsigned a, unsigned b) {
    struct error err;
    game_action action = elfenland__pack(verb, a, b, 0);
    if ((elfenland__check(l->g, l->by, action, l->mistakes ? &err : NULL) == ERROR_OK) == l->mistakes)
        return;
    if (l->n < l->cap)
        l->ret[l->n] = action;
    l->n++;
}
static void offer_all(struct list *l, unsigned verb, unsigned n) {
    for (unsigned a = 0; a < n; a++)
        offer(l, verb, a, 0);
}
static void offer_grid(struct list *l, unsigned verb, unsigned rows, unsigned columns) {
    for (unsigned a = 0; a < rows; a++)
        for (unsigned b = 0; b < columns; b++)
            offer(l, verb, a, b);
}
static void offer_roads(struct list *l, unsigned seat) {
    for (unsigned c = 0; c < COUNTERS; c++)
        if (l->g->counter[c] == COUNTER_UP + seat || l->g->counter[c] == COUNTER_SECRET + seat)
            for (unsigned road = 0; road < ROADS; road++)
                offer(l, VERB_PLACE_COUNTER, c, road);
    offer_all(l, VERB_PLACE_OBSTACLE, ROADS);
}

// Places of the market that wait for a counter, a bit each.
static unsigned market_empty(const struct elfenland *g) {
    unsigned ret = (1u << MARKET) - 1;
    if (g->phase == PHASE_DEAL || g->phase == PHASE_SECRET_DRAW || g->phase == PHASE_GAME_OVER)
        return 0;
    for (unsigned c = 0; c < COUNTERS; c++)
        if (g->counter[c] >= COUNTER_MARKET && g->counter[c] < COUNTER_MARKET + MARKET)
            ret &= ~(1u << (g->counter[c] - COUNTER_MARKET));
    return ret;
}

static void by_chance(struct list *l) {
    const struct elfenland *g = l->g;
    if (g->phase == PHASE_SETUP) {
        offer_all(l, VERB_START_TOWN, g->west ? TOWNS : 0);
        offer_grid(l, VERB_TOWN_CARD, g->hometown ? g->seats : 0, TOWN_CARDS);
    }
    unsigned empty = market_empty(g);
    for (unsigned i = 0; i < MARKET; i++)
        for (unsigned c = 0; c < COUNTERS && (empty >> i & 1); c++)
            offer(l, VERB_REFILL, i, c);
    if (g->phase == PHASE_DEAL && g->hands == HANDS_COUNTED)
        offer(l, VERB_DEALT, 0, 0);
    else if (g->phase == PHASE_DEAL)
        offer_grid(l, VERB_DEAL, g->seats, CARDS);
    else if (g->phase == PHASE_SECRET_DRAW)
        for (unsigned c = 0; c < COUNTERS; c++)
            offer(l, VERB_DRAW_SECRET, g->turn, c);
    else if (g->phase == PHASE_DRAFT && g->blind)
        offer_all(l, VERB_TURN_UP, COUNTERS);
}

static void by_table(struct list *l) {
    offer_all(l, VERB_FIRST, l->g->phase <= PHASE_SECRET_DRAW ? l->g->seats : 0);
    offer_all(l, VERB_TAKE, l->g->phase == PHASE_DRAFT ? COUNTERS : 0);
}

static void by_seat(struct list *l) {
    switch (l->g->phase) {
    case PHASE_DRAFT:
        offer_all(l, VERB_DRAFT, MARKET + 1);
        break;
    case PHASE_PLAN:
        offer_roads(l, l->g->turn);
        offer(l, VERB_PASS, 0, 0);
        break;
    case PHASE_MOVE:
        offer_all(l, VERB_PAY, CARDS);
        offer_all(l, VERB_TAKE_BACK, CARDS);
        offer_all(l, VERB_BOOT_AHEAD, TOWNS);
        offer_all(l, VERB_TRAVEL, TOWNS);
        offer(l, VERB_WITHDRAW, 0, 0);
        offer(l, VERB_END_TURN, 0, 0);
        break;
    case PHASE_FINISH_ROUND:
        offer_all(l, VERB_DROP, CARDS);
        offer_all(l, VERB_PICK_UP, CARDS);
        offer_all(l, VERB_GIVE_BACK, COUNTERS);
        offer_all(l, VERB_RECLAIM, COUNTERS);
        offer(l, VERB_KEEP, 0, 0);
        break;
    }
}

size_t elfenland_legal(const void *state, int by, game_action *ret, size_t cap) {
    struct list l = {.g = state, .by = by, .ret = ret, .cap = cap};
    if (by == GAME_BY_CHANCE)
        by_chance(&l);
    else if (by == GAME_BY_TABLE)
        by_table(&l);
    else if (by == l.g->turn)
        by_seat(&l);
    return l.n;
}

// What hands can show and the rules refuse: counters on the wrong road or out of turn, a boot that walks too
// far or without a counter, cards that are not the mover's, `done` too early or by somebody else.
size_t elfenland_mistakes(const void *state, int by, game_action *ret, size_t cap) {
    struct list l = {.g = state, .by = by, .ret = ret, .cap = cap, .mistakes = true};
    const struct elfenland *g = l.g;
    bool turn = by == g->turn;
    if (by < 0 || by >= g->seats)
        return 0;
    switch (g->phase) {
    case PHASE_DRAFT:
        offer_all(&l, VERB_DRAFT, turn ? 0 : MARKET);
        break;
    case PHASE_PLAN:
        offer_roads(&l, (unsigned)by);
        offer(&l, VERB_PASS, 0, 0);
        break;
    case PHASE_MOVE:
        offer_all(&l, VERB_PAY, turn ? CARDS : 0);
        offer_all(&l, VERB_TRAVEL, TOWNS);
        offer(&l, VERB_END_TURN, 0, 0);
        break;
    case PHASE_FINISH_ROUND:
        offer(&l, VERB_KEEP, 0, 0);
        break;
    }
    return l.n;
}

// ---- playouts

// One of n by the dice, which gives up its used part.
static unsigned roll(uint64_t *dice, unsigned n) {
    unsigned ret = (unsigned)((*dice >> 32) * n >> 32);
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ret;
}
// The dice's pick of the pieces that are at `at`, or at `or_at`; NONE.
static unsigned pick(const uint8_t *where, unsigned n, unsigned at, unsigned or_at, uint64_t *dice) {
    uint8_t found[CARDS];
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        if (where[i] == at || where[i] == or_at)
            found[count++] = (uint8_t)i;
    return count ? found[roll(dice, count)] : NONE;
}

static bool random_deal(const struct elfenland *g, uint64_t *dice, game_action *ret) {
    for (unsigned seat = 0; seat < g->seats; seat++) {
        if (g->dealt[seat] >= elfenland__deal_target(g, seat))
            continue;
        unsigned card = pick(g->card, CARDS, CARD_DECK, CARD_DISCARD, dice);
        *ret = elfenland__pack(VERB_DEAL, seat, card, 0);
        return true;
    }
    return false;
}

static bool random_move(const struct elfenland *g, uint64_t *dice, game_action *ret) {
    uint8_t cards[TYPES];
    unsigned from = g->boot[g->turn], n = elfenland__n_offered(g), mode;
    elfenland__offered(g, cards);
    for (unsigned i = 0, to = roll(dice, TOWNS); n > 0 && i < TOWNS; i++, to = (to + 1) % TOWNS) {
        if (elfenland__payable(g, from, to) && elfenland__resolve(g, from, to, cards, &mode, NULL) != NONE) {
            *ret = elfenland__pack(VERB_TRAVEL, to, 0, 0);
            return true;
        }
    }
    unsigned held = g->hands == HANDS_COUNTED ? CARD_DECK : CARD_HAND + g->turn;
    if (n < OFFERED_MAX && g->hand[g->turn] > 0 && roll(dice, 6) > 0)
        *ret = elfenland__pack(VERB_PAY, pick(g->card, CARDS, held, held, dice), 0, 0);
    else
        *ret = elfenland__pack(n || g->ahead != NONE ? VERB_WITHDRAW : VERB_END_TURN, 0, 0, 0);
    return true;
}

static bool random_finish(const struct elfenland *g, uint64_t *dice, game_action *ret) {
    unsigned held = g->hands == HANDS_COUNTED ? CARD_DECK : CARD_HAND + g->turn;
    if (g->hand[g->turn] > KEPT_MAX)
        *ret = elfenland__pack(VERB_DROP, pick(g->card, CARDS, held, held, dice), 0, 0);
    else if (elfenland__n_counters(g, g->turn) > 1)
        *ret = elfenland__pack(
            VERB_GIVE_BACK, pick(g->counter, COUNTERS, COUNTER_UP + g->turn, COUNTER_SECRET + g->turn, dice),
            0, 0);
    else
        *ret = elfenland__pack(VERB_KEEP, 0, 0, 0);
    return true;
}

static bool random_plan(const struct elfenland *g, uint64_t *dice, game_action *ret) {
    unsigned counter = pick(g->counter, COUNTERS, COUNTER_UP + g->turn, COUNTER_SECRET + g->turn, dice);
    for (unsigned tries = 0; tries < 6; tries++) {
        bool obstacle = counter == NONE || roll(dice, 8) == 0;
        unsigned road = roll(dice, ROADS);
        *ret = obstacle ? elfenland__pack(VERB_PLACE_OBSTACLE, road, 0, 0)
                        : elfenland__pack(VERB_PLACE_COUNTER, counter, road, 0);
        if (elfenland__check(g, g->turn, *ret, NULL) == ERROR_OK)
            return true;
    }
    *ret = elfenland__pack(VERB_PASS, 0, 0, 0);
    return true;
}

// Apart: a frame of 32 KiB is probed page by page on every call.
__attribute__((noinline)) static bool random_listed(const struct elfenland *g, int by, uint64_t *dice,
                                                    game_action *ret) {
    game_action all[GAME_ACTIONS_MAX];
    size_t n = elfenland_legal(g, by, all, GAME_ACTIONS_MAX);
    if (n > 0)
        *ret = all[roll(dice, (unsigned)(n < GAME_ACTIONS_MAX ? n : GAME_ACTIONS_MAX))];
    return n > 0;
}

bool elfenland_random(const void *state, int by, uint64_t dice, game_action *ret) {
    const struct elfenland *g = state;
    if (by == GAME_BY_CHANCE && g->phase == PHASE_DEAL && g->hands != HANDS_COUNTED)
        return random_deal(g, &dice, ret);
    if (by == g->turn && g->phase == PHASE_MOVE)
        return random_move(g, &dice, ret);
    if (by == g->turn && g->phase == PHASE_FINISH_ROUND)
        return random_finish(g, &dice, ret);
    if (by == g->turn && g->phase == PHASE_PLAN)
        return random_plan(g, &dice, ret);
    return random_listed(g, by, &dice, ret);
}
