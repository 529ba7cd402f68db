#include "mixer.h"
#include "core/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 64, BLOCK = 64, FADE = SOUND_RATE * 30 / 1000, WHISPER = 6 };
static const double bed_seconds = 1.5, duck_seconds = 0.08;

struct mixer {
    struct mixer_options o;
    void (*report)(void *ctx, const struct mixer_report *report);
    void *ctx;
    size_t n;
    struct mixer_item waiting[WAITING_MAX]; // in the order they were said
    struct mixer_item now;
    size_t at;             // in now.sound
    size_t fade;           // samples left of a voice that was cut; 0 = it is whole
    int64_t free_us;       // no next sentence before
    int64_t silent, awake; // samples of nothing, and of something, up to now
    bool bed;
    double bed_level, duck_level;
    double brown, smooth;
    uint64_t dice;
};

struct mixer *mixer_create(const struct mixer_options *options,
                           void (*report)(void *ctx, const struct mixer_report *report), void *ctx) {
    struct mixer *m = calloc(1, sizeof *m);
    if (!m)
        log_no_memory("voice");
    *m = (struct mixer){
        .o = *options, .report = report, .ctx = ctx, .duck_level = 1, .dice = 88172645463325252};
    m->silent = INT64_MAX / 2; // asleep to begin with
    return m;
}

void mixer_destroy(struct mixer *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->n; i++)
        sound_unref(m->waiting[i].sound);
    sound_unref(m->now.sound);
    free(m);
}

static void tell(struct mixer *m, const struct mixer_item *item, int64_t at_us, int what) {
    struct mixer_report r = {.item = item, .at_us = at_us};
    r.what = what;
    if (m->report)
        m->report(m->ctx, &r);
}

// ---- the queue

static void remove_at(struct mixer *m, size_t i) {
    m->n--;
    memmove(&m->waiting[i], &m->waiting[i + 1], (m->n - i) * sizeof *m->waiting);
}

static void drop_at(struct mixer *m, size_t i, int64_t at_us) {
    tell(m, &m->waiting[i], at_us, MIXER_DROPPED);
    sound_unref(m->waiting[i].sound);
    remove_at(m, i);
}

void mixer_say(struct mixer *m, const struct mixer_item *item) {
    if (m->n == WAITING_MAX) {
        size_t least = 0;
        for (size_t i = 1; i < m->n; i++)
            if (m->waiting[i].priority < m->waiting[least].priority)
                least = i;
        drop_at(m, least, item->due_us);
    }
    m->waiting[m->n] = *item;
    sound_ref(m->waiting[m->n++].sound);
}

void mixer_cancel(struct mixer *m) {
    while (m->n)
        drop_at(m, 0, m->waiting[0].due_us);
    if (m->now.sound && !m->fade)
        m->fade = FADE;
}

void mixer_bed(struct mixer *m, bool on) {
    m->bed = on;
}

bool mixer_idle(const struct mixer *m) {
    return !m->n && !m->now.sound;
}

// The most urgent of those that are due, of equals the one that is due first, then the one said first (B125).
static int choose(struct mixer *m, int64_t at_us) {
    int best = -1;
    for (size_t i = 0; i < m->n; i++) {
        const struct mixer_item *x = &m->waiting[i], *b = best < 0 ? NULL : &m->waiting[best];
        if (x->drop_us && at_us > x->drop_us)
            drop_at(m, i--, at_us);
        else if (x->due_us <= at_us &&
                 (!b || x->priority > b->priority || (x->priority == b->priority && x->due_us < b->due_us)))
            best = (int)i;
    }
    return best;
}

// A voice may begin when the sink is awake; while it wakes, it hears a whisper. Returns whether it whispers.
static bool begin_next(struct mixer *m, int64_t at_us) {
    int next;
    if (m->now.sound || (next = choose(m, at_us)) < 0)
        return false;
    if (at_us < m->free_us &&
        m->waiting[next].priority != MIXER_NIGHT) // a night begins its lines to the moment
        return false;
    if (m->silent >= (int64_t)sound_samples(m->o.sleep_us))
        m->awake = 0;
    if (sound_us((size_t)m->awake) < m->o.lead_in_us)
        return true;
    m->now = m->waiting[next];
    m->at = m->fade = 0;
    remove_at(m, (size_t)next);
    tell(m, &m->now, at_us, MIXER_BEGUN);
    return false;
}

static void end_now(struct mixer *m, int64_t at_us, int what) {
    struct mixer_item over = m->now;
    m->now.sound = NULL;
    m->free_us = at_us + m->o.gap_us;
    tell(m, &over, at_us, what);
    sound_unref(over.sound);
}

// ---- samples

static double white(struct mixer *m) {
    m->dice ^= m->dice << 13;
    m->dice ^= m->dice >> 7;
    m->dice ^= m->dice << 17;
    return (double)(int64_t)m->dice / 9223372036854775808.0;
}

// Brown noise through one more pole: no hiss, no rumble that a small speaker would rattle with. As loud as a
// voice at 1, so 0.16 is the 16 dB below it that evenings 4 asks for; within +-1.
static double bed_sample(struct mixer *m) {
    m->brown = 0.985 * m->brown + 0.055 * white(m);
    m->smooth += 0.25 * (m->brown - m->smooth);
    double x = 0.78 * m->smooth;
    return x > 1 ? 1 : x < -1 ? -1 : x;
}

static double voice_sample(struct mixer *m, int64_t at_us) {
    if (!m->now.sound)
        return 0;
    double x = m->now.sound->sample[m->at++];
    if (m->fade) {
        x *= (double)m->fade / FADE;
        if (--m->fade == 0) {
            end_now(m, at_us, MIXER_CUT);
            return x;
        }
    }
    if (m->at == m->now.sound->n)
        end_now(m, at_us, MIXER_ENDED);
    return x;
}

static void towards(double *level, double target, double seconds) {
    double step = 1.0 / (seconds * SOUND_RATE);
    *level = *level < target ? fmin(target, *level + step) : fmax(target, *level - step);
}

static int16_t one_sample(struct mixer *m, bool whisper, int64_t at_us) {
    bool speaks = m->now.sound != NULL;
    double x = voice_sample(m, at_us) * m->o.volume;
    towards(&m->bed_level, m->bed ? 1 : 0, bed_seconds);
    towards(&m->duck_level, speaks ? m->o.duck : 1, duck_seconds);
    if (m->bed_level > 0 && m->o.bed_volume > 0)
        x += bed_sample(m) * 0.6 * 32767 * m->o.volume * m->o.bed_volume * m->bed_level * m->duck_level;
    else if (whisper || m->o.keep_awake)
        x += white(m) * WHISPER;
    return (int16_t)lrint(fmax(-32767, fmin(32767, x)));
}

void mixer_fill(struct mixer *m, int64_t at_us, int16_t *ret, size_t n) {
    for (size_t i = 0; i < n;) {
        bool whisper = begin_next(m, at_us + sound_us(i));
        size_t end = i + BLOCK < n ? i + BLOCK : n;
        for (; i < end; i++) {
            ret[i] = one_sample(m, whisper, at_us + sound_us(i + 1));
            m->silent = ret[i] ? 0 : m->silent + 1;
            m->awake = ret[i] || whisper || m->bed_level > 0 ? m->awake + 1 : m->awake;
        }
    }
}
