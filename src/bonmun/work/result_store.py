"""Results by number, in a file of SQLite, until all of them are there: a run that was killed goes on with them."""

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

COMPANIONS = ("", "-wal", "-shm", "-journal")  # the file, and those that SQLite keeps beside it
TABLES = """
create table if not exists run (identity text not null);
create table if not exists results (number integer primary key, data blob, error text);
"""


class StoredResult(NamedTuple):
    """What came of the input with this number: bytes, or why there are none."""

    number: int
    data: bytes | None
    error: str | None


class ResultStore:
    """Results that outlive their process; a context manager that only one process may be in.

    `identity` tells this run from others, by names of what it holds: only the same run goes on. Without a path, the
    results go with the process.
    """

    def __init__(self, path: Path | None, identity: dict[str, Any]) -> None:
        self.path = path
        self.identity = json.loads(json.dumps(identity))
        self.done: set[int] = set()  # the numbers of all results

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
                raise BadConfig(f"{self.path}: another process is at it; wait for it, or give another name.") from None
            if "unable to open" in str(problem) or "readonly" in str(problem):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.path)) from None
            raise BadConfig(f"{self.path}: it should hold an unfinished run, and is damaged; delete it.") from None
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
                f"{self.path}: an unfinished run with other {' and '.join(other)}; finish it with the command that "
                "began it, or delete this file."
            )

    def add(self, result: StoredResult) -> None:
        """Keep a result; it is safe when this returns."""
        self.file.execute("insert or replace into results values (?, ?, ?)", result)
        self.done.add(result.number)

    def take(self, number: int) -> StoredResult:
        """A result that nobody will ask for again."""
        row = self.file.execute("select * from results where number = ?", [number]).fetchone()
        self.file.execute("update results set data = null where number = ?", [number])
        return StoredResult(*row)

    def list_all(self) -> Iterator[StoredResult]:
        """All results, in the order of their numbers."""
        return (StoredResult(*row) for row in self.file.execute("select * from results order by number"))

    def list_errors(self) -> Iterator[StoredResult]:
        """Those that failed, in order."""
        found = self.file.execute("select * from results where error is not null order by number")
        return (StoredResult(*row) for row in found)

    def remove(self) -> None:
        """Close the file and delete it: the run is finished."""
        self.file.close()
        if self.path is not None:
            for companion in COMPANIONS:
                with suppress(FileNotFoundError):
                    Path(f"{self.path}{companion}").unlink()
