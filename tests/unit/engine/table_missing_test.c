// What is gone is told once for each place, with its way back, until it is back (U3, EP1).
#include "unit/engine/table_bench.h"

// ---- a game of two piles: nothing moves but the marker, which may go from a to b

static const struct game_kind_row pile_kinds[] = {{"marker", 0, false}, {"coin", 0, false}};
static const struct game_phase_row pile_phases[] = {{"move", OBSERVE_OPEN}, {"end", OBSERVE_OPEN}, {0}};
static const struct game_verb pile_verbs[] = {{"carry", 0, {{0}}, "from a to b"}, {0}};
static const struct game_line_row pile_lines[] = {{0}};
static const struct game_option pile_options[] = {{0}};

static enum error_code pile_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err) {
    (void)ret, (void)err;
    setup->n_slots = 3;
    for (unsigned i = 0; i < 3; i++)
        setup->slot_kind[i] = i > 0;
    return ERROR_OK;
}
static void pile_places(const struct game_setup *setup, struct game_places *ret) {
    (void)setup;
    ret->n = 3;
    for (unsigned i = 0; i < 3; i++) {
        ret->row[i] = (struct game_place_row){.accepts = 1, .shares = GAME_NONE, .seat = -1};
        snprintf(ret->row[i].name, sizeof ret->row[i].name, "%c", 'a' + (char)i);
    }
}
static void pile_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    (void)setup, (void)seat;
    ret[0] = '\0';
}
static void pile_init(void *state, const struct game_setup *setup) {
    (void)setup;
    memset(state, 0, 8);
}
static void pile_phase(const void *state, struct game_phase *ret) {
    *ret = (struct game_phase){.id = *(const uint8_t *)state > 0, .turn = 1};
}
static size_t pile_legal(const void *state, int by, game_action *ret, size_t cap) {
    if (*(const uint8_t *)state || by != 0 || !cap)
        return 0;
    ret[0] = 1;
    return 1;
}
static enum error_code pile_apply(void *state, int by, game_action action, struct game_notes *notes,
                                  struct error *err) {
    (void)notes;
    if (*(uint8_t *)state || by != 0 || action != 1)
        return error_illegal(err, "E_NOT_NOW", "not now");
    *(uint8_t *)state = 1;
    return ERROR_OK;
}
static void pile_layout(const void *state, struct game_layout *ret) {
    game_layout_clear(ret);
    game_layout_slot(ret, *(const uint8_t *)state ? 1 : 0, 0, GAME_FACE_ANY);
    game_layout_kind(ret, 2, 1, 2, GAME_FACE_ANY);
}
static void pile_observe(const void *state, struct observation *ret) {
    (void)state, (void)ret;
}
static enum error_code pile_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                   struct error *err) {
    (void)state, (void)by, (void)act, (void)err;
    *ret = 1;
    return ERROR_OK;
}
static void pile_decode(const void *state, int by, game_action action, struct game_act *ret) {
    (void)state, (void)by, (void)action;
    memset(ret, 0, sizeof *ret);
}
static const struct game pile_game = {.id = "piles",
                                      .title = "Piles",
                                      .rules_rev = 1,
                                      .seats_min = 2,
                                      .seats_max = 2,
                                      .phases = pile_phases,
                                      .kinds = pile_kinds,
                                      .n_kinds = 2,
                                      .options = pile_options,
                                      .verbs = pile_verbs,
                                      .lines = pile_lines,
                                      .state_size = 8,
                                      .prepare = pile_prepare,
                                      .places = pile_places,
                                      .seat_label = pile_label,
                                      .init = pile_init,
                                      .phase = pile_phase,
                                      .legal = pile_legal,
                                      .apply = pile_apply,
                                      .layout = pile_layout,
                                      .observe = pile_observe,
                                      .encode = pile_encode,
                                      .decode = pile_decode};

extern const struct game template_game;
const struct game *game_find(const char *id) {
    return !strcmp(id, "template") ? &template_game : !strcmp(id, "piles") ? &pile_game : NULL;
}
const struct game *game_at(size_t i) {
    return i == 0 ? &template_game : i == 1 ? &pile_game : NULL;
}

