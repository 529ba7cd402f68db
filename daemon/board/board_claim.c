// Who owns a piece: arrivals, departures, and one piece on two pads (B008, B014, B015, B042).
#include "board/board__.h"

static struct pad_entry *entry_of(struct board *board, uint16_t pad, uint16_t piece) {
    struct pad *p = &board->pads[pad].pad;
    for (unsigned i = 0; i < p->n; i++) {
        struct pad_entry *e = &p->entry[i];
        if (e->present && e->known && !e->ghost && board__piece(board, &e->tag, NULL) == piece)
            return e;
    }
    return NULL;
}

static void place(struct board *board, uint16_t piece, uint16_t pad, uint8_t face, int64_t at_us,
                  int64_t since_us) {
    struct board__stay *stay = &board->stays[piece];
    stay->pad = pad + 1;
    stay->face = face;
    stay->since_us = since_us;
    stay->refused = 0;
    board->changed_us = at_us;
    board->listener.placed(board->listener.ctx, pad, piece, face, at_us, since_us);
}

static void take_away(struct board *board, uint16_t piece, int64_t at_us, int64_t since_us) {
    struct board__stay *stay = &board->stays[piece];
    uint16_t pad = stay->pad - 1;
    stay->pad = 0;
    stay->lost_us = at_us;
    board->changed_us = at_us;
    board->listener.removed(board->listener.ctx, pad, piece, at_us, since_us);
}

static int64_t last_seen(struct board *board, uint16_t pad, uint16_t piece) {
    int64_t seen = INT64_MIN;
    const struct pad *p = &board->pads[pad].pad;
    for (unsigned i = 0; i < p->n; i++) {
        const struct pad_entry *e = &p->entry[i];
        if (e->present && e->seen_us > seen && board__piece(board, &e->tag, NULL) == piece)
            seen = e->seen_us;
    }
    return seen;
}

static void tell_duplicate(struct board *board, uint16_t pad, uint16_t piece, const struct pad_entry *e,
                           int64_t at_us) {
    struct board__stay *stay = &board->stays[piece];
    if (stay->told || last_seen(board, stay->pad - 1, piece) < e->first_us)
        return;
    stay->told = true;
    board__notice(board, pad, BOARD_NOTICE_DUPLICATE, at_us);
}

// The piece is believed to be where it was seen last to arrive; what the old pad still shows is a ghost.
static void take_over(struct board *board, uint16_t pad, uint16_t piece, struct pad_entry *e, uint8_t face,
                      int64_t at_us) {
    const uint16_t old = board->stays[piece].pad - 1;
    const bool shows = last_seen(board, old, piece) >= e->first_us;
    int64_t since = e->first_us;
    struct pad_entry *there;
    while ((there = entry_of(board, old, piece))) {
        if (there->none_run > 0 && there->missed_us < since)
            since = there->missed_us;
        there->ghost = true;
    }
    board->pads[old].odd = true;
    board->stays[piece].told = false;
    take_away(board, piece, at_us, since);
    place(board, piece, pad, face, at_us, e->first_us);
    if (shows)
        board__notice(board, old, BOARD_NOTICE_GHOST, at_us);
}

static void claim(struct board *board, uint16_t pad, uint16_t piece, struct pad_entry *e, uint8_t face,
                  int64_t at_us) {
    struct board__stay *stay = &board->stays[piece];
    if (stay->pad == 0 && !e->ghost) {
        place(board, piece, pad, face, at_us, e->first_us);
    } else if (stay->pad == 0) {
        if (at_us - stay->lost_us < BOARD__GIVE_BACK_US)
            return;
        e->ghost = false;
        place(board, piece, pad, face, at_us, stay->lost_us);
        stay->refused = stay->lost_by; // the engine is not moved to and fro between two pads
    } else if (!e->ghost) {
        tell_duplicate(board, pad, piece, e, at_us);
        if (at_us - e->arrived_us < BOARD_GHOST_GRACE_MS * INT64_C(1000))
            return;
        if (stay->refused != pad + 1)
            take_over(board, pad, piece, e, face, at_us);
    }
}

void board__claims(struct board *board, uint16_t pad, int64_t at_us) {
    struct pad *p = &board->pads[pad].pad;
    bool odd = false;
    for (unsigned i = 0; i < p->n; i++) {
        struct pad_entry *e = &p->entry[i];
        uint8_t face;
        uint16_t piece = e->present && e->known ? board__piece(board, &e->tag, &face) : PIECE_NONE;
        if (piece == PIECE_NONE || pieces_at(board->pieces, piece)->control != CONTROL_NONE)
            continue;
        if (board->stays[piece].pad != pad + 1 && e->none_run == 0)
            claim(board, pad, piece, e, face, at_us);
        odd |= board->stays[piece].pad != pad + 1;
    }
    board->pads[pad].odd = odd;
}

