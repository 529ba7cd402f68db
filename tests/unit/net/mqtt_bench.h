// What the tests of MQTT share: a broker of their own, a loop on the real clock, a door without tables, and
// an ear that hears what the broker delivers. Nothing sleeps: `until` turns the loop until something is so.
#pragma once
#include "core/config.h"
#include "core/log.h"
#include "core/loop.h"
#include "net/mqtt.h"
#include "support/broker.c"
#include "support/door_stub.c"
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
// cmocka needs the three above
#include <cmocka.h>

enum { HEARD_MAX = 20000, LOG_MAX = 64 * 1024, PATIENCE_US = 20 * 1000000 };
struct heard {
    char *topic, *payload, *content;
    size_t len;
    bool retained;
    uint32_t expiry_s;
    char correlation[65];
};
struct ear {
    struct mosquitto *client;
    size_t n;
    bool subscribed;
    struct heard heard[HEARD_MAX];
};
struct bench {
    struct broker broker;
    struct loop *loop;
    struct door *door;
    struct feed *feed;
    struct config *config[8]; // a connection borrows its texts
    size_t n_configs;
    struct mqtt *mqtt;
    struct ear *ear;
    size_t log_len;
    char log[LOG_MAX];
};

static inline void bench_hear(struct mosquitto *client, void *ctx, const struct mosquitto_message *m,
                              const mosquitto_property *properties) {
    (void)client;
    struct ear *ear = ctx;
    assert_true(ear->n < HEARD_MAX);
    struct heard *h = &ear->heard[ear->n++];
    h->topic = strdup(m->topic);
    h->len = (size_t)m->payloadlen;
    h->payload = calloc(1, h->len + 1);
    if (h->len > 0)
        memcpy(h->payload, m->payload, h->len);
    h->retained = m->retain;
    mosquitto_property_read_string(properties, MQTT_PROP_CONTENT_TYPE, &h->content, false);
    mosquitto_property_read_int32(properties, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, &h->expiry_s, false);
    void *data = NULL;
    uint16_t len = 0;
    mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA, &data, &len, false);
    if (data != NULL)
        memcpy(h->correlation, data, len < 64 ? len : 64);
    free(data);
}

static inline void bench_subscribed(struct mosquitto *client, void *ctx, int mid, int n, const int *qos) {
    (void)client, (void)mid, (void)n, (void)qos;
    ((struct ear *)ctx)->subscribed = true;
}

// One turn of everything: the loop, then the ear.
static inline void bench_turn(struct bench *b) {
    loop_turn(b->loop, 1000);
    if (b->ear->client != NULL)
        mosquitto_loop(b->ear->client, 0, 1);
}

static inline bool bench_until(struct bench *b, bool (*so)(struct bench *b, const void *what),
                               const void *what) {
    int64_t end = clock_mono_us(clock_real()) + PATIENCE_US;
    while (!so(b, what)) {
        if (clock_mono_us(clock_real()) > end)
            return false;
        bench_turn(b);
    }
    return true;
}

static inline void bench_forget(struct bench *b) {
    for (size_t i = 0; i < b->ear->n; i++) {
        free(b->ear->heard[i].topic);
        free(b->ear->heard[i].payload);
        free(b->ear->heard[i].content);
    }
    memset(b->ear->heard, 0, b->ear->n * sizeof b->ear->heard[0]);
    b->ear->n = 0;
}

static inline void bench_hang_up(struct bench *b) {
    bench_forget(b);
    mosquitto_destroy(b->ear->client);
    b->ear->client = NULL;
    b->ear->subscribed = false;
}

static inline bool bench_is_subscribed(struct bench *b, const void *what) {
    (void)what;
    return b->ear->subscribed;
}

