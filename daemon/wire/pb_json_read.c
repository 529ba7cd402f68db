#include "core/log.h"
#include "public.pb-c.h"
#include "wire/pb_json.h"
#include "wire/pb_json_table.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    size_t max_list;
    struct error *err;
    char path[sizeof((struct error *)0)->where];
    size_t path_len;
};

// Appends to the path and returns its old length for leave().
static size_t enter(struct reading *r, const char *name, size_t index) {
    size_t before = r->path_len;
    size_t room = sizeof r->path - before;
    int n = name != NULL ? snprintf(r->path + before, room, "%s%s", before > 0 ? "." : "", name)
                         : snprintf(r->path + before, room, "[%zu]", index);
    if (n > 0)
        r->path_len = (size_t)n < room ? before + (size_t)n : sizeof r->path - 1;
    return before;
}
static void leave(struct reading *r, size_t before) {
    r->path_len = before;
    r->path[before] = '\0';
}

static enum error_code fail(struct reading *r, const char *what) {
    return error_set(r->err, ERROR_INVALID, r->path, "%s", what);
}

static void *must(void *memory) {
    if (memory == NULL)
        log_no_memory("wire");
    return memory;
}

static enum error_code read_integer(struct reading *r, const json_t *value, int64_t min, int64_t max,
                                    int64_t *ret) {
    if (!json_is_integer(value))
        return fail(r, "a whole number is needed here");
    *ret = json_integer_value(value);
    return *ret < min || *ret > max ? fail(r, "the number is out of range") : ERROR_OK;
}

static enum error_code read_text(struct reading *r, const json_t *value, char **ret) {
    if (!json_is_string(value))
        return fail(r, "text is needed here");
    *ret = must(strdup(json_string_value(value)));
    return ERROR_OK;
}

static enum error_code read_enum(struct reading *r, const struct pb_json_enum *values, const json_t *value,
                                 int *ret) {
    int64_t number;
    if (json_is_integer(value)) { // written for a value of a later schema
        enum error_code code = read_integer(r, value, INT32_MIN, INT32_MAX, &number);
        if (code == ERROR_OK)
            *ret = (int)number;
        return code;
    }
    const char *text = json_string_value(value);
    if (text == NULL)
        return fail(r, "a word is needed here");
    size_t len = strlen(text);
    for (unsigned i = 0; i < values->n; i++)
        if (values->name[i].len == len + 2 && memcmp(values->name[i].text + 1, text, len) == 0) {
            *ret = (int)i;
            return ERROR_OK;
        }
    return fail(r, "this word is not known here");
}

static int nibble(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum error_code read_bytes(struct reading *r, const json_t *value, ProtobufCBinaryData *ret) {
    const char *text = json_string_value(value);
    size_t len = text != NULL ? strlen(text) : 1;
    if (len % 2 != 0)
        return fail(r, "upper-case hex digits are needed here");
    uint8_t *data = must(malloc(len / 2 + 1));
    for (size_t i = 0; i < len / 2; i++) {
        int high = nibble(text[2 * i]), low = nibble(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            free(data);
            return fail(r, "upper-case hex digits are needed here");
        }
        data[i] = (uint8_t)(high << 4 | low);
    }
    *ret = (ProtobufCBinaryData){len / 2, data};
    return ERROR_OK;
}

static enum error_code read_message(struct reading *r, const struct pb_json_table *table, const json_t *value,
                                    ProtobufCMessage **ret);

static enum error_code read_value(struct reading *r, const struct pb_json_field *field, const json_t *value,
                                  void *at) {
    int64_t number = 0;
    enum error_code code;
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        return read_text(r, value, at);
    case PROTOBUF_C_TYPE_MESSAGE:
        return read_message(r, field->sub.table, value, at);
    case PROTOBUF_C_TYPE_ENUM:
        return read_enum(r, field->sub.values, value, at);
    case PROTOBUF_C_TYPE_BYTES:
        return read_bytes(r, value, at);
    case PROTOBUF_C_TYPE_BOOL:
        if (!json_is_boolean(value))
            return fail(r, "true or false is needed here");
        *(protobuf_c_boolean *)at = json_is_true(value);
        return ERROR_OK;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
        if ((code = read_integer(r, value, 0, UINT32_MAX, &number)) == ERROR_OK)
            *(uint32_t *)at = (uint32_t)number;
        return code;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        if ((code = read_integer(r, value, INT32_MIN, INT32_MAX, &number)) == ERROR_OK)
            *(int32_t *)at = (int32_t)number;
        return code;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        if ((code = read_integer(r, value, 0, INT64_MAX, &number)) == ERROR_OK)
            *(uint64_t *)at = (uint64_t)number;
        return code;
    default:
        if ((code = read_integer(r, value, INT64_MIN, INT64_MAX, &number)) == ERROR_OK)
            *(int64_t *)at = number;
        return code;
    }
}

static size_t element_size(ProtobufCType type) {
    switch (type) {
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_ENUM:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        return 4;
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    default:
        return 8;
    }
}

