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
    bool told;              // a look: people had been told of the gap, so it is filled, not peeked at
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

// ---- keeping hands (engine/hands.c): pure, no clock. Times never run backwards by more than one scan.
//
// A look = the slot left a place for look_us (first miss to first sighting) and came back to it, and nothing
// else was put there meanwhile. Shorter is a nudge and leaves nothing. A touch counts at landing, anywhere
// but on the slot's own place (where it lay when hands were last accepted); where anything may lie, there
// too. A stay of look_us or more on another place that ends is a rest; a shorter one is a
// slide or a stray sighting: the flight goes on from where it began (evenings 2.0). The final board decides,
// in whatever order two pieces fly.
enum { HANDS_LOOK_US = 600000, HANDS_AIR_US = 20000000 };

struct hands_track {
    struct hands now; // what the referee reads
    int32_t look_us, air_us;
    uint16_t n_slots;
    struct hands_slot {
        game_place at;   // GAME_NONE = on no place
        game_place own;  // where it lay when hands were last accepted
        game_place from; // of the running or last flight
        int64_t left_us, landed_us;
        bool flies;     // left a place and has not landed (in the air, or missing when that is long ago)
        bool disturbed; // something else was put on `from` since
        bool loose;     // anything may lie on its own place: every landing there is a touch
        bool told;      // people have been told of the gap that this flight left
    } slot[GAME_SLOTS_MAX];
    uint8_t foreign[GAME_PLACES_MAX]; // pieces of no slot on each place
};

// Nothing lies anywhere, nothing is sensed. look_us and air_us start with the values above.
void hands_init(struct hands_track *track, unsigned n_places, unsigned n_slots);
// A place is served by pads that together tell `capacity` pieces at once (0 = as many as there are).
void hands_place(struct hands_track *track, game_place place, uint8_t capacity);
void hands_sense(struct hands_track *track, game_place place, enum hands_sense sense);
// since_us: first sighting and first miss. A slot placed while it lies elsewhere has left there at since_us;
// a removal from where it does not lie (a ghost) is nothing.
void hands_placed(struct hands_track *track, game_place place, game_slot slot, enum game_face face,
                  int64_t at_us, int64_t since_us);
void hands_removed(struct hands_track *track, game_place place, game_slot slot, int64_t at_us,
                   int64_t since_us);
// A piece of no slot of this game came (+1) or left (-1).
void hands_foreign(struct hands_track *track, game_place place, int change, int64_t at_us);
// A tap spot holds nothing: the slot touched it and stays wherever it is. GAME_NONE: it serves no place.
void hands_tapped(struct hands_track *track, game_place place, game_slot slot, int64_t at_us);
// control: enum control of board/pieces.h; place GAME_NONE when its pad serves none.
void hands_control(struct hands_track *track, game_place place, unsigned control, int64_t at_us);
// An action was accepted: visits are forgotten, every slot's own place is where it lies now (in the air:
// where it came from). A look that began before and ends later still counts, at its end.
void hands_accept(struct hands_track *track);
// People have been told of what is gone from this place: whoever puts it back does what is asked.
void hands_told(struct hands_track *track, game_place place);
// Forgets the visits whose bit is set (those an action of the dark took) and keeps the others.
void hands_forget(struct hands_track *track, const uint64_t taken[HANDS_VISITS_MAX / 64]);
// What flies for air_us is no longer in the air but missing. Returns when the next one will be, INT64_MAX.
int64_t hands_age(struct hands_track *track, int64_t now_us);
// Where a slot lies, GAME_NONE.
game_place hands_where(const struct hands_track *track, game_slot slot);
// Whether two show the same, so that a verdict on one holds for the other.
bool hands_same(const struct hands *a, const struct hands *b);
