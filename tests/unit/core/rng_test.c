#include "core/rng.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_seed_gives_one_sequence(void **state) {
    (void)state;
    struct rng a, b;
    rng_seed(&a, 42);
    rng_seed(&b, 42);
    for (int i = 0; i < 1000; i++)
        assert_true(rng_next(&a) == rng_next(&b));
    rng_seed(&b, 43);
    assert_true(rng_next(&a) != rng_next(&b));
}

// Both published with the algorithms: the state that splitmix64 makes of 0, the first values of {1, 2, 3, 4}.
static void published_values(void **state) {
    (void)state;
    struct rng rng;
    rng_seed(&rng, 0);
    assert_true(rng.s[0] == 0xE220A8397B1DCDAF && rng.s[1] == 0x6E789E6AA1B965F4);
    assert_true(rng.s[2] == 0x06C45D188009454F && rng.s[3] == 0xF88BB8A8724C81EC);
    rng = (struct rng){{1, 2, 3, 4}};
    const uint64_t first[] = {11520, 0, 1509978240, 1215971899390074240};
    for (int i = 0; i < 4; i++)
        assert_true(rng_next(&rng) == first[i]);
}

static void below_is_even(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 24; n++) {
        struct rng rng;
        rng_seed(&rng, n);
        unsigned counts[24] = {0};
        const unsigned draws = 24000;
        for (unsigned i = 0; i < draws; i++) {
            uint32_t value = rng_below(&rng, n);
            assert_true(value < n);
            counts[value]++;
        }
        double chi = 0, expected = (double)draws / n;
        for (uint32_t i = 0; i < n; i++)
            chi += (counts[i] - expected) * (counts[i] - expected) / expected;
        assert_true(chi < 60); // 23 degrees of freedom: once in 30,000 seeds, and the seeds are fixed
    }
}

static void below_takes_large_bounds(void **state) {
    (void)state;
    struct rng rng;
    rng_seed(&rng, 7);
    unsigned upper = 0;
    for (int i = 0; i < 10000; i++) {
        // A plain remainder would draw from the lower half twice as often as from the upper one.
        uint32_t value = rng_below(&rng, 0xAAAAAAAA);
        assert_true(value < 0xAAAAAAAA);
        upper += value >= 0x55555555;
    }
    assert_in_range(upper, 4700, 5300);
}

static void entropy_is_never_zero(void **state) {
    (void)state;
    uint64_t last = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t value = rng_entropy();
        assert_true(value != 0 && value != last);
        last = value;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_gives_one_sequence),
        cmocka_unit_test(published_values),
        cmocka_unit_test(below_is_even),
        cmocka_unit_test(below_takes_large_bounds),
        cmocka_unit_test(entropy_is_never_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
