"""Bytes in, a Page out: one HTML page with its elements, leaves and blocks.

This is the only module that parses HTML: turbohtml builds the tree that a browser builds, `walk` makes columns of it.
What the walk does not need (paths, class words, kinds) is worked out from the columns when it is asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, overload

import turbohtml
from turbohtml import Element, Namespace, Text

from bonmun.errors import BadInput, TooBig
from bonmun.options import DEFAULTS
from bonmun.page import blocks
from bonmun.page.blocks import Block, Kind, Sizes
from bonmun.page.decode import check_bytes, check_text, decode
from bonmun.page.walk import HIDDEN, LINK, PILCROW, Columns, readable, walk

if TYPE_CHECKING:
    from turbohtml import Document as Tree
    from turbohtml import Node

__all__ = ["Leaf", "Page", "Rows"]

DEEP = 128  # elements deeper than this get a short XPath: hardly a page nests deeper, and long paths add up
FEW = 20  # leaves: a page with fewer may have its text where browsers with scripts do not look
LONG = 1000  # characters in <noscript>s that may be more than an image or a word of regret
MORE = 10  # times as much text makes another reading of a page the right one
CLOSED_RAW = re.compile(r"<(script|style|title|iframe|noscript)\b([^<>]*)/>", re.I)
PLAIN_TAG = re.compile("[a-z][a-z0-9]*")
WORDS = re.compile(r"[^\W_]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Page(Columns):
    """One parsed page, never changed after: columns (see walk.py), in which elements, leaves and blocks are rows.

    >>> page = Page.parse("<p>Hello <b>world</b>!</p>")
    >>> [leaf.text for leaf in page.leaves], [block.text for block in page.blocks]
    (['Hello', 'world', '!'], ['Hello world!'])
    """

    def __init__(self, tree: Tree, url: str | None = None, encoding: str | None = None) -> None:
        super().__init__()
        self.tree = tree
        self.url = readable(url) if url else None
        self.encoding = encoding  # what the bytes were written in; None for a page given as str
        self.gone: frozenset[int] = frozenset()  # leaves that are taken for hidden, see without()

    @classmethod
    def parse(
        cls,
        html: str | bytes,
        url: str | None = None,
        encoding: str | None = None,
        *,
        max_bytes: int = DEFAULTS.max_bytes,
    ) -> Page:
        """Parse a page. `encoding` is what the HTTP header said, if known; it only matters for bytes."""
        if not isinstance(html, (str, bytes)):
            raise BadInput(f"A page is given as str or bytes, not as {type(html).__name__}.")
        if len(html) > max_bytes:
            raise TooBig(f"The page is larger than {max_bytes:,} bytes; raise max_bytes to read it.")
        name = None
        if isinstance(html, bytes):
            check_bytes(html)
            html, name = decode(html, encoding, url)
        check_text(html)
        page = cls._read(html, url, name)
        if len(page.texts) < FEW and CLOSED_RAW.search(html):  # XHTML that an HTML parser takes for one long script
            other = cls._read(CLOSED_RAW.sub(r"<\1\2></\1>", html), url, name)
            page = other if other._says_more_than(page) else page
        return page

    @classmethod
    def _read(cls, html: str, url: str | None, encoding: str | None) -> Page:
        # shadow roots stay templates, so that paths hold in engines that know no shadow trees
        tree = turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)
        page = cls(tree, url, encoding)
        done = walk(tree, page)
        # all three are rare, so a page that has them is read again rather than every page asked
        shadows = any(page.nodes[row].attr("shadowrootmode") for row in page.templates)
        if shadows or not done:
            page = cls(tree, url, encoding)
            walk(tree, page, shadows=shadows, careful=True)
        if "noscript" in page.tags and page._may_be_shell():  # its text is for those without scripts
            other = cls(tree, url, encoding)
            walk(tree, other, noscript=True, shadows=shadows, careful=True)
            page = other if other._says_more_than(page) else page
        return page

    def without(self, blocks: Iterable[int]) -> Page:
        """The same page, as if these blocks were hidden: every row keeps its number."""
        page = copy(self)
        for name in ("shown", "block_sizes"):
            page.__dict__.pop(name, None)
        page.gone = self.gone.union(*(range(self.starts[row], self.stops[row]) for row in blocks))
        return page

    def _says_more_than(self, other: Page) -> bool:
        """Whether it is the other page that has next to no text."""
        return self._plain() > MORE * other._plain()

    def _plain(self) -> int:
        """Characters outside of links."""
        bits = self.bits
        return sum(len(text) for text, row in zip(self.texts, self.leaf_elements, strict=True) if not bits[row] & LINK)

    def _may_be_shell(self) -> bool:
        """Whether a page has few leaves, or far less text than its <noscript>s."""
        if len(self.texts) < FEW:
            return True
        held = sum(len(node.text) for tag, node in zip(self.tags, self.nodes, strict=True) if tag == "noscript")
        return held > LONG and held > MORE * self._plain()

    def __repr__(self) -> str:
        return f"<Page {self.url or 'without URL'}: {len(self.tags)} elements, {len(self.texts)} leaves>"

    # --- elements -----------------------------------------------------------------------------------------------

    @cached_property
    def depths(self) -> list[int]:
        """Each element's depth: 1 for `<html>`, so the number of tags on its path."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 1)
        return depths

    @cached_property
    def path_numbers(self) -> list[int]:
        """A number for each element, the same for two of them if their tag paths are the same."""
        below: list[dict[str, int]] = [{}]  # for each path, that of each tag below it; the first is that of the page
        numbers: list[int] = []
        for tag, parent in zip(self.tags, self.parents, strict=True):
            children = below[numbers[parent] if parent >= 0 else 0]
            number = children.get(tag)
            if number is None:
                number = children[tag] = len(below)
                below.append({})
            numbers.append(number)
        return numbers

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """Each element's class, id and role words in lower case: `postBody main-2` gives post, body, main, 2."""
        words: list[tuple[str, ...]] = []
        for node in self.nodes:
            attr = node.attr
            given = " ".join(filter(None, (attr("class"), attr("id"), attr("role"))))
            words.append(tuple(WORDS.findall(CAMEL.sub(" ", given).lower())) if given else ())
        return words

    def around(self, elements: Iterable[int]) -> list[int]:
        """Some elements and all that hold them, in document order."""
        found: set[int] = set()
        for row in elements:
            while row >= 0 and row not in found:
                found.add(row)
                row = self.parents[row]
        return sorted(found)

    def within(self, element: int) -> list[bool]:
        """Which elements an element holds, itself included; where there are slots, others may stand between them."""
        parents = self.parents
        inside = [False] * len(parents)
        inside[element] = True
        for row in range(element + 1, len(parents)):
            if inside[parents[row]]:
                inside[row] = True
        return inside

    @cached_property
    def kinds(self) -> dict[int, Kind]:
        """The kind of block that text in an element makes, for the elements that were asked for (see blocks.py)."""
        return {0: "paragraph"}

    @cached_property
    def tables(self) -> list[int]:
        """The innermost `<table>` around each element, or itself if it is one; -1 where there is none."""
        tables: list[int] = []
        for row, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
            tables.append(row if tag == "table" else tables[parent] if parent >= 0 else -1)
        return tables

    @cached_property
    def layout_tables(self) -> frozenset[int]:
        """The tables that only arrange the page."""
        return blocks.layout_tables(self)

    @cached_property
    def base_url(self) -> str:
        """What relative links are relative to: `<base>`, else the page's URL; empty if neither is known."""
        try:
            return self.tree.base_url(self.url or "")
        except ValueError:
            return self.url or ""

    @cached_property
    def cells(self) -> list[int]:
        """The innermost table cell around each element, or itself if it is one; -1 where there is none."""
        cells: list[int] = []
        for row, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
            cells.append(row if tag in ("td", "th") else -1 if tag == "table" or parent < 0 else cells[parent])
        return cells

    @cached_property
    def cell_numbers(self) -> dict[int, int]:
        """How many cells stand before each cell in its row."""
        counts: dict[int, int] = {}
        numbers: dict[int, int] = {}
        for row, tag in enumerate(self.tags):
            if tag in ("td", "th"):
                numbers[row] = counts.get(self.parents[row], 0)
                counts[self.parents[row]] = numbers[row] + 1
        return numbers

    @cached_property
    def cell_counts(self) -> dict[int, int]:
        """How many cells each table row has."""
        return {self.parents[cell]: number + 1 for cell, number in self.cell_numbers.items()}

    # --- leaves -------------------------------------------------------------------------------------------------

    @property
    def leaves(self) -> Rows[Leaf]:
        """The leaves as records, in document order."""
        return Rows(lambda i: Leaf(self, i), len(self.texts))

    @cached_property
    def shown(self) -> list[int]:
        """The leaves that are not hidden; all of them if all are, since scripts will uncover such a page."""
        bits = self.bits
        shown = [i for i, element in enumerate(self.leaf_elements) if not bits[element] & HIDDEN] or list(
            range(len(self.texts))
        )
        return [leaf for leaf in shown if leaf not in self.gone] if self.gone else shown

    # --- blocks -------------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> Rows[Block]:
        """The blocks as records, in document order."""
        return Rows(lambda i: Block(self, i), len(self.starts))

    @cached_property
    def stops(self) -> list[int]:
        """One past the last leaf of each block."""
        return [*self.starts[1:], len(self.texts)] if self.starts else []

    @cached_property
    def blocks_of(self) -> dict[int, int]:
        """How many blocks stand directly in an element."""
        count: dict[int, int] = {}
        for element in self.owners:
            count[element] = count.get(element, 0) + 1
        return count

    @cached_property
    def block_sizes(self) -> Sizes:
        """How long each block is, how much of it is link text, and whether it is hidden."""
        return blocks.sizes_of(self)

    # --- places -------------------------------------------------------------------------------------------------

    def tag_path(self, element: int) -> str:
        """The tags from the root to an element: `html/body/div/p`; the middle of a very deep one is left out."""
        tags: list[str] = []
        while element >= 0 and len(tags) < DEEP:
            tags.append(self.tags[element])
            element = self.parents[element]
        return ("…/" if element >= 0 else "") + "/".join(reversed(tags))

    def xpath(self, element: int) -> str:
        """An XPath that finds the element, and only it, in the tree of any HTML5 parser."""
        if self.depths[element] > DEEP:
            return f"(//*)[{self._numbers[self.nodes[element]]}]"
        steps: list[str] = []
        while element >= 0:
            steps.append(self._step(element))
            element = self.parents[element]
        return "/" + "/".join(reversed(steps))

    def _step(self, element: int) -> str:
        """An element's own step: `p[2]`, or `*[5]` where the name is not plain HTML."""
        node, tag, parent = self.nodes[element], self.tags[element], self.parents[element]
        if parent < 0 or tag in ("head", "body"):
            return tag
        if parent not in self._counted:
            self._counted.add(parent)
            self._places.update(_places(self.nodes[parent]))
        number, position = self._places[node]
        plain = PLAIN_TAG.fullmatch(tag) and node.namespace is Namespace.HTML
        return f"{tag}[{number}]" if plain else f"*[{position}]"

    @cached_property
    def _counted(self) -> set[int]:
        """The elements whose children have their places."""
        return set()

    @cached_property
    def _places(self) -> dict[Node, tuple[int, int]]:
        """An element's number among its siblings of the same tag, and among all of them."""
        return {}

    @cached_property
    def _numbers(self) -> dict[Node, int]:
        """Each element's number among all on the page."""
        return {node: number for number, node in enumerate(self.tree.iter_elements(), 1)}

    @cached_property
    def _text_numbers(self) -> list[int]:
        """Each leaf's number among the text nodes of its element, white space included, as XPath counts."""
        places: dict[int, Iterator[int]] = {}
        numbers: list[int] = []
        for element in self.leaf_elements:
            if element not in places:
                places[element] = _text_places(self.nodes[element], in_link=bool(self.bits[element] & LINK))
            numbers.append(next(places[element]))
        return numbers


