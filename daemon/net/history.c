#include "core/json.h"
#include "core/log.h"
#include "net/history__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_ENTRIES = 64, PENDING_MAX = 8192, FIRST_ENTRIES = 64, QUEUE = 64, IDLE_MS = 500, BUCKETS = 512 };
static const int64_t flush_us = 250000; // messages are held so long: few of them

// What is known of a table: which game its messages belong to.
struct told {
    char table[33], game_id[17];
    bool ended;   // the last view was of its end
    bool closing; // its end was told: with the next view nothing more is added
    bool closed;
    char reason[160]; // of the end, as its event told it
    struct told *next;
};

struct history {
    struct loop *loop;
    struct door *door;
    struct feed *feed;
    struct history__db db;
    struct worker *worker;
    struct observe_sink sink;
    struct told *told[BUCKETS], *last; // last: most calls in a row are about one table
    struct history__batch *filling, *spare;
    struct loop_timer flush;
    bool failed, crowded; // told once, until it goes on
};

// ---- handing over

static void tell_result(struct history *history, int result) {
    if (result != SQLITE_OK && !history->failed)
        log_warning("history", "timelines and statistics lack what is told now: %s: %s; play goes on",
                    history->db.path, sqlite3_errstr(result));
    history->failed = result != SQLITE_OK;
}

static void empty_batch(struct history__batch *batch) {
    for (size_t i = 0; i < batch->n; i++) {
        feed_unref(batch->entry[i].json);
        free(batch->entry[i].mark);
    }
    batch->n = 0;
    batch->next = batch->history->spare;
    batch->history->spare = batch;
}

static void written(struct worker_job *job) {
    struct history__batch *batch = (struct history__batch *)job;
    tell_result(batch->history, batch->result);
    empty_batch(batch);
}

static void write_batch(struct worker_job *job) {
    struct history__batch *batch = (struct history__batch *)job;
    batch->result = history__db_write(&batch->history->db, batch->entry, batch->n);
}

static void idle(void *ctx) {
    struct history *history = ctx;
    history__db_checkpoint(&history->db);
}

static void flush(void *ctx) {
    struct history *history = ctx;
    struct history__batch *batch = history->filling;
    loop_timer_stop(history->loop, &history->flush);
    if (!batch || !batch->n)
        return;
    if (worker_submit(history->worker, &batch->job)) {
        history->filling = NULL;
        history->crowded = false;
        return;
    }
    loop_timer_start(history->loop, &history->flush, loop_now_us(history->loop) + flush_us, flush, history);
}

static struct history__batch *batch_to_fill(struct history *history) {
    struct history__batch *batch = history->filling;
    if (batch)
        return batch;
    if ((batch = history->spare)) {
        history->spare = batch->next;
    } else if ((batch = calloc(1, sizeof *batch))) {
        batch->job = (struct worker_job){.run = write_batch, .done = written};
        batch->history = history;
    }
    return history->filling = batch;
}

static struct history__entry *add(struct history *history, const struct told *told) {
    struct history__batch *batch = batch_to_fill(history);
    if (batch && batch->n == batch->cap && batch->cap < PENDING_MAX) {
        size_t cap = batch->cap ? batch->cap * 2 : FIRST_ENTRIES;
        struct history__entry *entry = realloc(batch->entry, cap * sizeof *entry);
        if (entry) {
            batch->entry = entry;
            batch->cap = cap;
        }
    }
    if (!batch || batch->n == batch->cap) {
        if (!history->crowded)
            log_warning("history",
                        "messages come faster than the disk takes them; some are left out of timelines");
        history->crowded = true;
        return NULL;
    }
    struct history__entry *entry = &batch->entry[batch->n++];
    *entry = (struct history__entry){0};
    memcpy(entry->game_id, told->game_id, sizeof entry->game_id);
    if (batch->n >= FLUSH_ENTRIES)
        flush(history);
    else if (!loop_timer_running(&history->flush))
        loop_timer_start(history->loop, &history->flush, loop_now_us(history->loop) + flush_us, flush,
                         history);
    return entry;
}

