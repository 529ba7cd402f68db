#include "net/auth.h"
#include "core/log.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 65536 };
enum { BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

struct auth {
    size_t n;
    struct auth_token token[AUTH_TOKENS_MAX];
};

static const struct role_row {
    const char *name;
    unsigned capabilities;
} roles[] = {
    [DOOR_ADMIN] = {"admin", CAP_READ | CAP_METRICS | CAP_ACT | CAP_CONTROL | CAP_ENROL},
    [DOOR_OPERATOR] = {"operator", CAP_READ | CAP_ACT | CAP_CONTROL},
    [DOOR_SEAT] = {"seat", CAP_READ | CAP_ACT | CAP_SEAT},
    [DOOR_DISPLAY] = {"display", CAP_READ},
    [DOOR_METRICS] = {"metrics", CAP_METRICS},
    [DOOR_DRIVER] = {"driver", CAP_NONE},
};
enum { ROLES = sizeof roles / sizeof *roles };

unsigned auth_capabilities(enum door_role role) {
    return (unsigned)role < ROLES ? roles[role].capabilities : CAP_NONE;
}

const char *auth_role_name(enum door_role role) {
    return (unsigned)role < ROLES ? roles[role].name : "";
}

void auth_token_text(const struct auth_token *token, char ret[AUTH_TOKEN_TEXT_MAX]) {
    char secret[sodium_base64_ENCODED_LEN(AUTH_SECRET_BYTES, BASE64)];
    sodium_bin2base64(secret, sizeof secret, token->secret, sizeof token->secret, BASE64);
    snprintf(ret, AUTH_TOKEN_TEXT_MAX, "gt_%s_%s", token->id, secret);
    sodium_memzero(secret, sizeof secret);
}

// Splits `gt_ID_SECRET`; an id has no underscore.
static bool token_split(const char *text, char ret_id[AUTH_ID_MAX], unsigned char ret[AUTH_SECRET_BYTES]) {
    if (strncmp(text, "gt_", 3) != 0)
        return false;
    text += 3;
    size_t n = strcspn(text, "_");
    if (n == 0 || n >= AUTH_ID_MAX || text[n] != '_')
        return false;
    memcpy(ret_id, text, n);
    ret_id[n] = '\0';
    size_t got = 0, len = strnlen(text + n + 1, AUTH_TOKEN_TEXT_MAX);
    return sodium_base642bin(ret, AUTH_SECRET_BYTES, text + n + 1, len, NULL, &got, NULL, BASE64) == 0 &&
           got == AUTH_SECRET_BYTES;
}

const struct auth_token *auth_check(const struct auth *auth, const char *header) {
    static const unsigned char nobody[AUTH_SECRET_BYTES];
    char id[AUTH_ID_MAX];
    unsigned char secret[AUTH_SECRET_BYTES];
    if (strncasecmp(header, "Bearer ", 7) != 0)
        return NULL;
    header += 7 + strspn(header + 7, " ");
    if (!token_split(header, id, secret))
        return NULL;
    const struct auth_token *found = NULL;
    for (size_t i = 0; i < auth->n && !found; i++)
        if (!strcmp(auth->token[i].id, id))
            found = &auth->token[i];
    bool same = sodium_memcmp(secret, found ? found->secret : nobody, sizeof secret) == 0;
    sodium_memzero(secret, sizeof secret);
    return found && same ? found : NULL;
}

size_t auth_count(const struct auth *auth) {
    return auth->n;
}

const struct auth_token *auth_at(const struct auth *auth, size_t i) {
    return i < auth->n ? &auth->token[i] : NULL;
}

// ---- the file
// -----------------------------------------------------------------------------------------------------

static void add_token(struct auth *auth, const char *id, enum door_role role, int seat) {
    struct auth_token *token = &auth->token[auth->n++];
    *token = (struct auth_token){.role = role, .seat = (int8_t)seat};
    snprintf(token->id, sizeof token->id, "%s", id);
    snprintf(token->name, sizeof token->name, "%s", id);
    randombytes_buf(token->secret, sizeof token->secret);
}

static void make_tokens(struct auth *auth) {
    static const enum door_role first[] = {DOOR_ADMIN, DOOR_OPERATOR, DOOR_DISPLAY, DOOR_METRICS};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        add_token(auth, roles[first[i]].name, first[i], -1);
    for (int seat = 0; seat < OBSERVE_SEATS_MAX; seat++) {
        char id[AUTH_ID_MAX];
        snprintf(id, sizeof id, "s%d", seat + 1);
        add_token(auth, id, DOOR_SEAT, seat);
    }
}

static json_t *tokens_json(const struct auth *auth) {
    json_t *list = json_pack("[]");
    for (size_t i = 0; i < auth->n; i++) {
        const struct auth_token *token = &auth->token[i];
        char text[AUTH_TOKEN_TEXT_MAX], seat[8] = "";
        auth_token_text(token, text);
        if (token->seat >= 0)
            snprintf(seat, sizeof seat, "s%d", token->seat + 1);
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:s,s:s}", "name", token->name, "role",
                                              roles[token->role].name, "seat", seat, "table", token->table,
                                              "token", text));
        sodium_memzero(text, sizeof text);
    }
    return json_pack("{s:i,s:o}", "version", 1, "tokens", list);
}

