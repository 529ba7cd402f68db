// Set-ups: what is refused, slots, places, the first state.
#include "games/elfenland/elfenland.h"
#include <stdio.h>
#include <string.h>

// ---- town cards: the towns that have one, in the order of the list

static bool has_card(bool west, unsigned town) {
    return elfenland__towns[town].has_card && (!west || elfenland__towns[town].is_west);
}
unsigned elfenland__town_of_card(bool west, unsigned n) {
    for (unsigned town = 0; town < TOWNS; town++)
        if (has_card(west, town) && n-- == 0)
            return town;
    return NONE;
}
unsigned elfenland__card_of_town(bool west, unsigned town) {
    unsigned n = 0;
    if (town >= TOWNS || !has_card(west, town))
        return NONE;
    for (unsigned t = 0; t < town; t++)
        n += has_card(west, t);
    return n;
}

// ---- slots

static void add_slots(struct game_setup *setup, game_kind kind, unsigned n) {
    while (n-- > 0)
        setup->slot_kind[setup->n_slots++] = kind;
}

static unsigned pieces_of_a_seat(bool west) {
    unsigned n = 0;
    for (unsigned town = 0; town < TOWNS; town++)
        n += !west || elfenland__towns[town].is_west;
    return n - 1; // none for the town where boots start
}

enum error_code elfenland_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err) {
    bool west = setup->options[OPTION_WEST_ONLY];
    if (setup->seats < 2 || setup->seats > PLAYERS_MAX)
        return error_illegal(err, "E_SEATS", "2 to %d players", PLAYERS_MAX);
    if (setup->n_cards > 0)
        return error_illegal(err, "E_CARDS", "the box is complete: no cards are chosen");
    if (west && setup->seats != 2)
        game_issue(ret, false, "W_WEST", "the western board is meant for two players");
    setup->n_slots = 0;
    for (unsigned type = 0; type < TYPES; type++)
        add_slots(setup, (game_kind)(KIND_CARD + type), type == TYPE_RAFT ? 12 : 10);
    for (unsigned type = 0; type < COUNTER_TYPES; type++)
        add_slots(setup, (game_kind)(KIND_COUNTER + type), 8);
    add_slots(setup, KIND_OBSTACLE, setup->seats);
    for (unsigned seat = 0; seat < setup->seats; seat++)
        add_slots(setup, (game_kind)(KIND_BOOT + seat), 1);
    add_slots(setup, KIND_START, 1);
    for (unsigned round = 0; round < 4; round++)
        add_slots(setup, (game_kind)(KIND_ROUND + round), 1);
    for (unsigned n = 0; setup->options[OPTION_VARIANT] && n < TOWN_CARDS; n++)
        if (!west || elfenland__towns[elfenland__town_of_card(false, n)].is_west)
            add_slots(setup, (game_kind)(KIND_TOWN_CARD + n), 1);
    for (unsigned seat = 0; setup->options[OPTION_PIECES] && seat < setup->seats; seat++)
        add_slots(setup, (game_kind)(KIND_PIECE + seat), pieces_of_a_seat(west));
    for (unsigned seat = 0; setup->options[OPTION_DONE] && seat < setup->seats; seat++)
        add_slots(setup, (game_kind)(KIND_NUMBER + seat), 1);
    return ERROR_OK;
}

game_slot elfenland__boot_slot(const struct elfenland *g, unsigned seat) {
    return (game_slot)(SLOT_OBSTACLE + g->seats + seat);
}
game_slot elfenland__start_slot(const struct elfenland *g) {
    return (game_slot)(SLOT_OBSTACLE + 2u * g->seats);
}
unsigned elfenland__first_town_slot(const struct elfenland *g) {
    return elfenland__start_slot(g) + 5u;
}
game_slot elfenland__number_slot(const struct elfenland *g, unsigned seat) {
    unsigned towns = 0;
    for (unsigned n = 0; g->hometown && n < TOWN_CARDS; n++)
        towns += elfenland__town_of_card(g->west, n) != NONE;
    return (game_slot)(elfenland__first_town_slot(g) + towns +
                       (g->tagged ? g->seats * pieces_of_a_seat(g->west) : 0) + seat);
}

// ---- places: the board in the middle, seats along its upper and lower edge

enum { BIT_CARD = 1 << CLASS_CARD, BIT_COUNTER = 1 << CLASS_COUNTER, BIT_OBSTACLE = 1 << CLASS_OBSTACLE };

static struct game_place_row *add(struct game_places *ret, unsigned accepts, int x, int y) {
    struct game_place_row *row = &ret->row[ret->n++];
    *row = (struct game_place_row){
        .accepts = accepts, .shares = GAME_NONE, .x = (int16_t)x, .y = (int16_t)y, .seat = -1};
    return row;
}
static int board_x(int x) {
    return 40 + x * 80 / 100;
}
static int board_y(int y) {
    return 150 + y * 70 / 100;
}

