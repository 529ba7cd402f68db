#define BENCH_TEMPLATE
#include "unit/engine/table_bench.h"
#include <unistd.h>

// The steps of the template's night, ms after its beginning.
enum { OWL = 0, MAGPIE = 14000, NUDGE = 28000, DAY = 34000 };

static struct bench bench;
static int64_t night;

static void open_three(const char *journal) {
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    bench_piece(&bench, "owl", "owl", "04110A5A1F6180");
    bench_piece(&bench, "magpie", "magpie", "04120A5A1F6180");
    bench_piece(&bench, "mole-1", "mole", "04130A5A1F6180");
    bench_piece(&bench, "mole-2", "mole", "04140A5A1F6180");
    bench_piece(&bench, "start", "control", "04310C5A1F6180");
    bench_piece(&bench, "pause", "control", "04330C5A1F6180");
    snprintf(bench.options.preset_game, sizeof bench.options.preset_game, "template");
    snprintf(bench.options.preset, sizeof bench.options.preset, "three");
    bench.journal_path = journal;
}

static void to_night(void) {
    bench_run(&bench, 500);
    bench_tap(&bench, "tap", "start");
    bench_lay(&bench, "s1", "owl");
    bench_lay(&bench, "s2", "magpie");
    bench_lay(&bench, "s3", "mole-1");
    bench_lay(&bench, "c1", "mole-2");
    bench_run(&bench, 3 * 60000 + 30000); // nobody moves, nobody bets
    while (!strstr(bench.log, "night step=100"))
        bench_run(&bench, 85);
    night = strtoll(strstr(strstr(bench.log, "night step=100"), "starts=") + 7, NULL, 10);
    bench_expect(&bench, "night step=100");
}

static void at(int64_t ms) {
    bench_until(&bench, night + ms);
}

static int plain(void **state) {
    (void)state;
    open_three(":memory:");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    to_night();
    return 0;
}

// A game may have as many records as this; the night needs more.
static int narrow(void **state) {
    (void)state;
    open_three(":memory:");
    bench.options.records_max = 56;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    to_night();
    return 0;
}

static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

// The public lines of the log from the night's beginning to the moment given.
static char *night_of(void) {
    char *text = strdup(strstr(bench.log, "night step=100"));
    char *out = text, *line, *rest = NULL;
    size_t len = 0;
    char *copy = calloc(1, strlen(text) + 1);
    for (line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strstr(line, " result") || strstr(line, " story"))
            break;
        len += (size_t)sprintf(copy + len, "%s\n", line);
    }
    free(text);
    return copy;
}

static void swap(const char *a, const char *b, const char *on_a, const char *on_b) {
    bench_lift(&bench, a);
    bench_lift(&bench, b);
    bench_run(&bench, 1500);
    bench_lay(&bench, a, on_b);
    bench_lay(&bench, b, on_a);
}

static void on7_whatever_hands_do_every_byte_and_time_is_the_same(void **state) {
    (void)state;
    char *nights[3];
    struct door_health counts[3];
    for (unsigned i = 0; i < 3; i++) {
        open_three(":memory:");
        assert_int_equal(bench_open(&bench), ERROR_OK);
        to_night();
        at(MAGPIE + 3000);
        if (i == 1)
            swap("s2", "c1", "magpie", "mole-2");
        if (i == 2)
            swap("s1", "s3", "owl", "mole-1");
        at(DAY + 20000);
        nights[i] = night_of();
        door_health(bench.door, &counts[i]);
        bench_close(&bench);
    }
    assert_string_equal(nights[0], nights[1]);
    assert_string_equal(nights[0], nights[2]);
    for (unsigned i = 1; i < 3; i++) { // how often somebody acted is no metric, by day neither
        assert_int_equal(counts[0].records, counts[i].records);
        assert_int_equal(counts[0].actions, counts[i].actions);
        assert_int_equal(counts[0].violations, counts[i].violations);
    }
    for (unsigned i = 0; i < 3; i++)
        free(nights[i]);
}

