// The tables of section 11 and 1.3: roles, sets, teams, kinds of pieces.
#include "games/one_night/one_night.h"

const struct one_night_role_row one_night__roles[ROLES] = {
#define X(name, id, set, team, flags, copies, instant)                                                       \
    [ROLE_##name] = {#id, SET_##set, TEAM_##team, flags, copies, instant},
    ONE_NIGHT_ROLES(X)
#undef X
};

const char *const one_night__set_names[SETS] = {"werewolf", "daybreak", "vampire",
                                                "alien",    "bonus",    "villains"};
const char *const one_night__team_names[TEAMS] = {
#define X(name, id) [TEAM_##name] = #id,
    ONE_NIGHT_TEAMS(X)
#undef X
};

const char *const one_night__mark_names[MARKS] = {
#define X(name, id) [MARK_##name] = #id,
    ONE_NIGHT_MARKS(X)
#undef X
};

#define TOKEN(n) [KIND_TOKEN + n - 1] = {"token_" #n, CLASS_TOKEN, false}
// Eleven ballots a voter, the own number left out: a target above the voter moves down by one.
#define BALLOT(v, t)                                                                                         \
    [KIND_BALLOT + (v - 1) * (TABLE_SEATS - 1) + (t - 1) - (t > v ? 1 : 0)] = {"ballot_" #v "_" #t,          \
                                                                               CLASS_TOKEN, false}
const struct game_kind_row one_night__kinds[KINDS] = {
#define X(name, id, set, team, flags, copies, instant) [ROLE_##name] = {#id, CLASS_CARD, true},
    ONE_NIGHT_ROLES(X)
#undef X
        TOKEN(1),
    TOKEN(2),
    TOKEN(3),
    TOKEN(4),
    TOKEN(5),
    TOKEN(6),
    TOKEN(7),
    TOKEN(8),
    TOKEN(9),
    TOKEN(10),
    TOKEN(11),
    TOKEN(12),
    // clang-format off
    BALLOT(1, 2), BALLOT(1, 3), BALLOT(1, 4), BALLOT(1, 5), BALLOT(1, 6), BALLOT(1, 7), BALLOT(1, 8), BALLOT(1, 9), BALLOT(1, 10), BALLOT(1, 11), BALLOT(1, 12),
    BALLOT(2, 1), BALLOT(2, 3), BALLOT(2, 4), BALLOT(2, 5), BALLOT(2, 6), BALLOT(2, 7), BALLOT(2, 8), BALLOT(2, 9), BALLOT(2, 10), BALLOT(2, 11), BALLOT(2, 12),
    BALLOT(3, 1), BALLOT(3, 2), BALLOT(3, 4), BALLOT(3, 5), BALLOT(3, 6), BALLOT(3, 7), BALLOT(3, 8), BALLOT(3, 9), BALLOT(3, 10), BALLOT(3, 11), BALLOT(3, 12),
    BALLOT(4, 1), BALLOT(4, 2), BALLOT(4, 3), BALLOT(4, 5), BALLOT(4, 6), BALLOT(4, 7), BALLOT(4, 8), BALLOT(4, 9), BALLOT(4, 10), BALLOT(4, 11), BALLOT(4, 12),
    BALLOT(5, 1), BALLOT(5, 2), BALLOT(5, 3), BALLOT(5, 4), BALLOT(5, 6), BALLOT(5, 7), BALLOT(5, 8), BALLOT(5, 9), BALLOT(5, 10), BALLOT(5, 11), BALLOT(5, 12),
    BALLOT(6, 1), BALLOT(6, 2), BALLOT(6, 3), BALLOT(6, 4), BALLOT(6, 5), BALLOT(6, 7), BALLOT(6, 8), BALLOT(6, 9), BALLOT(6, 10), BALLOT(6, 11), BALLOT(6, 12),
    BALLOT(7, 1), BALLOT(7, 2), BALLOT(7, 3), BALLOT(7, 4), BALLOT(7, 5), BALLOT(7, 6), BALLOT(7, 8), BALLOT(7, 9), BALLOT(7, 10), BALLOT(7, 11), BALLOT(7, 12),
    BALLOT(8, 1), BALLOT(8, 2), BALLOT(8, 3), BALLOT(8, 4), BALLOT(8, 5), BALLOT(8, 6), BALLOT(8, 7), BALLOT(8, 9), BALLOT(8, 10), BALLOT(8, 11), BALLOT(8, 12),
    BALLOT(9, 1), BALLOT(9, 2), BALLOT(9, 3), BALLOT(9, 4), BALLOT(9, 5), BALLOT(9, 6), BALLOT(9, 7), BALLOT(9, 8), BALLOT(9, 10), BALLOT(9, 11), BALLOT(9, 12),
    BALLOT(10, 1), BALLOT(10, 2), BALLOT(10, 3), BALLOT(10, 4), BALLOT(10, 5), BALLOT(10, 6), BALLOT(10, 7), BALLOT(10, 8), BALLOT(10, 9), BALLOT(10, 11), BALLOT(10, 12),
    BALLOT(11, 1), BALLOT(11, 2), BALLOT(11, 3), BALLOT(11, 4), BALLOT(11, 5), BALLOT(11, 6), BALLOT(11, 7), BALLOT(11, 8), BALLOT(11, 9), BALLOT(11, 10), BALLOT(11, 12),
    BALLOT(12, 1), BALLOT(12, 2), BALLOT(12, 3), BALLOT(12, 4), BALLOT(12, 5), BALLOT(12, 6), BALLOT(12, 7), BALLOT(12, 8), BALLOT(12, 9), BALLOT(12, 10), BALLOT(12, 11),
// clang-format on
#define X(name, id) [KIND_MARK + MARK_##name] = {"mark_" #id, CLASS_MARK, true},
    ONE_NIGHT_MARKS(X)
#undef X
#define X(name, id) [KIND_ARTIFACT + ARTIFACT_##name] = {#id, CLASS_ARTIFACT, true},
        ONE_NIGHT_ARTIFACTS(X)
#undef X
            [KIND_SHIELD] = {"shield", CLASS_SHIELD, false},
};
