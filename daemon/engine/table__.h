// Shared by the files of the table and the door; nobody else includes it. One table owns one board and at
// most two game objects: the one it plays (`game`, ahead of the disk) and the one it shows (`shown`,
// announced).
#pragma once
#include "board/board.h"
#include "core/loop.h"
#include "core/rng.h"
#include "core/worker.h"
#include "engine/door.h"
#include "engine/game.h"
#include "engine/hands.h"
#include "engine/journal.h"
#include "engine/observe.h"
#include "engine/referee.h"
#include "engine/table.h"

enum {
    TABLE__LAST_RECORDS = 4,               // kept free: however long a game, it can be paused and ended
    TABLE__RING = 64,                      // outputs that wait for the disk
    TABLE__AUDIENCES = GAME_SEATS_MAX + 1, // seats, then the public
    TABLE__IN_A_ROW = 64,                  // actions one board may explain, one after the other
    TABLE__DECLARED = 64,                  // actions posted within a step of the dark
    TABLE__DECLARED_EACH = 4,              // of them by one seat
    TABLE__MAPPED = 8,                     // places one pad serves
    TABLE__CLOSE_MS = 300,                 // hands close before the end of a step
    TABLE__CLOSE_RECORDS = 40,             // of a step of the dark at most
    TABLE__GRID_MS = 250,
    TABLE__MIN_LEFT_MS = 10000, // what a restart leaves of a limit at least
    TABLE__SPREAD_MS = 3000,    // U7
    TABLE__LEEWAY_US = 20000,   // a boundary this late is on time
};
#define TABLE__NONE UINT32_MAX // no entry; as an enumerator it would not fit

// ---- records as both positions fold them
enum table__cause {
    TABLE__TAP,
    TABLE__REST,
    TABLE__MQTT,
    TABLE__LOCAL,
    TABLE__TIMER,
    TABLE__CHANCE,
    TABLE__HOST,
    TABLE__BOT,
    TABLE__CAUSES
};
enum {
    TABLE__LATE = 1,
    TABLE__EARLY = 2,
    TABLE__SLIP = 4,
    TABLE__WAS_DECLARED = 8,
    TABLE__CARRIED = 16,
    TABLE__ACTS = 32
};
enum table__pause {
    TABLE__BY_HOST,
    TABLE__BY_READER,
    TABLE__BY_SPILL,
    TABLE__BY_DISK,
    TABLE__BY_RESTART,
    TABLE__PAUSES
};

struct table__entry {
    uint64_t n;           // of the journal
    uint32_t prev;        // the entry this one stands on; TABLE__NONE = the start
    uint8_t kind;         // enum journal_kind
    int16_t by;           // ACTS
    uint8_t cause, flags; // TABLE__ACTS: `action` is applied
    uint16_t step;        // STEP: the step that begins, as announced; PAUSE: its reason
    uint16_t missed;      // STEP: seats whose mandatory action did not come
    uint32_t back;        // UNDO: the entry whose position returns
    int64_t mono_us, wall_us;
    game_action action; // PAUSE: microseconds left of the limit; UNDO: the entry taken back
};

struct table__position {
    uint32_t index, head; // folded up to here; the entry whose path makes the state. TABLE__NONE: the start
    struct game_phase phase;
    bool dark, paused, ended;  // ended: by the host, before the rules did
    uint8_t reason;            // enum table__pause
    uint16_t step;             // of the dark, as announced
    uint32_t phase_n;          // public phase messages
    int64_t from_us, clock_us; // since when the phase, and its limit, run (monotonic)
    int64_t left_us;           // paused: what is left of the limit
    int64_t deadline_us;       // as told; 0 = none
    uint32_t limit_ms;         // as told
    unsigned char *state;
};

// ---- a game being played
struct table__game {
    const struct game *game;
    struct game_setup setup;
    struct game_places places;
    struct game_words words;
    struct game_issues issues;
    char id[17];
    uint64_t seed;
    struct rng rng;
    int64_t started_us; // wall
    bool from_readers;  // physical chance is dealt by hand
    uint16_t bots;      // seats that the computer plays
    char preset[33];

