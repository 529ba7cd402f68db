#include "wire/pb_json.h"
#include "public.pb-c.h"
#include "wire/pb_json_table.h"
#include <string.h>

// Plain text goes out as it is; all else (quotes, control characters, non-ASCII) is core/json.h's affair.
static inline bool plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

// What does not fit is cut once, as core/json.h does; nothing is written behind the cut.
static void put_cut(struct json *j, const char *text, size_t len) {
    if (j->len + 1 < j->cap)
        memcpy(j->buf + j->len, text, j->cap - 1 - j->len < len ? j->cap - 1 - j->len : len);
}

static inline void put(struct json *j, const char *text, size_t len) {
    if (j->len < j->cap && len < j->cap - j->len)
        memcpy(j->buf + j->len, text, len);
    else
        put_cut(j, text, len);
    j->len += len;
}

static void put_text(struct json *j, const char *text) {
    if (text == NULL)
        text = "";
    size_t len = 0;
    while (plain((unsigned char)text[len]))
        len++;
    if (text[len] != '\0') {
        j->comma = false;
        json_text(j, text);
        return;
    }
    put(j, "\"", 1);
    put(j, text, len);
    put(j, "\"", 1);
}

static void put_uint(struct json *j, uint64_t value) {
    char text[20], *at = text + sizeof text;
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    put(j, at, (size_t)(text + sizeof text - at));
}

static void put_int(struct json *j, int64_t value) {
    if (value < 0)
        put(j, "-", 1);
    put_uint(j, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void put_enum(struct json *j, const struct pb_json_enum *values, int value) {
    if (value >= 0 && (unsigned)value < values->n)
        put(j, values->name[value].text, values->name[value].len);
    else
        put_int(j, value); // of a later schema
}

static void put_bytes(struct json *j, const ProtobufCBinaryData *bytes) {
    put(j, "\"", 1);
    for (size_t i = 0; i < bytes->len; i++) {
        char hex[2] = {"0123456789ABCDEF"[bytes->data[i] >> 4], "0123456789ABCDEF"[bytes->data[i] & 15]};
        put(j, hex, 2);
    }
    put(j, "\"", 1);
}

static void put_message(struct json *j, const struct pb_json_table *table, const uint8_t *message);

static void put_value(struct json *j, const struct pb_json_field *field, const void *at) {
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        put_text(j, *(char *const *)at);
        break;
    case PROTOBUF_C_TYPE_MESSAGE:
        put_message(j, field->sub.table, *(const uint8_t *const *)at);
        break;
    case PROTOBUF_C_TYPE_ENUM:
        put_enum(j, field->sub.values, *(const int *)at);
        break;
    case PROTOBUF_C_TYPE_BOOL:
        if (*(const protobuf_c_boolean *)at)
            put(j, "true", 4);
        else
            put(j, "false", 5);
        break;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
        put_uint(j, *(const uint32_t *)at);
        break;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        put_uint(j, *(const uint64_t *)at);
        break;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        put_int(j, *(const int32_t *)at);
        break;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        put_int(j, *(const int64_t *)at);
        break;
    case PROTOBUF_C_TYPE_BYTES:
        put_bytes(j, at);
        break;
    default:
        put(j, "null", 4); // float, double: refused when the table is made
    }
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

static void put_list(struct json *j, const struct pb_json_field *field, const uint8_t *message) {
    size_t n = *(const size_t *)(const void *)(message + field->quantifier);
    const uint8_t *at = *(const uint8_t *const *)(const void *)(message + field->offset);
    if (n == 0) {
        put(j, "[]", 2);
        return;
    }
    size_t size = value_size(field->type);
    for (size_t i = 0; i < n; i++) {
        put(j, i == 0 ? "[" : ",", 1);
        put_value(j, field, at + i * size);
    }
    put(j, "]", 1);
}

static void put_args(struct json *j, size_t n, Tabled__V1__Arg *const *args) {
    put(j, "{", 1);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            put(j, ",", 1);
        put_text(j, args[i]->name);
        put(j, ":", 1);
        put_text(j, args[i]->value);
    }
    put(j, "}", 1);
}

static void put_time(struct json *j, const Tabled__V1__Time *time) {
    char text[PB_JSON_TIME_LEN + 2];
    if (time == NULL || time->unix_ms == 0 || time->unix_ms > pb_json__time_max) {
        put(j, "null", 4);
        return;
    }
    text[0] = text[sizeof text - 1] = '"';
    pb_json__time_text(time->unix_ms, text + 1);
    put(j, text, sizeof text);
}

static void put_message(struct json *j, const struct pb_json_table *table, const uint8_t *message) {
    if (table->form == PB_JSON_TIME) {
        put_time(j, (const Tabled__V1__Time *)(const void *)message);
        return;
    }
    if (message == NULL) {
        put(j, "null", 4);
        return;
    }
    put(j, "{", 1);
    for (unsigned i = 0; i < table->n; i++) {
        const struct pb_json_field *field = &table->field[i];
        const void *at = message + field->offset;
        put(j, field->key + (i == 0), field->key_len - (i == 0));
        if (field->args)
            put_args(j, *(const size_t *)(const void *)(message + field->quantifier),
                     *(Tabled__V1__Arg *const *const *)at);
        else if (field->repeated)
            put_list(j, field, message);
        else
            put_value(j, field, at);
    }
    put(j, "}", 1);
}

void pb_json_write(struct json *j, const ProtobufCMessage *message) {
    if (j->comma)
        put(j, ",", 1);
    put_message(j, pb_json__table(message->descriptor), (const uint8_t *)message);
    j->comma = true;
}
