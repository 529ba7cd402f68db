#include "net/mqtt_command.h"
#include "core/config.h"
#include "core/log.h"
#include "net/body.h"
#include "net/rate.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_MAX = 256, WAITING_MAX = 64, USERS_MAX = 16 };
static const struct bucket_rule of_a_user = {.burst = 60, .each_us = 50000},
                                of_all = {.burst = 480, .each_us = 12500},
                                told = {.burst = 10, .each_us = 1000000}; // that it was too much

struct seen { // one command that was taken
    char table[33], user[33];
    uint8_t len; // 0 = none
    uint8_t correlation[MQTT_COMMAND_CORRELATION_MAX];
};
struct waiting {                    // for the door's answer
    struct mqtt_commands *commands; // NULL: nobody wants the answer any more
    struct waiting *next;
    char table[33], user[33], verb[33];
    size_t correlation_len;
    uint8_t correlation[MQTT_COMMAND_CORRELATION_MAX];
};
struct counts { // said at the end
    uint64_t taken, refused, retained, repeated, malformed, too_large, too_many;
};
struct mqtt_commands {
    struct door *door;
    const struct mqtt_command_host *calls;
    void *ctx;
    struct seen seen[SEEN_MAX];
    size_t next_seen;
    struct waiting *waiting;
    size_t n_waiting;
    struct bucket all, told;
    struct user {
        char name[33];
        int64_t used_us;
        struct bucket bucket;
    } user[USERS_MAX]; // the one that was quiet for longest gives way
    struct counts counts;
};

struct mqtt_commands *mqtt_commands_create(struct door *door, const struct mqtt_command_host *calls,
                                           void *ctx) {
    struct mqtt_commands *commands = calloc(1, sizeof *commands);
    if (commands == NULL)
        log_no_memory("mqtt");
    commands->door = door;
    commands->calls = calls;
    commands->ctx = ctx;
    return commands;
}

void mqtt_commands_destroy(struct mqtt_commands *commands) {
    if (commands == NULL)
        return;
    const struct counts *n = &commands->counts;
    log_info("mqtt",
             "commands taken=%llu refused=%llu retained=%llu repeated=%llu malformed=%llu too_large=%llu "
             "too_many=%llu",
             (unsigned long long)n->taken, (unsigned long long)n->refused, (unsigned long long)n->retained,
             (unsigned long long)n->repeated, (unsigned long long)n->malformed,
             (unsigned long long)n->too_large, (unsigned long long)n->too_many);
    for (struct waiting *w = commands->waiting; w != NULL; w = w->next)
        w->commands = NULL;
    free(commands);
}

// ---- answers

static void answer(struct waiting *w, const struct door_answer *with) {
    w->commands->calls->reply(w->commands->ctx,
                              &(struct mqtt_command_reply){
                                  .table = w->table,
                                  .user = w->user,
                                  .verb = w->verb,
                                  .answer = with,
                                  .correlation = w->correlation_len > 0 ? w->correlation : NULL,
                                  .correlation_len = w->correlation_len,
                              });
}

static void refuse(struct waiting *w, const struct error *err) {
    w->commands->counts.refused++;
    struct door_answer with = {.code = err->code, .error = *err};
    answer(w, &with);
}

static void on_answer(void *ctx, const struct door_answer *with) {
    struct waiting *w = ctx;
    if (w->commands != NULL) {
        struct waiting **at = &w->commands->waiting;
        while (*at != w)
            at = &(*at)->next;
        *at = w->next;
        w->commands->n_waiting--;
        answer(w, with);
    }
    free(w);
}

// ---- verbs: each hands its command to the door, or says why not

// Uses w up when it returns OK.
typedef enum error_code verb_fn(struct mqtt_commands *commands, struct waiting *w,
                                const struct mqtt_incoming *message, struct error *err);

static void who_of(const struct waiting *w, struct door_who *ret) {
    *ret = (struct door_who){.role = DOOR_OPERATOR, .seat = -1, .cause = "mqtt"};
    snprintf(ret->name, sizeof ret->name, "%s", w->user);
}

