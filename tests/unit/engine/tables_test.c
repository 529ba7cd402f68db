// Several tables in one daemon, and that a table is the fold of its journal.
#define BENCH_TEMPLATE
#include "core/rng.h"
#include "engine/journal.h"
#include "unit/engine/table_bench.h"
#include <sqlite3.h>
#include <unistd.h>

static struct bench bench;

// ---- two tables, one reader

static char told[2][65536];
static size_t told_len[2];

static void on_event(void *ctx, const char *table, int audience, const struct observe_event *e) {
    (void)ctx;
    unsigned i = !strcmp(table, "green");
    if (audience == OBSERVE_PUBLIC)
        told_len[i] += (size_t)snprintf(told[i] + told_len[i], sizeof told[i] - told_len[i], "%llu %s %s\n",
                                        (unsigned long long)e->seq, observe_event_name(e->type),
                                        e->action ? e->action->text : "");
}

static void answered(void *ctx, const struct door_answer *answer) {
    *(enum error_code *)ctx = answer->code;
}

static void two_tables_share_a_reader_and_nothing_else(void **state) {
    (void)state;
    static const char *const kinds[] = {"owl", "magpie", "mole", "mole"};
    bench_options(&bench, "s1 s2 s3 c1");
    struct board_pad_options pads[2][4];
    struct table_options tables[2];
    for (unsigned i = 0; i < 2; i++) {
        tables[i] = bench.options;
        snprintf(tables[i].name, sizeof tables[i].name, i ? "green" : "red");
        for (unsigned k = 0; k < 4; k++) {
            char tag[24], name[8];
            pads[i][k] = bench.pads[k];
            pads[i][k].antenna = (uint16_t)(4 * i + k); // one reader, eight antennas
            snprintf(tag, sizeof tag, "04%u%u0A5A1F6180", i + 1, k + 1);
            snprintf(name, sizeof name, "p%u%u", i, k);
            bench_piece(&bench, name, kinds[k], tag);
        }
        tables[i].pads = pads[i];
        tables[i].n_pads = 4;
    }
    const struct door_options options = {.loop = bench.loop,
                                         .pieces = bench.pieces,
                                         .journal_path = ":memory:",
                                         .tables = tables,
                                         .n_tables = 2,
                                         .boot = 1};
    const struct observe_sink sink = {NULL, on_event, NULL, NULL, NULL};
    struct door *door;
    assert_non_null(game_at(0));
    assert_int_equal(door_create(&options, &door, &bench.err), ERROR_OK);
    door_add_sink(door, &sink);
    door_reader(door, "r", "fake", true, NULL);
    assert_int_equal(door_tables(door), 2);
    const struct door_start start = {.game = "template", .preset = "three"};
    enum error_code code = ERROR_CODES;
    door_start(door, "red", &bench_host, &start, answered, &code);
    for (unsigned scan = 0; scan < 40; scan++) {
        for (unsigned a = 0; a < 8; a++) {
            char name[8];
            snprintf(name, sizeof name, "p%u%u", a / 4, a % 4);
            bool lies = scan > 5 && !(a == 0 && scan > 20);
            door_scan(door, "r", (uint16_t)a, lies ? PAD_SEEN : PAD_NONE, bench_tag_of(&bench, name),
                      lies ? 1 : 0);
        }
        bench_run(&bench, 85);
    }
    assert_int_equal(code, ERROR_OK);
    assert_non_null(strstr(told[0], "game_started"));
    assert_non_null(door_view(door, "red", 0));
    assert_null(door_view(door, "green", 0));
    assert_int_equal(told_len[1], 0);
    assert_int_equal(door_view(door, "red", OBSERVE_PUBLIC)->place[0].level, OBSERVE_EMPTY);
    assert_int_equal(door_view(door, "green", OBSERVE_PUBLIC)->place[0].level, OBSERVE_OCCUPIED);
    assert_int_equal(*told[0], '1'); // its own count
    door_start(door, "green", &bench_host, &start, answered, &code);
    bench_run(&bench, 85);
    assert_int_equal(code, ERROR_OK);
    char red[17]; // the same seed, and still no two games of one history with one id
    snprintf(red, sizeof red, "%s", door_view(door, "red", OBSERVE_PUBLIC)->game_id);
    assert_string_not_equal(red, door_view(door, "green", OBSERVE_PUBLIC)->game_id);
    door_destroy(door);
    pieces_destroy(bench.pieces);
    loop_destroy(bench.loop);
    free(bench.log);
}

