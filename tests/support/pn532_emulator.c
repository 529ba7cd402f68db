#include "support/pn532_emulator.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { RX_MAX = 1024, OUT_MAX = 300, IDLE_LOOK_US = 2000 };
enum {
    WIRE_BYTE_US = 87,
    ACK_AFTER_US = 500,
    EMPTY_US = 6500,
    TAG_US = 9500,
    SECOND_US = 4500,
    COMMAND_US = 300
};

const char *const pn532_emulator_faults[] = {"well",   "silence", "lost",  "garbage", "nack",
                                             "badsum", "short",   "error", "miss",    NULL};

struct emulator_tag {
    struct nfc_tag tag;
    unsigned coil;
    bool selected;  // by the last poll, and not yet forgotten
    bool asleep;    // refused something since it was selected
    uint8_t target; // number in the last list
};
enum { SAID_MAX = 4 };

struct pn532_emulator {
    struct loop *loop;
    struct pn532_emulator_options options;
    char link[200], terminal[64];
    int fd; // master; -1 = vanished
    struct loop_fd *watch;
    struct loop_timer look;
    struct pn532_emulator_seen seen;
    struct emulator_tag tags[EMULATOR_TAGS_MAX];
    unsigned n_tags;
    enum pn532_emulator_fault fault;
    int fault_n, hang_after;
    bool hung;
    uint8_t rx[RX_MAX];
    size_t n_rx;
    // The answer on its way, and the last one for a NACK.
    struct loop_timer answer;
    uint8_t code;
    bool answering, badsum, cut;
    bool missing;
    uint8_t last[OUT_MAX];
    size_t n_last;
    uint8_t data[OUT_MAX]; // of the command that is being answered
    size_t n_data;
    // On a bus: frames that wait to be read.
    struct {
        uint8_t bytes[OUT_MAX];
        size_t n;
    } said[SAID_MAX];
    unsigned n_said;
    unsigned (*coil)(void *ctx);
    void *coil_ctx;
    unsigned at; // where tags are added
    struct emulator_tag *active;
};

static void put(struct pn532_emulator *chip, const uint8_t *bytes, size_t n) {
    if (chip->options.bus && chip->n_said < SAID_MAX) {
        memcpy(chip->said[chip->n_said].bytes, bytes, n);
        chip->said[chip->n_said++].n = n;
    }
    if (chip->fd >= 0)
        (void)!write(chip->fd, bytes, n);
}

// payload: TFI first.
static size_t wrap(const uint8_t *payload, size_t n, uint8_t *out) {
    uint8_t sum = 0;
    size_t at = 0;
    out[at++] = 0x00;
    out[at++] = 0x00;
    out[at++] = 0xFF;
    out[at++] = (uint8_t)n;
    out[at++] = (uint8_t)(0x100 - n);
    for (size_t i = 0; i < n; i++) {
        out[at++] = payload[i];
        sum = (uint8_t)(sum + payload[i]);
    }
    out[at++] = (uint8_t)(0x100 - sum);
    out[at++] = 0x00;
    return at;
}

static unsigned connected(const struct pn532_emulator *chip) {
    return chip->coil ? chip->coil(chip->coil_ctx) : 0;
}

static unsigned heard_tags(const struct pn532_emulator *chip) {
    unsigned n = 0;
    for (unsigned i = 0; i < chip->n_tags; i++)
        n += chip->tags[i].coil == connected(chip);
    return n;
}

static size_t list_targets(struct pn532_emulator *chip, uint8_t max, uint8_t *payload) {
    size_t n = 3;
    payload[2] = 0;
    chip->active = NULL;
    for (unsigned i = 0; i < chip->n_tags && payload[2] < max && !chip->missing; i++) {
        struct emulator_tag *tag = &chip->tags[i];
        tag->target = 0;
        if (tag->coil != connected(chip)) {
            tag->selected = false;
            continue;
        }
        if (tag->selected && chip->seen.retries[2] == 0) { // answers every second request
            tag->selected = false;
            continue;
        }
        tag->selected = true;
        tag->asleep = false;
        tag->target = payload[n++] = ++payload[2];
        payload[n++] = 0x00;
        payload[n++] = tag->tag.len == 4 ? 0x04 : tag->tag.len == 7 ? 0x44 : 0x84;
        payload[n++] = nfc_tag_sak(&tag->tag);
        payload[n++] = tag->tag.len;
        memcpy(payload + n, tag->tag.id, tag->tag.len);
        n += tag->tag.len;
    }
    return n;
}

