// Seats that the computer plays, at a table on the virtual clock.
#include "games/bot.h"
#include "unit/engine/table_bench.h"

static struct bench bench;

static void open_table(const char *pads, const char *journal) {
    bench_options(&bench, pads);
    bench.options.chance_from_readers = false;
    if (journal)
        bench.journal_path = journal;
    bench.bot = bot_find;
    assert_int_equal(bench_open(&bench), ERROR_OK);
}

static enum error_code start(const struct door_start *what) {
    unsigned n = bench.answers;
    door_start(bench.door, "main", &bench_host, what, bench_reply, &bench);
    return bench_wait(&bench, n);
}

static const struct observation *view(void) {
    return door_view(bench.door, "main", OBSERVE_PUBLIC);
}

static enum error_code control(enum door_control what) {
    struct door_control_request request = {.control = what, .reason = ""};
    return bench_control(&bench, &bench_host, &request);
}

static const struct door_start sheep = {.game = "battle_sheep", .seats = 2, .seed = 5, .bots = "s2"};

static int open_sheep(void **state) {
    (void)state;
    open_table("tap:tap", NULL);
    return 0;
}
static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

static const char *const tiles[] = {"0,0", "2,0", "4,0", "6,0", "0,2", "2,2", "4,2", "6,2"};

// s1 lays where the list says as long as the bot's tiles leave it free, else anywhere it may.
static void lay_a_tile(unsigned i) {
    char text[64];
    snprintf(text, sizeof text, "s1 tile at=hex.%s turn=O0", tiles[i]);
    assert_int_equal(bench_act(&bench, &bench_host, text), ERROR_OK);
}

static void a_bot_moves_when_it_is_its_turn(void **state) {
    (void)state;
    assert_int_equal(start(&sheep), ERROR_OK);
    bench_run(&bench, 100);
    assert_false(view()->seat[0].bot);
    assert_true(view()->seat[1].bot); // everybody may see whom the computer plays
    bench_silent(&bench, "event action s2");
    lay_a_tile(0);
    bench_run(&bench, 100);
    bench_expect(&bench, "public event action s2 `s2 tile");
    assert_int_equal(view()->phase.turn, 1);
}

static void undo_goes_back_to_the_last_action_of_people(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0);
    struct door_control_request undo = {.control = DOOR_UNDO, .reason = "no"};
    assert_int_equal(start(&sheep), ERROR_OK);
    lay_a_tile(0);
    bench_run(&bench, 100);
    assert_int_equal(view()->phase.turn, 1);
    assert_int_equal(bench_control(&bench, &s1, &undo), ERROR_OK);
    bench_expect(&bench, "public event undone `s1 tile at=hex.0,0 turn=O0`");
    bench_run(&bench, 20000);
    assert_int_equal(view()->n_items, 0);
    assert_int_equal(view()->phase.turn, 1);
    bench_forget(&bench);
    lay_a_tile(1);
    bench_run(&bench, 100);
    bench_expect(&bench, "public event action s2 `s2 tile");
    assert_int_equal(control(DOOR_UNDO), ERROR_OK);
    bench_expect(&bench, "public event undone `s1 tile at=hex.2,0 turn=O0`");
    assert_int_equal(control(DOOR_UNDO), ERROR_NOT_NOW);
}

static void paused_it_waits(void **state) {
    (void)state;
    const struct door_start all = {.game = "elfenland", .seats = 2, .seed = 5, .bots = "s1 s2"};
    assert_int_equal(start(&all), ERROR_OK);
    assert_int_equal(control(DOOR_PAUSE), ERROR_OK);
    bench_forget(&bench);
    bench_run(&bench, 60000);
    bench_silent(&bench, "event action");
    assert_int_equal(control(DOOR_RESUME), ERROR_OK);
    bench_run(&bench, 1000);
    bench_expect(&bench, "event action s");
}

static void bots_alone_play_every_game_to_the_end(void **state) {
    static const struct door_start games[] = {
        {.game = "elfenland", .seats = 2, .seed = 5, .bots = "s1 s2"},
        {.game = "not_alone", .seats = 3, .seed = 5, .bots = "s1 s2 s3"},
        {.game = "alien_hunt", .seats = 4, .seed = 5, .bots = "s1 s2 s3 s4"},
    };
    (void)state;
    for (unsigned game = 0; game < sizeof games / sizeof *games; game++) {
        assert_int_equal(start(&games[game]), ERROR_OK);
        for (unsigned i = 0; i < 20000 && !view()->result.over; i++)
            bench_run(&bench, 1000);
        if (!view()->result.over)
            fail_msg("%s does not end: %s", games[game].game, view()->phase.id);
        bench_expect(&bench, "public event result");
        bench.len = bench.mark = 0; // the log has an end too
        bench.log[0] = '\0';
    }
    assert_int_equal(control(DOOR_AGAIN), ERROR_OK);
    bench_run(&bench, 10000);
    bench_expect(&bench, "public event");
    for (unsigned i = 0; i < 20000 && !view()->result.over; i++)
        bench_run(&bench, 1000);
    assert_true(view()->result.over);
}

