// A driver watched live with the board behind it and recorded; the record, played, brings the same events.
// Kept records under tests/taps/drivers keep their meaning; REBUILD=1 in the environment writes them anew.
#pragma once
#include "drivers/record.h"
#include "support/reader_board.h"
#include "unit/drivers/fixture.h"

enum { RECORDED_TAGS = 3, RECORDED_NEAR_MS = 2, RECORDED_LIVE_MS = 1000 };
static const char *const recorded_tags[RECORDED_TAGS] = {"04A1B2C3D4E580", "5A1B2C3D",
                                                         "04A1B2C3D4E5F6071829"};

struct recorded {
    struct reader_board rb;
    struct record *record;
    char file[200], events[200], name[33];
    unsigned antennas;
    bool keep;
};

// The reader of that name in f's configuration, opened behind a record.
static inline struct reader *recorded_open(struct recorded *r, struct fixture *f, const char *reader,
                                           unsigned antennas, const char *kept) {
    struct error err = {0};
    *r = (struct recorded){.antennas = antennas, .keep = getenv("REBUILD") != NULL};
    snprintf(r->name, sizeof r->name, "%s", reader);
    snprintf(r->events, sizeof r->events, "%s/taps/drivers/%s.events", TESTS_DIR, kept);
    if (r->keep)
        snprintf(r->file, sizeof r->file, "%s/taps/drivers/%s.tap", TESTS_DIR, kept);
    else
        snprintf(r->file, sizeof r->file, "%s", fixture_path(f, "live.tap"));
    unlink(r->file);
    reader_board_open(&r->rb, f->loop, reader, antennas, recorded_tags, RECORDED_TAGS);
    assert_int_equal(record_open(r->file, &reader_board_host, &r->record, &err), ERROR_OK);
    if (reader_open(f->loop, record_host(r->record), &r->rb, config_find(f->config, "reader", reader), NULL,
                    &r->rb.reader, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    return r->rb.reader;
}

static inline char *recorded_replay(const char *reader, unsigned antennas, const char *file) {
    struct fixture f;
    struct reader_board rb;
    struct error err = {0};
    char conf[80];
    fixture_open(&f, true);
    reader_board_open(&rb, f.loop, reader, antennas, recorded_tags, RECORDED_TAGS);
    snprintf(conf, sizeof conf, "[reader %s]\ndriver = replay\n", reader);
    fixture_conf(&f, conf);
    if (reader_open(f.loop, &reader_board_host, &rb, config_find(f.config, "reader", reader), file,
                    &rb.reader, &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    while (!rb.ended)
        loop_turn(f.loop, 1000000);
    reader_close(rb.reader);
    char *text = strdup(rb.text);
    reader_board_close(&rb);
    fixture_close(&f);
    return text;
}

// The same events in the same order. In real time whoever else runs on the machine may come between the
// record and the board, so a live one is near in a wider sense.
static inline void recorded_same(const char *a, const char *b, int near_ms) {
    unsigned line = 0;
    while (*a || *b) {
        long long ms_a = -1, ms_b = -1;
        int used_a = 0, used_b = 0;
        line++;
        (void)!sscanf(a, "%lld%n", &ms_a, &used_a);
        (void)!sscanf(b, "%lld%n", &ms_b, &used_b);
        size_t len_a = strcspn(a, "\n"), len_b = strcspn(b, "\n");
        if (llabs(ms_a - ms_b) > near_ms || len_a - (size_t)used_a != len_b - (size_t)used_b ||
            memcmp(a + used_a, b + used_b, len_a - (size_t)used_a) != 0)
            fail_msg("event %u is `%.*s` and `%.*s`", line, (int)len_a, a, (int)len_b, b);
        a += len_a + (a[len_a] == '\n');
        b += len_b + (b[len_b] == '\n');
    }
    assert_true(line >= 4);
}

// Closes the reader and compares what was seen live, what its record brings, and what the kept record brings.
static inline void recorded_close(struct recorded *r) {
    char kept[220], *live, *again, *expected;
    reader_close(r->rb.reader);
    record_close(r->record);
    live = strdup(r->rb.text);
    reader_board_close(&r->rb);
    again = recorded_replay(r->name, r->antennas, r->file);
    recorded_same(live, again, RECORDED_LIVE_MS);
    assert_non_null(strstr(live, " placed "));
    assert_non_null(strstr(live, " removed "));
    if (r->keep)
        fixture_write(r->events, again);
    free(live);
    free(again);
    FILE *in = fopen(r->events, "r");
    if (!in)
        fail_msg("%s is not there; REBUILD=1 makes it", r->events);
    expected = calloc(1, READER_BOARD_TEXT);
    assert_non_null(expected);
    expected[fread(expected, 1, READER_BOARD_TEXT - 1, in)] = '\0';
    fclose(in);
    snprintf(kept, sizeof kept, "%.*s.tap", (int)strlen(r->events) - 7, r->events);
    again = recorded_replay(r->name, r->antennas, kept);
    recorded_same(expected, again, RECORDED_NEAR_MS);
    free(expected);
    free(again);
}
