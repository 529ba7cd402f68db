// A player for an empty seat. It sees what the seat sees and what is legal there, nothing else: no state, no
// slot of anybody's card.
#pragma once
#include "engine/game.h"

// seen: the game's observation for seat seen->audience; legal: that seat's actions, ascending. False: better
// wait for the others (only in a discussion). Equal arguments, equal answers; dice breaks ties.
bool alien_hunt_bot(const struct game_setup *setup, const struct observation *seen, const game_action *legal,
                    size_t n, uint64_t dice, game_action *ret);
