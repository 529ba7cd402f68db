// Roles, deaths and winners of all sets (7.1 to 7.6, 8): the last position is laid out by hand.
#include "one_night_rig.h"

struct ending {
    const char *what;
    const char *roles, *marks, *artifacts, *options, *votes;
    const char *dead, *winners; // "s1 s2"
    const char *teams;          // "village vampire", alphabetical
};

static unsigned number(const char *word) {
    return (unsigned)atoi(word + 1) - 1;
}

static unsigned index_of(const char *word, const struct game_kind_row *rows, unsigned n, const char *prefix) {
    for (unsigned i = 0; i < n; i++)
        if (strncmp(rows[i].id, prefix, strlen(prefix)) == 0 &&
            strcmp(rows[i].id + strlen(prefix), word) == 0)
            return i;
    fail_msg("unknown word %s", word);
    return 0;
}

// roles in seat order; `doppelganger>hunter` is a card that adopted a role.
static void lay(struct one_night *g, const char *roles) {
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", roles);
    g->seats = 0;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *adopted = strchr(word, '>');
        if (adopted)
            *adopted++ = 0;
        unsigned s = g->seats++;
        g->at[s] = g->dealt[s] = (uint8_t)s;
        g->role[s] = (uint8_t)index_of(word, one_night__kinds, ROLES, "");
        if (adopted && strcmp(word, "paranormal_investigator") == 0)
            g->pi_role[s] = (uint8_t)index_of(adopted, one_night__kinds, ROLES, "");
        else if (adopted)
            g->copied[s] = (uint8_t)index_of(adopted, one_night__kinds, ROLES, "");
    }
}

static void put(struct one_night *g, const char *words, bool marks) {
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=') + 1;
        unsigned s = number(word);
        if (strcmp(value, "new_alien") == 0)
            g->convert[s] = CONVERT_ALIEN;
        else if (strcmp(value, "helper") == 0)
            g->convert[s] = CONVERT_HELPER;
        else if (strcmp(value, "guess_wrong") == 0)
            g->flags[s] = FLAG_GUESS_WRONG;
        else if (marks)
            g->mark[s] = (uint8_t)index_of(value, one_night__kinds + KIND_MARK, MARKS, "mark_");
        else
            g->artifact[s] = (uint8_t)index_of(value, one_night__kinds + KIND_ARTIFACT, ARTIFACTS, "");
    }
}

static uint16_t seats_of(const char *words) {
    uint16_t ret = 0;
    for (const char *at = words; (at = strchr(at, 's')); at++)
        ret |= (uint16_t)(1u << number(at));
    return ret;
}

static struct one_night *settle(struct rig *rig, const struct ending *end) {
    char copy[256], *rest = NULL;
    rig_begin(rig, 3, "", end->options);
    struct one_night *g = &rig->state.g;
    lay(g, end->roles);
    put(g, end->marks, true);
    put(g, end->artifacts, false);
    snprintf(copy, sizeof copy, "%s", end->votes);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        g->vote[number(word)] = (uint8_t)number(strchr(word, '>') + 1);
        char *second = strchr(word, '+');
        if (second)
            g->vote_2[number(word)] = (uint8_t)number(second + 1);
    }
    one_night__settle(g);
    return g;
}

static void check(const struct ending *end) {
    struct rig rig;
    char teams[256] = "";
    const struct one_night *g = settle(&rig, end);
    for (unsigned t = 0; t < TEAMS; t++)
        if (g->teams >> t & 1)
            snprintf(teams + strlen(teams), sizeof teams - strlen(teams), "%s%s", *teams ? " " : "",
                     one_night__team_names[t]);
    if (g->dead != seats_of(end->dead) || g->won != seats_of(end->winners) || strcmp(teams, end->teams) != 0)
        fail_msg("%s: dead %x winners %x teams %s", end->what, g->dead, g->won, teams);
}

