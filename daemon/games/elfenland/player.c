#include "engine/bot.h"
#include "games/elfenland/bot.h"

static bool choose(const struct bot_ask *ask, game_action *ret) {
    return elfenland_bot(ask->view, ask->legal, ask->n, ret);
}

const struct bot elfenland_player = {.choose = choose};