static void a_boundary_is_phase_then_event_then_narration(void **state) {
    (void)state;
    at(DAY + 100);
    char text[64];
    snprintf(text, sizeof text, "%lld public phase", (long long)night + MAGPIE);
    bench_expect(&bench, text);
    bench_expect(&bench, "public event step_started");
    bench_expect(&bench, "public say +0 Magpie.");
    snprintf(text, sizeof text, "%lld public phase", (long long)night + NUDGE);
    bench_expect(&bench, text);
    snprintf(text, sizeof text, "%lld public phase", (long long)night + DAY);
    bench_expect(&bench, text);
    bench_expect(&bench, "day");
    bench_expect(&bench, "public say +0 Open your eyes.");
}

static void what_the_hands_did_is_told_at_the_reveal(void **state) {
    (void)state;
    at(OWL + 4000);
    bench_lift(&bench, "s3");
    bench_run(&bench, 1500);
    bench_lay(&bench, "s3", "mole-1");
    at(MAGPIE + 3000);
    swap("s2", "c1", "magpie", "mole-2");
    at(NUDGE + 1000);
    swap("s1", "s3", "owl", "mole-1");
    at(DAY + 31000);
    bench_expect(&bench, "public result");
    bench_expect(&bench, "story night 100 by=s1 [] Seat 1 looked at s3.");
    bench_expect(&bench, "story night 200 by=s2 [] Seat 2 took c1.");
    bench_expect(&bench, "story night 300 by=table [slip] table exchange a=s1 b=s3");
}

static void a_mandatory_action_that_did_not_come_is_told_at_the_reveal(void **state) {
    (void)state;
    at(DAY + 1000);
    bench_silent(&bench, "missed");
    at(DAY + 31000);
    bench_expect(&bench, "story night 200 by=s2 [missed_mandatory]");
}

static void posts_are_accepted_without_a_word(void **state) {
    (void)state;
    struct door_who s2 = bench_seat(1), s3 = bench_seat(2);
    struct door_health before, during;
    at(MAGPIE + 2000);
    door_health(bench.door, &before);
    bench_forget(&bench);
    uint64_t version = door_view(bench.door, "main", 1)->version;
    assert_int_equal(bench_act(&bench, &s2, "s2 take from=c1"), ERROR_OK);
    assert_true(bench.answer.accepted_only);
    assert_int_equal(bench.answer.version, version);
    assert_int_equal(bench_act(&bench, &s3, "s3 take from=c1"), ERROR_OK); // she is no magpie
    assert_true(bench.answer.accepted_only);
    assert_int_equal(bench_act(&bench, &s3, "s3 nonsense"), ERROR_OK);
    assert_int_equal(bench_act(&bench, &s3, "s2 take from=c1"), ERROR_NOT_NOW);
    assert_int_equal(bench_act(&bench, &bench_host, "s2 take from=c1"), ERROR_NOT_NOW);
    struct door_control_request undo = {.control = DOOR_UNDO, .reason = "please"};
    assert_int_equal(bench_control(&bench, &bench_host, &undo), ERROR_NOT_NOW);
    struct door_control_request forgive = {.control = DOOR_OVERRIDE, .violation = 1, .reason = "please"};
    assert_int_equal(bench_control(&bench, &bench_host, &forgive), ERROR_NOT_NOW);
    at(NUDGE - 50);
    assert_int_equal(bench.len, bench.mark); // nothing was told
    door_health(bench.door, &during);
    assert_true(during.storage_ok == before.storage_ok && during.readers_up == before.readers_up &&
                during.readers == before.readers && during.records == before.records &&
                during.actions == before.actions && during.violations == before.violations);
    at(DAY + 31000);
    bench_expect(&bench, "story night 200 by=s2 [declared] Seat 2 took c1.");
    bench_silent(&bench, "by=s3");
}

