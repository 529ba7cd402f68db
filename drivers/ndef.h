// NDEF, pure: the message in the memory of a Type 2 tag, its records, the first text or URI. Whatever is on a
// tag was written by a stranger: every length is checked against the bytes that were really read, before it
// is used (B058 to B063).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ndef_result {
    NDEF_OK,
    NDEF_END,       // no further record
    NDEF_NOTHING,   // no message in this memory
    NDEF_EMPTY,     // a message of no bytes
    NDEF_CUT,       // a length goes beyond the bytes there are
    NDEF_CHUNKED,   // a record in pieces: refused
    NDEF_MALFORMED, // a head that the format does not have
};
const char *ndef_word(enum ndef_result result); // for people

struct ndef_span {
    const uint8_t *at; // into the caller's bytes
    size_t len;
};

// memory: the data area, from page 4. Walks the TLVs: 00 padding, FE end, 03 the message, others are skipped.
enum ndef_result ndef_message(const uint8_t *memory, size_t n, struct ndef_span *ret);
// How many bytes of the area must be read to hold the first message; more than n as long as it is not there,
// n + 1 while even that is not known, n if no message can come any more.
size_t ndef_needed(const uint8_t *memory, size_t n);

struct ndef_record {
    uint8_t tnf; // 0 empty 1 well-known 2 media 3 URI 4 external 5 unknown
    struct ndef_span type, id, payload;
};
// left: what is not yet walked of a message; begins as the message, with `first`. NDEF_END after the last
// record.
struct ndef_walk {
    struct ndef_span left;
    bool begun, ended;
};
enum ndef_result ndef_next(struct ndef_walk *walk, struct ndef_record *ret);

// The text of a text record (UTF-8 or UTF-16) or the whole URI of a URI record; ret is cut at cap bytes and
// not ended by a zero. False if the record is neither, or malformed inside.
bool ndef_record_text(const struct ndef_record *record, char *ret, size_t cap, size_t *ret_len);
// The first text of a memory's message, else its first URI. ret_len 0 = none.
enum ndef_result ndef_hint(const uint8_t *memory, size_t n, char *ret, size_t cap, size_t *ret_len);
