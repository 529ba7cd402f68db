// Kinds, options, verbs, phases, sentences, presets: rows only.
#include "games/elfenland/elfenland.h"

const char *const elfenland__type_names[TYPES] = {
#define X(name, word) [TYPE_##name] = #word,
    ELFENLAND_TYPES(X)
#undef X
        [TYPE_RAFT] = "raft",
};
#define X(name, word) #word " "
const char elfenland__card_words[] = ELFENLAND_TYPES(X) "raft";
const char elfenland__counter_words[] = ELFENLAND_TYPES(X);
#undef X

const uint8_t elfenland__cost[COUNTER_TYPES][4] = {
    // plains, forest, desert, mountain (elfenland.md 3)
    [TYPE_GIANT_PIG] = {1, 1, 0, 0}, [TYPE_ELFCYCLE] = {1, 1, 0, 2},    [TYPE_MAGIC_CLOUD] = {2, 2, 0, 1},
    [TYPE_UNICORN] = {0, 1, 2, 1},   [TYPE_TROLL_WAGON] = {1, 2, 2, 2}, [TYPE_DRAGON] = {1, 2, 1, 1},
};

const char *const elfenland__mode_names[MODES] = {"none",      "normal",  "caravan",
                                                  "downriver", "upriver", "lake"};
const char *const elfenland__colours[PLAYERS_MAX] = {"red", "blue", "green", "yellow", "black", "purple"};

#define TOWN_CARD(n, town) [KIND_TOWN_CARD + (n)] = {"town_card_" town, CLASS_TOWN_CARD, true}
const struct game_kind_row elfenland__kinds[KINDS] = {
#define X(name, word) [KIND_CARD + TYPE_##name] = {"card_" #word, CLASS_CARD, true},
    ELFENLAND_TYPES(X)
#undef X
        [KIND_CARD + TYPE_RAFT] = {"card_raft", CLASS_CARD, true},
#define X(name, word) [KIND_COUNTER + TYPE_##name] = {"tc_" #word, CLASS_COUNTER, true},
    ELFENLAND_TYPES(X)
#undef X
        [KIND_OBSTACLE] = {"obstacle", CLASS_OBSTACLE, false},
    [KIND_BOOT + 0] = {"boot_red", CLASS_BOOT, false},
    [KIND_BOOT + 1] = {"boot_blue", CLASS_BOOT, false},
    [KIND_BOOT + 2] = {"boot_green", CLASS_BOOT, false},
    [KIND_BOOT + 3] = {"boot_yellow", CLASS_BOOT, false},
    [KIND_BOOT + 4] = {"boot_black", CLASS_BOOT, false},
    [KIND_BOOT + 5] = {"boot_purple", CLASS_BOOT, false},
    [KIND_START] = {"start_card", CLASS_MARKER, false},
    [KIND_ROUND + 0] = {"round_card_1", CLASS_ROUND, false},
    [KIND_ROUND + 1] = {"round_card_2", CLASS_ROUND, false},
    [KIND_ROUND + 2] = {"round_card_3", CLASS_ROUND, false},
    [KIND_ROUND + 3] = {"round_card_4", CLASS_ROUND, false},
    TOWN_CARD(0, "beata"),
    TOWN_CARD(1, "erg_eren"),
    TOWN_CARD(2, "grangor"),
    TOWN_CARD(3, "ixara"),
    TOWN_CARD(4, "jaccaranda"),
    TOWN_CARD(5, "mah_davikia"),
    TOWN_CARD(6, "strykhaven"),
    TOWN_CARD(7, "tichih"),
    TOWN_CARD(8, "usselen"),
    TOWN_CARD(9, "virst"),
    TOWN_CARD(10, "wylhien"),
    TOWN_CARD(11, "yttar"),
    [KIND_PIECE + 0] = {"piece_red", CLASS_PIECE, false},
    [KIND_PIECE + 1] = {"piece_blue", CLASS_PIECE, false},
    [KIND_PIECE + 2] = {"piece_green", CLASS_PIECE, false},
    [KIND_PIECE + 3] = {"piece_yellow", CLASS_PIECE, false},
    [KIND_PIECE + 4] = {"piece_black", CLASS_PIECE, false},
    [KIND_PIECE + 5] = {"piece_purple", CLASS_PIECE, false},
    [KIND_NUMBER + 0] = {"number_red", CLASS_NUMBER, false},
    [KIND_NUMBER + 1] = {"number_blue", CLASS_NUMBER, false},
    [KIND_NUMBER + 2] = {"number_green", CLASS_NUMBER, false},
    [KIND_NUMBER + 3] = {"number_yellow", CLASS_NUMBER, false},
    [KIND_NUMBER + 4] = {"number_black", CLASS_NUMBER, false},
    [KIND_NUMBER + 5] = {"number_purple", CLASS_NUMBER, false},
};

