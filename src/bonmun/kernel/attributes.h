/* Attributes of turbohtml's elements, read by the quickest calls there are.

`node.attr(name)` in Python makes a tuple of arguments for every call; here one tuple is made for each name. Where `attr`
and `attrs` are not the C functions that they are today, they are asked for as any method or attribute is. */

#ifndef BONMUN_ATTRIBUTES_H
#define BONMUN_ATTRIBUTES_H

#include <Python.h>

typedef struct {
    PyTypeObject *type; /* borrowed: a node of it is held by the caller */
    PyCFunctionWithKeywords read; /* NULL if it is unknown */
    PyGetSetDef *all; /* NULL if it is unknown */
} bonmun_reader;

/* Learn how to ask nodes of the type of this one; never fails. */
static void bonmun_find_reader(bonmun_reader *reader, PyObject *node)
{
    PyObject *method = PyObject_GetAttrString((PyObject *)Py_TYPE(node), "attr");
    PyObject *property = PyObject_GetAttrString((PyObject *)Py_TYPE(node), "attrs");
    PyErr_Clear();
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
    Py_XDECREF(method);
    Py_XDECREF(property);
}

/* What `node.attr(*name)` gives: a new reference, or NULL with an error set. */
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

/* How many attributes a node has, more than any node has where that cannot be told at once; -1 with an error set. */
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
