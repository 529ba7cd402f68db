// Ripples that play the night again (5.7), and the morning after cards were turned (evenings AV6).
#include "one_night_rig.h"
#include "support/alike.h"

#define SET "alien robber seer psychic cow villager drunk"

static void ripple(struct rig *rig, const char *words) {
    char all[160];
    rig_begin(rig, 4, SET, "");
    snprintf(all, sizeof all, "aliens_stare psychic_view1 key=any %s ripple_comes value=1", words);
    rig_draw(rig, all);
    rig_deal(rig);
    rig_act(rig, "table begin");
}

static unsigned steps_of(const struct game_script *script, const char *id) {
    unsigned n = 0;
    for (unsigned i = 0; i < script->n; i++)
        n += strcmp(script->step[i].id, id) == 0;
    return n;
}

static const char *said(const struct game_script *script, unsigned line) {
    for (unsigned i = 0; i < script->n; i++)
        for (unsigned k = 0; k < script->step[i].n_cues; k++)
            if (script->step[i].cue[k].line == line)
                return script->step[i].id;
    return "";
}

static void once_more(struct rig *rig, unsigned id) { // beyond the ripple
    rig_to(rig, 1400);
    rig_act(rig, "timer next");
    rig_to(rig, id);
}

static void the_night_is_played_again(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_script script;
    ripple(&rig, "ripple_repeat");
    one_night_game.script(&rig.state, &script);
    assert_string_equal(said(&script, LINE_v_ripple_repeat), "1400");
    const char *const twice[] = {"320", "500", "550", "600", "800"}, *const single[] = {"10", "1400", "1490",
                                                                                        "1500"};
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(steps_of(&script, twice[i]), 2);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(steps_of(&script, single[i]), 1);
    assert_int_equal(steps_of(&script, "check"), 5 + 3); // two fall together; 460, 745 and 905 once more
    rig_to(&rig, 600);
    rig_act(&rig, "s2 swap a=s2 b=s3");
    once_more(&rig, 600);
    assert_string_equal(rig_at(&rig, 2), "robber");
    rig_act(&rig, "s2 swap a=s2 b=s4"); // who was dealt the card wakes again, whatever lies there now
    assert_string_equal(rig_at(&rig, 3), "seer");
    rig_to(&rig, 0);
    assert_int_equal(rig.state.g.phase, PHASE_DAY);
}

static void one_player_keeps_eyes_open(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_script script;
    ripple(&rig, "ripple_repeat1p key=activeplayers what=active_1 value=2");
    one_night_game.script(&rig.state, &script);
    assert_string_equal(said(&script, LINE_v_ripple_repeat1p), "1400");
    assert_string_equal(said(&script, LINE_k_active1), "1400");
    assert_int_equal(steps_of(&script, "600"), 2);
}

static void one_role_acts_once_more(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_script script;
    char word[32];
    snprintf(word, sizeof word, "value=%d", ROLE_ROBBER);
    rig_begin(&rig, 4, SET, "");
    rig_draw(&rig, "aliens_stare psychic_view1 key=any ripple_repeatrole");
    for (unsigned role = 0; role < ROLES; role++) // those of the set that have a step to be called again
        assert_int_equal(one_night__repeats(&rig.state.g, role),
                         (rig.state.g.roles >> role & 1) && role != ROLE_VILLAGER);
    rig.state.g.number[NUMBER_REPEATED_ROLE] = ROLE_ROBBER;
    rig.state.g.number[NUMBER_RIPPLE] = 1;
    rig_deal(&rig);
    rig_act(&rig, "table begin");
    one_night_game.script(&rig.state, &script);
    assert_string_equal(said(&script, LINE_v_ripple_repeatrole), "1400");
    assert_int_equal(steps_of(&script, "600"), 2);
    assert_int_equal(steps_of(&script, "500"), 1);
    once_more(&rig, 600);
    assert_int_equal(rig_count(&rig, 1), 3);
    rig_act(&rig, "timer next");
    assert_int_equal(one_night__night[rig.state.g.steps[rig.state.g.step]].id, 1490);
}

// The oracle's wish makes a night longer that did not repeat before: from her answer on, for everybody.
static void an_answer_brings_the_ripple(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_script script;
    rig_begin(&rig, 4, "alien robber seer oracle cow villager drunk", "");
    rig_draw(&rig, "oracle_ripple aliens_stare ripple_repeat value=0");
    rig.state.g.number[NUMBER_ORACLE_ANSWER] = ANSWER_NO;
    rig.state.g.number[NUMBER_RIPPLE] = 0;
    rig_deal(&rig);
    rig_act(&rig, "table begin");
    rig_to(&rig, 100);
    rig_act(&rig, "s4 answer value=yes");
    rig_to(&rig, 101);
    one_night_game.script(&rig.state, &script);
    assert_int_equal(steps_of(&script, "600"), 2);
}

// ---- open cards at dawn

#define OPENERS "revealer werewolf villager exposer alien robber drunk"

