// The broker goes, comes back, kicks, or is somebody else's.
#include "mqtt_bench.h"

static void start(struct bench *b) {
    door_stub_show_all(b->door, "main");
    bench_readers(b);
    b->mqtt = bench_mqtt(b, "", 1);
    bench_expect_connected(b, true);
}

static void event(struct bench *b, unsigned n) {
    char text[32];
    snprintf(text, sizeof text, "event %u.", n);
    door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, text);
}

// Two hours of play without a broker: what is kept stays small; then the present state and the newest events.
static void b082_a_long_absence_costs_no_memory(void **state) {
    struct bench *b = *state;
    start(b);
    broker_kill(&b->broker);
    bench_expect_connected(b, false);
    for (unsigned i = 1; i <= 7200; i++) {
        b->door->table[0].view[0]->phase.n = i;
        door_stub_show(b->door, "main", OBSERVE_PUBLIC, OBSERVE_PART_PHASE | OBSERVE_PART_BOARD);
        event(b, i);
    }
    broker_start(&b->broker, NULL);
    bench_listen(b, "#");
    bench_expect(b, "main/public/event", "event 7200.");
    bench_expect(b, "main/public/phase", "\"n\":7200,");
    size_t events = 0, phases = 0;
    for (size_t i = 0; i < b->ear->n; i++) {
        events += strcmp(b->ear->heard[i].topic, "tabled/v1/home/main/public/event") == 0;
        phases += strcmp(b->ear->heard[i].topic, "tabled/v1/home/main/public/phase") == 0;
    }
    assert_true(events <= 512);
    assert_true(phases <= 2);
}

// The broker dies under load and comes back empty: the phase it keeps afterwards is the last one, each event
// that was kept arrives, and in order.
static void no_stale_phase_after_a_restart_under_load(void **state) {
    struct bench *b = *state;
    start(b);
    for (unsigned round = 0; round < 3; round++) {
        unsigned last = 0;
        for (unsigned i = 0; i < 300; i++) {
            last = 1000 * round + i;
            b->door->table[0].view[0]->phase.n = last;
            door_stub_show(b->door, "main", OBSERVE_PUBLIC, OBSERVE_PART_PHASE);
            event(b, last);
            if (i == 150)
                broker_kill(&b->broker);
            if (i == 220)
                broker_start(&b->broker, NULL);
            loop_turn(b->loop, 0);
        }
        char want[32];
        snprintf(want, sizeof want, "\"n\":%u,", last);
        bench_expect_connected(b, true);
        bench_listen(b, "#");
        bench_expect(b, "main/public/phase", want);
        event(b, 99999);
        bench_expect(b, "main/public/event", "event 99999.");
        bench_listen(b, "tabled/v1/home/main/public/phase");
        bench_expect(b, "main/public/phase", want);
    }
}

static void kept_events_arrive_in_order_after_an_outage(void **state) {
    struct bench *b = *state;
    start(b);
    broker_kill(&b->broker);
    for (unsigned i = 1; i <= 300; i++) // the first go while the loss is not even known
        event(b, i);
    bench_expect_connected(b, false);
    broker_start(&b->broker, NULL);
    bench_listen(b, "tabled/v1/home/main/public/event");
    bench_expect(b, "main/public/event", "event 300.");
    unsigned previous = 0;
    for (size_t i = 0; i < b->ear->n; i++) {
        unsigned n;
        assert_int_equal(sscanf(strstr(b->ear->heard[i].payload, "event "), "event %u.", &n), 1);
        assert_true(previous == 0 || n == previous + 1);
        previous = n;
    }
    assert_int_equal(previous, 300);
}

// The broker forgot everything, subscriptions too; whatever its CONNACK says, we subscribe again.
static void b083_b084_commands_work_after_a_restart(void **state) {
    struct bench *b = *state;
    door_stub_show_all(b->door, "main");
    b->mqtt = bench_mqtt(b, "commands = yes", 1);
    bench_expect_connected(b, true);
    for (unsigned round = 0; round < 2; round++) {
        broker_kill(&b->broker);
        bench_expect_connected(b, false);
        broker_start(&b->broker, NULL);
        bench_expect_connected(b, true);
        bench_listen(b, "#");
        bench_expect(b, "main/status", "ready");
        mosquitto_publish_v5(b->ear->client, NULL, "tabled/v1/home/main/cmd/ann/pause", 0, NULL, 1, false,
                             NULL);
        bench_expect(b, "main/reply/ann", "\"verb\":\"pause\",\"code\":\"ok\"");
        assert_int_equal(b->door->n_requests, round + 1);
    }
}

