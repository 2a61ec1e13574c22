"""Find and read the pages that a command line names: files, folders, URLs and standard input."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote, urlsplit

from bonmun.errors import BadConfig, BadInput, BonmunError, MissingInput, NoPages
from bonmun.page import Page
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress
from bonmun.scale.corpus.sources.page_files import PAGE_NAME, find_files, format_counts
from bonmun.scale.web.download import fetch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.options import Options

__all__ = ["Source", "find_sources", "read_list"]

# example.org, example.org/page and 127.0.0.1:8000/page, but not page.html
LIKE_A_URL = re.compile(
    r"(?:[\w-]{1,63}\.){1,9}(?!(?:x?html?|mhtml?|txt|md|jsonl?|xml|gz|xz|zst|warc|wacz|snapshot|parquet|csv)\b)[a-z]{2,24}(?:[/?#]|$)"
    r"|[\w.-]{1,253}:\d{1,5}(?:/|$)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Source:
    """A page to read: its name on the command line, and a file name for its result."""

    name: str
    stem: Path  # relative, without suffix
    problem: BonmunError | None = None  # if the name does not lead to a page

    @property
    def is_url(self) -> bool:
        """Whether the page is downloaded."""
        return _is_url(self.name)

    @property
    def is_missing(self) -> bool:
        """Whether the file does not exist."""
        return not (self.is_url or self.name == "-" or self.problem or _exists(self.name))

    def find_moment(self) -> datetime | None:
        """Return when the page was downloaded, if known: now, if the name is a URL."""
        return datetime.now().astimezone() if self.is_url else None

    def load(self, options: Options, url: str | None = None) -> Page:
        """Read and parse the page; `url` is its URL if the name is a file."""
        if self.is_url:
            return fetch(self.name, options)
        return Page.parse(
            self.read(options.max_bytes), url, options.encoding, max_bytes=options.max_bytes, ruby=options.ruby
        )

    def read(self, limit: int) -> bytes:
        """Read a file or standard input, at most one byte more than the limit."""
        if self.problem:
            raise self.problem
        return _read(self.name, limit)


def find_sources(names: Iterable[str], passed: Counter[str] | None = None) -> Iterator[Source]:
    """Yield a source for each page; of a folder, for each file that is a page, compressed or not.

    Other files in folders are counted in `passed`, by type.
    """
    for name in names:
        path = Path(name)
        if name == "-":
            yield Source(name, Path("stdin"))
        elif _is_url(name):
            yield Source(name, _url_stem(name))
        elif _is_folder(name):
            others: Counter[str] = Counter()
            pages = sorted(page for page, is_read in find_files(path, others) if is_read)
            for page in pages:
                yield Source(str(page), _stem(page.relative_to(path)))
            if not pages:
                there = f"only {format_counts(others)}" if others else "nothing"
                yield Source(name, _stem(path), NoPages(f"The folder contains no pages: {there}."))
            elif passed is not None:
                passed.update(others)
        else:
            yield Source(name, _stem(Path(path.name)))


def read_list(name: str) -> list[str]:
    """Read a list of URLs and paths, one per line, from a file or standard input; `#` starts a comment line."""
    try:
        data = sys.stdin.buffer.read() if name == "-" and sys.stdin is not None else Path(name).read_bytes()
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise BadConfig(f"Cannot read the list {name}: {reason}.") from None
    if b"\0" in data:
        raise BadConfig(f"{name} is not a list of URLs: --urls takes a text file with one URL per line.")
    lines = (line.strip() for line in data.decode("utf-8-sig", "surrogateescape").splitlines())
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise BadConfig(f"The list {name} is empty.")
    return found


def _read(name: str, limit: int) -> bytes:
    if name == "-":
        if sys.stdin is None:  # the caller closed it
            raise MissingInput("Standard input is closed.")
        return _unpack(sys.stdin.buffer, limit)
    if not name:
        raise MissingInput("The name is empty.")
    try:
        with Path(name).open("rb") as file:
            return _unpack(file, limit)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        hint = "; if it is a URL, put https:// before it" if LIKE_A_URL.match(name) else ""
        raise MissingInput(f"There is no such file{hint}.") from None
    except OSError as exc:
        raise MissingInput(f"The file cannot be read: {exc.strerror or exc}.") from exc


def _unpack(file: BinaryIO, limit: int) -> bytes:
    """Decompress a page (gzip, xz, zstd)."""
    try:
        return decompress(file).read(limit + 1)
    except DAMAGE_ERRORS as exc:
        if isinstance(exc, OSError) and exc.errno is not None:
            raise
        raise BadInput("The gzip, xz or zstd data is damaged or truncated.") from exc


def _is_url(name: str) -> bool:
    return bool(re.match("[a-z][a-z0-9+.-]*://", name, re.I))


def _exists(name: str) -> bool:
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # not a valid file name
        return False


def _is_folder(name: str) -> bool:
    try:
        return bool(name) and Path(name).is_dir()
    except (OSError, ValueError):  # not a valid file name
        return False


def _stem(path: Path) -> Path:
    return path.with_name(PAGE_NAME.sub("", path.name) or path.name) if path.name else Path("page")


def _url_stem(url: str) -> Path:
    """Return a file name for a URL: `example.org-news-12`."""
    try:
        parts = urlsplit(url)
        words = re.findall(r"[\w.-]+", unquote(f"{parts.hostname} {parts.path} {parts.query}"))
    except ValueError:
        words = []
    return _stem(Path("-".join(words).strip(".-")[:120] or "page"))
