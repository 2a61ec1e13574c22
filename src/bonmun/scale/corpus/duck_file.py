"""A DuckDB file with memory limits, transactions, and errors of bonmun."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bonmun.errors import BadConfig, BadInput, BonmunError, MissingExtra

try:
    import duckdb
except ImportError:
    raise MissingExtra("Counting needs DuckDB: pip install 'bonmun[corpus]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

__all__ = ["DuckFile"]

SETTINGS: dict[str, Any] = {
    "memory_limit": "400MB",  # the rest is stored in temporary files beside the database
    "threads": 2,
    "preserve_insertion_order": False,
    "autoinstall_known_extensions": False,  # never download anything
    "autoload_known_extensions": False,
}
DAMAGED = "cannot be read as counts; it is damaged, or not a DuckDB file."

Self = TypeVar("Self", bound="DuckFile")


class DuckFile:
    """An open DuckDB file. Only one process may have it open for writing, so close it or use a `with` block."""

    def __init__(self, path: str | Path, *, read_only: bool) -> None:
        self.path = Path(path)
        self.connection = _open(self.path, read_only=read_only)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows at once, since an open result blocks other queries."""
        try:
            return self.connection.execute(sql, list(values)).fetchall()
        except duckdb.Error as problem:
            raise BadInput(f"{self.path}: {DAMAGED}") from problem

    def query_row(self, sql: str, *values: Any) -> tuple[Any, ...]:
        """Return the first row."""
        return self.query(sql, *values)[0]

    def query_value(self, sql: str, *values: Any) -> Any:
        """Return the first value of the first row."""
        return self.query_row(sql, *values)[0]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block in a transaction, and turn an error of DuckDB (such as a full disk) into a BonmunError."""
        self.connection.execute("begin")
        try:
            yield
            self.connection.execute("commit")
        except BaseException as problem:
            with suppress(duckdb.Error):  # a failed commit has already ended the transaction
                self.connection.execute("rollback")
            if not isinstance(problem, duckdb.Error):
                raise
            reason = " ".join(str(problem).split("\n")[0].split())
            raise BonmunError(f"{self.path}: the counts could not be written and are unchanged: {reason}") from problem

    @contextmanager
    def attach(self, path: str | Path, name: str) -> Iterator[None]:
        """Attach another file for reading, under a name."""
        quoted = "'" + str(path).replace("'", "''") + "'"
        self.connection.execute(f"attach {quoted} as {name} (read_only)")
        try:
            yield
        finally:
            self.connection.execute(f"detach {name}")


def _open(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(path), read_only=read_only, config=SETTINGS)
    except duckdb.Error as problem:
        reason = str(problem)
        if "set lock" in reason.lower():
            raise BadConfig(f"{path}: another process is using these counts; wait until it ends.") from None
        if path.is_file():
            raise BadInput(f"{path}: {DAMAGED}") from problem
        raise BadConfig(f"{path}: cannot be created: {' '.join(reason.split())}") from problem
