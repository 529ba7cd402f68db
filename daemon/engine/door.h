// The one door, seen from outside: everything a person or program may ask of a table. Opaque; a caller
// reaches no state. Requests are answered once, on the loop, when what they did is durable (or at once when
// refused).
#pragma once
#include "core/error.h"
#include "engine/observe.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct door;

enum door_role { DOOR_ADMIN, DOOR_OPERATOR, DOOR_SEAT, DOOR_DISPLAY, DOOR_METRICS, DOOR_DRIVER };
struct door_who {
    enum door_role role;
    int8_t seat;       // DOOR_SEAT: 0..15
    char table[33];    // DOOR_SEAT: its table, "" = any
    char name[33];     // who, for the record: a token's or user's name
    const char *cause; // rest mqtt local
};

// What a reader found on a tag that is being enrolled. Only for the person who enrols it: the hint is
// whatever somebody wrote on the tag.
enum door_signature {
    DOOR_SIGNATURE_UNKNOWN,
    DOOR_SIGNATURE_VALID,
    DOOR_SIGNATURE_INVALID, // a copy, or of a maker whose key the daemon does not have
    DOOR_SIGNATURE_UNREADABLE,
    DOOR_SIGNATURE_UNSUPPORTED,
    DOOR_SIGNATURES
};
enum { DOOR_HINT_MAX = 65 };
struct door_inspected {
    char hint[DOOR_HINT_MAX]; // "" = none
    enum door_signature signature;
    char pad[33]; // where it lies
};

struct door_answer {
    enum error_code code;
    struct error error; // when code is not OK
    uint64_t version;   // the caller's own view after it
    bool accepted_only; // dark: 202 {"accepted":true}, whatever happened
    uint8_t n_issues;   // start: warnings, or the errors it was refused for
    const struct door_issue {
        bool is_error;
        char code[33], text[sizeof((struct error *)0)->text];
    } * issues;
    unsigned added;                         // import: tags taken
    const struct door_inspected *inspected; // enrol: what is on the tag; NULL = nobody asked it
};
typedef void door_reply_fn(void *ctx, const struct door_answer *answer);

// Strings are borrowed for the call.
struct door_start {
    const char *game;
    const char *preset; // NULL = none; seats, cards and options given beside it win
    unsigned seats;     // 0 = the preset's
    const char *cards;  // blank-separated kinds, NULL = none
    size_t n_options;
    const struct door_option { const char *name, *value; } * options;
    uint64_t seed;    // 0 = from the kernel
    const char *bots; // seats a computer plays, blank-separated; NULL = none
};

size_t door_tables(const struct door *door);
const char *door_table(const struct door *door, size_t i);
// The last durable view, NULL if there is no such table. Valid until the next turn of the loop. A seat's view
// exists only while that seat plays; who may see it is the caller's (net/) check.
const struct observation *door_view(struct door *door, const char *table, int audience);
// What a table plays, without the work of a view; false = there is no such table. ret_game: NULL = none yet.
bool door_status(const struct door *door, const char *table, enum observe_status *ret_status,
                 const char **ret_game);
// What the control piece `start` starts there, as configured (texts as in tabled.conf, "" = not said; bots by
// number), for whoever sets a game up by other means; false = nothing. Borrowed, constant.
struct door_preset {
    const char *game, *preset, *cards, *options, *bots;
    unsigned seats; // 0 = not said
};
bool door_preset(const struct door *door, const char *table, struct door_preset *ret);
const struct observe_readers *door_readers(struct door *door, const char *table);

// Each calls reply exactly once, perhaps before it returns.
void door_start(struct door *door, const char *table, const struct door_who *who,
                const struct door_start *start, door_reply_fn *reply, void *ctx);
