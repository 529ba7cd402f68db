// Calls to the daemon over its local socket.
#pragma once
#include "tablectl.h"

struct json_t;
struct call {
    int status; // HTTP
    char *text; // the body
    size_t len;
    struct json_t *json; // the body parsed, NULL if it is none
};
// body NULL: GET. EXIT_CODE_OK: answered with 2xx. Otherwise the exit code; told on stderr. call_free in any
// case.
int call(const struct args *args, const char *path, const char *body, struct call *ret);
void call_free(struct call *call);
// One line of a stream without its end; false ends the stream.
typedef bool call_line_fn(void *ctx, const char *line);
int call_stream(const struct args *args, const char *path, call_line_fn *fn, void *ctx);
// The table: --table, else the word at `word` (if there are more than `least` words), else the only one there
// is.
int call_table(const struct args *args, size_t least, char ret[33], size_t *ret_next);

// Strings and numbers of an answer; "" and 0 where there are none.
const char *text_of(const struct json_t *object, const char *key);
long long number_of(const struct json_t *object, const char *key);