#define NONE ""
static const struct ending endings[] = {
    {"A32", "paranormal_investigator>werewolf werewolf villager villager", NONE, NONE, NONE,
     "s1>s3 s2>s3 s3>s2 s4>s3", "s3", "s1 s2", "werewolf"},
    {"A33", "paranormal_investigator>tanner tanner werewolf villager", NONE, NONE, NONE,
     "s1>s2 s2>s1 s3>s1 s4>s1", "s1", "s1", "tanner"},
    {"A36", "curator villager seer", NONE, "s2=claw_of_the_werewolf", NONE, "s1>s2 s2>s3 s3>s2", "s2",
     "s1 s3", "village"},
    {"A37", "curator werewolf villager villager", NONE, "s2=brand_of_the_villager", NONE,
     "s1>s2 s2>s3 s3>s2 s4>s2", "s2", NONE, NONE},
    {"A38", "curator hunter werewolf villager", NONE, "s2=cudgel_of_the_tanner", NONE,
     "s1>s2 s2>s3 s3>s2 s4>s2", "s2", "s2", "tanner"},
    {"A39", "bodyguard werewolf villager villager seer", NONE, NONE, NONE, "s1>s2 s2>s3 s3>s2 s4>s2 s5>s3",
     "s3", "s2", "werewolf"},
    {"A40", "bodyguard werewolf villager villager seer", NONE, NONE, NONE, "s1>s2 s2>s3 s3>s2 s4>s2 s5>s2",
     NONE, "s2", "werewolf"},
    {"A41", "vampire villager seer robber", "s2=vampire", NONE, NONE, "s1>s2 s2>s3 s3>s2 s4>s2", "s2",
     "s3 s4", "village"},
    {"A42", "the_master vampire villager villager seer", "s3=vampire", NONE, NONE,
     "s1>s4 s2>s1 s3>s1 s4>s1 s5>s1", NONE, "s1 s2 s3", "vampire"},
    {"A43", "cupid vampire villager villager", "s2=love s3=love s4=vampire", NONE, NONE,
     "s1>s3 s2>s3 s3>s2 s4>s3", "s2 s3", "s1 s3", "village"},
    {"A44", "diseased vampire villager seer villager", "s2=disease s4=vampire", NONE, NONE,
     "s1>s2 s2>s1 s3>s2 s4>s1 s5>s4", "s1 s2", "s5", "village"},
    {"A45", "instigator vampire villager villager seer", "s3=traitor s5=vampire", NONE, NONE,
     "s1>s4 s2>s4 s3>s4 s4>s2 s5>s4", "s4", "s2 s3 s5", "vampire village"},
    {"A46", "assassin vampire villager seer villager", "s2=assassin s3=vampire", NONE, NONE,
     "s1>s2 s2>s4 s3>s4 s4>s2 s5>s2", "s2", "s1 s4 s5", "assassin village"},
    {"A47", "renfield villager seer", "s1=bat", NONE, NONE, "s1>s2 s2>s3 s3>s1", NONE, "s1 s2 s3", "village"},
    {"A49", "copycat>the_master vampire villager seer", "s3=vampire", NONE, NONE, "s1>s4 s2>s4 s3>s4 s4>s1",
     "s4", "s1 s2 s3", "vampire"},
    {"A50", "alien oracle villager psychic", "s3=new_alien", NONE, NONE, "s1>s3 s2>s3 s3>s1 s4>s3", "s3",
     "s2 s4", "village"},
    {"A52", "synthetic_alien alien villager cow", NONE, NONE, NONE, "s1>s3 s2>s1 s3>s1 s4>s1", "s1", "s1",
     "synthetic_alien"},
    {"A53", "groob zerb villager leader psychic", NONE, NONE, NONE, "s1>s2 s2>s1 s3>s1 s4>s1 s5>s1", "s1",
     "s2 s3 s5", "village zerb"},
    {"A54", "groob alien villager leader", NONE, NONE, NONE, "s1>s3 s2>s3 s3>s4 s4>s3", "s3", "s1 s2",
     "alien"},
    {"A55", "alien alien leader villager villager", NONE, NONE, NONE, "s1>s3 s2>s3 s3>s1 s4>s1 s5>s1", "s1",
     "s1 s2", "alien"},
    {"A56", "groob zerb leader villager villager", NONE, NONE, NONE, "s1>s4 s2>s4 s3>s4 s4>s5 s5>s4", "s4",
     "s3", "leader"},
    {"A58", "alien mortician villager psychic", NONE, NONE, NONE, "s1>s3 s2>s3 s3>s1 s4>s3", "s3", "s1 s2",
     "alien mortician"},
    {"A59", "alien vampire werewolf villager seer robber", "s6=vampire", NONE, NONE,
     "s1>s4 s2>s4 s3>s4 s4>s2 s5>s2 s6>s4", "s2 s4", "s1 s3", "alien werewolf"},
    {"A60", "alien vampire werewolf villager seer robber", "s6=vampire", NONE, NONE,
     "s1>s3 s2>s1 s3>s1 s4>s1 s5>s3 s6>s1", "s1 s3", "s2 s4 s5 s6", "vampire village"},
    {"A61", "alien vampire werewolf villager seer robber", "s6=vampire", NONE, NONE,
     "s1>s3 s2>s1 s3>s1 s4>s3 s5>s2 s6>s4", "s1 s3", "s2 s4 s5 s6", "vampire village"},
    {"A62", "alien vampire werewolf villager seer robber", "s6=vampire", NONE, NONE,
     "s1>s4 s2>s4 s3>s4 s4>s1 s5>s3 s6>s2", "s1 s2 s3 s4", "s4 s5", "village"},
    {"A64", "minion vampire villager seer", "s3=vampire", NONE, NONE, "s1>s4 s2>s4 s3>s4 s4>s2", "s4",
     "s1 s2 s3", "vampire werewolf"},
    {"A73", "diseased vampire villager villager seer", "s5=disease", NONE, NONE,
     "s1>s5 s2>s5 s3>s5 s4>s2 s5>s2", "s5", NONE, NONE},
    {"A74", "diseased vampire villager villager seer villager", "s2=disease s3=vampire", NONE, NONE,
     "s1>s3 s2>s1 s3>s1 s4>s3 s5>s3 s6>s1", "s1 s3", "s1 s4 s5", "village"},
    {"conversion beats the mark (7.1)", "villager alien seer", "s1=vampire", "s1=new_alien", NONE,
     "s1>s2 s2>s1 s3>s1", "s1", "s3", "village"},
    {"artifact beats both", "villager werewolf seer", "s1=new_alien", "s1=brand_of_the_villager", NONE,
     "s1>s2 s2>s1 s3>s1", "s1", "s2", "werewolf"},
    {"helper wins with the aliens alone", "villager alien seer villager", "s1=helper", NONE, NONE,
     "s1>s3 s2>s3 s3>s1 s4>s1", "s1 s3", "s1 s2", "alien"},
    {"marked hunter keeps the shot", "hunter vampire villager", "s1=vampire", NONE, NONE, "s1>s3 s2>s1 s3>s1",
     "s1 s3", "s3", "village"},
    {"marked tanner is a vampire", "tanner vampire villager", "s1=vampire", NONE, NONE, "s1>s3 s2>s1 s3>s1",
     "s1", "s3", "village"},
    {"hunter hits a prince", "hunter prince werewolf villager", NONE, NONE, NONE, "s1>s2 s2>s1 s3>s1 s4>s1",
     "s1 s2", "s3", "werewolf"},
    {"hunter spares the guarded", "hunter werewolf bodyguard villager", NONE, NONE, NONE,
     "s1>s2 s2>s1 s3>s2 s4>s1", "s1", "s2", "werewolf"},
    {"by option he does not", "hunter werewolf bodyguard villager", NONE, NONE,
     "hunter_beats_protection=bodyguard", "s1>s2 s2>s1 s3>s2 s4>s1", "s1 s2", "s1 s3 s4", "village"},
    {"tanner blocks all", "tanner vampire villager", NONE, NONE, NONE, "s1>s2 s2>s1 s3>s1", "s1", "s1",
     "tanner"},
    {"tanner blocks werewolves only", "tanner vampire villager", NONE, NONE, "tanner_blocks=werewolf_only",
     "s1>s2 s2>s1 s3>s1", "s1", "s1 s2", "tanner vampire"},
    {"two hands are two votes", "werewolf villager seer", NONE, NONE, NONE, "s1>s2 s2>s1+s1 s3>s2", "s1 s2",
     "s2 s3", "village"},
    {"wrong guess", "oracle alien villager", "s1=guess_wrong", NONE, NONE, "s1>s2 s2>s1 s3>s1", "s1", "s2 s3",
     "alien village"},
};

