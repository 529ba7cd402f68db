// Battle Sheep on a table: storyboard rows of evenings 2.5 that need pads, a clock and a door. Four corners
// and one more cell of the meadow are sensed; markers stand for stacks.
#include "unit/engine/table_bench.h"

static struct bench bench;

static enum error_code start(const char *confirm) {
    const struct door_option options[] = {{"confirm", confirm}};
    const struct door_start start = {
        .game = "battle_sheep", .preset = "markers", .seats = 2, .n_options = 1, .options = options};
    unsigned n = bench.answers;
    door_start(bench.door, "main", &bench_host, &start, bench_reply, &bench);
    return bench_wait(&bench, n);
}

static int open_with(const char *confirm) {
    static const char *const pads =
        "hex.0,0 hex.6,0 hex.7,0 hex.7,3 hex.0,3 seat.R.done:tap seat.B.done:tap tap:tap";
    static const char *const corners[] = {"hex.0,0", "hex.6,0", "hex.7,0", "hex.7,3", "hex.0,3"};
    static const char *const tiles[] = {"0,0", "2,0", "4,0", "6,0", "0,2", "2,2", "4,2", "6,2"};
    char name[24], tag[24], text[64];
    bench_options(&bench, pads);
    for (unsigned i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "tile-%u", i + 1);
        snprintf(tag, sizeof tag, "041%u0A5A1F6180", i + 1);
        bench_piece(&bench, name, "tile", tag);
    }
    for (unsigned i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "%s-%u", i % 2 ? "blue" : "red", i / 2 + 1);
        snprintf(tag, sizeof tag, "042%u0A5A1F6180", i + 1);
        bench_piece(&bench, name, i % 2 ? "marker_b" : "marker_r", tag);
    }
    for (unsigned i = 1; i <= 9; i++) {
        snprintf(name, sizeof name, "number-%u", i);
        snprintf(text, sizeof text, "token_%u", i);
        snprintf(tag, sizeof tag, "043%u0A5A1F6180", i);
        bench_piece(&bench, name, text, tag);
    }
    bench_piece(&bench, "undo", "control", "04410A5A1F6180");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(start(confirm), ERROR_OK);
    for (unsigned i = 0; i < 8; i++) {
        snprintf(text, sizeof text, "%c tile at=hex.%s turn=O0", i % 2 ? 'B' : 'R', tiles[i]);
        assert_int_equal(bench_act(&bench, &bench_host, text), ERROR_OK);
    }
    for (unsigned i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "tile-%u", i + 1);
        bench_lay(&bench, corners[i], name);
    }
    bench_run(&bench, 3000);
    bench_lay(&bench, "hex.0,0", "red-1");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event action s1 `s1 place at=hex.0,0`");
    bench_lay(&bench, "hex.7,3", "blue-1");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event action s2 `s2 place at=hex.7,3`");
    bench_expect(&bench, "public event phase_started");
    bench_forget(&bench);
    return 0;
}
static int open_meadow(void **state) {
    (void)state;
    return open_with("spot");
}
static int open_without_spots(void **state) {
    (void)state;
    return open_with("still");
}
static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

static void take(const char *pad) { // the last piece laid there
    bench.lies[bench_pad(&bench, pad)].n--;
}

static void a_split_is_told_with_its_number(void **state) {
    (void)state;
    bench_lay(&bench, "hex.7,0", "red-2");
    bench_run(&bench, 5000);
    bench_silent(&bench, "public event");
    bench_tap(&bench, "seat.R.done", "number-9");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event action s1 `s1 split from=hex.0,0 to=hex.7,0 n=9`");
    bench_expect(&bench, "say +0 Seat");
    bench_silent(&bench, "violation");
}

static void bs2_one_cell_short_on_the_table(void **state) {
    (void)state;
    bench_lay(&bench, "hex.6,0", "red-2");
    bench_run(&bench, 4000);
    bench_expect(&bench, "public event violation_raised E_SHORT@hex.6,0");
    take("hex.6,0");
    bench_run(&bench, 300);
    bench_lay(&bench, "hex.7,0", "red-2");
    bench_run(&bench, 2000);
    bench_expect(&bench, "public event violation_cleared E_SHORT@hex.6,0");
    bench_tap(&bench, "seat.R.done", "number-5");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event action s1 `s1 split from=hex.0,0 to=hex.7,0 n=5`");
}

