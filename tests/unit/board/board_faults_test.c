// Rows of known-faults.md that the board answers for.
#include "core/rng.h"
#include "unit/board/rig.h"

#define T11 "04110A5A1F6180"
#define T12 "04120A5A1F6180"
#define K21 "04210B5A1F6180"

static bool chance(struct rng *rng, unsigned percent) {
    return rng_below(rng, 100) < percent;
}

// A tag at rest for 10 minutes, read every 100 ms: one event.
static void b001_resting_tag_is_one_event(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    for (unsigned i = 0; i < 6000; i++) {
        rig_scan(&rig, "north.0", T11);
        rig_until(&rig, rig_ms(&rig) + 100);
    }
    rig_expect(&rig, "0 north.0 known\n100 placed north.0 tile-11\n");
    rig_end(&rig);
}

// The control lock is the only guard with a window: 3.5 windows at rest are one event; lifted and put back: a
// second.
static void b002_guard_is_renewed_by_rest(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "tap", "none", 1);
    rig_scans(&rig, "tap", "04320C5A1F6180", 42);
    assert_int_equal(rig.n_controls, 1);
    rig_scans(&rig, "tap", "none", 13);
    rig_scans(&rig, "tap", "04320C5A1F6180", 3);
    assert_int_equal(rig.n_controls, 2);
    rig_end(&rig);
}

// README: a removal comes with the pad's run of misses, 10 at most, and scans that tell nothing between them.
enum { LIFT_SCANS_MAX = 10 + 2 };

