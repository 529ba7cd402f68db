// What the reader and the writers share: the fields of a message, ready to be written. One table for each
// descriptor, made at its first use and kept for the life of the program.
#pragma once
#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pb_json_form {
    PB_JSON_FIELDS,
    PB_JSON_TIME, // tabled.v1.Time: text or null
};
enum { PB_JSON_KEY_MAX = 32 };
struct pb_json_enum {
    const ProtobufCEnumDescriptor *type;
    unsigned n; // values 0 .. n-1 without a gap
    struct pb_json_name {
        char *text; // "open" with its quotes
        size_t len;
    } name[];
};
struct pb_json_field {
    char key[PB_JSON_KEY_MAX]; // ,"name": and padding, so that it can be copied without looking at its length
    uint8_t key_len;
    uint8_t tag_len;
    uint8_t tag[5]; // of protobuf
    const char *name;
    ProtobufCType type;
    bool repeated;
    bool args; // a list of Arg, written as an object
    unsigned offset, quantifier;
    union {
        const struct pb_json_table *table;
        const struct pb_json_enum *values;
    } sub;
};
struct pb_json_table {
    const ProtobufCMessageDescriptor *type;
    enum pb_json_form form;
    unsigned n;
    struct pb_json_field field[];
};
const struct pb_json_table *pb_json__table(const ProtobufCMessageDescriptor *type);
// Milliseconds since 1970 <-> RFC 3339 UTC with milliseconds. Writing: years up to 9999.
enum { PB_JSON_TIME_LEN = 24 };
extern const uint64_t pb_json__time_max;
void pb_json__time_text(uint64_t unix_ms, char ret[PB_JSON_TIME_LEN]);
bool pb_json__time_parse(const char *text, uint64_t *ret);
