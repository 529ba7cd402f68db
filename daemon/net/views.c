// What can be read. All of it is made from observations and health numbers; there is nothing else to reach.
#include "core/json.h"
#include "net/files.h"
#include "net/people.h"
#include "net/routes.h"
#include "net/sse.h"
#include "net/tls.h"
#include "net/views_readers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the public view: one response per version, shared by all its readers
// -------------------------------------------------

enum {
    VIEW_SLOTS = 128,
    TABLE_TEXT_MAX = 8192, // one table, were every character of its preset escaped
    METRICS_MAX = 4096
};

struct views {
    struct view_slot {
        struct feed_bytes *bytes; // held, so the address tells one version from another
        char etag[64];
        struct MHD_Response *full, *same; // 200 and 304
    } slot[VIEW_SLOTS];
};

struct views *views_create(void) {
    return calloc(1, sizeof(struct views));
}

static void slot_clear(struct view_slot *slot) {
    if (slot->full)
        MHD_destroy_response(slot->full);
    if (slot->same)
        MHD_destroy_response(slot->same);
    feed_unref(slot->bytes);
    memset(slot, 0, sizeof *slot);
}

void views_destroy(struct views *views) {
    if (!views)
        return;
    for (size_t i = 0; i < VIEW_SLOTS; i++)
        slot_clear(&views->slot[i]);
    free(views);
}

static bool slot_fill(struct view_slot *slot, struct feed_bytes *bytes, const char *etag) {
    slot_clear(slot);
    slot->bytes = feed_ref(bytes);
    snprintf(slot->etag, sizeof slot->etag, "%s", etag);
    slot->full = MHD_create_response_from_buffer(bytes->len, bytes->data, MHD_RESPMEM_PERSISTENT);
    slot->same = MHD_create_response_from_buffer(0, bytes->data, MHD_RESPMEM_PERSISTENT);
    if (!slot->full || !slot->same) {
        slot_clear(slot);
        return false;
    }
    answer_secure(slot->full, "application/json", "no-cache");
    answer_secure(slot->same, NULL, "no-cache");
    MHD_add_response_header(slot->full, "ETag", etag);
    MHD_add_response_header(slot->same, "ETag", etag);
    return true;
}

static unsigned slot_of(const char *table) {
    unsigned hash = 5381;
    for (; *table; table++)
        hash = hash * 33 + (unsigned char)*table;
    return hash % VIEW_SLOTS;
}

void get_table(struct request *request) {
    char etag[64];
    struct feed_bytes *bytes = feed_view(request->http->options.feed, request->table, OBSERVE_PUBLIC, etag);
    if (!bytes) {
        answer_no_table(request);
        return;
    }
    struct view_slot *slot = &request->http->views->slot[slot_of(request->table)];
    if (slot->bytes != bytes && !slot_fill(slot, bytes, etag)) {
        answer_code(request, ERROR_INTERNAL, "out of memory");
        return;
    }
    if (etag_listed(request->headers.if_none_match, slot->etag))
        answer_shared(request, 304, slot->same);
    else
        answer_shared(request, 200, slot->full);
}

// Another seat's view, a seat that does not play and no seat at all look the same.
void get_seat_view(struct request *request) {
    char etag[64];
    struct feed_bytes *bytes = NULL;
    if (request->who.role == DOOR_SEAT && request->number == request->who.seat)
        bytes = feed_view(request->http->options.feed, request->table, request->number, etag);
    if (bytes)
        answer_bytes(request, bytes, "no-store");
    else
        answer_error(request, &(struct error){.code = ERROR_NOT_FOUND});
}

static void answer_topic(struct request *request, enum topic topic, const char *empty) {
    if (!answer_table_known(request))
        return;
    const struct feed_message *message =
        feed_latest(request->http->options.feed, request->table, OBSERVE_PUBLIC, topic);
    if (message)
        answer_bytes(request, message->json, "no-store");
    else
        answer_json(request, 200, empty, strlen(empty));
}

