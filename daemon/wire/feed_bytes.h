// Pools for the bytes of messages: in steady state a message is made without asking the heap.
#pragma once
#include "wire/feed.h"

struct feed_pool;
struct feed_pool *feed_pool_create(void);
// Lives on until the last of its bytes comes back. NULL allowed.
void feed_pool_release(struct feed_pool *pool);
// One user, `len` bytes to be filled by the caller before anybody else sees them.
struct feed_bytes *feed_pool_take(struct feed_pool *pool, size_t len);
