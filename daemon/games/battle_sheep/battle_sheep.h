// Battle Sheep (battle-sheep.md): what the files of this folder share. Cells of the pasture are numbered in
// the order they were laid and kept as bits of 64; the lattice of pads is a staggered rectangle of places.
#pragma once
#include "engine/game.h"

enum {
    SHEEP_SEATS = 4,
    SHEEP_CELLS = 64,
    SHEEP_FLOCK = 16,
    SHEEP_TILES = 4, // of each player
    SHEEP_TURNS = 3, // orientations of a tile
    SHEEP_LATTICE = 484,
    SHEEP_NUMBERS = 15, // number tokens
    SHEEP_TEXT = 48,    // one action in the rules' notation
    SHEEP_NO_CELL = 0xff,
    SHEEP_CONTROL_DONE = 2, // the control piece `done`; games see of the daemon game.h alone
};
enum sheep_phase { SHEEP_BUILD, SHEEP_PLACE, SHEEP_MOVE, SHEEP_OVER };
enum sheep_class { SHEEP_CLASS_TILE, SHEEP_CLASS_SHEEP, SHEEP_CLASS_TOKEN };
enum sheep_kind {
    SHEEP_KIND_TILE, // one hexagon of a tile
    SHEEP_KIND_SHEEP,
    SHEEP_KIND_MARKER = SHEEP_KIND_SHEEP + SHEEP_SEATS,
    SHEEP_KIND_TOKEN = SHEEP_KIND_MARKER + SHEEP_SEATS,
    SHEEP_KINDS = SHEEP_KIND_TOKEN + SHEEP_NUMBERS,
};
enum sheep_option {
    SHEEP_OPTION_VARIANT,
    SHEEP_OPTION_COLUMNS,
    SHEEP_OPTION_ROWS,
    SHEEP_OPTION_PIECES,
    SHEEP_OPTION_CONFIRM
};
enum sheep_confirm { SHEEP_BY_SPOT, SHEEP_BY_CONTROL, SHEEP_BY_STILLNESS };
enum sheep_verb { SHEEP_V_TILE, SHEEP_V_PLACE, SHEEP_V_SPLIT, SHEEP_V_PASS, SHEEP_V_SHIFT, SHEEP_VERBS };
enum sheep_line {
    SHEEP_L_BUILD,
    SHEEP_L_TILE,
    SHEEP_L_PLACE,
    SHEEP_L_STACK,
    SHEEP_L_MOVE,
    SHEEP_L_SPLIT,
    SHEEP_L_ELIMINATED,
    SHEEP_L_ALONE,
    SHEEP_L_WINS,
    SHEEP_L_HERD,
    SHEEP_L_SHARED,
    SHEEP_L_STUCK
};

struct sheep {
    uint8_t seats, phase, turn, classic;
    uint8_t columns, rows, markers, confirm;
    uint8_t n_cells, n_eliminated;
    int16_t origin_q, origin_r; // anchor of the first tile: the rules' 0,0
    uint8_t tiles_left[SHEEP_SEATS];
    uint8_t eliminated[SHEEP_SEATS]; // seats in order of discovery
    uint8_t winners, out;            // bits of seats
    uint64_t own[SHEEP_SEATS];       // cells with a stack of this seat
    uint64_t big;                    // cells with two sheep or more
    uint64_t border;                 // outside border, from the end of building on
    uint64_t near[SHEEP_CELLS];      // neighbours of a cell
    uint8_t next[SHEEP_CELLS][6];    // the same by direction, SHEEP_NO_CELL
    uint8_t size[SHEEP_CELLS];
    int8_t q[SHEEP_CELLS], r[SHEEP_CELLS];
    uint16_t place[SHEEP_CELLS];
    uint8_t order[SHEEP_CELLS]; // cells by ascending place
    uint8_t at[SHEEP_LATTICE];  // place -> cell, SHEEP_NO_CELL
    uint8_t pad_end[4];
};

static inline uint64_t sheep__bit(unsigned cell) {
    return UINT64_C(1) << cell;
}
static inline uint64_t sheep__taken(const struct sheep *s) {
    return s->own[0] | s->own[1] | s->own[2] | s->own[3];
}
static inline unsigned sheep__lattice(const struct sheep *s) {
    return (unsigned)s->columns * s->rows;
}

// Actions: verb << 32 | a << 20 | b << 8 | n. tile: a anchor, n orientation. place: a. split: a from, b to,
// n; a direction that leads nowhere is SHEEP_TO_DIRECTION | d as b. shift: n direction. A place that the
// lattice lacks is SHEEP_OFF.
enum { SHEEP_OFF = 0x7ff, SHEEP_TO_DIRECTION = 0x800, SHEEP_COUNT_MAX = 63 };
static inline game_action sheep__pack(unsigned verb, unsigned a, unsigned b, unsigned n) {
    return (game_action)verb << 32 | (game_action)a << 20 | (game_action)b << 8 | n;
}
static inline unsigned sheep__verb(game_action action) {
    return (unsigned)(action >> 32);
}
static inline unsigned sheep__a(game_action action) {
    return action >> 20 & 0xfff;
}
static inline unsigned sheep__b(game_action action) {
    return action >> 8 & 0xfff;
}
static inline unsigned sheep__n(game_action action) {
    return action & 0xff;
}

