/* The layers of the network. network_vectors.h includes this file once for each vector width, with NAMED(f) as the name
   of a function for that width, TARGET as the compiler attribute it needs, and VECTOR floats in a vector.

   At least half of the inputs of a layer are zero: only the rows of its matrix for the other inputs are added up, many
   columns at a time in registers. */

#if VECTOR > 1
typedef float NAMED(Vec) __attribute__((vector_size(4 * VECTOR), aligned(4), may_alias));
typedef float NAMED(LongVec) __attribute__((vector_size(4 * LONG_VECTOR), aligned(4), may_alias));
#else
typedef float NAMED(Vec);
typedef float NAMED(LongVec);
#endif

#define AT(pointer) (*(NAMED(Vec) *)(pointer))
#define READ_AT(pointer) (*(const NAMED(Vec) *)(pointer))

/* out = base + a row times a matrix, in COLUMNS columns; only non-zero inputs are read. */
#define ADD_COLUMNS(NAME, COLUMNS, TYPE, FLOATS) \
    static TARGET inline void NAMED(NAME)(const float *row, const uint16_t *places, int found, const float *weight, \
                                          int stride, const float *base, float *out) { \
        TYPE sums[(COLUMNS) / (FLOATS)]; \
        UNROLL for (int v = 0; v < (COLUMNS) / (FLOATS); v++) sums[v] = *(const TYPE *)(base + v * (FLOATS)); \
        for (int at = 0; at < found; at++) { \
            const float value = row[places[at]]; \
            const float *from = weight + (size_t)places[at] * (size_t)stride; \
            UNROLL for (int v = 0; v < (COLUMNS) / (FLOATS); v++) sums[v] += value * *(const TYPE *)(from + v * (FLOATS)); \
        } \
        UNROLL for (int v = 0; v < (COLUMNS) / (FLOATS); v++) *(TYPE *)(out + v * (FLOATS)) = sums[v]; \
    }

ADD_COLUMNS(add_many, MANY_COLUMNS, NAMED(LongVec), LONG_VECTOR)
ADD_COLUMNS(add_few, LANES, NAMED(Vec), VECTOR)

static TARGET inline void NAMED(add_listed)(const float *row, const uint16_t *places, int found, const float *weight,
                                            int stride, const float *base, float *out) {
    int column = 0;
    for (; column + MANY_COLUMNS <= stride; column += MANY_COLUMNS)
        NAMED(add_many)(row, places, found, weight + column, stride, base + column, out + column);
    for (; column < stride; column += LANES)
        NAMED(add_few)(row, places, found, weight + column, stride, base + column, out + column);
}

/* out = base + a row times a matrix, from its row `first` on. */
static TARGET inline void NAMED(add_product)(const float *row, int count, Matrix weight, int first, const float *base,
                                             float *out) {
    uint16_t places[MAX_WIDTH];
    const int found = list_some(row, count, places);
    const float *from = weight.at + (size_t)first * (size_t)weight.stride;
    NAMED(add_listed)(row, places, found, from, weight.stride, base, out);
}

/* The same for ROWS rows, including zeros, in COLUMNS columns: with so few columns, skipping zeros takes longer. */
#define ADD_ROWS(NAME, ROWS, COLUMNS) \
    static TARGET inline void NAMED(NAME)(const float *rows, int row_stride, int count, const float *weight, int stride, \
                                          float *out) { \
        NAMED(Vec) sums[ROWS][(COLUMNS) / VECTOR]; \
        UNROLL for (int r = 0; r < ROWS; r++) \
            UNROLL for (int v = 0; v < (COLUMNS) / VECTOR; v++) sums[r][v] = READ_AT(out + r * stride + v * VECTOR); \
        for (int at = 0; at < count; at++) \
            UNROLL for (int v = 0; v < (COLUMNS) / VECTOR; v++) { \
                const NAMED(Vec) from = READ_AT(weight + (size_t)at * (size_t)stride + v * VECTOR); \
                UNROLL for (int r = 0; r < ROWS; r++) sums[r][v] += rows[(size_t)r * (size_t)row_stride + at] * from; \
            } \
        UNROLL for (int r = 0; r < ROWS; r++) \
            UNROLL for (int v = 0; v < (COLUMNS) / VECTOR; v++) AT(out + r * stride + v * VECTOR) = sums[r][v]; \
    }

