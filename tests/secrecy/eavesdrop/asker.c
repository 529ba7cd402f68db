// A client of the daemon's own front on the daemon's own loop: one connection a round, its requests one by
// one.
#include "ears.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <jansson.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ASKS_MAX = 256, READ_MAX = 1 << 20 };
enum when { AT_TICK, IN_DARK, UNDER_SEAL, AS_STREAM, AT_MS };

struct ask {
    struct asker *asker;
    enum when when;
    char role[24], method[8], path[512], body[512];
    struct loop_timer due;
    int fd; // of a stream
    struct loop_fd *watch;
};

struct asker {
    struct loop *loop;
    unsigned port;
    json_t *tokens;
    struct ask ask[ASKS_MAX];
    size_t n;
    int64_t every_us;
    struct loop_timer tick;
    struct loop_call round;
    enum when veil; // IN_DARK, UNDER_SEAL, else AT_TICK
    bool again;
    bool wanted[ASKS_MAX]; // of this round
    size_t at;             // ASKS_MAX: no round
    int fd;
    struct loop_fd *watch;
    char *got;
    size_t len;
};

static void begin_round(void *ctx);

static const char *token_of(const struct asker *asker, const char *role) {
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(asker->tokens, "tokens"), i, row) {
        if (!strcmp(json_string_value(json_object_get(row, "name")), role))
            return json_string_value(json_object_get(row, "token"));
    }
    return NULL;
}

static int connect_to(const struct asker *asker) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)asker->port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) { // into the backlog: waits for nobody
        perror("asker");
        exit(1);
    }
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static void send_ask(const struct ask *ask, int fd) {
    char text[2048], auth[160] = "";
    const char *token = token_of(ask->asker, ask->role);
    if (token)
        snprintf(auth, sizeof auth, "Authorization: Bearer %s\r\n", token);
    int n = snprintf(text, sizeof text,
                     "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s%sContent-Length: %zu\r\n\r\n%s", ask->method,
                     ask->path, ask->asker->port, auth,
                     *ask->body ? "Content-Type: application/json\r\n" : "", strlen(ask->body), ask->body);
    if (write(fd, text, (size_t)n) != n) {
        perror("asker");
        exit(1);
    }
}

// ---- a round

static void end_round(struct asker *asker) {
    loop_fd_remove(asker->watch);
    asker->watch = NULL;
    close(asker->fd);
    asker->at = ASKS_MAX;
    loop_release(asker->loop);
    if (asker->again)
        loop_defer(asker->loop, &asker->round, begin_round, asker);
}

static void ask_next(struct asker *asker, size_t from) {
    while (from < asker->n && !asker->wanted[from])
        from++;
    if (from == asker->n) {
        end_round(asker);
        return;
    }
    asker->wanted[from] = false;
    asker->at = from;
    asker->len = 0;
    send_ask(&asker->ask[from], asker->fd);
}

// Length of the whole answer, 0 = not there yet.
static size_t whole(const struct asker *asker) {
    char *end = memmem(asker->got, asker->len, "\r\n\r\n", 4);
    if (!end)
        return 0;
    size_t head = (size_t)(end - asker->got) + 4, body = 0;
    char *field = strcasestr(asker->got, "\r\nContent-Length:");
    if (field && field < end)
        body = strtoul(field + 17, NULL, 10);
    return asker->len >= head + body ? head + body : 0;
}

// The wall's second is no channel of ours.
static size_t without_date(char *text, size_t len) {
    char *from = memmem(text, len, "\r\nDate: ", 8), *to = from ? strstr(from + 2, "\r\n") : NULL;
    if (!to)
        return len;
    memmove(from, to, len - (size_t)(to - text));
    return len - (size_t)(to - from);
}

static void on_answer(void *ctx, uint32_t revents) {
    struct asker *asker = ctx;
    (void)revents;
    ssize_t n;
    while ((n = read(asker->fd, asker->got + asker->len, READ_MAX - 1 - asker->len)) > 0)
        asker->len += (size_t)n;
    asker->got[asker->len] = '\0';
    const struct ask *ask = &asker->ask[asker->at];
    size_t len = whole(asker);
    if (len)
        ears_hear("rest", asker->got, without_date(asker->got, len), "%s %s %s", ask->role, ask->method,
                  ask->path);
    if (len && !strcasestr(asker->got, "\r\nConnection: close")) {
        ask_next(asker, asker->at + 1);
        return;
    }
    if (!len && n != 0)
        return;
    if (!len)
        ears_hear("rest", "closed", 6, "%s %s %s", ask->role, ask->method, ask->path);
    loop_fd_remove(asker->watch);
    close(asker->fd);
    asker->fd = connect_to(asker);
    loop_fd_add(asker->loop, asker->fd, EPOLLIN, on_answer, asker, &asker->watch, NULL);
    ask_next(asker, asker->at + 1);
}

static void begin_round(void *ctx) {
    struct asker *asker = ctx;
    asker->again = asker->at != ASKS_MAX;
    if (asker->again)
        return;
    loop_hold(asker->loop); // no time passes, however long the kernel takes to carry bytes
    asker->at = 0;
    asker->fd = connect_to(asker);
    loop_fd_add(asker->loop, asker->fd, EPOLLIN, on_answer, asker, &asker->watch, NULL);
    ask_next(asker, 0);
}

