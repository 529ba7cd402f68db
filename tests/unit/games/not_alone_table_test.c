// Not Alone on a table with few pads: what they do not see is drawn, asked for, or let pass.
#include "unit/engine/table_bench.h"

static struct bench bench;
static const char *journal = ":memory:";

static void piece(const char *name, unsigned number) { // place-1-1 is of the kind place_1_1
    char tag[24], kind[33];
    snprintf(tag, sizeof tag, "04%02X0A5A1F6180", number);
    snprintf(kind, sizeof kind, "%s", name);
    for (char *at = kind; *at; at++)
        if (*at == '-')
            *at = '_';
    bench_piece(&bench, name, kind, tag);
}

static int open_pads(const char *pads) {
    static const char *const pieces[] = {"token-creature", "token-target", "token-artemia",
                                         "place-1-1",      "place-3-1",    "place-4-1",
                                         "number-c",       "number-h1",    "place-5-1"};
    bench_options(&bench, pads);
    bench.pads[0].capacity = 3;
    for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++)
        piece(pieces[i], 16 + i);
    bench_piece(&bench, "start", "control", "04310C5A1F6180");
    snprintf(bench.options.preset_game, sizeof bench.options.preset_game, "not_alone");
    bench.options.preset_seats = 2;
    bench.journal_path = journal;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    bench_run(&bench, 1000);
    bench_lay(&bench, "seat.c.tokens", "token-creature");
    bench_lay(&bench, "seat.c.tokens", "token-target");
    bench_lay(&bench, "seat.c.tokens", "token-artemia");
    bench_run(&bench, 2000);
    bench_tap(&bench, "tap", "start");
    bench_run(&bench, 2000);
    return 0;
}
static int open_table(void **state) {
    (void)state;
    return open_pads(
        "seat.c.tokens seat.h1.play_a seat.h1.discard planet.p3 planet.p4 planet.p9 tap:tap "
        "seat.c.ready seat.h1.ready");
}
static int open_planet(void **state) {
    (void)state;
    return open_pads(
        "seat.c.tokens seat.h1.play_a planet.p1 planet.p2 planet.p3 planet.p4 planet.p5 planet.p6 "
        "planet.p7 planet.p8 planet.p9 planet.p10 tap:tap seat.c.ready seat.h1.ready");
}
static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

static void all_ready(void) {
    bench_tap(&bench, "seat.c.ready", "number-c");
    bench_tap(&bench, "seat.h1.ready", "number-h1");
    bench_run(&bench, 2000);
}
static void take_first(const char *pad) {
    unsigned i = bench_pad(&bench, pad);
    bench.lies[i].n--;
    for (unsigned k = 0; k < bench.lies[i].n; k++)
        bench.lies[i].tags[k] = bench.lies[i].tags[k + 1];
}

static void a_turn_by_hands(void **state) {
    (void)state;
    bench_expect(&bench, "public phase 2 exploration");
    bench_lay(&bench, "seat.h1.play_a", "place-4-1");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event seat_acted s2"); // that, never what
    bench_expect(&bench, "s2 event action s2 `s2 lay cards=4`");
    bench_tap(&bench, "seat.c.ready", "number-c");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public phase 3 hunting");
    take_first("seat.c.tokens");
    bench_run(&bench, 1500);
    bench_lay(&bench, "planet.p4", "token-creature");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event action s1 `s1 place_token token=creature places=4`");
    all_ready();
    bench_expect(&bench, "say +0 Hunted: turn your cards up.");
    all_ready();
    bench_expect(&bench, "say +0 Seat h1 is caught. Will lost: 1.");
    all_ready();
    // The turn is over: cards and tokens go to their places, asked for and not blamed.
    bench_expect(&bench, "public event prompt planet.p4>seat.c.tokens seat.h1.play_a>seat.h1.discard");
    bench_lift(&bench, "seat.h1.play_a");
    bench_run(&bench, 2000);
    bench_lay(&bench, "seat.h1.discard", "place-4-1");
    bench_run(&bench, 2000);
    bench_expect(&bench, "public wrongs 0 prompts=1"); // what is done is not asked for again, nor said anew
    bench_silent(&bench, "public event prompt");
    bench_lift(&bench, "planet.p4");
    bench_run(&bench, 2000);
    bench_lay(&bench, "seat.c.tokens", "token-creature");
    bench_run(&bench, 3000);
    bench.mark = 0;
    bench_silent(&bench, "public event violation_raised");
    bench_forget(&bench);
    bench_lay(&bench, "seat.h1.play_a", "place-3-1");
    bench_run(&bench, 3000);
    bench_expect(&bench, "s2 event action s2 `s2 lay cards=3`");
}

