"""The work on one page of many, in child processes: read, extract, write; within a time and a memory limit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bonmun.app.commands.shared.sources import Source
from bonmun.errors import BonmunError
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.work.processes import IDLE, Child, Link, limit_memory
from bonmun.work.result_store import StoredResult

if TYPE_CHECKING:
    from datetime import datetime

    from bonmun.algorithms import Method
    from bonmun.app.commands.extract.presentation import Presentation

__all__ = ["PageChild", "Task"]

LOADING_SECONDS = 60.0  # that a child may take to start
PAGE_SECONDS = 60.0  # that a page may take
MEMORY_BYTES = 4_000_000_000  # that a child may take for its work: the largest pages of 20 MB take 3.3 GB
MISSES = 2  # times that a child may die before it is at a page
REASON_CHARS = 500  # of why a page failed, at most


class Task(NamedTuple):
    """A page to work on: its bytes, or none, if the child reads a file of this name; and what is known of it."""

    number: int
    name: str
    body: bytes | None = None
    url: str | None = None
    encoding: str | None = None
    fetched: datetime | None = None


class PageChild(Child[Task, StoredResult]):
    """A child process that works on one page after the other."""

    def __init__(self, presentation: Presentation) -> None:
        super().__init__(_serve, first=[presentation])
        self.misses = 0  # times in a row that it died before it was at a page

    def limit(self, stage: int) -> float:
        """How many seconds it may take to start, or for a page."""
        return LOADING_SECONDS if stage == IDLE else PAGE_SECONDS

    def take(self, answer: StoredResult) -> list[StoredResult]:
        """What it made of the page."""
        self.finish()
        self.misses = 0
        return [answer]

    def fail(self, stage: int, limit: float | None) -> list[StoredResult]:
        """The page that it was at fails; where it was at none yet, another process begins it."""
        if stage == IDLE:
            self.misses += 1
            if limit is not None or self.misses > MISSES:
                raise BonmunError("Child processes do not start, or die before they begin; is there enough memory?")
            self.start_again()
            return []
        died = "The process died; the page may need too much memory."
        return [
            StoredResult(
                self.finish().number, None, died if limit is None else f"The page took over {limit:g} seconds."
            )
        ]


def _serve(link: Link) -> None:
    """In the child: work on the pages that come."""
    presentation: Presentation = link.take()
    method = presentation.make_method()
    limit_memory(MEMORY_BYTES)
    while True:
        task: Task = link.take()
        link.enter(0)
        link.give(_work(presentation, method, task))


def _work(presentation: Presentation, method: Method, task: Task) -> StoredResult:
    try:
        options = presentation.choose_options(presentation.extraction.crawled or task.fetched)
        data = task.body if task.body is not None else Source(task.name, Path()).read(options.max_bytes)
        encoding = options.encoding or task.encoding
        page = Page.parse(data, task.url, encoding, max_bytes=options.max_bytes, ruby=options.ruby)
        doc = extract(page, method=method, options=options)
        return StoredResult(task.number, presentation.write(doc, task.name), None)
    except Exception as problem:  # whatever one page does, the others go on
        return StoredResult(task.number, None, _describe(problem))


def _describe(problem: Exception) -> str:
    if isinstance(problem, MemoryError):
        return "The page needs more memory than its process may take."
    reason = str(problem) if isinstance(problem, BonmunError) else f"{type(problem).__name__}: {problem}"
    return " ".join(reason.encode("utf-8", "replace").decode().split())[:REASON_CHARS]
