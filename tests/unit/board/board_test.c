// The board: pieces, controls, tap pads, silence, enrolment.
#include "unit/board/rig.h"

#define T11 "04110A5A1F6180"
#define T12 "04120A5A1F6180"
#define T13 "04130A5A1F6180"
#define K21 "04210B5A1F6180"
#define K22 "04220B5A1F6180"
#define START "04310C5A1F6180"
#define DONE "04320C5A1F6180"
#define DONE_2 "04330C5A1F6180"

static void placed_moved_removed(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    rig_scans(&rig, "north.0", "none", 2);
    rig_scans(&rig, "north.0", T11, 5);
    assert_int_equal(rig.last_since_us, 170000);
    rig_scans(&rig, "north.0", "none", 5);
    assert_int_equal(rig.last_since_us, 595000);
    rig_scans(&rig, "north.1", T11, 3);
    rig_expect(&rig,
               "0 north.0 known\n255 placed north.0 tile-11\n765 removed north.0 tile-11\n"
               "1020 north.1 known\n1105 placed north.1 tile-11\n");
    assert_int_equal(board_changed_us(rig.board), 1105000);
    rig_end(&rig);
}

// Neither a collided nor a failed scan is an absence, and neither ends a run of misses.
static void collided_and_failed_count_nothing(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_forget(&rig);
    rig_scans(&rig, "north.0", "none", 2);
    rig_scans(&rig, "north.0", "collided", 2);
    rig_scans(&rig, "north.0", "failed", 2);
    assert_int_equal(rig.n_removed, 0);
    rig_scans(&rig, "north.0", "none", 1);
    rig_expect(&rig, "765 removed north.0 tile-11\n");
    assert_int_equal(rig.last_since_us, 255000);
    rig_end(&rig);
}

static void token_goes_while_tile_stays(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_scans(&rig, "north.0", T11 " " K21, 3);
    rig_scans(&rig, "north.0", T11, 3);
    rig_expect(&rig,
               "0 north.0 known\n85 placed north.0 tile-11\n340 placed north.0 token-21\n"
               "680 removed north.0 token-21\n");
    rig_end(&rig);
}

static void doubt_is_cleared_by_one(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", K21 " " K22 " " T11, 3);
    rig_scans(&rig, "north.0", "none", 6);
    assert_int_equal(board_pad_state(rig.board, 0), PAD_STATE_DOUBTFUL);
    rig_forget(&rig);
    // One shows again: the others follow the ordinary rule from here.
    rig_scans(&rig, "north.0", T11, 5);
    rig_expect(&rig, "765 north.0 known\n935 removed north.0 token-21\n935 removed north.0 token-22\n");
    assert_int_equal(rig.last_since_us, 255000);
    assert_string_equal(rig_where(&rig, "tile-11"), "north.0");
    rig_end(&rig);
}

static void pieces_lifted_one_after_another_are_no_doubt(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11 " " K21, 3);
    rig_forget(&rig);
    rig_scans(&rig, "north.0", T11, 1);
    rig_scans(&rig, "north.0", "none", 3);
    rig_expect(&rig, "425 removed north.0 token-21\n510 removed north.0 tile-11\n");
    rig_end(&rig);
}

static void overloaded_stack_stays_while_it_collides(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11 " " K21, 3);
    rig_scans(&rig, "north.0", "none", 4);
    rig_scans(&rig, "north.0", "collided", 40);
    assert_int_equal(rig.n_removed, 0);
    assert_int_equal(board_pad_state(rig.board, 0), PAD_STATE_SEVERAL);
    rig_scans(&rig, "north.0", T11 " " K21, 1);
    assert_int_equal(board_pad_state(rig.board, 0), PAD_STATE_KNOWN);
    assert_int_equal(rig.n_placed, 2);
    rig_end(&rig);
}

