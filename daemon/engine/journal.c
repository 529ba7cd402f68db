#include "core/log.h"
#include "core/worker.h"
#include "engine/journal__.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    GROUP_MAX = 256,                       // records of one commit that must not be split
    SLOTS = JOURNAL_QUEUE_MAX + GROUP_MAX, // a group that has begun is not refused in its middle
    IDLE_MS = 20,                          // nobody taps: the next commit does not wait for a checkpoint
    WAL_PAGES = 200,                       // a checkpoint when idle
    WAL_PAGES_MAX = 4000,                  // and when never idle
};

// A record on its way to the disk. Buffers stay with the slot and only grow.
struct slot {
    struct worker_job job; // of the first record of a group
    struct journal *journal;
    struct slot *next, *next_free; // of the group; of the free list or of those in memory
    char table[JOURNAL_NAME_MAX + 1], game[JOURNAL_NAME_MAX + 1];
    char by[JOURNAL_NAME_MAX + 1], cause[JOURNAL_NAME_MAX + 1];
    uint64_t n, boot;
    int64_t mono_us, wall_us;
    enum journal_kind kind;
    bool more; // a later record of the same table must be in the same commit
    bool has_evidence, durable;
    char *body, *evidence;
    size_t body_len, body_cap, evidence_len, evidence_cap;
};

struct journal {
    struct loop *loop;
    struct journal_listener listener;
    struct worker *worker;
    char *path;
    int claim;
    struct slot *slots, *free;
    struct slot *held, *held_tail; // a group not yet complete
    size_t pending;
    bool failed, told;
    struct error failure;
    struct loop_call tell, come_back;
    struct slot *in_memory, **in_memory_tail; // groups that nobody writes

    // The thread's alone between open and close.
    sqlite3 *db;
    sqlite3_stmt *begin, *insert, *end, *rollback;
    int wal_pages;
    bool broken;
    struct error broken_by; // read by the loop after a job came back
};

const char *journal_kind_name(enum journal_kind kind) {
    static const char *const names[] = {
#define X(name, wire) #wire,
        JOURNAL_KIND_MAP(X)
#undef X
    };
    return (unsigned)kind < JOURNAL_KINDS ? names[kind] : "?";
}

// In the thread

static int step_once(sqlite3_stmt *stmt) {
    int r = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    return r == SQLITE_DONE ? SQLITE_OK : r;
}

static int insert(struct journal *journal, const struct slot *slot) {
    sqlite3_stmt *s = journal->insert;
    int r = 0, at = 0;
    r |= sqlite3_bind_text(s, ++at, slot->table, -1, SQLITE_STATIC);
    r |= sqlite3_bind_int64(s, ++at, (sqlite3_int64)slot->n);
    r |= sqlite3_bind_text(s, ++at, slot->game, -1, SQLITE_STATIC);
    r |= sqlite3_bind_text(s, ++at, journal_kind_name(slot->kind), -1, SQLITE_STATIC);
    r |= sqlite3_bind_text(s, ++at, slot->by, -1, SQLITE_STATIC);
    r |= sqlite3_bind_text(s, ++at, slot->cause, -1, SQLITE_STATIC);
    r |= sqlite3_bind_int64(s, ++at, (sqlite3_int64)slot->boot);
    r |= sqlite3_bind_int64(s, ++at, slot->mono_us);
    r |= sqlite3_bind_int64(s, ++at, slot->wall_us);
    r |= sqlite3_bind_text(s, ++at, slot->body, (int)slot->body_len, SQLITE_STATIC);
    if (slot->has_evidence)
        r |= sqlite3_bind_text(s, ++at, slot->evidence, (int)slot->evidence_len, SQLITE_STATIC);
    else
        r |= sqlite3_bind_null(s, ++at);
    return r ? r : step_once(s);
}

static int insert_all(struct journal *journal, const struct worker_job *list) {
    int r = SQLITE_OK;
    for (const struct worker_job *job = list; job && r == SQLITE_OK; job = job->next__)
        for (const struct slot *slot = (const struct slot *)job; slot && r == SQLITE_OK; slot = slot->next)
            r = insert(journal, slot);
    return r;
}

