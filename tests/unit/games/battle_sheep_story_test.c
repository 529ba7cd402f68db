// Battle Sheep by hands: the storyboard rows of evenings 2.5 and the table of battle-sheep.md 7, through the
// referee. Rows that need a whole table are in battle_sheep_table_test.c.
#include "engine/referee.h"
#include "unit/games/battle_sheep_rig.h"

static struct meadow m;
static struct hands_track track;
static struct referee *referee;
static struct verdict verdict;
static int64_t now_us;

static game_place hex(int q, int r) {
    return (game_place)sheep__place_at(&m.s, q, r);
}
static game_kind flock(unsigned seat) {
    return (game_kind)((m.s.markers ? SHEEP_KIND_MARKER : SHEEP_KIND_SHEEP) + seat);
}

// A piece of this kind on a place, or in no place.
static game_slot piece(game_place place, game_kind kind) {
    for (game_slot slot = 0; slot < m.setup.n_slots; slot++)
        if (m.setup.slot_kind[slot] == kind && track.slot[slot].at == place && !track.slot[slot].flies)
            return slot;
    fail_msg("no %s on %u", sheep__kinds[kind].id, place);
    return GAME_NONE;
}
static void lift_slot(game_place place, game_slot slot) {
    hands_removed(&track, place, slot, now_us, now_us);
    now_us += 30000;
}
static void drop_slot(game_place place, game_slot slot) {
    hands_placed(&track, place, slot, GAME_FACE_UP, now_us, now_us);
    now_us += 30000;
}
static void bring(game_place place, game_kind kind, unsigned n) { // from the box
    while (n-- > 0)
        drop_slot(place, piece(GAME_NONE, kind));
}
static void carry(game_place from, game_place to, game_kind kind, unsigned n) {
    while (n-- > 0) {
        game_slot slot = piece(from, kind);
        lift_slot(from, slot);
        drop_slot(to, slot);
    }
}
static void touch(unsigned seat, unsigned number) {
    hands_tapped(&track, sheep__done_place(&m.s, seat),
                 piece(GAME_NONE, (game_kind)(SHEEP_KIND_TOKEN + number - 1)), now_us);
    now_us += 30000;
}

static void lay_out(void) {
    static struct game_layout layout;
    struct error err = {0};
    hands_init(&track, m.places.n, m.setup.n_slots);
    for (game_place place = 0; place < m.places.n; place++)
        hands_sense(&track, place, HANDS_KNOWN);
    now_us = 1000000;
    sheep__layout(&m.s, &layout);
    for (unsigned i = 0; i < layout.n_items; i++)
        bring(layout.item[i].place, layout.item[i].what, layout.item[i].n);
    hands_accept(&track);
    if (!referee)
        assert_int_equal(referee_create(&referee, &err), ERROR_OK);
    referee_state(referee, &battle_sheep_game, &m.setup, &m.places, &m.s);
}
static void open_meadow(const char *options, const char *stacks) {
    meadow_start(&m, 2, options);
    meadow_load(&m, *stacks ? SHEEP_MOVE : SHEEP_PLACE, MEADOW, stacks);
    lay_out();
}

static void expect(enum verdict_type type) {
    referee_judge(referee, &track.now, &verdict);
    if (verdict.type != type)
        fail_msg("verdict %d, not %d: %s %s", verdict.type, type, verdict.rule, verdict.text);
}
static void expect_rule(const char *rule) {
    expect(VERDICT_WRONG);
    assert_string_equal(verdict.rule, rule);
}
// Explained by these actions; they are taken.
static void expect_act(const char *first, const char *second) {
    const char *const wanted[] = {first, second};
    expect(VERDICT_EXPLAINED);
    assert_int_equal(verdict.n_actions, second ? 2 : 1);
    for (unsigned i = 0; i < verdict.n_actions; i++) {
        char text[SHEEP_TEXT];
        struct error err = {0};
        sheep_write(&m.s, verdict.action[i].by, verdict.action[i].action, false, text);
        assert_string_equal(text, wanted[i]);
        assert_int_equal(
            game_act(&battle_sheep_game, &m.s, verdict.action[i].by, verdict.action[i].action, NULL, &err),
            ERROR_OK);
    }
    hands_accept(&track);
    referee_state(referee, &battle_sheep_game, &m.setup, &m.places, &m.s);
    expect(VERDICT_SAME);
}
static void expect_repairs(game_place take, game_place put, unsigned n) {
    unsigned found = 0;
    for (unsigned i = 0; i < verdict.n_repairs; i++)
        found += verdict.repairs[i].take == take && verdict.repairs[i].put == put;
    assert_int_equal(found, n);
}

