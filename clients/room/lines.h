// Every line of every game: its English sentence, and how long the slowest language speaks. Made by
// `po/catalogue.py update` from the registry of games and the voices; a test says when it is stale.
#pragma once
#include "core/phrase.h"
#include "public.pb-c.h"
#include <stddef.h>
#include <stdint.h>

struct lines_row {
    const char *game, *id, *args, *text; // game "" = of the table itself
    uint32_t window_ms;                  // no language speaks longer: the next line of a night may begin
};
enum { LINES_ARGS_MAX = 4 };

const struct lines_row *lines_at(size_t i); // NULL behind the last
// NULL if there is none: a game that this program does not know yet.
const struct lines_row *lines_find(const char *game, const char *id);
// What a line of a table is filled into to say it in another language; NULL: there is no row (`row` may be
// NULL), or the table plays another version of the game and only its own words, `line->text`, are right.
const char *lines_sentence(const struct lines_row *row, const Tabled__V1__Line *line);
// A line's arguments; their strings are the line's. Returns how many, at most LINES_ARGS_MAX.
unsigned lines_args(const Tabled__V1__Line *line, struct phrase_arg ret[LINES_ARGS_MAX]);
