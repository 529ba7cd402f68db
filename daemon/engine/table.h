// A table: the only caller of game_act, the keeper of phases, clocks, violations, choices and undo. It runs
// ahead of the disk; what it announces, it makes from the last durable position (design 2, laws 1 to 3).
#pragma once
#include "board/board.h"
#include "engine/bot.h"
#include "engine/door.h"
#include "engine/game.h"
#include "engine/journal.h"

enum { TABLE_TABLES_MAX = 1024, TABLE_MAP_MAX = 1024, TABLE_RECORDS_MAX = 65536 };

struct table_timing { // evenings.md section 4, all configurable
    int32_t still_ms, still_stack_ms, wrong_ms, look_ms, reminder_ms, missing_ms, spill_ms, air_ms;
    int32_t night_scale_percent; // 100; children 150; tests and demo less, on the 250 ms grid
};
extern const struct table_timing table_timing_default;

struct table_map { // one pad of a line of [map TABLE/GAME]; game "" = every game; without a line a pad serves
                   // its own name
    char game[33], place[33], pad[33];
};
struct table_options {
    char name[33];
    struct board_pad_options *pads; // borrowed during create
    size_t n_pads;
    const struct table_map *maps; // borrowed during create
    size_t n_maps;
    struct table_timing timing;
    char preset_game[33], preset[33]; // what the control piece `start` starts
    unsigned preset_seats;
    char preset_cards[512], preset_options[512], preset_bots[96];
    char deck[33]; // pieces of this deck play here; "" = any
    char language[8];
    uint64_t seed; // 0 = from the kernel
    bool chance_from_readers;
    uint32_t records_max; // of one game; 0 = TABLE_RECORDS_MAX
};

// The house: tables, registry, journal, sinks. Tables are folded from the journal here and come back paused.
struct door_options {
    struct loop *loop;
    struct pieces *pieces;                 // owned by the caller, changed by enrolment
    const char *house_path, *journal_path; // house NULL: enrolment is not kept
    const struct table_options *tables;
    size_t n_tables;
    uint64_t boot;
    const struct bot *(*bot)(const char *game); // players for empty seats; NULL = any legal action
};
enum error_code door_create(const struct door_options *options, struct door **ret, struct error *err);
void door_destroy(struct door *door); // NULL allowed; what is queued becomes durable first

// From the readers, by way of the wiring: any reader of any table.
void door_scan(struct door *door, const char *reader, uint16_t antenna, enum pad_outcome outcome,
               const struct tag *tags, unsigned n_tags);
void door_reader(struct door *door, const char *reader, const char *driver, bool up, const char *why);
void door_fault(struct door *door, const char *reader, enum observe_fault fault);
// Called for each pad worth another look at once.
void door_on_again(struct door *door, void (*again)(void *ctx, const char *reader, uint16_t antenna),
                   void *ctx);
// What a reader found on a tag; forgotten at once unless an enrolment waits for it. The signature comes last.
void door_hint(struct door *door, const char *reader, uint16_t antenna, const struct tag *tag,
               const char *text);
void door_signature(struct door *door, const char *reader, uint16_t antenna, const struct tag *tag,
                    enum door_signature signature);
// Called for each antenna that an enrolment begins or ceases to wait at; true: this reader will tell.
void door_on_inspect(struct door *door,
                     bool (*inspect)(void *ctx, const char *reader, uint16_t antenna, bool on), void *ctx);
// The wall clock jumped: deadlines are sent again.
void door_clock_jumped(struct door *door);
