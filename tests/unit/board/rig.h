// A board on a virtual clock whose events become lines of text: "1085 placed north.0 tile-11".
#pragma once
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include "board/board.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RIG_PADS_MAX = 16, RIG_TEXT_MAX = 16384, RIG_SCAN_MS = 85 };

struct rig {
    struct clock_virtual clock;
    struct loop *loop;
    struct pieces *pieces;
    struct board *board;
    char text[RIG_TEXT_MAX];
    size_t len;
    unsigned n_placed, n_removed, n_states, n_controls, n_notices[BOARD_NOTICES];
    int64_t last_since_us; // of the last placed or removed
    uint8_t last_face;
    bool quiet; // count only
};

static inline struct tag rig_tag(const char *text) {
    struct tag tag;
    assert_int_equal(tag_parse(text, &tag, NULL), ERROR_OK);
    return tag;
}

static inline void rig_line(struct rig *rig, int64_t at_us, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline void rig_line(struct rig *rig, int64_t at_us, const char *format, ...) {
    va_list args;
    if (rig->quiet)
        return;
    size_t room = sizeof rig->text - rig->len;
    assert_true(room > 128);
    rig->len += (size_t)snprintf(rig->text + rig->len, room, "%lld ", (long long)(at_us / 1000));
    va_start(args, format);
    rig->len += (size_t)vsnprintf(rig->text + rig->len, sizeof rig->text - rig->len, format, args);
    va_end(args);
    rig->text[rig->len++] = '\n';
    rig->text[rig->len] = '\0';
}

static inline const char *rig_pad(const struct rig *rig, uint16_t pad) {
    return board_pad(rig->board, pad)->name;
}

static inline void rig_placed(void *ctx, uint16_t pad, uint16_t piece, uint8_t face, int64_t at,
                              int64_t since) {
    struct rig *rig = ctx;
    rig->n_placed++;
    rig->last_since_us = since;
    rig->last_face = face;
    rig_line(rig, at, "placed %s %s", rig_pad(rig, pad), pieces_at(rig->pieces, piece)->name);
}

static inline void rig_removed(void *ctx, uint16_t pad, uint16_t piece, int64_t at, int64_t since) {
    struct rig *rig = ctx;
    const struct piece *p = pieces_at(rig->pieces, piece);
    rig->n_removed++;
    rig->last_since_us = since;
    rig_line(rig, at, "removed %s %s", rig_pad(rig, pad), p ? p->name : "forgotten");
}

static inline void rig_state(void *ctx, uint16_t pad, enum pad_state state, int64_t at) {
    static const char *const names[] = {"unknown", "known", "several", "doubtful"};
    struct rig *rig = ctx;
    rig->n_states++;
    rig_line(rig, at, "%s %s", rig_pad(rig, pad), names[state]);
}

static inline void rig_control(void *ctx, uint16_t pad, enum control control, int64_t at) {
    struct rig *rig = ctx;
    rig->n_controls++;
    rig_line(rig, at, "control %s %s", rig_pad(rig, pad), control_name(control));
}

static inline void rig_notice(void *ctx, uint16_t pad, enum board_notice notice, int64_t at) {
    static const char *const names[] = {"unknown", "random",   "partial", "duplicate",
                                        "ghost",   "overflow", "reversed"};
    struct rig *rig = ctx;
    rig->n_notices[notice]++;
    rig_line(rig, at, "notice %s %s", names[notice], rig_pad(rig, pad));
}

static inline void rig_piece(struct rig *rig, const char *name, const char *kind, const char *tag,
                             uint8_t face) {
    struct tag t = rig_tag(tag);
    struct error err;
    if (pieces_add(rig->pieces, "box", name, kind, &t, face, NULL, &err))
        fail_msg("%s: %s", name, err.text);
}

// Pads north.0 north.1 .. south.0 south.1 .. of readers north and south, and the pad "tap" of reader tap.
static inline void rig_pads(struct rig *rig, unsigned per_reader) {
    struct board_pad_options pads[RIG_PADS_MAX] = {0};
    unsigned n = 0;
    for (unsigned r = 0; r < 2; r++) {
        for (unsigned i = 0; i < per_reader; i++, n++) {
            const char *reader = r ? "south" : "north";
            snprintf(pads[n].reader, sizeof pads[n].reader, "%s", reader);
            snprintf(pads[n].name, sizeof pads[n].name, "%s.%u", reader, i);
            pads[n].antenna = (uint16_t)i;
            pads[n].limits = pad_limits_default;
        }
    }
    snprintf(pads[n].reader, sizeof pads[n].reader, "tap");
    snprintf(pads[n].name, sizeof pads[n].name, "tap");
    pads[n].kind = BOARD_PAD_TAP;
    pads[n++].limits = pad_limits_default;
    const struct board_listener listener = {rig_placed, rig_removed, rig_state, rig_control, rig_notice, rig};
    struct error err;
    if (board_create(rig->loop, rig->pieces, pads, n, &listener, &rig->board, &err))
        fail_msg("%s", err.text);
}

static inline void rig_begin(struct rig *rig, unsigned per_reader) {
    static const char *const names[] = {"tile-11", "tile-12", "tile-13", "tile-14",  "tile-15",
                                        "tile-16", "tile-17", "tile-18", "token-21", "token-22"};
    memset(rig, 0, sizeof *rig);
    clock_virtual_init(&rig->clock);
    assert_int_equal(loop_create(&rig->clock.base, &rig->clock, &rig->loop, NULL), ERROR_OK);
    assert_int_equal(pieces_create(&rig->pieces, NULL), ERROR_OK);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        char tag[32];
        snprintf(tag, sizeof tag, "04%.2s0A5A1F6180", names[i] + strlen(names[i]) - 2);
        if (names[i][1] == 'o')
            snprintf(tag, sizeof tag, "04%.2s0B5A1F6180", names[i] + strlen(names[i]) - 2);
        rig_piece(rig, names[i], names[i][1] == 'o' ? "token" : "tile", tag, PIECE_FACE_UNKNOWN);
    }
    rig_piece(rig, "start", "control", "04310C5A1F6180", PIECE_FACE_UNKNOWN);
    rig_piece(rig, "done", "control", "04320C5A1F6180", PIECE_FACE_UNKNOWN);
    rig_piece(rig, "done-2", "control", "04330C5A1F6180", PIECE_FACE_UNKNOWN);
    rig_pads(rig, per_reader);
}

