"""Helpers that crawl the loopback web in a child process, as the command does."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from bonmun.scale.crawl.frontier.admission import UrlFilter
from bonmun.scale.crawl.frontier.tables import TABLES
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.crawl.running import CrawlProcess, begin, hold_folder, write_index
from bonmun.scale.crawl.status import read_status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bonmun.scale.crawl.status import Status

__all__ = ["LONG_SECONDS", "crawl", "crawl_together", "make_filter", "make_plan", "read_fetches", "read_urls"]

LONG_SECONDS = 60.0  # more than any crawl of a test takes


def make_plan(address: str, *seeds: str, **more: Any) -> CrawlPlan:
    """Return a plan for the loopback web, without delays."""
    return CrawlPlan(seeds=seeds, resolve=address, **{"delay": 0.0, "timeout": 3.0, "retry": 0.1} | more)


def make_filter(sql: sqlite3.Connection | None = None) -> UrlFilter:
    """Return a filter of URLs with the counts in a database; without one, with no counts."""
    if sql is None:
        sql = sqlite3.connect(":memory:", isolation_level=None)
        sql.executescript(TABLES)
    return UrlFilter(CrawlPlan(seeds=("http://a.example/", "http://b.example/")), sql)


def crawl(folder: Path, plan: CrawlPlan, *, again: bool = False) -> Status:
    """Crawl to the end and return the counts."""
    with hold_folder(folder):
        begin(folder, plan, again=again)
        with CrawlProcess(folder) as process:
            finish(process)
        write_index(folder)
    return read_status(folder)


def crawl_together(plans: Mapping[Path, CrawlPlan]) -> None:
    """Run several crawls in parallel to the end; for crawls that mostly wait."""
    with ExitStack() as stack:
        processes = []
        for folder, plan in plans.items():
            stack.enter_context(hold_folder(folder))
            begin(folder, plan)
            processes.append(stack.enter_context(CrawlProcess(folder)))
        for process in processes:
            finish(process)


def finish(process: CrawlProcess) -> None:
    """Wait until a crawl ends, and check that it did not fail."""
    process.wait(LONG_SECONDS)
    assert not process.is_alive, "the crawl does not end"
    process.check()


def read_fetches(folder: Path, columns: str, where: str = "is_page") -> list[Any]:
    """Return columns of the fetches, in order."""
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as sql:
        query = f"select {columns} from fetches f join urls u on u.id = f.url where {where} order by f.id"
        rows = sql.execute(query).fetchall()
    return [row[0] if len(row) == 1 else row for row in rows]


def read_urls(folder: Path, columns: str, where: str = "1") -> list[Any]:
    """Return columns of the URLs found, in order."""
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as sql:
        rows = sql.execute(f"select {columns} from urls where {where} order by id").fetchall()
    return [row[0] if len(row) == 1 else row for row in rows]