static void foreign(struct board *board, uint16_t pad, const struct tag *tag, int64_t at_us) {
    struct board__pad *p = &board->pads[pad];
    struct tag turned = *tag;
    if (!tag_equal(&p->foreign, tag)) { // another one is worth another word
        p->noticed_us[BOARD_NOTICE_UNKNOWN] = at_us - BOARD__QUIET_US;
        p->noticed_us[BOARD_NOTICE_REVERSED] = at_us - BOARD__QUIET_US;
    }
    p->foreign = *tag;
    tag_reverse(&turned);
    board__notice(board, pad, BOARD_NOTICE_UNKNOWN, at_us);
    if (board__piece(board, &turned, NULL) != PIECE_NONE)
        board__notice(board, pad, BOARD_NOTICE_REVERSED, at_us);
}

void board__arrived(struct board *board, uint16_t pad, const struct pad_change *change, int64_t at_us) {
    if (tag_kind(&change->tag) != TAG_PLAIN)
        return;
    uint8_t face;
    uint16_t piece = board__piece(board, &change->tag, &face);
    if (piece == PIECE_NONE) {
        foreign(board, pad, &change->tag, at_us);
        return;
    }
    enum control control = pieces_at(board->pieces, piece)->control;
    if (control != CONTROL_NONE) {
        if (at_us - board->control_us[control] < BOARD_CONTROL_LOCK_MS * INT64_C(1000))
            return;
        board->control_us[control] = at_us;
        board->listener.control(board->listener.ctx, pad, control, at_us);
        return;
    }
    struct board__stay *stay = &board->stays[piece];
    if (stay->pad == 0) {
        stay->told = false;
        place(board, piece, pad, face, at_us, change->since_us);
    } else if (stay->pad != pad + 1) {
        board->pads[pad].odd = true; // board__claims follows in this scan
    }
}

// The piece has left its pad; where another pad shows it, there it is.
static void move_on(struct board *board, uint16_t piece, int64_t at_us) {
    struct pad_entry *best = NULL;
    uint16_t to = 0;
    for (uint16_t i = 0; i < board->n_pads; i++) {
        struct pad_entry *e = board->pads[i].odd ? entry_of(board, i, piece) : NULL;
        if (!e || (best && e->arrived_us >= best->arrived_us))
            continue;
        best = e;
        to = i;
    }
    if (!best)
        return;
    uint8_t face;
    board__piece(board, &best->tag, &face);
    place(board, piece, to, face, at_us, best->first_us);
}

void board__left(struct board *board, uint16_t pad, const struct pad_change *change, int64_t at_us) {
    uint16_t piece = board__piece(board, &change->tag, NULL);
    if (piece == PIECE_NONE || change->ghost)
        return;
    struct board__stay *stay = &board->stays[piece];
    if (stay->pad != pad + 1)
        return;
    const struct pad_entry *other = entry_of(board, pad, piece);
    if (other) { // a second tag of the piece: it lies there still, perhaps turned over
        uint8_t face;
        board__piece(board, &other->tag, &face);
        if (face != stay->face) {
            take_away(board, piece, at_us, change->since_us);
            place(board, piece, pad, face, at_us, other->first_us);
        }
        return;
    }
    take_away(board, piece, at_us, change->since_us);
    stay->told = false;
    stay->lost_by = pad + 1;
    move_on(board, piece, at_us);
}

void board__review(struct board *board, int64_t at_us) {
    for (size_t i = 0; i < board->n_stays; i++) {
        uint16_t piece = (uint16_t)i;
        struct board__stay *stay = &board->stays[i];
        if (stay->pad != 0 && !entry_of(board, stay->pad - 1, piece))
            take_away(board, piece, at_us, at_us);
    }
    for (uint16_t pad = 0; pad < board->n_pads; pad++) {
        struct pad *p = &board->pads[pad].pad;
        for (unsigned i = 0; i < p->n; i++) {
            struct pad_entry *e = &p->entry[i];
            uint8_t face;
            uint16_t piece = board__piece(board, &e->tag, &face);
            e->known = tag_kind(&e->tag) == TAG_PLAIN && piece != PIECE_NONE;
            if (!e->present || !e->known || pieces_at(board->pieces, piece)->control != CONTROL_NONE)
                continue;
            if (board->stays[piece].pad == 0 && !e->ghost)
                place(board, piece, pad, face, at_us, e->first_us);
            else if (board->stays[piece].pad != pad + 1)
                board->pads[pad].odd = true;
        }
    }
}
