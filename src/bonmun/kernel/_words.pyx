"""Search texts for many words at once; the reference is text/word_finder.py."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    uint32_t PyUnicode_READ(int, void *, Py_ssize_t)

cdef enum:
    SLOTS = 4096  # of a table of the first two characters of words
    MAX_WORDS = 2000


cdef inline uint32_t _fold(uint32_t letter) noexcept nogil:
    return letter | 32 if c'A' <= letter <= c'Z' else letter


cdef inline int _find_slot(uint32_t first, uint32_t second) noexcept nogil:
    return (first * 61 + second) & (SLOTS - 1)


cdef class WordFinder:
    """A search for some words, each in small letters and of two characters at least."""

    cdef tuple words
    cdef short[SLOTS] heads  # first word of each slot; -1 if there is none
    cdef short[MAX_WORDS] others  # next word of the same slot; -1 if there is none
    cdef uint32_t[MAX_WORDS] thirds  # third character of each word; 0 if it has two
    cdef uint32_t[256] folded  # small letter of each character of one byte

    def __cinit__(self, tuple words not None):
        cdef Py_ssize_t number
        cdef int slot
        cdef str word
        if len(words) > MAX_WORDS:
            raise ValueError(f"more than {MAX_WORDS} words")
        memset(self.heads, 0xFF, sizeof(self.heads))
        for number in range(256):
            self.folded[number] = _fold(number)
        for number in range(len(words)):
            word = words[number]
            if len(word) < 2:
                raise ValueError("a word needs two characters")
            slot = _find_slot(<uint32_t><Py_UCS4>word[0], <uint32_t><Py_UCS4>word[1])
            self.thirds[number] = <uint32_t><Py_UCS4>word[2] if len(word) > 2 else 0
            self.others[number] = self.heads[slot]
            self.heads[slot] = number
        self.words = words

    def __reduce__(self):
        return WordFinder, (self.words,)

    def list_starts(self, str text not None):
        """Return where a word starts in a text, without the case of ASCII."""
        cdef list found = []
        cdef Py_ssize_t at = self._find(text, 0)
        while at >= 0:
            found.append(at)
            at = self._find(text, at + 1)
        return found

    def holds(self, str text not None):
        """Return whether a text contains a word, without case."""
        return self._find(text if text.isascii() else text.lower(), 0) >= 0

    def list_holding(self, list texts not None, Py_ssize_t most):
        """Return the places of the texts of at most `most` characters that contain a word, without case."""
        cdef Py_ssize_t place
        cdef str text
        cdef list found = []
        for place in range(len(texts)):
            text = texts[place]
            if len(text) <= most and self.holds(text):
                found.append(place)
        return found

    cdef Py_ssize_t _find(self, str text, Py_ssize_t at) except -2:
        """Return where the next word starts, or -1."""
        cdef Py_ssize_t size = len(text)
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef uint32_t first, second, third
        cdef short number
        if at + 1 >= size:
            return -1
        second = _fold(PyUnicode_READ(kind, data, at))
        while at + 1 < size:
            if kind == 1:
                at = self._skip(<const uint8_t *> data, at, size)
                if at + 1 >= size:
                    return -1
                second = self.folded[(<const uint8_t *> data)[at]]
            first, second = second, _fold(PyUnicode_READ(kind, data, at + 1))
            number = self.heads[_find_slot(first, second)]
            third = _fold(PyUnicode_READ(kind, data, at + 2)) if at + 2 < size else 0
            while number >= 0:
                if self.thirds[number] in (0, third) and _starts_with(kind, data, at, size, self.words[number]):
                    return at
                number = self.others[number]
            at += 1
        return -1

    cdef Py_ssize_t _skip(self, const uint8_t *letters, Py_ssize_t at, Py_ssize_t size) noexcept:
        """Return the next place whose two characters may start a word; the last place if there is none."""
        cdef uint32_t first, second = self.folded[letters[at]]
        while at + 1 < size:
            first, second = second, self.folded[letters[at + 1]]
            if self.heads[_find_slot(first, second)] >= 0:
                break
            at += 1
        return at


cdef bint _starts_with(int kind, void *data, Py_ssize_t at, Py_ssize_t size, str word) except -1:
    """Return whether a text has a word at some place."""
    cdef Py_ssize_t i, length = len(word)
    if length > size - at:
        return False
    for i in range(length):
        if _fold(PyUnicode_READ(kind, data, at + i)) != <uint32_t><Py_UCS4>word[i]:
            return False
    return True