void get_violations(struct request *request) {
    answer_topic(request, TOPIC_VIOLATION, "{\"violations\":[],\"choices\":[],\"prompt\":[]}");
}

// ---- the daemon

void get_root(struct request *request) {
    static const char text[] =
        "tabled: a game table that knows the rules\n"
        "\n"
        "/api/v1/info           what runs here\n"
        "/api/v1/openapi.json   every address and what it takes\n"
        "/api/v1/tables         the tables (with a token)\n"
        "\n"
        "Tokens are in tokens.json in the daemon's state folder; at the machine itself,\n"
        "`tablectl status` needs none.\n";
    if (!files_answer(request->http->files, request, "/"))
        answer_text(request, 200, request->route->type, text, sizeof text - 1);
}

void get_file(struct request *request) {
    if (!files_answer(request->http->files, request, request->path))
        answer_error(request, &(struct error){.code = ERROR_NOT_FOUND});
}

void get_healthz(struct request *request) {
    answer_text(request, 200, request->route->type, "ok\n", 3);
}

// Without a broker or a reader the table plays on, degraded; without a disk it does not.
void get_readyz(struct request *request) {
    struct door_health health = {0};
    door_health(request->http->options.door, &health);
    const struct mqtt *mqtt = request->http->options.mqtt;
    bool broker = !mqtt || mqtt_connected(mqtt), readers = health.readers_up == health.readers;
    char text[256];
    int n = snprintf(text, sizeof text,
                     "{\"status\":\"%s\",\"disk\":\"%s\",\"readers\":\"%s\",\"broker\":\"%s\"}",
                     !health.storage_ok  ? "failed"
                     : broker && readers ? "ready"
                                         : "degraded",
                     health.storage_ok ? "ok" : "failed", readers ? "ok" : "down",
                     !mqtt    ? "none"
                     : broker ? "ok"
                              : "away");
    answer_json(request, health.storage_ok ? 200 : 503, text, (size_t)n);
}

static void metric(char text[METRICS_MAX], const char *name, const char *type, const char *labels,
                   const char *help, uint64_t value) {
    size_t at = strlen(text);
    snprintf(text + at, METRICS_MAX - at, "# HELP tabled_%s %s\n# TYPE tabled_%s %s\ntabled_%s%s %llu\n",
             name, help, name, type, name, labels, (unsigned long long)value);
}

// No label names a seat, pad, card or tag; what a dark phase records is not counted.
void get_metrics(struct request *request) {
    struct http *http = request->http;
    struct door_health health = {0};
    door_health(http->options.door, &health);
    char text[METRICS_MAX] = "", version[64];
    snprintf(version, sizeof version, "{version=\"%s\"}", http->options.version);
    metric(text, "build_info", "gauge", version, "The version that runs", 1);
    metric(text, "tables", "gauge", "", "Tables served", door_tables(http->options.door));
    metric(text, "readers", "gauge", "", "Readers configured", health.readers);
    metric(text, "readers_up", "gauge", "", "Readers that answer", health.readers_up);
    metric(text, "storage_ok", "gauge", "", "1 while the disk takes records", health.storage_ok);
    metric(text, "records_total", "counter", "",
           "Journal records of open and sealed phases, but of pieces first seen", health.records);
    metric(text, "actions_total", "counter", "", "Actions of open and sealed phases", health.actions);
    metric(text, "violations_total", "counter", "", "Violations raised", health.violations);
    metric(text, "broker_connected", "gauge", "", "1 while the MQTT broker is connected",
           http->options.mqtt && mqtt_connected(http->options.mqtt));
    metric(text, "http_connections", "gauge", "", "Open HTTP connections of all but seats", http->told);
    metric(text, "http_streams", "gauge", "", "Open event streams of all but seats", sse_streams(http->sse));
    char *readers = views_readers_metrics(http->options.door), *all = NULL;
    int n = readers ? asprintf(&all, "%s%s", text, readers) : -1;
    if (n >= 0)
        answer_text(request, 200, "text/plain; version=0.0.4; charset=utf-8", all, (size_t)n);
    else
        answer_code(request, ERROR_INTERNAL, "out of memory");
    free(readers);
    if (n >= 0)
        free(all);
}

