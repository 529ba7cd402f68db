// STATE_DIR/auth.db: users, tokens and sessions. Read at the start, written by the worker of login.c.
#pragma once
#include "net/auth.h"

struct auth_change {
    enum auth_what {
        AUTH_PUT_USER,
        AUTH_DROP_USER,
        AUTH_PUT_TOKEN,
        AUTH_DROP_TOKEN, // and never again from the token file
        AUTH_PUT_SESSION,
        AUTH_DROP_SESSION,
        AUTH_DROP_SESSIONS, // of this user
    } what;
    union {
        struct auth_user user; // drops: its name
        struct auth_token token;
        struct auth_session session;
    };
};

struct auth_store;
enum { AUTH_STORE_APPLICATION = 0x54614175, AUTH_STORE_SCHEMA = 1 };
// path ":memory:" is kept nowhere.
enum error_code auth_store_open(const char *path, struct auth_store **ret, struct error *err);
void auth_store_close(struct auth_store *store); // NULL allowed
// All of it, as changes that make it.
enum error_code auth_store_read(struct auth_store *store,
                                void (*take)(void *ctx, const struct auth_change *row), void *ctx,
                                struct error *err);
bool auth_store_revoked(struct auth_store *store, const char *token);
// All of them or none; the first call after the file was made makes its tables too. May run in a worker, one
// call at a time.
enum error_code auth_store_write(struct auth_store *store, const struct auth_change *changes, size_t n,
                                 struct error *err);
