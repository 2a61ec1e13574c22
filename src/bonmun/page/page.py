"""Bytes in, a Page out: one HTML page with its elements, leaves and blocks.

This room is the only one that parses HTML: turbohtml builds the tree that a browser builds, `walk` makes columns of it.
Nothing outside of it sees the tree: what others want to know of an element, they ask the `Page`. What the walk does not
need (paths, kinds, tables) is worked out from the columns when it is asked for.
"""

from __future__ import annotations

import re
from copy import copy
from functools import cached_property
from types import NoneType
from typing import TYPE_CHECKING, Protocol

import turbohtml

from bonmun.bounds import MAX_ELEMENTS, find_max_elements
from bonmun.errors import BadInput, TooBig
from bonmun.options import DEFAULTS
from bonmun.page.code import find_code
from bonmun.page.formulas.formulas import find_formulas
from bonmun.page.parse.bombs import defuse, make_plain
from bonmun.page.parse.boxes import make_boxes
from bonmun.page.parse.columns import PageColumns
from bonmun.page.parse.decode import check_text
from bonmun.page.parse.element_bits import HIDDEN
from bonmun.page.parse.walk import walk
from bonmun.page.saved.decode_saved import decode_page
from bonmun.page.views import Block, Leaf, Rows
from bonmun.settings import check_type
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from turbohtml import Document as Tree

    from bonmun.page.parse.boxes import Boxes
    from bonmun.snapshots import Snapshot

__all__ = ["Page", "SelectedElement"]

FEW_LEAVES = 20  # a page with fewer may have its text where browsers with scripts do not look
NOSCRIPT_CHARACTERS = 1000  # more in <noscript>s may be more than an image or a word of regret
TIMES_AS_MUCH = 10  # so many times as much text makes another reading of a page the right one
ZIP_START = b"PK"
CLOSED_RAW = re.compile(r"<(script|style|title|iframe|noscript)\b([^<>]*)/>", re.I)


class SelectedElement(Protocol):
    """An element that `Page.select` found, in the columns or not."""

    def attr(self, name: str) -> str | None:
        """The value of an attribute; None where there is none."""

    @property
    def text(self) -> str:
        """All text in it, as it is written."""


