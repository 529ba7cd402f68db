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
static void expect_type(enum verdict_type type) {
    assert_int_equal(judge(&rig)->type, type);
}
static void expect_explained(unsigned n, game_action first, game_action second) {
    expect_type(VERDICT_EXPLAINED);
    assert_int_equal(rig.verdict.n_actions, n);
    assert_int_equal(rig.verdict.action[0].action, first);
    if (n > 1)
        assert_int_equal(rig.verdict.action[1].action, second);
}
static void expect_repair(unsigned i, game_place take, game_place put, game_slot slot) {
    assert_true(i < rig.verdict.n_repairs);
    assert_int_equal(rig.verdict.repairs[i].take, take);
    assert_int_equal(rig.verdict.repairs[i].put, put);
    assert_int_equal(rig.verdict.repairs[i].slot, slot);
}
static void expect_rule(const char *rule) {
    expect_type(VERDICT_WRONG);
    assert_string_equal(rig.verdict.rule, rule);
}
static void swap(game_place a, game_place b) { // tile i of place i
    lift(&rig, a, a), lift(&rig, b, b);
    drop(&rig, a, b), drop(&rig, b, a);
}
static struct game_visit visit(enum game_visit_type type, game_place place, uint16_t what) {
    return (struct game_visit){(uint8_t)type, place, what};
}

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

// ---- the dark

static bool best(const struct referee_use *taken, struct verdict_action *ret, struct referee_use *used) {
    return referee_best(rig.referee, false, &rig.track.now, taken, ret, used);
}
static void on12_a_strangers_look_spoils_no_swap(void **state) {
    (void)state;
    struct verdict_action action;
    struct referee_use used;
    puppet.turn = 1;
    for (game_place p = 1; p < 6; p++)
        add_swap(0, 0, p);
    rig_state(&rig);
    look(&rig, 4, 4);
    swap(0, 3);
    assert_true(best(NULL, &action, &used));
    assert_int_equal(action.action, 2);
    assert_int_equal(used.visit[0] & 1, 0); // the look is somebody's slip
    assert_int_equal(used.visit[0] >> 1, 3);
}
static void on5_nothing_lasting_is_no_swap(void **state) {
    (void)state;
    struct verdict_action action;
    puppet.turn = 1;
    add_swap(0, 0, 3);
    rig_state(&rig);
    look(&rig, 0, 0), look(&rig, 3, 3);
    assert_false(best(NULL, &action, NULL));
}
static void on3_exchanged_put_back_and_exchanged_rightly(void **state) {
    (void)state;
    struct verdict_action action;
    puppet.turn = 1u << 3;
    for (game_place a = 0; a < 5; a++)
        for (game_place b = a + 1; b < 5; b++)
            if (a != 3 && b != 3)
                add_swap(3, a, b);
    rig_state(&rig);
    lift(&rig, 3, 3), lift(&rig, 4, 4), drop(&rig, 3, 4), drop(&rig, 4, 3);
    wait_ms(&rig, 1200);
    lift(&rig, 3, 4), lift(&rig, 4, 3), drop(&rig, 4, 4), drop(&rig, 3, 3);
    swap(0, 4);
    assert_true(best(NULL, &action, NULL));
    assert_int_equal(puppet.row[action.action].move[0].slot, 0);
    assert_int_equal(puppet.row[action.action].move[1].slot, 4);
}
static void on8_a_ring_of_three_is_no_swap_but_two_slips(void **state) {
    (void)state;
    struct verdict_action action;
    puppet.turn = 1;
    for (game_place a = 0; a < 4; a++) {
        for (game_place b = a + 1; b < 4; b++) {
            add_swap(0, a, b);
            add_swap(GAME_BY_TABLE, a, b);
        }
    }
    rig_state(&rig);
    lift(&rig, 1, 1), lift(&rig, 2, 2), lift(&rig, 3, 3);
    drop(&rig, 1, 2), drop(&rig, 2, 3), drop(&rig, 3, 1);
    assert_false(best(NULL, &action, NULL));
    assert_true(referee_best(rig.referee, true, &rig.track.now, NULL, &action, NULL));
    assert_int_equal(action.by, GAME_BY_TABLE);
}
static void a_piece_in_the_air_is_not_guessed(void **state) {
    (void)state;
    struct verdict_action action;
    puppet.turn = 1;
    add_swap(0, 0, 3);
    rig_state(&rig);
    lift(&rig, 0, 0), lift(&rig, 3, 3), drop(&rig, 0, 3);
    assert_false(best(NULL, &action, NULL));
    drop(&rig, 3, 0);
    assert_true(best(NULL, &action, NULL));
}
static void looks_of_the_dark_need_all_of_them_once(void **state) {
    (void)state;
    struct verdict_action action;
    struct referee_use used;
    puppet.turn = 1;
    add_row((struct puppet_row){
        .by = 0, .n_needed = 2, .needed = {visit(GAME_LOOK, 1, GAME_NONE), visit(GAME_LOOK, 2, GAME_NONE)}});
    add_row((struct puppet_row){.by = 0, .n_needed = 1, .needed = {visit(GAME_LOOK, 3, GAME_NONE)}});
    add_row((struct puppet_row){.by = 1, .n_needed = 1, .needed = {visit(GAME_LOOK, 5, GAME_NONE)}});
    rig_state(&rig);
    look(&rig, 5, 5); // not this actor's
    look(&rig, 1, 1);
    assert_false(best(NULL, &action, &used));
    look(&rig, 3, 3);
    assert_true(best(NULL, &action, &used));
    assert_int_equal(action.action, 1);
    look(&rig, 2, 2);
    assert_true(best(NULL, &action, &used)); // two needed visits before one
    assert_int_equal(action.action, 0);
    assert_int_equal(used.visit[0], 1u << 1 | 1u << 3);
    assert_true(best(&used, &action, &used));
    assert_int_equal(action.action, 1);
}
static void what_is_allowed_to_one_stays_with_who_needs_it(void **state) {
    (void)state;
    struct verdict_action action;
    struct referee_use used;
    puppet.turn = 3;
    add_swap(0, 0, 3);
    puppet.row[0].n_allowed = 1;
    puppet.row[0].allowed[0] = visit(GAME_LOOK, GAME_NONE, GAME_NONE);
    add_row((struct puppet_row){.by = 1, .n_needed = 1, .needed = {visit(GAME_LOOK, 4, GAME_NONE)}});
    rig_state(&rig);
    look(&rig, 4, 4);
    look(&rig, 5, 5);
    swap(0, 3);
    assert_true(best(NULL, &action, &used));
    assert_int_equal(action.action, 0);
    assert_false(used.visit[0] & 1);
    assert_true(used.visit[0] & 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
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
        TEST(blind_when_a_needed_place_is_unknown),
        TEST(an_unknown_place_beside_it_does_not_matter),
        TEST(follow_counts_only_moves_towards_the_layout),
        TEST(on12_a_strangers_look_spoils_no_swap),
        TEST(on5_nothing_lasting_is_no_swap),
        TEST(on3_exchanged_put_back_and_exchanged_rightly),
        TEST(on8_a_ring_of_three_is_no_swap_but_two_slips),
        TEST(a_piece_in_the_air_is_not_guessed),
        TEST(looks_of_the_dark_need_all_of_them_once),
        TEST(what_is_allowed_to_one_stays_with_who_needs_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
