#include "unit/drivers/fixture.h"

static void every_driver_is_whole(void **state) {
    (void)state;
    for (size_t i = 0; driver_at(i); i++) {
        const struct driver *driver = driver_at(i);
        assert_ptr_equal(driver_find(driver->name), driver);
        assert_true(config_word_ok(driver->name));
        assert_true(driver->summary[0] != '\0');
        assert_non_null(driver->open);
        assert_non_null(driver->close);
        for (const struct config_key *key = driver->params; key && key->name; key++) {
            assert_non_null(key->help);
            assert_string_not_equal(key->name, "driver"); // a common one
        }
    }
    assert_non_null(driver_at(0));
    assert_null(driver_find("nothing"));
    assert_null(driver_find(NULL));
    assert_string_equal(driver_common_params()[0].name, "driver");
}

static void an_unknown_driver_is_named(void **state) {
    (void)state;
    struct fixture f;
    struct error err;
    struct reader *reader;
    fixture_open(&f, true);
    fixture_conf(&f, "[reader north]\ndriver = pn523\n");
    assert_int_equal(fixture_try(&f, "north", NULL, &reader, &err), ERROR_INVALID);
    assert_null(reader);
    assert_non_null(strstr(err.text, "did you mean 'pn532'"));
    assert_non_null(strstr(err.where, "test.conf:2"));
    fixture_close(&f);
}

static struct reader stand_alone(struct fixture *f) {
    return (struct reader){
        .driver = driver_at(0), .host = &fixture_host, .host_ctx = f, .loop = f->loop, .name = "north"};
}

static void b046_ids_of_other_lengths_go_no_further(void **state) {
    (void)state;
    struct fixture f;
    uint8_t id[12] = {4, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12};
    fixture_open(&f, true);
    struct reader reader = stand_alone(&f);
    for (uint8_t len = 0; len <= sizeof id; len++)
        reader_seen(&reader, 0, id, len);
    reader_scan_done(&reader, 0, DRIVER_SEEN);
    assert_string_equal(f.told[0].tags,
                        "04010203 04010203050607 04010203050607080"
                        "90A");
    assert_int_equal(reader.n_faults[DRIVER_FAULT_FRAME], 10);
    fixture_close(&f);
}

static void reports_are_counted(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, true);
    struct reader reader = stand_alone(&f);
    static const enum driver_outcome outcomes[] = {
        DRIVER_SEEN, DRIVER_NONE, DRIVER_NONE, DRIVER_COLLIDED, DRIVER_FAILED, DRIVER_FAILED, DRIVER_FAILED};
    for (size_t i = 0; i < 7; i++)
        reader_scan_done(&reader, (uint16_t)i, outcomes[i]);
    assert_int_equal(reader.n_scans, 7);
    assert_int_equal(reader.n_seen, 1);
    assert_int_equal(reader.n_none, 2);
    assert_int_equal(reader.n_collided, 1);
    assert_int_equal(reader.n_failed, 3);
    reader_fault(&reader, DRIVER_FAULT_IO);
    assert_int_equal(reader.n_faults[DRIVER_FAULT_IO], 1);
    fixture_close(&f);
}

static void b029_health_is_told_once(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, true);
    struct reader reader = stand_alone(&f);
    for (unsigned i = 0; i < 5; i++)
        reader_health(&reader, false, "no port");
    for (unsigned i = 0; i < 5; i++)
        reader_health(&reader, true, "there");
    reader_health(&reader, false, "gone");
    assert_int_equal(f.n_told, 3);
    assert_string_equal(f.told[0].why, "no port");
    assert_int_equal(f.told[1].what, TOLD_UP);
    assert_string_equal(f.told[2].why, "gone");
    fixture_close(&f);
}

// What a stranger wrote on a tag reaches people as a short, harmless line, or not at all.
static void hints_are_made_harmless(void **state) {
    (void)state;
    static const struct {
        const char *written, *told;
    } rows[] = {
        {"seer", "seer"},
        {"\x1B[31mhunter\r\n\x7F", "[31mhunter"},
        {"ca\xC3\xB1"
         "on \xE2\x80\xAEx\xE2\x81\xA6y\xC2\x9Bz",
         "ca\xC3\xB1"
         "on xyz"},
        {"\xFF\xC3"
         "a\xE2\x82",
         "a"},
        {"\x01\x02", NULL},
        {"", NULL},
        {"0123456789012345678901234567890123456789012345678901234567890123rest",
         "0123456789012345678901234567890123456789012345678901234567890123"},
        {"012345678901234567890123456789012345678901234567890123456789012\xC3\xB1",
         "012345678901234567890123456789012345678901234567890123456789012"},
    };
    struct fixture f;
    fixture_open(&f, true);
    struct reader reader = stand_alone(&f);
    const uint8_t id[] = {4, 1, 2, 3};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t before = f.n_told;
        reader_hint(&reader, 0, id, 4, rows[i].written, strlen(rows[i].written));
        assert_int_equal(f.n_told - before, rows[i].told != NULL);
        if (rows[i].told)
            assert_string_equal(f.told[before].why, rows[i].told);
    }
    reader_signature(&reader, 0, id, 4, DRIVER_SIGNATURE_INVALID);
    assert_string_equal(fixture_last(&f, NULL)->why, "invalid");
    fixture_close(&f);
}

static void a_host_may_be_deaf_to_hints(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, true);
    struct reader reader = stand_alone(&f);
    struct driver_host deaf = fixture_host;
    deaf.hint = NULL;
    deaf.signature = NULL;
    reader.host = &deaf;
    reader_hint(&reader, 0, (const uint8_t[4]){4}, 4, "seer", 4);
    reader_signature(&reader, 0, (const uint8_t[4]){4}, 4, DRIVER_SIGNATURE_VALID);
    assert_int_equal(f.n_told, 0);
    fixture_close(&f);
}

static void a_replay_takes_the_place_of_any_driver(void **state) {
    (void)state;
    struct fixture f;
    fixture_open(&f, true);
    fixture_conf(&f, "[reader north]\ndriver = pn532\nport = /dev/nowhere\n");
    fixture_write(fixture_path(&f, "a.tap"), "0 north 0 up\n10 north 0 none\n");
    struct reader *reader = fixture_reader(&f, "north", fixture_path(&f, "a.tap"));
    assert_string_equal(reader->driver->name, "replay");
    loop_run(f.loop);
    assert_int_equal(fixture_count(&f, "north", TOLD_NONE), 1);
    assert_int_equal(fixture_count(&f, "north", TOLD_ENDED), 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_driver_is_whole),
        cmocka_unit_test(an_unknown_driver_is_named),
        cmocka_unit_test(b046_ids_of_other_lengths_go_no_further),
        cmocka_unit_test(reports_are_counted),
        cmocka_unit_test(b029_health_is_told_once),
        cmocka_unit_test(hints_are_made_harmless),
        cmocka_unit_test(a_host_may_be_deaf_to_hints),
        cmocka_unit_test(a_replay_takes_the_place_of_any_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
