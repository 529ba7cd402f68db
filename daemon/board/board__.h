// Shared by board.c and board_claim.c only.
#pragma once
#include "board/board.h"

enum {
    BOARD__QUIET_US = 30000 * 1000,    // a notice is not said again until its cause was away this long
    BOARD__GIVE_BACK_US = 3000 * 1000, // a ghost that goes on alone this long lies there after all
};

struct board__pad {
    struct board_pad_options options;
    struct pad pad;
    bool odd; // shows pieces that another pad owns, or nobody
    struct tag foreign;
    int64_t noticed_us[BOARD_NOTICES];
};

// Where a piece is. Pads are counted from 1 here: 0 = none.
struct board__stay {
    uint16_t pad;
    uint16_t lost_by, refused; // refused: took it once from a pad that then had it back
    uint8_t face;
    bool told; // DUPLICATE was said
    int64_t since_us, lost_us;
};

struct board {
    struct loop *loop;
    const struct pieces *pieces;
    struct board_listener listener;
    struct board__stay *stays; // by piece
    size_t n_stays;
    int64_t changed_us;
    int64_t control_us[CONTROLS];
    struct loop_timer silence;
    struct {
        uint16_t pad;
        board_tag_fn *fn;
        void *ctx;
    } watch;
    uint16_t n_pads;
    struct board__pad pads[];
};

// The piece of a tag if the board has room for it, else PIECE_NONE. ret_face may be NULL.
uint16_t board__piece(const struct board *board, const struct tag *tag, uint8_t *ret_face);
void board__notice(struct board *board, uint16_t pad, enum board_notice notice, int64_t at_us);

void board__arrived(struct board *board, uint16_t pad, const struct pad_change *change, int64_t at_us);
void board__left(struct board *board, uint16_t pad, const struct pad_change *change, int64_t at_us);
// A pad with `odd` was scanned: claims that have become due.
void board__claims(struct board *board, uint16_t pad, int64_t at_us);
// Ownership after the registry changed.
void board__review(struct board *board, int64_t at_us);
