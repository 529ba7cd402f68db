// What is legal and why not (battle-sheep.md 3, 5). `legal`, `apply` and `mistakes` all ask `check`.
#include "games/battle_sheep/battle_sheep.h"
#include <string.h>

// ---- one action

static enum error_code no_cell(const struct sheep *s, unsigned place, struct error *err) {
    int q, r;
    if (place >= sheep__lattice(s))
        return error_illegal(err, "E_NOT_CELL", "there is no pasture");
    sheep__coordinates(s, place, &q, &r);
    return error_illegal(err, "E_NOT_CELL", "hex.%d,%d is no pasture", q, r);
}

static enum error_code check_tile(const struct sheep *s, int by, game_action action, struct error *err) {
    unsigned place[4];
    int q, r;
    if (s->tiles_left[by] == 0)
        return error_illegal(err, "E_NO_TILE", "all tiles of this player are laid");
    if (sheep__a(action) == SHEEP_OFF)
        return error_illegal(err, "E_TILE_NOT_TOUCHING", "the tile lies beyond the pads");
    sheep__coordinates(s, sheep__a(action), &q, &r);
    sheep__tile_at(s, sheep__n(action), q, r, place);
    switch (sheep__fit_tile(s, place)) {
    case SHEEP_OVERLAPS:
        return error_illegal(err, "E_TILE_OVERLAP", "the tile lies on another one");
    case SHEEP_LONELY:
        return error_illegal(err, "E_TILE_NOT_TOUCHING", "the tile must share a side with the pasture");
    case SHEEP_OFF_LATTICE:
        return error_illegal(err, "E_OFF_LATTICE", "the tile does not fit on the pads");
    case SHEEP_FITS:
        break;
    }
    return ERROR_OK;
}

static enum error_code check_place(const struct sheep *s, game_action action, struct error *err) {
    unsigned cell = sheep__cell_at(s, sheep__a(action));
    if (cell == SHEEP_NO_CELL)
        return no_cell(s, sheep__a(action), err);
    if (sheep__taken(s) >> cell & 1)
        return error_illegal(err, "E_OCCUPIED", "another stack is there");
    if (!(s->border >> cell & 1))
        return error_illegal(err, "E_NOT_OUTER", "hex.%d,%d is not on the outside border", s->q[cell],
                             s->r[cell]);
    return ERROR_OK;
}

// The direction from one cell to another on one line, 6 if there is none.
static unsigned direction(const struct sheep *s, unsigned from, unsigned to, unsigned *ret_steps) {
    int dq = s->q[to] - s->q[from], dr = s->r[to] - s->r[from];
    int most = dq > 0 ? dq : -dq, other = dr > 0 ? dr : -dr;
    *ret_steps = (unsigned)(most > other ? most : other);
    for (unsigned d = 0; d < 6; d++)
        if (dq == sheep__dq[d] * (int)*ret_steps && dr == sheep__dr[d] * (int)*ret_steps)
            return d;
    return 6;
}

static enum error_code check_line(const struct sheep *s, unsigned from, unsigned to, struct error *err) {
    unsigned steps, d = direction(s, from, to, &steps), at = from;
    if (d == 6)
        return error_illegal(err, "E_NOT_STRAIGHT", "the two are not on one line");
    for (unsigned i = 1; i <= steps; i++) {
        at = s->next[at][d];
        if (at == SHEEP_NO_CELL)
            return error_illegal(err, "E_GAP", "a gap in the pasture stops the slide");
        if (sheep__taken(s) >> at & 1)
            return error_illegal(err, "E_JUMP", "sheep on hex.%d,%d stop the slide", s->q[at], s->r[at]);
    }
    unsigned end = sheep__slide(s, from, d);
    if (end != to)
        return error_illegal(err, "E_SHORT", "the slide goes on to hex.%d,%d", s->q[end], s->r[end]);
    return ERROR_OK;
}

