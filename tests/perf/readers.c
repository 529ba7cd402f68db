// P17 and the latency table of drivers/README.md: how long a scan takes and how long after a hand the board
// knows, for each driver against its emulated chip with real timings. On the virtual clock, so that the
// figures are those of chip, radio and driver alone; the time that the driver itself takes on the loop is
// measured beside them.
//
// Readers that scan by themselves (nodes, wedges, what pcscd serves) are measured from the moment at which
// they could know: the pace is theirs, the rest is ours. Those in real time have 15 hands.
#include "core/clock.h"
#include "drivers/mqtt_reader_frame.h"
#include "drivers/pcsc_scan.h"
#include "measure.h"
#include "support/mfrc522_emulator.h"
#include "support/pn532_emulator.h"
#include "support/reader_board.h"
#include <fcntl.h>
#include <linux/input.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { ROUNDS = 200, ROUNDS_REAL = 15, HAND_US = 700000, SETTLE_US = 2000000, LONG_US = 17000000 };
enum { NODE_US = 85000, FRAME_US = 100000 }; // rounds of the nodes; design 5.6 and drivers/README.md

static const char *const tile = "04110A5A1F6180";

struct bench;
// A reader that is no chip of ours.
struct stand_in {
    void (*make)(struct bench *b);
    void (*hand)(struct bench *b, bool there);
    void (*round)(struct bench *b);
    int64_t round_us;
    bool touches; // tells no removal: the board's own end of a touch is nobody's lift
};

struct bench {
    const char *name, *conf;
    unsigned antennas;
    const struct stand_in *stand_in;
    bool mfrc522, real_clock;
    // What the radio alone takes for one antenna, empty and with a tag of seven bytes.
    int64_t empty_us, tag_us;

    struct clock_virtual clock;
    struct loop *loop;
    struct pn532_emulator *pn532;
    struct mfrc522_emulator *chip[READER_BOARD_PADS];
    struct reader_board rb;
    unsigned pad;
    bool there, lies;
    int64_t event_us;

    char folder[24];
    struct loop_timer timer;
    int fd; // to the reader
    struct frame frame;
    uint8_t key[FRAME_KEY_BYTES];
};

static void must(enum error_code code, const struct error *err) {
    if (code == ERROR_OK)
        return;
    fprintf(stderr, "readers: %s\n", err->text);
    exit(1);
}

static void must_be(bool ok, const char *what) {
    if (ok)
        return;
    perror(what);
    exit(1);
}

// ---- lines on a socket: a node that scans all the time, and hands that are told as they move

static int unix_socket(const struct bench *b, bool listening) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/line", b->folder);
    const struct sockaddr *to = (const struct sockaddr *)&address;
    must_be(fd >= 0, "socket");
    if (listening)
        must_be(bind(fd, to, sizeof address) == 0 && listen(fd, 1) == 0, "socket");
    else
        must_be(connect(fd, to, sizeof address) == 0, "socket");
    return fd;
}

static void say(const struct bench *b) {
    char text[80];
    int n = snprintf(text, sizeof text, "0 - 0 %s%s\n\n", b->lies ? "seen " : "none", b->lies ? tile : "");
    must_be(send(b->fd, text, (size_t)n, MSG_NOSIGNAL) == n, "line");
}

static void node_make(struct bench *b) {
    b->fd = unix_socket(b, true);
}

// The driver has called by now.
static void node_round(struct bench *b) {
    struct stat st;
    static bool taken;
    if (b->rb.reader && !taken && fstat(b->fd, &st) == 0) {
        int listener = b->fd;
        b->fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        must_be(b->fd >= 0, "accept");
        close(listener);
        taken = true;
    }
    say(b);
}

static void note_hand(struct bench *b, bool there) {
    b->lies = there;
}

static void sim_make(struct bench *b) {
    b->fd = -1;
}

static void sim_hand(struct bench *b, bool there) {
    if (b->fd < 0)
        b->fd = unix_socket(b, false);
    b->lies = there;
    say(b);
}

// ---- the network: what the broker would hand on at once

