// Order and determinism on the virtual clock: what replay and the secrecy tests stand on (design 2, 8).
#include "core/loop.h"
#include "core/rng.h"
#include "core/worker.h"
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cmocka.h>

// A context: callbacks take no constant.
#define TEXT(text) ((void *)(text))

static struct clock_virtual virtual_clock;
static struct loop *loop;
static char trace[8192];

static int set_up(void **state) {
    (void)state;
    clock_virtual_init(&virtual_clock);
    trace[0] = '\0';
    return loop_create(&virtual_clock.base, &virtual_clock, &loop, NULL);
}

static int tear_down(void **state) {
    (void)state;
    loop_destroy(loop);
    return 0;
}

// Appends "NAME@MILLISECONDS ".
static void note(void *ctx) {
    size_t len = strlen(trace);
    snprintf(trace + len, sizeof trace - len, "%s@%lld ", (const char *)ctx,
             (long long)(loop_now_us(loop) / 1000));
}

static void time_jumps_from_timer_to_timer(void **state) {
    (void)state;
    struct loop_timer timers[4] = {0};
    loop_timer_start(loop, &timers[0], 3600000000, note, TEXT("hour"));
    loop_timer_start(loop, &timers[1], 5000, note, TEXT("first"));
    loop_timer_start(loop, &timers[2], 5000, note, TEXT("second"));
    loop_timer_start(loop, &timers[3], 4000, note, TEXT("before"));
    assert_int_equal(loop_run(loop), 0);
    assert_string_equal(trace, "before@4 first@5 second@5 hour@3600000 ");
    assert_int_equal(clock_wall_us(&virtual_clock.base), 1767225600000000 + 3600000000);
}

static void a_wait_is_a_jump_of_its_length(void **state) {
    (void)state;
    struct loop_timer timer = {0};
    loop_timer_start(loop, &timer, 250000, note, TEXT("t"));
    loop_turn(loop, 0);
    assert_int_equal(loop_now_us(loop), 0);
    loop_turn(loop, 100000);
    assert_int_equal(loop_now_us(loop), 100000);
    loop_turn(loop, 1000000);
    assert_string_equal(trace, "t@250 ");
    loop_turn(loop, 1000000);
    assert_int_equal(loop_now_us(loop), 1250000);
    loop_turn(loop, -1);
    assert_int_equal(loop_now_us(loop), 1250000);
}

static int pipes[2];
static struct loop_fd *watch;

static void drain(void *ctx, uint32_t revents) {
    (void)revents;
    char byte;
    if (read(pipes[0], &byte, 1) == 1)
        note(ctx);
}

static int idles;

static bool idle_thrice(void *ctx) {
    note(ctx);
    return ++idles < 3;
}

static void time_stands_still_while_there_is_work(void **state) {
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(loop_fd_add(loop, pipes[0], EPOLLIN, drain, TEXT("byte"), &watch, NULL), ERROR_OK);
    assert_int_equal(write(pipes[1], "xyz", 3), 3);
    struct loop_timer timer = {0};
    struct loop_call call = {0};
    struct loop_idler idler = {0};
    idles = 0;
    loop_timer_start(loop, &timer, 1000, note, TEXT("timer"));
    loop_defer(loop, &call, note, TEXT("call"));
    loop_idle(loop, &idler, idle_thrice, TEXT("idle"));
    assert_int_equal(loop_run(loop), 0);
    assert_string_equal(trace, "byte@0 call@0 byte@0 byte@0 idle@0 idle@0 idle@0 timer@1 ");
    loop_fd_remove(watch);
    close(pipes[0]);
    close(pipes[1]);
}

static struct loop_timer held_timer;

static void release(void *ctx, uint32_t revents) {
    drain(ctx, revents);
    loop_release(loop);
}

static void time_stands_still_under_a_hold(void **state) {
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(loop_fd_add(loop, pipes[0], EPOLLIN, release, TEXT("free"), &watch, NULL), ERROR_OK);
    loop_timer_start(loop, &held_timer, 1000, note, TEXT("timer"));
    loop_hold(loop);
    for (int i = 0; i < 5; i++)
        loop_turn(loop, 0);
    assert_int_equal(loop_now_us(loop), 0);
    assert_int_equal(write(pipes[1], "x", 1), 1);
    assert_int_equal(loop_run(loop), 0);
    assert_string_equal(trace, "free@0 timer@1 ");
    loop_fd_remove(watch);
    close(pipes[0]);
    close(pipes[1]);
}

