// Shared by body.c (JSON and its fields), body_game.c and body_pieces.c (what each request takes).
#pragma once
#include "net/body.h"
#include <jansson.h>

// One row a field; what has no row is refused.
struct body__field {
    const char *name; // NULL ends the table
    unsigned types;   // bit per json_type
    bool required;
};
#define BODY__TYPE(t) (1u << (t))
#define BODY__BOOL (BODY__TYPE(JSON_TRUE) | BODY__TYPE(JSON_FALSE))

enum error_code body__open(const char *text, size_t len, const struct body__field *fields, json_t **ret,
                           struct error *err);
enum error_code body__check(json_t *root, const struct body__field *fields, struct error *err);
// A whole number in [0, max]; absent = fallback.
enum error_code body__uint(const json_t *root, const char *name, uint64_t max, uint64_t fallback,
                           uint64_t *ret, struct error *err);
// Text of at most size - 1 bytes; absent = "".
enum error_code body__text(const json_t *root, const char *name, char *ret, size_t size, struct error *err);
