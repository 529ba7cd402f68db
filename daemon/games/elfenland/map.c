// Made by map.py from map.csv and towns.csv; edit those.
#include "games/elfenland/elfenland.h"

// clang-format off
const char elfenland__town_words[] =
    "al_baran "
    "beata "
    "dag_amura "
    "elvenhold "
    "erg_eren "
    "feodor "
    "grangor "
    "ixara "
    "jaccaranda "
    "kihromah "
    "lapphalya "
    "mah_davikia "
    "parundia "
    "rivinia "
    "strykhaven "
    "throtmanni "
    "tichih "
    "usselen "
    "virst "
    "wylhien "
    "yttar";
const char elfenland__link_words[] =
    "beata_elvenhold_plains "
    "beata_strykhaven_plains "
    "elvenhold_lapphalya_plains "
    "ixara_virst_plains "
    "lapphalya_virst_plains "
    "parundia_wylhien_plains "
    "throtmanni_tichih_plains "
    "usselen_wylhien_plains "
    "dag_amura_ixara_forest "
    "dag_amura_kihromah_forest "
    "dag_amura_lapphalya_forest "
    "elvenhold_erg_eren_forest "
    "erg_eren_tichih_forest "
    "feodor_lapphalya_forest "
    "feodor_rivinia_forest "
    "ixara_lapphalya_forest "
    "lapphalya_rivinia_forest "
    "parundia_usselen_forest "
    "rivinia_throtmanni_forest "
    "usselen_yttar_forest "
    "al_baran_dag_amura_desert "
    "al_baran_feodor_desert "
    "al_baran_parundia_desert "
    "al_baran_throtmanni_desert "
    "al_baran_wylhien_desert "
    "dag_amura_feodor_desert "
    "feodor_throtmanni_desert "
    "dag_amura_mah_davikia_mountain "
    "grangor_mah_davikia_mountain "
    "grangor_yttar_mountain "
    "ixara_mah_davikia_mountain "
    "jaccaranda_throtmanni_mountain "
    "jaccaranda_tichih_mountain "
    "jaccaranda_wylhien_mountain "
    "strykhaven_virst_mountain "
    "beata_elvenhold_river "
    "elvenhold_rivinia_river "
    "ixara_mah_davikia_river "
    "mah_davikia_grangor_river "
    "rivinia_tichih_river "
    "virst_ixara_river "
    "wylhien_usselen_river "
    "elvenhold_strykhaven_lake "
    "elvenhold_virst_lake "
    "grangor_parundia_lake "
    "grangor_yttar_lake "
    "parundia_yttar_lake "
    "strykhaven_virst_lake";
