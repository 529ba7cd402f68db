#include "frame.h"
#include <stdlib.h>
#include <string.h>

enum {
    FULL = 65535,
    PULSE_US = 4000000,
    FILL_US = 2000000,
    BLINK_US = 2400000,   // two blinks of BLINK_ON_US with as long between them, then a rest
    BLINK_ON_US = 360000, // longer than a fade: each blink reaches its top
    RUN_US = 1600000,
    RUN_LEDS = 3,
    LAST_US = 10000000,  // of the ring: it turns orange
    STEP_MAX_US = 40000, // one frame moves no further, however long ago the last was
};
static const struct colour ring_blue = {60, 120, 255}, ring_orange = {255, 100, 0},
                           run_white = {255, 255, 255};

// How bright a rhythm is at a moment, of FULL.
static uint32_t brightness(enum rhythm rhythm, int64_t now_us) {
    int64_t at, period = rhythm == RHYTHM_PULSE ? PULSE_US : FILL_US;
    switch (rhythm) {
    case RHYTHM_STEADY:
        return FULL;
    case RHYTHM_DOUBLE_BLINK:
        at = now_us % BLINK_US;
        return at < BLINK_ON_US || (at >= 2 * BLINK_ON_US && at < 3 * BLINK_ON_US) ? FULL : 0;
    case RHYTHM_PULSE:
    case RHYTHM_FILL:
        at = now_us % period; // a triangle between a fifth and all
        at = at < period / 2 ? at : period - at;
        return FULL / 5 + (uint32_t)(at * 2 * (FULL - FULL / 5) / period);
    }
    return 0;
}

// 8 bit as eyes see them to 16 bit as LEDs shine: a square is close enough to their curve.
static uint32_t shine(uint8_t channel, uint32_t factor, unsigned percent) {
    uint64_t linear = (uint64_t)channel * channel * FULL / (255 * 255);
    return (uint32_t)(linear * factor / FULL * percent / 100);
}

static void paint(uint16_t led[3], struct colour colour, uint32_t factor, unsigned percent) {
    led[0] = (uint16_t)shine(colour.r, factor, percent);
    led[1] = (uint16_t)shine(colour.g, factor, percent);
    led[2] = (uint16_t)shine(colour.b, factor, percent);
}

static void paint_span(uint16_t target[][3], const struct lamp_span *span, struct colour colour,
                       uint32_t factor, unsigned percent) {
    int step = span->first <= span->last ? 1 : -1;
    for (int i = span->first; i != span->last + step; i += step)
        paint(target[i], colour, factor, percent);
}

static void paint_ring(const struct lamp *lamp, const struct scene *scene, int64_t now_us,
                       uint16_t target[][3]) {
    const struct lamp_span *ring = &lamp->ring;
    int64_t left = scene->ring_end_us - now_us;
    if (!*ring->place || scene->ring_end_us == 0)
        return;
    left = left < 0 ? 0 : left > scene->ring_length_us ? scene->ring_length_us : left;
    int n = abs(ring->last - ring->first) + 1, step = ring->first <= ring->last ? 1 : -1;
    int64_t lit = left * n * 256 / scene->ring_length_us; // in 256ths of a LED
    struct colour colour = left <= LAST_US ? ring_orange : ring_blue;
    for (int i = 0; i < n; i++) {
        int64_t own = lit - (int64_t)i * 256;
        uint32_t factor = own <= 0 ? 0 : own >= 256 ? FULL : (uint32_t)(own * FULL / 256);
        paint(target[ring->first + i * step], colour, factor, lamp->day_percent);
    }
}

static void paint_run(const struct lamp *lamp, const struct run *run, int64_t now_us, uint16_t target[][3]) {
    const struct lamp_span *from = lamp_find(lamp, run->from), *to = lamp_find(lamp, run->to);
    if (!from || !to || from == to)
        return;
    int64_t a = (from->first + from->last) / 2, b = (to->first + to->last) / 2;
    int64_t at = a + (b - a) * (now_us % RUN_US) / RUN_US;
    for (int64_t i = at - RUN_LEDS / 2; i <= at + RUN_LEDS / 2; i++)
        if (i >= 0 && i < lamp->n_leds)
            paint(target[i], run_white, FULL, lamp->day_percent);
}

static void aim(const struct lamp *lamp, const struct scene *scene, int64_t now_us, uint16_t target[][3]) {
    unsigned percent = scene->night ? lamp->night_percent : lamp->day_percent;
    // By day the room is lit at a third, so that marks stand out.
    for (int i = 0; i < lamp->n_leds; i++)
        paint(target[i], scene->base, scene->night ? FULL : FULL / 3, percent);
    if (scene->night)
        return;
    for (unsigned i = 0; i < scene->n_runs; i++)
        paint_run(lamp, &scene->run[i], now_us, target);
    for (unsigned i = 0; i < scene->n_marks; i++) {
        const struct mark *mark = &scene->mark[i];
        const struct lamp_span *span = lamp_find(lamp, mark->place);
        if (span)
            paint_span(target, span, mark->colour, brightness(mark->rhythm, now_us), percent);
    }
    paint_ring(lamp, scene, now_us, target);
}

static uint16_t approach(uint16_t level, uint16_t target, uint32_t most) {
    if (level < target)
        return (uint16_t)(target - level > (int)most ? level + most : target);
    return (uint16_t)(level - target > (int)most ? level - most : target);
}

bool frame_draw(struct lamp *lamp, const struct scene *scene, int64_t now_us) {
    uint16_t target[LAMP_LEDS_MAX][3];
    int64_t since = lamp->drawn ? now_us - lamp->drawn_us : STEP_MAX_US;
    since = since < 0 ? 0 : since > STEP_MAX_US ? STEP_MAX_US : since;
    // The range that counts is the lamp's own: a dim lamp fades as long as a bright one.
    uint32_t range = (uint32_t)FULL *
                     (lamp->day_percent > lamp->night_percent ? lamp->day_percent : lamp->night_percent) /
                     100;
    uint32_t most = (uint32_t)((int64_t)range * since / FRAME_FADE_US) + 1;
    bool changed = !lamp->drawn;
    lamp->settled = true;
    lamp->drawn = true;
    lamp->drawn_us = now_us;
    aim(lamp, scene, now_us, target);
    for (int i = 0; i < lamp->n_leds; i++) {
        uint8_t *shown[3] = {&lamp->shown[i].r, &lamp->shown[i].g, &lamp->shown[i].b};
        for (int c = 0; c < 3; c++) {
            uint16_t level = approach(lamp->level[i][c], target[i][c], most);
            uint8_t value = (uint8_t)((level + 128) / 257);
            changed |= *shown[c] != value;
            lamp->settled &= level == target[i][c];
            lamp->level[i][c] = level;
            *shown[c] = value;
        }
    }
    return changed;
}

bool frame_take(struct scene *shown, int64_t *shown_since_us, const struct scene *next, int64_t now_us) {
    if (now_us - *shown_since_us < FRAME_SCENE_US)
        return false;
    *shown = *next;
    *shown_since_us = now_us;
    return true;
}
