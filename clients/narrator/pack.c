#include "pack.h"
#include "library.h"
#include "room/lines.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const languages[] = {"en", "es", "it", "zh"};
enum { LANGUAGES = sizeof languages / sizeof *languages, SEATS = 12 };

// What makes a line long: the highest seat, a number of two digits, the longest names.
static struct phrase_arg long_argument(char type) {
    switch (type) {
    case 's':
        return (struct phrase_arg){'s', "s12", ""};
    case 'k':
        return (struct phrase_arg){'k', "paranormal_investigator", ""};
    case 'p':
        return (struct phrase_arg){'p', "planet.p10", ""};
    default:
        return (struct phrase_arg){'n', "12", ""};
    }
}

static int fail(const struct error *err) {
    fprintf(stderr, "table-narrator: %s: %s\n", err->where, err->text);
    return 1;
}

static void length_of(struct library *library, char *row, const char *language) {
    struct library_line line = {.language = language};
    char *field[4] = {row}, text[512];
    for (int i = 1; i < 4; i++) {
        field[i] = strchr(field[i - 1], '\t');
        if (!field[i])
            return;
        *field[i]++ = '\0';
    }
    line.game = field[0];
    line.id = field[1];
    line.sentence = field[3];
    for (; line.n_args < 4 && field[2][line.n_args]; line.n_args++)
        line.args[line.n_args] = long_argument(field[2][line.n_args]);
    struct sound *sound = library_line(library, &line, text, sizeof text);
    printf("%s\t%s\t%s\t%lld\t%s\n", line.game, line.id, language,
           sound ? (long long)sound_us(sound->n) / 1000 : -1, text);
    sound_unref(sound);
}

int pack_lengths(int argc, char **argv) {
    (void)argc, (void)argv;
    struct error err;
    char *row = NULL, copy[1024];
    size_t cap = 0;
    const struct library_options options = {.pack = NULL};
    if (speech_open(&err))
        return fail(&err);
    struct library *library = library_create(&options);
    while (getline(&row, &cap, stdin) > 0) {
        row[strcspn(row, "\n")] = '\0';
        for (int l = 0; l < LANGUAGES; l++) {
            snprintf(copy, sizeof copy, "%s", row);
            length_of(library, copy, languages[l]);
        }
    }
    free(row);
    library_destroy(library);
    speech_close();
    return 0;
}

// ---- a pack

static enum error_code make_folders(const char *path, struct error *err) {
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *at = strchr(folder + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (mkdir(folder, 0777) && errno != EEXIST)
            return error_set(err, ERROR_INVALID, folder, "%s", strerror(errno));
        *at = '/';
    }
    return ERROR_OK;
}

static enum error_code write_line(struct library *library, const char *dir, const struct library_line *line,
                                  struct error *err) {
    char below[256], path[1024], text[512];
    struct sound *sound = library_line(library, line, text, sizeof text);
    struct wav_writer *w = NULL;
    library_path(line, below, sizeof below);
    snprintf(path, sizeof path, "%s/%s", dir, below);
    if (!sound)
        return ERROR_OK; // nothing to be heard in this language
    if (make_folders(path, err) || wav_create(path, &w, err)) {
        sound_unref(sound);
        return err->code;
    }
    wav_write(w, sound->sample, sound->n);
    sound_unref(sound);
    return wav_finish(w, err);
}

// A line without arguments is one file, one about a seat twelve; what has more is spoken.
static enum error_code write_row(struct library *library, const char *dir, const char *language,
                                 const struct lines_row *row, struct error *err) {
    struct library_line line = {
        .language = language, .game = row->game, .id = row->id, .sentence = row->text};
    char seat[8];
    if (!*row->args)
        return write_line(library, dir, &line, err);
    if (strcmp(row->args, "s") != 0)
        return ERROR_OK;
    line.n_args = 1;
    line.args[0] = (struct phrase_arg){'s', seat, ""};
    for (int i = 1; i <= SEATS; i++) {
        snprintf(seat, sizeof seat, "s%d", i);
        if (write_line(library, dir, &line, err))
            return err->code;
    }
    return ERROR_OK;
}

int pack_write(int argc, char **argv) {
    struct error err;
    const struct library_options options = {.pack = NULL};
    if (argc < 1 || argv[0][0] == '-') {
        fputs("table-narrator pack DIR [LANGUAGE...]\n", stderr);
        return 2;
    }
    if (speech_open(&err))
        return fail(&err);
    struct library *library = library_create(&options);
    int code = 0, n = argc > 1 ? argc - 1 : LANGUAGES;
    for (int l = 0; l < n && !code; l++)
        for (size_t i = 0; lines_at(i) && !code; i++)
            if (write_row(library, argv[0], argc > 1 ? argv[l + 1] : languages[l], lines_at(i), &err))
                code = fail(&err);
    library_destroy(library);
    speech_close();
    return code;
}
