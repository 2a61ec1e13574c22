"""Notes without links: raised numbers in a text, and paragraphs or items further down that start with these numbers."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_loose_notes"]

NUMBER = re.compile(r"[\[(（]?([0-9]{1,3})[\])）]?[.:]?")
NUMBER_CHARS = 7
MARKING = frozenset({"sup", "strong", "b", "a"})  # what sets the number of a note apart
LEVELS = 4  # elements around a number, at most, that are looked at
LIST_NAMED = re.compile("foot-?note|end-?note|footdef", re.I)
NAME_CHARS = 200  # of a class that are read
NOTE_CHARS = 4  # at least, beside the number


def find_loose_notes(page: Page, leaves: Sequence[int]) -> tuple[dict[int, int], dict[int, str]]:
    """The leaves that refer to a note, each with the element that holds it; and the labels of those elements."""
    if "sup" not in page.tag_names:
        return {}, {}
    raised, notes = _find_numbers(page, leaves)
    if raised:
        notes |= _find_items(page)
    references: dict[int, int] = {}
    for leaf, label in raised.items():
        holder = notes.get(label, -1)
        if holder > page.leaf_elements[leaf]:
            references[leaf] = holder
    return references, {holder: raised[leaf] for leaf, holder in references.items()}


def _find_numbers(page: Page, leaves: Sequence[int]) -> tuple[dict[int, str], dict[str, int]]:
    """The numbers that are raised after some text, by leaf; and the elements of blocks that start with a number."""
    raised: dict[int, str] = {}
    notes: dict[str, int] = {}
    blocks = dict(zip(page.starts, range(len(page.starts)), strict=True))
    for leaf in leaves:
        text = page.texts[leaf]
        if len(text) > NUMBER_CHARS or not (found := NUMBER.fullmatch(text)):
            continue
        tags = {page.tags[row] for row in islice(climb(page.parents, page.leaf_elements[leaf]), LEVELS)}
        if leaf not in blocks:
            if "sup" in tags:
                raised[leaf] = found[1]
        elif tags & MARKING:
            block = blocks[leaf]
            if len(page.block_texts[block]) >= len(text) + NOTE_CHARS:
                notes.setdefault(found[1], page.owners[block])
    return raised, notes


def _find_items(page: Page) -> dict[str, int]:
    """The items of numbered lists that stand in what is called notes, by number; and of those beside the text."""
    found: dict[str, int] = {}
    counts: dict[int, int] = {}
    for row in page.holders:
        if page.tags[row] != "li" or page.tags[page.parents[row]] != "ol":
            continue
        parent = page.parents[row]
        if parent not in counts:
            around = list(islice(climb(page.parents, parent), LEVELS))
            named = any(LIST_NAMED.search((page.attr(each, "class") or "")[:NAME_CHARS]) for each in around)
            start = page.attr(parent, "start") or "1"
            is_list = named or page.tags[page.parents[parent]] == "aside"
            counts[parent] = int(start) - 1 if is_list and start.isdecimal() and len(start) < 5 else -(10**9)
        counts[parent] += 1
        if counts[parent] > 0:
            found.setdefault(str(counts[parent]), row)
    return found
