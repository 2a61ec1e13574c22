"""A folder in, its pages out: files by the endings of their names, and whatever else looks like a page inside.

Folders that wget or HTTrack saved have pages that are called `view.php?id=3`, `index.html@p=2` or just `news`. What is
no page is passed over and counted. Only plain files are opened, and folders that are links are not gone into.
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
ENDING = re.compile(r"\.[a-z][a-z0-9]{0,7}$")
QUERY = re.compile(r"[?@#;].*", re.S)  # of a name that was a URL: style.css?v=3
WELL_KNOWN = frozenset({"robots.txt", "sitemap.xml", "favicon.ico", "humans.txt", "ads.txt"})
SHOWN = 8  # reasons, at most


def find_files(
    folder: Path,
    passed: Counter[str],
    may_read: Callable[[str], object] = PAGE_NAME.search,
    tell: Callable[[OSError], None] | None = None,
) -> Iterator[tuple[Path, bool]]:
    """The files below a folder, those of a folder before its folders, each by name; True for those that are read.

    That are those whose name `may_read` says so, and those that look like a page. Others are counted in `passed`.
    """
    for place, folders, files in os.walk(folder, onerror=tell):
        folders.sort()
        for name in sorted(files):
            path = Path(place, name)
            reason = _why_not(path, bool(may_read(name)))
            if reason:
                passed[reason] += 1
            yield path, not reason


def _why_not(path: Path, is_known: bool) -> str | None:
    """Why a file is passed over; None for one that is read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe or a device may wait for ever
            return "a device, pipe or socket"
        return None if is_known or is_page_file(path) else _describe(path.name)
    except (OSError, ValueError):
        return None if is_known else "a file that cannot be read"  # whoever reads a page says why it cannot


def is_page_file(path: Path) -> bool:
    """Whether a plain file holds a page, packed or not, by its first bytes."""
    try:
        with path.open("rb") as file:
            return looks_like_page(decompress(file).read(SNIFFED_BYTES))
    except (EOFError, MissingExtra):  # it is damaged, or packed in a way that cannot be read here
        return False
    except DAMAGE_ERRORS as problem:
        if isinstance(problem, OSError) and problem.errno is not None:
            raise
        return False


def _describe(name: str) -> str:
    """What files like this one are called together: by their ending."""
    name = QUERY.sub("", name.lower())
    if name in WELL_KNOWN:
        return name
    found = ENDING.search(name)
    return found[0] if found else "no ending"


def format_counts(counts: Counter[str]) -> str:
    """`12 × .css, 3 × .png`: the most frequent first; the rest is one number."""
    common = counts.most_common(SHOWN)
    rest = counts.total() - sum(count for _, count in common)
    others = [f"{rest:,} others"] if rest else []
    return ", ".join([*(f"{count:,} × {reason}" for reason, count in common), *others])
