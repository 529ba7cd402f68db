// {"changes": [{"section", "name", "key", "value"}]}: value text, or null for what the files say.
#include "net/body__.h"
#include "net/overlay.h"
#include <stdio.h>
#include <string.h>

static const struct body__field fields[] = {{"changes", BODY__TYPE(JSON_ARRAY), true}, {NULL, 0, false}};
static const struct body__field change_fields[] = {
    {"section", BODY__TYPE(JSON_STRING), true},
    {"name", BODY__TYPE(JSON_STRING), false},
    {"key", BODY__TYPE(JSON_STRING), true},
    {"value", BODY__TYPE(JSON_STRING) | BODY__TYPE(JSON_NULL), true},
    {NULL, 0, false},
};

// One line of a configuration: nothing that ends it, begins a comment or is blank at its ends.
static bool value_ok(const char *value) {
    size_t n = strlen(value);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)value[i] < 0x20 || strchr(";#\"", value[i]))
            return false;
    return n == 0 || (value[0] != ' ' && value[n - 1] != ' ');
}

static enum error_code read_change(json_t *item, struct overlay_row *ret, struct error *err) {
    if (!json_is_object(item))
        return error_set(err, ERROR_INVALID, "changes", "a change is an object");
    if (body__check(item, change_fields, err) ||
        body__text(item, "section", ret->section, sizeof ret->section, err) ||
        body__text(item, "name", ret->name, sizeof ret->name, err) ||
        body__text(item, "key", ret->key, sizeof ret->key, err))
        return err->code;
    const json_t *value = json_object_get(item, "value");
    ret->gone = json_is_null(value);
    if (!ret->gone && body__text(item, "value", ret->value, sizeof ret->value, err))
        return err->code;
    if (!overlay_may_change(ret->section, ret->key))
        return error_set(err, ERROR_INVALID, "key",
                         "[%.15s] %.32s is not changed from here; edit the configuration", ret->section,
                         ret->key);
    return value_ok(ret->value)
               ? ERROR_OK
               : error_set(err, ERROR_INVALID, "value", "a value is one line without ; # or \"");
}

enum error_code body_settings(const char *text, size_t len, struct body_settings *ret, struct error *err) {
    json_t *root;
    memset(ret, 0, sizeof *ret);
    if (body__open(text ? text : "", len, fields, &root, err))
        return err->code;
    const json_t *list = json_object_get(root, "changes");
    enum error_code code = ERROR_OK;
    size_t n = json_array_size(list);
    if (n == 0 || n > OVERLAY_CHANGES_MAX)
        code = error_set(err, ERROR_INVALID, "changes", "1 to %d changes", OVERLAY_CHANGES_MAX);
    for (size_t i = 0; i < n && !code; i++)
        code = read_change(json_array_get(list, i), &ret->change[ret->n++], err);
    json_decref(root);
    return code;
}