class Page(PageColumns):
    """One parsed page, never changed after: columns (see columns.py), in which elements, leaves and blocks are rows.

    >>> page = Page.parse("<p>Hello <b>world</b>!</p>")
    >>> [leaf.text for leaf in page.leaves], [block.text for block in page.blocks]
    (['Hello', 'world', '!'], ['Hello world!'])
    """

    def __init__(self, tree: Tree, size: int, url: str | None = None, encoding: str | None = None) -> None:
        super().__init__(tree)
        self.size = size  # in characters
        self.url = make_readable(url) if url else None
        self.encoding = encoding  # what the bytes were written in; None for a page given as str
        self.boxes: Boxes | None = None  # where a browser showed each element; None if none did
        self.saved: datetime | None = None  # when a browser saved it, if its file says so

    @classmethod
    def parse(
        cls,
        html: str | bytes,
        url: str | None = None,
        encoding: str | None = None,
        *,
        max_bytes: int = DEFAULTS.max_bytes,
        ruby: bool = DEFAULTS.ruby,
    ) -> Page:
        """Parse a page. `encoding` is what the HTTP header said, if known; it only matters for bytes.

        Bytes may also be a page as browsers save it: MHTML, a web archive of Safari. What these, or a comment of
        SingleFile, say of where the page came from counts unless `url` is given. With `ruby`, the readings of Chinese
        characters stand in brackets after them.
        """
        if not isinstance(html, (str, bytes)):
            raise BadInput(f"A page is given as str or bytes, not as {type(html).__name__}.")
        check_type("url", url, (str, NoneType), "a URL as str")
        check_type("encoding", encoding, (str, NoneType), "the name of an encoding")
        check_type("max_bytes", max_bytes, int, "a whole number")
        check_type("ruby", ruby, bool, "True or False")
        if isinstance(html, bytes) and html.startswith(ZIP_START):
            from bonmun.snapshots import is_snapshot, read_snapshot  # which loads numpy

            if is_snapshot(html):
                return cls.from_snapshot(read_snapshot(html), url, max_bytes=max_bytes, ruby=ruby)
        if len(html) > max_bytes:
            raise TooBig(f"The page is larger than {max_bytes:,} bytes; raise max_bytes to read it.")
        html, name, url, saved = decode_page(html, encoding, url)
        check_text(html)
        page = cls._read(html, url, name, ruby=ruby)
        if len(page.texts) < FEW_LEAVES and CLOSED_RAW.search(html):  # XHTML that HTML takes for one long script
            other = cls._read(CLOSED_RAW.sub(r"<\1\2></\1>", html), url, name, ruby=ruby)
            page = other if other._says_more_than(page) else page
        page.saved = saved
        return page

    @classmethod
    def from_snapshot(
        cls,
        snapshot: Snapshot,
        url: str | None = None,
        *,
        max_bytes: int = DEFAULTS.max_bytes,
        ruby: bool = DEFAULTS.ruby,
    ) -> Page:
        """A page as a browser laid it out: its elements have boxes, and what the browser hides is hidden."""
        from bonmun.snapshots import ROW_ATTRIBUTE

        if len(snapshot.html) > max_bytes:
            raise TooBig(f"The page is larger than {max_bytes:,} characters; raise max_bytes to read it.")
        check_text(snapshot.html)
        page = cls._read(snapshot.html, url or snapshot.url, None, ruby=ruby)
        page.boxes = boxes = make_boxes(snapshot, page.attrs(range(len(page.tags)), ROW_ATTRIBUTE), page.parents)
        for row in boxes.hidden.nonzero()[0].tolist():
            page.bits[row] |= HIDDEN
        page.cut |= snapshot.cut
        return page

    @classmethod
    def _read(cls, html: str, url: str | None, encoding: str | None, *, ruby: bool) -> Page:
        html = defuse(html)
        page = cls._walk(html, url, encoding, ruby=ruby)
        if page.cut and len(page.tags) < MAX_ELEMENTS:
            page = cls._walk(make_plain(html), url, encoding, ruby=ruby)
        return page

    @classmethod
    def _walk(cls, html: str, url: str | None, encoding: str | None, *, ruby: bool) -> Page:
        # shadow roots stay templates, so that paths hold in engines that know no shadow trees
        tree = turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)
        most = find_max_elements(len(html))
        formulas, code = find_formulas(tree, html), find_code(tree)
        page = cls(tree, len(html), url, encoding)
        done = walk(tree, page, most, formulas, code, ruby=ruby)
        # all three are rare, so a page that has them is read again rather than every page asked
        shadows = any(page.attrs(page.templates, "shadowrootmode"))
        if shadows or not done:
            page = cls(tree, len(html), url, encoding)
            walk(tree, page, most, formulas, code, ruby=ruby, shadows=shadows, careful=True)
        if page.noscripts and page._may_be_shell():  # its text is for those without scripts
            other = cls(tree, len(html), url, encoding)
            walk(tree, other, most, formulas, code, noscript=True, ruby=ruby, shadows=shadows, careful=True)
            page = other if other._says_more_than(page) else page
        return page

    def without(self, blocks: Iterable[int]) -> Page:
        """The same page, as if these blocks were hidden: every row keeps its number.

        What the page has worked out already holds for both, since nothing but `visibility` depends on what is hidden.
        """
        page = copy(self)
        page.visibility = self.visibility.without(
            leaf for row in blocks for leaf in range(self.starts[row], self.stops[row])
        )
        return page

    def _says_more_than(self, other: Page) -> bool:
        """Whether it is the other page that has next to no text."""
        return self._count_plain() > TIMES_AS_MUCH * other._count_plain()

    def _count_plain(self) -> int:
        """The number of characters outside of links."""
        return sum(len(text) for text, linked in zip(self.texts, self.linked_leaves, strict=True) if not linked)

    def _may_be_shell(self) -> bool:
        """Whether a page has few leaves, or far less text than its <noscript>s."""
        if len(self.texts) < FEW_LEAVES:
            return True
        held = sum(len(self._nodes[row].text) for row in self.noscripts)
        return held > NOSCRIPT_CHARACTERS and held > TIMES_AS_MUCH * self._count_plain()

    def __repr__(self) -> str:
        return f"<Page {self.url or 'without URL'}: {len(self.tags)} elements, {len(self.texts)} leaves>"

    # --- what stands in the page's markup -----------------------------------------------------------------------

    def attr(self, element: int, name: str) -> str | None:
        """The value of an element's attribute; None where there is none."""
        return self._nodes[element].attr(name)

    def attrs(self, elements: Iterable[int], name: str) -> list[str | None]:
        """The values of one attribute of several elements."""
        nodes = self._nodes
        return [nodes[element].attr(name) for element in elements]

    @property
    def markup(self) -> Sequence[SelectedElement]:
        """The elements as the parser has them, by row: for those who ask every one of them."""
        return self._nodes

    def find_inner_attr(self, element: int, tag: str, name: str) -> str | None:
        """The attribute of the first element of a tag in an element whose content is not read, such as <noscript>."""
        node = self._nodes[element].find(tag)
        return node.attr(name) if node is not None else None

    def select(self, selector: str) -> Sequence[SelectedElement]:
        """The elements that a CSS selector finds anywhere on the page, also in its head and in scripts."""
        return self._tree.select(selector)

    def has_tag(self, tag: str) -> bool:
        """Whether an element of this tag stands anywhere on the page, also in its head."""
        return self._tree.find(tag) is not None

    @cached_property
    def head_title(self) -> str:
        """What `<title>` holds, as it is written; empty where there is none."""
        node = self._tree.find("title")
        return node.text if node is not None else ""

    @cached_property
    def base_url(self) -> str:
        """What relative links are relative to: `<base>`, else the page's URL; empty if neither is known."""
        try:
            return self._tree.base_url(self.url or "")
        except ValueError:
            return self.url or ""

    # --- leaves -------------------------------------------------------------------------------------------------

    @property
    def leaves(self) -> Rows[Leaf]:
        """The leaves as records, in document order."""
        return Rows(lambda i: Leaf(self, i), len(self.texts))

    # --- blocks -------------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> Rows[Block]:
        """The blocks as records, in document order."""
        return Rows(lambda i: Block(self, i), len(self.starts))
