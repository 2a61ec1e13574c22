"""What all commands share: complaints, exit states, standard output, checks of what was asked for."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import typer

from bonmun.errors import BadConfig, BonmunError, MissingExtra
from bonmun.outputs import FORMATS, SHORT_NAMES
from bonmun.outputs.chunks.json_lines import CHUNKS
from bonmun.page.parse.decode import find_encoding
from bonmun.work.files import PART_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "check_encoding",
    "check_format",
    "complain",
    "corpus_errors",
    "output_to",
    "show",
    "stoppable",
    "wrong_use",
]


def complain(message: str) -> None:
    """Say something on stderr."""
    typer.echo(f"bonmun: {message}", err=True)


def show(text: str) -> None:
    """Write a result to stdout, in UTF-8 whatever the terminal says."""
    if sys.stdout is None:  # closed by the caller
        raise OSError(errno.EBADF, "it is closed")
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace"))
    sys.stdout.flush()


def check_encoding(encoding: str | None) -> None:
    """Raise if no page can be read with an encoding."""
    if encoding and not find_encoding(encoding):
        raise BadConfig(f"Unknown encoding {encoding!r}: give a name such as 'utf-8', 'euc-kr' or 'windows-1251'.")


def check_format(format_: str) -> str:
    """The whole name of a format; raise if nothing can be written in it."""
    format_ = SHORT_NAMES.get(format_, format_)
    known = (*FORMATS, CHUNKS)
    if format_ not in known:
        raise BadConfig(f"Unknown format {format_!r}: choose one of {', '.join(known)}.")
    return format_


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
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _give_up_stdout()
    except OSError as problem:
        name = str(problem.filename or place or "standard output").removesuffix(PART_SUFFIX)
        complain(f"{name}: cannot be written: {problem.strerror or problem}.")
        if name == "standard output":
            _give_up_stdout()
        raise typer.Exit(1) from None


def _give_up_stdout() -> None:
    """Let what is left of it go nowhere, so that nothing fails again at exit."""
    with suppress(OSError, ValueError, AttributeError):  # it is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def stoppable(says: str) -> Iterator[None]:
    """Ctrl-C, and whatever else ends a process in good order, stops children and keeps what is known.

    The handlers are our own for the time of the run: a process that a script has started in the background ignores
    Ctrl-C, and so would we. But a hang-up or an end that is ignored (nohup) stays ignored.
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
    """What all corpus commands do about things that go wrong; `says` is for a run that is stopped."""
    try:
        with wrong_use(), output_to(str(output) if output else None), stoppable(says):
            yield
    except BonmunError as problem:
        complain(str(problem))
        raise typer.Exit(1) from None