static void controls_have_a_lock_and_no_place(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "tap", "none", 1);
    rig_scans(&rig, "tap", DONE, 3);
    rig_scans(&rig, "tap", "none", 3);
    rig_scans(&rig, "tap", DONE_2, 3); // within the second: the same word
    rig_scans(&rig, "tap", "none", 4);
    rig_scans(&rig, "tap", DONE, 3);
    rig_expect(&rig, "0 tap known\n170 control tap done\n1275 control tap done\n");
    assert_string_equal(rig_where(&rig, "done"), "-");
    struct board_piece pieces[BOARD_PAD_PIECES_MAX];
    assert_int_equal(board_pieces(rig.board, 2, pieces), 0);
    rig_end(&rig);
}

static void control_on_a_tile_pad_disturbs_nothing(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_forget(&rig);
    rig_scans(&rig, "north.0", T11 " " START, 20);
    rig_scans(&rig, "north.0", T11, 5);
    rig_expect(&rig, "340 control north.0 start\n");
    rig_end(&rig);
}

static void token_on_a_tap_pad_is_placed_and_removed(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "tap", "none", 1);
    rig_scans(&rig, "tap", K21, 3);
    rig_scans(&rig, "tap", "none", 3);
    rig_expect(&rig, "0 tap known\n170 placed tap token-21\n510 removed tap token-21\n");
    rig_end(&rig);
}

static void second_tag_of_a_piece_tells_the_face(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_piece(&rig, "card", "tile", "04400D5A1F6180", PIECE_FACE_DOWN);
    rig_piece(&rig, "card", "tile", "04410D5A1F6180", PIECE_FACE_UP);
    board_pieces_changed(rig.board);
    rig_scans(&rig, "north.0", "04400D5A1F6180", 3);
    assert_int_equal(rig.last_face, PIECE_FACE_DOWN);
    rig_scans(&rig, "north.0", "04410D5A1F6180", 4); // turned over where it lies
    assert_int_equal(rig.last_face, PIECE_FACE_UP);
    rig_expect(&rig,
               "0 north.0 known\n85 placed north.0 card\n425 removed north.0 card\n"
               "425 placed north.0 card\n");
    rig_scans(&rig, "north.0", "none", 3);
    rig_expect(&rig, "765 removed north.0 card\n");
    rig_end(&rig);
}

static void foreign_tag_is_one_notice(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11 " 04990A5A1F6180", 2);
    assert_int_equal(rig.n_notices[BOARD_NOTICE_UNKNOWN], 0);
    rig_scans(&rig, "north.0", T11 " 04990A5A1F6180", 50);
    rig_scans(&rig, "north.0", T11, 5);
    rig_scans(&rig, "north.0", T11 " 04990A5A1F6180", 50);
    assert_int_equal(rig.n_notices[BOARD_NOTICE_UNKNOWN], 1);
    rig_scans(&rig, "north.0", T11, 5);
    rig_scans(&rig, "north.0", T11 " 04980A5A1F6180", 5); // another one
    assert_int_equal(rig.n_notices[BOARD_NOTICE_UNKNOWN], 2);
    assert_int_equal(rig.n_removed, 0);
    rig_end(&rig);
}

static void foreign_tag_in_place_of_a_tile_is_a_removal(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_forget(&rig);
    rig_scans(&rig, "north.0", "04990A5A1F6180", 6);
    rig_expect(&rig, "425 notice unknown north.0\n680 removed north.0 tile-11\n");
    rig_end(&rig);
}

