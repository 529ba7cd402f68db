// One Night on a table: the storyboard rows of evenings 2.1, played by hands on a virtual clock.
#include "unit/engine/table_bench.h"

static struct bench bench;
static int64_t night; // when it began, ms

static const char *const roles[] = {"werewolf",  "seer",     "robber", "troublemaker",
                                    "insomniac", "villager", "drunk",  "minion"};
static const char *const seats[] = {"s1", "s2", "s3", "s4", "s5", "c1", "c2", "c3"};

// Where the steps of this set begin, ms after the night.
enum {
    STEP_500 = 45000,
    STEP_600 = 62500,
    STEP_700 = 82000,
    CHECK_3 = 99500,
    STEP_800 = 103500,
    STEP_900 = 121000,
    DAY = 158500
};

static void open_kit(const char *options) {
    bench_options(&bench, "s1 s2 s3 s4 s5 c1 c2 c3 tap:tap");
    for (unsigned i = 0; i < 8; i++) {
        char tag[24];
        snprintf(tag, sizeof tag, "041%u0A5A1F6180", i + 1);
        bench_piece(&bench, roles[i], roles[i], tag);
    }
    for (unsigned i = 0; i < 5; i++) {
        char name[24], kind[24], tag[24];
        snprintf(name, sizeof name, "number-%u", i + 1);
        snprintf(kind, sizeof kind, "token_%u", i + 1);
        snprintf(tag, sizeof tag, "042%u0B5A1F6180", i + 1);
        bench_piece(&bench, name, kind, tag);
    }
    bench_piece(&bench, "spare", "werewolf", "04590A5A1F6180");
    bench_piece(&bench, "start", "control", "04310C5A1F6180");
    bench_piece(&bench, "done", "control", "04320C5A1F6180");
    snprintf(bench.options.preset_game, sizeof bench.options.preset_game, "one_night");
    bench.options.preset_seats = 5;
    snprintf(bench.options.preset_cards, sizeof bench.options.preset_cards,
             "werewolf seer robber troublemaker insomniac villager drunk minion");
    snprintf(bench.options.preset_options, sizeof bench.options.preset_options, "%s", options);
    assert_int_equal(bench_open(&bench), ERROR_OK);
}

static void to_night(const char *const dealt[8]) {
    bench_run(&bench, 1000);
    bench_tap(&bench, "tap", "start");
    for (unsigned i = 0; i < 8; i++) {
        bench_lay(&bench, seats[i], dealt[i]);
        bench_run(&bench, 900);
    }
    bench_lay(&bench, "tap", "start");
    while (!strstr(bench.log, "night step=10"))
        bench_run(&bench, 85);
    const char *at = strstr(bench.log, "night step=10");
    night = strtoll(strstr(at, "starts=") + 7, NULL, 10);
    bench_lift(&bench, "tap");
}

static void at(int64_t ms) { // after the night began
    bench_until(&bench, night + ms);
}

static void to_result(void) {
    at(DAY + 5000);
    bench_tap(&bench, "tap", "done");
    for (unsigned i = 0; i < 5; i++) {
        char name[24];
        snprintf(name, sizeof name, "number-%u", i + 1);
        bench_tap(&bench, seats[i == 2 ? 0 : 2], name);
    }
    bench_run(&bench, 4000);
    bench_expect(&bench, "public result");
}

static int plain(void **state) {
    (void)state;
    open_kit("ballot=tapped");
    to_night(roles);
    return 0;
}

static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

static void move(const char *from, const char *to, const char *piece) { // lifted before
    (void)from;
    bench_lay(&bench, to, piece);
}

static void on1_a_lift_before_the_call_counts_in_its_window(void **state) {
    (void)state;
    at(STEP_600 - 1500);
    bench_lift(&bench, "s3");
    at(STEP_600 + 3000);
    bench_lift(&bench, "s1");
    bench_run(&bench, 1500);
    move("s3", "s1", "robber");
    bench_run(&bench, 1000);
    move("s1", "s3", "werewolf");
    to_result();
    bench_expect(&bench, "story night 600 by=s3 [] seat 3 as robber exchanged s1 and s3");
    bench_silent(&bench, "slip");
}

static void on2_a_tile_back_after_the_next_call_is_late(void **state) {
    (void)state;
    at(STEP_500 + 12000);
    bench_lift(&bench, "s1");
    at(STEP_600 + 1000);
    bench_lay(&bench, "s1", "werewolf");
    to_result();
    bench_expect(&bench, "by=s2 [late] seat 2 as seer looked at s1");
    bench_silent(&bench, "slip");
}

static void on5_both_tiles_returned_unchanged(void **state) {
    (void)state;
    at(STEP_600 + 3000);
    bench_lift(&bench, "s3");
    bench_run(&bench, 400);
    bench_lift(&bench, "s1");
    bench_run(&bench, 3000);
    bench_lay(&bench, "s3", "robber");
    bench_run(&bench, 400);
    bench_lay(&bench, "s1", "werewolf");
    to_result();
    bench_silent(&bench, "as robber exchanged");
    bench_expect(&bench, "[slip] lifted s3");
}

static void on6_a_drunk_who_does_nothing_is_told_at_the_reveal(void **state) {
    static const char *const dealt[] = {"werewolf", "seer",     "robber",    "troublemaker",
                                        "drunk",    "villager", "insomniac", "minion"};
    (void)state;
    open_kit("ballot=tapped");
    to_night(dealt);
    at(DAY + 100);
    bench_silent(&bench, "missed");
    to_result();
    bench_expect(&bench, "missed_mandatory");
    bench_close(&bench);
}

