// The driver over I2C and SPI, with multiplexers, and asking tags: on fake buses and the virtual clock.
#include "support/fake_bus.h"
#include "support/pn532_emulator.h"
#include "unit/drivers/fixture.h"
#include <errno.h>

enum { CHIPS = 4, SECOND = 1000000 };

struct bench {
    struct fixture f;
    struct pn532_emulator *chip[CHIPS];
    struct reader *reader;
};

static const char *const tile = "04110A5A1F6180";
static const char *const other = "04120A5A1F6180";
static const char *const i2c_conf = "wire = i2c\nport = /dev/i2c-1\n";
static const char *const spi_conf = "wire = spi\nport = /dev/spidev0.0\n";

static void begin(struct bench *b) {
    *b = (struct bench){0};
    fixture_open(&b->f, true);
    fake_bus_open();
}

static void add_chip(struct bench *b, unsigned i, bool real_timing) {
    struct error err;
    const struct pn532_emulator_options options = {.bus = true, .real_timing = real_timing};
    assert_int_equal(pn532_emulator_create(b->f.loop, &options, &b->chip[i], &err), ERROR_OK);
}

static void start(struct bench *b, const char *keys) {
    char conf[600];
    snprintf(conf, sizeof conf, "[reader north]\ndriver = pn532\n%s\n", keys);
    fixture_conf(&b->f, conf);
    b->reader = fixture_reader(&b->f, "north", NULL);
}

// One chip that hangs on both buses; the keys say which one is used.
static void open_bench(struct bench *b, bool real_timing, const char *wire, const char *keys) {
    char conf[500];
    begin(b);
    add_chip(b, 0, real_timing);
    const struct fake_i2c i2c = pn532_emulator_i2c(b->chip[0], NULL);
    const struct fake_spi spi = pn532_emulator_spi(b->chip[0]);
    fake_bus_add_i2c("/dev/i2c-1", 0x24, &i2c);
    fake_bus_add_spi("/dev/spidev0.0", &spi);
    snprintf(conf, sizeof conf, "%s%s", wire, keys);
    start(b, conf);
}

static void close_bench(struct bench *b) {
    if (b->reader)
        fixture_drop(&b->f, b->reader);
    assert_int_equal(fake_bus_handles(), 0);
    for (unsigned i = 0; i < CHIPS; i++)
        pn532_emulator_destroy(b->chip[i]);
    fake_bus_close();
    fixture_close(&b->f);
}

static void every_wire_brings_the_same(void **state) {
    (void)state;
    static const uint8_t second[] = {0x04, 0x21, 0x0B, 0x5A, 0x1F, 0x61, 0x80};
    static const char *const ids[] = {"5567232D", "04110A5A1F6180", "04112233445566778899"};
    for (unsigned wire = 0; wire < 2; wire++) {
        for (unsigned real = 0; real < 2; real++) {
            struct bench b;
            open_bench(&b, real, wire ? spi_conf : i2c_conf, "");
            fixture_run(&b.f, SECOND / 5);
            assert_int_equal(b.f.told[0].what, TOLD_UP);
            fixture_shows(&b.f, 0, "");
            for (unsigned i = 0; i < 3; i++) {
                pn532_emulator_place(b.chip[0], ids[i]);
                fixture_run(&b.f, SECOND / 5);
                fixture_shows(&b.f, 0, ids[i]);
            }
            pn532_emulator_place(b.chip[0], tile);
            pn532_emulator_add(b.chip[0], second, sizeof second);
            size_t from = b.f.n_told;
            fixture_run(&b.f, SECOND);
            fixture_shows(&b.f, 0, "04110A5A1F6180 04210B5A1F6180");
            assert_int_equal(fixture_count_since(&b.f, from, TOLD_NONE, 0), 0);
            assert_true(fixture_count_since(&b.f, from, TOLD_SEEN, 0) > 35);
            pn532_emulator_clear(b.chip[0]);
            fixture_run(&b.f, SECOND / 5);
            fixture_shows(&b.f, 0, "");
            assert_int_equal(fixture_faults(b.reader), 0);
            const struct pn532_emulator_seen *seen = pn532_emulator_seen(b.chip[0]);
            assert_int_equal(seen->bad_frames, 0);
            assert_true(seen->shortest_us >= 10000);
            fixture_drop(&b.f, b.reader); // B041
            b.reader = NULL;
            assert_false(seen->field);
            assert_int_equal(seen->retries[2], 0xFF);
            assert_int_equal(seen->window[2], 0x0A);
            close_bench(&b);
        }
    }
}