@dataclass(slots=True, eq=False)
class Leaf:
    """One non-empty text node of a page: a view of its columns."""

    page: Page
    index: int

    def __repr__(self) -> str:
        return f"<Leaf {self.index} {self.page.tags[self.element]}: {self.text[:60]!r}>"

    @property
    def text(self) -> str:
        """Its text, white space folded."""
        return self.page.texts[self.index]

    @property
    def element(self) -> int:
        """The element whose text node it is."""
        return self.page.leaf_elements[self.index]

    @property
    def depth(self) -> int:
        """The depth of its element: the number of tags on its path."""
        return self.page.depths[self.element]

    @property
    def in_link(self) -> bool:
        """Whether an `<a>` is among its ancestors."""
        return bool(self.page.bits[self.element] & LINK)

    @property
    def hidden(self) -> bool:
        """Whether the page says that it is not shown."""
        return bool(self.page.bits[self.element] & HIDDEN)

    @property
    def tag_path(self) -> str:
        """The tags from the root down to its element: `html/body/div/p`."""
        return self.page.tag_path(self.element)

    @property
    def xpath(self) -> str:
        """Its place: the path of its text node."""
        return f"{self.page.xpath(self.element)}/text()[{self.page._text_numbers[self.index]}]"


Row = TypeVar("Row", covariant=True)


