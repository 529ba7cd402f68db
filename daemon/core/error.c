#include "core/error.h"
#include "core/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *sentence;
    int http;
} codes[] = {
#define X(name, wire, http, text) {#wire, text, http},
    ERROR_MAP(X)
#undef X
};

static int known(enum error_code code) {
    return (unsigned)code < ERROR_CODES ? (int)code : ERROR_INTERNAL;
}

const char *error_name(enum error_code code) {
    return codes[known(code)].name;
}

int error_http(enum error_code code) {
    return codes[known(code)].http;
}

const char *error_sentence(enum error_code code) {
    return codes[known(code)].sentence;
}

enum error_code error_by_name(const char *name) {
    int code = 0;
    while (code < ERROR_CODES && strcmp(codes[code].name, name) != 0)
        code++;
    return (enum error_code)code;
}

// What a damaged file says of itself may be quoted; whoever shows it gets one line of UTF-8 all the same.
static void clean(char *text) {
    for (size_t len = strlen(text); len > 0;) {
        size_t n = utf8_char(text, len);
        if (n == 0 || (unsigned char)*text < 0x20 || *text == 0x7f) {
            *text = '?';
            n = 1;
        }
        text += n;
        len -= n;
    }
}

static void copy(char *to, size_t size, const char *from) {
    size_t len = from ? strnlen(from, size) : 0;
    if (len == size)
        len = utf8_cut(from, size - 1);
    if (len > 0)
        memmove(to, from, len); // the caller may pass a part of the same error
    to[len] = '\0';
}

static void __attribute__((format(printf, 2, 0))) fill(struct error *err, const char *format, va_list args) {
    char text[sizeof err->text]; // arguments may point into *err
    int len = vsnprintf(text, sizeof text, format, args);
    if (len < 0)
        len = 0;
    else if ((size_t)len >= sizeof text)
        len = (int)utf8_cut(text, sizeof text - 1);
    memcpy(err->text, text, (size_t)len);
    err->text[len] = '\0';
    clean(err->text);
}

#undef error_set
#undef error_illegal
enum error_code error_set(struct error *err, enum error_code code, const char *where, const char *format,
                          ...) {
    if (!err)
        return code;
    if (format) {
        va_list args;
        va_start(args, format);
        fill(err, format, args);
        va_end(args);
    } else {
        copy(err->text, sizeof err->text, error_sentence(code));
    }
    err->code = code;
    err->rule[0] = '\0';
    copy(err->where, sizeof err->where, where);
    clean(err->where);
    return code;
}

enum error_code error_illegal(struct error *err, const char *rule, const char *format, ...) {
    if (!err)
        return ERROR_ILLEGAL;
    if (format) {
        va_list args;
        va_start(args, format);
        fill(err, format, args);
        va_end(args);
    } else {
        copy(err->text, sizeof err->text, error_sentence(ERROR_ILLEGAL));
    }
    err->code = ERROR_ILLEGAL;
    err->where[0] = '\0';
    copy(err->rule, sizeof err->rule, rule);
    return ERROR_ILLEGAL;
}
