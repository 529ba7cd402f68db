// The way back from the journal: a table is folded from its last game (design 5.5).
#include "core/log.h"
#include "engine/table__.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// ---- reading back

struct fold {
    struct table *t;
    struct table__game *g;
    bool refused, ended; // refused: another revision of the rules
    uint64_t n;
    uint16_t old_rev;
    char game[GAME_WORD_MAX];
    int64_t mono_us, wall_us; // now
    int64_t last_us;          // of the last record, on this boot's clock
};

static enum error_code corrupt(const struct journal_record *r, struct error *err) {
    return error_set(err, ERROR_CORRUPT, r->table,
                     "record %" PRIu64 " (%s) of the journal cannot be understood", r->n,
                     journal_kind_name(r->kind));
}

static enum error_code read_setup(const json_t *body, const struct game *game, struct game_setup *setup,
                                  struct error *err) {
    game_setup_default(game, (unsigned)json_integer_value(json_object_get(body, "seats")), setup);
    json_t *cards = json_object_get(body, "cards"), *word;
    size_t i;
    json_array_foreach(cards, i, word) {
        game_kind kind = json_is_string(word) ? game_kind_find(game, json_string_value(word)) : GAME_NONE;
        if (kind == GAME_NONE || i == GAME_CARDS_MAX)
            return error_set(err, ERROR_CORRUPT, "cards", "unknown card in the start record");
        setup->cards[setup->n_cards++] = kind;
    }
    const char *name;
    json_object_foreach(json_object_get(body, "options"), name, word) {
        int row = game_option_find(game, name);
        if (row < 0 || !json_is_integer(word))
            return error_set(err, ERROR_CORRUPT, "options", "unknown option in the start record");
        setup->options[row] = (int32_t)json_integer_value(word);
    }
    struct game_issues issues = {0};
    return game->prepare(setup, &issues, err);
}

static enum error_code fold_start(struct fold *f, const struct journal_record *r, const json_t *body,
                                  struct error *err) {
    const char *name = json_string_value(json_object_get(body, "game"));
    const char *id = json_string_value(json_object_get(body, "game_id"));
    const char *seed = json_string_value(json_object_get(body, "seed"));
    if (!name || !json_is_integer(json_object_get(body, "rules_rev")))
        return corrupt(r, err);
    const struct game *game = game_find(name);
    f->old_rev = (uint16_t)json_integer_value(json_object_get(body, "rules_rev"));
    snprintf(f->game, sizeof f->game, "%s", name ? name : "");
    table__game_destroy(f->g);
    f->g = NULL;
    f->ended = false;
    f->refused = !game || game->rules_rev != f->old_rev;
    if (f->refused)
        return ERROR_OK;
    struct game_setup setup;
    if (!id || !seed)
        return corrupt(r, err);
    if (read_setup(body, game, &setup, err) || table__game_create(f->t, game, &setup, &f->g, err))
        return err->code;
    f->g->start_n = r->n;
    f->g->seed = strtoull(seed, NULL, 16);
    f->g->from_readers = json_is_true(json_object_get(body, "readers_deal"));
    snprintf(f->g->id, sizeof f->g->id, "%s", id);
    f->g->started_us = r->wall_us;
    f->t->game = f->g;
    const char *bots = json_string_value(json_object_get(body, "bots"));
    if (bots && (bot_seats(&f->g->words, bots, &f->g->bots, err) || table__bots_begin(f->t, err)))
        return err->code;
    table__map(f->t, f->g);
    table__position_start(f->g, &f->g->ahead, f->last_us);
    return ERROR_OK;
}

static void fold_bind(struct fold *f, const json_t *body) {
    char deck[PIECE_TEXT_MAX] = "", name[PIECE_TEXT_MAX] = "";
    const char *piece = json_string_value(json_object_get(body, "piece"));
    game_slot slot = (game_slot)json_integer_value(json_object_get(body, "slot"));
    if (!piece || sscanf(piece, "%32[^/]/%32s", deck, name) != 2)
        return;
    if (table__bind(f->g, pieces_find(f->t->door->pieces, deck, name), slot))
        f->g->bound[slot / 64] |= UINT64_C(1) << slot % 64;
}

