"""Label the leaves and blocks of pages from their gold texts, for training.

Each page is aligned in a child process with a timeout. A page that times out or kills its process gets a problem
instead of labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.errors import BonmunError
from bonmun.lab.gold.alignment import align
from bonmun.page import Page
from bonmun.work.processes import ChildLimits, run_in_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.lab.gold.examples import Example

__all__ = ["label_page", "label_pages"]

PAGE_SECONDS = 120.0  # timeout for a page
LOADING_SECONDS = 120.0  # timeout for the start of a child process

Numbered = tuple[int, "Example"]
Labelled = tuple[int, dict[str, Any]]


def label_pages(examples: Iterable[Example], workers: int) -> Iterator[dict[str, Any]]:
    """Yield the labels of each page, in order; see `label_page`."""
    limits = ChildLimits(workers, PAGE_SECONDS, loading_seconds=LOADING_SECONDS)
    done: dict[int, dict[str, Any]] = {}
    turn = 0
    for number, labels in run_in_children(_LabellingJob(), enumerate(examples), limits):
        done[number] = labels
        while turn in done:
            yield done.pop(turn)
            turn += 1


class _LabellingJob:
    """Label pages one by one."""

    def load(self) -> Callable[[Numbered], Labelled]:
        return _label

    def fail(self, item: Numbered, reason: str) -> Labelled:
        number, example = item
        return number, {"id": example.id, "problem": reason}


def _label(item: Numbered) -> Labelled:
    number, example = item
    return number, label_page(example)


def label_page(example: Example) -> dict[str, Any]:
    """Return the leaves and blocks that are in the gold and how well they match it, or an id and a problem."""
    if example.text is None:
        return {"id": example.id, "problem": "it has snippets or lines, but no gold text."}
    try:
        page = Page.parse(example.html, example.url)
        found = align(page, example.text)
    except BonmunError as problem:
        return {"id": example.id, "problem": str(problem)}
    info = {key: getattr(example, key) for key in ("id", "url", "lang", "kind")}
    quality = {key: round(getattr(found.words, key), 4) for key in ("f1", "precision", "recall")}
    marks = {name: [row for row, kept in enumerate(getattr(found, name)) if kept] for name in ("blocks", "leaves")}
    return info | quality | marks | {"of_blocks": len(found.blocks), "of_leaves": len(found.leaves)}
