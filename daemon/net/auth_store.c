#include "net/auth_store.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct auth_store {
    sqlite3 *db;
    bool fresh; // made now: its tables come with the first write
    char path[1100];
};

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE user(name TEXT PRIMARY KEY, role TEXT NOT NULL, hash TEXT NOT NULL, created INTEGER NOT "
    "NULL);"
    "CREATE TABLE token(id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, seat INTEGER NOT NULL,"
    " tbl TEXT NOT NULL, hash BLOB NOT NULL, created INTEGER NOT NULL, from_file INTEGER NOT NULL);"
    "CREATE TABLE revoked(id TEXT PRIMARY KEY);"
    "CREATE TABLE session(id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, seat INTEGER NOT NULL,"
    " tbl TEXT NOT NULL, hash BLOB NOT NULL, created INTEGER NOT NULL, is_user INTEGER NOT NULL,"
    " address TEXT NOT NULL);";

static enum error_code failed(struct auth_store *store, int result, struct error *err) {
    const char *said = store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(result);
    int primary = result & 0xFF;
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB)
        return error_set(err, ERROR_CORRUPT, store->path,
                         "who may do what is damaged (%s); restore a backup or move the file away", said);
    return error_set(err, ERROR_STORAGE, store->path, "users and tokens cannot be kept (%s)", said);
}

// ---- opening

static enum error_code number_of(struct auth_store *store, const char *sql, int *ret, struct error *err) {
    sqlite3_stmt *stmt = NULL;
    int r = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);
    if (r == SQLITE_OK && (r = sqlite3_step(stmt)) == SQLITE_ROW) {
        *ret = sqlite3_column_int(stmt, 0);
        r = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return r == SQLITE_OK ? ERROR_OK : failed(store, r, err);
}

static enum error_code create(struct auth_store *store, struct error *err) {
    char sql[160];
    snprintf(sql, sizeof sql, "PRAGMA application_id=%d;PRAGMA user_version=%d", AUTH_STORE_APPLICATION,
             AUTH_STORE_SCHEMA);
    int r = sqlite3_exec(store->db, schema, NULL, NULL, NULL);
    if (r == SQLITE_OK)
        r = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    store->fresh = true;
    return r == SQLITE_OK ? ERROR_OK : failed(store, r, err);
}

static enum error_code recognise(struct auth_store *store, struct error *err) {
    int application = 0, version = 0;
    if (number_of(store, "PRAGMA application_id", &application, err) ||
        number_of(store, "PRAGMA user_version", &version, err))
        return err->code;
    if (!application && !version)
        return create(store, err);
    if (application != AUTH_STORE_APPLICATION || version != AUTH_STORE_SCHEMA)
        return error_set(
            err, ERROR_CORRUPT, store->path,
            "this is no list of users and tokens of schema %d; use the program that wrote it, or move "
            "the file away",
            AUTH_STORE_SCHEMA);
    return ERROR_OK;
}

enum error_code auth_store_open(const char *path, struct auth_store **ret, struct error *err) {
    struct auth_store *store = calloc(1, sizeof *store);
    *ret = NULL;
    if (!store)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    snprintf(store->path, sizeof store->path, "%s", path);
    if (strcmp(path, ":memory:") != 0) { // nobody else reads it, whatever our umask
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0) {
            error_set(err, ERROR_STORAGE, path, "users and tokens cannot be kept: %s", strerror(errno));
            free(store);
            return ERROR_STORAGE;
        }
        close(fd);
    }
    int r = sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (r == SQLITE_OK)
        r = sqlite3_exec(store->db, "PRAGMA synchronous=FULL;PRAGMA secure_delete=ON;PRAGMA cache_size=-64",
                         NULL, NULL, NULL);
    sqlite3_busy_timeout(store->db, 5000);
    if (r != SQLITE_OK ? failed(store, r, err) : recognise(store, err)) {
        auth_store_close(store);
        return err ? err->code : ERROR_STORAGE;
    }
    *ret = store;
    return ERROR_OK;
}

void auth_store_close(struct auth_store *store) {
    if (!store)
        return;
    sqlite3_close(store->db);
    free(store);
}

// ---- reading

static void copy(char *to, size_t size, sqlite3_stmt *stmt, int column) {
    const unsigned char *text = sqlite3_column_text(stmt, column);
    snprintf(to, size, "%s", text ? (const char *)text : "");
}

