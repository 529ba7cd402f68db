// What actions do, who is out, who wins (battle-sheep.md 3).
#include "games/battle_sheep/battle_sheep.h"
#include <stdio.h>
#include <string.h>

static void say(struct game_notes *notes, enum sheep_line line, int a, int b, int c, int d) {
    game_note(notes, GAME_NOTE_SAY, line, a, b, c, d);
}

static unsigned next_seat(const struct sheep *s, unsigned seat) {
    return seat + 1 < s->seats ? seat + 1 : 0;
}

// ---- the end

static void count(const struct sheep *s, unsigned pastures[SHEEP_SEATS], unsigned herd[SHEEP_SEATS]) {
    for (unsigned seat = 0; seat < SHEEP_SEATS; seat++) {
        pastures[seat] = (unsigned)__builtin_popcountll(s->own[seat]);
        herd[seat] = sheep__herd(s, seat);
    }
}

// Most cells, then the largest herd among those, then all of them. *ret_tied: seats with most cells.
static unsigned winners(const struct sheep *s, unsigned *ret_tied) {
    unsigned pastures[SHEEP_SEATS], herd[SHEEP_SEATS], most = 0, largest = 0, won = 0;
    count(s, pastures, herd);
    *ret_tied = 0;
    for (unsigned p = 0; p < s->seats; p++)
        most = pastures[p] > most ? pastures[p] : most;
    for (unsigned p = 0; p < s->seats; p++)
        if (pastures[p] == most)
            *ret_tied |= 1u << p, largest = herd[p] > largest ? herd[p] : largest;
    for (unsigned p = 0; p < s->seats; p++)
        if (pastures[p] == most && herd[p] == largest)
            won |= 1u << p;
    return won;
}

static void finish(struct sheep *s, struct game_notes *notes) {
    unsigned tied;
    s->phase = SHEEP_OVER;
    s->winners = (uint8_t)winners(s, &tied);
    enum sheep_line line = s->winners & (s->winners - 1) ? SHEEP_L_SHARED
                           : tied & (tied - 1)           ? SHEEP_L_HERD
                                                         : SHEEP_L_WINS;
    for (unsigned p = 0; p < s->seats && notes; p++)
        if (s->winners >> p & 1)
            say(notes, line, (int)p, __builtin_popcountll(s->own[p]), 0, 0);
}

void sheep__result(const void *state, struct observe_result *ret) {
    const struct sheep *s = state;
    unsigned tied, pastures[SHEEP_SEATS], herd[SHEEP_SEATS];
    memset(ret, 0, sizeof *ret);
    ret->over = s->phase == SHEEP_OVER;
    if (!ret->over)
        return;
    ret->winners = s->winners;
    if (s->classic) {
        snprintf(ret->reason, sizeof ret->reason, "the other player cannot split");
        return;
    }
    count(s, pastures, herd);
    for (unsigned p = 0; p < s->seats; p++)
        ret->score[p] = (int32_t)pastures[p];
    winners(s, &tied);
    snprintf(ret->reason, sizeof ret->reason, "%s",
             s->winners & (s->winners - 1) ? "as many pastures and as large a herd"
             : tied & (tied - 1)           ? "as many pastures, the largest herd"
                                           : "most pastures");
}

// ---- turns of the last phase

static void eliminate(struct sheep *s, struct game_notes *notes) {
    unsigned before = s->n_eliminated, alone = s->seats;
    for (unsigned p = 0; p < s->seats; p++) {
        if (s->out >> p & 1 || sheep__can_split(s, p))
            continue;
        s->out |= (uint8_t)(1u << p);
        s->eliminated[s->n_eliminated++] = (uint8_t)p;
        say(notes, SHEEP_L_ELIMINATED, (int)p, 0, 0, 0);
    }
    if (s->n_eliminated == before || s->n_eliminated + 1 != s->seats)
        return;
    for (unsigned p = 0; p < s->seats; p++)
        alone = s->out >> p & 1 ? alone : p;
    say(notes, SHEEP_L_ALONE, (int)alone, 0, 0, 0);
}

