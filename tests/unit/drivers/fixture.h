// What the tests of drivers share: a loop, a configuration, and a host that remembers what it was told.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/clock.h"
#include "core/config.h"
#include "core/loop.h"
#include "drivers/driver.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIXTURE_READERS_MAX = 16, FIXTURE_LIMIT_MS = 20000 };

enum told_what {
    TOLD_SEEN,
    TOLD_NONE,
    TOLD_COLLIDED,
    TOLD_FAILED,
    TOLD_UP,
    TOLD_DOWN,
    TOLD_ENDED,
    TOLD_HINT,     // why: the text
    TOLD_SIGNATURE // why: a word of fixture_signatures
};
static const char *const fixture_signatures[] = {"unknown", "valid", "invalid", "unreadable", "unsupported"};

struct told {
    int64_t us;
    char reader[33];
    uint16_t antenna;
    enum told_what what;
    char tags[120]; // hex, in the order of the reports, with blanks between
    char why[240];
};

struct fixture {
    struct clock_virtual clock;
    struct loop *loop;
    char dir[32];
    struct config *config;
    struct reader *reader[FIXTURE_READERS_MAX];
    size_t n_readers;
    struct told *told;
    size_t n_told, cap_told;
    char tags[120];
    void (*on_told)(struct fixture *f, struct reader *reader, const struct told *told);
    const struct driver_host *host; // NULL = fixture_host
};

static inline void fixture_tell(struct reader *reader, uint16_t antenna, enum told_what what,
                                const char *why) {
    struct fixture *f = reader->host_ctx;
    if (f->n_told == f->cap_told) {
        f->cap_told = f->cap_told ? 2 * f->cap_told : 256;
        f->told = realloc(f->told, f->cap_told * sizeof *f->told);
        assert_non_null(f->told);
    }
    struct told *told = &f->told[f->n_told++];
    *told = (struct told){.us = loop_now_us(reader->loop), .antenna = antenna, .what = what};
    snprintf(told->reader, sizeof told->reader, "%s", reader->name);
    snprintf(told->why, sizeof told->why, "%s", why);
    if (what == TOLD_SEEN || what >= TOLD_HINT)
        snprintf(told->tags, sizeof told->tags, "%s", f->tags);
    f->tags[0] = '\0';
    if (f->on_told)
        f->on_told(f, reader, told);
}

static inline void fixture_seen(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len) {
    struct fixture *f = reader->host_ctx;
    size_t at = strlen(f->tags);
    (void)antenna;
    if (at)
        at += (size_t)snprintf(f->tags + at, sizeof f->tags - at, " ");
    for (unsigned i = 0; i < len; i++)
        at += (size_t)snprintf(f->tags + at, sizeof f->tags - at, "%02X", uid[i]);
}

static inline void fixture_scan_done(struct reader *reader, uint16_t antenna, enum driver_outcome outcome) {
    fixture_tell(reader, antenna, (enum told_what)outcome, "");
}

static inline void fixture_health(struct reader *reader, bool up, const char *why) {
    fixture_tell(reader, 0, up ? TOLD_UP : TOLD_DOWN, why);
}

static inline void fixture_ended(struct reader *reader) {
    fixture_tell(reader, 0, TOLD_ENDED, "");
}

static inline void fixture_hint(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                                const char *text) {
    fixture_seen(reader, antenna, uid, len);
    fixture_tell(reader, antenna, TOLD_HINT, text);
}

static inline void fixture_signature(struct reader *reader, uint16_t antenna, const uint8_t *uid, uint8_t len,
                                     enum driver_signature signature) {
    fixture_seen(reader, antenna, uid, len);
    fixture_tell(reader, antenna, TOLD_SIGNATURE, fixture_signatures[signature]);
}

static const struct driver_host fixture_host = {.seen = fixture_seen,
                                                .scan_done = fixture_scan_done,
                                                .health = fixture_health,
                                                .ended = fixture_ended,
                                                .hint = fixture_hint,
                                                .signature = fixture_signature};

static inline void fixture_open(struct fixture *f, bool virtual_time) {
    struct error err;
    *f = (struct fixture){0};
    snprintf(f->dir, sizeof f->dir, "/tmp/drivers-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    clock_virtual_init(&f->clock);
    assert_int_equal(
        loop_create(virtual_time ? &f->clock.base : NULL, virtual_time ? &f->clock : NULL, &f->loop, &err),
        ERROR_OK);
}

static inline void fixture_close(struct fixture *f) {
    char command[64];
    for (size_t i = 0; i < f->n_readers; i++)
        reader_close(f->reader[i]);
    config_destroy(f->config);
    loop_destroy(f->loop);
    free(f->told);
    snprintf(command, sizeof command, "rm -rf %s", f->dir);
    assert_int_equal(system(command), 0);
}

static inline const char *fixture_path(const struct fixture *f, const char *name) {
    static char paths[8][96];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", f->dir, name);
    return path;
}

static inline void fixture_write(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) < 0, 0);
    assert_int_equal(fclose(file), 0);
}

