#include "core/log.h"
#include "net/files.h"
#include "net/http__.h"
#include "net/log_ring.h"
#include "net/logins.h"
#include "net/once.h"
#include "net/overlay.h"
#include "net/people.h"
#include "net/sse.h"
#include "net/tls.h"
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

// A pool holds the head of a request and of its answer; a stream keeps it as long as it lives (perf-goals
// P8).
enum { DESCRIPTORS_RESERVE = 96, BACKLOG_RUNS_MAX = 4, AT_ONCE_MAX = 256, AT_ONCE_MS = 5 };

const struct config_key http_keys[] = {
    {.name = "listen",
     .type = CONFIG_TEXT,
     .fallback = "127.0.0.1:8137",
     .help = "addresses to listen on, blank-separated: 127.0.0.1:8137 [::1]:8137; empty = none"},
    {.name = "hosts",
     .type = CONFIG_TEXT,
     .fallback = "",
     .help = "further host names under which people reach the table, blank-separated"},
    {.name = "tls",
     .type = CONFIG_BOOL,
     .fallback = "yes",
     .help = "addresses beyond this machine speak TLS; an address may say http:// or https:// itself"},
    {.name = "tls_cert",
     .type = CONFIG_PATH,
     .fallback = "",
     .help = "certificate chain in PEM; empty = one that the daemon makes, see its fingerprint"},
    {.name = "tls_key", .type = CONFIG_PATH, .fallback = "", .help = "its key in PEM, mode 0600"},
    {.name = "allow_plain",
     .type = CONFIG_CHOICE,
     .fallback = "no",
     .choices = "no lan",
     .help = "lan: HTTP without TLS beyond this machine too; whoever listens reads passwords"},
    {.name = "web_dir",
     .type = CONFIG_PATH,
     .fallback = "",
     .help = "folder of the dashboard; empty = share/tabled/web of the installation"},
    {.name = "timeout",
     .type = CONFIG_DURATION,
     .fallback = "15s",
     .min = 1000,
     .max = 120000,
     .help = "a request's head, and any silence within a request or answer, may take this long"},
    {.name = "connections",
     .type = CONFIG_INT,
     .fallback = "1536",
     .min = 32,
     .max = 20000,
     .help = "most connections at once"},
    {.name = "connections_per_address",
     .type = CONFIG_INT,
     .fallback = "64",
     .min = 1,
     .max = 20000,
     .help = "most connections of one address beside its streams; this machine is not counted"},
    {.name = "streams_per_address",
     .type = CONFIG_INT,
     .fallback = "32",
     .min = 1,
     .max = 20000,
     .help = "most event streams of one address; this machine is not counted"},
    {.name = NULL},
};

static void arm(struct http *http);

static void run_again(void *ctx) {
    struct http *http = ctx;
    http_run(http);
    http->complained = false;
}

void http_run_soon(struct http *http) {
    loop_defer(http->loop, &http->again, run_again, http);
}

void http_run(struct http *http) {
    for (size_t i = 0; i < 2; i++)
        if (http->server[i].mhd)
            MHD_run(http->server[i].mhd);
    arm(http);
}

// When this server of the library must run again, in ms; false: when something comes. Under TLS it says "at
// once" for as long as half a greeting waits for its other half; who sends one does not get our processor.
static bool due_again(struct http_server *server, MHD_UNSIGNED_LONG_LONG *ret_ms) {
    if (!server->mhd || MHD_get_timeout(server->mhd, ret_ms) != MHD_YES)
        return false;
    if (*ret_ms == 0 && server == &server->http->server[HTTP_TLS] && ++server->at_once > AT_ONCE_MAX)
        *ret_ms = AT_ONCE_MS;
    return true;
}

// After every run the library says when it must run again; 0 means at once. A later time than the timer's is
// left to the timer, which asks anew: so a busy connection does not move the timer with each request.
static void arm(struct http *http) {
    MHD_UNSIGNED_LONG_LONG ms, least = UINT64_MAX;
    for (size_t i = 0; i < 2; i++)
        if (due_again(&http->server[i], &ms) && ms < least)
            least = ms;
    if (least == UINT64_MAX) {
        loop_timer_stop(http->loop, &http->timeout);
        return;
    }
    if (least == 0) {
        http_run_soon(http);
        return;
    }
    int64_t due = loop_now_us(http->loop) + (int64_t)least * 1000;
    if (!loop_timer_running(&http->timeout) || due < http->timeout.due_us)
        loop_timer_start(http->loop, &http->timeout, due, run_again, http);
}

