// A name that no game has. A file of its own: tests of one game have no registry.
#include "core/config.h"
#include "engine/game.h"

enum { GAMES_TOLD = 64 };

enum error_code game_unknown(const char *id, struct error *err) {
    const char *names[GAMES_TOLD];
    size_t n = 0;
    char instead[CONFIG_INSTEAD_MAX];
    for (const struct game *game; n < GAMES_TOLD && (game = game_at(n)); n++)
        names[n] = game->id;
    return error_set(err, ERROR_NOT_FOUND, NULL, "there is no game '%.32s'%s", id,
                     config_instead(id, names, sizeof *names, n, instead));
}
