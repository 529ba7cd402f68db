#include "net/routes.h"
#include "net/sse__.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { HANGUPS_MAX = 64, STREAM_BLOCK = 256 };

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
    struct sse *sse = ctx;
    if (!sse__topics[message->topic].event)
        return;
    struct ring *ring = sse__ring_find(sse, message->table, message->audience);
    if (!ring)
        return;
    sse__ring_append(ring, message->topic, message->json);
    rouse(ring);
}

// ---- a stream and the library

static ssize_t read_stream(void *ctx, uint64_t pos, char *to, size_t max) {
    struct stream *stream = ctx;
    struct sse *sse = stream->ring->sse;
    (void)pos;
    if (sse->closing)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (stream->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t n = sse__stream_fill(stream, to, max);
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
    ring->sse->of_seats -= stream->of_seat;
    free(stream);
}

// ---- opening

static struct stream *open_stream(struct request *request, int audience) {
    struct sse *sse = request->http->sse;
    struct ring *ring = sse__ring_get(sse, request->table, audience);
    struct stream *stream = ring ? calloc(1, sizeof *stream) : NULL;
    if (!stream)
        return NULL;
    *stream = (struct stream){.ring = ring,
                              .mhd = request->mhd,
                              .fd = request_conn(request)->fd,
                              .of_seat = request->who.role == DOOR_SEAT};
    sse__stream_seek(stream, request->headers.last_event_id);
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = stream};
    epoll_ctl(sse->hangups, EPOLL_CTL_ADD, stream->fd, &event); // failing, the heartbeat still finds it
    sse->n_streams++;
    sse->of_seats += stream->of_seat;
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
    if (!answer_table_known(request))
        return;
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

struct sse *sse_create(struct http *http) {
    struct sse *sse = calloc(1, sizeof *sse);
    int hangups = epoll_create1(EPOLL_CLOEXEC);
    if (!sse || hangups < 0 ||
        loop_fd_add(http->loop, hangups, EPOLLIN, hung_up, sse, &sse->hangup_watch, NULL)) {
        if (hangups >= 0)
            close(hangups);
        free(sse);
        return NULL;
    }
    sse->http = http;
    sse->hangups = hangups;
    feed_add_outlet(http->options.feed, &(struct feed_outlet){take_message, sse});
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
    feed_remove_outlet(sse->http->options.feed, sse);
    while (sse->rings) {
        struct ring *ring = sse->rings;
        sse->rings = ring->next;
        sse__ring_free(ring);
    }
    free(sse);
}

unsigned sse_streams(const struct sse *sse) {
    return sse->n_streams - sse->of_seats;
}
