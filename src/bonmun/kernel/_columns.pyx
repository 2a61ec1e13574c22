"""Derived columns. The references are element_bits, inherited_columns, table_roles and visibility in page/parse/."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_GET_ITEM
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memchr, memset

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object)
    bint Py_UNICODE_ISLOWER(Py_UCS4)

cdef extern from "attributes.h":
    ctypedef struct Reader "bonmun_reader":
        pass
    void find_reader "bonmun_find_reader"(Reader *reader, object node)
    object read_attribute "bonmun_read_attribute"(const Reader *reader, object node, object name)
    Py_ssize_t count_attributes "bonmun_count_attributes"(const Reader *reader, object node) except -1

cdef enum:
    SLOTS = 256  # cache of tags, which are few different objects
    NAMED = 1  # roles of a tag for its content
    FENCE = 2
    TABLE = 1  # roles of a tag in a table, as bits
    ROW = 2
    DATA = 4
    CELL = 8
    CONTENT = 16
    WRAPPER = 32
    MAX_NUMBER = 4095  # of a tag
    WRAPS_CELL = 64  # a wrapper that is the first element in its cell, or in such a wrapper


cdef struct Seen:
    PyObject *tags[SLOTS]  # borrowed from the list that is read


cdef struct Place:  # the tags of five elements, one in another
    uint64_t key
    int states  # of the blocks there: 1 if some are kept, 2 if some are not sure


cdef struct Table:
    bint is_data, is_layout
    int rows, cells, blocks, wrappers


cdef inline Py_ssize_t _find_slot(PyObject *tag) noexcept nogil:
    return ((<size_t> tag >> 4) ^ (<size_t> tag >> 12)) & (SLOTS - 1)


cdef bytearray _code_tags(list tags, dict codes):
    """Return the code of each tag, from 1 to 255; 0 for tags without one."""
    cdef Py_ssize_t count = len(tags), i, slot
    cdef bytearray memory = bytearray(count)
    cdef uint8_t *found = <uint8_t *> PyByteArray_AS_STRING(memory)
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
    return memory


include "parents.pxi"


def read_bit(int bit, list bits not None, list elements not None):
    """Return one byte per element: 1 if it has the bit, else 0."""
    cdef Py_ssize_t n = len(elements), count = len(bits), i, element
    cdef bytes memory = PyBytes_FromStringAndSize(NULL, n)
    cdef char *found = PyBytes_AS_STRING(memory)
    for i in range(n):
        element = <object> PyList_GET_ITEM(elements, i)
        if not 0 <= element < count:
            raise ValueError("element out of range")
        found[i] = (<int> (<object> PyList_GET_ITEM(bits, element)) & bit) != 0
    return memory


def find_outermost(int bit, list bits not None, list parents not None, list elements not None):
    """Return the outermost elements with a bit around those of some elements that have it, in order."""
    cdef Py_ssize_t count = len(bits), row, parent
    cdef bytearray memory = bytearray(count)
    cdef uint8_t *seen = <uint8_t *> PyByteArray_AS_STRING(memory)
    cdef list found = []
    if len(parents) != count:
        raise ValueError("columns differ in length")
    for each in elements:
        row = each
        if not 0 <= row < count:
            raise ValueError("element out of range")
        while not seen[row] and <int> (<object> PyList_GET_ITEM(bits, row)) & bit:
            seen[row] = True
            parent = _read_parent(parents, row)
            if parent < 0 or not <int> (<object> PyList_GET_ITEM(bits, parent)) & bit:
                found.append(row)
                break
            row = parent
    found.sort()
    return found


def list_leaves_in(list tags not None, list bits not None, list elements not None, str tag not None, int bit):
    """Return the leaves whose element has a tag and a bit."""
    cdef Py_ssize_t count = len(bits), leaf, element
    cdef list found = []
    if len(tags) != count:
        raise ValueError("columns differ in length")
    for leaf in range(len(elements)):
        element = <object> PyList_GET_ITEM(elements, leaf)
        if not 0 <= element < count:
            raise ValueError("element out of range")
        if <int> (<object> PyList_GET_ITEM(bits, element)) & bit and (<object> PyList_GET_ITEM(tags, element)) == tag:
            found.append(leaf)
    return found


def list_torn(list texts not None, list joints not None, bytes linked not None):
    """Return the linked leaves that may go on with the word of the linked leaf before; see page/parse/torn_links.py."""
    cdef Py_ssize_t count = len(texts), leaf, size
    cdef const char *is_linked = PyBytes_AS_STRING(linked)
    cdef Py_UCS4 last, first
    cdef str before, after
    cdef list found = []
    if not len(joints) == len(linked) == count:
        raise ValueError("columns differ in length")
    for leaf in range(1, count):
        if is_linked[leaf] and is_linked[leaf - 1] and (<object> PyList_GET_ITEM(joints, leaf)) == " ":
            before, after = texts[leaf - 1], texts[leaf]
            size = len(before)
            if not size or not len(after):
                continue
            last, first = before[size - 1], after[0]
            if last > 0x7F or (Py_UNICODE_ISLOWER(last) and Py_UNICODE_ISLOWER(first)):
                found.append(leaf)
    return found


def find_hidden(bytes leaves not None, list starts not None):
    """Return whether all leaves of each block are hidden, from one byte per leaf."""
    cdef Py_ssize_t n = len(starts), count = len(leaves), row, start = 0, stop
    cdef const char *hidden = PyBytes_AS_STRING(leaves)
    cdef list found = []
    for row in range(n):
        start = starts[row]
        stop = starts[row + 1] if row + 1 < n else count
        if not 0 <= start < stop <= count:
            raise ValueError("block without leaves")
        found.append(memchr(hidden + start, 0, stop - start) == NULL)
    return found


def read_attributes(list nodes not None, elements, str name not None):
    """Return the values of an attribute of several elements, or None for those without it."""
    cdef Py_ssize_t count = len(nodes), element
    cdef tuple given = (name,)
    cdef list found = []
    cdef Reader reader
    if count:
        find_reader(&reader, <object> PyList_GET_ITEM(nodes, 0))
    for each in elements:
        element = each
        if element < 0:  # as in a list
            element += count
        if not 0 <= element < count:
            raise IndexError("element out of range")
        found.append(read_attribute(&reader, <object> PyList_GET_ITEM(nodes, element), given))
    return found


def read_names(list nodes not None):
    """Return the classes and the ids of elements. Most have one attribute at most, so others are not looked for."""
    cdef Py_ssize_t i, left, count = len(nodes)
    cdef tuple class_ = ("class",), id_ = ("id",)
    cdef list classes = [None] * count, ids = [None] * count
    cdef Reader reader
    if count:
        find_reader(&reader, <object> PyList_GET_ITEM(nodes, 0))
    for i in range(count):
        node = <object> PyList_GET_ITEM(nodes, i)
        left = count_attributes(&reader, node)
        if left:
            found = read_attribute(&reader, node, class_)
            if found is not None:
                classes[i] = found
                left -= 1
        if left:
            ids[i] = read_attribute(&reader, node, id_)
    return classes, ids


def list_around(list parents not None, Py_ssize_t element, Py_ssize_t levels):
    """Return an element and its ancestors, the innermost first, at most so many."""
    cdef Py_ssize_t count = len(parents)
    cdef list found = []
    while levels > 0 and 0 <= element < count:
        found.append(element)
        element = <object> PyList_GET_ITEM(parents, element)
        levels -= 1
    return found


def list_between(list parents not None, Py_ssize_t element, Py_ssize_t outer):
    """Return an element and its ancestors, the innermost first, up to `outer`, which is not among them."""
    cdef Py_ssize_t count = len(parents)
    cdef list found = []
    while max(outer, -1) < element < count:
        found.append(element)
        element = _read_parent(parents, element)
    return found


def climb_all(list parents not None, elements):
    """Return some elements and all their ancestors."""
    cdef Py_ssize_t count = len(parents), element
    cdef set found = set()
    for each in elements:
        element = each
        while 0 <= element < count and each not in found:
            found.add(each)
            each = <object> PyList_GET_ITEM(parents, element)
            element = each
    return found


def list_near(list parents not None, elements, Py_ssize_t levels):
    """Return some elements and their ancestors, at most `levels` of each, without order."""
    cdef Py_ssize_t count = len(parents), element, level
    cdef set found = set()
    for each in set(elements):
        element = each
        for level in range(levels):
            if not 0 <= element < count:
                break
            found.add(each)
            each = <object> PyList_GET_ITEM(parents, element)
            element = each
    return found


def find_above(list tags not None, list parents not None, Py_ssize_t element, str tag not None):
    """Return the innermost element with a tag that contains an element, or the element itself; -1 if there is none."""
    cdef Py_ssize_t count = len(parents)
    if len(tags) != count:
        raise ValueError("tags and parents differ in length")
    while 0 <= element < count:
        if (<object> PyList_GET_ITEM(tags, element)) == tag:
            return element
        element = _read_parent(parents, element)
    return -1


def find_box(
    list tags not None, list parents not None, list owners not None, Py_ssize_t image, Py_ssize_t position, wanted,
    frozenset outside not None, Py_ssize_t levels, Py_ssize_t most_elements, Py_ssize_t most_blocks
):
    """Return the smallest element with text around an image, and the range of its blocks; see page/figures.py."""
    cdef Py_ssize_t count = len(parents), blocks = len(owners), start, stop, level, end, limit, element
    if len(tags) != count or not 0 <= image < count or not 0 <= position <= blocks:
        raise ValueError("image out of range")
    end, limit, element = image + 1, min(count, image + most_elements), _read_parent(parents, image)
    for level in range(levels):
        if element < 0 or tags[element] in outside:
            break
        while end < limit and _read_parent(parents, end) >= element:  # an element follows its parent
            end += 1
        if end == limit < count:
            break
        start = stop = position
        while start > 0 and position - start <= most_blocks and element <= <Py_ssize_t> (<object> PyList_GET_ITEM(owners, start - 1)) < end:
            start -= 1
        while stop < blocks and stop - position <= most_blocks and element <= <Py_ssize_t> (<object> PyList_GET_ITEM(owners, stop)) < end:
            stop += 1
        if start < stop and (wanted is None or tags[element] == wanted):
            return element, start, stop
        element = _read_parent(parents, element)
    return None


def find_owners(list parents not None, chosen not None, around, bint is_header):
    """Return the innermost chosen element around each of some elements; see metadata/threads/groups.py."""
    cdef Py_ssize_t count = len(parents), row, parent, owner
    cdef list owners = [-1] * (count + 1)  # the last is the parent of the root
    cdef bytearray memory = bytearray(count)
    cdef uint8_t *is_chosen = <uint8_t *> PyByteArray_AS_STRING(memory)
    cdef dict last = {}  # header among the children of an element so far
    for each in chosen:
        row = each
        if not 0 <= row < count:
            raise ValueError("element out of range")
        is_chosen[row] = True
    for each in around:
        row = each
        if not 0 <= row < count:
            raise ValueError("element out of range")
        parent = _read_parent(parents, row)
        above = parents[row]
        if is_chosen[row]:
            owners[row] = each
            if is_header:
                last[above] = each
        elif is_header and above in last:
            owners[row] = last[above]
        else:
            owners[row] = owners[parent] if parent >= 0 else -1
    return owners


def sum_posts(list blocks not None, list owners not None, list letters not None, list kept not None, list likely not None):
    """Return the letters of each post, those that are kept, and the likely posts; see metadata/threads/groups.py.

    `blocks` are the elements of blocks, `owners` the post around each element, or -1.
    """
    cdef Py_ssize_t row, element, post, covered = 0, count = len(owners), size = len(blocks)
    cdef dict sums = {}
    cdef set found = set()
    if len(letters) != size or len(kept) != size or len(likely) != size:
        raise ValueError("columns differ in length")
    for row in range(size):
        element = blocks[row]
        if not 0 <= element < count:
            raise ValueError("element out of range")
        post = owners[element]
        if post >= 0:
            sums[post] = sums.get(post, 0) + letters[row]
            covered += kept[row]
            if likely[row]:
                found.add(post)
    return sums, covered, found


def count_outside(
    list texts not None, bytes linked not None, list elements not None, list starts not None, list hidden not None,
    set signs not None, set names not None
):
    """Return the letters of each visible block outside of links, leaves that are signs, and elements with names."""
    cdef Py_ssize_t row, leaf, stop, total, count = len(texts), size = len(starts)
    cdef const char *is_linked = PyBytes_AS_STRING(linked)
    cdef list letters = []
    if len(linked) != count or len(elements) != count or len(hidden) != size:
        raise ValueError("columns differ in length")
    for row in range(size):
        total = 0
        if not hidden[row]:
            leaf = starts[row]
            stop = starts[row + 1] if row + 1 < size else count
            if not 0 <= leaf <= stop <= count:
                raise ValueError("leaf out of range")
            for leaf in range(leaf, stop):
                if not is_linked[leaf] and leaf not in signs and elements[leaf] not in names:
                    total += len(<str?>texts[leaf])
        letters.append(total)
    return letters


cdef inline Py_ssize_t _measure(str text) noexcept:
    """Return the number of bytes of a text in UTF-8."""
    cdef Py_ssize_t size = len(text)
    cdef Py_UCS4 letter
    if not PyUnicode_IS_ASCII(text):
        for letter in text:
            size += (letter > 0x7F) + (letter > 0x7FF) + (letter > 0xFFFF)
    return size


def measure_blocks(list texts not None, bytes linked not None, list starts not None):
    """Return the size of each block in UTF-8 bytes, and that of its link text."""
    cdef Py_ssize_t count = len(texts), blocks = len(starts), row, leaf, stop, size, total, in_links
    cdef const char *is_linked = PyBytes_AS_STRING(linked)
    cdef list sizes = [], links = []
    if len(linked) != count:
        raise ValueError("columns differ in length")
    leaf = starts[0] if blocks else 0
    for row in range(blocks):
        stop = starts[row + 1] if row + 1 < blocks else count
        if not 0 <= leaf < stop <= count:
            raise ValueError("block without leaves")
        total = in_links = 0
        for leaf in range(leaf, stop):
            size = _measure(<str> PyList_GET_ITEM(texts, leaf))
            total += size
            in_links += size if is_linked[leaf] else 0
        leaf = stop
        sizes.append(total)
        links.append(in_links)
    return sizes, links


def mark_short(bytes linked not None, list texts not None, Py_ssize_t most):
    """Return one byte per leaf: 1 if it is in a link and has at most so many characters, else 0."""
    cdef Py_ssize_t count = len(linked), leaf
    cdef bytes memory = PyBytes_FromStringAndSize(NULL, count)
    cdef char *found = PyBytes_AS_STRING(memory)
    cdef const char *is_linked = PyBytes_AS_STRING(linked)
    if len(texts) != count:
        raise ValueError("columns differ in length")
    for leaf in range(count):
        found[leaf] = is_linked[leaf] and len(<str> PyList_GET_ITEM(texts, leaf)) <= most
    return memory


cdef bint _has_text_in(
    list parents, list leaf_elements, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t element, Py_ssize_t levels
) except -1:
    cdef Py_ssize_t count = len(parents), leaf, level, each
    if not 0 <= start <= stop <= len(leaf_elements):
        raise ValueError("leaf out of range")
    for leaf in range(start, stop):
        each = <object> PyList_GET_ITEM(leaf_elements, leaf)
        for level in range(levels):
            if not element < each < count:  # ancestors come before their descendants
                break
            each = <object> PyList_GET_ITEM(parents, each)
        else:
            continue
        if each == element:
            return True
    return False


def has_text_in(
    list parents not None, list leaf_elements not None, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t element,
    Py_ssize_t levels
):
    """Return whether one of some leaves is in an element, at most `levels` above it."""
    return _has_text_in(parents, leaf_elements, start, stop, element, levels)


def list_blocks(
    list parents not None, list leaf_elements not None, list starts not None, list stops not None, Py_ssize_t first,
    Py_ssize_t element, Py_ssize_t levels, Py_ssize_t most_leaves, Py_ssize_t most
):
    """Return the blocks of which one of the first leaves is in an element; see page/item_images.py."""
    cdef Py_ssize_t row, start, count = len(starts)
    cdef list found = []
    if len(stops) != count:
        raise ValueError("columns differ in length")
    for row in range(max(0, first - 1), count):
        if len(found) == most:
            break
        start = starts[row]
        if _has_text_in(parents, leaf_elements, start, min(<Py_ssize_t> stops[row], start + most_leaves), element, levels):
            found.append(row)
        elif row >= first:
            break
    return found


def list_tags(list tags not None):
    """Return the different tags of a page."""
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


def list_places(list values not None, str value not None):
    """Return where a value stands in a column; few of its values are different objects."""
    cdef Py_ssize_t i, slot
    cdef list places = []
    cdef Seen seen
    cdef bint is_equal[SLOTS]
    cdef PyObject *each
    memset(&seen, 0, sizeof(seen))
    for i in range(len(values)):
        each = <PyObject *> PyList_GET_ITEM(values, i)
        slot = _find_slot(each)
        if seen.tags[slot] != each:
            seen.tags[slot] = each
            is_equal[slot] = <object> each == value
        if is_equal[slot]:
            places.append(i)
    return places


def find_around(list tags not None, list parents not None, names, fence):
    """Return the innermost ancestor with one of the tags for each element, or the element itself; -1 if there is none.

    The search does not go past an element with the tag `fence`.
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
        raise ValueError("tags and parents differ in length")
    for row in range(count):
        parent = _read_parent(parents, row)
        found.append(row if role[row] == NAMED else none if role[row] or parent < 0 else found[parent])
    return found