ADD_ROWS(add_rows_of_24, ROWS_OF_24, 24)
ADD_ROWS(add_row_of_24, 1, 24)
ADD_ROWS(add_rows_of_16, ROWS_OF_24, 16)
ADD_ROWS(add_row_of_16, 1, 16)
ADD_ROWS(add_row_of_8, 1, LANES)

/* Add the product of all rows and some columns of a matrix, ROWS rows at a time. */
#define ADD_ALL(MANY, ONE, ROWS) \
    do { \
        int r = 0; \
        for (; r + (ROWS) <= row_count; r += (ROWS)) \
            NAMED(MANY)(rows + (size_t)r * (size_t)row_stride, row_stride, count, weight.at + column, stride, \
                        out + (size_t)r * (size_t)stride + column); \
        for (; r < row_count; r++) \
            NAMED(ONE)(rows + (size_t)r * (size_t)row_stride, row_stride, count, weight.at + column, stride, \
                       out + (size_t)r * (size_t)stride + column); \
    } while (0)

/* Add the product of rows and a matrix to the rows of `out`. */
static TARGET void NAMED(add_products)(const float *rows, int row_stride, int row_count, int count, Matrix weight,
                                       float *out) {
    const int stride = weight.stride;
    int column = 0;
    for (; column + 24 <= stride; column += 24)
        ADD_ALL(add_rows_of_24, add_row_of_24, ROWS_OF_24);
    for (; column + 16 <= stride; column += 16)
        ADD_ALL(add_rows_of_16, add_row_of_16, ROWS_OF_24);
    for (; column < stride; column += LANES)
        ADD_ALL(add_row_of_8, add_row_of_8, 1);
}

#undef ADD_ALL

/* The same for rows that consist of full vectors. */
static TARGET inline void NAMED(copy_row)(const float *row, int stride, float *out) {
    for (int at = 0; at < stride; at += VECTOR)
        AT(out + at) = READ_AT(row + at);
}

static TARGET inline void NAMED(add_row)(const float *row, int stride, float *out) {
    for (int at = 0; at < stride; at += VECTOR)
        AT(out + at) += READ_AT(row + at);
}

static TARGET inline void NAMED(cut_below_zero)(float *values, size_t count) { /* keeps NaN */
    for (size_t at = 0; at < count; at++)
        values[at] = values[at] < 0 ? 0 : values[at];
}

/* Compute a vector for each element from its features, tag, class and id words. `sums` has a row per class and id. */
static TARGET void NAMED(read_elements)(const Counts *a, const Network *net, const Features *f, float *sums, float *e) {
    const int stride = net->element.stride;
    int start = 0;
    for (int key = 0; key < a->keys; key++) {
        float *sum = sums + (size_t)key * (size_t)stride;
        NAMED(copy_row)(net->element_bias.at, stride, sum);
        for (; start < a->word_stops[key]; start++)
            NAMED(add_row)(net->words.at + (size_t)a->words[start] * (size_t)stride, stride, sum);
    }
    for (int x = 0; x < a->m; x++) {
        float *row = e + (size_t)x * (size_t)stride;
        NAMED(copy_row)(sums + (size_t)a->keys_of[x] * (size_t)stride, stride, row);
        NAMED(add_row)(net->tags.at + (size_t)a->tags[x] * (size_t)stride, stride, row);
    }
    NAMED(add_products)((const float *)f->elements, ELEMENT_FEATURES, a->m, ELEMENT_FEATURES, net->element, e);
    NAMED(cut_below_zero)(e, (size_t)a->m * (size_t)stride);
}

/* Add the contributions of each block's ancestors, by level, to the rows of `out`. `one` and `other` are scratch space
   with a row per block. */
