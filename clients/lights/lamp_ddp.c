// WLED over DDP: UDP datagrams, each with a ten-byte head; the last of a frame pushes it. A lamp that lost
// its power is well again with the next frame, and one comes every second even if nothing changes. What WLED
// shows when no frames come is its own start-up preset: make it the night look (README).
#include "core/log.h"
#include "core/worker.h"
#include "lamp.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HEAD = 10,
    PIXELS_MAX = 480, // of a datagram
    DDP_VERSION = 0x40,
    DDP_PUSH = 0x01,
    DDP_RGB8 = 0x0B,
    DDP_DEVICE = 1,
    ASK_AGAIN_US = 60 * 1000000,
};

struct ddp {
    int fd;
    uint8_t sequence; // 1..15
    struct worker *names;
    struct worker_job job;
    struct loop_timer ask;
    char host[256], port[8];
    struct sockaddr_storage address; // the worker's while it asks
    socklen_t address_len;
    bool asking;
};

static void ask_name(struct worker_job *job) {
    struct ddp *ddp = (struct ddp *)((char *)job - offsetof(struct ddp, job));
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM}, *found = NULL;
    ddp->address_len = 0;
    if (getaddrinfo(ddp->host, ddp->port, &hints, &found) == 0 && found) {
        memcpy(&ddp->address, found->ai_addr, found->ai_addrlen);
        ddp->address_len = found->ai_addrlen;
    }
    if (found)
        freeaddrinfo(found);
}

static void start_asking(void *ctx);

// A connected datagram socket: it tells, with a later send, that nobody listens there.
static void take_name(struct worker_job *job) {
    struct ddp *ddp = (struct ddp *)((char *)job - offsetof(struct ddp, job));
    struct lamp *lamp = ddp->ask.ctx;
    ddp->asking = false;
    loop_timer_start(lamp->loop, &ddp->ask, loop_now_us(lamp->loop) + ASK_AGAIN_US, start_asking, lamp);
    if (ddp->address_len == 0) {
        log_warning("lights", "the lamp's name is not known lamp=%s host=%s", lamp->name, ddp->host);
        return;
    }
    int fd = socket(ddp->address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&ddp->address, ddp->address_len) != 0) {
        if (fd >= 0)
            close(fd);
        return;
    }
    if (ddp->fd >= 0)
        close(ddp->fd);
    ddp->fd = fd;
}

static void start_asking(void *ctx) {
    struct lamp *lamp = ctx;
    struct ddp *ddp = lamp->priv;
    ddp->ask.ctx = lamp;
    ddp->job = (struct worker_job){.run = ask_name, .done = take_name};
    ddp->asking = worker_submit(ddp->names, &ddp->job);
}

static enum error_code ddp_open(struct lamp *lamp, struct error *err) {
    const char *host = config_text(lamp->conf, "host");
    struct ddp *ddp = lamp->priv = calloc(1, sizeof *ddp);
    if (!ddp)
        log_no_memory("lights");
    ddp->fd = -1;
    if (!host || strlen(host) >= sizeof ddp->host)
        return error_set(err, ERROR_INVALID, config_where(lamp->conf), "a WLED lamp needs `host`");
    snprintf(ddp->host, sizeof ddp->host, "%s", host);
    snprintf(ddp->port, sizeof ddp->port, "%d", (int)config_int(lamp->conf, "port"));
    const struct worker_options options = {.name = "lamp-names", .capacity = 1};
    if (worker_create(lamp->loop, &options, &ddp->names, err))
        return err->code;
    start_asking(lamp);
    return ERROR_OK;
}

// An error of an earlier datagram (nobody listened) takes the place of this one: it goes at the second try.
static bool put(int fd, const uint8_t *datagram, size_t len) {
    ssize_t n = send(fd, datagram, len, MSG_NOSIGNAL);
    if (n < 0 && errno == ECONNREFUSED)
        n = send(fd, datagram, len, MSG_NOSIGNAL);
    return n >= 0;
}

static bool ddp_send(struct lamp *lamp, const struct colour *leds) {
    struct ddp *ddp = lamp->priv;
    if (ddp->fd < 0)
        return false;
    ddp->sequence = (uint8_t)(ddp->sequence % 15 + 1);
    for (int at = 0; at < lamp->n_leds; at += PIXELS_MAX) {
        int n = lamp->n_leds - at < PIXELS_MAX ? lamp->n_leds - at : PIXELS_MAX;
        uint32_t offset = (uint32_t)at * 3, len = (uint32_t)n * 3;
        bool last = at + n == lamp->n_leds;
        uint8_t datagram[HEAD + PIXELS_MAX * 3] = {(uint8_t)(DDP_VERSION | (last ? DDP_PUSH : 0)),
                                                   ddp->sequence,
                                                   DDP_RGB8,
                                                   DDP_DEVICE,
                                                   (uint8_t)(offset >> 24),
                                                   (uint8_t)(offset >> 16),
                                                   (uint8_t)(offset >> 8),
                                                   (uint8_t)offset,
                                                   (uint8_t)(len >> 8),
                                                   (uint8_t)len};
        memcpy(datagram + HEAD, leds + at, len);
        if (!put(ddp->fd, datagram, HEAD + len))
            return false;
    }
    return true;
}

static void ddp_close(struct lamp *lamp) {
    struct ddp *ddp = lamp->priv;
    if (!ddp)
        return;
    worker_destroy(ddp->names); // calls `done` if a name is still asked for
    loop_timer_stop(lamp->loop, &ddp->ask);
    if (ddp->fd >= 0)
        close(ddp->fd);
    free(ddp);
    lamp->priv = NULL;
}

_Static_assert(sizeof(struct colour) == 3, "colours are sent as they lie in memory");
const struct lamp_wire lamp_ddp = {"ddp", "WLED over the network", ddp_open, ddp_send, ddp_close};
