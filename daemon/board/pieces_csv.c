// The registry as a spreadsheet: deck,name,kind,tag,face. The column may be called tag_reversed: ids in the
// other byte order (B050).
#include "board/pieces__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, FIELD_MAX = 64, FAULTS_NAMED = 8 };
static const char *const columns[COLUMNS] = {"deck", "name", "kind", "tag", "face"};

struct reading {
    const char *at;
    unsigned line, next_line;
    char field[COLUMNS][FIELD_MAX];
    unsigned n; // fields of this line; COLUMNS + 1 = too many
    bool reversed;
};

// One field up to its comma or line end; quotes as in RFC 4180. A fault is a sentence, else NULL.
static const char *read_field(struct reading *r, char *to) {
    size_t len = 0;
    bool quoted = *r->at == '"', open = quoted;
    r->at += quoted;
    for (;; r->at++) {
        char c = *r->at;
        if (c == '\0' || (!open && (c == ',' || c == '\n')))
            break;
        if (open && c == '"' && r->at[1] != '"') {
            open = false;
            continue;
        }
        if (c == '\r' && (r->at[1] == '\n' || r->at[1] == '\0'))
            continue;
        if (quoted && !open)
            return "something follows the closing quote";
        if (!quoted && c == '"')
            return "a quote stands inside a field";
        r->at += open && c == '"';
        r->next_line += c == '\n';
        if (len == FIELD_MAX - 1)
            return "a field has more than 63 characters";
        to[len++] = c;
    }
    to[len] = '\0';
    return open ? "a quote is not closed" : NULL;
}

static void skip_line(struct reading *r) {
    while (*r->at && *r->at != '\n')
        r->at++;
}

// Reads the next line that is not blank; false at the end. *ret_fault as read_field's.
static bool read_line(struct reading *r, const char **ret_fault) {
    char beyond[FIELD_MAX] = "";
    *ret_fault = NULL;
    for (;;) {
        if (*r->at == '\0')
            return false;
        r->line = r->next_line;
        r->n = 0;
        do {
            r->at += r->n > 0;
            *ret_fault = read_field(r, r->n < COLUMNS ? r->field[r->n] : beyond);
            r->n += r->n <= COLUMNS;
        } while (!*ret_fault && *r->at == ',');
        if (*ret_fault)
            skip_line(r);
        if (*r->at == '\n') {
            r->at++;
            r->next_line++;
        }
        if (*ret_fault || r->n != 1 || r->field[0][0])
            return true;
    }
}

static bool header_ok(struct reading *r) {
    const char *fault;
    if (!read_line(r, &fault) || fault || r->n != COLUMNS)
        return false;
    r->reversed = strcmp(r->field[3], "tag_reversed") == 0;
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (strcmp(r->field[i], columns[i]) != 0 && !(i == 3 && r->reversed))
            return false;
    }
    return true;
}

struct import {
    struct pieces *pieces; // a copy: all or nothing
    const char *file;
    unsigned lines, faults;
    unsigned seven, turned; // 7-byte ids, and those whose last byte is a maker's 04 in place of the first
    struct error first;
    char more[80];
};

static void fault(struct import *import, unsigned line, const struct error *why) {
    if (import->faults++ == 0) {
        import->first = *why;
        snprintf(import->first.where, sizeof import->first.where, "%.80s:%u", import->file, line);
    } else if (import->faults <= FAULTS_NAMED) {
        size_t len = strlen(import->more);
        snprintf(import->more + len, sizeof import->more - len, "%s %u", len ? "," : "", line);
    }
}

static enum error_code take_line(struct import *import, const struct reading *r, struct error *why) {
    struct tag tag;
    uint8_t face;
    if (r->n != COLUMNS)
        return error_set(why, ERROR_INVALID, NULL, "a line has %d fields, this one %s%u", COLUMNS,
                         r->n > COLUMNS ? "at least " : "", r->n);
    enum error_code code = tag_parse(r->field[3], &tag, why);
    if (code)
        return code;
    if (r->reversed)
        tag_reverse(&tag);
    import->seven += tag.len == 7;
    import->turned += tag.len == 7 && tag.b[6] == 0x04 && tag.b[0] != 0x04;
    if (!pieces__face_by_name(r->field[4], &face))
        return error_set(why, ERROR_INVALID, NULL, "a face is up, down or empty");
    return pieces_add(import->pieces, r->field[0], r->field[1], r->field[2], &tag, face, NULL, why);
}

