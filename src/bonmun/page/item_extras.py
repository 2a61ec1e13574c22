"""Find parts of kept headings and items that are no text: the same date twice; category, date and author of a post.

Blogs write all of these into the heading of a post, beside the linked title: `<h2><a>Title</a> <span class=category>
<a>News</a></span></h2>`. Some sites write a date twice, for wide and for small screens.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.page.page import Page

__all__ = ["find_extras"]

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# Words of the classes of the parts of a heading.
PARTS = dict.fromkeys(("category", "categories", "cat", "cats"), "category")
PARTS |= dict.fromkeys(("date", "datetime", "time", "published", "updated"), "date")
PARTS |= dict.fromkeys(("author", "authors", "byline"), "author")
WORDS = compile_later("[a-z]+")
CLASS_CHARS = 300  # of a class attribute that are read
LEVELS = 8  # elements around a text of a heading
MAX_LEAVES = 20  # of a heading
DATE = compile_later(r"[\[(（【]?(?:[0-9]{4}[-./年])?[0-9]{2}[-./月][0-9]{2}日?[\])）】]?")
MAX_DATE_CHARS = 14
DATE_ENDS = "0123456789日])）】"
NO_DIGITS = compile_later("[^0-9]+")


def find_extras(page: Page, kept: Sequence[bool]) -> frozenset[int]:
    """Return the leaves of kept blocks that are such parts."""
    starts, stops, tags, owners, texts = page.starts, page.stops, page.tags, page.owners, page.texts
    found: set[int] = set()
    for row in compress(range(len(starts)), kept):
        if stops[row] - starts[row] > 1:
            leaves = range(starts[row], stops[row])
            inside = texts[leaves.start : leaves.stop]
            if len([text for text in inside if len(text) <= MAX_DATE_CHARS and text[-1] in DATE_ENDS]) > 1:
                found.update(_find_date_copies(page, leaves))
            if tags[owners[row]] in HEADINGS and len(leaves) <= MAX_LEAVES:
                found.update(_find_parts(page, owners[row], leaves))
    return frozenset(found)


def _find_date_copies(page: Page, leaves: range) -> Iterator[int]:
    """Yield the dates beside the same date in an element of the same kind; of each day, the longest stays."""
    texts, elements = page.texts, page.leaf_elements
    best, best_day = -1, ""
    for leaf in leaves:
        text = texts[leaf]
        found = DATE.fullmatch(text) if len(text) <= MAX_DATE_CHARS else None
        day = NO_DIGITS.sub("", text) if found else ""
        if day and best >= 0 and text != texts[best] and _are_alternatives(page, elements[best], elements[leaf]):
            if best_day.endswith(day):
                yield leaf
                continue
            if day.endswith(best_day):
                yield best
        best, best_day = (leaf, day) if day else (-1, "")


def _are_alternatives(page: Page, first: int, second: int) -> bool:
    """Whether two elements are different ones with the same tag and parent."""
    return first != second and page.tags[first] == page.tags[second] and page.parents[first] == page.parents[second]


def _find_parts(page: Page, heading: int, leaves: range) -> list[int]:
    """Return the leaves of a heading beside its linked title that are category, date and author.

    A date or an author alone may be that of an event or of a book, and stays.
    """
    parts = {leaf: part for leaf in leaves if (part := _find_part(page, heading, page.leaf_elements[leaf]))}
    if not parts or ("category" not in parts.values() and len(set(parts.values())) == 1):
        return []
    titles = {page.find_link(page.leaf_elements[leaf]) for leaf in leaves if leaf not in parts}
    return list(parts) if len(titles) == 1 and -1 not in titles else []


def _find_part(page: Page, heading: int, element: int) -> str:
    """Return which part of a heading an element is, or is in; "" for the title."""
    for row in list_around(page.parents, element, LEVELS):
        if row == heading:
            break
        if page.tags[row] == "time":
            return "date"
        words = WORDS.findall((page.attr(row, "class") or "")[:CLASS_CHARS].lower())
        if part := next((PARTS[word] for word in words if word in PARTS), ""):
            return part
    return ""
