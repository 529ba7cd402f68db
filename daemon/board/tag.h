// Tag ids. Canonical: 4, 7 or 10 bytes, upper-case hex without separators. Secret: drivers, board, evidence
// and enrolment only; never in a log line, a topic or an answer to anybody but an admin who enrols.
#pragma once
#include "core/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TAG_BYTES_MAX = 10, TAG_TEXT_MAX = 21 };

struct tag {
    uint8_t len; // 4, 7 or 10; 0 = none
    uint8_t b[TAG_BYTES_MAX];
};

// What an id is worth, from its bytes alone.
enum tag_kind {
    TAG_PLAIN,
    TAG_RANDOM,  // 08xxxxxx: a phone, new on every touch (B052)
    TAG_PARTIAL, // 88 first: a cascade marker, the id is cut (B047)
    TAG_BAD,     // length, all equal bytes
};
enum tag_kind tag_kind(const struct tag *tag);

// Reads every outside spelling: colons, dashes, blanks, 0x, lower case (B053, B054). Five bytes whose last is
// the XOR of the first four lose it (B046). Glued cascade markers are taken out (B048). Else ERROR_INVALID
// with the reason.
enum error_code tag_parse(const char *text, struct tag *ret, struct error *err);
// The same from raw bytes, as a driver has them.
enum error_code tag_from_bytes(const uint8_t *bytes, size_t len, struct tag *ret, struct error *err);
// A decimal number from a wedge reader (B051); reversed = least significant byte first.
enum error_code tag_parse_decimal(const char *text, size_t bytes, bool reversed, struct tag *ret,
                                  struct error *err);
void tag_format(const struct tag *tag, char ret[TAG_TEXT_MAX]);
void tag_reverse(struct tag *tag); // B049, B050
bool tag_equal(const struct tag *a, const struct tag *b);
