// Months in minutes: readers of every kind that can live on a virtual clock, with the board behind them, for
// N simulated hours. Of their scans 5 % miss, 2 % collide, 1 % tell a mangled id; their plugs are pulled now
// and then; hands lift and put. Nothing that rests may leave, nothing that is not there may arrive, each lift
// and each landing is seen in the time that board/README.md gives. Exit code 1 if not.
//
// Each scan has its own luck, also the second look that a pad asks for, and a tile that rests is one and the
// same tag all the time. Hands move at any moment, in the middle of a scan too.
//
// A pad that has never missed is judged as a clean one (board/README.md, "What remains"). What the first
// minute takes away falsely is counted by itself: 0.3 % of the pads, so three of these few are never chance.
//
//   soak [--hours N] [--seed S]
#include "board/board.h"
#include "core/log.h"
#include "core/rng.h"
#include "drivers/driver.h"
#include "drivers/mqtt_reader_frame.h"
#include "support/mfrc522_emulator.h"
#include "support/pn532_emulator.h"
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { CYCLE_US = 85000, PADS_MAX = 32, KINDS = 5, CALM_US = 8000000 };
enum { LEAVE_SCANS = 16, ARRIVE_SCANS = 12 }; // board/README.md, "The documented time"
enum { NEW_US = 60000000, NEW_MAX = 2 };
enum { MISS = 50, COLLIDE = 20, MANGLE = 10 }; // of 1,000

enum luck { LUCK_WELL, LUCK_MISS, LUCK_COLLIDE, LUCK_MANGLE };
struct soak;
struct kind {
    const char *name, *conf;
    unsigned antennas;
    int64_t slack_us; // its own time beside the scans: what a driver may need on its way
    void (*begin)(struct soak *s, unsigned k);
    void (*cycle)(struct soak *s, unsigned k); // nodes: one round of their antennas
    // Chips, which scan by themselves: what lies there from now on (NULL = nothing), how the next scan goes.
    void (*lay)(struct soak *s, const struct tag *tag);
    void (*spoil)(struct soak *s, enum luck luck);
    bool mute; // without its plug, so nothing is scanned; else it goes on by itself
    void (*plug)(struct soak *s, unsigned k, bool in);
    void (*end)(struct soak *s);
};

struct place {
    unsigned kind, antenna;
    struct tag tag;
    uint16_t piece;
    bool there, believed;
    int64_t changed_us, next_us;
};

struct soak {
    struct clock_virtual clock;
    struct loop *loop;
    struct rng rng;
    struct pieces *pieces;
    struct board *board;
    char folder[32];
    struct config *config;
    struct reader *reader[KINDS];
    unsigned first[KINDS]; // its first place
    struct tag seen[PAD_TAGS_MAX + 1];
    unsigned n_seen;
    struct loop_timer timer[KINDS], plug_timer[KINDS];
    bool in[KINDS];
    int64_t calm_us[KINDS]; // hands leave its pads alone before
    struct place place[PADS_MAX];
    struct tag lies[KINDS]; // on a chip; length 0 = nothing
    unsigned n_places, lifts, landings, plugs, missed;
    unsigned false_left, false_arrived, late_left, late_arrived, new_left;
    int64_t slowest_left[KINDS], slowest_arrived[KINDS];
    uint64_t told; // "false" lines printed
    // node and sim
    int listener, line;
    struct loop_fd *listening;
    // mqtt_reader
    struct frame frame;
    uint8_t key[FRAME_KEY_BYTES];
    struct pn532_emulator *pn532;
    struct mfrc522_emulator *mfrc522;
};
static const struct kind kinds[KINDS];
static struct soak soak;

static void die(const char *what, const struct error *err) {
    fprintf(stderr, "soak: %s: %s %s\n", what, err ? err->where : "", err ? err->text : strerror(errno));
    exit(2);
}

static int64_t now_us(const struct soak *s) {
    return loop_now_us(s->loop);
}

// ---- what the board believes

