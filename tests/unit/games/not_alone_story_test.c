// The storyboard of Not Alone (evenings 2.4), shown to the referee as hands.
#include "unit/games/not_alone_rig.h"

static struct rig r;

static int end(void **state) {
    (void)state;
    rig_end_hands(&r);
    return 0;
}

static void lay_all(const char *lines) {
    rig_acts(&r, lines);
    rig_hands(&r);
}
static game_place pad(unsigned hunted, enum not_alone_spot spot) {
    return not_alone__spot(hunted - 1, spot);
}
static game_slot card(unsigned hunted, unsigned place) {
    return not_alone__card_slot(&r.s, hunted - 1, place);
}
static game_slot token(unsigned t) {
    return not_alone__token_slot(&r.s, t);
}
static void expect_rule(const char *rule) {
    assert_int_equal(rig_judge(&r), VERDICT_WRONG);
    assert_string_equal(r.verdict.rule, rule);
}

static void na1_another_seats_card(void **state) {
    (void)state;
    rig_start(&r, 5, "", "", "");
    rig_hands(&r);
    rig_drop(&r, pad(1, SPOT_PLAY_A), card(2, 4));
    expect_rule("E_NOT_IN_HAND");
    assert_null(strstr(r.verdict.text, "beach")); // unnamed
    assert_null(strstr(r.verdict.text, "place_"));
    rig_lift(&r, pad(1, SPOT_PLAY_A), card(2, 4));
    rig_drop(&r, pad(1, SPOT_PLAY_A), card(1, 3));
    rig_means(&r, "s2 lay cards=3");
}

static void na2_two_cards_one_due(void **state) {
    (void)state;
    rig_start(&r, 5, "", "", "");
    rig_hands(&r);
    rig_drop(&r, pad(1, SPOT_PLAY_A), card(1, 2));
    rig_drop(&r, pad(1, SPOT_PLAY_B), card(1, 5));
    expect_rule("E_NUM_CARDS");
    rig_lift(&r, pad(1, SPOT_PLAY_B), card(1, 5));
    rig_means(&r, "s2 lay cards=2");
}

static void na2_two_cards_two_due_on_either_pad(void **state) {
    (void)state;
    rig_start(&r, 2, "", "", "");
    r.s.h[0].pending = PENDING_RIVER;
    rig_hands(&r);
    rig_drop(&r, pad(1, SPOT_PLAY_A), card(1, 5));
    assert_int_equal(rig_judge(&r), VERDICT_PARTIAL);
    rig_drop(&r, pad(1, SPOT_PLAY_B), card(1, 2));
    rig_means(&r, "s2 lay cards=2+5 b=2");
}

static void hunting(const char *hunt) {
    rig_start(&r, 3, "", hunt, "");
    lay_all("h1 lay cards=1; h2 lay cards=4; c ready");
    assert_int_equal(r.s.phase, HUNTING);
}

static void na2_a_second_card_beside_the_first(void **state) {
    (void)state;
    rig_start(&r, 5, "", "", "");
    rig_hands(&r);
    rig_drop(&r, pad(1, SPOT_PLAY_A), card(1, 2));
    rig_means(&r, "s2 lay cards=2");
    rig_drop(&r, pad(1, SPOT_PLAY_B), card(1, 5));
    expect_rule("E_ALREADY_LAID");
    rig_lift(&r, pad(1, SPOT_PLAY_B), card(1, 5));
    assert_int_equal(rig_judge(&r), VERDICT_SAME);
}

// Which of the two reasons it is would tell which card lies there.
static void a_barred_card_is_told_as_a_strange_one(void **state) {
    char text[sizeof r.verdict.text];
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        rig_start(&r, 5, "", "force_field", "");
        rig_acts(&r, "c play_hunt card=force_field places=1+6");
        rig_hands(&r);
        rig_drop(&r, pad(1, SPOT_PLAY_A), i ? card(2, 3) : card(1, 1));
        expect_rule("E_NOT_IN_HAND");
        if (i)
            assert_string_equal(r.verdict.text, text);
        memcpy(text, r.verdict.text, sizeof text);
        if (!i)
            rig_end_hands(&r);
    }
}

