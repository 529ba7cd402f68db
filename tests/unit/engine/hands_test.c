#include "engine/hands.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// cmocka comes last: it needs the above
#include <cmocka.h>

enum { A, B, C, PLACES = 4, MS = 1000 };
static struct hands_track track;

static int start(void **state) {
    (void)state;
    hands_init(&track, PLACES, 4);
    for (game_place p = 0; p < PLACES; p++)
        hands_sense(&track, p, HANDS_KNOWN);
    for (game_slot s = 0; s < 3; s++)
        hands_placed(&track, s, s, GAME_FACE_ANY, 0, 0);
    hands_accept(&track);
    return 0;
}
static void lift(game_place place, game_slot slot, int64_t ms) {
    hands_removed(&track, place, slot, ms * MS + 170 * MS, ms * MS);
}
static void drop(game_place place, game_slot slot, int64_t ms) {
    hands_placed(&track, place, slot, GAME_FACE_ANY, ms * MS + 85 * MS, ms * MS);
}
static unsigned count(enum game_visit_type type) {
    unsigned n = 0;
    for (unsigned i = 0; i < track.now.n_visits; i++)
        n += track.now.visit[i].visit.type == type;
    return n;
}
static void expect_item(unsigned i, game_place place, game_slot slot) {
    assert_true(i < track.now.n_items);
    assert_int_equal(track.now.item[i].place, place);
    assert_int_equal(track.now.item[i].slot, slot);
}