static struct bench bench;

static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

// ---- what was told since the mark

static unsigned told(const char *text) {
    unsigned n = 0;
    for (const char *at = bench.log + bench.mark; (at = strstr(at, text)); at++)
        n++;
    return n;
}
static void is_told(unsigned raised, unsigned cleared) {
    if (told("public event violation_raised") != raised || told("public event violation_cleared") != cleared)
        fail_msg("%u raised, %u cleared are expected:\n%s", raised, cleared, bench.log + bench.mark);
    assert_int_equal(door_view(bench.door, "main", OBSERVE_PUBLIC)->n_violations, raised - cleared);
}

static const struct observe_violation *at_place(const char *place) {
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    const struct observe_violation *found = NULL;
    for (unsigned i = 0; i < view->n_violations; i++)
        for (unsigned p = 0; p < view->violation[i].n_places; p++)
            if (!strcmp(view->violation[i].places[p], place)) {
                assert_null(found);
                found = &view->violation[i];
            }
    if (!found)
        fail_msg("nothing is told of %s", place);
    return found;
}

// One violation of this place alone, and what is gone comes from a hand.
static void is_hole(const char *rule, const char *place, unsigned n) {
    const struct observe_violation *hole = at_place(place);
    assert_string_equal(hole->rule, rule);
    assert_int_equal(hole->n_places, 1);
    assert_int_equal(hole->n_repairs, n);
    for (unsigned i = 0; i < n; i++) {
        assert_string_equal(hole->repairs[i].take, "hand");
        assert_string_equal(hole->repairs[i].put, place);
    }
}

// ---- tiles, in the template's open day

static int deck(void **state) {
    (void)state;
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    bench_piece(&bench, "owl", "owl", "04110A5A1F6180");
    bench_piece(&bench, "magpie", "magpie", "04120A5A1F6180");
    bench_piece(&bench, "mole-1", "mole", "04130A5A1F6180");
    bench_piece(&bench, "mole-2", "mole", "04140A5A1F6180");
    bench_piece(&bench, "dragon", "dragon", "04150A5A1F6180");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    return 0;
}

static int day(void **state) {
    deck(state);
    bench_lay(&bench, "s1", "owl");
    bench_lay(&bench, "s2", "magpie");
    bench_lay(&bench, "s3", "mole-1");
    bench_lay(&bench, "c1", "mole-2");
    bench_run(&bench, 500);
    const struct door_option option = {"day_s", "600"};
    const struct door_start start = {.game = "template", .seats = 3, .n_options = 1, .options = &option};
    unsigned n = bench.answers;
    door_start(bench.door, "main", &bench_host, &start, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_OK);
    while (!strstr(bench.log, "day step=-"))
        bench_run(&bench, 1000);
    bench_forget(&bench);
    return 0;
}

static void u3_two_tiles_are_missing_each_for_itself(void **state) {
    (void)state;
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s3");
    bench_run(&bench, 60000);
    is_told(2, 0);
    is_hole("missing", "s1", 1);
    is_hole("missing", "s3", 1);
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 5000);
    is_told(2, 1);
    bench_expect(&bench, "public event violation_cleared missing@s1");
    is_hole("missing", "s3", 1);
    bench_forget(&bench);
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 5000);
    assert_int_equal(told("public event violation_"), 1);
    bench_expect(&bench, "public event violation_cleared missing@s3");
}

static void u3_tiles_that_leave_and_come_back_one_by_one(void **state) {
    (void)state;
    static const char *const places[] = {"s1", "s2", "s3"}, *const pieces[] = {"owl", "magpie", "mole-1"};
    for (unsigned i = 0; i < 3; i++) { // slowly: nobody spilt anything
        bench_lift(&bench, places[i]);
        bench_run(&bench, 4000);
    }
    bench_run(&bench, 13000); // the first is in no hand any more, the others are
    is_told(3, 0);
    for (unsigned i = 0; i < 3; i++)
        is_hole("missing", places[i], 1);
    for (unsigned i = 0; i < 3; i++) {
        bench_lay(&bench, places[i], pieces[i]);
        bench_run(&bench, 1200);
    }
    bench_run(&bench, 3000);
    is_told(3, 3);
}

