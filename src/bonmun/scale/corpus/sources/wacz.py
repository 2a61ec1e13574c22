"""Read the pages of a WACZ file: a ZIP file with WARC files in its folder `archive`.

Nothing is unpacked to disk, so the names in the file cannot lead anywhere.
"""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING, BinaryIO, cast

from bonmun.scale.corpus.sources.formats import read_warc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.corpus.sources.records import Record, RecordMaker

__all__ = ["read_wacz"]

WARC_NAME = re.compile(r"archive/[^/\\]+\.warc(?:\.gz|\.zst)?", re.I)
MAX_RATIO = 100  # of a WARC file to its packed size; text is packed to a tenth
FREE_BYTES = 10_000_000  # of a WARC file, whatever its ratio
MAX_FILES = 100_000  # in the ZIP file
ENCRYPTED = 0x1  # flag of a ZIP entry


def read_wacz(file: BinaryIO, source: str, name: str, maker: RecordMaker) -> Iterator[Record]:
    """Yield the pages of all WARC files in a WACZ file."""
    try:
        with zipfile.ZipFile(file) as archive:
            for entry in _list_warcs(archive, maker):
                with archive.open(entry) as stream:
                    yield from read_warc(cast("BinaryIO", stream), source, f"{name}/{entry.filename}", maker)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as problem:
        raise ValueError(f"its ZIP file cannot be read ({problem})") from problem


def _list_warcs(archive: zipfile.ZipFile, maker: RecordMaker) -> list[zipfile.ZipInfo]:
    """Return the WARC files in the order of their names. Raise ValueError for a file that was made to do harm."""
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise ValueError(f"it contains {len(entries):,} files, more than {MAX_FILES:,}")
    end = 0
    for entry in sorted(entries, key=lambda each: each.header_offset):
        if entry.header_offset < end:
            raise ValueError("its files overlap")
        end = entry.header_offset + entry.compress_size
    warcs = sorted((each for each in entries if WARC_NAME.fullmatch(each.filename)), key=lambda each: each.filename)
    if not warcs:
        raise ValueError("it has no WARC files in the folder archive")
    found = []
    for entry in warcs:
        if entry.flag_bits & ENCRYPTED:
            maker.skip("an encrypted WARC file")
        elif entry.file_size > max(FREE_BYTES, MAX_RATIO * entry.compress_size):
            maker.skip("a WARC file that is packed too well to be true")
        else:
            found.append(entry)
    return found
