#include "core/clock.h"
#include <assert.h>
#include <time.h>

static int64_t read_us(clockid_t id) {
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t real_mono(const struct clock *self) {
    (void)self;
    return read_us(CLOCK_MONOTONIC);
}

static int64_t real_wall(const struct clock *self) {
    (void)self;
    return read_us(CLOCK_REALTIME);
}

const struct clock *clock_real(void) {
    static const struct clock real = {real_mono, real_wall};
    return &real;
}

static int64_t virtual_mono(const struct clock *self) {
    return ((const struct clock_virtual *)self)->mono;
}

static int64_t virtual_wall(const struct clock *self) {
    return ((const struct clock_virtual *)self)->wall;
}

void clock_virtual_init(struct clock_virtual *clock) {
    const int64_t new_year_2026 = 1767225600;
    *clock = (struct clock_virtual){{virtual_mono, virtual_wall}, 0, new_year_2026 * 1000000};
}

void clock_virtual_advance(struct clock_virtual *clock, int64_t us) {
    assert(us >= 0);
    clock->mono += us;
    clock->wall += us;
}

void clock_virtual_step_wall(struct clock_virtual *clock, int64_t us) {
    clock->wall += us;
}

struct day {
    int64_t year;
    unsigned month, day;
};

// Proleptic Gregorian date of a day number since 1970-01-01; years are counted from March so that the leap
// day is a year's last.
static struct day civil(int64_t days) {
    days += 719468; // 0000-03-01
    int64_t era = days / 146097;
    unsigned in_era = (unsigned)(days % 146097);
    unsigned year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    unsigned in_year = in_era - (365 * year + year / 4 - year / 100);
    unsigned from_march = (5 * in_year + 2) / 153;
    unsigned month = from_march < 10 ? from_march + 3 : from_march - 9;
    return (struct day){
        .year = era * 400 + year + (month <= 2),
        .month = month,
        .day = in_year - (153 * from_march + 2) / 5 + 1,
    };
}

static char *digits(char *to, unsigned value, int count) {
    for (int i = count - 1; i >= 0; i--, value /= 10)
        to[i] = (char)('0' + value % 10);
    return to + count;
}

size_t clock_text(int64_t wall_us, char ret[CLOCK_TEXT_MAX]) {
    const int64_t last_ms = 253402300799999; // 9999-12-31T23:59:59.999Z
    int64_t ms = wall_us < 0 ? 0 : wall_us / 1000;
    if (ms > last_ms)
        ms = last_ms;
    struct day date = civil(ms / 86400000);
    unsigned in_day = (unsigned)(ms % 86400000);
    char *p = digits(ret, (unsigned)date.year, 4);
    *p++ = '-';
    p = digits(p, date.month, 2);
    *p++ = '-';
    p = digits(p, date.day, 2);
    *p++ = 'T';
    p = digits(p, in_day / 3600000, 2);
    *p++ = ':';
    p = digits(p, in_day / 60000 % 60, 2);
    *p++ = ':';
    p = digits(p, in_day / 1000 % 60, 2);
    *p++ = '.';
    p = digits(p, in_day % 1000, 3);
    *p++ = 'Z';
    *p = '\0';
    return (size_t)(p - ret);
}
