// P17 and the latency table of drivers/README.md: how long a scan takes and how long after a hand the board
// knows, for each driver against its emulated chip with real timings. On the virtual clock, so that the
// figures are those of chip, radio and driver alone; the time that the driver itself takes on the loop is
// measured beside them.
#include "core/clock.h"
#include "measure.h"
#include "support/mfrc522_emulator.h"
#include "support/pn532_emulator.h"
#include "support/reader_board.h"
#include <unistd.h>

enum { ROUNDS = 200, HAND_US = 700000, SETTLE_US = 2000000 };

static const char *const tile = "04110A5A1F6180";

struct bench {
    const char *name, *conf;
    unsigned antennas;
    bool mfrc522, real_clock;
    // What the radio alone takes for one antenna, empty and with a tag of seven bytes.
    int64_t empty_us, tag_us;

    struct clock_virtual clock;
    struct loop *loop;
    struct pn532_emulator *pn532;
    struct mfrc522_emulator *chip[READER_BOARD_PADS];
    struct reader_board rb;
    unsigned pad;
    bool there;
    int64_t event_us;
};

// MFRC522: guard 5 ms, WUPA, two levels, HLTA and the request that nobody answers; PN532: its own search.
enum { MFRC522_EMPTY = 5650, MFRC522_TAG = 10100, PN532_EMPTY = 7000, PN532_TAG = 10000 };

static struct bench benches[] = {
    {.name = "pn532, I2C",
     .conf = "driver = pn532\nwire = i2c\nport = /dev/i2c-1\n",
     .antennas = 1,
     .empty_us = PN532_EMPTY,
     .tag_us = PN532_TAG},
    {.name = "pn532, SPI",
     .conf = "driver = pn532\nwire = spi\nport = /dev/spidev0.0\n",
     .antennas = 1,
     .empty_us = PN532_EMPTY,
     .tag_us = PN532_TAG},
    {.name = "pn532, SPI, 4 antennas",
     .conf = "driver = pn532\nwire = spi\nport = /dev/spidev0.0\nantennas = 4\nmux = gpio\nmux_lines = "
             "gpiochip0:17 gpiochip0:27\n",
     .antennas = 4,
     .empty_us = PN532_EMPTY,
     .tag_us = PN532_TAG},
    {.name = "mfrc522, 1 chip",
     .conf = "driver = mfrc522\ndevice = /dev/spidev0.0\n",
     .antennas = 1,
     .mfrc522 = true,
     .empty_us = MFRC522_EMPTY - 5000,
     .tag_us = MFRC522_TAG - 5000},
    {.name = "mfrc522, 8 chips",
     .conf = "driver = mfrc522\ndevice = /dev/spidev0.0 /dev/spidev0.1 /dev/spidev0.2 /dev/spidev0.3 "
             "/dev/spidev0.4 "
             "/dev/spidev0.5 /dev/spidev0.6 /dev/spidev0.7\n",
     .antennas = 8,
     .mfrc522 = true,
     .empty_us = MFRC522_EMPTY,
     .tag_us = MFRC522_TAG},
    {.name = "pn532, HSU",
     .conf = "driver = pn532\nport = %s\n",
     .antennas = 1,
     .real_clock = true,
     .empty_us = PN532_EMPTY + 38 * 87,
     .tag_us = PN532_TAG + 50 * 87},
};

static void on_event(struct reader_board *rb, uint16_t pad, bool there) {
    struct bench *b = rb->ctx;
    if (pad == b->pad && there == b->there)
        b->event_us = loop_now_us(b->loop);
}

static unsigned coil(void *ctx) {
    (void)ctx;
    return (unsigned)fake_bus_level("/dev/gpiochip0", 17) + 2u * fake_bus_level("/dev/gpiochip0", 27);
}

static void must(enum error_code code, const struct error *err) {
    if (code == ERROR_OK)
        return;
    fprintf(stderr, "readers: %s\n", err->text);
    exit(1);
}

