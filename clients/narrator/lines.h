// Every line of every game: its English sentence, and how long the slowest language speaks. Made by
// `po/catalogue.py update` from the registry of games and the voices; a test says when it is stale.
#pragma once
#include <stdint.h>

struct lines_row {
    const char *game, *id, *args, *text; // game "" = of the table itself
    uint32_t window_ms;                  // no language speaks longer: the next line of a night may begin
};
extern const struct lines_row lines[];
extern const unsigned lines_n;
// NULL if there is none: a game that this program does not know yet.
const struct lines_row *lines_find(const char *game, const char *id);
