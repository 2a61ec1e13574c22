"""Arrays in a file, and what goes wrong with such files."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

__all__ = ["UNREADABLE", "save_arrays"]

UNREADABLE = (  # what numpy and zipfile raise for files that are damaged, or something else
    *(OSError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError, NotImplementedError),
    *(RuntimeError, SyntaxError, TokenError, zipfile.BadZipFile, zlib.error),
)


def save_arrays(path: str | Path, arrays: dict[str, Any]) -> None:
    """Write arrays, packed; the file appears when it is whole."""
    part = Path(f"{path}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