    struct table__entry *entry;
    uint32_t n_entries, cap_entries;
    uint64_t start_n; // number of the start record
    struct table__position ahead, announced;
    unsigned char *scratch, *copy; // further states
    uint32_t *path;                // as long as `entry`

    // Which pads serve a place and which places a pad.
    uint16_t pad_place[BOARD_PADS_MAX][TABLE__MAPPED];
    uint8_t pad_places[BOARD_PADS_MAX];
    uint8_t sensed[GAME_PLACES_MAX]; // number of tile pads
    uint16_t slot_piece[GAME_SLOTS_MAX];
    uint16_t piece_slot[PIECES_MAX]; // GAME_NONE = none

    uint64_t bound[GAME_SLOTS_MAX / 64]; // slots whose binding is on record
    unsigned unbound;                    // slots whose binding is not yet

    struct hands_track track;
    struct hands before; // when following began

    struct game_script script; // of the running dark, scaled
    unsigned char *frozen;     // the state all views of the dark are made from
    uint8_t frozen_level[GAME_PLACES_MAX];

    struct observe_choice choice;
    struct verdict_action choice_action[VERDICT_CANDIDATES_MAX];
    struct observe_story *story;
    char (*story_step)[12];
    uint16_t n_story;
};

// ---- what waits for the disk
struct table__reply {
    door_reply_fn *fn;
    void *ctx;
    int audience;
    bool issues; // of the game that starts
};
struct table__out {
    struct table__game *game;
    uint64_t n;     // of the record it waits for
    uint32_t index; // the entry to fold up to; TABLE__NONE: only an event
    int64_t not_before_us;
    bool starts; // the start of a game
    bool quiet;  // folds, or is shown, and says nothing
    enum observe_event_type event;
    int8_t seat;
    char reason[96], code[33], text[160], by[33];
    struct observe_violation violation;
    uint8_t n_repairs;
    struct observe_repair repairs[OBSERVE_REPAIRS_MAX];
    struct game_notes notes;
    struct table__reply reply;
};

struct table__audience {
    uint64_t version, seq;
    uint64_t part[6];
};

struct table__nag { // what is said again after a while
    int64_t at_us;
    uint8_t times;
};

// Whom views and events go to at this point of a moment. Each audience keeps its order: view, event,
// narration.
enum table__hears { TABLE__ALL, TABLE__PUBLIC, TABLE__SEATS };
static inline int table__first(enum table__hears hears) {
    return hears == TABLE__SEATS ? 0 : OBSERVE_PUBLIC;
}
// Behind the last, of so many seats.
static inline int table__last(enum table__hears hears, int seats) {
    return hears == TABLE__PUBLIC ? 0 : seats;
}

struct table {
    struct door *door;
    struct loop *loop;
    struct table_options options;
    struct table_map *maps;
    struct board *board;
    struct rng ids;
    struct table__game *game, *shown; // equal but while a start waits for the disk
    struct referee *referee;

    uint64_t n, durable_n;   // last record appended, last on disk
    struct table__out *ring; // TABLE__RING of them, made with the first game

    struct table__audience audience[TABLE__AUDIENCES];
    enum table__hears hears;
    uint64_t shown_levels; // of the last view: what else it is made of changes with an output
    struct observe_readers readers;
    struct table__reader {                            // as it is; `readers` is what was told
        char name[33], driver[33], why[96], told[96]; // told: `why` as it was told
        int64_t since_us;                             // wall
        bool up, was_up, lost;                        // lost: as told
    } * reader_now;                                   // one for each of `readers`

    // Hands.
    struct loop_call judge_call;
    struct loop_timer judge_timer, limit_timer, close_timer, boundary_timer, full_timer;
    int64_t judge_at_us;
    struct table__nag nag, prompt_nag;
    struct observe_violation *live, *violation; // as it is; as it was told. OBSERVE_VIOLATIONS_MAX each
    struct observe_repair *prompt;              // OBSERVE_REPAIRS_MAX
    uint64_t forgiven[GAME_PLACES_MAX / 64];    // places whose state a host let pass until they change
    int64_t removals_us[3];
    int64_t *trouble_us; // for each pad: since when it holds more than it can read; 0 = it does not
    int64_t prompted_us; // the board a spill was last prompted for
    int64_t partial_us;