static void read_cause(const char *text, struct table__entry *entry) {
    static const struct {
        const char *word;
        uint8_t flag;
    } flags[] = {{"late", TABLE__LATE},
                 {"early", TABLE__EARLY},
                 {"declared", TABLE__WAS_DECLARED},
                 {"slip", TABLE__SLIP},
                 {"carried", TABLE__CARRIED}};
    for (unsigned c = 0; c < TABLE__CAUSES; c++) {
        const char *name = table__cause_name((enum table__cause)c);
        if (!strncmp(text, name, strlen(name)) && strchr(" ", text[strlen(name)]))
            entry->cause = (uint8_t)c;
    }
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strstr(text, flags[i].word))
            entry->flags |= flags[i].flag;
}

// A time no further than a hundred years and more from another: nobody knows what the wall clock said then,
// or what has become of the file.
static int64_t bounded(int64_t us, int64_t from_us) {
    const int64_t far_us = INT64_C(1) << 52;
    return us < from_us - far_us ? from_us - far_us : us > from_us + far_us ? from_us + far_us : us;
}

static enum error_code read_action(struct fold *f, const json_t *json, struct table__entry *entry,
                                   struct error *err) {
    int by;
    if (game_action_from_json(&f->g->words, f->g->ahead.state, json, &by, &entry->action, err))
        return err->code;
    entry->by = (int16_t)by;
    entry->flags |= TABLE__ACTS;
    return ERROR_OK;
}

static enum error_code read_entry(struct fold *f, const struct journal_record *r, const json_t *body,
                                  struct table__entry *entry, struct error *err) {
    const json_t *action = json_object_get(body, "action");
    switch (r->kind) {
    case JOURNAL_ACT:
        return read_action(f, body, entry, err);
    case JOURNAL_OVERRIDE:
        return action ? read_action(f, action, entry, err) : ERROR_OK;
    case JOURNAL_STEP:
        entry->step = (uint16_t)json_integer_value(json_object_get(body, "index"));
        entry->missed = (uint16_t)json_integer_value(json_object_get(body, "missed"));
        return action ? read_action(f, action, entry, err) : ERROR_OK;
    case JOURNAL_PAUSE:
        entry->action = (game_action)bounded(json_integer_value(json_object_get(body, "left_us")), 0);
        for (unsigned i = 0; i < TABLE__PAUSES; i++) {
            const char *reason = json_string_value(json_object_get(body, "reason"));
            if (reason && !strcmp(reason, table__pause_name((enum table__pause)i)))
                entry->step = (uint16_t)i;
        }
        return ERROR_OK;
    case JOURNAL_UNDO: {
        uint64_t to = (uint64_t)json_integer_value(json_object_get(body, "to"));
        if (to < f->g->start_n || to > f->g->start_n + f->g->n_entries)
            return corrupt(r, err);
        entry->prev = entry->back = to == f->g->start_n ? TABLE__NONE : (uint32_t)(to - f->g->start_n - 1);
        return ERROR_OK;
    }
    default:
        return ERROR_OK;
    }
}

