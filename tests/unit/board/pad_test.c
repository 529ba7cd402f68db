// One pad by itself: limits, the run of misses, silence.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include "board/pad.h"
#include <string.h>

enum { SCAN_US = 85000 };

static const struct tag piece = {7, {4, 0x11, 0x0a, 0x5a, 0x1f, 0x61, 0x80}};

struct one {
    struct pad pad;
    int64_t now;
    struct pad_change changes[PAD_CHANGES_MAX];
    bool again;
};

static bool all_known(void *ctx, const struct tag *tag) {
    (void)ctx;
    (void)tag;
    return true;
}

static unsigned scan(struct one *one, enum pad_outcome outcome) {
    unsigned n = pad_scan(&one->pad, one->now, outcome, &piece, outcome == PAD_SEEN, all_known, NULL,
                          one->changes, &one->again);
    one->now += SCAN_US;
    return n;
}

static struct one resting(const struct pad_limits *limits) {
    struct one one = {.now = 1000000};
    pad_init(&one.pad, limits);
    for (unsigned i = 0; i < 3; i++)
        scan(&one, PAD_SEEN);
    assert_true(one.pad.entry[0].present);
    return one;
}

// Scans of `none` until the piece has left.
static unsigned scans_to_leave(struct one *one) {
    unsigned n = 1;
    while (scan(one, PAD_NONE) == 0)
        n++;
    assert_int_equal(one->changes[0].type, PAD_LEFT);
    return n;
}

static void clean_pad_leaves_with_the_third(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    int64_t first_miss = one.now;
    assert_int_equal(scans_to_leave(&one), 3);
    assert_int_equal(one.changes[0].since_us, first_miss);
}

static double power(double p, unsigned run) {
    double ret = 1;
    while (run-- > 0)
        ret *= p;
    return ret;
}

// What README.md derives: the run is long enough for the rate, and no longer than it must be.
static void run_grows_with_the_observed_rate(void **state) {
    (void)state;
    const double goal = 1e-4 / 43200;
    for (unsigned ppm = 0; ppm <= 130000; ppm += 10) {
        struct pad pad = {.limits = pad_limits_default, .miss_rate = (uint32_t)(ppm * 16.777216)};
        unsigned run = pad_leave_run(&pad);
        double p = ppm / 1e6;
        if (run < 10)
            assert_true(power(p, run) <= goal * 1.01);
        assert_true(run == 3 || power(p, run - 1) >= goal * 0.99);
    }
}

static void healed_misses_teach_the_pad(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    for (unsigned i = 0; i < 2000; i++)
        scan(&one, i % 20 ? PAD_SEEN : PAD_NONE); // 5 %
    assert_int_equal(scans_to_leave(&one), 7);
    for (unsigned i = 0; i < 3000; i++)
        scan(&one, PAD_SEEN);
    assert_int_equal(scans_to_leave(&one), 3);
}

// A nudge costs one scan, for less than a minute.
static void one_nudge_is_soon_forgotten(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    scan(&one, PAD_NONE);
    scan(&one, PAD_NONE);
    scan(&one, PAD_SEEN);
    assert_int_equal(pad_leave_run(&one.pad), 4);
    for (unsigned i = 0; i < 60 * 12; i++)
        scan(&one, PAD_SEEN);
    assert_int_equal(pad_leave_run(&one.pad), 3);
}

static void real_lifts_teach_nothing(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    for (unsigned i = 0; i < 50; i++) {
        assert_int_equal(scans_to_leave(&one), 3);
        for (unsigned k = 0; k < 14; k++)
            scan(&one, PAD_NONE);
        for (unsigned k = 0; k < 3; k++)
            scan(&one, PAD_SEEN);
    }
}

// A removal that was wrong, the piece shows again at once: a miss like the others.
static void a_false_removal_teaches_too(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    assert_int_equal(scans_to_leave(&one), 3);
    for (unsigned k = 0; k < 3; k++)
        scan(&one, PAD_SEEN);
    assert_int_equal(pad_leave_run(&one.pad), 4);
}

static void a_ghost_leaves_by_the_shortest_run(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    one.pad.miss_rate = 1 << 20;
    assert_true(pad_leave_run(&one.pad) > 3);
    one.pad.entry[0].ghost = true;
    assert_int_equal(scans_to_leave(&one), 3);
    assert_true(one.changes[0].ghost);
}

// A reader that tells each arrival once (a wedge): its driver brings its own limits.
static void limits_of_a_driver(void **state) {
    (void)state;
    struct pad_limits limits = pad_limits_default;
    limits.arrive_n = limits.arrive_m = limits.unknown_run = limits.leave_run = 1;
    limits.silent_ms = 0;
    struct one one = {.now = 0};
    pad_init(&one.pad, &limits);
    assert_int_equal(scan(&one, PAD_SEEN), 2);
    assert_int_equal(one.changes[0].type, PAD_ARRIVED);
    assert_int_equal(scan(&one, PAD_NONE), 1);
    assert_int_equal(one.changes[0].type, PAD_LEFT);
    assert_int_equal(pad_silence(&one.pad, INT64_C(1) << 50, one.changes), 0);
}

static void silence_is_unknown_once(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    int64_t last = one.now - SCAN_US;
    assert_int_equal(pad_silence(&one.pad, last + 2999999, one.changes), 0);
    assert_int_equal(pad_silence(&one.pad, last + 3000000, one.changes), 1);
    assert_int_equal(one.pad.state, PAD_STATE_UNKNOWN);
    assert_int_equal(pad_silence(&one.pad, last + 9000000, one.changes), 0);
    assert_int_equal(pad_down(&one.pad, last + 9000000, one.changes), 0);
    one.now = last + 9000000;
    assert_int_equal(scan(&one, PAD_NONE), 1); // known again; the run of misses begins here
    assert_int_equal(one.pad.state, PAD_STATE_KNOWN);
    assert_int_equal(scan(&one, PAD_NONE), 0);
    assert_int_equal(scan(&one, PAD_NONE), 1);
    assert_int_equal(one.changes[0].since_us, last + 9000000);
}

static void sightings_far_apart_are_no_arrival(void **state) {
    (void)state;
    struct one one = {.now = 0};
    pad_init(&one.pad, &pad_limits_default);
    for (unsigned i = 0; i < 300; i++) {
        scan(&one, i % 3 ? PAD_NONE : PAD_SEEN);
        assert_true(one.pad.n == 0 || !one.pad.entry[0].present);
    }
    scan(&one, PAD_SEEN);
    scan(&one, PAD_NONE);
    assert_int_equal(scan(&one, PAD_SEEN), 1); // two of three
    assert_int_equal(one.changes[0].since_us, one.now - 3 * SCAN_US);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_pad_leaves_with_the_third),
        cmocka_unit_test(run_grows_with_the_observed_rate),
        cmocka_unit_test(healed_misses_teach_the_pad),
        cmocka_unit_test(one_nudge_is_soon_forgotten),
        cmocka_unit_test(real_lifts_teach_nothing),
        cmocka_unit_test(a_false_removal_teaches_too),
        cmocka_unit_test(a_ghost_leaves_by_the_shortest_run),
        cmocka_unit_test(limits_of_a_driver),
        cmocka_unit_test(silence_is_unknown_once),
        cmocka_unit_test(sightings_far_apart_are_no_arrival),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
