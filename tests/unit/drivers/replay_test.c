#include "drivers/record.h"
#include "unit/drivers/fixture.h"

static const char *const kit =
    "[reader north]\ndriver = replay\nfile = x\n"
    "[reader south]\ndriver = replay\nfile = x\n"
    "[reader tap]\ndriver = replay\nfile = x\n";

static void play(struct fixture *f, const char *file, const char *const *readers) {
    fixture_open(f, true);
    fixture_conf(f, kit);
    for (; *readers; readers++)
        fixture_reader(f, *readers, file);
    loop_run(f->loop);
}

static void play_text(struct fixture *f, const char *text) {
    fixture_open(f, true);
    fixture_conf(f, kit);
    fixture_write(fixture_path(f, "log.tap"), text);
    fixture_reader(f, "north", fixture_path(f, "log.tap"));
    loop_run(f->loop);
}

static size_t scans(const struct fixture *f) {
    return fixture_count(f, NULL, TOLD_SEEN) + fixture_count(f, NULL, TOLD_NONE) +
           fixture_count(f, NULL, TOLD_COLLIDED) + fixture_count(f, NULL, TOLD_FAILED);
}

// 32,335 observations: 32,332 scans and three readers that come up.
static void the_kit_log_is_32335_observations(void **state) {
    (void)state;
    struct fixture f;
    play(&f, TESTS_DIR "/taps/one-night-kit.tap", (const char *const[]){"north", "south", "tap", NULL});
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 3);
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 0);
    assert_int_equal(fixture_count(&f, NULL, TOLD_ENDED), 3);
    assert_int_equal(scans(&f), 32332);
    assert_int_equal(f.n_told - 3, 32335);
    assert_int_equal(fixture_last(&f, NULL)->us, INT64_C(305000000));
    assert_int_equal(f.reader[0]->antennas, 4);
    assert_int_equal(f.reader[2]->antennas, 1);
    fixture_close(&f);
}

static void the_noise_log_ends_at_22000(void **state) {
    (void)state;
    struct fixture f;
    play(&f, TESTS_DIR "/taps/noise.tap", (const char *const[]){"north", "south", NULL});
    assert_int_equal(scans(&f), 970);
    assert_int_equal(fixture_count(&f, "south", TOLD_UP), 2);
    assert_int_equal(fixture_count(&f, "south", TOLD_DOWN), 1);
    assert_int_equal(fixture_last(&f, NULL)->us, 22000000);
    // Between 9000 and 12100 the reader south is silent.
    for (size_t i = 0; i < f.n_told; i++) {
        if (strcmp(f.told[i].reader, "south") == 0 && f.told[i].what <= TOLD_FAILED)
            assert_false(f.told[i].us >= 9000000 && f.told[i].us < 12100000);
    }
    fixture_close(&f);
}

static void lines_of_one_moment_are_one_scan(void **state) {
    (void)state;
    struct fixture f;
    play_text(&f,
              "0 north 0 up\n"
              "5 north 1 seen 04010203\n5 north 0 none\n5 south 1 none\n5 north 1 seen 04010204050607\n"
              "5 north 1 seen 04010203\n6 north 1 seen 04010203\n");
    assert_int_equal(f.n_told, 5);
    assert_int_equal(f.told[1].antenna, 1);
    assert_string_equal(f.told[1].tags, "04010203 04010204050607");
    assert_int_equal(f.told[2].what, TOLD_NONE);
    assert_int_equal(f.told[2].us, 5000);
    assert_string_equal(f.told[3].tags, "04010203");
    assert_int_equal(f.told[4].what, TOLD_ENDED);
    assert_int_equal(f.told[4].us, 6000);
    fixture_close(&f);
}

static void hold_repeats_until_the_next_line(void **state) {
    (void)state;
    struct fixture f;
    play_text(&f,
              "@hold 100\n@end 1000\n0 north 0 up\n0 north 0 none\n250 north 0 seen 04010203\n"
              "450 north 0 none\n500 north 0 down\n800 north 0 up\n850 north 0 failed\n");
    static const struct {
        int64_t ms;
        enum told_what what;
    } expected[] = {
        {0, TOLD_UP},     {0, TOLD_NONE},     {100, TOLD_NONE},   {200, TOLD_NONE},
        {250, TOLD_SEEN}, {350, TOLD_SEEN},   {450, TOLD_NONE},   {500, TOLD_DOWN},
        {800, TOLD_UP},   {850, TOLD_FAILED}, {950, TOLD_FAILED}, {1000, TOLD_ENDED},
    };
    assert_int_equal(f.n_told, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < f.n_told; i++) {
        assert_int_equal(f.told[i].us, expected[i].ms * 1000);
        assert_int_equal(f.told[i].what, expected[i].what);
    }
    fixture_close(&f);
}

static void a_log_without_up_comes_up_by_its_scans(void **state) {
    (void)state;
    struct fixture f;
    play_text(&f, "7 north 0 none\n");
    assert_int_equal(f.told[0].what, TOLD_UP);
    assert_int_equal(f.told[1].what, TOLD_NONE);
    fixture_close(&f);
}

static void a_reader_without_lines_only_ends(void **state) {
    (void)state;
    struct fixture f;
    play_text(&f, "0 south 0 up\n900 south 0 none\n");
    assert_int_equal(f.n_told, 1);
    assert_int_equal(f.told[0].what, TOLD_ENDED);
    assert_int_equal(f.told[0].us, 900000);
    fixture_close(&f);
}

