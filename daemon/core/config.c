#include "core/config__.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUCKETS = sizeof((struct config *)0)->buckets / sizeof(size_t) };

enum error_code config_memory__(struct error *err) {
    return error_set(err, ERROR_INTERNAL, "config", "out of memory");
}

// The tree

static size_t *bucket(const struct config *config, const char *section, const char *label) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (const char *p = section; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    for (const char *p = label; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    return (size_t *)&config->buckets[hash % BUCKETS];
}

static struct config_section *lookup(const struct config *config, const char *section, const char *label) {
    for (size_t i = *bucket(config, section, label); i != SIZE_MAX; i = config->sections[i]->next) {
        struct config_section *found = config->sections[i];
        if (strcmp(found->schema->section, section) == 0 && strcmp(found->label, label) == 0)
            return found;
    }
    return NULL;
}

static void destroy_section(struct config_section *section) {
    for (size_t i = 0; i < section->n_pairs; i++) {
        free(section->pairs[i].key);
        free(section->pairs[i].value);
        free(section->pairs[i].where);
        free(section->pairs[i].folder);
    }
    free(section->pairs);
    free(section->label);
    free(section->where);
    free(section);
}

static enum error_code add_section(struct config *config, const struct config_schema *schema,
                                   const char *label, const char *where, struct config_section **ret,
                                   struct error *err) {
    if (config->n_sections == CONFIG_SECTIONS_MAX)
        return error_set(err, ERROR_TOO_LARGE, where, "more than %d sections", (int)CONFIG_SECTIONS_MAX);
    if (config->n_sections == config->cap) {
        size_t cap = config->cap ? 2 * config->cap : 32;
        struct config_section **grown = realloc(config->sections, cap * sizeof(struct config_section *));
        if (!grown)
            return config_memory__(err);
        config->sections = grown;
        config->cap = cap;
    }
    struct config_section *section = calloc(1, sizeof *section);
    if (!section)
        return config_memory__(err);
    section->schema = schema;
    section->label = strdup(label);
    section->where = strdup(where);
    section->file = config->file;
    if (!section->label || !section->where) {
        destroy_section(section);
        return config_memory__(err);
    }
    size_t *first = bucket(config, schema->section, label);
    section->next = *first;
    *first = section->index = config->n_sections;
    config->sections[config->n_sections++] = section;
    *ret = section;
    return ERROR_OK;
}

enum error_code config_open_section__(struct config *config, const struct config_schema *schema,
                                      const char *label, const char *where, struct config_section **ret,
                                      struct error *err) {
    struct config_section *known = lookup(config, schema->section, label);
    if (!known)
        return add_section(config, schema, label, where, ret, err);
    if (known->file == config->file)
        return error_set(err, ERROR_INVALID, where, "[%s%s%s] was there already, at %s", schema->section,
                         label[0] ? " " : "", label, known->where);
    known->file = config->file;
    *ret = known;
    return ERROR_OK;
}

static struct config_pair__ *find_pair(const struct config_section *section, const char *key) {
    for (size_t i = 0; i < section->n_pairs; i++)
        if (strcmp(section->pairs[i].key, key) == 0)
            return &section->pairs[i];
    return NULL;
}

static enum error_code fill_pair(struct config_pair__ *pair, const char *value, const char *folder,
                                 const char *where, struct error *err) {
    char *copies[3] = {strdup(value), strdup(folder), strdup(where)};
    if (!copies[0] || !copies[1] || !copies[2]) {
        for (int i = 0; i < 3; i++)
            free(copies[i]);
        return config_memory__(err);
    }
    free(pair->value);
    free(pair->folder);
    free(pair->where);
    pair->value = copies[0];
    pair->folder = copies[1];
    pair->where = copies[2];
    pair->def = NULL;
    pair->number = 0;
    return ERROR_OK;
}

// The pair of a key that is not there yet, with its value.
static enum error_code add_pair(struct config_section *section, const char *key, const char *value,
                                const char *folder, const char *where, struct config_pair__ **ret,
                                struct error *err) {
    if (section->n_pairs == CONFIG_KEYS_MAX)
        return error_set(err, ERROR_TOO_LARGE, where, "more than %d keys in one section",
                         (int)CONFIG_KEYS_MAX);
    if (section->n_pairs == section->cap) {
        size_t cap = section->cap ? 2 * section->cap : 8;
        struct config_pair__ *grown = realloc(section->pairs, cap * sizeof *grown);
        if (!grown)
            return config_memory__(err);
        section->pairs = grown;
        section->cap = cap;
    }
    char *copy = strdup(key);
    if (!copy)
        return config_memory__(err);
    struct config_pair__ *pair = &section->pairs[section->n_pairs++];
    *pair = (struct config_pair__){.key = copy};
    *ret = pair;
    return fill_pair(pair, value, folder, where, err);
}

enum error_code config_set__(struct config *config, struct config_section *section, const char *key,
                             const char *value, const char *folder, const char *where, struct error *err) {
    struct config_pair__ *pair = find_pair(section, key);
    if (pair && pair->file == config->file)
        return error_set(err, ERROR_INVALID, where, "%.48s was set already, at %s", key, pair->where);
    enum error_code code = pair ? fill_pair(pair, value, folder, where, err)
                                : add_pair(section, key, value, folder, where, &pair, err);
    if (code != ERROR_OK)
        return code;
    pair->file = config->file;
    section->n_written = section->n_pairs;
    const struct config_key *def = config_key__(section->schema->keys, key);
    if (def)
        return config_check__(pair, def, err);
    if (section->schema->keys && !section->schema->open)
        return config_unknown_key__(pair, section, NULL, err);
    return ERROR_OK;
}

// Fallbacks are appended as if they were written; required keys must be there. `strict`: the section is in a
// file.
static enum error_code complete(struct config *config, struct config_section *section,
                                const struct config_key *keys, bool strict, struct error *err) {
    for (; keys && keys->name; keys++) {
        if (find_pair(section, keys->name))
            continue;
        if (keys->required && strict)
            return error_set(err, ERROR_INVALID, section->where, "[%s%s%s] needs the key '%s': %s",
                             section->schema->section, section->label[0] ? " " : "", section->label,
                             keys->name, keys->help ? keys->help : "it has no default");
        if (!keys->fallback)
            continue;
        struct config_pair__ *pair = NULL;
        enum error_code code =
            add_pair(section, keys->name, keys->fallback, config->folder, "default", &pair, err);
        if (code == ERROR_OK) {
            code = config_check__(pair, keys, err);
            assert(code != ERROR_INVALID); // a fallback of our own tables is well-formed
        }
        if (code != ERROR_OK)
            return code;
    }
    return ERROR_OK;
}

static enum error_code complete_all(struct config *config, struct error *err) {
    config->n_written = config->n_sections;
    config->file = 0; // of what no file has
    enum error_code code = ERROR_OK;
    for (size_t i = 0; i < config->n_written && code == ERROR_OK; i++)
        code = complete(config, config->sections[i], config->sections[i]->schema->keys, true, err);
    for (const struct config_schema *schema = config->schemas; schema->section && code == ERROR_OK;
         schema++) {
        struct config_section *section = NULL;
        if (schema->labelled || lookup(config, schema->section, ""))
            continue;
        code = add_section(config, schema, "", "default", &section, err);
        if (code == ERROR_OK)
            code = complete(config, section, schema->keys, false, err);
    }
    return code;
}

// Files

static int is_conf(const struct dirent *entry) {
    size_t len = strlen(entry->d_name);
    return entry->d_name[0] != '.' && len > 5 && strcmp(entry->d_name + len - 5, ".conf") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name); // bytes, not the locale's order
}

