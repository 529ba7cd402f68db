#include "net/mqtt_discovery.h"
#include "core/json.h"
#include "core/log.h"
#include "core/rng.h"
#include "wire/topics.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    JSON_MAX = 16 * 1024,    // what a broker of ours takes as one message
    READERS_SHOWN = 24,      // of a table: more would not fit into one document
    JITTER_US = 5 * 1000000, // all daemons of a house hear Home Assistant start at the same moment
    NODE_MAX = 7 + 33 + 1 + 33,
};

struct mqtt_discovery {
    struct mqtt_discovery_options o;
    char birth[80];
    struct loop_timer timer;
};

// What Home Assistant shows of a table. The value is taken from a public message by a template.
static const struct entity {
    const char *platform, *object, *name;
    enum topic topic;
    const char *value;
    const char *extra, *extra_value; // one more member; NULL = the types of events
} entities[] = {
    {"sensor", "game", "Game", TOPIC_GAME, "{{ value_json.title or 'none' }}", "ic", "mdi:cards"},
    {"sensor", "phase", "Phase", TOPIC_PHASE, "{{ value_json.id or 'none' }}", "ic", "mdi:theme-light-dark"},
    {"sensor", "round", "Round", TOPIC_PHASE, "{{ value_json.round }}", "ic", "mdi:counter"},
    {"sensor", "deadline", "Deadline", TOPIC_PHASE, "{{ value_json.deadline }}", "dev_cla", "timestamp"},
    {"binary_sensor", "paused", "Paused", TOPIC_PHASE, "{{ 'ON' if value_json.paused else 'OFF' }}", "ic",
     "mdi:pause"},
    {"binary_sensor", "violation", "Violation", TOPIC_VIOLATION,
     "{{ 'ON' if value_json.violations else 'OFF' }}", "dev_cla", "problem"},
    {"event", "event", "Event", TOPIC_EVENT, "{{ {'event_type': value_json.event} | tojson }}", NULL, NULL},
};
enum { ENTITIES = sizeof entities / sizeof *entities };

// ---- documents

static void text(struct json *j, const char *key, const char *value) {
    json_key(j, key);
    json_text(j, value);
}

static void node_of(const struct mqtt_discovery *d, const char *table, char ret[NODE_MAX]) {
    snprintf(ret, NODE_MAX, "tabled_%s_%s", d->o.site, table);
}

// Both must be well: a daemon that died leaves its tables' last words behind (B089).
static void write_availability(const struct mqtt_discovery *d, struct json *j, const char *table) {
    char topics[2][TOPIC_TEXT_MAX];
    snprintf(topics[0], sizeof topics[0], "%s", d->o.daemon_topic);
    topic_name(topics[1], d->o.root, d->o.site, table, TOPIC_STATUS, false);
    json_key(j, "avty");
    json_begin_array(j);
    for (int i = 0; i < 2; i++) {
        json_begin_object(j);
        text(j, "t", topics[i]);
        text(j, "val_tpl", "{{ 'online' if value_json.state in ('ready', 'degraded') else 'offline' }}");
        json_end_object(j);
    }
    json_end_array(j);
    text(j, "avty_mode", "all");
}

static void write_head(const struct mqtt_discovery *d, struct json *j, const char *table) {
    char node[NODE_MAX], name[80];
    node_of(d, table, node);
    snprintf(name, sizeof name, "Game table %s", table);
    json_key(j, "dev");
    json_begin_object(j);
    text(j, "ids", node);
    text(j, "name", name);
    text(j, "mf", "tabled");
    text(j, "mdl", "game table");
    text(j, "sw", d->o.version);
    json_end_object(j);
    json_key(j, "o");
    json_begin_object(j);
    text(j, "name", "tabled");
    text(j, "sw", d->o.version);
    json_end_object(j);
    write_availability(d, j, table);
}

static void write_common(const struct mqtt_discovery *d, struct json *j, const char *table, enum topic topic,
                         const char *object, const char *name, const char *value) {
    char node[NODE_MAX], unique[NODE_MAX + 48], state[TOPIC_TEXT_MAX];
    node_of(d, table, node);
    snprintf(unique, sizeof unique, "%s_%s", node, object);
    topic_name(state, d->o.root, d->o.site, table, topic, false);
    text(j, "uniq_id", unique);
    text(j, "name", name);
    text(j, "stat_t", state);
    text(j, "val_tpl", value);
}

