// From pads and pieces to places and slots: the map of a game, the binding of pieces, the level of a place.
#include "core/json.h"
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

// ---- the map (design 5.1)

static void serve(struct table *t, struct table__game *g, game_place place, uint16_t pad,
                  unsigned *capacity) {
    if (pad >= board_pads(t->board))
        return;
    uint8_t *n = &g->pad_places[pad];
    if (*n == TABLE__MAPPED)
        return;
    for (unsigned i = 0; i < *n; i++)
        if (g->pad_place[pad][i] == place)
            return;
    g->pad_place[pad][(*n)++] = place;
    const struct board_pad_options *options = board_pad(t->board, pad);
    if (options->kind == BOARD_PAD_TAP)
        return; // it holds nothing
    g->sensed[place]++;
    *capacity += options->capacity;
}

static unsigned serve_by_map(struct table *t, struct table__game *g, game_place place, unsigned *capacity) {
    unsigned found = 0;
    for (size_t i = 0; i < t->options.n_maps; i++) {
        const struct table_map *map = &t->maps[i];
        if ((*map->game && strcmp(map->game, g->game->id) != 0) ||
            strcmp(map->place, g->places.row[place].name) != 0)
            continue;
        serve(t, g, place, board_find_name(t->board, map->pad), capacity);
        found++;
    }
    return found;
}

// A place has the pads of its lines in the map, else the pad of its own name, else those of the place it
// shares.
void table__map(struct table *t, struct table__game *g) {
    memset(g->pad_places, 0, sizeof g->pad_places);
    memset(g->sensed, 0, sizeof g->sensed);
    unsigned capacity[GAME_PLACES_MAX] = {0};
    bool own[GAME_PLACES_MAX] = {0};
    for (game_place p = 0; p < g->places.n; p++) {
        own[p] = true;
        if (serve_by_map(t, g, p, &capacity[p]))
            continue;
        uint16_t pad = board_find_name(t->board, g->places.row[p].name);
        own[p] = pad < board_pads(t->board);
        serve(t, g, p, pad, &capacity[p]);
    }
    for (game_place p = 0; p < g->places.n; p++) {
        game_place other = g->places.row[p].shares;
        if (own[p] || other >= g->places.n || !own[other])
            continue;
        for (unsigned pad = 0; pad < board_pads(t->board); pad++)
            for (unsigned i = 0; i < g->pad_places[pad]; i++)
                if (g->pad_place[pad][i] == other) {
                    serve(t, g, p, pad, &capacity[p]);
                    break;
                }
    }
    hands_init(&g->track, g->places.n, g->setup.n_slots);
    g->track.look_us = t->options.timing.look_ms * 1000;
    g->track.air_us = t->options.timing.air_ms * 1000;
    for (game_place p = 0; p < g->places.n; p++)
        if (g->sensed[p])
            hands_place(&g->track, p, (uint8_t)(capacity[p] > UINT8_MAX ? UINT8_MAX : capacity[p]));
}

// Pieces on one pad are told apart by their class; one that belongs nowhere here lies on the first place.
static game_place place_of(const struct table *t, const struct table__game *g, uint16_t pad, uint16_t piece) {
    if (!g->pad_places[pad])
        return GAME_NONE;
    const struct piece *row = pieces_at(t->door->pieces, piece);
    game_kind kind = g->piece_slot[piece] != GAME_NONE ? g->setup.slot_kind[g->piece_slot[piece]]
                     : row                             ? game_kind_find(g->game, row->kind)
                                                       : GAME_NONE;
    for (unsigned i = 0; kind != GAME_NONE && i < g->pad_places[pad]; i++)
        if (g->places.row[g->pad_place[pad][i]].accepts >> g->game->kinds[kind].class_bit & 1)
            return g->pad_place[pad][i];
    return g->pad_place[pad][0];
}

// ---- binding (design 5.1, slot)

bool table__bind(struct table__game *g, uint16_t piece, game_slot slot) {
    if (piece >= PIECES_MAX || slot >= g->setup.n_slots || g->slot_piece[slot] != PIECE_NONE ||
        g->piece_slot[piece] != GAME_NONE)
        return false;
    g->slot_piece[slot] = piece;
    g->piece_slot[piece] = slot;
    return true;
}

