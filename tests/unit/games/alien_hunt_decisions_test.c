// The decisions of alien-hunt.md 10 that no worked case and no other test shows, by their numbers, and codes
// where several fit (7).
#include "alien_hunt_rig.h"

static struct rig rig;

#define FIVE "man_in_black ufologist alien_scientist mythomaniac alien_invader"

static const struct alien_hunt *g(void) {
    return &rig.state.g;
}
static unsigned token(const char *name) {
    return (unsigned)(name[0] - '1') * TOKENS_EACH + (unsigned)(name[1] - 'a');
}
static unsigned at(const char *name) {
    return g()->at[token(name)];
}

// A reveal from what lies where: "1a 3 1b 2", all others removed.
static void reveal(unsigned seats, const char *characters, const char *identities, const char *lies) {
    char copy[160], *rest = NULL;
    rig_deal(&rig, seats, characters, "", identities);
    struct alien_hunt *s = &rig.state.g;
    for (unsigned i = 0; i < seats * TOKENS_EACH; i++)
        s->at[i] = AT_REMOVED;
    snprintf(copy, sizeof copy, "%s", lies);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        unsigned which = token(word);
        alien_hunt__lay(s, which, (unsigned)(strtok_r(NULL, " ", &rest)[0] - '1'));
    }
    s->used = (uint8_t)((1u << seats) - 1);
    rig_act(&rig, "s1 declare_alert");
}

static void d1_to_5_names_numbers_and_cards(void **state) {
    (void)state;
    assert_string_equal(alien_hunt_game.title, "Alien Hunt");
    assert_int_equal(alien_hunt_game.seats_min, 4);
    assert_int_equal(alien_hunt_game.seats_max, 8);
    for (unsigned seats = 4; seats <= 8; seats++) { // 3, 11, 12
        static const uint8_t deck[] = {7, 8, 9, 10, 11};
        rig_begin(&rig, seats, "", "");
        assert_int_equal(g()->rounds, seats);
        assert_int_equal(seats + CENTRE_CARDS, deck[seats - 4]);
        assert_int_equal(g()->n_identities, deck[seats - 4] + (seats < 6)); // the alien left out, drawn anew
    }
    assert_int_equal(CHARACTER_KINDS, 13);                                           // 7
    rig_deal(&rig, 5, "president investigator spy recluse double_dealer", "", FIVE); // 5
    assert_int_equal(__builtin_popcount(g()->pool), 8);                              // 4
}

static void d6_the_double_dealer_moves_as_often_as_he_likes(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president investigator spy recluse double_dealer", "", FIVE);
    rig_act(&rig, "s5 assign token=5a to=s1");
    rig_act(&rig, "s5 reassign token1=5a to1=s2");
    rig_act(&rig, "s5 reassign token1=5a to1=s3");
    rig_refused(&rig, "s5 reassign token1=5b to1=s3", "not_assigned");
    rig_act(&rig, "s1 declare_alert");
    rig_refused(&rig, "s5 reassign token1=5a to1=s1", "wrong_phase");
}

static void d17_an_executed_token_may_be_picked(void **state) {
    (void)state; // 1b removes 3b; then 2 (man in black too) may remove the executed 1b
    reveal(5, "president investigator spy recluse journalist",
           "man_in_black man_in_black alien_scientist mythomaniac alien_invader", "1b 3 3b 4 2b 1");
    rig_act(&rig, "s1 resolve token=1b owner=s3 n=1");
    assert_int_equal(at("3b"), AT_REMOVED);
    rig_act(&rig, "s2 resolve token=2b owner=s1 n=1");
    assert_int_equal(at("1b"), AT_REMOVED);
}

static void d18_the_ufologist_may_take_a_token_onto_himself(void **state) {
    (void)state;
    reveal(5, "president investigator spy recluse journalist",
           "ufologist man_in_black alien_scientist "
           "mythomaniac alien_invader",
           "1b 3 2a 3");
    rig_act(&rig, "s1 resolve token=1b owner=s2 n=1 to=s1");
    assert_int_equal(at("2a"), 0);
}

static void d20_21_a_token_never_moves_itself_and_must_act(void **state) {
    (void)state;
    reveal(5, "president investigator spy recluse journalist",
           "ufologist man_in_black alien_scientist "
           "mythomaniac alien_invader",
           "1b 3 2a 3");
    rig_refused(&rig, "s1 resolve token=1b owner=s1 n=1 to=s4", "illegal_pick");
    rig_refused(&rig, "s1 pass_ability", "wrong_phase");
    assert_int_equal(g()->phase, PHASE_REVEAL);
    reveal(5, "president investigator spy recluse journalist",
           "ufologist man_in_black alien_scientist "
           "mythomaniac alien_invader",
           "1b 3"); // alone there: it fizzles
    assert_int_equal(g()->phase, PHASE_SCORED);
}

static void d23_36_moves_make_doubles_and_no_ban_binds_them(void **state) {
    (void)state;
    reveal(5, "president general spy recluse journalist",
           "ufologist man_in_black alien_scientist "
           "mythomaniac alien_invader",
           "1b 3 5a 3 5b 4");
    struct alien_hunt *s = &rig.state.g;
    s->ban[1] |= 1u << 4;
    struct rig keep = rig;
    rig_act(&rig, "s1 resolve token=1b owner=s5 n=1 to=s4"); // two of one owner
    assert_int_equal(at("5a"), 3);
    rig = keep;
    rig_act(&rig, "s1 resolve token=1b owner=s5 n=1 to=s2"); // onto the general
    assert_int_equal(at("5a"), 1);
}

