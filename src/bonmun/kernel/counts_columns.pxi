"""Convert columns of a page to C numbers, and texts to C characters. Memory is allocated as bytearrays."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize, PyByteArray_Resize
from cpython.dict cimport PyDict_SetItem
from cpython.list cimport PyList_AsTuple
from cpython.object cimport PyObject
from libc.math cimport log, log1p
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030C0000
    #define BONMUN_READY(text) PyUnicode_READY(text)
    #else
    #define BONMUN_READY(text) 0
    #endif
    """
    int BONMUN_READY(PyObject *text) except -1

cdef extern from "Python.h":
    bint PyUnicode_Check(PyObject *text)
    int PyUnicode_KIND(PyObject *text)
    void *PyUnicode_DATA(PyObject *text)
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject *text)
    uint32_t PyUnicode_READ(int kind, const void *data, Py_ssize_t place) nogil
    bint Py_UNICODE_ISSPACE(uint32_t character)
    object PyUnicode_Substring(PyObject *text, Py_ssize_t start, Py_ssize_t stop)
    PyObject *PyDict_GetItemWithError(object mapping, PyObject *key) except? NULL
    PyObject *PyTuple_GET_ITEM_BORROWED "PyTuple_GET_ITEM"(object values, Py_ssize_t place)
    PyObject *PyList_GET_ITEM_BORROWED "PyList_GET_ITEM"(object values, Py_ssize_t place)

cdef extern from "attributes.h":
    ctypedef struct Reader "bonmun_reader":
        pass
    void find_reader "bonmun_find_reader"(Reader *reader, object node)
    Py_ssize_t count_attributes "bonmun_count_attributes"(const Reader *reader, object node) except -1
    object read_attribute "bonmun_read_attribute"(const Reader *reader, object node, object name)

ctypedef fused Character:
    uint8_t
    uint16_t
    uint32_t

cdef struct Text:
    const void *data
    Py_ssize_t length
    int kind

cdef inline bytearray make(Py_ssize_t items, Py_ssize_t size):
    """Return uninitialised memory."""
    return PyByteArray_FromStringAndSize(NULL, items * size)


cdef inline int32_t *ints_of(bytearray memory) noexcept:
    return <int32_t *> PyByteArray_AS_STRING(memory)


cdef inline float *floats_of(bytearray memory) noexcept:
    return <float *> PyByteArray_AS_STRING(memory)


cdef inline uint8_t *bytes_of(bytearray memory) noexcept:
    return <uint8_t *> PyByteArray_AS_STRING(memory)


cdef bytearray read_numbers(list values, Py_ssize_t count, long least, long most):
    """Return the numbers of a list of `count` numbers, each from `least` to `most`."""
    cdef bytearray memory = make(count, sizeof(int32_t))
    cdef int32_t *numbers = ints_of(memory)
    cdef Py_ssize_t i
    cdef long number
    if len(values) != count:
        raise ValueError("columns differ in length")
    for i in range(count):
        number = values[i]
        if number < least or number > most:
            raise ValueError("row out of range")
        numbers[i] = <int32_t> number
    return memory


cdef bytearray read_leaf_bits(object bits, Py_ssize_t count, bytearray leaf_elements_):
    """Return the bits of each leaf's element, from those of all elements: a list of numbers, or bytes."""
    cdef Py_ssize_t leaves = len(leaf_elements_) // <Py_ssize_t> sizeof(int32_t), i
    cdef const int32_t *leaf_elements = ints_of(leaf_elements_)
    cdef bytearray memory = make(leaves, 1)
    cdef uint8_t *found = bytes_of(memory)
    cdef list numbers
    cdef bytes copied
    cdef const uint8_t *each
    if len(bits) != count:
        raise ValueError("columns differ in length")
    if isinstance(bits, list):
        numbers = bits
        for i in range(leaves):
            found[i] = numbers[leaf_elements[i]]
    else:
        copied = bytes(bits)
        each = copied
        for i in range(leaves):
            found[i] = each[leaf_elements[i]]
    return memory


cdef inline int open_text(PyObject *text, Text *opened) except -1:
    """Find the characters of a str; they are valid as long as it is held."""
    if not PyUnicode_Check(text):
        raise TypeError("a text must be str")
    BONMUN_READY(text)
    opened.data = PyUnicode_DATA(text)
    opened.length = PyUnicode_GET_LENGTH(text)
    opened.kind = PyUnicode_KIND(text)
    return 0


cdef inline uint32_t read(const Text *text, Py_ssize_t place) noexcept nogil:
    return PyUnicode_READ(text.kind, text.data, place)


cdef int32_t number_text(dict numbers, object text) except -1:
    """Return the number of a text that was numbered before, or the next number."""
    cdef PyObject *known = PyDict_GetItemWithError(numbers, <PyObject *> text)
    cdef int32_t number
    if known != NULL:
        return <object> known
    number = <int32_t> len(numbers)
    PyDict_SetItem(numbers, text, number)
    return number