static struct waiting *wait_for_answer(struct mqtt_commands *commands, const struct waiting *from) {
    struct waiting *w = malloc(sizeof *w);
    if (w == NULL)
        log_no_memory("mqtt");
    *w = *from;
    w->next = commands->waiting;
    commands->waiting = w;
    commands->n_waiting++;
    commands->counts.taken++;
    return w;
}

// The payload has the fields of POST /control without `do`, which is the verb of the topic.
static enum error_code control(struct mqtt_commands *commands, struct waiting *w,
                               const struct mqtt_incoming *message, struct error *err) {
    json_t *root = NULL;
    struct body_control *body = NULL;
    if (body_json(message->len > 0 ? message->payload : "{}", message->len > 0 ? message->len : 2, &root,
                  err) != ERROR_OK)
        return err->code;
    enum error_code code = ERROR_INVALID;
    if (json_object_get(root, "do") != NULL) {
        error_set(err, ERROR_INVALID, "do", "the verb stands in the topic");
    } else {
        json_object_set_new(root, "do", json_string(w->verb));
        char *text = json_dumps(root, JSON_COMPACT);
        body = malloc(sizeof *body);
        if (text == NULL || body == NULL)
            log_no_memory("mqtt");
        code = body_control(text, strlen(text), body, err);
        free(text);
    }
    json_decref(root);
    if (code == ERROR_OK) {
        struct door_who who;
        who_of(w, &who);
        struct waiting *kept = wait_for_answer(commands, w);
        door_control(commands->door, kept->table, &who, &body->request, on_answer, kept);
    }
    free(body);
    return code;
}

// A line `s2 swap a=s2 b=s4`, or JSON of design 5.2 with `if_seq`. An action that might be delivered twice
// must be known again: by correlation data, or by `if_seq`, which holds once.
static enum error_code act(struct mqtt_commands *commands, struct waiting *w,
                           const struct mqtt_incoming *message, struct error *err) {
    struct body_action *body = calloc(1, sizeof *body);
    if (body == NULL)
        log_no_memory("mqtt");
    const char *text = message->payload;
    enum error_code code = ERROR_OK;
    if (message->len > 0 && text[0] == '{')
        code = body_action(text, message->len, body, err);
    else if (message->len == 0 || message->len >= sizeof body->action ||
             memchr(text, '\0', message->len) != NULL)
        code = error_set(err, ERROR_INVALID, NULL, "an action is a line like `s2 swap a=s2 b=s4`, or JSON");
    else
        memcpy(body->action, text, message->len); // the rest is zero
    if (code == ERROR_OK && w->correlation_len == 0 && body->if_seq == 0)
        code = error_set(err, ERROR_INVALID, NULL,
                         "send correlation data or if_seq: a message may be delivered twice");
    if (code == ERROR_OK) {
        struct door_who who;
        who_of(w, &who);
        struct waiting *kept = wait_for_answer(commands, w);
        door_act(commands->door, kept->table, &who, body->action, body->if_seq, on_answer, kept);
    }
    free(body);
    return code;
}

static const struct verb {
    const char *name;
    verb_fn *run;
} verbs[] = {{"pause", control}, {"resume", control}, {"choose", control}, {"act", act}};

