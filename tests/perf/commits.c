// P10: durable commits of the journal against bare SQLite WAL FULL, alone and in groups.   commits FOLDER N
#include "engine/journal.h"
#include "perf/measure.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char body[] = "{\"by\":\"s2\",\"do\":\"swap\",\"args\":{\"a\":\"s2\",\"b\":\"s4\"}}";

static void bare(const char *folder, size_t n, size_t group) {
    char path[512];
    snprintf(path, sizeof path, "%s/bare-%zu.db", folder, group);
    sqlite3 *db;
    sqlite3_stmt *insert;
    if (sqlite3_open(path, &db) ||
        sqlite3_exec(
            db,
            "pragma journal_mode=wal; pragma synchronous=full; pragma wal_autocheckpoint=0;"
            "create table record(tbl text, n integer, game text, kind text, by text, cause text, boot "
            "integer,"
            "mono_us integer, wall_us integer, body text, evidence text, primary key(tbl, n)) without rowid",
            NULL, NULL, NULL) ||
        sqlite3_prepare_v2(db, "insert into record values('main',?,'g','act','s2','tap',1,1,1,?,'')", -1,
                           &insert, NULL))
        exit((fprintf(stderr, "commits: %s\n", sqlite3_errmsg(db)), 1));
    int64_t *samples = calloc(n, sizeof *samples), begin = measure_now_ns();
    size_t commits = 0;
    for (size_t i = 0; i < n;) {
        int64_t start = measure_now_ns();
        sqlite3_exec(db, "begin", NULL, NULL, NULL);
        for (size_t j = 0; j < group && i < n; j++, i++) {
            sqlite3_bind_int64(insert, 1, (sqlite3_int64)i + 1);
            sqlite3_bind_text(insert, 2, body, sizeof body - 1, SQLITE_STATIC);
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        sqlite3_exec(db, "commit", NULL, NULL, NULL);
        samples[commits++] = measure_now_ns() - start;
    }
    double seconds = (double)(measure_now_ns() - begin) / 1e9;
    char name[64];
    snprintf(name, sizeof name, "bare_commit_%zu", group);
    measure_print_latency(name, samples, commits);
    snprintf(name, sizeof name, "bare_records_%zu", group);
    measure_print_rate(name, (double)n / seconds);
    free(samples);
    sqlite3_finalize(insert);
    sqlite3_close(db);
}

struct run {
    struct loop *loop;
    struct journal *journal;
    size_t n, group, sent, durable, commits;
    int64_t *samples, start;
};

static void send_group(struct run *run) {
    run->start = measure_now_ns();
    for (size_t j = 0; j < run->group && run->sent < run->n; j++) {
        struct journal_record record = {.table = "main",
                                        .game = "g",
                                        .n = ++run->sent,
                                        .kind = JOURNAL_ACT,
                                        .by = "s2",
                                        .cause = "tap",
                                        .boot = 1,
                                        .mono_us = 1,
                                        .wall_us = 1,
                                        .body = body,
                                        .evidence = ""};
        struct error err;
        if (journal_append(run->journal, &record, j + 1 < run->group && run->sent < run->n, &err))
            exit((fprintf(stderr, "commits: %s\n", err.text), 1));
    }
}

static void on_durable(void *ctx, const char *table, uint64_t n) {
    struct run *run = ctx;
    (void)table;
    run->durable = n;
    if (n < run->sent)
        return;
    run->samples[run->commits++] = measure_now_ns() - run->start;
    if (n == run->n)
        loop_quit(run->loop, 0);
    else
        send_group(run);
}

static void on_failed(void *ctx, const struct error *err) {
    (void)ctx;
    exit((fprintf(stderr, "commits: %s\n", err->text), 1));
}

static void ours(const char *folder, size_t n, size_t group) {
    char path[512], name[64];
    snprintf(path, sizeof path, "%s/journal-%zu.db", folder, group);
    struct run run = {.n = n, .group = group, .samples = calloc(n, sizeof(int64_t))};
    struct journal_listener listener = {on_durable, on_failed, &run};
    struct error err;
    if (loop_create(NULL, NULL, &run.loop, &err) ||
        journal_open(run.loop, path, &listener, &run.journal, &err))
        exit((fprintf(stderr, "commits: %s\n", err.text), 1));
    int64_t begin = measure_now_ns();
    send_group(&run);
    loop_run(run.loop);
    double seconds = (double)(measure_now_ns() - begin) / 1e9;
    snprintf(name, sizeof name, "journal_commit_%zu", group);
    measure_print_latency(name, run.samples, run.commits);
    snprintf(name, sizeof name, "journal_records_%zu", group);
    measure_print_rate(name, (double)n / seconds);
    journal_close(run.journal);
    loop_destroy(run.loop);
    free(run.samples);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return fprintf(stderr, "commits FOLDER N\n"), 2;
    size_t n = strtoul(argv[2], NULL, 10);
    static const size_t groups[] = {1, 32};
    for (size_t i = 0; i < 2; i++) {
        bare(argv[1], n * (i ? 16 : 1), groups[i]);
        ours(argv[1], n * (i ? 16 : 1), groups[i]);
    }
    return 0;
}
