"""Measure every system on every test page: LCS in words, and Block. Rows are appended to one file.

LCS compares texts; Block compares multisets of the texts of elements that contain only text. On every fourth page LCS
is also measured in characters, which takes ten times as long.
"""

from __future__ import annotations

import json
import sys
import zlib
from typing import TYPE_CHECKING, Any

from bonmun.lab.evaluate.metrics.texts import Lcs, Rouge
from bonmun.text.words import compare_counts
from scripts.visual.systems import Found, find_gold_elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from scripts.visual.pages import RenderedPage

__all__ = ["FIGURES", "measure", "measure_page", "read_scores"]

FIGURES = ("precision", "recall", "f1", "f0.5")
CHARACTER_PAGES = 4  # one in this many pages
MAX_CHARACTERS = 50_000  # of a text that is compared character by character

Row = dict[str, Any]


def measure(
    pages: Iterable[RenderedPage],
    systems: Mapping[str, Callable[[RenderedPage], Found | None]],
    path: Path,
    done: set[tuple[str, str, str]],
) -> None:
    """Measure the missing pages and systems, and write the results page by page."""
    with path.open("a", encoding="utf-8") as file:
        for one in pages:
            left = {name: run for name, run in systems.items() if (one.set, one.example.id, name) not in done}
            for row in measure_page(one, left) if left else ():
                file.write(json.dumps(row) + "\n")
            file.flush()


def measure_page(one: RenderedPage, systems: Mapping[str, Callable[[RenderedPage], Found | None]]) -> Iterable[Row]:
    """Return the results of some systems on one page; a system that fails has an empty result."""
    gold, elements = one.example.text or "", find_gold_elements(one)
    in_characters = zlib.crc32(one.example.id.encode()) % CHARACTER_PAGES == 0
    for name, run in systems.items():
        try:
            found = run(one)
        except RuntimeError as error:
            print(f"{one.set} {one.example.id} {name}: {error}", file=sys.stderr)
            found = Found("", type(elements)())
        if found is None:
            continue
        block = compare_counts(found.elements, elements)
        lcs = Rouge()(found.text, gold)
        row: Row = {
            "set": one.set,
            "id": one.example.id,
            "lang": one.lang,
            "part": one.part,
            "system": name,
            "lcs": [round(lcs[figure], 4) for figure in FIGURES],
            "block": [round(value, 4) for value in (block.precision, block.recall, block.f1, block.f(0.5))],
        }
        if in_characters and len(found.text) + len(gold) <= MAX_CHARACTERS:
            row["characters"] = round(Lcs()(found.text, gold)["f1"], 4)
        yield row


def read_scores(path: Path) -> list[Row]:
    """Read all results so far."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