// ---- random hands and requests, then the power goes (design 2, law 1)

static void anything(struct rng *rng) {
    static const char *const pads[] = {"s1", "s2", "s3", "c1"};
    struct door_who seat = bench_seat((int)rng_below(rng, 3));
    struct door_control_request request = {.reason = "because"};
    char line[64];
    unsigned a = rng_below(rng, 4), b = rng_below(rng, 4);
    switch (rng_below(rng, 9)) {
    case 0:
    case 1:
        snprintf(line, sizeof line, "s%d swap a=%s b=%s", seat.seat + 1, pads[a], pads[b]);
        bench_act(&bench, &seat, line);
        break;
    case 2:
        snprintf(line, sizeof line, "s%d look at=%s", seat.seat + 1, pads[a]);
        bench_act(&bench, &seat, line);
        break;
    case 3:
        snprintf(line, sizeof line, "s%d lay ballot=%u", seat.seat + 1, rng_below(rng, 10));
        bench_act(&bench, &seat, line);
        break;
    case 4:
        request.control = DOOR_UNDO;
        bench_control(&bench, rng_below(rng, 2) ? &seat : &bench_host, &request);
        break;
    case 5:
        request.control = rng_below(rng, 2) ? DOOR_PAUSE : DOOR_RESUME;
        bench_control(&bench, &bench_host, &request);
        break;
    case 6:
        request.control = DOOR_RESUME;
        bench_control(&bench, &bench_host, &request);
        break;
    default:
        bench_run(&bench, rng_below(rng, 30000));
    }
}

// What must come back: the phase, the seats and the items, not the clocks.
static void picture(char *text, size_t cap) {
    const struct observation *v = door_view(bench.door, "main", OBSERVE_PUBLIC);
    size_t n = (size_t)snprintf(text, cap, "%d %s %u %s %x", v->status, v->phase.id ? v->phase.id : "-",
                                v->phase.round, v->phase.step ? v->phase.step : "-", v->phase.turn);
    for (int audience = OBSERVE_PUBLIC; audience < v->seats; audience++) {
        const struct observation *own = door_view(bench.door, "main", audience);
        for (unsigned i = 0; i < own->n_items; i++)
            n += (size_t)snprintf(text + n, cap - n, " %u:%s", own->item[i].place,
                                  own->item[i].kind ? own->item[i].kind : "?");
        for (unsigned i = 0; i < own->n_facts; i++)
            n += (size_t)snprintf(text + n, cap - n, " %s=%s", own->fact[i].key, own->fact[i].kind);
    }
}

static void a_table_is_the_fold_of_its_journal(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 12; seed++) {
        char path[] = "/tmp/tabled-fold-XXXXXX", file[64], command[96], before[4096], after[4096];
        struct rng rng;
        rng_seed(&rng, seed);
        assert_non_null(mkdtemp(path));
        snprintf(file, sizeof file, "%s/journal.db", path);
        bench_options(&bench, "s1 s2 tap:tap"); // most places are not sensed
        bench.options.chance_from_readers = false;
        bench.options.timing.night_scale_percent = 10;
        bench.journal_path = file;
        assert_int_equal(bench_open(&bench), ERROR_OK);
        for (unsigned i = 0; i < 60; i++) {
            if (door_view(bench.door, "main", OBSERVE_PUBLIC)->status != OBSERVE_RUNNING)
                bench_start(&bench, "template", "three", 0);
            anything(&rng);
            if (rng_below(&rng, 10))
                continue;
            picture(before, sizeof before);
            bench_shut(&bench);
            assert_int_equal(bench_open(&bench), ERROR_OK);
            picture(after, sizeof after);
            assert_string_equal(before, after);
        }
        bench_close(&bench);
        snprintf(command, sizeof command, "rm -r %s", path);
        assert_int_equal(system(command), 0);
    }
}

