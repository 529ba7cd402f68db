// What is wrong and how it is put right; unknown places; hands that follow.
#include "referee_rig.h"

// ---- what is wrong, and how to put it right

static void on10_a_mistake_names_the_rule(void **state) {
    (void)state;
    add_move(0, 6, HAND, 8);
    add_move(0, 6, HAND, 9);
    puppet.row[1].rule = "E_OWN";
    rig_state(&rig);
    drop(&rig, 9, 6);
    expect_rule("E_OWN");
    assert_string_equal(rig.verdict.text, "the sentence of E_OWN");
    assert_int_equal(rig.verdict.n_places, 1);
    assert_int_equal(rig.verdict.places[0], 9);
    assert_int_equal(rig.verdict.n_repairs, 1);
    expect_repair(0, 9, HAND, 6);
    lift(&rig, 9, 6);
    expect_type(VERDICT_SAME);
}
static void a_mistake_that_leaves_nothing_is_told_beside_same(void **state) {
    (void)state;
    add_row(
        (struct puppet_row){.by = 0, .n_needed = 1, .needed = {visit(GAME_TOUCH, 8, 6)}, .rule = "E_OWN"});
    rig_state(&rig);
    hands_tapped(&rig.track, 8, 6, 1000);
    expect_type(VERDICT_SAME);
    assert_string_equal(rig.verdict.rule, "E_OWN");
}
static void u3_a_tile_that_is_gone_is_missing(void **state) {
    (void)state;
    add_swap(0, 1, 3);
    rig_state(&rig);
    lift(&rig, 3, 3);
    expect_type(VERDICT_PARTIAL);
    wait_ms(&rig, 19000);
    expect_type(VERDICT_PARTIAL);
    wait_ms(&rig, 1000);
    expect_rule("missing");
    assert_int_equal(rig.verdict.n_repairs, 1);
    expect_repair(0, HAND, 3, 3);
}
static void u8_a_tile_on_a_wrong_pad(void **state) {
    (void)state;
    rig_state(&rig);
    lift(&rig, 3, 3), drop(&rig, 9, 3);
    expect_rule("misplaced");
    assert_int_equal(rig.verdict.n_places, 2);
    expect_repair(0, 9, 3, 3);
    lift(&rig, 9, 3);
    expect_type(VERDICT_PARTIAL);
    drop(&rig, 3, 3);
    expect_type(VERDICT_SAME);
}
static void on4_two_tiles_on_one_pad(void **state) {
    (void)state;
    rig_state(&rig);
    lift(&rig, 1, 1), drop(&rig, 2, 1);
    expect_rule("misplaced");
    assert_string_equal(rig.verdict.text, "Two pieces lie on one place.");
    assert_int_equal(rig.verdict.n_repairs, 1);
    expect_repair(0, 2, 1, 1);
}
static void u10_a_piece_of_no_game(void **state) {
    (void)state;
    puppet.free = 1u << 10;
    add_swap(0, 1, 2);
    rig_state(&rig);
    hands_foreign(&rig.track, 10, 1, 0);
    expect_type(VERDICT_SAME); // where anything may lie
    hands_foreign(&rig.track, 4, 1, 0);
    expect_rule("unknown_piece");
    assert_int_equal(rig.verdict.n_places, 1);
    assert_int_equal(rig.verdict.places[0], 4);
    expect_repair(0, 4, HAND, GAME_NONE);
    swap(1, 2); // the game goes on beside it
    expect_explained(1, 0, 0);
}
static void a_swap_is_put_right_through_a_hand_once(void **state) {
    (void)state;
    rig_state(&rig);
    swap(1, 2);
    expect_type(VERDICT_WRONG);
    assert_int_equal(rig.verdict.n_repairs, 3);
    expect_repair(0, 1, HAND, 2);
    expect_repair(1, 2, 1, 1);
    expect_repair(2, HAND, 2, 2);
}
static void a_chain_needs_no_hand(void **state) {
    (void)state;
    rig_state(&rig);
    lift(&rig, 3, 3), drop(&rig, 9, 3);
    lift(&rig, 2, 2), drop(&rig, 3, 2);
    lift(&rig, 1, 1), drop(&rig, 2, 1);
    expect_type(VERDICT_WRONG);
    assert_int_equal(rig.verdict.n_repairs, 3);
    expect_repair(0, 2, 1, 1);
    expect_repair(1, 3, 2, 2);
    expect_repair(2, 9, 3, 3);
}
static void at_most_eight_repairs(void **state) {
    (void)state;
    rig_end(&rig);
    rig_start(&rig, 12, 12);
    rig_state(&rig);
    for (game_place p = 0; p < 12; p++)
        lift(&rig, p, p);
    for (game_place p = 0; p < 12; p++)
        drop(&rig, p, (p + 1) % 12);
    expect_type(VERDICT_WRONG);
    assert_int_equal(rig.verdict.n_repairs, VERDICT_REPAIRS_MAX);
    assert_int_equal(rig.verdict.n_places, VERDICT_REPAIRS_MAX);
}
static void repairs_take_a_piece_of_the_kind_that_lies_wrong(void **state) {
    (void)state;
    puppet.by_kind = 1u << 8;
    rig.state.at[6] = 8;
    rig_state(&rig);
    drop(&rig, 9, 7); // blue like 6
    expect_type(VERDICT_WRONG);
    assert_int_equal(rig.verdict.n_repairs, 1);
    expect_repair(0, 9, 8, 7);
}
// Two equal ones where one belongs: nothing is gone.
static void one_too_many_of_a_kind_is_misplaced(void **state) {
    (void)state;
    puppet.by_kind = 1u << 8;
    rig.state.at[6] = 8;
    rig_state(&rig);
    drop(&rig, 8, 6), drop(&rig, 8, 7);
    expect_rule("misplaced");
    assert_int_equal(rig.verdict.n_repairs, 1);
    expect_repair(0, 8, HAND, 7);
}

