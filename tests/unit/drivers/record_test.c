// What each chip's driver sees of its emulated chip is recorded, and the record played through the board
// makes the same pieces arrive and leave at the same times. The records under tests/taps/drivers are such
// ones, with the events beside them; REBUILD=1 in the environment writes them anew.
#include "drivers/record.h"
#include "support/mfrc522_emulator.h"
#include "support/pn532_emulator.h"
#include "support/reader_board.h"
#include "unit/drivers/fixture.h"

enum { ANTENNAS = 3, EVENING_US = 20000000, REAL_EVENING_US = 4000000, TICK_US = 7000 };

static const char *const tags[] = {"04110A5A1F6180", "04120A5A1F6180", "5567232D", "04112233445566778899"};
enum { TAGS = sizeof tags / sizeof tags[0] };

struct stage {
    struct fixture f;
    struct pn532_emulator *pn532;
    struct mfrc522_emulator *mfrc522[ANTENNAS];
    unsigned antennas;
    uint32_t seed;
};

struct play {
    const char *name, *conf;
    unsigned antennas;
    bool real; // on a terminal, and so in real time
    void (*begin)(struct stage *s);
    void (*lay)(struct stage *s, unsigned antenna, const char *first, const char *second); // NULL = nothing
    void (*trouble)(struct stage *s, unsigned antenna, unsigned kind);
    unsigned hands_in; // a hand moves in one of so many moments
};

static unsigned chance(struct stage *s, unsigned n) {
    s->seed = s->seed * 1103515245u + 12345u;
    return (s->seed >> 16) % n;
}

// ---- PN532

static void begin_pn532(struct stage *s) {
    struct error err;
    const struct pn532_emulator_options options = {.bus = true, .real_timing = true};
    assert_int_equal(pn532_emulator_create(s->f.loop, &options, &s->pn532, &err), ERROR_OK);
    const struct fake_i2c i2c = pn532_emulator_i2c(s->pn532, NULL);
    const struct fake_spi spi = pn532_emulator_spi(s->pn532);
    fake_bus_add_i2c("/dev/i2c-1", 0x24, &i2c);
    fake_bus_add_spi("/dev/spidev0.0", &spi);
}

static void begin_pn532_hsu(struct stage *s) {
    struct error err;
    const struct pn532_emulator_options options = {.link = fixture_path(&s->f, "chip"), .real_timing = true};
    assert_int_equal(pn532_emulator_create(s->f.loop, &options, &s->pn532, &err), ERROR_OK);
}

static void add_pn532(struct pn532_emulator *chip, const char *hex) {
    uint8_t id[NFC_TAG_ID_MAX];
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        id[i] = (uint8_t)byte;
    }
    assert_true(pn532_emulator_add(chip, id, n));
}

static void lay_pn532(struct stage *s, unsigned antenna, const char *first, const char *second) {
    (void)antenna;
    pn532_emulator_clear(s->pn532);
    if (first)
        add_pn532(s->pn532, first);
    if (second)
        add_pn532(s->pn532, second);
}

static void trouble_pn532(struct stage *s, unsigned antenna, unsigned kind) {
    static const enum pn532_emulator_fault faults[] = {EMULATOR_MISS,   EMULATOR_MISS,    EMULATOR_LOST,
                                                       EMULATOR_BADSUM, EMULATOR_GARBAGE, EMULATOR_ERROR};
    (void)antenna;
    pn532_emulator_fault(s->pn532, faults[kind % 6], 1);
}

// In real time nobody waits a second for what is lost.
static void trouble_pn532_hsu(struct stage *s, unsigned antenna, unsigned kind) {
    static const enum pn532_emulator_fault faults[] = {EMULATOR_MISS, EMULATOR_BADSUM, EMULATOR_ERROR};
    (void)antenna;
    pn532_emulator_fault(s->pn532, faults[kind % 3], 1);
}

// ---- MFRC522