// With a seed everything is drawn again in the same way; the history must tell games apart all the same.
static void a_seeded_table_gives_no_id_twice(void **state) {
    (void)state;
    enum { GAMES = 8 };
    char path[] = "/tmp/tabled-ids-XXXXXX", file[64], command[96], id[GAMES][17];
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/journal.db", path);
    bench_options(&bench, "s1 s2 tap:tap");
    bench.options.chance_from_readers = false;
    bench.options.seed = 7;
    bench.journal_path = file;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    for (int i = 0; i < GAMES; i++) {
        assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
        memcpy(id[i], door_view(bench.door, "main", OBSERVE_PUBLIC)->game_id, sizeof id[i]);
        for (int before = 0; before < i; before++)
            assert_string_not_equal(id[before], id[i]);
        bench_control(&bench, &bench_host, &(struct door_control_request){.control = DOOR_END});
        if (i % 2) {
            bench_shut(&bench);
            assert_int_equal(bench_open(&bench), ERROR_OK);
        }
    }
    bench_close(&bench);
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

// A wall clock and what is left of a limit are numbers in a file: any number, after a flipped bit.
static void no_time_of_a_record_is_too_far_away(void **state) {
    static const char *const clocks[] = {"0", "-9223372036854775808", "9223372036854775807"};
    char path[] = "/tmp/tabled-clock-XXXXXX", file[64], command[96], sql[192];
    const struct door_control_request resume = {.control = DOOR_RESUME};
    (void)state;
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/journal.db", path);
    bench_options(&bench, "s1 s2 tap:tap");
    bench.options.chance_from_readers = false;
    bench.journal_path = file;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 100);
    for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        sqlite3 *db = NULL;
        bench_shut(&bench);
        snprintf(sql, sizeof sql,
                 "UPDATE record SET wall_us = %s;"
                 "UPDATE record SET body = json_set(body, '$.left_us', %s) WHERE kind = 'pause'",
                 clocks[i], clocks[i]);
        assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        bench_forget(&bench);
        assert_int_equal(bench_open(&bench), ERROR_OK);
        assert_int_equal(bench_control(&bench, &bench_host, &resume), ERROR_OK);
        bench_expect(&bench, "public event resumed");
    }
    bench_close(&bench);
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

static void nothing_of_the_game_before_is_repeated(void **state) {
    static const char *const deals[] = {"chance deal to=s1 card=0", "chance deal to=s2 card=1",
                                        "chance deal to=s3 card=2", "chance deal to=c1 card=3"};
    const struct door_control_request repeat = {.control = DOOR_REPEAT}, end = {.control = DOOR_END};
    (void)state;
    bench_options(&bench, "s1 s2 s3 c1");
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(bench_act(&bench, &bench_host, deals[i]), ERROR_OK);
    assert_int_equal(bench_control(&bench, &bench_host, &repeat), ERROR_OK);
    bench_expect(&bench, "say +0 Seat 1: exchange two cards");
    assert_int_equal(bench_control(&bench, &bench_host, &end), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_forget(&bench);
    assert_int_equal(bench_control(&bench, &bench_host, &repeat), ERROR_NOT_NOW);
    bench_silent(&bench, "say");
    bench_close(&bench);
}

static enum error_code note_bind(void *ctx, const struct journal_record *record, struct error *err) {
    (void)err;
    if (record->kind == JOURNAL_BIND)
        strncat(ctx, record->body, 200);
    return ERROR_OK;
}

// Pieces of one kind have their names printed on them: which was laid first is not to exchange them.
static void what_lies_there_takes_its_slots_in_the_order_of_the_deck(void **state) {
    (void)state;
    char path[] = "/tmp/tabled-bind-XXXXXX", file[64], command[96], binds[1024] = "";
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/journal.db", path);
    bench_options(&bench, "s1 s2 s3 c1");
    bench_piece(&bench, "mole-1", "mole", "04130A5A1F6180");
    bench_piece(&bench, "mole-2", "mole", "04140A5A1F6180");
    bench.journal_path = file;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_lay(&bench, "c1", "mole-2");
    bench_run(&bench, 1000);
    bench_lay(&bench, "c1", "mole-1");
    bench_run(&bench, 1000);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 1000);
    assert_int_equal(journal_read(file, "main", 1, note_bind, binds, &bench.err), ERROR_OK);
    assert_string_equal(binds, "{\"slot\":2,\"piece\":\"kit/mole-1\"}{\"slot\":3,\"piece\":\"kit/mole-2\"}");
    bench_close(&bench);
    snprintf(command, sizeof command, "rm -r %s", path);
    assert_int_equal(system(command), 0);
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_tables_share_a_reader_and_nothing_else),
        cmocka_unit_test(a_table_is_the_fold_of_its_journal),
        cmocka_unit_test(a_seeded_table_gives_no_id_twice),
        cmocka_unit_test(no_time_of_a_record_is_too_far_away),
        cmocka_unit_test(nothing_of_the_game_before_is_repeated),
        cmocka_unit_test(what_lies_there_takes_its_slots_in_the_order_of_the_deck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
