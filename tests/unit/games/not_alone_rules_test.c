// Rules of not-alone.md that no worked case shows; numbers in names are its sections.
#include "unit/games/not_alone_rig.h"

static struct rig r;

static bool is_out(uint16_t set, unsigned place) {
    return set >> place & 1;
}
// Everybody says ready until the phase is over.
static void all_ready(enum not_alone_phase phase) {
    char line[64];
    for (int seat = 0; seat <= r.s.n && r.s.phase == phase; seat++) {
        snprintf(line, sizeof line, "s%d ready", seat + 1);
        if (!not_alone__is_ready(&r.s, (unsigned)seat))
            rig_act(&r, line);
    }
}
// Everybody has laid; the Creature places and nobody plays a card.
static void to_places(const char *places) {
    char line[64];
    if (r.s.phase == EXPLORATION)
        rig_act(&r, "c ready");
    snprintf(line, sizeof line, "c place_token token=creature places=%s", places);
    rig_act(&r, line);
    all_ready(HUNTING);
    if (r.s.wait == WAIT_NONE && r.s.step == STEP_WINDOW)
        all_ready(RECKONING);
}
static void end_turn(void) {
    all_ready(END_OF_TURN);
    rig_draws(&r);
}

static void setup_2(void **state) {
    (void)state;
    rig_begin(&r, 7, "");
    assert_int_equal(r.s.rescue, 18);
    assert_int_equal(r.s.assimilation, 12);
    rig_draws(&r);
    assert_int_equal(not_alone__count(r.s.hunt_hand), 3);
    for (unsigned k = 0; k < r.s.n; k++)
        assert_int_equal(not_alone__count(r.s.h[k].survival), 1);
    assert_true(rig_prepare(&r, 2, "board_side=2"));
    assert_false(rig_prepare(&r, 8, ""));
    assert_false(rig_prepare(&r, 1, ""));
}

static void while_cards_are_drawn_nobody_acts(void **state) {
    (void)state;
    rig_begin(&r, 3, "");
    rig_refuses(&r, "h1 lay cards=1", "E_PENDING");
    rig_draws(&r);
    rig_act(&r, "h1 lay cards=1");
}

static void river_4_3(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "");
    r.s.h[0].pending = PENDING_RIVER;
    rig_refuses(&r, "h1 lay cards=3", "E_NUM_CARDS");
    rig_acts(&r, "h1 lay cards=3+5; h2 lay cards=1");
    to_places("9");
    assert_int_equal(r.s.wait, WAIT_RIVER);
    struct game_phase phase;
    not_alone_game.phase(&r.s, &phase);
    assert_int_equal(not_alone_game.phases[phase.id].veil, OBSERVE_SEALED);
    rig_refuses(&r, "h2 choose_river card=1", "E_PENDING");
    rig_refuses(&r, "h1 choose_river card=1", "E_NOT_IN_HAND");
    rig_act(&r, "h1 choose_river card=5");
    assert_true(rig_noted(&r, LINE_REVEAL)); // the seal is off: it may be said
    assert_true(is_out(r.s.h[0].hand, 3));
    assert_int_equal(r.s.h[0].laid[1].card, 5); // it stays on its pad
    assert_int_equal(r.s.h[0].pending, PENDING_NONE);
}

static void shelter_and_the_drawn_wait_4_4(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "adrenaline adrenaline");
    r.s.h[0].hand |= PLACE_BIT(7);
    r.s.h[0].copy[2] = 1;
    rig_acts(&r, "h1 lay cards=7; h2 lay cards=4");
    to_places("9");
    rig_act(&r, "h1 use_power");
    assert_true(not_alone__draws(&r.s));
    rig_draw(&r, "dodge");
    rig_draw(&r, "drone");
    assert_int_equal(r.s.wait, WAIT_SHELTER);
    assert_int_equal(rig_facts(rig_view(&r, 1), "drawn", 1), 2);
    assert_int_equal(rig_facts(rig_view(&r, OBSERVE_PUBLIC), "drawn", 1), 0);
    rig_refuses(&r, "h1 keep card=gate", "E_NOT_IN_HAND");
    rig_act(&r, "h1 keep card=dodge");
    assert_int_equal(r.s.survival_discard[0], SURVIVAL_DRONE);
    assert_int_equal(r.s.wait, WAIT_DRAWN);
    rig_refuses(&r, "h2 use_power", "E_PENDING");
    rig_refuses(&r, "h1 play_survival card=dodge", "E_NO_EFFECT");
    rig_act(&r, "h1 ready");
    assert_int_equal(r.s.active, 1);
}

