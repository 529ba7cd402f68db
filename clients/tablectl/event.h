// What happens at a table, a sentence for each public event.
#pragma once
#include "engine/game.h"

struct json_t;
// What is known of the table from the messages before.
struct telling {
    char game_id[33];
    const struct game *game; // NULL = none, or one that this program does not know
    char label[GAME_SEATS_MAX][GAME_WORD_MAX];
};
// Why a table is paused, in words.
const char *event_pause(const char *reason);
void event_note(struct telling *telling, const char *message, const struct json_t *data);
// Prints the sentence; nothing where a line of the state has told it already (a phase, a violation, a
// result).
void event_print(const struct telling *telling, const struct json_t *event);
