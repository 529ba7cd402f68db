// Shared by history.c (collects and hands over, on the loop), history_db.c (writes) and history_read.c
// (answers), both in the worker.
#pragma once
#include "core/worker.h"
#include "net/history.h"
#include <sqlite3.h>

enum { HISTORY__APPLICATION = 0x54614869, HISTORY__SCHEMA = 1, HISTORY__TEAMS_TEXT = 1024 };

// A game begins, is over, or plays on after an undo.
struct history__mark {
    char table[33], game[33], title[64];
    unsigned seats;
    int64_t started_us, ended_us; // wall; ended 0 = it plays
    bool aborted;
    uint16_t winners;
    char teams[HISTORY__TEAMS_TEXT]; // JSON list of {"name","won"}
    char reason[160];
};
struct history__entry {
    char game_id[17];
    enum topic topic;
    int64_t at_us; // wall
    uint64_t seq;
    struct feed_bytes *json; // NULL: a mark
    struct history__mark *mark;
    bool written;
};
struct history__batch {
    struct worker_job job; // first member
    struct history *history;
    struct history__batch *next; // spare
    int result;                  // of SQLite
    size_t n, cap;
    struct history__entry *entry;
};

struct history__db {
    sqlite3 *db;
    sqlite3_stmt *find, *insert, *count; // made with the first batch
    int wal_pages;
    char path[1100];
    unsigned games_max;
};
// In the thread that opens it, then in the worker alone.
enum error_code history__db_open(struct history__db *db, struct error *err);
void history__db_close(struct history__db *db);
// In order for each game. Where messages never cease it puts the log into the file itself, now and then.
int history__db_write(struct history__db *db, struct history__entry *entry, size_t n);
void history__db_checkpoint(struct history__db *db); // when nothing comes
const char *history__topic_name(enum topic topic);

// history_read.c: malloc'd JSON, NULL with err.
char *history__read(struct history__db *db, const struct history_query *query, size_t *ret_len,
                    struct error *err);
