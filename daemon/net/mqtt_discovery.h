// Home Assistant finds the tables by itself: retained discovery documents below its own prefix, made of
// public topics alone. Sent again when Home Assistant starts (B088), taken back for what is no longer there
// (B094).
#pragma once
#include "core/loop.h"
#include "engine/door.h"
#include "net/mqtt_link.h"

enum mqtt_discovery_mode {
    MQTT_DISCOVERY_OFF,
    MQTT_DISCOVERY_DEVICE,    // one document a table
    MQTT_DISCOVERY_COMPONENT, // one an entity: for a Home Assistant older than 2024.11
    MQTT_DISCOVERY_CLEAR,     // none, and those of earlier runs are taken back
};
#define MQTT_DISCOVERY_WORDS "off device component clear"

struct mqtt_discovery_options {
    struct loop *loop;
    struct door *door;
    enum mqtt_discovery_mode mode;
    const char *prefix, *root, *site, *version, *daemon_topic;                   // borrowed
    bool (*send)(void *ctx, const char *topic, const char *payload, size_t len); // retained
    bool (*subscribe)(void *ctx, const char *filter);
    void (*again)(void *ctx); // all state of all tables is sent once more
    void *ctx;
};
struct mqtt_discovery;
struct mqtt_discovery *mqtt_discovery_create(const struct mqtt_discovery_options *options); // NULL: off
void mqtt_discovery_destroy(struct mqtt_discovery *discovery);                              // NULL allowed
void mqtt_discovery_up(struct mqtt_discovery *discovery); // connected; NULL allowed
// True: the message was for us. NULL allowed.
bool mqtt_discovery_receive(struct mqtt_discovery *discovery, const struct mqtt_incoming *message);
