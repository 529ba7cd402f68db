// A small client in the same thread: it writes bytes as they are and turns the loop until the answer is
// there.
#pragma once
#include "core/loop.h"
#include "net/auth.h"
#include "net/http.h"
#include "support/door_stub.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
// cmocka needs the headers above
#include <cmocka.h>

enum { ANSWER_MAX = 1 << 18, TURNS_MAX = 4000 };

struct fixture {
    struct clock_virtual clock;
    struct loop *loop;
    struct door *door;
    struct feed *feed;
    struct http *http;
    struct token_file *tokens;
    char dir[64], socket[96];
    int port, listen_fd;
    struct config *config;
};

struct answer {
    int status;
    bool closed;
    size_t len;
    char *head, *body;
    char text[ANSWER_MAX];
};

static inline struct config *fixture_config(struct fixture *f, const char *lines) {
    static const struct config_schema schemas[] = {{"http", false, NULL, http_keys, false}, {0}};
    struct config *config = NULL;
    struct error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/conf", f->dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "[http]\n%s", lines);
    fclose(file);
    if (config_load(path, schemas, &config, &err))
        fail_msg("%s: %s", err.where, err.text);
    unlink(path);
    return config;
}

static inline void fixture_front(struct fixture *f) {
    struct error err = {0};
    struct http_options options = {.loop = f->loop,
                                   .conf = config_find(f->config, "http", ""),
                                   .state_dir = f->dir,
                                   .socket_path = f->socket,
                                   .listen_fds = &f->listen_fd,
                                   .n_listen_fds = 1,
                                   .version = "1.2.3",
                                   .boot_id = 0xabcdef0123456789,
                                   .door = f->door,
                                   .feed = f->feed};
    if (http_create(&options, &f->http, &err))
        fail_msg("%s", err.text);
}
static inline void fixture_restart(struct fixture *f) {
    http_destroy(f->http);
    fixture_front(f);
}

static inline int fixture_setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    struct error err = {0};
    strcpy(f->dir, "/tmp/tabled-http-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    snprintf(f->socket, sizeof f->socket, "%s/sock", f->dir);
    clock_virtual_init(&f->clock);
    assert_int_equal(loop_create(&f->clock.base, &f->clock, &f->loop, &err), ERROR_OK);
    assert_int_equal(feed_create(0xabcdef0123456789, "en", &f->feed, &err), ERROR_OK);
    f->door = door_stub_create();
    door_add_sink(f->door, feed_sink(f->feed));
    door_stub_table(f->door, "main", 3);
    door_stub_show_all(f->door, "main");
    f->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof address;
    assert_int_equal(bind(f->listen_fd, (struct sockaddr *)&address, len), 0);
    assert_int_equal(listen(f->listen_fd, 512), 0);
    getsockname(f->listen_fd, (struct sockaddr *)&address, &len);
    f->port = ntohs(address.sin_port);
    char lines[256];
    snprintf(lines, sizeof lines, "%s/web", f->dir);
    mkdir(lines, 0700);
    snprintf(lines, sizeof lines, "listen =\nconnections = 700\nhosts = table.example\nweb_dir = %s/web\n",
             f->dir);
    f->config = fixture_config(f, lines);
    fixture_front(f);
    assert_int_equal(token_file_open(f->dir, false, &f->tokens, &err), ERROR_OK);
    *state = f;
    return 0;
}

static inline int fixture_teardown(void **state) {
    struct fixture *f = *state;
    char path[128];
    http_destroy(f->http);
    f->door->later = false;
    door_stub_reply(f->door);
    door_stub_destroy(f->door);
    feed_destroy(f->feed);
    token_file_close(f->tokens);
    config_destroy(f->config);
    loop_destroy(f->loop);
    close(f->listen_fd);
    snprintf(path, sizeof path, "%s/tokens.json", f->dir);
    unlink(path);
    unlink(f->socket);
    snprintf(path, sizeof path, "%s/auth.db", f->dir);
    unlink(path);
    snprintf(path, sizeof path, "%s/web", f->dir);
    rmdir(path);
    rmdir(f->dir);
    free(f);
    return 0;
}

static inline void turn(struct fixture *f, int n) {
    while (n-- > 0)
        loop_turn(f->loop, 0);
}

static inline int client_open(struct fixture *f) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)f->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    turn(f, 2);
    return fd;
}

static inline int client_local(struct fixture *f) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", f->socket);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    turn(f, 2);
    return fd;
}

