// A table on a bench: a virtual clock, one reader whose antennas are scanned every 85 ms, pieces by name, and
// a sink that writes down what every audience is told, one line each: `MS AUDIENCE WHAT ...`.
#pragma once
#include "core/loop.h"
#include "engine/door.h"
#include "engine/table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BENCH_PADS = 16, BENCH_LOG = 1 << 20, BENCH_SCAN_US = 85000 };

struct bench {
    struct clock_virtual clock;
    struct loop *loop;
    struct pieces *pieces;
    struct door *door;
    struct error err;
    struct loop_timer scan;
    struct board_pad_options pads[BENCH_PADS];
    unsigned n_pads;
    bool reader_down, collides[BENCH_PADS];
    struct {
        unsigned n;
        struct tag tags[4];
    } lies[BENCH_PADS];
    struct table_options options;
    const char *journal_path;
    const struct bot *(*bot)(const char *game);
    char *log;
    size_t len, mark;
    struct door_answer answer;
    struct door_inspected inspected; // of the last answer that had it
    unsigned answers;
};

static void bench_write(struct bench *b, int audience, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void bench_write(struct bench *b, int audience, const char *format, ...) {
    va_list args;
    char who[16] = "public";
    if (audience >= 0)
        snprintf(who, sizeof who, "s%d", audience + 1);
    b->len += (size_t)snprintf(b->log + b->len, BENCH_LOG - b->len, "%lld %s ",
                               (long long)(loop_now_us(b->loop) / 1000), who);
    va_start(args, format);
    b->len += (size_t)vsnprintf(b->log + b->len, BENCH_LOG - b->len, format, args);
    va_end(args);
    b->len += (size_t)snprintf(b->log + b->len, BENCH_LOG - b->len, "\n");
    assert_true(b->len < BENCH_LOG);
}

static void bench_view(void *ctx, const struct observation *v, unsigned parts) {
    struct bench *b = ctx;
    int64_t epoch = b->clock.wall - b->clock.mono;
    char text[1200];
    size_t n = 0;
    if (parts & OBSERVE_PART_GAME)
        bench_write(b, v->audience, "game %s status=%d seats=%u", v->game ? v->game : "-", v->status,
                    v->seats);
    if (parts & OBSERVE_PART_PHASE)
        bench_write(b, v->audience, "phase %u %s step=%s turn=%x starts=%lld deadline=%lld%s%s", v->phase.n,
                    v->phase.id ? v->phase.id : "-", v->phase.step ? v->phase.step : "-", v->phase.turn,
                    (long long)(v->phase.starts_at_us ? (v->phase.starts_at_us - epoch) / 1000 : 0),
                    (long long)(v->phase.deadline_us ? (v->phase.deadline_us - epoch) / 1000 : 0),
                    v->phase.paused ? " paused=" : "", v->phase.paused ? v->phase.pause_reason : "");
    if (parts & OBSERVE_PART_BOARD) {
        for (unsigned i = 0; i < v->n_places; i++)
            if (v->place[i].sensed)
                text[n++] = "?.x"[v->place[i].level];
        text[n] = '\0';
        bench_write(b, v->audience, "board %s", text);
    }
    if (parts & OBSERVE_PART_VIOLATION)
        bench_write(b, v->audience, "wrongs %u prompts=%u choice=%u", v->n_violations, v->n_prompts,
                    v->choice ? v->choice->id : 0);
    if (parts & OBSERVE_PART_RESULT && v->result.over) {
        bench_write(b, v->audience, "result winners=%x dead=%x", v->result.winners, v->result.dead);
        for (unsigned i = 0; v->audience < 0 && i < v->n_story; i++)
            bench_write(b, v->audience, "story %s %s by=%s [%s] %s", v->story[i].phase,
                        v->story[i].step ? v->story[i].step : "-", v->story[i].by, v->story[i].flags,
                        v->story[i].text);
    }
}

static void bench_event(void *ctx, const char *table, int audience, const struct observe_event *e) {
    struct bench *b = ctx;
    (void)table;
    char text[600];
    size_t n = (size_t)snprintf(text, sizeof text, "event %s", observe_event_name(e->type));
    if (e->seat >= 0)
        n += (size_t)snprintf(text + n, sizeof text - n, " s%d", e->seat + 1);
    if (e->action)
        n += (size_t)snprintf(text + n, sizeof text - n, " `%s`%s%s", e->action->text,
                              *e->action->notation ? " = " : "", e->action->notation);
    if (e->violation)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s@%s", e->violation->rule,
                              e->violation->n_places ? e->violation->places[0] : "-");
    if (e->choice)
        n += (size_t)snprintf(text + n, sizeof text - n, " choice=%u n=%u", e->choice->id, e->choice->n);
    for (unsigned i = 0; i < e->n_repairs; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s>%s", e->repairs[i].take, e->repairs[i].put);
    if (e->reason)
        n += (size_t)snprintf(text + n, sizeof text - n, " reason=%s", e->reason);
    if (e->code)
        n += (size_t)snprintf(text + n, sizeof text - n, " code=%s", e->code);
    if (e->reader)
        snprintf(text + n, sizeof text - n, " reader=%s", e->reader);
    bench_write(b, audience, "%s", text);
}

static void bench_narration(void *ctx, const char *table, const struct observe_narration *say) {
    struct bench *b = ctx;
    (void)table;
    for (unsigned i = 0; i < say->n_lines; i++)
        bench_write(b, OBSERVE_PUBLIC, "say +%u %s", say->line[i].at_ms, say->line[i].text);
}

static void bench_readers(void *ctx, const char *table, const struct observe_readers *readers) {
    unsigned up = 0;
    (void)table;
    for (unsigned i = 0; i < readers->n; i++)
        up += readers->reader[i].up;
    bench_write(ctx, OBSERVE_PUBLIC, "readers %u of %u", up, readers->n);
}

static void bench_scan(void *ctx) {
    struct bench *b = ctx;
    for (unsigned i = 0; i < b->n_pads && !b->reader_down; i++)
        door_scan(b->door, b->pads[i].reader, b->pads[i].antenna,
                  b->collides[i] ? PAD_COLLIDED
                  : b->lies[i].n ? PAD_SEEN
                                 : PAD_NONE,
                  b->lies[i].tags, b->collides[i] ? 0 : b->lies[i].n);
    loop_timer_start(b->loop, &b->scan, b->scan.due_us + BENCH_SCAN_US, bench_scan, b);
}

static struct tag bench_tag(const char *text) {
    struct tag tag;
    struct error err;
    assert_int_equal(tag_parse(text, &tag, &err), ERROR_OK);
    return tag;
}

// pads: "s1 s2 tap:tap"; pieces: "NAME kind TAG" each, a control's name is its function.
static void bench_options(struct bench *b, const char *pads) {
    char words[512], *rest = NULL;
    *b = (struct bench){.log = malloc(BENCH_LOG)};
    assert_non_null(b->log);
    b->log[0] = '\0';
    snprintf(words, sizeof words, "%s", pads);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        struct board_pad_options *pad = &b->pads[b->n_pads];
        char *kind = strchr(word, ':');
        if (kind)
            *kind = '\0';
        snprintf(pad->name, sizeof pad->name, "%s", word);
        snprintf(pad->reader, sizeof pad->reader, "r");
        pad->antenna = (uint16_t)b->n_pads++;
        pad->kind = kind ? BOARD_PAD_TAP : BOARD_PAD_TILE;
        pad->capacity = 2;
        pad->limits = pad_limits_default;
    }
    snprintf(b->options.name, sizeof b->options.name, "main");
    b->options.timing = table_timing_default;
    b->options.seed = 1;
    b->options.chance_from_readers = true;
    b->journal_path = ":memory:";
    clock_virtual_init(&b->clock);
    assert_int_equal(loop_create(&b->clock.base, &b->clock, &b->loop, &b->err), ERROR_OK);
    assert_int_equal(pieces_create(&b->pieces, &b->err), ERROR_OK);
}

