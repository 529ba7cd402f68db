// The driver against emulated chips on a fake SPI bus, on the virtual clock.
#include "support/mfrc522_emulator.h"
#include "unit/drivers/fixture.h"
#include <errno.h>

enum { CHIPS = 4, SECOND = 1000000 };

struct bench {
    struct fixture f;
    struct mfrc522_emulator *chip[CHIPS];
    struct reader *reader;
};

static const char *const tile = "04110A5A1F6180";
static const char *const other = "04120A5A1F6180";

static void start(struct bench *b, const char *keys) {
    char conf[600];
    snprintf(conf, sizeof conf, "[reader north]\ndriver = mfrc522\n%s\n", keys);
    fixture_conf(&b->f, conf);
    b->reader = fixture_reader(&b->f, "north", NULL);
}

// n chips on spidev0.0 .. with their own selects.
static void open_bench(struct bench *b, unsigned n, const struct mfrc522_emulator_options *options,
                       const char *keys) {
    char conf[400] = "device =";
    *b = (struct bench){0};
    fixture_open(&b->f, true);
    fake_bus_open();
    for (unsigned i = 0; i < n; i++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/spidev0.%u", i);
        b->chip[i] = mfrc522_emulator_create(b->f.loop, options);
        const struct fake_spi spi = mfrc522_emulator_spi(b->chip[i], NULL, NULL);
        fake_bus_add_spi(path, &spi);
        snprintf(conf + strlen(conf), sizeof conf - strlen(conf), " %s", path);
    }
    snprintf(conf + strlen(conf), sizeof conf - strlen(conf), "\n%s\n", keys);
    start(b, conf);
}

static void close_bench(struct bench *b) {
    if (b->reader)
        fixture_drop(&b->f, b->reader);
    assert_int_equal(fake_bus_handles(), 0);
    for (unsigned i = 0; i < CHIPS; i++)
        mfrc522_emulator_destroy(b->chip[i]);
    fake_bus_close();
    fixture_close(&b->f);
}

// B047 and B048: one, two and three cascade levels; no cascade byte in an id, none cut short.
static void b048_ids_of_four_seven_and_ten_bytes(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "");
    fixture_run(&b.f, SECOND / 10);
    assert_int_equal(b.f.told[0].what, TOLD_UP);
    assert_string_equal(b.f.told[0].why, "1 of 1 MFRC522 ready");
    fixture_shows(&b.f, 0, "");
    static const char *const ids[] = {"5567232D", "88112233", "04110A5A1F6180", "04888888888888",
                                      "04112233445566778899"};
    for (unsigned i = 0; i < 4 + 1; i++) {
        if (i == 1)
            continue; // 88 as a first byte of four is what a cascade looks like: see below
        mfrc522_emulator_place(b.chip[0], ids[i]);
        fixture_run(&b.f, SECOND / 10);
        fixture_shows(&b.f, 0, ids[i]);
    }
    mfrc522_emulator_clear(b.chip[0]);
    fixture_run(&b.f, SECOND / 10);
    fixture_shows(&b.f, 0, "");
    assert_int_equal(fixture_faults(b.reader), 0);
    close_bench(&b);
}

static void a_resting_tag_is_seen_every_time(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "");
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_NONE), 0);
    size_t seen = fixture_count(&b.f, NULL, TOLD_SEEN);
    assert_in_range(seen, 45, 51); // every 20 ms
    assert_int_equal(mfrc522_emulator_seen(b.chip[0])->field_ons, 1);
    mfrc522_emulator_clear(b.chip[0]);
    fixture_run(&b.f, SECOND / 10);
    assert_int_equal(mfrc522_emulator_seen(b.chip[0])->field_ons, 2); // off after a removal
    close_bench(&b);
}

