"""Labelled pages in, labels for training out: the leaves and blocks that the gold texts were made of.

Each page has a time limit, in a child process: a page that takes too long, or brings its process down, has a problem.
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

SECONDS = 120.0  # for a page
LOADING_SECONDS = 120.0  # for a child to start
AHEAD = 64  # pages that may be done before one that is not

Numbered = tuple[int, "Example"]
Labelled = tuple[int, dict[str, Any]]


def label_pages(examples: Iterable[Example], workers: int) -> Iterator[dict[str, Any]]:
    """The labels of each page, in order; see `label_page`."""
    waiting = enumerate(examples)
    done: dict[int, dict[str, Any]] = {}
    turn = 0
    with Pool(_LabellingChild, workers) as pool:
        while True:
            while pool.has_room and len(done) < AHEAD and (task := next(waiting, None)):
                pool.start(task)
            if not pool.busy:
                return
            done.update(pool.step())
            while turn in done:
                yield done.pop(turn)
                turn += 1


class _LabellingChild(Child[Numbered, Labelled]):
    """A child process that labels one page after the other."""

    def __init__(self) -> None:
        super().__init__(_serve)

    def pack(self, task: Numbered) -> Example:
        return task[1]

    def limit(self, stage: int) -> float:
        return LOADING_SECONDS if stage == IDLE else SECONDS

    def take(self, answer: dict[str, Any]) -> list[Labelled]:
        number, _ = self.finish()
        return [(number, answer)]

    def fail(self, stage: int, limit: float | None) -> list[Labelled]:
        number, example = self.finish()
        problem = "its process died." if limit is None else f"it took over {limit:g} seconds."
        return [(number, {"id": example.id, "problem": problem})]


def _serve(link: Link) -> None:
    """In the child: label what comes."""
    while True:
        example = link.take()
        link.enter(0)
        link.give(label_page(example))


def label_page(example: Example) -> dict[str, Any]:
    """The numbers of the leaves and blocks that are in the gold, and how well they fit it; or an id and a problem."""
    if example.text is None:
        return {"id": example.id, "problem": "it has snippets or lines, but no gold text."}
    try:
        page = Page.parse(example.html, example.url)
        found = align(page, example.text)
    except BonmunError as problem:
        return {"id": example.id, "problem": str(problem)}
    facts = {key: getattr(example, key) for key in ("id", "url", "lang", "kind")}
    quality = {key: round(getattr(found.words, key), 4) for key in ("f1", "precision", "recall")}
    marks = {name: [row for row, kept in enumerate(getattr(found, name)) if kept] for name in ("blocks", "leaves")}
    return facts | quality | marks | {"of_blocks": len(found.blocks), "of_leaves": len(found.leaves)}
