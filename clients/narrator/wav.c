// RIFF WAVE in and out. What comes in is somebody's recording: every length is checked.
#include "core/log.h"
#include "sound.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SECONDS_MAX = 600, HEADER = 44 };

static uint32_t le(const uint8_t *at, unsigned bytes) {
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

struct format {
    unsigned channels, rate;
};

// Nearest sample is enough for speech above 8 kHz: between two it takes the line.
static struct sound *convert(const uint8_t *data, size_t frames, const struct format *f) {
    size_t n = (size_t)((uint64_t)frames * SOUND_RATE / f->rate);
    int16_t *mono = calloc(frames + 1, sizeof *mono);
    if (!mono)
        log_no_memory("voice");
    struct sound *sound = sound_room(n);
    for (size_t i = 0; i < frames; i++) {
        int32_t sum = 0;
        for (unsigned c = 0; c < f->channels; c++)
            sum += (int16_t)le(data + 2 * (i * f->channels + c), 2);
        mono[i] = (int16_t)(sum / (int32_t)f->channels);
    }
    mono[frames] = frames ? mono[frames - 1] : 0;
    for (size_t i = 0; i < n; i++) {
        double at = (double)i * f->rate / SOUND_RATE;
        size_t k = (size_t)at < frames ? (size_t)at : frames - 1;
        sound->sample[i] = (int16_t)(mono[k] + (mono[k + 1] - mono[k]) * (at - (double)k));
    }
    free(mono);
    return sound;
}

enum error_code wav_parse(const char *path, const uint8_t *data, size_t len, struct sound **ret,
                          struct error *err) {
    struct format f = {0};
    if (len < 12 || memcmp(data, "RIFF", 4) != 0 || memcmp(data + 8, "WAVE", 4) != 0)
        return error_set(err, ERROR_INVALID, path, "this is no WAVE file");
    for (size_t at = 12; at + 8 <= len;) {
        size_t size = le(data + at + 4, 4), left = len - at - 8;
        const uint8_t *body = data + at + 8;
        if (!memcmp(data + at, "fmt ", 4) && size >= 16 && left >= 16) {
            f = (struct format){le(body + 2, 2), le(body + 4, 4)};
            if (le(body, 2) != 1 || le(body + 14, 2) != 16 || f.channels < 1 || f.channels > 2 ||
                f.rate < 8000 || f.rate > 96000)
                return error_set(err, ERROR_INVALID, path, "only PCM of 16 bit, mono or stereo, 8 to 96 kHz");
        } else if (!memcmp(data + at, "data", 4) && f.rate) {
            size_t frames = (size < left ? size : left) / 2 / f.channels;
            if (!frames || frames > (size_t)f.rate * SECONDS_MAX)
                return error_set(err, ERROR_INVALID, path,
                                 frames ? "longer than ten minutes" : "nothing is in it");
            *ret = convert(body, frames, &f);
            return ERROR_OK;
        }
        if (size > left)
            break;
        at += 8 + size + (size & 1);
    }
    return error_set(err, ERROR_INVALID, path, "no sound is in it");
}

enum error_code wav_read(const char *path, struct sound **ret, struct error *err) {
    FILE *file = fopen(path, "re");
    struct stat is;
    if (!file || fstat(fileno(file), &is)) {
        if (file)
            fclose(file);
        return error_set(err, ERROR_NOT_FOUND, path, "%s", strerror(errno));
    }
    if (!S_ISREG(is.st_mode) || is.st_size > (off_t)SECONDS_MAX * 96000 * 4) {
        fclose(file);
        return error_set(err, ERROR_INVALID, path, "no file, or longer than ten minutes");
    }
    uint8_t *data = malloc((size_t)is.st_size + 1);
    size_t len = data ? fread(data, 1, (size_t)is.st_size, file) : 0;
    fclose(file);
    if (!data)
        log_no_memory("voice");
    enum error_code code = wav_parse(path, data, len, ret, err);
    free(data);
    return code;
}

// ---- out

struct wav_writer {
    FILE *file;
    char path[512];
    uint32_t bytes;
    bool failed;
};

static void put_le(uint8_t *at, uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_header(struct wav_writer *w) {
    uint8_t h[HEADER] = "RIFF....WAVEfmt ";
    put_le(h + 4, HEADER - 8 + w->bytes, 4);
    put_le(h + 16, 16, 4);
    put_le(h + 20, 1, 2);
    put_le(h + 22, 1, 2);
    put_le(h + 24, SOUND_RATE, 4);
    put_le(h + 28, SOUND_RATE * 2, 4);
    put_le(h + 32, 2, 2);
    put_le(h + 34, 16, 2);
    put_le(h + 36, 0x61746164, 4); // "data"
    put_le(h + 40, w->bytes, 4);
    w->failed |= fwrite(h, sizeof h, 1, w->file) != 1;
}

enum error_code wav_create(const char *path, struct wav_writer **ret, struct error *err) {
    struct wav_writer *w = calloc(1, sizeof *w);
    if (!w)
        log_no_memory("voice");
    w->file = fopen(path, "we");
    if (!w->file) {
        free(w);
        return error_set(err, ERROR_INVALID, path, "cannot be written: %s", strerror(errno));
    }
    snprintf(w->path, sizeof w->path, "%s", path);
    put_header(w);
    *ret = w;
    return ERROR_OK;
}

void wav_write(struct wav_writer *w, const int16_t *sample, size_t n) {
    uint8_t bytes[2 * 512] = {0};
    for (size_t i = 0; i < n;) {
        size_t take = n - i < 512 ? n - i : 512;
        for (size_t k = 0; k < take; k++)
            put_le(bytes + 2 * k, (uint16_t)sample[i + k], 2);
        w->failed |= fwrite(bytes, 2, take, w->file) != take;
        w->bytes += (uint32_t)(2 * take);
        i += take;
    }
}

enum error_code wav_finish(struct wav_writer *w, struct error *err) {
    if (!w)
        return ERROR_OK;
    bool failed = w->failed | (fseek(w->file, 0, SEEK_SET) != 0);
    put_header(w);
    failed |= w->failed | (fclose(w->file) != 0);
    enum error_code code = failed ? error_set(err, ERROR_STORAGE, w->path, "not all could be written")
                                  : ERROR_OK;
    free(w);
    return code;
}