static void b005_isolated_misses(void **state) {
    (void)state;
    struct rig rig;
    struct rng rng;
    rig_begin(&rig, 1);
    rng_seed(&rng, 5);
    rig_scans(&rig, "north.0", T11, 3);
    for (unsigned i = 0; i < 30 * 60 * 12; i++) {
        rig_scan(&rig, "north.0", chance(&rng, 5) ? "none" : T11);
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    rig_expect(&rig, "0 north.0 known\n85 placed north.0 tile-11\n");
    int64_t lifted = rig_ms(&rig);
    rig_scans(&rig, "north.0", "none", LIFT_SCANS_MAX);
    assert_int_equal(rig.n_removed, 1);
    assert_true(rig.last_since_us / 1000 <= lifted);
    assert_true(board_changed_us(rig.board) / 1000 - lifted <= (LIFT_SCANS_MAX - 1) * RIG_SCAN_MS);
    rig_end(&rig);
}

// A pad that was noisy and is clean again is quick again.
static void b005_clean_pad_is_quick_again(void **state) {
    (void)state;
    struct rig rig;
    struct rng rng;
    rig_begin(&rig, 1);
    rng_seed(&rng, 7);
    rig_scans(&rig, "north.0", T11, 3);
    for (unsigned i = 0; i < 1000; i++) {
        rig_scan(&rig, "north.0", chance(&rng, 5) ? "none" : T11);
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    rig_scans(&rig, "north.0", T11, 4 * 512);
    int64_t lifted = rig_ms(&rig);
    rig_scans(&rig, "north.0", "none", 4);
    assert_int_equal(rig.n_removed, 1);
    assert_int_equal(board_changed_us(rig.board) / 1000, lifted + 170);
    rig_end(&rig);
}

static void b006_collision_is_no_absence(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    for (unsigned i = 0; i < 2000; i++)
        rig_scans(&rig, "north.0", i % 2 ? "collided" : T11, 1);
    rig_expect(&rig, "0 north.0 known\n170 placed north.0 tile-11\n");
    rig_scans(&rig, "north.0", "none", 3); // only no answer counts
    assert_int_equal(rig.n_removed, 1);
    rig_end(&rig);
}

static void b007_snapshot_tells_since_and_seen(void **state) {
    (void)state;
    struct rig rig;
    struct board_piece pieces[BOARD_PAD_PIECES_MAX];
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", "none", 4);
    rig_scans(&rig, "north.0", T11, 353); // 30 s
    assert_int_equal(board_pieces(rig.board, 0, pieces), 1);
    assert_int_equal(pieces[0].piece, rig_piece_at(&rig, "tile-11"));
    assert_int_equal(pieces[0].since_us, 340000);
    assert_int_equal(pieces[0].seen_us, (340 + 352 * 85) * 1000);
    assert_string_equal(rig_where(&rig, "tile-11"), "north.0");
    rig_end(&rig);
}

// A reader that tells arrivals only: what arrives elsewhere has left.
static void b008_arrivals_only_reader(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    rig_scans(&rig, "north.0", T11, 2); // and never a word again
    rig_until(&rig, 8000);
    rig_forget(&rig);
    rig_scans(&rig, "north.1", T11, 12);
    rig_expect(&rig, "8000 north.1 known\n8765 removed north.0 tile-11\n8765 placed north.1 tile-11\n");
    struct board_piece pieces[BOARD_PAD_PIECES_MAX];
    assert_int_equal(board_pieces(rig.board, 0, pieces), 0);
    assert_int_equal(rig.n_notices[BOARD_NOTICE_GHOST], 0);
    rig_end(&rig);
}

static void b009_silent_reader(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_forget(&rig);
    rig_until(&rig, 60000);
    rig_expect(&rig, "3170 north.0 unknown\n");
    assert_string_equal(rig_where(&rig, "tile-11"), "north.0");
    rig_scans(&rig, "north.0", T11, 3); // it wakes
    rig_expect(&rig, "60000 north.0 known\n");
    rig_end(&rig);
}

static void b010_lost_reader_removes_nothing(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    rig_scan(&rig, "north.1", T12);
    rig_scans(&rig, "north.0", T11, 3);
    rig_scan(&rig, "north.1", T12);
    rig_scan(&rig, "north.1", T12);
    rig_forget(&rig);
    board_reader(rig.board, "north", false, loop_now_us(rig.loop));
    rig_until(&rig, 20000);
    board_reader(rig.board, "north", true, loop_now_us(rig.loop));
    rig_expect(&rig, "255 north.0 unknown\n255 north.1 unknown\n");
    for (unsigned i = 0; i < 4; i++) { // one still lies there, one was taken
        rig_scan(&rig, "north.0", T11);
        rig_scan(&rig, "north.1", "none");
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    rig_expect(&rig, "20000 north.0 known\n20000 north.1 known\n20170 removed north.1 tile-12\n");
    rig_end(&rig);
}

// Two tiles change places; each old pad goes on reporting its tile for 0.3 to 1.6 s after the lift.
struct late_pad {
    const char *shown[2]; // what it shows by itself
    int64_t until_ms[2];  // and until when; INT64_MAX = it lies there
    int64_t from_ms[2];
};

static void show_late(struct rig *rig, const char *pad, const struct late_pad *late, bool one_only) {
    char what[64] = "";
    for (unsigned i = 0; i < 2; i++) {
        if (rig_ms(rig) < late->from_ms[i] || rig_ms(rig) >= late->until_ms[i] || (one_only && what[0]))
            continue;
        size_t len = strlen(what);
        snprintf(what + len, sizeof what - len, "%s%s", len ? " " : "", late->shown[i]);
    }
    rig_scan(rig, pad, what[0] ? what : "none");
}

static void swap_with_late_removals(uint64_t seed, bool one_only) {
    struct rig rig;
    struct rng rng;
    rng_seed(&rng, seed);
    rig_begin(&rig, 2);
    int64_t lift_a = 1000, lift_b = 1000 + 200 + rng_below(&rng, 1300);
    int64_t land_b = lift_b + 300 + rng_below(&rng, 3000), land_a = land_b + 300 + rng_below(&rng, 1200);
    int64_t late_a = 300 + rng_below(&rng, 1300), late_b = 300 + rng_below(&rng, 1300);
    const struct late_pad a = {{T11, T12}, {lift_a + late_a, INT64_MAX}, {0, land_a}};
    const struct late_pad b = {{T12, T11}, {lift_b + late_b, INT64_MAX}, {0, land_b}};
    while (rig_ms(&rig) < land_a + 4000) {
        show_late(&rig, "north.0", &a, one_only);
        rig_until(&rig, rig_ms(&rig) + 40);
        show_late(&rig, "north.1", &b, one_only);
        rig_until(&rig, rig_ms(&rig) + 45);
    }
    struct board_piece pieces[BOARD_PAD_PIECES_MAX];
    assert_string_equal(rig_where(&rig, "tile-11"), "north.1");
    assert_string_equal(rig_where(&rig, "tile-12"), "north.0");
    assert_int_equal(board_pieces(rig.board, 0, pieces), 1);
    assert_int_equal(board_pieces(rig.board, 1, pieces), 1);
    assert_int_equal(rig.n_placed, 4); // each moved once
    assert_int_equal(rig.n_removed, 2);
    rig_end(&rig);
}

static void b014_late_removals_end_as_the_true_board(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        swap_with_late_removals(seed, false);
        swap_with_late_removals(seed, true);
    }
}

static void b015_ghost_that_never_leaves(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    rig_scans(&rig, "north.0", T11, 3);
    rig_forget(&rig);
    for (unsigned i = 0; i < 600; i++) {
        rig_scan(&rig, "north.0", T11);
        rig_scan(&rig, "north.1", T11);
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    rig_expect(&rig,
               "255 north.1 known\n340 notice duplicate north.1\n"
               "1020 removed north.0 tile-11\n1020 placed north.1 tile-11\n"
               "1020 notice ghost north.0\n");
    struct board_piece pieces[BOARD_PAD_PIECES_MAX];
    assert_int_equal(board_pieces(rig.board, 0, pieces), 0);
    // A look at the tile on its new pad: the ghost does not take it back.
    for (unsigned i = 0; i < 40; i++) {
        rig_scan(&rig, "north.0", T11);
        rig_scan(&rig, "north.1", i < 30 ? "none" : T11);
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    assert_string_equal(rig_where(&rig, "tile-11"), "north.1");
    assert_int_equal(rig.n_placed, 3);
    rig_end(&rig);
}

static void b016_flood_is_one_event(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    for (unsigned i = 0; i < 500; i++) {
        rig_scan(&rig, "north.0", T11);
        rig_until(&rig, rig_ms(&rig) + 10);
    }
    rig_expect(&rig, "0 north.0 known\n10 placed north.0 tile-11\n");
    rig_end(&rig);
}

static void b017_every_scan_twice(void **state) {
    (void)state;
    static const char *const evening[] = {"none", T11,    T11,    T11,    "none", "none", T11,
                                          T11,    "none", "none", "none", "none", T11,    T11};
    struct rig rig;
    rig_begin(&rig, 1);
    for (unsigned i = 0; i < sizeof evening / sizeof evening[0]; i++) {
        rig_scan(&rig, "north.0", evening[i]);
        rig_until(&rig, 85 * i + 15);
        rig_scan(&rig, "north.0", evening[i]);
        rig_until(&rig, 85 * (i + 1));
    }
    // Two misses told twice are no four: nothing leaves before the third.
    assert_int_equal(rig.n_placed, 2);
    assert_int_equal(rig.n_removed, 1);
    assert_non_null(strstr(rig.text, " removed north.0 tile-11\n1"));
    rig_end(&rig);
}

// One id on two pads from the first moment: told, moved at most once.
static void b042_one_id_on_two_pads(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    for (unsigned i = 0; i < 3000; i++) {
        rig_scan(&rig, "north.0", T11);
        rig_until(&rig, rig_ms(&rig) + 40);
        rig_scan(&rig, "north.1", T11);
        rig_until(&rig, rig_ms(&rig) + 45);
    }
    assert_int_equal(rig.n_notices[BOARD_NOTICE_DUPLICATE], 1);
    assert_int_equal(rig.n_notices[BOARD_NOTICE_GHOST], 1);
    assert_int_equal(rig.n_placed, 2);
    assert_int_equal(rig.n_removed, 1);
    rig_end(&rig);
}

static void b043_two_ids_in_turn(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 5);
    for (unsigned i = 0; i < 200; i++)
        rig_scans(&rig, "north.0", i % 2 ? T11 : T12, 1);
    rig_expect(&rig,
               "0 north.0 known\n85 placed north.0 tile-11\n595 placed north.0 tile-12\n"
               "595 north.0 several\n");
    rig_scans(&rig, "north.0", T11, 8); // one taken away
    assert_int_equal(board_pad_state(rig.board, 0), PAD_STATE_KNOWN);
    assert_int_equal(rig.n_removed, 1);
    rig_end(&rig);
}

static void b044_collisions_for_3_s(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_scans(&rig, "north.0", "collided", 35);
    rig_scans(&rig, "north.0", T11, 3);
    rig_expect(&rig, "0 north.0 known\n85 placed north.0 tile-11\n425 north.0 several\n3230 north.0 known\n");
    rig_end(&rig);
}

// A tile's id cut to 88 and three bytes is told, and is no piece.
static void b047_cut_ids_match_nothing(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    rig_scans(&rig, "north.0", "8804110A", 10);
    rig_scans(&rig, "north.1", "8804110A", 10); // another tile with the same first bytes
    rig_expect(&rig,
               "0 notice partial north.0\n0 north.0 known\n"
               "850 notice partial north.1\n850 north.1 known\n");
    rig_end(&rig);
}

static void b048_all_lengths_on_pads(void **state) {
    (void)state;
    static const char *const ids[] = {"55672330", "8888041122", "04A1B2C3D4E580", "04A1B288C3D4E5F60718"};
    struct rig rig;
    rig_begin(&rig, 4);
    for (unsigned i = 0; i < 4; i++) {
        char name[16], pad[16];
        if (i == 1)
            continue; // five bytes are no id
        snprintf(name, sizeof name, "piece-%u", i);
        snprintf(pad, sizeof pad, "north.%u", i);
        rig_piece(&rig, name, "tile", ids[i], PIECE_FACE_UNKNOWN);
        board_pieces_changed(rig.board);
        rig_scans(&rig, pad, ids[i], 3);
        assert_string_equal(rig_where(&rig, name), pad);
    }
    rig_end(&rig);
}

static void b049_reversed_id_gives_a_hint(void **state) {
    (void)state;
    struct rig rig;
    struct tag turned = rig_tag(T11);
    tag_reverse(&turned);
    char text[TAG_TEXT_MAX];
    tag_format(&turned, text);
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", text, 20);
    rig_expect(&rig, "0 north.0 known\n170 notice unknown north.0\n170 notice reversed north.0\n");
    assert_int_equal(rig.n_placed, 0);
    rig_end(&rig);
}

static void b052_phone_is_one_notice(void **state) {
    (void)state;
    struct rig rig;
    struct rng rng;
    rng_seed(&rng, 52);
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_forget(&rig);
    uint16_t pieces = pieces_count(rig.pieces);
    for (unsigned touch = 0; touch < 20; touch++) {
        for (unsigned i = 0; i < 6; i++) {
            char id[16];
            snprintf(id, sizeof id, "08%06X", (unsigned)rng_below(&rng, 0xffffff));
            rig_scans(&rig, "north.0", id, 1 + touch % 2 * 4);
        }
        rig_scans(&rig, "north.0", T11, 12);
    }
    rig_expect(&rig, "255 notice random north.0\n"); // and the tile under it stays
    assert_int_equal(pieces_count(rig.pieces), pieces);
    rig_scans(&rig, "north.0", T11, 400);
    rig_scans(&rig, "north.0", "08000001", 1);
    assert_int_equal(rig.n_notices[BOARD_NOTICE_RANDOM], 2);
    rig_end(&rig);
}

// One bit wrong in one scan of ten: never a piece, never a notice.
static void b055_flipped_bits_are_never_pieces(void **state) {
    (void)state;
    struct rig rig;
    struct rng rng;
    rng_seed(&rng, 55);
    rig_begin(&rig, 1);
    struct tag good = rig_tag(T11);
    for (unsigned i = 0; i < 20000; i++) {
        struct tag tag = good;
        if (i > 3 && chance(&rng, 10))
            tag.b[rng_below(&rng, 7)] ^= (uint8_t)(1u << rng_below(&rng, 8));
        board_scan(rig.board, 0, loop_now_us(rig.loop), PAD_SEEN, &tag, 1);
        clock_virtual_advance(&rig.clock, RIG_SCAN_MS * 1000);
    }
    assert_int_equal(rig.n_removed, 0);
    assert_string_equal(rig_where(&rig, "tile-11"), "north.0");
    assert_int_equal(rig.n_notices[BOARD_NOTICE_UNKNOWN], 0);
    assert_int_equal(rig.n_placed, 1);
    rig_end(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b001_resting_tag_is_one_event),
        cmocka_unit_test(b002_guard_is_renewed_by_rest),
        cmocka_unit_test(b005_isolated_misses),
        cmocka_unit_test(b005_clean_pad_is_quick_again),
        cmocka_unit_test(b006_collision_is_no_absence),
        cmocka_unit_test(b007_snapshot_tells_since_and_seen),
        cmocka_unit_test(b008_arrivals_only_reader),
        cmocka_unit_test(b009_silent_reader),
        cmocka_unit_test(b010_lost_reader_removes_nothing),
        cmocka_unit_test(b014_late_removals_end_as_the_true_board),
        cmocka_unit_test(b015_ghost_that_never_leaves),
        cmocka_unit_test(b016_flood_is_one_event),
        cmocka_unit_test(b017_every_scan_twice),
        cmocka_unit_test(b042_one_id_on_two_pads),
        cmocka_unit_test(b043_two_ids_in_turn),
        cmocka_unit_test(b044_collisions_for_3_s),
        cmocka_unit_test(b047_cut_ids_match_nothing),
        cmocka_unit_test(b048_all_lengths_on_pads),
        cmocka_unit_test(b049_reversed_id_gives_a_hint),
        cmocka_unit_test(b052_phone_is_one_notice),
        cmocka_unit_test(b055_flipped_bits_are_never_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
