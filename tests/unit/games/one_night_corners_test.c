// Corners where several roles meet: what no worked case shows, since it changes no card and no winner.
#include "one_night_rig.h"

// One instruction drawn, no ripple; deals and begins.
static void drawn_night(struct rig *rig, unsigned seats, const char *cards, const char *options,
                        const char *words) {
    rig_begin(rig, seats, cards, options);
    rig_draw(rig, words);
    rig->state.g.number[NUMBER_RIPPLE] = 0;
    rig_deal(rig);
    rig_act(rig, "table begin");
}

static unsigned looks(const struct rig *rig, unsigned seat, unsigned place) {
    unsigned n = 0;
    for (unsigned i = 0; i < rig->state.g.n_saw; i++)
        n += rig->state.g.saw[i].seat == seat && rig->state.g.saw[i].place == place;
    return n;
}

// 3.5: an alien that is alone has nobody to show its card to, and misses nothing.
static void a_lone_alien_shows_nothing(void **state) {
    (void)state;
    struct rig rig;
    drawn_night(&rig, 4, "alien cow villager psychic alien robber seer", "", "aliens_show");
    rig_to(&rig, 320);
    assert_int_equal(rig_count(&rig, 0), 0);
    rig_act(&rig, "timer next");
    assert_false(rig_noted(&rig, LINE_missed_mandatory));
}

// 5.2: each shows the own card to all aliens who are awake; 3.6: who looked shows a thumb to the aura seer.
static void aliens_show_to_each_other(void **state) {
    (void)state;
    struct rig rig;
    drawn_night(&rig, 4, "alien groob villager aura_seer psychic robber seer", "", "aliens_show");
    rig_to(&rig, 320);
    assert_int_equal(rig_count(&rig, 0), 1);
    rig_act(&rig, "s1 view a=s1");
    assert_int_equal(looks(&rig, 1, 0), 1);
    assert_int_equal(looks(&rig, 2, 0), 0);
    rig_act(&rig, "timer next");
    assert_true(rig_noted(&rig, LINE_missed_mandatory)); // the other one
    rig_to(&rig, 0);
    assert_int_equal(one_night__sees(&rig.state.g, 3), 1 << 0 | 1 << 1);
}

// 5.2: every alien passes the own card, whoever of them is told to have acted.
static void the_aura_of_all_who_passed(void **state) {
    (void)state;
    struct rig rig;
    drawn_night(&rig, 4, "alien groob villager aura_seer psychic robber seer", "", "aliens_left");
    rig_to(&rig, 320);
    rig_act(&rig, "s1 rotate dir=left");
    rig_to(&rig, 0);
    assert_int_equal(one_night__sees(&rig.state.g, 3), 1 << 0 | 1 << 1);
}

// 5.2: all aliens together look, also one who could not have chosen that card himself.
static void all_aliens_see_the_one_card(void **state) {
    (void)state;
    struct rig rig;
    drawn_night(&rig, 3, "alien alien villager psychic robber seer", "", "aliens_allview anyeven");
    rig_to(&rig, 320);
    rig_act(&rig, "s1 view a=s2");
    assert_int_equal(looks(&rig, 1, 1), 1);
}

// 3.4: fear leaves what was done and seen at dusk as it is.
static void fear_forgets_nothing_of_dusk(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "the_count apprentice_assassin assassin mason vampire seer mason", "max_mason=2");
    rig_to(&rig, 210);
    rig_act(&rig, "s1 mark mark=fear a=k2");
    rig_to(&rig, 270);
    rig_act(&rig, "s3 mark mark=assassin a=k4");
    rig_to(&rig, 0);
    assert_int_equal(rig.state.g.afraid, 1 << 1);
    assert_int_equal(one_night__sees(&rig.state.g, 1), 1 << 2);
}

// 5.4: of two players' cards the rascal has read the one his instruction names.
static void the_rascal_reads_what_is_named(void **state) {
    (void)state;
    struct rig rig;
    static struct game_proof proof;
    drawn_night(&rig, 4, "villager rascal seer alien robber drunk cow", "",
                "aliens_stare rascal_witch key=higher");
    rig_to(&rig, 740);
    one_night_game.proof(&rig.state, 1, one_night__pack(VERB_SWAP, 0, 3, -1), &proof);
    assert_int_equal(proof.n_allowed, 1);
    assert_int_equal(proof.allowed[0].place, 3);
    rig_act(&rig, "s2 swap a=s1 b=s4");
    assert_int_equal(looks(&rig, 1, 0), 0);
    assert_int_equal(looks(&rig, 1, 3), 1);
}

