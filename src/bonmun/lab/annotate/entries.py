"""Index of a gold file: its records, their positions, and their labels.

A file may have any size and content. Only names, positions and labels are kept in memory; lines that cannot be used are
reported.
"""

from __future__ import annotations

import json
import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import BadGold
from bonmun.lab.annotate.records import read_draft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bonmun.lab.annotate.drafts import Draft

__all__ = ["GOLD_SUFFIX", "Entry", "copy_bytes", "read_entries", "write_record"]

GOLD_SUFFIX = ".jsonl"
RECORD_BYTES = 100_000_000  # per line; a page has at most 20 MB
COPIED_BYTES = 1_000_000  # per read
MAX_PROBLEMS = 20  # reported per line


@dataclass(frozen=True, slots=True)
class Entry:
    """A record in a gold file: its position, and its labels if it has any."""

    name: str
    start: int  # byte position
    stop: int
    draft: Draft | None


def read_entries(path: Path, report_problem: Callable[[str], None]) -> Iterator[Entry]:
    """Yield the records of a gold file; report lines without a record and invalid labels."""
    seen: set[str] = set()
    for number, start, line in _read_lines(path, report_problem):
        entry, problems = _read_entry(line, start)
        if entry and entry.name in seen:
            problems = [f"duplicate id {reprlib.repr(entry.name)}; the first record is used"]
        elif entry:
            seen.add(entry.name)
            yield entry
        for problem in problems[:MAX_PROBLEMS]:
            report_problem(f"{path.name}, line {number}: {problem}.")


def _read_lines(path: Path, report_problem: Callable[[str], None]) -> Iterator[tuple[int, int, bytes]]:
    """Yield each non-empty line with its number and position."""
    number, start = 0, 0
    try:
        with path.open("rb") as file:
            while line := file.readline(RECORD_BYTES):
                number += 1
                if len(line) == RECORD_BYTES and not line.endswith(b"\n"):
                    while (rest := file.readline(COPIED_BYTES)) and not rest.endswith(b"\n"):
                        pass
                    report_problem(f"{path.name}, line {number}: longer than {RECORD_BYTES:,} bytes.")
                elif line.strip():
                    yield number, start, line
                start = file.tell()
    except FileNotFoundError:
        return
    except OSError as problem:
        raise BadGold(f"{path.name} cannot be read: {problem.strerror}.") from None


def _read_entry(line: bytes, start: int) -> tuple[Entry | None, list[str]]:
    """Return the record of a line, or None, and its problems."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None, ["not JSON"]
    name = row.get("id") if isinstance(row, dict) else None
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str) or not name:
        return None, ["no id"]
    draft, problems = read_draft(row)
    return Entry(name, start, start + len(line), draft), problems


def write_record(record: Mapping[str, Any]) -> bytes:
    """Return a record as a line of JSON."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def copy_bytes(old: BinaryIO, new: BinaryIO, start: int, stop: int | None) -> None:
    """Copy the bytes of a file from `start` to `stop`, or to its end."""
    old.seek(start)
    left = None if stop is None else stop - start
    while data := old.read(COPIED_BYTES if left is None else min(left, COPIED_BYTES)):
        new.write(data)
        left = None if left is None else left - len(data)
