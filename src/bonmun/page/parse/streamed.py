"""Put the parts of a page that is sent in pieces where its script puts them.

React sends what is not ready yet as `<template id="B:1">`, a stand-in such as "Loading" and a comment, or as
`<template id="P:1">` alone. The part follows at the end of the page as `<div hidden id="S:1">`; a script replaces the
stand-in by its content. The numbers of a part and its place were equal on all 30 pages that were looked at.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from turbohtml import Comment

if TYPE_CHECKING:
    from turbohtml import Document as Tree
    from turbohtml import Element, Node

__all__ = ["place_streamed"]

PART, STAND_IN, HOLE = "S:", "B:", "P:"  # starts of ids
PART_SELECTOR = f'div[hidden][id^="{PART}"]'
PLACE_SELECTOR = f'template[id^="{STAND_IN}"],template[id^="{HOLE}"]'
BEGIN, END = "$", "/$"  # of the comments around what is replaced; others can be inside
MAX_PARTS = 500
MAX_STAND_IN_NODES = 200  # siblings up to the end of a stand-in
MAX_LEVELS = 500  # elements around a place


def place_streamed(tree: Tree, html: str) -> None:
    """Move the parts of a page that was just parsed to their places; parts without one stay hidden."""
    # the parser indexes tags; the search takes longest
    if tree.find("template") is None or tree.select_one(PLACE_SELECTOR) is None or f'id="{PART}' not in html:
        return
    parts = tree.select(PART_SELECTOR)[:MAX_PARTS]
    places = {place.attr("id"): place for place in tree.select(PLACE_SELECTOR)} if parts else {}
    for part in parts:
        number = (part.attr("id") or "").removeprefix(PART)
        place = places.pop(HOLE + number, None) or places.pop(STAND_IN + number, None)
        if place is not None and _may_hold(place, part):
            _replace(place, part)


def _may_hold(place: Element, part: Element) -> bool:
    """Whether a place is still on the page, not in the part itself, and not too deep: parts can hold places."""
    above = list(islice(place.ancestors, MAX_LEVELS))
    return 0 < len(above) < MAX_LEVELS and part not in above


def _replace(place: Element, part: Element) -> None:
    """Replace a place and its stand-in by the content of a part."""
    stand_in = _find_stand_in(place) if (place.attr("id") or "").startswith(STAND_IN) else []
    place.replace_with(part)
    part.unwrap()
    for node in stand_in:
        if node.parent is not None:
            node.extract()


def _find_stand_in(place: Element) -> list[Node]:
    """Return the siblings from a place to the comment that ends its stand-in; none if there is no such comment."""
    found: list[Node] = []
    depth = 0
    for node in islice(place.next_siblings, MAX_STAND_IN_NODES):
        if isinstance(node, Comment):
            if node.data == END:
                if depth == 0:
                    return found
                depth -= 1
            elif node.data.startswith(BEGIN):
                depth += 1
        found.append(node)
    return []