// Two daemons with one configuration take the place from each other: neither storms, and the log says why.
static void b079_a_second_client_of_our_name(void **state) {
    struct bench *b = *state;
    start(b);
    bench_listen(b, "tabled/v1/home/daemon/status");
    struct mqtt *other = bench_mqtt(b, "", 2);
    bench_expect_log(b, "a second client named tabled-home");
    int64_t end = clock_mono_us(clock_real()) + 2000000;
    while (clock_mono_us(clock_real()) < end)
        bench_turn(b);
    unsigned connects = 0; // each brings a birth
    for (size_t i = 0; i < b->ear->n; i++)
        connects += strstr(b->ear->heard[i].payload, "\"state\":\"ready\"") != NULL;
    assert_true(connects >= 3);
    assert_true(connects < 40); // without growth it would be some hundreds
    mqtt_destroy(other);
}

// ---- a peer that takes us and drops us

struct peer {
    int listener;
    struct loop_fd *watch;
    struct bench *bench;
    unsigned n;
    int64_t at_us[16];
};

static void take_and_drop(void *ctx, uint32_t revents) {
    (void)revents;
    static const uint8_t connack[] = {0x20, 3, 0, 0, 0};
    struct peer *peer = ctx;
    int fd = accept4(peer->listener, NULL, NULL, SOCK_CLOEXEC);
    if (peer->n < 16)
        peer->at_us[peer->n++] = clock_mono_us(clock_real());
    assert_int_equal(write(fd, connack, sizeof connack), sizeof connack);
    shutdown(fd, SHUT_WR);
    close(fd);
}

static bool seven_times(struct bench *b, const void *what) {
    (void)b;
    return ((const struct peer *)what)->n >= 7;
}

static void b080_back_off_grows_when_we_are_taken_and_dropped(void **state) {
    struct bench *b = *state;
    broker_kill(&b->broker);
    struct peer peer = {.bench = b,
                        .listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(b->broker.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1;
    setsockopt(peer.listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    assert_int_equal(bind(peer.listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(peer.listener, 8), 0);
    assert_int_equal(loop_fd_add(b->loop, peer.listener, 1, take_and_drop, &peer, &peer.watch, NULL),
                     ERROR_OK);
    b->mqtt = bench_mqtt(b, "", 1); // 20 ms, 40, 80 ... at most 1 s, a quarter up or down
    assert_true(bench_until(b, seven_times, &peer));
    for (unsigned i = 2; i < 7; i++)
        assert_true(peer.at_us[i] - peer.at_us[i - 1] > (int64_t)15000 << (i - 1));
    loop_fd_remove(peer.watch);
    close(peer.listener);
}

// Far more tables than the window takes, all at once: everything arrives, nothing is handed over unbounded.
static void many_messages_at_once_all_arrive(void **state) {
    struct bench *b = *state;
    start(b);
    bench_listen(b, "tabled/v1/home/main/public/event");
    for (unsigned i = 1; i <= 500; i++)
        event(b, i);
    bench_expect(b, "main/public/event", "event 500.");
    assert_int_equal(b->ear->n, 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        // First, because it reads the log: call sites that speak too often fall silent for a while.
        BENCH_TEST(b079_a_second_client_of_our_name),
        BENCH_TEST(b082_a_long_absence_costs_no_memory),
        BENCH_TEST(no_stale_phase_after_a_restart_under_load),
        BENCH_TEST(kept_events_arrive_in_order_after_an_outage),
        BENCH_TEST(b083_b084_commands_work_after_a_restart),
        BENCH_TEST(b080_back_off_grows_when_we_are_taken_and_dropped),
        BENCH_TEST(many_messages_at_once_all_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
