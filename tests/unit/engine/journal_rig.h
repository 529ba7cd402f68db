// What the tests of the journal share: a folder, a loop, what was told.
#pragma once
#include "core/log.h"
#include "engine/journal.h"
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct loop *loop;
static struct journal *journal;
static char folder[64], path[96];
static struct {
    uint64_t n;
    unsigned calls, failures;
    char tables[64];
    struct error error;
} seen;

static inline void durable(void *ctx, const char *table, uint64_t n) {
    (void)ctx;
    seen.n = n;
    seen.calls++;
    if (seen.calls < sizeof seen.tables)
        seen.tables[seen.calls - 1] = table[0];
}

static inline void failed(void *ctx, const struct error *err) {
    (void)ctx;
    seen.failures++;
    seen.error = *err;
}

static const struct journal_listener listener = {durable, failed, NULL};

static inline void quiet(void *ctx, enum log_level level, const char *module, const char *line) {
    (void)ctx, (void)level, (void)module, (void)line;
}

static inline int set_up(void **state) {
    (void)state;
    memset(&seen, 0, sizeof seen);
    log_set_sink(quiet, NULL);
    snprintf(folder, sizeof folder, "/tmp/journal_test.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/journal.db", folder);
    return loop_create(NULL, NULL, &loop, NULL);
}

static inline int tear_down(void **state) {
    (void)state;
    journal_close(journal);
    journal = NULL;
    loop_destroy(loop);
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    return rmdir(folder);
}

static inline void open_journal(void) {
    struct error err = {0};
    if (journal_open(loop, path, &listener, &journal, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
}

static inline void close_journal(void) {
    journal_close(journal);
    journal = NULL;
}

static inline enum error_code append(const char *table, uint64_t n, bool more) {
    char body[64];
    snprintf(body, sizeof body, "{\"do\":\"look\",\"n\":%llu}", (unsigned long long)n);
    struct journal_record record = {
        .table = table,
        .game = "0123456789abcdef",
        .n = n,
        .kind = n == 1 ? JOURNAL_START : JOURNAL_ACT,
        .by = "s2",
        .cause = "tap",
        .boot = UINT64_MAX - 5,
        .mono_us = (int64_t)n * 1000,
        .wall_us = 1767225600000000 + (int64_t)n,
        .body = body,
        .evidence = n % 2 ? "pads" : NULL,
    };
    return journal_append(journal, &record, more, NULL);
}

static inline void settle(void) {
    while (journal_pending(journal) > 0)
        loop_turn(loop, -1);
}

static inline uint64_t verify(void) {
    uint64_t records = 0;
    struct error err = {0};
    if (journal_verify(path, &records, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    return records;
}

struct reading {
    uint64_t next;
    unsigned count, stop_after;
};

static inline enum error_code take(void *ctx, const struct journal_record *record, struct error *err) {
    struct reading *reading = ctx;
    assert_int_equal(record->n, reading->next++);
    assert_string_equal(record->game, "0123456789abcdef");
    assert_string_equal(record->by, "s2");
    assert_string_equal(record->cause, "tap");
    assert_true(record->boot == UINT64_MAX - 5);
    assert_int_equal(record->mono_us, record->n * 1000);
    assert_int_equal(record->wall_us, 1767225600000000 + record->n);
    assert_int_equal(record->kind, record->n == 1 ? JOURNAL_START : JOURNAL_ACT);
    assert_non_null(strstr(record->body, "\"do\":\"look\""));
    if (record->n % 2)
        assert_string_equal(record->evidence, "pads");
    else
        assert_null(record->evidence);
    if (++reading->count == reading->stop_after)
        return error_set(err, ERROR_NOT_NOW, NULL, "enough");
    return ERROR_OK;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
