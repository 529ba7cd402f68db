// A request body of any bytes: taken whole or refused with a sentence, never a crash. The first byte chooses
// the reader.
#include "net/body.h"
#include "net/routes.h"
#include "support/door_stub.c" // routes lead to handlers, handlers to the door
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok) {
    if (!ok)
        abort();
}

static bool taken(enum error_code code, const struct error *err) {
    if (code)
        must(err->code == code && err->text[0] && memchr(err->text, 0, sizeof err->text) &&
             error_http(code) >= 400);
    return code == ERROR_OK;
}

static void try_start(const char *text, size_t len) {
    static struct body_start body;
    struct error err = {0};
    if (!taken(body_start(text, len, &body, &err), &err))
        return;
    must(body.start.game && body.start.seats <= OBSERVE_SEATS_MAX &&
         body.start.n_options <= BODY_OPTIONS_MAX);
    for (size_t i = 0; i < body.start.n_options; i++)
        must(strlen(body.start.options[i].name) <= 32 && strlen(body.start.options[i].value) <= 32);
    body_start_free(&body);
}

static void try_action(const char *text, size_t len) {
    struct body_action body;
    struct error err = {0};
    if (taken(body_action(text, len, &body, &err), &err))
        must(body.action[0] && memchr(body.action, 0, sizeof body.action) && body.if_seq <= INT64_MAX);
}

static void try_control(const char *text, size_t len) {
    struct body_control body;
    struct error err = {0};
    if (!taken(body_control(text, len, &body, &err), &err))
        return;
    must(!body.request.reason || body.request.reason[0]);
    if (body.request.control == DOOR_OVERRIDE)
        must(!body.request.action || body.request.action[0]);
}

static void try_pieces(const char *text, size_t len) {
    struct body_enrol body;
    struct error err = {0};
    char *csv = NULL;
    if (taken(body_enrol(text, len, &body, &err), &err))
        must(memchr(body.deck, 0, sizeof body.deck) && memchr(body.pad, 0, sizeof body.pad));
    memset(&err, 0, sizeof err);
    if (taken(body_import(text, len, &csv, &err), &err))
        must(csv != NULL);
    free(csv);
}

static void try_people(const char *text, size_t len) {
    struct body_login login;
    struct body_grant grant;
    struct body_user user;
    struct error err = {0};
    if (taken(body_login(text, len, &login, &err), &err))
        must(login.name[0] && login.password[0] && memchr(login.password, 0, sizeof login.password));
    memset(&err, 0, sizeof err);
    if (taken(body_claim(text, len, &login, &err), &err))
        must(login.name[0] && memchr(login.code, 0, sizeof login.code));
    memset(&err, 0, sizeof err);
    if (taken(body_grant(text, len, BODY_TOKEN, &grant, &err), &err))
        must((grant.grant.role == DOOR_SEAT) == (grant.grant.seat >= 0));
    memset(&err, 0, sizeof err);
    if (taken(body_user(text, len, BODY_USER_CHANGE, &user, &err), &err))
        must(user.has_role || user.password[0]);
}

static void try_path(const char *text, size_t len) {
    char path[1024], table[33], allow[ROUTES_ALLOW_MAX], param[2][HTTP_PARAM_MAX];
    struct error err = {0};
    const struct route *route;
    int number = -1;
    const struct route_names names = {table, &number, param};
    if (len >= sizeof path)
        return;
    memcpy(path, text, len);
    path[len] = '\0';
    enum error_code code = routes_find(path, "GET", &route, &names, allow, &err);
    must((code == ERROR_OK) == (route != NULL) && number < OBSERVE_SEATS_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const readers[])(const char *text, size_t len) = {try_start,  try_action, try_control,
                                                                    try_pieces, try_path,   try_people};
    if (size == 0)
        return 0;
    char *text = malloc(size); // its own allocation: reading beyond it is seen
    must(text != NULL);
    memcpy(text, data + 1, size - 1);
    readers[data[0] % (sizeof readers / sizeof *readers)](text, size - 1);
    free(text);
    return 0;
}