// 5.1: that player's card, or another player's, whoever was named.
static void another_player_is_another(void **state) {
    (void)state;
    struct rig rig;
    drawn_night(&rig, 4, "oracle alien villager psychic robber seer cow", "",
                "oracle_viewplayer aliens_stare");
    struct one_night *g = &rig.state.g;
    for (unsigned named = 0; named < 4; named++) {
        uint16_t others = 0;
        g->answer[0] = (uint8_t)(ANSWER_1 + named);
        g->number[NUMBER_ORACLE_RESULT] = 0;
        assert_int_equal(one_night__oracle_player(g, 0), named);
        g->number[NUMBER_ORACLE_RESULT] = 1;
        for (uint8_t drawn = 0; drawn < 3; drawn++) {
            g->number[NUMBER_ORACLE_PLAYER] = drawn;
            others |= (uint16_t)(1u << one_night__oracle_player(g, 0));
        }
        assert_int_equal(others, 0xf & ~(1u << named)); // each with the same chance
    }
}

static bool says(const struct game_script *script, const char *id, unsigned line) {
    for (unsigned i = 0; i < script->n; i++)
        for (unsigned k = 0; k < script->step[i].n_cues && strcmp(script->step[i].id, id) == 0; k++)
            if (script->step[i].cue[k].line == line)
                return true;
    return false;
}

// 5.1: an exchange the oracle forced is about all aliens, whoever was drawn for the instruction it replaces.
static void a_forced_exchange_names_nobody(void **state) {
    (void)state;
    struct rig rig;
    static struct game_script script;
    drawn_night(&rig, 4, "oracle alien alien psychic villager seer cow", "",
                "oracle_alienexchange aliens_view what=aliens key=activeplayers");
    assert_int_equal(rig.state.g.key[DRAW_ALIENS], KEY_ACTIVE);
    rig.state.g.number[NUMBER_ORACLE_RESULT] = 0;
    rig_to(&rig, 100);
    rig_act(&rig, "s1 answer value=yes");
    rig_to(&rig, 101);
    one_night_game.script(&rig.state, &script);
    assert_true(says(&script, "320", LINE_v_left));
    assert_false(says(&script, "320", LINE_k_active3));
}

// 3.8: eyes stay open and hands out until all who are to see them have looked; both follow from the set.
static void nobody_sleeps_before_he_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *cards, *options, *id;
        unsigned call, close;
    } rows[] = {
        {"assassin villager seer robber drunk minion", "", "270", LINE_mark_270, LINE_shut_270},
        {"assassin apprentice_assassin seer robber drunk minion", "", "270", LINE_call_270, LINE_close_270},
        {"assassin apprentice_assassin seer robber drunk minion", "", "280", LINE_call_280, LINE_close_280},
        {"assassin apprentice_assassin doppelganger robber drunk seer", "", "275", LINE_open_275,
         LINE_close_275},
        {"assassin apprentice_assassin doppelganger robber drunk seer", "", "280", LINE_call_280,
         LINE_shut_280},
        {"assassin apprentice_assassin doppelganger robber drunk seer", "", "285", LINE_call_285,
         LINE_close_285},
        {"assassin villager doppelganger robber drunk seer", "", "275", LINE_call_275, LINE_close_120},
        {"renfield vampire seer robber drunk minion", "", "220", LINE_call_220, LINE_close_220},
        {"renfield vampire doppelganger robber drunk seer", "", "220", LINE_call_220, LINE_shut_220},
        {"renfield vampire doppelganger robber drunk seer", "", "225", LINE_call_225, LINE_close_225},
        {"copycat vampire seer robber drunk minion", "", "110", LINE_more_110, LINE_close_110},
        {"leader groob zerb robber drunk minion", "", "450", LINE_pair_450, LINE_close_450},
        {"leader alien doppelganger robber drunk seer", "", "455", LINE_more_450, LINE_close_455},
        {"dream_wolf werewolf seer robber drunk minion", "", "400", LINE_dream_400, LINE_away_400},
        {"mystic_wolf werewolf seer robber drunk minion", "", "400", LINE_call_400, LINE_close_400},
        {"revealer werewolf seer robber drunk minion", "", "1000", LINE_call_1000, LINE_close_1000},
        {"revealer werewolf seer robber drunk minion", "revealer_hides=any_non_village", "1000",
         LINE_hide_1000, LINE_close_1000},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        static struct game_script script;
        rig_night(&rig, 3, rows[i].cards, rows[i].options);
        one_night_game.script(&rig.state, &script);
        if (!says(&script, rows[i].id, rows[i].call) || !says(&script, rows[i].id, rows[i].close))
            fail_msg("row %u: step %s", i, rows[i].id);
    }
    struct rig rig;
    static struct game_script script;
    rig_night(&rig, 3, "leader groob alien robber drunk minion", "");
    one_night_game.script(&rig.state, &script);
    assert_false(says(&script, "450", LINE_pair_450));
}

