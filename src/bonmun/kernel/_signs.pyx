"""Count tags in the source of a page, to detect pages that would explode in the parser; the reference is bombs.py.

And count control bytes, to detect input that is not text.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
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
    BLOCK = 128  # characters that are counted together in the smallest integers, which is fastest
    MAX_LETTERS = 8  # longest name; up to this length, every name has a different number in 64 bits
    MAX_NAMES = 64
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
    """Return the number of `<` in a page, like `html.count("<")`."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html)
    cdef void *chars = PyUnicode_DATA(html)
    if kind == PyUnicode_1BYTE_KIND:
        return _count(<const uint8_t *>chars, size)
    if kind == PyUnicode_2BYTE_KIND:
        return _count(<const uint16_t *>chars, size)
    return _count(<const uint32_t *>chars, size)


cdef bint _has_empty(const Character *chars, Py_ssize_t size, list names) except -1:
    cdef Py_ssize_t at = 0, end = -1, i, length
    cdef const uint8_t *name
    cdef bint starts[128]  # a name
    memset(starts, 0, sizeof(starts))
    for each in names:
        starts[PyBytes_AS_STRING(each)[0] & 127] = True
    while at + 1 < size:
        if chars[at] != c'<' or chars[at + 1] > 127 or not starts[chars[at + 1]]:
            at += 1
            continue
        for each in names:
            name, length = <const uint8_t *>PyBytes_AS_STRING(each), PyBytes_GET_SIZE(each)
            if length >= size - at:
                continue
            i = 0
            while i < length and chars[at + 1 + i] == name[i]:
                i += 1
            if i < length:
                continue
            if end < at:
                end = at
                while end < size and chars[end] != c'>':
                    end += 1
            if end < size and chars[end - 1] == c'/':
                return True
        at += 1
    return False


def may_have_empty(str html not None, names):
    """Return whether a start tag that begins with one of some names ends with `/>`; see page/parse/xhtml.py."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html)
    cdef void *chars = PyUnicode_DATA(html)
    cdef list wanted = [name.encode() for name in names]
    if kind == PyUnicode_1BYTE_KIND:
        return _has_empty(<const uint8_t *>chars, size, wanted)
    if kind == PyUnicode_2BYTE_KIND:
        return _has_empty(<const uint16_t *>chars, size, wanted)
    return _has_empty(<const uint32_t *>chars, size, wanted)


def may_be_read_twice(str html not None):
    """Return whether a text may be UTF-8 that was read as Latin-1: it has no wider characters, and the first one beyond
    ASCII and the next could start a sequence of UTF-8; the reference is `_decode_twice` in page/saved/decode_saved.py.
    """
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html), at = 0, i
    cdef const uint8_t *chars = <const uint8_t *>PyUnicode_DATA(html)
    cdef uint8_t found
    if PyUnicode_KIND(html) != PyUnicode_1BYTE_KIND:
        return False
    while size - at >= BLOCK:
        found = 0
        for i in range(BLOCK):
            found |= chars[at + i]
        if found > 127:
            break
        at += BLOCK
    while at < size and chars[at] <= 127:
        at += 1
    return at + 1 < size and 0xC2 <= chars[at] <= 0xF4 and 0x80 <= chars[at + 1] <= 0xBF


cdef inline uint8_t _is_control(uint8_t byte) noexcept nogil:
    """Return 1 for a control byte, else 0; the reference is `CONTROLS` in page/parse/decode.py."""
    return (<uint8_t>(byte - 1) < 8) | ((<uint8_t>(byte - 14) < 18) & (byte != 27)) | (byte == 127)


def count_controls(bytes data not None):
    """Return the number of control bytes."""
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
    """Return whether a text may start with one of the names, followed by a character that ends a name."""
    cdef uint64_t found = 0
    cdef uint32_t char
    cdef Py_ssize_t at
    cdef int i
    for at in range(min(size, MAX_LETTERS + 1)):
        char = chars[at]
        if char > 127:  # with case folded it may be a letter, or it is whitespace
            return True
        if not c'a' <= char | 32 <= c'z':
            for i in range(number):
                if names[i] == found:
                    return True
            return False
        found = 31 * found + (char | 32)
    return False


cdef inline Py_ssize_t _find_tag(const Character *chars, Py_ssize_t size, Py_ssize_t at) noexcept nogil:
    """Return the position of the next `<`, or the end. It is searched as a byte, so hits in wide characters are checked."""
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
    """Compute the numbers of names, as `_is_named` does; return how many there are."""
    cdef int number = 0
    if len(names) > MAX_NAMES:
        raise ValueError("too many names")
    for name in names:
        if len(name) > MAX_LETTERS:
            raise ValueError("name is too long")
        hashes[number] = 0
        for char in name:
            hashes[number] = 31 * hashes[number] + <uint64_t>ord(char)
        number += 1
    return number


def count_names(str html not None, tuple names not None):
    """Return the number of start tags with these names, or slightly more."""
    cdef uint64_t hashes[MAX_NAMES]
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html), number = _read_names(names, hashes)
    cdef void *chars = PyUnicode_DATA(html)
    if kind == PyUnicode_1BYTE_KIND:
        return _count_names(<const uint8_t *>chars, size, hashes, number)
    if kind == PyUnicode_2BYTE_KIND:
        return _count_names(<const uint16_t *>chars, size, hashes, number)
    return _count_names(<const uint32_t *>chars, size, hashes, number)


cdef int _find_name(const Character *chars, Py_ssize_t size, const uint64_t *names, int number) noexcept nogil:
    """Return which of the names a text starts with, if it is complete; ODD_NAME if a regular expression may differ.

    A regular expression takes ı, İ, ſ and the Kelvin sign for ASCII letters, and more characters for whitespace.
    """
    cdef uint64_t found = 0
    cdef uint32_t char
    cdef Py_ssize_t at
    cdef bint is_odd
    cdef int i
    for at in range(min(size, MAX_LETTERS + 1)):
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
    cdef Py_ssize_t here[MAX_NAMES]
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
    """Return how many elements with these names may be open at once, like `_count_open` of bombs.py; < 0 if unknown."""
    cdef uint64_t hashes[MAX_NAMES]
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(html)
    cdef int kind = PyUnicode_KIND(html), number = _read_names(names + fences, hashes), formatting = len(names)
    cdef void *chars = PyUnicode_DATA(html)
    if kind == PyUnicode_1BYTE_KIND:
        return _count_open(<const uint8_t *>chars, size, hashes, number, formatting)
    if kind == PyUnicode_2BYTE_KIND:
        return _count_open(<const uint16_t *>chars, size, hashes, number, formatting)
    return _count_open(<const uint32_t *>chars, size, hashes, number, formatting)