static void source_6(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "");
    r.s.h[0].hand |= PLACE_BIT(9);
    r.s.h[0].copy[4] = 1;
    r.s.h[1].will = 1;
    rig_acts(&r, "h1 lay cards=9; h2 lay cards=4");
    to_places("1");
    rig_refuses(&r, "h1 use_power", "E_ARG");
    rig_refuses(&r, "h1 use_power heal=h1", "E_TARGET"); // 3 Will
    rig_act(&r, "h1 use_power heal=h2");
    assert_int_equal(r.s.h[1].will, 2);
}

static void phobia_is_for_the_creature_alone_11(void **state) {
    (void)state;
    rig_start(&r, 3, "", "phobia clone stasis", "");
    rig_acts(&r, "h1 lay cards=1; h2 lay cards=4; c ready");
    rig_refuses(&r, "c play_hunt card=phobia", "E_ARG");
    rig_act(&r, "c play_hunt card=phobia hunted=h1");
    rig_refuses(&r, "h2 show cards=1+2", "E_PENDING");
    rig_refuses(&r, "h1 show cards=2", "E_NUM_CARDS");
    rig_act(&r, "h1 show cards=2+3");
    assert_int_equal(rig_facts(rig_view(&r, 0), "shown", 1), 2);
    assert_int_equal(rig_facts(rig_view(&r, 2), "shown", 1), 0);
    assert_int_equal(rig_facts(rig_view(&r, OBSERVE_PUBLIC), "shown", 1), 0);
    assert_true(not_alone__available(&r.s, TOKEN_ARTEMIA));
}

static void ascendancy_and_forbidden_zone_7(void **state) {
    (void)state;
    rig_start(&r, 3, "", "ascendancy forbidden_zone clone", "");
    rig_acts(&r, "h1 lay cards=1; h2 lay cards=4; c ready");
    r.s.hunt_left = 2;
    rig_act(&r, "c play_hunt card=ascendancy hunted=h1");
    rig_refuses(&r, "c place_token token=creature places=1", "E_PENDING");
    rig_act(&r, "h1 discard cards=2+3");
    assert_int_equal(not_alone__count(r.s.h[0].hand), 2);
    rig_act(&r, "c play_hunt card=forbidden_zone");
    rig_act(&r, "h1 discard cards=4");
    // Sealed until the last one: nobody else learns which.
    assert_false(is_out(r.s.h[0].discard, 4));
    assert_int_equal(rig_view(&r, OBSERVE_PUBLIC)->counter[5].value, rig_view(&r, 2)->counter[5].value);
    rig_refuses(&r, "h1 discard cards=5", "E_PENDING");
    rig_act(&r, "h2 discard cards=5");
    assert_true(is_out(r.s.h[0].discard, 4) && is_out(r.s.h[1].discard, 5));
}

static void strike_back_8(void **state) {
    (void)state;
    rig_start(&r, 3, "", "despair clone stasis", "strike_back");
    rig_act(&r, "h1 play_survival card=strike_back");
    rig_draw(&r, "clone");
    rig_draw(&r, "despair");
    assert_int_equal(r.s.hunt_hand, 1u << HUNT_STASIS);
    assert_int_equal(r.s.n_under, 2);
    assert_int_equal(r.s.under[0], HUNT_CLONE);
    r.s.hunt_deck = 0; // now they come first, in order
    r.s.refill = 1;
    rig_refuses(&r, "h1 lay cards=1", "E_PENDING");
    rig_draw(&r, NULL);
    assert_true(r.s.hunt_hand >> HUNT_CLONE & 1);
}

