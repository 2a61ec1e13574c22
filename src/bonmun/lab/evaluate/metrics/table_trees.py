"""Tree-edit-distance-based similarity (TEDS) of two tables.

Zhong, X., ShafieiBavani, E. and Jimeno Yepes, A. (2020), "Image-based table recognition: data, model, and evaluation":
TEDS = 1 - tree edit distance / nodes of the larger tree. A tree is a table, its rows, and their cells. Inserting or
deleting a node costs 1. Changing a cell into another costs the edit distance of their texts divided by the length of
the longer one. Keeping a row costs nothing. Any other change costs 1. Header rows are ordinary rows, since every
Markdown table has one.

The distance is exact (Zhang, K. and Shasha, D. (1989), "Simple fast algorithms for the editing distance between trees
and related problems"). Its time grows with the product of the node counts, so only the first rows of a large table are
compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.evaluate.metrics.texts import load_rapidfuzz

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.gold.structure import Table

__all__ = ["MAX_NODES", "measure_teds"]

MAX_NODES = 300  # rows and cells of each table that are compared; half a second if both have this many
MAX_CELL_CHARS = 500  # characters of a cell that are compared
TABLE, ROW, CELL = range(3)


class _TableTree(NamedTuple):
    """A table as a tree, with one sequence per node attribute and the nodes in postorder."""

    kinds: Sequence[int]
    texts: Sequence[str]
    firsts: Sequence[int]  # leftmost leaf descendant of each node
    roots: Sequence[int]  # keyroots: the root and all nodes with a left sibling


def measure_teds(found: Table, gold: Table) -> float:
    """Measure the TEDS of two tables, from 0 to 1.

    >>> measure_teds((("a", "b"),), (("a", "b"), ("c", "d")))
    0.5714285714285714
    """
    if found == gold:
        return 1.0
    ours, theirs = _make_tree(found), _make_tree(gold)
    return max(0.0, 1 - _measure_distance(ours, theirs) / max(len(ours.kinds), len(theirs.kinds)))


def _make_tree(rows: Table) -> _TableTree:
    kinds: list[int] = []
    texts: list[str] = []
    firsts: list[int] = []
    roots: list[int] = []
    for row in rows:
        if len(kinds) + len(row) >= MAX_NODES:
            break
        first = len(kinds)
        kinds += [CELL] * len(row) + [ROW]
        texts += [*(cell[:MAX_CELL_CHARS] for cell in row), ""]
        firsts += [*range(first, first + len(row)), first]
        roots += range(first + 1, first + len(row))
        if first:
            roots.append(len(kinds) - 1)
    roots.append(len(kinds))
    return _TableTree([*kinds, TABLE], [*texts, ""], [*firsts, 0], roots)


def _measure_distance(one: _TableTree, other: _TableTree) -> float:
    """Measure the tree edit distance, from the distances of all pairs of subtrees, smaller ones first."""
    costs = _measure_costs(one, other)
    trees = [[0.0] * len(other.kinds) for _ in one.kinds]
    for row in one.roots:
        for column in other.roots:
            _fill_distances(one, other, row, column, costs, trees)
    return trees[-1][-1]


def _measure_costs(one: _TableTree, other: _TableTree) -> list[list[float]]:
    """Measure the cost of changing each node of one tree into each node of the other."""
    distance = load_rapidfuzz().Levenshtein.normalized_distance
    known: dict[tuple[str, str], float] = {}
    costs: list[list[float]] = []
    for kind, text in zip(one.kinds, one.texts, strict=True):
        line: list[float] = []
        for other_kind, other_text in zip(other.kinds, other.texts, strict=True):
            if kind != other_kind:
                line.append(1.0)
            elif text == other_text:
                line.append(0.0)
            else:
                pair = (text, other_text)
                if pair not in known:
                    known[pair] = float(distance(text, other_text))
                line.append(known[pair])
        costs.append(line)
    return costs


def _fill_distances(
    one: _TableTree, other: _TableTree, row: int, column: int, costs: list[list[float]], trees: list[list[float]]
) -> None:
    """Fill in the distances between all subtrees that start at the same leaves as these two."""
    top, left = one.firsts[row], other.firsts[column]
    above = [float(number) for number in range(column - left + 2)]  # forest distances of the previous row
    lines = [above]
    for i in range(top, row + 1):
        first, cost, tree = one.firsts[i], costs[i], trees[i]
        line = [above[0] + 1]
        for j in range(left, column + 1):
            at = j - left
            best = min(above[at + 1], line[at]) + 1
            if first == top and other.firsts[j] == left:
                best = min(best, above[at] + cost[j])
                tree[j] = best
            else:
                best = min(best, lines[first - top][other.firsts[j] - left] + tree[j])
            line.append(best)
        lines.append(line)
        above = line
