// The tap log, one observation a line (design 6, evenings 3): `MS READER ANTENNA OUTCOME [UID]`.
//
//   # text          a comment; before the first observation it may carry `@hold 85` and `@end 305000`
//   @hold 85        each antenna repeats its last scan every 85 ms until its next line or its reader's `down`
//   @end 305000     when the log ends
//
// MS never decreases. Lines of equal MS, reader and antenna are one scan. A line is at most 200 bytes.
#pragma once
#include "core/error.h"
#include "drivers/driver.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TAPLOG_LINE_MAX = 200,
    TAPLOG_TAGS_MAX = 16,        // ids in one scan
    TAPLOG_EVENTS_MAX = 2000000, // observations of one reader in a file
    TAPLOG_HOLD_MIN = 5,         // ms
    TAPLOG_HOLD_MAX = 60000,     // ms
    TAPLOG_AFTER_HOLD_MS = 5000, // a log with @hold and without @end goes on for this long
    TAPLOG_TEXT_MAX = 80,        // a written line with its NUL
};
#define TAPLOG_MS_MAX INT64_C(1000000000000)

// The first four are the outcomes of a scan (enum driver_outcome), the others are about the reader.
enum taplog_outcome { TAPLOG_SEEN, TAPLOG_NONE, TAPLOG_COLLIDED, TAPLOG_FAILED, TAPLOG_UP, TAPLOG_DOWN };

struct taplog_tag {
    uint8_t len;
    uint8_t b[DRIVER_UID_MAX];
};

struct taplog_line {
    bool observation;        // else a comment, a directive or nothing
    int64_t hold_ms, end_ms; // of a directive; -1 = none
    int64_t ms;
    char reader[33];
    uint16_t antenna;
    enum taplog_outcome outcome;
    struct taplog_tag tag;
};

// Reads one line, without its newline. header: comments may carry directives. Errors are ERROR_INVALID with a
// sentence that never repeats an id; the caller adds the place.
enum error_code taplog_parse(const char *text, size_t len, bool header, struct taplog_line *ret,
                             struct error *err);
// Writes one observation with its newline; returns the length.
size_t taplog_format(int64_t ms, const char *reader, uint16_t antenna, enum taplog_outcome outcome,
                     const struct taplog_tag *tag, char ret[TAPLOG_TEXT_MAX]);

// One scan, put together from its lines.
struct taplog_scan {
    enum taplog_outcome outcome;
    uint8_t n;
    struct taplog_tag tag[TAPLOG_TAGS_MAX];
};
void taplog_report(struct reader *reader, uint16_t antenna, const struct taplog_scan *scan);

// Puts lines of one MS together to scans, by antenna. Zeroed = empty.
struct taplog_frame {
    struct taplog_scan *scan; // by antenna
    bool *open;
    uint16_t cap;                        // antennas there is room for
    uint16_t n;                          // open scans
    uint16_t order[DRIVER_ANTENNAS_MAX]; // in the order of their first lines
};
// Adds a line about an antenna. A second line that contradicts the first is ERROR_INVALID, an id said twice
// is not; ERROR_TOO_LARGE: more ids or antennas than there may be.
enum error_code taplog_frame_add(struct taplog_frame *frame, const struct taplog_line *line,
                                 struct error *err);
void taplog_frame_clear(struct taplog_frame *frame); // forgets the scans
void taplog_frame_free(struct taplog_frame *frame);

// A whole file, for one reader.
struct taplog_event {
    int64_t ms;
    uint32_t tag; // index of the first id
    uint16_t antenna;
    uint8_t outcome, n;
};
struct taplog {
    int64_t hold_ms; // 0 = none
    int64_t end_ms;  // @end, else by the rules above
    uint16_t antennas;
    size_t n_events, n_tags;
    struct taplog_event *event;
    struct taplog_tag *tag;
};
// Keeps what `reader` saw. The whole file is checked, whoever a line is about; an error has file:line.
enum error_code taplog_load(const char *path, const char *reader, struct taplog **ret, struct error *err);
// The same from memory; `name` stands in for the file in errors.
enum error_code taplog_load_text(const char *text, size_t len, const char *name, const char *reader,
                                 struct taplog **ret, struct error *err);
void taplog_destroy(struct taplog *log); // NULL allowed

// Repeats the last scan of each antenna every hold_us (`@hold`). Zeroed = nothing to repeat.
struct taplog_hold {
    int64_t hold_us; // 0 = never
    uint16_t n;
    struct taplog_held {
        bool on;
        int64_t due_us;
        struct taplog_scan scan;
    } * antenna;
};
// The antenna's last scan, made at now_us. False without memory.
bool taplog_hold_set(struct taplog_hold *hold, uint16_t antenna, const struct taplog_scan *scan,
                     int64_t now_us);
void taplog_hold_stop(struct taplog_hold *hold);          // all antennas: the reader is down
int64_t taplog_hold_next(const struct taplog_hold *hold); // INT64_MAX if nothing is held
// Reports what is due at or before now_us, in the order of antennas, each at most once a call.
void taplog_hold_fire(struct taplog_hold *hold, struct reader *reader, int64_t now_us);
void taplog_hold_free(struct taplog_hold *hold);