const struct game_option elfenland__options[] = {
    [OPTION_ROUNDS] = {"rounds", GAME_OPTION_INT, 4, 3, 4, NULL, "rounds of the game"},
    [OPTION_VARIANT] = {"variant", GAME_OPTION_CHOICE, 0, 0, 1, "base hometown",
                        "hometown: a secret town card; each step away from it costs a point"},
    [OPTION_DEAL_MODE] = {"deal_mode", GAME_OPTION_CHOICE, 0, 0, 1, "fill_to_8 deal_8",
                          "fill hands to eight, or deal eight new cards each round"},
    [OPTION_EARLY_END] = {"early_end", GAME_OPTION_BOOL, 1, 0, 1, NULL,
                          "the base game ends when somebody has every piece"},
    [OPTION_WEST_ONLY] = {"west_only", GAME_OPTION_BOOL, 0, 0, 1, NULL,
                          "two players on the eleven western towns"},
    [OPTION_HANDS] = {"hands", GAME_OPTION_CHOICE, HANDS_TRACKED, 0, 2, "tracked seat counted",
                      "tracked by tags; also told to the own seat; only counted, dealt without readers"},
    [OPTION_PAYMENT] = {"payment", GAME_OPTION_CHOICE, PAYMENT_TAPPED, 0, 1, "tapped laid",
                        "cards are tapped one by one, or lie on the pay pad"},
    [OPTION_ROADS] = {"roads", GAME_OPTION_CHOICE, 0, 0, 1, "pads tapped",
                      "a counter rests on its road, or is tapped on both end towns"},
    [OPTION_DONE] = {"done", GAME_OPTION_CHOICE, DONE_TILE, 0, 1, "tile token",
                     "done is said with the control tile, or with the seat's number token on its pay spot"},
    [OPTION_PIECES] = {"pieces", GAME_OPTION_CHOICE, 0, 0, 1, "untagged tagged",
                       "town pieces are known from the boots, or carry tags and are looked for"},
    {0},
};

#define ARG_CARD                                                                                             \
    { "card", GAME_ARG_ENUM, false, false, elfenland__card_words }
#define ARG_COUNTER                                                                                          \
    { "counter", GAME_ARG_ENUM, false, false, elfenland__counter_words }
#define ARG_SOURCE                                                                                           \
    { "source", GAME_ARG_ENUM, false, false, "up secret" }
#define ARG_COPY                                                                                             \
    { "copy", GAME_ARG_INT, false, true, NULL } // which of equal ones; the first if left out
#define ARG_TO                                                                                               \
    { "to", GAME_ARG_ENUM, false, false, elfenland__town_words }
#define ARG_ROAD                                                                                             \
    { "road", GAME_ARG_ENUM, false, false, elfenland__link_words }
#define ARG_AT                                                                                               \
    { "at", GAME_ARG_PLACE, false, false, NULL }
#define ARG_PIECE                                                                                            \
    { "piece", GAME_ARG_SLOT, false, false, NULL }

