"""Specifications of a product: the labelled values of tables and lists that are about it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.objects.labelled_values import LabelledValue
    from bonmun.objects.products.view import ProductView

__all__ = ["find_specifications"]

MIN_ROWS = 3  # a table with fewer is no specification
MAX_ROWS = 300


def find_specifications(view: ProductView) -> list[dict[str, str]]:
    """Return the rows of the specification tables after the headline as `{"name", "value"}`."""
    tables: dict[int, list[LabelledValue]] = defaultdict(list)
    for each in view.labelled:
        if each.is_row and (view.headline is None or each.block > view.headline):
            tables[each.element].append(each)
    rows = {
        (each.label, each.value): None
        for table in tables.values()
        if len(table) >= MIN_ROWS
        for each in table
        if any(map(str.isalpha, each.label))
    }
    return [{"name": label, "value": value} for label, value in list(rows)[:MAX_ROWS]]
