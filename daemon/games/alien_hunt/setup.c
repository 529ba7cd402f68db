// What a set-up must hold, where things lie, and the first state.
#include "games/alien_hunt/alien_hunt.h"
#include <stdio.h>
#include <string.h>

// Cards of each identity per number of players (section 1). With 4 or 5 players one of the four aliens is
// left out anew each round: it stays in the deck when all places are dealt.
static const uint8_t counts[SEATS_MOST + 1][IDENTITY_KINDS] = {
    [4] = {1, 1, 1, 1, 1, 1, 1, 1}, [5] = {2, 1, 1, 1, 1, 1, 1, 1}, [6] = {2, 1, 1, 1, 1, 1, 1, 1},
    [7] = {2, 2, 1, 1, 1, 1, 1, 1}, [8] = {2, 2, 2, 1, 1, 1, 1, 1},
};

static void fill_slots(struct game_setup *setup) {
    setup->n_slots = 0;
    for (game_kind kind = 0; kind < CHARACTER_KINDS; kind++)
        setup->slot_kind[setup->n_slots++] = kind;
    for (unsigned kind = 0; kind < IDENTITY_KINDS; kind++)
        for (unsigned i = 0; i < counts[setup->seats][kind]; i++)
            setup->slot_kind[setup->n_slots++] = (game_kind)(KIND_IDENTITY + kind);
    for (unsigned seat = 0; seat < setup->seats; seat++)
        for (unsigned i = 0; i < TOKENS_EACH; i++)
            setup->slot_kind[setup->n_slots++] = (game_kind)(KIND_TOKEN + 2 * seat + (i > 0));
}

static uint16_t box_of(const struct game_setup *setup) {
    uint16_t box = 0;
    for (unsigned i = 0; i < setup->n_cards; i++)
        box |= (uint16_t)(1u << setup->cards[i]);
    return setup->n_cards ? box : (uint16_t)((1u << CHARACTER_KINDS) - 1);
}

// Cards: as many characters as players are dealt as they are; none, or more than players, and chance deals
// from them.
enum error_code alien_hunt_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err) {
    if (setup->seats < SEATS_LEAST || setup->seats > SEATS_MOST)
        return error_illegal(err, "E_SEATS", "4 to 8 players are needed: three tokens go to three others");
    uint16_t seen = 0;
    for (unsigned i = 0; i < setup->n_cards; i++) {
        if (setup->cards[i] >= CHARACTER_KINDS)
            return error_illegal(err, "E_CARDS", "only characters are chosen");
        if (seen >> setup->cards[i] & 1)
            return error_illegal(err, "E_CARDS", "each character is there once");
        seen |= (uint16_t)(1u << setup->cards[i]);
    }
    if (setup->n_cards > 0 && setup->n_cards < setup->seats)
        return error_illegal(err, "E_CARDS", "as many characters as players are needed");
    if (setup->n_cards > 0 && !(seen >> PRESIDENT & 1))
        return error_illegal(err, "E_PRESIDENT", "the President is always among the characters");
    if (setup->options[OPTION_ROUNDS] > 0 && setup->options[OPTION_ROUNDS] < setup->seats)
        game_issue(ret, false, "W_ROUNDS", "not everybody will be President");
    fill_slots(setup);
    return ERROR_OK;
}

// ---- places

static const char *const names[SEATS_MOST][PLACES_EACH] = {
#define SEAT(n)                                                                                              \
    {                                                                                                        \
        "seat_" #n ".character", "seat_" #n ".identity", "seat_" #n ".reserve", "seat_" #n ".received",      \
            "seat_" #n ".ability"                                                                            \
    }
    SEAT(1), SEAT(2), SEAT(3), SEAT(4), SEAT(5), SEAT(6), SEAT(7), SEAT(8),
#undef SEAT
};
static const struct {
    const char *name;
    uint32_t accepts;
    int16_t x, y;
} centre[CENTRE_PLACES] = {
    {"centre.undealt_1", 1u << CLASS_IDENTITY, 400, 450},
    {"centre.undealt_2", 1u << CLASS_IDENTITY, 500, 450},
    {"centre.undealt_3", 1u << CLASS_IDENTITY, 600, 450},
    {"centre.discarded", 1u << CLASS_IDENTITY, 600, 550},
    {"centre.removed", 1u << CLASS_TOKEN, 400, 550},
    {"centre.pool", 1u << CLASS_CHARACTER, 500, 550},
    {"centre.alert", 1u << CLASS_CHARACTER, 500, 360},
    {"centre.deck", 1u << CLASS_IDENTITY, 500, 640},
};

