// The driver against emulated chips on pseudo-terminals. Time is real here; every wait is for an event.
#include "support/pn532_emulator.h"
#include "unit/drivers/fixture.h"

enum { CHIPS = 4 };

struct bench {
    struct fixture f;
    struct pn532_emulator *chip[CHIPS];
    struct reader *reader[CHIPS];
};

static const char *const names[CHIPS] = {"a", "b", "c", "d"};
static const char *const tile = "04110A5A1F6180";
static const char *const other = "04120A5A1F6180";

static void add_chip(struct bench *b, unsigned i, uint8_t ic) {
    struct error err;
    struct pn532_emulator_options options = {.link = fixture_path(&b->f, names[i]), .ic = ic};
    if (pn532_emulator_create(b->f.loop, &options, &b->chip[i], &err) != ERROR_OK)
        fail_msg("%s", err.text);
}

// Chips and readers a, b ..; `keys` go into every section. Chip and driver share one loop: on a busy machine
// they hold each other up, so answers may take a second unless the test is about their lateness.
static void open_bench(struct bench *b, unsigned n, const char *keys) {
    char conf[2000] = "";
    const char *patience = strstr(keys, "ack") ? "" : "ack = 1s\nreply = 1s\n";
    *b = (struct bench){0};
    fixture_open(&b->f, false);
    for (unsigned i = 0; i < n; i++) {
        add_chip(b, i, 0);
        snprintf(conf + strlen(conf), sizeof conf - strlen(conf),
                 "[reader %s]\ndriver = pn532\nport = %s\n%s%s\n", names[i], fixture_path(&b->f, names[i]),
                 patience, keys);
    }
    fixture_conf(&b->f, conf);
    for (unsigned i = 0; i < n; i++)
        b->reader[i] = fixture_reader(&b->f, names[i], NULL);
}

static void close_bench(struct bench *b) {
    for (size_t i = 0; i < b->f.n_readers; i++) {
        reader_close(b->f.reader[i]);
        b->f.reader[i] = NULL;
    }
    for (unsigned i = 0; i < CHIPS; i++)
        pn532_emulator_destroy(b->chip[i]);
    fixture_close(&b->f);
}

static bool shows(struct bench *b, const char *reader, const char *tags) {
    const struct told *last = fixture_last(&b->f, reader);
    return last && last->what == TOLD_SEEN && strcmp(last->tags, tags) == 0;
}

static bool is_last(struct bench *b, const char *reader, enum told_what what) {
    const struct told *last = fixture_last(&b->f, reader);
    return last && last->what == what;
}

static uint64_t faults(const struct reader *reader) {
    uint64_t n = 0;
    for (unsigned i = 0; i < DRIVER_FAULTS; i++)
        n += reader->n_faults[i];
    return n;
}

static void place_two(struct pn532_emulator *chip) {
    static const uint8_t second[] = {0x04, 0x21, 0x0B, 0x5A, 0x1F, 0x61, 0x80};
    assert_true(pn532_emulator_place(chip, tile));
    assert_true(pn532_emulator_add(chip, second, sizeof second));
}

static void tags_come_and_go(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "");
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_NONE));
    assert_int_equal(b.f.told[0].what, TOLD_UP);
    assert_int_equal(b.reader[0]->antennas, 1);
    static const char *const ids[] = {"5567232D", "04110A5A1F6180", "04112233445566778899"};
    for (unsigned i = 0; i < 3; i++) {
        pn532_emulator_place(b.chip[0], ids[i]);
        FIXTURE_UNTIL(&b.f, shows(&b, "a", ids[i]));
    }
    place_two(b.chip[0]);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", "04110A5A1F6180 04210B5A1F6180"));
    pn532_emulator_clear(b.chip[0]);
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_NONE));
    assert_int_equal(faults(b.reader[0]), 0);
    close_bench(&b);
}

