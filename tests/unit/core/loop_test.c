#include "core/log.h"
#include "core/loop.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

// A context: callbacks take no constant.
#define TEXT(text) ((void *)(text))

static struct loop *loop;
static char trace[256];

static int set_up(void **state) {
    (void)state;
    trace[0] = '\0';
    return loop_create(NULL, NULL, &loop, NULL);
}

static int tear_down(void **state) {
    (void)state;
    loop_destroy(loop);
    return 0;
}

static void note(void *ctx) {
    strncat(trace, ctx, sizeof trace - strlen(trace) - 1);
}

static void note_fd(void *ctx, uint32_t revents) {
    (void)revents;
    note(ctx); // does not read: the descriptor stays ready
}

static bool note_idle(void *ctx) {
    note(ctx);
    return true;
}

static void order_in_a_turn(void **state) {
    (void)state;
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(write(pipes[1], "x", 1), 1);
    struct loop_fd *watch;
    assert_int_equal(loop_fd_add(loop, pipes[0], EPOLLIN, note_fd, TEXT("f"), &watch, NULL), ERROR_OK);
    struct loop_timer timers[3] = {0};
    struct loop_call calls[2] = {0};
    struct loop_idler idler = {0};
    loop_idle(loop, &idler, note_idle, TEXT("i"));
    loop_defer(loop, &calls[0], note, TEXT("c"));
    loop_defer(loop, &calls[1], note, TEXT("d"));
    loop_defer(loop, &calls[0], note, TEXT("c"));
    int64_t now = loop_now_us(loop);
    loop_timer_start(loop, &timers[0], now - 1, note, TEXT("2"));
    loop_timer_start(loop, &timers[1], now - 1, note, TEXT("3"));
    loop_timer_start(loop, &timers[2], now - 2, note, TEXT("1"));
    assert_true(loop_turn(loop, 0));
    // A descriptor that is never read does not let idlers run in each turn, but does not starve them.
    assert_string_equal(trace, "f123cd");
    for (int i = 0; i < 20; i++)
        loop_turn(loop, 0);
    assert_non_null(strchr(trace, 'i'));
    char byte;
    assert_int_equal(read(pipes[0], &byte, 1), 1);
    trace[0] = '\0';
    loop_turn(loop, 0);
    assert_string_equal(trace, "i");
    loop_idle_cancel(loop, &idler);
    loop_fd_remove(watch);
    close(pipes[0]);
    close(pipes[1]);
}

static struct loop_timer *again_timer, *other_timer;
static unsigned again_count;

static void start_again(void *ctx) {
    (void)ctx;
    again_count++;
    loop_timer_start(loop, again_timer, 0, start_again, NULL);
    loop_timer_stop(loop, other_timer);
}

static void a_timer_may_start_itself_and_stop_others(void **state) {
    (void)state;
    struct loop_timer a = {0}, b = {0};
    again_timer = &a;
    other_timer = &b;
    again_count = 0;
    loop_timer_start(loop, &a, 0, start_again, NULL);
    loop_timer_start(loop, &b, 1, note, TEXT("never"));
    loop_turn(loop, 0);
    assert_int_equal(again_count, 1); // in the past: the next turn
    assert_false(loop_timer_running(&b));
    loop_turn(loop, 0);
    assert_int_equal(again_count, 2);
    loop_timer_stop(loop, &a);
    loop_turn(loop, 0);
    assert_int_equal(again_count, 2);
    assert_string_equal(trace, "");
}

enum { MANY = 5000 };
static struct loop_timer many[MANY];
static unsigned fired[MANY], n_fired;

static void record_timer(void *ctx) {
    fired[n_fired++] = (unsigned)((struct loop_timer *)ctx - many);
}