static enum error_code read_drop_in(struct config *config, const char *folder, const char *name,
                                    struct error *err) {
    const char *slash = strrchr(folder, '/');
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return config_memory__(err);
    config->file++;
    enum error_code code = config_read__(config, path, path + (slash ? slash + 1 - folder : 0), err);
    free(path);
    return code;
}

static enum error_code read_drop_ins(struct config *config, const char *path, struct error *err) {
    char *folder = NULL;
    if (asprintf(&folder, "%s.d", path) < 0)
        return config_memory__(err);
    struct dirent **entries = NULL;
    enum error_code code = ERROR_OK;
    int n = scandir(folder, &entries, is_conf, by_name);
    if (n < 0 && errno != ENOENT)
        code = error_set(err, ERROR_INVALID, NULL, "%s cannot be read: %s", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        if (code == ERROR_OK)
            code = read_drop_in(config, folder, entries[i]->d_name, err);
        free(entries[i]);
    }
    free((void *)entries);
    free(folder);
    return code;
}

static enum error_code read_over(struct config *config, const char *over, struct error *err) {
    const char *slash = strrchr(over, '/');
    if (access(over, F_OK) != 0)
        return ERROR_OK;
    config->file++;
    return config_read__(config, over, slash ? slash + 1 : over, err);
}

