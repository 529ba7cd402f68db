// Who and what lies on the table: roles, their teams, cards, marks, artifacts.
#pragma once
#include "engine/game.h"
#include <stdint.h>

// ---- roles (11)

enum one_night_set { SET_WEREWOLF, SET_DAYBREAK, SET_VAMPIRE, SET_ALIEN, SET_BONUS, SET_VILLAINS, SETS };

// Own teams by role id, in alphabetical order: results are written in this order.
#define ONE_NIGHT_TEAMS(X)                                                                                   \
    X(ALIEN, alien)                                                                                          \
    X(APPRENTICE_ASSASSIN, apprentice_assassin)                                                              \
    X(ASSASSIN, assassin)                                                                                    \
    X(BLOB, blob)                                                                                            \
    X(GROOB, groob)                                                                                          \
    X(HUNTER, hunter)                                                                                        \
    X(LEADER, leader)                                                                                        \
    X(MORTICIAN, mortician)                                                                                  \
    X(SYNTHETIC_ALIEN, synthetic_alien)                                                                      \
    X(TANNER, tanner)                                                                                        \
    X(VAMPIRE, vampire)                                                                                      \
    X(VILLAGE, village)                                                                                      \
    X(WEREWOLF, werewolf)                                                                                    \
    X(ZERB, zerb)
enum one_night_team {
#define X(name, id) TEAM_##name,
    ONE_NIGHT_TEAMS(X)
#undef X
        TEAMS
};

enum {               // what a role is, may and needs
    IS_BUILT = 1,    // its night and its ending are built; else E_SET_NOT_INSTALLED
    IS_HOUSE = 2,    // allowed under house_cn
    IS_WOLF = 4,     // is a werewolf (minion and squire are not)
    IS_FANG = 8,     // is a vampire
    IS_ALIEN = 16,   // is an alien
    IS_MOVER = 32,   // can move another player's card: gives the insomniac something to find
    IS_ADOPTING = 64 // doppelganger, copycat: becomes what it sees
};

