#include "unit/engine/table_bench.h"

// ---- a game of one move: the marker goes from a to b, and how many stones go with it no pad can tell

static const struct game_kind_row stone_kinds[] = {{"marker", 0, false}};
static const struct game_phase_row stone_phases[] = {{"move", OBSERVE_OPEN}, {"end", OBSERVE_OPEN}, {0}};
static const struct game_verb stone_verbs[] = {
    {"carry", 0, {{"n", GAME_ARG_INT, false, false, NULL}}, "with n stones"}, {0}};
static const struct game_line_row stone_lines[] = {{0}};
static const struct game_option stone_options[] = {{0}};

static enum error_code stone_prepare(struct game_setup *setup, struct game_issues *ret, struct error *err) {
    (void)ret, (void)err;
    setup->n_slots = 1;
    setup->slot_kind[0] = 0;
    return ERROR_OK;
}
static void stone_places(const struct game_setup *setup, struct game_places *ret) {
    (void)setup;
    ret->n = 2;
    for (unsigned i = 0; i < 2; i++) {
        ret->row[i] = (struct game_place_row){.accepts = 1, .shares = GAME_NONE, .seat = -1};
        snprintf(ret->row[i].name, sizeof ret->row[i].name, "%s", i ? "b" : "a");
    }
}
static void stone_label(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]) {
    (void)setup, (void)seat;
    ret[0] = '\0';
}
static void stone_init(void *state, const struct game_setup *setup) {
    (void)setup;
    memset(state, 0, 8);
}
static void stone_phase(const void *state, struct game_phase *ret) {
    uint8_t moved = *(const uint8_t *)state;
    *ret = (struct game_phase){.id = moved > 0, .turn = 1, .over = moved > 1};
}
static size_t stone_legal(const void *state, int by, game_action *ret, size_t cap) {
    if (*(const uint8_t *)state || by != 0)
        return 0;
    for (size_t i = 0; i < 3 && i < cap; i++)
        ret[i] = i + 1;
    return 3;
}
static enum error_code stone_apply(void *state, int by, game_action action, struct game_notes *notes,
                                   struct error *err) {
    (void)notes;
    if (*(uint8_t *)state || by != 0 || action < 1 || action > 3)
        return error_illegal(err, "E_NOT_NOW", "not now");
    *(uint8_t *)state = 1;
    return ERROR_OK;
}
static void stone_layout(const void *state, struct game_layout *ret) {
    game_layout_clear(ret);
    game_layout_slot(ret, *(const uint8_t *)state ? 1 : 0, 0, GAME_FACE_ANY);
}
static void stone_observe(const void *state, struct observation *ret) {
    (void)state, (void)ret;
}
static enum error_code stone_encode(const void *state, int by, const struct game_act *act, game_action *ret,
                                    struct error *err) {
    (void)state, (void)by, (void)err;
    *ret = (game_action)act->arg[0].value[0];
    return ERROR_OK;
}
static void stone_decode(const void *state, int by, game_action action, struct game_act *ret) {
    (void)state, (void)by;
    memset(ret, 0, sizeof *ret);
    ret->arg[0] = (struct game_arg){.given = true, .n = 1, .value = {(int32_t)action}};
}
static const struct game stone_game = {.id = "stones",
                                       .title = "Stones",
                                       .rules_rev = 1,
                                       .seats_min = 2,
                                       .seats_max = 2,
                                       .phases = stone_phases,
                                       .kinds = stone_kinds,
                                       .n_kinds = 1,
                                       .options = stone_options,
                                       .verbs = stone_verbs,
                                       .lines = stone_lines,
                                       .state_size = 8,
                                       .prepare = stone_prepare,
                                       .places = stone_places,
                                       .seat_label = stone_label,
                                       .init = stone_init,
                                       .phase = stone_phase,
                                       .legal = stone_legal,
                                       .apply = stone_apply,
                                       .layout = stone_layout,
                                       .observe = stone_observe,
                                       .encode = stone_encode,
                                       .decode = stone_decode};

// The same with a fist closed around the stones.
static const struct game_verb fist_verbs[] = {
    {"carry", GAME_VERB_SEALED, {{"n", GAME_ARG_INT, false, false, NULL}}, "with n stones"}, {0}};
