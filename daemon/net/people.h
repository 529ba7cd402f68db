// People and devices: logging in, pairing, and what an admin does with users, tokens and sessions. Passwords
// are hashed (argon2id) and auth.db is written in one worker, so the loop never waits.
#pragma once
#include "core/worker.h"
#include "net/auth_store.h"
#include "net/http__.h"

enum {
    PEOPLE_HASHES_MAX = 4, // passwords that wait for the worker; then 503
    PEOPLE_CHANGES_MAX = 3,
    PEOPLE_OPS = 2,               // argon2id: passes
    PEOPLE_MEMORY = 19 * 1048576, // argon2id: bytes
    PAIRING_CODE = 8,             // characters
    PAIRING_S = 300,
    PAIRING_TRIES = 3,
};

// One open pairing code: whoever has it may say once who he is.
struct pairing {
    char code[PAIRING_CODE + 1]; // "" = none
    struct auth_grant grant;
    int64_t end_us;
    unsigned tries;
};

struct people;
enum error_code people_create(struct http *http, struct people **ret, struct error *err);
void people_destroy(struct people *people);                // after the library has stopped; NULL allowed
struct pairing *people_pairing(struct people *people);     // the open one, NULL = none
struct pairing *people_pairing_new(struct people *people); // cleared; it takes the place of the open one

// Work that one request waits for: a password, then changes of auth.db, then the answer.
struct people_work {
    struct worker_job job; // first member
    struct people *people;
    struct request *request;
    // Password: `stored` is what it must fit ("" = nobody's: it fits nothing, in the same time); without
    // `verify` its hash goes into change[0].user.
    bool has_password, verify, right;
    char password[AUTH_PASSWORD_MAX + 1], stored[AUTH_PASSWORD_HASH_MAX];
    struct auth_user rehash; // with a verified password: the user, kept anew if the parameters have changed
    size_t n;
    struct auth_change change[PEOPLE_CHANGES_MAX];
    struct error err;
    void (*then)(struct people_work *work); // answers; on the loop, when all is stored and applied
    char secret[TOKEN_TEXT_MAX];            // of a new token or session, for the answer
    int status;
};
// Other work for the same worker.
struct people_errand {
    struct worker_job job; // first member
    struct http *http;
};
bool people_send(struct people *people, struct people_errand *errand); // false: too much to do
// NULL: answered already (busy).
struct people_work *people_begin(struct request *request, void (*then)(struct people_work *work));
bool people_submit(struct people_work *work); // false: answered already (busy), and the work is gone
void people_drop(struct people_work *work);   // instead of submit, after an answer

// people_session.c
const char *people_cookie_name(const struct request *request);
bool people_password_ok(struct request *request, const char *password);
bool people_users_full(struct request *request); // people_lists.c; true: answered
bool people_table_ok(struct request *request, const struct auth_grant *grant); // false: answered
