"""Pages to start from: those that the user points to, and small shapes."""

from __future__ import annotations

import gzip
import json
import lzma
from typing import IO, TYPE_CHECKING

from scripts.fuzz.shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

__all__ = ["make_small_shapes", "open_lines", "read_pages", "sample_pages"]

LONGEST = 1_000_000  # characters; larger pages are left out
SMALL = (3, 40)  # the n of small shapes


def make_small_shapes() -> Iterator[tuple[str, str]]:
    """Every shape that is given as text, at small sizes, with its name."""
    for name, shape in SHAPES.items():
        for n in SMALL:
            made = shape.make(n)
            if isinstance(made, str):
                yield f"{name} × {n}", made


def read_pages(place: Path) -> Iterator[tuple[str, str]]:
    """The pages of a folder, or of JSON lines (`html`) in a file or in the files of a folder; with their names."""
    if place.is_dir():
        for file in sorted(place.rglob("*")):
            if ".jsonl" in file.suffixes or file.suffix in (".html", ".htm"):
                yield from read_pages(file)
    elif ".jsonl" in place.suffixes:
        with open_lines(place) as lines:
            for number, line in enumerate(lines):
                row = json.loads(line)
                if 0 < len(row.get("html") or "") <= LONGEST:
                    yield f"{place.name.split('.')[0]} {row.get('id', number)}", row["html"]
    else:
        yield place.name, place.read_text(encoding="utf-8", errors="replace")[:LONGEST]


def sample_pages(random: Random, place: Path, count: int) -> list[tuple[str, str]]:
    """So many of the pages, each as likely as any other; all of them need not fit into memory."""
    chosen: list[tuple[str, str]] = []
    for number, page in enumerate(read_pages(place)):
        if number < count:
            chosen.append(page)
        elif (at := random.randrange(number + 1)) < count:
            chosen[at] = page
    return chosen


def open_lines(file: Path) -> IO[str]:
    """Open a text file, packed or not."""
    if file.suffix == ".xz":
        return lzma.open(file, "rt", encoding="utf-8")
    return gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8")
