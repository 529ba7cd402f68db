// A route is planned over the counters that lie (whoever laid them) and the own ones still to be laid; what
// is missing for it is drafted and laid, then it is travelled. The plan is made anew at each call: no memory.
#include "games/elfenland/bot.h"
#include "games/elfenland/elfenland.h"
#include <string.h>

enum {
    NODES_MAX = 5000,
    STEPS_MAX = 12,
    PIECE = 100,   // what a new piece is worth
    CARD_LEFT = 6, // a card kept for the next round, or for a tie
    DEAD_END = 60, // a round that ends in Kihromah
    TOWN_NEXT = 4, // a town with an own piece one step from where the round ends
    COUNTER_SPENT = 3,
};

struct step {
    uint8_t to, link, mode;
    uint8_t lay; // type of the own counter that must be laid for it, NONE
    uint8_t pay[TYPES];
};

struct bot {
    struct elfenland g; // the public part only: boots, roads, what is left of the setup
    unsigned seat;
    bool is_last, is_hometown;
    uint8_t home;
    uint8_t hand[TYPES], offered[TYPES], own[COUNTER_TYPES];
    uint32_t wanted; // towns with an own piece
    // the search
    unsigned nodes, depth;
    int best;
    unsigned n_best;
    struct step path[STEPS_MAX], plan[STEPS_MAX];
};

// ---- reading the view

static unsigned n_cards(const uint8_t hand[TYPES]) {
    unsigned n = 0;
    for (unsigned type = 0; type < TYPES; type++)
        n += hand[type];
    return n;
}

static unsigned kind_of(const char *id) {
    for (unsigned kind = 0; id && kind < KINDS; kind++)
        if (!strcmp(elfenland__kinds[kind].id, id))
            return kind;
    return KINDS;
}

static void read_item(struct bot *b, const struct observe_item *item) {
    unsigned kind = kind_of(item->kind), place = item->place;
    bool is_card = kind < KIND_COUNTER, is_counter = !is_card && kind < KIND_OBSTACLE;
    if (kind >= KIND_BOOT && kind < KIND_BOOT + PLAYERS_MAX)
        b->g.boot[kind - KIND_BOOT] = (uint8_t)place;
    else if (kind == KIND_PIECE + b->seat && place < TOWNS)
        b->wanted |= UINT32_C(1) << place;
    else if (kind >= KIND_ROUND && kind < KIND_ROUND + 4)
        b->g.round = (uint8_t)(kind - KIND_ROUND + 1);
    else if (kind == KIND_OBSTACLE && place >= PLACE_ROAD && place < PLACE_DECK)
        b->g.obstacle_on[place - PLACE_ROAD] = 0;
    else if (is_counter && place >= PLACE_ROAD && place < PLACE_DECK)
        b->g.on_road[place - PLACE_ROAD] = (uint8_t)((kind - KIND_COUNTER) * 8);
    else if (is_counter && (place == elfenland__seat_place(b->seat, AT_OPEN) ||
                            place == elfenland__seat_place(b->seat, AT_SECRET)))
        b->own[kind - KIND_COUNTER] = (uint8_t)(b->own[kind - KIND_COUNTER] + item->n);
    else if (is_card && place == elfenland__seat_place(b->seat, AT_PAY))
        b->offered[kind] = (uint8_t)(b->offered[kind] + item->n);
}

static void read_hand(struct bot *b, const struct observation *view, const game_action *legal, size_t n) {
    bool told = false;
    unsigned held = 0, sum = 0;
    for (unsigned i = 0; i < view->n_facts; i++) {
        unsigned kind = kind_of(view->fact[i].kind);
        if (strcmp(view->fact[i].key, "card") || kind >= TYPES)
            continue;
        b->hand[kind] = (uint8_t)view->fact[i].value;
        told = true;
    }
    for (size_t i = 0; i < n && !told; i++) {
        struct elfenland_act act = elfenland__unpack(legal[i]);
        if ((act.verb == VERB_PAY || act.verb == VERB_DROP) && act.a < CARDS)
            b->hand[elfenland__card_type(act.a)]++;
    }
    for (unsigned i = 0; i < view->n_counters; i++)
        if (!strcmp(view->counter[i].name, "cards") && view->counter[i].seat == view->audience)
            held = (unsigned)view->counter[i].value;
    for (unsigned type = 0; type < TYPES; type++)
        sum += b->offered[type];
    if (told || n_cards(b->hand) + sum == held || (sum == OFFERED_MAX && n_cards(b->hand) == 0))
        return;
    // Nothing is listed, or more may be paid than is held: the hand is not known. About one of each that can
    // still be paid, the same whichever of them are offered by now: a plan that changed while it is paid for
    // would be paid for ever.
    bool listed = n_cards(b->hand) > 0;
    sum = 0;
    for (unsigned type = 0; type < TYPES; type++)
        sum += b->offered[type] > 0;
    for (unsigned type = 0; type < TYPES; type++) {
        bool guessed = (!listed || b->hand[type]) && !b->offered[type] && sum < held;
        b->hand[type] = guessed;
        sum += guessed;
    }
}