static void complain(struct soak *s, const struct place *p, const char *what) {
    if (s->told++ < 20)
        printf("FALSE %s: %s antenna %u at %.3f h\n", what, kinds[p->kind].name, p->antenna,
               (double)now_us(s) / 3.6e9);
}

static void judge_time(struct soak *s, const struct place *p, unsigned scans, int64_t *slowest,
                       unsigned *late, const char *what) {
    int64_t took = now_us(s) - p->changed_us;
    *slowest = took > *slowest ? took : *slowest;
    if (took <= scans * (int64_t)CYCLE_US + kinds[p->kind].slack_us)
        return;
    ++*late;
    complain(s, p, what);
}

static void on_placed(void *ctx, uint16_t pad, uint16_t piece, uint8_t face, int64_t at_us,
                      int64_t since_us) {
    struct soak *s = ctx;
    struct place *p = &s->place[pad];
    (void)face, (void)at_us, (void)since_us;
    if (!p->there || piece != p->piece) {
        s->false_arrived++;
        complain(s, p, "arrival");
        return;
    }
    if (!p->believed && p->changed_us)
        judge_time(s, p, ARRIVE_SCANS, &s->slowest_arrived[p->kind], &s->late_arrived, "late arrival");
    p->believed = true;
}

static void on_removed(void *ctx, uint16_t pad, uint16_t piece, int64_t at_us, int64_t since_us) {
    struct soak *s = ctx;
    struct place *p = &s->place[pad];
    (void)at_us, (void)since_us;
    if (p->there && piece == p->piece && now_us(s) < NEW_US) {
        s->new_left++;
    } else if (p->there || piece != p->piece) {
        s->false_left++;
        complain(s, p, "removal");
    } else {
        judge_time(s, p, LEAVE_SCANS, &s->slowest_left[p->kind], &s->late_left, "late removal");
    }
    p->believed = false;
}

static void on_state(void *ctx, uint16_t pad, enum pad_state state, int64_t at_us) {
    (void)ctx, (void)pad, (void)state, (void)at_us;
}

static void on_control(void *ctx, uint16_t pad, enum control control, int64_t at_us) {
    (void)ctx, (void)pad, (void)control, (void)at_us;
}

static void on_notice(void *ctx, uint16_t pad, enum board_notice notice, int64_t at_us) {
    (void)ctx, (void)pad, (void)notice, (void)at_us;
}

// ---- what the drivers tell, as the daemon wires it

static unsigned kind_of(const struct soak *s, const struct reader *reader) {
    unsigned k = 0;
    while (s->reader[k] != reader)
        k++;
    return k;
}

static void on_seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len) {
    struct soak *s = reader->host_ctx;
    (void)antenna;
    if (s->n_seen < PAD_TAGS_MAX && !tag_from_bytes(uid, len, &s->seen[s->n_seen], NULL))
        s->n_seen++;
}

static void next_scan(struct soak *s, unsigned k);

static void on_scan(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    static const enum pad_outcome outcomes[] = {[DRIVER_SEEN] = PAD_SEEN,
                                                [DRIVER_NONE] = PAD_NONE,
                                                [DRIVER_COLLIDED] = PAD_COLLIDED,
                                                [DRIVER_FAILED] = PAD_FAILED};
    struct soak *s = reader->host_ctx;
    unsigned n = s->n_seen, k = kind_of(s, reader);
    s->n_seen = 0;
    if (antenna >= kinds[k].antennas)
        return;
    if (board_scan(s->board, (uint16_t)(s->first[k] + antenna), now_us(s), outcomes[outcome], s->seen, n) &&
        reader->driver->again)
        reader->driver->again(reader, antenna);
    next_scan(s, k);
}

static void on_health(struct reader *reader, bool up, const char *why) {
    struct soak *s = reader->host_ctx;
    (void)why;
    s->n_seen = 0;
    board_reader(s->board, reader->name, up, now_us(s));
    unsigned k = kind_of(s, reader);
    s->calm_us[k] = now_us(s) + CALM_US; // people wait until it is well again
}

static const struct driver_host host = {.seen = on_seen, .scan_done = on_scan, .health = on_health};

