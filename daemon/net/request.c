// One request from its head to its answer. Checks come in a fixed order: shape, host, origin, route, size,
// media type, who, how often. Only then a handler runs.
#include "net/people.h"
#include "net/routes.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct bucket_rule failed_logins = {.burst = 5, .each_us = 12000000};
static const struct bucket_rule commands = {.burst = 60, .each_us = 50000};
static const struct bucket_rule streams = {.burst = 64, .each_us = 500000};

// ---- the head

static const struct header_row {
    const char *name;
    size_t len, offset;
    bool single;
} header_rows[] = {
#define HEADER(name, field, single)                                                                          \
    { name, sizeof name - 1, offsetof(struct request_headers, field), single }
    HEADER("Host", host, true),
    HEADER("Authorization", authorization, true),
    HEADER("If-None-Match", if_none_match, false),
    HEADER("Cookie", cookie, true),
    HEADER("X-CSRF-Token", csrf, true),
    HEADER("If-Match", if_match, true),
    HEADER("Origin", origin, true),
    HEADER("Sec-Fetch-Site", fetch_site, true),
    HEADER("Content-Type", content_type, true),
    HEADER("Content-Length", content_length, true),
    HEADER("Transfer-Encoding", transfer, true),
    HEADER("Last-Event-ID", last_event_id, true),
    HEADER("Idempotency-Key", idempotency_key, true),
#undef HEADER
};

static enum MHD_Result take_header(void *ctx, enum MHD_ValueKind kind, const char *key, size_t key_len,
                                   const char *value, size_t value_len) {
    struct request_headers *headers = ctx;
    (void)kind;
    (void)value_len;
    for (size_t i = 0; i < sizeof header_rows / sizeof *header_rows; i++) {
        const struct header_row *row = &header_rows[i];
        if (row->len != key_len || strncasecmp(row->name, key, key_len) != 0)
            continue;
        const char **field = (const char **)((char *)headers + row->offset);
        if (*field && row->single)
            headers->twice = true;
        else
            *field = value ? value : "";
        break;
    }
    return MHD_YES;
}

// One framing only: a length, no chunks, nothing twice (B113, B114).
static bool check_framing(struct request *request) {
    const struct request_headers *headers = &request->headers;
    request->early = headers->transfer != NULL;
    if (headers->twice) {
        answer_code(request, ERROR_INVALID, "a header that may come once came twice");
        request->early = true;
    } else if (headers->transfer) {
        answer_code(request, ERROR_INVALID, "send the body with a Content-Length and not in chunks");
    }
    if (headers->content_length)
        request->body_size = strtoull(headers->content_length, NULL, 10);
    if (request->body_size > HTTP_BODY_MAX)
        request->early = true; // nothing of it is read unless its route takes so much
    return !request->response;
}

static bool check_origin(struct request *request) {
    const struct request_headers *headers = &request->headers;
    struct conn *conn = request_conn(request);
    if (conn->local)
        return true;
    if (!headers->host || !hosts_allow(request->http, conn, headers->host)) {
        answer_code(request, ERROR_MISDIRECTED, "this host name is not served here; name it in [http] hosts");
        return false;
    }
    bool foreign = headers->origin && !hosts_same_origin(headers->origin, headers->host);
    if (request->write && headers->fetch_site && strcmp(headers->fetch_site, "same-origin") != 0 &&
        strcmp(headers->fetch_site, "none") != 0)
        foreign = true;
    if (foreign)
        answer_code(request, ERROR_FORBIDDEN, "a page of another site may not use this address");
    return !foreign;
}

static bool check_route(struct request *request) {
    struct error err = {0};
    const char *method = strcmp(request->method, "HEAD") ? request->method : "GET";
    const struct route_names names = {request->table, &request->number, request->param};
    enum error_code code = routes_find(request->path, method, &request->route, &names, request->allow, &err);
    if (code == ERROR_METHOD && !strcmp(method, "OPTIONS"))
        answer_response(request, 204, answer_of_text(NULL, "", 0));
    else if (code)
        answer_error(request, &err);
    return code == ERROR_OK;
}

static bool is_json(const char *type) {
    static const char json[] = "application/json";
    if (!type || strncasecmp(type, json, sizeof json - 1) != 0)
        return false;
    type += sizeof json - 1;
    type += strspn(type, " \t");
    return *type == '\0' || *type == ';';
}

static bool check_body(struct request *request) {
    const struct route *route = request->route;
    if (request->body_size > route->body_max && (route->body_max || request->body_size > HTTP_BODY_MAX)) {
        answer_code(request, ERROR_TOO_LARGE, "the body may have %u bytes", route->body_max);
        request->early = true;
        return false;
    }
    request->early = false;
    if (route->body_max && !is_json(request->headers.content_type)) {
        answer_error(request, &(struct error){.code = ERROR_MEDIA_TYPE});
        return false;
    }
    return true;
}

