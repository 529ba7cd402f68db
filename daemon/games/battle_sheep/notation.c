// The rules' own notation (battle-sheep.md 4). Its coordinates count from the first tile's anchor; places of
// the lattice are fixed.
#include "games/battle_sheep/battle_sheep.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    const char *at;
};

static bool sign(struct text *text, char c) {
    if (*text->at != c)
        return false;
    text->at++;
    return true;
}

static bool blanks(struct text *text) {
    size_t n = strspn(text->at, " ");
    text->at += n;
    return n > 0;
}

static bool number(struct text *text, int *ret) {
    char *end;
    if (!strchr("-0123456789", *text->at) || !*text->at)
        return false;
    long n = strtol(text->at, &end, 10);
    if (end == text->at || n < -999 || n > 999)
        return false;
    text->at = end;
    *ret = (int)n;
    return true;
}

static bool below(struct text *text, char c, int end, int *ret) { // O2, d5
    return sign(text, c) && number(text, ret) && *ret >= 0 && *ret < end;
}

static bool cell(const struct sheep *s, struct text *text, unsigned *ret) {
    int q, r;
    if (!number(text, &q) || !sign(text, ',') || !number(text, &r))
        return false;
    *ret = sheep__place_at(s, q + s->origin_q, r + s->origin_r);
    return true;
}

static bool player(const struct sheep *s, const char *const players[SHEEP_SEATS], struct text *text,
                   int *ret) {
    size_t len = strcspn(text->at, " ");
    for (int seat = 0; seat < s->seats; seat++) {
        const char label[2] = {sheep__labels[seat], '\0'};
        const char *id = players && players[seat] ? players[seat] : label;
        if (strlen(id) != len || strncmp(id, text->at, len) != 0)
            continue;
        text->at += len;
        *ret = seat;
        return true;
    }
    return false;
}

static bool read_split(const struct sheep *s, struct text *text, game_action *ret) {
    unsigned from, to = 0;
    int d = 0, n;
    bool by_end;
    if (!cell(s, text, &from))
        return false;
    by_end = sign(text, '>');
    if (by_end ? !cell(s, text, &to) : !blanks(text) || !below(text, 'd', 6, &d))
        return false;
    if (!blanks(text) || !number(text, &n))
        return false;
    unsigned count = n < 0 || n > SHEEP_COUNT_MAX ? SHEEP_COUNT_MAX : (unsigned)n;
    *ret = by_end ? sheep__pack(SHEEP_V_SPLIT, from, to, count)
                  : sheep__split_direction(s, from, (unsigned)d, count);
    return true;
}

bool sheep_read(const struct sheep *s, const char *const players[SHEEP_SEATS], const char *line, int *ret_by,
                game_action *ret) {
    struct text text = {line + strspn(line, " ")};
    char what = *text.at ? *text.at++ : '\0';
    unsigned place;
    int k;
    if (!blanks(&text) || !player(s, players, &text, ret_by))
        return false;
    if (what != 'X' && !blanks(&text))
        return false;
    switch (what) {
    case 'T':
        if (!below(&text, 'O', SHEEP_TURNS, &k) || !sign(&text, '@') || !cell(s, &text, &place))
            return false;
        *ret = sheep__pack(SHEEP_V_TILE, place, 0, (unsigned)k);
        break;
    case 'P':
        if (!cell(s, &text, &place))
            return false;
        *ret = sheep__pack(SHEEP_V_PLACE, place, 0, 0);
        break;
    case 'M':
        if (!read_split(s, &text, ret))
            return false;
        break;
    case 'X':
        *ret = sheep__pack(SHEEP_V_PASS, 0, 0, 0);
        break;
    default:
        return false;
    }
    blanks(&text);
    return *text.at == '\0';
}

// ---- writing

// As the rules count; before the first tile, as the tile to be laid will make them count.
static void relative(const struct sheep *s, unsigned place, int *ret_q, int *ret_r) {
    *ret_q = *ret_r = 0;
    if (s->n_cells == 0 || place >= sheep__lattice(s))
        return;
    sheep__coordinates(s, place, ret_q, ret_r);
    *ret_q -= s->origin_q;
    *ret_r -= s->origin_r;
}

static unsigned direction_to(const struct sheep *s, unsigned from, unsigned to) {
    unsigned a = sheep__cell_at(s, from), b = sheep__cell_at(s, to), d = 0;
    while (d < 6 && (a == SHEEP_NO_CELL || b == SHEEP_NO_CELL || sheep__slide(s, a, d) != b))
        d++;
    return d;
}

void sheep_write(const struct sheep *s, int by, game_action action, bool by_direction, char ret[SHEEP_TEXT]) {
    char id = by >= 0 && by < SHEEP_SEATS ? sheep__labels[by] : '-';
    unsigned a = sheep__a(action), b = sheep__b(action), n = sheep__n(action);
    int q, r, q2, r2;
    relative(s, a, &q, &r);
    switch ((enum sheep_verb)sheep__verb(action)) {
    case SHEEP_V_TILE:
        snprintf(ret, SHEEP_TEXT, "T %c O%u@%d,%d", id, n, q, r);
        return;
    case SHEEP_V_PLACE:
        snprintf(ret, SHEEP_TEXT, "P %c %d,%d", id, q, r);
        return;
    case SHEEP_V_SPLIT: {
        bool blocked = b & SHEEP_TO_DIRECTION;
        unsigned d = blocked ? b & 7 : by_direction ? direction_to(s, a, b) : 6;
        relative(s, b, &q2, &r2);
        if (d < 6)
            snprintf(ret, SHEEP_TEXT, "M %c %d,%d d%u %u", id, q, r, d, n);
        else
            snprintf(ret, SHEEP_TEXT, "M %c %d,%d>%d,%d %u", id, q, r, q2, r2, n);
        return;
    }
    case SHEEP_V_PASS:
    case SHEEP_V_SHIFT:
    case SHEEP_VERBS:
        break;
    }
    snprintf(ret, SHEEP_TEXT, "X %c", id);
}

size_t sheep_board(const struct sheep *s, char *ret, size_t cap) {
    size_t len = 0;
    char word[SHEEP_TEXT];
    for (unsigned i = 0; i <= s->n_cells; i++) {
        unsigned c = i < s->n_cells ? s->order[i] : 0, owner = 0;
        int n = 0;
        if (i == s->n_cells) {
            n = s->phase == SHEEP_OVER ? snprintf(word, sizeof word, "|none")
                                       : snprintf(word, sizeof word, "|%c", sheep__labels[s->turn]);
        } else {
            while (owner < SHEEP_SEATS && !(s->own[owner] >> c & 1))
                owner++;
            n = snprintf(word, sizeof word, "%s%d,%d", i ? " " : "", s->q[c] - s->origin_q,
                         s->r[c] - s->origin_r);
            if (owner < SHEEP_SEATS)
                n += snprintf(word + n, sizeof word - (size_t)n, "=%c%d", sheep__labels[owner], s->size[c]);
        }
        if (len + (size_t)n < cap)
            memcpy(ret + len, word, (size_t)n + 1);
        len += (size_t)n;
    }
    return len;
}

// ---- the same for every line of the daemon

bool sheep__short_read(const void *state, const char *line, int *ret_by, game_action *ret) {
    return sheep_read(state, NULL, line, ret_by, ret);
}

bool sheep__short_write(const void *state, int by, game_action action, char ret[GAME_SHORT_MAX]) {
    if (sheep__verb(action) >= SHEEP_V_SHIFT)
        return false;
    sheep_write(state, by, action, false, ret);
    return true;
}
