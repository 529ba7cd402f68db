// The day, the vote, the settlement that the worked cases do not reach.
#include "one_night_rig.h"

#define SET_5 "werewolf seer robber troublemaker insomniac villager drunk minion"

static void at_vote(struct rig *rig, const char *options) {
    rig_night(rig, 5, SET_5, options);
    rig_vote_phase(rig);
    assert_int_equal(rig->state.g.phase, PHASE_VOTE);
}
static uint32_t limit(const struct rig *rig) {
    struct game_phase phase;
    one_night_game.phase(&rig->state, &phase);
    return phase.limit_ms;
}
static uint16_t clock_of(const struct rig *rig) {
    struct game_phase phase;
    one_night_game.phase(&rig->state, &phase);
    return phase.clock;
}

static void discussion_limits(void **state) {
    (void)state;
    static const uint32_t minutes[] = {2, 3, 4, 5, 5, 5, 5, 5};
    for (unsigned seats = 3; seats <= 10; seats++) {
        struct rig rig;
        rig_begin(&rig, seats, "", "");
        assert_int_equal(rig.state.g.discussion_ms, 60000 * minutes[seats - 3]);
    }
    struct rig rig;
    rig_night(&rig, 5, SET_5, "discussion_s=120");
    rig_to(&rig, 0);
    assert_int_equal(limit(&rig), 120000);
}

static void limits_and_quiet(void **state) {
    (void)state;
    struct rig rig;
    at_vote(&rig, "ballot=on_pad");
    assert_int_equal(limit(&rig), 15000);
    at_vote(&rig, "ballot=own_pad");
    assert_int_equal(limit(&rig), 15000);
    at_vote(&rig, "ballot=tapped");
    assert_int_equal(limit(&rig), 35000);
    uint16_t clock = clock_of(&rig);
    rig_act(&rig, "s1 vote a=s2");
    rig_act(&rig, "s2 vote a=s3");
    rig_act(&rig, "s3 vote a=s4");
    rig_act(&rig, "s4 vote a=s5");
    assert_int_equal(clock_of(&rig), clock); // the limit goes on
    rig_act(&rig, "s5 vote a=s1");
    assert_int_not_equal(clock_of(&rig), clock);
    assert_int_equal(limit(&rig), 2000);
    clock = clock_of(&rig);
    rig_act(&rig, "s5 vote a=s2"); // the last one counts, the quiet begins anew
    assert_int_not_equal(clock_of(&rig), clock);
    rig_act(&rig, "timer next");
    assert_int_equal(rig.state.g.phase, PHASE_REVEAL);
    assert_int_equal(rig.state.g.vote[4], 1);
}

// EP2: asked again by seat, once; then it is no vote.
static void ep2_missing_ballots(void **state) {
    (void)state;
    struct rig rig;
    at_vote(&rig, "ballot=on_pad");
    rig_act(&rig, "s1 vote a=s2");
    rig_act(&rig, "s2 vote a=s1");
    rig_act(&rig, "s3 vote a=s1");
    rig_act(&rig, "timer next");
    assert_int_equal(rig.state.g.phase, PHASE_VOTE);
    assert_int_equal(rig.notes.n, 2);
    assert_int_equal(rig.notes.note[0].line, LINE_ask);
    assert_int_equal(rig.notes.note[0].arg[0], 3);
    assert_int_equal(limit(&rig), 10000);
    assert_int_equal(rig_try(&rig, "s1 vote a=s3"), ERROR_ILLEGAL); // EP5: fixed
    rig_act(&rig, "s4 vote a=s1");
    rig_act(&rig, "timer next");
    assert_int_equal(rig.state.g.phase, PHASE_REVEAL);
    assert_int_equal(rig.state.g.vote[4], SEAT_NONE);
    assert_int_equal(rig.state.g.dead, 1);
}

// ON10: "not yourself".
static void on10_self_vote(void **state) {
    (void)state;
    struct rig rig;
    at_vote(&rig, "ballot=tapped");
    game_action wrong;
    assert_int_equal(one_night_game.mistakes(&rig.state, 4, &wrong, 1), 1);
    struct one_night before = rig.state.g;
    assert_int_equal(one_night_game.apply(&rig.state, 4, wrong, NULL, &rig.err), ERROR_ILLEGAL);
    assert_string_equal(rig.err.rule, "E_SELF_VOTE");
    assert_string_equal(rig.err.text, "not yourself");
    assert_memory_equal(&before, &rig.state.g, sizeof before);
    static struct game_proof p;
    one_night_game.proof(&rig.state, 4, wrong, &p);
    assert_int_equal(p.needed[0].type, GAME_TOUCH);
    assert_string_equal(rig.places.row[p.needed[0].place].name, "v5");
}