static void checkpoint(struct journal *journal, int above) {
    if (journal->wal_pages <= above || journal->broken)
        return;
    int log = 0, done = 0;
    // What it cannot do now, because somebody reads or the disk is full, it does another time.
    int r = sqlite3_wal_checkpoint_v2(journal->db, NULL, SQLITE_CHECKPOINT_PASSIVE, &log, &done);
    if (r == SQLITE_OK && log == done)
        journal->wal_pages = 0;
}

static void commit(void *ctx, struct worker_job *list) {
    struct journal *journal = ctx;
    if (journal->broken)
        return;
    int r = step_once(journal->begin);
    if (r == SQLITE_OK)
        r = insert_all(journal, list);
    if (r == SQLITE_OK)
        r = step_once(journal->end);
    if (r != SQLITE_OK) {
        journal_db_error__(journal->db, r, journal->path, &journal->broken_by);
        journal->broken = true;
        if (!sqlite3_get_autocommit(journal->db))
            step_once(journal->rollback);
        return;
    }
    for (struct worker_job *job = list; job; job = job->next__)
        ((struct slot *)job)->durable = true;
    checkpoint(journal, WAL_PAGES_MAX);
}

static void idle(void *ctx) {
    checkpoint(ctx, WAL_PAGES);
}

static int on_wal(void *ctx, sqlite3 *db, const char *name, int pages) {
    (void)db;
    (void)name;
    struct journal *journal = ctx;
    journal->wal_pages = pages;
    return SQLITE_OK;
}

// On the loop

static void tell_failure(void *ctx) {
    struct journal *journal = ctx;
    if (journal->told)
        return;
    journal->told = true;
    log_error("journal", "%s file=%s", journal->failure.text, journal->path);
    if (journal->listener.failed)
        journal->listener.failed(journal->listener.ctx, &journal->failure);
}

static void give_back(struct journal *journal, struct slot *slot) {
    slot->next_free = journal->free;
    journal->free = slot;
    journal->pending--;
}

static void drop_held(struct journal *journal) {
    while (journal->held) {
        struct slot *slot = journal->held;
        journal->held = slot->next;
        give_back(journal, slot);
    }
    journal->held_tail = NULL;
}

static bool last_of_table(const struct slot *slot) {
    for (const struct slot *later = slot->next; later; later = later->next)
        if (strcmp(later->table, slot->table) == 0)
            return false;
    return true;
}

static void fail(struct journal *journal, const struct error *why) {
    if (journal->failed)
        return;
    journal->failed = true;
    journal->failure = *why;
    drop_held(journal);
}

static void done(struct worker_job *job) {
    struct slot *slot = (struct slot *)job;
    struct journal *journal = slot->journal;
    bool durable = slot->durable;
    if (!durable)
        fail(journal, &journal->broken_by); // written before this job came back, never again after it
    while (slot) {
        struct slot *next = slot->next;
        bool tell = durable && last_of_table(slot);
        char table[JOURNAL_NAME_MAX + 1];
        uint64_t n = slot->n;
        memcpy(table, slot->table, sizeof table);
        give_back(journal, slot); // before the listener, who may append
        if (tell && journal->listener.durable)
            journal->listener.durable(journal->listener.ctx, table, n);
        slot = next;
    }
    if (journal->failed)
        tell_failure(journal);
}

// In memory nothing is kept, so there is nothing to wait for but the end of the turn.
static void come_back(void *ctx) {
    struct journal *journal = ctx;
    struct slot *list = journal->in_memory;
    journal->in_memory = NULL;
    while (list) {
        struct slot *group = list;
        list = group->next_free;
        group->durable = true;
        done(&group->job);
    }
}

static void keep_in_memory(struct journal *journal, struct slot *group) {
    if (!journal->in_memory)
        journal->in_memory_tail = &journal->in_memory;
    group->next_free = NULL;
    *journal->in_memory_tail = group;
    journal->in_memory_tail = &group->next_free;
    loop_defer(journal->loop, &journal->come_back, come_back, journal);
}

