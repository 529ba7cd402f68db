// `node` on a Unix socket that it listens on: anybody who may open the socket may be the table's hands.
#include "drivers/driver.h"
#include "drivers/node_lines.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 16, READ_MAX = 4096, BACKLOG = 8, REST_US = 1000000 };

struct sim_connection {
    struct reader *reader;
    int fd; // -1 = free
    struct loop_fd *watch;
    struct node_buffer buffer;
};

struct sim {
    struct node_lines lines;
    int fd;
    struct sockaddr_un address;
    bool bound;
    struct loop_fd *watch;
    struct loop_timer begin, rest;
    struct sim_connection *speaker; // whose bytes are being read
    struct sim_connection connection[CONNECTIONS_MAX];
};

static void hang_up(struct sim_connection *c) {
    loop_fd_remove(c->watch);
    if (c->fd >= 0)
        close(c->fd);
    c->watch = NULL;
    c->fd = -1;
    c->buffer.n = 0;
}

// People type here: tell them what was wrong. Who does not listen misses it.
static void bad(struct reader *reader, const struct error *err) {
    struct sim *sim = reader->priv;
    char text[300];
    int n = snprintf(text, sizeof text, "# %s\n", err->text);
    if (sim->speaker && n > 0)
        (void)!send(sim->speaker->fd, text, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void ready(void *ctx, uint32_t revents) {
    struct sim_connection *c = ctx;
    struct sim *sim = c->reader->priv;
    char bytes[READ_MAX];
    (void)revents;
    ssize_t n = read(c->fd, bytes, sizeof bytes);
    if (n > 0) {
        sim->speaker = c;
        node_lines_bytes(&sim->lines, &c->buffer, bytes, (size_t)n);
        sim->speaker = NULL;
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        hang_up(c);
    }
}

static void listen_again(void *ctx) {
    struct sim *sim = ((struct reader *)ctx)->priv;
    loop_fd_events(sim->watch, EPOLLIN);
}

static void welcome(void *ctx, uint32_t revents) {
    struct reader *reader = ctx;
    struct sim *sim = reader->priv;
    (void)revents;
    int fd = accept4(sim->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        // No descriptor is free: the caller would stay in the queue and the loop would spin (B117).
        loop_fd_events(sim->watch, 0);
        loop_timer_start(reader->loop, &sim->rest, loop_now_us(reader->loop) + REST_US, listen_again, reader);
    }
    if (fd < 0)
        return;
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++) {
        struct sim_connection *c = &sim->connection[i];
        if (c->fd >= 0)
            continue;
        if (loop_fd_add(reader->loop, fd, EPOLLIN, ready, c, &c->watch, NULL) != ERROR_OK)
            break;
        c->fd = fd;
        return;
    }
    static const char full[] = "# too many connections\n";
    (void)!send(fd, full, sizeof full - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    close(fd);
}

// A socket left behind by a daemon that was killed is in nobody's use: nobody answers there.
static bool stale(const struct sockaddr_un *address) {
    struct stat st;
    if (stat(address->sun_path, &st) < 0 || !S_ISSOCK(st.st_mode))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool refused = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 &&
                   errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return refused;
}

static enum error_code listen_at(struct reader *reader, struct error *err) {
    struct sim *sim = reader->priv;
    const struct sockaddr *address = (const struct sockaddr *)&sim->address;
    const char *where = config_key_where(reader->conf, "socket");
    sim->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (sim->fd < 0)
        return error_set(err, ERROR_INTERNAL, where, "no socket: %s", strerror(errno));
    if (stale(&sim->address))
        unlink(sim->address.sun_path);
    if (bind(sim->fd, address, sizeof sim->address) < 0)
        return error_set(err, ERROR_INVALID, where, "cannot listen on %.80s: %s", sim->address.sun_path,
                         errno == EADDRINUSE ? "it is in use by another program" : strerror(errno));
    sim->bound = true;
    if (chmod(sim->address.sun_path, 0660) < 0 || listen(sim->fd, BACKLOG) < 0)
        return error_set(err, ERROR_INVALID, where, "cannot listen on %.80s: %s", sim->address.sun_path,
                         strerror(errno));
    return loop_fd_add(reader->loop, sim->fd, EPOLLIN, welcome, reader, &sim->watch, err);
}

static void begin(void *ctx) {
    struct reader *reader = ctx;
    struct sim *sim = reader->priv;
    reader_health(reader, true, "listens for simulated hands");
    node_lines_empty(&sim->lines, (uint16_t)config_int(reader->conf, "antennas"));
}

static enum error_code sim_open(struct reader *reader, struct error *err) {
    struct sim *sim = reader->priv;
    const char *path = config_text(reader->conf, "socket");
    sim->fd = -1;
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
        sim->connection[i] = (struct sim_connection){.reader = reader, .fd = -1};
    node_lines_open(&sim->lines, reader, config_int(reader->conf, "gap"), config_int(reader->conf, "hold"));
    sim->lines.bad = bad;
    sim->address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof sim->address.sun_path)
        return error_set(err, ERROR_INVALID, config_key_where(reader->conf, "socket"),
                         "a socket path has at most %zu characters", sizeof sim->address.sun_path - 1);
    memcpy(sim->address.sun_path, path, strlen(path) + 1);
    reader->antennas = (uint16_t)config_int(reader->conf, "antennas");
    enum error_code code = listen_at(reader, err);
    if (code == ERROR_OK)
        loop_timer_start(reader->loop, &sim->begin, loop_now_us(reader->loop), begin, reader);
    return code;
}

static void sim_close(struct reader *reader) {
    struct sim *sim = reader->priv;
    loop_timer_stop(reader->loop, &sim->begin);
    loop_timer_stop(reader->loop, &sim->rest);
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
        hang_up(&sim->connection[i]);
    loop_fd_remove(sim->watch);
    if (sim->fd >= 0)
        close(sim->fd);
    if (sim->bound)
        unlink(sim->address.sun_path);
    node_lines_close(&sim->lines);
}

static const struct config_key params[] = {
    {.name = "socket", .type = CONFIG_PATH, .required = true, .help = "the Unix socket to listen on"},
    {.name = "antennas",
     .type = CONFIG_INT,
     .fallback = "0",
     .min = 0,
     .max = DRIVER_ANTENNAS_MAX,
     .help = "so many antennas begin empty; more appear as lines name them"},
    NODE_LINES_KEYS,
    {0},
};

const struct driver sim_driver = {
    .name = "sim",
    .summary = "simulated hands: tap-log lines written to a local socket",
    .params = params,
    .capabilities = DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL,
    .priv_size = sizeof(struct sim),
    .open = sim_open,
    .close = sim_close,
};
