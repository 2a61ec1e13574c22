"""Metadata: rule out lines that name no author; the reference is metadata/authors/line_signs.py."""

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_TOLOWER
from libc.stdint cimport uint32_t
from libc.string cimport memset

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    uint32_t PyUnicode_READ(int, void *, Py_ssize_t)

cdef enum:
    MAX_LETTERS = 256  # first letters beyond ASCII
    BYLINE = 1
    NAME = 2
    LABELLED = 4
    REPORTER = 8


cdef inline bint _is_word(uint32_t letter) noexcept:
    return Py_UNICODE_ISALNUM(letter) or letter == c'_'


cdef inline bint _is_capital(uint32_t letter) noexcept:
    return c'A' <= letter <= c'Z' or 0xC0 <= letter <= 0xDE


cdef inline uint32_t _read(int kind, void *data, Py_ssize_t at) noexcept:
    """Return a character of a line; line breaks are spaces."""
    cdef uint32_t letter = PyUnicode_READ(kind, data, at)
    return c' ' if letter == c'\n' else letter


cdef class LineSifter:
    """What bylines and labels of names start with, to rule out other lines."""

    cdef tuple starts
    cdef unsigned char[128 * 128] pairs  # whether two letters of ASCII start a byline or a label
    cdef unsigned char[128] firsts  # whether a letter of ASCII does
    cdef uint32_t[MAX_LETTERS] letters  # other first letters
    cdef Py_ssize_t count

    def __cinit__(self, tuple starts not None):
        cdef str start
        cdef uint32_t first, second
        memset(self.pairs, 0, sizeof(self.pairs))
        memset(self.firsts, 0, sizeof(self.firsts))
        self.starts, self.count = starts, 0
        for start in starts:
            if not start:
                raise ValueError("a start needs a character")
            first = <uint32_t><Py_UCS4>start[0]
            if first < 128:
                second = c' '
                if len(start) > 1:
                    second = <uint32_t><Py_UCS4>start[1]
                self.firsts[first] = 1
                if second < 128:
                    self.pairs[first * 128 + second] = 1
            elif not self._knows(first):
                if self.count == MAX_LETTERS:
                    raise ValueError(f"more than {MAX_LETTERS} first letters beyond ASCII")
                self.letters[self.count] = first
                self.count += 1

    def __reduce__(self):
        return LineSifter, (self.starts,)

    cdef bint _knows(self, uint32_t letter) noexcept:
        cdef Py_ssize_t number
        for number in range(self.count):
            if self.letters[number] == letter:
                return True
        return False

    def sift(self, list texts not None, list rows not None, Py_ssize_t most, Py_ssize_t most_name, Py_ssize_t most_label):
        """Return signs of the lines in some rows, which have `most` characters at most; see the reference."""
        cdef Py_ssize_t row, count = len(texts)
        cdef int signs
        cdef str text
        cdef list found = []
        for each in rows:
            row = each
            signs = 0
            if 0 <= row < count:
                text = texts[row]
                if len(text) <= most:
                    signs = self._find_signs(text, len(text) <= most_name)
                    if row:
                        text = texts[row - 1]
                        if len(text) <= most_label and self._may_be_label(text):
                            signs |= LABELLED
            found.append(signs)
        return found

    cdef int _find_signs(self, str text, bint is_short) except -1:
        """Return whether a line may hold a byline, a name or a reporter."""
        cdef Py_ssize_t at, size = len(text)
        cdef int kind = PyUnicode_KIND(text), signs = 0
        cdef void *data = PyUnicode_DATA(text)
        cdef uint32_t letter, before = 0
        cdef bint is_start = True  # of a part: no word was read since a bar, a dot or a line break
        if is_short and _starts_name(kind, data, 0, size):
            signs |= NAME
        for at in range(size):
            letter = PyUnicode_READ(kind, data, at)
            if is_start and _is_word(letter):
                is_start = False
                if self._starts_byline(kind, data, at, size):
                    signs |= BYLINE
            if letter in (c'|', c'\n', 0xB7, 0x2022):
                is_start = True
            if letter == c'\n':
                letter = c' '
            if letter == c' ':
                is_break = before in (c'|', c',', 0xB7, 0x2013, 0x2014, 0x2022)
                if is_break and is_short and _starts_name(kind, data, at + 1, size):
                    signs |= NAME
                if (before == c'y' or before == c'n' or before == c'r') and _ends_word(kind, data, at):
                    signs |= BYLINE
            elif letter == c'0' and before == c'2' and is_short:
                signs |= NAME
            elif letter >= 0x3400 and (letter <= 0x9FFF or 0xAC00 <= letter <= 0xD7A3):
                signs |= REPORTER
            before = letter
        return signs

    cdef bint _may_be_label(self, str text) noexcept:
        """Return whether the first word of a text may start a label."""
        cdef Py_ssize_t at, size = len(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        for at in range(size):
            if _is_word(PyUnicode_READ(kind, data, at)):
                return self._starts_byline(kind, data, at, size)
        return False

    cdef bint _starts_byline(self, int kind, void *data, Py_ssize_t at, Py_ssize_t size) noexcept:
        """Return whether a byline or a label may start with the letter at some place and the next one."""
        cdef uint32_t first = PyUnicode_READ(kind, data, at)
        cdef uint32_t second = c' '
        if at + 1 < size:
            second = _read(kind, data, at + 1)
        if first < 128:
            first = first | 32 if c'A' <= first <= c'Z' else first
            if second < 128:
                second = second | 32 if c'A' <= second <= c'Z' else second
                return self.pairs[first * 128 + second]
            return self.firsts[first]
        if first in (0x130, 0x131, 0x17F, 0x212A):  # İ, ı, ſ, K
            return True
        return self._knows(Py_UNICODE_TOLOWER(first))


cdef bint _starts_name(int kind, void *data, Py_ssize_t at, Py_ssize_t size) noexcept:
    """Return whether there is a capitalised word at some place, and after a space a capital or a small particle."""
    cdef Py_ssize_t start = at
    cdef uint32_t letter
    if at >= size or not _is_capital(PyUnicode_READ(kind, data, at)):
        return False
    at += 1
    while at < size:
        letter = PyUnicode_READ(kind, data, at)
        if not (_is_word(letter) or letter == c'.' or letter == c"'" or letter == c'-' or letter == 0x2019):
            break
        at += 1
    if at < start + 2 or at + 1 >= size or _read(kind, data, at) != c' ':
        return False
    letter = PyUnicode_READ(kind, data, at + 1)
    return _is_capital(letter) or letter in (c'd', c'v', c'l', c'b', c'a')


cdef bint _ends_word(int kind, void *data, Py_ssize_t at) noexcept:
    """Return whether "by", "von", "par" or "por" ends at some place."""
    cdef uint32_t last = PyUnicode_READ(kind, data, at - 1)
    cdef uint32_t second = PyUnicode_READ(kind, data, at - 2) if at >= 2 else 0
    cdef uint32_t first = PyUnicode_READ(kind, data, at - 3) if at >= 3 else 0
    if last == c'y':
        return second == c'b'
    if last == c'n':
        return second == c'o' and first == c'v'
    return first == c'p' and (second == c'a' or second == c'o')