// A new ear on the broker; what is retained comes first.
static inline void bench_listen(struct bench *b, const char *filter) {
    if (b->ear->client != NULL)
        bench_hang_up(b);
    b->ear->client = mosquitto_new(NULL, true, b->ear);
    mosquitto_int_option(b->ear->client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(b->ear->client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_message_v5_callback_set(b->ear->client, bench_hear);
    mosquitto_subscribe_callback_set(b->ear->client, bench_subscribed);
    assert_int_equal(mosquitto_connect(b->ear->client, "127.0.0.1", b->broker.port, 60), 0);
    mosquitto_subscribe_v5(b->ear->client, NULL, filter, 1, 0, NULL);
    assert_true(bench_until(b, bench_is_subscribed, NULL));
}

// The latest message of a topic below tabled/v1/home/, NULL = none.
static inline struct heard *bench_latest(struct bench *b, const char *below) {
    for (size_t i = b->ear->n; i > 0; i--)
        if (strncmp(b->ear->heard[i - 1].topic, "tabled/v1/home/", 15) == 0 &&
            strcmp(b->ear->heard[i - 1].topic + 15, below) == 0)
            return &b->ear->heard[i - 1];
    return NULL;
}

struct said {
    const char *below, *text;
};
static inline bool bench_is_said(struct bench *b, const void *what) {
    const struct said *said = what;
    const struct heard *h = bench_latest(b, said->below);
    return h != NULL && strstr(h->payload, said->text) != NULL;
}
// Waits until the latest message of the topic has the text.
static inline void bench_expect(struct bench *b, const char *below, const char *text) {
    const struct said said = {below, text};
    if (bench_until(b, bench_is_said, &said))
        return;
    const struct heard *h = bench_latest(b, below);
    fail_msg("%s: wanted %s, got %s\nlog:\n%s", below, text, h != NULL ? h->payload : "nothing", b->log);
}

static inline bool bench_is_connected(struct bench *b, const void *what) {
    return mqtt_connected(b->mqtt) == (what != NULL);
}
static inline void bench_expect_connected(struct bench *b, bool yes) {
    if (!bench_until(b, bench_is_connected, yes ? b : NULL))
        fail_msg("not %s\nlog:\n%s", yes ? "connected" : "disconnected", b->log);
}

static inline bool bench_is_logged(struct bench *b, const void *what) {
    return strstr(b->log, what) != NULL;
}
static inline void bench_expect_log(struct bench *b, const char *text) {
    if (!bench_until(b, bench_is_logged, text))
        fail_msg("not in the log: %s\n%s", text, b->log);
}

static inline void bench_log(void *ctx, enum log_level level, const char *module, const char *line) {
    (void)level;
    struct bench *b = ctx;
    int n = snprintf(b->log + b->log_len, LOG_MAX - b->log_len, "%s: %s\n", module, line);
    if (n > 0 && b->log_len + (size_t)n < LOG_MAX)
        b->log_len += (size_t)n;
}

// The configuration with these lines in [mqtt].
static inline const struct config_section *bench_conf(struct bench *b, const char *lines) {
    static const struct config_schema schemas[] = {{"mqtt", false, NULL, mqtt_keys, false}, {0}};
    char path[96];
    struct error err = {0};
    snprintf(path, sizeof path, "%s/tabled.conf", b->broker.dir);
    FILE *file = fopen(path, "w");
    fprintf(file, "[mqtt]\n%s\n", lines);
    fclose(file);
    assert_true(b->n_configs < 8);
    if (config_load(path, schemas, &b->config[b->n_configs], &err) != ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    unlink(path);
    return config_find(b->config[b->n_configs++], "mqtt", "");
}

static inline struct mqtt *bench_mqtt(struct bench *b, const char *lines, uint64_t boot_id) {
    char all[512];
    struct mqtt *mqtt;
    struct error err = {0};
    snprintf(all, sizeof all, "host = 127.0.0.1\nport = %u\nretry_min = 20ms\nretry_max = 1s\n%s",
             b->broker.port, lines);
    if (mqtt_create(b->loop, bench_conf(b, all), "home", "1.2.3", boot_id, b->door, b->feed, &mqtt, &err) !=
        ERROR_OK)
        fail_msg("%s: %s", err.where, err.text);
    return mqtt;
}

static inline void bench_feed(struct bench *b) {
    assert_int_equal(feed_create(0xabcdef0123456789, "en", &b->feed, NULL), ERROR_OK);
    b->door->n_sinks = 0;
    door_add_sink(b->door, feed_sink(b->feed));
}

// A broker that runs, a door with the table `main` of three seats and one reader; nothing is connected yet.
static inline int bench_setup(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    b->ear = calloc(1, sizeof *b->ear);
    mosquitto_lib_init();
    log_set_sink(bench_log, b);
    broker_create(&b->broker);
    broker_start(&b->broker, NULL);
    assert_int_equal(loop_create(NULL, NULL, &b->loop, NULL), ERROR_OK);
    b->door = door_stub_create();
    door_stub_table(b->door, "main", 3);
    b->door->readers =
        (struct observe_readers){.n = 1, .reader = {{.name = "north", .driver = "sim", .up = true}}};
    bench_feed(b);
    *state = b;
    return 0;
}

static inline int bench_teardown(void **state) {
    struct bench *b = *state;
    mqtt_destroy(b->mqtt);
    bench_hang_up(b);
    feed_destroy(b->feed);
    door_stub_destroy(b->door);
    for (size_t i = 0; i < b->n_configs; i++)
        config_destroy(b->config[i]);
    loop_destroy(b->loop);
    broker_destroy(&b->broker);
    log_set_sink(NULL, NULL);
    mosquitto_lib_cleanup();
    free(b->ear);
    free(b);
    return 0;
}

static inline void bench_readers(struct bench *b) {
    const struct observe_sink *sink = feed_sink(b->feed);
    sink->readers(sink->ctx, "main", &b->door->readers);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, bench_setup, bench_teardown)
