// The reader of rules files: which fences are cases, how they are named and chosen.
#include "games/casebook.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
// After the standard headers it needs.
#include <cmocka.h>

struct found {
    unsigned n;
    char ids[256], titles[256], prose[256];
    unsigned lines[16];
    unsigned passed;
};
static void each(void *ctx, const struct casebook_case *one, const struct casebook_report *report) {
    struct found *found = ctx;
    size_t len = strlen(found->ids);
    snprintf(found->ids + len, sizeof found->ids - len, "%s%s", len ? " " : "", one->id);
    snprintf(found->titles, sizeof found->titles, "%s", one->title);
    snprintf(found->prose, sizeof found->prose, "%s", one->prose);
    if (found->n < 16)
        found->lines[found->n] = one->line;
    found->n++;
    found->passed += report->passed;
}

static enum error_code read_text(const char *text, const char *only, struct found *found, struct error *err) {
    char path[64];
    int fd = memfd_create("casebook", 0);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    memset(found, 0, sizeof *found);
    enum error_code code = casebook_file(path, "one_night", only, each, found, err);
    close(fd);
    return code;
}

#define FENCE(text) "```\n" text "\n```\n"
#define THREE                                                                                                \
    "# Rules\n" FENCE("no case") "#### A01 — First one\nwords\n" FENCE("x") "Why: after\n"                   \
    "#### A02 — Second\n" FENCE("y") "## 5. Other\n" FENCE("no case either") "### A10 - Tenth\n" FENCE("z")

static void headings_name_cases(void **state) {
    (void)state;
    struct found found;
    struct error err = {0};
    assert_int_equal(read_text(THREE, NULL, &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "A01 A02 A10");
    assert_string_equal(found.titles, "Tenth");
    assert_int_equal(found.lines[0], 7);
    assert_int_equal(found.passed, 0);
    assert_int_equal(read_text("#### A01 — First one\nwords\n" FENCE("x") "Why: after\n", NULL, &found, &err),
                     ERROR_OK);
    assert_string_equal(found.prose, "words\nWhy: after\n");
}

static void chosen_by_id_and_range(void **state) {
    (void)state;
    struct found found;
    struct error err = {0};
    assert_int_equal(read_text(THREE, "A02", &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "A02");
    assert_int_equal(read_text(THREE, "A02-A99", &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "A02 A10");
    assert_int_equal(read_text(THREE, "A10, A01", &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "A01 A10");
    assert_int_equal(read_text(THREE, "B01-B99", &found, &err), ERROR_NOT_FOUND);
    assert_int_equal(read_text(THREE, "A1", &found, &err), ERROR_NOT_FOUND);
}

static void json_brings_its_ids(void **state) {
    (void)state;
    struct found found;
    struct error err = {0};
    const char *text =
        "**NA-01** Bold.\n```json\n{\"id\":\"NA-01\",\"title\":\"one\"}\n```\n"
        "## 4\n```json\n[{\"id\":\"NA-02\"},{\"id\":\"NA-03\"},{\"id\":\"seer\"}]\n```\n"
        "```json\n{\"rows\":[]}\n```\n";
    assert_int_equal(read_text(text, NULL, &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "NA-01 NA-02 NA-03");
    assert_int_equal(read_text(text, "NA-02-NA-03", &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "NA-02 NA-03");
}

// A case that cannot be read has failed; it is never left out.
static void unreadable_cases_fail(void **state) {
    (void)state;
    struct found found;
    struct error err = {0};
    assert_int_equal(read_text("#### A01 x\n```json\n{\"id\": \n```\n", NULL, &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "A01");
    assert_int_equal(read_text("#### A01 x\n```\nnever closed\n", NULL, &found, &err), ERROR_OK);
    assert_string_equal(found.ids, "A01");
    assert_int_equal(read_text("nothing here\n", NULL, &found, &err), ERROR_NOT_FOUND);
    assert_int_equal(read_text("", NULL, &found, &err), ERROR_NOT_FOUND);
}

static void files_and_games(void **state) {
    (void)state;
    struct error err = {0};
    assert_int_equal(casebook_file("/nonexistent/one-night.md", NULL, NULL, NULL, NULL, &err),
                     ERROR_NOT_FOUND);
    assert_int_equal(casebook_file(TESTS_DIR "/casebook/one-night.md", "bridge", NULL, NULL, NULL, &err),
                     ERROR_NOT_FOUND);
    assert_int_equal(casebook_file(TESTS_DIR "/casebook/one-night.md", NULL, "A01", NULL, NULL, &err),
                     ERROR_OK);
    assert_null(casebook_find("bridge"));
    assert_null(casebook_find(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headings_name_cases), cmocka_unit_test(chosen_by_id_and_range),
        cmocka_unit_test(json_brings_its_ids), cmocka_unit_test(unreadable_cases_fail),
        cmocka_unit_test(files_and_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
