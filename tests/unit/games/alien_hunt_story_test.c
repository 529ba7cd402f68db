// The storyboard of an evening (evenings 2.7), rows AH1 to AH7, and what hands show for each ability: hands
// made by hand, judged by the referee.
#include "alien_hunt_rig.h"
#include "engine/hands.h"
#include "engine/referee.h"

enum { MS = 1000 };

static struct rig rig;
static struct referee *referee;
static struct hands_track track;
static struct verdict verdict;
static int64_t now;

#define SIX "man_in_black ufologist alien_scientist mythomaniac alien_invader alien_explorer"

static game_place place(const char *name) {
    game_place ret = game_place_find(&rig.places, name);
    assert_int_not_equal(ret, GAME_NONE);
    return ret;
}
static game_slot token(const char *name) {
    return alien_hunt__token_slot(&rig.state.g,
                                  (unsigned)(name[0] - '1') * TOKENS_EACH + (unsigned)(name[1] - 'a'));
}
static game_slot card(unsigned seat) {
    return alien_hunt__identity_slot(rig.state.g.card[seat - 1]);
}

static void lift(const char *from, game_slot slot) {
    hands_removed(&track, place(from), slot, now, now);
}
static void drop(const char *to, game_slot slot) {
    hands_placed(&track, place(to), slot, GAME_FACE_ANY, now, now);
}
static void wait_ms(int64_t ms) {
    now += ms * MS;
    hands_age(&track, now);
}
static void tap(const char *spot, game_slot slot) {
    wait_ms(300);
    hands_tapped(&track, place(spot), slot, now);
}
static void control(const char *spot, unsigned what) {
    wait_ms(300);
    hands_control(&track, place(spot), what, now);
}

static void judge(enum verdict_type type) {
    referee_state(referee, &alien_hunt_game, &rig.setup, &rig.places, &rig.state);
    referee_judge(referee, &track.now, &verdict);
    assert_int_equal(verdict.type, type);
}
// The hands are explained by these lines, in order, and they are done.
static void explained(const char *first, const char *second) {
    const char *lines[] = {first, second};
    judge(VERDICT_EXPLAINED);
    assert_int_equal(verdict.n_actions, second ? 2 : 1);
    for (unsigned i = 0; i < verdict.n_actions; i++) {
        char line[GAME_TEXT_MAX];
        game_action_text(&rig.words, &rig.state, verdict.action[i].by, verdict.action[i].action, line);
        assert_string_equal(line, lines[i]);
        assert_int_equal(game_act(&alien_hunt_game, &rig.state, verdict.action[i].by,
                                  verdict.action[i].action, &rig.notes, &rig.err),
                         ERROR_OK);
    }
    hands_accept(&track);
}

// Everything lies where the state wants it, on pads that sense all.
static void sit_down(const char *characters, const char *identities) {
    static struct game_layout layout;
    rig_deal(&rig, 6, characters, "", identities);
    hands_init(&track, rig.places.n, rig.setup.n_slots);
    for (game_place p = 0; p < rig.places.n; p++) {
        hands_place(&track, p, 0);
        hands_sense(&track, p, HANDS_KNOWN);
    }
    now = 1000 * MS;
    alien_hunt_game.layout(&rig.state, &layout);
    for (unsigned i = 0; i < layout.n_items; i++)
        hands_placed(&track, layout.item[i].place, layout.item[i].what, GAME_FACE_ANY, now, now);
    hands_accept(&track);
    wait_ms(5000);
    judge(VERDICT_SAME);
}

static int start(void **state) {
    (void)state;
    assert_int_equal(referee_create(&referee, &rig.err), ERROR_OK);
    return 0;
}
static int end(void **state) {
    (void)state;
    referee_destroy(referee);
    return 0;
}

#define PLAIN "president investigator spy recluse journalist general"

// ---- the rows

static void ah1_two_assign_at_once(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    lift("seat_2.reserve", token("2a"));
    wait_ms(20);
    lift("seat_3.reserve", token("3c"));
    wait_ms(900);
    drop("seat_5.received", token("2a"));
    wait_ms(50);
    drop("seat_5.received", token("3c"));
    explained("s2 assign token=2a to=s5", "s3 assign token=3c to=s5");
    judge(VERDICT_SAME);
}