// ---- who

static void know_local(struct request *request, const struct conn *conn) {
    request->who = (struct door_who){.role = DOOR_ADMIN, .seat = -1, .cause = "local"};
    snprintf(request->who.name, sizeof request->who.name, "uid-%u", conn->uid);
    request->known = true;
}

static void know_grant(struct request *request, const struct auth_grant *grant) {
    request->who = (struct door_who){.role = grant->role, .seat = grant->seat, .cause = "rest"};
    memcpy(request->who.table, grant->table, sizeof request->who.table);
    memcpy(request->who.name, grant->name, sizeof request->who.name);
    request->grant = grant->number;
    request->known = true;
}

// A wrong token costs the address a try; a right one is never refused for the failures of others.
static void refuse_login(struct request *request) {
    struct peer *peer = request_conn(request)->peer;
    int64_t now = loop_now_us(request->http->loop);
    if (peer && !bucket_take(&peer->failed_logins, &failed_logins, now)) {
        request->retry_after_s = bucket_wait_s(&peer->failed_logins, &failed_logins, now);
        answer_code(request, ERROR_RATE, "too many wrong tokens from this address");
        return;
    }
    answer_code(request, ERROR_UNAUTHORISED, "this token is not known here");
}

static bool know_token(struct request *request) {
    struct conn *conn = request_conn(request);
    const struct auth *auth = request->http->auth;
    const char *header = request->headers.authorization;
    if (!conn->token || conn->generation != auth_generation(auth) || strcmp(conn->bearer, header) != 0) {
        conn->token = auth_check(auth, header);
        if (!conn->token || strlen(header) >= sizeof conn->bearer) {
            if (conn->token)
                know_grant(request, &conn->token->grant);
            else
                refuse_login(request);
            conn->token = NULL;
            return request->known;
        }
        strcpy(conn->bearer, header);
        conn->generation = auth_generation(auth);
    }
    know_grant(request, &conn->token->grant);
    return true;
}

bool request_game_runs(const struct door *door, const char *table) {
    enum observe_status status;
    const char *game;
    for (size_t i = 0; i < door_tables(door); i++) {
        const char *name = door_table(door, i);
        if ((!*table || !strcmp(name, table)) && door_status(door, name, &status, &game) &&
            status == OBSERVE_RUNNING)
            return true;
    }
    return false;
}

// A page of somebody else may make a browser send our cookie, but it cannot know what goes with it (B107).
static bool know_session(struct request *request) {
    const char *name = people_cookie_name(request), *cookie = request->headers.cookie;
    struct loop *loop = request->http->loop;
    char csrf[AUTH_COOKIE_TEXT];
    request->session =
        auth_cookie(request->http->auth, cookie, name, loop_now_us(loop), clock_wall_us(loop_clock(loop)));
    if (!request->session) {
        answer_code(request, ERROR_UNAUTHORISED,
                    "log in first, or send a token: Authorization: Bearer gt_...");
        return false;
    }
    if (request->write && (!request->headers.csrf || !auth_csrf(cookie, name, csrf) ||
                           strlen(request->headers.csrf) != sizeof csrf - 1 ||
                           sodium_memcmp(request->headers.csrf, csrf, sizeof csrf - 1) != 0)) {
        answer_code(request, ERROR_FORBIDDEN, "send X-CSRF-Token as the session told it");
        return false;
    }
    const struct auth_grant *grant = &request->session->grant;
    if (grant->role == DOOR_SEAT && !request_game_runs(request->http->options.door, grant->table))
        request->session->seen_us = clock_wall_us(loop_clock(loop));
    know_grant(request, grant);
    return true;
}

static bool check_who(struct request *request) {
    const struct conn *conn = request_conn(request);
    if (request->route->capability == CAP_NONE)
        return true;
    if (conn->local && conn->admitted) {
        know_local(request, conn);
    } else if (conn->local) {
        answer_code(request, ERROR_FORBIDDEN, "join the group `tabled` to use this socket");
        return false;
    } else if (request->headers.authorization) {
        if (!know_token(request))
            return false;
    } else if (!know_session(request)) {
        return false;
    }
    conn_known(request_conn(request), request->who.role);
    request->capabilities = auth_capabilities(request->who.role);
    bool other_table = request->who.table[0] && request->table[0] &&
                       strcmp(request->who.table, request->table);
    if (!(request->capabilities & request->route->capability) || other_table) {
        if (request->route->capability == CAP_SEAT) // like a seat that does not exist
            answer_error(request, &(struct error){.code = ERROR_NOT_FOUND});
        else
            answer_error(request, &(struct error){.code = ERROR_FORBIDDEN});
        return false;
    }
    return true;
}

