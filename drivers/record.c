#include "drivers/record.h"
#include "core/clock.h"
#include "core/log.h"
#include "drivers/taplog.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Last recorded ms of each antenna of a reader: two scans of one ms would be read as one.
struct record_reader {
    char name[33];
    int64_t last_ms[DRIVER_ANTENNAS_MAX];
    struct record_reader *next;
};

struct record {
    struct driver_host host; // first member: a reader's host leads back here
    const struct driver_host *inner;
    int fd; // -1 after a failed write
    bool started;
    int64_t start_us, last_ms;
    const struct loop *loop;
    struct record_reader *readers;
    // The scan whose ids are being reported.
    const struct reader *pending;
    uint16_t antenna;
    struct taplog_scan scan;
};

static struct record *record_of(const struct reader *reader) {
    return (struct record *)(uintptr_t)reader->host;
}

static void write_text(struct record *record, const char *text, size_t len) {
    if (record->fd < 0)
        return;
    ssize_t n = write(record->fd, text, len);
    if (n == (ssize_t)len)
        return;
    log_error("record", "recording stopped cause=\"%s\"", n < 0 ? strerror(errno) : "disk full");
    close(record->fd);
    record->fd = -1;
}

// The present ms; never less than the last one written.
static int64_t now_ms(struct record *record, const struct reader *reader) {
    int64_t now = loop_now_us(reader->loop);
    if (!record->started) {
        record->started = true;
        record->start_us = now;
        record->loop = reader->loop;
    }
    int64_t ms = (now - record->start_us) / 1000;
    return ms < record->last_ms ? record->last_ms : ms;
}

static struct record_reader *find(struct record *record, const char *name) {
    struct record_reader *r = record->readers;
    while (r && strcmp(r->name, name) != 0)
        r = r->next;
    if (r || !(r = calloc(1, sizeof *r)))
        return r;
    snprintf(r->name, sizeof r->name, "%s", name);
    for (unsigned i = 0; i < DRIVER_ANTENNAS_MAX; i++)
        r->last_ms[i] = -1;
    r->next = record->readers;
    record->readers = r;
    return r;
}

static int64_t scan_ms(struct record *record, const struct reader *reader, uint16_t antenna) {
    int64_t ms = now_ms(record, reader);
    struct record_reader *r = antenna < DRIVER_ANTENNAS_MAX ? find(record, reader->name) : NULL;
    if (r && ms <= r->last_ms[antenna])
        ms = r->last_ms[antenna] + 1;
    if (r)
        r->last_ms[antenna] = ms;
    record->last_ms = ms;
    return ms;
}

// One write for a scan: a cut file ends with a whole line, and with a whole scan unless the disk is full.
static void write_scan(struct record *record, const struct reader *reader, uint16_t antenna,
                       const struct taplog_scan *scan) {
    char text[TAPLOG_TAGS_MAX * TAPLOG_TEXT_MAX];
    size_t len = 0;
    int64_t ms = scan_ms(record, reader, antenna);
    if (scan->outcome != TAPLOG_SEEN)
        len = taplog_format(ms, reader->name, antenna, scan->outcome, NULL, text);
    for (unsigned i = 0; scan->outcome == TAPLOG_SEEN && i < scan->n; i++)
        len += taplog_format(ms, reader->name, antenna, TAPLOG_SEEN, &scan->tag[i], text + len);
    write_text(record, text, len);
}

static void on_seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len) {
    struct record *record = record_of(reader);
    if (record->pending != reader || record->antenna != antenna)
        record->scan.n = 0;
    record->pending = reader;
    record->antenna = antenna;
    if (record->scan.n < TAPLOG_TAGS_MAX && len <= DRIVER_UID_MAX) {
        struct taplog_tag *tag = &record->scan.tag[record->scan.n++];
        *tag = (struct taplog_tag){.len = len};
        memcpy(tag->b, uid, len);
    }
    record->inner->seen(reader, antenna, uid, len);
}