static void ah2_a_third_token_silences_a_pad(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    static const char *const tokens[] = {"2a", "3a"};
    for (unsigned i = 0; i < 2; i++) {
        char reserve[] = "seat_0.reserve";
        reserve[5] = tokens[i][0];
        lift(reserve, token(tokens[i]));
        wait_ms(500);
        drop("seat_5.received", token(tokens[i]));
        explained(i ? "s3 assign token=3a to=s5" : "s2 assign token=2a to=s5", NULL);
    }
    lift("seat_4.reserve", token("4b"));
    wait_ms(500);
    hands_sense(&track, place("seat_5.received"), HANDS_UNKNOWN); // doubtful, not empty
    referee_state(referee, &alien_hunt_game, &rig.setup, &rig.places, &rig.state);
    referee_judge(referee, &track.now, &verdict);
    assert_true(verdict.type == VERDICT_PARTIAL || verdict.type == VERDICT_BLIND);
    hands_sense(&track, place("seat_5.received"), HANDS_KNOWN); // laid beside
    drop("seat_5.received", token("4b"));
    explained("s4 assign token=4b to=s5", NULL);
}

static void ah3_a_second_token_on_one_target_is_refused_without_its_kind(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        static char text[160];
        sit_down(PLAIN, SIX);
        rig_act(&rig, i ? "s4 assign token=4a to=s2" : "s4 assign token=4b to=s2");
        lift("seat_4.reserve", token(i ? "4a" : "4b"));
        drop("seat_2.received", token(i ? "4a" : "4b"));
        hands_accept(&track);
        judge(VERDICT_SAME);
        lift("seat_4.reserve", token(i ? "4b" : "4a"));
        wait_ms(900);
        drop("seat_2.received", token(i ? "4b" : "4a"));
        judge(VERDICT_WRONG);
        assert_string_equal(verdict.rule, "duplicate_target");
        if (i)
            assert_string_equal(verdict.text, text); // the same words for either kind
        memcpy(text, verdict.text, sizeof text);
        assert_int_equal(verdict.n_repairs, 1);
        assert_int_equal(verdict.repairs[0].take, place("seat_2.received"));
        assert_int_equal(verdict.repairs[0].put, place("seat_4.reserve"));
        lift("seat_2.received", token(i ? "4b" : "4a"));
        wait_ms(500);
        drop("seat_4.reserve", token(i ? "4b" : "4a"));
        judge(VERDICT_SAME);
    }
}

// A token that was given stays where it was given, in the discussion and after the alert, whoever moves it
// on.
static void a_token_that_was_given_is_moved_on(void **state) {
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const char *to = i % 2 ? "seat_1.received" : "seat_6.received";
        sit_down(PLAIN, SIX);
        lift("seat_4.reserve", token("4b"));
        wait_ms(700);
        drop("seat_2.received", token("4b"));
        explained("s4 assign token=4b to=s2", NULL);
        if (i >= 2) {
            rig_act(&rig, "s1 declare_alert");
            hands_accept(&track);
        }
        lift("seat_2.received", token("4b"));
        wait_ms(900);
        drop(to, token("4b"));
        judge(VERDICT_WRONG);
        assert_string_equal(verdict.rule, i < 2 ? "token_fixed" : "wrong_phase");
        assert_int_equal(verdict.n_repairs, 1);
        assert_int_equal(verdict.repairs[0].take, place(to));
        assert_int_equal(verdict.repairs[0].put, place("seat_2.received"));
    }
}

