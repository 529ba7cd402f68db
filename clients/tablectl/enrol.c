// Pieces and their tags: one by one, in a row, from a list, and back into a list.
#include "enrol.h"
#include "board/pieces.h"
#include "call.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 4 << 20 };

static char *read_file(const char *path) {
    FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
    char *text = malloc(FILE_MAX + 1);
    size_t n = 0;
    bool ok = file && text;
    if (ok) {
        n = fread(text, 1, FILE_MAX + 1, file);
        ok = !ferror(file) && n <= FILE_MAX;
    }
    if (!ok) {
        fprintf(stderr, "tablectl: cannot read %s: %s\n", path,
                n > FILE_MAX ? "it is too large" : strerror(errno));
        free(text);
        text = NULL;
    } else {
        text[n] = '\0';
    }
    if (file && file != stdin)
        fclose(file);
    return text;
}

// ---- the file of a daemon that does not run

static int import_db(const char *db, const char *csv, const char *name) {
    struct error err = {0};
    struct pieces *pieces = NULL;
    unsigned added = 0;
    enum error_code code = pieces_create(&pieces, &err);
    if (!code && access(db, F_OK) == 0)
        code = pieces_load(pieces, db, &err);
    if (!code)
        code = pieces_import_csv(pieces, csv, name, &added, &err);
    if (!code)
        code = pieces_save(pieces, db, &err);
    pieces_destroy(pieces);
    if (code)
        return failed(&err, EXIT_CODE_FAILED);
    printf("%u tags added\n", added);
    return EXIT_CODE_OK;
}

// Without --tags the tags are left out: a list of pieces is no secret, their tags are.
static void strip_tags(char *csv) {
    char *to = csv;
    unsigned column = 0;
    for (const char *from = csv; *from; from++) {
        column = *from == '\n' ? 0 : column + (*from == ',');
        if (column != 3)
            *to++ = *from;
    }
    *to = '\0';
}

static int print_list(const struct args *args, const char *csv, bool tags) {
    char *text = args->json ? enrol_json_of_csv(csv, tags) : NULL;
    if (args->json && text)
        puts(text);
    else if (!args->json)
        fputs(csv, stdout);
    free(text);
    return EXIT_CODE_OK;
}

static int export_db(const struct args *args, const char *db, const char *deck, bool tags) {
    struct error err = {0};
    struct pieces *pieces = NULL;
    char *csv = NULL;
    if (access(db, R_OK)) {
        fprintf(stderr, "tablectl: cannot read %s: %s\n", db, strerror(errno));
        return EXIT_CODE_FAILED;
    }
    enum error_code code = pieces_create(&pieces, &err);
    if (!code)
        code = pieces_load(pieces, db, &err);
    if (!code)
        code = pieces_export_csv(pieces, deck, &csv, &err);
    if (!code && !tags)
        strip_tags(csv);
    if (!code)
        print_list(args, csv, tags);
    free(csv);
    pieces_destroy(pieces);
    return code ? failed(&err, EXIT_CODE_FAILED) : EXIT_CODE_OK;
}

// ---- through the daemon

static int send_body(const struct args *args, const char *path, json_t *body) {
    struct call answer;
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    json_decref(body);
    if (!text) {
        fprintf(stderr, "tablectl: this cannot be sent: its text is not UTF-8\n");
        return EXIT_CODE_USAGE;
    }
    int code = call(args, path, text, &answer);
    free(text);
    if (!code && args->json)
        puts(answer.text);
    else if (!code && number_of(answer.json, "added") > 1)
        printf("%lld tags added\n", number_of(answer.json, "added"));
    else if (!code)
        puts("done");
    call_free(&answer);
    return code;
}

// A list may be for a game that is not installed yet, so a kind nobody knows is told and taken.
static void warn_kinds(const char *file, const char *csv) {
    const char *line = csv + strcspn(csv, "\n");
    for (unsigned n = 2; *line; n++, line += strcspn(line, "\n")) {
        char kind[34];
        if (sscanf(++line, "%*[^,\n\"],%*[^,\n\"],%33[^,\n\"]", kind) != 1)
            continue;
        check_kind(kind, file, n);
    }
}

