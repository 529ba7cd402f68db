// One pad: turns scans of one antenna into sightings that can be trusted. Pure: no clock, no allocation.
// Only a run of "not seen" is a removal; collided and failed are no absence (design 5.6, board/README.md).
#pragma once
#include "board/tag.h"
#include <stdbool.h>
#include <stdint.h>

enum { PAD_TAGS_MAX = 8 };

enum pad_outcome { PAD_SEEN, PAD_NONE, PAD_COLLIDED, PAD_FAILED };

// evenings.md section 4. A driver may bring its own.
struct pad_limits {
    uint8_t arrive_n, arrive_m; // 2 of 3 sightings
    uint8_t unknown_run;        // an id no piece has: 3 running
    uint8_t leave_run;          // 3 x none running on a clean pad; more on one that misses (pad_leave_run)
    uint8_t trouble_run;        // collided or failed: 3 running
    int32_t doubt_ms;           // overload: doubtful until 1,500 ms after the first miss
    int32_t silent_ms;          // no scan at all: unknown after 3,000 ms; 0 = never
};
extern const struct pad_limits pad_limits_default;

enum pad_state {
    PAD_STATE_UNKNOWN, // never scanned, silent reader, failed scans
    PAD_STATE_KNOWN,
    PAD_STATE_SEVERAL,  // collisions: more tags than can be read
    PAD_STATE_DOUBTFUL, // two or more fell silent in one scan
};

struct pad_entry {
    struct tag tag;
    bool known;         // some piece has this tag
    bool present;       // has arrived and not left
    bool ghost;         // set by the board: another pad owns it; it leaves by the shortest run
    uint8_t history;    // last scans, newest in bit 0
    uint8_t none_run;   // scans without it, running
    int64_t first_us;   // first sighting of this stay
    int64_t arrived_us; // the sighting that made it present
    int64_t missed_us;  // first miss of the running absence; 0 = none
    int64_t seen_us;    // last sighting
};
struct pad {
    struct pad_limits limits;
    enum pad_state state;
    uint8_t collided_run, failed_run, none_run;
    uint8_t swap_run;     // scans that showed one known id in place of another (B043)
    uint8_t last_outcome; // of the last scan that counted
    bool asked_again;     // it asked for another look
    bool overflowed;
    uint8_t n;
    struct pad_entry entry[PAD_TAGS_MAX];
    int64_t doubt_us;   // first miss of a doubt
    int64_t scan_us;    // last scan
    int64_t strange_us; // last random or partial id
    uint32_t miss_rate; // observed rate of healed misses, 1 << 24 = all
    uint64_t misses;    // their number
};

struct pad_change {
    enum pad_change_type {
        PAD_ARRIVED,
        PAD_LEFT,
        PAD_STATE_CHANGED, // read pad.state
        PAD_OVERFLOW,      // more ids than PAD_TAGS_MAX: those beyond are not kept
        PAD_STRANGE,       // first sighting of a random or partial id: a notice, never a piece
    } type;
    struct tag tag;
    int64_t since_us; // first evidence: first sighting of a stay, first miss of an absence
    bool ghost;       // PAD_LEFT: what left was a ghost
};
enum { PAD_CHANGES_MAX = 2 * PAD_TAGS_MAX + 4 };

// Misses running that make a removal on this pad now: limits.leave_run, and more the more it misses.
unsigned pad_leave_run(const struct pad *pad);

void pad_init(struct pad *pad, const struct pad_limits *limits);
// One whole scan. tags: the ids of PAD_SEEN; is_known tells whether some piece has an id. Returns the number
// of changes written to ret. *ret_again: worth another look at once (a first change that is not yet sure).
unsigned pad_scan(struct pad *pad, int64_t now_us, enum pad_outcome outcome, const struct tag *tags,
                  unsigned n_tags, bool (*is_known)(void *ctx, const struct tag *tag), void *ctx,
                  struct pad_change ret[PAD_CHANGES_MAX], bool *ret_again);
// Silence of the reader; call when it may have become silent.
unsigned pad_silence(struct pad *pad, int64_t now_us, struct pad_change ret[PAD_CHANGES_MAX]);
// The reader went down: unknown at once, nothing removed.
unsigned pad_down(struct pad *pad, int64_t now_us, struct pad_change ret[PAD_CHANGES_MAX]);
