#include "net/body__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Before the parser sees it: how deep it goes, and no NUL. The parser recurses; this does not.
static enum error_code scan(const char *text, size_t len, struct error *err) {
    int depth = 0;
    bool string = false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '\0')
            return error_set(err, ERROR_INVALID, NULL, "the body has a NUL byte");
        if (string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                string = false;
        } else if (c == '"') {
            string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > BODY_DEPTH_MAX)
                return error_set(err, ERROR_INVALID, NULL, "the body nests deeper than %d", BODY_DEPTH_MAX);
        } else if (c == ']' || c == '}') {
            depth--;
        }
    }
    return ERROR_OK;
}

enum error_code body_json(const char *text, size_t len, json_t **ret, struct error *err) {
    *ret = NULL;
    if (scan(text, len, err))
        return err->code;
    json_error_t why;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        return error_set(
            err, ERROR_INVALID, NULL, "the body is not JSON: line %d, column %d: %s", why.line, why.column,
            json_error_code(&why) == json_error_duplicate_key ? "a key twice" : "unexpected text");
    if (!json_is_object(root)) {
        json_decref(root);
        return error_set(err, ERROR_INVALID, NULL, "the body must be a JSON object");
    }
    *ret = root;
    return ERROR_OK;
}

static const char *type_words(unsigned types) {
    static const struct {
        unsigned types;
        const char *words;
    } rows[] = {
        {BODY__TYPE(JSON_STRING), "text"},
        {BODY__TYPE(JSON_INTEGER), "a whole number"},
        {BODY__TYPE(JSON_OBJECT), "an object"},
        {BODY__TYPE(JSON_ARRAY) | BODY__TYPE(JSON_OBJECT), "a list or an object"},
        {BODY__TYPE(JSON_STRING) | BODY__TYPE(JSON_OBJECT), "a line of text or an object"},
        {BODY__TYPE(JSON_STRING) | BODY__TYPE(JSON_INTEGER), "a whole number or its digits as text"},
        {BODY__TYPE(JSON_STRING) | BODY__TYPE(JSON_INTEGER) | BODY__BOOL,
         "text, a whole number, true or false"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].types == types)
            return rows[i].words;
    return "of another type";
}

static const struct body__field *field_find(const struct body__field *fields, const char *name) {
    for (; fields->name; fields++)
        if (!strcmp(fields->name, name))
            return fields;
    return NULL;
}

enum error_code body__check(json_t *root, const struct body__field *fields, struct error *err) {
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) {
        const struct body__field *field = field_find(fields, key);
        if (!field)
            return error_set(err, ERROR_INVALID, NULL, "the body has an unknown field: \"%.40s\"", key);
        if (!(field->types & BODY__TYPE(json_typeof(value))))
            return error_set(err, ERROR_INVALID, field->name, "\"%s\" must be %s", field->name,
                             type_words(field->types));
    }
    for (; fields->name; fields++)
        if (fields->required && !json_object_get(root, fields->name))
            return error_set(err, ERROR_INVALID, fields->name, "the field \"%s\" is missing", fields->name);
    return ERROR_OK;
}

enum error_code body__open(const char *text, size_t len, const struct body__field *fields, json_t **ret,
                           struct error *err) {
    if (body_json(text, len, ret, err))
        return err->code;
    if (body__check(*ret, fields, err)) {
        json_decref(*ret);
        *ret = NULL;
        return err->code;
    }
    return ERROR_OK;
}

enum error_code body__uint(const json_t *root, const char *name, uint64_t max, uint64_t fallback,
                           uint64_t *ret, struct error *err) {
    const json_t *value = json_object_get(root, name);
    *ret = fallback;
    if (!value)
        return ERROR_OK;
    json_int_t number = json_integer_value(value);
    if (number < 0 || (uint64_t)number > max)
        return error_set(err, ERROR_INVALID, name, "\"%s\" must be 0 to %llu", name, (unsigned long long)max);
    *ret = (uint64_t)number;
    return ERROR_OK;
}

enum error_code body__text(const json_t *root, const char *name, char *ret, size_t size, struct error *err) {
    const json_t *value = json_object_get(root, name);
    ret[0] = '\0';
    if (!value)
        return ERROR_OK;
    if (json_string_length(value) >= size)
        return error_set(err, ERROR_INVALID, name, "\"%s\" is longer than %zu bytes", name, size - 1);
    memcpy(ret, json_string_value(value), json_string_length(value) + 1);
    return ERROR_OK;
}
