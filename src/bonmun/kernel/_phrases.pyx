"""The output tree and simple Markdown.

The references are outputs/nodes.py, tree_phrases.py, markdown/simple_phrases.py and markdown/writer.py.
"""

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
    ALONE = 0  # places of a text: it is the whole paragraph, one of its nodes, or in a link
    BESIDE = 1
    IN_LINK = 2


cdef class NodeValues:
    """What a node of the output tree holds."""

    cdef public str tag
    cdef public dict attributes
    cdef public list children

    def __init__(self, str tag not None, dict attributes=None, list children=None):
        self.tag = tag
        self.attributes = attributes
        self.children = [] if children is None else children


cdef NodeValues _make_node(type node_class, str tag, dict attributes):
    """Return a node of a class that is known to be one of nodes."""
    cdef NodeValues made = NodeValues.__new__(node_class)
    made.tag, made.attributes, made.children = tag, attributes, []
    return made

cdef dict HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}  # how a line of each tag starts


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


cdef bint _is_text(str tag):
    """Return whether nodes with a tag are written as a text."""
    return not tag or tag == "time"


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
        cdef int seen = 0  # marks in the texts of which a second one may make a pair, as bits
        if PyList_GET_SIZE(nodes) == 1 and isinstance(nodes[0], str):
            text = <str> nodes[0]
            return text.strip() if self.is_literal(text, ALONE, &seen) else None
        for node in nodes:
            if isinstance(node, str):
                tag, text = "", <str> node
                if not (text and self.is_literal(text, BESIDE, &seen)):
                    return None
            else:
                tag = (<NodeValues?> node).tag
                text = break_ if tag == "br" else self.write_node(<NodeValues> node, tag, &seen)
                if not text:
                    return None
            if written and not self.may_follow(text, tag, before, last):
                return None
            written.append(text)
            before, last = text, tag
        text = "".join(written)
        return text.strip() if "\n" in break_ and "\n" not in text else self.tidy(text, break_)

    cdef bint is_literal(self, str text, int place, int *seen) except -1:
        """Return whether no character of a text is markup; see the patterns in simple_phrases.py."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
        cdef Py_UCS4 letter, after
        cdef int mark
        if not _holds(text, self.roles, SPECIAL | LINE):
            return True
        for at in range(size):
            letter = PyUnicode_READ(kind, <void *> data, at)
            if letter > 127 or not self.roles[letter] & (SPECIAL | LINE):
                continue
            after = PyUnicode_READ(kind, <void *> data, at + 1) if at + 1 < size else 0
            if letter == c"&":
                if after == c"#" or c"A" <= after <= c"Z" or c"a" <= after <= c"z":
                    return False
            elif letter == c"[" or letter == c"]":
                if place == IN_LINK or after == (c"^" if letter == c"[" else c"("):
                    return False
            elif letter == c"$":
                mark = 1 if c"0" <= after <= c"9" else 2  # the first cannot close a formula
                if seen[0] & 2 or (mark == 2 and seen[0] & 1):
                    return False
                seen[0] |= mark
            elif letter == c"_" or (place == ALONE and (letter == c"*" or letter == c"~")):
                mark = 4 if letter == c"_" else 8 if letter == c"*" else 16
                if seen[0] & mark:
                    return False
                seen[0] |= mark
            else:
                return False
        return True

    cdef str write_node(self, NodeValues node, str tag, int *seen):
        if tag == "img":
            return self.write_image(node)
        if tag == "a":
            return self.write_link(node, seen)
        if tag != "time":
            return self.write_marked(node, tag, BESIDE, seen)
        if PyList_GET_SIZE(node.children) != 1 or not isinstance(node.children[0], str):
            return None
        return <str> node.children[0] if self.is_literal(<str> node.children[0], BESIDE, seen) else None

    cdef str write_link(self, NodeValues node, int *seen):
        """Return a link with texts, code and emphasis."""
        cdef str text, tag, href, before = "[", last = "[", written = ""
        for inner in node.children:
            if isinstance(inner, str):
                tag, text = "", <str> inner
                if not self.is_literal(text, IN_LINK, seen):
                    return None
            else:
                tag = (<NodeValues?> inner).tag
                text = self.write_marked(<NodeValues> inner, tag, IN_LINK, seen)
            if not text or not self.may_follow(text, tag, before, last):
                return None
            before, last = text, tag
            written += text
        if not written or not self.may_follow("]", "]", before, last):
            return None
        href = (node.attributes.get("href") if node.attributes else None) or ""
        return f"[{written}]({self.write_url(href) if _holds(href, self.roles, ENCODED) else href})"

    cdef str write_marked(self, NodeValues node, str tag, int place, int *seen):
        """Return code or emphasis of one text, or emphasis of several nodes beside a text."""
        cdef list children = node.children
        cdef str text, mark = self.marks.get(tag)
        if PyList_GET_SIZE(children) != 1 or not isinstance(children[0], str):
            return self.write_nested(node, mark, seen) if mark and place != IN_LINK else None
        text = <str> children[0]
        if tag == "code":
            return self.write_code(text) if not _holds(text, self.roles, LINE) and text.strip() else None
        if not mark or not text or not self.is_literal(text, place, seen):
            return None
        if PyUnicode_READ_CHAR(text, 0).isspace() or PyUnicode_READ_CHAR(text, len(text) - 1).isspace():
            return None
        return mark + text + mark

    cdef str write_nested(self, NodeValues node, str mark, int *seen):
        """Return emphasis of texts and other emphasis, or of a link."""
        cdef str text, tag, before = " ", last = " ", written = mark
        for inner in node.children:
            if isinstance(inner, str):
                tag, text = "", <str> inner
                if not self.is_literal(text, BESIDE, seen):
                    return None
            else:
                tag, text = (<NodeValues?> inner).tag, None
                if tag == "a" and PyList_GET_SIZE(node.children) == 1:
                    for each in (<NodeValues> inner).children:
                        if not isinstance(each, str) and (<NodeValues?> each).tag in self.marks:
                            return None
                    text = self.write_link(<NodeValues> inner, seen)
                elif tag in self.marks and tag != node.tag:
                    text = self.write_marked(<NodeValues> inner, tag, IN_LINK, seen)
            if not text or not self.may_follow(text, tag, before, last):
                return None
            if last == " " and PyUnicode_READ_CHAR(text, 0).isspace():
                return None
            before, last = text, tag
            written += text
        return None if PyUnicode_READ_CHAR(before, len(before) - 1).isspace() else written + mark

    cdef bint may_follow(self, str text, str tag, str before, str tag_before) except -1:
        cdef Py_UCS4 edge = PyUnicode_READ_CHAR(before, len(before) - 1)
        if tag == "a" and edge == c"!":  # the link would be an image
            return False
        if (edge == c"&" or edge == c"[" or edge == c"]") and _is_text(tag) and _is_text(tag_before):
            return False  # both would be markup
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
    cdef object read_link
    cdef type node_class, link_class
    cdef int levels, most, count_chars
    cdef Py_ssize_t bare_link
    # inline elements around a leaf, outermost first, and the open nodes
    cdef Py_ssize_t[MAX_TAGS] rows
    cdef list wanted

    def __cinit__(self, page, list links, dict inline not None, frozenset emphasis not None, dict urls not None,
                  dict mixed not None, type node_class not None, type link_class not None, read_link, int levels,
                  int most, int count_chars):
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
        if not (issubclass(node_class, NodeValues) and issubclass(link_class, NodeValues)):
            raise TypeError("no class of nodes")

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
                    self.append(children, text)
                    return True
        if children and isinstance(children[len(children) - 1], str):
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
        cdef list open_nodes = [], inside
        cdef Py_ssize_t[MAX_TAGS] open_rows
        cdef Py_ssize_t depth = 0
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
                    depth > 0 and found > 0 and open_rows[0] == self.rows[0] and self.wanted[0] == "a"
                )
                depth = 1 if is_in_link else 0
                del open_nodes[depth:]
                inside = (<NodeValues> open_nodes[0]).children if is_in_link else children
                inside.append(_make_node(self.node_class, "br", None))
            same = 0
            while same < found and same < depth:
                if open_rows[same] != self.rows[same]:
                    if not self.goes_on(open_nodes[same], self.rows[same], self.wanted[same], joint):
                        break
                    open_rows[same] = self.rows[same]
                same += 1
            if same < depth:
                depth = same
                del open_nodes[same:]
            inside = (<NodeValues> open_nodes[same - 1]).children if same else children
            if joint and not is_line:
                self.append(inside, " ")
            for number in range(same, found):
                tag = self.wanted[number]
                if tag == "a":
                    made = _make_node(self.link_class, tag, {"href": self.find_link(self.rows[number]) or ""})
                    made.row = self.rows[number]
                else:
                    made = _make_node(self.node_class, tag, None)
                inside.append(made)
                open_rows[depth] = self.rows[number]
                depth += 1
                open_nodes.append(made)
                inside = (<NodeValues> made).children
            self.append(inside, text)
        return 0

    cdef int append(self, list inside, str text) except -1:
        """Append a text. Lists that have adjacent or empty texts then are remembered."""
        if not text or (inside and isinstance(inside[len(inside) - 1], str)):
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

    cdef bint goes_on(self, NodeValues open_, Py_ssize_t row, str tag, str joint) except -1:
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
        if not 0 <= element < count:
            raise IndexError("element out of range")
        if self.links is not None:
            link = self.links[element]
            if link < 0 or link >= count or link == self.bare_link or not self.find_link(link):
                link = -1
        parent = self.parents[element]
        if element == owner and link < 0:  # as of most
            return 0
        self.wanted = []
        if element == owner or parent == owner:
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


cdef bint _may_start(str line) except -1:
    """Return whether the start of a line may be markup of a block: not if it is that of a link, bold text or a year."""
    cdef Py_ssize_t at = 0, size = len(line)
    cdef Py_UCS4 first = line[0]
    if first == c"[":
        return "]:" in line
    if first == c"*":
        if size > 1 and line[1] == " ":
            return True
        while at < size and (line[at] == "*" or line[at] == "-" or line[at] == " "):
            at += 1
        return at == size
    if c"0" <= first <= c"9":
        while at < size and c"0" <= <Py_UCS4> line[at] <= c"9":
            at += 1
        return at < size and (line[at] == "." or line[at] == ")")
    return True


cdef class BlockWriter:
    """Writes paragraphs and headings of the output tree as blocks of Markdown, and others with `writers`, by their tag.

    `phrases` are the tags of inline nodes, `starts` the characters at the start of a line that may be markup,
    `block_class` is the class of the blocks. The functions write and escape what needs a choice.
    """

    cdef SimpleWriter simple
    cdef dict writers
    cdef frozenset phrases, starts
    cdef type block_class
    cdef object write_marked, escape_line_starts, escape_task

    def __cinit__(self, SimpleWriter simple not None, dict writers not None, frozenset phrases not None,
                  frozenset starts not None, type block_class not None, write_marked, escape_line_starts, escape_task):
        if not issubclass(block_class, tuple):
            raise TypeError("blocks must be tuples")
        self.simple, self.writers, self.phrases, self.starts = simple, writers, phrases, starts
        self.block_class, self.write_marked = block_class, write_marked
        self.escape_line_starts, self.escape_task = escape_line_starts, escape_task

    def write(self, list nodes not None, str kind not None):
        """Return nodes as blocks; inline nodes between blocks become a block of this kind."""
        cdef list blocks = [], words = []
        cdef str tag, text
        cdef NodeValues node
        for each in nodes:
            if isinstance(each, str):
                words.append(each)
                continue
            node = <NodeValues?> each
            tag = node.tag
            if tag == "p" or tag == "header":
                if words:
                    self.add_words(words, blocks, kind)
                    words = []
                self.add_words(node.children, blocks, "paragraph")
                continue
            if tag in self.phrases:
                words.append(each)
                continue
            if words:
                self.add_words(words, blocks, kind)
                words = []
            writer = self.writers.get(tag)
            if writer is None:
                blocks += self.write(node.children, "paragraph")
            elif tag in HEADINGS:
                text = self.write_phrases(node.children, " ")
                if text and PyUnicode_READ_CHAR(text, len(text) - 1) == c"#":
                    writer(node, blocks)
                elif text:
                    self.add(blocks, "heading", <str> HEADINGS[tag] + text)
            else:
                writer(node, blocks)
        if words:
            self.add_words(words, blocks, kind)
        return blocks

    def write_items(self, list nodes not None):
        """Return each of some items as blocks, without those that are empty."""
        cdef list found = [], blocks
        for node in nodes:
            if not isinstance(node, str):
                blocks = self.write((<NodeValues?> node).children, "text")
                if blocks:
                    found.append(blocks)
        return found

    cdef str write_phrases(self, list nodes, str break_):
        cdef str text = self.simple.write(nodes, break_)
        return self.write_marked(nodes, break_) if text is None else text

    cdef int add_words(self, list nodes, list blocks, str kind) except -1:
        """Add inline nodes as a block, unless they are empty."""
        cdef str text = self.write_phrases(nodes, "  \n")
        if not text:
            return 0
        if "\n" in text or (text[0] in self.starts and _may_start(text)):
            text = self.escape_line_starts(text)
        if kind == "text" and not blocks and text[0] == "[":
            first = nodes[0]
            if isinstance(first, str) or (<NodeValues?> first).tag != "input":
                text = self.escape_task(text)
        self.add(blocks, kind, text)
        return 0

    cdef int add(self, list blocks, str kind, str text) except -1:
        blocks.append(tuple.__new__(self.block_class, (kind, text, "", False)))
        return 0


def join_texts(list children not None):
    """Join adjacent texts and drop empty ones, in place."""
    cdef list joined, run
    cdef bint is_text, was_text = False
    for child in children:
        is_text = isinstance(child, str)
        if is_text and (was_text or not child):
            break
        was_text = is_text
    else:
        return
    joined, run = [], []
    for child in children:
        if isinstance(child, str):
            run.append(child)
            continue
        text = "".join(run)
        if text:
            joined.append(text)
        del run[:]
        joined.append(child)
    text = "".join(run)
    if text:
        joined.append(text)
    children[:] = joined


cdef class BlockAdder:
    """Adds ordinary blocks to the output tree, in the elements of their chains.

    `tags` are those of the elements in the tree, and `page_tags` those on the page; `parts` are the tags of nodes that
    `make_part` makes, cells among them, `spaced` those of nodes that end with a space, and `signs` the characters that
    lines are drawn with. What is in `special`, by row of the block, and what is not ordinary is left to outputs/tree.py,
    which has the reference and the other attributes.
    """

    cdef readonly list open  # open nodes, each after its key
    cdef tuple entered
    cdef PhraseAdder phrases
    cdef list page_tags, parents
    cdef dict tags, first_lists, filled, bare, only_child
    cdef set begun, dropped, layouts
    cdef frozenset phrase_tags, paragraph_tags, lists, children, parts, spaced
    cdef tuple special
    cdef str signs
    cdef type node_class
    cdef object prune, make_part, find_checkbox, add_phrases, make_link_list

    def __cinit__(self, PhraseAdder phrases not None, tags not None, first_lists not None, filled not None,
                  bare not None, dict only_child not None, set begun not None, set dropped not None,
                  set layouts not None, frozenset phrase_tags not None, frozenset paragraph_tags not None,
                  frozenset lists not None, frozenset children not None, frozenset parts not None,
                  frozenset spaced not None, tuple special not None, str signs not None, prune, make_part, find_checkbox, add_phrases,
                  make_link_list):
        self.phrases, self.page_tags, self.parents = phrases, phrases.tags, phrases.parents
        self.tags, self.first_lists, self.filled, self.bare, self.only_child = tags, first_lists, filled, bare, only_child
        self.begun, self.dropped, self.layouts = begun, dropped, layouts
        self.phrase_tags, self.paragraph_tags, self.lists = phrase_tags, paragraph_tags, lists
        self.children, self.parts, self.spaced, self.special, self.signs = children, parts, spaced, special, signs
        self.node_class = phrases.node_class
        self.prune, self.make_part, self.find_checkbox = prune, make_part, find_checkbox
        self.add_phrases, self.make_link_list = add_phrases, make_link_list
        self.open = []

    def close(self):
        """Close all elements."""
        self.entered = None
        del self.open[:]

    cpdef NodeValues enter(self, tuple chain, NodeValues root):
        """Close and open elements until those of the chain are open, and return the innermost, or the root."""
        cdef list keys, open_ = self.open
        cdef Py_ssize_t same = 0, number
        cdef NodeValues inside, made, outer
        cdef str tag
        if chain is None or root is None:
            raise TypeError("no chain, or no root")
        if chain is self.entered:  # most paragraphs follow a sibling
            return open_[len(open_) - 1][1] if open_ else root
        keys = self.list_keys(chain)
        while same < len(keys) and same < len(open_) and open_[same][0] == keys[same][0]:
            same += 1
        del open_[same:]
        inside = <NodeValues?> open_[same - 1][1] if same else root
        self.entered = chain
        for number in range(same, len(keys)):
            key, tag = keys[number]
            if tag == "title":
                made = _make_node(self.node_class, "strong", None)
                outer = _make_node(self.node_class, "p", None)
                outer.children.append(made)
                inside.children.append(outer)
            else:
                made = self.make_part(key, tag) if tag in self.parts else _make_node(self.node_class, tag, None)
                inside.children.append(made)
            open_.append((key, made))
            inside = made
        return inside

    cdef list list_keys(self, tuple chain):
        """Return key and tag of the elements of a chain, with those that are missing between two of them."""
        cdef list keys = []
        cdef str tag, parent = ""
        cdef Py_ssize_t element
        for row in self.prune(chain, self.filled) if self.may_be_pruned(chain) else chain:
            tag = self.tags[row]
            if tag == "li":
                if parent not in self.lists:
                    element = row
                    if not 0 <= element < len(self.parents):
                        raise IndexError("element out of range")
                    keys.append((("ul", self.parents[element]), "ul"))
            elif parent in self.only_child and tag not in self.children:
                keys.append(((self.only_child[parent], row), self.only_child[parent]))
            keys.append((self.first_lists.get(row, row), tag))
            parent = tag
        return keys

    cdef bint may_be_pruned(self, tuple chain) except -1:
        """Return whether a chain may have elements that are dropped: layouts, and items that contain only a list."""
        cdef Py_ssize_t number
        if self.dropped:
            return True
        for number in range(2, len(chain)):
            if self.tags[chain[number]] in self.lists and self.tags[chain[number - 2]] in self.lists:
                return True
        return False

    cpdef bint add(self, block, tuple chain, NodeValues root) except -1:
        """Add a block and return whether it was added: not if it is special."""
        cdef NodeValues container = self.enter(chain, root)
        cdef str tag = container.tag, text
        cdef Py_ssize_t row = block.row, size, element = chain[len(chain) - 1] if chain else -1
        cdef bint is_paragraph = False
        cdef list blocks
        if not 0 <= row < len(self.phrases.owners) or element >= len(self.page_tags):
            raise IndexError("block out of range")
        if tag == "pre" or tag == "strong" or block.cuts:
            return False
        for blocks_with in self.special:
            if row in blocks_with:
                return False
        leaves = block.leaves
        size = len(leaves)
        if tag in self.only_child:
            container = self.add_inside(container, self.only_child[tag])
        elif tag in self.phrase_tags:
            key = self.open[len(self.open) - 1][0]
            if key in self.begun:
                container.children.append(_make_node(self.node_class, "br", None) if tag in self.parts else " ")
            self.begun.add(key)
        elif element < 0 or tag in self.paragraph_tags or self.filled[element] > 1 or not self.layouts.isdisjoint(chain):
            if container.children or tag == "li":
                if size != <Py_ssize_t> self.phrases.stops[row] - <Py_ssize_t> self.phrases.starts[row]:
                    return False
                text = self.phrases.block_texts[row]
                if not text or text[0] in self.signs or (tag == "li" and text[0].isdigit()):  # a line, the number of an item
                    return False
            is_paragraph = True
            container = self.add_inside(container, "p")
        else:
            self.end_phrase(container.children)
        if self.find_checkbox is not None and element >= 0 and self.page_tags[element] == "li":
            checkbox = self.find_checkbox(element)
            if checkbox is not None:
                container.children += [checkbox, " "]
        if not self.phrases.add(container.children, row, leaves, self.bare.get(row, -1)):
            self.add_phrases(container, block)
        if is_paragraph and size > 1 and tag in self.paragraph_tags and _may_be_links(container.children):
            items = self.make_link_list(container.children)
            if items:
                container.tag, container.children = "ul", items
        return True

    def add_all(self, blocks, list chains not None, Py_ssize_t start, dict media not None, NodeValues root not None):
        """Add blocks from one on, up to one that is special or has media before it; return where that is."""
        cdef Py_ssize_t at, count = len(blocks)
        if len(chains) != count or start < 0:
            raise ValueError("blocks and chains differ in length")
        for at in range(start, count):
            block = blocks[at]
            if block.row in media or not self.add(block, chains[at], root):
                return at
        return count

    cdef int end_phrase(self, list children) except -1:
        """Add a space after a text or an image, from which the page sets apart what follows."""
        cdef Py_ssize_t last = len(children) - 1
        if last < 0:
            return 0
        if isinstance(children[last], str):
            children[last] = <str> children[last] + " "
        elif (<NodeValues?> children[last]).tag in self.spaced:
            children.append(" ")
        return 0

    cdef NodeValues add_inside(self, NodeValues container, str tag):
        """Append a new child and return it."""
        cdef NodeValues made = _make_node(self.node_class, tag, None)
        container.children.append(made)
        return made


cdef bint _may_be_links(list children) except -1:
    """Return whether nodes are links and line breaks, and nothing is between them but spaces."""
    cdef str tag
    for child in children:
        if isinstance(child, str):
            if child and not (<str> child).isspace():
                return False
        else:
            tag = (<NodeValues?> child).tag
            if tag != "a" and tag != "br":
                return False
    return True


def extend_chains(list elements not None, dict chains not None, dict out_tags not None, list tags not None,
                  list parents not None, dict plain not None, dict parents_needed not None, frozenset phrases not None,
                  str title not None, dict structure not None, set codes not None, dict callouts not None,
                  Py_ssize_t most, extend):
    """Find the chains of elements, the outermost first, in `chains`, and their tags in `out_tags`; see outputs/chains.py.

    `plain` are the output tags of what can be anywhere but in `phrases` and in what `parents_needed` says. Other
    elements in `structure` are left to `extend`, and so are those in `codes`, and all after one in `callouts`.
    """
    cdef Py_ssize_t element, parent, count = len(tags)
    cdef tuple chain
    cdef str tag, made, above
    cdef bint is_other
    if len(parents) != count:
        raise ValueError("columns differ in length")
    for each in elements:
        element = each
        if not 0 <= element < count:
            raise IndexError("element out of range")
        chain = chains[parents[element]]
        tag = tags[element]
        is_other = len(callouts) > 0 or (len(codes) > 0 and each in codes)
        made = None if is_other else plain.get(tag)
        if made is not None:
            above = out_tags[chain[len(chain) - 1]] if chain else ""
            if above == title or len(chain) >= most:
                chain = extend(chain, each)
            elif above not in phrases and parents_needed.get(made, above) == above:
                out_tags[each] = made
                chain = chain + (each,)
        elif is_other or tag in structure:
            chain = extend(chain, each)
        chains[each] = chain
