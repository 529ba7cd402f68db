#include "board/pieces__.h"
#include "core/config.h"
#include <stdlib.h>
#include <string.h>

static const char *const controls[] = {"none",
#define X(name, wire) #wire,
                                       CONTROL_MAP(X)
#undef X
                                           NULL};

static const char *const faces[] = {"", "down", "up"};

const char *control_name(enum control control) {
    return (unsigned)control < CONTROLS ? controls[control] : controls[CONTROL_NONE];
}

const char *pieces__face_name(uint8_t face) {
    return face <= PIECE_FACE_UP ? faces[face] : "";
}

bool pieces__face_by_name(const char *name, uint8_t *ret) {
    for (unsigned i = 0; i <= PIECE_FACE_UP; i++) {
        if (strcmp(faces[i], name) != 0)
            continue;
        *ret = (uint8_t)i;
        return true;
    }
    return false;
}

// The function of a control piece: its name up to the first '-' (start, start-2).
static enum control control_of(const char *name) {
    size_t len = strcspn(name, "-");
    for (unsigned i = CONTROL_NONE + 1; i < CONTROLS; i++) {
        if (strlen(controls[i]) == len && memcmp(controls[i], name, len) == 0)
            return (enum control)i;
    }
    return CONTROL_NONE;
}

// The table of tags ----------------------------------------------------------------------------------------

static uint32_t hash(const struct tag *tag) {
    uint32_t h = 2166136261u ^ tag->len; // FNV-1a, then mixed: the low bits choose the slot
    for (unsigned i = 0; i < tag->len && i < TAG_BYTES_MAX; i++)
        h = (h ^ tag->b[i]) * 16777619u;
    return h ^ h >> 15;
}

static uint32_t probe(const struct pieces *pieces, const struct tag *tag) {
    uint32_t at = hash(tag) & (PIECES__SLOTS - 1);
    for (;; at = (at + 1) & (PIECES__SLOTS - 1)) {
        uint32_t is = pieces->slot[at];
        if (is == 0 ||
            tag_equal(&pieces->piece[(is - 1) / PIECE_TAGS_MAX].tags[(is - 1) % PIECE_TAGS_MAX].tag, tag))
            return at;
    }
}

static void rebuild(struct pieces *pieces) {
    memset(pieces->slot, 0, sizeof pieces->slot);
    for (uint32_t i = 0; i < pieces->n; i++) {
        for (uint32_t k = 0; k < pieces->piece[i].n_tags; k++)
            pieces->slot[probe(pieces, &pieces->piece[i].tags[k].tag)] = i * PIECE_TAGS_MAX + k + 1;
    }
}

uint16_t pieces_by_tag(const struct pieces *pieces, const struct tag *tag, uint8_t *ret_face) {
    uint32_t is = pieces->slot[probe(pieces, tag)];
    if (is == 0)
        return PIECE_NONE;
    const struct piece *piece = &pieces->piece[(is - 1) / PIECE_TAGS_MAX];
    if (ret_face)
        *ret_face = piece->tags[(is - 1) % PIECE_TAGS_MAX].face;
    return (uint16_t)((is - 1) / PIECE_TAGS_MAX);
}

// Life -----------------------------------------------------------------------------------------------------

enum error_code pieces_create(struct pieces **ret, struct error *err) {
    *ret = calloc(1, sizeof **ret);
    return *ret ? ERROR_OK : error_set(err, ERROR_INTERNAL, NULL, "out of memory");
}

void pieces_destroy(struct pieces *pieces) {
    free(pieces);
}

void pieces__take(struct pieces *to, const struct pieces *from) {
    to->n = from->n;
    memcpy(to->piece, from->piece, from->n * sizeof from->piece[0]);
    memcpy(to->slot, from->slot, sizeof to->slot);
}

enum error_code pieces_copy(const struct pieces *pieces, struct pieces **ret, struct error *err) {
    if (pieces_create(ret, err) || !*ret)
        return err->code;
    pieces__take(*ret, pieces);
    return ERROR_OK;
}

uint16_t pieces_count(const struct pieces *pieces) {
    return pieces->n;
}

const struct piece *pieces_at(const struct pieces *pieces, uint16_t index) {
    return index < pieces->n && pieces->piece[index].n_tags > 0 ? &pieces->piece[index] : NULL;
}

uint16_t pieces_find(const struct pieces *pieces, const char *deck, const char *name) {
    for (uint16_t i = 0; i < pieces->n; i++) {
        const struct piece *piece = &pieces->piece[i];
        if (piece->n_tags > 0 && strcmp(piece->name, name) == 0 && strcmp(piece->deck, deck) == 0)
            return i;
    }
    return PIECE_NONE;
}

// Changes --------------------------------------------------------------------------------------------------

static const char *const refusals[] = {
    [TAG_RANDOM] = "a phone gives another id on every touch: it cannot be a piece",
    [TAG_PARTIAL] = "this id is cut (it begins with the cascade marker 88): read the tag again",
    [TAG_BAD] = "this is no id of a tag (4, 7 or 10 bytes, not all equal): read the tag again",
};

