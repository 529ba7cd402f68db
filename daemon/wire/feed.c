#include "wire/feed.h"
#include "core/log.h"
#include "wire/feed_build.h"
#include "wire/feed_bytes.h"
#include "wire/pb_json.h"
#include "wire/pb_pack.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AUDIENCES = OBSERVE_SEATS_MAX + 1, OUTLETS_MAX = 8, TABLE_SLOTS_MIN = 16, SCRATCH_MIN = 64 * 1024 };

struct audience {
    struct feed_message latest[TOPICS]; // json NULL = none yet
    struct feed_bytes *facts;           // a JSON list
    struct feed_bytes *view;            // NULL = not made for this version yet
    char etag[64];                      // of the view
    uint64_t version;
    int64_t at_us;
    char game_id[sizeof((struct observation *)0)->game_id];
};
struct table {
    char name[33];
    uint8_t seats;
    uint64_t readers_seq;
    struct audience *audience[AUDIENCES]; // [0] is the public
};
struct feed {
    char boot_id[17];
    char *locale;
    const struct clock *clock;
    struct observe_sink sink;
    struct feed_outlet outlet[OUTLETS_MAX];
    size_t n_outlets;
    struct table **slot; // open addressing by name; n_slots is a power of two
    size_t n_slots, n_tables;
    struct table *last; // most calls in a row are about one table
    struct feed_arena arena;
    struct feed_pool *pool;
    char *scratch;
    size_t scratch_cap;
};

// ---- tables

