// What each audience may know (elfenland.md 9). An allowlist: hands are counted for all; their cards are told
// to nobody, or with hands=seat to the own seat alone.
#include "games/elfenland/elfenland.h"
#include <stdio.h>
#include <string.h>

static void item(struct observation *ret, unsigned place, const char *kind, unsigned n, uint8_t face) {
    if (n > 0 && ret->n_items < OBSERVE_ITEMS_MAX)
        ret->item[ret->n_items++] = (struct observe_item){(uint16_t)place, kind, (uint8_t)n, face};
}
static void count(struct observation *ret, const char *name, int seat, int value) {
    if (ret->n_counters < OBSERVE_COUNTERS_MAX)
        ret->counter[ret->n_counters++] = (struct observe_counter){name, (int8_t)seat, value};
}
static void fact(struct observation *ret, const char *key, int seat, const char *place, const char *kind,
                 int value) {
    if (ret->n_facts < OBSERVE_FACTS_MAX)
        ret->fact[ret->n_facts++] = (struct observe_fact){key, (int8_t)seat, place, kind, value};
}
static const char *kind_id(unsigned kind) {
    return elfenland__kinds[kind].id;
}
static const char *counter_id(unsigned counter) {
    return kind_id(KIND_COUNTER + elfenland__counter_type(counter));
}

// ---- the board

static void board(const struct elfenland *g, struct observation *ret) {
    for (unsigned town = 0; town < TOWNS; town++) {
        bool pieces = elfenland__in_play(g, town) && g->start_town != NONE && town != g->start_town;
        for (unsigned seat = 0; seat < g->seats; seat++) {
            if (pieces && !(g->collected[seat] >> town & 1))
                item(ret, PLACE_TOWN + town, kind_id(KIND_PIECE + seat), 1, OBSERVE_FACE_UP);
            if (g->boot[seat] == town)
                item(ret, PLACE_TOWN + town, kind_id(KIND_BOOT + seat), 1, OBSERVE_FACE_UP);
        }
    }
    for (unsigned road = 0; road < ROADS; road++) {
        if (g->on_road[road] != NONE)
            item(ret, PLACE_ROAD + road, counter_id(g->on_road[road]), 1, OBSERVE_FACE_UP);
        if (g->obstacle_on[road] != NONE)
            item(ret, PLACE_ROAD + road, kind_id(KIND_OBSTACLE), 1, OBSERVE_FACE_UP);
    }
    item(ret, PLACE_ROUND, kind_id(KIND_ROUND + g->round - 1u), 1, OBSERVE_FACE_UP);
    item(ret, elfenland__seat_place(g->start, AT_START), kind_id(KIND_START), 1, OBSERVE_FACE_UP);
}

static unsigned n_counters_at(const struct elfenland *g, unsigned at) {
    unsigned n = 0;
    for (unsigned c = 0; c < COUNTERS; c++)
        n += g->counter[c] == at;
    return n;
}
static void counters_at(const struct elfenland *g, unsigned at, unsigned place, uint8_t face,
                        struct observation *ret) {
    uint8_t n[TYPES] = {0};
    for (unsigned c = 0; c < COUNTERS; c++)
        if (g->counter[c] == at)
            n[elfenland__counter_type(c)]++;
    for (unsigned type = 0; type < TYPES; type++)
        item(ret, place, kind_id(KIND_COUNTER + type), n[type], face);
}

// Place by place and type by type: an order by number would tell which piece was laid face down before.
// Secret counters have a kind for their owner alone; those laid back are told to nobody.
static void counters(const struct elfenland *g, struct observation *ret) {
    for (unsigned i = 0; i < MARKET; i++)
        counters_at(g, COUNTER_MARKET + i, PLACE_MARKET + i, OBSERVE_FACE_UP, ret);
    for (unsigned seat = 0; seat < g->seats; seat++) {
        unsigned place = elfenland__seat_place(seat, AT_SECRET);
        counters_at(g, COUNTER_UP + seat, elfenland__seat_place(seat, AT_OPEN), OBSERVE_FACE_UP, ret);
        if (ret->audience == (int)seat)
            counters_at(g, COUNTER_SECRET + seat, place, OBSERVE_FACE_DOWN, ret);
        else
            item(ret, place, NULL, elfenland__n_secret(g, seat), OBSERVE_FACE_DOWN);
    }
    count(ret, "pile", -1,
          (int)(n_counters_at(g, COUNTER_PILE) + n_counters_at(g, COUNTER_GIVEN_UP) +
                n_counters_at(g, COUNTER_GIVEN_SECRET)));
}

