"""The class Page: a parsed HTML page with its elements, leaves and blocks.

This is the only package that parses HTML. turbohtml builds the same tree as a browser, and `walk` turns it into
columns. Other packages never see the tree; they get everything from the `Page`. Whatever the walk does not need, such
as paths, kinds and tables, is computed from the columns on first use.
"""

from __future__ import annotations

import re
from copy import copy
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
from bonmun.page.parse.glued import separate_labels
from bonmun.page.parse.panels import show_panels
from bonmun.page.parse.screen_readers import hide_readings
from bonmun.page.parse.streamed import place_streamed
from bonmun.page.parse.torn_links import join_torn_links
from bonmun.page.parse.unclosed import drop_unclosed_noscripts
from bonmun.page.parse.walk import walk
from bonmun.page.parse.xhtml import close_empty_elements
from bonmun.page.saved.decode_saved import decode_page
from bonmun.page.views import Block, Leaf, Rows
from bonmun.settings import check_type
from bonmun.text.readable import make_readable
from bonmun.text.urls import read_url
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from turbohtml import Document as Tree
    from turbohtml import Element

    from bonmun.page.parse.boxes import Boxes
    from bonmun.snapshots import Snapshot

__all__ = ["Page", "SelectedElement"]

MIN_LEAVES = 20  # a page with fewer may hide its text from browsers that run scripts
MIN_NOSCRIPT_CHARS = 1000  # more text than this in <noscript> is more than an image or "please enable JavaScript"
MIN_TEXT_RATIO = 10  # how many times more text a second reading of the page must have to replace the first
ZIP_START = b"PK"
WEB_URL = re.compile(r"https?://[^/?#\\\s]", re.I)
# Where a page declares its own URL: elements, by CSS selector, and the attribute.
DECLARED_URLS = (
    ('link[rel~="canonical" i]', "href"),
    ('meta[property="og:url" i], meta[name="og:url" i]', "content"),
)
SELF_CLOSED_RAW = re.compile(r"<(script|style|title|iframe|noscript)\b([^<>]*)/>", re.I)


class SelectedElement(Protocol):
    """An element found by `Page.select`."""

    def attr(self, name: str) -> str | None:
        """Return the value of an attribute, or None."""

    @property
    def text(self) -> str:
        """The text of the element, with its whitespace unchanged."""


