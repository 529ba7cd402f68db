// Battle Sheep: what holds after every action of random games, and what the computer player is worth.
#include "unit/games/battle_sheep_rig.h"

static struct meadow m;

// ---- invariants (battle-sheep.md 2)

static unsigned sheep_of(const struct sheep *s, unsigned seat) {
    unsigned n = 0;
    for (uint64_t own = s->own[seat]; own; own &= own - 1)
        n += s->size[__builtin_ctzll(own)];
    return n;
}

static void cells_agree_with_the_lattice(const struct sheep *s) {
    unsigned found = 0;
    for (unsigned place = 0; place < sheep__lattice(s); place++) {
        unsigned cell = s->at[place];
        found += cell != SHEEP_NO_CELL;
        if (cell != SHEEP_NO_CELL)
            assert_int_equal(s->place[cell], place);
    }
    assert_int_equal(found, s->n_cells);
    for (unsigned c = 0; c < s->n_cells; c++) {
        uint64_t near = 0;
        for (unsigned d = 0; d < 6; d++) {
            unsigned other =
                sheep__cell_at(s, sheep__place_at(s, s->q[c] + sheep__dq[d], s->r[c] + sheep__dr[d]));
            assert_int_equal(s->next[c][d], other);
            near |= other == SHEEP_NO_CELL ? 0 : sheep__bit(other);
        }
        assert_true(near == s->near[c]);
    }
}

static void flocks_are_whole(const struct sheep *s) {
    uint64_t seen = 0;
    for (unsigned seat = 0; seat < SHEEP_SEATS; seat++) {
        assert_true((seen & s->own[seat]) == 0);
        seen |= s->own[seat];
        if (s->phase >= SHEEP_MOVE && seat < s->seats)
            assert_int_equal(sheep_of(s, seat), SHEEP_FLOCK);
    }
    for (unsigned c = 0; c < SHEEP_CELLS; c++) {
        assert_int_equal(seen >> c & 1, s->size[c] > 0);
        assert_int_equal(s->big >> c & 1, s->size[c] > 1);
    }
}

static void building_is_counted(const struct sheep *s) {
    unsigned left = 0;
    for (unsigned p = 0; p < s->seats; p++)
        left += s->tiles_left[p];
    assert_int_equal(s->n_cells + 4 * left, 16 * s->seats);
    if (s->phase != SHEEP_BUILD)
        assert_int_equal(left, 0);
}

static void turns_are_right(const struct sheep *s) {
    static game_action legal[GAME_ACTIONS_MAX];
    unsigned stuck = 0;
    if (s->phase < SHEEP_MOVE)
        return;
    for (unsigned p = 0; p < s->seats; p++) {
        bool can = sheep__count_splits(s, p) > 0;
        assert_int_equal(can, sheep__can_split(s, p));
        stuck += !can;
        if (!s->classic)
            assert_int_equal(s->out >> p & 1, !can);
    }
    if (!s->classic)
        assert_int_equal(stuck == s->seats, s->phase == SHEEP_OVER);
    size_t n = sheep__legal(s, s->turn, legal, GAME_ACTIONS_MAX);
    assert_int_equal(n, s->phase == SHEEP_OVER ? 0 : sheep__count_splits(s, s->turn));
    assert_true(n <= 15 * 6);
}

static void nothing_is_undone(const struct sheep *before, const struct sheep *after) {
    for (unsigned p = 0; p < SHEEP_SEATS; p++)
        assert_true((before->own[p] & ~after->own[p]) == 0);
    assert_true((before->out & ~after->out) == 0);
    for (unsigned i = 0; i < before->n_eliminated; i++)
        assert_int_equal(before->eliminated[i], after->eliminated[i]);
}

// A border cell has a way to the rim of the lattice over empty pads, or lies on the rim.
static void the_border_is_outside(const struct sheep *s) {
    for (unsigned c = 0; c < s->n_cells; c++) {
        bool reached[SHEEP_LATTICE] = {false}, out = false;
        unsigned todo[SHEEP_LATTICE], n = 0;
        for (unsigned at = s->place[c], first = 1; (first || n > 0) && !out; first = 0) {
            int q, r;
            at = first ? at : todo[--n];
            sheep__coordinates(s, at, &q, &r);
            for (unsigned d = 0; d < 6; d++) {
                unsigned next = sheep__place_at(s, q + sheep__dq[d], r + sheep__dr[d]);
                out |= next == SHEEP_OFF;
                if (next == SHEEP_OFF || reached[next] || s->at[next] != SHEEP_NO_CELL)
                    continue;
                reached[next] = true;
                todo[n++] = next;
            }
        }
        assert_int_equal(s->border >> c & 1, out);
    }
}

static void the_best_wins(const struct sheep *s) {
    struct observe_result result;
    int best = -1;
    unsigned won = 0;
    battle_sheep_game.result(s, &result);
    assert_true(result.over);
    if (s->classic)
        return;
    for (unsigned p = 0; p < s->seats; p++) {
        int value = result.score[p] * 64 + (int)sheep__herd(s, p);
        won = value > best ? 1u << p : value == best ? won | 1u << p : won;
        best = value > best ? value : best;
    }
    assert_int_equal(result.winners, won);
}

