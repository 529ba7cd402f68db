// What may be written on a tag, well and badly. Memory is copied to the heap at its exact size, so that the
// sanitizer sees every byte that is read beyond it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drivers/ndef.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINT = 64 };

static enum ndef_result hint(const void *memory, size_t n, char ret[HINT + 1]) {
    uint8_t *exact = malloc(n ? n : 1);
    assert_non_null(exact);
    memcpy(exact, memory, n);
    size_t len;
    enum ndef_result result = ndef_hint(exact, n, ret, HINT, &len);
    assert_true(len <= HINT);
    ret[len] = '\0';
    size_t needed = ndef_needed(exact, n);
    assert_true(result != NDEF_OK || needed <= n);
    free(exact);
    return result;
}

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

struct row {
    const uint8_t *memory;
    size_t n;
    enum ndef_result result;
    const char *hint;
};

static void check(const struct row *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char text[HINT + 1];
        enum ndef_result result = hint(rows[i].memory, rows[i].n, text);
        if (result != rows[i].result || strcmp(text, rows[i].hint) != 0)
            fail_msg("row %zu: %s, '%s'", i, ndef_word(result), text);
    }
}

static void texts_and_uris(void **state) {
    (void)state;
    const struct row rows[] = {
        {BYTES(0x03, 0x0B, 0xD1, 0x01, 0x07, 'T', 0x02, 'e', 'n', 's', 'e', 'e', 'r', 0xFE), NDEF_OK, "seer"},
        {BYTES(0x03, 0x08, 0xD1, 0x01, 0x04, 'T', 0x00, 'o', 'w', 'l'), NDEF_OK, "owl"},
        {BYTES(0x03, 0x0A, 0xD1, 0x01, 0x06, 'U', 0x04, 'a', '.', 'b', '/', 'c', 0xFE), NDEF_OK,
         "https://a.b/c"},
        {BYTES(0x03, 0x08, 0xD1, 0x01, 0x04, 'U', 0x00, 'x', ':', 'y'), NDEF_OK, "x:y"},
        {BYTES(0x03, 0x06, 0xD3, 0x03, 0x00, 'a', ':', 'b'), NDEF_OK, "a:b"},
        // UTF-16: big-endian, little-endian with its mark, a pair, half a pair
        {BYTES(0x03, 0x09, 0xD1, 0x01, 0x05, 'T', 0x80, 0, 'o', 0, 'k'), NDEF_OK, "ok"},
        {BYTES(0x03, 0x0B, 0xD1, 0x01, 0x07, 'T', 0x80, 0xFF, 0xFE, 'o', 0, 'k', 0), NDEF_OK, "ok"},
        {BYTES(0x03, 0x09, 0xD1, 0x01, 0x05, 'T', 0x80, 0xD8, 0x3D, 0xDC, 0x3A), NDEF_OK, "\xF0\x9F\x90\xBA"},
        {BYTES(0x03, 0x09, 0xD1, 0x01, 0x05, 'T', 0x80, 0xD8, 0x3D, 0, 'k'), NDEF_OK, "k"},
        // inside a record: a language code longer than the text, a URI beginning that nobody defined, no
        // bytes
        {BYTES(0x03, 0x06, 0xD1, 0x01, 0x02, 'T', 0x05, 'e'), NDEF_OK, ""},
        {BYTES(0x03, 0x06, 0xD1, 0x01, 0x02, 'U', 0x24, 'e'), NDEF_OK, ""},
        {BYTES(0x03, 0x04, 0xD1, 0x01, 0x00, 'T'), NDEF_OK, ""},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

static void b058_empty_memory(void **state) {
    (void)state;
    static const uint8_t zeros[64];
    const struct row rows[] = {
        {BYTES(0x03, 0x00, 0xFE), NDEF_EMPTY, ""},
        {BYTES(0xFE), NDEF_NOTHING, ""},
        {BYTES(0xFD, 0x01, 0x03, 0xFE, 0x03), NDEF_NOTHING, ""},
        {zeros, sizeof zeros, NDEF_NOTHING, ""},
        {zeros, 0, NDEF_NOTHING, ""},
        {BYTES(0x03), NDEF_CUT, ""},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

// A text record of `len` payload bytes in a message with the long form of the TLV's length.
static size_t long_record(uint8_t *ret, size_t len, bool short_record) {
    size_t at = 4;
    ret[at++] = short_record ? 0xD1 : 0xC1;
    ret[at++] = 1;
    if (!short_record) {
        ret[at++] = 0;
        ret[at++] = 0;
        ret[at++] = (uint8_t)(len >> 8);
    }
    ret[at++] = (uint8_t)len;
    ret[at++] = 'T';
    memset(ret + at, 'x', len);
    ret[at] = 0;
    at += len;
    ret[0] = 0x03;
    ret[1] = 0xFF;
    ret[2] = (uint8_t)((at - 4) >> 8);
    ret[3] = (uint8_t)(at - 4);
    return at;
}

static void b059_long_texts(void **state) {
    (void)state;
    static const size_t lengths[] = {254, 255, 256, 257, 4000};
    static uint8_t memory[4100];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char text[HINT + 1];
        size_t n = long_record(memory, lengths[i], lengths[i] < 256);
        assert_int_equal(hint(memory, n, text), NDEF_OK);
        assert_int_equal(strlen(text), HINT);
        assert_int_equal(hint(memory, n - 1, text), NDEF_CUT); // less was read than the tag promises
        struct ndef_span message;
        struct ndef_record record;
        assert_int_equal(ndef_message(memory, n, &message), NDEF_OK);
        struct ndef_walk walk = {.left = message};
        assert_int_equal(ndef_next(&walk, &record), NDEF_OK);
        assert_int_equal(record.payload.len, lengths[i]);
        assert_int_equal(ndef_next(&walk, &record), NDEF_END);
    }
}

static void b060_the_long_form_of_a_length(void **state) {
    (void)state;
    const struct row rows[] = {
        {BYTES(0x00, 0x00, 0x03, 0xFF), NDEF_CUT, ""},
        {BYTES(0x03, 0xFF, 0x00), NDEF_CUT, ""},
        {BYTES(0x03, 0xFF, 0x00, 0x05), NDEF_CUT, ""},
        {BYTES(0x03, 0xFF, 0xFF, 0xFF), NDEF_CUT, ""},
        {BYTES(0x03, 0xFF, 0xFF, 0xFF, 0xD1, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_CUT, ""},
        {BYTES(0x03, 0xFF, 0x00, 0x06, 0xD1, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_OK, "a"},
        {BYTES(0x01, 0xFF, 0x00, 0x01, 0x77, 0x03, 0x06, 0xD1, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_OK, "a"},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

static void b061_lengths_that_lie(void **state) {
    (void)state;
    const struct row rows[] = {
        {BYTES(0x03, 0x20, 0xD1, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_CUT, ""},       // TLV
        {BYTES(0x01, 0x20, 0x03, 0x00), NDEF_CUT, ""},                             // a TLV before it
        {BYTES(0x03, 0x06, 0xD1, 0x01, 0x03, 'T', 0x00, 'a', 0xFE), NDEF_CUT, ""}, // payload
        {BYTES(0x03, 0x06, 0xD1, 0x09, 0x02, 'T', 0x00, 'a', 0xFE), NDEF_CUT, ""}, // type
        {BYTES(0x03, 0x07, 0xD9, 0x01, 0x02, 0x40, 'T', 0x00, 'a'), NDEF_CUT, ""}, // id
        {BYTES(0x03, 0x02, 0xD1, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_CUT,
         ""}, // a record longer than its message
        {BYTES(0x03, 0x01, 0xD1), NDEF_CUT, ""},
        {BYTES(0x03, 0x06, 0x91, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_OK, "a"}, // found before the missing end
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

static void b062_lengths_of_four_bytes(void **state) {
    (void)state;
    const struct row rows[] = {
        {BYTES(0x03, 0x09, 0xC1, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 'T', 0x00, 'a'), NDEF_CUT, ""},
        {BYTES(0x03, 0x09, 0xC1, 0x01, 0x7F, 0xFF, 0xFF, 0xFF, 'T', 0x00, 'a'), NDEF_CUT, ""},
        {BYTES(0x03, 0x09, 0xC1, 0x01, 0x80, 0x00, 0x00, 0x02, 'T', 0x00, 'a'), NDEF_CUT, ""},
        {BYTES(0x03, 0x09, 0xC1, 0x01, 0x00, 0x00, 0x00, 0x02, 'T', 0x00, 'a'), NDEF_OK, "a"},
        {BYTES(0x03, 0x05, 0xC1, 0x01, 0x00, 0x00, 0x00), NDEF_CUT, ""},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

static void b063_several_records(void **state) {
    (void)state;
    // a media record, an unknown one, the text with an id, a URI
    const struct row rows[] = {
        {BYTES(0x03, 0x1C, 0x92, 0x03, 0x02, 'a', '/', 'b', 9, 9,          // 8
               0x15, 0x00, 0x01, 0x77,                                     // 4
               0x19, 0x01, 0x04, 0x02, 'T', 'i', 'd', 0x00, 'o', 'w', 'l', // 11
               0x51, 0x01, 0x01, 'U', 0x00),                               // 5
         NDEF_OK, "owl"},
        // a URI before the text: the text wins; a URI alone is what there is
        {BYTES(0x03, 0x0C, 0x91, 0x01, 0x02, 'U', 0x05, '1', 0x51, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_OK, "a"},
        {BYTES(0x03, 0x0A, 0x91, 0x01, 0x02, 'U', 0x05, '1', 0x55, 0x00, 0x01, 'T'), NDEF_OK, "tel:1"},
    };
    check(rows, sizeof rows / sizeof rows[0]);
    struct ndef_walk walk = {.left = {rows[0].memory + 2, rows[0].n - 2}};
    struct ndef_record record;
    static const uint8_t tnfs[] = {2, 5, 1, 1};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(ndef_next(&walk, &record), NDEF_OK);
        assert_int_equal(record.tnf, tnfs[i]);
        if (i == 2)
            assert_memory_equal(record.id.at, "id", 2);
    }
    assert_int_equal(ndef_next(&walk, &record), NDEF_END);
}

static void refused_records(void **state) {
    (void)state;
    const struct row rows[] = {
        {BYTES(0x03, 0x06, 0xF1, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_CHUNKED, ""},   // CF
        {BYTES(0x03, 0x06, 0xD6, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_CHUNKED, ""},   // unchanged
        {BYTES(0x03, 0x06, 0xD7, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_MALFORMED, ""}, // reserved
        {BYTES(0x03, 0x06, 0x51, 0x01, 0x02, 'T', 0x00, 'a'), NDEF_MALFORMED, ""}, // does not begin
        {BYTES(0x03, 0x0C, 0x91, 0x01, 0x02, 'X', 0x00, 'a', 0xD1, 0x01, 0x02, 'T', 0x00, 'a'),
         NDEF_MALFORMED, ""},                                                 // begins twice
        {BYTES(0x03, 0x05, 0xD0, 0x01, 0x01, 'T', 0x00), NDEF_MALFORMED, ""}, // empty with bytes
        {BYTES(0x03, 0x05, 0xD5, 0x01, 0x01, 'T', 0x00), NDEF_MALFORMED, ""}, // unknown with a type
        {BYTES(0x03, 0x04, 0xD1, 0x00, 0x01, 'T'), NDEF_MALFORMED, ""},       // well-known without
        {BYTES(0x03, 0x03, 0xD0, 0x00, 0x00, 0xFE), NDEF_OK, ""},             // the empty record
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

// A tag is read piece by piece, no further than its message.
static void as_much_as_needed_is_read(void **state) {
    (void)state;
    static const uint8_t memory[] = {0x01, 0x03, 0xA0, 0xFE, 0x34, 0x00, 0x03,
                                     0x04, 0xD1, 0x01, 0x00, 'T',  0xFE};
    for (size_t n = 0; n < 8; n++)
        assert_int_equal(ndef_needed(memory, n), n + 1); // an FE inside a value is no end
    for (size_t n = 8; n <= sizeof memory; n++)
        assert_int_equal(ndef_needed(memory, n), 12);
    static const uint8_t over[] = {0xFE, 0x00, 0x00};
    assert_int_equal(ndef_needed(over, 3), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_uris),
        cmocka_unit_test(b058_empty_memory),
        cmocka_unit_test(b059_long_texts),
        cmocka_unit_test(b060_the_long_form_of_a_length),
        cmocka_unit_test(b061_lengths_that_lie),
        cmocka_unit_test(b062_lengths_of_four_bytes),
        cmocka_unit_test(b063_several_records),
        cmocka_unit_test(refused_records),
        cmocka_unit_test(as_much_as_needed_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