static TARGET void NAMED(add_chains)(const Counts *a, const Network *net, const Chains *chains, const float *e, int size,
                                     int e_stride, Matrix weight, float *one, float *other, float *out) {
    const size_t stride = (size_t)weight.stride;
    float *above = one, *here = other;
    for (int level = net->levels - 1; level >= 0; level--) {
        for (int at = 0; at < chains->counts[level]; at++) {
            const int up = chains->above[level][at];
            const float *base = up < 0 ? NOTHING : above + (size_t)up * stride;
            const float *vector = e + (size_t)chains->elements[level][at] * (size_t)e_stride;
            NAMED(add_product)(vector, size, weight, level * size, base, here + (size_t)at * stride);
        }
        float *last = above;
        above = here;
        here = last;
    }
    for (int i = 0; i < a->n; i++)
        NAMED(add_row)(above + (size_t)chains->of_block[i] * stride, weight.stride, out + (size_t)i * stride);
}

/* Compute a vector for each block from its features, the tag of its first leaf, and the page. `h` already contains the
   contributions of its ancestors. */
static TARGET void NAMED(read_blocks)(const Counts *a, const Network *net, const Features *f, float *page, float *h) {
    const int stride = net->block.stride;
    NAMED(add_product)((const float *)&f->page, PAGE_FEATURES, net->page, 0, net->block_bias.at, page);
    for (int i = 0; i < a->n; i++) {
        float *row = h + (size_t)i * (size_t)stride;
        NAMED(add_row)(page, stride, row);
        NAMED(add_row)(net->inner.at + (size_t)a->inner[i] * (size_t)stride, stride, row);
        NAMED(add_product)((const float *)(f->blocks + i), BLOCK_FEATURES, net->block, 0, row, row);
    }
    NAMED(cut_below_zero)(h, (size_t)a->n * (size_t)stride);
}

/* A convolution over each block and those one step away, with a residual connection. */
static TARGET void NAMED(convolve)(const Convolution *layer, int n, uint16_t *places, float *said, float *h) {
    const int stride = layer->weight.stride, width = layer->weight.cols;
    int found[ROWS_AT_ONCE];
    for (int i = 0; i < n; i++)
        NAMED(copy_row)(layer->bias.at, stride, said + (size_t)i * (size_t)stride);
    for (int start = 0; start < n; start += ROWS_AT_ONCE) {
        const int rows = n - start < ROWS_AT_ONCE ? n - start : ROWS_AT_ONCE;
        for (int r = 0; r < rows; r++)
            found[r] = list_some(h + (size_t)(start + r) * (size_t)stride, width, places + r * width);
        for (int part = 0; part < 3; part++) { /* for the block after, the block itself, the block before */
            const float *weight = layer->weight.at + (size_t)(part * width) * (size_t)stride;
            for (int r = 0; r < rows; r++) {
                const int64_t to = (int64_t)start + r + (int64_t)(1 - part) * layer->step;
                if (to < 0 || to >= n)
                    continue;
                float *out = said + (size_t)to * (size_t)stride;
                NAMED(add_listed)(h + (size_t)(start + r) * (size_t)stride, places + r * width, found[r], weight, stride,
                                  out, out);
            }
        }
    }
    for (size_t at = 0; at < (size_t)n * (size_t)stride; at++)
        h[at] += said[at] < 0 ? 0 : said[at]; /* keeps NaN */
}

