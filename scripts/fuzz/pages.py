"""Pages to start from: those given by the user, and small shapes."""

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

MAX_CHARACTERS = 1_000_000  # larger pages are left out
SMALL = (3, 40)  # sizes n of small shapes


def make_small_shapes() -> Iterator[tuple[str, str]]:
    """Yield every text shape at small sizes, with its name."""
    for name, shape in SHAPES.items():
        for n in SMALL:
            made = shape.make(n)
            if isinstance(made, str):
                yield f"{name} × {n}", made


def read_pages(place: Path) -> Iterator[tuple[str, str]]:
    """Yield the names and HTML of the pages in a folder, or in JSON Lines files (`html`)."""
    if place.is_dir():
        for file in sorted(place.rglob("*")):
            if ".jsonl" in file.suffixes or file.suffix in (".html", ".htm"):
                yield from read_pages(file)
    elif ".jsonl" in place.suffixes:
        with open_lines(place) as lines:
            for number, line in enumerate(lines):
                row = json.loads(line)
                if 0 < len(row.get("html") or "") <= MAX_CHARACTERS:
                    yield f"{place.name.split('.')[0]} {row.get('id', number)}", row["html"]
    else:
        yield place.name, place.read_text(encoding="utf-8", errors="replace")[:MAX_CHARACTERS]


def sample_pages(random: Random, place: Path, count: int) -> list[tuple[str, str]]:
    """Return a uniform sample of the pages, without loading all of them into memory."""
    chosen: list[tuple[str, str]] = []
    for number, page in enumerate(read_pages(place)):
        if number < count:
            chosen.append(page)
        elif (at := random.randrange(number + 1)) < count:
            chosen[at] = page
    return chosen


def open_lines(file: Path) -> IO[str]:
    """Open a text file, compressed or not."""
    if file.suffix == ".xz":
        return lzma.open(file, "rt", encoding="utf-8")
    return gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8")