// ---- what the tables tell

static unsigned bucket_of(const char *table) {
    unsigned hash = 5381;
    for (; *table; table++)
        hash = hash * 33 + (unsigned char)*table;
    return hash % BUCKETS;
}

static struct told *told_of(struct history *history, const char *table) {
    if (history->last && !strcmp(history->last->table, table))
        return history->last;
    struct told **head = &history->told[bucket_of(table)], *told = *head;
    while (told && strcmp(told->table, table) != 0)
        told = told->next;
    if (!told && (told = calloc(1, sizeof *told))) {
        snprintf(told->table, sizeof told->table, "%s", table);
        told->next = *head;
        *head = told;
    }
    return history->last = told;
}

static void write_teams(const struct observe_result *result, char ret[HISTORY__TEAMS_TEXT]) {
    struct json j;
    json_begin(&j, ret, HISTORY__TEAMS_TEXT);
    json_begin_array(&j);
    for (unsigned i = 0; i < result->n_teams; i++) {
        json_begin_object(&j);
        json_key(&j, "name");
        json_text(&j, result->teams[i].name);
        json_key(&j, "won");
        json_bool(&j, result->teams[i].won);
        json_end_object(&j);
    }
    json_end_array(&j);
    if (!json_end(&j))
        snprintf(ret, HISTORY__TEAMS_TEXT, "[]");
}

static void mark(struct history *history, struct told *told, const struct observation *view) {
    struct history__mark *one = calloc(1, sizeof *one);
    struct history__entry *entry = one ? add(history, told) : NULL;
    if (!entry) {
        free(one);
        return;
    }
    entry->mark = one;
    snprintf(one->table, sizeof one->table, "%s", view->table);
    snprintf(one->game, sizeof one->game, "%s", view->game);
    snprintf(one->title, sizeof one->title, "%s", view->title);
    one->seats = view->seats;
    one->started_us = view->started_at_us;
    if (!told->ended)
        return;
    one->ended_us = clock_wall_us(loop_clock(history->loop));
    one->aborted = !view->result.over;
    one->winners = view->result.winners;
    write_teams(&view->result, one->teams);
    snprintf(one->reason, sizeof one->reason, "%s", view->result.reason);
}

static void on_view(void *ctx, const struct observation *view, unsigned parts) {
    struct history *history = ctx;
    struct told *told = view->audience == OBSERVE_PUBLIC && view->game ? told_of(history, view->table) : NULL;
    (void)parts;
    if (!told)
        return;
    bool ended = view->status == OBSERVE_ENDED, same = !strcmp(told->game_id, view->game_id);
    if (same && told->closing)
        told->closed = ended;
    if (same && told->ended == ended)
        return;
    snprintf(told->game_id, sizeof told->game_id, "%s", view->game_id);
    told->ended = ended;
    told->closing = false;
    told->closed = ended && !same; // over before this start: what is shown again was told then
    mark(history, told, view);
}

static void on_event(void *ctx, const char *table, int audience, const struct observe_event *event) {
    struct history *history = ctx;
    struct told *told = audience == OBSERVE_PUBLIC && event->type == OBSERVE_EVENT_GAME_ENDED
                            ? told_of(history, table)
                            : NULL;
    if (told)
        told->closing = true;
}

static void take_message(void *ctx, const struct feed_message *message) {
    struct history *history = ctx;
    bool wanted = message->audience == OBSERVE_PUBLIC &&
                  (history__topic_name(message->topic) || message->topic == TOPIC_GAME);
    struct told *told = wanted ? told_of(history, message->table) : NULL;
    if (!told || !*told->game_id || (told->closed && history__topic_name(message->topic)))
        return;
    struct history__entry *entry = add(history, told);
    if (!entry)
        return;
    entry->topic = message->topic;
    entry->at_us = message->at_us;
    entry->seq = message->seq;
    entry->json = feed_ref(message->json);
}

