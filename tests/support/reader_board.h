// A driver's host with a board behind it, as in the daemon: what the reader sees becomes pieces that arrive
// and leave, written down line by line. Header only: include it from one file of a program that links board.
#pragma once
#include "board/board.h"
#include "drivers/driver.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READER_BOARD_PADS = 16, READER_BOARD_TEXT = 1 << 18 };

struct reader_board {
    struct loop *loop;
    struct pieces *pieces;
    struct board *board;
    struct reader *reader;
    struct tag tags[PAD_TAGS_MAX + 1];
    unsigned n_tags;
    int64_t start_us; // of the first observation
    bool started, ended;
    char *text; // "MS placed PAD PIECE" ...
    size_t len;
    void (*placed)(struct reader_board *rb, uint16_t pad, bool there); // NULL allowed
    void *ctx;
};

static inline void reader_board__say(struct reader_board *rb, int64_t at_us, const char *what, uint16_t pad,
                                     const char *more) {
    if (rb->len + 80 < READER_BOARD_TEXT)
        rb->len += (size_t)snprintf(rb->text + rb->len, READER_BOARD_TEXT - rb->len, "%lld %s %u%s%s\n",
                                    (long long)((at_us - rb->start_us) / 1000), what, pad, *more ? " " : "",
                                    more);
}

static inline void reader_board__placed(void *ctx, uint16_t pad, uint16_t piece, uint8_t face, int64_t at_us,
                                        int64_t since_us) {
    struct reader_board *rb = ctx;
    (void)face, (void)since_us;
    reader_board__say(rb, at_us, "placed", pad, pieces_at(rb->pieces, piece)->name);
    if (rb->placed)
        rb->placed(rb, pad, true);
}

static inline void reader_board__removed(void *ctx, uint16_t pad, uint16_t piece, int64_t at_us,
                                         int64_t since_us) {
    struct reader_board *rb = ctx;
    (void)since_us;
    reader_board__say(rb, at_us, "removed", pad, pieces_at(rb->pieces, piece)->name);
    if (rb->placed)
        rb->placed(rb, pad, false);
}

static inline void reader_board__state(void *ctx, uint16_t pad, enum pad_state state, int64_t at_us) {
    char number[8];
    snprintf(number, sizeof number, "%u", (unsigned)state);
    reader_board__say(ctx, at_us, "state", pad, number);
}

static inline void reader_board__notice(void *ctx, uint16_t pad, enum board_notice notice, int64_t at_us) {
    char number[8];
    snprintf(number, sizeof number, "%u", (unsigned)notice);
    reader_board__say(ctx, at_us, "notice", pad, number);
}

static inline void reader_board__control(void *ctx, uint16_t pad, enum control control, int64_t at_us) {
    reader_board__say(ctx, at_us, "control", pad, control_name(control));
}

static inline void reader_board__begin(struct reader_board *rb) {
    if (!rb->started)
        rb->start_us = loop_now_us(rb->loop);
    rb->started = true;
}

static inline void reader_board__seen(struct reader *reader, uint16_t antenna, const uint8_t *uid,
                                      uint8_t len) {
    struct reader_board *rb = reader->host_ctx;
    (void)antenna;
    if (rb->n_tags <= PAD_TAGS_MAX && !tag_from_bytes(uid, len, &rb->tags[rb->n_tags], NULL))
        rb->n_tags++;
}

static inline void reader_board__scan(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    static const enum pad_outcome outcomes[] = {PAD_SEEN, PAD_NONE, PAD_COLLIDED, PAD_FAILED};
    struct reader_board *rb = reader->host_ctx;
    unsigned n = rb->n_tags;
    rb->n_tags = 0;
    reader_board__begin(rb);
    if (board_scan(rb->board, antenna, loop_now_us(rb->loop), outcomes[outcome], rb->tags, n) &&
        reader->driver->again)
        reader->driver->again(reader, antenna);
}

static inline void reader_board__health(struct reader *reader, bool up, const char *why) {
    struct reader_board *rb = reader->host_ctx;
    (void)why;
    reader_board__begin(rb);
    board_reader(rb->board, reader->name, up, loop_now_us(rb->loop));
}

static inline void reader_board__ended(struct reader *reader) {
    ((struct reader_board *)reader->host_ctx)->ended = true;
}

static const struct driver_host reader_board_host = {.seen = reader_board__seen,
                                                     .scan_done = reader_board__scan,
                                                     .health = reader_board__health,
                                                     .ended = reader_board__ended};

// Pads 0 .. n-1 are the antennas of `reader`; pieces t0, t1 .. have these tags.
static inline void reader_board_open(struct reader_board *rb, struct loop *loop, const char *reader,
                                     unsigned n, const char *const *tags, unsigned n_tags) {
    struct board_pad_options pads[READER_BOARD_PADS] = {0};
    struct error err;
    const struct board_listener listener = {.placed = reader_board__placed,
                                            .removed = reader_board__removed,
                                            .state = reader_board__state,
                                            .control = reader_board__control,
                                            .notice = reader_board__notice,
                                            .ctx = rb};
    *rb = (struct reader_board){.loop = loop, .text = calloc(1, READER_BOARD_TEXT)};
    enum error_code code = pieces_create(&rb->pieces, &err);
    for (unsigned i = 0; i < n_tags && code == ERROR_OK; i++) {
        char name[16];
        struct tag tag;
        snprintf(name, sizeof name, "t%u", i);
        code = tag_parse(tags[i], &tag, &err);
        if (code == ERROR_OK)
            code = pieces_add(rb->pieces, "kit", name, "tile", &tag, 0, NULL, &err);
    }
    for (unsigned i = 0; i < n; i++) {
        pads[i] =
            (struct board_pad_options){.antenna = (uint16_t)i, .capacity = 2, .limits = pad_limits_default};
        snprintf(pads[i].name, sizeof pads[i].name, "p%u", i);
        snprintf(pads[i].reader, sizeof pads[i].reader, "%s", reader);
    }
    if (code == ERROR_OK)
        code = board_create(loop, rb->pieces, pads, n, &listener, &rb->board, &err);
    if (code != ERROR_OK || !rb->text) {
        fprintf(stderr, "reader_board: %s\n", code != ERROR_OK ? err.text : "out of memory");
        abort();
    }
}

static inline void reader_board_close(struct reader_board *rb) {
    board_destroy(rb->board);
    pieces_destroy(rb->pieces);
    free(rb->text);
}