def find_kinds(
    list tags not None, list parents not None, dict kind_of_tag not None, set codes not None, list tables, layout
):
    """Return the kind of block for text in each element; `tables` is None if there are no layout tables."""
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
        raise ValueError("tags, parents and tables differ in length")
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
    cell_tags, content_tags, wrapper_tags, has_layout_role, has_title_row
):
    """Return the layout tables, as page/parse/table_roles.py does.

    `has_layout_role` is called for each table, `has_title_row` for the few where it decides.
    """
    cdef Py_ssize_t count = len(tags), row, around
    cdef dict roles = {"table": TABLE, "tr": ROW}
    for which, tags_of_role in (
        (DATA, data_tags), (CELL, cell_tags), (CONTENT, content_tags), (WRAPPER, wrapper_tags)
    ):
        for tag in tags_of_role:
            roles[tag] = roles.get(tag, 0) | which
    cdef bytearray role_data = _code_tags(tags, roles)
    cdef uint8_t *role = <uint8_t *> PyByteArray_AS_STRING(role_data)
    cdef bytearray table_data = bytearray(count * sizeof(Table))
    cdef Table *found = <Table *> PyByteArray_AS_STRING(table_data)
    cdef Table *table
    cdef list numbers = [], layout = []
    if not len(parents) == len(bits) == len(tables) == count:
        raise ValueError("columns differ in length")
    for row in range(count):
        around = <object> PyList_GET_ITEM(tables, row)
        if around < 0:
            continue
        if around > row:
            raise ValueError("table after its content")
        if role[row] & TABLE:
            numbers.append(row)
            found[row].is_layout |= bool(has_layout_role(row))
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
            if role[row] & WRAPPER and role[row - 1] & (CELL | WRAPS_CELL) and _read_parent(parents, row) == row - 1:
                role[row] |= WRAPS_CELL
                table.wrappers += 1
    for row in numbers:
        table = &found[row]
        if table.is_layout or not table.is_data and (
            table.rows < 2 or table.cells <= table.rows
            or (table.blocks - table.wrappers) * 2 > table.cells
            or table.blocks * 2 > table.cells and table.cells % table.rows and not has_title_row(row, table.rows, table.cells)
        ):
            layout.append(row)
    return frozenset(layout)


