// Shared by the files of the casebook alone: one case while it is read and played.
#pragma once
#include "games/casebook.h"
#include "games/not_alone/not_alone.h"
#include <jansson.h>

extern const struct game not_alone_game;

enum { DECK_MAX = HUNTS };
struct not_alone_case {
    struct casebook_report *report;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct not_alone state;
    uint8_t deck[DECK_MAX], strike[DECK_MAX], survival[DECK_MAX]; // fixed chance: first = next, 0 = any
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

extern const char *const not_alone__phase_words[5];
extern const char *const not_alone__step_words[8];
extern const char *const not_alone__pending_words[3];
extern const char *const not_alone__token_words[TOKENS];

// Values of a key; false after a failure.
bool not_alone__case_places(struct not_alone_case *r, const char *key, const json_t *value, uint16_t *ret);
bool not_alone__case_word(struct not_alone_case *r, const char *key, const json_t *value,
                          const char *const *words, unsigned n, uint8_t *ret);
// Cards in the order given; *ret_n of them.
bool not_alone__case_cards(struct not_alone_case *r, const char *key, const json_t *value, bool hunt,
                           uint8_t ret[DECK_MAX], uint8_t *ret_n);
uint32_t not_alone__case_set(const uint8_t *cards, unsigned n);

bool not_alone__case_before(struct not_alone_case *r, json_t *before);
bool not_alone__case_after(struct not_alone_case *r, const char *key, json_t *value); // one key
