// Options, verbs and sentences: rows only.
#include "games/one_night/one_night.h"

const struct game_option one_night__options[OPTIONS + 1] = {
#define X(name, type, fallback, min, max, choices, help)                                                     \
    {#name, GAME_OPTION_##type, fallback, min, max, choices, help},
    ONE_NIGHT_OPTIONS(X)
#undef X
};

const struct game_line_row one_night__lines[LINES + 1] = {
#define X(id, text, args) {#id, text, args},
    ONE_NIGHT_LINES(X)
#undef X
};

#define PLACE(name)                                                                                          \
    { name, GAME_ARG_PLACE, false, false, NULL }
#define PLACES(name)                                                                                         \
    { name, GAME_ARG_PLACE, true, false, NULL }
#define SEAT(name)                                                                                           \
    { name, GAME_ARG_SEAT, false, false, NULL }
#define SLOT(name)                                                                                           \
    { name, GAME_ARG_SLOT, false, false, NULL }
#define ENUM(name, words)                                                                                    \
    { name, GAME_ARG_ENUM, false, false, words }
#define ANY_SLOT                                                                                             \
    { "slot", GAME_ARG_SLOT, false, true, NULL }
#define WORD(name, id) #id " "
#define KEY_WORD(name, id, line) #id " "
const struct game_verb one_night__verbs[VERBS + 1] = {
    [VERB_DEAL] = {"deal",
                   GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                   {PLACE("place"), SLOT("slot")},
                   "a card is dealt to a place"},
    [VERB_REDEAL] = {"redeal",
                     GAME_VERB_SEALED,
                     {PLACE("a"), PLACE("b")},
                     "two cards are exchanged before the game begins"},
    [VERB_BEGIN] = {"begin", GAME_VERB_REVEALS, {{0}}, "all cards lie; the night begins"},
    [VERB_VIEW] = {"view", GAME_VERB_SEALED, {PLACES("a")}, "look at cards and lay them back"},
    [VERB_COPY] = {"copy",
                   GAME_VERB_SEALED | GAME_VERB_MUST,
                   {PLACE("a")},
                   "look at a card and become its role"},
    [VERB_SWAP] = {"swap", GAME_VERB_SEALED, {PLACE("a"), PLACE("b")}, "exchange the cards of two places"},
    [VERB_ROTATE] = {"rotate",
                     GAME_VERB_SEALED,
                     {{"dir", GAME_ARG_ENUM, false, false, "left right"}},
                     "move all other unshielded cards one seat"},
    [VERB_SHIELD] = {"shield", GAME_VERB_SEALED, {PLACE("a")}, "put a shield on a player's card"},
    [VERB_FLIP] = {"flip",
                   GAME_VERB_SEALED,
                   {PLACES("a")},
                   "turn cards face up; what must be hidden is hidden again"},
    [VERB_FLIPBACK] = {"flipback", GAME_VERB_SEALED, {PLACE("a")}, "hide the card again"},
    [VERB_SLIP_SWAP] = {"slip_swap",
                        GAME_VERB_SEALED,
                        {PLACE("a"), PLACE("b")},
                        "two cards were exchanged that nobody might exchange"},
    [VERB_SLIP_BACK] = {"slip_back",
                        GAME_VERB_SEALED,
                        {PLACE("a"), PLACE("b")},
                        "two cards were exchanged and put back"},
    [VERB_SLIP_LOOK] = {"slip_look",
                        GAME_VERB_SEALED,
                        {PLACE("a")},
                        "a card was lifted that nobody might see"},
    [VERB_NEXT] = {"next", 0, {{0}}, "the time is over"},
    [VERB_HOLD] = {"hold",
                   GAME_VERB_SEALED,
                   {{0}},
                   "the time is over; who has not finished may finish in the next step"},
    [VERB_END_DAY] = {"end_day", 0, {{0}}, "all agree to vote now"},
    [VERB_DONE] = {"done", 0, {{0}}, "the speech is over"},
    [VERB_VOTE] =
        {"vote",
         0,
         {SEAT("a"), {"b", GAME_ARG_SEAT, false, true, NULL}},
         "point at a player; with the second hand at b"},
    [VERB_UNVOTE] = {"unvote", 0, {{0}}, "take the ballot back"},
    [VERB_DRAW] = {"draw",
                   GAME_VERB_SEALED,
                   {ENUM("what", ONE_NIGHT_DRAWS(WORD)), ENUM("variant", ONE_NIGHT_VARIANTS(WORD))},
                   "a variable instruction is drawn"},
    [VERB_DRAW_KEY] = {"draw_key",
                       GAME_VERB_SEALED,
                       {ENUM("what", ONE_NIGHT_DRAWS(WORD)), ENUM("key", ONE_NIGHT_KEYS(KEY_WORD))},
                       "whom the instruction is about"},
    [VERB_DRAW_NUMBER] = {"draw_number",
                          GAME_VERB_SEALED,
                          {ENUM("what", ONE_NIGHT_NUMBERS(WORD)),
                           {"value", GAME_ARG_INT, false, false, NULL}},
                          "a number that goes with the instructions"},
    [VERB_ANSWER] = {"answer",
                     0, // what holds in the end is spoken
                     {ENUM("value", "no yes even odd 1 2 3 4 5 6 7 8 9 10 11 12")},
                     "answer the oracle's question; the last answer counts"},
    [VERB_MARK] = {"mark",
                   GAME_VERB_SEALED,
                   {{"mark", GAME_ARG_ENUM, false, true, ONE_NIGHT_MARKS(WORD)}, PLACE("a"), ANY_SLOT},
                   "lay a mark before a player; the old one goes to the tray"},
    [VERB_CONVERT] = {"convert", GAME_VERB_SEALED, {SEAT("a")}, "tap a fist"},
    [VERB_ARTIFACT] = {"artifact",
                       GAME_VERB_SEALED,
                       {PLACE("a"), ANY_SLOT},
                       "put an artifact, unseen, on a player's card"},
    [VERB_SLIP_MARK] = {"slip_mark",
                        GAME_VERB_SEALED,
                        {PLACE("a"), {"slot", GAME_ARG_SLOT, false, false, NULL}},
                        "a mark was laid that nobody might lay"},
    [VERB_VOTE_APP] = {"vote_app", 0, {{0}}, "point at the device"},
    [VERB_ABSENT] = {"absent", 0, {SEAT("a")}, "somebody leaves the table"},
    [VERB_OPEN] = {"open", 0, {PLACE("a")}, "a card that lies open at dawn is tapped"},
    [VERB_TAP_BALLOTS] =
        {"tap_ballots", 0, {{0}}, "tokens lie too close to be read: from now on they are tapped"},
    [VERB_BACK] = {"back", 0, {SEAT("a")}, "somebody comes back to the table"},
};
