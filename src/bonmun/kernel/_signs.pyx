"""How many tags a page has, of what names, how many open at once: what says whether it may explode in the parser.

And how many bytes it has that no text has: what says whether it is one.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memset

cdef extern from "Python.h":
    int PyUnicode_1BYTE_KIND
    int PyUnicode_2BYTE_KIND
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    bint Py_UNICODE_ISSPACE(uint32_t) nogil

ctypedef fused Character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    BLOCK = 128  # characters that are counted at once, in the smallest numbers, which takes the least time
    MOST_LETTERS = 8  # of a name that is looked for: so many give each name a number of its own in 64 bits
    MOST_NAMES = 64
    NO_NAME = -1
    ODD_NAME = -2


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


cdef inline uint8_t _is_control(uint8_t byte) noexcept nogil:
    """1 for a byte that no text has, else 0: those of `CONTROLS` in page/decode.py, by which tests go."""
    return (<uint8_t>(byte - 1) < 8) | ((<uint8_t>(byte - 14) < 18) & (byte != 27)) | (byte == 127)


def count_controls(bytes data not None):
    """How many bytes are in it that no text has."""
    cdef const uint8_t *chars = data
    cdef Py_ssize_t size = len(data), count = 0, at = 0, i
    cdef uint8_t part
    while size - at >= BLOCK:
        part = 0
        for i in range(BLOCK):
            part += _is_control(chars[at + i])
        count += part
        at += BLOCK
    while at < size:
        count += _is_control(chars[at])
        at += 1
    return count


cdef bint _is_named(const Character *chars, Py_ssize_t size, const uint64_t *names, int number) noexcept nogil:
    """Whether one of some names starts a text, as numbers that are made of them, and what may end it."""
    cdef uint64_t found = 0
    cdef uint32_t char
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


cdef inline Py_ssize_t _find_tag(const Character *chars, Py_ssize_t size, Py_ssize_t at) noexcept nogil:
    """Where the next `<` stands, at the end if there is none. It is looked for as a byte; in wide characters, some are none."""
    cdef const char *stop = <const char *>(chars + size)
    cdef const char *found = <const char *>(chars + at)
    while found < stop:
        found = <const char *>memchr(found, c'<', stop - found)
        if not found:
            return size
        at = (found - <const char *>chars) // <Py_ssize_t>sizeof(Character)
        if chars[at] == c'<':
            return at
        found += 1
    return size


cdef Py_ssize_t _count_names(
    const Character *chars, Py_ssize_t size, const uint64_t *names, int number
) noexcept nogil:
    cdef Py_ssize_t count = 0, at = _find_tag(chars, size, 0)
    while at < size:
        count += _is_named(chars + at + 1, size - at - 1, names, number)
        at = _find_tag(chars, size, at + 1)
    return count


cdef int _read_names(tuple names, uint64_t *hashes) except -1:
    """Numbers that are made of names, as `_is_named` makes them; how many."""
    cdef int number = 0
    if len(names) > MOST_NAMES:
        raise ValueError("There are too many names.")
    for name in names:
        if len(name) > MOST_LETTERS:
            raise ValueError("A name is too long.")
        hashes[number] = 0
        for char in name:
            hashes[number] = 31 * hashes[number] + <uint64_t>ord(char)
        number += 1
    return number


def count_names(str html not None, tuple names not None):
    """How many tags of these names open on a page, at least as many as there are."""
    cdef uint64_t hashes[MOST_NAMES]
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html), number = _read_names(names, hashes)
    cdef void *chars = PyUnicode_DATA(html)
    if kind == PyUnicode_1BYTE_KIND:
        return _count_names(<const uint8_t *>chars, size, hashes, number)
    if kind == PyUnicode_2BYTE_KIND:
        return _count_names(<const uint16_t *>chars, size, hashes, number)
    return _count_names(<const uint32_t *>chars, size, hashes, number)


cdef int _find_name(const Character *chars, Py_ssize_t size, const uint64_t *names, int number) noexcept nogil:
    """Which of some names starts a text and ends as a name in a tag does; ODD_NAME where a regular expression may differ.

    It takes ı, İ, ſ and the sign of Kelvin for letters of ASCII, and more for white space than is in ASCII.
    """
    cdef uint64_t found = 0
    cdef uint32_t char
    cdef Py_ssize_t at
    cdef bint is_odd
    cdef int i
    for at in range(min(size, MOST_LETTERS + 1)):
        char = chars[at]
        if char > 127:
            is_odd = char == 0x130 or char == 0x131 or char == 0x17F or char == 0x212A or Py_UNICODE_ISSPACE(char)
            return ODD_NAME if is_odd else NO_NAME
        if not c'a' <= char | 32 <= c'z':
            if char == c'/' or char == c'>' or char == 32 or 9 <= char <= 13 or 28 <= char <= 31:
                for i in range(number):
                    if names[i] == found:
                        return i
            return NO_NAME
        found = 31 * found + (char | 32)
    return NO_NAME


cdef Py_ssize_t _count_open(
    const Character *chars, Py_ssize_t size, const uint64_t *names, int number, int formatting
) noexcept nogil:
    cdef Py_ssize_t here[MOST_NAMES]
    cdef Py_ssize_t before = 0, now = 0, most = 0, at = -1
    cdef bint closes
    cdef int name
    memset(here, 0, sizeof(here))
    while True:
        at = _find_tag(chars, size, at + 1)
        if at == size:
            return most
        closes = at + 1 < size and chars[at + 1] == c'/'
        at += closes
        name = _find_name(chars + at + 1, size - at - 1, names, number)
        if name == ODD_NAME:
            return ODD_NAME
        if name == NO_NAME:
            continue
        if closes:
            if here[name]:
                here[name] -= 1
                now -= 1
        elif name >= formatting:  # a fence
            before += now
            now = 0
            memset(here, 0, sizeof(here))
        else:
            here[name] += 1
            now += 1
            most = max(most, before + now)


def count_open(str html not None, tuple names not None, tuple fences not None):
    """How many elements of some names may be open at once, as `_count_open` says; less than 0 where it must be asked."""
    cdef uint64_t hashes[MOST_NAMES]
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html), number = _read_names(names + fences, hashes), formatting = len(names)
    cdef void *chars = PyUnicode_DATA(html)
    if kind == PyUnicode_1BYTE_KIND:
        return _count_open(<const uint8_t *>chars, size, hashes, number, formatting)
    if kind == PyUnicode_2BYTE_KIND:
        return _count_open(<const uint16_t *>chars, size, hashes, number, formatting)
    return _count_open(<const uint32_t *>chars, size, hashes, number, formatting)
