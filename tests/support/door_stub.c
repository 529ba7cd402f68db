#include "support/door_stub.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct door *door_stub_create(void) {
    struct door *door = calloc(1, sizeof *door);
    assert(door);
    door->health = (struct door_health){true, 1, 1, 10, 5, 1};
    door->answer = (struct door_answer){.code = ERROR_OK, .version = 42};
    return door;
}

void door_stub_destroy(struct door *door) {
    assert(door->n_waiting == 0);
    for (size_t i = 0; i < door->n_tables; i++)
        for (size_t k = 0; k <= OBSERVE_SEATS_MAX; k++)
            free(door->table[i].view[k]);
    free(door);
}

static struct door_stub_table *find(const struct door *door, const char *name) {
    for (size_t i = 0; i < door->n_tables; i++)
        if (!strcmp(door->table[i].name, name))
            return (struct door_stub_table *)&door->table[i];
    return NULL;
}

struct observation *door_stub_view(struct door *door, const char *table, int audience) {
    struct door_stub_table *found = find(door, table);
    return found && audience >= OBSERVE_PUBLIC && audience < OBSERVE_SEATS_MAX ? found->view[audience + 1]
                                                                               : NULL;
}

void door_stub_table(struct door *door, const char *name, unsigned seats) {
    assert(door->n_tables < DOOR_STUB_TABLES_MAX);
    struct door_stub_table *table = &door->table[door->n_tables++];
    snprintf(table->name, sizeof table->name, "%s", name);
    for (int audience = OBSERVE_PUBLIC; audience < (int)seats; audience++) {
        struct observation *view = calloc(1, sizeof *view);
        assert(view);
        table->view[audience + 1] = view;
        view->audience = audience;
        view->version = 1;
        view->status = OBSERVE_RUNNING;
        view->table = table->name;
        view->game = "one_night";
        view->title = "One Night";
        strcpy(view->game_id, "00aa11bb22cc33dd");
        view->rules_rev = 1;
        view->seats = (uint8_t)seats;
        view->phase = (struct observe_phase){.n = 1, .id = "day", .round = 1, .veil = OBSERVE_OPEN};
        view->n_places = 1;
        view->place[0] =
            (struct observe_place){.name = "c1", .level = OBSERVE_OCCUPIED, .sensed = true, .seat = -1};
        for (unsigned i = 0; i < seats; i++)
            view->seat[i] = (struct observe_seat){.present = true, .alive = true};
        if (audience >= 0) {
            view->n_facts = 1;
            view->fact[0] =
                (struct observe_fact){.key = "dealt", .seat = (int8_t)audience, .kind = "canary_role"};
        }
    }
}

void door_stub_show(struct door *door, const char *table, int audience, unsigned parts) {
    struct observation *view = door_stub_view(door, table, audience);
    view->version++;
    for (size_t i = 0; i < door->n_sinks; i++)
        door->sink[i]->view(door->sink[i]->ctx, view, parts);
}

void door_stub_show_all(struct door *door, const char *table) {
    for (int audience = OBSERVE_PUBLIC; door_stub_view(door, table, audience); audience++)
        door_stub_show(door, table, audience, OBSERVE_PART_ALL);
}

void door_stub_event(struct door *door, const char *table, int audience, enum observe_event_type type,
                     const char *text) {
    struct observe_event event = {.type = type,
                                  .seq = ++find(door, table)->event_seq[audience + 1],
                                  .at_us = 1767225600000000,
                                  .seat = -1,
                                  .text = text};
    for (size_t i = 0; i < door->n_sinks; i++)
        door->sink[i]->event(door->sink[i]->ctx, table, audience, &event);
}

void door_stub_narrate(struct door *door, const char *table, const char *text) {
    struct observe_narration narration = {.seq = ++find(door, table)->event_seq[0], .n_lines = 1};
    narration.line[0].id = "line";
    snprintf(narration.line[0].text, sizeof narration.line[0].text, "%s", text);
    for (size_t i = 0; i < door->n_sinks; i++)
        door->sink[i]->narration(door->sink[i]->ctx, table, &narration);
}

static void answer(struct door *door, door_reply_fn *reply, void *ctx) {
    door->n_requests++;
    if (!door->later) {
        reply(ctx, &door->answer);
        return;
    }
    assert(door->n_waiting < DOOR_STUB_REPLIES_MAX);
    door->waiting[door->n_waiting].reply = reply;
    door->waiting[door->n_waiting++].ctx = ctx;
}

void door_stub_reply(struct door *door) {
    for (size_t i = 0; i < door->n_waiting; i++)
        door->waiting[i].reply(door->waiting[i].ctx, &door->answer);
    door->n_waiting = 0;
}

void door_stub_refuse(struct door *door, enum error_code code, const char *rule, const char *text) {
    door->answer = (struct door_answer){.code = code, .error = {.code = code}};
    snprintf(door->answer.error.rule, sizeof door->answer.error.rule, "%s", rule);
    snprintf(door->answer.error.text, sizeof door->answer.error.text, "%s", text);
}

static struct door_stub_request *record(struct door *door, enum door_stub_kind kind, const char *table,
                                        const struct door_who *who) {
    memset(&door->last, 0, sizeof door->last);
    door->last.kind = kind;
    door->last.who = *who;
    snprintf(door->last.table, sizeof door->last.table, "%s", table);
    return &door->last;
}

#define COPY(to, from) snprintf(to, sizeof to, "%s", (from) ? (from) : "")

// ---- door.h

