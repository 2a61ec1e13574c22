"""Store results by number in an SQLite file until all are complete, so that a killed run can be resumed."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection

__all__ = ["ResultStore", "StoredResult"]

COMPANIONS = ("", "-wal", "-shm", "-journal")  # the file, and those that SQLite creates beside it
TABLES = """
create table if not exists run (identity text not null);
create table if not exists results (number integer primary key, data blob, error text);
"""


class StoredResult(NamedTuple):
    """The result for the input with this number: data, or an error."""

    number: int
    data: bytes | None
    error: str | None


class ResultStore:
    """Results that survive the process. A context manager; only one process can use a file at a time.

    `identity` describes the run: a run can only be resumed with the same identity. Without a path, results are lost
    when the process ends.
    """

    def __init__(self, path: Path | None, identity: dict[str, Any]) -> None:
        self.path = path
        self.identity = json.loads(json.dumps(identity))
        self.done: set[int] = set()  # numbers of all results

    def __enter__(self) -> ResultStore:
        self.file = self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def _open(self) -> Connection:
        import sqlite3

        if self.path is not None and not self.path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path.parent))
        file = sqlite3.connect(self.path or "", timeout=0, isolation_level=None)
        try:
            file.execute("pragma locking_mode = exclusive")
            file.execute("pragma journal_mode = wal")
            file.execute("pragma synchronous = normal")
            file.executescript(TABLES)
            self._check_identity(file)
            self.done = {number for (number,) in file.execute("select number from results")}
        except sqlite3.DatabaseError as problem:
            file.close()
            if "locked" in str(problem):
                raise BadConfig(f"{self.path} is in use by another process; wait, or use another name.") from None
            if "unable to open" in str(problem) or "readonly" in str(problem):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.path)) from None
            raise BadConfig(f"{self.path} is damaged, so the run cannot be resumed; delete the file.") from None
        except BaseException:
            file.close()
            raise
        return file

    def _check_identity(self, file: Connection) -> None:
        found = file.execute("select identity from run").fetchone()
        if found is None:
            file.execute("insert into run values (?)", [json.dumps(self.identity)])
            return
        earlier = json.loads(found[0])
        if other := [name for name in self.identity if earlier.get(name) != self.identity[name]]:
            raise BadConfig(
                f"{self.path} is from an unfinished run with different {' and '.join(other)}; resume that run with its "
                "original command, or delete the file."
            )

    def add(self, result: StoredResult) -> None:
        """Store a result; it is safe when this returns."""
        self.file.execute("insert or replace into results values (?, ?, ?)", result)
        self.done.add(result.number)

    def take(self, number: int) -> StoredResult:
        """Return a result and free its data, since it is not needed again."""
        row = self.file.execute("select * from results where number = ?", [number]).fetchone()
        self.file.execute("update results set data = null where number = ?", [number])
        return StoredResult(*row)

    def list_all(self) -> Iterator[StoredResult]:
        """Return all results, ordered by number."""
        return (StoredResult(*row) for row in self.file.execute("select * from results order by number"))

    def list_errors(self) -> Iterator[StoredResult]:
        """Return the failed results, ordered by number."""
        found = self.file.execute("select * from results where error is not null order by number")
        return (StoredResult(*row) for row in found)

    def remove(self) -> None:
        """Close and delete the file, after the run is finished."""
        self.file.close()
        if self.path is not None:
            for companion in COMPANIONS:
                with suppress(FileNotFoundError):
                    Path(f"{self.path}{companion}").unlink()
