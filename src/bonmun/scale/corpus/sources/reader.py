"""Sources in, records out: folders, files and standard input, one record at a time and always in the same order.

What is no page is skipped and counted; a file that is damaged gives what it has before the damage, and is named.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bonmun.errors import BadConfig, MissingInput
from bonmun.options import DEFAULTS
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress
from bonmun.scale.corpus.sources.formats import read_jsonl, read_page, read_warc
from bonmun.scale.corpus.sources.page_files import find_files, is_page_file
from bonmun.scale.corpus.sources.parquet_rows import read_parquet
from bonmun.scale.corpus.sources.records import RecordMaker
from bonmun.scale.corpus.sources.source_columns import check_columns, name_missing
from bonmun.scale.corpus.sources.warc_stream import JunkFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.scale.corpus.sources.records import Record

__all__ = ["ENDINGS", "FORMAT", "STREAMS", "Reader", "find_crawl_pages", "find_format", "guard"]

STREAMS = {"page": read_page, "jsonl": read_jsonl, "warc": read_warc}  # formats that are read from open files
FORMAT = re.compile(  # by the name of a file
    r"\.(?:(?P<page>x?html?|mht|mhtml|webarchive|snapshot)(?:\.gz|\.xz|\.zst)?|(?P<jsonl>jsonl|ndjson)(?:\.gz|\.xz|\.zst)?|(?P<parquet>parquet)"
    r"|(?P<warc>warc)(?:\.gz|\.zst)?)$",
    re.I,
)
ENDINGS = ".html, .mhtml, .snapshot, .jsonl (.gz, .xz, .zst), .parquet or .warc (.gz)"
SNIFFED_BYTES = 64  # of standard input, which say what it is
CRAWL_PLAN, CRAWL_WARCS = "plan.json", "warc"  # what tells the folder of a crawl from others


class Reader:
    """The records of some sources; see `RecordMaker` for `site` and the names of columns."""

    def __init__(
        self,
        names: Sequence[str],
        site: str | None = None,
        max_bytes: int = DEFAULTS.max_bytes,
        html_column: str | None = None,
        url_column: str | None = None,
    ) -> None:
        self.maker = RecordMaker(site, max_bytes, html_column, url_column)
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

    def check_columns(self) -> None:
        """Raise if a file has no column of pages; of a folder the first file is asked, the others later, one by one."""
        for name in self.names:
            if name != "-":
                first = _find_first(Path(name)) if Path(name).is_dir() else Path(name)
                if first and (found := FORMAT.search(first.name)):
                    check_columns(first, str(found.lastgroup), self.maker)

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
        """All files below a folder that we can read, by name, and those that look like pages."""
        for path, is_read in find_files(find_crawl_pages(folder), self.skipped, FORMAT.search, self._name_unlisted):
            if is_read:
                inside = PurePosixPath(path.relative_to(folder).as_posix())
                yield from self._read_file(path, inside, folder.resolve().name)
            else:
                self.read += _measure(path)

    def _name_unlisted(self, problem: OSError) -> None:
        self.damaged.append(f"{problem.filename}: cannot be listed: {problem.strerror}.")

    def _read_file(self, path: Path, name: PurePosixPath, source: str | None = None) -> Iterator[Record]:
        format_ = find_format(path.name)
        source = source or FORMAT.sub("", path.name)
        before, size = self.read, _measure(path)
        if format_ == "parquet":

            def at(share: float) -> None:
                self.read = before + int(size * share)

            records = read_parquet(path, source, str(name), self.maker, at)
        else:
            records = self._read_stream(path, format_, source, str(name))
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
        are_there = False
        for record in guard("standard input", self._sniff(stream), self.damaged):
            are_there = True
            yield record
        if self.maker.unused and not are_there:
            html = self.maker.columns["html"]
            raise BadConfig(name_missing("Standard input", "html", html, self.maker.unused))

    def _sniff(self, stream: io.BufferedReader[io.RawIOBase]) -> Iterator[Record]:
        plain = io.BufferedReader(cast("io.RawIOBase", decompress(stream)))
        start = plain.peek(SNIFFED_BYTES)[:SNIFFED_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
        if start.startswith(b"PAR1"):
            raise BadConfig("Parquet cannot be read from standard input: give the file.")
        format_ = "warc" if start.startswith(b"WARC/") else "jsonl" if start.startswith(b"{") else "page"
        yield from STREAMS[format_](cast("BinaryIO", plain), "stdin", "stdin", self.maker)


def find_format(name: str) -> str:
    """The format of a file that is read, by its name; what has another ending is a page."""
    found = FORMAT.search(name)
    return str(found.lastgroup) if found else "page"


def guard(name: str, records: Iterator[Record], damaged: list[str]) -> Iterator[Record]:
    """Records up to where a source is damaged, which then is said in a sentence."""
    number = 0
    try:
        for record in records:
            number += 1
            yield record
    except JunkFound as problem:
        damaged.append(f"{name}: damaged, but read to its end: {problem}.")
    except DAMAGE_ERRORS as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        after = f"after {number:,} pages" if number else "at its start"
        damaged.append(f"{name}: damaged or cut short {after}: {_join_lines(reason)}.")


def find_crawl_pages(folder: Path) -> Path:
    """Where the pages of a folder are: of one that `bonmun crawl` made, in its WARC files alone."""
    is_crawl = (folder / CRAWL_PLAN).is_file() and (folder / CRAWL_WARCS).is_dir()
    return folder / CRAWL_WARCS if is_crawl else folder


def _find_first(folder: Path) -> Path | None:
    """The first file below a folder that we can read, by its name."""
    files = (path for path, is_read in find_files(find_crawl_pages(folder), Counter(), FORMAT.search) if is_read)
    return next((path for path in files if FORMAT.search(path.name)), None)


def _check_source(name: str) -> None:
    """Raise what is wrong with a source before any work is done."""
    path = Path(name)
    try:
        exists = name == "-" or path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists or not name:
        raise BadConfig(f"{name or 'An empty name'}: there is no such file or folder.")
    if name != "-" and not path.is_dir() and not FORMAT.search(path.name) and not _is_page(path):
        raise BadConfig(f"{name}: pages are read from folders and from files that end in {ENDINGS}.")


def _is_page(path: Path) -> bool:
    try:
        return path.is_file() and is_page_file(path)
    except OSError:
        return False


def _identify(name: str) -> list[Any]:
    path = Path(name)
    if name == "-":
        return [name]
    if path.is_dir():  # the time of a folder says nothing of what is in its folders
        pages = find_crawl_pages(path)
        return [str(path.resolve()), sum(1 for _, _, files in os.walk(pages) for _ in files), _measure(path)]
    found = path.stat()
    return [str(path.resolve()), found.st_size, found.st_mtime_ns]


def _measure(path: Path) -> int:
    """The size of a file, or of all files below a folder, in bytes."""
    try:
        if not path.is_dir():
            return path.stat().st_size
    except OSError:
        return 0
    return sum(_measure(Path(place, file)) for place, _, files in os.walk(find_crawl_pages(path)) for file in files)


def _join_lines(text: str) -> str:
    return " ".join(text.split()).rstrip(".") or "no reason is given"
