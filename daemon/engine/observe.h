// The one way out. An observation is an allowlist view built for one audience; an event is what that audience
// is told at one moment. wire/ and net/ see only these types and door.h: no state, no slot of hidden
// identity, no tag, no journal position can be expressed in them. Strings point to constant tables or to
// memory of the table that lives at least until the callback returns.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OBSERVE_SEATS_MAX = 16,
    OBSERVE_PLACES_MAX = 512,
    OBSERVE_ITEMS_MAX = 768,
    OBSERVE_COUNTERS_MAX = 128,
    OBSERVE_FACTS_MAX = 64,
    OBSERVE_REPAIRS_MAX = 8,
    OBSERVE_VIOLATIONS_MAX = 8,
    OBSERVE_OPTIONS_MAX = 40, // of a choice: every road of a map, every count of a flock
    OBSERVE_TEAMS_MAX = 16,
    OBSERVE_STORY_MAX = 256,
    OBSERVE_LINES_MAX = 32,
    OBSERVE_ARGS_MAX = 16,
    OBSERVE_READERS_MAX = 64,
    OBSERVE_POSITION_MAX = 832, // a pasture of 64 cells in one line
};

enum observe_veil { OBSERVE_OPEN, OBSERVE_SEALED, OBSERVE_DARK };

// Public, or one seat (>= 0). After the end of a game everything is public.
enum { OBSERVE_PUBLIC = -1 };

enum observe_level { OBSERVE_UNKNOWN, OBSERVE_EMPTY, OBSERVE_OCCUPIED };
enum observe_face { OBSERVE_FACE_UNKNOWN, OBSERVE_FACE_DOWN, OBSERVE_FACE_UP };

struct observe_phase {
    uint32_t n;     // counts public phase messages of this game, from 1
    const char *id; // phase of the rules file; NULL = no game
    uint32_t round;
    enum observe_veil veil;
    const char *step; // dark: step id, else NULL
    uint16_t step_index, steps;
    uint16_t turn; // seats that may act; 0 in the dark
    uint32_t limit_ms;
    int64_t starts_at_us, deadline_us; // wall clock; 0 = none
    bool paused;
    const char *pause_reason; // host reader spill disk restart; NULL
};

// Something public at a place: by kind if the rules show it, else a hidden piece (kind NULL).
struct observe_item {
    uint16_t place;
    const char *kind;
    uint8_t n;
    uint8_t face;
};
struct observe_place {
    const char *name;
    uint8_t level; // from the pads; OBSERVE_UNKNOWN where nothing is sensed or known
    bool sensed;   // a pad serves it
    int16_t x, y;
    int8_t seat; // owner, or -1
};
struct observe_counter { // will, distance, prices, points ...
    const char *name;
    int8_t seat; // -1 = of the table
    int32_t value;
};
// Something one seat (or after the end everybody) knows: {"dealt": "seer"}, {"saw": "c1", "kind": ...}.
struct observe_fact {
    const char *key;
    int8_t seat;       // whom it is about, or -1
    const char *place; // NULL = none
    const char *kind;  // NULL = none
    int32_t value;
};

struct observe_seat {
    char label[33];
    bool present, acted, alive; // acted: in this phase, where that is public
    bool bot;                   // the computer plays it
};

struct observe_repair {
    const char *take, *put; // place names or "hand"
    char what[33];          // "tile", "token" ... or a kind that is public
};
struct observe_violation {
    uint32_t id;
    char rule[33]; // code of the rules file, or a referee's own: misplaced missing unknown_piece several
                   // doubtful
    char text[160];
    uint8_t n_places, n_repairs;
    const char *places[OBSERVE_REPAIRS_MAX];
    struct observe_repair repairs[OBSERVE_REPAIRS_MAX];
    int64_t since_us; // wall
};

struct observe_action { // words only
    const char *by, *verb;
    uint8_t n_args;
    struct observe_arg {
        const char *name;
        char value[96];
    } args[OBSERVE_ARGS_MAX];
    char text[256];    // s2 swap a=s2 b=s4
    char notation[64]; // the same as the rules file writes it; "" = it has no notation
};
struct observe_choice {
    uint32_t id;
    char by[8];
    uint8_t n; // options this audience may see; 0 while sealed to it
    struct observe_action options[OBSERVE_OPTIONS_MAX];
};

