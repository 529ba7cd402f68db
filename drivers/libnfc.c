// A device that libnfc serves and nobody else does: USB dongles mostly. The library blocks, so each device
// has a thread of its own; it has room for four (B025).
#include "core/worker.h"
#include "drivers/driver.h"
#include "drivers/libnfc_scan.h"
#include "drivers/usb_port.h"
#include <stdio.h>
#include <string.h>

enum {
    ANTENNA = 0,
    DEVICES_MAX = 4,
    STUCK_US = 4000000,
    AGAIN_US = 10000,
    BACKOFF_MIN_US = 20000,
    BACKOFF_MAX_US = 2000000
};

struct libnfc {
    struct worker_job job; // first member
    struct libnfc_scan scan;
    struct reader *reader;
    struct worker *worker;
    struct loop_timer stuck, next;
    int64_t backoff_us, poll_us;
    bool again, closing, counted;
};
static unsigned devices; // open readers of the whole process; the library's table is the process's too

static void on_stuck(void *ctx) {
    struct reader *reader = ctx;
    struct libnfc *p = reader->priv;
    reader_fault(reader, DRIVER_FAULT_TIMEOUT);
    reader_health(reader, false, "the device is stuck: pull it out and plug it in again; others go on");
    libnfc_scan_abort(&p->scan);
}

static void run(struct worker_job *job) {
    libnfc_scan(&((struct libnfc *)job)->scan);
}

static void look(void *ctx) {
    struct reader *reader = ctx;
    struct libnfc *p = reader->priv;
    p->again = false;
    loop_timer_start(reader->loop, &p->stuck, loop_now_us(reader->loop) + STUCK_US, on_stuck, reader);
    worker_submit(p->worker, &p->job);
}

static void tell(struct reader *reader, const struct libnfc_scan *scan) {
    static const enum driver_outcome outcomes[] = {
        [LIBNFC_EMPTY] = DRIVER_NONE, [LIBNFC_TAG] = DRIVER_SEEN, [LIBNFC_TROUBLE] = DRIVER_FAILED};
    reader_health(reader, true, "the device answers");
    enum driver_outcome outcome = outcomes[scan->found];
    if (scan->found == LIBNFC_TAG) {
        if (scan->n_uid != 4 && scan->n_uid != 7 && scan->n_uid != 10)
            outcome = DRIVER_FAILED; // the fault is counted by reader_seen
        reader_seen(reader, ANTENNA, scan->uid, scan->n_uid);
    }
    reader_scan_done(reader, ANTENNA, outcome);
}

static void done(struct worker_job *job) {
    struct libnfc *p = (struct libnfc *)job;
    struct reader *reader = p->reader;
    if (p->closing)
        return;
    loop_timer_stop(reader->loop, &p->stuck);
    if (p->scan.fault >= 0)
        reader_fault(reader, (enum driver_fault)p->scan.fault);
    int64_t wait = p->backoff_us;
    if (p->scan.found == LIBNFC_DOWN) {
        reader_health(reader, false, p->scan.why);
        p->backoff_us = p->backoff_us * 2 > BACKOFF_MAX_US ? BACKOFF_MAX_US : p->backoff_us * 2;
    } else {
        p->backoff_us = BACKOFF_MIN_US;
        tell(reader, &p->scan); // may ask for another look
        wait = p->again ? AGAIN_US : p->poll_us;
    }
    loop_timer_start(reader->loop, &p->next, loop_now_us(reader->loop) + wait, look, reader);
}

static enum error_code libnfc_check(const struct config_section *conf, struct driver_needs *ret,
                                    struct error *err) {
    const char *usb = config_text(conf, "usb");
    if (usb && !usb_port_ok(usb))
        return error_set(err, ERROR_INVALID, config_key_where(conf, "usb"),
                         "a port is written as in /sys/bus/usb/devices: 1-1.2");
    ret->antennas = 1;
    ret->user[0].kind = BUS_SERIAL;
    snprintf(ret->user[0].path, sizeof ret->user[0].path, "%.60s%s%.30s", config_text(conf, "device"),
             usb ? " at " : "", usb ? usb : "");
    ret->n_users = 1;
    return ERROR_OK;
}

static enum error_code libnfc_open(struct reader *reader, struct error *err) {
    struct libnfc *p = reader->priv;
    const struct config_section *conf = reader->conf;
    const struct worker_options options = {.name = "libnfc", .capacity = 1};
    p->reader = reader;
    p->job = (struct worker_job){.run = run, .done = done};
    p->poll_us = config_int(conf, "poll") * 1000;
    p->backoff_us = BACKOFF_MIN_US;
    p->scan.device = config_text(conf, "device");
    p->scan.usb = config_text(conf, "usb");
    reader->antennas = 1;
    if (devices == DEVICES_MAX)
        return error_set(
            err, ERROR_INVALID, config_where(conf),
            "libnfc serves %d devices; more readers are better behind `driver = pn532` or `pcsc`",
            DEVICES_MAX);
    if (strlen(p->scan.device) >= sizeof(nfc_connstring))
        return error_set(err, ERROR_INVALID, config_key_where(conf, "device"), "too long");
    p->counted = true;
    devices++;
    nfc_init(&p->scan.context); // here and not in the thread: its first call fills a table of the process
    if (!p->scan.context)
        return error_set(err, ERROR_INTERNAL, config_where(conf), "libnfc does not start");
    enum error_code code = worker_create(reader->loop, &options, &p->worker, err);
    if (code == ERROR_OK)
        loop_timer_start(reader->loop, &p->next, loop_now_us(reader->loop), look, reader);
    return code;
}

static void libnfc_close(struct reader *reader) {
    struct libnfc *p = reader->priv;
    p->closing = true;
    loop_timer_stop(reader->loop, &p->stuck);
    loop_timer_stop(reader->loop, &p->next);
    libnfc_scan_abort(&p->scan);
    worker_destroy(p->worker);
    libnfc_scan_end(&p->scan);
    devices -= p->counted;
}

static void libnfc_again(struct reader *reader, uint16_t antenna) {
    struct libnfc *p = reader->priv;
    (void)antenna;
    p->again = true;
}

static const struct config_key params[] = {
    {.name = "device",
     .type = CONFIG_TEXT,
     .required = true,
     .help = "connection string of libnfc: pn532_uart:/dev/serial/by-path/...; with `usb` its driver alone: "
             "pn53x_usb"},
    {.name = "usb",
     .type = CONFIG_TEXT,
     .help = "the USB port it is plugged into, as in /sys/bus/usb/devices: 1-1.2"},
    {.name = "poll",
     .type = CONFIG_DURATION,
     .fallback = "85ms",
     .min = 20,
     .max = 1000,
     .help = "rest between two scans"},
    {0},
};

const struct driver libnfc_driver = {
    .name = "libnfc",
    .summary = "a device that only libnfc knows, at most four",
    .params = params,
    .capabilities = DRIVER_SEES_REMOVAL,
    .priv_size = sizeof(struct libnfc),
    .check = libnfc_check,
    .open = libnfc_open,
    .close = libnfc_close,
    .again = libnfc_again,
};
