"""Block labels made by people: check them in a record, and find their blocks on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["COMMENT", "KEEP", "UNSURE", "BlockLabel", "find_label_problem", "find_labelled_rows", "read_block_labels"]

KEEP, COMMENT, UNSURE = "keep", "comment", "unsure"
LABELS = (KEEP, COMMENT, UNSURE, "title", "author", "date")  # a block without one is dropped
MAX_LABELS = 100_000  # for one page


class BlockLabel(NamedTuple):
    """The label of a block, which its XPath identifies."""

    xpath: str
    label: str


def find_label_problem(value: Any) -> str | None:
    """Say what is wrong with the labels of a record; None if they are valid or absent."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)):
        return "labels is not a list"
    if len(value) > MAX_LABELS:
        return f"there are more than {MAX_LABELS:,} labels"
    places: dict[str, str] = {}
    for each in value:
        xpath, label = (each.get(name) if isinstance(each, dict) else None for name in ("xpath", "label"))
        if not isinstance(xpath, str) or not isinstance(label, str) or not xpath:
            return "a label is not an object with an xpath and a label"
        if label not in LABELS:
            return f"unknown label {label[:40]!r}; use one of {', '.join(LABELS)}"
        if places.setdefault(xpath, label) != label:
            return f"the block at {xpath[:200]} has two labels"
    return None


def read_block_labels(value: Any) -> tuple[BlockLabel, ...] | None:
    """Read the labels of a valid record; None if it has none. An empty list means that no block is kept."""
    if value is None:
        return None
    return tuple(dict.fromkeys(BlockLabel(each["xpath"], each["label"]) for each in value))


def find_labelled_rows(page: Page, labels: Sequence[BlockLabel]) -> dict[int, str] | None:
    """Map rows of `page.blocks` to their labels; None if the block of a label no longer exists."""
    rows = {block.xpath: row for row, block in enumerate(page.blocks)}
    if any(each.xpath not in rows for each in labels):
        return None
    return {rows[each.xpath]: each.label for each in labels}
