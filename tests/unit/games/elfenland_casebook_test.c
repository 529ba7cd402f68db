// The worked cases of the rules file, and that a case with one word changed fails.
#include "games/casebook.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

struct tally {
    unsigned passed, failed;
};
static void each(void *ctx, const struct casebook_case *one, const struct casebook_report *report) {
    struct tally *tally = ctx;
    if (report->passed) {
        tally->passed++;
        return;
    }
    tally->failed++;
    print_message("%s %s\n  expected %s\n  got %s\n", one->id, one->title, report->expected, report->got);
}

static void worked_cases(void **state) {
    (void)state;
    struct tally tally = {0};
    struct error err = {0};
    assert_int_equal(casebook_file(TESTS_DIR "/casebook/elfenland.md", NULL, NULL, each, &tally, &err),
                     ERROR_OK);
    assert_int_equal(tally.passed, 34);
    assert_int_equal(tally.failed, 0);
}

static bool runs(const char *text, struct casebook_report *ret) {
    struct casebook_case one = {.id = "EL-99", .title = "", .text = text, .prose = ""};
    memset(ret, 0, sizeof *ret);
    casebook_find("elfenland")->run(&one, ret);
    return ret->passed;
}
static void passes(const char *text) {
    struct casebook_report report;
    if (!runs(text, &report))
        fail_msg("expected %s, got %s", report.expected, report.got);
}
static void fails(const char *text, const char *got) {
    struct casebook_report report;
    assert_false(runs(text, &report));
    if (!strstr(report.got, got))
        fail_msg("'%s' is not in '%s'", got, report.got);
}

#define CASE(before, action, after)                                                                          \
    "{\"id\": \"EL-99\", \"before\": {" before "}, \"action\": {" action "}, \"after\": {" after "}}"
#define BEFORE                                                                                               \
    "\"hands\": {\"red\": [\"dragon\", \"raft\"]},"                                                          \
    "\"roads\": {\"beata_elvenhold_plains\": {\"counter\": \"dragon\", \"obstacle\": false}}"
#define TRAVEL "\"type\": \"travel\", \"player\": \"red\", \"to\": \"beata\", \"cards\": [\"dragon\"]"

static void each_key_is_compared(void **state) {
    (void)state;
    passes(CASE(BEFORE, TRAVEL, "\"ok\": true, \"boots\": {\"red\": \"beata\"}, \"discard\": [\"dragon\"]"));
    fails(CASE(BEFORE, TRAVEL, "\"ok\": false"), "ok: true");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"boots\": {\"red\": \"virst\"}"), "beata");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"hands\": {\"red\": []}"), "raft");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"discard\": []"), "dragon");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"collected\": {\"red\": []}"), "beata");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"phase\": \"plan\""), "move");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"turn\": \"blue\""), "red");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"ranking\": []"), "null");
    fails(CASE(BEFORE, TRAVEL,
               "\"ok\": true, \"last_move\": {\"via\": \"beata_elvenhold_river\", \"mode\": \"normal\", "
               "\"town_piece\": \"beata\"}"),
          "plains");
}

static void bad_cases_fail(void **state) {
    (void)state;
    fails("", "");
    fails("[]", "");
    fails("{\"id\": \"EL-99\"}", "another shape");
    fails(CASE("", TRAVEL, ""), "none");
    fails(CASE("\"weather\": 1", TRAVEL, "\"ok\": true"), "weather");
    fails(CASE("\"hands\": {\"pink\": []}", TRAVEL, "\"ok\": true"), "pink");
    fails(CASE("\"hands\": {\"red\": [\"horse\"]}", TRAVEL, "\"ok\": true"), "horse");
    fails(CASE("\"hands\": {\"red\": \"raft\"}", TRAVEL, "\"ok\": true"), "hands");
    fails(CASE("\"phase\": \"lunch\"", TRAVEL, "\"ok\": true"), "lunch");
    fails(CASE("\"roads\": {\"beata_elvenhold_river\": {}}", TRAVEL, "\"ok\": true"), "river");
    fails(CASE("\"rounds\": 9", TRAVEL, "\"ok\": true"), "rounds");
    fails(CASE("\"players\": [\"red\"]", TRAVEL, "\"ok\": true"), "1");
    fails(CASE(BEFORE, "\"type\": \"fly\", \"player\": \"red\"", "\"ok\": true"), "fly");
    fails(CASE(BEFORE, "\"type\": \"pass\"", "\"ok\": true"), "nobody");
    fails(CASE(BEFORE, TRAVEL, "\"ok\": true, \"weather\": 1"), "weather");
    fails(CASE("\"deck_size\": 3", TRAVEL, "\"ok\": true"), "72");
}

// A few rules that the file tells in words only.
static void more_cases(void **state) {
    (void)state;
    passes(CASE("", TRAVEL, "\"ok\": false, \"error\": \"not_in_hand\""));
    passes(CASE(BEFORE, "\"type\": \"travel\", \"player\": \"blue\", \"to\": \"beata\", \"cards\": []",
                "\"ok\": false, \"error\": \"not_your_turn\""));
    passes(CASE(BEFORE, "\"type\": \"travel\", \"player\": \"red\", \"to\": \"yttar\", \"cards\": [\"raft\"]",
                "\"ok\": false, \"error\": \"no_connection\""));
    passes(CASE("", "\"type\": \"travel\", \"player\": \"red\", \"to\": \"lapphalya\", \"cards\": []",
                "\"ok\": false, \"error\": \"no_counter\""));
    passes(CASE("\"phase\": \"draft\"", "\"type\": \"draft\", \"player\": \"red\", \"slot\": 6",
                "\"ok\": false, \"error\": \"no_such_slot\""));
    passes(CASE("\"phase\": \"plan\"", TRAVEL, "\"ok\": false, \"error\": \"wrong_phase\""));
    passes(CASE("\"phase\": \"finish_round\"",
                "\"type\": \"keep\", \"player\": \"red\", \"cards\": [\"raft\"], \"counters\": []",
                "\"ok\": false, \"error\": \"not_in_hand\""));
    passes(CASE(
        "\"phase\": \"finish_round\", \"counters_up\": {\"red\": [\"dragon\", \"unicorn\"]}",
        "\"type\": \"keep\", \"player\": \"red\", \"cards\": [], \"counters\": "
        "[{\"counter\": \"dragon\", \"source\": \"up\"}, {\"counter\": \"unicorn\", \"source\": \"up\"}]",
        "\"ok\": false, \"error\": \"too_many_counters\""));
    passes(
        CASE("\"phase\": \"plan\", \"obstacle_left\": {\"blue\": false, \"green\": false}",
             "\"type\": \"pass\", \"player\": \"red\"",
             "\"ok\": true, \"phase\": \"move\", \"auto_passed\": [\"blue\", \"green\"], \"turn\": \"red\""));
    passes(
        CASE("\"west_only\": true, \"players\": [\"red\", \"blue\"], \"boots\": {\"red\": \"al_baran\"}, "
             "\"phase\": \"plan\", \"counters_up\": {\"red\": [\"dragon\"]}",
             "\"type\": \"place_counter\", \"player\": \"red\", \"counter\": \"dragon\", \"road\": "
             "\"al_baran_feodor_desert\", \"source\": \"up\"",
             "\"ok\": false, \"error\": \"not_a_road\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_cases),
        cmocka_unit_test(each_key_is_compared),
        cmocka_unit_test(bad_cases_fail),
        cmocka_unit_test(more_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
