// What the daemon is set to: every key there is, with its value, its default and the line that set it. Read
// only: the files are a person's; what is a secret is not told.
#include "core/json.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_FIRST = 1 << 16, SETTINGS_MAX = 1 << 22 };

// A table's seed tells the deal.
static bool is_secret(const char *key) {
    static const char *const names[] = {"seed", "password", "secret", "psk", "key", "signature_key"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], key))
            return true;
    return false;
}

static void write_row(struct json *j, const char *section, const char *name, const char *key,
                      const char *value, const char *fallback, const char *source, const char *help) {
    bool secret = is_secret(key), is_set = value && fallback && strcmp(value, fallback) != 0;
    json_begin_object(j);
    answer_text_field(j, "section", section);
    answer_text_field(j, "name", name);
    answer_text_field(j, "key", key);
    answer_text_field(j, "value", secret && is_set ? "***" : value ? value : "");
    answer_text_field(j, "default", fallback ? fallback : "");
    answer_text_field(j, "source", source);
    json_key(j, "secret");
    json_bool(j, secret);
    answer_text_field(j, "help", help ? help : "");
    json_end_object(j);
}

static void write_keys(struct json *j, const char *section, const struct config_section *at,
                       const struct config_key *keys) {
    for (; keys && keys->name; keys++)
        write_row(j, section, config_label(at), keys->name, config_text(at, keys->name), keys->fallback,
                  config_key_where(at, keys->name), keys->help);
}

// Lines of a [map]: places and their pads.
static void write_pairs(struct json *j, const char *section, const struct config_section *at) {
    for (size_t i = 0; i < config_pairs(at); i++) {
        const char *value, *where, *key = config_pair(at, i, &value, &where);
        write_row(j, section, config_label(at), key, value, "", where, "pads that serve this place");
    }
}

static void write_section(struct json *j, const struct http_options *options,
                          const struct config_schema *schema, const struct config_section *at) {
    if (!schema->keys) {
        write_pairs(j, schema->section, at);
        return;
    }
    write_keys(j, schema->section, at, schema->keys);
    if (schema->open && options->more_keys)
        write_keys(j, schema->section, at, options->more_keys(at));
}

static void write_settings(struct json *j, const struct http_options *options) {
    json_begin_object(j);
    json_key(j, "settings");
    json_begin_array(j);
    for (const struct config_schema *schema = options->schemas; schema && schema->section; schema++) {
        if (!schema->labelled) {
            write_section(j, options, schema, config_only(options->config, schema->section));
            continue;
        }
        for (const struct config_section *at = config_next(options->config, schema->section, NULL); at;
             at = config_next(options->config, schema->section, at))
            write_section(j, options, schema, at);
    }
    json_end_array(j);
    json_end_object(j);
}

void get_settings(struct request *request) {
    struct json j = {0};
    for (size_t cap = SETTINGS_FIRST; cap <= SETTINGS_MAX; cap *= 4) {
        char *text = malloc(cap);
        if (!text)
            break;
        json_begin(&j, text, cap);
        write_settings(&j, &request->http->options);
        bool fits = json_end(&j);
        if (fits)
            answer_tagged(request, text, j.len);
        free(text);
        if (fits)
            return;
    }
    answer_error(request, &(struct error){.code = ERROR_INTERNAL});
}
