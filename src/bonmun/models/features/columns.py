"""Feature tables: columns with names and descriptions, whose numbers follow from their order.

Columns are grouped; the function of a group measures a page and returns the values of its columns by name. To add a
group, append it to a table together with its function. Model files depend on the columns and their order: a changed
table needs a newly trained model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Column", "ColumnLayout", "FeatureGroup", "FeatureTable"]

Measured = TypeVar("Measured")  # the argument of the functions of a table


class Column(NamedTuple):
    """A column, or several adjacent columns of one kind, which `parts` describes one by one."""

    name: str
    about: str
    parts: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.parts) or 1


class ColumnLayout:
    """The order of columns: `layout["name"]` is the index of a column, or the slice of several of one kind."""

    def __init__(self, *columns: Column) -> None:
        self.columns = columns
        self.width = 0
        self._places: dict[str, int | slice] = {}
        for column in columns:
            if column.name in self._places:
                raise ValueError(f"duplicate column {column.name!r}")
            stop = self.width + column.width
            self._places[column.name] = slice(self.width, stop) if column.parts else self.width
            self.width = stop

    def __getitem__(self, name: str) -> int | slice:
        return self._places[name]


class FeatureGroup(Generic[Measured]):
    """Columns and the function that measures them; it returns one or more rows of values for each column name."""

    def __init__(self, name: str, measure: Callable[[Measured], Mapping[str, Any]], *columns: Column) -> None:
        self.name = name
        self.measure = measure
        self.columns = columns


class FeatureTable(ColumnLayout, Generic[Measured]):
    """All features of blocks, elements, the page or boxes, in groups."""

    def __init__(self, *groups: FeatureGroup[Measured]) -> None:
        super().__init__(*(column for group in groups for column in group.columns))
        self.groups = groups
        self._steps = [(group.measure, [(each.name, self[each.name]) for each in group.columns]) for group in groups]

    def fill(self, rows: NDArray[np.float32], measured: Measured) -> None:
        """Write all features to `rows`, which has one row per feature."""
        for measure, places in self._steps:
            values = measure(measured)
            for name, place in places:
                rows[place] = values[name]