static void a_bad_log_does_not_open(void **state) {
    (void)state;
    struct fixture f;
    struct error err;
    struct reader *reader;
    fixture_open(&f, true);
    fixture_conf(&f, "[reader north]\ndriver = replay\n");
    fixture_write(fixture_path(&f, "log.tap"), "# header\n0 north 0 up\n5 south 0 sen 04010203\n");
    assert_int_equal(fixture_try(&f, "north", fixture_path(&f, "log.tap"), &reader, &err), ERROR_INVALID);
    assert_non_null(strstr(err.where, "log.tap:3"));
    assert_non_null(strstr(err.text, "did you mean 'seen'"));
    assert_null(strstr(err.text, "04010203"));
    assert_int_equal(fixture_try(&f, "north", NULL, &reader, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "file"));
    assert_int_equal(fixture_try(&f, "north", fixture_path(&f, "none.tap"), &reader, &err), ERROR_NOT_FOUND);
    fixture_close(&f);
}

static void assert_same(const struct fixture *a, const struct fixture *b) {
    assert_int_equal(a->n_told, b->n_told);
    for (size_t i = 0; i < a->n_told; i++) {
        assert_int_equal(a->told[i].us, b->told[i].us);
        assert_string_equal(a->told[i].reader, b->told[i].reader);
        assert_int_equal(a->told[i].antenna, b->told[i].antenna);
        assert_int_equal(a->told[i].what, b->told[i].what);
        assert_string_equal(a->told[i].tags, b->told[i].tags);
    }
}

// What was recorded and is played again is the same, in the same order for each reader.
static void record_and_replay(const char *log, const char *const *readers) {
    struct fixture f;
    struct record *record;
    struct error err;
    struct stat st;
    fixture_open(&f, true);
    fixture_conf(&f, kit);
    assert_int_equal(record_open(fixture_path(&f, "again.tap"), &fixture_host, &record, &err), ERROR_OK);
    f.host = record_host(record);
    for (const char *const *r = readers; *r; r++)
        fixture_reader(&f, *r, log);
    loop_run(f.loop);
    record_close(record);
    assert_int_equal(stat(fixture_path(&f, "again.tap"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    for (; *readers; readers++) {
        struct fixture once, twice;
        play(&once, log, (const char *const[]){*readers, NULL});
        play(&twice, fixture_path(&f, "again.tap"), (const char *const[]){*readers, NULL});
        assert_same(&once, &twice);
        fixture_close(&once);
        fixture_close(&twice);
    }
    fixture_close(&f);
}

static void a_recorded_log_plays_the_same(void **state) {
    (void)state;
    record_and_replay(TESTS_DIR "/taps/one-night-kit.tap",
                      (const char *const[]){"north", "south", "tap", NULL});
    record_and_replay(TESTS_DIR "/taps/noise.tap", (const char *const[]){"north", "south", NULL});
}

static void a_recording_never_overwrites(void **state) {
    (void)state;
    struct fixture f;
    struct record *record;
    struct error err;
    fixture_open(&f, true);
    fixture_write(fixture_path(&f, "old.tap"), "# evidence\n");
    assert_int_equal(record_open(fixture_path(&f, "old.tap"), &fixture_host, &record, &err), ERROR_EXISTS);
    assert_null(record);
    record_close(NULL);
    assert_int_equal(record_check(fixture_path(&f, "old.tap"), &err), ERROR_EXISTS);
    assert_int_equal(access(fixture_path(&f, "old.tap"), F_OK), 0);
    assert_int_equal(record_check(fixture_path(&f, "new.tap"), &err), ERROR_OK);
    assert_int_not_equal(access(fixture_path(&f, "new.tap"), F_OK), 0); // it was only asked
    assert_int_equal(record_check(fixture_path(&f, "none/new.tap"), &err), ERROR_INVALID);
    fixture_close(&f);
}

static void two_scans_of_one_ms_stay_two(void **state) {
    (void)state;
    struct fixture f, g;
    struct record *record;
    struct error err;
    static const uint8_t id[] = {4, 1, 2, 3};
    fixture_open(&f, true);
    assert_int_equal(record_open(fixture_path(&f, "two.tap"), &fixture_host, &record, &err), ERROR_OK);
    struct reader reader = {.host = record_host(record), .host_ctx = &f, .loop = f.loop, .name = "north"};
    reader_health(&reader, true, "");
    for (unsigned i = 0; i < 3; i++) {
        reader_seen(&reader, 0, id, sizeof id);
        reader_scan_done(&reader, 0, DRIVER_SEEN);
        reader_scan_done(&reader, 1, DRIVER_COLLIDED);
    }
    record_close(record);
    play(&g, fixture_path(&f, "two.tap"), (const char *const[]){"north", NULL});
    assert_int_equal(fixture_count(&g, NULL, TOLD_SEEN), 3);
    assert_int_equal(fixture_count(&g, NULL, TOLD_COLLIDED), 3);
    fixture_close(&f);
    fixture_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kit_log_is_32335_observations),
        cmocka_unit_test(the_noise_log_ends_at_22000),
        cmocka_unit_test(lines_of_one_moment_are_one_scan),
        cmocka_unit_test(hold_repeats_until_the_next_line),
        cmocka_unit_test(a_log_without_up_comes_up_by_its_scans),
        cmocka_unit_test(a_reader_without_lines_only_ends),
        cmocka_unit_test(a_bad_log_does_not_open),
        cmocka_unit_test(a_recorded_log_plays_the_same),
        cmocka_unit_test(a_recording_never_overwrites),
        cmocka_unit_test(two_scans_of_one_ms_stay_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