static void bind_seen(struct table *t, struct table__game *g, uint16_t piece) {
    const struct piece *row = pieces_at(t->door->pieces, piece);
    if (!row || row->control != CONTROL_NONE || (*t->options.deck && strcmp(row->deck, t->options.deck) != 0))
        return;
    game_kind kind = game_kind_find(g->game, row->kind);
    for (game_slot s = 0; kind != GAME_NONE && s < g->setup.n_slots; s++)
        if (g->setup.slot_kind[s] == kind && table__bind(g, piece, s)) {
            g->unbound++;
            return;
        }
}

enum error_code table__record_binds(struct table *t, bool more, struct error *err) {
    struct table__game *g = t->game;
    for (game_slot s = 0; g->unbound && s < g->setup.n_slots; s++) {
        if (g->slot_piece[s] == PIECE_NONE || g->bound[s / 64] >> s % 64 & 1)
            continue;
        const struct piece *piece = pieces_at(t->door->pieces, g->slot_piece[s]);
        if (table__room(t, 1, 0, err))
            return err->code;
        char name[2 * PIECE_TEXT_MAX + 1], body[160];
        snprintf(name, sizeof name, "%s/%s", piece ? piece->deck : "", piece ? piece->name : "");
        struct json j;
        json_begin(&j, body, sizeof body);
        json_begin_object(&j);
        json_key(&j, "slot");
        json_uint(&j, s);
        json_key(&j, "piece");
        json_text(&j, name);
        json_end_object(&j);
        json_end(&j);
        struct table__entry entry = {.prev = g->ahead.head, .kind = JOURNAL_BIND, .cause = TABLE__TAP};
        if (table__append(t, &entry, "table", body, more, err))
            return err->code;
        table__fold(g, &g->ahead, g->n_entries - 1, NULL);
        g->bound[s / 64] |= UINT64_C(1) << s % 64;
        g->unbound--;
    }
    return ERROR_OK;
}

// ---- what pads say

// What a host let pass is not looked at until hands change it (B071).
static enum hands_sense sense_of(const struct table *t, const struct table__game *g, game_place place) {
    if (t->forgiven[place / 64] >> place % 64 & 1)
        return HANDS_UNSENSED;
    enum hands_sense sense = HANDS_KNOWN;
    for (unsigned pad = 0; pad < board_pads(t->board); pad++)
        for (unsigned i = 0; i < g->pad_places[pad]; i++)
            if (g->pad_place[pad][i] == place && board_pad(t->board, pad)->kind == BOARD_PAD_TILE &&
                board_pad_state(t->board, pad) != PAD_STATE_KNOWN)
                sense = HANDS_UNKNOWN;
    return sense;
}

void table__hands_state(struct table *t, uint16_t pad) {
    struct table__game *g = t->game;
    for (unsigned i = 0; i < g->pad_places[pad]; i++) {
        game_place place = g->pad_place[pad][i];
        if (g->sensed[place])
            hands_sense(&g->track, place, sense_of(t, g, place));
    }
}

void table__hands_placed(struct table *t, uint16_t pad, uint16_t piece, uint8_t face, int64_t at_us,
                         int64_t since_us) {
    struct table__game *g = t->game;
    bool tap = board_pad(t->board, pad)->kind == BOARD_PAD_TAP;
    if (piece >= PIECES_MAX || (!g->pad_places[pad] && !tap))
        return;
    if (g->piece_slot[piece] == GAME_NONE)
        bind_seen(t, g, piece);
    game_place place = place_of(t, g, pad, piece);
    game_slot slot = g->piece_slot[piece];
    static const uint8_t faces[] = {[PIECE_FACE_UNKNOWN] = GAME_FACE_ANY,
                                    [PIECE_FACE_DOWN] = GAME_FACE_DOWN,
                                    [PIECE_FACE_UP] = GAME_FACE_UP};
    if (tap) { // nothing lies here
        if (slot != GAME_NONE)
            hands_tapped(&g->track, place, slot, at_us);
    } else if (slot == GAME_NONE) {
        hands_foreign(&g->track, place, 1, at_us);
    } else {
        hands_placed(&g->track, place, slot, face <= PIECE_FACE_UP ? faces[face] : GAME_FACE_ANY, at_us,
                     since_us);
    }
}

