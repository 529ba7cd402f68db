#include "net/sse__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_prefix(struct stream *stream, uint64_t id, const char *event) {
    stream->prefix_len = (size_t)snprintf(stream->prefix, sizeof stream->prefix,
                                          "id: %s%llu\nevent: %s\ndata: ", stream->ring->id,
                                          (unsigned long long)id, event);
    stream->sent = 0;
}

static void set_text(struct stream *stream, const char *text) {
    stream->prefix_len = (size_t)snprintf(stream->prefix, sizeof stream->prefix, "%s", text);
    stream->sent = 0;
}

// The state as it is now, part by part. Ids point at what follows in the ring, so that nothing is missed.
static bool next_of_snapshot(struct stream *stream) {
    while (stream->snapshot) {
        enum topic topic = (enum topic)__builtin_ctz(stream->snapshot);
        stream->snapshot &= stream->snapshot - 1;
        const struct feed_message *message = feed_latest(stream->ring->sse->http->options.feed,
                                                         stream->ring->table, stream->ring->audience, topic);
        if (!message)
            continue;
        stream->bytes = feed_ref(message->json);
        set_prefix(stream, stream->position - 1, sse__topics[topic].event);
        return true;
    }
    return false;
}

static uint32_t all_levels(void) {
    uint32_t mask = 0;
    for (unsigned i = 0; i < TOPICS; i++)
        if (sse__topics[i].event && sse__topics[i].level)
            mask |= 1u << i;
    return mask;
}

static bool next_of_ring(struct stream *stream) {
    struct ring *ring = stream->ring;
    while (stream->position < ring->end) {
        const struct ring_entry *entry = sse__ring_at(ring, stream->position++);
        if (!entry->json)
            continue;
        stream->bytes = feed_ref(entry->json);
        set_prefix(stream, stream->position - 1, sse__topics[entry->topic].event);
        return true;
    }
    return false;
}

// Chooses what is sent next; false = nothing.
static bool next_message(struct stream *stream) {
    struct ring *ring = stream->ring;
    if (stream->position < ring->begin) { // fell out
        stream->reset = true;
        stream->position = ring->end;
        stream->snapshot = all_levels();
    }
    if (stream->hello) {
        stream->hello = false;
        set_text(stream, "retry: 2000\n\n");
        return true;
    }
    if (stream->reset) {
        stream->reset = false;
        set_prefix(stream, stream->position - 1, "reset");
        size_t n = stream->prefix_len;
        stream->prefix_len +=
            (size_t)snprintf(stream->prefix + n, sizeof stream->prefix - n, "{\"reason\":\"gap\"}\n\n");
        return true;
    }
    if (next_of_snapshot(stream) || next_of_ring(stream))
        return true;
    if (stream->beat)
        set_text(stream, ":\n\n");
    return stream->beat;
}

static size_t copy_part(const void *from, size_t len, size_t *skip, char *to, size_t max) {
    if (*skip >= len) {
        *skip -= len;
        return 0;
    }
    size_t n = len - *skip < max ? len - *skip : max;
    memcpy(to, (const char *)from + *skip, n);
    *skip = 0;
    return n;
}

// Copies what is left of the current message; clears it when all is sent.
static size_t copy_message(struct stream *stream, char *to, size_t max) {
    size_t skip = stream->sent, n = 0, total = stream->prefix_len;
    n += copy_part(stream->prefix, stream->prefix_len, &skip, to, max);
    if (stream->bytes) {
        total += stream->bytes->len + 2;
        if (n < max)
            n += copy_part(stream->bytes->data, stream->bytes->len, &skip, to + n, max - n);
        if (n < max)
            n += copy_part("\n\n", 2, &skip, to + n, max - n);
    }
    stream->sent += n;
    if (stream->sent == total) {
        feed_unref(stream->bytes);
        stream->bytes = NULL;
        stream->prefix_len = 0;
        stream->beat = false;
    }
    return n;
}

size_t sse__stream_fill(struct stream *stream, char *to, size_t max) {
    size_t n = 0;
    while (n < max && (stream->prefix_len || next_message(stream)))
        n += copy_message(stream, to + n, max - n);
    return n;
}

// Ids are `boot-audience-n`.
void sse__stream_seek(struct stream *stream, const char *last) {
    struct ring *ring = stream->ring;
    stream->hello = true;
    stream->position = ring->end;
    stream->snapshot = all_levels();
    if (!last || !*last)
        return;
    size_t n = strlen(ring->id);
    char *end = NULL;
    uint64_t id = 0;
    bool known = !strncmp(last, ring->id, n) && last[n] >= '0' && last[n] <= '9';
    if (known)
        id = strtoull(last + n, &end, 10);
    if (known && !*end && id + 1 >= ring->begin && id < ring->end) {
        stream->position = id + 1;
        stream->snapshot = 0;
        return;
    }
    stream->reset = true;
}
