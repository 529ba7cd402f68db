// Who is known at the start: what auth.db keeps, and the token file, which is root's.
#include "net/auth__.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_row(void *ctx, const struct auth_change *row) {
    struct auth *auth = ctx;
    if (row->what != AUTH_PUT_SESSION) {
        auth_apply(auth, row, NULL, NULL);
        return;
    }
    // By the wall clock, the only one that goes on over a restart; what lies in its future ends.
    struct auth_change change = *row;
    int64_t age = auth->wall_us - row->session.created_us;
    if (age < 0 || age >= (int64_t)AUTH_ABSOLUTE_S * 1000000)
        return;
    change.session.end_us = auth->mono_us + (int64_t)AUTH_ABSOLUTE_S * 1000000 - age;
    change.session.idle_us = auth__idle_after(&change.session, auth->mono_us);
    auth_apply(auth, &change, NULL, NULL);
}

static bool in_file(const struct token_file *file, const char *id) {
    for (size_t i = 0; i < file->n; i++)
        if (!strcmp(file->row[i].id, id))
            return true;
    return false;
}

static struct auth_change change_of(const struct token_row *row, int64_t wall_us) {
    struct auth_change change = {.what = AUTH_PUT_TOKEN};
    change.token = (struct auth_token){
        .grant = {.role = row->role, .seat = row->seat}, .from_file = true, .created_us = wall_us};
    memcpy(change.token.id, row->id, sizeof change.token.id);
    memcpy(change.token.grant.name, row->name, sizeof row->name);
    memcpy(change.token.grant.table, row->table, sizeof row->table);
    auth__hash(row->secret, change.token.hash);
    return change;
}

static bool is_known(struct auth *auth, const struct auth_token *token) {
    const struct auth_token *known = auth__token(auth, token->id);
    return known && !memcmp(known->hash, token->hash, sizeof token->hash) &&
           known->grant.role == token->grant.role && known->grant.seat == token->grant.seat &&
           !strcmp(known->grant.table, token->grant.table) && !strcmp(known->grant.name, token->grant.name);
}

// The file is root's: what he adds is known, what he takes out is not any more, what was revoked stays so.
static enum error_code take_file(struct auth *auth, const struct token_file *file, struct error *err) {
    struct auth_change *changes = calloc(AUTH_TOKENS_MAX + TOKEN_FILE_MAX, sizeof *changes);
    size_t n = 0;
    if (!changes)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    for (size_t i = 0; i < file->n; i++) {
        struct auth_change change = change_of(&file->row[i], auth->wall_us);
        if (!is_known(auth, &change.token) && !auth_store_revoked(auth->store, change.token.id))
            changes[n++] = change;
    }
    for (size_t i = 0; i < auth->n_tokens; i++)
        if (auth->token[i].from_file && !in_file(file, auth->token[i].id))
            changes[n++] = (struct auth_change){.what = AUTH_DROP_TOKEN, .token = auth->token[i]};
    enum error_code code = n ? auth_store_write(auth->store, changes, n, err) : ERROR_OK;
    for (size_t i = 0; !code && i < n; i++)
        auth_apply(auth, &changes[i], NULL, NULL);
    free(changes);
    return code;
}

enum error_code auth_open(const char *state_dir, int64_t wall_us, int64_t mono_us, struct auth **ret,
                          struct error *err) {
    struct token_file *file = NULL;
    struct error unused = {0};
    err = err ? err : &unused;
    *ret = NULL;
    if (sodium_init() < 0)
        return error_set(err, ERROR_INTERNAL, NULL, "libsodium does not start");
    struct auth *auth = calloc(1, sizeof *auth);
    if (!auth)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    auth->wall_us = wall_us;
    auth->mono_us = mono_us;
    char path[1100] = ":memory:";
    if (state_dir)
        snprintf(path, sizeof path, "%s/auth.db", state_dir);
    // Where people are known already, a token file that was taken away stays away.
    if (auth_store_open(path, &auth->store, err) || auth_store_read(auth->store, take_row, auth, err) ||
        token_file_open(state_dir, !auth->n_tokens && !auth_admins(auth), &file, err) ||
        (file->there && take_file(auth, file, err)) || auth_store_write(auth->store, NULL, 0, err)) {
        token_file_close(file);
        auth_close(auth);
        return err->code;
    }
    token_file_close(file);
    *ret = auth;
    return ERROR_OK;
}

void auth_close(struct auth *auth) {
    if (!auth)
        return;
    auth_store_close(auth->store);
    sodium_memzero(auth, sizeof *auth);
    free(auth);
}
