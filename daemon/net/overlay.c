#include "net/overlay.h"
#include "core/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const may_change[][2] = {
    {"daemon", "locale"}, {"daemon", "log_level"}, {"daemon", "history"}, {"table", "game"},
    {"table", "preset"},  {"table", "seats"},      {"table", "roles"},    {"table", "options"},
    {"table", "bots"},    {"table", "night_pace"}, {"table", "still"},    {"table", "still_stack"},
    {"table", "wrong"},   {"table", "look"},       {"table", "reminder"}, {"table", "missing"},
};

bool overlay_may_change(const char *section, const char *key) {
    for (size_t i = 0; i < sizeof may_change / sizeof *may_change; i++)
        if (!strcmp(may_change[i][0], section) && !strcmp(may_change[i][1], key))
            return true;
    return false;
}

static struct overlay_row *find(struct overlay *overlay, const char *section, const char *name,
                                const char *key) {
    for (size_t i = 0; i < overlay->n; i++) {
        struct overlay_row *row = &overlay->row[i];
        if (!strcmp(row->section, section) && !strcmp(row->name, name) && !strcmp(row->key, key))
            return row;
    }
    return NULL;
}

const struct overlay_row *overlay_find(const struct overlay *overlay, const char *section, const char *name,
                                       const char *key) {
    return find((struct overlay *)(uintptr_t)overlay, section, name, key);
}

// ---- reading

static void take_section(struct overlay *ret, const char *section, const struct config_section *at) {
    for (size_t i = 0; i < config_pairs(at) && ret->n < OVERLAY_ROWS_MAX; i++) {
        const char *value, *where, *key = config_pair(at, i, &value, &where);
        struct overlay_row *row = &ret->row[ret->n];
        if (!overlay_may_change(section, key) || strlen(value) >= sizeof row->value)
            continue;
        *row = (struct overlay_row){0};
        snprintf(row->section, sizeof row->section, "%s", section);
        snprintf(row->name, sizeof row->name, "%s", config_label(at));
        snprintf(row->key, sizeof row->key, "%s", key);
        snprintf(row->value, sizeof row->value, "%s", value);
        ret->n++;
    }
}

enum error_code overlay_read(const char *path, const struct config_schema *schemas, struct overlay *ret,
                             struct error *err) {
    static const char *const sections[] = {"daemon", "table"};
    struct config *config = NULL;
    ret->n = 0;
    if (access(path, F_OK) != 0)
        return ERROR_OK;
    if (config_load(path, schemas, &config, err))
        return err->code;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        for (const struct config_section *at = config_next(config, sections[i], NULL); at;
             at = config_next(config, sections[i], at))
            take_section(ret, sections[i], at);
    config_destroy(config);
    return ERROR_OK;
}

// ---- changing

enum error_code overlay_change(struct overlay *overlay, const struct overlay_row *changes, size_t n,
                               struct error *err) {
    for (size_t i = 0; i < n; i++) {
        struct overlay_row *row = find(overlay, changes[i].section, changes[i].name, changes[i].key);
        if (changes[i].gone) {
            if (row)
                *row = overlay->row[--overlay->n];
            continue;
        }
        if (!row && overlay->n == OVERLAY_ROWS_MAX)
            return error_set(err, ERROR_TOO_LARGE, "changes", "at most %d settings are changed",
                             OVERLAY_ROWS_MAX);
        *(row ? row : &overlay->row[overlay->n++]) = changes[i];
    }
    return ERROR_OK;
}

static bool write_rows(FILE *file, const struct overlay *overlay) {
    bool ok = fputs("# Changed from the dashboard; read after the files that people write.\n", file) >= 0;
    for (size_t i = 0; i < overlay->n && ok; i++) {
        const struct overlay_row *row = &overlay->row[i];
        bool first = true; // of its section: all of it is written there
        for (size_t k = 0; k < i; k++)
            first = first && (strcmp(overlay->row[k].section, row->section) != 0 ||
                              strcmp(overlay->row[k].name, row->name) != 0);
        if (!first)
            continue;
        ok = fprintf(file, *row->name ? "[%s %s]\n" : "[%s]\n", row->section, row->name) >= 0;
        for (size_t k = i; k < overlay->n && ok; k++)
            if (!strcmp(overlay->row[k].section, row->section) && !strcmp(overlay->row[k].name, row->name))
                ok = fprintf(file, "%s = %s\n", overlay->row[k].key, overlay->row[k].value) >= 0;
    }
    return ok;
}

static enum error_code check(const char *config_path, const char *path, const struct config_schema *schemas,
                             struct error *err) {
    struct config *config = NULL;
    enum error_code code = config_load_over(config_path, path, schemas, &config, err);
    config_destroy(config);
    return code;
}

enum error_code overlay_write(const char *path, const char *config_path, const struct config_schema *schemas,
                              const struct overlay *overlay, struct error *err) {
    char *text = NULL, fresh[PATH_MAX];
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);
    bool ok = file && write_rows(file, overlay);
    if (file)
        ok = fclose(file) == 0 && ok;
    enum error_code code = ok ? file_prepare(path, 0600, text, len, err)
                              : error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    free(text);
    if (code || !file_fresh(path, fresh))
        return code;
    code = check(config_path, fresh, schemas, err);
    if (!code)
        return file_settle(path, err);
    file_drop(path);
    return code;
}
