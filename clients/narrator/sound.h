// Samples in memory: mono, 16 bit, one rate for everything.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOUND_RATE = 22050 }; // what espeak-ng makes

struct sound {
    unsigned refs;
    size_t n;
    int16_t sample[];
};
struct sound *sound_room(size_t n); // one user, samples to be filled
struct sound *sound_create(const int16_t *sample, size_t n);
struct sound *sound_ref(struct sound *sound);
void sound_unref(struct sound *sound); // NULL allowed

static inline int64_t sound_us(size_t n) {
    return (int64_t)n * 1000000 / SOUND_RATE;
}
static inline size_t sound_samples(int64_t us) {
    return us > 0 ? (size_t)(us * SOUND_RATE / 1000000) : 0;
}
// Takes silence off both ends, keeps pauses short, and brings the loudest sample to `peak` (0..1), so that
// voices of all languages and recordings are equally loud. NULL if there is nothing to be heard.
struct sound *sound_trim(const int16_t *sample, size_t n, double peak);

// RIFF WAVE, PCM 16 bit, one or two channels, 8 to 96 kHz; at most ten minutes.
enum error_code wav_read(const char *path, struct sound **ret, struct error *err);
enum error_code wav_parse(const char *name, const uint8_t *data, size_t len, struct sound **ret,
                          struct error *err); // the bytes of a file
struct wav_writer;
enum error_code wav_create(const char *path, struct wav_writer **ret, struct error *err);
void wav_write(struct wav_writer *writer, const int16_t *sample, size_t n);
// Not OK: something could not be written. NULL allowed.
enum error_code wav_finish(struct wav_writer *writer, struct error *err);
