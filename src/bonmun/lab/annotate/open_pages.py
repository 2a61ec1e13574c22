"""The pages that are open: each has a name, and is read when it is asked for."""

from __future__ import annotations

import os
import tempfile
import weakref
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig, TooBusy
from bonmun.lab.annotate.page_sources import PageSource
from bonmun.options import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bonmun.scale.corpus.sources.records import Record

__all__ = ["OpenPage", "OpenPages", "keep_records"]

MAX_PAGES = 200_000  # open at a time
OPENED_PAGES = 1_000  # that are put there while it is looked at
OPENED_BYTES = 1_000_000_000
REMEMBERED = 4  # pages whose bytes stay in memory


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that can be opened: its number, its name, where it came from, and how it is read."""

    number: int
    name: str
    url: str | None
    read: Callable[[], PageSource]


class OpenPages:
    """The pages of one run, in order; `open_pages.pages[number]` is one of them.

    open_pages = OpenPages([OpenPage(0, "a.html", None, read_it)])
    open_pages.load(0)       # a PageSource: name, url, bytes
    """

    def __init__(self, pages: Iterable[OpenPage] = (), max_bytes: int = DEFAULTS.max_bytes) -> None:
        self.pages: list[OpenPage] = []
        self.max_bytes = max_bytes
        self.model: str | None = None  # the file that `auto` decides with; None is the default
        self._loaded: dict[int, PageSource] = {}
        self._opened = 0
        self._store: _Store | None = None  # the bytes of pages that were put there later
        self.add(pages)

    def add(self, pages: Iterable[OpenPage]) -> None:
        """Put pages behind those that are there; they get their numbers here."""
        for page in pages:
            if len(self.pages) == MAX_PAGES:
                raise BadConfig(f"More than {MAX_PAGES:,} pages are too many to look at: give fewer of them.")
            name = page.name.encode("utf-8", "backslashreplace").decode()  # names of files may be no text at all
            self.pages.append(replace(page, number=len(self.pages), name=name))

    def keep(self, source: PageSource) -> OpenPage:
        """Put a page there whose bytes have come; they are kept in a file that goes when this process does."""
        try:
            store = self._store = self._store or _Store()
            if self._opened == OPENED_PAGES or store.size + len(source.body) > OPENED_BYTES:
                raise TooBusy("No more pages can be opened here: start bonmun anew.")
            self.add([_keep_source(store, source)])
        except OSError as problem:
            raise TooBusy(f"There is no room for the page: {problem.strerror or problem}.") from None
        self._opened += 1
        return self.pages[-1]

    def __len__(self) -> int:
        return len(self.pages)

    def load(self, number: int) -> PageSource:
        """Read a page, unless it is one of the last that were; raises what is wrong with it."""
        if number in self._loaded:
            return self._loaded[number]
        source = self.pages[number].read()._replace(max_bytes=self.max_bytes)
        while len(self._loaded) >= REMEMBERED:
            self._loaded.pop(next(iter(self._loaded)), None)
        self._loaded[number] = source
        return source

    def list_pages(self, first: int = 0, count: int = MAX_PAGES) -> Sequence[OpenPage]:
        """Some of the pages, in order."""
        return self.pages[first : first + count]


class _Store:
    """Bytes in a file without a name, which goes when nobody needs it; several threads may read at once."""

    def __init__(self) -> None:
        with tempfile.TemporaryFile() as file:
            self.file = os.dup(file.fileno())
        weakref.finalize(self, os.close, self.file)
        self.size = 0

    def add(self, data: bytes) -> int:
        """Put bytes behind those that are there; gives where they start."""
        start, rest = self.size, memoryview(data)
        while rest:
            rest = rest[os.pwrite(self.file, rest, start + len(data) - len(rest)) :]
        self.size += len(data)
        return start

    def read(self, start: int, size: int) -> bytes:
        """Bytes that were put there."""
        pieces: list[bytes] = []
        while size > 0 and (piece := os.pread(self.file, size, start)):
            pieces.append(piece)
            start += len(piece)
            size -= len(piece)
        return b"".join(pieces)


def keep_records(records: Iterable[Record]) -> Iterator[OpenPage]:
    """Pages from records of many pages; their bytes are kept in a file that goes when this process does."""
    store = _Store()
    for record in records:
        yield _keep_source(store, PageSource(record.id, record.url, record.html, record.charset))


def _keep_source(store: _Store, source: PageSource) -> OpenPage:
    """A page whose bytes are in a store, and no longer in memory."""
    start, size = store.add(source.body), len(source.body)
    return OpenPage(0, source.name, source.url, partial(_read_source, store, start, size, source._replace(body=b"")))


def _read_source(store: _Store, start: int, size: int, source: PageSource) -> PageSource:
    return source._replace(body=store.read(start, size))
