// The worked cases of the rules file, and that a case with one thing changed fails.
#include "games/casebook.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

static unsigned passed, failed;

static void each(void *ctx, const struct casebook_case *one, const struct casebook_report *report) {
    (void)ctx;
    passed += report->passed;
    failed += !report->passed;
    if (!report->passed)
        print_message("%s %s\n  expected %s\n  got %s\n", one->id, one->title, report->expected, report->got);
}

static void worked_cases(void **state) {
    (void)state;
    struct error err = {0};
    assert_int_equal(casebook_file(TESTS_DIR "/casebook/battle-sheep.md", NULL, NULL, each, NULL, &err),
                     ERROR_OK);
    assert_int_equal(passed, 17);
    assert_int_equal(failed, 0);
}

static void run(const char *text, struct casebook_report *ret) {
    struct casebook_case one = {.id = "T-01", .title = "", .text = text, .prose = ""};
    memset(ret, 0, sizeof *ret);
    casebook_find("battle_sheep")->run(&one, ret);
}
static void passes(const char *text) {
    struct casebook_report report;
    run(text, &report);
    if (!report.passed)
        fail_msg("%s\nexpected %s, got %s", text, report.expected, report.got);
}
static void fails(const char *text, const char *got) {
    struct casebook_report report;
    run(text, &report);
    if (report.passed || !strstr(report.got, got))
        fail_msg("%s\n'%s' is not in '%s'", text, got, report.got);
}

#define BEFORE(more)                                                                                         \
    "{'players':['ann','b2'],'cells':'0,0 1,0 2,0 0,1 1,1','stacks':{'0,0':'ann5','0,1':'b23'}" more "}"
#define CASE(before, actions, after)                                                                         \
    "{'id':'T-01','before':" before ",'actions':[" actions "],'after':" after "}"

// JSON with ' for ".
static const char *json(const char *text) {
    static char buf[2][2048];
    static unsigned turn;
    char *to = buf[turn++ % 2];
    snprintf(to, sizeof buf[0], "%s", text);
    for (char *at = to; *at; at++)
        if (*at == '\'')
            *at = '"';
    return to;
}

static void each_key_is_compared(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"{'turn':'b2'}", "{'turn':'ann'}"},
        {"{'phase':'move'}", "{'phase':'over'}"},
        {"{'cells':5}", "{'cells':4}"},
        {"{'outer':5}", "{'outer':3}"},
        {"{'stacks':{'0,0':'ann3','2,0':'ann2','0,1':'b23'}}", "{'stacks':{'0,0':'ann3','2,0':'ann2'}}"},
        {"{'stacks':{'0,0':'ann3','2,0':'ann2','0,1':'b23'}}",
         "{'stacks':{'0,0':'ann4','2,0':'ann1','0,1':'b23'}}"},
        {"{'legal':{'ann':4,'b2':4}}", "{'legal':{'ann':4,'b2':2}}"},
        {"{'slides':['0,0 d0 1,0','0,1 d0 1,1','0,0 d5 none']}", "{'slides':['0,0 d0 2,0']}"},
        {"{'eliminated':[]}", "{'eliminated':['ann']}"},
        {"{'tiles_left':{'ann':0}}", "{'tiles_left':{'ann':4}}"},
        {"{'result':null}", "{'result':{'winners':['ann']}}"},
    };
    char text[1024];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, CASE(BEFORE(""), "'M ann 0,0>2,0 2'", "%s"), rows[i][0]);
        passes(json(text));
        snprintf(text, sizeof text, CASE(BEFORE(""), "'M ann 0,0>2,0 2'", "%s"), rows[i][1]);
        fails(json(text), "");
    }
}

#define OVER(result)                                                                                         \
    CASE("{'players':['R','B'],'cells':'0,0 1,0 2,0','stacks':{'0,0':'R2','2,0':'B1'}}", "'M R 0,0 d0 1'",   \
         "{'turn':null,'phase':'over','result':" result "}")

static void results_are_compared(void **state) {
    (void)state;
    passes(json(OVER("{'pastures':{'R':2,'B':1},'herd':{'R':2,'B':1},'winners':['R']}")));
    fails(json(OVER("{'pastures':{'R':1}}")), "pastures");
    fails(json(OVER("{'herd':{'B':2}}")), "herd");
    fails(json(OVER("{'winners':['R','B']}")), "winners");
    fails(json(OVER("{'points':1}")), "points");
    passes(
        json(CASE("{'players':['R','B'],'variant':'classic_splits','cells':'0,0 1,0 2,0 3,0',"
                  "'stacks':{'0,0':'R9','3,0':'B3'}}",
                  "'M R 0,0 d0 2'", "{'phase':'over','eliminated':[],'result':{'winners':['R']}}")));
}

