// What the daemon is set to: every key there is, with its value, its default and the line that set it. What
// is a secret is not told; what may be changed from here is kept apart (overlay.h).
#include "core/catalogue.h"
#include "core/json.h"
#include "net/body.h"
#include "net/overlay.h"
#include "net/people.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_FIRST = 1 << 16, SETTINGS_MAX = 1 << 22 };

struct listing {
    struct json *j;
    const struct http_options *options;
    const struct overlay *overlay; // NULL: nothing is changed from here
};

// A table's seed tells the deal.
static bool is_secret(const char *key) {
    static const char *const names[] = {"seed", "password", "secret", "psk", "key", "signature_key"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], key))
            return true;
    return false;
}

// What the next start makes of it, NULL = nothing else.
static const char *pending(const struct listing *l, const char *section, const char *name, const char *key,
                           const char *source) {
    const struct overlay_row *row = l->overlay ? overlay_find(l->overlay, section, name, key) : NULL;
    bool ours = !strncmp(source, "settings.conf:", 14);
    if (!row)
        return ours ? "" : NULL; // it was taken back
    return row->value;
}

static void write_row(const struct listing *l, const char *section, const char *name, const char *key,
                      const char *value, const char *fallback, const char *source, const char *help) {
    bool secret = is_secret(key), is_set = value && fallback && strcmp(value, fallback) != 0;
    const char *next = pending(l, section, name, key, source);
    struct json *j = l->j;
    json_begin_object(j);
    answer_text_field(j, "section", section);
    answer_text_field(j, "name", name);
    answer_text_field(j, "key", key);
    answer_text_field(j, "value", secret && is_set ? "***" : value ? value : "");
    answer_text_field(j, "default", fallback ? fallback : "");
    answer_text_field(j, "source", source);
    json_key(j, "secret");
    json_bool(j, secret);
    json_key(j, "changeable");
    json_bool(j, l->overlay && overlay_may_change(section, key));
    answer_text_field(j, "changed", next);
    answer_text_field(j, "help", help ? help : "");
    json_end_object(j);
}

static void write_keys(const struct listing *l, const char *section, const struct config_section *at,
                       const struct config_key *keys) {
    for (; keys && keys->name; keys++)
        write_row(l, section, config_label(at), keys->name, config_text(at, keys->name), keys->fallback,
                  config_key_where(at, keys->name), keys->help);
}

// Lines of a [map]: places and their pads.
static void write_pairs(const struct listing *l, const char *section, const struct config_section *at) {
    for (size_t i = 0; i < config_pairs(at); i++) {
        const char *value, *where, *key = config_pair(at, i, &value, &where);
        write_row(l, section, config_label(at), key, value, "", where, N_("pads that serve this place"));
    }
}

static void write_section(const struct listing *l, const struct config_schema *schema,
                          const struct config_section *at) {
    if (!schema->keys) {
        write_pairs(l, schema->section, at);
        return;
    }
    write_keys(l, schema->section, at, schema->keys);
    if (schema->open && l->options->more_keys)
        write_keys(l, schema->section, at, l->options->more_keys(at));
}

static void write_settings(const struct listing *l) {
    const struct config *config = l->options->config;
    json_begin_object(l->j);
    json_key(l->j, "settings");
    json_begin_array(l->j);
    for (const struct config_schema *schema = l->options->schemas; schema && schema->section; schema++) {
        if (!schema->labelled) {
            write_section(l, schema, config_only(config, schema->section));
            continue;
        }
        for (const struct config_section *at = config_next(config, schema->section, NULL); at;
             at = config_next(config, schema->section, at))
            write_section(l, schema, at);
    }
    json_end_array(l->j);
    json_end_object(l->j);
}

// malloc'd; NULL: no memory.
static char *settings_text(const struct request *request, size_t *ret_len) {
    const struct http *http = request->http;
    struct json j = {0};
    const struct listing listing = {&j, &http->options, http->overlay};
    for (size_t cap = SETTINGS_FIRST; cap <= SETTINGS_MAX; cap *= 4) {
        char *text = malloc(cap);
        if (!text)
            break;
        json_begin(&j, text, cap);
        write_settings(&listing);
        *ret_len = j.len;
        if (json_end(&j))
            return text;
        free(text);
    }
    return NULL;
}

void get_settings(struct request *request) {
    size_t len;
    char *text = settings_text(request, &len);
    if (text)
        answer_tagged(request, text, len);
    else
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
    free(text);
}

// ---- changes

struct settings_work {
    struct people_errand errand; // first member
    struct request *request;
    char path[1100];
    struct overlay overlay;
    struct error err;
};

static void store(struct worker_job *job) {
    struct settings_work *work = (struct settings_work *)job;
    const struct http_options *options = &work->errand.http->options;
    overlay_write(work->path, options->config_path, options->schemas, &work->overlay, &work->err);
}

static void stored(struct worker_job *job) {
    struct settings_work *work = (struct settings_work *)job;
    struct conn *conn = request_conn(work->request);
    work->errand.http->overlay_changing = false;
    if (!work->err.code)
        *work->errand.http->overlay = work->overlay;
    if (conn->orphan)
        free(conn);
    else if (work->err.code)
        answer_error(work->request, &work->err);
    else
        get_settings(work->request);
    free(work);
}

static bool list_as_seen(struct request *request) {
    size_t len = 0;
    if (!request->headers.if_match) {
        answer_code(request, ERROR_NEEDS_MATCH, "send If-Match with the ETag of the list you have seen");
        return false;
    }
    char *text = settings_text(request, &len);
    bool same = answer_as_seen(request, text, len);
    free(text);
    return same;
}

static bool sections_there(struct request *request, const struct body_settings *body) {
    for (size_t i = 0; i < body->n; i++) {
        const struct overlay_row *row = &body->change[i];
        bool daemon = !strcmp(row->section, "daemon");
        if (daemon ? !*row->name
                   : config_find(request->http->options.config, row->section, row->name) != NULL)
            continue;
        answer_code(request, ERROR_INVALID, "there is no section [%.15s %.32s]", row->section, row->name);
        return false;
    }
    return true;
}

void patch_settings(struct request *request) {
    struct http *http = request->http;
    struct body_settings *body = calloc(1, sizeof *body);
    struct settings_work *work = calloc(1, sizeof *work);
    struct error err = {0};
    if (!body || !work) {
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
    } else if (body_settings(request->body, request->body_len, body, &err)) {
        answer_error(request, &err);
    } else if (!http->overlay) {
        answer_code(request, ERROR_NOT_NOW, "settings are not changed from here");
    } else if (http->overlay_changing) {
        answer_error(request, &(struct error){.code = ERROR_BUSY});
    } else if (list_as_seen(request) && sections_there(request, body)) {
        work->errand = (struct people_errand){{.run = store, .done = stored}, http};
        work->request = request;
        work->overlay = *http->overlay;
        snprintf(work->path, sizeof work->path, "%s/settings.conf", http->options.state_dir);
        if (overlay_change(&work->overlay, body->change, body->n, &err))
            answer_error(request, &err);
        else if ((http->overlay_changing = people_send(http->people, &work->errand)))
            work = NULL; // the worker's
        else
            answer_error(request, &(struct error){.code = ERROR_BUSY});
    }
    free(body);
    free(work);
}
