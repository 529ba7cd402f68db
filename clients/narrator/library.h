// From words to samples: a recorded pack where it has the line, else speech; what was made is kept.
#pragma once
#include "room/lines.h"
#include "speech.h"

struct library_options {
    const char *pack; // folder LANG/GAME/ID.wav, or LANG/ID.wav; NULL = none
    struct speech_voice (*voice)(void *ctx, const char *language);
    void *ctx;
};
struct library;
struct library *library_create(const struct library_options *options);
void library_destroy(struct library *library); // NULL allowed

struct library_line {
    const char *language, *game, *id;
    const char *sentence; // English, with {0}..; NULL = say `text` as it is
    const char *text;     // in the table's own language
    const char *text_language;
    unsigned n_args;
    struct phrase_arg args[LINES_ARGS_MAX];
};
// One user for the caller; NULL: nothing can be heard (said in the log). `ret_text` gets what is said.
struct sound *library_line(struct library *library, const struct library_line *line, char *ret_text,
                           size_t cap);
struct sound *library_text(struct library *library, const char *language, const char *text);
// The file of a line in a pack, below its folder: en/one_night/dies-s3.wav
size_t library_path(const struct library_line *line, char *ret, size_t cap);
