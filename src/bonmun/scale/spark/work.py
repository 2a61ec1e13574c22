"""What Spark's Python workers do: the local engine with one child, kept from task to task.

The engine gives every page a time limit and a memory limit: a page that hangs or dies costs its row, where a worker
that dies would cost the task. The child has loaded the method's network and the site model, so it is kept for the next
task with the same job.
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

__all__ = ["NUMBER", "Limits", "Work", "make_signed"]

NUMBER = "number"  # the column that says which of all pages a row is
SIGNED = {pa.uint64(): pa.int64(), pa.uint32(): pa.int64()}  # Spark knows no others


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a page may take."""

    seconds: float = 30.0
    memory: int = MEMORY_BYTES  # bytes that the child of a worker may take for its work


@dataclass(frozen=True, slots=True)
class Work:
    """What `mapInArrow` calls: a job of the local engine on batches of pages that have a number each."""

    job: Any  # broadcast, so a worker gets it once
    name: str  # the same for the same job
    limits: Limits

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Results of pages, in their order, with their numbers."""
        for batch in batches:
            for piece in _cut(batch):
                numbers = piece.column(NUMBER)
                done = 0
                for result in _work(self, piece.drop_columns([NUMBER])):
                    yield _add_numbers(result, numbers.slice(done, result.num_rows))
                    done += result.num_rows


class _Engine:
    """The local engine, fed a batch at a time: with one child it takes the next when it has given what came of one."""

    def __init__(self, job: BatchJob, limits: Limits) -> None:
        self.waiting: deque[pa.RecordBatch] = deque()
        self.results: Generator[list[pa.RecordBatch], None, None]
        self.results = run(job, self._feed(), 1, limits.seconds, limits.memory)

    def _feed(self) -> Iterator[pa.RecordBatch]:
        while True:
            yield self.waiting.popleft()

    def work(self, batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        """What comes of a batch."""
        self.waiting.append(batch)
        return next(self.results)

    def stop(self) -> None:
        """End the child."""
        self.results.close()


_kept: dict[tuple[str, Limits], _Engine] = {}  # at most one: a worker is at one job after the other


def _work(what: Work, batch: pa.RecordBatch) -> list[pa.RecordBatch]:
    key = what.name, what.limits
    engine = _kept.get(key)
    if engine is None:
        _forget()
        engine = _kept[key] = _Engine(what.job.value, what.limits)
    try:
        return engine.work(batch)
    except BaseException:
        _forget()
        raise


def _forget() -> None:
    while _kept:
        _kept.popitem()[1].stop()


def _cut(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch in pieces that are as small as those of the local engine, whatever Spark's settings are."""
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
    """The columns of results as Spark has them: with a number, and no unsigned ones: large keys become negative."""
    return pa.schema([(NUMBER, pa.int64()), *((part.name, _make_signed(part.type)) for part in schema)])


def _make_signed(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_make_signed(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(part.name, _make_signed(part.type)) for part in kind])
    return SIGNED.get(kind, kind)
