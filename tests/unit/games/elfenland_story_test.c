// Storyboard rows of evenings 2.6. EL1 to EL3 and EL7 on a table with pads, a tap spot and a clock; EL4 to
// EL6 with hands made by hand before the referee.
#include "engine/referee.h"
#include "games/elfenland/elfenland.h"
#include "unit/engine/table_bench.h"

// ---- a table for two: boots on five town pads, cards tapped one by one, all else unsensed

static struct bench bench;

static int open_board(void **state) {
    (void)state;
    bench_options(
        &bench,
        "town_elvenhold town_rivinia town_tichih town_beata seat_red.pay:tap seat_blue.pay:tap tap:tap");
    bench_piece(&bench, "red", "boot_red", "04110A5A1F6180");
    bench_piece(&bench, "blue", "boot_blue", "04120A5A1F6180");
    bench_piece(&bench, "raft-1", "card_raft", "04210A5A1F6180");
    bench_piece(&bench, "raft-2", "card_raft", "04220A5A1F6180");
    bench_piece(&bench, "raft-3", "card_raft", "04230A5A1F6180");
    bench_piece(&bench, "done", "control", "04320C5A1F6180");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_lay(&bench, "town_elvenhold", "blue");
    bench_lay(&bench, "town_elvenhold", "red");
    bench_run(&bench, 2000);
    assert_int_equal(bench_start(&bench, "elfenland", "two", 2), ERROR_OK);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(bench_act(&bench, &bench_host, i % 2 ? "blue draft slot=1" : "red draft slot=1"),
                         ERROR_OK);
    bench_run(&bench, 3000);
    bench_forget(&bench);
    return 0;
}
static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}
static void to_move(void) {
    bench_tap(&bench, "tap", "done");
    bench_tap(&bench, "tap", "done");
    bench_expect(&bench, "public event action s2 `s2 pass`");
    bench_expect(&bench, "public event phase_started");
}
static void walk(const char *from, const char *to) { // red's boot lies on top
    bench.lies[bench_pad(&bench, from)].n--;
    bench_run(&bench, 1500);
    bench_lay(&bench, to, "red");
    bench_run(&bench, 2000);
}

static void el1_a_boot_walked_too_far_goes_step_by_step(void **state) {
    (void)state;
    to_move();
    walk("town_elvenhold", "town_tichih");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_raised no_connection@");
    walk("town_tichih", "town_elvenhold");
    bench_expect(&bench, "public event violation_cleared");
    bench_silent(&bench, "event action");
}

static void el2_a_card_too_many_is_taken_out_by_a_second_tap(void **state) {
    (void)state;
    to_move();
    bench_tap(&bench, "seat_red.pay", "raft-1");
    bench_expect(&bench, "public event action s1 `s1 pay card=raft`");
    bench_tap(&bench, "seat_red.pay", "raft-2");
    bench_expect(&bench, "public event action s1 `s1 pay card=raft`");
    walk("town_elvenhold", "town_rivinia"); // one raft, down the river
    bench_expect(&bench, "public event action s1 `s1 boot_ahead to=rivinia`");
    bench_tap(&bench, "tap", "done");           // names what is open, ends nothing
    bench_expect(&bench, "code=wrong_payment"); // the price is said
    bench_tap(&bench, "seat_red.pay", "raft-2");
    bench_expect(&bench, "public event action s1 `s1 take_back card=raft copy=");
    bench_expect(&bench, "collects a piece: 1 now.");
    bench_tap(&bench, "tap", "done");
    bench_expect(&bench, "public event action s1 `s1 end_turn`");
    bench_silent(&bench, "violation_raised");
}

static void el3_the_boot_six_seconds_before_the_cards(void **state) {
    (void)state;
    to_move();
    walk("town_elvenhold", "town_beata"); // two rafts, up the river
    bench_expect(&bench, "public event action s1 `s1 boot_ahead to=beata`");
    bench_expect(&bench, "the boot waits for its cards");
    bench_run(&bench, 6000);
    bench_tap(&bench, "seat_red.pay", "raft-1");
    bench_silent(&bench, "collects a piece");
    bench_tap(&bench, "seat_red.pay", "raft-3");
    bench_expect(&bench, "collects a piece: 1 now.");
    bench_silent(&bench, "violation_raised");
}

