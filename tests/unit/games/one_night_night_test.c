// The night: script of a role set, what each role may do, what hands show, what is missed or slips.
#include "board/pieces.h"
#include "one_night_rig.h"
#include "support/alike.h"

#define LOG_1 "werewolf seer robber troublemaker insomniac villager drunk minion"

// evenings 3, tap log 1: begun at 30085, day at 188585.
static void script_of_tap_log_1(void **state) {
    (void)state;
    static const struct {
        unsigned at;
        const char *id;
    } expected[] = {{30085, "10"},     {36085, "check"}, {40085, "400"},   {55585, "430"},
                    {71085, "check"},  {75085, "500"},   {92585, "600"},   {112085, "700"},
                    {129585, "check"}, {133585, "800"},  {151085, "900"},  {166585, "check"},
                    {170585, "1490"},  {179585, "1500"}, {184585, "check"}};
    struct rig rig;
    struct game_script script;
    unsigned at = 30085;
    rig_night(&rig, 5, LOG_1, "ballot=tapped");
    one_night_game.script(&rig.state, &script);
    assert_int_equal(script.n, sizeof expected / sizeof *expected);
    for (unsigned i = 0; i < script.n; i++) {
        assert_string_equal(script.step[i].id, expected[i].id);
        assert_int_equal(at, expected[i].at);
        assert_int_equal(script.step[i].length_ms % 250, 0);
        assert_int_equal(script.step[i].checkpoint, strcmp(expected[i].id, "check") == 0);
        assert_true(script.step[i].n_cues > 0);
        at += script.step[i].length_ms;
    }
    assert_int_equal(at, 188585);
    struct game_phase phase;
    rig_to(&rig, 0);
    one_night_game.phase(&rig.state, &phase);
    assert_string_equal(one_night_game.phases[phase.id].id, "day");
    assert_int_equal(phase.limit_ms, 240000);
}

// The night of tap log 1 as worked case.
static void night_of_tap_log_1(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 500);
    rig_act(&rig, "s2 view a=c1+c3");
    rig_to(&rig, 600);
    rig_act(&rig, "s3 swap a=s3 b=s1");
    rig_to(&rig, 700);
    rig_act(&rig, "s4 swap a=s1 b=s5");
    rig_to(&rig, 900);
    rig_act(&rig, "s5 view a=s5");
    rig_vote_phase(&rig);
    static const char *const final[] = {"insomniac", "seer",     "werewolf", "troublemaker",
                                        "robber",    "villager", "drunk",    "minion"};
    for (unsigned p = 0; p < 8; p++)
        assert_string_equal(rig_at(&rig, p), final[p]);
    rig_act(&rig, "s1 vote a=s3");
    rig_act(&rig, "s2 vote a=s3");
    rig_act(&rig, "s3 vote a=s1");
    rig_act(&rig, "s4 vote a=s3");
    rig_act(&rig, "s5 vote a=s1");
    rig_act(&rig, "timer next");
    struct observe_result result;
    one_night_game.result(&rig.state, &result);
    assert_int_equal(result.dead, 1 << 2);
    assert_int_equal(result.winners, 0x1b);
    assert_string_equal(result.teams[0].name, "village");
    assert_true(result.teams[0].won);
    assert_string_equal(result.seats[2].role, "werewolf");
}

// What each role may do, counted.
static void acts_of_the_base_set(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 400);
    assert_int_equal(rig_count(&rig, 0), 0);
    rig_to(&rig, 500);
    assert_int_equal(rig_count(&rig, 1), 4 + 3 + 3); // a player's card, one or two of the centre
    assert_int_equal(rig_count(&rig, 0), 0);
    rig_to(&rig, 600);
    assert_int_equal(rig_count(&rig, 2), 4);
    rig_to(&rig, 700);
    assert_int_equal(rig_count(&rig, 3), 6);
    rig_act(&rig, "s4 swap a=s1 b=s5");
    assert_int_equal(rig_count(&rig, 3), 0);
    assert_int_equal(rig_try(&rig, "s4 swap a=s2 b=s3"), ERROR_ILLEGAL);
    rig_to(&rig, 800);
    for (int s = 0; s < 5; s++)
        assert_int_equal(rig_count(&rig, s), 0); // the drunk lies in the centre
    rig_to(&rig, 900);
    assert_int_equal(rig_count(&rig, 4), 1);
}

