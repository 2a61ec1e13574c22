"""Read and write files of arrays.

Files may come from anywhere. Only finite numbers are read, in arrays of the declared size, and a small file never takes
much memory.
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

__all__ = ["MAX_JSON_VALUES", "READ_ERRORS", "load_arrays", "read_json", "save_arrays"]

READ_ERRORS = (  # raised when a file is damaged or of another kind
    *(OSError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError, NotImplementedError),
    *(RuntimeError, SyntaxError, TokenError, ArithmeticError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
)
MAX_UNPACKED_BYTES = 100_000_000  # any file may decompress to this
MAX_UNPACKED_RATIO = 100  # and to this many times its size, if that is more; ours have a ratio of 2 to 10
# Values of a JSON text, which takes 20 times its size in memory; a snapshot with 100,000 styles has 1.5 million.
MAX_JSON_VALUES = 2_000_000
NUMBER_KINDS = "biuf"  # numpy kinds: bool, integers, floats
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def save_arrays(path: str | Path, arrays: dict[str, Any]) -> None:
    """Write arrays to a compressed file, atomically."""
    with open_atomically(path) as file:
        np.savez_compressed(file, **arrays)


def load_arrays(file: BinaryIO) -> dict[str, Any]:
    """Read all arrays of a file, by name; raises one of READ_ERRORS for files that `save_arrays` did not write."""
    size = file.seek(0, os.SEEK_END)
    with zipfile.ZipFile(file) as packed:
        members = packed.infolist()
        if sum(member.file_size for member in members) > max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * size):
            raise ValueError("the file decompresses to far more than expected")
        return {member.filename.removesuffix(".npy"): _read_array(packed, member) for member in members}


def _read_array(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("unknown compression method")
    with packed.open(member) as stream:
        data = stream.read(member.file_size + 1)  # a plain read() would ignore the declared size
    header = io.BytesIO(data)
    shape, is_fortran, kind = HEADERS[np.lib.format.read_magic(header)](header)
    start = header.tell()
    if kind.kind not in NUMBER_KINDS or prod(shape) * kind.itemsize != len(data) - start:
        raise ValueError("not an array of numbers of the declared size")
    array = np.frombuffer(data, kind, offset=start).reshape(shape, order="F" if is_fortran else "C")
    if kind.kind == "f" and not np.isfinite(array).all():
        raise ValueError("the array contains NaN or infinity")
    return array


def read_json(array: Any, max_values: int = MAX_JSON_VALUES) -> Any:
    """Read JSON that is stored as an array of bytes; NaN, infinity and too many values raise ValueError."""
    data = array.tobytes()
    if sum(map(data.count, (b"[", b"{", b","))) > max_values:
        raise ValueError("the JSON has far more values than expected")
    return json.loads(data, parse_constant=_read_number, parse_float=_read_number)


def _read_number(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("NaN or infinity")
    return value
