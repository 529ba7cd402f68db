// 2,000 seeded role sets: every game ends, deaths and winners agree, nothing public depends on the deal. With
// `more` the sets hold whatever else is built.
#include "games/simulate.h"
#include "one_night_rig.h"

enum { SETS_TESTED = 2000 };

static unsigned copies_of(unsigned role, bool house, bool more) {
    const struct one_night_role_row *row = &one_night__roles[role];
    bool in = (row->flags & IS_BUILT) && (more || row->set == SET_WEREWOLF) &&
              (!house || (row->flags & IS_HOUSE));
    return in ? row->copies : 0;
}

// A random set of N+3 cards that the rules allow.
static void random_set(struct rng *rng, struct rig *rig, bool more) {
    for (;;) {
        game_kind pool[ROLES * 3];
        unsigned n = 0;
        bool house = !more && rng_below(rng, 3) == 0;
        game_setup_default(&one_night_game, 3 + rng_below(rng, 8), &rig->setup);
        rig->setup.options[OPTION_house_cn] = house;
        rig->setup.options[OPTION_ballot] = (int32_t)rng_below(rng, 3);
        rig->setup.options[OPTION_lone_wolf] = (int32_t)rng_below(rng, 2);
        rig->setup.options[OPTION_lone_minion_village] = (int32_t)rng_below(rng, 2);
        rig->setup.options[OPTION_hunter_rule] = (int32_t)rng_below(rng, 3);
        rig->setup.options[OPTION_numbers_direction] = (int32_t)rng_below(rng, 2);
        for (unsigned role = 0; role < ROLES; role++)
            for (unsigned c = 0; c < copies_of(role, house, more); c++)
                pool[n++] = (game_kind)role;
        for (unsigned i = 0; i < rig->setup.seats + 3u && i < n; i++) {
            unsigned k = i + rng_below(rng, n - i);
            game_kind kind = pool[k];
            pool[k] = pool[i];
            rig->setup.cards[rig->setup.n_cards++] = pool[i] = kind;
            if (kind == ROLE_ALPHA_WOLF)
                rig->setup.options[OPTION_c4] = 1 + (int32_t)rng_below(rng, 3);
        }
        memset(&rig->issues, 0, sizeof rig->issues);
        if (one_night_game.prepare(&rig->setup, &rig->issues, &rig->err) == ERROR_OK)
            break;
    }
    one_night_game.places(&rig->setup, &rig->places);
    rig->words = (struct game_words){&one_night_game, &rig->setup, &rig->places};
    one_night_game.init(&rig->state, &rig->setup);
}

static void check_end(const struct rig *rig) {
    const struct one_night *g = &rig->state.g;
    struct observe_result result = {0};
    one_night_game.result(&rig->state, &result);
    assert_true(result.over);
    uint64_t wolf_roles = ROLE_BIT(WEREWOLF) | ROLE_BIT(ALPHA_WOLF) | ROLE_BIT(MYSTIC_WOLF) |
                          ROLE_BIT(DREAM_WOLF);
    uint16_t wolves = one_night__having(g, wolf_roles), tanners = one_night__having(g, ROLE_BIT(TANNER));
    assert_int_equal(result.dead >> g->seats, 0);
    assert_int_equal(result.winners >> g->seats, 0);
    assert_int_equal(result.winners & tanners & ~result.dead, 0); // a living tanner never wins
    if (!g->rules.house) {
        assert_int_equal(result.dead & tanners & ~result.winners, 0); // a dead one always does
        if (wolves & result.dead)
            assert_int_equal(wolves & result.winners, 0);
        if (g->teams >> TEAM_VILLAGE & 1 && wolves)
            assert_int_not_equal(wolves & result.dead, 0);
        uint16_t teams = 0;
        for (unsigned s = 0; s < g->seats; s++)
            if (result.winners >> s & 1)
                teams |= (uint16_t)(1u << g->team[s]);
        assert_int_equal(teams, g->teams);
    } else {
        assert_int_equal(__builtin_popcount(g->teams), 1);
    }
}

