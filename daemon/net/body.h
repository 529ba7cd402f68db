// Request bodies: JSON read strictly. Depth, size, duplicate keys, NUL, unknown fields and wrong types are
// errors with the field's name; integers are exact or refused (B119, B121).
#pragma once
#include "core/error.h"
#include "engine/door.h"
#include "net/auth.h"
#include "net/overlay.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BODY_DEPTH_MAX = 16, BODY_OPTIONS_MAX = 96, BODY_CARDS_MAX = 64, BODY_ACTION_MAX = 2048 };

// The root object of a text (a json_t of jansson); the caller decrefs it.
struct json_t;
enum error_code body_json(const char *text, size_t len, struct json_t **ret, struct error *err);

struct body_start {
    struct door_start start;
    struct json_t *root__; // what start's strings point into
    char cards[BODY_CARDS_MAX * 34], values[BODY_OPTIONS_MAX][33];
    struct door_option options[BODY_OPTIONS_MAX];
};
enum error_code body_start(const char *text, size_t len, struct body_start *ret, struct error *err);
void body_start_free(struct body_start *body);

struct body_action {
    char action[BODY_ACTION_MAX]; // a line, or JSON that begins with '{'
    uint64_t if_seq;
};
enum error_code body_action(const char *text, size_t len, struct body_action *ret, struct error *err);

struct body_control {
    struct door_control_request request;
    char reason[161], action[BODY_ACTION_MAX];
};
enum error_code body_control(const char *text, size_t len, struct body_control *ret, struct error *err);

struct body_enrol {
    char deck[33], name[33], kind[33], face[8], pad[33]; // face, pad: "" = not given
    bool look;                                           // name and kind do not matter
    unsigned wait_ms;
};
enum error_code body_enrol(const char *text, size_t len, struct body_enrol *ret, struct error *err);

// {"text": CSV}; malloc'd, the caller frees.
enum error_code body_import(const char *text, size_t len, char **ret, struct error *err);

// Names [a-z0-9-]{1,32}; passwords of any length up to the ceiling (people.h checks it). The caller clears
// them.
struct body_login {
    char name[33], password[AUTH_PASSWORD_MAX + 1], code[24];
};
enum error_code body_login(const char *text, size_t len, struct body_login *ret, struct error *err);
enum error_code body_claim(const char *text, size_t len, struct body_login *ret, struct error *err);

struct body_grant {
    struct auth_grant grant;
};
enum body_grant_of { BODY_PAIRING, BODY_TOKEN };
enum error_code body_grant(const char *text, size_t len, enum body_grant_of of, struct body_grant *ret,
                           struct error *err);

struct body_user {
    char name[33], password[AUTH_PASSWORD_MAX + 1];
    enum door_role role;
    bool has_role;
};
enum body_user_of { BODY_USER_NEW, BODY_USER_CHANGE };
enum error_code body_user(const char *text, size_t len, enum body_user_of of, struct body_user *ret,
                          struct error *err);

struct body_settings {
    size_t n;
    struct overlay_row change[OVERLAY_CHANGES_MAX];
};
enum error_code body_settings(const char *text, size_t len, struct body_settings *ret, struct error *err);
