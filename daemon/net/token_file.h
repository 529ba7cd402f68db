// STATE_DIR/tokens.json (0600): tokens in readable form, so that root can hand them out. It is made at the
// first start, one token a role and sixteen seats; its tokens are ordinary ones from then on (auth.h).
#pragma once
#include "core/error.h"
#include "engine/door.h"

enum { TOKEN_ID_MAX = 17, TOKEN_SECRET_BYTES = 32, TOKEN_TEXT_MAX = 80, TOKEN_FILE_MAX = 64 };
struct token_row {
    char id[TOKEN_ID_MAX], name[33];
    enum door_role role;
    int8_t seat;    // role seat: 0..15, else -1
    char table[33]; // "" = any
    unsigned char secret[TOKEN_SECRET_BYTES];
};
struct token_file {
    bool there; // false: no file, and none was made
    size_t n;
    struct token_row row[TOKEN_FILE_MAX];
};
// A file that others may read is refused. make: if there is none it is made. state_dir NULL: tokens of this
// run only, told to nobody.
enum error_code token_file_open(const char *state_dir, bool make, struct token_file **ret, struct error *err);
void token_file_close(struct token_file *file); // NULL allowed
// `gt_ID_SECRET`
void token_text(const struct token_row *token, char ret[TOKEN_TEXT_MAX]);
// Splits it; an id has no underscore.
bool token_split(const char *text, char ret_id[TOKEN_ID_MAX], unsigned char ret[TOKEN_SECRET_BYTES]);