static void two_tags_on_one_antenna(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "");
    static const char *const seconds[] = {"04210B5A1F6180", "5567232D", "04110A5A1F6181",
                                          "04110A5A1F618011223344"};
    for (unsigned i = 0; i < 3; i++) {
        mfrc522_emulator_place(b.chip[0], tile);
        mfrc522_emulator_add(b.chip[0], seconds[i]);
        fixture_run(&b.f, SECOND / 10);
        const struct told *last = fixture_last_at(&b.f, 0);
        assert_int_equal(last->what, TOLD_SEEN);
        assert_non_null(strstr(last->tags, tile));
        assert_non_null(strstr(last->tags, seconds[i]));
    }
    // A second one joins a resting one: the first is never missed, not once.
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND / 2);
    for (unsigned i = 0; i < 3; i++) {
        size_t from = b.f.n_told;
        mfrc522_emulator_add(b.chip[0], seconds[i]);
        fixture_run(&b.f, SECOND / 2);
        for (size_t k = from; k < b.f.n_told; k++)
            assert_true(b.f.told[k].what != TOLD_SEEN || strstr(b.f.told[k].tags, tile));
        assert_non_null(strstr(fixture_last_at(&b.f, 0)->tags, seconds[i]));
        mfrc522_emulator_place(b.chip[0], tile);
        fixture_run(&b.f, SECOND / 2);
        fixture_shows(&b.f, 0, tile);
    }
    mfrc522_emulator_add(b.chip[0], seconds[0]);
    mfrc522_emulator_add(b.chip[0], other); // a third: two are told, as many as can be read
    fixture_run(&b.f, SECOND / 10);
    assert_int_equal(fixture_last_at(&b.f, 0)->what, TOLD_SEEN);
    assert_int_equal(strlen(fixture_last_at(&b.f, 0)->tags), 2 * 14 + 1);
    close_bench(&b);
}

// B006, B044: what is there and cannot be read is no absence, and the count of misses does not see it.
static void b006_trouble_on_the_air_is_no_absence(void **state) {
    (void)state;
    static const enum mfrc522_emulator_fault troubles[] = {MFRC522_NOISE, MFRC522_BITFLIP, MFRC522_HANG};
    struct bench b;
    open_bench(&b, 1, NULL, "");
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND / 10);
    for (unsigned i = 0; i < sizeof troubles / sizeof troubles[0]; i++) {
        for (unsigned k = 0; k < 50; k++) {
            mfrc522_emulator_fault(b.chip[0], troubles[i], 1 + (int)k % 9);
            fixture_run(&b.f, 37000);
        }
        mfrc522_emulator_fault(b.chip[0], MFRC522_WELL, 0);
        fixture_run(&b.f, SECOND * 2);
        fixture_shows(&b.f, 0, tile);
    }
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_NONE), 0);
    assert_true(fixture_count(&b.f, NULL, TOLD_COLLIDED) > 10);
    assert_true(fixture_faults(b.reader) > 10);
    close_bench(&b);
}

// What several tags make of a request is noise as well, so it is followed by the question for their ids; only
// what comes over an id is a collision, and the next scan has forgotten it.
static void noise_over_an_id_is_one_collision(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "poll = 50ms");
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND / 10);
    for (int exchanges = 1; exchanges <= 2; exchanges++) {
        size_t from = b.f.n_told;
        mfrc522_emulator_fault(b.chip[0], MFRC522_NOISE, exchanges);
        fixture_run(&b.f, SECOND / 2);
        assert_int_equal(fixture_count_since(&b.f, from, TOLD_COLLIDED, 0), exchanges - 1);
        assert_int_equal(fixture_count_since(&b.f, from, TOLD_SEEN, 0) + (unsigned)exchanges - 1, 10);
    }
    close_bench(&b);
}

