"""How far a crawl is, as its frontier says to whoever asks while it runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bonmun.scale.crawl.archive.log_file import LogRow
from bonmun.scale.crawl.frontier.tables import FRONTIER_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Status", "has_begun", "list_failures", "list_fetches", "list_unrendered", "open_to_read", "read_status"]

LEFT_OUT = "left out: "
OF_FETCHES = ("status", "mime", "bytes", "seconds", "digest", "file", "offset", "length", "tries", "error", "snapshot")
OF_URLS = ("url", "host", "depth", "via", "anchor")


@dataclass(frozen=True, slots=True)
class Status:
    """Counts, so far."""

    pages: int = 0
    copies: int = 0  # of them, those that say what an earlier one did
    requests: int = 0
    waiting: int = 0
    failed: int = 0
    again: int = 0  # requests that had to be made again
    bytes: int = 0
    hosts: int = 0
    left_out: tuple[tuple[str, int], ...] = ()  # reasons, the most frequent first
    rendered: int = 0  # pages that a browser has laid out


def open_to_read(folder: Path) -> sqlite3.Connection:
    """The frontier of a crawl that another process may be writing."""
    return sqlite3.connect(f"file:{folder / FRONTIER_NAME}?mode=ro", uri=True, timeout=60, isolation_level=None)


def has_begun(folder: Path) -> bool:
    """Whether the frontier can be read: its file is there a moment before its tables are."""
    try:
        with closing(open_to_read(folder)) as sql:
            return bool(sql.execute("pragma user_version").fetchone()[0])
    except sqlite3.OperationalError:  # there is none, or it is being made
        return False


def read_status(folder: Path) -> Status:
    """How far a crawl is; nothing, if it has not begun."""
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


def list_failures(folder: Path, most: int) -> list[tuple[str, str]]:
    """URLs that gave nothing, and why; the first ones."""
    with closing(open_to_read(folder)) as sql:
        asked = "select url, error from urls where state = 'failed' order by id limit ?"
        return [(str(url), str(error)) for url, error in sql.execute(asked, [most])]


def list_unrendered(folder: Path, most: int) -> list[tuple[str, str]]:
    """Pages that a browser could not lay out, or only without their scripts, and why; the first ones."""
    with closing(open_to_read(folder)) as sql:
        asked = """
            select u.url, f.error from fetches f join urls u on u.id = f.url
            where f.is_page and f.error like '%rendered%' order by f.id limit ?"""
        return [(str(url), str(error)) for url, error in sql.execute(asked, [most])]


def list_fetches(folder: Path) -> Iterator[LogRow]:
    """All that was fetched, in order."""
    names = ", ".join(f"f.{name}" for name in OF_FETCHES) + ", " + ", ".join(f"u.{name}" for name in OF_URLS)
    asked = f"""
        select {names}, f.fetched, c.url from fetches f join urls u on u.id = f.url
        left join fetches o on o.id = f.copy_of left join urls c on c.id = o.url order by f.id"""
    with closing(open_to_read(folder)) as sql:
        for *row, fetched, copy in sql.execute(asked):
            known = dict(zip((*OF_FETCHES, *OF_URLS), row, strict=True))
            yield LogRow(**known, fetched=datetime.fromtimestamp(fetched, UTC), duplicate_of=copy)
