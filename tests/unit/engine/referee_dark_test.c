// The best of what hands did in the dark.
#include "referee_rig.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
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