// The closing touch with a refused card in hand is told at once, and is spent: put back, nothing has
// happened.
static void a_refused_card_in_hand_is_told_at_the_touch(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "");
    rig_acts(&r, "h1 lay cards=5; h2 lay cards=3; c ready; c place_token token=creature places=9");
    r.s.hunt_hand = r.s.h[0].survival = r.s.h[1].survival = 0;
    r.s.h[0].hand |= PLACE_BIT(7);
    r.s.h[0].copy[2] = 2;
    r.s.reserve[2] &= (uint8_t)~4u;
    not_alone__advance(&r.s, NULL);
    rig_hands(&r);
    game_slot copy = not_alone__copy_slot(&r.s, 7, 1);
    rig_lift(&r, TABLE_RESERVE + 1, copy);
    assert_int_equal(rig_judge(&r), VERDICT_PARTIAL);
    rig_touches(&r, 1);
    expect_rule("E_OWNED");
    assert_true(r.verdict.closed);
}

static void na3_a_token_drawn_over_three_places(void **state) {
    (void)state;
    hunting("");
    rig_lift(&r, TABLE_C_TOKENS, token(TOKEN_CREATURE));
    for (unsigned p = 2; p <= 4; p++) {
        rig_drop(&r, not_alone__planet(p), token(TOKEN_CREATURE));
        if (p < 4)
            rig_lift(&r, not_alone__planet(p), token(TOKEN_CREATURE));
    }
    rig_means(&r, "s1 place_token token=creature places=4");
    assert_int_equal(r.s.token[TOKEN_CREATURE], PLACE_BIT(4));
}

// What was placed is placed: moved on, it is told so and goes back to where it was placed.
static void a_placed_token_is_moved_on(void **state) {
    (void)state;
    for (unsigned to = 1; to <= 10; to++) {
        if (to == 4)
            continue;
        hunting("clone");
        rig_lift(&r, TABLE_C_TOKENS, token(TOKEN_CREATURE));
        rig_drop(&r, not_alone__planet(4), token(TOKEN_CREATURE));
        rig_means(&r, "s1 place_token token=creature places=4");
        rig_lift(&r, not_alone__planet(4), token(TOKEN_CREATURE));
        rig_drop(&r, not_alone__planet(to), token(TOKEN_CREATURE));
        expect_rule("E_TOKEN_PLACED");
        assert_int_equal(r.verdict.n_repairs, 1);
        assert_int_equal(r.verdict.repairs[0].put, not_alone__planet(4));
        rig_lift(&r, not_alone__planet(to), token(TOKEN_CREATURE));
        rig_drop(&r, not_alone__planet(4), token(TOKEN_CREATURE));
        assert_int_equal(rig_judge(&r), VERDICT_SAME);
        rig_end_hands(&r);
    }
}

static void na4_target_down_then_mirage(void **state) {
    (void)state;
    hunting("clone mirage scream");
    r.s.hunt_left = 2; // as after Tracking
    rig_acts(&r, "c play_hunt card=clone; c place_token token=target places=4; c play_hunt card=mirage");
    assert_int_equal(r.s.token[TOKEN_TARGET], 0);
    // It still lies there: take it up.
    rig_hands(&r);
    rig_lift(&r, TABLE_C_TOKENS, token(TOKEN_TARGET));
    rig_drop(&r, not_alone__planet(4), token(TOKEN_TARGET));
    hands_accept(&r.track);
    rig_wait(&r, 2000);
    struct verdict_repair repairs[VERDICT_REPAIRS_MAX];
    assert_int_equal(referee_repairs(r.referee, &r.track.now, repairs), 1);
    assert_int_equal(repairs[0].take, not_alone__planet(4));
    assert_int_equal(repairs[0].put, TABLE_C_TOKENS);
    // One place alone is refused, two neighbours are right.
    rig_hands(&r);
    rig_lift(&r, TABLE_C_TOKENS, token(TOKEN_TARGET));
    rig_drop(&r, not_alone__planet(4), token(TOKEN_TARGET));
    enum verdict_type first = rig_judge(&r);
    assert_true(first == VERDICT_WRONG || first == VERDICT_PARTIAL);
    rig_lift(&r, not_alone__planet(4), token(TOKEN_TARGET));
    rig_drop(&r, not_alone__planet(5), token(TOKEN_TARGET));
    rig_means(&r, "s1 place_token token=target places=4+5");
    assert_int_equal(r.s.token[TOKEN_TARGET], PLACE_BIT(4) | PLACE_BIT(5));
}

