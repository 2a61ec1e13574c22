"""The work on one page of many in a child process: read, extract, write."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.app.commands.shared.sources import Source
from bonmun.errors import BonmunError
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.work.result_store import StoredResult

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bonmun.algorithms import Method
    from bonmun.app.commands.extract.presentation import Presentation

__all__ = ["MEMORY_BYTES", "PAGE_SECONDS", "PageInput", "PageJob"]

PAGE_SECONDS = 60.0  # time limit of a page
MEMORY_BYTES = 4_000_000_000  # of a child process: the largest pages of 20 MB take 3.3 GB
MAX_REASON_CHARS = 500


class PageInput(NamedTuple):
    """A page to extract: its bytes, or the name of the file to read; and what is known about it."""

    number: int
    name: str
    body: bytes | None = None
    url: str | None = None
    encoding: str | None = None
    fetched: datetime | None = None


@dataclass(frozen=True)
class PageJob:
    """Extract pages one by one."""

    presentation: Presentation

    def load(self) -> Callable[[PageInput], StoredResult]:
        """Load the method; return the function that extracts a page."""
        return partial(_work, self.presentation, self.presentation.make_method())

    def fail(self, item: PageInput, reason: str) -> StoredResult:
        """Return the result of a page whose process died or exceeded its time limit."""
        return StoredResult(item.number, None, reason)


def _work(presentation: Presentation, method: Method, task: PageInput) -> StoredResult:
    try:
        options = presentation.choose_options(presentation.extraction.crawled or task.fetched)
        data = task.body if task.body is not None else Source(task.name, Path()).read(options.max_bytes)
        encoding = options.encoding or task.encoding
        page = Page.parse(data, task.url, encoding, max_bytes=options.max_bytes, ruby=options.ruby)
        doc = extract(page, method=method, options=options)
        return StoredResult(task.number, presentation.write(doc, task.name), None)
    except Exception as problem:  # a page must not stop the others
        return StoredResult(task.number, None, _describe(problem))


def _describe(problem: Exception) -> str:
    if isinstance(problem, MemoryError):
        return "The page needs more memory than its process may take."
    reason = str(problem) if isinstance(problem, BonmunError) else f"{type(problem).__name__}: {problem}"
    return " ".join(reason.encode("utf-8", "replace").decode().split())[:MAX_REASON_CHARS]