// The same tag is taken off and laid down anew in the middle of each scan: it never answers twice in one
// power. No scan of these is an absence, and the first that is left in peace sees it.
static void b012_disturbed_in_step_with_the_scans(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "poll = 50ms");
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND / 10);
    size_t from = b.f.n_told;
    for (unsigned i = 0; i < 100; i++) {
        unsigned requests = mfrc522_emulator_seen(b.chip[0])->requests;
        while (mfrc522_emulator_seen(b.chip[0])->requests == requests)
            loop_turn(b.f.loop, SECOND);
        mfrc522_emulator_place(b.chip[0], tile);
        fixture_run(&b.f, 20000);
    }
    assert_int_equal(fixture_count_since(&b.f, from, TOLD_NONE, 0), 0);
    assert_true(fixture_count_since(&b.f, from, TOLD_FAILED, 0) >= 99);
    fixture_run(&b.f, SECOND / 10);
    fixture_shows(&b.f, 0, tile);
    close_bench(&b);
}

static void b044_a_collision_for_three_seconds(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "");
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND / 10);
    size_t from = b.f.n_told;
    mfrc522_emulator_fault(b.chip[0], MFRC522_NOISE, -1);
    fixture_run(&b.f, 3 * SECOND);
    assert_int_equal(fixture_count_since(&b.f, from, TOLD_NONE, 0), 0);
    assert_true(fixture_count_since(&b.f, from, TOLD_COLLIDED, 0) > 60);
    mfrc522_emulator_fault(b.chip[0], MFRC522_WELL, 0);
    fixture_run(&b.f, SECOND / 10);
    fixture_shows(&b.f, 0, tile);
    close_bench(&b);
}

// B055: with any bit wrong no other id is ever told.
static void b055_wrong_bits_are_no_other_tile(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "");
    mfrc522_emulator_place(b.chip[0], tile);
    for (unsigned i = 0; i < 300; i++) {
        mfrc522_emulator_fault(b.chip[0], MFRC522_BITFLIP, (int)(i % 3) + 1);
        fixture_run(&b.f, 23000);
    }
    for (size_t i = 0; i < b.f.n_told; i++)
        if (b.f.told[i].what == TOLD_SEEN)
            assert_string_equal(b.f.told[i].tags, tile);
    close_bench(&b);
}

// Every exchange of a scan may meet a tag that is gone: a failed scan, then nothing. Never another id.
static void b012_lifted_between_two_questions(void **state) {
    (void)state;
    for (unsigned turns = 1; turns < 40; turns++) {
        struct bench b;
        open_bench(&b, 1, &(struct mfrc522_emulator_options){.real_timing = true}, "");
        mfrc522_emulator_place(b.chip[0], tile);
        fixture_run(&b.f, SECOND / 10);
        size_t from = b.f.n_told;
        fixture_run(&b.f, turns * 331);
        mfrc522_emulator_clear(b.chip[0]);
        fixture_run(&b.f, SECOND / 5);
        assert_true(fixture_count_since(&b.f, from, TOLD_FAILED, 0) <= 1);
        fixture_shows(&b.f, 0, "");
        close_bench(&b);
    }
}

static void b013_an_exchange_that_never_ends(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 2, NULL, "");
    mfrc522_emulator_place(b.chip[0], tile);
    mfrc522_emulator_place(b.chip[1], other);
    fixture_run(&b.f, SECOND / 10);
    size_t from = b.f.n_told;
    mfrc522_emulator_fault(b.chip[0], MFRC522_HANG, 1);
    fixture_run(&b.f, 2 * SECOND);
    assert_int_equal(b.reader->n_faults[DRIVER_FAULT_TIMEOUT], 1);
    assert_true(fixture_count_since(&b.f, from, TOLD_FAILED, 0) > 10); // until it is set up anew
    assert_int_equal(fixture_count_since(&b.f, from, TOLD_NONE, 0), 0);
    fixture_shows(&b.f, 0, tile);
    // The other one went on all the time.
    assert_true(fixture_count_since(&b.f, from, TOLD_SEEN, 1) > 60);
    assert_int_equal(fixture_count_since(&b.f, from, TOLD_FAILED, 1), 0);
    close_bench(&b);
}

