// What an admin does with users, tokens and sessions.
#include "core/clock.h"
#include "core/json.h"
#include "net/body.h"
#include "net/people.h"
#include "net/routes.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAX = 512, LIST_MAX = AUTH_SESSIONS_MAX * ROW_MAX };

static int64_t wall_now(const struct request *request) {
    return clock_wall_us(loop_clock(request->http->loop));
}

static void write_grant(struct json *j, const char *name_key, const struct auth_grant *grant) {
    char seat[8] = "";
    if (grant->seat >= 0)
        snprintf(seat, sizeof seat, "s%d", grant->seat + 1);
    answer_text_field(j, name_key, grant->name);
    answer_text_field(j, "role", auth_role_name(grant->role));
    answer_text_field(j, "seat", seat);
    answer_text_field(j, "table", grant->table);
}

static void write_time(struct json *j, const char *key, int64_t wall_us) {
    char time[CLOCK_TEXT_MAX];
    clock_text(wall_us, time);
    answer_text_field(j, key, time);
}

static void write_sessions(struct json *j, const struct request *request) {
    for (size_t i = 0; i < AUTH_SESSIONS_MAX; i++) {
        const struct auth_session *session = auth_session_at(request->http->auth, i);
        if (!*session->id)
            continue;
        json_begin_object(j);
        answer_text_field(j, "id", session->id);
        write_grant(j, "user", &session->grant);
        write_time(j, "created_at", session->created_us);
        write_time(j, "seen_at", session->seen_us);
        answer_text_field(j, "address", session->address);
        json_key(j, "current");
        json_bool(j, session == request->session);
        json_end_object(j);
    }
}

static void write_user(struct json *j, const struct auth_user *user) {
    json_begin_object(j);
    answer_text_field(j, "name", user->name);
    answer_text_field(j, "role", auth_role_name(user->role));
    write_time(j, "created_at", user->created_us);
    json_end_object(j);
}

static void write_users(struct json *j, const struct request *request) {
    for (size_t i = 0; i < AUTH_USERS_MAX; i++)
        if (*auth_user_at(request->http->auth, i)->name)
            write_user(j, auth_user_at(request->http->auth, i));
}

static void write_tokens(struct json *j, const struct request *request) {
    for (size_t i = 0; i < auth_tokens(request->http->auth); i++) {
        const struct auth_token *token = auth_token_at(request->http->auth, i);
        json_begin_object(j);
        answer_text_field(j, "id", token->id);
        write_grant(j, "name", &token->grant);
        write_time(j, "created_at", token->created_us);
        json_end_object(j);
    }
}

typedef void write_list(struct json *j, const struct request *request);

// malloc'd; NULL: no memory.
static char *list_text(const struct request *request, const char *key, write_list *write, size_t *ret_len) {
    char *text = malloc(LIST_MAX);
    struct json j;
    if (!text)
        return NULL;
    json_begin(&j, text, LIST_MAX);
    json_begin_object(&j);
    json_key(&j, key);
    json_begin_array(&j);
    write(&j, request);
    json_end_array(&j);
    json_end_object(&j);
    *ret_len = j.len;
    if (json_end(&j))
        return text;
    free(text);
    return NULL;
}

static void answer_list(struct request *request, const char *key, write_list *write) {
    size_t len = 0;
    char *text = list_text(request, key, write, &len);
    if (text)
        answer_tagged(request, text, len);
    else
        answer_code(request, ERROR_INTERNAL, "out of memory");
    free(text);
}

// A caller may say which list he has seen. False: answered.
static bool list_as_seen(struct request *request, const char *key, write_list *write) {
    size_t len = 0;
    if (!request->headers.if_match)
        return true;
    char *text = list_text(request, key, write, &len);
    bool same = answer_as_seen(request, text, len);
    free(text);
    return same;
}

void get_sessions(struct request *request) {
    answer_list(request, "sessions", write_sessions);
}
void get_users(struct request *request) {
    answer_list(request, "users", write_users);
}
void get_tokens(struct request *request) {
    answer_list(request, "tokens", write_tokens);
}

static void nothing_left(struct people_work *work) {
    answer_response(work->request, 204, answer_of_text(NULL, "", 0));
}

void delete_session_of(struct request *request) {
    const struct auth_session *found = NULL;
    for (size_t i = 0; i < AUTH_SESSIONS_MAX; i++)
        if (!strcmp(auth_session_at(request->http->auth, i)->id, request->param[0]))
            found = auth_session_at(request->http->auth, i);
    struct people_work *work = found ? people_begin(request, nothing_left) : NULL;
    if (!found)
        answer_code(request, ERROR_NOT_FOUND, "there is no such session");
    if (!work)
        return;
    work->change[work->n++] = (struct auth_change){.what = AUTH_DROP_SESSION, .session = *found};
    people_submit(work);
}

// ---- tokens

static void token_made(struct people_work *work) {
    char text[256];
    struct json j;
    json_begin(&j, text, sizeof text);
    json_begin_object(&j);
    answer_text_field(&j, "id", work->change[0].token.id);
    answer_text_field(&j, "token", work->secret);
    json_end_object(&j);
    json_end(&j);
    answer_json(work->request, 201, text, j.len);
    sodium_memzero(text, sizeof text);
}