static void sealed_make(struct bench *b) {
    char path[40];
    snprintf(path, sizeof path, "%s/key", b->folder);
    FILE *out = fopen(path, "we");
    must_be(out != NULL, "key");
    for (unsigned i = 0; i < sizeof b->key; i++)
        fprintf(out, "%02x", b->key[i] = (uint8_t)(7 * i));
    must_be(fclose(out) == 0 && chmod(path, 0600) == 0, "key");
    b->frame = (struct frame){.antennas = 1};
    b->fd = -1;
}

static void bring(struct bench *b, const char *channel, const void *data, size_t len) {
    b->rb.reader->driver->bytes(b->rb.reader, channel, data, len, false);
}

static void sealed_round(struct bench *b) {
    uint8_t bytes[FRAME_BYTES_MAX];
    struct tag tag;
    must(tag_parse(tile, &tag, NULL), NULL);
    if (b->frame.counter++ == 0)
        bring(b, "link", "\1", 1);
    b->frame.level[0] =
        (struct frame_level){.outcome = b->lies ? DRIVER_SEEN : DRIVER_NONE, .n_tags = b->lies};
    b->frame.level[0].tags[0].len = b->lies ? tag.len : 0;
    memcpy(b->frame.level[0].tags[0].b, tag.b, b->lies ? tag.len : 0);
    frame_seal(&b->frame, "north", b->key, bytes);
    bring(b, "obs", bytes, frame_size(1));
}

static void no_make(struct bench *b) {
    b->fd = -1;
}

static void plain_hand(struct bench *b, bool there) {
    bring(b, "link", "\1", 1);
    bring(b, there ? "obs" : "removed", tile, strlen(tile));
}

// ---- a wedge, from its Enter

static void wedge_make(struct bench *b) {
    char path[40];
    snprintf(path, sizeof path, "%s/wedge", b->folder);
    must_be(mkfifo(path, 0600) == 0, "pipe");
    b->fd = open(path, O_RDWR | O_CLOEXEC);
    must_be(b->fd >= 0, "pipe");
}

static void wedge_hand(struct bench *b, bool there) {
    static const uint16_t letters[] = {KEY_A, KEY_B, KEY_C, KEY_D, KEY_E, KEY_F};
    for (const char *c = tile; there && c <= tile + strlen(tile); c++) {
        uint16_t code = *c == '\0'  ? KEY_ENTER
                        : *c == '0' ? KEY_0
                        : *c > '9'  ? letters[*c - 'A']
                                    : (uint16_t)(KEY_1 + *c - '1');
        const struct input_event down = {.type = EV_KEY, .code = code, .value = 1};
        must_be(write(b->fd, &down, sizeof down) == sizeof down, "pipe");
    }
}

// ---- pcscd, by a library that says at once what it knows

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool present;
    unsigned counter, cancels;
} card = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static LONG card_establish(DWORD scope, LPCVOID x, LPCVOID y, LPSCARDCONTEXT ret) {
    (void)scope, (void)x, (void)y;
    *ret = 1;
    return SCARD_S_SUCCESS;
}

static LONG card_release(SCARDCONTEXT context) {
    (void)context;
    return SCARD_S_SUCCESS;
}

static LONG card_list(SCARDCONTEXT context, LPCSTR groups, LPSTR ret, LPDWORD len) {
    static const char names[] = "Desk 00 00\0";
    (void)context, (void)groups;
    memcpy(ret, names, sizeof names);
    *len = sizeof names;
    return SCARD_S_SUCCESS;
}

static LONG card_change(SCARDCONTEXT context, DWORD ms, SCARD_READERSTATE *state, DWORD n) {
    struct timespec until;
    LONG code = SCARD_E_TIMEOUT;
    (void)context, (void)n;
    clock_gettime(CLOCK_REALTIME, &until);
    int64_t ns = until.tv_nsec + (int64_t)ms * 1000000;
    until = (struct timespec){until.tv_sec + ns / 1000000000, ns % 1000000000};
    pthread_mutex_lock(&card.lock);
    unsigned before = card.cancels;
    for (;;) {
        DWORD now = (card.present ? SCARD_STATE_PRESENT : SCARD_STATE_EMPTY) | (DWORD)card.counter << 16;
        if (state->szReader[0] != '\\' && (state->dwCurrentState & ~(DWORD)SCARD_STATE_CHANGED) != now) {
            state->dwEventState = now | SCARD_STATE_CHANGED;
            code = SCARD_S_SUCCESS;
            break;
        }
        if (card.cancels != before) {
            code = SCARD_E_CANCELLED;
            break;
        }
        if (pthread_cond_timedwait(&card.changed, &card.lock, &until))
            break;
    }
    pthread_mutex_unlock(&card.lock);
    return code;
}

