// Characters, identities, options, verbs and sentences as rows.
#include "games/alien_hunt/alien_hunt.h"

const struct identity_row alien_hunt__identities[IDENTITY_KINDS] = {
    [MAN_IN_BLACK] = {ACT_REMOVE, 3, -2, -1, 0, 0},
    [UFOLOGIST] = {ACT_MOVE_FROM, 3, -1, -1, 0, 0},
    [UFO_MANIAC] = {ACT_MOVE_TO, 3, -1, -1, 0, 0},
    [MYTHOMANIAC] = {ACT_TAKE, 0, 0, 0, 0, 0},
    [ALIEN_SCIENTIST] = {ACT_POINTS, -2, -1, 3, false, 1},
    [ALIEN_EXPLORER] = {ACT_POINTS, -2, 2, 2, false, 0},
    [ALIEN_INVADER] = {ACT_SEND, -2, 3, -1, 0, 0},
    [ALIEN_BOUNTY_HUNTER] = {ACT_POINTS, 3, -1, -1, true, 1},
};

const bool alien_hunt__active[CHARACTER_KINDS] = {
#define X(name, id, active) [name] = active,
    CHARACTERS(X)
#undef X
};

#define TOKENS(seat)                                                                                         \
    {"observation_" #seat, CLASS_TOKEN, true}, {                                                             \
        "action_" #seat, CLASS_TOKEN, true                                                                   \
    }
const struct game_kind_row alien_hunt__kinds[KINDS] = {
#define X(name, id, active) {#id, CLASS_CHARACTER, false},
    CHARACTERS(X)
#undef X
#define X(name, id) {#id, CLASS_IDENTITY, true},
        IDENTITIES(X)
#undef X
            TOKENS(1),
    TOKENS(2),
    TOKENS(3),
    TOKENS(4),
    TOKENS(5),
    TOKENS(6),
    TOKENS(7),
    TOKENS(8),
};

const struct game_option alien_hunt__options[] = {
    [OPTION_ROUNDS] = {"rounds", GAME_OPTION_INT, 0, 0, 16, NULL, "rounds; 0 = everybody is President once"},
    [OPTION_DISCUSSION] = {"discussion_limit_s", GAME_OPTION_INT, 0, 0, 3600, NULL,
                           "seconds until a reminder; 0 = none"},
    [OPTION_THREE_STEP] = {"three_step", GAME_OPTION_BOOL, 0, 0, 1, NULL,
                           "three laps: talk, then everybody lays one token"},
    [OPTION_EXPLORER] = {"explorer_action", GAME_OPTION_CHOICE, 0, 0, 1, "points none",
                         "what the explorer's action tokens do"},
    [OPTION_POOL] = {"pool", GAME_OPTION_BOOL, 1, 0, 1, NULL, "characters left over are drawn from later"},
    {0},
};

const struct game_phase_row alien_hunt__phases[] = {
    [PHASE_SETUP] = {"setup", OBSERVE_OPEN},
    [PHASE_DEAL] = {"deal", OBSERVE_SEALED},
    [PHASE_DISCUSSION] = {"discussion", OBSERVE_OPEN},
    [PHASE_ALERT_ABILITIES] = {"alert_abilities", OBSERVE_OPEN},
    [PHASE_ALERT_ASSIGN] = {"alert_assign", OBSERVE_OPEN},
    [PHASE_REVEAL] = {"reveal", OBSERVE_OPEN},
    [PHASE_SCORED] = {"scored", OBSERVE_OPEN},
    [PHASE_GAME_OVER] = {"game_over", OBSERVE_OPEN},
    {0},
};

