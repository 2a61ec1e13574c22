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
#define TARGET
#define NAMED(name) name##_plain
#include "network_layers.h"
#undef NAMED
#undef TARGET
#undef MANY_COLUMNS
#undef ROWS_OF_24
#undef VECTOR

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define HAS_WIDE 1
#define VECTOR 8
#define MANY_COLUMNS 64
#define ROWS_OF_24 4
#define TARGET __attribute__((target("avx2,fma")))
#define NAMED(name) name##_wide
#include "network_layers.h"
#undef NAMED
#undef TARGET
#undef MANY_COLUMNS
#undef ROWS_OF_24
#undef VECTOR
#endif

/* Return whether the machine has the wider vectors. */
static int has_wide_vectors(void) {
#ifdef HAS_WIDE
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}

static int score_counts(const Counts *a, const Constants *c, const Network *net, int wide, Pool *pool, Scores scores,
                        int32_t *groups) {
    Features found;
    int result = NO_MEMORY;
    if (compute_features(a, c, pool, &found)) {
#ifdef HAS_WIDE
        result = wide ? score_features_wide(a, net, &found, pool, scores)
                      : score_features_plain(a, net, &found, pool, scores);
#else
        (void)wide;
        result = score_features_plain(a, net, &found, pool, scores);
#endif
        memcpy(groups, found.groups, (size_t)a->n * sizeof *groups);
    }
    give_back(pool);
    return result;
}

#endif
