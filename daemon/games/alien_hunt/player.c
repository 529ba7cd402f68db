#include "engine/bot.h"
#include "games/alien_hunt/bot.h"

static bool choose(const struct bot_ask *ask, game_action *ret) {
    return alien_hunt_bot(ask->setup, ask->view, ask->legal, ask->n, ask->dice, ret);
}

const struct bot alien_hunt_player = {.choose = choose};