static void seats_must_play(void **state) {
    (void)state;
    const struct door_start wrong = {.game = "battle_sheep", .seats = 2, .bots = "s2 s3"};
    const struct door_start nobody = {.game = "battle_sheep", .seats = 2, .bots = "timer"};
    const struct door_start label = {.game = "battle_sheep", .seats = 2, .bots = "R"};
    assert_int_equal(start(&wrong), ERROR_INVALID);
    assert_int_equal(start(&nobody), ERROR_INVALID);
    assert_int_equal(start(&label), ERROR_OK);
    bench_run(&bench, 100);
    bench_expect(&bench, "public event action s1 `s1 tile");
}

static void a_restart_keeps_them(void **state) {
    char path[] = "/tmp/tabled-bots-XXXXXX", text[96];
    (void)state;
    bench_close(&bench);
    assert_non_null(mkdtemp(path));
    snprintf(text, sizeof text, "%s/journal.db", path);
    open_table("tap:tap", text);
    assert_int_equal(start(&sheep), ERROR_OK);
    bench_run(&bench, 100);
    bench_shut(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 100);
    assert_int_equal(control(DOOR_RESUME), ERROR_OK);
    lay_a_tile(0);
    bench_run(&bench, 100);
    bench_expect(&bench, "public event action s2 `s2 tile");
    bench_shut(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK); // what the bot did is a record like any other
    bench_run(&bench, 100);
    assert_int_equal(control(DOOR_UNDO), ERROR_OK);
    bench_expect(&bench, "public event undone `s1 tile");
    snprintf(text, sizeof text, "rm -r %s", path);
    assert_int_equal(system(text), 0);
}

// A night with bots on all seats: they post, nothing of it is told, and the day and the vote come.
static void they_play_a_night_and_vote(void **state) {
    (void)state;
    const struct door_start night = {.game = "one_night", .preset = "base_3", .seed = 3, .bots = "s1 s2 s3"};
    assert_int_equal(start(&night), ERROR_OK);
    bench_run(&bench, 100);
    if (view()->phase.veil != OBSERVE_DARK)
        assert_int_equal(bench_act(&bench, &bench_host, "table begin"), ERROR_OK);
    bench_forget(&bench);
    for (unsigned i = 0; i < 600 && (!view()->phase.id || view()->phase.veil == OBSERVE_DARK); i++) {
        bench_silent(&bench, "event action");
        bench_silent(&bench, "seat_acted");
        bench_run(&bench, 1000);
    }
    for (unsigned i = 0; i < 3600 && !view()->result.over; i++)
        bench_run(&bench, 1000);
    bench_expect(&bench, "vote a=s");
    bench_expect(&bench, "declared] s");
    bench_expect(&bench, "public event result");
}

// Tiles are on pads: the bot waits until hands have laid its tile, or those that its move stands on.
static void hands_carry_its_moves_out(void **state) {
    static const char pads[] = "hex.0,0 tap:tap";
    (void)state;
    bench_close(&bench);
    bench_options(&bench, pads);
    bench_piece(&bench, "tile-1", "tile", "04110A5A1F6180");
    bench.bot = bot_find;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(start(&sheep), ERROR_OK);
    bench_run(&bench, 2000);
    lay_a_tile(0); // posted: hands are to follow
    bench_run(&bench, 5000);
    bench_expect(&bench, "public event prompt");
    bench_silent(&bench, "event action s2");
    bench_lay(&bench, "hex.0,0", "tile-1");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event action s2 `s2 tile");
    bench_silent(&bench, "violation_raised");
}

// A configuration may name seats as people do; who sets a game up elsewhere knows their numbers.
static void seats_by_label_are_told_by_number(void **state) {
    (void)state;
    struct game_setup setup;
    struct error err;
    const struct game_words names = {.game = game_find("battle_sheep"), .setup = &setup};
    uint16_t seats;
    char words[BOT_WORDS_MAX];
    assert_int_equal(game_setup_preset(names.game, "three", &setup, &err), ERROR_OK);
    assert_int_equal(bot_seats(&names, "W, R s1", &seats, &err), ERROR_OK);
    bot_words(seats, words);
    assert_string_equal(words, "s1 s3");
    bot_words(0, words);
    assert_string_equal(words, "");
    bot_words(0xffff, words);
    assert_string_equal(words, "s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 s15 s16");
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_bot_moves_when_it_is_its_turn, open_sheep, shut),
        cmocka_unit_test_setup_teardown(undo_goes_back_to_the_last_action_of_people, open_sheep, shut),
        cmocka_unit_test_setup_teardown(paused_it_waits, open_sheep, shut),
        cmocka_unit_test_setup_teardown(bots_alone_play_every_game_to_the_end, open_sheep, shut),
        cmocka_unit_test_setup_teardown(seats_must_play, open_sheep, shut),
        cmocka_unit_test_setup_teardown(a_restart_keeps_them, open_sheep, shut),
        cmocka_unit_test_setup_teardown(hands_carry_its_moves_out, open_sheep, shut),
        cmocka_unit_test_setup_teardown(they_play_a_night_and_vote, open_sheep, shut),
        cmocka_unit_test(seats_by_label_are_told_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