static void the_chip_is_set_up_for_short_polls(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "");
    const struct pn532_emulator_seen *seen = pn532_emulator_seen(b.chip[0]);
    FIXTURE_UNTIL(&b.f, seen->polls >= 2);
    assert_true(seen->sam);
    assert_true(seen->wakes >= 1);
    assert_int_equal(seen->retries[2], 1); // MxRtyPassiveActivation
    assert_int_equal(seen->window[2], 7);
    assert_int_equal(seen->bad_frames, 0);
    assert_int_equal(seen->field_offs, 0);
    close_bench(&b);
}

// A tag that stays selected answers every poll, for a poll tries twice.
static void a_resting_tag_is_seen_every_time(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "poll = 10ms");
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(fixture_next_scan(&b.f, "a")->what, TOLD_SEEN);
    close_bench(&b);
}

static void polls_are_never_closer_than_10_ms(void **state) {
    (void)state;
    struct bench b;
    int64_t start = clock_mono_us(clock_real());
    open_bench(&b, 1, "poll = 10ms");
    const struct pn532_emulator_seen *seen = pn532_emulator_seen(b.chip[0]);
    while (seen->polls < 30) {
        b.reader[0]->driver->again(b.reader[0], 0);
        loop_turn(b.f.loop, 1000);
        assert_true(clock_mono_us(clock_real()) - start >= ((int64_t)seen->polls - 1) * 10000);
        assert_true(clock_mono_us(clock_real()) - start < INT64_C(1000) * FIXTURE_LIMIT_MS);
    }
    close_bench(&b);
}

static void again_comes_sooner_than_the_next_poll(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "poll = 1s");
    fixture_next_scan(&b.f, "a");
    int64_t start = loop_now_us(b.f.loop);
    b.reader[0]->driver->again(b.reader[0], 0);
    fixture_next_scan(&b.f, "a");
    assert_true(loop_now_us(b.f.loop) - start < 900000);
    close_bench(&b);
}

static void the_field_is_cycled_after_a_removal(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "");
    const struct pn532_emulator_seen *seen = pn532_emulator_seen(b.chip[0]);
    place_two(b.chip[0]);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", "04110A5A1F6180 04210B5A1F6180"));
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile) && seen->field_offs == 1);
    pn532_emulator_clear(b.chip[0]);
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_NONE) && seen->field_offs == 2);
    fixture_next_scan(&b.f, "a");
    fixture_next_scan(&b.f, "a");
    assert_int_equal(seen->field_offs, 2);
    close_bench(&b);
}

// Unplugged is not lifted: down, no scan that says none; plugged in again, all is as before.
static void b010_unplugged_is_not_lifted(void **state) {
    (void)state;
    struct bench b;
    struct error err;
    open_bench(&b, 1, "");
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    size_t none = fixture_count(&b.f, "a", TOLD_NONE);
    pn532_emulator_vanish(b.chip[0]);
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_DOWN));
    assert_non_null(strstr(fixture_last(&b.f, "a")->why, "unplugged"));
    assert_int_equal(pn532_emulator_return(b.chip[0], &err), ERROR_OK);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    assert_int_equal(fixture_count(&b.f, "a", TOLD_NONE), none);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 1);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_UP), 2);
    close_bench(&b);
}

static void b013_a_lost_reply(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "ack = 1s\nreply = 200ms");
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    pn532_emulator_fault(b.chip[0], EMULATOR_LOST, 1);
    FIXTURE_UNTIL(&b.f, b.reader[0]->n_faults[DRIVER_FAULT_TIMEOUT] == 1);
    assert_int_equal(fixture_next_scan(&b.f, "a")->what, TOLD_SEEN);
    assert_int_equal(faults(b.reader[0]), 1);
    assert_int_equal(b.reader[0]->n_failed, 0);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 0);
    close_bench(&b);
}

