"""Names on a command line in, pages out: files, folders, URLs and standard input."""

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


@dataclass(frozen=True, slots=True)
class Source:
    """One page to read: its name as the user knows it, and a file name for what is made of it."""

    name: str
    stem: Path  # relative, without ending
    problem: BonmunError | None = None  # the name leads to no page

    @property
    def is_url(self) -> bool:
        """Whether it is fetched."""
        return _is_url(self.name)

    @property
    def is_missing(self) -> bool:
        """Whether it names a file that is not there."""
        return not (self.is_url or self.name == "-" or self.problem or _exists(self.name))

    def find_moment(self) -> datetime | None:
        """When the page was fetched, if that is known: now, if it has a URL."""
        return datetime.now().astimezone() if self.is_url else None

    def load(self, options: Options, url: str | None = None) -> Page:
        """Read the page; `url` is where it came from, if the name is not a URL itself."""
        if self.is_url:
            return fetch(self.name, options)
        return Page.parse(
            self.read(options.max_bytes), url, options.encoding, max_bytes=options.max_bytes, ruby=options.ruby
        )

    def read(self, limit: int) -> bytes:
        """Read a file or standard input, at most one byte over a limit: enough to know that it is too big."""
        if self.problem:
            raise self.problem
        return _read(self.name, limit)


def find_sources(names: Iterable[str], passed: Counter[str] | None = None) -> Iterator[Source]:
    """One source for each page that the names lead to; of a folder all files that are pages, also packed.

    What is passed over in folders is counted in `passed`, by what it is.
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
                yield Source(name, _stem(path), NoPages(f"There is no page in this folder: {there}."))
            elif passed is not None:
                passed.update(others)
        else:
            yield Source(name, _stem(Path(path.name)))


def read_list(name: str) -> list[str]:
    """The URLs and paths that a file, or standard input, lists: one a line; `#` starts a line that is none."""
    try:
        data = sys.stdin.buffer.read() if name == "-" and sys.stdin is not None else Path(name).read_bytes()
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise BadConfig(f"{name}: the list cannot be read: {reason}.") from None
    if b"\0" in data:
        raise BadConfig(f"{name}: this is no list of URLs: --urls takes a text with one a line.")
    lines = (line.strip() for line in data.decode("utf-8-sig", "surrogateescape").splitlines())
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise BadConfig(f"{name}: the list names no URL and no file.")
    return found


def _read(name: str, limit: int) -> bytes:
    if name == "-":
        if sys.stdin is None:  # closed by the caller
            raise MissingInput("Standard input is closed.")
        return _unpack(sys.stdin.buffer, limit)
    if not name:
        raise MissingInput("The name is empty.")
    try:
        with Path(name).open("rb") as file:
            return _unpack(file, limit)
    except (FileNotFoundError, ValueError):
        raise MissingInput("There is no such file.") from None
    except OSError as exc:
        raise MissingInput(f"The file cannot be read: {exc.strerror or exc}.") from exc


def _unpack(file: BinaryIO, limit: int) -> bytes:
    """The bytes of a page as they were before gzip, xz or zstd packed them."""
    try:
        return decompress(file).read(limit + 1)
    except DAMAGE_ERRORS as exc:
        if isinstance(exc, OSError) and exc.errno is not None:
            raise
        raise BadInput("It is packed with gzip, xz or zstd, and damaged or cut short.") from exc


def _is_url(name: str) -> bool:
    return bool(re.match("[a-z][a-z0-9+.-]*://", name, re.I))


def _exists(name: str) -> bool:
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _is_folder(name: str) -> bool:
    try:
        return bool(name) and Path(name).is_dir()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _stem(path: Path) -> Path:
    return path.with_name(PAGE_NAME.sub("", path.name) or path.name) if path.name else Path("page")


def _url_stem(url: str) -> Path:
    """A plain file name from a URL: `example.org-news-12`."""
    try:
        parts = urlsplit(url)
        words = re.findall(r"[\w.-]+", unquote(f"{parts.hostname} {parts.path} {parts.query}"))
    except ValueError:
        words = []
    return _stem(Path("-".join(words).strip(".-")[:120] or "page"))
