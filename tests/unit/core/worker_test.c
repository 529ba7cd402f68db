#include "core/worker.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct loop *loop;
static struct worker *worker;
static pthread_t main_thread;

struct job {
    struct worker_job base;
    int value, result, *count;
    bool elsewhere;
};

static int set_up(void **state) {
    (void)state;
    main_thread = pthread_self();
    return loop_create(NULL, NULL, &loop, NULL);
}

static int tear_down(void **state) {
    (void)state;
    worker_destroy(worker);
    worker = NULL;
    loop_destroy(loop);
    return 0;
}

static void open_worker(const struct worker_options *options) {
    assert_int_equal(worker_create(loop, options, &worker, NULL), ERROR_OK);
}

static void square(struct worker_job *base) {
    struct job *job = (struct job *)base;
    job->result = job->value * job->value;
    job->elsewhere = !pthread_equal(pthread_self(), main_thread);
}

static void count(struct worker_job *base) {
    struct job *job = (struct job *)base;
    assert_true(pthread_equal(pthread_self(), main_thread));
    job->value = (*job->count)++;
}

static void jobs_run_elsewhere_and_are_done_here(void **state) {
    (void)state;
    open_worker(&(struct worker_options){.name = "a name that is too long", .capacity = 8});
    int done = 0;
    struct job jobs[8];
    for (int i = 0; i < 8; i++) {
        jobs[i] = (struct job){.base = {square, count, NULL}, .value = i, .count = &done};
        assert_true(worker_submit(worker, &jobs[i].base));
    }
    struct job more = {.base = {square, NULL, NULL}};
    assert_false(worker_submit(worker, &more.base)); // full until the loop has seen one done
    assert_int_equal(worker_pending(worker), 8);
    while (worker_pending(worker) > 0)
        loop_turn(loop, -1);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(jobs[i].value, i); // in order
        assert_int_equal(jobs[i].result, i * i);
        assert_true(jobs[i].elsewhere);
    }
    assert_true(worker_submit(worker, &more.base)); // done NULL is allowed
    while (worker_pending(worker) > 0)
        loop_turn(loop, -1);
}

static void free_job(struct worker_job *job) {
    free(job);
}

static void done_may_free_the_job(void **state) {
    (void)state;
    open_worker(&(struct worker_options){.name = "w", .capacity = 1000});
    for (int i = 0; i < 1000; i++) {
        struct job *job = calloc(1, sizeof *job);
        job->base = (struct worker_job){square, free_job, NULL};
        assert_true(worker_submit(worker, &job->base));
    }
    worker_destroy(worker); // drains
    worker = NULL;
}

struct chain {
    struct worker_job base;
    int left;
};

static void do_nothing(struct worker_job *job) {
    (void)job;
}

static void submit_again(struct worker_job *base) {
    struct chain *chain = (struct chain *)base;
    if (chain->left-- > 0)
        assert_true(worker_submit(worker, base));
}

static void destroy_waits_for_what_done_submits(void **state) {
    (void)state;
    open_worker(&(struct worker_options){.name = "w", .capacity = 1});
    struct chain chain = {{do_nothing, submit_again, NULL}, 20};
    assert_true(worker_submit(worker, &chain.base));
    worker_destroy(worker);
    worker = NULL;
    assert_int_equal(chain.left, -1);
}

// A batch that waits at a gate, so that the jobs behind it must come together.
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    bool entered, open;
    unsigned batches, jobs, largest;
    atomic_uint idles;
};

static void batch(void *ctx, struct worker_job *list) {
    struct gate *gate = ctx;
    unsigned n = 0;
    for (struct worker_job *job = list; job; job = job->next__)
        n++;
    pthread_mutex_lock(&gate->lock);
    gate->batches++;
    gate->jobs += n;
    if (n > gate->largest)
        gate->largest = n;
    gate->entered = true;
    pthread_cond_broadcast(&gate->cond);
    while (!gate->open)
        pthread_cond_wait(&gate->cond, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

static void idle(void *ctx) {
    struct gate *gate = ctx;
    atomic_fetch_add(&gate->idles, 1);
}

static void a_batch_takes_all_that_waits(void **state) {
    (void)state;
    struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER};
    open_worker(&(struct worker_options){
        .name = "batch", .capacity = 64, .batch = batch, .idle = idle, .ctx = &gate});
    int done = 0;
    struct job jobs[21];
    for (int i = 0; i < 21; i++) {
        jobs[i] = (struct job){.base = {NULL, count, NULL}, .count = &done};
        assert_true(worker_submit(worker, &jobs[i].base));
        pthread_mutex_lock(&gate.lock);
        while (!gate.entered)
            pthread_cond_wait(&gate.cond, &gate.lock);
        pthread_mutex_unlock(&gate.lock);
    }
    pthread_mutex_lock(&gate.lock);
    gate.open = true;
    pthread_cond_broadcast(&gate.cond);
    pthread_mutex_unlock(&gate.lock);
    while (worker_pending(worker) > 0)
        loop_turn(loop, -1);
    assert_int_equal(gate.jobs, 21);
    assert_int_equal(gate.batches, 2);
    assert_int_equal(gate.largest, 20);
    worker_destroy(worker);
    worker = NULL;
    assert_int_equal(atomic_load(&gate.idles), 1);
}

static void idle_waits_for_a_while_without_jobs(void **state) {
    (void)state;
    struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER, .open = true};
    open_worker(&(struct worker_options){
        .name = "idle", .capacity = 4, .batch = batch, .idle = idle, .idle_after_ms = 3600000, .ctx = &gate});
    struct job job = {.base = {NULL, NULL, NULL}};
    for (int i = 0; i < 20; i++) {
        assert_true(worker_submit(worker, &job.base));
        while (worker_pending(worker) > 0)
            loop_turn(loop, -1);
    }
    assert_int_equal(atomic_load(&gate.idles), 0);
    worker_destroy(worker); // does not wait for the hour
    worker = NULL;
    assert_int_equal(atomic_load(&gate.idles), 1);
}

static void a_hold_is_kept_until_done(void **state) {
    (void)state;
    loop_destroy(loop);
    struct clock_virtual clock;
    clock_virtual_init(&clock);
    assert_int_equal(loop_create(&clock.base, &clock, &loop, NULL), ERROR_OK);
    open_worker(&(struct worker_options){.name = "w", .capacity = 100});
    int done = 0;
    struct job jobs[100];
    for (int i = 0; i < 100; i++) {
        jobs[i] = (struct job){.base = {square, count, NULL}, .value = i, .count = &done};
        assert_true(worker_submit(worker, &jobs[i].base));
    }
    assert_int_equal(loop_run(loop), 0); // nothing can happen any more: it ends
    assert_int_equal(done, 100);
    assert_int_equal(clock_mono_us(&clock.base), 0);
    worker_destroy(worker);
    worker = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(jobs_run_elsewhere_and_are_done_here), TEST(done_may_free_the_job),
        TEST(destroy_waits_for_what_done_submits),  TEST(a_batch_takes_all_that_waits),
        TEST(idle_waits_for_a_while_without_jobs),  TEST(a_hold_is_kept_until_done),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
