"""The units of a page, by block. The references are page/units.py and models/network/whole_units.py."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, uint8_t


cdef enum:
    LIST = 1  # roles of a tag
    ITEM = 2
    CARD = 4
    TABLE = 8
    SHIFT = 4  # the kind of unit that a tag makes, plus 1, is stored above these bits
    HOLDS = 1  # marks of an element: it contains blocks
    ROOT = 2  # it is a unit
    LAYOUT = 4  # it is a layout list


cdef inline int32_t* _ints(bytearray data):
    return <int32_t*>PyByteArray_AS_STRING(data)


cdef inline uint8_t* _bytes(bytearray data):
    return <uint8_t*>PyByteArray_AS_STRING(data)


cdef class Numberer:
    """Holds the tags. Created once."""

    cdef dict roles
    cdef int code
    cdef int formula
    cdef int item_blocks

    def __init__(self, list kinds, dict kind_of_tag, lists, items, cards, int item_blocks):
        self.roles = {}
        self.code = kinds.index("code")
        self.formula = kinds.index("formula")
        self.item_blocks = item_blocks
        for tag in {*kind_of_tag, *lists, *items, *cards}:
            role = (tag in lists) * LIST | (tag in items) * ITEM | (tag in cards) * CARD | (tag == "table") * TABLE
            number = kinds.index(kind_of_tag[tag]) + 1 if tag in kind_of_tag else 0
            self.roles[tag] = role | number << SHIFT

    def number(self, list tags, list parents, list owners, codes, displayed, find_layout_tables):
        """Return the number of each block's unit, -1 for none, and the kind of each unit, both as bytearrays.

        `codes` are elements other than <pre> that contain code; `displayed` are blocks that are formulas;
        `find_layout_tables` is called only if there is a table.
        """
        cdef Py_ssize_t count = len(tags), n = len(owners), row
        cdef bytearray unit_data = bytearray(4 * n)
        cdef bytearray kind_data = bytearray(n)
        cdef int32_t* units = _ints(unit_data)
        cdef uint8_t* kinds = _bytes(kind_data)
        cdef bytearray parent_data = bytearray(4 * count)
        cdef bytearray owner_data = bytearray(4 * n)
        cdef bytearray role_data = bytearray(count)
        cdef bytearray mark_data = bytearray(count)
        cdef bytearray around_data = bytearray(4 * count)
        cdef int32_t* parent_of = _ints(parent_data)
        cdef int32_t* owner_of = _ints(owner_data)
        cdef uint8_t* roles = _bytes(role_data)
        cdef uint8_t* marks = _bytes(mark_data)
        cdef int32_t* around = _ints(around_data)
        cdef int32_t element, root, last, number
        cdef bint has_table = False, has_root = False, has_list = False
        cdef PyObject* found
        if len(parents) != count:
            raise ValueError("tags and parents differ in length")
        for row in range(n):
            units[row] = -1
            element = owners[row]
            if not 0 <= element < count:
                raise ValueError("owner out of range")
            owner_of[row] = element
            marks[element] = HOLDS
        for row in range(count - 1, -1, -1):
            element = parents[row]
            if not -1 <= element < row:
                raise ValueError("parent after its child")
            parent_of[row] = element
            if marks[row] and element >= 0:
                marks[element] = HOLDS
        for row in range(count):
            if marks[row]:
                found = PyDict_GetItem(self.roles, <object>PyList_GET_ITEM(tags, row))
                if found != NULL:
                    roles[row] = <int><object>found
                    if roles[row] >> SHIFT:
                        marks[row] |= ROOT
                        has_root = True
                    has_list |= roles[row] & LIST != 0
        for element in codes:
            if 0 <= element < count and marks[element]:
                marks[element] |= ROOT
                has_root = True
        if not has_root and not displayed:
            return unit_data, bytearray()
        if has_list:
            self._drop_layout_lists(count, n, parent_of, owner_of, roles, marks, around)
        for row in range(count):
            has_table |= marks[row] & (ROOT | LAYOUT) == ROOT and roles[row] & TABLE != 0
        if has_table:
            for element in find_layout_tables():
                if 0 <= element < count:
                    marks[element] &= ~ROOT
        for row in range(count):
            if not marks[row]:
                continue
            element = parent_of[row]
            around[row] = around[element] if element >= 0 else -1
            if around[row] < 0 and marks[row] & (ROOT | LAYOUT) == ROOT:
                around[row] = row
        last, number = -1, -1
        for row in range(n):
            root = around[owner_of[row]]
            if root < 0 and displayed and row in displayed:
                root = -2 - row
            if root != last and root != -1:
                number += 1
                if root < 0:
                    kinds[number] = self.formula
                else:
                    kinds[number] = roles[root] >> SHIFT
                    kinds[number] = kinds[number] - 1 if kinds[number] else self.code
            last = root
            units[row] = number if root != -1 else -1
        return unit_data, kind_data[: number + 1]

    cdef _drop_layout_lists(
        self,
        Py_ssize_t count,
        Py_ssize_t n,
        int32_t* parent_of,
        int32_t* owner_of,
        uint8_t* roles,
        uint8_t* marks,
        int32_t* inner,
    ):
        """Mark layout lists, and the lists that contain them; `inner` is scratch space."""
        cdef bytearray item_data = bytearray(4 * count)
        cdef bytearray block_data = bytearray(4 * count)
        cdef int32_t* items = _ints(item_data)
        cdef int32_t* blocks = _ints(block_data)
        cdef Py_ssize_t row
        cdef int32_t above
        for row in range(count):  # inner[row]: the innermost list that contains an element, or the element itself
            if not marks[row]:
                continue
            above = inner[parent_of[row]] if parent_of[row] >= 0 else -1
            inner[row] = above
            if roles[row] & LIST:
                inner[row] = row
            elif above >= 0:
                if roles[row] & ITEM:
                    items[above] += 1
                elif roles[row] & CARD:
                    marks[above] |= LAYOUT
        for row in range(n):
            if inner[owner_of[row]] >= 0:
                blocks[inner[owner_of[row]]] += 1
        for row in range(count - 1, -1, -1):  # inner lists before outer ones
            if not (marks[row] and roles[row] & LIST):
                continue
            if blocks[row] > self.item_blocks * items[row]:
                marks[row] |= LAYOUT
            above = inner[parent_of[row]] if parent_of[row] >= 0 else -1
            if above >= 0:
                items[above] += items[row]
                blocks[above] += blocks[row]
                marks[above] |= marks[row] & LAYOUT
