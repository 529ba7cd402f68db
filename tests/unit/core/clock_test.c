#include "core/clock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void text_is_rfc_3339(void **state) {
    (void)state;
    char text[CLOCK_TEXT_MAX];
    struct clock_virtual clock;
    clock_virtual_init(&clock);
    assert_int_equal(clock_text(clock_wall_us(&clock.base), text), 24);
    assert_string_equal(text, "2026-01-01T00:00:00.000Z");
    clock_text(951782399999999, text);
    assert_string_equal(text, "2000-02-28T23:59:59.999Z");
    clock_text(951782400000000, text);
    assert_string_equal(text, "2000-02-29T00:00:00.000Z");
    clock_text(-5, text);
    assert_string_equal(text, "1970-01-01T00:00:00.000Z");
    clock_text(INT64_MAX, text);
    assert_string_equal(text, "9999-12-31T23:59:59.999Z");
}

static void text_agrees_with_libc(void **state) {
    (void)state;
    for (int64_t second = 0; second < 253402300800; second += 86400 * 29 + 3607) {
        char text[CLOCK_TEXT_MAX], expected[64];
        time_t t = (time_t)second;
        struct tm tm;
        gmtime_r(&t, &tm);
        strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S.000Z", &tm);
        clock_text(second * 1000000, text);
        assert_string_equal(text, expected);
    }
}

static void b098_a_wall_jump_leaves_the_monotonic_clock(void **state) {
    (void)state;
    struct clock_virtual clock;
    clock_virtual_init(&clock);
    clock_virtual_advance(&clock, 1500000);
    int64_t wall = clock_wall_us(&clock.base);
    clock_virtual_step_wall(&clock, -86400 * INT64_C(1000000));
    assert_int_equal(clock_mono_us(&clock.base), 1500000);
    assert_int_equal(clock_wall_us(&clock.base), wall - 86400 * INT64_C(1000000));
}

static void the_real_clock_runs_forward(void **state) {
    (void)state;
    int64_t last = clock_mono_us(clock_real());
    for (int i = 0; i < 1000; i++) {
        int64_t now = clock_mono_us(clock_real());
        assert_true(now >= last);
        last = now;
    }
    assert_true(clock_wall_us(clock_real()) > 1700000000 * INT64_C(1000000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_rfc_3339),
        cmocka_unit_test(text_agrees_with_libc),
        cmocka_unit_test(b098_a_wall_jump_leaves_the_monotonic_clock),
        cmocka_unit_test(the_real_clock_runs_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