// Every kind of trouble has its class, passes, and is never taken for an empty pad.
static void trouble_is_counted_and_no_absence(void **state) {
    (void)state;
    static const struct {
        enum pn532_emulator_fault fault;
        enum driver_fault counted;
    } cases[] = {
        {EMULATOR_SILENCE, DRIVER_FAULT_TIMEOUT}, {EMULATOR_LOST, DRIVER_FAULT_TIMEOUT},
        {EMULATOR_GARBAGE, DRIVER_FAULT_FRAME},   {EMULATOR_NACK, DRIVER_FAULT_CHECKSUM},
        {EMULATOR_BADSUM, DRIVER_FAULT_CHECKSUM}, {EMULATOR_SHORT, DRIVER_FAULT_FRAME},
        {EMULATOR_ERROR, DRIVER_FAULT_STATUS},
    };
    struct bench b;
    open_bench(&b, 1, "ack = 100ms\nreply = 100ms");
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    size_t none = fixture_count(&b.f, "a", TOLD_NONE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t before = b.reader[0]->n_faults[cases[i].counted];
        pn532_emulator_fault(b.chip[0], cases[i].fault, 1);
        FIXTURE_UNTIL(&b.f, b.reader[0]->n_faults[cases[i].counted] > before);
        FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    }
    assert_int_equal(fixture_count(&b.f, "a", TOLD_NONE), none);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 0);
    close_bench(&b);
}

static void a_broken_reply_is_asked_for_again(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "");
    const struct pn532_emulator_seen *seen = pn532_emulator_seen(b.chip[0]);
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    pn532_emulator_fault(b.chip[0], EMULATOR_BADSUM, 1);
    FIXTURE_UNTIL(&b.f, seen->nacks == 1);
    assert_int_equal(fixture_next_scan(&b.f, "a")->what, TOLD_SEEN);
    assert_int_equal(b.reader[0]->n_faults[DRIVER_FAULT_TIMEOUT], 0);
    close_bench(&b);
}

// Three polls that fail bring the chip through the handshake; meanwhile nothing is told but the failures.
static void a_short_hang_is_cured_by_the_handshake(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "ack = 100ms");
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    unsigned wakes = pn532_emulator_seen(b.chip[0])->wakes;
    pn532_emulator_fault(b.chip[0], EMULATOR_SILENCE, 6);
    FIXTURE_UNTIL(&b.f, pn532_emulator_seen(b.chip[0])->wakes > wakes);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    assert_int_equal(b.reader[0]->n_failed, 3);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 0);
    close_bench(&b);
}

// The second tile is there within a few polls of the first one's leaving.
static void b018_the_next_tile_is_seen_at_once(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "");
    for (unsigned round = 0; round < 20; round++) {
        pn532_emulator_place(b.chip[0], tile);
        FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
        pn532_emulator_clear(b.chip[0]);
        if (round % 2) // in the middle of a poll or after one
            FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_NONE));
        pn532_emulator_place(b.chip[0], other);
        unsigned scans = 0;
        while (!shows(&b, "a", other)) {
            fixture_next_scan(&b.f, "a");
            assert_true(++scans <= 3);
        }
    }
    close_bench(&b);
}

static void b020_a_hundred_fast_replugs(void **state) {
    (void)state;
    struct bench b;
    struct error err;
    open_bench(&b, 1, "poll = 10ms");
    pn532_emulator_place(b.chip[0], tile);
    for (unsigned round = 0; round < 100; round++) {
        FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
        pn532_emulator_vanish(b.chip[0]);
        assert_int_equal(pn532_emulator_return(b.chip[0], &err), ERROR_OK);
        FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_DOWN));
    }
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    assert_int_equal(fixture_count(&b.f, "a", TOLD_UP), 101);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_NONE), 0);
    close_bench(&b);
}

