"""Measure the agreement between gold files of several annotators."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from bonmun.errors import BadGold, BonmunError
from bonmun.lab.annotate.agreement import Agreement, DisputedBlock, measure_alpha
from bonmun.lab.annotate.drafts import DROP
from bonmun.lab.annotate.entries import GOLD_SUFFIX, Entry, read_entries
from bonmun.lab.annotate.records import place_labels
from bonmun.page import Page
from bonmun.text.readable import cut_text, make_readable
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["compare_gold_files"]

MAX_PROBLEMS = 20  # listed
TEXT_CHARS = 200  # shown of a disputed block


def compare_gold_files(paths: Sequence[Path], most: int = 10) -> Agreement:
    """Return the agreement between gold files, with at most `most` disputed blocks."""
    problems: list[str] = []
    names = _name_annotators(paths)
    files = {
        name: {entry.name: entry for entry in read_entries(path, problems.append) if entry.draft}
        for name, path in zip(names, paths, strict=True)
    }
    places = dict(zip(names, paths, strict=True))
    units: list[tuple[str | None, ...]] = []
    disputed: list[tuple[int, DisputedBlock]] = []
    count = 0
    for page in dict.fromkeys(page for entries in files.values() for page in entries):
        found = {name: entries[page] for name, entries in files.items() if page in entries}
        if len(found) < 2:
            continue
        try:
            rows, read = _read_page(page, found, places, problems)
        except BonmunError as problem:
            problems.append(f"{make_readable(page)}: {problem}")
            continue
        count += 1
        for row, block in enumerate(read.blocks):
            said = {name: labels.get(row, DROP) for name, labels in rows.items()}
            units.append(tuple(said.get(name) for name in files))
            if len(set(said.values())) > 1:
                text = cut_text(make_readable(block.text), TEXT_CHARS)
                each = DisputedBlock(make_readable(page), block.xpath, text, said)
                disputed.append((len(WORD.findall(block.text)), each))
    disputed.sort(key=lambda each: -each[0])
    kept = [tuple(None if label is None else label == "keep" for label in unit) for unit in units]
    return Agreement(
        names,
        count,
        len(units),
        measure_alpha(units),
        measure_alpha(kept),
        tuple(each for _, each in disputed[:most]),
        tuple(problems[:MAX_PROBLEMS]),
    )


def _name_annotators(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return the annotators' names; raise BadGold for fewer than two files, or two with the same name."""
    names = tuple(path.name.removesuffix(GOLD_SUFFIX) for path in paths)
    if len(set(names)) < max(2, len(names)):
        raise BadGold(
            "Agreement needs two or more gold files with different names: each file is named after its annotator."
        )
    for path in paths:
        if not path.is_file():
            raise BadGold(f"{path}: there is no such file.")
    return names


def _read_page(
    page: str, found: dict[str, Entry], places: dict[str, Path], problems: list[str]
) -> tuple[dict[str, dict[int, str]], Page]:
    """Return each annotator's labels by row, on the page in the first gold file."""
    first = next(iter(found))
    record = None
    with suppress(OSError, ValueError, RecursionError), places[first].open("rb") as file:
        file.seek(found[first].start)
        record = json.loads(file.read(found[first].stop - found[first].start))
    if not isinstance(record, dict):
        raise BadGold("the file was changed while it was read; compare again.")
    html, url = record.get("html"), record.get("url")
    if not isinstance(html, str):
        raise BadGold("the record has no html field.")
    read = Page.parse(html, url if isinstance(url, str) else None)
    rows: dict[str, dict[int, str]] = {}
    for name, entry in found.items():
        placed = place_labels(read, entry.draft.labels if entry.draft else {})
        rows[name] = dict(placed.rows)
        if loss := placed.describe_loss():
            problems.append(f"{make_readable(page)}, {name}: {loss}")
    return rows, read
