// Commands over MQTT, {t}/cmd/{user}/{verb}: pause resume act choose, for operators the broker has let in.
// Retained ones are dropped (B090), those before a table is there get `not_now` (B091), repeated deliveries
// are known by user and correlation data (B092), and a user has as many as over REST: 60 at once, 20 a
// second. Answers go to {t}/reply/{user} and nowhere else.
#pragma once
#include "engine/door.h"
#include "net/mqtt_link.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MQTT_COMMAND_PAYLOAD_MAX = 16 * 1024, MQTT_COMMAND_CORRELATION_MAX = 64 };

struct mqtt_command_reply {
    const char *table, *user, *verb;
    const struct door_answer *answer;
    const void *correlation; // NULL = none
    size_t correlation_len;
};
struct mqtt_command_host {
    // OK once the table has announced a view; ERROR_NOT_NOW before; ERROR_NOT_FOUND for a table that is not
    // ours.
    enum error_code (*ready)(void *ctx, const char *table);
    void (*reply)(void *ctx, const struct mqtt_command_reply *reply);
    int64_t (*now_us)(void *ctx);
};

struct mqtt_commands;
struct mqtt_commands *mqtt_commands_create(struct door *door, const struct mqtt_command_host *calls,
                                           void *ctx);
// Answers that come later are dropped. NULL allowed.
void mqtt_commands_destroy(struct mqtt_commands *commands);
// `below` is the topic below the site: TABLE/cmd/USER/VERB.
void mqtt_commands_receive(struct mqtt_commands *commands, const char *below,
                           const struct mqtt_incoming *message);
