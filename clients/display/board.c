// The board: each place at its own coordinates, in the shape its name asks for; what lies open by its name,
// what lies hidden as a back. Rows of shapes, no branch for a game.
#include "core/phrase.h"
#include "page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum shape { SHAPE_NONE, SHAPE_CARD, SHAPE_SMALL, SHAPE_HEXAGON, SHAPE_TOWN, SHAPE_ROAD, SHAPE_DOT };
static const struct {
    const char *game, *prefix; // of the place; the first that fits; "" = all
    enum shape shape;
    bool named; // its name stands at it
} shapes[] = {
    {"one_night", "c", SHAPE_CARD, true},
    {"one_night", "s", SHAPE_CARD, true},
    {"one_night", "", SHAPE_SMALL, false},
    {"not_alone", "planet.", SHAPE_CARD, true},
    {"not_alone", "hunt.", SHAPE_SMALL, false},
    {"not_alone", "", SHAPE_SMALL, false},
    {"battle_sheep", "hex.", SHAPE_HEXAGON, false},
    {"battle_sheep", "", SHAPE_NONE, false},
    {"elfenland", "town_", SHAPE_TOWN, true},
    {"elfenland", "market", SHAPE_SMALL, false},
    {"elfenland", "round", SHAPE_SMALL, false},
    {"elfenland", "deck", SHAPE_SMALL, false},
    {"elfenland", "discard", SHAPE_SMALL, false},
    {"elfenland", "pile", SHAPE_SMALL, false},
    {"elfenland", "seat_", SHAPE_NONE, false},
    {"elfenland", "", SHAPE_ROAD, false},
    {"alien_hunt", "seat_", SHAPE_SMALL, false},
    {"alien_hunt", "", SHAPE_SMALL, false},
    {"", "", SHAPE_SMALL, true},
};

// Colours by the end of a name: players, sheep, terrain.
static const struct {
    const char *suffix;
    struct ink ink;
} colours[] = {
    {"_red", {0.86, 0.25, 0.25, 1}},    {"_r", {0.86, 0.25, 0.25, 1}},
    {"_blue", {0.30, 0.52, 0.95, 1}},   {"_b", {0.30, 0.52, 0.95, 1}},
    {"_green", {0.28, 0.70, 0.38, 1}},  {"_yellow", {0.95, 0.82, 0.25, 1}},
    {"_w", {0.93, 0.93, 0.93, 1}},      {"_k", {0.22, 0.22, 0.24, 1}},
    {"_black", {0.22, 0.22, 0.24, 1}},  {"_purple", {0.62, 0.38, 0.80, 1}},
    {"_plains", {0.72, 0.76, 0.36, 1}}, {"_forest", {0.25, 0.52, 0.30, 1}},
    {"_desert", {0.86, 0.70, 0.40, 1}}, {"_mountain", {0.56, 0.53, 0.50, 1}},
    {"_river", {0.36, 0.56, 0.85, 1}},  {"_lake", {0.30, 0.62, 0.80, 1}},
};
static const struct ink pasture = {0.36, 0.58, 0.34, 1}, back = {0.30, 0.34, 0.46, 1},
                        face = {0.93, 0.91, 0.85, 1}, empty = {0.16, 0.19, 0.25, 1},
                        dark = {0.08, 0.09, 0.12, 1};

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static struct ink colour_of(const char *name, struct ink fallback) {
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (ends_with(name, colours[i].suffix))
            return colours[i].ink;
    return fallback;
}

#define MOST_WIDE 1.4 // how far a round table may be drawn out across a wide screen

struct board {
    struct picture *p;
    const struct page *page;
    const Tabled__V1__Board *level;
    const char *game;
    double x, y, scale, wide; // wide: across, for boards of cards alone
};

static double at_x(const struct board *b, const Tabled__V1__Place *place) {
    return b->x + place->x * b->scale * b->wide;
}
static double at_y(const struct board *b, const Tabled__V1__Place *place) {
    return b->y + place->y * b->scale;
}

static size_t shape_of(const struct board *b, const char *name) {
    size_t i = 0;
    while ((*shapes[i].game && strcmp(shapes[i].game, b->game)) ||
           strncmp(shapes[i].prefix, name, strlen(shapes[i].prefix)))
        i++;
    return i;
}

static void label(const struct board *b, struct area area, double size, struct ink ink, const char *text) {
    const struct text style = {area, size, false, true, ALIGN_CENTRE, ink, b->page->language};
    picture_text(b->p, &style, text);
}

