// Settings changed from the dashboard: STATE_DIR/settings.conf, read after the files that people write, which
// are never touched. Only what a table plays and how fast, the language and how much is logged: nothing that
// names a file, an address or a right. A change counts from the next start.
#pragma once
#include "core/config.h"

enum { OVERLAY_ROWS_MAX = 128, OVERLAY_CHANGES_MAX = 32, OVERLAY_VALUE_MAX = 513 };

struct overlay_row {
    char section[16], name[33], key[33], value[OVERLAY_VALUE_MAX];
    bool gone; // of a change: back to what the files say
};
struct overlay {
    size_t n;
    struct overlay_row row[OVERLAY_ROWS_MAX];
};

bool overlay_may_change(const char *section, const char *key);
const struct overlay_row *overlay_find(const struct overlay *overlay, const char *section, const char *name,
                                       const char *key);
// What the file has; none is empty.
enum error_code overlay_read(const char *path, const struct config_schema *schemas, struct overlay *ret,
                             struct error *err);
enum error_code overlay_change(struct overlay *overlay, const struct overlay_row *changes, size_t n,
                               struct error *err);
// Written beside, loaded together with the configuration, synced, renamed. An error leaves the file as it
// was. May run in a worker.
enum error_code overlay_write(const char *path, const char *config_path, const struct config_schema *schemas,
                              const struct overlay *overlay, struct error *err);
