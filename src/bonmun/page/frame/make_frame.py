"""Write a page as safe HTML that can be shown in a frame.

The HTML is written from the tree, with allowed markup only. The text of each leaf is in `<bm-t data-leaf="N">`, so that
the inspector can colour it; other text is written as it is. Every `<` in the result is written here, followed by a name
from the lists in rules.py, so a browser cannot parse it as anything else. The result grows no faster than the page.
"""

from __future__ import annotations

import re
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from turbohtml import Element, Namespace, Text

from bonmun.bounds import find_max_elements
from bonmun.page.direction import find_direction
from bonmun.page.frame.rules import DROPPED, SHAPES, TAGS, VOID, clean_attribute, list_attributes, read_image_source
from bonmun.page.frame.styles import clean_css
from bonmun.page.parse.element_bits import EMPTY
from bonmun.page.parse.shadows import Shadows, is_shadow
from bonmun.text.readable import drop_unreadable, make_readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Node

    from bonmun.page.page import Page

__all__ = ["LEAF_TAG", "write_frame"]

LEAF_TAG = "bm-t"
BASE_ATTRIBUTE_CHARS = 10_000  # characters of attributes that any page may have, in addition to its own size
POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'{more}; img-src data:{more}; "
    "font-src data:{more}"
)
# Default styles, for pages whose style sheets are missing; styles of the stand-ins; and no generated quotation marks,
# since those are leaves.
SHEET = (
    ":where(html){font:16px/1.5 system-ui,-apple-system,'Segoe UI','Noto Sans','Noto Sans KR',sans-serif}"
    ":where(body){margin:12px 16px}"
    "bm-block{display:block}bm-button,bm-input,bm-select{display:inline-block;border:1px solid #8886;padding:0 .4em}"
    "bm-select{width:auto!important;height:auto!important}bm-select bm-block{display:inline;padding:0 .3em}"
    "bm-input{min-width:6em;min-height:1.2em}"
    "q::before,q::after{content:none!important}img{max-width:100%}bm-image{display:inline-block;overflow:hidden;"
    "max-width:100%;outline:1px dashed #8888;outline-offset:-1px;font-size:.8em;opacity:.75;vertical-align:middle}"
)
MAX_VALUE_CHARS = 100  # characters shown of the value of a field
PIXELS = re.compile("[1-9][0-9]{0,3}")  # width or height of an image, in pixels
LAZY_ATTRIBUTES = ("data-src", "data-original", "data-lazy-src")  # attributes with the URL of a lazily loaded image


def write_frame(page: Page, *, network: bool = False) -> str:
    """Return the page as HTML that runs nothing, and loads images and style sheets only with `network`."""
    writer = _Writer(page, network=network)
    writer.write_head()
    writer.write_body()
    return "".join(writer.pieces).encode("utf-8", "replace").decode()  # values may contain lone surrogates


