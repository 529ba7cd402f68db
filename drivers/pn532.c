// A PN532 on a serial line (HSU). One chip is one antenna; several chips are several readers.
//
// The chip is asked, never waited for: a command goes out, its ACK and its reply come in on the loop, a timer
// ends what takes too long. closed -> SAM -> version -> retries -> window -> poll -> poll ... and, after a
// removal, field -> poll. Three polls that fail bring it through SAM again; if that fails too, the port is
// closed, the reset hook runs, and it is opened anew, later and later.
#include "drivers/driver.h"
#include "drivers/pn532_frame.h"
#include "drivers/pn532_reset.h"
#include "drivers/serial.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { ANTENNA = 0, FAILURES_MAX = 3, SOFT_RESETS_MAX = 2, RETRIES_MAX = 1, NACKS_MAX = 2 };
enum {
    POLL_MIN_US = 10000,  // the firmware dislikes polls closer than that (perf-goals 6)
    FIELD_REST_US = 5000, // tags forget that they were selected
    BACKOFF_MIN_US = 20000,
    BACKOFF_MAX_US = 2000000,
    REPLY_BYTES = 64, // on the wire, for the time they take
};
enum { IC_PN532 = 0x32 };

enum step { STEP_SAM, STEP_VERSION, STEP_RETRIES, STEP_WINDOW, STEP_POLL, STEP_FIELD, STEPS };

