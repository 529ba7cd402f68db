#include "wire/feed_bytes.h"
#include "core/log.h"
#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>

// Sizes are powers of two from 128 bytes on. Above 64 KiB, or with enough spares, bytes go back to the heap.
enum { CLASSES = 10, SMALLEST = 128, SPARE_BYTES = 256 * 1024, NO_CLASS = CLASSES };

struct block {
    struct feed_pool *pool;
    struct block *next; // while spare
    unsigned size_class;
}; // its struct feed_bytes stands behind it
_Static_assert(sizeof(struct block) % alignof(struct feed_bytes) == 0,
               "bytes stand right behind their block");
struct feed_pool {
    struct block *spare[CLASSES];
    size_t n_spare[CLASSES];
    size_t out; // blocks in use
    bool released;
};

static struct feed_bytes *bytes_of(struct block *block) {
    return (struct feed_bytes *)(void *)(block + 1);
}

struct feed_pool *feed_pool_create(void) {
    struct feed_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        log_no_memory("wire");
    return pool;
}

static void free_if_done(struct feed_pool *pool) {
    if (!pool->released || pool->out > 0)
        return;
    for (unsigned i = 0; i < CLASSES; i++)
        while (pool->spare[i] != NULL) {
            struct block *block = pool->spare[i];
            pool->spare[i] = block->next;
            free(block);
        }
    free(pool);
}

void feed_pool_release(struct feed_pool *pool) {
    if (pool == NULL)
        return;
    pool->released = true;
    free_if_done(pool);
}

static unsigned class_of(size_t len) {
    unsigned size_class = 0;
    while (size_class < CLASSES && len > (size_t)SMALLEST << size_class)
        size_class++;
    return size_class; // CLASSES = NO_CLASS
}

struct feed_bytes *feed_pool_take(struct feed_pool *pool, size_t len) {
    unsigned size_class = class_of(len);
    struct block *block = size_class < CLASSES ? pool->spare[size_class] : NULL;
    if (block != NULL) {
        pool->spare[size_class] = block->next;
        pool->n_spare[size_class]--;
    } else {
        size_t room = size_class < CLASSES ? (size_t)SMALLEST << size_class : len;
        block = malloc(sizeof *block + sizeof(struct feed_bytes) + room);
        if (block == NULL)
            log_no_memory("wire");
        block->pool = pool;
        block->size_class = size_class;
    }
    block->next = NULL;
    struct feed_bytes *bytes = bytes_of(block);
    bytes->refs = 1;
    bytes->len = len;
    pool->out++;
    return bytes;
}

struct feed_bytes *feed_ref(struct feed_bytes *bytes) {
    bytes->refs++;
    return bytes;
}

void feed_unref(struct feed_bytes *bytes) {
    if (bytes == NULL)
        return;
    assert(bytes->refs > 0);
    if (--bytes->refs > 0)
        return;
    struct block *block = (struct block *)(void *)bytes - 1;
    struct feed_pool *pool = block->pool;
    unsigned size_class = block->size_class;
    pool->out--;
    if (size_class == NO_CLASS ||
        (pool->n_spare[size_class] + 1) * ((size_t)SMALLEST << size_class) > SPARE_BYTES) {
        free(block);
    } else {
        block->next = pool->spare[size_class];
        pool->spare[size_class] = block;
        pool->n_spare[size_class]++;
    }
    free_if_done(pool);
}
