// Commands that look at a table: status, watch, readers, version.
#include "call.h"
#include "event.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int get_below(const struct args *args, const char *table, const char *below, struct call *ret) {
    char path[128];
    snprintf(path, sizeof path, "/api/v1/tables/%s%s", table, below);
    return call(args, path, NULL, ret);
}

// ---- status
// ---------------------------------------------------------------------------------------------------------

static void print_list(const char *head, const json_t *list) {
    printf("%s", head);
    for (size_t i = 0; i < json_array_size(list); i++)
        printf(" %s", json_string_value(json_array_get(list, i)));
    printf("\n");
}

// How long it is until then, as people say it.
static void print_left(const char *deadline) {
    struct tm tm = {0};
    struct timespec now;
    const char *rest = strptime(deadline, "%Y-%m-%dT%H:%M:%S", &tm);
    clock_gettime(CLOCK_REALTIME, &now);
    if (!rest) {
        printf(", until %s", deadline);
        return;
    }
    long long left_ms = ((long long)timegm(&tm) - now.tv_sec) * 1000 - now.tv_nsec / 1000000;
    if (*rest == '.')
        left_ms += strtol(rest + 1, NULL, 10); // written with three digits
    long long s = (left_ms + 999) / 1000;
    if (left_ms <= 0)
        printf(", time is up");
    else if (s < 60)
        printf(", %lld s left", s);
    else if (s < 3600)
        printf(", %lld min %lld s left", s / 60, s % 60);
    else
        printf(", %lld h %lld min left", s / 3600, s / 60 % 60);
}

static void print_phase(const json_t *phase) {
    printf("phase    %s", text_of(phase, "id"));
    if (number_of(phase, "round"))
        printf(", round %lld", number_of(phase, "round"));
    printf(", %s", text_of(phase, "veil"));
    if (*text_of(phase, "step"))
        printf(", step %s", text_of(phase, "step"));
    if (*text_of(phase, "deadline"))
        print_left(text_of(phase, "deadline"));
    printf("\n");
    if (json_is_true(json_object_get(phase, "paused")))
        printf("paused   %s\n", event_pause(text_of(phase, "pause_reason")));
    const json_t *turn = json_object_get(phase, "turn");
    if (json_array_size(turn))
        print_list("turn    ", turn);
}

// An action in its words, and as the rules write it where they have a notation.
static void print_action(const json_t *action) {
    printf("%s", text_of(action, "text"));
    if (*text_of(action, "notation"))
        printf("   %s", text_of(action, "notation"));
}

static void print_options(const char *indent, const json_t *options) {
    for (size_t k = 0; k < json_array_size(options); k++) {
        printf("%s%zu: ", indent, k + 1);
        print_action(json_array_get(options, k));
        printf("\n");
    }
}

static void print_seats(const json_t *seats) {
    const json_t *list = json_object_get(seats, "seats"), *counters = json_object_get(seats, "counters");
    printf("seats   ");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *seat = json_array_get(list, i);
        const char *label = text_of(seat, "label");
        printf(" %s%s%s%s%s%s%s", text_of(seat, "seat"), *label ? "(" : "", label, *label ? ")" : "",
               json_is_true(json_object_get(seat, "bot")) ? "@" : "",
               json_is_true(json_object_get(seat, "acted")) ? "*" : "",
               json_is_false(json_object_get(seat, "alive")) ? "+" : "");
    }
    printf("   (@ the computer plays, * has acted, + is out)\n");
    for (size_t i = 0; i < json_array_size(counters); i++) {
        const json_t *counter = json_array_get(counters, i);
        printf("counter  %s%s%s = %lld\n", text_of(counter, "seat"), *text_of(counter, "seat") ? " " : "",
               text_of(counter, "name"), number_of(counter, "value"));
    }
}

static void print_repair(const json_t *repair) {
    const char *what = *text_of(repair, "what") ? text_of(repair, "what") : "piece";
    const char *take = text_of(repair, "take"), *put = text_of(repair, "put");
    if (!strcmp(put, "hand"))
        printf("         take the %s from %s\n", what, take);
    else if (!strcmp(take, "hand"))
        printf("         lay the %s on %s\n", what, put);
    else if (!strcmp(take, put))
        printf("         turn the %s on %s over\n", what, put);
    else
        printf("         put the %s from %s to %s\n", what, take, put);
}

