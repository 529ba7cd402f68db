// A set-up from the command line, for commands that need no daemon.
#pragma once
#include "engine/game.h"
#include "tablectl.h"

// The first word names the game. EXIT_CODE_OK, or what the command returns (told on stderr).
int setup_read(const struct args *args, const struct game **ret_game, struct game_setup *ret);
// The two halves of it: the game alone, and its set-up for so many seats (0 = the preset's, else the fewest).
int setup_game(const struct args *args, const struct game **ret);
int setup_seats(const struct args *args, const struct game *game, unsigned seats, struct game_setup *ret);