static void ah4_an_identity_is_lifted(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    lift("seat_5.identity", card(5));
    wait_ms(2000);
    judge(VERDICT_PARTIAL);
    struct verdict alarm; // while the card is off
    assert_true(referee_forbids_look(referee, place("seat_5.identity"), card(5), &alarm));
    assert_string_equal(alarm.rule, "no_look");
    assert_false(referee_forbids_look(referee, place("seat_4.reserve"), token("4b"), &alarm));
    drop("seat_5.identity", card(5));
    judge(VERDICT_SAME);
    assert_true(verdict.uninvited || !strcmp(verdict.rule, "no_look"));
    if (verdict.uninvited)
        assert_int_equal(verdict.looked, place("seat_5.identity"));
    hands_accept(&track);
    judge(VERDICT_SAME); // cleared by itself
    assert_false(verdict.uninvited);
    lift("seat_5.identity", card(5)); // taken away: missing, at this place
    wait_ms(25000);
    judge(VERDICT_WRONG);
    assert_string_equal(verdict.rule, "missing");
    assert_int_equal(verdict.places[0], place("seat_5.identity"));
}

static void ah5_a_look_lasts_forty_seconds(void **state) {
    struct game_phase phase;
    (void)state;
    sit_down(PLAIN, SIX);
    rig_act(&rig, "s2 ability target=s5");
    alien_hunt_game.phase(&rig.state, &phase);
    assert_int_equal(phase.limit_ms, 30000);
    lift("seat_5.identity", card(5));
    wait_ms(30000);
    judge(VERDICT_SAME); // nothing is missing
    rig_act(&rig, "timer remind");
    assert_int_equal(rig.notes.n, 1);
    assert_int_equal(rig.notes.note[0].line, LINE_LAY_BACK);
    assert_int_equal(rig.notes.note[0].arg[0], 1);
    wait_ms(10000);
    drop("seat_5.identity", card(5));
    explained("s2 looked at=seat_5.identity", NULL);
    assert_int_equal(rig.state.g.look[1], 0);
    assert_int_equal(rig.state.g.saw[1][4], ALIEN_INVADER + 1);
}

static void ah6_a_token_has_fallen(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    lift("seat_4.reserve", token("4b"));
    wait_ms(25000);
    judge(VERDICT_WRONG);
    assert_string_equal(verdict.rule, "missing");
    assert_int_equal(verdict.places[0], place("seat_4.reserve"));
    drop("seat_4.reserve", token("4b")); // back where it was: nothing has happened
    judge(VERDICT_SAME);
    assert_false(verdict.uninvited && verdict.looked != place("seat_4.reserve"));
}

static void ah7_the_alert_while_a_token_flies(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    lift("seat_4.reserve", token("4b"));
    wait_ms(100);
    lift("seat_1.character", PRESIDENT);
    tap("centre.alert", PRESIDENT);
    wait_ms(800);
    drop("seat_1.character", PRESIDENT);
    judge(VERDICT_PARTIAL);
    wait_ms(1500);
    drop("seat_2.received", token("4b")); // within three seconds: still of the discussion
    explained("s4 assign token=4b to=s2", "s1 declare_alert");
}

// ---- abilities by hand (section 11)

static void taps_name_seats_in_their_order(void **state) {
    (void)state;
    sit_down("president investigator bully recluse con_artist gossip", SIX);
    lift("seat_2.character", INVESTIGATOR);
    tap("seat_2.ability", INVESTIGATOR);
    tap("seat_3.ability", INVESTIGATOR);
    wait_ms(700);
    judge(VERDICT_PARTIAL); // judged when the card is back
    drop("seat_2.character", INVESTIGATOR);
    explained("s2 ability target=s3", NULL);
    lift("seat_3.character", BULLY);
    tap("seat_3.ability", BULLY);
    tap("seat_6.ability", BULLY);
    tap("seat_1.ability", BULLY);
    wait_ms(700);
    drop("seat_3.character", BULLY);
    judge(VERDICT_EXPLAINED);
    explained("s3 ability target=s6 to=s1", NULL);
    lift("seat_6.reserve", token("6c"));
    wait_ms(700);
    drop("seat_1.received", token("6c"));
    explained("s6 assign token=6c to=s1", NULL);
    lift("seat_5.character", CON_ARTIST);
    tap("seat_5.ability", CON_ARTIST);
    tap("seat_6.ability", CON_ARTIST); // the gossip's
    wait_ms(700);
    drop("seat_5.character", CON_ARTIST);
    explained("s5 ability copy=gossip", NULL);
    assert_int_equal(rig.state.g.shown[4], 1u << 5); // the other neighbour is the recluse
}