static bool copy_name(char to[JOURNAL_NAME_MAX + 1], const char *from) {
    size_t len = from ? strnlen(from, JOURNAL_NAME_MAX + 1) : 0;
    if (len > JOURNAL_NAME_MAX)
        return false;
    if (len > 0)
        memcpy(to, from, len);
    to[len] = '\0';
    return true;
}

static bool copy_text(char **buf, size_t *cap, size_t *ret_len, const char *from, size_t len) {
    if (len + 1 > *cap) {
        size_t grown = *cap ? *cap : 512;
        while (grown < len + 1)
            grown *= 2;
        char *more = realloc(*buf, grown);
        if (!more)
            return false;
        *buf = more;
        *cap = grown;
    }
    memcpy(*buf, from, len + 1);
    *ret_len = len;
    return true;
}

static enum error_code fill(struct slot *slot, const struct journal_record *record, bool more,
                            struct error *err) {
    size_t body = strnlen(record->body, JOURNAL_BODY_MAX + 1);
    size_t evidence = record->evidence ? strnlen(record->evidence, JOURNAL_EVIDENCE_MAX + 1) : 0;
    if (body > JOURNAL_BODY_MAX || evidence > JOURNAL_EVIDENCE_MAX)
        return error_set(err, ERROR_TOO_LARGE, record->table, "a record is larger than the journal takes");
    if (!copy_name(slot->table, record->table) || !copy_name(slot->game, record->game) ||
        !copy_name(slot->by, record->by) || !copy_name(slot->cause, record->cause) || !slot->table[0] ||
        record->n == 0 || record->n > INT64_MAX || (unsigned)record->kind >= JOURNAL_KINDS)
        return error_set(err, ERROR_INVALID, "journal", "a record has a name or number that is none");
    slot->n = record->n;
    slot->kind = record->kind;
    slot->boot = record->boot;
    slot->mono_us = record->mono_us;
    slot->wall_us = record->wall_us;
    slot->more = more;
    slot->has_evidence = record->evidence != NULL;
    slot->durable = false;
    slot->next = NULL;
    if (!copy_text(&slot->body, &slot->body_cap, &slot->body_len, record->body, body) ||
        (record->evidence &&
         !copy_text(&slot->evidence, &slot->evidence_cap, &slot->evidence_len, record->evidence, evidence)))
        return error_set(err, ERROR_INTERNAL, "journal", "out of memory");
    return ERROR_OK;
}

// The record of this table that waits for one to follow it.
static struct slot *waiting(const struct journal *journal, const char *table) {
    for (struct slot *slot = journal->held; slot; slot = slot->next)
        if (slot->more && strcmp(slot->table, table) == 0)
            return slot;
    return NULL;
}

static bool group_complete(const struct journal *journal) {
    for (const struct slot *slot = journal->held; slot; slot = slot->next)
        if (slot->more)
            return false;
    return true;
}

static void submit_held(struct journal *journal) {
    if (!journal->held || !group_complete(journal))
        return;
    struct slot *slot = journal->held;
    journal->held = journal->held_tail = NULL;
    if (!journal->worker) {
        keep_in_memory(journal, slot);
        return;
    }
    bool taken = worker_submit(journal->worker, &slot->job);
    assert(taken); // the worker has room for all slots
    (void)taken;
}

void journal_complete(struct journal *journal, const char *table) {
    struct slot *last = waiting(journal, table);
    if (last)
        last->more = false;
    submit_held(journal);
}

enum error_code journal_append(struct journal *journal, const struct journal_record *record, bool more,
                               struct error *err) {
    if (journal->failed)
        return error_set(err, ERROR_STORAGE, journal->path, "%s", journal->failure.text);
    struct slot *before = waiting(journal, record->table), *slot = journal->free;
    if (!before && journal->pending >= JOURNAL_QUEUE_MAX)
        return error_set(err, ERROR_BUSY, "journal", "the disk is behind; try again in a moment");
    if (!slot) {
        // Half a group is worth nothing: from here on the state in memory has no record.
        struct error why;
        error_set(&why, ERROR_STORAGE, "journal", "one commit has more than %d records", (int)SLOTS);
        fail(journal, &why);
        loop_defer(journal->loop, &journal->tell, tell_failure, journal);
        return error_set(err, ERROR_STORAGE, journal->path, "%s", why.text);
    }
    enum error_code code = fill(slot, record, more, err);
    if (code != ERROR_OK)
        return code;
    journal->free = slot->next_free;
    journal->pending++;
    if (before)
        before->more = false;
    if (journal->held)
        journal->held_tail->next = slot;
    else
        journal->held = slot;
    journal->held_tail = slot;
    submit_held(journal);
    return ERROR_OK;
}

