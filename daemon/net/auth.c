#include "net/auth__.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING, SECRET_BYTES = 32 };
_Static_assert(AUTH_PASSWORD_HASH_MAX >= crypto_pwhash_STRBYTES, "room for a password's hash");
_Static_assert(AUTH_COOKIE_TEXT == sodium_base64_ENCODED_LEN(SECRET_BYTES, BASE64), "32 bytes and a NUL");

// ---- roles

static const struct role_row {
    const char *name;
    unsigned capabilities;
} roles[] = {
    [DOOR_ADMIN] = {"admin",
                    CAP_KNOWN | CAP_READ | CAP_METRICS | CAP_ACT | CAP_CONTROL | CAP_ENROL | CAP_ADMIN},
    [DOOR_OPERATOR] = {"operator", CAP_KNOWN | CAP_READ | CAP_ACT | CAP_CONTROL},
    [DOOR_SEAT] = {"seat", CAP_KNOWN | CAP_READ | CAP_ACT | CAP_SEAT},
    [DOOR_DISPLAY] = {"display", CAP_KNOWN | CAP_READ},
    [DOOR_METRICS] = {"metrics", CAP_KNOWN | CAP_METRICS},
    [DOOR_DRIVER] = {"driver", CAP_NONE},
};
enum { ROLES = sizeof roles / sizeof *roles };

unsigned auth_capabilities(enum door_role role) {
    return (unsigned)role < ROLES ? roles[role].capabilities : CAP_NONE;
}

const char *auth_role_name(enum door_role role) {
    return (unsigned)role < ROLES ? roles[role].name : "";
}

bool auth_role_find(const char *name, enum door_role *ret) {
    for (unsigned i = 0; i < ROLES; i++)
        if (!strcmp(roles[i].name, name)) {
            *ret = (enum door_role)i;
            return true;
        }
    return false;
}

const char *auth_capability_name(size_t i, unsigned *ret) {
    static const struct {
        unsigned bit;
        const char *name;
    } rows[] = {
        {CAP_READ, "read"}, {CAP_METRICS, "metrics"}, {CAP_ACT, "act"},     {CAP_CONTROL, "control"},
        {CAP_SEAT, "seat"}, {CAP_ENROL, "enrol"},     {CAP_ADMIN, "admin"},
    };
    if (i >= sizeof rows / sizeof *rows)
        return NULL;
    *ret = rows[i].bit;
    return rows[i].name;
}

// ---- secrets

void auth__hash(const unsigned char secret[SECRET_BYTES], unsigned char ret[AUTH_HASH_BYTES]) {
    crypto_generichash(ret, AUTH_HASH_BYTES, secret, SECRET_BYTES, NULL, 0);
}

const struct auth_token *auth_check(const struct auth *auth, const char *header) {
    static const unsigned char nobody[AUTH_HASH_BYTES];
    char id[TOKEN_ID_MAX];
    unsigned char secret[SECRET_BYTES], hash[AUTH_HASH_BYTES];
    if (strncasecmp(header, "Bearer ", 7) != 0)
        return NULL;
    header += 7 + strspn(header + 7, " ");
    if (!token_split(header, id, secret))
        return NULL;
    const struct auth_token *found = NULL;
    for (size_t i = 0; i < auth->n_tokens && !found; i++)
        if (!strcmp(auth->token[i].id, id))
            found = &auth->token[i];
    auth__hash(secret, hash);
    bool same = sodium_memcmp(hash, found ? found->hash : nobody, sizeof hash) == 0;
    sodium_memzero(secret, sizeof secret);
    return found && same ? found : NULL;
}

// The secret of a cookie; where the name comes twice, the first counts.
static bool cookie_secret(const char *header, const char *name, unsigned char ret[SECRET_BYTES]) {
    size_t n = strlen(name), got = 0;
    for (const char *at = header; at && *at; at = strchr(at, ';')) {
        at += strspn(at, "; \t");
        if (strncmp(at, name, n) != 0 || at[n] != '=')
            continue;
        at += n + 1;
        return sodium_base642bin(ret, SECRET_BYTES, at, strcspn(at, "; \t"), NULL, &got, NULL, BASE64) == 0 &&
               got == SECRET_BYTES;
    }
    return false;
}

bool auth_csrf(const char *header, const char *name, char ret[AUTH_COOKIE_TEXT]) {
    static const unsigned char what[] = "csrf";
    unsigned char secret[SECRET_BYTES], hash[SECRET_BYTES];
    bool ok = cookie_secret(header, name, secret);
    if (ok) {
        crypto_generichash(hash, sizeof hash, what, sizeof what, secret, sizeof secret);
        sodium_bin2base64(ret, AUTH_COOKIE_TEXT, hash, sizeof hash, BASE64);
    }
    sodium_memzero(secret, sizeof secret);
    return ok;
}