static void read_view(struct bot *b, const struct observation *view, const game_action *legal, size_t n) {
    memset(b, 0, sizeof *b);
    memset(b->g.on_road, NONE, sizeof b->g.on_road);
    memset(b->g.obstacle_on, NONE, sizeof b->g.obstacle_on);
    memset(b->g.boot, NONE, sizeof b->g.boot);
    b->g.rounds = 4;
    b->seat = (unsigned)view->audience;
    for (unsigned i = 0; i < view->n_items; i++)
        read_item(b, &view->item[i]);
    for (unsigned i = 0; i < view->n_facts; i++) {
        const struct observe_fact *fact = &view->fact[i];
        for (unsigned town = 0; town < TOWNS && fact->place; town++)
            if (!strcmp(fact->key, "home") && fact->seat == view->audience &&
                !strcmp(elfenland__towns[town].id, fact->place)) {
                b->home = (uint8_t)town;
                b->is_hometown = true;
            }
    }
    for (unsigned i = 0; i < view->n_counters; i++)
        if (!strcmp(view->counter[i].name, "rounds"))
            b->g.rounds = (uint8_t)view->counter[i].value;
        else if (!strcmp(view->counter[i].name, "west"))
            b->g.west = view->counter[i].value != 0;
    b->is_last = b->g.round >= b->g.rounds;
    read_hand(b, view, legal, n);
}

// ---- the search for a route

static int worth(const struct bot *b, unsigned at, uint32_t wanted) {
    int pieces = __builtin_popcount(b->wanted & ~wanted), left = (int)n_cards(b->hand);
    int value = PIECE * pieces + CARD_LEFT * (left < KEPT_MAX || b->is_last ? left : KEPT_MAX);
    if (b->is_last)
        return b->is_hometown ? value - PIECE * elfenland__distance[b->g.west][at][b->home] : value;
    unsigned near = 0, ways = 0;
    for (unsigned town = 0; town < TOWNS; town++) {
        bool next = elfenland__distance[b->g.west][at][town] == 1;
        ways += next;
        near += next && wanted >> town & 1;
    }
    return value + TOWN_NEXT * (int)near - (ways < 2 ? DEAD_END : 0);
}

static void search(struct bot *b, unsigned at, uint32_t wanted);

// One way of making the step, if the hand pays it.
static void try_step(struct bot *b, unsigned at, uint32_t wanted, const struct step *step) {
    for (unsigned type = 0; type < TYPES; type++)
        if (step->pay[type] > b->hand[type])
            return;
    if (b->depth >= STEPS_MAX)
        return;
    for (unsigned type = 0; type < TYPES; type++)
        b->hand[type] = (uint8_t)(b->hand[type] - step->pay[type]);
    uint8_t was = step->link < ROADS ? b->g.on_road[step->link] : NONE;
    if (step->lay != NONE) {
        b->own[step->lay]--;
        b->g.on_road[step->link] = (uint8_t)(step->lay * 8);
    }
    b->path[b->depth++] = *step;
    search(b, step->to, wanted & ~(UINT32_C(1) << step->to));
    b->depth--;
    if (step->lay != NONE) {
        b->own[step->lay]++;
        b->g.on_road[step->link] = was;
    }
    for (unsigned type = 0; type < TYPES; type++)
        b->hand[type] = (uint8_t)(b->hand[type] + step->pay[type]);
    (void)at;
}

// Three or four cards that are missed least: first those of which there is one.
static bool choose_caravan(const struct bot *b, unsigned n, uint8_t pay[TYPES]) {
    memset(pay, 0, TYPES);
    if (n_cards(b->hand) < n)
        return false;
    for (; n > 0; n--) {
        unsigned pick = TYPES;
        for (unsigned type = 0; type < TYPES; type++) {
            unsigned left = (unsigned)(b->hand[type] - pay[type]);
            if (left > 0 && (pick == TYPES || left < (unsigned)(b->hand[pick] - pay[pick])))
                pick = type;
        }
        pay[pick]++;
    }
    return true;
}

static void try_road(struct bot *b, unsigned at, uint32_t wanted, unsigned to, unsigned road) {
    for (unsigned type = 0; type < COUNTER_TYPES; type++) {
        bool lies = b->g.on_road[road] != NONE;
        if (lies ? elfenland__counter_type(b->g.on_road[road]) != type : b->own[type] == 0)
            continue;
        unsigned price = elfenland__cost[type][elfenland__links[road].terrain],
                 more = b->g.obstacle_on[road] != NONE;
        if (price == 0)
            continue;
        struct step step = {(uint8_t)to, (uint8_t)road, MODE_NORMAL, lies ? NONE : (uint8_t)type, {0}};
        step.pay[type] = (uint8_t)(price + more);
        try_step(b, at, wanted, &step);
        step.mode = MODE_CARAVAN;
        if (lies && choose_caravan(b, CARAVAN + more, step.pay))
            try_step(b, at, wanted, &step);
    }
}

