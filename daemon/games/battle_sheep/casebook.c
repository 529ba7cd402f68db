// Worked cases of battle-sheep.md section 8: a position is loaded, actions in the rules' notation are played
// by the engine, the keys of `after` are compared.
#include "games/casebook.h"
#include "games/battle_sheep/battle_sheep.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct game battle_sheep_game;
static const struct game *const game = &battle_sheep_game;

struct run {
    struct casebook_report *report;
    struct game_setup setup;
    const char *player[SHEEP_SEATS];
    struct sheep state;
    int16_t origin_q, origin_r; // where the case's 0,0 lies on the lattice
};

static bool only_keys(struct run *r, const json_t *object, const char *what, const char *const known[]) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return casebook_fail(r->report, what, "no object");
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        unsigned i = 0;
        while (known[i] && strcmp(known[i], key) != 0)
            i++;
        if (!known[i])
            return casebook_fail(r->report, "a known key", "%s: %s", what, key);
    }
    return true;
}

static int seat_of(const struct run *r, const char *id, size_t len) {
    for (int seat = 0; seat < r->setup.seats; seat++)
        if (strlen(r->player[seat]) == len && strncmp(r->player[seat], id, len) == 0)
            return seat;
    return -1;
}
static int seat_of_text(const struct run *r, const char *id) {
    return id ? seat_of(r, id, strlen(id)) : -1;
}

// ---- the lattice: as large as the case needs, the case in its middle

struct box {
    int q0, q1, r0, r1;
    bool any;
};

static bool take_coordinates(const char **at, int *ret_q, int *ret_r) {
    char *end;
    long q = strtol(*at, &end, 10);
    if (end == *at || *end != ',')
        return false;
    const char *second = end + 1;
    long r = strtol(second, &end, 10);
    if (end == second || q < -99 || q > 99 || r < -99 || r > 99)
        return false;
    *at = end;
    *ret_q = (int)q;
    *ret_r = (int)r;
    return true;
}

static void widen(struct box *box, int q, int r) {
    int skew = q + (r - (r & 1)) / 2; // column of a staggered row
    box->q0 = !box->any || skew < box->q0 ? skew : box->q0;
    box->q1 = !box->any || skew > box->q1 ? skew : box->q1;
    box->r0 = !box->any || r < box->r0 ? r : box->r0;
    box->r1 = !box->any || r > box->r1 ? r : box->r1;
    box->any = true;
}

static void widen_by_cells(struct box *box, const char *cells) {
    int q, r;
    for (const char *at = cells; at && *(at += strspn(at, " "));) {
        if (!take_coordinates(&at, &q, &r))
            return; // said when it is loaded
        widen(box, q, r);
    }
}

// Tiles that are laid; refused ones may lie anywhere.
static void widen_by_tiles(struct box *box, const json_t *actions) {
    size_t i;
    json_t *one;
    json_array_foreach(actions, i, one) {
        const char *text = json_string_value(one), *at = text && text[0] == 'T' ? strchr(text, '@') : NULL;
        int q, r;
        if (!at || at - text < 3 || at[-1] < '0' || at[-1] >= '0' + SHEEP_TURNS)
            continue;
        const int8_t(*cell)[2] = sheep__tile_cells[at[-1] - '0'];
        if (at++, !take_coordinates(&at, &q, &r))
            continue;
        for (unsigned c = 0; c < 4; c++)
            widen(box, q + cell[c][0], r + cell[c][1]);
    }
}

static void choose_lattice(struct run *r, const json_t *before, const json_t *actions) {
    struct box box = {0};
    widen_by_cells(&box, json_string_value(json_object_get(before, "cells")));
    widen_by_tiles(&box, actions);
    int wide = box.q1 - box.q0 + 1, high = box.r1 - box.r0 + 1, rim = 3; // for tiles that are refused
    int columns = r->setup.options[SHEEP_OPTION_COLUMNS], rows = r->setup.options[SHEEP_OPTION_ROWS];
    while (rim > 0 && (wide + 2 * rim > 40 || (wide + 2 * rim) * (high + 2 * rim + 1) > SHEEP_LATTICE))
        rim--;
    if (wide + 2 * rim > columns || high + 2 * rim >= rows) {
        columns = wide + 2 * rim < 8 ? 8 : wide + 2 * rim;
        rows = high + 2 * rim + 1 < 6 ? 6 : high + 2 * rim + 1;
        while (columns * rows < 16 * r->setup.seats)
            rows++;
    }
    // Rows move by an even number: that keeps the stagger.
    int move_r = -box.r0 - rows / 2 + (rows - high) / 2;
    move_r += move_r & 1;
    r->origin_r = (int16_t)move_r;
    r->origin_q = (int16_t)(-box.q0 - columns / 2 + (columns - wide) / 2 - move_r / 2);
    r->setup.options[SHEEP_OPTION_COLUMNS] = columns;
    r->setup.options[SHEEP_OPTION_ROWS] = rows;
}

