"""Find kept headings whose section was dropped, such as "Related" or "Table of contents".

A heading is not one of these if it directly precedes another heading on the page: on some pages, paragraphs and items
are marked up as headings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.figures import find_figures
from bonmun.page.parse.ancestors import list_around
from bonmun.page.parse.inherited_columns import find_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_empty_headings"]

LEVELS = {"h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}  # the headline (h1) is decided elsewhere
NO_HEADING = 9  # level of other blocks
SURE_SCORE = 0.7  # of a heading that is kept in any case
MAX_CHARS = 80  # of a heading; longer ones are paragraphs
MAX_ALIKE = 2  # more empty headings with the same tag are items
HEADING_LEVELS = 3  # elements around the text of a heading that may be the heading


def find_empty_headings(page: Page, kept: Sequence[bool], scores: Sequence[float]) -> list[int]:
    """Return the rows of kept headings with dropped text below, but no kept text and no image of the text.

    Headings before the first text are left out: they may be its lead.
    """
    found: list[int] = []
    if page.tag_names.isdisjoint(LEVELS):
        return found
    headings, owners = find_around(page, LEVELS), page.owners
    rows = list(compress(range(len(kept)), kept))
    levels = {row: _find_level(page, owners[row]) for row in rows if headings[owners[row]] >= 0}
    levels = {row: level for row, level in levels.items() if level < NO_HEADING}
    if not levels:
        return found
    first = next((row for row in rows if row not in levels), len(kept))  # the first kept text
    after, level_after = len(kept), 0  # the next kept block and its level; the end ends all sections
    for row in reversed(levels):
        following = kept.index(True, row + 1) if row < rows[-1] else len(kept)
        if not found or following != found[-1]:  # else what follows the empty heading follows this one, too
            after, level_after = following, levels.get(following, NO_HEADING if following < len(kept) else 0)
        if level_after <= levels[row] and _may_be_empty(page, row, after, scores[row]):
            found.append(row)
    if not found:
        return found
    counts = Counter(page.tags[page.owners[row]] for row in found)
    found = [row for row in found if row > first and counts[page.tags[page.owners[row]]] <= MAX_ALIKE]
    below = {row + 1 for row in found}
    images = {image for image in page.list_rows("img") if bisect_right(page.opened, image) in below} if found else ()
    if images:
        positions = {figure.position for figure in find_figures(page, kept, images=images)}
        found = [row for row in found if row + 1 not in positions]
    return found


def _find_level(page: Page, element: int) -> int:
    """Return the level of the heading that an element is or is in; NO_HEADING if there is none."""
    around = list_around(page.parents, element, HEADING_LEVELS)
    return next((LEVELS[page.tags[each]] for each in around if page.tags[each] in LEVELS), NO_HEADING)


def _may_be_empty(page: Page, row: int, after: int, score: float) -> bool:
    """Whether a heading may have lost its text: it is short, no link, not surely main text, and text follows it."""
    if score >= SURE_SCORE or len(page.block_texts[row]) > MAX_CHARS or row + 1 >= len(page.starts):
        return False
    if row + 1 == after or page.hidden_blocks[row + 1]:
        return False
    return not all(page.linked_leaves[page.starts[row] : page.stops[row]])