static struct game fist_game;

extern const struct game template_game;
const struct game *game_find(const char *id) {
    fist_game = stone_game;
    fist_game.id = "fists";
    fist_game.verbs = fist_verbs;
    return !strcmp(id, "template") ? &template_game
           : !strcmp(id, "stones") ? &stone_game
           : !strcmp(id, "fists")  ? &fist_game
                                   : NULL;
}
const struct game *game_at(size_t i) {
    return i == 0 ? &template_game : i == 1 ? &stone_game : NULL;
}

static struct bench bench;

static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

// ---- choices

static void carry(const char *game) {
    bench_options(&bench, "a b tap:tap");
    bench_piece(&bench, "marker", "marker", "04110A5A1F6180");
    bench_piece(&bench, "yes", "control", "04310C5A1F6180");
    bench_piece(&bench, "plus", "control", "04320C5A1F6180");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_lay(&bench, "a", "marker");
    bench_run(&bench, 500);
    assert_int_equal(bench_start(&bench, game, NULL, 2), ERROR_OK);
    bench_run(&bench, 3000);
    bench_silent(&bench, "public event violation_raised");
    bench_lift(&bench, "a");
    bench_run(&bench, 1000);
    bench_lay(&bench, "b", "marker");
    bench_run(&bench, 1000);
}

static int stones(void **state) {
    (void)state;
    carry("stones");
    bench_expect(&bench, "public event choice_opened choice=1 n=3");
    return 0;
}

static int fists(void **state) {
    (void)state;
    carry("fists");
    return 0;
}

static void a_choice_is_answered_by_the_acting_seat(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0), s2 = bench_seat(1);
    struct door_control_request answer = {.control = DOOR_CHOOSE, .choice = 1, .option = 1};
    struct door_control_request none = {.control = DOOR_CHOOSE, .choice = 1, .option = 3};
    struct door_control_request other = {.control = DOOR_CHOOSE, .choice = 7, .option = 1};
    assert_int_equal(door_view(bench.door, "main", OBSERVE_PUBLIC)->choice->n, 3);
    assert_int_equal(bench_control(&bench, &s2, &answer), ERROR_FORBIDDEN);
    assert_int_equal(bench_control(&bench, &s1, &none), ERROR_INVALID);
    assert_int_equal(bench_control(&bench, &s1, &other), ERROR_NOT_NOW);
    assert_int_equal(bench_control(&bench, &s1, &answer), ERROR_OK);
    bench_expect(&bench, "public event choice_closed choice=1");
    bench_expect(&bench, "public event action s1 `s1 carry n=2`");
    assert_null(door_view(bench.door, "main", OBSERVE_PUBLIC)->choice);
}

static void a_choice_is_answered_by_plus_and_yes(void **state) {
    (void)state;
    bench_tap(&bench, "tap", "plus");
    bench_tap(&bench, "tap", "plus");
    bench_expect(&bench, "public event reminder code=choice");
    bench_tap(&bench, "tap", "yes");
    bench_expect(&bench, "public event action s1 `s1 carry n=3`");
}

static void a_choice_under_seal_is_its_seats_alone(void **state) {
    (void)state;
    struct door_who s2 = bench_seat(1);
    struct door_control_request none = {.control = DOOR_CHOOSE, .choice = 1, .option = 9};
    bench_expect(&bench, "public event choice_opened choice=1 n=0");
    bench_expect(&bench, "s1 event choice_opened choice=1 n=3");
    bench_expect(&bench, "s2 event choice_opened choice=1 n=0");
    static const unsigned options[] = {0, 2, 3, 9}; // how many there are is not told, a host neither
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        none.option = options[i];
        assert_int_equal(bench_control(&bench, &s2, &none), ERROR_FORBIDDEN);
        assert_int_equal(bench_control(&bench, &bench_host, &none), ERROR_FORBIDDEN);
    }
    bench_silent(&bench, "seat_acted");
    bench_tap(&bench, "tap", "plus");
    bench_silent(&bench, "code=choice");
    bench_tap(&bench, "tap", "yes");
    bench_silent(&bench, "public event action");
    bench_expect(&bench, "public event seat_acted s1");
    bench_expect(&bench, "s1 event action s1 `s1 carry n=2`");
}