static void print_violations(const json_t *part) {
    const json_t *list = json_object_get(part, "violations"), *choices = json_object_get(part, "choices");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *repairs = json_object_get(one, "repairs");
        printf("wrong    %lld: %s (%s)\n", number_of(one, "id"), text_of(one, "text"), text_of(one, "rule"));
        for (size_t k = 0; k < json_array_size(repairs); k++)
            print_repair(json_array_get(repairs, k));
    }
    const json_t *prompt = json_object_get(part, "prompt");
    if (json_array_size(prompt))
        printf("move     the table follows:\n");
    for (size_t i = 0; i < json_array_size(prompt); i++)
        print_repair(json_array_get(prompt, i));
    for (size_t i = 0; i < json_array_size(choices); i++) {
        const json_t *one = json_array_get(choices, i), *options = json_object_get(one, "options");
        printf("choice   %lld, for %s:\n", number_of(one, "id"), text_of(one, "by"));
        print_options("         ", options);
    }
}

static void print_result(const json_t *result) {
    if (!json_is_true(json_object_get(result, "over")))
        return;
    const json_t *teams = json_object_get(result, "teams"), *seats = json_object_get(result, "seats");
    const json_t *story = json_object_get(result, "story");
    printf("result   %s\n", text_of(result, "reason"));
    for (size_t i = 0; i < json_array_size(teams); i++)
        printf("         %s %s\n", text_of(json_array_get(teams, i), "name"),
               json_is_true(json_object_get(json_array_get(teams, i), "won")) ? "wins" : "loses");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);
        const char *role = text_of(seat, "role");
        printf("         %s%s%s %s%s\n", text_of(seat, "seat"), *role ? " " : "", role,
               json_is_true(json_object_get(seat, "won")) ? "won" : "lost",
               json_is_true(json_object_get(seat, "dead")) ? ", died" : "");
    }
    for (size_t i = 0; i < json_array_size(story); i++) {
        const json_t *row = json_array_get(story, i), *flags = json_object_get(row, "flags");
        printf("story    %s %s%s %s", text_of(row, "phase"), text_of(row, "step"),
               *text_of(row, "step") ? " " : "", text_of(row, "text"));
        for (size_t k = 0; k < json_array_size(flags); k++)
            printf(" [%s]", json_string_value(json_array_get(flags, k)));
        printf("\n");
    }
}

static void print_view(const json_t *view, const char *table) {
    const json_t *game = json_object_get(view, "game");
    printf("table    %s, %s\n", table, text_of(game, "status"));
    if (!*text_of(game, "game"))
        return;
    printf("game     %s (%s)\n", text_of(game, "title"), text_of(game, "game"));
    if (json_array_size(json_object_get(game, "cards")))
        print_list("cards   ", json_object_get(game, "cards"));
    print_phase(json_object_get(view, "phase"));
    print_seats(json_object_get(view, "seats"));
    if (*text_of(json_object_get(view, "board"), "position"))
        printf("board    %s\n", text_of(json_object_get(view, "board"), "position"));
    print_violations(json_object_get(view, "violations"));
    print_result(json_object_get(view, "result"));
}

static int print_tables(const struct args *args) {
    struct call answer;
    int code = call(args, "/api/v1/tables", NULL, &answer);
    const json_t *tables = json_object_get(answer.json, "tables");
    if (!code && args->json)
        puts(answer.text);
    for (size_t i = 0; !code && !args->json && i < json_array_size(tables); i++) {
        const json_t *one = json_array_get(tables, i);
        printf("%-16s %-8s %s\n", text_of(one, "table"), text_of(one, "status"), text_of(one, "game"));
    }
    call_free(&answer);
    return code;
}

// Without a name: the only table in full, or the list of several.
static int count_tables(const struct args *args, size_t *ret) {
    struct call answer;
    int code = call(args, "/api/v1/tables", NULL, &answer);
    *ret = json_array_size(json_object_get(answer.json, "tables"));
    call_free(&answer);
    return code;
}

int run_status(const struct args *args) {
    char table[33];
    size_t next, n = 1;
    struct call answer;
    if (args->n_words > 1)
        return usage_error(args, "name one table or none");
    int code = EXIT_CODE_OK;
    if (!args->n_words && !args_option(args, "table"))
        code = count_tables(args, &n);
    if (!code && n != 1)
        return print_tables(args);
    if (code || (code = call_table(args, 0, table, &next)))
        return code;
    code = get_below(args, table, "", &answer);
    if (!code && args->json)
        puts(answer.text);
    else if (!code)
        print_view(answer.json, table);
    call_free(&answer);
    return code;
}

