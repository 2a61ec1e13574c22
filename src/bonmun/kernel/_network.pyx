"""The network of the method `auto`: compute probabilities from the counts of a page. The C code is in network_*.h.

The references are models/network/labeller.py and models/features/scaled_features.py. Weights are packed by
models/network/packing.py, together with all constants and the names of all columns. Weights that were packed for other
columns than those in network_features.h are rejected.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport log1p
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memset


cdef extern from "network_vectors.h" nogil:
    enum:
        CLASSES, USES, TARGETS, FACTS, BLOCK_FEATURES, ELEMENT_FEATURES, PAGE_FEATURES, MAX_TAGS, LOGARITHMS
        MAX_LEVELS, MAX_CONVOLUTIONS, MAX_WIDTH, LANES
        NO_MEMORY, NOT_FINITE

    ctypedef struct Named:
        const char *name
        size_t value

    const Named BLOCK_NAMES[]
    const Named ELEMENT_NAMES[]
    const Named PAGE_NAMES[]
    const Named CONSTANT_NAMES[]
    const Named NUMBER_NAMES[]

    ctypedef struct Constants:
        double class_letters[1]
        uint8_t heading_levels[1]
        uint64_t path_factor
        float logs[1]
        int BLANK, COMMA, DIGIT, LINE, WIDE, PICTURES, INPUTS, FRAMES, RULES, ICONS, LINK_CHARACTERS, LINK_LEAVES

    ctypedef struct Counts:
        int n, m, keys, word_count
        const int32_t *owners
        const uint8_t *inner
        const int32_t *counts
        const uint8_t *edges
        const int32_t *sentences
        const int32_t *links
        const int32_t *leaves
        const uint8_t *hidden
        const float *title
        const int32_t *copies
        const float *targets
        const int32_t *between
        const int32_t *parents
        const uint8_t *tags
        const int32_t *names
        const int32_t *keys_of
        const int32_t *word_stops
        const int16_t *words
        const float *facts

    ctypedef struct BlockRow:
        pass

    ctypedef struct ElementRow:
        pass

    ctypedef struct PageRow:
        pass

    ctypedef struct Features:
        BlockRow *blocks
        ElementRow *elements
        PageRow page
        int32_t *spans
        int32_t *groups
        int group_count

    ctypedef struct Matrix:
        const float *at
        int rows, cols, stride

    ctypedef struct Convolution:
        int step
        Matrix weight, bias

    ctypedef struct Network:
        Matrix element, element_bias, tags, words
        Matrix block, block_bias, around, inner, page
        Matrix inside, inside_bias, tree_inside, tree_element, tree_bias, back, back_bias
        Matrix whole, whole_bias, heads, heads_bias, kind, kind_bias
        int near_count, last_count, levels
        Convolution near[1]
        Convolution last[1]

    ctypedef struct Scores:
        float *keep
        float *comment
        float *kinds

    ctypedef struct Pool:
        char *base
        size_t size

    int compute_features(const Counts *, const Constants *, Pool *, Features *)
    void give_back(Pool *)
    int find_longest_vector()
    int score_counts(const Counts *, const Constants *, const Network *, int, Pool *, Scores, int32_t *)


FIELDS = tuple(
    "owners inner counts edges sentences links leaves hidden title copies targets between "
    "parents tags names keys words word_stops facts".split()
)
cdef enum:
    FIELD_COUNT = 19
cdef size_t[FIELD_COUNT] ITEM_SIZES = [4, 1, 4, 1, 4, 4, 4, 1, 4, 4, 4, 4, 4, 1, 4, 4, 2, 4, 4]


cdef class _Views:
    """The buffers of a page's counts, held while they are read."""

    cdef Py_buffer[FIELD_COUNT] views
    cdef int held

    def __cinit__(self, tuple fields not None):
        cdef Py_buffer *view
        cdef int at
        if len(fields) != FIELD_COUNT:
            raise ValueError(f"expected {FIELD_COUNT} fields of counts, not {len(fields)}")
        for at in range(FIELD_COUNT):
            view = &self.views[at]
            PyObject_GetBuffer(fields[at], view, PyBUF_SIMPLE)
            self.held += 1
            if <size_t>view.len % ITEM_SIZES[at] or <uintptr_t>view.buf % ITEM_SIZES[at]:
                raise ValueError(f"{FIELDS[at]}: not an aligned array of {ITEM_SIZES[at]}-byte numbers")

    def __dealloc__(self):
        cdef int at
        for at in range(self.held):
            PyBuffer_Release(&self.views[at])

    cdef const void *find(self, int at, Py_ssize_t numbers) except? NULL:
        """Return a field, which must contain this many numbers."""
        if self.views[at].len != numbers * <Py_ssize_t>ITEM_SIZES[at]:
            raise ValueError(f"{FIELDS[at]}: wrong length")
        return self.views[at].buf

    cdef int count(self, int at) except -1:
        cdef Py_ssize_t found = self.views[at].len // <Py_ssize_t>ITEM_SIZES[at]
        if found > MAX_ROWS:
            raise ValueError(f"{FIELDS[at]}: too long")
        return <int>found


