"""Files that are written beside their place and take it when they are whole.

Whoever reads a file sees all of it, or the one that was there before; nothing half-written is left behind.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "PART_SUFFIX",
    "check_folder",
    "open_atomically",
    "part_path",
    "write_atomically",
    "write_bytes",
    "write_text",
]

PART_SUFFIX = ".part"  # ends the name of a file that is being written


def part_path(path: str | Path) -> Path:
    """Where a file is written before it is whole."""
    return Path(f"{path}{PART_SUFFIX}")


def check_folder(path: Path) -> None:
    """Raise if the folder that a file should go to is not there: a name that was mistyped makes no folders."""
    if not path.parent.is_dir():
        raise BadConfig(f"{path.parent}: there is no such folder for {path.name}; make it first. Nothing was done.")


@contextmanager
def write_atomically(path: str | Path) -> Iterator[Path]:
    """A path for somebody to write a file to; the file takes its place when the block ends well, and else goes.

    A block that leaves no file there, having nothing to write, changes nothing.
    """
    part = part_path(path)
    part.unlink(missing_ok=True)  # what a process that was killed has left
    try:
        yield part
        if part.exists():
            part.replace(path)
    except BaseException:
        with suppress(OSError):  # the folder may be missing, too
            part.unlink()
        raise


@contextmanager
def open_atomically(path: str | Path, *, sync: bool = False) -> Iterator[BinaryIO]:
    """A file open for writing; with `sync` it is on the disk before it takes its place."""
    with write_atomically(path) as part, part.open("wb") as file:
        yield file
        if sync:
            file.flush()
            os.fsync(file.fileno())


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a whole file."""
    with open_atomically(path) as file:
        file.write(data)


def write_text(path: str | Path, text: str) -> None:
    """Write a whole file in UTF-8; halves of characters become question marks."""
    write_bytes(path, text.encode("utf-8", "replace"))
