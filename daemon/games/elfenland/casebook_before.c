// Worked cases: what differs from the default is laid into a state.
#include "games/elfenland/casebook__.h"
#include <stdio.h>
#include <string.h>

static unsigned phase_of(struct elfenland_case *r, const char *id) {
    for (unsigned phase = 0; elfenland__phases[phase].id; phase++)
        if (!strcmp(elfenland__phases[phase].id, id))
            return phase;
    casebook_fail(r->report, "a phase", "%s", id);
    return 0;
}

static unsigned take_card(struct elfenland_case *r, unsigned type) { // type TYPES = any
    for (unsigned card = 0; card < CARDS; card++)
        if (r->state.card[card] == CARD_DECK && (type == TYPES || elfenland__card_type(card) == type))
            return card;
    casebook_fail(r->report, "72 cards in all", "more of a kind than there are");
    return 0;
}
unsigned elfenland_case__find_counter(struct elfenland_case *r, unsigned type) {
    for (unsigned c = 0; c < COUNTERS; c++)
        if (r->state.counter[c] == COUNTER_PILE && elfenland__counter_type(c) == type)
            return c;
    casebook_fail(r->report, "48 counters in all", "more of a kind than there are");
    return 0;
}

static void set_hand(struct elfenland_case *r, unsigned seat, const json_t *value) {
    size_t i;
    json_t *one;
    json_array_foreach(value, i, one) {
        r->state.card[take_card(r, elfenland_case__type_of(r, one, TYPES))] = (uint8_t)(CARD_HAND + seat);
        r->state.hand[seat]++;
    }
}
static void set_hand_size(struct elfenland_case *r, unsigned seat, const json_t *value) {
    for (unsigned n = elfenland_case__number_of(r, value, 12); n > 0; n--) {
        r->state.card[take_card(r, TYPES)] = (uint8_t)(CARD_HAND + seat);
        r->state.hand[seat]++;
    }
}
static void set_counters(struct elfenland_case *r, const json_t *value, unsigned at) {
    size_t i;
    json_t *one;
    json_array_foreach(value, i, one)
        r->state.counter[elfenland_case__find_counter(r, elfenland_case__type_of(r, one, COUNTER_TYPES))] =
        (uint8_t)at;
}
static void set_up(struct elfenland_case *r, unsigned seat, const json_t *value) {
    set_counters(r, value, COUNTER_UP + seat);
}
static void set_secret(struct elfenland_case *r, unsigned seat, const json_t *value) {
    set_counters(r, value, COUNTER_SECRET + seat);
}
static void set_boot(struct elfenland_case *r, unsigned seat, const json_t *value) {
    r->state.boot[seat] = (uint8_t)elfenland_case__town_of(r, elfenland_case__text_of(r, value));
}
static void set_home(struct elfenland_case *r, unsigned seat, const json_t *value) {
    r->state.home[seat] = (uint8_t)elfenland_case__town_of(r, elfenland_case__text_of(r, value));
}
static void set_obstacle(struct elfenland_case *r, unsigned seat, const json_t *value) {
    r->state.obstacle[seat] = elfenland_case__truth_of(r, value);
}
static void set_collected(struct elfenland_case *r, unsigned seat, const json_t *value) {
    size_t i;
    json_t *one;
    json_array_foreach(value, i, one) r->state.collected[seat] |=
        UINT32_C(1) << elfenland_case__town_of(r, elfenland_case__text_of(r, one));
}

static const struct {
    const char *key;
    void (*set)(struct elfenland_case *r, unsigned seat, const json_t *value);
    bool is_list;
} of_players[] = {
    {"hands", set_hand, true},
    {"hand_sizes", set_hand_size, false},
    {"counters_up", set_up, true},
    {"counters_secret", set_secret, true},
    {"boots", set_boot, false},
    {"home", set_home, false},
    {"obstacle_left", set_obstacle, false},
    {"collected", set_collected, true},
};

