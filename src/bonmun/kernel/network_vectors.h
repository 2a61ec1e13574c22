/* The layers for each vector width of the machine, and the choice between them. */
#ifndef BONMUN_VECTORS_H
#define BONMUN_VECTORS_H

#include "network_parts.h"

#if defined(__GNUC__) || defined(__clang__)
#define UNROLL _Pragma("GCC unroll 64")
#define VECTOR 4
#else
#define UNROLL
#define VECTOR 1
#endif

/* As many sums as fit into registers: those of SSE2 hold 64 numbers, some of which are needed for other values. */
#if defined(__aarch64__)
#define MANY_COLUMNS 64
#define ROWS_OF_24 4
#else
#define MANY_COLUMNS 32
#define ROWS_OF_24 2
#endif
#define LONG_VECTOR VECTOR
#define TARGET
#define NAMED(name) name##_plain
#include "network_layers.h"
#undef NAMED
#undef TARGET
#undef MANY_COLUMNS
#undef ROWS_OF_24
#undef LONG_VECTOR
#undef VECTOR

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define HAS_WIDE 1
#define VECTOR 8
#define LONG_VECTOR 8
#define MANY_COLUMNS 64
#define ROWS_OF_24 4
#define TARGET __attribute__((target("avx2,fma")))
#define NAMED(name) name##_wide
#include "network_layers.h"
#undef NAMED
#undef TARGET
#undef LONG_VECTOR

#define LONG_VECTOR 16
#define TARGET __attribute__((target("avx512f,avx512vl,avx512dq,avx2,fma")))
#define NAMED(name) name##_wider
#include "network_layers.h"
#undef NAMED
#undef TARGET
#undef LONG_VECTOR
#undef MANY_COLUMNS
#undef ROWS_OF_24
#undef VECTOR
#endif

/* Return the floats in the longest vectors that the machine and the compiler have: 4, 8 or 16. */
static int find_longest_vector(void) {
#ifdef HAS_WIDE
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return 4;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
               ? 16
               : 8;
#else
    return 4;
#endif
}

/* `longest` is the longest vector to use, as found by find_longest_vector. */
static int score_counts(const Counts *a, const Constants *c, const Network *net, int longest, Pool *pool, Scores scores,
                        int32_t *groups) {
    Features found;
    int result = NO_MEMORY;
    if (compute_features(a, c, pool, &found)) {
#ifdef HAS_WIDE
        result = longest >= 16  ? score_features_wider(a, net, &found, pool, scores)
                 : longest >= 8 ? score_features_wide(a, net, &found, pool, scores)
                                : score_features_plain(a, net, &found, pool, scores);
#else
        (void)longest;
        result = score_features_plain(a, net, &found, pool, scores);
#endif
        memcpy(groups, found.groups, (size_t)a->n * sizeof *groups);
    }
    give_back(pool);
    return result;
}

#endif