const struct elfenland_town elfenland__towns[TOWNS] = {
    {"al_baran", "Al'Baran", 370, 404, 0, 1},
    {"beata", "Beata", 921, 706, 1, 0},
    {"dag_amura", "Dag'Amura", 368, 601, 0, 1},
    {"elvenhold", "Elvenhold", 758, 532, 0, 0},
    {"erg_eren", "Erg'Eren", 912, 359, 1, 0},
    {"feodor", "Feodor", 535, 457, 0, 0},
    {"grangor", "Grangor", 86, 628, 1, 1},
    {"ixara", "Ixara", 344, 849, 1, 1},
    {"jaccaranda", "Jaccaranda", 415, 116, 1, 1},
    {"kihromah", "Kihromah", 228, 550, 0, 1},
    {"lapphalya", "Lapphalya", 538, 670, 0, 0},
    {"mah_davikia", "Mah'Davikia", 111, 826, 1, 1},
    {"parundia", "Parundia", 234, 303, 0, 1},
    {"rivinia", "Rivinia", 711, 359, 0, 0},
    {"strykhaven", "Strykhaven", 802, 797, 1, 0},
    {"throtmanni", "Throtmanni", 590, 235, 0, 0},
    {"tichih", "Tichih", 767, 138, 1, 0},
    {"usselen", "Usselen", 69, 176, 1, 1},
    {"virst", "Virst", 617, 856, 1, 0},
    {"wylhien", "Wylhien", 241, 56, 1, 1},
    {"yttar", "Yttar", 62, 395, 1, 1},
};
// Roads come first, so that a road's number is its connection's. A river flows from a to b.
const struct elfenland_link elfenland__links[LINKS] = {
    {"beata_elvenhold_plains", 1, 3, TERRAIN_PLAINS},
    {"beata_strykhaven_plains", 1, 14, TERRAIN_PLAINS},
    {"elvenhold_lapphalya_plains", 3, 10, TERRAIN_PLAINS},
    {"ixara_virst_plains", 7, 18, TERRAIN_PLAINS},
    {"lapphalya_virst_plains", 10, 18, TERRAIN_PLAINS},
    {"parundia_wylhien_plains", 12, 19, TERRAIN_PLAINS},
    {"throtmanni_tichih_plains", 15, 16, TERRAIN_PLAINS},
    {"usselen_wylhien_plains", 17, 19, TERRAIN_PLAINS},
    {"dag_amura_ixara_forest", 2, 7, TERRAIN_FOREST},
    {"dag_amura_kihromah_forest", 2, 9, TERRAIN_FOREST},
    {"dag_amura_lapphalya_forest", 2, 10, TERRAIN_FOREST},
    {"elvenhold_erg_eren_forest", 3, 4, TERRAIN_FOREST},
    {"erg_eren_tichih_forest", 4, 16, TERRAIN_FOREST},
    {"feodor_lapphalya_forest", 5, 10, TERRAIN_FOREST},
    {"feodor_rivinia_forest", 5, 13, TERRAIN_FOREST},
    {"ixara_lapphalya_forest", 7, 10, TERRAIN_FOREST},
    {"lapphalya_rivinia_forest", 10, 13, TERRAIN_FOREST},
    {"parundia_usselen_forest", 12, 17, TERRAIN_FOREST},
    {"rivinia_throtmanni_forest", 13, 15, TERRAIN_FOREST},
    {"usselen_yttar_forest", 17, 20, TERRAIN_FOREST},
    {"al_baran_dag_amura_desert", 0, 2, TERRAIN_DESERT},
    {"al_baran_feodor_desert", 0, 5, TERRAIN_DESERT},
    {"al_baran_parundia_desert", 0, 12, TERRAIN_DESERT},
    {"al_baran_throtmanni_desert", 0, 15, TERRAIN_DESERT},
    {"al_baran_wylhien_desert", 0, 19, TERRAIN_DESERT},
    {"dag_amura_feodor_desert", 2, 5, TERRAIN_DESERT},
    {"feodor_throtmanni_desert", 5, 15, TERRAIN_DESERT},
    {"dag_amura_mah_davikia_mountain", 2, 11, TERRAIN_MOUNTAIN},
    {"grangor_mah_davikia_mountain", 6, 11, TERRAIN_MOUNTAIN},
    {"grangor_yttar_mountain", 6, 20, TERRAIN_MOUNTAIN},
    {"ixara_mah_davikia_mountain", 7, 11, TERRAIN_MOUNTAIN},
    {"jaccaranda_throtmanni_mountain", 8, 15, TERRAIN_MOUNTAIN},
    {"jaccaranda_tichih_mountain", 8, 16, TERRAIN_MOUNTAIN},
    {"jaccaranda_wylhien_mountain", 8, 19, TERRAIN_MOUNTAIN},
    {"strykhaven_virst_mountain", 14, 18, TERRAIN_MOUNTAIN},
    {"beata_elvenhold_river", 1, 3, TERRAIN_RIVER},
    {"elvenhold_rivinia_river", 3, 13, TERRAIN_RIVER},
    {"ixara_mah_davikia_river", 7, 11, TERRAIN_RIVER},
    {"mah_davikia_grangor_river", 11, 6, TERRAIN_RIVER},
    {"rivinia_tichih_river", 13, 16, TERRAIN_RIVER},
    {"virst_ixara_river", 18, 7, TERRAIN_RIVER},
    {"wylhien_usselen_river", 19, 17, TERRAIN_RIVER},
    {"elvenhold_strykhaven_lake", 3, 14, TERRAIN_LAKE},
    {"elvenhold_virst_lake", 3, 18, TERRAIN_LAKE},
    {"grangor_parundia_lake", 6, 12, TERRAIN_LAKE},
    {"grangor_yttar_lake", 6, 20, TERRAIN_LAKE},
    {"parundia_yttar_lake", 12, 20, TERRAIN_LAKE},
    {"strykhaven_virst_lake", 14, 18, TERRAIN_LAKE},
};
const uint8_t elfenland__road_between[TOWNS][TOWNS] = {
    {NONE, NONE, 20, NONE, NONE, 21, NONE, NONE, NONE, NONE, NONE, NONE, 22, NONE, NONE, 23, NONE, NONE, NONE, 24, NONE},
    {NONE, NONE, NONE, 0, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 1, NONE, NONE, NONE, NONE, NONE, NONE},
    {20, NONE, NONE, NONE, NONE, 25, NONE, 8, NONE, 9, 10, 27, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, 0, NONE, NONE, 11, NONE, NONE, NONE, NONE, NONE, 2, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, 11, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 12, NONE, NONE, NONE, NONE},
    {21, NONE, 25, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 13, NONE, NONE, 14, NONE, 26, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 28, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 29},
    {NONE, NONE, 8, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 15, 30, NONE, NONE, NONE, NONE, NONE, NONE, 3, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 31, 32, NONE, NONE, 33, NONE},
    {NONE, NONE, 9, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, 10, 2, NONE, 13, NONE, 15, NONE, NONE, NONE, NONE, NONE, 16, NONE, NONE, NONE, NONE, 4, NONE, NONE},
    {NONE, NONE, 27, NONE, NONE, NONE, 28, 30, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {22, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 17, NONE, 5, NONE},
    {NONE, NONE, NONE, NONE, NONE, 14, NONE, NONE, NONE, NONE, 16, NONE, NONE, NONE, NONE, 18, NONE, NONE, NONE, NONE, NONE},
    {NONE, 1, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 34, NONE, NONE},
    {23, NONE, NONE, NONE, NONE, 26, NONE, NONE, 31, NONE, NONE, NONE, NONE, 18, NONE, NONE, 6, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, 12, NONE, NONE, NONE, 32, NONE, NONE, NONE, NONE, NONE, NONE, 6, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 17, NONE, NONE, NONE, NONE, NONE, NONE, 7, 19},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, 3, NONE, NONE, 4, NONE, NONE, NONE, 34, NONE, NONE, NONE, NONE, NONE, NONE},
    {24, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 33, NONE, NONE, NONE, 5, NONE, NONE, NONE, NONE, 7, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, 29, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 19, NONE, NONE, NONE},
};
const uint8_t elfenland__water_between[TOWNS][TOWNS] = {
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, 35, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, 35, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 36, 42, NONE, NONE, NONE, 43, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 38, 44, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 45},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 37, NONE, NONE, NONE, NONE, NONE, NONE, 40, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, 38, 37, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, 44, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 46},
    {NONE, NONE, NONE, 36, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 39, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, 42, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 47, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 39, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 41, NONE},
    {NONE, NONE, NONE, 43, NONE, NONE, NONE, 40, NONE, NONE, NONE, NONE, NONE, NONE, 47, NONE, NONE, NONE, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 41, NONE, NONE, NONE},
    {NONE, NONE, NONE, NONE, NONE, NONE, 45, NONE, NONE, NONE, NONE, NONE, 46, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
};
const uint8_t elfenland__distance[2][TOWNS][TOWNS] = {
    {
        {0, 4, 1, 3, 3, 1, 2, 2, 2, 2, 2, 2, 1, 2, 4, 1, 2, 2, 3, 1, 2},
        {4, 0, 3, 1, 2, 3, 5, 3, 4, 4, 2, 4, 5, 2, 1, 3, 3, 6, 2, 5, 6},
        {1, 3, 0, 2, 3, 1, 2, 1, 3, 1, 1, 1, 2, 2, 3, 2, 3, 3, 2, 2, 3},
        {3, 1, 2, 0, 1, 2, 4, 2, 3, 3, 1, 3, 4, 1, 1, 2, 2, 5, 1, 4, 5},
        {3, 2, 3, 1, 0, 3, 5, 3, 2, 4, 2, 4, 4, 2, 2, 2, 1, 4, 2, 3, 5},
        {1, 3, 1, 2, 3, 0, 3, 2, 2, 2, 1, 2, 2, 1, 3, 1, 2, 3, 2, 2, 3},
        {2, 5, 2, 4, 5, 3, 0, 2, 3, 3, 3, 1, 1, 4, 4, 3, 4, 2, 3, 2, 1},
        {2, 3, 1, 2, 3, 2, 2, 0, 4, 2, 1, 1, 3, 2, 2, 3, 3, 4, 1, 3, 3},
        {2, 4, 3, 3, 2, 2, 3, 4, 0, 4, 3, 4, 2, 2, 4, 1, 1, 2, 4, 1, 3},
        {2, 4, 1, 3, 4, 2, 3, 2, 4, 0, 2, 2, 3, 3, 4, 3, 4, 4, 3, 3, 4},
        {2, 2, 1, 1, 2, 1, 3, 1, 3, 2, 0, 2, 3, 1, 2, 2, 2, 4, 1, 3, 4},
        {2, 4, 1, 3, 4, 2, 1, 1, 4, 2, 2, 0, 2, 3, 3, 3, 4, 3, 2, 3, 2},
        {1, 5, 2, 4, 4, 2, 1, 3, 2, 3, 3, 2, 0, 3, 5, 2, 3, 1, 4, 1, 1},
        {2, 2, 2, 1, 2, 1, 4, 2, 2, 3, 1, 3, 3, 0, 2, 1, 1, 4, 2, 3, 4},
        {4, 1, 3, 1, 2, 3, 4, 2, 4, 4, 2, 3, 5, 2, 0, 3, 3, 6, 1, 5, 5},
        {1, 3, 2, 2, 2, 1, 3, 3, 1, 3, 2, 3, 2, 1, 3, 0, 1, 3, 3, 2, 3},
        {2, 3, 3, 2, 1, 2, 4, 3, 1, 4, 2, 4, 3, 1, 3, 1, 0, 3, 3, 2, 4},
        {2, 6, 3, 5, 4, 3, 2, 4, 2, 4, 4, 3, 1, 4, 6, 3, 3, 0, 5, 1, 1},
        {3, 2, 2, 1, 2, 2, 3, 1, 4, 3, 1, 2, 4, 2, 1, 3, 3, 5, 0, 4, 4},
        {1, 5, 2, 4, 3, 2, 2, 3, 1, 3, 3, 3, 1, 3, 5, 2, 2, 1, 4, 0, 2},
        {2, 6, 3, 5, 5, 3, 1, 3, 3, 4, 4, 2, 1, 4, 5, 3, 4, 1, 4, 2, 0},
    },
    {
        {0, 255, 1, 255, 255, 255, 2, 2, 2, 2, 255, 2, 1, 255, 255, 255, 255, 2, 255, 1, 2},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {1, 255, 0, 255, 255, 255, 2, 1, 3, 1, 255, 1, 2, 255, 255, 255, 255, 3, 255, 2, 3},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {2, 255, 2, 255, 255, 255, 0, 2, 3, 3, 255, 1, 1, 255, 255, 255, 255, 2, 255, 2, 1},
        {2, 255, 1, 255, 255, 255, 2, 0, 4, 2, 255, 1, 3, 255, 255, 255, 255, 4, 255, 3, 3},
        {2, 255, 3, 255, 255, 255, 3, 4, 0, 4, 255, 4, 2, 255, 255, 255, 255, 2, 255, 1, 3},
        {2, 255, 1, 255, 255, 255, 3, 2, 4, 0, 255, 2, 3, 255, 255, 255, 255, 4, 255, 3, 4},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {2, 255, 1, 255, 255, 255, 1, 1, 4, 2, 255, 0, 2, 255, 255, 255, 255, 3, 255, 3, 2},
        {1, 255, 2, 255, 255, 255, 1, 3, 2, 3, 255, 2, 0, 255, 255, 255, 255, 1, 255, 1, 1},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {2, 255, 3, 255, 255, 255, 2, 4, 2, 4, 255, 3, 1, 255, 255, 255, 255, 0, 255, 1, 1},
        {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
        {1, 255, 2, 255, 255, 255, 2, 3, 1, 3, 255, 3, 1, 255, 255, 255, 255, 1, 255, 0, 2},
        {2, 255, 3, 255, 255, 255, 1, 3, 3, 4, 255, 2, 1, 255, 255, 255, 255, 1, 255, 2, 0},
    },
};