// The name of what lies there on top, or of the place; n pieces are a number.
static void item_words(const struct board *b, const Tabled__V1__Item *item, char *ret, size_t cap) {
    char name[96];
    phrase_name(b->page->language, "kind", item->kind, name, sizeof name);
    if (item->n > 1)
        snprintf(ret, cap, "%s ×%u", name, item->n);
    else
        snprintf(ret, cap, "%s", name);
}

static bool in_turn(const struct board *b, const Tabled__V1__Place *place) {
    const Tabled__V1__Phase *phase = b->page->levels->phase;
    for (size_t i = 0; *place->seat && i < phase->n_turn; i++)
        if (!strcmp(phase->turn[i], place->seat))
            return true;
    return false;
}

static bool is_wrong(const struct board *b, const Tabled__V1__Place *place) {
    const Tabled__V1__Violations *v = b->page->levels->violations;
    for (size_t i = 0; v && i < v->n_violations; i++)
        for (size_t p = 0; p < v->violations[i]->n_places; p++)
            if (!strcmp(v->violations[i]->places[p], place->name))
                return true;
    return false;
}

// ---- shapes

static void draw_card(const struct board *b, const Tabled__V1__Place *place, double w, double h, bool named) {
    struct area area = {at_x(b, place) - w / 2, at_y(b, place) - h / 2, w, h};
    bool full = place->level == TABLED__V1__LEVEL__LEVEL_OCCUPIED || place->n_items > 0;
    const Tabled__V1__Item *top = place->n_items ? place->items[place->n_items - 1] : NULL;
    bool open = top && *top->kind;
    char text[128];
    if (!full && !named)
        return;
    picture_box(b->p, area, w / 10, open ? face : full ? back : empty);
    if (place->level == TABLED__V1__LEVEL__LEVEL_UNKNOWN && place->sensed) // a reader that is away
        picture_line(b->p, area.x, area.y + h, area.x + w, area.y, 3, INK_QUIET);
    if (is_wrong(b, place))
        picture_frame(b->p, area, w / 10, 8, INK_ORANGE);
    else if (in_turn(b, place))
        picture_frame(b->p, area, w / 10, 5, INK_BLUE);
    if (open) {
        item_words(b, top, text, sizeof text);
        label(b, (struct area){area.x + 4, area.y + 4, w - 8, h - 8}, h / 5, dark, text);
    } else if (named) {
        phrase_name(b->page->language, "place", place->name, text, sizeof text);
        label(b, (struct area){area.x + 4, area.y + 4, w - 8, h - 8}, h / 6, full ? INK_TEXT : INK_QUIET,
              text);
    }
}

static void draw_hexagon(const struct board *b, const Tabled__V1__Place *place, double radius) {
    char text[16];
    if (place->n_items == 0)
        return;
    picture_hexagon(b->p, at_x(b, place), at_y(b, place), radius, pasture);
    if (is_wrong(b, place))
        picture_circle(b->p, at_x(b, place), at_y(b, place), radius * 0.8, 6, INK_ORANGE);
    for (size_t i = 0; i < place->n_items; i++) {
        const Tabled__V1__Item *item = place->items[i];
        if (strncmp(item->kind, "sheep_", 6) && strncmp(item->kind, "marker_", 7))
            continue;
        struct ink ink = colour_of(item->kind, face);
        picture_disc(b->p, at_x(b, place), at_y(b, place), radius * 0.66, ink);
        snprintf(text, sizeof text, "%u", item->n ? item->n : 1);
        label(b, (struct area){at_x(b, place) - radius, at_y(b, place) - radius, radius * 2, radius * 2},
              radius * 0.8, ink.r + ink.g + ink.b > 1.8 ? dark : INK_TEXT, text);
    }
}

static void draw_town(const struct board *b, const Tabled__V1__Place *place) {
    double x = at_x(b, place), y = at_y(b, place), r = 17 * b->scale, at = -1.0;
    char text[96];
    picture_disc(b->p, x, y, r, face);
    if (is_wrong(b, place))
        picture_circle(b->p, x, y, r + 5, 5, INK_ORANGE);
    phrase_name(b->page->language, "place", place->name, text, sizeof text);
    label(b, (struct area){x - 70 * b->scale, y + r - 2, 140 * b->scale, 26 * b->scale}, 18 * b->scale,
          INK_TEXT, text);
    for (size_t i = 0; i < place->n_items; i++) { // boots and town pieces around it
        at += 0.7;
        picture_disc(b->p, x + (r + 6 * b->scale) * sin(at), y - (r + 6 * b->scale) * cos(at), 9 * b->scale,
                     colour_of(place->items[i]->kind, INK_QUIET));
    }
}

