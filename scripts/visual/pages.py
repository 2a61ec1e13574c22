"""Read rendered pages from snapshots, each with its example and its part of the experiment.

The snapshot of an example is SNAPSHOTS/<set>/<first 16 digits of the SHA-1 of "<set>/<id>">.snapshot, made with `bonmun
render`. Pages without a gold, or with too little of it on them, are left out, and so are sets with weak labels.
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
from scripts.labelled import MIN_COVERED_SHARE, UNLABELLED, find_set, list_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.lab.gold.examples import Example
    from bonmun.lab.gold.folds import Part
    from bonmun.page.parse.boxes import Boxes

__all__ = ["TRAINING_LANGUAGE", "RenderedPage", "find_language", "is_usable", "list_labelled", "read_pages"]

TRAINING_LANGUAGE = "en"  # as in the paper
LEFT_OUT = ("silver", "defuddle-tests", "recipes")  # weak labels; no gold text


@dataclass(frozen=True, eq=False)
class RenderedPage:
    """A labelled page, rendered in a browser."""

    set: str
    example: Example
    part: Part
    page: Page
    html: str  # after rendering

    @property
    def lang(self) -> str:
        """The language, without a region."""
        return find_language(self.example)

    @property
    def boxes(self) -> Boxes:
        """The boxes of its elements."""
        assert self.page.boxes is not None
        return self.page.boxes

    @cached_property
    def gold(self) -> list[bool]:
        """The leaves that are in the gold."""
        return align(self.page, self.example.text or "").leaves


def list_labelled() -> list[str]:
    """Return the sets that are used."""
    return [name for name in list_sets() if name not in (*UNLABELLED, *LEFT_OUT)]


def find_language(example: Example) -> str:
    """Return the language of an example, without a region."""
    return (example.lang or "?").partition("-")[0].lower()


def is_usable(example: Example) -> bool:
    """Whether an example has a gold, and enough of it on the page."""
    return bool(example.text and example.text.strip()) and (example.cov is None or example.cov >= MIN_COVERED_SHARE)


def read_pages(
    snapshots: Path, wanted: Callable[[str, Example, Part], bool], sets: list[str] | None = None
) -> Iterator[RenderedPage]:
    """Yield the pages with a snapshot for which `wanted(set, example, part)` is true."""
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
            yield RenderedPage(name, example, part, page, snapshot.html)


def find_snapshot(folder: Path, name: str, page_id: str) -> Path:
    """Return the snapshot file of an example."""
    return folder / name / f"{hashlib.sha1(f'{name}/{page_id}'.encode()).hexdigest()[:16]}.snapshot"
