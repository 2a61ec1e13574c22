/* Compute features from the counts of a page, as models/features/scaled_features.py does with numpy.

   Counts have been checked: every index is in range, and parents come before their children. Numbers are as wide as in
   the reference, double where it has float64, since comparisons with thresholds must give the same result. */
#ifndef BONMUN_FEATURES_H
#define BONMUN_FEATURES_H

#include <math.h>
#include <stddef.h>
#include "network_pool.h"

/* Name and width of every column, in the order of the tables in models/features/scaled_features.py, which are compared
   with these lists first. */
#define BLOCK_COLUMNS(COLUMN) \
    COLUMN(letters, 1) COLUMN(words, 1) COLUMN(plain, 1) COLUMN(characters, 12) COLUMN(digits, 1) \
    COLUMN(link_share, 1) COLUMN(links, 1) COLUMN(leaves, 1) COLUMN(sentences, 1) COLUMN(commas, 1) COLUMN(lines, 1) \
    COLUMN(hidden, 1) COLUMN(title_share, 1) COLUMN(is_title, 1) COLUMN(copies, 1) \
    COLUMN(gap, 5) \
    COLUMN(place, 1) COLUMN(blocks_before, 1) COLUMN(blocks_after, 1) COLUMN(plain_before, 1) \
    COLUMN(letters_to_mean, 1) COLUMN(letters_to_most, 1) \
    COLUMN(h1_distance, 1) COLUMN(has_h1, 1) COLUMN(headline_distance, 1) COLUMN(has_headline, 1) \
    COLUMN(path_group, 4) COLUMN(depth_group, 4) \
    COLUMN(ends_sentence, 1) COLUMN(ends_mark, 1) COLUMN(starts_capital, 1) COLUMN(starts_digit, 1) \
    COLUMN(starts_symbol, 1) \
    COLUMN(depth, 1) \
    COLUMN(like_date, 1) \
    COLUMN(site, 2) COLUMN(has_site, 1) \
    COLUMN(heading_distance, 1) COLUMN(heading_level, 1) \
    COLUMN(target, 13)

#define ELEMENT_COLUMNS(COLUMN) \
    COLUMN(letters, 1) COLUMN(plain, 1) COLUMN(link_share, 1) COLUMN(letters_of_page, 1) COLUMN(plain_of_page, 1) \
    COLUMN(plain_a_block, 1) COLUMN(blocks, 1) COLUMN(sentences, 1) COLUMN(sentences_a_block, 1) COLUMN(labels, 1) \
    COLUMN(linked, 1) COLUMN(headings, 1) \
    COLUMN(first_block, 1) COLUMN(last_block, 1) COLUMN(plain_before, 1) COLUMN(plain_until, 1) \
    COLUMN(depth, 1) COLUMN(children, 1) COLUMN(twins, 1) COLUMN(twin_rank, 1) COLUMN(letters_of_parent, 1) \
    COLUMN(plain_of_parent, 1) \
    COLUMN(pictures, 1) COLUMN(inputs_a_block, 1) COLUMN(frames, 1) COLUMN(rules, 1) COLUMN(icons, 1) COLUMN(hidden, 1)

#define PAGE_COLUMNS(COLUMN) \
    COLUMN(letters, 1) COLUMN(plain, 1) COLUMN(link_share, 1) COLUMN(blocks, 1) COLUMN(labels, 1) COLUMN(linked, 1) \
    COLUMN(hidden, 1) COLUMN(sentences, 1) \
    COLUMN(counts, 11) COLUMN(password, 1) COLUMN(address, 8)

/* Constants in models/features/, under the same names; Python passes them as doubles. */
#define CONSTANTS(CONSTANT) \
    CONSTANT(LIMIT) CONSTANT(LABEL_LETTERS) CONSTANT(TINY) CONSTANT(TITLE_SHARE) CONSTANT(TITLE_LETTERS) \
    CONSTANT(DATE_SHARE) CONSTANT(NO_HEADING) CONSTANT(HEADLINE_LETTERS) CONSTANT(HEADLINE_SHARE) \
    CONSTANT(HEADING_BONUS) CONSTANT(HEADLINE_SCORE) CONSTANT(MANY_INPUTS)

