"""Write files atomically: under a temporary name, which is replaced when the file is complete.

Readers see the whole file or the previous one, and nothing half-written is left behind.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
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

PART_SUFFIX = ".part"  # suffix of a file that is being written


def part_path(path: str | Path) -> Path:
    """Return the temporary path of a file that is being written."""
    return Path(f"{path}{PART_SUFFIX}")


def check_folder(path: Path) -> None:
    """Raise BadConfig if the folder of a file does not exist. It is not created, since its name may be mistyped."""
    if not path.parent.is_dir():
        raise BadConfig(f"{path.parent}: this folder for {path.name} does not exist; create it first.")


@contextmanager
def write_atomically(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path; the file takes its place if the block succeeds, and is deleted if it fails.

    A block that writes no file changes nothing. A device or pipe (/dev/null, /dev/stdout) is written to, not replaced.
    """
    if _is_special(path):
        from shutil import copyfileobj  # imported here: rarely used, and slow to import
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            part = Path(folder) / "part"
            yield part
            if part.exists():
                with part.open("rb") as file, Path(path).open("wb") as target:
                    copyfileobj(file, target)
        return
    part = part_path(path)
    part.unlink(missing_ok=True)  # left by a killed process
    try:
        yield part
        if part.exists():
            part.replace(path)
    except BaseException:
        with suppress(OSError):  # the folder may be missing, too
            part.unlink()
        raise


def _is_special(path: str | Path) -> bool:
    """Whether a path is a device, pipe or socket."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (S_ISREG(mode) or S_ISDIR(mode))


@contextmanager
def open_atomically(path: str | Path, *, sync: bool = False) -> Iterator[BinaryIO]:
    """Yield a file that is open for writing; with `sync`, it is on disk before it takes its place."""
    with write_atomically(path) as part, part.open("wb") as file:
        yield file
        if sync:
            file.flush()
            os.fsync(file.fileno())


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file atomically."""
    with open_atomically(path) as file:
        file.write(data)


def write_text(path: str | Path, text: str) -> None:
    """Write a file in UTF-8, atomically; lone surrogates become question marks."""
    write_bytes(path, text.encode("utf-8", "replace"))
