// A PN532 on a serial line, I2C or SPI; alone, or with a multiplexer in front of several antennas or several
// chips.
//
// The chip is asked, never waited for: a command goes out, its ACK and its reply come in on the loop, a timer
// ends what takes too long. closed -> SAM -> version -> retries -> window -> poll -> poll ... and, after a
// removal, an inspection, or before another antenna is connected, field -> poll. Three polls that fail bring
// the chip through SAM again; if that fails too, everything is closed, the reset hook runs, and it is opened
// anew, later and later.
#include "drivers/pn532.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_MAX = 3, SOFT_RESETS_MAX = 2, IC_PN532 = 0x32 };
enum {
    POLL_MIN_US = 10000,  // the firmware dislikes polls closer than that (perf-goals 6)
    FIELD_REST_US = 5000, // tags forget that they were selected
    REVIVE_US = 1000000,  // a chip among others that does not answer is tried again
    BACKOFF_MIN_US = 20000,
    BACKOFF_MAX_US = 2000000,
};

static const struct pn532_command commands[] = {
    [STEP_SAM] = {0x14, 3, {0x01, 0x00, 0x01}}, // normal mode: no SAM
    [STEP_VERSION] = {0x02, 0, {0}},
    // MxRtyPassiveActivation 1 = two tries: a tag left selected by the poll before answers only the second.
    [STEP_RETRIES] = {0x32, 4, {0x05, 0xFF, 0x01, 0x01}},
    // A short window for what does not answer: 6.4 ms in place of 51.2.
    [STEP_WINDOW] = {0x32, 4, {0x02, 0x00, 0x0B, 0x07}},
    [STEP_POLL] = {0x4A, 2, {PN532_TARGETS_MAX, 0x00}}, // type A, 106 kbps
    [STEP_FIELD] = {0x32, 2, {0x01, 0x00}},             // off; the next poll switches it on
};
// The field off, and what a chip does after power-up (B041).
static const struct pn532_command defaults[] = {
    {0x32, 2, {0x01, 0x00}},
    {0x32, 4, {0x05, 0xFF, 0x01, 0xFF}},
    {0x32, 4, {0x02, 0x00, 0x0B, 0x0A}},
};
enum { N_DEFAULTS = sizeof defaults / sizeof defaults[0] };

static void attempt(void *ctx);
static void next_poll(struct reader *reader);

static void start_timer(struct reader *reader, int64_t due_us, void (*fn)(void *)) {
    struct pn532 *pn = reader->priv;
    loop_timer_start(reader->loop, &pn->timer, due_us, fn, reader);
}

static void go(struct reader *reader, enum pn532_step step) {
    pn532_say(reader, step, &commands[step]);
}

// ---- gone and back

static void drop(struct pn532 *pn) {
    pn532_wire_close(&pn->wire);
    pn532_mux_close(&pn->mux);
    pn->waiting = false;
    pn->n_rx = 0;
    for (unsigned i = 0; i < pn->n; i++) {
        pn->antenna[i].n_targets = pn->antenna[i].n_asked = 0;
        pn->chip[i].ready = false;
    }
}

static void reopen_later(void *ctx) {
    struct reader *reader = ctx;
    struct pn532 *pn = reader->priv;
    start_timer(reader, loop_now_us(reader->loop) + pn->backoff_us, attempt);
    pn->backoff_us = pn->backoff_us * 2 > BACKOFF_MAX_US ? BACKOFF_MAX_US : pn->backoff_us * 2;
}

// Closed and down; nothing is removed by that (B010). Comes back by itself (B024, B036).
static void close_down(struct reader *reader, const char *why) {
    struct pn532 *pn = reader->priv;
    loop_timer_stop(reader->loop, &pn->timer);
    drop(pn);
    reader_health(reader, false, why);
    reopen_later(reader);
}

static void chip_lost(void *ctx, const char *why) {
    reader_fault(ctx, DRIVER_FAULT_IO);
    close_down(ctx, why);
}