static bool shows(const struct rig *rig, unsigned place) {
    static struct observation seen;
    memset(&seen, 0, sizeof seen);
    seen.audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig->state, &seen);
    for (unsigned i = 0; i < seen.n_items; i++)
        if (seen.item[i].place == place)
            return seen.item[i].kind != NULL;
    return false;
}

static void av6_open_cards_are_tapped_at_dawn(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_script script;
    static struct game_proof proof;
    rig_begin(&rig, 4, OPENERS, "");
    rig_draw(&rig, "aliens_stare exposer_1 value=0");
    rig.state.g.number[NUMBER_RIPPLE] = 0;
    rig_deal(&rig);
    rig_act(&rig, "table begin");
    one_night_game.script(&rig.state, &script);
    assert_string_equal(said(&script, LINE_tap_open), "1500");
    rig_to(&rig, 1000);
    rig_act(&rig, "s1 flip a=s3");
    rig_to(&rig, 1010);
    rig_act(&rig, "s4 flip a=c2");
    rig_to(&rig, 0);
    assert_false(shows(&rig, 2)); // nobody has said yet that it lies open
    one_night_game.proof(&rig.state, GAME_BY_TABLE, one_night__pack(VERB_OPEN, 2, -1, -1), &proof);
    assert_int_equal(proof.n_needed, 1);
    assert_int_equal(proof.needed[0].type, GAME_TOUCH);
    assert_string_equal(rig.places.row[proof.needed[0].place].name, "v3");
    one_night_game.proof(&rig.state, GAME_BY_TABLE, one_night__pack(VERB_OPEN, 5, -1, -1), &proof);
    assert_string_equal(rig.places.row[proof.needed[0].place].name, "t2");
    rig_act(&rig, "table open a=s3");
    assert_true(rig_noted(&rig, LINE_open_seat));
    assert_true(shows(&rig, 2));
    rig_act(&rig, "table open a=c2");
    assert_true(rig_noted(&rig, LINE_open_centre));
    assert_true(shows(&rig, 5));
    assert_int_equal(rig_try(&rig, "table open a=c2"), ERROR_ILLEGAL);
}

// Whoever taps a card that lies face down hears the same, whatever it is, and learns nothing.
static void av6_a_tap_tells_nothing(void **state) {
    (void)state;
    static struct rig rig;
    static struct observation one, two;
    rig_begin(&rig, 4, OPENERS, "");
    rig_draw(&rig, "aliens_stare exposer_1");
    rig.state.g.number[NUMBER_RIPPLE] = 0;
    rig_deal(&rig);
    rig_act(&rig, "table begin");
    rig_to(&rig, 1000);
    static struct rig hidden;
    hidden = rig;
    hidden.words.setup = &hidden.setup;
    hidden.words.places = &hidden.places;
    rig_act(&hidden, "s1 flip a=s2"); // the werewolf, hidden again
    rig_to(&rig, 0);
    rig_to(&hidden, 0);
    rig_act(&rig, "table open a=s2");
    rig_act(&hidden, "table open a=s2");
    assert_true(alike_notes(&rig.notes, &hidden.notes));
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    one.audience = two.audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig.state, &one);
    one_night_game.observe(&hidden.state, &two);
    assert_null(alike_view(&one, &two));
    assert_false(shows(&hidden, 1));
}

static void sets_that_turn_nothing_are_not_asked(void **state) {
    (void)state;
    static struct rig rig;
    static struct game_script script;
    rig_night(&rig, 4, "werewolf robber seer minion villager villager drunk", "");
    one_night_game.script(&rig.state, &script);
    assert_string_equal(said(&script, LINE_tap_open), "");
    rig_to(&rig, 0);
    assert_int_equal(rig_try(&rig, "table open a=s3"), ERROR_ILLEGAL);
}

// Tiles crossed before the night are no secret of the cards: the state follows, the story says so.
static void crossed_tiles_are_told_at_the_reveal(void **state) {
    (void)state;
    static struct rig rig;
    rig_begin(&rig, 4, "werewolf robber seer minion villager villager drunk", "");
    rig_deal(&rig);
    rig_act(&rig, "table redeal a=s1 b=s2");
    assert_int_equal(rig.notes.n, 1);
    assert_int_equal(rig.notes.note[0].flags, GAME_NOTE_STORY);
    assert_int_equal(rig.notes.note[0].line, LINE_redealt);
    assert_string_equal(rig_at(&rig, 0), "robber");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_night_is_played_again),
        cmocka_unit_test(one_player_keeps_eyes_open),
        cmocka_unit_test(one_role_acts_once_more),
        cmocka_unit_test(an_answer_brings_the_ripple),
        cmocka_unit_test(av6_open_cards_are_tapped_at_dawn),
        cmocka_unit_test(av6_a_tap_tells_nothing),
        cmocka_unit_test(sets_that_turn_nothing_are_not_asked),
        cmocka_unit_test(crossed_tiles_are_told_at_the_reveal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
