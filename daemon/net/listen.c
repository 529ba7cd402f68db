// Where we listen: addresses, sockets of the service manager, the control socket.
#include "core/log.h"
#include "net/http__.h"
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 128, RETRY_MIN_US = 1000000, RETRY_MAX_US = 60000000 };

// ---- addresses

static bool parse_port(const char *text, uint16_t *ret) {
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    unsigned long port = strtoul(text, &end, 10);
    if (*end || port > 65535)
        return false;
    *ret = htons((uint16_t)port);
    return true;
}

static bool starts_with(const char **text, const char *word) {
    size_t n = strlen(word);
    if (strncmp(*text, word, n) != 0)
        return false;
    *text += n;
    return true;
}

// 127.0.0.1:8137, [::1]:8137 or https://192.168.1.20:8137: numbers only, so that nothing is looked up.
static bool parse_address(const char *text, struct listener *ret) {
    ret->scheme = starts_with(&text, "https://")  ? SCHEME_HTTPS
                  : starts_with(&text, "http://") ? SCHEME_HTTP
                                                  : SCHEME_NONE;
    char host[64];
    const char *colon = strrchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof host)
        return false;
    size_t n = (size_t)(colon - text);
    if (text[0] == '[' && n >= 2 && text[n - 1] == ']') {
        struct sockaddr_in6 *in = (struct sockaddr_in6 *)&ret->address;
        memcpy(host, text + 1, n - 2);
        host[n - 2] = '\0';
        in->sin6_family = AF_INET6;
        ret->address_len = sizeof *in;
        return inet_pton(AF_INET6, host, &in->sin6_addr) == 1 && parse_port(colon + 1, &in->sin6_port);
    }
    struct sockaddr_in *in = (struct sockaddr_in *)&ret->address;
    memcpy(host, text, n);
    host[n] = '\0';
    in->sin_family = AF_INET;
    ret->address_len = sizeof *in;
    return inet_pton(AF_INET, host, &in->sin_addr) == 1 && parse_port(colon + 1, &in->sin_port);
}

static struct listener *add_listener(struct http *http, const char *text, struct error *err) {
    if (http->n_listeners == HTTP_LISTENERS_MAX) {
        error_set(err, ERROR_INVALID, "http", "at most %d addresses to listen on", HTTP_LISTENERS_MAX);
        return NULL;
    }
    struct listener *listener = &http->listener[http->n_listeners++];
    *listener = (struct listener){.http = http, .fd = -1, .ours = true};
    snprintf(listener->text, sizeof listener->text, "%s", text);
    return listener;
}

static bool beyond_this_machine(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 != 127;
    return address->ss_family == AF_INET6 &&
           !IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

// TLS beyond this machine unless said otherwise; without it only where that is allowed by name.
static enum error_code decide_tls(const struct config_section *conf, struct listener *listener,
                                  struct error *err) {
    bool beyond = beyond_this_machine(&listener->address), tls = !conf || config_bool(conf, "tls");
    const char *allowed = conf ? config_text(conf, "allow_plain") : NULL;
    listener->tls = listener->scheme == SCHEME_HTTPS || (listener->scheme == SCHEME_NONE && tls && beyond);
    if (listener->tls || !beyond || (allowed && !strcmp(allowed, "lan")))
        return ERROR_OK;
    return error_set(
        err, ERROR_INVALID, conf ? config_key_where(conf, "listen") : NULL,
        "%.60s is beyond this machine: passwords would travel readable; use TLS, or say `allow_plain "
        "= lan`",
        listener->text);
}

static enum error_code watch(struct listener *listener, struct error *err) {
    struct http *http = listener->http;
    if (listener->tls && http_start_tls(http, err))
        return err->code;
    log_info("http", "listening address=%s%s", listener->text, listener->tls ? " tls=yes" : "");
    if (!listener->local && !listener->tls && beyond_this_machine(&listener->address)) {
        http->insecure = true;
        log_warning("http", "passwords and tokens travel readable beyond this machine address=%s",
                    listener->text);
    }
    return loop_fd_add(listener->http->loop, listener->fd, EPOLLIN, conn_acceptable, listener,
                       &listener->watch, err);
}

static int bind_tcp(struct listener *listener) {
    int one = 1;
    int fd = socket(listener->address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (listener->address.ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&listener->address, listener->address_len) != 0 ||
        listen(fd, BACKLOG) != 0) {
        int cause = errno;
        close(fd);
        errno = cause;
        return -1;
    }
    return fd;
}

// An address that is not there yet comes later: tried again with growing pauses (B104). Other causes do not
// mend themselves.
static enum error_code try_bind(struct listener *listener, struct error *err) {
    struct http *http = listener->http;
    listener->fd = bind_tcp(listener);
    if (listener->fd >= 0)
        return watch(listener, err);
    return error_set(err, errno == EADDRNOTAVAIL ? ERROR_BUSY : ERROR_INTERNAL,
                     http->options.conf ? config_key_where(http->options.conf, "listen") : NULL,
                     "cannot listen on %s: %s", listener->text, strerror(errno));
}

static void bind_later(struct listener *listener);

static void bind_again(void *ctx) {
    struct listener *listener = ctx;
    struct error err = {0};
    if (try_bind(listener, &err)) {
        bind_later(listener);
        return;
    }
}

static void bind_later(struct listener *listener) {
    struct loop *loop = listener->http->loop;
    unsigned shift = listener->attempts < 6 ? listener->attempts : 6;
    int64_t pause = (int64_t)RETRY_MIN_US << shift;
    if (listener->attempts++ == 0)
        log_warning("http", "this address is not there yet; it is tried again address=%s", listener->text);
    loop_timer_start(loop, &listener->retry,
                     loop_now_us(loop) + (pause < RETRY_MAX_US ? pause : RETRY_MAX_US), bind_again, listener);
}

static enum error_code wrong_address(const struct config_section *conf, const char *text, struct error *err) {
    return error_set(err, ERROR_INVALID, config_key_where(conf, "listen"),
                     "\"%.60s\" is no address with port; write 127.0.0.1:8137 or [::1]:8137", text);
}

enum error_code http_check(const struct config_section *conf, struct error *err) {
    const char *at = conf ? config_text(conf, "listen") : NULL;
    while (at && *(at += strspn(at, " \t,"))) {
        struct listener listener = {0};
        char text[128];
        size_t n = strcspn(at, " \t,");
        snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), at);
        if (!parse_address(text, &listener))
            return wrong_address(conf, text, err);
        snprintf(listener.text, sizeof listener.text, "%s", text);
        if (decide_tls(conf, &listener, err))
            return err->code;
        at += n;
    }
    return ERROR_OK;
}