static bool ended(const struct auth_session *session, int64_t mono_us) {
    return mono_us >= session->end_us || mono_us >= session->idle_us;
}

// Whoever decides something must come back within half an hour; a wall or a phone at a seat may sleep.
int64_t auth__idle_after(const struct auth_session *session, int64_t mono_us) {
    bool host = session->grant.role == DOOR_ADMIN || session->grant.role == DOOR_OPERATOR;
    return mono_us + (int64_t)(host ? AUTH_IDLE_S : AUTH_ABSOLUTE_S) * 1000000;
}

struct auth_session *auth_cookie(struct auth *auth, const char *header, const char *name, int64_t mono_us,
                                 int64_t wall_us) {
    unsigned char secret[SECRET_BYTES], hash[AUTH_HASH_BYTES];
    if (!cookie_secret(header, name, secret))
        return NULL;
    auth__hash(secret, hash);
    sodium_memzero(secret, sizeof secret);
    for (size_t i = 0; i < AUTH_SESSIONS_MAX; i++) {
        struct auth_session *session = &auth->session[i];
        if (!*session->id || sodium_memcmp(session->hash, hash, sizeof hash) != 0)
            continue;
        if (ended(session, mono_us))
            return NULL;
        if (session->grant.role != DOOR_SEAT)
            session->seen_us = wall_us;
        session->idle_us = auth__idle_after(session, mono_us);
        return session;
    }
    return NULL;
}

// ---- who there is

uint64_t auth_generation(const struct auth *auth) {
    return auth->generation;
}

size_t auth_tokens(const struct auth *auth) {
    return auth->n_tokens;
}

const struct auth_token *auth_token_at(const struct auth *auth, size_t i) {
    return i < auth->n_tokens ? &auth->token[i] : NULL;
}

static struct auth_user *user_find(const struct auth *auth, const char *name) {
    for (size_t i = 0; *name && i < AUTH_USERS_MAX; i++)
        if (!strcmp(auth->user[i].name, name))
            return (struct auth_user *)&auth->user[i];
    return NULL;
}

const struct auth_user *auth_user_find(const struct auth *auth, const char *name) {
    return user_find(auth, name);
}

const struct auth_user *auth_user_at(const struct auth *auth, size_t i) {
    return &auth->user[i];
}

size_t auth_admins(const struct auth *auth) {
    size_t n = 0;
    for (size_t i = 0; i < AUTH_USERS_MAX; i++)
        n += *auth->user[i].name && auth->user[i].role == DOOR_ADMIN;
    return n;
}

struct auth_session *auth_session_at(struct auth *auth, size_t i) {
    return &auth->session[i];
}

struct auth_store *auth_store(struct auth *auth) {
    return auth->store;
}

// A free place, else the one of this user (NULL: a phone or wall that was paired; many have the same name and
// none sends another away) that was used longest ago; NULL = none.
static const struct auth_session *session_place(const struct auth *auth, const char *id, const char *user,
                                                int64_t mono_us) {
    const struct auth_session *place = NULL;
    for (size_t i = 0; i < AUTH_SESSIONS_MAX; i++) {
        const struct auth_session *session = &auth->session[i];
        if (!strcmp(session->id, id))
            return session;
        if (!*session->id || ended(session, mono_us)) {
            if (!place || *place->id)
                place = session;
        } else if (user && session->user && !strcmp(session->grant.name, user) &&
                   (!place || (*place->id && session->seen_us < place->seen_us))) {
            place = session;
        }
    }
    return place;
}

enum error_code auth_session_make(const struct auth *auth, const struct auth_grant *grant, bool user,
                                  int64_t mono_us, int64_t wall_us, struct auth_session *ret,
                                  char ret_cookie[AUTH_COOKIE_TEXT], struct error *err) {
    unsigned char secret[SECRET_BYTES];
    if (!session_place(auth, "-", user ? grant->name : NULL, mono_us))
        return error_set(err, ERROR_BUSY, "session", "%d people are logged in: log one out",
                         AUTH_SESSIONS_MAX);
    *ret = (struct auth_session){.grant = *grant, .user = user, .created_us = wall_us, .seen_us = wall_us};
    snprintf(ret->id, sizeof ret->id, "%08x%08x", randombytes_random(), randombytes_random());
    randombytes_buf(secret, sizeof secret);
    auth__hash(secret, ret->hash);
    sodium_bin2base64(ret_cookie, AUTH_COOKIE_TEXT, secret, sizeof secret, BASE64);
    sodium_memzero(secret, sizeof secret);
    ret->end_us = mono_us + (int64_t)AUTH_ABSOLUTE_S * 1000000;
    ret->idle_us = auth__idle_after(ret, mono_us);
    return ERROR_OK;
}

