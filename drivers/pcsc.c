// A reader behind pcscd. Each has a thread and a connection of its own, so one that is stuck delays nobody. A
// look waits for a change for `poll` and tells the level again when there was none.
#include "core/worker.h"
#include "drivers/driver.h"
#include "drivers/pcsc_scan.h"
#include "drivers/usb_port.h"
#include <stdio.h>
#include <string.h>

enum {
    ANTENNA = 0,
    STUCK_US = 4000000,
    AGAIN_MS = 5,
    SEARCH_MS = 1000,
    BACKOFF_MIN_US = 20000,
    BACKOFF_MAX_US = 2000000
};

struct pcsc {
    struct worker_job job; // first member
    struct pcsc_scan scan;
    struct reader *reader;
    struct worker *worker;
    struct loop_timer stuck, next;
    int64_t backoff_us;
    unsigned poll_ms;
    bool again, closing;
};

static void look(void *ctx);

static void on_stuck(void *ctx) {
    struct reader *reader = ctx;
    struct pcsc *p = reader->priv;
    reader_fault(reader, DRIVER_FAULT_TIMEOUT);
    reader_health(reader, false, "the reader is stuck: pull it out and plug it in again; others go on");
    pcsc_scan_cancel(&p->scan);
}

static void run(struct worker_job *job) {
    pcsc_scan(&((struct pcsc *)job)->scan);
}

static void tell(struct reader *reader, const struct pcsc_scan *scan) {
    static const enum driver_outcome outcomes[] = {
        [PCSC_EMPTY] = DRIVER_NONE, [PCSC_TAG] = DRIVER_SEEN, [PCSC_TROUBLE] = DRIVER_FAILED};
    if (scan->fault >= 0)
        reader_fault(reader, (enum driver_fault)scan->fault);
    reader_health(reader, true, "the reader answers");
    enum driver_outcome outcome = outcomes[scan->found];
    if (outcome == DRIVER_SEEN && scan->n_uid != 4 && scan->n_uid != 7 && scan->n_uid != 10)
        outcome = DRIVER_FAILED; // the fault is counted by reader_seen
    if (scan->found == PCSC_TAG)
        reader_seen(reader, ANTENNA, scan->uid, scan->n_uid);
    reader_scan_done(reader, ANTENNA, outcome);
}

static void look_later(struct pcsc *p, int64_t us) {
    struct loop *loop = p->reader->loop;
    loop_timer_start(loop, &p->next, loop_now_us(loop) + us, look, p->reader);
}

static void done(struct worker_job *job) {
    struct pcsc *p = (struct pcsc *)job;
    struct reader *reader = p->reader;
    if (p->closing)
        return;
    loop_timer_stop(reader->loop, &p->stuck);
    if (p->scan.found == PCSC_DOWN) {
        reader_health(reader, false, p->scan.why);
        look_later(p, p->backoff_us);
        p->backoff_us = p->backoff_us * 2 > BACKOFF_MAX_US ? BACKOFF_MAX_US : p->backoff_us * 2;
        return;
    }
    p->backoff_us = BACKOFF_MIN_US;
    tell(reader, &p->scan);
    if (!p->closing)
        look_later(p, 0);
}

static void look(void *ctx) {
    struct reader *reader = ctx;
    struct pcsc *p = reader->priv;
    p->scan.wait_ms = p->scan.found == PCSC_DOWN ? SEARCH_MS / 4 : p->again ? AGAIN_MS : p->poll_ms;
    // Trouble is looked at again at once: the state does not change while a tag lies badly.
    p->again = false;
    loop_timer_start(reader->loop, &p->stuck, loop_now_us(reader->loop) + STUCK_US, on_stuck, reader);
    worker_submit(p->worker, &p->job);
}

// One reader of the service serves one section.
static enum error_code pcsc_check(const struct config_section *conf, struct driver_needs *ret,
                                  struct error *err) {
    const char *usb = config_text(conf, "usb"), *name = config_text(conf, "name");
    (void)err;
    ret->antennas = 1;
    ret->user[0].kind = BUS_SERIAL;
    snprintf(ret->user[0].path, sizeof ret->user[0].path, "PC/SC %.32s %.32s slot %d", usb ? usb : "any port",
             name ? name : "any name", (int)config_int(conf, "slot"));
    ret->n_users = 1;
    return ERROR_OK;
}

static enum error_code pcsc_open(struct reader *reader, struct error *err) {
    struct pcsc *p = reader->priv;
    const struct config_section *conf = reader->conf;
    const struct worker_options options = {.name = "pcsc", .capacity = 1};
    p->reader = reader;
    p->job = (struct worker_job){.run = run, .done = done};
    p->poll_ms = (unsigned)config_int(conf, "poll");
    p->backoff_us = BACKOFF_MIN_US;
    p->scan.api = pcsc_api;
    p->scan.usb = config_text(conf, "usb");
    p->scan.name = config_text(conf, "name");
    p->scan.slot = (int)config_int(conf, "slot");
    reader->antennas = 1;
    if (p->scan.usb && !usb_port_ok(p->scan.usb))
        return error_set(err, ERROR_INVALID, config_key_where(conf, "usb"),
                         "a port is written as in /sys/bus/usb/devices: 1-1.2");
    enum error_code code = worker_create(reader->loop, &options, &p->worker, err);
    if (code == ERROR_OK)
        look_later(p, 0);
    return code;
}

static void pcsc_close(struct reader *reader) {
    struct pcsc *p = reader->priv;
    p->closing = true;
    loop_timer_stop(reader->loop, &p->stuck);
    loop_timer_stop(reader->loop, &p->next);
    pcsc_scan_cancel(&p->scan);
    worker_destroy(p->worker);
    if (p->scan.api)
        pcsc_scan_end(&p->scan);
}

static void pcsc_again(struct reader *reader, uint16_t antenna) {
    struct pcsc *p = reader->priv;
    (void)antenna;
    p->again = true;
}

static const struct config_key params[] = {
    {.name = "usb",
     .type = CONFIG_TEXT,
     .help = "the USB port it is plugged into, as in /sys/bus/usb/devices: 1-1.2; tells equal readers apart"},
    {.name = "name",
     .type = CONFIG_TEXT,
     .help = "a part of its PC/SC name, best the serial number; not its number at the end"},
    {.name = "slot",
     .type = CONFIG_INT,
     .fallback = "0",
     .min = 0,
     .max = 15,
     .help = "of a reader with several slots"},
    {.name = "poll",
     .type = CONFIG_DURATION,
     .fallback = "85ms",
     .min = 20,
     .max = 1000,
     .help = "the level is told again after this time without a change"},
    {0},
};

const struct driver pcsc_driver = {
    .name = "pcsc",
    .summary = "a desktop reader behind pcscd (ACR122U and alike), at most 16",
    .params = params,
    .capabilities = DRIVER_SEES_REMOVAL,
    .priv_size = sizeof(struct pcsc),
    .check = pcsc_check,
    .open = pcsc_open,
    .close = pcsc_close,
    .again = pcsc_again,
};
