// Worked cases of a rules file, run against the engine. Tools and tests only: the daemon does not link this.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>

enum { CASEBOOK_TEXT_MAX = 2048 };

// One fenced block under a heading that names a case.
struct casebook_case {
    char id[33]; // A01
    char title[160];
    const char *text;  // inside of the fence, NUL-terminated
    const char *prose; // text of the heading's section outside of the fence, NUL-terminated
    unsigned line;     // of the fence in the file
};
struct casebook_report {
    bool passed, failed;                                      // failed: by casebook_fail
    char expected[CASEBOOK_TEXT_MAX], got[CASEBOOK_TEXT_MAX]; // of the first difference, with its line's key
};
struct casebook {
    const char *game;
    // A case that cannot be read or names an unknown role has failed: say so in `got`.
    void (*run)(const struct casebook_case *one, struct casebook_report *ret);
};
const struct casebook *casebook_find(const char *game);

// For the games' own: the first difference of a case is kept, what differs after it follows from it. Always
// false.
bool casebook_fail(struct casebook_report *report, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Runs the cases of a file (game NULL = by file name: one-night.md -> one_night). only: "A01,A65-A72" or
// NULL. Calls each for every case run. ERROR_NOT_FOUND: no such file, no such game, or no case selected.
typedef void casebook_each_fn(void *ctx, const struct casebook_case *one,
                              const struct casebook_report *report);
enum error_code casebook_file(const char *path, const char *game, const char *only, casebook_each_fn *each,
                              void *ctx, struct error *err);