static struct emulator_tag *target(struct pn532_emulator *chip, uint8_t number) {
    for (unsigned i = 0; i < chip->n_tags; i++)
        if (chip->tags[i].target == number && chip->tags[i].coil == connected(chip))
            return &chip->tags[i];
    return NULL;
}

// InDeselect, InSelect and InCommunicateThru: a status, then what the tag said.
static size_t talk_to_tag(struct pn532_emulator *chip, uint8_t *payload) {
    enum { WELL = 0x00, TIMEOUT = 0x01, CRC = 0x02 };
    payload[2] = WELL;
    if (chip->code != 0x42) {
        struct emulator_tag *tag = chip->n_data ? target(chip, chip->data[0]) : NULL;
        if (chip->n_data && chip->data[0] == 0 && chip->code != 0x54)
            payload[2] = WELL; // all of them
        else if (!tag)
            payload[2] = TIMEOUT;
        else if (chip->code == 0x54)
            tag->asleep = tag->asleep && chip->active == tag; // selected already: the chip does nothing
        chip->active = chip->code == 0x54 ? tag : NULL;
        return 3;
    }
    struct emulator_tag *tag = chip->active;
    bool here = tag && tag < chip->tags + chip->n_tags && tag->target && tag->coil == connected(chip) &&
                !tag->asleep;
    int len = here ? nfc_tag_answer(&tag->tag, chip->data, chip->n_data, payload + 3) : NFC_TAG_SILENT;
    if (len >= 0)
        return 3 + (size_t)len;
    payload[2] = len == NFC_TAG_REFUSES ? CRC : TIMEOUT;
    if (here)
        tag->asleep = true;
    return 3;
}

static void answer(void *ctx) {
    struct pn532_emulator *chip = ctx;
    uint8_t payload[OUT_MAX / 2] = {0xD5, (uint8_t)(chip->code + 1)};
    size_t n = 2;
    chip->answering = false;
    if (chip->code == 0x02) {
        static const uint8_t rest[] = {0x01, 0x06, 0x07};
        payload[n++] = chip->options.ic ? chip->options.ic : 0x32;
        memcpy(payload + n, rest, sizeof rest);
        n += sizeof rest;
    } else if (chip->code == 0x4A) {
        n = list_targets(chip, 2, payload);
        chip->seen.field = true;
    } else if (chip->code == 0x00 || chip->code == 0x06) { // Diagnose echoes; registers are all zero
        n += chip->code ? chip->n_data / 2 : chip->n_data;
        if (chip->code)
            memset(payload + 2, 0, n - 2);
        else
            memcpy(payload + 2, chip->data, n - 2);
    } else if (chip->code == 0x16 || chip->code == 0x52) { // PowerDown, InRelease: a status
        payload[n++] = 0;
    } else if (chip->code == 0x42 || chip->code == 0x44 || chip->code == 0x54) {
        n = talk_to_tag(chip, payload);
    }
    if (chip->cut)
        n = n > 6 ? n - 3 : 2;
    chip->n_last = wrap(payload, n, chip->last);
    if (!chip->badsum) {
        put(chip, chip->last, chip->n_last);
        return;
    }
    uint8_t bad[OUT_MAX];
    memcpy(bad, chip->last, chip->n_last);
    bad[chip->n_last - 2] ^= 0x5A;
    put(chip, bad, chip->n_last);
}