// A small world: timers submit jobs, jobs take a random while, what is done defers calls and starts timers.
enum { ACTORS = 6, ROUNDS = 12 };
struct actor {
    struct worker_job job;
    struct loop_timer timer;
    struct loop_call call;
    struct loop_idler idler;
    struct worker *worker;
    char name[4];
    int rounds, turns;
    unsigned *work;
};
static struct actor actors[ACTORS];
static struct rng pace; // of the real world: another one in each run

static void work(struct worker_job *job) {
    struct actor *actor = (struct actor *)job;
    for (volatile int i = 0; i < actor->turns; i++)
        continue;
    if (actor->turns % 4 == 0) // each costs a whole slice of whatever else the machine does
        sched_yield();
}

static bool idle_once(void *ctx) {
    char name[8];
    snprintf(name, sizeof name, "%s.i", ((struct actor *)ctx)->name);
    note(name);
    return false;
}

static void due(void *ctx);

static void called(void *ctx) {
    struct actor *actor = ctx;
    char name[8];
    snprintf(name, sizeof name, "%s.c", actor->name);
    note(name);
    loop_idle(loop, &actor->idler, idle_once, actor);
    if (--actor->rounds > 0)
        loop_timer_start(loop, &actor->timer, loop_now_us(loop) + 1000 * (1 + actor->rounds % 3), due, actor);
}

static void finished(struct worker_job *job) {
    struct actor *actor = (struct actor *)job;
    char name[8];
    snprintf(name, sizeof name, "%s.d", actor->name);
    note(name);
    loop_defer(loop, &actor->call, called, actor);
}

static void due(void *ctx) {
    struct actor *actor = ctx;
    note(actor->name);
    actor->turns = (int)rng_below(&pace, 20000);
    assert_true(worker_submit(actor->worker, &actor->job));
}

static void run_world(uint64_t seed, char *ret, size_t size) {
    set_up(NULL);
    rng_seed(&pace, seed);
    struct worker *worker;
    assert_int_equal(
        worker_create(loop, &(struct worker_options){.name = "w", .capacity = ACTORS}, &worker, NULL),
        ERROR_OK);
    memset(actors, 0, sizeof actors);
    for (int i = 0; i < ACTORS; i++) {
        struct actor *actor = &actors[i];
        actor->job = (struct worker_job){work, finished, NULL};
        actor->worker = worker;
        actor->rounds = ROUNDS;
        snprintf(actor->name, sizeof actor->name, "%c", 'a' + i);
        loop_timer_start(loop, &actor->timer, 1000 * (i / 2), due, actor);
    }
    assert_int_equal(loop_run(loop), 0);
    worker_destroy(worker);
    tear_down(NULL);
    snprintf(ret, size, "%s", trace);
}

static void the_speed_of_a_worker_is_not_seen(void **state) {
    (void)state;
    static char first[sizeof trace], again[sizeof trace];
    run_world(1, first, sizeof first);
    assert_true(strlen(first) > ACTORS * ROUNDS * 4 * 4);
    for (uint64_t seed = 2; seed < 40; seed++) {
        run_world(seed, again, sizeof again);
        assert_string_equal(first, again);
    }
}

static void watchdog_does_not_keep_it_alive(void **state) {
    (void)state;
    char pid[16];
    snprintf(pid, sizeof pid, "%d", getpid());
    setenv("WATCHDOG_PID", pid, 1);
    setenv("WATCHDOG_USEC", "1000000", 1);
    assert_int_equal(loop_watchdog(loop, NULL), ERROR_OK);
    assert_int_equal(loop_run(loop), 0);
    unsetenv("WATCHDOG_PID");
    unsetenv("WATCHDOG_USEC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(time_jumps_from_timer_to_timer),
        TEST(a_wait_is_a_jump_of_its_length),
        TEST(time_stands_still_while_there_is_work),
        TEST(time_stands_still_under_a_hold),
        cmocka_unit_test(the_speed_of_a_worker_is_not_seen),
        TEST(watchdog_does_not_keep_it_alive),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