// X(NAME, id, set, team, flags, copies, instant): copies = what one box owns, instant = the night row whose
// action a doppelganger who copied the role does at once (4.2), 0 = none.
#define ONE_NIGHT_ROLES(X)                                                                                   \
    X(DOPPELGANGER, doppelganger, WEREWOLF, VILLAGE, IS_BUILT | IS_ADOPTING, 1, 0)                           \
    X(WEREWOLF, werewolf, WEREWOLF, WEREWOLF, IS_BUILT | IS_HOUSE | IS_WOLF, 2, 0)                           \
    X(MINION, minion, WEREWOLF, WEREWOLF, IS_BUILT | IS_HOUSE, 1, 0)                                         \
    X(MASON, mason, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE, 2, 0)                                            \
    X(SEER, seer, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE, 1, 500)                                            \
    X(ROBBER, robber, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE | IS_MOVER, 1, 600)                             \
    X(TROUBLEMAKER, troublemaker, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE | IS_MOVER, 1, 700)                 \
    X(DRUNK, drunk, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE, 1, 800)                                          \
    X(INSOMNIAC, insomniac, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE, 1, 0)                                    \
    X(HUNTER, hunter, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE, 1, 0)                                          \
    X(TANNER, tanner, WEREWOLF, TANNER, IS_BUILT | IS_HOUSE, 1, 0)                                           \
    X(VILLAGER, villager, WEREWOLF, VILLAGE, IS_BUILT | IS_HOUSE, 3, 0)                                      \
    X(SENTINEL, sentinel, DAYBREAK, VILLAGE, IS_BUILT, 1, 310)                                               \
    X(ALPHA_WOLF, alpha_wolf, DAYBREAK, WEREWOLF, IS_BUILT | IS_WOLF | IS_MOVER, 1, 410)                     \
    X(MYSTIC_WOLF, mystic_wolf, DAYBREAK, WEREWOLF, IS_BUILT | IS_WOLF, 1, 420)                              \
    X(DREAM_WOLF, dream_wolf, DAYBREAK, WEREWOLF, IS_BUILT | IS_WOLF, 1, 0)                                  \
    X(APPRENTICE_SEER, apprentice_seer, DAYBREAK, VILLAGE, IS_BUILT, 1, 510)                                 \
    X(PARANORMAL_INVESTIGATOR, paranormal_investigator, DAYBREAK, VILLAGE, IS_BUILT, 1, 520)                 \
    X(WITCH, witch, DAYBREAK, VILLAGE, IS_BUILT | IS_MOVER, 1, 610)                                          \
    X(VILLAGE_IDIOT, village_idiot, DAYBREAK, VILLAGE, IS_BUILT | IS_MOVER, 1, 710)                          \
    X(REVEALER, revealer, DAYBREAK, VILLAGE, IS_BUILT, 1, 0)                                                 \
    X(CURATOR, curator, DAYBREAK, VILLAGE, IS_BUILT, 1, 0)                                                   \
    X(BODYGUARD, bodyguard, DAYBREAK, VILLAGE, IS_BUILT, 1, 0)                                               \
    X(COPYCAT, copycat, VAMPIRE, VILLAGE, IS_BUILT | IS_ADOPTING, 1, 0)                                      \
    X(VAMPIRE, vampire, VAMPIRE, VAMPIRE, IS_BUILT | IS_FANG, 1, 0)                                          \
    X(THE_MASTER, the_master, VAMPIRE, VAMPIRE, IS_BUILT | IS_FANG, 1, 0)                                    \
    X(THE_COUNT, the_count, VAMPIRE, VAMPIRE, IS_BUILT | IS_FANG, 1, 0)                                      \
    X(RENFIELD, renfield, VAMPIRE, VAMPIRE, IS_BUILT, 1, 0)                                                  \
    X(DISEASED, diseased, VAMPIRE, VILLAGE, IS_BUILT, 1, 230)                                                \
    X(CUPID, cupid, VAMPIRE, VILLAGE, IS_BUILT, 1, 240)                                                      \
    X(INSTIGATOR, instigator, VAMPIRE, VILLAGE, IS_BUILT, 1, 250)                                            \
    X(PRIEST, priest, VAMPIRE, VILLAGE, IS_BUILT, 1, 0)                                                      \
    X(ASSASSIN, assassin, VAMPIRE, ASSASSIN, IS_BUILT, 1, 0)                                                 \
    X(APPRENTICE_ASSASSIN, apprentice_assassin, VAMPIRE, APPRENTICE_ASSASSIN, IS_BUILT, 1, 0)                \
    X(MARKSMAN, marksman, VAMPIRE, VILLAGE, IS_BUILT, 1, 0)                                                  \
    X(PICKPOCKET, pickpocket, VAMPIRE, VILLAGE, IS_BUILT, 1, 0)                                              \
    X(GREMLIN, gremlin, VAMPIRE, VILLAGE, IS_BUILT | IS_MOVER, 1, 0)                                         \
    X(ORACLE, oracle, ALIEN, VILLAGE, IS_BUILT, 1, 0)                                                        \
    X(ALIEN, alien, ALIEN, ALIEN, IS_BUILT | IS_ALIEN, 2, 0)                                                 \
    X(SYNTHETIC_ALIEN, synthetic_alien, ALIEN, SYNTHETIC_ALIEN, IS_BUILT | IS_ALIEN, 1, 0)                   \
    X(COW, cow, ALIEN, VILLAGE, IS_BUILT, 1, 0)                                                              \
    X(GROOB, groob, ALIEN, ALIEN, IS_BUILT | IS_ALIEN, 1, 0)                                                 \
    X(ZERB, zerb, ALIEN, ALIEN, IS_BUILT | IS_ALIEN, 1, 0)                                                   \
    X(LEADER, leader, ALIEN, VILLAGE, IS_BUILT, 1, 0)                                                        \
    X(PSYCHIC, psychic, ALIEN, VILLAGE, IS_BUILT, 1, 0)                                                      \
    X(RASCAL, rascal, ALIEN, VILLAGE, IS_BUILT | IS_MOVER, 1, 0)                                             \
    X(EXPOSER, exposer, ALIEN, VILLAGE, IS_BUILT, 1, 0)                                                      \
    X(BLOB, blob, ALIEN, BLOB, IS_BUILT, 1, 0)                                                               \
    X(MORTICIAN, mortician, ALIEN, MORTICIAN, IS_BUILT, 1, 0)                                                \
    X(APPRENTICE_TANNER, apprentice_tanner, BONUS, TANNER, IS_BUILT, 1, 0)                                   \
    X(AURA_SEER, aura_seer, BONUS, VILLAGE, IS_BUILT, 1, 0)                                                  \
    X(BEHOLDER, beholder, BONUS, VILLAGE, 0, 1, 0)                                                           \
    X(BODY_SNATCHER, body_snatcher, BONUS, ALIEN, 0, 1, 0)                                                   \
    X(CURSED, cursed, BONUS, VILLAGE, IS_BUILT, 1, 0)                                                        \
    X(EMPATH, empath, BONUS, VILLAGE, 0, 1, 0)                                                               \
    X(NOSTRADAMUS, nostradamus, BONUS, VILLAGE, 0, 1, 0)                                                     \
    X(PRINCE, prince, BONUS, VILLAGE, IS_BUILT, 1, 0)                                                        \
    X(SQUIRE, squire, BONUS, WEREWOLF, IS_BUILT, 1, 0)                                                       \
    X(THING, thing, BONUS, VILLAGE, IS_BUILT, 1, 0)                                                          \
    X(TEMPTRESS, temptress, VILLAINS, VILLAGE, 0, 1, 0)