static inline void rig_end(struct rig *rig) {
    board_destroy(rig->board);
    pieces_destroy(rig->pieces);
    loop_destroy(rig->loop);
}

static inline void rig_until(struct rig *rig, int64_t ms) {
    while (loop_now_us(rig->loop) < ms * 1000)
        loop_turn(rig->loop, ms * 1000 - loop_now_us(rig->loop));
    loop_turn(rig->loop, 0);
}

static inline int64_t rig_ms(const struct rig *rig) {
    return loop_now_us(rig->loop) / 1000;
}

static inline uint16_t rig_piece_at(const struct rig *rig, const char *name) {
    return pieces_find(rig->pieces, "box", name);
}

// The pad where the board believes a piece, "-" for none.
static inline const char *rig_where(const struct rig *rig, const char *name) {
    uint16_t pad = board_where(rig->board, rig_piece_at(rig, name));
    return pad == BOARD_PADS_MAX ? "-" : rig_pad(rig, pad);
}

// One scan at this moment: ids separated by blanks, "none", "collided" or "failed".
static inline bool rig_scan(struct rig *rig, const char *pad, const char *what) {
    struct tag tags[16];
    unsigned n = 0;
    uint16_t index = board_find_name(rig->board, pad);
    int64_t now = loop_now_us(rig->loop);
    assert_true(index != BOARD_PADS_MAX);
    if (strcmp(what, "none") == 0)
        return board_scan(rig->board, index, now, PAD_NONE, NULL, 0);
    if (strcmp(what, "collided") == 0)
        return board_scan(rig->board, index, now, PAD_COLLIDED, NULL, 0);
    if (strcmp(what, "failed") == 0)
        return board_scan(rig->board, index, now, PAD_FAILED, NULL, 0);
    while (*what) {
        char id[32];
        size_t len = strcspn(what, " ");
        snprintf(id, sizeof id, "%.*s", (int)len, what);
        tags[n++] = rig_tag(id);
        what += len + (what[len] == ' ');
    }
    return board_scan(rig->board, index, now, PAD_SEEN, tags, n);
}

// The same scan every 85 ms, `times` times; ends 85 ms after the last.
static inline void rig_scans(struct rig *rig, const char *pad, const char *what, unsigned times) {
    while (times-- > 0) {
        rig_scan(rig, pad, what);
        rig_until(rig, rig_ms(rig) + RIG_SCAN_MS);
    }
}

static inline void rig_expect(struct rig *rig, const char *text) {
    assert_string_equal(rig->text, text);
    rig->len = 0;
    rig->text[0] = '\0';
}

static inline void rig_forget(struct rig *rig) {
    rig->len = 0;
    rig->text[0] = '\0';
}