static void games_end_well(void **state) {
    (void)state;
    struct rng rng;
    struct rig rig;
    rng_seed(&rng, 1);
    for (unsigned i = 0; i < SETS_TESTED; i++) {
        uint64_t actions;
        random_set(&rng, &rig, i % 2);
        assert_int_equal(simulate_game(&one_night_game, &rig.setup, &rng, &rig.state, &actions, &rig.err),
                         ERROR_OK);
        check_end(&rig);
    }
}

static void view(const struct rig *rig, struct observation *ret) {
    memset(ret, 0, sizeof *ret);
    ret->audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig->state, ret);
}

static void same_public(const struct rig *a, const struct rig *b) {
    static struct observation x, y;
    struct game_phase p, q;
    view(a, &x);
    view(b, &y);
    assert_memory_equal(&x, &y, sizeof x);
    one_night_game.phase(&a->state, &p);
    one_night_game.phase(&b->state, &q);
    assert_int_equal(p.id, q.id);
    assert_int_equal(p.step, q.step);
    assert_int_equal(p.limit_ms, q.limit_ms);
    assert_int_equal(p.clock, q.clock);
}

// One random act of a seat, if it has any.
static void act_somehow(struct rig *rig, struct rng *rng) {
    for (int by = 0; by < rig->setup.seats; by++) {
        game_action action;
        while (rng_below(rng, 3) && one_night_game.random(&rig->state, by, rng_next(rng), &action)) {
            game_action all[512];
            size_t n = one_night_game.legal(&rig->state, by, all, 512), i = 0;
            while (i < n && all[i] != action)
                i++;
            assert_true(i < n); // a random action is legal
            rig->notes.n = 0;
            assert_int_equal(one_night_game.apply(&rig->state, by, action, &rig->notes, &rig->err), ERROR_OK);
            for (unsigned k = 0; k < rig->notes.n; k++)
                assert_int_equal(rig->notes.note[k].flags, GAME_NOTE_STORY);
        }
    }
}

static void deal_at_random(struct rig *rig, struct rng *rng) {
    game_action action;
    while (one_night_game.random(&rig->state, GAME_BY_CHANCE, rng_next(rng), &action))
        assert_int_equal(one_night_game.apply(&rig->state, GAME_BY_CHANCE, action, NULL, &rig->err),
                         ERROR_OK);
}

// Two deals of one set, played differently, look the same until the reveal; the scripts are equal.
static void deals_look_alike(void **state) {
    (void)state;
    struct rng rng;
    static struct rig a, b;
    static struct game_script first, second;
    rng_seed(&rng, 2);
    for (unsigned i = 0; i < SETS_TESTED; i++) {
        random_set(&rng, &a, i % 2);
        b = a;
        b.words.setup = &b.setup;
        b.words.places = &b.places;
        same_public(&a, &b);
        deal_at_random(&a, &rng);
        deal_at_random(&b, &rng);
        same_public(&a, &b);
        rig_act(&a, "table begin");
        rig_act(&b, "table begin");
        one_night_game.script(&a.state, &first);
        one_night_game.script(&b.state, &second);
        assert_int_equal(first.n, second.n);
        assert_memory_equal(first.step, second.step, first.n * sizeof *first.step);
        while (a.state.g.phase == PHASE_NIGHT) {
            act_somehow(&a, &rng);
            act_somehow(&b, &rng);
            same_public(&a, &b);
            rig_act(&a, rng_below(&rng, 4) ? "timer next" : "timer hold");
            rig_act(&b, "timer next");
        }
        bool open = a.state.g.roles & ROLE_BIT(REVEALER); // shields and open cards are public from dawn on
        if (a.state.g.shielded == b.state.g.shielded && !open)
            same_public(&a, &b);
        assert_int_equal(a.state.g.phase, PHASE_DAY);
    }
}

