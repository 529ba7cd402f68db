// Enrolment: a tag on a pad becomes a piece. The registry in memory changes at once, house.db through a
// worker on a copy; the answer waits for it. A deck in play is left alone.
#include "core/config.h"
#include "engine/table__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND_MAX = 8, INSPECT_US = 1000000, KNOWN_US = 400000 };

struct door__enrol { // one at a time
    struct table *t;
    uint16_t pad, at; // listened to; where the tag lies
    bool look;        // nothing is kept
    char who[33];     // that asked
    char deck[PIECE_TEXT_MAX], name[PIECE_TEXT_MAX], kind[PIECE_TEXT_MAX];
    uint8_t face;
    struct loop_timer timer, known;
    uint16_t known_piece; // that was laid meanwhile
    // What readers told meanwhile, and the tag whose signature is still awaited.
    struct found {
        struct tag tag;
        bool told;
        struct door_inspected is;
    } found[FOUND_MAX];
    unsigned n_found, oldest;
    bool waiting;
    struct tag tag;
    door_reply_fn *reply;
    void *ctx;
    struct door *door;
};

struct save {
    struct worker_job job; // first member
    struct pieces *copy;
    char *path;
    struct error err;
    struct door_answer ok; // when it is saved
    struct door_inspected is;
    door_reply_fn *reply;
    void *ctx;
};

static void answer(door_reply_fn *reply, void *ctx, const struct error *err) {
    struct door_answer one = {.code = err->code, .error = *err};
    reply(ctx, &one);
}

// ---- saving

static void save_run(struct worker_job *job) {
    struct save *save = (struct save *)job;
    pieces_save(save->copy, save->path, &save->err);
}

static void save_done(struct worker_job *job) {
    struct save *save = (struct save *)job;
    if (save->err.code)
        answer(save->reply, save->ctx, &save->err);
    else
        save->reply(save->ctx, &save->ok);
    pieces_destroy(save->copy);
    free(save->path);
    free(save);
}

static enum error_code worker_ready(struct door *door, struct error *err) {
    const struct worker_options options = {.name = "house", .capacity = 16};
    return door->worker ? ERROR_OK : worker_create(door->loop, &options, &door->worker, err);
}

// ok: what is answered when it is on disk.
static void keep(struct door *door, const struct door_answer *ok, door_reply_fn *reply, void *ctx) {
    struct error err = {0};
    for (size_t i = 0; i < door->n_tables; i++)
        board_pieces_changed(door->tables[i].board);
    if (!door->house_path) {
        reply(ctx, ok);
        return;
    }
    struct save *save = calloc(1, sizeof *save);
    if (save)
        save->path = strdup(door->house_path);
    if (!save || !save->path || pieces_copy(door->pieces, &save->copy, &err) || worker_ready(door, &err)) {
        error_set(&err, ERROR_STORAGE, "house.db",
                  "the registry cannot be saved; it is lost with the next start");
    } else {
        save->job = (struct worker_job){.run = save_run, .done = save_done};
        save->ok = *ok;
        if (ok->inspected) {
            save->is = *ok->inspected;
            save->ok.inspected = &save->is;
        }
        save->reply = reply;
        save->ctx = ctx;
        if (worker_submit(door->worker, &save->job))
            return;
        error_set(&err, ERROR_BUSY, "house.db", NULL);
    }
    answer(reply, ctx, &err);
    if (save) {
        pieces_destroy(save->copy);
        free(save->path);
        free(save);
    }
}

// ---- may it be changed?

static bool in_play(const struct door *door, const char *deck) {
    for (size_t i = 0; i < door->n_tables; i++) {
        const struct table *t = &door->tables[i];
        if (!table__playing(t))
            continue;
        if (!strcmp(t->options.deck, deck))
            return true;
        for (game_slot s = 0; s < t->game->setup.n_slots; s++) {
            const struct piece *piece =
                t->game->slot_piece[s] == PIECE_NONE ? NULL : pieces_at(door->pieces, t->game->slot_piece[s]);
            if (piece && !strcmp(piece->deck, deck))
                return true;
        }
    }
    return false;
}

static enum error_code may_change(const struct door *door, const struct door_who *who, const char *deck,
                                  struct error *err) {
    if (who->role != DOOR_ADMIN)
        return error_set(err, ERROR_FORBIDDEN, "deck", "only an admin enrols pieces");
    if (in_play(door, deck))
        return error_set(err, ERROR_NOT_NOW, "deck", "deck %.32s is in play; end the game first", deck);
    return ERROR_OK;
}

