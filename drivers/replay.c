// Plays a tap log: the lines of the reader's own name, each at its time from the opening of the reader.
#include "drivers/driver.h"
#include "drivers/taplog.h"

struct replay {
    struct taplog *log;
    size_t next; // event
    int64_t start_us;
    struct taplog_hold hold;
    struct loop_timer timer;
};

static int64_t at_us(const struct replay *r, int64_t ms) {
    return r->start_us + ms * 1000;
}

static void play(struct reader *reader, const struct taplog_event *event) {
    struct replay *r = reader->priv;
    if (event->outcome == TAPLOG_UP) {
        reader_health(reader, true, "up in the log");
        return;
    }
    if (event->outcome == TAPLOG_DOWN) {
        taplog_hold_stop(&r->hold);
        reader_health(reader, false, "down in the log");
        return;
    }
    struct taplog_scan scan = {.outcome = (enum taplog_outcome)event->outcome, .n = event->n};
    for (unsigned i = 0; i < event->n; i++)
        scan.tag[i] = r->log->tag[event->tag + i];
    // A log need not say `up`: a reader that scans is up.
    reader_health(reader, true, "scans in the log");
    // Without memory the scan itself is still reported, only not repeated.
    taplog_hold_set(&r->hold, event->antenna, &scan, at_us(r, event->ms));
    taplog_report(reader, event->antenna, &scan);
}

static void arm(struct reader *reader);

// What the log says at a moment comes before what antennas repeat at it; the end comes last.
static void due(void *ctx) {
    struct reader *reader = ctx;
    struct replay *r = reader->priv;
    int64_t now = r->timer.due_us;
    while (r->next < r->log->n_events && at_us(r, r->log->event[r->next].ms) <= now)
        play(reader, &r->log->event[r->next++]);
    taplog_hold_fire(&r->hold, reader, now);
    if (now < at_us(r, r->log->end_ms)) {
        arm(reader);
        return;
    }
    taplog_hold_stop(&r->hold);
    if (reader->host->ended)
        reader->host->ended(reader);
}

static void arm(struct reader *reader) {
    struct replay *r = reader->priv;
    int64_t next = taplog_hold_next(&r->hold), end = at_us(r, r->log->end_ms);
    if (r->next < r->log->n_events && at_us(r, r->log->event[r->next].ms) < next)
        next = at_us(r, r->log->event[r->next].ms);
    loop_timer_start(reader->loop, &r->timer, next < end ? next : end, due, reader);
}

static enum error_code replay_open(struct reader *reader, struct error *err) {
    struct replay *r = reader->priv;
    const char *file = reader->replay_file ? reader->replay_file : config_text(reader->conf, "file");
    if (!file)
        return error_set(err, ERROR_INVALID, config_where(reader->conf),
                         "the driver 'replay' needs the key 'file', a tap log");
    enum error_code code = taplog_load(file, reader->name, &r->log, err);
    if (code != ERROR_OK)
        return code;
    reader->antennas = r->log->antennas;
    r->start_us = loop_now_us(reader->loop);
    r->hold.hold_us = r->log->hold_ms * 1000;
    arm(reader);
    return ERROR_OK;
}

static void replay_close(struct reader *reader) {
    struct replay *r = reader->priv;
    loop_timer_stop(reader->loop, &r->timer);
    taplog_hold_free(&r->hold);
    taplog_destroy(r->log);
}

static const struct config_key params[] = {
    {.name = "file", .type = CONFIG_PATH, .help = "the tap log to play"},
    {0},
};

const struct driver replay_driver = {
    .name = "replay",
    .summary = "plays a recorded tap log",
    .params = params,
    .capabilities = DRIVER_SEES_REMOVAL | DRIVER_SEES_SEVERAL,
    .priv_size = sizeof(struct replay),
    .open = replay_open,
    .close = replay_close,
};
