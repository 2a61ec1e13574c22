"""The WARC files of a crawl: their names, the locations of records, and repair after a crash."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["WARC_FOLDER", "RecordLocation", "find_files", "name_file", "truncate_files"]

WARC_FOLDER = "warc"  # in the folder of a crawl
PREFIX = re.compile(r"[\w-][\w.-]*", re.ASCII)
FILE = re.compile(r"(.+)-([0-9]{6,9})\.warc\.gz")


class RecordLocation(NamedTuple):
    """The location of a response or revisit record in the WARC files."""

    file: str  # name without folder
    offset: int
    length: int
    digest: str  # of the body: sha1:…, as in WARC-Payload-Digest

    @property
    def end(self) -> int:
        """The offset of the next record."""
        return self.offset + self.length


def name_file(prefix: str, number: int) -> str:
    """Return the name of the file with a number."""
    if not PREFIX.fullmatch(prefix):
        raise BadConfig(f"{prefix!r} is not a valid file name prefix; use letters, digits, '-', '_' and '.'.")
    return f"{prefix}-{number:06}.warc.gz"


def find_files(folder: Path, prefix: str) -> dict[int, Path]:
    """Return the WARC files with a prefix, by number."""
    found = ((FILE.fullmatch(path.name), path) for path in sorted(folder.iterdir()))
    return {int(match[2]): path for match, path in found if match and match[1] == prefix}


def truncate_files(folder: Path, prefix: str, locations: Iterable[RecordLocation]) -> list[RecordLocation]:
    """Truncate the files to the records at `locations`. Return the locations that are missing in the files.

    The last file is truncated after its last record, or deleted if it has none. Another file is truncated only if
    records are missing in it.
    """
    files = list(find_files(folder, prefix).values())
    sizes = {path.name: path.stat().st_size for path in files}
    ends = dict.fromkeys(sizes, 0)
    lost = []
    for location in locations:
        if location.end > sizes.get(location.file, 0):
            lost.append(location)
        else:
            ends[location.file] = max(ends[location.file], location.end)
    damaged = {location.file for location in lost} | {path.name for path in files[-1:]}
    for path in files:
        if path.name in damaged and ends[path.name]:
            os.truncate(path, ends[path.name])
        elif path.name in damaged:
            path.unlink()
    return lost
