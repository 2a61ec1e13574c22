"""Count the characters of blocks by class."""

cdef enum:
    PLANE = 0x10000  # code points of Unicode's first plane; the last stands for all beyond
    MAX_CLASSES = 16

cdef struct Classes:
    const uint8_t *table  # class of each character of the first plane
    uint8_t is_blank[MAX_CLASSES]  # whether a sentence ends before this class
    int end, count


cdef inline uint32_t plane_number(Character character) noexcept nogil:
    """Return the code point of a character, or the last of the first plane for those beyond it."""
    if Character is uint32_t:
        return character if character < PLANE else PLANE - 1
    else:
        return character


cdef void mark_pairs(const Text *title, uint8_t *pairs) noexcept nogil:
    """Mark each pair of characters in the title."""
    cdef Py_ssize_t i
    cdef uint32_t pair
    memset(pairs, 0, PLANE)
    for i in range(title.length - 1):
        pair = plane_number[uint32_t](read(title, i)) * 31 + plane_number[uint32_t](read(title, i + 1))
        pairs[pair & (PLANE - 1)] = 1


cdef void count_characters(
    const Character *text, Py_ssize_t length, const Classes *classes, int32_t *counts, uint8_t *edges, int32_t *sentences
) noexcept nogil:
    """Count the characters of a text by class, and its sentences, and find the classes at its ends."""
    # Two counters per class, used in turn, since most characters have the class of the one before.
    cdef int32_t even[MAX_CLASSES]
    cdef int32_t odd[MAX_CLASSES]
    cdef const uint8_t *table = classes.table
    cdef Py_ssize_t i
    cdef int32_t found = 0
    cdef int one, two, end = classes.end
    memset(even, 0, sizeof(even))
    memset(odd, 0, sizeof(odd))
    for i in range(0, length - 1, 2):
        one, two = table[plane_number(text[i])], table[plane_number(text[i + 1])]
        even[one] += 1
        odd[two] += 1
        if one == end:
            found += classes.is_blank[two]
        if two == end:
            found += classes.is_blank[table[plane_number(text[i + 2])]] if i + 2 < length else 1
    if length & 1:
        one = table[plane_number(text[length - 1])]
        even[one] += 1
        found += one == end
    sentences[0] = found
    edges[0] = table[plane_number(text[0])] if length else table[c'\n']
    edges[1] = table[plane_number(text[length - 1])] if length else table[c'\n']
    for one in range(MAX_CLASSES):
        even[one] += odd[one]
    memcpy(counts, even, classes.count * sizeof(int32_t))


cdef Py_ssize_t count_pairs(const Character *text, Py_ssize_t length, const uint8_t *pairs) noexcept nogil:
    """Return how many pairs of characters of a text are in the title."""
    cdef Py_ssize_t i, found = 0
    for i in range(length - 1):
        found += pairs[(plane_number(text[i]) * 31 + plane_number(text[i + 1])) & (PLANE - 1)]
    return found


cdef class TextCounter:
    """Counts the texts of pages."""

    cdef bytes table
    cdef Classes classes

    def __init__(self, bytes table not None, int count, int end, tuple blanks not None):
        """Store the class of each character, the number of classes, that of sentence marks, and those after them."""
        cdef int i
        cdef uint8_t most = 0
        if len(table) != PLANE or not 0 < count <= MAX_CLASSES:
            raise ValueError("table of character classes has the wrong size")
        self.table = table
        self.classes.table, self.classes.count, self.classes.end = self.table, count, end
        for i in range(PLANE):
            most = max(most, self.classes.table[i])
        if most >= count:
            raise ValueError("class of a character out of range")
        for i in range(MAX_CLASSES):
            self.classes.is_blank[i] = i in blanks

    cdef tuple count(self, list block_texts, str title):
        """Return for each block the characters by class, the classes at its ends, its sentences, and the title share."""
        cdef tuple held = PyList_AsTuple(block_texts)  # keeps all texts alive while the GIL is released
        cdef Py_ssize_t n = len(held), i
        cdef int width = self.classes.count
        cdef bytearray texts_ = make(n, sizeof(Text))
        cdef Text *texts = <Text *> PyByteArray_AS_STRING(texts_)
        cdef Text said, text
        cdef bytearray counts_ = make(n, width * sizeof(int32_t)), edges_ = make(n, 2)
        cdef bytearray sentences_ = make(n, sizeof(int32_t)), title_ = make(n, sizeof(float))
        cdef int32_t *counts = ints_of(counts_)
        cdef int32_t *sentences = ints_of(sentences_)
        cdef uint8_t *edges = bytes_of(edges_)
        cdef float *shares = floats_of(title_)
        cdef bytearray pairs_ = make(PLANE if len(title) > 1 else 0, 1)
        cdef uint8_t *pairs = bytes_of(pairs_)
        cdef Py_ssize_t found
        for i in range(n):
            open_text(PyTuple_GET_ITEM_BORROWED(held, i), &texts[i])
        open_text(<PyObject *> title, &said)
        with nogil:
            if said.length > 1:
                mark_pairs(&said, pairs)
            for i in range(n):
                text = texts[i]
                if text.kind == 1:
                    count_characters(
                        <const uint8_t *> text.data, text.length, &self.classes, counts + i * width, edges + 2 * i, sentences + i
                    )
                    found = count_pairs(<const uint8_t *> text.data, text.length, pairs) if said.length > 1 else 0
                elif text.kind == 2:
                    count_characters(
                        <const uint16_t *> text.data, text.length, &self.classes, counts + i * width, edges + 2 * i, sentences + i
                    )
                    found = count_pairs(<const uint16_t *> text.data, text.length, pairs) if said.length > 1 else 0
                else:
                    count_characters(
                        <const uint32_t *> text.data, text.length, &self.classes, counts + i * width, edges + 2 * i, sentences + i
                    )
                    found = count_pairs(<const uint32_t *> text.data, text.length, pairs) if said.length > 1 else 0
                shares[i] = <float> (<double> found / <double> max(text.length - 1, 1))
        return counts_, edges_, sentences_, title_


cdef bytearray count_copies(list block_texts):
    """Return how many blocks have the same text, for each block."""
    cdef Py_ssize_t n = len(block_texts), i
    cdef bytearray copies_ = make(n, sizeof(int32_t)), which_ = make(n, sizeof(int32_t)), sums_ = make(n, sizeof(int32_t))
    cdef int32_t *copies = ints_of(copies_)
    cdef int32_t *which = ints_of(which_)
    cdef int32_t *sums = ints_of(sums_)
    cdef dict numbers = {}
    if n:
        memset(sums, 0, n * sizeof(int32_t))
    for i in range(n):
        which[i] = number_text(numbers, block_texts[i])
        sums[which[i]] += 1
    for i in range(n):
        copies[i] = sums[which[i]]
    return copies_
