// A reader that prints tap-log lines: a microcontroller on a serial port, a program behind a socket or a
// pipe.
#include "drivers/driver.h"
#include "drivers/node_lines.h"
#include "drivers/serial.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKOFF_MIN_US = 20000, BACKOFF_MAX_US = 2000000, CONNECT_US = 3000000, READ_MAX = 4096 };

enum node_kind { NODE_SERIAL, NODE_PIPE, NODE_SOCKET, NODE_DESCRIPTOR };

struct node {
    struct node_lines lines;
    struct node_buffer buffer;
    enum node_kind kind;
    int fd; // -1 = closed
    bool connecting;
    struct loop_fd *watch;
    struct loop_timer retry, silence;
    int64_t backoff_us, silent_us;
};

static void attempt(void *ctx);

static void drop(struct node *node) {
    loop_fd_remove(node->watch);
    node->watch = NULL;
    if (node->kind == NODE_SERIAL)
        serial_close(node->fd);
    else if (node->fd >= 0)
        close(node->fd);
    node->fd = -1;
    node->connecting = false;
    node->buffer.n = 0;
}

// Closes, tells once, and tries again later and later (B036); a descriptor that has ended cannot be had
// again.
static void lost(struct reader *reader, const char *why) {
    struct node *node = reader->priv;
    loop_timer_stop(reader->loop, &node->silence);
    drop(node);
    node_lines_down(&node->lines, why);
    if (node->kind == NODE_DESCRIPTOR)
        return;
    loop_timer_start(reader->loop, &node->retry, loop_now_us(reader->loop) + node->backoff_us, attempt,
                     reader);
    node->backoff_us = node->backoff_us * 2 > BACKOFF_MAX_US ? BACKOFF_MAX_US : node->backoff_us * 2;
}

static void silent(void *ctx) {
    struct reader *reader = ctx;
    struct node *node = reader->priv;
    if (node->connecting)
        lost(reader, "no connection to the node: is it running, is the address right?");
    else
        lost(reader, "nothing comes from the node: is it powered, is it the right port?");
}

static void expect(struct reader *reader, int64_t us) {
    struct node *node = reader->priv;
    if (us > 0)
        loop_timer_start(reader->loop, &node->silence, loop_now_us(reader->loop) + us, silent, reader);
    else
        loop_timer_stop(reader->loop, &node->silence);
}

static void good(struct reader *reader) {
    struct node *node = reader->priv;
    node->backoff_us = BACKOFF_MIN_US;
    expect(reader, node->silent_us);
}

static void connected(struct reader *reader) {
    struct node *node = reader->priv;
    int errnum = 0;
    socklen_t len = sizeof errnum;
    if (getsockopt(node->fd, SOL_SOCKET, SO_ERROR, &errnum, &len) < 0)
        errnum = errno;
    if (errnum) {
        char why[120];
        snprintf(why, sizeof why, "no connection to the node: %s", strerror(errnum));
        lost(reader, why);
        return;
    }
    node->connecting = false;
    loop_fd_events(node->watch, EPOLLIN);
    expect(reader, node->silent_us);
}

static void ready(void *ctx, uint32_t revents) {
    struct reader *reader = ctx;
    struct node *node = reader->priv;
    char bytes[READ_MAX];
    if (node->connecting) {
        connected(reader);
        return;
    }
    ssize_t n = read(node->fd, bytes, sizeof bytes);
    if (n > 0)
        node_lines_bytes(&node->lines, &node->buffer, bytes, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR) || (revents & (EPOLLHUP | EPOLLERR)))
        lost(reader, "the node is gone: unplugged, or its program has ended");
}

static enum error_code socket_connect(struct node *node, int family, const struct sockaddr *address,
                                      socklen_t len, struct error *err) {
    node->kind = NODE_SOCKET;
    node->fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (node->fd < 0)
        return error_set(err, ERROR_BUSY, NULL, "no socket: %s", strerror(errno));
    if (connect(node->fd, address, len) < 0) {
        if (errno != EINPROGRESS)
            return error_set(err, ERROR_NOT_FOUND, NULL, "no connection to the node: %s", strerror(errno));
        node->connecting = true;
    }
    return ERROR_OK;
}

// tcp:ADDRESS:PORT or tcp:[ADDRESS]:PORT; numbers only, for looking up a name would block the loop.
static bool tcp_address(const char *text, struct sockaddr_storage *ret, socklen_t *ret_len) {
    char host[64];
    const char *colon = strrchr(text, ':');
    if (!colon || colon == text || (size_t)(colon - text) >= sizeof host)
        return false;
    char *end;
    long port = strtol(colon + 1, &end, 10);
    if (*end || end == colon + 1 || port < 1 || port > 65535)
        return false;
    bool brackets = text[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - (brackets ? 2 : 0), text + (brackets ? 1 : 0));
    struct sockaddr_in *v4 = (struct sockaddr_in *)ret;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret;
    memset(ret, 0, sizeof *ret);
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port);
        *ret_len = sizeof *v4;
        return true;
    }
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons((uint16_t)port);
    *ret_len = sizeof *v6;
    return brackets && inet_pton(AF_INET6, host, &v6->sin6_addr) == 1;
}

