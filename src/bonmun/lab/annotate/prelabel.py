"""Initial labels from the answer of a method, so that people only correct them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.kept import choose_blocks
from bonmun.lab.annotate.page_sources import parse_source
from bonmun.metadata.dates.parse import find_day
from bonmun.options import Options
from bonmun.pipeline import extract
from bonmun.text.words import WORD, is_same_title

if TYPE_CHECKING:
    from bonmun.document import Document
    from bonmun.lab.annotate.page_sources import PageSource

__all__ = ["make_labels", "suggest_labels"]

LINE_CHARS = 200  # maximum length of a block that names the author or the date
HEADINGS = ("h1", "h2", "h3")


def suggest_labels(source: PageSource, method: str, model: str | None = None) -> dict[str, str]:
    """For a child process: return the answer of a method as labels by XPath."""
    page = parse_source(source)
    labels = make_labels(extract(page, method=method, options=Options(model=model if method == "auto" else None)))
    return {page.blocks[row].xpath: label for row, label in labels.items()}


def make_labels(doc: Document) -> dict[int, str]:
    """Return the labels of a document's blocks by row: kept blocks, comments, title, author and date."""
    page, labels = doc.page, doc.labels
    comments = {block.row for block in choose_blocks(page, labels, sorted(labels.comments))}
    kept = {block.row for block in doc.blocks}
    rows = dict.fromkeys(sorted(comments - kept), "comment") | dict.fromkeys(sorted(kept), "keep")
    title = _find_title(doc)
    near = title if title is not None else min(kept, default=0)
    for name, row in (("title", title), ("author", _find_author(doc, near)), ("date", _find_date(doc, near))):
        if row is not None and rows.get(row) in (None, "comment"):
            rows[row] = name
    return dict(sorted(rows.items()))


def _find_title(doc: Document) -> int | None:
    """Return the block with the title, preferably a heading."""
    page = doc.page
    found = [row for row, text in enumerate(page.block_texts) if text[:1] and is_same_title(text, doc.title)]
    shown = [row for row in found if not page.hidden_blocks[row]]
    headings = [row for row in shown if page.tags[page.owners[row]] in HEADINGS]
    return next(iter(headings or shown), None)


def _find_author(doc: Document, near: int) -> int | None:
    """Return the short block with the author's name and the fewest other words; of several, the nearest to a block."""
    wanted = set(WORD.findall((doc.author or "").lower()))
    said = ((row, WORD.findall(text.lower())) for row, text in _list_lines(doc)) if wanted else ()
    found = [(len(words), abs(row - near), row) for row, words in said if wanted <= set(words)]
    return min(found)[-1] if found else None


def _find_date(doc: Document, near: int) -> int | None:
    """Return the short block with the date that is nearest to a block: the top of a page may show today's date."""
    days = ((row, find_day(text)) for row, text in _list_lines(doc)) if doc.date else ()
    found = [(abs(row - near), row) for row, day in days if day and day.isoformat() == doc.date]
    return min(found)[-1] if found else None


def _list_lines(doc: Document) -> list[tuple[int, str]]:
    """Return the short blocks that are not hidden."""
    hidden = doc.page.hidden_blocks
    lines = enumerate(doc.page.block_texts)
    return [(row, text) for row, text in lines if len(text) <= LINE_CHARS and not hidden[row]]
