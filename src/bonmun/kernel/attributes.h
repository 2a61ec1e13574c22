/* Read attributes of turbohtml's elements with the fastest calls.

`node.attr(name)` in Python makes a tuple of arguments for every call; here, one tuple is made for each name. If `attr`
and `attrs` are not the expected C functions, they are called like any method or attribute. */

#ifndef BONMUN_ATTRIBUTES_H
#define BONMUN_ATTRIBUTES_H

#include <Python.h>

typedef struct {
    PyTypeObject *type; /* borrowed: the caller holds a node of it */
    PyCFunctionWithKeywords read; /* NULL if unknown */
    PyGetSetDef *all; /* NULL if unknown */
} bonmun_reader;

/* Find the functions for nodes of the type of this one; never fails. Those of the last type are known: it takes longer to
   find them than to read ten attributes. */
static void bonmun_find_reader(bonmun_reader *found, PyObject *node)
{
    static bonmun_reader known, *reader = &known; /* holds a reference to its type */
    if (known.type == Py_TYPE(node)) {
        *found = known;
        return;
    }
    PyTypeObject *before = known.type;
    PyObject *method = PyObject_GetAttrString((PyObject *)Py_TYPE(node), "attr");
    PyObject *property = PyObject_GetAttrString((PyObject *)Py_TYPE(node), "attrs");
    PyErr_Clear();
    Py_INCREF(Py_TYPE(node));
    reader->type = Py_TYPE(node);
    reader->read = NULL;
    reader->all = NULL;
    if (method != NULL && Py_IS_TYPE(method, &PyMethodDescr_Type)) {
        PyMethodDef *found = ((PyMethodDescrObject *)method)->d_method;
        if (found->ml_flags == (METH_VARARGS | METH_KEYWORDS))
            reader->read = (PyCFunctionWithKeywords)(void (*)(void))found->ml_meth;
    }
    if (property != NULL && Py_IS_TYPE(property, &PyGetSetDescr_Type))
        reader->all = ((PyGetSetDescrObject *)property)->d_getset;
    *found = known;
    Py_XDECREF(before);
    Py_XDECREF(method);
    Py_XDECREF(property);
}

/* Return `node.attr(*name)`: a new reference, or NULL with an error set. */
static inline PyObject *bonmun_read_attribute(const bonmun_reader *reader, PyObject *node, PyObject *name)
{
    PyObject *method, *value;
    if (reader->read != NULL && Py_IS_TYPE(node, reader->type))
        return reader->read(node, name, NULL);
    method = PyObject_GetAttrString(node, "attr");
    if (method == NULL)
        return NULL;
    value = PyObject_Call(method, name, NULL);
    Py_DECREF(method);
    return value;
}

/* Return the number of attributes of a node, or a huge number if unknown; -1 with an error set. */
static inline Py_ssize_t bonmun_count_attributes(const bonmun_reader *reader, PyObject *node)
{
    PyObject *all;
    Py_ssize_t count;
    if (reader->all == NULL || reader->all->get == NULL || !Py_IS_TYPE(node, reader->type))
        return PY_SSIZE_T_MAX;
    all = reader->all->get(node, reader->all->closure);
    if (all == NULL)
        return -1;
    count = PyObject_Size(all);
    Py_DECREF(all);
    return count;
}

#endif