static void begin_mfrc522(struct stage *s) {
    const struct mfrc522_emulator_options options = {.real_timing = true};
    for (unsigned i = 0; i < ANTENNAS; i++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/spidev0.%u", i);
        s->mfrc522[i] = mfrc522_emulator_create(s->f.loop, &options);
        const struct fake_spi spi = mfrc522_emulator_spi(s->mfrc522[i], NULL, NULL);
        fake_bus_add_spi(path, &spi);
    }
}

static void lay_mfrc522(struct stage *s, unsigned antenna, const char *first, const char *second) {
    mfrc522_emulator_clear(s->mfrc522[antenna]);
    if (first)
        mfrc522_emulator_add(s->mfrc522[antenna], first);
    if (second)
        mfrc522_emulator_add(s->mfrc522[antenna], second);
}

static void trouble_mfrc522(struct stage *s, unsigned antenna, unsigned kind) {
    static const enum mfrc522_emulator_fault faults[] = {MFRC522_MISS,    MFRC522_MISS, MFRC522_NOISE,
                                                         MFRC522_BITFLIP, MFRC522_HANG, MFRC522_MISS};
    mfrc522_emulator_fault(s->mfrc522[antenna], faults[kind % 6], 1);
}

static const struct play plays[] = {
    {"pn532-i2c", "driver = pn532\nwire = i2c\nport = /dev/i2c-1\n", 1, false, begin_pn532, lay_pn532,
     trouble_pn532, 40},
    {"pn532-spi", "driver = pn532\nwire = spi\nport = /dev/spidev0.0\n", 1, false, begin_pn532, lay_pn532,
     trouble_pn532, 40},
    {"mfrc522", "driver = mfrc522\ndevice = /dev/spidev0.0 /dev/spidev0.1 /dev/spidev0.2\n", ANTENNAS, false,
     begin_mfrc522, lay_mfrc522, trouble_mfrc522, 40},
    // Chip and driver share a loop here: on a busy machine answers may be late.
    {"pn532-hsu", "driver = pn532\nport = chip\npoll = 30ms\nack = 1s\nreply = 1s\n", 1, true,
     begin_pn532_hsu, lay_pn532, trouble_pn532_hsu, 25},
};
enum { PLAYS = sizeof plays / sizeof plays[0] };

// Hands that come and go, now and then two tiles, and a radio that errs in one of thirty moments.
static void hands(struct stage *s, const struct play *play) {
    const struct {
        int64_t us;
        unsigned antenna;
    } next = {loop_now_us(s->f.loop), chance(s, play->antennas)};
    if (chance(s, play->hands_in) == 0) {
        unsigned what = chance(s, TAGS + 2);
        const char *first = what < TAGS ? tags[what] : NULL;
        play->lay(s, next.antenna, first, first && chance(s, 4) == 0 ? tags[(what + 1) % TAGS] : NULL);
    }
    if (chance(s, 30) == 0)
        play->trouble(s, chance(s, play->antennas), chance(s, 6));
}

static void until(struct loop *loop, int64_t us) {
    while (loop_now_us(loop) < us)
        loop_turn(loop, us - loop_now_us(loop));
}

