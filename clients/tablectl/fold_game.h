// What records say, in the words of a game (design 5.5): the start's set-up, the action of any other.
#pragma once
#include "fold.h"

struct fold_game {
    const struct game *game; // NULL: unknown, or another revision of its rules
    struct game_setup setup;
    struct game_places places;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};
struct fold_step {
    bool acts;
    int by;
    game_action action;
    uint64_t to; // undo
};
enum error_code fold_game_start(struct fold_game *ret, const struct journal_record *record,
                                struct error *err);
enum error_code fold_game_read(const struct fold_game *at, const struct journal_record *record,
                               struct fold_step *ret, struct error *err);
