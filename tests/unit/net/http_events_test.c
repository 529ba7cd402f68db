#include "http_client.h"
#include "net/sse.h"
#include "support/door_stub.c"

static const char events[] = "/api/v1/tables/main/events";
enum { TEXT_MAX = 1 << 20 };
static char text[TEXT_MAX];

static int open_events(struct fixture *f, const char *who, const char *query, const char *headers) {
    char path[128];
    int fd = client_open(f);
    snprintf(path, sizeof path, "%s%s", events, query);
    client_ask(f, fd, who, "GET", path, headers, NULL);
    return fd;
}

static size_t count(const char *in, const char *what) {
    size_t n = 0;
    for (const char *at = in; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static void publish(struct fixture *f, const char *what) {
    door_stub_event(f->door, "main", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, what);
}

static void a_stream_begins_with_the_state_and_goes_on_with_what_happens(void **state) {
    struct fixture *f = *state;
    int fd = open_events(f, "display", "", NULL);
    client_drain(f, fd, text, sizeof text);
    assert_non_null(strstr(text, "HTTP/1.1 200"));
    assert_non_null(strstr(text, "Content-Type: text/event-stream"));
    assert_non_null(strstr(text, "retry: 2000\n\n"));
    static const char *const parts[] = {"game", "phase", "board", "seats", "violation", "result"};
    const char *at = text;
    for (size_t i = 0; i < 6; i++) {
        char line[32];
        snprintf(line, sizeof line, "\nevent: %s\n", parts[i]);
        at = strstr(at, line);
        assert_non_null(at);
    }
    door_stub_show(f->door, "main", OBSERVE_PUBLIC, OBSERVE_PART_PHASE);
    publish(f, "first");
    door_stub_narrate(f->door, "main", "spoken");
    client_drain(f, fd, text, sizeof text);
    assert_non_null(strstr(text, "id: abcdef0123456789-public-1\nevent: phase\ndata: {"));
    assert_non_null(strstr(text, "id: abcdef0123456789-public-2\nevent: event\ndata: {"));
    assert_non_null(strstr(text, "id: abcdef0123456789-public-3\nevent: narration\ndata: {"));
    assert_null(strstr(text, "event: board"));
    close(fd);
}

static void whoever_comes_back_gets_what_was_missed(void **state) {
    struct fixture *f = *state;
    int fd = open_events(f, "display", "", NULL);
    publish(f, "first");
    publish(f, "second");
    client_drain(f, fd, text, sizeof text);
    close(fd);
    publish(f, "third");
    fd = open_events(f, "display", "", "Last-Event-ID: abcdef0123456789-public-1\r\n");
    client_drain(f, fd, text, sizeof text);
    assert_null(strstr(text, "first"));
    assert_non_null(strstr(text, "second"));
    assert_non_null(strstr(text, "third"));
    assert_null(strstr(text, "event: reset"));
    assert_null(strstr(text, "event: board"));
    close(fd);
}

static void another_boot_or_audience_is_a_gap(void **state) {
    struct fixture *f = *state;
    static const char *const ids[] = {"0000000000000000-public-1", "abcdef0123456789-s1-1",
                                      "abcdef0123456789-public-999", "abcdef0123456789-public-1x",
                                      "nonsense"};
    int fd = open_events(f, "display", "", NULL);
    publish(f, "first");
    client_drain(f, fd, text, sizeof text);
    close(fd);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char header[80];
        snprintf(header, sizeof header, "Last-Event-ID: %s\r\n", ids[i]);
        fd = open_events(f, "display", "", header);
        client_drain(f, fd, text, sizeof text);
        assert_int_equal(count(text, "event: reset\ndata: {\"reason\":\"gap\"}\n\n"), 1);
        assert_int_equal(count(text, "event: board"), 1);
        close(fd);
    }
}

static void an_id_older_than_the_ring_is_a_gap(void **state) {
    struct fixture *f = *state;
    int fd = open_events(f, "display", "", NULL);
    client_drain(f, fd, text, sizeof text);
    close(fd);
    for (int i = 0; i < SSE_RING_MAX + 10; i++)
        publish(f, "x");
    fd = open_events(f, "display", "", "Last-Event-ID: abcdef0123456789-public-3\r\n");
    client_drain(f, fd, text, sizeof text);
    assert_int_equal(count(text, "event: reset"), 1);
    close(fd);
    fd = open_events(f, "display", "", "Last-Event-ID: abcdef0123456789-public-1030\r\n");
    client_drain(f, fd, text, sizeof text);
    assert_int_equal(count(text, "event: reset"), 0);
    assert_int_equal(count(text, "event: event"), 4);
    close(fd);
}

static void a_seat_has_its_own_stream(void **state) {
    struct fixture *f = *state;
    int own = open_events(f, "s2", "", NULL);
    client_drain(f, own, text, sizeof text);
    assert_non_null(strstr(text, "\"audience\":\"s2\""));
    door_stub_event(f->door, "main", 1, OBSERVE_EVENT_REMINDER, "for s2 alone");
    door_stub_event(f->door, "main", 0, OBSERVE_EVENT_REMINDER, "for s1 alone");
    publish(f, "for all");
    client_drain(f, own, text, sizeof text);
    assert_non_null(strstr(text, "id: abcdef0123456789-s2-1\nevent: event"));
    assert_non_null(strstr(text, "for s2 alone"));
    assert_null(strstr(text, "for s1 alone"));
    int public = open_events(f, "s2", "?audience=public", NULL);
    int admin = open_events(f, "admin", "?audience=s2", NULL);
    client_drain(f, admin, text, sizeof text);
    assert_null(strstr(text, "\"audience\":\"s2\""));
    door_stub_event(f->door, "main", 1, OBSERVE_EVENT_REMINDER, "for s2 alone");
    client_drain(f, public, text, sizeof text);
    assert_null(strstr(text, "for s2 alone"));
    client_drain(f, admin, text, sizeof text);
    assert_null(strstr(text, "for s2 alone"));
    close(own);
    close(public);
    close(admin);
    assert_int_equal(get(f, "metrics", events)->status, 403);
    assert_int_equal(get(f, NULL, events)->status, 401);
    assert_int_equal(get(f, "display", "/api/v1/tables/other/events")->status, 404);
}

static void a_quiet_stream_has_a_heartbeat(void **state) {
    struct fixture *f = *state;
    int fd = open_events(f, "display", "", NULL);
    client_drain(f, fd, text, sizeof text);
    for (int i = 0; i < 3; i++) {
        clock_virtual_advance(&f->clock, (int64_t)SSE_HEARTBEAT_S * 1000000);
        client_drain(f, fd, text, sizeof text);
        assert_int_equal(count(text, ":\n\n"), 1);
    }
    close(fd);
}

// B115: a reader that does not read holds nothing up and nothing back; it is told that it missed something.
static void b115_a_slow_reader_falls_out_of_the_ring(void **state) {
    struct fixture *f = *state;
    int small = 4096, slow = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)f->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    setsockopt(slow, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    assert_int_equal(connect(slow, (struct sockaddr *)&address, sizeof address), 0);
    client_ask(f, slow, "display", "GET", events, NULL, NULL);
    int quick = open_events(f, "display", "", NULL);
    size_t heard = 0;
    for (int i = 0; i < 30000; i++) {
        publish(f, "a sentence that is long enough to fill what lies between the two of them");
        if (i % 100 == 99) {
            client_drain(f, quick, text, sizeof text);
            heard += count(text, "event: event");
            assert_null(strstr(text, "event: reset"));
        }
    }
    assert_true(heard > 29900); // the edge of a chunk may cut the words we count
    size_t n = 0, resets = 0;
    while ((n = client_drain(f, slow, text, sizeof text)) > 0)
        resets += count(text, "event: reset");
    assert_true(resets >= 1);
    close(slow);
    close(quick);
}

// The library's own thread stalls at multiples of 128; our loop must not (perf-goals).
static void many_streams_hear_all(void **state) {
    struct fixture *f = *state;
    static const int numbers[] = {127, 128, 129, 255, 256, 257, 384};
    static int fd[400];
    int n = 0;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        for (; n < numbers[k]; n++) {
            fd[n] = open_events(f, "display", "", NULL);
            client_drain(f, fd[n], text, sizeof text);
            assert_non_null(strstr(text, "event: board"));
        }
        publish(f, "to everybody");
        turn(f, n / SSE_WAKE_MAX + 20);
        for (int i = 0; i < n; i++) {
            client_drain(f, fd[i], text, sizeof text);
            assert_int_equal(count(text, "to everybody"), 1);
        }
    }
    for (int i = 0; i < n; i++)
        close(fd[i]);
    turn(f, 30);
    assert_non_null(strstr(get(f, "metrics", "/metrics")->body, "\ntabled_http_streams 0\n"));
}