// B006, B013: what the radio or the wire swallows is no absence.
static void b013_trouble_on_a_bus(void **state) {
    (void)state;
    for (unsigned wire = 0; wire < 2; wire++) {
        for (unsigned fault = EMULATOR_SILENCE; fault < EMULATOR_MISS; fault++) {
            struct bench b;
            open_bench(&b, false, wire ? spi_conf : i2c_conf, "");
            pn532_emulator_place(b.chip[0], tile);
            fixture_run(&b.f, SECOND / 5);
            size_t from = b.f.n_told;
            for (unsigned i = 0; i < 20; i++) {
                pn532_emulator_fault(b.chip[0], (enum pn532_emulator_fault)fault, 1 + (int)i % 3);
                fixture_run(&b.f, SECOND / 3);
            }
            fixture_run(&b.f, SECOND);
            fixture_shows(&b.f, 0, tile);
            assert_int_equal(fixture_count_since(&b.f, from, TOLD_NONE, 0), 0);
            assert_true(fixture_faults(b.reader) > 0);
            close_bench(&b);
        }
    }
}

static void b031_a_hung_chip_on_a_bus(void **state) {
    (void)state;
    for (unsigned wire = 0; wire < 2; wire++) {
        struct bench b;
        open_bench(&b, false, wire ? spi_conf : i2c_conf, "");
        pn532_emulator_place(b.chip[0], tile);
        fixture_run(&b.f, SECOND);
        pn532_emulator_hang_after(b.chip[0], 1);
        size_t from = b.f.n_told;
        fixture_run(&b.f, 10 * SECOND);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), 1);
        assert_int_equal(fixture_count_since(&b.f, from, TOLD_NONE, 0), 0);
        pn532_emulator_reset(b.chip[0]);
        fixture_run(&b.f, 5 * SECOND);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_UP), 2);
        fixture_shows(&b.f, 0, tile);
        close_bench(&b);
    }
}

static void b029_causes_and_remedies(void **state) {
    (void)state;
    static const struct {
        const char *path;
        int errnum;
        const char *why;
    } rows[] = {
        {"/dev/i2c-1", EACCES, "groups spi, i2c"},
        {"/dev/i2c-1", EREMOTEIO, "nothing answers at this address"},
        {"/dev/spidev0.0", EACCES, "groups spi"},
        {"/dev/spidev0.0", ENOENT, "raspi-config"},
        {"/dev/i2c-1", EBUSY, "something else"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b;
        open_bench(&b, false, rows[i].path[5] == 's' ? spi_conf : i2c_conf, "");
        fake_bus_fail(rows[i].path, rows[i].errnum);
        fixture_run(&b.f, 20 * SECOND);
        assert_int_equal(b.f.n_told, 1); // once
        assert_non_null(strstr(b.f.told[0].why, rows[i].why));
        fake_bus_fail(rows[i].path, 0);
        fixture_run(&b.f, 5 * SECOND);
        assert_int_equal(b.f.told[1].what, TOLD_UP);
        fake_bus_fail(rows[i].path, EIO); // and while it runs
        fixture_run(&b.f, 5 * SECOND);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), 2);
        close_bench(&b);
    }
}

// A chip of the same address that does not answer, and one that is set to another wire.
static void a_silent_bus_names_its_switches(void **state) {
    (void)state;
    for (unsigned wire = 0; wire < 2; wire++) {
        struct bench b;
        open_bench(&b, false, wire ? spi_conf : i2c_conf, "");
        pn532_emulator_fault(b.chip[0], EMULATOR_SILENCE, -1);
        fixture_run(&b.f, 5 * SECOND);
        assert_int_equal(b.f.n_told, 1);
        assert_non_null(strstr(b.f.told[0].why, wire ? "set to SPI" : "set to I2C"));
        close_bench(&b);
    }
}

// ---- multiplexers

static unsigned by_lines(void *ctx) {
    (void)ctx;
    return (unsigned)fake_bus_level("/dev/gpiochip0", 17) + 2u * fake_bus_level("/dev/gpiochip0", 27);
}

static unsigned by_expander(void *ctx) {
    (void)ctx;
    int byte = fake_bus_expander("/dev/i2c-1", 32);
    return byte < 0 ? 0 : (unsigned)byte;
}

