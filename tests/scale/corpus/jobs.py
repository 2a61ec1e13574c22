"""Jobs for the child processes of the engine: every page contains an instruction.

A file of its own, since each child loads the file that its work is defined in, and children are many.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import time
from dataclasses import dataclass
from threading import Timer
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["DEADLY", "ENDLESS", "Loading", "Obeying", "batch"]

PAGES = pa.schema([("id", pa.string()), ("does", pa.string()), ("ballast", pa.string())])
RESULTS = pa.schema(
    [("id", pa.string()), ("pid", pa.int64()), ("when", pa.float64()), ("error", pa.string())],
)


def batch(number: int, *does: str, ballast: int = 0) -> pa.RecordBatch:
    """Return a batch of pages with these instructions; `ballast` is their size in bytes."""
    rows = [{"id": f"{number}.{row}", "does": each, "ballast": "x" * ballast} for row, each in enumerate(does)]
    return pa.RecordBatch.from_pylist(rows, schema=PAGES)


@dataclass(frozen=True)
class Obeying:
    """Follow the instructions of the pages; `folder` gets a file for every page, with a letter for every start."""

    folder: Path | None = None

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
        rows = []
        for number, row in enumerate(batch.to_pylist()):
            at(number)
            self._obey(row["id"], *row["does"].split())
            rows.append({"id": row["id"], "pid": os.getpid(), "when": time.monotonic()})
            if row["does"] == "gives":
                yield pa.RecordBatch.from_pylist(rows, schema=RESULTS)
                rows = []
        yield pa.RecordBatch.from_pylist(rows, schema=RESULTS)

    def _obey(self, page: str, deed: str, *more: str) -> None:
        if self.folder:
            begun = self.folder / page
            with begun.open("a") as file:
                file.write("x")
            if deed == "tires" and begun.read_text() != "x":
                os._exit(1)
            while deed == "awaits" and not (self.folder / more[0]).exists():
                time.sleep(0.01)
        if deed in DEEDS:
            DEEDS[deed](*map(float, more))

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        rows = [{"id": row["id"], "error": reason} for row in batch.to_pylist()]
        return pa.RecordBatch.from_pylist(rows, schema=RESULTS)


@dataclass(frozen=True)
class Loading(Obeying):
    """The same, but an instruction is followed when a child loads the job; `ballast` makes it large."""

    deed: str = "nothing"
    ballast: int = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (_Deed(self.folder, self.deed), self.folder, b"x" * self.ballast)


@dataclass(frozen=True)
class _Deed:
    folder: Path | None
    deed: str

    def __reduce__(self) -> tuple[Any, ...]:
        return _do, (self.folder, self.deed)


def _loaded(_: None, folder: Path | None, __: bytes) -> Obeying:
    return Obeying(folder)


def _do(folder: Path | None, deed: str) -> None:
    if folder:
        (folder / f"loading {os.getpid()}").write_text(str(time.monotonic()))
    Obeying(folder)._obey("load", *deed.split())


def _hang() -> None:
    """Wait for ever in the kernel."""
    while True:
        time.sleep(600)


def _spin() -> None:
    """Loop for ever in Python."""
    while True:
        pass


def _backtrack() -> None:
    """Loop for ever in C without releasing the GIL."""
    re.match("(a|a)*b", "a" * 99)


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _exit() -> None:
    os._exit(0)


def _crash() -> None:
    ctypes.string_at(0)


def _raise() -> None:
    raise ValueError("no such luck")


def _hog() -> None:
    """Allocate memory without end."""
    held = []
    while True:
        held.append(bytes(100_000_000))  # never written, so this takes only address space


def _die_later(seconds: float) -> None:
    """Return, and die later."""
    Timer(seconds, os._exit, (1,)).start()


ENDLESS: dict[str, Callable[..., object]] = {"hangs": _hang, "spins": _spin, "backtracks": _backtrack}
DEADLY: dict[str, Callable[..., object]] = {
    "killed": _kill,
    "exits": _exit,
    "crashes": _crash,
    "raises": _raise,
    "leaves": sys.exit,
}
DEEDS: dict[str, Callable[..., object]] = {
    "sleeps": time.sleep,
    "dies_later": _die_later,
    "hogs": _hog,
    **ENDLESS,
    **DEADLY,
}  # other instructions do nothing