static void lone_wolf_option(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 3, "werewolf seer robber werewolf drunk villager", "lone_wolf=1");
    rig_to(&rig, 400);
    assert_int_equal(rig_count(&rig, 0), 3);
    assert_int_equal(one_night__step_ms(&rig.state.g, rig.state.g.step), 19250);
    rig_night(&rig, 3, "werewolf werewolf robber seer drunk villager", "lone_wolf=1");
    rig_to(&rig, 400);
    assert_int_equal(rig_count(&rig, 0), 0);
    rig_night(&rig, 3, "werewolf seer robber werewolf drunk villager", "");
    rig_to(&rig, 400);
    assert_int_equal(rig_count(&rig, 0), 0);
}

// Whatever is drawn: when a call has been said in the slowest of the languages, the window is still there.
static void a_call_of_several_sentences_leaves_its_window(void **state) {
    static const struct {
        const char *game, *id;
        uint32_t ms;
    } measured[] = {
#define LINE(game, id, args, ms, text) {game, id, ms},
#include "../../../clients/room/lines.def"
#undef LINE
    };
    static const char *const sets[][2] = {
        {"werewolf dream_wolf seer minion mason mason robber drunk", "lone_wolf=1"},
        {"doppelganger minion witch paranormal_investigator squire werewolf villager villager", ""},
        {"vampire renfield priest apprentice_assassin assassin marksman seer villager", ""},
        {"alien alien psychic rascal leader mortician cow seer", ""},
        {"doppelganger alien psychic rascal mortician exposer oracle blob", ""},
        {"doppelganger leader groob zerb copycat assassin apprentice_assassin renfield", ""},
    };
    static struct game_script script;
    (void)state;
    for (unsigned i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct rig rig;
        rig_night(&rig, 5, sets[i][0], sets[i][1]);
        one_night_script(&rig.state, &script);
        for (unsigned s = 0; s < script.n; s++) {
            const struct game_step *step = &script.step[s];
            uint32_t said = 0;
            for (unsigned c = 0; c < step->n_cues && step->cue[c].at_ms < step->close_ms; c++)
                for (unsigned k = 0; k < sizeof measured / sizeof *measured; k++)
                    if (!strcmp(measured[k].game, "one_night") &&
                        !strcmp(measured[k].id, one_night__lines[step->cue[c].line].id))
                        said += measured[k].ms;
            if (step->close_ms < step->length_ms && said + 7250 > step->close_ms)
                fail_msg("set %u, step %s: %u ms are said, hands close at %u", i, step->id, said,
                         step->close_ms);
        }
    }
}

// ON2: the second centre card may be a second look, also after the close; a player's card is the only one.
static void on2_seer_looks_one_by_one(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 5, LOG_1, "seer_mode=must");
    rig_to(&rig, 500);
    rig_act(&rig, "s2 view a=c1");
    assert_int_equal(rig_count(&rig, 1), 2);
    assert_int_equal(rig_try(&rig, "s2 view a=s1"), ERROR_ILLEGAL);
    assert_int_equal(rig_try(&rig, "s2 view a=c1"), ERROR_ILLEGAL);
    rig_act(&rig, "timer hold");
    assert_int_equal(rig.notes.n, 0);
    rig_act(&rig, "s2 view a=c3");
    assert_int_equal(rig_count(&rig, 1), 0);
    assert_int_equal(rig.state.g.n_saw, 2);
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 500);
    rig_act(&rig, "s2 view a=s1");
    assert_int_equal(rig_count(&rig, 1), 0);
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 500);
    rig_act(&rig, "s2 view a=c1+c2");
    assert_int_equal(rig_count(&rig, 1), 0);
}