// The port is there but the chip does not do: the owner's hook may reset it.
static void hard_reset(struct reader *reader, const char *why) {
    struct pn532 *pn = reader->priv;
    if (!pn->hook) {
        close_down(reader, why);
        return;
    }
    loop_timer_stop(reader->loop, &pn->timer);
    drop(pn);
    reader_health(reader, false, why);
    pn532_reset_run(&pn->reset, reader->loop, pn->hook, reader->name, pn->wire.path, reopen_later, reader);
}

static const char *init_trouble(const struct pn532 *pn) {
    if (!pn->heard)
        return pn->wire.row->silent;
    if (!pn->framed)
        return "this is not a PN532: what comes from the port is another protocol; exchanged cables, or the "
               "wrong baud rate?";
    return "the PN532 answers and falls silent: check its supply and cable";
}

static void report(struct reader *reader, enum driver_outcome outcome) {
    struct pn532 *pn = reader->priv;
    pn->reporting = true; // the host may ask for `again` and `inspect` now
    reader_scan_done(reader, (uint16_t)pn->at, outcome);
    pn->reporting = false;
}

// One of several chips: its pad learns nothing, the others go on. When none is left, a hard reset.
static void chip_failed(struct reader *reader, const char *why) {
    struct pn532 *pn = reader->priv;
    struct pn532_chip *chip = pn532_chip(pn);
    bool any = false;
    chip->ready = false;
    chip->failures = chip->soft_resets = 0;
    chip->revive_us = loop_now_us(reader->loop) + REVIVE_US;
    for (unsigned i = 0; pn->mux.row->chips && i < pn->n; i++)
        any |= pn->chip[i].ready || pn->chip[i].revive_us == 0; // not tried yet
    if (any)
        next_poll(reader);
    else
        hard_reset(reader, why);
}

// Three in a row: through the beginning again, quietly; if that does not help, a hard reset.
static void poll_failed(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    struct pn532_chip *chip = pn532_chip(pn);
    if (++chip->failures < FAILURES_MAX) {
        next_poll(reader);
        return;
    }
    chip->failures = 0;
    if (++chip->soft_resets > SOFT_RESETS_MAX)
        chip_failed(reader, "the PN532 stopped answering: check its supply and cable");
    else
        go(reader, STEP_SAM);
}

void pn532_command_failed(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    pn->waiting = false;
    pn532_wire_quiet(&pn->wire);
    if (pn->step > STEP_FIELD) {
        pn532_inspect_failed(reader);
        return;
    }
    bool several = pn->mux.row->chips;
    if (pn->step == STEP_POLL || (several && pn->step < STEP_POLL)) {
        if (pn->step < STEP_POLL)
            pn532_here(pn)->polled_us = loop_now_us(reader->loop);
        report(reader, DRIVER_FAILED);
    }
    if (pn->step < STEP_POLL)
        chip_failed(reader, init_trouble(pn));
    else
        poll_failed(reader);
}

// ---- whose turn it is

static void selected(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    go(reader, pn532_chip(pn)->ready ? STEP_POLL : STEP_SAM);
}

static void mux_done(void *ctx, int result) {
    struct reader *reader = ctx;
    struct pn532 *pn = reader->priv;
    if (result == 0) {
        selected(reader);
        return;
    }
    struct error err;
    bus_explain(-result, pn->mux.row->i2c ? pn->mux.path : pn->mux.lines.path, &err);
    chip_lost(reader, err.text);
}

static void turn(void *ctx) {
    struct reader *reader = ctx;
    struct pn532 *pn = reader->priv;
    const struct pn532_chip *chip = pn532_chip(pn);
    int64_t now = loop_now_us(reader->loop);
    pn532_here(pn)->again = false;
    if (!chip->ready && chip->revive_us > now) {
        pn532_here(pn)->polled_us = now;
        report(reader, DRIVER_FAILED);
        next_poll(reader);
    } else if (pn->n > 1) {
        pn532_mux_select(&pn->mux, pn->at);
    } else {
        selected(reader);
    }
}

