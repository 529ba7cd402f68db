// A player for an empty chair: a pure function of what its seat may see and may do.
#pragma once
#include "engine/game.h"

// One of the legal actions of view->audience; false when there is none (or the view is nobody's). With
// hands=seat it knows its cards; else it reads them from what it may pay, and before that it guesses.
bool elfenland_bot(const struct observation *view, const game_action *legal, size_t n, game_action *ret);