static int64_t radio_us(const struct pn532_emulator *chip) {
    if (!chip->options.real_timing)
        return 0;
    const int64_t byte = chip->options.bus ? 0 : WIRE_BYTE_US, ack = ACK_AFTER_US + 6 * byte;
    unsigned tags = heard_tags(chip);
    if (chip->code == 0x42)
        return ack + COMMAND_US + (int64_t)(chip->n_data + 2 + NFC_TAG_ANSWER_MAX + 2) * 85 + 45 * byte;
    if (chip->code != 0x4A)
        return ack + COMMAND_US + 9 * byte;
    if (tags == 0)
        return ack + EMPTY_US + 10 * byte;
    return ack + TAG_US + (tags > 1 ? SECOND_US : 0) + (10 + 12 * (int64_t)tags) * byte;
}

static void note_poll(struct pn532_emulator *chip) {
    int64_t now = loop_now_us(chip->loop), gap = now - chip->seen.poll_us;
    if (chip->seen.polls && (chip->seen.shortest_us == 0 || gap < chip->seen.shortest_us))
        chip->seen.shortest_us = gap;
    chip->seen.poll_us = now;
    chip->seen.polls++;
    if (chip->hang_after > 0 && --chip->hang_after == 0)
        chip->hung = true;
}

static void configure(struct pn532_emulator *chip, const uint8_t *data, size_t n) {
    if (n == 4 && data[0] == 0x05)
        memcpy(chip->seen.retries, data + 1, 3);
    if (n == 4 && data[0] == 0x02)
        memcpy(chip->seen.window, data + 1, 3);
    if (n == 2 && data[0] == 0x01) {
        chip->seen.field = data[1] & 1;
        chip->seen.field_offs += !chip->seen.field;
        for (unsigned i = 0; i < chip->n_tags && !chip->seen.field; i++)
            chip->tags[i].selected = false;
    }
}

static enum pn532_emulator_fault take_fault(struct pn532_emulator *chip) {
    enum pn532_emulator_fault fault = chip->fault;
    if (fault != EMULATOR_WELL && chip->fault_n > 0 && --chip->fault_n == 0)
        chip->fault = EMULATOR_WELL;
    return chip->hung ? EMULATOR_SILENCE : fault;
}

static void command(struct pn532_emulator *chip, uint8_t code, const uint8_t *data, size_t n) {
    static const uint8_t ack[] = {0, 0, 0xFF, 0, 0xFF, 0}, nack[] = {0, 0, 0xFF, 0xFF, 0, 0},
                         error[] = {0, 0, 0xFF, 1, 0xFF, 0x7F, 0x81, 0},
                         noise[] = {0x13, 0x37, 0x00, 0xFF, 0x42, 0x99, 0xFE, 0x00, 0x01, 0x55};
    chip->seen.commands++;
    if (code == 0x4A)
        note_poll(chip);
    enum pn532_emulator_fault fault = take_fault(chip);
    if (fault == EMULATOR_SILENCE)
        return;
    if (fault == EMULATOR_GARBAGE) {
        put(chip, noise, sizeof noise);
        return;
    }
    if (fault == EMULATOR_NACK) {
        put(chip, nack, sizeof nack);
        return;
    }
    put(chip, ack, sizeof ack);
    if (fault == EMULATOR_ERROR)
        put(chip, error, sizeof error);
    if (code == 0x14)
        chip->seen.sam = true;
    if (code == 0x32)
        configure(chip, data, n);
    loop_timer_stop(chip->loop, &chip->answer);
    if (fault == EMULATOR_LOST || fault == EMULATOR_ERROR)
        return;
    chip->code = code;
    chip->badsum = fault == EMULATOR_BADSUM;
    chip->cut = fault == EMULATOR_SHORT;
    chip->missing = fault == EMULATOR_MISS;
    chip->n_data = n < sizeof chip->data ? n : sizeof chip->data;
    memcpy(chip->data, data, chip->n_data);
    chip->answering = true;
    int64_t after = radio_us(chip);
    if (after == 0)
        answer(chip);
    else
        loop_timer_start(chip->loop, &chip->answer, loop_now_us(chip->loop) + after, answer, chip);
}

