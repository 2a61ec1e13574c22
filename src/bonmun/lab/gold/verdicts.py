"""Verdicts of readers on the golds of labelled sets: read them, and apply them.

A verdict file is JSON lines, one per page that somebody read:

| key | meaning |
|---|---|
| page | hash of the page and its URL (`Example.page_hash`): a verdict holds for the same page in any set |
| set, id | for people: where the page was found |
| verdict | `right`, `relabelled` or `dropped` (unusable) |
| keep, comment, unsure | of a relabelled page: its blocks with that label, as ranges of rows such as `3-5,8` |
| blocks | of a relabelled page: the number of its blocks. If it has changed, the rows are no longer valid |
| kind, why | of a relabelled page, its kind; the reason in a few words |
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig
from bonmun.lab.gold.block_labels import COMMENT, KEEP, UNSURE, BlockLabel
from bonmun.lab.gold.examples import BrokenRecord, Example
from bonmun.lab.gold.records import READ_ERRORS, open_compressed, read_lines
from bonmun.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["DROPPED", "RELABELLED", "RIGHT", "Verdict", "apply_verdict", "read_ranges", "read_verdicts", "write_ranges"]

RIGHT, RELABELLED, DROPPED = "right", "relabelled", "dropped"
VERDICTS = (RIGHT, RELABELLED, DROPPED)
BLOCK_LABELS = (KEEP, COMMENT, UNSURE)
MAX_ROWS = 1_000_000  # of a page


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader said about the gold of a page."""

    page: str  # page hash
    verdict: str
    blocks: int = 0  # of the page
    rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # of blocks, by label
    kind: str | None = None
    why: str | None = None


def read_verdicts(path: Path) -> dict[str, Verdict]:
    """Read a verdict file, by page hash; raise BadConfig at a line that is not a verdict."""
    found: dict[str, Verdict] = {}
    try:
        with open_compressed(path) as file:
            for number, line in enumerate(read_lines(file), 1):
                if line.strip():
                    verdict = _read_verdict(f"{path}, line {number}", line)
                    found[verdict.page] = verdict
    except READ_ERRORS as problem:
        raise BadConfig(f"{path}: this file of verdicts cannot be read ({problem}).") from None
    return found


def _read_verdict(place: str, line: bytes) -> Verdict:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise BadConfig(f"{place}: not a line of JSON.") from None
    if not isinstance(row, dict) or row.get("verdict") not in VERDICTS or not isinstance(row.get("page"), str):
        raise BadConfig(f"{place}: a verdict needs a page and one of {', '.join(VERDICTS)}.")
    try:
        rows = {label: tuple(read_ranges(row.get(label) or "")) for label in BLOCK_LABELS}
    except (ValueError, AttributeError):
        raise BadConfig(f"{place}: keep, comment and unsure must be ranges of rows, such as 3-5,8.") from None
    blocks = row.get("blocks", 0)
    if not isinstance(blocks, int) or max((each for some in rows.values() for each in some), default=-1) >= blocks > 0:
        raise BadConfig(f"{place}: a row is not one of the page's blocks.")
    texts = {key: row[key] if isinstance(row.get(key), str) else None for key in ("kind", "why")}
    return Verdict(row["page"], row["verdict"], blocks, rows, **texts)


def apply_verdict(example: Example, verdict: Verdict | None) -> Example | BrokenRecord:
    """Return the example with the gold of its verdict; a broken record if it was dropped or the page has changed."""
    if verdict is None or verdict.verdict == RIGHT:
        return example
    if verdict.verdict == DROPPED:
        return BrokenRecord(example.id, f"dropped by its verdict: {verdict.why or 'no reason given'}")
    page = Page.parse(example.html, example.url)
    if len(page.starts) != verdict.blocks:
        return BrokenRecord(example.id, "its verdict is about a page with another number of blocks")
    texts = {label: "\n".join(page.block_texts[row] for row in rows) for label, rows in verdict.rows.items()}
    labels = {row: label for label in reversed(BLOCK_LABELS) for row in verdict.rows.get(label, ())}  # keep wins
    return replace(
        example,
        text=texts.get(KEEP, ""),
        comments=texts.get(COMMENT) or None,
        kind=verdict.kind or example.kind,
        labels=tuple(BlockLabel(page.blocks[row].xpath, label) for row, label in sorted(labels.items())),
        markdown=None,
        cov=1.0,
    )


def read_ranges(text: str) -> Iterator[int]:
    """Yield the rows of ranges such as `3-5,8`; raise ValueError if they are not ranges."""
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        if int(last or first) >= MAX_ROWS:
            raise ValueError(f"more than {MAX_ROWS:,} blocks")
        yield from range(int(first), int(last or first) + 1)


def write_ranges(rows: Iterable[int]) -> str:
    """Write ascending rows as ranges.

    >>> write_ranges([3, 4, 5, 8])
    '3-5,8'
    """
    ranges: list[list[int]] = []
    for row in rows:
        if ranges and row == ranges[-1][-1] + 1:
            ranges[-1] = [ranges[-1][0], row]
        else:
            ranges.append([row])
    return ",".join("-".join(map(str, each)) for each in ranges)
