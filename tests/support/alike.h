// What a game has said, compared by what it means: bytes between the fields of a struct are nobody's, and
// each compiler leaves others in them.
#pragma once
#include "engine/game.h"

// NULL, or the first that differs: items counters facts seats position result, which is what a game fills;
// head is what others do. Words are compared as words.
const char *alike_view(const struct observation *a, const struct observation *b);
bool alike_script(const struct game_script *a, const struct game_script *b);
bool alike_layout(const struct game_layout *a, const struct game_layout *b);
bool alike_proof(const struct game_proof *a, const struct game_proof *b);
bool alike_notes(const struct game_notes *a, const struct game_notes *b);
bool alike_act(const struct game_act *a, const struct game_act *b);
