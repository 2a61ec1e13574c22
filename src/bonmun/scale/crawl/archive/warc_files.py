"""The WARC files of a crawl: what they are called, where records are in them, and how they are mended after a crash."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["Place", "cut_files", "find_files", "name_file"]

PREFIX = re.compile(r"[\w-][\w.-]*", re.ASCII)
FILE = re.compile(r"(.+)-([0-9]{6,9})\.warc\.gz")


class Place(NamedTuple):
    """Where a response or revisit record is, and the digest of its body: sha1:…, as in WARC-Payload-Digest."""

    file: str  # its name, without folder
    offset: int
    length: int
    digest: str

    @property
    def end(self) -> int:
        """Where the next record begins."""
        return self.offset + self.length


def name_file(prefix: str, number: int) -> str:
    """What the file of a number is called."""
    if not PREFIX.fullmatch(prefix):
        raise BadConfig(f"{prefix!r} cannot begin the names of files: use letters, digits, '-', '_' and '.'.")
    return f"{prefix}-{number:06}.warc.gz"


def find_files(folder: Path, prefix: str) -> dict[int, Path]:
    """The files that writers of this prefix have made, by number."""
    found = ((FILE.fullmatch(path.name), path) for path in sorted(folder.iterdir()))
    return {int(match[2]): path for match, path in found if match and match[1] == prefix}


def cut_files(folder: Path, prefix: str, places: Iterable[Place]) -> list[Place]:
    """Leave of the last file what the caller knows of, and of the others what is whole; gives the places that are lost.

    The last file ends where the last of its places ends, and goes if it has none. Another is cut only if it is shorter
    than its places say.
    """
    files = list(find_files(folder, prefix).values())
    sizes = {path.name: path.stat().st_size for path in files}
    ends = dict.fromkeys(sizes, 0)
    lost = []
    for place in places:
        if place.end > sizes.get(place.file, 0):
            lost.append(place)
        else:
            ends[place.file] = max(ends[place.file], place.end)
    torn = {place.file for place in lost} | {path.name for path in files[-1:]}
    for path in files:
        if path.name in torn and ends[path.name]:
            os.truncate(path, ends[path.name])
        elif path.name in torn:
            path.unlink()
    return lost