static enum error_code check_split(const struct sheep *s, int by, game_action action, struct error *err) {
    unsigned from = sheep__cell_at(s, sheep__a(action)), n = sheep__n(action);
    bool by_direction = sheep__b(action) & SHEEP_TO_DIRECTION;
    unsigned to = by_direction ? from : sheep__cell_at(s, sheep__b(action));
    if (from == SHEEP_NO_CELL)
        return no_cell(s, sheep__a(action), err);
    if (to == SHEEP_NO_CELL)
        return no_cell(s, sheep__b(action), err);
    if (!(sheep__taken(s) >> from & 1))
        return error_illegal(err, "E_NO_STACK", "no sheep are on hex.%d,%d", s->q[from], s->r[from]);
    if (!(s->own[by] >> from & 1))
        return error_illegal(err, "E_NOT_YOURS", "this stack belongs to somebody else");
    if (n < 1 || n >= s->size[from])
        return error_illegal(err, "E_COUNT", "of %d sheep, at least one goes and at least one stays",
                             s->size[from]);
    if (by_direction)
        return error_illegal(err, "E_BLOCKED", "nobody can go there");
    if (sheep__taken(s) >> to & 1)
        return error_illegal(err, "E_OCCUPIED", "other sheep are on hex.%d,%d", s->q[to], s->r[to]);
    return check_line(s, from, to, err);
}

// Only what encode makes: no bit may stand where no argument is.
static bool is_well_formed(const struct sheep *s, game_action action) {
    unsigned verb = sheep__verb(action), a = sheep__a(action), b = sheep__b(action), n = sheep__n(action);
    bool has_place = a < sheep__lattice(s) || a == SHEEP_OFF;
    if (verb >= SHEEP_VERBS || action >> 35)
        return false;
    switch ((enum sheep_verb)verb) {
    case SHEEP_V_TILE:
        return has_place && b == 0 && n < SHEEP_TURNS;
    case SHEEP_V_PLACE:
        return has_place && b == 0 && n == 0;
    case SHEEP_V_SPLIT:
        return has_place && n <= SHEEP_COUNT_MAX &&
               (b < sheep__lattice(s) || b == SHEEP_OFF ||
                (b >= SHEEP_TO_DIRECTION && b < SHEEP_TO_DIRECTION + 6));
    case SHEEP_V_PASS:
        return a == 0 && b == 0 && n == 0;
    case SHEEP_V_SHIFT:
        return a == 0 && b == 0 && n < 6;
    case SHEEP_VERBS:
        break;
    }
    return false;
}

static enum error_code check_shift(const struct sheep *s, game_action action, struct error *err) {
    static const char *const said[6] = {
        "The pasture has slipped one pad to the east: push it back.",
        "The pasture has slipped one pad to the north-east: push it back.",
        "The pasture has slipped one pad to the north-west: push it back.",
        "The pasture has slipped one pad to the west: push it back.",
        "The pasture has slipped one pad to the south-west: push it back.",
        "The pasture has slipped one pad to the south-east: push it back.",
    };
    (void)s;
    return error_illegal(err, "E_SHIFTED", "%s", said[sheep__n(action)]);
}

enum error_code sheep__check(const struct sheep *s, int by, game_action action, struct error *err) {
    static const uint8_t when[SHEEP_VERBS] = {SHEEP_BUILD, SHEEP_PLACE, SHEEP_MOVE, SHEEP_MOVE, 0};
    if (!is_well_formed(s, action))
        return error_illegal(err, "E_NO_ACTION", "there is no such action");
    unsigned verb = sheep__verb(action);
    if (verb == SHEEP_V_SHIFT)
        return check_shift(s, action, err);
    if (s->phase != when[verb])
        return error_illegal(err, "E_PHASE", "this is not possible in this phase");
    if (by != s->turn)
        return error_illegal(err, "E_TURN", "it is the turn of seat %d", s->turn + 1);
    if (verb == SHEEP_V_TILE)
        return check_tile(s, by, action, err);
    if (verb == SHEEP_V_PLACE)
        return check_place(s, action, err);
    if (verb == SHEEP_V_SPLIT)
        return check_split(s, by, action, err);
    return error_illegal(err, "E_MUST_MOVE", "who can split must split");
}

// ---- all actions