static const struct game_item *item_at(const struct game_layout *layout, game_place place) {
    for (unsigned i = 0; i < layout->n_items; i++)
        if (layout->item[i].place == place)
            return &layout->item[i];
    return NULL;
}
static bool free_at(const struct game_layout *layout, game_place place) {
    return layout->free[place / 64] >> place % 64 & 1;
}

static void ballots_on_pads(void **state) {
    (void)state;
    struct rig rig;
    static struct game_layout layout;
    at_vote(&rig, "ballot=on_pad");
    rig_act(&rig, "s1 vote a=s4");
    one_night_game.layout(&rig.state, &layout);
    game_place v4 = game_place_find(&rig.places, "v4");
    assert_int_equal(item_at(&layout, v4)->what, one_night__token_slot(&rig.state.g, 0));
    rig_act(&rig, "s1 unvote");
    one_night_game.layout(&rig.state, &layout);
    assert_null(item_at(&layout, v4));
    assert_false(free_at(&layout, v4));
    at_vote(&rig, "ballot=tapped");
    rig_act(&rig, "s1 vote a=s4");
    one_night_game.layout(&rig.state, &layout);
    assert_true(free_at(&layout, v4));
    assert_non_null(item_at(&layout, 3)); // the tile stays
    at_vote(&rig, "ballot=own_pad");
    rig_act(&rig, "s1 vote a=s4");
    one_night_game.layout(&rig.state, &layout);
    assert_int_equal(item_at(&layout, game_place_find(&rig.places, "v1"))->what,
                     one_night__ballot_slot(&rig.state.g, 0, 3));
    assert_true(free_at(&layout, 3)); // slid off
}

static void nothing_lies_wrong_after_the_reveal(void **state) {
    (void)state;
    struct rig rig;
    static struct game_layout layout;
    at_vote(&rig, "");
    rig_act(&rig, "timer next");
    rig_act(&rig, "timer next");
    one_night_game.layout(&rig.state, &layout);
    for (unsigned p = 0; p < rig.places.n; p++)
        assert_true(free_at(&layout, (game_place)p));
    assert_int_equal(layout.n_items, 0);
    assert_true(rig_noted(&rig, LINE_nobody_dies));
}

// Three rounds in seat order; `done` by the speaker ends a speech.
static void house_speeches(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 3, "werewolf villager seer minion drunk robber", "house_cn=1");
    rig_to(&rig, 0);
    assert_int_equal(limit(&rig), 0);
    assert_int_equal(rig_count(&rig, GAME_BY_TIMER), 0);
    assert_int_equal(rig_count(&rig, GAME_BY_TABLE), 3); // somebody may leave, nobody may end it
    for (unsigned round = 1; round <= 3; round++)
        for (int seat = 0; seat < 3; seat++) {
            struct game_phase phase;
            char line[16];
            one_night_game.phase(&rig.state, &phase);
            assert_int_equal(phase.round, round);
            assert_int_equal(phase.turn, 1 << seat);
            assert_int_equal(rig_count(&rig, (seat + 1) % 3), 0);
            snprintf(line, sizeof line, "s%d done", seat + 1);
            rig_act(&rig, line);
        }
    assert_int_equal(rig.state.g.phase, PHASE_VOTE);
    rig_night(&rig, 3, "werewolf villager seer minion drunk robber", "house_cn=1 speech_s=60");
    rig_to(&rig, 0);
    assert_int_equal(limit(&rig), 60000);
    rig_act(&rig, "timer next");
    assert_int_equal(rig.state.g.speaker, 1);
}

static void vote_all(struct rig *rig, const char *votes) {
    char line[32], copy[128], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", votes);
    rig_vote_phase(rig);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        snprintf(line, sizeof line, "%.2s vote a=%.2s", word, word + 3);
        rig_act(rig, line);
    }
    while (rig->state.g.phase == PHASE_VOTE)
        rig_act(rig, "timer next");
}

static void house_options(void **state) {
    (void)state;
    struct rig rig;
    // The hunter takes along whom he voted for.
    rig_night(&rig, 4, "hunter werewolf villager seer minion drunk robber", "house_cn=1 hunter_rule=pointed");
    vote_all(&rig, "s1>s3 s2>s1 s3>s1 s4>s1");
    assert_int_equal(rig.state.g.dead, 1 << 0 | 1 << 2);
    assert_int_equal(rig.state.g.teams, 1 << TEAM_WEREWOLF);
    // A minion among the players is none of the wolves.
    rig_night(&rig, 3, "minion villager seer werewolf drunk robber", "house_cn=1 minion_as_wolf=never");
    vote_all(&rig, "s1>s2 s2>s3 s3>s1");
    assert_int_equal(rig.state.g.teams, 1 << TEAM_VILLAGE);
    // All tied die.
    rig_night(&rig, 4, "werewolf villager villager seer minion drunk robber", "house_cn=1 tie_rule=all_die");
    vote_all(&rig, "s1>s2 s2>s1 s3>s1 s4>s2");
    assert_int_equal(rig.state.g.dead, 3);
    assert_int_equal(rig.state.g.teams, 1 << TEAM_VILLAGE);
}

