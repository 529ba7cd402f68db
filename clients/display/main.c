// table-display: a screen at the table that shows what everybody may know.
#include "core/log.h"
#include "page.h"
#include "room/lines.h"
#include "screen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND_US = 1000000, SUBTITLE_US = 12 * SECOND_US, TEXT_MAX = 640 };

static const char *keep = "all"; // --keep: pictures as files

struct display {
    struct loop *loop;
    struct room *room;
    struct screen *screen;
    struct picture picture;
    struct loop_call look;  // all messages of one moment make one picture
    struct loop_timer tick; // the next second of the countdown, or the end of a subtitle
    char subtitle[TEXT_MAX];
    int64_t subtitle_end_us;
    char language[ROOM_LANGUAGE_MAX]; // of the table, as it last spoke
    unsigned n_files;
    char held[96]; // --keep phases: the picture that is written when the next phase or step begins
    bool ended;
};

// ---- when

static void draw(void *ctx);

static int64_t left_ms(const struct display *d, const struct room_levels *levels) {
    int64_t end = levels->phase && !levels->phase->paused ? room_due_us(d->room, levels->phase->deadline) : 0;
    if (end == 0)
        return -1;
    int64_t left = end - loop_now_us(d->loop);
    return left > 0 ? left / 1000 : 0;
}

static void schedule(struct display *d, int64_t left) {
    int64_t now = loop_now_us(d->loop), next = 0;
    bool dark = false;
    const struct room_levels levels = room_levels(d->room);
    if (levels.phase)
        dark = levels.phase->veil == TABLED__V1__VEIL__VEIL_DARK;
    if (left > 0 && !dark && !screen_keeps(d->screen))
        next = now + (left % 1000 ? left % 1000 : 1000) * 1000;
    if (*d->subtitle && (next == 0 || d->subtitle_end_us < next))
        next = d->subtitle_end_us;
    if (room_status(d->room)->stale && next == 0 && !d->ended && !screen_keeps(d->screen))
        next = now + 60 * (int64_t)SECOND_US;
    if (next && !(d->ended && next > d->subtitle_end_us))
        loop_timer_start(d->loop, &d->tick, next, draw, d);
    else
        loop_timer_stop(d->loop, &d->tick);
}

// What a file shows: "day", "night-600", "result".
static void name_of(const struct room_levels *levels, char ret[64]) {
    const char *phase = levels->result && levels->result->over ? "result"
                        : levels->phase                        ? levels->phase->id
                                                               : "";
    const char *step = levels->phase && strcmp(phase, "result") ? levels->phase->step : "";
    snprintf(ret, 64, "%.32s%s%.12s", *phase ? phase : "idle", *step ? "-" : "", step);
}

static void show(struct display *d, const char *what) {
    char name[96];
    snprintf(name, sizeof name, "%04u-%s", d->n_files, what);
    if (screen_show(d->screen, &d->picture, name))
        d->n_files += screen_keeps(d->screen);
}

// The last picture of each phase and step, for it shows most.
static void show_held(struct display *d, const char *next) {
    if (*d->held && strcmp(d->held, next))
        show(d, d->held);
    snprintf(d->held, sizeof d->held, "%s", next);
}

static const char *language_of(const struct display *d) {
    const char *chosen = room_options(d->room)->language;
    return *chosen ? chosen : *d->language ? d->language : "en";
}

static void draw(void *ctx) {
    struct display *d = ctx;
    const struct room_levels levels = room_levels(d->room);
    const struct room_status *status = room_status(d->room);
    int64_t now = loop_now_us(d->loop), left = left_ms(d, &levels);
    bool render = room_options(d->room)->render, phases = screen_keeps(d->screen) && !strcmp(keep, "phases");
    char name[64];
    if (*d->subtitle && now >= d->subtitle_end_us)
        d->subtitle[0] = '\0';
    name_of(&levels, name);
    if (phases)
        show_held(d, name);
    const struct page page = {
        .levels = &levels,
        .language = language_of(d),
        .subtitle = d->subtitle,
        .heard = *status->boot_id || render,
        .stale = status->stale && !render,
        .stale_ms = (now - status->since_us) / 1000,
        .left_ms = left,
    };
    page_draw(&d->picture, &page);
    if (!phases)
        show(d, name);
    schedule(d, left);
}

static void look(void *ctx) {
    struct display *d = ctx;
    if (d->room)
        draw(d);
}