static void bench_piece(struct bench *b, const char *name, const char *kind, const char *tag) {
    struct tag bytes = bench_tag(tag);
    if (pieces_add(b->pieces, "kit", name, kind, &bytes, 0, NULL, &b->err))
        fail_msg("%s: %s", name, b->err.text);
}

static enum error_code bench_open(struct bench *b) {
    static const char *const why = "";
    b->options.pads = b->pads;
    b->options.n_pads = b->n_pads;
    const struct door_options options = {.loop = b->loop,
                                         .pieces = b->pieces,
                                         .journal_path = b->journal_path,
                                         .tables = &b->options,
                                         .n_tables = 1,
                                         .boot = 1,
                                         .bot = b->bot};
    assert_non_null(game_at(0));
    const struct observe_sink sink = {bench_view, bench_event, bench_narration, bench_readers, b};
    if (door_create(&options, &b->door, &b->err))
        return b->err.code;
    door_add_sink(b->door, &sink);
    door_reader(b->door, "r", "fake", true, why);
    b->scan.due_us = loop_now_us(b->loop);
    loop_timer_start(b->loop, &b->scan, b->scan.due_us, bench_scan, b);
    return ERROR_OK;
}

static void bench_shut(struct bench *b) { // the daemon goes; the journal's file stays
    loop_timer_stop(b->loop, &b->scan);
    door_destroy(b->door);
    b->door = NULL;
}

