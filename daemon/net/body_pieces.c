#include "net/body__.h"
#include <stdio.h>
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

static const struct body__field import_fields[] = {
    {"text", BODY__TYPE(JSON_STRING), false}, {"pieces", BODY__TYPE(JSON_ARRAY), false}, {NULL, 0, false}};

// A value of the list as it stands in a spreadsheet; what has a comma, a quote or a line's end is none of
// ours.
static bool add_value(FILE *out, const json_t *object, const char *key, char after, struct error *err) {
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    if ((value && !text) || (text && strpbrk(text, ",\"\r\n"))) {
        error_set(err, ERROR_INVALID, key, "`%s` is a text without commas, quotes and line ends", key);
        return false;
    }
    fprintf(out, "%s%c", text ? text : "", after);
    return true;
}

static bool add_piece(FILE *out, const json_t *piece, struct error *err) {
    const json_t *tags = json_object_get(piece, "tags");
    for (size_t i = 0; i < json_array_size(tags); i++) {
        const json_t *tag = json_array_get(tags, i);
        if (!add_value(out, piece, "deck", ',', err) || !add_value(out, piece, "name", ',', err) ||
            !add_value(out, piece, "kind", ',', err) || !add_value(out, tag, "tag", ',', err) ||
            !add_value(out, tag, "face", '\n', err))
            return false;
    }
    if (json_array_size(tags))
        return true;
    error_set(err, ERROR_INVALID, "tags", "a piece has `deck`, `name`, `kind` and `tags`: [{tag, face}]");
    return false;
}

// [{"deck","name","kind","tags":[{"tag","face"}]}] as the same list in CSV.
static char *csv_of(const json_t *pieces, struct error *err) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    bool ok = out != NULL;
    if (!ok)
        error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    if (ok)
        fputs("deck,name,kind,tag,face\n", out);
    for (size_t i = 0; ok && i < json_array_size(pieces); i++)
        ok = add_piece(out, json_array_get(pieces, i), err);
    if (out && fclose(out))
        ok = false;
    if (!ok) {
        free(text);
        text = NULL;
    }
    return text;
}

enum error_code body_import(const char *text, size_t len, char **ret, struct error *err) {
    json_t *root;
    struct error why = {0};
    *ret = NULL;
    if (body__open(text, len, import_fields, &root, err))
        return err->code;
    const char *csv = json_string_value(json_object_get(root, "text"));
    const json_t *pieces = json_object_get(root, "pieces");
    if (!csv == !pieces)
        error_set(&why, ERROR_INVALID, "text", "give the list as `text` (CSV) or as `pieces`");
    else if (!(*ret = csv ? strdup(csv) : csv_of(pieces, &why)) && !why.code)
        error_set(&why, ERROR_INTERNAL, NULL, "out of memory");
    json_decref(root);
    if (why.code && err)
        *err = why;
    return why.code;
}
