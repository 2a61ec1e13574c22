"""Metadata: score candidates by their features, and scan the elements and lines of a page for them.

The references are `Ranker._score_features` in metadata/ranking.py, and metadata/scans.py.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISDECIMAL, PyUnicode_FromKindAndData
from libc.math cimport exp
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcpy, memset

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    uint32_t PyUnicode_READ(int, void *, Py_ssize_t)
    str PyUnicode_New(Py_ssize_t, Py_UCS4)

cdef enum:
    MAX_RANGES = 8  # ranges of characters that are counted at once
    MAX_PAIRS = 8  # of letters that are searched for at once


cdef class FeatureScorer:
    """A small network that computes the score of each candidate from its features."""

    cdef dict rows  # of each feature
    cdef tuple given
    cdef Py_ssize_t count, width
    cdef double *first  # count * width
    cdef double *bias
    cdef double *second
    cdef double *hidden
    cdef double *values  # of each feature

    def __cinit__(self, dict features not None, list first not None, list bias not None, list second not None):
        cdef Py_ssize_t row, column
        cdef list weights
        self.rows, self.given = features, (features, first, bias, second)
        self.count, self.width = len(first), len(bias)
        if len(second) != self.width:
            raise ValueError("weights differ in size")
        self.first = <double *>PyMem_Malloc((self.count * (self.width + 1) + 3 * self.width + 1) * sizeof(double))
        if self.first == NULL:
            raise MemoryError
        self.bias = self.first + self.count * self.width
        self.second = self.bias + self.width
        self.hidden = self.second + self.width
        self.values = self.hidden + self.width
        for column in range(self.width):
            self.bias[column], self.second[column] = bias[column], second[column]
        for row in range(self.count):
            weights = first[row]
            if len(weights) != self.width:
                raise ValueError("weights differ in size")
            for column in range(self.width):
                self.first[row * self.width + column] = weights[column]

    def __dealloc__(self):
        PyMem_Free(self.first)

    def __reduce__(self):
        return FeatureScorer, self.given

    def __call__(self, list candidates not None):
        """Score each candidate; features are summed in a fixed order, so that the same features give the same score."""
        cdef Py_ssize_t row, column
        cdef double value, score
        cdef double *weights
        cdef dict features
        cdef list scores = []
        for features in candidates:
            memcpy(self.hidden, self.bias, self.width * sizeof(double))
            memset(self.values, 0, self.count * sizeof(double))
            for feature, given in features.items():
                if given is False:
                    continue
                found = self.rows.get(feature)
                if found is None:
                    continue
                row = found
                if 0 <= row < self.count:
                    self.values[row] = 1.0 if given is True else given
            for row in range(self.count):
                value = self.values[row]
                if value != 0:
                    weights = self.first + row * self.width
                    for column in range(self.width):
                        self.hidden[column] += value * weights[column]
            score = 0.0
            for column in range(self.width):
                # tanh; exp is its fastest part
                score += (1.0 - 2.0 / (exp(2.0 * self.hidden[column]) + 1.0)) * self.second[column]
            scores.append(score)
        return scores


cdef unsigned char[128] FOLDED  # small letter or digit of each character of ASCII; 0 for others
for _number in range(128):
    FOLDED[_number] = ord(chr(_number).lower()) if chr(_number).isalnum() else 0


cdef str _fold_ascii(str text):
    """Return a text in ASCII without case, spaces and punctuation."""
    cdef Py_ssize_t size = len(text), kept = 0, at
    cdef const unsigned char *letters = <const unsigned char *> PyUnicode_DATA(text)
    cdef unsigned char *buffer
    cdef unsigned char[128] some
    cdef unsigned char letter
    cdef str folded
    if size <= 128:
        buffer = some
    else:
        buffer = <unsigned char *>PyMem_Malloc(size)
        if buffer == NULL:
            raise MemoryError
    for at in range(size):
        letter = FOLDED[letters[at] & 127]
        buffer[kept] = letter
        kept += letter != 0
    try:
        folded = PyUnicode_New(kept, 127)
        memcpy(PyUnicode_DATA(folded), buffer, kept)
        return folded
    finally:
        if size > 128:
            PyMem_Free(buffer)


def fold_text(str text not None):
    """Return a text without case, spaces and punctuation; the reference is `fold_text` in metadata/scans.py."""
    cdef str folded
    cdef Py_ssize_t size, kept = 0, at
    cdef Py_UCS4 letter
    cdef Py_UCS4 *buffer
    cdef Py_UCS4[128] some
    if text.isascii():
        return _fold_ascii(text)
    folded = text.casefold()
    size = len(folded)
    if size <= 128:
        buffer = some
    else:
        buffer = <Py_UCS4 *>PyMem_Malloc(size * sizeof(Py_UCS4))
        if buffer == NULL:
            raise MemoryError
    for at in range(size):
        letter = folded[at]
        if Py_UNICODE_ISALNUM(letter):
            buffer[kept] = letter
            kept += 1
    try:
        return folded if kept == size else PyUnicode_FromKindAndData(4, buffer, kept)
    finally:
        if size > 128:
            PyMem_Free(buffer)


def fold_texts(texts not None, Py_ssize_t most):
    """Return some texts folded (see `fold_text`); "" for those of more than `most` characters."""
    cdef list found = []
    cdef str text
    for text in texts:
        found.append(fold_text(text) if len(text) <= most else "")
    return found


def find_words(str text not None):
    """Return the runs of letters and digits of a text, case-folded."""
    return _list_runs(text.lower() if text.isascii() else text.casefold(), False)


def find_letters(str text not None):
    """Return the runs of letters of a text."""
    return _list_runs(text, True)


cdef list _list_runs(str text, bint without_digits):
    cdef Py_ssize_t at, start = -1, size = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef uint32_t letter
    cdef bint is_inside
    cdef list runs = []
    for at in range(size):
        letter = PyUnicode_READ(kind, data, at)
        if letter < 128:
            is_inside = FOLDED[letter] != 0 and not (without_digits and letter <= c'9')
        else:
            is_inside = Py_UNICODE_ISALNUM(letter) and not (without_digits and Py_UNICODE_ISDECIMAL(letter))
        if is_inside:
            if start < 0:
                start = at
        elif start >= 0:
            runs.append(text[start:at])
            start = -1
    if start >= 0:
        runs.append(text[start:size])
    return runs


def holds_char(str text not None, str ranges not None):
    """Return whether a text contains a character of some ranges; each is two characters, in ascending order."""
    cdef Py_ssize_t at, pair, count = len(ranges) // 2
    cdef Py_UCS4 lowest, letter
    if not count or text.isascii():
        return False
    lowest = ranges[0]
    for at in range(len(text)):
        letter = text[at]
        if letter >= lowest:
            for pair in range(count):
                if ranges[2 * pair] <= letter <= ranges[2 * pair + 1]:
                    return True
    return False


def count_letters(str text not None, tuple ranges not None):
    """Return the number of characters in each of some ranges, such as ぁ-ヿ, and last the number of letters."""
    cdef Py_ssize_t at, number, letters = 0, count = len(ranges)
    cdef Py_UCS4 letter
    cdef Py_UCS4[2 * MAX_RANGES] ends
    cdef Py_ssize_t[MAX_RANGES] counts
    cdef str each
    if count > MAX_RANGES:
        raise ValueError(f"more than {MAX_RANGES} ranges")
    for number in range(count):
        each = ranges[number]
        if len(each) != 3:
            raise ValueError("a range must be two characters joined by a hyphen")
        ends[2 * number], ends[2 * number + 1], counts[number] = each[0], each[2], 0
    for at in range(len(text)):
        letter = text[at]
        for number in range(count):
            counts[number] += ends[2 * number] <= letter <= ends[2 * number + 1]
        letters += Py_UNICODE_ISALNUM(letter) and not Py_UNICODE_ISDECIMAL(letter)
    return [*(counts[number] for number in range(count)), letters]


def find_tagged(list tags not None, list owners not None, wanted):
    """Return the blocks whose elements have one of some tags, as (row, tag)."""
    cdef Py_ssize_t row, owner, count = len(tags)
    cdef list found = []
    for row in range(len(owners)):
        owner = owners[row]
        if 0 <= owner < count:
            tag = tags[owner]
            if tag in wanted:
                found.append((row, tag))
    return found


def find_elements(list tags not None, wanted, Py_ssize_t max_per_tag):
    """Return the first elements with each of some tags, at most `max_per_tag` per tag, in document order."""
    cdef Py_ssize_t row
    cdef list found = []
    cdef dict counts = dict.fromkeys(wanted, 0)
    for row in range(len(tags)):
        tag = tags[row]
        if tag in counts:
            counts[tag] += 1
            if counts[tag] <= max_per_tag:
                found.append(row)
    return found


def find_holding(list texts not None, list rows not None, tuple pairs not None, Py_ssize_t most=PY_SSIZE_T_MAX):
    """Return those of some rows whose texts have `most` characters at most and contain one of some pairs of letters."""
    cdef uint32_t[2 * MAX_PAIRS] letters
    cdef unsigned char[256] starts  # whether a pair starts with a letter that ends in these eight bits
    cdef Py_ssize_t row, number, count = len(texts), pair_count = len(pairs)
    cdef str text
    cdef list found = []
    if pair_count > MAX_PAIRS:
        raise ValueError(f"more than {MAX_PAIRS} pairs")
    memset(starts, 0, sizeof(starts))
    for number in range(pair_count):
        text = pairs[number]
        if len(text) != 2:
            raise ValueError("a pair must have two characters")
        letters[2 * number], letters[2 * number + 1] = <uint32_t><Py_UCS4>text[0], <uint32_t><Py_UCS4>text[1]
        starts[letters[2 * number] & 255] = 1
    for each in rows:
        row = each
        if 0 <= row < count:
            text = texts[row]
            if len(text) <= most and _holds_pair(text, letters, pair_count, starts):
                found.append(each)
    return found


cdef bint _holds_pair(str text, const uint32_t *letters, Py_ssize_t count, const unsigned char *starts) noexcept:
    """Return whether a text contains one of some pairs of letters."""
    cdef Py_ssize_t at, number, size = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef const uint8_t *small = <const uint8_t *>data
    cdef const uint8_t *end = small + size
    cdef uint32_t letter
    if kind == 1:  # `memchr` reads many bytes at once
        for number in range(count):
            if letters[2 * number] > 255:
                continue
            small = <const uint8_t *>data
            while small + 1 < end:
                small = <const uint8_t *>memchr(small, letters[2 * number], end - small - 1)
                if small == NULL:
                    break
                if small[1] == letters[2 * number + 1]:
                    return True
                small += 1
        return False
    for at in range(size - 1):
        letter = PyUnicode_READ(kind, data, at)
        if starts[letter & 255]:
            for number in range(count):
                if letter == letters[2 * number] and PyUnicode_READ(kind, data, at + 1) == letters[2 * number + 1]:
                    return True
    return False


cdef bint _holds_word(const unsigned char *chars, Py_ssize_t size, tuple words) except -1:
    """Return whether a text in ASCII contains one of some words, without case; they are in small letters."""
    cdef Py_ssize_t at, i, length
    cdef const unsigned char *word
    cdef unsigned char first
    for each in words:
        word, length = <const unsigned char *>PyUnicode_DATA(each), len(<str>each)
        for at in range(size - length + 1):
            first = chars[at]
            if first == word[0] or first | 32 == word[0]:
                i = 1
                while i < length and (chars[at + i] == word[i] or chars[at + i] | 32 == word[i]):
                    i += 1
                if i == length:
                    return True
    return False


def list_possible_moments(
    list texts not None, list elements not None, list tags not None, list parents not None, timed, Py_ssize_t most,
    tuple words not None
):
    """Return the short leaves that may name a moment: they hold a digit, one of the words, or a letter beyond ASCII,
    or their element or its parent has one of the tags `timed`; see metadata/threads/moments.py.
    """
    cdef Py_ssize_t leaf, element, size, at, count = len(tags)
    cdef const unsigned char *chars
    cdef str text
    cdef bint is_found
    cdef list found = []
    if len(texts) != len(elements) or len(parents) != count:
        raise ValueError("columns differ in length")
    for leaf in range(len(texts)):
        text = texts[leaf]
        size = len(text)
        if size > most:
            continue
        is_found = not text.isascii()
        if not is_found and timed:
            element = elements[leaf]
            is_found = 0 <= element < count and tags[element] in timed
            if not is_found and 0 <= element < count:
                element = parents[element]
                is_found = 0 <= element < count and tags[element] in timed
        if not is_found:
            chars = <const unsigned char *>PyUnicode_DATA(text)
            for at in range(size):
                if c'0' <= chars[at] <= c'9':
                    is_found = True
                    break
        if is_found or _holds_word(chars, size, words):
            found.append(leaf)
    return found


def find_things(value, Py_ssize_t max_values, Py_ssize_t max_levels, Py_ssize_t max_members):
    """Return all objects in a value that have a type or an id, outermost first; see metadata/declared.py."""
    cdef list queue = [value], levels = [0], things = []
    cdef Py_ssize_t at = 0, level, number
    while at < len(queue) and at < max_values:
        thing, level = queue[at], levels[at]
        at += 1
        if isinstance(thing, dict):
            if "@type" in <dict>thing or "@id" in <dict>thing:
                things.append(thing)
            if level < max_levels:
                for inner in (<dict>thing).values():
                    if isinstance(inner, (dict, list)):
                        queue.append(inner)
                        levels.append(level + 1)
        elif isinstance(thing, list):
            for number in range(min(len(<list>thing), max_members)):
                inner = (<list>thing)[number]
                if isinstance(inner, (dict, list)):
                    queue.append(inner)
                    levels.append(level)
    return things
