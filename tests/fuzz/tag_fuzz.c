// Tag ids and the CSV of pieces from any bytes; pads under any scans.
#include "board/pad.h"
#include "board/pieces.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ids(const char *text, size_t size) {
    struct tag tag, again;
    char out[TAG_TEXT_MAX];
    if (tag_parse(text, &tag, NULL) == ERROR_OK) {
        tag_format(&tag, out);
        assert(strlen(out) == 2u * tag.len);
        if (tag_kind(&tag) != TAG_PARTIAL) // a cut id may look glued
            assert(tag_parse(out, &again, NULL) == ERROR_OK && tag_equal(&tag, &again));
        again = tag;
        tag_reverse(&again);
        tag_reverse(&again);
        assert(tag_equal(&tag, &again));
    }
    tag_parse_decimal(text, size % 12, size & 1, &tag, NULL);
    tag_from_bytes((const uint8_t *)text, size, &tag, NULL);
}

static void csv(const char *text) {
    struct pieces *pieces;
    struct error err = {0};
    char *out = NULL;
    if (pieces_create(&pieces, NULL))
        return;
    if (pieces_import_csv(pieces, text, "fuzz.csv", NULL, &err) == ERROR_OK) {
        assert(pieces_export_csv(pieces, NULL, &out, NULL) == ERROR_OK);
        assert(pieces_import_csv(pieces, out, "again.csv", NULL, &err) == ERROR_OK);
        free(out);
    } else {
        assert(err.where[0] && err.text[0] && pieces_count(pieces) == 0);
    }
    pieces_destroy(pieces);
}

static bool is_known(void *ctx, const struct tag *tag) {
    (void)ctx;
    return tag->b[0] & 1;
}

// Each byte is a scan: two bits of outcome, a time step, up to ten ids of a small set.
static void pad(const uint8_t *data, size_t size) {
    struct pad p;
    struct pad_change changes[PAD_CHANGES_MAX];
    int64_t now = 0;
    bool again;
    pad_init(&p, &pad_limits_default);
    for (size_t i = 0; i + 1 < size; i += 2) {
        struct tag tags[10];
        unsigned n = (data[i] >> 2) % 11;
        for (unsigned k = 0; k < n; k++)
            tags[k] = (struct tag){k == 3 ? 5 : 7, {(uint8_t)(data[i + 1] + k * (data[i] >> 6)), 1}};
        now += (data[i + 1] & 0x0f) * 10000;
        if (data[i] == 0xff)
            n = pad_down(&p, now, changes);
        else if (data[i] == 0xfe)
            n = pad_silence(&p, now, changes);
        else
            n = pad_scan(&p, now, (enum pad_outcome)(data[i] & 3), tags, n, is_known, NULL, changes, &again);
        assert(n <= PAD_CHANGES_MAX && p.n <= PAD_TAGS_MAX);
        for (unsigned k = 0; k < n; k++)
            assert(changes[k].since_us <= now);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 8192)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] % 3 == 0)
        ids(text, size - 1);
    else if (data[0] % 3 == 1)
        csv(text);
    else
        pad(data + 1, size - 1);
    free(text);
    return 0;
}