static void write_entity(const struct mqtt_discovery *d, struct json *j, const char *table,
                         const struct entity *entity) {
    write_common(d, j, table, entity->topic, entity->object, entity->name, entity->value);
    if (entity->extra) {
        text(j, entity->extra, entity->extra_value);
    } else {
        json_key(j, "evt_typ");
        json_begin_array(j);
        for (int type = OBSERVE_EVENT_UNKNOWN + 1; type < OBSERVE_EVENT_TYPES; type++)
            json_text(j, observe_event_name((enum observe_event_type)type));
        json_end_array(j);
    }
}

static void write_reader(const struct mqtt_discovery *d, struct json *j, const char *table,
                         const char *reader) {
    char object[48], name[48], value[160];
    snprintf(object, sizeof object, "reader_%s", reader);
    snprintf(name, sizeof name, "Reader %s", reader);
    snprintf(
        value, sizeof value,
        "{{ 'ON' if value_json.readers|selectattr('name','eq','%s')|map(attribute='up')|first else 'OFF' }}",
        reader);
    write_common(d, j, table, TOPIC_READERS, object, name, value);
    text(j, "dev_cla", "connectivity");
    text(j, "ent_cat", "diagnostic");
}

// Entity i of a table: the fixed ones, then its readers. Writes its members and tells where it belongs;
// false: there are no more.
static bool write_part(const struct mqtt_discovery *d, struct json *j, const char *table, unsigned i,
                       const char **ret_platform, char ret_object[48]) {
    if (i < ENTITIES) {
        *ret_platform = entities[i].platform;
        snprintf(ret_object, 48, "%s", entities[i].object);
        if (j)
            write_entity(d, j, table, &entities[i]);
        return true;
    }
    const struct observe_readers *readers = door_readers(d->o.door, table);
    i -= ENTITIES;
    if (!readers || i >= readers->n || i >= READERS_SHOWN)
        return false;
    *ret_platform = "binary_sensor";
    snprintf(ret_object, 48, "reader_%s", readers->reader[i].name);
    if (j)
        write_reader(d, j, table, readers->reader[i].name);
    return true;
}

static void send_device(struct mqtt_discovery *d, const char *table) {
    char document[JSON_MAX], topic[TOPIC_TEXT_MAX], node[NODE_MAX], object[48];
    const char *platform;
    struct json j;
    json_begin(&j, document, sizeof document);
    json_begin_object(&j);
    write_head(d, &j, table);
    json_key(&j, "cmps");
    json_begin_object(&j);
    for (unsigned i = 0; write_part(d, NULL, table, i, &platform, object); i++) {
        json_key(&j, object);
        json_begin_object(&j);
        text(&j, "p", platform);
        write_part(d, &j, table, i, &platform, object);
        json_end_object(&j);
    }
    json_end_object(&j);
    json_end_object(&j);
    node_of(d, table, node);
    snprintf(topic, sizeof topic, "%s/device/%s/config", d->o.prefix, node);
    if (json_end(&j))
        d->o.send(d->o.ctx, topic, document, j.len);
    else
        log_warning("mqtt", "the discovery document is too long and was not sent table=%s", table);
}

static void send_components(struct mqtt_discovery *d, const char *table) {
    char document[4096], topic[TOPIC_TEXT_MAX + 64], node[NODE_MAX], object[48];
    const char *platform;
    node_of(d, table, node);
    for (unsigned i = 0; write_part(d, NULL, table, i, &platform, object); i++) {
        struct json j;
        json_begin(&j, document, sizeof document);
        json_begin_object(&j);
        write_head(d, &j, table);
        write_part(d, &j, table, i, &platform, object);
        json_end_object(&j);
        snprintf(topic, sizeof topic, "%s/%s/%s/%s/config", d->o.prefix, platform, node, object);
        if (json_end(&j))
            d->o.send(d->o.ctx, topic, document, j.len);
    }
}