struct command {
    uint8_t code, n, data[4];
};
static const struct command commands[STEPS] = {
    [STEP_SAM] = {0x14, 3, {0x01, 0x00, 0x01}}, // normal mode: no SAM
    [STEP_VERSION] = {0x02, 0, {0}},
    // MxRtyPassiveActivation 1 = two tries: a tag left selected by the poll before answers only the second.
    [STEP_RETRIES] = {0x32, 4, {0x05, 0xFF, 0x01, 0x01}},
    // A short window for what does not answer: 6.4 ms in place of 51.2.
    [STEP_WINDOW] = {0x32, 4, {0x02, 0x00, 0x0B, 0x07}},
    [STEP_POLL] = {0x4A, 2, {PN532_TARGETS_MAX, 0x00}}, // type A, 106 kbps
    [STEP_FIELD] = {0x32, 2, {0x01, 0x00}},             // off; the next poll switches it on
};
// What a chip does after power-up, and the field off (B041).
static const struct command defaults[] = {
    {0x32, 4, {0x05, 0xFF, 0x01, 0xFF}},
    {0x32, 4, {0x02, 0x00, 0x0B, 0x0A}},
    {0x32, 2, {0x01, 0x00}},
};
// Zeros are preamble, so they may stand between frames; they give the chip the time to finish one.
static const uint8_t wake[] = {0x55, 0x55, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
enum { PAUSE_BYTES = 24, SEND_MAX = 4 * (32 + PAUSE_BYTES) };

struct pn532 {
    int fd; // -1 = closed
    struct loop_fd *watch;
    struct loop_timer timer; // deadline of a command, next poll, or next opening
    struct pn532_reset reset;
    const char *port, *hook;
    int baud;
    int64_t poll_us, ack_us, reply_us, backoff_us;

    enum step step;
    bool waiting, acked; // for a reply; the command was acknowledged
    bool again, reporting;
    bool heard, framed, known; // since the opening: any byte, any frame, a PN532
    unsigned retries, nacks, failures, soft_resets;
    unsigned n_targets; // of the last good poll
    int64_t polled_us;  // when the last poll was sent
    size_t n_rx;
    uint8_t rx[PN532_FRAME_MAX + 64];
};

static void send_command(struct reader *reader, bool retry);
static void attempt(void *ctx);

static void start_timer(struct reader *reader, int64_t due_us, void (*fn)(void *)) {
    struct pn532 *chip = reader->priv;
    loop_timer_start(reader->loop, &chip->timer, due_us, fn, reader);
}

static void go(struct reader *reader, enum step step) {
    struct pn532 *chip = reader->priv;
    chip->step = step;
    chip->retries = chip->nacks = 0;
    send_command(reader, false);
}

static void drop(struct pn532 *chip) {
    loop_fd_remove(chip->watch);
    chip->watch = NULL;
    serial_close(chip->fd);
    chip->fd = -1;
    chip->waiting = false;
    chip->n_rx = 0;
    chip->n_targets = 0;
}

static void reopen_later(void *ctx) {
    struct reader *reader = ctx;
    struct pn532 *chip = reader->priv;
    start_timer(reader, loop_now_us(reader->loop) + chip->backoff_us, attempt);
    chip->backoff_us = chip->backoff_us * 2 > BACKOFF_MAX_US ? BACKOFF_MAX_US : chip->backoff_us * 2;
}

// Closed and down; nothing is removed by that (B010). Comes back by itself (B024, B036).
static void lost(struct reader *reader, const char *why) {
    struct pn532 *chip = reader->priv;
    loop_timer_stop(reader->loop, &chip->timer);
    drop(chip);
    reader_health(reader, false, why);
    reopen_later(reader);
}

// The port is there but the chip does not do: the owner's hook may reset it.
static void hard_reset(struct reader *reader, const char *why) {
    struct pn532 *chip = reader->priv;
    if (!chip->hook) {
        lost(reader, why);
        return;
    }
    loop_timer_stop(reader->loop, &chip->timer);
    drop(chip);
    reader_health(reader, false, why);
    pn532_reset_run(&chip->reset, reader->loop, chip->hook, reader->name, chip->port, reopen_later, reader);
}

static const char *init_trouble(const struct pn532 *chip) {
    if (!chip->heard)
        return "no answer: is the reader powered, set to HSU (both switches off), TX and RX crossed?";
    if (!chip->framed)
        return "this is not a PN532: what comes from the port is another protocol; exchanged cables, or the "
               "wrong baud rate?";
    return "the PN532 answers and falls silent: check its supply and cable";
}

static void next_poll(struct reader *reader);

static void report(struct reader *reader, enum driver_outcome outcome) {
    struct pn532 *chip = reader->priv;
    chip->reporting = true; // the host may ask for `again` now
    reader_scan_done(reader, ANTENNA, outcome);
    chip->reporting = false;
}

// Three in a row: through the beginning again, quietly; if that does not help, a hard reset.
static void poll_failed(struct reader *reader) {
    struct pn532 *chip = reader->priv;
    if (++chip->failures < FAILURES_MAX) {
        next_poll(reader);
        return;
    }
    chip->failures = 0;
    if (++chip->soft_resets > SOFT_RESETS_MAX)
        hard_reset(reader, "the PN532 stopped answering: check its supply and cable");
    else
        go(reader, STEP_SAM);
}

// The command will not be answered well any more.
static void command_failed(struct reader *reader) {
    struct pn532 *chip = reader->priv;
    chip->waiting = false;
    if (chip->step < STEP_POLL) {
        hard_reset(reader, init_trouble(chip));
        return;
    }
    if (chip->step == STEP_POLL)
        report(reader, DRIVER_FAILED);
    poll_failed(reader);
}

static void deadline(void *ctx) {
    struct reader *reader = ctx;
    struct pn532 *chip = reader->priv;
    reader_fault(reader, DRIVER_FAULT_TIMEOUT);
    if (chip->retries++ < RETRIES_MAX)
        send_command(reader, true);
    else
        command_failed(reader);
}

// 10 bits a byte.
static int64_t wire_us(const struct pn532 *chip, size_t bytes) {
    return (int64_t)bytes * 10000000 / chip->baud;
}

static bool put(struct reader *reader, const uint8_t *bytes, size_t n) {
    struct pn532 *chip = reader->priv;
    if (write(chip->fd, bytes, n) == (ssize_t)n)
        return true;
    reader_fault(reader, DRIVER_FAULT_IO);
    lost(reader, "the port does not take bytes any more: plug the reader in again");
    return false;
}

static size_t add_bytes(uint8_t *buf, size_t at, const void *bytes, size_t n) {
    memcpy(buf + at, bytes, n);
    return at + n;
}

// A retry, and the first command after somebody else's, is preceded by an ACK: it ends what the chip may
// still do.
static void send_command(struct reader *reader, bool retry) {
    struct pn532 *chip = reader->priv;
    const struct command *command = &commands[chip->step];
    uint8_t buf[SEND_MAX];
    size_t n = 0;
    if (chip->step == STEP_SAM)
        n = add_bytes(buf, n, wake, sizeof wake);
    if (retry || chip->step == STEP_SAM)
        n = add_bytes(buf, n, pn532_ack, sizeof pn532_ack);
    n += pn532_frame_encode(command->code, command->data, command->n, buf + n, sizeof buf - n);
    chip->waiting = true;
    chip->acked = false;
    chip->n_rx = 0;
    int64_t now = loop_now_us(reader->loop);
    if (chip->step == STEP_POLL)
        chip->polled_us = now;
    start_timer(reader, now + chip->ack_us + wire_us(chip, n + sizeof pn532_ack), deadline);
    put(reader, buf, n);
}

static void poll_now(void *ctx) {
    go(ctx, STEP_POLL);
}

static void next_poll(struct reader *reader) {
    struct pn532 *chip = reader->priv;
    int64_t now = loop_now_us(reader->loop), due = chip->polled_us + chip->poll_us;
    if (chip->again)
        due = chip->polled_us + POLL_MIN_US;
    if (chip->step == STEP_FIELD && due < now + FIELD_REST_US)
        due = now + FIELD_REST_US;
    chip->again = false;
    start_timer(reader, due, poll_now);
}

static void version_done(struct reader *reader, const uint8_t *data, size_t n) {
    char why[80];
    if (n >= 4 && data[0] == IC_PN532) {
        ((struct pn532 *)reader->priv)->known = true;
        go(reader, STEP_RETRIES);
        return;
    }
    reader_fault(reader, DRIVER_FAULT_FRAME);
    snprintf(why, sizeof why, "this is not a PN532: it calls itself chip %02X", n ? data[0] : 0u);
    lost(reader, why);
}

// A removal, and its twin: a tag that the chip still holds selected. Without field it forgets.
static void poll_done(struct reader *reader, const uint8_t *data, size_t n) {
    struct pn532 *chip = reader->priv;
    struct pn532_list list;
    if (!pn532_list_parse(data, n, &list)) {
        reader_fault(reader, DRIVER_FAULT_FRAME);
        command_failed(reader);
        return;
    }
    bool fewer = list.n < chip->n_targets;
    chip->n_targets = list.n;
    chip->failures = chip->soft_resets = 0;
    chip->backoff_us = BACKOFF_MIN_US;
    for (unsigned i = 0; i < list.n; i++)
        reader_seen(reader, ANTENNA, list.target[i].id, list.target[i].len);
    report(reader, list.n ? DRIVER_SEEN : DRIVER_NONE);
    if (fewer)
        go(reader, STEP_FIELD);
    else
        next_poll(reader);
}

static void command_done(struct reader *reader, const uint8_t *data, size_t n) {
    struct pn532 *chip = reader->priv;
    chip->waiting = false;
    switch (chip->step) {
    case STEP_SAM:
        go(reader, STEP_VERSION);
        break;
    case STEP_VERSION:
        version_done(reader, data, n);
        break;
    case STEP_RETRIES:
        go(reader, STEP_WINDOW);
        break;
    case STEP_WINDOW:
        reader_health(reader, true, "PN532 ready");
        go(reader, STEP_POLL);
        break;
    case STEP_POLL:
        poll_done(reader, data, n);
        break;
    default:
        next_poll(reader);
        break;
    }
}

// The reply came broken: the chip still has it and sends it again.
static void ask_again(struct reader *reader, enum driver_fault fault) {
    struct pn532 *chip = reader->priv;
    reader_fault(reader, fault);
    if (!chip->waiting || !chip->acked || chip->nacks++ >= NACKS_MAX)
        return; // the deadline decides
    if (put(reader, pn532_nack, sizeof pn532_nack))
        start_timer(reader, loop_now_us(reader->loop) + chip->reply_us, deadline);
}

static void take_reply(struct reader *reader, const struct pn532_frame *frame) {
    struct pn532 *chip = reader->priv;
    if (!chip->waiting || frame->len == 0 || frame->data[0] != commands[chip->step].code + 1) {
        reader_fault(reader, DRIVER_FAULT_FRAME); // an answer that nobody waits for any more
        return;
    }
    command_done(reader, frame->data + 1, frame->len - 1);
}

static void take_frame(struct reader *reader, const struct pn532_frame *frame) {
    struct pn532 *chip = reader->priv;
    switch (frame->type) {
    case PN532_ACK:
        if (chip->waiting && !chip->acked)
            start_timer(reader, loop_now_us(reader->loop) + chip->reply_us, deadline);
        chip->acked = true;
        break;
    case PN532_NACK:
        reader_fault(reader, DRIVER_FAULT_CHECKSUM);
        if (chip->waiting && chip->nacks++ < NACKS_MAX)
            send_command(reader, false);
        break;
    case PN532_REPLY:
        take_reply(reader, frame);
        break;
    case PN532_ERROR:
        reader_fault(reader, DRIVER_FAULT_STATUS);
        if (chip->waiting)
            command_failed(reader);
        break;
    case PN532_BAD_SUM:
        ask_again(reader, DRIVER_FAULT_CHECKSUM);
        break;
    default:
        ask_again(reader, DRIVER_FAULT_FRAME);
        break;
    }
}

// Frames are taken one by one; each may end the command, the port, or both, and whoever sends a command drops
// what came before it (n_rx = 0). A frame's data stay where they are until it is done with.
static void take_bytes(struct reader *reader) {
    struct pn532 *chip = reader->priv;
    bool garbage = false, more = true;
    while (more && chip->n_rx) {
        struct pn532_frame frame;
        pn532_frame_decode(chip->rx, chip->n_rx, &frame);
        garbage |= frame.garbage > 0;
        chip->framed |= frame.type >= PN532_ACK && frame.type <= PN532_ERROR;
        chip->n_rx -= frame.used;
        more = frame.type != PN532_MORE;
        if (more)
            take_frame(reader, &frame);
        memmove(chip->rx, chip->rx + frame.used, chip->n_rx);
    }
    if (garbage)
        reader_fault(reader, DRIVER_FAULT_FRAME);
}

static void ready(void *ctx, uint32_t revents) {
    struct reader *reader = ctx;
    struct pn532 *chip = reader->priv;
    // There is room: the buffer is longer than any frame that is still incomplete.
    ssize_t n = read(chip->fd, chip->rx + chip->n_rx, sizeof chip->rx - chip->n_rx);
    if (n > 0) {
        chip->heard = true;
        chip->n_rx += (size_t)n;
        take_bytes(reader);
        return;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR) && !(revents & (EPOLLHUP | EPOLLERR)))
        return;
    reader_fault(reader, DRIVER_FAULT_IO);
    lost(reader, "the reader is gone: unplugged, or its adapter has failed");
}