static void print_numbers(const json_t *numbers, const char *reader) {
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        const json_t *one = json_array_get(numbers, i), *faults = json_object_get(one, "faults"), *value;
        const char *name;
        if (strcmp(text_of(one, "name"), reader) != 0)
            continue;
        long long scans = number_of(one, "scans"), rate = number_of(one, "rate_mhz");
        printf("%16s %lld.%lld scans a second, %lld scans: %lld missed, %lld collided, %lld failed", "",
               rate / 1000, rate % 1000 / 100, scans, number_of(one, "misses"), number_of(one, "collided"),
               number_of(one, "failed"));
        json_object_foreach((json_t *)faults, name, value) if (json_integer_value(value))
            printf(", %lld %s", (long long)json_integer_value(value), name);
        if (*text_of(one, "last_seen"))
            printf("; last tag %s", text_of(one, "last_seen"));
        printf("\n");
    }
}

int run_readers(const struct args *args) {
    char table[33];
    size_t next;
    struct call answer;
    int code = args->n_words > 1 ? usage_error(args, "name one table or none")
                                 : call_table(args, 0, table, &next);
    if (code)
        return code;
    code = get_below(args, table, "/readers", &answer);
    const json_t *readers = json_object_get(answer.json, "readers");
    if (!code && args->json)
        puts(answer.text);
    for (size_t i = 0; !code && !args->json && i < json_array_size(readers); i++) {
        const json_t *one = json_array_get(readers, i);
        printf("%-16s %-12s %-5s since %s%s%s\n", text_of(one, "name"), text_of(one, "driver"),
               json_is_true(json_object_get(one, "up")) ? "up" : "down", text_of(one, "since"),
               *text_of(one, "why") ? ": " : "", text_of(one, "why"));
        print_numbers(json_object_get(answer.json, "numbers"), text_of(one, "name"));
    }
    call_free(&answer);
    return code;
}

// ---- watch
// ----------------------------------------------------------------------------------------------------------

struct watching {
    char event[33];
    bool json;
    uint64_t left; // messages to go, 0 = no end
    bool limited;
    struct telling telling;
};

static void print_message(struct telling *telling, const char *name, const json_t *data) {
    const json_t *lines = json_object_get(data, "lines");
    event_note(telling, name, data);
    if (!strcmp(name, "event"))
        event_print(telling, data);
    else if (!strcmp(name, "narration"))
        for (size_t i = 0; i < json_array_size(lines); i++)
            printf("  \"%s\"\n", text_of(json_array_get(lines, i), "text"));
    else if (!strcmp(name, "phase") && *text_of(data, "id"))
        print_phase(data);
    else if (!strcmp(name, "game"))
        printf("game     %s%s%s\n", text_of(data, "status"), *text_of(data, "game") ? " " : "",
               text_of(data, "game"));
    else if (!strcmp(name, "violation"))
        print_violations(data);
    else if (!strcmp(name, "result"))
        print_result(data);
    else if (!strcmp(name, "reset"))
        printf("(some messages were missed; the state follows)\n");
}

static bool take_line(void *ctx, const char *line) {
    struct watching *w = ctx;
    if (!strncmp(line, "event: ", 7)) {
        snprintf(w->event, sizeof w->event, "%s", line + 7);
        return true;
    }
    if (strncmp(line, "data: ", 6) != 0)
        return true;
    json_t *data = json_loads(line + 6, 0, NULL);
    if (w->json)
        printf("{\"event\":\"%s\",\"data\":%s}\n", w->event, line + 6);
    else if (data)
        print_message(&w->telling, w->event, data);
    json_decref(data);
    if (fflush(stdout) != 0)
        return false;
    return !w->limited || --w->left > 0;
}

int run_watch(const struct args *args) {
    char table[33], path[128];
    size_t next;
    struct watching w = {.json = args->json, .limited = args_option(args, "count") != NULL};
    if (!args_number(args, "count", 1, UINT64_MAX, 0, &w.left))
        return EXIT_CODE_USAGE;
    int code = args->n_words > 1 ? usage_error(args, "name one table or none")
                                 : call_table(args, 0, table, &next);
    if (code)
        return code;
    snprintf(path, sizeof path, "/api/v1/tables/%s/events", table);
    return call_stream(args, path, take_line, &w);
}

int run_version(const struct args *args) {
    struct call answer;
    if (!args->json)
        printf("tablectl %s\n", TABLED_VERSION);
    fflush(stdout);
    int code = call(args, "/api/v1/info", NULL, &answer);
    if (args->json)
        printf("{\"tablectl\":\"%s\",\"tabled\":\"%s\"}\n", TABLED_VERSION, text_of(answer.json, "version"));
    else if (!code)
        printf("tabled %s\n", text_of(answer.json, "version"));
    call_free(&answer);
    return code == EXIT_CODE_UNREACHABLE ? EXIT_CODE_OK : code;
}