static void a_look_is_first_miss_to_first_sighting(void **state) {
    (void)state;
    lift(A, A, 1000);
    assert_int_equal(track.now.n_air, 1);
    assert_int_equal(track.now.air[0].from, A);
    drop(A, A, 1600);
    assert_int_equal(track.now.n_visits, 1);
    assert_int_equal(track.now.visit[0].visit.type, GAME_LOOK);
    assert_int_equal(track.now.visit[0].visit.place, A);
    assert_int_equal(track.now.visit[0].visit.what, A);
    assert_int_equal(track.now.visit[0].from_us, 1000 * MS);
    assert_int_equal(track.now.visit[0].to_us, 1600 * MS);
    assert_int_equal(track.now.n_air, 0);
}
static void on11_a_nudge_is_nothing(void **state) {
    (void)state;
    lift(A, A, 1000);
    drop(A, A, 1599);
    assert_int_equal(track.now.n_visits, 0);
}
static void a_look_of_40_s_stands(void **state) { // AH5
    (void)state;
    lift(A, A, 0);
    assert_int_equal(hands_age(&track, 19999 * MS), 20000 * MS);
    assert_int_equal(track.now.n_air, 1);
    assert_int_equal(hands_age(&track, 20000 * MS), INT64_MAX);
    assert_int_equal(track.now.n_air, 0); // missing
    drop(A, A, 40000);
    assert_int_equal(count(GAME_LOOK), 1);
}
static void not_alone_is_no_look(void **state) {
    (void)state;
    lift(A, A, 1000);
    drop(A, B, 1500); // another tile lies there now
    drop(A, A, 3000);
    assert_int_equal(count(GAME_LOOK), 0);
    start(NULL);
    lift(A, A, 1000);
    drop(A, B, 1500); // or has lain there
    lift(A, B, 2500);
    drop(A, A, 3000);
    assert_int_equal(count(GAME_LOOK), 0);
}
static void a_stray_sighting_on_a_neighbour_spoils_no_look(void **state) {
    (void)state;
    lift(A, A, 1000);
    lift(B, B, 1100);
    drop(B, A, 1200); // 170 ms over the neighbour's pad
    lift(B, A, 1370);
    drop(A, A, 2500);
    drop(B, B, 2600);
    assert_int_equal(count(GAME_LOOK), 2);
    assert_int_equal(count(GAME_REST), 0);
    assert_int_equal(track.now.visit[1].from_us, 1000 * MS);
    expect_item(0, A, A);
    expect_item(1, B, B);
}
static void a_stay_elsewhere_is_a_rest(void **state) {
    (void)state;
    lift(A, A, 1000);
    drop(3, A, 2000);
    lift(3, A, 2600);
    drop(A, A, 4000);
    assert_int_equal(count(GAME_TOUCH), 1);
    assert_int_equal(count(GAME_REST), 1);
    assert_int_equal(count(GAME_LOOK), 0); // it was not held, it lay somewhere else
}
static void tokens_touch_at_landing(void **state) {
    (void)state;
    drop(C, 3, 1000);
    assert_int_equal(count(GAME_TOUCH), 1);
    assert_int_equal(track.now.visit[0].to_us, 1000 * MS);
    lift(C, 3, 5000);
    assert_int_equal(count(GAME_REST), 1);
    hands_tapped(&track, B, 3, 6000 * MS);
    assert_int_equal(count(GAME_TOUCH), 2);
    assert_int_equal(hands_where(&track, 3), GAME_NONE);
    hands_control(&track, GAME_NONE, 3, 7000 * MS);
    assert_int_equal(track.now.visit[3].visit.what, 3);
}
static void two_pieces_fly_in_any_interleaving(void **state) {
    (void)state;
    static const struct {
        bool lift;
        game_place place;
        game_slot slot;
    } step[] = {{true, A, A}, {true, B, B}, {false, A, B}, {false, B, A}};
    static const uint8_t order[][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {0, 3, 1, 2}, {1, 2, 0, 3}, {0, 1, 3, 2}};
    for (size_t o = 0; o < sizeof order / sizeof *order; o++) {
        start(NULL);
        for (unsigned i = 0; i < 4; i++) {
            unsigned k = order[o][i];
            if (step[k].lift)
                lift(step[k].place, step[k].slot, 1000 + 700 * i);
            else
                drop(step[k].place, step[k].slot, 1000 + 700 * i);
        }
        expect_item(0, A, B);
        expect_item(1, B, A);
        assert_int_equal(count(GAME_LOOK), 0);
        assert_int_equal(count(GAME_REST), 0);
        assert_int_equal(track.now.n_air, 0);
    }
}
static void a_ghost_changes_nothing(void **state) {
    (void)state;
    drop(3, A, 1000); // seen on another pad while the first has not let go
    expect_item(2, 3, A);
    lift(A, A, 1500); // the ghost fades
    assert_int_equal(hands_where(&track, A), 3);
    assert_int_equal(track.now.n_items, 3);
    assert_int_equal(track.now.n_air, 0);
}
static void own_place_follows_what_was_accepted(void **state) {
    (void)state;
    lift(A, A, 1000);
    drop(3, A, 2000);
    hands_accept(&track);
    assert_int_equal(track.now.n_visits, 0);
    lift(3, A, 2100);
    drop(3, A, 4000);
    assert_int_equal(count(GAME_LOOK), 1);
    assert_int_equal(count(GAME_TOUCH), 0);
}
static void where_anything_may_lie_every_landing_is_a_touch(void **state) {
    (void)state;
    track.slot[A].loose = true; // a number that says ready, again and again on one pad
    for (unsigned i = 1; i <= 2; i++) {
        lift(A, A, i * 3000);
        drop(A, A, i * 3000 + 1000);
        assert_int_equal(count(GAME_TOUCH), i);
    }
    assert_int_equal(count(GAME_REST), 0);
}
static void what_was_told_of_is_put_back_and_not_peeked_at(void **state) {
    (void)state;
    lift(A, A, 1000);
    lift(B, B, 1000);
    hands_told(&track, A);
    drop(A, A, 3000);
    drop(B, B, 3000);
    lift(A, A, 5000);
    drop(A, A, 6000);
    assert_int_equal(count(GAME_LOOK), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(track.now.visit[i].told, i == 0);
}
static void a_look_that_began_before_counts_at_its_end(void **state) {
    (void)state;
    lift(A, A, 1000);
    hands_accept(&track);
    drop(A, A, 3000);
    assert_int_equal(count(GAME_LOOK), 1);
}
static void visits_are_forgotten_one_by_one_or_by_age(void **state) {
    (void)state;
    for (unsigned i = 0; i < HANDS_VISITS_MAX + 3; i++)
        hands_control(&track, A, i, i);
    assert_int_equal(track.now.n_visits, HANDS_VISITS_MAX);
    assert_int_equal(track.now.visit[0].visit.what, 3);
    uint64_t taken[HANDS_VISITS_MAX / 64] = {5};
    hands_forget(&track, taken);
    assert_int_equal(track.now.n_visits, HANDS_VISITS_MAX - 2);
    assert_int_equal(track.now.visit[0].visit.what, 4);
    assert_int_equal(track.now.visit[1].visit.what, 6);
}
static void u10_foreign_pieces_are_counted_by_place(void **state) {
    (void)state;
    hands_foreign(&track, B, 1, 1);
    hands_foreign(&track, B, 1, 2);
    hands_foreign(&track, B, -1, 3);
    assert_int_equal(track.now.n_foreign, 1);
    hands_foreign(&track, B, -1, 4);
    hands_foreign(&track, B, -1, 5);
    assert_int_equal(track.now.n_foreign, 0);
}
static void nonsense_is_ignored(void **state) {
    (void)state;
    drop(99, A, 1000);
    drop(A, 99, 1000);
    lift(A, 99, 1000);
    lift(GAME_NONE, 3, 1000);
    hands_tapped(&track, 99, A, 0);
    hands_foreign(&track, 99, 1, 0);
    assert_int_equal(track.now.n_items, 3);
    assert_int_equal(track.now.n_visits, 0);
}

// Bytes between the fields of an entry count for nothing, its fields do.
static void the_same_is_the_same_whatever_lies_between(void **state) {
    (void)state;
    static struct hands other;
    lift(A, A, 1000);
    drop(A, A, 1600);
    lift(B, B, 2000);
    other = track.now;
    ((uint8_t *)&other.item[0])[offsetof(struct hands_item, face) + 1] ^= 0xa5;
    ((uint8_t *)&other.visit[0])[offsetof(struct hands_visit, visit.type) + 1] ^= 0xa5;
    ((uint8_t *)&other.air[0])[offsetof(struct hands_air, from) + sizeof(game_place)] ^= 0xa5;
    assert_true(hands_same(&track.now, &other));
    other.visit[0].told ^= true;
    assert_false(hands_same(&track.now, &other));
    other = track.now;
    other.air[0].since_us++;
    assert_false(hands_same(&track.now, &other));
    other = track.now;
    other.item[0].face = GAME_FACE_UP;
    assert_false(hands_same(&track.now, &other));
    other = track.now;
    other.sense[C] = HANDS_UNKNOWN;
    assert_false(hands_same(&track.now, &other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_look_is_first_miss_to_first_sighting, start),
        cmocka_unit_test_setup(on11_a_nudge_is_nothing, start),
        cmocka_unit_test_setup(a_look_of_40_s_stands, start),
        cmocka_unit_test_setup(not_alone_is_no_look, start),
        cmocka_unit_test_setup(a_stray_sighting_on_a_neighbour_spoils_no_look, start),
        cmocka_unit_test_setup(a_stay_elsewhere_is_a_rest, start),
        cmocka_unit_test_setup(tokens_touch_at_landing, start),
        cmocka_unit_test_setup(two_pieces_fly_in_any_interleaving, start),
        cmocka_unit_test_setup(a_ghost_changes_nothing, start),
        cmocka_unit_test_setup(own_place_follows_what_was_accepted, start),
        cmocka_unit_test_setup(where_anything_may_lie_every_landing_is_a_touch, start),
        cmocka_unit_test_setup(what_was_told_of_is_put_back_and_not_peeked_at, start),
        cmocka_unit_test_setup(a_look_that_began_before_counts_at_its_end, start),
        cmocka_unit_test_setup(visits_are_forgotten_one_by_one_or_by_age, start),
        cmocka_unit_test_setup(u10_foreign_pieces_are_counted_by_place, start),
        cmocka_unit_test_setup(nonsense_is_ignored, start),
        cmocka_unit_test_setup(the_same_is_the_same_whatever_lies_between, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
