// The journal read back: for start-up and tools, on a connection of its own.
#include "engine/journal__.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

// Columns of every reading statement.
#define COLUMNS "tbl, n, game, kind, \"by\", cause, boot, mono_us, wall_us, body, evidence"

static void place(const char *table, uint64_t n, char where[96]) {
    snprintf(where, 96, "%.32s record %" PRIu64, table, n);
}

static bool kind_of(const char *name, enum journal_kind *ret) {
    for (int kind = 0; name && kind < JOURNAL_KINDS; kind++)
        if (strcmp(journal_kind_name((enum journal_kind)kind), name) == 0) {
            *ret = (enum journal_kind)kind;
            return true;
        }
    return false;
}

static const char *text(sqlite3_stmt *stmt, int column) {
    return (const char *)sqlite3_column_text(stmt, column);
}

// The record borrows from the statement until its next step.
static enum error_code take_row(sqlite3_stmt *stmt, struct journal_record *ret, struct error *err) {
    *ret = (struct journal_record){
        .table = text(stmt, 0),
        .n = (uint64_t)sqlite3_column_int64(stmt, 1),
        .game = text(stmt, 2),
        .by = text(stmt, 4),
        .cause = text(stmt, 5),
        .boot = (uint64_t)sqlite3_column_int64(stmt, 6),
        .mono_us = sqlite3_column_int64(stmt, 7),
        .wall_us = sqlite3_column_int64(stmt, 8),
        .body = text(stmt, 9),
        .evidence = text(stmt, 10),
    };
    char where[96];
    place(ret->table ? ret->table : "?", ret->n, where);
    if (!ret->table || !ret->game || !ret->by || !ret->cause || !ret->body)
        return error_set(err, ERROR_CORRUPT, where, "the record is incomplete");
    if (!kind_of(text(stmt, 3), &ret->kind))
        return error_set(err, ERROR_CORRUPT, where, "the record has an unknown kind");
    return ERROR_OK;
}

static enum error_code check_next(const char *table, uint64_t n, uint64_t wanted, struct error *err) {
    if (n == wanted)
        return ERROR_OK;
    char where[96];
    place(table, wanted, where);
    return error_set(err, ERROR_CORRUPT, where,
                     "the record is missing, the next one is %" PRIu64 "; restore a backup", n);
}

struct table_reading {
    const char *path;
    uint64_t next;
    journal_read_fn *fn;
    void *ctx;
};

static enum error_code read_rows(sqlite3 *db, sqlite3_stmt *stmt, struct table_reading *reading,
                                 struct error *err) {
    for (;;) {
        int r = sqlite3_step(stmt);
        if (r == SQLITE_DONE)
            return ERROR_OK;
        if (r != SQLITE_ROW)
            return journal_db_error__(db, r, reading->path, err);
        struct journal_record record;
        enum error_code code = take_row(stmt, &record, err);
        if (code == ERROR_OK)
            code = check_next(record.table, record.n, reading->next++, err);
        if (code == ERROR_OK)
            code = reading->fn(reading->ctx, &record, err);
        if (code != ERROR_OK)
            return code;
    }
}

static enum error_code read_from(sqlite3 *db, const char *path, const char *table, uint64_t from,
                                 journal_read_fn *fn, void *ctx, struct error *err) {
    sqlite3_stmt *stmt = NULL;
    enum error_code code = journal_db_prepare__(
        db, "SELECT " COLUMNS " FROM record WHERE tbl=? AND n>=? ORDER BY n", path, &stmt, err);
    if (code == ERROR_OK) {
        struct table_reading reading = {path, from ? from : 1, fn, ctx};
        sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
        sqlite3_bind_int64(stmt, 2, from > INT64_MAX ? INT64_MAX : (sqlite3_int64)from);
        code = read_rows(db, stmt, &reading, err);
    }
    sqlite3_finalize(stmt);
    return code;
}

enum error_code journal_read(const char *path, const char *table, uint64_t from, journal_read_fn *fn,
                             void *ctx, struct error *err) {
    if (journal_memory__(path))
        return ERROR_OK;
    sqlite3 *db = NULL;
    enum error_code code = journal_db_read__(path, &db, err);
    if (code != ERROR_OK)
        return code;
    code = read_from(db, path, table, from, fn, ctx, err);
    sqlite3_close(db);
    return code;
}

// ---- the last game

// Is there this record, of this game? It takes one path through the tree.
static bool is_of(sqlite3_stmt *stmt, sqlite3_int64 n, const char *game, bool *ret_start) {
    sqlite3_bind_int64(stmt, 2, n);
    bool is = sqlite3_step(stmt) == SQLITE_ROW && text(stmt, 0) && !strcmp(text(stmt, 0), game);
    *ret_start = is && text(stmt, 1) && !strcmp(text(stmt, 1), journal_kind_name(JOURNAL_START));
    sqlite3_reset(stmt);
    return is;
}

