// The registry in house.db: what is saved comes back, what is damaged is told with its place.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include "board/pieces.h"
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct house {
    char folder[64], path[96];
    struct pieces *pieces;
};

static int begin(void **state) {
    struct house *h = calloc(1, sizeof *h);
    snprintf(h->folder, sizeof h->folder, "/tmp/house-XXXXXX");
    assert_non_null(mkdtemp(h->folder));
    snprintf(h->path, sizeof h->path, "%s/house.db", h->folder);
    assert_int_equal(pieces_create(&h->pieces, NULL), ERROR_OK);
    *state = h;
    return 0;
}

static int end(void **state) {
    struct house *h = *state;
    unlink(h->path);
    rmdir(h->folder); // fails if anything else was left there
    assert_int_not_equal(access(h->folder, F_OK), 0);
    pieces_destroy(h->pieces);
    free(h);
    return 0;
}

static void sql(const struct house *h, const char *text) {
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(h->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", text, message);
    sqlite3_close(db);
}

static void fill(const struct house *h) {
    struct error err;
    static const char text[] =
        "deck,name,kind,tag,face\n"
        "box,seer,seer,04A1B2C3D4E580,up\n"
        "box,seer,seer,04A1B2C3D4E581,down\n"
        "box,start-2,control,04310C5A1F6180,\n"
        "box,robber,robber,04A1B2C3D4E5F6071829,\n"
        "spare,robber,robber,5567232D,\n";
    if (pieces_import_csv(h->pieces, text, "kit.csv", NULL, &err) || pieces_save(h->pieces, h->path, &err))
        fail_msg("%s %s", err.where, err.text);
}

static void assert_loads_as(const struct house *h, const char *where, enum error_code code) {
    struct pieces *pieces;
    struct error err = {0};
    assert_int_equal(pieces_create(&pieces, NULL), ERROR_OK);
    assert_int_equal(pieces_load(pieces, h->path, &err), code);
    assert_string_equal(err.where, where);
    if (code)
        assert_int_equal(pieces_count(pieces), 0); // all or nothing
    pieces_destroy(pieces);
}

static void saved_and_loaded(void **state) {
    struct house *h = *state;
    struct pieces *back;
    char *before, *after;
    struct stat st;
    fill(h);
    assert_int_equal(stat(h->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(pieces_create(&back, NULL), ERROR_OK);
    assert_int_equal(pieces_load(back, h->path, NULL), ERROR_OK);
    assert_int_equal(pieces_export_csv(h->pieces, NULL, &before, NULL), ERROR_OK);
    assert_int_equal(pieces_export_csv(back, NULL, &after, NULL), ERROR_OK);
    assert_string_equal(before, after);
    assert_int_equal(pieces_at(back, pieces_find(back, "box", "start-2"))->control, CONTROL_START);
    pieces_destroy(back);
    free(before);
    free(after);
}

static void saving_replaces_all_and_spares_other_tables(void **state) {
    struct house *h = *state;
    fill(h);
    sql(h, "CREATE TABLE user(name TEXT); INSERT INTO user VALUES('ana')");
    chmod(h->path, 0644);
    assert_int_equal(pieces_remove(h->pieces, "box", "seer", NULL), ERROR_OK);
    assert_int_equal(pieces_save(h->pieces, h->path, NULL), ERROR_OK);
    struct stat st;
    assert_int_equal(stat(h->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600); // ids are secret
    sql(h, "CREATE TABLE proof AS SELECT 1/count(*) FROM user; DROP TABLE proof");
    struct pieces *back;
    assert_int_equal(pieces_create(&back, NULL), ERROR_OK);
    assert_int_equal(pieces_load(back, h->path, NULL), ERROR_OK);
    assert_int_equal(pieces_find(back, "box", "seer"), PIECE_NONE);
    assert_int_equal(pieces_count(back), 3); // holes have closed
    pieces_destroy(back);
}

static void new_house_is_empty(void **state) {
    struct house *h = *state;
    assert_loads_as(h, "", ERROR_OK);
    assert_int_not_equal(access(h->path, F_OK), 0);
    sql(h, "CREATE TABLE user(name TEXT); PRAGMA user_version=1"); // another module came first
    assert_loads_as(h, "", ERROR_OK);
    fill(h);
    assert_loads_as(h, "", ERROR_OK);
}

static void newer_schema_is_refused(void **state) {
    struct house *h = *state;
    struct error err;
    fill(h);
    sql(h, "PRAGMA user_version=2");
    assert_loads_as(h, "house.db", ERROR_STORAGE);
    assert_int_equal(pieces_save(h->pieces, h->path, &err), ERROR_STORAGE); // and left alone
    assert_non_null(strstr(err.text, "version 2"));
}

static void a_file_cut_to_a_stump_is_damaged_not_new(void **state) {
    struct house *h = *state;
    static const off_t lengths[] = {1, 100, 511};
    sql(h, "CREATE TABLE other(x)");
    for (unsigned i = sizeof lengths / sizeof *lengths; i-- > 0;) {
        struct error err = {0};
        assert_int_equal(truncate(h->path, lengths[i]), 0);
        assert_int_equal(pieces_load(h->pieces, h->path, &err), ERROR_CORRUPT);
        assert_string_equal(err.where, "house.db");
    }
}

static void damaged_rows_name_their_place(void **state) {
    static const struct {
        const char *sql, *where;
    } rows[] = {
        {"UPDATE tag SET face=7 WHERE n=2", "house.db: tag row 2"},
        {"UPDATE tag SET face='up' WHERE n=2", "house.db: tag row 2"},
        {"UPDATE tag SET tag='04A1' WHERE n=1", "house.db: tag row 1"},
        {"UPDATE tag SET tag=x'00ff' WHERE n=1", "house.db: tag row 1"},
        {"UPDATE tag SET tag='08A1B2C3' WHERE n=3", "house.db: tag row 3"},
        {"UPDATE tag SET tag='04a1b2c3d4e581' WHERE n=1", "house.db: tag row 2"},
        {"UPDATE tag SET name='nobody' WHERE n=4", "house.db: tag row 4"},
        {"UPDATE piece SET kind='Bad Kind' WHERE name='robber' AND deck='box'", "house.db: tag row 4"},
        {"UPDATE piece SET name='jump' WHERE kind='control'; UPDATE tag SET name='jump' WHERE n=3",
         "house.db: tag row 3"},
        {"DELETE FROM tag WHERE n=5", "house.db: table piece"},
    };
    struct house *h = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unlink(h->path);
        pieces_destroy(h->pieces);
        assert_int_equal(pieces_create(&h->pieces, NULL), ERROR_OK);
        fill(h);
        assert_loads_as(h, "", ERROR_OK);
        sql(h, rows[i].sql);
        assert_loads_as(h, rows[i].where, ERROR_CORRUPT);
    }
}

static void a_file_of_another_kind_is_told(void **state) {
    struct house *h = *state;
    FILE *file = fopen(h->path, "w");
    for (unsigned i = 0; i < 1000; i++)
        fputs("this is no house\n", file);
    fclose(file);
    assert_loads_as(h, "house.db", ERROR_CORRUPT);
}

// A file cut at any byte is an error or the whole house, never a part of it.
static void cut_files_are_never_half_a_house(void **state) {
    struct house *h = *state;
    struct stat st;
    fill(h);
    assert_int_equal(stat(h->path, &st), 0);
    for (off_t size = st.st_size - 1; size > 0; size -= 509) {
        struct pieces *pieces;
        struct error err = {0};
        assert_int_equal(truncate(h->path, size), 0);
        assert_int_equal(pieces_create(&pieces, NULL), ERROR_OK);
        if (pieces_load(pieces, h->path, &err))
            assert_true(strlen(err.text) > 10 && pieces_count(pieces) == 0);
        else
            assert_int_equal(pieces_count(pieces), pieces_count(h->pieces));
        pieces_destroy(pieces);
    }
}

static void a_folder_that_is_not_there(void **state) {
    struct house *h = *state;
    struct error err;
    assert_int_equal(pieces_save(h->pieces, "/nonexistent/house.db", &err), ERROR_STORAGE);
    assert_true(strlen(err.text) > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(saved_and_loaded),
        TEST(saving_replaces_all_and_spares_other_tables),
        TEST(new_house_is_empty),
        TEST(newer_schema_is_refused),
        TEST(damaged_rows_name_their_place),
        TEST(a_file_cut_to_a_stump_is_damaged_not_new),
        TEST(a_file_of_another_kind_is_told),
        TEST(cut_files_are_never_half_a_house),
        TEST(a_folder_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