static void a_choice_outlives_a_pause(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0);
    struct door_control_request answer = {.control = DOOR_CHOOSE, .choice = 1, .option = 1};
    struct door_control_request stop = {.control = DOOR_PAUSE}, go = {.control = DOOR_RESUME};
    assert_int_equal(bench_control(&bench, &bench_host, &stop), ERROR_OK);
    assert_int_equal(bench_control(&bench, &s1, &answer), ERROR_NOT_NOW);
    bench_silent(&bench, "choice_closed");
    assert_int_equal(bench_control(&bench, &bench_host, &go), ERROR_OK);
    assert_int_equal(bench_control(&bench, &s1, &answer), ERROR_OK);
    bench_expect(&bench, "public event choice_closed choice=1");
    bench_expect(&bench, "public event action s1 `s1 carry n=2`");
}

static void hands_withdraw_a_choice(void **state) {
    (void)state;
    bench_lift(&bench, "b");
    bench_run(&bench, 1000);
    bench_lay(&bench, "a", "marker");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event choice_closed choice=1");
    bench_silent(&bench, "event action");
    bench_lift(&bench, "a");
    bench_run(&bench, 1000);
    bench_lay(&bench, "b", "marker");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event choice_opened choice=2 n=3");
}

// ---- what real evenings bring (evenings 2.0), in the template's open day

static int day(void **state) {
    (void)state;
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    bench_piece(&bench, "owl", "owl", "04110A5A1F6180");
    bench_piece(&bench, "magpie", "magpie", "04120A5A1F6180");
    bench_piece(&bench, "mole-1", "mole", "04130A5A1F6180");
    bench_piece(&bench, "mole-2", "mole", "04140A5A1F6180");
    bench_piece(&bench, "dragon", "dragon", "04150A5A1F6180");
    assert_int_equal(bench_open(&bench), ERROR_OK);
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

static void u2_three_pieces_swept_away_pause_the_table_until_they_are_back(void **state) {
    (void)state;
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s2");
    bench_lift(&bench, "s3");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event paused reason=spill");
    bench_lay(&bench, "s1", "magpie"); // sorted by trial
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event prompt s1>s2");
    bench_silent(&bench, "magpie");
    bench_lift(&bench, "s1");
    bench_lay(&bench, "s2", "magpie");
    bench_lay(&bench, "s1", "owl");
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event resumed");
    bench_silent(&bench, "public event violation_raised");
}

static void u3_a_tile_is_missing_after_ten_seconds_and_clears_itself(void **state) {
    (void)state;
    bench_lift(&bench, "s3");
    bench_run(&bench, 9000);
    bench_silent(&bench, "public event violation_raised");
    bench_run(&bench, 2000);
    bench_expect(&bench, "public event violation_raised missing@s3");
    bench_run(&bench, 60000);
    bench_silent(&bench, "public event violation_raised");
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 500);
    bench_expect(&bench, "public event violation_cleared missing@s3");
}

static void u7_too_much_on_one_pad_is_said_after_three_seconds(void **state) {
    (void)state;
    bench.collides[1] = true;
    bench_run(&bench, 2500);
    bench.collides[1] = false;
    bench_run(&bench, 3000);
    bench_silent(&bench, "public event violation_raised");
    bench.collides[1] = true;
    bench_run(&bench, 4000);
    bench_expect(&bench, "public event violation_raised several@s2");
    bench.collides[1] = false;
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event violation_cleared several@s2");
}

static void u8_two_tiles_exchanged_are_said_with_the_way_back(void **state) {
    (void)state;
    bench_lift(&bench, "s1");
    bench_lift(&bench, "s3");
    bench_run(&bench, 1000);
    bench_lay(&bench, "s1", "mole-1");
    bench_lay(&bench, "s3", "owl");
    bench_run(&bench, 2500);
    bench_expect(&bench, "public event violation_raised misplaced@s1");
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_true(view->violation[0].n_repairs > 0);
    assert_string_equal(view->violation[0].repairs[0].what, "tile"); // never which
}