// The records of a game follow each other: their first one is found by halving. 0: not like that.
static uint64_t halve(sqlite3 *db, const char *path, const char *table) {
    sqlite3_stmt *last = NULL, *one = NULL;
    char game[JOURNAL_NAME_MAX + 1] = "";
    sqlite3_int64 low = 0, high = 0; // of another game or none; of this one
    bool start = false;
    if (journal_db_prepare__(db, "SELECT n, game FROM record WHERE tbl=? ORDER BY n DESC LIMIT 1", path,
                             &last, NULL) == ERROR_OK &&
        journal_db_prepare__(db, "SELECT game, kind FROM record WHERE tbl=? AND n=?", path, &one, NULL) ==
            ERROR_OK) {
        sqlite3_bind_text(last, 1, table, -1, SQLITE_STATIC);
        sqlite3_bind_text(one, 1, table, -1, SQLITE_STATIC);
        if (sqlite3_step(last) == SQLITE_ROW && text(last, 1)) {
            high = sqlite3_column_int64(last, 0);
            snprintf(game, sizeof game, "%s", text(last, 1));
        }
        while (high - low > 1) {
            sqlite3_int64 middle = low + (high - low) / 2;
            if (is_of(one, middle, game, &start))
                high = middle;
            else
                low = middle;
        }
        if (high > 0)
            is_of(one, high, game, &start);
    }
    sqlite3_finalize(last);
    sqlite3_finalize(one);
    return start && high > 0 ? (uint64_t)high : 0;
}

static enum error_code last_start(sqlite3 *db, const char *path, const char *table, uint64_t *ret_n,
                                  struct error *err) {
    *ret_n = halve(db, path, table);
    if (*ret_n)
        return ERROR_OK;
    sqlite3_stmt *stmt = NULL;
    // Backwards through the key: it reads no more than the last game.
    enum error_code code = journal_db_prepare__(
        db, "SELECT n FROM record WHERE tbl=? AND kind='start' ORDER BY n DESC LIMIT 1", path, &stmt, err);
    if (code == ERROR_OK) {
        sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
        int r = sqlite3_step(stmt);
        if (r == SQLITE_ROW)
            *ret_n = (uint64_t)sqlite3_column_int64(stmt, 0);
        else if (r != SQLITE_DONE)
            code = journal_db_error__(db, r, path, err);
    }
    sqlite3_finalize(stmt);
    return code;
}

enum error_code journal_last_start(const char *path, const char *table, uint64_t *ret_n, struct error *err) {
    *ret_n = 0;
    if (journal_memory__(path))
        return ERROR_OK;
    sqlite3 *db = NULL;
    enum error_code code = journal_db_read__(path, &db, err);
    if (code != ERROR_OK)
        return code;
    code = last_start(db, path, table, ret_n, err);
    sqlite3_close(db);
    return code;
}

enum error_code journal_read_last(const char *path, const char *table, journal_read_fn *fn, void *ctx,
                                  struct error *err) {
    uint64_t first = 0;
    if (journal_memory__(path))
        return ERROR_OK;
    sqlite3 *db = NULL;
    enum error_code code = journal_db_read__(path, &db, err);
    if (code != ERROR_OK)
        return code;
    code = last_start(db, path, table, &first, err);
    if (code == ERROR_OK && first)
        code = read_from(db, path, table, first, fn, ctx, err);
    sqlite3_close(db);
    return code;
}

static enum error_code check_body(const struct journal_record *record, struct error *err) {
    json_error_t why;
    json_t *body = json_loads(record->body, JSON_REJECT_DUPLICATES, &why);
    if (json_is_object(body)) {
        json_decref(body);
        return ERROR_OK;
    }
    json_decref(body);
    char where[96];
    place(record->table, record->n, where);
    // What jansson says quotes the body, which is secret.
    return error_set(err, ERROR_CORRUPT, where, "its body is no JSON object, at byte %d", why.position);
}

static enum error_code verify_rows(sqlite3 *db, sqlite3_stmt *stmt, const char *path, uint64_t *ret_records,
                                   struct error *err) {
    char table[256] = "";
    uint64_t next = 1;
    for (;;) {
        int r = sqlite3_step(stmt);
        if (r == SQLITE_DONE)
            return ERROR_OK;
        if (r != SQLITE_ROW)
            return journal_db_error__(db, r, path, err);
        struct journal_record record;
        enum error_code code = take_row(stmt, &record, err);
        if (code != ERROR_OK)
            return code;
        if (strlen(record.table) > JOURNAL_NAME_MAX)
            return error_set(err, ERROR_CORRUPT, path, "a table's name is too long");
        if (strcmp(record.table, table) != 0) {
            snprintf(table, sizeof table, "%s", record.table);
            next = 1;
        }
        code = check_next(table, record.n, next++, err);
        if (code == ERROR_OK)
            code = check_body(&record, err);
        if (code != ERROR_OK)
            return code;
        ++*ret_records;
    }
}

enum error_code journal_verify(const char *path, uint64_t *ret_records, struct error *err) {
    *ret_records = 0;
    if (journal_memory__(path))
        return ERROR_OK;
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    enum error_code code = journal_db_read__(path, &db, err);
    if (code != ERROR_OK)
        return code;
    code = journal_db_check__(db, "integrity_check", path, err);
    if (code == ERROR_OK)
        code = journal_db_prepare__(db, "SELECT " COLUMNS " FROM record ORDER BY tbl, n", path, &stmt, err);
    if (code == ERROR_OK)
        code = verify_rows(db, stmt, path, ret_records, err);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return code;
}
