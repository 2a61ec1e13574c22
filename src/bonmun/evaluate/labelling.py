"""Labelled pages in, labels for training out: the leaves and blocks that the gold texts were made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.errors import BonmunError
from bonmun.gold.alignment import align
from bonmun.page import Page
from bonmun.work.pools import open_pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.gold.examples import Example

__all__ = ["label_page", "label_pages"]

PAGES_AT_ONCE = 4  # that a child is sent


def label_pages(examples: Iterable[Example], workers: int) -> Iterator[dict[str, Any]]:
    """The labels of each page, in order; see `label_page`."""
    with open_pool(workers, "spawn") as pool:
        yield from pool.imap(label_page, examples, chunksize=PAGES_AT_ONCE)


def label_page(example: Example) -> dict[str, Any]:
    """The numbers of the leaves and blocks that are in the gold, and how well they fit it; or an id and a problem."""
    if example.text is None:
        return {"id": example.id, "problem": "it has snippets, but no gold text."}
    try:
        page = Page.parse(example.html, example.url)
        found = align(page, example.text)
    except BonmunError as problem:
        return {"id": example.id, "problem": str(problem)}
    facts = {key: getattr(example, key) for key in ("id", "url", "lang", "kind")}
    quality = {key: round(getattr(found.words, key), 4) for key in ("f1", "precision", "recall")}
    marks = {name: [row for row, kept in enumerate(getattr(found, name)) if kept] for name in ("blocks", "leaves")}
    return facts | quality | marks | {"of_blocks": len(found.blocks), "of_leaves": len(found.leaves)}
