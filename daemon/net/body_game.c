#include "core/config.h"
#include "net/body__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- start

static const struct body__field start_fields[] = {
    {"game", BODY__TYPE(JSON_STRING), true},
    {"preset", BODY__TYPE(JSON_STRING), false},
    {"seats", BODY__TYPE(JSON_INTEGER), false},
    {"roles", BODY__TYPE(JSON_ARRAY) | BODY__TYPE(JSON_OBJECT), false},
    {"options", BODY__TYPE(JSON_OBJECT), false},
    {"seed", BODY__TYPE(JSON_STRING) | BODY__TYPE(JSON_INTEGER), false},
    {"bots", BODY__TYPE(JSON_STRING), false},
    {NULL, 0, false},
};

static enum error_code add_card(struct body_start *body, unsigned *n, const char *kind, json_int_t count,
                                struct error *err) {
    if (!config_word_ok(kind))
        return error_set(err, ERROR_INVALID, "roles", "a role's name is 1 to 32 of a-z, 0-9 and _");
    if (count < 0 || count > BODY_CARDS_MAX || *n + (unsigned)count > BODY_CARDS_MAX)
        return error_set(err, ERROR_INVALID, "roles", "at most %d roles", BODY_CARDS_MAX);
    *n += (unsigned)count;
    for (; count > 0; count--) {
        size_t at = strlen(body->cards);
        snprintf(body->cards + at, sizeof body->cards - at, "%s%s", at ? " " : "", kind);
    }
    return ERROR_OK;
}

// ["werewolf", "werewolf", "seer"] or {"werewolf": 2, "seer": 1}
static enum error_code read_cards(struct body_start *body, const json_t *roles, struct error *err) {
    unsigned n = 0;
    const char *kind;
    json_t *value;
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const json_t *item = json_array_get(roles, i);
        if (!json_is_string(item))
            return error_set(err, ERROR_INVALID, "roles", "a role must be text");
        if (add_card(body, &n, json_string_value(item), 1, err))
            return err->code;
    }
    json_object_foreach((json_t *)roles, kind, value) {
        if (!json_is_integer(value))
            return error_set(err, ERROR_INVALID, "roles", "how often a role is in must be a whole number");
        if (add_card(body, &n, kind, json_integer_value(value), err))
            return err->code;
    }
    body->start.cards = roles ? body->cards : NULL;
    return ERROR_OK;
}

static enum error_code read_option(struct body_start *body, const char *name, const json_t *value,
                                   struct error *err) {
    size_t i = body->start.n_options;
    if (i == BODY_OPTIONS_MAX)
        return error_set(err, ERROR_INVALID, "options", "at most %d options", BODY_OPTIONS_MAX);
    if (!config_word_ok(name))
        return error_set(err, ERROR_INVALID, "options", "an option's name is 1 to 32 of a-z, 0-9 and _");
    char *text = body->values[i];
    size_t size = sizeof body->values[i];
    if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%d", json_is_true(value));
    else if (json_is_string(value) && json_string_length(value) < size)
        memcpy(text, json_string_value(value), json_string_length(value) + 1);
    else
        return error_set(err, ERROR_INVALID, "options",
                         "option \"%.32s\" must be a whole number, true, false or a word", name);
    body->options[i] = (struct door_option){name, text};
    body->start.n_options++;
    return ERROR_OK;
}

static enum error_code read_seed(const json_t *value, uint64_t *ret, struct error *err) {
    *ret = 0;
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *ret = (uint64_t)json_integer_value(value);
        return ERROR_OK;
    }
    if (!value)
        return ERROR_OK;
    const char *text = json_is_string(value) ? json_string_value(value) : "-";
    uint64_t seed = 0;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9' || __builtin_mul_overflow(seed, 10u, &seed) ||
            __builtin_add_overflow(seed, (uint64_t)(*c - '0'), &seed))
            return error_set(err, ERROR_INVALID, "seed", "\"seed\" must be 0 to 18446744073709551615");
    }
    *ret = seed;
    return ERROR_OK;
}