// ---- before

static bool read_players(struct run *r, const json_t *before) {
    const json_t *players = json_object_get(before, "players");
    size_t n = json_array_size(players);
    if (n < 2 || n > SHEEP_SEATS)
        return casebook_fail(r->report, "players: 2 to 4", "%zu", n);
    for (size_t i = 0; i < n; i++) {
        r->player[i] = json_string_value(json_array_get(players, i));
        if (!r->player[i] || !*r->player[i] || strchr(r->player[i], ' '))
            return casebook_fail(r->report, "players: ids", "number %zu", i + 1);
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->player[i], r->player[k]) == 0)
                return casebook_fail(r->report, "players: each once", "%s", r->player[i]);
    }
    r->setup.seats = (uint8_t)n;
    return true;
}

static bool set_up(struct run *r, const json_t *before, const json_t *actions) {
    struct game_issues issues = {0};
    struct error err = {0};
    const json_t *variant = json_object_get(before, "variant");
    game_setup_default(game, r->setup.seats, &r->setup);
    if (variant && (!json_is_string(variant) ||
                    game_setup_option(game, &r->setup, "variant", json_string_value(variant), &err)))
        return casebook_fail(r->report, "variant: standard or classic_splits", "%s", err.text);
    choose_lattice(r, before, actions);
    if (game->prepare(&r->setup, &issues, &err) != ERROR_OK)
        return casebook_fail(r->report, "a set-up the rules allow", "%s: %s", err.rule, err.text);
    game->init(&r->state, &r->setup);
    r->state.origin_q = r->origin_q;
    r->state.origin_r = r->origin_r;
    return true;
}

static bool read_cells(struct run *r, const json_t *value) {
    int q, rr;
    if (!value)
        return true;
    if (!json_is_string(value))
        return casebook_fail(r->report, "cells: text", "another type");
    for (const char *at = json_string_value(value); *(at += strspn(at, " "));) {
        if (!take_coordinates(&at, &q, &rr) || !strchr(" ", *at))
            return casebook_fail(r->report, "cells: q,r separated by blanks", "%s", at);
        unsigned place = sheep__place_at(&r->state, q + r->origin_q, rr + r->origin_r);
        if (place == SHEEP_OFF || r->state.n_cells == SHEEP_CELLS)
            return casebook_fail(r->report, "cells: at most 64 within the lattice", "%d,%d", q, rr);
        if (r->state.at[place] != SHEEP_NO_CELL)
            return casebook_fail(r->report, "cells: each once", "%d,%d", q, rr);
        sheep__add_cell(&r->state, place);
    }
    return true;
}

static unsigned cell_of(const struct run *r, const char *text) {
    int q, rr;
    const char *at = text;
    if (!take_coordinates(&at, &q, &rr) || *at)
        return SHEEP_NO_CELL;
    return sheep__cell_at(&r->state, sheep__place_at(&r->state, q + r->origin_q, rr + r->origin_r));
}

// `R16`: a player's id and a number.
static bool stack_of(const struct run *r, const char *text, int *ret_seat, unsigned *ret_n) {
    for (size_t len = text ? strlen(text) : 0; len-- > 1;) {
        if (strspn(text + len, "0123456789") != strlen(text + len) || strlen(text + len) > 2)
            return false;
        *ret_seat = seat_of(r, text, len);
        *ret_n = (unsigned)strtoul(text + len, NULL, 10);
        if (*ret_seat >= 0 && *ret_n >= 1 && *ret_n < SHEEP_COUNT_MAX)
            return true;
    }
    return false;
}

static bool read_stacks(struct run *r, json_t *value) {
    const char *key;
    json_t *one;
    if (value && !json_is_object(value))
        return casebook_fail(r->report, "stacks: an object", "another type");
    json_object_foreach(value, key, one) {
        int seat;
        unsigned n, cell = cell_of(r, key);
        if (cell == SHEEP_NO_CELL || !stack_of(r, json_string_value(one), &seat, &n))
            return casebook_fail(r->report, "stacks: a cell with a player and a number", "%s", key);
        if (sheep__taken(&r->state) >> cell & 1)
            return casebook_fail(r->report, "stacks: each cell once", "%s", key);
        r->state.own[seat] |= sheep__bit(cell);
        r->state.size[cell] = (uint8_t)n;
        r->state.big |= n > 1 ? sheep__bit(cell) : 0;
    }
    return true;
}