static bool read_hash(unsigned char to[AUTH_HASH_BYTES], sqlite3_stmt *stmt, int column) {
    if (sqlite3_column_bytes(stmt, column) != AUTH_HASH_BYTES)
        return false;
    memcpy(to, sqlite3_column_blob(stmt, column), AUTH_HASH_BYTES);
    return true;
}

// name, role, seat, tbl
static bool read_grant(struct auth_grant *grant, sqlite3_stmt *stmt, int column) {
    copy(grant->name, sizeof grant->name, stmt, column);
    copy(grant->table, sizeof grant->table, stmt, column + 3);
    int seat = sqlite3_column_int(stmt, column + 2);
    grant->seat = (int8_t)(seat >= 0 && seat < OBSERVE_SEATS_MAX ? seat : -1);
    const char *role = (const char *)sqlite3_column_text(stmt, column + 1);
    return role && auth_role_find(role, &grant->role) && (grant->role == DOOR_SEAT) == (grant->seat >= 0);
}

static bool read_user(sqlite3_stmt *stmt, struct auth_change *ret) {
    const char *role = (const char *)sqlite3_column_text(stmt, 1);
    copy(ret->user.name, sizeof ret->user.name, stmt, 0);
    copy(ret->user.hash, sizeof ret->user.hash, stmt, 2);
    ret->user.created_us = sqlite3_column_int64(stmt, 3);
    return role && auth_role_find(role, &ret->user.role);
}

static bool read_token(sqlite3_stmt *stmt, struct auth_change *ret) {
    copy(ret->token.id, sizeof ret->token.id, stmt, 0);
    ret->token.created_us = sqlite3_column_int64(stmt, 6);
    ret->token.from_file = sqlite3_column_int(stmt, 7) != 0;
    return read_grant(&ret->token.grant, stmt, 1) && read_hash(ret->token.hash, stmt, 5);
}

static bool read_session(sqlite3_stmt *stmt, struct auth_change *ret) {
    copy(ret->session.id, sizeof ret->session.id, stmt, 0);
    ret->session.created_us = ret->session.seen_us = sqlite3_column_int64(stmt, 6);
    ret->session.user = sqlite3_column_int(stmt, 7) != 0;
    copy(ret->session.address, sizeof ret->session.address, stmt, 8);
    return read_grant(&ret->session.grant, stmt, 1) && read_hash(ret->session.hash, stmt, 5);
}

static const struct {
    enum auth_what what;
    const char *sql;
    bool (*read)(sqlite3_stmt *stmt, struct auth_change *ret);
} tables[] = {
    {AUTH_PUT_USER, "SELECT name, role, hash, created FROM user ORDER BY created, name", read_user},
    {AUTH_PUT_TOKEN,
     "SELECT id, name, role, seat, tbl, hash, created, from_file FROM token ORDER BY created, rowid",
     read_token},
    {AUTH_PUT_SESSION,
     "SELECT id, name, role, seat, tbl, hash, created, is_user, address FROM session ORDER BY created",
     read_session},
};

enum error_code auth_store_read(struct auth_store *store,
                                void (*take)(void *ctx, const struct auth_change *row), void *ctx,
                                struct error *err) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        sqlite3_stmt *stmt = NULL;
        int r = sqlite3_prepare_v2(store->db, tables[i].sql, -1, &stmt, NULL);
        while (r == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
            struct auth_change row = {.what = tables[i].what};
            if (tables[i].read(stmt, &row))
                take(ctx, &row);
        }
        if (r == SQLITE_OK)
            r = sqlite3_finalize(stmt);
        if (r != SQLITE_OK)
            return failed(store, r, err);
    }
    return ERROR_OK;
}

bool auth_store_revoked(struct auth_store *store, const char *token) {
    sqlite3_stmt *stmt = NULL;
    bool found = false;
    if (sqlite3_prepare_v2(store->db, "SELECT 1 FROM revoked WHERE id=?", -1, &stmt, NULL) == SQLITE_OK) {
        sqlite3_bind_text(stmt, 1, token, -1, SQLITE_STATIC);
        found = sqlite3_step(stmt) == SQLITE_ROW;
    }
    sqlite3_finalize(stmt);
    return found;
}

// ---- writing

