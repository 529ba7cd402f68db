// The list of computer players, made from bots.def alone.
#include "games/bot.h"
#include <string.h>

#define BOT(name) extern const struct bot name##_player;
#include "games/bots.def"
#undef BOT

static const struct {
    const char *game;
    const struct bot *bot;
} rows[] = {
#define BOT(name) {#name, &name##_player},
#include "games/bots.def"
#undef BOT
};

const struct bot *bot_find(const char *game) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].game, game))
            return rows[i].bot;
    return &bot_any;
}
