#include "sound.h"
#include "core/log.h"
#include <stdlib.h>
#include <string.h>

enum { QUIET = 160, EDGE_MS = 15, PAUSE_MS = 180 };

struct sound *sound_room(size_t n) {
    struct sound *sound = malloc(sizeof *sound + n * sizeof *sound->sample);
    if (!sound)
        log_no_memory("voice");
    sound->refs = 1;
    sound->n = n;
    return sound;
}

struct sound *sound_create(const int16_t *sample, size_t n) {
    struct sound *sound = sound_room(n);
    if (n)
        memcpy(sound->sample, sample, n * sizeof *sample);
    return sound;
}

struct sound *sound_ref(struct sound *sound) {
    sound->refs++;
    return sound;
}

void sound_unref(struct sound *sound) {
    if (sound && !--sound->refs)
        free(sound);
}

static bool loud(int16_t sample) {
    return sample > QUIET || sample < -QUIET;
}

// A voice rests long between two sentences of one line; a window of the night does not wait.
static void shorten_pauses(struct sound *sound) {
    size_t most = SOUND_RATE * PAUSE_MS / 1000, out = 0, quiet = 0;
    for (size_t i = 0; i < sound->n; i++) {
        quiet = loud(sound->sample[i]) ? 0 : quiet + 1;
        if (quiet <= most)
            sound->sample[out++] = sound->sample[i];
    }
    sound->n = out;
}

struct sound *sound_trim(const int16_t *sample, size_t n, double peak) {
    size_t edge = SOUND_RATE * EDGE_MS / 1000, from = 0, to = n;
    int32_t most = 1;
    while (from < n && !loud(sample[from]))
        from++;
    while (to > from && !loud(sample[to - 1]))
        to--;
    if (from == to)
        return NULL;
    from = from > edge ? from - edge : 0;
    to = to + edge < n ? to + edge : n;
    struct sound *sound = sound_create(sample + from, to - from);
    shorten_pauses(sound);
    for (size_t i = 0; i < sound->n; i++) {
        int32_t level = sound->sample[i] < 0 ? -(int32_t)sound->sample[i] : sound->sample[i];
        most = level > most ? level : most;
    }
    for (size_t i = 0; i < sound->n; i++)
        sound->sample[i] = (int16_t)(sound->sample[i] * (peak * 32767.0 / most));
    return sound;
}