static void search(struct bot *b, unsigned at, uint32_t wanted) {
    int value = worth(b, at, wanted);
    for (unsigned i = 0; i < b->depth; i++)
        value -= b->path[i].lay != NONE ? COUNTER_SPENT : 0;
    if (value > b->best) {
        b->best = value;
        b->n_best = b->depth;
        memcpy(b->plan, b->path, sizeof b->plan);
    }
    // No more pieces than cards can still be won.
    if (++b->nodes > NODES_MAX || value + (int)n_cards(b->hand) * PIECE + DEAD_END <= b->best)
        return;
    for (int fresh = 1; fresh >= 0; fresh--)
        for (unsigned to = 0; to < TOWNS; to++) {
            if ((int)(wanted >> to & 1) != fresh)
                continue;
            unsigned water = elfenland__water(&b->g, at, to), road = elfenland__road(&b->g, at, to);
            if (road != NONE)
                try_road(b, at, wanted, to, road);
            if (water == NONE)
                continue;
            struct step step = {(uint8_t)to, (uint8_t)water, MODE_LAKE, NONE, {0}};
            step.pay[TYPE_RAFT] = (uint8_t)elfenland__water_price(water, at);
            try_step(b, at, wanted, &step);
        }
}

static void make_plan(struct bot *b, bool may_lay) {
    uint8_t own[COUNTER_TYPES];
    memcpy(own, b->own, sizeof own);
    if (!may_lay)
        memset(b->own, 0, sizeof b->own);
    b->nodes = b->depth = b->n_best = 0;
    b->best = INT32_MIN / 2;
    if (b->g.boot[b->seat] < TOWNS)
        search(b, b->g.boot[b->seat], b->wanted);
    memcpy(b->own, own, sizeof own);
}

// ---- what to do

static bool find(const game_action *legal, size_t n, unsigned verb, int a, int b, game_action *ret) {
    for (size_t i = 0; i < n; i++) {
        struct elfenland_act act = elfenland__unpack(legal[i]);
        if (act.verb != verb || (a >= 0 && act.a != (unsigned)a) || (b >= 0 && act.b != (unsigned)b))
            continue;
        *ret = legal[i];
        return true;
    }
    return false;
}
// A card or counter of a type, by what the piece numbers say.
static bool find_type(const game_action *legal, size_t n, unsigned verb, unsigned type, int b,
                      game_action *ret) {
    for (size_t i = 0; i < n; i++) {
        struct elfenland_act act = elfenland__unpack(legal[i]);
        bool card = verb == VERB_PAY || verb == VERB_DROP;
        unsigned has = card ? elfenland__card_type(act.a) : elfenland__counter_type(act.a);
        if (act.verb != verb || has != type || (b >= 0 && act.b != (unsigned)b))
            continue;
        *ret = legal[i];
        return true;
    }
    return false;
}

// The counter that makes the best route; of equal ones that with the most cards.
static bool draft(struct bot *b, const struct observation *view, const game_action *legal, size_t n,
                  game_action *ret) {
    int best = INT32_MIN;
    bool found = find(legal, n, VERB_DRAFT, MARKET, -1, ret);
    for (unsigned i = 0; i < view->n_items; i++) {
        unsigned place = view->item[i].place, kind = kind_of(view->item[i].kind);
        game_action action;
        if (place < PLACE_MARKET || place >= PLACE_ROUND || kind < KIND_COUNTER || kind >= KIND_OBSTACLE ||
            !find(legal, n, VERB_DRAFT, (int)(place - PLACE_MARKET), -1, &action))
            continue;
        unsigned type = kind - KIND_COUNTER;
        b->own[type]++;
        make_plan(b, true);
        b->own[type]--;
        int value = b->best * 4 + 3 * (b->hand[type] - 2 * b->own[type]);
        if (value <= best)
            continue;
        best = value;
        *ret = action;
        found = true;
    }
    return found;
}

static bool is_on_plan(const struct bot *b, unsigned road) {
    for (unsigned i = 0; i < b->n_best; i++)
        if (b->plan[i].link == road)
            return true;
    return false;
}

