// A computer player: a pure function of what its seat may see and may do. It is asked outside the loop, so it
// touches nothing but what it is given. Games with hidden information are asked without a state: whoever
// wants one makes it up from the view.
#pragma once
#include "engine/game.h"

// Everything in it is the asker's, valid until the answer.
struct bot_ask {
    const struct game *game;
    const struct game_setup *setup; // public, its slots too
    const struct observation *view; // the game's own view of seat view->audience; table and violations apart
    const game_action *legal;       // of that seat, ascending
    size_t n;
    const void *state;  // only for bots of open information, else NULL
    unsigned budget_ms; // a bot turns it into positions: the same question has the same answer everywhere
    uint64_t dice;
};

struct bot {
    bool open_information; // the game hides nothing, so its state is what the seat sees
    // Sets one of the legal actions. False: rather wait for the others; it is asked again after a while.
    bool (*choose)(const struct bot_ask *ask, game_action *ret);
};

enum { BOT_BUDGET_MS = 300 };

// For games without one: any legal action, none once the seat has acted in this phase.
extern const struct bot bot_any;

// Seats in words, `s2 s3` or by their labels, as a set of bits.
enum error_code bot_seats(const struct game_words *names, const char *words, uint16_t *ret,
                          struct error *err);
enum { BOT_WORDS_MAX = 64 };
void bot_words(uint16_t seats, char ret[BOT_WORDS_MAX]); // back: by number, `s2 s3`
// What the seat may know of the state, as a bot is shown it.
void bot_view(const struct game *game, const struct game_setup *setup, const void *state, int seat,
              struct observation *ret);
// Asks; what is not legal counts as none.
bool bot_choose(const struct bot *bot, const struct bot_ask *ask, game_action *ret);