// How often is counted for each caller; who is not known yet is its address.
static bool check_rate(struct request *request) {
    struct conn *conn = request_conn(request);
    struct peer *peer = conn->peer;
    if (!peer || peer->loopback || request->route->rate == RATE_NONE)
        return true;
    bool stream = request->route->rate == RATE_STREAM;
    int64_t now = loop_now_us(request->http->loop);
    struct peer *caller = request->grant ? peers_caller(request->http->peers, request->grant, now) : NULL;
    caller = caller ? caller : peer;
    struct bucket *bucket = stream ? &caller->opened_streams : &caller->commands;
    const struct bucket_rule *rule = stream ? &streams : &commands;
    if (stream && peer->streams >= request->http->streams_per_address) {
        request->retry_after_s = 30;
        answer_code(request, ERROR_RATE, "too many streams to this address");
        return false;
    }
    if (bucket_take(bucket, rule, now))
        return true;
    request->retry_after_s = bucket_wait_s(bucket, rule, now);
    answer_error(request, &(struct error){.code = ERROR_RATE});
    return false;
}

static void begin(struct request *request, struct conn *conn, struct MHD_Connection *mhd, const char *url,
                  const char *method) {
    memset(request, 0, sizeof *request);
    request->http = conn->http;
    request->mhd = mhd;
    request->path = url;
    request->method = method;
    request->number = -1;
    request->write = strcmp(method, "GET") && strcmp(method, "HEAD") && strcmp(method, "OPTIONS");
    MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, take_header, &request->headers);
    (void)(check_framing(request) && check_origin(request) && check_route(request) && check_body(request) &&
           check_who(request) && check_rate(request));
}

// ---- body and answer

// The body of a request that is refused already is read and dropped, so that the connection lives on.
static void collect(struct request *request, const char *data, size_t size) {
    if (request->response || !request->route->body_max)
        return;
    if (!request->body)
        request->body = malloc(request->body_size + 1);
    if (!request->body || size > request->body_size - request->body_len) {
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
        return;
    }
    memcpy(request->body + request->body_len, data, size);
    request->body_len += size;
}

static void add_status_headers(struct request *request) {
    char text[160];
    struct MHD_Response *response = request->response;
    if (request->status == 401)
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer realm=\"tabled\"");
    if (request->allow[0] && (request->status == 405 || request->status == 204))
        MHD_add_response_header(response, "Allow", request->allow);
    if (request->status == 429 || request->status == 503) {
        snprintf(text, sizeof text, "%u", request->retry_after_s ? request->retry_after_s : 1);
        MHD_add_response_header(response, "Retry-After", text);
    }
    if (request->status == 201 && request->starts) {
        snprintf(text, sizeof text, "/api/v1/tables/%s", request->table);
        MHD_add_response_header(response, "Location", text);
    }
}

static enum MHD_Result queue(struct request *request) {
    if (!request->shared)
        add_status_headers(request);
    enum MHD_Result r = MHD_queue_response(request->mhd, (unsigned)request->status, request->response);
    if (!request->shared)
        MHD_destroy_response(request->response);
    request->response = NULL;
    return r;
}

void request_answered(struct request *request) {
    if (!request->waiting)
        return;
    request->waiting = false;
    MHD_resume_connection(request->mhd);
    http_run_soon(request->http);
}

enum MHD_Result request_handle(void *ctx, struct MHD_Connection *mhd, const char *url, const char *method,
                               const char *version, const char *data, size_t *size, void **state) {
    (void)ctx;
    (void)version;
    struct conn *conn = *state;
    if (!conn) {
        conn = *state = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
        conn_head_done(conn);
        begin(&conn->request, conn, mhd, url, method);
        if (conn->request.body_size && !conn->request.early)
            conn_head_wait(conn); // the body has as long again
        return conn->request.early ? queue(&conn->request) : MHD_YES;
    }
    struct request *request = &conn->request;
    if (!request->response && !request->route)
        return MHD_NO; // not even an answer could be made: out of memory
    if (*size) {
        collect(request, data, *size);
        *size = 0;
        return MHD_YES;
    }
    conn_head_done(conn);
    if (!request->response && !request->dispatched) {
        request->dispatched = true;
        request->route->handler(request);
    }
    if (!request->response) {
        request->waiting = true;
        MHD_suspend_connection(mhd);
        return MHD_YES;
    }
    return queue(request);
}

void request_completed(void *ctx, struct MHD_Connection *mhd, void **state,
                       enum MHD_RequestTerminationCode how) {
    struct http *http = ctx;
    (void)mhd;
    (void)how;
    struct conn *conn = *state;
    if (!conn)
        return;
    struct request *request = &conn->request;
    if (request->response && !request->shared)
        MHD_destroy_response(request->response);
    free(request->body);
    if (conn->stream) {
        conn->stream = false;
        if (conn->peer) {
            conn->peer->streams--;
            conn->peer->requests++;
        }
    }
    memset(request, 0, sizeof *request);
    *state = NULL;
    if (!http->closing)
        conn_head_wait(conn);
}