static enum error_code open_tcp(struct http *http, const char *text, struct error *err) {
    struct listener *listener = add_listener(http, text, err);
    if (!listener)
        return err->code;
    if (!parse_address(text, listener))
        return wrong_address(http->options.conf, text, err);
    if (decide_tls(http->options.conf, listener, err))
        return err->code;
    enum error_code code = try_bind(listener, err);
    if (code == ERROR_BUSY) {
        bind_later(listener);
        return ERROR_OK;
    }
    return code;
}

static enum error_code open_configured(struct http *http, struct error *err) {
    const char *at = http->options.conf ? config_text(http->options.conf, "listen") : "";
    while (at && *(at += strspn(at, " \t,"))) {
        size_t n = strcspn(at, " \t,");
        char text[128];
        snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), at);
        if (open_tcp(http, text, err))
            return err->code;
        at += n;
    }
    return ERROR_OK;
}

// Sockets of the service manager; a Unix one is the control socket.
static enum error_code open_given(struct http *http, struct error *err) {
    for (size_t i = 0; i < http->options.n_listen_fds; i++) {
        struct listener *listener = add_listener(http, "tabled.socket", err);
        if (!listener)
            return err->code;
        listener->fd = http->options.listen_fds[i];
        listener->ours = false;
        listener->address_len = sizeof listener->address;
        int listens = 0;
        socklen_t len = sizeof listens;
        if (getsockname(listener->fd, (struct sockaddr *)&listener->address, &listener->address_len) != 0 ||
            getsockopt(listener->fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) != 0 || !listens)
            return error_set(err, ERROR_INVALID, "tabled.socket", "socket %zu does not listen for streams",
                             i + 1);
        fcntl(listener->fd, F_SETFL, fcntl(listener->fd, F_GETFL) | O_NONBLOCK);
        listener->local = listener->address.ss_family == AF_UNIX;
        if (!listener->local && decide_tls(http->options.conf, listener, err))
            return err->code;
        if (watch(listener, err))
            return err->code;
    }
    return ERROR_OK;
}

// A socket file that nobody answers at is left from a run that was killed.
static bool in_use(const struct sockaddr_un *address) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return false;
    bool answered = connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 || errno == EAGAIN;
    close(fd);
    return answered;
}

static enum error_code open_local(struct http *http, const char *path, struct error *err) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return error_set(err, ERROR_INVALID, path, "a socket's path has at most %zu bytes",
                         sizeof address.sun_path - 1);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (in_use(&address))
        return error_set(err, ERROR_EXISTS, path, "another daemon answers on this socket");
    struct listener *listener = add_listener(http, path, err);
    if (!listener)
        return err->code;
    listener->local = true;
    unlink(path);
    listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    mode_t mask = umask(0117);
    int r = listener->fd < 0 ? -1 : bind(listener->fd, (struct sockaddr *)&address, sizeof address);
    int cause = errno;
    umask(mask);
    if (r != 0 || listen(listener->fd, BACKLOG) != 0)
        return error_set(err, ERROR_INTERNAL, path, "the control socket cannot be made: %s",
                         strerror(r ? cause : errno));
    if (http->has_group && http->group != getegid() && chown(path, (uid_t)-1, http->group) != 0)
        log_info("http", "the control socket stays with our own group: %s", strerror(errno));
    return watch(listener, err);
}

enum error_code listen_open(struct http *http, struct error *err) {
    if (open_given(http, err))
        return err->code;
    bool local = false, tcp = false;
    for (size_t i = 0; i < http->n_listeners; i++)
        *(http->listener[i].local ? &local : &tcp) = true;
    if (!tcp && open_configured(http, err))
        return err->code;
    if (!local && http->options.socket_path && open_local(http, http->options.socket_path, err))
        return err->code;
    return ERROR_OK;
}

void listen_close(struct http *http) {
    for (size_t i = 0; i < http->n_listeners; i++) {
        struct listener *listener = &http->listener[i];
        loop_timer_stop(http->loop, &listener->retry);
        loop_fd_remove(listener->watch);
        listener->watch = NULL;
        if (listener->fd >= 0 && listener->ours) {
            if (listener->local)
                unlink(listener->text);
            close(listener->fd);
        }
        listener->fd = -1;
    }
}
