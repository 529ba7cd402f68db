// A peer that speaks just enough MQTT 5 to answer late, or never.
#include "mqtt_bench.h"

struct peer {
    struct bench *bench;
    int listener, fd;
    struct loop_fd *listening, *reading;
    size_t len, n_publishes, n_due;
    uint8_t in[256 * 1024];
    uint16_t due[1024];     // packet ids to acknowledge
    int64_t late_us;        // 0 = never
    uint16_t largest;       // packet it takes, 0 = any
    char topics[64 * 1024]; // of what came, a line each
    size_t topics_len;
    struct loop_timer timer;
};

static void acknowledge(void *ctx) {
    struct peer *peer = ctx;
    for (size_t i = 0; i < peer->n_due; i++) {
        const uint8_t puback[] = {0x40, 2, (uint8_t)(peer->due[i] >> 8), (uint8_t)peer->due[i]};
        assert_int_equal(write(peer->fd, puback, sizeof puback), sizeof puback);
    }
    peer->n_due = 0;
}

static void take_packet(struct peer *peer, const uint8_t *packet, const uint8_t *body) {
    const uint8_t size[] = {(uint8_t)(peer->largest >> 8), (uint8_t)peer->largest};
    const uint8_t connack[] = {0x20, 3, 0, 0, 0}, small[] = {0x20, 8, 0, 0, 5, 0x27, 0, 0, size[0], size[1]};
    if (packet[0] >> 4 == 1 && peer->largest > 0) {
        assert_int_equal(write(peer->fd, small, sizeof small), sizeof small);
    } else if (packet[0] >> 4 == 1) {
        assert_int_equal(write(peer->fd, connack, sizeof connack), sizeof connack);
    } else if (packet[0] >> 4 == 3) {
        int topic_len = body[0] << 8 | body[1];
        const uint8_t *id = body + 2 + topic_len;
        peer->n_publishes++;
        peer->topics_len += (size_t)snprintf(peer->topics + peer->topics_len,
                                             sizeof peer->topics - peer->topics_len, "%.*s\n", topic_len,
                                             (const char *)body + 2);
        assert_true(peer->topics_len < sizeof peer->topics);
        assert_true(peer->n_due < 1024);
        peer->due[peer->n_due++] = (uint16_t)(id[0] << 8 | id[1]);
        if (peer->late_us > 0 && !loop_timer_running(&peer->timer))
            loop_timer_start(peer->bench->loop, &peer->timer, loop_now_us(peer->bench->loop) + peer->late_us,
                             acknowledge, peer);
    }
}

static void on_bytes(void *ctx, uint32_t revents) {
    (void)revents;
    struct peer *peer = ctx;
    ssize_t n = read(peer->fd, peer->in + peer->len, sizeof peer->in - peer->len);
    assert_true(n > 0);
    peer->len += (size_t)n;
    size_t used = 0;
    for (;;) {
        size_t left = peer->len - used, len = 0, head = 1;
        const uint8_t *packet = peer->in + used;
        for (unsigned shift = 0; head < left; shift += 7) {
            len |= (size_t)(packet[head] & 0x7f) << shift;
            if ((packet[head++] & 0x80) == 0)
                break;
        }
        if (left < 2 || (packet[head - 1] & 0x80) != 0 || left < head + len)
            break;
        take_packet(peer, packet, packet + head);
        used += head + len;
    }
    memmove(peer->in, peer->in + used, peer->len -= used);
}

static void on_caller(void *ctx, uint32_t revents) {
    (void)revents;
    struct peer *peer = ctx;
    peer->fd = accept4(peer->listener, NULL, NULL, SOCK_CLOEXEC);
    assert_int_equal(loop_fd_add(peer->bench->loop, peer->fd, 1, on_bytes, peer, &peer->reading, NULL),
                     ERROR_OK);
}