static inline void client_send(struct fixture *f, int fd, const void *data, size_t len) {
    const char *at = data;
    for (int i = 0; len > 0 && i < TURNS_MAX; i++) {
        ssize_t n = send(fd, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            at += n;
            len -= (size_t)n;
        } else if (errno != EAGAIN) {
            return; // closed early: the answer tells
        }
        turn(f, 1);
    }
}

static inline bool answer_whole(struct answer *a, bool head_only) {
    a->text[a->len] = '\0';
    char *end = strstr(a->text, "\r\n\r\n");
    if (!end)
        return false;
    a->status = atoi(a->text + 9);
    a->head = a->text;
    a->body = end + 4;
    if (head_only)
        return true;
    char *length = strcasestr(a->text, "\r\nContent-Length: ");
    if (!length || length > end)
        return a->status == 304 || a->status == 204;
    return a->len >= (size_t)(a->body - a->text) + strtoul(length + 18, NULL, 10);
}

// Reads one answer; a->closed if the other side has ended.
static inline void client_read(struct fixture *f, int fd, struct answer *a, bool head_only) {
    memset(a, 0, offsetof(struct answer, text));
    for (int i = 0; i < TURNS_MAX && !answer_whole(a, head_only); i++) {
        turn(f, 1);
        ssize_t n = recv(fd, a->text + a->len, sizeof a->text - 1 - a->len, MSG_DONTWAIT);
        if (n > 0)
            a->len += (size_t)n;
        if (n == 0 || (n < 0 && errno != EAGAIN)) {
            a->closed = true;
            answer_whole(a, true);
            return;
        }
        if (n < 0) {
            struct pollfd wait = {fd, POLLIN, 0};
            poll(&wait, 1, i < 50 ? 0 : 1);
        }
    }
    if (a->head && a->body)
        a->body[-2] = '\0';
}

// Everything that comes within some turns, into text.
static inline size_t client_drain(struct fixture *f, int fd, char *text, size_t cap) {
    size_t len = 0;
    for (int quiet = 0; quiet < 20;) {
        turn(f, 1);
        ssize_t n = recv(fd, text + len, cap - 1 - len, MSG_DONTWAIT);
        quiet = n > 0 ? 0 : quiet + 1;
        if (n > 0)
            len += (size_t)n;
        if (n == 0 || len == cap - 1)
            break;
    }
    text[len] = '\0';
    return len;
}

static inline const char *token(struct fixture *f, const char *id) {
    static char text[TOKEN_TEXT_MAX];
    for (size_t i = 0; i < f->tokens->n; i++)
        if (!strcmp(f->tokens->row[i].id, id)) {
            token_text(&f->tokens->row[i], text);
            return text;
        }
    fail_msg("no token %s", id);
    return NULL;
}

// METHOD PATH with further header lines (each ended by \r\n) and a body; who = id of a token, NULL = nobody.
static inline void client_ask(struct fixture *f, int fd, const char *who, const char *method,
                              const char *path, const char *headers, const char *body) {
    char text[8192], authorization[128] = "", length[80] = "";
    if (who)
        snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token(f, who));
    if (body)
        snprintf(length, sizeof length, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                 strlen(body));
    int n = snprintf(text, sizeof text, "%s %s HTTP/1.1\r\nHost: localhost:%d\r\n%s%s%s\r\n%s", method, path,
                     f->port, authorization, length, headers ? headers : "", body ? body : "");
    assert_true(n < (int)sizeof text);
    client_send(f, fd, text, (size_t)n);
}

// One request on a connection of its own.
static inline struct answer *ask(struct fixture *f, const char *who, const char *method, const char *path,
                                 const char *headers, const char *body) {
    static struct answer a;
    int fd = client_open(f);
    client_ask(f, fd, who, method, path, headers, body);
    client_read(f, fd, &a, !strcmp(method, "HEAD"));
    close(fd);
    turn(f, 4);
    return &a;
}

static inline struct answer *get(struct fixture *f, const char *who, const char *path) {
    return ask(f, who, "GET", path, NULL, NULL);
}
static inline struct answer *post(struct fixture *f, const char *who, const char *path, const char *body) {
    return ask(f, who, "POST", path, NULL, body);
}

static inline bool has_header(const struct answer *a, const char *line) {
    return strcasestr(a->head, line) != NULL;
}
static inline const char *header_of(const struct answer *a, const char *name, char *ret, size_t cap) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\r\n%s: ", name);
    const char *at = strcasestr(a->head, wanted);
    ret[0] = '\0';
    if (at)
        snprintf(ret, cap, "%.*s", (int)strcspn(at + strlen(wanted), "\r"), at + strlen(wanted));
    return ret;
}
