// The journal's file: opened, recognised, created, checked.
#include "board/migrate.h"
#include "core/log.h"
#include "engine/journal__.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOURNAL_SHORTEST = 512 }; // the smallest page SQLite has
static const int busy_ms = 5000; // another process copies or looks

bool journal_memory__(const char *path) {
    return strcmp(path, ":memory:") == 0;
}

enum error_code journal_db_error__(sqlite3 *db, int result, const char *path, struct error *err) {
    const char *said = db ? sqlite3_errmsg(db) : sqlite3_errstr(result);
    switch (result & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return error_set(err, ERROR_CORRUPT, path,
                         "the journal is damaged (%s); restore a backup or move the file away", said);
    case SQLITE_FULL:
        return error_set(err, ERROR_STORAGE, path, "the disk is full; make room and start again");
    case SQLITE_BUSY:
        return error_set(err, ERROR_STORAGE, path, "another program keeps the journal locked; end it");
    default:
        return error_set(err, ERROR_STORAGE, path, "the journal cannot be used (%s)", said);
    }
}

enum error_code journal_db_prepare__(sqlite3 *db, const char *sql, const char *path, sqlite3_stmt **ret,
                                     struct error *err) {
    int r = sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL);
    return r == SQLITE_OK ? ERROR_OK : journal_db_error__(db, r, path, err);
}

static enum error_code run(sqlite3 *db, const char *sql, const char *path, struct error *err) {
    int r = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return r == SQLITE_OK ? ERROR_OK : journal_db_error__(db, r, path, err);
}

static enum error_code ask_int(sqlite3 *db, const char *sql, const char *path, int *ret, struct error *err) {
    sqlite3_stmt *stmt = NULL;
    enum error_code code = journal_db_prepare__(db, sql, path, &stmt, err);
    if (code != ERROR_OK)
        return code;
    int r = sqlite3_step(stmt);
    if (r == SQLITE_ROW)
        *ret = sqlite3_column_int(stmt, 0);
    else
        code = journal_db_error__(db, r, path, err);
    sqlite3_finalize(stmt);
    return code;
}

enum error_code journal_db_check__(sqlite3 *db, const char *pragma, const char *path, struct error *err) {
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA %s(1)", pragma);
    sqlite3_stmt *stmt = NULL;
    enum error_code code = journal_db_prepare__(db, sql, path, &stmt, err);
    if (code != ERROR_OK)
        return code;
    int r = sqlite3_step(stmt);
    const char *said = r == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    if (!said)
        code = journal_db_error__(db, r, path, err);
    else if (strcmp(said, "ok") != 0)
        code = error_set(err, ERROR_CORRUPT, path,
                         "the journal is damaged (%.100s); restore a backup or move the file away", said);
    sqlite3_finalize(stmt);
    return code;
}

// Row i leads from schema i + 1 to the next (migrate.h). None yet: schema 1 is the first.
static const char *const migrations[JOURNAL_SCHEMA] = {NULL};

// *ret_empty: a file without any content yet.
static enum error_code recognise(sqlite3 *db, const char *path, bool *ret_empty, int *ret_version,
                                 struct error *err) {
    int application = 0, version = 0, objects = 0;
    enum error_code code = ask_int(db, "PRAGMA application_id", path, &application, err);
    if (code == ERROR_OK)
        code = ask_int(db, "PRAGMA user_version", path, &version, err);
    if (code == ERROR_OK)
        code = ask_int(db, "SELECT count(*) FROM sqlite_schema", path, &objects, err);
    if (code != ERROR_OK)
        return code;
    *ret_empty = application == 0 && version == 0 && objects == 0;
    if (*ret_empty)
        return ERROR_OK;
    if (application != JOURNAL_APPLICATION)
        return error_set(err, ERROR_CORRUPT, path, "a database, but no journal of tables; name another file");
    if (version < 1 || version > JOURNAL_SCHEMA)
        return error_set(
            err, ERROR_CORRUPT, path,
            "the journal has schema %d, this program reads schema %d: use the program that wrote "
            "it, or move the file away to begin a new one",
            version, (int)JOURNAL_SCHEMA);
    *ret_version = version;
    return ERROR_OK;
}

