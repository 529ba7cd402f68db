// Shared by the files of the registry.
#pragma once
#include "board/pieces.h"
#include <stddef.h>

enum { PIECES__VERSION = 1 }; // PRAGMA user_version of house.db

enum { PIECES__SLOTS = 2 * PIECES_MAX * PIECE_TAGS_MAX }; // a power of two, at most half full

struct pieces {
    uint16_t n;
    struct piece piece[PIECES_MAX]; // n_tags 0 = hole
    uint32_t slot[PIECES__SLOTS];   // open addressing: piece * PIECE_TAGS_MAX + tag + 1; 0 = free
};

// *to becomes what *from is.
void pieces__take(struct pieces *to, const struct pieces *from);

const char *pieces__face_name(uint8_t face); // "" for unknown
// False if there is no such face.
bool pieces__face_by_name(const char *name, uint8_t *ret);
