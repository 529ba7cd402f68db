// What is said and when: messages of a table on the virtual clock, sentences out.
#include "core/log.h"
#include "narrator/teller.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka needs the three above
#include <cmocka.h>

enum { MS = 1000, TICK_US = 20 * MS };

struct bench {
    struct clock_virtual clock;
    struct loop *loop;
    struct room *room;
    struct library *library;
    struct mixer *mixer;
    struct teller *teller;
    struct loop_timer tick;
    char told[2048], path[64], lines[8192];
    int64_t end_us;
    uint64_t seq;
};

// "begins" in whole tenths of a second.
static void report(void *ctx, const struct mixer_report *r) {
    struct bench *b = ctx;
    size_t len = strlen(b->told);
    if (r->what == MIXER_BEGUN || r->what == MIXER_CUT || r->what == MIXER_DROPPED)
        snprintf(b->told + len, sizeof b->told - len, "%s%s@%.1f ",
                 r->what == MIXER_BEGUN ? ""
                 : r->what == MIXER_CUT ? "cut:"
                                        : "drop:",
                 r->item->name, (double)(r->at_us / 10000) / 100);
}

static void tick(void *ctx) {
    struct bench *b = ctx;
    int16_t samples[SOUND_RATE / 50];
    mixer_fill(b->mixer, loop_now_us(b->loop), samples, SOUND_RATE / 50);
    if (loop_now_us(b->loop) >= b->end_us)
        loop_quit(b->loop, 0);
    else
        loop_timer_start(b->loop, &b->tick, loop_now_us(b->loop) + TICK_US, tick, b);
}

// ---- messages, as a replay prints them

