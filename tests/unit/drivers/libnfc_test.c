// The driver libnfc: the real library in its thread, the PN532 emulator on a pseudo-terminal on ours.
#include "drivers/usb_port.h"
#include "support/pn532_emulator.h"
#include "unit/drivers/recorded.h"

enum { CHIPS = 5 };
static struct fixture f;
static struct pn532_emulator *chip[CHIPS];

static int begin(void **state) {
    (void)state;
    fixture_open(&f, false);
    setenv("LIBNFC_LOG_LEVEL", "0", 1);
    return 0;
}

static int end(void **state) {
    (void)state;
    for (size_t i = 0; i < f.n_readers; i++) { // the library says goodbye to its chip: not to a dead one
        reader_close(f.reader[i]);
        f.reader[i] = NULL;
    }
    for (unsigned i = 0; i < CHIPS; i++) {
        pn532_emulator_destroy(chip[i]);
        chip[i] = NULL;
    }
    fixture_close(&f);
    return 0;
}

static const char *plug(unsigned i) {
    char name[16];
    struct error err;
    snprintf(name, sizeof name, "chip%u", i);
    const struct pn532_emulator_options options = {.link = fixture_path(&f, name)};
    assert_int_equal(pn532_emulator_create(f.loop, &options, &chip[i], &err), ERROR_OK);
    return pn532_emulator_path(chip[i]);
}

static void open_one(void) {
    char conf[200];
    snprintf(conf, sizeof conf,
             "[reader desk]\ndriver = libnfc\ndevice = pn532_uart:%s:115200\npoll = 20ms\n", plug(0));
    fixture_conf(&f, conf);
    fixture_reader(&f, "desk", NULL);
}

static bool last_is(enum told_what what, const char *tags) {
    const struct told *told = fixture_last(&f, "desk");
    return told && told->what == what && (!tags || !strcmp(told->tags, tags));
}

static void the_real_library_sees_tags_come_and_go(void **state) {
    (void)state;
    open_one();
    FIXTURE_UNTIL(&f, last_is(TOLD_NONE, NULL));
    static const char *const ids[] = {"04A1B2C3D4E580", "5A1B2C3D", "04A1B2C3D4E5F6071829"};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(pn532_emulator_place(chip[0], ids[i]));
        FIXTURE_UNTIL(&f, last_is(TOLD_SEEN, ids[i]));
        size_t seen = fixture_count(&f, NULL, TOLD_SEEN);
        FIXTURE_UNTIL(&f, fixture_count(&f, NULL, TOLD_SEEN) > seen + 4);
        pn532_emulator_clear(chip[0]);
        FIXTURE_UNTIL(&f, last_is(TOLD_NONE, NULL));
    }
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 1);
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 0);
}

static void b006_b010_a_dead_chip_is_no_lift(void **state) {
    (void)state;
    open_one();
    pn532_emulator_place(chip[0], "04A1B2C3D4E580");
    FIXTURE_UNTIL(&f, last_is(TOLD_SEEN, NULL));
    size_t none = fixture_count(&f, NULL, TOLD_NONE);
    pn532_emulator_fault(chip[0], EMULATOR_GARBAGE, -1);
    FIXTURE_UNTIL(&f, last_is(TOLD_DOWN, NULL));
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), none);
    pn532_emulator_fault(chip[0], EMULATOR_WELL, 0);
    FIXTURE_UNTIL(&f, last_is(TOLD_SEEN, "04A1B2C3D4E580"));
    assert_int_equal(fixture_count(&f, NULL, TOLD_NONE), none);
    assert_int_equal(fixture_count(&f, NULL, TOLD_UP), 2);
}

static void b025_four_devices_and_no_fifth(void **state) {
    (void)state;
    char conf[1000] = "", name[16];
    struct error err;
    struct reader *reader;
    for (unsigned i = 0; i < CHIPS; i++) {
        size_t n = strlen(conf);
        snprintf(conf + n, sizeof conf - n, "[reader r%u]\ndriver = libnfc\ndevice = pn532_uart:%s:115200\n",
                 i, plug(i));
    }
    fixture_conf(&f, conf);
    for (unsigned i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "r%u", i);
        fixture_reader(&f, name, NULL);
    }
    assert_int_equal(fixture_try(&f, "r4", NULL, &reader, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "4 devices"));
    pn532_emulator_place(chip[3], "04A1B2C3D4E580");
    for (unsigned i = 0; i < 4; i++) { // B026: an empty one ends nothing for the others
        snprintf(name, sizeof name, "r%u", i);
        FIXTURE_UNTIL(&f, fixture_count(&f, name, i == 3 ? TOLD_SEEN : TOLD_NONE) > 2);
    }
}

static void b024_a_device_that_comes_late(void **state) {
    (void)state;
    char conf[200];
    snprintf(conf, sizeof conf, "[reader desk]\ndriver = libnfc\ndevice = pn532_uart:%s:115200\n",
             fixture_path(&f, "chip0"));
    fixture_conf(&f, conf);
    fixture_reader(&f, "desk", NULL);
    FIXTURE_UNTIL(&f, last_is(TOLD_DOWN, NULL));
    assert_non_null(strstr(fixture_last(&f, NULL)->why, "plugged in"));
    plug(0);
    FIXTURE_UNTIL(&f, last_is(TOLD_NONE, NULL));
    assert_int_equal(fixture_count(&f, NULL, TOLD_DOWN), 1);
}

static void b027_numbers_change_ports_stay(void **state) {
    (void)state;
    char devices[64], path[160];
    unsigned bus, address;
    snprintf(devices, sizeof devices, "%s", fixture_path(&f, "devices"));
    assert_int_equal(mkdir(devices, 0700), 0);
    snprintf(path, sizeof path, "%s/1-1.2", devices);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/1-1.2/busnum", devices);
    fixture_write(path, "1");
    for (unsigned i = 7; i < 9; i++) {
        char text[8];
        snprintf(path, sizeof path, "%s/1-1.2/devnum", devices);
        snprintf(text, sizeof text, "%u", i);
        fixture_write(path, text);
        assert_true(usb_port_find(devices, "1-1.2", &bus, &address));
        assert_int_equal(address, i);
    }
    assert_false(usb_port_find(devices, "1-1.3", &bus, &address));
    assert_true(usb_port_ok("1-1.2"));
    assert_false(usb_port_ok("../x"));
    assert_false(usb_port_ok(""));
}

static void a_record_brings_the_same_events(void **state) {
    (void)state;
    struct recorded r;
    char conf[200];
    snprintf(conf, sizeof conf,
             "[reader desk]\ndriver = libnfc\ndevice = pn532_uart:%s:115200\npoll = 45ms\n", plug(0));
    fixture_conf(&f, conf);
    recorded_open(&r, &f, "desk", 1, "libnfc");
    for (unsigned i = 0; i < RECORDED_TAGS; i++) {
        size_t len = r.rb.len;
        pn532_emulator_place(chip[0], recorded_tags[i]);
        FIXTURE_UNTIL(&f, strstr(r.rb.text + len, " placed "));
        pn532_emulator_clear(chip[0]);
        FIXTURE_UNTIL(&f, strstr(r.rb.text + len, " removed "));
    }
    recorded_close(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_real_library_sees_tags_come_and_go), TEST(b006_b010_a_dead_chip_is_no_lift),
        TEST(b024_a_device_that_comes_late),          TEST(b025_four_devices_and_no_fifth),
        TEST(b027_numbers_change_ports_stay),         TEST(a_record_brings_the_same_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