static bool read_tiles_left(struct run *r, json_t *value, unsigned phase) {
    const char *key;
    json_t *one;
    if (phase != SHEEP_BUILD)
        memset(r->state.tiles_left, 0, sizeof r->state.tiles_left);
    if (value && !json_is_object(value))
        return casebook_fail(r->report, "tiles_left: an object", "another type");
    json_object_foreach(value, key, one) {
        int seat = seat_of_text(r, key);
        json_int_t n = json_integer_value(one);
        if (seat < 0 || !json_is_integer(one) || n < 0 || n > SHEEP_TILES)
            return casebook_fail(r->report, "tiles_left: a player and 0 to 4", "%s", key);
        r->state.tiles_left[seat] = (uint8_t)n;
    }
    return true;
}

static int phase_of(const json_t *value) {
    int phase = 0;
    const char *text = json_string_value(value);
    while (text && sheep__phases[phase].id && strcmp(sheep__phases[phase].id, text) != 0)
        phase++;
    return text && sheep__phases[phase].id ? phase : -1;
}

static bool load(struct run *r, const json_t *before) {
    json_t *value = json_object_get(before, "phase");
    int phase = value ? phase_of(value) : SHEEP_MOVE, turn = 0;
    if (phase < 0)
        return casebook_fail(r->report, "phase: build, place, move or over", "another word");
    if ((value = json_object_get(before, "turn")) != NULL && !json_is_null(value)) {
        turn = seat_of_text(r, json_string_value(value));
        if (turn < 0)
            return casebook_fail(r->report, "turn: a player", "somebody else");
    }
    if (!read_cells(r, json_object_get(before, "cells")) ||
        !read_stacks(r, json_object_get(before, "stacks")) ||
        !read_tiles_left(r, json_object_get(before, "tiles_left"), (unsigned)phase))
        return false;
    r->state.phase = (uint8_t)phase;
    r->state.turn = (uint8_t)turn;
    if (phase != SHEEP_BUILD)
        sheep__find_border(&r->state);
    if (phase >= SHEEP_MOVE)
        sheep__begin_move(&r->state, NULL);
    if (phase == SHEEP_OVER && r->state.phase != SHEEP_OVER)
        return casebook_fail(r->report, "phase over: nobody can split", "somebody can");
    return true;
}

// ---- actions

static bool play_one(struct run *r, const json_t *one) {
    static const char *const keys[] = {"a", "expect", NULL};
    struct sheep before = r->state;
    struct error err = {0};
    const char *text = json_string_value(one), *expect = NULL;
    if (json_is_object(one)) {
        if (!only_keys(r, one, "action", keys))
            return false;
        text = json_string_value(json_object_get(one, "a"));
        expect = json_string_value(json_object_get(one, "expect"));
        if (!expect)
            return casebook_fail(r->report, "expect: a code", "none");
    }
    int by;
    game_action action;
    if (!text || !sheep_read(&r->state, r->player, text, &by, &action))
        return casebook_fail(r->report, "an action in the notation of section 4", "%s",
                             text ? text : "no text");
    bool done = game_act(game, &r->state, by, action, NULL, &err) == ERROR_OK;
    if (done && expect)
        return casebook_fail(r->report, expect, "%s: accepted", text);
    if (!done && memcmp(&before, &r->state, sizeof before) != 0)
        return casebook_fail(r->report, "a refused action changes nothing", "%s", text);
    if (!done && (!expect || strcmp(expect, err.rule) != 0))
        return casebook_fail(r->report, expect ? expect : "accepted", "%s: %s (%s)", text, err.rule,
                             err.text);
    r->state.origin_q = r->origin_q; // a case may begin elsewhere than at 0,0
    r->state.origin_r = r->origin_r;
    return true;
}

static bool play(struct run *r, const json_t *actions) {
    size_t i;
    json_t *one;
    if (actions && !json_is_array(actions))
        return casebook_fail(r->report, "actions: a list", "another type");
    json_array_foreach(actions, i, one) if (!play_one(r, one)) return false;
    return true;
}

// ---- after

static bool same_number(struct run *r, const char *key, const json_t *value, unsigned got) {
    char expected[64];
    if (!json_is_integer(value))
        return casebook_fail(r->report, "a number", "%s: another type", key);
    snprintf(expected, sizeof expected, "%s: %" JSON_INTEGER_FORMAT, key, json_integer_value(value));
    return json_integer_value(value) == (json_int_t)got ||
           casebook_fail(r->report, expected, "%s: %u", key, got);
}