static LONG card_cancel(SCARDCONTEXT context) {
    (void)context;
    pthread_mutex_lock(&card.lock);
    card.cancels++;
    pthread_cond_broadcast(&card.changed);
    pthread_mutex_unlock(&card.lock);
    return SCARD_S_SUCCESS;
}

static LONG card_connect(SCARDCONTEXT context, LPCSTR reader, DWORD share, DWORD protocols, LPSCARDHANDLE ret,
                         LPDWORD ret_protocol) {
    (void)context, (void)reader, (void)share, (void)protocols;
    *ret = 1;
    *ret_protocol = SCARD_PROTOCOL_T1;
    return SCARD_S_SUCCESS;
}

static LONG card_disconnect(SCARDHANDLE handle, DWORD how) {
    (void)handle, (void)how;
    return SCARD_S_SUCCESS;
}

static LONG card_transmit(SCARDHANDLE handle, const SCARD_IO_REQUEST *pci, LPCBYTE send_bytes, DWORD n,
                          SCARD_IO_REQUEST *ret_pci, LPBYTE ret, LPDWORD len) {
    struct tag tag;
    (void)handle, (void)pci, (void)send_bytes, (void)n, (void)ret_pci;
    must(tag_parse(tile, &tag, NULL), NULL);
    memcpy(ret, tag.b, tag.len);
    memcpy(ret + tag.len, "\x90\0", 2);
    *len = tag.len + 2u;
    return SCARD_S_SUCCESS;
}

static LONG card_attribute(SCARDHANDLE handle, DWORD id, LPBYTE ret, LPDWORD len) {
    (void)handle, (void)id, (void)ret, (void)len;
    return SCARD_E_UNSUPPORTED_FEATURE;
}

static void pcsc_make(struct bench *b) {
    static const struct pcsc_api api = {card_establish,  card_release,  card_list,
                                        card_change,     card_cancel,   card_connect,
                                        card_disconnect, card_transmit, card_attribute};
    pcsc_api = &api;
    b->fd = -1;
}

static void pcsc_hand(struct bench *b, bool there) {
    (void)b;
    pthread_mutex_lock(&card.lock);
    card.counter += card.present != there;
    card.present = there;
    pthread_cond_broadcast(&card.changed);
    pthread_mutex_unlock(&card.lock);
}

static const struct stand_in node = {node_make, note_hand, node_round, NODE_US, false},
                             sim = {sim_make, sim_hand, NULL, 0, false},
                             sealed = {sealed_make, note_hand, sealed_round, FRAME_US, false},
                             plain = {no_make, plain_hand, NULL, 0, false},
                             wedge = {wedge_make, wedge_hand, NULL, 0, true},
                             service = {pcsc_make, pcsc_hand, NULL, 0, false};

// ---- the table

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
    {.name = "libnfc, the same chip",
     .conf = "driver = libnfc\ndevice = pn532_uart:%s:115200\n",
     .antennas = 1,
     .real_clock = true,
     .empty_us = PN532_EMPTY + 38 * 87,
     .tag_us = PN532_TAG + 50 * 87},
    {.name = "pcsc", .conf = "driver = pcsc\n", .antennas = 1, .real_clock = true, .stand_in = &service},
    {.name = "node", .conf = "driver = node\nport = ./line\n", .antennas = 1, .stand_in = &node},
    {.name = "sim",
     .conf = "driver = sim\nsocket = ./line\nantennas = 1\nhold = 85ms\n",
     .antennas = 1,
     .stand_in = &sim},
    {.name = "mqtt_reader, sealed",
     .conf = "driver = mqtt_reader\nkey_file = key\n",
     .antennas = 1,
     .stand_in = &sealed},
    {.name = "mqtt_reader, plain",
     .conf = "driver = mqtt_reader\nform = plain\nremoval = yes\n",
     .antennas = 1,
     .stand_in = &plain},
    {.name = "keyboard", .conf = "driver = keyboard\ndevice = wedge\n", .antennas = 1, .stand_in = &wedge},
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

