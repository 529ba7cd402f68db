// What the files of the casebook share (tools and tests only).
#pragma once
#include "games/casebook.h"
#include "games/elfenland/elfenland.h"
#include <jansson.h>

struct elfenland_case {
    struct casebook_report *report;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    const char *player[PLAYERS_MAX];
    unsigned n_players;
    struct elfenland state, before;        // before: the last action
    uint8_t pile[COUNTERS], n_pile, drawn; // types in order, as far as the case tells; `drawn` are gone
    uint8_t auto_passed[PLAYERS_MAX], n_auto_passed;
    bool is_ok;
    char error[GAME_WORD_MAX];
};

// What cannot be read fails the case and reads as 0.
const char *elfenland_case__text_of(struct elfenland_case *r, const json_t *value);
unsigned elfenland_case__number_of(struct elfenland_case *r, const json_t *value, unsigned max);
bool elfenland_case__truth_of(struct elfenland_case *r, const json_t *value);
unsigned elfenland_case__player_of(struct elfenland_case *r, const char *name);
unsigned elfenland_case__town_of(struct elfenland_case *r, const char *id);
unsigned elfenland_case__road_of(struct elfenland_case *r, const char *id);
unsigned elfenland_case__type_of(struct elfenland_case *r, const json_t *value, unsigned n);

// casebook_before.c
void elfenland_case__set_before(struct elfenland_case *r, const json_t *before);
unsigned elfenland_case__find_counter(struct elfenland_case *r, unsigned type); // of the pile
unsigned elfenland_case__deck_size(const struct elfenland *g);
// casebook_after.c
void elfenland_case__compare(struct elfenland_case *r, const json_t *after);
