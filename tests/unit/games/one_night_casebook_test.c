// The worked cases of the rules file, and that a case with one word changed fails.
#include "games/casebook.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
// After the standard headers it needs.
#include <cmocka.h>

#define FILE_NAME TESTS_DIR "/casebook/one-night.md"

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
    assert_int_equal(casebook_file(FILE_NAME, NULL, NULL, each, &tally, &err), ERROR_OK);
    assert_int_equal(tally.passed, 76);
    assert_int_equal(tally.failed, 0);
}

#define CASE(options, seats, centre, night, final, team, votes, deaths, winners)                             \
    "options : " options "\nseats   : " seats "\ncentre  : " centre "\nnight   : " night                     \
    "\nfinal   : " final "\nrole/team: " team "\nvotes   : " votes "\ndeaths  : " deaths                     \
    "\nwinners : " winners "\n"
#define SEATS "s1=robber s2=werewolf s3=villager"
#define CENTRE "c1=villager c2=werewolf c3=seer"
#define NIGHT "s2:werewolf:look\n          s1:robber:swap s1 s2 # looks"
#define FINAL "s1=werewolf s2=robber s3=villager\n          c1=villager c2=werewolf c3=seer"
#define TEAM "s1=werewolf/werewolf s2=robber/village s3=villager/village"
#define VOTES "s1>s2 s2>s1 s3>s2"
#define GOOD CASE("official", SEATS, CENTRE, NIGHT, FINAL, TEAM, VOTES, "s2", "s1   (teams: werewolf)")

static bool runs(const char *text, struct casebook_report *ret) {
    struct casebook_case one = {.id = "T01", .title = "", .text = text, .prose = ""};
    memset(ret, 0, sizeof *ret);
    casebook_find("one_night")->run(&one, ret);
    return ret->passed;
}
static void fails(const char *text, const char *got) {
    struct casebook_report report;
    assert_false(runs(text, &report));
    if (!strstr(report.got, got))
        fail_msg("'%s' is not in '%s'", got, report.got);
}

static void each_line_is_compared(void **state) {
    (void)state;
    struct casebook_report report;
    if (!runs(GOOD, &report))
        fail_msg("expected %s, got %s", report.expected, report.got);
    fails(CASE("official", SEATS, CENTRE, NIGHT,
               "s1=robber s2=werewolf s3=villager c1=villager c2=werewolf c3=seer", TEAM, VOTES, "s2",
               "s1 (teams: werewolf)"),
          "final:");
    fails(CASE("official", SEATS, CENTRE, NIGHT, FINAL,
               "s1=werewolf/village s2=robber/village s3=villager/village", VOTES, "s2",
               "s1 (teams: werewolf)"),
          "role/team:");
    fails(CASE("official", SEATS, CENTRE, NIGHT, FINAL, TEAM, VOTES, "none", "s1 (teams: werewolf)"),
          "deaths: s2");
    fails(CASE("official", SEATS, CENTRE, NIGHT, FINAL, TEAM, VOTES, "s2", "s2 (teams: werewolf)"),
          "winners: s1");
    fails(CASE("official", SEATS, CENTRE, NIGHT, FINAL, TEAM, VOTES, "s2", "s1 (teams: village)"),
          "winners: s1");
    fails(GOOD "marks : s1=love\n", "marks:");
    fails(GOOD "artifact : s1=shroud_of_shame\n", "artifact:");
    fails(GOOD "epic : yes\n", "epic:");
}

static void bad_cases_fail(void **state) {
    (void)state;
    fails("", "missing");
    fails(GOOD "colour : red\n", "colour");
    fails(GOOD "deaths : s2\n", "twice");
    fails("   first line goes on\n" GOOD, "first line");
    fails(CASE("official", "s1=robber s2=wolf s3=villager", CENTRE, NIGHT, FINAL, TEAM, VOTES, "s2", "s1"),
          "unknown role wolf");
    fails(
        CASE("official", "s1=robber s3=werewolf s2=villager", CENTRE, NIGHT, FINAL, TEAM, VOTES, "s2", "s1"),
        "s3");
    fails(CASE("lone_fox", SEATS, CENTRE, NIGHT, FINAL, TEAM, VOTES, "s2", "s1"), "lone_fox");
    fails(CASE("lone_wolf=maybe", SEATS, CENTRE, NIGHT, FINAL, TEAM, VOTES, "s2", "s1"), "maybe");
    fails(CASE("official", SEATS, "c1=villager c2=werewolf", NIGHT, FINAL, TEAM, VOTES, "s2", "s1"),
          "E_COUNT");
    fails(CASE("official", SEATS, CENTRE, "s1:robber:swap s1 s1", FINAL, TEAM, VOTES, "s2", "s1"), "refused");
    fails(CASE("official", SEATS, CENTRE, "s3:robber:swap s3 s1", FINAL, TEAM, VOTES, "s2", "s1"),
          "s3:robber");
    fails(CASE("official", SEATS, CENTRE, "s1:robber:dance", FINAL, TEAM, VOTES, "s2", "s1"), "dance");
    fails(CASE("official", SEATS, CENTRE, "s1:thief:swap s1 s2", FINAL, TEAM, VOTES, "s2", "s1"), "thief");
    fails(CASE("official", SEATS, CENTRE, "s1 robber swap", FINAL, TEAM, VOTES, "s2", "s1"),
          "s1 robber swap");
    fails(CASE("official", SEATS, CENTRE, "s1:robber:swap s1 s2\n  s2:werewolf:look", FINAL, TEAM, VOTES,
               "s2", "s1"),
          "s2:werewolf"); // its step is over
    fails(CASE("official", SEATS, CENTRE, NIGHT, FINAL, TEAM, "s1>s1 s2>s1 s3>s2", "s2", "s1"), "refused");
    fails(CASE("official", SEATS, CENTRE, NIGHT, FINAL, TEAM, "s1-s2", "s2", "s1"), "s1-s2");
    fails(CASE("official", "s1=nostradamus s2=werewolf s3=villager", CENTRE, "none", FINAL, TEAM, VOTES, "s2",
               "s1"),
          "not installed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_cases),
        cmocka_unit_test(each_line_is_compared),
        cmocka_unit_test(bad_cases_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