static void d30_32_a_copied_look_and_a_used_ability(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president investigator con_artist recluse spy", "", FIVE);
    rig_act(&rig, "s2 ability target=s1");
    rig_refused(&rig, "s3 ability copy=investigator target=s4", "protected");
    rig_act(&rig, "s3 ability copy=investigator target=s2"); // the original is used, and stays as it was
    rig_refused(&rig, "s2 ability target=s5", "already_used");
}

static void d33_the_victim_chooses_the_token(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president showgirl spy recluse journalist", "", FIVE);
    rig_act(&rig, "s2 ability target=s3");
    struct rig keep = rig;
    for (const char *letter = "abc"; *letter; letter++) {
        char line[64];
        rig = keep;
        snprintf(line, sizeof line, "s3 assign token=3%c to=s2", *letter);
        rig_act(&rig, line);
    }
}

static void d35_37_a_token_sent_back_is_given_again(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president general spy recluse journalist", "", FIVE);
    rig_act(&rig, "s3 assign token=3a to=s2");
    struct rig keep = rig;
    rig_act(&rig, "s2 ability target=s3");
    assert_int_equal(at("3a"), AT_RESERVE);
    rig_act(&rig, "s3 assign token=3a to=s1"); // 35
    rig = keep;
    rig_act(&rig, "s1 declare_alert");
    rig_act(&rig, "s2 ability target=s3"); // 37
    rig_act(&rig, "s5 pass_ability");
    assert_int_equal(g()->phase, PHASE_ALERT_ASSIGN);
    for (const char *const *line =
             (const char *const[]){"s1 assign token=1a to=s2", "s1 assign token=1b to=s3",
                                   "s1 assign token=1c to=s4", "s2 assign token=2a to=s1",
                                   "s2 assign token=2b to=s3", "s2 assign token=2c to=s4",
                                   "s3 assign token=3b to=s1", "s3 assign token=3c to=s4", NULL};
         *line; line++)
        rig_act(&rig, *line);
    rig_refused(&rig, "s3 assign token=3a to=s2", "banned_target");
    rig_act(&rig, "s3 assign token=3a to=s5");
}

static void d38_39_what_was_set_aside_is_not_seen_or_drawn(void **state) {
    (void)state;
    rig_deal(&rig, 5, "president illusionist policeman recluse con_artist", "", FIVE);
    rig_act(&rig, "s2 ability picks=1");
    rig_refused(&rig, "s3 ability picks=3", "illegal_target"); // two cards are left in the centre
    rig_act(&rig, "s3 ability picks=1+2");
    rig_act(&rig, "s5 ability copy=illusionist picks=1");
    assert_int_equal(__builtin_popcount(g()->discarded), 2);
}

static void d44_the_president_may_act_before_anybody_speaks(void **state) {
    (void)state;
    rig_deal(&rig, 4, "president spy recluse double_dealer", "", "");
    rig_act(&rig, "s1 declare_alert");
    assert_int_equal(g()->phase, PHASE_ALERT_ASSIGN); // nobody has an ability to use
}

// ---- where several codes fit, the first of the row counts (7)

static void codes_in_their_order(void **state) {
    static const char *const talk[][2] = {
        {"s2 assign token=3a to=s2", "not_owned"},           // also to oneself
        {"s2 assign token=2a to=s2", "token_fixed"},         // it was given
        {"s2 assign token=2b to=s2", "self_target"},         //
        {"s2 assign token=2b to=s3", "banned_target"},       // and a second one there
        {"s2 assign token=2b to=s1", "duplicate_target"},    //
        {"s2 ability target=s2", "already_used"},            // before its target
        {"s1 ability target=s1", "no_ability"},              //
        {"s4 pass_presidency", "wrong_phase"},               // before whose it is
        {"s4 declare_alert", "not_president"},               //
        {"s4 resolve token=1a owner=s1 n=1", "wrong_phase"}, //
        {"s2 pass_ability", "wrong_phase"},                  //
    };
    (void)state;
    rig_deal(&rig, 5, "president investigator general spy journalist", "", FIVE);
    rig_act(&rig, "s2 assign token=2a to=s1");
    rig_act(&rig, "s2 ability target=s5");
    struct alien_hunt *s = &rig.state.g;
    s->ban[2] |= 1u << 1;
    s->at[token("2c")] = 2; // as if it had been there
    for (unsigned i = 0; i < sizeof talk / sizeof *talk; i++)
        rig_refused(&rig, talk[i][0], talk[i][1]);
    rig_act(&rig, "s1 declare_alert");
    rig_refused(&rig, "s5 assign token=1a to=s5", "wrong_phase"); // before its owner
    rig_refused(&rig, "s5 ability target=s5", "not_your_turn");   // before its target
    rig_act(&rig, "s3 pass_ability");
    rig_act(&rig, "s5 pass_ability");
    rig_refused(&rig, "s5 assign token=1a to=s5", "not_your_turn");
    rig_refused(&rig, "s1 assign token=2b to=s1", "not_owned");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(d1_to_5_names_numbers_and_cards),
        cmocka_unit_test(d6_the_double_dealer_moves_as_often_as_he_likes),
        cmocka_unit_test(d17_an_executed_token_may_be_picked),
        cmocka_unit_test(d18_the_ufologist_may_take_a_token_onto_himself),
        cmocka_unit_test(d20_21_a_token_never_moves_itself_and_must_act),
        cmocka_unit_test(d23_36_moves_make_doubles_and_no_ban_binds_them),
        cmocka_unit_test(d30_32_a_copied_look_and_a_used_ability),
        cmocka_unit_test(d33_the_victim_chooses_the_token),
        cmocka_unit_test(d35_37_a_token_sent_back_is_given_again),
        cmocka_unit_test(d38_39_what_was_set_aside_is_not_seen_or_drawn),
        cmocka_unit_test(d44_the_president_may_act_before_anybody_speaks),
        cmocka_unit_test(codes_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
