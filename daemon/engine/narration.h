// Sentences in the people's language: a line of a game and its arguments become text. Public by definition
// (engine/game.h, game_line_row). The English sentence is the key of the catalogues (gettext domain
// `tabled`).
#pragma once
#include "engine/game.h"
#include <stddef.h>

// locale: "en", "es", "zh" ...; one without a catalogue gives English. Returns the length.
size_t narration_text(const struct game_words *words, const char *locale, unsigned line, const int16_t arg[4],
                      char *ret, size_t cap);
// The same arguments as words of public wires; returns their number.
unsigned narration_args(const struct game_words *words, unsigned line, const int16_t arg[4],
                        struct observe_line_arg ret[4]);
// A fixed sentence of the table.
const char *narration_translate(const char *locale, const char *sentence);
