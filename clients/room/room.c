// The session: which boot speaks, what it told, whether that still holds.
#include "core/log.h"
#include "room__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SECOND_US = 1000000,
    ORPHANS_US = 2 * SECOND_US,
    FORMER_US = 2 * SECOND_US,
    CLOCK_SET_US = SECOND_US / 2
};

#define TYPE(name) &tabled__v1__##name##__descriptor
static const ProtobufCMessageDescriptor *const types[TOPICS] = {
    [TOPIC_GAME] = TYPE(game),     [TOPIC_PHASE] = TYPE(phase),         [TOPIC_BOARD] = TYPE(board),
    [TOPIC_SEATS] = TYPE(seats),   [TOPIC_EVENT] = TYPE(event),         [TOPIC_VIOLATION] = TYPE(violations),
    [TOPIC_RESULT] = TYPE(result), [TOPIC_NARRATION] = TYPE(narration),
};

const ProtobufCMessageDescriptor *room__type(enum topic topic) {
    return types[topic];
}

static void drop(ProtobufCMessage **message) {
    if (*message)
        protobuf_c_message_free_unpacked(*message, NULL);
    *message = NULL;
}

// Every message of the schema that a topic carries begins with its header.
static const Tabled__V1__Header *header_of(const ProtobufCMessage *message) {
    static const Tabled__V1__Header none = TABLED__V1__HEADER__INIT;
    const Tabled__V1__Header *header = ((const Tabled__V1__Phase *)message)->header;
    return header ? header : &none;
}

// ---- telling the client

