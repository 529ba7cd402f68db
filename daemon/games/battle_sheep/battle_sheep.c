// Battle Sheep: the set-up, and the game as a value.
#include "games/battle_sheep/battle_sheep.h"
#include <stdio.h>
#include <string.h>

static void add_slots(struct game_setup *setup, game_kind kind, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        setup->slot_kind[setup->n_slots++] = kind;
}

static enum error_code sheep_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err) {
    int32_t pads = setup->options[SHEEP_OPTION_COLUMNS] * setup->options[SHEEP_OPTION_ROWS];
    if (setup->seats < 2 || setup->seats > SHEEP_SEATS)
        return error_illegal(err, "E_SEATS", "2 to %d players", SHEEP_SEATS);
    if (setup->options[SHEEP_OPTION_VARIANT] && setup->seats != 2)
        game_issue(ret, true, "E_VARIANT", "classic_splits is a game for two");
    if (setup->n_cards > 0)
        game_issue(ret, true, "E_CARDS", "this game has no cards to choose");
    if (pads > SHEEP_LATTICE || pads < 16 * setup->seats)
        game_issue(ret, true, "E_LATTICE", "%d pads: at least 16 for each player and at most %d", pads,
                   SHEEP_LATTICE);
    else if (pads < 40 * setup->seats)
        game_issue(ret, false, "W_LATTICE", "on %d pads the tiles may not all find room", pads);
    for (unsigned i = 0; i < ret->n; i++)
        if (ret->issue[i].is_error)
            return error_illegal(err, ret->issue[i].code, "%s", ret->issue[i].text);
    bool markers = setup->options[SHEEP_OPTION_PIECES];
    setup->n_slots = 0;
    add_slots(setup, SHEEP_KIND_TILE, 4u * SHEEP_TILES * setup->seats);
    for (unsigned p = 0; p < setup->seats; p++)
        add_slots(setup, (game_kind)((markers ? SHEEP_KIND_MARKER : SHEEP_KIND_SHEEP) + p), SHEEP_FLOCK);
    for (unsigned i = 0; i < SHEEP_NUMBERS; i++)
        add_slots(setup, (game_kind)(SHEEP_KIND_TOKEN + i), 1);
    return ERROR_OK;
}

// The lattice drawn as large as it fits into 1000 x 860; spots and boxes of the seats below.
static void sheep_places(const struct game_setup *setup, struct game_places *ret) {
    struct sheep s = {.columns = (uint8_t)setup->options[SHEEP_OPTION_COLUMNS],
                      .rows = (uint8_t)setup->options[SHEEP_OPTION_ROWS]};
    int wide = 2000 / (2 * s.columns + 1), high = 860 * 1000 / (866 * s.rows),
        pitch = wide < high ? wide : high;
    ret->n = 0;
    for (unsigned place = 0; place < sheep__lattice(&s); place++) {
        struct game_place_row *row = &ret->row[ret->n++];
        int q, r;
        sheep__coordinates(&s, place, &q, &r);
        *row = (struct game_place_row){
            .accepts = 1u << SHEEP_CLASS_TILE | 1u << SHEEP_CLASS_SHEEP, .shares = GAME_NONE, .seat = -1};
        row->x = (int16_t)(500 + pitch * (2 * q + r) / 2);
        row->y = (int16_t)(430 + pitch * 866 * r / 1000);
        snprintf(row->name, sizeof row->name, "hex.%d,%d", q, r);
    }
    static const struct {
        const char *of, *what;
        uint32_t accepts;
        int16_t y;
    } own[] = {{"seat", "done", 1u << SHEEP_CLASS_TOKEN, 900},
               {"box", "tiles", 1u << SHEEP_CLASS_TILE, 940},
               {"box", "sheep", 1u << SHEEP_CLASS_SHEEP, 980}};
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
        for (unsigned p = 0; p < setup->seats; p++) {
            struct game_place_row *row = &ret->row[ret->n++];
            *row = (struct game_place_row){.accepts = own[i].accepts, .shares = GAME_NONE, .seat = (int8_t)p};
            row->x = (int16_t)(125 + 250 * (int)p);
            row->y = own[i].y;
            snprintf(row->name, sizeof row->name, "%s.%c.%s", own[i].of, sheep__labels[p], own[i].what);
        }
    }
}

static void sheep_seat_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    (void)setup;
    ret[0] = seat >= 0 && seat < SHEEP_SEATS ? sheep__labels[seat] : '\0';
    ret[1] = '\0';
}

static void sheep_init(void *state, const struct game_setup *setup) {
    struct sheep *s = state;
    memset(s, 0, sizeof *s);
    s->seats = setup->seats;
    s->classic = (uint8_t)setup->options[SHEEP_OPTION_VARIANT];
    s->columns = (uint8_t)setup->options[SHEEP_OPTION_COLUMNS];
    s->rows = (uint8_t)setup->options[SHEEP_OPTION_ROWS];
    s->markers = (uint8_t)setup->options[SHEEP_OPTION_PIECES];
    s->confirm = (uint8_t)setup->options[SHEEP_OPTION_CONFIRM];
    memset(s->tiles_left, SHEEP_TILES, s->seats);
    memset(s->at, SHEEP_NO_CELL, sizeof s->at);
    memset(s->next, SHEEP_NO_CELL, sizeof s->next);
}

static void sheep_phase(const void *state, struct game_phase *ret) {
    const struct sheep *s = state;
    *ret = (struct game_phase){.id = s->phase, .over = s->phase == SHEEP_OVER};
    ret->turn = ret->over ? 0 : (uint16_t)(1u << s->turn);
}

extern const struct game battle_sheep_game;
const struct game battle_sheep_game = {
    .id = "battle_sheep",
    .title = "Battle Sheep",
    .rules_rev = 1,
    .seats_min = 2,
    .seats_max = SHEEP_SEATS,
    .phases = sheep__phases,
    .kinds = sheep__kinds,
    .n_kinds = SHEEP_KINDS,
    .options = sheep__options,
    .verbs = sheep__verbs,
    .lines = sheep__lines,
    .presets = sheep__presets,
    .state_size = sizeof(struct sheep),
    .prepare = sheep_prepare,
    .places = sheep_places,
    .seat_label = sheep_seat_label,
    .init = sheep_init,
    .phase = sheep_phase,
    .legal = sheep__legal,
    .mistakes = sheep__mistakes,
    .apply = sheep__apply,
    .layout = sheep__layout,
    .rest = sheep__rest,
    .proof = sheep__proof,
    .observe = sheep__observe,
    .encode = sheep__encode,
    .decode = sheep__decode,
    .short_read = sheep__short_read,
    .short_write = sheep__short_write,
    .result = sheep__result,
    .random = sheep__random,
};
