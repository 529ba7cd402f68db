#include "core/log.h"
#include "core/loop__.h"
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>

static const int64_t stall_us = 50000;
enum { HUNGRY_MAX = 8 }; // turns that idlers give way to a descriptor that never falls silent

struct loop_fd {
    struct loop *loop;
    sd_event_source *source;
    void (*fn)(void *ctx, uint32_t revents);
    void *ctx;
    uint64_t turn; // last turn it was called in
    uint32_t events;
    struct loop_fd *next_quiet;
    bool quiet;
};

struct loop_signal__ {
    sd_event_source *source;
    void (*fn)(void *ctx, int signo);
    void *ctx;
    struct loop *loop;
    struct loop_signal__ *next;
};

static enum error_code failed(struct error *err, const char *what, int negative_errno) {
    return error_set(err, ERROR_INTERNAL, "loop", "%s: %s", what, strerror(-negative_errno));
}

enum error_code loop_create(const struct clock *clock, struct clock_virtual *virtual_clock, struct loop **ret,
                            struct error *err) {
    assert(!virtual_clock || clock == &virtual_clock->base);
    struct loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return failed(err, "no loop", -ENOMEM);
    int r = sd_event_new(&loop->event);
    if (r < 0) {
        free(loop);
        return failed(err, "no event loop", r);
    }
    loop->clock = clock ? clock : clock_real();
    loop->virtual_clock = virtual_clock;
    *ret = loop;
    return ERROR_OK;
}

void loop_destroy(struct loop *loop) {
    if (!loop)
        return;
    while (loop->signals) {
        struct loop_signal__ *signal = loop->signals;
        loop->signals = signal->next;
        sd_event_source_disable_unref(signal->source);
        free(signal);
    }
    sd_event_unref(loop->event);
    loop_timers_free__(loop);
    free(loop);
}

const struct clock *loop_clock(const struct loop *loop) {
    return loop->clock;
}

int64_t loop_now_us(const struct loop *loop) {
    return clock_mono_us(loop->clock);
}

bool loop_virtual__(const struct loop *loop) {
    return loop->virtual_clock != NULL;
}

void loop_hold(struct loop *loop) {
    loop->holds++;
}

void loop_release(struct loop *loop) {
    assert(loop->holds > 0);
    loop->holds--;
}

void loop_quit(struct loop *loop, int code) {
    loop->quit = true;
    loop->code = code;
}

// Deferred calls

void loop_defer(struct loop *loop, struct loop_call *call, void (*fn)(void *), void *ctx) {
    call->fn = fn;
    call->ctx = ctx;
    if (call->queued__)
        return;
    call->queued__ = true;
    call->next__ = NULL;
    if (loop->calls)
        loop->calls_tail->next__ = call;
    else
        loop->calls = call;
    loop->calls_tail = call;
}

void loop_defer_cancel(struct loop *loop, struct loop_call *call) {
    if (!call->queued__)
        return;
    struct loop_call *previous = NULL;
    for (struct loop_call **p = &loop->calls; *p != call; p = &(*p)->next__)
        previous = *p;
    if (previous)
        previous->next__ = call->next__;
    else
        loop->calls = call->next__;
    if (loop->calls_tail == call)
        loop->calls_tail = previous;
    if (loop->calls_end == call)
        loop->calls_end = previous; // NULL: it was the last of this turn
    call->queued__ = false;
}

// What a call defers runs in the next turn, so that two calls cannot keep the descriptors waiting for ever.
static void run_calls(struct loop *loop) {
    loop->calls_end = loop->calls ? loop->calls_tail : NULL;
    while (loop->calls_end) {
        struct loop_call *call = loop->calls;
        if (call == loop->calls_end)
            loop->calls_end = NULL;
        loop->calls = call->next__;
        call->queued__ = false;
        call->fn(call->ctx);
    }
}

// Idlers

void loop_idle(struct loop *loop, struct loop_idler *idler, bool (*fn)(void *), void *ctx) {
    idler->fn = fn;
    idler->ctx = ctx;
    if (idler->queued__)
        return;
    idler->queued__ = true;
    idler->next__ = NULL;
    if (loop->idlers)
        loop->idlers_tail->next__ = idler;
    else
        loop->idlers = idler;
    loop->idlers_tail = idler;
}

void loop_idle_cancel(struct loop *loop, struct loop_idler *idler) {
    if (loop->idling == idler)
        loop->idling = NULL;
    if (!idler->queued__)
        return;
    struct loop_idler *previous = NULL;
    for (struct loop_idler **p = &loop->idlers; *p != idler; p = &(*p)->next__)
        previous = *p;
    if (previous)
        previous->next__ = idler->next__;
    else
        loop->idlers = idler->next__;
    if (loop->idlers_tail == idler)
        loop->idlers_tail = previous;
    if (loop->idlers_end == idler)
        loop->idlers_end = previous;
    idler->queued__ = false;
}