// A neighbour hears a piece for a moment; it never moves.
static void stray_sighting_moves_nothing(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    for (unsigned i = 0; i < 40; i++) {
        rig_scan(&rig, "north.0", T11);
        rig_scan(&rig, "north.1", i >= 10 && i < 15 ? T11 : "none");
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    rig_expect(&rig,
               "0 north.0 known\n0 north.1 known\n85 placed north.0 tile-11\n"
               "935 notice duplicate north.1\n");
    rig_end(&rig);
}

// A neighbour hears it for seconds: the piece is given back, and the neighbour does not take it twice.
static void long_stray_hearing_heals_once(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    for (unsigned i = 0; i < 400; i++) {
        bool heard = (i >= 10 && i < 30) || (i >= 100 && i < 130) || (i >= 200 && i < 230);
        rig_scan(&rig, "north.0", T11);
        rig_scan(&rig, "north.1", heard ? T11 : "none");
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    assert_string_equal(rig_where(&rig, "tile-11"), "north.0");
    assert_int_equal(rig.n_placed, 3);
    assert_int_equal(rig.n_removed, 2);
    assert_int_equal(rig.n_notices[BOARD_NOTICE_GHOST], 1);
    rig_end(&rig);
}

static void move_within_the_grace_is_a_plain_move(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 2);
    rig_scans(&rig, "north.0", T11, 3);
    rig_forget(&rig);
    for (unsigned i = 0; i < 6; i++) {
        rig_scan(&rig, "north.0", "none");
        rig_scan(&rig, "north.1", T11);
        rig_until(&rig, rig_ms(&rig) + RIG_SCAN_MS);
    }
    rig_expect(&rig, "255 north.1 known\n425 removed north.0 tile-11\n425 placed north.1 tile-11\n");
    rig_end(&rig);
}

static void overflow_is_one_notice(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    const char *all =
        "04110A5A1F6180 04120A5A1F6180 04130A5A1F6180 04140A5A1F6180 04150A5A1F6180 "
        "04160A5A1F6180 04170A5A1F6180 04180A5A1F6180 04210B5A1F6180 04220B5A1F6180";
    rig_scans(&rig, "north.0", all, 40);
    assert_int_equal(rig.n_placed, 8);
    assert_int_equal(rig.n_notices[BOARD_NOTICE_OVERFLOW], 1);
    rig_end(&rig);
}

static void silent_pads_become_unknown_and_time_ends(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", T11, 3);
    rig_scan(&rig, "south.0", "none");
    rig_forget(&rig);
    assert_int_equal(loop_run(rig.loop), 0); // nothing is left to wait for
    rig_expect(&rig, "3170 north.0 unknown\n3255 south.0 unknown\n");
    assert_string_equal(rig_where(&rig, "tile-11"), "north.0");
    rig_end(&rig);
}

struct watched {
    unsigned n;
    uint16_t pad;
    struct tag tag;
    enum tag_kind kind;
};

static void on_tag(void *ctx, uint16_t pad, const struct tag *tag, enum tag_kind kind) {
    struct watched *w = ctx;
    w->n++;
    w->pad = pad;
    w->tag = *tag;
    w->kind = kind;
}

static void enrolment_reports_the_next_steady_tag_once(void **state) {
    (void)state;
    struct rig rig;
    struct watched w = {0};
    const struct tag new_tag = rig_tag("04AA0A5A1F6180");
    rig_begin(&rig, 2);
    board_watch_tag(rig.board, 1, on_tag, &w);
    rig_scans(&rig, "north.0", "04BB0A5A1F6180", 5); // another pad
    rig_scans(&rig, "north.1", T11, 5);              // a piece
    rig_scans(&rig, "north.1", "04AA0A5A1F6180", 2); // not yet steady
    assert_int_equal(w.n, 0);
    rig_scans(&rig, "north.1", "04AA0A5A1F6180", 5);
    assert_int_equal(w.n, 1);
    assert_int_equal(w.pad, 1);
    assert_int_equal(w.kind, TAG_PLAIN);
    assert_true(tag_equal(&w.tag, &new_tag));
    board_watch_tag(rig.board, BOARD_PADS_MAX, on_tag, &w);
    rig_scans(&rig, "north.1", "04AA0A5A1F6180", 1); // lies there already
    assert_int_equal(w.n, 2);
    board_watch_tag(rig.board, BOARD_PADS_MAX, on_tag, &w);
    board_watch_tag(rig.board, 0, NULL, NULL);
    rig_scans(&rig, "north.1", "04AA0A5A1F6180", 5);
    assert_int_equal(w.n, 2);
    rig_end(&rig);
}

static void enrolled_tag_is_placed_and_forgotten_piece_removed(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    rig_scans(&rig, "north.0", "04AA0A5A1F6180", 5);
    rig_forget(&rig);
    rig_piece(&rig, "new", "tile", "04AA0A5A1F6180", PIECE_FACE_UNKNOWN);
    board_pieces_changed(rig.board);
    assert_string_equal(rig_where(&rig, "new"), "north.0");
    assert_int_equal(pieces_remove(rig.pieces, "box", "new", NULL), ERROR_OK);
    board_pieces_changed(rig.board);
    rig_expect(&rig, "425 placed north.0 new\n425 removed north.0 forgotten\n");
    rig_end(&rig);
}

static void wrong_pads_are_refused(void **state) {
    (void)state;
    struct rig rig;
    struct board *board;
    struct error err;
    rig_begin(&rig, 1);
    struct board_pad_options pads[2] = {*board_pad(rig.board, 0), *board_pad(rig.board, 0)};
    const struct board_listener listener = {0};
    assert_int_equal(board_create(rig.loop, rig.pieces, pads, 2, &listener, &board, &err), ERROR_INVALID);
    assert_string_equal(err.where, "north.0");
    strcpy(pads[1].name, "other");
    assert_int_equal(board_create(rig.loop, rig.pieces, pads, 2, &listener, &board, &err), ERROR_INVALID);
    pads[1].antenna = 1;
    pads[1].limits.arrive_n = 9;
    assert_int_equal(board_create(rig.loop, rig.pieces, pads, 2, &listener, &board, &err), ERROR_INVALID);
    assert_int_equal(board_find(rig.board, "south", 0), 1);
    assert_int_equal(board_find(rig.board, "south", 9), BOARD_PADS_MAX);
    assert_int_equal(board_find_name(rig.board, "tap"), 2);
    rig_end(&rig);
}

// The first sighting of a piece asks for another look at once; nothing else does.
static void another_look_is_asked_for(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 1);
    assert_false(rig_scan(&rig, "north.0", "none"));
    rig_until(&rig, 85);
    assert_true(rig_scan(&rig, "north.0", T11));
    rig_until(&rig, 95);
    assert_false(rig_scan(&rig, "north.0", T11));
    rig_expect(&rig, "0 north.0 known\n95 placed north.0 tile-11\n");
    assert_false(rig_scan(&rig, "north.0", "none"));
    rig_end(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placed_moved_removed),
        cmocka_unit_test(collided_and_failed_count_nothing),
        cmocka_unit_test(token_goes_while_tile_stays),
        cmocka_unit_test(doubt_is_cleared_by_one),
        cmocka_unit_test(pieces_lifted_one_after_another_are_no_doubt),
        cmocka_unit_test(overloaded_stack_stays_while_it_collides),
        cmocka_unit_test(controls_have_a_lock_and_no_place),
        cmocka_unit_test(control_on_a_tile_pad_disturbs_nothing),
        cmocka_unit_test(token_on_a_tap_pad_is_placed_and_removed),
        cmocka_unit_test(second_tag_of_a_piece_tells_the_face),
        cmocka_unit_test(foreign_tag_is_one_notice),
        cmocka_unit_test(foreign_tag_in_place_of_a_tile_is_a_removal),
        cmocka_unit_test(stray_sighting_moves_nothing),
        cmocka_unit_test(long_stray_hearing_heals_once),
        cmocka_unit_test(move_within_the_grace_is_a_plain_move),
        cmocka_unit_test(overflow_is_one_notice),
        cmocka_unit_test(silent_pads_become_unknown_and_time_ends),
        cmocka_unit_test(enrolment_reports_the_next_steady_tag_once),
        cmocka_unit_test(enrolled_tag_is_placed_and_forgotten_piece_removed),
        cmocka_unit_test(wrong_pads_are_refused),
        cmocka_unit_test(another_look_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
