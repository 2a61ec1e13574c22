"""Find the sections of a listing that are not what it lists: "Most read", "Recommended".

The network decides on each item alone. If it is sure that a heading is not main text, and less sure of the items below
it, the items are dropped, too.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from bonmun.models.network.thresholds import LINKS, REASON_TEXTS, SHORT, UNLIKE
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.models.network.thresholds import Decision
    from bonmun.page import Page

__all__ = ["find_doubtful_sections"]

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MAX_HEADING_SCORE = 0.1
MAX_GAP = 3  # blocks from a heading to its first kept item
MAX_ITEM_SCORE = 0.8  # mean of the kept letters of a section
MAX_SHARE = 0.5  # of the kept blocks that are dropped; of more, all stay
BOX_LEVELS = 4  # elements around a heading that may be its section
LEVELS = 14  # elements around a block that are compared
WHOLE = frozenset({"html", "body", "main", "article"})  # more than a section
UNLIKELY = frozenset({REASON_TEXTS[UNLIKE], REASON_TEXTS[SHORT], REASON_TEXTS[LINKS]})


def find_doubtful_sections(page: Page, found: Decision, template: frozenset[int]) -> list[int]:
    """Return the rows of the kept blocks in these sections. Template of the site counts as it would without a model."""
    if HEADINGS.isdisjoint(page.tag_names):
        return []
    kept, scores, texts = found.kept, found.scores, page.block_texts
    counted = [is_kept or row in template for row, is_kept in enumerate(kept)] if template else kept
    doubtful: set[int] = set()
    for row, owner in enumerate(page.owners):
        if page.tags[owner] not in HEADINGS or kept[row] or scores[row] >= MAX_HEADING_SCORE:
            continue
        if (found.reasons[row] not in UNLIKELY and row not in template) or page.hidden_blocks[row]:
            continue
        first = next((each for each in range(row + 1, min(row + 1 + MAX_GAP, len(kept))) if counted[each]), -1)
        rows = [each for each in _list_section(page, row, first) if counted[each]] if first >= 0 else []
        total = sum(len(texts[each]) for each in rows)
        if sum(scores[each] * len(texts[each]) for each in rows) < MAX_ITEM_SCORE * total:
            doubtful.update(each for each in rows if kept[each])
    return sorted(doubtful) if len(doubtful) < MAX_SHARE * sum(kept) else []


def _list_section(page: Page, heading: int, first: int) -> Iterator[int]:
    """Return the rows from `first` on in the smallest element around it and a heading, up to the next of its level."""
    owners, parents, tags = page.owners, page.parents, page.tags
    near = list_around(parents, owners[first], LEVELS)
    boxes = list_around(parents, owners[heading], BOX_LEVELS + 1)[1:]
    box = next((each for each in boxes if each in near), -1)
    if box < 0 or tags[box] in WHOLE:
        return iter(())
    level = tags[owners[heading]]
    return takewhile(
        lambda row: tags[owners[row]] != level and box in list_around(parents, owners[row], LEVELS),
        range(first, len(owners)),
    )
