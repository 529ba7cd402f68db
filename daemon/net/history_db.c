#include "core/log.h"
#include "net/history__.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAL_PAGES_MAX = 2000 }; // of 4 KiB, where nothing is ever idle

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE game(id INTEGER PRIMARY KEY, game_id TEXT NOT NULL UNIQUE, tbl TEXT NOT NULL, game TEXT "
    "NOT NULL,"
    " title TEXT NOT NULL, seats INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT "
    "0,"
    " aborted INTEGER NOT NULL DEFAULT 0, winners INTEGER NOT NULL DEFAULT 0, teams TEXT NOT NULL DEFAULT "
    "'[]',"
    " reason TEXT NOT NULL DEFAULT '', n INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,"
    " game_json BLOB, result_json BLOB);"
    "CREATE INDEX of_table ON game(tbl, ended, id);"
    "CREATE TABLE entry(game INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, seq INTEGER NOT NULL,"
    " topic INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY(game, n)) WITHOUT ROWID;";

// ---- opening

static int number_of(sqlite3 *db, const char *sql, int *ret) {
    sqlite3_stmt *stmt = NULL;
    int r = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (r == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
        *ret = sqlite3_column_int(stmt, 0);
    int end = sqlite3_finalize(stmt);
    return r == SQLITE_OK ? end : r;
}

static int on_wal(void *ctx, sqlite3 *sqlite, const char *name, int pages) {
    (void)sqlite, (void)name;
    ((struct history__db *)ctx)->wal_pages = pages;
    return SQLITE_OK;
}

static int open_file(struct history__db *db) {
    int application = 0, version = 0;
    if (strcmp(db->path, ":memory:") != 0) { // nobody else reads it, whatever our umask
        int fd = open(db->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            return SQLITE_CANTOPEN;
        close(fd);
    }
    int r = sqlite3_open_v2(db->path, &db->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    sqlite3_busy_timeout(db->db, 5000);
    if (r == SQLITE_OK)
        r = sqlite3_exec(db->db,
                         "PRAGMA synchronous=OFF;PRAGMA journal_mode=WAL;PRAGMA wal_autocheckpoint=0;"
                         "PRAGMA cache_size=-256", // a file that is not whole is begun anew
                         NULL, NULL, NULL);
    sqlite3_wal_hook(db->db, on_wal, db); // after the pragma, which has one of its own
    if (r == SQLITE_OK && (r = number_of(db->db, "PRAGMA application_id", &application)) == SQLITE_OK)
        r = number_of(db->db, "PRAGMA user_version", &version);
    if (r != SQLITE_OK || application == HISTORY__APPLICATION)
        return r == SQLITE_OK && version != HISTORY__SCHEMA ? SQLITE_MISMATCH : r;
    if (application || version)
        return SQLITE_NOTADB;
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id=%d;PRAGMA user_version=%d;COMMIT", HISTORY__APPLICATION,
             HISTORY__SCHEMA);
    r = sqlite3_exec(db->db, schema, NULL, NULL, NULL);
    return r == SQLITE_OK ? sqlite3_exec(db->db, sql, NULL, NULL, NULL) : r;
}

void history__db_close(struct history__db *db) {
    sqlite3_stmt **const all[] = {&db->find, &db->insert, &db->count};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sqlite3_finalize(*all[i]);
        *all[i] = NULL;
    }
    sqlite3_close(db->db);
    db->db = NULL;
}

// The journal is the truth: a history that cannot be read is put aside, and play does not wait for it.
static bool put_aside(struct history__db *db) {
    char to[1200], side[1200];
    static const char *const ends[] = {"-wal", "-shm"};
    history__db_close(db);
    snprintf(to, sizeof to, "%s.damaged", db->path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(side, sizeof side, "%s%s", db->path, ends[i]);
        unlink(side);
    }
    return rename(db->path, to) == 0;
}

enum error_code history__db_open(struct history__db *db, struct error *err) {
    int r = open_file(db), primary = r & 0xFF;
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_MISMATCH) {
        log_warning("history", "past games cannot be read; they are put aside as history.db.damaged");
        if (put_aside(db))
            r = open_file(db);
    }
    if (r == SQLITE_OK)
        r = sqlite3_exec(db->db, "PRAGMA synchronous=NORMAL", NULL, NULL, NULL);
    if (r == SQLITE_OK)
        return ERROR_OK;
    return error_set(err, ERROR_STORAGE, db->path, "past games cannot be kept (%s)", sqlite3_errstr(r));
}

// ---- writing

struct writer {
    struct history__db *db;
    char game_id[17];
    int64_t id, n, bytes; // of the game at hand; id 0 = none
    bool changed;
};

static int step_once(sqlite3_stmt *stmt) {
    int r = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    return r == SQLITE_DONE || r == SQLITE_ROW ? SQLITE_OK : r;
}

static int leave_game(struct writer *w) {
    if (!w->changed)
        return SQLITE_OK;
    sqlite3_stmt *count = w->db->count;
    sqlite3_bind_int64(count, 1, w->n);
    sqlite3_bind_int64(count, 2, w->bytes);
    sqlite3_bind_int64(count, 3, w->id);
    w->changed = false;
    return step_once(count);
}

static int enter_game(struct writer *w, const char *game_id) {
    sqlite3_stmt *find = w->db->find;
    if (w->id && !strcmp(w->game_id, game_id))
        return SQLITE_OK;
    int r = leave_game(w);
    if (r != SQLITE_OK)
        return r;
    sqlite3_bind_text(find, 1, game_id, -1, SQLITE_STATIC);
    w->id = 0;
    if (sqlite3_step(find) == SQLITE_ROW) {
        w->id = sqlite3_column_int64(find, 0);
        w->n = sqlite3_column_int64(find, 1);
        w->bytes = sqlite3_column_int64(find, 2);
        snprintf(w->game_id, sizeof w->game_id, "%s", game_id);
    }
    return sqlite3_reset(find);
}

static int drop_oldest(struct history__db *db) {
    static const char *const sqls[] = {
        "DELETE FROM entry WHERE game IN (SELECT id FROM game WHERE ended ORDER BY id DESC LIMIT -1 OFFSET "
        "?)",
        "DELETE FROM game WHERE id IN (SELECT id FROM game WHERE ended ORDER BY id DESC LIMIT -1 OFFSET ?)",
    };
    int r = SQLITE_OK;
    for (size_t i = 0; i < sizeof sqls / sizeof *sqls && r == SQLITE_OK; i++) {
        sqlite3_stmt *stmt = NULL;
        r = sqlite3_prepare_v2(db->db, sqls[i], -1, &stmt, NULL);
        if (r != SQLITE_OK)
            break;
        sqlite3_bind_int64(stmt, 1, db->games_max);
        sqlite3_step(stmt);
        r = sqlite3_finalize(stmt);
    }
    return r;
}

// A table plays one game at a time. One before it whose end was never told (the journal was moved away, the
// disk took no more) is over, or nothing would ever drop it.
static int end_others(struct history__db *db, const char *game_id, const struct history__mark *mark) {
    static const char sql[] =
        "UPDATE game SET ended=max(started,?3), aborted=1 WHERE tbl=?2 AND ended=0 AND game_id<>?1";
    sqlite3_stmt *stmt = NULL;
    int r = sqlite3_prepare_v2(db->db, sql, -1, &stmt, NULL);
    if (r != SQLITE_OK)
        return r;
    sqlite3_bind_text(stmt, 1, game_id, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, mark->table, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 3, mark->started_us);
    sqlite3_step(stmt);
    return sqlite3_finalize(stmt);
}

static int write_mark(struct writer *w, const char *game_id, const struct history__mark *mark) {
    static const char sql[] =
        "INSERT INTO game(game_id, tbl, game, title, seats, started, ended, aborted, winners, teams, reason)"
        " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11) ON CONFLICT(game_id) DO UPDATE SET"
        " ended=CASE WHEN ended AND ?7 THEN ended ELSE ?7 END, aborted=?8, winners=?9, teams=?10, reason=?11";
    sqlite3_stmt *stmt = NULL;
    int r = sqlite3_prepare_v2(w->db->db, sql, -1, &stmt, NULL);
    if (r != SQLITE_OK)
        return r;
    const char *const texts[] = {game_id, mark->table, mark->game, mark->title};
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(stmt, i + 1, texts[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 5, mark->seats);
    sqlite3_bind_int64(stmt, 6, mark->started_us);
    sqlite3_bind_int64(stmt, 7, mark->ended_us);
    sqlite3_bind_int(stmt, 8, mark->aborted);
    sqlite3_bind_int(stmt, 9, mark->winners);
    sqlite3_bind_text(stmt, 10, *mark->teams ? mark->teams : "[]", -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 11, mark->reason, -1, SQLITE_STATIC);
    sqlite3_step(stmt);
    r = sqlite3_finalize(stmt);
    if (r == SQLITE_OK && !mark->ended_us)
        r = end_others(w->db, game_id, mark);
    return r == SQLITE_OK && !mark->ended_us ? drop_oldest(w->db) : r;
}

// Game and Result, as they were told last, stand beside the game.
static int keep_last(struct writer *w, const struct history__entry *entry) {
    sqlite3_stmt *stmt = NULL;
    const char *sql = entry->topic == TOPIC_GAME ? "UPDATE game SET game_json=? WHERE id=?"
                                                 : "UPDATE game SET result_json=? WHERE id=?";
    int r = sqlite3_prepare_v2(w->db->db, sql, -1, &stmt, NULL);
    if (r != SQLITE_OK)
        return r;
    sqlite3_bind_blob(stmt, 1, entry->json->data, (int)entry->json->len, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, w->id);
    sqlite3_step(stmt);
    return sqlite3_finalize(stmt);
}

static int write_message(struct writer *w, const struct history__entry *entry) {
    int r = enter_game(w, entry->game_id);
    if (r != SQLITE_OK || !w->id)
        return r;
    if (entry->topic == TOPIC_GAME || entry->topic == TOPIC_RESULT)
        r = keep_last(w, entry);
    if (r != SQLITE_OK || !history__topic_name(entry->topic) || w->n == HISTORY_ENTRIES_MAX ||
        w->bytes + (int64_t)entry->json->len > HISTORY_BYTES_MAX)
        return r;
    sqlite3_stmt *insert = w->db->insert;
    sqlite3_bind_int64(insert, 1, w->id);
    sqlite3_bind_int64(insert, 2, ++w->n);
    sqlite3_bind_int64(insert, 3, entry->at_us);
    sqlite3_bind_int64(insert, 4, (int64_t)entry->seq);
    sqlite3_bind_int(insert, 5, (int)entry->topic);
    sqlite3_bind_blob(insert, 6, entry->json->data, (int)entry->json->len, SQLITE_STATIC);
    w->bytes += (int64_t)entry->json->len;
    w->changed = true;
    return step_once(insert);
}

// What a batch has of its first one's game: its row is changed once, however the tables take turns.
static int write_game(struct writer *w, struct history__entry *entry, size_t n) {
    int r = SQLITE_OK;
    for (size_t i = 0; i < n && r == SQLITE_OK; i++) {
        if (entry[i].written || strcmp(entry[i].game_id, entry->game_id) != 0)
            continue;
        entry[i].written = true;
        r = entry[i].mark ? write_mark(w, entry[i].game_id, entry[i].mark) : write_message(w, &entry[i]);
    }
    return r;
}

static int write_all(struct writer *w, struct history__entry *entry, size_t n) {
    int r = SQLITE_OK;
    for (size_t i = 0; i < n && r == SQLITE_OK; i++)
        if (!entry[i].written)
            r = write_game(w, &entry[i], n - i);
    return r == SQLITE_OK ? leave_game(w) : r;
}

static int prepare(struct history__db *db) {
    const struct {
        sqlite3_stmt **stmt;
        const char *sql;
    } all[] = {{&db->find, "SELECT id, n, bytes FROM game WHERE game_id=?"},
               {&db->insert, "INSERT INTO entry VALUES(?,?,?,?,?,?)"},
               {&db->count, "UPDATE game SET n=?, bytes=? WHERE id=?"}};
    int r = SQLITE_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && r == SQLITE_OK; i++)
        if (!*all[i].stmt)
            r = sqlite3_prepare_v3(db->db, all[i].sql, -1, SQLITE_PREPARE_PERSISTENT, all[i].stmt, NULL);
    return r;
}

int history__db_write(struct history__db *db, struct history__entry *entry, size_t n) {
    struct writer w = {.db = db};
    int r = prepare(db);
    if (r == SQLITE_OK)
        r = sqlite3_exec(db->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (r == SQLITE_OK)
        r = write_all(&w, entry, n);
    if (r == SQLITE_OK)
        r = sqlite3_exec(db->db, "COMMIT", NULL, NULL, NULL);
    if (r != SQLITE_OK)
        sqlite3_exec(db->db, "ROLLBACK", NULL, NULL, NULL);
    if (db->wal_pages > WAL_PAGES_MAX)
        history__db_checkpoint(db);
    return r;
}

void history__db_checkpoint(struct history__db *db) {
    int log = 0, done = 0;
    int r = sqlite3_wal_checkpoint_v2(db->db, NULL, SQLITE_CHECKPOINT_PASSIVE, &log, &done);
    if (r == SQLITE_OK && log == done)
        db->wal_pages = 0;
}