static bool may_idle(struct loop *loop) {
    if (!loop->idlers)
        return false;
    if (loop->virtual_clock && loop->holds > 0)
        return false; // how often they run must not depend on the speed of a worker
    bool busy = loop->again || loop->calls || loop_timers_next__(loop) <= loop_now_us(loop);
    if (busy && ++loop->hungry < HUNGRY_MAX)
        return false;
    loop->hungry = 0;
    return true;
}

static void run_idlers(struct loop *loop) {
    loop->idlers_end = loop->idlers ? loop->idlers_tail : NULL;
    for (struct loop_idler *idler; loop->idlers_end && (idler = loop->idlers) != NULL;) {
        if (idler == loop->idlers_end)
            loop->idlers_end = NULL;
        loop->idlers = idler->next__;
        idler->queued__ = false;
        loop->idling = idler;
        bool more = idler->fn(idler->ctx);
        if (more && loop->idling)
            loop_idle(loop, idler, idler->fn, idler->ctx);
        loop->idling = NULL;
    }
}

void loop_prepare(struct loop *loop, struct loop_prepare *prepare, void (*fn)(void *), void *ctx) {
    *prepare = (struct loop_prepare){fn, ctx, NULL};
    struct loop_prepare **p = &loop->prepares;
    while (*p)
        p = &(*p)->next__;
    *p = prepare;
}

// Descriptors

static int ready(sd_event_source *source, int fd, uint32_t revents, void *ctx) {
    (void)source;
    (void)fd;
    struct loop_fd *watch = ctx;
    struct loop *loop = watch->loop;
    if (watch->turn == loop->turn) {
        loop->again = true; // level-triggered: it comes again in the next turn
        return 0;
    }
    watch->turn = loop->turn;
    loop->dispatched++;
    watch->fn(watch->ctx, revents); // may remove the watch
    return 0;
}

enum error_code loop_fd_add(struct loop *loop, int fd, uint32_t events,
                            void (*fn)(void *ctx, uint32_t revents), void *ctx, struct loop_fd **ret,
                            struct error *err) {
    struct loop_fd *watch = calloc(1, sizeof *watch);
    if (!watch)
        return failed(err, "descriptor not watched", -ENOMEM);
    *watch = (struct loop_fd){.loop = loop, .fn = fn, .ctx = ctx, .events = events};
    int r = sd_event_add_io(loop->event, &watch->source, fd, events, ready, watch);
    if (r < 0) {
        free(watch);
        return failed(err, "descriptor cannot be watched", r);
    }
    *ret = watch;
    return ERROR_OK;
}

void loop_fd_events(struct loop_fd *watch, uint32_t events) {
    if (watch->events == events)
        return;
    watch->events = events;
    int r = sd_event_source_set_io_events(watch->source, events);
    if (r < 0)
        log_error("loop", "descriptor cannot be watched: %s", strerror(-r));
}

void loop_fd_quiet__(struct loop_fd *watch) {
    struct loop *loop = watch->loop;
    if (!loop->virtual_clock)
        return;
    watch->quiet = true;
    watch->next_quiet = loop->quiet;
    loop->quiet = watch;
    sd_event_source_set_enabled(watch->source, SD_EVENT_OFF);
}

void loop_fd_remove(struct loop_fd *watch) {
    if (!watch)
        return;
    if (watch->quiet) {
        struct loop_fd **p = &watch->loop->quiet;
        while (*p != watch)
            p = &(*p)->next_quiet;
        *p = watch->next_quiet;
    }
    sd_event_source_disable_unref(watch->source);
    free(watch);
}

static int signalled(sd_event_source *source, const struct signalfd_siginfo *info, void *ctx) {
    (void)source;
    struct loop_signal__ *signal = ctx;
    signal->loop->dispatched++;
    signal->fn(signal->ctx, (int)info->ssi_signo);
    return 0;
}

enum error_code loop_signal(struct loop *loop, int signo, void (*fn)(void *ctx, int signo), void *ctx,
                            struct error *err) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signo);
    struct loop_signal__ *signal = calloc(1, sizeof *signal);
    int r = signal ? -pthread_sigmask(SIG_BLOCK, &set, NULL) : -ENOMEM;
    if (r >= 0) {
        *signal = (struct loop_signal__){.fn = fn, .ctx = ctx, .loop = loop, .next = loop->signals};
        r = sd_event_add_signal(loop->event, &signal->source, signo, signalled, signal);
    }
    if (r < 0) {
        free(signal);
        return failed(err, "signal cannot be watched", r);
    }
    loop->signals = signal;
    return ERROR_OK;
}

// The turn

// One descriptor; 0 if none is ready in time.
static int run_one(struct loop *loop, uint64_t timeout_us, bool first) {
    int r = sd_event_prepare(loop->event);
    if (r == 0)
        r = sd_event_wait(loop->event, timeout_us);
    if (first)
        loop->woke_us = loop_now_us(loop);
    return r > 0 ? sd_event_dispatch(loop->event) : r;
}

