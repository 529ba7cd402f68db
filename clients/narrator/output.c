#include "output.h"
#include "core/log.h"
#include <alsa/asoundlib.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_US = 10000, CHUNK = 1024, SETTLE_US = 30000 };

struct output {
    struct output_options o;
    struct loop_timer tick;
    snd_pcm_t *card; // NULL: none, or a file
    struct wav_writer *file;
    int64_t start_us; // of the samples counted in `written`
    uint64_t written;
    int64_t retry_us;
    bool complained, plays; // plays: the card has taken something
    bool keeps_time;        // it plays no faster than the clock
    int64_t opened_us;
};

static void on_tick(void *ctx);

// ---- the card

static void close_card(struct output *out) {
    if (out->card)
        snd_pcm_close(out->card);
    out->card = NULL;
}

static void lose_card(struct output *out, int code) {
    if (!out->complained)
        log_warning("sound", "no sound: %s device=%s; trying again", snd_strerror(code), out->o.device);
    out->complained = true;
    close_card(out);
    snd_config_update_free_global(); // somebody may put the card's name right meanwhile
    out->retry_us = loop_now_us(out->o.loop) + out->o.retry_us;
}

static void quiet(const char *file, int line, const char *function, int err, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)err, (void)format; // what matters is in the return code
}

static void open_card(struct output *out) {
    int code = snd_pcm_open(&out->card, out->o.device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
    if (code < 0)
        out->card = NULL;
    else
        code = snd_pcm_set_params(out->card, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, 1, SOUND_RATE,
                                  1, (unsigned)out->o.ahead_us * 2);
    if (code < 0) {
        lose_card(out, code);
        return;
    }
    out->plays = false;
    out->start_us = out->opened_us = loop_now_us(out->o.loop);
    out->written = 0;
    out->keeps_time = true;
}

// A card that can be opened and takes nothing is none: that it plays is said when it does.
static void took(struct output *out) {
    if (out->plays)
        return;
    log_info("sound", "playing device=%s", out->o.device);
    out->plays = true;
    out->complained = false;
}

// Samples that wait in the card. A plugin that writes a file has none: it takes what it gets at once.
static snd_pcm_sframes_t delay_of(struct output *out) {
    snd_pcm_sframes_t delay = 0;
    int code = snd_pcm_delay(out->card, &delay);
    if (code == -EPIPE || code == -ESTRPIPE) {
        if ((code = snd_pcm_recover(out->card, code, 1)) < 0)
            return code;
        out->start_us = loop_now_us(out->o.loop);
        out->written = 0;
        return 0;
    }
    return code < 0 ? code : delay < 0 ? 0 : delay;
}

// How many samples the clock says have not been heard yet, of those that were written.
static int64_t ahead_by_clock(const struct output *out, int64_t now) {
    return (int64_t)out->written - (int64_t)sound_samples(now - out->start_us);
}

static void feed_card(struct output *out) {
    int64_t now = loop_now_us(out->o.loop);
    int64_t want = (int64_t)sound_samples(out->o.ahead_us), ahead = delay_of(out);
    if (ahead < 0) {
        lose_card(out, (int)ahead);
        return;
    }
    if (out->keeps_time && now - out->opened_us > SETTLE_US && ahead == 0 &&
        ahead_by_clock(out, now) > want / 4)
        out->keeps_time = false;
    if (!out->keeps_time)
        ahead = ahead_by_clock(out, now);
    int16_t chunk[CHUNK];
    while (ahead < want) {
        size_t n = want - ahead < CHUNK ? (size_t)(want - ahead) : CHUNK;
        snd_pcm_sframes_t room = snd_pcm_avail_update(out->card);
        if (room >= 0 && room < (snd_pcm_sframes_t)n)
            n = (size_t)room;
        if (!n)
            return;
        mixer_fill(out->o.mixer, now + sound_us(ahead > 0 ? (size_t)ahead : 0), chunk, n);
        snd_pcm_sframes_t done = snd_pcm_writei(out->card, chunk, n);
        if (done < 0 && (done = snd_pcm_recover(out->card, (int)done, 1)) < 0) {
            lose_card(out, (int)done);
            return;
        }
        if (done > 0)
            took(out);
        out->written += n;
        ahead += (int64_t)n;
        if (!out->keeps_time && ahead < 0) { // far behind after a stop of the whole program
            out->start_us = now;
            out->written = 0;
            return;
        }
    }
}

// Without a card time passes all the same: what was to be said then is not said later in one go.
static void feed_nobody(struct output *out) {
    int64_t now = loop_now_us(out->o.loop);
    int16_t chunk[CHUNK];
    if (ahead_by_clock(out, now) < -SOUND_RATE) {
        out->start_us = now;
        out->written = 0;
    }
    while (ahead_by_clock(out, now) < 0) {
        mixer_fill(out->o.mixer, now, chunk, SOUND_RATE / 100);
        out->written += SOUND_RATE / 100;
    }
}

// ---- the file

void output_tick(struct output *out) {
    int16_t chunk[CHUNK];
    if (!out->file)
        return;
    int64_t now = loop_now_us(out->o.loop);
    for (int64_t due = (int64_t)sound_samples(now) - (int64_t)out->written; due > 0;) {
        size_t n = due < CHUNK ? (size_t)due : CHUNK;
        mixer_fill(out->o.mixer, sound_us(out->written), chunk, n);
        wav_write(out->file, chunk, n);
        out->written += n;
        due -= (int64_t)n;
    }
}

static void on_tick(void *ctx) {
    struct output *out = ctx;
    int64_t now = loop_now_us(out->o.loop);
    loop_timer_start(out->o.loop, &out->tick, now + TICK_US, on_tick, out);
    if (out->file) {
        output_tick(out);
        return;
    }
    if (!out->card && now >= out->retry_us)
        open_card(out);
    if (out->card)
        feed_card(out);
    else
        feed_nobody(out);
}

// ---- life

enum error_code output_create(const struct output_options *options, struct output **ret, struct error *err) {
    struct output *out = calloc(1, sizeof *out);
    if (!out)
        log_no_memory("voice");
    out->o = *options;
    *ret = out;
    if (options->file && wav_create(options->file, &out->file, err))
        return err->code;
    if (!options->file)
        snd_lib_error_set_handler(quiet);
    out->start_us = loop_now_us(options->loop);
    loop_timer_start(options->loop, &out->tick, out->start_us, on_tick, out);
    return ERROR_OK;
}

enum error_code output_destroy(struct output *out, struct error *err) {
    if (!out)
        return ERROR_OK;
    loop_timer_stop(out->o.loop, &out->tick);
    if (out->card)
        snd_pcm_drop(out->card);
    close_card(out);
    snd_config_update_free_global();
    enum error_code code = wav_finish(out->file, err);
    free(out);
    return code;
}
