// The worked cases of the rules file, and that a case with one word changed fails.
#include "games/casebook.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

#define FILE_NAME TESTS_DIR "/casebook/alien-hunt.md"

struct tally {
    unsigned passed, failed;
};
static void each(void *ctx, const struct casebook_case *one, const struct casebook_report *report) {
    struct tally *tally = ctx;
    tally->passed += report->passed;
    tally->failed += !report->passed;
    if (!report->passed)
        print_message("%s %s\n  expected %s\n  got %s\n", one->id, one->title, report->expected, report->got);
}

static void worked_cases(void **state) {
    (void)state;
    struct tally tally = {0};
    struct error err = {0};
    assert_int_equal(casebook_file(FILE_NAME, NULL, NULL, each, &tally, &err), ERROR_OK);
    assert_int_equal(tally.passed, 34);
    assert_int_equal(tally.failed, 0);
}

#define SEATS                                                                                                \
    "\"seats\": {\"1\": {\"char\": \"president\", \"ident\": \"man_in_black\"},"                             \
    "\"2\": {\"char\": \"investigator\", \"ident\": \"ufologist\"},"                                         \
    "\"3\": {\"char\": \"journalist\", \"ident\": \"alien_scientist\"},"                                     \
    "\"4\": {\"char\": \"recluse\", \"ident\": \"mythomaniac\"}}"
#define CASE(before, action, after)                                                                          \
    "{\"id\": \"T-01\", \"before\": {" SEATS before "}, \"action\": {" action "}, \"after\": {" after "}}"
#define ASSIGN "\"type\": \"assign\", \"player\": 4, \"token\": \"4b\", \"to\": 2"
#define LOOK "\"type\": \"ability\", \"player\": 2, \"target\": 3"

static bool runs(const char *text) {
    struct casebook_report report = {0};
    struct casebook_case one = {.id = "T-01", .title = "", .text = text, .prose = ""};
    casebook_find("alien_hunt")->run(&one, &report);
    assert_true(report.passed || report.got[0] || report.expected[0]);
    return report.passed;
}

static void each_key_is_compared(void **state) {
    (void)state;
    assert_true(runs(CASE("", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}")));
    assert_false(runs(CASE("", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 3}")));
    assert_false(runs(CASE("", ASSIGN, "\"ok\": true"))); // what is not named has not changed
    assert_false(runs(CASE("", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}, \"used\": [4]")));
    assert_false(runs(CASE("", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}, \"phase\": \"reveal\"")));
    assert_false(runs(CASE("", ASSIGN, "\"ok\": false, \"error\": \"duplicate_target\"")));
    assert_true(
        runs(CASE(", \"tokens\": {\"4a\": 2}", ASSIGN, "\"ok\": false, \"error\": \"duplicate_target\"")));
    assert_false(
        runs(CASE(", \"tokens\": {\"4a\": 2}", ASSIGN, "\"ok\": false, \"error\": \"self_target\"")));
    assert_false(runs(CASE(", \"tokens\": {\"4a\": 2}", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}")));
}

static void what_a_seat_learns_is_compared(void **state) {
    (void)state;
#define SAW(to, seat, what) "\"private\": {\"to\": " to ", \"identities\": {\"" seat "\": \"" what "\"}}"
    assert_true(runs(CASE("", LOOK, "\"ok\": true, \"used\": [2], " SAW("2", "3", "alien_scientist"))));
    assert_false(runs(CASE("", LOOK, "\"ok\": true, \"used\": [2], " SAW("2", "3", "alien_invader"))));
    assert_false(runs(CASE("", LOOK, "\"ok\": true, \"used\": [2], " SAW("3", "3", "alien_scientist"))));
    assert_false(runs(CASE("", LOOK, "\"ok\": true, \"used\": [2]")));
#define ASK "\"type\": \"ability\", \"player\": 3, \"target\": 2, \"question\": "
    assert_true(runs(CASE("", ASK "\"is_alien\"",
                          "\"ok\": true, \"used\": [3], \"private\": {\"to\": 3, \"answer\": false}")));
    assert_true(runs(CASE("", ASK "{\"is_identity\": {\"identity\": \"ufologist\"}}",
                          "\"ok\": true, \"used\": [3], \"private\": {\"to\": 3, \"answer\": true}")));
    assert_true(runs(CASE(", \"tokens\": {\"2a\": 4}", ASK "{\"type\": \"obs_on\", \"seat\": 4}",
                          "\"ok\": true, \"used\": [3], \"private\": {\"to\": 3, \"answer\": true}")));
    assert_false(runs(CASE("", ASK "\"is_alien\"", "\"ok\": true, \"used\": [3]")));
}

static void ill_formed_cases_fail(void **state) {
    static const char *const bad[] = {
        "",
        "{",
        "{}",
        "[1]",
        CASE(", \"tokens\": {\"9a\": 2}", ASSIGN, "\"ok\": true"),
        CASE(", \"tokens\": {\"4a\": 9}", ASSIGN, "\"ok\": true"),
        CASE(", \"tokns\": {}", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}"),
        CASE(", \"phase\": \"midnight\"", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}"),
        CASE(", \"president\": 2", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}"),
        CASE(", \"undealt\": [\"mythomaniac\"]", ASSIGN, "\"ok\": true, \"tokens\": {\"4b\": 2}"),
        CASE("", "\"type\": \"fly\", \"player\": 1", "\"ok\": true"),
        CASE("", "\"type\": \"assign\", \"player\": 9, \"token\": \"4b\", \"to\": 2", "\"ok\": true"),
        CASE("", "\"type\": \"assign\", \"player\": 4, \"token\": \"4d\", \"to\": 2", "\"ok\": true"),
        CASE("", "\"type\": \"ability\", \"player\": 2, \"copy\": \"wizard\"", "\"ok\": true"),
        CASE("", ASSIGN, "\"okay\": true, \"tokens\": {\"4b\": 2}"),
        CASE("", ASSIGN, "\"ok\": false, \"tokens\": {\"4b\": 2}"),
        CASE("", ASSIGN ", \"why\": 1", "\"ok\": true, \"tokens\": {\"4b\": 2}"),
    };
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        if (runs(bad[i]))
            fail_msg("passed: %s", bad[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_cases),
        cmocka_unit_test(each_key_is_compared),
        cmocka_unit_test(what_a_seat_learns_is_compared),
        cmocka_unit_test(ill_formed_cases_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