#define NUMBERS(NUMBER) /* integers: classes of characters, uses of tags, columns of links, the tag <h1> */ \
    NUMBER(BLANK) NUMBER(COMMA) NUMBER(DIGIT) NUMBER(END) NUMBER(FENCE) NUMBER(LINE) NUMBER(MARK) NUMBER(SYMBOL) \
    NUMBER(UPPER) NUMBER(WIDE) NUMBER(PICTURES) NUMBER(INPUTS) NUMBER(FRAMES) NUMBER(RULES) NUMBER(ICONS) \
    NUMBER(LINK_CHARACTERS) NUMBER(LINK_LEAVES) NUMBER(H1) NUMBER(HEADING_LEVELS)

#define AS_FIELD(name, width) float name[width];
typedef struct { BLOCK_COLUMNS(AS_FIELD) } BlockRow;
typedef struct { ELEMENT_COLUMNS(AS_FIELD) } ElementRow;
typedef struct { PAGE_COLUMNS(AS_FIELD) } PageRow;

enum {
    CLASSES = sizeof(((BlockRow *)0)->characters) / sizeof(float),
    USES = sizeof(((BlockRow *)0)->gap) / sizeof(float),
    TARGETS = sizeof(((BlockRow *)0)->target) / sizeof(float),
    FACTS = (sizeof(PageRow) - offsetof(PageRow, counts)) / sizeof(float),
    GROUP_MEASURES = sizeof(((BlockRow *)0)->path_group) / sizeof(float),
    BLOCK_FEATURES = sizeof(BlockRow) / sizeof(float),
    ELEMENT_FEATURES = sizeof(ElementRow) / sizeof(float),
    PAGE_FEATURES = sizeof(PageRow) / sizeof(float),
    MAX_TAGS = 256,
    LOGARITHMS = 2048 /* table of logarithms of small integers */
};

#define AS_DOUBLE(name) double name;
#define AS_INT(name) int name;
typedef struct {
    CONSTANTS(AS_DOUBLE)
    NUMBERS(AS_INT)
    double class_letters[CLASSES];
    uint8_t heading_levels[MAX_TAGS];
    uint64_t path_factor;
    float logs[LOGARITHMS]; /* log1p of 0, 1, 2, ... */
} Constants;

/* The same as lists: columns, to compare with Python's tables; constants, with their offsets. */
typedef struct {
    const char *name;
    size_t value; /* number of columns, or offset in `Constants` */
} Named;
#define AS_COLUMN(name, width) {#name, width},
#define AS_PLACE(name) {#name, offsetof(Constants, name)},
static const Named BLOCK_NAMES[] = {BLOCK_COLUMNS(AS_COLUMN){NULL, 0}};
static const Named ELEMENT_NAMES[] = {ELEMENT_COLUMNS(AS_COLUMN){NULL, 0}};
static const Named PAGE_NAMES[] = {PAGE_COLUMNS(AS_COLUMN){NULL, 0}};
static const Named CONSTANT_NAMES[] = {CONSTANTS(AS_PLACE){NULL, 0}};
static const Named NUMBER_NAMES[] = {NUMBERS(AS_PLACE){NULL, 0}};

/* The fields of `PageArrays` in models/features/page_arrays.py; n blocks, m elements. */
typedef struct {
    int n, m, keys, word_count;
    const int32_t *owners;
    const uint8_t *inner;
    const int32_t *counts;
    const uint8_t *edges;
    const int32_t *sentences, *links, *leaves;
    const uint8_t *hidden;
    const float *title;
    const int32_t *copies;
    const float *targets;
    const int32_t *between;
    const int32_t *parents;
    const uint8_t *tags;
    const int32_t *names, *keys_of, *word_stops;
    const int16_t *words;
    const float *facts;
} Counts;