// Who lifted his tile, and for how long, is in no sum: neither in the night nor the morning after.
static void readers_count_nothing_of_the_dark(void **state) {
    (void)state;
    const struct observe_reader_numbers *row;
    assert_int_equal(door_numbers(bench.door, &row), 1);
    assert_true(row->up && row->scans > 1000 && row->seen > 1000 && row->seen_us > 0);
    assert_true(row->rate_mhz > 10000);
    at(500);
    door_numbers(bench.door, &row);
    struct observe_reader_numbers before = *row;
    bench_lift(&bench, "s1");
    door_fault(bench.door, row->name, OBSERVE_FAULT_TIMEOUT);
    bench_run(&bench, 3000);
    bench_lay(&bench, "s1", "owl");
    at(DAY - 100);
    door_numbers(bench.door, &row);
    assert_memory_equal(row, &before, sizeof before);
    at(DAY + 900);
    door_numbers(bench.door, &row);
    assert_memory_equal(row, &before, sizeof before);
    door_fault(bench.door, row->name, OBSERVE_FAULT_IO);
    at(DAY + 8000);
    door_fault(bench.door, row->name, OBSERVE_FAULT_IO);
    door_numbers(bench.door, &row);
    assert_true(row->scans > before.scans && row->scans < before.scans + 12 * 8 * 6);
    assert_int_equal(row->faults[OBSERVE_FAULT_IO], 1);
    assert_int_equal(row->faults[OBSERVE_FAULT_TIMEOUT], 0);
}

// How many requests there is room for while a step is on its way to the disk is no measure of what it holds.
static void how_much_a_step_holds_is_not_told_by_what_is_busy(void **state) {
    (void)state;
    unsigned taken[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        char folder[] = "/tmp/tabled-dark-XXXXXX", file[64], command[96];
        assert_non_null(mkdtemp(folder));
        snprintf(file, sizeof file, "%s/journal.db", folder);
        open_three(file);
        assert_int_equal(bench_open(&bench), ERROR_OK);
        to_night();
        at(MAGPIE + 3000);
        if (i == 1)
            swap("s2", "c1", "magpie", "mole-2");
        if (i == 2)
            swap("s1", "s3", "owl", "mole-1");
        at(NUDGE - 300);
        const struct door_control_request stop = {.control = DOOR_PAUSE}, go = {.control = DOOR_RESUME};
        for (unsigned k = 0; k < 80; k++) {
            unsigned n = bench.answers;
            door_control(bench.door, "main", &bench_host, k % 2 ? &go : &stop, bench_reply, &bench);
            taken[i] += bench.answers == n; // answered when it is on disk
        }
        bench_run(&bench, 100);
        bench_close(&bench);
        snprintf(command, sizeof command, "rm -rf %s", folder);
        assert_int_equal(system(command), 0);
    }
    assert_true(taken[0] > 0 && taken[0] < 64);
    assert_int_equal(taken[0], taken[1]);
    assert_int_equal(taken[0], taken[2]);
}

static void posts_of_one_seat_crowd_out_no_other(void **state) {
    (void)state;
    struct door_who s2 = bench_seat(1), s3 = bench_seat(2);
    at(MAGPIE + 2000);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(bench_act(&bench, &s3, "s3 take from=c1"), ERROR_OK);
    assert_int_equal(bench_act(&bench, &s2, "s2 take from=c1"), ERROR_OK);
    at(DAY + 31000);
    bench_expect(&bench, "story night 200 by=s2 [declared] Seat 2 took c1.");
}

static void who_waits_for_a_boundary_is_answered_when_the_house_closes(void **state) {
    (void)state;
    struct door_control_request stop = {.control = DOOR_PAUSE};
    at(MAGPIE - 200); // hands are closed
    unsigned n = bench.answers;
    door_control(bench.door, "main", &bench_host, &stop, bench_reply, &bench);
    bench_run(&bench, 10);
    assert_int_equal(bench.answers, n);
    bench_shut(&bench);
    assert_int_equal(bench.answers, n + 1);
    assert_int_equal(bench.answer.code, ERROR_BUSY);
}

