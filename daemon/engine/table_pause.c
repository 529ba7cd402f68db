// Pause, resume and the end by the host; readers that go and come back.
#include "core/json.h"
#include "core/log.h"
#include "core/phrase.h"
#include "engine/table__.h"
#include <stdio.h>
#include <string.h>

static const char *put_reason(struct table *t, enum table__pause why, int64_t left_us, const char *text) {
    struct json j;
    json_begin(&j, t->door->body, sizeof t->door->body);
    json_begin_object(&j);
    json_key(&j, "reason");
    json_text(&j, table__pause_name(why));
    json_key(&j, "left_us");
    json_int(&j, left_us);
    json_key(&j, "text");
    json_text(&j, text);
    json_end_object(&j);
    json_end(&j);
    return t->door->body;
}

enum error_code table__pause(struct table *t, enum table__pause why, enum table__cause cause,
                             const char *text, struct table__reply reply, struct error *err) {
    struct table__game *g = t->game;
    if (!table__playing(t) || (g->ahead.paused && why != TABLE__BY_RESTART))
        return error_set(err, ERROR_NOT_NOW, t->options.name,
                         "no game is played here, or it is paused already");
    if (table__room_last(t, 1, 1, err))
        return err->code;
    int64_t left = table__left_us(&g->ahead, table__now(t));
    struct table__entry entry = {.prev = g->ahead.head,
                                 .kind = JOURNAL_PAUSE,
                                 .cause = cause,
                                 .step = why,
                                 .action = (game_action)left};
    if (table__append(t, &entry, "table", put_reason(t, why, left, text), false, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    struct table__out *out = table__out(t, true);
    out->reply = reply;
    snprintf(out->reason, sizeof out->reason, "%s", text ? text : "");
    table__arm(t);
    table__release(t);
    return ERROR_OK;
}

enum error_code table__resume(struct table *t, enum table__cause cause, struct table__reply reply,
                              struct error *err) {
    struct table__game *g = t->game;
    if (!table__playing(t) || !g->ahead.paused)
        return error_set(err, ERROR_NOT_NOW, t->options.name, "no game is paused here");
    if (table__room(t, 1, 1, err))
        return err->code;
    t->waived = cause != TABLE__TAP && g->ahead.reason == TABLE__BY_READER;
    bool restarted = g->ahead.reason == TABLE__BY_RESTART;
    struct table__entry entry = {.prev = g->ahead.head, .kind = JOURNAL_RESUME, .cause = cause};
    if (table__append(t, &entry, "table", "{}", false, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    struct table__out *out = table__out(t, true);
    out->reply = reply;
    t->removals_us[0] = t->removals_us[1] = t->removals_us[2] = 0;
    if (g->ahead.dark)
        table__dark_restart(t);
    else if (restarted) // what readers found there has lain there: nobody has touched anything with it
        table__hands_accept(t);
    table__arm(t);
    table__release(t);
    table__look_later(t);
    return ERROR_OK;
}

static enum error_code end_now(struct table *t, enum table__cause cause, const char *reason,
                               struct table__reply reply, struct error *err) {
    struct table__game *g = t->game;
    if (table__room_last(t, 1, 3, err))
        return err->code;
    if (g->ahead.dark)
        table__dark_restart(t); // nothing of the step that ends here goes on
    struct json j;
    json_begin(&j, t->door->body, sizeof t->door->body);
    json_begin_object(&j);
    json_key(&j, "reason");
    json_text(&j, reason);
    json_end_object(&j);
    json_end(&j);
    struct table__entry entry = {.prev = g->ahead.head, .kind = JOURNAL_END, .cause = cause};
    if (table__append(t, &entry, "table", t->door->body, false, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    struct table__out *out = table__out(t, true);
    out->reply = reply;
    snprintf(out->reason, sizeof out->reason, "%s", reason ? reason : "");
    table__choice_close(t);
    table__clear_violations(t);
    t->follow = false;
    table__arm(t);
    table__release(t);
    return ERROR_OK;
}

enum error_code table__end(struct table *t, enum table__cause cause, const char *reason,
                           struct table__reply reply, struct error *err) {
    if (!table__playing(t) || (table__dark(t) && !t->game->ahead.paused))
        return error_set(err, ERROR_NOT_NOW, t->options.name,
                         "no game to end, or not at this moment: pause it first");
    return end_now(t, cause, reason, reply, err);
}

enum error_code table__end_full(struct table *t, struct error *err) {
    char reason[160];
    phrase_text(t->options.language, "The record of this game is full; it ends here.", reason, sizeof reason);
    return end_now(t, TABLE__TIMER, reason, (struct table__reply){0}, err);
}

enum error_code table__forgive(struct table *t, const struct observe_violation *violation,
                               enum table__cause cause, const char *reason, struct table__reply reply,
                               struct error *err) {
    struct table__game *g = t->game;
    game_place places[OBSERVE_REPAIRS_MAX];
    struct json j;
    if (table__room(t, 1, 3, err))
        return err->code;
    json_begin(&j, t->door->body, sizeof t->door->body);
    json_begin_object(&j);
    json_key(&j, "forgive");
    json_text(&j, violation->rule);
    json_key(&j, "places");
    json_begin_array(&j);
    for (unsigned i = 0; i < violation->n_places; i++) {
        places[i] = game_place_find(&g->places, violation->places[i]);
        json_text(&j, violation->places[i]);
    }
    json_end_array(&j);
    json_key(&j, "reason");
    json_text(&j, reason);
    json_end_object(&j);
    json_end(&j);
    struct table__entry entry = {.prev = g->ahead.head, .kind = JOURNAL_OVERRIDE, .cause = cause};
    unsigned n = violation->n_places;
    if (table__append(t, &entry, "table", t->door->body, false, err) ||
        table__fold(g, &g->ahead, g->n_entries - 1, err))
        return err->code;
    struct table__out *out = table__out(t, true);
    out->reply = reply;
    snprintf(out->reason, sizeof out->reason, "%s", reason ? reason : "");
    for (unsigned i = 0; i < n; i++)
        if (places[i] != GAME_NONE)
            t->forgiven[places[i] / 64] |= UINT64_C(1) << places[i] % 64;
    for (unsigned pad = 0; pad < board_pads(t->board); pad++)
        table__hands_state(t, pad);
    table__release(t);
    table__look_later(t);
    return ERROR_OK;
}

// ---- readers. Within the dark their coming and going waits for the boundary (design 5.4).

static void tell_reader(struct table *t, unsigned i) {
    struct observe_reader *reader = &t->readers.reader[i];
    bool lost = !reader->up;
    if (t->reader_now[i].lost == lost)
        return;
    t->reader_now[i].lost = lost;
    table__tell(t,
                &(struct observe_event){.type = lost ? OBSERVE_EVENT_READER_LOST : OBSERVE_EVENT_READER_BACK,
                                        .seat = -1,
                                        .reader = reader->name,
                                        .text = reader->why});
}

void table__readers_told(struct table *t, bool boundary) {
    if (table__dark(t) && !boundary)
        return;
    for (unsigned i = 0; i < t->readers.n; i++) {
        struct table__reader *now = &t->reader_now[i];
        struct observe_reader *told = &t->readers.reader[i];
        if (told->up == now->up && told->driver && !strcmp(told->driver, now->driver) &&
            (now->up || !strcmp(now->told, now->why))) // the first reason of a reader is not its last
            continue;
        if (now->up)
            log_info("reader", "up reader=%s driver=%s", told->name, now->driver);
        else if (told->driver && *told->driver) // not the first word of all, before it was opened
            log_warning("reader", "%s reader=%s driver=%s", now->why, told->name, now->driver);
        told->up = now->up;
        told->driver = now->driver;
        told->since_us = now->since_us;
        snprintf(now->told, sizeof now->told, "%s", now->why);
        told->why = *now->told ? now->told : NULL;
        t->readers_dirty = true;
        if (now->was_up)
            tell_reader(t, i);
    }
    if (!t->readers_dirty)
        return;
    t->readers_dirty = false;
    for (size_t i = 0; i < t->door->n_sinks; i++)
        if (t->door->sinks[i].readers)
            t->door->sinks[i].readers(t->door->sinks[i].ctx, t->options.name, &t->readers);
}

void table__reader(struct table *t, const char *name, const char *driver, bool up, const char *why) {
    for (unsigned i = 0; i < t->readers.n; i++) {
        struct table__reader *now = &t->reader_now[i];
        if (strcmp(t->readers.reader[i].name, name) != 0)
            continue;
        if (up != now->up || !now->since_us)
            now->since_us = clock_wall_us(loop_clock(t->loop));
        t->waived &= !now->up || up; // one more is lost; other news of those that are away are none
        now->was_up |= now->up || up;
        now->up = up;
        snprintf(now->driver, sizeof now->driver, "%s", driver);
        snprintf(now->why, sizeof now->why, "%s", why ? why : "");
    }
    if (table__playing(t))
        table__readers_told(t, false);
    table__look_later(t); // tells of them too
}

bool table__readers_up(const struct table *t) {
    const struct table__game *g = t->game;
    for (unsigned pad = 0; g && pad < board_pads(t->board); pad++) {
        if (!g->pad_places[pad] || board_pad(t->board, pad)->kind == BOARD_PAD_TAP)
            continue;
        for (unsigned i = 0; i < t->readers.n; i++)
            if (!strcmp(t->readers.reader[i].name, board_pad(t->board, pad)->reader) &&
                !t->reader_now[i].up && t->reader_now[i].was_up)
                return false;
    }
    return true;
}
