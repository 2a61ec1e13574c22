"""The SQLite file of a frontier: transactions, totals and earlier fetches."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bonmun.errors import BadInput
from bonmun.scale.crawl.archive.warc_files import RecordLocation
from bonmun.scale.crawl.frontier.tables import FRONTIER_NAME, TABLES, VERSION
from bonmun.scale.crawl.frontier.tickets import EarlierFetch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["FrontierFile"]

SELECT_EARLIER = "select f.id, u.url, f.fetched, f.digest from fetches f join urls u on u.id = f.url"


class FrontierFile:
    """An open frontier file. Its totals are written with each transaction."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FRONTIER_NAME
        self.sql = _open(self.path)
        self.totals: Counter[str] = Counter()
        self.changed: set[str] = set()  # totals that have not been written
        self.read_totals()

    def read_totals(self) -> None:
        """Read the totals from the file."""
        self.totals = Counter(dict(self.sql.execute("select name, count from totals")))
        self.changed.clear()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all changes in the block, or none."""
        self.sql.execute("begin immediate")
        try:
            yield
            self.sql.executemany(
                "insert into totals values (?, ?) on conflict do update set count = excluded.count",
                [(name, self.totals[name]) for name in self.changed],
            )
            self.sql.execute("commit")
            self.changed.clear()
        except BaseException:
            self.sql.execute("rollback")
            raise

    def close(self) -> None:
        """Close the file."""
        self.sql.close()

    def count(self, name: str, number: int = 1) -> None:
        """Add to a total; it is written with the next transaction."""
        self.totals[name] += number
        self.changed.add(name)

    def find_same_body(self, digest: str) -> EarlierFetch | None:
        """Return the first fetch with the same body."""
        row = self.sql.execute(
            f"{SELECT_EARLIER} where digest = ? and copy_of is null order by f.id limit 1", [digest]
        ).fetchone()
        return EarlierFetch(*row) if row else None

    def find_last_body(self, url: int) -> EarlierFetch | None:
        """Return the last fetch of a URL with a record in a WARC file, or the fetch that it is a copy of."""
        row = self.sql.execute(
            "select coalesce(copy_of, id) from fetches where url = ? and file is not null and is_page "
            "order by id desc limit 1",
            [url],
        ).fetchone()
        if row is None:
            return None
        return EarlierFetch(*self.sql.execute(f"{SELECT_EARLIER} where f.id = ?", row).fetchone())

    def count_fetches(self, url: int) -> int:
        """Return how often a URL was fetched, in this run and all before."""
        return int(self.sql.execute("select count(*) from fetches where url = ?", [url]).fetchone()[0])

    def list_locations(self) -> Iterator[RecordLocation]:
        """Return the locations of all WARC records, in the order they were written."""
        rows = self.sql.execute("select file, offset, length, digest from fetches where file is not null order by id")
        return (RecordLocation(*row) for row in rows)


def _open(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    try:
        sql = sqlite3.connect(path, isolation_level=None, timeout=60)
        sql.execute("pragma journal_mode = wal")
        sql.execute("pragma synchronous = normal")
        if is_new or not sql.execute("pragma user_version").fetchone()[0]:
            sql.executescript(f"begin; {TABLES} pragma user_version = {VERSION}; commit;")
        if sql.execute("pragma user_version").fetchone()[0] != VERSION:
            raise BadInput(
                f"{path} was made by another version of bonmun; resume it with that version, or start a new crawl."
            )
    except sqlite3.DatabaseError as problem:
        raise BadInput(
            f"{path} is not a readable frontier: {problem}. Restore the file, or start a crawl in another folder."
        ) from problem
    return sql