// B032: several chips on one bus, in each of the three ways to tell them apart.
static void b032_several_chips_on_one_bus(void **state) {
    (void)state;
    static const char *const lines[] = {"gpiochip0:5", "gpiochip0:6", "gpiochip0:13"};
    static const char *const confs[] = {
        "", "device = /dev/spidev0.0\nselect = gpiochip0:5 gpiochip0:6 gpiochip0:13\nreset = gpiochip0:25\n",
        "device = /dev/spidev0.0\nreset = gpiochip0:5 gpiochip0:6 gpiochip0:13\n"};
    static const char *const tags[] = {"04110A5A1F6180", "", "5567232D"};
    for (unsigned way = 0; way < 3; way++) {
        struct bench b = {0};
        if (way == 0) {
            open_bench(&b, 3, NULL, "");
        } else {
            fixture_open(&b.f, true);
            fake_bus_open();
            for (unsigned i = 0; i < 3; i++) {
                b.chip[i] = mfrc522_emulator_create(b.f.loop, NULL);
                const struct fake_spi spi = mfrc522_emulator_spi(b.chip[i], way == 1 ? lines[i] : NULL,
                                                                 way == 1 ? "gpiochip0:25" : lines[i]);
                fake_bus_add_spi("/dev/spidev0.0", &spi);
            }
            start(&b, confs[way]);
        }
        for (unsigned i = 0; i < 3; i++)
            if (*tags[i])
                mfrc522_emulator_place(b.chip[i], tags[i]);
        fixture_run(&b.f, SECOND);
        assert_int_equal(b.reader->antennas, 3);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_UP), 1);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_FAILED), 0);
        for (unsigned i = 0; i < 3; i++)
            fixture_shows(&b.f, i, tags[i]);
        assert_true(fake_bus_turns() > 60); // interleaved
        for (unsigned i = 0; i < 3; i++)
            assert_true(fixture_count_since(&b.f, 0, *tags[i] ? TOLD_SEEN : TOLD_NONE, i) > 20);
        close_bench(&b);
    }
}

// Selected by their reset lines, and nobody there: down once, whatever the retries do; up when one answers.
static void b029_chips_behind_reset_lines_that_do_not_answer(void **state) {
    (void)state;
    static const char *const lines[] = {"gpiochip0:5", "gpiochip0:6"};
    struct bench b = {0};
    fixture_open(&b.f, true);
    fake_bus_open();
    for (unsigned i = 0; i < 2; i++) {
        b.chip[i] = mfrc522_emulator_create(b.f.loop, NULL);
        const struct fake_spi spi = mfrc522_emulator_spi(b.chip[i], NULL, lines[i]);
        fake_bus_add_spi("/dev/spidev0.0", &spi);
        mfrc522_emulator_fault(b.chip[i], MFRC522_DEAD, -1);
    }
    start(&b, "device = /dev/spidev0.0\nreset = gpiochip0:5 gpiochip0:6\n");
    fixture_run(&b.f, 20 * SECOND);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_UP), 0);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), 1);
    assert_non_null(strstr(fixture_last(&b.f, NULL)->why, "no MFRC522 answers"));
    mfrc522_emulator_fault(b.chip[1], MFRC522_WELL, 0);
    mfrc522_emulator_place(b.chip[1], tile);
    fixture_run(&b.f, 5 * SECOND);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_UP), 1);
    fixture_shows(&b.f, 1, tile);
    assert_int_equal(fixture_last_at(&b.f, 0)->what, TOLD_FAILED);
    close_bench(&b);
}

// A chip whose exchange never ends is left alone for a second, and must not be heard by its neighbours then.
static void a_chip_that_hangs_leaves_no_field_behind(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 2, NULL, "");
    fixture_run(&b.f, SECOND / 10);
    mfrc522_emulator_fault(b.chip[0], MFRC522_HANG, 1);
    for (unsigned i = 0; i < 2000; i++) {
        loop_turn(b.f.loop, 1000);
        assert_false(mfrc522_emulator_seen(b.chip[0])->field && mfrc522_emulator_seen(b.chip[1])->field);
    }
    assert_int_equal(b.reader->n_faults[DRIVER_FAULT_TIMEOUT], 1);
    close_bench(&b);
}

