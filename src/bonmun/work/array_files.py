"""Arrays in a file, and what goes wrong with such files.

A file may come from anywhere. What is read of it is numbers and nothing else, all of them finite, in arrays that are
as large as they say; and a small file takes little memory, whatever it says.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import struct
import zipfile
import zlib
from math import isfinite, prod
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["READ_ERRORS", "load_arrays", "read_json", "save_arrays"]

READ_ERRORS = (  # what reading raises for files that are damaged, or something else
    *(OSError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError, NotImplementedError),
    *(RuntimeError, SyntaxError, TokenError, ArithmeticError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
)
UNPACKED_BYTES = 100_000_000  # that any file may unpack to
UNPACKED_TIMES = 100  # and so many times its size, if that is more; ours unpack to 2 to 10 times theirs
NUMBERS = "biuf"  # kinds of numpy: truth values, whole numbers, fractions
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def save_arrays(path: str | Path, arrays: dict[str, Any]) -> None:
    """Write arrays, packed; the file appears when it is whole."""
    with open_atomically(path) as file:
        np.savez_compressed(file, **arrays)


def load_arrays(file: BinaryIO) -> dict[str, Any]:
    """Read all arrays of a file, by name; raises one of READ_ERRORS for what `save_arrays` would not have written."""
    size = file.seek(0, os.SEEK_END)
    with zipfile.ZipFile(file) as packed:
        members = packed.infolist()
        if sum(member.file_size for member in members) > max(UNPACKED_BYTES, UNPACKED_TIMES * size):
            raise ValueError("it unpacks to far more than such files do")
        return {member.filename.removesuffix(".npy"): _read_array(packed, member) for member in members}


def _read_array(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("packed in another way")
    with packed.open(member) as stream:
        data = stream.read(member.file_size + 1)  # not read(), which unpacks all there is, whatever the size says
    header = io.BytesIO(data)
    shape, is_fortran, kind = HEADERS[np.lib.format.read_magic(header)](header)
    start = header.tell()
    if kind.kind not in NUMBERS or prod(shape) * kind.itemsize != len(data) - start:
        raise ValueError("no numbers, or not as many as it says")
    array = np.frombuffer(data, kind, offset=start).reshape(shape, order="F" if is_fortran else "C")
    if kind.kind == "f" and not np.isfinite(array).all():
        raise ValueError("numbers that are none")
    return array


def read_json(array: Any) -> Any:
    """Read JSON that is kept as an array of bytes; numbers that are none raise."""
    return json.loads(array.tobytes(), parse_constant=_read_number, parse_float=_read_number)


def _read_number(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("a number that is none")
    return value
