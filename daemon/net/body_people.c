// Bodies about people: names, roles, passwords.
#include "core/config.h"
#include "net/body__.h"
#include <sodium.h>
#include <stdio.h>
#include <string.h>

static enum error_code take_name(const json_t *root, const char *name, char ret[33], struct error *err) {
    const char *text = json_string_value(json_object_get(root, name));
    if (!text || !config_name_ok(text))
        return error_set(err, ERROR_INVALID, name, "\"%s\" is 1 to 32 of a-z, 0-9 and -", name);
    snprintf(ret, 33, "%s", text);
    return ERROR_OK;
}

// Who comes over the control socket is called uid-N; nobody else is.
static enum error_code take_new_name(const json_t *root, char ret[33], struct error *err) {
    static const char local[] = "uid-";
    if (take_name(root, "name", ret, err))
        return err->code;
    return strncmp(ret, local, sizeof local - 1)
               ? ERROR_OK
               : error_set(err, ERROR_INVALID, "name", "names that begin with %s are the machine's own",
                           local);
}

static enum error_code take_password(const json_t *root, char *ret, size_t size, struct error *err) {
    const json_t *value = json_object_get(root, "password");
    if (value && json_string_length(value) == 0)
        return error_set(err, ERROR_INVALID, "password", "the password is empty");
    return body__text(root, "password", ret, size, err);
}

// jansson's own copy of a password is not left in freed memory.
static void forget(json_t *root) {
    const char *password = json_string_value(json_object_get(root, "password"));
    if (password)
        sodium_memzero((char *)(uintptr_t)password, strlen(password));
    json_decref(root);
}

static const struct body__field login_fields[] = {
    {"name", BODY__TYPE(JSON_STRING), true}, {"password", BODY__TYPE(JSON_STRING), true}, {NULL, 0, false}};
static const struct body__field claim_fields[] = {{"code", BODY__TYPE(JSON_STRING), true},
                                                  {"name", BODY__TYPE(JSON_STRING), true},
                                                  {"password", BODY__TYPE(JSON_STRING), false},
                                                  {NULL, 0, false}};

static enum error_code read_login(const char *text, size_t len, const struct body__field *fields,
                                  struct body_login *ret, struct error *err) {
    json_t *root;
    memset(ret, 0, sizeof *ret);
    if (body__open(text ? text : "", len, fields, &root, err))
        return err->code;
    enum error_code code = ERROR_OK;
    if ((fields == claim_fields ? take_new_name(root, ret->name, err)
                                : take_name(root, "name", ret->name, err)) ||
        take_password(root, ret->password, sizeof ret->password, err) ||
        (fields == claim_fields && body__text(root, "code", ret->code, sizeof ret->code, err)))
        code = err->code;
    forget(root);
    return code;
}

enum error_code body_login(const char *text, size_t len, struct body_login *ret, struct error *err) {
    return read_login(text, len, login_fields, ret, err);
}

enum error_code body_claim(const char *text, size_t len, struct body_login *ret, struct error *err) {
    return read_login(text, len, claim_fields, ret, err);
}

// ---- roles

enum { OF_PAIRING = 1, OF_TOKEN = 2, OF_USER = 4 };
static const struct {
    enum door_role role;
    unsigned of;
} may_have[] = {
    {DOOR_ADMIN, OF_PAIRING | OF_TOKEN | OF_USER},
    {DOOR_OPERATOR, OF_PAIRING | OF_TOKEN | OF_USER},
    {DOOR_DISPLAY, OF_PAIRING | OF_TOKEN | OF_USER},
    {DOOR_SEAT, OF_PAIRING | OF_TOKEN},
    {DOOR_METRICS, OF_TOKEN},
};

