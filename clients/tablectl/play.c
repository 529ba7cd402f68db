// Commands that change a table: start, act, choose, pause, resume, undo, override, end, again.
#include "call.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTION_MAX = 2048, NOTE_PLACES = 4 };

// Sends a body, and takes it. ret: call_free in any case.
static int post_body(const struct args *args, const char *table, const char *below, json_t *body,
                     struct call *ret) {
    char path[128];
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    json_decref(body);
    memset(ret, 0, sizeof *ret);
    if (!text) {
        fprintf(stderr, "tablectl: this cannot be sent: its text is not UTF-8\n");
        return EXIT_CODE_USAGE;
    }
    snprintf(path, sizeof path, "/api/v1/tables/%s/%s", table, below);
    int code = call(args, path, text, ret);
    free(text);
    return code;
}

static void tell_done(const struct args *args, const struct call *answer, const char *done) {
    const json_t *issues = json_object_get(answer->json, "issues");
    for (size_t i = 0; i < json_array_size(issues); i++)
        fprintf(stderr, "warning: %s (%s)\n", text_of(json_array_get(issues, i), "text"),
                text_of(json_array_get(issues, i), "code"));
    puts(args->json ? answer->text : answer->status == 202 ? "accepted" : done);
}

// Sends a body and says how it went; takes the body.
static int send_body(const struct args *args, const char *table, const char *below, json_t *body,
                     const char *done) {
    struct call answer;
    int code = post_body(args, table, below, body, &answer);
    if (!code)
        tell_done(args, &answer, done);
    call_free(&answer);
    return code;
}

// Whole numbers and yes/no go as such, so that the daemon may check them; the rest are words.
static json_t *option_value(const char *text) {
    char *end;
    long long number = strtoll(text, &end, 10);
    if (*text && !*end && strlen(text) < 12)
        return json_integer(number);
    return json_string(text);
}

static bool add_options(const struct args *args, json_t *body) {
    const char *pair;
    json_t *options = json_pack("{}");
    for (size_t i = 0; (pair = args_nth(args, "option", i)); i++) {
        char name[64];
        size_t n = strcspn(pair, "=");
        if (pair[n] != '=' || n >= sizeof name) {
            json_decref(options);
            return false;
        }
        snprintf(name, sizeof name, "%.*s", (int)n, pair);
        json_object_set_new(options, name, option_value(pair + n + 1));
    }
    json_object_set_new(body, "options", options);
    return true;
}

static bool add_roles(const char *text, json_t *body) {
    json_t *roles = json_pack("[]");
    while (*(text += strspn(text, " ,\t"))) {
        char name[64];
        size_t n = strcspn(text, " ,\t"), word = strcspn(text, "=");
        unsigned long times = word < n ? strtoul(text + word + 1, NULL, 10) : 1;
        if (word > n)
            word = n;
        snprintf(name, sizeof name, "%.*s", (int)word, text);
        for (; times > 0 && json_array_size(roles) < 65; times--) // the daemon refuses the 65th
            json_array_append_new(roles, json_string(name));
        text += n;
    }
    return json_object_set_new(body, "roles", roles) == 0;
}

// Places of the game that no pad feels: whoever starts it has to know that the table will not see them.
static void note_places(const struct args *args, const char *table) {
    char path[128], names[NOTE_PLACES * 40] = "";
    struct call answer;
    size_t missing = 0, len = 0;
    snprintf(path, sizeof path, "/api/v1/tables/%s", table);
    int code = call(args, path, NULL, &answer);
    const json_t *places = json_object_get(json_object_get(answer.json, "board"), "places");
    for (size_t i = 0; !code && i < json_array_size(places); i++) {
        const json_t *place = json_array_get(places, i);
        if (json_is_true(json_object_get(place, "sensed")) || missing++ >= NOTE_PLACES)
            continue;
        len += (size_t)snprintf(names + len, sizeof names - len, " %.33s", text_of(place, "name"));
    }
    if (missing)
        fprintf(
            stderr,
            "note: no pad for %zu of %zu places:%s%s; what happens there is entered by hand (`tablectl act`, "
            "dashboard), or pads are made theirs ([pad], [map])\n",
            missing, json_array_size(places), names, missing > NOTE_PLACES ? " ..." : "");
    call_free(&answer);
}

// Has the game itself told what this table does not feel?
static bool told_unsensed(const struct call *answer) {
    const json_t *issues = json_object_get(answer->json, "issues");
    for (size_t i = 0; i < json_array_size(issues); i++)
        if (!strcmp(text_of(json_array_get(issues, i), "code"), "W_UNSENSED"))
            return true;
    return false;
}