static unsigned by_hot_expander(void *ctx) {
    (void)ctx;
    int byte = fake_bus_expander("/dev/i2c-1", 32);
    unsigned i = 0;
    while (byte > 0 && !(byte >> i & 1))
        i++;
    return i;
}

static void antennas_behind_a_multiplexer(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        unsigned (*coil)(void *ctx);
    } rows[] = {
        {"antennas = 4\nmux = gpio\nmux_lines = gpiochip0:17 gpiochip0:27\n", by_lines},
        {"antennas = 4\nmux = pcf8574\n", by_expander},
        {"antennas = 4\nmux = pcf8574_onehot\n", by_hot_expander},
    };
    static const char *const tags[] = {"04110A5A1F6180", "", "5567232D", "04120A5A1F6180"};
    for (unsigned row = 0; row < 3; row++) {
        for (unsigned wire = 0; wire < 2; wire++) {
            struct bench b;
            open_bench(&b, true, wire ? spi_conf : i2c_conf, rows[row].keys);
            fake_bus_add_expander("/dev/i2c-1", 32);
            pn532_emulator_coils(b.chip[0], rows[row].coil, NULL);
            for (unsigned i = 0; i < 4; i++) {
                uint8_t id[10];
                size_t len = strlen(tags[i]) / 2;
                for (size_t k = 0; k < len; k++) {
                    unsigned byte;
                    assert_int_equal(sscanf(tags[i] + 2 * k, "%2x", &byte), 1);
                    id[k] = (uint8_t)byte;
                }
                pn532_emulator_at(b.chip[0], i);
                if (len)
                    pn532_emulator_add(b.chip[0], id, len);
            }
            fixture_run(&b.f, 3 * SECOND);
            assert_int_equal(b.reader->antennas, 4);
            for (unsigned i = 0; i < 4; i++) {
                fixture_shows(&b.f, i, tags[i]);
                assert_true(fixture_count_since(&b.f, 0, *tags[i] ? TOLD_SEEN : TOLD_NONE, i) > 30);
                assert_int_equal(fixture_count_since(&b.f, 0, *tags[i] ? TOLD_NONE : TOLD_SEEN, i), 0);
            }
            assert_int_equal(fixture_faults(b.reader), 0);
            // Antennas are changed without a field.
            const struct pn532_emulator_seen *seen = pn532_emulator_seen(b.chip[0]);
            assert_true(seen->field_offs + 2 >= seen->polls);
            close_bench(&b);
        }
    }
}

// B026, B032: chips of one address behind an I2C switch; any subset of them dead.
static void b026_every_subset_behind_a_switch(void **state) {
    (void)state;
    for (unsigned dead = 0; dead < 8; dead++) {
        struct bench b;
        begin(&b);
        fake_bus_add_expander("/dev/i2c-1", 112);
        for (unsigned i = 0; i < 3; i++) {
            static const char *const behind[] = {"/dev/i2c-1:112:0", "/dev/i2c-1:112:1", "/dev/i2c-1:112:2"};
            add_chip(&b, i, true);
            const struct fake_i2c i2c = pn532_emulator_i2c(b.chip[i], behind[i]);
            fake_bus_add_i2c("/dev/i2c-1", 0x24, &i2c);
            pn532_emulator_place(b.chip[i], i == 1 ? other : tile);
            if (dead >> i & 1)
                pn532_emulator_fault(b.chip[i], EMULATOR_SILENCE, -1);
        }
        start(&b, "wire = i2c\nport = /dev/i2c-1\nantennas = 3\nmux = tca9548\nmux_address = 112\n");
        fixture_run(&b.f, 5 * SECOND);
        for (unsigned i = 0; i < 3 && dead != 7; i++) {
            if (dead >> i & 1)
                assert_int_equal(fixture_last_at(&b.f, i)->what, TOLD_FAILED);
            else
                fixture_shows(&b.f, i, i == 1 ? other : tile);
            assert_int_equal(fixture_count_since(&b.f, 0, TOLD_NONE, i), 0);
        }
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), dead == 7);
        for (unsigned i = 0; i < 3; i++)
            pn532_emulator_fault(b.chip[i], EMULATOR_WELL, 0);
        fixture_run(&b.f, 10 * SECOND);
        for (unsigned i = 0; i < 3; i++)
            fixture_shows(&b.f, i, i == 1 ? other : tile);
        close_bench(&b);
    }
}

