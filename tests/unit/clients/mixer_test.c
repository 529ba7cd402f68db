// One voice at a time over a bed: order, lead-in, cancelling, and what is heard of it.
#include "narrator/mixer.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka needs the three above
#include <cmocka.h>

enum { MS = 1000, HEARD = 60 * SOUND_RATE };

struct bench {
    struct mixer *mixer;
    int64_t now_us;
    size_t n;
    char told[1024];
    int16_t heard[HEARD];
};
static const struct mixer_options plain = {
    .volume = 1, .bed_volume = 0.2, .duck = 0.5, .sleep_us = 1000 * MS, .gap_us = 100 * MS};

static void report(void *ctx, const struct mixer_report *r) {
    static const char *const words[] = {"+", "-", "cut ", "drop "};
    struct bench *b = ctx;
    size_t len = strlen(b->told);
    snprintf(b->told + len, sizeof b->told - len, "%s%s@%lld ", words[r->what], r->item->name,
             (long long)(r->at_us + 500) / MS);
}

static void with(struct bench *b, const struct mixer_options *options) {
    mixer_destroy(b->mixer);
    memset(b->told, 0, sizeof b->told);
    b->now_us = 0;
    b->n = 0;
    b->mixer = mixer_create(options, report, b);
}

static int set_up(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    with(b, &plain);
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    struct bench *b = *state;
    mixer_destroy(b->mixer);
    free(b);
    return 0;
}