// 5.1: who guessed right may keep her eyes open: nobody tells her to close them.
static void a_right_guess_keeps_eyes_open(void **state) {
    (void)state;
    for (int right = 0; right < 2; right++) {
        struct rig rig;
        static struct game_script script;
        drawn_night(&rig, 4, "oracle alien cow psychic villager seer robber", "",
                    "oracle_guessnumber aliens_stare");
        rig.state.g.number[NUMBER_ORACLE_RESULT] = 2; // three
        rig_to(&rig, 100);
        rig_act(&rig, right ? "s1 answer value=3" : "s1 answer value=4");
        rig_to(&rig, 101);
        one_night_game.script(&rig.state, &script);
        assert_int_equal(says(&script, "101", LINE_awake_101), right);
        assert_int_equal(says(&script, "101", LINE_close_101), !right);
    }
}

// 5.3: two cards of one neighbour are one, one of both neighbours is one of them.
static void a_psychic_and_the_neighbours(void **state) {
    (void)state;
    static const struct {
        const char *drawn;
        unsigned line, key;
        size_t acts;
    } rows[] = {{"psychic_view1 key=leftneighbor", LINE_v_psychic1, LINE_k_left, 1},
                {"psychic_view2 key=leftneighbor", LINE_v_psychic1, LINE_k_left, 1},
                {"psychic_view1 key=bothneighbors", LINE_v_psychic1, LINE_k_one, 2},
                {"psychic_view2 key=bothneighbors", LINE_v_psychic2, LINE_k_both, 2 + 1}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        static struct game_script script;
        char words[80];
        snprintf(words, sizeof words, "aliens_stare %s", rows[i].drawn);
        drawn_night(&rig, 5, "psychic alien villager villager villager seer robber drunk", "", words);
        one_night_game.script(&rig.state, &script);
        assert_true(says(&script, "550", rows[i].line));
        assert_true(says(&script, "550", rows[i].key));
        rig_to(&rig, 550);
        assert_int_equal(rig_count(&rig, 0), rows[i].acts);
        rig_act(&rig, "s1 view a=s2");
        assert_int_equal(rig_count(&rig, 0), i == 3);
    }
}

// 5.1: what is said of her card holds for it in the centre too; nobody is flagged.
static void the_oracles_card_in_the_centre(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 4, "drunk alien villager psychic oracle seer cow", "");
    rig_draw(&rig, "oracle_alienteam aliens_stare");
    struct one_night *g = &rig.state.g;
    g->number[NUMBER_RIPPLE] = 0;
    g->number[NUMBER_ORACLE_ANSWER] = ANSWER_YES;
    g->number[NUMBER_ORACLE_RESULT] = 0;
    rig_deal(&rig);
    rig_act(&rig, "table begin");
    rig_to(&rig, 800);
    rig_act(&rig, "s1 swap a=s1 b=c1");
    rig_vote_phase(&rig);
    struct one_night_ending end;
    one_night__effective(g, &end);
    assert_int_equal(g->effective[0], ROLE_ALIEN);
    assert_int_equal(g->flags[0] | g->flags[1] | g->flags[2] | g->flags[3], 0);
}

// 3.4: two different players, also where another mark came between the two.
static void cupid_finishes_late(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "cupid instigator villager villager werewolf seer robber", "");
    rig_to(&rig, 240);
    rig_act(&rig, "s1 mark mark=love a=k3");
    rig_act(&rig, "timer hold");
    rig_act(&rig, "s2 mark mark=traitor a=k4");
    assert_int_equal(rig_try(&rig, "s1 mark mark=love a=k3"), ERROR_ILLEGAL);
    rig_act(&rig, "s1 mark mark=love a=k4");
}

