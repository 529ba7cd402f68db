#include "core/json.h"
#include "core/utf8.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_all(struct json *j) {
    json_begin_object(j);
    json_key(j, "a");
    json_begin_array(j);
    json_int(j, INT64_MIN);
    json_int(j, -7);
    json_int(j, 0);
    json_uint(j, UINT64_MAX);
    json_bool(j, true);
    json_bool(j, false);
    json_text(j, NULL);
    json_end_array(j);
    json_key(j, "b");
    json_begin_object(j);
    json_end_object(j);
    json_key(j, "c");
    json_raw(j, "[1,2]", 5);
    json_key(j, "d");
    json_begin_array(j);
    json_begin_object(j);
    json_end_object(j);
    json_begin_object(j);
    json_end_object(j);
    json_end_array(j);
    json_key(j, "\xE2\x82\xAC");
    json_text(j, "\xF0\x9F\x8E\xB2 dice");
    json_end_object(j);
}
static const char all[] =
    "{\"a\":[-9223372036854775808,-7,0,18446744073709551615,true,false,null],\"b\":{},"
    "\"c\":[1,2],\"d\":[{},{}],\"\xE2\x82\xAC\":\"\xF0\x9F\x8E\xB2 dice\"}";

static void values_and_commas(void **state) {
    (void)state;
    char buf[256];
    struct json j;
    json_begin(&j, buf, sizeof buf);
    write_all(&j);
    assert_true(json_end(&j));
    assert_string_equal(buf, all);
    assert_int_equal(j.len, strlen(all));
}

static void check_text(const char *text, size_t len, const char *expected) {
    char buf[128];
    struct json j;
    json_begin(&j, buf, sizeof buf);
    json_text_n(&j, text, len);
    assert_true(json_end(&j));
    assert_string_equal(buf, expected);
}

static void escapes(void **state) {
    (void)state;
    check_text("\"\\/", 3, "\"\\\"\\\\/\"");
    check_text("\b\t\n\v\f\r\x1F\x7F", 8, "\"\\b\\t\\n\\u000b\\f\\r\\u001f\x7F\"");
    check_text("a\0b", 3, "\"a\\u0000b\"");
    check_text("", 0, "\"\"");
}

static void what_is_not_utf8_is_replaced(void **state) {
    (void)state;
    check_text("\x80", 1, "\"\xEF\xBF\xBD\"");
    check_text("a\xC3", 2, "\"a\xEF\xBF\xBD\"");
    check_text("\xC0\x80", 2, "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");                 // overlong
    check_text("\xED\xA0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""); // surrogate
    check_text("\xE2\x82z", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBDz\"");
    check_text("\xF4\x8F\xBF\xBF", 4, "\"\xF4\x8F\xBF\xBF\"");
    check_text("\xF4\x90\x80\x80", 4, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void b122_a_small_buffer_is_cut_between_characters(void **state) {
    (void)state;
    for (size_t cap = 0; cap <= sizeof all; cap++) {
        char *buf = malloc(cap ? cap : 1); // the sanitizer sees a byte too much
        struct json j;
        json_begin(&j, buf, cap);
        write_all(&j);
        assert_int_equal(json_end(&j), cap > strlen(all));
        assert_int_equal(j.len, strlen(all));
        if (cap > 0) {
            size_t len = strlen(buf);
            assert_true(len < cap && len + 4 >= (cap < sizeof all ? cap : sizeof all));
            assert_memory_equal(buf, all, len);
            for (size_t i = 0; i < len; i += utf8_char(buf + i, len - i))
                assert_true(utf8_char(buf + i, len - i) > 0);
        }
        free(buf);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_commas),
        cmocka_unit_test(escapes),
        cmocka_unit_test(what_is_not_utf8_is_replaced),
        cmocka_unit_test(b122_a_small_buffer_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