static void make_chips(struct bench *b) {
    struct error err;
    const struct mfrc522_emulator_options mfrc522 = {.real_timing = true};
    const struct pn532_emulator_options pn532 = {.bus = !b->real_clock, .real_timing = true};
    if (!b->mfrc522) {
        must(pn532_emulator_create(b->loop, &pn532, &b->pn532, &err), &err);
        if (b->antennas > 1)
            pn532_emulator_coils(b->pn532, coil, NULL);
        const struct fake_i2c i2c = pn532_emulator_i2c(b->pn532, NULL);
        const struct fake_spi spi = pn532_emulator_spi(b->pn532);
        fake_bus_add_i2c("/dev/i2c-1", 0x24, &i2c);
        fake_bus_add_spi("/dev/spidev0.0", &spi);
    }
    for (unsigned i = 0; b->mfrc522 && i < b->antennas; i++) {
        char path[40];
        snprintf(path, sizeof path, "/dev/spidev0.%u", i);
        b->chip[i] = mfrc522_emulator_create(b->loop, &mfrc522);
        const struct fake_spi spi = mfrc522_emulator_spi(b->chip[i], NULL, NULL);
        fake_bus_add_spi(path, &spi);
    }
}

static void hand(struct bench *b, unsigned antenna, bool there) {
    if (b->mfrc522) {
        mfrc522_emulator_clear(b->chip[antenna]);
        if (there)
            mfrc522_emulator_add(b->chip[antenna], tile);
        return;
    }
    pn532_emulator_at(b->pn532, antenna);
    if (there)
        pn532_emulator_place(b->pn532, tile);
    else
        pn532_emulator_clear(b->pn532);
}

static void run_until(struct bench *b, int64_t us) {
    while (loop_now_us(b->loop) < us)
        loop_turn(b->loop, us - loop_now_us(b->loop));
}

static struct config *read_conf(const struct bench *b) {
    static struct config_schema schemas[2];
    char path[] = "/tmp/readers-XXXXXX", text[600] = "[reader north]\n";
    size_t at = strlen(text);
    const char *port = b->real_clock ? pn532_emulator_path(b->pn532) : "";
    const char *slot = strstr(b->conf, "%s");
    snprintf(text + at, sizeof text - at, "%.*s%s%s", slot ? (int)(slot - b->conf) : (int)strlen(b->conf),
             b->conf, port, slot ? slot + 2 : "");
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        exit(1);
    close(fd);
    schemas[0] = (struct config_schema){.section = "reader",
                                        .labelled = true,
                                        .label_help = "name",
                                        .keys = driver_common_params(),
                                        .open = true};
    struct config *config;
    struct error err;
    must(config_load(path, schemas, &config, &err), &err);
    unlink(path);
    const struct config_section *section = config_find(config, "reader", "north");
    must(config_check_keys(config, section, driver_find(config_text(section, "driver"))->params, &err), &err);
    return config;
}

// One hand after the other, at moments that have nothing to do with the scans.
static size_t latencies(struct bench *b, unsigned rounds, int64_t *placed, int64_t *lifted) {
    uint32_t seed = 7;
    size_t n = 0;
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned there = 2; there-- > 0;) {
            seed = seed * 1103515245u + 12345u;
            run_until(b, loop_now_us(b->loop) + HAND_US + (seed >> 16) % 100000);
            if (there)
                b->pad = (seed >> 8) % b->antennas;
            b->there = there;
            b->event_us = 0;
            int64_t from = loop_now_us(b->loop);
            hand(b, b->pad, there);
            while (!b->event_us && loop_now_us(b->loop) < from + SETTLE_US)
                loop_turn(b->loop, SETTLE_US);
            if (b->event_us)
                *(there ? &placed[n] : &lifted[n]) = b->event_us - from;
        }
        n++;
    }
    return n;
}

