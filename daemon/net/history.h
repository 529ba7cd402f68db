// What was told of each game, kept for the timeline, the replay and the statistics: the public messages as
// they were sent, in STATE_DIR/history.db. Whoever asks gets nothing that was not public at that moment;
// games count when they are over. A copy of what the journal holds: it is written behind the play, by a
// worker, in groups of a quarter of a second, and a power cut may cost the last of them. A damaged file is
// put aside and begun anew.
#pragma once
#include "core/error.h"
#include "core/loop.h"
#include "engine/door.h"
#include "wire/feed.h"

enum {
    HISTORY_ENTRIES_MAX = 20000,  // of a game
    HISTORY_BYTES_MAX = 32 << 20, // of a game
    HISTORY_GAMES_MAX = 2000,
    HISTORY_PAGE_MAX = 200,       // entries or games of an answer
    HISTORY_PAGE_BYTES = 1 << 20, // a page ends when it is this long
};

struct history;
struct history_options {
    struct loop *loop;
    const char *state_dir; // NULL: kept nowhere
    struct door *door;     // told before the feed: this is created first
    struct feed *feed;
    unsigned games; // most games kept, 1..HISTORY_GAMES_MAX
};
enum error_code history_create(const struct history_options *options, struct history **ret,
                               struct error *err);
void history_destroy(struct history *history); // what waits is written first; NULL allowed

struct history_query {
    enum history_what {
        HISTORY_TIMELINE, // of `game`; "" = the running or last game of the table
        HISTORY_GAMES,    // of `table`, newest first
        HISTORY_GAME,     // Game and Result of `game`
        HISTORY_STATS,    // table, game "" = all
    } what;
    char table[33], game[33];
    uint64_t after; // cursor; 0 = from the beginning
    unsigned limit; // 1..HISTORY_PAGE_MAX
};
// JSON; text is malloc'd and becomes the callee's; NULL with err otherwise. Always called, on the loop.
typedef void history_reply_fn(void *ctx, char *text, size_t len, const struct error *err);
void history_ask(struct history *history, const struct history_query *query, history_reply_fn *reply,
                 void *ctx);
