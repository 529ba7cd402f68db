#define BENCH_TEMPLATE
#include "engine/journal.h"
#include "unit/engine/table_bench.h"

static struct bench bench;

static int open_three(void **state) {
    (void)state;
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    bench_piece(&bench, "owl", "owl", "04110A5A1F6180");
    bench_piece(&bench, "magpie", "magpie", "04120A5A1F6180");
    bench_piece(&bench, "mole-1", "mole", "04130A5A1F6180");
    bench_piece(&bench, "mole-2", "mole", "04140A5A1F6180");
    bench_piece(&bench, "start", "control", "04310C5A1F6180");
    bench_piece(&bench, "undo", "control", "04320C5A1F6180");
    snprintf(bench.options.preset_game, sizeof bench.options.preset_game, "template");
    snprintf(bench.options.preset, sizeof bench.options.preset, "three");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    bench_lay(&bench, "s1", "owl");
    bench_lay(&bench, "s2", "magpie");
    bench_lay(&bench, "s3", "mole-1");
    bench_lay(&bench, "c1", "mole-2");
    bench_run(&bench, 1000);
    bench_expect(&bench, "garden step=- turn=1");
    return 0;
}

static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

static enum error_code undo(const struct door_who *who, const char *reason) {
    struct door_control_request request = {.control = DOOR_UNDO, .reason = reason};
    return bench_control(&bench, who, &request);
}

static void swap(const char *a, const char *b, const char *on_a, const char *on_b) {
    bench_lift(&bench, a);
    bench_lift(&bench, b);
    bench_run(&bench, 1000);
    bench_lay(&bench, a, on_b);
    bench_lay(&bench, b, on_a);
    bench_run(&bench, 500);
}

static void a_player_takes_back_the_last_action_and_hands_follow(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0);
    swap("s2", "s3", "magpie", "mole-1");
    bench_expect(&bench, "turn=2");
    bench_expect(&bench, "public event action s1 `s1 swap a=s2 b=s3`");
    assert_int_equal(undo(&s1, "wrong cards"), ERROR_OK);
    bench_expect(&bench, "public phase 2 garden step=- turn=1");
    bench_expect(&bench, "public event undone `s1 swap a=s2 b=s3` reason=wrong cards");
    bench_expect(&bench, "public event prompt");
    swap("s2", "s3", "mole-1", "magpie");
    bench_run(&bench, 2500);
    bench_expect(&bench, "public wrongs 0 prompts=0");
    bench_silent(&bench, "violation_raised");
    swap("s2", "c1", "magpie", "mole-2");
    bench_expect(&bench, "public event action s1 `s1 swap a=s2 b=c1`");
}

static void the_control_piece_undoes(void **state) {
    (void)state;
    swap("s2", "s3", "magpie", "mole-1");
    bench_tap(&bench, "tap", "undo");
    bench_expect(&bench, "public event undone `s1 swap a=s2 b=s3`");
}

static void not_across_another_player(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0), s2 = bench_seat(1);
    swap("s2", "s3", "magpie", "mole-1");
    swap("s1", "c1", "owl", "mole-2");
    bench_expect(&bench, "s2 swap a=s1 b=c1");
    assert_int_equal(undo(&s1, "me too"), ERROR_NOT_NOW);
    assert_int_equal(undo(&s2, NULL), ERROR_OK);
    assert_int_equal(undo(&s2, NULL), ERROR_NOT_NOW);
    assert_int_equal(undo(&s1, NULL), ERROR_OK); // hers is the last one now
}

static void not_across_what_was_revealed_nor_chance(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0);
    assert_int_equal(undo(&bench_host, "the deal was bad"), ERROR_NOT_NOW);
    bench_lift(&bench, "s1");
    bench_run(&bench, 2000);
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event action s1 `s1 look at=s1`");
    assert_int_equal(undo(&s1, NULL), ERROR_NOT_NOW);
    assert_int_equal(undo(&bench_host, "still"), ERROR_NOT_NOW);
}

static void ep5_across_the_clock_only_a_host_with_a_reason(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0);
    swap("s2", "s3", "magpie", "mole-1");
    bench_run(&bench, 61000);
    bench_expect(&bench, "turn=4");
    assert_int_equal(undo(&s1, NULL), ERROR_NOT_NOW);
    assert_int_equal(undo(&bench_host, NULL), ERROR_NOT_NOW);
    assert_int_equal(undo(&bench_host, "he was away"), ERROR_OK);
    bench_expect(&bench, "turn=1");
}

static void b067_undo_in_a_countdown_starts_its_clock_anew(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0);
    swap("s2", "s3", "magpie", "mole-1");
    bench_run(&bench, 50000);
    assert_int_equal(undo(&s1, NULL), ERROR_OK);
    int64_t now = loop_now_us(bench.loop) / 1000;
    bench_expect(&bench, "garden step=- turn=1");
    char text[64];
    snprintf(text, sizeof text, "deadline=%lld", (long long)now + 60000);
    bench_expect(&bench, text);
    bench_run(&bench, 50000);
    bench_silent(&bench, "turn=2");
    bench_run(&bench, 11000);
    bench_expect(&bench, "turn=2");
}

static enum error_code count_one(void *ctx, const struct journal_record *record, struct error *err) {
    (void)record, (void)err;
    ++*(unsigned *)ctx;
    return ERROR_OK;
}

static unsigned records_in(const char *path) {
    unsigned n = 0;
    assert_int_equal(journal_read(path, "main", 1, count_one, &n, &bench.err), ERROR_OK);
    return n;
}

static void what_was_undone_stays_undone_after_a_restart(void **state) {
    char path[] = "/tmp/tabled-undo-XXXXXX", text[96];
    (void)state;
    bench_close(&bench);
    assert_non_null(mkdtemp(path));
    snprintf(text, sizeof text, "%s/journal.db", path);
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    bench.options.chance_from_readers = false;
    bench.journal_path = text;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    struct door_who s1 = bench_seat(0);
    bench_run(&bench, 100);
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s2 b=s3"), ERROR_OK);
    assert_int_equal(undo(&s1, NULL), ERROR_OK);
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s2 b=c1"), ERROR_OK);
    bench_shut(&bench);
    unsigned records = records_in(text);
    bench_forget(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 100);
    bench_expect(&bench, "garden step=- turn=2");
    bench_expect(&bench, "paused=restart");
    bench_shut(&bench);
    assert_int_equal(records_in(text), records + 1); // the pause, and nothing done again
    snprintf(text, sizeof text, "rm -r %s", path);
    assert_int_equal(system(text), 0);
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_player_takes_back_the_last_action_and_hands_follow, open_three,
                                        shut),
        cmocka_unit_test_setup_teardown(the_control_piece_undoes, open_three, shut),
        cmocka_unit_test_setup_teardown(not_across_another_player, open_three, shut),
        cmocka_unit_test_setup_teardown(not_across_what_was_revealed_nor_chance, open_three, shut),
        cmocka_unit_test_setup_teardown(ep5_across_the_clock_only_a_host_with_a_reason, open_three, shut),
        cmocka_unit_test_setup_teardown(b067_undo_in_a_countdown_starts_its_clock_anew, open_three, shut),
        cmocka_unit_test_setup_teardown(what_was_undone_stays_undone_after_a_restart, open_three, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