static const Tabled__V1__Place *town(const struct board *b, const char *name, size_t len) {
    for (size_t i = 0; i < b->level->n_places; i++) {
        const char *place = b->level->places[i]->name;
        if (!strncmp(place, "town_", 5) && strlen(place + 5) == len && !strncmp(place + 5, name, len))
            return b->level->places[i];
    }
    return NULL;
}

// A road is named TOWN_TOWN_TERRAIN.
static bool road_ends(const struct board *b, const char *name, const Tabled__V1__Place *ret[2]) {
    const char *terrain = strrchr(name, '_');
    for (const char *cut = name; terrain && (cut = strchr(cut + 1, '_')) && cut < terrain;) {
        ret[0] = town(b, name, (size_t)(cut - name));
        ret[1] = town(b, cut + 1, (size_t)(terrain - cut - 1));
        if (ret[0] && ret[1])
            return true;
    }
    return false;
}

static void draw_road(const struct board *b, const Tabled__V1__Place *place) {
    const Tabled__V1__Place *ends[2];
    if (!road_ends(b, place->name, ends))
        return;
    // Two roads between the same towns bend: each goes through its own middle.
    picture_line(b->p, at_x(b, ends[0]), at_y(b, ends[0]), at_x(b, place), at_y(b, place), 9 * b->scale,
                 colour_of(place->name, INK_QUIET));
    picture_line(b->p, at_x(b, place), at_y(b, place), at_x(b, ends[1]), at_y(b, ends[1]), 9 * b->scale,
                 colour_of(place->name, INK_QUIET));
}

static void draw_counters(const struct board *b, const Tabled__V1__Place *place) {
    const Tabled__V1__Place *ends[2];
    char text[128];
    if (place->n_items == 0 || !road_ends(b, place->name, ends))
        return;
    struct area area = {at_x(b, place) - 46 * b->scale, at_y(b, place) - 15 * b->scale, 92 * b->scale,
                        30 * b->scale};
    picture_box(b->p, area, 8, face);
    if (is_wrong(b, place))
        picture_frame(b->p, area, 8, 5, INK_ORANGE);
    item_words(b, place->items[0], text, sizeof text);
    label(b, area, 17 * b->scale, dark, text);
}

static void draw_place(const struct board *b, const Tabled__V1__Place *place, int layer) {
    size_t row = shape_of(b, place->name);
    switch (shapes[row].shape) {
    case SHAPE_NONE:
    case SHAPE_DOT:
        return;
    case SHAPE_ROAD:
        if (layer == 0)
            draw_road(b, place);
        else if (layer == 2)
            draw_counters(b, place);
        return;
    case SHAPE_TOWN:
        if (layer == 1)
            draw_town(b, place);
        return;
    case SHAPE_HEXAGON:
        if (layer == 1)
            draw_hexagon(b, place, 33 * b->scale);
        return;
    case SHAPE_CARD:
    case SHAPE_SMALL: {
        double size = shapes[row].shape == SHAPE_CARD ? fmin(1.2, b->wide) : 0.62;
        if (layer == 1)
            draw_card(b, place, 92 * size * b->scale, 116 * size * b->scale, shapes[row].named);
    }
    }
}

void board_draw(struct picture *p, const struct page *page, struct area area) {
    const Tabled__V1__Board *level = page->levels->board;
    if (!level || level->n_places == 0)
        return;
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    struct board b = {p, page, level, page->levels->game ? page->levels->game->game : "", 0, 0, 1, MOST_WIDE};
    for (size_t i = 0; i < level->n_places; i++) {
        const Tabled__V1__Place *place = level->places[i];
        enum shape shape = shapes[shape_of(&b, place->name)].shape;
        if (shape == SHAPE_NONE || (shape == SHAPE_HEXAGON && place->n_items == 0))
            continue;
        if (shape != SHAPE_CARD && shape != SHAPE_SMALL)
            b.wide = 1; // a map or a lattice keeps its form
        left = fmin(left, place->x - 60.0);
        right = fmax(right, place->x + 60.0);
        top = fmin(top, place->y - 70.0);
        bottom = fmax(bottom, place->y + 70.0);
    }
    if (right < left)
        return;
    b.scale = fmin(area.w / (right - left), area.h / (bottom - top));
    b.wide = fmax(1, fmin(b.wide, area.w / ((right - left) * b.scale)));
    b.x = area.x + (area.w - (right - left) * b.scale * b.wide) / 2 - left * b.scale * b.wide;
    b.y = area.y + (area.h - (bottom - top) * b.scale) / 2 - top * b.scale;
    for (int layer = 0; layer < 3; layer++)
        for (size_t i = 0; i < level->n_places; i++)
            draw_place(&b, level->places[i], layer);
}
