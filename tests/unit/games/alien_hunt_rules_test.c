// What the worked cases leave out: the three laps, questions and who learns their answers, copies, the deal.
#include "alien_hunt_rig.h"
#include "support/alike.h"

static struct rig rig;
static struct observation seen, other;

#define FIVE "man_in_black ufologist alien_scientist mythomaniac alien_invader"

static const struct alien_hunt *g(void) {
    return &rig.state.g;
}
static void expect_phase(unsigned phase, unsigned turn) {
    assert_int_equal(g()->phase, phase);
    assert_int_equal(g()->turn, turn);
}

// ---- set-up

static void set_ups_are_checked(void **state) {
    (void)state;
    assert_int_equal(rig_prepare(&rig, 3, "", ""), ERROR_ILLEGAL);
    assert_string_equal(rig.err.rule, "E_SEATS");
    assert_int_equal(rig_prepare(&rig, 4, "president spy recluse", ""), ERROR_ILLEGAL);
    assert_string_equal(rig.err.rule, "E_CARDS");
    assert_int_equal(rig_prepare(&rig, 4, "president spy recluse spy", ""), ERROR_ILLEGAL);
    assert_string_equal(rig.err.rule, "E_CARDS");
    assert_int_equal(rig_prepare(&rig, 4, "bully spy recluse general", ""), ERROR_ILLEGAL);
    assert_string_equal(rig.err.rule, "E_PRESIDENT");
    assert_int_equal(rig_prepare(&rig, 4, "", "rounds=1"), ERROR_OK);
    assert_string_equal(rig.issues.issue[0].code, "W_ROUNDS");
}

// Whatever chance does, somebody is President and the rest is the pool.
static void the_president_is_always_dealt(void **state) {
    (void)state;
    rig_begin(&rig, 4, "", "");
    rig_act(&rig, "chance character seat=s1 card=spy");
    rig_act(&rig, "chance character seat=s2 card=bully");
    rig_act(&rig, "chance character seat=s4 card=recluse");
    assert_int_equal(rig_try(&rig, "chance character seat=s3 card=general"), ERROR_ILLEGAL);
    rig_act(&rig, "chance character seat=s3 card=president");
    assert_int_equal(g()->president, 2);
    assert_int_equal(__builtin_popcount(g()->pool), 9);
    assert_int_equal(g()->phase, PHASE_DEAL);
}

// With 4 or 5 players three of the four aliens are in the round, whatever chance does (section 1).
static void one_alien_is_left_out(void **state) {
    (void)state;
    for (unsigned seats = SEATS_LEAST; seats <= SEATS_MOST; seats++)
        for (unsigned seed = 0; seed < 20; seed++) {
            game_action all[GAME_ACTIONS_MAX];
            rig_begin(&rig, seats, "", "");
            for (unsigned i = 0; g()->phase <= PHASE_DEAL; i++) {
                size_t n = alien_hunt_game.legal(&rig.state, GAME_BY_CHANCE, all, GAME_ACTIONS_MAX);
                assert_true(n > 0);
                assert_int_equal(alien_hunt_game.apply(&rig.state, GAME_BY_CHANCE,
                                                       all[(seed * 7919 + i * 104729) % n], NULL, NULL),
                                 ERROR_OK);
            }
            unsigned aliens = 0;
            for (unsigned seat = 0; seat < seats; seat++)
                aliens += alien_hunt__is_alien(alien_hunt__of(g(), seat));
            for (unsigned i = 0; i < CENTRE_CARDS; i++)
                aliens += alien_hunt__is_alien(g()->identity[g()->centre[i]]);
            assert_int_equal(aliens, seats < 6 ? 3 : 4);
        }
}

// ---- the structured question: told to the asker, and nothing else differs

static bool same_view(void) {
    return !alike_view(&seen, &other);
}

static void ask(const char *question, bool truth) {
    rig_deal(&rig, 5, "president investigator spy recluse journalist", "",
             truth ? FIVE : "man_in_black alien_scientist ufologist mythomaniac alien_invader");
    rig_act(&rig, truth ? "s3 assign token=3a to=s1" : "s3 assign token=3b to=s1");
    rig_act(&rig, question);
}

