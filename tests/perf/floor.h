// What the floors share: the table they commit to, as durable as the journal's.
#pragma once
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static inline sqlite3_stmt *floor_database(const char *program, const char *path, sqlite3 **db) {
    sqlite3_stmt *insert = NULL;
    if (sqlite3_open(path, db) ||
        sqlite3_exec(*db,
                     "pragma journal_mode=wal; pragma synchronous=full; pragma wal_autocheckpoint=0;"
                     "create table record(n integer primary key, body text)",
                     NULL, NULL, NULL) ||
        sqlite3_prepare_v2(*db, "insert into record(body) values(?)", -1, &insert, NULL))
        exit((fprintf(stderr, "%s: %s\n", program, sqlite3_errmsg(*db)), 1));
    return insert;
}