static void many_timers_keep_their_order(void **state) {
    (void)state;
    memset(many, 0, sizeof many);
    n_fired = 0;
    // Started in a shuffled order, half of them stopped, some of the others moved.
    for (unsigned i = 0; i < MANY; i++) {
        unsigned at = i * 2741 % MANY;
        loop_timer_start(loop, &many[at], 1000 + at % 7, record_timer, &many[at]);
    }
    for (unsigned i = 0; i < MANY; i += 2)
        loop_timer_stop(loop, &many[i]);
    for (unsigned i = 1; i < MANY; i += 4)
        loop_timer_start(loop, &many[i], 2000, record_timer, &many[i]);
    loop_turn(loop, 0);
    assert_int_equal(n_fired, MANY / 2);
    for (unsigned i = 1; i < n_fired; i++) {
        const struct loop_timer *a = &many[fired[i - 1]], *b = &many[fired[i]];
        assert_true(a->due_us < b->due_us || (a->due_us == b->due_us && a->order__ < b->order__));
        assert_int_equal(fired[i] % 2, 1);
    }
}

static void timers_are_on_time(void **state) {
    (void)state;
    struct loop_timer timer = {0};
    int64_t begin = loop_now_us(loop);
    loop_timer_start(loop, &timer, begin + 20000, note, TEXT("t"));
    while (trace[0] == '\0')
        loop_turn(loop, -1);
    int64_t took = loop_now_us(loop) - begin;
    assert_true(took >= 20000); // never early; how late depends on the machine
}

static struct loop_call call_a, call_b;

static void defer_again(void *ctx) {
    note(ctx);
    loop_defer(loop, &call_a, defer_again, ctx);
    loop_defer_cancel(loop, &call_b);
}

static void calls_of_calls_wait_a_turn(void **state) {
    (void)state;
    loop_defer(loop, &call_a, defer_again, TEXT("a"));
    loop_defer(loop, &call_b, note, TEXT("b"));
    loop_turn(loop, 0);
    assert_string_equal(trace, "a");
    loop_turn(loop, -1); // does not wait: a call is deferred
    assert_string_equal(trace, "aa");
    loop_defer_cancel(loop, &call_a);
    loop_turn(loop, 0);
    assert_string_equal(trace, "aa");
}

static struct loop_fd *watched;
static uint32_t last_events;

static void remove_on_hang_up(void *ctx, uint32_t revents) {
    (void)ctx;
    last_events = revents;
    note(TEXT("x"));
    if (revents & EPOLLHUP) {
        loop_fd_remove(watched);
        watched = NULL;
    }
}

static void b036_a_dead_descriptor_is_told_and_can_be_dropped(void **state) {
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(loop_fd_add(loop, pair[0], EPOLLIN, remove_on_hang_up, NULL, &watched, NULL), ERROR_OK);
    close(pair[1]);
    loop_turn(loop, 0);
    assert_true(last_events & EPOLLHUP);
    assert_null(watched);
    for (int i = 0; i < 10; i++)
        loop_turn(loop, 0);
    assert_string_equal(trace, "x");
    close(pair[0]);
}

static void what_cannot_be_watched_is_an_error(void **state) {
    (void)state;
    int file = open("/proc/self/exe", O_RDONLY);
    struct error err;
    struct loop_fd *watch;
    assert_int_equal(loop_fd_add(loop, file, EPOLLIN, note_fd, TEXT(""), &watch, &err), ERROR_INTERNAL);
    assert_true(strlen(err.text) > 0);
    close(file);
}

static void events_can_be_changed(void **state) {
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    struct loop_fd *watch;
    assert_int_equal(loop_fd_add(loop, pair[0], EPOLLIN, note_fd, TEXT("w"), &watch, NULL), ERROR_OK);
    loop_turn(loop, 0);
    assert_string_equal(trace, "");
    loop_fd_events(watch, EPOLLIN | EPOLLOUT);
    loop_turn(loop, 0);
    assert_string_equal(trace, "w");
    loop_fd_remove(watch);
    close(pair[0]);
    close(pair[1]);
}

static void on_signal(void *ctx, int signo) {
    note(ctx);
    assert_int_equal(signo, SIGUSR1);
    loop_quit(loop, 7);
}

static void a_signal_comes_on_the_loop(void **state) {
    (void)state;
    assert_int_equal(loop_signal(loop, SIGUSR1, on_signal, TEXT("s"), NULL), ERROR_OK);
    kill(getpid(), SIGUSR1);
    assert_int_equal(loop_run(loop), 7);
    assert_string_equal(trace, "s");
    assert_false(loop_turn(loop, 0));
}

