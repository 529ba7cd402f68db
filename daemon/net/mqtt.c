#include "net/mqtt.h"
#include "core/json.h"
#include "core/log.h"
#include "net/mqtt_command.h"
#include "net/mqtt_conf.h"
#include "net/mqtt_info.h"
#include "net/mqtt_link.h"
#include "net/mqtt_outbox.h"
#include "public.pb-c.h"
#include "wire/pb_json.h"
#include <assert.h>
#include <mqtt_protocol.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Most messages handed to the library and not yet acknowledged: it keeps them without a bound of its own.
enum { WINDOW = 128, SECOND_US = 1000000, LINGER_US = 2 * SECOND_US, JSON_MAX = 16 * 1024 };
// Acknowledgements this slow, this often, with little else on the way, mean a peer without TCP_NODELAY: every
// second one of a pair waits for us.
enum { SLOW_US = 30000, SLOW_MANY = 6, SLOW_OF = 16, SLOW_WINDOW = 4 };

struct table {
    char name[33];
    Tabled__V1__State state;
    bool whole;       // all its readers are up, as last announced: in the dark they may know more
    int64_t since_us; // wall
    unsigned dirty;   // topics whose retained message has to be sent, a bit each
    bool listed;      // among the dirty ones; it may have been sent meanwhile
    struct table *next_dirty;
};
struct mqtt {
    struct loop *loop;
    struct door *door;
    struct feed *feed;
    struct mqtt_conf conf;
    char site[33], boot_id[17];
    const char *version;
    struct mqtt_link *link;
    struct mqtt_commands *commands;    // NULL: off
    const struct mqtt_driver *drivers; // NULL: no reader is on the network
    void *drivers_ctx;
    struct mqtt_discovery *discovery; // NULL: off
    char daemon_topic[TOPIC_TEXT_MAX], will[256];
    size_t below;         // length of "ROOT/SITE/"
    struct table *tables; // sorted by name
    size_t n_tables;
    struct table *dirty, **dirty_end;
    struct mqtt_outbox outbox;
    unsigned on_the_way; // publishes not yet acknowledged
    unsigned slow, measured;
    bool slow_said, leaving, storage_ok, pumping;
    Tabled__V1__State state; // of the daemon, as last published
    int64_t since_us;
    struct loop_timer second;
};

// ---- tables

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct table *)a)->name, ((const struct table *)b)->name);
}

