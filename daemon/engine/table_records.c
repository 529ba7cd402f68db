// Records, and the ring of outputs that wait for the disk.
#include "core/log.h"
#include "engine/table__.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *table__cause_name(enum table__cause cause) {
    static const char *const names[] = {"tap", "rest", "mqtt", "local", "timer", "chance", "host", "bot"};
    return names[cause];
}

const char *table__pause_name(enum table__pause reason) {
    static const char *const names[] = {"host", "reader", "spill", "disk", "restart"};
    return names[reason];
}

// ---- appending

// A game that has as many records as are kept ends here: the last ones are for that.
static void full_due(void *ctx) {
    struct table *t = ctx;
    struct error err;
    if (!table__playing(t))
        return;
    log_warning("table", "a game has all the records that are kept, it ends table=%s", t->options.name);
    if (table__end_full(t, &err) == ERROR_BUSY)
        loop_timer_start(t->loop, &t->full_timer, table__now(t) + 10000, full_due, t);
}

enum error_code table__room_last(struct table *t, unsigned records, unsigned outs, struct error *err) {
    if (t->storage_failed || !t->door->storage_ok)
        return error_set(err, ERROR_STORAGE, t->options.name,
                         "the disk takes no records; free space or replace it, then restart");
    if (t->ring_n + outs > TABLE__RING || journal_pending(t->door->journal) + records > JOURNAL_QUEUE_MAX)
        return error_set(err, ERROR_BUSY, t->options.name, NULL);
    return ERROR_OK;
}

enum error_code table__room(struct table *t, unsigned records, unsigned outs, struct error *err) {
    const struct table__game *g = t->game;
    unsigned most = t->options.records_max ? t->options.records_max : TABLE_RECORDS_MAX;
    if (table__room_last(t, records, outs, err))
        return err->code;
    if (!g || g->n_entries + records + TABLE__LAST_RECORDS <= most)
        return ERROR_OK;
    loop_timer_start(t->loop, &t->full_timer, table__now(t), full_due, t);
    return error_set(err, ERROR_TOO_LARGE, t->options.name,
                     "this game has %u records, more are not kept; it ends here", most);
}

static enum error_code grow(struct table__game *g, struct error *err) {
    if (g->n_entries < g->cap_entries)
        return ERROR_OK;
    if (g->n_entries >= TABLE_RECORDS_MAX)
        return error_set(err, ERROR_TOO_LARGE, NULL, "more than %d records of one game", TABLE_RECORDS_MAX);
    uint32_t cap = g->cap_entries ? 2 * g->cap_entries : 256;
    struct table__entry *entry = realloc(g->entry, cap * sizeof *entry);
    if (entry)
        g->entry = entry;
    uint32_t *path = realloc(g->path, cap * sizeof *path);
    if (path)
        g->path = path;
    if (!entry || !path)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    g->cap_entries = cap;
    return ERROR_OK;
}

enum error_code table__keep(struct table__game *g, const struct table__entry *entry, struct error *err) {
    if (grow(g, err))
        return err->code;
    g->entry[g->n_entries++] = *entry;
    return ERROR_OK;
}

enum error_code table__append(struct table *t, struct table__entry *entry, const char *by, const char *body,
                              bool more, struct error *err) {
    struct table__game *g = t->game;
    char cause[48];
    if (grow(g, err))
        return err->code;
    int64_t mono = clock_mono_us(loop_clock(t->loop));
    entry->n = t->n + 1;
    entry->wall_us = clock_wall_us(loop_clock(t->loop));
    if (!entry->mono_us)
        entry->mono_us = mono;
    snprintf(cause, sizeof cause, "%s%s%s%s%s%s", table__cause_name(entry->cause),
             entry->flags & TABLE__LATE ? " late" : "", entry->flags & TABLE__CARRIED ? " carried" : "",
             entry->flags & TABLE__EARLY ? " early" : "",
             entry->flags & TABLE__WAS_DECLARED ? " declared" : "",
             entry->flags & TABLE__SLIP ? " slip" : "");
    struct journal_record record = {.table = t->options.name,
                                    .game = g->id,
                                    .n = entry->n,
                                    .kind = entry->kind,
                                    .by = by,
                                    .cause = cause,
                                    .boot = t->door->boot,
                                    .mono_us = mono,
                                    .wall_us = entry->wall_us,
                                    .body = body,
                                    .evidence = ""};
    if (journal_append(t->door->journal, &record, more, err))
        return err->code;
    t->n++;
    if (entry->kind != JOURNAL_START)
        g->entry[g->n_entries++] = *entry;
    return ERROR_OK;
}