static void prepare_runs_before_each_wait(void **state) {
    (void)state;
    struct loop_prepare a, b;
    loop_prepare(loop, &a, note, TEXT("a"));
    loop_prepare(loop, &b, note, TEXT("b"));
    loop_turn(loop, 0);
    loop_turn(loop, 0);
    assert_string_equal(trace, "abab");
}

// A datagram socket in the place of the service manager's.
static int notify_socket(char path[108]) {
    snprintf(path, 108, "/tmp/loop_test.%d.sock", getpid());
    unlink(path);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    setenv("NOTIFY_SOCKET", path, 1);
    return fd;
}

static void b105_the_watchdog_is_fed_at_half_its_interval(void **state) {
    (void)state;
    char path[108], text[64];
    int fd = notify_socket(path);
    snprintf(text, sizeof text, "%d", getpid());
    setenv("WATCHDOG_PID", text, 1);
    setenv("WATCHDOG_USEC", "40000", 1);
    assert_int_equal(loop_watchdog(loop, NULL), ERROR_OK);
    struct loop_idler idler = {0};
    loop_idle(loop, &idler, note_idle, TEXT("")); // the loop runs at full speed
    int64_t begin = loop_now_us(loop), took;
    unsigned turns = 0;
    while ((took = loop_now_us(loop) - begin) < 200000 || turns < 100) {
        loop_turn(loop, 0);
        turns++;
    }
    unsigned fed = 0;
    ssize_t len;
    while ((len = recv(fd, text, sizeof text - 1, 0)) > 0) {
        text[len] = '\0';
        assert_string_equal(text, "WATCHDOG=1");
        fed++;
    }
    assert_in_range(fed, 2, 1 + (unsigned)(took / 20000));
    loop_idle_cancel(loop, &idler);
    loop_notify(loop, "READY=1");
    len = recv(fd, text, sizeof text - 1, 0);
    assert_int_equal(len, 7);
    close(fd);
    unlink(path);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

static char told[256];

static void sink(void *ctx, enum log_level level, const char *module, const char *line) {
    (void)ctx;
    snprintf(told, sizeof told, "%d %s %s", (int)level, module, line);
}

static void work_long(void *ctx) {
    (void)ctx;
    for (int64_t begin = loop_now_us(loop); loop_now_us(loop) < begin + 60000;)
        continue;
}

static void work_untold(void *ctx) {
    loop_untold(loop);
    work_long(ctx);
}

static void a_long_turn_is_told(void **state) {
    (void)state;
    log_set_sink(sink, NULL);
    struct loop_call call = {0};
    loop_defer(loop, &call, work_long, NULL);
    loop_turn(loop, 0);
    assert_non_null(strstr(told, "1 loop a turn took too long ms="));
    told[0] = '\0';
    loop_defer(loop, &call, work_untold, NULL);
    loop_turn(loop, 0);
    assert_string_equal(told, "");
    loop_defer(loop, &call, work_long, NULL); // that turn alone
    loop_turn(loop, 0);
    assert_string_not_equal(told, "");
    log_set_sink(NULL, NULL);
}

static struct rusage usage(void) {
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    return now;
}

static void waiting_costs_nothing(void **state) {
    (void)state;
    struct loop_timer timer = {0};
    loop_timer_start(loop, &timer, loop_now_us(loop) + 100000, note, TEXT("t"));
    struct rusage before = usage();
    unsigned turns = 0;
    while (trace[0] == '\0') {
        loop_turn(loop, -1);
        turns++;
    }
    struct rusage after = usage();
    assert_true(turns <= 3);
    assert_true((after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 + after.ru_utime.tv_usec -
                    before.ru_utime.tv_usec <
                50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(order_in_a_turn),
        TEST(a_timer_may_start_itself_and_stop_others),
        TEST(many_timers_keep_their_order),
        TEST(timers_are_on_time),
        TEST(calls_of_calls_wait_a_turn),
        TEST(b036_a_dead_descriptor_is_told_and_can_be_dropped),
        TEST(what_cannot_be_watched_is_an_error),
        TEST(events_can_be_changed),
        TEST(a_signal_comes_on_the_loop),
        TEST(prepare_runs_before_each_wait),
        TEST(b105_the_watchdog_is_fed_at_half_its_interval),
        TEST(a_long_turn_is_told),
        TEST(waiting_costs_nothing),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
