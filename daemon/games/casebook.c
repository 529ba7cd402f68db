// Reads worked cases out of a rules file: a heading or a bold word names a case, its fence holds it; a fence
// marked json may hold one object or a list of objects that bring their own ids.
#include "games/casebook.h"
#include "engine/game.h"
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 8 << 20, PROSE_MAX = 4096 };

#define GAME(name) extern const struct casebook name##_casebook;
#include "games/games.def"
#undef GAME

static const struct casebook *const casebooks[] = {
#define GAME(name) &name##_casebook,
#include "games/games.def"
#undef GAME
    NULL,
};

const struct casebook *casebook_find(const char *game) {
    for (size_t i = 0; casebooks[i]; i++)
        if (game && strcmp(casebooks[i]->game, game) == 0)
            return casebooks[i];
    return NULL;
}

bool casebook_fail(struct casebook_report *report, const char *expected, const char *format, ...) {
    if (report->failed)
        return false;
    report->failed = true;
    snprintf(report->expected, sizeof report->expected, "%s", expected);
    va_list args;
    va_start(args, format);
    vsnprintf(report->got, sizeof report->got, format, args);
    va_end(args);
    return false;
}

// ---- ids and their choice

// Length of a case id at the start of a text (A01, NA-07, BS-12b), 0 if there is none.
static size_t id_length(const char *text) {
    size_t n = 0;
    while (isupper((unsigned char)text[n]))
        n++;
    if (n == 0 || n > 4)
        return 0;
    n += text[n] == '-';
    size_t digits = n;
    while (isdigit((unsigned char)text[n]))
        n++;
    if (n == digits || n > 16)
        return 0;
    n += islower((unsigned char)text[n]) && !isalnum((unsigned char)text[n + 1]);
    return isalnum((unsigned char)text[n]) || text[n] == '_' ? 0 : n;
}

// The letters before the number and the number of an id.
static bool split_id(const char *id, size_t len, size_t *ret_letters, unsigned long *ret_number) {
    char copy[40];
    if (len == 0 || len >= sizeof copy)
        return false;
    memcpy(copy, id, len);
    copy[len] = 0;
    size_t n = strcspn(copy, "0123456789");
    char *end;
    *ret_letters = n;
    *ret_number = strtoul(copy + n, &end, 10);
    return n > 0 && copy[n] && (*end == 0 || end[1] == 0);
}

// One word of `only`: an id, or the first and last of a range.
static bool word_takes(const char *word, size_t len, const char *id) {
    size_t id_len = strlen(id), letters, from_letters, to_letters;
    unsigned long number, from, to;
    if (id_len == len && strncmp(word, id, len) == 0)
        return true;
    if (!split_id(id, id_len, &letters, &number))
        return false;
    for (size_t i = 1; i + 1 < len; i++) {
        if (word[i] != '-' || !split_id(word, i, &from_letters, &from) ||
            !split_id(word + i + 1, len - i - 1, &to_letters, &to))
            continue;
        bool same = from_letters == letters && to_letters == letters && strncmp(word, id, letters) == 0 &&
                    strncmp(word + i + 1, id, letters) == 0;
        if (same && number >= from && number <= to)
            return true;
    }
    return false;
}

static bool chosen(const char *only, const char *id) {
    if (!only || !*only)
        return true;
    while (*only) {
        size_t len = strcspn(only, ", ");
        if (len && word_takes(only, len, id))
            return true;
        only += len;
        only += strspn(only, ", ");
    }
    return false;
}

// ---- reading

struct reader {
    const struct casebook *book;
    const char *only;
    casebook_each_fn *each;
    void *ctx;
    unsigned n_run;
    char id[33], title[160];
    char prose[PROSE_MAX];
    size_t prose_len;
};

static void copy_text(char *to, size_t cap, const char *from, size_t len) {
    if (len >= cap)
        len = cap - 1;
    memcpy(to, from, len);
    to[len] = 0;
}

static void run_case(struct reader *r, const char *id, const char *text, unsigned line) {
    if (!chosen(r->only, id))
        return;
    struct casebook_case one = {.text = text, .prose = r->prose, .line = line};
    struct casebook_report report = {0};
    copy_text(one.id, sizeof one.id, id, strlen(id));
    copy_text(one.title, sizeof one.title, r->title, strlen(r->title));
    r->book->run(&one, &report);
    r->n_run++;
    if (r->each)
        r->each(r->ctx, &one, &report);
}

static void unreadable(struct reader *r, unsigned line, const char *why) {
    struct casebook_case one = {.text = "", .prose = r->prose, .line = line};
    struct casebook_report report = {0};
    snprintf(one.id, sizeof one.id, "%s", r->id[0] ? r->id : "fence");
    if (!chosen(r->only, one.id))
        return;
    snprintf(report.expected, sizeof report.expected, "a case that can be read");
    snprintf(report.got, sizeof report.got, "%s", why);
    r->n_run++;
    if (r->each)
        r->each(r->ctx, &one, &report);
}

static void json_case(struct reader *r, const json_t *object, unsigned line) {
    const char *id = json_string_value(json_object_get(object, "id"));
    size_t len = id ? id_length(id) : 0;
    if (!len || id[len])
        return; // data of another kind
    char *text = json_dumps(object, JSON_COMPACT);
    if (text)
        run_case(r, id, text, line);
    free(text);
}

