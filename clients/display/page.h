// Pages of the display, from what everybody may know and the time alone. Which page is shown follows from the
// levels: nobody heard yet, no game, the dark, play, the result.
#pragma once
#include "picture.h"
#include "room/room.h"

struct page {
    const struct room_levels *levels;
    const char *language; // of titles and names
    const char *subtitle; // what was said last; "" = nothing
    bool heard;           // a daemon has spoken
    bool stale;           // what is shown is old: it has to look so
    int64_t stale_ms;     // for how long
    int64_t left_ms;      // to the deadline; negative = no deadline
};
void page_draw(struct picture *picture, const struct page *page);

// Shared by the pages' files.
extern const struct ink INK_PAPER, INK_TEXT, INK_QUIET, INK_PANEL, INK_BLUE, INK_ORANGE, INK_GREEN, INK_NIGHT,
    INK_AMBER;
void page_seat_name(const struct page *page, const char *seat, char *ret, size_t cap); // "Seat 3", "Red"
void page_capital(char *text);
// A fixed sentence in the page's language.
const char *page_word(const struct page *page, const char *sentence);
void page_put(struct picture *p, const struct page *page, struct area area, double size, bool bold,
              enum align align, struct ink ink, const char *text);

// words.c. A counter without a word is not shown: NULL.
const char *page_counter(const struct page *page, const char *id);
void page_team(const struct page *page, const char *id, char *ret, size_t cap);

// board.c: the table as it lies.
void board_draw(struct picture *picture, const struct page *page, struct area area);
// result.c: who has won, what everybody was, the story of the night.
void result_draw(struct picture *picture, const struct page *page);
