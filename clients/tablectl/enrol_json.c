// Lists of pieces: JSON to CSV and back. [{"deck","name","kind","tags":[{"tag","face"}]}]
#include "enrol.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5 };

static const char *value(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text && !strpbrk(text, ",\"\r\n") ? text : "";
}

char *enrol_csv_of_json(const char *text, const char *file) {
    json_error_t why;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    const json_t *list = json_is_array(root) ? root : json_object_get(root, "pieces");
    char *csv = NULL;
    size_t len;
    FILE *out = json_is_array(list) ? open_memstream(&csv, &len) : NULL;
    if (!out) {
        fprintf(stderr, "tablectl: %s:%d: %s\n", file, root ? 1 : why.line,
                root ? "a list of pieces, or an object with `pieces`, is expected" : why.text);
        json_decref(root);
        return NULL;
    }
    fputs("deck,name,kind,tag,face\n", out);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *piece = json_array_get(list, i), *tags = json_object_get(piece, "tags");
        for (size_t k = 0; k < json_array_size(tags); k++)
            fprintf(out, "%s,%s,%s,%s,%s\n", value(piece, "deck"), value(piece, "name"), value(piece, "kind"),
                    value(json_array_get(tags, k), "tag"), value(json_array_get(tags, k), "face"));
    }
    json_decref(root);
    if (fclose(out)) {
        free(csv);
        return NULL;
    }
    return csv;
}

static json_t *piece_of(json_t *list, char *column[COLUMNS]) {
    json_t *last = json_array_get(list, json_array_size(list) - 1);
    if (json_array_size(list) && !strcmp(value(last, "deck"), column[0]) &&
        !strcmp(value(last, "name"), column[1]))
        return last;
    json_t *piece =
        json_pack("{s:s,s:s,s:s,s:[]}", "deck", column[0], "name", column[1], "kind", column[2], "tags");
    json_array_append_new(list, piece);
    return piece;
}

char *enrol_json_of_csv(const char *csv, bool tags) {
    char *copy = strdup(csv), *rest = copy, *line, *column[COLUMNS];
    json_t *list = json_array();
    if (rest)
        strsep(&rest, "\n"); // the header
    while (rest && (line = strsep(&rest, "\n"))) {
        size_t n = 0;
        for (char *at = line; at && n < COLUMNS;)
            column[n++] = strsep(&at, ",");
        if (n != (tags ? 5u : 4u))
            continue;
        json_t *one = json_pack("{s:s}", "face", column[tags ? 4 : 3]);
        if (tags)
            json_object_set_new(one, "tag", json_string(column[3]));
        json_array_append_new(json_object_get(piece_of(list, column), "tags"), one);
    }
    free(copy);
    json_t *root = json_pack("{s:o}", "pieces", list);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
    json_decref(root);
    return text;
}
