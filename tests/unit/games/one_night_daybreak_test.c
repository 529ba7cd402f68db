// Daybreak at night: shield, centre werewolf, investigator, witch, idiot; what each shows to the pads.
#include "one_night_rig.h"
#include "support/alike.h"

static void refused(unsigned seats, const char *cards, const char *options, const char *code) {
    struct rig rig;
    assert_int_equal(rig_prepare(&rig, seats, cards, options), ERROR_ILLEGAL);
    assert_true(rig_issue(&rig, code));
}

static void alpha_wolf_and_c4(void **state) {
    (void)state;
    refused(3, "alpha_wolf seer robber drunk villager villager", "", "E_ALPHA_C4");
    refused(3, "werewolf seer robber drunk villager villager", "c4=werewolf", "E_ALPHA_C4");
    refused(3, "alpha_wolf werewolf werewolf drunk villager villager", "c4=werewolf", "E_MAX");
    struct rig rig;
    rig_begin(&rig, 3, "alpha_wolf werewolf seer drunk villager villager", "c4=werewolf");
    assert_int_equal(rig.places.n, 3 + 4 + 3);
    assert_string_equal(rig.places.row[6].name, "c4");
    // Both werewolf cards lie in the slots; the last one is kept for c4, which takes nothing else.
    game_slot wolf = 0;
    while (rig.setup.slot_kind[wolf] != ROLE_WEREWOLF)
        wolf++;
    char line[64];
    snprintf(line, sizeof line, "chance deal place=s1 slot=%u", wolf);
    rig_act(&rig, line);
    snprintf(line, sizeof line, "chance deal place=s2 slot=%u", wolf + 1);
    assert_int_equal(rig_try(&rig, line), ERROR_ILLEGAL);
    assert_int_equal(rig_try(&rig, "chance deal place=c4 slot=0"), ERROR_ILLEGAL);
    snprintf(line, sizeof line, "chance deal place=c4 slot=%u", wolf + 1);
    rig_act(&rig, line);
    assert_int_equal(rig_try(&rig, "table redeal a=s1 b=c4"), ERROR_ILLEGAL);
}

static void deal_all(struct rig *rig, const char *roles) {
    char copy[256], *rest = NULL, line[64];
    bool used[CARDS_MAX] = {false};
    unsigned p = 0;
    snprintf(copy, sizeof copy, "%s", roles);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest), p++) {
        unsigned slot = 0;
        while (used[slot] || rig->setup.slot_kind[slot] != game_kind_find(&one_night_game, word))
            slot++;
        used[slot] = true;
        snprintf(line, sizeof line, "chance deal place=%s slot=%u", rig->places.row[p].name, slot);
        rig_act(rig, line);
    }
    rig_act(rig, "table begin");
}

static void alpha_wolf_turns_no_werewolf(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 4, "alpha_wolf dream_wolf seer villager drunk robber tanner", "c4=werewolf");
    deal_all(&rig, "alpha_wolf dream_wolf seer villager drunk robber tanner werewolf");
    rig_to(&rig, 400);
    rig_to(&rig, 410);
    assert_int_equal(rig_count(&rig, 0), 2);
    assert_int_equal(rig_try(&rig, "s1 swap a=c4 b=s2"), ERROR_ILLEGAL);
    struct rig later = rig;
    rig_act(&later, "timer next");
    assert_true(rig_noted(&later, LINE_missed_mandatory));
    rig_act(&rig, "s1 swap a=c4 b=s3");
    assert_string_equal(rig_at(&rig, 2), "werewolf");
    assert_int_equal(one_night__sees(&rig.state.g, 0), 1 << 1); // the thumb
    rig_to(&rig, 800);
    assert_int_equal(rig_count(&rig, 0), 0);
}

