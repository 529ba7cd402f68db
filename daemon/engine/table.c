// A table's life: its board, its timers, what its pads and control pieces set going.
#include "engine/table.h"
#include "core/log.h"
#include "engine/narration.h"
#include "engine/table__.h"
#include <stdlib.h>
#include <string.h>

const struct table_timing table_timing_default = {.still_ms = 700,
                                                  .still_stack_ms = 1500,
                                                  .wrong_ms = 1500,
                                                  .look_ms = 600,
                                                  .reminder_ms = 20000,
                                                  .missing_ms = 10000,
                                                  .spill_ms = 2000,
                                                  .air_ms = 20000,
                                                  .night_scale_percent = 100};

int64_t table__now(const struct table *t) {
    return loop_now_us(t->loop);
}

bool table__playing(const struct table *t) {
    return t->game && !t->game->ahead.phase.over && !t->game->ahead.ended;
}

// Dark until its end has been announced: the state ahead leaves it 300 ms earlier.
bool table__dark(const struct table *t) {
    return t->game && (t->game->ahead.dark || (t->shown == t->game && t->game->announced.dark));
}

// ---- looking at the board

void table__look(struct table *t) {
    if (t->judging)
        return;
    t->judging = true;
    t->dirty = false;
    loop_defer_cancel(t->loop, &t->judge_call);
    table__readers_told(t, false);
    if (!table__dark(t)) {
        table__judge(t);
        if (!t->ring_n)
            table__show_levels(t); // else what waits for the disk shows it
    } else if (t->game->ahead.paused) {
        table__judge(t);
    }
    t->judging = false;
    if (t->dirty)
        table__look_later(t);
    table__bots(t);
}

static void look_now(void *ctx) {
    table__look(ctx);
}

void table__look_later(struct table *t) {
    t->dirty = true;
    loop_defer(t->loop, &t->judge_call, look_now, t);
}

static void look_due(void *ctx) {
    struct table *t = ctx;
    t->judge_at_us = 0;
    table__look(t);
}

void table__look_at(struct table *t, int64_t at_us) {
    if (t->judge_at_us && t->judge_at_us <= at_us)
        return;
    t->judge_at_us = at_us;
    loop_timer_start(t->loop, &t->judge_timer, at_us, look_due, t);
}

// ---- the limit of a phase

enum error_code table__next(struct table *t, enum table__cause cause, struct table__reply reply,
                            struct error *err) {
    struct table__game *g = t->game;
    if (!table__playing(t) || table__dark(t) || g->ahead.paused ||
        !g->game->legal(g->ahead.state, GAME_BY_TIMER, t->door->legal, GAME_ACTIONS_MAX))
        return error_set(err, ERROR_NOT_NOW, t->options.name, NULL);
    struct table__act act = {.by = GAME_BY_TIMER,
                             .action = t->door->legal[0],
                             .cause = cause,
                             .kind = JOURNAL_ACT,
                             .reply = reply};
    return table_act(t, &act, err);
}

static void limit_due(void *ctx) {
    struct table *t = ctx;
    const struct table__reply nobody = {0};
    struct error err;
    if (!table__playing(t) || !t->game->ahead.phase.limit_ms)
        return;
    if (table__next(t, TABLE__TIMER, nobody, &err) == ERROR_BUSY)
        loop_timer_start(t->loop, &t->limit_timer, table__now(t) + 10000, limit_due, t);
}

void table__arm(struct table *t) {
    struct table__game *g = t->game;
    loop_timer_stop(t->loop, &t->limit_timer);
    if (!table__playing(t) || g->ahead.paused) {
        loop_timer_stop(t->loop, &t->close_timer);
        return;
    }
    if (g->ahead.dark)
        table__dark_arm(t);
    else if (g->ahead.phase.limit_ms)
        loop_timer_start(t->loop, &t->limit_timer,
                         g->ahead.clock_us + (int64_t)g->ahead.phase.limit_ms * 1000, limit_due, t);
}

// ---- from the board

