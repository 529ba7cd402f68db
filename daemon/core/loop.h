// The one event loop, thin over sd-event: descriptors, timers, signals, deferred calls, notify, watchdog.
//
// Lifetime rules:
// 1. Timers, calls and idlers live in their owner's memory; zeroed = stopped; the owner stops them before it
// dies.
// 2. A callback may stop or restart any timer, call or descriptor, its own included; it never frees the
//    object it runs on: it defers that.
// 3. Order in one turn: ready descriptors, due timers (by due time, then by start), deferred calls, idlers.
// 4. With a virtual clock, time stands still while a descriptor is ready, a call is deferred, an idler wants
//    to run or a hold is taken (a worker works), then jumps to the next timer. Idlers wait until no hold is
//    taken, and workers are asked only when nothing else is to be done. Same input, same output.
#pragma once
#include "core/clock.h"
#include "core/error.h"
#include <stdbool.h>
#include <stdint.h>

struct loop;

// clock NULL = the real one. With a struct clock_virtual, `virtual_clock` must be that clock, else NULL.
enum error_code loop_create(const struct clock *clock, struct clock_virtual *virtual_clock, struct loop **ret,
                            struct error *err);
void loop_destroy(struct loop *loop); // NULL allowed
const struct clock *loop_clock(const struct loop *loop);
int64_t loop_now_us(const struct loop *loop); // monotonic

// Runs until loop_quit; returns its code. On a virtual clock also ends (0) when nothing can ever happen
// again: silent descriptors do not count.
int loop_run(struct loop *loop);
// One turn; waits at most max_wait_us (0 = do not wait, negative = no bound). Returns false after loop_quit.
// On a virtual clock the wait is a jump: to the next timer, or by max_wait_us if none is due before.
bool loop_turn(struct loop *loop, int64_t max_wait_us);
void loop_quit(struct loop *loop, int code);

struct loop_timer {
    int64_t due_us; // monotonic
    void (*fn)(void *ctx);
    void *ctx;
    uint64_t order__;
    unsigned slot__; // 0 = stopped
};
// (Re)starts the timer; a due time in the past fires in the next turn. Accuracy 1 ms.
void loop_timer_start(struct loop *loop, struct loop_timer *timer, int64_t due_us, void (*fn)(void *),
                      void *ctx);
void loop_timer_stop(struct loop *loop, struct loop_timer *timer);
bool loop_timer_running(const struct loop_timer *timer);

struct loop_call {
    void (*fn)(void *ctx);
    void *ctx;
    struct loop_call *next__;
    bool queued__;
};
// Runs fn once after the callbacks of this turn; queued once however often it is asked for.
void loop_defer(struct loop *loop, struct loop_call *call, void (*fn)(void *), void *ctx);
void loop_defer_cancel(struct loop *loop, struct loop_call *call);

// Runs fn once per turn while it returns true and nothing else is ready: bulk work that must not delay taps.
struct loop_idler {
    bool (*fn)(void *ctx);
    void *ctx;
    struct loop_idler *next__;
    bool queued__;
};
void loop_idle(struct loop *loop, struct loop_idler *idler, bool (*fn)(void *), void *ctx);
void loop_idle_cancel(struct loop *loop, struct loop_idler *idler);

// Runs before every wait (libmicrohttpd re-arms its timeout here). Never removed.
struct loop_prepare {
    void (*fn)(void *ctx);
    void *ctx;
    struct loop_prepare *next__;
};
void loop_prepare(struct loop *loop, struct loop_prepare *prepare, void (*fn)(void *), void *ctx);

struct loop_fd;
// events: EPOLLIN | EPOLLOUT ... level-triggered. The descriptor stays the caller's.
enum error_code loop_fd_add(struct loop *loop, int fd, uint32_t events,
                            void (*fn)(void *ctx, uint32_t revents), void *ctx, struct loop_fd **ret,
                            struct error *err);
void loop_fd_events(struct loop_fd *watch, uint32_t events);
void loop_fd_remove(struct loop_fd *watch); // before close(); NULL allowed

// Blocks the signal and delivers it on the loop.
enum error_code loop_signal(struct loop *loop, int signo, void (*fn)(void *ctx, int signo), void *ctx,
                            struct error *err);

// How long this turn takes is not logged: what it works out is nobody's to know.
void loop_untold(struct loop *loop);

// While held, virtual time stands still; loop_run does not end. Calls nest.
void loop_hold(struct loop *loop);
void loop_release(struct loop *loop);

// sd_notify and the watchdog, fed from the loop at half its interval and never more often.
void loop_notify(struct loop *loop, const char *state);
enum error_code loop_watchdog(struct loop *loop, struct error *err);

// For worker.c. A quiet descriptor is looked at on a virtual clock only when nothing else is to be done.
bool loop_virtual__(const struct loop *loop);
void loop_fd_quiet__(struct loop_fd *watch);
