// The journal: SQLite WAL, synchronous=FULL, one worker; a commit takes all that is queued, no timer (design
// 4, 5.5). One file for all tables of the daemon. What was announced is in it; state is a fold of it. Secret.
#pragma once
#include "core/error.h"
#include "core/loop.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JOURNAL_QUEUE_MAX = 64, JOURNAL_BODY_MAX = 16384, JOURNAL_EVIDENCE_MAX = 2048 };

#define JOURNAL_KIND_MAP(X)                                                                                  \
    X(START, start)                                                                                          \
    X(BIND, bind)                                                                                            \
    X(ACT, act)                                                                                              \
    X(STEP, step)                                                                                            \
    X(PAUSE, pause)                                                                                          \
    X(RESUME, resume)                                                                                        \
    X(CHOOSE, choose)                                                                                        \
    X(UNDO, undo)                                                                                            \
    X(OVERRIDE, override)                                                                                    \
    X(END, end)
enum journal_kind {
#define X(name, wire) JOURNAL_##name,
    JOURNAL_KIND_MAP(X)
#undef X
        JOURNAL_KINDS
};
const char *journal_kind_name(enum journal_kind kind);

struct journal_record {
    const char *table, *game; // table name; the game's random id
    uint64_t n;               // per table, from 1, no gap
    enum journal_kind kind;
    const char *by,
        *cause; // "s2", "table"; tap rest mqtt timer chance host, with late early declared after it
    uint64_t boot;
    int64_t mono_us, wall_us;
    const char *body; // JSON of design 5.2, NUL-terminated
    const char *evidence;
};

// Durable: everything of this table up to n is on disk. Failed: nothing after `n` is, the journal takes no
// more.
struct journal_listener {
    void (*durable)(void *ctx, const char *table, uint64_t n);
    void (*failed)(void *ctx, const struct error *err);
    void *ctx;
};

struct journal;
// path ":memory:" keeps nothing. Creates the file, checks its schema version. What a start reads is checked
// as it is read and folded, page by page and record by record; the whole file only by journal_verify.
enum error_code journal_open(struct loop *loop, const char *path, const struct journal_listener *listener,
                             struct journal **ret, struct error *err);
void journal_close(struct journal *journal); // waits for what is queued; NULL allowed
// Records are copied. A step of the dark appends several: they are one commit if appended with more = true
// but the last. ERROR_BUSY beyond JOURNAL_QUEUE_MAX undurable records, ERROR_STORAGE after a failure.
enum error_code journal_append(struct journal *journal, const struct journal_record *record, bool more,
                               struct error *err);
// The last record of this table was appended with more = true, and nothing follows it after all.
void journal_complete(struct journal *journal, const char *table);
size_t journal_pending(const struct journal *journal);

// In order; stops at the first error fn returns. from: first n wanted. For start-up and tools (a second
// connection, read only, when `journal` is open elsewhere).
typedef enum error_code journal_read_fn(void *ctx, const struct journal_record *record, struct error *err);
enum error_code journal_read(const char *path, const char *table, uint64_t from, journal_read_fn *fn,
                             void *ctx, struct error *err);
// First record of the table's running or last game, 0 = none.
enum error_code journal_last_start(const char *path, const char *table, uint64_t *ret_n, struct error *err);
// Both in one: the records of the running or last game, none if there is none. Where a game's id came twice,
// with those of the game before: every start record begins anew.
enum error_code journal_read_last(const char *path, const char *table, journal_read_fn *fn, void *ctx,
                                  struct error *err);
// Integrity of the file, no gap in any table, bodies are JSON. Counts records.
enum error_code journal_verify(const char *path, uint64_t *ret_records, struct error *err);