static enum error_code read_start(struct body_start *body, struct error *err) {
    const json_t *root = body->root__;
    uint64_t seats;
    body->start.game = json_string_value(json_object_get(root, "game"));
    body->start.preset = json_string_value(json_object_get(root, "preset"));
    body->start.bots = json_string_value(json_object_get(root, "bots"));
    body->start.options = body->options;
    if (!config_word_ok(body->start.game))
        return error_set(err, ERROR_INVALID, "game", "a game's id is 1 to 32 of a-z, 0-9 and _");
    if (body->start.preset && strlen(body->start.preset) > 32)
        return error_set(err, ERROR_INVALID, "preset", "a preset's name has at most 32 bytes");
    if (body->start.bots && strlen(body->start.bots) > 95)
        return error_set(err, ERROR_INVALID, "bots", "\"bots\" has at most 95 bytes");
    if (body__uint(root, "seats", OBSERVE_SEATS_MAX, 0, &seats, err) ||
        read_cards(body, json_object_get(root, "roles"), err) ||
        read_seed(json_object_get(root, "seed"), &body->start.seed, err))
        return err->code;
    body->start.seats = (unsigned)seats;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(root, "options"), name, value) {
        if (read_option(body, name, value, err))
            return err->code;
    }
    return ERROR_OK;
}

enum error_code body_start(const char *text, size_t len, struct body_start *ret, struct error *err) {
    memset(ret, 0, sizeof *ret);
    if (body__open(text, len, start_fields, &ret->root__, err))
        return err->code;
    if (read_start(ret, err)) {
        body_start_free(ret);
        return err->code;
    }
    return ERROR_OK;
}

void body_start_free(struct body_start *body) {
    json_decref(body->root__);
    body->root__ = NULL;
}

// ---- actions

// An action given as a line or as an object becomes what the door takes.
static enum error_code write_action(const json_t *value, const char *name, char ret[BODY_ACTION_MAX],
                                    struct error *err) {
    size_t n;
    if (json_is_string(value)) {
        n = json_string_length(value);
        if (n == 0 || json_string_value(value)[0] == '{')
            return error_set(err, ERROR_INVALID, name, "\"%s\" must be a line like \"s2 swap a=s2 b=s4\"",
                             name);
        if (n < BODY_ACTION_MAX)
            memcpy(ret, json_string_value(value), n + 1);
    } else {
        n = json_dumpb(value, ret, BODY_ACTION_MAX, JSON_COMPACT);
        if (n < BODY_ACTION_MAX)
            ret[n] = '\0';
    }
    if (n >= BODY_ACTION_MAX)
        return error_set(err, ERROR_INVALID, name, "an action has at most %d bytes", BODY_ACTION_MAX - 1);
    return ERROR_OK;
}

static const struct body__field act_fields[] = {
    {"by", BODY__TYPE(JSON_STRING), true},
    {"do", BODY__TYPE(JSON_STRING), true},
    {"args", BODY__TYPE(JSON_OBJECT), false},
    {NULL, 0, false},
};

static const struct body__field action_fields[] = {
    {"by", BODY__TYPE(JSON_STRING), false},      {"do", BODY__TYPE(JSON_STRING), false},
    {"args", BODY__TYPE(JSON_OBJECT), false},    {"text", BODY__TYPE(JSON_STRING), false},
    {"if_seq", BODY__TYPE(JSON_INTEGER), false}, {NULL, 0, false},
};

static enum error_code read_action(json_t *root, struct body_action *ret, struct error *err) {
    if (body__uint(root, "if_seq", INT64_MAX, 0, &ret->if_seq, err))
        return err->code;
    json_object_del(root, "if_seq");
    const json_t *line = json_object_get(root, "text");
    if (line && json_object_size(root) > 1)
        return error_set(err, ERROR_INVALID, "text", "give either \"text\" or \"by\", \"do\" and \"args\"");
    if (!line && body__check(root, act_fields, err))
        return err->code;
    return write_action(line ? line : root, line ? "text" : "do", ret->action, err);
}