static struct table *find_table(struct mqtt *m, const char *name) {
    size_t low = 0, high = m->n_tables;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strcmp(name, m->tables[mid].name);
        if (order == 0)
            return &m->tables[mid];
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

static void mark(struct mqtt *m, struct table *table, unsigned topics) {
    if (!table->listed && topics != 0) {
        table->listed = true;
        table->next_dirty = NULL;
        *m->dirty_end = table;
        m->dirty_end = &table->next_dirty;
    }
    table->dirty |= topics;
}

static void unmark_all(struct mqtt *m) {
    for (struct table *t = m->dirty; t != NULL; t = t->next_dirty) {
        t->dirty = 0;
        t->listed = false;
    }
    m->dirty = NULL;
    m->dirty_end = &m->dirty;
}

// The table that has waited longest to show something, NULL = none.
static struct table *first_dirty(struct mqtt *m) {
    while (m->dirty != NULL && m->dirty->dirty == 0) {
        m->dirty->listed = false;
        if ((m->dirty = m->dirty->next_dirty) == NULL)
            m->dirty_end = &m->dirty;
    }
    return m->dirty;
}

static int64_t wall(const struct mqtt *m) {
    return clock_wall_us(loop_clock(m->loop));
}

static Tabled__V1__State state_of(struct mqtt *m, const struct table *table) {
    if (m->leaving)
        return TABLED__V1__STATE__STATE_DISCONNECTED;
    if (feed_latest(m->feed, table->name, OBSERVE_PUBLIC, TOPIC_GAME) == NULL)
        return TABLED__V1__STATE__STATE_INIT;
    return table->whole && m->storage_ok ? TABLED__V1__STATE__STATE_READY : TABLED__V1__STATE__STATE_DEGRADED;
}

static void look_at_readers(struct mqtt *m, struct table *table) {
    const struct observe_readers *readers = door_readers(m->door, table->name);
    table->whole = true;
    for (unsigned i = 0; readers != NULL && i < readers->n; i++)
        table->whole = table->whole && readers->reader[i].up;
}

static void check_table(struct mqtt *m, struct table *table) {
    Tabled__V1__State state = state_of(m, table);
    if (state == table->state)
        return;
    table->state = state;
    table->since_us = wall(m);
    mark(m, table, 1u << TOPIC_STATUS);
}

static void check_all(struct mqtt *m) {
    struct door_health health = {0};
    door_health(m->door, &health);
    m->storage_ok = health.storage_ok;
    for (size_t i = 0; i < m->n_tables; i++)
        check_table(m, &m->tables[i]);
}

// ---- sending

static bool send(struct mqtt *m, const struct mqtt_outgoing *message, int *ret_mid) {
    m->on_the_way++; // before: a message that can never go is acknowledged from within
    if (mqtt_link_publish(m->link, message, ret_mid))
        return true;
    m->on_the_way--;
    return false;
}

static bool send_retained(struct mqtt *m, const char *topic, const void *bytes, size_t len,
                          enum mqtt_content content) {
    int mid;
    return send(m, &(struct mqtt_outgoing){topic, bytes, len, content, .retain = true}, &mid);
}

static bool send_daemon_status(struct mqtt *m) {
    char text[256];
    size_t len = mqtt_info_status(text, sizeof text, m->boot_id, m->version, m->state, m->since_us);
    return send_retained(m, m->daemon_topic, text, len, MQTT_JSON);
}

static bool send_topic(struct mqtt *m, struct table *table, enum topic topic) {
    char name[TOPIC_TEXT_MAX];
    topic_name(name, m->conf.root, m->site, table->name, topic, false);
    if (topic == TOPIC_STATUS || topic == TOPIC_INFO) {
        char text[JSON_MAX];
        size_t len =
            topic == TOPIC_STATUS
                ? mqtt_info_status(text, sizeof text, m->boot_id, m->version, table->state, table->since_us)
                : mqtt_info_table(text, sizeof text, m->boot_id, m->version, table->name);
        return send_retained(m, name, text, len, MQTT_JSON);
    }
    const struct feed_message *latest = feed_latest(m->feed, table->name, OBSERVE_PUBLIC, topic);
    if (latest == NULL)
        return true;
    if (!send_retained(m, name, latest->json->data, latest->json->len, MQTT_JSON))
        return false;
    if (latest->pb == NULL)
        return true;
    topic_name(name, m->conf.root, m->site, table->name, topic, true);
    return send_retained(m, name, latest->pb->data, latest->pb->len, MQTT_PROTOBUF);
}

static bool send_one(struct mqtt *m, struct table *table) {
    enum topic topic = (enum topic)__builtin_ctz(table->dirty);
    if (!send_topic(m, table, topic))
        return false;
    table->dirty &= ~(1u << topic);
    return true;
}

static bool send_entry(struct mqtt *m, struct mqtt_outbox_entry *entry, int64_t now_us) {
    uint32_t keep_s = topic_rows[entry->topic].expiry_s;
    int64_t age_s = (now_us - entry->at_us) / SECOND_US;
    for (int i = 0; i < 2; i++) {
        if (entry->bytes[i] == NULL)
            continue;
        char name[TOPIC_TEXT_MAX];
        topic_name(name, m->conf.root, m->site, entry->table, entry->topic, i == MQTT_PROTOBUF);
        const struct mqtt_outgoing out = {
            .topic = name,
            .payload = entry->bytes[i]->data,
            .len = entry->bytes[i]->len,
            .content = (enum mqtt_content)i,
            .expiry_s = age_s < keep_s ? keep_s - (uint32_t)age_s : 1,
        };
        if (!send(m, &out, &entry->mid[i]))
            return false;
    }
    return true;
}

// What its table shows, then the event; false: the window is full, or the connection is lost.
static bool send_after_state(struct mqtt *m, struct mqtt_outbox_entry *entry, int64_t now_us) {
    struct table *table = find_table(m, entry->table);
    while (table != NULL && table->dirty != 0)
        if (m->on_the_way >= WINDOW || !send_one(m, table))
            return false;
    if (m->on_the_way >= WINDOW || !send_entry(m, entry, now_us))
        return false;
    mqtt_outbox_sent(&m->outbox, now_us);
    return true;
}

// The next event behind the state of its own table, then one thing of whoever has waited longest: where many
// tables have much to tell, neither state nor event waits for ever.
static bool pump_once(struct mqtt *m, int64_t now_us) {
    struct mqtt_outbox_entry *entry = mqtt_outbox_next(&m->outbox);
    struct table *table = first_dirty(m);
    if ((entry == NULL && table == NULL) || (entry != NULL && !send_after_state(m, entry, now_us)))
        return false;
    return table == NULL || table->dirty == 0 || m->on_the_way >= WINDOW || send_one(m, table);
}

// As much as the window takes.
static void pump(struct mqtt *m) {
    if (m->pumping) // acknowledged from within
        return;
    m->pumping = true;
    int64_t now_us = loop_now_us(m->loop);
    while (mqtt_link_up(m->link) && m->on_the_way < WINDOW && pump_once(m, now_us))
        ;
    m->pumping = false;
}

static void on_feed(void *ctx, const struct feed_message *message) {
    struct mqtt *m = ctx;
    if (message->audience != OBSERVE_PUBLIC) // what a seat knows never goes to the broker
        return;
    struct table *table = find_table(m, message->table);
    if (table == NULL)
        return;
    if (topic_rows[message->topic].retained)
        mark(m, table, 1u << message->topic);
    else
        mqtt_outbox_push(&m->outbox, message, loop_now_us(m->loop));
    if (message->topic == TOPIC_READERS)
        look_at_readers(m, table);
    if (message->topic == TOPIC_READERS || table->state == TABLED__V1__STATE__STATE_INIT)
        check_table(m, table);
    pump(m);
    if (message->topic == TOPIC_EVENT)
        mqtt_link_flush(m->link); // the turn goes on with the seats' views
}

// ---- the connection's news

// A table that is no longer configured has its retained messages cleared: its `info` gives it away.
static void clear_table(struct mqtt *m, const char *name) {
    log_info("mqtt", "clearing what a former table left on the broker table=%s", name);
    for (int topic = 0; topic < TOPICS; topic++)
        for (int twin = 0; topic_rows[topic].retained && twin <= topic_rows[topic].twin; twin++) {
            char text[TOPIC_TEXT_MAX];
            topic_name(text, m->conf.root, m->site, name, (enum topic)topic, twin != 0);
            send_retained(m, text, "", 0, MQTT_JSON);
        }
}

static void mark_all(struct mqtt *m) {
    unsigned retained = 0;
    for (int topic = 0; topic < TOPICS; topic++)
        retained |= topic_rows[topic].retained ? 1u << topic : 0;
    for (size_t i = 0; i < m->n_tables; i++)
        mark(m, &m->tables[i], retained);
}

static void subscribe_drivers(struct mqtt *m) {
    char filter[TOPIC_TEXT_MAX];
    snprintf(filter, sizeof filter, "%s/%s/+/driver/#", m->conf.root, m->site);
    mqtt_link_subscribe(m->link, filter, MQTT_SUB_OPT_NO_LOCAL);
}

static void on_up(void *ctx) {
    struct mqtt *m = ctx;
    char filter[TOPIC_TEXT_MAX];
    m->on_the_way = 0;
    m->slow = m->measured = 0;
    unmark_all(m);
    check_all(m);
    send_daemon_status(m);
    mark_all(m);
    mqtt_outbox_expire(&m->outbox, loop_now_us(m->loop));
    mqtt_outbox_rewind(&m->outbox);
    snprintf(filter, sizeof filter, "%s/%s/+/info", m->conf.root, m->site);
    mqtt_link_subscribe(m->link, filter, MQTT_SUB_OPT_NO_LOCAL);
    if (m->commands != NULL) {
        snprintf(filter, sizeof filter, "%s/%s/+/cmd/+/+", m->conf.root, m->site);
        mqtt_link_subscribe(m->link, filter, MQTT_SUB_OPT_RETAIN_AS_PUBLISHED);
    }
    mqtt_discovery_up(m->discovery);
    if (m->drivers != NULL) {
        subscribe_drivers(m);
        m->drivers->link(m->drivers_ctx, true);
    }
    pump(m);
}

static void on_down(void *ctx) {
    struct mqtt *m = ctx;
    m->on_the_way = 0;
    if (m->drivers != NULL)
        m->drivers->link(m->drivers_ctx, false);
    unmark_all(m);
}

static void measure(struct mqtt *m, int64_t took_us) {
    if (m->slow_said || m->conf.socket != NULL)
        return;
    m->slow += took_us >= SLOW_US;
    if (++m->measured < SLOW_OF)
        return;
    m->slow_said = m->slow >= SLOW_MANY;
    m->slow = m->measured = 0;
    if (m->slow_said)
        log_warning("mqtt",
                    "acknowledgements take %lld ms: set `set_tcp_nodelay true` in the broker's configuration",
                    (long long)took_us / 1000);
}

static void on_acked(void *ctx, int mid, int reason) {
    struct mqtt *m = ctx;
    bool quiet = m->on_the_way <= SLOW_WINDOW && first_dirty(m) == NULL;
    if (m->on_the_way > 0)
        m->on_the_way--;
    if (reason >= 128)
        log_warning("mqtt", "the broker refused a message, reason %d: does its ACL let %s write below %s/%s?",
                    reason, m->conf.username != NULL ? m->conf.username : "us", m->conf.root, m->site);
    int64_t took_us = mqtt_outbox_acked(&m->outbox, mid, loop_now_us(m->loop));
    if (quiet && took_us >= 0)
        measure(m, took_us);
    pump(m);
}

// TABLE/driver/READER/CHANNEL...
static void hand_on(struct mqtt *m, const char *table, const char *rest,
                    const struct mqtt_incoming *message) {
    char reader[33];
    const char *channel = strchr(rest, '/');
    if (m->drivers == NULL || channel == NULL || (size_t)(channel - rest) >= sizeof reader)
        return;
    snprintf(reader, sizeof reader, "%.*s", (int)(channel - rest), rest);
    if (find_table(m, table) != NULL)
        m->drivers->bytes(m->drivers_ctx, table, reader, channel + 1, message->payload, message->len,
                          message->retained);
}

static void on_message(void *ctx, const struct mqtt_incoming *message) {
    struct mqtt *m = ctx;
    char own[TOPIC_TEXT_MAX];
    if (mqtt_discovery_receive(m->discovery, message))
        return;
    snprintf(own, sizeof own, "%s/%s/", m->conf.root, m->site);
    if (strncmp(message->topic, own, m->below) != 0)
        return;
    const char *below = message->topic + m->below;
    size_t name_len = strcspn(below, "/");
    if (strncmp(below + name_len, "/driver/", 8) == 0) {
        char name[33];
        snprintf(name, sizeof name, "%.*s", (int)(name_len < sizeof name ? name_len : 0), below);
        hand_on(m, name, below + name_len + 8, message);
        return;
    }
    if (strcmp(below + name_len, "/info") == 0) {
        char name[33];
        snprintf(name, sizeof name, "%.*s", (int)name_len, below);
        if (message->retained && message->len > 0 && name_len < sizeof name && config_name_ok(name) &&
            find_table(m, name) == NULL)
            clear_table(m, name);
        return;
    }
    if (m->commands != NULL)
        mqtt_commands_receive(m->commands, below, message);
}

static void on_second(void *ctx) {
    struct mqtt *m = ctx;
    loop_timer_start(m->loop, &m->second, loop_now_us(m->loop) + SECOND_US, on_second, m);
    mqtt_outbox_expire(&m->outbox, loop_now_us(m->loop));
    bool before = m->storage_ok;
    check_all(m);
    if (before != m->storage_ok) {
        m->state = m->storage_ok ? TABLED__V1__STATE__STATE_READY : TABLED__V1__STATE__STATE_DEGRADED;
        m->since_us = wall(m);
        if (mqtt_link_up(m->link))
            send_daemon_status(m);
    }
    pump(m);
}

// ---- commands

static enum error_code table_ready(void *ctx, const char *name) {
    struct mqtt *m = ctx;
    struct table *table = find_table(m, name);
    if (table == NULL)
        return ERROR_NOT_FOUND;
    return state_of(m, table) == TABLED__V1__STATE__STATE_INIT ? ERROR_NOT_NOW : ERROR_OK;
}

static void send_reply(void *ctx, const struct mqtt_command_reply *reply) {
    struct mqtt *m = ctx;
    char topic[TOPIC_TEXT_MAX], text[2048];
    size_t len = mqtt_info_reply(text, sizeof text, reply->verb, reply->answer);
    snprintf(topic, sizeof topic, "%s/%s/%s/reply/%s", m->conf.root, m->site, reply->table, reply->user);
    const struct mqtt_outgoing out = {
        .topic = topic,
        .payload = text,
        .len = len,
        .content = MQTT_JSON,
        .expiry_s = 60,
        .correlation = reply->correlation,
        .correlation_len = reply->correlation_len,
    };
    int mid;
    send(m, &out, &mid);
}

static int64_t command_now_us(void *ctx) {
    return loop_now_us(((struct mqtt *)ctx)->loop);
}

// ---- Home Assistant

static bool send_discovery(void *ctx, const char *topic, const char *payload, size_t len) {
    return send_retained(ctx, topic, payload, len, MQTT_JSON);
}

static bool subscribe_discovery(void *ctx, const char *filter) {
    struct mqtt *m = ctx;
    return mqtt_link_subscribe(m->link, filter, MQTT_SUB_OPT_NO_LOCAL | MQTT_SUB_OPT_RETAIN_AS_PUBLISHED);
}

static void say_all_again(void *ctx) {
    struct mqtt *m = ctx;
    mark_all(m);
    send_daemon_status(m);
    pump(m);
}

static struct mqtt_discovery *create_discovery(struct mqtt *m) {
    const struct mqtt_discovery_options options = {
        .loop = m->loop,
        .door = m->door,
        .mode = m->conf.discovery,
        .prefix = m->conf.discovery_prefix,
        .root = m->conf.root,
        .site = m->site,
        .version = m->version,
        .daemon_topic = m->daemon_topic,
        .send = send_discovery,
        .subscribe = subscribe_discovery,
        .again = say_all_again,
        .ctx = m,
    };
    return mqtt_discovery_create(&options);
}

// ---- life

static const struct mqtt_link_host link_calls = {on_up, on_down, on_acked, on_message};
static const struct mqtt_command_host command_calls = {table_ready, send_reply, command_now_us};

static void take_tables(struct mqtt *m) {
    m->n_tables = door_tables(m->door);
    m->tables = calloc(m->n_tables + 1, sizeof *m->tables);
    if (m->tables == NULL)
        log_no_memory("mqtt");
    for (size_t i = 0; i < m->n_tables; i++)
        snprintf(m->tables[i].name, sizeof m->tables[i].name, "%s", door_table(m->door, i));
    qsort(m->tables, m->n_tables, sizeof *m->tables, by_name);
}

enum error_code mqtt_create(struct loop *loop, const struct config_section *conf, const char *site,
                            const char *version, uint64_t boot_id, struct door *door, struct feed *feed,
                            struct mqtt **ret, struct error *err) {
    *ret = NULL;
    if (conf == NULL)
        return ERROR_OK;
    struct mqtt *m = calloc(1, sizeof *m);
    if (m == NULL)
        log_no_memory("mqtt");
    *m = (struct mqtt){.loop = loop, .door = door, .feed = feed, .version = version, .storage_ok = true};
    m->dirty_end = &m->dirty;
    m->state = TABLED__V1__STATE__STATE_READY;
    m->since_us = wall(m);
    snprintf(m->site, sizeof m->site, "%s", site);
    snprintf(m->boot_id, sizeof m->boot_id, "%016llx", (unsigned long long)boot_id);
    enum error_code code = mqtt_conf_read(conf, site, &m->conf, err);
    if (code != ERROR_OK) {
        mqtt_destroy(m);
        return code;
    }
    m->below = strlen(m->conf.root) + 1 + strlen(m->site) + 1;
    topic_daemon_status(m->daemon_topic, m->conf.root, m->site);
    mqtt_info_status(m->will, sizeof m->will, m->boot_id, m->version, TABLED__V1__STATE__STATE_LOST, 0);
    take_tables(m);
    for (size_t i = 0; i < m->n_tables; i++)
        look_at_readers(m, &m->tables[i]);
    check_all(m);
    if (m->conf.commands)
        m->commands = mqtt_commands_create(door, &command_calls, m);
    m->discovery = create_discovery(m);
    const struct feed_outlet outlet = {on_feed, m};
    feed_add_outlet(feed, &outlet);
    loop_timer_start(loop, &m->second, loop_now_us(loop) + SECOND_US, on_second, m);
    const struct mqtt_link_options options = {
        .loop = loop,
        .host = m->conf.host,
        .socket = m->conf.socket,
        .port = m->conf.port,
        .client_id = m->conf.client_id,
        .username = m->conf.username,
        .password = m->conf.password,
        .tls_ca = m->conf.tls_ca,
        .keepalive_s = m->conf.keepalive_s,
        .retry_min_ms = m->conf.retry_min_ms,
        .retry_max_ms = m->conf.retry_max_ms,
        .will_topic = m->daemon_topic,
        .will = m->will,
        .calls = &link_calls,
        .ctx = m,
    };
    code = mqtt_link_create(&options, &m->link, err);
    if (code != ERROR_OK)
        mqtt_destroy(m);
    else
        *ret = m;
    return code;
}

static bool all_said(void *ctx) {
    struct mqtt *m = ctx;
    pump(m);
    return first_dirty(m) == NULL && m->on_the_way == 0;
}

// The clean end leaves `disconnected`, retained: the will is only for the other end (B086).
static void say_goodbye(struct mqtt *m) {
    m->leaving = true;
    m->state = TABLED__V1__STATE__STATE_DISCONNECTED;
    m->since_us = wall(m);
    for (size_t i = 0; i < m->n_tables; i++)
        check_table(m, &m->tables[i]);
    send_daemon_status(m);
    mqtt_link_linger(m->link, LINGER_US, all_said, m);
}

void mqtt_destroy(struct mqtt *m) {
    if (m == NULL)
        return;
    feed_remove_outlet(m->feed, m);
    mqtt_commands_destroy(m->commands);
    m->commands = NULL;
    mqtt_discovery_destroy(m->discovery);
    m->discovery = NULL;
    if (mqtt_link_up(m->link))
        say_goodbye(m);
    mqtt_link_destroy(m->link);
    loop_timer_stop(m->loop, &m->second);
    mqtt_outbox_clear(&m->outbox);
    mqtt_conf_free(&m->conf);
    free(m->tables);
    free(m);
}

bool mqtt_connected(const struct mqtt *m) {
    return m != NULL && mqtt_link_up(m->link);
}

void mqtt_serve_drivers(struct mqtt *m, const struct mqtt_driver *calls, void *ctx) {
    if (m == NULL)
        return;
    m->drivers = calls;
    m->drivers_ctx = ctx;
    if (calls == NULL)
        return;
    if (mqtt_link_up(m->link))
        subscribe_drivers(m);
    calls->link(ctx, mqtt_link_up(m->link));
}
