// Battle Sheep as rows.
#include "games/battle_sheep/battle_sheep.h"

const char sheep__labels[SHEEP_SEATS] = {'R', 'B', 'W', 'K'};

#define TOKEN(n) [SHEEP_KIND_TOKEN + n - 1] = {"token_" #n, SHEEP_CLASS_TOKEN, false}
const struct game_kind_row sheep__kinds[SHEEP_KINDS] = {
    [SHEEP_KIND_TILE] = {"tile", SHEEP_CLASS_TILE, false},
    [SHEEP_KIND_SHEEP] = {"sheep_r", SHEEP_CLASS_SHEEP, false},
    [SHEEP_KIND_SHEEP + 1] = {"sheep_b", SHEEP_CLASS_SHEEP, false},
    [SHEEP_KIND_SHEEP + 2] = {"sheep_w", SHEEP_CLASS_SHEEP, false},
    [SHEEP_KIND_SHEEP + 3] = {"sheep_k", SHEEP_CLASS_SHEEP, false},
    [SHEEP_KIND_MARKER] = {"marker_r", SHEEP_CLASS_SHEEP, false},
    [SHEEP_KIND_MARKER + 1] = {"marker_b", SHEEP_CLASS_SHEEP, false},
    [SHEEP_KIND_MARKER + 2] = {"marker_w", SHEEP_CLASS_SHEEP, false},
    [SHEEP_KIND_MARKER + 3] = {"marker_k", SHEEP_CLASS_SHEEP, false},
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
    TOKEN(13),
    TOKEN(14),
    TOKEN(15),
};

const struct game_phase_row sheep__phases[] = {
    [SHEEP_BUILD] = {"build", OBSERVE_OPEN},
    [SHEEP_PLACE] = {"place", OBSERVE_OPEN},
    [SHEEP_MOVE] = {"move", OBSERVE_OPEN},
    [SHEEP_OVER] = {"over", OBSERVE_OPEN},
    [SHEEP_OVER + 1] = {0},
};

const struct game_option sheep__options[] = {
    [SHEEP_OPTION_VARIANT] = {"variant", GAME_OPTION_CHOICE, 0, 0, 1, "standard classic_splits",
                              "classic_splits: two players, who cannot split loses at once"},
    [SHEEP_OPTION_COLUMNS] = {"columns", GAME_OPTION_INT, 18, 8, 40, NULL, "pads in a row of the lattice"},
    [SHEEP_OPTION_ROWS] = {"rows", GAME_OPTION_INT, 16, 6, 40, NULL, "rows of pads, staggered"},
    [SHEEP_OPTION_PIECES] = {"pieces", GAME_OPTION_CHOICE, 0, 0, 1, "sheep markers",
                             "what carries tags: every sheep, or a marker under each stack"},
    [SHEEP_OPTION_CONFIRM] = {"confirm", GAME_OPTION_CHOICE, 0, 0, 2, "spot control still",
                              "a split ends with a touch of the done spot, the control tile, or stillness"},
    [SHEEP_OPTION_CONFIRM + 1] = {0},
};

const struct game_verb sheep__verbs[] = {
    [SHEEP_V_TILE] = {"tile",
                      0,
                      {{"at", GAME_ARG_PLACE, false, false, NULL},
                       {"turn", GAME_ARG_ENUM, false, false, "O0 O1 O2"}},
                      "lay a pasture tile: its anchor and its orientation"},
    [SHEEP_V_PLACE] = {"place",
                       0,
                       {{"at", GAME_ARG_PLACE, false, false, NULL}},
                       "place the starting stack on the outside border"},
    [SHEEP_V_SPLIT] = {"split",
                       0,
                       {{"from", GAME_ARG_PLACE, false, false, NULL},
                        {"to", GAME_ARG_PLACE, false, true, NULL},
                        {"dir", GAME_ARG_ENUM, false, true, "d0 d1 d2 d3 d4 d5"},
                        {"n", GAME_ARG_INT, false, false, NULL}},
                       "slide n sheep as far as they go: by end (to) or by direction (dir)"},
    [SHEEP_V_PASS] = {"pass", 0, {{0}}, "always refused: skips are automatic"},
    [SHEEP_V_SHIFT] = {"shift",
                       0,
                       {{"dir", GAME_ARG_ENUM, false, false, "d0 d1 d2 d3 d4 d5"}},
                       "the whole pasture has slipped by one pad: always refused"},
    [SHEEP_VERBS] = {0},
};

const struct game_line_row sheep__lines[] = {
    [SHEEP_L_BUILD] = {"build", "Seat {0}: lay a pasture tile.", "s"},
    [SHEEP_L_TILE] = {"tile", "Seat {0} has laid a tile.", "s"},
    [SHEEP_L_PLACE] = {"place", "Seat {0}: place your stack on the outside border.", "s"},
    [SHEEP_L_STACK] = {"stack", "Seat {0} starts at {1}.", "sp"},
    [SHEEP_L_MOVE] = {"move", "Seat {0}: split a stack.", "s"},
    [SHEEP_L_SPLIT] = {"split", "Seat {0}: {3} sheep from {1} to {2}.", "sppn"},
    [SHEEP_L_ELIMINATED] = {"eliminated", "Seat {0} cannot split any more.", "s"},
    [SHEEP_L_ALONE] = {"alone", "Seat {0} plays on alone.", "s"},
    [SHEEP_L_WINS] = {"wins", "Seat {0} wins with {1} pastures.", "sn"},
    [SHEEP_L_HERD] = {"herd", "Seat {0} wins: {1} pastures, the largest herd.", "sn"},
    [SHEEP_L_SHARED] = {"shared", "Seat {0} shares the victory with {1} pastures.", "sn"},
    [SHEEP_L_STUCK] = {"stuck", "Seat {0} wins.", "s"},
    [SHEEP_L_STUCK + 1] = {0},
};

const struct game_preset sheep__presets[] = {
    {"two", 2, "", "", "two players"},
    {"three", 3, "", "", "three players"},
    {"four", 4, "", "", "four players"},
    {"classic", 2, "", "variant=classic_splits", "the first edition: who cannot split loses"},
    {"markers", 2, "", "pieces=markers",
     "pads that read one tag: markers under stacks, counts by number token"},
    {"map_board", 2, "", "columns=12 rows=6 pieces=markers", "72 pads in six staggered rows"},
    {0},
};