// ---- splits

#define FAR "0,0=R16 7,3=B16"

static void bs1_the_whole_stack_up_half_back_rest_on_its_way(void **state) {
    (void)state;
    game_slot flying[16];
    open_meadow("", FAR);
    for (unsigned i = 0; i < 16; i++) {
        flying[i] = piece(hex(0, 0), flock(0));
        lift_slot(hex(0, 0), flying[i]);
        expect(VERDICT_PARTIAL);
    }
    for (unsigned i = 0; i < 7; i++)
        drop_slot(hex(0, 0), flying[i]);
    expect(VERDICT_PARTIAL);
    for (unsigned i = 7; i < 16; i++)
        drop_slot(hex(7, 0), flying[i]);
    expect(VERDICT_PARTIAL); // others may still follow: the done spot tells
    touch(0, 1);
    expect_act("M R 0,0>7,0 9", NULL);
}
static void sheep_are_carried_one_by_one_and_back(void **state) {
    (void)state;
    open_meadow("", FAR);
    carry(hex(0, 0), hex(7, 0), flock(0), 5);
    expect(VERDICT_PARTIAL);
    carry(hex(7, 0), hex(0, 0), flock(0), 2);
    expect(VERDICT_PARTIAL);
    touch(0, 1);
    expect_act("M R 0,0>7,0 3", NULL);
    carry(hex(7, 3), hex(7, 1), flock(1), 4); // north-west is d2: 7,2 and 7,1
    touch(1, 2);
    expect_act("M B 7,3>7,1 4", NULL);
}
static void the_other_players_spot_confirms_nothing(void **state) {
    (void)state;
    open_meadow("", FAR);
    carry(hex(0, 0), hex(7, 0), flock(0), 3);
    touch(1, 2);
    expect(VERDICT_PARTIAL);
    touch(0, 1);
    expect_act("M R 0,0>7,0 3", NULL);
}
static void bs2_one_cell_short(void **state) {
    (void)state;
    open_meadow("", FAR);
    carry(hex(0, 0), hex(6, 0), flock(0), 3);
    expect_rule("E_SHORT");
    assert_non_null(strstr(verdict.text, "hex.7,0")); // the end is named
    assert_int_equal(verdict.places[0], hex(0, 0));
    assert_int_equal(verdict.places[1], hex(6, 0));
    expect_repairs(hex(6, 0), hex(0, 0), 3);
    touch(0, 1); // no use
    expect_rule("E_SHORT");
    carry(hex(6, 0), hex(7, 0), flock(0), 3);
    expect(VERDICT_PARTIAL); // the touch was for something else
    touch(0, 1);
    expect_act("M R 0,0>7,0 3", NULL);
}
static void a_touch_too_early_is_nothing(void **state) {
    (void)state;
    open_meadow("", FAR);
    touch(0, 1);
    expect(VERDICT_SAME);
    carry(hex(0, 0), hex(7, 0), flock(0), 1);
    expect(VERDICT_PARTIAL);
    carry(hex(0, 0), hex(7, 0), flock(0), 1);
    touch(0, 1);
    expect_act("M R 0,0>7,0 2", NULL);
}
static void a_sheep_too_late_asks_for_another_touch(void **state) {
    (void)state;
    open_meadow("", FAR);
    carry(hex(0, 0), hex(7, 0), flock(0), 3);
    touch(0, 1);
    carry(hex(0, 0), hex(7, 0), flock(0), 1);
    expect(VERDICT_PARTIAL);
    carry(hex(7, 0), hex(0, 0), flock(0), 1);
    expect(VERDICT_PARTIAL);
    touch(0, 1);
    expect_act("M R 0,0>7,0 3", NULL);
}
static void a_short_slide_taken_back_is_nothing(void **state) {
    (void)state;
    open_meadow("", FAR);
    carry(hex(0, 0), hex(6, 0), flock(0), 3);
    expect_rule("E_SHORT");
    carry(hex(6, 0), hex(0, 0), flock(0), 3);
    expect(VERDICT_SAME);
}
static void mistakes_have_their_codes(void **state) {
    (void)state;
    static const struct {
        int from_q, from_r, to_q, to_r;
        unsigned seat, n;
        const char *rule;
    } rows[] = {
        {0, 0, 6, 0, 0, 2, "E_JUMP"},     {0, 0, 2, 1, 0, 2, "E_NOT_STRAIGHT"},
        {0, 0, 4, 0, 0, 2, "E_OCCUPIED"}, {0, 0, 3, 0, 0, 10, "E_COUNT"},
        {7, 3, 0, 3, 1, 2, "E_TURN"},     {0, 0, 7, 3, 0, 1, "E_OCCUPIED"},
        {0, 0, 2, 0, 0, 1, "E_SHORT"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        open_meadow("", "0,0=R10 4,0=R6 7,3=B16");
        carry(hex(rows[i].from_q, rows[i].from_r), hex(rows[i].to_q, rows[i].to_r), flock(rows[i].seat),
              rows[i].n);
        expect_rule(rows[i].rule);
    }
}
static void bs3_a_silent_stack_stays(void **state) {
    (void)state;
    open_meadow("", "0,0=R9 4,0=R7 7,3=B16");
    hands_sense(&track, hex(0, 0), HANDS_UNKNOWN);
    now_us += 2000000;
    expect(VERDICT_SAME);
    carry(hex(4, 0), hex(7, 0), flock(0), 2); // elsewhere the game goes on
    touch(0, 1);
    expect_act("M R 4,0>7,0 2", NULL);
    hands_sense(&track, hex(0, 0), HANDS_KNOWN);
    expect(VERDICT_SAME);
}
static void bs4_two_stacks_touched(void **state) {
    (void)state;
    open_meadow("", "0,0=R10 0,3=R6 7,3=B16");
    carry(hex(0, 0), hex(7, 0), flock(0), 2);
    carry(hex(0, 3), hex(6, 3), flock(0), 3);
    touch(0, 1);
    expect(VERDICT_WRONG);
    expect_repairs(hex(7, 0), hex(0, 0), 2);
    expect_repairs(hex(6, 3), hex(0, 3), 3);
    carry(hex(6, 3), hex(0, 3), flock(0), 3);
    carry(hex(7, 0), hex(0, 0), flock(0), 2);
    expect(VERDICT_SAME);
}
static void bs6_the_board_shifts_by_one_coil(void **state) {
    (void)state;
    for (unsigned d = 0; d < 6; d++) {
        open_meadow("columns=20", "0,0=R10 4,0=R6 7,3=B16");
        struct hands_track before = track;
        for (game_slot slot = 0; slot < m.setup.n_slots; slot++)
            if (before.slot[slot].at != GAME_NONE)
                lift_slot(before.slot[slot].at, slot);
        for (game_slot slot = 0; slot < m.setup.n_slots; slot++) {
            int q, r;
            if (before.slot[slot].at == GAME_NONE)
                continue;
            sheep__coordinates(&m.s, before.slot[slot].at, &q, &r);
            drop_slot(hex(q + sheep__dq[d], r + sheep__dr[d]), slot);
        }
        expect_rule("E_SHIFTED");
        assert_non_null(strstr(verdict.text, "push it back"));
        for (game_slot slot = 0; slot < m.setup.n_slots; slot++)
            if (before.slot[slot].at != GAME_NONE)
                lift_slot(track.slot[slot].at, slot);
        for (game_slot slot = 0; slot < m.setup.n_slots; slot++)
            if (before.slot[slot].at != GAME_NONE)
                drop_slot(before.slot[slot].at, slot);
        expect(VERDICT_SAME);
    }
}
static void bs7_b065_the_next_split_at_once(void **state) {
    (void)state;
    open_meadow("", FAR);
    carry(hex(0, 0), hex(7, 0), flock(0), 3);
    touch(0, 1);
    carry(hex(7, 3), hex(0, 3), flock(1), 4);
    touch(1, 2);
    expect_act("M R 0,0>7,0 3", "M B 7,3>0,3 4");
}
static void b065_the_next_split_has_begun(void **state) {
    (void)state;
    open_meadow("", FAR);
    carry(hex(0, 0), hex(7, 0), flock(0), 3);
    touch(0, 1);
    carry(hex(7, 3), hex(0, 3), flock(1), 4);
    expect(VERDICT_EXPLAINED);
    assert_int_equal(verdict.n_actions, 1);
    assert_int_equal(verdict.action[0].by, 0);
}

// ---- the other ways to confirm

static void the_control_tile_confirms(void **state) {
    (void)state;
    open_meadow("confirm=control", FAR);
    carry(hex(0, 0), hex(7, 0), flock(0), 3);
    expect(VERDICT_PARTIAL);
    hands_control(&track, GAME_NONE, SHEEP_CONTROL_DONE, now_us);
    expect_act("M R 0,0>7,0 3", NULL);
}
static void stillness_confirms(void **state) {
    (void)state;
    open_meadow("confirm=still", FAR);
    carry(hex(0, 0), hex(7, 0), flock(0), 3);
    expect(VERDICT_EXPLAINED);
    assert_true(verdict.extends); // so the table waits
    expect_act("M R 0,0>7,0 3", NULL);
}
static void markers_and_a_number(void **state) {
    (void)state;
    open_meadow("pieces=markers", FAR);
    bring(hex(7, 0), flock(0), 1);
    expect(VERDICT_PARTIAL); // how many?
    touch(0, 9);
    expect_act("M R 0,0>7,0 9", NULL);
    bring(hex(0, 3), flock(1), 1);
    touch(1, 15);
    expect_act("M B 7,3>0,3 15", NULL);
    bring(hex(4, 3), flock(0), 1); // from 7,0 by d4, blue on neither
    touch(0, 9);
    expect_rule("E_COUNT"); // nine stand there: asked again
    assert_true(verdict.closed);
    touch(0, 8);
    expect_act("M R 7,0>4,3 8", NULL);
}
static void a_marker_on_a_wrong_end(void **state) {
    (void)state;
    open_meadow("pieces=markers", FAR);
    bring(hex(6, 0), flock(0), 1);
    expect_rule("E_SHORT");
}
static void a_marker_out_of_turn(void **state) {
    (void)state;
    open_meadow("pieces=markers", FAR);
    bring(hex(0, 3), flock(1), 1);
    expect_rule("E_TURN");
    open_meadow("pieces=markers", "0,0=R7 7,0=R9 0,3=B8 7,3=B8");
    bring(hex(1, 3), flock(1), 1); // beside the one stack, the end of the other's slide
    expect_rule("E_TURN");
}
static void without_numbers_the_count_is_a_choice(void **state) {
    (void)state;
    open_meadow("pieces=markers confirm=still", "0,0=R5 4,0=R11 7,3=B16");
    bring(hex(3, 0), flock(0), 1); // from 0,0 four ways; from 4,0 ten ways
    expect(VERDICT_CHOICE);
    open_meadow("pieces=markers confirm=still", "0,0=R5 7,3=B16");
    bring(hex(7, 0), flock(0), 1);
    expect(VERDICT_CHOICE);
    assert_int_equal(verdict.n_actions, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(sheep__n(verdict.action[i].action), i + 1);
    open_meadow("pieces=markers confirm=still", FAR);
    bring(hex(7, 0), flock(0), 1);
    expect(VERDICT_CHOICE);
    assert_int_equal(verdict.n_actions, 15); // no answer is missing
    // From several stacks to one end there are never more: a flock is sixteen.
    open_meadow("pieces=markers confirm=still", "0,0=R9 7,3=R7 0,3=B16");
    bring(hex(7, 0), flock(0), 1);
    expect(VERDICT_CHOICE);
    assert_int_equal(verdict.n_actions, 8 + 6);
}
static void a_pad_that_tells_two_tags(void **state) {
    (void)state;
    meadow_start(&m, 2, "pieces=markers");
    meadow_load(&m, SHEEP_MOVE, MEADOW, FAR);
    lay_out();
    for (game_place place = 0; place < m.places.n; place++)
        hands_place(&track, place, 1); // only the marker on top is read
    for (int i = 0; i < 2; i++) {
        game_place place = i ? hex(7, 3) : hex(0, 0);
        hands_removed(&track, place, piece(place, SHEEP_KIND_TILE), now_us, now_us);
    }
    hands_accept(&track);
    expect(VERDICT_SAME);
    lift_slot(hex(7, 0), piece(hex(7, 0), SHEEP_KIND_TILE));
    bring(hex(7, 0), flock(0), 1);
    touch(0, 6);
    expect_act("M R 0,0>7,0 6", NULL);
}

// ---- building and placing

static void lay_hexagons(int q, int r, unsigned k, unsigned n) {
    unsigned place[4];
    sheep__tile_at(&m.s, k, q, r, place);
    for (unsigned i = 0; i < n; i++)
        bring((game_place)place[i], SHEEP_KIND_TILE, 1);
}
static void a_tile_is_four_hexagons(void **state) {
    (void)state;
    meadow_start(&m, 2, "");
    lay_out();
    for (unsigned n = 1; n <= 3; n++) {
        unsigned place[4];
        sheep__tile_at(&m.s, 1, 0, 0, place);
        bring((game_place)place[n - 1], SHEEP_KIND_TILE, 1);
        expect(VERDICT_PARTIAL); // part of a tile is no action
    }
    unsigned place[4];
    sheep__tile_at(&m.s, 1, 0, 0, place);
    bring((game_place)place[3], SHEEP_KIND_TILE, 1);
    expect_act("T R O1@0,0", NULL);
    lay_hexagons(-1, 3, 0, 4);
    expect_rule("E_TILE_NOT_TOUCHING");
    for (unsigned i = 0; i < 4; i++) {
        unsigned at[4];
        sheep__tile_at(&m.s, 0, -1, 3, at);
        lift_slot((game_place)at[i], piece((game_place)at[i], SHEEP_KIND_TILE));
    }
    expect(VERDICT_SAME);
    lay_hexagons(0, 1, 2, 4);
    expect_act("T B O2@0,1", NULL);
}
static void two_tiles_at_once(void **state) {
    (void)state;
    meadow_start(&m, 2, "");
    meadow_act(&m, "T R O0@0,0", NULL);
    lay_out();
    lay_hexagons(2, 0, 0, 4);
    lay_hexagons(4, 0, 0, 4); // touches only the second
    expect_act("T B O0@2,0", "T R O0@4,0");
}
static void a_starting_stack(void **state) {
    (void)state;
    open_meadow("", "");
    bring(hex(3, 1), flock(0), 15);
    expect(VERDICT_WRONG);
    bring(hex(3, 1), flock(0), 1);
    expect_rule("E_NOT_OUTER");
    carry(hex(3, 1), hex(3, 0), flock(0), 16);
    expect_act("P R 3,0", NULL);
    carry(hex(3, 0), hex(4, 0), flock(0), 1); // nobody moves yet
    expect(VERDICT_WRONG);
    carry(hex(4, 0), hex(3, 0), flock(0), 1);
    expect(VERDICT_SAME);
    bring(hex(0, 3), flock(1), 16);
    expect_act("P B 0,3", NULL);
}
static void the_wrong_colour_first(void **state) {
    (void)state;
    open_meadow("", "");
    bring(hex(3, 0), flock(1), 16);
    expect_rule("E_TURN");
}
static void a_stack_its_pad_cannot_count(void **state) {
    (void)state;
    open_meadow("", "");
    hands_place(&track, hex(3, 0), 2);
    lift_slot(hex(3, 0), piece(hex(3, 0), SHEEP_KIND_TILE)); // covered
    bring(hex(3, 0), flock(0), 2);
    expect_act("P R 3,0", NULL);
}

static int end(void **state) {
    (void)state;
    referee_destroy(referee);
    referee = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bs1_the_whole_stack_up_half_back_rest_on_its_way),
        cmocka_unit_test(sheep_are_carried_one_by_one_and_back),
        cmocka_unit_test(the_other_players_spot_confirms_nothing),
        cmocka_unit_test(bs2_one_cell_short),
        cmocka_unit_test(a_touch_too_early_is_nothing),
        cmocka_unit_test(a_sheep_too_late_asks_for_another_touch),
        cmocka_unit_test(a_short_slide_taken_back_is_nothing),
        cmocka_unit_test(mistakes_have_their_codes),
        cmocka_unit_test(bs3_a_silent_stack_stays),
        cmocka_unit_test(bs4_two_stacks_touched),
        cmocka_unit_test(bs6_the_board_shifts_by_one_coil),
        cmocka_unit_test(bs7_b065_the_next_split_at_once),
        cmocka_unit_test(b065_the_next_split_has_begun),
        cmocka_unit_test(the_control_tile_confirms),
        cmocka_unit_test(stillness_confirms),
        cmocka_unit_test(markers_and_a_number),
        cmocka_unit_test(a_marker_on_a_wrong_end),
        cmocka_unit_test(a_marker_out_of_turn),
        cmocka_unit_test(without_numbers_the_count_is_a_choice),
        cmocka_unit_test(a_pad_that_tells_two_tags),
        cmocka_unit_test(a_tile_is_four_hexagons),
        cmocka_unit_test(two_tiles_at_once),
        cmocka_unit_test(a_starting_stack),
        cmocka_unit_test(the_wrong_colour_first),
        cmocka_unit_test(a_stack_its_pad_cannot_count),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
