#include "wire/pb_pack.h"
#include "wire/pb_json_table.h"
#include <endian.h>
#include <stdbool.h>
#include <string.h>

// `at` moves down towards `begin`; NULL once something did not fit.
struct packing {
    uint8_t *begin, *at;
};

static inline void put(struct packing *p, const void *bytes, size_t len) {
    if ((size_t)(p->at - p->begin) < len) {
        p->begin = p->at = NULL;
        return;
    }
    p->at -= len;
    memcpy(p->at, bytes, len);
}

static void put_long_varint(struct packing *p, uint64_t value) {
    uint8_t bytes[10];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    put(p, bytes, n);
}

static inline void put_varint(struct packing *p, uint64_t value) {
    if (value < 0x80 && p->at > p->begin)
        *--p->at = (uint8_t)value;
    else
        put_long_varint(p, value);
}

static inline void put_tag(struct packing *p, const struct pb_json_field *field) {
    if (field->tag_len == 1 && p->at > p->begin)
        *--p->at = field->tag[0];
    else
        put(p, field->tag, field->tag_len);
}

static void put_fields(struct packing *p, const struct pb_json_table *table, const uint8_t *message);

static inline void put_block(struct packing *p, const struct pb_json_field *field, const void *bytes,
                             size_t len) {
    if (len > 0)
        put(p, bytes, len);
    put_varint(p, len);
    put_tag(p, field);
}

static void put_message(struct packing *p, const struct pb_json_field *field, const uint8_t *message) {
    const uint8_t *end = p->at;
    if (message != NULL)
        put_fields(p, field->sub.table, message);
    if (p->begin == NULL)
        return;
    put_varint(p, (uint64_t)(end - p->at));
    put_tag(p, field);
}

static bool is_wide(ProtobufCType type) {
    return type == PROTOBUF_C_TYPE_FIXED64 || type == PROTOBUF_C_TYPE_SFIXED64 ||
           type == PROTOBUF_C_TYPE_UINT64 || type == PROTOBUF_C_TYPE_INT64 || type == PROTOBUF_C_TYPE_SINT64;
}

static void put_number(struct packing *p, const struct pb_json_field *field, const void *at) {
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    if (is_wide(field->type))
        memcpy(&u64, at, 8);
    else
        memcpy(&u32, at, 4);
    if ((u64 | u32) == 0)
        return;
    switch (field->type) {
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
        u64 = htole64(u64);
        put(p, &u64, 8);
        break;
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
        u32 = htole32(u32);
        put(p, &u32, 4);
        break;
    case PROTOBUF_C_TYPE_SINT64:
        put_varint(p, u64 << 1 ^ (0 - (u64 >> 63)));
        break;
    case PROTOBUF_C_TYPE_SINT32:
        put_varint(p, (uint32_t)(u32 << 1 ^ (0 - (u32 >> 31))));
        break;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_ENUM: // negative ones are ten bytes long
        put_varint(p, (uint64_t)(int64_t)(int32_t)u32);
        break;
    case PROTOBUF_C_TYPE_BOOL:
        put_varint(p, 1);
        break;
    default:
        put_varint(p, u64 | u32);
    }
    put_tag(p, field);
}

static void put_one(struct packing *p, const struct pb_json_field *field, const void *at) {
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        const char *text = *(char *const *)at;
        if (text != NULL && text[0] != '\0')
            put_block(p, field, text, strlen(text));
    } else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        const uint8_t *message = *(const uint8_t *const *)at;
        if (message != NULL)
            put_message(p, field, message);
    } else if (field->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData *bytes = at;
        if (bytes->len > 0)
            put_block(p, field, bytes->data, bytes->len);
    } else {
        put_number(p, field, at);
    }
}

// In a list an empty element is an element.
static void put_list(struct packing *p, const struct pb_json_field *field, const uint8_t *message) {
    size_t n = *(const size_t *)(const void *)(message + field->quantifier);
    const void *list = *(const void *const *)(const void *)(message + field->offset);
    for (size_t i = n; i-- > 0 && p->begin != NULL;)
        if (field->type == PROTOBUF_C_TYPE_STRING) {
            const char *text = ((char *const *)list)[i];
            put_block(p, field, text, text != NULL ? strlen(text) : 0);
        } else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
            put_message(p, field, ((const uint8_t *const *)list)[i]);
        } else {
            const ProtobufCBinaryData *bytes = (const ProtobufCBinaryData *)list + i;
            put_block(p, field, bytes->data, bytes->len);
        }
}

static void put_fields(struct packing *p, const struct pb_json_table *table, const uint8_t *message) {
    for (unsigned i = table->n; i-- > 0 && p->begin != NULL;) {
        const struct pb_json_field *field = &table->field[i];
        if (field->repeated)
            put_list(p, field, message);
        else
            put_one(p, field, message + field->offset);
    }
}

size_t pb_pack(const ProtobufCMessage *message, uint8_t *buf, size_t cap) {
    struct packing p = {.begin = buf, .at = buf + cap};
    put_fields(&p, pb_json__table(message->descriptor), (const uint8_t *)message);
    return p.begin == NULL ? SIZE_MAX : cap - (size_t)(p.at - buf);
}