// 7.4: each minion for itself, "other" includes another minion; one that dies beside another player wins.
static void lone_minions(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "minion minion villager seer werewolf drunk robber", "max_other=2");
    vote_all(&rig, "s1>s2 s2>s1 s3>s1 s4>s2");
    assert_int_equal(rig.state.g.dead, 3);
    assert_int_equal(rig.state.g.won, 3);
    rig_night(&rig, 4, "minion villager villager tanner werewolf drunk robber", "");
    vote_all(&rig, "s1>s4 s2>s4 s3>s4 s4>s1");
    assert_int_equal(rig.state.g.won, 1 << 3); // a dead tanner blocks the minion
    assert_int_equal(rig.state.g.teams, 1 << TEAM_TANNER);
}

static void hunters_chain_once(void **state) {
    (void)state;
    struct rig rig;
    rig_night(&rig, 4, "hunter hunter villager werewolf seer drunk robber", "max_other=2");
    vote_all(&rig, "s1>s2 s2>s1 s3>s1 s4>s1");
    assert_int_equal(rig.state.g.dead, 3);
}

static void full_report(void **state) {
    (void)state;
    struct rig rig;
    static struct observation seen;
    rig_night(&rig, 4, "doppelganger insomniac werewolf robber minion villager seer", "");
    rig_to(&rig, 120);
    rig_act(&rig, "s1 copy a=s2");
    rig_to(&rig, 600);
    rig_act(&rig, "s4 swap a=s4 b=s1");
    vote_all(&rig, "s1>s3 s2>s3 s3>s1 s4>s3");
    memset(&seen, 0, sizeof seen);
    seen.audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig.state, &seen);
    assert_true(seen.result.over);
    assert_int_equal(seen.n_items, 7 + 4); // cards and ballots
    assert_string_equal(seen.item[3].kind, "doppelganger");
    assert_string_equal(seen.result.seats[3].role, "insomniac");
    bool copied = false;
    for (unsigned i = 0; i < seen.n_facts; i++)
        copied |= strcmp(seen.fact[i].key, "copied") == 0 && strcmp(seen.fact[i].place, "s4") == 0 &&
                  strcmp(seen.fact[i].kind, "insomniac") == 0;
    assert_true(copied);
    assert_false(seen.seat[2].alive);
}

// What a seat was shown it may read again by day, and nothing else.
static void own_knowledge(void **state) {
    (void)state;
    struct rig rig;
    static struct observation seen;
    rig_night(&rig, 5, "werewolf werewolf robber minion seer villager drunk insomniac", "");
    rig_to(&rig, 500);
    rig_act(&rig, "s5 view a=c2");
    rig_to(&rig, 600);
    rig_act(&rig, "s3 swap a=s1 b=s3");
    static const char *const night[] = {"dealt", "dealt", "dealt", "dealt", "dealt"};
    for (int s = 0; s < 5; s++) { // in the dark: what was dealt
        memset(&seen, 0, sizeof seen);
        seen.audience = s;
        one_night_game.observe(&rig.state, &seen);
        assert_int_equal(seen.n_facts, 1);
        assert_string_equal(seen.fact[0].key, night[s]);
    }
    rig_to(&rig, 0);
    static const unsigned facts[] = {2, 2, 2, 3, 2};
    for (int s = 0; s < 5; s++) {
        memset(&seen, 0, sizeof seen);
        seen.audience = s;
        one_night_game.observe(&rig.state, &seen);
        assert_int_equal(seen.n_facts, facts[s]);
    }
    assert_string_equal(seen.fact[1].place, "c2");
    assert_string_equal(seen.fact[1].kind, "drunk");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discussion_limits),   cmocka_unit_test(limits_and_quiet),
        cmocka_unit_test(ep2_missing_ballots), cmocka_unit_test(on10_self_vote),
        cmocka_unit_test(ballots_on_pads),     cmocka_unit_test(nothing_lies_wrong_after_the_reveal),
        cmocka_unit_test(house_speeches),      cmocka_unit_test(house_options),
        cmocka_unit_test(lone_minions),        cmocka_unit_test(hunters_chain_once),
        cmocka_unit_test(full_report),         cmocka_unit_test(own_knowledge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
