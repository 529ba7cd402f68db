// The set-up (2), the pieces in play and the pads of the table (12).
#include "games/not_alone/not_alone.h"
#include <stdio.h>
#include <string.h>

unsigned not_alone__copies(unsigned n) { // 1.2
    static const uint8_t copies[HUNTED_MAX + 1] = {0, 1, 2, 2, 3, 3, 3};
    return copies[n <= HUNTED_MAX ? n : HUNTED_MAX];
}

// ---- pieces: equal kinds stand next to each other

static const struct { uint16_t kind, kinds; } singles[] = {{KIND_HUNT, HUNTS}, {KIND_SURVIVAL, SURVIVALS}};

static void add(struct game_setup *setup, unsigned kind, unsigned n) {
    while (n--)
        setup->slot_kind[setup->n_slots++] = (game_kind)kind;
}

enum error_code not_alone_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err) {
    (void)ret;
    if (setup->seats < 2 || setup->seats > HUNTED_MAX + 1)
        return error_illegal(err, "E_SEATS", "Not Alone is for 2 to %d players", HUNTED_MAX + 1);
    if (setup->n_cards)
        return error_illegal(err, "E_CARDS", "Not Alone has its own cards: choose none");
    int side = setup->options[OPTION_SIDE];
    if (side < 1 || side > 2)
        return error_illegal(err, "E_SIDE", "the board has the sides 1 and 2");
    unsigned n = setup->seats - 1u;
    setup->n_slots = 0;
    for (unsigned card = 1; card <= BASIC_CARDS; card++)
        for (unsigned owner = 0; owner < n; owner++)
            add(setup, not_alone__card_kind(owner, card), 1);
    for (unsigned card = BASIC_CARDS + 1; card <= PLACE_CARDS; card++)
        add(setup, not_alone__card_kind(0, card), not_alone__copies(n));
    for (unsigned i = 0; i < sizeof singles / sizeof *singles; i++)
        for (unsigned k = 0; k < singles[i].kinds; k++)
            add(setup, singles[i].kind + k, 1);
    add(setup, KIND_WILL, WILL_FULL * n);
    for (unsigned kind = KIND_TOKEN; kind < KIND_NUMBER; kind++)
        add(setup, kind, 1);
    for (unsigned seat = 0; seat <= n; seat++)
        add(setup, KIND_NUMBER + seat, 1);
    return ERROR_OK;
}

game_kind not_alone__card_kind(unsigned owner, unsigned card) {
    return (game_kind)(card <= BASIC_CARDS ? KIND_BASIC + (card - 1) * HUNTED_MAX + owner
                                           : KIND_ADVANCED + card - BASIC_CARDS - 1);
}
game_slot not_alone__copy_slot(const struct not_alone *s, unsigned card, unsigned copy) {
    return (game_slot)(BASIC_CARDS * s->n + (card - BASIC_CARDS - 1) * not_alone__copies(s->n) + copy - 1);
}
game_slot not_alone__card_slot(const struct not_alone *s, unsigned owner, unsigned card) {
    if (card <= BASIC_CARDS)
        return (game_slot)((card - 1) * s->n + owner);
    unsigned copy = s->h[owner].copy[card - BASIC_CARDS];
    return not_alone__copy_slot(s, card, copy ? copy : 1);
}
game_slot not_alone__hunt_slot(const struct not_alone *s, unsigned card) {
    return (game_slot)(BASIC_CARDS * (s->n + not_alone__copies(s->n)) + card - 1);
}
game_slot not_alone__survival_slot(const struct not_alone *s, unsigned card) {
    return (game_slot)(not_alone__hunt_slot(s, 1) + HUNTS + card - 1);
}
game_slot not_alone__token_slot(const struct not_alone *s, unsigned token) {
    return (game_slot)(not_alone__survival_slot(s, 1) + SURVIVALS + WILL_FULL * s->n + token);
}
game_slot not_alone__number_slot(const struct not_alone *s, unsigned seat) {
    return (game_slot)(not_alone__token_slot(s, TOKENS) + KIND_NUMBER - KIND_MARKER + seat);
}

// ---- places

static struct game_place_row *place(struct game_places *ret, unsigned accepts, int seat, int x, int y) {
    struct game_place_row *row = &ret->row[ret->n++];
    *row = (struct game_place_row){
        .accepts = accepts, .shares = GAME_NONE, .x = (int16_t)x, .y = (int16_t)y, .seat = (int8_t)seat};
    return row;
}
#define NAME(row, ...) snprintf((row)->name, GAME_WORD_MAX, __VA_ARGS__)

