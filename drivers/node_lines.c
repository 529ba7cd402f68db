#include "drivers/node_lines.h"
#include <stdio.h>
#include <string.h>

// Wrong lines in a row, none of them right, after which it is said what seems to be wrong.
enum { BAD_RUN = 8 };

static void arm_repeat(struct node_lines *lines);

static void repeat(void *ctx) {
    struct node_lines *lines = ctx;
    taplog_hold_fire(&lines->hold, lines->reader, loop_now_us(lines->reader->loop));
    arm_repeat(lines);
}

static void arm_repeat(struct node_lines *lines) {
    int64_t next = taplog_hold_next(&lines->hold);
    if (next == INT64_MAX)
        loop_timer_stop(lines->reader->loop, &lines->repeat);
    else
        loop_timer_start(lines->reader->loop, &lines->repeat, next, repeat, lines);
}

static void report(struct node_lines *lines, uint16_t antenna, const struct taplog_scan *scan) {
    struct reader *reader = lines->reader;
    if (reader->antennas <= antenna)
        reader->antennas = (uint16_t)(antenna + 1);
    reader_health(reader, true, "the node speaks");
    taplog_hold_set(&lines->hold, antenna, scan, loop_now_us(reader->loop));
    taplog_report(reader, antenna, scan);
}

static void flush(void *ctx) {
    struct node_lines *lines = ctx;
    struct taplog_frame *frame = &lines->frame;
    loop_timer_stop(lines->reader->loop, &lines->gap);
    if (!frame->n)
        return;
    for (unsigned i = 0; i < frame->n; i++)
        report(lines, frame->order[i], &frame->scan[frame->order[i]]);
    taplog_frame_clear(frame);
    arm_repeat(lines);
}

static void bad_line(struct node_lines *lines, const struct error *err) {
    struct reader *reader = lines->reader;
    reader_fault(reader, DRIVER_FAULT_FRAME);
    if (lines->bad)
        lines->bad(reader, err);
    if (++lines->bad_run == BAD_RUN && !reader->up)
        reader_health(
            reader, false,
            "what comes from this port are no tap-log lines: the wrong device, or the wrong baud rate?");
}

static void foreign_line(struct node_lines *lines, const char *name) {
    struct error err;
    error_set(
        &err, ERROR_INVALID, NULL,
        "these are the lines of reader '%s', not of '%s': exchanged cables, or the node's name is wrong",
        name, lines->reader->name);
    reader_fault(lines->reader, DRIVER_FAULT_FRAME);
    if (lines->bad)
        lines->bad(lines->reader, &err);
    if (++lines->foreign_run == BAD_RUN)
        node_lines_down(lines, err.text);
}

static void take_scan(struct node_lines *lines, const struct taplog_line *line) {
    struct error err;
    if (lines->frame.n && line->ms != lines->frame_ms)
        flush(lines);
    lines->frame_ms = line->ms;
    enum error_code code = taplog_frame_add(&lines->frame, line, &err);
    if (code == ERROR_INVALID) { // what contradicts is the next scan, made within the same ms
        flush(lines);
        code = taplog_frame_add(&lines->frame, line, &err);
    }
    if (code != ERROR_OK) {
        bad_line(lines, &err);
        return;
    }
    struct loop *loop = lines->reader->loop;
    loop_timer_start(loop, &lines->gap, loop_now_us(loop) + lines->gap_us, flush, lines);
}

static void take_observation(struct node_lines *lines, const struct taplog_line *line) {
    const char *own = lines->reader->name;
    if (strcmp(line->reader, own) != 0 && strcmp(line->reader, "-") != 0) {
        foreign_line(lines, line->reader);
        return;
    }
    lines->bad_run = lines->foreign_run = 0;
    if (lines->good)
        lines->good(lines->reader);
    if (line->outcome <= TAPLOG_FAILED) {
        take_scan(lines, line);
    } else if (line->outcome == TAPLOG_UP) {
        flush(lines);
        reader_health(lines->reader, true, "the node says so");
    } else {
        node_lines_down(lines, "the node says that its reader is down");
    }
}

static void take_line(struct node_lines *lines, const char *text, size_t len) {
    struct taplog_line line;
    struct error err;
    if (taplog_parse(text, len, false, &line, &err) != ERROR_OK) {
        bad_line(lines, &err);
        return;
    }
    if (line.observation) {
        take_observation(lines, &line);
        return;
    }
    if (line.hold_ms >= 0)
        lines->hold.hold_us = line.hold_ms * 1000;
    if (len == 0 || text[0] == '\r')
        flush(lines);
    // A comment is a sign of life, but no proof that the right device speaks.
    if (lines->good && lines->reader->up)
        lines->good(lines->reader);
}

void node_lines_bytes(struct node_lines *lines, struct node_buffer *buffer, const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != '\n') {
            // One byte too many is kept, the rest is dropped: the line is refused for its length.
            buffer->text[buffer->n] = bytes[i];
            buffer->n += buffer->n + 1 < sizeof buffer->text;
            continue;
        }
        take_line(lines, buffer->text, buffer->n);
        buffer->n = 0;
    }
}

void node_lines_empty(struct node_lines *lines, uint16_t n) {
    struct taplog_scan scan = {.outcome = TAPLOG_NONE};
    for (uint16_t i = 0; i < n; i++)
        report(lines, i, &scan);
    arm_repeat(lines);
}

void node_lines_down(struct node_lines *lines, const char *why) {
    flush(lines);
    taplog_hold_stop(&lines->hold);
    arm_repeat(lines);
    reader_health(lines->reader, false, why);
}

void node_lines_open(struct node_lines *lines, struct reader *reader, int64_t gap_ms, int64_t hold_ms) {
    lines->reader = reader;
    lines->gap_us = gap_ms * 1000;
    lines->hold.hold_us = hold_ms * 1000;
}

void node_lines_close(struct node_lines *lines) {
    if (!lines->reader)
        return;
    loop_timer_stop(lines->reader->loop, &lines->gap);
    loop_timer_stop(lines->reader->loop, &lines->repeat);
    taplog_frame_free(&lines->frame);
    taplog_hold_free(&lines->hold);
}