static void readable(void *ctx, uint32_t revents) {
    (void)revents;
    struct http_server *server = ctx;
    server->at_once = 0;
    MHD_run(server->mhd);
    arm(server->http);
}

// A connection it has complained of and given up it closes in its next run, which nothing else may ask for.
// Words of that run ask for no other.
static void __attribute__((format(printf, 2, 0))) library_says(void *ctx, const char *format, va_list args) {
    struct http *http = ctx;
    char text[256];
    if (!http->complained && !http->closing)
        http_run_soon(http);
    http->complained = true;
    vsnprintf(text, sizeof text, format, args);
    text[strcspn(text, "\r\n")] = '\0';
    log_debug("http", "%s", text);
}

// Paths are decoded by us, once and strictly (routes.c).
static size_t keep_escapes(void *ctx, struct MHD_Connection *mhd, char *text) {
    (void)ctx;
    (void)mhd;
    return strlen(text);
}

// tls NULL: plain.
static enum error_code start_library(struct http *http, const struct tls *tls, struct error *err) {
    struct http_server *server = &http->server[tls ? HTTP_TLS : HTTP_PLAIN];
    struct MHD_OptionItem more[] = {
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t) "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL}};
    server->http = http;
    server->mhd = MHD_start_daemon(
        (tls ? MHD_USE_TLS : 0u) | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET |
            MHD_USE_ERROR_LOG,
        0, NULL, NULL, request_handle, http, MHD_OPTION_EXTERNAL_LOGGER, library_says, http,
        MHD_OPTION_NOTIFY_CONNECTION, conn_started, http, MHD_OPTION_NOTIFY_COMPLETED, request_completed,
        http, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_POOL_BYTES, MHD_OPTION_CONNECTION_LIMIT,
        http->connections_max, MHD_OPTION_CONNECTION_TIMEOUT, http->timeout_s,
        tls ? MHD_OPTION_HTTPS_CERT_CALLBACK : MHD_OPTION_END, tls_greet, MHD_OPTION_ARRAY, more,
        MHD_OPTION_END);
    if (!server->mhd)
        return error_set(err, ERROR_INTERNAL, "http", "libmicrohttpd does not start");
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->mhd, MHD_DAEMON_INFO_EPOLL_FD);
    if (!info)
        return error_set(err, ERROR_INTERNAL, "http", "libmicrohttpd has no epoll descriptor");
    return loop_fd_add(http->loop, info->epoll_fd, EPOLLIN, readable, server, &server->watch, err);
}

enum error_code http_start_tls(struct http *http, struct error *err) {
    const struct config_section *conf = http->options.conf;
    struct cert_names names = {0};
    if (http->server[HTTP_TLS].mhd)
        return ERROR_OK;
    for (size_t i = 0; i < http->n_hosts; i++)
        cert_add_name(&names, http->host[i]);
    if (!http->tls &&
        tls_open(http->loop, http->options.state_dir, conf ? config_text(conf, "tls_cert") : NULL,
                 conf ? config_text(conf, "tls_key") : NULL, &names, &http->tls, err))
        return err->code;
    return start_library(http, http->tls, err);
}

static void read_options(struct http *http) {
    const struct config_section *conf = http->options.conf;
    struct rlimit files = {.rlim_cur = 1024};
    getrlimit(RLIMIT_NOFILE, &files);
    unsigned possible = files.rlim_cur > 1000000 ? 1000000 : (unsigned)files.rlim_cur;
    possible = possible > 2 * DESCRIPTORS_RESERVE ? possible - DESCRIPTORS_RESERVE : possible / 2;
    int64_t timeout_ms = conf ? config_int(conf, "timeout") : 15000;
    http->connections_max = conf ? (unsigned)config_int(conf, "connections") : 64;
    http->per_address = conf ? (unsigned)config_int(conf, "connections_per_address") : 64;
    http->streams_per_address = conf ? (unsigned)config_int(conf, "streams_per_address") : 32;
    if (http->connections_max > possible) {
        log_info("http", "fewer connections than configured: the limit of open files allows connections=%u",
                 possible);
        http->connections_max = possible;
    }
    http->tcp_max = http->connections_max > 2 * HTTP_LOCAL_RESERVE
                        ? http->connections_max - HTTP_LOCAL_RESERVE
                        : http->connections_max / 2;
    http->head_limit_us = timeout_ms * 1000;
    http->timeout_s = (unsigned)((timeout_ms + 999) / 1000);
    http->own_uid = geteuid();
    const struct group *group = getgrnam("tabled");
    http->has_group = group != NULL;
    http->group = group ? group->gr_gid : 0;
}

