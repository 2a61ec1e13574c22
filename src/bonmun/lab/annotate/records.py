"""A page's labels ↔ a gold record: one JSON object a page, as `bench` and `train` read them.

The text of a record is what bonmun itself writes of the kept blocks. Comments stand apart from it, and so do title,
author and date, which are read from the blocks that are labelled so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bonmun.document import Document
from bonmun.lab.annotate.drafts import MAX_SECONDS, NOTE_CHARS, Draft, is_revision, mend_text, read_label_table
from bonmun.lab.annotate.page_sources import PageSource, parse_source
from bonmun.labels import Labels
from bonmun.metadata.authors.bylines import clean_name
from bonmun.metadata.dates.parse import find_day
from bonmun.options import DEFAULTS
from bonmun.page.saved.decode_saved import decode_page
from bonmun.text.readable import tidy_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.page import Page

__all__ = ["OWN_KEYS", "PlacedLabels", "describe_record", "make_record", "place_labels", "read_draft", "read_html"]

ZIP_START = b"PK"  # of a snapshot
METHOD = "gold"  # who made such labels: a person
# What a record says by these keys is made anew whenever a page is finished; all other keys stay as they were.
OWN_KEYS = (
    "id url html text title author date comments markdown labels annotator note seconds saved revision blocks"
).split()


@dataclass(frozen=True, slots=True)
class PlacedLabels:
    """Labels on a page: by row of `page.blocks`, and the XPaths at which the page has no block any more."""

    rows: Mapping[int, str]
    lost: tuple[str, ...]

    def describe_loss(self) -> str | None:
        """A sentence on what was not found; None if all was."""
        if not self.lost:
            return None
        count = f"{len(self.lost)} of {len(self.rows) + len(self.lost)} labels"
        return f"{count} stand at places that the page does not have any more, such as {self.lost[0][:200]}."


def place_labels(page: Page, labels: Mapping[str, str]) -> PlacedLabels:
    """Find the blocks that labels are for."""
    rows: dict[int, str] = {}
    found: set[str] = set()
    for row, block in enumerate(page.blocks) if labels else ():
        xpath = block.xpath
        if xpath in labels and xpath not in found:
            found.add(xpath)
            rows[row] = labels[xpath]
    return PlacedLabels(rows, tuple(xpath for xpath in labels if xpath not in found))


def make_record(
    page: Page, html: str, draft: Draft, name: str, annotator: str, saved: str
) -> tuple[dict[str, Any], PlacedLabels]:
    """The record of a page, which is named, labelled by somebody at a moment; and where its labels are."""
    placed = place_labels(page, draft.labels)
    doc = label_document(page, placed.rows)
    facts = describe_facts(page, placed.rows)
    comments = label_document(page, {row: "keep" for row, label in placed.rows.items() if label == "comment"}).text
    xpaths = {row: page.blocks[row].xpath for row in placed.rows}
    record = {
        "id": name,
        "url": page.url,
        "html": html,
        "text": doc.text,
        **facts,
        "comments": comments or None,
        "labels": [{"xpath": xpaths[row], "label": label} for row, label in placed.rows.items()],
        "blocks": len(page.blocks),
        "annotator": annotator,
        "note": draft.note or None,
        "seconds": round(draft.seconds, 1),
        "saved": saved,
        "revision": draft.revision,
    }
    return {key: value for key, value in record.items() if value is not None}, placed


def label_document(page: Page, rows: Mapping[int, str]) -> Document:
    """The document that a person's labels make of a page."""
    kept = [rows.get(row) == "keep" for row in range(len(page.blocks))]
    comments = frozenset(row for row, label in rows.items() if label == "comment")
    scores = [float(each) for each in kept]
    reasons = [rows.get(row, "drop") for row in range(len(kept))]
    return Document(page, Labels(METHOD, "block", scores, kept, reasons, 1.0, comments), DEFAULTS)


def describe_facts(page: Page, rows: Mapping[int, str]) -> dict[str, str | None]:
    """Title, author and date, as the blocks say that are labelled so; a day that is found is YYYY-MM-DD."""
    texts: dict[str, list[str]] = {"title": [], "author": [], "date": []}
    for row, label in sorted(rows.items()):
        if label in texts:
            texts[label].append(" ".join(page.blocks[row].shown_text.split()))
    names = [clean_name(text) or text for text in texts["author"]]
    written = " ".join(texts["date"])
    day = find_day(written)
    return {
        "title": tidy_metadata(" ".join(texts["title"])) or None,
        "author": tidy_metadata(", ".join(dict.fromkeys(names))) or None,
        "date": (day.isoformat() if day else tidy_metadata(written)) or None,
    }


def read_draft(row: Mapping[str, Any]) -> tuple[Draft | None, list[str]]:
    """The labels of a gold record as a draft that is done; None for a record without any; and what is wrong with it."""
    if row.get("labels") is None:
        return None, []
    labels, problems = read_label_table(row["labels"])
    revision, note, seconds = row.get("revision"), row.get("note"), row.get("seconds")
    revision = revision if is_revision(revision) else 1
    seconds = seconds if isinstance(seconds, (int, float)) and 0 <= seconds < MAX_SECONDS else 0.0
    note = mend_text(note[:NOTE_CHARS]) if isinstance(note, str) else ""
    return Draft(labels, revision, "done", note, float(seconds)), problems


def read_html(source: PageSource) -> str:
    """The HTML of a page, whatever its bytes are written in, and of a snapshot's file."""
    if source.body.startswith(ZIP_START):
        from bonmun.snapshots import is_snapshot, read_snapshot  # which loads numpy

        if is_snapshot(source.body):
            return read_snapshot(source.body).html
    return decode_page(source.body, source.encoding, source.url).html


def describe_record(
    source: PageSource, draft: Draft, name: str, annotator: str, saved: str
) -> tuple[dict[str, Any], str | None]:
    """For a child process: the record of a page, and a sentence on labels that were not found."""
    record, placed = make_record(parse_source(source), read_html(source), draft, name, annotator, saved)
    return record, placed.describe_loss()
