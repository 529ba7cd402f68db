// A watched table may be quiet for as long as it likes, as long as the daemon gives its signs of life.
#include "tablectl/silence.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka needs the three above
#include <cmocka.h>

enum { SECOND = 1000000, START = 7 * SECOND };

static void three_bytes_every_15_s_are_life(void **state) {
    (void)state;
    struct silence silence = {0};
    for (int s = 0; s <= 3600; s++)
        assert_false(silence_too_long(&silence, 3 * (s / 15), START + s * (int64_t)SECOND));
}

static void nothing_for_longer_than_three_of_them_is_none(void **state) {
    (void)state;
    struct silence silence = {0};
    assert_false(silence_too_long(&silence, 0, START));
    assert_false(silence_too_long(&silence, 800, START + 30 * (int64_t)SECOND));
    assert_false(silence_too_long(&silence, 800, START + (30 + SILENCE_MAX_S) * (int64_t)SECOND));
    assert_true(silence_too_long(&silence, 800, START + (31 + SILENCE_MAX_S) * (int64_t)SECOND));
    assert_false(silence_too_long(&silence, 803, START + (32 + SILENCE_MAX_S) * (int64_t)SECOND));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_bytes_every_15_s_are_life),
        cmocka_unit_test(nothing_for_longer_than_three_of_them_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
