"""Values that the visible page shows with a label: rows of tables, definition lists, "Label: value" and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.page import Block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["LabelledValue", "find_labelled_values"]

MAX_VALUES = 5_000  # per page
LABEL_CHARS, VALUE_CHARS = 50, 300
MAX_LEAVES = 20  # of a block
LABEL_TAGS = frozenset("th dt".split())
COLONS = "::：﹕"


class LabelledValue(NamedTuple):
    """A value with its label."""

    label: str
    value: str
    block: int  # of the value
    is_row: bool  # whether label and value are cells of a table, or term and definition of a list
    element: int  # table or list around a row; else the element of the block


def find_labelled_values(page: Page, first: int = 0, last: int | None = None) -> list[LabelledValue]:
    """Return the values that have a label, in document order: of a page, or of its blocks from `first` to `last`."""
    found: list[LabelledValue] = []
    count = len(page.starts)
    for each in _iterate(page, first, count if last is None else min(last, count)):
        found.append(each)
        if len(found) >= MAX_VALUES:
            break
    return found


def _iterate(page: Page, first: int, last: int) -> Iterator[LabelledValue]:
    texts, hidden, starts, stops = page.block_texts, page.hidden_blocks, page.starts, page.stops
    previous = -1
    for block in range(first, last):
        if hidden[block]:
            continue
        text = texts[block]
        if len(text) <= LABEL_CHARS + VALUE_CHARS:
            pair = _read_pair(page, previous, block) if previous >= first and len(text) <= VALUE_CHARS else None
            # most blocks are one leaf without a colon
            is_plain = stops[block] - starts[block] == 1 and ":" not in text and "：" not in text
            found = None if is_plain else _read_within(page, block)
            if pair and (not found or page.cells[page.owners[block]] >= 0):  # "13:00" in a cell is a value, no label
                yield pair
            if found:
                yield found
                yield from _read_leaves(page, block)
        previous = block


def _read_within(page: Page, block: int) -> LabelledValue | None:
    """Return the label and value of one block: separate elements, or a text with a colon."""
    owner = page.owners[block]
    leaves = Block(page, block).shown_leaves()
    if len(leaves) > 1:
        label, rest = page.texts[leaves[0]], "".join([(page.joints[i] or " ") + page.texts[i] for i in leaves[1:]])
        has_colon = label.rstrip()[-1:] in COLONS or rest.lstrip()[:1] in COLONS
        is_split = page.leaf_elements[leaves[0]] != page.leaf_elements[leaves[1]]
        if (has_colon or is_split) and (found := _make(label, rest, block, owner)):
            return found
    text = page.block_texts[block]
    for colon in "：:":
        label, mark, value = text.partition(colon)
        if mark and not value.startswith("//"):
            return _make(label, value, block, owner)
    return None


def _read_leaves(page: Page, block: int) -> Iterator[LabelledValue]:
    """Yield the leaves of a block that are "Label: value" themselves."""
    leaves = Block(page, block).shown_leaves()
    for leaf in leaves[:MAX_LEAVES] if len(leaves) > 1 else ():
        text = page.texts[leaf]
        if ":" not in text and "：" not in text:
            continue
        label, _, value = text.replace("：", ":").partition(":")
        if found := _make(label, value, block, page.owners[block]):
            yield found


def _read_pair(page: Page, before: int, block: int) -> LabelledValue | None:
    """Return a block as the value of the block before it: the next cell of its row, or after a colon."""
    texts, tags = page.block_texts, page.tags
    first, second = page.owners[before], page.owners[block]
    cells = page.cells
    left, right = cells[first], cells[second]
    if left >= 0 and right >= 0:
        row = page.parents[left]
        if left == right or row != page.parents[right]:
            return None
        is_row = page.cell_counts.get(row) == 2  # a row with more may have a picture beside label and value
        if is_row or texts[before][-1:] in COLONS:
            return _make(texts[before], texts[block], block, page.tables[second], is_row=is_row)
        return None
    if tags[first] == "dt" and tags[second] == "dd":
        return _make(texts[before], texts[block], block, page.parents[second], is_row=True)
    if texts[before][-1:] in COLONS or page.parents[first] == page.parents[second]:
        return _make(texts[before], texts[block], block, second)
    return None


def _make(label: str, value: str, block: int, element: int, *, is_row: bool = False) -> LabelledValue | None:
    label, value = label.strip(f" \n{COLONS}〈<[【"), value.strip(f" \n{COLONS}〉>]】")
    if not label or not value or len(label) > LABEL_CHARS or len(value) > VALUE_CHARS:
        return None
    return LabelledValue(label.replace("\n", " "), value.replace("\n", " "), block, is_row, element)
