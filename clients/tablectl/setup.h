// A set-up from the command line, for commands that need no daemon.
#pragma once
#include "engine/game.h"
#include "tablectl.h"

// The first word names the game. EXIT_CODE_OK, or what the command returns (told on stderr).
int setup_read(const struct args *args, const struct game **ret_game, struct game_setup *ret);