    // Dark.
    int64_t step_us;        // when the announced step began
    uint64_t close_n;       // last record of the last step that was closed
    unsigned close_records; // how many it made
    struct table__declared {
        int by;
        game_action action;
    } declared[TABLE__DECLARED];

    struct table__thought *thought; // of seats that the computer plays; NULL until one does
    struct loop_call think_call;
    struct loop_timer think_timer;

    struct observe_choice *veiled;         // an open choice as those see it who may not know its options
    struct observe_narration *last;        // for `repeat`
    uint64_t records, actions, violations; // counted as they are told; of the dark nothing, ever

    // Counts and flags.
    unsigned ring_first, ring_n;
    uint32_t next_id; // of violations and choices
    unsigned chosen;  // the option that plus and minus have walked to
    game_place removal_place[3];
    uint16_t removal_piece[3];
    uint16_t held;   // seats of the step before that may still land (late)
    uint16_t guests; // those among them whom this step does not call
    uint8_t n_live, n_violations, n_prompts;
    uint8_t n_options;
    uint8_t n_declared;
    bool storage_failed;
    bool releasing;
    bool readers_dirty;
    bool waived;                // a host goes on although a reader is away
    bool dirty, judging, retry; // retry: an action found no room; look again when the disk has caught up
    bool follow;
    bool choice_open, choice_shown;
    bool waiting; // partial since partial_us
    bool closed;  // hands of this step are judged, its boundary is to come
    bool repeats; // the step being announced has begun before (U4)
};

enum { TABLE__SINKS = 8 };
struct table__antenna {
    char reader[BOARD_NAME_MAX];
    uint16_t antenna, table, pad;
};
struct table__numbers { // of one reader; door_numbers.c
    struct observe_reader_numbers told;
    uint16_t *tables; // that it serves
    size_t n_tables;
    int64_t free_us;   // nothing is counted before
    int64_t window_us; // of the rate; 0 = none has begun
    uint64_t window_scans;
};
struct table__page { // a view handed out, valid for this turn
    struct table__page *next;
    struct observation view;
};
struct door {
    struct loop *loop;
    struct pieces *pieces;
    struct journal *journal;
    struct worker *worker;
    struct worker *thinker; // made with the first game that a bot plays in
    const struct bot *(*bot)(const char *game);
    char *house_path, *journal_path, *games_json;
    uint64_t boot;
    size_t n_tables, n_antennas, n_sinks;
    struct table *tables;
    struct door__named {
        const char *name;
        struct table *table;
    } * by_name;                     // sorted
    struct table__antenna *antennas; // sorted
    size_t n_numbers;
    struct table__numbers *numbers; // sorted
    struct observe_reader_numbers *told_numbers;
    uint16_t *reader_tables;
    struct observe_sink sinks[TABLE__SINKS];
    bool storage_ok;
    int64_t wall_offset_us; // wall = monotonic + this; set anew when the wall clock jumps
    struct loop_call turn;
    struct table__page *pages, *used;
    struct observation view; // what sinks are shown
    game_action legal[GAME_ACTIONS_MAX];
    char body[JOURNAL_BODY_MAX];
    void (*again)(void *ctx, const char *reader, uint16_t antenna);
    void *again_ctx;
    struct door__enrol *enrol;
    bool (*inspect)(void *ctx, const char *reader, uint16_t antenna, bool on);
    void *inspect_ctx;
};

// ---- door_enrol.c: what the board says while somebody enrols a piece at this table
void door__enrol_placed(struct table *t, uint16_t pad, uint16_t piece);
void door__enrol_notice(struct table *t, uint16_t pad, enum board_notice notice);

// ---- door_numbers.c
enum error_code door__numbers_create(struct door *door, struct error *err);
void door__numbers_destroy(struct door *door);
void door__numbers_scan(struct door *door, const char *reader, enum pad_outcome outcome, uint64_t misses);

