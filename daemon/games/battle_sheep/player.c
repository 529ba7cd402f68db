// The bot at a table. Everything is public, so its state is what the seat sees.
#include "engine/bot.h"
#include "games/battle_sheep/battle_sheep.h"

enum { POSITIONS_PER_MS = 500 };

static bool choose(const struct bot_ask *ask, game_action *ret) {
    return ask->state &&
           sheep_bot(ask->state, ask->view->audience, ask->budget_ms * POSITIONS_PER_MS, ask->dice, ret);
}

const struct bot battle_sheep_player = {.open_information = true, .choose = choose};