static unsigned pastures_of(const struct sheep *s, unsigned seat) {
    return (unsigned)__builtin_popcountll(s->own[seat]);
}
static unsigned tiles_of(const struct sheep *s, unsigned seat) {
    return s->tiles_left[seat];
}

static bool same_numbers(struct run *r, const char *what, json_t *value,
                         unsigned (*got)(const struct sheep *s, unsigned seat)) {
    const char *key;
    json_t *one;
    if (!json_is_object(value))
        return casebook_fail(r->report, "a number for each player", "%s: another type", what);
    json_object_foreach(value, key, one) {
        char name[96];
        int seat = seat_of_text(r, key);
        snprintf(name, sizeof name, "%s: %s", what, key);
        if (seat < 0)
            return casebook_fail(r->report, "a player", "%s", name);
        if (!same_number(r, name, one, got(&r->state, (unsigned)seat)))
            return false;
    }
    return true;
}

static bool same_seats(struct run *r, const char *what, const json_t *value, const uint8_t *got, unsigned n) {
    char expected[CASEBOOK_TEXT_MAX] = "", have[256] = "";
    size_t at = 0, len = 0;
    if (!json_is_array(value))
        return casebook_fail(r->report, "a list of players", "%s: another type", what);
    bool same = json_array_size(value) == n;
    for (size_t i = 0; i < json_array_size(value) && at < sizeof expected - 64; i++) {
        const char *id = json_string_value(json_array_get(value, i));
        at += (size_t)snprintf(expected + at, sizeof expected - at, "%s%.32s", i ? " " : "", id ? id : "?");
        same &= i < n && seat_of_text(r, id) == got[i];
    }
    for (unsigned i = 0; i < n && len < sizeof have - 64; i++)
        len += (size_t)snprintf(have + len, sizeof have - len, "%s%.32s", i ? " " : "", r->player[got[i]]);
    return same || casebook_fail(r->report, expected, "%s: %s", what, have);
}

static bool same_stacks(struct run *r, json_t *value) {
    const char *key;
    json_t *one;
    uint64_t named = 0;
    if (!json_is_object(value))
        return casebook_fail(r->report, "stacks: an object", "another type");
    json_object_foreach(value, key, one) {
        int seat;
        unsigned n, cell = cell_of(r, key);
        if (cell == SHEEP_NO_CELL || !stack_of(r, json_string_value(one), &seat, &n))
            return casebook_fail(r->report, "stacks: a cell with a player and a number", "%s", key);
        if (!(r->state.own[seat] >> cell & 1) || r->state.size[cell] != n)
            return casebook_fail(r->report, json_string_value(one), "stacks: %s has %d", key,
                                 r->state.size[cell]);
        named |= sheep__bit(cell);
    }
    uint64_t more = sheep__taken(&r->state) & ~named;
    if (more) {
        unsigned c = (unsigned)__builtin_ctzll(more);
        return casebook_fail(r->report, "stacks: no others", "%d,%d has %d", r->state.q[c] - r->origin_q,
                             r->state.r[c] - r->origin_r, r->state.size[c]);
    }
    return true;
}

// `0,0 d0 7,0`: from, direction, end. An end `none` is a blocked direction.
static bool same_slide(struct run *r, const char *text) {
    char from[24], to[24];
    int d, used = 0;
    if (!text || sscanf(text, "%23s d%d %23s%n", from, &d, to, &used) != 3 || text[used] || d < 0 || d > 5)
        return casebook_fail(r->report, "slides: from dK to", "%s", text ? text : "no text");
    unsigned cell = cell_of(r, from);
    if (cell == SHEEP_NO_CELL)
        return casebook_fail(r->report, "slides: a cell", "%s", from);
    unsigned end = sheep__slide(&r->state, cell, (unsigned)d);
    bool blocked = strcmp(to, "none") == 0 || strcmp(to, "-") == 0;
    if (end == SHEEP_NO_CELL)
        return blocked || casebook_fail(r->report, text, "slides: blocked");
    return (!blocked && cell_of(r, to) == end) ||
           casebook_fail(r->report, text, "slides: to %d,%d", r->state.q[end] - r->origin_q,
                         r->state.r[end] - r->origin_r);
}
static bool same_slides(struct run *r, json_t *value) {
    size_t i;
    json_t *one;
    if (!json_is_array(value))
        return casebook_fail(r->report, "slides: a list", "another type");
    json_array_foreach(value, i, one) if (!same_slide(r, json_string_value(one))) return false;
    return true;
}

