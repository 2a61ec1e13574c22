"""The lines of a gold file: which records there are, where each stands, and its labels.

A file may be of any size and hold anything: nothing of it stays in memory but names, places and labels, and a line that
cannot be used is a sentence.
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

__all__ = ["ENDING", "Entry", "copy_bytes", "read_entries", "write_record"]

ENDING = ".jsonl"
RECORD_BYTES = 100_000_000  # of a line of a gold file: a page has at most 20 MB
COPIED_BYTES = 1_000_000  # at a time
MAX_PROBLEMS = 20  # of a line that are named


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a gold file that holds a record: where it is, and its labels if it has any."""

    name: str
    start: int  # in bytes
    stop: int
    draft: Draft | None


def read_entries(path: Path, tell: Callable[[str], None]) -> Iterator[Entry]:
    """The records of a gold file; `tell` hears a sentence for each line that holds none, or labels that are none."""
    seen: set[str] = set()
    for number, start, line in _read_lines(path, tell):
        entry, problems = _read_entry(line, start)
        if entry and entry.name in seen:
            problems = [f"there are two of the id {reprlib.repr(entry.name)}; the first counts"]
        elif entry:
            seen.add(entry.name)
            yield entry
        for problem in problems[:MAX_PROBLEMS]:
            tell(f"{path.name}, line {number}: {problem}.")


def _read_lines(path: Path, tell: Callable[[str], None]) -> Iterator[tuple[int, int, bytes]]:
    """Each line that is not empty, with its number and where it starts."""
    number, start = 0, 0
    try:
        with path.open("rb") as file:
            while line := file.readline(RECORD_BYTES):
                number += 1
                if len(line) == RECORD_BYTES and not line.endswith(b"\n"):
                    while (rest := file.readline(COPIED_BYTES)) and not rest.endswith(b"\n"):
                        pass
                    tell(f"{path.name}, line {number}: it is longer than {RECORD_BYTES:,} bytes.")
                elif line.strip():
                    yield number, start, line
                start = file.tell()
    except FileNotFoundError:
        return
    except OSError as problem:
        raise BadGold(f"{path.name} cannot be read: {problem.strerror}.") from None


def _read_entry(line: bytes, start: int) -> tuple[Entry | None, list[str]]:
    """A record, or None for a line that holds none; and what is wrong with it."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None, ["it is no JSON"]
    name = row.get("id") if isinstance(row, dict) else None
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str) or not name:
        return None, ["it has no id"]
    draft, problems = read_draft(row)
    return Entry(name, start, start + len(line), draft), problems


def write_record(record: Mapping[str, Any]) -> bytes:
    """A record as a line of JSON."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def copy_bytes(old: BinaryIO, new: BinaryIO, start: int, stop: int | None) -> None:
    """Copy the bytes of a file from one place to another, or to its end."""
    old.seek(start)
    left = None if stop is None else stop - start
    while data := old.read(COPIED_BYTES if left is None else min(left, COPIED_BYTES)):
        new.write(data)
        left = None if left is None else left - len(data)