static enum error_code check_new(const struct pieces *pieces, const char *deck, const char *name,
                                 const char *kind, const struct tag *tag, uint8_t face, struct error *err) {
    if (!config_name_ok(deck))
        return error_set(err, ERROR_INVALID, "deck", "a deck's name is 1 to 32 of a-z 0-9 -");
    if (!config_name_ok(name))
        return error_set(err, ERROR_INVALID, "name", "a piece's name is 1 to 32 of a-z 0-9 -");
    if (!config_word_ok(kind))
        return error_set(err, ERROR_INVALID, "kind", "a kind is 1 to 32 of a-z 0-9 _");
    if (strcmp(kind, "control") == 0 && control_of(name) == CONTROL_NONE) {
        const char *near = config_did_you_mean(name, controls + 1);
        return error_set(err, ERROR_INVALID, "name",
                         "no control is named %s%s%s; they are start done yes no plus minus undo pause "
                         "repeat absent, or start-2",
                         name, near ? "; did you mean " : "", near ? near : "");
    }
    if (face > PIECE_FACE_UP)
        return error_set(err, ERROR_INVALID, "face", "a face is up, down or not given");
    if (tag_kind(tag) != TAG_PLAIN)
        return error_set(err, ERROR_INVALID, "tag", "%s", refusals[tag_kind(tag)]);
    struct tag turned = *tag;
    tag_reverse(&turned);
    uint16_t other = tag_equal(&turned, tag) ? PIECE_NONE : pieces_by_tag(pieces, &turned, NULL);
    if (other != PIECE_NONE)
        return error_set(err, ERROR_EXISTS, "tag",
                         "the same id in reversed byte order belongs to %s/%s: set reversed = yes for the "
                         "reader, or import the list with the column tag_reversed",
                         pieces->piece[other].deck, pieces->piece[other].name);
    return ERROR_OK;
}

static enum error_code new_piece(struct pieces *pieces, const char *deck, const char *name, const char *kind,
                                 uint16_t *ret, struct error *err) {
    // A hole is not filled: what has learnt an index must never find another piece there.
    if (pieces->n == PIECES_MAX)
        return error_set(err, ERROR_TOO_LARGE, NULL,
                         "there are %d pieces, no more fit; holes of removed pieces close at the next start",
                         PIECES_MAX);
    struct piece *piece = &pieces->piece[pieces->n];
    memset(piece, 0, sizeof *piece);
    memcpy(piece->deck, deck, strlen(deck));
    memcpy(piece->name, name, strlen(name));
    memcpy(piece->kind, kind, strlen(kind));
    piece->control = strcmp(kind, "control") == 0 ? control_of(name) : CONTROL_NONE;
    *ret = pieces->n++;
    return ERROR_OK;
}

enum error_code pieces_add(struct pieces *pieces, const char *deck, const char *name, const char *kind,
                           const struct tag *tag, uint8_t face, uint16_t *ret_index, struct error *err) {
    enum error_code code = check_new(pieces, deck, name, kind, tag, face, err);
    if (code)
        return code;
    uint16_t index = pieces_find(pieces, deck, name);
    if (index != PIECE_NONE && strcmp(pieces->piece[index].kind, kind) != 0)
        return error_set(err, ERROR_INVALID, "kind", "%s/%s is a %s, not a %s", deck, name,
                         pieces->piece[index].kind, kind);
    uint32_t at = probe(pieces, tag), is = pieces->slot[at];
    if (is != 0) {
        struct piece *owner = &pieces->piece[(is - 1) / PIECE_TAGS_MAX];
        if ((is - 1) / PIECE_TAGS_MAX != index)
            return error_set(err, ERROR_EXISTS, "tag", "this tag belongs to %s/%s", owner->deck, owner->name);
        owner->tags[(is - 1) % PIECE_TAGS_MAX].face = face; // enrolled again: the later word counts
    } else {
        if (index != PIECE_NONE && pieces->piece[index].n_tags == PIECE_TAGS_MAX)
            return error_set(err, ERROR_TOO_LARGE, "tag", "%s/%s has %d tags, no more fit", deck, name,
                             PIECE_TAGS_MAX);
        if (index == PIECE_NONE && (code = new_piece(pieces, deck, name, kind, &index, err)))
            return code;
        struct piece *piece = &pieces->piece[index];
        piece->tags[piece->n_tags] = (struct piece_tag){*tag, face};
        pieces->slot[at] = (uint32_t)index * PIECE_TAGS_MAX + piece->n_tags + 1;
        piece->n_tags++;
    }
    if (ret_index)
        *ret_index = index;
    return ERROR_OK;
}

enum error_code pieces_remove(struct pieces *pieces, const char *deck, const char *name, struct error *err) {
    uint16_t index = pieces_find(pieces, deck, name);
    if (index == PIECE_NONE)
        return error_set(err, ERROR_NOT_FOUND, NULL, "there is no piece %.40s/%.40s", deck, name);
    memset(&pieces->piece[index], 0, sizeof pieces->piece[index]);
    rebuild(pieces);
    return ERROR_OK;
}
