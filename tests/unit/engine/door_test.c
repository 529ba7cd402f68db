#define BENCH_TEMPLATE
#include "unit/engine/table_bench.h"
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static struct bench bench;
static char folder[] = "/tmp/tabled-door-XXXXXX", file[96];

static void pieces(void) {
    bench_piece(&bench, "owl", "owl", "04110A5A1F6180");
    bench_piece(&bench, "magpie", "magpie", "04120A5A1F6180");
    bench_piece(&bench, "mole-1", "mole", "04130A5A1F6180");
    bench_piece(&bench, "mole-2", "mole", "04140A5A1F6180");
    bench_piece(&bench, "start", "control", "04310C5A1F6180");
}

static int in_memory(void **state) {
    (void)state;
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    pieces();
    bench.options.chance_from_readers = false; // the daemon deals
    assert_int_equal(bench_open(&bench), ERROR_OK);
    return 0;
}

static int on_disk(void **state) {
    (void)state;
    strcpy(strrchr(folder, '-') + 1, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/journal.db", folder);
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    pieces();
    bench.options.chance_from_readers = false;
    bench.journal_path = file;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    return 0;
}

static int shut(void **state) {
    char command[128];
    (void)state;
    bench_close(&bench);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static struct door_control_request ask(enum door_control control, const char *reason) {
    return (struct door_control_request){.control = control, .reason = reason};
}

static void a_game_is_started_dealt_ended_and_played_again(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "chess", NULL, 2), ERROR_NOT_FOUND);
    assert_string_equal(bench.answer.error.text, "there is no game 'chess'; there are: template");
    assert_int_equal(bench_start(&bench, "template", NULL, 9), ERROR_INVALID);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 100);
    bench_expect(&bench, "public event game_started");
    bench_expect(&bench, "garden step=- turn=1"); // all cards are dealt at once
    bench_silent(&bench, "deal to");
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_NOT_NOW);
    struct door_control_request end = ask(DOOR_END, "dinner"), again = ask(DOOR_AGAIN, NULL);
    assert_int_equal(bench_control(&bench, &bench_host, &again), ERROR_NOT_NOW);
    assert_int_equal(bench_control(&bench, &bench_host, &end), ERROR_OK);
    bench_expect(&bench, "public event game_ended reason=dinner");
    assert_int_equal(door_view(bench.door, "main", OBSERVE_PUBLIC)->status, OBSERVE_ENDED);
    enum observe_status status;
    const char *game;
    assert_true(door_status(bench.door, "main", &status, &game));
    assert_int_equal(status, OBSERVE_ENDED);
    assert_string_equal(game, "template");
    assert_false(door_status(bench.door, "nowhere", &status, &game));
    assert_int_equal(bench_control(&bench, &bench_host, &again), ERROR_OK);
    bench_run(&bench, 100);
    bench_expect(&bench, "public event game_started");
}

static void a_set_up_is_refused_with_its_reasons(void **state) {
    (void)state;
    const struct door_start start = {.game = "template", .seats = 3, .cards = "owl owl mole mole"};
    unsigned n = bench.answers;
    door_start(bench.door, "main", &bench_host, &start, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_ILLEGAL);
    assert_int_equal(bench.answer.n_issues, 1);
    const struct door_start warned = {.game = "template", .seats = 3, .cards = "mole mole mole mole"};
    n = bench.answers;
    door_start(bench.door, "main", &bench_host, &warned, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_OK);
    assert_int_equal(bench.answer.n_issues, 1);
    bench_expect(&bench, "public event reminder code=W_NO_BIRD");
}

