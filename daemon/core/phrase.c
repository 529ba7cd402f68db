#include "core/phrase.h"
#include "core/catalogue.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 96, NUMBERS = 4 };

static void put(char *ret, size_t cap, size_t *len, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++, (*len)++)
        if (*len + 1 < cap)
            ret[*len] = text[i];
}

static size_t finish(char *ret, size_t cap, size_t len) {
    size_t end = len < cap ? len : cap - 1;
    while (end < len && end > 0 && ((unsigned char)ret[end] & 0xc0) == 0x80)
        end--;
    ret[end] = '\0';
    return len;
}

// The slot of "{2}", or -1.
static int slot_at(const char *at, unsigned n) {
    bool is = at[0] == '{' && at[1] >= '0' && at[1] < '0' + (int)n && at[2] == '}';
    return is ? at[1] - '0' : -1;
}

static size_t refill(const char *text, char word[][WORD_MAX], unsigned n, char *ret, size_t cap) {
    size_t len = 0;
    while (*text) {
        int slot = slot_at(text, n);
        if (slot >= 0)
            put(ret, cap, &len, word[slot], strlen(word[slot]));
        else
            put(ret, cap, &len, text, 1);
        text += slot >= 0 ? 3 : 1;
    }
    return finish(ret, cap, len);
}

// ---- numbers taken out

static bool starts_number(const char *word, const char *at) {
    if (isdigit((unsigned char)*at))
        return true;
    // A minus belongs to the number only where no word stands before it.
    return *at == '-' && isdigit((unsigned char)at[1]) && (at == word || !isalnum((unsigned char)at[-1]));
}

unsigned phrase_pattern(const char *word, char *ret, size_t cap, char number[4][12]) {
    unsigned n = 0;
    size_t len = 0;
    for (const char *at = word; *at;) {
        size_t digits = starts_number(word, at) ? 1 + strspn(at + 1, "0123456789") : 0;
        if (!digits || digits >= sizeof number[0] || n == NUMBERS) {
            put(ret, cap, &len, at++, 1);
            continue;
        }
        char slot[] = {'{', (char)('0' + n), '}'};
        memcpy(number[n], at, digits);
        number[n++][digits] = '\0';
        put(ret, cap, &len, slot, sizeof slot);
        at += digits;
    }
    finish(ret, cap, len);
    return n;
}

// Translated as it is, or by its pattern; false: the catalogues do not know it.
static bool look_up(const char *language, const char *context, const char *text, char *ret, size_t cap) {
    char pattern[256], number[NUMBERS][12], word[NUMBERS][WORD_MAX];
    const char *found = catalogue_text(language, context, text);
    if (found != text) {
        snprintf(ret, cap, "%s", found);
        return true;
    }
    unsigned n = phrase_pattern(text, pattern, sizeof pattern, number);
    if (!n)
        return false;
    found = catalogue_text(language, context, pattern);
    if (found == pattern)
        return false;
    for (unsigned i = 0; i < n; i++)
        snprintf(word[i], sizeof word[i], "%s", number[i]);
    refill(found, word, n, ret, cap);
    return true;
}

size_t phrase_name(const char *language, const char *context, const char *word, char *ret, size_t cap) {
    if (!look_up(language, context, word, ret, cap)) {
        snprintf(ret, cap, "%s", word);
        for (char *at = strchr(ret, '_'); at; at = strchr(at, '_'))
            *at = ' ';
    }
    return strlen(ret);
}

size_t phrase_text(const char *language, const char *text, char *ret, size_t cap) {
    if (!look_up(language, NULL, text, ret, cap))
        snprintf(ret, cap, "%s", text);
    return strlen(ret);
}

// ---- a sentence

static void word_of(const char *language, const struct phrase_arg *arg, char ret[WORD_MAX]) {
    switch (arg->type) {
    case 'k':
        phrase_name(language, "kind", arg->value, ret, WORD_MAX);
        break;
    case 'p':
        phrase_name(language, "place", arg->value, ret, WORD_MAX);
        break;
    case 's': // "s3" is spoken "3", with whatever belongs to a seat's number in the language
        phrase_name(language, "seat",
                    arg->label && *arg->label ? arg->label : arg->value + (*arg->value != '\0'), ret,
                    WORD_MAX);
        break;
    default:
        snprintf(ret, WORD_MAX, "%s", arg->value);
        break;
    }
}

size_t phrase_fill(const char *language, const char *sentence, const struct phrase_arg *args, unsigned n,
                   char *ret, size_t cap) {
    char word[NUMBERS][WORD_MAX];
    const char *number = NULL;
    for (unsigned i = 0; i < n && i < NUMBERS; i++) {
        word_of(language, &args[i], word[i]);
        if (args[i].type == 'n' && !number)
            number = args[i].value;
    }
    const char *text = number ? catalogue_plural(language, sentence, strtoul(number, NULL, 10))
                              : catalogue_text(language, NULL, sentence);
    return refill(text, word, n < NUMBERS ? n : NUMBERS, ret, cap);
}