enum error_code body_action(const char *text, size_t len, struct body_action *ret, struct error *err) {
    json_t *root;
    if (body__open(text, len, action_fields, &root, err))
        return err->code;
    enum error_code code = read_action(root, ret, err);
    json_decref(root);
    return code;
}

// ---- control

static const struct control_row {
    const char *name;
    enum door_control control;
    const char *fields; // allowed beside "do"
} controls[] = {
    {"pause", DOOR_PAUSE, " reason "},
    {"resume", DOOR_RESUME, " "},
    {"undo", DOOR_UNDO, " reason "},
    {"override", DOOR_OVERRIDE, " reason violation action "},
    {"choose", DOOR_CHOOSE, " choice option "},
    {"end", DOOR_END, " reason "},
    {"again", DOOR_AGAIN, " "},
    {"repeat", DOOR_REPEAT, " "},
    {"next", DOOR_NEXT, " "},
};

static const struct body__field control_fields[] = {
    {"do", BODY__TYPE(JSON_STRING), true},
    {"reason", BODY__TYPE(JSON_STRING), false},
    {"choice", BODY__TYPE(JSON_INTEGER), false},
    {"option", BODY__TYPE(JSON_INTEGER), false},
    {"violation", BODY__TYPE(JSON_INTEGER), false},
    {"action", BODY__TYPE(JSON_STRING) | BODY__TYPE(JSON_OBJECT), false},
    {NULL, 0, false},
};

static const struct control_row *control_find(const char *name) {
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
        if (!strcmp(controls[i].name, name))
            return &controls[i];
    return NULL;
}

static enum error_code check_control(json_t *root, const struct control_row *row, struct error *err) {
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) {
        char word[48];
        snprintf(word, sizeof word, " %.40s ", key);
        if (strcmp(key, "do") != 0 && !strstr(row->fields, word))
            return error_set(err, ERROR_INVALID, key, "\"%s\" takes no \"%.40s\"", row->name, key);
    }
    bool action = json_object_get(root, "action"), violation = json_object_get(root, "violation");
    if (row->control == DOOR_OVERRIDE && action == violation)
        return error_set(err, ERROR_INVALID, "override",
                         "an override takes the \"violation\" to forgive or the \"action\" that was missed");
    if (row->control == DOOR_CHOOSE && (!json_object_get(root, "choice") || !json_object_get(root, "option")))
        return error_set(err, ERROR_INVALID, "choose", "say which \"choice\" and which \"option\" of it");
    return ERROR_OK;
}

static enum error_code read_control(json_t *root, struct body_control *ret, struct error *err) {
    const struct control_row *row = control_find(json_string_value(json_object_get(root, "do")));
    if (!row)
        return error_set(err, ERROR_INVALID, "do",
                         "\"do\" is one of pause resume undo override choose end again repeat next");
    uint64_t choice, option, violation;
    if (check_control(root, row, err) || body__uint(root, "choice", UINT32_MAX, 0, &choice, err) ||
        body__uint(root, "option", 255, 0, &option, err) ||
        body__uint(root, "violation", UINT32_MAX, 0, &violation, err) ||
        body__text(root, "reason", ret->reason, sizeof ret->reason, err))
        return err->code;
    const json_t *action = json_object_get(root, "action");
    if (action && write_action(action, "action", ret->action, err))
        return err->code;
    ret->request = (struct door_control_request){.control = row->control,
                                                 .reason = ret->reason[0] ? ret->reason : NULL,
                                                 .choice = (uint32_t)choice,
                                                 .option = (unsigned)option,
                                                 .violation = (uint32_t)violation,
                                                 .action = action ? ret->action : NULL};
    return ERROR_OK;
}

enum error_code body_control(const char *text, size_t len, struct body_control *ret, struct error *err) {
    json_t *root;
    if (body__open(text, len, control_fields, &root, err))
        return err->code;
    enum error_code code = read_control(root, ret, err);
    json_decref(root);
    return code;
}