enum one_night_role {
#define X(name, id, set, team, flags, copies, instant) ROLE_##name,
    ONE_NIGHT_ROLES(X)
#undef X
        ROLES,
    ROLE_NONE = 0xff
};
#define ROLE_BIT(name) (UINT64_C(1) << ROLE_##name)

struct one_night_role_row {
    const char *id;
    uint8_t set, team, flags, copies;
    uint16_t instant;
};
extern const struct one_night_role_row one_night__roles[ROLES];
extern const char *const one_night__set_names[SETS], *const one_night__team_names[TEAMS];

// ---- kinds: roles first, by the numbers of enum one_night_role

enum { TABLE_SEATS = 12, CENTRE_MAX = 5, POSITIONS_MAX = TABLE_SEATS + CENTRE_MAX, CARDS_MAX = 20 };
enum one_night_class { CLASS_CARD, CLASS_TOKEN, CLASS_MARK, CLASS_ARTIFACT, CLASS_SHIELD };
#define ONE_NIGHT_MARKS(X)                                                                                   \
    X(CLARITY, clarity)                                                                                      \
    X(VAMPIRE, vampire)                                                                                      \
    X(FEAR, fear)                                                                                            \
    X(BAT, bat)                                                                                              \
    X(DISEASE, disease)                                                                                      \
    X(LOVE, love)                                                                                            \
    X(TRAITOR, traitor)                                                                                      \
    X(ASSASSIN, assassin)
enum one_night_mark {
#define X(name, id) MARK_##name,
    ONE_NIGHT_MARKS(X)
#undef X
        MARKS
};
#define ONE_NIGHT_ARTIFACTS(X)                                                                               \
    X(CLAW, claw_of_the_werewolf)                                                                            \
    X(BRAND, brand_of_the_villager)                                                                          \
    X(CUDGEL, cudgel_of_the_tanner)                                                                          \
    X(VOID, void_of_nothingness)                                                                             \
    X(MASK, mask_of_muting)                                                                                  \
    X(SHROUD, shroud_of_shame)                                                                               \
    X(BOW, bow_of_the_hunter)                                                                                \
    X(CLOAK, cloak_of_the_prince)                                                                            \
    X(SWORD, sword_of_the_bodyguard)                                                                         \
    X(MIST, mist_of_the_vampire)                                                                             \
    X(ALIEN, alien_artifact)                                                                                 \
    X(DAGGER, dagger_of_the_traitor)
enum one_night_artifact {
#define X(name, id) ARTIFACT_##name,
    ONE_NIGHT_ARTIFACTS(X)
#undef X
        ARTIFACTS,
    ARTIFACT_NONE = 0xff
};
enum {
    KIND_TOKEN = ROLES,                     // token_1 ..
    KIND_BALLOT = KIND_TOKEN + TABLE_SEATS, // ballot_1_2: voter, then target, self left out
    KIND_MARK = KIND_BALLOT + TABLE_SEATS * (TABLE_SEATS - 1),
    KIND_ARTIFACT = KIND_MARK + MARKS,
    KIND_SHIELD = KIND_ARTIFACT + ARTIFACTS,
    KINDS
};
extern const struct game_kind_row one_night__kinds[KINDS];
extern const char *const one_night__mark_names[MARKS];
