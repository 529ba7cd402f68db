// P4, P5: ballots by word at many tables, from the moment one is due to its event at each subscriber.
//   ballots BROKER_PORT HTTP_PORT TOKEN TABLES SEATS PER_SECOND SECONDS CONNECTIONS SUBSCRIBERS
// The tables are called t0, t1, ... and are in a vote; seats s1 ... sSEATS change their ballots again and
// again, one seat more has none, so the vote stays open. PER_SECOND 0: a connection asks again as soon as it
// has its answer. Else ballots are due at that pace, whatever has become of those before them. Subscribers
// hear all tables, one the JSON, the next one protobuf. Each connection speaks for seats of its own.
#include "perf/measure.h"
#include <arpa/inet.h>
#include <errno.h>
#include <mosquitto.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 64, SUBSCRIBERS_MAX = 16, RING = 1024, SAMPLES_MAX = 4000000 };
static const int64_t second_ns = 1000000000, quiet_ns = 1000000000, drain_ns = 10000000000;

// A connection and the ballots it has to send: every CONNECTIONS-th one.
struct link {
    int fd;
    bool waits;      // for its answer
    size_t k, voter; // the next ballot, the one asked for
    int64_t due_ns;
    char answer[4096];
    size_t len;
};
// When the ballots were due that its events will tell of, in order.
struct table {
    uint64_t sent, heard[SUBSCRIBERS_MAX];
    int64_t due_ns[RING];
};

static struct {
    const char *token;
    int port;
    size_t n_tables, voters, n_links, n_subscribers, ready;
    double per_second;
    struct table *table;
    unsigned char *target; // of each voter's next ballot: one of two
    struct link link[CONNECTIONS_MAX];
    struct mosquitto *subscriber[SUBSCRIBERS_MAX];
    uint64_t sent, refused, heard[SUBSCRIBERS_MAX];
    int64_t begin_ns, heard_ns, *sample;
    size_t samples;
} b;

static void fail(const char *what) {
    exit((fprintf(stderr, "ballots: %s\n", what), 1));
}

// ---- what is heard

static void on_message(struct mosquitto *m, void *ctx, const struct mosquitto_message *message) {
    (void)m;
    static const char json_topic[] = "/public/event", action[] = "\"event\":\"action\"";
    size_t who = (size_t)(uintptr_t)ctx - 1, n = 0;
    if (sscanf(message->topic, "tabled/v1/home/t%zu/", &n) != 1 || n >= b.n_tables)
        return; // another house's
    if (strstr(message->topic, json_topic) &&
        !memmem(message->payload, (size_t)message->payloadlen, action, sizeof action - 1))
        fail("an event that tells of no ballot: the vote is over");
    struct table *table = &b.table[n];
    b.heard_ns = measure_now_ns();
    b.heard[who]++;
    if (b.samples < SAMPLES_MAX)
        b.sample[b.samples++] = b.heard_ns - table->due_ns[table->heard[who] % RING];
    table->heard[who]++;
}

static void on_subscribe(struct mosquitto *m, void *ctx, int mid, int n, const int *qos) {
    (void)m, (void)ctx, (void)mid, (void)n, (void)qos;
    b.ready++;
}

static void subscribe(int port) {
    mosquitto_lib_init();
    for (size_t i = 0; i < b.n_subscribers; i++) {
        struct mosquitto *m = b.subscriber[i] = mosquitto_new(NULL, true, (void *)(uintptr_t)(i + 1));
        if (!m || mosquitto_int_option(m, MOSQ_OPT_TCP_NODELAY, 1) ||
            mosquitto_connect(m, "127.0.0.1", port, 60))
            fail("no broker");
        mosquitto_message_callback_set(m, on_message);
        mosquitto_subscribe_callback_set(m, on_subscribe);
        mosquitto_subscribe(m, NULL,
                            i % 2 ? "tabled/v1/home/+/public-pb/event" : "tabled/v1/home/+/public/event", 1);
    }
}

// ---- what is sent

static int64_t due(size_t k) {
    return b.per_second > 0 ? b.begin_ns + (int64_t)((double)k * 1e9 / b.per_second) : 0;
}

static void send_ballot(struct link *link) {
    char text[512], body[64];
    size_t seat = link->voter / b.n_tables + 1, other = seat == 1 ? 2 : 1;
    // The last seat has no ballot of its own, so everybody else may point at it.
    size_t target = b.target[link->voter] ? b.voters / b.n_tables + 1 : other;
    int body_len = snprintf(body, sizeof body, "{\"text\":\"s%zu vote a=s%zu\"}", seat, target);
    int len =
        snprintf(text, sizeof text,
                 "POST /api/v1/tables/t%zu/actions HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer "
                 "%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                 link->voter % b.n_tables, b.port, b.token, body_len, body);
    b.target[link->voter] ^= 1;
    struct table *table = &b.table[link->voter % b.n_tables];
    table->due_ns[table->sent++ % RING] = link->due_ns;
    link->waits = true;
    link->len = 0;
    if (len >= (int)sizeof text || write(link->fd, text, (size_t)len) != len)
        fail("the daemon takes no more requests");
}

static void next_ballot(struct link *link) {
    link->voter = link->k % b.voters;
    int64_t now = measure_now_ns(), at = due(link->k);
    link->due_ns = at ? at : now;
    link->k += b.n_links;
    b.sent++;
    send_ballot(link);
}

// A ballot that says what was said before is asked for once more, the other way round.
static void answered(struct link *link) {
    int status = 0;
    sscanf(link->answer, "HTTP/1.1 %d", &status);
    link->waits = false;
    if (status == 200)
        return;
    b.table[link->voter % b.n_tables].sent--;
    if (status == 422) {
        send_ballot(link);
    } else if (status == 503) {
        b.refused++;
        b.sent--;
    } else {
        fprintf(stderr, "ballots: %s\n", link->answer);
        fail("a ballot was not taken");
    }
}

static void hear(struct link *link) {
    ssize_t n = read(link->fd, link->answer + link->len, sizeof link->answer - 1 - link->len);
    if (n <= 0)
        fail("the daemon has closed a connection");
    link->len += (size_t)n;
    link->answer[link->len] = '\0';
    const char *end = strstr(link->answer, "\r\n\r\n"),
               *size = strcasestr(link->answer, "\r\nContent-Length:");
    if (end && size && (size_t)(end + 4 - link->answer) + strtoul(size + 17, NULL, 10) <= link->len)
        answered(link);
}

static void connect_all(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)b.port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (size_t i = 0; i < b.n_links; i++) {
        int on = 1, fd = b.link[i].fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&to, sizeof to) ||
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on))
            fail("no daemon");
        b.link[i].k = i;
    }
}

