#include "net/sse__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ENTRIES = 16 };

// Parts of a view are levels: a new one replaces the old one in the ring, so nobody is told the past.
const struct sse_topic sse__topics[TOPICS] = {
    [TOPIC_GAME] = {"game", true},
    [TOPIC_PHASE] = {"phase", true},
    [TOPIC_BOARD] = {"board", true},
    [TOPIC_SEATS] = {"seats", true},
    [TOPIC_VIOLATION] = {"violation", true},
    [TOPIC_RESULT] = {"result", true},
    [TOPIC_READERS] = {"readers", true},
    [TOPIC_EVENT] = {"event", false},
    [TOPIC_NARRATION] = {"narration", false},
};

struct ring_entry *sse__ring_at(struct ring *ring, uint64_t i) {
    return &ring->entry[i & (ring->cap - 1)];
}

static void drop_bytes(struct ring *ring, struct ring_entry *entry) {
    if (!entry->json)
        return;
    ring->bytes -= entry->json->len;
    feed_unref(entry->json);
    entry->json = NULL;
}

static bool grow(struct ring *ring) {
    size_t cap = ring->cap ? ring->cap * 2 : FIRST_ENTRIES;
    struct ring_entry *entry = calloc(cap, sizeof *entry);
    if (!entry)
        return false;
    for (uint64_t i = ring->begin; i < ring->end; i++)
        entry[i & (cap - 1)] = *sse__ring_at(ring, i);
    free(ring->entry);
    ring->entry = entry;
    ring->cap = cap;
    return true;
}

void sse__ring_append(struct ring *ring, enum topic topic, struct feed_bytes *json) {
    size_t limit = ring->audience == OBSERVE_PUBLIC ? SSE_PUBLIC_BYTES_MAX : SSE_SEAT_BYTES_MAX;
    if (sse__topics[topic].level && ring->latest[topic] >= ring->begin && ring->end > ring->begin)
        drop_bytes(ring, sse__ring_at(ring, ring->latest[topic]));
    bool full = ring->end - ring->begin == ring->cap;
    if (full && (ring->cap == SSE_RING_MAX || !grow(ring)))
        drop_bytes(ring, sse__ring_at(ring, ring->begin++));
    *sse__ring_at(ring, ring->end) = (struct ring_entry){feed_ref(json), topic};
    ring->latest[topic] = ring->end++;
    ring->bytes += json->len;
    while (ring->bytes > limit && ring->end - ring->begin > 1)
        drop_bytes(ring, sse__ring_at(ring, ring->begin++));
}

static struct ring **bucket_of(struct sse *sse, const char *table, int audience) {
    unsigned hash = (unsigned)audience + 5381;
    for (; *table; table++)
        hash = hash * 33 + (unsigned char)*table;
    return &sse->bucket[hash % SSE_BUCKETS];
}

struct ring *sse__ring_find(struct sse *sse, const char *table, int audience) {
    for (struct ring *ring = *bucket_of(sse, table, audience); ring; ring = ring->same)
        if (ring->audience == audience && !strcmp(ring->table, table))
            return ring;
    return NULL;
}

struct ring *sse__ring_get(struct sse *sse, const char *table, int audience) {
    struct ring *ring = sse__ring_find(sse, table, audience);
    if (ring)
        return ring;
    ring = calloc(1, sizeof *ring);
    if (!ring || !grow(ring)) {
        free(ring);
        return NULL;
    }
    ring->sse = sse;
    ring->audience = audience;
    ring->begin = ring->end = 1;
    snprintf(ring->table, sizeof ring->table, "%s", table);
    unsigned long long boot = sse->http->options.boot_id;
    if (audience == OBSERVE_PUBLIC)
        snprintf(ring->id, sizeof ring->id, "%016llx-public-", boot);
    else
        snprintf(ring->id, sizeof ring->id, "%016llx-s%d-", boot, audience + 1);
    struct ring **bucket = bucket_of(sse, table, audience);
    ring->same = *bucket;
    *bucket = ring;
    ring->next = sse->rings;
    sse->rings = ring;
    return ring;
}

void sse__ring_free(struct ring *ring) {
    for (; ring->begin < ring->end; ring->begin++)
        drop_bytes(ring, sse__ring_at(ring, ring->begin));
    free(ring->entry);
    free(ring);
}