const char *alien_hunt__place_name(unsigned seat, enum place_row row) {
    return names[seat][row];
}
const char *alien_hunt__centre_name(enum centre_row row) {
    return centre[row].name;
}

// Seats stand clockwise on a ring, seat 1 below; in 256ths of the half box, by number of seats.
static void seat_centre(unsigned seats, unsigned seat, int *ret_x, int *ret_y) {
    // Sine in steps of a 56th part of the circle would do for no number of seats but its divisors: a table
    // for each number keeps floating point out.
    static const int16_t x[SEATS_MOST + 1][SEATS_MOST] = {
        [4] = {0, -256, 0, 256},
        [5] = {0, -243, -150, 150, 243},
        [6] = {0, -222, -222, 0, 222, 222},
        [7] = {0, -200, -250, -111, 111, 250, 200},
        [8] = {0, -181, -256, -181, 0, 181, 256, 181},
    };
    static const int16_t y[SEATS_MOST + 1][SEATS_MOST] = {
        [4] = {256, 0, -256, 0},
        [5] = {256, 79, -207, -207, 79},
        [6] = {256, 128, -128, -256, -128, 128},
        [7] = {256, 160, -57, -231, -231, -57, 160},
        [8] = {256, 181, 0, -181, -256, -181, 0, 181},
    };
    *ret_x = 500 + x[seats][seat] * 380 / 256;
    *ret_y = 500 + y[seats][seat] * 400 / 256;
}

void alien_hunt_places(const struct game_setup *setup, struct game_places *ret) {
    static const struct {
        uint32_t accepts;
        int8_t x, y;
    } own[PLACES_EACH] = {
        [PLACE_CHARACTER] = {1u << CLASS_CHARACTER, -40, 0},
        [PLACE_IDENTITY] = {1u << CLASS_IDENTITY, 40, 0},
        [PLACE_RESERVE] = {1u << CLASS_TOKEN, -40, 60},
        [PLACE_RECEIVED] = {1u << CLASS_TOKEN, 0, -60},
        [PLACE_ABILITY] = {1u << CLASS_CHARACTER | 1u << CLASS_TOKEN, 40, 60},
    };
    ret->n = 0;
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        int x, y;
        seat_centre(setup->seats, seat, &x, &y);
        for (unsigned row = 0; row < PLACES_EACH; row++) {
            struct game_place_row *place = &ret->row[ret->n++];
            *place = (struct game_place_row){.accepts = own[row].accepts,
                                             .shares = GAME_NONE,
                                             .x = (int16_t)(x + own[row].x),
                                             .y = (int16_t)(y + own[row].y),
                                             .seat = (int8_t)seat};
            snprintf(place->name, sizeof place->name, "%s", names[seat][row]);
        }
    }
    for (unsigned row = 0; row < CENTRE_PLACES; row++) {
        struct game_place_row *place = &ret->row[ret->n++];
        *place = (struct game_place_row){.accepts = centre[row].accepts,
                                         .shares = GAME_NONE,
                                         .x = centre[row].x,
                                         .y = centre[row].y,
                                         .seat = -1};
        snprintf(place->name, sizeof place->name, "%s", centre[row].name);
    }
}

// ---- the first state

void alien_hunt_init(void *state, const struct game_setup *setup) {
    struct alien_hunt *g = state;
    memset(g, 0, sizeof *g);
    g->seats = setup->seats;
    g->phase = PHASE_SETUP;
    g->rounds = (uint8_t)(setup->options[OPTION_ROUNDS] ? setup->options[OPTION_ROUNDS] : setup->seats);
    g->three_step = (uint8_t)setup->options[OPTION_THREE_STEP];
    g->explorer_acts = setup->options[OPTION_EXPLORER] == 0;
    g->discussion_s = (uint16_t)setup->options[OPTION_DISCUSSION];
    g->box = box_of(setup);
    if (setup->options[OPTION_POOL]) // what is in the box and not dealt stays in it: the pool
        g->pool = setup->n_cards == setup->seats ? (uint16_t)(((1u << CHARACTER_KINDS) - 1) & ~g->box) : 0;
    for (unsigned slot = CHARACTER_KINDS; slot < setup->n_slots && setup->slot_kind[slot] < KIND_TOKEN;
         slot++)
        g->identity[g->n_identities++] = (uint8_t)(setup->slot_kind[slot] - KIND_IDENTITY);
    memset(g->character, NONE, sizeof g->character);
    g->president = NONE;
    g->keeps_pool = setup->options[OPTION_POOL] != 0;
    alien_hunt__new_round(g);
    g->phase = PHASE_SETUP;
}
