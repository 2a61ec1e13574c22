"""Snapshots in, laid-out pages out, each with its example and the part of the experiment that it belongs to.

A snapshot lies at SNAPSHOTS/<set>/<the first 16 digits of the SHA-1 of "<set>/<id>">.snapshot, as `bonmun render` made
it of the example's HTML. Pages without a gold, or with too little of it on them, are left out, and so is the set of
weak labels.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError
from bonmun.lab.gold.alignment import align
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import find_part, find_site
from bonmun.page import Page
from bonmun.snapshots import read_snapshot
from scripts.labelled import COVERED, UNLABELLED, find_set, list_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.lab.gold.examples import Example
    from bonmun.lab.gold.folds import Part
    from bonmun.page.parse.boxes import Boxes

__all__ = ["TAUGHT", "LaidOut", "find_language", "is_usable", "list_labelled", "read_pages"]

TAUGHT = "en"  # the language that teaches, as in the paper
LEFT_OUT = ("silver", "defuddle-tests", "recipes")  # weak labels; no gold text


@dataclass(frozen=True, eq=False)
class LaidOut:
    """A labelled page as a browser showed it."""

    set: str
    example: Example
    part: Part
    page: Page
    html: str  # as the browser left it

    @property
    def lang(self) -> str:
        """The language, without a region."""
        return find_language(self.example)

    @property
    def boxes(self) -> Boxes:
        """Where its elements are."""
        assert self.page.boxes is not None
        return self.page.boxes

    @cached_property
    def gold(self) -> list[bool]:
        """Which leaves of it the gold was made of."""
        return align(self.page, self.example.text or "").leaves


def list_labelled() -> list[str]:
    """The sets that are read."""
    return [name for name in list_sets() if name not in (*UNLABELLED, *LEFT_OUT)]


def find_language(example: Example) -> str:
    """The language of an example, without a region."""
    return (example.lang or "?").partition("-")[0].lower()


def is_usable(example: Example) -> bool:
    """Whether an example has a gold, and enough of it on the page."""
    return bool(example.text and example.text.strip()) and (example.cov is None or example.cov >= COVERED)


def read_pages(
    snapshots: Path, wanted: Callable[[str, Example, Part], bool], sets: list[str] | None = None
) -> Iterator[LaidOut]:
    """Read the pages that have a snapshot, and for which `wanted` is true of the set, the example and the part."""
    for name in sets or list_labelled():
        for example in read_dataset(find_set(name)) if (snapshots / name).is_dir() else ():
            part = find_part(find_site(example))
            path = find_snapshot(snapshots, name, example.id)
            if not (is_usable(example) and wanted(name, example, part) and path.is_file()):
                continue
            try:
                snapshot = read_snapshot(path.read_bytes())
                page = Page.from_snapshot(snapshot, example.url)
            except BonmunError:
                continue
            yield LaidOut(name, example, part, page, snapshot.html)


def find_snapshot(folder: Path, name: str, page_id: str) -> Path:
    """Where the snapshot of an example lies."""
    return folder / name / f"{hashlib.sha1(f'{name}/{page_id}'.encode()).hexdigest()[:16]}.snapshot"