// The first edition: only whose turn has begun is asked.
static void begin_classic_turn(struct sheep *s, unsigned seat, struct game_notes *notes) {
    s->turn = (uint8_t)seat;
    if (sheep__can_split(s, seat))
        return;
    s->phase = SHEEP_OVER;
    s->winners = (uint8_t)(((1u << s->seats) - 1) & ~(1u << seat));
    say(notes, SHEEP_L_ELIMINATED, (int)seat, 0, 0, 0);
    for (unsigned p = 0; p < s->seats; p++)
        if (p != seat)
            say(notes, SHEEP_L_STUCK, (int)p, 0, 0, 0);
}

static void begin_turn(struct sheep *s, unsigned seat, struct game_notes *notes) {
    if (s->classic) {
        begin_classic_turn(s, seat, notes);
        return;
    }
    eliminate(s, notes);
    if (s->n_eliminated == s->seats) {
        finish(s, notes);
        return;
    }
    while (s->out >> seat & 1)
        seat = next_seat(s, seat);
    s->turn = (uint8_t)seat;
}

void sheep__begin_move(struct sheep *s, struct game_notes *notes) {
    s->phase = SHEEP_MOVE;
    begin_turn(s, s->turn, notes);
    if (s->phase == SHEEP_MOVE)
        say(notes, SHEEP_L_MOVE, s->turn, 0, 0, 0);
}

// ---- actions

static void lay_tile(struct sheep *s, game_action action, struct game_notes *notes) {
    unsigned place[4], seat = s->turn;
    int q, r;
    sheep__coordinates(s, sheep__a(action), &q, &r);
    sheep__tile_at(s, sheep__n(action), q, r, place);
    if (s->n_cells == 0) {
        s->origin_q = (int16_t)q;
        s->origin_r = (int16_t)r;
    }
    for (unsigned i = 0; i < 4; i++)
        sheep__add_cell(s, place[i]);
    s->tiles_left[seat]--;
    say(notes, SHEEP_L_TILE, (int)seat, 0, 0, 0);
    unsigned next = next_seat(s, seat);
    for (unsigned i = 0; i < s->seats && s->tiles_left[next] == 0; i++)
        next = next_seat(s, next);
    // A lattice that has no room for one more ends the building; the tiles left stay in the box.
    if (s->tiles_left[next] > 0 && sheep__any_tile(s)) {
        s->turn = (uint8_t)next;
        return;
    }
    sheep__find_border(s);
    s->phase = SHEEP_PLACE;
    s->turn = 0;
    say(notes, SHEEP_L_PLACE, 0, 0, 0, 0);
}

static void set_stack(struct sheep *s, unsigned seat, unsigned cell, unsigned n) {
    s->own[seat] |= sheep__bit(cell);
    s->size[cell] = (uint8_t)n;
    s->big = n > 1 ? s->big | sheep__bit(cell) : s->big & ~sheep__bit(cell);
}

static void place_stack(struct sheep *s, game_action action, struct game_notes *notes) {
    unsigned seat = s->turn, next = next_seat(s, seat);
    set_stack(s, seat, sheep__cell_at(s, sheep__a(action)), SHEEP_FLOCK);
    say(notes, SHEEP_L_STACK, (int)seat, (int)sheep__a(action), 0, 0);
    for (unsigned i = 0; i < s->seats && s->own[next]; i++)
        next = next_seat(s, next);
    if (!s->own[next]) {
        s->turn = (uint8_t)next;
        say(notes, SHEEP_L_PLACE, (int)next, 0, 0, 0);
        return;
    }
    s->turn = 0;
    sheep__begin_move(s, notes);
}

static void split(struct sheep *s, game_action action, struct game_notes *notes) {
    unsigned seat = s->turn, n = sheep__n(action);
    unsigned from = s->at[sheep__a(action)], to = s->at[sheep__b(action)];
    set_stack(s, seat, from, s->size[from] - n);
    set_stack(s, seat, to, n);
    say(notes, SHEEP_L_SPLIT, (int)seat, (int)sheep__a(action), (int)sheep__b(action), (int)n);
    begin_turn(s, next_seat(s, seat), notes);
}

enum error_code sheep__apply(void *state, int by, game_action action, struct game_notes *notes,
                             struct error *err) {
    struct sheep *s = state;
    enum error_code code = sheep__check(s, by, action, err);
    if (code != ERROR_OK)
        return code;
    if (sheep__verb(action) == SHEEP_V_TILE)
        lay_tile(s, action, notes);
    else if (sheep__verb(action) == SHEEP_V_PLACE)
        place_stack(s, action, notes);
    else
        split(s, action, notes);
    return ERROR_OK;
}