// ---- both at once

// Waits for whatever comes, until then at most.
static void serve(int64_t until_ns) {
    struct pollfd fds[SUBSCRIBERS_MAX + CONNECTIONS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < b.n_subscribers; i++) {
        short more = mosquitto_want_write(b.subscriber[i]) ? POLLOUT : 0;
        fds[n++] = (struct pollfd){mosquitto_socket(b.subscriber[i]), (short)(POLLIN | more), 0};
    }
    for (size_t i = 0; i < b.n_links; i++)
        fds[n++] = (struct pollfd){b.link[i].waits ? b.link[i].fd : -1, POLLIN, 0};
    int64_t left = until_ns - measure_now_ns();
    struct timespec wait = {left > 0 ? left / second_ns : 0, left > 0 ? left % second_ns : 0};
    if (ppoll(fds, n, &wait, NULL) < 0 && errno != EINTR)
        fail("poll");
    for (size_t i = 0; i < b.n_subscribers; i++) {
        if (fds[i].revents & POLLIN && mosquitto_loop_read(b.subscriber[i], 1))
            fail("the broker has closed a connection");
        if (fds[i].revents & POLLOUT)
            mosquitto_loop_write(b.subscriber[i], 1);
        mosquitto_loop_misc(b.subscriber[i]);
    }
    for (size_t i = 0; i < b.n_links; i++)
        if (fds[b.n_subscribers + i].revents)
            hear(&b.link[i]);
}

// Everything that is due goes out; when the next one is.
static int64_t send_due(int64_t now) {
    int64_t next = now + second_ns / 10;
    for (size_t i = 0; i < b.n_links; i++) {
        struct link *link = &b.link[i];
        if (link->waits)
            continue;
        int64_t at = due(link->k);
        if (at <= now)
            next_ballot(link);
        else if (at < next)
            next = at;
    }
    return next;
}

static bool all_heard(void) {
    for (size_t i = 0; i < b.n_links; i++)
        if (b.link[i].waits)
            return false;
    for (size_t i = 0; i < b.n_subscribers; i++)
        if (b.heard[i] < b.sent)
            return false;
    return true;
}

static void run(double seconds) {
    b.begin_ns = b.heard_ns = measure_now_ns();
    int64_t end = b.begin_ns + (int64_t)(seconds * 1e9);
    for (int64_t now = b.begin_ns; now < end; now = measure_now_ns())
        serve(send_due(now));
    int64_t now = measure_now_ns();
    for (int64_t give_up = now + drain_ns; !all_heard() && now < give_up && now - b.heard_ns < quiet_ns;
         now = measure_now_ns())
        serve(now + second_ns / 10);
}

static void report(void) {
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < b.n_subscribers; i++)
        least = b.heard[i] < least ? b.heard[i] : least;
    double took = (double)(b.heard_ns - b.begin_ns) / 1e9;
    measure_print_latency("delivery", b.sample, b.samples);
    measure_print_rate("told", took > 0 ? (double)least / took : 0); // by all
    printf("{\"name\":\"ballots\",\"taken\":%llu,\"refused\":%llu,\"lost\":%llu}\n",
           (unsigned long long)b.sent, (unsigned long long)b.refused, (unsigned long long)(b.sent - least));
}

int main(int argc, char **argv) {
    if (argc < 10)
        return fprintf(stderr,
                       "ballots BROKER_PORT HTTP_PORT TOKEN TABLES SEATS PER_SECOND SECONDS CONNECTIONS "
                       "SUBSCRIBERS\n"),
               2;
    b.port = atoi(argv[2]);
    b.token = argv[3];
    b.n_tables = strtoul(argv[4], NULL, 10);
    b.voters = b.n_tables * strtoul(argv[5], NULL, 10);
    b.per_second = atof(argv[6]);
    b.n_links = strtoul(argv[8], NULL, 10);
    b.n_subscribers = strtoul(argv[9], NULL, 10);
    if (!b.voters || !b.n_links || b.n_links > CONNECTIONS_MAX || b.voters % b.n_links || !b.n_subscribers ||
        b.n_subscribers > SUBSCRIBERS_MAX)
        return fprintf(stderr, "ballots: each connection needs as many voters, of at most %d\n",
                       CONNECTIONS_MAX),
               2;
    b.table = calloc(b.n_tables, sizeof *b.table);
    b.target = calloc(b.voters, 1);
    b.sample = malloc(SAMPLES_MAX * sizeof *b.sample);
    if (!b.table || !b.target || !b.sample)
        fail("out of memory");
    subscribe(atoi(argv[1]));
    connect_all();
    while (b.ready < b.n_subscribers)
        serve(measure_now_ns() + second_ns / 10);
    run(atof(argv[7]));
    report();
    return 0;
}
