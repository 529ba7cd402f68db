// Battle Sheep: codes in their order, the lattice, both notations, the first edition, counts of positions.
#include "games/simulate.h"
#include "unit/games/battle_sheep_rig.h"

static struct meadow m;

// ---- building and placing

static void tiles_are_refused_in_order(void **state) {
    (void)state;
    meadow_start(&m, 2, "");
    meadow_act(&m, "M R 0,0 d0 1", "E_PHASE");
    meadow_act(&m, "P R 0,0", "E_PHASE");
    meadow_act(&m, "T B O0@0,0", "E_TURN");
    meadow_act(&m, "T R O2@0,0", NULL);
    meadow_act(&m, "T B O0@-1,2", "E_TILE_OVERLAP");
    meadow_act(&m, "T B O1@3,0", "E_TILE_NOT_TOUCHING");
    meadow_act(&m, "T B O1@1,0", NULL);
    assert_int_equal(m.s.n_cells, 8);
    m.s.tiles_left[0] = 0;
    meadow_act(&m, "T R O1@1,1", "E_NO_TILE");
}
static void the_lattice_ends(void **state) {
    (void)state;
    meadow_start(&m, 2, "columns=8 rows=6");
    assert_int_equal(sheep__place_at(&m.s, 0, 0), 3 * 8 + 4);
    assert_int_equal(sheep__place_at(&m.s, -3, -3), SHEEP_OFF);
    assert_int_equal(sheep__place_at(&m.s, -2, -3), 0);
    for (unsigned place = 0; place < 48; place++) {
        int q, r;
        sheep__coordinates(&m.s, place, &q, &r);
        assert_int_equal(sheep__place_at(&m.s, q, r), place);
    }
    meadow_act(&m, "T R O0@2,0", NULL);
    m.s.origin_q = m.s.origin_r = 0; // fixed places from here on
    meadow_act(&m, "T B O1@3,1", "E_TILE_OVERLAP");
    meadow_act(&m, "T B O2@1,2", "E_OFF_LATTICE");
    meadow_act(&m, "T B O1@-90,1", "E_TILE_NOT_TOUCHING");
}
static void a_full_lattice_ends_the_building(void **state) {
    (void)state;
    struct rng rng;
    unsigned cut = 0;
    rng_seed(&rng, 5);
    for (unsigned game = 0; game < 60; game++) {
        game_action action;
        meadow_start(&m, 4, "columns=8 rows=8");
        while (m.s.phase == SHEEP_BUILD) {
            assert_true(sheep__random(&m.s, m.s.turn, rng_next(&rng), &action));
            assert_int_equal(game_act(&battle_sheep_game, &m.s, m.s.turn, action, NULL, NULL), ERROR_OK);
        }
        for (unsigned p = 0; p < 4; p++)
            cut += m.s.tiles_left[p] > 0;
        assert_true(m.s.border != 0);
    }
    assert_true(cut > 0);
}
static void a_tile_turned_by_half_a_turn_is_the_same_action(void **state) {
    (void)state;
    unsigned a[4], b[4];
    meadow_start(&m, 2, "");
    for (unsigned k = 0; k < SHEEP_TURNS; k++) {
        sheep__tile_at(&m.s, k, 0, 0, a);
        for (unsigned other = 0; other < SHEEP_TURNS; other++) {
            for (int q = -3; q <= 3; q++) {
                for (int r = -3; r <= 3; r++) {
                    unsigned same = 0;
                    sheep__tile_at(&m.s, other, q, r, b);
                    for (unsigned i = 0; i < 4; i++)
                        for (unsigned j = 0; j < 4; j++)
                            same += a[i] == b[j];
                    assert_int_equal(same == 4, k == other && q == 0 && r == 0);
                }
            }
        }
    }
}
static void stacks_are_refused_in_order(void **state) {
    (void)state;
    meadow_start(&m, 3, "");
    meadow_load(&m, SHEEP_PLACE, MEADOW, "");
    meadow_act(&m, "P B 0,0", "E_TURN");
    meadow_act(&m, "P R 40,40", "E_NOT_CELL");
    meadow_act(&m, "P R 3,1", "E_NOT_OUTER");
    meadow_act(&m, "P R 7,3", NULL);
    meadow_act(&m, "P B 7,3", "E_OCCUPIED");
    meadow_act(&m, "P B 0,0", NULL);
    meadow_act(&m, "M R 7,3 d3 1", "E_PHASE");
    meadow_act(&m, "P W 0,3", NULL);
    assert_int_equal(m.s.phase, SHEEP_MOVE);
    assert_int_equal(m.s.turn, 0);
}

// ---- splits

