// The broker as a source: public protobuf of one table, its status, the daemon's.
#include "core/log.h"
#include "net/mqtt_link.h"
#include "room__.h"
#include "wire/pb_json.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct room__live {
    struct room *room;
    struct mqtt_link *link;
    char prefix[TOPIC_TEXT_MAX]; // ROOT/SITE/
    struct loop_call fetch;
};

static bool subscribe(struct room__live *live) {
    char filter[TOPIC_TEXT_MAX + ROOM_NAME_MAX + 16];
    const char *table = *live->room->status.table_name ? live->room->status.table_name : "+";
    static const char *const format[] = {"%s%s/status", "%s%s/public-pb/#"};
    snprintf(filter, sizeof filter, "%sdaemon/status", live->prefix);
    bool ok = mqtt_link_subscribe(live->link, filter, 0);
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(filter, sizeof filter, format[i], live->prefix, table);
#pragma GCC diagnostic pop
        ok &= mqtt_link_subscribe(live->link, filter, 0);
    }
    return ok;
}

// Every connection is a new session at the broker, so every one subscribes (B083, B084).
static void up(void *ctx) {
    struct room__live *live = ctx;
    subscribe(live);
    room__connected(live->room, true);
}

static void down(void *ctx) {
    struct room__live *live = ctx;
    room__connected(live->room, false);
}

static void acked(void *ctx, int mid, int reason) {
    (void)ctx, (void)mid, (void)reason; // nothing is ever published
}

static void take_status(struct room__live *live, bool daemon, const struct mqtt_incoming *m) {
    ProtobufCMessage *status = NULL;
    struct error err;
    if (!m->len && !daemon)
        room__table(live->room, NULL);
    if (!m->len)
        return;
    if (pb_json_read(&tabled__v1__status__descriptor, m->payload, m->len, ROOM_LIST_MAX, &status, &err)) {
        log_warning("room", "%s: %s: %s", m->topic, err.where, err.text);
        return;
    }
    if (daemon)
        room__daemon(live->room, (const Tabled__V1__Status *)status);
    else
        room__table(live->room, (const Tabled__V1__Status *)status);
    protobuf_c_message_free_unpacked(status, NULL);
}

static void take_public(struct room__live *live, const char *level, const struct mqtt_incoming *m) {
    for (int t = 0; t < TOPICS; t++) {
        if (!room__type((enum topic)t) || strcmp(topic_rows[t].level, level) != 0)
            continue;
        if (!m->len) {
            room__cleared(live->room, (enum topic)t);
            return;
        }
        ProtobufCMessage *message =
            m->len <= ROOM_MESSAGE_MAX
                ? protobuf_c_message_unpack(room__type((enum topic)t), NULL, m->len, m->payload)
                : NULL;
        if (message)
            room__message(live->room, (enum topic)t, message, !m->retained);
        else
            log_warning("room", "a message cannot be read topic=%s bytes=%zu", m->topic, m->len);
        return;
    }
}

static void message(void *ctx, const struct mqtt_incoming *m) {
    struct room__live *live = ctx;
    size_t prefix = strlen(live->prefix);
    if (strncmp(m->topic, live->prefix, prefix) != 0)
        return;
    const char *table = m->topic + prefix, *rest = strchr(table, '/');
    char name[ROOM_NAME_MAX];
    if (!rest || (size_t)(rest - table) >= sizeof name)
        return;
    memcpy(name, table, (size_t)(rest - table));
    name[rest++ - table] = '\0';
    if (!strcmp(name, "daemon")) {
        if (!strcmp(rest, "status"))
            take_status(live, true, m);
    } else if (!m->len && strcmp(name, live->room->status.table_name) != 0) {
        return; // a table that is no more is none to follow
    } else if (room__is_our_table(live->room, name)) {
        if (!strcmp(rest, "status"))
            take_status(live, false, m);
        else if (!strncmp(rest, "public-pb/", 10))
            take_public(live, rest + 10, m);
    }
}

// Subscribing anew makes the broker send what it keeps.
static void fetch(void *ctx) {
    subscribe(ctx);
}

void room__live_fetch(struct room__live *live) {
    loop_defer(live->room->loop, &live->fetch, fetch, live);
}

static const struct mqtt_link_host calls = {up, down, acked, message};

enum error_code room__live_create(struct room *room, struct room__live **ret, struct error *err) {
    const struct room_options *o = &room->options;
    struct room__live *live = calloc(1, sizeof *live);
    if (!live)
        log_no_memory("room");
    live->room = room;
    snprintf(live->prefix, sizeof live->prefix, "%s/%s/", o->root, o->site);
    *ret = live;
    const struct mqtt_link_options link = {
        .loop = room->loop,
        .host = o->host,
        .socket = o->socket,
        .port = o->port,
        .client_id = o->client_id,
        .username = o->username,
        .password = o->password,
        .tls_ca = o->tls_ca,
        .keepalive_s = o->keepalive_s,
        .retry_min_ms = o->retry_min_ms,
        .retry_max_ms = o->retry_max_ms,
        .calls = &calls,
        .ctx = live,
    };
    return mqtt_link_create(&link, &live->link, err);
}

void room__live_destroy(struct room__live *live) {
    if (!live)
        return;
    loop_defer_cancel(live->room->loop, &live->fetch);
    mqtt_link_destroy(live->link);
    free(live);
}