enum error_code auth_token_make(const struct auth *auth, const struct auth_grant *grant, int64_t wall_us,
                                struct auth_token *ret, char ret_text[TOKEN_TEXT_MAX], struct error *err) {
    if (auth->n_tokens == AUTH_TOKENS_MAX)
        return error_set(err, ERROR_TOO_LARGE, "tokens", "at most %d tokens: revoke one", AUTH_TOKENS_MAX);
    struct token_row row;
    *ret = (struct auth_token){.grant = *grant, .created_us = wall_us};
    snprintf(row.id, sizeof row.id, "%08x%04x", randombytes_random(), randombytes_random() & 0xffff);
    randombytes_buf(row.secret, sizeof row.secret);
    memcpy(ret->id, row.id, sizeof ret->id);
    auth__hash(row.secret, ret->hash);
    token_text(&row, ret_text);
    sodium_memzero(&row, sizeof row);
    return ERROR_OK;
}

// ---- changes

typedef void gone_fn(void *ctx, uint64_t number);

static void drop_session(struct auth_session *session, gone_fn *gone, void *ctx) {
    if (gone && *session->id)
        gone(ctx, session->grant.number);
    sodium_memzero(session, sizeof *session);
}

static void put_session(struct auth *auth, const struct auth_session *session, gone_fn *gone, void *ctx) {
    struct auth_session *place =
        (struct auth_session *)session_place(auth, session->id, session->user ? session->grant.name : NULL,
                                             session->end_us - (int64_t)AUTH_ABSOLUTE_S * 1000000);
    if (!place)
        return;
    drop_session(place, gone, ctx);
    *place = *session;
    place->grant.number = ++auth->last_number;
}

struct auth_token *auth__token(struct auth *auth, const char *id) {
    for (size_t i = 0; i < auth->n_tokens; i++)
        if (!strcmp(auth->token[i].id, id))
            return &auth->token[i];
    return NULL;
}

static void put_token(struct auth *auth, const struct auth_token *token) {
    struct auth_token *place = auth__token(auth, token->id);
    if (!place && auth->n_tokens < AUTH_TOKENS_MAX)
        place = &auth->token[auth->n_tokens++];
    if (!place)
        return;
    *place = *token;
    place->grant.number = ++auth->last_number;
}

static void drop_token(struct auth *auth, const char *id, gone_fn *gone, void *ctx) {
    struct auth_token *token = auth__token(auth, id);
    if (!token)
        return;
    if (gone)
        gone(ctx, token->grant.number);
    size_t i = (size_t)(token - auth->token);
    memmove(token, token + 1, (--auth->n_tokens - i) * sizeof *token);
}

static void put_user(struct auth *auth, const struct auth_user *user) {
    struct auth_user *place = user_find(auth, user->name);
    for (size_t i = 0; !place && i < AUTH_USERS_MAX; i++)
        if (!*auth->user[i].name)
            place = &auth->user[i];
    if (place)
        *place = *user;
}

void auth_apply(struct auth *auth, const struct auth_change *change, gone_fn *gone, void *ctx) {
    struct auth_user *user = NULL;
    auth->generation++;
    switch (change->what) {
    case AUTH_PUT_USER:
        put_user(auth, &change->user);
        break;
    case AUTH_DROP_USER:
        if ((user = user_find(auth, change->user.name)))
            sodium_memzero(user, sizeof *user);
        break;
    case AUTH_PUT_TOKEN:
        put_token(auth, &change->token);
        break;
    case AUTH_DROP_TOKEN:
        drop_token(auth, change->token.id, gone, ctx);
        break;
    case AUTH_PUT_SESSION:
        put_session(auth, &change->session, gone, ctx);
        break;
    case AUTH_DROP_SESSION:
    case AUTH_DROP_SESSIONS:
        for (size_t i = 0; i < AUTH_SESSIONS_MAX; i++) {
            struct auth_session *session = &auth->session[i];
            if (*session->id && (change->what == AUTH_DROP_SESSION
                                     ? !strcmp(session->id, change->session.id)
                                     : session->user && !strcmp(session->grant.name, change->user.name)))
                drop_session(session, gone, ctx);
        }
        break;
    }
}
