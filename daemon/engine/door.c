// The house: tables, registry, journal, sinks, and every request of a person or program.
#include "engine/door.h"
#include "core/log.h"
#include "engine/table__.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static int name_order(const void *name, const void *row) {
    return strcmp(name, (*(struct table *const *)row)->options.name);
}

static int table_order(const void *a, const void *b) {
    return name_order((*(struct table *const *)a)->options.name, b);
}

static struct table *find(const struct door *door, const char *name) {
    struct table **row =
        name ? bsearch(name, door->by_name, door->n_tables, sizeof *door->by_name, name_order) : NULL;
    return row ? *row : NULL;
}

// ---- the journal

static void on_durable(void *ctx, const char *name, uint64_t n) {
    struct table *t = find(ctx, name);
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
        for (uint16_t pad = 0; pad < board_pads(door->tables[i].board); pad++) {
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
        door->by_name[door->n_tables++] = &door->tables[i];
        if (table__create(door, &door->tables[i], &options->tables[i], err))
            return err->code;
    }
    qsort(door->by_name, door->n_tables, sizeof *door->by_name, table_order);
    for (size_t i = 1; i < door->n_tables; i++)
        if (!table_order(&door->by_name[i - 1], &door->by_name[i]))
            return error_set(err, ERROR_INVALID, door->by_name[i]->options.name, "two tables have this name");
    if (index_antennas(door, err) || journal_open(door->loop, path, &listener, &door->journal, err))
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
    door->n_sinks = 0; // what becomes durable now is not told any more
    journal_close(door->journal);
    for (size_t i = 0; i < door->n_tables; i++)
        table__finish(&door->tables[i]);
    free_pages(door->pages);
    free_pages(door->used);
    free(door->tables);
    free(door->by_name);
    free(door->antennas);
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
    if (!row)
        return;
    struct table *t = &door->tables[row->table];
    bool again = board_scan(t->board, row->pad, loop_now_us(door->loop), outcome, tags, n_tags);
    if (t->dirty)
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

const struct observation *door_view(struct door *door, const char *table, int audience) {
    struct table *t = find(door, table);
    if (!t || audience < OBSERVE_PUBLIC || audience >= (t->shown ? t->shown->setup.seats : 0))
        return NULL;
    struct table__page *page = door->pages;
    if (page)
        door->pages = page->next;
    else if (!(page = calloc(1, sizeof *page)))
        return NULL;
    page->next = door->used;
    door->used = page;
    loop_defer(door->loop, &door->turn, on_turn, door);
    table__view(t, audience, &page->view);
    return &page->view;
}

const struct observe_readers *door_readers(struct door *door, const char *table) {
    struct table *t = find(door, table);
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
        ret->records += t->told_records;
        ret->actions += t->told_actions;
        ret->violations += t->told_violations;
    }
}

// ---- requests

struct request {
    struct table *t;
    const struct door_who *who;
    enum table__cause cause;
    struct table__reply reply;
    struct error err;
};

static void refuse(struct request *r, const struct game_issues *issues) {
    struct door_answer answer = {.code = r->err.code, .error = r->err};
    struct door_issue rows[GAME_ISSUES_MAX];
    for (unsigned i = 0; issues && i < issues->n; i++) {
        rows[i].is_error = issues->issue[i].is_error;
        memcpy(rows[i].code, issues->issue[i].code, sizeof rows[i].code);
        memcpy(rows[i].text, issues->issue[i].text, sizeof rows[i].text);
        answer.issues = rows;
        answer.n_issues++;
    }
    if (r->t)
        answer.version = r->t->audience[r->reply.audience < 0 ? GAME_SEATS_MAX : r->reply.audience].version;
    r->reply.fn(r->reply.ctx, &answer);
}

static enum table__cause cause_of(const struct door_who *who) {
    static const enum table__cause causes[] = {TABLE__REST, TABLE__MQTT, TABLE__LOCAL};
    for (unsigned i = 0; who->cause && i < sizeof causes / sizeof *causes; i++)
        if (!strcmp(who->cause, table__cause_name(causes[i])))
            return causes[i];
    return TABLE__REST;
}

