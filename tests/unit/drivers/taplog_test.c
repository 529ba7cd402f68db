#include "drivers/taplog.h"
#include "unit/drivers/fixture.h"

static enum error_code parse(const char *text, struct taplog_line *ret, struct error *err) {
    return taplog_parse(text, strlen(text), true, ret, err);
}

static void a_line_is_read(void **state) {
    (void)state;
    struct taplog_line line;
    struct error err;
    static const uint8_t id[] = {0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80};
    assert_int_equal(parse("1200 north 7 seen 04A1b2C3D4E580\r", &line, &err), ERROR_OK);
    assert_true(line.observation);
    assert_int_equal(line.ms, 1200);
    assert_string_equal(line.reader, "north");
    assert_int_equal(line.antenna, 7);
    assert_int_equal(line.outcome, TAPLOG_SEEN);
    assert_int_equal(line.tag.len, 7);
    assert_memory_equal(line.tag.b, id, 7);
    assert_int_equal(parse("  0\tcorner-2  255   collided  # why", &line, &err), ERROR_OK);
    assert_int_equal(line.antenna, 255);
    assert_int_equal(line.outcome, TAPLOG_COLLIDED);
    assert_int_equal(parse("", &line, &err), ERROR_OK);
    assert_false(line.observation);
}

static void directives_are_read(void **state) {
    (void)state;
    struct taplog_line line;
    struct error err;
    assert_int_equal(parse("@hold 85", &line, &err), ERROR_OK);
    assert_int_equal(line.hold_ms, 85);
    assert_int_equal(parse("@end 305000", &line, &err), ERROR_OK);
    assert_int_equal(line.end_ms, 305000);
    assert_int_equal(parse("# log 1: hand-made; @hold 85, and @end 9", &line, &err), ERROR_OK);
    assert_int_equal(line.hold_ms, 85);
    assert_int_equal(line.end_ms, 9);
    assert_int_equal(parse("# prose about @hold is no directive", &line, &err), ERROR_OK);
    assert_int_equal(line.hold_ms, -1);
    assert_int_equal(taplog_parse("# @hold 85", 10, false, &line, &err), ERROR_OK);
    assert_int_equal(line.hold_ms, -1); // after the header
}

static void bad_lines_have_reasons_and_no_ids(void **state) {
    (void)state;
    static const char *const lines[][2] = {
        {"x north 0 none", "MS READER"},
        {"-1 north 0 none", "MS READER"},
        {"1e3 north 0 none", "MS READER"},
        {"99999999999999 north 0 none", "MS READER"},
        {"1", "second word"},
        {"1 North 0 none", "second word"},
        {"1 abcdefghijabcdefghijabcdefghijabc 0 none", "second word"},
        {"1 north", "third word"},
        {"1 north 256 none", "third word"},
        {"1 north 0x1 none", "third word"},
        {"1 north 0", "fourth word"},
        {"1 north 0 non", "did you mean 'none'"},
        {"1 north 0 seen", "needs the id"},
        {"1 north 0 seen 0DDBA11", "hex digits"},
        {"1 north 0 seen 0DDBA11G", "no hex digit"},
        {"1 north 0 seen 0DDBA1", "4, 7 or 10"},
        {"1 north 0 seen 0DDBA11E00", "4, 7 or 10"},
        {"1 north 0 seen 0DDBA11E0DDBA11E0DDBA11E", "hex digits"},
        {"1 north 0 none 0DDBA11E", "only 'seen'"},
        {"1 north 0 seen 0DDBA11E 2", "after the end"},
        {"1 north 3 up", "antenna 0"},
        {"@hold", "number"},
        {"@hold 85 86", "number"},
        {"@hold 1", "@hold is"},
        {"@hold 99999999", "@hold is"},
        {"@hlod 85", "words with @"},
        {"@end -1", "number"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct taplog_line line;
        struct error err = {0};
        if (parse(lines[i][0], &line, &err) != ERROR_INVALID || !strstr(err.text, lines[i][1]))
            fail_msg("'%s' gave '%s'", lines[i][0], err.text);
        assert_false(line.observation);
        assert_null(strstr(err.text, "0DDBA1"));
    }
    struct taplog_line line;
    struct error err;
    char longest[TAPLOG_LINE_MAX + 2];
    memset(longest, ' ', sizeof longest);
    assert_int_equal(taplog_parse(longest, TAPLOG_LINE_MAX, true, &line, &err), ERROR_OK);
    assert_int_equal(taplog_parse(longest, TAPLOG_LINE_MAX + 1, true, &line, &err), ERROR_INVALID);
    assert_int_equal(taplog_parse("1 north 0\0 none", 15, true, &line, &err), ERROR_INVALID);
}

// The check byte of a 4-byte id is taken off; five bytes that are not that are refused.
static void b046_five_bytes(void **state) {
    (void)state;
    struct taplog_line line;
    struct error err;
    assert_int_equal(parse("1 north 0 seen 5567232D3C", &line, &err), ERROR_OK);
    assert_int_equal(line.tag.len, 4);
    assert_int_equal(parse("1 north 0 seen 5567232D3D", &line, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "check byte"));
}

static void what_is_written_is_read(void **state) {
    (void)state;
    static const uint8_t lengths[] = {4, 7, 10};
    for (unsigned outcome = TAPLOG_SEEN; outcome <= TAPLOG_DOWN; outcome++) {
        for (unsigned i = 0; i < 3; i++) {
            struct taplog_tag tag = {.len = lengths[i], .b = {4, 0xA1, 2, 3, 4, 5, 6, 7, 8, 0xFF}};
            memset(tag.b + tag.len, 0, sizeof tag.b - tag.len);
            char text[TAPLOG_TEXT_MAX];
            struct taplog_line line;
            uint16_t antenna = outcome >= TAPLOG_UP ? 0 : 255;
            size_t n = taplog_format(TAPLOG_MS_MAX - 1, "a-reader-with-the-longest-name-32", antenna,
                                     (enum taplog_outcome)outcome, &tag, text);
            assert_int_equal(text[n - 1], '\n');
            assert_int_equal(taplog_parse(text, n - 1, false, &line, NULL), ERROR_OK);
            assert_int_equal(line.ms, TAPLOG_MS_MAX - 1);
            assert_int_equal(line.outcome, outcome);
            assert_int_equal(line.antenna, antenna);
            if (outcome == TAPLOG_SEEN)
                assert_memory_equal(&line.tag, &tag, sizeof tag);
        }
    }
}

static enum error_code load(const char *text, struct taplog **ret, struct error *err) {
    return taplog_load_text(text, strlen(text), "x.tap", "north", ret, err);
}

static void a_log_is_checked_as_a_whole(void **state) {
    (void)state;
    static const struct {
        const char *text, *where, *says;
    } logs[] = {
        {"5 north 0 none\n4 north 0 none\n", "x.tap:2", "goes back"},
        {"5 south 0 none\n4 north 0 none\n", "x.tap:2", "goes back"},
        {"5 north 0 none\n5 north 0 seen 04010203\n", "x.tap:2", "both 'none' and 'seen'"},
        {"5 north 0 none\n@hold 85\n", "x.tap:2", "header"},
        {"@end 4\n5 north 0 none\n\n", "x.tap:3", "before the last"},
        {"\n\n# x\n5 south 0 seen\n", "x.tap:4", "needs the id"},
    };
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        struct taplog *log;
        struct error err = {0};
        assert_int_equal(load(logs[i].text, &log, &err), ERROR_INVALID);
        assert_null(log);
        assert_string_equal(err.where, logs[i].where);
        assert_non_null(strstr(err.text, logs[i].says));
    }
}