static int64_t due_of(struct pn532 *pn, unsigned i, int64_t now) {
    const struct pn532_antenna *a = &pn->antenna[i];
    const struct pn532_chip *chip = &pn->chip[pn->mux.row->chips ? i : 0];
    int64_t due = a->polled_us + (a->again ? POLL_MIN_US : pn->poll_us);
    if (due < chip->polled_us + POLL_MIN_US)
        due = chip->polled_us + POLL_MIN_US;
    if (pn->step >= STEP_FIELD && i == pn->at && due < now + FIELD_REST_US)
        due = now + FIELD_REST_US;
    return due;
}

// An antenna that is not sure yet goes before those that are; then the one that has waited longest.
static void next_poll(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    int64_t now = loop_now_us(reader->loop), best = INT64_MAX, best_due = 0;
    unsigned at = pn->at;
    for (unsigned i = 0; i < pn->n; i++) {
        int64_t due = due_of(pn, i, now),
                rank = pn->antenna[i].again && pn->n > 1 ? 0 : pn->antenna[i].polled_us;
        if (rank >= best)
            continue;
        best = rank;
        best_due = due;
        at = i;
    }
    pn->at = at;
    start_timer(reader, best_due, turn);
}

// ---- what came

static void version_done(struct reader *reader, const uint8_t *data, size_t n) {
    struct pn532 *pn = reader->priv;
    char why[80];
    if (n >= 4 && data[0] == IC_PN532) {
        pn532_chip(pn)->known = true;
        go(reader, STEP_RETRIES);
        return;
    }
    reader_fault(reader, DRIVER_FAULT_FRAME);
    snprintf(why, sizeof why, "this is not a PN532: it calls itself chip %02X", n ? data[0] : 0u);
    close_down(reader, why);
}

void pn532_inspected(struct reader *reader) {
    go(reader, STEP_FIELD);
}

// A removal, and its twin: a tag that the chip still holds selected. Without field it forgets.
static void poll_done(struct reader *reader, const uint8_t *data, size_t n) {
    struct pn532 *pn = reader->priv;
    struct pn532_antenna *a = pn532_here(pn);
    struct pn532_chip *chip = pn532_chip(pn);
    struct pn532_list list;
    if (!pn532_list_parse(data, n, &list)) {
        reader_fault(reader, DRIVER_FAULT_FRAME);
        pn532_command_failed(reader);
        return;
    }
    bool fewer = list.n < a->n_targets;
    a->n_targets = list.n;
    chip->failures = chip->soft_resets = 0;
    pn->backoff_us = BACKOFF_MIN_US;
    for (unsigned i = 0; i < list.n; i++)
        reader_seen(reader, (uint16_t)pn->at, list.target[i].id, list.target[i].len);
    report(reader, list.n ? DRIVER_SEEN : DRIVER_NONE);
    if (pn532_inspect_begin(reader, &list))
        return;
    if (fewer || pn->n > 1)
        go(reader, STEP_FIELD);
    else
        next_poll(reader);
}

static void chip_ready(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    pn532_chip(pn)->ready = true;
    reader_health(reader, true, "PN532 ready");
    go(reader, STEP_POLL);
}

void pn532_command_done(struct reader *reader, const uint8_t *data, size_t n) {
    struct pn532 *pn = reader->priv;
    switch (pn->step) {
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
        chip_ready(reader);
        break;
    case STEP_POLL:
        poll_done(reader, data, n);
        break;
    case STEP_FIELD:
        next_poll(reader);
        break;
    default:
        pn532_inspect_done(reader, data, n);
        break;
    }
}

// ---- the driver

static void attempt(void *ctx) {
    struct reader *reader = ctx;
    struct pn532 *pn = reader->priv;
    struct error err;
    enum error_code code = pn532_mux_open(&pn->mux, &err);
    if (code == ERROR_OK)
        code = pn532_wire_open(&pn->wire, &err);
    if (code != ERROR_OK) {
        chip_lost(reader, err.text);
        return;
    }
    pn->heard = pn->framed = false;
    for (unsigned i = 0; i < pn->n; i++) {
        pn->chip[i] = (struct pn532_chip){.polled_us = INT64_MIN / 2};
        pn->antenna[i].polled_us = INT64_MIN / 2 + (int64_t)i;
        pn->antenna[i].again = false;
    }
    pn->at = 0;
    pn->step = STEP_SAM;
    turn(reader);
}