typedef struct {
    BlockRow *blocks;     /* n */
    ElementRow *elements; /* m */
    PageRow page;
    int32_t *spans;  /* m pairs: the first block in an element, and the one after the last */
    int32_t *groups; /* n: the same number for blocks with the same path of tags and classes */
    int group_count;
} Features;

/* Sums over the visible blocks, as `Sums` in models/features/measures.py. */
typedef struct {
    double text, plain, shown, sentences, labels, linked, headings;
} Sums;

/* Values that several features of a block need. */
typedef struct {
    float letters, chars, shown, text;
    double link_share, plain;
    int heading; /* its level, or 0 */
} BlockMeasures;

static float find_log(const Constants *c, double x) { /* log1p */
    if (x >= 0 && x < LOGARITHMS) {
        int whole = (int)x;
        if (whole == x)
            return c->logs[whole];
    }
    return (float)log1p(x);
}

static float count_log(const Constants *c, int64_t x) {
    return (uint64_t)x < LOGARITHMS ? c->logs[x] : (float)log1p((double)x);
}

static void limit_values(float *values, size_t count, float limit) { /* keeps NaN */
    for (size_t at = 0; at < count; at++) {
        float x = values[at];
        x = x < -limit ? -limit : x;
        values[at] = x > limit ? limit : x;
    }
}

/* Sort keys in ascending order, stably, with a radix sort, so that the time depends only on their number. `spare` has
   the same size as `order`. */
static void order_keys(const uint64_t *keys, int count, int32_t *order, int32_t *spare) {
    int32_t places[8][256];
    memset(places, 0, sizeof places);
    for (int at = 0; at < count; at++) {
        order[at] = at;
        for (int byte = 0; byte < 8; byte++)
            places[byte][keys[at] >> 8 * byte & 255]++;
    }
    int32_t *from = order, *to = spare;
    for (int byte = 0; byte < 8; byte++) {
        int32_t *place = places[byte], before = 0;
        if (!count || place[keys[0] >> 8 * byte & 255] == count)
            continue; /* all have the same byte */
        for (int value = 0; value < 256; value++) {
            int32_t here = place[value];
            place[value] = before;
            before += here;
        }
        for (int at = 0; at < count; at++)
            to[place[keys[from[at]] >> 8 * byte & 255]++] = from[at];
        int32_t *other = from;
        from = to;
        to = other;
    }
    if (from != order)
        memcpy(order, from, (size_t)count * sizeof *order);
}

/* Measure each block, and compute running sums: `running` has n + 1 rows, the sums before each block and in total. */
static void measure_each(const Counts *a, const Constants *c, BlockMeasures *blocks, Sums *running) {
    Sums sum = {0};
    running[0] = sum;
    for (int i = 0; i < a->n; i++) {
        BlockMeasures *b = blocks + i;
        double chars = 0, letters = 0;
        for (int class = 0; class < CLASSES; class++) {
            double count = a->counts[(size_t)i * CLASSES + class];
            chars += count;
            letters += count * c->class_letters[class];
        }
        b->chars = chars > 1 ? (float)chars : 1;
        b->letters = (float)letters;
        double share = a->links[2 * (size_t)i + c->LINK_CHARACTERS] / (double)b->chars;
        b->link_share = share > 1 ? 1 : share;
        b->shown = 1 - (float)a->hidden[i];
        b->text = b->letters * b->shown;
        b->plain = b->text * (1 - b->link_share);
        b->heading = c->heading_levels[a->tags[a->owners[i]]];
        sum.text += b->text;
        sum.plain += b->plain;
        sum.shown += b->shown;
        sum.sentences += (double)a->sentences[i] * b->shown;
        sum.labels += b->letters < (float)c->LABEL_LETTERS ? b->shown : 0;
        sum.linked += b->link_share > 0.5 ? b->shown : 0;
        sum.headings += b->heading ? b->shown : 0;
        running[i + 1] = sum;
    }
}

