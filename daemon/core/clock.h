// Time behind a pointer. Everything timed uses the monotonic clock; the wall clock only stamps.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct clock {
    int64_t (*mono_us)(const struct clock *self);
    int64_t (*wall_us)(const struct clock *self); // microseconds since 1970 UTC
};

static inline int64_t clock_mono_us(const struct clock *c) {
    return c->mono_us(c);
}
static inline int64_t clock_wall_us(const struct clock *c) {
    return c->wall_us(c);
}

const struct clock *clock_real(void);

// A clock that a test or `--virtual-clock` turns. Starts at mono 0, wall 2026-01-01T00:00:00Z.
struct clock_virtual {
    struct clock base; // first member
    int64_t mono, wall;
};
void clock_virtual_init(struct clock_virtual *clock);
void clock_virtual_advance(struct clock_virtual *clock, int64_t us);   // both clocks; us >= 0
void clock_virtual_step_wall(struct clock_virtual *clock, int64_t us); // a wall-clock jump only

enum { CLOCK_TEXT_MAX = 32 };
// RFC 3339 UTC with milliseconds: 2026-01-01T00:00:00.000Z. Returns the length.
size_t clock_text(int64_t wall_us, char ret[CLOCK_TEXT_MAX]);