cdef int _number_tags(list tags, uint16_t *numbers) except -1:
    """Number each tag, so that equal tags have the same number; return how many there are."""
    cdef Py_ssize_t i, slot, count = len(tags)
    cdef dict known = {}
    cdef Seen seen
    cdef uint16_t cached[SLOTS]
    cdef PyObject *tag
    memset(&seen, 0, sizeof(seen))
    for i in range(count):
        tag = <PyObject *> PyList_GET_ITEM(tags, i)
        slot = _find_slot(tag)
        if seen.tags[slot] != tag:
            seen.tags[slot] = tag
            cached[slot] = known.setdefault(<object> tag, min(len(known), MAX_NUMBER))
        numbers[i] = cached[slot]
    return len(known)


def list_mixed(
    list tags not None, list parents not None, list owners not None, list kept not None, list scores not None,
    double min_score
):
    """Return the blocks whose tags, of five levels, are also those of blocks that were decided otherwise.

    They are a dictionary with a number for the tags of each, or None if there are too many tags. Some of such blocks
    are kept, others are not, with a minimum score; see algorithms/places.py.
    """
    cdef Py_ssize_t count = len(tags), blocks = len(owners), row, element, slot, size = 16
    cdef int level
    cdef bint is_kept, has_unsure = False
    cdef uint64_t key
    cdef dict found = {}
    if len(parents) != count or len(kept) != blocks or len(scores) != blocks:
        raise ValueError("columns differ in length")
    for row in range(blocks):
        if not kept[row] and <double> scores[row] >= min_score:
            has_unsure = True
            break
    if not has_unsure:
        return found
    # differs in each process, so that nobody can choose tags that collide
    cdef uint64_t seed = <uint64_t> <Py_ssize_t> hash("places")
    while size < 2 * blocks:
        size *= 2
    cdef bytearray number_data = bytearray(count * sizeof(uint16_t))
    cdef bytearray key_data = bytearray(blocks * sizeof(uint64_t))
    cdef bytearray table_data = bytearray(size * sizeof(Place))
    cdef uint16_t *numbers = <uint16_t *> PyByteArray_AS_STRING(number_data)
    cdef uint64_t *keys = <uint64_t *> PyByteArray_AS_STRING(key_data)
    cdef Place *places = <Place *> PyByteArray_AS_STRING(table_data)
    if _number_tags(tags, numbers) > MAX_NUMBER:
        return None
    for row in range(blocks):
        element = owners[row]
        key = 1  # so that no key is 0
        for level in range(5):
            if not 0 <= element < count:
                raise ValueError("element out of range")
            key = key << 12 | numbers[element]
            element = max(0, _read_parent(parents, element))  # nothing is above the root
        keys[row] = key
        slot = _find_place(places, size, key, seed)
        places[slot].key = key
        is_kept = kept[row]
        places[slot].states |= 1 if is_kept else 2 if <double> scores[row] >= min_score else 0
    for row in range(blocks):
        slot = _find_place(places, size, keys[row], seed)
        if places[slot].states == 3:
            found[row] = slot
    return found


cdef inline Py_ssize_t _find_place(const Place *places, Py_ssize_t size, uint64_t key, uint64_t seed) noexcept nogil:
    """Return where a key is in a table, or where it belongs."""
    cdef uint64_t mixed = (key ^ seed) * <uint64_t> 0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 32) * <uint64_t> 0xD6E8FEB86659FD93
    cdef Py_ssize_t slot = <Py_ssize_t> (mixed >> 32) & (size - 1)
    while places[slot].key and places[slot].key != key:
        slot = (slot + 1) & (size - 1)
    return slot