static void lifting_the_boot_and_setting_it_back_cancels(void **state) {
    (void)state;
    to_move();
    walk("town_elvenhold", "town_elvenhold");
    bench_silent(&bench, "public event action");
    walk("town_elvenhold", "town_rivinia");
    bench_expect(&bench, "`s1 boot_ahead to=rivinia`");
    walk("town_rivinia", "town_elvenhold");
    bench_expect(&bench, "`s1 boot_ahead to=elvenhold`");
    bench_tap(&bench, "tap", "done");
    bench_expect(&bench, "`s1 end_turn`");
}

static void el7_done_twice_in_a_second_is_one_pass(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        bench_lay(&bench, "tap", "done");
        bench_run(&bench, 200);
        bench_lift(&bench, "tap");
        bench_run(&bench, 300);
    }
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event action s1 `s1 pass`");
    bench_silent(&bench, "public event action");
    bench_tap(&bench, "tap", "done");
    bench_expect(&bench, "public event action s2 `s2 pass`");
}

static enum error_code start_with(const char *preset, unsigned n, const struct door_option *options) {
    const struct door_start start = {
        .game = "elfenland", .preset = preset, .seats = 2, .n_options = n, .options = options};
    unsigned before = bench.answers;
    door_start(bench.door, "main", &bench_host, &start, bench_reply, &bench);
    return bench_wait(&bench, before);
}

static void a_done_on_ones_own_spot_speaks_for_that_seat_alone(void **state) {
    (void)state;
    bench_tap(&bench, "seat_blue.pay", "done"); // red's turn
    bench_expect(&bench, "code=not_your_turn");
    bench_silent(&bench, "event action");
    bench_tap(&bench, "seat_red.pay", "done");
    bench_expect(&bench, "public event action s1 `s1 pass`");
    bench_tap(&bench, "tap", "done"); // nobody's spot: whoever's turn it is
    bench_expect(&bench, "public event action s2 `s2 pass`");
}

static int open_with_pay_pads(void **state) {
    (void)state;
    bench_options(&bench,
                  "town_elvenhold town_rivinia town_beata seat_red.pay seat_red.trophies seat_blue.pay:tap "
                  "discard seat_red.home seat_red.open:tap "
                  "seat_red.obstacle:tap tap:tap");
    bench_piece(&bench, "red", "boot_red", "04110A5A1F6180");
    bench_piece(&bench, "blue", "boot_blue", "04120A5A1F6180");
    bench_piece(&bench, "piece-1", "piece_red", "04130A5A1F6180");
    bench_piece(&bench, "piece-2", "piece_red", "04140A5A1F6180");
    bench_piece(&bench, "piece-3", "piece_blue", "04150A5A1F6180");
    bench_piece(&bench, "piece-4", "piece_blue", "04160A5A1F6180");
    bench_piece(&bench, "raft-1", "card_raft", "04210A5A1F6180");
    bench_piece(&bench, "raft-2", "card_raft", "04220A5A1F6180");
    bench_piece(&bench, "number-red", "number_red", "04240A5A1F6180");
    bench_piece(&bench, "number-blue", "number_blue", "04250A5A1F6180");
    bench_piece(&bench, "home", "town_card_virst", "04260A5A1F6180");
    bench_piece(&bench, "done", "control", "04320C5A1F6180");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_lay(&bench, "town_elvenhold", "blue");
    bench_lay(&bench, "town_elvenhold", "red");
    bench_run(&bench, 2000);
    return 0;
}
static void draft_all(void) {
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(bench_act(&bench, &bench_host, i % 2 ? "blue draft slot=1" : "red draft slot=1"),
                         ERROR_OK);
    bench_run(&bench, 3000);
    bench_forget(&bench);
}