static void one_field_at_a_time(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 3, &(struct mfrc522_emulator_options){.real_timing = true}, "");
    for (unsigned i = 0; i < 3; i++)
        mfrc522_emulator_place(b.chip[i], tile);
    for (unsigned i = 0; i < 4000; i++) {
        unsigned on = 0;
        loop_turn(b.f.loop, 1000);
        for (unsigned k = 0; k < 3; k++)
            on += mfrc522_emulator_seen(b.chip[k])->field;
        assert_true(on <= 1);
    }
    assert_true(fixture_count(&b.f, NULL, TOLD_SEEN) > 20);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_NONE), 0);
    close_bench(&b);
}

// B026: any subset of the antennas empty or dead, the others report.
static void b026_every_subset(void **state) {
    (void)state;
    for (unsigned dead = 0; dead < 16; dead++) {
        struct bench b;
        open_bench(&b, 4, NULL, "");
        fixture_run(&b.f, SECOND / 10);
        for (unsigned i = 0; i < 4; i++) {
            mfrc522_emulator_place(b.chip[i], tile);
            mfrc522_emulator_fault(b.chip[i], dead >> i & 1 ? MFRC522_DEAD : MFRC522_WELL, -1);
        }
        fixture_run(&b.f, SECOND / 2);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), dead == 15);
        for (unsigned i = 0; i < 4 && dead != 15; i++)
            assert_int_equal(fixture_last_at(&b.f, i)->what, dead >> i & 1 ? TOLD_FAILED : TOLD_SEEN);
        for (unsigned i = 0; i < 4; i++)
            mfrc522_emulator_fault(b.chip[i], MFRC522_WELL, 0);
        fixture_run(&b.f, 5 * SECOND);
        for (unsigned i = 0; i < 4; i++)
            fixture_shows(&b.f, i, tile);
        close_bench(&b);
    }
}

static void b033_one_alarm_for_the_whole_bus(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 4, NULL, "");
    for (unsigned i = 0; i < 4; i++)
        mfrc522_emulator_place(b.chip[i], tile);
    fixture_run(&b.f, SECOND / 2);
    size_t from = b.f.n_told;
    fake_bus_noise(true);
    fixture_run(&b.f, 10 * SECOND);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), 1);
    assert_non_null(strstr(fixture_last(&b.f, NULL)->why, "bus fault"));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(fixture_count_since(&b.f, from, TOLD_NONE, i), 0);
    fake_bus_noise(false);
    fixture_run(&b.f, 5 * SECOND);
    for (unsigned i = 0; i < 4; i++)
        fixture_shows(&b.f, i, tile);
    close_bench(&b);
}

static void b034_gain(void **state) {
    (void)state;
    struct bench b;
    struct error err = {0};
    open_bench(&b, 2, NULL, "gain = 48");
    mfrc522_emulator_place(b.chip[1], tile);
    fixture_run(&b.f, SECOND / 2);
    assert_int_equal(mfrc522_emulator_seen(b.chip[0])->gain, 0x70);
    fixture_shows(&b.f, 1, tile);
    close_bench(&b);
    open_bench(&b, 1, NULL, "");
    fixture_run(&b.f, SECOND / 10);
    assert_int_equal(mfrc522_emulator_seen(b.chip[0])->gain, 0x40);
    close_bench(&b);
    struct fixture f;
    fixture_open(&f, true);
    fixture_conf(&f, "");
    struct config_schema schemas[2] = {{.section = "reader",
                                        .labelled = true,
                                        .label_help = "n",
                                        .keys = driver_common_params(),
                                        .open = true}};
    fixture_write(fixture_path(&f, "g.conf"),
                  "[reader a]\ndriver = mfrc522\ndevice = /dev/spidev0.0\ngain = 60\n");
    struct config *config;
    assert_int_equal(config_load(fixture_path(&f, "g.conf"), schemas, &config, &err), ERROR_OK);
    assert_int_equal(
        config_check_keys(config, config_find(config, "reader", "a"), driver_find("mfrc522")->params, &err),
        ERROR_INVALID);
    assert_non_null(strstr(err.text, "48"));
    config_destroy(config);
    fixture_close(&f);
}

