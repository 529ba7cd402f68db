#include "core/config.h"
#include "core/json.h"
#include "net/http__.h"
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_TOLD = 256 };

// No scripts, no frames, no guessing of types, nothing cached unless said otherwise; no CORS header ever.
void answer_secure(struct MHD_Response *response, const char *type, const char *cache_control) {
    if (type)
        MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", cache_control);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Content-Security-Policy",
                            "default-src 'none'; frame-ancestors 'none'");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
}

struct MHD_Response *answer_of_text(const char *type, const char *text, size_t len) {
    union { // the library copies and does not write
        const char *text;
        void *buffer;
    } from = {text};
    struct MHD_Response *response = MHD_create_response_from_buffer(len, from.buffer, MHD_RESPMEM_MUST_COPY);
    if (response)
        answer_secure(response, type, "no-store");
    return response;
}

void answer_text_field(struct json *j, const char *key, const char *text) {
    json_key(j, key);
    json_text(j, text);
}

static void set_answer(struct request *request, int status, struct MHD_Response *response, bool shared) {
    if (request->response && !request->shared)
        MHD_destroy_response(request->response);
    request->response = response;
    request->status = status;
    request->shared = shared;
    request_answered(request);
}

void answer_response(struct request *request, int status, struct MHD_Response *response) {
    set_answer(request, status, response, false);
}

void answer_shared(struct request *request, int status, struct MHD_Response *response) {
    set_answer(request, status, response, true);
}

void answer_text(struct request *request, int status, const char *type, const char *text, size_t len) {
    answer_response(request, status, answer_of_text(type, text, len));
}

void answer_json(struct request *request, int status, const char *text, size_t len) {
    answer_text(request, status, "application/json", text, len);
}

bool etag_listed(const char *list, const char *etag) {
    if (!list)
        return false;
    size_t n = strlen(etag);
    for (list += strspn(list, " \t"); *list; list += strspn(list, " \t,")) {
        if (*list == '*')
            return true;
        if (!strncmp(list, "W/", 2))
            list += 2;
        if (!strncmp(list, etag, n) && (list[n] == '\0' || strchr(" \t,", list[n])))
            return true;
        list += strcspn(list, ",");
    }
    return false;
}

static void etag_of(const char *text, size_t len, char ret[ETAG_MAX]) {
    unsigned char hash[16];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, len, NULL, 0);
    strcpy(ret, "\"");
    for (size_t i = 0; i < sizeof hash; i++)
        snprintf(ret + 1 + 2 * i, 3, "%02x", hash[i]);
    strcat(ret, "\"");
}

void answer_tagged(struct request *request, const char *text, size_t len) {
    char etag[ETAG_MAX];
    etag_of(text, len, etag);
    bool same = etag_listed(request->headers.if_none_match, etag);
    struct MHD_Response *response = answer_of_text(same ? NULL : "application/json", text, same ? 0 : len);
    if (response)
        MHD_add_response_header(response, "ETag", etag);
    answer_response(request, same ? 304 : 200, response);
}

bool answer_as_seen(struct request *request, const char *text, size_t len) {
    char etag[ETAG_MAX];
    if (!text) {
        answer_code(request, ERROR_INTERNAL, "out of memory");
        return false;
    }
    etag_of(text, len, etag);
    if (etag_listed(request->headers.if_match, etag))
        return true;
    answer_error(request, &(struct error){.code = ERROR_CHANGED});
    return false;
}

static void release(void *ctx) {
    feed_unref(ctx);
}

void answer_bytes(struct request *request, struct feed_bytes *bytes, const char *cache_control) {
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback_cls(
        bytes->len, bytes->data, release, feed_ref(bytes));
    if (!response) {
        feed_unref(bytes);
        answer_code(request, ERROR_INTERNAL, "out of memory");
        return;
    }
    answer_secure(response, "application/json", cache_control);
    answer_response(request, 200, response);
}

void answer_write_issues(struct json *j, const struct door_issue *issues, unsigned n) {
    json_key(j, "issues");
    json_begin_array(j);
    for (unsigned i = 0; i < n; i++) {
        json_begin_object(j);
        json_key(j, "error");
        json_bool(j, issues[i].is_error);
        json_key(j, "code");
        json_text(j, issues[i].code);
        json_key(j, "text");
        json_text(j, issues[i].text);
        json_end_object(j);
    }
    json_end_array(j);
}

// RFC 9457. `type` is a name of ours and no address: nothing is fetched to understand an error.
size_t answer_problem(const struct request *request, const struct error *error,
                      const struct door_issue *issues, unsigned n, char ret[ANSWER_PROBLEM_MAX]) {
    char type[64];
    struct json j;
    snprintf(type, sizeof type, "urn:tabled:problem:%s", error_name(error->code));
    json_begin(&j, ret, ANSWER_PROBLEM_MAX);
    json_begin_object(&j);
    json_key(&j, "type");
    json_text(&j, type);
    json_key(&j, "title");
    json_text(&j, error_sentence(error->code));
    json_key(&j, "status");
    json_int(&j, error_http(error->code));
    json_key(&j, "detail");
    json_text(&j, error->text[0] ? error->text : error_sentence(error->code));
    if (request->route) {
        json_key(&j, "instance");
        json_text(&j, request->path);
    }
    json_key(&j, "code");
    json_text(&j, error_name(error->code));
    if (error->rule[0]) {
        json_key(&j, "rule");
        json_text(&j, error->rule);
    }
    if (n)
        answer_write_issues(&j, issues, n);
    json_end_object(&j);
    return json_end(&j) ? j.len : (size_t)snprintf(ret, ANSWER_PROBLEM_MAX, "{}");
}

void answer_error(struct request *request, const struct error *error) {
    char text[ANSWER_PROBLEM_MAX];
    size_t len = answer_problem(request, error, NULL, 0, text);
    answer_text(request, error_http(error->code), ANSWER_PROBLEM_TYPE, text, len);
}

void answer_code(struct request *request, enum error_code code, const char *format, ...) {
    struct error error = {.code = code};
    va_list args;
    va_start(args, format);
    vsnprintf(error.text, sizeof error.text, format, args);
    va_end(args);
    answer_error(request, &error);
}

void answer_no_table(struct request *request) {
    const struct door *door = request->http->options.door;
    const char *names[TABLES_TOLD];
    char instead[CONFIG_INSTEAD_MAX];
    size_t n = 0;
    for (; n < TABLES_TOLD && n < door_tables(door); n++)
        names[n] = door_table(door, n);
    answer_code(request, ERROR_NOT_FOUND, "there is no table '%.32s'%s", request->table,
                config_instead(request->table, names, sizeof *names, n, instead));
}

bool answer_table_known(struct request *request) {
    enum observe_status status;
    const char *game;
    if (door_status(request->http->options.door, request->table, &status, &game))
        return true;
    answer_no_table(request);
    return false;
}

// A whole number of the query string in [low, high]; false: answered.
bool request_number(struct request *request, const char *name, uint64_t low, uint64_t high, uint64_t fallback,
                    uint64_t *ret) {
    const char *text = MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, name);
    *ret = fallback;
    if (!text || !*text)
        return true;
    size_t n = strspn(text, "0123456789");
    *ret = n && n < 19 && !text[n] ? strtoull(text, NULL, 10) : 0;
    if (n && n < 19 && !text[n] && *ret >= low && *ret <= high)
        return true;
    answer_code(request, ERROR_INVALID, "\"%s\" is a whole number from %llu to %llu", name,
                (unsigned long long)low, (unsigned long long)high);
    return false;
}
