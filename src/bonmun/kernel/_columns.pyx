"""Columns that follow from those of a walk: bits.py, inherited.py, table_roles.py and visibility.py of page/."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memset

cdef enum:
    SLOTS = 256  # for tags, which are the same objects again and again
    NAMED = 1  # what a tag is to those in it
    FENCE = 2
    TABLE = 1  # what a tag is to a table, as bits
    ROW = 2
    DATA = 4
    CELL = 8
    CONTENT = 16


cdef struct Seen:
    PyObject *tags[SLOTS]  # borrowed from the list that is read


cdef struct Table:
    bint is_data, is_layout
    int rows, cells, blocks


cdef inline Py_ssize_t _find_slot(PyObject *tag) noexcept nogil:
    return ((<size_t> tag >> 4) ^ (<size_t> tag >> 12)) & (SLOTS - 1)


cdef bytearray _code_tags(list tags, dict codes):
    """The code of each tag, from 1 to 255; 0 for those that have none."""
    cdef Py_ssize_t count = len(tags), i, slot
    cdef bytearray room = bytearray(count)
    cdef uint8_t *found = <uint8_t *> PyByteArray_AS_STRING(room)
    cdef Seen seen
    cdef uint8_t known[SLOTS]
    cdef PyObject *tag
    cdef PyObject *code
    memset(&seen, 0, sizeof(seen))
    for i in range(count):
        tag = <PyObject *> PyList_GET_ITEM(tags, i)
        slot = _find_slot(tag)
        if seen.tags[slot] != tag:
            code = PyDict_GetItem(codes, <object> tag)
            seen.tags[slot] = tag
            known[slot] = <uint8_t> (<object> code) if code != NULL else 0
        found[i] = known[slot]
    return room


cdef Py_ssize_t _read_parent(list parents, Py_ssize_t row) except -2:
    cdef Py_ssize_t parent = <object> PyList_GET_ITEM(parents, row)
    if not -1 <= parent < row:
        raise ValueError("a parent that does not stand before its child")
    return parent


def read_bit(int bit, list bits not None, list elements not None):
    """A byte for each of some elements: 1 if it has the bit, else 0."""
    cdef Py_ssize_t n = len(elements), count = len(bits), i, element
    cdef bytes room = PyBytes_FromStringAndSize(NULL, n)
    cdef char *found = PyBytes_AS_STRING(room)
    for i in range(n):
        element = <object> PyList_GET_ITEM(elements, i)
        if not 0 <= element < count:
            raise ValueError("an element that the page does not have")
        found[i] = (<int> (<object> PyList_GET_ITEM(bits, element)) & bit) != 0
    return room


def find_hidden(bytes leaves not None, list starts not None):
    """Whether each block has no leaf but hidden ones, from a byte a leaf."""
    cdef Py_ssize_t n = len(starts), count = len(leaves), row, start = 0, stop
    cdef const char *hidden = PyBytes_AS_STRING(leaves)
    cdef list found = []
    for row in range(n):
        start = starts[row]
        stop = starts[row + 1] if row + 1 < n else count
        if not 0 <= start < stop <= count:
            raise ValueError("a block without leaves")
        found.append(memchr(hidden + start, 0, stop - start) == NULL)
    return found


def list_names(list tags not None):
    """The tags of a page, each once."""
    cdef Py_ssize_t i, slot
    cdef set names = set()
    cdef Seen seen
    cdef PyObject *tag
    memset(&seen, 0, sizeof(seen))
    for i in range(len(tags)):
        tag = <PyObject *> PyList_GET_ITEM(tags, i)
        slot = _find_slot(tag)
        if seen.tags[slot] != tag:
            seen.tags[slot] = tag
            names.add(<object> tag)
    return frozenset(names)


def find_around(list tags not None, list parents not None, names, fence):
    """The innermost element of some tags around each element, or itself if it is one; -1 where there is none.

    What stands in an element of the tag `fence` does not see those outside.
    """
    cdef Py_ssize_t count = len(tags), row, parent
    cdef dict roles = dict.fromkeys(names, NAMED)
    if fence is not None:
        roles.setdefault(fence, FENCE)
    cdef bytearray role_data = _code_tags(tags, roles)
    cdef const uint8_t *role = <const uint8_t *> PyByteArray_AS_STRING(role_data)
    cdef list found = []
    cdef object none = -1
    if len(parents) != count:
        raise ValueError("as many parents as tags")
    for row in range(count):
        parent = _read_parent(parents, row)
        found.append(row if role[row] == NAMED else none if role[row] or parent < 0 else found[parent])
    return found


def find_kinds(
    list tags not None, list parents not None, dict kind_of_tag not None, set codes not None, list tables, layout
):
    """The kind of block that text in each element makes; `tables` is None where no table is layout."""
    cdef Py_ssize_t count = len(tags), row, parent
    cdef list kinds = list(dict.fromkeys(kind_of_tag.values()))
    cdef dict numbers = {tag: 1 + kinds.index(kind) for tag, kind in kind_of_tag.items()}
    cdef bytearray kind_data = _code_tags(tags, numbers)
    cdef const uint8_t *own = <const uint8_t *> PyByteArray_AS_STRING(kind_data)
    cdef list found = []
    cdef object paragraph = "paragraph", kind
    cdef uint8_t cell = 1 + kinds.index("cell")
    cdef bint has_codes = bool(codes)
    if len(parents) != count or (tables is not None and len(tables) != count):
        raise ValueError("as many parents and tables as tags")
    for row in range(count):
        parent = _read_parent(parents, row)
        if parent < 0:
            kind = paragraph
        elif has_codes and row in codes:
            kind = "code"
        elif not own[row]:
            kind = found[parent]
        elif own[row] == cell and tables is not None and tables[row] in layout:
            kind = paragraph
        else:
            kind = kinds[own[row] - 1]
        found.append(kind)
    return found


def find_layout_tables(
    list tags not None, list parents not None, list bits not None, list tables not None, int block_bit, data_tags,
    cell_tags, content_tags, is_arranged
):
    """The tables that only arrange the page, as page/table_roles.py tells them; `is_arranged` asks one for its role."""
    cdef Py_ssize_t count = len(tags), row, around
    cdef dict roles = {"table": TABLE, "tr": ROW}
    for which, tags_of_role in ((DATA, data_tags), (CELL, cell_tags), (CONTENT, content_tags)):
        for tag in tags_of_role:
            roles[tag] = roles.get(tag, 0) | which
    cdef bytearray role_data = _code_tags(tags, roles)
    cdef const uint8_t *role = <const uint8_t *> PyByteArray_AS_STRING(role_data)
    cdef bytearray table_data = bytearray(count * sizeof(Table))
    cdef Table *found = <Table *> PyByteArray_AS_STRING(table_data)
    cdef Table *table
    cdef list numbers = [], layout = []
    if not len(parents) == len(bits) == len(tables) == count:
        raise ValueError("the columns of a page are not equally long")
    for row in range(count):
        around = <object> PyList_GET_ITEM(tables, row)
        if around < 0:
            continue
        if around > row:
            raise ValueError("a table that does not stand before what it holds")
        if role[row] & TABLE:
            numbers.append(row)
            found[row].is_layout |= bool(is_arranged(row))
            around = _read_parent(parents, row)
            around = tables[around] if around >= 0 else -1
            if 0 <= around < row:
                found[around].is_layout = True
            continue
        table = &found[around]
        if role[row] & DATA:
            table.is_data = True
        if role[row] & ROW:
            table.rows += 1
        elif role[row] & CELL:
            table.cells += 1
        elif role[row] & CONTENT and <int> (<object> PyList_GET_ITEM(bits, row)) & block_bit:
            table.blocks += 1
    for row in numbers:
        table = &found[row]
        if table.is_layout or not table.is_data and (
            table.rows < 2 or table.cells <= table.rows or table.blocks * 2 > table.cells
        ):
            layout.append(row)
    return frozenset(layout)
