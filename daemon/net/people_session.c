// Logging in and out, and pairing: a code from the machine itself makes the first admin and lets in who comes
// later.
#include "core/clock.h"
#include "core/json.h"
#include "core/log.h"
#include "net/body.h"
#include "net/logins.h"
#include "net/people.h"
#include "net/routes.h"
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { SESSION_TEXT_MAX = 768 };
static const struct bucket_rule wrong_codes = {.burst = 5, .each_us = 12000000};
// Told by ear and typed on a phone: no 0 O 1 I.
static const char code_letters[33] = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

// ---- the session

// Under TLS the name itself makes browsers refuse it from elsewhere.
const char *people_cookie_name(const struct request *request) {
    return request_conn((struct request *)(uintptr_t)request)->tls ? "__Host-tabled" : "tabled";
}

static void write_session(struct json *j, const struct auth_grant *grant, const char *csrf, int64_t end_us) {
    char seat[8] = "", time[CLOCK_TEXT_MAX];
    const char *name;
    unsigned bit;
    if (grant->seat >= 0)
        snprintf(seat, sizeof seat, "s%d", grant->seat + 1);
    json_begin_object(j);
    answer_text_field(j, "user", grant->name);
    answer_text_field(j, "role", auth_role_name(grant->role));
    answer_text_field(j, "seat", seat);
    answer_text_field(j, "table", grant->table);
    answer_text_field(j, "csrf", csrf);
    json_key(j, "capabilities");
    json_begin_array(j);
    for (size_t i = 0; (name = auth_capability_name(i, &bit)); i++)
        if (auth_capabilities(grant->role) & bit)
            json_text(j, name);
    json_end_array(j);
    clock_text(end_us, time);
    answer_text_field(j, "expires_at", end_us ? time : NULL);
    json_end_object(j);
}

static void answer_session(struct request *request, int status, const struct auth_grant *grant,
                           const char *csrf, const char *cookie, int64_t end_us) {
    char text[SESSION_TEXT_MAX], line[192];
    struct json j;
    json_begin(&j, text, sizeof text);
    write_session(&j, grant, csrf, end_us);
    struct MHD_Response *response = json_end(&j) ? answer_of_text("application/json", text, j.len) : NULL;
    if (response && cookie) {
        bool tls = request_conn(request)->tls;
        snprintf(line, sizeof line, "%s=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s",
                 people_cookie_name(request), cookie, *cookie ? AUTH_ABSOLUTE_S : 0, tls ? "; Secure" : "");
        MHD_add_response_header(response, "Set-Cookie", line);
    }
    answer_response(request, status, response);
    sodium_memzero(text, sizeof text);
    sodium_memzero(line, sizeof line);
}

static int64_t wall_now(const struct request *request) {
    return clock_wall_us(loop_clock(request->http->loop));
}

// Adds the change that makes a session of this grant; false: answered already.
static bool add_session(struct people_work *work, const struct auth_grant *grant, bool user) {
    struct request *request = work->request;
    struct auth_change *change = &work->change[work->n];
    const struct conn *conn = request_conn(request);
    struct error err = {0};
    change->what = AUTH_PUT_SESSION;
    if (auth_session_make(request->http->auth, grant, user, loop_now_us(request->http->loop),
                          wall_now(request), &change->session, work->secret, &err)) {
        answer_error(request, &err);
        return false;
    }
    peer_text(conn->peer, change->session.address);
    work->n++;
    return true;
}

static void answer_new_session(struct people_work *work, const struct auth_session *session) {
    struct request *request = work->request;
    char header[96], csrf[AUTH_COOKIE_TEXT] = "";
    const char *name = people_cookie_name(request);
    snprintf(header, sizeof header, "%s=%s", name, work->secret);
    auth_csrf(header, name, csrf);
    answer_session(request, 201, &session->grant, csrf, work->secret,
                   session->created_us + (int64_t)AUTH_ABSOLUTE_S * 1000000);
    sodium_memzero(header, sizeof header);
}

static const struct auth_session *made_session(const struct people_work *work) {
    for (size_t i = 0; i < work->n; i++)
        if (work->change[i].what == AUTH_PUT_SESSION)
            return &work->change[i].session;
    return NULL;
}

