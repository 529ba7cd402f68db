// What every client of a table's public messages needs: options, the subscription, sessions told apart by
// their boot_id, gaps and staleness, the table's clock. With --render the lines of `tabled --replay
// --virtual-clock` take the place of the broker: same callbacks, the log's own time, faster than real.
#pragma once
#include "core/config.h"
#include "core/error.h"
#include "core/loop.h"
#include "public.pb-c.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct room;

struct room_status {
    bool connected;                   // to the broker
    Tabled__V1__State daemon;         // UNKNOWN until told; a late will of a former session is not told
    Tabled__V1__State table;          // of this table, from its own topic
    bool well;                        // connected, and both ready or degraded: what the levels say holds
    bool stale;                       // not well for longer than `stale_after`: show it
    int64_t since_us;                 // of `well`, monotonic
    char table_name[33], boot_id[33]; // "" = not known yet
};

// All on the loop; any may be NULL. Messages are borrowed until the callback returns. Each level is told when
// it changed, once: not again after a reconnect that brought the same. NULL = the level is gone.
struct room_calls {
    void (*status)(void *ctx, const struct room_status *status);
    void (*game)(void *ctx, const Tabled__V1__Game *game);
    void (*phase)(void *ctx, const Tabled__V1__Phase *phase);
    void (*board)(void *ctx, const Tabled__V1__Board *board);
    void (*seats)(void *ctx, const Tabled__V1__Seats *seats);
    void (*violations)(void *ctx, const Tabled__V1__Violations *violations);
    void (*result)(void *ctx, const Tabled__V1__Result *result);
    void (*event)(void *ctx, const Tabled__V1__Event *event);
    void (*narration)(void *ctx, const Tabled__V1__Narration *narration);
    void (*reset)(void *ctx);              // another boot: every level was forgotten; the new ones follow
    void (*missed)(void *ctx, uint64_t n); // n events or narrations never came; levels are fetched again
    void (*end)(void *ctx);                // --render: that was the last line; timers still run out
};

// The latest of each level, NULL = none; borrowed until the next turn of the loop.
struct room_levels {
    const Tabled__V1__Game *game;
    const Tabled__V1__Phase *phase;
    const Tabled__V1__Board *board;
    const Tabled__V1__Seats *seats;
    const Tabled__V1__Violations *violations;
    const Tabled__V1__Result *result;
};

enum { ROOM_NAME_MAX = 33, ROOM_LANGUAGE_MAX = 16 };
struct room_options {
    const char *client_id;
    bool render;
    const char *input;  // --render: path, NULL or "-" = standard input
    const char *output; // --render: path, NULL = the client's own default
    char site[ROOM_NAME_MAX];
    char table[ROOM_NAME_MAX];        // "" = the first table heard of
    char language[ROOM_LANGUAGE_MAX]; // "" = as the table speaks
    int64_t stale_after_ms;
    // The broker; strings are borrowed.
    const char *host, *socket, *username, *password, *tls_ca, *root;
    uint16_t port;
    int keepalive_s;
    int64_t retry_min_ms, retry_max_ms;
};

enum error_code room_create(struct loop *loop, const struct room_options *options,
                            const struct room_calls *calls, void *ctx, struct room **ret, struct error *err);
void room_destroy(struct room *room); // NULL allowed
const struct room_options *room_options(const struct room *room);
const struct room_status *room_status(const struct room *room);
struct room_levels room_levels(const struct room *room);
// When a moment of the daemon's wall clock is due on this loop's monotonic clock. The two machines' clocks
// need not agree: what counts is when messages stamped by the daemon came in. A set clock on either side is
// followed with the next message (B098). 0 = none.
int64_t room_due_us(const struct room *room, const Tabled__V1__Time *when);

// ---- programs

// A flag of a client's own: --NAME VALUE, or --NAME alone if it takes none ("" is stored).
struct room_flag {
    const char *name;       // NULL ends
    const char *value_name; // NULL = takes none
    const char *help;
    const char **ret;
};
struct room_program {
    const char *name, *summary;
    const struct config_schema *sections; // the client's own; ends with section NULL; NULL = none
    const struct room_flag *flags;        // NULL = none
    const struct room_calls *calls;
    // Before the room is there: checks the configuration, makes the client. `options` may be changed.
    enum error_code (*open)(struct loop *loop, const struct config *config, struct room_options *options,
                            void **ret_ctx, struct error *err);
    enum error_code (*start)(void *ctx, struct room *room, struct error *err); // NULL allowed
    // Called also after a failed open that had set *ret_ctx. Not OK = exit code 1.
    enum error_code (*close)(void *ctx, struct error *err);
};
// The whole of a client's main: --config --check-config --render[=FILE] --out --host --port --socket --user
// --password-file --site --table --lang --log-level --help --version, and its own flags. SIGTERM and SIGINT
// end it; systemd is told when it is ready. Exit codes as tabled(8): 0, 1 failed, 2 usage, 3 configuration.
int room_main(int argc, char **argv, const struct room_program *program);