static void a_protected_card_is_refused_by_its_rule(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    lift("seat_2.character", INVESTIGATOR);
    tap("seat_2.ability", INVESTIGATOR);
    tap("seat_4.ability", INVESTIGATOR);
    wait_ms(700);
    drop("seat_2.character", INVESTIGATOR);
    judge(VERDICT_SAME);
    assert_string_equal(verdict.rule, "protected");
    assert_int_equal(rig.state.g.used, 0);
}

static void the_policeman_lifts_then_says_done(void **state) {
    (void)state;
    sit_down("president policeman illusionist recluse journalist general", SIX);
    game_slot first = alien_hunt__identity_slot(rig.state.g.centre[0]),
              third = alien_hunt__identity_slot(rig.state.g.centre[2]);
    lift("seat_2.character", POLICEMAN);
    tap("seat_2.ability", POLICEMAN);
    wait_ms(700);
    drop("seat_2.character", POLICEMAN);
    lift("centre.undealt_1", first);
    wait_ms(1500);
    drop("centre.undealt_1", first);
    lift("centre.undealt_3", third);
    wait_ms(1500);
    drop("centre.undealt_3", third);
    control("seat_2.ability", 2);
    explained("s2 ability picks=1+3", NULL);
    lift("seat_3.character", ILLUSIONIST);
    tap("seat_3.ability", ILLUSIONIST);
    wait_ms(700);
    drop("seat_3.character", ILLUSIONIST);
    lift("seat_3.identity", card(3));
    wait_ms(700);
    drop("centre.discarded", card(3));
    lift("centre.undealt_3", third);
    wait_ms(700);
    drop("seat_3.identity", third);
    explained("s3 ability picks=3", NULL);
    judge(VERDICT_SAME);
}

static void the_own_card_is_seen_again_after_done(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    control("seat_5.ability", 2);
    explained("s5 peek", NULL);
    lift("seat_5.identity", card(5));
    wait_ms(2000);
    drop("seat_5.identity", card(5));
    explained("s5 looked at=seat_5.identity", NULL);
}

static void the_spy_lifts_what_lies_before_him(void **state) {
    (void)state;
    sit_down(PLAIN, SIX);
    lift("seat_4.reserve", token("4b"));
    wait_ms(700);
    drop("seat_3.received", token("4b"));
    explained("s4 assign token=4b to=s3", NULL);
    lift("seat_3.received", token("4b"));
    wait_ms(1500);
    drop("seat_3.received", token("4b"));
    explained("s3 looked at=seat_3.received", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ah1_two_assign_at_once, start, end),
        cmocka_unit_test_setup_teardown(ah2_a_third_token_silences_a_pad, start, end),
        cmocka_unit_test_setup_teardown(ah3_a_second_token_on_one_target_is_refused_without_its_kind, start,
                                        end),
        cmocka_unit_test_setup_teardown(a_token_that_was_given_is_moved_on, start, end),
        cmocka_unit_test_setup_teardown(ah4_an_identity_is_lifted, start, end),
        cmocka_unit_test_setup_teardown(ah5_a_look_lasts_forty_seconds, start, end),
        cmocka_unit_test_setup_teardown(ah6_a_token_has_fallen, start, end),
        cmocka_unit_test_setup_teardown(ah7_the_alert_while_a_token_flies, start, end),
        cmocka_unit_test_setup_teardown(taps_name_seats_in_their_order, start, end),
        cmocka_unit_test_setup_teardown(a_protected_card_is_refused_by_its_rule, start, end),
        cmocka_unit_test_setup_teardown(the_policeman_lifts_then_says_done, start, end),
        cmocka_unit_test_setup_teardown(the_own_card_is_seen_again_after_done, start, end),
        cmocka_unit_test_setup_teardown(the_spy_lifts_what_lies_before_him, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
