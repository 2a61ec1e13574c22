"""Find elements by parts of their class and id."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.page import Page
    from bonmun.text.word_finder import WordFinder

__all__ = ["find_named_rows", "has_class_part"]

NAME_CHARS = 1_000  # of a class attribute or id that are read


def has_class_part(page: Page, part: str) -> bool:
    """Whether a class attribute of the page contains some text, in lower case."""
    return part in page.class_lines.lower()


def find_named_rows(page: Page, parts: WordFinder, chars: int = NAME_CHARS) -> list[int]:
    """Return the elements whose class or id contains one of some texts in its first `chars`, in document order."""
    ids = frozenset(filter(None, page.ids))
    rows: set[int] = set()
    for values, known, lines in (
        (page.classes, page.class_values, page.class_lines),
        (page.ids, ids, "\n".join(ids)),
    ):
        if parts.holds(lines):  # on few pages
            telling = {value for value in known if parts.holds(value[:chars])}
            rows.update(row for row, value in enumerate(values) if value in telling)
    return sorted(rows)
