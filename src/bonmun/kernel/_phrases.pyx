"""Inline content of the output tree; the references are outputs/tree_phrases.py and outputs/markdown/simple_phrases.py."""

from cpython.list cimport PyList_GET_SIZE
from libc.stdint cimport uint8_t
from libc.string cimport memset

cdef extern from "Python.h":
    int PyUnicode_KIND(object)
    void *PyUnicode_DATA(object)
    Py_UCS4 PyUnicode_READ(int, void *, Py_ssize_t)
    Py_UCS4 PyUnicode_READ_CHAR(object, Py_ssize_t)
    Py_ssize_t PyUnicode_GET_LENGTH(object)

cdef enum:
    MAX_TAGS = 16  # different inline tags around a leaf
    SPECIAL = 1  # roles of characters, as bits: may be markup in a text …
    ENCODED = 2  # … or in a URL
    LINE = 4


cdef bint _holds(str text, const uint8_t *roles, int wanted) except -1:
    """Return whether a text contains an ASCII character with one of some roles."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef const uint8_t *letters
    cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
    cdef Py_UCS4 letter
    if kind == 1:
        letters = <const uint8_t *> data
        for at in range(size):
            if roles[letters[at]] & wanted:
                return True
        return False
    for at in range(size):
        letter = PyUnicode_READ(kind, <void *> data, at)
        if letter < 128 and roles[letter] & wanted:
            return True
    return False


cdef class SimpleWriter:
    """Writes inline nodes that need no escapes as Markdown.

    `special` are the characters that may be markup in texts, `encoded` those in URLs, `marks` the marks of emphasis by
    tag, `edges` the signs beside which these are recognised. The functions write what is not written here.
    """

    cdef uint8_t[256] roles
    cdef uint8_t[128] is_edge
    cdef dict marks
    cdef object write_image, write_url, write_code, tidy

    def __cinit__(self, str special not None, str encoded not None, str edges not None, dict marks not None,
                  write_image, write_url, write_code, tidy):
        cdef Py_UCS4 letter
        if not (special + encoded + edges).isascii():
            raise ValueError("special characters must be ASCII")
        memset(self.roles, 0, sizeof(self.roles))
        memset(self.is_edge, 0, sizeof(self.is_edge))
        for letter in special:
            self.roles[letter] |= SPECIAL
        for letter in encoded:
            self.roles[letter] |= ENCODED
        for letter in edges:
            self.is_edge[letter] = True
        self.roles[c"\n"] |= LINE
        self.marks, self.tidy = marks, tidy
        self.write_image, self.write_url, self.write_code = write_image, write_url, write_code

    def write(self, list nodes not None, str break_ not None):
        """Return inline nodes as Markdown, or None if something in them may need an escape or a choice."""
        cdef list written = []
        cdef str tag, text, before = "", last = ""
        if PyList_GET_SIZE(nodes) == 1 and isinstance(nodes[0], str):
            text = <str> nodes[0]
            return None if _holds(text, self.roles, SPECIAL | LINE) else text.strip()
        for node in nodes:
            if isinstance(node, str):
                tag, text = "", <str> node
                if not self.is_simple(text):
                    return None
            else:
                tag = node.tag
                text = break_ if tag == "br" else self.write_node(node, tag)
                if not text:
                    return None
            if written and not self.may_follow(text, tag, before, last):
                return None
            written.append(text)
            before, last = text, tag
        text = "".join(written)
        return text.strip() if "\n" in break_ and "\n" not in text else self.tidy(text, break_)

    cdef bint is_simple(self, str text) except -1:
        return PyUnicode_GET_LENGTH(text) > 0 and not _holds(text, self.roles, SPECIAL | LINE)

    cdef str write_node(self, object node, str tag):
        cdef list children
        cdef object inner
        cdef str text, href
        if tag == "img":
            return self.write_image(node)
        children = node.children
        if PyList_GET_SIZE(children) != 1:
            return None
        inner = children[0]
        if tag == "time":
            return <str> inner if isinstance(inner, str) and self.is_simple(<str> inner) else None
        if tag != "a":
            return self.write_marked(node, tag)
        if isinstance(inner, str):
            text = <str> inner
            if not self.is_simple(text):
                return None
        else:
            tag = inner.tag
            text = self.write_marked(inner, tag)
            if text is None or (tag in self.marks and not (
                self.is_recognised(text, False, c"[") and self.is_recognised(text, True, c"]")
            )):
                return None
        attributes = node.attributes
        href = (attributes.get("href") if attributes else None) or ""
        return f"[{text}]({self.write_url(href) if _holds(href, self.roles, ENCODED) else href})"

    cdef str write_marked(self, object node, str tag):
        """Return code or emphasis of one text."""
        cdef list children = node.children
        cdef str text, mark
        if PyList_GET_SIZE(children) != 1 or not isinstance(children[0], str):
            return None
        text = <str> children[0]
        if tag == "code":
            return self.write_code(text) if not _holds(text, self.roles, LINE) and text.strip() else None
        mark = self.marks.get(tag)
        if not mark or not self.is_simple(text):
            return None
        if PyUnicode_READ_CHAR(text, 0).isspace() or PyUnicode_READ_CHAR(text, len(text) - 1).isspace():
            return None
        return mark + text + mark

    cdef bint may_follow(self, str text, str tag, str before, str tag_before) except -1:
        cdef Py_UCS4 edge = PyUnicode_READ_CHAR(before, len(before) - 1)
        if tag == "a" and edge == c"!":  # the link would be an image
            return False
        if tag == "code" and tag_before == "code":  # both would be one
            return False
        if tag in self.marks:
            return tag_before not in self.marks and self.is_recognised(text, False, edge)
        return tag_before not in self.marks or self.is_recognised(before, True, PyUnicode_READ_CHAR(text, 0))

    cdef bint is_recognised(self, str emphasis, bint at_end, Py_UCS4 outside) except -1:
        """Return whether the mark at the start or end of emphasis is one beside a character outside of it."""
        cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(emphasis)
        cdef Py_UCS4 letter
        if outside.isspace():
            return True
        if outside > 127 or not self.is_edge[outside]:
            return False
        for at in range(size):
            letter = PyUnicode_READ_CHAR(emphasis, size - 1 - at if at_end else at)
            if letter != c"*" and letter != c"~":
                return letter.isalnum()
        raise IndexError("emphasis without a text")


cdef class PhraseAdder:
    """Adds the texts of blocks to the output tree, with links and emphasis.

    Columns are those of the page; `links` is the link around each element, or None. `inline` are the tags of inline
    elements, `emphasis` those that a word may share with the one before it. `read_link` returns the URL of a link, and
    `urls` are those that are known. Lists of children that may have adjacent texts are put into `mixed`, by their id.
    """

    cdef list tags, parents, owners, texts, joints, leaf_elements, starts, stops, block_texts, links
    cdef dict inline, urls, mixed, raws, formulas
    cdef frozenset emphasis
    cdef object node_class, link_class, read_link
    cdef int levels, most, count_chars
    cdef Py_ssize_t bare_link
    # inline elements around a leaf, outermost first, and the open nodes
    cdef Py_ssize_t[MAX_TAGS] rows
    cdef list wanted

    def __cinit__(self, page, list links, dict inline not None, frozenset emphasis not None, dict urls not None,
                  dict mixed not None, node_class, link_class, read_link, int levels, int most, int count_chars):
        self.tags, self.parents, self.owners = page.tags, page.parents, page.owners
        self.texts, self.joints, self.leaf_elements = page.texts, page.joints, page.leaf_elements
        self.starts, self.stops, self.block_texts = page.starts, page.stops, page.block_texts
        self.raws, self.formulas = page.raws, page.formulas
        self.links, self.inline, self.emphasis, self.urls, self.mixed = links, inline, emphasis, urls, mixed
        self.node_class, self.link_class, self.read_link = node_class, link_class, read_link
        self.levels, self.most, self.count_chars = levels, min(most, MAX_TAGS), count_chars
        if not len(self.tags) == len(self.parents) or not len(self.texts) == len(self.joints) == len(self.leaf_elements):
            raise ValueError("columns differ in length")
        if not len(self.owners) == len(self.starts) == len(self.stops) == len(self.block_texts):
            raise ValueError("columns of blocks differ in length")
        if links is not None and len(links) != len(self.tags):
            raise ValueError("links and tags differ in length")
        if len(set(inline.values())) >= MAX_TAGS - 1:
            raise ValueError("too many inline tags")

    def add(self, list children not None, Py_ssize_t row, leaves, Py_ssize_t bare_link):
        """Add the text of a block, of which some leaves are written, without its link `bare_link`.

        Return whether it was added: not if white space is preserved in it, or if it contains a formula.
        """
        cdef Py_ssize_t start, stop, leaf, owner, count = len(self.texts)
        cdef str text
        if not 0 <= row < len(self.owners):
            raise IndexError("block out of range")
        start, stop, owner = self.starts[row], self.stops[row], self.owners[row]
        if not 0 <= start < stop <= count or not 0 <= owner < len(self.tags):
            raise IndexError("block without leaves")
        self.bare_link = bare_link
        if self.raws or self.formulas:
            for leaf in leaves:
                if leaf in self.raws or leaf in self.formulas:
                    return False
        if len(leaves) == stop - start:
            text = self.block_texts[row]
            if "\n" not in text:
                for leaf in range(start, stop):
                    if self.list_wrappers(leaf, owner):
                        break
                else:
                    if children and isinstance(children[len(children) - 1], str):
                        self.mixed[id(children)] = children
                    children.append(text)
                    return True
        self.mixed[id(children)] = children
        self.add_leaves(children, row, leaves, owner)
        return True

    cdef str join(self, Py_ssize_t last, Py_ssize_t leaf):
        """Return what is between two leaves: the longest joint of those left out."""
        cdef Py_ssize_t each
        cdef str joint, longest = ""
        for each in range(last + 1, leaf + 1):
            joint = self.joints[each]
            if joint is not None and len(joint) > len(longest):
                longest = joint
        return longest

    cdef int add_leaves(self, list children, Py_ssize_t row, leaves, Py_ssize_t owner) except -1:
        cdef list open_rows = [], open_nodes = [], inside
        cdef Py_ssize_t leaf, last = -1, number, same, count = len(self.texts)
        cdef int found
        cdef bint is_line, is_in_link, is_linked
        cdef str text, joint, tag
        cdef object made
        for leaf in leaves:
            if not last < leaf < count:
                raise IndexError("leaf out of range")
            joint = "" if last < 0 else self.join(last, leaf)
            last = leaf
            text = self.texts[leaf]
            found = self.list_wrappers(leaf, owner)
            if found:
                found = self.drop_wrappers(found, row, text)
            is_line = "\n" in joint
            if is_line:  # emphasis ends with the line, for Markdown, and so do links in emphasis
                is_in_link = (
                    len(open_rows) > 0 and found > 0 and open_rows[0] == self.rows[0] and self.wanted[0] == "a"
                )
                del open_rows[is_in_link:], open_nodes[is_in_link:]
                inside = open_nodes[0].children if is_in_link else children
                inside.append(self.node_class("br"))
            same = 0
            while same < found and same < len(open_rows):
                if open_rows[same] != self.rows[same]:
                    if not self.goes_on(open_nodes[same], self.rows[same], self.wanted[same], joint):
                        break
                    open_rows[same] = self.rows[same]
                same += 1
            del open_rows[same:], open_nodes[same:]
            inside = open_nodes[same - 1].children if same else children
            if joint and not is_line:
                inside.append(" ")
            for number in range(same, found):
                tag = self.wanted[number]
                if tag == "a":
                    made = self.link_class(tag, {"href": self.find_link(self.rows[number]) or ""}, self.rows[number])
                else:
                    made = self.node_class(tag)
                inside.append(made)
                open_rows.append(self.rows[number])
                open_nodes.append(made)
                inside = made.children
                self.mixed[id(inside)] = inside
            inside.append(text)
        return 0

    cdef int drop_wrappers(self, int found, Py_ssize_t row, str text) except -1:
        """Leave out what says nothing or could be misread in a link; return how many elements are left."""
        cdef int number, left = 0
        cdef bint is_count = False, has_bracket
        cdef str whole, tag
        if "a" not in self.wanted:
            return found
        whole = self.block_texts[row]
        if len(whole) <= self.count_chars:
            is_count = whole.replace(" ", "").isdigit()  # whose emphasis says nothing
        has_bracket = "]" in text  # Markdown could read it as the end of the link text, and the code as the URL
        if not (is_count or has_bracket):
            return found
        for number in range(found):
            tag = self.wanted[number]
            if not (is_count and tag in self.emphasis) and not (has_bracket and tag == "code"):
                self.rows[left] = self.rows[number]
                self.wanted[left] = tag
                left += 1
        del self.wanted[left:]
        return left

    cdef bint goes_on(self, open_, Py_ssize_t row, str tag, str joint) except -1:
        """Return whether an open node is also that of another element."""
        if open_.tag != tag:
            return False
        if tag == "a":
            return open_.attributes["href"] == self.find_link(row)
        return not joint and tag in self.emphasis

    cdef object find_link(self, Py_ssize_t row):
        """Return the URL of a link, or None."""
        url = self.urls.get(row, self)
        if url is self:
            url = self.urls[row] = self.read_link(row)
        return url

    cdef int list_wrappers(self, Py_ssize_t leaf, Py_ssize_t owner) except -1:
        """List the inline elements around a leaf in `rows`, and their tags in `wanted`; return how many there are."""
        cdef Py_ssize_t count = len(self.tags), element = self.leaf_elements[leaf], link = -1, each, parent
        cdef int found = 0, level, number
        cdef bint has_code = False
        cdef str tag
        cdef list tags = self.tags
        self.wanted = []
        if not 0 <= element < count:
            raise IndexError("element out of range")
        if self.links is not None:
            link = self.links[element]
            if link < 0 or link >= count or link == self.bare_link or not self.find_link(link):
                link = -1
        parent = self.parents[element]
        if element == owner or parent == owner:  # as of most
            if link >= 0:
                self.insert(found, link, "a")
                found += 1
            if element != owner:
                tag = self.inline.get(tags[element])
                if tag:
                    self.rows[found] = element
                    self.wanted.append(tag)
                    found += 1
            return found
        each = element
        for level in range(self.levels):
            if not owner < each < count:
                break
            tag = self.inline.get(tags[each])
            if tag and tag not in self.wanted:
                found = self.insert(found, each, tag)
                has_code = has_code or tag == "code"
            each = self.parents[each]
        if has_code:  # it cannot contain other markup
            number = self.wanted.index("code")
            self.rows[0] = self.rows[number]
            self.wanted = ["code"]
            found = 1
        if link >= 0:
            found = self.insert(found, link, "a")
        if found > self.most:
            for number in range(self.most):
                self.rows[number] = self.rows[number + found - self.most]
            del self.wanted[: found - self.most]
            found = self.most
        return found

    cdef int insert(self, int found, Py_ssize_t row, str tag) except -1:
        """Insert an element so that they stay in document order; return how many there are."""
        cdef int place = found
        while place > 0 and self.rows[place - 1] > row:
            self.rows[place] = self.rows[place - 1]
            place -= 1
        self.rows[place] = row
        self.wanted.insert(place, tag)
        return found + 1