// legal and apply agree; a refused action leaves the state as it was.
static void legal_and_apply_agree(void **state) {
    (void)state;
    struct rng rng;
    struct rig rig;
    rng_seed(&rng, 3);
    for (unsigned i = 0; i < 200; i++) {
        random_set(&rng, &rig, i % 2);
        for (unsigned depth = 0; depth < 200 && rig.state.g.phase != PHASE_REVEAL; depth++) {
            int by = (int)rng_below(&rng, rig.setup.seats + 3u) - 3;
            game_action all[1024], odd = rng_next(&rng) >> (32 + rng_below(&rng, 16));
            size_t n = one_night_game.legal(&rig.state, by, all, 1024);
            bool legal = false;
            for (size_t k = 0; k < n; k++) {
                legal |= all[k] == odd;
                assert_true(k == 0 || all[k - 1] < all[k]);
            }
            struct one_night copy = rig.state.g;
            if (!legal) {
                assert_int_not_equal(one_night_game.apply(&rig.state, by, odd, NULL, &rig.err), ERROR_OK);
                assert_memory_equal(&copy, &rig.state.g, sizeof copy);
            }
            if (n)
                assert_int_equal(
                    one_night_game.apply(&rig.state, by, all[rng_below(&rng, (uint32_t)n)], NULL, &rig.err),
                    ERROR_OK);
        }
    }
}

static void words_go_there_and_back(void **state) {
    (void)state;
    struct rng rng;
    struct rig rig;
    rng_seed(&rng, 4);
    for (unsigned i = 0; i < 100; i++) {
        random_set(&rng, &rig, i % 2);
        for (unsigned depth = 0; depth < 60 && rig.state.g.phase != PHASE_REVEAL; depth++) {
            int by = (int)rng_below(&rng, rig.setup.seats + 3u) - 3, back_by;
            game_action all[1024], back;
            size_t n = one_night_game.legal(&rig.state, by, all, 1024);
            if (!n)
                continue;
            game_action action = all[rng_below(&rng, (uint32_t)n)];
            char text[GAME_TEXT_MAX];
            game_action_text(&rig.words, &rig.state, by, action, text);
            assert_int_equal(game_action_parse(&rig.words, &rig.state, text, &back_by, &back, &rig.err),
                             ERROR_OK);
            assert_int_equal(back, action);
            assert_int_equal(back_by, by);
            assert_int_equal(one_night_game.apply(&rig.state, by, action, NULL, &rig.err), ERROR_OK);
        }
    }
}

// In the dark no choice is asked: two acts of a seat that show the same have the same effect.
static void acts_that_show_the_same_are_the_same(void **state) {
    (void)state;
    struct rng rng;
    static struct rig rig;
    static struct game_proof proofs[256];
    rng_seed(&rng, 5);
    for (unsigned i = 0; i < 150; i++) {
        random_set(&rng, &rig, true);
        deal_at_random(&rig, &rng);
        rig_act(&rig, "table begin");
        while (rig.state.g.phase == PHASE_NIGHT) {
            for (int by = 0; by < rig.setup.seats; by++) {
                game_action all[256];
                size_t n = one_night_game.legal(&rig.state, by, all, 256);
                assert_true(n <= 256);
                for (size_t k = 0; k < n; k++) {
                    memset(&proofs[k], 0, sizeof proofs[k]);
                    one_night_game.proof(&rig.state, by, all[k], &proofs[k]);
                    for (size_t m = 0; m < k; m++) {
                        if (memcmp(&proofs[k], &proofs[m], sizeof *proofs) != 0)
                            continue;
                        struct one_night x = rig.state.g, y = rig.state.g;
                        one_night_game.apply(&x, by, all[k], NULL, NULL);
                        one_night_game.apply(&y, by, all[m], NULL, NULL);
                        assert_memory_equal(&x, &y, sizeof x);
                    }
                }
            }
            act_somehow(&rig, &rng);
            rig_act(&rig, rng_below(&rng, 4) ? "timer next" : "timer hold");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_end_well),
        cmocka_unit_test(deals_look_alike),
        cmocka_unit_test(legal_and_apply_agree),
        cmocka_unit_test(words_go_there_and_back),
        cmocka_unit_test(acts_that_show_the_same_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
