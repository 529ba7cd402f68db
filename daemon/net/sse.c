#include "net/sse.h"
#include "net/routes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    FIRST_ENTRIES = 16,
    PREFIX_MAX = 128,
    ID_MAX = 64,
    HANGUPS_MAX = 64,
    STREAM_BLOCK = 256,
    RING_BUCKETS = 256
};

// Parts of a view are levels: a new one replaces the old one in the ring, so nobody is told the past.
static const struct sse_topic {
    const char *event; // NULL: not sent on streams
    bool level;
} sse_topics[TOPICS] = {
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

struct stream {
    struct ring *ring;
    struct MHD_Connection *mhd;
    int fd;
    struct stream *prev, *next; // in ring->asleep or ring->waking
    enum { AWAKE, ASLEEP, WAKING } state;
    bool hello, reset, beat, gone;
    uint32_t snapshot;       // topics of the first state still to be sent, a bit each
    uint64_t position;       // next entry of the ring
    char prefix[PREFIX_MAX]; // of the message being sent: id, event, data
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
    char table[33], id[ID_MAX]; // id: boot-audience-
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

// What the feed holds of us; it outlives the front, and outlets are never removed.
struct tap {
    struct sse *sse; // NULL: the front is gone
    struct tap *next;
};
static struct tap *taps;

struct sse {
    struct http *http;
    struct tap *tap;
    struct ring *rings, *bucket[RING_BUCKETS];
    struct ring *queue, *queue_last; // rings with streams to wake, in turn
    struct loop_idler idler;
    struct loop_timer heartbeat;
    struct loop_fd *hangup_watch;
    int hangups; // epoll of the streams' sockets: the library does not look at suspended ones
    unsigned n_streams;
    bool closing;
};

// ---- lists of streams
// ---------------------------------------------------------------------------------------------

static void list_add(struct streams *list, struct stream *stream) {
    stream->next = NULL;
    stream->prev = list->last;
    *(list->last ? &list->last->next : &list->first) = stream;
    list->last = stream;
}

static void list_remove(struct streams *list, struct stream *stream) {
    *(stream->prev ? &stream->prev->next : &list->first) = stream->next;
    *(stream->next ? &stream->next->prev : &list->last) = stream->prev;
}

// ---- the ring
// -----------------------------------------------------------------------------------------------------

static struct ring_entry *at(struct ring *ring, uint64_t i) {
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
        entry[i & (cap - 1)] = *at(ring, i);
    free(ring->entry);
    ring->entry = entry;
    ring->cap = cap;
    return true;
}

static void append(struct ring *ring, enum topic topic, struct feed_bytes *json) {
    size_t limit = ring->audience == OBSERVE_PUBLIC ? SSE_PUBLIC_BYTES_MAX : SSE_SEAT_BYTES_MAX;
    if (sse_topics[topic].level && ring->latest[topic] >= ring->begin && ring->end > ring->begin)
        drop_bytes(ring, at(ring, ring->latest[topic]));
    bool full = ring->end - ring->begin == ring->cap;
    if (full && (ring->cap == SSE_RING_MAX || !grow(ring)))
        drop_bytes(ring, at(ring, ring->begin++));
    *at(ring, ring->end) = (struct ring_entry){feed_ref(json), topic};
    ring->latest[topic] = ring->end++;
    ring->bytes += json->len;
    while (ring->bytes > limit && ring->end - ring->begin > 1)
        drop_bytes(ring, at(ring, ring->begin++));
}

static struct ring **bucket_of(struct sse *sse, const char *table, int audience) {
    unsigned hash = (unsigned)audience + 5381;
    for (; *table; table++)
        hash = hash * 33 + (unsigned char)*table;
    return &sse->bucket[hash % RING_BUCKETS];
}

static struct ring *ring_find(struct sse *sse, const char *table, int audience) {
    for (struct ring *ring = *bucket_of(sse, table, audience); ring; ring = ring->same)
        if (ring->audience == audience && !strcmp(ring->table, table))
            return ring;
    return NULL;
}

static struct ring *ring_get(struct sse *sse, const char *table, int audience) {
    struct ring *ring = ring_find(sse, table, audience);
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

// ---- waking: 64 streams a turn, when nothing else is to be done (P7)
// --------------------------------------------------------

static void wake(struct stream *stream) {
    list_remove(&stream->ring->waking, stream);
    stream->state = AWAKE;
    MHD_resume_connection(stream->mhd);
}

static void queue_ring(struct ring *ring) {
    struct sse *sse = ring->sse;
    if (ring->queued)
        return;
    ring->queued = true;
    ring->queue_next = NULL;
    *(sse->queue ? &sse->queue_last->queue_next : &sse->queue) = ring;
    sse->queue_last = ring;
}

// Rings take turns, so that a crowd at one table does not keep another waiting.
static bool wake_some(void *ctx) {
    struct sse *sse = ctx;
    unsigned n = 0;
    while (sse->queue && n < SSE_WAKE_MAX) {
        struct ring *ring = sse->queue;
        sse->queue = ring->queue_next;
        ring->queued = false;
        for (; ring->waking.first && n < SSE_WAKE_MAX; n++)
            wake(ring->waking.first);
        if (ring->waking.first)
            queue_ring(ring);
    }
    if (n)
        http_run(sse->http);
    return sse->queue != NULL;
}

static void rouse(struct ring *ring) {
    struct streams *from = &ring->asleep, *to = &ring->waking;
    if (!from->first)
        return;
    for (struct stream *stream = from->first; stream; stream = stream->next)
        stream->state = WAKING;
    if (to->last) {
        to->last->next = from->first;
        from->first->prev = to->last;
    } else {
        to->first = from->first;
    }
    to->last = from->last;
    *from = (struct streams){0};
    queue_ring(ring);
    loop_idle(ring->sse->http->loop, &ring->sse->idler, wake_some, ring->sse);
}

// A client that left while its stream sleeps.
static void hung_up(void *ctx, uint32_t revents) {
    struct sse *sse = ctx;
    struct epoll_event events[HANGUPS_MAX];
    (void)revents;
    int n = epoll_wait(sse->hangups, events, HANGUPS_MAX, 0);
    for (int i = 0; i < n; i++) {
        struct stream *stream = events[i].data.ptr;
        stream->gone = true;
        if (stream->state != ASLEEP)
            continue;
        list_remove(&stream->ring->asleep, stream);
        list_add(&stream->ring->waking, stream);
        stream->state = WAKING;
        queue_ring(stream->ring);
        loop_idle(sse->http->loop, &sse->idler, wake_some, sse);
    }
}

static void heartbeat(void *ctx) {
    struct sse *sse = ctx;
    for (struct ring *ring = sse->rings; ring; ring = ring->next) {
        for (struct stream *stream = ring->asleep.first; stream; stream = stream->next)
            stream->beat = true;
        rouse(ring);
    }
    if (sse->n_streams)
        loop_timer_start(sse->http->loop, &sse->heartbeat,
                         loop_now_us(sse->http->loop) + (int64_t)SSE_HEARTBEAT_S * 1000000, heartbeat, sse);
}

static void take_message(void *ctx, const struct feed_message *message) {
    const struct tap *tap = ctx;
    if (!tap->sse || !sse_topics[message->topic].event)
        return;
    struct ring *ring = ring_find(tap->sse, message->table, message->audience);
    if (!ring)
        return;
    append(ring, message->topic, message->json);
    rouse(ring);
}

// ---- a stream
// -----------------------------------------------------------------------------------------------------

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
        set_prefix(stream, stream->position - 1, sse_topics[topic].event);
        return true;
    }
    return false;
}

static uint32_t all_levels(void) {
    uint32_t mask = 0;
    for (unsigned i = 0; i < TOPICS; i++)
        if (sse_topics[i].event && sse_topics[i].level)
            mask |= 1u << i;
    return mask;
}

static bool next_of_ring(struct stream *stream) {
    struct ring *ring = stream->ring;
    while (stream->position < ring->end) {
        const struct ring_entry *entry = at(ring, stream->position++);
        if (!entry->json)
            continue;
        stream->bytes = feed_ref(entry->json);
        set_prefix(stream, stream->position - 1, sse_topics[entry->topic].event);
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

static ssize_t read_stream(void *ctx, uint64_t pos, char *to, size_t max) {
    struct stream *stream = ctx;
    struct sse *sse = stream->ring->sse;
    (void)pos;
    if (sse->closing)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (stream->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t n = 0;
    while (n < max && (stream->prefix_len || next_message(stream)))
        n += copy_message(stream, to + n, max - n);
    if (n == 0) {
        stream->state = ASLEEP;
        list_add(&stream->ring->asleep, stream);
        MHD_suspend_connection(stream->mhd);
    }
    return (ssize_t)n;
}

static void end_stream(void *ctx) {
    struct stream *stream = ctx;
    struct ring *ring = stream->ring;
    if (stream->state != AWAKE)
        list_remove(stream->state == ASLEEP ? &ring->asleep : &ring->waking, stream);
    feed_unref(stream->bytes);
    epoll_ctl(ring->sse->hangups, EPOLL_CTL_DEL, stream->fd, NULL);
    ring->sse->n_streams--;
    free(stream);
}

// ---- opening
// ------------------------------------------------------------------------------------------------------

// An id of ours, `boot-audience-n`: sets where to go on. Anything else is a gap.
static void seek(struct stream *stream, const char *last) {
    struct ring *ring = stream->ring;
    size_t n = strlen(ring->id);
    char *end = NULL;
    uint64_t id = 0;
    bool known = !strncmp(last, ring->id, n) && last[n] >= '0' && last[n] <= '9';
    if (known)
        id = strtoull(last + n, &end, 10);
    if (known && !*end && id + 1 >= ring->begin && id < ring->end) {
        stream->position = id + 1;
        return;
    }
    stream->reset = true;
    stream->snapshot = all_levels();
}

static struct stream *open_stream(struct request *request, int audience) {
    struct sse *sse = request->http->sse;
    struct ring *ring = ring_get(sse, request->table, audience);
    struct stream *stream = ring ? calloc(1, sizeof *stream) : NULL;
    if (!stream)
        return NULL;
    *stream = (struct stream){.ring = ring,
                              .mhd = request->mhd,
                              .fd = request_conn(request)->fd,
                              .hello = true,
                              .position = ring->end};
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = stream};
    epoll_ctl(sse->hangups, EPOLL_CTL_ADD, stream->fd, &event); // failing, the heartbeat still finds it
    if (request->headers.last_event_id && request->headers.last_event_id[0])
        seek(stream, request->headers.last_event_id);
    else
        stream->snapshot = all_levels();
    sse->n_streams++;
    if (!loop_timer_running(&sse->heartbeat))
        loop_timer_start(request->http->loop, &sse->heartbeat,
                         loop_now_us(request->http->loop) + (int64_t)SSE_HEARTBEAT_S * 1000000, heartbeat,
                         sse);
    return stream;
}

// A stream is not a request any more: it counts apart for its address.
static void count_stream(struct conn *conn) {
    conn->stream = true;
    if (conn->peer) {
        conn->peer->requests--;
        conn->peer->streams++;
    }
}

// A seat's token gives the seat's own stream, or the public one on ?audience=public.
static int audience_of(struct request *request) {
    const char *wish = MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, "audience");
    if (request->who.role != DOOR_SEAT || (wish && !strcmp(wish, "public")))
        return OBSERVE_PUBLIC;
    return request->who.seat;
}

void get_events(struct request *request) {
    if (!door_view(request->http->options.door, request->table, OBSERVE_PUBLIC)) {
        answer_code(request, ERROR_NOT_FOUND, "there is no such table");
        return;
    }
    struct stream *stream = open_stream(request, audience_of(request));
    struct MHD_Response *response = stream
                                        ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK,
                                                                            read_stream, stream, end_stream)
                                        : NULL;
    if (!response) {
        if (stream)
            end_stream(stream);
        answer_code(request, ERROR_INTERNAL, "out of memory");
        return;
    }
    // Each stream keeps its headers as long as it lives: only those that say something for it.
    MHD_add_response_header(response, "Content-Type", request->route->type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "X-Accel-Buffering", "no");
    count_stream(request_conn(request));
    answer_response(request, 200, response);
}

// ---- the whole
// ----------------------------------------------------------------------------------------------------

struct sse *sse_create(struct http *http) {
    struct sse *sse = calloc(1, sizeof *sse);
    struct tap *tap = calloc(1, sizeof *tap);
    int hangups = epoll_create1(EPOLL_CLOEXEC);
    if (!sse || !tap || hangups < 0 ||
        loop_fd_add(http->loop, hangups, EPOLLIN, hung_up, sse, &sse->hangup_watch, NULL)) {
        if (hangups >= 0)
            close(hangups);
        free(sse);
        free(tap);
        return NULL;
    }
    sse->http = http;
    sse->hangups = hangups;
    sse->tap = tap;
    *tap = (struct tap){sse, taps};
    taps = tap;
    feed_add_outlet(http->options.feed, &(struct feed_outlet){take_message, tap});
    return sse;
}

void sse_closing(struct sse *sse) {
    sse->closing = true;
    loop_idle_cancel(sse->http->loop, &sse->idler);
    for (struct ring *ring = sse->rings; ring; ring = ring->next) {
        rouse(ring);
        while (ring->waking.first)
            wake(ring->waking.first);
    }
    loop_idle_cancel(sse->http->loop, &sse->idler);
}

void sse_destroy(struct sse *sse) {
    if (!sse)
        return;
    loop_idle_cancel(sse->http->loop, &sse->idler);
    loop_timer_stop(sse->http->loop, &sse->heartbeat);
    loop_fd_remove(sse->hangup_watch);
    close(sse->hangups);
    sse->tap->sse = NULL;
    while (sse->rings) {
        struct ring *ring = sse->rings;
        sse->rings = ring->next;
        for (; ring->begin < ring->end; ring->begin++)
            drop_bytes(ring, at(ring, ring->begin));
        free(ring->entry);
        free(ring);
    }
    free(sse);
}

unsigned sse_streams(const struct sse *sse) {
    return sse->n_streams;
}
