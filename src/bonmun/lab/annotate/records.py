"""Convert between labels and gold records: one JSON object per page, as read by `bench` and `train`.

The text of a record is bonmun's own rendering of the kept blocks. Comments are separate, and so are title, author and
date, which are read from the blocks with those labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bonmun.document import Document
from bonmun.lab.annotate.drafts import MAX_SECONDS, NOTE_CHARS, Draft, is_revision, read_label_table, replace_surrogates
from bonmun.lab.annotate.page_sources import PageSource, parse_source
from bonmun.labels import Labels
from bonmun.metadata.authors.bylines import clean_name
from bonmun.metadata.dates.parse import find_day
from bonmun.options import DEFAULTS
from bonmun.page.saved.decode_saved import decode_page
from bonmun.text.readable import tidy_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.options import Options
    from bonmun.page import Page

__all__ = [
    "OWN_KEYS",
    "PlacedLabels",
    "describe_metadata",
    "describe_record",
    "label_document",
    "make_record",
    "place_labels",
    "read_draft",
    "read_html",
]

ZIP_START = b"PK"  # first bytes of a snapshot
METHOD = "gold"  # method name of labels made by a person
# Keys that are rewritten whenever a page is finished; other keys of a record are kept.
OWN_KEYS = (
    "id url html text title author date comments markdown labels annotator note seconds saved revision blocks"
).split()


@dataclass(frozen=True, slots=True)
class PlacedLabels:
    """Labels by row of `page.blocks`, and the XPaths of labels without a block."""

    rows: Mapping[int, str]
    lost: tuple[str, ...]

    def describe_loss(self) -> str | None:
        """Return a sentence about labels without a block; None if there are none."""
        if not self.lost:
            return None
        count = f"{len(self.lost)} of {len(self.rows) + len(self.lost)} labels"
        return f"{count} have no block on the page, such as {self.lost[0][:200]}."


def place_labels(page: Page, labels: Mapping[str, str]) -> PlacedLabels:
    """Find the blocks of labels."""
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
    """Return the gold record of a page, and its labels by row."""
    placed = place_labels(page, draft.labels)
    doc = label_document(page, placed.rows)
    metadata = describe_metadata(page, placed.rows)
    comments = label_document(page, {row: "keep" for row, label in placed.rows.items() if label == "comment"}).text
    xpaths = {row: page.blocks[row].xpath for row in placed.rows}
    record = {
        "id": name,
        "url": page.url,
        "html": html,
        "text": doc.text,
        **metadata,
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


def label_document(page: Page, rows: Mapping[int, str], options: Options = DEFAULTS) -> Document:
    """Return the document that consists of the kept blocks."""
    kept = [rows.get(row) == "keep" for row in range(len(page.blocks))]
    comments = frozenset(row for row, label in rows.items() if label == "comment")
    scores = [float(each) for each in kept]
    reasons = [rows.get(row, "drop") for row in range(len(kept))]
    return Document(page, Labels(METHOD, "block", scores, kept, reasons, 1.0, comments), options)


def describe_metadata(page: Page, rows: Mapping[int, str]) -> dict[str, str | None]:
    """Return title, author and date from the blocks with those labels; a date that can be parsed is YYYY-MM-DD."""
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
    """Return the labels of a gold record as a finished draft (None without labels), and the problems of the record."""
    if row.get("labels") is None:
        return None, []
    labels, problems = read_label_table(row["labels"])
    revision, note, seconds = row.get("revision"), row.get("note"), row.get("seconds")
    revision = revision if is_revision(revision) else 1
    seconds = seconds if isinstance(seconds, (int, float)) and 0 <= seconds < MAX_SECONDS else 0.0
    note = replace_surrogates(note[:NOTE_CHARS]) if isinstance(note, str) else ""
    return Draft(labels, revision, "done", note, float(seconds)), problems


def read_html(source: PageSource) -> str:
    """Return the HTML of a page in any encoding, or of a snapshot file."""
    if source.body.startswith(ZIP_START):
        from bonmun.snapshots import is_snapshot, read_snapshot  # loads numpy

        if is_snapshot(source.body):
            return read_snapshot(source.body).html
    return decode_page(source.body, source.encoding, source.url).html


def describe_record(
    source: PageSource, draft: Draft, name: str, annotator: str, saved: str
) -> tuple[dict[str, Any], str | None]:
    """For a child process: return the record of a page, and a sentence about labels without a block."""
    record, placed = make_record(parse_source(source), read_html(source), draft, name, annotator, saved)
    return record, placed.describe_loss()
