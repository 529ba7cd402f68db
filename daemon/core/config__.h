// What the files of config share: the tree that is read, the guards before inih, the checks of values.
#pragma once
#include "core/config.h"

enum {
    CONFIG_FILE_MAX = 4 << 20,
    CONFIG_SECTIONS_MAX = 65536,
    CONFIG_KEYS_MAX = 4096, // in one section
    CONFIG_WHERE_MAX = 96,
};

struct config_pair__ {
    char *key, *value, *where;
    char *folder;                 // of the file it stands in, "" = the working folder
    const struct config_key *def; // NULL: not checked
    int64_t number;
    unsigned file; // a key may be given once in each file
};

struct config_section {
    const struct config_schema *schema;
    char *label, *where;
    struct config_pair__ *pairs; // written ones, then fallbacks
    size_t n_written, n_pairs, cap;
    unsigned file;
    size_t index;
    size_t next; // the next one in the same bucket of the index, SIZE_MAX = none
};

struct config {
    const struct config_schema *schemas;
    struct config_section **sections; // the files'; then those made of fallbacks
    size_t n_sections, n_written, cap;
    size_t buckets[1024]; // first section, SIZE_MAX = none
    char *folder;         // of the main file
    unsigned file;        // number of the file that is read
};

// config_read.c: one file through guards and inih into the tree.
enum error_code config_read__(struct config *config, const char *path, const char *shown, struct error *err);

// config_value.c: checks a value and puts paths and numbers in their final form.
enum error_code config_check__(struct config_pair__ *pair, const struct config_key *def, struct error *err);
const struct config_key *config_key__(const struct config_key *keys, const char *name);
// "unknown key 'baudd' in [reader]; did you mean 'baud'?"
enum error_code config_unknown_key__(const struct config_pair__ *pair, const struct config_section *section,
                                     const struct config_key *more, struct error *err);

// config.c: the tree.
enum error_code config_memory__(struct error *err);
// A new section, or the one of an earlier file; `where` is the place of its heading.
enum error_code config_open_section__(struct config *config, const struct config_schema *schema,
                                      const char *label, const char *where, struct config_section **ret,
                                      struct error *err);
enum error_code config_set__(struct config *config, struct config_section *section, const char *key,
                             const char *value, const char *folder, const char *where, struct error *err);
