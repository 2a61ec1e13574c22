"""Find notes without links: superscript numbers in the text, and later paragraphs or list items with these numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_loose_notes"]

NUMBER = re.compile(r"[\[(（]?([0-9]{1,3})[\])）]?[.:]?")
MAX_NUMBER_CHARS = 7
MARKING_TAGS = frozenset({"sup", "strong", "b", "a"})  # elements that mark the number of a note
MAX_LEVELS = 4  # ancestors of a number that are inspected
NOTE_LIST_NAME = re.compile("foot-?note|end-?note|footdef", re.I)
MAX_CLASS_CHARS = 200  # characters read of a class attribute
MIN_NOTE_CHARS = 4  # length of a note besides its number


def find_loose_notes(page: Page, leaves: Sequence[int]) -> tuple[dict[int, int], dict[int, str]]:
    """Return the leaves that refer to a note, each with the element of the note, and the labels of these elements."""
    if "sup" not in page.tag_names:
        return {}, {}
    superscripts, notes = _find_numbers(page, leaves)
    if superscripts:
        notes |= _find_items(page)
    references: dict[int, int] = {}
    for leaf, label in superscripts.items():
        holder = notes.get(label, -1)
        if holder > page.leaf_elements[leaf]:
            references[leaf] = holder
    return references, {holder: superscripts[leaf] for leaf, holder in references.items()}


def _find_numbers(page: Page, leaves: Sequence[int]) -> tuple[dict[int, str], dict[str, int]]:
    """Return the superscript numbers after some text, by leaf, and the elements of blocks that start with a number."""
    superscripts: dict[int, str] = {}
    notes: dict[str, int] = {}
    blocks = dict(zip(page.starts, range(len(page.starts)), strict=True))
    for leaf in leaves:
        text = page.texts[leaf]
        if len(text) > MAX_NUMBER_CHARS or not (found := NUMBER.fullmatch(text)):
            continue
        tags = {page.tags[row] for row in list_around(page.parents, page.leaf_elements[leaf], MAX_LEVELS)}
        if leaf not in blocks:
            if "sup" in tags:
                superscripts[leaf] = found[1]
        elif tags & MARKING_TAGS:
            block = blocks[leaf]
            if len(page.block_texts[block]) >= len(text) + MIN_NOTE_CHARS:
                notes.setdefault(found[1], page.owners[block])
    return superscripts, notes


def _find_items(page: Page) -> dict[str, int]:
    """Return the items of numbered lists in an `<aside>` or in an element whose class names notes, by number."""
    found: dict[str, int] = {}
    counts: dict[int, int] = {}
    for row in page.holders:
        if page.tags[row] != "li" or page.tags[page.parents[row]] != "ol":
            continue
        parent = page.parents[row]
        if parent not in counts:
            around = list_around(page.parents, parent, MAX_LEVELS)
            named = any(NOTE_LIST_NAME.search((page.attr(each, "class") or "")[:MAX_CLASS_CHARS]) for each in around)
            start = page.attr(parent, "start") or "1"
            is_list = named or page.tags[page.parents[parent]] == "aside"
            counts[parent] = int(start) - 1 if is_list and start.isdecimal() and len(start) < 5 else -(10**9)
        counts[parent] += 1
        if counts[parent] > 0:
            found.setdefault(str(counts[parent]), row)
    return found
