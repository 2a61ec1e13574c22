"""Columns by name: a table of features says what each column holds, and its number follows from its place.

Columns stand in groups; a group has a function that measures something of a page and gives the values of its columns
by their names. Another group is one entry at the end of a table and one function. What a model has learned depends on
the order of columns: one with other columns is another set of features, and needs a model trained with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Column", "ColumnLayout", "FeatureGroup", "FeatureTable"]

Measured = TypeVar("Measured")  # what the functions of a table read


class Column(NamedTuple):
    """A column, or several of one kind side by side: then `parts` says what each of them is."""

    name: str
    about: str
    parts: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """How many columns it is."""
        return len(self.parts) or 1


class ColumnLayout:
    """Columns side by side: `layout["name"]` is the index of a column, or the slice of several of one kind."""

    def __init__(self, *columns: Column) -> None:
        self.columns = columns
        self.width = 0
        self._places: dict[str, int | slice] = {}
        for column in columns:
            if column.name in self._places:
                raise ValueError(f"two columns are named {column.name!r}")
            stop = self.width + column.width
            self._places[column.name] = slice(self.width, stop) if column.parts else self.width
            self.width = stop

    def __getitem__(self, name: str) -> int | slice:
        return self._places[name]


class FeatureGroup(Generic[Measured]):
    """Columns that one function measures; it gives a row of values, or several, for each of their names."""

    def __init__(self, name: str, measure: Callable[[Measured], Mapping[str, Any]], *columns: Column) -> None:
        self.name = name
        self.measure = measure
        self.columns = columns


class FeatureTable(ColumnLayout, Generic[Measured]):
    """All features of one thing, in groups."""

    def __init__(self, *groups: FeatureGroup[Measured]) -> None:
        super().__init__(*(column for group in groups for column in group.columns))
        self.groups = groups
        self._steps = [(group.measure, [(each.name, self[each.name]) for each in group.columns]) for group in groups]

    def fill(self, rows: NDArray[np.float32], measured: Measured) -> None:
        """Write all features, each to its place in `rows`, which has one row a feature."""
        for measure, places in self._steps:
            values = measure(measured)
            for name, place in places:
                rows[place] = values[name]
