"""Sources in, records out: folders, files and standard input, one record at a time and always in the same order.

What is no page is skipped and counted; a file that is damaged gives what it has before the damage, and is named.
"""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bonmun.corpus.compression import DAMAGED, unpack
from bonmun.corpus.formats import read_jsonl, read_page, read_warc
from bonmun.corpus.parquet_rows import read_parquet
from bonmun.corpus.records import RecordMaker
from bonmun.corpus.warc_stream import JunkFound
from bonmun.errors import BadConfig, MissingInput
from bonmun.options import DEFAULTS

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

    from bonmun.corpus.records import Record

__all__ = ["ENDINGS", "FORMAT", "STREAMS", "Reader", "guard"]

STREAMS = {"page": read_page, "jsonl": read_jsonl, "warc": read_warc}  # formats that are read from open files
FORMAT = re.compile(  # by the name of a file
    r"\.(?:(?P<page>x?html?|snapshot)(?:\.gz)?|(?P<jsonl>jsonl|ndjson)(?:\.gz|\.xz|\.zst)?|(?P<parquet>parquet)"
    r"|(?P<warc>warc)(?:\.gz|\.zst)?)$",
    re.I,
)
ENDINGS = ".html, .snapshot, .jsonl (.gz, .xz, .zst), .parquet or .warc (.gz)"
SNIFFED_BYTES = 64  # of standard input, which say what it is


class Reader:
    """The records of some sources; see `RecordMaker` for `site`."""

    def __init__(self, names: Sequence[str], site: str | None = None, max_bytes: int = DEFAULTS.max_bytes) -> None:
        self.maker = RecordMaker(site, max_bytes)
        self.damaged: list[str] = []  # a sentence each
        self.read = 0  # bytes of the sources so far
        self.names = list(names)
        for name in names:
            _check_source(name)
        if self.names.count("-") > 1:
            raise BadConfig("Standard input can be read once; give - once.")
        self.total = sum(_measure(Path(name)) for name in names if name != "-")  # bytes

    @property
    def skipped(self) -> Counter[str]:
        """What is no page, by reason."""
        return self.maker.skipped

    def identify(self) -> list[list[Any]]:
        """What tells these sources from others: their names, sizes and times."""
        return [_identify(name) for name in self.names]

    def __iter__(self) -> Iterator[Record]:
        self.skipped.clear()
        self.damaged.clear()
        self.read = 0
        for name in self.names:
            if name == "-":
                yield from self._read_standard_input()
            elif Path(name).is_dir():
                yield from self._read_folder(Path(name))
            else:
                yield from self._read_file(Path(name), PurePosixPath(Path(name).name))

    def _read_folder(self, folder: Path) -> Iterator[Record]:
        """All files below a folder that we can read, by name."""
        for place, folders, files in os.walk(folder, onerror=self._name_unlisted):
            folders.sort()
            for file in sorted(files):
                path = Path(place, file)
                if FORMAT.search(file):
                    inside = PurePosixPath(path.relative_to(folder).as_posix())
                    yield from self._read_file(path, inside, folder.resolve().name)

    def _name_unlisted(self, problem: OSError) -> None:
        self.damaged.append(f"{problem.filename}: cannot be listed: {problem.strerror}.")

    def _read_file(self, path: Path, name: PurePosixPath, source: str | None = None) -> Iterator[Record]:
        found = FORMAT.search(path.name)
        assert found
        source = source or FORMAT.sub("", path.name)
        before, size = self.read, _measure(path)
        if found["parquet"]:

            def at(share: float) -> None:
                self.read = before + int(size * share)

            records = read_parquet(path, source, str(name), self.maker, at)
        else:
            records = self._read_stream(path, str(found.lastgroup), source, str(name))
        yield from guard(str(path), records, self.damaged)
        self.read = before + size

    def _read_stream(self, path: Path, format_: str, source: str, name: str) -> Iterator[Record]:
        before = self.read
        with path.open("rb") as file:
            for record in STREAMS[format_](file, source, name, self.maker):
                if file.seekable():
                    self.read = before + file.tell()
                yield record

    def _read_standard_input(self) -> Iterator[Record]:
        """WARC, JSON lines or one page, packed or not: the first bytes tell."""
        if sys.stdin is None:
            raise MissingInput("Standard input is closed.")
        stream = io.BufferedReader(cast("io.RawIOBase", sys.stdin.buffer))
        yield from guard("standard input", self._sniff(stream), self.damaged)

    def _sniff(self, stream: io.BufferedReader[io.RawIOBase]) -> Iterator[Record]:
        plain = io.BufferedReader(cast("io.RawIOBase", unpack(stream)))
        start = plain.peek(SNIFFED_BYTES)[:SNIFFED_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
        if start.startswith(b"PAR1"):
            raise BadConfig("Parquet cannot be read from standard input: give the file.")
        format_ = "warc" if start.startswith(b"WARC/") else "jsonl" if start.startswith(b"{") else "page"
        yield from STREAMS[format_](cast("BinaryIO", plain), "stdin", "stdin", self.maker)


def guard(name: str, records: Iterator[Record], damaged: list[str]) -> Iterator[Record]:
    """Records up to where a source is damaged, which then is said in a sentence."""
    number = 0
    try:
        for record in records:
            number += 1
            yield record
    except JunkFound as problem:
        damaged.append(f"{name}: damaged, but read to its end: {problem}.")
    except DAMAGED as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        after = f"after {number:,} pages" if number else "at its start"
        damaged.append(f"{name}: damaged or cut short {after}: {_join_lines(reason)}.")


def _check_source(name: str) -> None:
    """Raise what is wrong with a source before any work is done."""
    path = Path(name)
    try:
        exists = name == "-" or path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists or not name:
        raise BadConfig(f"{name or 'An empty name'}: there is no such file or folder.")
    if name != "-" and not path.is_dir() and not FORMAT.search(path.name):
        raise BadConfig(f"{name}: pages are read from folders and from files that end in {ENDINGS}.")


def _identify(name: str) -> list[Any]:
    path = Path(name)
    if name == "-":
        return [name]
    if path.is_dir():  # the time of a folder says nothing of what is in its folders
        return [str(path.resolve()), sum(1 for _, _, files in os.walk(path) for _ in files), _measure(path)]
    found = path.stat()
    return [str(path.resolve()), found.st_size, found.st_mtime_ns]


def _measure(path: Path) -> int:
    """The size of a file, or of all that we can read below a folder, in bytes."""
    try:
        if not path.is_dir():
            return path.stat().st_size
        total = 0
        for place, _, files in os.walk(path):
            total += sum(Path(place, file).stat().st_size for file in files if FORMAT.search(file))
    except OSError:
        return 0
    return total


def _join_lines(text: str) -> str:
    return " ".join(text.split()).rstrip(".") or "no reason is given"
