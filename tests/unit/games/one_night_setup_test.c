// Set-up: counts, codes of section 2.4, the seed's rows, places.
#include "one_night_rig.h"

#define HOUSE "house_cn=1"
#define ROW_7 "werewolf werewolf villager villager seer minion drunk troublemaker robber"

static void refused(unsigned seats, const char *cards, const char *options, const char *code) {
    struct rig rig;
    assert_int_equal(rig_prepare(&rig, seats, cards, options), ERROR_ILLEGAL);
    if (!rig_issue(&rig, code))
        fail_msg("%s expected for %s, got %s", code, cards, rig.err.rule);
}
static void warned(unsigned seats, const char *cards, const char *options, const char *code, bool expected) {
    struct rig rig;
    assert_int_equal(rig_prepare(&rig, seats, cards, options), ERROR_OK);
    if (rig_issue(&rig, code) != expected)
        fail_msg("%s expected %d for %s", code, expected, cards);
}

static void errors(void **state) {
    (void)state;
    refused(3, "werewolf seer robber drunk villager", "", "E_COUNT");
    refused(3, "werewolf werewolf werewolf seer robber drunk", "", "E_MAX");
    refused(3, "seer seer werewolf robber drunk villager", "", "E_MAX");
    refused(3, "mason werewolf seer robber drunk villager", "", "E_MASON_PAIR");
    refused(3, "mason werewolf seer robber drunk villager", "mason_single_ok=1", "E_MASON_PAIR");
    refused(3, "temptress werewolf seer robber drunk villager", "", "E_SET_NOT_INSTALLED");
    refused(3, "nostradamus werewolf seer robber drunk villager", "", "E_SET_NOT_INSTALLED");
    refused(3, "beholder werewolf seer robber drunk villager", "", "E_SET_NOT_INSTALLED");
    refused(3, "alpha_wolf werewolf seer robber drunk villager", "", "E_ALPHA_C4");
    refused(3, "minion werewolf seer robber drunk villager", "c4=werewolf", "E_ALPHA_C4");
    refused(3, "doppelganger werewolf seer robber drunk villager", HOUSE, "E_HOUSE_ROLE");
    refused(3, "werewolf werewolf seer robber drunk villager", "tanner_rule=alone", "E_HOUSE_OPTION");
    refused(2, "werewolf werewolf seer robber drunk", "", "E_SEATS");
    refused(11, "", "", "E_SEATS");
}

static void limits_are_the_decks(void **state) {
    (void)state;
    struct rig rig;
    assert_int_equal(rig_prepare(&rig, 3, "werewolf werewolf werewolf seer robber drunk", "max_werewolf=3"),
                     ERROR_OK);
    assert_int_equal(
        rig_prepare(&rig, 3, "mason doppelganger werewolf seer robber drunk", "mason_single_ok=1"), ERROR_OK);
    assert_int_equal(rig_prepare(&rig, 12, "", "bonus_tokens=1"), ERROR_OK);
    assert_int_equal(rig.setup.n_cards, 15);
}

static void warnings(void **state) {
    (void)state;
    warned(3, "villager seer robber drunk mason mason", "", "W_NO_EVIL", true);
    warned(3, "werewolf seer robber drunk mason mason", "", "W_NO_EVIL", false);
    warned(3, "werewolf seer insomniac drunk mason mason", "", "W_INSOMNIAC", true);
    warned(3, "werewolf seer insomniac robber mason mason", "", "W_INSOMNIAC", false);
    warned(3, "minion seer robber drunk mason mason", "", "W_MINION", true);
    warned(3, "minion werewolf robber drunk mason mason", "", "W_MINION", false);
    warned(3, "tanner werewolf robber drunk mason mason", HOUSE, "W_HOUSE_NOT_RECOMMENDED", true);
    warned(3, "tanner werewolf robber drunk mason mason", "", "W_HOUSE_NOT_RECOMMENDED", false);
    warned(3, "doppelganger werewolf robber drunk mason mason", "first_time=1", "W_DOPPEL_FIRST", true);
    warned(3, "doppelganger werewolf robber drunk mason mason", "", "W_DOPPEL_FIRST", false);
    warned(3, "alien vampire werewolf seer robber drunk", "", "W_EPIC", true);
    warned(3, "minion renfield werewolf seer robber drunk", "", "W_EPIC", false);
    warned(3, "synthetic_alien vampire minion seer robber drunk", "", "W_EPIC", false);
    warned(4, "bodyguard werewolf seer robber drunk mason mason", "", "W_BODYGUARD_N", true);
    warned(5, "bodyguard werewolf seer robber drunk villager mason mason", "", "W_BODYGUARD_N", false);
    warned(3, "renfield werewolf seer robber drunk villager", "", "W_RENFIELD", true);
    warned(3, "renfield the_count seer robber drunk villager", "", "W_RENFIELD", false);
    warned(3, "apprentice_assassin werewolf seer robber drunk villager", "", "W_APP_ASSASSIN", true);
    warned(3, "apprentice_assassin assassin seer robber drunk werewolf", "", "W_APP_ASSASSIN", false);
    warned(4, "leader werewolf seer robber drunk villager cow", "", "W_LEADER", true);
    warned(4, "leader groob zerb robber drunk villager cow", "", "W_LEADER", false);
    warned(4, "leader alien seer robber drunk villager cow", "", "W_ALIEN_PAIR", true);
    warned(4, "leader groob alien robber drunk villager cow", "", "W_ALIEN_PAIR", false);
    warned(3, "leader groob alien robber drunk villager", "", "W_ALIEN_3P", true);
    warned(4, "leader groob alien robber drunk villager cow", "", "W_ALIEN_3P", false);
    warned(3, "curator werewolf seer robber drunk villager", "bonus_artifacts=1", "W_MIST", true);
    warned(3, "curator vampire seer robber drunk villager", "bonus_artifacts=1", "W_MIST", false);
    warned(3, "curator werewolf seer robber drunk villager", "", "W_MIST", false);
    warned(5, "", "", "W_EPIC", false);
    warned(5, "", "", "W_ALIEN_PAIR", false);
}