static void attempt(void *ctx) {
    struct reader *reader = ctx;
    struct pn532 *chip = reader->priv;
    struct error err;
    enum error_code code = serial_open(chip->port, chip->baud, &chip->fd, &err);
    if (code == ERROR_OK)
        code = loop_fd_add(reader->loop, chip->fd, EPOLLIN, ready, reader, &chip->watch, &err);
    if (code != ERROR_OK) {
        reader_fault(reader, DRIVER_FAULT_IO);
        lost(reader, err.text);
        return;
    }
    chip->heard = chip->framed = chip->known = false;
    chip->failures = chip->soft_resets = 0;
    go(reader, STEP_SAM);
}

static void pn532_again(struct reader *reader, uint16_t antenna) {
    struct pn532 *chip = reader->priv;
    (void)antenna;
    if (chip->fd < 0)
        return;
    chip->again = true;
    if (!chip->waiting && !chip->reporting && chip->step >= STEP_POLL)
        next_poll(reader);
}

static enum error_code pn532_open(struct reader *reader, struct error *err) {
    struct pn532 *chip = reader->priv;
    const struct config_section *conf = reader->conf;
    chip->fd = -1;
    chip->port = config_text(conf, "port");
    chip->hook = config_text(conf, "reset");
    chip->baud = (int)config_int(conf, "baud");
    chip->poll_us = config_int(conf, "poll") * 1000;
    chip->ack_us = config_int(conf, "ack") * 1000;
    chip->backoff_us = BACKOFF_MIN_US;
    reader->antennas = 1;
    if (!serial_baud_ok(chip->baud))
        return error_set(err, ERROR_INVALID, config_key_where(conf, "baud"),
                         "the baud rate is 9600 19200 38400 57600 115200 230400 460800 or 921600");
    chip->reply_us = config_int(conf, "reply") * 1000 + wire_us(chip, REPLY_BYTES);
    start_timer(reader, loop_now_us(reader->loop), attempt);
    return ERROR_OK;
}