// The count grows with each element that is whole, so that a message given up half-way can be freed.
static enum error_code read_list(struct reading *r, const struct pb_json_field *field, const json_t *value,
                                 uint8_t *message) {
    if (!json_is_array(value))
        return fail(r, "a list is needed here");
    size_t n = json_array_size(value), size = element_size(field->type);
    if (n > r->max_list)
        return fail(r, "the list is too long");
    if (n == 0)
        return ERROR_OK;
    uint8_t *list = must(calloc(n, size));
    *(uint8_t **)(void *)(message + field->offset) = list;
    size_t *count = (size_t *)(void *)(message + field->quantifier);
    for (size_t i = 0; i < n; i++) {
        const json_t *element = json_array_get(value, i);
        size_t before = enter(r, NULL, i);
        enum error_code code = json_is_null(element) ? fail(r, "null has no place in a list")
                                                     : read_value(r, field, element, list + i * size);
        if (code != ERROR_OK)
            return code;
        leave(r, before);
        *count = i + 1;
    }
    return ERROR_OK;
}

static enum error_code read_args(struct reading *r, const json_t *value, uint8_t *message,
                                 const struct pb_json_field *field) {
    if (!json_is_object(value))
        return fail(r, "an object is needed here");
    size_t n = json_object_size(value);
    if (n > r->max_list)
        return fail(r, "there are too many arguments");
    if (n == 0)
        return ERROR_OK;
    Tabled__V1__Arg **list = must(calloc(n, sizeof *list));
    *(Tabled__V1__Arg ***)(void *)(message + field->offset) = list;
    size_t *count = (size_t *)(void *)(message + field->quantifier);
    const char *key;
    json_t *element;
    json_object_foreach((json_t *)value, key, element) {
        size_t before = enter(r, key, 0);
        Tabled__V1__Arg *arg = must(malloc(sizeof *arg));
        tabled__v1__arg__init(arg);
        list[(*count)++] = arg;
        arg->name = must(strdup(key));
        enum error_code code = read_text(r, element, &arg->value);
        if (code != ERROR_OK)
            return code;
        leave(r, before);
    }
    return ERROR_OK;
}

static const struct pb_json_field *find_field(const struct pb_json_table *table, const char *name) {
    for (unsigned i = 0; i < table->n; i++)
        if (strcmp(table->field[i].name, name) == 0)
            return &table->field[i];
    return NULL;
}

static enum error_code read_fields(struct reading *r, const struct pb_json_table *table, const json_t *value,
                                   uint8_t *message) {
    const char *key;
    json_t *element;
    json_object_foreach((json_t *)value, key, element) {
        size_t before = enter(r, key, 0);
        const struct pb_json_field *field = find_field(table, key);
        enum error_code code;
        if (field == NULL)
            code = fail(r, "this field is not known here");
        else if (field->args)
            code = read_args(r, element, message, field);
        else if (field->repeated)
            code = read_list(r, field, element, message);
        else
            code = read_value(r, field, element, message + field->offset);
        if (code != ERROR_OK)
            return code;
        leave(r, before);
    }
    return ERROR_OK;
}

static enum error_code read_time(struct reading *r, const json_t *value, Tabled__V1__Time *time) {
    if (!json_is_string(value) || !pb_json__time_parse(json_string_value(value), &time->unix_ms))
        return fail(r, "a time like 2026-01-01T00:00:00.000Z is needed here");
    return ERROR_OK;
}

// null leaves a sub-message out. The message is stored before it is filled, for the same reason as above.
static enum error_code read_message(struct reading *r, const struct pb_json_table *table, const json_t *value,
                                    ProtobufCMessage **ret) {
    if (json_is_null(value))
        return ERROR_OK;
    if (table->form == PB_JSON_FIELDS && !json_is_object(value))
        return fail(r, "an object is needed here");
    ProtobufCMessage *message = must(malloc(table->type->sizeof_message));
    protobuf_c_message_init(table->type, message);
    enum error_code code = table->form == PB_JSON_TIME ? read_time(r, value, (Tabled__V1__Time *)message)
                                                       : read_fields(r, table, value, (uint8_t *)message);
    if (code != ERROR_OK)
        protobuf_c_message_free_unpacked(message, NULL);
    else
        *ret = message;
    return code;
}

enum error_code pb_json_read(const ProtobufCMessageDescriptor *type, const char *text, size_t len,
                             size_t max_list, ProtobufCMessage **ret, struct error *err) {
    *ret = NULL;
    json_error_t wrong;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &wrong);
    if (root == NULL) {
        char where[32];
        snprintf(where, sizeof where, "%d:%d", wrong.line, wrong.column);
        return error_set(err, ERROR_INVALID, where, "this is not JSON, or a key stands twice in one object");
    }
    struct reading r = {.max_list = max_list, .err = err};
    enum error_code code = json_is_object(root)
                               ? read_message(&r, pb_json__table(type), root, ret)
                               : error_set(err, ERROR_INVALID, NULL, "an object is needed here");
    json_decref(root);
    return code;
}
