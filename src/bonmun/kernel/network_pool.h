/* Memory of one call: everything allocated from a pool is freed at once, also after an error.

   A pool may reuse memory that the last call left, so that most pages need no allocation. */
#ifndef BONMUN_NETWORK_POOL_H
#define BONMUN_NETWORK_POOL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define POOL_PIECES 64
#define POOL_ALIGNMENT 64              /* bytes; a cache line */
#define MAX_KEPT_BYTES ((size_t)4 << 20) /* bytes left for the next call; a page of a thousand blocks takes 3 MB */

typedef struct {
    char *base;  /* memory from the last call, or NULL */
    size_t size; /* of `base` */
    size_t used; /* bytes needed so far, which may be more than `size` */
    void *pieces[POOL_PIECES];
    int count;
    int failed; /* whether an allocation failed */
} Pool;

/* Allocate uninitialised memory for `count` items; return NULL on failure, which the pool records. */
static void *allocate(Pool *pool, size_t count, size_t size) {
    if (pool->failed || pool->count == POOL_PIECES || count >= SIZE_MAX / 4 / size) {
        pool->failed = 1;
        return NULL;
    }
    const size_t bytes = (count * size + POOL_ALIGNMENT - 1) / POOL_ALIGNMENT * POOL_ALIGNMENT;
    if (!pool->used)
        pool->used = (size_t)-(intptr_t)pool->base % POOL_ALIGNMENT;
    const size_t start = pool->used;
    pool->used += bytes;
    if (start < pool->size && bytes <= pool->size - start)
        return pool->base + start;
    void *piece = malloc(bytes + POOL_ALIGNMENT);
    if (!piece) {
        pool->failed = 1;
        return NULL;
    }
    pool->pieces[pool->count++] = piece;
    return (void *)(((uintptr_t)piece + POOL_ALIGNMENT) & ~(uintptr_t)(POOL_ALIGNMENT - 1));
}

#define TAKE(pool, type, count) ((type *)allocate(pool, count, sizeof(type)))

/* Free everything except `base`, which grows to the size that was needed. */
static void give_back(Pool *pool) {
    for (int at = 0; at < pool->count; at++)
        free(pool->pieces[at]);
    pool->count = 0;
    if (pool->used > pool->size && pool->used <= MAX_KEPT_BYTES) {
        free(pool->base);
        pool->base = (char *)malloc(pool->used + POOL_ALIGNMENT);
        pool->size = pool->base ? pool->used + POOL_ALIGNMENT : 0;
    }
    pool->used = 0;
    pool->failed = 0;
}

#endif
