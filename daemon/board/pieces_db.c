// The registry in house.db: tables piece and tag. Other modules keep their tables in the same file; the
// schema version stands for all of them.
#include "board/migrate.h"
#include "board/pieces__.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MS = 2000, SHORTEST = 512 /* the smallest page SQLite has */ };

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS piece("
    " deck TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY(deck, name)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS tag("
    " n INTEGER PRIMARY KEY, tag TEXT NOT NULL UNIQUE, deck TEXT NOT NULL, name TEXT NOT NULL,"
    " face INTEGER NOT NULL, FOREIGN KEY(deck, name) REFERENCES piece(deck, name));";

// Row i leads from schema i + 1 to the next (migrate.h). None yet: schema 1 is the first.
static const char *const migrations[PIECES__VERSION] = {NULL};

static enum error_code db_error(sqlite3 *db, const char *what, struct error *err) {
    int code = sqlite3_errcode(db);
    bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    return error_set(err, damaged ? ERROR_CORRUPT : ERROR_STORAGE, "house.db", "%s: %s%s", what,
                     sqlite3_errmsg(db), damaged ? "; restore a backup or move the file away" : "");
}

static enum error_code run(sqlite3 *db, const char *sql, struct error *err) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? ERROR_OK
                                                                : db_error(db, "pieces not kept", err);
}

// The first column of the first row, or -1 without a row.
static enum error_code number(sqlite3 *db, const char *sql, sqlite3_int64 *ret, struct error *err) {
    sqlite3_stmt *statement;
    *ret = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        return db_error(db, "pieces not read", err);
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        *ret = sqlite3_column_int64(statement, 0);
    enum error_code code = step == SQLITE_ROW || step == SQLITE_DONE ? ERROR_OK
                                                                     : db_error(db, "pieces not read", err);
    sqlite3_finalize(statement);
    return code;
}

static enum error_code check_version(sqlite3 *db, int *ret_version, struct error *err) {
    sqlite3_int64 version;
    enum error_code code = number(db, "PRAGMA user_version", &version, err);
    if (code)
        return code;
    *ret_version = (int)version; // 0: nothing is in it yet
    if (version < 0 || version > PIECES__VERSION)
        return error_set(err, ERROR_STORAGE, "house.db",
                         "schema version %lld is not known to this program (it knows %d): use the newer one",
                         (long long)version, PIECES__VERSION);
    return ERROR_OK;
}

// The file is made here, not by SQLite, so that it never exists with a wider mode.
static enum error_code make_private(const char *path, struct error *err) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || ((st.st_mode & 077) && fchmod(fd, 0600))) {
        enum error_code code =
            error_set(err, ERROR_STORAGE, "house.db", "cannot be made private: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return code;
    }
    close(fd);
    return ERROR_OK;
}

// Saving ---------------------------------------------------------------------------------------------------

static bool bind_text(sqlite3_stmt *statement, int at, const char *text) {
    return sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC) == SQLITE_OK;
}

static bool insert(sqlite3_stmt *statement) {
    return sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
}

static bool write_piece(const struct piece *piece, sqlite3_stmt *pieces, sqlite3_stmt *tags) {
    if (!bind_text(pieces, 1, piece->deck) || !bind_text(pieces, 2, piece->name) ||
        !bind_text(pieces, 3, piece->kind) || !insert(pieces))
        return false;
    for (unsigned i = 0; i < piece->n_tags; i++) {
        char text[TAG_TEXT_MAX];
        tag_format(&piece->tags[i].tag, text);
        if (!bind_text(tags, 1, text) || !bind_text(tags, 2, piece->deck) ||
            !bind_text(tags, 3, piece->name) || sqlite3_bind_int(tags, 4, piece->tags[i].face) != SQLITE_OK ||
            !insert(tags))
            return false;
    }
    return true;
}

static enum error_code write_all(const struct pieces *pieces, sqlite3 *db, struct error *err) {
    sqlite3_stmt *piece = NULL, *tag = NULL;
    enum error_code code = ERROR_OK;
    if (sqlite3_prepare_v2(db, "INSERT INTO piece VALUES(?,?,?)", -1, &piece, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "INSERT INTO tag(tag,deck,name,face) VALUES(?,?,?,?)", -1, &tag, NULL) !=
            SQLITE_OK)
        code = db_error(db, "pieces not kept", err);
    for (uint16_t i = 0; !code && i < pieces_count(pieces); i++) {
        const struct piece *p = pieces_at(pieces, i);
        if (p && !write_piece(p, piece, tag))
            code = db_error(db, "pieces not kept", err);
    }
    sqlite3_finalize(piece);
    sqlite3_finalize(tag);
    return code;
}

enum error_code pieces_save(const struct pieces *pieces, const char *db_path, struct error *err) {
    enum error_code code = make_private(db_path, err);
    if (code)
        return code;
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(db_path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        code = db_error(db, "cannot be opened", err);
        sqlite3_close(db);
        return code;
    }
    sqlite3_busy_timeout(db, BUSY_MS);
    int version;
    if (!(code = run(db, "PRAGMA synchronous=FULL; BEGIN IMMEDIATE", err)) &&
        !(code = check_version(db, &version, err)) && !(code = run(db, schema, err)) &&
        !(code = run(db, "DELETE FROM tag; DELETE FROM piece", err)) &&
        !(code = write_all(pieces, db, err)) && !(code = run(db, "PRAGMA user_version=1", err)))
        code = run(db, "COMMIT", err);
    sqlite3_close(db); // an open transaction is rolled back
    return code;
}

