#include "page.h"
#include "core/catalogue.h"
#include "core/phrase.h"
#include <stdio.h>
#include <string.h>

const struct ink INK_PAPER = {0.071, 0.086, 0.118, 1}, INK_TEXT = {0.95, 0.95, 0.92, 1},
                 INK_QUIET = {0.66, 0.69, 0.74, 1}, INK_PANEL = {0.125, 0.149, 0.196, 1},
                 INK_BLUE = {0.40, 0.65, 1, 1}, INK_ORANGE = {1, 0.62, 0.24, 1},
                 INK_GREEN = {0.45, 0.85, 0.55, 1}, INK_NIGHT = {0.012, 0.012, 0.016, 1},
                 INK_AMBER = {0.42, 0.27, 0.06, 1};
enum { MARGIN = 40, HEAD = 150, SUBTITLE = 190, LAST_MS = 10000, LINES_MAX = 6 };

const char *page_word(const struct page *page, const char *sentence) {
    return catalogue_text(page->language, NULL, sentence);
}

void page_seat_name(const struct page *page, const char *seat, char *ret, size_t cap) {
    const char *label = "";
    const Tabled__V1__Seats *seats = page->levels->seats;
    for (size_t i = 0; seats && i < seats->n_seats; i++)
        if (!strcmp(seats->seats[i]->seat, seat))
            label = seats->seats[i]->label;
    const struct phrase_arg arg = {'s', seat, label};
    phrase_fill(page->language, *label ? "{0}" : N_("Seat {0}"), &arg, 1, ret, cap);
    page_capital(ret);
}

// A name at the beginning of a line. Languages without capitals have none in ASCII either.
void page_capital(char *text) {
    if (*text >= 'a' && *text <= 'z')
        *text = (char)(*text - 'a' + 'A');
}

void page_put(struct picture *p, const struct page *page, struct area area, double size, bool bold,
              enum align align, struct ink ink, const char *text) {
    const struct text style = {area, size, bold, true, align, ink, page->language};
    picture_text(p, &style, text);
}

// ---- parts of the page of play

static void draw_countdown(struct picture *p, const struct page *page, struct area area) {
    char text[16];
    if (page->levels->phase->paused) {
        page_put(p, page, area, 72, true, ALIGN_RIGHT, INK_ORANGE, page_word(page, N_("Paused")));
        return;
    }
    if (page->left_ms < 0)
        return;
    int64_t s = (page->left_ms + 999) / 1000;
    snprintf(text, sizeof text, "%d:%02d", (int)(s / 60 % 100), (int)(s % 60));
    page_put(p, page, area, 124, true, ALIGN_RIGHT, page->left_ms <= LAST_MS ? INK_ORANGE : INK_TEXT, text);
}

static void draw_head(struct picture *p, const struct page *page) {
    const Tabled__V1__Phase *phase = page->levels->phase;
    char name[96], text[160];
    phrase_name(page->language, "phase", phase->id, name, sizeof name);
    page_capital(name);
    if (phase->round > 1) {
        char round[12];
        snprintf(round, sizeof round, "%u", phase->round);
        const struct phrase_arg arg = {'n', round, NULL};
        size_t len = (size_t)snprintf(text, sizeof text, "%s · ", name);
        phrase_fill(page->language, N_("round {0}"), &arg, 1, text + len, sizeof text - len);
    } else {
        snprintf(text, sizeof text, "%s", name);
    }
    page_put(p, page, (struct area){MARGIN, 24, p->units_w - 560, 44}, 32, false, ALIGN_LEFT, INK_QUIET,
             page->levels->game ? page->levels->game->title : "");
    page_put(p, page, (struct area){MARGIN, 66, p->units_w - 560, 84}, 68, true, ALIGN_LEFT, INK_TEXT, text);
    draw_countdown(p, page, (struct area){p->units_w - 520, 20, 480, 130});
}

static bool awaited(const Tabled__V1__Phase *phase, const char *seat) {
    for (size_t i = 0; i < phase->n_turn; i++)
        if (!strcmp(phase->turn[i], seat))
            return true;
    return false;
}

// Counters of one owner in a row of words: "points 12 · will 3".
static void counters_of(const struct page *page, const char *seat, char *ret, size_t cap) {
    const Tabled__V1__Seats *seats = page->levels->seats;
    size_t len = 0;
    ret[0] = '\0';
    for (size_t i = 0; i < seats->n_counters && len < cap; i++) {
        const Tabled__V1__Counter *counter = seats->counters[i];
        const char *word = page_counter(page, counter->name);
        if (!word || strcmp(counter->seat, seat))
            continue;
        len += (size_t)snprintf(ret + len, cap - len, "%s%s %d", len ? " · " : "", word, counter->value);
    }
}

