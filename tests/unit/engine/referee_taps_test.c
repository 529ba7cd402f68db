// Taps that name something one after the other, beside a move, or against the rules.
#include "puppet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
// cmocka comes last: it needs the above
#include <cmocka.h>

static struct rig rig;

static int start(void **state) {
    (void)state;
    rig_start(&rig, 6, 12);
    return 0;
}
static int end(void **state) {
    (void)state;
    rig_end(&rig);
    return 0;
}
static struct puppet_row taps(int by, game_slot slot, game_place first, game_place second) {
    struct puppet_row row = {.by = by, .n_needed = 2};
    row.needed[0] = (struct game_visit){GAME_TOUCH, first, slot};
    row.needed[1] = (struct game_visit){GAME_TOUCH, second, slot};
    return row;
}
static void tap(game_place place, game_slot slot) {
    wait_ms(&rig, 300);
    hands_tapped(&rig.track, place, slot, rig.now_us);
}

// The same places in another order are another action: the one that names them as they were tapped.
static void taps_count_in_the_order_they_are_named(void **state) {
    (void)state;
    add_row(taps(0, 9, 7, 8));
    add_row(taps(0, 9, 8, 7));
    rig_state(&rig);
    tap(8, 9);
    assert_int_equal(judge(&rig)->type, VERDICT_PARTIAL);
    tap(7, 9);
    assert_int_equal(judge(&rig)->type, VERDICT_EXPLAINED);
    assert_int_equal(rig.verdict.action[0].action, 1);
}

// A move explains what lies elsewhere, but a tap was made too: both are taken, none is forgotten.
static void a_tap_beside_a_move_is_a_second_action(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    struct puppet_row row = {.by = 3, .n_needed = 1};
    row.needed[0] = (struct game_visit){GAME_TOUCH, 7, 9};
    add_row(row);
    rig_state(&rig);
    lift(&rig, 1, 1), lift(&rig, 2, 2);
    tap(7, 9);
    drop(&rig, 1, 2), drop(&rig, 2, 1);
    assert_int_equal(judge(&rig)->type, VERDICT_EXPLAINED);
    assert_int_equal(rig.verdict.n_actions, 2);
}

static void a_look_beside_a_move_is_none(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    rig_state(&rig);
    look(&rig, 4, 4);
    lift(&rig, 1, 1), lift(&rig, 2, 2);
    drop(&rig, 1, 2), drop(&rig, 2, 1);
    assert_int_equal(judge(&rig)->type, VERDICT_EXPLAINED);
    assert_int_equal(rig.verdict.n_actions, 1);
}

// One of two pieces of a place is gone for good. That the other could be moved from there explains nothing.
static void what_an_action_leaves_in_place_is_not_on_its_way(void **state) {
    (void)state;
    rig.state.at[6] = rig.state.at[7] = 8;
    drop(&rig, 8, 6), drop(&rig, 8, 7);
    hands_accept(&rig.track);
    add_move(0, 6, 8, 9);
    rig_state(&rig);
    lift(&rig, 8, 7);
    wait_ms(&rig, 25000);
    assert_int_equal(judge(&rig)->type, VERDICT_WRONG);
    assert_string_equal(rig.verdict.rule, "missing");
}

// Waiting for the rest of a legal action does not hide the rule that all the taps together break.
static void a_whole_mistake_is_named_before_a_begun_action(void **state) {
    (void)state;
    add_row(taps(0, 9, 7, 8));
    struct puppet_row row = taps(0, 9, 7, 10);
    row.rule = "protected";
    add_row(row);
    rig_state(&rig);
    tap(7, 9);
    assert_int_equal(judge(&rig)->type, VERDICT_PARTIAL);
    tap(10, 9);
    assert_int_equal(judge(&rig)->type, VERDICT_SAME);
    assert_string_equal(rig.verdict.rule, "protected");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(taps_count_in_the_order_they_are_named, start, end),
        cmocka_unit_test_setup_teardown(a_tap_beside_a_move_is_a_second_action, start, end),
        cmocka_unit_test_setup_teardown(a_look_beside_a_move_is_none, start, end),
        cmocka_unit_test_setup_teardown(what_an_action_leaves_in_place_is_not_on_its_way, start, end),
        cmocka_unit_test_setup_teardown(a_whole_mistake_is_named_before_a_begun_action, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
