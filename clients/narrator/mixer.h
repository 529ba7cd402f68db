// What is heard: one voice at a time over a bed of soft noise. Knows no table and no sound card: whoever
// needs samples asks for them and says when the first of them will be heard.
#pragma once
#include "sound.h"

enum mixer_priority { MIXER_LOW, MIXER_NORMAL, MIXER_NIGHT, MIXER_URGENT };

struct mixer_options {
    double volume;      // of voices, 0..1
    double bed_volume;  // of the bed, 0..1 of the voices'; 0 = no bed
    double duck;        // of the bed under a voice, 0..1
    int64_t lead_in_us; // a sink that slept gets this much of a whisper before the first word (B123)
    int64_t sleep_us;   // ... when it has heard nothing for so long
    bool keep_awake;    // never let it sleep: the whisper goes on (B124)
    int64_t gap_us;     // least silence between two sentences
};
struct mixer_item {
    struct sound *sound;
    enum mixer_priority priority;
    int64_t due_us, drop_us; // not before; not begun after (0 = whenever)
    char name[80];           // for the records
};
// When an item begins or is over (started, ended: as heard), or was never begun.
struct mixer_report {
    const struct mixer_item *item;
    int64_t at_us;
    enum { MIXER_BEGUN, MIXER_ENDED, MIXER_CUT, MIXER_DROPPED } what;
};

struct mixer;
struct mixer *mixer_create(const struct mixer_options *options,
                           void (*report)(void *ctx, const struct mixer_report *report), void *ctx);
void mixer_destroy(struct mixer *mixer); // NULL allowed
// Takes a user of its sound. At most 64 wait: the oldest of the lowest priority gives way.
void mixer_say(struct mixer *mixer, const struct mixer_item *item);
void mixer_cancel(struct mixer *mixer); // all that waits, and the voice that speaks, within 30 ms
void mixer_bed(struct mixer *mixer, bool on);
// The first sample is heard at `at_us`.
void mixer_fill(struct mixer *mixer, int64_t at_us, int16_t *ret, size_t n);
bool mixer_idle(const struct mixer *mixer); // nothing waits and nobody speaks