static void a_lost_multiplexer_is_a_lost_reader(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, true, spi_conf, "antennas = 4\nmux = pcf8574\n");
    fixture_run(&b.f, SECOND); // no expander there
    assert_int_equal(b.f.n_told, 1);
    assert_non_null(strstr(b.f.told[0].why, "nothing answers at this address"));
    fake_bus_add_expander("/dev/i2c-1", 32);
    fixture_run(&b.f, 3 * SECOND);
    assert_int_equal(b.f.told[1].what, TOLD_UP);
    close_bench(&b);
}

static void an_unsure_antenna_goes_first(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, true, spi_conf, "antennas = 4\nmux = gpio\nmux_lines = gpiochip0:17 gpiochip0:27\n");
    fixture_run(&b.f, SECOND);
    size_t from = b.f.n_told;
    while (b.f.n_told == from)
        loop_turn(b.f.loop, 1000);
    unsigned antenna = fixture_last(&b.f, NULL)->antenna;
    int64_t at_us = fixture_last(&b.f, NULL)->us;
    b.reader->driver->again(b.reader, (uint16_t)antenna);
    while (fixture_count_since(&b.f, from + 1, TOLD_NONE, antenna) == 0)
        loop_turn(b.f.loop, 1000);
    assert_in_range(fixture_last_at(&b.f, antenna)->us - at_us, 5000, 30000);
    close_bench(&b);
}

// ---- what is on the tags

static const struct told *told_signature(const struct bench *b) {
    for (size_t i = b->f.n_told; i-- > 0;)
        if (b->f.told[i].what == TOLD_SIGNATURE)
            return &b->f.told[i];
    return NULL;
}

static void b056_tags_are_inspected_once(void **state) {
    (void)state;
    static const uint8_t second[] = {0x04, 0x21, 0x0B, 0x5A, 0x1F, 0x61, 0x80};
    char keys[120];
    snprintf(keys, sizeof keys, "signature_key = %s", nfc_tag_maker());
    for (unsigned wire = 0; wire < 2; wire++) {
        struct bench b;
        open_bench(&b, true, wire ? spi_conf : i2c_conf, keys);
        pn532_emulator_place(b.chip[0], tile);
        nfc_tag_write(pn532_emulator_tag(b.chip[0], 0), "seer");
        nfc_tag_sign(pn532_emulator_tag(b.chip[0], 0));
        fixture_run(&b.f, SECOND / 2);
        assert_null(told_signature(&b)); // nobody asked
        b.reader->driver->inspect(b.reader, 0, true);
        fixture_run(&b.f, SECOND / 2);
        assert_string_equal(told_signature(&b)->why, "valid");
        assert_string_equal(told_signature(&b)->tags, tile);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_HINT), 1);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_SIGNATURE), 1);
        pn532_emulator_add(b.chip[0], second, sizeof second);
        nfc_tag_write(pn532_emulator_tag(b.chip[0], 1), "owl");
        pn532_emulator_tag(b.chip[0], 1)->kind = NFC_TAG_ULTRALIGHT;
        fixture_run(&b.f, SECOND / 2);
        assert_string_equal(told_signature(&b)->why, "unsupported");
        assert_string_equal(told_signature(&b)->tags, "04210B5A1F6180");
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_SIGNATURE), 2);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_HINT), 2);
        static const struct {
            bool lost, deaf, copied, locked;
            enum nfc_tag_kind kind;
            const char *word;
        } rows[] = {{true, false, false, false, NFC_TAG_NTAG213, "unreadable"},
                    {false, true, false, false, NFC_TAG_NTAG213, "unreadable"},
                    {false, false, true, false, NFC_TAG_NTAG213, "invalid"},
                    {false, false, false, true, NFC_TAG_NTAG213, "valid"},
                    {false, false, false, false, NFC_TAG_CLASSIC, "unsupported"}};
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            pn532_emulator_place(b.chip[0], other);
            struct nfc_tag *tag = pn532_emulator_tag(b.chip[0], 0);
            nfc_tag_sign(tag);
            tag->kind = rows[i].kind;
            tag->signature_lost = rows[i].lost;
            tag->deaf = rows[i].deaf;
            tag->signature[0] ^= rows[i].copied;
            tag->locked_from = rows[i].locked ? 4 : 0;
            b.reader->driver->inspect(b.reader, 0, false);
            b.reader->driver->inspect(b.reader, 0, true);
            fixture_run(&b.f, SECOND / 2);
            assert_string_equal(told_signature(&b)->why, rows[i].word);
            fixture_shows(&b.f, 0, other);
        }
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_DOWN), 0);
        assert_int_equal(fixture_count(&b.f, NULL, TOLD_NONE), fixture_count_since(&b.f, 0, TOLD_NONE, 0));
        close_bench(&b);
    }
}

