// What a game is: one `const struct game` of pure functions over a flat state. No pointer in the state, no
// I/O, no clock, no allocation, no global. memcpy clones a state. Chance is an actor; its outcomes are
// actions. A game's sources include this header and nothing else of the daemon (rng.h and the like are not
// for games).
#pragma once
#include "core/error.h"
#include "engine/observe.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GAME_SEATS_MAX = 16,
    GAME_PLACES_MAX = 512,
    GAME_SLOTS_MAX = 512,
    GAME_ACTIONS_MAX = 4096, // legal actions of one actor
    GAME_STATE_MAX = 8192,   // bytes
    GAME_OPTIONS_MAX = 96,
    GAME_CARDS_MAX = 64, // chosen kinds of a set-up: a role set, a deck list
    GAME_ITEMS_MAX = 1024,
    GAME_STEPS_MAX = 96,
    GAME_VISITS_MAX = 24, // of one proof
    GAME_NOTES_MAX = 64,
    GAME_ISSUES_MAX = 16,
    GAME_ARGS_MAX = 8,
    GAME_LIST_MAX = 24,
    GAME_TEXT_MAX = 256, // one action in words
    GAME_SHORT_MAX = 64, // one action in the rules' own notation
    GAME_WORD_MAX = 33,
};

typedef uint64_t game_action; // packed by the game
typedef uint16_t game_place;  // index into the set-up's places
typedef uint16_t game_kind;   // index into game->kinds
typedef uint16_t game_slot;   // index into the set-up's slots: what a state stores
enum { GAME_NONE = 0xffff };  // no place, kind or slot; any place in a visit

// Who acts: a seat 0..15 (s1..s16), chance, the clock, or hands that cannot be named.
enum { GAME_BY_CHANCE = -1, GAME_BY_TIMER = -2, GAME_BY_TABLE = -3 };

// ---- facts: rows

// A class tells kinds apart that may share a pad (card, token, mark ...): bit numbers 0..31, chosen by the
// game.
struct game_kind_row {
    const char *id; // as the rules file spells it; unique
    uint8_t class_bit;
    bool hidden; // lies face down in play: never an argument or a name on a public wire
};

enum game_option_type { GAME_OPTION_BOOL, GAME_OPTION_INT, GAME_OPTION_CHOICE };
struct game_option {
    const char *name; // NULL ends the table
    enum game_option_type type;
    int32_t fallback, min, max; // a choice: index into choices
    const char *choices;        // "a b c"
    const char *help;           // one line
};

enum game_arg_type {
    GAME_ARG_SEAT,
    GAME_ARG_PLACE,
    GAME_ARG_KIND,
    GAME_ARG_SLOT, // never on a public wire
    GAME_ARG_INT,
    GAME_ARG_ENUM, // index into words
    GAME_ARG_BOOL,
};
struct game_arg_row {
    const char *name; // NULL ends
    enum game_arg_type type;
    bool list;         // a set, written sorted
    bool optional;     // may be left out
    const char *words; // enum: "a b c"
};
enum {
    GAME_VERB_SEALED = 1,  // its content is not public: `seat_acted` is all that is told
    GAME_VERB_REVEALS = 2, // shows hidden information: bars undo across it
    GAME_VERB_PHYSICAL =
        4, // chance: comes from the table's readers when the set-up says so, not from the generator
    GAME_VERB_MUST = 8,     // dark: a missing one is `missed_mandatory`
    GAME_VERB_CONFIRM = 16, // shown by a piece that had been missing, it is asked back first (AH6)
    GAME_VERB_HELD = 32,    // may be refused for what its seat holds in secret, though it is told when done
};
struct game_verb {
    const char *name; // NULL ends the table
    unsigned flags;
    struct game_arg_row args[GAME_ARGS_MAX];
    const char *help;
};

struct game_phase_row {
    const char *id; // NULL ends
    enum observe_veil veil;
};

// A sentence that may be spoken: public by definition. `text` is English with {0}..{3} for arguments, the
// gettext msgid of the catalogues. The argument types tell how a number is spoken.
struct game_line_row {
    const char *id; // NULL ends
    const char *text;
    const char *args; // one letter each: s seat, k kind, p place, n number
};

