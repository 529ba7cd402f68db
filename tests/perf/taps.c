// P1, P2, P3, P7: from writing the scan that makes a token certain (its second sighting) to receiving the
// event of the ballot it casts. The table must be in a vote by tapped tokens.   taps PORT TOPIC N SECONDS
// SEAT... SEAT: SOCKET,READER,ANTENNA,CARD,TOKEN of seats 1, 2, ...; the last one does not vote, so the vote
// stays open. Everybody points at one seat after the other, so a token leaves a pad by the scans that show
// the next one. Ends after N taps or SECONDS; says how many messages a tap brought.
#include "perf/measure.h"
#include <mosquitto.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { SEATS_MAX = 16, QUIET_MS = 1, LOST_MS = 2000, LOST_MAX = 20, LEAVE_SCANS = 4 };
static const int64_t tap_ns = 8000000, leave_ns = 21000000;

struct seat {
    const char *socket, *reader, *antenna, *card, *token;
    int fd;
    int leaves;
    int64_t leave_at_ns;
};

static struct {
    struct mosquitto *mosquitto;
    struct seat seat[SEATS_MAX];
    size_t seats;
    long ms;
    bool ready, got;
    int64_t got_ns;
    uint64_t messages;
} bench;

static void on_message(struct mosquitto *m, void *ctx, const struct mosquitto_message *message) {
    (void)m, (void)ctx;
    static const char action[] = "\"event\":\"action\"";
    bench.messages++;
    if (memmem(message->payload, (size_t)message->payloadlen, action, sizeof action - 1)) {
        bench.got = true;
        bench.got_ns = measure_now_ns();
    }
}
static void on_subscribe(struct mosquitto *m, void *ctx, int mid, int n, const int *qos) {
    (void)m, (void)ctx, (void)mid, (void)n, (void)qos;
    bench.ready = true;
}

// False when nothing came for so long.
static bool serve(int wait_ms) {
    struct pollfd fd = {mosquitto_socket(bench.mosquitto), POLLIN, 0};
    if (mosquitto_want_write(bench.mosquitto))
        fd.events |= POLLOUT;
    int n = poll(&fd, 1, wait_ms);
    if (fd.revents & POLLIN)
        mosquitto_loop_read(bench.mosquitto, 1);
    if (fd.revents & POLLOUT)
        mosquitto_loop_write(bench.mosquitto, 1);
    mosquitto_loop_misc(bench.mosquitto);
    return n > 0;
}

// One scan of a pad: its card and perhaps a token; an empty line ends it.
static void scan(const struct seat *at, const char *token) {
    char text[512];
    long ms = bench.ms++;
    int n = snprintf(text, sizeof text, "%ld %s %s seen %s\n", ms, at->reader, at->antenna, at->card);
    if (token)
        n += snprintf(text + n, sizeof text - (size_t)n, "%ld %s %s seen %s\n", ms, at->reader, at->antenna,
                      token);
    n += snprintf(text + n, sizeof text - (size_t)n, "\n");
    if (write(at->fd, text, (size_t)n) != n)
        exit((fprintf(stderr, "taps: the reader's socket is closed\n"), 1));
}

static void leave_due(void) {
    int64_t now = measure_now_ns();
    for (size_t i = 0; i < bench.seats; i++) {
        struct seat *seat = &bench.seat[i];
        if (seat->leaves && seat->leave_at_ns <= now) {
            scan(seat, NULL);
            seat->leaves--;
            seat->leave_at_ns = now + leave_ns;
        }
    }
    while (serve(QUIET_MS))
        ;
}

// -1: no event came.
static int64_t tap(struct seat *at, const char *token) {
    int64_t first = measure_now_ns();
    scan(at, token);
    while (serve(QUIET_MS))
        ;
    bench.got = false;
    int64_t start = measure_now_ns(), lost = start + (int64_t)LOST_MS * 1000000;
    scan(at, token);
    while (!bench.got && measure_now_ns() < lost)
        serve(100);
    int64_t took = bench.got ? bench.got_ns - start : -1;
    at->leaves = LEAVE_SCANS;
    at->leave_at_ns = 0;
    do
        leave_due();
    while (measure_now_ns() < first + tap_ns);
    return took;
}

static int reader(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address))
        exit((fprintf(stderr, "taps: nobody listens on %s\n", path), 1));
    return fd;
}

static void add_seat(char *text) {
    struct seat *seat = &bench.seat[bench.seats++];
    const char **field[] = {&seat->socket, &seat->reader, &seat->antenna, &seat->card, &seat->token};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        if (!(*field[i] = strsep(&text, ",")))
            exit((fprintf(stderr, "taps: a seat is SOCKET,READER,ANTENNA,CARD,TOKEN\n"), 2));
    for (const struct seat *other = bench.seat; other < seat; other++)
        if (!strcmp(other->socket, seat->socket)) {
            seat->fd = other->fd;
            return;
        }
    seat->fd = reader(seat->socket);
}

static void subscribe(int port, const char *topic) {
    mosquitto_lib_init();
    bench.mosquitto = mosquitto_new("taps", true, NULL);
    if (mosquitto_int_option(bench.mosquitto, MOSQ_OPT_TCP_NODELAY, 1) ||
        mosquitto_connect(bench.mosquitto, "127.0.0.1", port, 60))
        exit((fprintf(stderr, "taps: no broker on port %d\n", port), 1));
    mosquitto_message_callback_set(bench.mosquitto, on_message);
    mosquitto_subscribe_callback_set(bench.mosquitto, on_subscribe);
    mosquitto_subscribe(bench.mosquitto, NULL, topic, 1);
    while (!bench.ready)
        serve(100);
    bench.messages = 0;
}

int main(int argc, char **argv) {
    if (argc < 9 || argc - 6 > SEATS_MAX)
        return fprintf(stderr, "taps PORT TOPIC N SECONDS ROUND SOCKET,READER,ANTENNA,CARD,TOKEN...\n"), 2;
    size_t n = strtoul(argv[3], NULL, 10), done = 0, lost = 0;
    for (int i = 6; i < argc; i++)
        add_seat(argv[i]);
    subscribe(atoi(argv[1]), argv[2]);
    int64_t *samples = calloc(n + bench.seats, sizeof *samples);
    int64_t begin = measure_now_ns(), end = begin + (int64_t)(atof(argv[4]) * 1e9);
    size_t round = strtoul(argv[5], NULL, 10);
    for (; done < n && measure_now_ns() < end; round++)
        for (size_t voter = 0; voter + 1 < bench.seats; voter++) {
            size_t target = (voter + 1 + round % (bench.seats - 1)) % bench.seats;
            int64_t took = tap(&bench.seat[target], bench.seat[voter].token);
            if (took >= 0)
                samples[done++] = took;
            else if (++lost > LOST_MAX)
                return fprintf(stderr, "taps: too many without an event, after %zu with one\n", done), 1;
        }
    double seconds = (double)(measure_now_ns() - begin) / 1e9;
    measure_print_latency("taps", samples, done);
    measure_print_rate("tap_rate", (double)done / seconds);
    measure_print_rate("messages_per_tap", (double)bench.messages / (double)(done ? done : 1));
    measure_print_rate("lost", (double)lost);
    measure_print_rate("next_round", (double)round);
    free(samples);
    mosquitto_destroy(bench.mosquitto);
    return 0;
}
