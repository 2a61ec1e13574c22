"""JSON: everything a Document says, on one line, in an order that never changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable

__all__ = ["write"]

_write = json.JSONEncoder(ensure_ascii=False).encode


def write(doc: Writable) -> str:
    """Write what `doc.to_dict()` says, block by block: as plain values they all take far more memory than as text."""
    blocks, comments = (", ".join(_write(block.to_dict()) for block in each) for each in (doc.blocks, doc.comments))
    return f'{_write(doc.summary())[:-1]}, "blocks": [{blocks}], "comments": [{comments}]}}'