// fd:N; -1 = not of this form.
static int inherited(const char *port) {
    char *end;
    if (strncmp(port, "fd:", 3) != 0 || port[3] < '0' || port[3] > '9')
        return -1;
    long n = strtol(port + 3, &end, 10);
    return *end || n > 1023 ? -1 : (int)n;
}

static enum error_code open_path(struct reader *reader, const char *path, struct error *err) {
    struct node *node = reader->priv;
    struct stat st;
    if (stat(path, &st) < 0)
        return serial_explain(errno, path, err);
    if (S_ISCHR(st.st_mode)) {
        node->kind = NODE_SERIAL;
        return serial_open(path, (int)config_int(reader->conf, "baud"), &node->fd, err);
    }
    if (S_ISSOCK(st.st_mode)) {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        if (strlen(path) >= sizeof address.sun_path)
            return error_set(err, ERROR_INVALID, path, "a socket path has at most %zu characters",
                             sizeof address.sun_path - 1);
        memcpy(address.sun_path, path, strlen(path) + 1);
        return socket_connect(node, AF_UNIX, (struct sockaddr *)&address, sizeof address, err);
    }
    if (!S_ISFIFO(st.st_mode))
        return error_set(
            err, ERROR_INVALID, path,
            "%.80s is no serial port, socket or pipe; a recorded log is played by `driver = replay`", path);
    node->kind = NODE_PIPE;
    // For writing too: writers come and go without an end of file.
    node->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    return node->fd < 0 ? serial_explain(errno, path, err) : ERROR_OK;
}

static enum error_code open_port(struct reader *reader, struct error *err) {
    struct node *node = reader->priv;
    const char *port = config_text(reader->conf, "port");
    struct sockaddr_storage address;
    socklen_t len;
    int fd = inherited(port);
    if (fd >= 0) {
        node->kind = NODE_DESCRIPTOR;
        node->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        if (node->fd < 0 || fcntl(node->fd, F_SETFL, O_NONBLOCK) < 0)
            return error_set(err, ERROR_INVALID, port, "descriptor %d is not open", fd);
        return ERROR_OK;
    }
    if (strncmp(port, "tcp:", 4) != 0)
        return open_path(reader, port, err);
    if (!tcp_address(port + 4, &address, &len))
        return error_set(err, ERROR_INVALID, port, "not an address");
    enum error_code code = socket_connect(node, address.ss_family, (struct sockaddr *)&address, len, err);
    if (code == ERROR_OK)
        setsockopt(node->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return code;
}

static void attempt(void *ctx) {
    struct reader *reader = ctx;
    struct node *node = reader->priv;
    struct error err;
    enum error_code code = open_port(reader, &err);
    if (code == ERROR_OK)
        code = loop_fd_add(reader->loop, node->fd, node->connecting ? EPOLLOUT : EPOLLIN, ready, reader,
                           &node->watch, &err);
    if (code != ERROR_OK) {
        reader_fault(reader, DRIVER_FAULT_IO);
        lost(reader, err.text);
        return;
    }
    expect(reader, node->connecting ? CONNECT_US : node->silent_us);
}

static enum error_code node_open(struct reader *reader, struct error *err) {
    struct node *node = reader->priv;
    const struct config_section *conf = reader->conf;
    const char *port = config_text(conf, "port");
    struct sockaddr_storage address;
    socklen_t len;
    node->fd = -1;
    node->backoff_us = BACKOFF_MIN_US;
    node->silent_us = config_int(conf, "silent") * 1000;
    node_lines_open(&node->lines, reader, config_int(conf, "gap"), config_int(conf, "hold"));
    node->lines.good = good;
    if (serial_check_baud(conf, err) != ERROR_OK)
        return err->code;
    if (strncmp(port, "tcp:", 4) == 0 && !tcp_address(port + 4, &address, &len))
        return error_set(err, ERROR_INVALID, config_key_where(conf, "port"),
                         "write tcp:ADDRESS:PORT with a numeric address, tcp:[ADDRESS]:PORT for IPv6");
    loop_timer_start(reader->loop, &node->retry, loop_now_us(reader->loop), attempt, reader);
    return ERROR_OK;
}

static void node_close(struct reader *reader) {
    struct node *node = reader->priv;
    loop_timer_stop(reader->loop, &node->retry);
    loop_timer_stop(reader->loop, &node->silence);
    drop(node);
    node_lines_close(&node->lines);
}

static const struct config_key params[] = {
    {.name = "port",
     .type = CONFIG_TEXT,
     .required = true,
     .help = "/dev/serial/by-path/..., a Unix socket, a named pipe, tcp:ADDRESS:PORT or fd:N"},
    SERIAL_BAUD_KEY,
    NODE_LINES_KEYS,
    {.name = "silent",
     .type = CONFIG_DURATION,
     .fallback = "3s",
     .min = 0,
     .max = 600000,
     .help = "without a line for so long the reader is down; 0 = never"},
    {0},
};

const struct driver node_driver = {
    .name = "node",
    .summary = "a microcontroller or program that prints tap-log lines",
    .params = params,
    .capabilities = DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL,
    .priv_size = sizeof(struct node),
    .open = node_open,
    .close = node_close,
};