static void roles_do_what_they_may(void **state) {
    (void)state;
    struct door_who s1 = bench_seat(0), display = {.role = DOOR_DISPLAY, .seat = -1};
    struct door_who elsewhere = bench_seat(0);
    snprintf(elsewhere.table, sizeof elsewhere.table, "other");
    const struct door_start start = {.game = "template", .preset = "three"};
    unsigned n = bench.answers;
    door_start(bench.door, "main", &s1, &start, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_FORBIDDEN);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 100);
    struct door_control_request stop = ask(DOOR_PAUSE, NULL);
    assert_int_equal(bench_control(&bench, &s1, &stop), ERROR_FORBIDDEN);
    assert_int_equal(bench_act(&bench, &display, "s1 swap a=s2 b=s3"), ERROR_FORBIDDEN);
    assert_int_equal(bench_act(&bench, &elsewhere, "s1 swap a=s2 b=s3"), ERROR_FORBIDDEN);
    assert_int_equal(
        bench_act(&bench, &s1, "{\"by\":\"s1\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s3\"}}"),
        ERROR_OK);
    assert_int_equal(bench_act(&bench, &s1, "{\"by\":"), ERROR_INVALID);
    assert_null(door_view(bench.door, "main", 3));
    assert_null(door_view(bench.door, "none", OBSERVE_PUBLIC));
}

static void a_view_of_a_seat_hides_what_others_hold(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 100);
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    const struct observation *seat = door_view(bench.door, "main", 1);
    assert_ptr_not_equal(view, seat); // both are good until the turn ends
    for (unsigned i = 0; i < view->n_items; i++)
        assert_null(view->item[i].kind);
    assert_int_equal(view->n_cards, 4);
    assert_string_equal(view->game, "template");
}

static void an_open_phase_comes_back_paused_with_what_was_left(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    struct door_who s1 = bench_seat(0);
    bench_run(&bench, 100);
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s2 b=s3"), ERROR_OK);
    bench_run(&bench, 20000);
    bench_shut(&bench);
    bench_forget(&bench);
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 5000);
    bench_expect(&bench, "garden step=- turn=2");
    bench_expect(&bench, "paused=restart");
    bench_silent(&bench, "game_started");
    struct door_control_request go = ask(DOOR_RESUME, NULL);
    assert_int_equal(bench_control(&bench, &bench_host, &go), ERROR_OK);
    char text[64];
    snprintf(text, sizeof text, "deadline=%lld", (long long)(loop_now_us(bench.loop) / 1000) + 40000);
    bench_expect(&bench, text);
}

static void another_revision_of_the_rules_is_refused_with_both_named(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_shut(&bench);
    char command[256];
    snprintf(command, sizeof command,
             "sqlite3 %s \"update record set body=replace(body,'\\\"rules_rev\\\":1','\\\"rules_rev\\\":7') "
             "where kind='start'\" 2>/dev/null",
             file);
    if (system(command)) // without the tool there is nothing to change the record with
        skip();
    assert_int_equal(bench_open(&bench), ERROR_CORRUPT);
    assert_non_null(strstr(bench.err.text, "revision 7"));
    assert_non_null(strstr(bench.err.text, "has 1"));
}

static void a_full_disk_stops_the_table_at_what_was_announced(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    struct door_who s1 = bench_seat(0);
    bench_run(&bench, 100);
    struct rlimit old, none;
    struct stat wal;
    char name[128];
    snprintf(name, sizeof name, "%s-wal", file);
    assert_int_equal(stat(name, &wal), 0);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    none = (struct rlimit){(rlim_t)wal.st_size, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    bench_forget(&bench);
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s2 b=s3"), ERROR_STORAGE);
    setrlimit(RLIMIT_FSIZE, &old);
    bench_expect(&bench, "public event paused reason=disk");
    assert_null(strstr(bench.log, "event action s1"));
    assert_int_equal(bench_act(&bench, &s1, "s1 swap a=s2 b=s3"), ERROR_NOT_NOW);
    struct door_control_request go = ask(DOOR_RESUME, NULL);
    assert_int_equal(bench_control(&bench, &bench_host, &go), ERROR_STORAGE);
    struct door_health health;
    door_health(bench.door, &health);
    assert_false(health.storage_ok);
}

static void more_than_64_undurable_records_are_busy(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 100);
    struct door_control_request stop = ask(DOOR_PAUSE, NULL), go = ask(DOOR_RESUME, NULL);
    unsigned before = bench.answers;
    unsigned busy = 0;
    for (unsigned i = 0; i < 80; i++) {
        unsigned n = bench.answers;
        door_control(bench.door, "main", &bench_host, i % 2 ? &go : &stop, bench_reply, &bench);
        if (bench.answers > n)
            busy += bench.answer.code == ERROR_BUSY; // refused at once
    }
    assert_true(busy > 0);
    bench_run(&bench, 10);
    assert_int_equal(bench.answers, before + 80);
    bench_expect(&bench, "public event paused reason=host");
}

