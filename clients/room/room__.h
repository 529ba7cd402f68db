// Shared by the files of room: the session, and the two sources that feed it.
#pragma once
#include "room.h"
#include "wire/topics.h"

enum { ROOM_MESSAGE_MAX = 1 << 20, ROOM_LIST_MAX = 1024 };

struct room__level {
    ProtobufCMessage *shown;   // what the client was told
    ProtobufCMessage *waiting; // of a boot that has not shown itself alive yet
};
struct room__live;
struct room__render;

struct room {
    struct loop *loop;
    struct room_options options;
    const struct room_calls *calls;
    void *ctx;
    struct room_status status;
    struct room__level level[TOPICS];
    uint64_t seq;      // of events and narrations, in this boot; 0 = none yet
    bool offset_known; // the daemon's wall clock to our monotonic one
    int64_t offset_us;
    struct loop_timer stale, orphans, former;
    char table_boot[33]; // whose word the table's status is
    struct room__live *live;
    struct room__render *render;
};

// ---- the session (room.c): what sources tell it
void room__connected(struct room *room, bool connected);
void room__daemon(struct room *room, const Tabled__V1__Status *status);
void room__table(struct room *room, const Tabled__V1__Status *status); // NULL = cleared
// Takes `message` over. `fresh`: it was sent now, not kept by the broker.
void room__message(struct room *room, enum topic topic, ProtobufCMessage *message, bool fresh);
void room__cleared(struct room *room, enum topic topic);
void room__end(struct room *room);
bool room__is_our_table(struct room *room, const char *table);  // the first one heard of becomes ours
const ProtobufCMessageDescriptor *room__type(enum topic topic); // NULL: no client listens to it

// ---- sources
enum error_code room__live_create(struct room *room, struct room__live **ret, struct error *err);
void room__live_destroy(struct room__live *live);
void room__live_fetch(struct room__live *live); // the broker tells all that is retained again
enum error_code room__render_create(struct room *room, struct room__render **ret, struct error *err);
void room__render_destroy(struct room__render *render);