static bool is_host(const struct door_who *who) {
    return who->role == DOOR_ADMIN || who->role == DOOR_OPERATOR;
}

static bool begin(struct door *door, const char *table, const struct door_who *who, door_reply_fn *reply,
                  void *ctx, bool seats_too, struct request *ret) {
    *ret = (struct request){.t = find(door, table), .who = who, .cause = cause_of(who)};
    bool seat = who->role == DOOR_SEAT && who->seat >= 0 && who->seat < GAME_SEATS_MAX;
    ret->reply = (struct table__reply){reply, ctx, seat ? who->seat : OBSERVE_PUBLIC, false};
    if (!ret->t)
        error_set(&ret->err, ERROR_NOT_FOUND, "table", "there is no table `%.32s`", table ? table : "");
    else if (!is_host(who) && !(seats_too && seat && (!*who->table || !strcmp(who->table, table))))
        error_set(&ret->err, ERROR_FORBIDDEN, table, NULL);
    if (ret->err.code)
        refuse(ret, NULL);
    return !ret->err.code;
}

void door_start(struct door *door, const char *table, const struct door_who *who,
                const struct door_start *start, door_reply_fn *reply, void *ctx) {
    struct request r;
    struct game_issues issues = {0};
    if (!begin(door, table, who, reply, ctx, false, &r))
        return;
    if (table__start(r.t, start, r.cause, "table", r.reply, &issues, &r.err))
        refuse(&r, &issues);
}

// Whom a line or a document speaks of, without a look at any state.
static int named_actor(const struct game_words *words, const char *action, bool *ret_ok) {
    char name[GAME_WORD_MAX] = "";
    int by = GAME_BY_TABLE;
    if (*action == '{') {
        json_t *json = json_loads(action, JSON_REJECT_DUPLICATES, NULL);
        const char *text = json ? json_string_value(json_object_get(json, "by")) : NULL;
        snprintf(name, sizeof name, "%s", text ? text : "");
        json_decref(json);
    } else {
        sscanf(action, "%32s", name);
    }
    *ret_ok = game_by_parse(words, name, &by);
    return by;
}

static enum error_code read_action(const struct table__game *g, const char *action, int *ret_by,
                                   game_action *ret, struct error *err) {
    if (*action != '{')
        return game_action_parse(&g->words, g->ahead.state, action, ret_by, ret, err);
    json_t *json = json_loads(action, JSON_REJECT_DUPLICATES, NULL);
    if (!json)
        return error_set(err, ERROR_INVALID, "action", "this is no JSON object");
    enum error_code code = game_action_from_json(&g->words, g->ahead.state, json, ret_by, ret, err);
    json_decref(json);
    return code;
}

// The dark takes a seat's own action without a word about it, and nothing else (design 5.4).
static void act_in_dark(struct request *r, const char *action) {
    struct table__game *g = r->t->game;
    bool ok;
    int by = named_actor(&g->words, action, &ok), parsed_by;
    game_action parsed;
    struct error err;
    if (r->who->role != DOOR_SEAT || !ok || by != r->who->seat) {
        error_set(&r->err, ERROR_NOT_NOW, r->t->options.name, NULL);
        refuse(r, NULL);
        return;
    }
    if (!g->ahead.paused && !read_action(g, action, &parsed_by, &parsed, &err) && parsed_by == by)
        table__dark_declare(r->t, by, parsed);
    struct door_answer answer = {.code = ERROR_OK, .accepted_only = true};
    answer.version = r->t->audience[r->reply.audience].version;
    r->reply.fn(r->reply.ctx, &answer);
}

static bool told_all(const struct table *t) {
    for (unsigned i = 0; i < t->ring_n; i++)
        if (t->ring[(t->ring_first + i) % TABLE__RING].index != TABLE__NONE)
            return false;
    return true;
}