// Another hole, beside tiles that lie in each other's places: each matter for itself.
static void u8_a_hole_is_no_part_of_an_exchange(void **state) {
    (void)state;
    bench_lift(&bench, "s3");
    bench_run(&bench, 30000);
    bench_lift(&bench, "s1");
    bench_run(&bench, 1000);
    bench_lift(&bench, "s2");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s1", "magpie");
    bench_lay(&bench, "s2", "owl");
    bench_run(&bench, 30000);
    is_told(2, 0);
    is_hole("missing", "s3", 1);
    assert_string_equal(at_place("s1")->rule, "misplaced");
    assert_int_equal(at_place("s1")->n_places, 2);
    for (unsigned i = 0; i < at_place("s1")->n_repairs; i++)
        assert_string_not_equal(at_place("s1")->repairs[i].put, "s3");
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 3000);
    is_told(2, 1);
    assert_string_equal(at_place("s1")->rule, "misplaced");
}

// Where a tile lies that belongs to a hole, the two are one matter.
static void u8_a_tile_on_the_place_of_another_is_one_matter(void **state) {
    (void)state;
    bench_lift(&bench, "s3");
    bench_run(&bench, 30000);
    bench_lift(&bench, "s1");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s3", "owl");
    bench_run(&bench, 30000);
    is_told(2, 1);
    assert_string_equal(at_place("s1")->rule, "misplaced");
    assert_ptr_equal(at_place("s1"), at_place("s3"));
    bench_lift(&bench, "s3");
    bench_run(&bench, 15000);
    is_told(2, 1); // the same, whatever else is missed there
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 5000);
    is_told(3, 2);
    is_hole("missing", "s3", 1);
}

static void u8_a_hole_stays_told_while_another_tile_is_tried_there(void **state) {
    (void)state;
    bench_lift(&bench, "s3");
    bench_run(&bench, 30000);
    bench_lift(&bench, "s1");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s3", "owl");
    bench_run(&bench, 900);
    bench_lift(&bench, "s3");
    bench_run(&bench, 3000);
    is_told(1, 0);
    is_hole("missing", "s3", 1);
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 5000);
    is_told(1, 0);
    is_hole("missing", "s3", 1);
}

// A foreign tile and what is gone are told beside each other, also where both are of one place.
static void u10_holes_beside_and_beneath_a_foreign_tile(void **state) {
    (void)state;
    bench_lay(&bench, "s1", "dragon");
    bench_run(&bench, 3000);
    is_told(1, 0);
    bench_lift(&bench, "s3");
    bench.lies[0].tags[0] = bench.lies[0].tags[1]; // the owl goes
    bench.lies[0].n = 1;
    bench_run(&bench, 40000);
    is_told(3, 0);
    is_hole("missing", "s3", 1);
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 3000);
    is_told(3, 1);
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 3000);
    is_told(3, 2);
    assert_string_equal(at_place("s1")->rule, "unknown_piece");
}

// A host lets one of two pass: the other stays as it was told.
static void b071_one_hole_of_two_is_let_be(void **state) {
    (void)state;
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s3");
    bench_run(&bench, 30000);
    is_told(2, 0);
    struct door_control_request forgive = {
        .control = DOOR_OVERRIDE, .violation = at_place("s1")->id, .reason = "lost"};
    assert_int_equal(bench_control(&bench, &bench_host, &forgive), ERROR_OK);
    bench_run(&bench, 30000);
    is_told(2, 1);
    is_hole("missing", "s3", 1);
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 30000);
    is_told(2, 2);
}

// In a sealed phase only what nothing explains is told, after 20 s. Hands go on beside it.
static void u3_a_hole_stays_told_while_cards_are_dealt(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "template", NULL, 3), ERROR_OK);
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 3000);
    bench_lay(&bench, "s2", "magpie");
    bench_run(&bench, 3000);
    bench_forget(&bench);
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s2");
    bench_run(&bench, 30000);
    is_told(2, 0);
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 5000);
    is_told(2, 0);
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 5000);
    is_told(2, 1);
    bench_lay(&bench, "s2", "magpie");
    bench_run(&bench, 5000);
    is_told(2, 2);
}

