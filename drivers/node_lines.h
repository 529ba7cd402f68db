// From the bytes of a node to the scans of its reader; shared by `node` and `sim`.
//
// A node's line happens when it arrives: its MS only tells which lines belong together. The scans of one MS
// are reported when a line with another MS comes, at an empty line, or after a gap. A line about another
// reader is a fault; a reader that never says anything right never comes up (B040).
#pragma once
#include "drivers/driver.h"
#include "drivers/taplog.h"

struct node_buffer { // one for each connection; zeroed = empty
    char text[TAPLOG_LINE_MAX + 2];
    size_t n;
};

struct node_lines { // one for each reader
    struct reader *reader;
    int64_t gap_us;
    // A line was right, or wrong: for whoever wants to know. NULL allowed.
    void (*good)(struct reader *reader);
    void (*bad)(struct reader *reader, const struct error *err);

    struct taplog_frame frame;
    int64_t frame_ms;
    struct taplog_hold hold;
    struct loop_timer gap, repeat;
    unsigned bad_run, foreign_run;
};

// The keys of every driver that reads lines.
#define NODE_LINES_KEYS                                                                                      \
    {.name = "gap",                                                                                          \
     .type = CONFIG_DURATION,                                                                                \
     .fallback = "10ms",                                                                                     \
     .min = 1,                                                                                               \
     .max = 200,                                                                                             \
     .help = "a scan ends when no line came for so long"},                                                   \
    {                                                                                                        \
        .name = "hold", .type = CONFIG_DURATION, .fallback = "0ms", .min = 0, .max = TAPLOG_HOLD_MAX,        \
        .help = "repeat the last scan of each antenna; 0 = every scan is said"                               \
    }

void node_lines_open(struct node_lines *lines, struct reader *reader, int64_t gap_ms, int64_t hold_ms);
void node_lines_close(struct node_lines *lines);
void node_lines_bytes(struct node_lines *lines, struct node_buffer *buffer, const char *bytes, size_t n);
// The antennas 0 .. n-1 begin empty.
void node_lines_empty(struct node_lines *lines, uint16_t n);
// The line is lost: reports what is whole, repeats nothing any more, down.
void node_lines_down(struct node_lines *lines, const char *why);
