// What can be read of a table beside its views: where its pads are, and what a start would say.
#include "core/json.h"
#include "net/body.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_MAX = 1 << 19, CHECK_MAX = 1 << 15 };

static void write_pad(void *ctx, const struct door_pad *pad) {
    struct json *j = ctx;
    json_begin_object(j);
    answer_text_field(j, "name", pad->name);
    json_key(j, "x");
    json_int(j, pad->x);
    json_key(j, "y");
    json_int(j, pad->y);
    answer_text_field(j, "kind", pad->tap ? "tap" : "tile");
    answer_text_field(j, "reader", pad->reader);
    json_key(j, "antenna");
    json_uint(j, pad->antenna);
    json_key(j, "places");
    json_begin_array(j);
    for (unsigned i = 0; i < pad->n_places; i++)
        json_text(j, pad->places[i]);
    json_end_array(j);
    json_end_object(j);
}

void get_map(struct request *request) {
    char *text = malloc(MAP_MAX);
    struct json j;
    bool known = false;
    if (text) {
        json_begin(&j, text, MAP_MAX);
        json_begin_object(&j);
        json_key(&j, "pads");
        json_begin_array(&j);
        known = door_pads(request->http->options.door, request->table, write_pad, &j);
        json_end_array(&j);
        json_end_object(&j);
    }
    if (text && !known)
        answer_no_table(request);
    else if (text && json_end(&j))
        answer_tagged(request, text, j.len);
    else
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
    free(text);
}

// ---- check

static void write_setup(struct json *j, const struct observation *setup) {
    json_key(j, "cards");
    json_begin_array(j);
    for (unsigned i = 0; setup && i < setup->n_cards; i++)
        json_text(j, setup->cards[i]);
    json_end_array(j);
    json_key(j, "options");
    json_begin_array(j);
    for (unsigned i = 0; setup && i < setup->n_options; i++) {
        json_begin_object(j);
        answer_text_field(j, "name", setup->options[i].name);
        answer_text_field(j, "value", setup->options[i].value);
        json_end_object(j);
    }
    json_end_array(j);
}

static void answer_checked(struct request *request, const char *game, const struct door_checked *checked) {
    char *text = malloc(CHECK_MAX);
    struct json j;
    if (text) {
        json_begin(&j, text, CHECK_MAX);
        json_begin_object(&j);
        json_key(&j, "ok");
        json_bool(&j, checked->ok);
        answer_write_issues(&j, checked->issue, checked->n_issues);
        answer_text_field(&j, "game", game);
        json_key(&j, "seats");
        json_uint(&j, checked->seats);
        write_setup(&j, checked->setup);
        json_end_object(&j);
    }
    if (text && json_end(&j))
        answer_json(request, 200, text, j.len);
    else
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
    free(text);
}

void post_check(struct request *request) {
    struct body_start body;
    struct door_checked checked;
    struct error err = {0};
    if (!answer_table_known(request))
        return;
    if (body_start(request->body ? request->body : "", request->body_len, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    if (door_check(request->http->options.door, request->table, &body.start, &checked, &err))
        answer_error(request, &err);
    else
        answer_checked(request, body.start.game, &checked);
    body_start_free(&body);
}