// ---- table.c
enum error_code table__create(struct door *door, struct table *t, const struct table_options *options,
                              struct error *err);
void table__finish(struct table *t);
// Looks at the board now; `later` after the callbacks of this turn.
void table__look(struct table *t);
void table__look_later(struct table *t);
void table__look_at(struct table *t, int64_t at_us); // again at this time, if not earlier
// Timers of the position ahead: the limit, or the dark.
void table__arm(struct table *t);
// The clock's own action enters now, as at the end of the limit; never in the dark.
enum error_code table__next(struct table *t, enum table__cause cause, struct table__reply reply,
                            struct error *err);
int64_t table__now(const struct table *t);
bool table__playing(const struct table *t); // a game is running and not over
bool table__dark(const struct table *t);

// ---- table_game.c
enum error_code table__game_create(struct table *t, const struct game *game, const struct game_setup *setup,
                                   struct table__game **ret, struct error *err);
void table__game_destroy(struct table__game *g);
// Ids of games from here on. With a seed they are the same in every run, and still no other table's and no
// earlier run's.
void table__begin_ids(struct table *t);
enum error_code table__start(struct table *t, const struct door_start *start, enum table__cause cause,
                             const char *by, struct table__reply reply, struct game_issues *issues,
                             struct error *err);
enum error_code table__start_preset(struct table *t, enum table__cause cause, const char *by,
                                    struct table__reply reply, struct game_issues *issues, struct error *err);

// What a start would say; nothing begins. *ret: the game as it would be, for the caller to destroy.
enum error_code table__check(struct table *t, const struct door_start *start, struct table__game **ret,
                             struct game_issues *issues, struct error *err);
// The game before once more: same set-up, a new seed.
enum error_code table__again(struct table *t, enum table__cause cause, struct table__reply reply,
                             struct error *err);

// ---- table_fold.c, table_records.c
int64_t table__left_us(const struct table__position *p, int64_t now_us); // of the limit
const char *table__cause_name(enum table__cause cause);
const char *table__pause_name(enum table__pause reason);
// Room for `records` more records and `outs` more outputs? A game that has all the records that are kept is
// ended by this, soon; _last is for what its end needs.
enum error_code table__room(struct table *t, unsigned records, unsigned outs, struct error *err);
enum error_code table__room_last(struct table *t, unsigned records, unsigned outs, struct error *err);
// Fills entry n and times, appends to the history and to the journal. The position ahead is the caller's.
enum error_code table__append(struct table *t, struct table__entry *entry, const char *by, const char *body,
                              bool more, struct error *err);
enum error_code table__keep(struct table__game *g, const struct table__entry *entry, struct error *err);
// A cleared output at the end of the ring; NULL = no room. A record's folds it, an event's only waits for it.
struct table__out *table__out(struct table *t, bool record);
void table__release(struct table *t);
void table__durable(struct table *t, uint64_t n);
// Outputs that will not be told any more: whoever waits for them is answered with the error.
void table__give_up_outs(struct table *t, const struct error *err);
void table__disk_failed(struct table *t);
enum error_code table__fold(struct table__game *g, struct table__position *p, uint32_t index,
                            struct error *err);
enum error_code table__refold(struct table__game *g, struct table__position *p, uint32_t head,
                              struct error *err);
void table__position_copy(struct table__game *g, struct table__position *to,
                          const struct table__position *from);
void table__position_start(struct table__game *g, struct table__position *p, int64_t mono_us);

// ---- table_act.c
struct table__act {
    int by;
    game_action action;
    enum table__cause cause;
    unsigned flags;
    enum journal_kind kind; // ACT or OVERRIDE
    const char *reason;
    struct table__reply reply;
};
enum error_code table__may_act(const struct table *t, enum journal_kind kind, struct error *err);
// The one door of open and sealed phases.
enum error_code table_act(struct table *t, const struct table__act *act, struct error *err);
// Chance that waits for nobody, then the dark if it begins, then timers.
void table__advance(struct table *t);
// Within the dark and for chance: applied, recorded, not yet told.
enum error_code table__act_silently(struct table *t, const struct table__act *act, bool more,
                                    struct error *err);