static size_t hash(const char *name) {
    uint64_t h = 14695981039346656037u;
    for (; *name != '\0'; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static struct table **slot_of(const struct feed *feed, const char *name) {
    size_t i = hash(name) & (feed->n_slots - 1);
    while (feed->slot[i] != NULL && strcmp(feed->slot[i]->name, name) != 0)
        i = (i + 1) & (feed->n_slots - 1);
    return &feed->slot[i];
}

static struct table *find_table(struct feed *feed, const char *name) {
    if (feed->last != NULL && strcmp(feed->last->name, name) == 0)
        return feed->last;
    struct table *table = *slot_of(feed, name);
    if (table != NULL)
        feed->last = table;
    return table;
}

static void *must(void *memory) {
    if (memory == NULL)
        log_no_memory("wire");
    return memory;
}

static void grow_slots(struct feed *feed) {
    struct table **old = feed->slot;
    size_t n_old = feed->n_slots;
    feed->n_slots = n_old > 0 ? n_old * 2 : TABLE_SLOTS_MIN;
    feed->slot = must(calloc(feed->n_slots, sizeof(struct table *)));
    for (size_t i = 0; i < n_old; i++)
        if (old[i] != NULL)
            *slot_of(feed, old[i]->name) = old[i];
    free(old);
}

static struct table *take_table(struct feed *feed, const char *name) {
    struct table *table = find_table(feed, name);
    if (table != NULL)
        return table;
    assert(strlen(name) < sizeof table->name);
    if (feed->n_tables * 2 >= feed->n_slots)
        grow_slots(feed);
    table = must(calloc(1, sizeof *table));
    snprintf(table->name, sizeof table->name, "%s", name);
    *slot_of(feed, name) = table;
    feed->n_tables++;
    return feed->last = table;
}

static void drop_audience(struct table *table, size_t i) {
    struct audience *audience = table->audience[i];
    if (audience == NULL)
        return;
    for (int topic = 0; topic < TOPICS; topic++) {
        feed_unref(audience->latest[topic].json);
        feed_unref(audience->latest[topic].pb);
    }
    feed_unref(audience->facts);
    feed_unref(audience->view);
    free(audience);
    table->audience[i] = NULL;
}

static struct audience *take_audience(struct table *table, int audience) {
    assert(audience >= OBSERVE_PUBLIC && audience < OBSERVE_SEATS_MAX);
    struct audience **at = &table->audience[audience + 1];
    if (*at == NULL)
        *at = must(calloc(1, sizeof **at));
    return *at;
}

// A seat's view belongs to one game and to a seat that plays in it.
static struct audience *find_audience(struct table *table, int audience) {
    if (table == NULL || audience < OBSERVE_PUBLIC || audience >= OBSERVE_SEATS_MAX)
        return NULL;
    struct audience *public = table->audience[0], *found = table->audience[audience + 1];
    if (audience == OBSERVE_PUBLIC || found == NULL)
        return found;
    if (public == NULL || audience >= table->seats || strcmp(public->game_id, found->game_id) != 0)
        return NULL;
    return found;
}

// ---- messages

static struct feed_bytes *keep(struct feed *feed, const char *text, size_t len) {
    struct feed_bytes *bytes = feed_pool_take(feed->pool, len);
    memcpy(bytes->data, text, len);
    return bytes;
}

static size_t write_json(struct feed *feed, const ProtobufCMessage *message) {
    struct json j;
    for (;;) {
        json_begin(&j, feed->scratch, feed->scratch_cap);
        pb_json_write(&j, message);
        if (json_end(&j))
            return j.len;
        feed->scratch_cap = j.len * 2;
        free(feed->scratch);
        feed->scratch = must(malloc(feed->scratch_cap));
    }
}

static struct feed_bytes *pack(struct feed *feed, const ProtobufCMessage *message) {
    size_t len;
    while ((len = pb_pack(message, (uint8_t *)feed->scratch, feed->scratch_cap)) == SIZE_MAX) {
        free(feed->scratch);
        feed->scratch_cap *= 2;
        feed->scratch = must(malloc(feed->scratch_cap));
    }
    return keep(feed, feed->scratch + feed->scratch_cap - len, len);
}

static void send(struct feed *feed, struct table *table, enum topic topic, const struct feed_frame *frame,
                 const ProtobufCMessage *message) {
    struct feed_message *latest = &take_audience(table, frame->audience)->latest[topic];
    feed_unref(latest->json);
    feed_unref(latest->pb);
    bool twin = topic_rows[topic].twin && frame->audience == OBSERVE_PUBLIC;
    size_t len = write_json(feed, message); // which may move the scratch
    struct feed_bytes *json = keep(feed, feed->scratch, len);
    *latest = (struct feed_message){
        .topic = topic,
        .table = table->name,
        .audience = frame->audience,
        .seq = frame->seq,
        .at_us = frame->at_us,
        .json = json,
        .pb = twin ? pack(feed, message) : NULL,
    };
    for (size_t i = 0; i < feed->n_outlets; i++)
        feed->outlet[i].message(feed->outlet[i].ctx, latest);
}

// All messages begin here: an empty arena and a frame for their header.
static struct feed_frame begin(struct feed *feed, const struct table *table, int audience, uint64_t seq,
                               int64_t at_us) {
    feed->arena.used = 0;
    return (struct feed_frame){
        .boot_id = feed->boot_id,
        .table = table->name,
        .game_id = table->audience[0] != NULL ? table->audience[0]->game_id : "",
        .audience = audience,
        .seq = seq,
        .at_us = at_us,
    };
}

static int64_t now(const struct feed *feed) {
    return feed->clock != NULL ? clock_wall_us(feed->clock) : 0;
}

// ---- the sink

static const struct {
    unsigned part;
    enum topic topic;
    ProtobufCMessage *(*build)(struct feed_arena *, const struct feed_frame *, const struct observation *);
} parts_of_view[] = {
    {OBSERVE_PART_GAME, TOPIC_GAME, feed_build_game},
    {OBSERVE_PART_PHASE, TOPIC_PHASE, feed_build_phase},
    {OBSERVE_PART_BOARD, TOPIC_BOARD, feed_build_board},
    {OBSERVE_PART_SEATS, TOPIC_SEATS, feed_build_seats},
    {OBSERVE_PART_VIOLATION, TOPIC_VIOLATION, feed_build_violations},
    {OBSERVE_PART_RESULT, TOPIC_RESULT, feed_build_result},
};
enum { PARTS = sizeof parts_of_view / sizeof parts_of_view[0] };

static void keep_facts(struct feed *feed, struct audience *audience, const struct observation *view) {
    feed_unref(audience->facts);
    audience->facts = NULL;
    if (view->n_facts == 0)
        return;
    Tabled__V1__View facts = TABLED__V1__VIEW__INIT;
    feed->arena.used = 0;
    facts.n_facts = feed_build_facts(&feed->arena, view, &facts.facts);
    static const char key[] = "\"facts\":";
    size_t len = write_json(feed, &facts.base);
    const char *at = strstr(feed->scratch, key); // the last field: all before it is null
    assert(at != NULL);
    at += sizeof key - 1;
    audience->facts = keep(feed, at, (size_t)(feed->scratch + len - 1 - at));
}

static void on_view(void *ctx, const struct observation *view, unsigned parts) {
    struct feed *feed = ctx;
    struct table *table = take_table(feed, view->table);
    struct audience *audience = take_audience(table, view->audience);
    bool same_game = strcmp(audience->game_id, view->game_id) == 0;
    if (!same_game) {
        parts = OBSERVE_PART_ALL;
        snprintf(audience->game_id, sizeof audience->game_id, "%s", view->game_id);
    }
    if (view->audience == OBSERVE_PUBLIC) {
        table->seats = view->status == OBSERVE_IDLE ? 0 : view->seats;
        for (int seat = 0; seat < OBSERVE_SEATS_MAX; seat++)
            if (find_audience(table, seat) == NULL)
                drop_audience(table, (size_t)seat + 1);
    }
    audience->version = view->version;
    audience->at_us = now(feed);
    feed_unref(audience->view);
    audience->view = NULL;
    keep_facts(feed, audience, view);
    for (size_t i = 0; i < PARTS; i++) {
        if ((parts & parts_of_view[i].part) == 0 && audience->latest[parts_of_view[i].topic].json != NULL)
            continue;
        struct feed_frame frame = begin(feed, table, view->audience, view->version, audience->at_us);
        frame.game_id = audience->game_id;
        send(feed, table, parts_of_view[i].topic, &frame, parts_of_view[i].build(&feed->arena, &frame, view));
    }
}

static void on_event(void *ctx, const char *name, int audience, const struct observe_event *event) {
    struct feed *feed = ctx;
    struct table *table = take_table(feed, name);
    struct feed_frame frame = begin(feed, table, audience, event->seq, event->at_us);
    send(feed, table, TOPIC_EVENT, &frame, feed_build_event(&feed->arena, &frame, event));
}

static void on_narration(void *ctx, const char *name, const struct observe_narration *narration) {
    struct feed *feed = ctx;
    struct table *table = take_table(feed, name);
    struct feed_frame frame = begin(feed, table, OBSERVE_PUBLIC, narration->seq, now(feed));
    send(feed, table, TOPIC_NARRATION, &frame,
         feed_build_narration(&feed->arena, &frame, feed->locale, narration));
}

static void on_readers(void *ctx, const char *name, const struct observe_readers *readers) {
    struct feed *feed = ctx;
    struct table *table = take_table(feed, name);
    struct feed_frame frame = begin(feed, table, OBSERVE_PUBLIC, ++table->readers_seq, now(feed));
    send(feed, table, TOPIC_READERS, &frame, feed_build_readers(&feed->arena, &frame, readers));
}

// ---- the whole view

static void put(struct feed *feed, size_t *len, const void *bytes, size_t n) {
    if (*len + n > feed->scratch_cap) {
        feed->scratch_cap = (*len + n) * 2;
        feed->scratch = must(realloc(feed->scratch, feed->scratch_cap));
    }
    memcpy(feed->scratch + *len, bytes, n);
    *len += n;
}

// The parts are JSON already: the view is put together from them, as pb_json_write would write message View.
static struct feed_bytes *make_view(struct feed *feed, struct table *table, int number,
                                    struct audience *audience) {
    static const char *const keys[PARTS] = {
        ",\"game\":", ",\"phase\":", ",\"board\":", ",\"seats\":", ",\"violations\":", ",\"result\":"};
    struct feed_frame frame = begin(feed, table, number, audience->version, audience->at_us);
    size_t len = write_json(feed, &feed_build_header(&feed->arena, &frame)->base);
    static const char head[] = "{\"header\":";
    put(feed, &len, head, sizeof head - 1); // makes room; then the header moves behind it
    memmove(feed->scratch + sizeof head - 1, feed->scratch, len - (sizeof head - 1));
    memcpy(feed->scratch, head, sizeof head - 1);
    for (size_t i = 0; i < PARTS; i++) {
        const struct feed_bytes *json = audience->latest[parts_of_view[i].topic].json;
        put(feed, &len, keys[i], strlen(keys[i]));
        put(feed, &len, json->data, json->len);
    }
    static const char facts[] = ",\"facts\":";
    put(feed, &len, facts, sizeof facts - 1);
    if (audience->facts != NULL)
        put(feed, &len, audience->facts->data, audience->facts->len);
    else
        put(feed, &len, "[]", 2);
    put(feed, &len, "}", 1);
    return keep(feed, feed->scratch, len);
}

struct feed_bytes *feed_view(struct feed *feed, const char *name, int number, char ret_etag[64]) {
    struct table *table = find_table(feed, name);
    struct audience *audience = find_audience(table, number);
    if (audience == NULL || audience->latest[TOPIC_RESULT].json == NULL)
        return NULL;
    if (audience->view == NULL) {
        audience->view = make_view(feed, table, number, audience);
        snprintf(audience->etag, sizeof audience->etag, "\"%s-%s-%llu\"", feed->boot_id,
                 feed_audience_name(number), (unsigned long long)audience->version);
    }
    memcpy(ret_etag, audience->etag, sizeof audience->etag);
    return audience->view;
}

const struct feed_message *feed_latest(struct feed *feed, const char *name, int number, enum topic topic) {
    struct audience *audience = find_audience(find_table(feed, name), number);
    return audience != NULL && audience->latest[topic].json != NULL ? &audience->latest[topic] : NULL;
}

// ---- life

enum error_code feed_create(uint64_t boot_id, const char *locale, struct feed **ret, struct error *err) {
    (void)err;
    struct feed *feed = must(calloc(1, sizeof *feed));
    snprintf(feed->boot_id, sizeof feed->boot_id, "%016llx", (unsigned long long)boot_id);
    feed->locale = must(strdup(locale));
    feed->sink = (struct observe_sink){on_view, on_event, on_narration, on_readers, feed};
    feed_arena_init(&feed->arena);
    feed->pool = feed_pool_create();
    feed->scratch = must(malloc(SCRATCH_MIN));
    feed->scratch_cap = SCRATCH_MIN;
    grow_slots(feed);
    *ret = feed;
    return ERROR_OK;
}

void feed_destroy(struct feed *feed) {
    if (feed == NULL)
        return;
    for (size_t i = 0; i < feed->n_slots; i++) {
        for (size_t k = 0; feed->slot[i] != NULL && k < AUDIENCES; k++)
            drop_audience(feed->slot[i], k);
        free(feed->slot[i]);
    }
    free(feed->slot);
    feed_pool_release(feed->pool);
    feed_arena_free(&feed->arena);
    free(feed->scratch);
    free(feed->locale);
    free(feed);
}

const struct observe_sink *feed_sink(struct feed *feed) {
    return &feed->sink;
}

void feed_set_clock(struct feed *feed, const struct clock *clock) {
    feed->clock = clock;
}

void feed_add_outlet(struct feed *feed, const struct feed_outlet *outlet) {
    assert(feed->n_outlets < OUTLETS_MAX);
    feed->outlet[feed->n_outlets++] = *outlet;
}

void feed_remove_outlet(struct feed *feed, const void *ctx) {
    size_t n = 0;
    for (size_t i = 0; i < feed->n_outlets; i++)
        if (feed->outlet[i].ctx != ctx)
            feed->outlet[n++] = feed->outlet[i];
    feed->n_outlets = n;
}
