// Random hands on random readers: late removals, neighbours that hear, misses, collisions, lost readers.
// Whatever happened, what is told is consistent all the time, and when all is quiet the board is the true
// table.
#include "core/rng.h"
#include "unit/board/rig.h"

enum { PADS = 6, PIECES = 8, NOBODY = 0xffff, SETTLE_MS = 12000 };

struct body {
    struct tag tag;
    uint16_t pad, told; // where it lies, and where the board said it does
    uint16_t late_pad, heard_pad;
    int64_t late_ms, heard_ms; // until when the old pad still shows it, a neighbour hears it
};

struct world {
    struct rig rig;
    struct rng rng;
    struct body body[PIECES];
    bool down[2];
    int64_t blind_ms[PADS]; // collided until then
    bool clean;
};

static void on_placed(void *ctx, uint16_t pad, uint16_t piece, uint8_t face, int64_t at, int64_t since) {
    struct world *w = ctx;
    (void)face;
    assert_true(since <= at);
    assert_int_equal(w->body[piece].told, NOBODY);
    w->body[piece].told = pad;
}

static void on_removed(void *ctx, uint16_t pad, uint16_t piece, int64_t at, int64_t since) {
    struct world *w = ctx;
    assert_true(since <= at);
    assert_int_equal(w->body[piece].told, pad);
    w->body[piece].told = NOBODY;
}

static void on_state(void *ctx, uint16_t pad, enum pad_state state, int64_t at) {
    struct world *w = ctx;
    (void)at;
    assert_int_equal(board_pad_state(w->rig.board, pad), state);
}

static void on_control(void *ctx, uint16_t pad, enum control control, int64_t at) {
    (void)ctx, (void)pad, (void)control, (void)at;
    fail();
}

static void on_notice(void *ctx, uint16_t pad, enum board_notice notice, int64_t at) {
    (void)ctx, (void)pad, (void)at;
    assert_true(notice == BOARD_NOTICE_DUPLICATE || notice == BOARD_NOTICE_GHOST);
}

static void begin(struct world *w, uint64_t seed) {
    memset(w, 0, sizeof *w);
    rig_begin(&w->rig, PADS / 2);
    struct board_pad_options pads[PADS];
    for (uint16_t i = 0; i < PADS; i++)
        pads[i] = *board_pad(w->rig.board, i);
    board_destroy(w->rig.board);
    const struct board_listener listener = {on_placed, on_removed, on_state, on_control, on_notice, w};
    assert_int_equal(board_create(w->rig.loop, w->rig.pieces, pads, PADS, &listener, &w->rig.board, NULL),
                     ERROR_OK);
    rng_seed(&w->rng, seed);
    for (uint16_t i = 0; i < PIECES; i++)
        w->body[i] = (struct body){
            .tag = pieces_at(w->rig.pieces, i)->tags[0].tag, .pad = i < PADS ? i : NOBODY, .told = NOBODY};
}

static bool shows(const struct world *w, const struct body *body, uint16_t pad, int64_t now) {
    return body->pad == pad || (!w->clean && ((body->late_pad == pad && now < body->late_ms) ||
                                              (body->heard_pad == pad && now < body->heard_ms)));
}

static void scan(struct world *w, uint16_t pad) {
    int64_t now = rig_ms(&w->rig);
    struct tag tags[PIECES];
    unsigned n = 0;
    if (w->down[pad / (PADS / 2)])
        return;
    enum pad_outcome outcome = PAD_SEEN;
    if (!w->clean && (now < w->blind_ms[pad] || rng_below(&w->rng, 50) == 0))
        outcome = rng_below(&w->rng, 2) ? PAD_COLLIDED : PAD_FAILED;
    for (unsigned i = 0; outcome == PAD_SEEN && i < PIECES; i++) {
        if (shows(w, &w->body[i], pad, now) && (w->clean || rng_below(&w->rng, 20) > 0))
            tags[n++] = w->body[i].tag;
    }
    board_scan(w->rig.board, pad, now * 1000, outcome == PAD_SEEN && n == 0 ? PAD_NONE : outcome, tags, n);
}

static void hands(struct world *w) {
    int64_t now = rig_ms(&w->rig);
    struct body *body = &w->body[rng_below(&w->rng, PIECES)];
    uint32_t what = rng_below(&w->rng, 100);
    if (what < 2) {
        unsigned reader = rng_below(&w->rng, 2);
        w->down[reader] = !w->down[reader];
        board_reader(w->rig.board, reader ? "south" : "north", !w->down[reader], now * 1000);
    } else if (what < 4) {
        w->blind_ms[rng_below(&w->rng, PADS)] = now + rng_below(&w->rng, 3000);
    } else if (what < 8) {
        body->heard_pad = (uint16_t)rng_below(&w->rng, PADS);
        body->heard_ms = now + rng_below(&w->rng, 6000);
    } else if (what < 16) {
        body->late_pad = body->pad;
        body->late_ms = now + (rng_below(&w->rng, 2) ? 300 + rng_below(&w->rng, 1300) : 0);
        body->pad = body->pad == NOBODY ? (uint16_t)rng_below(&w->rng, PADS) : NOBODY;
    }
}

static void run(struct world *w, int64_t until_ms) {
    while (rig_ms(&w->rig) < until_ms) {
        for (uint16_t pad = 0; pad < PADS; pad++) {
            scan(w, pad);
            rig_until(&w->rig, rig_ms(&w->rig) + 14);
        }
        if (!w->clean)
            hands(w);
    }
}

static void quiet_tables_are_true_tables(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct world w;
        begin(&w, seed);
        for (unsigned round = 1; round <= 4; round++) {
            w.clean = false;
            run(&w, rig_ms(&w.rig) + 30000);
            for (unsigned i = 0; i < 2; i++) {
                if (w.down[i])
                    board_reader(w.rig.board, i ? "south" : "north", true, rig_ms(&w.rig) * 1000);
                w.down[i] = false;
            }
            w.clean = true;
            run(&w, rig_ms(&w.rig) + SETTLE_MS);
            for (uint16_t i = 0; i < PIECES; i++) {
                uint16_t where = board_where(w.rig.board, i);
                assert_int_equal(where == BOARD_PADS_MAX ? NOBODY : where, w.body[i].told);
                if (w.body[i].told != w.body[i].pad)
                    fail_msg("seed %llu round %u: piece %u lies on %u, told %u", (unsigned long long)seed,
                             round, i, w.body[i].pad, w.body[i].told);
            }
        }
        rig_end(&w.rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quiet_tables_are_true_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