// Sent and not waited for: the kernel still delivers it, and the loop does not stop for a dead chip.
static void restore_defaults(struct pn532 *chip) {
    static const uint8_t pause[PAUSE_BYTES] = {0};
    uint8_t buf[SEND_MAX];
    size_t n = add_bytes(buf, 0, pn532_ack, sizeof pn532_ack);
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        n = add_bytes(buf, n, pause, sizeof pause);
        n += pn532_frame_encode(defaults[i].code, defaults[i].data, defaults[i].n, buf + n, sizeof buf - n);
    }
    n = add_bytes(buf, n, pause, sizeof pause);
    (void)!write(chip->fd, buf, n);
}

static void pn532_close(struct reader *reader) {
    struct pn532 *chip = reader->priv;
    loop_timer_stop(reader->loop, &chip->timer);
    pn532_reset_stop(&chip->reset);
    if (chip->fd >= 0 && chip->known)
        restore_defaults(chip);
    drop(chip);
}

static const struct config_key params[] = {
    {.name = "port",
     .type = CONFIG_PATH,
     .required = true,
     .help = "serial port, best by its place: /dev/serial/by-path/..."},
    {.name = "baud",
     .type = CONFIG_INT,
     .fallback = "115200",
     .min = 9600,
     .max = 921600,
     .help = "serial speed"},
    {.name = "poll",
     .type = CONFIG_DURATION,
     .fallback = "20ms",
     .min = 10,
     .max = 1000,
     .help = "from one scan to the next"},
    {.name = "ack",
     .type = CONFIG_DURATION,
     .fallback = "20ms",
     .min = 10,
     .max = 1000,
     .help = "longest wait for an acknowledgement; more for adapters that hold bytes back"},
    {.name = "reply",
     .type = CONFIG_DURATION,
     .fallback = "60ms",
     .min = 20,
     .max = 1000,
     .help = "longest wait for an answer"},
    {.name = "reset", .type = CONFIG_PATH, .help = "program that resets a hung chip; gets READER and PORT"},
    {0},
};

const struct driver pn532_driver = {
    .name = "pn532",
    .summary = "PN532 on a serial line (HSU)",
    .params = params,
    .capabilities = DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL,
    .priv_size = sizeof(struct pn532),
    .open = pn532_open,
    .close = pn532_close,
    .again = pn532_again,
};
