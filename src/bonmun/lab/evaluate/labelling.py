"""Label the leaves and blocks of pages from their gold texts, for training.

Each page is aligned in a child process with a timeout. A page that times out or kills its process gets a problem
instead of labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.errors import BonmunError
from bonmun.lab.gold.alignment import align
from bonmun.page import Page
from bonmun.work.processes import IDLE, Child, Link, Pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.lab.gold.examples import Example

__all__ = ["label_page", "label_pages"]

PAGE_SECONDS = 120.0  # timeout for a page
LOADING_SECONDS = 120.0  # timeout for the start of a child process
MAX_AHEAD_PAGES = 64  # finished pages that may wait for a slower one before them

Numbered = tuple[int, "Example"]
Labelled = tuple[int, dict[str, Any]]


def label_pages(examples: Iterable[Example], workers: int) -> Iterator[dict[str, Any]]:
    """Yield the labels of each page, in order; see `label_page`."""
    waiting = enumerate(examples)
    done: dict[int, dict[str, Any]] = {}
    turn = 0
    with Pool(_LabellingChild, workers) as pool:
        while True:
            while pool.has_room and len(done) < MAX_AHEAD_PAGES and (task := next(waiting, None)):
                pool.start(task)
            if not pool.busy:
                return
            done.update(pool.step())
            while turn in done:
                yield done.pop(turn)
                turn += 1


class _LabellingChild(Child[Numbered, Labelled]):
    """A child process that labels pages one by one."""

    def __init__(self) -> None:
        super().__init__(_serve)

    def pack(self, task: Numbered) -> Example:
        return task[1]

    def limit(self, stage: int) -> float:
        return LOADING_SECONDS if stage == IDLE else PAGE_SECONDS

    def take(self, answer: dict[str, Any]) -> list[Labelled]:
        number, _ = self.finish()
        return [(number, answer)]

    def fail(self, stage: int, limit: float | None) -> list[Labelled]:
        number, example = self.finish()
        problem = "its process died." if limit is None else f"it took more than {limit:g} seconds."
        return [(number, {"id": example.id, "problem": problem})]


def _serve(link: Link) -> None:
    """Label pages in the child process."""
    while True:
        example = link.take()
        link.enter(0)
        link.give(label_page(example))


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