// Hands have changed a place: what a host let pass there is over. GAME_NONE: any place of the pad.
static void forget_forgiven(struct table *t, uint16_t pad, game_place place) {
    for (unsigned i = 0; i < t->game->pad_places[pad]; i++) {
        game_place one = t->game->pad_place[pad][i];
        if (place == GAME_NONE || place == one)
            t->forgiven[one / 64] &= ~(UINT64_C(1) << one % 64);
    }
    table__hands_state(t, pad);
}

static game_place lies_at(const struct table *t, uint16_t piece) {
    game_slot slot = piece < PIECES_MAX ? t->game->piece_slot[piece] : (game_slot)GAME_NONE;
    return slot == GAME_NONE ? (game_place)GAME_NONE : hands_where(&t->game->track, slot);
}

static void on_placed(void *ctx, uint16_t pad, uint16_t piece, uint8_t face, int64_t at_us,
                      int64_t since_us) {
    struct table *t = ctx;
    if (t->door->enrol)
        door__enrol_placed(t, pad, piece);
    if (t->game) {
        table__hands_placed(t, pad, piece, face, at_us, since_us);
        table__removal_over(t, piece);
        forget_forgiven(t, pad, lies_at(t, piece));
    }
    table__look_later(t);
}

static void on_removed(void *ctx, uint16_t pad, uint16_t piece, int64_t at_us, int64_t since_us) {
    struct table *t = ctx;
    if (t->game && piece < PIECES_MAX) {
        game_place from = lies_at(t, piece);
        table__hands_removed(t, pad, piece, at_us, since_us);
        forget_forgiven(t, pad, from);
        table__removal(t, piece, from, at_us);
    }
    table__look_later(t);
}

static void on_state(void *ctx, uint16_t pad, enum pad_state state, int64_t at_us) {
    struct table *t = ctx;
    bool trouble = state == PAD_STATE_SEVERAL || state == PAD_STATE_DOUBTFUL;
    t->trouble_us[pad] = !trouble ? 0 : t->trouble_us[pad] ? t->trouble_us[pad] : at_us;
    if (t->game)
        table__hands_state(t, pad);
    table__look_later(t);
}

// The table's own controls; all others are visits that the game may ask for.
static void take_control(struct table *t, uint16_t pad, enum control control, int64_t at_us) {
    struct error err;
    struct game_issues issues;
    struct table__reply none = {0};
    bool dark = table__dark(t);
    if (!table__playing(t)) {
        if (control == CONTROL_START && !dark &&
            table__start_preset(t, TABLE__TAP, "table", none, &issues, &err))
            log_warning("table", "start refused table=%s code=%s: %s", t->options.name, error_name(err.code),
                        err.text);
        else if (control == CONTROL_UNDO && !dark)
            table__undo(t, NULL, NULL, none, &err);
        return;
    }
    if (control == CONTROL_PAUSE) {
        if (t->game->ahead.paused)
            table__resume(t, TABLE__HOST, none, &err);
        else
            table__pause(t, TABLE__BY_HOST, TABLE__TAP, NULL, none, &err);
        return;
    }
    if (t->game->ahead.paused)
        return;
    if (!dark && control == CONTROL_UNDO)
        table__undo(t, NULL, NULL, none, &err);
    else if (!dark && control == CONTROL_REPEAT)
        table__repeat(t);
    else if (dark || !table__choice_control(t, control))
        table__hands_control(t, pad, control, at_us);
    table__look_later(t);
}

static void on_control(void *ctx, uint16_t pad, enum control control, int64_t at_us) {
    struct table *t = ctx;
    if (t->door->enrol)
        door__enrol_placed(t, pad, PIECE_NONE);
    take_control(t, pad, control, at_us);
}