static void on8_a_ring_of_three_is_a_slip_and_the_state_follows(void **state) {
    (void)state;
    at(STEP_900 + 3000);
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s2");
    bench_lift(&bench, "s4");
    bench_run(&bench, 2000);
    bench_lay(&bench, "s2", "werewolf");
    bench_lay(&bench, "s4", "seer");
    bench_lay(&bench, "s1", "troublemaker");
    at(DAY + 3000);
    bench_silent(&bench, "violation_raised");
    to_result();
    bench_expect(&bench, "[slip] exchanged s1 and s");
    bench_expect(&bench, "[slip] exchanged s1 and s");
}

static void on11_a_nudge_is_no_look(void **state) {
    (void)state;
    at(STEP_500 + 5000);
    bench_lift(&bench, "s4");
    bench_run(&bench, 200);
    bench_lay(&bench, "s4", "troublemaker");
    to_result();
    bench_silent(&bench, "looked");
}

static void on12_a_look_before_the_swap_is_noted(void **state) {
    (void)state;
    at(STEP_600 + 2000);
    bench_lift(&bench, "s1");
    bench_run(&bench, 1500);
    bench_lay(&bench, "s1", "werewolf");
    bench_run(&bench, 1000);
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s3");
    bench_run(&bench, 1500);
    bench_lay(&bench, "s1", "robber");
    bench_lay(&bench, "s3", "werewolf");
    to_result();
    bench_expect(&bench, "[slip] lifted s1");
    bench_expect(&bench, "seat 3 as robber exchanged s1 and s3");
}

static void on13_a_swap_after_the_closing_line_is_late(void **state) {
    (void)state;
    at(STEP_600 + 16200);
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s3");
    bench_run(&bench, 1200);
    bench_lay(&bench, "s1", "robber");
    bench_lay(&bench, "s3", "werewolf");
    to_result();
    bench_expect(&bench, "by=s3 [late] seat 3 as robber exchanged s1 and s3");
}

static void av9_an_act_before_its_call_is_early(void **state) {
    (void)state;
    at(STEP_500 + 2000); // the troublemaker, two steps too soon
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s2");
    bench_run(&bench, 1200);
    bench_lay(&bench, "s1", "seer");
    bench_lay(&bench, "s2", "werewolf");
    to_result();
    bench_expect(&bench, "story night 700 by=s4 [early] seat 4 as troublemaker exchanged s1 and s2");
    bench_silent(&bench, "slip");
}

static void on4_two_tiles_on_one_pad_are_told_after_the_dark(void **state) {
    (void)state;
    at(STEP_600 + 3000);
    bench_lift(&bench, "s1");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s2", "werewolf");
    bench_forget(&bench);
    at(DAY - 100);
    bench_silent(&bench, "violation");
    at(DAY + 3000);
    bench_expect(&bench, "public event violation_raised");
    bench_lift(&bench, "s2");
    bench_lay(&bench, "s2", "seer");
    bench_lay(&bench, "s1", "werewolf");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_cleared");
}

// What lies there and is of no game, and a rule that a token breaks meanwhile, are two things.
static void u10_on10_a_foreign_tile_and_a_wrong_vote_are_told_apart(void **state) {
    (void)state;
    at(DAY + 5000);
    bench_tap(&bench, "tap", "done");
    bench_run(&bench, 5500);
    bench_lay(&bench, "s4", "spare");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_raised unknown_piece@s4");
    bench_tap(&bench, "s5", "number-5");
    bench_run(&bench, 3000);
    bench_silent(&bench, "public event violation_");
    bench_expect(&bench, "public event reminder E_SELF_VOTE@v5");
    bench_tap(&bench, "s3", "number-1");
    bench_expect(&bench, "public event action s1 `s1 vote a=s3`");
    bench_run(&bench, 3000);
    bench_silent(&bench, "public event violation_");
    bench_lay(&bench, "s5", "number-5");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_raised E_SELF_VOTE@v5");
    bench.lies[bench_pad(&bench, "s4")].n--;
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_cleared unknown_piece@s4");
    bench.lies[bench_pad(&bench, "s5")].n--;
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_cleared E_SELF_VOTE@v5");
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(on1_a_lift_before_the_call_counts_in_its_window, plain, shut),
        cmocka_unit_test_setup_teardown(on2_a_tile_back_after_the_next_call_is_late, plain, shut),
        cmocka_unit_test_setup_teardown(on4_two_tiles_on_one_pad_are_told_after_the_dark, plain, shut),
        cmocka_unit_test_setup_teardown(on5_both_tiles_returned_unchanged, plain, shut),
        cmocka_unit_test(on6_a_drunk_who_does_nothing_is_told_at_the_reveal),
        cmocka_unit_test_setup_teardown(on8_a_ring_of_three_is_a_slip_and_the_state_follows, plain, shut),
        cmocka_unit_test_setup_teardown(on11_a_nudge_is_no_look, plain, shut),
        cmocka_unit_test_setup_teardown(on12_a_look_before_the_swap_is_noted, plain, shut),
        cmocka_unit_test_setup_teardown(on13_a_swap_after_the_closing_line_is_late, plain, shut),
        cmocka_unit_test_setup_teardown(u10_on10_a_foreign_tile_and_a_wrong_vote_are_told_apart, plain, shut),
        cmocka_unit_test_setup_teardown(av9_an_act_before_its_call_is_early, plain, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
