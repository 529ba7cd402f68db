#include "core/catalogue.h"
#include "core/phrase.h"
#include "page.h"
#include <stdio.h>
#include <string.h>

enum { MARGIN = 40, STORY_LINES = 24, SEAT_H = 84 };

static void title(const struct page *page, char *ret, size_t cap) {
    const Tabled__V1__Result *result = page->levels->result;
    size_t len = 0;
    ret[0] = '\0';
    for (size_t i = 0; i < result->n_teams && len < cap; i++) {
        char name[64];
        if (!result->teams[i]->won)
            continue;
        page_team(page, result->teams[i]->name, name, sizeof name);
        len += (size_t)snprintf(ret + len, cap - len, "%s%s", len ? ", " : "", name);
    }
    bool teams = len > 0; // a game without teams is won by seats
    for (size_t i = 0; !teams && i < result->n_seats && len < cap; i++) {
        char name[64];
        if (!result->seats[i]->won)
            continue;
        page_seat_name(page, result->seats[i]->seat, name, sizeof name);
        len += (size_t)snprintf(ret + len, cap - len, "%s%s", len ? ", " : "", name);
    }
    page_capital(ret);
}

static void draw_seat(struct picture *p, const struct page *page, const Tabled__V1__SeatResult *seat,
                      struct area area) {
    char name[96], role[96], score[16];
    struct ink ink = seat->dead ? INK_QUIET : INK_TEXT;
    picture_box(p, area, 10, INK_PANEL);
    if (seat->won)
        picture_box(p, (struct area){area.x, area.y, 14, area.h}, 6, INK_GREEN);
    page_seat_name(page, seat->seat, name, sizeof name);
    page_put(p, page, (struct area){area.x + 30, area.y, area.w * 0.4, area.h}, 38, seat->won, ALIGN_LEFT,
             ink, name);
    phrase_name(page->language, "kind", seat->role, role, sizeof role);
    page_put(p, page, (struct area){area.x + 30 + area.w * 0.4, area.y, area.w * 0.42, area.h}, 34, false,
             ALIGN_LEFT, ink, role);
    snprintf(score, sizeof score, "%d", seat->score);
    page_put(p, page, (struct area){area.x + area.w - 130, area.y, 110, area.h}, 38, true, ALIGN_RIGHT,
             seat->won ? INK_GREEN : ink,
             seat->dead    ? "×"
             : seat->score ? score
             : seat->won   ? "✓"
                           : "");
}

static void draw_story(struct picture *p, const struct page *page, struct area area) {
    const Tabled__V1__Result *result = page->levels->result;
    size_t n = result->n_story < STORY_LINES ? result->n_story : STORY_LINES;
    double line = n ? area.h / (double)n : 0;
    line = line > 40 ? 40 : line;
    for (size_t i = 0; i < n; i++) {
        const Tabled__V1__Story *story = result->story[i];
        char text[192];
        snprintf(text, sizeof text, "%s", story->text);
        page_capital(text);
        page_put(p, page, (struct area){area.x, area.y + (double)i * line, area.w, line}, line * 0.68, false,
                 ALIGN_LEFT, story->n_flags ? INK_ORANGE : INK_QUIET, text);
    }
}

void result_draw(struct picture *p, const struct page *page) {
    const Tabled__V1__Result *result = page->levels->result;
    char text[256], reason[192];
    picture_fill(p, INK_PAPER);
    title(page, text, sizeof text);
    page_put(p, page, (struct area){MARGIN, 24, p->units_w - 2 * MARGIN, 44}, 32, false, ALIGN_LEFT,
             INK_QUIET, catalogue_text(page->language, NULL, *text ? N_("Won") : N_("Nobody has won")));
    page_put(p, page, (struct area){MARGIN, 66, p->units_w - 2 * MARGIN, 96}, 76, true, ALIGN_LEFT, INK_GREEN,
             text);
    phrase_text(page->language, result->reason, reason, sizeof reason);
    page_capital(reason);
    page_put(p, page, (struct area){MARGIN, 164, p->units_w - 2 * MARGIN, 52}, 36, false, ALIGN_LEFT,
             INK_TEXT, reason);
    double h = 830.0 / (double)(result->n_seats ? result->n_seats : 1);
    h = h > SEAT_H ? SEAT_H : h;
    double w = result->n_story ? p->units_w * 0.52 : p->units_w - 2 * MARGIN;
    for (size_t i = 0; i < result->n_seats; i++)
        draw_seat(p, page, result->seats[i], (struct area){MARGIN, 232 + (double)i * h, w, h - 8});
    if (result->n_story)
        draw_story(p, page, (struct area){MARGIN + w + 30, 232, p->units_w - w - 2 * MARGIN - 30, 820});
}