/* Compute the mean over the blocks in each element, and from it and the element's vector, its output. */
static TARGET void NAMED(read_insides)(const Counts *a, const Network *net, const Features *f, const float *e,
                                       const float *part, double *sums, float *means, float *t) {
    const int stride = net->inside.stride;
    for (int at = 0; at < stride; at++)
        sums[at] = 0;
    for (int i = 0; i < a->n; i++)
        for (int at = 0; at < stride; at++)
            sums[(size_t)(i + 1) * (size_t)stride + at] =
                sums[(size_t)i * (size_t)stride + at] + part[(size_t)i * (size_t)stride + at];
    for (int x = 0; x < a->m; x++) {
        const int first = f->spans[2 * (size_t)x], stop = f->spans[2 * (size_t)x + 1];
        const double *low = sums + (size_t)first * (size_t)stride, *high = sums + (size_t)stop * (size_t)stride;
        const float blocks = (float)(stop - first > 1 ? stop - first : 1);
        float *mean = means + (size_t)x * (size_t)stride;
        for (int at = 0; at < stride; at++)
            mean[at] = (float)(high[at] - low[at]) / blocks;
        NAMED(copy_row)(net->tree_bias.at, stride, t + (size_t)x * (size_t)stride);
    }
    NAMED(add_products)(means, stride, a->m, net->inside.cols, net->tree_inside, t);
    NAMED(add_products)(e, net->element.stride, a->m, net->element.cols, net->tree_element, t);
    NAMED(cut_below_zero)(t, (size_t)a->m * (size_t)stride);
}

/* Compute the contribution of all blocks with the same path to each of them; `means` and `said` have a row per path. */
static TARGET void NAMED(add_groups)(const Counts *a, const Network *net, const Features *f, const float *part,
                                     int32_t *members, float *means, float *said, float *out) {
    const size_t stride = (size_t)net->inside.stride, width = (size_t)net->back.stride;
    memset(means, 0, (size_t)f->group_count * stride * sizeof *means);
    memset(members, 0, (size_t)f->group_count * sizeof *members);
    for (int i = 0; i < a->n; i++) {
        members[f->groups[i]]++;
        NAMED(add_row)(part + (size_t)i * stride, net->inside.stride, means + (size_t)f->groups[i] * stride);
    }
    for (int g = 0; g < f->group_count; g++) {
        float *mean = means + (size_t)g * stride;
        for (size_t at = 0; at < stride; at++)
            mean[at] /= (float)members[g];
        NAMED(cut_below_zero)(mean, stride);
        NAMED(add_product)(mean, net->inside.cols, net->back, net->levels * net->inside.cols, NOTHING,
                           said + (size_t)g * width);
    }
    for (int i = 0; i < a->n; i++)
        NAMED(add_row)(said + (size_t)f->groups[i] * width, net->back.stride, out + (size_t)i * width);
}

/* Feed the mean and the maximum over all blocks through a layer. */
static TARGET void NAMED(read_whole)(const Network *net, int n, const float *h, float *whole) {
    const int width = net->block.cols;
    const size_t stride = (size_t)net->block.stride;
    double sums[MAX_WIDTH] = {0};
    float mean[MAX_WIDTH], most[MAX_WIDTH];
    memcpy(most, h, (size_t)width * sizeof *most);
    for (int i = 0; i < n; i++) {
        const float *row = h + (size_t)i * stride;
        for (int at = 0; at < width; at++)
            sums[at] += row[at];
        for (int at = 0; at < width; at++)
            most[at] = row[at] > most[at] ? row[at] : most[at];
    }
    for (int at = 0; at < width; at++)
        mean[at] = (float)(sums[at] / n);
    NAMED(add_product)(mean, width, net->whole, 0, net->whole_bias.at, whole);
    NAMED(add_product)(most, width, net->whole, width, whole, whole);
    NAMED(cut_below_zero)(whole, stride);
}

