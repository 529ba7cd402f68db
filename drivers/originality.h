// The originality signature of a tag: the maker signs the id with ECDSA on secp128r1, without a hash.
// It tells a chip of that maker from a copy of its id; it says nothing about what is written on it.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORIGINALITY_SIGNATURE = 32, ORIGINALITY_POINT = 33 };

struct originality_key {
    uint8_t point[ORIGINALITY_POINT]; // 04 X Y
};
// The published key of a kind of chip, by the first bytes of its version; NULL = none is known.
const struct originality_key *originality_key_of(uint8_t maker, uint8_t product);
// 66 hex digits that begin with 04 and are a point of the curve.
bool originality_key_parse(const char *hex, struct originality_key *ret);
bool originality_valid(const struct originality_key *key, const uint8_t *uid, size_t len,
                       const uint8_t signature[ORIGINALITY_SIGNATURE]);
