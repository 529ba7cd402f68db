// The emulated chips as the demo and the end-to-end tests use them: control lines and played logs.
#include "support/pn532_bench.h"
#include "unit/drivers/fixture.h"

struct table {
    struct fixture f;
    struct pn532_bench *bench;
    bool played;
};

static void played(void *ctx) {
    ((struct table *)ctx)->played = true;
}

static void open_table(struct table *t, double speed, bool real_timing) {
    struct error err;
    *t = (struct table){0};
    fixture_open(&t->f, false);
    struct pn532_bench_options options = {.chips = 2,
                                          .folder = fixture_path(&t->f, "chips"),
                                          .real_timing = real_timing,
                                          .speed = speed,
                                          .played = played,
                                          .ctx = t};
    if (pn532_bench_create(t->f.loop, &options, &t->bench, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    fixture_conf(&t->f,
                 "[reader a]\ndriver = pn532\nport = chips/chip0\npoll = 10ms\n"
                 "[reader b]\ndriver = pn532\nport = chips/chip1\npoll = 10ms\n");
    fixture_reader(&t->f, "a", NULL);
    fixture_reader(&t->f, "b", NULL);
}

static void close_table(struct table *t) {
    for (size_t i = 0; i < t->f.n_readers; i++)
        reader_close(t->f.reader[i]);
    t->f.n_readers = 0;
    pn532_bench_destroy(t->bench);
    fixture_close(&t->f);
}

static void line(struct table *t, const char *text) {
    struct error err;
    if (pn532_bench_line(t->bench, text, &err) != ERROR_OK)
        fail_msg("'%s': %s", text, err.text);
}

static bool shows(struct table *t, const char *reader, const char *tags) {
    const struct told *last = fixture_last(&t->f, reader);
    return last && last->what == TOLD_SEEN && strcmp(last->tags, tags) == 0;
}

static bool is_last(struct table *t, const char *reader, enum told_what what) {
    const struct told *last = fixture_last(&t->f, reader);
    return last && last->what == what;
}

static void control_lines(void **state) {
    (void)state;
    struct table t;
    open_table(&t, 1, false);
    line(&t, "# a comment");
    line(&t, "");
    line(&t, "0 place 04110A5A1F6180");
    line(&t, "chip1 place 5567232D\n");
    FIXTURE_UNTIL(&t.f, shows(&t, "a", "04110A5A1F6180") && shows(&t, "b", "5567232D"));
    line(&t, "0 add 04210B5A1F6180");
    FIXTURE_UNTIL(&t.f, shows(&t, "a", "04110A5A1F6180 04210B5A1F6180"));
    line(&t, "0 remove 04110A5A1F6180");
    line(&t, "1 clear");
    FIXTURE_UNTIL(&t.f, shows(&t, "a", "04210B5A1F6180") && is_last(&t, "b", TOLD_NONE));
    line(&t, "0 vanish");
    FIXTURE_UNTIL(&t.f, is_last(&t, "a", TOLD_DOWN));
    line(&t, "0 return");
    FIXTURE_UNTIL(&t.f, shows(&t, "a", "04210B5A1F6180"));
    line(&t, "1 fault silence");
    FIXTURE_UNTIL(&t.f, is_last(&t, "b", TOLD_DOWN));
    line(&t, "1 fault well");
    FIXTURE_UNTIL(&t.f, is_last(&t, "b", TOLD_NONE));
    close_table(&t);
}

static void wrong_lines_are_told(void **state) {
    (void)state;
    struct table t;
    open_table(&t, 1, false);
    static const char *const lines[] = {
        "2 clear",     "x clear", "0",         "0 place", "0 place 0411", "0 jump", "0 fault",
        "0 fault sad", "map a 0", "map a.0 2", "map a.0", "play nowhere", "play",   "0 remove 5567232D"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct error err = {0};
        if (pn532_bench_line(t.bench, lines[i], &err) == ERROR_OK || !err.text[0])
            fail_msg("'%s' was taken", lines[i]);
    }
    close_table(&t);
}

static void a_log_is_played_onto_chips(void **state) {
    (void)state;
    struct table t;
    char play[120];
    open_table(&t, 4, false);
    fixture_write(fixture_path(&t.f, "log.tap"),
                  "# @hold 85\n"
                  "0 north 0 up\n0 north 0 none\n0 north 1 none\n"
                  "400 north 0 seen 04110A5A1F6180\n"
                  "800 north 1 seen 5567232D\n800 north 1 seen 5567232E\n"
                  "1600 north 0 none\n2400 north 0 down\n3200 north 0 up\n"
                  "3600 north 1 none\n@end 4000\n");
    line(&t, "map north.0 0");
    line(&t, "map north.1 1");
    snprintf(play, sizeof play, "play %s", fixture_path(&t.f, "log.tap"));
    line(&t, play);
    FIXTURE_UNTIL(&t.f, shows(&t, "a", "04110A5A1F6180"));
    FIXTURE_UNTIL(&t.f, shows(&t, "b", "5567232D 5567232E"));
    FIXTURE_UNTIL(&t.f, is_last(&t, "a", TOLD_NONE));
    FIXTURE_UNTIL(&t.f, is_last(&t, "a", TOLD_DOWN));
    FIXTURE_UNTIL(&t.f, t.played);
    FIXTURE_UNTIL(&t.f, is_last(&t, "a", TOLD_NONE) && is_last(&t, "b", TOLD_NONE));
    close_table(&t);
}

// With the radio's own times a scan takes as long as the radio does: never less than 9.5 ms with a tag.
static void real_timing_is_the_radio(void **state) {
    (void)state;
    struct table t;
    open_table(&t, 1, true);
    line(&t, "0 place 04110A5A1F6180");
    FIXTURE_UNTIL(&t.f, shows(&t, "a", "04110A5A1F6180"));
    int64_t start = fixture_next_scan(&t.f, "a")->us, end = start;
    for (unsigned i = 0; i < 20; i++)
        end = fixture_next_scan(&t.f, "a")->us;
    assert_true(end - start >= 20 * 9500);
    assert_int_equal(t.f.reader[0]->n_failed, 0);
    close_table(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_lines),
        cmocka_unit_test(wrong_lines_are_told),
        cmocka_unit_test(a_log_is_played_onto_chips),
        cmocka_unit_test(real_timing_is_the_radio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