// ---- luck

static enum luck draw(struct soak *s) {
    unsigned luck = rng_below(&s->rng, 1000);
    return luck < MISS                      ? LUCK_MISS
           : luck < MISS + COLLIDE          ? LUCK_COLLIDE
           : luck < MISS + COLLIDE + MANGLE ? LUCK_MANGLE
                                            : LUCK_WELL;
}

static struct tag mangled(struct soak *s, const struct tag *from) {
    struct tag tag = *from;
    if (rng_below(&s->rng, 2))
        tag.b[rng_below(&s->rng, tag.len)] ^= (uint8_t)(1 + rng_below(&s->rng, 255));
    else
        for (unsigned i = 0; i < tag.len; i++)
            tag.b[i] = (uint8_t)rng_next(&s->rng);
    return tag;
}

// On a chip. What lies there already is left alone: a tag that rests keeps what it was told.
static void lay(struct soak *s, unsigned k, const struct tag *tag) {
    const struct tag nothing = {0};
    tag = tag ? tag : &nothing;
    if (s->lies[k].len == tag->len && memcmp(s->lies[k].b, tag->b, tag->len) == 0)
        return;
    s->lies[k] = *tag;
    kinds[k].lay(s, tag->len ? tag : NULL);
}

static void next_scan(struct soak *s, unsigned k) {
    if (!kinds[k].lay || (kinds[k].mute && !s->in[k]))
        return;
    const struct place *p = &s->place[s->first[k]];
    enum luck luck = draw(s);
    struct tag tag = luck == LUCK_MANGLE ? mangled(s, &p->tag) : p->tag;
    lay(s, k, p->there || luck == LUCK_MANGLE ? &tag : NULL);
    kinds[k].spoil(s, luck);
}

// What one antenna of a node sees in this round.
static enum driver_outcome glance(struct soak *s, const struct place *p, struct tag *ret) {
    enum luck luck = draw(s);
    *ret = p->tag;
    if (luck == LUCK_COLLIDE)
        return DRIVER_COLLIDED;
    if (luck == LUCK_MANGLE) {
        *ret = mangled(s, &p->tag);
        return DRIVER_SEEN;
    }
    return p->there && luck == LUCK_WELL ? DRIVER_SEEN : DRIVER_NONE;
}

// ---- node: lines on a socket that we serve

static void on_call(void *ctx, uint32_t revents) {
    struct soak *s = ctx;
    (void)revents;
    int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0 && s->line >= 0)
        close(s->line);
    s->line = fd >= 0 ? fd : s->line;
}

static void node_plug(struct soak *s, unsigned k, bool in) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct error err;
    (void)k;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/node", s->folder);
    loop_fd_remove(s->listening);
    s->listening = NULL;
    if (s->listener >= 0)
        close(s->listener);
    if (s->line >= 0)
        close(s->line);
    s->listener = s->line = -1;
    unlink(address.sun_path);
    if (!in)
        return;
    s->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(s->listener, (struct sockaddr *)&address, sizeof address) || listen(s->listener, 4) ||
        loop_fd_add(s->loop, s->listener, EPOLLIN, on_call, s, &s->listening, &err))
        die("node", NULL);
}

static void node_begin(struct soak *s, unsigned k) {
    s->listener = s->line = -1;
    node_plug(s, k, true);
}

static void node_cycle(struct soak *s, unsigned k) {
    static const char *const words[] = {"seen", "none", "collided", "failed"};
    char text[1024];
    size_t n = 0;
    if (s->line < 0)
        return;
    for (unsigned i = 0; i < kinds[k].antennas; i++) {
        struct tag tag;
        enum driver_outcome outcome = glance(s, &s->place[s->first[k] + i], &tag);
        n += (size_t)snprintf(text + n, sizeof text - n, "%lld - %u %s", (long long)(now_us(s) / 1000), i,
                              words[outcome]);
        if (outcome == DRIVER_SEEN) {
            char id[TAG_TEXT_MAX];
            tag_format(&tag, id);
            n += (size_t)snprintf(text + n, sizeof text - n, " %s", id);
        }
        text[n++] = '\n';
    }
    text[n++] = '\n';
    (void)!send(s->line, text, n, MSG_NOSIGNAL);
}