// Whoever enrols plays too: while a game runs at a table, nothing that is laid there is told by this way.
static enum error_code table_free(const struct table *t, struct error *err) {
    return table__playing(t)
               ? error_set(err, ERROR_NOT_NOW, "table",
                           "a game is played at table %s; end it first, or lay the tile on another table",
                           t->options.name)
               : ERROR_OK;
}

// ---- one piece

// Asks the readers of its pads to look at tags, or to stop it. True: that of `pad` will.
static bool inspect(const struct door__enrol *e, uint16_t pad, bool on) {
    const struct board *board = e->t->board;
    bool able = false;
    for (uint16_t i = 0; e->door->inspect && i < board_pads(board); i++) {
        const struct board_pad_options *options = board_pad(board, i);
        if (pad == BOARD_PADS_MAX || pad == i)
            able |= e->door->inspect(e->door->inspect_ctx, options->reader, options->antenna, on);
    }
    return able;
}

static struct door__enrol finish(struct door__enrol *e) {
    struct door__enrol copy = *e;
    loop_timer_stop(e->door->loop, &e->timer);
    loop_timer_stop(e->door->loop, &e->known);
    board_watch_tag(e->t->board, e->pad, NULL, NULL);
    e->door->enrol = NULL;
    inspect(e, e->pad, false);
    free(e);
    return copy;
}

void door__enrol_stop(struct door *door) {
    if (door->enrol) {
        struct door__enrol e = finish(door->enrol);
        struct error err;
        error_set(&err, ERROR_BUSY, "enrol", "the daemon is stopping");
        answer(e.reply, e.ctx, &err);
    }
    worker_destroy(door->worker);
    door->worker = NULL;
}

static struct found *find(struct door__enrol *e, const struct tag *tag) {
    for (unsigned i = 0; i < e->n_found; i++)
        if (tag_equal(&e->found[i].tag, tag))
            return &e->found[i];
    return NULL;
}

static void conclude(struct door__enrol *waiting, const struct tag *tag) {
    struct tag own = *tag; // perhaps a part of what finish() frees
    struct door__enrol e = finish(waiting);
    struct found *found = find(&e, &own);
    struct error err;
    if (table_free(e.t, &err)) {
        answer(e.reply, e.ctx, &err);
        return;
    }
    if (e.look) {
        struct door_inspected is = {0};
        if (found)
            is = found->is;
        if (e.at < board_pads(e.t->board))
            snprintf(is.pad, sizeof is.pad, "%s", board_pad(e.t->board, e.at)->name);
        const struct door_answer ok = {.inspected = &is};
        e.reply(e.ctx, &ok);
        return;
    }
    if (in_play(e.door, e.deck))
        error_set(&err, ERROR_NOT_NOW, "deck", "deck %s is in play; end the game first", e.deck);
    else if (!pieces_add(e.door->pieces, e.deck, e.name, e.kind, &own, e.face, NULL, &err)) {
        const struct door_answer ok = {.inspected = found ? &found->is : NULL, .added = 1};
        keep(e.door, &ok, e.reply, e.ctx);
        return;
    }
    answer(e.reply, e.ctx, &err);
}

static void on_late(void *ctx) {
    struct door__enrol *e = ctx;
    conclude(e, &e->tag);
}

static void refuse_kind(struct door__enrol *waiting, enum tag_kind kind) {
    struct door__enrol e = finish(waiting);
    struct error err;
    error_set(
        &err, ERROR_INVALID, "tag",
        kind == TAG_RANDOM
            ? "its id begins with 08: phones and some cards take a new one at each touch, so it cannot be "
              "a piece; use a plain NTAG sticker"
            : "its reader tells only a part of the id (it begins with 88): another tile could have the "
              "same; use a reader that reads whole ids");
    answer(e.reply, e.ctx, &err);
}

// The pad is sure of the tag; what is on it may still be on its way, and a tag need not have anything.
static void on_tag(void *ctx, uint16_t pad, const struct tag *tag, enum tag_kind kind) {
    struct door__enrol *e = ctx;
    const struct found *found = find(e, tag);
    if (!table__playing(e->t) && (kind == TAG_RANDOM || kind == TAG_PARTIAL)) {
        refuse_kind(e, kind);
        return;
    }
    e->at = pad;
    loop_timer_stop(e->door->loop, &e->known);
    if (table__playing(e->t) || (found && found->told) || !inspect(e, pad, true)) {
        conclude(e, tag);
        return;
    }
    e->waiting = true;
    e->tag = *tag;
    loop_timer_start(e->door->loop, &e->timer, loop_now_us(e->door->loop) + INSPECT_US, on_late, e);
}

