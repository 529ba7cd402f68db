#include "wire/pb_json_table.h"
#include "core/log.h"
#include "public.pb-c.h"
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256 }; // a power of two, well above the number of messages of all schemas

// Constants once made; only the loop's thread asks for them.
static const struct pb_json_table *slots[SLOTS];

static void *must(void *memory) {
    if (memory == NULL)
        log_no_memory("wire");
    return memory;
}

// Values share the prefix up to the last underscore before they differ: EVENT_ of EVENT_ACTION, EVENT_PROMPT.
static size_t prefix_len(const ProtobufCEnumDescriptor *type) {
    size_t len = strlen(type->values[0].name);
    for (unsigned i = 1; i < type->n_values; i++) {
        size_t k = 0;
        while (k < len && type->values[i].name[k] == type->values[0].name[k])
            k++;
        len = k;
    }
    while (len > 0 && type->values[0].name[len - 1] != '_')
        len--;
    return len;
}

static const struct pb_json_enum *make_enum(const ProtobufCEnumDescriptor *type) {
    struct pb_json_enum *values = must(calloc(1, sizeof *values + type->n_values * sizeof values->name[0]));
    values->type = type;
    values->n = type->n_values;
    size_t prefix = prefix_len(type);
    for (unsigned i = 0; i < type->n_values; i++) {
        assert(type->values[i].value == (int)i);
        const char *name = type->values[i].name + prefix;
        size_t len = strlen(name);
        char *text = must(malloc(len + 3));
        text[0] = '"';
        for (size_t k = 0; k < len; k++)
            text[k + 1] = (char)tolower((unsigned char)name[k]);
        memcpy(text + len + 1, "\"", 2);
        values->name[i] = (struct pb_json_name){text, len + 2};
    }
    return values;
}

static void make_tag(const ProtobufCFieldDescriptor *from, struct pb_json_field *ret) {
    uint32_t wire = 0; // a varint
    if (from->type == PROTOBUF_C_TYPE_FIXED64 || from->type == PROTOBUF_C_TYPE_SFIXED64)
        wire = 1;
    else if (from->type == PROTOBUF_C_TYPE_FIXED32 || from->type == PROTOBUF_C_TYPE_SFIXED32)
        wire = 5;
    else if (from->type == PROTOBUF_C_TYPE_STRING || from->type == PROTOBUF_C_TYPE_BYTES ||
             from->type == PROTOBUF_C_TYPE_MESSAGE)
        wire = 2;
    assert(wire == 2 || from->label != PROTOBUF_C_LABEL_REPEATED);
    uint32_t tag = from->id << 3 | wire;
    for (; tag >= 0x80; tag >>= 7)
        ret->tag[ret->tag_len++] = (uint8_t)(tag | 0x80);
    ret->tag[ret->tag_len++] = (uint8_t)tag;
}

static void make_field(const ProtobufCFieldDescriptor *from, struct pb_json_field *ret) {
    assert((from->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) == 0);
    assert(from->type != PROTOBUF_C_TYPE_FLOAT && from->type != PROTOBUF_C_TYPE_DOUBLE);
    assert(strlen(from->name) + 4 < sizeof ret->key);
    ret->key_len = (uint8_t)snprintf(ret->key, sizeof ret->key, ",\"%s\":", from->name);
    make_tag(from, ret);
    ret->name = from->name;
    ret->type = from->type;
    ret->repeated = from->label == PROTOBUF_C_LABEL_REPEATED;
    ret->offset = from->offset;
    ret->quantifier = from->quantifier_offset;
    if (from->type == PROTOBUF_C_TYPE_MESSAGE) {
        ret->sub.table = pb_json__table(from->descriptor);
        ret->args = ret->repeated && from->descriptor == &tabled__v1__arg__descriptor;
    } else if (from->type == PROTOBUF_C_TYPE_ENUM) {
        ret->sub.values = make_enum(from->descriptor);
    }
}

const struct pb_json_table *pb_json__table(const ProtobufCMessageDescriptor *type) {
    size_t slot = ((uintptr_t)type >> 5) * 0x9e3779b9u % SLOTS;
    while (slots[slot] != NULL && slots[slot]->type != type)
        slot = (slot + 1) % SLOTS;
    if (slots[slot] != NULL)
        return slots[slot];
    struct pb_json_table *table = must(calloc(1, sizeof *table + type->n_fields * sizeof table->field[0]));
    table->type = type;
    table->form = type == &tabled__v1__time__descriptor ? PB_JSON_TIME : PB_JSON_FIELDS;
    table->n = type->n_fields;
    slots[slot] = table; // before its fields: a message may contain itself
    for (unsigned i = 0; i < type->n_fields; i++)
        make_field(&type->fields[i], &table->field[i]);
    return table;
}

// ---- times

const uint64_t pb_json__time_max = 253402300799999u; // 9999-12-31T23:59:59.999Z

static void digits(char *at, unsigned n, unsigned value) {
    for (char *p = at + n; p > at; value /= 10)
        *--p = (char)('0' + value % 10);
}

// Days since 1970 to a date: eras of 400 years that begin on the first of March.
static void date_text(uint32_t days, char ret[10]) {
    uint32_t z = days + 719468, era = z / 146097, doe = z % 146097;
    uint32_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    uint32_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    uint32_t month = mp < 10 ? mp + 3 : mp - 9;
    digits(ret, 4, yoe + era * 400 + (month <= 2));
    ret[4] = ret[7] = '-';
    digits(ret + 5, 2, month);
    digits(ret + 8, 2, doy - (153 * mp + 2) / 5 + 1);
}

void pb_json__time_text(uint64_t unix_ms, char ret[PB_JSON_TIME_LEN]) {
    uint32_t ms = (uint32_t)(unix_ms % 86400000);
    date_text((uint32_t)(unix_ms / 86400000), ret);
    ret[10] = 'T';
    digits(ret + 11, 2, ms / 3600000);
    ret[13] = ret[16] = ':';
    digits(ret + 14, 2, ms / 60000 % 60);
    digits(ret + 17, 2, ms / 1000 % 60);
    ret[19] = '.';
    digits(ret + 20, 3, ms % 1000);
    ret[23] = 'Z';
}

static bool number(const char *at, unsigned n, unsigned *ret) {
    *ret = 0;
    for (unsigned i = 0; i < n; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        *ret = *ret * 10 + (unsigned)(at[i] - '0');
    }
    return true;
}

bool pb_json__time_parse(const char *text, uint64_t *ret) {
    unsigned year, month, day, hour, min, s, ms;
    if (strlen(text) != PB_JSON_TIME_LEN || !number(text, 4, &year) || !number(text + 5, 2, &month) ||
        !number(text + 8, 2, &day) || !number(text + 11, 2, &hour) || !number(text + 14, 2, &min) ||
        !number(text + 17, 2, &s) || !number(text + 20, 3, &ms))
        return false;
    if (year < 1970 || month < 1 || month > 12 || day < 1 || hour > 23 || min > 59 || s > 59)
        return false;
    uint32_t y = month <= 2 ? year - 1 : year, yoe = y % 400;
    uint32_t doy = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    uint64_t days = (uint64_t)(y / 400) * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
    *ret = days * 86400000 + hour * 3600000 + min * 60000 + s * 1000 + ms;
    // Writing it again shows wrong punctuation and days that the month does not have.
    char again[PB_JSON_TIME_LEN];
    pb_json__time_text(*ret, again);
    return memcmp(again, text, PB_JSON_TIME_LEN) == 0;
}