static void set_roads(struct elfenland_case *r, const json_t *value) {
    const char *id;
    json_t *road;
    json_object_foreach((json_t *)(uintptr_t)value, id, road) {
        unsigned at = elfenland_case__road_of(r, id),
                 counter = elfenland_case__find_counter(
                     r, elfenland_case__type_of(r, json_object_get(road, "counter"), COUNTER_TYPES));
        r->state.on_road[at] = (uint8_t)counter;
        r->state.counter[counter] = COUNTER_ROAD;
        if (elfenland_case__truth_of(
                r, json_object_get(road, "obstacle"))) { // laid by the last player without one
            r->state.obstacle_on[at] = (uint8_t)(r->n_players - 1);
        }
    }
}
static void set_market(struct elfenland_case *r, const json_t *value) {
    size_t i;
    json_t *one;
    if (json_array_size(value) != MARKET)
        casebook_fail(r->report, "five counters on show", "%zu", json_array_size(value));
    json_array_foreach(value, i, one) if (i < MARKET)
        r->state.counter[elfenland_case__find_counter(r, elfenland_case__type_of(r, one, COUNTER_TYPES))] =
        (uint8_t)(COUNTER_MARKET + i);
}
static void set_pile(struct elfenland_case *r, const json_t *value) {
    size_t i;
    json_t *one;
    json_array_foreach(value, i, one) if (r->n_pile < COUNTERS)
        r->pile[r->n_pile++] = (uint8_t)elfenland_case__type_of(r, one, COUNTER_TYPES);
}
static void set_discard(struct elfenland_case *r, const json_t *value) {
    size_t i;
    json_t *one;
    json_array_foreach(value, i, one)
        r->state.card[take_card(r, elfenland_case__type_of(r, one, TYPES))] = CARD_DISCARD;
}
static void set_discard_size(struct elfenland_case *r, const json_t *value) {
    for (unsigned n = elfenland_case__number_of(r, value, CARDS); n > 0; n--)
        r->state.card[take_card(r, TYPES)] = CARD_DISCARD;
}
unsigned elfenland_case__deck_size(const struct elfenland *g) {
    unsigned n = 0;
    for (unsigned card = 0; card < CARDS; card++)
        n += g->card[card] == CARD_DECK;
    return n;
}

static void set_phase(struct elfenland_case *r, const json_t *value) {
    r->state.phase = (uint8_t)phase_of(r, elfenland_case__text_of(r, value));
}
static void set_round(struct elfenland_case *r, const json_t *value) {
    r->state.round = (uint8_t)elfenland_case__number_of(r, value, 4);
}
static void set_start(struct elfenland_case *r, const json_t *value) {
    r->state.start = (uint8_t)elfenland_case__player_of(r, elfenland_case__text_of(r, value));
}
static void set_turn(struct elfenland_case *r, const json_t *value) {
    r->state.turn = (uint8_t)elfenland_case__player_of(r, elfenland_case__text_of(r, value));
}
static void set_lap(struct elfenland_case *r, const json_t *value) {
    r->state.lap = (uint8_t)elfenland_case__number_of(r, value, LAPS + 1);
}
static void set_passes(struct elfenland_case *r, const json_t *value) {
    r->state.passes = (uint8_t)elfenland_case__number_of(r, value, PLAYERS_MAX);
}
static void set_nothing(struct elfenland_case *r, const json_t *value) {
    (void)r, (void)value;
}

static const struct {
    const char *key;
    void (*set)(struct elfenland_case *r, const json_t *value);
} of_table[] = {
    {"phase", set_phase},
    {"round", set_round},
    {"start", set_start},
    {"turn", set_turn},
    {"roads", set_roads},
    {"market", set_market},
    {"pile", set_pile},
    {"discard", set_discard},
    {"draft_lap", set_lap},
    {"passes_in_row", set_passes},
    {"discard_size", set_discard_size},
    {"players", set_nothing},
    {"rounds", set_nothing},
    {"variant", set_nothing},
    {"west_only", set_nothing},
    {"deal_mode", set_nothing},
    {"early_end", set_nothing},
    {"deck_size", set_nothing},
};