// 4.2: instant acts of a doppelganger stand in her own step; the later slot is called whatever she copied.
static void doppelganger_acts_at_once(void **state) {
    (void)state;
    static const struct {
        const char *role;
        size_t acts;
    } rows[] = {{"seer", 10 - 1}, {"robber", 3}, {"troublemaker", 3},
                {"drunk", 3},     {"minion", 0}, {"tanner", 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char cards[128];
        struct rig rig;
        snprintf(cards, sizeof cards, "doppelganger %s villager werewolf villager villager werewolf",
                 rows[i].role);
        rig_night(&rig, 4, cards, "");
        rig_to(&rig, 120);
        assert_int_equal(rig_count(&rig, 0), 3);
        rig_act(&rig, "s1 copy a=s2");
        assert_int_equal(rig_count(&rig, 0), rows[i].acts);
        assert_int_equal(one_night__card_role(&rig.state.g, rig.state.g.at[0]),
                         game_kind_find(&one_night_game, rows[i].role));
    }
}

static void doppelganger_slots_are_called_by_the_set(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "doppelganger minion insomniac werewolf robber villager villager", "");
    rig_to(&rig, 128);
    assert_false(one_night__wakes(&rig.state.g, rig.state.g.steps[rig.state.g.step], 0));
    rig_to(&rig, 905);
    rig_night(&rig, 4, "doppelganger minion insomniac werewolf robber villager villager", "");
    rig_to(&rig, 120);
    rig_act(&rig, "s1 copy a=s3");
    rig_to(&rig, 905);
    assert_int_equal(rig_count(&rig, 0), 1);
    assert_int_equal(rig_count(&rig, 2), 0);
}

// ---- what hands show

static void proof(const struct rig *rig, const char *line, struct game_proof *ret) {
    game_action action;
    int by;
    struct error err = {0};
    if (game_action_parse(&rig->words, &rig->state, line, &by, &action, &err) != ERROR_OK)
        fail_msg("%s: %s", line, err.text);
    memset(ret, 0, sizeof *ret);
    one_night_game.proof(&rig->state, by, action, ret);
}

static game_slot slot_at(const struct game_layout *layout, game_place place) {
    for (unsigned i = 0; i < layout->n_items; i++)
        if (layout->item[i].place == place)
            return layout->item[i].what;
    return GAME_NONE;
}

// ON14: the robber may read his new card in the hand; nothing asks for it, and nobody else's look is allowed.
static void on14_robber_reads_in_the_hand(void **state) {
    (void)state;
    struct rig rig;
    static struct game_proof p;
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 600);
    game_slot own = rig.state.g.at[2], wolf = rig.state.g.at[0];
    proof(&rig, "s3 swap a=s1 b=s3", &p);
    assert_int_equal(p.n_needed, 0);
    assert_int_equal(p.n_allowed, 1);
    assert_int_equal(p.allowed[0].type, GAME_LOOK);
    assert_int_equal(p.allowed[0].place, 2);
    assert_int_equal(p.allowed[0].what, wolf);
    assert_int_equal(slot_at(&p.layout, 2), wolf);
    assert_int_equal(slot_at(&p.layout, 0), own);
    rig_to(&rig, 700);
    proof(&rig, "s4 swap a=s1 b=s5", &p);
    assert_int_equal(p.n_allowed, 0); // blind
}

static void views_need_looks(void **state) {
    (void)state;
    struct rig rig;
    static struct game_proof p;
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 500);
    proof(&rig, "s2 view a=c1+c3", &p);
    assert_int_equal(p.n_needed, 2);
    assert_int_equal(p.needed[0].place, 5);
    assert_int_equal(p.needed[1].place, 7);
    assert_int_equal(p.needed[1].what, rig.state.g.at[7]);
}

static void control_pieces_begin_and_end(void **state) {
    (void)state;
    struct rig rig;
    static struct game_proof p;
    rig_begin(&rig, 5, LOG_1, "");
    rig_deal(&rig);
    proof(&rig, "table begin", &p);
    assert_int_equal(p.needed[0].type, GAME_CONTROL);
    assert_int_equal(p.needed[0].what, CONTROL_START);
    rig_act(&rig, "table begin");
    rig_to(&rig, 0);
    proof(&rig, "table end_day", &p);
    assert_int_equal(p.needed[0].what, CONTROL_DONE);
}