// Returns how many bytes of rx are done with; 0 = wait for more.
static size_t take_one(struct pn532_emulator *chip) {
    const uint8_t *rx = chip->rx;
    size_t n = chip->n_rx, at = 0;
    while (at + 1 < n && !(rx[at] == 0x00 && rx[at + 1] == 0xFF)) {
        chip->seen.wakes += rx[at] == 0x55 && rx[at + 1] == 0x55;
        at++;
    }
    if (at + 3 >= n)
        return at > n - 1 ? n - 1 : at;
    if (rx[at + 2] == 0x00 && rx[at + 3] == 0xFF) { // ACK: stop what you do
        chip->seen.acks++;
        loop_timer_stop(chip->loop, &chip->answer);
        chip->answering = false;
        chip->n_said = 0;
        return at + 4;
    }
    if (rx[at + 2] == 0xFF && rx[at + 3] == 0x00) { // NACK: say it again
        chip->seen.nacks++;
        put(chip, chip->last, chip->n_last);
        return at + 4;
    }
    size_t len = rx[at + 2];
    if ((uint8_t)(rx[at + 2] + rx[at + 3]) != 0 || len < 2) {
        chip->seen.bad_frames++;
        return at + 2;
    }
    if (n - at < len + 5)
        return at;
    uint8_t sum = 0;
    for (size_t i = 0; i <= len; i++)
        sum = (uint8_t)(sum + rx[at + 4 + i]);
    if (sum != 0 || rx[at + 4] != 0xD4)
        chip->seen.bad_frames++;
    else
        command(chip, rx[at + 5], rx + at + 6, len - 2);
    return at + len + 5;
}

static void take_bytes(struct pn532_emulator *chip) {
    for (;;) {
        size_t used = chip->n_rx ? take_one(chip) : 0;
        size_t left = chip->n_rx - used;
        bool more = used > 0 && left > 0;
        memmove(chip->rx, chip->rx + used, left);
        chip->n_rx = left;
        if (!more)
            return;
    }
}

static void watch(struct pn532_emulator *chip);

// Nobody has the terminal open: it would be "ready" without end.
static void look(void *ctx) {
    struct pn532_emulator *chip = ctx;
    struct pollfd p = {.fd = chip->fd, .events = POLLIN};
    if (poll(&p, 1, 0) >= 0 && !(p.revents & POLLHUP))
        watch(chip);
    else
        loop_timer_start(chip->loop, &chip->look, loop_now_us(chip->loop) + IDLE_LOOK_US, look, chip);
}

static void ready(void *ctx, uint32_t revents) {
    struct pn532_emulator *chip = ctx;
    (void)revents;
    if (chip->n_rx == sizeof chip->rx)
        chip->n_rx = 0;
    ssize_t n = read(chip->fd, chip->rx + chip->n_rx, sizeof chip->rx - chip->n_rx);
    if (n > 0) {
        chip->n_rx += (size_t)n;
        take_bytes(chip);
    } else if (n == 0 || errno != EAGAIN) {
        loop_fd_remove(chip->watch);
        chip->watch = NULL;
        chip->n_rx = 0;
        loop_timer_start(chip->loop, &chip->look, loop_now_us(chip->loop) + IDLE_LOOK_US, look, chip);
    }
}

static void watch(struct pn532_emulator *chip) {
    struct error err;
    if (loop_fd_add(chip->loop, chip->fd, EPOLLIN, ready, chip, &chip->watch, &err) != ERROR_OK)
        fprintf(stderr, "pn532-emulator: %s\n", err.text);
}

static enum error_code relink(struct pn532_emulator *chip, struct error *err) {
    char temporary[sizeof chip->link + 4];
    if (!chip->link[0])
        return ERROR_OK;
    snprintf(temporary, sizeof temporary, "%s~", chip->link);
    unlink(temporary);
    if (symlink(chip->terminal, temporary) < 0 || rename(temporary, chip->link) < 0)
        return error_set(err, ERROR_INVALID, chip->link, "no link: %s", strerror(errno));
    return ERROR_OK;
}

