// What changes something: each handler hands its request to the door and answers when the door does, which is
// when it is durable.
#include "core/json.h"
#include "net/body.h"
#include "net/once.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An answer that would be the same the next time is kept for those who ask again with the same key.
static void finish(struct request *request, int status, const char *text, size_t len) {
    if (request->once) {
        if (status < 500 && status != 409 && status != 429)
            once_done(request->once, status, text, len);
        else
            once_drop(request->once);
        request->once = NULL;
    }
    answer_text(request, status, status < 400 ? "application/json" : ANSWER_PROBLEM_TYPE, text, len);
}

static void refuse(struct request *request, const struct error *error, const struct door_issue *issues,
                   unsigned n) {
    char text[ANSWER_PROBLEM_MAX];
    size_t len = answer_problem(request, error, issues, n, text);
    finish(request, error_http(error->code), text, len);
}

static const char *const signature_words[] = {
    [DOOR_SIGNATURE_UNKNOWN] = "unknown",         [DOOR_SIGNATURE_VALID] = "valid",
    [DOOR_SIGNATURE_INVALID] = "invalid",         [DOOR_SIGNATURE_UNREADABLE] = "unreadable",
    [DOOR_SIGNATURE_UNSUPPORTED] = "unsupported",
};

// A thing is gone: nothing is left to say.
static bool finish_gone(struct request *request) {
    if (request->route->success != 204)
        return false;
    answer_response(request, 204, answer_of_text(NULL, "", 0));
    return true;
}

static void accept_done(struct request *request, const struct door_answer *answer) {
    static const char accepted[] = "{\"accepted\":true}";
    char text[ANSWER_PROBLEM_MAX];
    struct json j;
    if (finish_gone(request))
        return;
    if (answer->accepted_only) {
        finish(request, 202, accepted, sizeof accepted - 1);
        return;
    }
    json_begin(&j, text, sizeof text);
    json_begin_object(&j);
    json_key(&j, "version");
    json_uint(&j, answer->version);
    if (request->starts)
        answer_write_issues(&j, answer->issues, answer->n_issues);
    if (answer->added) {
        json_key(&j, "added");
        json_uint(&j, answer->added);
    }
    if (answer->inspected) {
        json_key(&j, "hint");
        json_text(&j, answer->inspected->hint);
        json_key(&j, "signature");
        json_text(&j, signature_words[answer->inspected->signature]);
        json_key(&j, "pad");
        json_text(&j, answer->inspected->pad);
    }
    json_end_object(&j);
    if (json_end(&j))
        finish(request, request->starts ? 201 : 200, text, j.len);
    else
        refuse(request, &(struct error){.code = ERROR_INTERNAL}, NULL, 0);
}

static void replied(void *ctx, const struct door_answer *answer) {
    struct request *request = ctx;
    struct conn *conn = request_conn(request);
    if (conn->orphan) { // the front has closed since: nobody waits any more
        free(conn);
        return;
    }
    if (answer->code == ERROR_OK) {
        accept_done(request, answer);
        return;
    }
    struct error error = answer->error;
    error.code = answer->code;
    refuse(request, &error, answer->issues, answer->n_issues);
}

// False: answered already, from what is kept or with why not.
static bool begin_once(struct request *request) {
    const char *key = request->headers.idempotency_key;
    struct error err = {0};
    bool done;
    if (!key)
        return true;
    if (!*key || strlen(key) > HTTP_KEY_MAX) {
        answer_code(request, ERROR_INVALID, "an Idempotency-Key has 1 to %d bytes", HTTP_KEY_MAX);
        return false;
    }
    struct once_entry *entry;
    if (once_begin(request->http->once, request->who.name, key, request->path, request->body,
                   request->body_len, loop_now_us(request->http->loop), &entry, &done, &err)) {
        answer_error(request, &err);
        return false;
    }
    if (!done) {
        request->once = entry;
        return true;
    }
    int status;
    size_t len;
    const char *text = once_answer(entry, &status, &len);
    answer_text(request, status, status < 400 ? "application/json" : ANSWER_PROBLEM_TYPE, text, len);
    return false;
}

static const char *body_text(const struct request *request) {
    return request->body ? request->body : "";
}

void post_game(struct request *request) {
    struct body_start body;
    struct error err = {0};
    request->starts = true;
    if (!answer_table_known(request))
        return;
    if (body_start(body_text(request), request->body_len, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    if (begin_once(request))
        door_start(request->http->options.door, request->table, &request->who, &body.start, replied, request);
    body_start_free(&body);
}

void post_action(struct request *request) {
    struct body_action body;
    struct error err = {0};
    if (!answer_table_known(request))
        return;
    if (body_action(body_text(request), request->body_len, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    door_act(request->http->options.door, request->table, &request->who, body.action, body.if_seq, replied,
             request);
}

void post_control(struct request *request) {
    struct body_control body;
    struct error err = {0};
    if (!answer_table_known(request))
        return;
    if (body_control(body_text(request), request->body_len, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    if (body.request.control != DOOR_CHOOSE && !(request->capabilities & CAP_CONTROL)) {
        answer_error(request, &(struct error){.code = ERROR_FORBIDDEN});
        return;
    }
    if (begin_once(request))
        door_control(request->http->options.door, request->table, &request->who, &body.request, replied,
                     request);
}

void post_enrol(struct request *request) {
    struct body_enrol body;
    struct error err = {0};
    if (!answer_table_known(request))
        return;
    if (body_enrol(body_text(request), request->body_len, &body, &err)) {
        answer_error(request, &err);
        return;
    }
    door_enrol(request->http->options.door, request->table, &request->who, body.deck,
               body.look ? NULL : body.name, body.look ? NULL : body.kind, body.face[0] ? body.face : NULL,
               body.pad[0] ? body.pad : NULL, body.wait_ms, replied, request);
}

void post_import(struct request *request) {
    char *csv;
    struct error err = {0};
    if (body_import(body_text(request), request->body_len, &csv, &err)) {
        answer_error(request, &err);
        return;
    }
    door_enrol_import(request->http->options.door, &request->who, csv, replied, request);
    free(csv);
}

void delete_piece(struct request *request) {
    door_enrol_remove(request->http->options.door, &request->who, request->param[0], request->param[1],
                      replied, request);
}
