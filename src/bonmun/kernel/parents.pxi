"""Read the column of parents."""

cdef Py_ssize_t _read_parent(list parents, Py_ssize_t row) except -2:
    cdef Py_ssize_t parent = <object> PyList_GET_ITEM(parents, row)
    if not -1 <= parent < row:
        raise ValueError("parent after its child")
    return parent
