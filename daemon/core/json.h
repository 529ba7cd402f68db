// Writes JSON into a buffer of the caller. No allocation, no recursion. Text that is not UTF-8 becomes
// U+FFFD.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    char *buf;
    size_t len, cap; // len grows beyond cap when it does not fit; buf is then cut and json_end says so
    bool comma;
};
void json_begin(struct json *j, char *buf, size_t cap);
// True if all fitted; buf is then NUL-terminated and j->len its length.
bool json_end(struct json *j);

void json_begin_object(struct json *j); // {
void json_end_object(struct json *j);   // }
void json_begin_array(struct json *j);
void json_end_array(struct json *j);
void json_key(struct json *j, const char *key);
void json_text(struct json *j, const char *text); // NULL writes null
void json_text_n(struct json *j, const char *text, size_t len);
void json_int(struct json *j, int64_t value);
void json_uint(struct json *j, uint64_t value);
void json_bool(struct json *j, bool value);
void json_raw(struct json *j, const char *json, size_t len); // a value already in JSON
