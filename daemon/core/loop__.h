// What loop.c and loop_timer.c share.
#pragma once
#include "core/loop.h"
#include <stddef.h>
#include <systemd/sd-event.h>

enum { LOOP_DUE__ = 1 << 30 }; // in slot__: the timer stands in `due`, not in the heap

struct loop_timers__ {
    struct loop_timer **heap; // heap[1..n], earliest first
    struct loop_timer **due;  // of this turn, in order; NULL = stopped meanwhile
    size_t n, n_due, cap;
    uint64_t order;
};

struct loop {
    sd_event *event;
    const struct clock *clock;
    struct clock_virtual *virtual_clock;
    struct loop_timers__ timers;
    struct loop_call *calls, *calls_tail, *calls_end; // calls_end: last one of this turn
    struct loop_idler *idlers, *idlers_tail, *idlers_end, *idling;
    struct loop_prepare *prepares;
    struct loop_fd *quiet;
    struct loop_signal__ *signals;
    uint64_t turn;
    unsigned holds, dispatched, hungry;
    bool again; // a descriptor was ready a second time in this turn
    bool quit, in_turn;
    int code;
    struct loop_timer watchdog;
    int64_t watchdog_us;
    int64_t woke_us; // when this turn's wait was over
    bool untold;     // of this turn no time is logged
};

// Monotonic due time of the first timer, INT64_MAX if there is none.
int64_t loop_timers_next__(const struct loop *loop);
// Runs what is due now; timers started meanwhile wait for the next turn. Returns how many ran.
size_t loop_timers_run__(struct loop *loop);
void loop_timers_free__(struct loop *loop);
