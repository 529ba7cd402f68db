// The list of games, made from games.def alone.
#include "engine/game.h"
#include <string.h>

#define GAME(name) extern const struct game name##_game;
#include "games/games.def"
#undef GAME

static const struct game *const registry[] = {
#define GAME(name) &name##_game,
#include "games/games.def"
#undef GAME
    NULL,
};

const struct game *game_at(size_t i) {
    return i < sizeof registry / sizeof *registry ? registry[i] : NULL;
}

const struct game *game_find(const char *id) {
    for (size_t i = 0; registry[i]; i++)
        if (id && !strcmp(registry[i]->id, id))
            return registry[i];
    return NULL;
}
