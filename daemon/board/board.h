// The board of one table: which piece lies on which pad, in spite of bounce, misses, collisions, ghosts and
// dead readers. It knows pads and pieces, no places and no game. Pads of several tables may share a reader.
#pragma once
#include "board/pad.h"
#include "board/pieces.h"
#include "core/loop.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_PADS_MAX = 512, BOARD_NAME_MAX = 33, BOARD_PAD_PIECES_MAX = PAD_TAGS_MAX };
enum { BOARD_GHOST_GRACE_MS = 600, BOARD_CONTROL_LOCK_MS = 1000 };

enum board_pad_kind { BOARD_PAD_TILE, BOARD_PAD_TAP };

struct board_pad_options {
    char name[BOARD_NAME_MAX], reader[BOARD_NAME_MAX];
    uint16_t antenna;
    enum board_pad_kind kind; // a tap pad takes arrivals only and holds nothing
    uint8_t capacity;         // most tags it reads at once (k of design 5.3)
    int16_t x_mm, y_mm;
    struct pad_limits limits;
};

// Things an operator should know; not moves. Said once each, not for every scan.
enum board_notice {
    BOARD_NOTICE_UNKNOWN,   // a tag of no piece (U10)
    BOARD_NOTICE_RANDOM,    // a phone (U1, B052)
    BOARD_NOTICE_PARTIAL,   // a cut id (B047)
    BOARD_NOTICE_DUPLICATE, // one piece on two pads at once (B042)
    BOARD_NOTICE_GHOST,     // pad A still shows what pad B has (B015)
    BOARD_NOTICE_OVERFLOW,
    BOARD_NOTICE_REVERSED, // beside UNKNOWN: the id is known in the other byte order, set `reversed` (B049)
    BOARD_NOTICES
};

// All calls come on the loop, in the order of the evidence. `at_us` is the moment of decision, `since_us` the
// first evidence (first sighting, first miss). Pads and pieces are indices.
struct board_listener {
    void (*placed)(void *ctx, uint16_t pad, uint16_t piece, uint8_t face, int64_t at_us, int64_t since_us);
    void (*removed)(void *ctx, uint16_t pad, uint16_t piece, int64_t at_us, int64_t since_us);
    // The pad's state changed; unknown, several and doubtful pads keep their pieces.
    void (*state)(void *ctx, uint16_t pad, enum pad_state state, int64_t at_us);
    // A control piece landed (lock of 1 s applied). Controls are never placed.
    void (*control)(void *ctx, uint16_t pad, enum control control, int64_t at_us);
    void (*notice)(void *ctx, uint16_t pad, enum board_notice notice, int64_t at_us);
    void *ctx;
};

struct board;
enum error_code board_create(struct loop *loop, const struct pieces *pieces,
                             const struct board_pad_options *pads, size_t n_pads,
                             const struct board_listener *listener, struct board **ret, struct error *err);
void board_destroy(struct board *board); // NULL allowed

size_t board_pads(const struct board *board);
const struct board_pad_options *board_pad(const struct board *board, uint16_t pad);
enum pad_state board_pad_state(const struct board *board, uint16_t pad);
// Index of the pad with this reader and antenna (or this name), or BOARD_PADS_MAX.
uint16_t board_find(const struct board *board, const char *reader, uint16_t antenna);
uint16_t board_find_name(const struct board *board, const char *name);
// Pieces on a pad now; returns the number.
struct board_piece {
    uint16_t piece;
    uint8_t face;
    int64_t since_us, seen_us;
};
unsigned board_pieces(const struct board *board, uint16_t pad, struct board_piece ret[BOARD_PAD_PIECES_MAX]);
uint64_t board_misses(const struct board *board, uint16_t pad);  // scans that missed a piece which lay there
uint16_t board_where(const struct board *board, uint16_t piece); // its pad, or BOARD_PADS_MAX
// Last moment anything changed; stillness is counted from here.
int64_t board_changed_us(const struct board *board);

// From the drivers, by way of the wiring. A scan of a pad that this board has. Returns true when another look
// at once would help (driver.again): a first change that is not yet sure.
bool board_scan(struct board *board, uint16_t pad, int64_t at_us, enum pad_outcome outcome,
                const struct tag *tags, unsigned n_tags);
void board_reader(struct board *board, const char *reader, bool up, int64_t at_us);
// The registry changed (enrolment): tags on pads are looked up again.
void board_pieces_changed(struct board *board);

// Enrolment: the next steady tag of no piece on this pad (BOARD_PADS_MAX = any) is reported once.
typedef void board_tag_fn(void *ctx, uint16_t pad, const struct tag *tag, enum tag_kind kind);
void board_watch_tag(struct board *board, uint16_t pad, board_tag_fn *fn, void *ctx); // fn NULL stops
