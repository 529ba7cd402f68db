// What may be travelled and what it costs (elfenland.md 3, 8).
#include "games/elfenland/elfenland.h"

bool elfenland__in_play(const struct elfenland *g, unsigned town) {
    return town < TOWNS && (!g->west || elfenland__towns[town].is_west);
}
static unsigned between(const struct elfenland *g, const uint8_t table[TOWNS][TOWNS], unsigned from,
                        unsigned to) {
    return elfenland__in_play(g, from) && elfenland__in_play(g, to) ? table[from][to] : NONE;
}
unsigned elfenland__road(const struct elfenland *g, unsigned from, unsigned to) {
    return between(g, elfenland__road_between, from, to);
}
unsigned elfenland__water(const struct elfenland *g, unsigned from, unsigned to) {
    return between(g, elfenland__water_between, from, to);
}
bool elfenland__is_road(const struct elfenland *g, unsigned link) {
    return link < ROADS && elfenland__in_play(g, elfenland__links[link].a) &&
           elfenland__in_play(g, elfenland__links[link].b);
}

unsigned elfenland__water_price(unsigned link, unsigned from) {
    const struct elfenland_link *row = &elfenland__links[link];
    return row->terrain == TERRAIN_RIVER && row->a == from ? 1 : 2;
}
unsigned elfenland__normal_price(const struct elfenland *g, unsigned road) {
    if (g->on_road[road] == NONE)
        return 0;
    unsigned type = elfenland__counter_type(g->on_road[road]);
    return elfenland__cost[type][elfenland__links[road].terrain] + (g->obstacle_on[road] != NONE);
}

void elfenland__offered(const struct elfenland *g, uint8_t ret[TYPES]) {
    for (unsigned type = 0; type < TYPES; type++)
        ret[type] = 0;
    for (unsigned card = 0; card < CARDS; card++)
        if (g->card[card] == CARD_OFFERED)
            ret[elfenland__card_type(card)]++;
}
unsigned elfenland__n_offered(const struct elfenland *g) {
    unsigned n = 0;
    for (unsigned card = 0; card < CARDS; card++)
        n += g->card[card] == CARD_OFFERED;
    return n;
}

bool elfenland__payable(const struct elfenland *g, unsigned from, unsigned to) {
    unsigned road = elfenland__road(g, from, to);
    return elfenland__water(g, from, to) != NONE || (road != NONE && g->on_road[road] != NONE);
}

// Prices are told with the name of the card written out: a catalogue knows whole sentences.
static void say_road(unsigned type, unsigned price, unsigned caravan, struct error *err) {
    switch (type) {
    case TYPE_GIANT_PIG:
        error_illegal(err, "wrong_payment", "the way costs %u x giant pig, or a caravan of %u cards", price,
                      caravan);
        break;
    case TYPE_ELFCYCLE:
        error_illegal(err, "wrong_payment", "the way costs %u x elfcycle, or a caravan of %u cards", price,
                      caravan);
        break;
    case TYPE_MAGIC_CLOUD:
        error_illegal(err, "wrong_payment", "the way costs %u x magic cloud, or a caravan of %u cards", price,
                      caravan);
        break;
    case TYPE_UNICORN:
        error_illegal(err, "wrong_payment", "the way costs %u x unicorn, or a caravan of %u cards", price,
                      caravan);
        break;
    case TYPE_TROLL_WAGON:
        error_illegal(err, "wrong_payment", "the way costs %u x troll wagon, or a caravan of %u cards", price,
                      caravan);
        break;
    default:
        error_illegal(err, "wrong_payment", "the way costs %u x dragon, or a caravan of %u cards", price,
                      caravan);
        break;
    }
}

// The refusal names the prices: of the water, of the road's counter, of a caravan.
static unsigned wrong(const struct elfenland *g, unsigned from, unsigned to, struct error *err) {
    unsigned water = elfenland__water(g, from, to), road = elfenland__road(g, from, to);
    bool rides = road != NONE && g->on_road[road] != NONE;
    unsigned rafts = water != NONE ? elfenland__water_price(water, from) : 0,
             price = rides ? elfenland__normal_price(g, road) : 0,
             caravan = CARAVAN + (rides && g->obstacle_on[road] != NONE);
    if (water != NONE && rides)
        error_illegal(err, "wrong_payment",
                      "the way costs %u x raft, or %u x the card of its counter, or a caravan of %u cards",
                      rafts, price, caravan);
    else if (rides)
        say_road(elfenland__counter_type(g->on_road[road]), price, caravan, err);
    else if (water != NONE)
        error_illegal(err, "wrong_payment", "the way costs %u x raft", rafts);
    else
        error_illegal(err, "wrong_payment", "no cards pay this way");
    return NONE;
}

unsigned elfenland__resolve(const struct elfenland *g, unsigned from, unsigned to, const uint8_t cards[TYPES],
                            unsigned *ret_mode, struct error *err) {
    unsigned water = elfenland__water(g, from, to), road = elfenland__road(g, from, to), n = 0;
    for (unsigned type = 0; type < TYPES; type++)
        n += cards[type];
    bool only_rafts = n > 0 && cards[TYPE_RAFT] == n;
    if (water != NONE && only_rafts && n == elfenland__water_price(water, from)) {
        const struct elfenland_link *row = &elfenland__links[water];
        *ret_mode = row->terrain == TERRAIN_LAKE ? MODE_LAKE : row->a == from ? MODE_DOWNRIVER : MODE_UPRIVER;
        return water;
    }
    if (road == NONE)
        return wrong(g, from, to, err);
    if (g->on_road[road] == NONE) {
        if (only_rafts)
            return wrong(g, from, to, err);
        error_illegal(err, "no_counter", "there is no counter on this road");
        return NONE;
    }
    unsigned type = elfenland__counter_type(g->on_road[road]);
    if (cards[type] == n && n == elfenland__normal_price(g, road))
        *ret_mode = MODE_NORMAL;
    else if (n == CARAVAN + (g->obstacle_on[road] != NONE))
        *ret_mode = MODE_CARAVAN;
    else
        return wrong(g, from, to, err);
    return road;
}

unsigned elfenland__pieces(const struct elfenland *g, unsigned seat) {
    return (unsigned)__builtin_popcount(g->collected[seat]);
}
unsigned elfenland__pieces_all(const struct elfenland *g) {
    return g->west ? 10 : TOWNS - 1;
}