enum error_code config_load(const char *path, const struct config_schema *schemas, struct config **ret,
                            struct error *err) {
    return config_load_over(path, NULL, schemas, ret, err);
}

enum error_code config_load_over(const char *path, const char *over, const struct config_schema *schemas,
                                 struct config **ret, struct error *err) {
    struct config *config = calloc(1, sizeof *config);
    if (!config)
        return config_memory__(err);
    config->schemas = schemas;
    config->file = 1;
    for (size_t i = 0; i < BUCKETS; i++)
        config->buckets[i] = SIZE_MAX;
    const char *slash = path ? strrchr(path, '/') : NULL;
    config->folder = slash == path && path ? strdup("/")
                                           : strndup(path ? path : "", slash ? (size_t)(slash - path) : 0);
    enum error_code code = config->folder ? ERROR_OK : config_memory__(err);
    if (code == ERROR_OK && path)
        code = config_read__(config, path, slash ? slash + 1 : path, err);
    if (code == ERROR_OK && path)
        code = read_drop_ins(config, path, err);
    if (code == ERROR_OK && over)
        code = read_over(config, over, err);
    if (code == ERROR_OK)
        code = complete_all(config, err);
    if (code != ERROR_OK) {
        config_destroy(config);
        return code;
    }
    *ret = config;
    return ERROR_OK;
}

void config_destroy(struct config *config) {
    if (!config)
        return;
    for (size_t i = 0; i < config->n_sections; i++)
        destroy_section(config->sections[i]);
    free((void *)config->sections);
    free(config->folder);
    free(config);
}

// Access

const struct config_section *config_next(const struct config *config, const char *section,
                                         const struct config_section *prev) {
    for (size_t i = prev ? prev->index + 1 : 0; i < config->n_written; i++)
        if (strcmp(config->sections[i]->schema->section, section) == 0)
            return config->sections[i];
    return NULL;
}

const struct config_section *config_find(const struct config *config, const char *section,
                                         const char *label) {
    const struct config_section *found = lookup(config, section, label ? label : "");
    return found && found->file > 0 ? found : NULL;
}

const struct config_section *config_only(const struct config *config, const char *section) {
    return lookup(config, section, "");
}

const char *config_label(const struct config_section *section) {
    return section->label;
}

const char *config_where(const struct config_section *section) {
    return section->where;
}

static const struct config_pair__ *get(const struct config_section *section, const char *key) {
    return section ? find_pair(section, key) : NULL;
}

const char *config_key_where(const struct config_section *section, const char *key) {
    const struct config_pair__ *pair = get(section, key);
    return pair ? pair->where : "default";
}

const char *config_text(const struct config_section *section, const char *key) {
    const struct config_pair__ *pair = get(section, key);
    return pair ? pair->value : NULL;
}

int64_t config_int(const struct config_section *section, const char *key) {
    const struct config_pair__ *pair = get(section, key);
    return pair ? pair->number : 0;
}

bool config_bool(const struct config_section *section, const char *key) {
    return config_int(section, key) != 0;
}

size_t config_pairs(const struct config_section *section) {
    return section->n_written;
}

const char *config_pair(const struct config_section *section, size_t i, const char **ret_value,
                        const char **ret_where) {
    assert(i < section->n_written);
    if (ret_value)
        *ret_value = section->pairs[i].value;
    if (ret_where)
        *ret_where = section->pairs[i].where;
    return section->pairs[i].key;
}

enum error_code config_check_keys(struct config *config, const struct config_section *section,
                                  const struct config_key *more, struct error *err) {
    struct config_section *own = lookup(config, section->schema->section, section->label);
    assert(own == section);
    for (size_t i = 0; i < own->n_written; i++) {
        struct config_pair__ *pair = &own->pairs[i];
        if (pair->def)
            continue;
        const struct config_key *def = config_key__(more, pair->key);
        enum error_code code = def ? config_check__(pair, def, err)
                                   : config_unknown_key__(pair, own, more, err);
        if (code != ERROR_OK)
            return code;
    }
    return complete(config, own, more, true, err);
}