// 2.2: the printed rows for 7 and 8 miss a card; the corrected presets stand.
static void seed_rows(void **state) {
    (void)state;
    refused(7, ROW_7, HOUSE, "E_COUNT");
    refused(8, ROW_7 " insomniac", HOUSE, "E_COUNT");
    for (const struct game_preset *preset = one_night_game.presets; preset->name; preset++) {
        struct game_setup setup;
        struct game_issues issues = {0};
        struct error err = {0};
        assert_int_equal(game_setup_preset(&one_night_game, preset->name, &setup, &err), ERROR_OK);
        if (one_night_game.prepare(&setup, &issues, &err) != ERROR_OK)
            fail_msg("%s: %s", preset->name, err.text);
        assert_int_equal(setup.n_cards, preset->seats + 3);
        for (unsigned i = 0; i < issues.n; i++) // a bodyguard among four, and what says so itself
            assert_string_equal(issues.issue[i].code, preset->seats == 10 ? "W_EPIC" : "W_BODYGUARD_N");
    }
}

// What the game says of a table with these pads.
static void sense(struct rig *rig, const char *pads) {
    uint64_t sensed[GAME_PLACES_MAX / 64] = {0};
    char words[256], *rest = NULL;
    snprintf(words, sizeof words, "%s", pads);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        for (game_place p = 0; p < rig->places.n; p++)
            if (strcmp(rig->places.row[p].name, word) == 0 ||
                (rig->places.row[p].shares != GAME_NONE &&
                 strcmp(rig->places.row[rig->places.row[p].shares].name, word) == 0))
                sensed[p / 64] |= UINT64_C(1) << p % 64;
    memset(&rig->issues, 0, sizeof rig->issues);
    one_night_game.senses(&rig->setup, &rig->places, sensed, &rig->issues);
}

#define CARD_PADS "s1 s2 s3 s4 c1 c2 c3"

static void roles_without_pads_are_refused_by_name(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 4, "copycat vampire the_count priest sentinel curator oracle", "");
    sense(&rig, CARD_PADS);
    assert_int_equal(rig.issues.n, 4);
    const char *const told[] = {"no pad feels marks; not here: vampire the_count priest",
                                "no pad feels artifacts; not here: curator",
                                "no pad feels the shield; not here: sentinel"};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(rig.issues.issue[i].is_error);
        assert_string_equal(rig.issues.issue[i].code, "E_UNSENSED");
        assert_string_equal(rig.issues.issue[i].text, told[i]);
    }
    assert_false(rig.issues.issue[3].is_error);
    assert_string_equal(rig.issues.issue[3].text,
                        "no pad feels answers at answer: answers and taps come by the seats' own channels");
    sense(&rig, CARD_PADS " k1 k2 k3 k4 a1 a2 a3 a4 h1 h2 h3 h4 answer");
    assert_int_equal(rig.issues.n, 0);
    sense(&rig, CARD_PADS " k1 k2 k4 a1 a2 a3 a4 h1 h2 h3 h4 answer"); // one is not enough to leave out
    assert_int_equal(rig.issues.n, 1);
    assert_true(rig.issues.issue[0].is_error);
}

