// The lattice of pads and the pasture on it (battle-sheep.md 1.1, 1.2). hex.0,0 is the middle of the lattice;
// row r is shifted by half a pad against its neighbours.
#include "games/battle_sheep/battle_sheep.h"
#include <string.h>

const int8_t sheep__dq[6] = {1, 1, 0, -1, -1, 0};
const int8_t sheep__dr[6] = {0, -1, -1, 0, 1, 1};

// Cells of the three orientations, relative to the anchor.
const int8_t sheep__tile_cells[SHEEP_TURNS][4][2] = {
    {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {1, -1}, {2, -1}}, {{0, 0}, {0, 1}, {-1, 1}, {-1, 2}}};

// Half of r, rounded down.
static int half(int r) {
    return (r - (r & 1)) / 2;
}

unsigned sheep__place_at(const struct sheep *s, int q, int r) {
    int y = r + s->rows / 2, x = q + half(r) + s->columns / 2;
    if (y < 0 || y >= s->rows || x < 0 || x >= s->columns)
        return SHEEP_OFF;
    return (unsigned)(y * s->columns + x);
}

void sheep__coordinates(const struct sheep *s, unsigned place, int *ret_q, int *ret_r) {
    *ret_r = (int)(place / s->columns) - s->rows / 2;
    *ret_q = (int)(place % s->columns) - half(*ret_r) - s->columns / 2;
}

unsigned sheep__cell_at(const struct sheep *s, unsigned place) {
    return place < sheep__lattice(s) ? s->at[place] : SHEEP_NO_CELL;
}

void sheep__tile_at(const struct sheep *s, unsigned k, int q, int r, unsigned ret[4]) {
    for (unsigned i = 0; i < 4; i++)
        ret[i] = sheep__place_at(s, q + sheep__tile_cells[k][i][0], r + sheep__tile_cells[k][i][1]);
}

void sheep__add_cell(struct sheep *s, unsigned place) {
    unsigned cell = s->n_cells++, at = cell;
    int q, r;
    sheep__coordinates(s, place, &q, &r);
    s->q[cell] = (int8_t)q;
    s->r[cell] = (int8_t)r;
    s->place[cell] = (uint16_t)place;
    s->at[place] = (uint8_t)cell;
    for (; at > 0 && s->place[s->order[at - 1]] > place; at--)
        s->order[at] = s->order[at - 1];
    s->order[at] = (uint8_t)cell;
    for (unsigned d = 0; d < 6; d++) {
        unsigned other = sheep__cell_at(s, sheep__place_at(s, q + sheep__dq[d], r + sheep__dr[d]));
        s->next[cell][d] = (uint8_t)other;
        if (other == SHEEP_NO_CELL)
            continue;
        s->next[other][(d + 3) % 6] = (uint8_t)cell;
        s->near[cell] |= sheep__bit(other);
        s->near[other] |= sheep__bit(cell);
    }
}

// Floods the empty cells of the bounding box widened by one from a corner (battle-sheep.md 3). The box lies
// skewed: rows of axial coordinates.
void sheep__find_border(struct sheep *s) {
    enum { SIDE = 128 }; // 64 cells in a row, their rim, a skew of half as many rows
    int q0 = 127, q1 = -128, r0 = 127, r1 = -128;
    s->border = 0;
    for (unsigned c = 0; c < s->n_cells; c++) {
        q0 = s->q[c] < q0 ? s->q[c] : q0;
        q1 = s->q[c] > q1 ? s->q[c] : q1;
        r0 = s->r[c] < r0 ? s->r[c] : r0;
        r1 = s->r[c] > r1 ? s->r[c] : r1;
    }
    int width = q1 - q0 + 3, height = r1 - r0 + 3, n = 0;
    uint8_t cell[66 * SIDE];
    uint16_t todo[66 * SIDE];
    if (s->n_cells == 0 || width > SIDE || height > 66)
        return;
    memset(cell, SHEEP_NO_CELL, (size_t)width * (size_t)height);
    for (unsigned c = 0; c < s->n_cells; c++)
        cell[(s->r[c] - r0 + 1) * width + s->q[c] - q0 + 1] = (uint8_t)c;
    enum { FLOODED = 0xfe };
    cell[0] = FLOODED;
    todo[n++] = 0;
    while (n > 0) {
        int at = todo[--n], x = at % width, y = at / width;
        for (unsigned d = 0; d < 6; d++) {
            int nx = x + sheep__dq[d], ny = y + sheep__dr[d];
            if (nx < 0 || nx >= width || ny < 0 || ny >= height)
                continue;
            uint8_t *other = &cell[ny * width + nx];
            if (*other == SHEEP_NO_CELL) {
                *other = FLOODED;
                todo[n++] = (uint16_t)(ny * width + nx);
            } else if (*other != FLOODED) {
                s->border |= sheep__bit(*other);
            }
        }
    }
}

