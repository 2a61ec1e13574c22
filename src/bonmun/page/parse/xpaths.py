"""XPaths that match one element or text node of a page, in the tree of any HTML5 parser.

`p[2]` counts the siblings with the same tag; `*[5]` replaces names that XPath cannot express; `(//*)[1207]` is for very
deep elements, since there may be a path for each block, and full paths would be long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Element, Namespace, Text

from bonmun.bounds import MAX_PATH_DEPTH, MAX_TAG_CHARS
from bonmun.page.parse.ancestors import climb
from bonmun.page.parse.element_bits import EMPTY, LINK
from bonmun.page.parse.walk import PILCROW
from bonmun.text.readable import make_readable
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document as Tree
    from turbohtml import Node

    from bonmun.page.parse.walk_tables import Columns

__all__ = ["Places"]

PLAIN_TAG = re.compile(f"[a-z][a-z0-9]{{0,{MAX_TAG_CHARS - 1}}}")


class Places:
    """XPaths of the elements of a page, and numbers of its text nodes, computed on demand and cached.

    It stores columns of the page but not the page itself, which would be a reference cycle.
    """

    def __init__(self, columns: Columns, tree: Tree) -> None:
        self._tree, self._nodes, self._tags, self._parents = tree, columns._nodes, columns.tags, columns.parents
        self._bits, self._leaf_elements = columns.bits, columns.leaf_elements
        self._further, self._marks = columns.further, columns.marks
        self._counted: set[int] = set()  # elements whose children have been numbered
        self._paths: dict[int, str] = {}  # paths of ancestors of elements that were asked for
        self._numbers: dict[Node, tuple[int, int]] = {}  # number among siblings of the same tag, and among all

    def find_xpath(self, element: int, depth: int) -> str:
        """Return the XPath of an element at a depth."""
        if depth > MAX_PATH_DEPTH:
            return self._write_number(element)
        path = ""
        rows: list[int] = []
        for row in climb(self._parents, element):
            path = self._paths.get(row, "")
            if path:
                break
            rows.append(row)
        for row in reversed(rows):
            step = self._write_step(row)
            path = f"{path}/{step}" if step else self._write_number(row)
            if row != element:
                self._paths[row] = path
        return path

    def _write_number(self, element: int) -> str:
        """Return the path of an element as its number among all elements."""
        return f"(//*)[{self._page_numbers[self._nodes[element]]}]"

    def _write_step(self, element: int) -> str | None:
        """Return the last step of a path: `p[2]`, or `*[5]` if the name is not plain HTML; None beside `<html>`."""
        node, tag, parent = self._nodes[element], self._tags[element], self._parents[element]
        if parent < 0 or tag in ("head", "body"):
            return tag
        if parent not in self._counted:
            self._counted.add(parent)
            self._numbers.update(_number_children(self._nodes[parent]))
        if node not in self._numbers:
            return None
        number, position = self._numbers[node]
        is_plain = PLAIN_TAG.fullmatch(tag) and node.namespace is Namespace.HTML
        return f"{tag}[{number}]" if is_plain else f"*[{position}]"

    @cached_property
    def _page_numbers(self) -> dict[Node, int]:
        """Number of each element among all elements of the page."""
        return {node: number for number, node in enumerate(self._tree.iter_elements(), 1)}

    @cached_property
    def text_numbers(self) -> list[int]:
        """Number of each leaf among the text nodes of its parent, including whitespace, as XPath counts them.

        0 for nodes beside `<html>`, and for leaves without a text node, such as formulas and marks.
        """
        of_element: dict[int, Iterator[int]] = {}
        numbers: list[int] = []
        for leaf, element in enumerate(self._leaf_elements):
            if leaf in self._further:
                numbers.append(numbers[-1])
                continue
            if self._bits[element] & EMPTY or leaf in self._marks:
                numbers.append(0)
                continue
            if element not in of_element:
                in_link = bool(self._bits[element] & LINK)
                of_element[element] = _number_texts(self._nodes[element], in_link=in_link)
            numbers.append(next(of_element[element], 0))
        return numbers


def _content(element: Element) -> Node:
    """Return the node that has an element's children: a template keeps them in a fragment."""
    return element.children[0] if element.tag == "template" and element.children else element


def _number_children(parent: Element) -> Iterator[tuple[Node, tuple[int, int]]]:
    """Yield each child element with its number among siblings of the same tag, and among all siblings."""
    seen: dict[str, int] = {}
    position = 0
    for node in _content(parent):
        if isinstance(node, Element):
            position += 1
            number = seen[node.tag] = seen.get(node.tag, 0) + 1
            yield node, (number, position)


def _number_texts(element: Element, *, in_link: bool) -> Iterator[int]:
    """Yield the numbers of the text nodes of an element that are leaves."""
    texts = (node for node in _content(element) if isinstance(node, Text))
    for number, node in enumerate(texts, 1):
        text = make_readable(node.data)
        if text and not (in_link and text == PILCROW):
            yield number