// A seat to act has a bar at its side beside its colour; who has acted a tick; who is out is dimmed.
static void draw_seat(struct picture *p, const struct page *page, const Tabled__V1__Seat *seat,
                      struct area area) {
    char name[96], counters[160];
    bool turn = awaited(page->levels->phase, seat->seat);
    struct ink ink = seat->present && seat->alive ? INK_TEXT : INK_QUIET;
    picture_box(p, area, 12, INK_PANEL);
    if (turn)
        picture_box(p, (struct area){area.x, area.y, 14, area.h}, 6, INK_BLUE);
    page_seat_name(page, seat->seat, name, sizeof name);
    counters_of(page, seat->seat, counters, sizeof counters);
    double name_h = *counters ? area.h * 0.55 : area.h;
    page_put(p, page, (struct area){area.x + 30, area.y, area.w - 110, name_h}, 40, turn, ALIGN_LEFT, ink,
             name);
    if (*counters)
        page_put(p, page, (struct area){area.x + 30, area.y + name_h - 4, area.w - 110, area.h - name_h}, 26,
                 false, ALIGN_LEFT, INK_QUIET, counters);
    const char *sign = !seat->present ? "–" : !seat->alive ? "×" : seat->acted ? "✓" : turn ? "▶" : "";
    page_put(p, page, (struct area){area.x + area.w - 80, area.y, 60, area.h}, 44, true, ALIGN_RIGHT,
             turn && !seat->acted ? INK_BLUE : INK_GREEN, sign);
}

static void draw_seats(struct picture *p, const struct page *page, struct area area) {
    const Tabled__V1__Seats *seats = page->levels->seats;
    char table[160];
    if (!seats || seats->n_seats == 0)
        return;
    counters_of(page, "", table, sizeof table);
    if (*table) {
        page_put(p, page, (struct area){area.x, area.y, area.w, 44}, 30, false, ALIGN_LEFT, INK_QUIET, table);
        area.y += 52;
        area.h -= 52;
    }
    size_t columns = seats->n_seats > 8 ? 2 : 1, rows = (seats->n_seats + columns - 1) / columns;
    double w = (area.w - (double)(columns - 1) * 12) / (double)columns, h = area.h / (double)rows;
    h = h > 108 ? 108 : h;
    for (size_t i = 0; i < seats->n_seats; i++) {
        double x = area.x + (double)(i / rows) * (w + 12), y = area.y + (double)(i % rows) * h;
        draw_seat(p, page, seats->seats[i], (struct area){x, y, w, h - 10});
    }
}

static void place_words(const struct page *page, const char *place, char *ret, size_t cap) {
    if (!strcmp(place, "hand"))
        snprintf(ret, cap, "%s", page_word(page, N_("your hand")));
    else
        phrase_name(page->language, "place", place, ret, cap);
}

// What is wrong and how it is put right, in numbered steps: over the seats, for it comes first.
static bool draw_violation(struct picture *p, const struct page *page, struct area area) {
    const Tabled__V1__Violations *v = page->levels->violations;
    char line[256], from[96], to[96];
    size_t n = !v ? 0 : v->n_violations ? v->violations[0]->n_repairs : v->n_prompt;
    Tabled__V1__Repair *const *repairs = !v ? NULL : v->n_violations ? v->violations[0]->repairs : v->prompt;
    if (!v || (v->n_violations == 0 && v->n_prompt == 0))
        return false;
    picture_box(p, area, 16, INK_PANEL);
    picture_frame(p, area, 16, 6, INK_ORANGE);
    if (v->n_violations)
        phrase_text(page->language, v->violations[0]->text, line, sizeof line);
    else
        snprintf(line, sizeof line, "%s", page_word(page, N_("Please move:")));
    page_put(p, page, (struct area){area.x + 28, area.y + 16, area.w - 56, 130}, 44, true, ALIGN_LEFT,
             INK_ORANGE, line);
    for (size_t i = 0; i < n && i < LINES_MAX; i++) {
        place_words(page, repairs[i]->take, from, sizeof from);
        place_words(page, repairs[i]->put, to, sizeof to);
        if (strcmp(from, to) != 0)
            snprintf(line, sizeof line, "%zu.  %s  →  %s", i + 1, from, to);
        else // it is turned over where it lies
            snprintf(line, sizeof line, "%zu.  %s", i + 1, to);
        page_put(p, page, (struct area){area.x + 28, area.y + 156 + (double)i * 62, area.w - 56, 58}, 40,
                 false, ALIGN_LEFT, INK_TEXT, line);
    }
    return true;
}

