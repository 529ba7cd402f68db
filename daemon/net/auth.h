// Who may do what: bearer tokens (`gt_<id>_<32 random bytes, base64url>`) and the capabilities of roles.
// There is no capability to see another seat's cards, whatever the role: the admin is a player too.
#pragma once
#include "core/error.h"
#include "engine/door.h"

enum capability {
    CAP_NONE = 0,    // anybody
    CAP_READ = 1,    // what the whole table may see
    CAP_METRICS = 2, // numbers about the daemon
    CAP_ACT = 4,     // actions and answers to choices
    CAP_CONTROL = 8, // start, pause, undo, override, end
    CAP_SEAT = 16,   // the view of the caller's own seat
    CAP_ENROL = 32,  // pieces and their tags
};
unsigned auth_capabilities(enum door_role role);
const char *auth_role_name(enum door_role role);

enum { AUTH_ID_MAX = 17, AUTH_SECRET_BYTES = 32, AUTH_TOKEN_TEXT_MAX = 80, AUTH_TOKENS_MAX = 64 };
struct auth_token {
    char id[AUTH_ID_MAX], name[33];
    enum door_role role;
    int8_t seat;    // role seat: 0..15, else -1
    char table[33]; // "" = any
    unsigned char secret[AUTH_SECRET_BYTES];
};

struct auth;
// Reads STATE_DIR/tokens.json; makes it (0600) with one token a role and sixteen seats if there is none. A
// file that others may read is refused. state_dir NULL: tokens of this run only, told to nobody.
enum error_code auth_open(const char *state_dir, struct auth **ret, struct error *err);
void auth_close(struct auth *auth); // NULL allowed
// The token of an Authorization header, NULL = none or wrong. The time it takes does not depend on the
// secret.
const struct auth_token *auth_check(const struct auth *auth, const char *header);
size_t auth_count(const struct auth *auth);
const struct auth_token *auth_at(const struct auth *auth, size_t i);
void auth_token_text(const struct auth_token *token, char ret[AUTH_TOKEN_TEXT_MAX]);