static void splits_are_refused_in_order(void **state) {
    (void)state;
    static const struct {
        const char *text, *code;
    } rows[] = {
        {"M B 9,9 d0 0", "E_TURN"},
        {"M R 9,9 d0 0", "E_NOT_CELL"},
        {"M R 0,0>9,9 0", "E_NOT_CELL"},
        {"M R 1,0 d0 0", "E_NO_STACK"},
        {"M R 7,3 d0 0", "E_NOT_YOURS"},
        {"M R 0,0 d1 0", "E_COUNT"},
        {"M R 0,0>4,0 16", "E_COUNT"},
        {"M R 0,0 d0 -1", "E_COUNT"},
        {"M R 0,0 d0 900", "E_COUNT"},
        {"M R 0,0 d1 4", "E_BLOCKED"},
        {"M R 0,0>4,0 4", "E_OCCUPIED"},
        {"M R 0,0>0,0 4", "E_OCCUPIED"},
        {"M R 0,0>2,1 4", "E_NOT_STRAIGHT"},
        {"M R 0,0>6,0 4", "E_JUMP"},
        {"M R 0,0>2,0 4", "E_SHORT"},
        {"X R", "E_MUST_MOVE"},
        {"X B", "E_TURN"},
    };
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, MEADOW, "0,0=R10 4,0=R6 7,3=B16");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        meadow_act(&m, rows[i].text, rows[i].code);
    meadow_act(&m, "M R 0,0>3,0 9", NULL);
    meadow_act(&m, "X B", "E_MUST_MOVE");
}
static void the_first_edition_ends_with_the_first_who_is_stuck(void **state) {
    (void)state;
    struct observe_result result;
    meadow_start(&m, 2, "variant=classic_splits");
    meadow_load(&m, SHEEP_MOVE, "0,0 1,0 2,0 3,0", "0,0=R9 3,0=B3");
    meadow_act(&m, "M R 0,0 d0 2", NULL);
    assert_int_equal(m.s.phase, SHEEP_OVER); // blue is blocked
    battle_sheep_game.result(&m.s, &result);
    assert_int_equal(result.winners, 1);
    assert_int_equal(m.s.n_eliminated, 0);
    meadow_act(&m, "X B", "E_PHASE");
    // Only whose turn begins is asked: red has just stuck himself, but blue goes on and red loses then.
    meadow_start(&m, 2, "variant=classic_splits");
    meadow_load(&m, SHEEP_MOVE, "0,0 1,0 3,0 4,0 5,0", "0,0=R2 3,0=B3");
    meadow_act(&m, "M R 0,0 d0 1", NULL);
    assert_int_equal(m.s.phase, SHEEP_MOVE);
    meadow_act(&m, "M B 3,0 d0 1", NULL);
    assert_int_equal(m.s.phase, SHEEP_OVER);
    assert_int_equal(m.s.winners, 2);
    // Stuck at the first turn of all.
    meadow_start(&m, 2, "variant=classic_splits");
    meadow_load(&m, SHEEP_MOVE, "0,0 1,0 2,0 3,0", "0,0=R16 1,0=B16");
    assert_int_equal(m.s.winners, 2);
}

// ---- set-ups

