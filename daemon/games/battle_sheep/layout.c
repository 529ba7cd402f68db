// What lies where, and what hands show (battle-sheep.md 7).
#include "games/battle_sheep/battle_sheep.h"
#include <string.h>

game_place sheep__done_place(const struct sheep *s, unsigned seat) {
    return (game_place)(sheep__lattice(s) + seat);
}

static game_slot token_slot(const struct sheep *s, unsigned number) {
    return (game_slot)((4u * SHEEP_TILES + SHEEP_FLOCK) * s->seats + number - 1);
}

// What goes from one cell to another beside the state; a starting stack comes from nowhere.
struct moved {
    unsigned seat, from, to, n; // cells
};
static const struct moved nothing = {0, SHEEP_NO_CELL, SHEEP_NO_CELL, 0};

static game_kind kind_of(const struct sheep *s, unsigned seat) {
    return (game_kind)((s->markers ? SHEEP_KIND_MARKER : SHEEP_KIND_SHEEP) + seat);
}

static void lay_cell(const struct sheep *s, unsigned cell, unsigned place, struct moved moved,
                     struct game_layout *ret) {
    game_layout_kind(ret, (game_place)place, SHEEP_KIND_TILE, 1, GAME_FACE_ANY);
    for (unsigned seat = 0; seat < s->seats; seat++) {
        unsigned n = s->own[seat] >> cell & 1 ? s->size[cell] : 0;
        if (cell == moved.from && n > 0)
            n -= moved.n < n ? moved.n : n;
        unsigned pieces = s->markers ? n > 0 : n;
        if (cell == moved.to && seat == moved.seat)
            pieces += s->markers ? 1 : moved.n;
        if (pieces > 0)
            game_layout_kind(ret, (game_place)place, kind_of(s, seat), pieces, GAME_FACE_ANY);
    }
}

static void free_places(const struct sheep *s, struct game_layout *ret) {
    for (unsigned i = 0; i < 3u * s->seats; i++)
        game_layout_free(ret, (game_place)(sheep__lattice(s) + i));
}

static void lay(const struct sheep *s, struct moved moved, struct game_layout *ret) {
    game_layout_clear(ret);
    if (s->phase == SHEEP_OVER) { // people pack up: that means nothing
        for (unsigned place = 0; place < sheep__lattice(s); place++)
            game_layout_free(ret, (game_place)place);
    } else {
        for (unsigned i = 0; i < s->n_cells; i++)
            lay_cell(s, s->order[i], s->place[s->order[i]], moved, ret);
    }
    free_places(s, ret);
}

void sheep__layout(const void *state, struct game_layout *ret) {
    lay(state, nothing, ret);
}

// Slots: all tiles, then the flocks, then the number tokens. What lies nowhere lies in its owner's box.
game_place sheep__rest(const void *state, game_slot slot) {
    const struct sheep *s = state;
    unsigned tiles = 4u * SHEEP_TILES * s->seats, flocks = (unsigned)SHEEP_FLOCK * s->seats;
    if (slot < tiles || slot >= tiles + flocks)
        return GAME_NONE; // tiles are all alike: who laid one knows his box
    return (game_place)(sheep__lattice(s) + 2u * s->seats + (slot - tiles) / SHEEP_FLOCK);
}

// ---- proofs

static void lay_tile(const struct sheep *s, game_action action, struct game_layout *ret) {
    struct sheep after = *s;
    unsigned place[4];
    int q, r;
    sheep__coordinates(s, sheep__a(action), &q, &r);
    sheep__tile_at(s, sheep__n(action), q, r, place);
    for (unsigned i = 0; i < 4 && after.n_cells < SHEEP_CELLS; i++)
        if (place[i] != SHEEP_OFF && after.at[place[i]] == SHEEP_NO_CELL)
            sheep__add_cell(&after, place[i]);
    lay(&after, nothing, ret);
}

// The whole board one coil further (BS6); rows stay rows, so places still ascend.
static void lay_shifted(const struct sheep *s, unsigned d, struct game_layout *ret) {
    game_layout_clear(ret);
    for (unsigned i = 0; i < s->n_cells; i++) {
        unsigned cell = s->order[i];
        unsigned place = sheep__place_at(s, s->q[cell] + sheep__dq[d], s->r[cell] + sheep__dr[d]);
        if (place != SHEEP_OFF)
            lay_cell(s, cell, place, nothing, ret);
    }
    free_places(s, ret);
}

// Whoever splits ends with a touch; where markers stand for sheep, the touch tells how many. A mistake is
// seen before it is confirmed, unless the count is the mistake.
static void ask_touch(const struct sheep *s, unsigned seat, game_action action, struct game_proof *ret) {
    struct game_visit touch = {GAME_TOUCH, sheep__done_place(s, seat), GAME_NONE};
    struct error err = {0};
    bool legal = sheep__check(s, (int)seat, action, &err) == ERROR_OK;
    bool counted = s->markers && s->confirm == SHEEP_BY_SPOT && (legal || strcmp(err.rule, "E_COUNT") == 0);
    if (s->confirm == SHEEP_BY_STILLNESS)
        return;
    if (s->confirm == SHEEP_BY_CONTROL)
        touch = (struct game_visit){GAME_CONTROL, GAME_NONE, SHEEP_CONTROL_DONE};
    else if (counted)
        touch.what = token_slot(s, sheep__n(action));
    if (legal || counted) {
        ret->needed[ret->n_needed] = touch;
        ret->needed[ret->n_needed++].type |= GAME_LAST;
    } else {
        ret->allowed[ret->n_allowed++] = touch;
    }
}

void sheep__proof(const void *state, int by, game_action action, struct game_proof *ret) {
    const struct sheep *s = state;
    struct moved moved = {(unsigned)by, SHEEP_NO_CELL, sheep__cell_at(s, sheep__a(action)), SHEEP_FLOCK};
    ret->n_needed = ret->n_allowed = 0;
    switch ((enum sheep_verb)sheep__verb(action)) {
    case SHEEP_V_TILE:
        lay_tile(s, action, &ret->layout);
        return;
    case SHEEP_V_PLACE:
        lay(s, moved, &ret->layout);
        return;
    case SHEEP_V_SPLIT:
        moved.from = moved.to;
        moved.to = sheep__cell_at(s, sheep__b(action));
        moved.n = sheep__n(action);
        if (s->markers && moved.from != SHEEP_NO_CELL && moved.n >= s->size[moved.from])
            moved.n = s->size[moved.from] - 1u; // the marker stays: only the number is wrong
        lay(s, moved, &ret->layout);
        ask_touch(s, (unsigned)by, action, ret);
        return;
    case SHEEP_V_SHIFT:
        lay_shifted(s, sheep__n(action), &ret->layout);
        return;
    case SHEEP_V_PASS:
    case SHEEP_VERBS:
        break;
    }
    lay(s, nothing, &ret->layout);
}
