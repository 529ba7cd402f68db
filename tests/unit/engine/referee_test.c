// Which action explains the hands.
#include "referee_rig.h"

// ---- one action

static void nothing_happened(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    rig_state(&rig);
    expect_type(VERDICT_SAME);
    assert_false(rig.verdict.uninvited);
}
static void a_swap_is_found_step_by_step(void **state) {
    (void)state;
    for (game_place a = 0; a < 6; a++)
        for (game_place b = a + 1; b < 6; b++)
            add_swap(0, a, b);
    rig_state(&rig);
    lift(&rig, 1, 1);
    expect_type(VERDICT_PARTIAL);
    lift(&rig, 2, 2);
    expect_type(VERDICT_PARTIAL);
    drop(&rig, 1, 2);
    expect_type(VERDICT_PARTIAL);
    drop(&rig, 2, 1);
    expect_explained(1, 5, 0);
    assert_int_equal(rig.verdict.action[0].by, 0);
    assert_false(rig.verdict.extends);
}
static void the_second_tile_may_come_down_before_the_first_is_lifted(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    rig_state(&rig);
    lift(&rig, 1, 1);
    drop(&rig, 2, 1);
    expect_type(VERDICT_PARTIAL);
    lift(&rig, 2, 2);
    expect_type(VERDICT_PARTIAL);
    drop(&rig, 1, 2);
    expect_explained(1, 0, 0);
}
static void hidden_slots_of_one_kind_are_not_the_same(void **state) {
    (void)state;
    add_swap(0, 1, 2); // both are red: the board must still have changed
    rig_state(&rig);
    expect_type(VERDICT_SAME);
}
static void pieces_by_kind_are_the_same(void **state) {
    (void)state;
    puppet.by_kind = 1u << 8;
    add_move(0, 6, HAND, 8);
    rig_state(&rig);
    drop(&rig, 8, 9); // another blue one
    expect_explained(1, 0, 0);
    lift(&rig, 8, 9), drop(&rig, 8, 5); // a red one
    wait_ms(&rig, 20000);
    expect_type(VERDICT_WRONG);
}
static void several_fit_and_are_a_choice(void **state) {
    (void)state;
    hands_sense(&rig.track, 8, HANDS_UNSENSED);
    hands_sense(&rig.track, 9, HANDS_UNSENSED);
    add_move(0, 3, 3, 8);
    add_move(0, 3, 3, 9);
    rig_state(&rig);
    lift(&rig, 3, 3);
    expect_type(VERDICT_CHOICE);
    assert_int_equal(rig.verdict.n_actions, 2);
    assert_int_equal(rig.verdict.action[1].action, 1);
}
static void a_choice_names_different_actors(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    add_swap(4, 1, 2);
    rig_state(&rig);
    swap(1, 2);
    expect_type(VERDICT_CHOICE);
    assert_int_equal(rig.verdict.action[0].by, 0);
    assert_int_equal(rig.verdict.action[1].by, 4);
}
static void b064_a_legal_state_on_the_way_waits(void **state) {
    (void)state;
    // A token may be laid on 8 or on 9; from 8 it may also be meant to go on to 9 with a second one on 8.
    add_move(0, 6, HAND, 8);
    add_row((struct puppet_row){.by = 0, .n = 2, .move = {{6, HAND, 8}, {7, HAND, 9}}});
    rig_state(&rig);
    drop(&rig, 8, 6);
    expect_explained(1, 0, 0);
    assert_true(rig.verdict.extends);
    drop(&rig, 9, 7);
    expect_explained(1, 1, 0);
    assert_false(rig.verdict.extends);
}
static void a_stack_that_may_go_on_growing_waits(void **state) { // battle-sheep.md 7
    (void)state;
    puppet.by_kind = 1u << 8 | 1u << 9;
    for (game_slot s = 6; s < 10; s++)
        rig.state.at[s] = 8, drop(&rig, 8, s);
    hands_accept(&rig.track);
    for (unsigned n = 1; n < 4; n++) {
        struct puppet_row row = {.by = 0, .n = n};
        for (unsigned i = 0; i < n; i++)
            row.move[i].slot = (game_slot)(6 + i), row.move[i].from = 8, row.move[i].to = 9;
        add_row(row);
    }
    rig_state(&rig);
    lift(&rig, 8, 9), drop(&rig, 9, 9);
    expect_explained(1, 0, 0);
    assert_true(rig.verdict.extends);
    lift(&rig, 8, 7);
    expect_type(VERDICT_PARTIAL);
    drop(&rig, 9, 7);
    expect_explained(1, 1, 0);
    lift(&rig, 8, 6), drop(&rig, 9, 6);
    expect_explained(1, 2, 0);
    assert_false(rig.verdict.extends);
}
static void a_pad_compares_as_many_as_it_can_tell(void **state) {
    (void)state;
    puppet.by_kind = 1u << 8 | 1u << 9;
    for (game_slot s = 6; s < 12; s++)
        rig.state.at[s] = 8;
    hands_place(&rig.track, 8, 2);
    hands_place(&rig.track, 9, 2);
    drop(&rig, 8, 6), drop(&rig, 8, 7); // six lie there, two can be told
    hands_accept(&rig.track);
    add_row((struct puppet_row){.by = 0, .n = 1, .move = {{11, 8, 9}}});
    rig_state(&rig);
    expect_type(VERDICT_SAME);
    drop(&rig, 9, 11);
    expect_explained(1, 0, 0);
    lift(&rig, 8, 6), lift(&rig, 8, 7), drop(&rig, 8, 1);
    wait_ms(&rig, 20000);
    expect_type(VERDICT_WRONG);
}

