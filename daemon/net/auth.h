// Who may do what: roles and their capabilities, and whom we know: users with a password, tokens, and
// sessions (a cookie). There is no capability to see another seat's cards, whatever the role: the admin is a
// player too. Everything is in memory; STATE_DIR/auth.db keeps it (auth_store.h). Secrets are kept as BLAKE2b
// of tokens and cookies, argon2id of passwords.
#pragma once
#include "core/error.h"
#include "engine/door.h"
#include "net/token_file.h"

enum capability {
    CAP_NONE = 0,    // anybody
    CAP_READ = 1,    // what the whole table may see
    CAP_METRICS = 2, // numbers about the daemon
    CAP_ACT = 4,     // actions and answers to choices
    CAP_CONTROL = 8, // start, pause, undo, override, end
    CAP_SEAT = 16,   // the view of the caller's own seat
    CAP_ENROL = 32,  // pieces and their tags
    CAP_ADMIN = 64,  // people, tokens, sessions, settings, the log
    CAP_KNOWN = 128, // whoever we know
};
unsigned auth_capabilities(enum door_role role);
const char *auth_role_name(enum door_role role);
bool auth_role_find(const char *name, enum door_role *ret);
// Name of the i-th single capability, NULL = no more; its bit in *ret.
const char *auth_capability_name(size_t i, unsigned *ret);

enum {
    AUTH_TOKENS_MAX = 128,
    AUTH_USERS_MAX = 64,
    AUTH_SESSIONS_MAX = 256, // a house of thirty tables with a phone at each seat
    AUTH_HASH_BYTES = 32,
    AUTH_PASSWORD_MIN = 8,
    AUTH_PASSWORD_MAX = 128,
    AUTH_PASSWORD_HASH_MAX = 128, // crypto_pwhash_STRBYTES
    AUTH_COOKIE_TEXT = 44,        // 32 random bytes, base64url
    AUTH_SESSION_ID_MAX = 17,
    AUTH_IDLE_S = 30 * 60, // of an admin or operator who asks for nothing
    AUTH_ABSOLUTE_S = 12 * 3600,
};

struct auth_grant { // what a token or session gives
    char name[33];
    enum door_role role;
    int8_t seat;     // role seat: 0..15, else -1
    char table[33];  // "" = any
    uint64_t number; // of this run, never 0; streams are tied to it
};
struct auth_token {
    struct auth_grant grant;
    char id[TOKEN_ID_MAX];
    unsigned char hash[AUTH_HASH_BYTES];
    bool from_file;
    int64_t created_us; // wall
};
struct auth_user {
    char name[33]; // "" = free
    enum door_role role;
    char hash[AUTH_PASSWORD_HASH_MAX];
    int64_t created_us; // wall
};
struct auth_session {
    struct auth_grant grant; // name: the user's, or what a device calls itself
    char id[AUTH_SESSION_ID_MAX];
    unsigned char hash[AUTH_HASH_BYTES];
    char address[48];
    bool user;                   // of a user: ends with a new password
    int64_t created_us, seen_us; // wall; seen_us of a seat stands still while it plays
    int64_t idle_us, end_us;     // monotonic: it ends here unless used, here whatever happens
};

struct auth;
struct auth_change;
// state_dir NULL: everything is of this run only. Takes the token file over: its tokens are added, those of
// it that are gone from it are dropped, what was revoked stays so.
enum error_code auth_open(const char *state_dir, int64_t wall_us, int64_t mono_us, struct auth **ret,
                          struct error *err);
void auth_close(struct auth *auth); // NULL allowed
struct auth_store *auth_store(struct auth *auth);

// The token of an Authorization header, NULL = none or wrong. The time it takes does not depend on the
// secret.
const struct auth_token *auth_check(const struct auth *auth, const char *header);
// The session of a Cookie header that has `name`; one that has ended is none. Counts as use, and as seen but
// of a seat: whoever may look at sessions plays too, and a phone that speaks at night acts.
struct auth_session *auth_cookie(struct auth *auth, const char *header, const char *name, int64_t mono_us,
                                 int64_t wall_us);
// What a page sends with each write beside the cookie: made of the cookie's secret.
bool auth_csrf(const char *header, const char *name, char ret[AUTH_COOKIE_TEXT]);

uint64_t auth_generation(const struct auth *auth); // another number after every change
size_t auth_tokens(const struct auth *auth);
const struct auth_token *auth_token_at(const struct auth *auth, size_t i);
const struct auth_user *auth_user_find(const struct auth *auth, const char *name);
const struct auth_user *auth_user_at(const struct auth *auth, size_t i); // i < AUTH_USERS_MAX; name "" = none
size_t auth_admins(const struct auth *auth);
struct auth_session *auth_session_at(struct auth *auth, size_t i); // i < AUTH_SESSIONS_MAX; id "" = none
// A new session with a fresh secret; its place is free or of the same user's that was used longest ago.
// ERROR_BUSY: too many. It is known only when auth_apply has taken it.
enum error_code auth_session_make(const struct auth *auth, const struct auth_grant *grant, bool user,
                                  int64_t mono_us, int64_t wall_us, struct auth_session *ret,
                                  char ret_cookie[AUTH_COOKIE_TEXT], struct error *err);
enum error_code auth_token_make(const struct auth *auth, const struct auth_grant *grant, int64_t wall_us,
                                struct auth_token *ret, char ret_text[TOKEN_TEXT_MAX], struct error *err);
// Takes a change over into memory, once it is stored. gone(ctx, number) is called for each token and session
// that is known no more.
void auth_apply(struct auth *auth, const struct auth_change *change, void (*gone)(void *ctx, uint64_t number),
                void *ctx);