struct observe_team {
    char name[33];
    bool won;
    int32_t score;
};
struct observe_result {
    bool over;
    uint16_t winners, dead; // seats
    uint8_t n_teams;        // winning teams first, by name
    struct observe_team teams[OBSERVE_TEAMS_MAX];
    int32_t score[OBSERVE_SEATS_MAX];
    char reason[160];
    struct observe_seat_result {
        char role[33], team[33];
    } seats[OBSERVE_SEATS_MAX]; // effective role and team, "" where the game has none
};

// What a line is filled with, so that a client can say it in any language: nothing that its text does not
// tell.
enum observe_line_arg_type {
    OBSERVE_ARG_UNKNOWN,
    OBSERVE_ARG_SEAT,
    OBSERVE_ARG_KIND,
    OBSERVE_ARG_PLACE,
    OBSERVE_ARG_NUMBER,
};
struct observe_line_arg {
    enum observe_line_arg_type type;
    char value[33]; // s2, werewolf, c1, 3
    char label[33]; // of a seat, "" = none
};
struct observe_line { // a sentence of the narration
    const char *id;
    char text[256];
    uint32_t at_ms; // from starts_at of its message
    uint8_t n_args;
    struct observe_line_arg arg[4];
};

// The story told after the reveal: what was done in the dark and under seal, in order.
struct observe_story {
    const char *step; // NULL = outside the dark
    const char *phase;
    char by[8];
    char text[160]; // s4 troublemaker: swap s1 s5; exchanged and put back s4 s5
    char flags[64]; // late early slip declared missed_mandatory, blank-separated
};

enum observe_status { OBSERVE_IDLE, OBSERVE_RUNNING, OBSERVE_ENDED };

// What one audience may know now. Entries beyond their counts are undefined. A game fills items, counters,
// facts, seat[].acted and alive, position and result; the table fills the rest.
struct observation {
    int audience;     // OBSERVE_PUBLIC or a seat
    uint64_t version; // counts changes of this audience's view
    enum observe_status status;
    const char *table, *game, *title; // game NULL while idle
    char game_id[17];                 // random, public
    uint16_t rules_rev;
    uint8_t seats;
    int64_t started_at_us; // wall
    uint16_t n_cards;
    const char *cards[64]; // public part of the set-up: the role set
    uint16_t n_options;
    struct observe_option {
        const char *name;
        char value[33];
    } options[96];
    struct observe_phase phase;
    struct observe_seat seat[OBSERVE_SEATS_MAX];
    uint16_t n_places, n_items, n_counters, n_facts;
    struct observe_place place[OBSERVE_PLACES_MAX];
    struct observe_item item[OBSERVE_ITEMS_MAX];
    struct observe_counter counter[OBSERVE_COUNTERS_MAX];
    struct observe_fact fact[OBSERVE_FACTS_MAX];
    char position[OBSERVE_POSITION_MAX]; // the board in one line, as the rules file writes it; "" = none
    uint8_t n_violations, n_prompts;
    const struct observe_violation *violation; // n_violations of them, the table's
    const struct observe_repair *prompt;       // follow: what hands should move; n_prompts of them
    const struct observe_choice *choice;       // NULL = none is open
    struct observe_result result;              // result.over only after the reveal
    uint16_t n_story;
    const struct observe_story *story; // only after the reveal; n_story of them, the table's
};

// ---- events

// X(NAME, wire name): what an audience is told (design 5.5).
#define OBSERVE_EVENT_MAP(X)                                                                                 \
    X(GAME_STARTED, game_started)                                                                            \
    X(PHASE_STARTED, phase_started)                                                                          \
    X(STEP_STARTED, step_started)                                                                            \
    X(ACTION, action)                                                                                        \
    X(SEAT_ACTED, seat_acted)                                                                                \
    X(REVEALED, revealed)                                                                                    \
    X(PROMPT, prompt)                                                                                        \
    X(REMINDER, reminder)                                                                                    \
    X(VIOLATION_RAISED, violation_raised)                                                                    \
    X(VIOLATION_CLEARED, violation_cleared)                                                                  \
    X(CHOICE_OPENED, choice_opened)                                                                          \
    X(CHOICE_CLOSED, choice_closed)                                                                          \
    X(PAUSED, paused)                                                                                        \
    X(RESUMED, resumed)                                                                                      \
    X(UNDONE, undone)                                                                                        \
    X(OVERRIDDEN, overridden)                                                                                \
    X(READER_LOST, reader_lost)                                                                              \
    X(READER_BACK, reader_back)                                                                              \
    X(RESULT, result)                                                                                        \
    X(GAME_ENDED, game_ended)                                                                                \
    X(RESET, reset)