// ---- visits

static void a_look_is_an_action_of_its_own(void **state) {
    (void)state;
    for (game_place p = 0; p < 6; p++)
        add_row((struct puppet_row){.by = 1, .n_needed = 1, .needed = {visit(GAME_LOOK, p, p)}});
    add_row((struct puppet_row){
        .by = 1, .n_needed = 2, .needed = {visit(GAME_LOOK, 4, 4), visit(GAME_LOOK, 5, 5)}});
    rig_state(&rig);
    look(&rig, 2, 2);
    expect_explained(1, 2, 0);
    assert_false(rig.verdict.extends);
    hands_accept(&rig.track);
    look(&rig, 4, 4);
    expect_explained(1, 4, 0);
    assert_true(rig.verdict.extends); // a second one may follow
    look(&rig, 5, 5);
    expect_explained(1, 6, 0);
    assert_false(rig.verdict.extends);
}
static void two_looks_are_half_done_after_one(void **state) {
    (void)state;
    add_row((struct puppet_row){
        .by = 1, .n_needed = 2, .needed = {visit(GAME_LOOK, 4, GAME_NONE), visit(GAME_LOOK, 5, GAME_NONE)}});
    rig_state(&rig);
    look(&rig, 4, 4);
    expect_type(VERDICT_PARTIAL);
    look(&rig, 5, 5);
    expect_explained(1, 0, 0);
}
static void on9_a_peek_is_only_a_reminder(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    rig_state(&rig);
    look(&rig, 4, 4);
    expect_type(VERDICT_SAME);
    assert_true(rig.verdict.uninvited);
    assert_int_equal(rig.verdict.looked, 4);
}
static void on11_a_nudge_means_nothing(void **state) {
    (void)state;
    rig_state(&rig);
    lift(&rig, 4, 4), wait_ms(&rig, 400), drop(&rig, 4, 4);
    expect_type(VERDICT_SAME);
    assert_false(rig.verdict.uninvited);
}
static void an_uninvited_look_blocks_no_change(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    rig_state(&rig);
    look(&rig, 4, 4);
    swap(1, 2);
    expect_explained(1, 0, 0);
}
static void of_two_changes_the_better_invited_wins(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    add_swap(1, 1, 2);
    puppet.row[1].n_allowed = 1;
    puppet.row[1].allowed[0] = visit(GAME_LOOK, 4, GAME_NONE);
    rig_state(&rig);
    look(&rig, 4, 4);
    swap(1, 2);
    expect_explained(1, 1, 0);
    assert_int_equal(rig.verdict.action[0].by, 1);
}
static void a_change_waits_for_its_touch(void **state) {
    (void)state;
    add_move(0, 6, HAND, 8);
    puppet.row[0].n_needed = 1;
    puppet.row[0].needed[0] = visit(GAME_CONTROL, GAME_NONE, 2);
    rig_state(&rig);
    drop(&rig, 8, 6);
    expect_type(VERDICT_PARTIAL);
    hands_control(&rig.track, GAME_NONE, 2, rig.now_us);
    expect_explained(1, 0, 0);
}
static void a_closing_touch_comes_last(void **state) { // battle-sheep.md 7
    (void)state;
    puppet.by_kind = 1u << 8 | 1u << 9;
    for (unsigned n = 1; n <= 2; n++) {
        struct puppet_row row = {
            .by = 0, .n = n, .n_needed = 1, .needed = {visit(GAME_TOUCH, 11, GAME_NONE)}};
        row.needed[0].type |= GAME_LAST;
        for (unsigned i = 0; i < n; i++)
            row.move[i].slot = (game_slot)(6 + i), row.move[i].from = HAND, row.move[i].to = 8;
        add_row(row);
    }
    rig_state(&rig);
    hands_tapped(&rig.track, 11, 10, rig.now_us);
    expect_type(VERDICT_SAME); // too early: it begins nothing
    rig.now_us += 1000;
    drop(&rig, 8, 6);
    expect_type(VERDICT_PARTIAL);
    hands_tapped(&rig.track, 11, 10, rig.now_us);
    expect_explained(1, 0, 0);
    assert_true(rig.verdict.extends);
    rig.now_us += 1000;
    drop(&rig, 8, 7);
    expect_type(VERDICT_PARTIAL); // one more has come since
    hands_tapped(&rig.track, 11, 10, rig.now_us);
    expect_explained(1, 1, 0);
}
static void na3_a_token_drawn_over_places_rests_on_one(void **state) {
    (void)state;
    for (game_place p = 8; p < 12; p++)
        add_move(0, 6, HAND, p);
    rig_state(&rig);
    drop(&rig, 8, 6), lift(&rig, 8, 6);
    drop(&rig, 9, 6), lift(&rig, 9, 6);
    drop(&rig, 10, 6);
    expect_explained(1, 2, 0);
}
static void a_stop_on_the_way_waits(void **state) { // not-alone.md 12.1: touch one place, rest on the second
    (void)state;
    add_move(0, 6, HAND, 9);
    puppet.row[0].n_needed = 1;
    puppet.row[0].needed[0] = visit(GAME_TOUCH, 8, 6);
    rig_state(&rig);
    drop(&rig, 8, 6);
    expect_type(VERDICT_PARTIAL);
    wait_ms(&rig, 900);
    lift(&rig, 8, 6), drop(&rig, 9, 6);
    expect_explained(1, 0, 0);
}
static void a_tapped_ballot_that_is_changed_is_two_actions(void **state) {
    (void)state;
    add_row((struct puppet_row){.by = 0, .n_needed = 1, .needed = {visit(GAME_TOUCH, 8, 6)}});
    add_row((struct puppet_row){.by = 0, .n_needed = 1, .needed = {visit(GAME_TOUCH, 9, 6)}});
    rig_state(&rig);
    hands_tapped(&rig.track, 9, 6, 1000);
    hands_tapped(&rig.track, 8, 6, 2000);
    expect_explained(2, 1, 0);
}