static void want(struct asker *asker) {
    for (size_t i = 0; i < asker->n; i++)
        asker->wanted[i] |= asker->ask[i].when == AT_TICK || asker->ask[i].when == asker->veil;
    loop_defer(asker->loop, &asker->round, begin_round, asker);
}

static void on_tick(void *ctx) {
    struct asker *asker = ctx;
    loop_timer_start(asker->loop, &asker->tick, loop_now_us(asker->loop) + asker->every_us, on_tick, asker);
    want(asker);
}

static void on_due(void *ctx) {
    struct ask *ask = ctx;
    ask->asker->wanted[ask - ask->asker->ask] = true;
    loop_defer(ask->asker->loop, &ask->asker->round, begin_round, ask->asker);
}

void asker_phase(struct asker *asker, const char *phase, size_t len) {
    static const char dark[] = "\"veil\":\"dark\"", sealed[] = "\"veil\":\"sealed\"";
    if (!asker)
        return;
    asker->veil = memmem(phase, len, dark, sizeof dark - 1)       ? IN_DARK
                  : memmem(phase, len, sealed, sizeof sealed - 1) ? UNDER_SEAL
                                                                  : AT_TICK;
    want(asker);
}

// ---- streams

static void on_stream(void *ctx, uint32_t revents) {
    struct ask *ask = ctx;
    static char text[65536];
    (void)revents;
    ssize_t n = read(ask->fd, text, sizeof text);
    if (n > 0)
        ears_hear("stream", text, without_date(text, (size_t)n), "%s %s", ask->role, ask->path);
    if (n == 0) {
        loop_fd_remove(ask->watch);
        ask->watch = NULL;
        ears_hear("stream", "closed", 6, "%s %s", ask->role, ask->path);
    }
}

static void open_stream(struct ask *ask) {
    ask->fd = connect_to(ask->asker);
    send_ask(ask, ask->fd);
    loop_fd_add(ask->asker->loop, ask->fd, EPOLLIN, on_stream, ask, &ask->watch, NULL);
}

// ---- life

static bool read_ask(struct asker *asker, char *line) {
    struct ask *ask = &asker->ask[asker->n];
    char when[16];
    int body = 0;
    if (asker->n == ASKS_MAX ||
        sscanf(line, "%15s %23s %7s %511s %n", when, ask->role, ask->method, ask->path, &body) < 4)
        return false;
    ask->asker = asker;
    ask->fd = -1;
    ask->when = !strcmp(when, "tick")     ? AT_TICK
                : !strcmp(when, "dark")   ? IN_DARK
                : !strcmp(when, "sealed") ? UNDER_SEAL
                : !strcmp(when, "stream") ? AS_STREAM
                                          : AT_MS;
    if (body)
        snprintf(ask->body, sizeof ask->body, "%.*s", (int)strcspn(line + body, "\n"), line + body);
    if (ask->when == AT_MS)
        loop_timer_start(asker->loop, &ask->due, strtoll(when, NULL, 10) * 1000, on_due, ask);
    asker->n++;
    return true;
}

struct asker *asker_open(struct loop *loop, unsigned port, const char *tokens, const char *list,
                         int64_t every_ms) {
    struct asker *asker = calloc(1, sizeof *asker);
    FILE *file = fopen(list, "re");
    char line[2048];
    if (!asker || !file || !(asker->got = malloc(READ_MAX)) ||
        !(asker->tokens = json_load_file(tokens, 0, NULL))) {
        fprintf(stderr, "asker: %s or %s cannot be read\n", list, tokens);
        exit(1);
    }
    asker->loop = loop;
    asker->port = port;
    asker->every_us = every_ms * 1000;
    asker->at = ASKS_MAX;
    asker->fd = -1;
    while (fgets(line, sizeof line, file))
        if (!read_ask(asker, line)) {
            fprintf(stderr, "asker: not understood: %s", line);
            exit(1);
        }
    fclose(file);
    for (size_t i = 0; i < asker->n; i++)
        if (asker->ask[i].when == AS_STREAM)
            open_stream(&asker->ask[i]);
    loop_timer_start(loop, &asker->tick, asker->every_us, on_tick, asker);
    return asker;
}

void asker_close(struct asker *asker) {
    if (!asker)
        return;
    for (size_t i = 0; i < asker->n; i++) {
        loop_timer_stop(asker->loop, &asker->ask[i].due);
        loop_fd_remove(asker->ask[i].watch);
        if (asker->ask[i].fd >= 0)
            close(asker->ask[i].fd);
    }
    loop_timer_stop(asker->loop, &asker->tick);
    loop_defer_cancel(asker->loop, &asker->round);
    if (asker->at != ASKS_MAX) {
        loop_fd_remove(asker->watch);
        close(asker->fd);
        loop_release(asker->loop);
    }
    json_decref(asker->tokens);
    free(asker->got);
    free(asker);
}
