#include "speech.h"
#include "core/log.h"
#include <espeak-ng/speak_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = SOUND_RATE * 60 };
static const double peak = 0.6; // leaves room for the bed: nothing ever clips

static struct {
    bool open;
    char voice[64];
    int16_t *samples;
    size_t n;
} engine;

static int take(short *wav, int n, espeak_EVENT *events) {
    (void)events;
    if (!wav || n <= 0)
        return 0;
    size_t room = SAMPLES_MAX - engine.n, more = (size_t)n < room ? (size_t)n : room;
    memcpy(engine.samples + engine.n, wav, more * sizeof *wav);
    engine.n += more;
    return more < (size_t)n;
}

enum error_code speech_open(struct error *err) {
    int rate = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, NULL, espeakINITIALIZE_DONT_EXIT);
    if (rate != SOUND_RATE)
        return error_set(err, ERROR_INTERNAL, "espeak-ng",
                         rate < 0 ? "its data is not installed" : "it has another sample rate");
    espeak_SetSynthCallback(take);
    engine.samples = malloc(SAMPLES_MAX * sizeof *engine.samples);
    if (!engine.samples)
        log_no_memory("voice");
    engine.open = true;
    return ERROR_OK;
}

void speech_close(void) {
    if (engine.open)
        espeak_Terminate();
    free(engine.samples);
    memset(&engine, 0, sizeof engine);
}

// What a language is spoken with unless the configuration says otherwise. Mandarin's other voice reads the
// tones of its own dictionary as English words.
static const struct {
    const char *language, *voice;
    int speed;
} usual[] = {{"en", "en", 168}, {"es", "es", 178}, {"it", "it", 180}, {"zh", "cmn-latn-pinyin", 215}};

static unsigned usual_row(const char *language) {
    for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++)
        if (!strncmp(language, usual[i].language, 2))
            return i;
    return 0;
}

static bool choose(const char *language, const struct speech_voice *v) {
    const char *name = v && *v->voice ? v->voice : usual[usual_row(language)].voice;
    if (!strcmp(engine.voice, name))
        return true;
    if (espeak_SetVoiceByName(name) != EE_OK) {
        log_warning("speech", "there is no voice `%s`", name);
        return false;
    }
    snprintf(engine.voice, sizeof engine.voice, "%s", name);
    return true;
}

struct sound *speech_say(const char *language, const struct speech_voice *voice, const char *text) {
    if (!engine.open || !*text || !choose(language, voice))
        return NULL;
    espeak_SetParameter(espeakRATE, voice && voice->speed ? voice->speed : usual[usual_row(language)].speed,
                        0);
    espeak_SetParameter(espeakPITCH, voice && voice->pitch ? voice->pitch : 45, 0);
    espeak_SetParameter(espeakVOLUME, 80, 0); // far from its own limiter; made loud afterwards
    engine.n = 0;
    if (espeak_Synth(text, strlen(text) + 1, 0, POS_CHARACTER, 0, espeakCHARS_UTF8, NULL, NULL) != EE_OK)
        return NULL;
    return sound_trim(engine.samples, engine.n, peak);
}