static void vortex_8(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "vortex");
    r.s.h[0].hand &= (uint16_t)~PLACE_BIT(2);
    r.s.h[0].discard = PLACE_BIT(2);
    rig_acts(&r, "h1 lay cards=1; h2 lay cards=4; c ready");
    rig_refuses(&r, "h1 play_survival card=vortex take=3", "E_TAKE_SET");
    rig_act(&r, "h1 play_survival card=vortex take=2");
    assert_int_equal(r.s.h[0].laid[0].card, 2);
    assert_int_equal(r.s.h[0].discard, PLACE_BIT(1));
}

static void smokescreen_hides_discards_8(void **state) {
    (void)state;
    rig_start(&r, 3, "", "", "smokescreen");
    r.s.h[1].hand &= (uint16_t)~PLACE_BIT(2);
    r.s.h[1].discard = PLACE_BIT(2);
    rig_act(&r, "h1 play_survival card=smokescreen");
    game_place pile = not_alone__spot(1, SPOT_DISCARD);
    for (int audience = OBSERVE_PUBLIC; audience <= 2; audience++) {
        const struct observation *view = rig_view(&r, audience);
        for (unsigned i = 0; i < view->n_items; i++)
            if (view->item[i].place == pile)
                assert_int_equal(view->item[i].kind != NULL, audience > 0);
    }
}

static void detour_moves_the_place_not_the_card_7(void **state) {
    (void)state;
    rig_start(&r, 3, "", "detour clone stasis", "");
    rig_acts(&r, "h1 lay cards=1; h2 lay cards=4; c ready; c place_token token=creature places=6");
    all_ready(HUNTING);
    rig_refuses(&r, "c play_hunt card=detour hunted=h1 to=3", "E_NOT_ADJACENT");
    rig_act(&r, "c play_hunt card=detour hunted=h1 to=6");
    assert_int_equal(r.s.h[0].laid[0].at, 6);
    assert_int_equal(r.s.h[0].laid[0].card, 1);
    assert_int_equal(rig_facts(rig_view(&r, OBSERVE_PUBLIC), "explores", 1), 1);
}

static void flashback_and_tracking_7(void **state) {
    (void)state;
    rig_start(&r, 2, "", "tracking flashback stasis", "");
    rig_refuses(&r, "c play_hunt card=flashback", "E_NO_EFFECT"); // an empty pile, in every phase
    rig_act(&r, "h1 lay cards=4");
    to_places("9");
    rig_act(&r, "h1 use_power");
    rig_act(&r, "c play_hunt card=tracking");
    rig_refuses(&r, "c play_hunt card=stasis", "E_CARD_LIMIT");
    end_turn();
    assert_int_equal(r.s.hunt_left, 2);
    rig_refuses(&r, "c play_hunt card=flashback", "E_PHASE"); // it is a Tracking now
    rig_act(&r, "h1 lay cards=5");
    to_places("9");
    rig_act(&r, "h1 pass_place");
    rig_acts(&r, "c play_hunt card=flashback; c play_hunt card=stasis");
    end_turn();
    assert_int_equal(r.s.hunt_left, 2);
    assert_int_equal(r.s.hunt_discard[0], HUNT_STASIS); // newest first
    assert_int_equal(r.s.hunt_discard[1], HUNT_FLASHBACK);
}