static void bs3_a_silent_stack_is_doubtful(void **state) {
    (void)state;
    unsigned pad = bench_pad(&bench, "hex.0,0"), n = bench.lies[pad].n;
    assert_int_equal(n, 2);
    bench.lies[pad].n = 0;
    bench_run(&bench, 2000);
    bench.lies[pad].n = n;
    bench_run(&bench, 6000);
    bench_silent(&bench, "violation_raised");
    bench_silent(&bench, "event action");
    bench_lay(&bench, "hex.7,0", "red-2");
    bench_run(&bench, 1000);
    bench_tap(&bench, "seat.R.done", "number-1");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event action s1 `s1 split from=hex.0,0 to=hex.7,0 n=1`");
}

static void bs5_a_wrong_number_is_taken_back_until_the_next_split(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0);
    struct door_control_request undo = {.control = DOOR_UNDO, .reason = ""};
    bench_lay(&bench, "hex.7,0", "red-2");
    bench_run(&bench, 1000);
    bench_tap(&bench, "seat.R.done", "number-9");
    bench_run(&bench, 1000);
    bench_expect(&bench, "to=hex.7,0 n=9`");
    assert_int_equal(bench_control(&bench, &s1, &undo), ERROR_OK);
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event undone `s1 split from=hex.0,0 to=hex.7,0 n=9`");
    bench_expect(&bench, "public event prompt");
    take("hex.7,0");
    bench_run(&bench, 3000);
    bench_lay(&bench, "hex.7,0", "red-2");
    bench_run(&bench, 1000);
    bench_tap(&bench, "seat.R.done", "number-8");
    bench_run(&bench, 1000);
    bench_expect(&bench, "to=hex.7,0 n=8`");
    bench_lay(&bench, "hex.0,3", "blue-2");
    bench_run(&bench, 1000);
    bench_tap(&bench, "seat.B.done", "number-4");
    bench_run(&bench, 1000);
    bench_expect(&bench, "`s2 split from=hex.7,3 to=hex.0,3 n=4`");
    assert_int_equal(bench_control(&bench, &s1, &undo), ERROR_NOT_NOW);
}

static void an_early_touch_means_nothing(void **state) {
    (void)state;
    bench_tap(&bench, "seat.R.done", "number-3");
    bench_run(&bench, 4000);
    bench_silent(&bench, "public event");
    bench_lay(&bench, "hex.7,0", "red-2");
    bench_run(&bench, 4000);
    bench_silent(&bench, "event action");
    bench_tap(&bench, "seat.R.done", "number-2");
    bench_run(&bench, 1000);
    bench_expect(&bench, "to=hex.7,0 n=2`");
}

static void the_rules_notation_is_taken_and_told(void **state) {
    (void)state;
    static const char *const refused[] = {"M R 0,0 d0 16", "M R 99,0 d0 1", "M R 0,0>99,0 1",
                                          "P R 99,99",     "T R O0@99,99",  "X R"};
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) // beyond the pads too
        assert_int_equal(bench_act(&bench, &bench_host, refused[i]), ERROR_ILLEGAL);
    assert_int_equal(bench_act(&bench, &bench_host, "M R 0,0 d0 3"), ERROR_OK);
    bench_expect(&bench, "event action s1 `s1 split from=hex.0,0 to=hex.7,0 n=3` = M R 0,0>7,0 3");
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_non_null(strstr(view->position, "0,0=R13 1,0"));
    assert_non_null(strstr(view->position, "7,3=B16|B"));
}

