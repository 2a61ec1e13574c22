"""Run a job in the Python workers of Spark, with the local engine and one child process per worker.

The engine applies the time and memory limits of each page, so a page that fails costs only its row and not the whole
task. The child process is reused by later tasks of the same job, since it has loaded the network and the site model.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from bonmun.scale.corpus.batches import BATCH_BYTES, BATCH_PAGES
from bonmun.scale.corpus.engine import MEMORY_BYTES, run

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from bonmun.scale.corpus.engine import BatchJob

__all__ = ["NUMBER", "JobRunner", "Limits", "make_signed"]

NUMBER = "number"  # column: number of the page
SIGNED_TYPES = {pa.uint64(): pa.int64(), pa.uint32(): pa.int64()}  # Spark has no unsigned types


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for each page."""

    seconds: float = 30.0
    memory: int = MEMORY_BYTES  # of the child process, in bytes


@dataclass(frozen=True, slots=True)
class JobRunner:
    """A function for `mapInArrow`: runs a job of the local engine on batches of numbered pages."""

    job: Any  # broadcast variable, so a worker receives it once
    name: str  # identifies the job
    limits: Limits

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the results of pages in order, with their numbers."""
        for batch in batches:
            for piece in _split(batch):
                numbers = piece.column(NUMBER)
                done = 0
                for result in _run(self, piece.drop_columns([NUMBER])):
                    yield _add_numbers(result, numbers.slice(done, result.num_rows))
                    done += result.num_rows


class _WorkerEngine:
    """The local engine with one child process, given one batch at a time."""

    def __init__(self, job: BatchJob, limits: Limits) -> None:
        self.waiting: deque[pa.RecordBatch] = deque()
        self.results: Generator[list[pa.RecordBatch], None, None]
        self.results = run(job, self._feed(), 1, limits.seconds, limits.memory)

    def _feed(self) -> Iterator[pa.RecordBatch]:
        while True:
            yield self.waiting.popleft()

    def process(self, batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        """Return the results of a batch."""
        self.waiting.append(batch)
        return next(self.results)

    def stop(self) -> None:
        """Stop the child process."""
        self.results.close()


_engines: dict[tuple[str, Limits], _WorkerEngine] = {}  # at most one, since a worker runs one job at a time


def _run(runner: JobRunner, batch: pa.RecordBatch) -> list[pa.RecordBatch]:
    key = runner.name, runner.limits
    engine = _engines.get(key)
    if engine is None:
        _stop_engines()
        engine = _engines[key] = _WorkerEngine(runner.job.value, runner.limits)
    try:
        return engine.process(batch)
    except BaseException:
        _stop_engines()
        raise


def _stop_engines() -> None:
    while _engines:
        _engines.popitem()[1].stop()


def _split(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Split a batch into batches of the size that the local engine uses, whatever the settings of Spark."""
    start = size = 0
    sizes = pc.fill_null(pc.binary_length(batch.column("html")), 0).to_pylist()
    for row, bytes_ in enumerate(sizes, 1):
        size += bytes_
        if row - start == BATCH_PAGES or size >= BATCH_BYTES:
            yield batch.slice(start, row - start)
            start, size = row, 0
    if start < batch.num_rows:
        yield batch.slice(start)


def _add_numbers(result: pa.RecordBatch, numbers: pa.Array) -> pa.RecordBatch:
    schema = make_signed(result.schema)
    columns = [column.cast(kind, safe=False) for column, kind in zip(result.columns, schema.types[1:], strict=True)]
    return pa.RecordBatch.from_arrays([numbers, *columns], schema=schema)


def make_signed(schema: pa.Schema) -> pa.Schema:
    """Return the schema of results for Spark: with a number, and signed types (large keys become negative)."""
    return pa.schema([(NUMBER, pa.int64()), *((part.name, _make_signed(part.type)) for part in schema)])


def _make_signed(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_make_signed(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(part.name, _make_signed(part.type)) for part in kind])
    return SIGNED_TYPES.get(kind, kind)
