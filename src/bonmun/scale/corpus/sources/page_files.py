"""Find the pages in a folder: files with a known extension, and other files that look like a page.

Folders saved by wget or HTTrack contain pages with names such as `view.php?id=3`, `index.html@p=2` or `news`. Other
files are skipped and counted. Only regular files are opened, and links to folders are not followed.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.errors import MissingExtra
from bonmun.page.parse.sniff import SNIFFED_BYTES, looks_like_page
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator

__all__ = ["PAGE_NAME", "find_files", "format_counts", "is_page_file"]

PAGE_NAME = re.compile(r"\.(?:x?html?|mht|mhtml|webarchive|snapshot)(?:\.(?:gz|xz|zst))?$", re.I)
EXTENSION = re.compile(r"\.[a-z][a-z0-9]{0,7}$")
QUERY = re.compile(r"[?@#;].*", re.S)  # in a file name made from a URL: style.css?v=3
WELL_KNOWN_NAMES = frozenset({"robots.txt", "sitemap.xml", "favicon.ico", "humans.txt", "ads.txt"})
MAX_SHOWN_REASONS = 8


def find_files(
    folder: Path,
    skipped: Counter[str],
    is_known_name: Callable[[str], object] = PAGE_NAME.search,
    on_error: Callable[[OSError], None] | None = None,
) -> Iterator[tuple[Path, bool]]:
    """Yield the files of a folder, sorted by name, before those of its subfolders; True for those to be read.

    To be read are files with a known name and files that look like a page. The others are counted in `skipped`.
    `on_error` is called for folders that cannot be listed.
    """
    for place, folders, files in os.walk(folder, onerror=on_error):
        folders.sort()
        for name in sorted(files):
            path = Path(place, name)
            reason = _find_skip_reason(path, bool(is_known_name(name)))
            if reason:
                skipped[reason] += 1
            yield path, not reason


def _find_skip_reason(path: Path, is_known: bool) -> str | None:
    """Return why a file is skipped; None for one that is read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe or a device may block for ever
            return "a device, pipe or socket"
        return None if is_known or is_page_file(path) else _describe(path.name)
    except (OSError, ValueError):
        return None if is_known else "a file that cannot be read"  # the reader reports why a page cannot be read


def is_page_file(path: Path) -> bool:
    """Return whether a file contains a page, compressed or not, by its first bytes."""
    try:
        with path.open("rb") as file:
            return looks_like_page(decompress(file).read(SNIFFED_BYTES))
    except (EOFError, MissingExtra):  # damaged, or its compression is not supported here
        return False
    except DAMAGE_ERRORS as problem:
        if isinstance(problem, OSError) and problem.errno is not None:
            raise
        return False


def _describe(name: str) -> str:
    """Return the extension of a file, or its name if it is well known."""
    name = QUERY.sub("", name.lower())
    if name in WELL_KNOWN_NAMES:
        return name
    found = EXTENSION.search(name)
    return found[0] if found else "no extension"


def format_counts(counts: Counter[str]) -> str:
    """Return counts as text, the most frequent first: `12 × .css, 3 × .png, 2 others`."""
    common = counts.most_common(MAX_SHOWN_REASONS)
    rest = counts.total() - sum(count for _, count in common)
    others = [f"{rest:,} others"] if rest else []
    return ", ".join([*(f"{count:,} × {reason}" for reason, count in common), *others])
