"""Find dropped headings and lists that belong together.

A heading belongs to the text if it is directly above kept text, or above an image or a video. A list belongs to the
kept heading above it if the text goes on after it: a heading must not be left with nothing below it.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import climb
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_heading_lists", "find_headings"]

HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
OUTSIDE = frozenset({"nav", "aside", "footer", "form"})
MEDIA = frozenset({"img", "picture", "iframe", "video", "embed", "object"})
MIN_SCORE = 0.1  # of a heading above kept text
MIN_CHARS = 4  # of a heading
MIN_TEXT_CHARS = 40  # of the text below it
LEVELS = 3  # elements around the text of a heading that may be the heading
TEXT_LEVELS = 6  # elements around the text below it
MAX_TITLE_SHARE = 0.5  # of its words that may be in the title: more, and it is the headline
LISTS = frozenset({"ul", "ol", "dl"})
MAX_LIST_BLOCKS = 100
LIST_LEVELS = 8  # elements around a block that may be its list
MAX_MEDIA_ELEMENTS = 30  # between a heading and the next block


def find_headings(page: Page, kept: Sequence[bool], scores: Sequence[float], empty: Sequence[bool]) -> list[int]:
    """Return the rows of dropped headings that belong to kept text; `empty` ones were dropped for lack of text."""
    texts, hidden = page.block_texts, page.hidden_blocks
    rows = [
        row
        for row in range(len(kept) - 1)
        if not kept[row]
        and ((kept[row + 1] and scores[row] >= MIN_SCORE) or empty[row])
        and not hidden[row]
        and len(texts[row]) >= MIN_CHARS
    ]
    counts = Counter(texts[row] for row in rows)
    found = []
    title: set[str] | None = None
    for row in rows:
        heading = _find_heading(page, row)
        if heading is None or not (_has_media(page, row, heading) if empty[row] else _has_text(page, row, heading)):
            continue
        if title is None:
            title = set(WORD.findall(page.head_title.lower()))
        words = WORD.findall(texts[row].lower())
        if sum(word in title for word in words) <= MAX_TITLE_SHARE * len(words) and counts[texts[row]] == 1:
            found.append(row)
    return found


def find_heading_lists(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of dropped lists between a kept heading and kept text, all in the same element."""
    found: list[int] = []
    parents = page.parents
    for row in range(1, len(kept) - 1):
        if kept[row] or not kept[row - 1]:
            continue
        heading = page.owners[row - 1]
        if page.tags[heading] not in HEADINGS:
            continue
        section = parents[heading]
        around = islice(climb(parents, page.owners[row]), LIST_LEVELS)
        list_ = next((each for each in around if page.tags[each] in LISTS and parents[each] == section), None)
        if list_ is None:
            continue
        stop = row
        while stop < len(kept) and not kept[stop] and stop - row <= MAX_LIST_BLOCKS and _is_in(page, stop, list_):
            stop += 1
        if stop < len(kept) and kept[stop] and not _is_in(page, stop, list_) and section in _list_around(page, stop):
            found.extend(range(row, stop))
    return found


def _is_in(page: Page, row: int, element: int) -> bool:
    """Whether a block is in an element."""
    return element in islice(climb(page.parents, page.owners[row]), LIST_LEVELS)


def _find_heading(page: Page, row: int) -> int | None:
    """Return the heading element of a block, or None if it has none, or one outside of the text."""
    element = page.owners[row]
    around = list(islice(climb(page.parents, element), LEVELS + TEXT_LEVELS))
    headings = [each for each in around[:LEVELS] if page.tags[each] in HEADINGS]
    if not headings or not OUTSIDE.isdisjoint(page.tags[each] for each in around):
        return None
    return headings[-1]


def _has_text(page: Page, row: int, heading: int) -> bool:
    """Whether the next block is a text in the section of the heading."""
    parent = page.parents[heading]
    around = _list_around(page, row + 1)
    is_inside = parent in around or page.parents[max(parent, 0)] in around
    return is_inside and len(page.block_texts[row + 1]) >= MIN_TEXT_CHARS


def _has_media(page: Page, row: int, heading: int) -> bool:
    """Whether there is an image or a video between the heading and the next block of its section."""
    between = page.tags[heading + 1 : min(page.owners[row + 1], heading + MAX_MEDIA_ELEMENTS)]
    return page.parents[heading] in _list_around(page, row + 1) and not MEDIA.isdisjoint(between)


def _list_around(page: Page, row: int) -> list[int]:
    """Return the elements around a block, the innermost first."""
    return list(islice(climb(page.parents, page.owners[row]), TEXT_LEVELS))
