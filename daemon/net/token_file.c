#include "net/token_file.h"
#include "core/file.h"
#include "core/log.h"
#include "net/auth.h"
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

void token_text(const struct token_row *token, char ret[TOKEN_TEXT_MAX]) {
    char secret[sodium_base64_ENCODED_LEN(TOKEN_SECRET_BYTES, BASE64)];
    sodium_bin2base64(secret, sizeof secret, token->secret, sizeof token->secret, BASE64);
    snprintf(ret, TOKEN_TEXT_MAX, "gt_%s_%s", token->id, secret);
    sodium_memzero(secret, sizeof secret);
}

// Splits `gt_ID_SECRET`; an id has no underscore.
bool token_split(const char *text, char ret_id[TOKEN_ID_MAX], unsigned char ret[TOKEN_SECRET_BYTES]) {
    if (strncmp(text, "gt_", 3) != 0)
        return false;
    text += 3;
    size_t n = strcspn(text, "_");
    if (n == 0 || n >= TOKEN_ID_MAX || text[n] != '_')
        return false;
    memcpy(ret_id, text, n);
    ret_id[n] = '\0';
    size_t got = 0, len = strnlen(text + n + 1, TOKEN_TEXT_MAX);
    return sodium_base642bin(ret, TOKEN_SECRET_BYTES, text + n + 1, len, NULL, &got, NULL, BASE64) == 0 &&
           got == TOKEN_SECRET_BYTES;
}

// ---- the file

static void add_token(struct token_file *file, const char *id, enum door_role role, int seat) {
    struct token_row *token = &file->row[file->n++];
    *token = (struct token_row){.role = role, .seat = (int8_t)seat};
    snprintf(token->id, sizeof token->id, "%s", id);
    snprintf(token->name, sizeof token->name, "%s", id);
    randombytes_buf(token->secret, sizeof token->secret);
}

static void make_tokens(struct token_file *file) {
    static const enum door_role first[] = {DOOR_ADMIN, DOOR_OPERATOR, DOOR_DISPLAY, DOOR_METRICS};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        add_token(file, auth_role_name(first[i]), first[i], -1);
    for (int seat = 0; seat < OBSERVE_SEATS_MAX; seat++) {
        char id[TOKEN_ID_MAX];
        snprintf(id, sizeof id, "s%d", seat + 1);
        add_token(file, id, DOOR_SEAT, seat);
    }
}

static json_t *tokens_json(const struct token_file *file) {
    json_t *list = json_pack("[]");
    for (size_t i = 0; i < file->n; i++) {
        const struct token_row *token = &file->row[i];
        char text[TOKEN_TEXT_MAX], seat[8] = "";
        token_text(token, text);
        if (token->seat >= 0)
            snprintf(seat, sizeof seat, "s%d", token->seat + 1);
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:s,s:s}", "name", token->name, "role",
                                              auth_role_name(token->role), "seat", seat, "table",
                                              token->table, "token", text));
        sodium_memzero(text, sizeof text);
    }
    return json_pack("{s:i,s:o}", "version", 1, "tokens", list);
}

static enum error_code tokens_write(const struct token_file *file, const char *path, struct error *err) {
    json_t *json = tokens_json(file);
    char *text = json_dumps(json, JSON_INDENT(2));
    json_decref(json);
    if (!text)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    size_t len = strlen(text);
    enum error_code code = file_replace(path, 0600, text, len, err);
    sodium_memzero(text, len);
    free(text);
    return code;
}

static bool token_read(struct token_file *file, const json_t *item) {
    const char *name, *role, *seat, *table, *text;
    if (file->n == TOKEN_FILE_MAX ||
        json_unpack((json_t *)item, "{s:s,s:s,s:s,s:s,s:s!}", "name", &name, "role", &role, "seat", &seat,
                    "table", &table, "token", &text) != 0)
        return false;
    struct token_row *token = &file->row[file->n];
    *token = (struct token_row){.seat = -1};
    unsigned number = 0;
    char rest;
    if (strlen(name) >= sizeof token->name || strlen(table) >= sizeof token->table ||
        !auth_role_find(role, &token->role) || !token_split(text, token->id, token->secret))
        return false;
    if (token->role == DOOR_SEAT) {
        if (sscanf(seat, "s%2u%c", &number, &rest) != 1 || number < 1 || number > OBSERVE_SEATS_MAX)
            return false;
        token->seat = (int8_t)(number - 1);
    }
    for (size_t i = 0; i < file->n; i++)
        if (!strcmp(file->row[i].id, token->id))
            return false;
    snprintf(token->name, sizeof token->name, "%s", name);
    snprintf(token->table, sizeof token->table, "%s", table);
    file->n++;
    return true;
}

static enum error_code tokens_parse(struct token_file *file, const char *text, size_t len, const char *path,
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
        if (!token_read(file, json_array_get(list, i)))
            code = error_set(err, ERROR_CORRUPT, path,
                             "token %zu has a wrong name, role, seat, table or form, or its id is taken",
                             i + 1);
    json_decref(root);
    return code;
}

static enum error_code tokens_read(struct token_file *file, int fd, const char *path, struct error *err) {
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
    enum error_code code = tokens_parse(file, text, len, path, err);
    sodium_memzero(text, (size_t)st.st_size);
    free(text);
    return code;
}

enum error_code token_file_open(const char *state_dir, bool make, struct token_file **ret,
                                struct error *err) {
    *ret = NULL;
    if (sodium_init() < 0)
        return error_set(err, ERROR_INTERNAL, NULL, "libsodium does not start");
    struct token_file *file = calloc(1, sizeof *file);
    if (!file)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    enum error_code code = ERROR_OK;
    char path[1024];
    snprintf(path, sizeof path, "%s/tokens.json", state_dir ? state_dir : "");
    int fd = state_dir ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd >= 0) {
        file->there = true;
        code = tokens_read(file, fd, path, err);
        close(fd);
    } else if (state_dir && errno != ENOENT) {
        code = error_set(err, ERROR_STORAGE, path, "the tokens cannot be read: %s", strerror(errno));
    } else if (make) {
        make_tokens(file);
        file->there = true;
        if (state_dir && !(code = tokens_write(file, path, err)))
            log_info("auth", "tokens were made for the first start file=%s", path);
    }
    if (code) {
        token_file_close(file);
        return code;
    }
    *ret = file;
    return ERROR_OK;
}

void token_file_close(struct token_file *file) {
    if (!file)
        return;
    sodium_memzero(file, sizeof *file);
    free(file);
}
