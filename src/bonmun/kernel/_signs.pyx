"""How many tags a page has, and how many of some names: what says whether it may explode in the parser."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr

cdef extern from "Python.h":
    int PyUnicode_1BYTE_KIND
    int PyUnicode_2BYTE_KIND
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)

ctypedef fused Character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    BLOCK = 128  # characters that are counted at once, in the smallest numbers, which takes the least time
    MOST_LETTERS = 6  # of a name that is looked for


cdef Py_ssize_t _count(const Character *chars, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t count = 0, at = 0, i
    cdef Character part
    while size - at >= BLOCK:
        part = 0
        for i in range(BLOCK):
            part += chars[at + i] == c'<'
        count += part
        at += BLOCK
    while at < size:
        count += chars[at] == c'<'
        at += 1
    return count


def count_tags(str html not None):
    """How many `<` a page has, as `html.count("<")` says."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html)
    cdef void *chars = PyUnicode_DATA(html)
    if kind == PyUnicode_1BYTE_KIND:
        return _count(<const uint8_t *>chars, size)
    if kind == PyUnicode_2BYTE_KIND:
        return _count(<const uint16_t *>chars, size)
    return _count(<const uint32_t *>chars, size)


cdef bint _is_named(const Character *chars, Py_ssize_t size, const uint32_t *names, int number) noexcept nogil:
    """Whether one of some names starts a text, as numbers that are made of them, and what may end it."""
    cdef uint32_t found = 0, char
    cdef Py_ssize_t at
    cdef int i
    for at in range(min(size, MOST_LETTERS + 1)):
        char = chars[at]
        if char > 127:  # it may be a letter where case is folded, or white space
            return True
        if not c'a' <= char | 32 <= c'z':
            for i in range(number):
                if names[i] == found:
                    return True
            return False
        found = 31 * found + (char | 32)
    return False


cdef Py_ssize_t _count_names(
    const Character *chars, Py_ssize_t size, const uint32_t *names, int number
) noexcept nogil:
    """The next `<` is looked for as a byte, which is quickest; in wide characters, some are none."""
    cdef const char *start = <const char *>chars
    cdef const char *stop = start + size * sizeof(Character)
    cdef const char *found = start
    cdef Py_ssize_t count = 0, at
    while found < stop:
        found = <const char *>memchr(found, c'<', stop - found)
        if not found:
            break
        at = (found - start) // <Py_ssize_t>sizeof(Character)
        found += 1
        if chars[at] == c'<':
            count += _is_named(chars + at + 1, size - at - 1, names, number)
            found = <const char *>(chars + at + 1)
    return count


def count_names(str html not None, tuple names not None):
    """How many tags of these names open on a page, at least as many as there are."""
    cdef uint32_t hashes[64]
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html), number = 0
    cdef void *chars = PyUnicode_DATA(html)
    cdef str name
    if len(names) > 64:
        raise ValueError("There are too many names.")
    for name in names:
        hashes[number] = 0
        for char in name:
            hashes[number] = 31 * hashes[number] + <uint32_t><Py_UCS4>char
        number += 1
    if kind == PyUnicode_1BYTE_KIND:
        return _count_names(<const uint8_t *>chars, size, hashes, number)
    if kind == PyUnicode_2BYTE_KIND:
        return _count_names(<const uint16_t *>chars, size, hashes, number)
    return _count_names(<const uint32_t *>chars, size, hashes, number)