static void node_end(struct soak *s) {
    node_plug(s, 0, false);
}

// ---- mqtt_reader: sealed frames

static void net_begin(struct soak *s, unsigned k) {
    char path[64], text[2 * FRAME_KEY_BYTES + 1];
    randombytes_buf(s->key, sizeof s->key);
    sodium_bin2hex(text, sizeof text, s->key, sizeof s->key);
    snprintf(path, sizeof path, "%s/net.key", s->folder);
    FILE *out = fopen(path, "we");
    if (!out || fputs(text, out) < 0 || fclose(out) || chmod(path, 0600))
        die("key", NULL);
    s->frame = (struct frame){.counter = 1, .antennas = kinds[k].antennas};
}

static void net_plug(struct soak *s, unsigned k, bool in) {
    if (rng_below(&s->rng, 2)) // the broker, or the node, which merely falls silent
        s->reader[k]->driver->bytes(s->reader[k], "link", in ? "\1" : "\0", 1, false);
    else if (in)
        s->reader[k]->driver->bytes(s->reader[k], "link", "\1", 1, false);
}

static void net_cycle(struct soak *s, unsigned k) {
    uint8_t bytes[FRAME_BYTES_MAX];
    for (unsigned i = 0; i < kinds[k].antennas; i++) {
        struct tag tag;
        struct frame_level *level = &s->frame.level[i];
        *level = (struct frame_level){.outcome = (uint8_t)glance(s, &s->place[s->first[k] + i], &tag)};
        if (level->outcome != DRIVER_SEEN)
            continue;
        level->n_tags = 1;
        level->tags[0].len = tag.len;
        memcpy(level->tags[0].b, tag.b, tag.len);
    }
    s->frame.counter++;
    frame_seal(&s->frame, "net", s->key, bytes);
    s->reader[k]->driver->bytes(s->reader[k], "obs", bytes, frame_size(s->frame.antennas), false);
}

// ---- pn532: the emulated chip on the emulated bus; a pseudo-terminal has a time of its own

static void pn532_begin(struct soak *s, unsigned k) {
    const struct pn532_emulator_options options = {.bus = true};
    struct error err;
    (void)k;
    fake_bus_open();
    if (pn532_emulator_create(s->loop, &options, &s->pn532, &err))
        die("pn532", &err);
    const struct fake_i2c i2c = pn532_emulator_i2c(s->pn532, NULL);
    fake_bus_add_i2c("/dev/i2c-1", 0x24, &i2c);
}

static void pn532_plug(struct soak *s, unsigned k, bool in) {
    (void)k;
    pn532_emulator_fault(s->pn532, in ? EMULATOR_WELL : EMULATOR_SILENCE, -1);
}

static void pn532_lay(struct soak *s, const struct tag *tag) {
    pn532_emulator_clear(s->pn532);
    if (tag)
        pn532_emulator_add(s->pn532, tag->b, tag->len);
}

static void pn532_spoil(struct soak *s, enum luck luck) {
    pn532_emulator_fault(s->pn532,
                         luck == LUCK_MISS      ? EMULATOR_MISS
                         : luck == LUCK_COLLIDE ? EMULATOR_GARBAGE
                                                : EMULATOR_WELL,
                         1);
}

static void pn532_end(struct soak *s) {
    pn532_emulator_destroy(s->pn532);
}

// ---- mfrc522: the emulated chip on the emulated bus

static void mfrc522_begin(struct soak *s, unsigned k) {
    const struct mfrc522_emulator_options options = {0};
    (void)k;
    s->mfrc522 = mfrc522_emulator_create(s->loop, &options);
    const struct fake_spi spi = mfrc522_emulator_spi(s->mfrc522, NULL, NULL);
    fake_bus_add_spi("/dev/spidev0.0", &spi);
}

