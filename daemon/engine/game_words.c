// Actors and actions in words, both ways, from the verb table: `s2 swap a=s2 b=s4` (design 5.2). The values
// of a list are joined by '+', the one sign that no name contains.
#include "engine/game_words.h"
#include "core/config.h"
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_SIGN = '+', WORDS_TOLD = 128 };

// ---- words

bool game__next_word(const char **at, char separator, char ret[GAME_WORD_MAX]) {
    const char *s = *at;
    while (*s == separator)
        s++;
    size_t len = 0;
    for (; *s && *s != separator; s++)
        if (len < GAME_WORD_MAX - 1)
            ret[len++] = *s;
    ret[len] = '\0';
    *at = s;
    return len > 0;
}

int game__word_index(const char *words, const char *word) {
    char one[GAME_WORD_MAX];
    int i = 0;
    for (const char *at = words; at && game__next_word(&at, ' ', one); i++)
        if (!strcmp(one, word))
            return i;
    return -1;
}

// The other way; false when there is none.
static bool word_at(const char *words, int index, char ret[GAME_WORD_MAX]) {
    const char *at = words;
    for (int i = 0; at && game__next_word(&at, ' ', ret); i++)
        if (i == index)
            return true;
    return false;
}

bool game__parse_int(const char *text, int32_t *ret) {
    if (!*text || strspn(text, "+-0123456789") != strlen(text))
        return false;
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (errno || *end || end == text || n < INT32_MIN || n > INT32_MAX)
        return false;
    *ret = (int32_t)n;
    return true;
}

// ---- actors

static const struct {
    int by;
    const char *name;
} nobody[] = {{GAME_BY_CHANCE, "chance"}, {GAME_BY_TIMER, "timer"}, {GAME_BY_TABLE, "table"}};

const char *game_by_text(int by, char ret[8]) {
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++)
        if (nobody[i].by == by)
            return snprintf(ret, 8, "%s", nobody[i].name), ret;
    assert(by >= 0 && by < GAME_SEATS_MAX);
    snprintf(ret, 8, "s%u", ((unsigned)by & (GAME_SEATS_MAX - 1)) + 1);
    return ret;
}

static bool seat_parse(const struct game_words *words, const char *text, int *ret) {
    int32_t n;
    if (text[0] == 's' && text[1] != '0' && strspn(text + 1, "0123456789") == strlen(text + 1) &&
        game__parse_int(text + 1, &n) && n >= 1 && n <= words->setup->seats) {
        *ret = n - 1;
        return true;
    }
    for (int seat = 0; *text && seat < words->setup->seats; seat++) {
        char label[GAME_WORD_MAX] = "";
        words->game->seat_label(words->setup, seat, label);
        if (!strcmp(label, text)) {
            *ret = seat;
            return true;
        }
    }
    return false;
}

bool game_by_parse(const struct game_words *words, const char *text, int *ret) {
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++) {
        if (!strcmp(nobody[i].name, text)) {
            *ret = nobody[i].by;
            return true;
        }
    }
    return seat_parse(words, text, ret);
}

// ---- one value

void game__value_text(const struct game_words *words, const struct game_arg_row *row, int32_t value,
                      char ret[GAME_WORD_MAX]) {
    switch (row->type) {
    case GAME_ARG_SEAT:
        snprintf(ret, GAME_WORD_MAX, "s%d", value + 1);
        return;
    case GAME_ARG_PLACE:
        assert(value >= 0 && value < words->places->n);
        snprintf(ret, GAME_WORD_MAX, "%s", words->places->row[value].name);
        return;
    case GAME_ARG_KIND:
        assert(value >= 0 && value < words->game->n_kinds);
        snprintf(ret, GAME_WORD_MAX, "%s", words->game->kinds[value].id);
        return;
    case GAME_ARG_ENUM:
        if (!word_at(row->words, value, ret))
            assert(!"a value of the game has no word");
        return;
    case GAME_ARG_BOOL:
        snprintf(ret, GAME_WORD_MAX, "%s", value ? "true" : "false");
        return;
    case GAME_ARG_SLOT:
    case GAME_ARG_INT:
        snprintf(ret, GAME_WORD_MAX, "%d", value);
        return;
    }
}

static bool value_parse(const struct game_words *words, const struct game_arg_row *row, const char *text,
                        int32_t *ret) {
    int seat;
    switch (row->type) {
    case GAME_ARG_SEAT:
        if (!seat_parse(words, text, &seat))
            return false;
        *ret = seat;
        return true;
    case GAME_ARG_PLACE:
        *ret = game_place_find(words->places, text);
        return *ret != GAME_NONE;
    case GAME_ARG_KIND:
        *ret = game_kind_find(words->game, text);
        return *ret != GAME_NONE;
    case GAME_ARG_ENUM:
        *ret = game__word_index(row->words, text);
        return *ret >= 0;
    case GAME_ARG_BOOL:
        *ret = !strcmp(text, "true");
        return *ret || !strcmp(text, "false");
    case GAME_ARG_SLOT:
        return game__parse_int(text, ret) && *ret >= 0 && *ret < words->setup->n_slots;
    case GAME_ARG_INT:
        return game__parse_int(text, ret);
    }
    return false;
}

