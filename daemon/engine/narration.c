#include "engine/narration.h"
#include "core/catalogue.h"
#include "core/phrase.h"
#include <stdio.h>
#include <string.h>

const char *narration_translate(const char *locale, const char *sentence) {
    return catalogue_text(locale, NULL, sentence);
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
    static const char types[] = {[OBSERVE_ARG_UNKNOWN] = 'n',
                                 [OBSERVE_ARG_SEAT] = 's',
                                 [OBSERVE_ARG_KIND] = 'k',
                                 [OBSERVE_ARG_PLACE] = 'p',
                                 [OBSERVE_ARG_NUMBER] = 'n'};
    struct observe_line_arg wire[4];
    struct phrase_arg args[4];
    const struct game_line_row *row = find_row(words, line);
    unsigned n = narration_args(words, line, arg, wire);
    ret[0] = '\0';
    if (!row)
        return 0;
    for (unsigned i = 0; i < n; i++)
        args[i] = (struct phrase_arg){types[wire[i].type], wire[i].value, wire[i].label};
    return phrase_fill(locale, row->text, args, n, ret, cap);
}