static void b024_the_fourth_opening_works(void **state) {
    (void)state;
    struct bench b;
    struct error err;
    open_bench(&b, 1, "");
    pn532_emulator_vanish(b.chip[0]);
    FIXTURE_UNTIL(&b.f, b.reader[0]->n_faults[DRIVER_FAULT_IO] == 3);
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 1);
    assert_non_null(strstr(b.f.told[0].why, "/dev/serial/by-path"));
    assert_int_equal(pn532_emulator_return(b.chip[0], &err), ERROR_OK);
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_NONE));
    close_bench(&b);
}

// Any of four readers may be empty or fail: the others report.
static void b026_every_subset_of_four(void **state) {
    (void)state;
    for (unsigned trouble = 0; trouble < 2; trouble++) {
        struct bench b;
        open_bench(&b, CHIPS, "poll = 10ms\nack = 100ms");
        for (unsigned subset = 0; subset < 1u << CHIPS; subset++) {
            for (unsigned i = 0; i < CHIPS; i++) {
                bool well = subset & 1u << i;
                pn532_emulator_place(b.chip[i], tile);
                pn532_emulator_fault(b.chip[i], EMULATOR_SILENCE, !well && trouble ? -1 : 0);
                if (!well && !trouble)
                    pn532_emulator_clear(b.chip[i]);
            }
            for (unsigned i = 0; i < CHIPS; i++) {
                if (subset & 1u << i)
                    FIXTURE_UNTIL(&b.f, shows(&b, names[i], tile));
            }
        }
        close_bench(&b);
    }
}

// The numbers of the terminals are exchanged; the readers follow the places.
static void b027_numbers_change_places_stay(void **state) {
    (void)state;
    struct bench b;
    struct error err;
    open_bench(&b, 2, "");
    pn532_emulator_place(b.chip[0], tile);
    pn532_emulator_place(b.chip[1], other);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile) && shows(&b, "b", other));
    for (unsigned round = 0; round < 4; round++) {
        pn532_emulator_vanish(b.chip[0]);
        pn532_emulator_vanish(b.chip[1]);
        FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_DOWN) && is_last(&b, "b", TOLD_DOWN));
        unsigned first = round % 2;
        assert_int_equal(pn532_emulator_return(b.chip[first], &err), ERROR_OK);
        assert_int_equal(pn532_emulator_return(b.chip[1 - first], &err), ERROR_OK);
        FIXTURE_UNTIL(&b.f, shows(&b, "a", tile) && shows(&b, "b", other));
    }
    for (size_t i = 0; i < b.f.n_told; i++) {
        if (b.f.told[i].what == TOLD_SEEN)
            assert_string_equal(b.f.told[i].tags, strcmp(b.f.told[i].reader, "a") == 0 ? tile : other);
    }
    close_bench(&b);
}

static void the_other_readers_do_not_wait(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 2, "poll = 10ms\nack = 1s\nreply = 200ms");
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_NONE) && is_last(&b, "b", TOLD_NONE));
    pn532_emulator_fault(b.chip[0], EMULATOR_LOST, -1);
    uint64_t failed = b.reader[0]->n_failed, scans = b.reader[1]->n_scans;
    FIXTURE_UNTIL(&b.f, b.reader[0]->n_failed == failed + 1); // two replies were waited for, 400 ms
    assert_true(b.reader[1]->n_scans - scans >= 3);
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_DOWN));
    assert_int_equal(b.reader[1]->n_failed, 0);
    close_bench(&b);
}

