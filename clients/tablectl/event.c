#include "event.h"
#include "call.h"
#include "core/phrase.h"
#include <ctype.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1024, NAME_MAX_BYTES = 96 };
static const char language[] = "en"; // as everything this program says

static const struct sentence {
    const char *event, *text; // text NULL: the state tells it; "": what the event brings says all
} sentences[] =
    {
        {"game_started", "A game begins"},
        {"phase_started", NULL},
        {"step_started", NULL},
        {"action", ""},
        {"seat_acted", "Somebody is done"},
        {"revealed", "What was hidden is shown"},
        {"prompt", NULL},
        {"reminder", ""},
        {"violation_raised", NULL},
        {"violation_cleared", "Put right"},
        {"choice_opened", NULL},
        {"choice_closed", "The choice is made"},
        {"paused", "Paused"},
        {"resumed", "The game goes on"},
        {"undone", "Taken back"},
        {"overridden", "Decided by the host"},
        {"reader_lost", "A reader is silent"},
        {"reader_back", "A reader is back"},
        {"result", NULL},
        {"game_ended", "The game is over"},
        {"reset", "The table begins anew"},
        {0},
},
  pauses[] = {
      {"host", "by the host"},
      {"reader", "a reader is silent"},
      {"spill", "many pieces moved at once"},
      {"disk", "the disk takes no records"},
      {"restart", "after a restart"},
      {0},
};

static const struct sentence *find(const struct sentence *row, const char *word) {
    while (row->event && strcmp(row->event, word) != 0)
        row++;
    return row;
}

// ---- a line from parts: "Head: one, two", or "Head."

struct line {
    char text[LINE_MAX_BYTES];
    size_t len;
    unsigned parts;
    const char *next; // what stands between the last part and the next
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...) {
    va_list list;
    size_t room = sizeof line->text - line->len;
    if (room > 3)
        line->len += (size_t)snprintf(line->text + line->len, room, "%s", line->parts ? line->next : "");
    line->next = line->parts ? ", " : ": ";
    va_start(list, format);
    room = sizeof line->text - line->len;
    int n = vsnprintf(line->text + line->len, room, format, list);
    va_end(list);
    line->len += n > 0 && (size_t)n < room ? (size_t)n : room - 1;
    line->parts++;
}

// ---- names

// "seat 1 (red)": the number that commands take, and how the game calls it.
static void seat_name(const struct telling *telling, const char *seat, char ret[NAME_MAX_BYTES]) {
    unsigned long number = *seat == 's' ? strtoul(seat + 1, NULL, 10) : 0;
    char label[NAME_MAX_BYTES / 2];
    if (!number || number > GAME_SEATS_MAX) {
        snprintf(ret, NAME_MAX_BYTES, "%s%.32s", *seat == 't' ? "the " : "", seat); // table, timer; chance
        return;
    }
    phrase_name(language, "seat", telling->label[number - 1], label, sizeof label);
    snprintf(ret, NAME_MAX_BYTES, *label ? "seat %lu (%s)" : "seat %lu", number, label);
}

static const struct game_arg_row *arg_row(const struct telling *telling, const char *verb, const char *name) {
    int row = telling->game ? game_verb_find(telling->game, verb) : -1;
    const struct game_arg_row *arg = row < 0 ? NULL : telling->game->verbs[row].args;
    for (unsigned i = 0; arg && i < GAME_ARGS_MAX && arg[i].name; i++)
        if (!strcmp(arg[i].name, name))
            return &arg[i];
    return NULL;
}

static void value_name(const struct telling *telling, const struct game_arg_row *row, const char *value,
                       char ret[NAME_MAX_BYTES]) {
    if (row && row->type == GAME_ARG_SEAT)
        seat_name(telling, value, ret);
    else
        phrase_name(language,
                    row && row->type == GAME_ARG_PLACE  ? "place"
                    : row && row->type == GAME_ARG_KIND ? "kind"
                                                        : "word",
                    value, ret, NAME_MAX_BYTES);
}

static bool ends_with(const char *text, const char *word) {
    size_t n = strlen(text), m = strlen(word);
    return n >= m && !strcmp(text + n - m, word);
}