// ---- set-up

struct game_setup {
    uint8_t seats;
    uint16_t n_cards;
    game_kind cards[GAME_CARDS_MAX];   // chosen kinds in the order given (a role set); empty = the game's own
    int32_t options[GAME_OPTIONS_MAX]; // by row of game->options
    // Filled by game->prepare:
    uint16_t n_slots;
    game_kind slot_kind[GAME_SLOTS_MAX]; // equal kinds next to each other
};

struct game_issue {
    bool is_error; // else a warning, said once
    char code[GAME_WORD_MAX];
    char text[160];
};
struct game_issues {
    uint8_t n;
    struct game_issue issue[GAME_ISSUES_MAX];
};

struct game_preset {
    const char *name; // NULL ends
    uint8_t seats;
    const char *cards;   // "werewolf werewolf seer"
    const char *options; // "lone_wolf=1 discussion_s=120"
    const char *help;
};

struct game_place_row {
    char name[GAME_WORD_MAX];
    uint32_t accepts;  // class bits that may lie here
    game_place shares; // place whose pad serves this one too when it has none of its own; GAME_NONE
    int16_t x, y;      // for drawing, in a box of 1000 x 1000
    int8_t seat;       // owner, or -1
};
struct game_places {
    uint16_t n;
    struct game_place_row row[GAME_PLACES_MAX];
};

// ---- actions in words

struct game_arg {
    bool given;
    uint8_t n;                    // values; 1 unless the row is a list
    int32_t value[GAME_LIST_MAX]; // sorted ascending for lists
};
struct game_act {
    uint8_t verb; // row of game->verbs
    struct game_arg arg[GAME_ARGS_MAX];
};

// ---- the table as a state demands it

enum game_face { GAME_FACE_ANY, GAME_FACE_DOWN, GAME_FACE_UP };
// One slot, or n pieces of a kind. Face-down items are always slots.
struct game_item {
    game_place place;
    uint16_t what; // a slot if n == 0, else a kind
    uint8_t n;
    uint8_t face;
};
// Every place that is not free holds exactly its items (none: it is empty). Items ascend by place.
struct game_layout {
    uint16_t n_items;
    uint64_t free[GAME_PLACES_MAX / 64];
    struct game_item item[GAME_ITEMS_MAX];
};

enum game_visit_type {
    GAME_LOOK,    // the slot left the place for look_ms or more and came back to it, alone
    GAME_TOUCH,   // the slot landed on the place (counts at landing); tokens
    GAME_REST,    // the slot rested on a place that is not its own and left again
    GAME_CONTROL, // a control piece landed anywhere: `what` is an enum control
    // Added to the type of a needed visit that closes an action (a done spot): it counts only when nothing
    // has landed on, or gone on from, the places the proof changes since; alone it begins nothing.
    GAME_LAST = 0x80,
    // A needed visit that opens its action: what was visited before it does not count, and without it nothing
    // has begun (a control tile that says what the token tapped next is for).
    GAME_FIRST = 0x40,
    GAME_VISIT_MARKS = GAME_LAST | GAME_FIRST,
};
struct game_visit {
    uint8_t type;
    game_place place; // GAME_NONE = any
    uint16_t what;    // slot, or control; GAME_NONE = any
};
// What hands show when they do an action. Fits when every sensed, known place agrees with the layout and
// needed is in visits is in needed + allowed.
struct game_proof {
    struct game_layout layout;
    uint8_t n_needed, n_allowed;
    struct game_visit needed[GAME_VISITS_MAX], allowed[GAME_VISITS_MAX];
};

// ---- moments

struct game_phase {
    uint8_t id; // row of game->phases
    uint16_t round;
    uint16_t step;     // dark: index into the script
    uint16_t turn;     // seats that may act: the truth, masked by the table while dark
    uint16_t clock;    // the limit runs anew whenever (id, round, step, clock) changes
    uint32_t limit_ms; // 0 = none; at the limit the lowest legal timer action enters
    bool over;
};