static void b024_the_fourth_opening_works(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, NULL, "");
    mfrc522_emulator_place(b.chip[0], tile);
    fake_bus_fail("/dev/spidev0.0", EIO);
    fixture_run(&b.f, 21000 + 41000 + 81000);
    assert_int_equal(b.f.n_told, 1);
    assert_int_equal(b.f.told[0].what, TOLD_DOWN);
    fake_bus_fail("/dev/spidev0.0", 0);
    fixture_run(&b.f, SECOND);
    assert_int_equal(b.f.told[1].what, TOLD_UP);
    fixture_shows(&b.f, 0, tile);
    close_bench(&b);
}

static void b029_causes_and_remedies(void **state) {
    (void)state;
    static const struct {
        int errnum;
        const char *why;
    } rows[] = {
        {EACCES, "groups spi"}, {EBUSY, "kernel driver"}, {ENOENT, "raspi-config"}, {EINVAL, "check speed"}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b;
        open_bench(&b, 1, NULL, "");
        fake_bus_fail("/dev/spidev0.0", rows[i].errnum);
        fixture_run(&b.f, 20 * SECOND);
        assert_int_equal(b.f.n_told, 1); // once
        assert_non_null(strstr(b.f.told[0].why, rows[i].why));
        assert_true(b.reader->n_faults[DRIVER_FAULT_IO] < 20); // later and later
        close_bench(&b);
    }
    struct bench b;
    open_bench(&b, 1, NULL, "");
    mfrc522_emulator_fault(b.chip[0], MFRC522_DEAD, -1);
    fixture_run(&b.f, 20 * SECOND);
    assert_int_equal(b.f.n_told, 1);
    assert_non_null(strstr(b.f.told[0].why, "no MFRC522 answers: check its supply"));
    close_bench(&b);
}

static void b040_another_chip(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, &(struct mfrc522_emulator_options){.version = 0x33}, "");
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, 5 * SECOND);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_SEEN), 0);
    assert_int_equal(b.f.n_told, 1);
    close_bench(&b);
}

static void b041_fields_are_off_at_the_end(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 2, NULL, "");
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND / 2);
    unsigned resets = mfrc522_emulator_seen(b.chip[0])->resets;
    fixture_drop(&b.f, b.reader);
    b.reader = NULL;
    for (unsigned i = 0; i < 2; i++) {
        assert_false(mfrc522_emulator_seen(b.chip[i])->field);
        assert_int_equal(mfrc522_emulator_seen(b.chip[i])->resets, resets + 1);
    }
    close_bench(&b);
}

// B030: a daemon that was killed leaves field and registers as they were.
static void b030_a_chip_left_in_any_state(void **state) {
    (void)state;
    struct bench b;
    static const uint8_t left[][2] = {
        {0x14 << 1, 0x83}, {0x01 << 1, 0x0C}, {0x0D << 1, 0x87}, {0x26 << 1, 0x00}};
    open_bench(&b, 1, NULL, "");
    const struct fake_spi spi = mfrc522_emulator_spi(b.chip[0], NULL, NULL);
    for (unsigned i = 0; i < sizeof left / sizeof left[0]; i++) {
        uint8_t rx[2];
        spi.transfer(spi.ctx, left[i], rx, 2);
    }
    mfrc522_emulator_place(b.chip[0], tile);
    fixture_run(&b.f, SECOND / 10);
    fixture_shows(&b.f, 0, tile);
    close_bench(&b);
}

static const struct told *told_signature(const struct bench *b, unsigned antenna) {
    for (size_t i = b->f.n_told; i-- > 0;)
        if (b->f.told[i].what == TOLD_SIGNATURE && b->f.told[i].antenna == antenna)
            return &b->f.told[i];
    return NULL;
}

