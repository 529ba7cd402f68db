// 2,000 seeded role sets of all boxes, 3 to 10 players: every game ends, deaths and winners agree, nothing
// public depends on the deal. With `more` the sets hold whatever else is built.
#include "games/simulate.h"
#include "one_night_rig.h"
#include "support/alike.h"

// TESTS_LONG=1 takes a hundred thousand.
static unsigned sets_tested(void) {
    const char *more = getenv("TESTS_LONG");
    return more && strcmp(more, "1") == 0 ? 100000 : 2000;
}

static unsigned copies_of(unsigned role, bool house, bool more) {
    const struct one_night_role_row *row = &one_night__roles[role];
    bool in = (row->flags & IS_BUILT) && (more || row->set == SET_WEREWOLF) &&
              (!house || (row->flags & IS_HOUSE));
    return in ? row->copies : 0;
}

static void random_options(struct rng *rng, struct game_setup *setup) {
    static const uint8_t options[] = {OPTION_ballot,
                                      OPTION_lone_wolf,
                                      OPTION_lone_minion_village,
                                      OPTION_hunter_rule,
                                      OPTION_numbers_direction,
                                      OPTION_tanner_blocks,
                                      OPTION_synthetic_blocks,
                                      OPTION_bodyguard_votes,
                                      OPTION_sentinel_first,
                                      OPTION_pi_sticky,
                                      OPTION_bonus_artifacts,
                                      OPTION_revealer_hides,
                                      OPTION_epic_circle,
                                      OPTION_hunter_beats_protection};
    for (unsigned i = 0; i < sizeof options; i++) {
        const struct game_option *row = &one_night__options[options[i]];
        setup->options[options[i]] = (int32_t)rng_below(rng, (uint32_t)row->max + 1);
    }
}

