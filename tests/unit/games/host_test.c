// A host is a player too: what he is refused for a seat does not tell what that seat has hidden.
#include "unit/engine/table_bench.h"

static struct bench bench;

static void start(const char *game, unsigned seats, uint64_t seed) {
    bench_options(&bench, "tap:tap");
    bench.options.chance_from_readers = false;
    bench.options.seed = seed;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, game, NULL, seats), ERROR_OK);
    bench_run(&bench, 1000);
}

static void to_phase(const char *phase, const char *line) { // by whose turn it is
    for (unsigned i = 0; strcmp(door_view(bench.door, "main", OBSERVE_PUBLIC)->phase.id, phase) != 0; i++) {
        char whole[64];
        unsigned turn = door_view(bench.door, "main", OBSERVE_PUBLIC)->phase.turn;
        snprintf(whole, sizeof whole, "s%d %s", __builtin_ctz(turn) + 1, line);
        assert_int_equal(bench_act(&bench, &bench_host, whole), ERROR_OK);
        bench_run(&bench, 100);
        assert_true(i < 40);
    }
}

static const char *refused(const struct door_who *who, const char *line) {
    assert_int_equal(bench_act(&bench, who, line), ERROR_ILLEGAL);
    return bench.answer.error.rule;
}

static void which_token_was_laid(void **state) {
    (void)state;
    struct door_who two = bench_seat(1);
    start("alien_hunt", 4, 1);
    assert_int_equal(bench_act(&bench, &two, "s2 assign token=2b to=s3"), ERROR_OK);
    assert_string_equal(refused(&two, "s2 assign token=2a to=s2"), "self_target");
    assert_string_equal(refused(&two, "s2 assign token=2b to=s2"), "token_fixed");
    assert_string_equal(refused(&bench_host, "s2 assign token=2a to=s2"), "");
    struct error first = bench.answer.error;
    assert_string_equal(refused(&bench_host, "s2 assign token=2b to=s2"), "");
    assert_string_equal(bench.answer.error.text, first.text);
    assert_string_equal(refused(&bench_host, "s1 pass_ability"), "wrong_phase"); // nothing of it is hidden
    const struct door_control_request override = {.control = DOOR_OVERRIDE,
                                                  .action = "s2 assign token=2b to=s2"};
    assert_int_equal(bench_control(&bench, &bench_host, &override), ERROR_ILLEGAL);
    assert_string_equal(bench.answer.error.rule, "");
    bench_close(&bench);
}

// A counter of each kind, on a road where it may not lie: which one the seat holds decides the rule.
static void which_counter_is_held_in_secret(void **state) {
    static const char *const asked[][2] = {{"giant_pig", "al_baran_wylhien_desert"},
                                           {"elfcycle", "al_baran_wylhien_desert"},
                                           {"magic_cloud", "al_baran_wylhien_desert"},
                                           {"unicorn", "beata_elvenhold_plains"}};
    unsigned told = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        start("elfenland", 2, seed);
        to_phase("plan", "draft slot=pile");
        int turn = __builtin_ctz(door_view(bench.door, "main", OBSERVE_PUBLIC)->phase.turn);
        struct door_who own = bench_seat(turn);
        for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
            char line[96];
            snprintf(line, sizeof line, "s%d place_counter counter=%s road=%s source=secret", turn + 1,
                     asked[i][0], asked[i][1]);
            assert_string_equal(refused(&bench_host, line), "");
            told += !strcmp(refused(&own, line), "wrong_terrain");
        }
        bench_close(&bench);
    }
    assert_true(told > 0 && told < 24); // else this asks nothing
}

// A counter that cannot be taken from the pile is held by somebody: that the place is wrong is refused
// likewise.
static void which_counter_is_in_the_pile(void **state) {
    static const char *const seats[] = {"red", "blue", "green", "yellow"};
    unsigned refusals = 0;
    (void)state;
    start("elfenland", 4, 2);
    for (unsigned piece = 72; piece < 120; piece++) {
        const struct observation *view = door_view(bench.door, "main", OBSERVE_PUBLIC);
        char line[80];
        if (strcmp(view->phase.id, "draft") != 0)
            break;
        snprintf(line, sizeof line, "table take at=seat_%s.open piece=%u",
                 seats[__builtin_ctz(view->phase.turn)], piece);
        if (bench_act(&bench, &bench_host, line) != ERROR_ILLEGAL)
            continue;
        refusals++;
        assert_string_equal(bench.answer.error.rule, "");
    }
    assert_true(refusals > 0);
    bench_close(&bench);
}

// While its draws wait for the disk, nobody draws in the generator's place: he would know what lies face
// down.
static void the_generator_draws_alone(void **state) {
    const struct door_start game = {.game = "elfenland", .seats = 6};
    (void)state;
    bench_options(&bench, "tap:tap");
    bench.options.chance_from_readers = false;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    door_start(bench.door, "main", &bench_host, &game, bench_reply, &bench);
    for (unsigned i = 0; i < 6 * 48; i++) {
        static const char *const seats[] = {"red", "blue", "green", "yellow", "black", "purple"};
        char line[80];
        unsigned n = bench.answers;
        snprintf(line, sizeof line, "chance draw_secret at=seat_%s.secret piece=%u", seats[i % 6],
                 70 + i / 6);
        const struct door_control_request override = {.control = DOOR_OVERRIDE, .action = line};
        door_act(bench.door, "main", &bench_host, line, 0, bench_reply, &bench);
        door_control(bench.door, "main", &bench_host, &override, bench_reply, &bench);
        assert_int_equal(bench.answers, n + 2); // at once: refused
        assert_int_not_equal(bench.answer.code, ERROR_OK);
        assert_string_equal(bench.answer.error.rule, "");
    }
    bench_run(&bench, 1000);
    bench_close(&bench);
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_token_was_laid),
        cmocka_unit_test(which_counter_is_held_in_secret),
        cmocka_unit_test(which_counter_is_in_the_pile),
        cmocka_unit_test(the_generator_draws_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
