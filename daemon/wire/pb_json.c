#include "wire/pb_json.h"
#include "public.pb-c.h"
#include "wire/pb_json_table.h"
#include <string.h>

// Where the next byte goes, and what did not fit: all of it is counted, none is written.
struct out {
    char *at, *end;
    size_t lost;
};

// What does not fit is cut once, as core/json.h does; nothing is written behind the cut.
static void put_cut(struct out *o, const char *text, size_t len) {
    size_t room = (size_t)(o->end - o->at);
    memcpy(o->at, text, room);
    o->at = o->end;
    o->lost += len - room;
}

static inline void put(struct out *o, const char *text, size_t len) {
    if ((size_t)(o->end - o->at) < len) {
        put_cut(o, text, len);
        return;
    }
    memcpy(o->at, text, len);
    o->at += len;
}

// An array in a frame is guarded on every call: what needs one stands apart from what is written most.
#define APART __attribute__((noinline))

// Quotes, control characters and non-ASCII are core/json.h's affair.
APART static void put_difficult(struct out *o, const char *text) {
    struct json j;
    json_begin(&j, o->at, (size_t)(o->end - o->at) + 1);
    json_text(&j, text);
    if (j.len <= (size_t)(o->end - o->at)) {
        o->at += j.len;
    } else {
        o->lost += j.len - (size_t)(o->end - o->at);
        o->at = o->end;
    }
}

// 1: goes out as it is. The NUL at the end does not.
static const uint8_t plain[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, //
    1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, //
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, //
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, //
};

static void put_text(struct out *o, const char *text) {
    if (text == NULL || text[0] == '\0') {
        put(o, "\"\"", 2);
        return;
    }
    if (o->end - o->at >= 2) {
        char *at = o->at + 1;
        const size_t room = (size_t)(o->end - at) - 1;
        size_t len = 0;
        for (; len < room && plain[(uint8_t)text[len]]; len++)
            at[len] = text[len];
        if (text[len] == '\0') {
            at[-1] = at[len] = '"';
            o->at = at + len + 1;
            return;
        }
    }
    put_difficult(o, text); // writes over what stands there
}

enum { DIGITS_MAX = 20 };

static inline size_t count_digits(uint64_t value) {
    size_t n = 1;
    for (uint64_t end = 10; n < DIGITS_MAX && value >= end; end *= 10)
        n++;
    return n;
}

static inline void write_digits(char *end, uint64_t value) {
    do
        *--end = (char)('0' + value % 10);
    while ((value /= 10) > 0);
}

APART static void put_uint_cut(struct out *o, uint64_t value, size_t n) {
    char text[DIGITS_MAX];
    write_digits(text + n, value);
    put_cut(o, text, n);
}

static void put_uint(struct out *o, uint64_t value) {
    size_t n = count_digits(value);
    if ((size_t)(o->end - o->at) < n) {
        put_uint_cut(o, value, n);
        return;
    }
    write_digits(o->at + n, value);
    o->at += n;
}