static void line(struct bench *b, int ms, const char *topic, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void line(struct bench *b, int ms, const char *topic, const char *format, ...) {
    char body[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(body, sizeof body, format, args);
    va_end(args);
    size_t len = strlen(b->lines);
    snprintf(b->lines + len, sizeof b->lines - len,
             "{\"ms\":%d,\"table\":\"main\",\"topic\":\"public/"
             "%s\",\"message\":{\"header\":{\"boot_id\":\"b1\",\"seq\":%llu,"
             "\"at\":\"2026-01-01T00:00:%02d.%03dZ\",\"table\":\"main\",\"audience\":\"public\",\"game_id\":"
             "\"g\"},%s}}\n",
             ms, topic, (unsigned long long)++b->seq, ms / 1000, ms % 1000, body);
}

static void game(struct bench *b, const char *name) {
    line(b, 0, "game", "\"status\":\"running\",\"game\":\"%s\"", name);
}
static void phase(struct bench *b, int ms, const char *id, const char *veil) {
    line(b, ms, "phase", "\"id\":\"%s\",\"veil\":\"%s\"", id, veil);
}
static void event(struct bench *b, int ms, const char *type, const char *rest) {
    line(b, ms, "event", "\"event\":\"%s\"%s", type, rest);
}
static void narration(struct bench *b, int ms, const char *lines) {
    line(b, ms, "narration", "\"locale\":\"en\",\"starts_at\":\"2026-01-01T00:00:%02d.%03dZ\",\"lines\":[%s]",
         ms / 1000, ms % 1000, lines);
}
#define WRONG(id)                                                                                            \
    ",\"violation\":[{\"id\":" #id                                                                           \
    ",\"rule\":\"missing\",\"text\":\"A piece is missing here.\",\"places\":[\"s3\"]}]"

static const char *play(struct bench *b, int end_ms, const char *language) {
    static const struct mixer_options mixer = {
        .volume = 1, .bed_volume = 0.1, .duck = 1, .sleep_us = 1000 * MS};
    static const struct library_options library = {.pack = NULL};
    struct room_options options = {.render = true, .input = b->path, .site = "home", .stale_after_ms = 5000};
    snprintf(b->path, sizeof b->path, "/tmp/teller_test.XXXXXX");
    int fd = mkstemp(b->path);
    assert_true(fd >= 0 && write(fd, b->lines, strlen(b->lines)) == (ssize_t)strlen(b->lines));
    close(fd);
    b->end_us = end_ms * MS;
    b->library = library_create(&library);
    b->mixer = mixer_create(&mixer, report, b);
    const struct teller_options teller = {b->loop, b->library, b->mixer, language, true, true};
    b->teller = teller_create(&teller);
    assert_int_equal(room_create(b->loop, &options, &teller_calls, b->teller, &b->room, NULL), 0);
    teller_room(b->teller, b->room);
    loop_timer_start(b->loop, &b->tick, 0, tick, b);
    loop_run(b->loop);
    return b->told;
}

static int set_up(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    clock_virtual_init(&b->clock);
    assert_int_equal(loop_create(&b->clock.base, &b->clock, &b->loop, NULL), 0);
    log_set_level(LOG_LEVEL_ERROR);
    *state = b;
    return 0;
}

static int tear_down(void **state) {
    struct bench *b = *state;
    room_destroy(b->room);
    teller_destroy(b->teller);
    mixer_destroy(b->mixer);
    library_destroy(b->library);
    loop_timer_stop(b->loop, &b->tick);
    loop_destroy(b->loop);
    unlink(b->path);
    free(b);
    return 0;
}

// ----

static void what_lies_wrong_is_said_after_4_s_and_again_after_15_and_45(void **state) {
    struct bench *b = *state;
    game(b, "one_night");
    phase(b, 0, "day", "open");
    event(b, 1000, "violation_raised", WRONG(7));
    assert_string_equal(play(b, 59000, ""), "violation@5.0 violation@20.0 violation@50.0 ");
}

static void what_is_put_right_in_time_is_not_said(void **state) {
    struct bench *b = *state;
    phase(b, 0, "day", "open");
    event(b, 1000, "violation_raised", WRONG(7));
    event(b, 2000, "violation_raised", WRONG(8));
    event(b, 4900, "violation_cleared", WRONG(7));
    event(b, 6500, "violation_cleared", WRONG(8));
    assert_string_equal(play(b, 30000, ""), "violation@6.0 ");
}

// The event that it was put right was lost with the connection; the level that came after it tells.
static void what_stands_no_longer_is_not_said(void **state) {
    struct bench *b = *state;
    phase(b, 0, "day", "open");
    line(b, 1000, "violation", "\"violations\":[{\"id\":7},{\"id\":8}]");
    event(b, 1000, "violation_raised", WRONG(7));
    event(b, 1000, "violation_raised", WRONG(8));
    line(b, 3000, "violation", "\"violations\":[{\"id\":8}]");
    line(b, 8000, "violation", "\"violations\":[]");
    assert_string_equal(play(b, 60000, ""), "violation@5.0 ");
}

static void a_reminder_is_not_said_twice_in_a_row_and_never_by_night(void **state) {
    struct bench *b = *state;
    static const char please[] = ",\"code\":\"several\",\"text\":\"Please spread the pieces.\"";
    phase(b, 0, "day", "open");
    event(b, 1000, "reminder", please);
    event(b, 4000, "reminder", please);
    event(b, 12000, "reminder", please);
    phase(b, 20000, "night", "dark");
    event(b, 21000, "reminder", please);
    assert_string_equal(play(b, 30000, ""), "reminder@1.0 reminder@12.0 ");
}

static void pause_undo_and_end_are_silence(void **state) {
    struct bench *b = *state;
    static const char line_of_it[] = "{\"id\":\"deal\",\"text\":\"x\"}";
    game(b, "one_night");
    phase(b, 0, "deal", "sealed");
    narration(b, 1000, line_of_it);
    event(b, 1500, "paused", ",\"reason\":\"host\"");
    event(b, 9000, "resumed", "");
    narration(b, 20000, line_of_it);
    event(b, 20500, "undone", "");
    narration(b, 30000, line_of_it);
    event(b, 30500, "game_ended", ",\"reason\":\"host\"");
    narration(b, 40000, line_of_it);
    event(b, 40500, "game_ended", ""); // of itself: the winners are told
    assert_string_equal(
        play(b, 50000, ""),
        "one_night/deal@1.0 cut:one_night/deal@1.5 paused@1.5 resumed@9.0 one_night/deal@20.0 "
        "cut:one_night/deal@20.5 one_night/deal@30.0 cut:one_night/deal@30.5 one_night/deal@40.0 ");
}

// The window of the slowest language, whatever is spoken.
static void by_night_lines_begin_at_the_same_moments_in_every_language(void **state) {
    struct bench *b = *state;
    static const char *const languages[] = {"en", "es", "it", "zh"};
    char first[sizeof b->told] = "";
    for (int i = 0; i < 4; i++) {
        game(b, "one_night");
        phase(b, 0, "night", "dark");
        narration(b, 5000,
                  "{\"id\":\"call_430\",\"text\":\"x\"},{\"id\":\"thumbs\",\"text\":\"x\",\"at_ms\":1000},"
                  "{\"id\":\"close_430\",\"text\":\"x\",\"at_ms\":12000}");
        const char *told = play(b, 25000, languages[i]);
        if (i)
            assert_string_equal(told, first);
        assert_non_null(strstr(told, "one_night/close_430@17.0 "));
        snprintf(first, sizeof first, "%s", told);
        tear_down(state);
        set_up(state);
        b = *state;
    }
}

static void a_game_that_is_not_known_is_read_out(void **state) {
    struct bench *b = *state;
    game(b, "game_of_tomorrow");
    phase(b, 0, "day", "open");
    narration(b, 1000, "{\"id\":\"hello\",\"text\":\"Good evening.\"}");
    assert_string_equal(play(b, 5000, "zh"), "game_of_tomorrow/hello@1.0 ");
}

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
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(what_lies_wrong_is_said_after_4_s_and_again_after_15_and_45),
        TEST(what_is_put_right_in_time_is_not_said),
        TEST(what_stands_no_longer_is_not_said),
        TEST(a_reminder_is_not_said_twice_in_a_row_and_never_by_night),
        TEST(pause_undo_and_end_are_silence),
        TEST(by_night_lines_begin_at_the_same_moments_in_every_language),
        TEST(a_game_that_is_not_known_is_read_out),
    };
    return cmocka_run_group_tests(tests, open_speech, close_speech);
}
