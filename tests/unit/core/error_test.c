#include "core/error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void names_and_codes_agree(void **state) {
    (void)state;
    for (int code = 0; code < ERROR_CODES; code++) {
        assert_int_equal(error_by_name(error_name((enum error_code)code)), code);
        assert_true(error_http((enum error_code)code) >= 200);
        assert_true(strlen(error_sentence((enum error_code)code)) > 0);
    }
    assert_int_equal(error_by_name("no_such"), ERROR_CODES);
    assert_int_equal(error_http(ERROR_STALE), 409);
    assert_string_equal(error_name(ERROR_NEEDS_MATCH), "needs_match");
    assert_string_equal(error_name((enum error_code)999), "internal");
}

static void an_error_says_what_and_where(void **state) {
    (void)state;
    struct error err;
    assert_int_equal(error_set(&err, ERROR_INVALID, "tabled.conf:3", "no key '%s'", "x"), ERROR_INVALID);
    assert_int_equal(err.code, ERROR_INVALID);
    assert_string_equal(err.where, "tabled.conf:3");
    assert_string_equal(err.text, "no key 'x'");
    assert_string_equal(err.rule, "");
    assert_int_equal(error_set(&err, ERROR_BUSY, NULL, NULL), ERROR_BUSY);
    assert_string_equal(err.where, "");
    assert_string_equal(err.text, error_sentence(ERROR_BUSY));
    assert_int_equal(error_set(NULL, ERROR_RATE, "a", "b"), ERROR_RATE);
}

static void a_rule_is_named(void **state) {
    (void)state;
    struct error err;
    assert_int_equal(error_illegal(&err, "not_yourself", NULL), ERROR_ILLEGAL);
    assert_string_equal(err.rule, "not_yourself");
    assert_string_equal(err.text, error_sentence(ERROR_ILLEGAL));
    error_illegal(&err, "a_code_that_is_longer_than_a_rule_code_may_be", "%d", 7);
    assert_int_equal(strlen(err.rule), sizeof err.rule - 1);
    assert_string_equal(err.text, "7");
}

static void what_a_damaged_file_says_is_one_line_of_utf8(void **state) {
    (void)state;
    struct error err;
    error_set(&err, ERROR_CORRUPT, "a\nb\x86", "no `%s` here: \xe4\xba\xba", "x\xff\x1b[31m\r\n");
    assert_string_equal(err.where, "a?b?");
    assert_string_equal(err.text, "no `x??[31m??` here: \xe4\xba\xba");
}

static void b122_long_text_is_cut_between_characters(void **state) {
    (void)state;
    char text[400], where[200];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xE2\x82\xAC", 4);
        snprintf(where, sizeof where, "%.150s", text);
        struct error err;
        error_set(&err, ERROR_INVALID, where, "%s", text);
        assert_true(strlen(err.text) < sizeof err.text && strlen(err.text) > sizeof err.text - 4);
        assert_int_equal((strlen(err.text) - shift) % 3, 0);
        assert_int_equal((strlen(err.where) - shift) % 3, 0);
    }
}

static void an_error_may_be_made_from_itself(void **state) {
    (void)state;
    struct error err;
    error_set(&err, ERROR_INVALID, "here", "inner");
    error_set(&err, ERROR_CORRUPT, err.where, "outer: %s", err.text);
    assert_string_equal(err.text, "outer: inner");
    assert_string_equal(err.where, "here");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_codes_agree),
        cmocka_unit_test(an_error_says_what_and_where),
        cmocka_unit_test(a_rule_is_named),
        cmocka_unit_test(what_a_damaged_file_says_is_one_line_of_utf8),
        cmocka_unit_test(b122_long_text_is_cut_between_characters),
        cmocka_unit_test(an_error_may_be_made_from_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
