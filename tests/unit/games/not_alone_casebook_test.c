// The worked cases of not-alone.md, and cases that must fail.
#include "games/casebook.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static unsigned passed, failed;

static void each(void *ctx, const struct casebook_case *one, const struct casebook_report *report) {
    (void)ctx;
    passed += report->passed;
    failed += !report->passed;
    if (!report->passed)
        fprintf(stderr, "%s: expected %s, got %s\n", one->id, report->expected, report->got);
}

static void every_case_passes(void **state) {
    (void)state;
    struct error err = {0};
    passed = failed = 0;
    assert_int_equal(casebook_file(TESTS_DIR "/casebook/not-alone.md", NULL, NULL, each, NULL, &err),
                     ERROR_OK);
    assert_int_equal(passed, 41);
    assert_int_equal(failed, 0);
}

// What is ill-formed or untrue fails, and says where.
static void bad_cases_fail(void **state) {
    (void)state;
    static const struct {
        const char *text, *got;
    } rows[] = {
        {"[]", "another value"},
        {"{\"id\":\"NA-1\"", ""},
        {"{\"id\":\"NA-1\",\"before\":{},\"actions\":[],\"after\":{},\"x\":1}", "x"},
        {"{\"id\":\"NA-1\",\"before\":{\"players\":9},\"actions\":[],\"after\":{}}", "players"},
        {"{\"id\":\"NA-1\",\"before\":{\"colour\":1},\"actions\":[],\"after\":{}}", "colour"},
        {"{\"id\":\"NA-1\",\"before\":{\"h1\":{\"hand\":[11]}},\"actions\":[],\"after\":{}}", "hand"},
        {"{\"id\":\"NA-1\",\"before\":{\"h7\":{}},\"actions\":[],\"after\":{}}", "h7"},
        {"{\"id\":\"NA-1\",\"before\":{\"hunt_hand\":[\"owl\"]},\"actions\":[],\"after\":{}}", "owl"},
        {"{\"id\":\"NA-1\",\"before\":{\"effects\":{\"owl\":true}},\"actions\":[],\"after\":{}}", "owl"},
        {"{\"id\":\"NA-1\",\"before\":{},\"actions\":[{\"by\":\"h1\",\"do\":\"fly\"}],\"after\":{}}",
         "E_ARG"},
        {"{\"id\":\"NA-1\",\"before\":{},\"actions\":[{\"by\":\"h1\",\"do\":\"take_up\"}],\"after\":{}}",
         "E_NO_EFFECT"},
        {"{\"id\":\"NA-1\",\"before\":{},\"actions\":[{\"by\":\"h1\",\"do\":\"lay\",\"cards\":[1],"
         "\"expect\":\"E_WILL\"}],\"after\":{}}",
         "accepted"},
        {"{\"id\":\"NA-1\",\"before\":{},\"actions\":[],\"after\":{\"rescue\":1}}", "rescue: 14"},
        {"{\"id\":\"NA-1\",\"before\":{},\"actions\":[],\"after\":{\"sky\":1}}", "sky"},
        {"{\"id\":\"NA-1\",\"before\":{}}", "none"},
    };
    const struct casebook *book = casebook_find("not_alone");
    assert_non_null(book);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct casebook_case one = {.id = "NA-1", .text = rows[i].text, .prose = ""};
        struct casebook_report report = {0};
        book->run(&one, &report);
        if (report.passed || !strstr(report.got, rows[i].got))
            fail_msg("%s: %s", rows[i].text, report.passed ? "passed" : report.got);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case_passes), cmocka_unit_test(bad_cases_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
