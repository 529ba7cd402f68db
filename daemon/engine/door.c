// The house: tables, registry, journal, sinks.
#include "engine/door.h"
#include "core/log.h"
#include "engine/table__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int name_order(const void *a, const void *b) {
    return strcmp(((const struct door__named *)a)->name, ((const struct door__named *)b)->name);
}

struct table *door__table(const struct door *door, const char *name) {
    const struct door__named key = {name, NULL};
    const struct door__named *row =
        name ? bsearch(&key, door->by_name, door->n_tables, sizeof key, name_order) : NULL;
    return row ? row->table : NULL;
}

// ---- the journal

static void on_durable(void *ctx, const char *name, uint64_t n) {
    struct table *t = door__table(ctx, name);
    if (t)
        table__durable(t, n);
}

static void on_failed(void *ctx, const struct error *err) {
    struct door *door = ctx;
    door->storage_ok = false;
    log_error("door", "the journal takes no more records: %s", err->text);
    for (size_t i = 0; i < door->n_tables; i++)
        table__disk_failed(&door->tables[i]);
}

// ---- birth and death

static int by_antenna(const void *a, const void *b) {
    const struct table__antenna *x = a, *y = b;
    int order = strcmp(x->reader, y->reader);
    return order ? order : (x->antenna > y->antenna) - (x->antenna < y->antenna);
}

static enum error_code index_antennas(struct door *door, struct error *err) {
    size_t n = 0;
    for (size_t i = 0; i < door->n_tables; i++)
        n += board_pads(door->tables[i].board);
    door->antennas = calloc(n + 1, sizeof *door->antennas);
    if (!door->antennas)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    for (size_t i = 0; i < door->n_tables; i++)
        for (unsigned pad = 0; pad < board_pads(door->tables[i].board); pad++) {
            const struct board_pad_options *options = board_pad(door->tables[i].board, pad);
            struct table__antenna *row = &door->antennas[door->n_antennas++];
            snprintf(row->reader, sizeof row->reader, "%s", options->reader);
            row->antenna = options->antenna;
            row->table = (uint16_t)i;
            row->pad = pad;
        }
    qsort(door->antennas, door->n_antennas, sizeof *door->antennas, by_antenna);
    return ERROR_OK;
}

// Views handed out live until this turn of the loop ends.
static void on_turn(void *ctx) {
    struct door *door = ctx;
    while (door->used) {
        struct table__page *page = door->used;
        door->used = page->next;
        page->next = door->pages;
        door->pages = page;
    }
}

static enum error_code open_all(struct door *door, const struct door_options *options, struct error *err) {
    const struct journal_listener listener = {on_durable, on_failed, door};
    const char *path = options->journal_path ? options->journal_path : ":memory:";
    door->tables = calloc(options->n_tables + 1, sizeof *door->tables);
    door->by_name = calloc(options->n_tables + 1, sizeof *door->by_name);
    door->journal_path = strdup(path);
    door->house_path = options->house_path ? strdup(options->house_path) : NULL;
    if (!door->tables || !door->by_name || !door->journal_path || (options->house_path && !door->house_path))
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    for (size_t i = 0; i < options->n_tables; i++) {
        struct table *t = &door->tables[door->n_tables++];
        if (table__create(door, t, &options->tables[i], err))
            return err->code;
        door->by_name[i] = (struct door__named){t->options.name, t};
    }
    qsort(door->by_name, door->n_tables, sizeof *door->by_name, name_order);
    for (size_t i = 1; i < door->n_tables; i++)
        if (!name_order(&door->by_name[i - 1], &door->by_name[i]))
            return error_set(err, ERROR_INVALID, door->by_name[i].name, "two tables have this name");
    if (index_antennas(door, err) || door__numbers_create(door, err) ||
        journal_open(door->loop, path, &listener, &door->journal, err))
        return err->code;
    for (size_t i = 0; i < door->n_tables; i++)
        if (table__restore(&door->tables[i], path, err))
            return err->code;
    return ERROR_OK;
}

enum error_code door_create(const struct door_options *options, struct door **ret, struct error *err) {
    if (options->n_tables > TABLE_TABLES_MAX)
        return error_set(err, ERROR_INVALID, NULL, "more than %d tables", TABLE_TABLES_MAX);
    struct door *door = calloc(1, sizeof *door);
    if (!door)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    door->loop = options->loop;
    door->pieces = options->pieces;
    door->boot = options->boot;
    door->bot = options->bot;
    door->storage_ok = true;
    const struct clock *clock = loop_clock(door->loop);
    door->wall_offset_us = clock_wall_us(clock) - clock_mono_us(clock);
    if (open_all(door, options, err)) {
        door_destroy(door);
        return err->code;
    }
    *ret = door;
    return ERROR_OK;
}

static void free_pages(struct table__page *page) {
    while (page) {
        struct table__page *next = page->next;
        free(page);
        page = next;
    }
}