/* Compute the depth of each element, its children, the hash of its path, its first and last block. */
static void read_tree(const Counts *a, const Constants *c, int32_t *depths, int32_t *children, uint64_t *paths,
                      int32_t *spans) {
    for (int x = 0; x < a->m; x++) {
        int up = a->parents[x];
        uint64_t name = (uint64_t)(int64_t)a->names[x] * MAX_TAGS + a->tags[x] + 1;
        depths[x] = up < 0 ? 0 : depths[up] + 1;
        paths[x] = up < 0 ? name : name + c->path_factor * paths[up];
        children[x] = 0;
        if (up >= 0)
            children[up]++;
        spans[2 * (size_t)x] = a->n;
        spans[2 * (size_t)x + 1] = 0;
    }
    for (int i = 0; i < a->n; i++) {
        int32_t *span = spans + 2 * (size_t)a->owners[i];
        if (span[0] > i)
            span[0] = i;
        span[1] = i + 1;
    }
    for (int x = a->m - 1; x > 0; x--) {
        if (a->parents[x] < 0)
            continue;
        int32_t *span = spans + 2 * (size_t)x, *up = spans + 2 * (size_t)a->parents[x];
        if (up[0] > span[0])
            up[0] = span[0];
        if (up[1] < span[1])
            up[1] = span[1];
    }
}

/* Number the paths of blocks by ascending hash, as np.unique does; return how many there are. */
static int number_groups(const Counts *a, const uint64_t *paths, uint64_t *keys, int32_t *order, int32_t *spare,
                         int32_t *groups) {
    int number = 0;
    for (int i = 0; i < a->n; i++)
        keys[i] = paths[a->owners[i]];
    order_keys(keys, a->n, order, spare);
    for (int at = 0; at < a->n; at++) {
        number += at && keys[order[at]] != keys[order[at - 1]];
        groups[order[at]] = number;
    }
    return number + 1;
}

/* For each element, count the siblings with its tag and class, and its position among them. */
static void measure_twins(const Counts *a, const Constants *c, uint64_t *keys, int32_t *order, int32_t *spare,
                          ElementRow *rows) {
    for (int x = 0; x < a->m; x++)
        keys[x] = ((uint64_t)(int64_t)(a->parents[x] + 1) << 31) + (uint64_t)(int64_t)a->names[x] * MAX_TAGS + a->tags[x];
    order_keys(keys, a->m, order, spare);
    for (int start = 0, stop; start < a->m; start = stop) {
        for (stop = start + 1; stop < a->m && keys[order[stop]] == keys[order[start]];)
            stop++;
        int twins = stop - start;
        float log_twins = count_log(c, twins - 1) / 2;
        for (int at = start; at < stop; at++) {
            *rows[order[at]].twins = log_twins;
            *rows[order[at]].twin_rank = (float)(at - start) / (float)twins;
        }
    }
}

/* Measures of each group of blocks: share of the page's text, share of links, count, mean length. */
typedef struct {
    double members, plain, text, counted;
    float values[GROUP_MEASURES];
} Group;

static void close_groups(const Constants *c, Group *groups, int count, float total_plain) {
    for (int g = 0; g < count; g++) {
        float members = groups[g].members > 1 ? (float)groups[g].members : 1;
        float plain = (float)groups[g].plain, text = (float)groups[g].text;
        groups[g].values[0] = plain / total_plain;
        groups[g].values[1] = 1 - plain / (text > 1 ? text : 1);
        groups[g].values[2] = find_log(c, (float)groups[g].counted) / 4;
        groups[g].values[3] = find_log(c, plain / members) / 2;
    }
}

static void add_member(Group *group, const BlockMeasures *b, double counted) {
    group->members += 1;
    group->plain += b->plain;
    group->text += b->text;
    group->counted += counted;
}

/* Return the first block that is most similar to the title, or -1. */
static int find_headline(const Counts *a, const Constants *c, const BlockMeasures *blocks) {
    const float most = (float)c->HEADLINE_LETTERS;
    float best = 0;
    int found = 0;
    for (int i = 0; i < a->n; i++) {
        float title = a->title[i], letters = blocks[i].letters;
        float score = title * (letters < most ? letters : most) / most;
        if (blocks[i].heading && title > (float)c->HEADLINE_SHARE)
            score += (float)c->HEADING_BONUS;
        if (!i || score > best) {
            best = score;
            found = i;
        }
    }
    return best > (float)c->HEADLINE_SCORE ? found : -1;
}

