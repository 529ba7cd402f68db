#include "drivers/arrival.h"
#include <string.h>

// A pad believes in the second of three sightings that are 20 ms apart, and in a lift after ten empty scans
// at most.
enum { ANTENNA = 0, TOUCH_SCANS = 3, TOUCH_US = 30000, LEVEL_US = 85000, SAME_US = 1000000 };

static void tell(void *ctx);

static void next(struct arrival *a, int64_t us) {
    loop_timer_start(a->reader->loop, &a->timer, loop_now_us(a->reader->loop) + us, tell, a);
}

static void begin_next(struct arrival *a) {
    a->now = (struct id){0};
    if (!a->n_waiting)
        return;
    a->now = a->waiting[0];
    a->left = TOUCH_SCANS;
    memmove(a->waiting, a->waiting + 1, --a->n_waiting * sizeof *a->waiting);
}

static void tell(void *ctx) {
    struct arrival *a = ctx;
    struct id id = a->now;
    next(a, id.len && !a->held ? TOUCH_US : LEVEL_US);
    if (!id.len) {
        begin_next(a);
        if (a->now.len)
            next(a, TOUCH_US);
    } else if (!a->held && --a->left == 0) {
        a->now = (struct id){0};
    }
    if (id.len)
        reader_seen(a->reader, ANTENNA, id.b, id.len);
    reader_scan_done(a->reader, ANTENNA, id.len ? DRIVER_SEEN : DRIVER_NONE);
}

void arrival_open(struct arrival *a, struct reader *reader) {
    *a = (struct arrival){.reader = reader, .last_us = INT64_MIN / 2};
}

void arrival_close(struct arrival *a) {
    if (a->reader)
        loop_timer_stop(a->reader->loop, &a->timer);
}

void arrival_run(struct arrival *a, bool on) {
    if (on == a->running)
        return;
    a->running = on;
    if (on) {
        next(a, 0);
        return;
    }
    arrival_close(a);
    a->n_waiting = 0; // a touch is over with its moment; what lies there may lie there still
    if (!a->held)
        a->now = (struct id){0};
}

static bool same(const struct id *x, const struct id *y) {
    return x->len == y->len && memcmp(x->b, y->b, x->len) == 0;
}

void arrival_touch(struct arrival *a, const struct id *id) {
    int64_t now = loop_now_us(a->reader->loop);
    bool again = same(id, &a->last) && now - a->last_us < SAME_US;
    a->last = *id;
    a->last_us = now;
    if (again || a->n_waiting == ARRIVAL_QUEUE)
        return;
    a->held = false;
    a->waiting[a->n_waiting++] = *id;
    if (!a->now.len) {
        begin_next(a);
        if (a->running)
            next(a, 0);
    }
}

void arrival_hold(struct arrival *a, const struct id *id) {
    bool news = !a->held || !same(id, &a->now);
    a->held = true;
    a->now = *id;
    a->n_waiting = 0;
    if (news && a->running)
        next(a, 0);
}

void arrival_gone(struct arrival *a) {
    a->held = false;
    a->now = (struct id){0};
    a->n_waiting = 0;
}