static void b098_deadlines_are_sent_again_when_the_wall_clock_jumps(void **state) {
    (void)state;
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 1000);
    bench_forget(&bench);
    clock_virtual_step_wall(&bench.clock, -INT64_C(86400000000));
    door_clock_jumped(bench.door);
    bench_expect(&bench, "public phase");
    const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
    int64_t left = view->phase.deadline_us - clock_wall_us(loop_clock(bench.loop));
    assert_true(left > 58000000 && left <= 60000000);
}

static void a_tag_is_enrolled_on_a_pad(void **state) {
    (void)state;
    struct door_who admin = {.role = DOOR_ADMIN, .seat = -1};
    unsigned n = bench.answers;
    door_enrol(bench.door, "main", &bench_host, "kit", "owl-2", "owl", NULL, "s1", 1000, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_FORBIDDEN);
    n = bench.answers;
    door_enrol(bench.door, "main", &admin, "kit", "owl-2", "owl", NULL, "s1", 1000, bench_reply, &bench);
    bench_run(&bench, 1100);
    assert_int_equal(bench.answers, n + 1);
    assert_int_equal(bench.answer.code, ERROR_NOT_FOUND); // nobody came
    door_enrol(bench.door, "main", &admin, "kit", "owl-2", "owl", "up", "s1", 5000, bench_reply, &bench);
    bench.lies[0].n = 1;
    bench.lies[0].tags[0] = bench_tag("04990A5A1F6180");
    bench_run(&bench, 1000);
    assert_int_equal(bench.answers, n + 2);
    assert_int_equal(bench.answer.code, ERROR_OK);
    assert_true(pieces_find(bench.pieces, "kit", "owl-2") != PIECE_NONE);
    char *csv;
    assert_int_equal(door_enrol_export(bench.door, &admin, "kit", false, &csv, &bench.err), ERROR_OK);
    assert_null(strstr(csv, "04990A5A1F6180"));
    assert_non_null(strstr(csv, "owl-2"));
    free(csv);
    assert_int_equal(door_enrol_export(bench.door, &bench_host, "kit", true, &csv, &bench.err),
                     ERROR_FORBIDDEN);
}

// A page that was closed leaves an enrolment behind: it must not take the next one's tile.
static void whoever_asks_again_gives_the_earlier_enrolment_up(void **state) {
    (void)state;
    struct door_who anna = {.role = DOOR_ADMIN, .seat = -1, .name = "anna"}, bert = anna;
    strcpy(bert.name, "bert");
    unsigned n = bench.answers;
    door_enrol(bench.door, "main", &anna, "kit", "owl-2", "owl", NULL, "s1", 60000, bench_reply, &bench);
    door_enrol(bench.door, "main", &bert, "kit", "owl-3", "owl", NULL, "s1", 60000, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_BUSY); // the other one's goes on
    n = bench.answers;
    door_enrol(bench.door, "main", &anna, "kit", "owl-4", "owl", NULL, "s1", 60000, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_BUSY); // the earlier one's answer
    assert_non_null(strstr(bench.answer.error.text, "newer"));
    n = bench.answers;
    bench.lies[0].n = 1;
    bench.lies[0].tags[0] = bench_tag("04990A5A1F6180");
    bench_run(&bench, 1000);
    assert_int_equal(bench.answers, n + 1);
    assert_true(pieces_find(bench.pieces, "kit", "owl-4") != PIECE_NONE);
    assert_true(pieces_find(bench.pieces, "kit", "owl-2") == PIECE_NONE);
}

static bool asked_on;

static bool asks(void *ctx, const char *reader, uint16_t antenna, bool on) {
    (void)ctx, (void)reader, (void)antenna;
    asked_on = on;
    return true;
}

