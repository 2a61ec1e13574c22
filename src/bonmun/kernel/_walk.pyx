"""The walk over a parsed tree. The reference, page/parse/walk.py, explains each step.

Two things differ, because they are faster here. Nodes come from one iterator over all descendants, so the parent of
each is read from `parent`, and the content of elements that are not read is skipped node by node. And whitespace is
collapsed in one pass over the characters. Rare cases are left to functions of the reference.
"""

from types import GetSetDescriptorType

from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF, Py_XDECREF
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memset

cdef extern from "Python.h":
    int PyUnicode_1BYTE_KIND
    int PyUnicode_2BYTE_KIND
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    Py_UCS4 PyUnicode_READ_CHAR(object, Py_ssize_t)
    str PyUnicode_Substring(object, Py_ssize_t, Py_ssize_t)
    str PyUnicode_FromKindAndData(int, const void *, Py_ssize_t)
    str PyUnicode_Join(object, object)
    bint PyUnicode_IS_ASCII(object)
    bint Py_UNICODE_ISSPACE(Py_UCS4) nogil
    bint Py_UNICODE_ISPRINTABLE(Py_UCS4) nogil

    ctypedef object (*getter)(object, void *)
    ctypedef struct PyGetSetDef:
        getter get
        void *closure
    ctypedef struct PyGetSetDescrObject:
        PyGetSetDef *d_getset

cdef extern from "attributes.h":
    ctypedef struct Reader "bonmun_reader":
        pass
    void find_reader "bonmun_find_reader"(Reader *reader, object node)
    object read_attribute "bonmun_read_attribute"(const Reader *reader, object node, object name)

ctypedef fused Character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    MAX_TAGS = 256  # cached tags
    MAX_TAG_CHARS = 32  # longest tag that is cached
    FIRST_FRAMES = 128
    MAX_LINK_LEVELS = 16
    PILCROW = 0xB6

# what a text needs: nothing, collapsed whitespace, or removal of unreadable characters; or it is blank
cdef enum:
    PLAIN, FOLD, UNREADABLE, BLANK_TEXT

cdef enum:  # signs of one byte, as bits: a space, other whitespace, an unreadable character
    BLANK_SIGN = 1
    WHITE_SIGN = 2
    BAD_SIGN = 4

cdef enum Kind:  # tags that the walk treats specially
    OTHER, TEMPLATE, IMAGE, INPUT, MARKED, LINE_BREAK, NOSCRIPT

cdef enum:
    BETWEEN, EMPTY_LINE, FILLED_LINE  # state of the walk in a <pre>

cdef dict KINDS = {
    "template": TEMPLATE, "img": IMAGE, "input": INPUT, "q": MARKED, "rt": MARKED, "br": LINE_BREAK,
    "noscript": NOSCRIPT,
}
cdef uint8_t[256] SIGNS
cdef str NOTHING = "", BLANK = " ", NEWLINE = "\n"

# set by `prepare`
cdef object Element, Text, BLOCK_BREAK, drop_unreadable, split_pre, split_text_node, find_marks, read_emoji, is_unspaced
cdef object table_parts, apply_rare, read_style
cdef tuple STYLES
cdef Py_ssize_t MAX_EMOJI_CHARS, MAX_STYLE_CHARS
cdef tuple HIDDEN_NAME = ("hidden",), ARIA_NAME = ("aria-hidden",), STYLE_NAME = ("style",), ALT_NAME = ("alt",)
cdef int BLOCK, BREAKS, EMPTY, HIDDEN, INHERITED, LINK, OPAQUE, PRE, WHITE


# getters of the properties that are read from every node, to avoid attribute lookups; NULL if unknown
cdef PyGetSetDef *PARENT
cdef PyGetSetDef *DATA
cdef PyGetSetDef *TAG
cdef Reader READER  # of the attributes of elements