// Where another tile is asked for, the one that only came by is not missed.
static void u3_what_belongs_elsewhere_is_not_missing_where_it_lay(void **state) {
    (void)state;
    u8_two_tiles_exchanged_are_said_with_the_way_back(state);
    bench_lift(&bench, "s3"); // the owl of s1
    bench_run(&bench, 30000);
    bench_silent(&bench, "missing@s3");
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->n_violations, 1);
}

// With one tile in the hand another way back is left. It is shown, and not said again.
static void the_way_back_follows_the_hands(void **state) {
    (void)state;
    u8_two_tiles_exchanged_are_said_with_the_way_back(state);
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    uint32_t id = view->violation[0].id;
    static const char *const hands[] = {"s1", "s3"};
    for (unsigned i = 0; i < 2; i++) {
        bench_lift(&bench, hands[i]);
        bench_run(&bench, 2500);
        bench_expect(&bench, "public wrongs 1");
        view = door_view(bench.door, "main", OBSERVE_PUBLIC);
        assert_int_equal(view->n_violations, 1);
        assert_int_equal(view->violation[0].id, id);
        for (unsigned k = 0; k < view->violation[0].n_repairs; k++)
            assert_string_not_equal(view->violation[0].repairs[k].take, hands[i]);
    }
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 2500);
    view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->violation[0].id, id);
    assert_int_equal(view->violation[0].n_places, 1);
    assert_int_equal(view->violation[0].n_repairs, 1);
    assert_string_equal(view->violation[0].repairs[0].put, "s1");
    bench_silent(&bench, "public event violation_");
    bench_lay(&bench, "s1", "owl");
    bench_run(&bench, 2500);
    bench_expect(&bench, "public event violation_cleared misplaced@s1");
    bench_silent(&bench, "public event reminder");
}

// A ring of three turned the other way: the same places, another way back.
static void a_way_back_that_no_longer_fits_is_said_anew(void **state) {
    (void)state;
    static const char *const rings[2][3] = {{"mole-1", "owl", "magpie"}, {"magpie", "mole-1", "owl"}};
    for (unsigned ring = 0; ring < 2; ring++) {
        for (unsigned i = 0; i < 3; i++) { // slowly: nobody spilt anything
            bench_lift(&bench, (const char *const[]){"s1", "s2", "s3"}[i]);
            bench_run(&bench, 1500);
        }
        for (unsigned i = 0; i < 3; i++)
            bench_lay(&bench, (const char *const[]){"s1", "s2", "s3"}[i], rings[ring][i]);
        bench_run(&bench, 2500);
        const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
        assert_int_equal(view->n_violations, 1);
        const char *owl = ring ? "s3" : "s2"; // it goes back to s1
        bool back = false;
        for (unsigned i = 0; i < view->violation[0].n_repairs; i++)
            back |= !strcmp(view->violation[0].repairs[i].take, owl) &&
                    !strcmp(view->violation[0].repairs[i].put, "s1");
        assert_true(back);
    }
}

static void u10_a_foreign_tile_is_not_in_this_game(void **state) {
    (void)state;
    bench_lay(&bench, "s1", "dragon");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_raised unknown_piece@s1");
    bench.lies[0].n = 1;
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_cleared unknown_piece@s1");
    // A tag of no piece at all: a notice, and no log of it.
    bench.lies[0].tags[1] = bench_tag("04CAFE5A1F6180");
    bench.lies[0].n = 2;
    bench_run(&bench, 2000);
    bench_expect(&bench, "public event reminder not_in_game@s1");
}

// What else hands do meanwhile does not take it away.
static void u10_a_foreign_tile_stays_told_while_others_move(void **state) {
    (void)state;
    bench_lay(&bench, "s1", "dragon");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_raised unknown_piece@s1");
    bench_lift(&bench, "s3");
    bench_run(&bench, 3000);
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 3000);
    bench_silent(&bench, "public event violation_");
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->n_violations, 1);
    assert_int_equal(view->violation[0].n_places, 1);
    bench.lies[0].n = 1;
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_cleared unknown_piece@s1");
}

