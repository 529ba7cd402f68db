#include "library.h"
#include "core/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 512, BYTES_MAX = 24 << 20, TEXT_MAX = 512, PATH_LEN = 1024 };

struct slot {
    char *key;
    struct sound *sound;
    uint64_t used;
};
struct library {
    struct library_options o;
    struct slot slot[SLOTS];
    size_t bytes;
    uint64_t clock;
};

struct library *library_create(const struct library_options *options) {
    struct library *l = calloc(1, sizeof *l);
    if (!l)
        log_no_memory("voice");
    l->o = *options;
    return l;
}

static void empty(struct library *l, struct slot *slot) {
    if (!slot->key)
        return;
    l->bytes -= slot->sound->n * sizeof(int16_t);
    sound_unref(slot->sound);
    free(slot->key);
    *slot = (struct slot){0};
}

void library_destroy(struct library *l) {
    if (!l)
        return;
    for (size_t i = 0; i < SLOTS; i++)
        empty(l, &l->slot[i]);
    free(l);
}

// ---- what was made is kept, the least used goes

static struct sound *find(struct library *l, const char *key) {
    for (size_t i = 0; i < SLOTS; i++)
        if (l->slot[i].key && !strcmp(l->slot[i].key, key)) {
            l->slot[i].used = ++l->clock;
            return sound_ref(l->slot[i].sound);
        }
    return NULL;
}

static void keep(struct library *l, const char *key, struct sound *sound) {
    struct slot *to = NULL;
    size_t bytes = sound->n * sizeof(int16_t);
    if (bytes > BYTES_MAX / 4)
        return;
    do {
        struct slot *oldest = NULL;
        to = NULL;
        for (size_t i = 0; i < SLOTS; i++) {
            if (!l->slot[i].key)
                to = &l->slot[i];
            else if (!oldest || l->slot[i].used < oldest->used)
                oldest = &l->slot[i];
        }
        if (!to || l->bytes + bytes > BYTES_MAX)
            empty(l, oldest);
    } while (!to || l->bytes + bytes > BYTES_MAX);
    *to = (struct slot){strdup(key), sound_ref(sound), ++l->clock};
    if (!to->key)
        log_no_memory("voice");
    l->bytes += bytes;
}

// ---- speech

struct sound *library_text(struct library *l, const char *language, const char *text) {
    char key[TEXT_MAX + 32];
    snprintf(key, sizeof key, "%.16s %s", language, text);
    struct sound *sound = find(l, key);
    if (sound)
        return sound;
    struct speech_voice voice = l->o.voice ? l->o.voice(l->o.ctx, language) : (struct speech_voice){0};
    sound = speech_say(language, &voice, text);
    if (sound)
        keep(l, key, sound);
    else
        log_warning("voice", "nothing to be heard language=%s", language);
    return sound;
}

// ---- recordings

static bool is_word(const char *text) {
    return *text && !strchr(text, '/') && *text != '.';
}

size_t library_path(const struct library_line *line, char *ret, size_t cap) {
    int n = snprintf(ret, cap, "%s/%s%s%s", line->language, line->game, *line->game ? "/" : "", line->id);
    for (unsigned i = 0; i < line->n_args && n > 0 && (size_t)n < cap; i++)
        n += snprintf(ret + n, cap - (size_t)n, "-%s", line->args[i].value);
    if (n > 0 && (size_t)n < cap)
        n += snprintf(ret + n, cap - (size_t)n, ".wav");
    return (size_t)n;
}

static bool safe(const struct library_line *line) {
    bool ok = is_word(line->language) && is_word(line->id) && (!*line->game || is_word(line->game));
    for (unsigned i = 0; i < line->n_args; i++)
        ok &= is_word(line->args[i].value);
    return ok;
}

// A clip that is empty, broken or missing is spoken instead; the night goes on in time (B126).
static struct sound *recorded(struct library *l, const struct library_line *line) {
    char below[256], path[PATH_LEN];
    struct library_line plain = *line;
    struct error err;
    struct sound *raw, *sound = NULL;
    if (!l->o.pack || !safe(line))
        return NULL;
    for (int i = 0; i < 2; i++, plain.game = "") {
        library_path(&plain, below, sizeof below);
        snprintf(path, sizeof path, "%s/%s", l->o.pack, below);
        if (access(path, F_OK))
            continue;
        if ((sound = find(l, path)))
            return sound;
        if (wav_read(path, &raw, &err)) {
            log_warning("voice", "a recording is spoken instead: %s: %s", err.where, err.text);
            return NULL;
        }
        sound = sound_trim(raw->sample, raw->n, 0.6);
        sound_unref(raw);
        if (sound)
            keep(l, path, sound);
        else
            log_warning("voice", "a recording is silent and is spoken instead: %s", path);
        return sound;
    }
    return NULL;
}

struct sound *library_line(struct library *l, const struct library_line *line, char *ret_text, size_t cap) {
    const char *language = line->language;
    if (line->sentence) {
        phrase_fill(language, line->sentence, line->args, line->n_args, ret_text, cap);
    } else {
        snprintf(ret_text, cap, "%s", line->text);
        language = line->text_language;
    }
    struct sound *sound = recorded(l, line);
    return sound ? sound : library_text(l, language, ret_text);
}