// Its wires are soldered: it hangs, is reset by its driver and scans on. People wait all the same.
static void mfrc522_plug(struct soak *s, unsigned k, bool in) {
    (void)k;
    if (!in)
        mfrc522_emulator_fault(s->mfrc522, MFRC522_HANG, 1);
}

static void mfrc522_lay(struct soak *s, const struct tag *tag) {
    char id[TAG_TEXT_MAX];
    mfrc522_emulator_clear(s->mfrc522);
    if (!tag)
        return;
    tag_format(tag, id);
    mfrc522_emulator_add(s->mfrc522, id);
}

// Noise over the request is what several tags sound like; only over the id after it, it is a collision.
static void mfrc522_spoil(struct soak *s, enum luck luck) {
    if (luck == LUCK_MISS)
        mfrc522_emulator_fault(s->mfrc522, MFRC522_MISS, 1);
    else if (luck == LUCK_COLLIDE)
        mfrc522_emulator_fault(s->mfrc522, MFRC522_NOISE, 2);
    else
        mfrc522_emulator_fault(s->mfrc522, MFRC522_WELL, 0);
}

static void mfrc522_end(struct soak *s) {
    mfrc522_emulator_destroy(s->mfrc522);
    fake_bus_close();
}

// ---- keyboard, typed at through a pipe: a touch is no tile, so it only must not disturb

static void keyboard_begin(struct soak *s, unsigned k) {
    char path[64];
    (void)k;
    snprintf(path, sizeof path, "%s/wedge", s->folder);
    if (mkfifo(path, 0600))
        die("pipe", NULL);
}

static const struct kind kinds[KINDS] = {
    {.name = "node",
     .conf = "driver = node\nport = ./node\n",
     .antennas = 6,
     .slack_us = 90000,
     .begin = node_begin,
     .cycle = node_cycle,
     .plug = node_plug,
     .end = node_end},
    {.name = "net",
     .conf = "driver = mqtt_reader\nantennas = 3\nkey_file = net.key\n",
     .antennas = 3,
     .begin = net_begin,
     .cycle = net_cycle,
     .plug = net_plug},
    {.name = "chip",
     .conf = "driver = pn532\nwire = i2c\nport = /dev/i2c-1\npoll = 85ms\n",
     .antennas = 1,
     .slack_us = 600000,
     .begin = pn532_begin,
     .lay = pn532_lay,
     .spoil = pn532_spoil,
     .mute = true,
     .plug = pn532_plug,
     .end = pn532_end},
    {.name = "spi",
     .conf = "driver = mfrc522\ndevice = /dev/spidev0.0\npoll = 85ms\n",
     .antennas = 1,
     .slack_us = 90000,
     .begin = mfrc522_begin,
     .lay = mfrc522_lay,
     .spoil = mfrc522_spoil,
     .plug = mfrc522_plug,
     .end = mfrc522_end},
    {.name = "wedge", .conf = "driver = keyboard\ndevice = wedge\n", .begin = keyboard_begin},
};

// ---- hands and plugs

static void move_hands(struct soak *s, struct place *p) {
    int64_t now = now_us(s);
    if (!s->in[p->kind] || now < s->calm_us[p->kind]) {
        p->next_us = p->next_us > now + CALM_US ? p->next_us : now + CALM_US;
        return;
    }
    if (now < p->next_us)
        return;
    s->missed += p->there != p->believed; // what was to be seen since the last movement
    p->there = !p->there;
    p->changed_us = now;
    *(p->there ? &s->landings : &s->lifts) += 1;
    if (kinds[p->kind].lay)
        lay(s, p->kind, p->there ? &p->tag : NULL);
    // A look or a swap takes 1.2 to 5 s; between them half a minute to two.
    p->next_us = now + INT64_C(1000) *
                           (p->there ? 30000 + rng_below(&s->rng, 90000) : 1500 + rng_below(&s->rng, 3500));
}

struct turn {
    unsigned k;
};
static struct turn turns[KINDS];