static void something(struct display *d) {
    loop_defer(d->loop, &d->look, look, d);
}

// ---- messages

#define ON(name, type)                                                                                       \
    static void on_##name(void *ctx, const type *message) {                                                  \
        (void)message;                                                                                       \
        something(ctx);                                                                                      \
    }
ON(status, struct room_status)
ON(game, Tabled__V1__Game)
ON(phase, Tabled__V1__Phase)
ON(board, Tabled__V1__Board)
ON(seats, Tabled__V1__Seats)
ON(violations, Tabled__V1__Violations)
ON(result, Tabled__V1__Result)

// One line in the screen's language: from its key if the table speaks another.
static size_t line_text(const struct display *d, const Tabled__V1__Narration *narration,
                        const Tabled__V1__Line *line, char *ret, size_t cap) {
    const Tabled__V1__Game *game = room_levels(d->room).game;
    const char *sentence = lines_sentence(lines_find(game ? game->game : "", line->id), line);
    struct phrase_arg args[LINES_ARGS_MAX];
    if (!sentence || !strcmp(narration->locale, language_of(d)))
        return (size_t)snprintf(ret, cap, "%s", line->text);
    return phrase_fill(language_of(d), sentence, args, lines_args(line, args), ret, cap);
}

// Every line of a moment, one after the other; what is said for the deaf stays long enough to be read.
static void on_narration(void *ctx, const Tabled__V1__Narration *narration) {
    struct display *d = ctx;
    size_t len = 0;
    if (!d->room)
        return;
    snprintf(d->language, sizeof d->language, "%s", narration->locale);
    d->subtitle[0] = '\0';
    for (size_t i = 0; i < narration->n_lines && len + 2 < sizeof d->subtitle; i++) {
        if (len)
            d->subtitle[len++] = ' ';
        len += line_text(d, narration, narration->lines[i], d->subtitle + len, sizeof d->subtitle - len);
    }
    d->subtitle_end_us = loop_now_us(d->loop) + SUBTITLE_US;
    something(d);
}

static void on_end(void *ctx) {
    struct display *d = ctx;
    d->ended = true;
    loop_timer_stop(d->loop, &d->tick);
}

// ---- life

static enum error_code display_open(struct loop *loop, const struct config *config,
                                    struct room_options *options, void **ret_ctx, struct error *err) {
    struct display *d = *ret_ctx = calloc(1, sizeof *d);
    int width, height;
    if (!d)
        log_no_memory("display");
    if (strcmp(keep, "all") && strcmp(keep, "phases"))
        return error_set(err, ERROR_INVALID, "--keep", "all or phases, not '%s'", keep);
    d->loop = loop;
    const char *folder = options->render ? options->output ? options->output : "frames" : NULL;
    if (screen_open(config_only(config, "screen"), folder, &d->screen, &width, &height, err))
        return err->code;
    if (!picture_open(&d->picture, width, height))
        return error_set(err, ERROR_INTERNAL, "screen", "no picture of %d by %d pixels can be made", width,
                         height);
    return ERROR_OK;
}

static enum error_code display_start(void *ctx, struct room *room, struct error *err) {
    struct display *d = ctx;
    (void)err;
    d->room = room;
    draw(d);
    return ERROR_OK;
}

static enum error_code display_close(void *ctx, struct error *err) {
    struct display *d = ctx;
    (void)err;
    if (*d->held)
        show(d, d->held);
    loop_timer_stop(d->loop, &d->tick);
    loop_defer_cancel(d->loop, &d->look);
    picture_close(&d->picture);
    screen_close(d->screen);
    free(d);
    return ERROR_OK;
}

static const struct config_schema sections[] = {
    {.section = "screen", .keys = screen_keys},
    {.section = NULL},
};
static const struct room_calls calls = {
    .status = on_status,
    .game = on_game,
    .phase = on_phase,
    .board = on_board,
    .seats = on_seats,
    .violations = on_violations,
    .result = on_result,
    .narration = on_narration,
    .end = on_end,
};

int main(int argc, char **argv) {
    static const struct room_flag flags[] = {
        {"keep", "WHICH", "pictures as files: all, or phases (the last of each)", &keep},
        {0},
    };
    const struct room_program program = {
        .name = "table-display",
        .summary = "a screen at the table",
        .sections = sections,
        .flags = flags,
        .calls = &calls,
        .open = display_open,
        .start = display_start,
        .close = display_close,
    };
    return room_main(argc, argv, &program);
}