// What was paid and what was won is asked to be cleared; no rule is broken while it lies there.
static void paid_cards_and_town_piece_are_prompted(void **state) {
    (void)state;
    static const struct door_option laid[] = {{"payment", "laid"}, {"pieces", "tagged"}};
    assert_int_equal(start_with("two", 2, laid), ERROR_OK);
    bench_lay(&bench, "town_beata", "piece-2");
    bench_lay(&bench, "town_beata", "piece-4");
    bench_lay(&bench, "town_rivinia", "piece-3");
    bench_lay(&bench, "town_rivinia", "piece-1");
    bench_run(&bench, 3000);
    draft_all();
    to_move();
    bench_lay(&bench, "seat_red.pay", "raft-1");
    bench_run(&bench, 2000);
    bench_expect(&bench, "public event action s1 `s1 pay card=raft`");
    bench_forget(&bench);
    bench.lies[bench_pad(&bench, "town_elvenhold")].n--;
    bench_run(&bench, 1500);
    bench_lay(&bench, "town_rivinia", "red");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event action s1 `s1 travel to=rivinia`");
    bench_expect(&bench, "lay the paid cards on the discards");
    bench_expect(&bench, "collects a piece: 1 now.");
    bench_expect(&bench, "public event prompt town_rivinia>seat_red.trophies seat_red.pay>discard");
    bench_run(&bench, 6000);
    bench_silent(&bench, "violation_raised");
    bench_lift(&bench, "seat_red.pay");
    bench_run(&bench, 800);
    bench_lay(&bench, "discard", "raft-1");
    bench_run(&bench, 2000);
    unsigned town = bench_pad(&bench, "town_rivinia"); // blue's piece, red's piece, the boot
    bench.lies[town].tags[1] = bench.lies[town].tags[2];
    bench.lies[town].n = 2;
    bench_run(&bench, 800);
    bench_lay(&bench, "seat_red.trophies", "piece-1");
    bench_run(&bench, 2000);
    bench_expect(&bench, "public wrongs 0 prompts=0"); // all is in its place
    bench_tap(&bench, "tap", "done");
    bench_expect(&bench, "`s1 end_turn`");
    bench_silent(&bench, "violation_raised");
}

// The number token of the seat, on its pay spot; the other seat's there says nothing.
static void number_tokens_say_done(void **state) {
    (void)state;
    static const struct door_option token[] = {{"done", "token"}};
    assert_int_equal(start_with("two", 1, token), ERROR_OK);
    draft_all();
    bench_tap(&bench, "seat_blue.pay", "number-blue");
    bench_expect(&bench, "code=not_your_turn");
    bench_lay(&bench, "seat_red.pay", "number-red");
    bench_run(&bench, 700);
    bench_lift(&bench, "seat_red.pay");
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event action s1 `s1 pass`");
    bench_forget(&bench);
    bench_tap(&bench, "seat_blue.pay", "number-red");
    bench_silent(&bench, "event action");
    bench_tap(&bench, "seat_blue.pay", "number-blue");
    bench_expect(&bench, "public event action s2 `s2 pass`");
    bench_expect(&bench, "public event phase_started");
}

// What lies on its spot when the power comes back has said all it had to say.
static void a_number_token_says_nothing_anew_after_a_restart(void **state) {
    (void)state;
    static const struct door_option token[] = {{"done", "token"}};
    char path[] = "/tmp/tabled-elfen-XXXXXX", file[64], command[96];
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/journal.db", path);
    bench_shut(&bench);
    bench.journal_path = file;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 2000);
    assert_int_equal(start_with("two", 1, token), ERROR_OK);
    draft_all();
    bench_lay(&bench, "seat_red.pay", "number-red");
    bench_run(&bench, 2000);
    bench_expect(&bench, "public event action s1 `s1 pass`");
    assert_int_equal(bench_act(&bench, &bench_host, "blue pass"), ERROR_OK);
    bench_run(&bench, 3000);
    bench_expect(&bench, "public phase 6 move step=- turn=1");
    bench_shut(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 2000);
    const struct door_control_request resume = {.control = DOOR_RESUME};
    assert_int_equal(bench_control(&bench, &bench_host, &resume), ERROR_OK);
    bench_expect(&bench, "public event resumed");
    bench_run(&bench, 5000);
    bench_silent(&bench, "event action");
    bench_lift(&bench, "seat_red.pay");
    bench_run(&bench, 2000);
    bench_silent(&bench, "event action");
    bench_tap(&bench, "seat_red.pay", "number-red");
    bench_expect(&bench, "public event action s1 `s1 end_turn`");
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

