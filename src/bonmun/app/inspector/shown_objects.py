"""The objects of a document for the inspector: each field with its source, its confidence and its block on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonmun.app.inspector.metadata import TextFinder
    from bonmun.document import Document

__all__ = ["list_objects"]

MAX_OBJECTS = 100  # shown of a page


def list_objects(doc: Document, finder: TextFinder) -> list[dict[str, Any]]:
    """Return the type and the fields of each object: name, value, source, confidence, other values, block."""
    return [
        {
            "type": each.type,
            "fields": [
                {"name": name, **field.to_dict(), "block": finder.find(_read_first_text(field.value))}
                for name, field in each.fields.items()
            ],
        }
        for each in doc.objects[:MAX_OBJECTS]
    ]


def _read_first_text(value: Any) -> str:
    """Return the text by which a value is found on the page: of a list, that of its first item; "" for numbers."""
    if isinstance(value, list | tuple):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("text") or value.get("name") or value.get("title") or ""
    return value if isinstance(value, str) else ""
