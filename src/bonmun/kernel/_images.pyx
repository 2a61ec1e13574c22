"""What is around images; the references are image_names.py and item_images.py in page/."""

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.list cimport PyList_GET_ITEM
from libc.string cimport memchr

cdef extern from "attributes.h":
    ctypedef struct Reader "bonmun_reader":
        pass
    void find_reader "bonmun_find_reader"(Reader *reader, object node)
    object read_attribute "bonmun_read_attribute"(const Reader *reader, object node, object name)
    Py_ssize_t count_attributes "bonmun_count_attributes"(const Reader *reader, object node) except -1


def name_elements(list nodes not None, elements, dict known not None, Py_ssize_t most):
    """Return class and id of elements in small letters, of each the first characters; `known` are those read before."""
    cdef Py_ssize_t count = len(nodes), element, left
    cdef tuple class_ = ("class",), id_ = ("id",)
    cdef str name, id_name
    cdef list found = []
    cdef Reader reader
    if count:
        find_reader(&reader, <object> PyList_GET_ITEM(nodes, 0))
    for each in elements:
        name = known.get(each)
        if name is None:
            element = each
            if not 0 <= element < count:
                raise IndexError("element out of range")
            node = <object> PyList_GET_ITEM(nodes, element)
            name = id_name = ""
            left = count_attributes(&reader, node)
            if left:
                value = read_attribute(&reader, node, class_)
                if value is not None:
                    name = value
                    left -= 1
            if left:
                value = read_attribute(&reader, node, id_)
                id_name = "" if value is None else value
            if name or id_name:
                name = (name[:most] + " " + id_name[:most]).lower()
            else:
                name = " "
            known[each] = name
        found.append(name)
    return found


include "parents.pxi"


def list_boxes(list tags not None, list parents not None, Py_ssize_t element, Py_ssize_t levels, frozenset names not None):
    """Return the elements with some tags around an element, or itself, each after the number of its level."""
    cdef Py_ssize_t count = len(parents), level
    cdef list found = []
    if len(tags) != count:
        raise ValueError("columns differ in length")
    for level in range(levels):
        if not 0 <= element < count:
            break
        if <object> PyList_GET_ITEM(tags, element) in names:
            found.append((level, element))
        element = _read_parent(parents, element)
    return found


def list_linked(
    list rows not None, list starts not None, list stops not None, bytes linked not None, list sizes not None,
    list link_sizes not None, list tags not None, list parents not None, list elements not None, Py_ssize_t most_leaves,
    double share, Py_ssize_t levels
):
    """Return the blocks with a link that is a title or leads to a whole item, each with the link, or -1."""
    cdef Py_ssize_t count = len(parents), leaves = len(elements), row, start, stop, leaf, element, level
    cdef const char *is_linked = PyBytes_AS_STRING(linked)
    cdef const char *first
    cdef list found = []
    if len(tags) != count or len(linked) != leaves:
        raise ValueError("columns differ in length")
    if not len(starts) == len(stops) == len(sizes) == len(link_sizes):
        raise ValueError("columns of blocks differ in length")
    for each in rows:
        row = each
        if not 0 <= row < len(starts):
            raise IndexError("block out of range")
        start, stop = starts[row], stops[row]
        if not 0 <= start < stop <= leaves:
            raise ValueError("block without leaves")
        first = <const char *> memchr(is_linked + start, 1, min(stop - start, most_leaves))
        if first == NULL:
            continue
        if <Py_ssize_t> link_sizes[row] >= share * <Py_ssize_t> sizes[row]:
            leaf = first - is_linked
        elif is_linked[stop - 1]:
            leaf = stop - 1
        else:
            continue
        element = elements[leaf]
        for level in range(levels):
            if not 0 <= element < count or <object> PyList_GET_ITEM(tags, element) == "a":
                break
            element = _read_parent(parents, element)
        if not 0 <= element < count or tags[element] != "a":
            element = -1
        found.append((each, element))
    return found