// The entry of a tag on a pad that the enrolment is about, NULL if it is not.
static struct found *note(struct door *door, const char *reader, uint16_t antenna, const struct tag *tag) {
    struct door__enrol *e = door->enrol;
    if (!e)
        return NULL;
    uint16_t pad = board_find(e->t->board, reader, antenna);
    if (pad >= board_pads(e->t->board) || (e->pad != BOARD_PADS_MAX && e->pad != pad))
        return NULL;
    struct found *found = find(e, tag);
    if (found)
        return found;
    if (e->n_found < FOUND_MAX) {
        found = &e->found[e->n_found++];
    } else {
        found = &e->found[e->oldest];
        e->oldest = (e->oldest + 1) % FOUND_MAX;
    }
    *found = (struct found){.tag = *tag};
    return found;
}

void door_hint(struct door *door, const char *reader, uint16_t antenna, const struct tag *tag,
               const char *text) {
    struct found *found = note(door, reader, antenna, tag);
    if (found)
        snprintf(found->is.hint, sizeof found->is.hint, "%s", text);
}

void door_signature(struct door *door, const char *reader, uint16_t antenna, const struct tag *tag,
                    enum door_signature signature) {
    struct found *found = note(door, reader, antenna, tag);
    if (!found)
        return;
    found->told = true;
    found->is.signature = signature;
    struct door__enrol *e = door->enrol;
    if (e->waiting && tag_equal(&e->tag, tag))
        conclude(e, tag);
}

void door_on_inspect(struct door *door, bool (*fn)(void *ctx, const char *reader, uint16_t antenna, bool on),
                     void *ctx) {
    door->inspect = fn;
    door->inspect_ctx = ctx;
}

// ---- what is laid and cannot become this piece: said at once, not after the whole wait

static bool listens(const struct table *t, uint16_t pad) {
    const struct door__enrol *e = t->door->enrol;
    return e && e->t == t && !e->waiting && !table__playing(t) && (e->pad == BOARD_PADS_MAX || e->pad == pad);
}

static void on_known(void *ctx) {
    struct door__enrol e = finish(ctx);
    const struct piece *piece = pieces_at(e.door->pieces, e.known_piece);
    struct error err;
    if (!table_free(e.t, &err)) // else a game has begun since
        error_set(&err, ERROR_EXISTS, "tag",
                  "this tile is %s/%s already; lay a new one, or remove that piece first",
                  piece ? piece->deck : "", piece ? piece->name : "another piece");
    answer(e.reply, e.ctx, &err);
}

// The other tag of a piece may be the new one, so a known one waits a moment for it.
void door__enrol_placed(struct table *t, uint16_t pad, uint16_t piece) {
    struct door__enrol *e = t->door->enrol;
    if (!listens(t, pad))
        return;
    e->known_piece = piece;
    loop_timer_start(t->loop, &e->known, loop_now_us(t->loop) + KNOWN_US, on_known, e);
}

void door__enrol_notice(struct table *t, uint16_t pad, enum board_notice notice) {
    if (listens(t, pad) && (notice == BOARD_NOTICE_RANDOM || notice == BOARD_NOTICE_PARTIAL))
        refuse_kind(t->door->enrol, notice == BOARD_NOTICE_RANDOM ? TAG_RANDOM : TAG_PARTIAL);
}

static void on_time_up(void *ctx) {
    struct door__enrol e = finish(ctx);
    struct error err;
    error_set(&err, ERROR_NOT_FOUND, "pad", "no new tag was laid on the pad in time");
    answer(e.reply, e.ctx, &err);
}

static enum error_code read_face(const char *face, uint8_t *ret, struct error *err) {
    static const char *const names[] = {
        [PIECE_FACE_UNKNOWN] = "unknown", [PIECE_FACE_DOWN] = "down", [PIECE_FACE_UP] = "up"};
    *ret = PIECE_FACE_UNKNOWN;
    if (!face || !*face)
        return ERROR_OK;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(face, names[i])) {
            *ret = (uint8_t)i;
            return ERROR_OK;
        }
    return error_set(err, ERROR_INVALID, "face", "say up, down or unknown");
}

