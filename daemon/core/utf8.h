// What every writer needs to know about UTF-8, and no more.
#pragma once
#include <stddef.h>

// Length (1 to 4) of the well-formed character that begins at `text`, 0 if those bytes are not UTF-8.
// No overlong forms, no surrogates, nothing above U+10FFFF.
size_t utf8_char(const char *text, size_t len);
// Largest length up to `len` that does not end inside a character (B122).
size_t utf8_cut(const char *text, size_t len);
