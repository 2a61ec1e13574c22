"""Jobs for the workers of Spark in which a page may contain an instruction. A separate file, which workers import."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark import TaskContext

from bonmun.extraction import Extraction
from bonmun.scale.corpus.batches import ExtractJob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

__all__ = ["Loading", "Poison", "break_once"]

INSTRUCTION = re.compile(rb"DO (\w+)")


@dataclass(frozen=True)
class Poison:
    """A job that follows the instruction of a page before it extracts it; `folder` records what happens only once."""

    folder: str

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
        for row in range(batch.num_rows):
            at(row)
            piece = batch.slice(row, 1)
            if found := INSTRUCTION.search(piece.column("html")[0].as_py()):
                ACTIONS[found[1].decode()](Path(self.folder))
            yield from ExtractJob(Extraction(method="rules")).run(piece)

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        return ExtractJob(Extraction(method="rules")).make_failures(batch, reason)


@dataclass(frozen=True)
class Loading(Poison):
    """The same job; every process that unpickles it leaves a file, as if it loaded a model."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self.folder, os.getpid())


def _load(folder: str, writer: int) -> Loading:
    if os.getpid() != writer:  # not in the process that pickled it
        Path(folder, f"loaded {os.getpid()} {time.monotonic_ns()}").touch()
    return Loading(folder)


def _hang(_: Path) -> None:
    while True:
        time.sleep(600)


def _crash(_: Path) -> None:
    ctypes.string_at(0)


def _hog(_: Path) -> None:
    held = []
    while True:
        held.append(bytes(100_000_000))


def _raise(_: Path) -> None:
    raise ValueError("no such luck")


def _kill_worker_once(folder: Path) -> None:
    """Kill the Python worker of Spark, the parent, and so this process."""
    mark = folder / "killed"
    if not mark.exists():
        mark.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)


ACTIONS = {"hang": _hang, "crash": _crash, "hog": _hog, "raise": _raise, "kill": _kill_worker_once}


def break_once(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pass rows on; the first attempt of every task fails halfway."""
    context = TaskContext.get()
    assert context
    for number, batch in enumerate(batches):
        if context.attemptNumber() == 0 and number:
            raise RuntimeError("This was the first attempt.")
        yield batch
    if context.attemptNumber() == 0:
        raise RuntimeError("This was the first attempt.")
