// From words to samples: recordings where they are good, speech where they are not (B126).
#include "core/log.h"
#include "narrator/library.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
// cmocka needs the three above
#include <cmocka.h>

struct bench {
    char folder[64];
    struct library *library;
    unsigned warnings;
};

static void on_log(void *ctx, enum log_level level, const char *module, const char *line) {
    (void)module, (void)line;
    ((struct bench *)ctx)->warnings += level <= LOG_LEVEL_WARNING;
}

static int set_up(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    char path[128];
    snprintf(b->folder, sizeof b->folder, "/tmp/library_test.XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    snprintf(path, sizeof path, "%s/en", b->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    const struct library_options options = {.pack = b->folder};
    b->library = library_create(&options);
    log_set_sink(on_log, b);
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    struct bench *b = *state;
    char command[128];
    library_destroy(b->library);
    log_set_sink(NULL, NULL);
    snprintf(command, sizeof command, "rm -r %s", b->folder);
    assert_int_equal(system(command), 0);
    free(b);
    return 0;
}

static void put(const struct bench *b, const char *name, const void *bytes, size_t len) {
    char path[128];
    snprintf(path, sizeof path, "%s/en/%s", b->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    if (len)
        assert_int_equal(fwrite(bytes, len, 1, file), 1);
    fclose(file);
}

// `ms` of a tone; 0 = a file without a sample in it.
static void put_tone(const struct bench *b, const char *name, int ms, int16_t level) {
    char path[128];
    struct wav_writer *w;
    snprintf(path, sizeof path, "%s/en/%s", b->folder, name);
    assert_int_equal(wav_create(path, &w, NULL), ERROR_OK);
    for (size_t i = 0; i < sound_samples(ms * INT64_C(1000)); i++) {
        int16_t sample = i / 25 % 2 ? level : (int16_t)-level;
        wav_write(w, &sample, 1);
    }
    assert_int_equal(wav_finish(w, NULL), ERROR_OK);
}

static int64_t length_ms(struct bench *b, const char *id, const char *seat) {
    struct library_line line = {.language = "en", .game = "one_night", .id = id, .sentence = "Nobody dies."};
    char text[64];
    if (seat) {
        line.n_args = 1;
        line.args[0] = (struct phrase_arg){'s', seat, ""};
    }
    struct sound *sound = library_line(b->library, &line, text, sizeof text);
    assert_non_null(sound);
    int64_t us = sound_us(sound->n);
    sound_unref(sound);
    return us / 1000;
}

static void a_recording_is_played(void **state) {
    struct bench *b = *state;
    put_tone(b, "nobody_dies.wav", 3000, 5000);
    put_tone(b, "dies-s3.wav", 2000, 5000);
    assert_in_range(length_ms(b, "nobody_dies", NULL), 2980, 3000);
    assert_in_range(length_ms(b, "dies", "s3"), 1980, 2000);
    assert_int_equal(b->warnings, 0);
}

static void b126_what_is_missing_empty_silent_or_broken_is_spoken(void **state) {
    struct bench *b = *state;
    int64_t spoken = length_ms(b, "not_recorded", NULL);
    assert_in_range(spoken, 400, 2500);
    assert_int_equal(b->warnings, 0);
    put(b, "nothing.wav", "", 0);
    put_tone(b, "empty.wav", 0, 0);
    put_tone(b, "silent.wav", 500, 3);
    put(b, "broken.wav",
        "RIFF\xff\xff\xff\x7fWAVEfmt "
        "\x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0data\xff\xff\xff\x7f",
        44);
    put(b, "text.wav", "this is no sound, whatever its name says, and long enough to be one", 66);
    static const char *const bad[] = {"nothing", "empty", "silent", "broken", "text"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(length_ms(b, bad[i], NULL), spoken);
        assert_int_equal(b->warnings, i + 1);
    }
}

static void a_name_cannot_leave_the_pack(void **state) {
    struct bench *b = *state;
    put_tone(b, "secret.wav", 3000, 5000);
    assert_in_range(length_ms(b, "../en/secret", NULL), 400, 2500);
    assert_in_range(length_ms(b, "secret", "../x"), 400, 2500);
}

static void recordings_of_any_rate_are_as_loud_and_as_long(void **state) {
    struct bench *b = *state;
    static uint8_t file[44 + 2 * 2 * 8000] =
        "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x40\x1f\0\0\0\x7d\0\0\x04\0\x10\0data";
    uint32_t bytes = sizeof file - 44;
    memcpy(file + 40, &bytes, 4); // one second, stereo, 8 kHz
    for (size_t i = 44; i < sizeof file; i += 2)
        file[i + 1] = i / 80 % 2 ? 2 : 0xfe;
    put(b, "stereo.wav", file, sizeof file);
    assert_in_range(length_ms(b, "stereo", NULL), 990, 1000);
    assert_int_equal(b->warnings, 0);
}

// espeak-ng begins once in a process.
static int open_speech(void **state) {
    (void)state;
    return speech_open(NULL) != ERROR_OK;
}

static int close_speech(void **state) {
    (void)state;
    speech_close();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_recording_is_played, set_up, tear_down),
        cmocka_unit_test_setup_teardown(b126_what_is_missing_empty_silent_or_broken_is_spoken, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_name_cannot_leave_the_pack, set_up, tear_down),
        cmocka_unit_test_setup_teardown(recordings_of_any_rate_are_as_loud_and_as_long, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, open_speech, close_speech);
}