def prepare(dict bits, element_type, text_type, block_break, tuple functions, parts, tuple styles, dict limits):
    """Set what the kernel shares with the reference: bits by name, node types, the block break marker, functions."""
    global PARENT, DATA, TAG, STYLES, MAX_EMOJI_CHARS, MAX_STYLE_CHARS, apply_rare, read_style
    global BLOCK, BREAKS, EMPTY, HIDDEN, INHERITED, LINK, OPAQUE, PRE, WHITE
    global Element, Text, BLOCK_BREAK, drop_unreadable, split_pre, split_text_node, find_marks, read_emoji, is_unspaced
    global table_parts
    BLOCK, BREAKS, EMPTY, INHERITED = bits["BLOCK"], bits["BREAKS"], bits["EMPTY"], bits["INHERITED"]
    HIDDEN, LINK, OPAQUE, PRE, WHITE = bits["HIDDEN"], bits["LINK"], bits["OPAQUE"], bits["PRE"], bits["WHITE"]
    Element, Text, BLOCK_BREAK, table_parts = element_type, text_type, block_break, parts
    STYLES, MAX_EMOJI_CHARS, MAX_STYLE_CHARS = styles, limits["emoji"], limits["style"]
    drop_unreadable, split_pre, split_text_node, find_marks, read_emoji, is_unspaced, apply_rare, read_style = functions
    node_type = text_type.__base__
    PARENT, DATA = _find_getter(node_type, "parent"), _find_getter(text_type, "data")
    TAG = _find_getter(element_type, "tag")
    find_reader(&READER, element_type("p"))
    _fill_signs()


cdef PyGetSetDef *_find_getter(which, name) except? NULL:
    """Return the getter of a property that is implemented in C, or NULL."""
    descriptor = which.__dict__.get(name)
    if type(descriptor) is not GetSetDescriptorType or not (<PyGetSetDescrObject *>descriptor).d_getset.get:
        return NULL
    return (<PyGetSetDescrObject *>descriptor).d_getset


cdef inline object _read(object node, PyGetSetDef *which, str name):
    """Return a property of a node, which must have the type that the getter is for."""
    return which.get(node, which.closure) if which else getattr(node, name)


def apply_attributes(node, str tag not None, int own):
    """Return the own bits of an element, as changed by its attributes; the reference is in page/parse/element_bits.py."""
    if tag == "template" or tag == "dialog":
        return apply_rare(node, tag, own)
    if read_attribute(&READER, node, HIDDEN_NAME) is not None or read_attribute(&READER, node, ARIA_NAME) == "true":
        own |= HIDDEN
    style = read_attribute(&READER, node, STYLE_NAME)
    if style is not None and _may_matter(style):
        dropped, added = read_style(style)
        own = own & ~<int>dropped | <int>added
    return own


