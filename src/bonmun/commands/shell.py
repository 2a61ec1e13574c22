"""What all commands share: complaints, exit states, standard output."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from bonmun.errors import BadConfig, MissingExtra
from bonmun.work.files import PART

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["complain", "output_to", "show", "stoppable", "wrong_use"]


def complain(message: str) -> None:
    """Say something on stderr."""
    typer.echo(f"bonmun: {message}", err=True)


def show(text: str) -> None:
    """Write a result to stdout, in UTF-8 whatever the terminal says."""
    if sys.stdout is None:  # closed by the caller
        raise OSError(errno.EBADF, "it is closed")
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace"))
    sys.stdout.flush()


@contextmanager
def wrong_use() -> Iterator[None]:
    """Complain about options that do not fit and packages that are missing, and end with 2."""
    try:
        yield
    except (BadConfig, MissingExtra) as problem:
        complain(str(problem))
        raise typer.Exit(2) from None


@contextmanager
def output_to(place: str | None) -> Iterator[None]:
    """Complain about a place, by default standard output, that cannot be written to, and end with 1."""
    try:
        yield
    except BrokenPipeError:  # the reader, such as `head`, has seen enough; nothing is left to flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as problem:
        name = str(problem.filename or place or "standard output").removesuffix(PART)
        complain(f"{name}: cannot be written: {problem.strerror or problem}.")
        raise typer.Exit(1) from None


@contextmanager
def stoppable(says: str) -> Iterator[None]:
    """Ctrl-C, and whatever else ends a process in good order, stops children and keeps what is known."""
    ends = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) != signal.SIG_IGN]  # nohup
    before = [signal.signal(each, signal.default_int_handler) for each in ends]
    try:
        yield
    except KeyboardInterrupt:
        complain(f"Stopped; {says}")
        raise typer.Exit(1) from None
    finally:
        for each, handler in zip(ends, before, strict=True):
            signal.signal(each, handler)