/* The heads: probabilities of each block and of the page; return whether all are finite. */
static TARGET int NAMED(read_ends)(const Network *net, int n, const float *h, const float *whole, Scores scores) {
    const int stride = net->block.stride, kinds = net->kind.cols;
    const float *keep = net->heads.at, *comment = net->heads.at + net->heads.stride;
    float chances[MAX_WIDTH], sum = 0;
    int finite = 1;
    for (int i = 0; i < n; i++) {
        const float *row = h + (size_t)i * (size_t)stride;
        float sums[2][LANES] = {{0}};
        for (int at = 0; at < stride; at += LANES)
            for (int lane = 0; lane < LANES; lane++) {
                sums[0][lane] += row[at + lane] * keep[at + lane];
                sums[1][lane] += row[at + lane] * comment[at + lane];
            }
        float kept = net->heads_bias.at[0], said = net->heads_bias.at[1];
        for (int lane = 0; lane < LANES; lane++) {
            kept += sums[0][lane];
            said += sums[1][lane];
        }
        scores.keep[i] = find_chance(kept);
        scores.comment[i] = find_chance(said);
        finite &= isfinite(scores.keep[i]) && isfinite(scores.comment[i]);
    }
    NAMED(add_product)(whole, net->block.cols, net->kind, 0, net->kind_bias.at, chances);
    for (int kind = 0; kind < kinds; kind++)
        sum += chances[kind] = expf(chances[kind]);
    for (int kind = 0; kind < kinds; kind++) {
        scores.kinds[kind] = chances[kind] / sum;
        finite &= isfinite(scores.kinds[kind]);
    }
    return finite;
}

static TARGET int NAMED(score_features)(const Counts *a, const Network *net, const Features *f, Pool *pool,
                                        Scores scores) {
    const size_t n = (size_t)a->n, m = (size_t)a->m, groups = (size_t)f->group_count;
    const int stride = net->block.stride, e_stride = net->element.stride, t_stride = net->inside.stride;
    const size_t wide = n * (size_t)stride;
    Chains chains;
    float page[MAX_WIDTH], whole[MAX_WIDTH];
    float *h = TAKE(pool, float, wide), *one = TAKE(pool, float, wide), *other = TAKE(pool, float, wide);
    float *e = TAKE(pool, float, m * (size_t)e_stride), *t = TAKE(pool, float, m * (size_t)t_stride);
    float *words = TAKE(pool, float, (size_t)a->keys * (size_t)e_stride), *part = TAKE(pool, float, n * (size_t)t_stride);
    double *sums = TAKE(pool, double, (n + 1) * (size_t)t_stride);
    float *inside = TAKE(pool, float, m * (size_t)t_stride);
    float *means = TAKE(pool, float, groups * (size_t)t_stride);
    int32_t *members = TAKE(pool, int32_t, groups);
    uint16_t *places = TAKE(pool, uint16_t, (size_t)ROWS_AT_ONCE * (size_t)net->block.cols);
    if (pool->failed || !list_chains(a, net->levels, pool, &chains))
        return NO_MEMORY;
    NAMED(read_elements)(a, net, f, words, e);
    memset(h, 0, wide * sizeof *h);
    NAMED(add_chains)(a, net, &chains, e, net->element.cols, e_stride, net->around, one, other, h);
    NAMED(read_blocks)(a, net, f, page, h);
    for (int layer = 0; layer < net->near_count; layer++)
        NAMED(convolve)(net->near + layer, a->n, places, one, h);
    for (size_t i = 0; i < n; i++)
        NAMED(copy_row)(net->inside_bias.at, t_stride, part + i * (size_t)t_stride);
    NAMED(add_products)(h, stride, a->n, net->block.cols, net->inside, part);
    NAMED(read_insides)(a, net, f, e, part, sums, inside, t);
    NAMED(read_whole)(net, a->n, h, whole);
    NAMED(add_chains)(a, net, &chains, t, net->inside.cols, t_stride, net->back, one, other, h);
    NAMED(add_groups)(a, net, f, part, members, means, one, h);
    memcpy(page, net->back_bias.at, (size_t)stride * sizeof *page);
    NAMED(add_row)(whole, stride, page);
    for (size_t i = 0; i < n; i++)
        NAMED(add_row)(page, stride, h + i * (size_t)stride);
    NAMED(cut_below_zero)(h, wide);
    for (int layer = 0; layer < net->last_count; layer++)
        NAMED(convolve)(net->last + layer, a->n, places, one, h);
    return NAMED(read_ends)(net, a->n, h, whole, scores) ? SCORED : NOT_FINITE;
}

#undef ADD_COLUMNS
#undef ADD_ROWS
#undef AT
#undef READ_AT
