"""Find links in headings that are no text: to the heading itself (`#`), or to edit its section.

A link with a pilcrow is left out wherever it is (see parse/walk.py).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Element

if TYPE_CHECKING:
    from turbohtml import Document as Tree

__all__ = ["find_heading_controls"]

HEADINGS = [f"h{level}" for level in range(1, 7)]
HEADING_LINKS = ",".join(f"{tag} a[href]" for tag in HEADINGS)
MAX_LINKS = 1_000  # of a page that are inspected
MAX_HREF_CHARS = 2_000
MAX_TEXTS = 5  # in a link or its box
SIGNS = frozenset({"#", "§", "🔗", "⚓", "∞", "☍", "🔗\ufe0e", "🔗\ufe0f"})  # of links to the heading
EDIT_STEP = re.compile(r"[?&/]edit\b")  # in an address that also names a section
MAX_EDIT_CHARS = 30  # of the box of a link to edit a section, such as "[edit | edit source]"
BOXES = frozenset({"span", "small"})


def find_heading_controls(tree: Tree, html: str) -> list[Element]:
    """Return the links in headings that are controls, or the boxes that contain nothing else."""
    found: list[Element] = []
    has_signs = has_edits = None  # whether the source contains what most controls have: not known before it is needed
    boxes: dict[Element, bool] = {}  # parents of links that were inspected
    for link in _list_links(tree):
        href = (link.attr("href") or "")[:MAX_HREF_CHARS]
        if "#" in href and _is_sign(link):
            if has_signs is None:
                has_signs = any(f">{sign}<" in html for sign in SIGNS)
            if has_signs:
                found.append(link)
                continue
        if _is_edit(href):
            if has_edits is None:
                has_edits = "edit" in html and "section=" in html
            if has_edits:
                box = link.parent
                if isinstance(box, Element) and box not in boxes:
                    boxes[box] = _has_only_edits(box)
                found.append(box if isinstance(box, Element) and boxes[box] else link)
    return found


def _list_links(tree: Tree) -> list[Element]:
    """Return the links in headings, or the first of many."""
    # the parser indexes tags, so this is faster than a selector, which also puts the links in order
    links = [link for tag in HEADINGS for heading in tree.find_all(tag) for link in heading.find_all("a")]
    return links if len(links) <= MAX_LINKS else tree.select(HEADING_LINKS)[:MAX_LINKS]


def _is_sign(link: Element) -> bool:
    """Return whether the text of a link is one of the signs of links to a heading."""
    texts = [*islice(link.stripped_strings, 2)]
    return len(texts) == 1 and texts[0] in SIGNS


def _has_only_edits(box: Element) -> bool:
    """Return whether an element contains nothing but links to edit a section, and brackets."""
    if box.tag not in BOXES or len(box.children) > MAX_TEXTS * 2:
        return False
    links = [child for child in box.children if isinstance(child, Element) and child.tag == "a"]
    texts = [*islice(box.stripped_strings, MAX_TEXTS + 1)]
    is_short = len(texts) <= MAX_TEXTS and sum(map(len, texts)) <= MAX_EDIT_CHARS
    return is_short and all(_is_edit((each.attr("href") or "")[:MAX_HREF_CHARS]) for each in links)


def _is_edit(href: str) -> bool:
    """Return whether an address is that of a form to edit a page or a section."""
    href = href.lower()
    return "action=edit" in href or ("section=" in href and EDIT_STEP.search(href) is not None)