static void tell(struct room *room, enum topic topic, const ProtobufCMessage *message) {
    const struct room_calls *c = room->calls;
#define CASE(TOPIC, call, Type)                                                                              \
    case TOPIC_##TOPIC:                                                                                      \
        if (c->call)                                                                                         \
            c->call(room->ctx, (const Tabled__V1__##Type *)message);                                         \
        break;
    switch (topic) {
        CASE(GAME, game, Game)
        CASE(PHASE, phase, Phase)
        CASE(BOARD, board, Board)
        CASE(SEATS, seats, Seats)
        CASE(VIOLATION, violations, Violations)
        CASE(RESULT, result, Result)
        CASE(EVENT, event, Event)
        CASE(NARRATION, narration, Narration)
    default:
        break;
    }
#undef CASE
}

static bool good(Tabled__V1__State state) {
    return state == TABLED__V1__STATE__STATE_READY || state == TABLED__V1__STATE__STATE_DEGRADED;
}

static void tell_status(struct room *room) {
    if (room->calls->status)
        room->calls->status(room->ctx, &room->status);
}

static void became_stale(void *ctx) {
    struct room *room = ctx;
    room->status.stale = true;
    tell_status(room);
}

static void judge_status(struct room *room) {
    struct room_status *s = &room->status;
    bool well = s->connected && good(s->daemon) && good(s->table);
    if (well != s->well) {
        s->well = well;
        s->since_us = loop_now_us(room->loop);
        if (well) {
            loop_timer_stop(room->loop, &room->stale);
            s->stale = false;
        } else {
            loop_timer_start(room->loop, &room->stale, s->since_us + room->options.stale_after_ms * 1000,
                             became_stale, room);
        }
    }
    tell_status(room);
}

// ---- the boot

// The new daemon says nothing of this table: it has none of that name.
static void former_table(void *ctx) {
    struct room *room = ctx;
    room->status.table = TABLED__V1__STATE__STATE_UNKNOWN;
    judge_status(room);
}

static void adopt(struct room *room, const char *boot_id) {
    if (!*boot_id || !strcmp(room->status.boot_id, boot_id))
        return;
    bool had = *room->status.boot_id;
    snprintf(room->status.boot_id, sizeof room->status.boot_id, "%s", boot_id);
    room->seq = 0;
    room->offset_known = false;
    loop_timer_stop(room->loop, &room->orphans);
    loop_timer_stop(room->loop, &room->former);
    if (*room->table_boot && strcmp(room->table_boot, boot_id) != 0)
        loop_timer_start(room->loop, &room->former, loop_now_us(room->loop) + FORMER_US, former_table, room);
    for (int t = 0; t < TOPICS; t++)
        drop(&room->level[t].shown);
    if (had && room->calls->reset)
        room->calls->reset(room->ctx);
    for (int t = 0; t < TOPICS; t++) {
        struct room__level *level = &room->level[t];
        if (level->waiting && !strcmp(header_of(level->waiting)->boot_id, boot_id)) {
            level->shown = level->waiting;
            level->waiting = NULL;
            tell(room, (enum topic)t, level->shown);
        }
        drop(&level->waiting);
    }
}

// A broker where the daemon's status may not be read: what is retained speaks for itself, the newest first.
static void adopt_orphans(void *ctx) {
    struct room *room = ctx;
    const Tabled__V1__Header *newest = NULL;
    for (int t = 0; t < TOPICS; t++) {
        const Tabled__V1__Header *h = room->level[t].waiting ? header_of(room->level[t].waiting) : NULL;
        if (h && h->at && (!newest || h->at->unix_ms > newest->at->unix_ms))
            newest = h;
    }
    if (newest && !*room->status.boot_id) {
        char boot_id[sizeof room->status.boot_id];
        snprintf(boot_id, sizeof boot_id, "%s", newest->boot_id);
        adopt(room, boot_id);
        tell_status(room);
    }
}

void room__connected(struct room *room, bool connected) {
    room->status.connected = connected;
    if (connected && !*room->status.boot_id)
        loop_timer_start(room->loop, &room->orphans, loop_now_us(room->loop) + ORPHANS_US, adopt_orphans,
                         room);
    judge_status(room);
}

static bool is_last_word(Tabled__V1__State state) {
    return state == TABLED__V1__STATE__STATE_LOST || state == TABLED__V1__STATE__STATE_DISCONNECTED;
}

// A will that comes after the next birth is about a session that is over anyway (B085).
void room__daemon(struct room *room, const Tabled__V1__Status *status) {
    if (is_last_word(status->state) && *room->status.boot_id &&
        strcmp(room->status.boot_id, status->boot_id) != 0)
        return;
    if (!is_last_word(status->state) || !*room->status.boot_id)
        adopt(room, status->boot_id);
    room->status.daemon = status->state;
    judge_status(room);
}

void room__table(struct room *room, const Tabled__V1__Status *status) {
    if (status && is_last_word(status->state) && *room->status.boot_id &&
        strcmp(room->status.boot_id, status->boot_id) != 0)
        return;
    room->status.table = status ? status->state : TABLED__V1__STATE__STATE_UNKNOWN;
    snprintf(room->table_boot, sizeof room->table_boot, "%s", status ? status->boot_id : "");
    if (!strcmp(room->table_boot, room->status.boot_id))
        loop_timer_stop(room->loop, &room->former);
    judge_status(room);
}

// ---- the daemon's clock

// Microseconds of a time that can be one; 0 = none. What is beyond the year 9999 is somebody's mistake.
static int64_t wall_us(const Tabled__V1__Time *time) {
    static const uint64_t latest_ms = UINT64_C(253402300799999);
    return time && (uint64_t)time->unix_ms <= latest_ms ? (int64_t)time->unix_ms * 1000 : 0;
}

// The shortest way of a message so far is the truest; a step of either clock starts it anew.
static void learn_offset(struct room *room, const Tabled__V1__Header *header) {
    int64_t at_us = wall_us(header->at);
    if (!at_us)
        return;
    int64_t offset = loop_now_us(room->loop) - at_us;
    int64_t more = offset - room->offset_us;
    if (!room->offset_known || more < 0 || more > CLOCK_SET_US)
        room->offset_us = offset;
    room->offset_known = true;
}

int64_t room_due_us(const struct room *room, const Tabled__V1__Time *when) {
    int64_t at_us = wall_us(when);
    if (!at_us)
        return 0;
    if (room->offset_known)
        return at_us + room->offset_us;
    return loop_now_us(room->loop) + at_us - clock_wall_us(loop_clock(room->loop));
}

// ---- messages

// Events and narrations count together; QoS 1 may bring one twice (B092).
static bool take_seq(struct room *room, uint64_t seq) {
    if (room->seq && seq <= room->seq)
        return false;
    uint64_t gap = room->seq ? seq - room->seq - 1 : 0;
    room->seq = seq;
    if (!gap)
        return true;
    log_warning("room", "messages were lost, fetching all again n=%llu", (unsigned long long)gap);
    if (room->calls->missed)
        room->calls->missed(room->ctx, gap);
    if (room->live)
        room__live_fetch(room->live);
    return true;
}

static void take_level(struct room *room, enum topic topic, ProtobufCMessage *message) {
    struct room__level *level = &room->level[topic];
    if (level->shown && header_of(message)->seq <= header_of(level->shown)->seq) {
        drop(&message); // the same again, or older: in-flight messages are sent again after a reconnect
        return;
    }
    drop(&level->shown);
    level->shown = message;
    tell(room, topic, message);
}

void room__message(struct room *room, enum topic topic, ProtobufCMessage *message, bool fresh) {
    const Tabled__V1__Header *header = header_of(message);
    if (strcmp(header->boot_id, room->status.boot_id) != 0) {
        if (!fresh) { // a leftover, or its birth is still on its way
            drop(&room->level[topic].waiting);
            room->level[topic].waiting = message;
            return;
        }
        adopt(room, header->boot_id); // it speaks, so it lives, whatever an old will says
        room->status.daemon = TABLED__V1__STATE__STATE_READY;
        judge_status(room);
    }
    if (fresh)
        learn_offset(room, header);
    if (topic != TOPIC_EVENT && topic != TOPIC_NARRATION) {
        take_level(room, topic, message);
        return;
    }
    if (take_seq(room, header->seq))
        tell(room, topic, message);
    drop(&message);
}

void room__cleared(struct room *room, enum topic topic) {
    struct room__level *level = &room->level[topic];
    drop(&level->waiting);
    if (!level->shown)
        return;
    drop(&level->shown);
    tell(room, topic, NULL);
}

void room__end(struct room *room) {
    if (room->calls->end)
        room->calls->end(room->ctx);
}

bool room__is_our_table(struct room *room, const char *table) {
    char *ours = room->status.table_name;
    if (!*ours && strcmp(table, "daemon") != 0 && config_name_ok(table))
        snprintf(ours, sizeof room->status.table_name, "%s", table);
    return *ours && !strcmp(ours, table);
}

// ---- life

enum error_code room_create(struct loop *loop, const struct room_options *options,
                            const struct room_calls *calls, void *ctx, struct room **ret, struct error *err) {
    struct room *room = calloc(1, sizeof *room);
    if (!room)
        log_no_memory("room");
    *room = (struct room){.loop = loop, .options = *options, .calls = calls, .ctx = ctx};
    snprintf(room->status.table_name, sizeof room->status.table_name, "%s", options->table);
    room->status.since_us = loop_now_us(loop);
    enum error_code code = options->render ? room__render_create(room, &room->render, err)
                                           : room__live_create(room, &room->live, err);
    if (code) {
        room_destroy(room);
        return code;
    }
    if (options->render) {
        room->status.connected = room->status.well = true;
        room->status.daemon = room->status.table = TABLED__V1__STATE__STATE_READY;
    } else {
        loop_timer_start(loop, &room->stale, room->status.since_us + options->stale_after_ms * 1000,
                         became_stale, room);
    }
    *ret = room;
    return ERROR_OK;
}

void room_destroy(struct room *room) {
    if (!room)
        return;
    room__live_destroy(room->live);
    room__render_destroy(room->render);
    loop_timer_stop(room->loop, &room->stale);
    loop_timer_stop(room->loop, &room->orphans);
    loop_timer_stop(room->loop, &room->former);
    for (int t = 0; t < TOPICS; t++) {
        drop(&room->level[t].shown);
        drop(&room->level[t].waiting);
    }
    free(room);
}

const struct room_options *room_options(const struct room *room) {
    return &room->options;
}

const struct room_status *room_status(const struct room *room) {
    return &room->status;
}

struct room_levels room_levels(const struct room *room) {
    return (struct room_levels){
        .game = (const Tabled__V1__Game *)room->level[TOPIC_GAME].shown,
        .phase = (const Tabled__V1__Phase *)room->level[TOPIC_PHASE].shown,
        .board = (const Tabled__V1__Board *)room->level[TOPIC_BOARD].shown,
        .seats = (const Tabled__V1__Seats *)room->level[TOPIC_SEATS].shown,
        .violations = (const Tabled__V1__Violations *)room->level[TOPIC_VIOLATION].shown,
        .result = (const Tabled__V1__Result *)room->level[TOPIC_RESULT].shown,
    };
}
