// An older database is brought up to date as a whole or not at all, and a copy of it stays.
#include "board/migrate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const steps[] = {
    "ALTER TABLE evening ADD COLUMN guests INTEGER NOT NULL DEFAULT 5",
    "CREATE TABLE tile(name TEXT); INSERT INTO tile VALUES('owl')",
};
static const char *const broken[] = {"ALTER TABLE evening ADD COLUMN guests INTEGER", "CREATE NONSENSE"};

struct place {
    char folder[32], path[64], copy[96];
    sqlite3 *db;
};

static int open_place(void **state) {
    struct place *place = calloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/migrate-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/house.db", place->folder);
    snprintf(place->copy, sizeof place->copy, "%s.schema1", place->path);
    assert_int_equal(sqlite3_open(place->path, &place->db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(place->db,
                                  "CREATE TABLE evening(day TEXT); INSERT INTO evening VALUES('friday');"
                                  "PRAGMA user_version=1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    *state = place;
    return 0;
}

static int close_place(void **state) {
    struct place *place = *state;
    char command[64];
    sqlite3_close(place->db);
    snprintf(command, sizeof command, "rm -rf %s", place->folder);
    int r = system(command);
    free(place);
    return r;
}

static int number(sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    int value = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return value;
}

static void all_steps_are_taken_and_a_copy_stays(void **state) {
    struct place *place = *state;
    struct error err = {0};
    assert_int_equal(migrate(place->db, place->path, 1, 3, steps, &err), ERROR_OK);
    assert_int_equal(number(place->db, "SELECT guests FROM evening"), 5);
    assert_int_equal(number(place->db, "SELECT count(*) FROM tile"), 1);
    assert_int_equal(number(place->db, "PRAGMA user_version"), 3);
    struct stat st;
    assert_int_equal(stat(place->copy, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    sqlite3 *old = NULL;
    assert_int_equal(sqlite3_open(place->copy, &old), SQLITE_OK);
    assert_int_equal(number(old, "SELECT count(*) FROM evening"), 1);
    assert_int_equal(number(old, "SELECT count(*) FROM pragma_table_info('evening')"), 1);
    sqlite3_close(old);
}

static void from_the_middle_only_later_steps_are_taken(void **state) {
    struct place *place = *state;
    assert_int_equal(migrate(place->db, place->path, 1, 2, steps, NULL), ERROR_OK);
    assert_int_equal(number(place->db, "SELECT count(*) FROM sqlite_schema"), 1);
    assert_int_equal(migrate(place->db, place->path, 2, 3, steps, NULL), ERROR_OK);
    assert_int_equal(number(place->db, "SELECT count(*) FROM sqlite_schema"), 2);
}

static void a_known_schema_is_left_alone(void **state) {
    struct place *place = *state;
    assert_int_equal(migrate(place->db, place->path, 3, 3, steps, NULL), ERROR_OK);
    assert_int_not_equal(access(place->copy, F_OK), 0);
}

static void a_step_that_fails_changes_nothing(void **state) {
    struct place *place = *state;
    struct error err = {0};
    assert_int_equal(migrate(place->db, place->path, 1, 3, broken, &err), ERROR_STORAGE);
    assert_non_null(strstr(err.text, "as it was"));
    assert_int_equal(number(place->db, "PRAGMA user_version"), 1);
    assert_int_equal(number(place->db, "SELECT count(*) FROM pragma_table_info('evening')"), 1);
    assert_int_equal(access(place->copy, F_OK), 0);
}

static void without_a_copy_nothing_is_changed(void **state) {
    struct place *place = *state;
    struct error err = {0};
    char part[112];
    snprintf(part, sizeof part, "%s.part", place->copy);
    assert_int_equal(mkdir(part, 0700), 0); // in the way of the copy
    assert_int_equal(migrate(place->db, place->path, 1, 3, steps, &err), ERROR_STORAGE);
    assert_int_equal(number(place->db, "PRAGMA user_version"), 1);
    assert_int_equal(number(place->db, "SELECT count(*) FROM sqlite_schema"), 1);
}

static void a_copy_cut_short_is_made_anew(void **state) {
    struct place *place = *state;
    char part[112];
    snprintf(part, sizeof part, "%s.part", place->copy);
    FILE *file = fopen(part, "w");
    assert_non_null(file);
    fputs("half", file);
    fclose(file);
    assert_int_equal(migrate(place->db, place->path, 1, 3, steps, NULL), ERROR_OK);
    assert_int_equal(access(place->copy, F_OK), 0);
    assert_int_not_equal(access(part, F_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(all_steps_are_taken_and_a_copy_stays), TEST(from_the_middle_only_later_steps_are_taken),
        TEST(a_known_schema_is_left_alone),         TEST(a_step_that_fails_changes_nothing),
        TEST(without_a_copy_nothing_is_changed),    TEST(a_copy_cut_short_is_made_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