void get_info(struct request *request) {
    struct http *http = request->http;
    const struct http_options *options = &http->options;
    char text[1024], boot[17], ends[CLOCK_TEXT_MAX];
    clock_text(tls_ends_us(http->tls), ends);
    snprintf(boot, sizeof boot, "%016llx", (unsigned long long)options->boot_id);
    const char *const texts[][2] = {
        {"name", "tabled"},
        {"version", options->version},
        {"api", "v1"},
        {"boot_id", boot},
        {"auth", "bearer"},
        {"site", options->site},
        {"locale", options->locale},
        {"tls_fingerprint", tls_fingerprint(http->tls)},
    };
    const struct {
        const char *key;
        bool value;
    } flags[] = {
        {"claimed", auth_admins(http->auth) > 0},
        {"pairing_open", people_pairing(http->people) != NULL},
        {"insecure", http->insecure},
    };
    struct json j;
    json_begin(&j, text, sizeof text);
    json_begin_object(&j);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        answer_text_field(&j, texts[i][0], texts[i][1] ? texts[i][1] : "");
    json_key(&j, "tls_ends_at");
    json_text(&j, tls_ends_us(http->tls) ? ends : NULL);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        json_key(&j, flags[i].key);
        json_bool(&j, flags[i].value);
    }
    json_end_object(&j);
    json_end(&j);
    answer_json(request, 200, text, j.len);
}

void get_openapi(struct request *request) {
    struct http *http = request->http;
    if (!http->openapi) {
        size_t len;
        char *text = openapi_text(http->options.version, &len);
        if (text)
            http->openapi = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
        if (!http->openapi) {
            answer_code(request, ERROR_INTERNAL, "out of memory");
            return;
        }
        answer_secure(http->openapi, "application/json", "no-cache");
    }
    answer_shared(request, 200, http->openapi);
}

void get_games(struct request *request) {
    const char *text = door_games_json(request->http->options.door);
    answer_json(request, 200, text, strlen(text));
}

// What its control piece starts: where a set-up by other means begins, too.
static void preset_of(struct json *j, const struct door *door, const char *table) {
    struct door_preset preset;
    json_key(j, "preset");
    if (!door_preset(door, table, &preset)) {
        json_text(j, NULL);
        return;
    }
    const char *const texts[][2] = {{"game", preset.game},
                                    {"preset", preset.preset},
                                    {"roles", preset.cards},
                                    {"options", preset.options},
                                    {"bots", preset.bots}};
    json_begin_object(j);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        answer_text_field(j, texts[i][0], texts[i][1]);
    json_key(j, "seats");
    json_uint(j, preset.seats);
    json_end_object(j);
}

void get_tables(struct request *request) {
    static const char *const status[] = {"idle", "running", "ended"};
    struct door *door = request->http->options.door;
    size_t cap = (door_tables(door) + 1) * TABLE_TEXT_MAX;
    char *text = malloc(cap);
    struct json j;
    if (!text) {
        answer_code(request, ERROR_INTERNAL, "out of memory");
        return;
    }
    json_begin(&j, text, cap);
    json_begin_object(&j);
    json_key(&j, "tables");
    json_begin_array(&j);
    for (size_t i = 0; i < door_tables(door); i++) {
        const char *name = door_table(door, i);
        enum observe_status now;
        const char *game;
        if ((request->who.table[0] && strcmp(request->who.table, name) != 0) ||
            !door_status(door, name, &now, &game))
            continue;
        json_begin_object(&j);
        json_key(&j, "table");
        json_text(&j, name);
        json_key(&j, "status");
        json_text(&j, status[now]);
        json_key(&j, "game");
        json_text(&j, game ? game : "");
        preset_of(&j, door, name);
        json_end_object(&j);
    }
    json_end_array(&j);
    json_end_object(&j);
    if (json_end(&j))
        answer_json(request, 200, text, j.len);
    else
        answer_error(request, &(struct error){.code = ERROR_INTERNAL});
    free(text);
}