int run_start(const struct args *args) {
    char table[33];
    struct call answer;
    size_t next;
    uint64_t seats, seed;
    if (args->n_words < 1 || args->n_words > 2)
        return usage_error(args, "name the game");
    if (!args_number(args, "seats", 0, 16, 0, &seats) || !args_number(args, "seed", 0, UINT64_MAX, 0, &seed))
        return EXIT_CODE_USAGE;
    int code = call_table(args, 1, table, &next);
    if (code)
        return code;
    json_t *body = json_pack("{s:s}", "game", args->words[args->n_words - 1]);
    const char *preset = args_option(args, "preset"), *roles = args_option(args, "roles");
    if (preset)
        json_object_set_new(body, "preset", json_string(preset));
    if (seats)
        json_object_set_new(body, "seats", json_integer((json_int_t)seats));
    if (args_option(args, "seed"))
        json_object_set_new(body, "seed", json_string(args_option(args, "seed")));
    if (args_option(args, "bots"))
        json_object_set_new(body, "bots", json_string(args_option(args, "bots")));
    if (roles)
        add_roles(roles, body);
    if (!add_options(args, body)) {
        json_decref(body);
        return usage_error(args, "write --option NAME=VALUE");
    }
    code = post_body(args, table, "game", body, &answer);
    if (!code)
        tell_done(args, &answer, "started");
    if (!code && !args->json && !told_unsensed(&answer))
        note_places(args, table);
    call_free(&answer);
    return code;
}

int run_act(const struct args *args) {
    char table[33], action[ACTION_MAX];
    size_t next;
    if (args->n_words < 1 || !args_join(args, 0, action, sizeof action))
        return usage_error(args, "say who does what");
    int code = call_table(args, SIZE_MAX, table, &next);
    return code ? code : send_body(args, table, "actions", json_pack("{s:s}", "text", action), "done");
}

static void add_reason(const struct args *args, json_t *body) {
    const char *reason = args_option(args, "reason");
    if (reason)
        json_object_set_new(body, "reason", json_string(reason));
}

int run_control(const struct args *args) {
    char table[33];
    size_t next;
    if (args->n_words > 1)
        return usage_error(args, "name one table or none; a reason is given with --reason");
    int code = call_table(args, 0, table, &next);
    if (code)
        return code;
    json_t *body = json_pack("{s:s}", "do", args->command->name);
    add_reason(args, body);
    return send_body(args, table, "control", body, "done");
}

int run_override(const struct args *args) {
    char table[33], action[ACTION_MAX];
    size_t next;
    uint64_t violation;
    bool forgives = args_option(args, "violation") != NULL;
    if (!args_number(args, "violation", 0, UINT32_MAX, 0, &violation))
        return EXIT_CODE_USAGE;
    if (forgives == (args->n_words > 0) || !args_join(args, 0, action, sizeof action))
        return usage_error(args, "give --violation ID to forgive, or the action that was missed");
    int code = call_table(args, SIZE_MAX, table, &next);
    if (code)
        return code;
    json_t *body = forgives ? json_pack("{s:s,s:I}", "do", "override", "violation", (json_int_t)violation)
                            : json_pack("{s:s,s:s}", "do", "override", "action", action);
    if (body)
        add_reason(args, body);
    return send_body(args, table, "control", body, "done");
}

// The id of the open choice.
static int open_choice(const struct args *args, const char *table, uint64_t *ret) {
    char path[128];
    struct call answer;
    snprintf(path, sizeof path, "/api/v1/tables/%s/violations", table);
    int code = call(args, path, NULL, &answer);
    const json_t *choices = json_object_get(answer.json, "choices");
    if (!code && !json_array_size(choices)) {
        fprintf(stderr, "tablectl: no choice is open at this table\n");
        code = EXIT_CODE_REFUSED;
    }
    *ret = (uint64_t)number_of(json_array_get(choices, 0), "id");
    call_free(&answer);
    return code;
}

int run_choose(const struct args *args) {
    char table[33];
    size_t next;
    uint64_t choice;
    if (args->n_words < 1 || args->n_words > 2)
        return usage_error(args, "say which number");
    char *end;
    unsigned long number = strtoul(args->words[args->n_words - 1], &end, 10);
    if (*end || number < 1 || number > 0xffff)
        return usage_error(args, "options are numbered from 1");
    if (!args_number(args, "choice", 0, UINT32_MAX, 0, &choice))
        return EXIT_CODE_USAGE;
    int code = call_table(args, 1, table, &next);
    if (!code && !args_option(args, "choice"))
        code = open_choice(args, table, &choice);
    if (code)
        return code;
    json_t *body = json_pack("{s:s,s:I,s:I}", "do", "choose", "choice", (json_int_t)choice, "option",
                             (json_int_t)number - 1);
    return send_body(args, table, "control", body, "done");
}