// A file of changes that cannot be read was told of at the start; it is written anew with the next change.
static enum error_code open_overlay(struct http *http, struct error *err) {
    const struct http_options *options = &http->options;
    char path[1100];
    struct error unread = {0};
    if (!options->config_path || !options->state_dir)
        return ERROR_OK;
    http->overlay = calloc(1, sizeof *http->overlay);
    if (!http->overlay)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    snprintf(path, sizeof path, "%s/settings.conf", options->state_dir);
    overlay_read(path, options->schemas, http->overlay, &unread);
    return ERROR_OK;
}

static enum error_code open_auth(struct http *http, struct error *err) {
    struct loop *loop = http->loop;
    return auth_open(http->options.state_dir, clock_wall_us(loop_clock(loop)), loop_now_us(loop), &http->auth,
                     err)
               ? err->code
               : people_create(http, &http->people, err);
}

enum error_code http_check_state(const char *state_dir, struct error *err) {
    struct token_file *file = NULL;
    enum error_code code = token_file_open(state_dir, false, &file, err);
    token_file_close(file);
    return code;
}

enum error_code http_create(const struct http_options *options, struct http **ret, struct error *err) {
    *ret = NULL;
    struct http *http = calloc(1, sizeof *http);
    if (!http)
        return error_set(err, ERROR_INTERNAL, "http", "out of memory");
    http->options = *options;
    http->loop = options->loop;
    read_options(http);
    http->peers = peers_create();
    http->once = once_create();
    http->logins = logins_create();
    http->log_ring = log_ring_create(options->door);
    http->views = views_create();
    http->sse = sse_create(http);
    enum error_code code = ERROR_OK;
    if (!http->peers || !http->once || !http->logins || !http->log_ring || !http->views || !http->sse)
        code = error_set(err, ERROR_INTERNAL, "http", "out of memory");
    const char *web = options->conf ? config_text(options->conf, "web_dir") : NULL;
    if (code || (code = open_auth(http, err)) || (code = open_overlay(http, err)) ||
        (code = files_open(web, &http->files, err)) || (code = start_library(http, NULL, err)) ||
        (code = hosts_open(http, err)) || (code = listen_open(http, err))) {
        http_destroy(http);
        return code;
    }
    *ret = http;
    return ERROR_OK;
}

// Everything suspended is woken and served before the library stops: it aborts otherwise (perf-goals, Traps).
static void stop_library(struct http *http) {
    static const struct error busy = {.code = ERROR_BUSY, .text = "the daemon is stopping"};
    sse_closing(http->sse);
    for (struct conn *conn = http->all; conn; conn = conn->all_next)
        if (conn->request.waiting) {
            conn->orphan = true; // its answer will still come, to nobody
            answer_error(&conn->request, &busy);
        }
    for (int i = 0; i < BACKLOG_RUNS_MAX; i++)
        http_run(http);
    for (size_t i = 0; i < 2; i++) {
        loop_fd_remove(http->server[i].watch);
        if (http->server[i].mhd)
            MHD_stop_daemon(http->server[i].mhd);
    }
}

void http_destroy(struct http *http) {
    if (!http)
        return;
    http->closing = true;
    listen_close(http);
    if (http->server[HTTP_PLAIN].mhd)
        stop_library(http);
    loop_timer_stop(http->loop, &http->timeout);
    loop_timer_stop(http->loop, &http->heads);
    loop_defer_cancel(http->loop, &http->again);
    tls_close(http->tls);
    sse_destroy(http->sse);
    views_destroy(http->views);
    files_close(http->files);
    once_destroy(http->once);
    peers_destroy(http->peers);
    people_destroy(http->people);
    logins_destroy(http->logins);
    log_ring_destroy(http->log_ring);
    free(http->overlay);
    auth_close(http->auth);
    if (http->openapi)
        MHD_destroy_response(http->openapi);
    free(http);
}