static void too_many_ids_are_refused(void **state) {
    (void)state;
    char text[(TAPLOG_TAGS_MAX + 1) * 40] = "";
    struct taplog *log;
    struct error err;
    for (unsigned i = 0; i <= TAPLOG_TAGS_MAX; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "5 north 0 seen 040102%02X\n", i);
    assert_int_equal(load(text, &log, &err), ERROR_TOO_LARGE);
    assert_string_equal(err.where, "x.tap:17");
}

static void the_end_of_a_log(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t end_ms;
    } logs[] = {
        {"", 0},
        {"7 north 0 none", 7},
        {"7 north 0 none\n9 south 0 none\n", 9},
        {"@hold 85\n7 north 0 none\n", 5007},
        {"@hold 85\n7 north 0 none\n@end 20\n", 20},
        {"# @end 30\n7 north 0 none\n", 30},
    };
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        struct taplog *log;
        assert_int_equal(load(logs[i].text, &log, NULL), ERROR_OK);
        assert_int_equal(log->end_ms, logs[i].end_ms);
        taplog_destroy(log);
    }
    taplog_destroy(NULL);
}

static void files_and_texts_are_read_alike(void **state) {
    (void)state;
    struct fixture f;
    struct taplog *log;
    struct error err;
    fixture_open(&f, true);
    FILE *file = fopen(fixture_path(&f, "x.tap"), "w");
    fputs("0 north 0 up\n5 north 0 none", file); // no newline at the end
    fclose(file);
    assert_int_equal(taplog_load(fixture_path(&f, "x.tap"), "north", &log, &err), ERROR_OK);
    assert_int_equal(log->n_events, 2);
    taplog_destroy(log);
    file = fopen(fixture_path(&f, "x.tap"), "w");
    for (unsigned i = 0; i < 100000; i++)
        fputc('9', file);
    fclose(file);
    assert_int_equal(taplog_load(fixture_path(&f, "x.tap"), "north", &log, &err), ERROR_INVALID);
    assert_non_null(strstr(err.text, "longer than"));
    file = fopen(fixture_path(&f, "x.tap"), "w");
    fwrite("5 north 0 none\0\n", 1, 16, file);
    fclose(file);
    assert_int_equal(taplog_load(fixture_path(&f, "x.tap"), "north", &log, &err), ERROR_INVALID);
    assert_int_equal(taplog_load(f.dir, "north", &log, &err), ERROR_INVALID); // a folder
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_read),
        cmocka_unit_test(directives_are_read),
        cmocka_unit_test(bad_lines_have_reasons_and_no_ids),
        cmocka_unit_test(b046_five_bytes),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_log_is_checked_as_a_whole),
        cmocka_unit_test(too_many_ids_are_refused),
        cmocka_unit_test(the_end_of_a_log),
        cmocka_unit_test(files_and_texts_are_read_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
