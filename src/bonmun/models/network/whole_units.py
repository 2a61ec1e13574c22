"""Keep or drop units as a whole.

Before blocks are chosen, all blocks of a unit get the same probability, their mean over words, so that the choice with
the highest expected F1 is a choice of units. A unit is split only if the evidence is overwhelming: a large part of it
is surely main text, and a large part surely not. After the choice, dropped code, tables and formulas between kept
blocks are kept, and so are formulas after kept blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.models.network.thresholds import BETWEEN_WORDS, CUT_SHARE, FILLED_UNITS, HALF, SURELY, SURELY_NOT
from bonmun.page.units import UNIT_KINDS, find_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.page import Page

    Floats = NDArray[np.float32]
    Flags = NDArray[np.bool_]

__all__ = ["UnitRows", "average_units", "find_blocks_to_flip", "find_enclosed_units", "number_units"]

FORMULA = UNIT_KINDS.index("formula")
# By kind; the last entry is for blocks outside of units.
IS_FILLED = np.array([kind in FILLED_UNITS for kind in UNIT_KINDS] + [False])


class UnitRows(NamedTuple):
    """The units of a page, by block."""

    numbers: NDArray[np.int64]  # (n,) the number of its unit; -1 if it is in none
    kinds: NDArray[np.int64]  # (units,) indexes in UNIT_KINDS


def number_units(page: Page) -> UnitRows:
    """Return the units of a page as arrays."""
    numbers = np.full(len(page.starts), -1, np.int64)
    units = find_units(page)
    for number, unit in enumerate(units):
        numbers[unit.blocks.start : unit.blocks.stop] = number
    return UnitRows(numbers, np.array([UNIT_KINDS.index(unit.kind) for unit in units], np.int64))


def average_units(keep: Floats, words: Floats, hidden: Flags, units: UnitRows) -> Floats:
    """Replace the probabilities of a unit's blocks by their mean, except in units to split; ignore hidden blocks."""
    rows = np.flatnonzero((units.numbers >= 0) & ~hidden)
    if not len(rows):
        return keep
    number, size = units.numbers[rows], len(units.kinds)
    weight = words[rows].astype(np.float64)
    total = np.maximum(np.bincount(number, weight, size), 1)
    mean = np.bincount(number, weight * keep[rows], size) / total
    sure = np.bincount(number, weight * (keep[rows] > SURELY), size) / total
    never = np.bincount(number, weight * (keep[rows] < SURELY_NOT), size) / total
    is_whole = (sure < CUT_SHARE) | (never < CUT_SHARE)
    levelled = keep.copy()
    levelled[rows] = np.where(is_whole[number], mean[number], keep[rows])
    return levelled


def find_blocks_to_flip(kept: Flags, keep: Floats, words: Floats, hidden: Flags, units: UnitRows) -> NDArray[np.int64]:
    """Return the blocks to flip so that units with one probability are kept or dropped whole: the minority of each."""
    rows = np.flatnonzero((units.numbers >= 0) & ~hidden)
    if not len(rows):
        return rows
    number, size = units.numbers[rows], len(units.kinds)
    weight = words[rows].astype(np.float64)
    share = np.bincount(number, weight * kept[rows], size) / np.maximum(np.bincount(number, weight, size), 1)
    first = np.zeros(size, np.int64)
    first[number[::-1]] = rows[::-1]
    is_cut = np.bincount(number, keep[rows] != keep[first[number]], size) > 0
    changed = ~is_cut[number] & (kept[rows] != (share >= HALF)[number])
    return np.asarray(rows[changed])


def find_enclosed_units(kept: Flags, words: Floats, hidden: Flags, units: UnitRows) -> NDArray[np.int64]:
    """Return dropped blocks of code, tables and formulas between kept blocks.

    For formulas a kept block before them is enough, because they end the sentence that began there.
    """
    kinds = np.append(units.kinds, -1)[units.numbers]
    filled = IS_FILLED[kinds] & ~kept & ~hidden
    if not filled.any():
        return np.empty(0, np.int64)
    rows = np.flatnonzero(~hidden & (filled | kept | (words > BETWEEN_WORDS)))
    found: list[int] = []
    start = 0
    while start < len(rows):
        stop = start
        while stop < len(rows) and filled[rows[stop]]:
            stop += 1
        is_before = start < stop and start > 0 and kept[rows[start - 1]]
        if is_before and ((stop < len(rows) and kept[rows[stop]]) or (kinds[rows[start:stop]] == FORMULA).all()):
            found += rows[start:stop].tolist()
        start = max(stop, start + 1)
    return np.array(found, np.int64)
