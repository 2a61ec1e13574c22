"""Open pages: each has a name and is read on demand."""

from __future__ import annotations

import os
import tempfile
import threading
import weakref
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig, TooBusy
from bonmun.lab.annotate.page_sources import PageSource
from bonmun.options import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bonmun.rules.rule_set import RuleSet
    from bonmun.scale.corpus.sources.records import Record

__all__ = ["OpenPage", "OpenPages", "open_records"]

MAX_PAGES = 200_000  # open at a time
OPENED_PAGES = 1_000  # opened in the browser
OPENED_BYTES = 1_000_000_000
REMEMBERED = 4  # pages whose bytes stay in memory


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that can be opened: its number, its name, its URL, and a function that reads it."""

    number: int
    name: str
    url: str | None
    read: Callable[[], PageSource]


class OpenPages:
    """The open pages in order.

    open_pages = OpenPages([OpenPage(0, "a.html", None, read_it)])
    open_pages.load(0)  # a PageSource: name, URL, bytes
    """

    def __init__(self, pages: Iterable[OpenPage] = (), max_bytes: int = DEFAULTS.max_bytes) -> None:
        self.pages: list[OpenPage] = []
        self.max_bytes = max_bytes
        self.model: str | None = None  # model file for `auto`; None for the default
        self.rules: RuleSet | None = None  # None for the shipped ones
        self._loaded: dict[int, PageSource] = {}
        self._guard = threading.Lock()
        self._opened = 0
        self._store: _Store | None = None  # bytes of pages opened in the browser
        self.add(pages)

    def add(self, pages: Iterable[OpenPage]) -> None:
        """Append pages and number them."""
        for page in pages:
            if len(self.pages) == MAX_PAGES:
                raise BadConfig(f"At most {MAX_PAGES:,} pages can be opened: give fewer.")
            name = page.name.encode("utf-8", "backslashreplace").decode()  # file names may not be valid text
            self.pages.append(replace(page, number=len(self.pages), name=name))

    def add_source(self, source: PageSource) -> OpenPage:
        """Open a page from its bytes; they are kept in a temporary file."""
        try:
            store = self._store = self._store or _Store()
            if self._opened == OPENED_PAGES or store.size + len(source.body) > OPENED_BYTES:
                raise TooBusy("No more pages can be opened: restart bonmun.")
            self.add([_store_source(store, source)])
        except OSError as problem:
            raise TooBusy(f"The page cannot be stored: {problem.strerror or problem}.") from None
        self._opened += 1
        return self.pages[-1]

    def __len__(self) -> int:
        return len(self.pages)

    def load(self, number: int) -> PageSource:
        """Read a page, or return it from the cache of the last few; raise an error if it cannot be read."""
        if source := self._loaded.get(number):
            return source
        source = self.pages[number].read()._replace(max_bytes=self.max_bytes)
        with self._guard:  # called from several threads
            while len(self._loaded) >= REMEMBERED:
                del self._loaded[next(iter(self._loaded))]
            self._loaded[number] = source
        return source

    def list_pages(self, first: int = 0, count: int = MAX_PAGES) -> Sequence[OpenPage]:
        """Return some of the pages, in order."""
        return self.pages[first : first + count]


class _Store:
    """Bytes in an anonymous temporary file; several threads may read at once."""

    def __init__(self) -> None:
        with tempfile.TemporaryFile() as file:
            self.file = os.dup(file.fileno())
        weakref.finalize(self, os.close, self.file)
        self.size = 0

    def add(self, data: bytes) -> int:
        """Append bytes; return their position."""
        start, rest = self.size, memoryview(data)
        while rest:
            rest = rest[os.pwrite(self.file, rest, start + len(data) - len(rest)) :]
        self.size += len(data)
        return start

    def read(self, start: int, size: int) -> bytes:
        """Return bytes at a position."""
        pieces: list[bytes] = []
        while size > 0 and (piece := os.pread(self.file, size, start)):
            pieces.append(piece)
            start += len(piece)
            size -= len(piece)
        return b"".join(pieces)


def open_records(records: Iterable[Record]) -> Iterator[OpenPage]:
    """Yield pages from records; their bytes are kept in a temporary file."""
    store = _Store()
    for record in records:
        yield _store_source(store, PageSource(record.id, record.url, record.html, record.charset))


def _store_source(store: _Store, source: PageSource) -> OpenPage:
    """Return a page whose bytes are in a store instead of in memory."""
    start, size = store.add(source.body), len(source.body)
    return OpenPage(0, source.name, source.url, partial(_read_source, store, start, size, source._replace(body=b"")))


def _read_source(store: _Store, start: int, size: int, source: PageSource) -> PageSource:
    return source._replace(body=store.read(start, size))
