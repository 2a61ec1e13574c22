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
# What the network is told

All numbers that the [network behind `auto`](../explanation/model.md) reads of a page: the tables of
`models/features/scaled_features.py`, written by
`scripts/make/feature_tables.py`. Counts are given as logarithms ("log"), and all is scaled such that usual values are
about 1. Letters are weighted: a Chinese character or a Korean syllable says as much as 2.5 of them, a blank nothing.
Hidden blocks do not count where blocks are summed. A page that a browser has shown (`bonmun render`) has the last table
as well; there, lengths are in screens (the window is 1 wide and 1 high), a column is what stands in elements with one
left edge and width, and the main column is the one with most text outside of links.

Beside these numbers, a block has the tag of its first leaf and the {LEVELS} elements around it; an element has its tag,
one of {len(TAGS)} or none of them, and those of its class and id words that are among {KNOWN_WORDS:,}.
"""


def describe_table(table: FeatureTable[Any]) -> str:
    """A table in Markdown, one row for each name."""
    lines = ["| | group | feature | what it is |", "|---|---|---|---|"]
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
    """The whole page."""
    parts = [ABOUT]
    for name, table in (("a block", BLOCKS), ("an element", ELEMENTS), ("the page", PAGE), ("a block's box", BOXES)):
        parts.append(f"## Of {name}: {table.width}\n\n{describe_table(table)}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(describe_features(), encoding="utf-8")