// All readers hear noise: failures, then down, once each; nothing that looks like a removal.
static void b033_noise_on_all_readers(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, CHIPS, "ack = 30ms");
    size_t none[CHIPS];
    for (unsigned i = 0; i < CHIPS; i++) {
        pn532_emulator_place(b.chip[i], tile);
        FIXTURE_UNTIL(&b.f, shows(&b, names[i], tile));
        none[i] = fixture_count(&b.f, names[i], TOLD_NONE);
    }
    for (unsigned i = 0; i < CHIPS; i++)
        pn532_emulator_fault(b.chip[i], EMULATOR_GARBAGE, -1);
    for (unsigned i = 0; i < CHIPS; i++)
        FIXTURE_UNTIL(&b.f, is_last(&b, names[i], TOLD_DOWN));
    for (unsigned i = 0; i < CHIPS; i++)
        FIXTURE_UNTIL(&b.f, b.reader[i]->n_faults[DRIVER_FAULT_FRAME] >= 10);
    for (unsigned i = 0; i < CHIPS; i++) {
        assert_int_equal(fixture_count(&b.f, names[i], TOLD_NONE), none[i]);
        assert_int_equal(fixture_count(&b.f, names[i], TOLD_DOWN), 1);
        pn532_emulator_fault(b.chip[i], EMULATOR_WELL, 0);
    }
    for (unsigned i = 0; i < CHIPS; i++)
        FIXTURE_UNTIL(&b.f, shows(&b, names[i], tile));
    close_bench(&b);
}

// The far end is gone: a handful of turns until the openings have failed, 20 + 40 + 80 + 160 ms.
static void b036_a_dead_descriptor_does_not_spin(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, 1, "");
    FIXTURE_UNTIL(&b.f, is_last(&b, "a", TOLD_NONE));
    pn532_emulator_vanish(b.chip[0]);
    uint64_t before = b.reader[0]->n_faults[DRIVER_FAULT_IO];
    unsigned turns = 0;
    while (b.reader[0]->n_faults[DRIVER_FAULT_IO] < before + 5) {
        loop_turn(b.f.loop, 1000000);
        assert_true(++turns < 40);
    }
    assert_int_equal(fixture_count(&b.f, "a", TOLD_DOWN), 1);
    close_bench(&b);
}

static void b041_defaults_are_restored(void **state) {
    (void)state;
    static const uint8_t retries[] = {0xFF, 0x01, 0xFF}, window[] = {0x00, 0x0B, 0x0A};
    struct bench b;
    open_bench(&b, 1, "");
    const struct pn532_emulator_seen *seen = pn532_emulator_seen(b.chip[0]);
    pn532_emulator_place(b.chip[0], tile);
    FIXTURE_UNTIL(&b.f, shows(&b, "a", tile));
    assert_memory_not_equal(seen->retries, retries, 3);
    assert_true(seen->field);
    fixture_drop(&b.f, b.reader[0]);
    FIXTURE_UNTIL(&b.f, memcmp(seen->retries, retries, 3) == 0 && memcmp(seen->window, window, 3) == 0 &&
                            !seen->field);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_come_and_go),
        cmocka_unit_test(the_chip_is_set_up_for_short_polls),
        cmocka_unit_test(a_resting_tag_is_seen_every_time),
        cmocka_unit_test(polls_are_never_closer_than_10_ms),
        cmocka_unit_test(again_comes_sooner_than_the_next_poll),
        cmocka_unit_test(the_field_is_cycled_after_a_removal),
        cmocka_unit_test(b010_unplugged_is_not_lifted),
        cmocka_unit_test(b013_a_lost_reply),
        cmocka_unit_test(trouble_is_counted_and_no_absence),
        cmocka_unit_test(a_broken_reply_is_asked_for_again),
        cmocka_unit_test(a_short_hang_is_cured_by_the_handshake),
        cmocka_unit_test(b018_the_next_tile_is_seen_at_once),
        cmocka_unit_test(b020_a_hundred_fast_replugs),
        cmocka_unit_test(b024_the_fourth_opening_works),
        cmocka_unit_test(b026_every_subset_of_four),
        cmocka_unit_test(b027_numbers_change_places_stay),
        cmocka_unit_test(the_other_readers_do_not_wait),
        cmocka_unit_test(b033_noise_on_all_readers),
        cmocka_unit_test(b036_a_dead_descriptor_does_not_spin),
        cmocka_unit_test(b041_defaults_are_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
