// What the lamps show, from what everybody may know: a colour for the room, marks at places, a ring that runs
// down. Knows no lamp and no LED. At night it is one colour that never changes (evenings 4).
#pragma once
#include "room/room.h"

enum {
    SCENE_MARKS_MAX = 512, // as many places as a game may have
    SCENE_RUNS_MAX = 8,
};

struct colour {
    uint8_t r, g, b;
};
// Steady right, double blink wrong, slow pulse here: told apart without seeing colours (evenings 4).
enum rhythm { RHYTHM_STEADY, RHYTHM_PULSE, RHYTHM_FILL, RHYTHM_DOUBLE_BLINK };
struct mark {
    char place[33];
    struct colour colour;
    enum rhythm rhythm;
};
struct run { // a light that runs from one place to another: how to put it right
    char from[33], to[33];
};

struct scene {
    bool night; // nothing but the base, at night brightness
    struct colour base;
    uint16_t n_marks, n_runs;
    struct mark mark[SCENE_MARKS_MAX]; // one of a place: the last one wins
    struct run run[SCENE_RUNS_MAX];
    int64_t ring_end_us; // on the loop's clock; 0 = no ring
    int64_t ring_length_us;
};

// Total: any levels. stale: broker or daemon are away for long; that looks like the night, for whatever the
// lamps would say is old, and the night is what gives nothing away. deadline_us: of the phase, on the loop's
// clock; 0 = none.
void scene_build(struct scene *ret, const struct room_levels *levels, bool stale, int64_t deadline_us);
bool scene_moves(const struct scene *scene); // the picture changes by itself as time goes on
