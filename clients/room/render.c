// --render: the lines of `tabled --replay --virtual-clock` as a source. Each comes at its own time on the
// virtual clock, so a whole evening passes as fast as the client can follow.
#include "core/log.h"
#include "room__.h"
#include "wire/pb_json.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct room__render {
    struct room *room;
    FILE *file;
    char *line;
    size_t cap, number;
    json_t *next; // the line that waits for its time
    struct loop_timer due;
};

static void arm(struct room__render *r);

static void give_up(struct room__render *r, const char *what) {
    log_error("room", "line %zu: %s", r->number, what);
    loop_quit(r->room->loop, 1);
}

static int find_topic(const char *name) {
    const char *level = !strncmp(name, "public/", 7) ? name + 7 : name;
    for (int t = 0; t < TOPICS; t++)
        if (!strcmp(topic_rows[t].level, level))
            return t;
    return -1;
}

static void deliver(struct room__render *r, const json_t *line) {
    const char *table = json_string_value(json_object_get(line, "table"));
    const char *name = json_string_value(json_object_get(line, "topic"));
    const json_t *body = json_object_get(line, "message");
    int topic = name ? find_topic(name) : -1;
    if (!table || topic < 0 || !room__is_our_table(r->room, table) || !room__type((enum topic)topic))
        return;
    if (json_is_null(body)) {
        room__cleared(r->room, (enum topic)topic);
        return;
    }
    ProtobufCMessage *message = NULL;
    struct error err;
    char *text = json_dumps(body, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text &&
        !pb_json_read(room__type((enum topic)topic), text, strlen(text), ROOM_LIST_MAX, &message, &err))
        room__message(r->room, (enum topic)topic, message, true);
    else
        give_up(r, text ? err.text : "memory");
    free(text);
}

static void due(void *ctx) {
    struct room__render *r = ctx;
    json_t *line = r->next;
    r->next = NULL;
    deliver(r, line);
    json_decref(line);
    arm(r);
}

static void arm(struct room__render *r) {
    while (getline(&r->line, &r->cap, r->file) > 0) {
        r->number++;
        if (r->line[strspn(r->line, " \t\r\n")] == '\0')
            continue;
        json_error_t why;
        r->next = json_loads(r->line, JSON_REJECT_DUPLICATES, &why);
        const json_t *ms = json_object_get(r->next, "ms");
        if (!json_is_integer(ms) || json_integer_value(ms) < 0) {
            give_up(r, r->next ? "no `ms`: is this the output of tabled --replay?" : why.text);
            return;
        }
        loop_timer_start(r->room->loop, &r->due, json_integer_value(ms) * 1000, due, r);
        return;
    }
    room__end(r->room);
}

enum error_code room__render_create(struct room *room, struct room__render **ret, struct error *err) {
    const char *path = room->options.input;
    struct room__render *r = calloc(1, sizeof *r);
    if (!r)
        log_no_memory("room");
    r->room = room;
    r->file = path && strcmp(path, "-") != 0 ? fopen(path, "re") : stdin;
    *ret = r;
    if (!r->file)
        return error_set(err, ERROR_INVALID, path, "cannot be read: %s", strerror(errno));
    // The first line is asked for on the loop: the client is not there yet.
    r->next = json_pack("{s:i}", "ms", 0);
    loop_timer_start(room->loop, &r->due, 0, due, r);
    return ERROR_OK;
}

void room__render_destroy(struct room__render *r) {
    if (!r)
        return;
    loop_timer_stop(r->room->loop, &r->due);
    json_decref(r->next);
    free(r->line);
    if (r->file && r->file != stdin)
        fclose(r->file);
    free(r);
}
