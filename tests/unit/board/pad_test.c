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
    static const double allowed[] = {
        [3] = 1e-4, [4] = 1e-4, [5] = 1e-5, [6] = 1e-6, [7] = 1e-6, [8] = 1e-6, [9] = 1e-6};
    const double scans = 43200;
    for (unsigned ppm = 0; ppm <= 130000; ppm += 10) {
        struct pad pad = {.limits = pad_limits_default, .miss_rate = (uint32_t)(ppm * 16.777216)};
        unsigned run = pad_leave_run(&pad);
        double p = ppm / 1e6;
        assert_in_range(run, 3, 10);
        if (run < 10)
            assert_true(power(p, run) * scans <= allowed[run] * 1.01);
        assert_true(run == 3 || power(p, run - 1) * scans >= allowed[run - 1] * 0.99);
    }
}

static void healed_misses_teach_the_pad(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    for (unsigned i = 0; i < 2000; i++)
        scan(&one, i % 20 ? PAD_SEEN : PAD_NONE); // 5 %
    assert_int_equal(scans_to_leave(&one), 9);
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

// ---- what README.md promises of a bad antenna, "The documented time": 5 % of its scans miss, 2 % collide, 1
// % tell a mangled id

enum { MISS = 50, COLLIDE = 20, MANGLE = 10, ALL = 1000 }; // of so many
enum { LIFT_SCANS = 16, LANDING_SCANS = 12 };

static bool is_piece(void *ctx, const struct tag *tag) {
    (void)ctx;
    return tag_equal(tag, &piece);
}

// luck: below ALL. Every mangled id is another one.
static unsigned bad_scan(struct one *one, bool there, unsigned luck) {
    struct tag mangled = piece;
    for (unsigned i = 0; i < 4; i++)
        mangled.b[2 + i] = (uint8_t)(one->now / SCAN_US >> 8 * i) ^ 0x55;
    enum pad_outcome outcome = luck < MISS                      ? PAD_NONE
                               : luck < MISS + COLLIDE          ? PAD_COLLIDED
                               : luck < MISS + COLLIDE + MANGLE ? PAD_SEEN
                               : there                          ? PAD_SEEN
                                                                : PAD_NONE;
    bool garbled = outcome == PAD_SEEN && luck < MISS + COLLIDE + MANGLE;
    unsigned n = pad_scan(&one->pad, one->now, outcome, garbled ? &mangled : &piece, outcome == PAD_SEEN,
                          is_piece, NULL, one->changes, &one->again);
    one->now += SCAN_US;
    return n;
}

// How probable it is that nothing was told within n scans: every course they can take. What counts alike for
// a piece (missed and mangled before it has landed, collided and mangled after it was lifted) comes in turn.
static double untold(const struct one *one, bool there, unsigned n) {
    static const struct way {
        unsigned luck[2], share;
    } landing[] = {{{0, MISS + COLLIDE}, MISS + MANGLE},
                   {{MISS, MISS}, COLLIDE},
                   {{ALL - 1, ALL - 1}, ALL - MISS - COLLIDE - MANGLE}},
      lift[] = {{{MISS, MISS + COLLIDE}, COLLIDE + MANGLE}, {{0, ALL - 1}, ALL - COLLIDE - MANGLE}};
    double sum = 0;
    if (n == 0)
        return 1;
    for (unsigned i = 0; i < (there ? 3 : 2); i++) {
        const struct way *way = there ? &landing[i] : &lift[i];
        struct one next = *one;
        unsigned changes = bad_scan(&next, there, way->luck[n % 2]);
        bool told = false;
        for (unsigned k = 0; k < changes; k++)
            told |= next.changes[k].type == (there ? PAD_ARRIVED : PAD_LEFT);
        if (!told)
            sum += way->share / (double)ALL * untold(&next, there, n - 1);
    }
    return sum;
}

static struct one bad_and_known_to_be(void) {
    struct one one = resting(&pad_limits_default);
    uint32_t seed = 5;
    for (unsigned i = 0; i < 6000; i++) {
        seed = seed * 1103515245u + 12345u;
        bad_scan(&one, true, (seed >> 16) % ALL);
    }
    assert_true(one.pad.n > 0 && one.pad.entry[0].present);
    return one;
}

static void b005_a_landing_in_the_documented_time(void **state) {
    (void)state;
    struct one one = {.now = 1000000};
    pad_init(&one.pad, &pad_limits_default);
    bad_scan(&one, false, ALL - 1);
    assert_true(untold(&one, true, LANDING_SCANS) < 1e-8);
    assert_true(untold(&one, true, LANDING_SCANS - 1) > 1e-8); // and no longer than it must be
}

static void b005_a_lift_in_the_documented_time(void **state) {
    (void)state;
    struct one one = bad_and_known_to_be();
    one.pad.miss_rate = (uint32_t)((double)(1 << 24) * MISS / (ALL - COLLIDE - MANGLE));
    assert_int_equal(pad_leave_run(&one.pad), 9);
    scan(&one, PAD_SEEN);
    assert_true(untold(&one, false, LIFT_SCANS) < 1e-8);
    assert_true(untold(&one, false, LIFT_SCANS - 1) > 1e-8);
}

// With the run that the pad has at each moment, by what it has measured: so many false removals an hour.
static void b005_false_removals_are_as_rare_as_promised(void **state) {
    (void)state;
    struct one one = bad_and_known_to_be();
    const double p = MISS / (double)(ALL - COLLIDE - MANGLE), scans_an_hour = 3600e6 / SCAN_US;
    const unsigned scans = 200000;
    uint64_t seed = 11;
    double sum = 0;
    for (unsigned i = 0; i < scans; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bad_scan(&one, true, (unsigned)(seed >> 33) % ALL);
        sum += power(p, pad_leave_run(&one.pad)) * (1 - p);
    }
    assert_true(sum / scans * scans_an_hour < 1e-6);
    assert_true(one.pad.misses > scans / 25);
}

// A second look may meet the same mangled id: it was heard once and asked twice. The third time it is a tag.
static void one_mangled_id_told_twice_is_no_absence(void **state) {
    (void)state;
    struct one one = resting(&pad_limits_default);
    struct tag mangled = piece;
    mangled.b[3] ^= 0x10;
    for (unsigned i = 1; i <= 6; i++, one.now += SCAN_US) {
        unsigned n =
            pad_scan(&one.pad, one.now, PAD_SEEN, &mangled, 1, is_piece, NULL, one.changes, &one.again);
        assert_false(one.again);
        assert_int_equal(one.pad.entry[0].none_run, i < 4 ? 0 : i - 3);
        assert_int_equal(n, i == 3 || i == 6 ? 1 : 0); // the stranger arrives, the tile has left
    }
    assert_int_equal(one.changes[0].type, PAD_LEFT);
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
        cmocka_unit_test(b005_a_landing_in_the_documented_time),
        cmocka_unit_test(b005_a_lift_in_the_documented_time),
        cmocka_unit_test(b005_false_removals_are_as_rare_as_promised),
        cmocka_unit_test(one_mangled_id_told_twice_is_no_absence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
