// Ids as other people's readers write them, to bytes: hex with or without separators, decimal numbers.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ID_BYTES_MAX = 10 };
struct id {
    uint8_t len, b[ID_BYTES_MAX];
};
// `04-A1-B2-C3`, `04:a1:b2:c3`, `0x04A1B2C3`, ` 04A1B2C3`: 4, 7 or 10 bytes; five whose last is the XOR of
// the first four lose it (B046, B053).
bool id_text_hex(const char *text, size_t len, struct id *ret);
// A number of at most 4, 7 or 10 bytes, most significant first, leading zeros or not (B051).
bool id_text_decimal(const char *text, size_t len, unsigned bytes, struct id *ret);
void id_reverse(struct id *id); // B049
#define ID_REVERSED_KEY                                                                                      \
    {                                                                                                        \
        .name = "reversed", .type = CONFIG_BOOL, .fallback = "no",                                           \
        .help = "its ids come least significant byte first"                                                  \
    }