static void endings_of_all_sets(void **state) {
    (void)state;
    for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++)
        check(&endings[i]);
}

static void blob_shapes(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 3, "", "");
    struct one_night *g = &rig.state.g;
    lay(g, "alien blob villager villager psychic"); // A57
    g->blob_left = 2;
    static const uint8_t votes[] = {4, 4, 4, 4, 0};
    memcpy(g->vote, votes, sizeof votes);
    one_night__settle(g);
    assert_int_equal(g->won, 3);
    assert_int_equal(g->teams, 1 << TEAM_ALIEN | 1 << TEAM_BLOB);
    rig_begin(&rig, 3, "", "");
    lay(g, "blob alien villager villager psychic"); // A76
    g->blob_right = 2;
    static const uint8_t votes_2[] = {2, 2, 1, 2, 2};
    memcpy(g->vote, votes_2, sizeof votes_2);
    one_night__settle(g);
    assert_int_equal(g->won, 3);
    g->teams = 0;
    g->vote[1] = g->vote[2] = g->vote[3] = 4; // a player of the blob dies
    one_night__settle(g);
    assert_int_equal(g->won & 1, 0);
}

static void epic_groups(void **state) {
    (void)state;
    struct rig rig;
    rig_begin(&rig, 3, "", "");
    struct one_night *g = &rig.state.g;
    lay(g, "alien vampire werewolf villager");
    one_night__settle(g);
    assert_int_equal(g->epic, GROUP_VILLAGE | GROUP_WEREWOLF | GROUP_VAMPIRE | GROUP_ALIEN);
    lay(g, "synthetic_alien renfield minion villager");
    one_night__settle(g);
    assert_int_equal(g->epic, 0);
}