class _Writer:
    """Writes one page: the pieces so far, and the leaves of each text node."""

    def __init__(self, page: Page, *, network: bool) -> None:
        self.page, self.network = page, network
        self.pieces: list[str] = []
        self.rows: dict[Node, int] = {node: row for row, node in enumerate(page._nodes)}
        self.leaves = _find_leaves(page)
        self.own_leaves, self.marks = _find_other_leaves(page)
        has_shadows = any(tag == "template" and not page.bits[row] & EMPTY for row, tag in enumerate(page.tags))
        self.shadows = Shadows() if has_shadows else None
        self.chars_left = BASE_ATTRIBUTE_CHARS + page.size  # characters of attributes that may still be written

    def write_head(self) -> None:
        """Write everything before the body: the security policy and the styles."""
        more = " http: https:" if self.network else ""
        self.pieces.append("<!DOCTYPE html>\n<html")
        root = self.page._tree.find("html")
        if root is not None:
            self._write_attributes(root, "html")
        if (root is None or not root.attr("dir")) and find_direction(self.page) == "rtl":
            self.pieces.append(' dir="rtl"')
        self.pieces.append(
            f'><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
            f'content="{escape(POLICY.format(more=more))}"><style>{SHEET}</style>'
        )
        if self.network:
            for node in self.page._tree.select("link[rel~=stylesheet i]"):
                url = read_image_source(node.attr("href"), self.page.base_url, network=True)
                if url and not url.startswith("data:"):
                    self.pieces.append(f'<link rel="stylesheet" class="bm-page" href="{escape(url)}">')
        for node in self.page._tree.find_all("style"):
            if node.namespace is Namespace.HTML:
                media = escape((node.attr("media") or "all")[:MAX_VALUE_CHARS])
                css = clean_css(node.text, network=self.network)
                self.pieces.append(f'<style class="bm-page" media="{media}">{css}</style>')
        self.pieces.append("</head>")

    def write_body(self) -> None:
        """Write the body, without recursion; stop at the maximum number of elements."""
        tree, pieces = self.page._tree, self.pieces
        root, body = tree.find("html"), tree.find("body")
        pieces.append("<body")
        if body is not None:
            self._write_attributes(body, "body")
        pieces.append(">")
        if body is not None:
            self._open_marks(body)
        beside = (node for node in tree if node is not root)  # nested too deep
        after = (node for node in (root or ()) if node is not body)
        stack: list[tuple[Iterator[Node], str]] = []
        siblings, closing = self._list_children(body) if body is not None else iter(()), ""
        siblings = chain(siblings, after, beside)
        rest = find_max_elements(self.page.size)
        while True:
            for node in siblings:
                if type(node) is Text:
                    self._write_text(node)
                elif type(node) is Element:
                    rest -= 1
                    if rest < 0:
                        stack.clear()
                        siblings = iter(())
                        break
                    ending = self._open(node)
                    if ending is not None:
                        stack.append((siblings, closing))
                        siblings, closing = self._list_children(node), ending
                        break
            else:
                pieces.append(closing)
                if not stack:
                    break
                siblings, closing = stack.pop()
        pieces.append("</body></html>\n")

    def _open(self, node: Element) -> str | None:
        """Write the start tag of an element; return its end tag, or None if its content is not written."""
        pieces, row = self.pieces, self.rows.get(node)
        if row is not None and row in self.own_leaves:  # a formula or an emoji: its text is not in a text node
            self._write_leaf(self.own_leaves[row], self.page.texts[self.own_leaves[row]])
            return None
        tag = node.tag
        if node.namespace is not Namespace.HTML:
            if node.namespace is not Namespace.SVG or tag not in SHAPES:
                return None
            written = tag
        elif tag in ("html", "body"):
            written = "bm-block"
        elif tag in DROPPED:
            is_read = row is not None and not self.page.bits[row] & EMPTY  # a <noscript>, or a shadow root
            if tag not in ("noscript", "template") or not is_read:
                return None
            written = "span"
        else:
            written = TAGS.get(tag, "span")
        source = self._find_image(node) if written == "img" else None
        if written == "img" and source is None:
            self._write_missing_image(node)
            return None
        pieces.append(f"<{written}")
        self._write_attributes(node, written)
        if source:
            pieces.append(f' src="{escape(source)}"')
        pieces.append(">\n" if written == "pre" else ">")  # the parser ignores a line break after <pre>
        if tag == "input":
            self._write_field(node)
        if written in VOID:
            return None
        return f"{self._open_marks(node)}</{written}>"

    def _open_marks(self, node: Element) -> str:
        """Write the mark that a browser shows before the content of an element; return the one after it."""
        marks = self.marks.get(self.rows.get(node, -1), ())
        texts = [f'<{LEAF_TAG} data-leaf="{leaf}">{escape(self.page.texts[leaf])}</{LEAF_TAG}>' for leaf in marks]
        self.pieces += texts[:1]
        return "".join(texts[1:2])

    def _list_children(self, node: Element) -> Iterator[Node]:
        """Return the nodes shown in an element: its children, or its shadow root."""
        return self.shadows.enter(node, 0)[0] if self.shadows else iter(node)

    def _write_attributes(self, node: Element, tag: str) -> None:
        """Write the allowed attributes, up to the limit for the page, since an element may have many copies.

        Every attribute read counts, not only those written: copies of a long style would take long otherwise.
        """
        if not node.attrs or self.chars_left < 0:
            return
        self.chars_left -= len(node.attrs)
        for name, given in list_attributes(node, tag):
            self.chars_left -= len(name) + len(given)
            if self.chars_left < 0:
                return
            value = clean_attribute(name, given, tag, network=self.network)
            if value is not None:
                self.pieces.append(f' {name}="{escape(value)}"')

    def _find_image(self, node: Element) -> str | None:
        """Return the URL of an image, if it may be loaded and fits into the limit, else None."""
        names = ("src", *LAZY_ATTRIBUTES) if self.network else ("src",)
        sources = (read_image_source(node.attr(name), self.page.base_url, network=self.network) for name in names)
        source = next(filter(None, sources), None)
        if source is None or len(source) > self.chars_left:
            return None
        self.chars_left -= len(source)
        return source

    def _write_missing_image(self, node: Element) -> None:
        """Write an empty box of the size of the image, with its alternative text."""
        sides = {name: (node.attr(name) or "").strip() for name in ("width", "height")}
        css = "".join(f"{name}:{side}px;" for name, side in sides.items() if PIXELS.fullmatch(side))
        style = f' style="{css}"' if css else ""
        alt = escape(drop_unreadable((node.attr("alt") or "")[:MAX_VALUE_CHARS]), quote=False)
        self.pieces.append(f"<bm-image{style}>{alt}</bm-image>")

    def _write_field(self, node: Element) -> None:
        """Write the visible value of a form field."""
        if (node.attr("type") or "").lower() not in ("hidden", "password"):
            self.pieces.append(escape((node.attr("value") or node.attr("placeholder") or "")[:MAX_VALUE_CHARS]))

    def _write_text(self, node: Text) -> None:
        """Write a text node: its leaves, or its text if it has none."""
        data = drop_unreadable(node.data)
        leaves = self.leaves.get(node)
        if leaves is None:
            self.pieces.append(escape(data, quote=False))
        elif len(leaves) == 1:
            text = data.strip()
            start = data.find(text)
            self.pieces.append(data[:start])
            self._write_leaf(leaves[0], text)
            self.pieces.append(data[start + len(text) :])
        else:
            for leaf in leaves:
                self.pieces.append(self.page.joints[leaf] or " ")
                self._write_leaf(leaf, self.page.texts[leaf])

    def _write_leaf(self, leaf: int, text: str) -> None:
        self.pieces.append(f'<{LEAF_TAG} data-leaf="{leaf}">{escape(text, quote=False)}</{LEAF_TAG}>')


