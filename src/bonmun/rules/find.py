"""Find the elements and values that a selector selects, in linear time.

The parser finds the elements of each compound; the combinators are evaluated over the columns of the page, one pass
each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.bounds import MAX_METADATA_CHARS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun.page import Page
    from bonmun.page.page import SelectedElement
    from bonmun.rules.records import Selector, SelectorStep

__all__ = ["find_rows", "has_match", "list_row_values", "list_values", "mark_inside", "read_own_value"]

MAX_VALUES = 40  # elements whose texts are read: a page has fewer authors


def find_rows(page: Page, selectors: Iterable[Selector]) -> list[int]:
    """Return the rows of the elements that any of the selectors selects, in document order."""
    found = {row for selector in selectors for steps in selector.alternatives for row in _find_steps(page, steps)}
    return sorted(found)


def has_match(page: Page, selector: Selector) -> bool:
    """Return whether a selector selects anything; selectors of one step also search the head."""
    for steps in selector.alternatives:
        if len(steps) == 1 and page.select_first(steps[0].compound) is not None:
            return True
        if len(steps) > 1 and _find_steps(page, steps):
            return True
    return False


def list_values(page: Page, selector: Selector) -> list[str]:
    """Return the texts or attributes that a selector selects, without empty ones and repetitions."""
    values: dict[str, None] = {}
    for steps, attribute in zip(selector.alternatives, selector.attributes, strict=True):
        if len(steps) == 1:  # also in the head
            found = page.select(steps[0].compound)
        else:
            found = [page.markup[row] for row in _find_steps(page, steps)]
        for element in found[:MAX_VALUES]:
            if value := _read_value(element, attribute):
                values[value] = None
    return list(values)


def list_row_values(page: Page, selector: Selector) -> list[tuple[int, str]]:
    """Return the rows that a selector selects, in document order, each with its text or attribute."""
    return sorted(
        (row, value)
        for steps, attribute in zip(selector.alternatives, selector.attributes, strict=True)
        for row in _find_steps(page, steps)
        if (value := _read_value(page.markup[row], attribute))
    )


def _read_value(element: SelectedElement, attribute: str | None) -> str:
    """Return the text of an element or the value of an attribute, with whitespace collapsed; too long a value is ""."""
    value = element.text if attribute is None else element.attr(attribute) or ""
    value = " ".join(value[: 4 * MAX_METADATA_CHARS].split())
    return value if len(value) <= MAX_METADATA_CHARS else ""


def read_own_value(page: Page, row: int, selector: Selector) -> str:
    """Return the attribute that a selector without steps reads, of an element."""
    return _read_value(page.markup[row], selector.attributes[0])


def mark_inside(page: Page, rows: Iterable[int]) -> bytearray:
    """Return for every element whether it is one of the rows or inside of one."""
    inside = bytearray(len(page.parents))
    for row in rows:
        inside[row] = 1
    for row, parent in enumerate(page.parents):
        if parent >= 0 and inside[parent]:
            inside[row] = 1
    return inside


def _find_steps(page: Page, steps: tuple[SelectorStep, ...]) -> list[int]:
    """Return the rows that the steps of one selector lead to."""
    rows: list[int] = []
    for step in steps:
        candidates = page.select_rows(step.compound)
        rows = _combine(page, rows, step.combinator, candidates) if step.combinator else candidates
        if not rows:
            break
    return rows


def _combine(page: Page, rows: list[int], combinator: str, candidates: list[int]) -> list[int]:
    """Return the candidates that relate to one of the rows as the combinator says."""
    parents = page.parents
    if combinator == ">":
        chosen = set(rows)
        return [row for row in candidates if parents[row] in chosen]
    if combinator == " ":
        inside = mark_inside(page, rows)
        return [row for row in candidates if parents[row] >= 0 and inside[parents[row]]]
    first: dict[int, int] = {}  # by parent: the first of the rows among its children
    for row in rows:
        first.setdefault(parents[row], row)
    if combinator == "~":
        return [row for row in candidates if first.get(parents[row], row) < row]
    chosen, wanted = set(rows), set(candidates)
    found: list[int] = []
    last: dict[int, int] = {}  # by parent: its last child so far
    for row, parent in enumerate(parents):
        if row in wanted and last.get(parent) in chosen:
            found.append(row)
        last[parent] = row
    return found
