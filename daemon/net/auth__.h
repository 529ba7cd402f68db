// Shared by auth.c (who is known) and auth_open.c (from where).
#pragma once
#include "net/auth_store.h"

struct auth {
    struct auth_store *store;
    uint64_t last_number, generation;
    int64_t wall_us, mono_us; // of the start
    size_t n_tokens;
    struct auth_token token[AUTH_TOKENS_MAX];
    struct auth_user user[AUTH_USERS_MAX];
    struct auth_session session[AUTH_SESSIONS_MAX];
};

void auth__hash(const unsigned char secret[TOKEN_SECRET_BYTES], unsigned char ret[AUTH_HASH_BYTES]);
// When a session used now is idle.
int64_t auth__idle_after(const struct auth_session *session, int64_t mono_us);
struct auth_token *auth__token(struct auth *auth, const char *id); // NULL = none
