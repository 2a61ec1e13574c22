"""Where labelling starts: the answer of a method as labels, so that to label is to correct."""

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

__all__ = ["start_labels", "suggest_labels"]

LINE_CHARS = 200  # a block that names the author, or the day, is no longer
HEADINGS = ("h1", "h2", "h3")


def suggest_labels(source: PageSource, method: str, model: str | None = None) -> dict[str, str]:
    """For a child process: what a method makes of a page, as labels by XPath."""
    page = parse_source(source)
    labels = start_labels(extract(page, method=method, options=Options(model=model if method == "auto" else None)))
    return {page.blocks[row].xpath: label for row, label in labels.items()}


def start_labels(doc: Document) -> dict[int, str]:
    """The labels of a document's blocks, by row: what it keeps, its comments, and where its facts stand."""
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
    """The block that says the title: a heading, if one does."""
    page = doc.page
    found = [row for row, text in enumerate(page.block_texts) if text[:1] and is_same_title(text, doc.title)]
    shown = [row for row in found if not page.hidden_blocks[row]]
    headings = [row for row in shown if page.tags[page.owners[row]] in HEADINGS]
    return next(iter(headings or shown), None)


def _find_author(doc: Document, near: int) -> int | None:
    """The short block that says who wrote it, with the fewest words around the name, then the nearest to a block."""
    wanted = set(WORD.findall((doc.author or "").lower()))
    said = ((row, WORD.findall(text.lower())) for row, text in _list_lines(doc)) if wanted else ()
    found = [(len(words), abs(row - near), row) for row, words in said if wanted <= set(words)]
    return min(found)[-1] if found else None


def _find_date(doc: Document, near: int) -> int | None:
    """The short block that says the day, the nearest to a block: the head of a page may say today's."""
    days = ((row, find_day(text)) for row, text in _list_lines(doc)) if doc.date else ()
    found = [(abs(row - near), row) for row, day in days if day and day.isoformat() == doc.date]
    return min(found)[-1] if found else None


def _list_lines(doc: Document) -> list[tuple[int, str]]:
    """The short blocks that readers see."""
    hidden = doc.page.hidden_blocks
    lines = enumerate(doc.page.block_texts)
    return [(row, text) for row, text in lines if len(text) <= LINE_CHARS and not hidden[row]]
