// What a bot makes of its view. Chances are in thousandths, points in hundredths.
#pragma once
#include "games/alien_hunt/alien_hunt.h"
#include "games/alien_hunt/bot.h"

struct bot_token {
    uint8_t at;          // seat, AT_RESERVE, AT_REMOVED
    int16_t observation; // chance that it is the observation token
};
struct bot {
    unsigned me, seats;
    uint8_t character[SEATS_MOST];
    int16_t is[SEATS_MOST][IDENTITY_KINDS]; // chance of each identity
    // By owner and order of laying: what is still in a reserve has no row.
    struct bot_token token[SEATS_MOST][TOKENS_EACH + 1];
    unsigned laid; // of all players
};

void alien_hunt__bot_read(const struct game_setup *setup, const struct observation *seen, struct bot *ret);
bool alien_hunt__bot_is_sure(const struct bot *b, unsigned seat);
unsigned alien_hunt__bot_likeliest(const struct bot *b, unsigned seat);
// Expected points of an observation token of an owner lying on a seat.
int alien_hunt__bot_observation(const struct bot *b, unsigned owner, unsigned on);
// How well the table stands for the bot: its own expected points against those of the others.
int alien_hunt__bot_stand(const struct bot *b);