static void hologram_moves_by_option_10(void **state) {
    (void)state;
    rig_start(&r, 3, "hologram_mode=move", "virus clone stasis", "hologram");
    rig_acts(&r,
             "h1 lay cards=4; h2 lay cards=1; c ready; c play_hunt card=virus;"
             "c place_token token=artemia places=1+2; c place_token token=creature places=9");
    all_ready(HUNTING);
    rig_refuses(&r, "h1 play_survival card=hologram", "E_ARG");
    rig_refuses(&r, "h1 play_survival card=hologram to=5", "E_NOT_ADJACENT");
    rig_act(&r, "h1 play_survival card=hologram to=7"); // it shrinks to one place
    assert_int_equal(r.s.token[TOKEN_ARTEMIA], PLACE_BIT(7));
}

static void expert_gives_two_will_10(void **state) {
    (void)state;
    rig_start(&r, 2, "expert=yes", "", "");
    r.s.h[0].will = 1;
    rig_act(&r, "h1 lay cards=4");
    to_places("4");
    assert_int_equal(r.s.h[0].will, 2);
    assert_int_equal(r.s.assimilation, 5); // caught, then the last Will
}

static void ready_4(void **state) {
    (void)state;
    rig_start(&r, 3, "", "clone mirage stasis", "dodge dodge");
    rig_refuses(&r, "h1 ready", "E_NOT_CREATURE");
    rig_acts(&r, "h1 lay cards=4; h2 lay cards=1; c ready");
    rig_refuses(&r, "c ready", "E_TOKENS_MISSING");
    rig_refuses(&r, "h1 place_token token=creature places=4", "E_NOT_CREATURE");
    rig_act(&r, "h1 ready");
    assert_int_equal(r.s.ready, 2);
    rig_act(&r, "c play_hunt card=clone"); // clears what was said
    assert_int_equal(r.s.ready, 0);
    rig_refuses(&r, "c lay cards=1", "E_PHASE");
}

static void give(unsigned hunted, const char *cards) { // Survival cards, beside those drawn
    char copy[128], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", cards);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        r.s.h[hunted - 1].survival |= PLACE_BIT(rig_survival(word));
}
static void refuses_all(const char *const rows[][2]) {
    for (unsigned i = 0; rows[i][0]; i++)
        rig_refuses(&r, rows[i][0], rows[i][1]);
}

static void codes_of_exploration_5(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"c lay cards=1", "E_NOT_ACTIVE"},
        {"h1 lay cards=6", "E_NOT_IN_HAND"},
        {"h1 lay cards=1+2", "E_NUM_CARDS"},
        {"h1 take_up", "E_NO_EFFECT"},
        {"h1 play_hunt card=despair", "E_NOT_CREATURE"},
        {"h1 resist will=1 take=4", "E_NOTHING_TO_REGAIN"},
        {"h1 resist will=3 take=4", "E_ARG"},
        {"h1 use_power", "E_PHASE"},
        {"h1 discard cards=1", "E_PHASE"},
        {"h1 play_survival card=sixth_sense take=4", "E_NOTHING_TO_REGAIN"},
        {"h1 play_survival card=sacrifice discard=7", "E_NOT_IN_HAND"},
        {"h1 play_survival card=adrenaline", "E_NO_EFFECT"},
        {"h1 play_survival card=adrenaline take=1", "E_ARG"},
        {"h1 play_survival card=dodge", "E_PHASE"},
        {"h2 play_survival card=adrenaline", "E_NOT_IN_HAND"},
        {"c play_hunt card=clone", "E_PHASE"},
        {"c play_hunt card=force_field places=1", "E_FOOTPRINT"},
        {"c play_hunt card=despair place=3", "E_ARG"},
        {"c play_hunt card=force_field", "E_ARG"},
        {"c play_survival card=adrenaline", "E_NOT_ACTIVE"},
        {NULL, NULL},
    };
    rig_start(&r, 3, "", "force_field despair stasis", "");
    give(1, "adrenaline sacrifice sixth_sense dodge ingenuity");
    r.s.h[1].survival = 0;
    refuses_all(rows);
    r.s.h[0].will = 1;
    r.s.h[0].discard = PLACE_BIT(1) | PLACE_BIT(2);
    r.s.h[0].hand &= (uint16_t)~r.s.h[0].discard;
    rig_refuses(&r, "h1 resist will=2 take=1+2", "E_WILL");
    r.s.h[0].will = 2;
    rig_refuses(&r, "h1 resist will=2 take=1+2", "E_TAKE_SET");
    rig_act(&r, "h1 play_survival card=sixth_sense take=1+2");
    rig_refuses(&r, "h1 play_survival card=ingenuity", "E_CARD_LIMIT");
    rig_act(&r, "c play_hunt card=force_field places=1+2");
    give(2, "sacrifice strike_back");
    rig_refuses(&r, "h2 play_survival card=sacrifice discard=1", "E_TOO_LATE");
    rig_refuses(&r, "c play_hunt card=despair", "E_CARD_LIMIT");
    r.s.hunt_left = 1;
    rig_act(&r, "h2 play_survival card=sacrifice discard=1");
    rig_refuses(&r, "c play_hunt card=despair", "E_SACRIFICE");
    rig_refuses(&r, "h2 lay cards=2", "E_FORCE_FIELD");
    rig_act(&r, "h2 lay cards=3");
    rig_refuses(&r, "h2 lay cards=4", "E_ALREADY_LAID");
    rig_refuses(&r, "h2 resist will=1 take=1", "E_ALREADY_LAID");
}

