// Errors are values: a code from one table, a sentence, the place, and for an illegal action the
// code of the rules file. Nothing that comes from a wire, a file, a tag or a person is ever an assert.
#pragma once

// X(NAME, wire name, HTTP status, sentence). The only list of error codes (daemon/README.md, "Errors").
#define ERROR_MAP(X)                                                                                         \
    X(OK, ok, 200, "done")                                                                                   \
    X(INVALID, invalid, 400, "the request has the wrong shape")                                              \
    X(UNAUTHORISED, unauthorised, 401, "say who you are first")                                              \
    X(FORBIDDEN, forbidden, 403, "you may not do this")                                                      \
    X(NOT_FOUND, not_found, 404, "there is no such thing")                                                   \
    X(METHOD, method, 405, "this address does not take that method")                                         \
    X(STALE, stale, 409, "the table has moved on")                                                           \
    X(NOT_NOW, not_now, 409, "not at this moment")                                                           \
    X(EXISTS, exists, 409, "it exists already")                                                              \
    X(CHANGED, changed, 412, "it was changed by somebody else")                                              \
    X(TOO_LARGE, too_large, 413, "too large")                                                                \
    X(MEDIA_TYPE, media_type, 415, "the body must be application/json")                                      \
    X(MISDIRECTED, misdirected, 421, "this host name is not served here")                                    \
    X(ILLEGAL, illegal, 422, "the rules do not allow this")                                                  \
    X(NEEDS_MATCH, needs_match, 428, "say which version you change")                                         \
    X(RATE, rate, 429, "too many requests")                                                                  \
    X(INTERNAL, internal, 500, "an error of the daemon itself")                                              \
    X(CORRUPT, corrupt, 500, "stored data is damaged")                                                       \
    X(BUSY, busy, 503, "busy, try again in a moment")                                                        \
    X(STORAGE, storage, 503, "the disk does not take records")

enum error_code {
#define X(name, wire, http, text) ERROR_##name,
    ERROR_MAP(X)
#undef X
        ERROR_CODES
};

struct error {
    enum error_code code;
    char rule[33];  // ERROR_ILLEGAL: the code of the rules file, else ""
    char where[96]; // file:line, section, field or place; "" if there is none
    char text[240]; // one sentence: what is wrong and what to do
};

const char *error_name(enum error_code code);
int error_http(enum error_code code);
const char *error_sentence(enum error_code code);
// ERROR_CODES if no code has this wire name.
enum error_code error_by_name(const char *name);

// Fills *err (NULL is allowed) and returns code. `where` may be NULL. A NULL format takes the sentence of the
// code.
enum error_code error_set(struct error *err, enum error_code code, const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// As error_set with ERROR_ILLEGAL and the rule's code.
enum error_code error_illegal(struct error *err, const char *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __clang_analyzer__ // it cannot see from another file that the code given is the code returned
static inline enum error_code error__given(enum error_code code, enum error_code given) {
    (void)code;
    return given;
}
#define error_set(err, code, ...) error__given(error_set(err, code, __VA_ARGS__), code)
#define error_illegal(err, ...) error__given(error_illegal(err, __VA_ARGS__), ERROR_ILLEGAL)
#endif
