#include "call.h"
#include "core/clock.h"
#include "silence.h"
#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER_MAX = 16 << 20, LINE_MAX_BYTES = 1 << 20 };

const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

long long number_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static size_t take(char *data, size_t size, size_t n, void *ctx) {
    struct call *call = ctx;
    size_t len = size * n;
    if (len > ANSWER_MAX - call->len)
        return 0;
    char *text = realloc(call->text, call->len + len + 1);
    if (!text)
        return 0;
    memcpy(text + call->len, data, len);
    call->text = text;
    call->len += len;
    text[call->len] = '\0';
    return len;
}

static CURL *open_call(const struct args *args, const char *path) {
    char url[1024];
    CURL *curl = curl_easy_init();
    if (!curl)
        return NULL;
    snprintf(url, sizeof url, "http://localhost%s", path);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, args->socket);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 5L);
    return curl;
}

static int unreachable(const struct args *args, CURLcode code) {
    const char *why = access(args->socket, F_OK)
                          ? "there is no such socket; is tabled running, and is --socket right?"
                      : access(args->socket, R_OK | W_OK)
                          ? "root, the daemon's user and members of the group tabled may use it"
                          : curl_easy_strerror(code);
    fprintf(stderr, "tablectl: no daemon answers at %s: %s\n", args->socket, why);
    return EXIT_CODE_UNREACHABLE;
}

static int tell_problem(const struct call *call) {
    const char *detail = text_of(call->json, "detail"), *rule = text_of(call->json, "rule");
    const json_t *issues = json_object_get(call->json, "issues");
    if (*detail)
        fprintf(stderr, "tablectl: %s (%s%s%s)\n", detail, text_of(call->json, "code"), *rule ? ": " : "",
                rule);
    else
        fprintf(stderr, "tablectl: the daemon answers %d\n", call->status);
    for (size_t i = 0; i < json_array_size(issues); i++) {
        const json_t *issue = json_array_get(issues, i);
        fprintf(stderr, "  %s: %s (%s)\n",
                json_is_true(json_object_get(issue, "error")) ? "error" : "warning", text_of(issue, "text"),
                text_of(issue, "code"));
    }
    return EXIT_CODE_REFUSED;
}

int call(const struct args *args, const char *path, const char *body, struct call *ret) {
    memset(ret, 0, sizeof *ret);
    CURL *curl = open_call(args, path);
    if (!curl)
        return EXIT_CODE_FAILED;
    struct curl_slist *headers = NULL;
    const char *key = body ? args_option(args, "key") : NULL;
    if (body) {
        char line[256];
        headers = curl_slist_append(headers, "Content-Type: application/json");
        headers = curl_slist_append(headers, "Expect:");
        snprintf(line, sizeof line, "Idempotency-Key: %s", key ? key : "");
        if (key)
            headers = curl_slist_append(headers, line);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    }
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, ret);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 150L); // enrolment may wait for two minutes
    CURLcode code = curl_easy_perform(curl);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    if (code != CURLE_OK)
        return unreachable(args, code);
    ret->status = (int)status;
    ret->json = ret->text ? json_loads(ret->text, JSON_DECODE_ANY, NULL) : NULL;
    return status >= 200 && status < 300 ? EXIT_CODE_OK : tell_problem(ret);
}

void call_free(struct call *call) {
    json_decref(call->json);
    free(call->text);
    memset(call, 0, sizeof *call);
}

// ---- streams

struct reading {
    CURL *curl;
    call_line_fn *fn;
    void *ctx;
    char *line;
    size_t len;
    bool ended, refused;
    struct silence silence;
    struct call problem;
};

static bool take_byte(struct reading *reading, char c) {
    if (c == '\n') {
        reading->line[reading->len] = '\0';
        reading->len = 0;
        return reading->fn(reading->ctx, reading->line);
    }
    if (c != '\r' && reading->len < LINE_MAX_BYTES - 1)
        reading->line[reading->len++] = c;
    return true;
}

