"""Units are kept or dropped whole."""

from __future__ import annotations

import numpy as np
import pytest

from bonmun import Page
from bonmun.models.network.whole_units import (
    UnitRows,
    average_units,
    find_blocks_to_flip,
    find_enclosed_units,
    number_units,
)

LIST = "<p>Before.<ul><li>One<li>Two<li>Three</ul><p>After."


def level(keep: list[float], html: str = LIST, hidden: list[int] | None = None) -> list[float]:
    """Return the probabilities of the blocks of a page, averaged by unit; all blocks have equally many words."""
    flags = np.isin(np.arange(len(keep)), hidden or [])
    words = np.full(len(keep), 5, np.float32)
    levelled = average_units(np.array(keep, np.float32), words, flags, number_units(Page.parse(html)))
    return [round(float(value), 2) for value in levelled]


def test_the_blocks_of_a_unit_have_one_probability() -> None:
    assert level([0.9, 0.9, 0.3, 0.9, 0.8]) == [0.9, 0.7, 0.7, 0.7, 0.8]


def test_a_unit_that_is_surely_both_is_not_averaged() -> None:
    assert level([0.9, 0.95, 0.01, 0.95, 0.8]) == [0.9, 0.95, 0.01, 0.95, 0.8]


def test_hidden_blocks_are_ignored() -> None:
    assert level([0.9, 0.6, 0.1, 0.8, 0.8], hidden=[2]) == [0.9, 0.7, 0.1, 0.7, 0.8]


def test_a_page_without_units_is_unchanged() -> None:
    assert level([0.9, 0.3], "<p>One.<p>Two.") == [0.9, 0.3]


CODE = "<p>Before.<p>Copy<pre>make</pre><p>After.<pre>make test</pre>"


@pytest.mark.parametrize(
    ("kept", "hidden", "found"),
    [
        ([1, 0, 0, 1, 0], [], [2]),  # the label before the code is not added
        ([1, 0, 0, 0, 0], [], []),  # nothing is kept after it
        ([0, 0, 0, 1, 0], [], []),
        ([1, 0, 0, 1, 0], [2], []),  # a hidden copy
        ([0, 0, 0, 0, 0], [], []),
    ],
)
def test_code_between_kept_blocks_is_found(kept: list[int], hidden: list[int], found: list[int]) -> None:
    words = np.array([9, 1, 9, 9, 9], np.float32)
    flags = np.isin(np.arange(5), hidden)
    assert find_enclosed_units(np.array(kept, bool), words, flags, number_units(Page.parse(CODE))).tolist() == found


def test_nothing_is_found_on_a_page_without_units() -> None:
    none = UnitRows(np.full(2, -1), np.empty(0, np.int64))
    assert not len(find_enclosed_units(np.ones(2, bool), np.ones(2, np.float32), np.zeros(2, bool), none))


@pytest.mark.parametrize(
    ("kept", "keep", "torn"),
    [
        ([1, 1, 0, 1, 1], [0.9, 0.7, 0.7, 0.7, 0.9], [2]),  # the one that is missing
        ([1, 0, 0, 1, 1], [0.9, 0.7, 0.7, 0.7, 0.9], [3]),  # the one that is left
        ([1, 1, 1, 1, 1], [0.9, 0.7, 0.7, 0.7, 0.9], []),
        ([1, 1, 0, 1, 1], [0.9, 0.95, 0.01, 0.95, 0.9], []),  # a unit that is split
    ],
)
def test_the_minority_of_a_split_unit_is_flipped(kept: list[int], keep: list[float], torn: list[int]) -> None:
    words, shown = np.full(5, 5, np.float32), np.zeros(5, bool)
    units = number_units(Page.parse(LIST))
    found = find_blocks_to_flip(np.array(kept, bool), np.array(keep, np.float32), words, shown, units)
    assert found.tolist() == torn