static void set_ups_are_checked(void **state) {
    (void)state;
    static const struct {
        unsigned seats, option;
        int32_t value;
        const char *code;
    } rows[] = {{1, 0, 0, "E_SEATS"},
                {5, 0, 0, "E_SEATS"},
                {3, SHEEP_OPTION_VARIANT, 1, "E_VARIANT"},
                {2, SHEEP_OPTION_COLUMNS, 40, "E_LATTICE"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct game_setup setup;
        struct game_issues issues = {0};
        struct error err = {0};
        game_setup_default(&battle_sheep_game, rows[i].seats, &setup);
        setup.options[rows[i].option] = rows[i].value;
        assert_int_equal(battle_sheep_game.prepare(&setup, &issues, &err), ERROR_ILLEGAL);
        assert_string_equal(err.rule, rows[i].code);
    }
}

// ---- words

static void both_notations_come_back(void **state) {
    (void)state;
    static game_action legal[GAME_ACTIONS_MAX];
    struct rng rng;
    rng_seed(&rng, 11);
    for (unsigned game = 0; game < 12; game++) {
        meadow_start(&m, 2 + game % 3, "");
        while (m.s.phase != SHEEP_OVER) {
            size_t n = sheep__legal(&m.s, m.s.turn, legal, GAME_ACTIONS_MAX);
            for (size_t i = 0; i < n && m.s.n_cells > 0; i += 1 + n / 16) {
                char text[SHEEP_TEXT];
                game_action back;
                int by;
                for (int direction = 0; direction < 2; direction++) {
                    sheep_write(&m.s, m.s.turn, legal[i], direction, text);
                    if (!sheep_read(&m.s, NULL, text, &by, &back) || by != m.s.turn || back != legal[i])
                        fail_msg("%s does not come back", text);
                }
            }
            assert_int_equal(
                game_act(&battle_sheep_game, &m.s, m.s.turn, legal[rng_below(&rng, (uint32_t)n)], NULL, NULL),
                ERROR_OK);
        }
    }
}
static void a_direction_is_the_end_it_leads_to(void **state) {
    (void)state;
    struct error err = {0};
    char text[GAME_TEXT_MAX];
    int by;
    game_action a, b;
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, MEADOW, "0,0=R16 7,3=B16");
    assert_int_equal(game_action_parse(&m.words, &m.s, "R split from=hex.0,0 dir=d0 n=9", &by, &a, &err), 0);
    assert_int_equal(game_action_parse(&m.words, &m.s, "s1 split from=hex.0,0 to=hex.7,0 n=9", &by, &b, &err),
                     0);
    assert_int_equal(a, b);
    game_action_text(&m.words, &m.s, by, a, text);
    assert_string_equal(text, "s1 split from=hex.0,0 to=hex.7,0 n=9");
    assert_int_equal(game_action_parse(&m.words, &m.s, "s1 split from=hex.0,0 n=9", &by, &a, &err),
                     ERROR_INVALID);
    assert_int_equal(
        game_action_parse(&m.words, &m.s, "s1 split from=hex.0,0 to=hex.7,0 dir=d0 n=9", &by, &a, &err),
        ERROR_INVALID);
    assert_int_equal(
        game_action_parse(&m.words, &m.s, "s1 split from=seat.R.done to=hex.7,0 n=9", &by, &a, &err),
        ERROR_INVALID);
    assert_int_equal(game_action_parse(&m.words, &m.s, "s1 split from=hex.0,0 dir=d2 n=4", &by, &a, &err), 0);
    game_action_text(&m.words, &m.s, by, a, text);
    assert_string_equal(text, "s1 split from=hex.0,0 dir=d2 n=4");
}
static void every_line_takes_the_rules_notation(void **state) {
    (void)state;
    static const struct {
        const char *short_line, *line, *back; // back NULL: the same
    } rows[] = {
        {"M R 0,0>7,0 9", "s1 split from=hex.0,0 to=hex.7,0 n=9", NULL},
        {"M R 0,0 d0 9", "s1 split from=hex.0,0 to=hex.7,0 n=9", "M R 0,0>7,0 9"},
        {"  M B 7,3>0,3 15", "B split from=hex.7,3 to=hex.0,3 n=15", "M B 7,3>0,3 15"},
        {"M R 0,0 d2 4", "s1 split from=hex.0,0 dir=d2 n=4", NULL},
        {"P B 3,0", "s2 place at=hex.3,0", NULL},
        {"T R O2@-1,4", "R tile at=hex.-1,4 turn=O2", NULL},
        {"X B", "s2 pass", NULL},
    };
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, MEADOW, "0,0=R16 7,3=B16");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err = {0};
        char text[GAME_SHORT_MAX];
        int by[2];
        game_action action[2];
        assert_int_equal(game_action_parse(&m.words, &m.s, rows[i].short_line, &by[0], &action[0], &err), 0);
        assert_int_equal(game_action_parse(&m.words, &m.s, rows[i].line, &by[1], &action[1], &err), 0);
        assert_int_equal(by[0], by[1]);
        assert_int_equal(action[0], action[1]);
        assert_true(battle_sheep_game.short_write(&m.s, by[0], action[0], text));
        assert_string_equal(text, rows[i].back ? rows[i].back : rows[i].short_line);
    }
    struct error err = {0};
    int by;
    game_action shift;
    assert_int_equal(game_action_parse(&m.words, &m.s, "table shift dir=d0", &by, &shift, &err), 0);
    assert_false(battle_sheep_game.short_write(&m.s, by, shift, (char[GAME_SHORT_MAX]){0}));
    assert_int_equal(game_action_parse(&m.words, &m.s, "M R 0,0>7,0", &by, &shift, &err), ERROR_INVALID);
}
static void the_view_tells_the_board_in_one_line(void **state) {
    (void)state;
    static struct observation view;
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, "0,0 1,0 2,0", "0,0=R5 2,0=B3");
    memset(&view, 0, sizeof view);
    view.audience = OBSERVE_PUBLIC;
    battle_sheep_game.observe(&m.s, &view);
    assert_string_equal(view.position, "0,0=R5 1,0 2,0=B3|R");
}
static void the_origin_is_the_first_anchor(void **state) {
    (void)state;
    char text[SHEEP_TEXT], board[256];
    int by;
    game_action action;
    struct error err = {0};
    meadow_start(&m, 2, "");
    assert_int_equal(game_action_parse(&m.words, &m.s, "s1 tile at=hex.2,-3 turn=O0", &by, &action, &err), 0);
    sheep_write(&m.s, by, action, false, text);
    assert_string_equal(text, "T R O0@0,0");
    assert_int_equal(game_act(&battle_sheep_game, &m.s, by, action, NULL, &err), ERROR_OK);
    meadow_act(&m, "T B O0@2,0", NULL);
    assert_int_equal(sheep__cell_at(&m.s, sheep__place_at(&m.s, 5, -2)), 7);
    assert_int_equal(sheep_board(&m.s, board, sizeof board), 33);
    assert_string_equal(board, "0,0 1,0 2,0 3,0 0,1 1,1 2,1 3,1|R");
    assert_int_equal(sheep_board(&m.s, board, 4), 33); // nothing beyond the end
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, "0,0 1,0 2,0", "0,0=R5 2,0=B3");
    sheep_board(&m.s, board, sizeof board);
    assert_string_equal(board, "0,0=R5 1,0 2,0=B3|R");
}
static void what_is_no_notation_is_refused(void **state) {
    (void)state;
    static const char *const rows[] = {
        "",           "T",       "T R",     "T R O3@0,0",     "T R O0@0",     "T R O0@0,0 x", "T Q O0@0,0",
        "P R",        "P R 0 0", "M R 0,0", "M R 0,0 d6 1",   "M R 0,0 d0",   "M R 0,0>1,0",  "M R 0,0> 1",
        "X",          "X R 0,0", "Z R 0,0", "M R 0,0 d0 1 2", "M R a,0 d0 1", "P R 99999,0",  "T R O@0,0",
        "T R O-1@0,0"};
    int by;
    game_action action;
    meadow_start(&m, 2, "");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sheep_read(&m.s, NULL, rows[i], &by, &action))
            fail_msg("'%s' is read", rows[i]);
}

