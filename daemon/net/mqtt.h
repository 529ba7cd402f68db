// MQTT: one connection for all tables, libmosquitto's socket on the loop (perf-goals, Traps). Birth and will
// on the daemon's status, retained state, events kept until acknowledged (60 s, bounded), protobuf twins,
// reconnect with capped, jittered back-off. Without a broker the table plays on.
#pragma once
#include "core/config.h"
#include "core/error.h"
#include "core/loop.h"
#include "engine/door.h"
#include "wire/feed.h"

extern const struct config_key mqtt_keys[]; // section [mqtt]

struct mqtt;
// conf NULL: no [mqtt] section, nothing is connected (*ret = NULL). Starts connecting; never waits for the
// broker.
enum error_code mqtt_create(struct loop *loop, const struct config_section *conf, const char *site,
                            const char *version, uint64_t boot_id, struct door *door, struct feed *feed,
                            struct mqtt **ret, struct error *err);
// Publishes `disconnected` retained, waits at most 2 s for what is in flight, then frees. NULL allowed.
void mqtt_destroy(struct mqtt *mqtt);
// Readers on the network: what comes below TABLE/driver/READER/ is handed on unread, CHANNEL is the rest of
// its topic; late: it was retained. `link` tells whether the broker is connected, first at once. calls NULL:
// no more.
struct mqtt_driver {
    void (*bytes)(void *ctx, const char *table, const char *reader, const char *channel, const void *data,
                  size_t len, bool late);
    void (*link)(void *ctx, bool up);
};
void mqtt_serve_drivers(struct mqtt *mqtt, const struct mqtt_driver *calls, void *ctx); // mqtt NULL: nothing
bool mqtt_connected(const struct mqtt *mqtt);
