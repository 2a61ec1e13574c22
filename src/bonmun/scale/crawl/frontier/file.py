"""The file of a frontier: opened, written in transactions, and asked about what was fetched before."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bonmun.errors import BadInput
from bonmun.scale.crawl.archive.warc_files import Place
from bonmun.scale.crawl.frontier.tables import FRONTIER_NAME, TABLES, VERSION
from bonmun.scale.crawl.frontier.tickets import Copy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["FrontierFile"]

EARLIER = "select f.id, u.url, f.fetched, f.digest from fetches f join urls u on u.id = f.url"


class FrontierFile:
    """An open file, and totals that are written with each transaction."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FRONTIER_NAME
        self.sql = _open(self.path)
        self.totals: Counter[str] = Counter()
        self.changed: set[str] = set()  # totals that are not in the file yet
        self.read_totals()

    def read_totals(self) -> None:
        """Take the totals from the file."""
        self.totals = Counter(dict(self.sql.execute("select name, count from totals")))
        self.changed.clear()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it is written, or nothing."""
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
        """Leave the file to others."""
        self.sql.close()

    def count(self, name: str, more: int = 1) -> None:
        """Add to a total, which is written with the next transaction."""
        self.totals[name] += more
        self.changed.add(name)

    def find_copy(self, digest: str) -> Copy | None:
        """The first answer with the same body."""
        row = self.sql.execute(
            f"{EARLIER} where digest = ? and copy_of is null order by f.id limit 1", [digest]
        ).fetchone()
        return Copy(*row) if row else None

    def find_last(self, url: int) -> Copy | None:
        """The last answer of a URL that has its body in a WARC file, or the one that it is a copy of."""
        row = self.sql.execute(
            "select coalesce(copy_of, id) from fetches where url = ? and file is not null and is_page "
            "order by id desc limit 1",
            [url],
        ).fetchone()
        if row is None:
            return None
        return Copy(*self.sql.execute(f"{EARLIER} where f.id = ?", row).fetchone())

    def count_fetches(self, url: int) -> int:
        """How often a URL was fetched, in this crawl and those before."""
        return int(self.sql.execute("select count(*) from fetches where url = ?", [url]).fetchone()[0])

    def list_places(self) -> Iterator[Place]:
        """Where all records are, in the order that they were written."""
        rows = self.sql.execute("select file, offset, length, digest from fetches where file is not null order by id")
        return (Place(*row) for row in rows)


def _open(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    try:
        sql = sqlite3.connect(path, isolation_level=None, timeout=60)
        sql.execute("pragma journal_mode = wal")
        sql.execute("pragma synchronous = normal")
        if is_new or not sql.execute("pragma user_version").fetchone()[0]:
            sql.executescript(f"begin; {TABLES} pragma user_version = {VERSION}; commit;")
        if sql.execute("pragma user_version").fetchone()[0] != VERSION:
            raise BadInput(f"{path}: made by another version of bonmun; finish it with that one, or begin anew.")
    except sqlite3.DatabaseError as problem:
        raise BadInput(
            f"{path}: it cannot be read as the list of a crawl; it is damaged, or something else."
        ) from problem
    return sql
