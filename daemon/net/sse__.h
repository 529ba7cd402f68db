// Shared by sse.c (who sleeps, wakes, opens), sse_ring.c (what is kept) and sse_stream.c (what one stream
// sends).
#pragma once
#include "net/sse.h"

enum { SSE_PREFIX_MAX = 128, SSE_ID_MAX = 64, SSE_BUCKETS = 256 };

struct sse_topic {
    const char *event; // NULL: not sent on streams
    bool level;        // a newer one replaces it
};
extern const struct sse_topic sse__topics[TOPICS];

struct stream {
    struct ring *ring;
    struct MHD_Connection *mhd;
    int fd;
    struct stream *prev, *next; // in ring->asleep or ring->waking
    enum { AWAKE, ASLEEP, WAKING } state;
    bool hello, reset, beat, gone, of_seat;
    uint32_t snapshot;           // topics of the first state still to be sent, a bit each
    uint64_t position;           // next entry of the ring
    char prefix[SSE_PREFIX_MAX]; // of the message being sent: id, event, data
    size_t prefix_len, sent;
    struct feed_bytes *bytes; // of the message being sent
};

struct streams {
    struct stream *first, *last;
};

struct ring {
    struct sse *sse;
    struct ring *next;       // of all
    struct ring *same;       // in its bucket
    struct ring *queue_next; // of those with streams to wake
    bool queued;
    char table[33], id[SSE_ID_MAX]; // id: boot-audience-
    int audience;
    uint64_t begin, end; // entries begin..end-1 are here; the next gets `end`
    uint64_t latest[TOPICS];
    size_t bytes, cap;
    struct ring_entry {
        struct feed_bytes *json; // NULL: replaced by a newer part
        enum topic topic;
    } * entry;
    struct streams asleep, waking;
};

struct tap;
struct sse {
    struct http *http;
    struct ring *rings, *bucket[SSE_BUCKETS];
    struct ring *queue, *queue_last; // rings with streams to wake, in turn
    struct loop_idler idler;
    struct loop_timer heartbeat;
    struct loop_fd *hangup_watch;
    int hangups; // epoll of the streams' sockets: the library does not look at suspended ones
    unsigned n_streams, of_seats; // of_seats: of the streams, those that a seat has opened
    bool closing;
};

// sse_ring.c
struct ring *sse__ring_find(struct sse *sse, const char *table, int audience);
struct ring *sse__ring_get(struct sse *sse, const char *table,
                           int audience); // made if there is none; NULL: no memory
void sse__ring_append(struct ring *ring, enum topic topic, struct feed_bytes *json);
struct ring_entry *sse__ring_at(struct ring *ring, uint64_t i);
void sse__ring_free(struct ring *ring);

// sse_stream.c
// Where to go on after this id; anything that is no id of this ring is a gap. NULL: from now on, after the
// state.
void sse__stream_seek(struct stream *stream, const char *last_id);
// Fills `to` with what comes next; 0 = nothing for now.
size_t sse__stream_fill(struct stream *stream, char *to, size_t max);