static int find_first_h1(const Counts *a, const Constants *c) {
    for (int i = 0; i < a->n; i++)
        if (a->tags[a->owners[i]] == c->H1)
            return i;
    return -1;
}

static float measure_distance(const Constants *c, int at, int place) {
    int offset = place < 0 ? 0 : at - place;
    return offset < 0 ? -count_log(c, -offset) / 4 : count_log(c, offset) / 4;
}

static void measure_text(const Counts *a, const Constants *c, int i, const BlockMeasures *b, BlockRow *row) {
    const int32_t *counts = a->counts + (size_t)i * CLASSES;
    double words = (double)counts[c->BLANK] + counts[c->LINE] + 1 + counts[c->WIDE] / 2.0;
    *row->letters = find_log(c, b->letters) / 2;
    *row->words = find_log(c, words) / 2;
    *row->plain = find_log(c, b->plain) / 2;
    for (int class = 0; class < CLASSES; class++)
        row->characters[class] = (float)counts[class] / b->chars;
    *row->digits = count_log(c, counts[c->DIGIT]);
    *row->link_share = (float)b->link_share;
    *row->links = count_log(c, a->links[2 * (size_t)i + c->LINK_LEAVES]);
    *row->leaves = count_log(c, a->leaves[i]);
    *row->sentences = count_log(c, a->sentences[i]);
    *row->commas = count_log(c, counts[c->COMMA]);
    *row->lines = count_log(c, counts[c->LINE]);
    float digits = (float)counts[c->DIGIT];
    *row->like_date =
        digits > 0 && b->letters < (float)c->LABEL_LETTERS && digits >= (float)c->DATE_SHARE * b->chars;
}

static void measure_look(const Counts *a, const Constants *c, int i, const BlockMeasures *b, BlockRow *row) {
    int start = a->edges[2 * (size_t)i], end = a->edges[2 * (size_t)i + 1];
    *row->hidden = 1 - b->shown;
    *row->title_share = a->title[i];
    *row->is_title = a->title[i] > (float)c->TITLE_SHARE && b->letters > (float)c->TITLE_LETTERS;
    *row->copies = count_log(c, (int64_t)a->copies[i] - 1);
    const int32_t *before = a->between + (size_t)i * USES;
    for (int use = 0; use < USES; use++)
        row->gap[use] = count_log(c, (int64_t)before[use] - (i ? before[use - USES] : 0));
    *row->ends_sentence = end == c->END;
    *row->ends_mark = end == c->MARK;
    *row->starts_capital = start == c->UPPER;
    *row->starts_digit = start == c->DIGIT;
    *row->starts_symbol = start == c->FENCE || start == c->SYMBOL;
    row->site[0] = row->site[1] = *row->has_site = 0;
    memcpy(row->target, a->targets + (size_t)i * TARGETS, sizeof row->target);
}