static void far_boards_find_room(void **state) {
    (void)state;
    passes(json(
        CASE("{'players':['R','B'],'cells':'90,-91 91,-91 92,-91','stacks':{'90,-91':'R2','92,-91':'B1'}}",
             "'M R 90,-91>91,-91 1'", "{'phase':'over'}")));
    passes(json(CASE("{'players':['R','B'],'phase':'build'}",
                     "'T R O1@0,0','T B O1@3,-1','T R O1@6,-2','T B O1@9,-3','T R O1@12,-4','T B O1@15,-5',"
                     "'T R O1@18,-6','T B O1@21,-7'",
                     "{'phase':'place','cells':32,'outer':32}")));
    passes(json(
        CASE("{'players':['R','B'],'phase':'build','cells':'5,5 6,5 5,6 6,6','tiles_left':{'R':1,'B':1}}",
             "{'a':'T R O0@5,5','expect':'E_TILE_OVERLAP'},'T R O0@7,5','T B O0@3,5'",
             "{'phase':'place','cells':12}")));
}

static void bad_cases_fail(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"[]", "another type"},
        {CASE(BEFORE(""), "'M ann 0,0 d0 2'", "{}"), "nothing"},
        {CASE(BEFORE(""), "'M ann 0,0 d0 2'", "{'colour':1}"), "colour"},
        {CASE(BEFORE(",'colour':1"), "", "{'turn':'ann'}"), "colour"},
        {CASE(BEFORE(",'phase':'night'"), "", "{'turn':'ann'}"), "another word"},
        {CASE(BEFORE(",'turn':'carl'"), "", "{'turn':'ann'}"), "somebody else"},
        {CASE(BEFORE(",'variant':'chess'"), "", "{'turn':'ann'}"), "chess"},
        {CASE(BEFORE(",'tiles_left':{'ann':5}"), "", "{'turn':'ann'}"), "ann"},
        {CASE(BEFORE(",'phase':'over'"), "", "{'turn':null}"), "somebody can"},
        {CASE(BEFORE(""), "'M carl 0,0 d0 2'", "{'turn':'ann'}"), "M carl"},
        {CASE(BEFORE(""), "'M ann 0,0 d0'", "{'turn':'ann'}"), "M ann"},
        {CASE(BEFORE(""), "'M ann 0,0 d0 9'", "{'turn':'ann'}"), "E_COUNT"},
        {CASE(BEFORE(""), "{'a':'M ann 0,0 d0 9','expect':'E_SHORT'}", "{'turn':'ann'}"), "E_COUNT"},
        {CASE(BEFORE(""), "{'a':'M ann 0,0 d0 2','expect':'E_SHORT'}", "{'turn':'ann'}"), "accepted"},
        {CASE(BEFORE(""), "{'a':'M ann 0,0 d0 2'}", "{'turn':'ann'}"), "none"},
        {CASE(BEFORE(""), "7", "{'turn':'ann'}"), "no text"},
        {CASE("{'players':['R']}", "", "{'turn':'R'}"), "1"},
        {CASE("{'players':['R','R']}", "", "{'turn':'R'}"), "R"},
        {CASE("{'players':['R','B','W'],'variant':'classic_splits'}", "", "{'turn':'R'}"), "E_VARIANT"},
        {CASE("{'players':['R','B'],'cells':'0,0 0,0'}", "", "{'turn':'R'}"), "0,0"},
        {CASE("{'players':['R','B'],'cells':'0,0 1'}", "", "{'turn':'R'}"), "1"},
        {CASE("{'players':['R','B'],'cells':'0,0','stacks':{'1,0':'R2'}}", "", "{'turn':'R'}"), "1,0"},
        {CASE("{'players':['R','B'],'cells':'0,0','stacks':{'0,0':'W2'}}", "", "{'turn':'R'}"), "0,0"},
        {CASE("{'players':['R','B'],'cells':'0,0','stacks':{'0,0':'R0'}}", "", "{'turn':'R'}"), "0,0"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        fails(json(rows[i][0]), rows[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_cases),         cmocka_unit_test(each_key_is_compared),
        cmocka_unit_test(results_are_compared), cmocka_unit_test(far_boards_find_room),
        cmocka_unit_test(bad_cases_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