// 2.4: an artifact may bring a third group.
static void artifacts_may_make_an_epic_battle(void **state) {
    (void)state;
    static const struct {
        const char *cards, *options;
        bool epic;
    } rows[] = {
        {"curator vampire villager seer robber drunk", "", true}, // the claw
        {"curator werewolf villager seer robber drunk", "", false},
        {"curator werewolf villager seer robber drunk", "bonus_artifacts=1", true},
        {"curator tanner villager seer robber drunk", "bonus_artifacts=1", false},
        {"curator doppelganger villager seer robber drunk", "bonus_artifacts=1", true}, // two are laid
        {"curator doppelganger villager seer robber drunk", "", false},
        {"seer vampire villager villager robber drunk", "", false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        rig_begin(&rig, 3, rows[i].cards, rows[i].options);
        assert_int_equal(rig_issue(&rig, "W_EPIC"), rows[i].epic);
    }
}

// 8.2: with several at the front the second place is not said to die, although a hunter takes somebody along.
static void the_second_place_is_said_where_it_dies(void **state) {
    (void)state;
    static const struct {
        const char *votes;
        uint16_t dead;
        bool said;
    } rows[] = {{"s1>2 s2>3 s3>1 s4>3 s5>2 s6>5", 1 << 0 | 1 << 1 | 1 << 2, false}, // seat 3 hunts seat 1
                {"s1>2 s2>5 s3>2 s4>2 s5>1 s6>1", 1 << 0 | 1 << 1, true},
                {"s1>2 s2>3 s3>1 s4>5 s5>4 s6>1", 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4, true}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        char line[32];
        drawn_night(&rig, 6, "alien vampire hunter werewolf villager seer cow robber drunk", "",
                    "aliens_stare");
        rig_vote_phase(&rig);
        for (const char *at = rows[i].votes; *at; at += at[4] ? 5 : 4) {
            snprintf(line, sizeof line, "%.2s vote a=s%c", at, at[3]);
            rig_act(&rig, line);
        }
        rig_act(&rig, "timer next");
        assert_int_equal(rig.state.g.dead, rows[i].dead);
        assert_int_equal(rig_noted(&rig, LINE_epic_second), rows[i].said);
    }
}

// Twelve teams at one table: the result names those that lost too, and all who die and win are told of.
static void every_team_is_told(void **state) {
    (void)state;
    static const uint8_t roles[] = {ROLE_WEREWOLF, ROLE_VAMPIRE,  ROLE_GROOB,     ROLE_ZERB,
                                    ROLE_TANNER,   ROLE_BLOB,     ROLE_MORTICIAN, ROLE_SYNTHETIC_ALIEN,
                                    ROLE_ASSASSIN, ROLE_VILLAGER, ROLE_LEADER,    ROLE_APPRENTICE_ASSASSIN};
    struct rig rig;
    struct observe_result result;
    rig_begin(&rig, 12,
              "werewolf vampire groob zerb tanner blob mortician synthetic_alien assassin villager leader "
              "apprentice_assassin seer robber drunk",
              "bonus_tokens=1");
    struct one_night *g = &rig.state.g;
    for (unsigned s = 0; s < 12; s++) {
        g->at[s] = g->dealt[s] = (uint8_t)s;
        g->role[s] = roles[s];
        g->mark[s] = s == 9 ? MARK_ASSASSIN : MARK_CLARITY;
        g->vote[s] = s == 9 ? 0 : 9;
    }
    one_night__settle(g);
    g->phase = PHASE_REVEAL;
    one_night_game.result(&rig.state, &result);
    assert_int_equal(result.n_teams, 12);
}

// 2.1: what is dealt by a generator is as likely as by hand: the card for c4 is not among it.
static void c4_is_put_aside(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 3, "alpha_wolf werewolf seer drunk villager villager", "c4=werewolf");
    unsigned wolves = 0;
    for (uint64_t i = 0; i < 600; i++) {
        game_action action;
        uint64_t dice = ((2 * i + 1) << 32) / 1200;
        assert_true(one_night_game.random(&rig.state, GAME_BY_CHANCE, dice, &action));
        assert_int_equal(one_night__arg(action, 0), 0);
        wolves += rig.state.g.role[one_night__arg(action, 1)] == ROLE_WEREWOLF;
    }
    assert_int_equal(wolves, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_alien_shows_nothing),
        cmocka_unit_test(aliens_show_to_each_other),
        cmocka_unit_test(the_aura_of_all_who_passed),
        cmocka_unit_test(all_aliens_see_the_one_card),
        cmocka_unit_test(fear_forgets_nothing_of_dusk),
        cmocka_unit_test(the_rascal_reads_what_is_named),
        cmocka_unit_test(another_player_is_another),
        cmocka_unit_test(a_forced_exchange_names_nobody),
        cmocka_unit_test(a_right_guess_keeps_eyes_open),
        cmocka_unit_test(a_psychic_and_the_neighbours),
        cmocka_unit_test(nobody_sleeps_before_he_is_seen),
        cmocka_unit_test(the_oracles_card_in_the_centre),
        cmocka_unit_test(cupid_finishes_late),
        cmocka_unit_test(artifacts_may_make_an_epic_battle),
        cmocka_unit_test(the_second_place_is_said_where_it_dies),
        cmocka_unit_test(every_team_is_told),
        cmocka_unit_test(c4_is_put_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