static void on_cycle(void *ctx) {
    const struct turn *turn = ctx;
    struct soak *s = &soak;
    unsigned k = turn->k;
    loop_timer_start(s->loop, &s->timer[k], now_us(s) + CYCLE_US, on_cycle, ctx);
    for (unsigned i = 0; i < kinds[k].antennas; i++)
        move_hands(s, &s->place[s->first[k] + i]);
    if (s->in[k] && kinds[k].cycle)
        kinds[k].cycle(s, k);
}

static void plug_when_calm(void *ctx);

static void on_plug(void *ctx) {
    const struct turn *turn = ctx;
    struct soak *s = &soak;
    unsigned k = turn->k;
    s->in[k] = !s->in[k];
    s->plugs += !s->in[k];
    s->calm_us[k] = now_us(s) + CALM_US;
    int64_t wait_ms = s->in[k] ? 600000 + rng_below(&s->rng, 1200000) : 1000 + rng_below(&s->rng, 20000);
    loop_timer_start(s->loop, &s->plug_timer[k], now_us(s) + wait_ms * 1000, plug_when_calm, ctx);
    if (kinds[k].plug)
        kinds[k].plug(s, k, s->in[k]);
}

// A plug may only be pulled while nothing is in the air: else a lift could not be seen.
static void plug_when_calm(void *ctx) {
    const struct turn *turn = ctx;
    struct soak *s = &soak;
    for (unsigned i = 0; s->in[turn->k] && i < kinds[turn->k].antennas; i++)
        if (s->place[s->first[turn->k] + i].there != s->place[s->first[turn->k] + i].believed) {
            loop_timer_start(s->loop, &s->plug_timer[turn->k], now_us(s) + 500000, plug_when_calm, ctx);
            return;
        }
    on_plug(ctx);
}

// ---- setting up

static void make_board(struct soak *s) {
    struct board_pad_options pads[PADS_MAX];
    struct error err;
    const struct board_listener listener = {on_placed, on_removed, on_state, on_control, on_notice, s};
    if (pieces_create(&s->pieces, &err))
        die("pieces", &err);
    for (unsigned k = 0; k < KINDS; k++) {
        s->first[k] = s->n_places;
        for (unsigned i = 0; i < kinds[k].antennas; i++) {
            struct place *p = &s->place[s->n_places];
            char name[16];
            *p = (struct place){.kind = k, .antenna = i, .there = true, .tag = {.len = 7, .b = {0x04}}};
            for (unsigned b = 1; b < 7; b++)
                p->tag.b[b] = (uint8_t)(rng_below(&s->rng, 200) + 1);
            snprintf(name, sizeof name, "t%u", s->n_places);
            if (pieces_add(s->pieces, "kit", name, "tile", &p->tag, PIECE_FACE_UNKNOWN, &p->piece, &err))
                die("piece", &err);
            p->next_us = INT64_C(60000000) + rng_below(&s->rng, 90000000);
            struct board_pad_options *pad = &pads[s->n_places++];
            *pad = (struct board_pad_options){
                .antenna = (uint16_t)i, .capacity = 2, .limits = pad_limits_default};
            snprintf(pad->name, sizeof pad->name, "%s-%u", kinds[k].name, i);
            snprintf(pad->reader, sizeof pad->reader, "%s", kinds[k].name);
        }
    }
    if (board_create(s->loop, s->pieces, pads, s->n_places, &listener, &s->board, &err))
        die("board", &err);
}

static void make_config(struct soak *s) {
    static struct config_schema schemas[2];
    char path[64];
    struct error err;
    schemas[0] = (struct config_schema){.section = "reader",
                                        .labelled = true,
                                        .label_help = "name of the reader",
                                        .keys = driver_common_params(),
                                        .open = true};
    snprintf(path, sizeof path, "%s/soak.conf", s->folder);
    FILE *out = fopen(path, "we");
    for (unsigned k = 0; out && k < KINDS; k++)
        fprintf(out, "[reader %s]\n%s", kinds[k].name, kinds[k].conf);
    if (!out || fclose(out) || config_load(path, schemas, &s->config, &err))
        die("configuration", &err);
}