struct list {
    game_action *action;
    size_t n, cap;
};
static void add(struct list *list, game_action action) {
    if (list->n++ < list->cap)
        list->action[list->n - 1] = action;
}
static void add_checked(struct list *list, const struct sheep *s, int by, bool legal, game_action action) {
    if ((sheep__check(s, by, action, NULL) == ERROR_OK) == legal)
        add(list, action);
}

static void add_tiles(struct list *list, const struct sheep *s, bool legal) {
    unsigned cells[4];
    int q, r;
    if (s->tiles_left[s->turn] == 0)
        return;
    for (unsigned place = 0; place < sheep__lattice(s); place++) {
        if (s->at[place] != SHEEP_NO_CELL)
            continue;
        sheep__coordinates(s, place, &q, &r);
        for (unsigned k = 0; k < SHEEP_TURNS; k++) {
            sheep__tile_at(s, k, q, r, cells);
            if (sheep__fit_tile(s, cells) == (legal ? SHEEP_FITS : SHEEP_LONELY))
                add(list, sheep__pack(SHEEP_V_TILE, place, 0, k));
        }
    }
}

static void add_places(struct list *list, const struct sheep *s, int by, bool legal) {
    for (unsigned i = 0; i < s->n_cells; i++)
        add_checked(list, s, by, legal, sheep__pack(SHEEP_V_PLACE, s->place[s->order[i]], 0, 0));
}

// Ends of the slides from a cell in ascending places; returns their number.
static unsigned slides(const struct sheep *s, unsigned cell, uint16_t ret[6]) {
    unsigned n = 0;
    for (unsigned d = 0; d < 6; d++) {
        unsigned end = sheep__slide(s, cell, d), at = n;
        if (end == SHEEP_NO_CELL)
            continue;
        for (; at > 0 && ret[at - 1] > s->place[end]; at--)
            ret[at] = ret[at - 1];
        ret[at] = s->place[end];
        n++;
    }
    return n;
}

static void add_splits(struct list *list, const struct sheep *s, unsigned seat) {
    uint16_t end[6];
    for (unsigned i = 0; i < s->n_cells; i++) {
        unsigned cell = s->order[i];
        unsigned n = s->own[seat] & s->big & sheep__bit(cell) ? slides(s, cell, end) : 0;
        for (unsigned e = 0; e < n; e++)
            for (unsigned count = 1; count < s->size[cell]; count++)
                add(list, sheep__pack(SHEEP_V_SPLIT, s->place[cell], end[e], count));
    }
}

size_t sheep__legal(const void *state, int by, game_action *ret, size_t cap) {
    const struct sheep *s = state;
    struct list list = {ret, 0, cap};
    if (by != s->turn || s->phase == SHEEP_OVER)
        return 0;
    if (s->phase == SHEEP_BUILD)
        add_tiles(&list, s, true);
    else if (s->phase == SHEEP_PLACE)
        add_places(&list, s, by, true);
    else
        add_splits(&list, s, (unsigned)by);
    return list.n;
}

// ---- mistakes: what hands may show although it is refused

// A marker does not tell how many sheep went: then the wrong end is one mistake, the wrong number another.
static void add_wrong_split(struct list *list, const struct sheep *s, unsigned by, unsigned from,
                            unsigned to) {
    bool wrong_end = false;
    for (unsigned n = 1; n <= (s->markers ? SHEEP_NUMBERS : s->size[from]) && !wrong_end; n++) {
        struct error err;
        game_action action = sheep__pack(SHEEP_V_SPLIT, s->place[from], s->place[to], n);
        if (sheep__check(s, (int)by, action, &err) == ERROR_OK)
            continue;
        add(list, action);
        wrong_end = s->markers && strcmp(err.rule, "E_COUNT") != 0;
    }
}

static void add_wrong_splits(struct list *list, const struct sheep *s, unsigned by) {
    for (unsigned i = 0; i < s->n_cells; i++)
        for (unsigned t = 0; t < s->n_cells && s->own[by] >> s->order[i] & 1; t++)
            if (t != i)
                add_wrong_split(list, s, by, s->order[i], s->order[t]);
}