static void on_scan_done(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    struct record *record = record_of(reader);
    if (record->pending != reader || record->antenna != antenna)
        record->scan.n = 0;
    record->scan.outcome = (enum taplog_outcome)outcome;
    write_scan(record, reader, antenna, &record->scan);
    record->scan.n = 0;
    record->pending = NULL;
    record->inner->scan_done(reader, antenna, outcome);
}

static void on_health(struct reader *reader, bool up, const char *why) {
    struct record *record = record_of(reader);
    char text[TAPLOG_TEXT_MAX];
    record->last_ms = now_ms(record, reader);
    write_text(record, text,
               taplog_format(record->last_ms, reader->name, 0, up ? TAPLOG_UP : TAPLOG_DOWN, NULL, text));
    record->inner->health(reader, up, why);
}

static void on_ended(struct reader *reader) {
    struct record *record = record_of(reader);
    record->last_ms = now_ms(record, reader);
    if (record->inner->ended)
        record->inner->ended(reader);
}

// A tap log has no word for what is on a tag: it passes.
static void on_hint(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                    const char *text) {
    const struct driver_host *inner = record_of(reader)->inner;
    if (inner->hint)
        inner->hint(reader, antenna, uid, len, text);
}

static void on_signature(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                         enum driver_signature signature) {
    const struct driver_host *inner = record_of(reader)->inner;
    if (inner->signature)
        inner->signature(reader, antenna, uid, len, signature);
}

static void on_fault(struct reader *reader, enum driver_fault fault) {
    struct record *record = record_of(reader);
    if (record->inner->fault)
        record->inner->fault(reader, fault);
}

static void write_header(struct record *record) {
    char text[300], stamp[CLOCK_TEXT_MAX];
    clock_text(clock_wall_us(clock_real()), stamp);
    int n = snprintf(text, sizeof text,
                     "# tabled tap log, recorded\n"
                     "# program: tabled %s\n"
                     "# date: %s\n"
                     "# table, people, what it shows: fill in by hand before sharing\n"
                     "# holds tag ids: keep it as secret as the tiles\n",
                     TABLED_VERSION, stamp);
    write_text(record, text, (size_t)n);
}

static int create(const char *path, struct error *err) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        error_set(err, ERROR_EXISTS, path, "there is such a file already: name a new one");
    else if (fd < 0)
        error_set(err, ERROR_INVALID, path, "the tap log cannot be written: %s", strerror(errno));
    return fd;
}

enum error_code record_check(const char *path, struct error *err) {
    int fd = create(path, err);
    if (fd < 0)
        return err->code;
    close(fd);
    unlink(path);
    return ERROR_OK;
}

enum error_code record_open(const char *path, const struct driver_host *inner, struct record **ret,
                            struct error *err) {
    *ret = NULL;
    struct record *record = calloc(1, sizeof *record);
    if (!record)
        return error_set(err, ERROR_INTERNAL, path, "out of memory");
    record->host = (struct driver_host){.seen = on_seen,
                                        .scan_done = on_scan_done,
                                        .health = on_health,
                                        .ended = on_ended,
                                        .fault = on_fault,
                                        .hint = on_hint,
                                        .signature = on_signature};
    record->inner = inner;
    record->fd = create(path, err);
    if (record->fd < 0) {
        free(record);
        return err->code;
    }
    write_header(record);
    *ret = record;
    return ERROR_OK;
}

const struct driver_host *record_host(const struct record *record) {
    return &record->host;
}

void record_close(struct record *record) {
    if (!record)
        return;
    char text[40];
    int64_t ms = record->last_ms;
    if (record->started && record->loop) {
        int64_t now = (loop_now_us(record->loop) - record->start_us) / 1000;
        ms = now > ms ? now : ms;
    }
    write_text(record, text, (size_t)snprintf(text, sizeof text, "@end %" PRId64 "\n", ms));
    if (record->fd >= 0)
        close(record->fd);
    while (record->readers) {
        struct record_reader *next = record->readers->next;
        free(record->readers);
        record->readers = next;
    }
    free(record);
}