static void na5_ready_with_a_token_in_hand(void **state) {
    (void)state;
    hunting("");
    rig_lift(&r, TABLE_C_TOKENS, token(TOKEN_CREATURE));
    rig_wait(&r, 25000); // no longer in the air
    rig_touches(&r, 0);
    expect_rule("E_TOKENS_MISSING");
    rig_drop(&r, not_alone__planet(9), token(TOKEN_CREATURE));
    hands_accept(&r.track);
    rig_hands(&r);
    rig_touches(&r, 0); // all at rest: refused as well, nothing lies wrong
    assert_int_equal(rig_judge(&r), VERDICT_SAME);
    assert_string_equal(r.verdict.rule, "E_TOKENS_MISSING");
}

static void na6_resist_lifts_four_fanned_cards(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "");
    r.s.h[0].hand = PLACE_BIT(1);
    r.s.h[0].discard = PLACE_BIT(2) | PLACE_BIT(3) | PLACE_BIT(4) | PLACE_BIT(5);
    rig_hands(&r);
    game_slot will[2];
    for (unsigned slot = 0, n = 0; slot < r.setup.n_slots && n < 2; slot++)
        if (hands_where(&r.track, (game_slot)slot) == pad(1, SPOT_WILL))
            will[n++] = (game_slot)slot;
    // The fan is too much for the pad: nothing is said until it can be read.
    hands_sense(&r.track, pad(1, SPOT_DISCARD), HANDS_UNKNOWN);
    for (unsigned i = 0; i < 2; i++)
        rig_lift(&r, pad(1, SPOT_WILL), will[i]), rig_drop(&r, TABLE_BANK, will[i]);
    assert_int_equal(rig_judge(&r), VERDICT_BLIND);
    hands_sense(&r.track, pad(1, SPOT_DISCARD), HANDS_KNOWN);
    for (unsigned p = 2; p <= 4; p++)
        rig_lift(&r, pad(1, SPOT_DISCARD), card(1, p));
    assert_int_equal(rig_judge(&r), VERDICT_PARTIAL); // two Will want four cards
    rig_lift(&r, pad(1, SPOT_DISCARD), card(1, 5));
    rig_means(&r, "s2 resist will=2 take=2+3+4+5");
    assert_int_equal(r.s.h[0].will, 1);
}

static void na7_taken_up_after_all_have_laid(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "");
    lay_all("h1 lay cards=1; h2 lay cards=4");
    assert_int_equal(r.s.phase, EXPLORATION);
    rig_lift(&r, pad(2, SPOT_PLAY_A), card(2, 4));
    rig_means(&r, "s3 take_up");
    rig_drop(&r, pad(2, SPOT_PLAY_A), card(2, 3));
    rig_means(&r, "s3 lay cards=3");
}

static void na8_a_card_laid_face_up_counts(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "");
    rig_hands(&r);
    hands_placed(&r.track, pad(1, SPOT_PLAY_A), card(1, 2), GAME_FACE_UP, r.now_us, r.now_us);
    rig_means(&r, "s2 lay cards=2");
    assert_int_equal(rig_judge(&r), VERDICT_SAME);
}