static void bind_text(sqlite3_stmt *stmt, int at, const char *text) {
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

static void bind_grant(sqlite3_stmt *stmt, const char *id, const struct auth_grant *grant,
                       const unsigned char hash[AUTH_HASH_BYTES], int64_t created_us) {
    bind_text(stmt, 1, id);
    bind_text(stmt, 2, grant->name);
    bind_text(stmt, 3, auth_role_name(grant->role));
    sqlite3_bind_int(stmt, 4, grant->seat);
    bind_text(stmt, 5, grant->table);
    sqlite3_bind_blob(stmt, 6, hash, AUTH_HASH_BYTES, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 7, created_us);
}

static void bind_user(sqlite3_stmt *stmt, const struct auth_change *change) {
    bind_text(stmt, 1, change->user.name);
    bind_text(stmt, 2, auth_role_name(change->user.role));
    bind_text(stmt, 3, change->user.hash);
    sqlite3_bind_int64(stmt, 4, change->user.created_us);
}
static void bind_user_name(sqlite3_stmt *stmt, const struct auth_change *change) {
    bind_text(stmt, 1, change->user.name);
}
static void bind_token(sqlite3_stmt *stmt, const struct auth_change *change) {
    const struct auth_token *token = &change->token;
    bind_grant(stmt, token->id, &token->grant, token->hash, token->created_us);
    sqlite3_bind_int(stmt, 8, token->from_file);
}
static void bind_token_id(sqlite3_stmt *stmt, const struct auth_change *change) {
    bind_text(stmt, 1, change->token.id);
}
static void bind_session(sqlite3_stmt *stmt, const struct auth_change *change) {
    const struct auth_session *session = &change->session;
    bind_grant(stmt, session->id, &session->grant, session->hash, session->created_us);
    sqlite3_bind_int(stmt, 8, session->user);
    bind_text(stmt, 9, session->address);
}
static void bind_created(sqlite3_stmt *stmt, const struct auth_change *change) {
    sqlite3_bind_int64(stmt, 1, change->session.created_us);
}
static void bind_session_id(sqlite3_stmt *stmt, const struct auth_change *change) {
    bind_text(stmt, 1, change->session.id);
}

static const struct {
    enum auth_what what;
    const char *sql;
    void (*bind)(sqlite3_stmt *stmt, const struct auth_change *change);
} writes[] = {
    {AUTH_PUT_USER, "INSERT OR REPLACE INTO user VALUES(?,?,?,?)", bind_user},
    {AUTH_DROP_USER, "DELETE FROM user WHERE name=?", bind_user_name},
    {AUTH_PUT_TOKEN, "INSERT OR REPLACE INTO token VALUES(?,?,?,?,?,?,?,?)", bind_token},
    {AUTH_DROP_TOKEN, "DELETE FROM token WHERE id=?", bind_token_id},
    {AUTH_DROP_TOKEN, "INSERT OR IGNORE INTO revoked VALUES(?)", bind_token_id},
    {AUTH_PUT_SESSION, "DELETE FROM session WHERE created < ?1 - 43200000000", bind_created}, // 12 hours
    {AUTH_PUT_SESSION, "INSERT OR REPLACE INTO session VALUES(?,?,?,?,?,?,?,?,?)", bind_session},
    {AUTH_DROP_SESSION, "DELETE FROM session WHERE id=?", bind_session_id},
    {AUTH_DROP_SESSIONS, "DELETE FROM session WHERE is_user AND name=?", bind_user_name},
};

static int write_one(sqlite3 *db, const struct auth_change *change) {
    int r = SQLITE_OK;
    for (size_t i = 0; i < sizeof writes / sizeof *writes && r == SQLITE_OK; i++) {
        sqlite3_stmt *stmt = NULL;
        if (writes[i].what != change->what)
            continue;
        r = sqlite3_prepare_v2(db, writes[i].sql, -1, &stmt, NULL);
        if (r != SQLITE_OK)
            break;
        writes[i].bind(stmt, change);
        sqlite3_step(stmt);
        r = sqlite3_finalize(stmt);
    }
    return r;
}

enum error_code auth_store_write(struct auth_store *store, const struct auth_change *changes, size_t n,
                                 struct error *err) {
    if (!n && !store->fresh)
        return ERROR_OK;
    int r = store->fresh ? SQLITE_OK : sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    store->fresh = false;
    for (size_t i = 0; i < n && r == SQLITE_OK; i++)
        r = write_one(store->db, &changes[i]);
    if (r == SQLITE_OK)
        r = sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    if (r == SQLITE_OK)
        return ERROR_OK;
    enum error_code code = failed(store, r, err);
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return code;
}
