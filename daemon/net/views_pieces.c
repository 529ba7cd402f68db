// The registry of pieces as a spreadsheet and as JSON: the same list twice. Tags only where they were asked
// for.
#include "core/json.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5 };

// Cuts a line of CSV at its commas; no value of ours has a comma or a quote. Returns the number of columns.
static unsigned cut(char *line, char *column[COLUMNS]) {
    unsigned n = 0;
    for (char *rest = line; rest && n < COLUMNS;)
        column[n++] = strsep(&rest, ",");
    return n;
}

static void write_member(struct json *j, const char *key, const char *text) {
    json_key(j, key);
    json_text(j, text);
}

// Lines of one piece stand together.
static void write_pieces(struct json *j, char *csv, bool tags) {
    char *rest = csv, *line, *column[COLUMNS], deck[33] = "", name[33] = "";
    bool open = false;
    strsep(&rest, "\n"); // the header
    json_begin_array(j);
    while ((line = strsep(&rest, "\n"))) {
        if (cut(line, column) != (tags ? 5u : 4u))
            continue;
        if (strcmp(deck, column[0]) != 0 || strcmp(name, column[1]) != 0) {
            if (open) {
                json_end_array(j);
                json_end_object(j);
            }
            open = true;
            snprintf(deck, sizeof deck, "%s", column[0]);
            snprintf(name, sizeof name, "%s", column[1]);
            json_begin_object(j);
            write_member(j, "deck", deck);
            write_member(j, "name", name);
            write_member(j, "kind", column[2]);
            json_key(j, "tags");
            json_begin_array(j);
        }
        json_begin_object(j);
        if (tags)
            write_member(j, "tag", column[3]);
        write_member(j, "face", column[tags ? 4 : 3]);
        json_end_object(j);
    }
    if (open) {
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
}

void get_pieces(struct request *request) {
    const char *deck = MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, "deck");
    const char *with = MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, "tags");
    bool tags = with && !strcmp(with, "1");
    struct error err = {0};
    char *csv = NULL;
    if (door_enrol_export(request->http->options.door, &request->who, deck && *deck ? deck : NULL, tags, &csv,
                          &err)) {
        answer_error(request, &err);
        return;
    }
    size_t cap = 12 * strlen(csv) + 128; // each value once in the text and once in the list, with its key
    char *text = malloc(cap);
    struct json j;
    if (text) {
        json_begin(&j, text, cap);
        json_begin_object(&j);
        write_member(&j, "text", csv);
        json_key(&j, "pieces");
        write_pieces(&j, csv, tags);
        json_end_object(&j);
    }
    if (text && json_end(&j))
        answer_json(request, 200, text, j.len);
    else
        answer_code(request, ERROR_INTERNAL, "out of memory");
    free(text);
    free(csv);
}