static void send_all(struct mqtt_discovery *d) {
    for (size_t i = 0; i < door_tables(d->o.door); i++) {
        if (d->o.mode == MQTT_DISCOVERY_DEVICE)
            send_device(d, door_table(d->o.door, i));
        else if (d->o.mode == MQTT_DISCOVERY_COMPONENT)
            send_components(d, door_table(d->o.door, i));
    }
}

// ---- what is on the broker

// Whether a document of ours is one we would send now: PLATFORM/NODE/config or PLATFORM/NODE/OBJECT/config.
static bool is_current(const struct mqtt_discovery *d, const char *platform, const char *node,
                       const char *object) {
    for (size_t t = 0; t < door_tables(d->o.door); t++) {
        char own[NODE_MAX], name[48];
        const char *of;
        node_of(d, door_table(d->o.door, t), own);
        if (strcmp(own, node))
            continue;
        if (!object)
            return d->o.mode == MQTT_DISCOVERY_DEVICE && !strcmp(platform, "device");
        if (d->o.mode != MQTT_DISCOVERY_COMPONENT)
            return false;
        for (unsigned i = 0; write_part(d, NULL, door_table(d->o.door, t), i, &of, name); i++)
            if (!strcmp(of, platform) && !strcmp(name, object))
                return true;
    }
    return false;
}

static void look_at(struct mqtt_discovery *d, const char *topic, const char *below) {
    char copy[TOPIC_TEXT_MAX], mine[48];
    snprintf(copy, sizeof copy, "%s", below);
    char *save = NULL, *level[5] = {NULL};
    int n = 0;
    for (char *at = strtok_r(copy, "/", &save); at && n < 5; at = strtok_r(NULL, "/", &save))
        level[n++] = at;
    int mine_len = snprintf(mine, sizeof mine, "tabled_%s_", d->o.site);
    if (n < 3 || n > 4 || strcmp(level[n - 1], "config") || strncmp(level[1], mine, (size_t)mine_len))
        return;
    if (!is_current(d, level[0], level[1], n == 4 ? level[2] : NULL)) {
        log_info("mqtt", "taking back what Home Assistant was told of a former table topic=%s", topic);
        d->o.send(d->o.ctx, topic, "", 0);
    }
}

static void on_timer(void *ctx) {
    struct mqtt_discovery *d = ctx;
    send_all(d);
    d->o.again(d->o.ctx);
}

bool mqtt_discovery_receive(struct mqtt_discovery *d, const struct mqtt_incoming *message) {
    if (!d)
        return false;
    size_t len = strlen(d->o.prefix);
    if (!strcmp(message->topic, d->birth)) {
        if (message->len == 6 && !memcmp(message->payload, "online", 6) && !message->retained)
            loop_timer_start(d->o.loop, &d->timer,
                             loop_now_us(d->o.loop) + (int64_t)(rng_entropy() % JITTER_US), on_timer, d);
        return true;
    }
    if (strncmp(message->topic, d->o.prefix, len) || message->topic[len] != '/')
        return false;
    if (message->retained && message->len > 0 && strlen(message->topic) < TOPIC_TEXT_MAX)
        look_at(d, message->topic, message->topic + len + 1);
    return true;
}

void mqtt_discovery_up(struct mqtt_discovery *d) {
    char filter[96];
    if (!d)
        return;
    d->o.subscribe(d->o.ctx, d->birth);
    snprintf(filter, sizeof filter, "%s/device/+/config", d->o.prefix);
    d->o.subscribe(d->o.ctx, filter);
    snprintf(filter, sizeof filter, "%s/+/+/+/config", d->o.prefix);
    d->o.subscribe(d->o.ctx, filter);
    send_all(d);
}

struct mqtt_discovery *mqtt_discovery_create(const struct mqtt_discovery_options *options) {
    if (options->mode == MQTT_DISCOVERY_OFF)
        return NULL;
    struct mqtt_discovery *d = calloc(1, sizeof *d);
    if (!d)
        log_no_memory("mqtt");
    d->o = *options;
    snprintf(d->birth, sizeof d->birth, "%s/status", options->prefix);
    return d;
}

void mqtt_discovery_destroy(struct mqtt_discovery *d) {
    if (!d)
        return;
    loop_timer_stop(d->o.loop, &d->timer);
    free(d);
}