// The obstacle is saved for the last round: on a road beside somebody else's boot that the own route spares.
static bool lay_obstacle(const struct bot *b, const game_action *legal, size_t n, game_action *ret) {
    for (unsigned seat = 0; b->is_last && seat < PLAYERS_MAX; seat++) {
        if (seat == b->seat || b->g.boot[seat] >= TOWNS)
            continue;
        for (unsigned road = 0; road < ROADS; road++) {
            bool beside = elfenland__links[road].a == b->g.boot[seat] ||
                          elfenland__links[road].b == b->g.boot[seat];
            if (beside && !is_on_plan(b, road) && find(legal, n, VERB_PLACE_OBSTACLE, (int)road, -1, ret))
                return true;
        }
    }
    return false;
}

static bool plan(struct bot *b, const game_action *legal, size_t n, game_action *ret) {
    make_plan(b, true);
    for (unsigned i = 0; i < b->n_best; i++)
        if (b->plan[i].lay != NONE &&
            find_type(legal, n, VERB_PLACE_COUNTER, b->plan[i].lay, b->plan[i].link, ret))
            return true;
    return lay_obstacle(b, legal, n, ret) || find(legal, n, VERB_PASS, -1, -1, ret);
}

// Four cards are offered: no more can be paid, so what is still held may be unknown, and another plan made of
// those four alone would take them back for ever. They pay some step, to a town that is wanted if there is
// one.
static bool travel_paid(const struct bot *b, const game_action *legal, size_t n, game_action *ret) {
    for (unsigned town = 0; town < TOWNS; town++)
        if (b->wanted >> town & 1 && find(legal, n, VERB_TRAVEL, (int)town, -1, ret))
            return true;
    return find(legal, n, VERB_TRAVEL, -1, -1, ret);
}

static bool move(struct bot *b, const game_action *legal, size_t n, game_action *ret) {
    for (unsigned type = 0; type < TYPES; type++)
        b->hand[type] = (uint8_t)(b->hand[type] + b->offered[type]);
    unsigned n_offered = n_cards(b->offered);
    if (n_offered == OFFERED_MAX && travel_paid(b, legal, n, ret))
        return true;
    make_plan(b, false);
    if (b->n_best == 0)
        return find(legal, n, n_offered ? VERB_WITHDRAW : VERB_END_TURN, -1, -1, ret) ||
               find(legal, n, VERB_WITHDRAW, -1, -1, ret);
    const struct step *step = &b->plan[0];
    for (unsigned type = 0; type < TYPES; type++)
        if (b->offered[type] > step->pay[type])
            return find(legal, n, VERB_WITHDRAW, -1, -1, ret);
    for (unsigned type = 0; type < TYPES; type++)
        if (b->offered[type] < step->pay[type])
            return find_type(legal, n, VERB_PAY, type, -1, ret);
    return find(legal, n, VERB_TRAVEL, step->to, -1, ret);
}

// Kept: the counter with the most cards, then cards of its type, then pairs.
static bool finish(struct bot *b, const game_action *legal, size_t n, game_action *ret) {
    unsigned worst = TYPES, counters = 0;
    if (find(legal, n, VERB_KEEP, -1, -1, ret))
        return true;
    for (unsigned type = 0; type < COUNTER_TYPES; type++) {
        counters += b->own[type];
        if (b->own[type] && (worst == TYPES || b->hand[type] < b->hand[worst]))
            worst = type;
    }
    if (counters > 1)
        return find_type(legal, n, VERB_GIVE_BACK, worst, -1, ret);
    worst = TYPES;
    for (unsigned type = 0; type < TYPES; type++) {
        int value = b->hand[type] + (type < COUNTER_TYPES && b->own[type] ? 4 : 0),
            other = worst == TYPES ? 0 : b->hand[worst] + (worst < COUNTER_TYPES && b->own[worst] ? 4 : 0);
        if (b->hand[type] && (worst == TYPES || value < other))
            worst = type;
    }
    return worst < TYPES && find_type(legal, n, VERB_DROP, worst, -1, ret);
}

bool elfenland_bot(const struct observation *view, const game_action *legal, size_t n, game_action *ret) {
    struct bot b;
    if (n == 0 || view->audience < 0 || view->audience >= PLAYERS_MAX)
        return false;
    read_view(&b, view, legal, n);
    bool done = false;
    switch (elfenland__unpack(legal[0]).verb) {
    case VERB_DRAFT:
        done = draft(&b, view, legal, n, ret);
        break;
    case VERB_PLACE_COUNTER:
    case VERB_PLACE_OBSTACLE:
    case VERB_PASS:
        done = plan(&b, legal, n, ret);
        break;
    case VERB_PAY:
    case VERB_TAKE_BACK:
    case VERB_BOOT_AHEAD:
    case VERB_TRAVEL:
    case VERB_WITHDRAW:
    case VERB_END_TURN:
        done = move(&b, legal, n, ret);
        break;
    default:
        done = finish(&b, legal, n, ret);
    }
    if (!done) // whatever the plan missed: anything legal
        *ret = legal[n - 1];
    return true;
}
