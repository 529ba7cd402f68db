#include "engine/narration.h"
#include <libintl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int _nl_msg_cat_cntr; // libintl: counted up, catalogues are looked for again

#ifndef TABLED_LOCALE_DIR
#define TABLED_LOCALE_DIR "/usr/share/locale"
#endif

// Catalogues are chosen by name alone, so no system locale of that language has to be installed.
const char *narration_translate(const char *locale, const char *sentence) {
    static locale_t utf8;
    static char current[16];
    if (!locale || !*locale || !strcmp(locale, "en") || !*sentence)
        return sentence;
    if (!utf8) {
        const char *dir = getenv("TABLED_LOCALE_DIR");
        bindtextdomain("tabled", dir ? dir : TABLED_LOCALE_DIR);
        bind_textdomain_codeset("tabled", "UTF-8");
        utf8 = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
        if (!utf8)
            return sentence;
    }
    if (strcmp(current, locale) != 0) {
        snprintf(current, sizeof current, "%s", locale);
        setenv("LANGUAGE", current, 1);
        _nl_msg_cat_cntr++;
    }
    locale_t before = uselocale(utf8);
    const char *text = dgettext("tabled", sentence);
    uselocale(before);
    return text;
}

static void put(char *ret, size_t cap, size_t *len, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++, (*len)++)
        if (*len + 1 < cap)
            ret[*len] = text[i];
}

static void argument(const struct game_words *words, const char *locale, char type, int value, char *ret,
                     size_t cap) {
    ret[0] = '\0';
    if (type == 'k' && value >= 0 && value < words->game->n_kinds) {
        snprintf(ret, cap, "%s", words->game->kinds[value].id);
        for (char *at = strchr(ret, '_'); at; at = strchr(at, '_'))
            *at = ' ';
        const char *text = narration_translate(locale, ret);
        if (text != ret)
            snprintf(ret, cap, "%s", text);
    } else if (type == 'p' && value >= 0 && value < words->places->n) {
        snprintf(ret, cap, "%s", words->places->row[value].name);
    } else if (type == 's') {
        char label[GAME_WORD_MAX] = "";
        if (value >= 0 && value < words->setup->seats)
            words->game->seat_label(words->setup, value, label);
        if (*label)
            snprintf(ret, cap, "%s", label);
        else
            snprintf(ret, cap, "%d", value + 1);
    } else {
        snprintf(ret, cap, "%d", value);
    }
}

static const struct game_line_row *find_row(const struct game_words *words, unsigned line) {
    unsigned n = 0;
    while (n <= line && words->game->lines && words->game->lines[n].id)
        n++;
    return n > line ? &words->game->lines[line] : NULL;
}

static void wire_argument(const struct game_words *words, char type, int value,
                          struct observe_line_arg *ret) {
    memset(ret, 0, sizeof *ret);
    if (type == 'k' && value >= 0 && value < words->game->n_kinds) {
        ret->type = OBSERVE_ARG_KIND;
        snprintf(ret->value, sizeof ret->value, "%s", words->game->kinds[value].id);
    } else if (type == 'p' && value >= 0 && value < words->places->n) {
        ret->type = OBSERVE_ARG_PLACE;
        snprintf(ret->value, sizeof ret->value, "%s", words->places->row[value].name);
    } else if (type == 's') {
        ret->type = OBSERVE_ARG_SEAT;
        snprintf(ret->value, sizeof ret->value, "s%d", value + 1);
        if (value >= 0 && value < words->setup->seats)
            words->game->seat_label(words->setup, value, ret->label);
    } else {
        ret->type = OBSERVE_ARG_NUMBER;
        snprintf(ret->value, sizeof ret->value, "%d", value);
    }
}

unsigned narration_args(const struct game_words *words, unsigned line, const int16_t arg[4],
                        struct observe_line_arg ret[4]) {
    const struct game_line_row *row = find_row(words, line);
    unsigned n = 0;
    for (; row && n < 4 && row->args[n]; n++)
        wire_argument(words, row->args[n], arg[n], &ret[n]);
    return n;
}

size_t narration_text(const struct game_words *words, const char *locale, unsigned line, const int16_t arg[4],
                      char *ret, size_t cap) {
    size_t len = 0;
    const struct game_line_row *row = find_row(words, line);
    if (!row) {
        ret[0] = '\0';
        return 0;
    }
    for (const char *at = narration_translate(locale, row->text); *at;) {
        unsigned slot = at[0] == '{' ? (unsigned)(at[1] - '0') : 4;
        if (slot < 4 && at[2] == '}' && slot < strlen(row->args)) {
            char word[64];
            argument(words, locale, row->args[slot], arg[slot], word, sizeof word);
            put(ret, cap, &len, word, strlen(word));
            at += 3;
        } else {
            put(ret, cap, &len, at++, 1);
        }
    }
    size_t end = len < cap ? len : cap - 1;
    while (end < len && end > 0 && ((unsigned char)ret[end - 1] & 0xc0) == 0x80)
        end--; // cut on a character's border
    ret[end] = '\0';
    return len;
}
