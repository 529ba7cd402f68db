// Internals shared by the files of the HTTP front: listeners and connections (listen.c), requests
// (request.c), answers (answer.c), handlers (views.c, commands.c) and streams (sse.c). Nobody else includes
// this.
#pragma once
#include "net/auth.h"
#include "net/http.h"
#include "net/rate.h"
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/un.h>

struct json;
struct sse;
struct once;
struct once_entry;
struct views;
struct files;
struct people;
struct logins;
struct log_ring;
struct overlay;
struct route;
struct tls;

enum {
    // What the library keeps of a connection: the heads of request and answer, and a copy of the cookies. A
    // stream holds it as long as
    // it
    // lives (perf-goals P8: 8 kB each).
    HTTP_POOL_BYTES = 5632,
    HTTP_LISTENERS_MAX = 8,
    HTTP_HOSTS_MAX = 24,
    HTTP_PATH_MAX = 512,
    HTTP_SEGMENTS_MAX = 10,
    HTTP_BODY_MAX = 65536,
    HTTP_LOCAL_RESERVE = 16, // connections kept for the local socket
    HTTP_KEY_MAX = 64,       // bytes of an Idempotency-Key
    HTTP_PARAM_MAX = 33,     // of a path: an id, a name
    HTTP_BEARER_MAX = 80,    // `Bearer gt_ID_SECRET`
    ROUTES_ALLOW_MAX = 64,
};

// ---- requests
// -----------------------------------------------------------------------------------------------------

struct request_headers {
    const char *host, *origin, *fetch_site, *authorization, *content_type, *content_length, *transfer;
    const char *if_none_match, *if_match, *last_event_id, *idempotency_key, *cookie, *csrf;
    bool twice; // a header that must be single came twice
};

struct request {
    struct http *http;
    struct MHD_Connection *mhd;
    const char *method, *path; // the path as sent, without the query
    struct request_headers headers;
    const struct route *route;
    char table[33];                // {t}
    int number;                    // {n}, 0-based; -1 = not a number of a seat
    char param[2][HTTP_PARAM_MAX]; // other {names} of the path, in order
    bool write, early; // write: may change something; early: answered before its body is read, then closed
    struct door_who who;
    bool known;                   // who is filled
    uint64_t grant;               // of the token or session; 0 = the local socket
    struct auth_session *session; // of a cookie; valid until the handler returns
    unsigned capabilities, retry_after_s;
    char allow[ROUTES_ALLOW_MAX]; // 405, OPTIONS
    char *body;
    size_t body_len, body_size;
    bool waiting, dispatched; // waiting: suspended until the answer comes
    bool shared;              // the response belongs to views.c
    int status;
    struct MHD_Response *response;
    struct once_entry *once; // the stored answer this request fills
    bool starts;             // answered with 201 and a Location
};

struct conn {
    struct http *http; // NULL: the front is gone, only an answer is still awaited
    int fd;
    bool local, admitted, tls; // local: by peer credentials
    bool stream, in_head, orphan;
    bool told; // counted for the metrics: somebody but a seat has spoken here
    uint32_t uid;
    struct peer *peer;
    // What this connection has shown before, and who that was: the same header is not looked up again.
    char bearer[HTTP_BEARER_MAX];
    const struct auth_token *token;
    uint64_t generation;
    int64_t head_deadline_us;
    struct conn *prev, *next;         // connections whose request head is awaited, oldest first
    struct conn *all_prev, *all_next; // every connection
    struct request request;
};
static inline struct conn *request_conn(struct request *request) {
    return (struct conn *)((char *)request - offsetof(struct conn, request));
}

enum MHD_Result request_handle(void *ctx, struct MHD_Connection *mhd, const char *url, const char *method,
                               const char *version, const char *data, size_t *size, void **state);
void request_completed(void *ctx, struct MHD_Connection *mhd, void **state,
                       enum MHD_RequestTerminationCode how);
// Is a game played at this table, "" = at any?
bool request_game_runs(const struct door *door, const char *table);
// The answer is there: wakes the connection if it waits.
void request_answered(struct request *request);

// ---- answers: each handler calls one of them exactly once, now or later
// ----------------------------------------------

