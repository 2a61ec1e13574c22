"""A document's metadata with its sources, and the block of the page that each value was found in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.metadata.dates.parse import find_day
from bonmun.metadata.scans import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.document import Document
    from bonmun.page import Page

__all__ = ["TextFinder", "list_metadata"]

SEARCHED_BLOCKS = 2_000  # searched from the start of the page
SEARCHED_LEAVES = 20  # searched per block
LINE_CHARS = 320  # read per block
SHOWN_FIELDS = (
    "title",
    "author",
    "date",
    "modified",
    "site_name",
    "description",
)  # may be visible on the page
DAYS = frozenset({"date", "modified"})


class TextFinder:
    """Finds the blocks of a page by what they say."""

    def __init__(self, page: Page) -> None:
        self.folded = [fold_text(text[:LINE_CHARS]) for text in page.block_texts[:SEARCHED_BLOCKS]]
        self.rows = {text: row for row, text in reversed(list(enumerate(self.folded)))}

    def find(self, text: str) -> int | None:
        """Return the first block that equals a text, else the first that contains it."""
        key = fold_text(text)
        if not key or key in self.rows:
            return self.rows[key] if key else None
        return next((row for row, folded in enumerate(self.folded) if key in folded), None)


def list_metadata(page: Page, doc: Document, finder: TextFinder) -> list[dict[str, Any]]:
    """Return every metadata field: name, value, source, confidence, and the block that contains it, or None."""
    fields = [
        {
            "name": name,
            "value": field.value,
            "source": field.source,
            "confidence": field.confidence,
            "block": _find_metadata_block(page, name, field.value, finder) if name in SHOWN_FIELDS else None,
        }
        for name, field in doc.metadata.fields.items()
    ]
    if doc.metadata.tags:
        tags = ", ".join(doc.metadata.tags)
        fields.append({"name": "tags", "value": tags, "source": "declared", "confidence": None, "block": None})
    return fields


def _find_metadata_block(page: Page, name: str, value: str, finder: TextFinder) -> int | None:
    return next(_find_day_blocks(page, value), None) if name in DAYS else finder.find(value)


def _find_day_blocks(page: Page, value: str) -> Iterator[int]:
    """Yield the blocks with a date, in a `<time>` or in words."""
    for row, (start, stop) in enumerate(zip(page.starts[:SEARCHED_BLOCKS], page.stops, strict=False)):
        elements = dict.fromkeys(page.leaf_elements[start : min(stop, start + SEARCHED_LEAVES)])
        times = (page.attr(element, "datetime") for element in elements if page.tags[element] == "time")
        for text in (*times, page.block_texts[row]):
            day = find_day(text[:LINE_CHARS]) if text else None
            if day and day.isoformat() == value:
                yield row
