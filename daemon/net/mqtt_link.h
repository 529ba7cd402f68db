// One connection to the broker at a time, kept alive: a fresh libmosquitto client for each, its socket on
// the loop, names resolved in a worker, back-off between attempts (perf-goals, Traps).
#pragma once
#include "core/error.h"
#include "core/loop.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Callbacks on the loop. `up`: the broker accepted us, nothing is published or subscribed yet. `acked`: the
// broker took a message (or refused it: reason >= 128). `message` comes from inside the library: it may
// publish, it may not destroy the link.
struct mqtt_incoming {
    const char *topic;
    const void *payload;
    size_t len;
    bool retained;
    const void *correlation; // correlation data, NULL = none
    size_t correlation_len;
};
struct mqtt_link_host {
    void (*up)(void *ctx);
    void (*down)(void *ctx);
    void (*acked)(void *ctx, int mid, int reason);
    void (*message)(void *ctx, const struct mqtt_incoming *message);
};

struct mqtt_link_options {
    struct loop *loop;
    const char *host, *socket; // socket: path of a Unix socket, wins over host and port; NULL = none
    uint16_t port;
    const char *client_id, *username, *password, *tls_ca; // NULL = none but for client_id
    int keepalive_s;
    int64_t retry_min_ms, retry_max_ms;
    const char *will_topic, *will; // JSON, retained; NULL = none
    const struct mqtt_link_host *calls;
    void *ctx;
};

struct mqtt_link;
// Strings are borrowed for the life of the link. Begins to connect at once.
enum error_code mqtt_link_create(const struct mqtt_link_options *options, struct mqtt_link **ret,
                                 struct error *err);
// Leaves with a clean DISCONNECT if connected. NULL allowed.
void mqtt_link_destroy(struct mqtt_link *link);
bool mqtt_link_up(const struct mqtt_link *link);

enum mqtt_content { MQTT_JSON, MQTT_PROTOBUF };
struct mqtt_outgoing {
    const char *topic;
    const void *payload;
    size_t len;
    enum mqtt_content content;
    bool retain;
    uint32_t expiry_s;       // 0 = none
    const void *correlation; // NULL = none
    size_t correlation_len;
};
// QoS 1. False: not connected, or the connection is about to be given up; nothing is queued anywhere then.
bool mqtt_link_publish(struct mqtt_link *link, const struct mqtt_outgoing *message, int *ret_mid);
// What was published goes out now, not only at the end of the turn.
void mqtt_link_flush(struct mqtt_link *link);
// Options of MQTT 5: see MQTT_SUB_OPT_*.
bool mqtt_link_subscribe(struct mqtt_link *link, const char *filter, int options);
// Serves this connection alone until `done` says so, it is lost, or the time is over. For the last words.
void mqtt_link_linger(struct mqtt_link *link, int64_t most_us, bool (*done)(void *ctx), void *ctx);