static void add_board(struct game_places *ret) {
    // On tables without road pads a counter is tapped on both towns of its road.
    for (unsigned t = 0; t < TOWNS; t++) {
        const struct elfenland_town *town = &elfenland__towns[t];
        struct game_place_row *row = add(ret, 1 << CLASS_BOOT | 1 << CLASS_PIECE | BIT_COUNTER | BIT_OBSTACLE,
                                         board_x(town->x), board_y(town->y));
        snprintf(row->name, sizeof row->name, "town_%s", town->id);
    }
    // A road bears the name of its connection: with a word before it the longest would not fit.
    for (unsigned r = 0; r < ROADS; r++) {
        const struct elfenland_town *a = &elfenland__towns[elfenland__links[r].a],
                                    *b = &elfenland__towns[elfenland__links[r].b];
        struct game_place_row *row =
            add(ret, BIT_COUNTER | BIT_OBSTACLE, board_x((a->x + b->x) / 2), board_y((a->y + b->y) / 2));
        snprintf(row->name, sizeof row->name, "%s", elfenland__links[r].id);
    }
}

static void add_centre(struct game_places *ret) {
    static const struct {
        const char *name;
        unsigned accepts;
    } rows[] = {{"deck", BIT_CARD},        {"discard", BIT_CARD},     {"pile", BIT_COUNTER},
                {"market_1", BIT_COUNTER}, {"market_2", BIT_COUNTER}, {"market_3", BIT_COUNTER},
                {"market_4", BIT_COUNTER}, {"market_5", BIT_COUNTER}, {"round", 1 << CLASS_ROUND}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        snprintf(add(ret, rows[i].accepts, 940, 160 + 85 * (int)i)->name, GAME_WORD_MAX, "%s", rows[i].name);
}

static void add_seat(struct game_places *ret, unsigned seat) {
    static const struct {
        const char *name;
        unsigned accepts;
        bool shares; // the pay pad, told apart by its class
    } rows[SEAT_PLACES] = {[AT_HAND] = {"hand", BIT_CARD, false},
                           [AT_HOME] = {"home", 1 << CLASS_TOWN_CARD, true},
                           [AT_PAY] = {"pay", BIT_CARD | 1 << CLASS_NUMBER, false},
                           [AT_OPEN] = {"open", BIT_COUNTER, true},
                           [AT_SECRET] = {"secret", BIT_COUNTER, false},
                           [AT_OBSTACLE] = {"obstacle", BIT_OBSTACLE, true},
                           [AT_TROPHIES] = {"trophies", 1 << CLASS_PIECE, false},
                           [AT_START] = {"start", 1 << CLASS_MARKER, true}};
    for (unsigned i = 0; i < SEAT_PLACES; i++) {
        int x = 40 + 320 * (int)(seat % 3) + 38 * (int)i;
        struct game_place_row *row = add(ret, rows[i].accepts, x, seat < 3 ? 930 : 70);
        row->seat = (int8_t)seat;
        if (rows[i].shares)
            row->shares = elfenland__seat_place(seat, AT_PAY);
        snprintf(row->name, sizeof row->name, "seat_%s.%s", elfenland__colours[seat], rows[i].name);
    }
}

void elfenland_places(const struct game_setup *setup, struct game_places *ret) {
    ret->n = 0;
    add_board(ret);
    add_centre(ret);
    for (unsigned seat = 0; seat < setup->seats; seat++)
        add_seat(ret, seat);
}

void elfenland_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    bool known = seat >= 0 && seat < setup->seats && seat < PLAYERS_MAX;
    snprintf(ret, GAME_WORD_MAX, "%s", known ? elfenland__colours[seat] : "");
}

// ---- the first state

void elfenland_init(void *state, const struct game_setup *setup) {
    struct elfenland *g = state;
    memset(g, 0, sizeof *g);
    g->seats = setup->seats;
    g->rounds = (uint8_t)setup->options[OPTION_ROUNDS];
    g->hometown = (uint8_t)setup->options[OPTION_VARIANT];
    g->west = (uint8_t)setup->options[OPTION_WEST_ONLY];
    g->deal_8 = (uint8_t)setup->options[OPTION_DEAL_MODE];
    g->early_end = (uint8_t)setup->options[OPTION_EARLY_END];
    g->hands = (uint8_t)setup->options[OPTION_HANDS];
    g->laid = setup->options[OPTION_PAYMENT] == PAYMENT_LAID;
    g->tapped_roads = (uint8_t)setup->options[OPTION_ROADS];
    g->by_token = setup->options[OPTION_DONE] == DONE_TOKEN;
    g->tagged = (uint8_t)setup->options[OPTION_PIECES];
    g->round = 1;
    g->lap = 1;
    g->start_town = g->west ? NONE : TOWN_ELVENHOLD;
    g->ahead = g->last_seat = g->last_link = g->last_piece = NONE;
    memset(g->on_road, NONE, sizeof g->on_road);
    memset(g->obstacle_on, NONE, sizeof g->obstacle_on);
    memset(g->home, NONE, sizeof g->home);
    for (unsigned seat = 0; seat < g->seats; seat++) {
        g->obstacle[seat] = 1;
        g->boot[seat] = g->start_town;
    }
}