// Loading --------------------------------------------------------------------------------------------------

static const char *text_of(sqlite3_stmt *statement, int column) {
    if (sqlite3_column_type(statement, column) != SQLITE_TEXT)
        return "";
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text && strlen(text) == (size_t)sqlite3_column_bytes(statement, column) ? text : "";
}

// One row of the tables joined: n, tag, deck, name, face, kind. Everything is checked as if it were new.
static enum error_code read_row(struct pieces *pieces, sqlite3_stmt *row, struct error *err) {
    char where[48];
    struct tag tag;
    struct error why = {0};
    sqlite3_int64 n = sqlite3_column_int64(row, 0), face = sqlite3_column_int64(row, 4);
    snprintf(where, sizeof where, "house.db: tag row %lld", (long long)n);
    if (sqlite3_column_type(row, 4) != SQLITE_INTEGER || face < 0 || face > PIECE_FACE_UP)
        error_set(&why, ERROR_INVALID, NULL, "the face is none of 0, 1, 2");
    else if (sqlite3_column_type(row, 5) != SQLITE_TEXT)
        error_set(&why, ERROR_INVALID, NULL, "its piece is missing");
    else if (!tag_parse(text_of(row, 1), &tag, &why)) {
        uint16_t before = pieces_by_tag(pieces, &tag, NULL);
        if (before != PIECE_NONE)
            error_set(&why, ERROR_INVALID, NULL, "the tag is there twice");
        else
            pieces_add(pieces, text_of(row, 2), text_of(row, 3), text_of(row, 5), &tag, (uint8_t)face, NULL,
                       &why);
    }
    if (why.code)
        return error_set(err, ERROR_CORRUPT, where,
                         "this row is damaged (%s): bring the file back from a backup", why.text);
    return ERROR_OK;
}

static enum error_code read_all(struct pieces *pieces, sqlite3 *db, struct error *err) {
    static const char sql[] =
        "SELECT tag.n, tag.tag, tag.deck, tag.name, tag.face, piece.kind FROM tag "
        "LEFT JOIN piece ON piece.deck = tag.deck AND piece.name = tag.name ORDER BY n";
    sqlite3_stmt *statement;
    sqlite3_int64 orphans;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        return db_error(db, "pieces not read", err);
    enum error_code code = ERROR_OK;
    int step = SQLITE_DONE;
    while (!code && (step = sqlite3_step(statement)) == SQLITE_ROW)
        code = read_row(pieces, statement, err);
    if (!code && step != SQLITE_DONE)
        code = db_error(db, "pieces not read", err);
    sqlite3_finalize(statement);
    if (code || (code = number(db,
                               "SELECT count(*) FROM piece WHERE NOT EXISTS(SELECT 1 FROM tag WHERE "
                               "tag.deck = piece.deck AND tag.name = piece.name)",
                               &orphans, err)))
        return code;
    if (orphans > 0)
        return error_set(err, ERROR_CORRUPT, "house.db: table piece",
                         "%lld pieces have lost their tags: bring the file back from a backup",
                         (long long)orphans);
    return ERROR_OK;
}

static enum error_code load_from(struct pieces *pieces, sqlite3 *db, const char *path, struct error *err) {
    sqlite3_int64 tables;
    int version = 0;
    sqlite3_busy_timeout(db, BUSY_MS);
    enum error_code code = check_version(db, &version, err);
    if (!code && version > 0)
        code = migrate(db, path, version, PIECES__VERSION, migrations, err);
    if (code)
        return code;
    code = number(db, "SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN ('piece','tag')",
                  &tables, err);
    if (code || tables == 0)
        return code;
    struct pieces *fresh;
    if ((code = pieces_create(&fresh, err)))
        return code;
    if (!(code = read_all(fresh, db, err)))
        pieces__take(pieces, fresh);
    pieces_destroy(fresh);
    return code;
}

// SQLite takes what is shorter than the head of its first page for an empty file, and the next enrolment
// would write over it. Only a rollback journal beside it tells that a first write was cut short.
static bool is_stump(const char *path) {
    char beside[4096];
    struct stat st;
    int n = snprintf(beside, sizeof beside, "%s-journal", path);
    return !stat(path, &st) && st.st_size > 0 && st.st_size < SHORTEST && n > 0 &&
           (size_t)n < sizeof beside && access(beside, F_OK);
}

enum error_code pieces_load(struct pieces *pieces, const char *db_path, struct error *err) {
    if (access(db_path, F_OK) != 0 && errno == ENOENT)
        return ERROR_OK; // a new house
    if (is_stump(db_path))
        return error_set(err, ERROR_CORRUPT, "house.db",
                         "the file was cut short; restore a backup or move the file away");
    sqlite3 *db = NULL;
    enum error_code code;
    // Read-write, so that a journal left by a power cut is rolled back.
    if (sqlite3_open_v2(db_path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        code = db_error(db, "cannot be opened", err);
    else
        code = load_from(pieces, db, db_path, err);
    sqlite3_close(db);
    return code;
}
