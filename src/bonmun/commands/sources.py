"""Names on a command line in, pages out: files, folders, URLs and standard input."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from bonmun.errors import BadInput, BonmunError, MissingInput, NoPages
from bonmun.page import Page
from bonmun.web import fetch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.options import Options

__all__ = ["Source", "find_sources"]

PAGE_NAME = re.compile(r"\.(?:x?html?(?:\.gz)?|snapshot)$", re.I)


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


def find_sources(names: Iterable[str]) -> Iterator[Source]:
    """One source for each page that the names lead to; of a folder all HTML, also packed, and all snapshots."""
    for name in names:
        path = Path(name)
        if name == "-":
            yield Source(name, Path("stdin"))
        elif _is_url(name):
            yield Source(name, _url_stem(name))
        elif _is_folder(name):
            pages = sorted(page for page in path.rglob("*") if PAGE_NAME.search(page.name) and page.is_file())
            for page in pages:
                yield Source(str(page), _stem(page.relative_to(path)))
            if not pages:
                problem = NoPages("There is no page in this folder: no file ends in .html, .htm, .xhtml or .snapshot.")
                yield Source(name, _stem(path), problem)
        else:
            yield Source(name, _stem(Path(path.name)))


def _read(name: str, limit: int) -> bytes:
    if name == "-":
        if sys.stdin is None:  # closed by the caller
            raise MissingInput("Standard input is closed.")
        return sys.stdin.buffer.read(limit + 1)
    if not name:
        raise MissingInput("The name is empty.")
    try:
        if not name.lower().endswith(".gz"):
            with Path(name).open("rb") as file:
                return file.read(limit + 1)
        with gzip.open(name) as unzipped:
            data: bytes = unzipped.read(limit + 1)
            return data
    except (FileNotFoundError, ValueError):
        raise MissingInput("There is no such file.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as exc:
        raise BadInput("The file ends in .gz but is not gzip, or is damaged.") from exc
    except OSError as exc:
        raise MissingInput(f"The file cannot be read: {exc.strerror or exc}.") from exc


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