// Loads a configuration of [reader NAME] sections and checks their keys as the daemon does.
static inline void fixture_conf(struct fixture *f, const char *text) {
    static struct config_schema schemas[2];
    struct error err = {0};
    schemas[0] = (struct config_schema){.section = "reader",
                                        .labelled = true,
                                        .label_help = "name of the reader",
                                        .keys = driver_common_params(),
                                        .open = true};
    fixture_write(fixture_path(f, "test.conf"), text);
    if (config_load(fixture_path(f, "test.conf"), schemas, &f->config, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    for (const struct config_section *s = config_next(f->config, "reader", NULL); s;
         s = config_next(f->config, "reader", s)) {
        const struct driver *driver = driver_find(config_text(s, "driver"));
        if (driver && config_check_keys(f->config, s, driver->params, &err) != ERROR_OK)
            fail_msg("%s: %s", err.where, err.text);
    }
}

static inline enum error_code fixture_try(struct fixture *f, const char *name, const char *replay_file,
                                          struct reader **ret, struct error *err) {
    return reader_open(f->loop, f->host ? f->host : &fixture_host, f, config_find(f->config, "reader", name),
                       replay_file, ret, err);
}

static inline struct reader *fixture_reader(struct fixture *f, const char *name, const char *replay_file) {
    struct error err = {0};
    struct reader *reader;
    if (fixture_try(f, name, replay_file, &reader, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    f->reader[f->n_readers++] = reader;
    return reader;
}

// One of the readers is closed by the test itself.
static inline void fixture_drop(struct fixture *f, struct reader *reader) {
    for (size_t i = 0; i < f->n_readers; i++) {
        if (f->reader[i] == reader)
            f->reader[i] = NULL;
    }
    reader_close(reader);
}

// How often something was told, by any reader (NULL) or one.
static inline size_t fixture_count(const struct fixture *f, const char *reader, enum told_what what) {
    size_t n = 0;
    for (size_t i = 0; i < f->n_told; i++)
        n += f->told[i].what == what && (!reader || strcmp(f->told[i].reader, reader) == 0);
    return n;
}

static inline const struct told *fixture_last(const struct fixture *f, const char *reader) {
    for (size_t i = f->n_told; i-- > 0;) {
        if (!reader || strcmp(f->told[i].reader, reader) == 0)
            return &f->told[i];
    }
    return NULL;
}

// ---- of the one reader of a fixture, on the virtual clock

static inline void fixture_run(struct fixture *f, int64_t us) {
    for (int64_t end = loop_now_us(f->loop) + us; loop_now_us(f->loop) < end;)
        loop_turn(f->loop, end - loop_now_us(f->loop));
}

// The last scan of an antenna, NULL.
static inline const struct told *fixture_last_at(const struct fixture *f, unsigned antenna) {
    for (size_t i = f->n_told; i-- > 0;)
        if (f->told[i].what <= TOLD_FAILED && f->told[i].antenna == antenna)
            return &f->told[i];
    return NULL;
}

// tags: as told, in a row; "" = none.
static inline void fixture_shows(const struct fixture *f, unsigned antenna, const char *tags) {
    const struct told *last = fixture_last_at(f, antenna);
    assert_non_null(last);
    assert_int_equal(last->what, *tags ? TOLD_SEEN : TOLD_NONE);
    assert_string_equal(last->tags, tags);
}

static inline unsigned fixture_count_since(const struct fixture *f, size_t from, enum told_what what,
                                           unsigned antenna) {
    unsigned n = 0;
    for (size_t i = from; i < f->n_told; i++)
        n += f->told[i].what == what && f->told[i].antenna == antenna;
    return n;
}

static inline uint64_t fixture_faults(const struct reader *reader) {
    uint64_t n = 0;
    for (unsigned i = 0; i < DRIVER_FAULTS; i++)
        n += reader->n_faults[i];
    return n;
}

// Turns the loop until the condition holds; a condition that never comes fails the test.
#define FIXTURE_UNTIL(f, condition)                                                                          \
    do {                                                                                                     \
        int64_t limit__ = clock_mono_us(clock_real()) + (int64_t)FIXTURE_LIMIT_MS * 1000;                    \
        while (!(condition)) {                                                                               \
            if (clock_mono_us(clock_real()) > limit__)                                                       \
                fail_msg("never came: %s", #condition);                                                      \
            loop_turn((f)->loop, 100000);                                                                    \
        }                                                                                                    \
    } while (0)

// The next scan of a reader that ends after now.
static inline const struct told *fixture_next_scan(struct fixture *f, const char *reader) {
    size_t from = f->n_told;
    for (size_t i = from;;) {
        FIXTURE_UNTIL(f, i < f->n_told);
        const struct told *told = &f->told[i++];
        if (told->what <= TOLD_FAILED && strcmp(told->reader, reader) == 0)
            return told;
    }
}
