"""How far some work is, on stderr, for people at a terminal; in files and pipes nothing of it is seen."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Progress", "is_terminal", "show_line", "show_progress"]


class Progress:
    """How much of some work is done; `show` is called with that, and with a note on it."""

    def __init__(self, total: int, show: Callable[[int, str], None]) -> None:
        self.total = total
        self.done = 0
        self.show = show
        self.start = monotonic()

    def advance(self, steps: int = 1) -> None:
        """Say that so many more steps are done."""
        self.done += steps
        self.show(self.done, f"{self.done:,}/{self.total:,}")

    def move(self, done: int, count: int, what: str) -> None:
        """Say how much is done, such as bytes of all bytes, and how many of what people count, such as pages."""
        self.done = done
        rate = count / max(monotonic() - self.start, 1e-9)
        self.show(done, f"{count:,} {what}, {rate:,.{0 if rate >= 10 else 1}f} a second")


@contextmanager
def show_progress(says: str, total: int, *, shown: bool = True) -> Iterator[Progress]:
    """A bar with the time spent and left, while the block runs; a total of 0 is not known."""
    if not shown or not is_terminal(sys.stderr):
        yield Progress(total, lambda *_: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    note = TextColumn("{task.fields[note]}")
    columns = (TextColumn(says), BarColumn(), TaskProgressColumn(), note, TimeElapsedColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task(says, total=total or None, note="")
        yield Progress(total, lambda done, note: bars.update(task, completed=done, note=note))
        bars.update(task, completed=total or None)


def show_line(line: str) -> None:
    """Show a line on a terminal, over the last one."""
    if is_terminal(sys.stderr):
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches a stream; one that the caller has closed is None."""
    return stream is not None and stream.isatty()
