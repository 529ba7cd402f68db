// What hands have done, in the words of a game: which slot lies on which place, what was visited since the
// last accepted action, what is in the air. Made from the board's events by the map of pads to places.
#pragma once
#include "engine/game.h"
#include <stdbool.h>
#include <stdint.h>

enum { HANDS_ITEMS_MAX = 512, HANDS_VISITS_MAX = 256, HANDS_AIR_MAX = 64, HANDS_FOREIGN_MAX = 32 };

enum hands_sense {
    HANDS_UNSENSED, // no pad serves the place
    HANDS_KNOWN,
    HANDS_UNKNOWN, // failed, collided, doubtful, silent
};

struct hands_item {
    game_place place;
    game_slot slot;
    uint8_t face; // enum game_face; ANY = the tags do not tell
};
struct hands_visit {
    struct game_visit visit;
    int64_t from_us, to_us; // lift and landing (look, rest); landing twice (touch, control)
};
struct hands_air {
    game_slot slot;
    game_place from;
    int64_t since_us; // first miss
};
struct hands {
    uint16_t n_places;
    uint8_t sense[GAME_PLACES_MAX];
    uint8_t capacity[GAME_PLACES_MAX]; // most pieces its pads can tell at once
    uint16_t n_items, n_visits, n_air, n_foreign;
    struct hands_item item[HANDS_ITEMS_MAX];    // ascending by place, then slot
    struct hands_visit visit[HANDS_VISITS_MAX]; // by time; the oldest falls out
    struct hands_air air[HANDS_AIR_MAX];        // lifted and not landed; older than 20 s it is `missing`
    game_place foreign[HANDS_FOREIGN_MAX];      // places with a piece that belongs to no slot of this game
    int64_t changed_us;
};