// A seat is at one table: by its number alone a phone would show what is hidden at every table's such seat.
bool people_table_ok(struct request *request, const struct auth_grant *grant) {
    memcpy(request->table, grant->table, sizeof request->table);
    if (*grant->table)
        return answer_table_known(request);
    if (grant->role != DOOR_SEAT || door_tables(request->http->options.door) < 2)
        return true;
    answer_code(request, ERROR_INVALID, "say at which table this seat is");
    return false;
}

void post_token(struct request *request) {
    struct body_grant body;
    struct error err = {0};
    if (body_grant(request->body, request->body_len, BODY_TOKEN, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    if (!people_table_ok(request, &body.grant))
        return;
    struct people_work *work = people_begin(request, token_made);
    if (!work)
        return;
    work->change[0].what = AUTH_PUT_TOKEN;
    if (auth_token_make(request->http->auth, &body.grant, wall_now(request), &work->change[0].token,
                        work->secret, &err)) {
        answer_error(request, &err);
        people_drop(work);
        return;
    }
    work->n = 1;
    people_submit(work);
}

void delete_token(struct request *request) {
    if (!list_as_seen(request, "tokens", write_tokens))
        return;
    const struct auth_token *found = NULL;
    for (size_t i = 0; i < auth_tokens(request->http->auth); i++)
        if (!strcmp(auth_token_at(request->http->auth, i)->id, request->param[0]))
            found = auth_token_at(request->http->auth, i);
    struct people_work *work = found ? people_begin(request, nothing_left) : NULL;
    if (!found)
        answer_code(request, ERROR_NOT_FOUND, "there is no such token");
    if (!work)
        return;
    work->change[work->n++] = (struct auth_change){.what = AUTH_DROP_TOKEN, .token = *found};
    people_submit(work);
}

// ---- users

static void user_done(struct people_work *work) {
    char text[256];
    struct json j;
    json_begin(&j, text, sizeof text);
    write_user(&j, &work->change[0].user);
    json_end(&j);
    answer_json(work->request, work->status, text, j.len);
}

bool people_users_full(struct request *request) {
    for (size_t i = 0; i < AUTH_USERS_MAX; i++)
        if (!*auth_user_at(request->http->auth, i)->name)
            return false;
    answer_code(request, ERROR_TOO_LARGE, "at most %d users", AUTH_USERS_MAX);
    return true;
}

static void set_password(struct people_work *work, const char *password) {
    work->has_password = true;
    snprintf(work->password, sizeof work->password, "%s", password);
}

void post_user(struct request *request) {
    struct body_user body;
    struct error err = {0};
    struct people_work *work = NULL;
    if (body_user(request->body, request->body_len, BODY_USER_NEW, &body, &err))
        answer_error(request, &err);
    else if (auth_user_find(request->http->auth, body.name))
        answer_code(request, ERROR_EXISTS, "somebody has this name already");
    else if (!people_users_full(request) && people_password_ok(request, body.password))
        work = people_begin(request, user_done);
    if (work) {
        struct auth_change *change = &work->change[work->n++];
        *change = (struct auth_change){.what = AUTH_PUT_USER};
        memcpy(change->user.name, body.name, sizeof change->user.name);
        change->user.role = body.role;
        change->user.created_us = wall_now(request);
        set_password(work, body.password);
        work->status = 201;
        people_submit(work);
    }
    sodium_memzero(&body, sizeof body);
}

// The user of the path; NULL: answered.
static const struct auth_user *user_of_path(struct request *request) {
    if (!list_as_seen(request, "users", write_users))
        return NULL;
    const struct auth_user *user = auth_user_find(request->http->auth, request->param[0]);
    if (!user)
        answer_code(request, ERROR_NOT_FOUND, "there is no such user");
    return user;
}

static bool last_admin(struct request *request, const struct auth_user *user) {
    if (user->role != DOOR_ADMIN || auth_admins(request->http->auth) > 1)
        return false;
    answer_code(request, ERROR_NOT_NOW, "the last admin stays one");
    return true;
}

// What was logged in with the old password or role is not any more.
static void change_user(struct request *request, const struct auth_user *user, const struct body_user *body) {
    struct people_work *work = people_begin(request, user_done);
    if (!work)
        return;
    work->change[work->n++] = (struct auth_change){.what = AUTH_PUT_USER, .user = *user};
    if (body->has_role)
        work->change[0].user.role = body->role;
    if (*body->password)
        set_password(work, body->password);
    work->change[work->n++] = (struct auth_change){.what = AUTH_DROP_SESSIONS, .user = *user};
    work->status = 200;
    people_submit(work);
}

void patch_user(struct request *request) {
    struct body_user body;
    struct error err = {0};
    const struct auth_user *user = NULL;
    if (body_user(request->body, request->body_len, BODY_USER_CHANGE, &body, &err))
        answer_error(request, &err);
    else if ((user = user_of_path(request)) &&
             (!*body.password || people_password_ok(request, body.password)) &&
             (!body.has_role || body.role == DOOR_ADMIN || !last_admin(request, user)))
        change_user(request, user, &body);
    sodium_memzero(&body, sizeof body);
}

void delete_user(struct request *request) {
    const struct auth_user *user = user_of_path(request);
    if (!user || last_admin(request, user))
        return;
    struct people_work *work = people_begin(request, nothing_left);
    if (!work)
        return;
    work->change[work->n++] = (struct auth_change){.what = AUTH_DROP_USER, .user = *user};
    work->change[work->n++] = (struct auth_change){.what = AUTH_DROP_SESSIONS, .user = *user};
    people_submit(work);
}