static bool set_of_players(struct elfenland_case *r, const char *key, const json_t *value) {
    for (unsigned i = 0; i < sizeof of_players / sizeof *of_players; i++) {
        if (strcmp(of_players[i].key, key))
            continue;
        const char *name;
        json_t *one;
        if (!json_is_object(value))
            casebook_fail(r->report, "an object of players", "%s", key);
        json_object_foreach((json_t *)(uintptr_t)value, name, one) {
            if (of_players[i].is_list && !json_is_array(one))
                casebook_fail(r->report, "a list", "%s", key);
            of_players[i].set(r, elfenland_case__player_of(r, name), one);
        }
        return true;
    }
    return false;
}
static bool set_of_table(struct elfenland_case *r, const char *key, const json_t *value) {
    for (unsigned i = 0; i < sizeof of_table / sizeof *of_table; i++)
        if (!strcmp(of_table[i].key, key)) {
            of_table[i].set(r, value);
            return true;
        }
    return false;
}

// The places of the market that the case does not name hold what is most plentiful.
static void fill_market(struct elfenland_case *r) {
    for (unsigned i = 0; i < MARKET; i++) {
        unsigned left[COUNTER_TYPES] = {0}, most = 0;
        bool full = false;
        for (unsigned c = 0; c < COUNTERS; c++) {
            full |= r->state.counter[c] == COUNTER_MARKET + i;
            left[elfenland__counter_type(c)] += r->state.counter[c] == COUNTER_PILE;
        }
        for (unsigned type = 1; type < COUNTER_TYPES; type++)
            most = left[type] > left[most] ? type : most;
        if (!full)
            r->state.counter[elfenland_case__find_counter(r, most)] = (uint8_t)(COUNTER_MARKET + i);
    }
}

static void set_options(struct elfenland_case *r, const json_t *before) {
    static const char *const names[] = {"rounds", "variant", "west_only", "deal_mode", "early_end"};
    struct error err = {0};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *value = json_object_get(before, names[i]);
        char number[24];
        if (!value)
            continue;
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        const char *text = json_is_string(value)    ? json_string_value(value)
                           : json_is_boolean(value) ? (json_is_true(value) ? "1" : "0")
                                                    : number;
        if (game_setup_option(&elfenland_game, &r->setup, names[i], text, &err) != ERROR_OK)
            casebook_fail(r->report, "an option", "%s: %s", names[i], err.text);
    }
}

void elfenland_case__set_before(struct elfenland_case *r, const json_t *before) {
    static const char *const usual[] = {"red", "blue", "green"};
    const json_t *players = json_object_get(before, "players");
    r->n_players = players ? (unsigned)json_array_size(players) : 3;
    if (r->n_players < 2 || r->n_players > PLAYERS_MAX) {
        casebook_fail(r->report, "2 to 6 players", "%u", r->n_players);
        return;
    }
    for (unsigned i = 0; i < r->n_players; i++)
        r->player[i] = players ? elfenland_case__text_of(r, json_array_get(players, i)) : usual[i];
    game_setup_default(&elfenland_game, r->n_players, &r->setup);
    set_options(r, before);
    struct game_issues issues = {0};
    struct error err = {0};
    if (elfenland_game.prepare(&r->setup, &issues, &err) != ERROR_OK) {
        casebook_fail(r->report, "a set-up", "%s", err.text);
        return;
    }
    elfenland_game.places(&r->setup, &r->places);
    elfenland_game.init(&r->state, &r->setup);
    r->words = (struct game_words){&elfenland_game, &r->setup, &r->places};
    r->state.phase = PHASE_MOVE;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)before, key,
                        value) if (!set_of_players(r, key, value) && !set_of_table(r, key, value))
        casebook_fail(r->report, "a known key in before", "%s", key);
    fill_market(r);
    const json_t *deck = json_object_get(before, "deck_size");
    if (deck && elfenland_case__number_of(r, deck, CARDS) != elfenland_case__deck_size(&r->state))
        casebook_fail(r->report, "72 cards in all", "a deck of %u", elfenland_case__deck_size(&r->state));
}
