// The story of a game that comes to its end twice.
#include "unit/engine/table_bench.h"

// The template, shortened: it is over with the last bet.
extern const struct game template_game;
static struct game brief_game;

static void brief_phase(const void *state, struct game_phase *ret) {
    template_game.phase(state, ret);
    if (template_game.phases[ret->id].veil != OBSERVE_DARK)
        return;
    *ret = (struct game_phase){.over = true};
    while (strcmp(template_game.phases[ret->id].id, "day") != 0)
        ret->id++;
}
const struct game *game_find(const char *id) {
    return !strcmp(id, "template") ? &brief_game : NULL;
}
const struct game *game_at(size_t i) {
    return i == 0 ? &brief_game : NULL;
}

static struct bench bench;

static int open_brief(void **state) {
    (void)state;
    brief_game = template_game;
    brief_game.phase = brief_phase;
    bench_options(&bench, "tap:tap");
    bench.options.chance_from_readers = false;
    assert_int_equal(bench_open(&bench), ERROR_OK);
    assert_int_equal(bench_start(&bench, "template", "three", 0), ERROR_OK);
    bench_run(&bench, 100);
    return 0;
}
static int shut(void **state) {
    (void)state;
    bench_close(&bench);
    return 0;
}

static const char *last_told(void) {
    const struct observation *v = door_view(bench.door, "main", OBSERVE_PUBLIC);
    return v->n_story ? v->story[v->n_story - 1].text : "";
}

static void it_tells_of_the_last_end(void **state) {
    static const char *const acts[] = {"s1 swap a=s2 b=s3", "s2 swap a=s1 b=s3", "s3 swap a=s1 b=s2",
                                       "s1 lay ballot=4",   "s2 lay ballot=5",   "s3 lay ballot=6"};
    const struct door_control_request undo = {.control = DOOR_UNDO};
    struct door_who three = bench_seat(2);
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct door_who who = bench_seat(i % 3);
        assert_int_equal(bench_act(&bench, &who, acts[i]), ERROR_OK);
    }
    assert_string_equal(last_told(), "Seat 3 bet on yes.");
    assert_int_equal(bench_control(&bench, &three, &undo), ERROR_OK);
    assert_string_equal(last_told(), "");
    assert_int_equal(bench_act(&bench, &three, "s3 lay ballot=9"), ERROR_OK);
    assert_string_equal(last_told(), "Seat 3 bet on no.");
}

int main(void) {
    bench_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_tells_of_the_last_end, open_brief, shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
