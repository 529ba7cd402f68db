#include "lines.h"
#include <string.h>

static const struct lines_row rows[] = {
#define LINE(game, id, args, window_ms, text) {game, id, args, text, window_ms},
#include "lines.def"
#undef LINE
};

const struct lines_row *lines_at(size_t i) {
    return i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}

const struct lines_row *lines_find(const char *game, const char *id) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].id, id) && (!strcmp(rows[i].game, game) || !*rows[i].game))
            return &rows[i];
    return NULL;
}

const char *lines_sentence(const struct lines_row *row, const Tabled__V1__Line *line) {
    return row && strlen(row->args) == line->n_args ? row->text : NULL;
}

static char type_of(Tabled__V1__LineArgType type) {
    return type == TABLED__V1__LINE_ARG_TYPE__LINE_ARG_TYPE_SEAT    ? 's'
           : type == TABLED__V1__LINE_ARG_TYPE__LINE_ARG_TYPE_KIND  ? 'k'
           : type == TABLED__V1__LINE_ARG_TYPE__LINE_ARG_TYPE_PLACE ? 'p'
                                                                    : 'n';
}

unsigned lines_args(const Tabled__V1__Line *line, struct phrase_arg ret[LINES_ARGS_MAX]) {
    unsigned n = 0;
    for (; n < line->n_args && n < LINES_ARGS_MAX; n++) {
        const Tabled__V1__LineArg *from = line->args[n];
        ret[n] = (struct phrase_arg){type_of(from->type), from->value, from->label};
    }
    return n;
}