// ON3: an exchange put back is a slip beside the right swap.
static void on3_exchanged_and_put_back(void **state) {
    (void)state;
    struct rig rig;
    static struct game_proof p;
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 700);
    game_slot a = rig.state.g.at[3], b = rig.state.g.at[4];
    proof(&rig, "table slip_back a=s4 b=s5", &p);
    assert_int_equal(p.n_needed, 2);
    assert_int_equal(p.needed[0].type, GAME_REST);
    assert_int_equal(p.needed[0].place, 3);
    assert_int_equal(p.needed[0].what, b);
    assert_int_equal(p.needed[1].what, a);
    rig_act(&rig, "table slip_back a=s4 b=s5");
    assert_true(rig_noted(&rig, LINE_slip_back));
    assert_int_equal(rig.state.g.at[3], a);
    rig_act(&rig, "s4 swap a=s1 b=s5"); // her own act is still open
}

// ON8: a cycle of three is two exchanges that nobody might make; the state follows the tiles.
static void on8_three_tile_cycle(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 5, LOG_1, "");
    rig_to(&rig, 430);
    rig_act(&rig, "table slip_swap a=s1 b=s2");
    rig_act(&rig, "table slip_swap a=s2 b=s3");
    assert_true(rig_noted(&rig, LINE_slip_swapped));
    assert_string_equal(rig_at(&rig, 0), "seer");
    assert_string_equal(rig_at(&rig, 1), "robber");
    assert_string_equal(rig_at(&rig, 2), "werewolf");
}

// Two acts that differ in effect never show the same to the pads in the dark.
static void dark_choices_differ(void **state) {
    (void)state;
    struct rig rig;
    static struct game_proof proofs[64];
    rig_night(&rig, 5, "doppelganger seer robber troublemaker insomniac villager drunk werewolf",
              "lone_wolf=1");
    rig_to(&rig, 120);
    rig_act(&rig, "s1 copy a=s2");
    while (rig.state.g.phase == PHASE_NIGHT) {
        for (int by = 0; by < 5; by++) {
            game_action all[64];
            size_t n = one_night_game.legal(&rig.state, by, all, 64);
            memset(proofs, 0, sizeof proofs);
            for (size_t i = 0; i < n; i++) {
                one_night_game.proof(&rig.state, by, all[i], &proofs[i]);
                for (size_t k = 0; k < i; k++)
                    assert_false(alike_proof(&proofs[i], &proofs[k]));
            }
        }
        rig_act(&rig, "timer next");
    }
}

// ---- missed, held

// ON6, ON7: the drunk must; from the centre nobody misses anything, and the time is the same.
static void on6_drunk_does_nothing(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 3, "drunk seer werewolf robber villager villager", "");
    rig_to(&rig, 800);
    rig_act(&rig, "timer next");
    assert_true(rig_noted(&rig, LINE_missed_mandatory));
    for (unsigned i = 0; i < rig.notes.n; i++)
        assert_int_equal(rig.notes.note[i].flags, GAME_NOTE_STORY);
    rig_night(&rig, 3, "drunk seer werewolf robber villager villager", "");
    rig_to(&rig, 800);
    rig_act(&rig, "s1 swap a=s1 b=c2");
    rig_act(&rig, "timer next");
    assert_int_equal(rig.notes.n, 0);
    rig_night(&rig, 3, "robber seer werewolf drunk villager villager", ""); // ON7
    rig_to(&rig, 800);
    rig_act(&rig, "timer next");
    assert_int_equal(rig.notes.n, 0);
}

static void must_by_option(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 3, "drunk seer werewolf robber villager villager", "drunk_mode=may seer_mode=must");
    rig_to(&rig, 500);
    rig_act(&rig, "timer next");
    assert_true(rig_noted(&rig, LINE_missed_mandatory));
    rig_to(&rig, 800);
    rig_act(&rig, "timer next");
    assert_false(rig_noted(&rig, LINE_missed_mandatory));
    rig_night(&rig, 3, "robber seer werewolf drunk villager villager", "house_cn=1");
    rig_to(&rig, 600);
    rig_act(&rig, "timer next");
    assert_true(rig_noted(&rig, LINE_missed_mandatory));
}