void answer_response(struct request *request, int status, struct MHD_Response *response); // takes it
void answer_shared(struct request *request, int status, struct MHD_Response *response);   // borrows it
void answer_text(struct request *request, int status, const char *type, const char *text, size_t len);
void answer_json(struct request *request, int status, const char *text, size_t len);
void answer_bytes(struct request *request, struct feed_bytes *bytes, const char *cache_control);
void answer_error(struct request *request, const struct error *error);
void answer_code(struct request *request, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void answer_no_table(struct request *request);    // names the tables there are
bool answer_table_known(struct request *request); // false: answered with 404
// The text of a problem (RFC 9457); a refused start lists what is wrong.
enum { ANSWER_PROBLEM_MAX = 8192 };
#define ANSWER_PROBLEM_TYPE "application/problem+json"
size_t answer_problem(const struct request *request, const struct error *error,
                      const struct door_issue *issues, unsigned n, char ret[ANSWER_PROBLEM_MAX]);
void answer_write_issues(struct json *j, const struct door_issue *issues, unsigned n);
enum { ETAG_MAX = 36 };
// JSON with an ETag made of its bytes; 304 if the caller has it.
void answer_tagged(struct request *request, const char *text, size_t len);
// Is this (NULL: no memory) what the caller has seen (If-Match)? What has changed since is not overwritten.
// False: answered.
bool answer_as_seen(struct request *request, const char *text, size_t len);
void answer_text_field(struct json *j, const char *key, const char *text);
// A whole number of the query string in [low, high]; false: answered.
bool request_number(struct request *request, const char *name, uint64_t low, uint64_t high, uint64_t fallback,
                    uint64_t *ret);
struct MHD_Response *answer_of_text(const char *type, const char *text, size_t len);
void answer_secure(struct MHD_Response *response, const char *type, const char *cache_control);

// ---- the front
// ----------------------------------------------------------------------------------------------------

struct listener {
    struct http *http;
    char text[128]; // as configured
    struct sockaddr_storage address;
    socklen_t address_len;
    int fd;
    bool local, ours;                                       // ours: close and unlink at the end
    enum { SCHEME_NONE, SCHEME_HTTP, SCHEME_HTTPS } scheme; // as written
    bool tls;
    struct loop_fd *watch;
    struct loop_timer retry;
    unsigned attempts;
};

struct http {
    struct http_options options;
    struct loop *loop;
    struct http_server { // the library once for plain connections, once for TLS
        struct http *http;
        struct MHD_Daemon *mhd; // NULL: nobody listens so
        struct loop_fd *watch;
        unsigned at_once; // runs in a row that it asked for without an event
    } server[2];
    struct loop_timer timeout, heads;
    struct loop_call again;
    struct loop_prepare prepare;
    struct auth *auth;
    struct people *people;
    struct logins *logins;
    struct log_ring *log_ring;
    struct overlay *overlay; // settings changed from here, as they are stored
    bool overlay_changing;   // one change at a time: each was checked against what is stored
    struct peers *peers;
    struct sse *sse;
    struct once *once;
    struct views *views;
    struct files *files;
    struct MHD_Response *openapi;
    struct conn *accepting; // handed from accept to the library's callback
    struct conn *heads_first, *heads_last, *all;
    unsigned told; // connections that metrics tell of
    unsigned connections, connections_max, tcp_max, per_address, streams_per_address;
    unsigned timeout_s;
    int64_t head_limit_us;
    size_t n_listeners, n_hosts;
    struct listener listener[HTTP_LISTENERS_MAX];
    char host[HTTP_HOSTS_MAX][64];
    uint32_t own_uid, group;
    bool has_group, closing, complained; // complained: the library, since it ran last for its own sake
    bool insecure;                       // plain HTTP beyond this machine
    struct tls *tls;                     // NULL = no address speaks it
};
void http_run(struct http *http);      // the library works, then its time-out is armed
void http_run_soon(struct http *http); // after the callbacks of this turn
enum { HTTP_PLAIN, HTTP_TLS };
enum error_code http_start_tls(struct http *http, struct error *err); // once; more calls do nothing

// listen.c
enum error_code listen_open(struct http *http, struct error *err);
void listen_close(struct http *http);

// conn.c
void conn_acceptable(void *listener, uint32_t revents);
void conn_started(void *ctx, struct MHD_Connection *mhd, void **socket_ctx,
                  enum MHD_ConnectionNotificationCode code);
void conn_head_wait(struct conn *conn); // the clock of what is to be received next, a head or a body, runs
void conn_head_done(struct conn *conn);
// Whose request this is, is known: for numbers that tell nothing of seats.
void conn_known(struct conn *conn, enum door_role role);

// hosts.c (B107, B109)
enum error_code hosts_open(struct http *http, struct error *err);
bool hosts_allow(const struct http *http, const struct conn *conn, const char *host);
bool hosts_same_origin(const char *origin, const char *host);

// If-None-Match or If-Match: a list of tags, weak or strong alike, or *. NULL lists none.
bool etag_listed(const char *list, const char *etag);

// views.c: one MHD_Response per version serves all readers
struct views *views_create(void);
void views_destroy(struct views *views);