// The answer carries what is on the tag; a tag of another pad, or of another reader, is none of its business.
static void what_is_on_a_tag_comes_with_its_enrolment(void **state) {
    (void)state;
    struct door_who admin = {.role = DOOR_ADMIN, .seat = -1};
    const struct tag tag = bench_tag("04990A5A1F6180"), other = bench_tag("04980A5A1F6180");
    const struct board_pad_options *pad = bench.options.pads;
    door_on_inspect(bench.door, asks, NULL);
    unsigned n = bench.answers;
    door_enrol(bench.door, "main", &admin, "kit", "owl-2", "owl", "up", "s1", 5000, bench_reply, &bench);
    assert_true(asked_on);
    bench.lies[0].n = 1;
    bench.lies[0].tags[0] = tag;
    bench_run(&bench, 600);
    assert_int_equal(bench.answers, n); // the signature is still on its way
    door_hint(bench.door, "nobody", 0, &tag, "elsewhere");
    door_hint(bench.door, pad[0].reader, pad[0].antenna, &other, "another");
    door_signature(bench.door, pad[0].reader, pad[0].antenna, &other, DOOR_SIGNATURE_INVALID);
    door_hint(bench.door, pad[0].reader, pad[0].antenna, &tag, "owl");
    assert_int_equal(bench.answers, n);
    door_signature(bench.door, pad[0].reader, pad[0].antenna, &tag, DOOR_SIGNATURE_VALID);
    assert_int_equal(bench_wait(&bench, n), ERROR_OK);
    assert_string_equal(bench.inspected.hint, "owl");
    assert_int_equal(bench.inspected.signature, DOOR_SIGNATURE_VALID);
    assert_false(asked_on);
    assert_true(pieces_find(bench.pieces, "kit", "owl-2") != PIECE_NONE);
}

// Four outcomes stay four (B056), and a tag that says nothing is enrolled all the same.
static void b056_a_look_keeps_nothing(void **state) {
    (void)state;
    struct door_who admin = {.role = DOOR_ADMIN, .seat = -1};
    const struct tag tag = bench_tag("04990A5A1F6180");
    const struct board_pad_options *pad = bench.options.pads;
    door_on_inspect(bench.door, asks, NULL);
    bench.lies[0].n = 1;
    bench.lies[0].tags[0] = tag;
    for (unsigned i = DOOR_SIGNATURE_VALID; i < DOOR_SIGNATURES; i++) {
        unsigned n = bench.answers;
        door_enrol(bench.door, "main", &admin, "kit", NULL, NULL, NULL, "s1", 5000, bench_reply, &bench);
        door_signature(bench.door, pad[0].reader, pad[0].antenna, &tag, (enum door_signature)i);
        bench_run(&bench, 1000);
        assert_int_equal(bench.answers, n + 1);
        assert_int_equal(bench.answer.code, ERROR_OK);
        assert_string_equal(bench.inspected.hint, "");
        assert_int_equal(bench.inspected.signature, i);
        assert_string_equal(bench.inspected.pad, "s1");
    }
    assert_false(asked_on);
    assert_int_equal(pieces_find(bench.pieces, "kit", "owl-2"), PIECE_NONE);
    unsigned n = bench.answers;
    door_enrol(bench.door, "main", &admin, "kit", "owl-2", "owl", "up", "s1", 5000, bench_reply, &bench);
    bench_run(&bench, 3000); // the reader promised and told nothing
    assert_int_equal(bench.answers, n + 1);
    assert_int_equal(bench.answer.code, ERROR_OK);
    n = bench.answers;
    door_enrol(bench.door, "main", &admin, "kit", "owl-2", NULL, NULL, "s1", 5000, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_INVALID); // half a name is no look
}