static void measure_blocks(const Counts *a, const Constants *c, const BlockMeasures *blocks, const Sums *running,
                           const int32_t *depths, const Group *paths, const int32_t *groups, const Group *levels,
                           BlockRow *rows) {
    const int n = a->n, h1 = find_first_h1(a, c), headline = find_headline(a, c, blocks);
    const float total_text = (float)running[n].text + (float)c->TINY;
    const float total_plain = (float)running[n].plain + (float)c->TINY;
    const float mean = total_text / (float)n > 1 ? total_text / (float)n : 1;
    float most = 1;
    int heading = -1;
    for (int i = 0; i < n; i++)
        most = blocks[i].letters > most ? blocks[i].letters : most;
    for (int i = 0; i < n; i++) {
        const BlockMeasures *b = blocks + i;
        BlockRow *row = rows + i;
        int depth = depths[a->owners[i]];
        measure_text(a, c, i, b, row);
        measure_look(a, c, i, b, row);
        *row->place = (float)i / (float)n;
        *row->blocks_before = count_log(c, i) / 4;
        *row->blocks_after = count_log(c, n - 1 - i) / 4;
        *row->plain_before = (float)(running[i].plain / total_plain);
        *row->letters_to_mean = b->letters / mean / 8;
        *row->letters_to_most = b->letters / most;
        *row->h1_distance = measure_distance(c, i, h1);
        *row->has_h1 = h1 >= 0;
        *row->headline_distance = measure_distance(c, i, headline);
        *row->has_headline = headline >= 0;
        memcpy(row->path_group, paths[groups[i]].values, sizeof row->path_group);
        memcpy(row->depth_group, levels[depth].values, sizeof row->depth_group);
        *row->depth = (float)depth / 10;
        heading = b->heading ? i : heading;
        *row->heading_distance = heading < 0 ? (float)c->NO_HEADING : count_log(c, i - heading) / 2;
        *row->heading_level = heading < 0 ? 0 : (float)blocks[heading].heading / (float)c->HEADING_LEVELS;
    }
    limit_values((float *)rows, (size_t)n * BLOCK_FEATURES, (float)c->LIMIT);
}

/* Return the sums over a range of blocks. */
static Sums sum_between(const Sums *running, int first, int stop) {
    const Sums *low = running + first, *high = running + stop;
    return (Sums){
        (float)(high->text - low->text),
        (float)(high->plain - low->plain),
        (float)(high->shown - low->shown),
        (float)(high->sentences - low->sentences),
        (float)(high->labels - low->labels),
        (float)(high->linked - low->linked),
        (float)(high->headings - low->headings),
    };
}

static float share_of_parent(float mine, float parents) {
    return mine / (parents > 1 ? parents : 1);
}

static void measure_elements(const Counts *a, const Constants *c, const Sums *running, const int32_t *depths,
                             const int32_t *children, const int32_t *spans, ElementRow *rows) {
    const int n = a->n;
    const float total_text = (float)running[n].text + (float)c->TINY;
    const float total_plain = (float)running[n].plain + (float)c->TINY;
    for (int x = 0; x < a->m; x++) {
        const int32_t *span = spans + 2 * (size_t)x, *up = spans + 2 * (size_t)(a->parents[x] < 0 ? 0 : a->parents[x]);
        const int first = span[0], stop = span[1];
        const Sums held = sum_between(running, first, stop);
        const float text = (float)held.text, plain = (float)held.plain, blocks = (float)(held.shown > 1 ? held.shown : 1);
        ElementRow *row = rows + x;
        *row->letters = find_log(c, text) / 4;
        *row->plain = find_log(c, plain) / 4;
        *row->link_share = 1 - plain / (text > 1 ? text : 1);
        *row->letters_of_page = text / total_text;
        *row->plain_of_page = plain / total_plain;
        *row->plain_a_block = find_log(c, plain / blocks) / 2;
        *row->blocks = find_log(c, held.shown) / 2;
        *row->sentences = find_log(c, held.sentences) / 2;
        *row->sentences_a_block = (float)held.sentences / blocks;
        *row->labels = (float)held.labels / blocks;
        *row->linked = (float)held.linked / blocks;
        *row->headings = find_log(c, held.headings);
        *row->first_block = (float)first / (float)n;
        *row->last_block = (float)stop / (float)n;
        *row->plain_before = (float)(running[first].plain / total_plain);
        *row->plain_until = (float)(running[stop].plain / total_plain);
        *row->depth = (float)depths[x] / 10;
        *row->children = count_log(c, children[x]) / 2;
        *row->letters_of_parent = share_of_parent(text, (float)(running[up[1]].text - running[up[0]].text));
        *row->plain_of_parent = share_of_parent(plain, (float)(running[up[1]].plain - running[up[0]].plain));
        const int32_t *low = a->between + (size_t)first * USES, *high = a->between + (size_t)stop * USES;
        const int some = stop - first > 1 ? stop - first : 1;
        double inputs = ((double)high[c->INPUTS] - low[c->INPUTS]) / some;
        *row->pictures = count_log(c, (int64_t)high[c->PICTURES] - low[c->PICTURES]) / 2;
        *row->inputs_a_block = (float)(inputs > c->MANY_INPUTS ? c->MANY_INPUTS : inputs);
        *row->frames = count_log(c, (int64_t)high[c->FRAMES] - low[c->FRAMES]) / 2;
        *row->rules = count_log(c, (int64_t)high[c->RULES] - low[c->RULES]) / 2;
        *row->icons = count_log(c, (int64_t)high[c->ICONS] - low[c->ICONS]) / 2;
        *row->hidden = (float)((stop - first - held.shown) / some);
    }
    limit_values((float *)rows, (size_t)a->m * ELEMENT_FEATURES, (float)c->LIMIT);
}