static void answers_go_to_the_asker_alone(void **state) {
    static const char *const questions[][2] = {
        {"s5 ask target=s3 question=is_alien", "answer_is_alien"},
        {"s5 ask target=s3 question=is_identity identity=alien_scientist", "answer_is_identity"},
        {"s5 ask target=s3 question=obs_on seat=s1", "answer_obs_on"},
    };
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        for (int truth = 0; truth < 2; truth++) {
            ask(questions[i][0], truth);
            rig_refused(&rig, questions[i][0], "already_used");
            rig_see(&rig, 4, &seen);
            assert_non_null(rig_fact(&seen, questions[i][1], 2));
            assert_int_equal(rig_fact(&seen, questions[i][1], 2)->value, truth);
            for (int audience = OBSERVE_PUBLIC; audience < 4; audience++) {
                rig_see(&rig, audience, &seen);
                assert_null(rig_fact(&seen, questions[i][1], -2));
            }
        }
        struct game_notes notes[2];
        for (int truth = 0; truth < 2; truth++) {
            ask(questions[i][0], truth);
            notes[truth] = rig.notes;
            rig_see(&rig, OBSERVE_PUBLIC, truth ? &seen : &other);
        }
        assert_true(same_view()); // the same of everything, in the same words
        assert_true(alike_notes(&notes[0], &notes[1]));
    }
}

static void questions_are_checked(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president investigator spy recluse journalist", "", FIVE);
    rig_refused(&rig, "s5 ask target=s5 question=is_alien", "illegal_target");
    rig_refused(&rig, "s2 ask target=s5 question=is_alien", "illegal_target");
    rig_refused(&rig, "s1 ask target=s5 question=is_alien", "no_ability");
    assert_int_equal(rig_try(&rig, "s5 ask target=s3 question=is_identity"), ERROR_INVALID);
    assert_int_equal(rig_try(&rig, "s5 ask target=s3 question=is_identity identity=spy"), ERROR_INVALID);
    rig_act(&rig, "s5 ask target=s4 question=is_alien"); // a question is no look (10, 28)
}

// ---- kinds of tokens and identities are nobody's but the owner's

static void no_view_tells_which_token_was_laid(void **state) {
    static const char *const orders[][3] = {
        {"s2 assign token=2a to=s1", "s2 assign token=2b to=s3", "s2 assign token=2c to=s4"},
        {"s2 assign token=2c to=s1", "s2 assign token=2a to=s3", "s2 assign token=2b to=s4"}};
    (void)state;
    for (int audience = OBSERVE_PUBLIC; audience < 5; audience++) {
        for (unsigned way = 0; way < 2; way++) {
            rig_deal(&rig, 5, "president investigator bully recluse journalist", "", FIVE);
            for (unsigned i = 0; i < 3; i++)
                rig_act(&rig, orders[way][i]);
            rig_act(&rig, "s1 declare_alert");
            rig_see(&rig, audience, way ? &seen : &other);
        }
        assert_int_equal(same_view(), audience != 1);
    }
}

static void the_spy_sees_his_own_seat_only(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president investigator spy recluse journalist", "", FIVE);
    rig_act(&rig, "s2 assign token=2a to=s3");
    rig_act(&rig, "s2 assign token=2b to=s4");
    rig_see(&rig, 2, &seen);
    unsigned known = 0;
    for (unsigned i = 0; i < seen.n_facts; i++)
        if (!strcmp(seen.fact[i].key, "token") && seen.fact[i].seat == 1)
            known += seen.fact[i].kind != NULL && !strcmp(seen.fact[i].place, "seat_3.received");
    assert_int_equal(known, 1);
    assert_null(rig_fact(&seen, "token", 1)->kind ? NULL : "observation_2");
    rig_see(&rig, 3, &other);
    assert_null(rig_fact(&other, "token", 1)->kind);
}

// What was seen stays as it was then: the illusionist has another identity now.
static void a_look_is_not_kept_up_to_date(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president investigator illusionist recluse journalist", "", FIVE);
    rig_act(&rig, "s2 ability target=s3");
    rig_act(&rig, "s3 ability picks=2");
    rig_see(&rig, 1, &seen);
    assert_string_equal(rig_fact(&seen, "saw", 2)->kind, "alien_scientist");
    assert_string_not_equal(alien_hunt__kinds[KIND_IDENTITY + alien_hunt__of(g(), 2)].id, "alien_scientist");
}

// ---- copies (section 7)

