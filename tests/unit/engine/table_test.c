#define BENCH_TEMPLATE
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
    bench_piece(&bench, "pause", "control", "04330C5A1F6180");
    snprintf(bench.options.preset_game, sizeof bench.options.preset_game, "template");
    snprintf(bench.options.preset, sizeof bench.options.preset, "three");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    return 0;
}

static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

static void deal(void) {
    bench_lay(&bench, "s1", "owl");
    bench_lay(&bench, "s2", "magpie");
    bench_lay(&bench, "s3", "mole-1");
    bench_lay(&bench, "c1", "mole-2");
    bench_run(&bench, 1000);
}

static void starts_at_the_control_piece_and_deals_by_hand(void **state) {
    (void)state;
    bench_run(&bench, 1000);
    bench_expect(&bench, "public board ....");
    bench_tap(&bench, "tap", "start");
    bench_expect(&bench, "public game template status=1 seats=3");
    bench_expect(&bench, "public phase 1 deal");
    bench_expect(&bench, "public event game_started");
    deal();
    bench_silent(&bench, "owl");
    bench_silent(&bench, "event action");
    bench_expect(&bench, "public board xxxx");
    bench_expect(&bench, "public phase 2 garden step=- turn=1");
    bench_expect(&bench, "public say +0 Seat 1: exchange two cards of others, or look at your own.");
}

static void a_swap_by_hand_is_one_action(void **state) {
    (void)state;
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    bench_expect(&bench, "phase 2 garden");
    bench_lift(&bench, "s2");
    bench_run(&bench, 500);
    bench_lift(&bench, "s3");
    bench_run(&bench, 1500);
    bench_lay(&bench, "s2", "mole-1");
    bench_run(&bench, 700);
    bench_lay(&bench, "s3", "magpie");
    bench_run(&bench, 300);
    bench_expect(&bench, "public event action s1 `s1 swap a=s2 b=s3`");
    bench_silent(&bench, "violation");
}

static void wrong_is_said_after_rest_and_cleared(void **state) {
    (void)state;
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s2");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s1", "magpie");
    bench_lay(&bench, "s2", "owl");
    bench_run(&bench, 1300);
    bench_silent(&bench, "violation_raised");
    bench_run(&bench, 600);
    bench_expect(&bench, "public event violation_raised E_OWN");
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s2");
    bench_run(&bench, 1000);
    bench_silent(&bench, "violation_cleared");
    bench_lay(&bench, "s2", "magpie");
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 300);
    bench_expect(&bench, "public event violation_cleared E_OWN");
}

static void a_request_is_answered_when_durable_and_then_followed(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0), s2 = bench_seat(1);
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    assert_int_equal(bench_act(&bench, &s2, "s2 swap a=s1 b=s3"), ERROR_ILLEGAL);
    assert_int_equal(bench_act(&bench, &s2, "s1 swap a=s2 b=s3"), ERROR_FORBIDDEN);
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s1 b=s3"), ERROR_ILLEGAL);
    assert_string_equal(bench.answer.error.rule, "E_OWN");
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s2 b=s3"), ERROR_OK);
    bench_expect(&bench, "public event action s1 `s1 swap a=s2 b=s3`");
    bench_expect(&bench, "public event prompt");
    bench_lift(&bench, "s2");
    bench_lift(&bench, "s3");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s2", "mole-1");
    bench_lay(&bench, "s3", "magpie");
    bench_run(&bench, 2500);
    bench_expect(&bench, "public wrongs 0 prompts=0");
    bench_silent(&bench, "violation");
    // The view that was read is old now.
    const struct observation *view = door_view(bench.door, "main", 0);
    unsigned n = bench.answers;
    door_act(bench.door, "main", &s1, "s1 swap a=s2 b=s3", view->version - 1, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_STALE);
}

static void a_phase_ends_at_its_limit_and_a_pause_keeps_the_rest(void **state) {
    (void)state;
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    bench_expect(&bench, "garden step=- turn=1");
    bench_run(&bench, 20000);
    assert_int_equal(bench_control(&bench, &bench_host,
                                   &(struct door_control_request){.control = DOOR_PAUSE, .reason = "tea"}),
                     ERROR_OK);
    bench_expect(&bench, "public event paused reason=host");
    bench_run(&bench, 100000);
    bench_silent(&bench, "turn=2");
    assert_int_equal(
        bench_control(&bench, &bench_host, &(struct door_control_request){.control = DOOR_RESUME}), ERROR_OK);
    bench_expect(&bench, "public event resumed");
    bench_run(&bench, 38000);
    bench_silent(&bench, "turn=2");
    bench_run(&bench, 3000);
    bench_expect(&bench, "garden step=- turn=2");
}

