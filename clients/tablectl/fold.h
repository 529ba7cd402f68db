// The last game of a table, folded from its records: who did what, and how it stands.
#pragma once
#include "core/clock.h"
#include "engine/game.h"
#include "engine/journal.h"
#include "tablectl.h"

struct fold;
// *ret NULL: this table has no game. ERROR_CORRUPT: a record that cannot be applied, with its number.
enum error_code fold_last(const char *path, const char *table, struct fold **ret, struct error *err);
void fold_destroy(struct fold *fold); // NULL allowed
bool fold_running(const struct fold *fold);
uint64_t fold_start(const struct fold *fold); // number of its first record
enum error_code fold_print(const struct fold *fold, struct error *err);
