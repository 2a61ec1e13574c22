"""Find dropped headings and lists that belong together.

A heading belongs to the text if it is directly above kept text, or above an image or a video. A list belongs to the
kept heading above it if the text goes on after it: a heading must not be left with nothing below it.
"""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = [
    "find_heading_lists",
    "find_headings",
    "find_headline",
    "find_headline_copy",
    "find_second_headline",
    "find_section_headings",
]

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
MAX_LINKED_SHARE = 0.5  # of the letters of a list below a colon: more, and it leads to other pages
COLONS = (":", "：")
ADDRESSES = ("http://", "https://", "www.")
CODE_BOXES = frozenset({"pre", "div", "figure", "table", "code"})
MAX_LIST_BLOCKS = 100
LIST_LEVELS = 8  # elements around a block that may be its list
MIN_SECTION_SCORE = 0.25  # of a heading above items of a listing …
MIN_ITEM_BLOCKS, ITEM_BLOCKS = 3, 8  # … of which so many of the next blocks are kept, …
MAX_SECTION_GAP = 2  # … and one of the first
MAX_SECTION_CHARS = 80  # of the heading
MIN_HEADLINE_CHARS, MAX_HEADLINE_CHARS = 8, 300
MAX_HEADLINE_BLOCKS = 40  # between the headline and the text
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


def find_headline_copy(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the first kept block if it repeats a dropped heading above it: the headline, which is no text."""
    first = kept.index(True) if sum(kept) > 1 else 0
    text = page.block_texts[first] if first else ""
    if not MIN_HEADLINE_CHARS <= len(text) <= MAX_HEADLINE_CHARS:
        return []
    above = (row for row in range(max(0, first - MAX_HEADLINE_BLOCKS), first) if page.block_texts[row] == text)
    if not any(page.find_kind(row) == "heading" for row in above):
        return []
    title, words = _list_words(page.head_title), _list_words(text)
    return [first] if sum(word in title for word in words) > MAX_TITLE_SHARE * len(words) else []


def find_headline(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the first kept block if it is the only kept <h1>, has no link, and is mostly words of the title."""
    if "h1" not in page.tag_names or kept.count(True) < 2:
        return []
    first = kept.index(True)
    if not _is_in_h1(page, first) or page.find_kind(first) != "heading" or page.linked_leaves[page.starts[first]]:
        return []
    others = compress(range(first + 1, len(kept)), kept[first + 1 :])
    title, words = _list_words(page.head_title), _list_words(page.block_texts[first])
    if sum(word in title for word in words) <= MAX_TITLE_SHARE * len(words):
        return []
    return [] if any(_is_in_h1(page, row) for row in others if page.find_kind(row) == "heading") else [first]


def find_second_headline(page: Page, dropped: Sequence[bool]) -> list[int]:
    """Return the rows of headings that were dropped as the headline though an <h1> above them is it.

    The <h1> has more words of the title than they have: else it is the name of the site.
    """
    rows = [row for row, is_dropped in enumerate(dropped) if is_dropped]
    if not rows or "h1" not in page.tag_names or page.tags[page.owners[rows[0]]] == "h1":
        return []
    title = set(_list_words(page.head_title))
    above = (row for row in range(max(0, rows[0] - MAX_HEADLINE_BLOCKS), rows[0]) if _is_in_h1(page, row))
    headline = next((words for row in above if len(words := _list_words(page.block_texts[row])) > 1), ())
    has_headline = headline and sum(word in title for word in headline) > MAX_TITLE_SHARE * len(headline)
    if not has_headline:
        return []
    shared = len(title.intersection(headline))
    said = {row: set(_list_words(page.block_texts[row])) for row in rows}
    return [row for row in rows if not said[row] <= set(headline) and len(title & said[row]) < shared]


def _is_in_h1(page: Page, row: int) -> bool:
    """Whether a block is in an <h1>."""
    return "h1" in [page.tags[each] for each in list_around(page.parents, page.owners[row], LEVELS)]


def _list_words(text: str) -> list[str]:
    """Return the words of a heading or a title, without case."""
    return WORD.findall(text[:MAX_HEADLINE_CHARS].lower())


def find_section_headings(page: Page, kept: Sequence[bool], scores: Sequence[float]) -> list[int]:
    """Return the rows of dropped headings of a listing directly above kept items, which have headings or links."""
    texts, hidden = page.block_texts, page.hidden_blocks
    found = []
    for row in range(len(kept) - MIN_ITEM_BLOCKS):
        if kept[row] or hidden[row] or scores[row] < MIN_SECTION_SCORE or len(texts[row]) > MAX_SECTION_CHARS:
            continue
        after = [other for other in range(row + 1, min(row + 1 + ITEM_BLOCKS, len(kept))) if kept[other]]
        if len(after) < MIN_ITEM_BLOCKS or after[0] - row > MAX_SECTION_GAP:
            continue
        heading = _find_heading(page, row)
        if heading is not None and page.parents[heading] in _list_around(page, after[0]):
            found.append(row)
    return found


def find_heading_lists(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of dropped lists between a kept heading and kept text, all in the same element.

    The same for code and lists, but not of links, below a kept text that ends with a colon, also at the end of a text.
    """
    found: list[int] = []
    for row in range(1, len(kept) - 1):
        if kept[row] or not kept[row - 1]:
            continue
        is_heading = page.tags[page.owners[row - 1]] in HEADINGS
        if not is_heading and not page.block_texts[row - 1].endswith(COLONS):
            continue
        section = page.parents[page.owners[row - 1]]
        around = list_around(page.parents, page.owners[row], LIST_LEVELS)
        box = next((each for each in around if page.parents[each] == section), None)
        if box is None or not (page.tags[box] in LISTS or (not is_heading and page.tags[box] in CODE_BOXES)):
            continue
        stop = row
        while stop < len(kept) and not kept[stop] and stop - row <= MAX_LIST_BLOCKS and _is_in(page, stop, box):
            stop += 1
        goes_on = stop < len(kept) and kept[stop] and section in _list_around(page, stop)
        if (goes_on or not is_heading) and not (stop < len(kept) and _is_in(page, stop, box)):
            rows = range(row, stop)
            if page.tags[box] not in LISTS:
                found.extend(_find_code(page, rows))
            elif is_heading or not _are_links(page, rows):
                found.extend(rows)
    return found


def _find_code(page: Page, rows: range) -> list[int]:
    """Return the blocks of code among all blocks of a box, but not the copies in a field that is made for copying."""
    shown = [row for row in rows if page.tags[page.owners[row]] != "textarea"]
    return shown if all(page.find_kind(row) == "code" for row in shown) else []


def _are_links(page: Page, rows: range) -> bool:
    """Whether most letters of some blocks are links, but for printed addresses."""
    leaves = range(page.starts[rows.start], page.stops[rows.stop - 1])
    texts = (page.texts[leaf] for leaf in leaves if page.linked_leaves[leaf])
    linked = sum(len(text) for text in texts if not text.startswith(ADDRESSES))
    return linked > MAX_LINKED_SHARE * sum(len(page.texts[leaf]) for leaf in leaves)


def _is_in(page: Page, row: int, element: int) -> bool:
    """Whether a block is in an element."""
    return element in list_around(page.parents, page.owners[row], LIST_LEVELS)


def _find_heading(page: Page, row: int) -> int | None:
    """Return the heading element of a block, or None if it has none, or one outside of the text."""
    element = page.owners[row]
    around = list_around(page.parents, element, LEVELS + TEXT_LEVELS)
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
    return list_around(page.parents, page.owners[row], TEXT_LEVELS)
