// Actions read back from records: only the one form that game_action_json writes, without building a tree. A
// start after a long game reads thousands of them (P15).
#include "engine/game_words.h"
#include <stdio.h>
#include <string.h>

static bool skip(const char **at, const char *text) {
    size_t len = strlen(text);
    if (strncmp(*at, text, len) != 0)
        return false;
    *at += len;
    return true;
}

// A string without escapes and control characters, its opening quote read already.
static bool read_word(const char **at, char ret[GAME_WORD_MAX]) {
    size_t len = 0;
    for (; (*at)[len] != '"'; len++) {
        if ((unsigned char)(*at)[len] < ' ' || (*at)[len] == '\\' || len == GAME_WORD_MAX - 1)
            return false;
        ret[len] = (*at)[len];
    }
    ret[len] = '\0';
    *at += len + 1;
    return true;
}

static bool read_number(const char **at, char ret[GAME_WORD_MAX]) {
    size_t len = strspn(*at, "-0123456789");
    const char *digits = *at + (**at == '-');
    if (len == 0 || len > 11 || strspn(digits, "0123456789") != len - (size_t)(digits - *at) ||
        (digits[0] == '0' && (len > 1 || digits != *at)))
        return false;
    memcpy(ret, *at, len);
    ret[len] = '\0';
    *at += len;
    return true;
}

static bool read_value(const char **at, const struct game_arg_row *row, char ret[GAME_WORD_MAX]) {
    if (row->type == GAME_ARG_INT || row->type == GAME_ARG_SLOT)
        return read_number(at, ret);
    if (row->type != GAME_ARG_BOOL)
        return skip(at, "\"") && read_word(at, ret);
    const char *word = skip(at, "true") ? "true" : skip(at, "false") ? "false" : "";
    snprintf(ret, GAME_WORD_MAX, "%s", word);
    return *word != '\0';
}

static bool read_arg(const char **at, const struct game_words *words, const struct game_verb *verb,
                     struct game_act *act) {
    char word[GAME_WORD_MAX];
    int i = skip(at, "\"") && read_word(at, word) && skip(at, ":") ? game__arg_find(verb, word) : -1;
    if (i < 0 || act->arg[i].given)
        return false;
    const struct game_arg_row *row = &verb->args[i];
    struct error err;
    act->arg[i].given = true;
    if (row->list && !skip(at, "["))
        return false;
    if (row->list && skip(at, "]"))
        return true;
    do {
        if (!read_value(at, row, word) || game__add_value(words, row, word, &act->arg[i], &err))
            return false;
    } while (row->list && skip(at, ","));
    return !row->list || skip(at, "]");
}

bool game_action_read_back(const struct game_words *words, const void *state, const char *text, int *ret_by,
                           game_action *ret) {
    char by[GAME_WORD_MAX], name[GAME_WORD_MAX];
    struct game_act act;
    struct error err;
    if (!skip(&text, "{\"by\":\"") || !read_word(&text, by) || !skip(&text, ",\"do\":\"") ||
        !read_word(&text, name) || !skip(&text, ",\"args\":{") ||
        game__start_act(words, by, name, ret_by, &act, &err))
        return false;
    const struct game_verb *verb = &words->game->verbs[act.verb];
    if (!skip(&text, "}")) {
        do {
            if (!read_arg(&text, words, verb, &act))
                return false;
        } while (skip(&text, ","));
        if (!skip(&text, "}"))
            return false;
    }
    return !strcmp(text, "}") && game__finish_act(words, state, *ret_by, &act, ret, &err) == ERROR_OK;
}