cdef bint _may_matter(str style) except -1:
    """Return whether a style contains the name of a property that matters; most do not."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(style), length, at, i
    cdef const uint8_t *chars = <const uint8_t *>PyUnicode_DATA(style)
    cdef const uint8_t *name
    if not PyUnicode_IS_ASCII(style):
        return True
    size = min(size, MAX_STYLE_CHARS)
    for each in STYLES:
        name, length = <const uint8_t *>PyUnicode_DATA(each), PyUnicode_GET_LENGTH(each)
        for at in range(size - length + 1):
            i = 0
            while i < length and chars[at + i] | 32 == name[i]:  # without case; also a few signs, as if they were others
                i += 1
            if i == length:
                return True
    return False


cdef int _scan(const Character *chars, Py_ssize_t size, Py_ssize_t *start, Py_ssize_t *stop) noexcept nogil:
    """Find the start and stop of a text without the whitespace around it; return what it needs."""
    cdef Py_ssize_t first = 0, last = size, at
    cdef Py_UCS4 char
    cdef int needs = PLAIN
    cdef bint after_blank = False
    while first < size and _is_space(chars[first]):
        first += 1
    if first == size:
        return BLANK_TEXT
    while _is_space(chars[last - 1]):
        last -= 1
    start[0] = first
    stop[0] = last
    if Character is uint8_t:
        return _scan_bytes(chars + first, last - first)
    for at in range(first, last):
        char = chars[at]
        if 32 < char < 127:
            after_blank = False
        elif char == 32:
            if after_blank:
                needs = FOLD
            after_blank = True
        # the only printable whitespace is U+0020
        elif char > 127 and (_is_letter(char) or Py_UNICODE_ISPRINTABLE(char)):
            after_blank = False
        elif _is_space(char):
            needs = FOLD
        else:
            return UNREADABLE
    return needs


cdef inline bint _is_letter(Py_UCS4 char) noexcept nogil:
    """Return whether a character is one of the Chinese, Korean, Japanese or Russian letters that most pages use."""
    return (
        0x4E00 <= char <= 0x9FEF or 0xAC00 <= char <= 0xD7A3 or 0x3041 <= char <= 0x3096 or 0x30A0 <= char <= 0x30FF
        or 0x410 <= char <= 0x44F
    )


cdef int _scan_bytes(const uint8_t *chars, Py_ssize_t size) noexcept nogil:
    """Return what a text of one byte for each character needs, without a branch for each."""
    cdef Py_ssize_t at
    cdef uint8_t each, before = 0, found = 0, twice = 0
    for at in range(size):
        each = SIGNS[chars[at]]
        found |= each
        twice |= each & before
        before = each
    if found & BAD_SIGN:
        return UNREADABLE
    return FOLD if found & WHITE_SIGN or twice & BLANK_SIGN else PLAIN


cdef void _fill_signs() noexcept:
    """Fill the table of the signs of one byte."""
    cdef Py_UCS4 char
    for char in range(256):
        if char == 32:
            SIGNS[char] = BLANK_SIGN
        elif Py_UNICODE_ISPRINTABLE(char):
            SIGNS[char] = 0
        else:
            SIGNS[char] = WHITE_SIGN if _is_space(char) else BAD_SIGN


cdef inline bint _is_space(Py_UCS4 char) noexcept nogil:
    if char > 32:
        return char > 127 and Py_UNICODE_ISSPACE(char)
    return char == 32 or 9 <= char <= 13 or 28 <= char <= 31


cdef Py_ssize_t _fold(const Character *chars, Py_ssize_t start, Py_ssize_t stop, Character *out) noexcept nogil:
    """Write a text with one space for each run of whitespace; return its new length."""
    cdef Py_ssize_t at, size = 0
    cdef bint is_space, after_space = False
    for at in range(start, stop):
        is_space = _is_space(chars[at])
        if not is_space:
            out[size] = chars[at]
            size += 1
        elif not after_space:
            out[size] = 32
            size += 1
        after_space = is_space
    return size


cdef struct Tag:
    PyObject *name
    Py_ssize_t size
    int own
    int kind


cdef struct Frame:
    PyObject *node  # an open element
    PyObject *number  # its row
    PyObject *after  # the mark after its content
    int owner
    int state  # bits that its content inherits
    int line_ends  # block elements in a <pre> whose end has not been reached
    bint is_read  # else its content is skipped


cdef class Walker:
    """One walk over one tree."""

    cdef object columns, read_special
    cdef list nodes, tags, parents, bits, texts, leaf_elements, joints, starts, block_texts, opened, owners, run
    cdef list templates, noscripts
    cdef dict raws, tag_bits, text_pieces
    cdef set marks, all_specials
    cdef list specials
    cdef PyObject *special
    cdef Py_ssize_t next_special
    cdef str gap
    cdef bint apart, has_line  # has_line: whether the gap contains a line break
    cdef int last_owner, line, number, last
    cdef Frame *frames
    cdef Py_ssize_t top, max_frames
    cdef void *buffer
    cdef Py_ssize_t buffer_bytes
    cdef Tag known[MAX_TAGS]

    def __cinit__(self):
        memset(self.known, 0, sizeof(self.known))
        self.top = -1
        self.frames = <Frame *>PyMem_Malloc(FIRST_FRAMES * sizeof(Frame))
        if not self.frames:
            raise MemoryError
        self.max_frames = FIRST_FRAMES

    def __dealloc__(self):
        cdef int i
        while self.top >= 0:
            self.drop_frame()
        PyMem_Free(self.frames)
        PyMem_Free(self.buffer)
        for i in range(MAX_TAGS):
            Py_XDECREF(self.known[i].name)

    # --- elements that are open ------------------------------------------------------------------------------

    cdef int push(self, node, number, int owner, int state) except -1:
        """Open an element. If it has no number, its content is skipped."""
        cdef Frame *frame
        if self.top + 1 == self.max_frames:
            frame = <Frame *>PyMem_Realloc(self.frames, 2 * self.max_frames * sizeof(Frame))
            if not frame:
                raise MemoryError
            self.frames = frame
            self.max_frames *= 2
        self.top += 1
        frame = &self.frames[self.top]
        Py_INCREF(node)
        Py_INCREF(number)
        frame.node, frame.number, frame.after = <PyObject *>node, <PyObject *>number, NULL
        frame.owner, frame.state, frame.line_ends, frame.is_read = owner, state, 0, number is not None
        return 0

    cdef void drop_frame(self) noexcept:
        cdef Frame *frame = &self.frames[self.top]
        self.top -= 1
        Py_XDECREF(frame.after)
        Py_DECREF(<object>frame.number)
        Py_DECREF(<object>frame.node)

    cdef int pop(self) except -1:
        """Close the innermost element."""
        cdef Frame *frame = &self.frames[self.top]
        if frame.is_read:
            if frame.after:
                self.marks.add(len(self.texts))
                self.add_text(<object>frame.after, <object>frame.number, frame.owner, frame.state)
            if frame.line_ends > 1:
                self.end_line()
        cdef bint is_read = frame.is_read
        self.drop_frame()
        if is_read:
            self.leave()
        return 0

    cdef int leave(self) except -1:
        """End lines after something directly in the innermost element was read."""
        if self.top >= 0 and self.frames[self.top].line_ends:
            self.end_line()
            self.frames[self.top].line_ends = 0
        return 0

    cdef int end_line(self) except -1:
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(self.gap)
        if self.line:
            if self.line == EMPTY_LINE or not (size and PyUnicode_READ_CHAR(self.gap, size - 1) == 10):
                self.add_gap(NEWLINE)
            self.line = BETWEEN
        return 0

    cdef int add_gap(self, str white) except -1:
        cdef str gap = self.gap
        self.gap = None  # so that the string can be extended in place
        gap += white
        self.gap = gap
        self.has_line = self.has_line or NEWLINE in white
        return 0

    cdef inline void set_gap(self, str white) noexcept:
        """Set the whitespace since the last leaf."""
        self.gap = white
        self.has_line = False

    # --- nodes -----------------------------------------------------------------------------------------------

    cdef bint walk(self, tree) except -1:
        root = tree.find("html")
        if root is not None:
            self.walk_from(root, -1)
        for node in tree:
            if node is not root and not self.columns.cut:
                self.walk_from(node, 0)
        self.end_block()
        return self.special is NULL or self.columns.cut

    cdef int walk_from(self, node, row) except -1:
        """Read a top-level node and its descendants."""
        cdef PyObject *parent
        self.push(None, row, 0, 0)
        cdef bint goes_on = self.visit(node)
        if goes_on:
            for each in node.descendants:
                above = _read(each, PARENT, "parent")
                parent = <PyObject *>above
                while self.frames[self.top].node != parent:
                    if self.top == 0:
                        raise RuntimeError("parent of a node was not visited")
                    self.pop()
                if not self.visit(each):
                    goes_on = False
                    break
        while self.top >= 0:
            if goes_on:
                self.pop()
            else:
                self.drop_frame()
        return 0

    cdef bint visit(self, node) except -1:
        """Read a node in the innermost element; return False when the maximum number of elements is reached."""
        cdef Frame *frame = &self.frames[self.top]
        kind = type(node)
        if kind is Text:
            if frame.is_read:
                if self.text_pieces is not None and node in self.text_pieces:
                    self.add_pieces(self.text_pieces[node], frame)
                else:
                    self.add_text(_read(node, DATA, "data"), <object>frame.number, frame.owner, frame.state)
            return True
        if kind is Element and frame.is_read:
            return self.add_element(node, frame)
        if <PyObject *>node == self.special:
            self.find_next_special()
        self.push(node, None, 0, 0)
        return True

    cdef void find_next_special(self) noexcept:
        self.special = NULL
        if self.next_special < len(self.specials):
            self.special = <PyObject *>self.specials[self.next_special]
            self.next_special += 1

    cdef Tag *find_tag(self, tag) except NULL:
        """Return the cached data of a tag, including one str object for all its occurrences."""
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(tag), at
        cdef const uint8_t *chars = <const uint8_t *>PyUnicode_DATA(tag)
        cdef unsigned int place = 0
        cdef Tag *known
        cdef PyObject *before
        if PyUnicode_IS_ASCII(tag) and size <= MAX_TAG_CHARS:
            for at in range(size):
                place = 31 * place + chars[at]
            known = &self.known[1 + place % (MAX_TAGS - 1)]
            if known.name and known.size == size and not memcmp(PyUnicode_DATA(<object>known.name), chars, size):
                return known
        else:
            known = &self.known[0]
        own, kind = self.tag_bits.get(tag, 0), KINDS.get(tag, OTHER)
        before = known.name
        known.own, known.kind, known.size = own, kind, size
        Py_INCREF(tag)
        known.name = <PyObject *>tag
        Py_XDECREF(before)
        return known

    cdef bint add_element(self, node, Frame *frame) except -1:
        cdef Tag *known = self.find_tag(_read(node, TAG, "tag"))
        cdef object tag = <object>known.name, number, replacement = None
        cdef int own = known.own, kind = known.kind, state = frame.state, owner = frame.owner, inner
        if <PyObject *>node == self.special or (self.all_specials is not None and node in self.all_specials):
            self.find_next_special()
            if self.read_special is None:
                own = apply_attributes(node, tag, own)
            else:
                own, replacement = self.read_special(node, tag, own, state, self.number + 1)
        if self.number == self.last:
            self.columns.cut = True
            return False
        self.number += 1
        inner = owner
        if own & BREAKS:
            if state & PRE:
                if not (own & BLOCK and self.has_line):
                    self.add_gap(NEWLINE)
                self.line = FILLED_LINE
                if own & BLOCK:
                    self.line = EMPTY_LINE
                    frame.line_ends += 1
            elif own & BLOCK:
                self.apart = True
                self.set_gap(NOTHING)
                inner = self.number
            elif kind == LINE_BREAK and self.has_line and PyUnicode_GET_LENGTH(self.gap) == 1:
                self.apart = True
            else:
                self.set_gap(NEWLINE)
                self.has_line = True
        self.nodes.append(node)
        self.tags.append(tag)
        self.parents.append(<object>frame.number)
        if kind == NOSCRIPT and own & EMPTY:
            self.noscripts.append(self.number)
        if not own & EMPTY:
            self.bits.append(state | own)
            number = self.number
            self.push(node, number, inner, (state | own) & INHERITED)
        elif kind == MARKED and replacement is None and not own & OPAQUE:
            self.bits.append((state | own) & ~EMPTY)
            number = self.number
            self.push(node, number, owner, (state | own) & INHERITED)
            self.add_marks(node, &self.frames[self.top])
        else:
            self.bits.append(state | own)
            if replacement is not None:
                text, formula = replacement
                if text:
                    if formula is not None:
                        self.columns.formulas[len(self.texts)] = formula
                    number = self.number
                    self.add_text(text, number, inner, (state | own) & INHERITED & ~WHITE)
                    self.leave()
            elif own & OPAQUE:
                if kind == TEMPLATE:
                    self.templates.append(self.number)
            elif kind == IMAGE:
                self.add_emoji(node, inner, state)
            elif kind == INPUT:
                if not PyUnicode_GET_LENGTH(self.gap):
                    self.gap = BLANK
            self.push(node, None, 0, 0)
        return True

    cdef int add_emoji(self, node, int owner, int state) except -1:
        cdef object alt = read_attribute(&READER, node, ALT_NAME), number = self.number
        if alt is not None and 0 < PyUnicode_GET_LENGTH(alt) <= MAX_EMOJI_CHARS:
            emoji = read_emoji(node)
            if emoji:
                self.add_text(emoji, number, owner, state)
                self.leave()
        return 0

    cdef int add_marks(self, node, Frame *frame) except -1:
        before, after = find_marks(node)
        if after:
            Py_INCREF(after)
            frame.after = <PyObject *>after
        if before:
            self.marks.add(len(self.texts))
            self.add_text(before, <object>frame.number, frame.owner, frame.state)
        return 0

    cdef int add_pieces(self, pieces, Frame *frame) except -1:
        for piece in split_text_node(pieces, self.columns):
            if piece is BLOCK_BREAK:
                self.apart = True
                self.set_gap(NOTHING)
            else:
                self.add_text(piece.data, <object>frame.number, frame.owner, frame.state)
        return self.leave()

    # --- texts -----------------------------------------------------------------------------------------------

    cdef int scan(self, str data, Py_ssize_t *start, Py_ssize_t *stop) except -1:
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(data)
        cdef int kind = PyUnicode_KIND(data)
        cdef void *chars = PyUnicode_DATA(data)
        if kind == PyUnicode_1BYTE_KIND:
            return _scan(<const uint8_t *>chars, size, start, stop)
        if kind == PyUnicode_2BYTE_KIND:
            return _scan(<const uint16_t *>chars, size, start, stop)
        return _scan(<const uint32_t *>chars, size, start, stop)

    cdef str fold(self, str data, Py_ssize_t start, Py_ssize_t stop):
        cdef int kind = PyUnicode_KIND(data)
        cdef void *chars = PyUnicode_DATA(data)
        cdef void *buffer
        cdef Py_ssize_t size = (stop - start) * kind
        if size > self.buffer_bytes:
            buffer = PyMem_Realloc(self.buffer, 2 * size)
            if not buffer:
                raise MemoryError
            self.buffer, self.buffer_bytes = buffer, 2 * size
        if kind == PyUnicode_1BYTE_KIND:
            size = _fold(<const uint8_t *>chars, start, stop, <uint8_t *>self.buffer)
        elif kind == PyUnicode_2BYTE_KIND:
            size = _fold(<const uint16_t *>chars, start, stop, <uint16_t *>self.buffer)
        else:
            size = _fold(<const uint32_t *>chars, start, stop, <uint32_t *>self.buffer)
        return PyUnicode_FromKindAndData(kind, self.buffer, size)

    cdef int add_text(self, str data, element, int owner, int state) except -1:
        cdef Py_ssize_t start = 0, stop = 0
        cdef int needs = self.scan(data, &start, &stop)
        cdef str text, joint, piece
        if needs == BLANK_TEXT:
            return self.add_blank(data, element, state)
        if needs == FOLD:
            text = self.fold(data, start, stop)
        elif needs == UNREADABLE:
            data = drop_unreadable(data)
            if self.scan(data, &start, &stop) == BLANK_TEXT:
                if state & WHITE:
                    self.add_gap(data)
                elif data and not PyUnicode_GET_LENGTH(self.gap):
                    self.gap = BLANK
                return 0
            text = self.fold(data, start, stop)
        elif start == 0 and stop == PyUnicode_GET_LENGTH(data):
            text = data
        else:
            text = PyUnicode_Substring(data, start, stop)
        if state & LINK and PyUnicode_GET_LENGTH(text) == 1 and PyUnicode_READ_CHAR(text, 0) == PILCROW:
            return 0
        cdef bint starts_block = self.apart or owner != self.last_owner
        if state & WHITE:
            joint, piece = split_pre(self.gap + data, starts_block)
            self.raws[len(self.texts)] = piece
            self.line = FILLED_LINE
            self.set_gap(PyUnicode_Substring(data, stop, PyUnicode_GET_LENGTH(data)))
            self.has_line = NEWLINE in self.gap
        else:
            piece = text
            joint = self.gap
            if start and not PyUnicode_GET_LENGTH(joint):
                joint = BLANK
            self.set_gap(NOTHING if stop == PyUnicode_GET_LENGTH(data) else BLANK)
        if starts_block:
            self.end_block()
            self.block_texts.append(piece)
            self.starts.append(len(self.texts))
            self.owners.append(owner)
            self.opened.append(self.number + 1)
            self.joints.append(None)
            self.apart = False
            self.last_owner = owner
        else:
            if not PyUnicode_GET_LENGTH(joint) and self.is_other_link(element, text):
                joint = BLANK
            if self.run is None:
                self.run = [self.block_texts[len(self.block_texts) - 1]]
            self.run.append(joint)
            self.run.append(piece)
            self.joints.append(joint)
        self.texts.append(text)
        self.leaf_elements.append(element)
        return 0

    cdef int add_blank(self, str data, element, int state) except -1:
        if not state & WHITE:
            if not PyUnicode_GET_LENGTH(self.gap):
                self.gap = BLANK
        elif not self.has_tag_in(element, table_parts):
            self.add_gap(data)
            if self.line:
                self.line = FILLED_LINE
        return 0

    cdef int end_block(self) except -1:
        """Join the pieces of the last block."""
        if self.run is not None:
            self.block_texts[len(self.block_texts) - 1] = PyUnicode_Join(NOTHING, self.run)
            self.run = None
        return 0

    # --- rows ------------------------------------------------------------------------------------------------

    cdef bint has_tag_in(self, Py_ssize_t element, which) except -1:
        return 0 <= element < len(self.tags) and self.tags[element] in which

    cdef bint is_other_link(self, Py_ssize_t element, str text) except -1:
        """Return whether a leaf directly follows one in another link, in a script with spaces."""
        cdef Py_ssize_t last = self.leaf_elements[len(self.leaf_elements) - 1], size = len(self.bits)
        if not (0 <= element < size and 0 <= last < size):
            return False
        if not <int>self.bits[element] & <int>self.bits[last] & LINK:
            return False
        if self.find_link(element) == self.find_link(last):
            return False
        return not is_unspaced(self.texts[len(self.texts) - 1], text)

    cdef Py_ssize_t find_link(self, Py_ssize_t element) except -2:
        cdef int level
        cdef str tag
        for level in range(MAX_LINK_LEVELS):
            if element < 0 or element >= len(self.tags):
                return element
            tag = self.tags[element]
            if PyUnicode_GET_LENGTH(tag) == 1 and PyUnicode_READ_CHAR(tag, 0) == 97:
                return element
            element = self.parents[element]
        return -1


def walk(tree, columns, int max_elements, dict tag_bits, list specials, set all_specials, dict text_pieces, read_special):
    """Fill the columns from the tree of a page; return False if the walk must be repeated with `all_specials`.

    Special elements are given as `specials`, in document order, or as `all_specials`. `read_special` returns the bits
    and the replacement of one; it is None if only their attributes matter. `text_pieces` are the pieces of text nodes
    that contain formulas.
    """
    cdef Walker self = Walker()
    self.columns, self.read_special = columns, read_special
    self.nodes, self.tags, self.parents, self.bits = columns._nodes, columns.tags, columns.parents, columns.bits
    self.texts, self.leaf_elements, self.joints = columns.texts, columns.leaf_elements, columns.joints
    self.starts, self.block_texts = columns.starts, columns.block_texts
    self.opened, self.owners, self.raws, self.marks = columns.opened, columns.owners, columns.raws, columns.marks
    self.templates, self.noscripts = columns.templates, columns.noscripts
    self.tag_bits, self.text_pieces, self.all_specials = tag_bits, text_pieces or None, all_specials or None
    self.specials = specials
    self.find_next_special()
    self.gap = NOTHING
    self.apart, self.last_owner, self.line = True, -1, BETWEEN
    self.number, self.last = -1, max_elements - 1
    return self.walk(tree)