static void play_one(struct rng *rng) {
    bool placed = false;
    while (m.s.phase != SHEEP_OVER) {
        struct sheep before = m.s;
        struct error err = {0};
        game_action action;
        assert_true(sheep__random(&m.s, m.s.turn, rng_next(rng), &action));
        if (game_act(&battle_sheep_game, &m.s, m.s.turn, action, NULL, &err) != ERROR_OK)
            fail_msg("a random action is refused: %s", err.text);
        cells_agree_with_the_lattice(&m.s);
        building_is_counted(&m.s);
        flocks_are_whole(&m.s);
        turns_are_right(&m.s);
        nothing_is_undone(&before, &m.s);
        if (m.s.phase == SHEEP_PLACE && !placed)
            the_border_is_outside(&m.s);
        placed = m.s.phase == SHEEP_PLACE;
    }
    the_best_wins(&m.s);
}

static void five_hundred_games(void **state) {
    (void)state;
    struct rng rng;
    rng_seed(&rng, 2026);
    for (unsigned i = 0; i < 500; i++) {
        meadow_start(&m, 2 + i % 3, i % 12 == 0 ? "variant=classic_splits" : "");
        play_one(&rng);
    }
}

static void random_actions_are_all_that_is_legal(void **state) {
    (void)state;
    static game_action legal[GAME_ACTIONS_MAX];
    bool hit[GAME_ACTIONS_MAX] = {false};
    struct rng rng;
    rng_seed(&rng, 3);
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, MEADOW, "0,0=R4 3,1=R3 7,3=B16");
    size_t n = sheep__legal(&m.s, 0, legal, GAME_ACTIONS_MAX), missing = n;
    for (unsigned tries = 0; tries < 4000; tries++) {
        game_action action;
        assert_true(sheep__random(&m.s, 0, rng_next(&rng), &action));
        size_t i = 0;
        while (i < n && legal[i] != action)
            i++;
        assert_true(i < n);
        missing -= !hit[i];
        hit[i] = true;
    }
    assert_int_equal(missing, 0);
}

// ---- the computer player

struct tally {
    unsigned won, lost;
};

// Game i: the computer sits at seat i % seats, the others play at random.
static struct tally match(unsigned seats, const char *options, unsigned games, unsigned nodes) {
    struct tally tally = {0};
    for (unsigned i = 0; i < games; i++) {
        struct rng rng;
        unsigned me = i % seats;
        rng_seed(&rng, i + 1);
        meadow_start(&m, seats, options);
        while (m.s.phase != SHEEP_OVER) {
            game_action action;
            assert_true(m.s.turn == me ? sheep_bot(&m.s, (int)me, nodes, rng_next(&rng), &action)
                                       : sheep__random(&m.s, m.s.turn, rng_next(&rng), &action));
            assert_int_equal(game_act(&battle_sheep_game, &m.s, m.s.turn, action, NULL, NULL), ERROR_OK);
        }
        tally.won += m.s.winners == 1u << me;
        tally.lost += !(m.s.winners >> me & 1);
    }
    return tally;
}

static void the_computer_beats_chance(void **state) {
    (void)state;
    struct tally two = match(2, "", 100, 1000), classic = match(2, "variant=classic_splits", 100, 300);
    struct tally three = match(3, "", 100, 100), four = match(4, "", 100, 100);
    print_message("won alone of 100: two %u, classic %u, three %u, four %u\n", two.won, classic.won,
                  three.won, four.won);
    assert_true(two.won >= 95);
    assert_true(classic.won >= 95);
    assert_true(three.won >= 85); // chance alone: 33
    assert_true(four.won >= 80);  // chance alone: 25
}

static void the_computer_is_a_function(void **state) {
    (void)state;
    game_action a, b;
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, MEADOW, "0,0=R16 7,3=B16");
    struct sheep before = m.s;
    for (uint64_t dice = 0; dice < 8; dice++) {
        assert_true(sheep_bot(&m.s, 0, 400, dice, &a));
        assert_true(sheep_bot(&m.s, 0, 400, dice, &b));
        assert_int_equal(a, b);
    }
    assert_memory_equal(&before, &m.s, sizeof before);
    assert_false(sheep_bot(&m.s, 1, 400, 0, &a)); // not its turn
    assert_false(sheep_bot(&m.s, -1, 400, 0, &a));
    assert_true(sheep_bot(&m.s, 0, 0, 0, &a)); // no budget: still an action
    assert_int_equal(sheep__check(&m.s, 0, a, NULL), ERROR_OK);
}

// One split shuts red in with a single cell, the other leaves it two.
static void the_computer_sees_the_end(void **state) {
    (void)state;
    game_action action;
    char text[SHEEP_TEXT];
    meadow_start(&m, 2, "");
    meadow_load(&m, SHEEP_MOVE, "0,0 1,0 2,0 3,0 4,0 1,1 1,2", "0,0=R4 1,0=B2 4,0=B1");
    assert_int_equal(m.s.turn, 1); // red is stuck behind blue
    assert_true(sheep_bot(&m.s, 1, 1000, 0, &action));
    sheep_write(&m.s, 1, action, false, text);
    assert_true(strcmp(text, "M B 1,0>3,0 1") == 0 || strcmp(text, "M B 1,0>1,2 1") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_hundred_games),        cmocka_unit_test(random_actions_are_all_that_is_legal),
        cmocka_unit_test(the_computer_beats_chance), cmocka_unit_test(the_computer_is_a_function),
        cmocka_unit_test(the_computer_sees_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
