#include "net/logins.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
// cmocka needs the headers above
#include <cmocka.h>

#define S(s) ((int64_t)(s)*1000000)

static void three_a_minute_five_in_ten_ten_an_hour(void **state) {
    (void)state;
    struct logins *logins = logins_create();
    const uint8_t here[16] = {[10] = 255, [11] = 255, [12] = 192, [13] = 0, [14] = 2, [15] = 7};
    unsigned taken = 0, first_minute = 0, ten_minutes = 0;
    for (int64_t now = 0; now < S(3600); now += S(1)) {
        if (logins_try(logins, here, "ada", now) == 0)
            taken++;
        if (now == S(59))
            first_minute = taken;
        if (now == S(599))
            ten_minutes = taken;
    }
    // The buckets start full and fill while one tries: at most twice what each window allows.
    assert_in_range(first_minute, 3, 5);
    assert_in_range(ten_minutes, 5, 9);
    assert_in_range(taken, 10, 20);
    logins_destroy(logins);
}

static void networks_and_accounts_are_apart(void **state) {
    (void)state;
    struct logins *logins = logins_create();
    uint8_t here[16] = {[10] = 255, [11] = 255, [12] = 192, [13] = 0, [14] = 2, [15] = 7}, there[16],
            near[16];
    memcpy(there, here, sizeof here);
    memcpy(near, here, sizeof here);
    there[14] = 3;
    near[15] = 8;
    for (int i = 0; i < 3; i++)
        assert_int_equal(logins_try(logins, here, "ada", 0), 0);
    assert_int_not_equal(logins_try(logins, here, "ada", 0), 0);
    assert_int_not_equal(logins_try(logins, near, "ada", 0), 0); // the same /24
    assert_int_equal(logins_try(logins, there, "ada", 0), 0);
    assert_int_equal(logins_try(logins, here, "bob", 0), 0);
    assert_in_range(logins_try(logins, here, "ada", 0), 1, 20);
    assert_int_equal(logins_try(logins, here, "ada", S(21)), 0); // never locked
    logins_right(logins, here, "ada", S(21));
    for (int i = 0; i < 3; i++)
        assert_int_equal(logins_try(logins, here, "ada", S(21)), 0);
    logins_destroy(logins);
}

// Neighbours come with their whole address (rate.h): tries of a password still count for their network.
static void a_neighbour_of_many_addresses_is_one(void **state) {
    (void)state;
    struct logins *logins = logins_create();
    uint8_t from[16] = {0xfe, 0x80};
    for (uint8_t i = 0; i < 4; i++) {
        from[8] = from[15] = i;
        assert_int_equal(logins_try(logins, from, "ada", 0) == 0, i < 3);
    }
    from[7] = 1;
    assert_int_equal(logins_try(logins, from, "ada", 0), 0);
    logins_destroy(logins);
}

static void wrong_ones_of_all_have_a_ceiling(void **state) {
    (void)state;
    struct logins *logins = logins_create();
    uint8_t from[16] = {0};
    unsigned refused = 0;
    for (unsigned i = 0; i < 200; i++) {
        memcpy(from, &i, sizeof i);
        if (logins_try(logins, from, "ada", 0))
            refused++;
        else
            logins_wrong(logins, 0);
    }
    assert_int_equal(refused, 200 - 60);
    assert_int_equal(logins_try(logins, from, "eve", S(2)), 0);
    logins_destroy(logins);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(three_a_minute_five_in_ten_ten_an_hour),
                                       cmocka_unit_test(networks_and_accounts_are_apart),
                                       cmocka_unit_test(a_neighbour_of_many_addresses_is_one),
                                       cmocka_unit_test(wrong_ones_of_all_have_a_ceiling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