// Calls every ready descriptor once. wait_us: for the first; negative = for ever.
static void run_ready(struct loop *loop, int64_t wait_us) {
    uint64_t timeout = wait_us < 0 ? UINT64_MAX : (uint64_t)wait_us;
    loop->again = false;
    bool first = true;
    for (int r = 1; r > 0 && !loop->again && !loop->quit; timeout = 0, first = false) {
        r = run_one(loop, timeout, first);
        if (r < 0) {
            log_error("loop", "the event loop has failed: %s", strerror(-r));
            loop_quit(loop, 1);
        }
    }
}

static int64_t real_wait(const struct loop *loop, int64_t max_wait_us) {
    if (loop->calls || loop->idlers || loop->quit)
        return 0;
    int64_t next = loop_timers_next__(loop);
    if (next == INT64_MAX)
        return max_wait_us;
    int64_t wait = next - loop_now_us(loop);
    if (wait < 0)
        wait = 0;
    return max_wait_us >= 0 && max_wait_us < wait ? max_wait_us : wait;
}

static void ask_workers(struct loop *loop, int64_t max_wait_us) {
    for (struct loop_fd *watch = loop->quiet; watch; watch = watch->next_quiet)
        sd_event_source_set_enabled(watch->source, SD_EVENT_ON);
    run_ready(loop, max_wait_us);
    for (struct loop_fd *watch = loop->quiet; watch; watch = watch->next_quiet)
        sd_event_source_set_enabled(watch->source, SD_EVENT_OFF);
}

// Returns false if nothing can ever happen again.
static bool virtual_wait(struct loop *loop, int64_t max_wait_us) {
    run_ready(loop, 0);
    int64_t next = loop_timers_next__(loop), now = loop_now_us(loop);
    if (loop->dispatched || loop->calls || next <= now || loop->quit)
        return true;
    if (loop->holds > 0) {
        ask_workers(loop, max_wait_us);
        return true;
    }
    if (loop->idlers || max_wait_us == 0)
        return true;
    if (max_wait_us > 0 && next - now > max_wait_us)
        next = now + max_wait_us;
    if (next == INT64_MAX)
        return false;
    clock_virtual_advance(loop->virtual_clock, next - now);
    return true;
}

static bool turn(struct loop *loop, int64_t max_wait_us) {
    assert(!loop->in_turn);
    loop->in_turn = true;
    loop->untold = false;
    loop->turn++;
    loop->dispatched = 0;
    for (struct loop_prepare *prepare = loop->prepares; prepare; prepare = prepare->next__)
        prepare->fn(prepare->ctx);
    bool alive = true;
    if (loop->virtual_clock)
        alive = virtual_wait(loop, max_wait_us);
    else
        run_ready(loop, real_wait(loop, max_wait_us));
    if (!loop->quit)
        loop_timers_run__(loop);
    if (!loop->quit)
        run_calls(loop);
    if (!loop->quit && may_idle(loop))
        run_idlers(loop);
    loop->in_turn = false;
    return alive;
}

void loop_untold(struct loop *loop) {
    loop->untold = true;
}

// A long turn delays every table: it is our own fault and is told.
static void tell_stall(const struct loop *loop) {
    int64_t took = loop_now_us(loop) - loop->woke_us;
    if (took > stall_us && !loop->virtual_clock && !loop->untold)
        log_warning("loop", "a turn took too long ms=%lld", (long long)(took / 1000));
}

bool loop_turn(struct loop *loop, int64_t max_wait_us) {
    if (loop->quit)
        return false;
    turn(loop, max_wait_us);
    tell_stall(loop);
    return !loop->quit;
}

int loop_run(struct loop *loop) {
    bool alive = true;
    while (alive && !loop->quit) {
        alive = turn(loop, -1);
        tell_stall(loop);
    }
    return loop->code;
}

// The service manager

void loop_notify(struct loop *loop, const char *state) {
    (void)loop;
    int r = sd_notify(0, state);
    if (r < 0)
        log_warning("loop", "the service manager was not told: %s", strerror(-r));
}

static void feed_watchdog(void *ctx) {
    struct loop *loop = ctx;
    loop_notify(loop, "WATCHDOG=1");
    loop_timer_start(loop, &loop->watchdog, loop_now_us(loop) + loop->watchdog_us, feed_watchdog, loop);
}

enum error_code loop_watchdog(struct loop *loop, struct error *err) {
    uint64_t limit_us = 0;
    int r = sd_watchdog_enabled(0, &limit_us);
    if (r < 0)
        return error_set(err, ERROR_INVALID, "WATCHDOG_USEC", "not understood: %s", strerror(-r));
    if (r == 0 || loop->virtual_clock)
        return ERROR_OK; // jumping time has nothing to tell about a hang
    loop->watchdog_us = (int64_t)(limit_us / 2);
    feed_watchdog(loop);
    return ERROR_OK;
}
