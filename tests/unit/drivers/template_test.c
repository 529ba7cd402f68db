// The driver to copy does what its comments say.
#include "unit/drivers/fixture.h"

extern const struct driver template_driver;

static void the_template_works(void **state) {
    (void)state;
    struct fixture f;
    struct error err = {0};
    fixture_open(&f, true);
    fixture_conf(&f, "[reader north]\ndriver = template\nfile = tag\npoll = 50ms\n");
    const struct config_section *conf = config_find(f.config, "reader", "north");
    assert_int_equal(config_check_keys(f.config, conf, template_driver.params, &err), ERROR_OK);
    struct reader reader = {.driver = &template_driver,
                            .host = &fixture_host,
                            .host_ctx = &f,
                            .loop = f.loop,
                            .conf = conf,
                            .name = "north",
                            .priv = calloc(1, template_driver.priv_size)};
    assert_int_equal(template_driver.open(&reader, &err), ERROR_OK);
    assert_int_equal(f.n_told, 0); // nothing before open has returned

    loop_turn(f.loop, 0);
    assert_int_equal(f.told[0].what, TOLD_DOWN);
    assert_non_null(strstr(f.told[0].why, "check the key `file`"));
    fixture_write(fixture_path(&f, "tag"), "\n");
    FIXTURE_UNTIL(&f, f.n_told == 3);
    assert_int_equal(f.told[1].what, TOLD_UP);
    assert_int_equal(f.told[2].what, TOLD_NONE);
    int64_t scanned_us = f.told[2].us;
    fixture_write(fixture_path(&f, "tag"), "04110A5A1F6180\n");
    FIXTURE_UNTIL(&f, f.n_told == 4);
    assert_string_equal(f.told[3].tags, "04110A5A1F6180");
    assert_int_equal(f.told[3].us - scanned_us, 50000);
    template_driver.again(&reader, 0);
    fixture_write(fixture_path(&f, "tag"), "04110A5A1F618\n");
    FIXTURE_UNTIL(&f, f.n_told == 5);
    assert_int_equal(f.told[4].what, TOLD_FAILED);
    assert_int_equal(f.told[4].us - f.told[3].us, 10000);
    assert_int_equal(reader.n_faults[DRIVER_FAULT_FRAME], 1);

    template_driver.close(&reader);
    free(reader.priv);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_template_works)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
