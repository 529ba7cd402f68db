// 500 random games: every card, counter and token is somewhere exactly once after every action, mistakes have
// proofs, and the counts of positions stay what they were.
#include "games/simulate.h"
#include "support/alike.h"
#include "unit/games/not_alone_rig.h"

enum { GAMES = 500, ACTIONS_MAX_OF_A_GAME = 20000 };

static void places_are_kept(const struct not_alone *s) {
    unsigned copies[PLACE_CARDS + 1] = {0};
    for (unsigned k = 0; k < s->n; k++) {
        const struct not_alone_hunted *h = &s->h[k];
        unsigned out = 0;
        for (unsigned i = 0; i < SLOTS_LAID; i++) {
            if (!h->laid[i].card || h->laid[i].home)
                continue;
            assert_int_equal(out >> h->laid[i].card & 1, 0);
            out |= PLACE_BIT(h->laid[i].card);
        }
        assert_int_equal(h->hand & h->discard, 0);
        assert_int_equal(h->hand & out, 0);
        assert_int_equal(h->discard & out, 0);
        unsigned answer = h->answer;
        assert_int_equal(answer & (h->hand | h->discard | out), 0);
        unsigned all = h->hand | h->discard | out | answer;
        assert_int_equal(all & 0x3e, 0x3e);
        assert_int_equal(all & ~ALL_PLACES, 0);
        for (unsigned card = BASIC_CARDS + 1; card <= PLACE_CARDS; card++) {
            unsigned copy = h->copy[card - BASIC_CARDS];
            assert_int_equal(all >> card & 1, copy != 0);
            if (!copy)
                continue;
            assert_int_equal(copies[card] >> copy & 1, 0); // nobody else has this copy
            copies[card] |= 1u << copy;
        }
    }
    for (unsigned card = BASIC_CARDS + 1; card <= PLACE_CARDS; card++) {
        unsigned reserve = s->reserve[card - BASIC_CARDS];
        assert_int_equal(reserve & copies[card], 0);
        assert_int_equal(reserve | copies[card], (2u << not_alone__copies(s->n)) - 2);
    }
}

static void cards_are_kept(const struct not_alone *s) {
    uint32_t hunt = s->hunt_hand;
    unsigned n = not_alone__count(s->hunt_hand) + not_alone__count(s->hunt_deck) + s->n_under + s->n_discard +
                 s->n_played;
    hunt |= s->hunt_deck;
    for (unsigned i = 0; i < s->n_under; i++)
        hunt |= 1u << s->under[i];
    for (unsigned i = 0; i < s->n_discard; i++)
        hunt |= 1u << s->hunt_discard[i];
    for (unsigned i = 0; i < s->n_played; i++)
        hunt |= 1u << s->hunt_played[i];
    assert_int_equal(n, HUNTS);
    assert_int_equal(hunt, (1u << HUNT_END) - 2);
    uint32_t survival = s->survival_deck | s->shelter | (s->in_use ? 1u << s->in_use : 0);
    n = not_alone__count(s->survival_deck) + not_alone__count(s->shelter) + s->n_survival_discard +
        (s->in_use != 0);
    for (unsigned i = 0; i < s->n_survival_discard; i++)
        survival |= 1u << s->survival_discard[i];
    for (unsigned k = 0; k < s->n; k++) {
        survival |= s->h[k].survival;
        n += not_alone__count(s->h[k].survival) + (s->h[k].answer_card != 0);
        if (s->h[k].answer_card)
            survival |= 1u << s->h[k].answer_card;
    }
    assert_int_equal(n, SURVIVALS);
    assert_int_equal(survival, (1u << SURVIVAL_END) - 2);
}

static void counters_are_kept(const struct not_alone *s) {
    for (unsigned k = 0; k < s->n; k++)
        assert_true(s->h[k].will <= WILL_FULL);
    assert_true(s->rescue <= 12u + s->n && s->assimilation <= 6u + s->n);
    assert_int_equal(s->phase == GAME_OVER, s->rescue == 0 || s->assimilation == 0);
    assert_int_equal(s->winner, s->rescue == 0 ? WINNER_HUNTED : s->assimilation == 0 ? WINNER_CREATURE : 0);
    for (unsigned t = 0; t < TOKENS; t++)
        assert_true(not_alone__count(s->token[t]) <= 2 &&
                    (!s->token[t] || s->token[t] >> s->token_rest[t] & 1));
    if (s->phase == END_OF_TURN || s->phase == EXPLORATION)
        for (unsigned k = 0; k < s->n; k++) // nobody stays at 0 Will
            assert_true(s->phase == EXPLORATION || s->h[k].will > 0);
}

static void mistakes_have_proofs(const struct rig *r, struct rng *rng) {
    static game_action all[GAME_ACTIONS_MAX];
    static struct game_proof proof;
    int by = (int)rng_below(rng, r->setup.seats);
    size_t n = not_alone_game.mistakes(&r->s, by, all, GAME_ACTIONS_MAX);
    assert_true(n <= GAME_ACTIONS_MAX);
    for (unsigned i = 0; i < 8 && n > 0; i++) {
        struct not_alone copy = r->s;
        struct error err = {0};
        game_action action = all[rng_below(rng, (uint32_t)n)];
        not_alone_game.proof(&r->s, by, action, &proof);
        assert_int_equal(not_alone_game.apply(&copy, by, action, NULL, &err), ERROR_ILLEGAL);
        assert_memory_equal(&copy, &r->s, sizeof copy);
    }
}

