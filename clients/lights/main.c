// table-lights: lamps that follow a table's public messages.
#include "core/log.h"
#include "frame.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FRAME_US = 40000,     // 25 frames a second are enough for fades, and few enough for WLED
    REFRESH_US = 1000000, // a lamp that was without power has the picture back by then (B131, B132)
};

struct lights {
    struct loop *loop;
    struct room *room;
    struct scene scene;
    int64_t scene_since_us;
    struct loop_timer timer, later;
    struct loop_call look; // all levels of one moment make one scene
    bool ended;            // --render: the last line was read
    unsigned n;
    struct lamp lamp[LAMPS_MAX];
};

static void schedule(struct lights *l);

static void send(struct lamp *lamp, int64_t now_us) {
    bool failed = !lamp->wire->send(lamp, lamp->shown);
    if (failed != lamp->failing)
        log_info("lights", "%s lamp=%s", failed ? "the lamp does not take frames" : "the lamp is back",
                 lamp->name);
    lamp->failing = failed;
    lamp->sent = true;
    lamp->sent_us = now_us;
}

static void draw(void *ctx) {
    struct lights *l = ctx;
    int64_t now_us = loop_now_us(l->loop);
    for (unsigned i = 0; i < l->n; i++) {
        struct lamp *lamp = &l->lamp[i];
        if (lamp->drawn && now_us - lamp->drawn_us < FRAME_US)
            continue; // a burst of messages is one frame
        bool changed = frame_draw(lamp, &l->scene, now_us);
        bool due = lamp->wire != &lamp_record && now_us - lamp->sent_us >= REFRESH_US;
        if (changed || due || !lamp->sent)
            send(lamp, now_us);
    }
    schedule(l);
}

static void schedule(struct lights *l) {
    bool moves = scene_moves(&l->scene) && !l->ended;
    int64_t next_us = 0, now_us = loop_now_us(l->loop);
    for (unsigned i = 0; i < l->n; i++) {
        const struct lamp *lamp = &l->lamp[i];
        int64_t due_us = !lamp->drawn || now_us - lamp->drawn_us >= FRAME_US ? now_us
                                                                             : lamp->drawn_us + FRAME_US;
        if (lamp->settled && !moves && lamp->drawn) {
            if (lamp->wire == &lamp_record || l->ended)
                continue; // nothing will change, and a file needs no reminder
            due_us = lamp->sent_us + REFRESH_US;
        } else if (lamp->drawn && lamp->drawn_us == now_us) {
            due_us = now_us + FRAME_US;
        }
        next_us = next_us == 0 || due_us < next_us ? due_us : next_us;
    }
    if (next_us)
        loop_timer_start(l->loop, &l->timer, next_us, draw, l);
    else
        loop_timer_stop(l->loop, &l->timer);
}

static void build(const struct lights *l, struct scene *ret) {
    const struct room_levels levels = room_levels(l->room);
    const struct room_status *status = room_status(l->room);
    bool live = !room_options(l->room)->render;
    scene_build(ret, &levels, live && (status->stale || !*status->boot_id),
                levels.phase ? room_due_us(l->room, levels.phase->deadline) : 0);
}

static void look(void *ctx) {
    struct lights *l = ctx;
    struct scene scene;
    if (!l->room)
        return;
    build(l, &scene);
    if (!memcmp(&scene, &l->scene, sizeof scene))
        return; // whatever was said shows in no lamp
    if (!frame_take(&l->scene, &l->scene_since_us, &scene, loop_now_us(l->loop))) {
        loop_timer_start(l->loop, &l->later, l->scene_since_us + FRAME_SCENE_US, look, l);
        return;
    }
    for (unsigned i = 0; i < l->n; i++)
        l->lamp[i].settled = false;
    draw(l);
}

static void something(struct lights *l) {
    loop_defer(l->loop, &l->look, look, l);
}

// Every level leads to the same: the scene is made anew of all of them.
#define ON(name, type)                                                                                       \
    static void on_##name(void *ctx, const type *message) {                                                  \
        (void)message;                                                                                       \
        something(ctx);                                                                                      \
    }
ON(status, struct room_status)
ON(phase, Tabled__V1__Phase)
ON(board, Tabled__V1__Board)
ON(seats, Tabled__V1__Seats)
ON(violations, Tabled__V1__Violations)
ON(result, Tabled__V1__Result)

static void on_end(void *ctx) {
    struct lights *l = ctx;
    l->ended = true;
    schedule(l);
}

static enum error_code lights_open(struct loop *loop, const struct config *config,
                                   struct room_options *options, void **ret_ctx, struct error *err) {
    struct lights *l = *ret_ctx = calloc(1, sizeof *l);
    const char *output = options->render ? options->output ? options->output : "/dev/stdout" : NULL;
    if (!l)
        log_no_memory("lights");
    l->loop = loop;
    l->scene_since_us = -FRAME_SCENE_US;
    for (const struct config_section *s = NULL; (s = config_next(config, "lamp", s));) {
        if (l->n == LAMPS_MAX)
            return error_set(err, ERROR_INVALID, config_where(s), "%d lamps at most", LAMPS_MAX);
        if (lamp_open(&l->lamp[l->n++], loop, config, s, output, err))
            return err->code;
    }
    for (const struct config_section *s = NULL; (s = config_next(config, "leds", s));)
        if (!config_find(config, "lamp", config_label(s)))
            return error_set(err, ERROR_INVALID, config_where(s), "there is no [lamp %s]", config_label(s));
    if (l->n == 0)
        return error_set(err, ERROR_INVALID, "configuration",
                         "there is no lamp: give it a section [lamp NAME], see table-lights(1)");
    return ERROR_OK;
}

static enum error_code lights_start(void *ctx, struct room *room, struct error *err) {
    struct lights *l = ctx;
    (void)err;
    l->room = room;
    build(l, &l->scene);
    draw(l);
    return ERROR_OK;
}

static enum error_code lights_close(void *ctx, struct error *err) {
    struct lights *l = ctx;
    (void)err;
    loop_timer_stop(l->loop, &l->timer);
    loop_timer_stop(l->loop, &l->later);
    loop_defer_cancel(l->loop, &l->look);
    for (unsigned i = 0; i < l->n; i++)
        lamp_close(&l->lamp[i]);
    free(l);
    return ERROR_OK;
}

static const struct config_schema sections[] = {
    {.section = "lamp", .labelled = true, .label_help = "NAME", .keys = lamp_keys},
    {.section = "leds", .labelled = true, .label_help = "LAMP"}, // PLACE = FIRST-LAST
    {.section = NULL},
};
static const struct room_calls calls = {.status = on_status,
                                        .phase = on_phase,
                                        .board = on_board,
                                        .seats = on_seats,
                                        .violations = on_violations,
                                        .result = on_result,
                                        .end = on_end};

int main(int argc, char **argv) {
    const struct room_program program = {
        .name = "table-lights",
        .summary = "lamps that follow a table",
        .sections = sections,
        .calls = &calls,
        .open = lights_open,
        .start = lights_start,
        .close = lights_close,
    };
    return room_main(argc, argv, &program);
}