// body NULL: the record is an act, and what it does is in `entry` already.
static enum error_code fold_record(struct fold *f, const struct journal_record *r, const json_t *body,
                                   struct table__entry *entry, struct error *err) {
    struct table__game *g = f->g;
    read_cause(r->cause, entry);
    if (r->kind == JOURNAL_BIND)
        fold_bind(f, body);
    if ((body && read_entry(f, r, body, entry, err)) || table__keep(g, entry, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    if (r->kind == JOURNAL_STEP && entry->step == 0 && g->ahead.dark)
        table__take_script(f->t, g, &g->ahead);
    return ERROR_OK;
}

static struct table__entry entry_of(const struct fold *f, const struct journal_record *r) {
    return (struct table__entry){.n = r->n,
                                 .prev = f->g ? f->g->ahead.head : TABLE__NONE,
                                 .kind = (uint8_t)r->kind,
                                 .mono_us = f->last_us,
                                 .wall_us = r->wall_us};
}

// Nearly all records of a long game are acts in the words we write ourselves.
static bool read_act_back(struct fold *f, const struct journal_record *r, struct table__entry *entry) {
    int by;
    if (r->kind != JOURNAL_ACT || f->refused || !f->g ||
        !game_action_read_back(&f->g->words, f->g->ahead.state, r->body, &by, &entry->action))
        return false;
    entry->by = (int16_t)by;
    entry->flags |= TABLE__ACTS;
    return true;
}

// Times of another boot, on this one's clock.
static int64_t on_this_clock(const struct fold *f, int64_t wall_us) {
    return f->mono_us - (f->wall_us - bounded(wall_us, f->wall_us));
}

static enum error_code on_record(void *ctx, const struct journal_record *r, struct error *err) {
    struct fold *f = ctx;
    if (f->n && r->n != f->n + 1)
        return error_set(err, ERROR_CORRUPT, r->table, "record %" PRIu64 " of the journal is missing",
                         f->n + 1);
    f->n = r->n;
    f->last_us = on_this_clock(f, r->wall_us);
    struct table__entry entry = entry_of(f, r);
    if (read_act_back(f, r, &entry))
        return fold_record(f, r, NULL, &entry, err);
    json_t *body = json_loads(r->body, JSON_REJECT_DUPLICATES, NULL);
    if (!body)
        return corrupt(r, err);
    enum error_code code = ERROR_OK;
    if (r->kind == JOURNAL_START)
        code = fold_start(f, r, body, err);
    else if (r->kind == JOURNAL_END || r->kind == JOURNAL_UNDO)
        f->ended = r->kind == JOURNAL_END;
    if (!code && r->kind != JOURNAL_START && !f->refused)
        code = f->g ? fold_record(f, r, body, &entry, err) : corrupt(r, err);
    json_decref(body);
    return code;
}

// What is left of a limit: by the wall clock, if the daemon was away for less than that; else as it was with
// the last record.
static void keep_remaining(struct table__position *p, int64_t now_us, int64_t last_us) {
    if (!p->phase.limit_ms || p->dark || p->paused)
        return;
    int64_t left = table__left_us(p, now_us), full = (int64_t)p->phase.limit_ms * 1000;
    if (left <= 0 || left > full)
        left = table__left_us(p, last_us);
    int64_t least = TABLE__MIN_LEFT_MS * INT64_C(1000);
    left = left < least ? (full < least ? full : least) : left > full ? full : left;
    p->clock_us = now_us + left - full;
}

static void restored(struct table *t) {
    struct table__game *g = t->game;
    struct error err;
    memset(g->frozen_level, OBSERVE_UNKNOWN, sizeof g->frozen_level);
    int64_t last = g->n_entries ? g->entry[g->n_entries - 1].mono_us : g->ahead.from_us;
    keep_remaining(&g->ahead, table__now(t), last);
    table__position_copy(g, &g->announced, &g->ahead);
    table__hands_begin(t);
    referee_state(t->referee, g->game, &g->setup, &g->places, g->ahead.state);
    if (!table__playing(t)) {
        table__story(t, g);
        return;
    }
    if (table__pause(t, TABLE__BY_RESTART, TABLE__HOST, NULL, (struct table__reply){0}, &err))
        log_error("table", "cannot pause after the restart table=%s code=%s", t->options.name,
                  error_name(err.code));
    table__position_copy(g, &g->announced, &g->ahead); // shown as paused from the first view on
    log_info("table", "game restored, paused table=%s game=%s", t->options.name, g->game->id);
}

enum error_code table__restore(struct table *t, const char *path, struct error *err) {
    struct fold f = {
        .t = t, .mono_us = clock_mono_us(loop_clock(t->loop)), .wall_us = clock_wall_us(loop_clock(t->loop))};
    enum error_code code = journal_read_last(path, t->options.name, on_record, &f, err);
    if (!code && !f.n)
        return ERROR_OK;
    if (!code && f.refused && !f.ended) {
        const struct game *game = game_find(f.game);
        code = error_set(err, ERROR_CORRUPT, t->options.name,
                         "its running game of %s was recorded under rules revision %u, this program has %u; "
                         "finish it with the program that began it, or move the journal away",
                         f.game, f.old_rev, game ? game->rules_rev : 0u);
    }
    if (code) {
        table__game_destroy(f.g);
        t->game = NULL;
        return code;
    }
    t->n = t->durable_n = f.n;
    table__begin_ids(t);
    t->game = t->shown = f.g;
    if (f.g)
        restored(t);
    return ERROR_OK;
}