static size_t take_lines(char *data, size_t size, size_t n, void *ctx) {
    struct reading *reading = ctx;
    size_t len = size * n;
    long status = 0;
    curl_easy_getinfo(reading->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) {
        reading->refused = true;
        reading->problem.status = (int)status;
        return take(data, size, n, &reading->problem);
    }
    for (size_t i = 0; i < len; i++)
        if (!take_byte(reading, data[i])) {
            reading->ended = true;
            return 0;
        }
    return len;
}

// libcurl asks about once a second, also while nothing comes.
static int listen_on(void *ctx, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up) {
    struct reading *reading = ctx;
    (void)total, (void)up_total, (void)up;
    return silence_too_long(&reading->silence, now, clock_mono_us(clock_real()));
}

int call_stream(const struct args *args, const char *path, call_line_fn *fn, void *ctx) {
    struct reading reading = {
        .curl = open_call(args, path), .fn = fn, .ctx = ctx, .line = malloc(LINE_MAX_BYTES)};
    if (!reading.curl || !reading.line) {
        free(reading.line);
        return EXIT_CODE_FAILED;
    }
    curl_easy_setopt(reading.curl, CURLOPT_WRITEFUNCTION, take_lines);
    curl_easy_setopt(reading.curl, CURLOPT_WRITEDATA, &reading);
    curl_easy_setopt(reading.curl, CURLOPT_XFERINFOFUNCTION, listen_on);
    curl_easy_setopt(reading.curl, CURLOPT_XFERINFODATA, &reading);
    curl_easy_setopt(reading.curl, CURLOPT_NOPROGRESS, 0L);
    CURLcode code = curl_easy_perform(reading.curl);
    curl_easy_cleanup(reading.curl);
    free(reading.line);
    int exit_code = EXIT_CODE_OK;
    if (reading.refused) {
        reading.problem.json = reading.problem.text ? json_loads(reading.problem.text, 0, NULL) : NULL;
        exit_code = tell_problem(&reading.problem);
    } else if (code == CURLE_ABORTED_BY_CALLBACK) {
        fprintf(stderr, "tablectl: nothing was heard from the daemon for %d s\n", SILENCE_MAX_S);
        exit_code = EXIT_CODE_UNREACHABLE;
    } else if (!reading.ended && code != CURLE_OK) {
        exit_code = unreachable(args, code);
    } else if (!reading.ended) {
        fprintf(stderr, "tablectl: the daemon has stopped\n");
        exit_code = EXIT_CODE_UNREACHABLE;
    }
    call_free(&reading.problem);
    return exit_code;
}

// ---- which table

static bool name_ok(const char *text) {
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return n > 0 && n <= 32 && !text[n];
}

static int only_table(const struct args *args, char ret[33]) {
    struct call answer;
    int code = call(args, "/api/v1/tables", NULL, &answer);
    const json_t *tables = json_object_get(answer.json, "tables");
    size_t n = json_array_size(tables);
    if (!code && n == 1) {
        snprintf(ret, 33, "%s", text_of(json_array_get(tables, 0), "table"));
    } else if (!code) {
        fprintf(stderr, "tablectl %s: %s", args->command->name,
                n ? "name one of the tables:" : "there is no table");
        for (size_t i = 0; i < n; i++)
            fprintf(stderr, " %s", text_of(json_array_get(tables, i), "table"));
        fputc('\n', stderr);
        code = EXIT_CODE_USAGE;
    }
    call_free(&answer);
    return code;
}

int call_table(const struct args *args, size_t least, char ret[33], size_t *ret_next) {
    const char *name = args_option(args, "table");
    *ret_next = 0;
    if (!name && args->n_words > least) {
        name = args->words[0];
        *ret_next = 1;
    }
    if (!name)
        return only_table(args, ret);
    if (!name_ok(name))
        return usage_error(args, "a table's name is 1 to 32 of a-z, 0-9 and -, not \"%s\"", name);
    snprintf(ret, 33, "%s", name);
    return EXIT_CODE_OK;
}
