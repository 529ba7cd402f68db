// Somebody's recordings: any bytes give a sound or an error.
#include "narrator/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sound *sound = NULL;
    struct error err;
    if (wav_parse("fuzz.wav", data, size, &sound, &err) == ERROR_OK) {
        sound_unref(sound_trim(sound->sample, sound->n, 0.6));
        sound_unref(sound);
    }
    return 0;
}