static void the_con_artist_copies(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president con_artist spy recluse double_dealer", "", FIVE);
    rig_refused(&rig, "s2 ability target=s3", "not_in_play");
    rig_refused(&rig, "s2 ability copy=con_artist", "not_in_play");
    rig_refused(&rig, "s2 ability copy=president", "cannot_copy");
    rig_refused(&rig, "s2 ability copy=double_dealer", "not_assigned");
    rig_refused(&rig, "s2 reassign copy=double_dealer token1=2a to1=s3", "not_assigned");
    rig_refused(&rig, "s2 reassign token1=2a to1=s3", "no_ability");
    rig_act(&rig, "s2 assign token=2a to=s1");
    rig_refused(&rig, "s2 reassign copy=double_dealer token1=2a to1=s2", "self_target");
    rig_refused(&rig, "s2 reassign copy=double_dealer token1=3a to1=s1", "not_owned");
    struct rig keep = rig;
    rig_act(&rig, "s2 reassign copy=double_dealer token1=2a to1=s3");
    assert_int_equal(g()->at[3], 2);
    assert_int_equal(g()->used, 1u << 1);
    rig = keep;
    rig_act(&rig, "s2 ability copy=recluse");
    assert_int_equal(g()->shielded, 1u << 1);
    rig = keep;
    rig_act(&rig, "s3 assign token=3b to=s2");
    rig_act(&rig, "s2 ability copy=spy");
    rig_act(&rig, "s4 assign token=4a to=s2"); // after the look
    rig_see(&rig, 1, &seen);
    assert_string_equal(rig_fact(&seen, "token", 2)->kind, "action_3");
    assert_null(rig_fact(&seen, "token", 3)->kind);
    rig = keep;
    rig_act(&rig, "s1 declare_alert");
    rig_refused(&rig, "s2 reassign copy=double_dealer token1=2a to1=s3", "wrong_phase");
}

static void a_forced_order_blocks_all_but_its_victim(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president bully spy general showgirl", "", FIVE);
    rig_act(&rig, "s2 ability target=s3 to=s2");
    rig_refused(&rig, "s4 assign token=4a to=s1", "forced_pending");
    rig_refused(&rig, "s1 declare_alert", "forced_pending");
    rig_refused(&rig, "s3 assign token=3a to=s1", "forced_target");
    rig_refused(&rig, "s3 assign token=4a to=s2", "not_owned");
    rig_act(&rig, "s3 assign token=3c to=s2");
    rig_act(&rig, "s4 ability target=s5");
    rig_refused(&rig, "s5 assign token=5a to=s4", "banned_target");
    rig_refused(&rig, "s5 ability target=s5", "illegal_target");
    rig_act(&rig, "s5 ability target=s2");
    rig_act(&rig, "s2 assign token=2a to=s5");
}

static void after_a_forced_token_the_alert_goes_on(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president bully spy general showgirl", "", FIVE);
    rig_act(&rig, "s1 declare_alert");
    expect_phase(PHASE_ALERT_ABILITIES, 1);
    rig_refused(&rig, "s4 ability target=s5", "not_your_turn");
    rig_act(&rig, "s2 ability target=s3 to=s1");
    expect_phase(PHASE_ALERT_ABILITIES, 1);
    rig_act(&rig, "s3 assign token=3a to=s1");
    expect_phase(PHASE_ALERT_ABILITIES, 3);
    rig_act(&rig, "s4 pass_ability");
    rig_act(&rig, "s5 pass_ability");
    expect_phase(PHASE_ALERT_ASSIGN, 0);
    assert_int_equal(g()->used, 1u << 1);
}

// ---- three_step (section 6)

static void place_any(void) {
    static game_action all[GAME_ACTIONS_MAX];
    unsigned turn = g()->turn;
    assert_true(alien_hunt_game.legal(&rig.state, (int)turn, all, GAME_ACTIONS_MAX) > 0);
    assert_int_equal(all[0] >> 32, VERB_ASSIGN);
    assert_int_equal(alien_hunt_game.apply(&rig.state, (int)turn, all[0], NULL, NULL), ERROR_OK);
}

static void three_laps(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president bully spy recluse journalist", "three_step=1", FIVE);
    assert_int_equal(g()->lap, 1);
    rig_refused(&rig, "s2 assign token=2a to=s1", "wrong_phase");
    rig_act(&rig, "s2 ability target=s4 to=s1");
    rig_act(&rig, "s4 assign token=4a to=s1"); // forced: lies in the discussion, and counts for the lap
    rig_act(&rig, "s1 declare_alert");
    for (unsigned i = 0; i < 4; i++) {
        expect_phase(PHASE_ALERT_ASSIGN, (unsigned[]){0, 1, 2, 4}[i]);
        place_any();
    }
    expect_phase(PHASE_DISCUSSION, NONE);
    assert_int_equal(g()->lap, 2);
    rig_act(&rig, "s1 declare_alert");
    for (unsigned i = 0; i < 5; i++) {
        expect_phase(PHASE_ALERT_ASSIGN, i);
        place_any();
    }
    assert_int_equal(g()->lap, 3);
    rig_act(&rig, "s1 declare_alert");
    expect_phase(PHASE_ALERT_ABILITIES, 4); // the bully is spent
    rig_act(&rig, "s5 pass_ability");
    for (unsigned i = 0; i < 5; i++) {
        expect_phase(PHASE_ALERT_ASSIGN, i);
        place_any();
    }
    assert_true(g()->phase >= PHASE_REVEAL);
}