// What an operator should know, once and without naming a tag; in the dark nothing (U1, U10).
static void on_notice(void *ctx, uint16_t pad, enum board_notice notice, int64_t at_us) {
    static const struct {
        const char *code, *text;
    } words[] = {[BOARD_NOTICE_UNKNOWN] = {"not_in_game", "This piece is not in this game."},
                 [BOARD_NOTICE_RANDOM] = {"random_tag", "A phone or card lies here; please take it away."},
                 [BOARD_NOTICE_PARTIAL] = {"cut_tag", "A tag is read in part only."},
                 [BOARD_NOTICE_DUPLICATE] = {"duplicate", "The same piece seems to lie on two pads."},
                 [BOARD_NOTICE_GHOST] = {NULL, NULL},
                 [BOARD_NOTICE_OVERFLOW] = {"several", "Please spread the pieces."}};
    struct table *t = ctx;
    (void)at_us;
    if (t->door->enrol)
        door__enrol_notice(t, pad, notice);
    if ((unsigned)notice >= sizeof words / sizeof *words || !words[notice].code || table__dark(t))
        return;
    log_info("table", "notice=%s table=%s pad=%s", words[notice].code, t->options.name,
             board_pad(t->board, pad)->name);
    if (!table__playing(t))
        return;
    game_place place = t->game->pad_places[pad] ? t->game->pad_place[pad][0] : GAME_NONE;
    table__remind(t, words[notice].code, place, narration_translate(t->options.language, words[notice].text));
}

// ---- birth and death

static enum error_code own_readers(struct table *t, struct error *err) {
    for (unsigned i = 0; i < board_pads(t->board); i++) {
        const char *name = board_pad(t->board, i)->reader;
        unsigned k = 0;
        while (k < t->readers.n && strcmp(t->readers.reader[k].name, name) != 0)
            k++;
        if (k < t->readers.n || k == OBSERVE_READERS_MAX)
            continue;
        t->readers.reader[k] = (struct observe_reader){.name = name, .driver = ""};
        t->readers.n++;
    }
    t->reader_now = calloc(t->readers.n + 1u, sizeof *t->reader_now);
    return t->reader_now ? ERROR_OK : error_set(err, ERROR_INTERNAL, NULL, "out of memory");
}

enum error_code table__create(struct door *door, struct table *t, const struct table_options *options,
                              struct error *err) {
    const struct board_listener listener = {on_placed, on_removed, on_state, on_control, on_notice, t};
    t->door = door;
    t->loop = door->loop;
    t->options = *options;
    t->options.pads = NULL;
    t->options.maps = NULL;
    if (t->options.timing.night_scale_percent <= 0)
        t->options.timing.night_scale_percent = 100;
    table__begin_ids(t);
    if (options->n_maps > TABLE_MAP_MAX)
        return error_set(err, ERROR_INVALID, options->name, "more than %d places are mapped", TABLE_MAP_MAX);
    t->maps = calloc(options->n_maps + 1, sizeof *t->maps);
    t->trouble_us = calloc(options->n_pads + 1, sizeof *t->trouble_us);
    if (!t->maps || !t->trouble_us)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    if (options->n_maps)
        memcpy(t->maps, options->maps, options->n_maps * sizeof *t->maps);
    if (board_create(door->loop, door->pieces, options->pads, options->n_pads, &listener, &t->board, err))
        return err->code;
    return own_readers(t, err);
}

void table__finish(struct table *t) {
    struct error err;
    error_set(&err, ERROR_BUSY, t->options.name, "the daemon is stopping");
    table__give_up_outs(t, &err);
    loop_defer_cancel(t->loop, &t->judge_call);
    table__bots_stop(t);
    loop_timer_stop(t->loop, &t->judge_timer);
    loop_timer_stop(t->loop, &t->limit_timer);
    loop_timer_stop(t->loop, &t->close_timer);
    loop_timer_stop(t->loop, &t->boundary_timer);
    loop_timer_stop(t->loop, &t->full_timer);
    if (t->game != t->shown)
        table__game_destroy(t->game);
    table__game_destroy(t->shown);
    board_destroy(t->board);
    referee_destroy(t->referee);
    free(t->ring);
    free(t->live);
    free(t->violation);
    free(t->prompt);
    free(t->thought);
    free(t->veiled);
    free(t->last);
    free(t->maps);
    free(t->trouble_us);
    free(t->reader_now);
}
