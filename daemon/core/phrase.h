// A sentence with its arguments, in any language: what the daemon writes and what a narrator says from a
// line's key are the same text, because both come from here.
#pragma once
#include <stddef.h>

struct phrase_arg {
    char type;         // s seat, k kind, p place, n number (engine/game.h, game_line_row)
    const char *value; // as on public wires: s2, werewolf, c1, 3
    const char *label; // of a seat: "red", "h1"; "" or NULL = its number
};
// `sentence` is the English one with {0}..{3}. A number among the arguments chooses the plural form. Returns
// the length without a limit; what does not fit is cut on a character's border.
size_t phrase_fill(const char *language, const char *sentence, const struct phrase_arg *args, unsigned n,
                   char *ret, size_t cap);
// The name of a kind, place, seat label or phase: `context` as in core/catalogue.h. Numbers in it stand
// outside the catalogue: `planet.p3` is looked up as it is, then as `planet.p{0}`. One without a name is
// spelled with blanks.
size_t phrase_name(const char *language, const char *context, const char *word, char *ret, size_t cap);
// A free text of the daemon (a reminder, a violation): as it is, then with its numbers as {0}, {1} ...
size_t phrase_text(const char *language, const char *text, char *ret, size_t cap);

// "hex.-3,11" -> "hex.{0},{1}"; `number` gets copies of what was taken out. Returns how many, at most 4; 0
// leaves `ret` a copy.
unsigned phrase_pattern(const char *word, char *ret, size_t cap, char number[4][12]);
