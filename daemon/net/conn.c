// Connections. We accept them ourselves: so running out of descriptors is a pause and not a spin (B117),
// numbers are kept for each address, and callers of the local socket are known before they speak.
#include "core/log.h"
#include "net/http__.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { ACCEPTS_MAX = 32, PAUSE_US = 250000, GROUPS_MAX = 64 };

static void heads_due(void *ctx) {
    struct http *http = ctx;
    int64_t now = loop_now_us(http->loop);
    for (struct conn *conn = http->heads_first; conn && conn->head_deadline_us <= now;
         conn = http->heads_first) {
        conn_head_done(conn);
        shutdown(conn->fd, SHUT_RDWR); // the library sees the end and closes it (B118)
    }
    if (http->heads_first)
        loop_timer_start(http->loop, &http->heads, http->heads_first->head_deadline_us, heads_due, http);
}

// Anew for who waits already: a request may end with its body on the way, and then its next head is awaited.
void conn_head_wait(struct conn *conn) {
    struct http *http = conn->http;
    conn_head_done(conn);
    conn->head_deadline_us = loop_now_us(http->loop) + http->head_limit_us;
    conn->in_head = true;
    conn->next = NULL;
    conn->prev = http->heads_last;
    if (conn->prev)
        conn->prev->next = conn;
    else
        http->heads_first = conn;
    http->heads_last = conn;
    if (!loop_timer_running(&http->heads))
        loop_timer_start(http->loop, &http->heads, conn->head_deadline_us, heads_due, http);
}

void conn_head_done(struct conn *conn) {
    if (!conn->in_head)
        return;
    struct http *http = conn->http;
    conn->in_head = false;
    *(conn->prev ? &conn->prev->next : &http->heads_first) = conn->next;
    *(conn->next ? &conn->next->prev : &http->heads_last) = conn->prev;
}

// A seat that speaks at night acts: what it opens is in no number (5.4), and what nobody has spoken on may
// become its.
void conn_known(struct conn *conn, enum door_role role) {
    if (conn->told || role == DOOR_SEAT)
        return;
    conn->told = true;
    conn->http->told++;
}

static void conn_free(struct conn *conn) {
    struct http *http = conn->http;
    conn_head_done(conn);
    explicit_bzero(conn->bearer, sizeof conn->bearer);
    http->connections--;
    http->told -= conn->told;
    if (conn->peer)
        (*(conn->stream ? &conn->peer->streams : &conn->peer->requests))--;
    *(conn->all_prev ? &conn->all_prev->all_next : &http->all) = conn->all_next;
    if (conn->all_next)
        conn->all_next->all_prev = conn->all_prev;
    if (conn->orphan)
        conn->http = NULL; // freed when the answer comes (commands.c)
    else
        free(conn);
}

void conn_started(void *ctx, struct MHD_Connection *mhd, void **socket_ctx,
                  enum MHD_ConnectionNotificationCode code) {
    struct http *http = ctx;
    (void)mhd;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        conn_free(*socket_ctx);
        return;
    }
    struct conn *conn = http->accepting;
    http->accepting = NULL;
    *socket_ctx = conn;
    conn->all_next = http->all;
    if (http->all)
        http->all->all_prev = conn;
    http->all = conn;
    http->connections++;
    if (conn->peer)
        conn->peer->requests++;
    conn_head_wait(conn);
}

// Root, our own user, and members of the group `tabled` (design 6: the local socket).
static bool admitted(const struct http *http, int fd, uint32_t *ret_uid) {
    struct ucred peer;
    socklen_t len = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
        return false;
    *ret_uid = peer.uid;
    if (peer.uid == 0 || peer.uid == http->own_uid)
        return true;
    if (!http->has_group)
        return false;
    gid_t groups[GROUPS_MAX];
    len = sizeof groups;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len) != 0)
        len = 0;
    for (size_t i = 0; i < len / sizeof *groups; i++)
        if (groups[i] == http->group)
            return true;
    return peer.gid == http->group;
}

static struct peer *find_peer(struct http *http, int fd, const struct sockaddr *address) {
    struct sockaddr_storage own = {.ss_family = AF_UNSPEC};
    socklen_t len = sizeof own;
    bool known = getsockname(fd, (struct sockaddr *)&own, &len) == 0;
    return peers_find(http->peers, address, known ? (struct sockaddr *)&own : NULL, loop_now_us(http->loop));
}

static void take(struct listener *listener, int fd, const struct sockaddr *address, socklen_t address_len) {
    struct http *http = listener->http;
    struct conn *conn = calloc(1, sizeof *conn);
    struct peer *peer = NULL;
    bool ok = conn != NULL;
    if (ok && listener->local) {
        conn->local = true;
        conn->admitted = admitted(http, fd, &conn->uid);
    } else if (ok) {
        peer = conn->peer = find_peer(http, fd, address);
        ok = peer && (peer->loopback || peer->requests < http->per_address) &&
             http->connections < http->tcp_max;
    }
    if (!ok) {
        free(conn);
        close(fd);
        return;
    }
    conn->http = http;
    conn->tls = listener->tls;
    conn->fd = fd;
    http->accepting = conn;
    if (MHD_add_connection(http->server[listener->tls].mhd, fd, address, address_len) !=
        MHD_YES) // closes fd when it fails
        log_debug("http", "a connection was refused: %s", strerror(errno));
    if (http->accepting) {
        free(conn);
        http->accepting = NULL;
    }
}

static void pause_over(void *ctx) {
    struct listener *listener = ctx;
    loop_fd_events(listener->watch, EPOLLIN);
}

void conn_acceptable(void *ctx, uint32_t revents) {
    (void)revents;
    struct listener *listener = ctx;
    struct http *http = listener->http;
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        struct sockaddr_storage address = {.ss_family = AF_UNIX};
        socklen_t len = sizeof address;
        int fd = accept4(listener->fd, (struct sockaddr *)&address, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            take(listener, fd, (struct sockaddr *)&address,
                 len < sizeof(sa_family_t) ? sizeof(sa_family_t) : len);
            continue;
        }
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            log_warning("http", "no connection can be taken for a moment: %s", strerror(errno));
            loop_fd_events(listener->watch, 0);
            loop_timer_start(http->loop, &listener->retry, loop_now_us(http->loop) + PAUSE_US, pause_over,
                             listener);
        }
        if (errno != EINTR && errno != ECONNABORTED)
            break;
    }
    http_run(http);
}
