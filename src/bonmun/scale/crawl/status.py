"""Read the progress and the fetches of a crawl from its frontier, also while it runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bonmun.scale.crawl.archive.log_file import LogRow
from bonmun.scale.crawl.frontier.tables import FRONTIER_NAME, HOST_UNRESPONSIVE, ROBOTS_UNAVAILABLE
from bonmun.scale.crawl.frontier.turns import get_netloc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = [
    "Status",
    "has_begun",
    "list_failures",
    "list_fetches",
    "list_unreached",
    "list_unrendered",
    "open_to_read",
    "read_status",
]

LEFT_OUT = "left out: "
UNREACHED = (HOST_UNRESPONSIVE, ROBOTS_UNAVAILABLE)  # why no page of a host was fetched
FETCH_COLUMNS = "status mime bytes seconds digest file offset length tries error snapshot".split()
URL_COLUMNS = "url host depth via anchor".split()


@dataclass(frozen=True, slots=True)
class Status:
    """The counts of a crawl so far."""

    pages: int = 0
    copies: int = 0  # pages with the same body as an earlier one
    requests: int = 0
    waiting: int = 0  # URLs
    failed: int = 0  # URLs
    retries: int = 0
    bytes: int = 0
    hosts: int = 0
    left_out: tuple[tuple[str, int], ...] = ()  # URLs by reason, the most frequent first
    rendered: int = 0  # pages rendered in a browser


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open a frontier read-only; another process may be writing it."""
    return sqlite3.connect(f"file:{folder / FRONTIER_NAME}?mode=ro", uri=True, timeout=60, isolation_level=None)


def has_begun(folder: Path) -> bool:
    """Return whether the frontier can be read; the file exists a moment before its tables."""
    try:
        with closing(open_to_read(folder)) as sql:
            return bool(sql.execute("pragma user_version").fetchone()[0])
    except sqlite3.OperationalError:  # missing or being created
        return False


def read_status(folder: Path) -> Status:
    """Return the counts of a crawl; all zero if it has not started."""
    if not has_begun(folder):
        return Status()
    with closing(open_to_read(folder)) as sql:
        totals: dict[str, int] = dict(sql.execute("select name, count from totals"))
        hosts = sql.execute("select count(*) from hosts").fetchone()[0]
    reasons = {name.removeprefix(LEFT_OUT): count for name, count in totals.items() if name.startswith(LEFT_OUT)}
    get = totals.get
    return Status(
        get("pages", 0),
        get("copies", 0),
        get("requests", 0),
        get("found", 0) - get("ended", 0),
        get("failed", 0),
        get("tried again", 0),
        get("bytes", 0),
        hosts,
        tuple(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        get("rendered", 0),
    )


def list_failures(folder: Path, limit: int) -> list[tuple[str, str]]:
    """Return the first failed URLs and their errors."""
    with closing(open_to_read(folder)) as sql:
        query = "select url, error from urls where state = 'failed' order by id limit ?"
        return [(str(url), str(error)) for url, error in sql.execute(query, [limit])]


def list_unreached(folder: Path, seeds: Sequence[str]) -> list[str]:
    """Return the seeds and the hosts of a crawl that could not be fetched."""
    with closing(open_to_read(folder)) as sql:
        refused = f"(state = 'failed' or (state = 'left' and error in ({', '.join('?' * len(UNREACHED))})))"
        unreached = [
            seed
            for seed in seeds
            if sql.execute(f"select 1 from urls where url = ? and {refused}", [seed, *UNREACHED]).fetchone()
        ]
        dead = sql.execute("select distinct host from urls where state = 'left' and error = ?", [HOST_UNRESPONSIVE])
        return [*unreached, *(host for (host,) in dead if not any(get_netloc(seed) == host for seed in unreached))]


def list_unrendered(folder: Path, limit: int) -> list[tuple[str, str]]:
    """Return the first pages that could not be rendered, or only without their scripts, and the reasons."""
    with closing(open_to_read(folder)) as sql:
        query = """
            select u.url, f.error from fetches f join urls u on u.id = f.url
            where f.is_page and f.error like '%rendered%' order by f.id limit ?"""
        return [(str(url), str(error)) for url, error in sql.execute(query, [limit])]


def list_fetches(folder: Path) -> Iterator[LogRow]:
    """Yield all fetches, in order."""
    names = ", ".join([*(f"f.{name}" for name in FETCH_COLUMNS), *(f"u.{name}" for name in URL_COLUMNS)])
    query = f"""
        select {names}, f.fetched, c.url from fetches f join urls u on u.id = f.url
        left join fetches o on o.id = f.copy_of left join urls c on c.id = o.url order by f.id"""
    with closing(open_to_read(folder)) as sql:
        for *row, fetched, original in sql.execute(query):
            values = dict(zip((*FETCH_COLUMNS, *URL_COLUMNS), row, strict=True))
            yield LogRow(**values, fetched=datetime.fromtimestamp(fetched, UTC), duplicate_of=original)
