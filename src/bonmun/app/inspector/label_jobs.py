"""Job of the inspector's child processes for labelling: what the labels of a page give as a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.app.inspector.inspection import write_outputs
from bonmun.lab.annotate.page_sources import parse_source
from bonmun.lab.annotate.records import describe_metadata, label_document, place_labels
from bonmun.options import Options
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.lab.annotate.page_sources import PageSource

__all__ = ["show_labels"]


def show_labels(
    source: PageSource, labels: Mapping[str, str], links: bool | None = None, images: bool | None = None
) -> dict[str, Any]:
    """Return the result of labels by XPath: outputs, number of words, title, author and date."""
    page = parse_source(source)
    rows = place_labels(page, labels).rows
    doc = label_document(page, rows, Options(links=links, images=images))
    facts = describe_metadata(page, rows)
    blocks = {label: row for row, label in sorted(rows.items(), reverse=True)}  # the first of each label
    return {
        "outputs": write_outputs(doc),
        "words": sum(len(WORD.findall(page.block_texts[row])) for row, label in rows.items() if label == "keep"),
        "facts": [
            {"name": name, "value": value, "source": "label", "confidence": None, "block": blocks.get(name)}
            for name, value in facts.items()
            if value
        ],
    }
