"""A document's facts with their sources, and the block of the page that says each, where one does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.metadata.dates.parse import find_day
from bonmun.metadata.scans import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.document import Document
    from bonmun.page import Page

__all__ = ["list_facts"]

SEARCHED_BLOCKS = 2_000  # from the start of the page, in which a fact is looked for
SEARCHED_LEAVES = 20  # of a block
LINE_CHARS = 320  # of a block that are read
SHOWN_FACTS = ("title", "author", "date", "modified", "site_name", "description")  # what a page may say in words
DAYS = frozenset({"date", "modified"})


def list_facts(page: Page, doc: Document) -> list[dict[str, Any]]:
    """Every fact: its name, value, source, confidence, and the block that says it, or None."""
    facts = [
        {
            "name": name,
            "value": fact.value,
            "source": fact.source,
            "confidence": fact.confidence,
            "block": find_fact(page, name, fact.value) if name in SHOWN_FACTS else None,
        }
        for name, fact in doc.metadata.fields.items()
    ]
    if doc.metadata.tags:
        tags = ", ".join(doc.metadata.tags)
        facts.append({"name": "tags", "value": tags, "source": "declared", "confidence": None, "block": None})
    return facts


def find_fact(page: Page, name: str, value: str) -> int | None:
    """The block that says a fact: in so many words, else the first that has it among others."""
    if name in DAYS:
        return next(_find_day_blocks(page, value), None)
    key = fold_text(value)
    if not key:
        return None
    among: int | None = None
    for row, text in enumerate(page.block_texts[:SEARCHED_BLOCKS]):
        folded = fold_text(text[:LINE_CHARS])
        if folded == key:
            return row
        if among is None and key in folded:
            among = row
    return among


def _find_day_blocks(page: Page, value: str) -> Iterator[int]:
    """The blocks that say a day: in a `<time>`, or in words."""
    for row, (start, stop) in enumerate(zip(page.starts[:SEARCHED_BLOCKS], page.stops, strict=False)):
        elements = dict.fromkeys(page.leaf_elements[start : min(stop, start + SEARCHED_LEAVES)])
        times = (page.attr(element, "datetime") for element in elements if page.tags[element] == "time")
        for text in (*times, page.block_texts[row]):
            day = find_day(text[:LINE_CHARS]) if text else None
            if day and day.isoformat() == value:
                yield row