struct table__out *table__out(struct table *t, bool record) {
    if (t->ring_n == TABLE__RING)
        return NULL;
    struct table__out *out = &t->ring[(t->ring_first + t->ring_n++) % TABLE__RING];
    *out = (struct table__out){.game = t->game, .n = t->n, .index = TABLE__NONE, .seat = -1};
    if (record && t->game->n_entries && t->game->entry[t->game->n_entries - 1].n == t->n)
        out->index = t->game->n_entries - 1;
    return out;
}

// ---- what is durable is told

// How many records a night made tells how many acted in it, also afterwards: they are not counted (5.4). Nor
// is that a piece was seen for the first time: of a card that is laid face down it would tell which it is
// not.
static void count(struct table *t, const struct table__entry *e, bool dark) {
    if (dark || e->kind == JOURNAL_BIND)
        return;
    t->records++;
    t->actions += (e->kind == JOURNAL_ACT || e->kind == JOURNAL_OVERRIDE) && (e->flags & TABLE__ACTS);
}

// When what is told now takes place: at its boundary, or now if that has passed.
static int64_t moment(const struct table *t, const struct table__out *out) {
    int64_t now = table__now(t);
    return out->not_before_us && now - out->not_before_us < TABLE__LEEWAY_US ? out->not_before_us : now;
}

// A boundary that was late shifts what begins with it.
static void shift(struct table *t, struct table__game *g, struct table__out *out) {
    int64_t late = table__now(t) - out->not_before_us;
    if (!out->not_before_us || late < TABLE__LEEWAY_US)
        return;
    struct table__position *both[] = {&g->announced, &g->ahead};
    for (unsigned i = 0; i < 2; i++) {
        both[i]->from_us += late;
        both[i]->clock_us += late;
        if (both[i]->deadline_us)
            both[i]->deadline_us += late;
    }
}

static void tell_moment(struct table *t, struct table__game *g, const struct game_phase *before,
                        uint32_t n_before) {
    struct table__position *p = &g->announced;
    bool moved = before->id != p->phase.id || before->round != p->phase.round || (p->dark && p->step == 0);
    if (p->phase_n != n_before && (moved || !p->dark))
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_PHASE_STARTED, .seat = -1});
    if (p->dark && p->phase_n != n_before)
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_STEP_STARTED, .seat = -1});
    if (p->phase.over && !before->over) {
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_REVEALED, .seat = -1});
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_RESULT, .seat = -1});
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_GAME_ENDED, .seat = -1});
    }
}

static void tell_record(struct table *t, const struct table__entry *e, const struct table__out *out) {
    const char *reason = *out->reason ? out->reason : NULL;
    switch (e->kind) {
    case JOURNAL_PAUSE:
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_PAUSED,
                                               .seat = -1,
                                               .reason = table__pause_name((enum table__pause)e->step),
                                               .text = reason});
        break;
    case JOURNAL_RESUME:
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_RESUMED, .seat = -1});
        break;
    case JOURNAL_END:
        table__tell(t,
                    &(struct observe_event){.type = OBSERVE_EVENT_GAME_ENDED, .seat = -1, .reason = reason});
        break;
    case JOURNAL_OVERRIDE:
        table__tell(t,
                    &(struct observe_event){.type = OBSERVE_EVENT_OVERRIDDEN, .seat = -1, .reason = reason});
        break;
    default:
        break;
    }
}

// An undo is told with what it takes back, as far as that was told.
static void tell_undo(struct table *t, struct table__game *g, uint32_t undone, const char *reason) {
    struct observe_action words;
    struct observe_event event = {
        .type = OBSERVE_EVENT_UNDONE, .seat = -1, .reason = *reason ? reason : NULL};
    const struct table__entry *e = &g->entry[undone];
    struct game_act act;
    g->game->decode(g->announced.state, e->by, e->action, &act);
    if (table__is_public(g, g->game->phases[g->announced.phase.id].veil, &act)) {
        table__action_words(g, g->announced.state, e->by, e->action, &words);
        event.action = &words;
    }
    table__tell(t, &event);
}

// What the set-up warns of is said once.
static void tell_warnings(struct table *t, const struct table__game *g) {
    for (unsigned i = 0; i < g->issues.n; i++)
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_REMINDER,
                                               .seat = -1,
                                               .code = g->issues.issue[i].code,
                                               .text = g->issues.issue[i].text});
}

static void begin_shown(struct table *t, struct table__game *g) {
    if (t->shown != g)
        table__game_destroy(t->shown);
    t->shown = g;
    t->n_violations = t->n_prompts = 0;
    t->choice_shown = false;
    t->last->n_lines = 0; // what was said in the game before is not repeated in this one
}

