// Every request of a person or program: who may ask, for what, and when it is answered.
#include "engine/table__.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>

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
        memcpy(rows[i].text, issues->issue[i].text, sizeof issues->issue[i].text);
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
    *ret = (struct request){.t = door__table(door, table), .who = who, .cause = cause_of(who)};
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

// How many requests there is room for must not tell how much a step of the dark holds that is on its way to
// the disk (5.4). So what it holds is not counted; by night as much room is kept for it as it may ever need.
static bool has_room(struct door *door, struct request *r) {
    enum { REQUEST_RECORDS = 4 };
    size_t hidden = 0;
    bool dark = false;
    for (size_t i = 0; i < door->n_tables; i++) {
        size_t step = table__dark_pending(&door->tables[i]);
        dark |= step || table__dark(&door->tables[i]);
        hidden += step;
    }
    size_t pending = journal_pending(door->journal), told = pending > hidden ? pending - hidden : 0;
    if (!dark || told + REQUEST_RECORDS + TABLE__CLOSE_RECORDS <= JOURNAL_QUEUE_MAX)
        return true;
    error_set(&r->err, ERROR_BUSY, r->t->options.name, NULL);
    refuse(r, NULL);
    return false;
}

void door_start(struct door *door, const char *table, const struct door_who *who,
                const struct door_start *start, door_reply_fn *reply, void *ctx) {
    struct request r;
    struct game_issues issues = {0};
    if (!begin(door, table, who, reply, ctx, false, &r) || !has_room(door, &r))
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

// Whoever draws knows what was drawn. What hands deal a host may say where readers missed it; what the
// generator draws is its own, also while a draw waits for the disk, or in a pause.
static bool is_drawn_here(const struct table *t, const struct table__act *act) {
    const struct table__game *g = t->game;
    struct game_act words;
    if (act->by != GAME_BY_CHANCE)
        return false;
    g->game->decode(g->ahead.state, act->by, act->action, &words);
    return !g->from_readers || !(g->game->verbs[words.verb].flags & GAME_VERB_PHYSICAL);
}

// A host is a player too: no rule tells him what a seat could do under seal, or what it has hidden. Whoever
// asks for what is refused anyway would learn it from the rule alone, and nobody would see him ask.
static void hide_reason(struct request *r, const struct table__act *act) {
    const struct table__game *g = r->t->game;
    struct game_act words;
    if (r->err.code != ERROR_ILLEGAL || r->who->role == DOOR_SEAT)
        return;
    g->game->decode(g->ahead.state, act->by, act->action, &words);
    bool shut = !table__open(r->t) && act->by != GAME_BY_TABLE && act->by != GAME_BY_TIMER;
    if (shut || !table__is_public(g, OBSERVE_OPEN, &words) ||
        (g->game->verbs[words.verb].flags & GAME_VERB_HELD))
        error_set(&r->err, ERROR_ILLEGAL, "action", NULL);
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
    if (table__dark(r.t)) {
        act_in_dark(&r, action);
        return;
    }
    if (!has_room(door, &r))
        return;
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
    if (!r.err.code && is_drawn_here(r.t, &act))
        error_set(&r.err, ERROR_FORBIDDEN, "by", NULL);
    if (!r.err.code)
        table_act(r.t, &act, &r.err);
    hide_reason(&r, &act);
    if (r.err.code)
        refuse(&r, NULL);
}

// ---- control

static void forgive(struct request *r, const struct door_control_request *request) {
    struct table *t = r->t;
    const struct observe_violation *v = NULL;
    if (!table__playing(t) || table__dark(t)) { // first: in the dark nothing is told of violations
        error_set(&r->err, ERROR_NOT_NOW, t->options.name, NULL);
        return;
    }
    for (unsigned i = 0; i < t->n_live; i++)
        if (t->live[i].id == request->violation)
            v = &t->live[i];
    if (!v) {
        error_set(&r->err, ERROR_NOT_FOUND, "violation", "this violation is not open");
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
    else if (!read_action(r->t->game, request->action, &act.by, &act.action, &r->err) &&
             is_drawn_here(r->t, &act))
        error_set(&r->err, ERROR_FORBIDDEN, "by", NULL);
    else if (!r->err.code)
        table_act(r->t, &act, &r->err);
    hide_reason(r, &act);
}

void door_control(struct door *door, const char *table, const struct door_who *who,
                  const struct door_control_request *request, door_reply_fn *reply, void *ctx) {
    struct request r;
    bool seats_too = request->control == DOOR_UNDO || request->control == DOOR_CHOOSE;
    if (!begin(door, table, who, reply, ctx, seats_too, &r) || !has_room(door, &r))
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
    case DOOR_REPEAT:
        if (table__repeat(r.t))
            table__answer(&r.reply, r.t, NULL);
        else
            error_set(&r.err, ERROR_NOT_NOW, table, NULL);
        break;
    case DOOR_NEXT:
        table__next(r.t, r.cause, r.reply, &r.err);
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