enum error_code pn532_emulator_return(struct pn532_emulator *chip, struct error *err) {
    if (chip->fd >= 0)
        return ERROR_OK;
    chip->fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (chip->fd < 0 || grantpt(chip->fd) < 0 || unlockpt(chip->fd) < 0 ||
        ptsname_r(chip->fd, chip->terminal, sizeof chip->terminal) != 0)
        return error_set(err, ERROR_INVALID, NULL, "no pseudo-terminal: %s", strerror(errno));
    pn532_emulator_reset(chip);
    look(chip);
    return relink(chip, err);
}

void pn532_emulator_vanish(struct pn532_emulator *chip) {
    loop_timer_stop(chip->loop, &chip->look);
    loop_timer_stop(chip->loop, &chip->answer);
    loop_fd_remove(chip->watch);
    chip->watch = NULL;
    if (chip->fd >= 0)
        close(chip->fd);
    chip->fd = -1;
    chip->n_rx = 0;
    if (chip->link[0])
        unlink(chip->link);
}

enum error_code pn532_emulator_create(struct loop *loop, const struct pn532_emulator_options *options,
                                      struct pn532_emulator **ret, struct error *err) {
    struct pn532_emulator *chip = calloc(1, sizeof *chip);
    *ret = NULL;
    if (!chip)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    chip->loop = loop;
    chip->fd = -1;
    if (options)
        chip->options = *options;
    if (chip->options.bus) {
        pn532_emulator_reset(chip);
        *ret = chip;
        return ERROR_OK;
    }
    snprintf(chip->link, sizeof chip->link, "%s", chip->options.link ? chip->options.link : "");
    enum error_code code = pn532_emulator_return(chip, err);
    if (code != ERROR_OK) {
        pn532_emulator_destroy(chip);
        return code;
    }
    *ret = chip;
    return ERROR_OK;
}

void pn532_emulator_destroy(struct pn532_emulator *chip) {
    if (!chip)
        return;
    pn532_emulator_vanish(chip);
    free(chip);
}

const char *pn532_emulator_path(const struct pn532_emulator *chip) {
    return chip->link[0] ? chip->link : chip->terminal;
}

const struct pn532_emulator_seen *pn532_emulator_seen(const struct pn532_emulator *chip) {
    return &chip->seen;
}

static unsigned find_tag(const struct pn532_emulator *chip, const uint8_t *id, size_t len) {
    unsigned i = 0;
    while (i < chip->n_tags && (chip->tags[i].tag.len != len || memcmp(chip->tags[i].tag.id, id, len) != 0))
        i++;
    return i;
}

bool pn532_emulator_add(struct pn532_emulator *chip, const uint8_t *id, size_t len) {
    if (chip->n_tags == EMULATOR_TAGS_MAX || (len != 4 && len != 7 && len != 10))
        return false;
    struct emulator_tag *tag = &chip->tags[chip->n_tags++];
    *tag = (struct emulator_tag){.coil = chip->at};
    nfc_tag_init(&tag->tag, id, len);
    return true;
}

struct nfc_tag *pn532_emulator_tag(struct pn532_emulator *chip, unsigned i) {
    return i < chip->n_tags ? &chip->tags[i].tag : NULL;
}

void pn532_emulator_coils(struct pn532_emulator *chip, unsigned (*coil)(void *ctx), void *ctx) {
    chip->coil = coil;
    chip->coil_ctx = ctx;
}

void pn532_emulator_at(struct pn532_emulator *chip, unsigned coil) {
    chip->at = coil;
}

bool pn532_emulator_remove(struct pn532_emulator *chip, const uint8_t *id, size_t len) {
    unsigned i = find_tag(chip, id, len);
    if (i == chip->n_tags)
        return false;
    chip->tags[i] = chip->tags[--chip->n_tags];
    chip->active = NULL;
    return true;
}

void pn532_emulator_clear(struct pn532_emulator *chip) {
    chip->active = NULL;
    chip->n_tags = 0;
}