bool table__draw(struct table *t, bool more); // one act of chance by the generator
void table__answer(const struct table__reply *reply, struct table *t, const struct error *err);

// ---- table_hands.c
void table__map(struct table *t, struct table__game *g);
void table__hands_begin(struct table *t); // a game begins: everything on the pads counts as seen now
void table__hands_placed(struct table *t, uint16_t pad, uint16_t piece, uint8_t face, int64_t at_us,
                         int64_t since_us);
void table__hands_removed(struct table *t, uint16_t pad, uint16_t piece, int64_t at_us, int64_t since_us);
void table__hands_state(struct table *t, uint16_t pad);
void table__hands_control(struct table *t, uint16_t pad, enum control control, int64_t at_us);
void table__levels(const struct table *t, const struct table__game *g, uint8_t ret[GAME_PLACES_MAX]);
void table__hands_accept(struct table *t); // an action was accepted
uint8_t table__pad_level(const struct table *t, uint16_t pad);
// Records of pieces seen for the first time; in the dark only with the commit of a step.
enum error_code table__record_binds(struct table *t, bool more, struct error *err);
bool table__bind(struct table__game *g, uint16_t piece, game_slot slot);

// ---- table_open.c, table_wrong.c
void table__judge(struct table *t);
void table__follow(struct table *t); // hands may lag behind the state from now on
void table__follow_end(struct table *t);
void table__clear_violations(struct table *t);
// What ought to be raised now; what is live and not among it is cleared. One with the number of a live one
// is that one, as it is now.
struct table__want {
    unsigned n;
    struct observe_violation violation[OBSERVE_VIOLATIONS_MAX];
};
void table__want(struct table *t, struct table__want *want, const char *rule, const char *text,
                 const game_place *places, unsigned n, const struct verdict_repair *repairs,
                 unsigned n_repairs);
// What a broken rule is told as: the game's own sentence unless it could name what lies hidden.
const char *table__sentence(const struct table *t, const char *rule, const char *text);
void table__want_trouble(struct table *t, struct table__want *want);
void table__reconcile(struct table *t, struct table__want *want);
void table__repairs(struct table *t, const struct verdict_repair *repairs, unsigned n,
                    struct observe_repair *ret);
// quiet: it is shown, and not said.
void table__prompt(struct table *t, const struct verdict_repair *repairs, unsigned n, bool quiet);
void table__remind(struct table *t, const char *code, game_place place, const char *text);
// Adds the places where b demands other things than a, or anything.
void table__mark_changes(const struct game_layout *a, const struct game_layout *b,
                         uint64_t ret[GAME_PLACES_MAX / 64]);
// Places that some legal action changes or visits: a piece that leaves one of the others leaves unasked.
void table__moving(struct table *t, uint64_t ret[GAME_PLACES_MAX / 64]);
void table__removal(struct table *t, uint16_t piece, game_place place,
                    int64_t at_us);                        // counts towards a spill (U2)
void table__removal_over(struct table *t, uint16_t piece); // it lies elsewhere: it was pushed, not spilt
bool table__open(const struct table *t);                   // an open phase

// ---- table_missing.c
// Less lies there than the state asks for.
bool table__lacks(const struct table *t, game_place place, const struct game_layout *layout);
// Is this rule told of one place that something is gone from?
bool table__is_hole(const char *rule);
// Takes out of a plain verdict the places where nothing is wrong but that something is gone, with their
// repairs.
void table__take_holes(const struct table *t, struct verdict *v, struct verdict *ret);
void table__want_holes(struct table *t, const struct verdict *holes, struct table__want *want);
void table__keep_holes(struct table *t, const struct verdict *v, struct table__want *want);
// Pieces that have been away too long from places that no action changes (U3).
void table__want_missing(struct table *t, struct table__want *want);

// ---- table_choice.c
void table__choice_open(struct table *t, const struct verdict *verdict);
void table__choice_close(struct table *t);
bool table__choice_control(struct table *t, enum control control);
enum error_code table__choose(struct table *t, const struct door_who *who, uint32_t id, unsigned option,
                              enum table__cause cause, struct table__reply reply, struct error *err);

