// The piece registry: which tag belongs to which piece. Kept in house.db, held in memory; changed only by
// enrolment.
#pragma once
#include "board/tag.h"
#include "core/error.h"
#include <stdbool.h>
#include <stdint.h>

enum { PIECES_MAX = 4096, PIECE_TAGS_MAX = 4, PIECE_TEXT_MAX = 33 };
enum piece_face { PIECE_FACE_UNKNOWN, PIECE_FACE_DOWN, PIECE_FACE_UP };

// What a control piece asks for (kind `control`; the function is the name up to its first '-').
#define CONTROL_MAP(X)                                                                                       \
    X(START, start)                                                                                          \
    X(DONE, done)                                                                                            \
    X(YES, yes)                                                                                              \
    X(NO, no)                                                                                                \
    X(PLUS, plus)                                                                                            \
    X(MINUS, minus)                                                                                          \
    X(UNDO, undo)                                                                                            \
    X(PAUSE, pause)                                                                                          \
    X(REPEAT, repeat)                                                                                        \
    X(ABSENT, absent)
enum control {
    CONTROL_NONE,
#define X(name, wire) CONTROL_##name,
    CONTROL_MAP(X)
#undef X
        CONTROLS
};
const char *control_name(enum control control);

struct piece {
    char deck[PIECE_TEXT_MAX], name[PIECE_TEXT_MAX]; // site alphabet
    char kind[PIECE_TEXT_MAX];                       // [a-z0-9_], as the rules file spells it, or "control"
    enum control control;                            // CONTROL_NONE unless kind is "control"
    uint8_t n_tags;
    struct piece_tag {
        struct tag tag;
        uint8_t face; // the side that is up when this tag is read
    } tags[PIECE_TAGS_MAX];
};

struct pieces; // a piece's index is stable while the registry lives; removed pieces leave a hole
enum { PIECE_NONE = 0xffff };

enum error_code pieces_create(struct pieces **ret, struct error *err);
void pieces_destroy(struct pieces *pieces);                                 // NULL allowed
uint16_t pieces_count(const struct pieces *pieces);                         // highest index + 1
const struct piece *pieces_at(const struct pieces *pieces, uint16_t index); // NULL: hole
uint16_t pieces_find(const struct pieces *pieces, const char *deck, const char *name);
// Index of the piece with this tag and the face it shows, or PIECE_NONE.
uint16_t pieces_by_tag(const struct pieces *pieces, const struct tag *tag, uint8_t *ret_face);

// Adds a piece or a further tag of it. Refused: a tag that belongs to another piece (ERROR_EXISTS, names it),
// random, partial and bad ids, a fifth tag, names outside the alphabet, another kind than the piece has.
enum error_code pieces_add(struct pieces *pieces, const char *deck, const char *name, const char *kind,
                           const struct tag *tag, uint8_t face, uint16_t *ret_index, struct error *err);
enum error_code pieces_remove(struct pieces *pieces, const char *deck, const char *name, struct error *err);

// house.db (SQLite; schema version checked). Reading happens at start. Writing is one transaction of the
// whole registry; called from a worker or a tool, never on the loop.
enum error_code pieces_load(struct pieces *pieces, const char *db_path, struct error *err);
enum error_code pieces_save(const struct pieces *pieces, const char *db_path, struct error *err);
// A copy to hand to a worker.
enum error_code pieces_copy(const struct pieces *pieces, struct pieces **ret, struct error *err);

// CSV with the header deck,name,kind,tag,face (or tag_reversed for ids in the other byte order): import
// reports the line of each fault, the first in err->where (kit.csv:7); nothing is taken if any is. *ret_added
// is the number of lines taken.
enum error_code pieces_import_csv(struct pieces *pieces, const char *text, const char *file_name,
                                  unsigned *ret_added, struct error *err);
// The decks that an import of this text is about, line by line as it reads them, until fn returns an error.
// Lines that cannot be read are left to the import.
typedef enum error_code pieces_deck_fn(void *ctx, const char *deck, struct error *err);
enum error_code pieces_csv_decks(const char *text, pieces_deck_fn *fn, void *ctx, struct error *err);
// Writes CSV into a malloc'd string the caller frees. deck NULL = all.
enum error_code pieces_export_csv(const struct pieces *pieces, const char *deck, char **ret,
                                  struct error *err);