// ---- the explorer's option, the end

static void an_explorer_may_do_nothing(void **state) {
    (void)state;
    for (unsigned none = 0; none < 2; none++) {
        rig_deal(&rig, 4, "president spy recluse investigator",
                 none ? "explorer_action=none rounds=1" : "rounds=1",
                 "alien_explorer ufologist alien_scientist man_in_black");
        rig_act(&rig, "s1 assign token=1b to=s2");
        rig_act(&rig, "s1 assign token=1c to=s3");
        rig_act(&rig, "s1 assign token=1a to=s4");
        rig_act(&rig, "s1 declare_alert");
        rig_act(&rig, "s4 pass_ability");
        while (g()->phase == PHASE_ALERT_ASSIGN)
            place_any();
        assert_true(g()->phase == PHASE_REVEAL || g()->phase == PHASE_GAME_OVER);
        while (g()->phase == PHASE_REVEAL) {
            static game_action all[GAME_ACTIONS_MAX];
            unsigned turn = g()->turn;
            assert_true(alien_hunt_game.legal(&rig.state, (int)turn, all, GAME_ACTIONS_MAX) > 0);
            assert_int_equal(alien_hunt_game.apply(&rig.state, (int)turn, all[0], NULL, NULL), ERROR_OK);
        }
        expect_phase(PHASE_GAME_OVER, NONE); // the last round goes straight to the end
        assert_int_equal(g()->touched & 1, !none);
        rig_see(&rig, OBSERVE_PUBLIC, &seen);
        assert_true(seen.result.over);
        int best = INT16_MIN;
        for (unsigned seat = 0; seat < 4; seat++)
            best = g()->points[seat] > best ? g()->points[seat] : best;
        for (unsigned seat = 0; seat < 4; seat++)
            assert_int_equal(seen.result.winners >> seat & 1, g()->points[seat] == best);
    }
}

// Delta is announced with the scores, so that nothing tells who an alien is before.
static void points_fall_silently(void **state) {
    (void)state;
    rig_deal(&rig, 4, "president spy recluse investigator", "",
             "alien_bounty_hunter ufologist alien_scientist man_in_black");
    rig_see(&rig, OBSERVE_PUBLIC, &seen);
    for (unsigned i = 0; i < seen.n_counters; i++)
        assert_true(strcmp(seen.counter[i].name, "delta") && strcmp(seen.counter[i].name, "round_points"));
}

// ---- reminders remind

static void a_discussion_is_reminded_once(void **state) {
    struct game_phase phase;
    (void)state;
    rig_deal(&rig, 4, "president spy recluse investigator", "discussion_limit_s=90", "");
    alien_hunt_game.phase(&rig.state, &phase);
    assert_int_equal(phase.limit_ms, 90000);
    rig_act(&rig, "timer remind");
    assert_int_equal(rig.notes.note[0].line, LINE_TALKED);
    expect_phase(PHASE_DISCUSSION, NONE);
    alien_hunt_game.phase(&rig.state, &phase);
    assert_int_equal(phase.limit_ms, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_ups_are_checked),
        cmocka_unit_test(the_president_is_always_dealt),
        cmocka_unit_test(one_alien_is_left_out),
        cmocka_unit_test(answers_go_to_the_asker_alone),
        cmocka_unit_test(questions_are_checked),
        cmocka_unit_test(no_view_tells_which_token_was_laid),
        cmocka_unit_test(the_spy_sees_his_own_seat_only),
        cmocka_unit_test(a_look_is_not_kept_up_to_date),
        cmocka_unit_test(the_con_artist_copies),
        cmocka_unit_test(a_forced_order_blocks_all_but_its_victim),
        cmocka_unit_test(after_a_forced_token_the_alert_goes_on),
        cmocka_unit_test(three_laps),
        cmocka_unit_test(an_explorer_may_do_nothing),
        cmocka_unit_test(points_fall_silently),
        cmocka_unit_test(a_discussion_is_reminded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