// ---- table_dark.c
enum error_code table__dark_begin(struct table *t,
                                  struct error *err); // the state ahead has entered a dark phase
void table__take_script(struct table *t, struct table__game *g, const struct table__position *p);
void table__dark_arm(struct table *t);
void table__dark_announced(struct table *t, int64_t at_us); // a step has been announced
void table__dark_declare(struct table *t, int by, game_action action);
void table__dark_restart(struct table *t); // resumed: the step again

// Records of the last step that are not on disk yet.
unsigned table__dark_pending(const struct table *t);

// ---- table_bot.c
enum error_code table__bots_begin(struct table *t,
                                  struct error *err); // memory and thread for a game with bots
void table__bots(struct table *t);      // asks a bot whose turn it is, after the callbacks of this turn
void table__bots_stop(struct table *t); // what is being thought of is forgotten

// ---- table_undo.c, table_pause.c
// A violation that a host lets pass until hands change its places (B071).
enum error_code table__forgive(struct table *t, const struct observe_violation *violation,
                               enum table__cause cause, const char *reason, struct table__reply reply,
                               struct error *err);
enum error_code table__undo(struct table *t, const struct door_who *who, const char *reason,
                            struct table__reply reply, struct error *err);
enum error_code table__pause(struct table *t, enum table__pause why, enum table__cause cause,
                             const char *text, struct table__reply reply, struct error *err);
enum error_code table__resume(struct table *t, enum table__cause cause, struct table__reply reply,
                              struct error *err);
enum error_code table__end(struct table *t, enum table__cause cause, const char *reason,
                           struct table__reply reply, struct error *err);
enum error_code table__end_full(struct table *t, struct error *err); // at any moment
void table__reader(struct table *t, const char *name, const char *driver, bool up, const char *why);
void table__readers_told(struct table *t, bool boundary);
bool table__readers_up(const struct table *t); // all that serve a place of this game

// ---- table_view.c, table_parts.c
enum observe_status table__status(const struct table *t); // as announced
// A view: first what all are shown alike, which stays in place for the next audience; then what one may see.
void table__view_shared(struct table *t, struct observation *ret);
void table__view_own(struct table *t, int audience, struct observation *ret);
void table__view(struct table *t, int audience, struct observation *ret);    // both
void table__put_setup(const struct table__game *g, struct observation *ret); // cards and options
void table__show(struct table *t);        // sends what changed to everybody who hears now
void table__show_levels(struct table *t); // the same, if what lies on pads is another than was shown last
void table__show_again(struct table *t, unsigned parts);               // these count as changed next time
void table__show_to(struct table *t, const struct observe_sink *sink); // everything, to one sink
bool table__sees_choice(const struct table *t, const struct table__game *g, int audience);
void table__action_words(const struct table__game *g, const void *state, int by, game_action action,
                         struct observe_action *ret);
int64_t table__wall(const struct table *t, int64_t mono_us);

// ---- table_say.c
// What an audience is told at this moment; events are in the order of the calls.
void table__tell(struct table *t, const struct observe_event *event);
// May everybody know what this action is, and not only that it was done?
bool table__is_public(const struct table__game *g, enum observe_veil veil, const struct game_act *act);
void table__tell_action(struct table *t, const struct table__game *g, const struct table__entry *entry,
                        const struct game_phase *before, const void *state_before);
void table__narrate(struct table *t, const struct game_notes *notes, const struct game_step *step,
                    int64_t starts_us);
void table__narrate_phase(struct table *t, const char *phase);
bool table__repeat(struct table *t); // false: nothing to say again, or not at this moment

// ---- table_story.c
void table__story(struct table *t, struct table__game *g);

// ---- table_restore.c
enum error_code table__restore(struct table *t, const char *path, struct error *err);

// ---- door.c, door_enrol.c
struct table *door__table(const struct door *door, const char *name); // NULL = none
struct observation *door__page(struct door *door); // valid until this turn of the loop ends; NULL: no memory
void door__enrol_stop(struct door *door);