static const struct verb *find_verb(const char *name) {
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

// ---- receiving

// One level of a topic into `ret`; false if it is too long or there is none.
static bool level(const char **topic, char ret[33]) {
    size_t len = strcspn(*topic, "/");
    if (len == 0 || len > 32)
        return false;
    memcpy(ret, *topic, len);
    ret[len] = '\0';
    *topic += len + ((*topic)[len] == '/');
    return true;
}

static bool read_topic(const char *below, struct waiting *w) {
    char cmd[33];
    return level(&below, w->table) && level(&below, cmd) && level(&below, w->user) &&
           level(&below, w->verb) && *below == '\0' && strcmp(cmd, "cmd") == 0 && config_name_ok(w->table) &&
           config_name_ok(w->user) && config_word_ok(w->verb);
}

static bool seen_before(struct mqtt_commands *commands, const struct waiting *w) {
    for (size_t i = 0; w->correlation_len > 0 && i < SEEN_MAX; i++) {
        const struct seen *s = &commands->seen[i];
        if (s->len == w->correlation_len && memcmp(s->correlation, w->correlation, s->len) == 0 &&
            strcmp(s->user, w->user) == 0 && strcmp(s->table, w->table) == 0)
            return true;
    }
    return false;
}

static void remember(struct mqtt_commands *commands, const struct waiting *w) {
    if (w->correlation_len == 0)
        return;
    struct seen *s = &commands->seen[commands->next_seen++ % SEEN_MAX];
    memcpy(s->table, w->table, sizeof s->table);
    memcpy(s->user, w->user, sizeof s->user);
    s->len = (uint8_t)w->correlation_len;
    memcpy(s->correlation, w->correlation, w->correlation_len);
}

static struct user *user_of(struct mqtt_commands *commands, const char *name) {
    struct user *oldest = &commands->user[0];
    for (size_t i = 0; i < USERS_MAX; i++) {
        struct user *user = &commands->user[i];
        if (strcmp(user->name, name) == 0)
            return user;
        if (user->used_us < oldest->used_us)
            oldest = user;
    }
    *oldest = (struct user){.used_us = 0};
    snprintf(oldest->name, sizeof oldest->name, "%s", name);
    return oldest;
}

// A flood is answered for a while and then only counted: answers are messages too.
static bool too_many(struct mqtt_commands *commands, struct waiting *w) {
    int64_t now = commands->calls->now_us(commands->ctx);
    struct user *user = user_of(commands, w->user);
    user->used_us = now;
    if (bucket_take(&user->bucket, &of_a_user, now) && bucket_take(&commands->all, &of_all, now))
        return false;
    commands->counts.too_many++;
    log_warning("mqtt", "too many commands table=%s user=%s", w->table, w->user);
    if (bucket_take(&commands->told, &told, now))
        refuse(w, &(struct error){.code = ERROR_RATE});
    return true;
}

static void run(struct mqtt_commands *commands, struct waiting *w, const struct mqtt_incoming *message) {
    const struct verb *verb = find_verb(w->verb);
    enum error_code ready = commands->calls->ready(commands->ctx, w->table);
    struct error err = {0};
    if (verb == NULL)
        error_set(&err, ERROR_NOT_FOUND, w->verb, "the verbs are pause, resume, act and choose");
    else if (ready != ERROR_OK)
        error_set(&err, ready, w->table,
                  ready == ERROR_NOT_NOW ? "the table is not ready" : "there is no such table");
    else if (commands->n_waiting >= WAITING_MAX)
        error_set(&err, ERROR_BUSY, NULL, NULL);
    else
        verb->run(commands, w, message, &err);
    if (err.code != ERROR_OK)
        refuse(w, &err);
}

void mqtt_commands_receive(struct mqtt_commands *commands, const char *below,
                           const struct mqtt_incoming *message) {
    struct waiting w = {.commands = commands};
    if (!read_topic(below, &w) || message->correlation_len > MQTT_COMMAND_CORRELATION_MAX) {
        commands->counts.malformed++;
        log_warning("mqtt", "dropped a command: its topic or correlation data has the wrong shape");
        return;
    }
    if (message->retained) {
        commands->counts.retained++;
        log_warning("mqtt", "dropped a retained command; clear it on the broker table=%s user=%s verb=%s",
                    w.table, w.user, w.verb);
        return;
    }
    if (message->len > MQTT_COMMAND_PAYLOAD_MAX) {
        commands->counts.too_large++;
        log_warning("mqtt", "dropped a command of %zu bytes table=%s user=%s", message->len, w.table, w.user);
        return;
    }
    w.correlation_len = message->correlation_len;
    if (w.correlation_len > 0)
        memcpy(w.correlation, message->correlation, w.correlation_len);
    if (seen_before(commands, &w)) {
        commands->counts.repeated++;
        return;
    }
    if (too_many(commands, &w))
        return;
    remember(commands, &w);
    run(commands, &w, message);
}