cdef enum:
    MAX_ROWS = 1 << 26  # rows of anything; pages have far fewer


cdef Counts _read_counts(_Views views) except *:
    """Return the fields of a page's counts, if their sizes are consistent and there is a block."""
    cdef Counts a
    cdef Py_ssize_t n = views.count(0), m = views.count(12)
    if not n or not m:
        raise ValueError("page without blocks")
    a.n, a.m, a.keys, a.word_count = <int>n, <int>m, views.count(17), views.count(16)
    a.owners = <const int32_t *>views.find(0, n)
    a.inner = <const uint8_t *>views.find(1, n)
    a.counts = <const int32_t *>views.find(2, n * CLASSES)
    a.edges = <const uint8_t *>views.find(3, n * 2)
    a.sentences = <const int32_t *>views.find(4, n)
    a.links = <const int32_t *>views.find(5, n * 2)
    a.leaves = <const int32_t *>views.find(6, n)
    a.hidden = <const uint8_t *>views.find(7, n)
    a.title = <const float *>views.find(8, n)
    a.copies = <const int32_t *>views.find(9, n)
    a.targets = <const float *>views.find(10, n * TARGETS)
    a.between = <const int32_t *>views.find(11, (n + 1) * USES)
    a.parents = <const int32_t *>views.find(12, m)
    a.tags = <const uint8_t *>views.find(13, m)
    a.names = <const int32_t *>views.find(14, m)
    a.keys_of = <const int32_t *>views.find(15, m)
    a.words = <const int16_t *>views.find(16, a.word_count)
    a.word_stops = <const int32_t *>views.find(17, a.keys)
    a.facts = <const float *>views.find(18, FACTS)
    return a


cdef bint _has_valid_indices(const Counts *a, int tags, int words) noexcept nogil:
    """Return whether every index is in range, and every parent comes before its children."""
    cdef bint good = True
    cdef int at, before = 0
    for at in range(a.n):
        good &= 0 <= a.owners[at] < a.m
        good &= a.inner[at] < tags
    for at in range(a.m):
        good &= -1 <= a.parents[at] < at
        good &= a.tags[at] < tags
        good &= 0 <= a.keys_of[at] < a.keys
    for at in range(a.word_count):
        good &= 0 <= a.words[at] < words
    for at in range(a.keys):
        good &= before <= a.word_stops[at] <= a.word_count
        before = a.word_stops[at]
    return good and before == a.word_count