// ---- coins of one pile

static int piles(void **state) {
    (void)state;
    bench_options(&bench, "a b c tap:tap");
    bench_piece(&bench, "marker", "marker", "04110A5A1F6180");
    bench_piece(&bench, "coin-1", "coin", "04120A5A1F6180");
    bench_piece(&bench, "coin-2", "coin", "04130A5A1F6180");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_lay(&bench, "a", "marker");
    bench_lay(&bench, "c", "coin-1");
    bench_lay(&bench, "c", "coin-2");
    bench_run(&bench, 500);
    assert_int_equal(bench_start(&bench, "piles", NULL, 2), ERROR_OK);
    bench_run(&bench, 3000);
    bench_forget(&bench);
    return 0;
}

static void ep1_a_silent_pile_is_doubtful_until_all_of_it_is_back(void **state) {
    (void)state;
    bench_lift(&bench, "c");
    bench_run(&bench, 60000);
    is_told(1, 0);
    is_hole("doubtful", "c", 2);
    bench_lay(&bench, "c", "coin-2");
    bench_run(&bench, 8000);
    is_told(1, 0);
    is_hole("doubtful", "c", 1);
    bench_lay(&bench, "c", "coin-1");
    bench_run(&bench, 5000);
    is_told(1, 1);
    bench_expect(&bench, "public event violation_cleared doubtful@c");
}

static void ep1_what_does_not_come_back_with_the_others_is_missing(void **state) {
    (void)state;
    bench_lift(&bench, "c");
    bench_run(&bench, 5000);
    is_told(1, 0);
    bench_lay(&bench, "c", "coin-2");
    bench_run(&bench, 9000);
    is_told(1, 0);
    bench_run(&bench, 3000);
    is_told(2, 1);
    is_hole("missing", "c", 1);
    bench_run(&bench, 30000);
    is_told(2, 1);
    bench_lay(&bench, "c", "coin-1");
    bench_run(&bench, 5000);
    is_told(2, 2);
}

// What an action could take is missed only when the hand has been away too long; then it is told as well, and
// stays told while something else is lifted.
static void a_hole_on_the_way_of_an_action_beside_another(void **state) {
    (void)state;
    bench_lift(&bench, "a");
    bench_lift(&bench, "c");
    bench_run(&bench, 30000);
    is_told(2, 0);
    is_hole("missing", "a", 1);
    is_hole("doubtful", "c", 2);
    bench_lay(&bench, "c", "coin-1");
    bench_run(&bench, 3000);
    bench_lift(&bench, "c");
    bench_run(&bench, 3000);
    bench_lay(&bench, "c", "coin-1");
    bench_run(&bench, 3000);
    is_told(2, 0);
    bench_lay(&bench, "c", "coin-2");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_cleared doubtful@c");
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(u3_two_tiles_are_missing_each_for_itself, day, shut),
        cmocka_unit_test_setup_teardown(u3_tiles_that_leave_and_come_back_one_by_one, day, shut),
        cmocka_unit_test_setup_teardown(u8_a_hole_is_no_part_of_an_exchange, day, shut),
        cmocka_unit_test_setup_teardown(u8_a_tile_on_the_place_of_another_is_one_matter, day, shut),
        cmocka_unit_test_setup_teardown(u8_a_hole_stays_told_while_another_tile_is_tried_there, day, shut),
        cmocka_unit_test_setup_teardown(u10_holes_beside_and_beneath_a_foreign_tile, day, shut),
        cmocka_unit_test_setup_teardown(b071_one_hole_of_two_is_let_be, day, shut),
        cmocka_unit_test_setup_teardown(u3_a_hole_stays_told_while_cards_are_dealt, deck, shut),
        cmocka_unit_test_setup_teardown(ep1_a_silent_pile_is_doubtful_until_all_of_it_is_back, piles, shut),
        cmocka_unit_test_setup_teardown(ep1_what_does_not_come_back_with_the_others_is_missing, piles, shut),
        cmocka_unit_test_setup_teardown(a_hole_on_the_way_of_an_action_beside_another, piles, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