const char *const game__type_words[] = {
    [GAME_ARG_SEAT] = "a seat",        [GAME_ARG_PLACE] = "a place", [GAME_ARG_KIND] = "a kind",
    [GAME_ARG_SLOT] = "a slot",        [GAME_ARG_INT] = "a number",  [GAME_ARG_ENUM] = "a word",
    [GAME_ARG_BOOL] = "true or false",
};

// What is no value of an enum, with what is: whole words, however many there are.
static enum error_code bad_word(const struct game_arg_row *row, const char *text, struct error *err) {
    char word[WORDS_TOLD][GAME_WORD_MAX], instead[CONFIG_INSTEAD_MAX];
    const char *names[WORDS_TOLD];
    size_t n = 0;
    for (const char *at = row->words; n < WORDS_TOLD && game__next_word(&at, ' ', word[n]); n++)
        names[n] = word[n];
    return error_set(err, ERROR_INVALID, row->name, "'%.32s' is no word for '%s'%s", text, row->name,
                     config_instead(text, names, sizeof *names, n, instead));
}

static enum error_code bad_value(const struct game_words *words, const struct game_arg_row *row,
                                 const char *text, struct error *err) {
    const char *names[GAME_PLACES_MAX];
    char instead[CONFIG_INSTEAD_MAX] = "";
    if (row->type == GAME_ARG_ENUM)
        return bad_word(row, text, err);
    for (game_place p = 0; row->type == GAME_ARG_PLACE && p < words->places->n; p++)
        names[p] = words->places->row[p].name;
    if (row->type == GAME_ARG_PLACE)
        config_instead(text, names, sizeof *names, words->places->n, instead);
    if (row->type == GAME_ARG_KIND)
        config_instead(text, words->game->kinds, sizeof *words->game->kinds, words->game->n_kinds, instead);
    return error_set(err, ERROR_INVALID, row->name, "'%.32s' is not %s here%s", text,
                     game__type_words[row->type], instead);
}

enum error_code game__add_value(const struct game_words *words, const struct game_arg_row *row,
                                const char *text, struct game_arg *arg, struct error *err) {
    int32_t value;
    if (!value_parse(words, row, text, &value))
        return bad_value(words, row, text, err);
    unsigned at = arg->n;
    if (at == GAME_LIST_MAX)
        return error_set(err, ERROR_INVALID, row->name, "at most %d values", GAME_LIST_MAX);
    for (; at > 0 && arg->value[at - 1] > value; at--)
        arg->value[at] = arg->value[at - 1];
    if (at > 0 && arg->value[at - 1] == value && row->type != GAME_ARG_KIND && row->type != GAME_ARG_INT)
        return error_set(err, ERROR_INVALID, row->name, "'%.32s' is named twice", text);
    arg->value[at] = value;
    arg->n++;
    return ERROR_OK;
}

static enum error_code need_all(const struct game_verb *verb, const struct game_act *act, struct error *err) {
    for (int i = 0; i < GAME_ARGS_MAX && verb->args[i].name; i++)
        if (!act->arg[i].given && !verb->args[i].optional)
            return error_set(err, ERROR_INVALID, verb->args[i].name, "'%s' needs %s as '%s'", verb->name,
                             game__type_words[verb->args[i].type], verb->args[i].name);
    return ERROR_OK;
}

enum error_code game__no_arg(const struct game_verb *verb, const char *name, struct error *err) {
    char instead[CONFIG_INSTEAD_MAX];
    return error_set(err, ERROR_INVALID, "args", "'%s' takes no '%.32s'%s", verb->name, name,
                     config_instead(name, verb->args, sizeof *verb->args, GAME_ARGS_MAX, instead));
}

int game__arg_find(const struct game_verb *verb, const char *name) {
    for (int i = 0; i < GAME_ARGS_MAX && verb->args[i].name; i++)
        if (!strcmp(verb->args[i].name, name))
            return i;
    return -1;
}

static enum error_code nobody_called(const struct game_words *words, const char *by, struct error *err) {
    char name[2 * GAME_SEATS_MAX][GAME_WORD_MAX] = {0}, instead[CONFIG_INSTEAD_MAX];
    const char *names[2 * GAME_SEATS_MAX + 1];
    size_t n = 0;
    for (int i = 0; i < words->setup->seats && i < GAME_SEATS_MAX; i++) {
        snprintf(name[i], GAME_WORD_MAX, "s%d", i + 1);
        names[n++] = name[i];
    }
    for (int i = 0; i < words->setup->seats && i < GAME_SEATS_MAX; i++) {
        words->game->seat_label(words->setup, i, name[GAME_SEATS_MAX + i]);
        if (*name[GAME_SEATS_MAX + i])
            names[n++] = name[GAME_SEATS_MAX + i];
    }
    names[n++] = "table";
    return error_set(err, ERROR_INVALID, "by", "'%.32s' does not play here%s", by,
                     config_instead(by, names, sizeof *names, n, instead));
}

