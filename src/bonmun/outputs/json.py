"""JSON: everything a Document says, on one line, in an order that never changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable

__all__ = ["write"]


def write(doc: Writable) -> str:
    """Write `doc.to_dict()`."""
    return json.dumps(doc.to_dict(), ensure_ascii=False)
