"""Arrays in a file, and what goes wrong with such files."""

from __future__ import annotations

import zipfile
import zlib
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.work.files import open_beside

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["UNREADABLE", "save_arrays"]

UNREADABLE = (  # what numpy and zipfile raise for files that are damaged, or something else
    *(OSError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError, NotImplementedError),
    *(RuntimeError, SyntaxError, TokenError, zipfile.BadZipFile, zlib.error),
)


def save_arrays(path: str | Path, arrays: dict[str, Any]) -> None:
    """Write arrays, packed; the file appears when it is whole."""
    with open_beside(path) as file:
        np.savez_compressed(file, **arrays)
