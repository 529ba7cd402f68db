#include "core/log.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct {
    unsigned lines;
    size_t bytes;
    enum log_level level;
    char first[1100], last[1100], module[32];
} seen;

static void sink(void *ctx, enum log_level level, const char *module, const char *line) {
    (void)ctx;
    if (seen.lines++ == 0)
        snprintf(seen.first, sizeof seen.first, "%s", line);
    snprintf(seen.last, sizeof seen.last, "%s", line);
    snprintf(seen.module, sizeof seen.module, "%s", module);
    seen.level = level;
    seen.bytes += strlen(line) + 1;
}

static struct clock_virtual virtual_clock;

static int set_up(void **state) {
    (void)state;
    log_flush();
    memset(&seen, 0, sizeof seen);
    clock_virtual_init(&virtual_clock);
    log_set_sink(sink, NULL);
    log_set_clock(&virtual_clock.base);
    log_set_level(LOG_LEVEL_INFO);
    return 0;
}

static void levels(void **state) {
    (void)state;
    log_debug("pad", "not wanted");
    assert_int_equal(seen.lines, 0);
    log_warning("pad", "weak reader=%s", "north");
    assert_int_equal(seen.level, LOG_LEVEL_WARNING);
    assert_string_equal(seen.module, "pad");
    assert_string_equal(seen.last, "weak reader=north");
    enum log_level level;
    assert_true(log_level_parse("debug", &level) && level == LOG_LEVEL_DEBUG);
    assert_false(log_level_parse("loud", &level));
    log_set_level(LOG_LEVEL_DEBUG);
    log_debug("pad", "wanted");
    assert_string_equal(seen.last, "wanted");
}

static void b102_a_flood_stays_small(void **state) {
    (void)state;
    for (int i = 0; i < 20 * 3600; i++) {
        log_error("reader", "north does not answer try=%d", i);
        clock_virtual_advance(&virtual_clock, 50000);
    }
    assert_string_equal(seen.first, "north does not answer try=0");
    assert_true(seen.lines <= 360 * 6 && seen.bytes < 128 * 1024);
    clock_virtual_advance(&virtual_clock, 10000000);
    log_info("other", "something else");
    assert_string_equal(seen.last, "something else");
    assert_int_equal(seen.lines, 360 * 5 + 2);
}

static void what_was_left_out_is_told_by_the_next_line(void **state) {
    (void)state;
    for (int i = 0; i < 102; i++) {
        if (i == 101)
            clock_virtual_advance(&virtual_clock, 10000000);
        log_warning("mqtt", "away %d", i);
    }
    assert_int_equal(seen.lines, 6);
    assert_string_equal(seen.last, "away 101 left_out=96");
}

static void what_was_left_out_is_told_in_the_end(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++)
        log_warning("mqtt", "broker away try=%d", i);
    assert_int_equal(seen.lines, 5);
    log_flush();
    assert_int_equal(seen.lines, 6);
    assert_string_equal(seen.module, "mqtt");
    assert_string_equal(seen.last, "more lines like this were left out: broker away try... left_out=3");
    log_flush();
    assert_int_equal(seen.lines, 6);
}

static void each_site_has_its_own_limit(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) {
        log_info("a", "first %d", i);
        log_info("a", "second %d", i);
    }
    assert_int_equal(seen.lines, 10);
}

static void a_name_cannot_begin_a_line(void **state) {
    (void)state;
    log_info("http", "user=%s", "eve\nerror table: all is lost\x1B[2J");
    assert_string_equal(seen.last, "user=eve error table: all is lost [2J");
}

static void b122_a_long_line_is_cut_between_characters(void **state) {
    (void)state;
    char text[3000];
    for (size_t i = 0; i + 3 < sizeof text; i += 3)
        memcpy(text + i, "\xE2\x82\xAC", 4);
    log_info("x", "%s", text);
    assert_int_equal(strlen(seen.last) % 3, 0);
    assert_true(strlen(seen.last) > 900);
}

static void stderr_has_level_and_module(void **state) {
    (void)state;
    int pipes[2], saved = dup(STDERR_FILENO);
    assert_int_equal(pipe(pipes), 0);
    unsetenv("JOURNAL_STREAM");
    fflush(stderr);
    dup2(pipes[1], STDERR_FILENO);
    log_set_sink(NULL, NULL);
    log_open("tabled", LOG_LEVEL_INFO);
    log_warning("pad", "weak reader=%s", "north");
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(pipes[1]);
    char text[128] = "";
    assert_true(read(pipes[0], text, sizeof text - 1) > 0);
    close(pipes[0]);
    assert_string_equal(text, "warning pad: weak reader=north\n");
}

static void an_inherited_stream_is_not_ours(void **state) {
    (void)state;
    setenv("JOURNAL_STREAM", "1:1", 1);
    stderr_has_level_and_module(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(levels, set_up),
        cmocka_unit_test_setup(b102_a_flood_stays_small, set_up),
        cmocka_unit_test_setup(what_was_left_out_is_told_by_the_next_line, set_up),
        cmocka_unit_test_setup(what_was_left_out_is_told_in_the_end, set_up),
        cmocka_unit_test_setup(each_site_has_its_own_limit, set_up),
        cmocka_unit_test_setup(a_name_cannot_begin_a_line, set_up),
        cmocka_unit_test_setup(b122_a_long_line_is_cut_between_characters, set_up),
        cmocka_unit_test_setup(stderr_has_level_and_module, set_up),
        cmocka_unit_test_setup(an_inherited_stream_is_not_ours, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