static void on9_a_look_by_day_is_a_reminder(void **state) {
    (void)state;
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    bench_lift(&bench, "s2");
    bench_run(&bench, 2000);
    bench_lay(&bench, "s2", "magpie");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event reminder look@s2 code=look");
}

static void b010_a_lost_reader_pauses_and_its_return_resumes(void **state) {
    (void)state;
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    bench.reader_down = true;
    door_reader(bench.door, "r", "fake", false, "unplugged");
    bench_run(&bench, 500);
    bench_expect(&bench, "public event reader_lost reader=r");
    bench_expect(&bench, "public event paused reason=reader");
    bench_run(&bench, 5000);
    bench_silent(&bench, "removed");
    bench.reader_down = false;
    door_reader(bench.door, "r", "fake", true, NULL);
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event reader_back reader=r");
    bench_expect(&bench, "public event resumed");
    bench_silent(&bench, "violation");
}

// The host goes on without it: that it is away for another reason now, or that it comes back, stops nobody.
static void who_goes_on_without_a_reader_hears_no_more_of_it(void **state) {
    (void)state;
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    bench.reader_down = true;
    door_reader(bench.door, "r", "fake", false, "unplugged");
    bench_run(&bench, 500);
    bench_expect(&bench, "public event paused reason=reader");
    assert_int_equal(
        bench_control(&bench, &bench_host, &(struct door_control_request){.control = DOOR_RESUME}), ERROR_OK);
    bench_expect(&bench, "public event resumed");
    door_reader(bench.door, "r", "fake", false, "plugged in, and another program holds it");
    bench_run(&bench, 2000);
    bench_silent(&bench, "paused");
    door_reader(bench.door, "r", "fake", true, NULL);
    bench_run(&bench, 500);
    bench_silent(&bench, "paused");
    door_reader(bench.door, "r", "fake", false, "unplugged"); // lost anew
    bench_run(&bench, 500);
    bench_expect(&bench, "public event paused reason=reader");
}

static void a_whole_game_ends_with_the_result_and_the_story(void **state) {
    (void)state;
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    deal();
    bench_run(&bench, 181000); // nobody moves
    bench_expect(&bench, "public phase");
    bench_expect(&bench, "bet");
    struct door_who s1 = bench_seat(0);
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s2 b=s3"), ERROR_ILLEGAL);
    assert_string_equal(bench.answer.error.rule, "E_NOT_NOW");
    assert_int_equal(bench_act(&bench, &bench_host, "s1 swap a=s2 b=s3"), ERROR_ILLEGAL);
    assert_string_equal(bench.answer.error.rule, ""); // under seal a host learns nothing by trying
    assert_int_equal(bench_act(&bench, &s1, "s1 lay ballot=4"), ERROR_OK);
    bench_expect(&bench, "public event seat_acted s1");
    bench_expect(&bench, "s1 event action s1 `s1 lay");
    bench_run(&bench, 31000);
    bench_expect(&bench, "night step=100 turn=0");
    bench_run(&bench, 34000);
    bench_expect(&bench, "day step=- turn=0");
    bench_run(&bench, 31000);
    bench_expect(&bench, "public result");
    bench_expect(&bench, "public event revealed");
    bench_expect(&bench, "public event result");
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(starts_at_the_control_piece_and_deals_by_hand, open_three, shut),
        cmocka_unit_test_setup_teardown(a_swap_by_hand_is_one_action, open_three, shut),
        cmocka_unit_test_setup_teardown(wrong_is_said_after_rest_and_cleared, open_three, shut),
        cmocka_unit_test_setup_teardown(a_request_is_answered_when_durable_and_then_followed, open_three,
                                        shut),
        cmocka_unit_test_setup_teardown(a_phase_ends_at_its_limit_and_a_pause_keeps_the_rest, open_three,
                                        shut),
        cmocka_unit_test_setup_teardown(on9_a_look_by_day_is_a_reminder, open_three, shut),
        cmocka_unit_test_setup_teardown(b010_a_lost_reader_pauses_and_its_return_resumes, open_three, shut),
        cmocka_unit_test_setup_teardown(who_goes_on_without_a_reader_hears_no_more_of_it, open_three, shut),
        cmocka_unit_test_setup_teardown(a_whole_game_ends_with_the_result_and_the_story, open_three, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