static void codes_of_hunting_5(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"c place_token token=creature places=4+5", "E_FOOTPRINT"},
        {"c place_token token=artemia places=4", "E_TOKEN_UNAVAILABLE"},
        {"c play_hunt card=anticipation", "E_ARG"},
        {"c play_hunt card=ascendancy hunted=h2", "E_TARGET"},
        {"c play_hunt card=scream", "E_NOT_IN_HAND"},
        {"c play_hunt card=stasis", "E_PHASE"},
        {"h1 play_survival card=vortex take=4", "E_TAKE_SET"},
        {"h1 play_survival card=vortex take=4 give=5", "E_SLOT"},
        {"h1 play_survival card=vortex take=4+5", "E_NUM_CARDS"},
        {"h1 lay cards=2", "E_PHASE"},
        {"h1 show cards=2", "E_PENDING"},
        {NULL, NULL},
    };
    rig_start(&r, 3, "", "ascendancy anticipation clone", "vortex");
    rig_acts(&r, "h1 lay cards=1; h2 lay cards=4; c ready");
    r.s.h[1].hand = PLACE_BIT(1);
    r.s.h[1].discard = PLACE_BIT(2) | PLACE_BIT(3) | PLACE_BIT(5);
    refuses_all(rows);
    rig_act(&r, "c place_token token=creature places=4");
    rig_refuses(&r, "c place_token token=creature places=4", "E_TOKEN_PLACED");
    r.s.h[0].hand &= 0x6;
    rig_refuses(&r, "c play_hunt card=ascendancy hunted=h1", "E_NO_EFFECT"); // nobody holds three
}