// What a start would say; nothing begins and nothing is answered later. It is not told whether one may start
// now.
enum { DOOR_ISSUES_MAX = 17 };
struct door_checked {
    bool ok;
    unsigned seats;                  // 0 = not known
    const struct observation *setup; // cards and options; NULL = not known. Valid until the next turn
    unsigned n_issues;
    struct door_issue issue[DOOR_ISSUES_MAX];
};
// An error only where the caller may not ask or there is no such table.
enum error_code door_check(struct door *door, const char *table, const struct door_start *start,
                           struct door_checked *ret, struct error *err);
// The pads of a table and the places they serve: of the game that is shown, else of all of its maps. False:
// there is no such table.
enum { DOOR_PAD_PLACES_MAX = 8 };
struct door_pad {
    const char *name, *reader;
    uint16_t antenna;
    bool tap;
    int16_t x, y; // mm
    unsigned n_places;
    const char *places[DOOR_PAD_PLACES_MAX];
};
bool door_pads(struct door *door, const char *table, void (*take)(void *ctx, const struct door_pad *pad),
               void *ctx);
// action: a line `s2 swap a=s2 b=s4`, or JSON of design 5.2 (begins with '{'). if_seq: 0 = not given, else
// the version of the caller's own view. A seat may act for itself, an operator for any actor, but for chance
// that the generator draws; in the dark see design 5.4.
void door_act(struct door *door, const char *table, const struct door_who *who, const char *action,
              uint64_t if_seq, door_reply_fn *reply, void *ctx);

enum door_control {
    DOOR_PAUSE,
    DOOR_RESUME,
    DOOR_UNDO,
    DOOR_OVERRIDE,
    DOOR_CHOOSE,
    DOOR_END,
    DOOR_AGAIN,
    DOOR_REPEAT, // the last narration is said again
    DOOR_NEXT,   // what the clock would do at the end of the limit; never in the dark
};
struct door_control_request {
    enum door_control control;
    const char *reason; // pause override end undo: for the record and, where public, for people; NULL = none
    uint32_t choice;    // choose: id
    unsigned option; // choose: index of the option; override: with action NULL forgives violation `violation`
    uint32_t violation;
    const char *action; // override: the legal action that readers missed
};
void door_control(struct door *door, const char *table, const struct door_who *who,
                  const struct door_control_request *request, door_reply_fn *reply, void *ctx);

// Enrolment (admin; refused for a deck in play, and at a table where a game runs: its tiles would be named).
// pad NULL = any of the table. name and kind both NULL: only look at the next new tag, its answer tells what
// is on it and keeps nothing. One at a time: another caller is told ERROR_BUSY, the same one's earlier
// enrolment is given up.
void door_enrol(struct door *door, const char *table, const struct door_who *who, const char *deck,
                const char *name, const char *kind, const char *face, const char *pad, unsigned wait_ms,
                door_reply_fn *reply, void *ctx);
void door_enrol_import(struct door *door, const struct door_who *who, const char *csv, door_reply_fn *reply,
                       void *ctx);
void door_enrol_remove(struct door *door, const struct door_who *who, const char *deck, const char *name,
                       door_reply_fn *reply, void *ctx);
// CSV of decks without tag ids unless `tags`; malloc'd, the caller frees.
enum error_code door_enrol_export(struct door *door, const struct door_who *who, const char *deck, bool tags,
                                  char **ret, struct error *err);

// Games, as one JSON document that lists options, kinds, presets, verbs and places' names. Constant;
// borrowed.
const char *door_games_json(struct door *door);
const char *door_game_id(size_t i); // of the games there are; NULL after the last

// Health for /readyz and metrics.
struct door_health {
    bool storage_ok;
    unsigned readers_up, readers;
    uint64_t records, actions, violations; // as announced; what a dark phase records, and that a piece was
                                           // first seen, is never counted
};
void door_health(struct door *door, struct door_health *ret);
// Numbers of all readers that serve a pad, by name; for operators and metrics. Borrowed until the next call.
size_t door_numbers(struct door *door, const struct observe_reader_numbers **ret);

// Whoever carries observations outside registers here; called in order of registration.
void door_add_sink(struct door *door, const struct observe_sink *sink);