size_t door_tables(const struct door *door) {
    return door->n_tables;
}

const char *door_table(const struct door *door, size_t i) {
    return door->table[i].name;
}

const struct observation *door_view(struct door *door, const char *table, int audience) {
    return door_stub_view(door, table, audience);
}

bool door_status(const struct door *door, const char *table, enum observe_status *ret_status,
                 const char **ret_game) {
    for (size_t i = 0; i < door->n_tables; i++) {
        if (strcmp(door->table[i].name, table) != 0)
            continue;
        *ret_status = door->table[i].view[0]->status;
        *ret_game = door->table[i].view[0]->game;
        return true;
    }
    return false;
}

bool door_preset(const struct door *door, const char *table, struct door_preset *ret) {
    *ret = door->preset;
    return find((struct door *)door, table) && ret->game;
}

const struct observe_readers *door_readers(struct door *door, const char *table) {
    return find(door, table) ? &door->readers : NULL;
}

void door_start(struct door *door, const char *table, const struct door_who *who,
                const struct door_start *start, door_reply_fn *reply, void *ctx) {
    struct door_stub_request *last = record(door, DOOR_STUB_START, table, who);
    COPY(last->game, start->game);
    COPY(last->preset, start->preset);
    COPY(last->cards, start->cards);
    last->seats = start->seats;
    last->seed = start->seed;
    for (size_t i = 0, n = 0; i < start->n_options && n < sizeof last->options; i++)
        n += (size_t)snprintf(last->options + n, sizeof last->options - n, "%s%s=%s", i ? " " : "",
                              start->options[i].name, start->options[i].value);
    answer(door, reply, ctx);
}

void door_act(struct door *door, const char *table, const struct door_who *who, const char *action,
              uint64_t if_seq, door_reply_fn *reply, void *ctx) {
    struct door_stub_request *last = record(door, DOOR_STUB_ACT, table, who);
    COPY(last->action, action);
    last->if_seq = if_seq;
    answer(door, reply, ctx);
}

void door_control(struct door *door, const char *table, const struct door_who *who,
                  const struct door_control_request *request, door_reply_fn *reply, void *ctx) {
    struct door_stub_request *last = record(door, DOOR_STUB_CONTROL, table, who);
    last->control = *request;
    COPY(last->reason, request->reason);
    COPY(last->action, request->action);
    last->control.reason = request->reason ? last->reason : NULL;
    last->control.action = request->action ? last->action : NULL;
    answer(door, reply, ctx);
}

void door_enrol(struct door *door, const char *table, const struct door_who *who, const char *deck,
                const char *name, const char *kind, const char *face, const char *pad, unsigned wait_ms,
                door_reply_fn *reply, void *ctx) {
    struct door_stub_request *last = record(door, DOOR_STUB_ENROL, table, who);
    COPY(last->deck, deck);
    COPY(last->name, name);
    COPY(last->kind_of_piece, kind);
    COPY(last->face, face);
    COPY(last->pad, pad);
    last->wait_ms = wait_ms;
    answer(door, reply, ctx);
}

void door_enrol_import(struct door *door, const struct door_who *who, const char *csv, door_reply_fn *reply,
                       void *ctx) {
    COPY(record(door, DOOR_STUB_IMPORT, "", who)->action, csv);
    answer(door, reply, ctx);
}

void door_enrol_remove(struct door *door, const struct door_who *who, const char *deck, const char *name,
                       door_reply_fn *reply, void *ctx) {
    struct door_stub_request *last = record(door, DOOR_STUB_REMOVE, "", who);
    COPY(last->deck, deck);
    COPY(last->name, name);
    answer(door, reply, ctx);
}

enum error_code door_check(struct door *door, const char *table, const struct door_start *start,
                           struct door_checked *ret, struct error *err) {
    (void)err;
    memset(ret, 0, sizeof *ret);
    ret->ok = start->seats != 16;
    ret->seats = start->seats;
    ret->setup = door_stub_view(door, table, OBSERVE_PUBLIC);
    return ERROR_OK;
}

bool door_pads(struct door *door, const char *table, void (*take)(void *ctx, const struct door_pad *pad),
               void *ctx) {
    const struct door_pad pad = {.name = "s1", .reader = "north", .x = -5, .n_places = 1, .places = {"s1"}};
    if (find(door, table))
        take(ctx, &pad);
    return find(door, table) != NULL;
}

enum error_code door_enrol_export(struct door *door, const struct door_who *who, const char *deck, bool tags,
                                  char **ret, struct error *err) {
    (void)door;
    (void)who;
    if (deck && !strcmp(deck, "unknown"))
        return error_set(err, ERROR_NOT_FOUND, "deck", "there is no such deck");
    *ret = strdup(tags ? "deck,name,kind,tag,face\nbase,w1,werewolf,04AA,\n"
                       : "deck,name,kind\nbase,w1,werewolf\n");
    return ERROR_OK;
}

const char *door_game_id(size_t i) {
    return i == 0 ? "one_night" : NULL;
}

const char *door_games_json(struct door *door) {
    (void)door;
    return "{\"games\":[{\"id\":\"one_night\"}]}";
}

void door_health(struct door *door, struct door_health *ret) {
    *ret = door->health;
}

size_t door_numbers(struct door *door, const struct observe_reader_numbers **ret) {
    *ret = &door->numbers;
    return door->n_numbers;
}

void door_add_sink(struct door *door, const struct observe_sink *sink) {
    assert(door->n_sinks < 4);
    door->sink[door->n_sinks++] = sink;
}