bool pn532_emulator_place(struct pn532_emulator *chip, const char *hex) {
    uint8_t id[EMULATOR_ID_MAX];
    size_t len = strlen(hex) / 2;
    if (strlen(hex) % 2 || len > sizeof id)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return false;
        id[i] = (uint8_t)byte;
    }
    pn532_emulator_clear(chip);
    return pn532_emulator_add(chip, id, len);
}

void pn532_emulator_fault(struct pn532_emulator *chip, enum pn532_emulator_fault fault, int n) {
    chip->fault = n == 0 ? EMULATOR_WELL : fault;
    chip->fault_n = n;
}

void pn532_emulator_hang_after(struct pn532_emulator *chip, int polls) {
    chip->hang_after = polls;
}

void pn532_emulator_reset(struct pn532_emulator *chip) {
    static const uint8_t retries[] = {0xFF, 0x01, 0xFF}, window[] = {0x00, 0x0B, 0x0A};
    memcpy(chip->seen.retries, retries, 3);
    memcpy(chip->seen.window, window, 3);
    chip->seen.field = chip->seen.sam = chip->hung = false;
    chip->fault = EMULATOR_WELL;
    chip->hang_after = 0;
}

// ---- on a bus

static void take(struct pn532_emulator *chip, const uint8_t *bytes, size_t n) {
    if (chip->n_rx + n > sizeof chip->rx)
        chip->n_rx = 0;
    memcpy(chip->rx + chip->n_rx, bytes, n);
    chip->n_rx += n;
    take_bytes(chip);
}

// The frame that has waited longest; what is read beyond it is nothing.
static void give(struct pn532_emulator *chip, uint8_t *bytes, size_t n) {
    memset(bytes, 0, n);
    if (chip->n_said == 0)
        return;
    memcpy(bytes, chip->said[0].bytes, n < chip->said[0].n ? n : chip->said[0].n);
    memmove(chip->said, chip->said + 1, --chip->n_said * sizeof chip->said[0]);
}

static bool i2c_write(void *ctx, const uint8_t *bytes, size_t n) {
    take(ctx, bytes, n);
    return true;
}

static bool i2c_read(void *ctx, uint8_t *bytes, size_t n) {
    struct pn532_emulator *chip = ctx;
    chip->seen.looks++;
    bytes[0] = chip->n_said > 0;
    if (n > 1)
        give(chip, bytes + 1, n - 1);
    return true;
}

struct fake_i2c pn532_emulator_i2c(struct pn532_emulator *chip, const char *behind) {
    return (struct fake_i2c){.write = i2c_write, .read = i2c_read, .ctx = chip, .behind = behind};
}

// The first bit is the lowest.
static uint8_t mirrored(uint8_t byte) {
    uint8_t ret = 0;
    for (unsigned i = 0; i < 8; i++)
        ret = (uint8_t)(ret | (byte >> i & 1) << (7 - i));
    return ret;
}

static void spi_transfer(void *ctx, const uint8_t *tx, uint8_t *rx, size_t n) {
    struct pn532_emulator *chip = ctx;
    uint8_t bytes[OUT_MAX] = {0};
    size_t len = n ? n - 1 : 0;
    len = len < sizeof bytes ? len : sizeof bytes;
    memset(rx, 0, n);
    switch (n ? mirrored(tx[0]) : 0) {
    case 0x01:
        for (size_t i = 0; i < len; i++)
            bytes[i] = mirrored(tx[1 + i]);
        take(chip, bytes, len);
        break;
    case 0x02:
        chip->seen.looks++;
        if (len)
            rx[1] = mirrored(chip->n_said > 0);
        break;
    case 0x03:
        give(chip, bytes, len);
        for (size_t i = 0; i < len; i++)
            rx[1 + i] = mirrored(bytes[i]);
        break;
    default:
        break;
    }
}

struct fake_spi pn532_emulator_spi(struct pn532_emulator *chip) {
    return (struct fake_spi){.transfer = spi_transfer, .ctx = chip};
}
