"""`title-table+`: the two stages of paper 3 over the blocks of any layout (see title_sections.py).

Objects are blocks, main candidates are the heaviest groups of xpath+, and the table of places was made by `fit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.algorithms.title_sections import (
    MAX_SECTIONS,
    MAX_TITLES,
    MIN_TITLE_BYTES,
    NON_OBJECT_TAGS,
    PlaceTable,
    Section,
    TextObject,
    TitleMethod,
    count_euc_kr_bytes,
)
from bonmun.algorithms.xpath import skip_bylines, weigh_groups
from bonmun.markup import HEADINGS
from bonmun.text.sentences import find_sentences

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["FITTED_TABLE", "TitleTablePlus"]

MAX_HEADLINE_BYTES = 300  # of a title candidate, in EUC-KR
MIN_MAIN_SHARE = 0.2  # of the heaviest group's weight, for a main candidate
HEADING_RANKS = {tag: rank for rank, tag in enumerate(HEADINGS, 1)}
NO_HEADING_RANK = len(HEADINGS) + 1

# Fitted by scripts/fit/titles.py on 431 pages, together with e = 0.5.
FITTED_TABLE = PlaceTable(
    mains={1: (1.0,), 2: (0.94, 0.06), 3: (0.94, 0.06, 0.0)},
    titles={
        1: ((0.95, 0.03, 0.01, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0),),
        2: ((0.88, 0.04, 0.06, 0.02), (0.67,)),
        3: ((0.85, 0.04, 0.07), (0.67, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.33), ()),
    },
)


class TitleTablePlus(TitleMethod):
    """The same two stages over the blocks of any layout."""

    name = "title-table+"
    places = 2 * MAX_TITLES

    def __init__(self, table: PlaceTable = FITTED_TABLE, e: float = 0.5) -> None:
        super().__init__(table, e)

    def find_sections(self, page: Page) -> list[Section]:
        """Stage 1: the heaviest groups of xpath+ are main candidates; the blocks above each are its title candidates.

        Short lines without a sentence at the start of a group count as above it. Headings are numbered 1 to 5, higher
        ranks first, then the nearest. Other candidates are numbered 6 to 10, so that P distinguishes the two.
        """
        sizes, links = page.block_sizes
        hidden = page.hidden_blocks
        ranks = [HEADING_RANKS.get(page.tags[owner], NO_HEADING_RANK) for owner in page.owners]
        mains = _find_mains(page, ranks)
        first = {main[0]: main for main in mains}
        inside = {row for main in mains for row in main}
        found: list[Section] = []
        above: list[int] = []
        for row, text in enumerate(page.block_texts):
            is_heading = ranks[row] < NO_HEADING_RANK
            if row in first:
                found.append(_make_section(page, first[row], above, ranks))
                above = []
            elif hidden[row] or page.tags[page.owners[row]] in NON_OBJECT_TAGS or (not is_heading and row in inside):
                continue
            elif MIN_TITLE_BYTES <= count_euc_kr_bytes(text) <= MAX_HEADLINE_BYTES and (
                is_heading or links[row] < sizes[row]
            ):
                above.append(row)
        if not found and above:
            found.append(_make_section(page, [], above, ranks))
        return [section for section in found if section.titles] or found


def _find_mains(page: Page, ranks: list[int]) -> list[list[int]]:
    """Return the main candidates: the heaviest groups, without the lines above their text."""
    sentences, _ = find_sentences(page.block_texts)
    groups, weights = weigh_groups(page, sentences)
    least = max(weights, default=0.0) * MIN_MAIN_SHARE
    texts = [n for n, group in enumerate(groups) if weights[n] > least and ranks[group[0]] == NO_HEADING_RANK]
    heaviest = sorted(texts, key=lambda number: -weights[number])[:MAX_SECTIONS]
    return [skip_bylines(page, groups[number], sentences) for number in heaviest]


def _make_section(page: Page, rows: list[int], above: list[int], ranks: list[int]) -> Section:
    above = sorted(above, key=lambda row: (ranks[row], -row))
    headings = sum(ranks[row] < NO_HEADING_RANK for row in above)
    numbers = _number_titles(0, headings) + _number_titles(MAX_TITLES, len(above) - headings)
    return Section([_make_object(page, row) for row in rows], [_make_object(page, row) for row in above], numbers)


def _number_titles(before: int, count: int) -> list[int]:
    """Return `count` consecutive numbers; those after the fifth have no probability."""
    return [before + i if i <= MAX_TITLES else 2 * MAX_TITLES + i for i in range(1, count + 1)]


def _make_object(page: Page, row: int) -> TextObject:
    block = page.blocks[row]
    return TextObject(list(block.shown_leaves()), block.shown_text)
