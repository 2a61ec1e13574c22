/* Parts of the network that do not depend on the vector width: the weights, and what is gathered from a page. The
   layers are in network_layers.h, which is included once for each vector width. The reference is
   models/network/labeller.py. */
#ifndef BONMUN_NETWORK_H
#define BONMUN_NETWORK_H

#include "network_features.h"

enum {
    MAX_LEVELS = 16,
    MAX_CONVOLUTIONS = 16,
    MAX_WIDTH = 1024, /* width of any layer */
    LANES = 8,         /* rows of matrices are padded to a multiple of this many floats */
    ROWS_AT_ONCE = 32  /* of a convolution, while a third of its weights is in the cache */
};

static const float NOTHING[MAX_WIDTH] = {0};

typedef struct {
    const float *at;
    int rows, cols; /* cols is the width of the output, stride the distance between rows */
    int stride;
} Matrix;

typedef struct {
    int step;
    Matrix weight; /* three stacked matrices: for the block after, the block itself, the block before */
    Matrix bias;
} Convolution;

typedef struct {
    Matrix element, element_bias, tags, words;
    Matrix block, block_bias, around, inner, page;
    Matrix inside, inside_bias, tree_inside, tree_element, tree_bias, back, back_bias;
    Matrix whole, whole_bias, heads, heads_bias, kind, kind_bias;
    int near_count, last_count, levels;
    Convolution near[MAX_CONVOLUTIONS], last[MAX_CONVOLUTIONS];
} Network;

/* The ancestors of blocks, each listed once per level, so that its contribution at a level is computed once, however
   many blocks it contains. */
typedef struct {
    int counts[MAX_LEVELS];
    int32_t *elements[MAX_LEVELS]; /* rows of elements */
    int32_t *above[MAX_LEVELS];    /* position of the parent in the list of the next level, or -1 */
    int32_t *of_block;              /* n: position of its element in the first list */
} Chains;

static int list_chains(const Counts *a, int levels, Pool *pool, Chains *chains) {
    const size_t n = (size_t)a->n, m = (size_t)a->m, most = n < m ? n : m;
    int32_t *seen = TAKE(pool, int32_t, m), *room = TAKE(pool, int32_t, 2 * most * (size_t)levels);
    chains->of_block = TAKE(pool, int32_t, n);
    if (pool->failed)
        return 0;
    for (int level = 0; level < levels; level++) {
        chains->elements[level] = room + 2 * most * (size_t)level;
        chains->above[level] = chains->elements[level] + most;
    }
    memset(seen, -1, m * sizeof *seen);
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t *place = seen + a->owners[i];
        if (*place < 0) {
            *place = count;
            chains->elements[0][count++] = a->owners[i];
        }
        chains->of_block[i] = *place;
    }
    chains->counts[0] = count;
    for (int level = 0; level < levels; level++) {
        const int32_t *elements = chains->elements[level];
        for (int at = 0; at < chains->counts[level]; at++)
            seen[elements[at]] = -1;
        count = 0;
        for (int at = 0; at < chains->counts[level]; at++) {
            int up = a->parents[elements[at]];
            chains->above[level][at] = -1;
            if (up < 0 || level + 1 == levels)
                continue;
            if (seen[up] < 0) {
                seen[up] = count;
                chains->elements[level + 1][count++] = up;
            }
            chains->above[level][at] = seen[up];
        }
        if (level + 1 < levels)
            chains->counts[level + 1] = count;
    }
    return 1;
}

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define HAS_LISTS_OF_4 1

/* Write the positions of the non-zero ones of four numbers, from `at` on, padded to four; return which as bits. */
static inline int list_4(const float *row, int at, const uint16_t (*listed)[4], uint16_t *places) {
    const int some = _mm_movemask_ps(_mm_cmpneq_ps(_mm_loadu_ps(row + at), _mm_setzero_ps()));
    const __m128i found = _mm_loadl_epi64((const __m128i *)listed[some]);
    _mm_storel_epi64((__m128i *)places, _mm_add_epi16(found, _mm_set1_epi16((short)at)));
    return some;
}
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#include <arm_neon.h>
#define HAS_LISTS_OF_4 1

static inline int list_4(const float *row, int at, const uint16_t (*listed)[4], uint16_t *places) {
    static const uint32_t BITS[4] = {1, 2, 4, 8};
    const uint32x4_t zero = vceqzq_f32(vld1q_f32(row + at));
    const int some = (int)vaddvq_u32(vbicq_u32(vld1q_u32(BITS), zero));
    vst1_u16(places, vadd_u16(vld1_u16(listed[some]), vdup_n_u16((uint16_t)at)));
    return some;
}
#endif

#ifdef HAS_LISTS_OF_4
/* For each combination of zeros among four numbers: the positions and the count of the non-zero ones. */
static const uint16_t SOME_OF_4[16][4] = {
    {0}, {0}, {1}, {0, 1}, {2}, {0, 2}, {1, 2}, {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};
static const uint8_t COUNT_OF_4[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
#endif

/* List the positions of the non-zero numbers of a row; return how many. There are no branches on the data, which would
   be unpredictable. */
static inline int list_some(const float *row, int count, uint16_t *places) {
    int found = 0, at = 0;
#ifdef HAS_LISTS_OF_4
    for (; at + 4 <= count; at += 4)
        found += COUNT_OF_4[list_4(row, at, SOME_OF_4, places + found)];
#endif
    for (; at < count; at++) {
        uint32_t bits; /* the sign is shifted out; comparing integers is faster */
        memcpy(&bits, row + at, sizeof bits);
        places[found] = (uint16_t)at;
        found += bits << 1 != 0;
    }
    return found;
}

/* The output for a page: n probabilities of main text, n of comments, one per kind of page. */
typedef struct {
    float *keep, *comment, *kinds;
} Scores;

enum { SCORED, NO_MEMORY, NOT_FINITE };

static float find_chance(float x) {
    x = x < -30 ? -30 : x;
    x = x > 30 ? 30 : x;
    return 1 / (1 + expf(-x));
}

#endif
