"""A person's labels of blocks: checked where they are read, and found again on their page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["COMMENT", "KEEP", "BlockLabel", "find_label_problem", "find_labelled_rows", "read_block_labels"]

KEEP, COMMENT = "keep", "comment"
LABELS = (KEEP, COMMENT, "title", "author", "date")  # a block without one is dropped
MOST_LABELS = 100_000  # of a page: more is no person's work


class BlockLabel(NamedTuple):
    """What a block is, by its place."""

    xpath: str
    label: str


def find_label_problem(value: Any) -> str | None:
    """Say why the labels of a record are none; None if they are, or if there are none."""
    if value is None:
        return None
    if not isinstance(value, (list, tuple)):
        return "labels is not a list"
    if len(value) > MOST_LABELS:
        return f"there are more than {MOST_LABELS:,} labels"
    places: dict[str, str] = {}
    for each in value:
        xpath, label = (each.get(name) if isinstance(each, dict) else None for name in ("xpath", "label"))
        if not isinstance(xpath, str) or not isinstance(label, str) or not xpath:
            return "a label is not an object with an xpath and a label"
        if label not in LABELS:
            return f"a label is {label[:40]!r} and not one of {', '.join(LABELS)}"
        if places.setdefault(xpath, label) != label:
            return f"the block at {xpath[:200]} has two labels"
    return None


def read_block_labels(value: Any) -> tuple[BlockLabel, ...] | None:
    """The labels of a record without a problem; None where it has none. An empty list says that nothing is kept."""
    if value is None:
        return None
    return tuple(dict.fromkeys(BlockLabel(each["xpath"], each["label"]) for each in value))


def find_labelled_rows(page: Page, labels: Sequence[BlockLabel]) -> dict[int, str] | None:
    """The labels by rows of `page.blocks`; None if a label's block is no longer there."""
    rows = {block.xpath: row for row, block in enumerate(page.blocks)}
    if any(each.xpath not in rows for each in labels):
        return None
    return {rows[each.xpath]: each.label for each in labels}
