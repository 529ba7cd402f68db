// A command over the broker of any topic, payload and correlation data: it reaches the door as an operator's
// or is answered below its sender's own topic. The first line is the topic below the site, the second the
// correlation data.
#include "net/mqtt_command.h"
#include "support/door_stub.c"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok) {
    if (!ok)
        abort();
}

static enum error_code ready(void *ctx, const char *table) {
    (void)ctx;
    return !strcmp(table, "main") ? ERROR_OK : !strcmp(table, "other") ? ERROR_NOT_NOW : ERROR_NOT_FOUND;
}

static void reply(void *ctx, const struct mqtt_command_reply *reply) {
    char topic[1100];
    (void)ctx;
    snprintf(topic, sizeof topic, "%s/cmd/%s/%s", reply->table, reply->user, reply->verb);
    must(strlen(reply->user) <= 32 && !strpbrk(reply->user, "/+#") &&
         reply->correlation_len <= MQTT_COMMAND_CORRELATION_MAX);
}

static int64_t now_us(void *ctx) {
    static int64_t now; // later each time: a flood has tests of its own
    (void)ctx;
    return now += 1000000;
}

// A line as a text of its own; what follows in *ret.
static char *line_of(const uint8_t *data, size_t size, size_t *ret) {
    const uint8_t *end = memchr(data, '\n', size);
    size_t len = end ? (size_t)(end - data) : size;
    char *line = malloc(len + 1);
    memcpy(line, data, len);
    line[len] = 0;
    *ret = end ? len + 1 : len;
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct mqtt_command_host host = {ready, reply, now_us};
    struct door *door = door_stub_create();
    door_stub_table(door, "main", 5);
    struct mqtt_commands *commands = mqtt_commands_create(door, &host, NULL);
    size_t used, more;
    char *topic = line_of(data, size, &used);
    char *correlation = line_of(data + used, size - used, &more);
    used += more;
    char *payload = malloc(size - used + 1); // its end is the end of memory
    memcpy(payload, data + used, size - used);
    const struct mqtt_incoming message = {.topic = topic,
                                          .payload = payload,
                                          .len = size - used,
                                          .retained = topic[0] == '!',
                                          .correlation = correlation[0] ? correlation : NULL,
                                          .correlation_len = strlen(correlation)};
    mqtt_commands_receive(commands, topic + (topic[0] == '!'), &message);
    if (door->n_requests)
        must(!message.retained && !strcmp(door->last.table, "main") && door->last.who.role == DOOR_OPERATOR);
    mqtt_commands_receive(commands, topic + (topic[0] == '!'),
                          &message); // once more: known by its correlation data
    mqtt_commands_destroy(commands);
    door_stub_destroy(door);
    free(payload);
    free(correlation);
    free(topic);
    return 0;
}