void table__hands_removed(struct table *t, uint16_t pad, uint16_t piece, int64_t at_us, int64_t since_us) {
    struct table__game *g = t->game;
    if (piece >= PIECES_MAX || !g->pad_places[pad] || board_pad(t->board, pad)->kind == BOARD_PAD_TAP)
        return;
    game_place place = place_of(t, g, pad, piece);
    if (g->piece_slot[piece] == GAME_NONE)
        hands_foreign(&g->track, place, -1, at_us);
    else
        hands_removed(&g->track, place, g->piece_slot[piece], at_us, since_us);
}

void table__hands_control(struct table *t, uint16_t pad, enum control control, int64_t at_us) {
    struct table__game *g = t->game;
    game_place place = pad < BOARD_PADS_MAX && g->pad_places[pad] ? g->pad_place[pad][0] : GAME_NONE;
    hands_control(&g->track, place, control, at_us);
}

// What lies where anything may lie, or was lifted from there, has no place of its own to come back to: a
// token tapped there again is a touch again.
void table__hands_accept(struct table *t) {
    static struct game_layout layout; // large
    struct table__game *g = t->game;
    bool known = false;
    hands_accept(&g->track);
    for (game_slot s = 0; s < g->setup.n_slots; s++) {
        struct hands_slot *slot = &g->track.slot[s];
        if (slot->own == GAME_NONE)
            continue;
        if (!known) {
            game_layout_clear(&layout);
            g->game->layout(g->ahead.state, &layout);
        }
        known = true;
        if (!(layout.free[slot->own / 64] >> slot->own % 64 & 1))
            continue;
        if (slot->flies)
            slot->own = GAME_NONE;
        else
            slot->loose = true;
    }
}

// What lies there already takes its slots in the order of the deck, however it was laid.
static void bind_lying(struct table *t) {
    for (uint16_t piece = 0; piece < pieces_count(t->door->pieces); piece++) {
        uint16_t pad = board_where(t->board, piece);
        if (pad < board_pads(t->board) && t->game->pad_places[pad] && t->game->piece_slot[piece] == GAME_NONE)
            bind_seen(t, t->game, piece);
    }
}

void table__hands_begin(struct table *t) {
    table__map(t, t->game);
    bind_lying(t);
    int64_t now = table__now(t);
    for (unsigned pad = 0; pad < board_pads(t->board); pad++) {
        table__hands_state(t, pad);
        struct board_piece pieces[BOARD_PAD_PIECES_MAX];
        unsigned n = board_pieces(t->board, pad, pieces);
        for (unsigned i = 0; i < n; i++)
            table__hands_placed(t, pad, pieces[i].piece, pieces[i].face, now, now);
    }
    table__hands_accept(t);
}

// ---- levels: occupied, empty or unknown, whatever lies there

uint8_t table__pad_level(const struct table *t, uint16_t pad) {
    if (board_pad_state(t->board, pad) == PAD_STATE_UNKNOWN)
        return OBSERVE_UNKNOWN;
    struct board_piece pieces[BOARD_PAD_PIECES_MAX];
    return board_pieces(t->board, pad, pieces) || board_pad_state(t->board, pad) == PAD_STATE_SEVERAL
               ? OBSERVE_OCCUPIED
               : OBSERVE_EMPTY;
}

void table__levels(const struct table *t, const struct table__game *g, uint8_t ret[GAME_PLACES_MAX]) {
    bool unknown[GAME_PLACES_MAX] = {0};
    for (game_place p = 0; p < g->places.n; p++)
        ret[p] = g->sensed[p] ? OBSERVE_EMPTY : OBSERVE_UNKNOWN;
    for (unsigned pad = 0; pad < board_pads(t->board); pad++) {
        if (!g->pad_places[pad] || board_pad(t->board, pad)->kind == BOARD_PAD_TAP)
            continue;
        for (unsigned i = 0; i < g->pad_places[pad]; i++)
            unknown[g->pad_place[pad][i]] |= board_pad_state(t->board, pad) == PAD_STATE_UNKNOWN;
        struct board_piece pieces[BOARD_PAD_PIECES_MAX];
        unsigned n = board_pieces(t->board, pad, pieces);
        for (unsigned i = 0; i < n; i++)
            ret[place_of(t, g, pad, pieces[i].piece)] = OBSERVE_OCCUPIED;
        if (!n && board_pad_state(t->board, pad) == PAD_STATE_SEVERAL)
            ret[g->pad_place[pad][0]] = OBSERVE_OCCUPIED;
    }
    for (game_place p = 0; p < g->places.n; p++)
        if (unknown[p])
            ret[p] = OBSERVE_UNKNOWN;
}
