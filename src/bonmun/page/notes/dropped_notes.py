"""Find dropped notes that kept text refers to: a text belongs together with its footnotes and references."""

from __future__ import annotations

from itertools import chain, compress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_dropped_notes"]

MIN_REFERENCES = 2  # in the kept text
MAX_ADDED_SHARE = 1.0  # of the kept letters that notes may add


def find_dropped_notes(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of the blocks of dropped notes, in order; none if they have more letters than the kept text."""
    starts, stops, short = page.starts, page.stops, page.short_links
    rows = list(compress(range(len(kept)), kept))
    if 1 not in short or sum(short.count(1, starts[row], stops[row]) for row in rows) < MIN_REFERENCES:
        return []
    leaves = list(chain.from_iterable([range(starts[row], stops[row]) for row in rows]))
    from bonmun.page.notes.notes import find_notes

    notes = find_notes(page, leaves)
    if len(notes.references) < MIN_REFERENCES:
        return []
    texts = page.block_texts
    rows = sorted(row for row in notes.blocks if not kept[row])
    added = sum(len(texts[row]) for row in rows)
    return rows if added <= MAX_ADDED_SHARE * sum(len(texts[row]) for row, each in enumerate(kept) if each) else []
