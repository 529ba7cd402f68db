// Sentences to samples by libespeak-ng. One voice engine a process; synchronous: a sentence takes
// milliseconds.
#pragma once
#include "sound.h"

struct speech_voice {
    char voice[64]; // name or file of an espeak voice; "" = the language's own
    int speed;      // words a minute
    int pitch;      // 0 to 100
};
// Once in a process: espeak-ng does not begin again after speech_close.
enum error_code speech_open(struct error *err);
void speech_close(void);
// NULL: this voice is not there, or nothing was to be heard.
struct sound *speech_say(const char *language, const struct speech_voice *voice, const char *text);
