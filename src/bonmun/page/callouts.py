"""Callouts: notes, tips and warnings in a box of their own, with a title. In the output, they are quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.page.page import Page

__all__ = [
    "CALLOUT_NAMES",
    "CALLOUT_TAGS",
    "CLASS_CHARS",
    "find_callout_titles",
    "is_callout",
    "is_callout_title",
]

# Class names: "admonition" in Sphinx, MkDocs, Docusaurus and Asciidoctor, "markdown-alert" on GitHub, "callout" in
# Obsidian, "alert" in Bootstrap.
CALLOUT_NAMES = frozenset(
    "admonition markdown-alert callout alert admonitionblock theme-admonition NOTE TIP IMPORTANT CAUTION "
    "WARNING".split()
)
CALLOUT_TAGS = frozenset({"div", "aside", "section"})
TITLE_PARTS = ("title", "heading", "Heading")
CLASS_CHARS = 1_000  # of a class attribute that are read


def is_callout(name: str) -> bool:
    """Whether a class attribute is that of a callout."""
    return not CALLOUT_NAMES.isdisjoint(name[:CLASS_CHARS].split())


def is_callout_title(name: str) -> bool:
    """Whether a class attribute in a callout is that of its title."""
    return any(part in name[:CLASS_CHARS] for part in TITLE_PARTS)


def find_callout_titles(page: Page, kept: Sequence[bool]) -> Iterator[int]:
    """Yield the dropped titles of callouts whose next block is kept."""
    owners, parents = page.owners, page.parents
    titles = {table.title: each for each, table in page.callout_tables.items()}
    for row in range(len(kept) - 1):
        if kept[row + 1] and not kept[row]:
            if titles and owners[row] in titles:
                if page.tables[owners[row + 1]] == titles[owners[row]]:
                    yield row
                continue
            box = parents[owners[row]]
            if box >= 0 and is_callout(page.attr(box, "class") or ""):
                is_inside = box in (owners[row + 1], parents[owners[row + 1]])
                if is_inside and is_callout_title(page.attr(owners[row], "class") or ""):
                    yield row
