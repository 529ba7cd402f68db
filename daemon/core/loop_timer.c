// The loop's timers: a binary heap by due time, then by start.
#include "core/log.h"
#include "core/loop__.h"
#include <assert.h>
#include <stdlib.h>

static bool before(const struct loop_timer *a, const struct loop_timer *b) {
    return a->due_us != b->due_us ? a->due_us < b->due_us : a->order__ < b->order__;
}

static void place(struct loop_timers__ *timers, size_t slot, struct loop_timer *timer) {
    timers->heap[slot] = timer;
    timer->slot__ = (unsigned)slot;
}

static void rise(struct loop_timers__ *timers, size_t slot, struct loop_timer *timer) {
    for (; slot > 1 && before(timer, timers->heap[slot / 2]); slot /= 2)
        place(timers, slot, timers->heap[slot / 2]);
    place(timers, slot, timer);
}

static void sink(struct loop_timers__ *timers, size_t slot, struct loop_timer *timer) {
    for (;;) {
        size_t child = 2 * slot;
        if (child > timers->n)
            break;
        if (child < timers->n && before(timers->heap[child + 1], timers->heap[child]))
            child++;
        if (!before(timers->heap[child], timer))
            break;
        place(timers, slot, timers->heap[child]);
        slot = child;
    }
    place(timers, slot, timer);
}

static void take_out(struct loop_timers__ *timers, size_t slot) {
    struct loop_timer *last = timers->heap[timers->n--];
    if (slot > timers->n)
        return;
    if (slot > 1 && before(last, timers->heap[slot / 2]))
        rise(timers, slot, last);
    else
        sink(timers, slot, last);
}

static void grow(struct loop_timers__ *timers) {
    size_t cap = timers->cap ? 2 * timers->cap : 64;
    assert(cap < (size_t)LOOP_DUE__);
    struct loop_timer **heap = realloc(timers->heap, cap * sizeof(struct loop_timer *));
    struct loop_timer **due = heap ? realloc(timers->due, cap * sizeof(struct loop_timer *)) : NULL;
    if (!due) {
        log_no_memory("loop"); // a daemon that loses timers would hang a game for ever
    }
    timers->heap = heap;
    timers->due = due;
    timers->cap = cap;
}

void loop_timer_start(struct loop *loop, struct loop_timer *timer, int64_t due_us, void (*fn)(void *),
                      void *ctx) {
    struct loop_timers__ *timers = &loop->timers;
    loop_timer_stop(loop, timer);
    timer->due_us = due_us;
    timer->fn = fn;
    timer->ctx = ctx;
    timer->order__ = ++timers->order;
    if (timers->n + 1 >= timers->cap)
        grow(timers);
    rise(timers, ++timers->n, timer);
}

void loop_timer_stop(struct loop *loop, struct loop_timer *timer) {
    struct loop_timers__ *timers = &loop->timers;
    if (timer->slot__ & LOOP_DUE__)
        timers->due[timer->slot__ & ~(unsigned)LOOP_DUE__] = NULL;
    else if (timer->slot__)
        take_out(timers, timer->slot__);
    timer->slot__ = 0;
}

bool loop_timer_running(const struct loop_timer *timer) {
    return timer->slot__ != 0;
}

int64_t loop_timers_next__(const struct loop *loop) {
    return loop->timers.n ? loop->timers.heap[1]->due_us : INT64_MAX;
}

size_t loop_timers_run__(struct loop *loop) {
    struct loop_timers__ *timers = &loop->timers;
    int64_t now = timers->n ? loop_now_us(loop) : 0;
    timers->n_due = 0;
    while (timers->n && timers->heap[1]->due_us <= now) {
        struct loop_timer *timer = timers->heap[1];
        take_out(timers, 1);
        timer->slot__ = LOOP_DUE__ | (unsigned)timers->n_due;
        timers->due[timers->n_due++] = timer;
    }
    size_t ran = 0;
    // `due` may move while callbacks start timers: it is read anew each time.
    for (size_t i = 0; i < timers->n_due; i++) {
        struct loop_timer *timer = timers->due[i];
        if (!timer)
            continue;
        timer->slot__ = 0;
        timer->fn(timer->ctx);
        ran++;
    }
    timers->n_due = 0;
    return ran;
}

void loop_timers_free__(struct loop *loop) {
    free((void *)loop->timers.heap);
    free((void *)loop->timers.due);
}
