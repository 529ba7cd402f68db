// Letting people in, and the truth of a game at the price of the game.
#include "call.h"
#include "fold.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int run_pair(const struct args *args) {
    const char *role = args_option(args, "role"), *seat = args_option(args, "seat"),
               *table = args_option(args, "table");
    char at[33];
    size_t next;
    struct call answer;
    if (args->n_words)
        return usage_error(args, "it takes no words");
    int code = seat ? call_table(args, SIZE_MAX, at, &next) : EXIT_CODE_OK; // a seat is at one table
    if (code)
        return code;
    if (seat)
        table = at;
    json_t *body = json_pack("{s:s}", "role", role ? role : seat ? "seat" : "admin");
    if (seat)
        json_object_set_new(body, "seat", json_string(seat));
    if (table)
        json_object_set_new(body, "table", json_string(table));
    char *text = json_dumps(body, JSON_COMPACT);
    code = call(args, "/api/v1/pairing", text, &answer);
    if (!code && args->json)
        printf("%s\n", answer.text);
    else if (!code)
        printf(
            "%.4s-%.4s\n\nOpen the dashboard and type this code; it is good once, until %s or the next "
            "code.\n",
            text_of(answer.json, "code"), text_of(answer.json, "code") + 4,
            text_of(answer.json, "expires_at"));
    json_decref(body);
    free(text);
    call_free(&answer);
    return code;
}

// ---- break the glass

static int post(const struct args *args, const char *path, const char *body) {
    struct call answer;
    int code = call(args, path, body, &answer);
    call_free(&answer);
    return code;
}

static int journal_path(const struct args *args, char ret[1100]) {
    struct call answer;
    int code = call(args, "/api/v1/settings", NULL, &answer);
    const json_t *rows = code ? NULL : json_object_get(answer.json, "settings");
    const char *folder = "", *file = "";
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(text_of(row, "section"), "daemon") != 0)
            continue;
        if (!strcmp(text_of(row, "key"), "state_dir"))
            folder = text_of(row, "value");
        else if (!strcmp(text_of(row, "key"), "journal"))
            file = text_of(row, "value");
    }
    snprintf(ret, 1100, "%s%s%s", *file ? file : folder, *file ? "" : "/", *file ? "" : "journal.db");
    call_free(&answer);
    return code;
}

// In the dark a game ends from a pause alone.
struct ending {
    bool running, pause_first;
};
static int look(const struct args *args, const char *table, struct ending *ret) {
    char path[96];
    struct call answer;
    snprintf(path, sizeof path, "/api/v1/tables/%s", table);
    int code = call(args, path, NULL, &answer);
    const json_t *phase = code ? NULL : json_object_get(answer.json, "phase");
    ret->running = !code && !strcmp(text_of(json_object_get(answer.json, "game"), "status"), "running");
    ret->pause_first = ret->running && !strcmp(text_of(phase, "veil"), "dark") &&
                       !json_is_true(json_object_get(phase, "paused"));
    call_free(&answer);
    return code;
}

// Everybody is told that the game is over and why, then whoever asked is told how it stood.
int run_reveal(const struct args *args) {
    static const char pause[] = "{\"do\":\"pause\",\"reason\":\"revealed by a host\"}";
    static const char end[] = "{\"do\":\"end\",\"reason\":\"revealed by a host\"}";
    char table[33], path[160], journal[1100];
    size_t next;
    struct fold *fold = NULL;
    struct error err = {0};
    if (!args_option(args, "abort-game"))
        return usage_error(args,
                           "nobody sees hidden cards while a game runs: say --abort-game to end it first");
    int code = call_table(args, 0, table, &next);
    if (code || (code = journal_path(args, journal)))
        return code;
    snprintf(path, sizeof path, "/api/v1/tables/%s/control", table);
    struct ending ending;
    if ((code = look(args, table, &ending)) || (ending.pause_first && (code = post(args, path, pause))) ||
        (ending.running && (code = post(args, path, end))))
        return code;
    if (fold_last(journal, table, &fold, &err))
        return failed(&err, EXIT_CODE_FAILED);
    if (fold && fold_print(fold, &err))
        code = failed(&err, EXIT_CODE_FAILED);
    fold_destroy(fold);
    return code;
}
