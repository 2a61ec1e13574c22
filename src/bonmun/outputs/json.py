"""Write JSON: the whole document on one line, with keys in a fixed order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bonmun.outputs.plain_values import describe_posts, describe_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable

__all__ = ["write"]

BLOCKS_AT_ONCE = 256  # blocks as dictionaries take far more memory than as text
_encode = json.JSONEncoder(ensure_ascii=False).encode


def write(doc: Writable) -> str:
    """Write `doc.to_dict()`, some blocks at a time."""
    head = _encode(doc.summary())[:-1]
    lists = f'"blocks": [{_write(doc, doc.blocks)}], "comments": [{_write(doc, doc.comments)}]'
    tables = ", ".join(_encode(table.to_dict()) for table in doc.tables)
    posts = f'"posts": {_encode(describe_posts(doc))}, "thread": {_encode(describe_thread(doc))}'
    return f'{head}, {lists}, "tables": [{tables}], {posts}}}'


def _write(doc: Writable, blocks: Sequence[KeptBlock]) -> str:
    starts = range(0, len(blocks), BLOCKS_AT_ONCE)
    runs = ([doc.describe_block(block) for block in blocks[start : start + BLOCKS_AT_ONCE]] for start in starts)
    return ", ".join(_encode(run)[1:-1] for run in runs)