struct game_cue {
    uint16_t line; // row of game->lines
    int16_t arg[4];
    uint32_t at_ms; // from the start of the step
};
struct game_step {
    char id[12];        // "400"; [a-z0-9_]
    uint32_t length_ms; // multiple of 250
    uint32_t close_ms;  // when the closing line begins: later lifts are `late`
    bool checkpoint;
    uint8_t n_cues;
    struct game_cue cue[4];
};
struct game_script {
    uint16_t n;
    struct game_step step[GAME_STEPS_MAX];
};

// What an action brings about. SAY is spoken at once and public; STORY waits for the reveal; both may be set.
// A note in a sealed or dark phase that is not STORY alone is a fault of the game.
enum { GAME_NOTE_SAY = 1, GAME_NOTE_STORY = 2 };
struct game_note {
    uint16_t line;
    uint8_t flags;
    int16_t arg[4];
};
struct game_notes {
    uint8_t n;
    struct game_note note[GAME_NOTES_MAX];
};

// ---- the game

struct game {
    const char *id, *title;
    uint16_t rules_rev; // raise when an old journal would fold differently
    uint8_t seats_min, seats_max;
    const struct game_phase_row *phases;
    const struct game_kind_row *kinds;
    uint16_t n_kinds;
    const struct game_option *options;
    const struct game_verb *verbs;
    const struct game_line_row *lines;
    const struct game_preset *presets; // NULL = none
    size_t state_size;

    // Checks a set-up and fills its slots. Errors and warnings by their codes; ERROR_ILLEGAL if an error is
    // among them.
    enum error_code (*prepare)(struct game_setup *setup, struct game_issues *ret, struct error *err);
    void (*places)(const struct game_setup *setup, struct game_places *ret);
    // Optional: what a table must feel for this set-up. `sensed` has a bit for each place that a tile pad
    // serves; warnings say what people have to tell instead, an error refuses the set-up here.
    void (*senses)(const struct game_setup *setup, const struct game_places *places,
                   const uint64_t sensed[GAME_PLACES_MAX / 64], struct game_issues *ret);
    // Optional: a kind in one line for lists of people who choose, NULL = nothing to say.
    const char *(*kind_help)(game_kind kind);
    // A label people use for a seat (`c`, `h2`, `red`), "" = none.
    void (*seat_label)(const struct game_setup *setup, int seat, char ret[GAME_WORD_MAX]);
    // Never fails after prepare. All bytes of the state are written (padding too): equal states compare
    // equal.
    void (*init)(void *state, const struct game_setup *setup);

    void (*phase)(const void *state, struct game_phase *ret);
    // Legal actions of one actor in ascending order; returns the number, also beyond cap. Unless over,
    // somebody has one.
    size_t (*legal)(const void *state, int by, game_action *ret, size_t cap);
    // Optional: well-formed actions that people try and the rules refuse; they only serve to say what is
    // wrong.
    size_t (*mistakes)(const void *state, int by, game_action *ret, size_t cap);
    // On failure the state is unchanged and err->rule says why. Agrees with legal.
    enum error_code (*apply)(void *state, int by, game_action action, struct game_notes *notes,
                             struct error *err);
    void (*layout)(const void *state, struct game_layout *ret);
    // Optional, for words alone: where a piece goes that no place asks for (discards, a box); GAME_NONE = the
    // hand. Only what everybody knows.
    game_place (*rest)(const void *state, game_slot slot);
    // NULL = the layout after the action, no visits.
    void (*proof)(const void *state, int by, game_action action, struct game_proof *ret);
    void (*script)(const void *state, struct game_script *ret); // NULL without a dark phase
    // Adds what this audience may know: items, counters, facts, seats, result. `ret` has its counts zeroed
    // and its audience set. Total: any state, any audience. In a dark phase it adds nothing that depends on
    // the night.
    void (*observe)(const void *state, struct observation *ret);
    // Verb and arguments to a packed action and back. encode fails (ERROR_INVALID) for what has no packed
    // form.
    enum error_code (*encode)(const void *state, int by, const struct game_act *act, game_action *ret,
                              struct error *err);
    void (*decode)(const void *state, int by, game_action action, struct game_act *ret);
    // Optional, both or none: one action as the rules file writes it (`M R 0,0>7,0 9`). short_read: false if
    // the line is none; it must not take a line that begins with an actor. What it reads may be illegal, as
    // after encode. short_write: false if the rules have no notation for it; never for what is not public.
    bool (*short_read)(const void *state, const char *line, int *ret_by, game_action *ret);
    bool (*short_write)(const void *state, int by, game_action action, char ret[GAME_SHORT_MAX]);
    // Seats that won (bit each), teams and scores, once over; for simulation and statistics.
    void (*result)(const void *state, struct observe_result *ret);
    // Optional: a quick random legal action, for playouts. Returns false if the actor has none.
    bool (*random)(const void *state, int by, uint64_t dice, game_action *ret);
};