static uint32_t big_endian(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
// Commits in the log of the journal: the last frame of each names the size of the file.
static unsigned commits(const char *path) {
    static unsigned char log[1 << 21];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t len = fread(log, 1, sizeof log, file), frame = 24 + (size_t)big_endian(log + 8);
    unsigned n = 0;
    fclose(file);
    for (size_t at = 32; at + frame <= len; at += frame)
        n += big_endian(log + at + 4) != 0 && !memcmp(log + at + 8, log + 16, 8);
    return n;
}
static uint64_t records(void) {
    struct door_health health;
    door_health(bench.door, &health);
    return health.records;
}

// Whether a card that is laid face down is the one taken up before is in no number and in no sync of the
// disk.
static void a_card_seen_again_is_told_like_a_new_one(void **state) {
    static const char *const laid[] = {"place-4-1", "place-4-1", "place-3-1"};
    static char path[64];
    char folder[] = "/tmp/not-alone-XXXXXX", log[96];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/journal.db", folder);
    snprintf(log, sizeof log, "%s-wal", path);
    journal = path;
    open_table(NULL);
    for (unsigned i = 0; i < sizeof laid / sizeof *laid; i++) {
        uint64_t before = records();
        unsigned written = commits(log);
        bench_lay(&bench, "seat.h1.play_a", laid[i]);
        bench_run(&bench, 3000);
        bench_expect(&bench, "public event seat_acted s2");
        assert_int_equal(records() - before, 1);
        assert_int_equal(commits(log) - written, 1);
        bench_lift(&bench, "seat.h1.play_a");
        bench_run(&bench, 3000);
        bench_expect(&bench, "public event seat_acted s2");
    }
    bench_close(&bench);
    journal = ":memory:";
    snprintf(log, sizeof log, "rm -r %s", folder);
    assert_int_equal(system(log), 0);
}

static void hunting(void) {
    bench_lay(&bench, "seat.h1.play_a", "place-4-1");
    bench_run(&bench, 3000);
    bench_tap(&bench, "seat.c.ready", "number-c");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public phase 3 hunting");
}

// The Creature says ready with a token in the hand, or long missing: told so at the touch, and by no other
// name; not blamed for laying it back.
static void na5_told_at_the_touch_and_put_back(void **state) {
    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        if (late == 0)
            hunting();
        bench_forget(&bench);
        take_first("seat.c.tokens");
        bench_run(&bench, late ? 25000 : 3000);
        bench_forget(&bench);
        bench_tap(&bench, "seat.c.ready", "number-c");
        bench_expect(&bench, "public event violation_raised E_TOKENS_MISSING@seat.c.tokens");
        bench_run(&bench, 40000);
        bench_silent(&bench, "missing@");
        bench_lay(&bench, "seat.c.tokens", late ? "token-target" : "token-creature");
        bench_run(&bench, 3000);
        bench_silent(&bench, "public event reminder");
        bench_expect(&bench, "public event violation_cleared E_TOKENS_MISSING@seat.c.tokens");
    }
    take_first("seat.c.tokens"); // again, for no reason: that is a look like any
    bench_run(&bench, 1500);
    bench_lay(&bench, "seat.c.tokens", "token-artemia");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event reminder look@seat.c.tokens");
}

// A card that is taken back is no longer wrong, though the Creature has not placed its token yet.
static void what_is_put_right_is_over_while_a_token_is_on_its_way(void **state) {
    (void)state;
    hunting();
    bench_lay(&bench, "seat.h1.play_a", "place-3-1");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event violation_raised misplaced@seat.h1.play_a");
    take_first("seat.c.tokens");
    bench_run(&bench, 3000);
    bench_silent(&bench, "public event violation_");
    bench.lies[bench_pad(&bench, "seat.h1.play_a")].n = 1;
    bench_run(&bench, 2000);
    bench_expect(&bench, "public event violation_cleared misplaced@seat.h1.play_a");
    bench_silent(&bench, "public event violation_raised");
    bench_lay(&bench, "planet.p4", "token-creature");
    bench_run(&bench, 3000);
    bench_expect(&bench, "public event action s1 `s1 place_token token=creature places=4`");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_seen_again_is_told_like_a_new_one),
        cmocka_unit_test_setup_teardown(a_turn_by_hands, open_table, shut),
        cmocka_unit_test_setup_teardown(na5_told_at_the_touch_and_put_back, open_planet, shut),
        cmocka_unit_test_setup_teardown(what_is_put_right_is_over_while_a_token_is_on_its_way, open_planet,
                                        shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
