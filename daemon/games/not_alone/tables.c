// Cards, codes, kinds, options, verbs, phases and sentences: everything that is only data.
#include "games/not_alone/not_alone.h"

const uint16_t not_alone__adjacent[PLACE_CARDS + 1] = {
    [1] = PLACE_BIT(2) | PLACE_BIT(6),
    [2] = PLACE_BIT(1) | PLACE_BIT(3) | PLACE_BIT(7),
    [3] = PLACE_BIT(2) | PLACE_BIT(4) | PLACE_BIT(8),
    [4] = PLACE_BIT(3) | PLACE_BIT(5) | PLACE_BIT(9),
    [5] = PLACE_BIT(4) | PLACE_BIT(10),
    [6] = PLACE_BIT(1) | PLACE_BIT(7),
    [7] = PLACE_BIT(2) | PLACE_BIT(6) | PLACE_BIT(8),
    [8] = PLACE_BIT(3) | PLACE_BIT(7) | PLACE_BIT(9),
    [9] = PLACE_BIT(4) | PLACE_BIT(8) | PLACE_BIT(10),
    [10] = PLACE_BIT(5) | PLACE_BIT(9),
};

const struct not_alone_card_row not_alone__hunt[HUNT_END] = {
#define X(name, id, phase, symbols, needed, allowed, flag)                                                   \
    [HUNT_##name] = {#id, phase, symbols, needed, (needed) | (allowed), flag},
    NOT_ALONE_HUNT(X)
#undef X
};
const struct not_alone_card_row not_alone__survival[SURVIVAL_END] = {
#define X(name, id, phase, needed, allowed)                                                                  \
    [SURVIVAL_##name] = {#id, phase, 0, needed, (needed) | (allowed), 0},
    NOT_ALONE_SURVIVAL(X)
#undef X
};
const struct not_alone_code_row not_alone__codes[CODES] = {
#define X(name, text) [E_##name] = {"E_" #name, text},
    NOT_ALONE_CODES(X)
#undef X
};

// ---- kinds

#define BASIC(n, k) [KIND_BASIC + (n - 1) * HUNTED_MAX + k - 1] = {"place_" #n "_" #k, CLASS_PLACE, true}
#define BASICS(n) BASIC(n, 1), BASIC(n, 2), BASIC(n, 3), BASIC(n, 4), BASIC(n, 5), BASIC(n, 6)
#define ADVANCED(n) [KIND_ADVANCED + n - BASIC_CARDS - 1] = {"place_" #n, CLASS_PLACE, true}
#define NUMBER(k) [KIND_NUMBER + k] = {"number_h" #k, CLASS_NUMBER, false}
const struct game_kind_row not_alone__kinds[KINDS] = {
    BASICS(1),
    BASICS(2),
    BASICS(3),
    BASICS(4),
    BASICS(5),
    ADVANCED(6),
    ADVANCED(7),
    ADVANCED(8),
    ADVANCED(9),
    ADVANCED(10),
#define X(name, id, phase, symbols, needed, allowed, flag)                                                   \
    [KIND_HUNT + HUNT_##name - 1] = {#id, CLASS_HUNT, true},
    NOT_ALONE_HUNT(X)
#undef X
#define X(name, id, phase, needed, allowed)                                                                  \
    [KIND_SURVIVAL + SURVIVAL_##name - 1] = {#id, CLASS_SURVIVAL, true},
        NOT_ALONE_SURVIVAL(X)
#undef X
            [KIND_WILL] = {"will", CLASS_WILL, false},
    [KIND_TOKEN + TOKEN_CREATURE] = {"token_creature", CLASS_TOKEN, false},
    [KIND_TOKEN + TOKEN_TARGET] = {"token_target", CLASS_TOKEN, false},
    [KIND_TOKEN + TOKEN_ARTEMIA] = {"token_artemia", CLASS_TOKEN, false},
    [KIND_MARKER] = {"marker", CLASS_TOKEN, false},
    [KIND_RESCUE] = {"counter_rescue", CLASS_TOKEN, false},
    [KIND_ASSIMILATION] = {"counter_assimilation", CLASS_TOKEN, false},
    [KIND_NUMBER] = {"number_c", CLASS_NUMBER, false},
    NUMBER(1),
    NUMBER(2),
    NUMBER(3),
    NUMBER(4),
    NUMBER(5),
    NUMBER(6),
};

// ---- options (10)

const struct game_option not_alone__options[] = {
    [OPTION_EXPERT] = {"expert", GAME_OPTION_BOOL, 0, 0, 1, NULL,
                       "two Will instead of three after the third is lost"},
    [OPTION_HOLOGRAM] = {"hologram_mode", GAME_OPTION_CHOICE, 0, 0, 1, "personal move",
                         "Hologram protects its player, or moves the Artemia token"},
    [OPTION_SIDE] = {"board_side", GAME_OPTION_INT, 1, 1, 2, NULL,
                     "side of the board, chosen by the Creature"},
    {0},
};

// ---- verbs (5)

#define X(name, id, ...) #id " "
const char not_alone__hunt_words[] = NOT_ALONE_HUNT(X);
const char not_alone__survival_words[] = NOT_ALONE_SURVIVAL(X);
#undef X

#define INT(name)                                                                                            \
    { name, GAME_ARG_INT, false, false, NULL }
#define INT_OPT(name)                                                                                        \
    { name, GAME_ARG_INT, false, true, NULL }
#define SET(name)                                                                                            \
    { name, GAME_ARG_INT, true, false, NULL }
#define SET_OPT(name)                                                                                        \
    { name, GAME_ARG_INT, true, true, NULL }
#define SEAT_OPT(name)                                                                                       \
    { name, GAME_ARG_SEAT, false, true, NULL }
#define HUNT_CARD                                                                                            \
    { "card", GAME_ARG_ENUM, false, false, not_alone__hunt_words }
#define SURVIVAL_CARD                                                                                        \
    { "card", GAME_ARG_ENUM, false, false, not_alone__survival_words }
#define TOKEN_WORDS "creature target artemia"
#define MODE                                                                                                 \
    { "mode", GAME_ARG_ENUM, false, true, "recover copy draw" }
#define DRAWN_SLOT                                                                                           \
    { "card", GAME_ARG_SLOT, false, false, NULL }
#define DRAWN_AT                                                                                             \
    { "at", GAME_ARG_PLACE, false, false, NULL }
// Under Smokescreen what lies on a discard pile is not public, so actions that name such cards are told to
// their player alone, always in the same way; sentences tell the place or the card played, the view what it
// moved.
const struct game_verb not_alone__verbs[] = {
    [VERB_DRAW_HUNT] = {"draw_hunt",
                        GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                        {DRAWN_AT, DRAWN_SLOT},
                        "the Creature draws a Hunt card"},
    [VERB_DRAW_SURVIVAL] = {"draw_survival",
                            GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                            {DRAWN_AT, DRAWN_SLOT},
                            "a Hunted draws a Survival card"},
    [VERB_STRIKE] = {"strike",
                     GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                     {DRAWN_AT, DRAWN_SLOT},
                     "Strike Back: a Hunt card goes under the deck"},
    [VERB_LAY] = {"lay",
                  GAME_VERB_SEALED,
                  {SET("cards"), INT_OPT("b")},
                  "lay one card face down, or two; b = the lower one lies on play_b"},
    [VERB_TAKE_UP] = {"take_up", GAME_VERB_SEALED, {{0}}, "take a laid card up again"},
    [VERB_RESIST] = {"resist", 0, {INT("will"), SET("take")}, "pay Will and take two cards back for each"},
    [VERB_GIVE_UP] = {"give_up", 0, {{0}}, "all Will and cards back, Assimilation one forward"},
    [VERB_PLAY_HUNT] = {"play_hunt",
                        GAME_VERB_HELD,
                        {HUNT_CARD, SET_OPT("places"), INT_OPT("rest"), SEAT_OPT("hunted"), INT_OPT("place"),
                         INT_OPT("to"), INT_OPT("slot")},
                        "play a Hunt card"},
    [VERB_PLAY_SURVIVAL] = {"play_survival",
                            GAME_VERB_SEALED,
                            {SURVIVAL_CARD,
                             SET_OPT("take"),
                             INT_OPT("discard"),
                             INT_OPT("give"),
                             INT_OPT("to"),
                             {"token", GAME_ARG_ENUM, false, true, TOKEN_WORDS}},
                            "play a Survival card"},
    [VERB_PLAY_POWER] = {"play_power",
                         GAME_VERB_SEALED,
                         {{"card", GAME_ARG_ENUM, false, false, "drone gate"},
                          INT_OPT("copy"),
                          MODE,
                          INT_OPT("place"),
                          SET_OPT("take"),
                          INT_OPT("piece"),
                          SEAT_OPT("heal"),
                          INT_OPT("slot")},
                         "Drone or Gate: another power instead of the own place's"},
    [VERB_PLACE_TOKEN] = {"place_token",
                          0,
                          {{"token", GAME_ARG_ENUM, false, false, TOKEN_WORDS},
                           SET("places"),
                           INT_OPT("rest")},
                          "place a Hunt token on one place or two neighbours"},
    [VERB_CHOOSE_RIVER] = {"choose_river", GAME_VERB_SEALED, {INT("card")}, "keep this card of the two"},
    [VERB_USE_POWER] = {"use_power",
                        GAME_VERB_SEALED,
                        {MODE, INT_OPT("place"), SET_OPT("take"), INT_OPT("piece"), SEAT_OPT("heal"),
                         INT_OPT("slot")},
                        "use the power of the place"},
    [VERB_TAKE_BACK] = {"take_back",
                        GAME_VERB_SEALED,
                        {INT("card"), INT_OPT("slot")},
                        "take one card back instead"},
    [VERB_PASS_PLACE] = {"pass_place", 0, {INT_OPT("slot")}, "do nothing there"},
    [VERB_DISCARD] = {"discard", GAME_VERB_SEALED, {SET("cards")}, "discard cards from hand"},
    [VERB_SHOW] = {"show", GAME_VERB_SEALED, {SET("cards")}, "show the Creature all but two"},
    [VERB_SCREAM] = {"scream",
                     GAME_VERB_SEALED,
                     {SET_OPT("discard"), {"lose_will", GAME_ARG_BOOL, false, true, NULL}},
                     "discard two cards, or lose a Will"},
    [VERB_TOXIN_DISCARD] = {"toxin_discard", GAME_VERB_SEALED, {SURVIVAL_CARD}, "discard a Survival card"},
    [VERB_KEEP] = {"keep", GAME_VERB_SEALED, {SURVIVAL_CARD}, "keep one of the cards drawn"},
    [VERB_READY] = {"ready", 0, {{0}}, "no more cards in this phase"},
    {0},
};

// ---- phases, sentences, presets

const struct game_phase_row not_alone__phases[] = {
    [PHASE_DRAW] = {"draw", OBSERVE_SEALED},
    [PHASE_EXPLORATION] = {"exploration", OBSERVE_SEALED},
    [PHASE_HUNTING] = {"hunting", OBSERVE_OPEN},
    [PHASE_RIVER] = {"river", OBSERVE_SEALED},
    [PHASE_RECKONING] = {"reckoning", OBSERVE_OPEN},
    [PHASE_LOSSES] = {"losses", OBSERVE_SEALED},
    [PHASE_END_OF_TURN] = {"end_of_turn", OBSERVE_OPEN},
    [PHASE_GAME_OVER] = {"game_over", OBSERVE_OPEN},
    {0},
};

const struct game_line_row not_alone__lines[] = {
    [LINE_DRAW] = {"draw", "Everybody: draw your cards.", ""},
    [LINE_CREATURE_FIRST] = {"creature_first", "Creature: you may play a card before the others lay.", ""},
    [LINE_TURN] = {"turn_start", "Hunted: turn {0}. Lay a place card face down.", "n"},
    [LINE_HUNTING] = {"hunting", "Creature: place your tokens. You may play a Hunt card.", ""},
    [LINE_HUNT_CARD] = {"hunt_card", "Creature plays {0}.", "k"},
    [LINE_SURVIVAL_CARD] = {"survival_card", "Seat {0} plays {1}.", "sk"},
    [LINE_TOKEN] = {"token_down", "Creature: {0} lies on {1}.", "kp"},
    [LINE_RIVER] = {"river", "Hunted at the River: keep one card, take the other back.", ""},
    [LINE_REVEAL] = {"reveal", "Hunted: turn your cards up.", ""},
    [LINE_PLACE] = {"place", "Seat {0}: use your place, or take a card back.", "s"},
    [LINE_POWER] = {"power", "Seat {0} uses {1}.", "sp"},
    [LINE_LOSSES] = {"losses", "Hunted: put down what you owe, face down.", ""},
    [LINE_CAUGHT] = {"caught", "Seat {0} is caught. Will lost: {1}.", "sn"},
    [LINE_ARTEMIA] = {"artemia_bite", "Seat {0} meets Artemia.", "s"},
    [LINE_RESCUE] = {"rescue", "Rescue: {0} to the star.", "n"},
    [LINE_ASSIMILATION] = {"assimilation", "Assimilation: {0} to the star.", "n"},
    [LINE_GIVE_UP] = {"give_up", "Seat {0} gives up and takes everything back.", "s"},
    [LINE_THIRD_WILL] = {"third_will", "Seat {0} has lost the last Will: everything back.", "s"},
    [LINE_END_OF_TURN] = {"end_of_turn", "Everybody: end of the turn.", ""},
    [LINE_LAID] = {"laid", "Seat {0} lays {1}.", "sp"},
    [LINE_LAID_TWO] = {"laid_two", "Seat {0} lays {1} and {2}.", "spp"},
    [LINE_TAKEN_UP] = {"taken_up", "Seat {0} takes the laid cards up again.", "s"},
    [LINE_RESISTED] = {"resisted", "Seat {0} resists. Will paid: {1}.", "sn"},
    [LINE_KEPT] = {"kept", "Seat {0} keeps {1} and takes {2} back.", "spp"},
    [LINE_SHOWN] = {"shown", "Seat {0} shows the Creature {1}.", "sp"},
    [LINE_DISCARDED] = {"discarded", "Seat {0} discards {1}.", "sp"},
    [LINE_DISCARDED_CARD] = {"discarded_card", "Seat {0} discards {1}.", "sk"},
    [LINE_WILL_LOST] = {"will_lost", "Seat {0} chooses to lose a Will.", "s"},
    [LINE_IS_READY] = {"is_ready", "Seat {0} is ready.", "s"},
    [LINE_HUNTED_WIN] = {"hunted_win", "Hunted win: rescue has come.", ""},
    [LINE_CREATURE_WINS] = {"creature_wins", "Creature wins: Artemia has taken them.", ""},
    {0},
};

const struct game_preset not_alone__presets[] = {
    {"two", 2, "", "board_side=1", "one Hunted alone"},
    {"five", 5, "", "board_side=1", "four Hunted"},
    {"expert", 5, "", "expert=yes board_side=2", "four Hunted, for those who know it"},
    {0},
};