static void shield_keeps_everybody_off(void **state) {
    (void)state;
    struct rig rig;
    static struct game_layout layout;
    rig_night(&rig, 4, "sentinel robber troublemaker village_idiot seer villager werewolf", "");
    rig_to(&rig, 310);
    assert_int_equal(rig_count(&rig, 0), 3);
    rig_act(&rig, "s1 shield a=s2");
    one_night_game.layout(&rig.state, &layout);
    assert_int_equal(layout.item[layout.n_items - 1].place, game_place_find(&rig.places, "h2"));
    rig_to(&rig, 600);
    assert_int_equal(rig_count(&rig, 1), 0); // his own card is shielded
    rig_to(&rig, 700);
    assert_int_equal(rig_count(&rig, 2), 1); // seats 1 and 4 are left
    rig_to(&rig, 710);
    rig_act(&rig, "s4 rotate dir=left");
    assert_string_equal(rig_at(&rig, 0), "troublemaker");
    assert_string_equal(rig_at(&rig, 1), "robber");
    assert_string_equal(rig_at(&rig, 2), "sentinel");
}

static void shield_is_public_from_dawn(void **state) {
    (void)state;
    struct rig rig;
    static struct observation before, seen;
    rig_night(&rig, 4, "sentinel robber troublemaker village_idiot seer villager werewolf", "");
    before.audience = seen.audience = OBSERVE_PUBLIC;
    rig_to(&rig, 310);
    one_night_game.observe(&rig.state, &before);
    rig_act(&rig, "s1 shield a=s2");
    one_night_game.observe(&rig.state, &seen);
    assert_null(alike_view(&before, &seen));
    rig_to(&rig, 0);
    memset(&seen, 0, sizeof seen);
    seen.audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig.state, &seen);
    assert_int_equal(seen.item[seen.n_items - 1].place, game_place_find(&rig.places, "h2"));
}

static void investigator_stops(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "paranormal_investigator werewolf tanner villager seer robber drunk", "");
    rig_to(&rig, 520);
    rig_act(&rig, "s1 view a=s4");
    assert_int_equal(rig_count(&rig, 0), 2); // another one
    rig_act(&rig, "s1 view a=s3");
    assert_int_equal(rig_count(&rig, 0), 0);
    assert_int_equal(rig.state.g.pi_role[rig.state.g.at[0]], ROLE_TANNER);
    rig_night(&rig, 4, "paranormal_investigator werewolf tanner villager seer robber drunk", "");
    rig_to(&rig, 520);
    rig_act(&rig, "s1 view a=s2");
    assert_int_equal(rig_count(&rig, 0), 0);
    assert_int_equal(rig.state.g.pi_role[rig.state.g.at[0]], ROLE_WEREWOLF);
}

// AV4: a look without the exchange is missed_mandatory; N10: the card may be read in the hand.
static void witch(void **state) {
    (void)state;
    struct rig rig;
    static struct game_proof p;
    rig_night(&rig, 3, "witch villager robber werewolf seer drunk", "");
    rig_to(&rig, 610);
    assert_int_equal(rig_count(&rig, 0), 3 + 9);
    rig_act(&rig, "s1 view a=c2");
    assert_int_equal(rig_count(&rig, 0), 3);
    struct rig later = rig;
    rig_act(&later, "timer next");
    assert_true(rig_noted(&later, LINE_missed_mandatory));
    rig_act(&rig, "s1 swap a=s2 b=c2");
    assert_string_equal(rig_at(&rig, 1), "seer");
    rig_act(&rig, "timer next");
    assert_int_equal(rig.notes.n, 0);
    rig_night(&rig, 3, "witch villager robber werewolf seer drunk", "");
    rig_to(&rig, 610);
    rig_act(&rig, "timer next"); // she need not look at all
    assert_int_equal(rig.notes.n, 0);
    rig_night(&rig, 3, "witch villager robber werewolf seer drunk", "");
    rig_to(&rig, 610);
    one_night_game.proof(&rig.state, 0, one_night__pack(VERB_SWAP, 1, 4, -1), &p);
    assert_int_equal(p.n_needed, 0);
    assert_int_equal(p.n_allowed, 1);
    assert_int_equal(p.allowed[0].what, rig.state.g.at[4]);
    rig_act(&rig, "s1 swap a=s2 b=c2");
    assert_int_equal(rig.state.g.n_saw, 1);
    assert_int_equal(rig.state.g.saw[0].place, 4);
}

