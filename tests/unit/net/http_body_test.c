#include "net/body.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the headers above
#include <cmocka.h>

static bool start_ok(const char *text) {
    struct body_start *body = calloc(1, sizeof *body);
    struct error err = {0};
    bool ok = body_start(text, strlen(text), body, &err) == ERROR_OK;
    if (ok)
        body_start_free(body);
    free(body);
    return ok;
}

static bool action_ok(const char *text, size_t len) {
    struct body_action body;
    struct error err = {0};
    return body_action(text, len, &body, &err) == ERROR_OK;
}

static bool control_ok(const char *text) {
    struct body_control body;
    struct error err = {0};
    return body_control(text, strlen(text), &body, &err) == ERROR_OK;
}

// Refused in bounded time and stack, whatever the shape.
static void b121_deep_and_big_bodies(void **state) {
    (void)state;
    enum { DEEP = 10000, KEYS = 6000 };
    char *text = malloc(200000);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    assert_false(action_ok(text, 2 * DEEP));
    int n = sprintf(text, "{\"by\":\"s1\",\"do\":\"x\",\"args\":");
    for (int i = 0; i < 15; i++)
        n += sprintf(text + n, "{\"a\":");
    n += sprintf(text + n, "1");
    for (int i = 0; i < 16; i++)
        n += sprintf(text + n, "}");
    assert_true(action_ok(text, (size_t)n)); // 16 deep
    n = sprintf(text, "{");
    for (int i = 0; i < KEYS; i++)
        n += sprintf(text + n, "%s\"key%d\":0", i ? "," : "", i);
    n += sprintf(text + n, "}");
    assert_false(action_ok(text, (size_t)n));
    memset(text, 'x', 100000);
    memcpy(text, "{\"text\":\"", 9);
    memcpy(text + 99998, "\"}", 2);
    assert_false(action_ok(text, 100000));
    free(text);
}

static void b121_duplicates_and_nul(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",
        "null",
        "[]",
        "\"x\"",
        "{",
        "{} {}",
        "{\"text\":\"a\",\"text\":\"b\"}",
        "{\"by\":\"s1\",\"do\":\"x\",\"args\":{\"a\":1,\"a\":2}}",
        "{\"text\":\"a\\u0000b\"}",
        "{\"text\":\"\xff\xfe\"}",
        "{\"text\":\"\"}",
        "{\"text\":\"{\\\"by\\\":1}\"}",
        "{\"text\":\"a\",\"by\":\"s1\",\"do\":\"x\"}",
        "{\"by\":\"s1\"}",
        "{\"do\":\"x\"}",
        "{\"by\":1,\"do\":\"x\"}",
        "{\"by\":\"s1\",\"do\":\"x\",\"args\":[]}",
        "{\"by\":\"s1\",\"do\":\"x\",\"arg\":{}}",
        "{\"if_seq\":1}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (action_ok(wrong[i], strlen(wrong[i])))
            fail_msg("%s", wrong[i]);
    assert_false(action_ok("{\"text\":\"a\0b\"}", 14));
    static const char accent[] = "{\"text\":\"s1 say text=\\u00e4\"}";
    assert_true(action_ok(accent, sizeof accent - 1));
}

static void errors_name_the_field(void **state) {
    (void)state;
    struct body_control body;
    struct error err = {0};
    static const char text[] = "{\"do\":\"pause\",\"remaining\":5}";
    assert_int_equal(body_control(text, strlen(text), &body, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "\"remaining\""));
    static const char seats[] = "{\"game\":\"one_night\",\"seats\":\"three\"}";
    struct body_start *start = calloc(1, sizeof *start);
    assert_int_equal(body_start(seats, strlen(seats), start, &err), ERROR_INVALID);
    assert_string_equal(err.where, "seats");
    assert_string_equal(err.text, "\"seats\" must be a whole number");
    free(start);
}

