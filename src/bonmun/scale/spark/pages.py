"""Read pages into a DataFrame with the columns of PAGES and the number of each page.

The paths of WARC, JSON Lines and HTML files are sent to the workers, which read them with the readers of the local
engine, one task per file. Parquet files are read by Spark.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pyarrow as pa

from bonmun.errors import BadConfig
from bonmun.options import DEFAULTS
from bonmun.scale.corpus.batches import PAGES, make_batches
from bonmun.scale.corpus.sources.parquet_rows import make_row_record
from bonmun.scale.corpus.sources.reader import STREAM_READERS, read_until_damage
from bonmun.scale.corpus.sources.records import COLUMNS, RecordMaker
from bonmun.scale.corpus.sources.source_columns import check_columns, describe_missing_column
from bonmun.scale.spark.hadoop import escape_glob, make_uri, open_file
from bonmun.scale.spark.session import from_arrow_schema, read_hadoop_settings
from bonmun.scale.spark.sources import PARQUET, PageFile, list_files
from bonmun.scale.spark.work import NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bonmun.scale.corpus.sources.records import Record

__all__ = ["NUMBERED_PAGES", "Report", "read_pages"]

NUMBERED_PAGES = pa.schema(
    [(NUMBER, pa.int64()), *((part.name, pa.binary() if part.name == "html" else part.type) for part in PAGES)]
)
PAGES_PER_TASK = 256  # of files with one page each
FILE_BITS = 32  # low bits of the number of a page: its position in its file
PATH, ROW = "_path", "_row"  # columns: file and row number of a Parquet row

Notes = dict[str, tuple[Counter[str], list[str]]]  # by file: counts of what was skipped, and messages on damage


class Report:
    """What was skipped, and what is damaged. Complete when the job that reads the pages has ended.

    Each file is counted once, even if its task was run twice.
    """

    def __init__(self, session: Any) -> None:
        self.notes = session.sparkContext.accumulator({}, _NotesMerger())

    @property
    def skipped(self) -> Counter[str]:
        """What was skipped, by reason."""
        return sum((skipped for skipped, _ in self.notes.value.values()), Counter())

    @property
    def damaged(self) -> list[str]:
        """A message for each damaged file."""
        return [message for _, (_, damaged) in sorted(self.notes.value.items()) for message in damaged]


class _NotesMerger:
    """The accumulator parameter that tells Spark how to merge notes."""

    def zero(self, _: Notes) -> Notes:
        return {}

    def addInPlace(self, notes: Notes, more: Notes) -> Notes:  # noqa: N802 - called by Spark
        notes.update(more)
        return notes


def read_pages(
    session: Any,
    sources: Sequence[str],
    *,
    site: str | None = None,
    max_bytes: int = DEFAULTS.max_bytes,
    report: Report | None = None,
    html_column: str | None = None,
    url_column: str | None = None,
) -> Any:
    """Return a DataFrame of the pages of some sources: paths, or URIs that Spark supports.

    See `RecordMaker` for `site` and the names of columns.
    """
    files = list_files(session, sources)
    make = partial(RecordMaker, site, max_bytes, html_column, url_column)
    first = next((file for file in files if file.format == "jsonl" and Path(file.path).is_file()), None)
    if first:
        check_columns(Path(first.path), first.format, make())
    notes = (report or Report(session)).notes
    rows = [file for file in files if file.format == PARQUET]
    single = [file for file in files if file.format == "page"]
    streams = [file for file in files if file.format not in (PARQUET, "page")]
    parts = [_read_parquet(session, rows, make, notes)] if rows else []
    tasks = [[file] for file in streams] + [
        single[at : at + PAGES_PER_TASK] for at in range(0, len(single), PAGES_PER_TASK)
    ]
    if tasks:
        read = _StreamReader(session.sparkContext.broadcast(tasks), make, read_hadoop_settings(session), notes)
        numbers = session.range(0, len(tasks), 1, len(tasks))  # one in each partition
        parts.append(numbers.mapInArrow(read, from_arrow_schema(NUMBERED_PAGES)))
    if not parts:
        raise BadConfig("There are no sources; give files or folders.")
    return reduce(lambda first, second: first.unionByName(second), parts)


def _read_parquet(session: Any, files: list[PageFile], make: partial[RecordMaker], notes: Any) -> Any:
    from pyspark.errors import PySparkException

    paths = [escape_glob(make_uri(file.path)) for file in files]
    try:
        rows = session.read.option("mergeSchema", "true").parquet(*paths)
    except PySparkException as problem:
        raise BadConfig(f"{files[0].path}: Spark cannot read it: {str(problem).splitlines()[0][:300]}") from None
    plain = [part.name for part in rows.schema if part.dataType.typeName() not in ("array", "map", "struct")]
    maker = make()
    for key, column in maker.needed.items():
        if column not in plain:
            raise BadConfig(describe_missing_column(files[0].path, key, column, rows.columns))
    named = [f"{_quote(column)} as {key}" for key, column in maker.columns.items() if column in plain]
    placed = rows.selectExpr(*named, f"_metadata.file_path as {PATH}", f"_metadata.row_index as {ROW}")
    known = {_plain_path(file.path): file for file in files}
    return placed.mapInArrow(_RowReader(make, known, notes), from_arrow_schema(NUMBERED_PAGES))


def _quote(column: str) -> str:
    return f"`{column.replace('`', '``')}`"


def _plain_path(path: str) -> str:
    """Return a path in its simplest form: `/a` for `file:/a` and `file:///a`."""
    return "/" + path.removeprefix("file:").lstrip("/") if path.startswith(("file:", "/")) else path


@dataclass(frozen=True, slots=True)
class _StreamReader:
    """A function for `mapInArrow`: takes numbers of tasks, and yields the pages of their files."""

    tasks: Any  # broadcast variable: the files of each task
    make: partial[RecordMaker]
    settings: Mapping[str, str]  # of Hadoop
    notes: Any

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for task in batch.column(0).to_pylist():
                for file in self.tasks.value[task]:
                    yield from _make_numbered(self._read(file))

    def _read(self, file: PageFile) -> Iterator[tuple[int, Record]]:
        maker = self.make()
        damaged: list[str] = []
        with open_file(file.path, self.settings) as stream:
            records = STREAM_READERS[file.format](stream, file.source, file.name, maker)
            yield from enumerate(read_until_damage(file.path, records, damaged), file.number << FILE_BITS)
        if maker.skipped or damaged:
            self.notes.add({file.path: (maker.skipped, damaged)})


@dataclass(frozen=True, slots=True)
class _RowReader:
    """A function for `mapInArrow`: takes rows of Parquet, and yields pages."""

    make: partial[RecordMaker]
    files: Mapping[str, PageFile]
    notes: Any

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from _make_numbered(self._read(batches))

    def _read(self, batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, Record]]:
        maker = self.make()
        skipped: dict[str, list[int]] = {}  # by file
        for batch in batches:
            columns = {name: name for name in batch.schema.names if name in COLUMNS}
            for at in range(batch.num_rows):
                row = batch.column(ROW)[at].as_py()
                file = self.files[_plain_path(unquote(batch.column(PATH)[at].as_py()))]
                if record := make_row_record(batch, at, columns, maker, file.source, f"{file.name}:{row + 1}"):
                    yield (file.number << FILE_BITS) + row, record
                else:
                    skipped.setdefault(file.path, []).append(row)
        for (
            path,
            skipped_rows,
        ) in skipped.items():  # keyed by the first row, since a file may be split into several tasks
            reason = f"a row without {maker.columns['html']}"
            self.notes.add({f"{path}:{skipped_rows[0]}": (Counter({reason: len(skipped_rows)}), [])})


def _make_numbered(records: Iterator[tuple[int, Record]]) -> Iterator[pa.RecordBatch]:
    """Yield batches of records with their numbers."""
    numbers: list[int] = []

    def take_numbers() -> Iterator[Record]:
        for number, record in records:
            numbers.append(number)
            yield record

    for batch in make_batches(take_numbers()):
        count = batch.num_rows
        columns = [column.cast(part.type) for column, part in zip(batch.columns, list(NUMBERED_PAGES)[1:], strict=True)]
        yield pa.RecordBatch.from_arrays([pa.array(numbers[:count], pa.int64()), *columns], schema=NUMBERED_PAGES)
        del numbers[:count]