// Whose card it is may look at it whenever he likes.
static void a_look_at_the_home_card_is_nobodys_business(void **state) {
    (void)state;
    static const struct door_option hometown[] = {{"variant", "hometown"}};
    assert_int_equal(start_with("two", 1, hometown), ERROR_OK);
    bench_lay(&bench, "seat_red.home", "home");
    bench_run(&bench, 4000);
    draft_all();
    bench_lift(&bench, "seat_red.home");
    bench_run(&bench, 3000);
    bench_lay(&bench, "seat_red.home", "home");
    bench_run(&bench, 3000);
    bench_silent(&bench, "event");
}

// ---- hands before the referee

static struct {
    struct game_setup setup;
    struct game_places places;
    struct elfenland g;
    struct hands_track track;
    struct referee *referee;
    struct verdict verdict;
    int64_t now_us;
} hand;

enum { PIG = 0, UNICORN = 24, DRAGON = 40 }; // counters
static const game_slot dragon = SLOT_COUNTER + DRAGON, unicorn = SLOT_COUNTER + UNICORN;
static game_place red_open;

static void drop(game_place place, game_slot slot) {
    hand.now_us += 200000;
    hands_placed(&hand.track, place, slot, GAME_FACE_ANY, hand.now_us, hand.now_us);
}
static void lift(game_place place, game_slot slot) {
    hand.now_us += 200000;
    hands_removed(&hand.track, place, slot, hand.now_us, hand.now_us);
}
static const struct verdict *judge(void) {
    referee_state(hand.referee, &elfenland_game, &hand.setup, &hand.places, &hand.g);
    referee_judge(hand.referee, &hand.track.now, &hand.verdict);
    return &hand.verdict;
}
static void expect_action(unsigned i, const char *text) {
    struct game_words words = {&elfenland_game, &hand.setup, &hand.places};
    char line[GAME_TEXT_MAX];
    assert_true(i < hand.verdict.n_actions);
    game_action_text(&words, &hand.g, hand.verdict.action[i].by, hand.verdict.action[i].action, line);
    assert_string_equal(line, text);
}

// Three players in `plan`, red to lay; everything is sensed and lies where it belongs.
static int lay_table(void **state) {
    (void)state;
    struct game_issues issues = {0};
    struct error err = {0};
    struct game_layout layout;
    memset(&hand, 0, sizeof hand);
    game_setup_default(&elfenland_game, 3, &hand.setup);
    assert_int_equal(elfenland_game.prepare(&hand.setup, &issues, &err), ERROR_OK);
    elfenland_game.places(&hand.setup, &hand.places);
    elfenland_game.init(&hand.g, &hand.setup);
    hand.g.phase = PHASE_PLAN;
    hand.g.counter[DRAGON] = hand.g.counter[UNICORN] = COUNTER_UP;
    for (unsigned i = 0; i < MARKET; i++)
        hand.g.counter[PIG + i] = (uint8_t)(COUNTER_MARKET + i);
    red_open = elfenland__seat_place(0, AT_OPEN);
    hands_init(&hand.track, hand.places.n, hand.setup.n_slots);
    for (game_place p = 0; p < hand.places.n; p++)
        hands_sense(&hand.track, p, HANDS_KNOWN);
    elfenland_game.layout(&hand.g, &layout);
    unsigned obstacles = 0;
    for (unsigned i = 0; i < layout.n_items; i++) {
        const struct game_item *item = &layout.item[i];
        game_slot slot = item->what;
        if (item->n && item->what == KIND_OBSTACLE)
            slot = (game_slot)(SLOT_OBSTACLE + obstacles++);
        else if (item->n)
            slot = elfenland__boot_slot(&hand.g, item->what - KIND_BOOT);
        drop(item->place, slot);
    }
    hands_accept(&hand.track);
    assert_int_equal(referee_create(&hand.referee, &err), ERROR_OK);
    assert_int_equal(judge()->type, VERDICT_SAME);
    return 0;
}
static int clear_table(void **state) {
    (void)state;
    referee_destroy(hand.referee);
    return 0;
}