static void u10_what_stays_wrong_when_a_foreign_tile_goes_is_no_foreign_tile(void **state) {
    (void)state;
    bench_lift(&bench, "s1");
    bench_run(&bench, 1500);
    bench_lift(&bench, "s2");
    bench_run(&bench, 1500);
    bench_lay(&bench, "s1", "magpie");
    bench_lay(&bench, "s2", "owl");
    bench_lay(&bench, "s3", "dragon");
    bench_run(&bench, 3000);
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->n_violations, 1);
    assert_string_equal(view->violation[0].rule, "unknown_piece");
    assert_int_equal(view->violation[0].n_places, 3); // with what is misplaced
    bench.lies[2].n = 1;
    bench_run(&bench, 5000);
    view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->n_violations, 1);
    assert_string_equal(view->violation[0].rule, "misplaced");
    assert_int_equal(view->violation[0].n_places, 2);
}

static void b071_a_host_overrides_with_a_reason(void **state) {
    (void)state;
    bench_lift(&bench, "s3");
    bench_run(&bench, 11000);
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    struct door_control_request forgive = {
        .control = DOOR_OVERRIDE, .violation = view->violation[0].id, .reason = "lost"};
    struct door_control_request unknown = {.control = DOOR_OVERRIDE, .violation = 99};
    assert_int_equal(bench_control(&bench, &bench_host, &unknown), ERROR_NOT_FOUND);
    assert_int_equal(bench_control(&bench, &bench_host, &forgive), ERROR_OK);
    bench_expect(&bench, "public event overridden reason=lost");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event violation_cleared missing@s3");
    bench_run(&bench, 30000);
    bench_silent(&bench, "public event violation_raised");
    bench_lay(&bench, "s3", "mole-1");
    bench_run(&bench, 1000);
    bench_lift(&bench, "s3"); // it has changed: said again
    bench_run(&bench, 12000);
    bench_expect(&bench, "public event violation_raised missing@s3");
    struct door_control_request act = {.control = DOOR_OVERRIDE, .action = "timer end", .reason = "late"};
    assert_int_equal(bench_control(&bench, &bench_host, &act), ERROR_OK);
    bench_expect(&bench, "public event overridden reason=late");
    bench_expect(&bench, "public event game_ended");
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_choice_is_answered_by_the_acting_seat, stones, shut),
        cmocka_unit_test_setup_teardown(a_choice_is_answered_by_plus_and_yes, stones, shut),
        cmocka_unit_test_setup_teardown(a_choice_under_seal_is_its_seats_alone, fists, shut),
        cmocka_unit_test_setup_teardown(a_choice_outlives_a_pause, stones, shut),
        cmocka_unit_test_setup_teardown(hands_withdraw_a_choice, stones, shut),
        cmocka_unit_test_setup_teardown(u2_three_pieces_swept_away_pause_the_table_until_they_are_back, day,
                                        shut),
        cmocka_unit_test_setup_teardown(u3_a_tile_is_missing_after_ten_seconds_and_clears_itself, day, shut),
        cmocka_unit_test_setup_teardown(u7_too_much_on_one_pad_is_said_after_three_seconds, day, shut),
        cmocka_unit_test_setup_teardown(u8_two_tiles_exchanged_are_said_with_the_way_back, day, shut),
        cmocka_unit_test_setup_teardown(u3_what_belongs_elsewhere_is_not_missing_where_it_lay, day, shut),
        cmocka_unit_test_setup_teardown(the_way_back_follows_the_hands, day, shut),
        cmocka_unit_test_setup_teardown(a_way_back_that_no_longer_fits_is_said_anew, day, shut),
        cmocka_unit_test_setup_teardown(u10_a_foreign_tile_is_not_in_this_game, day, shut),
        cmocka_unit_test_setup_teardown(u10_a_foreign_tile_stays_told_while_others_move, day, shut),
        cmocka_unit_test_setup_teardown(u10_what_stays_wrong_when_a_foreign_tile_goes_is_no_foreign_tile, day,
                                        shut),
        cmocka_unit_test_setup_teardown(b071_a_host_overrides_with_a_reason, day, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