static void a_head_and_an_old_client(void **state) {
    struct fixture *f = *state;
    struct answer *a = ask(f, "display", "HEAD", events, NULL, NULL);
    assert_int_equal(a->status, 200);
    assert_true(has_header(a, "Content-Type: text/event-stream"));
    turn(f, 4);
    assert_non_null(strstr(get(f, "metrics", "/metrics")->body, "\ntabled_http_streams 0\n"));
    int fd = client_open(f),
        n = snprintf(text, sizeof text,
                     "GET %s HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", events,
                     token(f, "display"));
    client_send(f, fd, text, (size_t)n);
    client_drain(f, fd, text, sizeof text);
    assert_non_null(strstr(text, "event: result"));
    publish(f, "unchunked");
    client_drain(f, fd, text, sizeof text);
    assert_memory_equal(text, "id: abcdef0123456789-public-1\n", 30);
    close(fd);
}

static void two_tables_do_not_mix(void **state) {
    struct fixture *f = *state;
    door_stub_table(f->door, "other", 3);
    door_stub_show_all(f->door, "other");
    int fd[2] = {open_events(f, "display", "", NULL), client_open(f)};
    client_ask(f, fd[1], "display", "GET", "/api/v1/tables/other/events", NULL, NULL);
    client_drain(f, fd[0], text, sizeof text);
    client_drain(f, fd[1], text, sizeof text);
    publish(f, "at main");
    door_stub_event(f->door, "other", OBSERVE_PUBLIC, OBSERVE_EVENT_REMINDER, "at other");
    client_drain(f, fd[0], text, sizeof text);
    assert_true(strstr(text, "at main") && !strstr(text, "at other"));
    client_drain(f, fd[1], text, sizeof text);
    assert_true(strstr(text, "at other") && !strstr(text, "at main"));
    close(fd[0]);
    close(fd[1]);
}

static void stopping_ends_streams(void **state) {
    struct fixture *f = *state;
    int fd = open_events(f, "display", "", NULL);
    client_drain(f, fd, text, sizeof text);
    http_destroy(f->http);
    f->http = NULL;
    ssize_t n = recv(fd, text, sizeof text, MSG_DONTWAIT);
    assert_true(n >= 5);
    assert_memory_equal(text, "0\r\n\r\n", 5); // whole, not broken off
    assert_int_equal(recv(fd, text, sizeof text, MSG_DONTWAIT), 0);
    publish(f, "to nobody"); // the feed outlives the front
    close(fd);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_stream_begins_with_the_state_and_goes_on_with_what_happens),
        TEST(whoever_comes_back_gets_what_was_missed),
        TEST(another_boot_or_audience_is_a_gap),
        TEST(an_id_older_than_the_ring_is_a_gap),
        TEST(a_seat_has_its_own_stream),
        TEST(a_quiet_stream_has_a_heartbeat),
        TEST(b115_a_slow_reader_falls_out_of_the_ring),
        TEST(many_streams_hear_all),
        TEST(a_head_and_an_old_client),
        TEST(two_tables_do_not_mix),
        TEST(stopping_ends_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