static char *record(const struct play *play, const char *file) {
    struct stage s = {.seed = 1, .antennas = play->antennas};
    struct reader_board rb;
    struct record *record;
    struct error err = {0};
    char conf[200];
    fixture_open(&s.f, !play->real);
    fake_bus_open();
    play->begin(&s);
    reader_board_open(&rb, s.f.loop, "north", play->antennas, tags, TAGS);
    assert_int_equal(record_open(file, &reader_board_host, &record, &err), ERROR_OK);
    snprintf(conf, sizeof conf, "[reader north]\n%s", play->conf);
    fixture_conf(&s.f, conf);
    if (reader_open(s.f.loop, record_host(record), &rb, config_find(s.f.config, "reader", "north"), NULL,
                    &rb.reader, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    int64_t begin_us = loop_now_us(s.f.loop), evening_us = play->real ? REAL_EVENING_US : EVENING_US;
    for (int64_t us = TICK_US; us < evening_us; us += TICK_US) {
        until(s.f.loop, begin_us + us);
        hands(&s, play);
    }
    reader_close(rb.reader);
    record_close(record);
    char *text = strdup(rb.text);
    reader_board_close(&rb);
    pn532_emulator_destroy(s.pn532);
    for (unsigned i = 0; i < ANTENNAS; i++)
        mfrc522_emulator_destroy(s.mfrc522[i]);
    fake_bus_close();
    fixture_close(&s.f);
    return text;
}

static char *replay(const struct play *play, const char *file) {
    struct fixture f;
    struct reader_board rb;
    struct error err = {0};
    fixture_open(&f, true);
    reader_board_open(&rb, f.loop, "north", play->antennas, tags, TAGS);
    fixture_conf(&f, "[reader north]\ndriver = replay\n");
    if (reader_open(f.loop, &reader_board_host, &rb, config_find(f.config, "reader", "north"), file,
                    &rb.reader, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    while (!rb.ended)
        loop_turn(f.loop, 1000000);
    reader_close(rb.reader);
    char *text = strdup(rb.text);
    reader_board_close(&rb);
    fixture_close(&f);
    return text;
}

// The same lines, and the same times to one millisecond: that is how exact a log is. In real time whoever
// else runs on the machine may come between the record and the board.
static void same(const struct play *play, const char *a, const char *b) {
    unsigned line = 0;
    while (*a || *b) {
        long long ms_a = -1, ms_b = -1;
        int used_a = 0, used_b = 0;
        line++;
        (void)!sscanf(a, "%lld%n", &ms_a, &used_a);
        (void)!sscanf(b, "%lld%n", &ms_b, &used_b);
        size_t len_a = strcspn(a, "\n"), len_b = strcspn(b, "\n");
        if (llabs(ms_a - ms_b) > (play->real ? 1000 : 1) ||
            len_a - (size_t)used_a != len_b - (size_t)used_b ||
            memcmp(a + used_a, b + used_b, len_a - (size_t)used_a) != 0)
            fail_msg("%s: event %u is `%.*s` and `%.*s`", play->name, line, (int)len_a, a, (int)len_b, b);
        a += len_a + (a[len_a] == '\n');
        b += len_b + (b[len_b] == '\n');
    }
    assert_true(line > (play->real ? 2 : 30));
}

static unsigned lines_with(const char *text, const char *word) {
    unsigned n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

static void a_record_brings_the_same_events(void **state) {
    (void)state;
    for (unsigned i = 0; i < PLAYS; i++) {
        char dir[] = "/tmp/record-XXXXXX", file[64], command[64];
        assert_non_null(mkdtemp(dir));
        snprintf(file, sizeof file, "%s/log.tap", dir);
        char *live = record(&plays[i], file), *again = replay(&plays[i], file);
        same(&plays[i], live, again);
        assert_true(lines_with(live, " placed ") > (plays[i].real ? 0 : 10));
        assert_true(lines_with(live, " removed ") > (plays[i].real ? 0 : 10));
        free(live);
        free(again);
        snprintf(command, sizeof command, "rm -r %s", dir);
        assert_int_equal(system(command), 0);
    }
}

static char *contents(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s: not there; REBUILD=1 makes it", path);
    char *text = calloc(1, READER_BOARD_TEXT);
    assert_non_null(text);
    text[fread(text, 1, READER_BOARD_TEXT - 1, file)] = '\0';
    fclose(file);
    return text;
}

// Kept records keep their meaning, whatever becomes of drivers and board.
static void kept_records_keep_their_meaning(void **state) {
    (void)state;
    for (unsigned i = 0; i < PLAYS; i++) {
        char log[200], events[200];
        snprintf(log, sizeof log, "%s/taps/drivers/%s.tap", TESTS_DIR, plays[i].name);
        snprintf(events, sizeof events, "%s/taps/drivers/%s.events", TESTS_DIR, plays[i].name);
        if (getenv("REBUILD")) {
            unlink(log);
            free(record(&plays[i], log));
            char *text = replay(&plays[i], log);
            fixture_write(events, text);
            free(text);
        }
        char *expected = contents(events), *got = replay(&plays[i], log);
        same(&plays[i], expected, got);
        free(expected);
        free(got);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_brings_the_same_events),
        cmocka_unit_test(kept_records_keep_their_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