static void pn532_again(struct reader *reader, uint16_t antenna) {
    struct pn532 *pn = reader->priv;
    if (!pn532_wire_is_open(&pn->wire) || antenna >= pn->n)
        return;
    pn->antenna[antenna].again = true;
    if (!pn->reporting && loop_timer_running(&pn->timer) && pn->timer.fn == turn)
        next_poll(reader);
}

static void pn532_inspect(struct reader *reader, uint16_t antenna, bool on) {
    struct pn532 *pn = reader->priv;
    if (antenna >= pn->n)
        return;
    if (on && !pn->antenna[antenna].inspect)
        pn->antenna[antenna].n_asked = 0;
    pn->antenna[antenna].inspect = on;
}

static enum error_code pn532_open(struct reader *reader, struct error *err) {
    struct pn532 *pn = reader->priv;
    struct driver_needs needs = {0};
    pn->wire.fd = pn->mux.fd = pn->mux.i2c.fd = pn->wire.i2c.fd = -1;
    if (pn532_read_config(reader->conf, pn, &needs, err) != ERROR_OK) {
        pn->wire.row = NULL;
        return err->code;
    }
    struct pn532_wire *wire = &pn->wire;
    wire->loop = pn->mux.loop = reader->loop;
    wire->ctx = pn->mux.ctx = reader;
    wire->took = pn532_took;
    wire->lost = chip_lost;
    wire->failed = pn532_wire_failed;
    pn->mux.done = mux_done;
    pn->backoff_us = BACKOFF_MIN_US;
    reader->antennas = (uint16_t)pn->n;
    start_timer(reader, loop_now_us(reader->loop), attempt);
    return ERROR_OK;
}

static enum error_code pn532_check(const struct config_section *conf, struct driver_needs *ret,
                                   struct error *err) {
    struct pn532 *pn = calloc(1, sizeof *pn);
    if (!pn)
        return error_set(err, ERROR_INTERNAL, config_where(conf), "out of memory");
    enum error_code code = pn532_read_config(conf, pn, ret, err);
    free(pn);
    return code;
}

// Sent and not waited for: the kernel still delivers it, and the loop does not stop for a dead chip.
static void restore_defaults(struct pn532 *pn) {
    uint8_t frame[N_DEFAULTS][PN532_WIRE_WRITE];
    const uint8_t *frames[1 + N_DEFAULTS] = {pn532_ack};
    size_t lengths[1 + N_DEFAULTS] = {sizeof pn532_ack};
    for (size_t i = 0; i < N_DEFAULTS; i++) {
        frames[1 + i] = frame[i];
        lengths[1 + i] =
            pn532_frame_encode(defaults[i].code, defaults[i].data, defaults[i].n, frame[i], sizeof frame[i]);
    }
    pn532_wire_farewell(&pn->wire, frames, lengths, 1 + N_DEFAULTS);
}

static void pn532_close(struct reader *reader) {
    struct pn532 *pn = reader->priv;
    loop_timer_stop(reader->loop, &pn->timer);
    pn532_reset_stop(&pn->reset);
    if (!pn->wire.row)
        return;
    if (pn532_wire_is_open(&pn->wire) && pn532_chip(pn)->known)
        restore_defaults(pn);
    drop(pn);
}

const struct driver pn532_driver = {
    .name = "pn532",
    .summary = "PN532 on a serial line (HSU), I2C or SPI, with one antenna or a multiplexer",
    .params = pn532_params,
    .capabilities = DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL | DRIVER_READS_MEMORY | DRIVER_CHECKS_SIGNATURE,
    .priv_size = sizeof(struct pn532),
    .check = pn532_check,
    .open = pn532_open,
    .close = pn532_close,
    .again = pn532_again,
    .inspect = pn532_inspect,
};
