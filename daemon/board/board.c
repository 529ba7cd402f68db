#include "board/board__.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint16_t board__piece(const struct board *board, const struct tag *tag, uint8_t *ret_face) {
    uint16_t piece = pieces_by_tag(board->pieces, tag, ret_face);
    return piece < board->n_stays ? piece : PIECE_NONE;
}

static bool is_known(void *ctx, const struct tag *tag) {
    return board__piece(ctx, tag, NULL) != PIECE_NONE;
}

void board__notice(struct board *board, uint16_t pad, enum board_notice notice, int64_t at_us) {
    int64_t last = board->pads[pad].noticed_us[notice];
    board->pads[pad].noticed_us[notice] = at_us;
    // Duplicates and ghosts are said once each by their owner; the rest may return with every touch.
    if (notice != BOARD_NOTICE_DUPLICATE && notice != BOARD_NOTICE_GHOST && at_us - last < BOARD__QUIET_US)
        return;
    board->listener.notice(board->listener.ctx, pad, notice, at_us);
}

// Silence ------------------------------------------------------------------------------------------------

static int64_t silent_at(const struct pad *pad) {
    if (pad->state == PAD_STATE_UNKNOWN || pad->limits.silent_ms <= 0)
        return INT64_MAX;
    return pad->scan_us + pad->limits.silent_ms * INT64_C(1000);
}

static void tell_state(struct board *board, uint16_t pad, int64_t at_us) {
    board->changed_us = at_us;
    board->listener.state(board->listener.ctx, pad, board->pads[pad].pad.state, at_us);
}

static void silence_due(void *ctx);

// The timer may fire early for a pad that was scanned meanwhile; it is then set again, so a scan costs
// nothing.
static void watch_silence(struct board *board, int64_t due_us) {
    if (due_us == INT64_MAX || (loop_timer_running(&board->silence) && board->silence.due_us <= due_us))
        return;
    loop_timer_start(board->loop, &board->silence, due_us, silence_due, board);
}

static void silence_due(void *ctx) {
    struct board *board = ctx;
    int64_t now = loop_now_us(board->loop), next = INT64_MAX;
    struct pad_change changes[PAD_CHANGES_MAX];
    for (uint16_t i = 0; i < board->n_pads; i++) {
        if (pad_silence(&board->pads[i].pad, now, changes) > 0)
            tell_state(board, i, now);
        int64_t due = silent_at(&board->pads[i].pad);
        next = due < next ? due : next;
    }
    watch_silence(board, next);
}

// Creation -----------------------------------------------------------------------------------------------

static bool limits_ok(const struct pad_limits *l) {
    return l->arrive_n >= 1 && l->arrive_m >= l->arrive_n && l->arrive_m <= 8 && l->unknown_run >= 1 &&
           l->unknown_run <= 8 && l->leave_run >= 1 && l->leave_run <= 100 && l->trouble_run >= 1 &&
           l->doubt_ms >= 0 && l->silent_ms >= 0;
}

static enum error_code check_pads(const struct board_pad_options *pads, size_t n, struct error *err) {
    if (n > BOARD_PADS_MAX)
        return error_set(err, ERROR_INVALID, NULL, "%zu pads: a board has at most %d", n, BOARD_PADS_MAX);
    for (size_t i = 0; i < n; i++) {
        if (!limits_ok(&pads[i].limits))
            return error_set(err, ERROR_INVALID, pads[i].name, "limits of pad %s are out of range",
                             pads[i].name);
        for (size_t k = 0; k < i; k++) {
            if (strcmp(pads[i].name, pads[k].name) == 0)
                return error_set(err, ERROR_INVALID, pads[i].name, "two pads are named %s", pads[i].name);
            if (pads[i].antenna == pads[k].antenna && strcmp(pads[i].reader, pads[k].reader) == 0)
                return error_set(err, ERROR_INVALID, pads[i].name, "pads %s and %s share antenna %u of %s",
                                 pads[k].name, pads[i].name, pads[i].antenna, pads[i].reader);
        }
    }
    return ERROR_OK;
}

static bool grow(struct board *board) {
    size_t want = pieces_count(board->pieces);
    if (want <= board->n_stays)
        return true;
    struct board__stay *more = realloc(board->stays, want * sizeof *more);
    if (!more)
        return false;
    memset(more + board->n_stays, 0, (want - board->n_stays) * sizeof *more);
    board->stays = more;
    board->n_stays = want;
    return true;
}

enum error_code board_create(struct loop *loop, const struct pieces *pieces,
                             const struct board_pad_options *pads, size_t n_pads,
                             const struct board_listener *listener, struct board **ret, struct error *err) {
    *ret = NULL;
    enum error_code code = check_pads(pads, n_pads, err);
    if (code)
        return code;
    struct board *board = calloc(1, sizeof *board + n_pads * sizeof board->pads[0]);
    if (!board)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    board->loop = loop;
    board->pieces = pieces;
    board->listener = *listener;
    board->n_pads = (uint16_t)n_pads; // checked
    if (!grow(board)) {
        free(board);
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    }
    for (size_t i = 0; i < n_pads; i++) {
        board->pads[i].options = pads[i];
        pad_init(&board->pads[i].pad, &pads[i].limits);
        for (unsigned k = 0; k < BOARD_NOTICES; k++)
            board->pads[i].noticed_us[k] = -BOARD__QUIET_US;
    }
    for (unsigned i = 0; i < CONTROLS; i++)
        board->control_us[i] = -BOARD_CONTROL_LOCK_MS * INT64_C(1000);
    *ret = board;
    return ERROR_OK;
}

void board_destroy(struct board *board) {
    if (!board)
        return;
    loop_timer_stop(board->loop, &board->silence);
    free(board->stays);
    free(board);
}