// "from field 3,-1", "n 4", "seat 3": without its name where that says nothing more (of one letter, said
// already).
static void add_arg(const struct telling *telling, const char *verb, const char *name, const char *values,
                    struct line *line) {
    char word[GAME_TEXT_MAX], text[LINE_MAX_BYTES / 2] = "", one[NAME_MAX_BYTES], *rest = NULL;
    const struct game_arg_row *row = arg_row(telling, verb, name);
    bool number = row && (row->type == GAME_ARG_INT || row->type == GAME_ARG_SLOT);
    bool named = number || (name[0] && name[1] && !ends_with(line->text, name));
    const char *signs = row && row->list ? "+" : "";
    size_t len = 0;
    snprintf(word, sizeof word, "%s", values);
    for (char *at = strtok_r(word, signs, &rest); at; at = strtok_r(NULL, signs, &rest)) {
        value_name(telling, row, at, one);
        if (!len && named && (number || strncmp(one, name, strlen(name)) != 0))
            len += (size_t)snprintf(text, sizeof text, "%.32s ", name);
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", at == word ? "" : " and ", one);
        if (len >= sizeof text)
            break;
    }
    if (len)
        add(line, "%s", text);
}

static void add_action(const struct telling *telling, const json_t *action, struct line *line) {
    char name[NAME_MAX_BYTES];
    const char *verb = text_of(action, "do"), *arg;
    json_t *value;
    seat_name(telling, text_of(action, "by"), name);
    add(line, "%s", name);
    phrase_name(language, "verb", verb, name, sizeof name);
    *name = (char)tolower((unsigned char)*name);
    add(line, "%s", name);
    line->next = " ";
    json_object_foreach(json_object_get(action, "args"), arg, value)
        add_arg(telling, verb, arg, json_is_string(value) ? json_string_value(value) : "", line);
}

// ---- events

const char *event_pause(const char *reason) {
    const struct sentence *row = find(pauses, reason);
    return row->event ? row->text : reason;
}

void event_note(struct telling *telling, const char *message, const json_t *data) {
    const char *id = text_of(json_object_get(data, "header"), "game_id");
    const json_t *seats = json_object_get(data, "seats");
    if (!strcmp(message, "game") && strcmp(telling->game_id, id) != 0) {
        memset(telling, 0, sizeof *telling);
        snprintf(telling->game_id, sizeof telling->game_id, "%s", id);
        telling->game = game_find(text_of(data, "game"));
    }
    if (strcmp(message, "seats") != 0)
        return;
    for (size_t i = 0; i < json_array_size(seats) && i < GAME_SEATS_MAX; i++)
        snprintf(telling->label[i], GAME_WORD_MAX, "%s", text_of(json_array_get(seats, i), "label"));
}

// Where it is, before what it is.
static void add_place(const json_t *violation, struct line *line) {
    const char *place = json_string_value(json_array_get(json_object_get(violation, "places"), 0));
    char name[NAME_MAX_BYTES];
    if (!place)
        return;
    phrase_name(language, "place", place, name, sizeof name);
    add(line, "%s", name);
}

static void add_head(const struct telling *telling, const struct sentence *row, const json_t *event,
                     struct line *line) {
    const char *what = text_of(event, "event"), *seat = text_of(event, "seat");
    char name[NAME_MAX_BYTES];
    if (!row->event) { // of a daemon that is newer
        phrase_name(language, "", what, name, sizeof name);
        add(line, "%s", name);
    } else if (!strcmp(what, "seat_acted") && *seat) {
        seat_name(telling, seat, name);
        add(line, "%s is done", name);
    } else if (*row->text) {
        add(line, "%s", row->text);
    }
}

void event_print(const struct telling *telling, const json_t *event) {
    struct line line = {0};
    const char *reason = text_of(event, "reason"), *text = text_of(event, "text");
    const json_t *action = json_array_get(json_object_get(event, "action"), 0);
    const json_t *violation = json_array_get(json_object_get(event, "violation"), 0);
    const struct sentence *row = find(sentences, text_of(event, "event"));
    if (row->event && !row->text)
        return;
    add_head(telling, row, event, &line);
    if (action)
        add_action(telling, action, &line);
    if (violation)
        add_place(violation, &line);
    const char *parts[] = {text_of(event, "reader"), event_pause(reason),
                           *text ? text : text_of(violation, "text")};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (*parts[i])
            add(&line, "%s", parts[i]);
    if (!line.parts)
        return;
    const char *notation = text_of(action, "notation");
    *line.text = (char)toupper((unsigned char)*line.text);
    printf("%s%s%s%s\n", line.text, strchr(".!?", line.text[line.len - 1]) ? "" : ".", *notation ? "   " : "",
           notation);
}
