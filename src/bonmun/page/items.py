"""Find the titles of items in a listing: links before a kept snippet that lead to the same page, and second copies."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.page.page import Page

__all__ = ["find_address", "find_double_titles", "find_item_titles"]

MIN_CHARS, MAX_CHARS = 8, 200  # of a title
MIN_SNIPPET_CHARS, MIN_SNIPPET_RATIO = 60, 2  # of a snippet, compared with its title: else it may itself be the title
LINK_LEVELS = 8  # elements around a text that may be its link
MAX_LEAVES = 6  # of a block that are searched for a link
DOUBLE_BLOCKS = 2  # between a title and its copy, at most
MIN_DOUBLE_CHARS = 4  # letters and digits of a title that is written twice
CUT = ("…", "...")  # at the end of a shortened title


def find_item_titles(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of dropped blocks that are titles of the kept blocks after them."""
    texts = page.block_texts
    counts = Counter(texts)
    found = []
    for row in range(len(kept) - 1):
        chars = len(texts[row])
        if kept[row] or not kept[row + 1] or not MIN_CHARS <= chars <= MAX_CHARS or counts[texts[row]] > 1:
            continue
        if len(texts[row + 1]) < max(MIN_SNIPPET_CHARS, MIN_SNIPPET_RATIO * chars):
            continue
        address = find_address(page, row)
        if address and not address.startswith(("#", "javascript:")) and address == find_address(page, row + 1):
            found.append(row)
    return found


def find_double_titles(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept links that repeat the title beside them: those of images, or for screen readers.

    Both must lead to the same page. Of two titles that are no headings, the first is the copy.
    """
    texts, linked = page.block_texts, page.linked_leaves
    rows = [row for row, is_kept in enumerate(kept) if is_kept and len(texts[row]) <= MAX_CHARS]
    rows = [row for row in rows if all(linked[page.starts[row] : page.stops[row]])]
    firsts = [next(filter(str.isalnum, texts[row].casefold()), "") for row in rows]
    found: set[int] = set()
    for at, row in enumerate(rows):
        for after in range(at + 1, min(len(rows), at + 1 + DOUBLE_BLOCKS)):
            other = rows[after]
            if firsts[at] != firsts[after] or other - row > DOUBLE_BLOCKS:  # most
                continue
            copy = _choose_copy(page, {each: _fold(texts[each]) for each in (row, other)}, row, other)
            if copy is not None and (address := find_address(page, row)) and address == find_address(page, other):
                found.add(copy)
    return sorted(found)


def _choose_copy(page: Page, names: Mapping[int, str], row: int, other: int) -> int | None:
    """Return which of two links repeats the other, or None if their texts differ."""
    if len(names[row]) < MIN_DOUBLE_CHARS or len(names[other]) < MIN_DOUBLE_CHARS:
        return None
    if not (names[row].startswith(names[other]) or names[other].startswith(names[row])):  # most
        return None
    is_heading, is_other_heading = (page.find_kind(each) == "heading" for each in (row, other))
    if is_heading != is_other_heading:
        copy, title = (other, row) if is_heading else (row, other)
        is_cut = page.block_texts[copy].endswith(CUT) and names[title].startswith(names[copy])
        return copy if is_cut or names[title] == names[copy] else None  # else a place or a name in the title
    return row if names[row] == names[other] else None


def _fold(text: str) -> str:
    """Return the letters and digits of a text, without case."""
    return "".join(filter(str.isalnum, text.casefold()))


def find_address(page: Page, row: int) -> str | None:
    """Return the address of the first link in or around a block, or None."""
    start = page.starts[row]
    for leaf in range(start, min(page.stops[row], start + MAX_LEAVES)):
        if page.linked_leaves[leaf]:
            for element in list_around(page.parents, page.leaf_elements[leaf], LINK_LEVELS):
                if page.tags[element] == "a":
                    return page.attr(element, "href")
    return None