static void open_readers(struct soak *s) {
    struct error err;
    for (unsigned k = 0; k < KINDS; k++) {
        const struct config_section *section = config_find(s->config, "reader", kinds[k].name);
        if (config_check_keys(s->config, section, driver_find(config_text(section, "driver"))->params, &err))
            die(kinds[k].name, &err);
        kinds[k].begin(s, k);
        if (reader_open(s->loop, &host, s, section, NULL, &s->reader[k], &err))
            die(kinds[k].name, &err);
        turns[k].k = k;
        s->in[k] = true;
        if (kinds[k].lay)
            lay(s, k, &s->place[s->first[k]].tag);
        if (s->reader[k]->driver->bytes)
            s->reader[k]->driver->bytes(s->reader[k], "link", "\1", 1, false);
        loop_timer_start(s->loop, &s->timer[k], (int64_t)k * 17000, on_cycle, &turns[k]);
        loop_timer_start(s->loop, &s->plug_timer[k], INT64_C(300000000) + rng_below(&s->rng, 600000000),
                         plug_when_calm, &turns[k]);
    }
}

static int report(struct soak *s, double hours) {
    uint64_t scans = 0;
    for (unsigned k = 0; k < KINDS; k++) {
        const struct reader *r = s->reader[k];
        scans += r->n_scans;
        printf(
            "%-6s %9llu scans, %7llu collided or failed, lifts told within %4lld ms, landings within %4lld "
            "ms\n",
            kinds[k].name, (unsigned long long)r->n_scans, (unsigned long long)r->n_collided + r->n_failed,
            (long long)s->slowest_left[k] / 1000, (long long)s->slowest_arrived[k] / 1000);
    }
    unsigned wrong = s->false_left + s->false_arrived + s->late_left + s->late_arrived + s->missed;
    printf(
        "%.1f h: %llu scans, %u lifts, %u landings, %u pulled plugs; %u false removals, %u false tiles, %u "
        "late, %u not seen; %u taken away in the first minute of a pad\n",
        hours, (unsigned long long)scans, s->lifts, s->landings, s->plugs, s->false_left, s->false_arrived,
        s->late_left + s->late_arrived, s->missed, s->new_left);
    return wrong || s->new_left > NEW_MAX ? 1 : 0;
}

static void tidy(struct soak *s) {
    char command[64];
    for (unsigned k = 0; k < KINDS; k++)
        reader_close(s->reader[k]);
    for (unsigned k = 0; k < KINDS; k++)
        if (kinds[k].end)
            kinds[k].end(s);
    board_destroy(s->board);
    pieces_destroy(s->pieces);
    config_destroy(s->config);
    loop_destroy(s->loop);
    snprintf(command, sizeof command, "rm -rf %s", s->folder);
    if (system(command))
        fprintf(stderr, "soak: %s is left behind\n", s->folder);
}

int main(int argc, char **argv) {
    struct soak *s = &soak;
    struct error err;
    double hours = 5;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--hours"))
            hours = strtod(argv[i + 1], NULL);
        else if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else
            argc = 0;
    }
    if (argc % 2 == 0 || hours <= 0 || sodium_init() < 0) {
        fputs("soak [--hours N] [--seed S]\n", stderr);
        return 2;
    }
    snprintf(s->folder, sizeof s->folder, "/tmp/soak-XXXXXX");
    clock_virtual_init(&s->clock);
    rng_seed(&s->rng, seed);
    if (!mkdtemp(s->folder) || chdir(s->folder) || loop_create(&s->clock.base, &s->clock, &s->loop, &err))
        die("start", NULL);
    make_board(s);
    make_config(s);
    open_readers(s);
    int64_t end = (int64_t)(hours * 3.6e9);
    while (now_us(s) < end)
        loop_turn(s->loop, end - now_us(s));
    int code = report(s, hours);
    for (unsigned k = 0; k < KINDS; k++) {
        loop_timer_stop(s->loop, &s->timer[k]);
        loop_timer_stop(s->loop, &s->plug_timer[k]);
    }
    tidy(s);
    return code;
}