void door_act(struct door *door, const char *table, const struct door_who *who, const char *action,
              uint64_t if_seq, door_reply_fn *reply, void *ctx) {
    struct request r;
    struct table__act act = {.kind = JOURNAL_ACT};
    if (!begin(door, table, who, reply, ctx, true, &r))
        return;
    while (*action == ' ' || *action == '\n' || *action == '\t' || *action == '\r')
        action++;
    if (table__playing(r.t) && table__dark(r.t)) {
        act_in_dark(&r, action);
        return;
    }
    unsigned own = r.reply.audience < 0 ? GAME_SEATS_MAX : (unsigned)r.reply.audience;
    act.cause = r.cause;
    act.reply = r.reply;
    if (!table__playing(r.t))
        error_set(&r.err, ERROR_NOT_NOW, table, "no game is being played here");
    else if (if_seq && (if_seq != r.t->audience[own].version || !told_all(r.t)))
        error_set(&r.err, ERROR_STALE, table, NULL);
    else if (!read_action(r.t->game, action, &act.by, &act.action, &r.err) && who->role == DOOR_SEAT &&
             act.by != who->seat)
        error_set(&r.err, ERROR_FORBIDDEN, "by", "a seat acts for itself");
    if (!r.err.code)
        table_act(r.t, &act, &r.err);
    if (r.err.code)
        refuse(&r, NULL);
}

// ---- control

static void forgive(struct request *r, const struct door_control_request *request) {
    struct table *t = r->t;
    const struct observe_violation *v = NULL;
    for (unsigned i = 0; i < t->n_live; i++)
        if (t->live[i].id == request->violation)
            v = &t->live[i];
    if (!v) {
        error_set(&r->err, ERROR_NOT_FOUND, "violation", "this violation is not open");
        return;
    }
    if (!table__playing(t) || table__dark(t)) {
        error_set(&r->err, ERROR_NOT_NOW, t->options.name, NULL);
        return;
    }
    table__forgive(t, v, r->cause, request->reason, r->reply, &r->err);
}

static void override(struct request *r, const struct door_control_request *request) {
    if (!request->action) {
        forgive(r, request);
        return;
    }
    struct table__act act = {
        .kind = JOURNAL_OVERRIDE, .cause = TABLE__HOST, .reason = request->reason, .reply = r->reply};
    if (!table__playing(r->t) || table__dark(r->t))
        error_set(&r->err, ERROR_NOT_NOW, r->t->options.name, NULL);
    else if (!read_action(r->t->game, request->action, &act.by, &act.action, &r->err))
        table_act(r->t, &act, &r->err);
}

void door_control(struct door *door, const char *table, const struct door_who *who,
                  const struct door_control_request *request, door_reply_fn *reply, void *ctx) {
    struct request r;
    bool seats_too = request->control == DOOR_UNDO || request->control == DOOR_CHOOSE;
    if (!begin(door, table, who, reply, ctx, seats_too, &r))
        return;
    switch (request->control) {
    case DOOR_PAUSE:
        table__pause(r.t, TABLE__BY_HOST, r.cause, request->reason, r.reply, &r.err);
        break;
    case DOOR_RESUME:
        table__resume(r.t, r.cause, r.reply, &r.err);
        break;
    case DOOR_UNDO:
        table__undo(r.t, who, request->reason, r.reply, &r.err);
        break;
    case DOOR_OVERRIDE:
        override(&r, request);
        break;
    case DOOR_CHOOSE:
        table__choose(r.t, who, request->choice, request->option, r.cause, r.reply, &r.err);
        break;
    case DOOR_END:
        table__end(r.t, r.cause, request->reason, r.reply, &r.err);
        break;
    case DOOR_AGAIN:
        table__again(r.t, r.cause, r.reply, &r.err);
        break;
    default:
        error_set(&r.err, ERROR_INVALID, "do", NULL);
    }
    if (r.err.code)
        refuse(&r, NULL);
}
