"""TEDS: worked examples, agreement with a brute-force distance, and tables that are too large."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.lab.evaluate.metrics.table_trees import MAX_NODES, measure_teds
from timing import assert_quick

Table = tuple[tuple[str, ...], ...]
Tree = tuple[str, tuple["Tree", ...]]
CELLS = st.sampled_from(["a", "b", "ab", "abcd", ""])
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)


def grow(rows: Table) -> Tree:
    return "table", tuple(("row", tuple((f"cell {cell}", ()) for cell in row)) for row in rows)


def size(forest: tuple[Tree, ...]) -> int:
    return sum(1 + size(tree[1]) for tree in forest)


def change(one: str, other: str) -> float:
    if not one.startswith("cell") or not other.startswith("cell"):
        return float(one != other)
    one, other = one[5:], other[5:]
    return edits(one, other) / max(len(one), len(other), 1)


def edits(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    return min(edits(one[1:], other) + 1, edits(one, other[1:]) + 1, edits(one[1:], other[1:]) + (one[0] != other[0]))


@cache
def distance(one: tuple[Tree, ...], other: tuple[Tree, ...]) -> float:
    """The edit distance of two forests by definition: delete the last root of either forest, or match both roots."""
    if not one or not other:
        return size(one) + size(other)
    (label, below), (other_label, other_below) = one[-1], other[-1]
    return min(
        distance(one[:-1] + below, other) + 1,
        distance(one, other[:-1] + other_below) + 1,
        distance(one[:-1], other[:-1]) + distance(below, other_below) + change(label, other_label),
    )


@given(TABLES, TABLES)
def test_teds_matches_the_definition(found: Table, gold: Table) -> None:
    one, other = grow(found), grow(gold)
    wanted = 1 - distance((one,), (other,)) / max(size((one,)), size((other,)))
    assert measure_teds(found, gold) == pytest.approx(max(0.0, wanted))


@pytest.mark.parametrize(
    ("found", "gold", "teds"),
    [
        ((("a", "b"), ("c", "d")), (("a", "b"), ("c", "d")), 1.0),
        ((("a", "b"),), (("a", "b"), ("c", "d")), 1 - 3 / 7),
        ((("abcd",),), (("abce",),), 1 - 0.25 / 3),
        ((("a",), ("b",)), (("a", "b"),), 1 - 3 / 5),
        ((("a",),), (("b", "c"),), 1 - 2 / 4),
    ],
)
def test_worked_examples(found: Table, gold: Table, teds: float) -> None:
    assert measure_teds(found, gold) == pytest.approx(teds)
    assert measure_teds(gold, found) == pytest.approx(teds)


def test_large_tables_are_compared_by_their_first_rows() -> None:
    gold = tuple((f"row {number}", "x" * 10_000, str(number)) for number in range(5_000))
    found = tuple((cell, more, f"{last}!") for cell, more, last in gold)
    assert 0.8 < assert_quick(lambda: measure_teds(found, gold), 20) < 1
    wide = (tuple(map(str, range(2 * MAX_NODES))),)
    assert measure_teds(wide, (*wide, ("a",))) == 1.0  # a row over the limit is ignored in both tables