// ---- tiles

static bool touches(const struct sheep *s, unsigned place) {
    int q, r;
    sheep__coordinates(s, place, &q, &r);
    for (unsigned d = 0; d < 6; d++)
        if (sheep__cell_at(s, sheep__place_at(s, q + sheep__dq[d], r + sheep__dr[d])) != SHEEP_NO_CELL)
            return true;
    return false;
}

enum sheep_fit sheep__fit_tile(const struct sheep *s, const unsigned place[4]) {
    bool off = false, touching = s->n_cells == 0;
    for (unsigned i = 0; i < 4; i++) {
        if (sheep__cell_at(s, place[i]) != SHEEP_NO_CELL)
            return SHEEP_OVERLAPS;
        off |= place[i] == SHEEP_OFF;
    }
    for (unsigned i = 0; i < 4 && !touching; i++)
        touching = place[i] != SHEEP_OFF && touches(s, place[i]);
    return !touching ? SHEEP_LONELY : off ? SHEEP_OFF_LATTICE : SHEEP_FITS;
}

bool sheep__tile_beside(const struct sheep *s, unsigned cell, unsigned d, unsigned which, unsigned *ret_place,
                        unsigned *ret_k) {
    unsigned k = which / 4;
    const int8_t(*tile)[2] = sheep__tile_cells[k], *own = tile[which % 4];
    int q = s->q[cell] + sheep__dq[d] - own[0], r = s->r[cell] + sheep__dr[d] - own[1];
    *ret_k = k;
    *ret_place = SHEEP_OFF;
    for (unsigned j = 0; j < 4; j++) {
        unsigned place = sheep__place_at(s, q + tile[j][0], r + tile[j][1]);
        if (place == SHEEP_OFF || s->at[place] != SHEEP_NO_CELL)
            return false;
        if (j == 0)
            *ret_place = place; // the anchor
    }
    return true;
}

bool sheep__any_tile(const struct sheep *s) {
    unsigned place, k;
    if (s->n_cells == 0)
        return true;
    if (s->n_cells + 4 > SHEEP_CELLS)
        return false;
    for (unsigned c = s->n_cells; c-- > 0;)
        for (unsigned d = 0; d < 6; d++)
            for (unsigned which = 0; s->next[c][d] == SHEEP_NO_CELL && which < 4 * SHEEP_TURNS; which++)
                if (sheep__tile_beside(s, c, d, which, &place, &k))
                    return true;
    return false;
}

// ---- stacks

unsigned sheep__slide(const struct sheep *s, unsigned cell, unsigned d) {
    uint64_t taken = sheep__taken(s);
    unsigned end = SHEEP_NO_CELL;
    for (unsigned at = s->next[cell][d]; at != SHEEP_NO_CELL && !(taken >> at & 1); at = s->next[at][d])
        end = at;
    return end;
}

bool sheep__can_split(const struct sheep *s, unsigned seat) {
    uint64_t empty = ~sheep__taken(s);
    for (uint64_t left = s->own[seat] & s->big; left; left &= left - 1)
        if (s->near[__builtin_ctzll(left)] & empty)
            return true;
    return false;
}

unsigned sheep__count_splits(const struct sheep *s, unsigned seat) {
    uint64_t empty = ~sheep__taken(s);
    unsigned n = 0;
    for (uint64_t left = s->own[seat] & s->big; left; left &= left - 1) {
        unsigned cell = (unsigned)__builtin_ctzll(left);
        n += (s->size[cell] - 1u) * (unsigned)__builtin_popcountll(s->near[cell] & empty);
    }
    return n;
}

unsigned sheep__herd(const struct sheep *s, unsigned seat) {
    unsigned best = 0;
    for (uint64_t left = s->own[seat]; left;) {
        uint64_t group = left & -left, edge = group;
        while (edge) {
            uint64_t more = s->near[__builtin_ctzll(edge)] & left & ~group;
            group |= more;
            edge = (edge & (edge - 1)) | more;
        }
        left &= ~group;
        unsigned n = (unsigned)__builtin_popcountll(group);
        best = n > best ? n : best;
    }
    return best;
}
