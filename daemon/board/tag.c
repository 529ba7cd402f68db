#include "board/tag.h"
#include <string.h>

enum { CASCADE = 0x88, RAW_MAX = 16 }; // three glued levels with their check bytes are 15 bytes

static bool length_ok(size_t len) {
    return len == 4 || len == 7 || len == 10;
}

enum tag_kind tag_kind(const struct tag *tag) {
    if (!length_ok(tag->len))
        return TAG_BAD;
    if (tag->b[0] == CASCADE)
        return TAG_PARTIAL;
    unsigned same = 1;
    while (same < tag->len && tag->b[same] == tag->b[0])
        same++;
    if (same == tag->len)
        return TAG_BAD;
    return tag->len == 4 && tag->b[0] == 0x08 ? TAG_RANDOM : TAG_PLAIN;
}

bool tag_equal(const struct tag *a, const struct tag *b) {
    return a->len == b->len && memcmp(a->b, b->b, a->len) == 0;
}

void tag_reverse(struct tag *tag) {
    for (unsigned i = 0, j = tag->len; i + 1 < j; i++) {
        uint8_t swap = tag->b[i];
        tag->b[i] = tag->b[--j];
        tag->b[j] = swap;
    }
}

void tag_format(const struct tag *tag, char ret[TAG_TEXT_MAX]) {
    static const char digits[] = "0123456789ABCDEF";
    unsigned n = tag->len <= TAG_BYTES_MAX ? tag->len : TAG_BYTES_MAX;
    for (unsigned i = 0; i < n; i++) {
        ret[2 * i] = digits[tag->b[i] >> 4];
        ret[2 * i + 1] = digits[tag->b[i] & 15];
    }
    ret[2 * n] = '\0';
}

static bool check_byte(const uint8_t *b) {
    return b[4] == (b[0] ^ b[1] ^ b[2] ^ b[3]);
}

// Shapes in which a reader may hand over the levels of an id: the bytes to keep, by their place. A row
// matches when its markers (and check bytes) are where they must be.
static const struct shape {
    uint8_t len, checked, n_markers, markers[2], keep[TAG_BYTES_MAX], n_keep;
} shapes[] = {
    {5, 1, 0, {0}, {0, 1, 2, 3}, 4},                          // B046: id and its check byte
    {8, 0, 1, {0}, {1, 2, 3, 4, 5, 6, 7}, 7},                 // B048: 88 + 3, 4
    {10, 2, 1, {0}, {1, 2, 3, 5, 6, 7, 8}, 7},                // the same, each level with its check byte
    {12, 0, 2, {0, 4}, {1, 2, 3, 5, 6, 7, 8, 9, 10, 11}, 10}, // 88 + 3, 88 + 3, 4
    {11, 0, 1, {3}, {0, 1, 2, 4, 5, 6, 7, 8, 9, 10}, 10},     // first marker already gone
    {15, 3, 2, {0, 5}, {1, 2, 3, 6, 7, 8, 10, 11, 12, 13}, 10},
};

static bool shape_fits(const struct shape *shape, const uint8_t *b, size_t len) {
    if (len != shape->len)
        return false;
    for (unsigned i = 0; i < shape->n_markers; i++) {
        if (b[shape->markers[i]] != CASCADE)
            return false;
    }
    for (unsigned i = 0; i < shape->checked; i++) {
        if (!check_byte(b + 5 * i))
            return false;
    }
    return true;
}

enum error_code tag_from_bytes(const uint8_t *bytes, size_t len, struct tag *ret, struct error *err) {
    *ret = (struct tag){0};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (!shape_fits(&shapes[i], bytes, len))
            continue;
        ret->len = shapes[i].n_keep;
        for (unsigned k = 0; k < ret->len; k++)
            ret->b[k] = bytes[shapes[i].keep[k]];
        return ERROR_OK;
    }
    if (len == 5)
        return error_set(err, ERROR_INVALID, NULL,
                         "a tag id of 5 bytes whose last is no check byte: read the tag again");
    if (!length_ok(len))
        return error_set(err, ERROR_INVALID, NULL, "a tag id has 4, 7 or 10 bytes, this one %zu", len);
    ret->len = (uint8_t)len;
    memcpy(ret->b, bytes, len);
    return ERROR_OK;
}

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

enum error_code tag_parse(const char *text, struct tag *ret, struct error *err) {
    uint8_t raw[RAW_MAX] = {0};
    size_t n = 0;
    *ret = (struct tag){0};
    for (const char *c = text; *c;) {
        if (blank(*c) || *c == ':' || *c == '-') {
            c++;
        } else if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) {
            c += 2;
            if (digit(*c) < 0)
                return error_set(err, ERROR_INVALID, NULL, "0x without hex digits in a tag id");
        } else if (digit(c[0]) < 0) {
            return error_set(err, ERROR_INVALID, NULL,
                             "character %zu of a tag id is no hex digit, colon, dash or blank",
                             (size_t)(c - text) + 1);
        } else if (digit(c[1]) < 0) {
            return error_set(err, ERROR_INVALID, NULL, "a tag id has an odd number of hex digits at %zu",
                             (size_t)(c - text) + 1);
        } else if (n == RAW_MAX) {
            return error_set(err, ERROR_INVALID, NULL, "a tag id has 4, 7 or 10 bytes, this one more than %d",
                             RAW_MAX);
        } else {
            raw[n++] = (uint8_t)(digit(c[0]) << 4 | digit(c[1]));
            c += 2;
        }
    }
    if (n == 0)
        return error_set(err, ERROR_INVALID, NULL, "the tag id is empty");
    return tag_from_bytes(raw, n, ret, err);
}

enum error_code tag_parse_decimal(const char *text, size_t bytes, bool reversed, struct tag *ret,
                                  struct error *err) {
    *ret = (struct tag){0};
    if (!length_ok(bytes))
        return error_set(err, ERROR_INVALID, NULL, "a tag id has 4, 7 or 10 bytes, not %zu", bytes);
    struct tag tag = {.len = (uint8_t)bytes};
    size_t len = strlen(text);
    while (len > 0 && blank(text[len - 1]))
        len--;
    size_t i = 0;
    while (i < len && blank(text[i]))
        i++;
    if (i == len)
        return error_set(err, ERROR_INVALID, NULL, "the tag number is empty");
    for (; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return error_set(err, ERROR_INVALID, NULL, "a tag number has decimal digits only");
        unsigned carry = (unsigned)(text[i] - '0');
        for (size_t k = bytes; k-- > 0;) {
            carry += tag.b[k] * 10u;
            tag.b[k] = (uint8_t)carry;
            carry >>= 8;
        }
        if (carry)
            return error_set(err, ERROR_INVALID, NULL, "the tag number is too large for %zu bytes", bytes);
    }
    if (reversed)
        tag_reverse(&tag);
    *ret = tag;
    return ERROR_OK;
}
