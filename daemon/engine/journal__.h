// What the files of the journal share: the database file and its schema.
#pragma once
#include "engine/journal.h"
#include <sqlite3.h>

enum {
    JOURNAL_SCHEMA = 1,
    JOURNAL_APPLICATION = 0x7461626C, // "tabl"
    JOURNAL_NAME_MAX = 32,            // table, game, by, cause
};

bool journal_memory__(const char *path);
// Creates the file (0600) and locks it against a second daemon. The descriptor, -1 in memory and after some
// errors, is closed after SQLite's last connection: any close of the file drops SQLite's own locks.
enum error_code journal_db_claim__(const char *path, int *ret_fd, struct error *err);
// The daemon's own connection: creates the table; WAL, FULL, no automatic checkpoint.
enum error_code journal_db_open__(const char *path, sqlite3 **ret, struct error *err);
// A second one that only reads.
enum error_code journal_db_read__(const char *path, sqlite3 **ret, struct error *err);
// An error from what SQLite says; disk full, I/O, damage each have their own code and advice.
enum error_code journal_db_error__(sqlite3 *db, int result, const char *path, struct error *err);
enum error_code journal_db_prepare__(sqlite3 *db, const char *sql, const char *path, sqlite3_stmt **ret,
                                     struct error *err);
// PRAGMA integrity_check or quick_check: both read the whole file.
enum error_code journal_db_check__(sqlite3 *db, const char *pragma, const char *path, struct error *err);