static int import_file(const struct args *args) {
    const char *db = args_option(args, "db");
    if (args->n_words != 2)
        return usage_error(args, "name the file to import");
    char *csv = read_file(args->words[1]);
    if (csv && (csv[strspn(csv, " \t\r\n")] == '[' || csv[strspn(csv, " \t\r\n")] == '{')) {
        char *json = csv;
        csv = enrol_csv_of_json(json, args->words[1]);
        free(json);
    }
    if (!csv)
        return EXIT_CODE_FAILED;
    warn_kinds(args->words[1], csv);
    int code = db ? import_db(db, csv, args->words[1])
                  : send_body(args, "/api/v1/pieces/import", json_pack("{s:s}", "text", csv));
    free(csv);
    return code;
}

static int export_file(const struct args *args) {
    const char *db = args_option(args, "db"), *deck = args->n_words > 1 ? args->words[1] : NULL;
    bool tags = args_option(args, "tags") != NULL;
    char path[160];
    struct call answer;
    if (args->n_words > 2 || (deck && strspn(deck, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(deck)))
        return usage_error(args, "name one deck or none");
    if (db)
        return export_db(args, db, deck, tags);
    snprintf(path, sizeof path, "/api/v1/pieces?%s%.33s%s", deck ? "deck=" : "", deck ? deck : "",
             tags ? "&tags=1" : "");
    int code = call(args, path, NULL, &answer);
    if (!code)
        print_list(args, text_of(answer.json, "text"), tags);
    call_free(&answer);
    return code;
}

int enrol_one(const struct args *args, const char *table, const char *deck, const char *name,
              const char *kind, const char *face, const char *pad) {
    char path[128];
    uint64_t wait;
    if (!args_number(args, "wait", 1, 120, 30, &wait) || check_kind(kind, NULL, 0))
        return EXIT_CODE_USAGE;
    if (face && *face && strcmp(face, "up") && strcmp(face, "down")) {
        fprintf(stderr, "tablectl: a face is up or down, not \"%s\"\n", face);
        return EXIT_CODE_USAGE;
    }
    json_t *body = json_pack("{s:s,s:s,s:s,s:I}", "deck", deck, "name", name, "kind", kind, "wait_ms",
                             (json_int_t)wait * 1000);
    if (body && face && *face)
        json_object_set_new(body, "face", json_string(face));
    if (body && pad)
        json_object_set_new(body, "pad", json_string(pad));
    if (!args->json && pad == args_option(args, "pad")) {
        printf("lay %s/%s (%s) on %s%s within %d s\n", deck, name, kind, pad ? "pad " : "any pad",
               pad ? pad : "", (int)wait);
        fflush(stdout);
    }
    snprintf(path, sizeof path, "/api/v1/tables/%s/enrol", table);
    return send_body(args, path, body);
}

int run_enrol(const struct args *args) {
    char table[33], deck[34];
    size_t next;
    if (!args->n_words)
        return usage_error(args, "say what");
    if (!strcmp(args->words[0], "import"))
        return import_file(args);
    if (!strcmp(args->words[0], "export"))
        return export_file(args);
    const char *what = args->words[0], *slash = strchr(what, '/'), *kind = args_option(args, "kind");
    bool loop = !strcmp(what, "wizard");
    if (!loop && (!slash || slash - what > 32 || !kind || args->n_words != 1))
        return usage_error(args, "write DECK/NAME --kind KIND");
    int code = call_table(args, SIZE_MAX, table, &next);
    if (code)
        return code;
    if (loop)
        return enrol_wizard(args, table);
    snprintf(deck, sizeof deck, "%.*s", (int)(slash - what), what);
    return enrol_one(args, table, deck, slash + 1, kind, args_option(args, "face"), args_option(args, "pad"));
}