// ---- tables.c
extern const struct game_kind_row sheep__kinds[SHEEP_KINDS];
extern const struct game_phase_row sheep__phases[];
extern const struct game_option sheep__options[];
extern const struct game_verb sheep__verbs[];
extern const struct game_line_row sheep__lines[];
extern const struct game_preset sheep__presets[];
extern const char sheep__labels[SHEEP_SEATS]; // R B W K

// ---- pasture.c: the lattice and the cells on it (battle-sheep.md 1.1, 1.2)
extern const int8_t sheep__dq[6], sheep__dr[6];
extern const int8_t sheep__tile_cells[SHEEP_TURNS][4][2];      // from the anchor
unsigned sheep__place_at(const struct sheep *s, int q, int r); // SHEEP_OFF beyond the lattice
void sheep__coordinates(const struct sheep *s, unsigned place, int *ret_q, int *ret_r);
unsigned sheep__cell_at(const struct sheep *s, unsigned place); // SHEEP_NO_CELL: no pasture
void sheep__tile_at(const struct sheep *s, unsigned k, int q, int r, unsigned ret[4]);
void sheep__add_cell(struct sheep *s, unsigned place);
void sheep__find_border(struct sheep *s);
enum sheep_fit { SHEEP_FITS, SHEEP_OVERLAPS, SHEEP_LONELY, SHEEP_OFF_LATTICE };
enum sheep_fit sheep__fit_tile(const struct sheep *s, const unsigned place[4]);
// A tile that covers the cell one step from `cell`, as one of twelve; false if it does not fit.
bool sheep__tile_beside(const struct sheep *s, unsigned cell, unsigned d, unsigned which, unsigned *ret_place,
                        unsigned *ret_k);
bool sheep__any_tile(const struct sheep *s); // is there room for one more?
// End of a slide, SHEEP_NO_CELL when blocked.
unsigned sheep__slide(const struct sheep *s, unsigned cell, unsigned d);
bool sheep__can_split(const struct sheep *s, unsigned seat);
unsigned sheep__count_splits(const struct sheep *s, unsigned seat);
unsigned sheep__herd(const struct sheep *s, unsigned seat); // cells of the largest connected group

// ---- acts.c: what is legal, and why not (battle-sheep.md 5)
enum error_code sheep__check(const struct sheep *s, int by, game_action action, struct error *err);
size_t sheep__legal(const void *state, int by, game_action *ret, size_t cap);
size_t sheep__mistakes(const void *state, int by, game_action *ret, size_t cap);
bool sheep__random(const void *state, int by, uint64_t dice, game_action *ret);

// ---- play.c: what actions do
enum error_code sheep__apply(void *state, int by, game_action action, struct game_notes *notes,
                             struct error *err);
void sheep__result(const void *state, struct observe_result *ret);
// Elimination and turn at the beginning of `move`, or of a position that was loaded in it.
void sheep__begin_move(struct sheep *s, struct game_notes *notes);

// ---- layout.c, observe.c, words.c
game_place sheep__done_place(const struct sheep *s, unsigned seat);
void sheep__layout(const void *state, struct game_layout *ret);
game_place sheep__rest(const void *state, game_slot slot);
void sheep__proof(const void *state, int by, game_action action, struct game_proof *ret);
void sheep__observe(const void *state, struct observation *ret);
enum error_code sheep__encode(const void *state, int by, const struct game_act *act, game_action *ret,
                              struct error *err);
void sheep__decode(const void *state, int by, game_action action, struct game_act *ret);
game_action sheep__split_direction(const struct sheep *s, unsigned from, unsigned d, unsigned n);

// ---- notation.c: the rules' notation (battle-sheep.md 4), relative to the first tile's anchor.
// players: ids by seat, NULL = R B W K. False: it cannot be read; *ret_by is the seat.
bool sheep_read(const struct sheep *s, const char *const players[SHEEP_SEATS], const char *text, int *ret_by,
                game_action *ret);
// `M R 0,0>7,0 9`; directions when by_direction: `M R 0,0 d0 9`.
void sheep_write(const struct sheep *s, int by, game_action action, bool by_direction, char ret[SHEEP_TEXT]);
// One-line board string; returns its length, also beyond cap.
size_t sheep_board(const struct sheep *s, char *ret, size_t cap);
bool sheep__short_read(const void *state, const char *line, int *ret_by, game_action *ret);
bool sheep__short_write(const void *state, int by, game_action action, char ret[GAME_SHORT_MAX]);

// ---- bot.c: a computer player. Sees what everybody sees. Thinks within a budget of positions; equal state,
// budget and dice give the equal action. False: the seat has none.
bool sheep_bot(const void *state, int seat, unsigned nodes, uint64_t dice, game_action *ret);
