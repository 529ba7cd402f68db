// Where the mixer's samples go: a sound card, kept fed from the loop, or a file on the virtual clock.
#pragma once
#include "core/loop.h"
#include "mixer.h"

struct output;
struct output_options {
    struct loop *loop;
    struct mixer *mixer;
    const char *device; // ALSA; NULL with a file
    int64_t ahead_us;   // samples that wait in the card
    int64_t retry_us;
    const char *file; // WAVE
};
// A card that is not there is tried again and again; a file that cannot be written is an error.
enum error_code output_create(const struct output_options *options, struct output **ret, struct error *err);
void output_tick(struct output *output);                                  // brings a file up to now
enum error_code output_destroy(struct output *output, struct error *err); // NULL allowed
