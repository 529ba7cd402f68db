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
bool mqtt_connected(const struct mqtt *mqtt);