void door_destroy(struct door *door) {
    if (!door)
        return;
    door__enrol_stop(door);
    loop_defer_cancel(door->loop, &door->turn);
    for (size_t i = 0; i < door->n_tables; i++)
        table__bots_stop(&door->tables[i]);
    worker_destroy(door->thinker);
    door->n_sinks = 0; // what becomes durable now is not told any more
    journal_close(door->journal);
    for (size_t i = 0; i < door->n_tables; i++)
        table__finish(&door->tables[i]);
    free_pages(door->pages);
    free_pages(door->used);
    free(door->tables);
    free(door->by_name);
    free(door->antennas);
    door__numbers_destroy(door);
    free(door->house_path);
    free(door->journal_path);
    free(door->games_json);
    free(door);
}

// ---- readers

void door_scan(struct door *door, const char *reader, uint16_t antenna, enum pad_outcome outcome,
               const struct tag *tags, unsigned n_tags) {
    struct table__antenna key = {.antenna = antenna};
    snprintf(key.reader, sizeof key.reader, "%s", reader);
    const struct table__antenna *row =
        bsearch(&key, door->antennas, door->n_antennas, sizeof key, by_antenna);
    if (!row) { // an antenna that no pad uses
        door__numbers_scan(door, reader, outcome, 0);
        return;
    }
    struct table *t = &door->tables[row->table];
    uint64_t misses = board_misses(t->board, row->pad);
    bool again = board_scan(t->board, row->pad, loop_now_us(door->loop), outcome, tags, n_tags);
    door__numbers_scan(door, reader, outcome, board_misses(t->board, row->pad) - misses);
    if (t->dirty && table__playing(t)) // else nothing hangs on it: all pads of a turn are shown at once
        table__look(t);
    if (again && door->again)
        door->again(door->again_ctx, reader, antenna);
}

void door_reader(struct door *door, const char *reader, const char *driver, bool up, const char *why) {
    for (size_t i = 0; i < door->n_tables; i++) {
        board_reader(door->tables[i].board, reader, up, loop_now_us(door->loop));
        table__reader(&door->tables[i], reader, driver, up, why);
    }
}

void door_on_again(struct door *door, void (*again)(void *ctx, const char *reader, uint16_t antenna),
                   void *ctx) {
    door->again = again;
    door->again_ctx = ctx;
}

void door_clock_jumped(struct door *door) {
    const struct clock *clock = loop_clock(door->loop);
    door->wall_offset_us = clock_wall_us(clock) - clock_mono_us(clock);
    for (size_t i = 0; i < door->n_tables; i++)
        table__show(&door->tables[i]);
}

// ---- views and sinks

size_t door_tables(const struct door *door) {
    return door->n_tables;
}

const char *door_table(const struct door *door, size_t i) {
    return i < door->n_tables ? door->tables[i].options.name : NULL;
}

struct observation *door__page(struct door *door) {
    struct table__page *page = door->pages;
    if (page)
        door->pages = page->next;
    else if (!(page = calloc(1, sizeof *page)))
        return NULL;
    page->next = door->used;
    door->used = page;
    loop_defer(door->loop, &door->turn, on_turn, door);
    return &page->view;
}

const struct observation *door_view(struct door *door, const char *table, int audience) {
    struct table *t = door__table(door, table);
    if (!t || audience < OBSERVE_PUBLIC || audience >= (t->shown ? t->shown->setup.seats : 0))
        return NULL;
    struct observation *view = door__page(door);
    if (view)
        table__view(t, audience, view);
    return view;
}

bool door_status(const struct door *door, const char *table, enum observe_status *ret_status,
                 const char **ret_game) {
    const struct table *t = door__table(door, table);
    if (!t)
        return false;
    *ret_status = table__status(t);
    *ret_game = t->shown ? t->shown->game->id : NULL;
    return true;
}

bool door_preset(const struct door *door, const char *table, struct door_preset *ret) {
    const struct table *t = door__table(door, table);
    if (!t || !*t->options.preset_game)
        return false;
    *ret = (struct door_preset){.game = t->options.preset_game,
                                .preset = t->options.preset,
                                .cards = t->options.preset_cards,
                                .options = t->options.preset_options,
                                .bots = t->options.preset_bots,
                                .seats = t->options.preset_seats};
    return true;
}

const struct observe_readers *door_readers(struct door *door, const char *table) {
    struct table *t = door__table(door, table);
    return t ? &t->readers : NULL;
}

void door_add_sink(struct door *door, const struct observe_sink *sink) {
    if (door->n_sinks == TABLE__SINKS)
        return;
    door->sinks[door->n_sinks++] = *sink;
    for (size_t i = 0; i < door->n_tables; i++)
        table__show_to(&door->tables[i], sink);
}

void door_health(struct door *door, struct door_health *ret) {
    *ret = (struct door_health){.storage_ok = door->storage_ok};
    for (size_t i = 0; i < door->n_tables; i++) {
        const struct table *t = &door->tables[i];
        for (unsigned k = 0; k < t->readers.n; k++)
            ret->readers_up += t->readers.reader[k].up;
        ret->readers += t->readers.n;
        ret->records += t->records;
        ret->actions += t->actions;
        ret->violations += t->violations;
    }
}