static void measure_page(const Counts *a, const Constants *c, const Sums *total, PageRow *row) {
    const float n = (float)a->n, tiny = (float)c->TINY;
    const float text = (float)total->text + tiny, plain = (float)total->plain + tiny;
    *row->letters = log1pf(text) / 4;
    *row->plain = log1pf(plain) / 4;
    *row->link_share = 1 - plain / text;
    *row->blocks = count_log(c, a->n) / 4;
    *row->labels = ((float)total->labels + tiny) / n;
    *row->linked = ((float)total->linked + tiny) / n;
    *row->hidden = 1 - ((float)total->shown + tiny) / n;
    *row->sentences = log1pf((float)total->sentences + tiny) / 4;
    memcpy(row->counts, a->facts, FACTS * sizeof(float));
}

/* Compute all features of a page with a block; return 0 if there is not enough memory. */
static int compute_features(const Counts *a, const Constants *c, Pool *pool, Features *found) {
    const size_t n = (size_t)a->n, m = (size_t)a->m, more = n > m ? n : m;
    found->blocks = TAKE(pool, BlockRow, n);
    found->elements = TAKE(pool, ElementRow, m);
    found->spans = TAKE(pool, int32_t, 2 * m);
    found->groups = TAKE(pool, int32_t, n);
    BlockMeasures *blocks = TAKE(pool, BlockMeasures, n);
    Sums *running = TAKE(pool, Sums, n + 1);
    int32_t *depths = TAKE(pool, int32_t, m), *children = TAKE(pool, int32_t, m);
    int32_t *order = TAKE(pool, int32_t, more), *spare = TAKE(pool, int32_t, more);
    uint64_t *paths = TAKE(pool, uint64_t, m), *keys = TAKE(pool, uint64_t, more);
    if (pool->failed)
        return 0;
    measure_each(a, c, blocks, running);
    read_tree(a, c, depths, children, paths, found->spans);
    found->group_count = number_groups(a, paths, keys, order, spare, found->groups);
    int deepest = 0;
    for (size_t x = 0; x < m; x++)
        deepest = depths[x] > deepest ? depths[x] : deepest;
    const size_t group_count = (size_t)found->group_count, level_count = (size_t)deepest + 1;
    Group *groups = TAKE(pool, Group, group_count), *levels = TAKE(pool, Group, level_count);
    if (pool->failed)
        return 0;
    memset(groups, 0, group_count * sizeof *groups);
    memset(levels, 0, level_count * sizeof *levels);
    for (size_t i = 0; i < n; i++) {
        add_member(groups + found->groups[i], blocks + i, blocks[i].shown);
        add_member(levels + depths[a->owners[i]], blocks + i, a->sentences[i]);
    }
    close_groups(c, groups, found->group_count, (float)running[n].plain + (float)c->TINY);
    close_groups(c, levels, deepest + 1, (float)running[n].plain + (float)c->TINY);
    measure_blocks(a, c, blocks, running, depths, groups, found->groups, levels, found->blocks);
    measure_twins(a, c, keys, order, spare, found->elements);
    measure_elements(a, c, running, depths, children, found->spans, found->elements);
    measure_page(a, c, running + n, &found->page);
    return 1;
}

#endif