static void what_is_not_felt_may_be_told(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 4, "copycat vampire the_count priest marksman pickpocket gremlin", "unsensed=declare");
    sense(&rig, CARD_PADS);
    assert_int_equal(rig.issues.n, 1);
    assert_false(rig.issues.issue[0].is_error);
    assert_string_equal(rig.issues.issue[0].text,
                        "no pad feels marks at k1 k2 k3 k4: seats tell what they do");
    sense(&rig, ""); // a table of screens plays by word, and nothing is new about that
    assert_int_equal(rig.issues.n, 0);
    rig_begin(&rig, 5, "", "");
    sense(&rig, "s1 s2 s4 s5 c1 c2");
    assert_int_equal(rig.issues.n, 3); // a seat's card, its ballots, a centre card
    assert_int_equal(rig.err.code, ERROR_OK);
    rig_begin(&rig, 5, "exposer alien alien cow seer robber villager leader", "");
    sense(&rig, "s1 s2 s3 s4 s5 c1 c2 c3 answer");
    assert_int_equal(rig.issues.n, 0);
}

static void own_sets_fit_every_table(void **state) {
    (void)state;
    for (unsigned seats = 3; seats <= 12; seats++)
        for (int house = 0; house < 2; house++) {
            struct rig rig;
            const char *options = house ? "bonus_tokens=1 house_cn=1" : "bonus_tokens=1";
            if (rig_prepare(&rig, seats, "", options) != ERROR_OK)
                fail_msg("%u seats: %s", seats, rig.err.text);
        }
}

static void places_and_slots(void **state) {
    (void)state;
    static const char *const names[] = {"s1", "s2", "s3", "s4", "s5", "c1", "c2",
                                        "c3", "v1", "v2", "v3", "v4", "v5"};
    struct rig rig;
    rig_begin(&rig, 5, "", "ballot=tapped");
    assert_int_equal(rig.places.n, 13);
    for (unsigned p = 0; p < 13; p++) {
        const struct game_place_row *row = &rig.places.row[p];
        assert_string_equal(row->name, names[p]);
        assert_in_range(row->x, 0, 1000);
        assert_in_range(row->y, 0, 1000);
        assert_int_equal(row->shares, p < 8 ? GAME_NONE : p - 8);
    }
    assert_int_equal(rig.setup.n_slots, 8 + 5);
    for (unsigned i = 1; i < rig.setup.n_slots; i++)
        assert_true(rig.setup.slot_kind[i - 1] <= rig.setup.slot_kind[i]);
    rig_begin(&rig, 5, "", "ballot=own_pad");
    assert_int_equal(rig.setup.n_slots, 8 + 20);
    assert_string_equal(
        one_night_game.kinds[rig.setup.slot_kind[one_night__ballot_slot(&rig.state.g, 4, 2)]].id,
        "ballot_5_3");
    assert_string_equal(
        one_night_game.kinds[rig.setup.slot_kind[one_night__ballot_slot(&rig.state.g, 1, 3)]].id,
        "ballot_2_4");
}

static void every_kind_has_a_name(void **state) {
    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        assert_non_null(one_night_game.kinds[k].id);
        assert_int_equal(game_kind_find(&one_night_game, one_night_game.kinds[k].id), k);
    }
    unsigned named = 0;
    for (unsigned r = 0; r < ROLES; r++)
        named += one_night__roles[r].set <= SET_ALIEN;
    for (unsigned k = 0; k < KINDS; k++) { // who chooses a set reads a line about each card
        assert_true((one_night_game.kind_help((game_kind)k) != NULL) == (k < ROLES));
        bool reserved = k < ROLES && strstr(one_night_game.kind_help((game_kind)k), "reserved");
        assert_true(k >= ROLES || reserved == !(one_night__roles[k].flags & IS_BUILT));
    }
    assert_int_equal(named, 49); // section 11
}

static void spoken_lines_are_short(void **state) {
    (void)state;
    for (unsigned i = 0; i < LINES; i++) {
        unsigned words = 0;
        for (const char *at = one_night__lines[i].text; *at; at++)
            words += *at != ' ' && (at == one_night__lines[i].text || at[-1] == ' ');
        if (words > 12)
            fail_msg("%s has %u words", one_night__lines[i].id, words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors),
        cmocka_unit_test(limits_are_the_decks),
        cmocka_unit_test(warnings),
        cmocka_unit_test(seed_rows),
        cmocka_unit_test(roles_without_pads_are_refused_by_name),
        cmocka_unit_test(what_is_not_felt_may_be_told),
        cmocka_unit_test(own_sets_fit_every_table),
        cmocka_unit_test(places_and_slots),
        cmocka_unit_test(every_kind_has_a_name),
        cmocka_unit_test(spoken_lines_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