// ---- unknown places

static void blind_when_a_needed_place_is_unknown(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    rig_state(&rig);
    swap(1, 2);
    hands_sense(&rig.track, 2, HANDS_UNKNOWN);
    expect_type(VERDICT_BLIND);
    assert_int_equal(rig.verdict.n_places, 1);
    assert_int_equal(rig.verdict.places[0], 2);
    hands_sense(&rig.track, 2, HANDS_KNOWN);
    expect_explained(1, 0, 0);
}
static void an_unknown_place_beside_it_does_not_matter(void **state) {
    (void)state;
    add_swap(0, 1, 2);
    hands_sense(&rig.track, 4, HANDS_UNKNOWN);
    rig_state(&rig);
    expect_type(VERDICT_SAME);
    swap(1, 2);
    expect_explained(1, 0, 0);
}

// ---- following

static void follow_counts_only_moves_towards_the_layout(void **state) {
    (void)state;
    rig.state.at[1] = 2, rig.state.at[2] = 1; // the state went ahead
    rig_state(&rig);
    struct hands before = rig.track.now;
    struct verdict v;
    referee_follow(rig.referee, &before, &rig.track.now, &v);
    assert_int_equal(v.type, VERDICT_PARTIAL);
    assert_int_equal(v.n_repairs, 3);
    lift(&rig, 1, 1);
    referee_follow(rig.referee, &before, &rig.track.now, &v);
    assert_int_equal(v.type, VERDICT_PARTIAL);
    assert_int_equal(v.n_repairs, 2);
    drop(&rig, 5, 1);
    referee_follow(rig.referee, &before, &rig.track.now, &v);
    assert_int_equal(v.type, VERDICT_WRONG);
    assert_int_equal(v.places[0], 5);
    lift(&rig, 5, 1), lift(&rig, 2, 2), drop(&rig, 1, 2), drop(&rig, 2, 1);
    referee_follow(rig.referee, &before, &rig.track.now, &v);
    assert_int_equal(v.type, VERDICT_SAME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(on10_a_mistake_names_the_rule),
        TEST(a_mistake_that_leaves_nothing_is_told_beside_same),
        TEST(u3_a_tile_that_is_gone_is_missing),
        TEST(u8_a_tile_on_a_wrong_pad),
        TEST(on4_two_tiles_on_one_pad),
        TEST(u10_a_piece_of_no_game),
        TEST(a_swap_is_put_right_through_a_hand_once),
        TEST(a_chain_needs_no_hand),
        TEST(at_most_eight_repairs),
        TEST(repairs_take_a_piece_of_the_kind_that_lies_wrong),
        TEST(one_too_many_of_a_kind_is_misplaced),
        TEST(blind_when_a_needed_place_is_unknown),
        TEST(an_unknown_place_beside_it_does_not_matter),
        TEST(follow_counts_only_moves_towards_the_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