// Questions ----------------------------------------------------------------------------------------------

size_t board_pads(const struct board *board) {
    return board->n_pads;
}

const struct board_pad_options *board_pad(const struct board *board, uint16_t pad) {
    assert(pad < board->n_pads);
    return &board->pads[pad].options;
}

enum pad_state board_pad_state(const struct board *board, uint16_t pad) {
    assert(pad < board->n_pads);
    return board->pads[pad].pad.state;
}

uint16_t board_find(const struct board *board, const char *reader, uint16_t antenna) {
    for (uint16_t i = 0; i < board->n_pads; i++) {
        const struct board_pad_options *options = &board->pads[i].options;
        if (options->antenna == antenna && strcmp(options->reader, reader) == 0)
            return i;
    }
    return BOARD_PADS_MAX;
}

uint16_t board_find_name(const struct board *board, const char *name) {
    for (uint16_t i = 0; i < board->n_pads; i++) {
        if (strcmp(board->pads[i].options.name, name) == 0)
            return i;
    }
    return BOARD_PADS_MAX;
}

unsigned board_pieces(const struct board *board, uint16_t pad, struct board_piece ret[BOARD_PAD_PIECES_MAX]) {
    assert(pad < board->n_pads);
    const struct pad *p = &board->pads[pad].pad;
    unsigned n = 0;
    for (unsigned i = 0; i < p->n; i++) {
        const struct pad_entry *e = &p->entry[i];
        uint16_t piece = e->present && e->known && !e->ghost ? board__piece(board, &e->tag, NULL)
                                                             : PIECE_NONE;
        if (piece == PIECE_NONE || board->stays[piece].pad != pad + 1)
            continue;
        unsigned k = 0;
        while (k < n && ret[k].piece != piece)
            k++;
        const struct board__stay *stay = &board->stays[piece];
        if (k == n)
            ret[n++] = (struct board_piece){piece, stay->face, stay->since_us, e->seen_us};
        else if (e->seen_us > ret[k].seen_us)
            ret[k].seen_us = e->seen_us;
    }
    return n;
}

uint64_t board_misses(const struct board *board, uint16_t pad) {
    assert(pad < board->n_pads);
    return board->pads[pad].pad.misses;
}

uint16_t board_where(const struct board *board, uint16_t piece) {
    if (piece >= board->n_stays || board->stays[piece].pad == 0)
        return BOARD_PADS_MAX;
    return board->stays[piece].pad - 1;
}

int64_t board_changed_us(const struct board *board) {
    return board->changed_us;
}

// Evidence -----------------------------------------------------------------------------------------------

static void take_change(struct board *board, uint16_t pad, const struct pad_change *change, int64_t at_us) {
    switch (change->type) {
    case PAD_ARRIVED:
        board__arrived(board, pad, change, at_us);
        break;
    case PAD_LEFT:
        board__left(board, pad, change, at_us);
        break;
    case PAD_STATE_CHANGED:
        watch_silence(board, silent_at(&board->pads[pad].pad));
        tell_state(board, pad, at_us);
        break;
    case PAD_OVERFLOW:
        board__notice(board, pad, BOARD_NOTICE_OVERFLOW, at_us);
        break;
    case PAD_STRANGE:
        board__notice(board, pad,
                      tag_kind(&change->tag) == TAG_RANDOM ? BOARD_NOTICE_RANDOM : BOARD_NOTICE_PARTIAL,
                      at_us);
        break;
    }
}

static void report_watched(struct board *board, uint16_t pad) {
    const struct pad *p = &board->pads[pad].pad;
    if (board->watch.pad != BOARD_PADS_MAX && board->watch.pad != pad)
        return;
    for (unsigned i = 0; i < p->n; i++) {
        const struct pad_entry *e = &p->entry[i];
        if (!e->present || e->known || e->none_run > 0 || e->seen_us != p->scan_us)
            continue;
        board_tag_fn *fn = board->watch.fn;
        struct tag tag = e->tag; // fn may change the registry and the pads with it
        board->watch.fn = NULL;
        fn(board->watch.ctx, pad, &tag, tag_kind(&tag));
        return;
    }
}

bool board_scan(struct board *board, uint16_t pad, int64_t at_us, enum pad_outcome outcome,
                const struct tag *tags, unsigned n_tags) {
    assert(pad < board->n_pads);
    struct pad_change changes[PAD_CHANGES_MAX];
    bool again;
    struct board__pad *p = &board->pads[pad];
    unsigned n = pad_scan(&p->pad, at_us, outcome, tags, n_tags, is_known, board, changes, &again);
    for (unsigned i = 0; i < n; i++)
        take_change(board, pad, &changes[i], at_us);
    if (p->odd && outcome == PAD_SEEN)
        board__claims(board, pad, at_us);
    if (board->watch.fn)
        report_watched(board, pad);
    return again;
}

void board_reader(struct board *board, const char *reader, bool up, int64_t at_us) {
    struct pad_change changes[PAD_CHANGES_MAX];
    if (up) // the first scan makes a pad known, not the promise of one
        return;
    for (uint16_t i = 0; i < board->n_pads; i++) {
        if (strcmp(board->pads[i].options.reader, reader) == 0 &&
            pad_down(&board->pads[i].pad, at_us, changes) > 0)
            tell_state(board, i, at_us);
    }
}

void board_pieces_changed(struct board *board) {
    grow(board); // without memory the new pieces stay unknown
    board__review(board, loop_now_us(board->loop));
}

void board_watch_tag(struct board *board, uint16_t pad, board_tag_fn *fn, void *ctx) {
    board->watch.pad = pad;
    board->watch.fn = fn;
    board->watch.ctx = ctx;
}