class Page(PageColumns):
    """A parsed HTML page. It never changes.

    Elements, leaves and blocks are rows of columns (see columns.py) and are referred to by their index.

    >>> page = Page.parse("<p>Hello <b>world</b>!</p>")
    >>> [leaf.text for leaf in page.leaves], [block.text for block in page.blocks]
    (['Hello', 'world', '!'], ['Hello world!'])

    Attributes:
        size: Number of characters of the HTML.
        url: URL of the page, or None.
        encoding: Encoding of the bytes. None for a page that was given as str.
        boxes: Position and style of each element, for a rendered page, else None.
        note: What did not go as asked while the page was rendered, or why it stayed empty, else None.
        saved: Time when a browser saved the page, if its file contains it, else None.
    """

    def __init__(self, tree: Tree, size: int, url: str | None = None, encoding: str | None = None) -> None:
        super().__init__(tree)
        self.size = size
        self.url = make_readable(url) if url else None
        self.encoding = encoding
        self.boxes: Boxes | None = None
        self.note: str | None = None
        self.saved: datetime | None = None

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
        """Parse a page.

        Args:
            html: The page as str, or as bytes in any encoding. Bytes may also be a saved page (MHTML or Safari web
                archive) or a snapshot.
            url: URL of the page. By default it is read from the saved page, if that contains it.
            encoding: Encoding from the HTTP header. It is ignored for str.
            max_bytes: Maximum page size in bytes.
            ruby: Keep the readings of ruby annotations, in brackets after the characters.

        Raises:
            BadInput: The input is not an HTML page. The subclasses tell why.
        """
        if not isinstance(html, (str, bytes)):
            raise BadInput(f"A page must be str or bytes, not {type(html).__name__}.")
        check_type("url", url, (str, NoneType), "a URL as str")
        check_type("encoding", encoding, (str, NoneType), "the name of an encoding")
        check_type("max_bytes", max_bytes, int, "a whole number")
        check_type("ruby", ruby, bool, "True or False")
        if isinstance(html, bytes) and html.startswith(ZIP_START):
            from bonmun.snapshots import is_snapshot, read_snapshot  # loads numpy

            if is_snapshot(html):
                return cls.from_snapshot(read_snapshot(html), url, max_bytes=max_bytes, ruby=ruby)
        if len(html) > max_bytes:
            raise TooBig(f"The page is larger than {max_bytes:,} bytes; increase max_bytes to read it.")
        html, name, url, saved = decode_page(html, encoding, url)
        check_text(html)
        page = cls._read(close_empty_elements(html), url, name, ruby=ruby)
        if page.noscripts and page._has_long_noscript() and (closed := drop_unclosed_noscripts(html)) != html:
            other = cls._read(close_empty_elements(closed), url, name, ruby=ruby)
            page = other if len(other.texts) > len(page.texts) else page
        # pages that do not say that they are XHTML
        if len(page.texts) < MIN_LEAVES and SELF_CLOSED_RAW.search(html):
            other = cls._read(SELF_CLOSED_RAW.sub(r"<\1\2></\1>", html), url, name, ruby=ruby)
            page = other if other._has_far_more_text_than(page) else page
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
        """Make a page from a snapshot: its elements have boxes, and elements that the browser hides are hidden."""
        from bonmun.snapshots import ROW_ATTRIBUTE

        if len(snapshot.html) > max_bytes:
            raise TooBig(f"The page is larger than {max_bytes:,} characters; increase max_bytes to read it.")
        check_text(snapshot.html)
        page = cls._read(snapshot.html, url or snapshot.url, None, ruby=ruby)
        page.boxes = boxes = make_boxes(snapshot, page.attrs(range(len(page.tags)), ROW_ATTRIBUTE), page.parents)
        for row in boxes.hidden.nonzero()[0].tolist():
            page.bits[row] |= HIDDEN
        page.cut |= snapshot.cut
        page.note = snapshot.note
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
        # shadow roots stay templates, so that XPaths also work in parsers that do not support shadow trees
        tree = turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)
        place_streamed(tree, html)
        max_elements = find_max_elements(len(html))
        formulas, code = find_formulas(tree, html), find_code(tree, html)
        page = cls(tree, len(html), url, encoding)
        is_complete = walk(tree, page, max_elements, formulas, code, ruby=ruby)
        # all three cases are rare: such pages are walked again, so that other pages need not be checked
        shadows = any(page.attrs(page.templates, "shadowrootmode"))
        if shadows or not is_complete:
            page = cls(tree, len(html), url, encoding)
            walk(tree, page, max_elements, formulas, code, ruby=ruby, shadows=shadows, careful=True)
        if page.noscripts and page._may_be_shell():  # its text may be for browsers without scripts
            other = cls(tree, len(html), url, encoding)
            walk(tree, other, max_elements, formulas, code, noscript=True, ruby=ruby, shadows=shadows, careful=True)
            page = other if other._has_far_more_text_than(page) else page
        show_panels(page, tree)
        hide_readings(page)
        separate_labels(page)
        join_torn_links(page)
        return page

    def without(self, blocks: Iterable[int]) -> Page:
        """Return the same page with these blocks hidden. Every row keeps its index.

        The two pages share all cached values, since only `visibility` depends on what is hidden.
        """
        page = copy(self)
        page.visibility = self.visibility.without(
            leaf for row in blocks for leaf in range(self.starts[row], self.stops[row])
        )
        return page

    def _has_far_more_text_than(self, other: Page) -> bool:
        """Return whether this page has far more text than the other."""
        return self._count_unlinked_chars() > MIN_TEXT_RATIO * other._count_unlinked_chars()

    def _count_unlinked_chars(self) -> int:
        """Return the number of characters outside links."""
        return sum(len(text) for text, linked in zip(self.texts, self.linked_leaves, strict=True) if not linked)

    def _may_be_shell(self) -> bool:
        """Return whether the page has few leaves, or far less text than its <noscript> elements."""
        if len(self.texts) < MIN_LEAVES:
            return True
        noscript_chars = sum(len(self._nodes[row].text) for row in self.noscripts)
        return noscript_chars > MIN_NOSCRIPT_CHARS and noscript_chars > MIN_TEXT_RATIO * self._count_unlinked_chars()

    def _has_long_noscript(self) -> bool:
        """Return whether the last <noscript> has so much text that it may be the rest of the page."""
        return len(self._nodes[self.noscripts[-1]].text) > MIN_NOSCRIPT_CHARS

    def __repr__(self) -> str:
        return f"<Page {self.url or 'without URL'}: {len(self.tags)} elements, {len(self.texts)} leaves>"

    # --- markup -------------------------------------------------------------------------------------------------

    def list_attributes(self, element: int) -> set[str]:
        """Return the names of the attributes of an element."""
        return set(self._nodes[element].attrs)

    @property
    def markup(self) -> Sequence[SelectedElement]:
        """All elements as the parser represents them, by row."""
        return self._nodes

    def find_inner_attr(self, element: int, tag: str, name: str) -> str | None:
        """Return an attribute of the first `tag` inside an element, also if its content is not walked: `<noscript>`."""
        node = self._nodes[element].find(tag)
        return node.attr(name) if node is not None else None

    def select(self, selector: str) -> Sequence[SelectedElement]:
        """Return the elements that match a CSS selector, anywhere on the page including the head and scripts."""
        return self._tree.select(selector)

    def select_first(self, selector: str) -> SelectedElement | None:
        """Return the first element that matches a CSS selector, or None."""
        return self._tree.select_one(selector)

    def select_rows(self, selector: str) -> list[int]:
        """Return the rows of the elements that match a CSS selector; elements of the head have none."""
        found = self._tree.select(selector)
        if not found:
            return []
        rows = self._rows_by_node
        return [rows[node] for node in found if node in rows]

    @cached_property
    def _rows_by_node(self) -> dict[Element, int]:
        return {node: row for row, node in enumerate(self._nodes)}

    @property
    def classes(self) -> list[str | None]:
        """The class attribute of each element; None if it has none."""
        return self.classes_and_ids[0]

    @property
    def ids(self) -> list[str | None]:
        """The id of each element; None if it has none."""
        return self.classes_and_ids[1]

    @cached_property
    def class_values(self) -> frozenset[str]:
        """The different class attributes of the page; far fewer than its elements."""
        return frozenset(filter(None, self.classes))

    @cached_property
    def class_lines(self) -> str:
        """The different class attributes of the page, one on each line."""
        return "\n".join(self.class_values)

    @cached_property
    def class_names(self) -> frozenset[str]:
        """All class names of the page. This takes longer than a search for one of them."""
        return frozenset(" ".join({node.attr("class") or "" for node in self._tree.select("[class]")}).split())

    @cached_property
    def id_names(self) -> frozenset[str]:
        """All ids of the page."""
        return frozenset(node.attr("id") or "" for node in self._tree.select("[id]"))

    def has_tag(self, tag: str) -> bool:
        """Return whether the page contains an element with this tag, including the head."""
        return self._tree.find(tag) is not None

    @cached_property
    def head_title(self) -> str:
        """Content of `<title>`, with its whitespace unchanged; empty if there is none."""
        node = self._tree.find("title")
        return node.text if node is not None else ""

    @cached_property
    def base_url(self) -> str:
        """Base URL for relative links: `<base>`, else the URL of the page, else the one it declares, else ""."""
        url = self.url or ""
        if not WEB_URL.match(url):  # none, or that of a file
            url = self.declared_url or url
        if self._tree.find("base") is None:  # most pages
            return url
        try:
            return self._tree.base_url(url)
        except ValueError:
            return url

    @cached_property
    def declared_url(self) -> str | None:
        """URL that the page declares as its own, as canonical or `og:url`; None if it is not an absolute web URL."""
        for selector, name in DECLARED_URLS:
            for node in self.select(selector)[:1]:
                url = read_url(node.attr(name))
                if url and WEB_URL.match(url):
                    return url
        return None

    @property
    def likely_url(self) -> str | None:
        """The URL that was given, else the one that the page declares."""
        return self.url or self.declared_url

    # --- leaves -------------------------------------------------------------------------------------------------

    @property
    def leaves(self) -> Rows[Leaf]:
        """Leaves of the page, in document order."""
        return Rows(lambda i: Leaf(self, i), len(self.texts))

    # --- blocks -------------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> Rows[Block]:
        """Blocks of the page, in document order."""
        return Rows(lambda i: Block(self, i), len(self.starts))