// AV6: an open villager is public from dawn on; a werewolf counts as hidden again, so that one left open is
// wrong at dawn.
static void revealer(void **state) {
    (void)state;
    struct rig rig;
    static struct game_layout layout;
    static struct observation seen;
    rig_night(&rig, 4, "revealer werewolf villager doppelganger seer robber drunk", "faces=tags");
    rig_to(&rig, 1000);
    assert_int_equal(rig_count(&rig, 0), 3);
    struct rig wolf = rig;
    rig_act(&rig, "s1 flip a=s3");
    assert_int_equal(rig_count(&rig, 0), 0); // one card, no second try
    one_night_game.layout(&rig.state, &layout);
    assert_int_equal(layout.item[2].face, GAME_FACE_UP);
    rig_to(&rig, 0);
    seen.audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig.state, &seen);
    assert_string_equal(seen.item[2].kind, "villager");
    assert_null(seen.item[1].kind);
    rig_act(&wolf, "s1 flip a=s2");
    one_night_game.layout(&wolf.state, &layout);
    assert_int_equal(layout.item[1].face, GAME_FACE_DOWN);
    assert_int_equal(rig_count(&wolf, 0), 1);
    rig_act(&wolf, "s1 flipback a=s2");
    assert_int_equal(rig_count(&wolf, 0), 0);
    rig_night(&rig, 4, "revealer minion villager doppelganger seer robber drunk",
              "revealer_hides=any_non_village");
    rig_to(&rig, 1000);
    rig_act(&rig, "s1 flip a=s2");
    assert_int_equal(rig.state.g.face[rig.state.g.at[1]], 0);
}

// 4.2: at once, and with her own card.
static void doppelganger_of_daybreak(void **state) {
    (void)state;
    static const struct {
        const char *role;
        size_t acts;
    } rows[] = {
        {"sentinel", 3},   {"mystic_wolf", 3},   {"apprentice_seer", 3}, {"paranormal_investigator", 3},
        {"witch", 3 + 12}, {"village_idiot", 2}, {"dream_wolf", 0},      {"bodyguard", 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char cards[160];
        struct rig rig;
        snprintf(cards, sizeof cards, "doppelganger %s villager werewolf villager villager werewolf",
                 rows[i].role);
        rig_night(&rig, 4, cards, "");
        rig_to(&rig, 120);
        rig_act(&rig, "s1 copy a=s2");
        assert_int_equal(rig_count(&rig, 0), rows[i].acts);
    }
    struct rig rig;
    rig_begin(&rig, 4, "doppelganger alpha_wolf werewolf villager drunk robber tanner", "c4=werewolf");
    deal_all(&rig, "doppelganger alpha_wolf werewolf villager drunk robber tanner werewolf");
    rig_to(&rig, 120);
    rig_act(&rig, "s1 copy a=s2");
    assert_int_equal(rig_count(&rig, 0), 2); // she knows of the alpha wolf alone
    rig_act(&rig, "timer next");
    assert_true(rig_noted(&rig, LINE_missed_mandatory));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha_wolf_and_c4),
        cmocka_unit_test(alpha_wolf_turns_no_werewolf),
        cmocka_unit_test(shield_keeps_everybody_off),
        cmocka_unit_test(shield_is_public_from_dawn),
        cmocka_unit_test(investigator_stops),
        cmocka_unit_test(witch),
        cmocka_unit_test(revealer),
        cmocka_unit_test(doppelganger_of_daybreak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
