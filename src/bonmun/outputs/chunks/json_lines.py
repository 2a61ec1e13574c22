"""Write chunks as JSON lines, each with the URL, the title and, if asked for, the objects of its document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bonmun.outputs.chunks.chunking import Chunk
    from bonmun.outputs.writable import Writable

__all__ = ["write_chunks"]


def write_chunks(doc: Writable, chunks: Iterable[Chunk], more: Mapping[str, str] | None = None) -> str:
    """Write one line per chunk; `more` comes first in each line."""
    known: dict[str, Any] = {**(more or {}), "url": doc.url, "title": doc.title}
    if doc.options.objects:
        known["objects"] = doc.name_objects()
    return "".join(f"{json.dumps(known | chunk.to_dict(), ensure_ascii=False)}\n" for chunk in chunks)