static void take_lines(struct import *import, struct reading *r) {
    const char *shape;
    while (read_line(r, &shape)) {
        struct error why = {0};
        import->lines++;
        if (shape)
            error_set(&why, ERROR_INVALID, NULL, "%s", shape);
        else
            take_line(import, r, &why);
        if (why.code)
            fault(import, r->line, &why);
    }
    if (import->faults == 0 && import->seven >= 3 && import->turned == import->seven) {
        struct error why = {0};
        error_set(&why, ERROR_INVALID, NULL,
                  "all ids look reversed (04 comes last): name the column tag_reversed to import them");
        fault(import, 1, &why);
    }
}

static enum error_code report(const struct import *import, struct error *err) {
    const struct error *first = &import->first;
    if (import->faults == 1)
        return error_set(err, first->code, first->where, "%s", first->text);
    return error_set(err, first->code, first->where, "%.130s (%u lines have faults, also%s%s)", first->text,
                     import->faults, import->more, import->faults > FAULTS_NAMED ? " ..." : "");
}

static struct reading begin(const char *text) {
    static const char mark[] = "\xef\xbb\xbf"; // of the byte order
    bool marked = strncmp(text, mark, sizeof mark - 1) == 0;
    return (struct reading){.at = text + (marked ? sizeof mark - 1 : 0), .next_line = 1};
}

enum error_code pieces_csv_decks(const char *text, pieces_deck_fn *fn, void *ctx, struct error *err) {
    struct reading *r = &(struct reading){0};
    const char *shape;
    *r = begin(text);
    if (!header_ok(r))
        return ERROR_OK;
    while (read_line(r, &shape))
        if (!shape && fn(ctx, r->field[0], err))
            return err->code;
    return ERROR_OK;
}

enum error_code pieces_import_csv(struct pieces *pieces, const char *text, const char *file_name,
                                  unsigned *ret_added, struct error *err) {
    struct reading *r = &(struct reading){0};
    struct import import = {.file = file_name};
    *r = begin(text);
    if (ret_added)
        *ret_added = 0;
    if (!header_ok(r)) {
        char where[96];
        snprintf(where, sizeof where, "%.80s:1", file_name);
        return error_set(err, ERROR_INVALID, where, "the first line must be deck,name,kind,tag,face");
    }
    enum error_code code = pieces_copy(pieces, &import.pieces, err);
    if (code)
        return code;
    take_lines(&import, r);
    if (import.faults > 0) {
        code = report(&import, err);
    } else {
        pieces__take(pieces, import.pieces);
        if (ret_added)
            *ret_added = import.lines;
    }
    pieces_destroy(import.pieces);
    return code;
}

enum error_code pieces_export_csv(const struct pieces *pieces, const char *deck, char **ret,
                                  struct error *err) {
    size_t size = 0;
    *ret = NULL;
    FILE *out = open_memstream(ret, &size);
    if (!out)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    fprintf(out, "deck,name,kind,tag,face\n");
    for (uint16_t i = 0; i < pieces->n; i++) {
        const struct piece *piece = &pieces->piece[i];
        if (deck && strcmp(piece->deck, deck) != 0)
            continue;
        for (unsigned k = 0; k < piece->n_tags; k++) {
            char tag[TAG_TEXT_MAX];
            tag_format(&piece->tags[k].tag, tag);
            fprintf(out, "%s,%s,%s,%s,%s\n", piece->deck, piece->name, piece->kind, tag,
                    pieces__face_name(piece->tags[k].face));
        }
    }
    if (fclose(out) == 0)
        return ERROR_OK;
    free(*ret);
    *ret = NULL;
    return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
}