static void draw_subtitle(struct picture *p, const struct page *page, struct ink ink) {
    if (*page->subtitle)
        page_put(p, page, (struct area){MARGIN, 1080 - SUBTITLE, p->units_w - 2 * MARGIN, SUBTITLE - 30}, 60,
                 false, ALIGN_CENTRE, ink, page->subtitle);
}

static void draw_play(struct picture *p, const struct page *page) {
    double side = 1080 - HEAD - SUBTITLE;
    double board_w = p->units_w * 0.6 > side ? p->units_w * 0.6 : side;
    struct area right = {MARGIN + board_w + 30, HEAD + 16, p->units_w - board_w - 2 * MARGIN - 30, side - 20};
    picture_fill(p, INK_PAPER);
    draw_head(p, page);
    board_draw(p, page, (struct area){MARGIN, HEAD + 10, board_w, side - 10});
    if (!draw_violation(p, page, right))
        draw_seats(p, page, right);
    draw_subtitle(p, page, INK_TEXT);
}

// ---- the other pages

// By night: nearly black, the same whatever hands do; the words of the script for those who cannot hear them.
static void draw_night(struct picture *p, const struct page *page) {
    char name[96];
    picture_fill(p, INK_NIGHT);
    phrase_name(page->language, "phase", page->levels->phase->id, name, sizeof name);
    page_capital(name);
    page_put(p, page, (struct area){MARGIN, 300, p->units_w - 2 * MARGIN, 160}, 110, true, ALIGN_CENTRE,
             INK_AMBER, name);
    if (page->levels->phase->paused)
        page_put(p, page, (struct area){MARGIN, 470, p->units_w - 2 * MARGIN, 90}, 60, false, ALIGN_CENTRE,
                 INK_AMBER, page_word(page, N_("Paused")));
    draw_subtitle(p, page, INK_AMBER);
}

static void draw_idle(struct picture *p, const struct page *page) {
    picture_fill(p, INK_PAPER);
    const char *text = page->heard ? page_word(page, N_("The table is free."))
                                   : page_word(page, N_("Waiting for the table."));
    page_put(p, page, (struct area){MARGIN, 360, p->units_w - 2 * MARGIN, 200}, 96, true, ALIGN_CENTRE,
             INK_TEXT, text);
    if (page->heard)
        page_put(p, page, (struct area){MARGIN, 560, p->units_w - 2 * MARGIN, 90}, 48, false, ALIGN_CENTRE,
                 INK_QUIET, page_word(page, N_("Lay the start tile to begin.")));
    draw_subtitle(p, page, INK_QUIET);
}

// Whatever page it is: paled, with a band that says for how long nothing was heard. Minutes are enough: a
// clock that runs would look alive.
static void draw_stale(struct picture *p, const struct page *page) {
    char minutes[16], text[160];
    picture_box(p, (struct area){0, 0, p->units_w, 1080}, 0, (struct ink){0.2, 0.2, 0.2, 0.6});
    picture_box(p, (struct area){0, 470, p->units_w, 140}, 0, INK_ORANGE);
    snprintf(minutes, sizeof minutes, "%d", (int)(page->stale_ms / 60000));
    const struct phrase_arg arg = {'n', minutes, NULL};
    if (page->stale_ms < 60000)
        snprintf(text, sizeof text, "%s", page_word(page, N_("No connection. This picture is old.")));
    else
        phrase_fill(page->language, N_("No connection for {0} minutes. This picture is old."), &arg, 1, text,
                    sizeof text);
    page_put(p, page, (struct area){MARGIN, 470, p->units_w - 2 * MARGIN, 140}, 62, true, ALIGN_CENTRE,
             INK_PAPER, text);
}

void page_draw(struct picture *p, const struct page *page) {
    const struct room_levels *levels = page->levels;
    cairo_save(p->cairo);
    if (levels->result && levels->result->over)
        result_draw(p, page);
    else if (!levels->phase || !*levels->phase->id)
        draw_idle(p, page);
    else if (levels->phase->veil == TABLED__V1__VEIL__VEIL_DARK)
        draw_night(p, page);
    else
        draw_play(p, page);
    if (page->stale && page->heard)
        draw_stale(p, page);
    cairo_restore(p->cairo);
    cairo_surface_flush(p->surface);
}