enum observe_event_type {
    OBSERVE_EVENT_UNKNOWN,
#define X(name, wire) OBSERVE_EVENT_##name,
    OBSERVE_EVENT_MAP(X)
#undef X
        OBSERVE_EVENT_TYPES
};
const char *observe_event_name(enum observe_event_type type);

struct observe_event {
    enum observe_event_type type;
    uint64_t seq;  // per table and audience, from 1 in every boot; no gap
    int64_t at_us; // wall
    // Only what the type needs is set; pointers are borrowed until the callback returns.
    int8_t seat;                               // seat_acted; -1
    const struct observe_action *action;       // action undone overridden; NULL
    const struct observe_violation *violation; // violation_*, reminder (its rule and places)
    const struct observe_choice *choice;
    const struct observe_repair *repairs; // prompt
    uint8_t n_repairs;
    const char *reason; // paused overridden reset game_ended undone
    const char *reader; // reader_*
    const char *code;   // warning or reminder code
    const char *text;   // one sentence for people, public
};

// Narration: lines spoken from starts_at on, in order.
struct observe_narration {
    uint64_t seq;
    int64_t starts_at_us; // wall
    uint8_t n_lines;
    struct observe_line line[OBSERVE_LINES_MAX];
};

struct observe_reader {
    const char *name, *driver;
    bool up;
    int64_t since_us; // wall
    const char *why;  // for people; NULL
};
struct observe_readers {
    uint8_t n;
    struct observe_reader reader[OBSERVE_READERS_MAX];
};

// How a reader does, for operators alone. Counted in open and sealed phases; what happens in the dark is in
// no number, also later (design 5.4).
#define OBSERVE_FAULT_MAP(X)                                                                                 \
    X(TIMEOUT, timeout)                                                                                      \
    X(CHECKSUM, checksum)                                                                                    \
    X(FRAME, frame)                                                                                          \
    X(STATUS, status)                                                                                        \
    X(IO, io)
enum observe_fault {
#define X(NAME, name) OBSERVE_FAULT_##NAME,
    OBSERVE_FAULT_MAP(X)
#undef X
        OBSERVE_FAULTS
};
const char *observe_fault_name(enum observe_fault fault);
struct observe_reader_numbers {
    char name[33];
    bool up; // as its tables were told
    uint64_t scans, seen, none, collided, failed;
    uint64_t misses; // scans that missed a piece which lay there, as the next sighting showed
    uint64_t faults[OBSERVE_FAULTS];
    uint32_t rate_mhz;        // scans a second, times 1,000
    int64_t scan_us, seen_us; // wall: last scan, last sighting of anything; 0 = none
};

// Which parts of a view changed: only these are sent again.
enum {
    OBSERVE_PART_GAME = 1,
    OBSERVE_PART_PHASE = 2,
    OBSERVE_PART_BOARD = 4,
    OBSERVE_PART_SEATS = 8,
    OBSERVE_PART_VIOLATION = 16, // violations, choice, prompt
    OBSERVE_PART_RESULT = 32,
    OBSERVE_PART_ALL = 63,
};

// Whoever carries observations outside. Called on the loop, only with what is durable, for each audience in
// the order view, event, narration of one moment; the public is told before the seats. `view` is called for
// the public audience and for each seat in play.
struct observe_sink {
    void (*view)(void *ctx, const struct observation *view, unsigned parts);
    void (*event)(void *ctx, const char *table, int audience, const struct observe_event *event);
    void (*narration)(void *ctx, const char *table, const struct observe_narration *narration);
    void (*readers)(void *ctx, const char *table, const struct observe_readers *readers);
    void *ctx;
};
