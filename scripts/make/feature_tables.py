"""Write docs/reference/features.md from the feature tables in models/features/scaled_features.py.

.venv/bin/python -m scripts.make.feature_tables
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.models.features.class_words import KNOWN_WORDS
from bonmun.models.features.element_tree import LEVELS
from bonmun.models.features.scaled_features import BLOCKS, BOXES, ELEMENTS, PAGE
from bonmun.models.features.tags import TAGS

if TYPE_CHECKING:
    from bonmun.models.features.columns import FeatureTable

FILE = Path(__file__).parents[2] / "docs" / "reference" / "features.md"
ABOUT = f"""\
# Features

The numbers that the [network behind `auto`](../explanation/model.md) reads from a page. This file is generated from
the tables in `models/features/scaled_features.py` by `python -m scripts.make.feature_tables`; do not edit it.

Counts are logarithms ("log"), and all values are scaled so that typical ones are about 1. Letters are weighted: a
Chinese character or a Korean syllable counts as 2.5 letters, a space as none. Sums over blocks leave out hidden blocks.

The last table is only used for rendered pages (`bonmun render`). In it, lengths are in screens: the window is 1 wide
and 1 high. A column is all elements with the same left edge and width. The main column is the one with the most text
outside of links.

The network also reads the tag of each block's first leaf, the {LEVELS} elements around the block, each element's tag
(one of {len(TAGS)}, or "other"), and those words of its class and id that are in a list of {KNOWN_WORDS:,}.
"""


def describe_table(table: FeatureTable[Any]) -> str:
    """Return a table in Markdown, one row per feature."""
    lines = ["| | group | feature | description |", "|---|---|---|---|"]
    start = 0
    for group in table.groups:
        for column in group.columns:
            stop = start + column.width - 1
            numbers = str(start) if start == stop else f"{start}–{stop}"
            parts = f": {'; '.join(column.parts)}" if column.parts else ""
            about = f"{column.about}{parts}".replace("|", "\\|")
            lines.append(f"| {numbers} | {group.name} | `{column.name}` | {about} |")
            start = stop + 1
    return "\n".join(lines)


def describe_features() -> str:
    """Return the whole document."""
    parts = [ABOUT]
    for name, table in (("a block", BLOCKS), ("an element", ELEMENTS), ("the page", PAGE), ("a block's box", BOXES)):
        parts.append(f"## Features of {name}: {table.width}\n\n{describe_table(table)}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(describe_features(), encoding="utf-8")
