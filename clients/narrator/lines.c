#include "lines.h"
#include <stddef.h>
#include <string.h>

const struct lines_row lines[] = {
#define LINE(game, id, args, window_ms, text) {game, id, args, text, window_ms},
#include "lines.def"
#undef LINE
};
const unsigned lines_n = sizeof lines / sizeof *lines;

const struct lines_row *lines_find(const char *game, const char *id) {
    for (unsigned i = 0; i < lines_n; i++)
        if (!strcmp(lines[i].id, id) && (!strcmp(lines[i].game, game) || !*lines[i].game))
            return &lines[i];
    return NULL;
}
