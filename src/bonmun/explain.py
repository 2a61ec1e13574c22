"""Explain a document: the evidence of the method, and its decision on every leaf or block.

Fig. 7 of paper 5 shows the same in four panes: the leaves with their paths, the groups, the chosen group, the text.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from bonmun.text.terminal import format_table, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.document import Document
    from bonmun.page import Block, Leaf
    from bonmun.text.terminal import Value

__all__ = ["explain", "write_explanation"]

PATH_STEPS = 4  # steps shown of a path, from its end
TEXT_CELLS = 60  # terminal cells shown of a text


def explain(doc: Document) -> dict[str, Any]:
    """Return the decisions as plain values."""
    page, labels = doc.page, doc.labels
    rows: Sequence[Block | Leaf] = page.blocks if labels.unit == "block" else page.leaves
    cuts = labels.cuts if labels.unit == "leaf" else {}
    return {
        "url": doc.url,
        "method": doc.method,
        "title": doc.title,
        "confidence": round(doc.confidence, 4),
        "unit": labels.unit,
        "kept": sum(labels.kept),
        "evidence": [{"is": type(record).__name__} | _round_floats(record._asdict()) for record in labels.evidence],
        "rows": [
            {
                "text": row.text,
                "tag_path": row.tag_path,
                "xpath": row.xpath,
                "score": round(labels.scores[number], 4),
                "kept": bool(labels.kept[number]),
                "reason": labels.reasons[number],
            }
            | ({"kept_text": cuts[number]} if number in cuts else {})
            for number, row in enumerate(rows)
        ],
    }


def write_explanation(doc: Document) -> str:
    """Return the decisions as tables in plain text, followed by the main text."""
    page, labels = doc.page, doc.labels
    rows: Sequence[Block | Leaf] = page.blocks if labels.unit == "block" else page.leaves
    cuts = labels.cuts if labels.unit == "leaf" else {}
    header = [
        ("method", doc.method),
        ("title", shorten(doc.title or "-", 2 * TEXT_CELLS)),
        ("confidence", f"{doc.confidence:.2f}"),
        ("kept", f"{sum(labels.kept)} of {len(rows)} {'blocks' if labels.unit == 'block' else 'leaves'}"),
    ]
    parts = ["\n".join(f"{name:12}{value}" for name, value in header)]
    for kind, records in groupby(labels.evidence, key=type):
        values = [record._asdict() for record in records]
        cells = [[_shorten_cell(name, value) for name, value in row.items()] for row in values]
        says = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
        parts.append(f"{says}\n\n{format_table(list(values[0]), cells)}")
    decided: list[list[Value]] = [
        [
            number,
            labels.scores[number],
            bool(labels.kept[number]),
            labels.reasons[number],
            _shorten_path(row.tag_path),
            f"{shorten(cuts[number], TEXT_CELLS - 4)} […]" if number in cuts else shorten(row.text, TEXT_CELLS),
        ]
        for number, row in enumerate(rows)
    ]
    name = "Blocks" if labels.unit == "block" else "Leaves"
    parts.append(f"{name}\n\n{format_table(['#', 'score', 'kept', 'reason', 'path', 'text'], decided)}")
    parts.append(f"Text\n\n{doc.text or '(none)'}")
    return "\n\n".join(parts)


def _round_floats(values: dict[str, Value]) -> dict[str, Value]:
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in values.items()}


def _shorten_cell(name: str, value: Value) -> Value:
    return value if not isinstance(value, str) or name == "path" else shorten(value, TEXT_CELLS)


def _shorten_path(path: str) -> str:
    steps = path.split("/")
    return path if len(steps) <= PATH_STEPS else "…/" + "/".join(steps[-PATH_STEPS:])