static void on_round(void *ctx) {
    struct bench *b = ctx;
    loop_timer_start(b->loop, &b->timer, loop_now_us(b->loop) + b->stand_in->round_us, on_round, b);
    b->stand_in->round(b);
}

static void make_stand_in(struct bench *b) {
    snprintf(b->folder, sizeof b->folder, "/tmp/readers-XXXXXX");
    must_be(mkdtemp(b->folder) && chdir(b->folder) == 0, "folder");
    b->stand_in->make(b);
    if (b->stand_in->round) // once the driver is up
        loop_timer_start(b->loop, &b->timer, loop_now_us(b->loop) + 100000, on_round, b);
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
    if (b->stand_in) {
        b->stand_in->hand(b, there);
        return;
    }
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
    char path[48], text[600] = "[reader north]\n";
    size_t at = strlen(text);
    const char *port = b->pn532 && b->real_clock ? pn532_emulator_path(b->pn532) : "";
    const char *slot = strstr(b->conf, "%s");
    snprintf(text + at, sizeof text - at, "%.*s%s%s", slot ? (int)(slot - b->conf) : (int)strlen(b->conf),
             b->conf, port, slot ? slot + 2 : "");
    snprintf(path, sizeof path, "%s/readers-XXXXXX",
             b->stand_in ? b->folder : "/tmp"); // its paths begin there
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
            if (b->stand_in && b->stand_in->touches && !there) { // its end is no lift
                run_until(b, loop_now_us(b->loop) + SETTLE_US);
                continue;
            }
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
    run_until(b, from + (b->stand_in && !b->real_clock ? LONG_US : SETTLE_US));
    return (double)(loop_now_us(b->loop) - from) / (double)(b->rb.reader->n_scans - scans);
}

static void tidy(struct bench *b) {
    static const char *const names[] = {"line", "key", "wedge"};
    if (!b->stand_in)
        return;
    if (b->fd >= 0)
        close(b->fd);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(names[i]);
    must_be(chdir("/") == 0 && rmdir(b->folder) == 0, "folder");
}

static double ms(int64_t us) {
    return (double)us / 1000;
}

static void print_pair(int64_t one_us, int64_t two_us) {
    if (one_us)
        printf(" %.1f / ", ms(one_us));
    if (one_us && two_us)
        printf("%.1f |", ms(two_us));
    else
        fputs(one_us ? "- |" : " - |", stdout);
}

static void print_row(const struct bench *b, double empty, double tag, int64_t *placed, int64_t *lifted,
                      size_t n, double cpu_us) {
    printf("| %s |", b->name);
    print_pair(b->empty_us, b->tag_us);
    print_pair((int64_t)empty, (int64_t)tag);
    printf(" %.1f | %.1f |", ms(measure_percentile(placed, n, 0.5)), ms(measure_percentile(placed, n, 0.99)));
    if (b->stand_in && b->stand_in->touches)
        fputs(" - | - |", stdout);
    else
        printf(" %.1f | %.1f |", ms(measure_percentile(lifted, n, 0.5)),
               ms(measure_percentile(lifted, n, 0.99)));
    if (b->real_clock)
        puts(" |");
    else
        printf(" %.0f |\n", cpu_us);
    fflush(stdout);
}

static void measure(struct bench *b, unsigned rounds, bool json) {
    static int64_t placed[ROUNDS], lifted[ROUNDS];
    struct error err;
    clock_virtual_init(&b->clock);
    must(loop_create(b->real_clock ? NULL : &b->clock.base, b->real_clock ? NULL : &b->clock, &b->loop, &err),
         &err);
    fake_bus_open();
    if (b->stand_in)
        make_stand_in(b);
    else
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
        print_row(b, empty, tag, placed, lifted, n, cpu_us);
    loop_timer_stop(b->loop, &b->timer);
    reader_close(b->rb.reader);
    tidy(b);
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
        if (!json || (!benches[i].real_clock && !benches[i].stand_in))
            measure(&benches[i], benches[i].real_clock ? ROUNDS_REAL : ROUNDS, json);
    return 0;
}