// Scans of an antenna for a second, all antennas with a tag or none.
static double cycle_us(struct bench *b, bool tags) {
    for (unsigned i = 0; i < b->antennas; i++)
        if (tags || b->mfrc522)
            hand(b, i, tags);
    if (!tags && !b->mfrc522)
        hand(b, 0, false);
    run_until(b, loop_now_us(b->loop) + SETTLE_US / 4);
    uint64_t scans = b->rb.reader->n_scans;
    int64_t from = loop_now_us(b->loop);
    run_until(b, from + SETTLE_US);
    return (double)(loop_now_us(b->loop) - from) / (double)(b->rb.reader->n_scans - scans);
}

static double ms(int64_t us) {
    return (double)us / 1000;
}

static void measure(struct bench *b, unsigned rounds, bool json) {
    static int64_t placed[ROUNDS], lifted[ROUNDS];
    struct error err;
    clock_virtual_init(&b->clock);
    must(loop_create(b->real_clock ? NULL : &b->clock.base, b->real_clock ? NULL : &b->clock, &b->loop, &err),
         &err);
    fake_bus_open();
    make_chips(b);
    struct config *config = read_conf(b);
    const char *const tags[] = {tile};
    reader_board_open(&b->rb, b->loop, "north", b->antennas, tags, 1);
    b->rb.placed = on_event;
    b->rb.ctx = b;
    must(reader_open(b->loop, &reader_board_host, &b->rb, config_find(config, "reader", "north"), NULL,
                     &b->rb.reader, &err),
         &err);
    run_until(b, loop_now_us(b->loop) + SETTLE_US);
    int64_t began = measure_now_ns();
    uint64_t scans = b->rb.reader->n_scans;
    size_t n = latencies(b, rounds, placed, lifted);
    double cpu_us = b->real_clock
                        ? 0
                        : (double)(measure_now_ns() - began) / 1000 / (double)(b->rb.reader->n_scans - scans);
    double empty = cycle_us(b, false), tag = b->mfrc522 || b->antennas == 1 ? cycle_us(b, true) : 0;
    if (json)
        printf(
            "{\"name\":\"%s\",\"radio_empty_us\":%lld,\"radio_tag_us\":%lld,\"empty_us\":%.0f,\"tag_us\":%."
            "0f,"
            "\"placed_p99_us\":%lld,\"lifted_p99_us\":%lld,\"loop_us\":%.1f}\n",
            b->name, (long long)b->empty_us, (long long)b->tag_us, empty, tag,
            (long long)measure_percentile(placed, n, 0.99), (long long)measure_percentile(lifted, n, 0.99),
            cpu_us);
    else
        printf("| %-22s | %4.1f / %4.1f | %5.1f / %5.1f | %5.1f | %5.1f | %5.1f | %5.1f | %4.0f |\n", b->name,
               ms(b->empty_us), ms(b->tag_us), empty / 1000, tag / 1000,
               ms(measure_percentile(placed, n, 0.5)), ms(measure_percentile(placed, n, 0.99)),
               ms(measure_percentile(lifted, n, 0.5)), ms(measure_percentile(lifted, n, 0.99)), cpu_us);
    reader_close(b->rb.reader);
    reader_board_close(&b->rb);
    config_destroy(config);
    pn532_emulator_destroy(b->pn532);
    for (unsigned i = 0; i < READER_BOARD_PADS; i++)
        mfrc522_emulator_destroy(b->chip[i]);
    fake_bus_close();
    loop_destroy(b->loop);
}

// readers [json]: a table for people; without the real serial line, lines for tests/perf/run.
int main(int argc, char **argv) {
    bool json = argc > 1 && strcmp(argv[1], "json") == 0;
    if (!json)
        puts(
            "| driver | radio alone, empty / tag | scan to scan, empty / tag | placed p50 | p99 | lifted p50 "
            "| p99 | loop, us a scan |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < sizeof benches / sizeof benches[0]; i++)
        if (!json || !benches[i].real_clock)
            measure(&benches[i], benches[i].real_clock ? 15 : ROUNDS, json);
    return 0;
}