static void logged_in(struct people_work *work) {
    struct request *request = work->request;
    const struct peer *peer = request_conn(request)->peer;
    static const uint8_t local[16];
    const struct auth_session *session = made_session(work);
    int64_t now = loop_now_us(request->http->loop);
    if (!work->right || !session) {
        logins_wrong(request->http->logins, now);
        answer_code(request, ERROR_UNAUTHORISED, "name or password is wrong");
        return;
    }
    logins_right(request->http->logins, peer ? peer->address : local, session->grant.name, now);
    answer_new_session(work, session);
}

bool people_password_ok(struct request *request, const char *password) {
    size_t n = strlen(password);
    if (n >= AUTH_PASSWORD_MIN && n <= AUTH_PASSWORD_MAX)
        return true;
    answer_code(request, ERROR_INVALID, "a password has %d to %d bytes", AUTH_PASSWORD_MIN,
                AUTH_PASSWORD_MAX);
    return false;
}

void post_session(struct request *request) {
    struct body_login body;
    struct error err = {0};
    static const uint8_t local[16];
    const struct peer *peer = request_conn(request)->peer;
    if (body_login(request->body, request->body_len, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    request->retry_after_s = logins_try(request->http->logins, peer ? peer->address : local, body.name,
                                        loop_now_us(request->http->loop));
    struct people_work *work = NULL;
    if (request->retry_after_s)
        answer_code(request, ERROR_RATE,
                    "too many tries for this name from here; wait, or use the local socket");
    else if (people_password_ok(request, body.password))
        work = people_begin(request, logged_in);
    if (work) {
        const struct auth_user *user = auth_user_find(request->http->auth, body.name);
        struct auth_grant grant = {.seat = -1, .role = user ? user->role : DOOR_DISPLAY};
        memcpy(grant.name, body.name, sizeof grant.name);
        work->has_password = work->verify = true;
        memcpy(work->password, body.password, sizeof work->password);
        if (user) {
            memcpy(work->stored, user->hash, sizeof work->stored);
            work->rehash = *user;
        }
        if (add_session(work, &grant, true))
            people_submit(work);
        else
            people_drop(work);
    }
    sodium_memzero(&body, sizeof body);
}

void get_session(struct request *request) {
    const char *cookie = request->headers.cookie;
    char csrf[AUTH_COOKIE_TEXT] = "";
    struct auth_grant grant = {.role = request->who.role, .seat = request->who.seat};
    memcpy(grant.name, request->who.name, sizeof grant.name);
    memcpy(grant.table, request->who.table, sizeof grant.table);
    if (request->session)
        auth_csrf(cookie, people_cookie_name(request), csrf);
    answer_session(request, 200, &grant, csrf, NULL,
                   request->session ? request->session->created_us + (int64_t)AUTH_ABSOLUTE_S * 1000000 : 0);
}

static void logged_out(struct people_work *work) {
    struct request *request = work->request;
    struct MHD_Response *response = answer_of_text(NULL, "", 0);
    char line[96];
    snprintf(line, sizeof line, "%s=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0%s",
             people_cookie_name(request), request_conn(request)->tls ? "; Secure" : "");
    if (response)
        MHD_add_response_header(response, "Set-Cookie", line);
    answer_response(request, 204, response);
}

void delete_session(struct request *request) {
    if (!request->session) {
        answer_code(request, ERROR_NOT_FOUND, "there is no session here; a token is revoked by an admin");
        return;
    }
    struct people_work *work = people_begin(request, logged_out);
    if (!work)
        return;
    work->change[work->n++] = (struct auth_change){.what = AUTH_DROP_SESSION, .session = *request->session};
    people_submit(work);
}

// ---- pairing

static void make_code(char ret[PAIRING_CODE + 1]) {
    for (int i = 0; i < PAIRING_CODE; i++)
        ret[i] = code_letters[randombytes_random() & 31];
    ret[PAIRING_CODE] = '\0';
}

void post_pairing(struct request *request) {
    struct body_grant body;
    struct error err = {0};
    char text[128], time[CLOCK_TEXT_MAX];
    struct json j;
    if (body_grant(request->body, request->body_len, BODY_PAIRING, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    if (!people_table_ok(request, &body.grant))
        return;
    struct pairing *pairing = people_pairing_new(request->http->people);
    pairing->grant = body.grant;
    pairing->end_us = loop_now_us(request->http->loop) + (int64_t)PAIRING_S * 1000000;
    make_code(pairing->code);
    log_info("people", "pairing is open role=%s by=%s", auth_role_name(body.grant.role), request->who.name);
    json_begin(&j, text, sizeof text);
    json_begin_object(&j);
    answer_text_field(&j, "code", pairing->code);
    clock_text(wall_now(request) + (int64_t)PAIRING_S * 1000000, time);
    answer_text_field(&j, "expires_at", time);
    json_end_object(&j);
    json_end(&j);
    answer_json(request, 201, text, j.len);
    sodium_memzero(text, sizeof text);
}

// As people type it: small letters, blanks and dashes between.
static bool code_right(const char *typed, const char *code) {
    char clean[PAIRING_CODE + 1] = "";
    size_t n = 0;
    for (; *typed; typed++) {
        char c = *typed >= 'a' && *typed <= 'z' ? (char)(*typed - 32) : *typed;
        if (c == ' ' || c == '-')
            continue;
        if (n == PAIRING_CODE)
            return false;
        clean[n++] = c;
    }
    return n == PAIRING_CODE && sodium_memcmp(clean, code, PAIRING_CODE) == 0;
}

// The open pairing whose code this is; NULL: answered already.
static struct pairing *take_code(struct request *request, const char *typed) {
    struct pairing *pairing = people_pairing(request->http->people);
    struct peer *peer = request_conn(request)->peer;
    int64_t now = loop_now_us(request->http->loop);
    if (peer && !bucket_ready(&peer->failed_logins, &wrong_codes, now)) {
        request->retry_after_s = bucket_wait_s(&peer->failed_logins, &wrong_codes, now);
        answer_code(request, ERROR_RATE, "too many wrong codes from this address");
    } else if (!pairing) {
        answer_code(request, ERROR_NOT_NOW, "no pairing is open; ask the table for a code: tablectl pair");
    } else if (!code_right(typed, pairing->code)) {
        if (peer)
            bucket_take(&peer->failed_logins, &wrong_codes, now);
        if (++pairing->tries == PAIRING_TRIES)
            sodium_memzero(pairing, sizeof *pairing);
        answer_code(request, ERROR_FORBIDDEN, "this is not the code");
    } else {
        return pairing;
    }
    return NULL;
}

static void claimed(struct people_work *work) {
    const struct auth_session *session = made_session(work);
    log_info("people", "paired role=%s name=%s", auth_role_name(session->grant.role), session->grant.name);
    answer_new_session(work, session);
}

static bool claim_user(struct people_work *work, const struct body_login *body,
                       const struct auth_grant *grant) {
    struct request *request = work->request;
    struct auth_user *user = &work->change[0].user;
    if (!people_password_ok(request, body->password))
        return false;
    if (auth_user_find(request->http->auth, grant->name)) {
        answer_code(request, ERROR_EXISTS, "somebody has this name already");
        return false;
    }
    if (people_users_full(request))
        return false;
    work->has_password = true;
    work->change[work->n++].what = AUTH_PUT_USER;
    memcpy(work->password, body->password, sizeof work->password);
    memcpy(user->name, grant->name, sizeof user->name);
    user->role = grant->role;
    user->created_us = wall_now(request);
    return true;
}

void post_claim(struct request *request) {
    struct body_login body;
    struct error err = {0};
    if (body_claim(request->body, request->body_len, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    struct pairing *pairing = take_code(request, body.code);
    struct people_work *work = pairing ? people_begin(request, claimed) : NULL;
    if (work) {
        struct auth_grant grant = pairing->grant;
        bool user = grant.role == DOOR_ADMIN || grant.role == DOOR_OPERATOR;
        memcpy(grant.name, body.name, sizeof grant.name);
        if ((!user || claim_user(work, &body, &grant)) && add_session(work, &grant, user)) {
            struct pairing kept = *pairing;
            sodium_memzero(pairing, sizeof *pairing);
            if (!people_submit(work))
                *pairing = kept; // try again in a moment, the answer says
            sodium_memzero(&kept, sizeof kept);
        } else {
            people_drop(work);
        }
    }
    sodium_memzero(&body, sizeof body);
}