static void el4_a_counter_heard_by_two_roads_is_asked_about(void **state) {
    (void)state;
    game_place one = game_place_find(&hand.places, "elvenhold_lapphalya_plains"),
               two = game_place_find(&hand.places, "beata_elvenhold_plains");
    hands_sense(&hand.track, one, HANDS_UNKNOWN); // until the ghost is told apart
    hands_sense(&hand.track, two, HANDS_UNKNOWN);
    lift(red_open, dragon);
    assert_int_equal(judge()->type, VERDICT_BLIND);
    hands_sense(&hand.track, one, HANDS_UNSENSED); // nobody will ever tell: which road?
    hands_sense(&hand.track, two, HANDS_UNSENSED);
    assert_int_equal(judge()->type, VERDICT_CHOICE);
    assert_int_equal(hand.verdict.n_actions, 2);
    expect_action(0, "s1 place_counter counter=dragon road=beata_elvenhold_plains source=up");
    expect_action(1, "s1 place_counter counter=dragon road=elvenhold_lapphalya_plains source=up");
    hands_sense(&hand.track, one, HANDS_UNKNOWN);
    hands_sense(&hand.track, two, HANDS_KNOWN); // heard clearly on one of them
    drop(two, dragon);
    assert_int_equal(judge()->type, VERDICT_EXPLAINED);
    expect_action(0, "s1 place_counter counter=dragon road=beata_elvenhold_plains source=up");
}

static void el5_wrong_terrain_is_refused_with_its_rule(void **state) {
    (void)state;
    game_place plains = game_place_find(&hand.places, "beata_elvenhold_plains");
    lift(red_open, unicorn);
    assert_int_equal(judge()->type, VERDICT_PARTIAL);
    drop(plains, unicorn);
    assert_int_equal(judge()->type, VERDICT_WRONG);
    assert_string_equal(hand.verdict.rule, "wrong_terrain");
    lift(plains, unicorn);
    drop(game_place_find(&hand.places, "feodor_rivinia_forest"), unicorn);
    assert_int_equal(judge()->type, VERDICT_EXPLAINED);
    expect_action(0, "s1 place_counter counter=unicorn road=feodor_rivinia_forest source=up");
}

static void el6_the_third_boot_makes_a_town_doubtful(void **state) {
    (void)state;
    game_place beata = game_place_find(&hand.places, "town_beata"),
               elvenhold = game_place_find(&hand.places, "town_elvenhold");
    game_slot red = elfenland__boot_slot(&hand.g, 0), blue = elfenland__boot_slot(&hand.g, 1),
              green = elfenland__boot_slot(&hand.g, 2);
    hands_place(&hand.track, beata, 2);
    for (game_slot slot = blue; slot <= green; slot++) {
        lift(elvenhold, slot);
        drop(beata, slot);
    }
    hand.g.phase = PHASE_MOVE;
    hand.g.boot[1] = hand.g.boot[2] = hand.g.ahead = NONE;
    hand.g.boot[1] = hand.g.boot[2] = 1; // beata
    hand.g.card[60] = hand.g.card[61] = CARD_OFFERED;
    hands_accept(&hand.track);
    assert_int_equal(judge()->type, VERDICT_SAME);
    lift(elvenhold, red);
    hands_sense(&hand.track, beata, HANDS_UNKNOWN); // overloaded: nothing is heard
    assert_int_equal(judge()->type, VERDICT_BLIND);
    hands_sense(&hand.track, beata, HANDS_KNOWN); // two of three are heard, red's among them
    lift(beata, green);
    drop(beata, red);
    assert_int_equal(judge()->type, VERDICT_EXPLAINED);
    expect_action(0, "s1 travel to=beata");
}