static struct peer *open_peer_of(struct bench *b, int64_t late_us, uint16_t largest) {
    struct peer *peer = calloc(1, sizeof *peer);
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(b->broker.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1;
    broker_kill(&b->broker);
    peer->bench = b;
    peer->late_us = late_us;
    peer->largest = largest;
    peer->fd = -1;
    peer->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(peer->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    assert_int_equal(bind(peer->listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(peer->listener, 8), 0);
    assert_int_equal(loop_fd_add(b->loop, peer->listener, 1, on_caller, peer, &peer->listening, NULL),
                     ERROR_OK);
    door_stub_show_all(b->door, "main");
    b->mqtt = bench_mqtt(b, "", 1);
    bench_expect_connected(b, true);
    return peer;
}

static struct peer *open_peer(struct bench *b, int64_t late_us) {
    return open_peer_of(b, late_us, 0);
}

static void close_peer(struct peer *peer) {
    loop_timer_stop(peer->bench->loop, &peer->timer);
    loop_fd_remove(peer->reading);
    loop_fd_remove(peer->listening);
    close(peer->fd);
    close(peer->listener);
    free(peer);
}

static bool nothing_is_due(struct bench *b, const void *what) {
    (void)b;
    return ((const struct peer *)what)->n_due == 0;
}

struct count {
    const struct peer *peer;
    size_t publishes;
};
static bool has_come(struct bench *b, const void *what) {
    (void)b;
    const struct count *count = what;
    return count->peer->n_publishes >= count->publishes;
}

struct topic_wanted {
    struct peer *peer;
    const char *topic;
};
static bool topic_has_come(struct bench *b, const void *what) {
    (void)b;
    const struct topic_wanted *wanted = what;
    return strstr(wanted->peer->topics, wanted->topic) != NULL;
}
static void forget_topics(struct peer *peer) {
    memset(peer->topics, 0, sizeof peer->topics);
    peer->topics_len = 0;
}

static void a_peer_without_nodelay_is_noticed_once(void **state) {
    struct bench *b = *state;
    struct peer *peer = open_peer(b, 35000);
    for (unsigned i = 0; i < 24; i++) {
        assert_true(bench_until(b, nothing_is_due, peer));
        door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "tick");
        const struct count count = {peer, peer->n_publishes + 2};
        assert_true(bench_until(b, has_come, &count));
    }
    const char *said = strstr(b->log, "set `set_tcp_nodelay true` in the broker's configuration");
    assert_non_null(said);
    assert_null(strstr(said, "acknowledgements take"));
    close_peer(peer);
}

// A peer that takes everything and acknowledges nothing: what it is given has a bound, and the newest state
// is what it gets when it wakes up.
static void a_peer_that_never_acknowledges_gets_no_more_than_the_window(void **state) {
    struct bench *b = *state;
    struct peer *peer = open_peer(b, 0);
    for (unsigned i = 1; i <= 800; i++) {
        b->door->table[0].view[0]->phase.n = i;
        door_stub_show(b->door, "main", OBSERVE_PUBLIC, OBSERVE_PART_PHASE);
        door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "tick");
        bench_turn(b);
    }
    assert_true(peer->n_publishes <= 130);
    peer->late_us = 1; // it wakes up
    acknowledge(peer);
    const struct count count = {peer, 130 + 512 * 2};
    assert_true(bench_until(b, has_come, &count));
    close_peer(peer);
}

// Where three tables show more than the peer takes, the event of a fourth waits for what that table shows,
// and not for all that the others do.
static void an_event_does_not_wait_for_other_tables(void **state) {
    static const char *const others[] = {"main", "a", "b"};
    struct bench *b = *state;
    for (unsigned i = 1; i < 3; i++)
        door_stub_table(b->door, others[i], 3);
    door_stub_table(b->door, "last", 3);
    struct peer *peer = open_peer(b, 1);
    const struct topic_wanted tick = {peer, "/public-pb/event"}, state_of_others = {peer, "/b/public/seats"};
    for (unsigned i = 0; i < 2; i++) { // the second one comes behind all that a new connection brings
        forget_topics(peer);
        door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "tick");
        assert_true(bench_until(b, topic_has_come, &tick) && bench_until(b, nothing_is_due, peer));
    }
    peer->late_us = 0;
    for (unsigned i = 0; i < 64; i++) { // the window is full
        door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "tick");
        bench_turn(b);
    }
    for (unsigned i = 0; i < 3; i++)
        door_stub_show_all(b->door, others[i]);
    door_stub_show(b->door, "last", OBSERVE_PUBLIC, OBSERVE_PART_PHASE);
    door_stub_event(b->door, "last", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "tick");
    forget_topics(peer);
    peer->late_us = 1;
    acknowledge(peer);
    assert_true(bench_until(b, topic_has_come, &state_of_others));
    const char *seats = strstr(peer->topics, state_of_others.topic);
    const char *phase = strstr(peer->topics, "/last/public/phase");
    const char *event = strstr(peer->topics, "/last/public/event");
    assert_true(phase != NULL && event != NULL && phase < event && event < seats);
    close_peer(peer);
}

// A peer says how large a packet it takes: what is larger is told to the log, and everything else goes on.
static void what_a_peer_does_not_take_holds_up_nothing(void **state) {
    struct bench *b = *state;
    struct peer *peer = open_peer_of(b, 1, 400);
    door_stub_event(b->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "tick");
    door_stub_show_all(b->door, "main");
    const struct count count = {peer, 3};
    assert_true(bench_until(b, has_come, &count));
    assert_non_null(strstr(b->log, "cannot publish"));
    close_peer(peer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BENCH_TEST(a_peer_without_nodelay_is_noticed_once),
        BENCH_TEST(a_peer_that_never_acknowledges_gets_no_more_than_the_window),
        BENCH_TEST(an_event_does_not_wait_for_other_tables),
        BENCH_TEST(what_a_peer_does_not_take_holds_up_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