static void starts(void **state) {
    (void)state;
    static const char *const right[] = {
        "{\"game\":\"one_night\"}",
        "{\"game\":\"one_night\",\"preset\":\"first_evening\",\"seats\":5,\"seed\":1}",
        "{\"game\":\"one_night\",\"roles\":[\"seer\",\"robber\"],\"options\":{}}",
        "{\"game\":\"one_night\",\"roles\":{\"werewolf\":64}}",
    };
    static const char *const wrong[] = {
        "{}",
        "{\"game\":\"One Night\"}",
        "{\"game\":\"one_night\",\"seats\":17}",
        "{\"game\":\"one_night\",\"seats\":-1}",
        "{\"game\":\"one_night\",\"roles\":\"seer\"}",
        "{\"game\":\"one_night\",\"roles\":[1]}",
        "{\"game\":\"one_night\",\"roles\":[\"a b\"]}",
        "{\"game\":\"one_night\",\"roles\":{\"werewolf\":65}}",
        "{\"game\":\"one_night\",\"roles\":{\"werewolf\":-1}}",
        "{\"game\":\"one_night\",\"roles\":{\"werewolf\":9223372036854775807}}",
        "{\"game\":\"one_night\",\"roles\":{\"werewolf\":\"two\"}}",
        "{\"game\":\"one_night\",\"options\":{\"a\":[]}}",
        "{\"game\":\"one_night\",\"options\":{\"a\":1.5}}",
        "{\"game\":\"one_night\",\"options\":{\"a=b\":1}}",
        "{\"game\":\"one_night\",\"options\":{\"a\":\"123456789012345678901234567890123\"}}",
        "{\"game\":\"one_night\",\"seed\":\"18446744073709551616\"}",
        "{\"game\":\"one_night\",\"seed\":\"12x\"}",
        "{\"game\":\"one_night\",\"seed\":-1}",
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (!start_ok(right[i]))
            fail_msg("%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (start_ok(wrong[i]))
            fail_msg("%s", wrong[i]);
}

static void controls(void **state) {
    (void)state;
    static const char *const right[] = {
        "{\"do\":\"pause\"}",
        "{\"do\":\"undo\",\"reason\":\"misread\"}",
        "{\"do\":\"choose\",\"choice\":1,\"option\":0}",
        "{\"do\":\"override\",\"violation\":2}",
        "{\"do\":\"override\",\"action\":{\"by\":\"s1\",\"do\":\"move\"}}",
        "{\"do\":\"again\"}",
    };
    static const char *const wrong[] = {
        "{\"do\":\"explode\"}",
        "{\"do\":\"choose\",\"choice\":1}",
        "{\"do\":\"choose\",\"choice\":-1,\"option\":0}",
        "{\"do\":\"choose\",\"choice\":4294967296,\"option\":0}",
        "{\"do\":\"override\"}",
        "{\"do\":\"override\",\"violation\":2,\"action\":\"s1 x\"}",
        "{\"do\":\"pause\",\"action\":\"s1 x\"}",
        "{\"do\":\"again\",\"reason\":\"x\"}",
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (!control_ok(right[i]))
            fail_msg("%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (control_ok(wrong[i]))
            fail_msg("%s", wrong[i]);
}

static void enrolling(void **state) {
    (void)state;
    struct body_enrol body;
    struct error err = {0};
    static const char text[] = "{\"deck\":\"base\",\"name\":\"w-1\",\"kind\":\"werewolf\",\"pad\":\"s1\"}";
    assert_int_equal(body_enrol(text, strlen(text), &body, &err), ERROR_OK);
    assert_string_equal(body.pad, "s1");
    assert_string_equal(body.face, "");
    assert_int_equal(body.wait_ms, 30000);
    static const char late[] = "{\"deck\":\"b\",\"name\":\"w\",\"kind\":\"k\",\"wait_ms\":120001}";
    assert_int_equal(body_enrol(late, strlen(late), &body, &err), ERROR_INVALID);
    static const char longer[] =
        "{\"deck\":\"b\",\"name\":\"123456789012345678901234567890123\",\"kind\":\"k\"}";
    assert_int_equal(body_enrol(longer, strlen(longer), &body, &err), ERROR_INVALID);
    static const char nameless[] = "{\"deck\":\"b\",\"kind\":\"k\"}",
                      look[] = "{\"deck\":\"b\",\"look\":true}";
    assert_int_equal(body_enrol(nameless, strlen(nameless), &body, &err), ERROR_INVALID);
    assert_int_equal(body_enrol(look, strlen(look), &body, &err), ERROR_OK);
    assert_true(body.look);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b121_deep_and_big_bodies),
        cmocka_unit_test(b121_duplicates_and_nul),
        cmocka_unit_test(errors_name_the_field),
        cmocka_unit_test(starts),
        cmocka_unit_test(controls),
        cmocka_unit_test(enrolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