static void codes_of_the_reckoning_5(void **state) {
    (void)state;
    rig_start(&r, 3, "", "cataclysm detour clone", "");
    give(1, "gate drone dodge detector wrong_track");
    rig_acts(&r, "h1 lay cards=5; h2 lay cards=4; c ready; c place_token token=creature places=9");
    all_ready(HUNTING);
    static const char *const window[][2] = {
        {"h1 use_power take=6", "E_PHASE"},
        {"h1 play_power card=drone take=6", "E_NOT_ACTIVE"},
        {"h1 play_survival card=detector", "E_NO_EFFECT"},
        {"h1 play_survival card=wrong_track to=8 token=target", "E_TARGET"},
        {"h1 play_survival card=wrong_track to=6", "E_NOT_ADJACENT"},
        {"h1 play_survival card=drone", "E_ARG"}, // play_power
        {NULL, NULL},
    };
    refuses_all(window);
    all_ready(RECKONING);
    static const char *const places[][2] = {
        {"h1 ready", "E_PHASE"},
        {"h2 use_power", "E_NOT_ACTIVE"},
        {"c pass_place", "E_NOT_ACTIVE"},
        {"h1 use_power take=3", "E_OWNED"},
        {"h1 use_power", "E_ARG"},
        {"h1 use_power take=6+7", "E_NUM_CARDS"},
        {"h1 use_power take=6 slot=4", "E_SLOT"},
        {"h1 take_back card=1", "E_TAKE_SET"},
        {"h1 play_power card=gate copy=8", "E_NOT_ADJACENT"},
        {"h1 play_power card=gate copy=10", "E_COPY"},
        {"h1 choose_river card=5", "E_PENDING"},
        {"c play_hunt card=clone", "E_PHASE"},
        {NULL, NULL},
    };
    refuses_all(places);
    r.s.reserve[1] = 0;
    rig_refuses(&r, "h1 use_power take=6", "E_RESERVE");
    r.s.h[0].pending = PENDING_RIVER;
    r.s.h[0].laid[0].at = AT_ARTEFACT;
    rig_refuses(&r, "h1 use_power", "E_PENDING_EFFECT");
    r.s.h[0].laid[0].at = AT_SHELTER;
    r.s.fx |= FX_DESPAIR;
    rig_refuses(&r, "h1 use_power", "E_DESPAIR");
}

static void a_shelter_with_one_card_keeps_it_6(void **state) {
    (void)state;
    rig_start(&r, 2, "", "", "");
    r.s.h[0].survival = 0;
    rig_act(&r, "h1 lay cards=1");
    to_places("7");
    r.s.survival_deck = PLACE_BIT(SURVIVAL_DRONE);
    rig_act(&r, "h1 use_power mode=copy place=7");
    rig_draw(&r, NULL);
    assert_int_equal(r.s.h[0].survival, PLACE_BIT(SURVIVAL_DRONE));
    assert_int_equal(r.s.wait, WAIT_DRAWN);
    rig_refuses(&r, "h1 play_power card=drone take=6", "E_NOT_ACTIVE"); // his place is done
    rig_act(&r, "h1 ready");
}

static void nothing_after_the_end_9(void **state) {
    (void)state;
    rig_start(&r, 2, "", "", "");
    r.s.assimilation = 1;
    rig_act(&r, "h1 lay cards=4");
    to_places("4");
    assert_int_equal(r.s.winner, WINNER_CREATURE);
    assert_int_equal(r.s.h[0].will, 2);
    rig_refuses(&r, "h1 lay cards=1", "E_GAME_OVER");
    struct observe_result result;
    not_alone_game.result(&r.s, &result);
    assert_int_equal(result.winners, 1);
    assert_string_equal(result.teams[0].name, "creature");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setup_2),
        cmocka_unit_test(while_cards_are_drawn_nobody_acts),
        cmocka_unit_test(river_4_3),
        cmocka_unit_test(shelter_and_the_drawn_wait_4_4),
        cmocka_unit_test(source_6),
        cmocka_unit_test(phobia_is_for_the_creature_alone_11),
        cmocka_unit_test(ascendancy_and_forbidden_zone_7),
        cmocka_unit_test(strike_back_8),
        cmocka_unit_test(vortex_8),
        cmocka_unit_test(smokescreen_hides_discards_8),
        cmocka_unit_test(detour_moves_the_place_not_the_card_7),
        cmocka_unit_test(flashback_and_tracking_7),
        cmocka_unit_test(hologram_moves_by_option_10),
        cmocka_unit_test(expert_gives_two_will_10),
        cmocka_unit_test(ready_4),
        cmocka_unit_test(codes_of_exploration_5),
        cmocka_unit_test(codes_of_hunting_5),
        cmocka_unit_test(codes_of_the_reckoning_5),
        cmocka_unit_test(a_shelter_with_one_card_keeps_it_6),
        cmocka_unit_test(nothing_after_the_end_9),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
