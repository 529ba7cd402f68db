#include "board/migrate.h"
#include "core/log.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum error_code failed(sqlite3 *db, const char *path, const char *what, struct error *err) {
    return error_set(err, ERROR_STORAGE, path, "%s: %s; the file is as it was", what, sqlite3_errmsg(db));
}

static enum error_code sync_file(const char *file, struct error *err) {
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -1 : fsync(fd), cause = errno;
    if (fd >= 0)
        close(fd);
    return r == 0 ? ERROR_OK
                  : error_set(err, ERROR_STORAGE, file, "the copy is not on disk: %s", strerror(cause));
}

// The copy gets its name when it is whole, so that a name always means a copy one can go back to.
static enum error_code keep_copy(sqlite3 *db, const char *path, int version, struct error *err) {
    char copy[PATH_MAX], part[PATH_MAX];
    if (snprintf(copy, sizeof copy, "%s.schema%d", path, version) >= (int)sizeof copy - 5)
        return error_set(err, ERROR_STORAGE, path, "the path is too long for a copy beside it");
    snprintf(part, sizeof part, "%.*s.part", (int)sizeof part - 6, copy);
    unlink(part);
    int fd = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return error_set(err, ERROR_STORAGE, part, "the copy cannot be made: %s", strerror(errno));
    close(fd);
    sqlite3_stmt *vacuum = NULL;
    enum error_code code = ERROR_OK;
    if (sqlite3_prepare_v2(db, "VACUUM INTO ?", -1, &vacuum, NULL) != SQLITE_OK ||
        sqlite3_bind_text(vacuum, 1, part, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(vacuum) != SQLITE_DONE)
        code = failed(db, path, "no copy could be made before the file is brought up to date", err);
    sqlite3_finalize(vacuum);
    if (!code)
        code = sync_file(part, err);
    if (!code && rename(part, copy) != 0)
        code = error_set(err, ERROR_STORAGE, copy, "the copy cannot be named: %s", strerror(errno));
    if (code)
        unlink(part);
    else
        log_info("schema", "old content kept file=%s", copy);
    return code;
}

enum error_code migrate(sqlite3 *db, const char *path, int version, int known, const char *const steps[],
                        struct error *err) {
    assert(version >= 1 && version <= known);
    if (version == known)
        return ERROR_OK;
    enum error_code code = keep_copy(db, path, version, err);
    if (code)
        return code;
    char set_version[48];
    snprintf(set_version, sizeof set_version, "PRAGMA user_version=%d; COMMIT", known);
    int r = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (int i = version; r == SQLITE_OK && i < known; i++)
        r = sqlite3_exec(db, steps[i - 1], NULL, NULL, NULL);
    if (r == SQLITE_OK)
        r = sqlite3_exec(db, set_version, NULL, NULL, NULL);
    if (r != SQLITE_OK) {
        code = failed(db, path, "it cannot be brought up to date", err);
        if (!sqlite3_get_autocommit(db))
            sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
        return code;
    }
    log_info("schema", "brought up to date from=%d to=%d file=%s", version, known, path);
    return ERROR_OK;
}