static void without_road_pads_both_towns_are_tapped(void **state) {
    (void)state;
    hand.g.tapped_roads = 1;
    for (unsigned road = 0; road < ROADS; road++)
        hands_sense(&hand.track, (game_place)(PLACE_ROAD + road), HANDS_UNSENSED);
    lift(red_open, dragon);
    drop(game_place_find(&hand.places, "town_beata"), dragon);
    assert_int_equal(judge()->type, VERDICT_PARTIAL);
    lift(game_place_find(&hand.places, "town_beata"), dragon);
    drop(game_place_find(&hand.places, "town_elvenhold"), dragon);
    assert_int_equal(judge()->type, VERDICT_PARTIAL);
    lift(game_place_find(&hand.places, "town_elvenhold"), dragon);
    assert_int_equal(judge()->type, VERDICT_EXPLAINED);
    expect_action(0, "s1 place_counter counter=dragon road=beata_elvenhold_plains source=up");
}

static void laid_cards_and_boot_in_either_order(void **state) {
    (void)state;
    game_place pay = elfenland__seat_place(0, AT_PAY), to = game_place_find(&hand.places, "town_rivinia"),
               from = game_place_find(&hand.places, "town_elvenhold");
    game_slot boot = elfenland__boot_slot(&hand.g, 0);
    hand.g.phase = PHASE_MOVE;
    hand.g.laid = 1;
    hand.g.card[60] = CARD_HAND;
    hand.g.hand[0] = 1;
    drop(pay, SLOT_CARD + 60);
    assert_int_equal(judge()->type, VERDICT_EXPLAINED);
    expect_action(0, "s1 pay card=raft");
    lift(from, boot);
    drop(to, boot); // both in one quiet moment
    assert_int_equal(judge()->type, VERDICT_EXPLAINED);
    assert_int_equal(hand.verdict.n_actions, 2);
    lift(pay, SLOT_CARD + 60); // the boot alone waits
    assert_int_equal(judge()->type, VERDICT_EXPLAINED);
    expect_action(0, "s1 boot_ahead to=rivinia");
}

static void a_foreign_card_is_not_from_the_hand(void **state) {
    (void)state;
    hand.g.phase = PHASE_MOVE;
    drop(elfenland__seat_place(0, AT_PAY), SLOT_CARD + 5);
    assert_string_equal(judge()->rule, "not_in_hand");
    assert_null(strstr(hand.verdict.text, "pig"));
}

int main(void) {
#define ON_TABLE(test) cmocka_unit_test_setup_teardown(test, open_board, shut)
#define ON_PADS(test) cmocka_unit_test_setup_teardown(test, open_with_pay_pads, shut)
#define BY_HAND(test) cmocka_unit_test_setup_teardown(test, lay_table, clear_table)
    const struct CMUnitTest tests[] = {
        ON_TABLE(el1_a_boot_walked_too_far_goes_step_by_step),
        ON_TABLE(el2_a_card_too_many_is_taken_out_by_a_second_tap),
        ON_TABLE(el3_the_boot_six_seconds_before_the_cards),
        ON_TABLE(lifting_the_boot_and_setting_it_back_cancels),
        ON_TABLE(el7_done_twice_in_a_second_is_one_pass),
        ON_TABLE(a_done_on_ones_own_spot_speaks_for_that_seat_alone),
        ON_PADS(paid_cards_and_town_piece_are_prompted),
        ON_PADS(number_tokens_say_done),
        ON_PADS(a_number_token_says_nothing_anew_after_a_restart),
        ON_PADS(a_look_at_the_home_card_is_nobodys_business),
        BY_HAND(el4_a_counter_heard_by_two_roads_is_asked_about),
        BY_HAND(el5_wrong_terrain_is_refused_with_its_rule),
        BY_HAND(el6_the_third_boot_makes_a_town_doubtful),
        BY_HAND(without_road_pads_both_towns_are_tapped),
        BY_HAND(laid_cards_and_boot_in_either_order),
        BY_HAND(a_foreign_card_is_not_from_the_hand),
    };
    bench_all();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