static void a_pause_begins_the_step_again_at_full_length(void **state) {
    (void)state;
    struct door_control_request stop = {.control = DOOR_PAUSE}, go = {.control = DOOR_RESUME};
    at(MAGPIE + 9000);
    assert_int_equal(bench_control(&bench, &bench_host, &stop), ERROR_OK);
    bench_expect(&bench, "public event paused reason=host");
    bench_run(&bench, 60000);
    bench_silent(&bench, "step_started");
    assert_int_equal(bench_control(&bench, &bench_host, &go), ERROR_OK);
    int64_t again = loop_now_us(bench.loop) / 1000;
    bench_expect(&bench, "public event resumed");
    bench_expect(&bench, "public event step_started");
    bench_expect(&bench, "say +0 Magpie.");
    char text[64];
    bench_run(&bench, 14100);
    snprintf(text, sizeof text, "%lld public phase", (long long)again + 14000);
    bench_expect(&bench, text);
}

static void u5_a_reader_lost_is_told_at_the_boundary_and_the_night_stops(void **state) {
    (void)state;
    at(OWL + 3000);
    bench_forget(&bench);
    bench.reader_down = true;
    door_reader(bench.door, "r", "fake", false, "unplugged");
    at(MAGPIE - 50);
    assert_int_equal(bench.len, bench.mark);
    at(MAGPIE + 100);
    bench_expect(&bench, "public event step_started");
    bench_expect(&bench, "public event reader_lost reader=r");
    bench_expect(&bench, "public event paused reason=reader");
    bench_run(&bench, 30000);
    bench_silent(&bench, "step_started");
    bench.reader_down = false;
    door_reader(bench.door, "r", "fake", true, NULL);
    bench_run(&bench, 2000);
    bench_expect(&bench, "public event resumed");
    bench_expect(&bench, "public event step_started");
}

static void u4_after_a_crash_the_step_comes_again_and_a_swap_is_found_again(void **state) {
    (void)state;
    char path[] = "/tmp/tabled-dark-XXXXXX", extra[64];
    assert_true(mkdtemp(path) != NULL);
    char file[64];
    snprintf(file, sizeof file, "%s/journal.db", path);
    open_three(file);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    to_night();
    at(MAGPIE + 3000);
    swap("s2", "c1", "magpie", "mole-2");
    bench_run(&bench, 2000);
    bench_shut(&bench);
    bench_forget(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 1000);
    bench_expect(&bench, "night step=200 turn=0");
    bench_expect(&bench, "paused=restart");
    bench_expect(&bench, "public event paused reason=restart");
    struct door_control_request go = {.control = DOOR_RESUME};
    assert_int_equal(bench_control(&bench, &bench_host, &go), ERROR_OK);
    bench_expect(&bench, "say +0 Magpie.");
    bench_run(&bench, 14000 + 6000 + 31000);
    bench_expect(&bench, "public result");
    bench_expect(&bench, "story night 200 by=s2 [");
    bench_close(&bench);
    snprintf(extra, sizeof extra, "rm -r %s", path);
    assert_int_equal(system(extra), 0);
}

static void nights_can_be_shortened_on_the_grid(void **state) {
    (void)state;
    open_three(":memory:");
    bench.options.timing.night_scale_percent = 10;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    to_night();
    at(5000);
    char text[64];
    snprintf(text, sizeof text, "%lld public phase", (long long)night + 1500);
    bench_expect(&bench, text);
    snprintf(text, sizeof text, "%lld public phase", (long long)night + 3000);
    bench_expect(&bench, text);
    snprintf(text, sizeof text, "%lld public phase", (long long)night + 3500);
    bench_expect(&bench, text);
    bench_close(&bench);
}