static void json_fence(struct reader *r, const char *text, unsigned line) {
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        unreadable(r, line, error.text);
        return;
    }
    size_t i;
    json_t *object;
    if (json_is_array(root))
        json_array_foreach(root, i, object) json_case(r, object, line);
    else
        json_case(r, root, line);
    json_decref(root);
}

// `#### A01 — title` or `**A01** title`. A heading without an id closes the case before it.
static void name_line(struct reader *r, const char *line, size_t len) {
    char copy[256];
    copy_text(copy, sizeof copy, line, len);
    size_t skip = strspn(copy, "#");
    bool heading = skip > 0 && copy[skip] == ' ';
    bool bold = strncmp(copy, "**", 2) == 0;
    if (!heading && !bold) {
        size_t room = sizeof r->prose - r->prose_len - 1, take = len < room ? len : room;
        memcpy(r->prose + r->prose_len, line, take);
        r->prose_len += take;
        if (r->prose_len + 1 < sizeof r->prose)
            r->prose[r->prose_len++] = '\n';
        r->prose[r->prose_len < sizeof r->prose ? r->prose_len : sizeof r->prose - 1] = 0;
        return;
    }
    const char *name = copy + (heading ? skip + 1 : 2);
    size_t n = id_length(name);
    if (!n && bold)
        return;
    r->prose_len = 0;
    r->prose[0] = 0;
    copy_text(r->id, sizeof r->id, name, n);
    const char *title = name + n;
    while (*title && !isalnum((unsigned char)*title))
        title++;
    copy_text(r->title, sizeof r->title, title, strlen(title));
}

// Prose after a fence belongs to the case too, so the fence is looked ahead for the next name.
static void read_prose_ahead(struct reader *r, const char *after) {
    size_t kept = r->prose_len;
    while (*after) {
        size_t len = strcspn(after, "\n");
        if (*after == '#' || strncmp(after, "**", 2) == 0 || strncmp(after, "```", 3) == 0)
            break;
        size_t room = sizeof r->prose - kept - 1, take = len < room ? len : room;
        memcpy(r->prose + kept, after, take);
        kept += take;
        if (kept + 1 < sizeof r->prose)
            r->prose[kept++] = '\n';
        after += len + (after[len] == '\n');
    }
    r->prose[kept] = 0;
}

static void fence(struct reader *r, bool json, char *text, const char *after, unsigned line) {
    read_prose_ahead(r, after);
    if (json)
        json_fence(r, text, line);
    else if (r->id[0])
        run_case(r, r->id, text, line);
    r->prose[r->prose_len] = 0;
}

static void read_text(struct reader *r, char *text) {
    char *open = NULL;
    bool json = false;
    unsigned line = 0, open_line = 0;
    for (char *at = text; *at;) {
        size_t len = strcspn(at, "\n");
        char *next = at + len + (at[len] == '\n');
        line++;
        bool ticks = strncmp(at, "```", 3) == 0;
        if (ticks && !open) {
            json = strncmp(at + 3, "json", 4) == 0;
            open = next;
            open_line = line;
        } else if (ticks) {
            *at = 0; // ends the text of the case; the ticks are not read again
            fence(r, json, open, next, open_line);
            open = NULL;
        } else if (!open) {
            name_line(r, at, len);
        }
        at = next;
    }
    if (open)
        unreadable(r, open_line, "the fence is not closed");
}

// ---- the file

static enum error_code load(const char *path, char **ret, struct error *err) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, ERROR_NOT_FOUND, path, "the file cannot be read: %s", strerror(errno));
    enum error_code code = ERROR_OK;
    size_t len = 0, cap = 1 << 16;
    char *text = malloc(cap);
    for (size_t got; text && (got = fread(text + len, 1, cap - len - 1, file)) > 0;) {
        len += got;
        if (len + 1 < cap)
            continue;
        char *more = cap < FILE_MAX ? realloc(text, cap *= 2) : NULL;
        if (!more) {
            code = error_set(err, ERROR_TOO_LARGE, path, "a rules file has at most 8 MiB");
            break;
        }
        text = more;
    }
    fclose(file);
    if (!text)
        return error_set(err, ERROR_INTERNAL, path, "out of memory");
    if (code == ERROR_OK && memchr(text, 0, len))
        code = error_set(err, ERROR_INVALID, path, "the file holds a zero byte");
    text[len] = 0;
    if (code != ERROR_OK)
        free(text);
    else
        *ret = text;
    return code;
}

// one-night.md -> one_night
static void game_of_path(const char *path, char ret[33]) {
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    copy_text(ret, 33, base, strcspn(base, "."));
    for (char *c = ret; *c; c++)
        if (*c == '-')
            *c = '_';
}

enum error_code casebook_file(const char *path, const char *game, const char *only, casebook_each_fn *each,
                              void *ctx, struct error *err) {
    char by_name[33];
    game_of_path(path, by_name);
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return error_set(err, ERROR_INTERNAL, path, "out of memory");
    *reader = (struct reader){.only = only, .each = each, .ctx = ctx};
    reader->book = casebook_find(game ? game : by_name);
    char *text = NULL;
    enum error_code code = ERROR_OK;
    if (!reader->book)
        code = game ? game_unknown(game, err)
                    : error_set(err, ERROR_NOT_FOUND, path, "there is no game %s; name one with --game",
                                by_name);
    if (code == ERROR_OK)
        code = load(path, &text, err);
    if (code == ERROR_OK) {
        read_text(reader, text);
        if (reader->n_run == 0)
            code = error_set(err, ERROR_NOT_FOUND, path, "no case was selected");
    }
    free(text);
    free(reader);
    return code;
}