static void b018_lifted_while_it_is_read(void **state) {
    (void)state;
    unsigned aborted = 0;
    for (unsigned at = 0; at < 40; at++) {
        struct bench b;
        open_bench(&b, true, at % 2 ? spi_conf : i2c_conf, "");
        fixture_run(&b.f, SECOND / 5);
        b.reader->driver->inspect(b.reader, 0, true);
        pn532_emulator_place(b.chip[0], tile);
        nfc_tag_write(pn532_emulator_tag(b.chip[0], 0), "a text that takes some questions to be read");
        while (fixture_last_at(&b.f, 0)->what != TOLD_SEEN)
            loop_turn(b.f.loop, 1000);
        fixture_run(&b.f, at * 900);
        pn532_emulator_place(b.chip[0], other);
        int64_t placed_us = loop_now_us(b.f.loop);
        size_t from = b.f.n_told;
        while (fixture_last_at(&b.f, 0)->what != TOLD_SEEN ||
               strcmp(fixture_last_at(&b.f, 0)->tags, other) != 0)
            loop_turn(b.f.loop, 1000);
        assert_in_range(fixture_last_at(&b.f, 0)->us - placed_us, 0, 120000);
        for (size_t i = from; i < b.f.n_told; i++)
            aborted += b.f.told[i].what == TOLD_SIGNATURE && strcmp(b.f.told[i].tags, tile) == 0 &&
                       strcmp(b.f.told[i].why, "unreadable") == 0;
        close_bench(&b);
    }
    assert_true(aborted > 10);
}

static void wrong_configurations_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *keys, *text;
    } rows[] = {
        {"port = /dev/ttyS0\nantennas = 2", "one chip has one antenna"},
        {"port = /dev/ttyS0\nmux = gpio", "at least two"},
        {"port = /dev/ttyS0\nantennas = 3\nmux = gpio\nmux_lines = gpiochip0:1", "too few lines"},
        {"port = /dev/ttyS0\nantennas = 3\nmux = gpio_onehot\nmux_lines = gpiochip0:1 gpiochip0:2",
         "too few lines"},
        {"port = /dev/ttyS0\nantennas = 3\nmux = gpio\nmux_lines = 1", "write lines"},
        {"port = /dev/ttyS0\nantennas = 9\nmux = pcf8574_onehot", "at most 8"},
        {"port = /dev/ttyS0\nantennas = 3\nmux = tca9548", "wire = i2c"},
        {"port = /dev/ttyS0\nbaud = 12345", "baud rate"},
        {"port = /dev/ttyS0\nsignature_key = 0400", "no point"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture f;
        struct error err = {0};
        struct driver_needs needs;
        char conf[300];
        fixture_open(&f, true);
        snprintf(conf, sizeof conf, "[reader a]\ndriver = pn532\n%s\n", rows[i].keys);
        fixture_conf(&f, conf);
        assert_int_equal(driver_check(config_find(f.config, "reader", "a"), &needs, &err), ERROR_INVALID);
        if (!strstr(err.text, rows[i].text))
            fail_msg("row %u: %s", i, err.text);
        struct reader *reader;
        assert_int_equal(fixture_try(&f, "a", NULL, &reader, &err), ERROR_INVALID);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wire_brings_the_same),
        cmocka_unit_test(b013_trouble_on_a_bus),
        cmocka_unit_test(b031_a_hung_chip_on_a_bus),
        cmocka_unit_test(b029_causes_and_remedies),
        cmocka_unit_test(a_silent_bus_names_its_switches),
        cmocka_unit_test(antennas_behind_a_multiplexer),
        cmocka_unit_test(b026_every_subset_behind_a_switch),
        cmocka_unit_test(a_lost_multiplexer_is_a_lost_reader),
        cmocka_unit_test(an_unsure_antenna_goes_first),
        cmocka_unit_test(b056_tags_are_inspected_once),
        cmocka_unit_test(b018_lifted_while_it_is_read),
        cmocka_unit_test(wrong_configurations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