// ---- cards

static void card_stack(const struct elfenland *g, unsigned at, unsigned place, struct observation *ret) {
    uint8_t n[TYPES] = {0};
    for (unsigned card = 0; card < CARDS; card++)
        n[elfenland__card_type(card)] = (uint8_t)(n[elfenland__card_type(card)] + (g->card[card] == at));
    for (unsigned type = 0; type < TYPES; type++)
        item(ret, place, kind_id(KIND_CARD + type), n[type], OBSERVE_FACE_UP);
}

static void cards(const struct elfenland *g, struct observation *ret) {
    unsigned deck = CARDS, discard = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        bool open = g->card[card] == CARD_DISCARD || g->card[card] == CARD_DROPPED;
        discard += open;
        deck -= open || g->card[card] == CARD_OFFERED;
    }
    for (unsigned seat = 0; seat < g->seats; seat++) {
        unsigned place = elfenland__seat_place(seat, AT_HAND);
        deck -= g->hand[seat];
        // Hands count for ties: once the game is over all may see them (9).
        if (g->phase == PHASE_GAME_OVER && g->hands != HANDS_COUNTED)
            card_stack(g, CARD_HAND + seat, place, ret);
        else
            item(ret, place, NULL, g->hand[seat], OBSERVE_FACE_DOWN);
    }
    card_stack(g, CARD_DISCARD, PLACE_DISCARD, ret);
    card_stack(g, CARD_DROPPED, PLACE_DISCARD, ret);
    card_stack(g, CARD_OFFERED, elfenland__seat_place(g->turn, AT_PAY), ret);
    count(ret, "deck", -1, (int)deck);
    count(ret, "discard", -1, (int)discard);
}

// ---- numbers: what a step would cost while a boot waits, and how each seat stands

static void prices(const struct elfenland *g, struct observation *ret) {
    if (g->phase != PHASE_MOVE)
        return;
    count(ret, "paid", g->turn, (int)elfenland__n_offered(g));
    if (g->ahead == NONE)
        return;
    unsigned from = g->boot[g->turn], water = elfenland__water(g, from, g->ahead),
             road = elfenland__road(g, from, g->ahead);
    fact(ret, "boot_waits", g->turn, elfenland__towns[g->ahead].id, NULL, 0);
    if (water != NONE)
        count(ret, "price_rafts", g->turn, (int)elfenland__water_price(water, from));
    if (road != NONE && g->on_road[road] != NONE) {
        count(ret, "price", g->turn, (int)elfenland__normal_price(g, road));
        count(ret, "price_caravan", g->turn, CARAVAN + (g->obstacle_on[road] != NONE));
    }
}

static void seats(const struct elfenland *g, struct observation *ret) {
    for (unsigned seat = 0; seat < g->seats; seat++) {
        unsigned from_start = (seat + g->seats - g->start) % g->seats,
                 turn = (unsigned)(g->turn + g->seats - g->start) % g->seats;
        ret->seat[seat].alive = true;
        ret->seat[seat].acted = g->phase == PHASE_SECRET_DRAW && from_start < turn;
        count(ret, "cards", (int)seat, (int)elfenland__cards_left(g, seat));
        count(ret, "secret", (int)seat, (int)elfenland__n_secret(g, seat));
        count(ret, "pieces", (int)seat, (int)elfenland__pieces(g, seat));
        item(ret, elfenland__seat_place(seat, AT_TROPHIES), kind_id(KIND_PIECE + seat),
             elfenland__pieces(g, seat), OBSERVE_FACE_UP);
        count(ret, "obstacle", (int)seat, g->obstacle[seat]);
        if (g->obstacle[seat])
            item(ret, elfenland__seat_place(seat, AT_OBSTACLE), kind_id(KIND_OBSTACLE), 1, OBSERVE_FACE_UP);
        if (g->home[seat] != NONE && g->phase != PHASE_GAME_OVER)
            item(ret, elfenland__seat_place(seat, AT_HOME), NULL, 1, OBSERVE_FACE_DOWN);
        if (g->phase != PHASE_GAME_OVER)
            continue;
        count(ret, "score", (int)seat, elfenland__score(g, seat));
        count(ret, "place", (int)seat, (int)elfenland__rank(g, seat));
        if (g->home[seat] != NONE)
            fact(ret, "home", (int)seat, elfenland__towns[g->home[seat]].id, NULL, 0);
    }
}