size_t sheep__mistakes(const void *state, int by, game_action *ret, size_t cap) {
    const struct sheep *s = state;
    struct list list = {ret, 0, cap};
    if (s->phase == SHEEP_OVER || s->n_cells == 0)
        return 0;
    if (by == GAME_BY_TABLE)
        for (unsigned d = 0; d < 6; d++)
            add(&list, sheep__pack(SHEEP_V_SHIFT, 0, 0, d));
    if (by < 0 || by >= s->seats)
        return list.n;
    if (s->phase == SHEEP_BUILD && by == s->turn)
        add_tiles(&list, s, false);
    else if (s->phase == SHEEP_PLACE && s->own[by] == 0)
        add_places(&list, s, by, false);
    else if (s->phase == SHEEP_MOVE && by == s->turn)
        add_wrong_splits(&list, s, (unsigned)by);
    else if (s->phase == SHEEP_MOVE)
        add_splits(&list, s, (unsigned)by); // out of turn
    return list.n;
}

// ---- a quick random action

static unsigned draw(uint64_t *dice, unsigned below) { // a step of a multiplicative generator, then its top
    *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*dice >> 33) * below >> 31);
}

static unsigned pick_bit(uint64_t bits, uint64_t *dice) {
    unsigned skip = draw(dice, (unsigned)__builtin_popcountll(bits));
    while (skip-- > 0)
        bits &= bits - 1;
    return (unsigned)__builtin_ctzll(bits);
}

static bool random_tile(const struct sheep *s, int by, uint64_t dice, game_action *ret) {
    game_action all[GAME_ACTIONS_MAX];
    unsigned place, k;
    for (unsigned tries = 0; s->n_cells > 0 && tries < 64; tries++) {
        unsigned cell = draw(&dice, s->n_cells), d = draw(&dice, 6);
        if (s->next[cell][d] != SHEEP_NO_CELL ||
            !sheep__tile_beside(s, cell, d, draw(&dice, 4 * SHEEP_TURNS), &place, &k))
            continue;
        *ret = sheep__pack(SHEEP_V_TILE, place, 0, k);
        return true;
    }
    for (unsigned tries = 0; s->n_cells == 0 && tries < 64; tries++) {
        *ret = sheep__pack(SHEEP_V_TILE, draw(&dice, sheep__lattice(s)), 0, draw(&dice, SHEEP_TURNS));
        if (sheep__check(s, by, *ret, NULL) == ERROR_OK)
            return true;
    }
    size_t n = sheep__legal(s, by, all, GAME_ACTIONS_MAX);
    if (n > 0)
        *ret = all[draw(&dice, (unsigned)n)];
    return n > 0;
}

static bool random_split(const struct sheep *s, unsigned seat, uint64_t dice, game_action *ret) {
    uint64_t empty = ~sheep__taken(s);
    unsigned total = sheep__count_splits(s, seat);
    if (total == 0)
        return false;
    unsigned left = draw(&dice, total);
    for (uint64_t own = s->own[seat] & s->big;; own &= own - 1) {
        unsigned cell = (unsigned)__builtin_ctzll(own), most = s->size[cell] - 1u;
        unsigned here = most * (unsigned)__builtin_popcountll(s->near[cell] & empty);
        if (left >= here) {
            left -= here;
            continue;
        }
        unsigned skip = left / most, d = 0;
        for (;; d++) {
            unsigned next = s->next[cell][d];
            if (next != SHEEP_NO_CELL && empty >> next & 1 && skip-- == 0)
                break;
        }
        *ret =
            sheep__pack(SHEEP_V_SPLIT, s->place[cell], s->place[sheep__slide(s, cell, d)], left % most + 1);
        return true;
    }
}

bool sheep__random(const void *state, int by, uint64_t dice, game_action *ret) {
    const struct sheep *s = state;
    if (by != s->turn || s->phase == SHEEP_OVER)
        return false;
    if (s->phase == SHEEP_BUILD)
        return random_tile(s, by, dice, ret);
    if (s->phase == SHEEP_MOVE)
        return random_split(s, (unsigned)by, dice, ret);
    uint64_t free = s->border & ~sheep__taken(s);
    if (free)
        *ret = sheep__pack(SHEEP_V_PLACE, s->place[pick_bit(free, &dice)], 0, 0);
    return free != 0;
}