static bool one_action(struct rig *r, struct rng *rng) {
    static game_action all[GAME_ACTIONS_MAX];
    int by[8];
    unsigned n_by = 0;
    for (int seat = GAME_BY_CHANCE; seat < r->setup.seats; seat++)
        if (not_alone_game.legal(&r->s, seat, all, GAME_ACTIONS_MAX) > 0)
            by[n_by++] = seat;
    assert_true(n_by > 0); // never stuck
    int who = by[rng_below(rng, n_by)];
    size_t n = not_alone_game.legal(&r->s, who, all, GAME_ACTIONS_MAX);
    game_action action = all[rng_below(rng, (uint32_t)n)], quick = 0;
    if (rng_below(rng, 2)) { // the quick way gives legal actions as well
        assert_true(not_alone_random(&r->s, who, rng_next(rng), &quick));
        action = quick;
    }
    struct error err = {0};
    if (not_alone_game.apply(&r->s, who, action, NULL, &err) != ERROR_OK)
        fail_msg("%s", err.text);
    return r->s.phase != GAME_OVER;
}

static void everything_is_kept(void **state) {
    (void)state;
    static struct rig r;
    struct rng rng;
    unsigned hunted_wins = 0;
    for (unsigned game = 0; game < GAMES; game++) {
        rng_seed(&rng, 1000 + game);
        char options[64];
        snprintf(options, sizeof options, "expert=%u hologram_mode=%s board_side=%u", game % 2,
                 game % 3 ? "personal" : "move", 1 + game % 2);
        rig_begin(&r, 2 + game % 6, options);
        for (unsigned i = 0; one_action(&r, &rng); i++) {
            assert_true(i < ACTIONS_MAX_OF_A_GAME);
            places_are_kept(&r.s);
            cards_are_kept(&r.s);
            counters_are_kept(&r.s);
            if (i % 16 == 0)
                mistakes_have_proofs(&r, &rng);
        }
        counters_are_kept(&r.s);
        hunted_wins += r.s.winner == WINNER_HUNTED;
    }
    assert_true(hunted_wins > 0 && hunted_wins < GAMES);
}

// Nothing that the Creature and the other players may not know changes what they see: another laid card,
// another hand of Survival or Hunt cards.
static void laid_cards_show_nothing(void **state) {
    (void)state;
    struct rig r;
    rig_start(&r, 4, "", "despair virus clone", "dodge drone gate");
    struct not_alone start = r.s;
    rig_acts(&r, "h1 lay cards=1");
    struct observation first = *rig_view(&r, OBSERVE_PUBLIC), creature = *rig_view(&r, 0),
                       h2 = *rig_view(&r, 2);
    r.s = start;
    rig_acts(&r, "h1 lay cards=5");
    assert_null(alike_view(&first, rig_view(&r, OBSERVE_PUBLIC)));
    assert_null(alike_view(&creature, rig_view(&r, 0)));
    assert_null(alike_view(&h2, rig_view(&r, 2)));
}

// From the first draw, and from a first turn with cards drawn as named.
static uint64_t count(const struct not_alone *s, unsigned depth) {
    static game_action all[4][GAME_ACTIONS_MAX];
    uint64_t total = 0;
    if (depth == 0)
        return 1;
    for (int by = GAME_BY_CHANCE; by <= s->n; by++) {
        size_t n = not_alone_game.legal(s, by, all[depth], GAME_ACTIONS_MAX);
        for (size_t i = 0; i < n; i++) {
            struct not_alone next = *s;
            assert_int_equal(not_alone_game.apply(&next, by, all[depth][i], NULL, NULL), ERROR_OK);
            total += count(&next, depth - 1);
        }
    }
    return total;
}

static void positions_are_counted(void **state) {
    (void)state;
    static const struct {
        unsigned seats;
        uint64_t deal[3], turn[3];
    } rows[] = {{2, {20, 380, 6840}, {34, 221, 2002}}, {5, {20, 380, 6840}, {54, 1153, 20820}}};
    static struct rig r;
    for (unsigned i = 0; i < 2; i++) {
        rig_begin(&r, rows[i].seats, "");
        for (unsigned depth = 1; depth <= 3; depth++)
            assert_int_equal(simulate_perft(&not_alone_game, &r.setup, depth), rows[i].deal[depth - 1]);
        rig_start(&r, rows[i].seats, "", "despair force_field mirage", "ingenuity sacrifice vortex dodge");
        for (unsigned depth = 1; depth <= 3; depth++)
            assert_int_equal(count(&r.s, depth), rows[i].turn[depth - 1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_kept),
        cmocka_unit_test(laid_cards_show_nothing),
        cmocka_unit_test(positions_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
