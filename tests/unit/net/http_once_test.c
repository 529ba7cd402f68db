#include "net/once.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the headers above
#include <cmocka.h>

static const int64_t hour = INT64_C(3600000000);

struct asked {
    enum error_code code;
    bool done;
    struct once_entry *entry;
};

static struct asked ask(struct once *once, const char *who, const char *key, const char *body, int64_t now) {
    struct asked a = {0};
    struct error err = {0};
    a.code = once_begin(once, who, key, "/game", body, strlen(body), now, &a.entry, &a.done, &err);
    return a;
}

static void an_answer_is_kept_for_its_caller_and_body(void **state) {
    (void)state;
    struct once *once = once_create();
    struct asked first = ask(once, "operator", "k", "body", 0);
    assert_int_equal(first.code, ERROR_OK);
    assert_false(first.done);
    assert_int_equal(ask(once, "operator", "k", "body", 1).code, ERROR_NOT_NOW); // still being answered
    once_done(first.entry, 201, "{}", 2);
    struct asked again = ask(once, "operator", "k", "body", 2);
    assert_true(again.done);
    int status;
    size_t len;
    assert_string_equal(once_answer(again.entry, &status, &len), "{}");
    assert_int_equal(status, 201);
    assert_int_equal(ask(once, "operator", "k", "other", 3).code, ERROR_EXISTS);
    assert_false(ask(once, "admin", "k", "other", 3).done);
    once_destroy(once);
}

static void what_failed_for_now_may_be_asked_again(void **state) {
    (void)state;
    struct once *once = once_create();
    once_drop(ask(once, "a", "k", "b", 0).entry);
    struct asked again = ask(once, "a", "k", "b", 1);
    assert_int_equal(again.code, ERROR_OK);
    assert_false(again.done);
    once_destroy(once);
}

static void a_day_later_it_is_forgotten(void **state) {
    (void)state;
    struct once *once = once_create();
    once_done(ask(once, "a", "k", "b", 0).entry, 201, "{}", 2);
    assert_true(ask(once, "a", "k", "b", 24 * hour).done);
    assert_false(ask(once, "a", "k", "other", 24 * hour + 1).done);
    once_destroy(once);
}

static void the_oldest_falls_out(void **state) {
    (void)state;
    struct once *once = once_create();
    char key[16];
    for (int i = 0; i < ONCE_MAX + 1; i++) {
        snprintf(key, sizeof key, "k%d", i);
        once_done(ask(once, "a", key, "b", i).entry, 201, "{}", 2);
    }
    assert_true(ask(once, "a", "k1", "b", 1000).done);
    assert_true(ask(once, "a", key, "b", 1000).done);
    struct asked oldest = ask(once, "a", "k0", "b", 1000);
    assert_false(oldest.done);
    once_drop(oldest.entry);
    // As many as there are places are being answered: one more is too many.
    struct once *busy = once_create();
    for (int i = 0; i < ONCE_MAX; i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_int_equal(ask(busy, "a", key, "b", i).code, ERROR_OK);
    }
    assert_int_equal(ask(busy, "a", "one more", "b", 0).code, ERROR_BUSY);
    once_destroy(busy);
    once_destroy(once);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_kept_for_its_caller_and_body),
        cmocka_unit_test(what_failed_for_now_may_be_asked_again),
        cmocka_unit_test(a_day_later_it_is_forgotten),
        cmocka_unit_test(the_oldest_falls_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
