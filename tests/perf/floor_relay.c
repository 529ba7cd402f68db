// Floor of P1, P2 and P4: publish to receive over the same broker with nothing in between but, if asked for,
// the one durable commit that the first law demands.   floor_relay PORT N PACE_US [DATABASE]
// PACE_US: a pause before each, as long as that between two taps; 0 = at once.
#include "perf/floor.h"
#include "perf/measure.h"
#include <mosquitto.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool got, ready;

static void on_message(struct mosquitto *m, void *ctx, const struct mosquitto_message *message) {
    (void)m, (void)ctx, (void)message;
    got = true;
}
static void on_subscribe(struct mosquitto *m, void *ctx, int mid, int n, const int *qos) {
    (void)m, (void)ctx, (void)mid, (void)n, (void)qos;
    ready = true;
}

static void serve(struct mosquitto *a, struct mosquitto *b, int wait_ms) {
    struct pollfd fds[2] = {{mosquitto_socket(a), POLLIN, 0}, {mosquitto_socket(b), POLLIN, 0}};
    if (mosquitto_want_write(a))
        fds[0].events |= POLLOUT;
    if (mosquitto_want_write(b))
        fds[1].events |= POLLOUT;
    poll(fds, 2, wait_ms);
    struct mosquitto *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (fds[i].revents & POLLIN)
            mosquitto_loop_read(both[i], 1);
        if (fds[i].revents & POLLOUT)
            mosquitto_loop_write(both[i], 1);
        mosquitto_loop_misc(both[i]);
    }
}

static struct mosquitto *client(const char *id, int port) {
    struct mosquitto *m = mosquitto_new(id, true, NULL);
    if (!m || mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1) || mosquitto_connect(m, "127.0.0.1", port, 60))
        exit((fprintf(stderr, "floor_relay: no broker on port %d\n", port), 1));
    return m;
}

int main(int argc, char **argv) {
    if (argc < 4)
        return fprintf(stderr, "floor_relay PORT N PACE_US [DATABASE]\n"), 2;
    int port = atoi(argv[1]);
    size_t n = strtoul(argv[2], NULL, 10);
    sqlite3 *db = NULL;
    long pace_us = atol(argv[3]);
    sqlite3_stmt *insert = argc > 4 ? floor_database("floor_relay", argv[4], &db) : NULL;
    mosquitto_lib_init();
    struct mosquitto *out = client("floor-out", port), *in = client("floor-in", port);
    mosquitto_message_callback_set(in, on_message);
    mosquitto_subscribe_callback_set(in, on_subscribe);
    mosquitto_subscribe(in, NULL, "floor/event", 1);
    while (!ready)
        serve(out, in, 100);
    char body[420];
    memset(body, 'x', sizeof body); // the size of one JSON event
    int64_t *samples = calloc(n, sizeof *samples);
    for (size_t i = 0; i < n; i++) {
        for (int64_t until = measure_now_ns() + pace_us * 1000; measure_now_ns() < until;)
            serve(out, in, 1);
        int64_t start = measure_now_ns();
        if (insert) {
            sqlite3_bind_text(insert, 1, body, 90, SQLITE_STATIC);
            if (sqlite3_step(insert) != SQLITE_DONE)
                return fprintf(stderr, "floor_relay: %s\n", sqlite3_errmsg(db)), 1;
            sqlite3_reset(insert);
        }
        got = false;
        mosquitto_publish(out, NULL, "floor/event", (int)sizeof body, body, 1, false);
        while (!got)
            serve(out, in, 1000);
        samples[i] = measure_now_ns() - start;
    }
    measure_print_latency(insert ? "floor_durable_relay" : "floor_relay", samples, n);
    free(samples);
    mosquitto_destroy(out);
    mosquitto_destroy(in);
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return 0;
}