static void b056_a_tag_is_inspected_once(void **state) {
    (void)state;
    struct bench b;
    char keys[120];
    snprintf(keys, sizeof keys, "signature_key = %s", nfc_tag_maker());
    open_bench(&b, 2, NULL, keys);
    struct nfc_tag *tag = mfrc522_emulator_place(b.chip[1], tile);
    nfc_tag_write(tag, "seer");
    nfc_tag_sign(tag);
    fixture_run(&b.f, SECOND / 5);
    assert_null(told_signature(&b, 1)); // not asked for
    b.reader->driver->inspect(b.reader, 1, true);
    fixture_run(&b.f, SECOND / 5);
    assert_string_equal(told_signature(&b, 1)->why, "valid");
    assert_string_equal(told_signature(&b, 1)->tags, tile);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_HINT), 1);
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_SIGNATURE), 1);
    assert_int_equal(fixture_count_since(&b.f, 0, TOLD_NONE, 1), 0); // and it stays where it is
    fixture_shows(&b.f, 1, tile);
    struct nfc_tag *second = mfrc522_emulator_add(b.chip[1], "04210B5A1F6180");
    second->kind = NFC_TAG_ULTRALIGHT;
    fixture_run(&b.f, SECOND / 5);
    assert_string_equal(told_signature(&b, 1)->why, "unsupported");
    assert_int_equal(fixture_count(&b.f, NULL, TOLD_SIGNATURE), 2);
    static const struct {
        bool lost, deaf, copied;
        const char *word;
    } rows[] = {{true, false, false, "unreadable"},
                {false, true, false, "unreadable"},
                {false, false, true, "invalid"}};
    for (unsigned i = 0; i < 3; i++) {
        tag = mfrc522_emulator_place(b.chip[1], other);
        nfc_tag_sign(tag);
        tag->signature_lost = rows[i].lost;
        tag->deaf = rows[i].deaf;
        tag->signature[0] ^= rows[i].copied;
        b.reader->driver->inspect(b.reader, 1, false);
        b.reader->driver->inspect(b.reader, 1, true);
        fixture_run(&b.f, SECOND / 5);
        assert_string_equal(told_signature(&b, 1)->why, rows[i].word);
        fixture_shows(&b.f, 1, other);
    }
    close_bench(&b);
}

static void b018_lifted_while_it_is_read(void **state) {
    (void)state;
    unsigned aborted = 0;
    for (unsigned at = 0; at < 30; at++) {
        struct bench b;
        open_bench(&b, 1, &(struct mfrc522_emulator_options){.real_timing = true}, "");
        fixture_run(&b.f, SECOND / 10);
        b.reader->driver->inspect(b.reader, 0, true);
        nfc_tag_write(mfrc522_emulator_place(b.chip[0], tile), "a text that takes some questions to be read");
        while (!fixture_last_at(&b.f, 0) || fixture_last_at(&b.f, 0)->what != TOLD_SEEN)
            loop_turn(b.f.loop, 1000);
        fixture_run(&b.f, at * 700);
        mfrc522_emulator_place(b.chip[0], other);
        int64_t placed_us = loop_now_us(b.f.loop);
        size_t from = b.f.n_told;
        while (fixture_last_at(&b.f, 0)->what != TOLD_SEEN ||
               strcmp(fixture_last_at(&b.f, 0)->tags, other) != 0)
            loop_turn(b.f.loop, 1000);
        assert_in_range(fixture_last_at(&b.f, 0)->us - placed_us, 0, 60000); // three scans
        for (size_t i = from; i < b.f.n_told; i++)
            if (b.f.told[i].what == TOLD_SIGNATURE && strcmp(b.f.told[i].tags, tile) == 0)
                aborted += strcmp(b.f.told[i].why, "unreadable") == 0;
        close_bench(&b);
    }
    assert_true(aborted > 10);
}

