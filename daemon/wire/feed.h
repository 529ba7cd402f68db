// From observations to bytes: one encoding per audience and version, shared by all its receivers. The feed is
// the sink of the door; outlets (MQTT, SSE, REST, the replay's printer) get messages and keep them by
// reference.
#pragma once
#include "core/clock.h"
#include "core/error.h"
#include "engine/observe.h"
#include "wire/topics.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes with a count of users; never changed after they are made.
struct feed_bytes {
    unsigned refs;
    size_t len;
    uint8_t data[];
};
struct feed_bytes *feed_ref(struct feed_bytes *bytes);
void feed_unref(struct feed_bytes *bytes); // NULL allowed

struct feed_message {
    enum topic topic;
    const char *table;
    int audience;
    uint64_t seq; // event, narration: the audience's count; a view: its version
    int64_t at_us;
    struct feed_bytes *json,
        *pb; // pb NULL where the topic has no twin or the audience is a seat; borrowed: feed_ref to keep
};
// Order of one moment: changed parts of the view, event, narration.
struct feed_outlet {
    void (*message)(void *ctx, const struct feed_message *message);
    void *ctx;
};

struct feed;
enum error_code feed_create(uint64_t boot_id, const char *locale, struct feed **ret, struct error *err);
void feed_destroy(struct feed *feed); // NULL allowed
// Stamps views, narration and reader messages (events bring their own time); without one their `at` is null.
void feed_set_clock(struct feed *feed, const struct clock *clock);
const struct observe_sink *feed_sink(struct feed *feed); // to register at the door
void feed_add_outlet(struct feed *feed, const struct feed_outlet *outlet);
void feed_remove_outlet(struct feed *feed, const void *ctx); // before its owner dies

// The latest message of a topic for an audience, NULL = none yet; borrowed until the next turn.
const struct feed_message *feed_latest(struct feed *feed, const char *table, int audience, enum topic topic);
// The whole view as one JSON document (message View) with its ETag, `"boot-audience-version"`; cached per
// version. NULL if there is no such table or seat.
struct feed_bytes *feed_view(struct feed *feed, const char *table, int audience, char ret_etag[64]);
