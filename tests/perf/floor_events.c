// Floor of P4: as many durable events as go, told in JSON and protobuf: GROUP records in a commit of SQLite
// WAL FULL, then both messages of each published with QoS 1.   floor_events PORT SECONDS GROUP DATABASE
// Another process hears them all. Ends when it has; what is told per second is what that one heard.
#include "perf/floor.h"
#include "perf/measure.h"
#include <mosquitto.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Messages not yet acknowledged; not yet heard: a broker drops what it would have to queue beyond 1,000.
enum { WINDOW = 128, LAG = 500, PATIENCE_S = 10 };
static const char *const topics[] = {"floor/public/event", "floor/public-pb/event"};
static const int sizes[] = {420, 170}; // of one event

// Between the two processes.
struct heard {
    volatile bool ready;
    volatile uint64_t messages;
};
static struct heard *heard;
static unsigned on_the_way, subscribed;

static void on_message(struct mosquitto *m, void *ctx, const struct mosquitto_message *message) {
    (void)m, (void)ctx, (void)message;
    heard->messages++;
}
static void on_subscribe(struct mosquitto *m, void *ctx, int mid, int n, const int *qos) {
    (void)m, (void)ctx, (void)mid, (void)n, (void)qos;
    heard->ready = ++subscribed == 2;
}
static void on_publish(struct mosquitto *m, void *ctx, int mid) {
    (void)m, (void)ctx, (void)mid;
    on_the_way--;
}

static void serve(struct mosquitto *m, int wait_ms) {
    struct pollfd fd = {mosquitto_socket(m), POLLIN, 0};
    if (mosquitto_want_write(m))
        fd.events |= POLLOUT;
    poll(&fd, 1, wait_ms);
    if (fd.revents & POLLIN && mosquitto_loop_read(m, 1))
        exit((fprintf(stderr, "floor_events: the broker has closed the connection\n"), 1));
    if (fd.revents & POLLOUT)
        mosquitto_loop_write(m, 1);
    mosquitto_loop_misc(m);
}

// Until no more than so many are on the way to the other process.
static void let_hear(struct mosquitto *m, uint64_t published, uint64_t lag) {
    int64_t give_up = measure_now_ns() + (int64_t)PATIENCE_S * 1000000000;
    while (heard->messages + lag < published) {
        serve(m, 1);
        if (measure_now_ns() > give_up)
            exit((fprintf(stderr, "floor_events: messages are lost\n"), 1));
    }
}

static struct mosquitto *client(int port) {
    struct mosquitto *m = mosquitto_new(NULL, true, NULL);
    if (!m || mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1) ||
        mosquitto_int_option(m, MOSQ_OPT_SEND_MAXIMUM, 65535) || mosquitto_connect(m, "127.0.0.1", port, 60))
        exit((fprintf(stderr, "floor_events: no broker on port %d\n", port), 1));
    return m;
}

static pid_t listener(int port) {
    heard = mmap(NULL, sizeof *heard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = fork();
    if (child)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct mosquitto *m = client(port);
    mosquitto_message_callback_set(m, on_message);
    mosquitto_subscribe_callback_set(m, on_subscribe);
    for (int i = 0; i < 2; i++)
        mosquitto_subscribe(m, NULL, topics[i], 1);
    for (;;)
        serve(m, 1000);
}

static void commit(sqlite3 *db, sqlite3_stmt *insert, size_t group) {
    static const char body[90] = "{\"by\":\"s2\",\"do\":\"vote\",\"args\":{\"a\":\"s4\"}}";
    int r = sqlite3_exec(db, "begin", NULL, NULL, NULL);
    for (size_t i = 0; i < group && !r; i++) {
        sqlite3_bind_text(insert, 1, body, sizeof body, SQLITE_STATIC);
        r = sqlite3_step(insert) != SQLITE_DONE;
        sqlite3_reset(insert);
    }
    if (r || sqlite3_exec(db, "commit", NULL, NULL, NULL))
        exit((fprintf(stderr, "floor_events: %s\n", sqlite3_errmsg(db)), 1));
}

int main(int argc, char **argv) {
    if (argc < 5)
        return fprintf(stderr, "floor_events PORT SECONDS GROUP DATABASE\n"), 2;
    size_t group = strtoul(argv[3], NULL, 10);
    uint64_t told = 0;
    char payload[512];
    memset(payload, 'x', sizeof payload);
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = floor_database("floor_events", argv[4], &db);
    mosquitto_lib_init();
    pid_t child = listener(atoi(argv[1]));
    struct mosquitto *m = client(atoi(argv[1]));
    mosquitto_publish_callback_set(m, on_publish);
    while (!heard->ready)
        serve(m, 1);
    int64_t begin = measure_now_ns(), end = begin + (int64_t)(atof(argv[2]) * 1e9);
    while (measure_now_ns() < end) {
        commit(db, insert, group);
        let_hear(m, 2 * told, LAG);
        for (size_t i = 0; i < 2 * group; i++) {
            while (on_the_way >= WINDOW)
                serve(m, 1000);
            on_the_way++;
            mosquitto_publish(m, NULL, topics[i % 2], sizes[i % 2], payload, 1, false);
        }
        told += group;
    }
    let_hear(m, 2 * told, 0);
    measure_print_rate("floor_events", (double)told / ((double)(measure_now_ns() - begin) / 1e9));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    mosquitto_destroy(m);
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return 0;
}
