// Words of tables and lines: shared by the files of game_*.c alone.
#pragma once
#include "engine/game.h"

// The next word of a list with this separator, cut at GAME_WORD_MAX; false at the end. A word longer than
// that comes back cut and so matches nothing.
bool game__next_word(const char **at, char separator, char ret[GAME_WORD_MAX]);
// Index of a word in "a b c", -1.
int game__word_index(const char *words, const char *word);
bool game__parse_int(const char *text, int32_t *ret); // the whole text, decimal

// Values and acts, for lines and JSON alike.
extern const char *const game__type_words[]; // by enum game_arg_type: "a seat" ...
void game__value_text(const struct game_words *words, const struct game_arg_row *row, int32_t value,
                      char ret[GAME_WORD_MAX]);
// Reads a value and sorts it into the argument's list.
enum error_code game__add_value(const struct game_words *words, const struct game_arg_row *row,
                                const char *text, struct game_arg *arg, struct error *err);
int game__arg_find(const struct game_verb *verb, const char *name); // -1
// ERROR_INVALID: the verb has no such argument; said with those it has.
enum error_code game__no_arg(const struct game_verb *verb, const char *name, struct error *err);
enum error_code game__start_act(const struct game_words *words, const char *by, const char *verb, int *ret_by,
                                struct game_act *act, struct error *err);
enum error_code game__finish_act(const struct game_words *words, const void *state, int by,
                                 const struct game_act *act, game_action *ret, struct error *err);