static int told(const struct observation *seen, const char *key, int seat, const char *kind) {
    for (unsigned i = 0; i < seen->n_facts; i++)
        if (strcmp(seen->fact[i].key, key) == 0 && seen->fact[i].seat == seat &&
            (!kind || strcmp(seen->fact[i].kind, kind) == 0))
            return seen->fact[i].value;
    return -1;
}

// 8.3 as ticks, and where the tokens of most votes belong; a bodyguard's pointer is no vote (A59).
static void what_is_shown_of_an_epic_battle(void **state) {
    (void)state;
    static struct rig rig;
    static struct observation seen;
    char line[32];
    rig_begin(&rig, 6, "alien vampire werewolf villager bodyguard seer cow robber drunk", "");
    rig_draw(&rig, "aliens_stare value=0");
    rig_deal(&rig);
    rig_act(&rig, "table begin");
    rig_vote_phase(&rig);
    for (unsigned s = 0; s < 6; s++) {
        snprintf(line, sizeof line, "s%u vote a=s%c", s + 1, "444262"[s]); // the bodyguard points at seat 6
        rig_act(&rig, line);
    }
    rig_act(&rig, "timer next");
    seen.audience = OBSERVE_PUBLIC;
    one_night_game.observe(&rig.state, &seen);
    assert_int_equal(seen.result.dead, 1 << 3 | 1 << 1);
    assert_int_equal(told(&seen, "most_votes", 3, NULL), 1);
    assert_int_equal(told(&seen, "most_votes", 1, NULL), 2);
    assert_int_equal(told(&seen, "most_votes", 5, NULL), -1);
    const struct {
        const char *group;
        int first, second;
    } ticks[] = {{"alien", 1, 1}, {"werewolf", 1, 1}, {"vampire", 0, 0}, {"villager", 0, 0}};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(told(&seen, "condition_1", -1, ticks[i].group), ticks[i].first);
        assert_int_equal(told(&seen, "condition_2", -1, ticks[i].group), ticks[i].second);
    }
    assert_string_equal(seen.result.reason, "a vampire died");
    assert_true(rig_noted(&rig, LINE_epic_second));
}

// A dead alien, tanner or synthetic alien is not why aliens win by the leader clause; a wrong guess replaces
// it.
static void the_leader_clause_is_the_reason(void **state) {
    (void)state;
    static const struct {
        struct ending end;
        const char *reason;
    } rows[] = {
        {{.roles = "alien alien leader villager villager", .votes = "s1>s3 s2>s3 s3>s1 s4>s1 s5>s1"},
         "the whole alien team pointed at the leader"},
        {{.roles = "alien alien leader villager villager", .votes = "s1>s3 s2>s4 s3>s1 s4>s1 s5>s1"},
         "an alien died"},
        {{.roles = "alien tanner leader villager", .votes = "s1>s3 s2>s1 s3>s2 s4>s2"},
         "the whole alien team pointed at the leader"},
        {{.roles = "alien tanner leader villager", .votes = "s1>s2 s2>s1 s3>s2 s4>s2"}, "a tanner died"},
        {{.roles = "alien synthetic_alien leader villager", .votes = "s1>s3 s2>s1 s3>s2 s4>s2"},
         "the whole alien team pointed at the leader"},
        {{.roles = "alien oracle leader villager",
          .marks = "s2=guess_wrong",
          .votes = "s1>s3 s2>s1 s3>s1 s4>s1"},
         "the oracle lived after a wrong guess"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        struct observe_result result;
        struct ending end = rows[i].end;
        end.artifacts = end.options = NONE;
        end.marks = end.marks ? end.marks : NONE;
        settle(&rig, &end)->phase = PHASE_REVEAL;
        one_night_game.result(&rig.state, &result);
        assert_string_equal(result.reason, rows[i].reason);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings_of_all_sets),
        cmocka_unit_test(the_leader_clause_is_the_reason),
        cmocka_unit_test(blob_shapes),
        cmocka_unit_test(epic_groups),
        cmocka_unit_test(what_is_shown_of_an_epic_battle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