const struct game_verb elfenland__verbs[] = {
    [VERB_START_TOWN] = {"start_town", 0, {ARG_TO}, "where boots start in the west"},
    [VERB_TOWN_CARD] = {"town_card",
                        GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                        {ARG_AT, ARG_PIECE},
                        "a home town, face down"},
    [VERB_REFILL] = {"refill", GAME_VERB_PHYSICAL, {ARG_AT, ARG_PIECE}, "turn up a counter for the market"},
    [VERB_DEAL] = {"deal", GAME_VERB_SEALED | GAME_VERB_PHYSICAL, {ARG_AT, ARG_PIECE}, "deal a card"},
    [VERB_DEALT] = {"dealt", GAME_VERB_SEALED, {{0}}, "hands are filled by people"},
    [VERB_DRAW_SECRET] = {"draw_secret",
                          GAME_VERB_SEALED | GAME_VERB_PHYSICAL,
                          {ARG_AT, ARG_PIECE},
                          "draw a counter in secret"},
    [VERB_TURN_UP] = {"turn_up",
                      GAME_VERB_REVEALS | GAME_VERB_PHYSICAL,
                      {ARG_AT, ARG_PIECE},
                      "turn up the counter drawn blind"},
    [VERB_FIRST] = {"first", 0, {{"seat", GAME_ARG_SEAT, false, false, NULL}}, "who starts the first round"},
    [VERB_TAKE] = {"take", GAME_VERB_REVEALS, {ARG_AT, ARG_PIECE}, "a counter drawn blind by hand"},
    [VERB_DRAFT] = {"draft",
                    GAME_VERB_REVEALS,
                    {{"slot", GAME_ARG_ENUM, false, false, "1 2 3 4 5 pile"}},
                    "take a counter on show, or the top one of the pile"},
    [VERB_PLACE_COUNTER] = {"place_counter",
                            GAME_VERB_HELD,
                            {ARG_COUNTER, ARG_ROAD, ARG_SOURCE, ARG_COPY},
                            "lay a counter on a road"},
    [VERB_PLACE_OBSTACLE] = {"place_obstacle", 0, {ARG_ROAD}, "lay the obstacle on a counter"},
    [VERB_PASS] = {"pass", 0, {{0}}, "lay nothing this time"},
    [VERB_PAY] = {"pay", GAME_VERB_HELD, {ARG_CARD, ARG_COPY}, "offer a card for the next step"},
    [VERB_TAKE_BACK] = {"take_back", 0, {ARG_CARD, ARG_COPY}, "take an offered card back"},
    [VERB_BOOT_AHEAD] = {"boot_ahead", 0, {ARG_TO}, "set the boot down before the price is paid"},
    [VERB_TRAVEL] = {"travel", 0, {ARG_TO}, "travel with the cards offered"},
    [VERB_WITHDRAW] = {"withdraw", 0, {{0}}, "take all offered cards and the boot back"},
    [VERB_END_TURN] = {"end_turn", 0, {{0}}, "the journey of this round is over"},
    [VERB_DROP] = {"drop", GAME_VERB_HELD, {ARG_CARD, ARG_COPY}, "lay a card on the discards"},
    [VERB_PICK_UP] = {"pick_up", 0, {ARG_CARD, ARG_COPY}, "take a dropped card again"},
    [VERB_GIVE_BACK] = {"give_back",
                        GAME_VERB_SEALED,
                        {ARG_COUNTER, ARG_SOURCE, ARG_COPY},
                        "put a counter back into the pile"},
    [VERB_RECLAIM] = {"reclaim",
                      GAME_VERB_SEALED,
                      {ARG_COUNTER, ARG_SOURCE, ARG_COPY},
                      "take a counter out of the pile again"},
    [VERB_KEEP] = {"keep", 0, {{0}}, "keep the rest"},
    {0},
};

const struct game_phase_row elfenland__phases[] = {
#define X(name, id, veil) [PHASE_##name] = {id, OBSERVE_##veil},
    ELFENLAND_PHASES(X)
#undef X
        {0},
};

const struct game_line_row elfenland__lines[] = {
#define X(id, text, args) {#id, text, args},
    ELFENLAND_LINES(X)
#undef X
        {0},
};

const struct game_preset elfenland__presets[] = {
    {"two", 2, "", "hands=counted", "two players, cards dealt by hand and tapped one by one"},
    {"four", 4, "", "hands=counted", "four players, cards dealt by hand and tapped one by one"},
    {"family", 3, "", "rounds=3 hands=counted", "three rounds"},
    {"hometown", 5, "", "variant=hometown", "five players with secret home towns"},
    {"west", 2, "", "west_only=1", "two players in the west"},
    {"screen", 4, "", "hands=seat", "four players, each hand told to its own seat"},
    {0},
};