// A tone as long as said: louder than any bed.
static void say(struct bench *b, const char *name, enum mixer_priority priority, int due_ms, int drop_ms,
                int ms) {
    size_t n = sound_samples(ms * MS);
    int16_t *samples = malloc((n + 1) * sizeof *samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = i / 20 % 2 ? 19000 : -19000;
    struct mixer_item item = {sound_create(samples, n), priority, due_ms * MS, drop_ms * MS, ""};
    snprintf(item.name, sizeof item.name, "%s", name);
    mixer_say(b->mixer, &item);
    sound_unref(item.sound);
    free(samples);
}

static void hear(struct bench *b, int until_ms) {
    while (b->now_us < until_ms * MS) {
        size_t n = SOUND_RATE / 50;
        assert_true(b->n + n <= HEARD);
        mixer_fill(b->mixer, b->now_us, b->heard + b->n, n);
        b->n += n;
        b->now_us += 20 * MS;
    }
}

static int loudest(const struct bench *b, int from_ms, int to_ms) {
    int most = 0;
    for (size_t i = sound_samples(from_ms * MS); i < sound_samples(to_ms * MS); i++)
        most = abs(b->heard[i]) > most ? abs(b->heard[i]) : most;
    return most;
}

static void told(struct bench *b, const char *want) {
    assert_string_equal(b->told, want);
}

static void b125_announcements_do_not_overlap_and_the_urgent_one_is_first(void **state) {
    struct bench *b = *state;
    say(b, "a", MIXER_LOW, 0, 0, 200);
    say(b, "b", MIXER_NORMAL, 0, 0, 200);
    say(b, "c", MIXER_URGENT, 0, 0, 200);
    hear(b, 1200);
    told(b, "+c@0 -c@200 +b@300 -b@500 +a@600 -a@800 ");
    assert_true(mixer_idle(b->mixer));
}

static void b128_two_messages_of_one_moment_are_both_heard_in_their_order(void **state) {
    struct bench *b = *state;
    hear(b, 500);
    say(b, "timer", MIXER_NORMAL, 500, 0, 200);
    say(b, "reader", MIXER_NORMAL, 500, 0, 200);
    hear(b, 1500);
    told(b, "+timer@500 -timer@700 +reader@800 -reader@1000 ");
}

static void b123_a_sink_that_sleeps_hears_a_whisper_before_the_first_word(void **state) {
    struct bench *b = *state;
    struct mixer_options o = plain;
    o.lead_in_us = 1500 * MS;
    with(b, &o);
    say(b, "first", MIXER_NORMAL, 0, 0, 200);
    hear(b, 2500);
    told(b, "+first@1500 -first@1700 ");
    assert_int_not_equal(loudest(b, 100, 1400), 0);
    assert_true(loudest(b, 100, 1400) < 20);
}

static void b124_a_sink_that_fell_asleep_between_two_lines_is_woken_again(void **state) {
    struct bench *b = *state;
    struct mixer_options o = plain;
    o.lead_in_us = 300 * MS;
    with(b, &o);
    say(b, "a", MIXER_NORMAL, 0, 0, 200);
    say(b, "b", MIXER_NORMAL, 700, 0, 200);   // the sink is still awake
    say(b, "c", MIXER_NORMAL, 20000, 0, 200); // it sleeps
    hear(b, 21000);
    told(b, "+a@300 -a@500 +b@700 -b@900 +c@20300 -c@20500 ");
}

static void b124_under_the_bed_every_line_of_a_night_comes_at_once(void **state) {
    struct bench *b = *state;
    struct mixer_options o = plain;
    o.lead_in_us = 300 * MS;
    with(b, &o);
    mixer_bed(b->mixer, true);
    hear(b, 5000);
    say(b, "a", MIXER_NIGHT, 5000, 7000, 200);
    say(b, "b", MIXER_NIGHT, 25000, 27000, 200); // after 20 s without a word
    hear(b, 26000);
    told(b, "+a@5000 -a@5200 +b@25000 -b@25200 ");
}

static void the_bed_never_stops_and_ducks_under_a_voice(void **state) {
    struct bench *b = *state;
    mixer_bed(b->mixer, true);
    hear(b, 20000);
    for (int ms = 2000; ms < 20000; ms += 200)
        assert_true(loudest(b, ms, ms + 200) > 100);
    mixer_bed(b->mixer, false);
    hear(b, 23000);
    assert_int_equal(loudest(b, 22000, 23000), 0);
}

static void nothing_clips(void **state) {
    struct bench *b = *state;
    mixer_bed(b->mixer, true);
    for (int i = 0; i < 10; i++)
        say(b, "a", MIXER_NIGHT, i * 300, 0, 290);
    hear(b, 4000);
    assert_true(loudest(b, 0, 4000) < 32700);
}

static void cancelling_stops_the_voice_and_forgets_what_waits(void **state) {
    struct bench *b = *state;
    say(b, "a", MIXER_NORMAL, 0, 0, 1000);
    say(b, "b", MIXER_NORMAL, 0, 0, 1000);
    hear(b, 500);
    mixer_cancel(b->mixer);
    hear(b, 2000);
    told(b, "+a@0 drop b@0 cut a@530 ");
    assert_int_equal(loudest(b, 540, 2000), 0);
}

static void what_comes_too_late_is_not_said(void **state) {
    struct bench *b = *state;
    say(b, "long", MIXER_NIGHT, 0, 0, 3000);
    say(b, "late", MIXER_NIGHT, 100, 2000, 200);
    hear(b, 4000);
    told(b, "+long@0 -long@3000 drop late@3000 ");
}

static void the_same_input_gives_the_same_samples(void **state) {
    struct bench *b = *state;
    static int16_t first[HEARD];
    for (int round = 0; round < 2; round++) {
        with(b, &plain);
        mixer_bed(b->mixer, true);
        say(b, "a", MIXER_NIGHT, 1000, 0, 500);
        hear(b, 5000);
        if (!round)
            memcpy(first, b->heard, sizeof first);
    }
    assert_memory_equal(first, b->heard, b->n * sizeof *first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(b125_announcements_do_not_overlap_and_the_urgent_one_is_first),
        TEST(b128_two_messages_of_one_moment_are_both_heard_in_their_order),
        TEST(b123_a_sink_that_sleeps_hears_a_whisper_before_the_first_word),
        TEST(b124_a_sink_that_fell_asleep_between_two_lines_is_woken_again),
        TEST(b124_under_the_bed_every_line_of_a_night_comes_at_once),
        TEST(the_bed_never_stops_and_ducks_under_a_voice),
        TEST(nothing_clips),
        TEST(cancelling_stops_the_voice_and_forgets_what_waits),
        TEST(what_comes_too_late_is_not_said),
        TEST(the_same_input_gives_the_same_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