// ---- two in sequence

static void b065_two_actions_in_one_quiet_moment(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        rig_end(&rig);
        start(NULL);
        add_move(0, 6, HAND, 8);
        add_move(1, 7, HAND, 9);
        rig_state(&rig);
        drop(&rig, order ? 9 : 8, order ? 7 : 6);
        rig.now_us += 100000;
        drop(&rig, order ? 8 : 9, order ? 6 : 7);
        expect_explained(2, (game_action)order, (game_action)!order);
        assert_int_equal(rig.verdict.action[0].by, order);
    }
}
static void bs7_the_next_players_move_at_once(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    add_move(1, 5, 5, 8); // legal only behind the first
    puppet.row[1].after = 1;
    rig_state(&rig);
    swap(1, 2);
    lift(&rig, 5, 5), drop(&rig, 8, 5);
    expect_explained(2, 0, 1);
}
static void two_swaps_over_one_place(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    for (game_slot s = 1; s < 4; s++) // whoever lies on 2 by then, with 3
        add_row((struct puppet_row){.by = 1, .n = 2, .move = {{s, 2, 3}, {3, 3, 2}}, .after = 1});
    rig_state(&rig);
    lift(&rig, 1, 1), lift(&rig, 2, 2), lift(&rig, 3, 3);
    drop(&rig, 1, 2), drop(&rig, 2, 3), drop(&rig, 3, 1);
    expect_explained(2, 0, 1);
}
static void ah7_one_done_while_another_flies(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    add_move(1, 5, 5, 8);
    rig_state(&rig);
    swap(1, 2);
    lift(&rig, 5, 5);
    expect_explained(1, 0, 0);
    assert_true(rig.verdict.extends);
    rig.state.at[1] = 2, rig.state.at[2] = 1;
    rig_state(&rig);
    hands_accept(&rig.track);
    expect_type(VERDICT_PARTIAL);
    drop(&rig, 8, 5);
    expect_explained(1, 1, 0);
}
static void one_right_beside_one_wrong_is_wrong(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    rig_state(&rig);
    swap(1, 2);
    lift(&rig, 5, 5), drop(&rig, 9, 5);
    expect_rule("misplaced");
}

