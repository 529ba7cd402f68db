// Server-sent events: one ring per table and audience, shared by all its streams. A stream that falls out of
// the ring gets `reset` and the whole state again (B115); nothing waits for a slow reader.
#pragma once
#include "net/http__.h"

// Rings begin with the first stream of their audience: before it nobody can hold one of their ids.
enum {
    SSE_RING_MAX = 1024,
    SSE_PUBLIC_BYTES_MAX = 512 * 1024,
    SSE_SEAT_BYTES_MAX = 48 * 1024,
    SSE_WAKE_MAX = 64, // streams resumed in one turn
    SSE_HEARTBEAT_S = 15,
};

struct sse *sse_create(struct http *http); // NULL: out of memory
void sse_closing(struct sse *sse);         // wakes every stream; they end
void sse_destroy(struct sse *sse);         // after the library has stopped; NULL allowed
// Without those of seats: a phone that wakes up at night would be counted.
unsigned sse_streams(const struct sse *sse);