static void bench_close(struct bench *b) {
    bench_shut(b);
    pieces_destroy(b->pieces);
    loop_destroy(b->loop);
    free(b->log);
}

static void bench_until(struct bench *b, int64_t ms) {
    while (loop_now_us(b->loop) < ms * 1000)
        assert_true(loop_turn(b->loop, ms * 1000 - loop_now_us(b->loop)));
}

static void bench_run(struct bench *b, int64_t ms) {
    bench_until(b, loop_now_us(b->loop) / 1000 + ms);
}

static unsigned bench_pad(const struct bench *b, const char *pad) {
    for (unsigned i = 0; i < b->n_pads; i++)
        if (!strcmp(b->pads[i].name, pad))
            return i;
    fail_msg("no pad %s", pad);
    return 0;
}

static const struct tag *bench_tag_of(struct bench *b, const char *piece) {
    uint16_t index = pieces_find(b->pieces, "kit", piece);
    assert_true(index != PIECE_NONE);
    return &pieces_at(b->pieces, index)->tags[0].tag;
}

static void bench_lift(struct bench *b, const char *pad) {
    b->lies[bench_pad(b, pad)].n = 0;
}

static void bench_lay(struct bench *b, const char *pad, const char *piece) {
    unsigned i = bench_pad(b, pad);
    b->lies[i].tags[b->lies[i].n++] = *bench_tag_of(b, piece);
}

static void bench_tap(struct bench *b, const char *pad, const char *piece) {
    bench_lay(b, pad, piece);
    bench_run(b, 400);
    b->lies[bench_pad(b, pad)].n--; // what lies there stays
    bench_run(b, 1200);
}

// ---- requests

static void bench_reply(void *ctx, const struct door_answer *answer) {
    struct bench *b = ctx;
    b->answer = *answer;
    b->answer.issues = NULL;
    b->answers++;
    if (answer->inspected)
        b->inspected = *answer->inspected;
}

static const struct door_who bench_host = {
    .role = DOOR_OPERATOR, .seat = -1, .name = "host", .cause = "rest"};
static struct door_who bench_seat(int seat) {
    return (struct door_who){.role = DOOR_SEAT, .seat = (int8_t)seat, .name = "p", .cause = "rest"};
}

static enum error_code bench_wait(struct bench *b, unsigned answers) {
    while (b->answers == answers)
        assert_true(loop_turn(b->loop, 0));
    assert_int_equal(b->answers, answers + 1);
    return b->answer.code;
}

static enum error_code bench_start(struct bench *b, const char *game, const char *preset, unsigned seats) {
    const struct door_start start = {.game = game, .preset = preset, .seats = seats};
    unsigned n = b->answers;
    door_start(b->door, "main", &bench_host, &start, bench_reply, b);
    return bench_wait(b, n);
}

static enum error_code bench_act(struct bench *b, const struct door_who *who, const char *action) {
    unsigned n = b->answers;
    door_act(b->door, "main", who, action, 0, bench_reply, b);
    return bench_wait(b, n);
}

static enum error_code bench_control(struct bench *b, const struct door_who *who,
                                     const struct door_control_request *request) {
    unsigned n = b->answers;
    door_control(b->door, "main", who, request, bench_reply, b);
    return bench_wait(b, n);
}

// ---- what was told

// Does a line with this in it come after the last one found? Moves on to it.
static void bench_expect(struct bench *b, const char *text) {
    const char *at = strstr(b->log + b->mark, text);
    if (!at)
        fail_msg("`%s` was not told; the last lines since then:\n%s", text,
                 b->len - b->mark > 3000 ? b->log + b->len - 3000 : b->log + b->mark);
    b->mark = (size_t)(at - b->log) + strlen(text);
}

static void bench_silent(struct bench *b, const char *text) { // nothing like this since the last one found
    const char *at = strstr(b->log + b->mark, text);
    if (at)
        fail_msg("told: %.*s", (int)strcspn(at, "\n"), at);
}

static void bench_forget(struct bench *b) {
    b->mark = b->len;
}

// Every helper counts as used, whichever a test needs.
static inline void bench_all(void) {
    (void)bench_close, (void)bench_run, (void)bench_tap, (void)bench_seat, (void)bench_start, (void)bench_act;
    (void)bench_control, (void)bench_expect, (void)bench_silent, (void)bench_forget, (void)bench_piece;
    (void)bench_options, (void)bench_open, (void)bench_lift, (void)bench_lay;
}

// The area `engine` has one game and no registry of games/.
#ifdef BENCH_TEMPLATE
extern const struct game template_game;
const struct game *game_find(const char *id) {
    return !strcmp(id, "template") ? &template_game : NULL;
}
const struct game *game_at(size_t i) {
    return i == 0 ? &template_game : NULL;
}
#endif