static void an_unsure_antenna_goes_first(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 4, &(struct mfrc522_emulator_options){.real_timing = true}, "");
    for (unsigned i = 0; i < 4; i++)
        mfrc522_emulator_place(b.chip[i], tile);
    fixture_run(&b.f, SECOND);
    size_t from = b.f.n_told;
    while (b.f.n_told == from)
        loop_turn(b.f.loop, 1000);
    const struct told *first = fixture_last(&b.f, NULL);
    unsigned antenna = first->antenna;
    int64_t at_us = first->us;
    b.reader->driver->again(b.reader, (uint16_t)antenna);
    while (fixture_count_since(&b.f, from + 1, TOLD_SEEN, antenna) == 0)
        loop_turn(b.f.loop, 1000);
    assert_in_range(fixture_last(&b.f, NULL)->us - at_us, 10000,
                    24000); // one other scan is under way at most
    close_bench(&b);
}

static void wrong_configurations_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *keys, *text;
    } rows[] = {
        {"device = spidev0.0", "write paths"},
        {"device = /dev/spidev0.0\nselect = gpiochip0", "write lines"},
        {"device = /dev/spidev0.0\nselect = gpiochip0:1 gpiochip1:2", "write lines"},
        {"device = /dev/spidev0.0\nselect = gpiochip0:1 gpiochip0:1", "write lines"},
        {"device = /dev/spidev0.0 /dev/spidev0.1\nselect = gpiochip0:1", "name one `device`"},
        {"device = /dev/spidev0.0 /dev/spidev0.1\nreset = gpiochip0:1 gpiochip0:2 gpiochip0:3",
         "one reset line"},
        {"device = /dev/spidev0.0\nsignature_key = 04", "no point"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture f;
        struct error err = {0};
        struct driver_needs needs;
        char conf[300];
        fixture_open(&f, true);
        snprintf(conf, sizeof conf, "[reader a]\ndriver = mfrc522\n%s\n", rows[i].keys);
        fixture_conf(&f, conf);
        const struct config_section *section = config_find(f.config, "reader", "a");
        assert_int_equal(driver_check(section, &needs, &err), ERROR_INVALID);
        if (!strstr(err.text, rows[i].text))
            fail_msg("row %u: %s", i, err.text);
        struct reader *reader;
        assert_int_equal(fixture_try(&f, "a", NULL, &reader, &err), ERROR_INVALID);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b048_ids_of_four_seven_and_ten_bytes),
        cmocka_unit_test(a_resting_tag_is_seen_every_time),
        cmocka_unit_test(two_tags_on_one_antenna),
        cmocka_unit_test(b006_trouble_on_the_air_is_no_absence),
        cmocka_unit_test(noise_over_an_id_is_one_collision),
        cmocka_unit_test(b012_disturbed_in_step_with_the_scans),
        cmocka_unit_test(b044_a_collision_for_three_seconds),
        cmocka_unit_test(b055_wrong_bits_are_no_other_tile),
        cmocka_unit_test(b012_lifted_between_two_questions),
        cmocka_unit_test(b013_an_exchange_that_never_ends),
        cmocka_unit_test(b032_several_chips_on_one_bus),
        cmocka_unit_test(b029_chips_behind_reset_lines_that_do_not_answer),
        cmocka_unit_test(a_chip_that_hangs_leaves_no_field_behind),
        cmocka_unit_test(one_field_at_a_time),
        cmocka_unit_test(b026_every_subset),
        cmocka_unit_test(b033_one_alarm_for_the_whole_bus),
        cmocka_unit_test(b034_gain),
        cmocka_unit_test(b024_the_fourth_opening_works),
        cmocka_unit_test(b029_causes_and_remedies),
        cmocka_unit_test(b040_another_chip),
        cmocka_unit_test(b041_fields_are_off_at_the_end),
        cmocka_unit_test(b030_a_chip_left_in_any_state),
        cmocka_unit_test(b056_a_tag_is_inspected_once),
        cmocka_unit_test(b018_lifted_while_it_is_read),
        cmocka_unit_test(an_unsure_antenna_goes_first),
        cmocka_unit_test(wrong_configurations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
