"""A DuckDB file: opened within limits, asked, written in transactions."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bonmun.errors import BadConfig, BadInput, BonmunError, MissingExtra

try:
    import duckdb
except ImportError:
    raise MissingExtra("Counts are kept by DuckDB: pip install 'bonmun[corpus]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

__all__ = ["DuckFile"]

SETTINGS: dict[str, Any] = {
    "memory_limit": "400MB",  # what does not fit waits on disk, beside the file
    "threads": 2,
    "preserve_insertion_order": False,
    "autoinstall_known_extensions": False,  # nothing is ever fetched
    "autoload_known_extensions": False,
}
DAMAGED = "cannot be read as counts; it is damaged, or no DuckDB file."

Self = TypeVar("Self", bound="DuckFile")


class DuckFile:
    """An open file; a context manager, since only one process may have it open for writing."""

    def __init__(self, path: str | Path, *, read_only: bool) -> None:
        self.path = Path(path)
        self.duck = _open(self.path, read_only=read_only)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let others have the file."""
        self.duck.close()

    def ask(self, asked: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows at once: a result that is open keeps others waiting."""
        try:
            return self.duck.execute(asked, list(values)).fetchall()
        except duckdb.Error as problem:
            raise BadInput(f"{self.path}: {DAMAGED}") from problem

    def ask_row(self, asked: str, *values: Any) -> tuple[Any, ...]:
        """The first row."""
        return self.ask(asked, *values)[0]

    def ask_one(self, asked: str, *values: Any) -> Any:
        """The first value of the first row."""
        return self.ask_row(asked, *values)[0]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing is written; what DuckDB says of a full disk becomes an error of ours."""
        self.duck.execute("begin")
        try:
            yield
            self.duck.execute("commit")
        except BaseException as problem:
            with suppress(duckdb.Error):  # a commit that failed has ended it
                self.duck.execute("rollback")
            if not isinstance(problem, duckdb.Error):
                raise
            says = " ".join(str(problem).split("\n")[0].split())
            raise BonmunError(f"{self.path}: the counts cannot be written, and stay as they were: {says}") from problem

    @contextmanager
    def attach(self, path: str | Path, name: str) -> Iterator[None]:
        """Another file, by a name, to be read."""
        quoted = "'" + str(path).replace("'", "''") + "'"
        self.duck.execute(f"attach {quoted} as {name} (read_only)")
        try:
            yield
        finally:
            self.duck.execute(f"detach {name}")


def _open(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(path), read_only=read_only, config=SETTINGS)
    except duckdb.Error as problem:
        says = str(problem)
        if "set lock" in says.lower():
            raise BadConfig(f"{path}: another process is at work on these counts; wait for it.") from None
        if path.is_file():
            raise BadInput(f"{path}: {DAMAGED}") from problem
        raise BadConfig(f"{path}: cannot be made there: {' '.join(says.split())}") from problem
