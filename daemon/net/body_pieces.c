#include "net/body__.h"
#include <stdlib.h>
#include <string.h>

static const struct body__field enrol_fields[] = {
    {"deck", BODY__TYPE(JSON_STRING), true},      {"name", BODY__TYPE(JSON_STRING), false},
    {"kind", BODY__TYPE(JSON_STRING), false},     {"look", BODY__BOOL, false},
    {"face", BODY__TYPE(JSON_STRING), false},     {"pad", BODY__TYPE(JSON_STRING), false},
    {"wait_ms", BODY__TYPE(JSON_INTEGER), false}, {NULL, 0, false},
};
enum { ENROL_WAIT_MS = 30000, ENROL_WAIT_MAX_MS = 120000 };

enum error_code body_enrol(const char *text, size_t len, struct body_enrol *ret, struct error *err) {
    json_t *root;
    uint64_t wait;
    if (body__open(text, len, enrol_fields, &root, err))
        return err->code;
    enum error_code code = ERROR_OK;
    ret->look = json_is_true(json_object_get(root, "look"));
    if (!ret->look && !(json_object_get(root, "name") && json_object_get(root, "kind")))
        code = error_set(err, ERROR_INVALID, "name", "a piece has `name` and `kind`; `look` does without");
    else if (body__text(root, "deck", ret->deck, sizeof ret->deck, err) ||
             body__text(root, "name", ret->name, sizeof ret->name, err) ||
             body__text(root, "kind", ret->kind, sizeof ret->kind, err) ||
             body__text(root, "face", ret->face, sizeof ret->face, err) ||
             body__text(root, "pad", ret->pad, sizeof ret->pad, err) ||
             body__uint(root, "wait_ms", ENROL_WAIT_MAX_MS, ENROL_WAIT_MS, &wait, err))
        code = err->code;
    else
        ret->wait_ms = (unsigned)wait;
    json_decref(root);
    return code;
}

static const struct body__field import_fields[] = {{"text", BODY__TYPE(JSON_STRING), true}, {NULL, 0, false}};

enum error_code body_import(const char *text, size_t len, char **ret, struct error *err) {
    json_t *root;
    *ret = NULL;
    if (body__open(text, len, import_fields, &root, err))
        return err->code;
    *ret = strdup(json_string_value(json_object_get(root, "text")));
    json_decref(root);
    return *ret ? ERROR_OK : error_set(err, ERROR_INTERNAL, NULL, "out of memory");
}
