// Computer players by game.
#pragma once
#include "engine/bot.h"

// Never NULL.
const struct bot *bot_find(const char *game);