def _find_leaves(page: Page) -> dict[Node, list[int]]:
    """Return the leaves of each text node. Most have one; one that contains formulas has several.

    A leaf whose text differs from that of its text node, which is possible with slots, is left out.
    """
    found: dict[Node, list[int]] = {}
    texts: dict[int, list[Node]] = {}  # by element
    last: Node | None = None
    beside = (node for node in page._tree if isinstance(node, Text) and make_readable(node.data))
    for leaf, (element, number) in enumerate(zip(page.leaf_elements, page.places.text_numbers, strict=True)):
        if leaf in page.further:
            if last is not None:
                found[last].append(leaf)
            continue
        last = None
        if number == 0:
            if element or leaf in page.marks or leaf in page.formulas:
                continue
            node: Node | None = next(beside, None)
        else:
            if element not in texts:
                texts[element] = [node for node in _list_content(page._nodes[element]) if isinstance(node, Text)]
            node = texts[element][number - 1]
        says_more = leaf in page.formulas or leaf + 1 in page.further
        if isinstance(node, Text) and (says_more or make_readable(node.data) == page.texts[leaf]):
            found[node] = [leaf]
            last = node
    return found


def _list_content(element: Element) -> Iterable[Node]:
    """Return the children of an element; for a template, those of its fragment."""
    return element.children[0] if is_shadow(element) and element.children else element


def _find_other_leaves(page: Page) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Return leaves without a text node, by element: those that replace the element, and the marks around it."""
    own: dict[int, int] = {}
    marks: dict[int, list[int]] = {}
    for leaf, element in enumerate(page.leaf_elements):
        if leaf in page.marks:
            marks.setdefault(element, []).append(leaf)
        elif page.bits[element] & EMPTY and page.places.text_numbers[leaf] == 0:
            own.setdefault(element, leaf)
    return own, marks