static void put_int(struct out *o, int64_t value) {
    if (value < 0)
        put(o, "-", 1);
    put_uint(o, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void put_enum(struct out *o, const struct pb_json_enum *values, int value) {
    if (value >= 0 && (unsigned)value < values->n)
        put(o, values->name[value].text, values->name[value].len);
    else
        put_int(o, value); // of a later schema
}

APART static void put_bytes(struct out *o, const ProtobufCBinaryData *bytes) {
    put(o, "\"", 1);
    for (size_t i = 0; i < bytes->len; i++) {
        char hex[2] = {"0123456789ABCDEF"[bytes->data[i] >> 4], "0123456789ABCDEF"[bytes->data[i] & 15]};
        put(o, hex, 2);
    }
    put(o, "\"", 1);
}

static inline void put_key(struct out *o, const struct pb_json_field *field, bool first) {
    if (o->end - o->at >= PB_JSON_KEY_MAX) {
        memcpy(o->at, field->key + first, PB_JSON_KEY_MAX - 1);
        o->at += field->key_len - first;
    } else {
        put(o, field->key + first, (size_t)(field->key_len - first));
    }
}

static void put_message(struct out *o, const struct pb_json_table *table, const uint8_t *message);

APART static void put_scalar(struct out *o, const struct pb_json_field *field, const void *at) {
    switch (field->type) {
    case PROTOBUF_C_TYPE_ENUM:
        put_enum(o, field->sub.values, *(const int *)at);
        break;
    case PROTOBUF_C_TYPE_BOOL:
        if (*(const protobuf_c_boolean *)at)
            put(o, "true", 4);
        else
            put(o, "false", 5);
        break;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
        put_uint(o, *(const uint32_t *)at);
        break;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        put_uint(o, *(const uint64_t *)at);
        break;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        put_int(o, *(const int32_t *)at);
        break;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        put_int(o, *(const int64_t *)at);
        break;
    case PROTOBUF_C_TYPE_BYTES:
        put_bytes(o, at);
        break;
    default:
        put(o, "null", 4); // float, double: refused when the table is made
    }
}

static inline void put_value(struct out *o, const struct pb_json_field *field, const void *at) {
    if (field->type == PROTOBUF_C_TYPE_STRING)
        put_text(o, *(char *const *)at);
    else if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        put_message(o, field->sub.table, *(const uint8_t *const *)at);
    else
        put_scalar(o, field, at);
}

static size_t value_size(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        return 8;
    default:
        return 4;
    }
}

static void put_list(struct out *o, const struct pb_json_field *field, const uint8_t *message) {
    size_t n = *(const size_t *)(const void *)(message + field->quantifier);
    const uint8_t *at = *(const uint8_t *const *)(const void *)(message + field->offset);
    if (n == 0) {
        put(o, "[]", 2);
        return;
    }
    size_t size = value_size(field->type);
    for (size_t i = 0; i < n; i++) {
        put(o, i == 0 ? "[" : ",", 1);
        put_value(o, field, at + i * size);
    }
    put(o, "]", 1);
}

static void put_args(struct out *o, size_t n, Tabled__V1__Arg *const *args) {
    put(o, "{", 1);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            put(o, ",", 1);
        put_text(o, args[i]->name);
        put(o, ":", 1);
        put_text(o, args[i]->value);
    }
    put(o, "}", 1);
}

APART static void put_time(struct out *o, const Tabled__V1__Time *time) {
    char text[PB_JSON_TIME_LEN + 2];
    if (time == NULL || time->unix_ms == 0 || time->unix_ms > pb_json__time_max) {
        put(o, "null", 4);
        return;
    }
    text[0] = text[sizeof text - 1] = '"';
    pb_json__time_text(time->unix_ms, text + 1);
    put(o, text, sizeof text);
}

static void put_message(struct out *o, const struct pb_json_table *table, const uint8_t *message) {
    if (table->form == PB_JSON_TIME) {
        put_time(o, (const Tabled__V1__Time *)(const void *)message);
        return;
    }
    if (message == NULL) {
        put(o, "null", 4);
        return;
    }
    put(o, "{", 1);
    const struct pb_json_field *end = table->field + table->n;
    for (const struct pb_json_field *field = table->field; field < end; field++) {
        const void *at = message + field->offset;
        put_key(o, field, field == table->field);
        if (!field->repeated)
            put_value(o, field, at);
        else if (field->args)
            put_args(o, *(const size_t *)(const void *)(message + field->quantifier),
                     *(Tabled__V1__Arg *const *const *)at);
        else
            put_list(o, field, message);
    }
    put(o, "}", 1);
}

void pb_json_write(struct json *j, const ProtobufCMessage *message) {
    const struct pb_json_table *table = pb_json__table(message->descriptor);
    if (j->cap == 0 || j->len >= j->cap - 1) { // full already: count only
        char nothing[1];
        struct out count = {.at = nothing, .end = nothing};
        put_message(&count, table, (const uint8_t *)message);
        j->len += j->comma + count.lost;
    } else {
        struct out o = {.at = j->buf + j->len, .end = j->buf + j->cap - 1};
        if (j->comma)
            put(&o, ",", 1);
        put_message(&o, table, (const uint8_t *)message);
        j->len = (size_t)(o.at - j->buf) + o.lost;
    }
    j->comma = true;
}