static bool same_result(struct run *r, json_t *value) {
    static const char *const keys[] = {"pastures", "herd", "winners", NULL};
    struct observe_result result;
    uint8_t won[SHEEP_SEATS];
    unsigned n = 0;
    game->result(&r->state, &result);
    if (json_is_null(value))
        return !result.over || casebook_fail(r->report, "result: none", "the game is over");
    if (!result.over)
        return casebook_fail(r->report, "a result", "the game is not over");
    if (!only_keys(r, value, "result", keys))
        return false;
    for (unsigned seat = 0; seat < r->setup.seats; seat++)
        if (result.winners >> seat & 1)
            won[n++] = (uint8_t)seat;
    json_t *pastures = json_object_get(value, "pastures"), *herd = json_object_get(value, "herd");
    json_t *winners = json_object_get(value, "winners");
    return (!pastures || same_numbers(r, "pastures", pastures, pastures_of)) &&
           (!herd || same_numbers(r, "herd", herd, sheep__herd)) &&
           (!winners || same_seats(r, "winners", winners, won, n));
}

static bool same_turn(struct run *r, const json_t *value) {
    const char *got = r->state.phase == SHEEP_OVER ? "none" : r->player[r->state.turn];
    const char *expected = json_is_null(value) ? "none" : json_string_value(value);
    return (expected && strcmp(expected, got) == 0) ||
           casebook_fail(r->report, expected ? expected : "a player", "turn: %s", got);
}

static unsigned outer(const struct sheep *s) {
    struct sheep copy = *s;
    sheep__find_border(&copy);
    return (unsigned)__builtin_popcountll(copy.border);
}

static bool same_phase(struct run *r, const json_t *value) {
    const char *text = json_string_value(value), *got = sheep__phases[r->state.phase].id;
    return (text && strcmp(text, got) == 0) ||
           casebook_fail(r->report, text ? text : "a phase", "phase: %s", got);
}

static bool compare_one(struct run *r, const char *key, json_t *value) {
    if (strcmp(key, "phase") == 0)
        return same_phase(r, value);
    if (strcmp(key, "turn") == 0)
        return same_turn(r, value);
    if (strcmp(key, "cells") == 0)
        return same_number(r, key, value, r->state.n_cells);
    if (strcmp(key, "outer") == 0)
        return same_number(r, key, value, outer(&r->state));
    if (strcmp(key, "legal") == 0)
        return same_numbers(r, key, value, sheep__count_splits);
    if (strcmp(key, "tiles_left") == 0)
        return same_numbers(r, key, value, tiles_of);
    if (strcmp(key, "stacks") == 0)
        return same_stacks(r, value);
    if (strcmp(key, "slides") == 0)
        return same_slides(r, value);
    if (strcmp(key, "eliminated") == 0)
        return same_seats(r, key, value, r->state.eliminated, r->state.n_eliminated);
    if (strcmp(key, "result") == 0)
        return same_result(r, value);
    return casebook_fail(r->report, "a known key", "after: %s", key);
}

// ---- a case

static void run_case(struct run *r, const json_t *root) {
    static const char *const keys[] = {"id", "title", "source", "before", "actions", "after", "note", NULL};
    static const char *const given[] = {"players", "phase",   "turn",       "cells",
                                        "stacks",  "variant", "tiles_left", NULL};
    json_t *before = json_object_get(root, "before"), *actions = json_object_get(root, "actions");
    json_t *after = json_object_get(root, "after"), *value;
    const char *key;
    if (!only_keys(r, root, "case", keys) || !only_keys(r, before, "before", given))
        return;
    if (!json_is_object(after) || json_object_size(after) == 0) {
        casebook_fail(r->report, "after: what is to be compared", "nothing");
        return;
    }
    if (!read_players(r, before) || !set_up(r, before, actions) || !load(r, before) || !play(r, actions))
        return;
    json_object_foreach(after, key, value) if (!compare_one(r, key, value)) return;
}

static void battle_sheep_run(const struct casebook_case *one, struct casebook_report *ret) {
    struct run run = {.report = ret};
    json_error_t error;
    json_t *root = json_loads(one->text, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root))
        casebook_fail(run.report, "a case as a JSON object", "%s", root ? "another type" : error.text);
    else
        run_case(&run, root);
    json_decref(root);
    ret->passed = !ret->failed;
}

extern const struct casebook battle_sheep_casebook;
const struct casebook battle_sheep_casebook = {"battle_sheep", battle_sheep_run};