static bool write_all(int fd, const char *text, size_t len) {
    while (len > 0) {
        ssize_t n = write(fd, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return true;
}

// A new file beside, synced, then renamed: a power cut leaves none or the whole one (B099).
static enum error_code tokens_write(const struct auth *auth, const char *dir, const char *path,
                                    struct error *err) {
    char temporary[1100];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    json_t *json = tokens_json(auth);
    char *text = json_dumps(json, JSON_INDENT(2));
    json_decref(json);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = text && fd >= 0 && fchmod(fd, 0600) == 0 && write_all(fd, text, strlen(text)) &&
              write_all(fd, "\n", 1) && fsync(fd) == 0;
    int cause = errno;
    if (fd >= 0)
        close(fd);
    if (text)
        sodium_memzero(text, strlen(text));
    free(text);
    if (ok && rename(temporary, path) != 0) {
        ok = false;
        cause = errno;
    }
    if (!ok) {
        unlink(temporary);
        return error_set(err, ERROR_STORAGE, path, "the tokens cannot be written: %s", strerror(cause));
    }
    int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    return ERROR_OK;
}

static bool role_find(const char *name, enum door_role *ret) {
    for (unsigned i = 0; i < ROLES; i++)
        if (!strcmp(roles[i].name, name)) {
            *ret = (enum door_role)i;
            return true;
        }
    return false;
}

static bool token_read(struct auth *auth, const json_t *item) {
    const char *name, *role, *seat, *table, *text;
    if (auth->n == AUTH_TOKENS_MAX ||
        json_unpack((json_t *)item, "{s:s,s:s,s:s,s:s,s:s!}", "name", &name, "role", &role, "seat", &seat,
                    "table", &table, "token", &text) != 0)
        return false;
    struct auth_token *token = &auth->token[auth->n];
    *token = (struct auth_token){.seat = -1};
    unsigned number = 0;
    char rest;
    if (strlen(name) >= sizeof token->name || strlen(table) >= sizeof token->table ||
        !role_find(role, &token->role) || !token_split(text, token->id, token->secret))
        return false;
    if (token->role == DOOR_SEAT) {
        if (sscanf(seat, "s%2u%c", &number, &rest) != 1 || number < 1 || number > OBSERVE_SEATS_MAX)
            return false;
        token->seat = (int8_t)(number - 1);
    }
    for (size_t i = 0; i < auth->n; i++)
        if (!strcmp(auth->token[i].id, token->id))
            return false;
    snprintf(token->name, sizeof token->name, "%s", name);
    snprintf(token->table, sizeof token->table, "%s", table);
    auth->n++;
    return true;
}

static enum error_code tokens_parse(struct auth *auth, const char *text, size_t len, const char *path,
                                    struct error *err) {
    json_error_t why;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
    if (!root) // jansson's sentence may quote the text near the fault: a secret
        return error_set(err, ERROR_CORRUPT, path, "line %d is not JSON; mend it or move the file away",
                         why.line);
    const json_t *list = json_object_get(root, "tokens");
    enum error_code code = ERROR_OK;
    if (json_integer_value(json_object_get(root, "version")) != 1 || !json_is_array(list))
        code = error_set(err, ERROR_CORRUPT, path, "this is no token file of version 1");
    for (size_t i = 0; !code && i < json_array_size(list); i++)
        if (!token_read(auth, json_array_get(list, i)))
            code = error_set(err, ERROR_CORRUPT, path,
                             "token %zu has a wrong name, role, seat, table or form, or its id is taken",
                             i + 1);
    json_decref(root);
    return code;
}

static enum error_code tokens_read(struct auth *auth, int fd, const char *path, struct error *err) {
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return error_set(err, ERROR_STORAGE, path, "this is no file");
    if (st.st_mode & 077)
        return error_set(err, ERROR_FORBIDDEN, path, "others may read the tokens: chmod 600 %s", path);
    if (st.st_size > FILE_BYTES_MAX)
        return error_set(err, ERROR_TOO_LARGE, path, "a token file has at most %d bytes", FILE_BYTES_MAX);
    char *text = malloc((size_t)st.st_size + 1);
    if (!text)
        return error_set(err, ERROR_INTERNAL, path, "out of memory");
    size_t len = 0;
    for (ssize_t n; len < (size_t)st.st_size; len += (size_t)n)
        if ((n = read(fd, text + len, (size_t)st.st_size - len)) <= 0)
            break;
    enum error_code code = tokens_parse(auth, text, len, path, err);
    sodium_memzero(text, (size_t)st.st_size);
    free(text);
    return code;
}

enum error_code auth_open(const char *state_dir, struct auth **ret, struct error *err) {
    *ret = NULL;
    if (sodium_init() < 0)
        return error_set(err, ERROR_INTERNAL, NULL, "libsodium does not start");
    struct auth *auth = calloc(1, sizeof *auth);
    if (!auth)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    enum error_code code = ERROR_OK;
    char path[1024];
    if (!state_dir) {
        make_tokens(auth);
    } else {
        snprintf(path, sizeof path, "%s/tokens.json", state_dir);
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0) {
            code = tokens_read(auth, fd, path, err);
            close(fd);
        } else if (errno == ENOENT) {
            make_tokens(auth);
            code = tokens_write(auth, state_dir, path, err);
            if (!code)
                log_info("auth", "tokens were made for the first start file=%s", path);
        } else {
            code = error_set(err, ERROR_STORAGE, path, "the tokens cannot be read: %s", strerror(errno));
        }
    }
    if (code) {
        auth_close(auth);
        return code;
    }
    *ret = auth;
    return ERROR_OK;
}

void auth_close(struct auth *auth) {
    if (!auth)
        return;
    sodium_memzero(auth, sizeof *auth);
    free(auth);
}
