"""Write the metadata of a document as YAML front matter, for the top of a Markdown file."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.outputs.writable import Writable

__all__ = ["format_front_matter", "write_front_matter"]

MARKUP = re.compile(r"<(?=[A-Za-z/!?])|(?<=\])\(")  # `<b>` and `[a](b)`
_quote = json.JSONEncoder(ensure_ascii=False).encode


def write_front_matter(doc: Writable) -> str:
    """Return one line per known field of a document, between two lines of dashes."""
    return format_front_matter(
        {
            "title": doc.title,
            "url": doc.page.likely_url,
            "author": doc.author,
            "date": doc.date,
            "language": doc.language,
            "site": doc.site_name,
            "kind": doc.kind,
            "confidence": doc.confidence,
        }
    )


def format_front_matter(metadata: Mapping[str, str | float | None]) -> str:
    """Return one line per known field, between two lines of dashes.

    Texts are quoted as in JSON, which is valid YAML. The line breaks that only YAML knows are escaped, and so is the
    start of a tag or the URL of a link, which readers without front matter would take for markup.
    """
    known = {name: round(value, 4) if isinstance(value, float) else value for name, value in metadata.items()}
    lines = [f"{name}: {_quote(value)}" for name, value in known.items() if value is not None]
    text = MARKUP.sub(lambda found: f"\\u00{ord(found[0]):02x}", "\n".join(["---", *lines, "---", ""]))
    return text.replace("\x7f", "\\x7f").replace("\x85", "\\N").replace("\u2028", "\\L").replace("\u2029", "\\P")
