// Configuration: INI through libinih behind guards. Over-long lines, unknown sections or keys, duplicates and
// values out of range are errors with file and line and a "did you mean". Keys are rows of a table.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum config_type {
    CONFIG_NAME,     // [a-z0-9-]{1,32}
    CONFIG_TEXT,     // any text
    CONFIG_PATH,     // a path; relative paths count from the folder of the file, ":memory:" stays
    CONFIG_INT,      // with min and max
    CONFIG_BOOL,     // yes no true false on off 1 0
    CONFIG_DURATION, // 250ms 3s 2min 1h -> milliseconds, with min and max
    CONFIG_CHOICE,   // one word of `choices`
};

struct config_key {
    const char *name; // NULL ends the table
    enum config_type type;
    const char *fallback; // as written in a file; NULL = none; "" allowed
    bool required;
    int64_t min, max;    // int, duration; both 0 = no bound
    const char *choices; // "a b c"
    const char *help;    // one line
};

struct config;
struct config_section;

// A section kind: [name] or [name LABEL]. keys NULL = every key is taken (a [map], checked by its reader).
// A label is a name; with a '/' in label_help ("TABLE/GAME") it is a name, '/' and a word.
struct config_schema {
    const char *section; // NULL ends the table
    bool labelled;       // [pad s1]; without: at most one such section
    const char *label_help;
    const struct config_key *keys;
    bool open; // further keys are checked later by config_check_keys (a [reader] has its driver's keys)
};

// Reads a file and *.conf in the folder FILE.d (if there is one) in name order. All or nothing. A later file
// may set keys of an earlier one's sections anew; within one file a section or key given twice is an error.
// path NULL: no file, the fallbacks alone. `schemas` stay the caller's for the life of the configuration.
enum error_code config_load(const char *path, const struct config_schema *schemas, struct config **ret,
                            struct error *err);
// The same with one more file read last, if it is there; NULL = none.
enum error_code config_load_over(const char *path, const char *over, const struct config_schema *schemas,
                                 struct config **ret, struct error *err);
void config_destroy(struct config *config); // NULL allowed

// Sections of one kind in file order; prev NULL = the first; NULL = no more.
const struct config_section *config_next(const struct config *config, const char *section,
                                         const struct config_section *prev);
// label NULL or "" = the section without one; NULL if the files do not have it.
const struct config_section *config_find(const struct config *config, const char *section, const char *label);
// The section of a kind without labels; if the files do not have it, one made of the fallbacks alone.
const struct config_section *config_only(const struct config *config, const char *section);
const char *config_label(const struct config_section *section); // "" without a label
const char *config_where(const struct config_section *section); // "tabled.conf:12"
// Where a key was set, "tabled.conf:14", or "default".
const char *config_key_where(const struct config_section *section, const char *key);

// Checks an open section against its own table and `more`; unknown keys, ranges, required ones.
enum error_code config_check_keys(struct config *config, const struct config_section *section,
                                  const struct config_key *more, struct error *err);

// Values, already checked; a key without value and fallback, or section NULL, gives NULL, 0 or false.
const char *config_text(const struct config_section *section, const char *key);
int64_t config_int(const struct config_section *section, const char *key); // durations in ms
bool config_bool(const struct config_section *section, const char *key);
// All keys written in a section (no fallbacks), in order, for open sections and [map].
size_t config_pairs(const struct config_section *section);
const char *config_pair(const struct config_section *section, size_t i, const char **ret_value,
                        const char **ret_where);

// Shared by all who take names from outside.
bool config_name_ok(const char *text); // [a-z0-9-]{1,32}
bool config_word_ok(const char *text); // [a-z0-9_]{1,32}
// The word of `words` (NULL-terminated) nearest to `text`, NULL if none is near.
const char *config_did_you_mean(const char *text, const char *const *words);
// What follows "there is no such thing": `; did you mean 'X'?`, or if none is near `; there are: A B C`, as
// many as fit, "" if there are none. `rows` (NULL = none) are n rows of `size` bytes that each begin with a
// name, a const char *; one that is NULL ends them before. Returns ret.
enum { CONFIG_INSTEAD_MAX = 160 };
const char *config_instead(const char *text, const void *rows, size_t size, size_t n,
                           char ret[CONFIG_INSTEAD_MAX]);