// Registry.
const struct game *game_find(const char *id);
const struct game *game_at(size_t i); // NULL after the last
// ERROR_NOT_FOUND: there is no such game; said with the nearest one, else with those there are.
enum error_code game_unknown(const char *id, struct error *err);

// ---- generic helpers (engine/game.c)

void game_layout_clear(struct game_layout *layout); // nothing anywhere, nothing free
void game_layout_free(struct game_layout *layout, game_place place);
void game_layout_slot(struct game_layout *layout, game_place place, game_slot slot, enum game_face face);
void game_layout_kind(struct game_layout *layout, game_place place, game_kind kind, unsigned n,
                      enum game_face face);
void game_note(struct game_notes *notes, uint8_t flags, uint16_t line, int a, int b, int c,
               int d); // notes NULL: nothing
void game_issue(struct game_issues *issues, bool is_error, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The proof of an action: the game's own, or the layout after it.
void game_proof_of(const struct game *game, const void *state, int by, game_action action,
                   struct game_proof *ret);
// Checks legality by `legal`, then applies. The only caller of apply beside tests.
enum error_code game_act(const struct game *game, void *state, int by, game_action action,
                         struct game_notes *notes, struct error *err);
game_kind game_kind_find(const struct game *game, const char *id); // GAME_NONE
int game_option_find(const struct game *game, const char *name);   // -1
int game_verb_find(const struct game *game, const char *name);     // -1
game_place game_place_find(const struct game_places *places, const char *name);
// The set-up's defaults: seats, every option's fallback.
void game_setup_default(const struct game *game, unsigned seats, struct game_setup *ret);
enum error_code game_setup_preset(const struct game *game, const char *name, struct game_setup *ret,
                                  struct error *err);
enum error_code game_setup_option(const struct game *game, struct game_setup *setup, const char *name,
                                  const char *value, struct error *err);
enum error_code game_setup_cards(const struct game *game, struct game_setup *setup, const char *words,
                                 struct error *err);

// Actors and actions in words: `s2 swap a=s2 b=s4` (design 5.2). Seat labels are accepted on input, and so is
// the rules' own notation where the game has one.
struct game_words { // what texts need
    const struct game *game;
    const struct game_setup *setup;
    const struct game_places *places;
};
const char *game_by_text(int by, char ret[8]);
bool game_by_parse(const struct game_words *words, const char *text, int *ret);
size_t game_action_text(const struct game_words *words, const void *state, int by, game_action action,
                        char ret[GAME_TEXT_MAX]); // the whole line, actor first
enum error_code game_action_parse(const struct game_words *words, const void *state, const char *line,
                                  int *ret_by, game_action *ret, struct error *err);
// {"by":"s2","do":"swap","args":{"a":"s2","b":"s4"}}; json is a json_t * (jansson).
size_t game_action_json(const struct game_words *words, const void *state, int by, game_action action,
                        char *ret, size_t cap);
enum error_code game_action_from_json(const struct game_words *words, const void *state, const void *json,
                                      int *ret_by, game_action *ret, struct error *err);
// Reads nothing but what game_action_json has written, and reads that as game_action_from_json does. false:
// it is something else, or the game refuses it; then that function has the last word.
bool game_action_read_back(const struct game_words *words, const void *state, const char *text, int *ret_by,
                           game_action *ret);