static enum error_code take_role(const json_t *root, unsigned of, enum door_role *ret, struct error *err) {
    const char *text = json_string_value(json_object_get(root, "role"));
    if (text && auth_role_find(text, ret))
        for (size_t i = 0; i < sizeof may_have / sizeof *may_have; i++)
            if (may_have[i].role == *ret && may_have[i].of & of)
                return ERROR_OK;
    return error_set(err, ERROR_INVALID, "role", "\"role\" is one of admin operator display%s%s",
                     of & (OF_PAIRING | OF_TOKEN) ? " seat" : "", of & OF_TOKEN ? " metrics" : "");
}

static enum error_code take_seat(const json_t *root, struct auth_grant *ret, struct error *err) {
    const char *text = json_string_value(json_object_get(root, "seat"));
    unsigned number = 0;
    char rest;
    ret->seat = -1;
    if ((ret->role == DOOR_SEAT) != (text && *text))
        return error_set(err, ERROR_INVALID, "seat", "role seat, and no other, has a \"seat\" like s3");
    if (ret->role != DOOR_SEAT)
        return ERROR_OK;
    if (sscanf(text, "s%2u%c", &number, &rest) != 1 || number < 1 || number > OBSERVE_SEATS_MAX)
        return error_set(err, ERROR_INVALID, "seat", "\"seat\" is s1 to s%d", OBSERVE_SEATS_MAX);
    ret->seat = (int8_t)(number - 1);
    return ERROR_OK;
}

static const struct body__field pairing_fields[] = {{"role", BODY__TYPE(JSON_STRING), true},
                                                    {"seat", BODY__TYPE(JSON_STRING), false},
                                                    {"table", BODY__TYPE(JSON_STRING), false},
                                                    {NULL, 0, false}};
static const struct body__field token_fields[] = {{"name", BODY__TYPE(JSON_STRING), true},
                                                  {"role", BODY__TYPE(JSON_STRING), true},
                                                  {"seat", BODY__TYPE(JSON_STRING), false},
                                                  {"table", BODY__TYPE(JSON_STRING), false},
                                                  {NULL, 0, false}};

enum error_code body_grant(const char *text, size_t len, enum body_grant_of of, struct body_grant *ret,
                           struct error *err) {
    json_t *root;
    memset(ret, 0, sizeof *ret);
    if (body__open(text ? text : "", len, of == BODY_TOKEN ? token_fields : pairing_fields, &root, err))
        return err->code;
    enum error_code code = ERROR_OK;
    const char *table = json_string_value(json_object_get(root, "table"));
    if (take_role(root, of == BODY_TOKEN ? OF_TOKEN : OF_PAIRING, &ret->grant.role, err) ||
        take_seat(root, &ret->grant, err) ||
        (of == BODY_TOKEN && take_new_name(root, ret->grant.name, err)) ||
        (table && *table && take_name(root, "table", ret->grant.table, err)))
        code = err->code;
    json_decref(root);
    return code;
}

static const struct body__field user_fields[] = {{"name", BODY__TYPE(JSON_STRING), true},
                                                 {"password", BODY__TYPE(JSON_STRING), true},
                                                 {"role", BODY__TYPE(JSON_STRING), true},
                                                 {NULL, 0, false}};
static const struct body__field change_fields[] = {
    {"password", BODY__TYPE(JSON_STRING), false}, {"role", BODY__TYPE(JSON_STRING), false}, {NULL, 0, false}};

enum error_code body_user(const char *text, size_t len, enum body_user_of of, struct body_user *ret,
                          struct error *err) {
    json_t *root;
    memset(ret, 0, sizeof *ret);
    if (body__open(text ? text : "", len, of == BODY_USER_NEW ? user_fields : change_fields, &root, err))
        return err->code;
    enum error_code code = ERROR_OK;
    ret->has_role = json_object_get(root, "role") != NULL;
    if (json_object_size(root) == 0)
        code = error_set(err, ERROR_INVALID, NULL, "give a \"password\", a \"role\" or both");
    else if ((of == BODY_USER_NEW && take_new_name(root, ret->name, err)) ||
             take_password(root, ret->password, sizeof ret->password, err) ||
             (ret->has_role && take_role(root, OF_USER, &ret->role, err)))
        code = err->code;
    forget(root);
    return code;
}