// Folds what the record and those before it did; the state just before it is left in `scratch`.
static void announce(struct table *t, struct table__game *g, uint32_t index) {
    for (uint32_t i = g->announced.index + 1; i <= index; i++) {
        struct error err;
        if (i == index)
            memcpy(g->scratch, g->announced.state, g->game->state_size);
        count(t, &g->entry[i], g->announced.dark);
        enum error_code code = table__fold(g, &g->announced, i, &err);
        assert(code == ERROR_OK); // ahead has accepted the same record
        (void)code;
    }
}

// What all views are made from until the day: state and board as the dark begins.
static void freeze(struct table *t, struct table__game *g) {
    memcpy(g->frozen, g->announced.state, g->game->state_size);
    table__levels(t, g, g->frozen_level);
    t->n_violations = t->n_prompts = 0; // nothing is asked of hands now
    t->choice_shown = false;
}

// What a folded record and its output have to say, to those who listen now.
static void say_record(struct table *t, struct table__game *g, const struct table__out *out,
                       const struct game_phase *before, uint32_t n_before) {
    const struct table__entry *last = out->index == TABLE__NONE ? NULL : &g->entry[out->index];
    table__show(t);
    if (out->starts) {
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_GAME_STARTED, .seat = -1});
        table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_PHASE_STARTED, .seat = -1});
        tell_warnings(t, g);
    }
    if (last && (last->kind == JOURNAL_ACT || last->kind == JOURNAL_OVERRIDE) && (last->flags & TABLE__ACTS))
        table__tell_action(t, g, last, before, g->scratch);
    if (last && last->kind == JOURNAL_UNDO)
        tell_undo(t, g, (uint32_t)last->action, out->reason);
    else if (last)
        tell_record(t, last, out);
    tell_moment(t, g, before, n_before);
}

static void release_record(struct table *t, struct table__out *out) {
    struct table__game *g = out->game;
    if (out->starts) {
        begin_shown(t, g);
        t->records++;
    }
    struct table__position *p = &g->announced;
    struct game_phase before = p->phase;
    bool was_dark = p->dark;
    uint32_t n_before = p->phase_n;
    const struct table__entry *last = out->index == TABLE__NONE ? NULL : &g->entry[out->index];
    if (last)
        announce(t, g, out->index);
    if (p->dark && last && (last->kind == JOURNAL_STEP || last->kind == JOURNAL_RESUME))
        p->from_us = g->ahead.from_us = moment(t, out);
    else
        shift(t, g, out);
    if (out->quiet)
        return;
    bool first = p->dark && last && last->kind == JOURNAL_STEP && last->step == 0;
    bool part = first && was_dark && (before.id != p->phase.id || before.round != p->phase.round);
    bool begins_dark = p->dark && !part && (!was_dark || first);
    if (begins_dark)
        freeze(t, g);
    if (part) // the board stays as it was frozen
        table__take_script(t, g, p);
    if (p->phase.over && !before.over)
        table__story(t, g);
    if (begins_dark || p->dark != was_dark)
        table__show_again(t, OBSERVE_PART_BOARD); // frozen, and the first one after it, once
    t->repeats = last && last->kind == JOURNAL_RESUME;
    t->hears = TABLE__PUBLIC; // the seats' views keep nobody's event waiting
    say_record(t, g, out, &before, n_before);
    if (!p->dark)
        table__narrate(t, &out->notes, NULL, table__now(t));
    t->hears = TABLE__SEATS;
    say_record(t, g, out, &before, n_before);
    t->hears = TABLE__ALL;
    if (p->dark && !p->paused && p->phase_n != n_before)
        table__dark_announced(t, p->from_us);
    if (out->starts)
        table__narrate_phase(t, g->game->phases[p->phase.id].id);
    if (was_dark && !p->dark) {
        table__arm(t);
        table__look_later(t);
    }
}

static void show_violation(struct table *t, const struct table__out *out) {
    t->violations += !out->quiet;
    for (unsigned i = 0; i < t->n_violations; i++)
        if (t->violation[i].id == out->violation.id) {
            t->violation[i] = out->violation;
            return;
        }
    if (t->n_violations < OBSERVE_VIOLATIONS_MAX)
        t->violation[t->n_violations++] = out->violation;
}