size_t journal_pending(const struct journal *journal) {
    return journal->pending;
}

static enum error_code prepare(struct journal *journal, struct error *err) {
    sqlite3 *db = journal->db;
    const char *path = journal->path;
    enum error_code code = journal_db_prepare__(db, "BEGIN IMMEDIATE", path, &journal->begin, err);
    if (code == ERROR_OK)
        code = journal_db_prepare__(db, "COMMIT", path, &journal->end, err);
    if (code == ERROR_OK)
        code = journal_db_prepare__(db, "ROLLBACK", path, &journal->rollback, err);
    if (code == ERROR_OK)
        code = journal_db_prepare__(db, "INSERT INTO record VALUES(?,?,?,?,?,?,?,?,?,?,?)", path,
                                    &journal->insert, err);
    sqlite3_wal_hook(db, on_wal, journal);
    return code;
}

static enum error_code make_slots(struct journal *journal) {
    journal->slots = calloc(SLOTS, sizeof *journal->slots);
    for (int i = SLOTS; journal->slots && i-- > 0;) {
        struct slot *slot = &journal->slots[i];
        slot->journal = journal;
        slot->job.done = done;
        slot->next_free = journal->free;
        journal->free = slot;
    }
    return journal->slots ? ERROR_OK : ERROR_INTERNAL;
}

static void discard(struct journal *journal) {
    for (int i = 0; journal->slots && i < SLOTS; i++) {
        free(journal->slots[i].body);
        free(journal->slots[i].evidence);
    }
    sqlite3_finalize(journal->begin);
    sqlite3_finalize(journal->insert);
    sqlite3_finalize(journal->end);
    sqlite3_finalize(journal->rollback);
    sqlite3_close(journal->db);
    if (journal->claim >= 0)
        close(journal->claim);
    free(journal->slots);
    free(journal->path);
    free(journal);
}

enum error_code journal_open(struct loop *loop, const char *path, const struct journal_listener *listener,
                             struct journal **ret, struct error *err) {
    struct journal *journal = calloc(1, sizeof *journal);
    if (!journal)
        return error_set(err, ERROR_INTERNAL, "journal", "out of memory");
    journal->loop = loop;
    journal->claim = -1;
    journal->listener = *listener;
    journal->path = strdup(path);
    enum error_code code = journal->path ? make_slots(journal) : ERROR_INTERNAL;
    if (code != ERROR_OK)
        error_set(err, code, "journal", "out of memory");
    if (code == ERROR_OK)
        code = journal_db_claim__(path, &journal->claim, err);
    if (code == ERROR_OK)
        code = journal_db_open__(path, &journal->db, err);
    if (code == ERROR_OK)
        code = prepare(journal, err);
    if (code == ERROR_OK && !journal_memory__(path)) {
        const struct worker_options options = {.name = "journal",
                                               .capacity = SLOTS,
                                               .batch = commit,
                                               .idle = idle,
                                               .idle_after_ms = IDLE_MS,
                                               .ctx = journal};
        code = worker_create(loop, &options, &journal->worker, err);
    }
    if (code != ERROR_OK) {
        discard(journal);
        return code;
    }
    *ret = journal;
    return ERROR_OK;
}

void journal_close(struct journal *journal) {
    if (!journal)
        return;
    come_back(journal);
    worker_destroy(journal->worker);
    if (journal->held)
        log_warning("journal", "an unfinished commit is dropped file=%s", journal->path);
    loop_defer_cancel(journal->loop, &journal->tell);
    loop_defer_cancel(journal->loop, &journal->come_back);
    discard(journal);
}
