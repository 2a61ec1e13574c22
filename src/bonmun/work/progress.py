"""Progress bars on stderr, shown on a terminal only."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Progress", "is_terminal", "show_line", "show_progress"]


class Progress:
    """The progress of some work; `show` is called with the number of steps done and a note."""

    def __init__(self, total: int, show: Callable[[int, str], None]) -> None:
        self.total = total
        self.done = 0
        self.show = show
        self.start = monotonic()

    def advance(self, steps: int = 1) -> None:
        """Report that more steps are done."""
        self.done += steps
        self.show(self.done, f"{self.done:,}/{self.total:,}")

    def update(self, done: int, count: int, what: str) -> None:
        """Report the total done, such as bytes, and a count for people, such as pages."""
        self.done = done
        rate = count / max(monotonic() - self.start, 1e-9)
        self.show(done, f"{count:,} {what}, {rate:,.{0 if rate >= 10 else 1}f} a second")


@contextmanager
def show_progress(label: str, total: int, *, shown: bool = True) -> Iterator[Progress]:
    """Show a bar with elapsed and remaining time while the block runs; a total of 0 means unknown."""
    if not shown or not is_terminal(sys.stderr):
        yield Progress(total, lambda *_: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    note = TextColumn("{task.fields[note]}")
    columns = (TextColumn(label), BarColumn(), TaskProgressColumn(), note, TimeElapsedColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task(label, total=total or None, note="")
        yield Progress(total, lambda done, note: bars.update(task, completed=done, note=note))
        bars.update(task, completed=total or None)


def show_line(line: str) -> None:
    """Show a line on the terminal, replacing the last one."""
    if is_terminal(sys.stderr):
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; None stands for a closed stream."""
    return stream is not None and stream.isatty()