// ---- chance from the readers

static void tiles_dealt_all_at_once_are_taken_one_by_one(void **state) {
    (void)state;
    rig_end(&rig);
    rig_start(&rig, 0, 6);
    for (game_place p = 0; p < 4; p++)
        for (game_slot s = 0; s < 6; s++)
            add_row(
                (struct puppet_row){.by = GAME_BY_CHANCE, .n = 1, .move = {{s, HAND, p}}, .physical = true});
    rig_state(&rig);
    drop(&rig, 3, 0), drop(&rig, 1, 5), drop(&rig, 2, 2);
    for (unsigned i = 0; i < 3; i++) {
        static const game_action wanted[] = {1 * 6 + 5, 2 * 6 + 2, 3 * 6 + 0};
        expect_explained(1, wanted[i], 0);
        assert_int_equal(rig.verdict.action[0].by, GAME_BY_CHANCE);
        puppet_do(&rig.state, wanted[i]);
        rig_state(&rig);
    }
    expect_type(VERDICT_SAME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(nothing_happened),
        TEST(a_swap_is_found_step_by_step),
        TEST(the_second_tile_may_come_down_before_the_first_is_lifted),
        TEST(hidden_slots_of_one_kind_are_not_the_same),
        TEST(pieces_by_kind_are_the_same),
        TEST(several_fit_and_are_a_choice),
        TEST(a_choice_names_different_actors),
        TEST(b064_a_legal_state_on_the_way_waits),
        TEST(a_stack_that_may_go_on_growing_waits),
        TEST(a_pad_compares_as_many_as_it_can_tell),
        TEST(a_look_is_an_action_of_its_own),
        TEST(two_looks_are_half_done_after_one),
        TEST(on9_a_peek_is_only_a_reminder),
        TEST(on11_a_nudge_means_nothing),
        TEST(an_uninvited_look_blocks_no_change),
        TEST(of_two_changes_the_better_invited_wins),
        TEST(a_change_waits_for_its_touch),
        TEST(a_closing_touch_comes_last),
        TEST(na3_a_token_drawn_over_places_rests_on_one),
        TEST(a_stop_on_the_way_waits),
        TEST(a_tapped_ballot_that_is_changed_is_two_actions),
        TEST(b065_two_actions_in_one_quiet_moment),
        TEST(bs7_the_next_players_move_at_once),
        TEST(two_swaps_over_one_place),
        TEST(ah7_one_done_while_another_flies),
        TEST(one_right_beside_one_wrong_is_wrong),
        TEST(tiles_dealt_all_at_once_are_taken_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