enum error_code game__start_act(const struct game_words *words, const char *by, const char *verb, int *ret_by,
                                struct game_act *act, struct error *err) {
    memset(act, 0, sizeof *act);
    if (!game_by_parse(words, by, ret_by))
        return nobody_called(words, by, err);
    int row = game_verb_find(words->game, verb);
    const struct game_verb *verbs = words->game->verbs;
    char instead[CONFIG_INSTEAD_MAX];
    if (row < 0)
        return error_set(err, ERROR_INVALID, "do", "%s has no action '%.32s'%s", words->game->title, verb,
                         config_instead(verb, verbs, sizeof *verbs, SIZE_MAX, instead));
    act->verb = (uint8_t)row;
    return ERROR_OK;
}

enum error_code game__finish_act(const struct game_words *words, const void *state, int by,
                                 const struct game_act *act, game_action *ret, struct error *err) {
    enum error_code code = need_all(&words->game->verbs[act->verb], act, err);
    return code == ERROR_OK ? words->game->encode(state, by, act, ret, err) : code;
}

// ---- the line

struct line {
    char *buf;
    size_t len;
};
static void put(struct line *line, const char *text) {
    for (; *text; text++, line->len++)
        if (line->len < GAME_TEXT_MAX - 1)
            line->buf[line->len] = *text;
}

size_t game_action_text(const struct game_words *words, const void *state, int by, game_action action,
                        char ret[GAME_TEXT_MAX]) {
    struct game_act act = {0};
    words->game->decode(state, by, action, &act);
    const struct game_verb *verb = &words->game->verbs[act.verb];
    struct line line = {ret, 0};
    char word[GAME_WORD_MAX];
    put(&line, game_by_text(by, word));
    put(&line, " ");
    put(&line, verb->name);
    for (int i = 0; i < GAME_ARGS_MAX && verb->args[i].name; i++) {
        if (!act.arg[i].given)
            continue;
        put(&line, " ");
        put(&line, verb->args[i].name);
        put(&line, "=");
        for (unsigned k = 0; k < act.arg[i].n; k++) {
            game__value_text(words, &verb->args[i], act.arg[i].value[k], word);
            put(&line, k ? "+" : "");
            put(&line, word);
        }
    }
    size_t end = line.len < GAME_TEXT_MAX ? line.len : GAME_TEXT_MAX - 1;
    ret[end] = '\0';
    return end;
}

static enum error_code parse_pair(const struct game_words *words, const char *pair, size_t len,
                                  struct game_act *act, struct error *err) {
    const struct game_verb *verb = &words->game->verbs[act->verb];
    char name[GAME_WORD_MAX], value[GAME_TEXT_MAX], word[GAME_WORD_MAX];
    const char *sign = memchr(pair, '=', len);
    size_t name_len = sign ? (size_t)(sign - pair) : len;
    snprintf(name, sizeof name, "%.*s", (int)(name_len < 32 ? name_len : 32), pair);
    int i = sign && name_len < sizeof name ? game__arg_find(verb, name) : -1;
    if (i < 0)
        return game__no_arg(verb, name, err);
    if (act->arg[i].given)
        return error_set(err, ERROR_INVALID, name, "'%s' is given twice", name);
    act->arg[i].given = true;
    snprintf(value, sizeof value, "%.*s", (int)(len - name_len - 1), sign + 1);
    if (!verb->args[i].list)
        return game__add_value(words, &verb->args[i], value, &act->arg[i], err);
    enum error_code code = ERROR_OK;
    for (const char *at = value; code == ERROR_OK && game__next_word(&at, LIST_SIGN, word);)
        code = game__add_value(words, &verb->args[i], word, &act->arg[i], err);
    return code;
}

enum error_code game_action_parse(const struct game_words *words, const void *state, const char *line,
                                  int *ret_by, game_action *ret, struct error *err) {
    if (strlen(line) >= GAME_TEXT_MAX)
        return error_set(err, ERROR_TOO_LARGE, "action", "an action has at most %d characters",
                         GAME_TEXT_MAX - 1);
    if (words->game->short_read && words->game->short_read(state, line, ret_by, ret))
        return ERROR_OK;
    const char *at = line;
    char by[GAME_WORD_MAX] = "", verb[GAME_WORD_MAX] = "";
    if (!game__next_word(&at, ' ', by) || !game__next_word(&at, ' ', verb))
        return error_set(err, ERROR_INVALID, "action", "say who does what: s2 swap a=s2 b=s4");
    struct game_act act;
    enum error_code code = game__start_act(words, by, verb, ret_by, &act, err);
    while (code == ERROR_OK && *(at += strspn(at, " "))) {
        size_t len = strcspn(at, " ");
        code = parse_pair(words, at, len, &act, err);
        at += len;
    }
    return code == ERROR_OK ? game__finish_act(words, state, *ret_by, &act, ret, err) : code;
}