// What cannot become a piece is told at once and why; a tile with one known tag may have a new one beside it.
static void b052_what_cannot_be_enrolled_is_explained(void **state) {
    (void)state;
    static const struct {
        const char *tag, *why;
        enum error_code code;
    } rows[] = {{"04110A5A1F6180", "is kit/owl already", ERROR_EXISTS},
                {"08AABBCC", "begins with 08", ERROR_INVALID},
                {"88041234", "only a part", ERROR_INVALID}};
    struct door_who admin = {.role = DOOR_ADMIN, .seat = -1};
    bench_run(&bench, 500);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned n = bench.answers;
        door_enrol(bench.door, "main", &admin, "kit", NULL, NULL, NULL, NULL, 60000, bench_reply, &bench);
        bench.lies[i].n = 1;
        bench.lies[i].tags[0] = bench_tag(rows[i].tag);
        bench_run(&bench, 1500);
        assert_int_equal(bench.answers, n + 1);
        assert_int_equal(bench.answer.code, rows[i].code);
        assert_non_null(strstr(bench.answer.error.text, rows[i].why));
        bench.lies[i].n = i == 0; // phones are put back into pockets
        bench_run(&bench, 1500);
    }
    unsigned n = bench.answers; // a further tag of the tile on the first pad: its back
    bench.lies[0].n = 0;
    bench_run(&bench, 1000);
    door_enrol(bench.door, "main", &admin, "kit", "owl", "owl", "down", NULL, 60000, bench_reply, &bench);
    bench.lies[0].n = 2;
    bench.lies[0].tags[1] = bench_tag("04990A5A1F6180");
    bench_run(&bench, 1500);
    assert_int_equal(bench.answers, n + 1);
    assert_int_equal(bench.answer.code, ERROR_OK);
    assert_int_equal(bench.answer.added, 1);
    assert_int_equal(pieces_at(bench.pieces, pieces_find(bench.pieces, "kit", "owl"))->n_tags, 2);
}

static void who_waits_for_a_tag_is_answered_when_the_house_closes(void **state) {
    (void)state;
    struct door_who admin = {.role = DOOR_ADMIN, .seat = -1};
    unsigned n = bench.answers;
    door_enrol(bench.door, "main", &admin, "kit", "owl-2", "owl", NULL, "s1", 5000, bench_reply, &bench);
    bench_shut(&bench);
    assert_int_equal(bench.answers, n + 1);
    assert_int_equal(bench.answer.code, ERROR_BUSY);
}

// An admin is a player too: enrolling another deck at a table where a game runs would name the tiles that lie
// face down there.
static void nothing_is_enrolled_where_a_game_runs(void **state) {
    (void)state;
    struct door_who admin = {.role = DOOR_ADMIN, .seat = -1};
    bench_close(&bench);
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    snprintf(bench.options.deck, sizeof bench.options.deck, "kit");
    bench.options.chance_from_readers = false;
    pieces();
    assert_int_equal(bench_open(&bench), ERROR_OK);
    unsigned n = bench.answers;
    door_enrol(bench.door, "main", &admin, "spare", "x", "owl", NULL, NULL, 60000, bench_reply, &bench);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK); // while it waits
    n = bench.answers;
    bench.lies[0].n = 1;
    bench.lies[0].tags[0] = bench_tag("04110A5A1F6180"); // a piece of the game
    bench_run(&bench, 3000);
    assert_int_equal(bench.answers, n);
    bench.lies[1].n = 1;
    bench.lies[1].tags[0] = bench_tag("04990A5A1F6180"); // of no piece
    bench_run(&bench, 3000);
    assert_int_equal(bench.answers, n + 1);
    assert_int_equal(bench.answer.code, ERROR_NOT_NOW);
    for (int look = 0; look < 2; look++) {
        n = bench.answers;
        door_enrol(bench.door, "main", &admin, "spare", look ? NULL : "x", look ? NULL : "owl", NULL, NULL,
                   60000, bench_reply, &bench);
        assert_int_equal(bench_wait(&bench, n), ERROR_NOT_NOW);
    }
}