// Markers do not tell how many went: without number tokens every count there may be is an answer.
static void a_count_without_tokens_is_asked(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0), s2 = bench_seat(1);
    struct door_control_request answer = {.control = DOOR_CHOOSE, .option = 12};
    bench_lay(&bench, "hex.7,0", "red-2");
    bench_run(&bench, 8000);
    bench_expect(&bench, "public event choice_opened");
    bench_silent(&bench, "violation");
    const struct observe_choice *choice = door_view(bench.door, "main", OBSERVE_PUBLIC)->choice;
    assert_non_null(choice);
    assert_int_equal(choice->n, 15);
    assert_string_equal(choice->by, "s1");
    for (unsigned i = 0; i < 15; i++) {
        char notation[32];
        snprintf(notation, sizeof notation, "M R 0,0>7,0 %u", i + 1);
        assert_string_equal(choice->options[i].notation, notation);
    }
    answer.choice = choice->id;
    assert_int_equal(bench_control(&bench, &s2, &answer), ERROR_FORBIDDEN);
    assert_int_equal(bench_control(&bench, &s1, &answer), ERROR_OK);
    bench_expect(&bench, "public event choice_closed");
    bench_expect(&bench, "`s1 split from=hex.0,0 to=hex.7,0 n=13`");
    bench_lay(&bench, "hex.0,3", "blue-2"); // an operator may answer too
    bench_run(&bench, 8000);
    answer.choice = door_view(bench.door, "main", OBSERVE_PUBLIC)->choice->id;
    answer.option = 14;
    assert_int_equal(bench_control(&bench, &bench_host, &answer), ERROR_OK);
    bench_expect(&bench, "`s2 split from=hex.7,3 to=hex.0,3 n=15`");
}

// The number that was refused is not told a second time by itself: what else goes wrong meanwhile must not
// take its place.
static void a_refused_number_stays_told_while_a_tile_is_moved(void **state) {
    (void)state;
    assert_int_equal(bench_act(&bench, &bench_host, "s1 split from=hex.0,0 to=hex.7,0 n=9"), ERROR_OK);
    bench_lay(&bench, "hex.7,0", "red-2");
    assert_int_equal(bench_act(&bench, &bench_host, "s2 split from=hex.7,3 to=hex.7,1 n=4"), ERROR_OK);
    bench_run(&bench, 3000);
    bench_lay(&bench, "hex.6,0", "red-3");
    bench_run(&bench, 2000);
    bench_tap(&bench, "seat.R.done", "number-9"); // of seven
    bench_expect(&bench, "public event violation_raised E_COUNT@hex.6,0");
    bench_lift(&bench, "hex.7,3");
    bench_lay(&bench, "hex.7,3", "blue-1");
    bench_lay(&bench, "hex.0,3", "tile-4");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_raised misplaced@hex.");
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->n_violations, 2);
    assert_string_equal(view->violation[0].rule, "E_COUNT");
    assert_int_equal(view->violation[1].n_places, 2); // without hex.6,0
    assert_int_equal(view->violation[1].n_repairs, 1);
    take("hex.0,3");
    bench_lift(&bench, "hex.7,3");
    bench_lay(&bench, "hex.7,3", "tile-4");
    bench_lay(&bench, "hex.7,3", "blue-1");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_cleared misplaced@hex.");
    view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->n_violations, 1);
    assert_string_equal(view->violation[0].rule, "E_COUNT");
    bench_tap(&bench, "seat.R.done", "number-3");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event violation_cleared E_COUNT@hex.6,0");
    bench_expect(&bench, "`s1 split from=hex.0,0 to=hex.6,0 n=3`");
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_split_is_told_with_its_number, open_meadow, shut),
        cmocka_unit_test_setup_teardown(bs2_one_cell_short_on_the_table, open_meadow, shut),
        cmocka_unit_test_setup_teardown(bs3_a_silent_stack_is_doubtful, open_meadow, shut),
        cmocka_unit_test_setup_teardown(bs5_a_wrong_number_is_taken_back_until_the_next_split, open_meadow,
                                        shut),
        cmocka_unit_test_setup_teardown(an_early_touch_means_nothing, open_meadow, shut),
        cmocka_unit_test_setup_teardown(a_refused_number_stays_told_while_a_tile_is_moved, open_meadow, shut),
        cmocka_unit_test_setup_teardown(the_rules_notation_is_taken_and_told, open_meadow, shut),
        cmocka_unit_test_setup_teardown(a_count_without_tokens_is_asked, open_without_spots, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