static void own(const struct elfenland *g, unsigned seat, struct observation *ret) {
    if (g->home[seat] != NONE && g->phase != PHASE_GAME_OVER)
        fact(ret, "home", (int)seat, elfenland__towns[g->home[seat]].id, NULL, 0);
    if (g->hands != HANDS_SEAT)
        return;
    uint8_t n[TYPES] = {0};
    for (unsigned card = 0; card < CARDS; card++)
        if (g->card[card] == CARD_HAND + seat || g->card[card] == CARD_DEALT + seat)
            n[elfenland__card_type(card)]++;
    for (unsigned type = 0; type < TYPES; type++)
        if (n[type])
            fact(ret, "card", (int)seat, NULL, kind_id(KIND_CARD + type), n[type]);
}

void elfenland_observe(const void *state, struct observation *ret) {
    const struct elfenland *g = state;
    board(g, ret);
    counters(g, ret);
    cards(g, ret);
    seats(g, ret);
    prices(g, ret);
    count(ret, "rounds", -1, g->rounds);
    count(ret, "west", -1, g->west);
    count(ret, "lap", -1, g->lap);
    count(ret, "passes", -1, g->passes);
    if (g->last_link != NONE) {
        fact(ret, "travelled", g->last_seat, elfenland__links[g->last_link].id, NULL, 0);
        fact(ret, elfenland__mode_names[g->last_mode], g->last_seat, NULL, NULL, 0);
        if (g->last_piece != NONE)
            fact(ret, "piece", g->last_seat, elfenland__towns[g->last_piece].id, NULL, 0);
    }
    if (ret->audience >= 0 && ret->audience < g->seats)
        own(g, (unsigned)ret->audience, ret);
    elfenland_result(state, &ret->result);
}

// ---- the end (elfenland.md 10)

unsigned elfenland__cards_left(const struct elfenland *g, unsigned seat) {
    return g->hand[seat] + (seat == g->turn ? elfenland__n_offered(g) : 0);
}
int elfenland__score(const struct elfenland *g, unsigned seat) {
    int pieces = (int)elfenland__pieces(g, seat);
    if (!g->hometown || g->home[seat] == NONE || g->boot[seat] == NONE)
        return pieces;
    return pieces - elfenland__distance[g->west != 0][g->boot[seat]][g->home[seat]];
}
unsigned elfenland__rank(const struct elfenland *g, unsigned seat) {
    unsigned better = 0;
    int score = elfenland__score(g, seat);
    for (unsigned other = 0; other < g->seats; other++) {
        int theirs = elfenland__score(g, other);
        better += theirs > score ||
                  (theirs == score && elfenland__cards_left(g, other) > elfenland__cards_left(g, seat));
    }
    return better + 1;
}

void elfenland_result(const void *state, struct observe_result *ret) {
    const struct elfenland *g = state;
    memset(ret, 0, sizeof *ret);
    ret->over = g->phase == PHASE_GAME_OVER;
    if (!ret->over)
        return;
    for (unsigned seat = 0; seat < g->seats; seat++) {
        ret->score[seat] = elfenland__score(g, seat);
        if (elfenland__rank(g, seat) == 1)
            ret->winners |= (uint16_t)(1u << seat);
        if (g->home[seat] != NONE)
            snprintf(ret->seats[seat].role, sizeof ret->seats[seat].role, "%s",
                     elfenland__towns[g->home[seat]].id);
    }
    snprintf(ret->reason, sizeof ret->reason, "most points, then most cards left");
}