class Rows(Sequence[Row]):
    """A sequence whose records are made when asked for: a page that held them would hold itself, and stay in memory."""

    __slots__ = ("_length", "_make")

    def __init__(self, make: Callable[[int], Row], length: int) -> None:
        self._make: Callable[[int], Row] = make
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        rows = range(self._length)[index]
        return tuple(map(self._make, rows)) if isinstance(rows, range) else self._make(rows)

    def __iter__(self) -> Iterator[Row]:
        return map(self._make, range(self._length))

    def __repr__(self) -> str:
        return f"<{self._length} rows>"


def _content(element: Element) -> Node:
    """What holds an element's children: itself, but for a template, whose content is a fragment."""
    return element.children[0] if element.tag == "template" and element.children else element


def _places(parent: Element) -> Iterator[tuple[Node, tuple[int, int]]]:
    """Each child element's number among those of its tag, and among all."""
    seen: Counter[str] = Counter()
    for node in _content(parent):
        if isinstance(node, Element):
            seen.update((node.tag, "*"))
            yield node, (seen[node.tag], seen["*"])


def _text_places(element: Element, *, in_link: bool) -> Iterator[int]:
    """The numbers of those text nodes of an element that are leaves."""
    texts = (node for node in _content(element) if isinstance(node, Text))
    for number, node in enumerate(texts, 1):
        text = readable(node.data)
        if text and not (in_link and text == PILCROW):
            yield number