// A piece in the air at the close: its seat may finish in the next step; nothing is missed before.
static void held_over(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "drunk seer insomniac werewolf robber villager villager", "");
    rig_to(&rig, 800);
    rig_act(&rig, "timer hold");
    assert_int_equal(rig.notes.n, 0);
    assert_int_equal(rig_count(&rig, 0), 3);
    assert_int_equal(rig_count(&rig, 2), 1);
    struct game_phase phase;
    one_night_game.phase(&rig.state, &phase);
    assert_int_equal(phase.turn, 1 << 0 | 1 << 2);
    rig_act(&rig, "s1 swap a=s1 b=c1");
    rig_act(&rig, "s3 view a=s3");
    rig_act(&rig, "timer next");
    assert_int_equal(rig.notes.n, 0);
    rig_night(&rig, 4, "drunk seer insomniac werewolf robber villager villager", "");
    rig_to(&rig, 800);
    rig_act(&rig, "timer hold");
    rig_act(&rig, "timer next");
    assert_true(rig_noted(&rig, LINE_missed_mandatory));
}

// B074: a step lasts as long whoever holds its role.
static void b074_step_times(void **state) {
    (void)state;
    struct rig rig;
    static struct game_script first, other;
    rig_night(&rig, 3, "drunk seer werewolf robber minion doppelganger", "");
    one_night_game.script(&rig.state, &first);
    rig_night(&rig, 3, "robber minion doppelganger drunk seer werewolf", "");
    one_night_game.script(&rig.state, &other);
    assert_true(alike_script(&first, &other));
}

// B075: the order of effects is the order of the steps.
static void b075_order_of_effects(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "robber troublemaker drunk werewolf seer villager villager", "");
    assert_int_equal(rig_try(&rig, "s2 swap a=s1 b=s3"), ERROR_ILLEGAL);
    rig_to(&rig, 600);
    assert_int_equal(rig_try(&rig, "s2 swap a=s1 b=s3"), ERROR_ILLEGAL);
    rig_act(&rig, "s1 swap a=s1 b=s4");
    rig_to(&rig, 700);
    rig_act(&rig, "s2 swap a=s1 b=s3");
    rig_to(&rig, 800);
    rig_act(&rig, "s3 swap a=s3 b=c1"); // he puts down the werewolf that came to him
    assert_string_equal(rig_at(&rig, 0), "drunk");
    assert_string_equal(rig_at(&rig, 2), "seer");
    assert_string_equal(rig_at(&rig, 3), "robber");
    assert_string_equal(rig_at(&rig, 4), "werewolf");
}

// By day a mark is asked for that somebody may have laid at night: what is refused is refused in the same
// words.
static void a_refusal_by_day_does_not_tell_what_marks_were_laid(void **state) {
    static const char set[] = "vampire renfield priest apprentice_assassin assassin marksman seer villager";
    static const char *const asked[] = {"s5 mark mark=vampire a=k3", "s5 mark mark=assassin a=k3",
                                        "s5 mark mark=clarity a=k3", "table slip_mark a=k3 slot=13"};
    struct rig laid, none;
    (void)state;
    rig_night(&none, 5, set, "");
    rig_night(&laid, 5, set, "");
    rig_to(&laid, 200);
    rig_act(&laid, "s1 mark mark=vampire a=k4");
    rig_to(&laid, 0);
    rig_to(&none, 0);
    for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
        assert_int_equal(rig_try(&none, asked[i]), rig_try(&laid, asked[i]));
        assert_string_equal(none.err.rule, laid.err.rule);
        assert_string_equal(none.err.text, laid.err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(script_of_tap_log_1),
        cmocka_unit_test(night_of_tap_log_1),
        cmocka_unit_test(acts_of_the_base_set),
        cmocka_unit_test(lone_wolf_option),
        cmocka_unit_test(a_refusal_by_day_does_not_tell_what_marks_were_laid),
        cmocka_unit_test(a_call_of_several_sentences_leaves_its_window),
        cmocka_unit_test(on2_seer_looks_one_by_one),
        cmocka_unit_test(doppelganger_acts_at_once),
        cmocka_unit_test(doppelganger_slots_are_called_by_the_set),
        cmocka_unit_test(on14_robber_reads_in_the_hand),
        cmocka_unit_test(views_need_looks),
        cmocka_unit_test(control_pieces_begin_and_end),
        cmocka_unit_test(on3_exchanged_and_put_back),
        cmocka_unit_test(on8_three_tile_cycle),
        cmocka_unit_test(dark_choices_differ),
        cmocka_unit_test(on6_drunk_does_nothing),
        cmocka_unit_test(must_by_option),
        cmocka_unit_test(held_over),
        cmocka_unit_test(b074_step_times),
        cmocka_unit_test(b075_order_of_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