static enum error_code check(struct door *door, struct table *t, const struct door_who *who, const char *deck,
                             const char *name, const char *kind, const char *face, const char *pad,
                             struct door__enrol *ret, struct error *err) {
    if (!t)
        return error_set(err, ERROR_NOT_FOUND, "table", "there is no such table");
    ret->look = !name && !kind;
    if (!deck || !config_name_ok(deck) ||
        (!ret->look && (!name || !kind || !config_name_ok(name) || !config_word_ok(kind))))
        return error_set(err, ERROR_INVALID, "piece",
                         "deck and name are written [a-z0-9-]{1,32}, the kind [a-z0-9_]{1,32}");
    if (may_change(door, who, deck, err) || table_free(t, err) || read_face(face, &ret->face, err))
        return err->code;
    ret->pad = pad && *pad ? board_find_name(t->board, pad) : BOARD_PADS_MAX;
    if (pad && *pad && ret->pad >= board_pads(t->board))
        return error_set(err, ERROR_NOT_FOUND, "pad", "table %s has no pad %.32s", t->options.name, pad);
    if (door->enrol && strcmp(door->enrol->who, who->name) != 0)
        return error_set(err, ERROR_BUSY, "enrol", "another piece is being enrolled");
    return ERROR_OK;
}

// Whoever asks again has given the earlier one up: a page that was closed, a wizard that was left.
static void give_up(struct door__enrol *earlier) {
    struct door__enrol e = finish(earlier);
    struct error err;
    error_set(&err, ERROR_BUSY, "enrol", "a newer enrolment of yours took its place");
    answer(e.reply, e.ctx, &err);
}

void door_enrol(struct door *door, const char *table, const struct door_who *who, const char *deck,
                const char *name, const char *kind, const char *face, const char *pad, unsigned wait_ms,
                door_reply_fn *reply, void *ctx) {
    struct door__enrol one = {.door = door, .reply = reply, .ctx = ctx, .at = BOARD_PADS_MAX};
    struct error err;
    one.t = door__table(door, table);
    struct door__enrol *e = NULL;
    if (!check(door, one.t, who, deck, name, kind, face, pad, &one, &err) && !(e = malloc(sizeof *e)))
        error_set(&err, ERROR_INTERNAL, NULL, "out of memory");
    if (!e) {
        answer(reply, ctx, &err);
        return;
    }
    if (door->enrol)
        give_up(door->enrol);
    snprintf(one.who, sizeof one.who, "%s", who->name);
    snprintf(one.deck, sizeof one.deck, "%s", deck);
    snprintf(one.name, sizeof one.name, "%s", name ? name : "");
    snprintf(one.kind, sizeof one.kind, "%s", kind ? kind : "");
    *e = one;
    door->enrol = e;
    loop_timer_start(door->loop, &e->timer, loop_now_us(door->loop) + (int64_t)wait_ms * 1000, on_time_up, e);
    board_watch_tag(e->t->board, e->pad, on_tag, e);
    inspect(e, e->pad, true);
}

// ---- lists

struct asker {
    const struct door *door;
    const struct door_who *who;
};

static enum error_code deck_free(void *ctx, const char *deck, struct error *err) {
    const struct asker *asker = ctx;
    return may_change(asker->door, asker->who, deck, err);
}

static enum error_code decks_free(const struct door *door, const struct door_who *who, const char *csv,
                                  struct error *err) {
    struct asker asker = {door, who};
    return may_change(door, who, "", err) ? err->code : pieces_csv_decks(csv, deck_free, &asker, err);
}

void door_enrol_import(struct door *door, const struct door_who *who, const char *csv, door_reply_fn *reply,
                       void *ctx) {
    struct error err;
    unsigned added = 0;
    if (decks_free(door, who, csv, &err) || pieces_import_csv(door->pieces, csv, "import", &added, &err)) {
        answer(reply, ctx, &err);
        return;
    }
    const struct door_answer ok = {.added = added};
    keep(door, &ok, reply, ctx);
}

void door_enrol_remove(struct door *door, const struct door_who *who, const char *deck, const char *name,
                       door_reply_fn *reply, void *ctx) {
    const struct door_answer ok = {.code = ERROR_OK};
    struct error err;
    if (may_change(door, who, deck, &err) || pieces_remove(door->pieces, deck, name, &err))
        answer(reply, ctx, &err);
    else
        keep(door, &ok, reply, ctx);
}

// Takes the fourth column out of every line.
static void strip_tags(char *csv) {
    char *to = csv;
    unsigned column = 0;
    for (const char *from = csv; *from; from++) {
        if (*from == '\n')
            column = 0;
        else if (*from == ',')
            column++;
        if (column != 3)
            *to++ = *from;
    }
    *to = '\0';
}

enum error_code door_enrol_export(struct door *door, const struct door_who *who, const char *deck, bool tags,
                                  char **ret, struct error *err) {
    if (who->role != DOOR_ADMIN)
        return error_set(err, ERROR_FORBIDDEN, "deck", "only an admin sees the registry");
    if (pieces_export_csv(door->pieces, deck, ret, err))
        return err->code;
    if (!tags)
        strip_tags(*ret);
    return ERROR_OK;
}