enum {
    CARDS = 1 << CLASS_PLACE,
    HUNT = 1 << CLASS_HUNT,
    SURVIVAL = 1 << CLASS_SURVIVAL,
    WILL = 1 << CLASS_WILL,
    TOKEN = 1 << CLASS_TOKEN,
    NUMBER = 1 << CLASS_NUMBER,
    POINTS = CARDS | HUNT | SURVIVAL, // cards point (12.1)
};

static void add_table(struct game_places *ret) {
    static const struct {
        const char *name;
        unsigned accepts;
        int8_t seat;
        int16_t x, y;
    } rows[] = {
        {"seat.c.ready", NUMBER | POINTS, 0, 940, 40},
        {"seat.c.view", CARDS, 0, 860, 40},
        {"seat.c.tokens", TOKEN, 0, 780, 40},
        {"seat.c.hunt", HUNT, 0, 700, 40},
        {"hunt.deck", HUNT, -1, 560, 40},
        {"hunt.discard", HUNT, -1, 620, 40},
        {"survival.deck", SURVIVAL, -1, 400, 40},
        {"survival.discard", SURVIVAL, -1, 460, 40},
        {"bank.will", WILL, -1, 300, 40},
    };
    for (int p = 1; p <= PLACE_CARDS; p++)
        NAME(place(ret, TOKEN | POINTS, -1, 200 + 150 * ((p - 1) % 5), p <= BASIC_CARDS ? 260 : 400),
             "planet.p%d", p);
    for (int p = BASIC_CARDS + 1; p <= PLACE_CARDS; p++)
        NAME(place(ret, CARDS, -1, 200 + 150 * (p - BASIC_CARDS - 1), 500), "reserve.p%d", p);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        NAME(place(ret, rows[i].accepts, rows[i].seat, rows[i].x, rows[i].y), "%s", rows[i].name);
    for (int i = 0; i <= RESCUE_MAX; i++)
        NAME(place(ret, TOKEN, -1, 100 + 44 * i, 120), "track.rescue.%d", i);
    for (int i = 0; i <= ASSIMILATION_MAX; i++)
        NAME(place(ret, TOKEN, -1, 100 + 44 * i, 180), "track.assimilation.%d", i);
}

void not_alone_places(const struct game_setup *setup, struct game_places *ret) {
    static const struct {
        const char *name;
        unsigned accepts;
    } spots[SPOTS] = {
        [SPOT_PLAY_A] = {"play_a", POINTS},  [SPOT_PLAY_B] = {"play_b", POINTS},
        [SPOT_DISCARD] = {"discard", CARDS}, [SPOT_SURVIVAL] = {"survival", SURVIVAL},
        [SPOT_WILL] = {"will", WILL},        [SPOT_READY] = {"ready", NUMBER | POINTS},
    };
    ret->n = 0;
    add_table(ret);
    for (int seat = 1; seat < setup->seats; seat++)
        for (int spot = 0; spot < SPOTS; spot++)
            NAME(place(ret, spots[spot].accepts, seat, 60 + 150 * (seat - 1) + 50 * (spot % 3),
                       680 + 120 * (spot / 3)),
                 "seat.h%d.%s", seat, spots[spot].name);
}

void not_alone_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    (void)setup;
    if (seat == 0)
        snprintf(ret, GAME_WORD_MAX, "c");
    else
        snprintf(ret, GAME_WORD_MAX, "h%d", seat);
}

// ---- the first state (2, 3): chance deals from here

void not_alone_init(void *state, const struct game_setup *setup) {
    struct not_alone *s = state;
    memset(s, 0, sizeof *s);
    s->n = (uint8_t)(setup->seats - 1);
    s->side = (uint8_t)setup->options[OPTION_SIDE];
    s->expert = setup->options[OPTION_EXPERT] != 0;
    s->hologram_move = setup->options[OPTION_HOLOGRAM] != 0;
    s->turn = 1;
    s->phase = EXPLORATION;
    s->rescue = (uint8_t)(11 + setup->seats);
    s->assimilation = (uint8_t)(5 + setup->seats);
    for (unsigned i = 1; i <= PLACE_CARDS - BASIC_CARDS; i++)
        s->reserve[i] = (uint8_t)((2u << not_alone__copies(s->n)) - 2);
    s->hunt_deck = (1u << HUNT_END) - 2;
    s->survival_deck = (uint16_t)((1u << SURVIVAL_END) - 2);
    s->hunt_left = 1;
    s->refill = 1;
    s->active = s->anticipation = s->shelter_of = s->source_of = NOBODY;
    for (unsigned k = 0; k < s->n; k++)
        s->h[k] = (struct not_alone_hunted){.hand = 0x3e, .will = WILL_FULL, .survival_left = 1, .draw = 1};
}
