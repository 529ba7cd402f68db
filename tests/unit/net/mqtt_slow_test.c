// A peer that speaks just enough MQTT 5 to answer late, or never.
#include "mqtt_bench.h"

struct peer {
    struct bench *bench;
    int listener, fd;
    struct loop_fd *listening, *reading;
    size_t len, n_publishes, n_due;
    uint8_t in[256 * 1024];
    uint16_t due[1024]; // packet ids to acknowledge
    int64_t late_us;    // 0 = never
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
    static const uint8_t connack[] = {0x20, 3, 0, 0, 0};
    if (packet[0] >> 4 == 1) {
        assert_int_equal(write(peer->fd, connack, sizeof connack), sizeof connack);
    } else if (packet[0] >> 4 == 3) {
        const uint8_t *id = body + 2 + (body[0] << 8 | body[1]);
        peer->n_publishes++;
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

static struct peer *open_peer(struct bench *b, int64_t late_us) {
    struct peer *peer = calloc(1, sizeof *peer);
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(b->broker.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1;
    broker_kill(&b->broker);
    peer->bench = b;
    peer->late_us = late_us;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        BENCH_TEST(a_peer_without_nodelay_is_noticed_once),
        BENCH_TEST(a_peer_that_never_acknowledges_gets_no_more_than_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