static void a_deck_in_play_is_left_alone(void **state) {
    (void)state;
    struct door_who admin = {.role = DOOR_ADMIN, .seat = -1};
    bench_close(&bench);
    bench_options(&bench, "s1 s2 s3 c1 tap:tap");
    snprintf(bench.options.deck, sizeof bench.options.deck, "kit");
    bench.options.chance_from_readers = false;
    pieces();
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    unsigned n = bench.answers;
    door_enrol(bench.door, "main", &admin, "kit", "x", "owl", NULL, NULL, 1000, bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_NOT_NOW);
    n = bench.answers;
    door_enrol_import(bench.door, &admin, "deck,name,kind,tag,face\nkit,y,owl,04AA0A5A1F6180,\n", bench_reply,
                      &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_NOT_NOW);
    n = bench.answers;
    // As a spreadsheet may write it, or after an empty line: it is the same deck.
    static const char *const same[] = {
        "deck,name,kind,tag,face\n\"kit\",y,owl,04AA0A5A1F6180,\n",
        "\ndeck,name,kind,tag,face\nkit,y,owl,04AA0A5A1F6180,\n",
        ("\xef\xbb\xbf"
         "deck,name,kind,tag,face\r\n\r\n\"kit\",y,owl,04AA0A5A1F6180,\r\n"),
        "deck,name,kind,tag,face\nspare,\"y\nz\",owl,04AB0A5A1F6180,\nkit,y,owl,04AA0A5A1F6180,\n"};
    for (unsigned i = 0; i < sizeof same / sizeof *same; i++) {
        door_enrol_import(bench.door, &admin, same[i], bench_reply, &bench);
        assert_int_equal(bench.answer.code, ERROR_NOT_NOW);
    }
    n = bench.answers;
    door_enrol_import(bench.door, &admin, "deck,name,kind,tag,face\nspare,y,owl,04AA0A5A1F6180,\n",
                      bench_reply, &bench);
    assert_int_equal(bench_wait(&bench, n), ERROR_OK);
}

static void games_are_listed_as_json(void **state) {
    (void)state;
    json_error_t error;
    json_t *json = json_loads(door_games_json(bench.door), JSON_REJECT_DUPLICATES, &error);
    assert_non_null(json);
    json_t *game = json_array_get(json_object_get(json, "games"), 0);
    assert_string_equal(json_string_value(json_object_get(game, "id")), "template");
    assert_string_equal(door_game_id(0), "template");
    assert_null(door_game_id(json_array_size(json_object_get(json, "games"))));
    assert_int_equal(json_array_size(json_object_get(game, "presets")), 1);
    assert_int_equal(json_array_size(json_object_get(game, "places")), 13);
    json_decref(json);
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_game_is_started_dealt_ended_and_played_again, in_memory, shut),
        cmocka_unit_test_setup_teardown(a_set_up_is_refused_with_its_reasons, in_memory, shut),
        cmocka_unit_test_setup_teardown(roles_do_what_they_may, in_memory, shut),
        cmocka_unit_test_setup_teardown(a_view_of_a_seat_hides_what_others_hold, in_memory, shut),
        cmocka_unit_test_setup_teardown(an_open_phase_comes_back_paused_with_what_was_left, on_disk, shut),
        cmocka_unit_test_setup_teardown(another_revision_of_the_rules_is_refused_with_both_named, on_disk,
                                        shut),
        cmocka_unit_test_setup_teardown(a_full_disk_stops_the_table_at_what_was_announced, on_disk, shut),
        cmocka_unit_test_setup_teardown(more_than_64_undurable_records_are_busy, in_memory, shut),
        cmocka_unit_test_setup_teardown(b098_deadlines_are_sent_again_when_the_wall_clock_jumps, in_memory,
                                        shut),
        cmocka_unit_test_setup_teardown(a_tag_is_enrolled_on_a_pad, in_memory, shut),
        cmocka_unit_test_setup_teardown(whoever_asks_again_gives_the_earlier_enrolment_up, in_memory, shut),
        cmocka_unit_test_setup_teardown(what_is_on_a_tag_comes_with_its_enrolment, in_memory, shut),
        cmocka_unit_test_setup_teardown(b052_what_cannot_be_enrolled_is_explained, in_memory, shut),
        cmocka_unit_test_setup_teardown(nothing_is_enrolled_where_a_game_runs, in_memory, shut),
        cmocka_unit_test_setup_teardown(b056_a_look_keeps_nothing, in_memory, shut),
        cmocka_unit_test_setup_teardown(who_waits_for_a_tag_is_answered_when_the_house_closes, in_memory,
                                        shut),
        cmocka_unit_test_setup_teardown(a_deck_in_play_is_left_alone, in_memory, shut),
        cmocka_unit_test_setup_teardown(games_are_listed_as_json, in_memory, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