// ---- acts that no piece shows (12.1)

static void reckoning(unsigned first, unsigned second) {
    char lines[128];
    rig_start(&r, 3, "", "", "");
    snprintf(lines, sizeof lines,
             "h1 lay cards=%u; h2 lay cards=%u; c ready; c place_token token=creature places=9", first,
             second);
    rig_acts(&r, lines);
    r.s.hunt_hand = r.s.h[0].survival = r.s.h[1].survival = 0;
    not_alone__advance(&r.s, NULL);
    assert_int_equal(r.s.step, STEP_PLACES);
    rig_hands(&r);
}

static void a_give_up_is_touched_twice(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "");
    r.s.h[0].hand = PLACE_BIT(1) | PLACE_BIT(2) | PLACE_BIT(3);
    r.s.h[0].discard = PLACE_BIT(4) | PLACE_BIT(5);
    rig_hands(&r);
    rig_touches(&r, 1);
    assert_int_equal(rig_judge(&r), VERDICT_PARTIAL);
    rig_touches(&r, 1);
    rig_means(&r, "s2 give_up");
}
static void nothing_but_the_closing_touch_is_a_pass(void **state) {
    (void)state;
    reckoning(3, 4);
    rig_touches(&r, 1);
    rig_means(&r, "s2 pass_place");
}
static void the_river_is_pointed_at(void **state) {
    (void)state;
    reckoning(3, 4);
    rig_lift(&r, pad(1, SPOT_PLAY_A), card(1, 3));
    rig_drop(&r, not_alone__planet(3), card(1, 3));
    rig_lift(&r, not_alone__planet(3), card(1, 3));
    rig_drop(&r, pad(1, SPOT_PLAY_A), card(1, 3));
    rig_touches(&r, 1);
    rig_means(&r, "s2 use_power");
    assert_int_equal(r.s.h[0].pending, PENDING_RIVER);
}
static void the_marker_goes_to_the_beach(void **state) {
    (void)state;
    reckoning(4, 3);
    rig_drop(&r, not_alone__planet(4), token(KIND_MARKER - KIND_TOKEN));
    assert_int_equal(rig_judge(&r), VERDICT_PARTIAL);
    rig_touches(&r, 1);
    rig_means(&r, "s2 use_power");
    assert_int_equal(r.s.marker, 1);
}
static void the_copy_that_leaves_the_reserve_is_taken(void **state) {
    (void)state;
    reckoning(5, 3);
    game_slot copy = not_alone__copy_slot(&r.s, 8, 2);
    rig_lift(&r, TABLE_RESERVE + 2, copy);
    rig_wait(&r, 25000);
    rig_touches(&r, 1);
    rig_means(&r, "s2 use_power take=8 piece=2");
    assert_int_equal(not_alone__card_slot(&r.s, 0, 8), copy);
}

#define STORY(name) cmocka_unit_test_teardown(name, end)
int main(void) {
    const struct CMUnitTest tests[] = {
        STORY(na1_another_seats_card),
        STORY(na2_two_cards_one_due),
        STORY(na2_two_cards_two_due_on_either_pad),
        STORY(na2_a_second_card_beside_the_first),
        STORY(a_barred_card_is_told_as_a_strange_one),
        STORY(a_refused_card_in_hand_is_told_at_the_touch),
        STORY(na3_a_token_drawn_over_three_places),
        STORY(a_placed_token_is_moved_on),
        STORY(na4_target_down_then_mirage),
        STORY(na5_ready_with_a_token_in_hand),
        STORY(na6_resist_lifts_four_fanned_cards),
        STORY(na7_taken_up_after_all_have_laid),
        STORY(na8_a_card_laid_face_up_counts),
        STORY(a_give_up_is_touched_twice),
        STORY(nothing_but_the_closing_touch_is_a_pass),
        STORY(the_river_is_pointed_at),
        STORY(the_marker_goes_to_the_beach),
        STORY(the_copy_that_leaves_the_reserve_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