// Version and table come with one commit: a journal is whole or empty.
static enum error_code create(sqlite3 *db, const char *path, struct error *err) {
    char sql[640];
    snprintf(sql, sizeof sql,
             "BEGIN IMMEDIATE;"
             "CREATE TABLE record("
             " tbl TEXT NOT NULL, n INTEGER NOT NULL, game TEXT NOT NULL, kind TEXT NOT NULL,"
             " \"by\" TEXT NOT NULL, cause TEXT NOT NULL, boot INTEGER NOT NULL, mono_us INTEGER NOT NULL,"
             " wall_us INTEGER NOT NULL, body TEXT NOT NULL, evidence TEXT,"
             " PRIMARY KEY(tbl, n)) STRICT, WITHOUT ROWID;"
             "PRAGMA application_id=%d; PRAGMA user_version=%d;"
             "COMMIT",
             (int)JOURNAL_APPLICATION, (int)JOURNAL_SCHEMA);
    enum error_code code = run(db, sql, path, err);
    if (code != ERROR_OK && !sqlite3_get_autocommit(db))
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

static enum error_code sync_folder(const char *path, struct error *err) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    enum error_code code = ERROR_OK;
    if (fd < 0 || fsync(fd) < 0)
        code = error_set(err, ERROR_STORAGE, path, "its folder cannot be written: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return code;
}

// SQLite takes what is shorter than its first page's head for an empty file and would write over it. Only a
// rollback journal beside it tells that a first write was cut short.
static bool is_stump(const char *path, off_t size) {
    char beside[4096];
    int n = snprintf(beside, sizeof beside, "%s-journal", path);
    return size > 0 && size < JOURNAL_SHORTEST && n > 0 && (size_t)n < sizeof beside &&
           access(beside, F_OK) < 0;
}

enum error_code journal_db_claim__(const char *path, int *ret_fd, struct error *err) {
    *ret_fd = -1;
    if (journal_memory__(path))
        return ERROR_OK;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) {
        if (fd >= 0)
            close(fd);
        return error_set(err, ERROR_STORAGE, path, "cannot be opened: %s", strerror(errno));
    }
    *ret_fd = fd;
    if (!S_ISREG(st.st_mode))
        return error_set(err, ERROR_STORAGE, path, "not a file");
    if (is_stump(path, st.st_size))
        return error_set(err, ERROR_CORRUPT, path,
                         "the journal is damaged (cut to %lld bytes); restore a backup or move the file away",
                         (long long)st.st_size);
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return error_set(err, ERROR_BUSY, path,
                         "another daemon keeps this journal; end it or name another file");
    if ((st.st_mode & 077) != 0 && fchmod(fd, 0600) < 0)
        log_warning("journal", "others may read the journal: %s file=%s", strerror(errno), path);
    return st.st_size == 0 ? sync_folder(path, err) : ERROR_OK;
}

static enum error_code set_wal(sqlite3 *db, const char *path, struct error *err) {
    sqlite3_stmt *stmt = NULL;
    enum error_code code = journal_db_prepare__(db, "PRAGMA journal_mode=WAL", path, &stmt, err);
    if (code != ERROR_OK)
        return code;
    int r = sqlite3_step(stmt);
    const char *mode = r == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    if (!mode)
        code = journal_db_error__(db, r, path, err);
    else if (strcmp(mode, "wal") != 0 && strcmp(mode, "memory") != 0)
        code = error_set(err, ERROR_STORAGE, path, "the file system does not take a write-ahead log");
    sqlite3_finalize(stmt);
    return code;
}

static enum error_code set_up(sqlite3 *db, const char *path, struct error *err) {
    bool empty = false;
    int version = JOURNAL_SCHEMA;
    enum error_code code = recognise(db, path, &empty, &version, err);
    if (code == ERROR_OK)
        code = migrate(db, path, version, JOURNAL_SCHEMA, migrations, err);
    if (code == ERROR_OK)
        code = set_wal(db, path, err);
    if (code == ERROR_OK)
        code = run(db,
                   "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-512;"
                   "PRAGMA temp_store=MEMORY",
                   path, err);
    return code == ERROR_OK && empty ? create(db, path, err) : code;
}

static enum error_code connect(const char *path, int flags, sqlite3 **ret, struct error *err) {
    sqlite3 *db = NULL;
    int r = sqlite3_open_v2(path, &db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (r != SQLITE_OK) {
        enum error_code code = journal_db_error__(db, r, path, err);
        sqlite3_close(db);
        return code;
    }
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, busy_ms);
    sqlite3_exec(db, "PRAGMA cell_size_check=ON", NULL, NULL,
                 NULL); // a damaged page is refused when it is read
    *ret = db;
    return ERROR_OK;
}

enum error_code journal_db_open__(const char *path, sqlite3 **ret, struct error *err) {
    enum error_code code = connect(path, SQLITE_OPEN_READWRITE, ret, err);
    if (code != ERROR_OK)
        return code;
    code = set_up(*ret, path, err);
    if (code != ERROR_OK) {
        sqlite3_close(*ret);
        *ret = NULL;
    }
    return code;
}

enum error_code journal_db_read__(const char *path, sqlite3 **ret, struct error *err) {
    if (!journal_memory__(path) && access(path, F_OK) < 0)
        return error_set(err, ERROR_NOT_FOUND, path, "there is no journal: %s", strerror(errno));
    enum error_code code = connect(path, SQLITE_OPEN_READONLY, ret, err);
    if (code != ERROR_OK)
        return code;
    bool empty = false;
    int version = JOURNAL_SCHEMA;
    code = recognise(*ret, path, &empty, &version, err);
    if (code == ERROR_OK && version < JOURNAL_SCHEMA)
        code = error_set(err, ERROR_STORAGE, path,
                         "the journal has the older schema %d; start tabled once, it brings it up to date",
                         version);
    if (code == ERROR_OK && empty && !journal_memory__(path))
        code = error_set(err, ERROR_NOT_FOUND, path, "the file holds no journal yet");
    if (code != ERROR_OK) {
        sqlite3_close(*ret);
        *ret = NULL;
    }
    return code;
}
