// A journal file, read only: verify, export, replay. Of a game that still runs nothing is told.
#include "core/config.h"
#include "core/json.h"
#include "fold.h"
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_MAX = 4096, LINE_MAX_BYTES = 2 * JOURNAL_BODY_MAX + 2 * JOURNAL_EVIDENCE_MAX + 1024 };

static const char warning[] =
    "WARNING: this game still runs. What follows tells hidden cards; who reads it must not play.\n";

static struct tables {
    size_t n;
    char name[TABLES_MAX][33];
    uint64_t last[TABLES_MAX]; // number of its last record: they are counted from 1 without a gap
} tables;

static int list_tables(const char *path) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    tables.n = 0;
    int r = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), row = SQLITE_DONE;
    if (r == SQLITE_OK)
        r = sqlite3_prepare_v2(db, "SELECT tbl, max(n) FROM record GROUP BY tbl ORDER BY tbl", -1, &stmt,
                               NULL);
    while (r == SQLITE_OK && (row = sqlite3_step(stmt)) == SQLITE_ROW && tables.n < TABLES_MAX) {
        tables.last[tables.n] = (uint64_t)sqlite3_column_int64(stmt, 1);
        snprintf(tables.name[tables.n++], sizeof tables.name[0], "%s",
                 (const char *)sqlite3_column_text(stmt, 0));
    }
    if (r != SQLITE_OK)
        fprintf(stderr, "tablectl: %s is no journal: %s\n", path,
                db ? sqlite3_errmsg(db) : sqlite3_errstr(r));
    else if (row == SQLITE_ROW)
        fprintf(stderr, "tablectl: %s has more than %d tables\n", path, TABLES_MAX);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return r == SQLITE_OK && row != SQLITE_ROW ? EXIT_CODE_OK : EXIT_CODE_FAILED;
}

// ---- export

struct exporting {
    uint64_t hidden_from; // records from here on belong to a running game; 0 = none
    bool evidence, left_out;
};

static enum error_code export_record(void *ctx, const struct journal_record *record, struct error *err) {
    static char buffer[LINE_MAX_BYTES];
    struct exporting *e = ctx;
    struct json j;
    char at[CLOCK_TEXT_MAX], boot[17];
    if (e->hidden_from && record->n >= e->hidden_from) {
        e->left_out = true;
        return ERROR_OK;
    }
    clock_text(record->wall_us, at);
    snprintf(boot, sizeof boot, "%016" PRIx64, record->boot);
    json_begin(&j, buffer, sizeof buffer);
    json_begin_object(&j);
    const struct {
        const char *key, *value;
    } words[] = {{"table", record->table},
                 {"game", record->game},
                 {"kind", journal_kind_name(record->kind)},
                 {"by", record->by},
                 {"cause", record->cause},
                 {"at", at},
                 {"boot", boot}};
    json_key(&j, "n");
    json_uint(&j, record->n);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        json_key(&j, words[i].key);
        json_text(&j, words[i].value);
    }
    json_key(&j, "mono_us");
    json_int(&j, record->mono_us);
    json_key(&j, "body");
    json_raw(&j, record->body, strlen(record->body));
    if (e->evidence) {
        json_key(&j, "evidence");
        json_text(&j, record->evidence);
    }
    json_end_object(&j);
    if (!json_end(&j))
        return error_set(err, ERROR_TOO_LARGE, record->table, "record %" PRIu64 " is too long", record->n);
    puts(buffer);
    return ERROR_OK;
}

static int export_table(const char *path, const char *table, bool reveal) {
    struct fold *fold = NULL;
    struct error err = {0};
    struct exporting e = {.evidence = reveal};
    enum error_code code = fold_last(path, table, &fold, &err);
    if (code)
        return failed(&err, EXIT_CODE_FAILED);
    if (fold && fold_running(fold) && reveal)
        fputs(warning, stderr);
    else if (fold && fold_running(fold))
        e.hidden_from = fold_start(fold);
    fold_destroy(fold);
    code = journal_read(path, table, 1, export_record, &e, &err);
    if (e.left_out) // how many would tell how many act at night
        fprintf(stderr, "tablectl: %s: the records of a running game are left out\n", table);
    return code ? failed(&err, EXIT_CODE_FAILED) : EXIT_CODE_OK;
}

// ---- replay

static int replay_table(const char *path, const char *table, bool reveal) {
    struct fold *fold = NULL;
    struct error err = {0};
    if (fold_last(path, table, &fold, &err))
        return failed(&err, EXIT_CODE_FAILED);
    int code = EXIT_CODE_OK;
    if (!fold) {
        printf("%s: no game\n", table);
    } else if (fold_running(fold) && !reveal) {
        fprintf(stderr, "tablectl: %s: the game still runs; its story is told after its end\n", table);
        code = EXIT_CODE_REFUSED;
    } else {
        if (fold_running(fold))
            fputs(warning, stderr);
        if (fold_print(fold, &err))
            code = failed(&err, EXIT_CODE_FAILED);
    }
    fold_destroy(fold);
    return code;
}

// Records of a table that may be counted: those of a running game would tell how many act at night.
static uint64_t told_records(const char *path, size_t i) {
    struct fold *fold = NULL;
    struct error err = {0};
    uint64_t start = 0;
    if (fold_last(path, tables.name[i], &fold, &err))
        journal_last_start(path, tables.name[i], &start, &err);
    else if (fold && fold_running(fold))
        start = fold_start(fold);
    fold_destroy(fold);
    return start ? start - 1 : tables.last[i];
}

static int verify(const struct args *args, const char *path) {
    struct error err = {0};
    uint64_t records = 0;
    if (journal_verify(path, &records, &err))
        return failed(&err, EXIT_CODE_FAILED);
    if (list_tables(path))
        return EXIT_CODE_FAILED;
    records = 0;
    for (size_t i = 0; i < tables.n; i++)
        records += told_records(path, i);
    if (args->json)
        printf("{\"records\":%" PRIu64 ",\"ok\":true}\n", records);
    else
        printf("%" PRIu64 " records, whole\n", records);
    return EXIT_CODE_OK;
}

int run_journal(const struct args *args) {
    if (args->n_words != 2)
        return usage_error(args, "say verify, export or replay, and name the file");
    const char *what = args->words[0], *path = args->words[1], *only = args_option(args, "table");
    bool reveal = args_option(args, "reveal") != NULL, exports = !strcmp(what, "export");
    if (!strcmp(what, "verify"))
        return verify(args, path);
    if (!exports && strcmp(what, "replay") != 0)
        return usage_error(args, "say verify, export or replay");
    int worst = list_tables(path);
    static const char *names[TABLES_MAX];
    size_t told = 0;
    for (size_t i = 0; i < tables.n; i++) {
        names[i] = tables.name[i];
        if (only && strcmp(only, tables.name[i]) != 0)
            continue;
        int code = (exports ? export_table : replay_table)(path, tables.name[i], reveal);
        worst = code > worst ? code : worst;
        told++;
    }
    char instead[CONFIG_INSTEAD_MAX];
    if (worst || told || !only)
        return worst;
    fprintf(stderr, "tablectl journal: there is no table '%s' in %s%s\n", only, path,
            config_instead(only, names, sizeof *names, tables.n, instead));
    return EXIT_CODE_USAGE;
}