#define TOKEN_WORDS "1a 1b 1c 2a 2b 2c 3a 3b 3c 4a 4b 4c 5a 5b 5c 6a 6b 6c 7a 7b 7c 8a 8b 8c"
#define ARG(name, type)                                                                                      \
    { name, GAME_ARG_##type, false, false, NULL }
#define MAY(name, type)                                                                                      \
    { name, GAME_ARG_##type, false, true, NULL }
#define TOKEN(name, optional)                                                                                \
    { name, GAME_ARG_ENUM, false, optional, TOKEN_WORDS }

// Which token of three is laid is its owner's secret, so the verbs that name one by its letter are sealed. A
// token on the table is named by its owner and the order in which it was laid, which everybody has seen.
const struct game_verb alien_hunt__verbs[] = {
    [VERB_CHARACTER] = {"character",
                        GAME_VERB_PHYSICAL,
                        {ARG("seat", SEAT), ARG("card", KIND)},
                        "deal a character face up"},
    [VERB_DEAL] = {"deal",
                   GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                   {ARG("to", PLACE), ARG("card", SLOT)},
                   "lay an identity face down"},
    [VERB_DRAW] = {"draw", GAME_VERB_PHYSICAL, {ARG("card", KIND)}, "the old President's new character"},
    [VERB_ASSIGN] = {"assign",
                     GAME_VERB_SEALED | GAME_VERB_CONFIRM,
                     {TOKEN("token", false), ARG("to", SEAT)},
                     "give a token to another player"},
    [VERB_REASSIGN] = {"reassign",
                       GAME_VERB_SEALED,
                       {MAY("copy", KIND), TOKEN("token1", false), ARG("to1", SEAT), TOKEN("token2", true),
                        MAY("to2", SEAT), TOKEN("token3", true), MAY("to3", SEAT)},
                       "move own tokens that were given"},
    // REVEALS: nobody can unsee a card, so there is no undo across this.
    [VERB_ABILITY] =
        {"ability",
         GAME_VERB_REVEALS,
         {MAY("copy", KIND), MAY("target", SEAT), MAY("to", SEAT), {"picks", GAME_ARG_INT, true, true, NULL}},
         "use the character"},
    [VERB_ASK] = {"ask",
                  GAME_VERB_SEALED | GAME_VERB_REVEALS,
                  {MAY("copy", KIND),
                   ARG("target", SEAT),
                   {"question", GAME_ARG_ENUM, false, false, "is_alien is_identity obs_on"},
                   MAY("identity", KIND),
                   MAY("seat", SEAT)},
                  "the journalist's question, answered to the asker alone"},
    [VERB_PASS_ABILITY] = {"pass_ability", 0, {{0}}, "do not use the character now"},
    [VERB_DECLARE_ALERT] = {"declare_alert", 0, {{0}}, "end the discussion"},
    [VERB_RESOLVE] = {"resolve",
                      0,
                      {TOKEN("token", false), ARG("owner", SEAT), ARG("n", INT), MAY("to", SEAT)},
                      "carry out an action token on the n-th laid token of a seat"},
    [VERB_PASS_PRESIDENCY] = {"pass_presidency", 0, {{0}}, "hand the President's card to the right"},
    [VERB_LOOKED] = {"looked", 0, {ARG("at", PLACE)}, "a card or tokens were lifted and put back"},
    [VERB_PEEK] = {"peek", 0, {{0}}, "see the own identity again"},
    [VERB_DONE] = {"done", 0, {{0}}, "the look is over"},
    [VERB_REMIND] = {"remind", 0, {{0}}, "time is up: a reminder"},
    {0},
};

const struct game_line_row alien_hunt__lines[] = {
    [LINE_DEAL] = {"deal", "Everybody: look at your identity, then lay it face down.", ""},
    [LINE_DISCUSS] = {"discuss", "Seat {0}: you are President. Open the discussion.", "s"},
    [LINE_ASKS] = {"asks", "Seat {0} asks seat {1} a question.", "ss"},
    [LINE_GIVE] = {"give", "Seat {0}: give a token to seat {1}.", "ss"},
    [LINE_TAKE_BACK] = {"take_back", "Seat {0}: take your token back from seat {1}.", "ss"},
    [LINE_LAY_BACK] = {"lay_back", "Seat {0}: please lay back what you lifted.", "s"},
    [LINE_TALKED] = {"talked", "Seat {0}: the time to talk is up.", "s"},
    [LINE_ALERT] = {"alert", "Alert: the discussion is over.", ""},
    [LINE_OFFER] = {"offer", "Seat {0}: you may use your character, or pass.", "s"},
    [LINE_PLACE] = {"place", "Seat {0}: give your tokens now.", "s"},
    [LINE_REVEAL] = {"reveal", "Seat {0}: turn your cards. {1}.", "sk"},
    [LINE_ACT] = {"act", "Seat {0}: you must carry out your action tokens.", "s"},
    [LINE_SCORED] = {"scored", "Everybody: the round is over. Bring your pieces home.", ""},
    [LINE_PRESIDENT] = {"president", "Seat {0}: you are the new President.", "s"},
    [LINE_OVER] = {"over", "Everybody: the game is over.", ""},
    {0},
};

const struct game_preset alien_hunt__presets[] = {
    {"four", 4, "president investigator journalist spy", "rounds=2", "four players, two rounds to learn it"},
    {"five", 5, "president investigator journalist spy showgirl", "rounds=2",
     "five players, two rounds to learn it"},
    {"six", 6, "president investigator journalist spy showgirl recluse", "rounds=2",
     "six players, two rounds to learn it"},
    {"eight", 8, "", "rounds=2", "eight players, characters at random, two rounds"},
    {"three_step", 6, "", "rounds=2 three_step=1", "six players, three laps in a round"},
    {0},
};