// A random set of N+3 cards that the rules allow.
static void random_set(struct rng *rng, struct rig *rig, bool more) {
    for (;;) {
        game_kind pool[ROLES * 3];
        unsigned n = 0;
        bool house = !more && rng_below(rng, 3) == 0;
        game_setup_default(&one_night_game, 3 + rng_below(rng, 8), &rig->setup);
        rig->setup.options[OPTION_house_cn] = house;
        random_options(rng, &rig->setup);
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

// ---- winners and deaths

enum who { // sets of seats
    NOBODY,
    WOLVES,
    FANGS,
    ALIENS, // without synthetics
    TANNERS,
    SYNTHETICS,
    RIVALS, // groob and zerb
    ITSELF,
    LIVING, // itself, if it lives: who must die to win
};
enum { UNLESS_CLAUSE_L = 1, UNLESS_WOLVES_ONLY = 2, OF_ROLE = 4 };

// Who cannot have won (a team, or seats of a role on its own team) although, or because, these died (7.3 to
// 7.5). Traitors win and lose by other people's deaths and are left out.
static const struct impossible {
    unsigned who;
    enum who dead;
    unsigned flags;
} impossible[] = {
    {TEAM_WEREWOLF, WOLVES, 0},
    {TEAM_WEREWOLF, TANNERS, 0},
    {TEAM_VAMPIRE, FANGS, 0},
    {TEAM_VAMPIRE, TANNERS, UNLESS_WOLVES_ONLY},
    {TEAM_ALIEN, ALIENS, UNLESS_CLAUSE_L},
    {TEAM_ALIEN, TANNERS, UNLESS_CLAUSE_L | UNLESS_WOLVES_ONLY},
    {TEAM_ALIEN, SYNTHETICS, UNLESS_CLAUSE_L},
    {TEAM_VILLAGE, SYNTHETICS, 0},
    {TEAM_GROOB, ITSELF, UNLESS_CLAUSE_L},
    {TEAM_ZERB, ITSELF, UNLESS_CLAUSE_L},
    {TEAM_LEADER, RIVALS, 0},
    {TEAM_BLOB, ITSELF, 0},
    {ROLE_TANNER, LIVING, OF_ROLE},
    {ROLE_SYNTHETIC_ALIEN, LIVING, OF_ROLE},
};

static uint16_t with_flags(const struct one_night *g, unsigned flags) {
    uint16_t ret = 0;
    for (unsigned s = 0; s < g->seats; s++)
        ret |= (uint16_t)(one_night__roles[g->effective[s]].flags & flags ? 1u << s : 0);
    return ret;
}

static uint16_t seats_of(const struct one_night *g, enum who who, uint16_t self) {
    switch (who) {
    case WOLVES:
        return with_flags(g, IS_WOLF) & g->dead;
    case FANGS:
        return with_flags(g, IS_FANG) & g->dead;
    case ALIENS:
        return with_flags(g, IS_ALIEN) & (uint16_t)~one_night__having(g, ROLE_BIT(SYNTHETIC_ALIEN)) & g->dead;
    case TANNERS:
        return one_night__having(g, ROLE_BIT(TANNER)) & g->dead;
    case SYNTHETICS:
        return one_night__having(g, ROLE_BIT(SYNTHETIC_ALIEN)) & g->dead;
    case RIVALS:
        return one_night__having(g, ROLE_BIT(GROOB) | ROLE_BIT(ZERB)) & g->dead;
    case ITSELF:
        return self & g->dead;
    case LIVING:
        return self & (uint16_t)~g->dead;
    default:
        return 0;
    }
}

static bool may_be_all_the_same(const struct one_night *g, unsigned flags) {
    return ((flags & UNLESS_CLAUSE_L) && one_night__having(g, ROLE_BIT(LEADER))) ||
           ((flags & UNLESS_WOLVES_ONLY) && g->rules.tanner_blocks_wolves_only);
}

static void check_pair(const struct one_night *g, const struct impossible *pair, unsigned row,
                       uint16_t traitors) {
    uint16_t who = pair->flags & OF_ROLE ? one_night__having(g, UINT64_C(1) << pair->who) &
                                               one_night__of_team(g, one_night__roles[pair->who].team)
                                         : one_night__of_team(g, pair->who);
    for (unsigned s = 0; s < g->seats; s++) {
        uint16_t own = (uint16_t)(1u << s);
        if ((who & g->won & (uint16_t)~traitors & own) && seats_of(g, pair->dead, own) &&
            !may_be_all_the_same(g, pair->flags))
            fail_msg("row %u: seat %u has won, dead are %x", row, s + 1, g->dead);
    }
}

static void official_end(const struct one_night *g) {
    uint16_t traitors = 0, sick = 0, flagged = 0, teams = 0;
    for (unsigned s = 0; s < g->seats; s++) {
        uint16_t own = (uint16_t)(1u << s);
        traitors |= g->mark[s] == MARK_TRAITOR || g->artifact[s] == ARTIFACT_DAGGER ? own : 0;
        sick |= g->mark[s] == MARK_DISEASE ? own : 0;
        flagged |= g->flags[s] & FLAG_GUESS_WRONG ? own : 0;
        teams |= g->won & own ? (uint16_t)(1u << g->team[s]) : 0;
    }
    if (flagged) { // the guess replaces all other conditions
        assert_int_equal(g->won & flagged & g->dead, 0);
        return;
    }
    for (unsigned i = 0; i < sizeof impossible / sizeof *impossible; i++)
        check_pair(g, &impossible[i], i, traitors);
    uint16_t hostile = with_flags(g, IS_WOLF | IS_FANG | IS_ALIEN);
    if (g->won & one_night__of_team(g, TEAM_VILLAGE) & (uint16_t)~traitors) {
        if (hostile)
            assert_int_not_equal(g->dead & hostile, 0);
        else
            assert_true(!g->dead || g->rules.lone_minion_village);
    }
    uint16_t tanners = one_night__having(g, ROLE_BIT(TANNER)) & one_night__of_team(g, TEAM_TANNER);
    if (!sick && !(g->roles & ROLE_BIT(DISEASED))) // a dead tanner always wins
        assert_int_equal(g->dead & tanners & (uint16_t)~traitors & ~g->won, 0);
    assert_int_equal(teams, g->teams);
}

static void check_end(const struct rig *rig) {
    const struct one_night *g = &rig->state.g;
    struct observe_result result = {0};
    one_night_game.result(&rig->state, &result);
    assert_true(result.over);
    assert_int_equal(result.dead >> g->seats, 0);
    assert_int_equal(result.winners >> g->seats, 0);
    if (g->rules.house)
        assert_int_equal(__builtin_popcount(g->teams), 1);
    else
        official_end(g);
}

// Each piece lies before one player at most, every player has one, and it is what it is taken for.
static void check_marks(const struct one_night *g) {
    uint32_t seen = 0;
    for (unsigned s = 0; s < g->seats && g->place_k; s++) {
        assert_true(g->mark_piece[s] < g->first_mark[MARKS]);
        assert_false(seen >> g->mark_piece[s] & 1);
        seen |= 1u << g->mark_piece[s];
        assert_int_equal(one_night__mark_of_piece(g, g->mark_piece[s]), g->mark[s]);
    }
}

static void games_end_well(void **state) {
    (void)state;
    struct rng rng;
    struct rig rig;
    rng_seed(&rng, 1);
    for (unsigned i = 0; i < sets_tested(); i++) {
        uint64_t actions;
        random_set(&rng, &rig, i % 4);
        assert_int_equal(simulate_game(&one_night_game, &rig.setup, &rng, &rig.state, &actions, &rig.err),
                         ERROR_OK);
        check_end(&rig);
        check_marks(&rig.state.g);
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
    assert_null(alike_view(&x, &y));
    one_night_game.phase(&a->state, &p);
    one_night_game.phase(&b->state, &q);
    assert_int_equal(p.id, q.id);
    assert_int_equal(p.step, q.step);
    assert_int_equal(p.limit_ms, q.limit_ms);
    assert_int_equal(p.clock, q.clock);
}

// No act of a seat moves a card that lies under a shield.
static void shields_hold(const struct one_night *before, const struct one_night *after) {
    for (unsigned s = 0; s < before->seats; s++)
        if (before->shielded >> s & 1)
            assert_int_equal(before->at[s], after->at[s]);
}

// One random act of a seat, if it has any.
static void act_somehow(struct rig *rig, struct rng *rng) {
    for (int by = 0; by < rig->setup.seats; by++) {
        game_action action;
        while (rng_below(rng, 3) && one_night_game.random(&rig->state, by, rng_next(rng), &action)) {
            game_action all[1024];
            size_t n = one_night_game.legal(&rig->state, by, all, 1024), i = 0;
            while (i < n && all[i] != action)
                i++;
            assert_true(i < n); // a random action is legal
            rig->notes.n = 0;
            struct one_night before = rig->state.g;
            assert_int_equal(one_night_game.apply(&rig->state, by, action, &rig->notes, &rig->err), ERROR_OK);
            shields_hold(&before, &rig->state.g);
            check_marks(&rig->state.g);
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

static void draw_at_random(struct rig *rig, struct rng *rng) {
    game_action action;
    while (!one_night__drawn(&rig->state.g)) {
        assert_true(one_night_game.random(&rig->state, GAME_BY_CHANCE, rng_next(rng), &action));
        assert_int_equal(one_night_game.apply(&rig->state, GAME_BY_CHANCE, action, NULL, &rig->err),
                         ERROR_OK);
    }
}

static bool is_night(const struct rig *rig) {
    return rig->state.g.phase == PHASE_NIGHT;
}

static void same_scripts(const struct rig *a, const struct rig *b) {
    static struct game_script first, second;
    one_night_game.script(&a->state, &first);
    one_night_game.script(&b->state, &second);
    assert_true(alike_script(&first, &second));
}

// Two deals of one set, played differently, look the same until the reveal; the scripts are equal.
static void deals_look_alike(void **state) {
    (void)state;
    struct rng rng;
    static struct rig a, b;
    rng_seed(&rng, 2);
    for (unsigned i = 0; i < sets_tested(); i++) {
        random_set(&rng, &a, i % 2);
        draw_at_random(&a, &rng); // what is drawn is spoken: the same for all deals
        b = a;
        b.words.setup = &b.setup;
        b.words.places = &b.places;
        same_public(&a, &b);
        deal_at_random(&a, &rng);
        deal_at_random(&b, &rng);
        same_public(&a, &b);
        rig_act(&a, "table begin");
        rig_act(&b, "table begin");
        same_scripts(&a, &b);
        while (is_night(&a)) {
            act_somehow(&a, &rng);
            act_somehow(&b, &rng);
            memcpy(a.state.g.answer, b.state.g.answer, sizeof a.state.g.answer); // spoken too
            same_public(&a, &b);
            bool hold = a.state.g.phase == PHASE_NIGHT && rng_below(&rng, 4) == 0;
            rig_act(&a, hold ? "timer hold" : "timer next");
            rig_act(&b, "timer next");
            if (a.state.g.phase == PHASE_NIGHT)
                same_scripts(&a, &b);
        }
        // Shields, open cards and places of artifacts are public from dawn on.
        bool open = a.state.g.roles & (ROLE_BIT(REVEALER) | ROLE_BIT(EXPOSER) | ROLE_BIT(CURATOR)) ||
                    one_night__variant(&a.state.g, DRAW_RIPPLE) == VARIANT_RIPPLE_REVEAL;
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
    static struct game_layout now;
    rng_seed(&rng, 5);
    for (unsigned i = 0; i < 150; i++) {
        random_set(&rng, &rig, true);
        deal_at_random(&rig, &rng);
        rig_act(&rig, "table begin");
        while (is_night(&rig)) {
            memset(&now, 0, sizeof now);
            one_night_game.layout(&rig.state, &now);
            for (int by = 0; by < rig.setup.seats; by++) {
                game_action all[256];
                size_t n = one_night_game.legal(&rig.state, by, all, 256);
                assert_true(n <= 256);
                for (size_t k = 0; k < n; k++) {
                    memset(&proofs[k], 0, sizeof proofs[k]);
                    one_night_game.proof(&rig.state, by, all[k], &proofs[k]);
                    bool shown = proofs[k].n_needed || !alike_layout(&proofs[k].layout, &now);
                    for (size_t m = 0; m < k && shown; m++) { // what shows nothing is declared
                        if (!alike_proof(&proofs[k], &proofs[m]))
                            continue;
                        struct one_night x = rig.state.g, y = rig.state.g;
                        one_night_game.apply(&x, by, all[k], NULL, NULL);
                        one_night_game.apply(&y, by, all[m], NULL, NULL);
                        assert_memory_equal(&x, &y, sizeof x);
                    }
                }
            }
            act_somehow(&rig, &rng);
            bool hold = rig.state.g.phase == PHASE_NIGHT && rng_below(&rng, 4) == 0;
            rig_act(&rig, hold ? "timer hold" : "timer next");
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
