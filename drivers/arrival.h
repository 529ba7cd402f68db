// Readers that tell events in place of levels: somebody touched, somebody went. Pads want levels, again and
// again; this makes them.
#pragma once
#include "drivers/driver.h"
#include "drivers/id_text.h"

enum { ARRIVAL_QUEUE = 4 };
struct arrival {
    struct reader *reader;
    struct loop_timer timer;
    bool running, held;
    struct id now;  // what is told as seen; len 0 = nothing
    unsigned left;  // scans that a touch still lasts
    struct id last; // of the last touch
    int64_t last_us;
    unsigned n_waiting;
    struct id waiting[ARRIVAL_QUEUE]; // touches that came meanwhile
};
void arrival_open(struct arrival *arrival, struct reader *reader);
void arrival_close(struct arrival *arrival);
// Scans are told while it runs; a stop is no removal, and ends touches.
void arrival_run(struct arrival *arrival, bool on);
// A touch: seen a few times, then nothing. The same id within a second is the same touch (B016, B017).
void arrival_touch(struct arrival *arrival, const struct id *id);
// It lies there until it is said to be gone.
void arrival_hold(struct arrival *arrival, const struct id *id);
void arrival_gone(struct arrival *arrival);