cdef class Scorer:
    """A network that is ready to use; `weights` is a buffer, which is kept, and `about` describes its content."""

    cdef Py_buffer weights
    cdef bint has_weights
    cdef Constants constants
    cdef Network network
    cdef Pool spare_pool  # memory left by the last call
    cdef public int longest_vector  # floats in the longest vectors that it uses

    def __cinit__(self, weights, dict about not None):
        memset(&self.spare_pool, 0, sizeof(Pool))
        memset(&self.constants, 0, sizeof(Constants))
        memset(&self.network, 0, sizeof(Network))
        PyObject_GetBuffer(weights, &self.weights, PyBUF_SIMPLE)
        self.has_weights = True
        if <uintptr_t>self.weights.buf % sizeof(float):
            raise ValueError("weights are not aligned")
        self.longest_vector = find_longest_vector()
        self._read_constants(about)
        self._read_network(about)

    def __dealloc__(self):
        free(self.spare_pool.base)
        if self.has_weights:
            PyBuffer_Release(&self.weights)

    def score(self, counts):
        """Return the probabilities of main text and comment per block, those of the kinds of page, and block groups.

        These are three bytearrays of float32 and one of int32. Raises ValueError for inconsistent counts, and
        FloatingPointError if the weights are too large.
        """
        cdef _Views views = _Views(counts)
        cdef Counts a = self._check_counts(views)
        cdef bytearray keep = bytearray(4 * a.n), comment = bytearray(4 * a.n), groups = bytearray(4 * a.n)
        cdef bytearray kinds = bytearray(4 * self.network.kind.cols)
        cdef Scores scores
        cdef int32_t *numbers = <int32_t *><char *>groups
        cdef Pool pool = self._take_spare_pool()
        cdef int result
        scores.keep, scores.comment = <float *><char *>keep, <float *><char *>comment
        scores.kinds = <float *><char *>kinds
        with nogil:
            result = score_counts(&a, &self.constants, &self.network, self.longest_vector, &pool, scores, numbers)
        self._leave_spare_pool(&pool)
        if result == NO_MEMORY:
            raise MemoryError
        if result == NOT_FINITE:
            raise FloatingPointError("weights are too large")
        return keep, comment, kinds, groups

    def compute_features(self, counts):
        """Return the features, as `Features` in models/features/: blocks, elements, page, levels, spans, groups."""
        cdef _Views views = _Views(counts)
        cdef Counts a = self._check_counts(views)
        cdef Features found
        cdef Pool pool = self._take_spare_pool()
        cdef bint ready
        try:
            with nogil:
                ready = compute_features(&a, &self.constants, &pool, &found)
            if not ready:
                raise MemoryError
            return (
                bytearray((<char *>found.blocks)[: a.n * <Py_ssize_t>sizeof(BlockRow)]),
                bytearray((<char *>found.elements)[: a.m * <Py_ssize_t>sizeof(ElementRow)]),
                bytearray((<char *>&found.page)[: <Py_ssize_t>sizeof(PageRow)]),
                _list_levels(&a, self.network.levels),
                bytearray((<char *>found.spans)[: a.m * <Py_ssize_t>8]),
                bytearray((<char *>found.groups)[: a.n * <Py_ssize_t>4]),
            )
        finally:
            give_back(&pool)
            self._leave_spare_pool(&pool)

    cdef Pool _take_spare_pool(self) noexcept:
        """Take the memory left by the last call, so that no other thread can use it."""
        cdef Pool pool = self.spare_pool
        memset(&self.spare_pool, 0, sizeof(Pool))
        return pool

    cdef void _leave_spare_pool(self, Pool *pool) noexcept:
        free(self.spare_pool.base)  # left by another thread
        self.spare_pool = pool[0]

    cdef Counts _check_counts(self, _Views views) except *:
        cdef Counts a = _read_counts(views)
        cdef bint good
        with nogil:
            good = _has_valid_indices(&a, self.network.tags.rows, self.network.words.rows)
        if not good:
            raise ValueError("index out of range")
        return a

    cdef int _read_constants(self, dict about) except -1:
        """Read the constants from `about`, and check that its columns are those of the kernel."""
        cdef Constants *c = &self.constants
        cdef int at
        columns = about["columns"]
        if tuple(about["fields"]) != FIELDS:
            raise ValueError("fields of counts do not match the kernel")
        for name, mine in (
            ("blocks", _list_names(BLOCK_NAMES)),
            ("elements", _list_names(ELEMENT_NAMES)),
            ("page", _list_names(PAGE_NAMES)),
        ):
            if [tuple(each) for each in columns[name]] != mine:
                raise ValueError(f"features do not match the kernel: {name}")
        if about["TAG_SPAN"] != MAX_TAGS or about["NAME_SPAN"] != 1 << 31:
            raise ValueError("path hashes do not match the kernel")
        constants = about["constants"]
        for name, place in _list_names(CONSTANT_NAMES):
            (<double *>(<char *>c + <size_t>place))[0] = constants[name]
        for name, place in _list_names(NUMBER_NAMES):
            (<int *>(<char *>c + <size_t>place))[0] = constants[name]
        for at in (c.BLANK, c.COMMA, c.DIGIT, c.LINE, c.WIDE):
            _check_range(at, 0, CLASSES - 1)
        for at in (c.PICTURES, c.INPUTS, c.FRAMES, c.RULES, c.ICONS):
            _check_range(at, 0, USES - 1)
        _check_range(c.LINK_CHARACTERS, 0, 1)
        _check_range(c.LINK_LEAVES, 0, 1)
        letters, levels = about["class_letters"], about["heading_levels"]
        _check_range(len(letters), CLASSES, CLASSES)
        _check_range(len(levels), 1, MAX_TAGS)
        for at in range(CLASSES):
            c.class_letters[at] = letters[at]
        for at in range(len(levels)):
            c.heading_levels[at] = levels[at]
        for at in range(LOGARITHMS):
            c.logs[at] = <float>log1p(<double>at)
        c.path_factor = about["PATH_FACTOR"]
        return 0

    cdef int _read_network(self, dict about) except -1:
        """Find the matrices, and check that their sizes are consistent."""
        cdef Network *net = &self.network
        cdef int at, width, size, part
        places = about["matrices"]
        net.levels = _check_range(about["LEVELS"], 1, MAX_LEVELS)
        net.block = self._find(places, "block", BLOCK_FEATURES, -1)
        net.element = self._find(places, "element", ELEMENT_FEATURES, -1)
        net.inside = self._find(places, "inside", net.block.cols, -1)
        width, size, part = net.block.cols, net.element.cols, net.inside.cols
        net.element_bias = self._find(places, "element_bias", 1, size)
        net.tags = self._find(places, "tags", len(about["heading_levels"]), size)
        net.words = self._find(places, "words", -1, size)
        net.block_bias = self._find(places, "block_bias", 1, width)
        net.around = self._find(places, "around", net.levels * size, width)
        net.inner = self._find(places, "inner", net.tags.rows, width)
        net.page = self._find(places, "page", PAGE_FEATURES, width)
        net.inside_bias = self._find(places, "inside_bias", 1, part)
        net.tree_inside = self._find(places, "tree_inside", part, part)
        net.tree_element = self._find(places, "tree_element", size, part)
        net.tree_bias = self._find(places, "tree_bias", 1, part)
        net.back = self._find(places, "back", (net.levels + 1) * part, width)
        net.back_bias = self._find(places, "back_bias", 1, width)
        net.whole = self._find(places, "whole", 2 * width, width)
        net.whole_bias = self._find(places, "whole_bias", 1, width)
        net.heads = self._find(places, "heads", 2, width)
        net.heads_bias = self._find(places, "heads_bias", 1, 2)
        net.kind = self._find(places, "kind", width, -1)
        net.kind_bias = self._find(places, "kind_bias", 1, net.kind.cols)
        near, last = about["near"], about["last"]
        net.near_count = _check_range(len(near), 0, MAX_CONVOLUTIONS)
        net.last_count = _check_range(len(last), 0, MAX_CONVOLUTIONS)
        for at in range(net.near_count):
            self._find_convolution(&net.near[at], places, f"near.{at}", near[at])
        for at in range(net.last_count):
            self._find_convolution(&net.last[at], places, f"last.{at}", last[at])
        return 0

    cdef int _find_convolution(self, Convolution *layer, places, name, step) except -1:
        cdef int width = self.network.block.cols
        layer.step = _check_range(step, 1, MAX_ROWS)
        layer.weight = self._find(places, name, 3 * width, width)
        layer.bias = self._find(places, f"{name}.bias", 1, width)
        return 0

    cdef Matrix _find(self, places, name, int rows, int cols) except *:
        """Return a matrix with this many rows and columns, -1 for any number; rows are padded with zeros."""
        cdef Matrix matrix
        start, *sizes = places[name]
        matrix.rows, matrix.cols, matrix.stride = (_check_range(each, 1, 1 << 20) for each in sizes)
        if rows not in (-1, matrix.rows) or cols not in (-1, matrix.cols):
            raise ValueError(f"matrix of wrong size: {name}")
        _check_range(matrix.cols, 1, min(matrix.stride, MAX_WIDTH))
        if matrix.stride != (matrix.cols + LANES - 1) // LANES * LANES or start % sizeof(float):
            raise ValueError(f"matrix of wrong shape: {name}")
        _check_range(start, 0, self.weights.len - 4 * <Py_ssize_t>matrix.rows * matrix.stride)
        matrix.at = <const float *>(<const char *>self.weights.buf + <size_t>start)
        return matrix


cdef _check_range(number, least, most):
    if not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"{number!r} is not between {least} and {most}")
    return number


cdef list _list_names(const Named *names):
    """Return the names and values of a list that ends with a NULL name."""
    cdef int count = 0
    found = []
    while names[count].name is not NULL:
        found.append((names[count].name.decode("ascii"), names[count].value))
        count += 1
    return found


cdef bytearray _list_levels(const Counts *a, int levels):
    """Return the ancestors of each block, innermost first, padded with -1."""
    cdef bytearray found = bytearray(4 * <Py_ssize_t>a.n * levels)
    cdef int32_t *at = <int32_t *><char *>found
    cdef int element
    for block in range(a.n):
        element = a.owners[block]
        for _ in range(levels):
            at[0] = element
            at += 1
            element = a.parents[element] if element >= 0 else -1
    return found
