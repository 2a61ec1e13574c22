"""Evidence of a method as tables (groups, depths, candidates), and the blocks of each row."""

from __future__ import annotations

from bisect import bisect
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["list_evidence"]

MAX_LISTED_BLOCKS = 300_000  # over all rows, so that the evidence is not much larger than the page


def list_evidence(page: Page, labels: Labels) -> list[dict[str, Any]]:
    """Return one table for each kind of evidence: description, columns, rows, and the blocks of each row."""
    tables: list[dict[str, Any]] = []
    room = MAX_LISTED_BLOCKS
    find = _BlockFinder(page)
    for kind, found in groupby(labels.evidence, key=type):
        records = [record._asdict() for record in found]
        blocks: list[list[int]] = []
        for record in records:
            named = find.find(record)[: max(room, 0)]
            room -= len(named)
            blocks.append(named)
        tables.append(
            {
                "is": kind.__name__,
                "says": " ".join((kind.__doc__ or "").split("\n\n")[0].split()),
                "columns": list(records[0]),
                "rows": [[_round(value) for value in record.values()] for record in records],
                "chosen": [number for number, record in enumerate(records) if record.get("chosen") is True],
                "blocks": blocks,
            }
        )
    return tables


def _round(value: object) -> object:
    return round(value, 4) if isinstance(value, float) else value


class _BlockFinder:
    """Finds the blocks of an evidence record by the names of its columns."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._by_path: dict[str, list[int]] | None = None
        self._by_depth: dict[int, list[int]] | None = None

    def find(self, record: dict[str, Any]) -> list[int]:
        """Return the blocks in document order; none if the record has no position."""
        page = self.page
        if isinstance(record.get("leaf"), int):
            return self._find_of_leaves([record["leaf"]])
        if isinstance(record.get("first"), int) and isinstance(record.get("leaves"), int):
            return self._find_of_leaves(range(record["first"], record["first"] + record["leaves"]))
        if isinstance(record.get("block"), int):
            return [record["block"]] if 0 <= record["block"] < len(page.starts) else []
        if isinstance(record.get("path"), str):
            if self._by_path is None:
                self._by_path = self._group(page.tag_path)
            return self._by_path.get(record["path"], [])
        if isinstance(record.get("depth"), int):
            if self._by_depth is None:
                self._by_depth = self._group_leaf_depths()
            return self._by_depth.get(record["depth"], [])
        return []

    def _find_of_leaves(self, leaves: Iterable[int]) -> list[int]:
        count = len(self.page.texts)
        rows = (bisect(self.page.starts, leaf) - 1 for leaf in leaves if 0 <= leaf < count)
        return list(dict.fromkeys(rows))

    def _group(self, read: Callable[[int], str]) -> dict[str, list[int]]:
        groups: dict[str, list[int]] = {}
        for row, owner in enumerate(self.page.owners):
            groups.setdefault(read(owner), []).append(row)
        return groups

    def _group_leaf_depths(self) -> dict[int, list[int]]:
        groups: dict[int, dict[int, None]] = {}
        depths, elements = self.page.depths, self.page.leaf_elements
        for row, (start, stop) in enumerate(zip(self.page.starts, self.page.stops, strict=True)):
            for leaf in range(start, stop):
                groups.setdefault(depths[elements[leaf]], {})[row] = None
        return {depth: list(rows) for depth, rows in groups.items()}