// It ends, says why, tells nothing of the night, and the table is free.
static void a_night_that_finds_no_more_room_for_records_ends(void **state) {
    (void)state;
    swap("s1", "s2", "owl", "magpie");
    at(DAY + 20000);
    bench_expect(&bench, "public event game_ended reason=The record of this game is full; it ends here.");
    bench_silent(&bench, "phase 3 night");
    bench_silent(&bench, "event action");
    assert_null(strstr(bench.log, " story "));
    assert_null(strstr(bench.log, " result "));
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    assert_int_equal(view->status, OBSERVE_ENDED);
    assert_int_equal(view->phase.deadline_us, 0);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_expect(&bench, "public event game_started");
}

// The same by day.
static void a_game_that_is_full_ends_and_another_begins(void **state) {
    (void)state;
    struct door_control_request stop = {.control = DOOR_PAUSE}, go = {.control = DOOR_RESUME};
    enum error_code code = ERROR_OK;
    open_three(":memory:");
    bench.options.records_max = 20;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    for (unsigned i = 0; i < 20 && !code; i++)
        code = bench_control(&bench, &bench_host, i % 2 ? &go : &stop);
    assert_int_not_equal(code, ERROR_OK);
    bench_run(&bench, 100);
    bench_expect(&bench, "public event game_ended reason=The record of this game is full; it ends here.");
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 1000);
    bench_expect(&bench, "public event game_started");
    bench_silent(&bench, "public event game_ended");
    bench_close(&bench);
}

// The host is faster than its end: the game that he begins at once goes on.
static void a_full_game_does_not_end_the_next_one(void **state) {
    (void)state;
    struct door_control_request one = {0};
    open_three(":memory:");
    bench.options.records_max = 20;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    for (unsigned i = 0; i < 22; i++) {
        one.control = i == 21 ? DOOR_AGAIN : i == 20 ? DOOR_END : i % 2 ? DOOR_RESUME : DOOR_PAUSE;
        door_control(bench.door, "main", &bench_host, &one, bench_reply, &bench);
    }
    bench_run(&bench, 1000);
    assert_int_equal(door_view(bench.door, "main", OBSERVE_PUBLIC)->status, OBSERVE_RUNNING);
    bench_close(&bench);
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on7_whatever_hands_do_every_byte_and_time_is_the_same),
        cmocka_unit_test_setup_teardown(a_boundary_is_phase_then_event_then_narration, plain, shut),
        cmocka_unit_test_setup_teardown(what_the_hands_did_is_told_at_the_reveal, plain, shut),
        cmocka_unit_test_setup_teardown(a_mandatory_action_that_did_not_come_is_told_at_the_reveal, plain,
                                        shut),
        cmocka_unit_test_setup_teardown(posts_are_accepted_without_a_word, plain, shut),
        cmocka_unit_test_setup_teardown(readers_count_nothing_of_the_dark, plain, shut),
        cmocka_unit_test(how_much_a_step_holds_is_not_told_by_what_is_busy),
        cmocka_unit_test_setup_teardown(posts_of_one_seat_crowd_out_no_other, plain, shut),
        cmocka_unit_test_setup_teardown(who_waits_for_a_boundary_is_answered_when_the_house_closes, plain,
                                        shut),
        cmocka_unit_test_setup_teardown(a_pause_begins_the_step_again_at_full_length, plain, shut),
        cmocka_unit_test_setup_teardown(u5_a_reader_lost_is_told_at_the_boundary_and_the_night_stops, plain,
                                        shut),
        cmocka_unit_test(u4_after_a_crash_the_step_comes_again_and_a_swap_is_found_again),
        cmocka_unit_test(nights_can_be_shortened_on_the_grid),
        cmocka_unit_test(a_game_that_is_full_ends_and_another_begins),
        cmocka_unit_test(a_full_game_does_not_end_the_next_one),
        cmocka_unit_test_setup_teardown(a_night_that_finds_no_more_room_for_records_ends, narrow, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
