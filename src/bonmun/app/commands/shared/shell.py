"""Messages, exit statuses and standard output of all commands."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import typer

from bonmun.errors import BadConfig, BonmunError, MissingExtra
from bonmun.page.parse.decode import find_encoding
from bonmun.text.readable import drop_unreadable
from bonmun.work.files import PART_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "check_encoding",
    "complain",
    "corpus_errors",
    "output_to",
    "say_count",
    "show",
    "stoppable",
    "wrong_use",
]


def say_count(count: int, noun: str) -> str:
    """Return a number with its noun: "1 page", "2,000 pages"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def complain(message: str) -> None:
    """Write a message to stderr, without control characters: names in files of others may contain some."""
    typer.echo(f"bonmun: {drop_unreadable(message)}", err=True)


def show(text: str) -> None:
    """Write a result to stdout, always in UTF-8."""
    if sys.stdout is None:  # closed by the caller
        raise OSError(errno.EBADF, "it is closed")
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace"))
    sys.stdout.flush()


def check_encoding(encoding: str | None) -> None:
    """Raise BadConfig if an encoding is unknown."""
    if encoding and not find_encoding(encoding):
        raise BadConfig(f"Unknown encoding {encoding!r}: give a name such as 'utf-8', 'euc-kr' or 'windows-1251'.")


@contextmanager
def wrong_use() -> Iterator[None]:
    """Report wrong options and missing packages, and end with status 2."""
    try:
        yield
    except (BadConfig, MissingExtra) as problem:
        complain(str(problem))
        raise typer.Exit(2) from None


@contextmanager
def output_to(place: str | None) -> Iterator[None]:
    """Report an output that cannot be written (by default standard output), and end with status 1."""
    try:
        yield
    except BrokenPipeError:  # the reader, such as `head`, has closed it
        _give_up_stdout()
    except OSError as problem:
        name = str(problem.filename or place or "standard output").removesuffix(PART_SUFFIX)
        complain(f"Cannot write {name}: {problem.strerror or problem}.")
        if name == "standard output":
            _give_up_stdout()
        raise typer.Exit(1) from None


def _give_up_stdout() -> None:
    """Redirect stdout to the null device, so that flushing it at exit cannot fail."""
    with suppress(OSError, ValueError, AttributeError):  # it is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def stoppable(says: str) -> Iterator[None]:
    """End a run cleanly on Ctrl-C, SIGTERM and SIGHUP: stop the children, and report `says`.

    Own handlers are installed because a process that a script starts in the background ignores Ctrl-C. A signal that
    is ignored on purpose (nohup) stays ignored.
    """
    ends = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) != signal.SIG_IGN]
    before = {each: signal.signal(each, signal.default_int_handler) for each in (signal.SIGINT, *ends)}
    try:
        yield
    except KeyboardInterrupt:
        complain(f"Stopped; {says}")
        raise typer.Exit(1) from None
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def corpus_errors(output: Path | None, says: str) -> Iterator[None]:
    """Handle the errors of corpus commands; `says` is reported when the run is interrupted."""
    try:
        with wrong_use(), output_to(str(output) if output else None), stoppable(says):
            yield
    except BonmunError as problem:
        complain(str(problem))
        raise typer.Exit(1) from None
