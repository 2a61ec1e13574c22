/* Memory of one call: what is taken from a pool is given back all at once, whatever went wrong in between.

   A pool may start with room that the last call left, so that most pages ask the system for nothing. */
#ifndef BONMUN_NETWORK_POOL_H
#define BONMUN_NETWORK_POOL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define POOL_PIECES 64
#define POOL_ALIGNMENT 64              /* bytes: a cache line */
#define MOST_KEPT ((size_t)4 << 20) /* bytes that are left for the next call: a page of a thousand blocks takes 3 MB */

typedef struct {
    char *base;  /* room to start with, or NULL */
    size_t size; /* of that */
    size_t used; /* of that, and what would have been if it were larger */
    void *pieces[POOL_PIECES];
    int count;
    int failed; /* whether something could not be had */
} Pool;

/* Room for so many things of a size, not cleared; NULL if there is none, which the pool remembers. */
static void *take_room(Pool *pool, size_t count, size_t size) {
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

#define TAKE(pool, type, count) ((type *)take_room(pool, count, sizeof(type)))

/* Give back all but the room to start with, which grows to what was needed. */
static void give_back(Pool *pool) {
    for (int at = 0; at < pool->count; at++)
        free(pool->pieces[at]);
    pool->count = 0;
    if (pool->used > pool->size && pool->used <= MOST_KEPT) {
        free(pool->base);
        pool->base = (char *)malloc(pool->used + POOL_ALIGNMENT);
        pool->size = pool->base ? pool->used + POOL_ALIGNMENT : 0;
    }
    pool->used = 0;
    pool->failed = 0;
}

#endif