static void release_event(struct table *t, struct table__out *out) {
    if (out->event == OBSERVE_EVENT_UNKNOWN)
        return;
    struct observe_event event = {.type = out->event,
                                  .seat = out->seat,
                                  .reason = *out->reason ? out->reason : NULL,
                                  .code = *out->code ? out->code : NULL,
                                  .text = *out->text ? out->text : NULL};
    switch (out->event) {
    case OBSERVE_EVENT_VIOLATION_RAISED:
        show_violation(t, out);
        event.violation = &out->violation;
        break;
    case OBSERVE_EVENT_VIOLATION_CLEARED:
        for (unsigned i = 0; i < t->n_violations; i++)
            if (t->violation[i].id == out->violation.id) {
                t->n_violations--;
                memmove(&t->violation[i], &t->violation[i + 1], (t->n_violations - i) * sizeof *t->violation);
                break;
            }
        event.violation = &out->violation;
        break;
    case OBSERVE_EVENT_PROMPT:
        t->n_prompts = out->n_repairs;
        memcpy(t->prompt, out->repairs, sizeof out->repairs);
        event.repairs = out->repairs;
        event.n_repairs = out->n_repairs;
        break;
    case OBSERVE_EVENT_REMINDER:
        event.violation = out->violation.n_places ? &out->violation : NULL;
        break;
    case OBSERVE_EVENT_CHOICE_OPENED:
        t->choice_shown = true;
        event.choice = &out->game->choice;
        break;
    case OBSERVE_EVENT_CHOICE_CLOSED:
        t->choice_shown = false;
        event.choice = &out->game->choice;
        break;
    default:
        break;
    }
    static const enum table__hears both[] = {TABLE__PUBLIC, TABLE__SEATS};
    for (unsigned i = 0; i < 2; i++) {
        t->hears = both[i];
        table__show(t);
        // A step less to do is shown; a prompt without steps is hands that catch up.
        if (!out->quiet && (out->event != OBSERVE_EVENT_PROMPT || out->n_repairs))
            table__tell(t, &event);
    }
    t->hears = TABLE__ALL;
}

void table__release(struct table *t) {
    if (t->releasing)
        return;
    t->releasing = true;
    while (t->ring_n) {
        struct table__out *out = &t->ring[t->ring_first];
        if (out->n > t->durable_n || out->not_before_us > table__now(t))
            break;
        if (out->index != TABLE__NONE || out->starts)
            release_record(t, out);
        release_event(t, out);
        struct table__reply reply = out->reply;
        t->ring_first = (t->ring_first + 1) % TABLE__RING;
        t->ring_n--;
        table__answer(&reply, t, NULL);
    }
    t->releasing = false;
    table__bots(t);
}

void table__durable(struct table *t, uint64_t n) {
    if (n > t->durable_n)
        t->durable_n = n;
    table__release(t);
    table__advance(t);
    if (t->retry)
        table__look_later(t);
    t->retry = false;
}

void table__give_up_outs(struct table *t, const struct error *err) {
    bool releasing = t->releasing;
    t->releasing = true; // what an answer sets going must not tell the rest
    while (t->ring_n) {
        struct table__reply reply = t->ring[t->ring_first].reply;
        t->ring_first = (t->ring_first + 1) % TABLE__RING;
        t->ring_n--;
        table__answer(&reply, t, err);
    }
    t->releasing = releasing;
}

// ---- the disk fails (design 2, law 2)

void table__disk_failed(struct table *t) {
    if (t->storage_failed)
        return;
    t->storage_failed = true;
    struct error err;
    error_set(&err, ERROR_STORAGE, t->options.name, "the disk took no record of this; it did not happen");
    table__give_up_outs(t, &err);
    if (t->game != t->shown) {
        table__game_destroy(t->game);
        t->game = t->shown;
    }
    t->n = t->durable_n;
    loop_timer_stop(t->loop, &t->limit_timer);
    loop_timer_stop(t->loop, &t->close_timer);
    loop_timer_stop(t->loop, &t->boundary_timer);
    loop_timer_stop(t->loop, &t->judge_timer);
    loop_timer_stop(t->loop, &t->full_timer);
    struct table__game *g = t->game;
    if (!g)
        return;
    referee_state(t->referee, g->game, &g->setup, &g->places, g->ahead.state);
    g->n_entries = g->announced.index == TABLE__NONE ? 0 : g->announced.index + 1;
    table__position_copy(g, &g->ahead, &g->announced);
    struct table__position *p = &g->announced;
    if (p->phase.over || p->ended)
        return;
    p->paused = g->ahead.paused = true;
    p->reason = g->ahead.reason = TABLE__BY_DISK;
    p->deadline_us = g->ahead.deadline_us = 0;
    t->n_live = t->n_violations = 0;
    t->choice_open = t->choice_shown = false;
    table__show(t);
    table__tell(t, &(struct observe_event){.type = OBSERVE_EVENT_PAUSED,
                                           .seat = -1,
                                           .reason = table__pause_name(TABLE__BY_DISK),
                                           .text = "The disk takes no more records; the game stops here."});
}
