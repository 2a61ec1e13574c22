"""Read records from folders, files and standard input, one at a time and always in the same order.

What is not a page is skipped and counted. A damaged file is reported, and its records before the damage are read.
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
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress, describe_damage
from bonmun.scale.corpus.sources.formats import read_jsonl, read_page, read_warc
from bonmun.scale.corpus.sources.page_files import find_files, is_page_file
from bonmun.scale.corpus.sources.parquet_rows import read_parquet
from bonmun.scale.corpus.sources.records import RecordMaker
from bonmun.scale.corpus.sources.source_columns import check_columns, describe_missing_column
from bonmun.scale.corpus.sources.wacz import read_wacz
from bonmun.scale.corpus.sources.warc_stream import JunkFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.scale.corpus.sources.records import Record

__all__ = [
    "EXTENSIONS",
    "STREAM_READERS",
    "Reader",
    "drop_extension",
    "find_crawl_pages",
    "find_format",
    "make_missing_error",
    "make_unsupported_error",
    "match_format",
    "read_until_damage",
]

STREAM_READERS = {"page": read_page, "jsonl": read_jsonl, "warc": read_warc, "wacz": read_wacz}  # by format
EXTENSION = re.compile(  # its groups are formats
    r"\.(?:(?P<page>x?html?|mht|mhtml|webarchive|snapshot)(?:\.gz|\.xz|\.zst)?|(?P<jsonl>jsonl|ndjson)(?:\.gz|\.xz|\.zst)?|(?P<parquet>parquet)"
    r"|(?P<warc>warc)(?:\.gz|\.zst)?|(?P<wacz>wacz))$",
    re.I,
)
EXTENSIONS = ".html, .mhtml, .snapshot, .jsonl (.gz, .xz, .zst), .parquet, .warc (.gz) or .wacz"
SNIFFED_BYTES = 64  # of standard input, to detect its format
CRAWL_PLAN, CRAWL_WARCS = "plan.json", "warc"  # file and folder in the output folder of a crawl


class Reader:
    """The records of several sources; see `RecordMaker` for `site` and the names of columns."""

    def __init__(
        self,
        names: Sequence[str],
        site: str | None = None,
        max_bytes: int = DEFAULTS.max_bytes,
        html_column: str | None = None,
        url_column: str | None = None,
    ) -> None:
        self.maker = RecordMaker(site, max_bytes, html_column, url_column)
        self.damaged: list[str] = []  # a message for each damaged file
        self.read = 0  # bytes read so far
        self.names = list(names)
        for name in names:
            _check_source(name)
        if self.names.count("-") > 1:
            raise BadConfig("Standard input can be read only once; give - once.")
        self.total = sum(_measure(Path(name)) for name in names if name != "-")  # bytes

    @property
    def skipped(self) -> Counter[str]:
        """What was skipped, by reason."""
        return self.maker.skipped

    def check_columns(self) -> None:
        """Raise BadConfig if a file, or the first file of a folder, lacks a needed column."""
        for name in self.names:
            if name != "-":
                first = _find_first(Path(name)) if Path(name).is_dir() else Path(name)
                if first and (format_ := match_format(first.name)):
                    check_columns(first, format_, self.maker)

    def identify(self) -> list[list[Any]]:
        """Return what identifies the sources: their names, sizes and times."""
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
        """Yield the records of all files in a folder that have a known extension or look like a page."""
        for path, is_read in find_files(find_crawl_pages(folder), self.skipped, match_format, self._note_unlisted):
            if is_read:
                inside = PurePosixPath(path.relative_to(folder).as_posix())
                yield from self._read_file(path, inside, folder.resolve().name)
            else:
                self.read += _measure(path)

    def _note_unlisted(self, problem: OSError) -> None:
        self.damaged.append(f"{problem.filename}: cannot be listed: {problem.strerror}.")

    def _read_file(self, path: Path, name: PurePosixPath, source: str | None = None) -> Iterator[Record]:
        format_ = find_format(path.name)
        source = source or drop_extension(path.name)
        before, size = self.read, _measure(path)
        if format_ == "parquet":

            def at(share: float) -> None:
                self.read = before + int(size * share)

            records = read_parquet(path, source, str(name), self.maker, at)
        else:
            records = self._read_stream(path, format_, source, str(name))
        yield from read_until_damage(str(path), records, self.damaged)
        self.read = before + size

    def _read_stream(self, path: Path, format_: str, source: str, name: str) -> Iterator[Record]:
        before = self.read
        with path.open("rb") as file:
            for record in STREAM_READERS[format_](file, source, name, self.maker):
                if file.seekable():
                    self.read = before + file.tell()
                yield record

    def _read_standard_input(self) -> Iterator[Record]:
        """Yield the records of standard input. Its format is detected by the first bytes."""
        if sys.stdin is None:
            raise MissingInput("Standard input is closed.")
        stream = io.BufferedReader(cast("io.RawIOBase", sys.stdin.buffer))
        has_records = False
        for record in read_until_damage("standard input", self._read_detected(stream), self.damaged):
            has_records = True
            yield record
        if self.maker.unused and not has_records:
            html = self.maker.columns["html"]
            raise BadConfig(describe_missing_column("Standard input", "html", html, self.maker.unused))

    def _read_detected(self, stream: io.BufferedReader[io.RawIOBase]) -> Iterator[Record]:
        plain = io.BufferedReader(cast("io.RawIOBase", decompress(stream)))
        start = plain.peek(SNIFFED_BYTES)[:SNIFFED_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
        if start.startswith(b"PAR1"):
            raise BadConfig("Parquet cannot be read from standard input; give the file.")
        format_ = "warc" if start.startswith(b"WARC/") else "jsonl" if start.startswith(b"{") else "page"
        yield from STREAM_READERS[format_](cast("BinaryIO", plain), "stdin", "stdin", self.maker)


def match_format(name: str) -> str | None:
    """Return the format of a file by its extension; None if it is unknown."""
    found = EXTENSION.search(name)
    return found.lastgroup if found else None


def find_format(name: str) -> str:
    """Return the format of a file by its extension; a file with another extension is a page."""
    return match_format(name) or "page"


def drop_extension(name: str) -> str:
    """Return a file name without its extension, if that is a known one."""
    return EXTENSION.sub("", name)


def read_until_damage(name: str, records: Iterator[Record], damaged: list[str]) -> Iterator[Record]:
    """Yield records up to the point where a source is damaged. Add a message to `damaged` then."""
    number = 0
    try:
        for record in records:
            number += 1
            yield record
    except JunkFound as problem:
        damaged.append(f"{name}: damaged, but read to the end: {problem}.")
    except DAMAGE_ERRORS as problem:
        where = f"after {number:,} pages" if number else "at the start"
        damaged.append(f"{name}: damaged or truncated {where}: {describe_damage(problem)}.")


def find_crawl_pages(folder: Path) -> Path:
    """Return the folder that contains the pages: the WARC folder if `bonmun crawl` made the folder."""
    is_crawl = (folder / CRAWL_PLAN).is_file() and (folder / CRAWL_WARCS).is_dir()
    return folder / CRAWL_WARCS if is_crawl else folder


def _find_first(folder: Path) -> Path | None:
    """Return the first file of a folder with a known extension."""
    files = (path for path, is_read in find_files(find_crawl_pages(folder), Counter(), match_format) if is_read)
    return next((path for path in files if match_format(path.name)), None)


def _check_source(name: str) -> None:
    """Raise BadConfig if a source does not exist or is not supported."""
    path = Path(name)
    try:
        exists = name == "-" or path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists or not name:
        raise make_missing_error(name)
    if name != "-" and not path.is_dir() and not match_format(path.name) and not _is_page(path):
        raise make_unsupported_error(name)


def make_missing_error(name: str) -> BadConfig:
    """Return the error for a source that does not exist."""
    return BadConfig(f"{name or 'An empty name'}: no such file or folder.")


def make_unsupported_error(name: str) -> BadConfig:
    """Return the error for a file of another format."""
    return BadConfig(f"{name}: not supported; pages are read from folders and from files that end in {EXTENSIONS}.")


def _is_page(path: Path) -> bool:
    try:
        return path.is_file() and is_page_file(path)
    except OSError:
        return False


def _identify(name: str) -> list[Any]:
    path = Path(name)
    if name == "-":
        return [name]
    if path.is_dir():  # its time does not change with its subfolders
        pages = find_crawl_pages(path)
        return [str(path.resolve()), sum(1 for _, _, files in os.walk(pages) for _ in files), _measure(path)]
    found = path.stat()
    return [str(path.resolve()), found.st_size, found.st_mtime_ns]


def _measure(path: Path) -> int:
    """Return the size of a file, or of all files in a folder, in bytes."""
    try:
        if not path.is_dir():
            return path.stat().st_size
    except OSError:
        return 0
    return sum(_measure(Path(place, file)) for place, _, files in os.walk(find_crawl_pages(path)) for file in files)