// ---- counts

static uint64_t perft(const struct sheep *s, unsigned depth) {
    static game_action legal[4][GAME_ACTIONS_MAX];
    uint64_t total = 0;
    if (depth == 0)
        return 1;
    size_t n = sheep__legal(s, s->turn, legal[depth], GAME_ACTIONS_MAX);
    for (size_t i = 0; i < n; i++) {
        struct sheep after = *s;
        assert_int_equal(sheep__apply(&after, s->turn, legal[depth][i], NULL, NULL), ERROR_OK);
        total += perft(&after, depth - 1);
    }
    return total;
}
static void perft_of_the_building(void **state) {
    (void)state;
    meadow_start(&m, 2, "");
    assert_int_equal(simulate_perft(&battle_sheep_game, &m.setup, 1), 733);
    assert_int_equal(simulate_perft(&battle_sheep_game, &m.setup, 2), 25210);
    meadow_start(&m, 2, "columns=8 rows=6");
    assert_int_equal(simulate_perft(&battle_sheep_game, &m.setup, 1), 93);
    assert_int_equal(simulate_perft(&battle_sheep_game, &m.setup, 2), 2010);
    assert_int_equal(simulate_perft(&battle_sheep_game, &m.setup, 3), 48804);
}
static void perft_of_the_meadow(void **state) {
    (void)state;
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_PLACE, MEADOW, "");
    assert_int_equal(perft(&m.s, 1), 20);
    assert_int_equal(perft(&m.s, 2), 380);
    assert_int_equal(perft(&m.s, 3), 20430);
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, MEADOW, "0,0=R16 7,3=B16");
    assert_int_equal(perft(&m.s, 1), 30);
    assert_int_equal(perft(&m.s, 2), 900);
    assert_int_equal(perft(&m.s, 3), 28350);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_refused_in_order),
        cmocka_unit_test(the_lattice_ends),
        cmocka_unit_test(a_full_lattice_ends_the_building),
        cmocka_unit_test(a_tile_turned_by_half_a_turn_is_the_same_action),
        cmocka_unit_test(stacks_are_refused_in_order),
        cmocka_unit_test(splits_are_refused_in_order),
        cmocka_unit_test(the_first_edition_ends_with_the_first_who_is_stuck),
        cmocka_unit_test(set_ups_are_checked),
        cmocka_unit_test(both_notations_come_back),
        cmocka_unit_test(a_direction_is_the_end_it_leads_to),
        cmocka_unit_test(every_line_takes_the_rules_notation),
        cmocka_unit_test(the_view_tells_the_board_in_one_line),
        cmocka_unit_test(the_origin_is_the_first_anchor),
        cmocka_unit_test(what_is_no_notation_is_refused),
        cmocka_unit_test(perft_of_the_building),
        cmocka_unit_test(perft_of_the_meadow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