const char *history__topic_name(enum topic topic) {
    static const char *const names[TOPICS] = {
        [TOPIC_PHASE] = "phase",         [TOPIC_BOARD] = "board",   [TOPIC_SEATS] = "seats",
        [TOPIC_VIOLATION] = "violation", [TOPIC_RESULT] = "result", [TOPIC_EVENT] = "event",
        [TOPIC_NARRATION] = "narration",
    };
    return (unsigned)topic < TOPICS ? names[topic] : NULL;
}

// ---- asking

struct question {
    struct worker_job job; // first member
    struct history *history;
    struct history_query query;
    history_reply_fn *reply;
    void *ctx;
    char *text;
    size_t len;
    struct error err;
};

static void answer_run(struct worker_job *job) {
    struct question *question = (struct question *)job;
    question->text = history__read(&question->history->db, &question->query, &question->len, &question->err);
}

static void answer_done(struct worker_job *job) {
    struct question *question = (struct question *)job;
    question->reply(question->ctx, question->text, question->len, question->text ? NULL : &question->err);
    free(question);
}

void history_ask(struct history *history, const struct history_query *query, history_reply_fn *reply,
                 void *ctx) {
    struct question *question = calloc(1, sizeof *question);
    if (!question) {
        reply(ctx, NULL, 0, &(struct error){.code = ERROR_INTERNAL});
        return;
    }
    *question = (struct question){.job = {.run = answer_run, .done = answer_done},
                                  .history = history,
                                  .query = *query,
                                  .reply = reply,
                                  .ctx = ctx};
    const struct told *told =
        query->what == HISTORY_TIMELINE && !*query->game ? told_of(history, query->table) : NULL;
    if (told)
        memcpy(question->query.game, told->game_id, sizeof told->game_id);
    flush(history); // what was told until now is part of the answer
    if (worker_submit(history->worker, &question->job))
        return;
    reply(ctx, NULL, 0, &(struct error){.code = ERROR_BUSY});
    free(question);
}

// ---- the whole

enum error_code history_create(const struct history_options *options, struct history **ret,
                               struct error *err) {
    struct history *history = *ret = calloc(1, sizeof *history);
    if (!history)
        return error_set(err, ERROR_INTERNAL, NULL, "out of memory");
    history->loop = options->loop;
    history->door = options->door;
    history->feed = options->feed;
    history->db.games_max = options->games;
    if (options->state_dir)
        snprintf(history->db.path, sizeof history->db.path, "%s/history.db", options->state_dir);
    else
        snprintf(history->db.path, sizeof history->db.path, ":memory:");
    const struct worker_options worker = {
        .name = "history", .capacity = QUEUE, .idle = idle, .idle_after_ms = IDLE_MS, .ctx = history};
    if (history__db_open(&history->db, err) || worker_create(history->loop, &worker, &history->worker, err)) {
        history__db_close(&history->db);
        free(history);
        *ret = NULL;
        return err->code;
    }
    history->sink = (struct observe_sink){.view = on_view, .event = on_event, .ctx = history};
    door_add_sink(history->door, &history->sink);
    feed_add_outlet(history->feed, &(struct feed_outlet){take_message, history});
    return ERROR_OK;
}

void history_destroy(struct history *history) {
    if (!history)
        return;
    feed_remove_outlet(history->feed, history);
    flush(history);
    loop_timer_stop(history->loop, &history->flush);
    worker_destroy(history->worker);
    if (history->filling)
        empty_batch(history->filling);
    while (history->spare) {
        struct history__batch *batch = history->spare;
        history->spare = batch->next;
        free(batch->entry);
        free(batch);
    }
    for (size_t i = 0; i < BUCKETS; i++)
        while (history->told[i]) {
            struct told *told = history->told[i];
            history->told[i] = told->next;
            free(told);
        }
    history__db_close(&history->db);
    free(history);
}
